/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_GRH_H
#define ROCECC_FIELDS_GRH_H

/* grh.h - field tables for wire/grh.h, with rows as in field.h. */
#include "../wire/grh.h"

#define ROCECC_GRH_FIELDS(F, T)                                                        \
    F(T, UINT, t_class, NULL, 8, "", "traffic class")                                  \
    F(T, UINT, flow_label, NULL, 20, "", "flow label")                                 \
    F(T, UINT, pay_len, NULL, 16, "bytes", "all after this header")                    \
    F(T, UINT, nxt_hdr, NULL, 8, "", "what follows, 0x1b the BTH")                     \
    F(T, UINT, hop_lmt, NULL, 8, "", "hops left")                                      \
    F(T, IP6, sgid, NULL, 128, "", "GID that sent it")                                 \
    F(T, IP6, dgid, NULL, 128, "", "GID it is for")

#endif /* ROCECC_FIELDS_GRH_H */
