/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/abw.h"

#include "algo.h"

typedef struct args {
    uint64_t bytes;
    uint64_t now_ns;
} args;

static const algo_param params[] = {ROCECC_ABW_PARAMS(ALGO_PARAM, rocecc_abw_params)};
static const field state_fields[] = {ROCECC_ABW_STATE_FIELDS(FIELD_ROW, rocecc_abw)};
static const field action_fields[] = {
    FIELD_ROW(rocecc_abw_action, UINT, available_bps, NULL)
        FIELD_ROW(rocecc_abw_action, UINT, util_q20, NULL)
            FIELD_ROW(rocecc_abw_action, BOOL, known, NULL)};
static const field step_args[] = {FIELD_ROW(args, UINT, bytes, NULL)
                                      FIELD_ROW(args, UINT, now_ns, NULL)};
static const algo_event events[] = {{"step", step_args, ALGO_COUNT(step_args)}};

static void set_csig(void *p, uint64_t link_bps)
{
    *(rocecc_abw_params *)p = rocecc_abw_csig(link_bps);
}

static const algo_preset presets[] = {{"csig", set_csig}};

static unsigned init(void *p, void *run)
{
    const rocecc_abw_refusal refusal = rocecc_abw_init(p);
    if (refusal == ROCECC_ABW_ACCEPTED) *(rocecc_abw *)run = rocecc_abw_start(p, 0);
    return refusal;
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    (void)event;
    *(rocecc_abw_action *)result = rocecc_abw_step(p, run, a->bytes, a->now_ns);
}

ALGO(ABW, abw, rocecc_abw_params, rocecc_abw_action, rocecc_abw,
     "the available bandwidth of a port, over a window")
