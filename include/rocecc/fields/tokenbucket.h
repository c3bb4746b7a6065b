/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_TOKENBUCKET_H
#define ROCECC_FIELDS_TOKENBUCKET_H

/* tokenbucket.h - field tables for guard/tokenbucket.h, with rows as in field.h. */
#include "../guard/tokenbucket.h"

#define ROCECC_TOKENBUCKET_REFUSAL_NAMES "accepted rate burst"

#define ROCECC_TOKENBUCKET_PARAMS(P, T)                                                \
    P(T, UINT, rate_per_s, NULL, "1/s", "1 .. 2^64 - 1", "host")                       \
    P(T, UINT, burst, NULL, "tokens", "1 .. 2^32 - 1", "host")

#define ROCECC_TOKENBUCKET_STATE_FIELDS(F, T)                                          \
    F(T, UINT, level_e9, NULL, 0, "1e-9", "number of tokens in the bucket")            \
    F(T, UINT, last_ns, NULL, 0, "ns", "time of the last fill")

#endif /* ROCECC_FIELDS_TOKENBUCKET_H */
