/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_GRH_H
#define ROCECC_FIELDS_GRH_H

/* grh.h - field tables for wire/grh.h, with rows as in field.h. */
#include "../wire/grh.h"

#define ROCECC_GRH_FIELDS(F, T)                                                        \
    F(T, UINT, t_class, NULL, 8, "", "")                                               \
    F(T, UINT, flow_label, NULL, 20, "", "flow identifier for routers")                \
    F(T, UINT, pay_len, NULL, 16, "bytes", "length from BTH through ICRC")             \
    F(T, UINT, nxt_hdr, NULL, 8, "", "type of the next header")                        \
    F(T, UINT, hop_lmt, NULL, 8, "", "")                                               \
    F(T, IP6, sgid, NULL, 128, "", "global identifier of the source")                  \
    F(T, IP6, dgid, NULL, 128, "", "global identifier of the destination")

#endif /* ROCECC_FIELDS_GRH_H */
