/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_IOAM_H
#define ROCECC_FIELDS_IOAM_H

/* ioam.h - field tables for wire/ioam.h, with rows as in field.h. */
#include "../wire/ioam.h"

#define ROCECC_IOAM_PRESENT_NAMES                                                      \
    "hop_limit node_id ingress_id egress_id timestamp_sec timestamp_frac "             \
    "transit_delay namespace_data queue_depth checksum_complement hop_limit_wide "     \
    "node_id_wide ingress_id_wide egress_id_wide namespace_data_wide "                 \
    "buffer_occupancy bit12 bit13 bit14 bit15 bit16 bit17 bit18 bit19 bit20 bit21 "    \
    "snapshot tx_bytes interface_speed interface_errors"

#define ROCECC_IOAM_OPTION_FIELDS(F, T)                                                \
    F(T, UINT, reserved, NULL, 8, "", "reserved, ignored on receipt")                  \
    F(T, UINT, opt_type, NULL, 8, "", "which kind of IOAM option")                     \
    F(T, VIEW, data, NULL, 0, "", "from Namespace-ID on")

#define ROCECC_IOAM_TRACE_FIELDS(F, T)                                                 \
    F(T, UINT, namespace_id, NULL, 16, "", "whose trace it is")                        \
    F(T, UINT, node_len, NULL, 5, "words", "what each node adds")                      \
    F(T, UINT, flags, NULL, 4, "", "O L A, and one unassigned")                        \
    F(T, UINT, remaining_len, NULL, 7, "words", "what nodes may still write")          \
    F(T, UINT, trace_type, NULL, 24, "", "what each node is to report")                \
    F(T, UINT, reserved, NULL, 8, "", "reserved, ignored on receipt")

#define ROCECC_IOAM_VIEW_FIELDS(F, T)                                                  \
    F(T, UINT, count, NULL, 0, "", "how many nodes")                                   \
    F(T, VIEW, free_space, NULL, 0, "", "room for more nodes")                         \
    F(T, VIEW, nodes, NULL, 0, "", "their words, the newest first")

/* A node is words, so T is a struct of the caller's with a member for each item. Filled
 * by rocecc_ioam_get(): examples/lib/ioam_shown.h. */
#define ROCECC_IOAM_NODE_VALUES(F, T)                                                  \
    F(T, SET, present, ROCECC_IOAM_PRESENT_NAMES, 0, "", "which of these are there")   \
    F(T, UINT, hop_limit, NULL, 8, "", "hops left as it left")                         \
    F(T, UINT, node_id, NULL, 24, "", "which node")                                    \
    F(T, UINT, ingress_id, NULL, 16, "", "port it arrived by")                         \
    F(T, UINT, egress_id, NULL, 16, "", "port it left by")                             \
    F(T, UINT, timestamp_sec, NULL, 32, "s", "when it arrived")                        \
    F(T, UINT, timestamp_frac, NULL, 32, "", "when it arrived, the fraction")          \
    F(T, BOOL, delay_overflow, NULL, 1, "", "the delay is longer than fits")           \
    F(T, UINT, transit_delay, NULL, 31, "ns", "time in the node")                      \
    F(T, UINT, namespace_data, NULL, 32, "", "what the namespace defines")             \
    F(T, UINT, queue_depth, NULL, 32, "", "buffers the queue uses")                    \
    F(T, UINT, checksum_complement, NULL, 32, "", "keeps the UDP checksum right")      \
    F(T, UINT, hop_limit_wide, NULL, 8, "", "hops left as it left")                    \
    F(T, HEX, node_id_wide, NULL, 56, "", "which node")                                \
    F(T, UINT, ingress_id_wide, NULL, 32, "", "port it arrived by")                    \
    F(T, UINT, egress_id_wide, NULL, 32, "", "port it left by")                        \
    F(T, HEX, namespace_data_wide, NULL, 64, "", "what the namespace defines")         \
    F(T, UINT, buffer_occupancy, NULL, 32, "", "how full the buffer was")              \
    F(T, UINT, undefined[0], NULL, 32, "", "bit 12, unassigned")                       \
    F(T, UINT, undefined[1], NULL, 32, "", "bit 13, unassigned")                       \
    F(T, UINT, undefined[2], NULL, 32, "", "bit 14, unassigned")                       \
    F(T, UINT, undefined[3], NULL, 32, "", "bit 15, unassigned")                       \
    F(T, UINT, undefined[4], NULL, 32, "", "bit 16, unassigned")                       \
    F(T, UINT, undefined[5], NULL, 32, "", "bit 17, unassigned")                       \
    F(T, UINT, undefined[6], NULL, 32, "", "bit 18, unassigned")                       \
    F(T, UINT, undefined[7], NULL, 32, "", "bit 19, unassigned")                       \
    F(T, UINT, undefined[8], NULL, 32, "", "bit 20, unassigned")                       \
    F(T, UINT, undefined[9], NULL, 32, "", "bit 21, unassigned")                       \
    F(T, UINT, tx_bytes, NULL, 32, "bytes", "sent so far by the port")                 \
    F(T, UINT, interface_speed, NULL, 6, "", "speed code of the port")                 \
    F(T, UINT, interface_errors, NULL, 26, "", "errors of the port so far")            \
    F(T, UINT, schema_id, NULL, 24, "", "what the snapshot's layout is")

#define ROCECC_IOAM_NODE_FIELDS(F, T)                                                  \
    ROCECC_IOAM_NODE_VALUES(F, T)                                                      \
    F(T, VIEW, snapshot, NULL, 0, "", "opaque state of the node")

#define ROCECC_IOAM_DEX_FIELDS(F, T)                                                   \
    F(T, UINT, namespace_id, NULL, 16, "", "whose option it is")                       \
    F(T, UINT, flags, NULL, 8, "", "none is assigned")                                 \
    F(T, UINT, extension_flags, NULL, 8, "", "which words follow")                     \
    F(T, UINT, trace_type, NULL, 24, "", "what each node is to export")                \
    F(T, UINT, reserved, NULL, 8, "", "reserved, ignored on receipt")                  \
    F(T, UINT, flow_id, NULL, 32, "", "which flow, if flagged")                        \
    F(T, UINT, sequence_number, NULL, 32, "", "number in it, if flagged")              \
    F(T, VIEW, others, NULL, 0, "", "words of the other flags")

#define ROCECC_IOAM_E2E_FIELDS(F, T)                                                   \
    F(T, UINT, namespace_id, NULL, 16, "", "whose option it is")                       \
    F(T, UINT, e2e_type, NULL, 16, "", "what follows")                                 \
    F(T, HEX, sequence_number, NULL, 0, "", "number of the packet, 32 bits or 64")     \
    F(T, UINT, timestamp_sec, NULL, 32, "s", "when the source sent it")                \
    F(T, UINT, timestamp_frac, NULL, 32, "", "when, the fraction")                     \
    F(T, VIEW, others, NULL, 0, "", "of the other bits")

#define ROCECC_IOAM_POT_FIELDS(F, T)                                                   \
    F(T, UINT, namespace_id, NULL, 16, "", "whose option it is")                       \
    F(T, UINT, pot_type, NULL, 8, "", "what follows")                                  \
    F(T, UINT, flags, NULL, 8, "", "none is assigned")                                 \
    F(T, HEX, pkt_id, NULL, 0, "", "number of the packet, of type 0")                  \
    F(T, HEX, cumulative, NULL, 0, "", "what nodes have computed, of type 0")          \
    F(T, VIEW, others, NULL, 0, "", "of other types")

#endif /* ROCECC_FIELDS_IOAM_H */
