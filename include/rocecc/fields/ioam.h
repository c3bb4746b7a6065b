/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_IOAM_H
#define ROCECC_FIELDS_IOAM_H

/*
 * ioam.h - field tables for wire/ioam.h, with rows as in field.h. A word is 4 bytes
 * long. A row of kind VIEW is for a reader of the packet's bytes, and has no fixed
 * width.
 */
#include "../wire/ioam.h"

#define ROCECC_IOAM_PRESENT_NAMES                                                      \
    "hop_limit node_id ingress_id egress_id timestamp_sec timestamp_frac "             \
    "transit_delay namespace_data queue_depth checksum_complement hop_limit_wide "     \
    "node_id_wide ingress_id_wide egress_id_wide namespace_data_wide "                 \
    "buffer_occupancy bit12 bit13 bit14 bit15 bit16 bit17 bit18 bit19 bit20 bit21 "    \
    "snapshot tx_bytes interface_speed interface_errors"

#define ROCECC_IOAM_OPTION_FIELDS(F, T)                                                \
    F(T, UINT, reserved, NULL, 8, "", "reserved bits")                                 \
    F(T, UINT, opt_type, NULL, 8, "", "IOAM option type")                              \
    F(T, VIEW, data, NULL, 0, "", "option data from Namespace-ID on")

#define ROCECC_IOAM_TRACE_FIELDS(F, T)                                                 \
    F(T, UINT, namespace_id, NULL, 16, "", "")                                         \
    F(T, UINT, node_len, NULL, 5, "words",                                             \
      "number of words per node, without its snapshot")                                \
    F(T, UINT, flags, NULL, 4, "", "flags O, L and A")                                 \
    F(T, UINT, remaining_len, NULL, 7, "words",                                        \
      "number of words that nodes may still write")                                    \
    F(T, UINT, trace_type, NULL, 24, "", "bitmap of the requested items")              \
    F(T, UINT, reserved, NULL, 8, "", "reserved bits")

#define ROCECC_IOAM_VIEW_FIELDS(F, T)                                                  \
    F(T, UINT, count, NULL, 0, "", "number of nodes")                                  \
    F(T, VIEW, free_space, NULL, 0, "", "space for more nodes")                        \
    F(T, VIEW, nodes, NULL, 0, "", "node data, newest first")

/*
 * The items of a node. rocecc_ioam_node stores them as words, so T must be the caller's
 * own struct with a member for each item. rocecc_ioam_get() returns the values.
 * examples/lib/ioam_shown.h has such a struct.
 */
