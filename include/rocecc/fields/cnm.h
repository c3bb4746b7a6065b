/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CNM_H
#define ROCECC_FIELDS_CNM_H

/* cnm.h - field tables for wire/cnm.h, with rows as in field.h. */
#include "../wire/cnm.h"

#define ROCECC_CNM_VERDICT_NAMES                                                       \
    "taken cut_frame other_type many_tags data cut_pdu long_msdu cut_msdu "            \
    "new_version group_dst other_dst"

#define ROCECC_CNTAG_FIELDS(F, T)                                                      \
    F(T, UINT, flow_id, NULL, 16, "", "flow identifier chosen by the sender")

#define ROCECC_CNM_FIELDS(F, T)                                                        \
    F(T, UINT, version, NULL, 4, "", "version of the CNM")                             \
    F(T, UINT, reserved_v, NULL, 6, "", "reserved bits")                               \
    F(T, UINT, qntz_fb, NULL, 6, "", "quantised feedback, higher for more congestion") \
    F(T, HEX, cpid, NULL, 64, "", "identifier of the congestion point")                \
    F(T, INT, q_offset, NULL, 16, "64 bytes",                                          \
      "difference between queue length and set point")                                 \
    F(T, INT, q_delta, NULL, 16, "64 bytes",                                           \
      "change of the queue length between two samples")                                \
    F(T, UINT, encap_priority, NULL, 3, "", "priority of the sampled frame")           \
    F(T, UINT, encap_reserved, NULL, 13, "", "reserved bits")                          \
    F(T, MAC, encap_dst, NULL, 48, "", "destination address of the sampled frame")     \
    F(T, UINT, msdu_len, NULL, 16, "bytes", "MSDU length on the wire")                 \
    F(T, VIEW, msdu, NULL, 0, "", "first bytes of the sampled frame's MSDU")

#define ROCECC_CNM_HEAD_FIELDS(F, T)                                                   \
    F(T, MAC, head.dst, NULL, 48, "", "source address of the sampled frame")           \
    F(T, MAC, head.src, NULL, 48, "", "address of the congestion point")               \
    F(T, UINT, head.n_vlan, NULL, 0, "", "number of VLAN tags")                        \
    F(T, UINT, head.vlan[0].tpid, NULL, 16, "", "type of the tag, S-tag or C-tag")     \
    F(T, UINT, head.vlan[0].pcp, NULL, 3, "", "priority of the CNM")                   \
    F(T, BOOL, head.vlan[0].dei, NULL, 1, "", "drop eligible indicator")               \
    F(T, UINT, head.vlan[0].vid, NULL, 12, "", "VLAN identifier of the sampled frame") \
    F(T, UINT, head.vlan[1].tpid, NULL, 16, "", "type of the tag, S-tag or C-tag")     \
    F(T, UINT, head.vlan[1].pcp, NULL, 3, "", "priority of the CNM")                   \
    F(T, BOOL, head.vlan[1].dei, NULL, 1, "", "drop eligible indicator")               \
    F(T, UINT, head.vlan[1].vid, NULL, 12, "", "VLAN identifier of the sampled frame") \
    F(T, BOOL, head.tagged, NULL, 0, "", "presence of a CN-TAG")                       \
    F(T, UINT, head.flow_id, NULL, 16, "", "flow identifier of the sampled frame")

#define ROCECC_CNM_FRAME_FIELDS(F, T)                                                  \
    ROCECC_CNM_HEAD_FIELDS(F, T)                                                       \
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

#define ROCECC_CNM_CONFIG_FIELDS(F, T)                                                 \
    F(T, ENUM, signs, "A B C", 0, "", "signs of QOffset and QDelta")                   \
    F(T, BOOL, fixed_msdu, NULL, 0, "", "always emit 64 bytes of MSDU")                \
    F(T, BOOL, tolerate_long, NULL, 0, "", "accept an MSDU length above 64 as 64")     \
    F(T, BOOL, strict_version, NULL, 0, "", "accept only version 0")                   \
    F(T, MAC, station, NULL, 0, "", "accepted destination address")

#endif /* ROCECC_FIELDS_CNM_H */
