/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_SRV6_PE_H
#define ROCECC_FIELDS_SRV6_PE_H

/* srv6_pe.h - field tables for role/srv6_pe.h, with rows as in field.h. */
#include "../role/srv6_pe.h"
#include "ecntunnel.h"

#define ROCECC_SRV6_PE_VERDICT_NAMES                                                   \
    "other forward host bad ecn_conflict no_hops_left not_cnp access_denied "          \
    "unexpected_upper bad_arrival bad_source bad_destination too_big"

#define ROCECC_SRV6_PE_REFUSAL_NAMES "accepted sid dscp types"

#define ROCECC_SRV6_VERDICT_NAMES                                                      \
    "other decapsulate segments_left broken no_tunnel not_ip nested"

#define ROCECC_SRV6_PE_CONFIG_FIELDS(F, T)                                             \
    F(T, IP6, end_con, NULL, 128, "", "SID of END.CON")                                \
    F(T, BOOL, compatibility, NULL, 0, "", "write Not-ECT to the outer header")        \
    F(T, BOOL, copy_dscp, NULL, 0, "", "copy the inner DSCP to the outer header")      \
    F(T, UINT, dscp, NULL, 6, "", "outer DSCP without copy_dscp")                      \
    F(T, BOOL, reduced, NULL, 0, "", "omit the first segment in SRHs")                 \
    F(T, BOOL, open, NULL, 0, "", "skip the strict checks of END.CON")

#endif /* ROCECC_FIELDS_SRV6_PE_H */
