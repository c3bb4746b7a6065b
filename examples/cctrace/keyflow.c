/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/keyflow.h"

#include "algo.h"

typedef struct args {
    uint64_t flow;
    uint32_t bytes;
    uint64_t now_ns;
} args;

typedef struct action {
    rocecc_keyflow_verdict verdict;
} action;

static const algo_param params[] = {
    ROCECC_KEYFLOW_PARAMS(ALGO_PARAM, rocecc_keyflow_params)};
static const field state_fields[] = {
    ROCECC_KEYFLOW_STATE_FIELDS(FIELD_ROW, rocecc_keyflow)};
static const field action_fields[] = {
    FIELD_ROW(action, ENUM, verdict, ROCECC_KEYFLOW_VERDICT_NAMES)};
static const field step_args[] = {FIELD_ROW(args, UINT, flow, NULL) FIELD_ROW(
    args, UINT, bytes, NULL) FIELD_ROW(args, UINT, now_ns, NULL)};
static const algo_event events[] = {{"step", step_args, ALGO_COUNT(step_args)}};

static void set_quarter(void *p, uint64_t link_bps)
{
    *(rocecc_keyflow_params *)p = rocecc_keyflow_quarter(link_bps);
}

static const algo_preset presets[] = {{"quarter", set_quarter}};

static unsigned init(void *p, void *run)
{
    const rocecc_keyflow_refusal refusal = rocecc_keyflow_init(p);
    if (refusal == ROCECC_KEYFLOW_ACCEPTED)
        *(rocecc_keyflow *)run = rocecc_keyflow_start(0);
    return refusal;
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    action *act = result;
    (void)event;
    act->verdict = rocecc_keyflow_step(p, run, a->flow, a->bytes, a->now_ns);
}

ALGO(KEYFLOW, keyflow, rocecc_keyflow_params, action, rocecc_keyflow,
     "the flow that causes the congestion of a queue")
