/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_UDP_H
#define ROCECC_FIELDS_UDP_H

/* udp.h - field tables for wire/udp.h, with rows as in field.h. */
#include "../wire/udp.h"

#define ROCECC_UDP_FIELDS(F, T)                                                        \
    F(T, UINT, src_port, NULL, 16, "", "port of the sender")                           \
    F(T, UINT, dst_port, NULL, 16, "", "port of the receiver")                         \
    F(T, UINT, length, NULL, 16, "bytes", "header and data")                           \
    F(T, UINT, checksum, NULL, 16, "", "over pseudo-header and datagram")

#endif /* ROCECC_FIELDS_UDP_H */
