/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ETHER_H
#define ROCECC_FIELDS_ETHER_H

/* ether.h - tables of wire/ether.h: rows as field.h has them. */
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

#endif /* ROCECC_FIELDS_ETHER_H */
