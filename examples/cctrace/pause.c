/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/pause.h"

#include "algo.h"

#include <string.h>

#define SLOTS 64
#define ASKERS 64

/*
 * A number f stands for the flow from fd00::f to fd01::f, so that a trace can draw it.
 * A notice is about `outer`, and comes from fd02::node unless it is PFC. `pfc` means
 * that a notice is PFC, or that a queue's neighbour is asked by PFC. `bytes` is for
 * queues, `slot` for timers. rocecc_pause_packet() gives the hold time of a queue.
 */
typedef struct args {
    uint64_t now_ns;
    uint64_t time_ns;
    uint64_t bytes;
    uint32_t outer;
    uint32_t inner;
    uint32_t priority;
    uint32_t in_port;
    uint32_t out_port;
    uint32_t slot;
    uint32_t node;
    uint32_t tag;
    uint16_t src_port;
    uint8_t proto;
    uint8_t type;
    uint8_t has; /* a set */
    bool control;
    bool pfc;
} args;

typedef struct state {
    uint32_t held;
    uint32_t missing;
    uint32_t full;
    uint32_t refused;
    uint32_t asked;
    uint32_t ask_full;
    /*
     * Sums of (slot + 1) * time for slots, and of (tag + 1) * slots held for
     * requesters, mod 2^64, so that a trace checks each entry.
     */
    uint64_t until_sum;
    uint64_t has_sum;
    uint64_t ask_sum;
    rocecc_pause t;
    rocecc_traffic_slot slots[SLOTS];
    rocecc_pause_holders who[SLOTS];
    uint32_t has[ASKERS];
    rocecc_ask asks;
    rocecc_traffic_slot ask_slots[SLOTS];
} state;

static const algo_param params[] = {
    ROCECC_PAUSE_PARAMS(ALGO_PARAM, rocecc_pause_params)};
static const field action_fields[] = {
    ROCECC_PAUSE_ACTION_FIELDS(FIELD_ROW, rocecc_pause_result)};
static const field state_fields[] = {
    ROCECC_PAUSE_COUNT_FIELDS(FIELD_ROW, state) FIELD_ROW(state, UINT, asked, NULL)
        FIELD_ROW(state, UINT, ask_full, NULL) FIELD_ROW(state, UINT, until_sum, NULL)
            FIELD_ROW(state, UINT, has_sum, NULL)
                FIELD_ROW(state, UINT, ask_sum, NULL)};

#define TRAFFIC                                                                        \
    FIELD_ROW(args, UINT, outer, NULL)                                                 \
    FIELD_ROW(args, UINT, inner, NULL)                                                 \
    FIELD_ROW(args, UINT, src_port, NULL)                                              \
    FIELD_ROW(args, UINT, proto, NULL)                                                 \
    FIELD_ROW(args, UINT, priority, NULL)                                              \
    FIELD_ROW(args, UINT, in_port, NULL)                                               \
    FIELD_ROW(args, UINT, out_port, NULL)                                              \
    FIELD_ROW(args, BOOL, control, NULL)                                               \
    FIELD_ROW(args, UINT, now_ns, NULL)
static const field notify_args[] = {
    FIELD_ROW(args, UINT, type, NULL) FIELD_ROW(args, SET, has, "flow priority time")
        FIELD_ROW(args, UINT, time_ns, NULL) FIELD_ROW(args, UINT, node, NULL)
            FIELD_ROW(args, UINT, tag, NULL) FIELD_ROW(args, BOOL, pfc, NULL) TRAFFIC};
static const field packet_args[] = {TRAFFIC};
static const field timer_args[] = {FIELD_ROW(args, UINT, slot, NULL)
                                       FIELD_ROW(args, UINT, now_ns, NULL)};
static const field queue_args[] = {FIELD_ROW(args, UINT, bytes, NULL)
                                       FIELD_ROW(args, BOOL, pfc, NULL) TRAFFIC};

enum { NOTIFY, PACKET, TIMER, QUEUE };
static const algo_event events[] = {{"notify", notify_args, ALGO_COUNT(notify_args)},
                                    {"packet", packet_args, ALGO_COUNT(packet_args)},
                                    {"timer", timer_args, ALGO_COUNT(timer_args)},
                                    {"queue", queue_args, ALGO_COUNT(queue_args)}};

