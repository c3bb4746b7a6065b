/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_EXT_H
#define ROCECC_FIELDS_EXT_H

/* ext.h - field tables for wire/ext.h, with rows as in field.h. */
#include "../wire/ext.h"

#define ROCECC_RDETH_FIELDS(F, T)                                                      \
    F(T, UINT, reserved, NULL, 8, "", "reserved")                                      \
    F(T, UINT, ee_context, NULL, 24, "", "end-to-end context of RD")

#define ROCECC_DETH_FIELDS(F, T)                                                       \
    F(T, UINT, q_key, NULL, 32, "", "key of the datagram queue")                       \
    F(T, UINT, reserved, NULL, 8, "", "reserved")                                      \
    F(T, UINT, src_qp, NULL, 24, "", "queue pair that sent it")

#define ROCECC_XRCETH_FIELDS(F, T)                                                     \
    F(T, UINT, reserved, NULL, 8, "", "reserved")                                      \
    F(T, UINT, xrcsrq, NULL, 24, "", "shared receive queue of XRC")

#define ROCECC_FETH_FIELDS(F, T)                                                       \
    F(T, UINT, reserved, NULL, 26, "", "reserved")                                     \
    F(T, UINT, selectivity, NULL, 2, "", "a region, or a range of it")                 \
    F(T, UINT, placement, NULL, 4, "", "visible, or also persistent")

#define ROCECC_RETH_FIELDS(F, T)                                                       \
    F(T, HEX, va, NULL, 64, "", "address in the remote memory")                        \
    F(T, UINT, r_key, NULL, 32, "", "key to the remote memory")                        \
    F(T, UINT, dma_length, NULL, 32, "bytes", "how much to read or write")

#define ROCECC_ATOMICETH_FIELDS(F, T)                                                  \
    F(T, HEX, va, NULL, 64, "", "address in the remote memory")                        \
    F(T, UINT, r_key, NULL, 32, "", "key to the remote memory")                        \
    F(T, HEX, swap_or_add, NULL, 64, "", "operand to swap or add")                     \
    F(T, HEX, compare, NULL, 64, "", "operand to compare with")

#define ROCECC_AETH_FIELDS(F, T)                                                       \
    F(T, UINT, syndrome, NULL, 8, "", "ACK or NAK, and why")                           \
    F(T, UINT, msn, NULL, 24, "", "messages completed, modulo 2^24")

#define ROCECC_ATOMICACKETH_FIELDS(F, T)                                               \
    F(T, HEX, original, NULL, 64, "", "what was there before")

#define ROCECC_IMMDT_FIELDS(F, T)                                                      \
    F(T, UINT, data, NULL, 32, "", "immediate data for the receiver")

#define ROCECC_IETH_FIELDS(F, T)                                                       \
    F(T, UINT, r_key, NULL, 32, "", "key that is no longer valid")

#define ROCECC_SYNDROME_FIELDS(F, T)                                                   \
    F(T, BOOL, reserved, NULL, 1, "", "reserved")                                      \
    F(T, ENUM, type, "ack rnr_nak reserved nak", 2, "",                                \
      "ACK, NAK, or receiver not ready")                                               \
    F(T, UINT, value, NULL, 5, "", "credits, timer or code of it")

#define ROCECC_EXT_FIELDS(F, T)                                                        \
    F(T, SET, present,                                                                 \
      "rdeth deth xrceth feth reth atomiceth aeth atomicacketh immdt ieth cnp", 0, "", \
      "which of the headers are there")                                                \
    F(T, UINT, rdeth.reserved, NULL, 8, "", "reserved")                                \
    F(T, UINT, rdeth.ee_context, NULL, 24, "", "end-to-end context of RD")             \
    F(T, UINT, deth.q_key, NULL, 32, "", "key of the datagram queue")                  \
    F(T, UINT, deth.reserved, NULL, 8, "", "reserved")                                 \
    F(T, UINT, deth.src_qp, NULL, 24, "", "queue pair that sent it")                   \
    F(T, UINT, xrceth.reserved, NULL, 8, "", "reserved")                               \
    F(T, UINT, xrceth.xrcsrq, NULL, 24, "", "shared receive queue of XRC")             \
    F(T, UINT, feth.reserved, NULL, 26, "", "reserved")                                \
    F(T, UINT, feth.selectivity, NULL, 2, "", "a region, or a range of it")            \
    F(T, UINT, feth.placement, NULL, 4, "", "visible, or also persistent")             \
    F(T, HEX, reth.va, NULL, 64, "", "address in the remote memory")                   \
    F(T, UINT, reth.r_key, NULL, 32, "", "key to the remote memory")                   \
    F(T, UINT, reth.dma_length, NULL, 32, "bytes", "how much to read or write")        \
    F(T, HEX, atomiceth.va, NULL, 64, "", "address in the remote memory")              \
    F(T, UINT, atomiceth.r_key, NULL, 32, "", "key to the remote memory")              \
    F(T, HEX, atomiceth.swap_or_add, NULL, 64, "", "operand to swap or add")           \
    F(T, HEX, atomiceth.compare, NULL, 64, "", "operand to compare with")              \
    F(T, UINT, aeth.syndrome, NULL, 8, "", "ACK or NAK, and why")                      \
    F(T, UINT, aeth.msn, NULL, 24, "", "messages completed, modulo 2^24")              \
    F(T, HEX, atomicacketh.original, NULL, 64, "", "what was there before")            \
    F(T, UINT, immdt.data, NULL, 32, "", "immediate data for the receiver")            \
    F(T, UINT, ieth.r_key, NULL, 32, "", "key that is no longer valid")                \
    F(T, BYTES, cnp, NULL, 128, "", "reserved bytes of a CNP")

#endif /* ROCECC_FIELDS_EXT_H */
