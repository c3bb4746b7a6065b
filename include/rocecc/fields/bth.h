/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_BTH_H
#define ROCECC_FIELDS_BTH_H

/* bth.h - field tables for wire/bth.h, with rows as in field.h. */
#include "../wire/bth.h"

#define ROCECC_BTH_FIELDS(F, T)                                                        \
    F(T, UINT, opcode, NULL, 8, "", "what kind of packet it is")                       \
    F(T, BOOL, solicited, NULL, 1, "", "the receiver wants an event")                  \
    F(T, BOOL, migreq, NULL, 1, "", "state of path migration")                         \
    F(T, UINT, pad, NULL, 2, "bytes", "padding after the payload")                     \
    F(T, UINT, tver, NULL, 4, "", "version of the transport header")                   \
    F(T, UINT, pkey, NULL, 16, "", "partition the packet belongs to")                  \
    F(T, BOOL, fecn, NULL, 1, "", "congestion was met going forward")                  \
    F(T, BOOL, becn, NULL, 1, "", "congestion, back to the sender")                    \
    F(T, UINT, resv6, NULL, 6, "", "reserved, ignored on receipt")                     \
    F(T, UINT, dest_qp, NULL, 24, "", "queue pair at the destination")                 \
    F(T, BOOL, ack_req, NULL, 1, "", "the sender asks for an ACK")                     \
    F(T, UINT, resv7, NULL, 7, "", "reserved, ignored on receipt")                     \
    F(T, UINT, psn, NULL, 24, "", "packet sequence number")

#define ROCECC_OPERATION_NAMES                                                         \
    "send rdma_write rdma_read_response rdma_read_request acknowledge "                \
    "atomic_acknowledge cmp_swap fetch_add resync flush atomic_write cn cnp"

#define ROCECC_OPCLASS_FIELDS(F, T)                                                    \
    F(T, ENUM, service, "rc uc rd ud cnp xrc", 0, "", "the transport service")         \
    F(T, ENUM, operation, ROCECC_OPERATION_NAMES, 0, "",                               \
      "what the packet asks or answers")                                               \
    F(T, BOOL, first, NULL, 0, "", "the message's first packet")                       \
    F(T, BOOL, last, NULL, 0, "", "the message's last packet")                         \
    F(T, BOOL, response, NULL, 0, "", "from the responder")                            \
    F(T, BOOL, pad, NULL, 0, "", "padding may follow the payload")                     \
    F(T, ENUM, payload, "none any 8", 0, "", "how much payload there may be")          \
    F(T, SET, ext,                                                                     \
      "rdeth deth xrceth feth reth atomiceth aeth atomicacketh immdt ieth cnp", 0, "", \
      "which extended headers follow")                                                 \
    F(T, UINT, hdr_bytes, NULL, 0, "bytes", "BTH and extended headers")

#endif /* ROCECC_FIELDS_BTH_H */
