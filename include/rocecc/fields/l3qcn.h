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
    F(T, IP6, src, NULL, 0, "", "source of the flow, 4 or 16 bytes")                   \
    F(T, IP6, dst, NULL, 0, "", "destination of the flow, 4 or 16 bytes")              \
    F(T, BOOL, ports, NULL, 1, "", "the ports are valid")                              \
    F(T, UINT, src_port, NULL, 16, "", "source port of the flow")                      \
    F(T, UINT, dst_port, NULL, 16, "", "destination port of the flow")                 \
    F(T, UINT, proto, NULL, 8, "", "IP protocol of the flow")                          \
    F(T, UINT, flags, NULL, 2, "", "reserved, ignored on receipt")                     \
    F(T, UINT, reserved, NULL, 8, "", "reserved, ignored on receipt")                  \
    F(T, VIEW, extension, NULL, 0, "", "what a later version says")                    \
    F(T, UINT, cnm.version, NULL, 4, "", "version of the message")                     \
    F(T, UINT, cnm.reserved_v, NULL, 6, "", "reserved, ignored on receipt")            \
    F(T, UINT, cnm.qntz_fb, NULL, 6, "", "how much to slow down")                      \
    F(T, HEX, cnm.cpid, NULL, 64, "", "which congestion point it is")                  \
    F(T, INT, cnm.q_offset, NULL, 16, "64 bytes", "queue from its set point")          \
    F(T, INT, cnm.q_delta, NULL, 16, "64 bytes", "how the queue has changed")          \
    F(T, UINT, cnm.encap_priority, NULL, 3, "", "priority of the frame sampled")       \
    F(T, UINT, cnm.encap_reserved, NULL, 13, "", "reserved, ignored on receipt")       \
    F(T, MAC, cnm.encap_dst, NULL, 48, "", "destination of the frame sampled")         \
    F(T, UINT, cnm.msdu_len, NULL, 16, "bytes", "of that frame's first bytes")         \
    F(T, VIEW, cnm.msdu, NULL, 0, "", "first bytes of that frame")

#endif /* ROCECC_FIELDS_L3QCN_H */
