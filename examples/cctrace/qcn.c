/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/qcn.h"

#include "algo.h"
#include "rocecc/wire/cnm.h"

/* The congestion point. */

/* As in a CNM, offset and delta are two's complement, in units of 64 octets. */
typedef struct cp_action {
    bool sampled;
    bool cnm;
    uint8_t qntz_fb;
    int16_t q_offset;
    int16_t q_delta;
} cp_action;

static const algo_param cp_params[] = {
    ROCECC_QCN_CP_PARAMS(ALGO_PARAM, rocecc_qcn_cp_params)};
static const field cp_state_fields[] = {
    ROCECC_QCN_CP_STATE_FIELDS(FIELD_ROW, rocecc_qcn_cp)};
static const field cp_action_fields[] = {
    FIELD_ROW(cp_action, BOOL, sampled, NULL) FIELD_ROW(cp_action, BOOL, cnm, NULL)
        FIELD_ROW(cp_action, UINT, qntz_fb, NULL)
            FIELD_ROW(cp_action, INT, q_offset, NULL)
                FIELD_ROW(cp_action, INT, q_delta, NULL)};
static const field frame_args[] = {
    FIELD_ROW(rocecc_qcn_cp_event, UINT, frame_bytes, NULL)
        FIELD_ROW(rocecc_qcn_cp_event, UINT, queue_bytes, NULL)
            FIELD_ROW(rocecc_qcn_cp_event, UINT, random, NULL)
                FIELD_ROW(rocecc_qcn_cp_event, BOOL, dropped, NULL)};
static const algo_event cp_events[] = {{"frame", frame_args, ALGO_COUNT(frame_args)}};

static void set_mib(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_qcn_cp_params *)p = rocecc_qcn_cp_mib();
}

static void set_mlxreg(void *p, uint64_t link_bps)
{
    (void)link_bps;
    *(rocecc_qcn_cp_params *)p = rocecc_qcn_cp_mlxreg();
}

static const algo_preset cp_presets[] = {{"mib", set_mib}, {"mlxreg", set_mlxreg}};

/* The first sample is due without jitter. */
static unsigned cp_init(void *p, void *run)
{
    const rocecc_qcn_cp_refusal refusal = rocecc_qcn_cp_init(p);
    if (refusal == ROCECC_QCN_CP_ACCEPTED)
        *(rocecc_qcn_cp *)run = rocecc_qcn_cp_start(p, (uint32_t)1 << 31);
    return refusal;
}

static void cp_step(const void *p, void *run, size_t event, const void *arguments,
                    void *result)
{
    const rocecc_qcn_cp_action said = rocecc_qcn_cp_offer(p, run, arguments);
    cp_action *act = result;
    (void)event;
    act->sampled = said.sampled;
    act->cnm = said.cnm;
    act->qntz_fb = said.qntz_fb;
    act->q_offset = rocecc_cnm_q_offset(ROCECC_CNM_SIGNS_A, said.offset_bytes);
    act->q_delta = rocecc_cnm_q_delta(ROCECC_CNM_SIGNS_A, said.delta_bytes);
}

const algo algo_qcn_cp = {algo_name_qcn_cp,
                          "QCN's congestion point: the frames that cause a CNM",
                          cp_params,
                          ALGO_COUNT(cp_params),
                          cp_presets,
                          ALGO_COUNT(cp_presets),
                          cp_events,
                          ALGO_COUNT(cp_events),
                          cp_action_fields,
                          ALGO_COUNT(cp_action_fields),
                          cp_state_fields,
                          ALGO_COUNT(cp_state_fields),
                          ROCECC_QCN_CP_REFUSAL_NAMES,
                          sizeof(rocecc_qcn_cp_params),
                          sizeof(rocecc_qcn_cp_event),
                          sizeof(cp_action),
                          sizeof(rocecc_qcn_cp),
                          cp_init,
                          cp_step};

/* The reaction point. */

typedef struct rp_args {
    uint8_t qntz_fb;
    uint8_t host;
    uint32_t bytes;
    uint32_t random;
} rp_args;

static const algo_param rp_params[] = {
    ROCECC_QCN_RP_PARAMS(ALGO_PARAM, rocecc_qcn_rp_params)};
static const field rp_state_fields[] = {
    ROCECC_QCN_RP_STATE_FIELDS(FIELD_ROW, rocecc_qcn_rp)};
static const field rp_action_fields[] = {
    ROCECC_QCN_RP_ACTION_FIELDS(FIELD_ROW, rocecc_qcn_rp_action)};
static const field cnm_args[] = {FIELD_ROW(rp_args, UINT, qntz_fb, NULL)
                                     FIELD_ROW(rp_args, UINT, random, NULL)};
static const field sent_args[] = {FIELD_ROW(rp_args, UINT, bytes, NULL) FIELD_ROW(
    rp_args, SET, host, ROCECC_QCN_HOST_NAMES) FIELD_ROW(rp_args, UINT, random, NULL)};

enum { CNM, SENT, TIMER };

/* The timer has no octets. */
static const algo_event rp_events[] = {
    {"cnm", cnm_args, ALGO_COUNT(cnm_args)},
    {"sent", sent_args, ALGO_COUNT(sent_args)},
    {"timer", sent_args + 1, ALGO_COUNT(sent_args) - 1}};

static void set_qau(void *p, uint64_t link_bps)
{
    *(rocecc_qcn_rp_params *)p = rocecc_qcn_rp_qau(link_bps);
}

static void set_ns3(void *p, uint64_t link_bps)
{
    *(rocecc_qcn_rp_params *)p = rocecc_qcn_rp_ns3(link_bps);
}

static const algo_preset rp_presets[] = {{"qau", set_qau}, {"ns3", set_ns3}};

static unsigned rp_init(void *p, void *run)
{
    const rocecc_qcn_rp_refusal refusal = rocecc_qcn_rp_init(p);
    if (refusal == ROCECC_QCN_RP_ACCEPTED)
        *(rocecc_qcn_rp *)run = rocecc_qcn_rp_start(p);
    return refusal;
}

static void rp_step(const void *p, void *run, size_t event, const void *arguments,
                    void *result)
{
    const rp_args *a = arguments;
    rocecc_qcn_rp_action *act = result;
    switch (event) {
    case CNM:
        *act = rocecc_qcn_rp_cnm(p, run, a->qntz_fb, a->random);
        break;
    case SENT:
        *act = rocecc_qcn_rp_sent(p, run, a->bytes, a->host, a->random);
        break;
    case TIMER:
        *act = rocecc_qcn_rp_timer(p, run, a->host, a->random);
        break;
    }
}

const algo algo_qcn_rp = {algo_name_qcn_rp,
                          "QCN's reaction point: the rate of one sending flow",
                          rp_params,
                          ALGO_COUNT(rp_params),
                          rp_presets,
                          ALGO_COUNT(rp_presets),
                          rp_events,
                          ALGO_COUNT(rp_events),
                          rp_action_fields,
                          ALGO_COUNT(rp_action_fields),
                          rp_state_fields,
                          ALGO_COUNT(rp_state_fields),
                          ROCECC_QCN_RP_REFUSAL_NAMES,
                          sizeof(rocecc_qcn_rp_params),
                          sizeof(rp_args),
                          sizeof(rocecc_qcn_rp_action),
                          sizeof(rocecc_qcn_rp),
                          rp_init,
                          rp_step};
