/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/cnpgate.h"

#include "algo.h"

typedef struct args {
    uint64_t now_ns; /* the gate uses the low 32 bits */
} args;

static const algo_param params[] = {
    ROCECC_CNPGATE_PARAMS(ALGO_PARAM, rocecc_cnpgate_params)};
static const field state_fields[] = {
    ROCECC_CNPGATE_STATE_FIELDS(FIELD_ROW, rocecc_cnpgate)};
static const field action_fields[] = {
    ROCECC_CNPGATE_ACTION_FIELDS(FIELD_ROW, rocecc_cnpgate_result)};
static const field now_args[] = {FIELD_ROW(args, UINT, now_ns, NULL)};
static const algo_event events[] = {{"ce", now_args, ALGO_COUNT(now_args)},
                                    {"timer", now_args, ALGO_COUNT(now_args)}};

static void set_paper(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_cnpgate_params *)p = rocecc_cnpgate_paper();
}

static void set_nvidia(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_cnpgate_params *)p = rocecc_cnpgate_nvidia();
}

static void set_ns3(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_cnpgate_params *)p = rocecc_cnpgate_ns3();
}

static const algo_preset presets[] = {
    {"paper", set_paper}, {"nvidia", set_nvidia}, {"ns3", set_ns3}};

static unsigned init(void *p, void *run)
{
    const rocecc_cnpgate_refusal refusal = rocecc_cnpgate_init(p);
    if (refusal == ROCECC_CNPGATE_ACCEPTED)
        *(rocecc_cnpgate *)run = rocecc_cnpgate_start(p);
    return refusal;
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    const args *a = arguments;
    rocecc_cnpgate_result *act = result;
    const uint32_t now_ns = (uint32_t)a->now_ns;
    *act = event == 0 ? rocecc_cnpgate_ce(p, run, now_ns)
                      : rocecc_cnpgate_timer(p, run, now_ns);
}

ALGO(CNPGATE, cnpgate, rocecc_cnpgate_params, rocecc_cnpgate_result, rocecc_cnpgate,
     "at most one CNP per interval")
