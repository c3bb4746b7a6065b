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
    F(T, ENUM, checksum, ROCECC_IFA_CHECKSUM_NAMES, 0, "", "what C covers")            \
    F(T, ENUM, tail, ROCECC_IFA_TAIL_NAMES, 0, "", "order of a tail stamp")            \
    F(T, BOOL, fragments, NULL, 0, "", "MF: a new stack where there is no room")

#define ROCECC_IFA_HEADER_FIELDS(F, T)                                                 \
    F(T, UINT, version, NULL, 4, "", "version of IFA")                                 \
    F(T, UINT, gns, NULL, 4, "", "global name space")                                  \
    F(T, UINT, next_hdr, NULL, 8, "", "IP protocol that was replaced")                 \
    F(T, UINT, flags, NULL, 8, "", "MF TS I TA C")                                     \
    F(T, UINT, max_length, NULL, 8, "words", "how long the stack may grow")

#define ROCECC_IFA_METADATA_FIELDS(F, T)                                               \
    F(T, UINT, request_vector, NULL, 8, "", "which fields are wanted")                 \
    F(T, UINT, action_vector, NULL, 8, "", "loss and color are wanted")                \
    F(T, UINT, hop_limit, NULL, 8, "", "records that may still come")                  \
    F(T, UINT, current_length, NULL, 8, "words", "how long the stack is")

#define ROCECC_IFA_CHECKSUM_FIELDS(F, T)                                               \
    F(T, UINT, checksum, NULL, 16, "", "over the metadata")                            \
    F(T, UINT, reserved, NULL, 16, "", "reserved")

#define ROCECC_IFA_FRAGMENT_FIELDS(F, T)                                               \
    F(T, UINT, packet_id, NULL, 26, "", "packet the fragment is of")                   \
    F(T, UINT, mf_id, NULL, 5, "", "which fragment it is")                             \
    F(T, BOOL, last, NULL, 1, "", "the last of them")

/* Of any layout; the widths are in the lists of A and B, as far as they differ. */
#define ROCECC_IFA_NODE_FIELDS(F, T)                                                   \
    F(T, ENUM, layout, ROCECC_IFA_LAYOUT_NAMES, 0, "", "which layout the record has")  \
    F(T, UINT, lns, NULL, 4, "", "local name space")                                   \
    F(T, UINT, device_id, NULL, 0, "", "which device, 20 bits or 28")                  \
    F(T, UINT, ttl, NULL, 8, "", "TTL of the packet there")                            \
    F(T, UINT, speed, NULL, 4, "", "speed code of the egress port")                    \
    F(T, UINT, cn, NULL, 0, "", "congestion, 2 bits or 5")                             \
    F(T, UINT, queue, NULL, 0, "", "which queue, 6 bits or 8")                         \
    F(T, UINT, rx_timestamp_sec, NULL, 0, "s", "when it arrived, 20 bits or 48")       \
    F(T, UINT, egress_port, NULL, 16, "", "port it left by")                           \
    F(T, UINT, ingress_port, NULL, 16, "", "port it arrived by")                       \
    F(T, UINT, rx_timestamp_ns, NULL, 32, "ns", "when it arrived, the fraction")       \
    F(T, UINT, tx_timestamp_ns, NULL, 32, "ns", "when it left, the fraction")          \
    F(T, UINT, residence_time, NULL, 32, "ns", "how long it stayed")                   \
    F(T, UINT, tx_bytes, NULL, 0, "bytes", "sent so far, 32 bits or 40")               \
    F(T, UINT, reserved16, NULL, 16, "", "reserved")                                   \
    F(T, UINT, queue_length, NULL, 0, "", "length of the queue, 16 bits or 32")        \
    F(T, UINT, reserved32, NULL, 32, "", "reserved")                                   \
    F(T, SET, present, ROCECC_IFA_ITEM_NAMES, 0, "", "which of these are there")

