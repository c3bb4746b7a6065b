/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ETHER_H
#define ROCECC_FIELDS_ETHER_H

/* ether.h - field tables for wire/ether.h, with rows as in field.h. */
#include "../wire/ether.h"

#define ROCECC_ETHER_FIELDS(F, T)                                                      \
    F(T, MAC, dst, NULL, 48, "", "")                                                   \
    F(T, MAC, src, NULL, 48, "", "")                                                   \
    F(T, UINT, type, NULL, 16, "", "type of the next header, or a length")

#define ROCECC_VLAN_FIELDS(F, T)                                                       \
    F(T, UINT, pcp, NULL, 3, "", "priority of the frame")                              \
    F(T, BOOL, dei, NULL, 1, "", "drop eligible indicator")                            \
    F(T, UINT, vid, NULL, 12, "", "VLAN identifier")                                   \
    F(T, UINT, type, NULL, 16, "", "type of the next header, or a length")

#define ROCECC_ETAG_FIELDS(F, T)                                                       \
    F(T, UINT, pcp, NULL, 3, "", "priority of the frame")                              \
    F(T, BOOL, dei, NULL, 1, "", "drop eligible indicator")                            \
    F(T, UINT, ingress_ecid_base, NULL, 12, "", "E-CID of the ingress port, low bits") \
    F(T, UINT, reserved, NULL, 2, "", "reserved bits")                                 \
    F(T, UINT, grp, NULL, 2, "", "kind of destination: 0 port, else group")            \
    F(T, UINT, ecid_base, NULL, 12, "", "E-CID of the destination, low bits")          \
    F(T, UINT, ingress_ecid_ext, NULL, 8, "", "E-CID of the ingress port, high bits")  \
    F(T, UINT, ecid_ext, NULL, 8, "", "E-CID of the destination, high bits")           \
    F(T, UINT, type, NULL, 16, "", "type of the next header, or a length")

#define ROCECC_VNTAG_FIELDS(F, T)                                                      \
    F(T, BOOL, d, NULL, 1, "", "direction from the bridge to the interface")           \
    F(T, BOOL, p, NULL, 1, "", "true: dst identifies a list of interfaces")            \
    F(T, UINT, dst, NULL, 14, "", "destination interface or list")                     \
    F(T, BOOL, l, NULL, 1, "", "frame looped back towards its source interface")       \
    F(T, BOOL, r, NULL, 1, "", "reserved bit")                                         \
    F(T, UINT, ver, NULL, 2, "", "version of the tag")                                 \
    F(T, UINT, src, NULL, 12, "", "source interface")                                  \
    F(T, UINT, type, NULL, 16, "", "type of the next header, or a length")

#define ROCECC_ARISTA_FIELDS(F, T)                                                     \
    F(T, UINT, subtype, NULL, 16, "", "subtype of the tag, 1 for a timestamp")         \
    F(T, UINT, version, NULL, 16, "", "width and time scale of the seconds")           \
    F(T, UINT, seconds, NULL, 32, "s", "seconds since 1970, or their low 16 bits")     \
    F(T, UINT, ns, NULL, 32, "ns", "nanoseconds within the second")                    \
    F(T, UINT, type, NULL, 16, "", "type of the next header, or a length")

#endif /* ROCECC_FIELDS_ETHER_H */
