/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_HPCC_H
#define ROCECC_FIELDS_HPCC_H

/* hpcc.h - field tables for algo/hpcc.h and hpcc_window.h, with rows as in field.h. */
#include "../algo/hpcc.h"

#define ROCECC_HPCC_SIGNAL_NAMES "none utilisation delay drain"

#define ROCECC_HPCC_VERDICT_NAMES "ignored started reacted updated blind other_path"

#define ROCECC_HPCC_FLAG_NAMES                                                         \
    "marked rising untouched host_timed clock_odd next_path sprayed"

#define ROCECC_HPCC_ECN_NAMES "unknown unmarked marked"

#define ROCECC_HOP_ITEM_NAMES "id rate queue tx ts util"

#define ROCECC_HPCC_REFUSAL_NAMES                                                      \
    "accepted base_rtt_ns eta_q20 w_min_bytes w_init_bytes w_max_bytes w_ai_q8 "       \
    "max_hops ts_mod_ns tx_mod_bytes dt_max_ns fastest_bps reorder_ns "                \
    "queue_max_bytes w_blind_bytes tick_max_ns"

#define ROCECC_HPCC_PARAMS(P, T)                                                       \
    P(T, UINT, base_rtt_ns, NULL, "ns", "1000 .. 10^9", "T; HPCC 4, simulations")      \
    P(T, UINT, eta_q20, NULL, "2^-20", "1 .. 2^20", "eta; HPCC 3.3")                   \
    P(T, UINT, max_stage, NULL, "rounds", "0 .. 255", "maxStage; sources disagree")    \
    P(T, UINT, w_ai_q8, NULL, "2^-8 bytes", "0 .. below w_max_bytes", "W_AI")          \
    P(T, UINT, w_init_bytes, NULL, "bytes", "w_min_bytes .. w_max_bytes", "W_init")    \
    P(T, UINT, w_max_bytes, NULL, "bytes", "W_max / T below 2^43 bit/s", "W_max")      \
    P(T, UINT, w_min_bytes, NULL, "bytes", "1 .. w_init_bytes", "W_min")               \
    P(T, UINT, u_init_q20, NULL, "2^-20", "0 .. 2^32 - 1", "U_init")                   \
    P(T, UINT, max_hops, NULL, "hops", "1 .. 16", "HPCC++ 2: often no more than 5")    \
    P(T, UINT, ts_mod_ns, NULL, "ns", "0 (2^64), above dt_max + reorder", "telemetry") \
    P(T, UINT, tx_mod_bytes, NULL, "bytes", "0 (2^64), above fastest dt_max",          \
      "telemetry")                                                                     \
    P(T, UINT, dt_max_ns, NULL, "ns", "base_rtt_ns .. 10^9", "host")                   \
    P(T, UINT, pd_base_ns, NULL, "ns", "0 .. 2^32 - 1", "CSIG: per-hop delay, idle")   \
    P(T, UINT, fastest_bps, NULL, "bit/s", "1 .. below 2^43", "the fastest link")      \
    P(T, UINT, reorder_ns, NULL, "ns", "1 .. dt_max_ns", "how late a report may be")   \
    P(T, UINT, queue_max_bytes, NULL, "bytes", "1 .. 2^32 - 1", "the largest buffer")  \
    P(T, UINT, w_blind_bytes, NULL, "bytes", "w_min_bytes .. w_init_bytes", "W_blind") \
    P(T, UINT, tick_max_ns, NULL, "ns", "0 (T/8), 1 .. T", "the clocks of hops")

#define ROCECC_HPCC_STATE_FIELDS(F, T)                                                 \
    F(T, UINT, window_q20, NULL, 0, "2^-20 bytes", "current window")                   \
    F(T, UINT, reference_q20, NULL, 0, "2^-20 bytes", "reference window")              \
    F(T, UINT, u_q32, NULL, 0, "2^-32", "utilisation of the path")                     \
    F(T, UINT, update_seq, NULL, 0, "", "snd_nxt at the start of the round")           \
    F(T, UINT, changed_ns, NULL, 0, "ns", "time of the last telemetry used")           \
    F(T, UINT, stage, NULL, 0, "rounds",                                               \
      "additive rounds since the last multiplicative round")                           \
    F(T, UINT, hops, NULL, 0, "", "number of recorded hops")                           \
    F(T, UINT, blind, NULL, 0, "rounds", "consecutive rounds without a whole report")  \
    F(T, SET, flags, ROCECC_HPCC_FLAG_NAMES, 0, "", "state flags of the flow")

#define ROCECC_HPCC_WINDOW_FIELDS(F, T)                                                \
    F(T, UINT, rate_bps, NULL, 0, "bit/s", "pacing rate")                              \
    F(T, UINT, window_bytes, NULL, 0, "bytes", "limit of wire bytes in flight")        \
    F(T, ENUM, verdict, ROCECC_HPCC_VERDICT_NAMES, 0, "", "result of the event")

#define ROCECC_HPCC_ACTION_FIELDS(F, T)                                                \
    ROCECC_HPCC_WINDOW_FIELDS(F, T)                                                    \
    F(T, UINT, missed, NULL, 0, "hops", "hops that were not measured")

#define ROCECC_HPCC_CSIG_ACTION_FIELDS(F, T)                                           \
    ROCECC_HPCC_WINDOW_FIELDS(F, T)                                                    \
    F(T, ENUM, request, ROCECC_HPCC_SIGNAL_NAMES, 0, "", "CSIG signal to request next")

#endif /* ROCECC_FIELDS_HPCC_H */
