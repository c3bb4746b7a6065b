/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_LSN_H
#define ROCECC_FIELDS_LSN_H

/* lsn.h - field tables for wire/lsn.h, with rows as in field.h. */
#include "../wire/lsn.h"

#define ROCECC_LSN_FIELDS(F, T)                                                        \
    F(T, UINT, version, NULL, 4, "", "version of the header")                          \
    F(T, UINT, hdr_len, NULL, 4, "words", "length of this header")                     \
    F(T, BOOL, ack, NULL, 1, "", "an ACK")                                             \
    F(T, BOOL, ece, NULL, 1, "", "it confirms packets with CE")                        \
    F(T, BOOL, read_response, NULL, 1, "", "the space of READ responses")              \
    F(T, BOOL, last, NULL, 1, "", "last packet of its message")                        \
    F(T, UINT, resv, NULL, 4, "", "reserved, ignored on receipt")                      \
    F(T, UINT, packet, NULL, 16, "", "number of the packet")                           \
    F(T, UINT, lsn, NULL, 32, "bytes", "number of its first byte")

#endif /* ROCECC_FIELDS_LSN_H */
