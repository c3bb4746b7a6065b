/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_NET_H
#define ROCECC_NET_H

/*
 * net.h - the plain values of a network that every room shares. Addresses are
 * bytes in wire order; numbers are in host order.
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

/* The ECN field: the low two bits of TOS and Traffic Class. RFC 3168, 5. */
typedef enum rocecc_ecn {
    ROCECC_ECN_NOT_ECT = 0,
    ROCECC_ECN_ECT1 = 1,
    ROCECC_ECN_ECT0 = 2,
    ROCECC_ECN_CE = 3
} rocecc_ecn;

/*
 * A 5-tuple. An IPv4 address stands here as the RoCEv2 GID does: ::ffff:a.b.c.d
 * (IBTA A17.4.5; RFC 4291, 2.5.5.2), so that one key serves both.
 */
typedef struct rocecc_flow {
    rocecc_ip6 src;
    rocecc_ip6 dst;
    uint16_t src_port;
    uint16_t dst_port;
    uint8_t proto;
} rocecc_flow;

#endif /* ROCECC_NET_H */
