/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IPADDR_H
#define ROCECC_WIRE_IPADDR_H

/*
 * ipaddr.h - functions to load, store, convert and check IP addresses. RFC 4291; RFC
 * 1122, 3.2.1.3.
 *
 *     10.0.17.1 becomes ::ffff:a00:1101, a host; 224.0.0.1 and ff02::1 are not hosts
 *
 * load() and store() use wire order.
 */
#include "../bytes.h"
#include "../net.h"

/* Loads an IPv4 address from 4 bytes. */
ROCECC_FN rocecc_ip4 rocecc_ip4_load(const uint8_t *bytes)
{
    rocecc_ip4 a;
    int i;
    for (i = 0; i < 4; i++)
        a.b[i] = bytes[i];
    return a;
}

/* Writes 4 bytes. */
ROCECC_FN void rocecc_ip4_store(uint8_t *bytes, const rocecc_ip4 *address)
{
    int i;
    for (i = 0; i < 4; i++)
        bytes[i] = address->b[i];
}

/* Loads an IPv6 address from 16 bytes. */
ROCECC_FN rocecc_ip6 rocecc_ip6_load(const uint8_t *bytes)
{
    rocecc_ip6 a;
    int i;
    for (i = 0; i < 16; i++)
        a.b[i] = bytes[i];
    return a;
}

/* Writes 16 bytes. */
ROCECC_FN void rocecc_ip6_store(uint8_t *bytes, const rocecc_ip6 *address)
{
    const rocecc_ip6 a = *address; /* cannot alias bytes, so compilers copy it whole */
    int i;
    for (i = 0; i < 16; i++)
        bytes[i] = a.b[i];
}

/*
 * Returns an IPv4 address as the IPv6 address ::ffff:a.b.c.d (RFC 4291, 2.5.5.2), which
 * is also the RoCEv2 GID of the IPv4 address (IBTA A17.4.5).
 */
ROCECC_FN rocecc_ip6 rocecc_ip6_of_ip4(const rocecc_ip4 *address)
{
    rocecc_ip6 m = {{0}};
    m.b[10] = m.b[11] = 0xff;
    rocecc_ip4_store(m.b + 12, address);
    return m;
}

/* Returns true if two addresses are the same. */
ROCECC_FN bool rocecc_ip6_match(const rocecc_ip6 *a, const rocecc_ip6 *b)
{
    return rocecc_load64(a->b) == rocecc_load64(b->b) &&
           rocecc_load64(a->b + 8) == rocecc_load64(b->b + 8);
}

/* Returns true if an address is an IPv4 address in the form ::ffff:a.b.c.d. */
ROCECC_FN bool rocecc_ip6_is_ip4(const rocecc_ip6 *address)
{
    return rocecc_load64(address->b) == 0 &&
           rocecc_load32(address->b + 8) == 0x0000ffff;
}

/*
 * Returns true if an address is allowed as the source of an IPv6 packet. Returns false
 * for ::, ::1 and multicast addresses (RFC 4291, 2.5.2, 2.5.3, 2.7), and for
 * ::ffff:a.b.c.d.
 */
ROCECC_FN bool rocecc_ip6_is_source(const rocecc_ip6 *address)
{
    const uint64_t rest = rocecc_load64(address->b + 8);
    if (rocecc_load64(address->b) != 0) return address->b[0] != 0xff;
    return rest > 1 && rest >> 32 != 0xffff;
}

/*
 * Returns true if an address is allowed as the source of an IPv4 or IPv6 packet. The
 * first byte of an IPv4 address (as ::ffff:a.b.c.d) must not be 0 or 127 (RFC 1122,
 * 3.2.1.3), and must be below 224, where multicast begins (RFC 1112, 4). For IPv6, see
 * rocecc_ip6_is_source().
 */
ROCECC_FN bool rocecc_ip6_is_host(const rocecc_ip6 *address)
{
    if (!rocecc_ip6_is_ip4(address)) return rocecc_ip6_is_source(address);
    return address->b[12] != 0 && address->b[12] != 127 && address->b[12] < 0xe0;
}

/* Returns true for a multicast group: ff00::/8, or 224.0.0.0/4 as ::ffff:a.b.c.d. */
ROCECC_FN bool rocecc_ip6_is_group(const rocecc_ip6 *address)
{
    return rocecc_ip6_is_ip4(address) ? address->b[12] >> 4 == 0xe
                                      : address->b[0] == 0xff;
}

/*
 * Returns true for addresses that are valid only on one link: fe80::/10 (RFC 4291,
 * 2.5.6), multicast groups of scope 0 to 2 (RFC 4291, 2.7), 169.254.0.0/16 (RFC 3927,
 * 2.7) and 224.0.0.0/24 (RFC 5771, 4). Routers must not forward packets from or to
 * these addresses. Returns false for loopback addresses and 255.255.255.255.
 */
ROCECC_FN bool rocecc_ip6_is_link_local(const rocecc_ip6 *address)
{
    const uint8_t *b = address->b;
    if (rocecc_ip6_is_ip4(address))
        return (b[12] == 169 && b[13] == 254) ||
               (b[12] == 224 && b[13] == 0 && b[14] == 0);
    return (b[0] == 0xfe && b[1] >> 6 == 2) || (b[0] == 0xff && (b[1] & 0xf) <= 2);
}

#endif /* ROCECC_WIRE_IPADDR_H */
