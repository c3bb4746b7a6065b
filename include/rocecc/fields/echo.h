/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ECHO_H
#define ROCECC_FIELDS_ECHO_H

/* echo.h - field tables for wire/echo.h, with rows as in field.h. */
#include "../wire/echo.h"

#define ROCECC_ECHO_FORMAT_NAMES "ioam ifa intmd csig"

/* The fixed header. The PSN word (if R is set) and the record follow it. */
#define ROCECC_ECHO_HEADER_FIELDS(F, T)                                                \
    F(T, UINT, version, NULL, 4, "", "version of the echo format")                     \
    F(T, ENUM, format, ROCECC_ECHO_FORMAT_NAMES, 4, "", "format of the record")        \
    F(T, BOOL, truncated, NULL, 1, "", "record left out because of its length")        \
    F(T, BOOL, read_response, NULL, 1, "", "record from a READ response")              \
    F(T, UINT, resv, NULL, 14, "", "reserved bits")                                    \
    F(T, UINT, length, NULL, 8, "words", "length of the record")

#define ROCECC_ECHO_FIELDS(F, T)                                                       \
    ROCECC_ECHO_HEADER_FIELDS(F, T)                                                    \
    F(T, UINT, psn_resv, NULL, 0, "", "reserved bits before the PSN")                  \
    F(T, UINT, psn, NULL, 0, "", "PSN of the READ response")                           \
    F(T, VIEW, record, NULL, 0, "", "telemetry from the data packet, as received")

/* Names of the verdicts in role/echo.h. */
#define ROCECC_ECHO_RECEIVER_VERDICT_NAMES "none written truncated broken no_space"
#define ROCECC_ECHO_SENDER_VERDICT_NAMES                                               \
    "none hops tag truncated too_many_hops stray other_format unknown_format broken"

#endif /* ROCECC_FIELDS_ECHO_H */
