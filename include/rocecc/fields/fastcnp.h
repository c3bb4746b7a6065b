/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_FASTCNP_H
#define ROCECC_FIELDS_FASTCNP_H

/*
 * fastcnp.h - field tables for wire/fastcnp.h, with rows as in field.h, and names of
 * verdicts for packet/fastcnp.h.
 */
#include "../wire/fastcnp.h"

/* Names of rocecc_fastcnp_border_verdict (packet/fastcnp.h). */
#define ROCECC_FASTCNP_BORDER_NAMES "pass drop unseen"

#define ROCECC_FASTCNP_CONFIG_FIELDS(F, T)                                             \
    F(T, UINT, type_plain, NULL, 0, "", "type of the option without a trace")          \
    F(T, UINT, type_ioam, NULL, 0, "", "type of the option with a trace")              \
    F(T, ENUM, form, "a b", 0, "", "part of the IOAM option in TBD2")                  \
    F(T, BOOL, address_first, NULL, 0, "", "put the address before the trace")         \
    F(T, BOOL, align8, NULL, 0, "", "align the address to 8 bytes")

#define ROCECC_FASTCNP_FIELDS(F, T)                                                    \
    F(T, ENUM, kind, "plain ioam", 0, "", "option without or with a trace")            \
    F(T, IP6, flow_dst, NULL, 128, "",                                                 \
      "destination of the packet that met congestion")                                 \
    F(T, UINT, reserved, NULL, 8, "", "reserved byte of the IOAM option")              \
    F(T, UINT, opt_type, NULL, 8, "",                                                  \
      "type of the trace, pre-allocated or incremental")                               \
    F(T, UINT, trace_bytes, NULL, 0, "", "length of the packet's trace")               \
    F(T, UINT, trace_at, NULL, 0, "", "offset of the trace")                           \
    F(T, UINT, at, NULL, 0, "", "offset of the option")

#endif /* ROCECC_FIELDS_FASTCNP_H */
