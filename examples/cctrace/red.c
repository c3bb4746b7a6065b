/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/wred.h"

#include "algo.h"

typedef struct args {
    uint32_t queue_bytes;
    rocecc_ecn ecn;
    uint32_t random;
    uint64_t now_ns; /* the library uses the low 32 bits */
} args;

typedef struct action {
    rocecc_wred_verdict verdict; /* PASS for idle */
} action;

/* The state, and counts of the verdicts. */
typedef struct run {
    rocecc_red red; /* first, so that its members have the same offsets */
    uint64_t passed;
    uint64_t marked;
    uint64_t dropped;
} run;

static const algo_param params[] = {ROCECC_RED_PARAMS(ALGO_PARAM, rocecc_red_params)};
static const field state_fields[] = {
    ROCECC_RED_STATE_FIELDS(FIELD_ROW, rocecc_red) FIELD_ROW(run, UINT, passed, NULL)
        FIELD_ROW(run, UINT, marked, NULL) FIELD_ROW(run, UINT, dropped, NULL)};
static const field action_fields[] = {
    FIELD_ROW(action, ENUM, verdict, ROCECC_WRED_VERDICT_NAMES)};
static const field arrive_args[] = {FIELD_ROW(args, UINT, queue_bytes, NULL) FIELD_ROW(
    args, ENUM, ecn, ROCECC_WRED_ECN_NAMES) FIELD_ROW(args, UINT, random, NULL)
                                        FIELD_ROW(args, UINT, now_ns, NULL)};
static const field idle_args[] = {FIELD_ROW(args, UINT, now_ns, NULL)};

enum { ARRIVE, IDLE };
static const algo_event events[] = {{"arrive", arrive_args, ALGO_COUNT(arrive_args)},
                                    {"idle", idle_args, ALGO_COUNT(idle_args)}};

/*
 * Sets min_bytes to the bytes that the link carries in 8 us, and packet_ns for packets
 * of 1,000 bytes.
 */
static void set_floyd(void *p, uint64_t link_bps)
{
    const uint64_t bps = rocecc_clamp(link_bps, 2000000, ROCECC_RATE_END_BPS);
    *(rocecc_red_params *)p = rocecc_red_floyd(
        (uint32_t)(bps / 1000000), (uint32_t)(UINT64_C(8000000000000) / bps));
}

static const algo_preset presets[] = {{"floyd", set_floyd}};

static unsigned init(void *p, void *at)
{
    const rocecc_red_refusal refusal = rocecc_red_init(p);
    run r = {{0, 0, 0, 0}, 0, 0, 0};
    if (refusal == ROCECC_RED_ACCEPTED) r.red = rocecc_red_start(p);
    *(run *)at = r;
    return refusal;
}

static void step(const void *p, void *at, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    const uint32_t now_ns = (uint32_t)a->now_ns;
    const rocecc_red_event arrival = {a->queue_bytes, a->ecn, a->random, now_ns};
    action *act = result;
    run *r = at;
    act->verdict = ROCECC_WRED_PASS;
    if (event == IDLE) {
        rocecc_red_idle(p, &r->red, now_ns);
        return;
    }
    act->verdict = rocecc_red_arrive(p, &r->red, arrival);
    r->passed += act->verdict == ROCECC_WRED_PASS;
    r->marked += act->verdict == ROCECC_WRED_MARK;
    r->dropped += act->verdict == ROCECC_WRED_DROP;
}

ALGO(RED, red, rocecc_red_params, action, run, "RED on an averaged queue")
