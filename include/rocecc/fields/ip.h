/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_IP_H
#define ROCECC_FIELDS_IP_H

/* ip.h - field tables for wire/ip.h, with rows as in field.h. */
#include "../wire/ip.h"

#define ROCECC_IPV4_FIELDS(F, T)                                                       \
    F(T, UINT, dscp, NULL, 6, "", "Differentiated Services codepoint")                 \
    F(T, UINT, ecn, NULL, 2, "", "")                                                   \
    F(T, UINT, total_length, NULL, 16, "bytes", "length of header and data")           \
    F(T, UINT, identification, NULL, 16, "", "")                                       \
    F(T, BOOL, reserved, NULL, 1, "", "reserved flag")                                 \
    F(T, BOOL, df, NULL, 1, "", "Don't Fragment flag")                                 \
    F(T, BOOL, mf, NULL, 1, "", "More Fragments flag")                                 \
    F(T, UINT, fragment_offset, NULL, 13, "8 bytes",                                   \
      "offset in the original datagram's data")                                        \
    F(T, UINT, ttl, NULL, 8, "", "")                                                   \
    F(T, UINT, protocol, NULL, 8, "", "")                                              \
    F(T, UINT, header_checksum, NULL, 16, "", "")                                      \
    F(T, IP4, src, NULL, 32, "", "")                                                   \
    F(T, IP4, dst, NULL, 32, "", "")                                                   \
    F(T, VIEW, options, NULL, 0, "", "IPv4 options")

#define ROCECC_IPV6_FIELDS(F, T)                                                       \
    F(T, UINT, dscp, NULL, 6, "", "Differentiated Services codepoint")                 \
    F(T, UINT, ecn, NULL, 2, "", "")                                                   \
    F(T, UINT, flow_label, NULL, 20, "", "flow identifier for routers")                \
    F(T, UINT, payload_length, NULL, 16, "bytes",                                      \
      "length of all data after this header")                                          \
    F(T, UINT, next_header, NULL, 8, "", "")                                           \
    F(T, UINT, hop_limit, NULL, 8, "", "")                                             \
    F(T, IP6, src, NULL, 128, "", "")                                                  \
    F(T, IP6, dst, NULL, 128, "", "")

#define ROCECC_IP6FRAG_FIELDS(F, T)                                                    \
    F(T, UINT, next_header, NULL, 8, "", "")                                           \
    F(T, UINT, reserved, NULL, 8, "", "")                                              \
    F(T, UINT, fragment_offset, NULL, 13, "8 bytes",                                   \
      "offset in the original packet's fragmentable part")                             \
    F(T, UINT, res, NULL, 2, "", "reserved bits")                                      \
    F(T, BOOL, m, NULL, 1, "", "More Fragments flag")                                  \
    F(T, UINT, identification, NULL, 32, "", "")

#endif /* ROCECC_FIELDS_IP_H */
