/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_IP_H
#define TESTS_LAW_IP_H

#include "law.h"
#include "rocecc/fields/ip.h"

/* Keeps a record in memory for BPF. An address in 16 registers would fill the stack. */
#if defined(__bpf__)
#define LAW_IN_MEMORY(p) __asm__ volatile("" : : "r"(p) : "memory")
#else
#define LAW_IN_MEMORY(p) ((void)(p))
#endif

#define LAW_IPV4_MAX_BYTES (ROCECC_IPV4_BYTES + ROCECC_IPV4_OPTIONS_MAX_BYTES)

/* Returns true if a pseudo-header's sum is the sum of its n bytes at b, at most 40. */
LAW_FN bool law_pseudo(uint32_t sum, const uint8_t *b, size_t n)
{
    const rocecc_reader bytes = law_reader(b, n);
    return rocecc_checksum_final(sum) ==
           rocecc_checksum_final(rocecc_checksum_update(0, bytes));
}

LAW_FN bool law_pseudo4(const rocecc_ipv4 *h, uint16_t length)
{
    uint8_t b[12] = {0};
    rocecc_ip4_store(b, &h->src);
    rocecc_ip4_store(b + 4, &h->dst);
    b[9] = h->protocol;
    rocecc_store16(b + 10, length);
    return law_pseudo(rocecc_checksum_pseudo4(h, length), b, sizeof b);
}

LAW_FN bool law_pseudo6(const rocecc_ipv6 *h, uint8_t proto, uint32_t length)
{
    uint8_t b[40] = {0};
    rocecc_ip6_store(b, &h->src);
    rocecc_ip6_store(b + 16, &h->dst);
    rocecc_store32(b + 32, length);
    b[39] = proto;
    return law_pseudo(rocecc_checksum_pseudo6(h, proto, length), b, sizeof b);
}

/* Returns true if a sum in two pieces, the first of even length, is the whole sum. */
LAW_FN bool law_pieces(rocecc_reader r)
{
    const uint32_t whole = rocecc_checksum_update(0, r);
    const size_t half = rocecc_left(&r) / 4 * 2;
    rocecc_reader first;
    uint32_t sum;
    if (!rocecc_split(&r, half, &first)) return false;
    sum = rocecc_checksum_update(rocecc_checksum_update(0, first), r);
    return rocecc_checksum_final(sum) == rocecc_checksum_final(whole);
}

/* Returns the expected status of rocecc_ipv4_parse(). */
LAW_FN rocecc_status law_ipv4_status(rocecc_reader r)
{
    const size_t left = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, 4);
    size_t ihl;
    if (b == NULL || left < ROCECC_IPV4_BYTES) return ROCECC_ERR_SHORT;
    ihl = b[0] & 0xf;
    if ((b[0] & 0xf0) != 0x40 || ihl < 5) return ROCECC_ERR_FORMAT;
    if ((size_t)b[2] * 256 + b[3] < 4 * ihl) return ROCECC_ERR_FORMAT;
    return left < 4 * ihl ? ROCECC_ERR_SHORT : ROCECC_OK;
}

/* Returns true if the address maps to IPv6, and is not IPv4 with another prefix. */
LAW_FN bool law_ip6_of_ip4(const rocecc_ip4 *a)
{
    rocecc_ip6 m = rocecc_ip6_of_ip4(a);
    if (!rocecc_ip6_is_ip4(&m)) return false;
    if (rocecc_load32(m.b + 12) != rocecc_load32(a->b)) return false;
    m.b[9] ^= 0x10;
    return !rocecc_ip6_is_ip4(&m);
}

/*
 * Checks that the header is emitted again. With its right checksum the sum is 0, also
 * after a hop patches TTL and checksum.
 */
