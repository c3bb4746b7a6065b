/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_LDCP_H
#define ROCECC_FIELDS_LDCP_H

/* ldcp.h - field tables for algo/ldcp.h, with rows as in field.h. */
#include "../algo/ldcp.h"

#define ROCECC_LDCP_REFUSAL_NAMES                                                      \
    "accepted alpha beta gamma eta iw cw_max loss_floor m mtu"

#define ROCECC_LDCP_PARAMS(P, T)                                                       \
    P(T, UINT, alpha_q16, NULL, "packets Q16", "1 .. 65536", "draft 2.2; HNS 1")       \
    P(T, UINT, beta_q16, NULL, "packets Q16", "1 .. 65536", "draft 2.2; HNS 1/2")      \
    P(T, UINT, gamma_q16, NULL, "packets Q16", "1 .. 65536", "draft 2.2; HNS 1/4")     \
    P(T, UINT, eta_q16, NULL, "Q16", "0 .. 65535", "draft 2.2; HNS 1/2")               \
    P(T, UINT, iw_packets, NULL, "packets", "1 .. 65535", "draft 2.3: BDP")            \
    P(T, UINT, cw_max_packets, NULL, "packets", "0, IW .. 65535", "G3; 0: 65535")      \
    P(T, UINT, loss_floor_packets, NULL, "packets", "1 .. IW", "G7")                   \
    P(T, UINT, m_packets, NULL, "packets", "1 .. 65535", "draft 2.2")                  \
    P(T, UINT, mtu_bytes, NULL, "bytes", "1 .. 65535", "host")                         \
    P(T, BOOL, split, NULL, "", "0, 1", "G11")                                         \
    P(T, BOOL, continuous, NULL, "", "0, 1", "the cure")

#define ROCECC_LDCP_STATE_FIELDS(F, T)                                                 \
    F(T, UINT, cw_q32, NULL, 0, "2^-32 packets", "congestion window")                  \
    F(T, UINT, in_flight, NULL, 0, "packets", "packets sent but not acknowledged")     \
    F(T, UINT, acked, NULL, 0, "packets", "packets acknowledged in fast start")        \
    F(T, UINT, recover, NULL, 0, "packets",                                            \
      "packets to acknowledge before a NAK cuts again")                                \
    F(T, UINT, last_send_ns, NULL, 0, "ns", "send time of the last packet")            \
    F(T, UINT, stable, NULL, 0, "", "1 after fast start")                              \
    F(T, UINT, first_rtt, NULL, 0, "", "1 in the first round trip")                    \
    F(T, UINT, has_sent, NULL, 0, "", "1 if a packet has been sent")                   \
    F(T, UINT, unheard, NULL, 0, "", "1 if no ACK followed the last loss")

#define ROCECC_LDCP_RECEIVER_STATE_FIELDS(F, T)                                        \
    F(T, UINT, pending, NULL, 0, "packets", "unmarked packets not acknowledged yet")

#define ROCECC_LDCP_SPACE_STATE_FIELDS(F, T)                                           \
    F(T, UINT, lsn, NULL, 0, "", "LSN of the first unacknowledged byte")               \
    F(T, UINT, packet, NULL, 0, "", "number of the first unacknowledged packet")

#endif /* ROCECC_FIELDS_LDCP_H */
