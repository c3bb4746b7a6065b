/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_KEYFLOW_H
#define ROCECC_FIELDS_KEYFLOW_H

/* keyflow.h - tables of algo/keyflow.h: rows as field.h has them. */
#include "../algo/keyflow.h"

#define ROCECC_KEYFLOW_REFUSAL_NAMES "accepted window"
#define ROCECC_KEYFLOW_VERDICT_NAMES "none key other"

#define ROCECC_KEYFLOW_PARAMS(P, T)                                                    \
    P(T, UINT, min_bytes, NULL, "bytes", "0 .. 2^32 - 1; 0: off", "host")              \
    P(T, UINT, window_ns, NULL, "ns", "1 .. 2^32 - 1", "host")

#define ROCECC_KEYFLOW_STATE_FIELDS(F, T)                                              \
    F(T, UINT, flow, NULL, 0, "", "the candidate")                                     \
    F(T, UINT, start_ns, NULL, 0, "ns", "when the count began")                        \
    F(T, UINT, ahead_bytes, NULL, 0, "bytes", "by which it is ahead of all others")

#endif /* ROCECC_FIELDS_KEYFLOW_H */
