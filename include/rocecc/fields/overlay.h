/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_OVERLAY_H
#define ROCECC_FIELDS_OVERLAY_H

/* overlay.h - field tables for wire/overlay.h and erspan.h, with rows as in field.h. */
#include "../wire/overlay.h"

/* Names of the tunnel types, in the order of rocecc_tunnel_type. */
#define ROCECC_TUNNELS(T)                                                              \
    T(none)                                                                            \
    T(vxlan)                                                                           \
    T(vxlan_gpe)                                                                       \
    T(geneve)                                                                          \
    T(gre)                                                                             \
    T(nvgre)                                                                           \
    T(erspan1)                                                                         \
    T(erspan2)                                                                         \
    T(erspan3)                                                                         \
    T(ethernet)                                                                        \
    T(mpls_udp)                                                                        \
    T(pseudowire)

#define ROCECC_VXLAN_FIELDS(F, T)                                                      \
    F(T, UINT, flags, NULL, 8, "", "flags: 0x08 (I) for a valid VNI")                  \
    F(T, UINT, reserved, NULL, 24, "", "reserved bits")                                \
    F(T, UINT, vni, NULL, 24, "", "virtual network identifier")                        \
    F(T, UINT, reserved2, NULL, 8, "", "")

#define ROCECC_GPE_FIELDS(F, T)                                                        \
    F(T, UINT, flags, NULL, 8, "", "flags: version, I, P, B, O")                       \
    F(T, UINT, reserved, NULL, 16, "", "")                                             \
    F(T, UINT, next_protocol, NULL, 8, "", "protocol after this header")               \
    F(T, UINT, vni, NULL, 24, "", "virtual network identifier")                        \
    F(T, UINT, reserved2, NULL, 8, "", "")

#define ROCECC_GENEVE_FIELDS(F, T)                                                     \
    F(T, UINT, ver, NULL, 2, "", "version of the header")                              \
    F(T, UINT, opt_len, NULL, 6, "words", "length of the options")                     \
    F(T, BOOL, o, NULL, 1, "", "control packet")                                       \
    F(T, BOOL, c, NULL, 1, "", "presence of critical options")                         \
    F(T, UINT, rsvd, NULL, 6, "", "reserved bits")                                     \
    F(T, UINT, protocol_type, NULL, 16, "", "EtherType of the inner packet")           \
    F(T, UINT, vni, NULL, 24, "", "virtual network identifier")                        \
    F(T, UINT, reserved, NULL, 8, "", "")

#define ROCECC_GRE_FIELDS(F, T)                                                        \
    F(T, UINT, flags, NULL, 16, "", "flags for optional words, and version")           \
    F(T, UINT, protocol, NULL, 16, "", "EtherType of the payload")

#define ROCECC_ERSPAN_FIELDS(F, T)                                                     \
    F(T, UINT, ver, NULL, 4, "", "version: 1 for II, 2 for III")                       \
    F(T, UINT, vlan, NULL, 12, "", "VLAN ID of the mirrored frame")                    \
    F(T, UINT, cos, NULL, 3, "", "priority of the mirrored frame")                     \
    F(T, UINT, en, NULL, 2, "", "tag type in II, frame integrity in III")              \
    F(T, BOOL, t, NULL, 1, "", "truncated copy of the frame")                          \
    F(T, UINT, session_id, NULL, 10, "", "identifier of the mirror session")

#define ROCECC_ERSPAN3_FIELDS(F, T)                                                    \
    F(T, UINT, sgt, NULL, 16, "", "security group tag of the frame")                   \
    F(T, BOOL, p, NULL, 1, "", "copy of an Ethernet frame")                            \
    F(T, UINT, ft, NULL, 5, "", "mirrored frame type: 0 Ethernet, 2 IP")               \
    F(T, UINT, hw_id, NULL, 6, "", "identifier of the mirroring engine")               \
    F(T, BOOL, d, NULL, 1, "", "copy of outgoing traffic")                             \
    F(T, UINT, gra, NULL, 2, "", "granularity of the timestamp")                       \
    F(T, BOOL, o, NULL, 1, "", "presence of 8 platform-specific bytes")

#define ROCECC_MPLS_FIELDS(F, T)                                                       \
    F(T, UINT, label, NULL, 20, "", "value of the label")                              \
    F(T, UINT, tc, NULL, 3, "", "traffic class")                                       \
    F(T, BOOL, s, NULL, 1, "", "bottom of the label stack")                            \
    F(T, UINT, ttl, NULL, 8, "", "")

#define ROCECC_PPPOE_FIELDS(F, T)                                                      \
    F(T, UINT, ver_type, NULL, 8, "", "version and type")                              \
    F(T, UINT, code, NULL, 8, "", "packet code: 0 for session data")                   \
    F(T, UINT, session_id, NULL, 16, "", "")                                           \
    F(T, UINT, length, NULL, 16, "bytes", "length of protocol and payload")            \
    F(T, UINT, protocol, NULL, 16, "", "PPP protocol of the payload")

#define ROCECC_CISCO_MD_FIELDS(F, T)                                                   \
    F(T, UINT, version, NULL, 8, "", "version of the metadata header")                 \
    F(T, UINT, length, NULL, 8, "", "length field of the metadata header")             \
    F(T, UINT, option, NULL, 16, "", "type of the option")                             \
    F(T, UINT, sgt, NULL, 16, "", "security group tag")                                \
    F(T, UINT, type, NULL, 16, "", "EtherType of the next header")

#endif /* ROCECC_FIELDS_OVERLAY_H */
