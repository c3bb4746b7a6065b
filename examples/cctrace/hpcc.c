/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/hpcc.h"

#include "algo.h"

#define HOPS 8 /* hops per event, at most */

/* The state, and the caller's L and parameters. relink changes the parameters. */
typedef struct run {
    rocecc_hpcc s;
    rocecc_hpcc_hop known[ROCECC_HPCC_HOPS_MAX];
    rocecc_hpcc_params p;
} run;

typedef struct args {
    uint32_t seq;
    uint32_t snd_nxt;
    uint64_t now_ns;
    uint32_t n_hops;
    uint8_t ecn;
    uint8_t incomplete;
    rocecc_hop hop[HOPS];
} args;

static const algo_param params[] = {ROCECC_HPCC_PARAMS(ALGO_PARAM, rocecc_hpcc_params)};
static const field state_fields[] = {ROCECC_HPCC_STATE_FIELDS(FIELD_ROW, rocecc_hpcc)};
static const field action_fields[] = {
    ROCECC_HPCC_ACTION_FIELDS(FIELD_ROW, rocecc_hpcc_action)};
static const field csig_action_fields[] = {
    ROCECC_HPCC_CSIG_ACTION_FIELDS(FIELD_ROW, rocecc_hpcc_action)};

#define HOP_ARGS(i)                                                                    \
    FIELD_ROW(args, UINT, hop[i].id, NULL)                                             \
    FIELD_ROW(args, UINT, hop[i].rate_bps, NULL)                                       \
    FIELD_ROW(args, UINT, hop[i].tx_bytes, NULL)                                       \
    FIELD_ROW(args, UINT, hop[i].ts_ns, NULL)                                          \
    FIELD_ROW(args, UINT, hop[i].queue_bytes, NULL)                                    \
    FIELD_ROW(args, UINT, hop[i].util_q20, NULL)                                       \
    FIELD_ROW(args, SET, hop[i].valid, ROCECC_HOP_ITEM_NAMES)

static const field ack_args[] = {
    FIELD_ROW(args, UINT, seq, NULL) FIELD_ROW(args, UINT, snd_nxt, NULL)
        FIELD_ROW(args, UINT, now_ns, NULL) FIELD_ROW(args, UINT, n_hops, NULL)
            FIELD_ROW(args, ENUM, ecn, ROCECC_HPCC_ECN_NAMES)
                FIELD_ROW(args, BOOL, incomplete, NULL) HOP_ARGS(0) HOP_ARGS(1)
                    HOP_ARGS(2) HOP_ARGS(3) HOP_ARGS(4) HOP_ARGS(5) HOP_ARGS(6)
                        HOP_ARGS(7)};
static const field sample_args[] = {
    FIELD_ROW(rocecc_hpcc_csig_event, ENUM, signal, ROCECC_HPCC_SIGNAL_NAMES)
        FIELD_ROW(rocecc_hpcc_csig_event, UINT, value, NULL)
            FIELD_ROW(rocecc_hpcc_csig_event, UINT, seq, NULL)
                FIELD_ROW(rocecc_hpcc_csig_event, UINT, snd_nxt, NULL)
                    FIELD_ROW(rocecc_hpcc_csig_event, UINT, now_ns, NULL) FIELD_ROW(
                        rocecc_hpcc_csig_event, ENUM, ecn, ROCECC_HPCC_ECN_NAMES)};

/* The new parameters of the link. */
typedef struct link {
    uint32_t base_rtt_ns;
    uint64_t w_init_bytes;
    uint64_t w_max_bytes;
    uint64_t w_blind_bytes;
} link;

static const field link_args[] = {FIELD_ROW(link, UINT, base_rtt_ns, NULL) FIELD_ROW(
    link, UINT, w_init_bytes, NULL) FIELD_ROW(link, UINT, w_max_bytes, NULL)
                                      FIELD_ROW(link, UINT, w_blind_bytes, NULL)};

enum { ACK, FORGET, RELINK, FASTCNP };

/* A Fast CNP has neither seq nor snd_nxt. */
static const algo_event events[] = {
    {"ack", ack_args, ALGO_COUNT(ack_args)},
    {"forget", NULL, 0},
    {"relink", link_args, ALGO_COUNT(link_args)},
    {"fastcnp", ack_args + 2, ALGO_COUNT(ack_args) - 2}};
