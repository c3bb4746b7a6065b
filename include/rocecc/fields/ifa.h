/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_IFA_H
#define ROCECC_FIELDS_IFA_H

/* ifa.h - field tables for wire/ifa.h, with rows as in field.h. */
#include "../wire/ifa.h"

#define ROCECC_IFA_LAYOUT_NAMES "none a b b_octets"

#define ROCECC_IFA_ITEM_NAMES                                                          \
    "ttl speed cn queue rx_sec rx_ns tx_ns residence egress ingress tx_bytes"          \
    " queue_length"

#define ROCECC_IFA_CHECKSUM_NAMES "unknown stack metadata"

#define ROCECC_IFA_TAIL_NAMES "unknown newest_first newest_last"

#define ROCECC_IFA_CONFIG_FIELDS(F, T)                                                 \
    F(T, UINT, protocol, NULL, 0, "", "IP protocol number of IFA")                     \
    F(T, UINT, layout_a, NULL, 0, "", "local name spaces with layout A")               \
    F(T, UINT, layout_b, NULL, 0, "", "local name spaces with layout B")               \
    F(T, UINT, gns_a, NULL, 0, "", "global name spaces with layout A")                 \
    F(T, UINT, gns_b, NULL, 0, "", "global name spaces with layout B")                 \
    F(T, ENUM, checksum, ROCECC_IFA_CHECKSUM_NAMES, 0, "", "checksum coverage")        \
    F(T, ENUM, tail, ROCECC_IFA_TAIL_NAMES, 0, "", "record order in a tail stamp")     \
    F(T, BOOL, fragments, NULL, 0, "", "new stack at a node without room")

#define ROCECC_IFA_HEADER_FIELDS(F, T)                                                 \
    F(T, UINT, version, NULL, 4, "", "IFA version")                                    \
    F(T, UINT, gns, NULL, 4, "", "global name space")                                  \
    F(T, UINT, next_hdr, NULL, 8, "", "IP protocol of the L4 header")                  \
    F(T, UINT, flags, NULL, 8, "", "flags MF, TS, I, TA and C")                        \
    F(T, UINT, max_length, NULL, 8, "words", "maximum length of the stack")

#define ROCECC_IFA_METADATA_FIELDS(F, T)                                               \
    F(T, UINT, request_vector, NULL, 8, "", "bitmap of the requested fields")          \
    F(T, UINT, action_vector, NULL, 8, "", "actions for loss and colour")              \
    F(T, UINT, hop_limit, NULL, 8, "", "number of records that nodes may still add")   \
    F(T, UINT, current_length, NULL, 8, "words", "length of the stack")

#define ROCECC_IFA_CHECKSUM_FIELDS(F, T)                                               \
    F(T, UINT, checksum, NULL, 16, "",                                                 \
      "checksum over the stack, and optionally its headers")                           \
    F(T, UINT, reserved, NULL, 16, "", "")

#define ROCECC_IFA_FRAGMENT_FIELDS(F, T)                                               \
    F(T, UINT, packet_id, NULL, 26, "", "packet number, set by the source")            \
    F(T, UINT, mf_id, NULL, 5, "", "number of stacks sent before this one")            \
    F(T, BOOL, last, NULL, 1, "", "last report for the packet")

/*
 * A record of any layout. Here, a width is 0 if it differs between the layouts. The
 * next two tables give these widths for layouts A and B.
 */
#define ROCECC_IFA_NODE_FIELDS(F, T)                                                   \
    F(T, ENUM, layout, ROCECC_IFA_LAYOUT_NAMES, 0, "", "")                             \
    F(T, UINT, lns, NULL, 4, "", "local name space")                                   \
    F(T, UINT, device_id, NULL, 0, "", "device that wrote the record")                 \
    F(T, UINT, ttl, NULL, 8, "", "TTL of the IP packet")                               \
    F(T, UINT, speed, NULL, 4, "", "speed code of the egress port")                    \
    F(T, UINT, cn, NULL, 0, "", "congestion indication")                               \
    F(T, UINT, queue, NULL, 0, "", "queue identifier")                                 \
    F(T, UINT, rx_timestamp_sec, NULL, 0, "s", "time of arrival, seconds")             \
    F(T, UINT, egress_port, NULL, 16, "", "")                                          \
    F(T, UINT, ingress_port, NULL, 16, "", "")                                         \
    F(T, UINT, rx_timestamp_ns, NULL, 32, "ns", "time of arrival, nanoseconds")        \
    F(T, UINT, tx_timestamp_ns, NULL, 32, "ns", "time of departure, nanoseconds")      \
    F(T, UINT, residence_time, NULL, 32, "ns", "time in the node")                     \
    F(T, UINT, tx_bytes, NULL, 0, "bytes", "number of bytes sent so far")              \
    F(T, UINT, reserved16, NULL, 16, "", "reserved bits")                              \
    F(T, UINT, queue_length, NULL, 0, "", "length of the queue")                       \
    F(T, UINT, reserved32, NULL, 32, "", "reserved bits")                              \
    F(T, SET, present, ROCECC_IFA_ITEM_NAMES, 0, "", "set of the present items")

