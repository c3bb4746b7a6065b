/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_EXT_H
#define ROCECC_FIELDS_EXT_H

/* ext.h - field tables for wire/ext.h, with rows as in field.h. */
#include "../wire/ext.h"

#define ROCECC_RDETH_FIELDS(F, T)                                                      \
    F(T, UINT, reserved, NULL, 8, "", "")                                              \
    F(T, UINT, ee_context, NULL, 24, "", "end-to-end context of the Reliable Datagram")

#define ROCECC_DETH_FIELDS(F, T)                                                       \
    F(T, UINT, q_key, NULL, 32, "", "key for access to the receive queue")             \
    F(T, UINT, reserved, NULL, 8, "", "")                                              \
    F(T, UINT, src_qp, NULL, 24, "", "queue pair of the sender")

#define ROCECC_XRCETH_FIELDS(F, T)                                                     \
    F(T, UINT, reserved, NULL, 8, "", "")                                              \
    F(T, UINT, xrcsrq, NULL, 24, "", "XRC shared receive queue at the destination")

#define ROCECC_FETH_FIELDS(F, T)                                                       \
    F(T, UINT, reserved, NULL, 26, "", "reserved bits")                                \
    F(T, UINT, selectivity, NULL, 2, "", "FLUSH extent (0 range, 1 memory region)")    \
    F(T, UINT, placement, NULL, 4, "",                                                 \
      "placement (1 global visibility, 2 persistence, 3 both)")

#define ROCECC_RETH_FIELDS(F, T)                                                       \
    F(T, HEX, va, NULL, 64, "", "virtual address in the responder's memory")           \
    F(T, UINT, r_key, NULL, 32, "", "key for access to the responder's memory")        \
    F(T, UINT, dma_length, NULL, 32, "bytes", "number of bytes to read, write or flush")

#define ROCECC_ATOMICETH_FIELDS(F, T)                                                  \
    F(T, HEX, va, NULL, 64, "", "virtual address in the responder's memory")           \
    F(T, UINT, r_key, NULL, 32, "", "key for access to the responder's memory")        \
    F(T, HEX, swap_or_add, NULL, 64, "", "value to swap in, or to add")                \
    F(T, HEX, compare, NULL, 64, "", "value to compare with the memory content")

#define ROCECC_AETH_FIELDS(F, T)                                                       \
    F(T, UINT, syndrome, NULL, 8, "", "type and value of the acknowledgement")         \
    F(T, UINT, msn, NULL, 24, "", "number of messages completed by the responder")

#define ROCECC_ATOMICACKETH_FIELDS(F, T)                                               \
    F(T, HEX, original, NULL, 64, "", "value at the address before the operation")

#define ROCECC_IMMDT_FIELDS(F, T)                                                      \
    F(T, UINT, data, NULL, 32, "", "immediate data for the receiver")

#define ROCECC_IETH_FIELDS(F, T)                                                       \
    F(T, UINT, r_key, NULL, 32, "", "key to invalidate at the receiver")

#define ROCECC_SYNDROME_FIELDS(F, T)                                                   \
    F(T, BOOL, reserved, NULL, 1, "", "reserved high bit")                             \
    F(T, ENUM, type, "ack rnr_nak reserved nak", 2, "", "type of the acknowledgement") \
    F(T, UINT, value, NULL, 5, "", "credit code, timer code or NAK code")

#define ROCECC_EXT_FIELDS(F, T)                                                        \
    F(T, SET, present,                                                                 \
      "rdeth deth xrceth feth reth atomiceth aeth atomicacketh immdt ieth cnp", 0, "", \
      "set of the present headers")                                                    \
    F(T, UINT, rdeth.reserved, NULL, 8, "", "")                                        \
    F(T, UINT, rdeth.ee_context, NULL, 24, "",                                         \
      "end-to-end context of the Reliable Datagram")                                   \
    F(T, UINT, deth.q_key, NULL, 32, "", "key for access to the receive queue")        \
    F(T, UINT, deth.reserved, NULL, 8, "", "")                                         \
    F(T, UINT, deth.src_qp, NULL, 24, "", "queue pair of the sender")                  \
    F(T, UINT, xrceth.reserved, NULL, 8, "", "")                                       \
    F(T, UINT, xrceth.xrcsrq, NULL, 24, "",                                            \
      "XRC shared receive queue at the destination")                                   \
    F(T, UINT, feth.reserved, NULL, 26, "", "reserved bits")                           \
    F(T, UINT, feth.selectivity, NULL, 2, "",                                          \
      "FLUSH extent (0 range, 1 memory region)")                                       \
    F(T, UINT, feth.placement, NULL, 4, "",                                            \
      "placement (1 global visibility, 2 persistence, 3 both)")                        \
    F(T, HEX, reth.va, NULL, 64, "", "virtual address in the responder's memory")      \
    F(T, UINT, reth.r_key, NULL, 32, "", "key for access to the responder's memory")   \
    F(T, UINT, reth.dma_length, NULL, 32, "bytes",                                     \
      "number of bytes to read, write or flush")                                       \
    F(T, HEX, atomiceth.va, NULL, 64, "", "virtual address in the responder's memory") \
    F(T, UINT, atomiceth.r_key, NULL, 32, "",                                          \
      "key for access to the responder's memory")                                      \
    F(T, HEX, atomiceth.swap_or_add, NULL, 64, "", "value to swap in, or to add")      \
    F(T, HEX, atomiceth.compare, NULL, 64, "",                                         \
      "value to compare with the memory content")                                      \
    F(T, UINT, aeth.syndrome, NULL, 8, "", "type and value of the acknowledgement")    \
    F(T, UINT, aeth.msn, NULL, 24, "",                                                 \
      "number of messages completed by the responder")                                 \
    F(T, HEX, atomicacketh.original, NULL, 64, "",                                     \
      "value at the address before the operation")                                     \
    F(T, UINT, immdt.data, NULL, 32, "", "immediate data for the receiver")            \
    F(T, UINT, ieth.r_key, NULL, 32, "", "key to invalidate at the receiver")          \
    F(T, BYTES, cnp, NULL, 128, "", "reserved bytes of a CNP")

#endif /* ROCECC_FIELDS_EXT_H */
