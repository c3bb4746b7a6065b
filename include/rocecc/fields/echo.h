/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ECHO_H
#define ROCECC_FIELDS_ECHO_H

/* echo.h - field tables for wire/echo.h, with rows as in field.h. */
#include "../wire/echo.h"

#define ROCECC_ECHO_FORMAT_NAMES "ioam ifa intmd csig"

/* The header; the record is the bytes after it. */
#define ROCECC_ECHO_HEADER_FIELDS(F, T)                                                \
    F(T, UINT, version, NULL, 4, "", "version of the echo")                            \
    F(T, ENUM, format, ROCECC_ECHO_FORMAT_NAMES, 4, "", "of the record")               \
    F(T, BOOL, truncated, NULL, 1, "", "the record is left out: it was too long")      \
    F(T, BOOL, read_response, NULL, 1, "", "of a READ response, whose PSN follows")    \
    F(T, UINT, resv, NULL, 14, "", "reserved, ignored on receipt")                     \
    F(T, UINT, length, NULL, 8, "words", "of the record")

#define ROCECC_ECHO_FIELDS(F, T)                                                       \
    ROCECC_ECHO_HEADER_FIELDS(F, T)                                                    \
    F(T, UINT, psn_resv, NULL, 0, "", "with R: reserved, ignored on receipt")          \
    F(T, UINT, psn, NULL, 0, "", "with R: of the READ response, 24 bits")              \
    F(T, VIEW, record, NULL, 0, "", "as it came in the packet of data")

/* rocecc_echo_receiver_verdict and rocecc_echo_sender_verdict, of role/echo.h. */
#define ROCECC_ECHO_RECEIVER_VERDICT_NAMES "none written truncated broken no_space"
#define ROCECC_ECHO_SENDER_VERDICT_NAMES                                               \
    "none hops tag truncated too_many_hops stray other_format unknown_format broken"

#endif /* ROCECC_FIELDS_ECHO_H */
