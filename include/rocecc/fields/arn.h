/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ARN_H
#define ROCECC_FIELDS_ARN_H

/* arn.h - field tables for wire/arn.h, with rows as in field.h. */
#include "../wire/arn.h"

#define ROCECC_ARN_CONFIG_FIELDS(F, T)                                                 \
    F(T, UINT, port, NULL, 0, "", "UDP destination port of ARNs")                      \
    F(T, UINT, versions, NULL, 0, "", "set of accepted versions")                      \
    F(T, UINT, time_unit_ps, NULL, 0, "ps", "unit of the compression time")            \
    F(T, ENUM, bit_order, "msb lsb auto", 0, "", "position of bit 0 in Para-Type")     \
    F(T, UINT, family, NULL, 0, "", "IP version of the 5-tuple")                       \
    F(T, ENUM, layout, "any padded packed", 0, "", "form of the 5-tuple")              \
    F(T, ENUM, priority, "8021p dscp any", 0, "", "range of the priority parameter")   \
    F(T, BOOL, tail_unknown, NULL, 0, "",                                              \
      "accept unknown parameters after the known ones")

#define ROCECC_ARN_FIELDS(F, T)                                                        \
    F(T, UINT, type, NULL, 8, "",                                                      \
      "event: congestion or failure, detected or eliminated")                          \
    F(T, UINT, version, NULL, 4, "", "version of the message")                         \
    F(T, UINT, resv, NULL, 4, "", "reserved bits")                                     \
    F(T, UINT, metric, NULL, 8, "", "severity of the congestion or failure")           \
    F(T, UINT, para_type, NULL, 8, "", "set of parameters in the message")             \
    F(T, BOOL, lsb, NULL, 0, "", "true: bit 0 of Para-Type is 0x01")                   \
    F(T, UINT, tuple_bytes, NULL, 0, "bytes", "length of the flow identifier")         \
    F(T, IP6, flow.src, NULL, 0, "", "")                                               \
    F(T, IP6, flow.dst, NULL, 0, "", "")                                               \
    F(T, UINT, flow.src_port, NULL, 16, "", "")                                        \
    F(T, UINT, flow.dst_port, NULL, 16, "", "")                                        \
    F(T, UINT, flow.proto, NULL, 8, "", "")                                            \
    F(T, UINT, flow_zero, NULL, 24, "", "padding after the 5-tuple")                   \
    F(T, UINT, path_id, NULL, 32, "", "identifier of the affected path")               \
    F(T, UINT, priority, NULL, 32, "", "affected priority")                            \
    F(T, UINT, time, NULL, 32, "", "compression time, the duration of a pause")        \
    F(T, VIEW, rest, NULL, 0, "", "unknown parameters")

#endif /* ROCECC_FIELDS_ARN_H */
