/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_FASTCNP_H
#define ROCECC_FIELDS_FASTCNP_H

/* fastcnp.h - tables of wire/fastcnp.h, and the names of packet/fastcnp.h: rows as
 * field.h has them. */
#include "../wire/fastcnp.h"

/* rocecc_fastcnp_border_verdict */
#define ROCECC_FASTCNP_BORDER_NAMES "pass drop unseen"

#define ROCECC_FASTCNP_CONFIG_FIELDS(F, T)                                             \
    F(T, UINT, type_plain, NULL, 0, "", "option type without a trace")                 \
    F(T, UINT, type_ioam, NULL, 0, "", "option type with a trace")                     \
    F(T, ENUM, form, "a b", 0, "", "where the trace begins")                           \
    F(T, BOOL, address_first, NULL, 0, "", "the address before the trace")             \
    F(T, BOOL, align8, NULL, 0, "", "the address at 8 n")

#define ROCECC_FASTCNP_FIELDS(F, T)                                                    \
    F(T, ENUM, kind, "plain ioam", 0, "", "without a trace or with one")               \
    F(T, IP6, flow_dst, NULL, 128, "", "where the marked packet was going")            \
    F(T, UINT, reserved, NULL, 8, "", "reserved, of the IOAM option")                  \
    F(T, UINT, opt_type, NULL, 8, "", "which kind of IOAM option")                     \
    F(T, UINT, trace_bytes, NULL, 0, "", "how long the marked packet's trace is")      \
    F(T, UINT, trace_at, NULL, 0, "", "where that trace begins")                       \
    F(T, UINT, at, NULL, 0, "", "where the option begins")

#endif /* ROCECC_FIELDS_FASTCNP_H */
