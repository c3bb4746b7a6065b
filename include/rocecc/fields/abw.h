/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ABW_H
#define ROCECC_FIELDS_ABW_H

/* abw.h - field tables for algo/abw.h, with rows as in field.h. */
#include "../algo/abw.h"

#define ROCECC_ABW_REFUSAL_NAMES "accepted rate window"

#define ROCECC_ABW_PARAMS(P, T)                                                        \
    P(T, UINT, rate_bps, NULL, "bit/s", "1 .. 2^43 - 1", "host")                       \
    P(T, UINT, window_ns, NULL, "ns", "1000 .. 2^20", "SAI-CSIG, 4.5")

#define ROCECC_ABW_STATE_FIELDS(F, T)                                                  \
    F(T, UINT, start_ns, NULL, 0, "ns", "start of the current window")                 \
    F(T, UINT, available_bps, NULL, 0, "bit/s",                                        \
      "available bandwidth in the last complete window")                               \
    F(T, UINT, sent_bytes, NULL, 0, "bytes", "bytes sent in the current window")       \
    F(T, UINT, util_q20, NULL, 0, "2^-20", "utilisation in the last complete window")  \
    F(T, UINT, known, NULL, 0, "", "1 after the first complete window")

#endif /* ROCECC_FIELDS_ABW_H */
