/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/dcqcn.h"

#include "algo.h"

typedef struct args {
    uint32_t now_ns;
    uint32_t bytes;
} args;

static const algo_param params[] = {
    ROCECC_DCQCN_PARAMS(ALGO_PARAM, rocecc_dcqcn_params)};
static const field state_fields[] = {
    ROCECC_DCQCN_STATE_FIELDS(FIELD_ROW, rocecc_dcqcn)};
static const field action_fields[] = {
    ROCECC_DCQCN_ACTION_FIELDS(FIELD_ROW, rocecc_dcqcn_action)};
static const field now_args[] = {FIELD_ROW(args, UINT, now_ns, NULL)};
static const field sent_args[] = {FIELD_ROW(args, UINT, bytes, NULL)};

enum { CNP, ALPHA_TIMER, CUT_TIMER, INCREASE_TIMER, SENT };

static const algo_event events[] = {{"cnp", now_args, 1},
                                    {"alpha_timer", now_args, 1},
                                    {"cut_timer", now_args, 1},
                                    {"increase_timer", NULL, 0},
                                    {"sent", sent_args, 1}};

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

static unsigned init(void *p, void *run)
{
    const rocecc_dcqcn_refusal refusal = rocecc_dcqcn_init(p);
    if (refusal == ROCECC_DCQCN_ACCEPTED) *(rocecc_dcqcn *)run = rocecc_dcqcn_start(p);
    return refusal;
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    rocecc_dcqcn_action *act = result;
    switch (event) {
    case CNP:
        *act = rocecc_dcqcn_cnp(p, run, a->now_ns);
        break;
    case ALPHA_TIMER:
        *act = rocecc_dcqcn_alpha_timer(p, run, a->now_ns);
        break;
    case CUT_TIMER:
        *act = rocecc_dcqcn_cut_timer(p, run, a->now_ns);
        break;
    case INCREASE_TIMER:
        *act = rocecc_dcqcn_increase_timer(p, run);
        break;
    case SENT:
        *act = rocecc_dcqcn_sent(p, run, a->bytes);
        break;
    }
}

const algo algo_dcqcn = {"dcqcn",
                         "DCQCN's reaction point: the rate of one sending flow",
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
                         ROCECC_DCQCN_REFUSAL_NAMES,
                         sizeof(rocecc_dcqcn_params),
                         sizeof(args),
                         sizeof(rocecc_dcqcn_action),
                         sizeof(rocecc_dcqcn),
                         init,
                         step};
