/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ICMP_H
#define ROCECC_FIELDS_ICMP_H

/* icmp.h - field tables for wire/icmp.h, with rows as in field.h. */
#include "../wire/icmp.h"

#define ROCECC_ICMP_FIELDS(F, T)                                                       \
    F(T, UINT, type, NULL, 8, "", "what kind of message")                              \
    F(T, UINT, code, NULL, 8, "", "which case of it")                                  \
    F(T, UINT, checksum, NULL, 16, "", "over the message; ICMPv6: a pseudo-header too")

#define ROCECC_ICMP_MESSAGE_FIELDS(F, T)                                               \
    F(T, UINT, type, NULL, 8, "", "what kind of error")                                \
    F(T, UINT, code, NULL, 8, "", "which case of it")                                  \
    F(T, UINT, checksum, NULL, 16, "",                                                 \
      "over the message; ICMPv6: a pseudo-header too")                                 \
    F(T, UINT, value, NULL, 32, "", "pointer, MTU, or unused")                         \
    F(T, VIEW, packet, NULL, 0, "", "the start of the packet that has the error")

#endif /* ROCECC_FIELDS_ICMP_H */
