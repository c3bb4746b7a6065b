/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_QCN_H
#define ROCECC_FIELDS_QCN_H

/* qcn.h - field tables for algo/qcn_cp.h and qcn_rp.h, with rows as in field.h. */
#include "../algo/qcn.h"

#define ROCECC_QCN_CLAMP_NAMES "byte_only any_stage always"

#define ROCECC_QCN_HALVE_NAMES "active hyper"

#define ROCECC_QCN_STATE_NAMES "fast_recovery active_increase hyper_increase"

#define ROCECC_QCN_HOST_NAMES "frozen empty"

#define ROCECC_QCN_CP_REFUSAL_NAMES                                                    \
    "accepted set_point_bytes weight_q10 sample_base_bytes"

#define ROCECC_QCN_RP_REFUSAL_NAMES                                                    \
    "accepted max_bps min_bps ai_bps hai_bps time_reset_ns byte_reset_bytes gd_exp "   \
    "min_dec_percent clamp_target halve_in"

#define ROCECC_QCN_CP_PARAMS(P, T)                                                     \
    P(T, UINT, set_point_bytes, NULL, "octets", "100 .. 2^32 - 1",                     \
      "cpQSp; ieee8021CnCpQueueSizeSetPoint")                                          \
    P(T, UINT, weight_q10, NULL, "2^-10", "1 .. 2^20",                                 \
      "cpW; 2^(10 + ieee8021CnCpFeedbackWeight)")                                      \
    P(T, UINT, sample_base_bytes, NULL, "octets", "10000 .. 2^32 - 1",                 \
      "cpSampleBase; ieee8021CnCpMinSampleBase")                                       \
    P(T, UINT, emit_zero_fb, NULL, "flag", "0 1", "sources disagree")                  \
    P(T, UINT, skip_dropped, NULL, "flag", "0 1", "sources are silent")

#define ROCECC_QCN_CP_STATE_FIELDS(F, T)                                               \
    F(T, UINT, left_bytes, NULL, 0, "bytes", "octets until the next sample")           \
    F(T, UINT, old_bytes, NULL, 0, "bytes", "queue length at the last sample")         \
    F(T, UINT, transmitted_cnms, NULL, 0, "", "number of CNMs sent")

#define ROCECC_QCN_RP_PARAMS(P, T)                                                     \
    P(T, UINT, max_bps, NULL, "bit/s", "1 .. 2^43 - 1", "rpgMaxRate")                  \
    P(T, UINT, min_bps, NULL, "bit/s", "1 .. max_bps", "rpgMinRate")                   \
    P(T, UINT, ai_bps, NULL, "bit/s", "2 .. 2^43 - 1", "rpgAiRate")                    \
    P(T, UINT, hai_bps, NULL, "bit/s", "1 .. 2^43 - 1", "rpgHaiRate")                  \
    P(T, UINT, time_reset_ns, NULL, "ns", "1000 .. 2^31 - 1", "rpgTimeReset")          \
    P(T, UINT, byte_reset_bytes, NULL, "octets", "1 .. 2^31 - 1", "rpgByteReset")      \
    P(T, UINT, threshold, NULL, "stages", "0 .. 255", "rpgThreshold")                  \
    P(T, UINT, gd_exp, NULL, "-log2", "0 .. 63", "rpgGd")                              \
    P(T, UINT, min_dec_percent, NULL, "percent", "1 .. 100", "rpgMinDecFac")           \
    P(T, UINT, enable, NULL, "flag", "0 1", "rpgEnable")                               \
    P(T, ENUM, clamp_target, ROCECC_QCN_CLAMP_NAMES, "name", ROCECC_QCN_CLAMP_NAMES,   \
      "sources disagree")                                                              \
    P(T, ENUM, halve_in, ROCECC_QCN_HALVE_NAMES, "name", ROCECC_QCN_HALVE_NAMES,       \
      "sources disagree")                                                              \
    P(T, UINT, active_byte, NULL, "flag", "0 1", "sources disagree")                   \
    P(T, UINT, jitter, NULL, "flag", "0 1", "sources disagree")                        \
    P(T, UINT, release_needs_empty, NULL, "flag", "0 1", "sources are silent")

#define ROCECC_QCN_RP_STATE_FIELDS(F, T)                                               \
    F(T, UINT, rate_bps, NULL, 0, "bit/s", "current rate")                             \
    F(T, UINT, target_bps, NULL, 0, "bit/s", "target rate")                            \
    F(T, UINT, left_bytes, NULL, 0, "bytes", "octets until the next byte stage")       \
    F(T, UINT, byte_stage, NULL, 0, "stages", "stages by octets since the last CNM")   \
    F(T, UINT, time_stage, NULL, 0, "stages", "stages by time since the last CNM")     \
    F(T, ENUM, state, ROCECC_QCN_STATE_NAMES, 0, "", "phase of the rate increase")     \
    F(T, UINT, enabled, NULL, 0, "", "1 while the rate is limited")

#define ROCECC_QCN_RP_ACTION_FIELDS(F, T)                                              \
    F(T, UINT, rate_bps, NULL, 0, "bit/s", "sending rate from now on")                 \
    F(T, UINT, timer_ns, NULL, 0, "ns", "time until RpWhile expires")                  \
    F(T, BOOL, created, NULL, 0, "", "limiter created by this event")                  \
    F(T, BOOL, cut, NULL, 0, "", "rate cut by this event")                             \
    F(T, BOOL, released, NULL, 0, "", "limiter removed by this event")

#endif /* ROCECC_FIELDS_QCN_H */
