/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_L3QCN_H
#define ROCECC_FIELDS_L3QCN_H

/* l3qcn.h - field tables for wire/l3qcn.h, with rows as in field.h. */
#include "../wire/l3qcn.h"

#define ROCECC_L3QCN_VERDICT_NAMES                                                     \
    "taken other cut not_magic new_version bad_header_length bad_total_length "        \
    "wrong_family spoofed long_msdu "                                                  \
    "cut_msdu cnm_version"

#define ROCECC_L3QCN_FIELDS(F, T)                                                      \
    F(T, IP6, src, NULL, 0, "", "source address of the flow")                          \
    F(T, IP6, dst, NULL, 0, "", "destination address of the flow")                     \
    F(T, BOOL, ports, NULL, 1, "", "src_port and dst_port are valid")                  \
    F(T, UINT, src_port, NULL, 16, "", "source port of the flow")                      \
    F(T, UINT, dst_port, NULL, 16, "", "destination port of the flow")                 \
    F(T, UINT, proto, NULL, 8, "", "IP protocol of the flow")                          \
    F(T, UINT, flags, NULL, 2, "", "reserved flags")                                   \
    F(T, UINT, reserved, NULL, 8, "", "reserved bits")                                 \
    F(T, VIEW, extension, NULL, 0, "", "header extension from later senders")          \
    F(T, UINT, cnm.version, NULL, 4, "", "version of the CNM")                         \
    F(T, UINT, cnm.reserved_v, NULL, 6, "", "reserved bits")                           \
    F(T, UINT, cnm.qntz_fb, NULL, 6, "",                                               \
      "quantised feedback, higher for more congestion")                                \
    F(T, HEX, cnm.cpid, NULL, 64, "", "identifier of the congestion point")            \
    F(T, INT, cnm.q_offset, NULL, 16, "64 bytes",                                      \
      "difference between queue length and set point")                                 \
    F(T, INT, cnm.q_delta, NULL, 16, "64 bytes",                                       \
      "change of the queue length between two samples")                                \
    F(T, UINT, cnm.encap_priority, NULL, 3, "", "priority of the sampled frame")       \
    F(T, UINT, cnm.encap_reserved, NULL, 13, "", "reserved bits")                      \
    F(T, MAC, cnm.encap_dst, NULL, 48, "", "destination address of the sampled frame") \
    F(T, UINT, cnm.msdu_len, NULL, 16, "bytes", "MSDU length on the wire")             \
    F(T, VIEW, cnm.msdu, NULL, 0, "", "first bytes of the sampled frame's MSDU")

#endif /* ROCECC_FIELDS_L3QCN_H */
