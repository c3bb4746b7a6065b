/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ICMP6_H
#define ROCECC_FIELDS_ICMP6_H

/* icmp6.h - tables of wire/icmp6.h: rows as field.h has them. */
#include "../wire/icmp6.h"

#define ROCECC_ICMP6_FIELDS(F, T)                                                      \
    F(T, UINT, type, NULL, 8, "", "what kind of message")                              \
    F(T, UINT, code, NULL, 8, "", "which case of it")                                  \
    F(T, UINT, checksum, NULL, 16, "", "over pseudo-header and message")

#define ROCECC_ICMP6_PROBLEM_FIELDS(F, T)                                              \
    F(T, UINT, code, NULL, 8, "", "which problem it is")                               \
    F(T, UINT, checksum, NULL, 16, "", "over pseudo-header and message")               \
    F(T, UINT, pointer, NULL, 32, "bytes", "where in the packet it is")                \
    F(T, VIEW, packet, NULL, 0, "", "the packet that has it")

#endif /* ROCECC_FIELDS_ICMP6_H */
