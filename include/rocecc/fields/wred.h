/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_WRED_H
#define ROCECC_FIELDS_WRED_H

/* wred.h - field tables for algo/wred.h, with rows as in field.h. */
#include "../algo/wred.h"

#define ROCECC_WRED_REFUSAL_NAMES                                                      \
    "accepted mark_order mark_pmax drop_order drop_pmax buf_max"

#define ROCECC_WRED_VERDICT_NAMES "pass mark drop"

#define ROCECC_WRED_REACH_NAMES "full partial none"

#define ROCECC_WRED_ECN_NAMES "not_ect ect1 ect0 ce"

#define ROCECC_RED_REFUSAL_NAMES "accepted weight thresholds maxp packet"

#define ROCECC_WRED_PARAMS(P, T)                                                       \
    P(T, UINT, mark.min_bytes, NULL, "bytes", "0 .. mark.max_bytes", "LDCP draft 2.1") \
    P(T, UINT, mark.max_bytes, NULL, "bytes", "0 .. 2^32 - 1", "LDCP draft 2.1")       \
    P(T, UINT, mark.pmax_q32, NULL, "2^-32", "0 .. 2^32", "LDCP draft 2.1")            \
    P(T, UINT, drop.min_bytes, NULL, "bytes", "0 .. drop.max_bytes", "LDCP draft 2.3") \
    P(T, UINT, drop.max_bytes, NULL, "bytes", "0 .. 2^32 - 1", "LDCP draft 2.3")       \
    P(T, UINT, drop.pmax_q32, NULL, "2^-32", "0 .. 2^32", "SAI")                       \
    P(T, UINT, buf_max_bytes, NULL, "bytes", "1 .. 2^32 - 1", "LDCP draft 2.1")

#define ROCECC_RED_PARAMS(P, T)                                                        \
    P(T, UINT, maxp_q32, NULL, "2^-32", "0 .. 2^32", "Floyd 1993")                     \
    P(T, UINT, min_bytes, NULL, "bytes", "0 .. max_bytes - 1", "Floyd 1993")           \
    P(T, UINT, max_bytes, NULL, "bytes", "1 .. 2^31 - 1", "Floyd 1993")                \
    P(T, UINT, packet_ns, NULL, "ns", "1 .. 2^32 - 1", "Floyd 1993")                   \
    P(T, UINT, weight_exp, NULL, "-log2", "1 .. 16", "Floyd 1993")                     \
    P(T, BOOL, gentle, NULL, "", "0 .. 1", "Floyd 2000")                               \
    P(T, BOOL, dpdk, NULL, "", "0 .. 1", "DPDK rte_red.h")                             \
    P(T, BOOL, hard_drop, NULL, "", "0 .. 1", "Linux net/sched/sch_red.c")

#define ROCECC_RED_STATE_FIELDS(F, T)                                                  \
    F(T, UINT, avg_q32, NULL, 0, "2^-32 bytes", "average queue length")                \
    F(T, UINT, count, NULL, 0, "packets", "packets since the last mark")               \
    F(T, UINT, idle_ns, NULL, 0, "ns", "start of idle time not yet applied")           \
    F(T, UINT, idle, NULL, 0, "", "1 while the queue is empty")

#endif /* ROCECC_FIELDS_WRED_H */
