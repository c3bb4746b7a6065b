/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_SRV6_H
#define ROCECC_FIELDS_SRV6_H

/* srv6.h - field tables for wire/srv6.h, with rows as in field.h. */
#include "../wire/srv6.h"

#define ROCECC_SRH_FIELDS(F, T)                                                        \
    F(T, UINT, next_header, NULL, 8, "", "")                                           \
    F(T, UINT, segments_left, NULL, 8, "", "number of segments still to visit")        \
    F(T, UINT, flags, NULL, 8, "", "flags: 0x20 for O (OAM)")                          \
    F(T, UINT, tag, NULL, 16, "", "tag of a group of packets")                         \
    F(T, VIEW, segments, NULL, 0, "", "segment list, final segment first")             \
    F(T, VIEW, tlvs, NULL, 0, "", "optional TLVs after the segment list")

#define ROCECC_SRV6_VALUES(F, T)                                                       \
    F(T, UINT, outer.dscp, NULL, 6, "", "Differentiated Services codepoint")           \
    F(T, UINT, outer.ecn, NULL, 2, "", "")                                             \
    F(T, UINT, outer.flow_label, NULL, 20, "", "flow identifier for routers")          \
    F(T, UINT, outer.payload_length, NULL, 16, "bytes",                                \
      "length of all data after this header")                                          \
    F(T, UINT, outer.next_header, NULL, 8, "", "")                                     \
    F(T, UINT, outer.hop_limit, NULL, 8, "", "")                                       \
    F(T, IP6, outer.src, NULL, 128, "", "")                                            \
    F(T, IP6, outer.dst, NULL, 128, "", "")                                            \
    F(T, UINT, srh.next_header, NULL, 8, "", "")                                       \
    F(T, UINT, srh.segments_left, NULL, 8, "", "number of segments still to visit")    \
    F(T, UINT, srh.flags, NULL, 8, "", "flags: 0x20 for O (OAM)")                      \
    F(T, UINT, srh.tag, NULL, 16, "", "tag of a group of packets")                     \
    F(T, UINT, ip.version, NULL, 4, "", "IP version")                                  \
    F(T, UINT, ip.dscp, NULL, 6, "", "Differentiated Services codepoint")              \
    F(T, UINT, ip.ecn, NULL, 2, "", "")                                                \
    F(T, UINT, ip.hops, NULL, 8, "", "TTL or Hop Limit")                               \
    F(T, UINT, ip.bytes, NULL, 0, "bytes", "length of the packet, header and data")

#define ROCECC_SRV6_FIELDS(F, T)                                                       \
    ROCECC_SRV6_VALUES(F, T)                                                           \
    F(T, VIEW, srh.segments, NULL, 0, "", "segment list, final segment first")         \
    F(T, VIEW, srh.tlvs, NULL, 0, "", "optional TLVs after the segment list")          \
    F(T, VIEW, inner, NULL, 0, "", "inner packet")

#endif /* ROCECC_FIELDS_SRV6_H */
