/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/wred.h"

#include "algo.h"

typedef struct args {
    uint32_t queue_bytes;
    rocecc_ecn ecn;
    uint32_t random;
} args;

typedef struct action {
    rocecc_wred_verdict verdict;
} action;

/* WRED keeps no state, so its verdicts are counted here. */
typedef struct run {
    uint64_t passed;
    uint64_t marked;
    uint64_t dropped;
} run;

static const algo_param params[] = {ROCECC_WRED_PARAMS(ALGO_PARAM, rocecc_wred_params)};
static const field state_fields[] = {FIELD_ROW(run, UINT, passed, NULL) FIELD_ROW(
    run, UINT, marked, NULL) FIELD_ROW(run, UINT, dropped, NULL)};
static const field action_fields[] = {
    FIELD_ROW(action, ENUM, verdict, ROCECC_WRED_VERDICT_NAMES)};
static const field decide_args[] = {FIELD_ROW(args, UINT, queue_bytes, NULL) FIELD_ROW(
    args, ENUM, ecn, ROCECC_WRED_ECN_NAMES) FIELD_ROW(args, UINT, random, NULL)};
static const algo_event events[] = {{"decide", decide_args, ALGO_COUNT(decide_args)}};

/* The BDP is the bytes that the link carries in 8 us. The buffer holds 16 BDPs. */
static void set_ldcp(void *p, uint64_t link_bps)
{
    const uint64_t bdp = rocecc_min(link_bps, ROCECC_RATE_END_BPS) / 1000000;
    *(rocecc_wred_params *)p = rocecc_wred_ldcp((uint32_t)bdp, (uint32_t)(16 * bdp));
}

static void set_dcqcn_paper(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_wred_params *)p = rocecc_wred_dcqcn_paper();
}

static void set_hpcc_runs(void *p, uint64_t link_bps)
{
    *(rocecc_wred_params *)p = rocecc_wred_hpcc_runs(link_bps);
}

static void set_nvidia(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_wred_params *)p = rocecc_wred_nvidia();
}

static const algo_preset presets[] = {{"ldcp", set_ldcp},
                                      {"dcqcn_paper", set_dcqcn_paper},
                                      {"hpcc_runs", set_hpcc_runs},
                                      {"nvidia", set_nvidia}};

static unsigned init(void *p, void *at)
{
    const run none = {0, 0, 0};
    *(run *)at = none;
    return rocecc_wred_init(p);
}

static void step(const void *p, void *at, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    action *act = result;
    run *r = at;
    (void)event;
    act->verdict = rocecc_wred_decide(p, a->queue_bytes, a->ecn, a->random);
    r->passed += act->verdict == ROCECC_WRED_PASS;
    r->marked += act->verdict == ROCECC_WRED_MARK;
    r->dropped += act->verdict == ROCECC_WRED_DROP;
}

ALGO(WRED, wred, rocecc_wred_params, action, run, "ECN/WRED on the current queue")
