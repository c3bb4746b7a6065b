/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_QPN_H
#define ROCECC_FIELDS_QPN_H

/*
 * qpn.h - field tables for role/qpn.h and guard/qpnlearner.h, with rows as in field.h.
 */
#include "../role/qpn.h"

#define ROCECC_QPN_VERDICT_NAMES                                                       \
    "other learned malformed unsupported unexpected_tunnel bad_address access_denied"

#define ROCECC_QPNLEARNER_OUTCOME_NAMES                                                \
    "stray asked answered repeated forgotten learned disputed full"

#define ROCECC_QPNLEARNER_REFUSAL_NAMES "accepted secret half known expiry"

#define ROCECC_QPNLEARNER_PARAMS_FIELDS(F, T)                                          \
    F(T, HEX, secret[0], NULL, 0, "", "secret key of the hash")                        \
    F(T, HEX, secret[1], NULL, 0, "", "secret key of the hash")                        \
    F(T, UINT, half, NULL, 0, "", "number of slots for unfinished connections")        \
    F(T, UINT, known, NULL, 0, "", "number of slots for learned connections")          \
    F(T, UINT, half_ns, NULL, 0, "ns", "time limit between messages")                  \
    F(T, UINT, known_ns, NULL, 0, "ns", "lifetime of a learned connection")

#endif /* ROCECC_FIELDS_QPN_H */