#define ROCECC_IFA_NODE_A_FIELDS(F, T)                                                 \
    F(T, UINT, lns, NULL, 4, "", "local name space")                                   \
    F(T, UINT, device_id, NULL, 20, "", "which device")                                \
    F(T, UINT, ttl, NULL, 8, "", "TTL of the packet there")                            \
    F(T, UINT, speed, NULL, 4, "", "speed code of the egress port")                    \
    F(T, UINT, cn, NULL, 2, "", "congestion")                                          \
    F(T, UINT, queue, NULL, 6, "", "which queue")                                      \
    F(T, UINT, rx_timestamp_sec, NULL, 20, "s", "when it arrived")                     \
    F(T, UINT, egress_port, NULL, 16, "", "port it left by")                           \
    F(T, UINT, ingress_port, NULL, 16, "", "port it arrived by")                       \
    F(T, UINT, rx_timestamp_ns, NULL, 32, "ns", "when it arrived, the fraction")       \
    F(T, UINT, residence_time, NULL, 32, "ns", "how long it stayed")                   \
    F(T, UINT, tx_bytes, NULL, 32, "bytes", "sent so far by the queue")                \
    F(T, UINT, reserved16, NULL, 16, "", "reserved")                                   \
    F(T, UINT, queue_length, NULL, 16, "cells", "length of the queue")                 \
    F(T, UINT, reserved32, NULL, 32, "", "reserved")

#define ROCECC_IFA_NODE_B_FIELDS(F, T)                                                 \
    F(T, UINT, lns, NULL, 4, "", "local name space")                                   \
    F(T, UINT, device_id, NULL, 28, "", "which device")                                \
    F(T, UINT, cn, NULL, 5, "", "congestion")                                          \
    F(T, UINT, ttl, NULL, 8, "", "TTL of the packet there")                            \
    F(T, UINT, queue, NULL, 8, "", "which queue")                                      \
    F(T, UINT, rx_timestamp_sec, NULL, 48, "s", "when it arrived")                     \
    F(T, UINT, rx_timestamp_ns, NULL, 32, "ns", "when it arrived, the fraction")       \
    F(T, UINT, tx_timestamp_ns, NULL, 32, "ns", "when it left, the fraction")          \
    F(T, UINT, queue_length, NULL, 16, "cells", "length of the queue")                 \
    F(T, UINT, ingress_port, NULL, 16, "", "port it arrived by")                       \
    F(T, UINT, egress_port, NULL, 16, "", "port it left by")                           \
    F(T, UINT, tx_bytes, NULL, 40, "bytes", "sent so far")

#define ROCECC_IFA_FIELDS(F, T)                                                        \
    F(T, UINT, header.version, NULL, 4, "", "version of IFA")                          \
    F(T, UINT, header.gns, NULL, 4, "", "global name space")                           \
    F(T, UINT, header.next_hdr, NULL, 8, "", "IP protocol that was replaced")          \
    F(T, UINT, header.flags, NULL, 8, "", "MF TS I TA C")                              \
    F(T, UINT, header.max_length, NULL, 8, "words", "how long the stack may grow")     \
    F(T, VIEW, l4, NULL, 0, "", "the L4 header with its options")                      \
    F(T, UINT, metadata.request_vector, NULL, 8, "", "which fields are wanted")        \
    F(T, UINT, metadata.action_vector, NULL, 8, "", "loss and color are wanted")       \
    F(T, UINT, metadata.hop_limit, NULL, 8, "", "records that may still come")         \
    F(T, UINT, metadata.current_length, NULL, 8, "words", "how long the stack is")     \
    F(T, UINT, checksum.checksum, NULL, 16, "", "over the metadata")                   \
    F(T, UINT, checksum.reserved, NULL, 16, "", "reserved")                            \
    F(T, UINT, fragment.packet_id, NULL, 26, "", "packet the fragment is of")          \
    F(T, UINT, fragment.mf_id, NULL, 5, "", "which fragment it is")                    \
    F(T, BOOL, fragment.last, NULL, 1, "", "the last of them")                         \
    F(T, VIEW, nodes, NULL, 0, "", "the stack of records")                             \
    F(T, VIEW, payload, NULL, 0, "", "what follows them")

#endif /* ROCECC_FIELDS_IFA_H */
