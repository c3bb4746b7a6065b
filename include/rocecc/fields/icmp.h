/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ICMP_H
#define ROCECC_FIELDS_ICMP_H

/* icmp.h - field tables for wire/icmp.h, with rows as in field.h. */
#include "../wire/icmp.h"

#define ROCECC_ICMP_FIELDS(F, T)                                                       \
    F(T, UINT, type, NULL, 8, "", "")                                                  \
    F(T, UINT, code, NULL, 8, "", "")                                                  \
    F(T, UINT, checksum, NULL, 16, "",                                                 \
      "checksum over the message (ICMPv6: with pseudo-header)")

#define ROCECC_ICMP_MESSAGE_FIELDS(F, T)                                               \
    F(T, UINT, type, NULL, 8, "", "")                                                  \
    F(T, UINT, code, NULL, 8, "", "")                                                  \
    F(T, UINT, checksum, NULL, 16, "",                                                 \
      "checksum over the message (ICMPv6: with pseudo-header)")                        \
    F(T, UINT, value, NULL, 32, "", "type-specific value, such as pointer or MTU")     \
    F(T, VIEW, packet, NULL, 0, "", "start of the packet that caused the error")

#endif /* ROCECC_FIELDS_ICMP_H */
