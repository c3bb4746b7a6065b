/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_TCP_H
#define ROCECC_FIELDS_TCP_H

/* tcp.h - field tables for wire/tcp.h, with rows as in field.h. */
#include "../wire/tcp.h"

#define ROCECC_TCP_FIELDS(F, T)                                                        \
    F(T, UINT, src_port, NULL, 16, "", "")                                             \
    F(T, UINT, dst_port, NULL, 16, "", "")                                             \
    F(T, UINT, seq, NULL, 32, "", "")                                                  \
    F(T, UINT, ack, NULL, 32, "", "next sequence number expected")                     \
    F(T, UINT, reserved, NULL, 4, "", "reserved bits, with AE as the lowest")          \
    F(T, UINT, flags, NULL, 8, "", "CWR ECE URG ACK PSH RST SYN FIN")                  \
    F(T, UINT, window, NULL, 16, "", "receive window, before scaling")                 \
    F(T, UINT, checksum, NULL, 16, "", "")                                             \
    F(T, UINT, urgent_pointer, NULL, 16, "bytes", "offset of the end of urgent data")  \
    F(T, VIEW, options, NULL, 0, "", "options, at most 40 bytes")

#endif /* ROCECC_FIELDS_TCP_H */
