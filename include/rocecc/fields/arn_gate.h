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
    F(T, BOOL, tunnels, NULL, 0, "", "accept ARNs in IP-in-IP tunnels")                \
    F(T, BOOL, any_hops, NULL, 0, "", "accept any number of hops left")                \
    F(T, BOOL, no_checksum, NULL, 0, "", "accept UDP checksum 0 over IPv4")            \
    F(T, IP6, group, NULL, 128, "", "multicast group to accept as destination")        \
    ROCECC_ADMISSION_MEMBER_FIELDS(F, T)

#endif /* ROCECC_FIELDS_ARN_GATE_H */
