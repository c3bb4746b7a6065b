/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_BTH_H
#define ROCECC_FIELDS_BTH_H

/* bth.h - field tables for wire/bth.h, with rows as in field.h. */
#include "../wire/bth.h"

#define ROCECC_BTH_FIELDS(F, T)                                                        \
    F(T, UINT, opcode, NULL, 8, "", "opcode of the packet")                            \
    F(T, BOOL, solicited, NULL, 1, "", "request for an event at the receiver")         \
    F(T, BOOL, migreq, NULL, 1, "", "state of path migration")                         \
    F(T, UINT, pad, NULL, 2, "bytes", "length of the padding after the payload")       \
    F(T, UINT, tver, NULL, 4, "", "transport header version")                          \
    F(T, UINT, pkey, NULL, 16, "", "partition key")                                    \
    F(T, BOOL, fecn, NULL, 1, "", "forward explicit congestion notification")          \
    F(T, BOOL, becn, NULL, 1, "", "backward explicit congestion notification")         \
    F(T, UINT, resv6, NULL, 6, "", "reserved bits")                                    \
    F(T, UINT, dest_qp, NULL, 24, "", "queue pair at the destination")                 \
    F(T, BOOL, ack_req, NULL, 1, "", "request for an ACK")                             \
    F(T, UINT, resv7, NULL, 7, "", "reserved bits")                                    \
    F(T, UINT, psn, NULL, 24, "", "packet sequence number")

#define ROCECC_OPERATION_NAMES                                                         \
    "send rdma_write rdma_read_response rdma_read_request acknowledge "                \
    "atomic_acknowledge cmp_swap fetch_add resync flush atomic_write cn cnp"

#define ROCECC_OPCLASS_FIELDS(F, T)                                                    \
    F(T, ENUM, service, "rc uc rd ud cnp xrc", 0, "", "transport service")             \
    F(T, ENUM, operation, ROCECC_OPERATION_NAMES, 0, "", "operation, such as SEND")    \
    F(T, BOOL, first, NULL, 0, "", "first packet of a message")                        \
    F(T, BOOL, last, NULL, 0, "", "last packet of a message")                          \
    F(T, BOOL, response, NULL, 0, "", "packet from the responder to the requester")    \
    F(T, BOOL, pad, NULL, 0, "", "possible padding after the payload")                 \
    F(T, ENUM, payload, "none any 8", 0, "", "permitted length of the payload")        \
    F(T, SET, ext,                                                                     \
      "rdeth deth xrceth feth reth atomiceth aeth atomicacketh immdt ieth cnp", 0, "", \
      "extended headers after the BTH")                                                \
    F(T, UINT, hdr_bytes, NULL, 0, "bytes", "length of BTH and extended headers")

#endif /* ROCECC_FIELDS_BTH_H */
