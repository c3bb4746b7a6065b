/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_SRV6_H
#define ROCECC_FIELDS_SRV6_H

/* srv6.h - field tables for wire/srv6.h, with rows as in field.h. */
#include "../wire/srv6.h"

#define ROCECC_SRH_FIELDS(F, T)                                                        \
    F(T, UINT, next_header, NULL, 8, "", "what follows")                               \
    F(T, UINT, segments_left, NULL, 8, "", "segments still to visit")                  \
    F(T, UINT, flags, NULL, 8, "", "none is assigned")                                 \
    F(T, UINT, tag, NULL, 16, "", "groups packets")                                    \
    F(T, VIEW, segments, NULL, 0, "", "addresses, the final one first")                \
    F(T, VIEW, tlvs, NULL, 0, "", "options after them")

#define ROCECC_SRV6_VALUES(F, T)                                                       \
    F(T, UINT, outer.dscp, NULL, 6, "", "class of service")                            \
    F(T, UINT, outer.ecn, NULL, 2, "", "ECN codepoint")                                \
    F(T, UINT, outer.flow_label, NULL, 20, "", "names the flow for routers")           \
    F(T, UINT, outer.payload_length, NULL, 16, "bytes", "all after this header")       \
    F(T, UINT, outer.next_header, NULL, 8, "", "what follows")                         \
    F(T, UINT, outer.hop_limit, NULL, 8, "", "hops left")                              \
    F(T, IP6, outer.src, NULL, 128, "", "address of the sender")                       \
    F(T, IP6, outer.dst, NULL, 128, "", "address of the receiver")                     \
    F(T, UINT, srh.next_header, NULL, 8, "", "what follows")                           \
    F(T, UINT, srh.segments_left, NULL, 8, "", "segments still to visit")              \
    F(T, UINT, srh.flags, NULL, 8, "", "none is assigned")                             \
    F(T, UINT, srh.tag, NULL, 16, "", "groups packets")                                \
    F(T, UINT, ip.version, NULL, 4, "", "version of the packet inside")                \
    F(T, UINT, ip.dscp, NULL, 6, "", "its class of service")                           \
    F(T, UINT, ip.ecn, NULL, 2, "", "its ECN codepoint")                               \
    F(T, UINT, ip.hops, NULL, 8, "", "its hops left")                                  \
    F(T, UINT, ip.bytes, NULL, 0, "bytes", "its length")

#define ROCECC_SRV6_FIELDS(F, T)                                                       \
    ROCECC_SRV6_VALUES(F, T)                                                           \
    F(T, VIEW, srh.segments, NULL, 0, "", "addresses, the final one first")            \
    F(T, VIEW, srh.tlvs, NULL, 0, "", "options after them")                            \
    F(T, VIEW, inner, NULL, 0, "", "the packet inside")

#endif /* ROCECC_FIELDS_SRV6_H */
