/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_NET_H
#define ROCECC_NET_H

/*
 * net.h - basic network types that all rocecc headers share. Addresses are bytes in
 * wire order. Numbers are in host order.
 *
 *     10.0.17.1     rocecc_ip4 {10, 0, 17, 1}; ::ffff:a00:1101 in a flow
 *     port 4791     4791, and 12 b7 on the wire
 */
#include "base.h"

typedef struct rocecc_mac {
    uint8_t b[6];
} rocecc_mac;

typedef struct rocecc_ip4 {
    uint8_t b[4];
} rocecc_ip4;

typedef struct rocecc_ip6 {
    uint8_t b[16];
} rocecc_ip6;

/* The ECN field, the low two bits of TOS or Traffic Class (RFC 3168, section 5). */
typedef enum rocecc_ecn_ {
    ROCECC_ECN_NOT_ECT = 0,
    ROCECC_ECN_ECT1 = 1,
    ROCECC_ECN_ECT0 = 2,
    ROCECC_ECN_CE = 3
} ROCECC_IN_8_BITS_(rocecc_ecn);

/*
 * A 5-tuple. An IPv4 address a.b.c.d is stored as ::ffff:a.b.c.d, as in a RoCEv2 GID
 * (IBTA A17.4.5; RFC 4291, 2.5.5.2), so one key serves both IP versions.
 */
typedef struct rocecc_flow {
    rocecc_ip6 src;
    rocecc_ip6 dst;
    uint16_t src_port;
    uint16_t dst_port;
    uint8_t proto;
} rocecc_flow;

/*
 * Returns true if flows of this protocol have ports (TCP, UDP, DCCP, SCTP, UDP-Lite).
 * The ports of all other flows are 0.
 */
ROCECC_FN bool rocecc_flow_has_ports(uint8_t proto)
{
    return proto == 6 || proto == 17 || proto == 33 || proto == 132 || proto == 136;
}

/* Returns true if two flows are equal. */
ROCECC_FN bool rocecc_flow_match(const rocecc_flow *a, const rocecc_flow *b)
{
    uint8_t differ = a->proto ^ b->proto; /* in BPF, one branch instead of 16 */
    int i;
    for (i = 0; i < 16; i++)
        differ |= (uint8_t)((a->src.b[i] ^ b->src.b[i]) | (a->dst.b[i] ^ b->dst.b[i]));
    return differ == 0 && a->src_port == b->src_port && a->dst_port == b->dst_port;
}

#endif /* ROCECC_NET_H */
