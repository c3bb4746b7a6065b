/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/tokenbucket.h"

#include "algo.h"

typedef struct args {
    uint32_t n;
    uint64_t now_ns;
} args;

typedef struct action {
    bool taken;
} action;

static const algo_param params[] = {
    ROCECC_TOKENBUCKET_PARAMS(ALGO_PARAM, rocecc_tokenbucket_params)};
static const field state_fields[] = {
    ROCECC_TOKENBUCKET_STATE_FIELDS(FIELD_ROW, rocecc_tokenbucket)};
static const field action_fields[] = {FIELD_ROW(action, BOOL, taken, NULL)};
static const field take_args[] = {FIELD_ROW(args, UINT, n, NULL)
                                      FIELD_ROW(args, UINT, now_ns, NULL)};
static const algo_event events[] = {{"take", take_args, ALGO_COUNT(take_args)}};

/* Sets the rate to 1/1000 of the link, in packets of 1,000 bytes per second. */
static void set_per_s(void *p, uint64_t link_bps)
{
    *(rocecc_tokenbucket_params *)p =
        rocecc_tokenbucket_per_s((uint32_t)(link_bps / 8 / 1000 / 1000));
}

static const algo_preset presets[] = {{"per_s", set_per_s}};

static unsigned init(void *p, void *run)
{
    const rocecc_tokenbucket_refusal refusal = rocecc_tokenbucket_init(p);
    if (refusal == ROCECC_TOKENBUCKET_ACCEPTED)
        *(rocecc_tokenbucket *)run = rocecc_tokenbucket_start(p, 0);
    return refusal;
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    action *act = result;
    (void)event;
    act->taken = rocecc_tokenbucket_take(p, run, a->n, a->now_ns);
}

ALGO(TOKENBUCKET, tokenbucket, rocecc_tokenbucket_params, action, rocecc_tokenbucket,
     "a rate per second, and a burst")
