/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/pause.h"

#include "algo.h"

#include <string.h>

#define SLOTS 64

/*
 * A flow is a number f here, from fd00::f to fd01::f, so that a trace can draw it; in
 * a notice it is outer. bytes and pfc are a queue's, slot a timer's.
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
    uint32_t used;      /* slots */
    uint64_t until_sum; /* of slot + 1 times its time, mod 2^64: so that all count */
    rocecc_pause t;
    rocecc_pause_entry entries[SLOTS];
} state;

static const algo_param params[] = {
    ROCECC_PAUSE_PARAMS(ALGO_PARAM, rocecc_pause_params)};
static const field action_fields[] = {
    ROCECC_PAUSE_ACTION_FIELDS(FIELD_ROW, rocecc_pause_action)};
static const field state_fields[] = {ROCECC_PAUSE_COUNT_FIELDS(FIELD_ROW, state)
                                         FIELD_ROW(state, UINT, used, NULL)
                                             FIELD_ROW(state, UINT, until_sum, NULL)};

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
static const field notify_args[] = {FIELD_ROW(args, UINT, type, NULL) FIELD_ROW(
    args, SET, has, "flow priority time") FIELD_ROW(args, UINT, time_ns, NULL) TRAFFIC};
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
    return x;
}

static rocecc_pause_notice notice(const args *a)
{
    rocecc_pause_notice m;
    m.flow = flow(a, a->outer);
    m.priority = a->priority;
    m.port = a->in_port;
    m.time_ns = a->time_ns;
    m.type = a->type;
    m.has_flow = (a->has & 1) != 0;
    m.has_priority = (a->has & 2) != 0;
    m.has_time = (a->has & 4) != 0;
    return m;
}

/* What a trace looks at. */
static void sum(state *s)
{
    uint32_t i;
    s->held = s->t.held;
    s->missing = s->t.missing;
    s->full = s->t.full;
    s->used = 0;
    s->until_sum = 0;
    for (i = 0; i < SLOTS; i++) {
        s->used += (s->entries[i].key[5] & 0xff) != 0;
        s->until_sum += (i + 1) * s->entries[i].until_ns;
    }
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    state *s = run;
    const args *a = arguments;
    const rocecc_pause_traffic x = traffic(a);
    const rocecc_pause_notice m = notice(a);
    rocecc_pause_action act;
    if (event == NOTIFY)
        act = rocecc_pause_notify(p, &s->t, s->entries, &m, a->now_ns);
    else if (event == PACKET)
        act = rocecc_pause_packet(p, &s->t, s->entries, &x, a->now_ns);
    else if (event == TIMER)
        act = rocecc_pause_timer(p, &s->t, s->entries, a->slot, a->now_ns);
    else
        act = rocecc_pause_queue(p, &s->t, s->entries, &x, a->now_ns);
    *(rocecc_pause_action *)result = act;
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

static const algo_preset presets[] = {
    {"service", set_service}, {"flow", set_flow}, {"priority", set_priority}};

static unsigned init(void *p, void *run)
{
    const rocecc_pause_refusal refusal = rocecc_pause_init(p);
    state *s = run;
    memset(s, 0, sizeof *s);
    s->t = rocecc_pause_start(SLOTS);
    return refusal;
}

const algo algo_pause = {"pause",
                         "a service, a flow or a priority is held for a while",
                         params,
                         ALGO_COUNT(params),
                         presets,
                         ALGO_COUNT(presets),
                         events,
                         ALGO_COUNT(events),
                         action_fields,
                         ALGO_COUNT(action_fields),
                         state_fields,
                         ALGO_COUNT(state_fields),
                         ROCECC_PAUSE_REFUSAL_NAMES,
                         sizeof(rocecc_pause_params),
                         sizeof(args),
                         sizeof(rocecc_pause_action),
                         sizeof(state),
                         init,
                         step};
