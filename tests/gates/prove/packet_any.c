/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 120
#include "law/packet.h"
#include "prove.h"

/* Parses a plain CNP, and the shortest packets. */
static void begins(rocecc_domain *d)
{
    static const uint8_t first[2] = {0x60, 0x40};
    /* Ethernet and 60 bytes of IPv4, of which 40 bytes are UDP to port 4791. */
    static const uint8_t cnp[74] = {
        [12] = 8,    [14] = 0x45, [17] = 60, [22] = 64,   [23] = 17,
        [36] = 0x12, [37] = 0xb7, [39] = 40, [42] = 0x81,
    };
    rocecc_headers f;
    (void)rocecc_headers_parse(d, rocecc_reader_of(cnp, cnp + sizeof cnp), &f);
    (void)rocecc_headers_parse(d, rocecc_reader_of(first, first + 1), &f);
    d->link = ROCECC_LINK_IP;
    (void)rocecc_headers_parse(d, rocecc_reader_of(first, first + 1), &f);
    (void)rocecc_headers_parse(d, rocecc_reader_of(first + 1, first + 2), &f);
    (void)rocecc_headers_parse(d, rocecc_reader_of(NULL, NULL), &f);
}

/* Parses any number of packets of zeros, which are neither IPv4 nor IPv6. */
static void burst(rocecc_domain *d)
{
    static const uint8_t zero[100];
    static rocecc_reader bytes[ROCECC_PACKET_BURST_MAX];
    static rocecc_packet p[ROCECC_PACKET_BURST_MAX];
    int i;
    for (i = 0; i < ROCECC_PACKET_BURST_MAX; i++)
        bytes[i] = rocecc_reader_of(zero, zero + (i % 2 == 0 ? 1 : sizeof zero));
    (void)rocecc_packet_parse_burst(d, bytes, p, prove_any());
}

/* Parses any bytes in an overlay, which may be partial, and the same bytes directly. */
static void copied(const rocecc_domain *d)
{
    static uint8_t bytes[64]; /* enough for IPv4 in IPv4 */
    const rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_headers overlay = ROCECC_ZERO, f;
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    overlay.inner = 1;
    overlay.inner_type = ROCECC_TYPE_IPV4;
    overlay.end = sizeof bytes;
    overlay.partial = (rocecc_partial)Frama_C_interval(0, 6);
    (void)rocecc_headers_parse_inner(d, r, &overlay, &f);
    (void)rocecc_headers_parse_as(d, r, ROCECC_TYPE_IPV4, sizeof bytes, overlay.partial,
                                  &f);
}

/*
 * Calls the functions that read a stored `where`, with any values and even with offsets
 * beyond the buffer.
 */
void main(void)
{
    static rocecc_headers where;
    rocecc_domain d = {0};
    rocecc_packet p, inner;
    rocecc_reader r;
    rocecc_ip6ext ext;
    rocecc_flow flow;
    rocecc_vlan tag;
    rocecc_ip ip;
    uint8_t type;
    Frama_C_make_unknown((char *)&where, sizeof where);
    where.cut = Frama_C_interval(0, 1) != 0;
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    (void)rocecc_packet_ip(&p, rocecc_packet_outermost(&p), &ip);
    (void)rocecc_packet_partial(&p);
    r = rocecc_packet_exts(&p, &p.headers.ip, &type);
    (void)rocecc_ip6ext_next(&r, &type, &ext);
    r = rocecc_packet_vlan(&p, Frama_C_interval(0, 2));
    (void)rocecc_vlan_parse(&r, &tag);
    (void)rocecc_packet_flow(&p, &flow);
    (void)rocecc_packet_outer_flow(&p, &flow);
    p.headers.inner_type =
        0x9999; /* an unknown type, because packet.c proves the walk from anywhere */
    (void)rocecc_packet_inner(&p, &inner);
    r = rocecc_headers_inner_bytes(p.bytes, &p.headers);
    (void)rocecc_headers_parse_inner(&d, r, &p.headers, &inner.headers);
    copied(&d);
    begins(&d);
    burst(&d);
}