LAW_FN uint32_t law_ipv4(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, LAW_IPV4_MAX_BYTES); /* zeros after it do not change a sum */
    rocecc_reader rest = r, header = r, same;
    rocecc_writer w = law_writer(back, LAW_IPV4_MAX_BYTES);
    rocecc_ipv4 h;
    int i;
    uint16_t was, is, patched;
    rocecc_status status;
    LAW_IN_MEMORY(&h);
    status = rocecc_ipv4_parse(&rest, &h);
    LAW_IN_MEMORY(&h);
    digest = law_mix(digest, status);
    LAW(status == law_ipv4_status(r));
    LAW(rest.at == r.at || status == ROCECC_OK);
    if (status != ROCECC_OK) return digest;
    LAW(rest.at - r.at == ROCECC_IPV4_BYTES + rocecc_left(&h.options));
    LAW_FIELDS(ROCECC_IPV4_FIELDS, &h)

    LAW(rocecc_ipv4_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == rest.at - r.at);
    LAW(rocecc_split(&header, (size_t)(back[0] & 0xf) * 4, &header));
    same = header;
    for (i = 0; i < LAW_IPV4_MAX_BYTES; i++) {
        const uint8_t *b = rocecc_take(&same, 1);
        if (b == NULL) break;
        LAW(*b == back[i]);
    }
    h.header_checksum = rocecc_ipv4_checksum(header);
    digest = law_mix(digest, h.header_checksum);
    digest = law_mix(digest, rocecc_checksum_final(rocecc_checksum_update(0, header)));
    was = rocecc_load16(back + 8);
    is = (uint16_t)(was - 0x100); /* a hop decrements TTL */
    patched = rocecc_checksum_patch(h.header_checksum, was, is);
    digest = law_mix(digest, patched);
    digest = law_mix(digest, rocecc_checksum_final(rocecc_checksum_pseudo4(&h, is)));
    LAW(law_ip6_of_ip4(&h.src));
#if !defined(__bpf__)
    same = law_reader(back, LAW_IPV4_MAX_BYTES);
    rocecc_store16(back + 10, h.header_checksum);
    LAW(rocecc_checksum_final(rocecc_checksum_update(0, same)) == 0);
    rocecc_store16(back + 8, is);
    LAW(patched == rocecc_ipv4_checksum(same));
    LAW(law_pseudo4(&h, is));
    LAW(law_pieces(rest));
