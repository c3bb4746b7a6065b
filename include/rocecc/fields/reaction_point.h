/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_REACTION_POINT_H
#define ROCECC_FIELDS_REACTION_POINT_H

/* reaction_point.h - tables of role/reaction_point.h: rows as field.h has them. */
#include "../role/reaction_point.h"
#include "icrc.h"

#define ROCECC_REACTION_VERDICT_NAMES                                                  \
    "not_a_cnp ordinary fast_plain fast_ioam suspicious unexpected_opcode malformed "  \
    "unsupported "                                                                     \
    "disabled bad_source access_denied bad_icrc rate_limited unexpected_tunnel "       \
    "bad_destination segments_left source_is_receiver"

#define ROCECC_REACTION_REFUSAL_NAMES "accepted types domain limit rule"

#define ROCECC_REACTION_PEER_NAMES "unknown yes no"

#define ROCECC_REACTION_CONFIG_FIELDS(F, T)                                            \
    F(T, BOOL, fastcnp_enabled, NULL, 0, "", "take Fast CNPs")                         \
    F(T, BOOL, tunnels, NULL, 0, "", "CNPs may come in IP in IP")                      \
    F(T, BOOL, check_icrc, NULL, 0, "", "the NIC has not checked the ICRC")            \
    F(T, ENUM, icrc_rule, ROCECC_ICRC_RULE_NAMES, 0, "", "what the ICRC covers")       \
    F(T, BOOL, unlimited, NULL, 0, "", "limit does not hold")                          \
    F(T, UINT, limit.rate_per_s, NULL, 0, "1/s", "Fast CNPs of all sources")           \
    F(T, UINT, limit.burst, NULL, 0, "CNPs", "at once, at most")                       \
    F(T, UINT, source_limit.rate_per_s, NULL, 0, "1/s", "those with the same tag")     \
    F(T, UINT, source_limit.burst, NULL, 0, "CNPs", "at once, at most")                \
    F(T, BOOL, ordinary_listed, NULL, 0, "", "ordinary CNPs by the list, too")         \
    F(T, UINT, ordinary_limit.rate_per_s, NULL, 0, "1/s", "ordinary CNPs, 0: any")     \
    F(T, UINT, ordinary_limit.burst, NULL, 0, "CNPs", "at once, at most")

#define ROCECC_REACTION_KEY_FIELDS(F, T)                                               \
    F(T, IP6, remote, NULL, 128, "", "the flow's receiver")                            \
    F(T, UINT, remote_qp, NULL, 24, "", "and its queue pair there")

#endif /* ROCECC_FIELDS_REACTION_POINT_H */
