/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_INTMD_H
#define ROCECC_FIELDS_INTMD_H

/* intmd.h - field tables for wire/intmd.h, with rows as in field.h. */
#include "../wire/intmd.h"

#define ROCECC_INTMD_SHIM_FIELDS(F, T)                                                 \
    F(T, UINT, type, NULL, 4, "", "INT type (1 MD, 2 destination, 3 MX)")              \
    F(T, UINT, npt, NULL, 2, "", "Next Protocol Type, the kind of mark")               \
    F(T, UINT, reserved, NULL, 2, "", "reserved bits")                                 \
    F(T, UINT, original, NULL, 16, "", "original UDP port, IP protocol or DSCP")       \
    F(T, VIEW, body, NULL, 0, "", "data after the shim")

#define ROCECC_INTMD_GRE_FIELDS(F, T)                                                  \
    F(T, UINT, type, NULL, 4, "", "INT type (1 MD, 2 destination, 3 MX)")              \
    F(T, BOOL, g, NULL, 1, "", "GRE header added for INT")                             \
    F(T, UINT, reserved, NULL, 3, "", "reserved bits")                                 \
    F(T, UINT, next_protocol, NULL, 16, "", "EtherType of the data after INT")         \
    F(T, VIEW, body, NULL, 0, "", "data after the shim")

#define ROCECC_INTMD_GPE_FIELDS(F, T)                                                  \
    F(T, UINT, type, NULL, 4, "", "INT type (1 MD, 2 destination, 3 MX)")              \
    F(T, UINT, reserved, NULL, 4, "", "reserved bits")                                 \
    F(T, BOOL, g, NULL, 1, "", "VXLAN, not VXLAN-GPE, in the original packet")         \
    F(T, UINT, reserved7, NULL, 7, "", "reserved bits")                                \
    F(T, UINT, next_protocol, NULL, 8, "", "VXLAN-GPE protocol of the data after INT") \
    F(T, VIEW, body, NULL, 0, "", "data after the shim")

#define ROCECC_INTMD_GENEVE_FIELDS(F, T)                                               \
    F(T, UINT, option_class, NULL, 16, "",                                             \
      "Geneve option class (0x0103 in the INT specification)")                         \
    F(T, UINT, type, NULL, 8, "", "INT type (1 MD, 2 destination, 3 MX)")              \
    F(T, UINT, reserved, NULL, 3, "", "reserved bits")                                 \
    F(T, VIEW, body, NULL, 0, "", "data of the option")

#define ROCECC_INTMD_HEADER_FIELDS(F, T)                                               \
    F(T, UINT, ver, NULL, 4, "", "INT version")                                        \
    F(T, BOOL, d, NULL, 1, "", "request to discard the packet at the sink")            \
    F(T, BOOL, e, NULL, 1, "", "hop count exceeded")                                   \
    F(T, BOOL, m, NULL, 1, "", "MTU exceeded")                                         \
    F(T, UINT, reserved, NULL, 12, "", "reserved bits")                                \
    F(T, UINT, hop_ml, NULL, 5, "words", "number of words that each node adds")        \
    F(T, UINT, remaining_hop_count, NULL, 8, "",                                       \
      "number of reports that may still be added")                                     \
    F(T, UINT, instructions, NULL, 16, "", "bitmap of the requested items")            \
    F(T, UINT, ds_id, NULL, 16, "", "Domain Specific ID, for the next two fields")     \
    F(T, UINT, ds_instruction, NULL, 16, "", "domain-specific instructions")           \
    F(T, UINT, ds_flags, NULL, 16, "", "domain-specific flags")

/*
 * The header of INT-MX. T must be the caller's own struct, because `reserved` is 27
 * bits wide. examples/lib/intmd_shown.h has such a struct.
 */
#define ROCECC_INTMD_MX_FIELDS(F, T)                                                   \
    F(T, UINT, ver, NULL, 4, "", "INT version")                                        \
    F(T, BOOL, d, NULL, 1, "", "request to discard the packet at the sink")            \
    F(T, UINT, reserved, NULL, 27, "", "reserved bits")                                \
    F(T, UINT, instructions, NULL, 16, "", "bitmap of the requested items")            \
    F(T, UINT, ds_id, NULL, 16, "", "Domain Specific ID, for the next two fields")     \
    F(T, UINT, ds_instruction, NULL, 16, "", "domain-specific instructions")           \
    F(T, UINT, ds_flags, NULL, 16, "", "domain-specific flags")

/*
 * The items of a node. rocecc_intmd_node stores them as words, so T must be the
 * caller's own struct with a member for each item. rocecc_intmd_get() returns the
 * values. examples/lib/intmd_shown.h has such a struct.
 */
#define ROCECC_INTMD_NODE_VALUES(F, T)                                                 \
    F(T, UINT, present, NULL, 0, "", "bitmap of the present items")                    \
    F(T, UINT, node_id, NULL, 32, "", "identifier of the reporting node")              \
    F(T, UINT, ingress_id, NULL, 16, "", "ingress interface, level 1")                 \
    F(T, UINT, egress_id, NULL, 16, "", "egress interface, level 1")                   \
    F(T, UINT, hop_latency, NULL, 32, "", "time of the packet in the node")            \
    F(T, UINT, queue_id, NULL, 8, "", "queue of the packet")                           \
    F(T, UINT, queue_occupancy, NULL, 24, "", "occupancy of the packet's queue")       \
    F(T, HEX, ingress_timestamp, NULL, 64, "", "time of arrival")                      \
    F(T, HEX, egress_timestamp, NULL, 64, "", "time of departure")                     \
    F(T, UINT, l2_ingress_id, NULL, 32, "", "ingress interface, level 2 (logical)")    \
    F(T, UINT, l2_egress_id, NULL, 32, "", "egress interface, level 2 (logical)")      \
    F(T, UINT, egress_tx_utilization, NULL, 32, "",                                    \
      "transmit utilisation of the egress interface")                                  \
    F(T, UINT, buffer_id, NULL, 8, "", "buffer of the packet")                         \
    F(T, UINT, buffer_occupancy, NULL, 24, "", "occupancy of the packet's buffer")     \
    F(T, UINT, checksum_complement, NULL, 32, "",                                      \
      "complement that keeps the UDP or TCP checksum")

#define ROCECC_INTMD_NODE_FIELDS(F, T)                                                 \
    ROCECC_INTMD_NODE_VALUES(F, T)                                                     \
    F(T, VIEW, reserved, NULL, 0, "", "words for the reserved instruction bits")       \
    F(T, VIEW, ds, NULL, 0, "", "domain-specific data of the node")

#endif /* ROCECC_FIELDS_INTMD_H */
