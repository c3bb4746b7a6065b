/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/dcqcn.h"

#include "algo.h"

typedef struct args {
    uint64_t now_ns;
    uint64_t line_bps;
    uint32_t bytes;
} args;

/*
 * A flow with its own parameters, because a relink changes them. A host that polls uses
 * `t`. A host with timers uses only t.flow, its first member.
 */
typedef struct run {
    rocecc_dcqcn_timed t;
    rocecc_dcqcn_params p;
} run;

static const algo_param params[] = {
    ROCECC_DCQCN_PARAMS(ALGO_PARAM, rocecc_dcqcn_params)};
static const field state_fields[] = {
    ROCECC_DCQCN_STATE_FIELDS(FIELD_ROW, rocecc_dcqcn)};
static const field timed_fields[] = {ROCECC_DCQCN_STATE_FIELDS(
    FIELD_ROW, rocecc_dcqcn) ROCECC_DCQCN_TIMED_FIELDS(FIELD_ROW, rocecc_dcqcn_timed)};
static const field action_fields[] = {
    ROCECC_DCQCN_ACTION_FIELDS(FIELD_ROW, rocecc_dcqcn_action)};
static const field line_args[] = {FIELD_ROW(args, UINT, line_bps, NULL)
                                      FIELD_ROW(args, UINT, now_ns, NULL)};
static const field sent_args[] = {FIELD_ROW(args, UINT, bytes, NULL)
                                      FIELD_ROW(args, UINT, now_ns, NULL)};
static const field now_args[] = {FIELD_ROW(args, UINT, now_ns, NULL)};

enum { CNP, ALPHA_TIMER, CUT_TIMER, INCREASE_TIMER, SENT, RESTART, RELINK };

static const algo_event events[] = {
    {"cnp", NULL, 0},        {"alpha_timer", NULL, 0},
    {"cut_timer", NULL, 0},  {"increase_timer", NULL, 0},
    {"sent", sent_args, 1},  {"restart", NULL, 0},
    {"relink", line_args, 1}};

enum { T_CNP, T_SENT, T_ADVANCE, T_RESTART, T_RELINK };

static const algo_event timed_events[] = {{"cnp", now_args, 1},
                                          {"sent", sent_args, 2},
                                          {"advance", now_args, 1},
                                          {"restart", now_args, 1},
                                          {"relink", line_args, 2}};

static void set_paper(void *p, uint64_t link_bps)
{
    *(rocecc_dcqcn_params *)p = rocecc_dcqcn_paper(link_bps);
}

static void set_nvidia(void *p, uint64_t link_bps)
{
    *(rocecc_dcqcn_params *)p = rocecc_dcqcn_nvidia(link_bps);
}

static void set_ns3_hpcc(void *p, uint64_t link_bps)
{
    *(rocecc_dcqcn_params *)p = rocecc_dcqcn_ns3_hpcc(link_bps);
}

static const algo_preset presets[] = {
    {"paper", set_paper}, {"nvidia", set_nvidia}, {"ns3_hpcc", set_ns3_hpcc}};

static unsigned init(void *p, void *state)
{
    run *r = state;
    const rocecc_dcqcn_refusal refusal = rocecc_dcqcn_init(p);
    if (refusal != ROCECC_DCQCN_ACCEPTED) return refusal;
    r->p = *(const rocecc_dcqcn_params *)p;
    r->t = rocecc_dcqcn_timed_start(&r->p, 0);
    return refusal;
}

/* Returns false, and keeps the old line, if init() rejects the new one. */
static bool set_line(run *r, uint64_t line_bps)
{
    rocecc_dcqcn_params p = r->p;
    p.line_bps = line_bps;
    if (rocecc_dcqcn_init(&p) != ROCECC_DCQCN_ACCEPTED) return false;
    r->p = p;
    return true;
}

static void step(const void *p, void *state, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    run *r = state;
    rocecc_dcqcn_action *act = result;
    const rocecc_dcqcn_action none = {r->t.flow.rate_bps, 0, 0, false, false};
    (void)p;
    *act = none;
    switch (event) {
    case CNP:
        *act = rocecc_dcqcn_cnp(&r->p, &r->t.flow);
        break;
    case ALPHA_TIMER:
        *act = rocecc_dcqcn_alpha_timer(&r->p, &r->t.flow);
        break;
    case CUT_TIMER:
        *act = rocecc_dcqcn_cut_timer(&r->p, &r->t.flow);
        break;
    case INCREASE_TIMER:
        *act = rocecc_dcqcn_increase_timer(&r->p, &r->t.flow);
        break;
    case SENT:
        *act = rocecc_dcqcn_sent(&r->p, &r->t.flow, a->bytes);
        break;
    case RESTART:
        *act = rocecc_dcqcn_restart(&r->p, &r->t.flow);
        break;
    case RELINK:
        if (set_line(r, a->line_bps)) *act = rocecc_dcqcn_relink(&r->p, &r->t.flow);
        break;
    }
}

static void timed_step(const void *p, void *state, size_t event, const void *arguments,
                       void *result)
{
    const args *a = arguments;
    run *r = state;
    rocecc_dcqcn_action *act = result;
    (void)p;
    switch (event) {
    case T_CNP:
        *act = rocecc_dcqcn_timed_cnp(&r->p, &r->t, a->now_ns);
        break;
    case T_SENT:
        *act = rocecc_dcqcn_timed_sent(&r->p, &r->t, a->bytes, a->now_ns);
        break;
    case T_RESTART:
        *act = rocecc_dcqcn_timed_restart(&r->p, &r->t, a->now_ns);
        break;
    case T_RELINK: /* the time before it uses the old line */
        *act = rocecc_dcqcn_timed_advance(&r->p, &r->t, a->now_ns);
        if (set_line(r, a->line_bps)) {
            const rocecc_dcqcn_action before = *act;
            *act = rocecc_dcqcn_timed_relink(&r->p, &r->t, a->now_ns);
            act->cut = before.cut;
            act->released = before.released;
        }
        break;
    default:
        *act = rocecc_dcqcn_timed_advance(&r->p, &r->t, a->now_ns);
        break;
    }
}

ALGO(DCQCN, dcqcn, rocecc_dcqcn_params, rocecc_dcqcn_action, run,
     "DCQCN's reaction point: the rate of one sending flow")

const algo algo_dcqcn_timed = {algo_name_dcqcn_timed,
                               "DCQCN's reaction point for a host that polls",
                               params,
                               ALGO_COUNT(params),
                               presets,
                               ALGO_COUNT(presets),
                               timed_events,
                               ALGO_COUNT(timed_events),
                               action_fields,
                               ALGO_COUNT(action_fields),
                               timed_fields,
                               ALGO_COUNT(timed_fields),
                               ROCECC_DCQCN_REFUSAL_NAMES,
                               sizeof(rocecc_dcqcn_params),
                               sizeof(args),
                               sizeof(rocecc_dcqcn_action),
                               sizeof(run),
                               init,
                               timed_step};
