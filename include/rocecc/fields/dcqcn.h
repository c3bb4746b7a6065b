/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_DCQCN_H
#define ROCECC_FIELDS_DCQCN_H

/*
 * dcqcn.h - field tables for algo/dcqcn.h and dcqcn_timed.h, with rows as in field.h.
 */
#include "../algo/dcqcn_timed.h"

#define ROCECC_DCQCN_STAGE_RULE_NAMES "paper figure qau ns3"

#define ROCECC_DCQCN_FLAG_NAMES "active alpha cut recent"

#define ROCECC_DCQCN_TIMER_NAMES "alpha cut increase"

#define ROCECC_DCQCN_REFUSAL_NAMES                                                     \
    "accepted line_bps min_bps g_q20 alpha_timer_ns alpha_init_q20 cut_interval_ns "   \
    "cut_shift min_dec_q20 fast_recovery_stages increase_timer_ns ai_bps hai_bps "     \
    "first_cnp_bps release_bps stage_rule restart_bps"

#define ROCECC_DCQCN_PARAMS(P, T)                                                      \
    P(T, UINT, g_q20, NULL, "2^-20", "2^10 .. 2^20", "g; dce_tcp_g")                   \
    P(T, UINT, alpha_timer_ns, NULL, "ns", "1 .. 2^31 - 1", "K; dce_tcp_rtt")          \
    P(T, UINT, alpha_init_q20, NULL, "2^-20", "0 .. 2^20",                             \
      "alpha_0; initial_alpha_value")                                                  \
    P(T, UINT, cut_interval_ns, NULL, "ns", "0 .. 2^31 - 1, periodic: not 0",          \
      "rate_reduce_monitor_period")                                                    \
    P(T, INT, cut_shift, NULL, "bits", "-9 .. 1", "rpg_gd - 10")                       \
    P(T, UINT, min_dec_q20, NULL, "2^-20", "0 .. 2^20", "rpg_min_dec_fac")             \
    P(T, UINT, min_bps, NULL, "bit/s", "1 .. line_bps", "R_min; rpg_min_rate")         \
    P(T, UINT, line_bps, NULL, "bit/s", "1 .. 2^43 - 1", "R_max; rpg_max_rate")        \
    P(T, UINT, fast_recovery_stages, NULL, "stages", "0 .. 254", "F; rpg_threshold")   \
    P(T, UINT, increase_timer_ns, NULL, "ns", "1 .. 2^31 - 1", "T; rpg_time_reset")    \
    P(T, UINT, byte_counter_bytes, NULL, "bytes", "0 (off) .. 2^32 - 1",               \
      "B; rpg_byte_reset")                                                             \
    P(T, UINT, ai_bps, NULL, "bit/s", "1 .. 2^43 - 1", "R_AI; rpg_ai_rate")            \
    P(T, UINT, hai_bps, NULL, "bit/s", "1 .. 2^43 - 1", "R_HAI; rpg_hai_rate")         \
    P(T, UINT, clamp_target, NULL, "flag", "0 1", "clamp_tgt_rate")                    \
    P(T, UINT, clamp_target_after_time, NULL, "flag", "0 1",                           \
      "clamp_tgt_rate_after_time_inc")                                                 \
    P(T, UINT, first_cnp_bps, NULL, "bit/s", "0 (none), min_bps .. line_bps",          \
      "rate_to_set_on_first_cnp")                                                      \
    P(T, UINT, release_bps, NULL, "bit/s", "0 (never), min_bps .. line_bps",           \
      "NVIDIA releases; where is not documented")                                      \
    P(T, ENUM, stage_rule, ROCECC_DCQCN_STAGE_RULE_NAMES, "name",                      \
      ROCECC_DCQCN_STAGE_RULE_NAMES, "sources disagree")                               \
    P(T, UINT, hai_flat, NULL, "flag", "0 1", "sources disagree")                      \
    P(T, UINT, alpha_first, NULL, "flag", "0 1", "sources disagree")                   \
    P(T, UINT, periodic, NULL, "flag", "0 1", "sources disagree")                      \
    P(T, UINT, restart_bps, NULL, "bit/s", "0 (off), min_bps .. line_bps",             \
      "roce_slow_restart_en, whose rate is not documented")

#define ROCECC_DCQCN_STATE_FIELDS(F, T)                                                \
    F(T, UINT, rate_bps, NULL, 0, "bit/s", "current rate")                             \
    F(T, UINT, target_bps, NULL, 0, "bit/s", "target rate")                            \
    F(T, UINT, alpha_q31, NULL, 0, "2^-31",                                            \
      "congestion estimate before pending decays")                                     \
    F(T, UINT, sent_bytes, NULL, 0, "bytes",                                           \
      "bytes counted towards the next byte stage")                                     \
    F(T, UINT, time_stages, NULL, 0, "stages", "stages by time since the last cut")    \
    F(T, UINT, byte_stages, NULL, 0, "stages", "stages by bytes since the last cut")   \
    F(T, UINT, decays, NULL, 0, "alpha timers",                                        \
      "alpha-timer expiries not yet applied to alpha")                                 \
    F(T, SET, flags, ROCECC_DCQCN_FLAG_NAMES, 0, "", "state flags of the flow")

/*
 * Rows for rocecc_dcqcn_timed. They follow the rows of ROCECC_DCQCN_STATE_FIELDS for
 * its member `flow`.
 */
#define ROCECC_DCQCN_TIMED_FIELDS(F, T)                                                \
    F(T, UINT, last_ns, NULL, 0, "ns", "time of the last call")                        \
    F(T, UINT, alpha_left_ns, NULL, 0, "ns", "time until the alpha timer expires")     \
    F(T, UINT, flow.cut_left_ns, NULL, 0, "ns", "time until the cut timer expires")    \
    F(T, UINT, increase_left_ns, NULL, 0, "ns", "time until the increase timer expires")

#define ROCECC_DCQCN_ACTION_FIELDS(F, T)                                               \
    F(T, UINT, rate_bps, NULL, 0, "bit/s", "sending rate from now on")                 \
    F(T, SET, arm, ROCECC_DCQCN_TIMER_NAMES, 0, "", "timers to start or restart")      \
    F(T, SET, stop, ROCECC_DCQCN_TIMER_NAMES, 0, "", "timers to stop, if running")     \
    F(T, BOOL, cut, NULL, 0, "", "rate cut by this event")                             \
    F(T, BOOL, released, NULL, 0, "", "limiter removed by this event")

#endif /* ROCECC_FIELDS_DCQCN_H */