#define ROCECC_IOAM_NODE_VALUES(F, T)                                                  \
    F(T, SET, present, ROCECC_IOAM_PRESENT_NAMES, 0, "", "set of the present items")   \
    F(T, UINT, hop_limit, NULL, 8, "", "hop limit at departure")                       \
    F(T, UINT, node_id, NULL, 24, "", "identifier of the reporting node")              \
    F(T, UINT, ingress_id, NULL, 16, "", "ingress interface")                          \
    F(T, UINT, egress_id, NULL, 16, "", "egress interface")                            \
    F(T, UINT, timestamp_sec, NULL, 32, "s",                                           \
      "time of arrival (HPCC++: departure), seconds")                                  \
    F(T, UINT, timestamp_frac, NULL, 32, "",                                           \
      "time of arrival (HPCC++: departure), fraction")                                 \
    F(T, BOOL, delay_overflow, NULL, 1, "", "transit delay of 2^31 ns or more")        \
    F(T, UINT, transit_delay, NULL, 31, "ns", "time of the packet in the node")        \
    F(T, UINT, namespace_data, NULL, 32, "", "data defined by the namespace")          \
    F(T, UINT, queue_depth, NULL, 32, "",                                              \
      "length of the egress queue, node-specific unit")                                \
    F(T, UINT, checksum_complement, NULL, 32, "",                                      \
      "complement that keeps the UDP checksum")                                        \
    F(T, UINT, hop_limit_wide, NULL, 8, "", "hop limit at departure")                  \
    F(T, HEX, node_id_wide, NULL, 56, "", "identifier of the reporting node")          \
    F(T, UINT, ingress_id_wide, NULL, 32, "", "ingress interface")                     \
    F(T, UINT, egress_id_wide, NULL, 32, "", "egress interface")                       \
    F(T, HEX, namespace_data_wide, NULL, 64, "", "data defined by the namespace")      \
    F(T, UINT, buffer_occupancy, NULL, 32, "", "occupancy of the common buffer pool")  \
    F(T, UINT, undefined[0], NULL, 32, "", "word for bit 12, not assigned")            \
    F(T, UINT, undefined[1], NULL, 32, "", "word for bit 13, not assigned")            \
    F(T, UINT, undefined[2], NULL, 32, "", "word for bit 14, not assigned")            \
    F(T, UINT, undefined[3], NULL, 32, "", "word for bit 15, not assigned")            \
    F(T, UINT, undefined[4], NULL, 32, "", "word for bit 16, not assigned")            \
    F(T, UINT, undefined[5], NULL, 32, "", "word for bit 17, not assigned")            \
    F(T, UINT, undefined[6], NULL, 32, "", "word for bit 18, not assigned")            \
    F(T, UINT, undefined[7], NULL, 32, "", "word for bit 19, not assigned")            \
    F(T, UINT, undefined[8], NULL, 32, "", "word for bit 20, not assigned")            \
    F(T, UINT, undefined[9], NULL, 32, "", "word for bit 21, not assigned")            \
    F(T, UINT, tx_bytes, NULL, 32, "bytes",                                            \
      "bytes sent so far on the egress interface")                                     \
    F(T, UINT, interface_speed, NULL, 6, "", "speed code, defined by the operator")    \
    F(T, UINT, interface_errors, NULL, 26, "", "number of interface errors so far")    \
    F(T, UINT, schema_id, NULL, 24, "", "schema of the opaque snapshot")

#define ROCECC_IOAM_NODE_FIELDS(F, T)                                                  \
    ROCECC_IOAM_NODE_VALUES(F, T)                                                      \
    F(T, VIEW, snapshot, NULL, 0, "", "opaque state of the node")

#define ROCECC_IOAM_DEX_FIELDS(F, T)                                                   \
    F(T, UINT, namespace_id, NULL, 16, "", "")                                         \
    F(T, UINT, flags, NULL, 8, "", "unassigned flags")                                 \
    F(T, UINT, extension_flags, NULL, 8, "", "bitmap of the optional words")           \
    F(T, UINT, trace_type, NULL, 24, "", "bitmap of the items to export")              \
    F(T, UINT, reserved, NULL, 8, "", "reserved bits")                                 \
    F(T, UINT, flow_id, NULL, 32, "", "identifier of the flow")                        \
    F(T, UINT, sequence_number, NULL, 32, "", "number of the packet in the flow")      \
    F(T, VIEW, others, NULL, 0, "", "words for the other extension flags")

#define ROCECC_IOAM_E2E_FIELDS(F, T)                                                   \
    F(T, UINT, namespace_id, NULL, 16, "", "")                                         \
    F(T, UINT, e2e_type, NULL, 16, "", "bitmap of the items that follow")              \
    F(T, HEX, sequence_number, NULL, 0, "", "number of the packet")                    \
    F(T, UINT, timestamp_sec, NULL, 32, "s",                                           \
      "time of entry into the IOAM domain, seconds")                                   \
    F(T, UINT, timestamp_frac, NULL, 32, "",                                           \
      "time of entry into the IOAM domain, fraction")                                  \
    F(T, VIEW, others, NULL, 0, "", "items for the other bits")

#define ROCECC_IOAM_POT_FIELDS(F, T)                                                   \
    F(T, UINT, namespace_id, NULL, 16, "", "")                                         \
    F(T, UINT, pot_type, NULL, 8, "", "type of the proof")                             \
    F(T, UINT, flags, NULL, 8, "", "unassigned flags")                                 \
    F(T, HEX, pkt_id, NULL, 0, "", "packet identifier for the proof")                  \
    F(T, HEX, cumulative, NULL, 0, "", "cumulative result from the nodes so far")      \
    F(T, VIEW, others, NULL, 0, "", "data for types other than 0")

#endif /* ROCECC_FIELDS_IOAM_H */
