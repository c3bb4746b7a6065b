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
    F(T, UINT, cw_q32, NULL, 0, "2^-32 packets", "the congestion window")              \
    F(T, UINT, in_flight, NULL, 0, "packets", "sent and not confirmed")                \
    F(T, UINT, acked, NULL, 0, "packets", "confirmed in fast start")                   \
    F(T, UINT, recover, NULL, 0, "packets", "to confirm before another cut")           \
    F(T, UINT, last_send_ns, NULL, 0, "ns", "when the last packet left")               \
    F(T, UINT, stable, NULL, 0, "", "fast start is over")                              \
    F(T, UINT, first_rtt, NULL, 0, "", "still in the first round trip")                \
    F(T, UINT, has_sent, NULL, 0, "", "a packet has left")                             \
    F(T, UINT, unheard, NULL, 0, "", "no ACK since the last loss")

#define ROCECC_LDCP_RECEIVER_STATE_FIELDS(F, T)                                        \
    F(T, UINT, pending, NULL, 0, "packets", "received and not yet confirmed")

#define ROCECC_LDCP_SPACE_STATE_FIELDS(F, T)                                           \
    F(T, UINT, lsn, NULL, 0, "", "next number in bytes")                               \
    F(T, UINT, packet, NULL, 0, "", "next number in packets")

#endif /* ROCECC_FIELDS_LDCP_H */
