/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_LSN_H
#define ROCECC_FIELDS_LSN_H

/* lsn.h - field tables for wire/lsn.h, with rows as in field.h. */
#include "../wire/lsn.h"

#define ROCECC_LSN_FIELDS(F, T)                                                        \
    F(T, UINT, version, NULL, 4, "", "header version")                                 \
    F(T, UINT, hdr_len, NULL, 4, "words", "header length")                             \
    F(T, BOOL, ack, NULL, 1, "", "acknowledgement packet")                             \
    F(T, BOOL, ece, NULL, 1, "", "ECN-Echo for packets marked CE")                     \
    F(T, BOOL, read_response, NULL, 1, "", "LSN space of READ responses")              \
    F(T, BOOL, last, NULL, 1, "", "last data packet of its message")                   \
    F(T, UINT, resv, NULL, 4, "", "reserved bits")                                     \
    F(T, UINT, packet, NULL, 16, "", "number of the packet (ACK: next expected)")      \
    F(T, UINT, lsn, NULL, 32, "bytes", "number of the first byte (ACK: next expected)")

#endif /* ROCECC_FIELDS_LSN_H */