#endif

    w = law_writer(back, ROCECC_IPV4_BYTES - 1);
    LAW(rocecc_ipv4_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    w = law_writer(back, LAW_IPV4_MAX_BYTES);
    h.dscp = h.ttl; /* fits if it is below 64 */
    status = rocecc_ipv4_emit(&w, &h);
    LAW(status == (h.ttl >= 64 ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW((law_wrote(&w) == 0) == (status != ROCECC_OK));
    return digest;
}

LAW_FN uint32_t law_ip6frag(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_IP6FRAG_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_IP6FRAG_BYTES);
    rocecc_ip6frag h;
    rocecc_status status = rocecc_ip6frag_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status ==
        (rocecc_left(&r) < ROCECC_IP6FRAG_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_IP6FRAG_BYTES : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_IP6FRAG_FIELDS, &h)

    LAW(rocecc_ip6frag_emit(&w, &h) == ROCECC_OK &&
        law_wrote(&w) == ROCECC_IP6FRAG_BYTES);
    LAW(law_same(r, &w, ROCECC_IP6FRAG_BYTES));
    LAW(rocecc_ip6frag_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_IP6FRAG_BYTES);
    w = law_writer(back, ROCECC_IP6FRAG_BYTES);
    h.res = h.reserved; /* fits if it is below 4 */
    status = rocecc_ip6frag_emit(&w, &h);
    LAW(status == (h.res < 4 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_IP6FRAG_BYTES : 0));
    return digest;
}

/*
 * Checks that a patch changes only the ECN field, the hops, and the IPv4 checksum. The
 * sum of an IPv4 header stays the same.
 */
LAW_FN uint32_t law_ipv46(rocecc_reader r)
{
    LAW_SCRATCH(b, LAW_IPV4_MAX_BYTES);
    rocecc_writer w = law_writer(b, LAW_IPV4_MAX_BYTES);
    rocecc_reader rest = r, head = r;
    rocecc_ipv46 h, again = {0, 0, 0, 0, 0};
    uint8_t ecn, hops;
    int i;
    rocecc_status status = rocecc_ipv46_parse(r, &h);
    uint32_t digest = law_mix(LAW_START, status);
    if (status != ROCECC_OK) return digest;
    digest = law_mix(digest, (uint32_t)h.version << 16 | (uint32_t)h.dscp << 8 | h.ecn);
    digest = law_mix(law_mix(digest, h.hops), h.bytes);
    for (i = 0; i < 20; i++) {
        const uint8_t *from = rocecc_take(&head, 1);
        if (from == NULL) break;
        b[i] = *from;
    }
    ecn = (uint8_t)(h.ecn ^ (h.hops & 3));
    hops = (uint8_t)(h.hops - 1);
    status = rocecc_ipv46_patch(w, (rocecc_ecn)ecn, hops);
    LAW(status == ROCECC_OK && law_wrote(&w) == 0);
    for (i = 0; i < 20; i += 4)
        digest = law_mix(digest, rocecc_load32(b + i));
#if !defined(__bpf__)
    for (i = 0; i < 20; i++) {
        const uint8_t *was = rocecc_take(&rest, 1);
        const bool sum = h.version == 4 && (i == 10 || i == 11);
        const uint8_t mask = i == 1 ? (h.version == 4 ? 0x03 : 0x30)
                             : i == (h.version == 4 ? 8 : 7) ? 0xff
                                                             : 0;
        LAW(was != NULL && (sum || ((b[i] ^ *was) & ~mask) == 0));
    }
    rest = r;
    if (h.version == 4) { /* the first 20 bytes; options do not change */
        LAW(rocecc_split(&rest, 20, &head));
        LAW(rocecc_checksum_final(rocecc_checksum_update(0, head)) ==
            rocecc_checksum_final(rocecc_checksum_update(0, law_reader(b, 20))));
        LAW(b[8] == hops && (b[1] & 3) == ecn);
    } else {
        LAW(b[7] == hops && (b[1] >> 4 & 3) == ecn);
    }
    rest = law_reader(b, (h.version == 4 ? LAW_IPV4_MAX_BYTES : 40));
    LAW(rocecc_ipv46_parse(rest, &again) == ROCECC_OK);
    LAW(again.ecn == ecn && again.hops == hops && again.dscp == h.dscp);
    LAW(again.bytes == h.bytes && again.version == h.version);
#else
    (void)rest;
    (void)again;
#endif
    w = law_writer(b, 19);
    LAW(rocecc_ipv46_patch(w, (rocecc_ecn)ecn, hops) == ROCECC_ERR_SPACE);
    return digest;
}

/* Returns an extension header's length from its second byte, or 0 for another type. */
LAW_FN size_t law_ip6ext_bytes(uint8_t type, uint8_t len)
{
    if (type == 44) return 8;
    if (type == 51) return ((size_t)len + 2) * 4;
    return type == 0 || type == 43 || type == 60 || type == 135 || type == 139 ||
                   type == 140
               ? ((size_t)len + 1) * 8
               : 0;
}

/*
 * Checks that every byte of a chain belongs to one header, and that its first byte
 * gives the next type.
 */
LAW_FN uint32_t law_ip6ext(rocecc_reader r, uint8_t type)
{
    uint32_t digest = LAW_START;
    size_t used = r.at;
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX; i++) {
        const rocecc_reader before = r;
        const uint8_t was = type;
        rocecc_ip6ext ext;
        const rocecc_status status = rocecc_ip6ext_next(&r, &type, &ext);
        const uint8_t *b;
        digest = law_mix(digest, status);
        if (status != ROCECC_OK) {
            LAW(r.at == before.at && type == was);
            LAW((status == ROCECC_ERR_UNSUPPORTED) == (type == 50));
            LAW((status == ROCECC_ERR_SHORT) == (law_ip6ext_bytes(type, 0) != 0));
            break;
        }
        LAW(ext.type == was && ext.header.at == used);
        used += rocecc_left(&ext.header);
        LAW(r.at == used);
        digest = law_mix(digest, rocecc_left(&ext.header));
        b = rocecc_take(&ext.header, 2);
        LAW(b != NULL && b[0] == type &&
            used - before.at == law_ip6ext_bytes(was, b[1]));
    }
    return law_mix(digest, type);
}

