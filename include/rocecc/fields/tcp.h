/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_TCP_H
#define ROCECC_FIELDS_TCP_H

/* tcp.h - field tables for wire/tcp.h, with rows as in field.h. */
#include "../wire/tcp.h"

#define ROCECC_TCP_FIELDS(F, T)                                                        \
    F(T, UINT, src_port, NULL, 16, "", "port of the sender")                           \
    F(T, UINT, dst_port, NULL, 16, "", "port of the receiver")                         \
    F(T, UINT, seq, NULL, 32, "", "number of the first byte")                          \
    F(T, UINT, ack, NULL, 32, "", "number expected next")                              \
    F(T, UINT, reserved, NULL, 4, "", "reserved, the lowest is AE")                    \
    F(T, UINT, flags, NULL, 8, "", "CWR ECE URG ACK PSH RST SYN FIN")                  \
    F(T, UINT, window, NULL, 16, "", "what the receiver has room for")                 \
    F(T, UINT, checksum, NULL, 16, "", "over pseudo-header and segment")               \
    F(T, UINT, urgent_pointer, NULL, 16, "bytes", "where urgent data ends")            \
    F(T, VIEW, options, NULL, 0, "", "40 bytes at most")

#endif /* ROCECC_FIELDS_TCP_H */
