/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CNP_H
#define ROCECC_FIELDS_CNP_H

/* cnp.h - field tables for wire/cnp.h, with rows as in field.h. */
#include "../wire/cnp.h"

#define ROCECC_CNP_FIELDS(F, T)                                                        \
    F(T, IP6, src, NULL, 0, "", "address of the CNP's sender")                         \
    F(T, IP6, dst, NULL, 0, "", "address of the host that must slow down")             \
    F(T, UINT, dscp, NULL, 6, "", "DSCP of the CNP")                                   \
    F(T, UINT, ecn, NULL, 2, "", "ECN codepoint of the CNP")                           \
    F(T, UINT, hop_limit, NULL, 8, "", "Hop Limit, or TTL in IPv4")                    \
    F(T, UINT, flow_label, NULL, 20, "", "IPv6 flow label")                            \
    F(T, UINT, identification, NULL, 16, "", "IPv4 Identification")                    \
    F(T, UINT, src_port, NULL, 16, "", "UDP source port")                              \
    F(T, UINT, pkey, NULL, 16, "", "partition key")                                    \
    F(T, BOOL, fecn, NULL, 1, "", "forward explicit congestion notification")          \
    F(T, BOOL, becn, NULL, 1, "", "backward explicit congestion notification")         \
    F(T, UINT, dest_qp, NULL, 24, "", "queue pair of the flow to slow down")           \
    F(T, BOOL, udp_checksum, NULL, 0, "", "presence of a UDP checksum")                \
    F(T, SET, odd, "solicited migreq ack_req psn resv6 resv7 reserved short", 0, "",   \
      "deviations from the CNP format")                                                \
    F(T, BYTES, reserved, NULL, 128, "", "reserved bytes after the BTH")

#endif /* ROCECC_FIELDS_CNP_H */