static const algo_event csig_events[] = {{"ack", sample_args, ALGO_COUNT(sample_args)},
                                         {"forget", NULL, 0},
                                         {"relink", link_args, ALGO_COUNT(link_args)}};

static void set_paper(void *p, uint64_t link_bps)
{
    *(rocecc_hpcc_params *)p = rocecc_hpcc_paper(link_bps);
}

static void set_ns3(void *p, uint64_t link_bps)
{
    *(rocecc_hpcc_params *)p = rocecc_hpcc_ns3(link_bps);
}

static const algo_preset presets[] = {{"paper", set_paper}, {"ns3", set_ns3}};

static unsigned init(void *p, void *state)
{
    const rocecc_hpcc_refusal refusal = rocecc_hpcc_init(p);
    run *r = state;
    if (refusal != ROCECC_HPCC_ACCEPTED) return refusal;
    r->p = *(const rocecc_hpcc_params *)p;
    r->s = rocecc_hpcc_start(p);
    return refusal;
}

/* Forgets. Returns the action that holds afterwards, because forget returns none. */
static rocecc_hpcc_action forgotten(run *r)
{
    rocecc_hpcc_forget(&r->p, &r->s);
    return rocecc_hpcc_make_action_(&r->p, &r->s, ROCECC_HPCC_IGNORED);
}

/* Relinks with the new parameters, or with the old ones if init() rejects the new. */
static rocecc_hpcc_action relinked(run *r, const link *to)
{
    rocecc_hpcc_params p = r->p;
    p.base_rtt_ns = to->base_rtt_ns;
    p.w_init_bytes = to->w_init_bytes;
    p.w_max_bytes = to->w_max_bytes;
    p.w_blind_bytes = to->w_blind_bytes;
    if (rocecc_hpcc_init(&p) == ROCECC_HPCC_ACCEPTED) r->p = p;
    return rocecc_hpcc_relink(&r->p, &r->s);
}

static void step(const void *p, void *state, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    run *r = state;
    rocecc_hpcc_action *act = result;
    rocecc_hpcc_event e;
    (void)p;
    e.hops = a->hop;
    /* More than HOPS hops count as more than max_hops, even if max_hops is larger. */
    e.n_hops = a->n_hops;
    e.seq = a->seq;
    e.snd_nxt = a->snd_nxt;
    e.now_ns = a->now_ns;
    e.ecn = a->ecn;
    e.incomplete = a->incomplete != 0;
    if (e.n_hops > HOPS) e.n_hops = UINT32_MAX;
    switch (event) {
    case ACK:
        *act = rocecc_hpcc_ack(&r->p, &r->s, r->known, &e);
        break;
    case FORGET:
        *act = forgotten(r);
        break;
    case RELINK:
        *act = relinked(r, arguments);
        break;
    case FASTCNP:
        *act = rocecc_hpcc_fastcnp(&r->p, &r->s, r->known, &e);
        break;
    }
}

static void csig_step(const void *p, void *state, size_t event, const void *arguments,
                      void *result)
{
    rocecc_hpcc_action *act = result;
    run *r = state;
    (void)p;
    if (event == ACK)
        *act = rocecc_hpcc_csig_ack(&r->p, &r->s, arguments);
    else
        *act = event == FORGET ? forgotten(r) : relinked(r, arguments);
}

ALGO(HPCC, hpcc, rocecc_hpcc_params, rocecc_hpcc_action, run,
     "HPCC and HPCC++: the window of one flow, from the telemetry of hops")

const algo algo_hpcc_csig = {algo_name_hpcc_csig,
                             "HPCC++ with CSIG: one signal per packet",
                             params,
                             ALGO_COUNT(params),
                             presets,
                             ALGO_COUNT(presets),
                             csig_events,
                             ALGO_COUNT(csig_events),
                             csig_action_fields,
                             ALGO_COUNT(csig_action_fields),
                             state_fields,
                             ALGO_COUNT(state_fields),
                             ROCECC_HPCC_REFUSAL_NAMES,
                             sizeof(rocecc_hpcc_params),
                             sizeof(rocecc_hpcc_csig_event),
                             sizeof(rocecc_hpcc_action),
                             sizeof(run),
                             init,
                             csig_step};
