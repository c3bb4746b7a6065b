/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CNP_H
#define ROCECC_WIRE_CNP_H

/*
 * cnp.h - the RoCEv2 Congestion Notification Packet (CNP). IBTA A17.9.3, Figure 6.
 *
 *   +-----------+-----------+------------+------------------+---------+---------+
 *   | IPv4   20 | UDP     8 | BTH     12 | reserved      16 | ICRC  4 |  60 or
 *   | IPv6   40 | dport     | OpCode     |                  |         |  80 bytes
 *   |           | 4791      | 0x81       | 0                |         |
 *   +-----------+-----------+------------+------------------+---------+---------+
 *
 *     8140ffff 40001234 00000000     BTH of a CNP to QP 0x1234 with B and M set;
 *                                    `odd` reports M
 *
 * The destination of a CE-marked packet sends a CNP to the packet's source. The values
 * in Figure 6 are mandatory only for senders. Of the fields that should be 0, a
 * receiver checks only TVer and PadCnt. The member `odd` shows which of the other
 * fields are not 0.
 */
#include "../net.h"
#include "bth.h"

#define ROCECC_CNP_UDP_LENGTH 40

/*
 * Deviations of a received CNP from Figure 6. A receiver should not drop a CNP because
 * of these deviations.
 */
#define ROCECC_CNP_ODD_SOLICITED 0x01u
#define ROCECC_CNP_ODD_MIGREQ 0x02u
#define ROCECC_CNP_ODD_ACK_REQ 0x04u
#define ROCECC_CNP_ODD_PSN 0x08u
#define ROCECC_CNP_ODD_RESV6 0x10u
#define ROCECC_CNP_ODD_RESV7 0x20u
#define ROCECC_CNP_ODD_RESERVED 0x40u /* a reserved byte is not 0 */
#define ROCECC_CNP_ODD_SHORT 0x80u    /* the 16 reserved bytes are missing */

typedef struct rocecc_cnp {
    rocecc_ip6 src; /* address of the CNP's sender; IPv4 if both addresses
                       are ::ffff:a.b.c.d */
    rocecc_ip6 dst; /* address of the host that must slow down */
    uint8_t dscp;   /* DSCP of the CNP; 6 bits; 34, 46 and 48 are in use */
    ROCECC_ENUM8_(rocecc_ecn) ecn; /* ECN codepoint of the CNP */
    uint8_t hop_limit;             /* Hop Limit, or TTL in IPv4 */
    uint32_t flow_label;           /* IPv6 flow label; 20 bits */
    uint16_t identification;       /* IPv4 Identification */
    uint16_t src_port;             /* UDP source port; see rocecc_udp_src_port() */
    uint16_t pkey;                 /* partition key; from the marked packet */
    bool fecn; /* forward explicit congestion notification; NVIDIA sends 0; A17 leaves
                  it open */
    bool becn; /* backward explicit congestion notification; NVIDIA sends 1; A17 leaves
                  it open */
    uint32_t dest_qp;  /* queue pair of the flow to slow down; 24 bits; a QP of the host
                          at dst; in a Fast CNP, a QP of the data packet's receiver */
    bool udp_checksum; /* presence of a UDP checksum; parse: true if it is not 0; build:
                          true computes it, false writes 0 */
    uint8_t odd;       /* deviations from the CNP format; ROCECC_CNP_ODD_... flags, set
                          by parse, ignored by build */
    uint8_t reserved[16]; /* reserved bytes after the BTH; set by parse, ignored by
                             build; drafts may use them */
} rocecc_cnp;

/*
 * Returns a CNP with DSCP 48, Not-ECT, hop limit 64, B set and P_Key 0xffff. The caller
 * must set the addresses, src_port and dest_qp.
 */
ROCECC_FN rocecc_cnp rocecc_cnp_default(void)
{
    rocecc_cnp h = ROCECC_ZERO;
    h.dscp = 48;
    h.hop_limit = 64;
    h.pkey = 0xffff;
    h.becn = true;
    return h;
}

/*
 * Returns the ROCECC_CNP_ODD_... flags of a CNP. `header` is the CNP's BTH. `reserved`
 * must hold the CNP's 16 reserved bytes or be empty.
 */
ROCECC_FN uint8_t rocecc_cnp_odd(const rocecc_bth *header, rocecc_reader reserved)
{
    const uint8_t *b = rocecc_take(&reserved, 16);
    const uint64_t any = b != NULL ? rocecc_load64(b) | rocecc_load64(b + 8) : 0;
    return (uint8_t)((header->solicited ? ROCECC_CNP_ODD_SOLICITED : 0) |
                     (header->migreq ? ROCECC_CNP_ODD_MIGREQ : 0) |
                     (header->ack_req ? ROCECC_CNP_ODD_ACK_REQ : 0) |
                     (header->psn != 0 ? ROCECC_CNP_ODD_PSN : 0) |
                     (header->resv6 != 0 ? ROCECC_CNP_ODD_RESV6 : 0) |
                     (header->resv7 != 0 ? ROCECC_CNP_ODD_RESV7 : 0) |
                     (any != 0 ? ROCECC_CNP_ODD_RESERVED : 0) |
                     (b == NULL ? ROCECC_CNP_ODD_SHORT : 0));
}

#endif /* ROCECC_WIRE_CNP_H */
