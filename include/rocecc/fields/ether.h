/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ETHER_H
#define ROCECC_FIELDS_ETHER_H

/* ether.h - field tables for wire/ether.h, with rows as in field.h. */
#include "../wire/ether.h"

#define ROCECC_ETHER_FIELDS(F, T)                                                      \
    F(T, MAC, dst, NULL, 48, "", "station the frame is for")                           \
    F(T, MAC, src, NULL, 48, "", "station that sent it")                               \
    F(T, UINT, type, NULL, 16, "", "what follows, or a length")

#define ROCECC_VLAN_FIELDS(F, T)                                                       \
    F(T, UINT, pcp, NULL, 3, "", "priority")                                           \
    F(T, BOOL, dei, NULL, 1, "", "may be dropped first")                               \
    F(T, UINT, vid, NULL, 12, "", "number of the VLAN")                                \
    F(T, UINT, type, NULL, 16, "", "what follows")

#define ROCECC_ETAG_FIELDS(F, T)                                                       \
    F(T, UINT, pcp, NULL, 3, "", "priority")                                           \
    F(T, BOOL, dei, NULL, 1, "", "may be dropped first")                               \
    F(T, UINT, ingress_ecid_base, NULL, 12, "", "port that it came from: low bits")    \
    F(T, UINT, reserved, NULL, 2, "", "")                                              \
    F(T, UINT, grp, NULL, 2, "", "0: one port; else a group of them")                  \
    F(T, UINT, ecid_base, NULL, 12, "", "port or group that it is for: low bits")      \
    F(T, UINT, ingress_ecid_ext, NULL, 8, "", "port that it came from: high bits")     \
    F(T, UINT, ecid_ext, NULL, 8, "", "port or group that it is for: high bits")       \
    F(T, UINT, type, NULL, 16, "", "what follows")

#define ROCECC_VNTAG_FIELDS(F, T)                                                      \
    F(T, BOOL, d, NULL, 1, "", "from the bridge to the interface")                     \
    F(T, BOOL, p, NULL, 1, "", "dst is a list of interfaces")                          \
    F(T, UINT, dst, NULL, 14, "", "interface that it is for")                          \
    F(T, BOOL, l, NULL, 1, "", "back to the interface that it came from")              \
    F(T, BOOL, r, NULL, 1, "", "reserved")                                             \
    F(T, UINT, ver, NULL, 2, "", "version")                                            \
    F(T, UINT, src, NULL, 12, "", "interface that it came from")                       \
    F(T, UINT, type, NULL, 16, "", "what follows")

#define ROCECC_ARISTA_FIELDS(F, T)                                                     \
    F(T, UINT, subtype, NULL, 16, "", "1: a timestamp")                                \
    F(T, UINT, version, NULL, 16, "", "width of the seconds, and TAI or UTC")          \
    F(T, UINT, seconds, NULL, 32, "s", "since 1970; of 48 bits the low 16")            \
    F(T, UINT, ns, NULL, 32, "ns", "of the second")                                    \
    F(T, UINT, type, NULL, 16, "", "what follows")

#endif /* ROCECC_FIELDS_ETHER_H */
