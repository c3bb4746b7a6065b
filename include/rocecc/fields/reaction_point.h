/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_REACTION_POINT_H
#define ROCECC_FIELDS_REACTION_POINT_H

/*
 * reaction_point.h - field tables for role/reaction_point.h, with rows as in field.h.
 */
#include "../role/reaction_point.h"
#include "admission.h"
#include "icrc.h"

#define ROCECC_REACTION_VERDICT_NAMES                                                  \
    "not_a_cnp ordinary fast_plain fast_ioam suspicious unexpected_opcode malformed "  \
    "unsupported disabled access_denied bad_icrc bad_checksum rate_limited "           \
    "unexpected_tunnel bad_arrival source_is_receiver"

#define ROCECC_REACTION_REFUSAL_NAMES "accepted types domain limit rule"

#define ROCECC_REACTION_PEER_NAMES "unknown yes no"

#define ROCECC_REACTION_CONFIG_FIELDS(F, T)                                            \
    F(T, BOOL, fastcnp_enabled, NULL, 0, "", "accept Fast CNPs")                       \
    F(T, BOOL, tunnels, NULL, 0, "", "accept CNPs in IP-in-IP tunnels")                \
    F(T, BOOL, check_icrc, NULL, 0, "", "check the ICRC")                              \
    F(T, BOOL, ignore_udp_checksum, NULL, 0, "", "accept a wrong UDP checksum")        \
    F(T, BOOL, ordinary_listed, NULL, 0, "", "apply list and limits to ordinary CNPs") \
    F(T, ENUM, icrc_rule, ROCECC_ICRC_RULE_NAMES, 0, "", "rule for check_icrc")        \
    ROCECC_ADMISSION_MEMBER_FIELDS(F, T)

#define ROCECC_REACTION_KEY_FIELDS(F, T)                                               \
    F(T, IP6, remote, NULL, 128, "", "address of the flow's receiver")                 \
    F(T, UINT, remote_qp, NULL, 24, "", "QP number at the receiver")

#endif /* ROCECC_FIELDS_REACTION_POINT_H */