#define ROCECC_IFA_NODE_A_FIELDS(F, T)                                                 \
    F(T, UINT, lns, NULL, 4, "", "local name space")                                   \
    F(T, UINT, device_id, NULL, 20, "", "device that wrote the record")                \
    F(T, UINT, ttl, NULL, 8, "", "TTL of the IP packet")                               \
    F(T, UINT, speed, NULL, 4, "", "speed code of the egress port")                    \
    F(T, UINT, cn, NULL, 2, "", "congestion indication")                               \
    F(T, UINT, queue, NULL, 6, "", "queue identifier")                                 \
    F(T, UINT, rx_timestamp_sec, NULL, 20, "s", "time of arrival, seconds")            \
    F(T, UINT, egress_port, NULL, 16, "", "")                                          \
    F(T, UINT, ingress_port, NULL, 16, "", "")                                         \
    F(T, UINT, rx_timestamp_ns, NULL, 32, "ns", "time of arrival, nanoseconds")        \
    F(T, UINT, residence_time, NULL, 32, "ns", "time in the node")                     \
    F(T, UINT, tx_bytes, NULL, 32, "bytes", "number of bytes sent so far")             \
    F(T, UINT, reserved16, NULL, 16, "", "reserved bits")                              \
    F(T, UINT, queue_length, NULL, 16, "cells", "length of the queue")                 \
    F(T, UINT, reserved32, NULL, 32, "", "reserved bits")

#define ROCECC_IFA_NODE_B_FIELDS(F, T)                                                 \
    F(T, UINT, lns, NULL, 4, "", "local name space")                                   \
    F(T, UINT, device_id, NULL, 28, "", "device that wrote the record")                \
    F(T, UINT, cn, NULL, 5, "", "congestion indication")                               \
    F(T, UINT, ttl, NULL, 8, "", "TTL of the IP packet")                               \
    F(T, UINT, queue, NULL, 8, "", "queue identifier")                                 \
    F(T, UINT, rx_timestamp_sec, NULL, 48, "s", "time of arrival, seconds")            \
    F(T, UINT, rx_timestamp_ns, NULL, 32, "ns", "time of arrival, nanoseconds")        \
    F(T, UINT, tx_timestamp_ns, NULL, 32, "ns", "time of departure, nanoseconds")      \
    F(T, UINT, queue_length, NULL, 16, "cells", "length of the queue")                 \
    F(T, UINT, ingress_port, NULL, 16, "", "")                                         \
    F(T, UINT, egress_port, NULL, 16, "", "")                                          \
    F(T, UINT, tx_bytes, NULL, 40, "bytes", "number of bytes sent so far")

#define ROCECC_IFA_FIELDS(F, T)                                                        \
    F(T, UINT, header.version, NULL, 4, "", "IFA version")                             \
    F(T, UINT, header.gns, NULL, 4, "", "global name space")                           \
    F(T, UINT, header.next_hdr, NULL, 8, "", "IP protocol of the L4 header")           \
    F(T, UINT, header.flags, NULL, 8, "", "flags MF, TS, I, TA and C")                 \
    F(T, UINT, header.max_length, NULL, 8, "words", "maximum length of the stack")     \
    F(T, VIEW, l4, NULL, 0, "", "L4 header with its options")                          \
    F(T, UINT, metadata.request_vector, NULL, 8, "", "bitmap of the requested fields") \
    F(T, UINT, metadata.action_vector, NULL, 8, "", "actions for loss and colour")     \
    F(T, UINT, metadata.hop_limit, NULL, 8, "",                                        \
      "number of records that nodes may still add")                                    \
    F(T, UINT, metadata.current_length, NULL, 8, "words", "length of the stack")       \
    F(T, UINT, checksum.checksum, NULL, 16, "",                                        \
      "checksum over the stack, and optionally its headers")                           \
    F(T, UINT, checksum.reserved, NULL, 16, "", "")                                    \
    F(T, UINT, fragment.packet_id, NULL, 26, "", "packet number, set by the source")   \
    F(T, UINT, fragment.mf_id, NULL, 5, "", "number of stacks sent before this one")   \
    F(T, BOOL, fragment.last, NULL, 1, "", "last report for the packet")               \
    F(T, VIEW, nodes, NULL, 0, "", "stack of records")                                 \
    F(T, VIEW, payload, NULL, 0, "", "L4 payload")

#endif /* ROCECC_FIELDS_IFA_H */
