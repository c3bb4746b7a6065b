/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/qcn.h"

#include "algo.h"

typedef struct args {
    rocecc_qcn_rp_event e;
    uint64_t link_bps;
} args;

/* The state, and the parameters, because relink changes them. */
typedef struct run {
    rocecc_qcn_rp_timed t; /* first, so that its members have the same offsets */
    rocecc_qcn_rp_params p;
} run;

static const algo_param params[] = {
    ROCECC_QCN_RP_PARAMS(ALGO_PARAM, rocecc_qcn_rp_params)};
static const field state_fields[] = {ROCECC_QCN_RP_STATE_FIELDS(
    FIELD_ROW, rocecc_qcn_rp) FIELD_ROW(rocecc_qcn_rp_timed, UINT, last_ns, NULL)};
static const field action_fields[] = {
    ROCECC_QCN_RP_ACTION_FIELDS(FIELD_ROW, rocecc_qcn_rp_action)};

#define TIME                                                                           \
    FIELD_ROW(rocecc_qcn_rp_event, UINT, now_ns, NULL)                                 \
    FIELD_ROW(rocecc_qcn_rp_event, SET, host, ROCECC_QCN_HOST_NAMES)                   \
    FIELD_ROW(rocecc_qcn_rp_event, UINT, random, NULL)

static const field advance_args[] = {TIME};
static const field cnm_args[] = {
    TIME FIELD_ROW(rocecc_qcn_rp_event, UINT, qntz_fb, NULL)};
static const field sent_args[] = {
    TIME FIELD_ROW(rocecc_qcn_rp_event, UINT, bytes, NULL)};
static const field relink_args[] = {TIME FIELD_ROW(args, UINT, link_bps, NULL)};

enum { ADVANCE, CNM, SENT, RELINK };

static const algo_event events[] = {{"advance", advance_args, ALGO_COUNT(advance_args)},
                                    {"cnm", cnm_args, ALGO_COUNT(cnm_args)},
                                    {"sent", sent_args, ALGO_COUNT(sent_args)},
                                    {"relink", relink_args, ALGO_COUNT(relink_args)}};

static void set_qau(void *p, uint64_t link_bps)
{
    *(rocecc_qcn_rp_params *)p = rocecc_qcn_rp_qau(link_bps);
}

static void set_ns3(void *p, uint64_t link_bps)
{
    *(rocecc_qcn_rp_params *)p = rocecc_qcn_rp_ns3(link_bps);
}

static const algo_preset presets[] = {{"qau", set_qau}, {"ns3", set_ns3}};

static unsigned init(void *p, void *at)
{
    const rocecc_qcn_rp_refusal refusal = rocecc_qcn_rp_init(p);
    run *r = at;
    if (refusal != ROCECC_QCN_RP_ACCEPTED) return refusal;
    r->p = *(rocecc_qcn_rp_params *)p;
    r->t = rocecc_qcn_rp_timed_start(&r->p, 0);
    return refusal;
}

/* Advances the time. Sets the line to link_bps, unless init() rejects it. */
static rocecc_qcn_rp_action relink(run *r, const args *a)
{
    const rocecc_qcn_rp_action act =
        rocecc_qcn_rp_timed_advance(&r->p, &r->t, a->e.host, a->e.random, a->e.now_ns);
    rocecc_qcn_rp_params p = r->p;
    rocecc_qcn_rp_action said;
    p.max_bps = a->link_bps;
    p.min_bps = rocecc_min(p.min_bps, p.max_bps);
    if (rocecc_qcn_rp_init(&p) != ROCECC_QCN_RP_ACCEPTED) return act;
    r->p = p;
    said = rocecc_qcn_rp_relink(&r->p, &r->t.flow);
    said.timer_ns = act.timer_ns;
    said.released = act.released;
    return said;
}

static void step(const void *p, void *at, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    rocecc_qcn_rp_action *act = result;
    run *r = at;
    (void)p;
    switch (event) {
    case ADVANCE:
        *act = rocecc_qcn_rp_timed_advance(&r->p, &r->t, a->e.host, a->e.random,
                                           a->e.now_ns);
        break;
    case CNM:
        *act = rocecc_qcn_rp_timed_cnm(&r->p, &r->t, &a->e);
        break;
    case SENT:
        *act = rocecc_qcn_rp_timed_sent(&r->p, &r->t, &a->e);
        break;
    case RELINK:
        *act = relink(r, a);
        break;
    }
}

ALGO(QCN_RP, qcn_rp_timed, rocecc_qcn_rp_params, rocecc_qcn_rp_action, run,
     "QCN's reaction point, for a host that polls")