static rocecc_flow flow(const args *a, uint32_t f)
{
    rocecc_flow flow = {{{0xfd}}, {{0xfd, 1}}, 0, 4791, 0};
    size_t i;
    for (i = 0; i < 4; i++)
        flow.src.b[12 + i] = flow.dst.b[12 + i] = (uint8_t)(f >> (24 - 8 * i));
    flow.src_port = a->src_port;
    flow.proto = a->proto;
    return flow;
}

static rocecc_pause_traffic traffic(const args *a)
{
    rocecc_pause_traffic x;
    x.outer = flow(a, a->outer);
    x.inner = flow(a, a->inner);
    x.in_port = a->in_port;
    x.out_port = a->out_port;
    x.priority = (uint8_t)a->priority;
    x.pfc_class = (uint8_t)a->priority;
    x.control = a->control;
    x.in_pfc = a->pfc;
    x.bytes = a->bytes;
    x.held_ns = 0;
    return x;
}

static rocecc_pause_notice notice(const args *a)
{
    const rocecc_ip6 none = {{0}};
    rocecc_pause_notice m;
    size_t i;
    m.flow = flow(a, a->outer);
    m.from.node = none;
    m.from.tag = a->pfc ? 0 : a->tag;
    if (!a->pfc) {
        m.from.node.b[0] = 0xfd;
        m.from.node.b[1] = 2;
        for (i = 0; i < 4; i++)
            m.from.node.b[12 + i] = (uint8_t)(a->node >> (24 - 8 * i));
    }
    m.pfc = a->pfc;
    m.priority = a->priority;
    m.port = a->in_port;
    m.time_ns = a->time_ns;
    m.type = a->type;
    m.has_flow = (a->has & 1) != 0;
    m.has_priority = (a->has & 2) != 0;
    m.has_time = (a->has & 4) != 0;
    return m;
}

/* Updates the values that a trace checks. */
static void sum(state *s)
{
    uint32_t i;
    s->held = s->t.held;
    s->missing = s->t.missing;
    s->full = s->t.full;
    s->refused = s->t.refused;
    s->asked = s->asks.asked;
    s->ask_full = s->asks.full;
    s->until_sum = s->has_sum = s->ask_sum = 0;
    for (i = 0; i < SLOTS; i++) {
        s->until_sum += (i + 1) * s->slots[i].value;
        s->ask_sum += (i + 1) * s->ask_slots[i].value;
    }
    for (i = 0; i < ASKERS; i++)
        s->has_sum += (i + 1) * s->has[i];
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    state *s = run;
    const args *a = arguments;
    const rocecc_pause_memory memory = {s->slots, s->who, s->has};
    rocecc_pause_traffic x = traffic(a);
    const rocecc_pause_notice m = notice(a);
    rocecc_pause_result act = rocecc_pause_packet(p, &s->t, s->slots, &x, a->now_ns);
    if (event == NOTIFY) act = rocecc_pause_notify(p, &s->t, &memory, &m, a->now_ns);
    if (event == TIMER) act = rocecc_pause_timer(p, &s->t, &memory, a->slot, a->now_ns);
    if (event == QUEUE) {
        x.held_ns = act.time_ns;
        act = rocecc_ask_queue(p, &s->asks, s->ask_slots, &x, a->now_ns);
    }
    *(rocecc_pause_result *)result = act;
    sum(s);
}

static void set_service(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_pause_params *)p = rocecc_pause_lab(ROCECC_PAUSE_SERVICE);
}

static void set_flow(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_pause_params *)p = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
}

static void set_priority(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_pause_params *)p = rocecc_pause_lab(ROCECC_PAUSE_PRIORITY);
}

static void set_class(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_pause_params *)p = rocecc_pause_lab(ROCECC_PAUSE_CLASS);
}

static const algo_preset presets[] = {{"service", set_service},
                                      {"flow", set_flow},
                                      {"priority", set_priority},
                                      {"class", set_class}};

static unsigned init(void *p, void *run)
{
    rocecc_pause_params *params_of = p;
    const rocecc_pause_refusal refusal = rocecc_pause_init(p);
    state *s = run;
    if (params_of->requesters > ASKERS) params_of->requesters = ASKERS;
    memset(s, 0, sizeof *s);
    s->t = rocecc_pause_start(SLOTS);
    s->asks = rocecc_ask_start(SLOTS);
    return refusal;
}

ALGO(PAUSE, pause, rocecc_pause_params, rocecc_pause_result, state,
     "holds a service, a flow or a priority for some time")
