/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ARN_GATE_H
#define ROCECC_FIELDS_ARN_GATE_H

/* arn_gate.h - field tables for role/arn_gate.h, with rows as in field.h. */
#include "../role/arn_gate.h"
#include "admission.h"

#define ROCECC_ARN_GATE_VERDICT_NAMES                                                  \
    "not_an_arn taken malformed unsupported unexpected_tunnel bad_arrival "            \
    "too_few_hops access_denied bad_checksum rate_limited"

#define ROCECC_ARN_GATE_REFUSAL_NAMES "accepted port form group access limit"

#define ROCECC_ARN_GATE_CONFIG_FIELDS(F, T)                                            \
    F(T, BOOL, tunnels, NULL, 0, "", "ARNs may come in IP in IP")                      \
    F(T, BOOL, any_hops, NULL, 0, "", "from further than a neighbour, too")            \
    F(T, BOOL, no_checksum, NULL, 0, "", "over IPv4 without one, too")                 \
    F(T, IP6, group, NULL, 128, "", "ARNs may come to this group, too")                \
    ROCECC_ADMISSION_MEMBER_FIELDS(F, T)

#endif /* ROCECC_FIELDS_ARN_GATE_H */
