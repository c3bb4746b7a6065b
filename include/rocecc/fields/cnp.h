/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CNP_H
#define ROCECC_FIELDS_CNP_H

/* cnp.h - field tables for wire/cnp.h, with rows as in field.h. */
#include "../wire/cnp.h"

#define ROCECC_CNP_FIELDS(F, T)                                                        \
    F(T, IP6, src, NULL, 0, "", "sender of the CNP")                                   \
    F(T, IP6, dst, NULL, 0, "", "whose sending is to slow down")                       \
    F(T, UINT, dscp, NULL, 6, "", "class of service of the packet")                    \
    F(T, UINT, ecn, NULL, 2, "", "ECN codepoint of the packet")                        \
    F(T, UINT, hop_limit, NULL, 8, "", "hops left, TTL in IPv4")                       \
    F(T, UINT, flow_label, NULL, 20, "", "flow label, of IPv6")                        \
    F(T, UINT, identification, NULL, 16, "", "number of the datagram, IPv4")           \
    F(T, UINT, src_port, NULL, 16, "", "UDP source port")                              \
    F(T, UINT, pkey, NULL, 16, "", "partition the packet belongs to")                  \
    F(T, BOOL, fecn, NULL, 1, "", "congestion was met going forward")                  \
    F(T, BOOL, becn, NULL, 1, "", "congestion, back to the sender")                    \
    F(T, UINT, dest_qp, NULL, 24, "", "queue pair that is to slow down")               \
    F(T, BOOL, udp_checksum, NULL, 0, "", "whether UDP has a checksum")                \
    F(T, SET, odd, "solicited migreq ack_req psn resv6 resv7 reserved short", 0, "",   \
      "what is unusual about it")                                                      \
    F(T, BYTES, reserved, NULL, 128, "", "reserved, drafts put options here")

#endif /* ROCECC_FIELDS_CNP_H */
