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
    F(T, IP6, end_con, NULL, 128, "", "the SID to which Fast CNPs come")               \
    F(T, BOOL, compatibility, NULL, 0, "", "ingress: the outer ECN is Not-ECT")        \
    F(T, BOOL, copy_dscp, NULL, 0, "", "the outer DSCP is that inside")                \
    F(T, UINT, dscp, NULL, 6, "", "the outer DSCP, else")                              \
    F(T, BOOL, reduced, NULL, 0, "", "SRHs without the first segment")                 \
    F(T, BOOL, open, NULL, 0, "", "END.CON decapsulates whatever comes")

#endif /* ROCECC_FIELDS_SRV6_PE_H */
