/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_UDP_H
#define ROCECC_FIELDS_UDP_H

/* udp.h - field tables for wire/udp.h, with rows as in field.h. */
#include "../wire/udp.h"

#define ROCECC_UDP_FIELDS(F, T)                                                        \
    F(T, UINT, src_port, NULL, 16, "", "source port, any value in RoCEv2")             \
    F(T, UINT, dst_port, NULL, 16, "", "")                                             \
    F(T, UINT, length, NULL, 16, "bytes", "length of header and data")                 \
    F(T, UINT, checksum, NULL, 16, "", "checksum, or 0 for none")

#endif /* ROCECC_FIELDS_UDP_H */
