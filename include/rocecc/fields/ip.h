/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_IP_H
#define ROCECC_FIELDS_IP_H

/* ip.h - field tables for wire/ip.h, with rows as in field.h. */
#include "../wire/ip.h"

#define ROCECC_IPV4_FIELDS(F, T)                                                       \
    F(T, UINT, dscp, NULL, 6, "", "class of service")                                  \
    F(T, UINT, ecn, NULL, 2, "", "ECN codepoint")                                      \
    F(T, UINT, total_length, NULL, 16, "bytes", "header and data")                     \
    F(T, UINT, identification, NULL, 16, "", "number of the datagram")                 \
    F(T, BOOL, reserved, NULL, 1, "", "reserved")                                      \
    F(T, BOOL, df, NULL, 1, "", "do not fragment")                                     \
    F(T, BOOL, mf, NULL, 1, "", "more fragments follow")                               \
    F(T, UINT, fragment_offset, NULL, 13, "8 bytes", "where the fragment belongs")     \
    F(T, UINT, ttl, NULL, 8, "", "hops left")                                          \
    F(T, UINT, protocol, NULL, 8, "", "what follows")                                  \
    F(T, UINT, header_checksum, NULL, 16, "", "over this header")                      \
    F(T, IP4, src, NULL, 32, "", "address of the sender")                              \
    F(T, IP4, dst, NULL, 32, "", "address of the receiver")                            \
    F(T, VIEW, options, NULL, 0, "", "40 bytes at most")

#define ROCECC_IPV6_FIELDS(F, T)                                                       \
    F(T, UINT, dscp, NULL, 6, "", "class of service")                                  \
    F(T, UINT, ecn, NULL, 2, "", "ECN codepoint")                                      \
    F(T, UINT, flow_label, NULL, 20, "", "names the flow for routers")                 \
    F(T, UINT, payload_length, NULL, 16, "bytes", "all after this header")             \
    F(T, UINT, next_header, NULL, 8, "", "what follows")                               \
    F(T, UINT, hop_limit, NULL, 8, "", "hops left")                                    \
    F(T, IP6, src, NULL, 128, "", "address of the sender")                             \
    F(T, IP6, dst, NULL, 128, "", "address of the receiver")

#define ROCECC_IP6FRAG_FIELDS(F, T)                                                    \
    F(T, UINT, next_header, NULL, 8, "", "what follows")                               \
    F(T, UINT, reserved, NULL, 8, "", "reserved")                                      \
    F(T, UINT, fragment_offset, NULL, 13, "8 bytes", "where the fragment belongs")     \
    F(T, UINT, res, NULL, 2, "", "reserved")                                           \
    F(T, BOOL, m, NULL, 1, "", "more fragments follow")                                \
    F(T, UINT, identification, NULL, 32, "", "number of the datagram")

#endif /* ROCECC_FIELDS_IP_H */
