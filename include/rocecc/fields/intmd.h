/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_INTMD_H
#define ROCECC_FIELDS_INTMD_H

/* intmd.h - field tables for wire/intmd.h, with rows as in field.h. */
#include "../wire/intmd.h"

#define ROCECC_INTMD_SHIM_FIELDS(F, T)                                                 \
    F(T, UINT, type, NULL, 4, "", "MD, MX or destination")                             \
    F(T, UINT, npt, NULL, 2, "", "how INT is recognised")                              \
    F(T, UINT, reserved, NULL, 2, "", "reserved")                                      \
    F(T, UINT, original, NULL, 16, "", "port, protocol or DSCP before INT")            \
    F(T, VIEW, body, NULL, 0, "", "header and stack")

#define ROCECC_INTMD_GRE_FIELDS(F, T)                                                  \
    F(T, UINT, type, NULL, 4, "", "MD, MX or destination")                             \
    F(T, BOOL, g, NULL, 1, "", "GRE was added for INT")                                \
    F(T, UINT, reserved, NULL, 3, "", "reserved")                                      \
    F(T, UINT, next_protocol, NULL, 16, "", "what follows the stack")                  \
    F(T, VIEW, body, NULL, 0, "", "header and stack")

#define ROCECC_INTMD_GPE_FIELDS(F, T)                                                  \
    F(T, UINT, type, NULL, 4, "", "MD, MX or destination")                             \
    F(T, UINT, reserved, NULL, 4, "", "reserved")                                      \
    F(T, BOOL, g, NULL, 1, "", "it was VXLAN, not GPE, before")                        \
    F(T, UINT, reserved7, NULL, 7, "", "reserved")                                     \
    F(T, UINT, next_protocol, NULL, 8, "", "what follows the stack")                   \
    F(T, VIEW, body, NULL, 0, "", "header and stack")

#define ROCECC_INTMD_GENEVE_FIELDS(F, T)                                               \
    F(T, UINT, option_class, NULL, 16, "", "class of the option, 0x0103")              \
    F(T, UINT, type, NULL, 8, "", "MD, MX or destination")                             \
    F(T, UINT, reserved, NULL, 3, "", "reserved")                                      \
    F(T, VIEW, body, NULL, 0, "", "header and stack")

#define ROCECC_INTMD_HEADER_FIELDS(F, T)                                               \
    F(T, UINT, ver, NULL, 4, "", "version of INT")                                     \
    F(T, BOOL, d, NULL, 1, "", "the sink discards the packet")                         \
    F(T, BOOL, e, NULL, 1, "", "a node had no hops left")                              \
    F(T, BOOL, m, NULL, 1, "", "a node was kept out by the MTU")                       \
    F(T, UINT, reserved, NULL, 12, "", "reserved")                                     \
    F(T, UINT, hop_ml, NULL, 5, "words", "what each node adds")                        \
    F(T, UINT, remaining_hop_count, NULL, 8, "", "nodes that may still add")           \
    F(T, UINT, instructions, NULL, 16, "", "what each node is to report")              \
    F(T, UINT, ds_id, NULL, 16, "", "domain of the next two")                          \
    F(T, UINT, ds_instruction, NULL, 16, "", "what the domain asks for")               \
    F(T, UINT, ds_flags, NULL, 16, "", "flags of the domain")

/* The header of INT-MX: T is a struct of the caller's, examples/lib/intmd_shown.h. */
#define ROCECC_INTMD_MX_FIELDS(F, T)                                                   \
    F(T, UINT, ver, NULL, 4, "", "version of INT")                                     \
    F(T, BOOL, d, NULL, 1, "", "the sink discards the packet")                         \
    F(T, UINT, reserved, NULL, 27, "", "reserved")                                     \
    F(T, UINT, instructions, NULL, 16, "", "what each node is to report")              \
    F(T, UINT, ds_id, NULL, 16, "", "domain of the next two")                          \
    F(T, UINT, ds_instruction, NULL, 16, "", "what the domain asks for")               \
    F(T, UINT, ds_flags, NULL, 16, "", "flags of the domain")

/* A node is words, so T is a struct of the caller's with a member for each item. Filled
 * by rocecc_intmd_get(): examples/lib/intmd_shown.h. */
#define ROCECC_INTMD_NODE_VALUES(F, T)                                                 \
    F(T, UINT, present, NULL, 0, "", "which of these are there")                       \
    F(T, UINT, node_id, NULL, 32, "", "which node")                                    \
    F(T, UINT, ingress_id, NULL, 16, "", "port it arrived by")                         \
    F(T, UINT, egress_id, NULL, 16, "", "port it left by")                             \
    F(T, UINT, hop_latency, NULL, 32, "", "time in the node")                          \
    F(T, UINT, queue_id, NULL, 8, "", "which queue")                                   \
    F(T, UINT, queue_occupancy, NULL, 24, "", "how full the queue was")                \
    F(T, HEX, ingress_timestamp, NULL, 64, "", "when it arrived")                      \
    F(T, HEX, egress_timestamp, NULL, 64, "", "when it left")                          \
    F(T, UINT, l2_ingress_id, NULL, 32, "", "logical interface it arrived by")         \
    F(T, UINT, l2_egress_id, NULL, 32, "", "logical interface it left by")             \
    F(T, UINT, egress_tx_utilization, NULL, 32, "", "load of the egress port")         \
    F(T, UINT, buffer_id, NULL, 8, "", "which buffer")                                 \
    F(T, UINT, buffer_occupancy, NULL, 24, "", "how full the buffer was")              \
    F(T, UINT, checksum_complement, NULL, 32, "", "keeps the UDP checksum right")

#define ROCECC_INTMD_NODE_FIELDS(F, T)                                                 \
    ROCECC_INTMD_NODE_VALUES(F, T)                                                     \
    F(T, VIEW, reserved, NULL, 0, "", "words of the reserved bits")                    \
    F(T, VIEW, ds, NULL, 0, "", "words of the domain")

#endif /* ROCECC_FIELDS_INTMD_H */
