/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CNM_H
#define ROCECC_FIELDS_CNM_H

/* cnm.h - field tables for wire/cnm.h, with rows as in field.h. */
#include "../wire/cnm.h"

#define ROCECC_CNM_VERDICT_NAMES                                                       \
    "taken cut_frame other_type many_tags data cut_pdu long_msdu cut_msdu "            \
    "new_version group_dst other_dst"

#define ROCECC_CNTAG_FIELDS(F, T)                                                      \
    F(T, UINT, flow_id, NULL, 16, "", "the sender's number of the flow")

#define ROCECC_CNM_FIELDS(F, T)                                                        \
    F(T, UINT, version, NULL, 4, "", "version of the message")                         \
    F(T, UINT, reserved_v, NULL, 6, "", "reserved, ignored on receipt")                \
    F(T, UINT, qntz_fb, NULL, 6, "", "how much to slow down")                          \
    F(T, HEX, cpid, NULL, 64, "", "which congestion point it is")                      \
    F(T, INT, q_offset, NULL, 16, "64 bytes", "queue from its set point")              \
    F(T, INT, q_delta, NULL, 16, "64 bytes", "how the queue has changed")              \
    F(T, UINT, encap_priority, NULL, 3, "", "priority of the frame sampled")           \
    F(T, UINT, encap_reserved, NULL, 13, "", "reserved, ignored on receipt")           \
    F(T, MAC, encap_dst, NULL, 48, "", "destination of the frame sampled")             \
    F(T, UINT, msdu_len, NULL, 16, "bytes", "of that frame's first bytes")             \
    F(T, VIEW, msdu, NULL, 0, "", "first bytes of that frame")

#define ROCECC_CNM_HEAD_FIELDS(F, T)                                                   \
    F(T, MAC, head.dst, NULL, 48, "", "source of the frame sampled")                   \
    F(T, MAC, head.src, NULL, 48, "", "the congestion point's address")                \
    F(T, UINT, head.n_vlan, NULL, 0, "", "how many VLAN tags")                         \
    F(T, UINT, head.vlan[0].tpid, NULL, 16, "", "kind of the outer tag")               \
    F(T, UINT, head.vlan[0].pcp, NULL, 3, "", "priority")                              \
    F(T, BOOL, head.vlan[0].dei, NULL, 1, "", "may be dropped first")                  \
    F(T, UINT, head.vlan[0].vid, NULL, 12, "", "VLAN of the frame sampled")            \
    F(T, UINT, head.vlan[1].tpid, NULL, 16, "", "kind of the inner tag")               \
    F(T, UINT, head.vlan[1].pcp, NULL, 3, "", "priority")                              \
    F(T, BOOL, head.vlan[1].dei, NULL, 1, "", "may be dropped first")                  \
    F(T, UINT, head.vlan[1].vid, NULL, 12, "", "VLAN of the frame sampled")            \
    F(T, BOOL, head.tagged, NULL, 0, "", "there is a CN-TAG")                          \
    F(T, UINT, head.flow_id, NULL, 16, "", "the sender's number of the flow")

#define ROCECC_CNM_FRAME_FIELDS(F, T)                                                  \
    ROCECC_CNM_HEAD_FIELDS(F, T)                                                       \
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

#define ROCECC_CNM_CONFIG_FIELDS(F, T)                                                 \
    F(T, ENUM, signs, "A B C", 0, "", "how offset and delta are signed")               \
    F(T, BOOL, fixed_msdu, NULL, 0, "", "always send 64 bytes")                        \
    F(T, BOOL, tolerate_long, NULL, 0, "", "a longer length is taken as 64")           \
    F(T, BOOL, strict_version, NULL, 0, "", "the version has to be 0")                 \
    F(T, MAC, station, NULL, 0, "", "whose CNMs are taken")

#endif /* ROCECC_FIELDS_CNM_H */