LAW_FN uint32_t law_ipv6(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_IPV6_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_IPV6_BYTES);
    rocecc_ip4 a;
    rocecc_ipv6 h;
    rocecc_status status;
    LAW_IN_MEMORY(&h);
    status = rocecc_ipv6_parse(&rest, &h);
    LAW_IN_MEMORY(&h);
    digest = law_mix(digest, status); /* law_ip() has checked the version */
    LAW(status == (rocecc_left(&r) < ROCECC_IPV6_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_IPV6_BYTES : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_IPV6_FIELDS, &h)

    LAW(rocecc_ipv6_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_IPV6_BYTES);
    LAW(law_same(r, &w, ROCECC_IPV6_BYTES));
    LAW(rocecc_ipv6_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_IPV6_BYTES);

    a = rocecc_ip4_load(h.src.b + 12);
    LAW(law_ip6_of_ip4(&a));
    digest = law_mix(digest, rocecc_ip6_is_ip4(&h.src) ? 1 : 0);
    digest = law_mix(digest, rocecc_ip6_is_source(&h.src) ? 1 : 0);
    LAW(!rocecc_ip6_is_source(&h.src) || rocecc_ip6_is_host(&h.src));
    digest = law_mix(digest, rocecc_ip6_is_host(&h.src) ? 1 : 0);
    digest = law_mix(digest, rocecc_checksum_final(rocecc_checksum_pseudo6(
                                 &h, h.next_header, h.flow_label)));
    digest = law_mix(digest, law_ip6ext(rest, h.next_header));
#if !defined(__bpf__)
    LAW(law_pseudo6(&h, h.next_header, h.flow_label << 12));
    LAW(law_pieces(rest));
#endif

    w = law_writer(back, ROCECC_IPV6_BYTES);
    h.dscp = h.hop_limit; /* fits if it is below 64 */
    status = rocecc_ipv6_emit(&w, &h);
    LAW(status == (h.hop_limit >= 64 ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_IPV6_BYTES : 0));
    return digest;
}

/* Selects a law by the first four bits. Other versions are a Fragment header. */
LAW_FN uint32_t law_ip(rocecc_reader r)
{
    rocecc_reader rest = r;
    rocecc_ipv4 v4;
    rocecc_ipv6 v6;
    rocecc_ipv46 v46;
    const uint8_t *b = rocecc_take(&rest, 1);
    if (b != NULL && *b >> 4 == 4) return law_mix(law_ipv4(r), law_ipv46(r));
    if (b != NULL && *b >> 4 == 6) return law_mix(law_ipv6(r), law_ipv46(r));
    rest = r;
    LAW(rocecc_ipv46_parse(r, &v46) ==
        (rocecc_left(&r) < 1 ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT));
    LAW(rocecc_ipv4_parse(&rest, &v4) ==
        (rocecc_left(&r) < ROCECC_IPV4_BYTES ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT));
    LAW(rocecc_ipv6_parse(&rest, &v6) ==
        (rocecc_left(&r) < ROCECC_IPV6_BYTES ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT));
    LAW(rest.at == r.at);
    return law_ip6frag(r);
}

#endif /* TESTS_LAW_IP_H */
