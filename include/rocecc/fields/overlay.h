/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_OVERLAY_H
#define ROCECC_FIELDS_OVERLAY_H

/* overlay.h - field tables for wire/overlay.h, with rows as in field.h. */
#include "../wire/overlay.h"

/* The name of each rocecc_tunnel_type, in its order. */
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
    F(T, UINT, flags, NULL, 8, "", "0x08: the VNI is valid")                           \
    F(T, UINT, reserved, NULL, 24, "", "reserved")                                     \
    F(T, UINT, vni, NULL, 24, "", "which virtual network")                             \
    F(T, UINT, reserved2, NULL, 8, "", "reserved")

#define ROCECC_GPE_FIELDS(F, T)                                                        \
    F(T, UINT, flags, NULL, 8, "", "version and I P B O")                              \
    F(T, UINT, reserved, NULL, 16, "", "reserved")                                     \
    F(T, UINT, next_protocol, NULL, 8, "", "what follows")                             \
    F(T, UINT, vni, NULL, 24, "", "which virtual network")                             \
    F(T, UINT, reserved2, NULL, 8, "", "reserved")

#define ROCECC_GENEVE_FIELDS(F, T)                                                     \
    F(T, UINT, ver, NULL, 2, "", "version")                                            \
    F(T, UINT, opt_len, NULL, 6, "words", "length of the options")                     \
    F(T, BOOL, o, NULL, 1, "", "a control packet")                                     \
    F(T, BOOL, c, NULL, 1, "", "an option is critical")                                \
    F(T, UINT, rsvd, NULL, 6, "", "reserved")                                          \
    F(T, UINT, protocol_type, NULL, 16, "", "what follows")                            \
    F(T, UINT, vni, NULL, 24, "", "which virtual network")                             \
    F(T, UINT, reserved, NULL, 8, "", "reserved")

#define ROCECC_GRE_FIELDS(F, T)                                                        \
    F(T, UINT, flags, NULL, 16, "", "which words follow, and version")                 \
    F(T, UINT, protocol, NULL, 16, "", "what follows")

#define ROCECC_ERSPAN_FIELDS(F, T)                                                     \
    F(T, UINT, ver, NULL, 4, "", "1 is type II, 2 III")                                \
    F(T, UINT, vlan, NULL, 12, "", "VLAN of the frame copied")                         \
    F(T, UINT, cos, NULL, 3, "", "its priority")                                       \
    F(T, UINT, en, NULL, 2, "", "its tag, III: its state")                             \
    F(T, BOOL, t, NULL, 1, "", "the copy is cut")                                      \
    F(T, UINT, session_id, NULL, 10, "", "which mirror session")

#define ROCECC_ERSPAN3_FIELDS(F, T)                                                    \
    F(T, UINT, sgt, NULL, 16, "", "security group tag")                                \
    F(T, BOOL, p, NULL, 1, "", "an Ethernet frame was copied")                         \
    F(T, UINT, ft, NULL, 5, "", "what kind of frame")                                  \
    F(T, UINT, hw_id, NULL, 6, "", "which engine copied it")                           \
    F(T, BOOL, d, NULL, 1, "", "outgoing traffic was copied")                          \
    F(T, UINT, gra, NULL, 2, "", "unit of the timestamp")                              \
    F(T, BOOL, o, NULL, 1, "", "8 more bytes follow")

#define ROCECC_MPLS_FIELDS(F, T)                                                       \
    F(T, UINT, label, NULL, 20, "", "which label")                                     \
    F(T, UINT, tc, NULL, 3, "", "traffic class")                                       \
    F(T, BOOL, s, NULL, 1, "", "the last of the stack")                                \
    F(T, UINT, ttl, NULL, 8, "", "hops left")

#define ROCECC_PPPOE_FIELDS(F, T)                                                      \
    F(T, UINT, ver_type, NULL, 8, "", "0x11")                                          \
    F(T, UINT, code, NULL, 8, "", "0: a session's data")                               \
    F(T, UINT, session_id, NULL, 16, "", "which session")                              \
    F(T, UINT, length, NULL, 16, "bytes", "all after this member")                     \
    F(T, UINT, protocol, NULL, 16, "", "what follows")

#define ROCECC_CISCO_MD_FIELDS(F, T)                                                   \
    F(T, UINT, version, NULL, 8, "", "version of the header")                          \
    F(T, UINT, length, NULL, 8, "", "length of the header")                            \
    F(T, UINT, option, NULL, 16, "", "kind of option")                                 \
    F(T, UINT, sgt, NULL, 16, "", "security group tag")                                \
    F(T, UINT, type, NULL, 16, "", "what follows")

#endif /* ROCECC_FIELDS_OVERLAY_H */
