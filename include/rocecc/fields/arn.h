/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ARN_H
#define ROCECC_FIELDS_ARN_H

/* arn.h - field tables for wire/arn.h, with rows as in field.h. */
#include "../wire/arn.h"

#define ROCECC_ARN_CONFIG_FIELDS(F, T)                                                 \
    F(T, UINT, port, NULL, 0, "", "UDP destination port of ARNs")                      \
    F(T, UINT, versions, NULL, 0, "", "versions taken, one bit each")                  \
    F(T, UINT, time_unit_ps, NULL, 0, "ps", "what the compression time counts")        \
    F(T, ENUM, bit_order, "msb lsb auto", 0, "", "which end of Para-Type is bit 0")    \
    F(T, UINT, family, NULL, 0, "", "IP version of the 5-tuple")                       \
    F(T, ENUM, layout, "any padded packed", 0, "", "padded or packed 5-tuple")         \
    F(T, ENUM, priority, "8021p dscp any", 0, "", "what the priority counts")          \
    F(T, BOOL, tail_unknown, NULL, 0, "", "take parameters that nobody knows")

#define ROCECC_ARN_FIELDS(F, T)                                                        \
    F(T, UINT, type, NULL, 8, "", "congested, cleared, failed or repaired")            \
    F(T, UINT, version, NULL, 4, "", "version of the message")                         \
    F(T, UINT, resv, NULL, 4, "", "reserved, ignored on receipt")                      \
    F(T, UINT, metric, NULL, 8, "", "how bad it is")                                   \
    F(T, UINT, para_type, NULL, 8, "", "which parameters follow")                      \
    F(T, BOOL, lsb, NULL, 0, "", "bit 0 of it is 0x01")                                \
    F(T, UINT, tuple_bytes, NULL, 0, "bytes", "length of the flow identifier")         \
    F(T, IP6, flow.src, NULL, 0, "", "source address, 4 or 16 bytes")                  \
    F(T, IP6, flow.dst, NULL, 0, "", "destination address, 4 or 16 bytes")             \
    F(T, UINT, flow.src_port, NULL, 16, "", "source port of the flow")                 \
    F(T, UINT, flow.dst_port, NULL, 16, "", "destination port of the flow")            \
    F(T, UINT, flow.proto, NULL, 8, "", "IP protocol of the flow")                     \
    F(T, UINT, flow_zero, NULL, 24, "", "padding after the flow")                      \
    F(T, UINT, path_id, NULL, 32, "", "which path it is about")                        \
    F(T, UINT, priority, NULL, 32, "", "which priority it is about")                   \
    F(T, UINT, time, NULL, 32, "", "how long to hold back")                            \
    F(T, VIEW, rest, NULL, 0, "", "parameters that nobody knows")

#endif /* ROCECC_FIELDS_ARN_H */
