/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ARRIVAL_H
#define TESTS_LAW_ARRIVAL_H

/*
 * arrival.h - a model of packet/arrival.h from the packet's bytes. It uses the walk's
 * results, but no function of packet/arrival.h.
 */
#include "draw.h"
#include "packet.h"
#include "role.h"
#include "rocecc/packet/arrival.h"

/* Nodes 0 to 2 are each kind without groups and Fast CNP, and 3 to 5 with both. */
#define LAW_ARRIVAL_NODES 6

LAW_FN rocecc_arrival_config law_arrival_node(uint32_t i)
{
    rocecc_arrival_config c;
    c.node = (rocecc_arrival_node)(i % 3);
    c.groups = c.fastcnp = i > 2;
    return c;
}

/* Returns law_packet_domain() with the lab's Fast CNP types. */
LAW_FN rocecc_domain law_arrival_domain(rocecc_reader r)
{
    rocecc_domain d = law_packet_domain(r);
    d.fastcnp = law_fastcnp_config(0);
    return d;
}

LAW_FN uint32_t law_arrival_digest(rocecc_arrival_verdict verdict,
                                   const rocecc_icmp_error *error)
{
    const uint32_t digest =
        law_mix(LAW_START, (uint32_t)verdict << 16 | (uint32_t)error->type << 8);
    return law_mix(law_mix(digest, error->code), error->value);
}

#if !defined(__bpf__)
typedef struct law_arrival {
    rocecc_arrival_verdict verdict;
    unsigned type, code, pointer; /* of the ICMP error; type 0 if none */
} law_arrival;

LAW_FN law_arrival law_arrival_of(rocecc_arrival_verdict verdict, unsigned type,
                                  unsigned code, size_t pointer)
{
    const law_arrival a = {verdict, type, code, (unsigned)pointer};
    return a;
}

/* Kind of an IP address. */
typedef enum law_scope {
    LAW_NOBODY,
    LAW_HOST,
    LAW_LINK,
    LAW_GROUP,
    LAW_LINK_GROUP
} law_scope;

LAW_FN law_scope law_arrival_scope(const uint8_t *b, bool six)
{
    static const uint8_t zeros[16] = {0};
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255};
    if (!six) {
        if (b[0] >= 224 && b[0] < 240)
            return b[0] == 224 && b[1] == 0 && b[2] == 0 ? LAW_LINK_GROUP : LAW_GROUP;
        if (b[0] == 0 || b[0] == 127 || b[0] >= 240) return LAW_NOBODY;
        return b[0] == 169 && b[1] == 254 ? LAW_LINK : LAW_HOST;
    }
    if (memcmp(b, zeros, 15) == 0 && b[15] < 2) return LAW_NOBODY;
    if (memcmp(b, mapped, 12) == 0) return LAW_NOBODY;
    if (b[0] == 255) return (b[1] & 15) < 3 ? LAW_LINK_GROUP : LAW_GROUP;
    return b[0] == 0xfe && (b[1] & 0xc0) == 0x80 ? LAW_LINK : LAW_HOST;
}

LAW_FN bool law_arrival_knows(const rocecc_arrival_config *c, const rocecc_packet *p,
                              unsigned type)
{
    const rocecc_fastcnp_config *types = &p->domain->fastcnp;
    return c->fastcnp && (type == types->type_plain || type == types->type_ioam);
}

/* Checks the options from `at` to `end`, offsets from the IP header. */
LAW_FN law_arrival law_arrival_options(const rocecc_arrival_config *c,
                                       const rocecc_packet *p, const uint8_t *ip,
                                       unsigned header, size_t at, size_t end,
                                       unsigned *n_options)
{
    size_t pad = 0, bytes, i;
    for (; at < end; at += bytes) {
        const unsigned type = ip[at];
        const bool is_pad = type < 2;
        bytes = type == 0 ? 1 : at + 1 < end ? 2u + ip[at + 1] : end;
        if (at + bytes > end)
            return law_arrival_of(ROCECC_ARRIVAL_BAD_OPTIONS, 4, 0, at);
        if (!is_pad && *n_options == 8)
            return law_arrival_of(ROCECC_ARRIVAL_UNSUPPORTED, 0, 0, 0);
        pad = is_pad ? pad + bytes : 0;
        if (pad > 7) return law_arrival_of(ROCECC_ARRIVAL_UNSUPPORTED, 0, 0, 0);
        for (i = 2; is_pad && i < bytes; i++)
            if (ip[at + i] != 0)
                return law_arrival_of(ROCECC_ARRIVAL_BAD_OPTIONS, 4, 0, at);
        if (is_pad) continue;
        if (type >> 6 != 0 && !(header == 60 && law_arrival_knows(c, p, type)))
            return type >> 6 == 1
                       ? law_arrival_of(ROCECC_ARRIVAL_UNKNOWN_OPTION, 0, 0, 0)
                       : law_arrival_of(ROCECC_ARRIVAL_UNKNOWN_OPTION, 4, 2, at);
        ++*n_options;
    }
    return law_arrival_of(ROCECC_ARRIVAL_OK, 0, 0, 0);
}

/* Checks the IPv6 extension headers. A SID stops at an SRH with segments left. */
LAW_FN law_arrival law_arrival_exts(const rocecc_arrival_config *c,
                                    const rocecc_packet *p, const rocecc_headers_ip *h)
{
    const uint8_t *ip = p->bytes.base + h->offset;
    const size_t end = h->upper - (size_t)h->offset;
    size_t at = 40, next = 6, bytes;
    unsigned type = ip[6], n_options = 0;
    for (; at < end; next = at, type = ip[at], at += bytes) {
        law_arrival a = law_arrival_of(ROCECC_ARRIVAL_OK, 0, 0, 0);
        bytes = type == 44   ? 8
                : type == 51 ? 4u * (ip[at + 1] + 2u)
                             : 8u * (ip[at + 1] + 1u);
        if (type == 60 || (type == 0 && at == 40))
            a = law_arrival_options(c, p, ip, type, at + 2, at + bytes, &n_options);
        else if (type == 43 && ip[at + 3] != 0)
            return c->node == ROCECC_ARRIVAL_SID && ip[at + 2] == 4
                       ? a
                       : law_arrival_of(ROCECC_ARRIVAL_SEGMENTS_LEFT, 4, 0, at + 2);
        else if (type != 43 && type != 44)
            a = law_arrival_of(ROCECC_ARRIVAL_UNKNOWN_HEADER, 4, 1, next);
        if (a.verdict != ROCECC_ARRIVAL_OK) return a;
    }
    return law_arrival_of(ROCECC_ARRIVAL_OK, 0, 0, 0);
}

/* Checks the IPv4 options from byte 20 on, and AH after them. */
LAW_FN law_arrival law_arrival_ip4(const rocecc_arrival_config *c, const uint8_t *ip)
{
    const size_t end = (ip[0] & 15u) * 4;
    size_t at = 20;
    while (at < end && ip[at] != 0) {
        const size_t bytes = ip[at] == 1 ? 1 : at + 1 < end ? ip[at + 1] : 0;
        if (bytes == 0 || at + bytes > end || (ip[at] != 1 && bytes < 2))
            return law_arrival_of(ROCECC_ARRIVAL_BAD_OPTIONS, 12, 0, at);
        if ((ip[at] == 131 || ip[at] == 137) && bytes > 2 && ip[at + 2] <= bytes &&
            c->node == ROCECC_ARRIVAL_HOST)
            return law_arrival_of(ROCECC_ARRIVAL_SEGMENTS_LEFT, 3, 5, 0);
        at += bytes;
    }
    if (ip[9] == 51 && c->node == ROCECC_ARRIVAL_HOST)
        return law_arrival_of(ROCECC_ARRIVAL_UNKNOWN_HEADER, 3, 2, 0);
    return law_arrival_of(ROCECC_ARRIVAL_OK, 0, 0, 0);
}

/* Returns the expected verdict and ICMP error for one IP header. */
LAW_FN law_arrival law_arrival_model(const rocecc_arrival_config *c,
                                     const rocecc_packet *p, const rocecc_headers_ip *h)
{
    const uint8_t *ip = p->bytes.base + h->offset;
    const bool six = h->version == 6, host = c->node == ROCECC_ARRIVAL_HOST;
    law_arrival a = law_arrival_of(ROCECC_ARRIVAL_OK, 0, 0, 0);
    law_scope src, dst;
    uint32_t sum = 0;
    size_t i;
    if (h->version == 0) return law_arrival_of(ROCECC_ARRIVAL_NO_IP, 0, 0, 0);
    if (h->end > p->bytes.end || (host && p->headers.partial != ROCECC_PARTIAL_NONE))
        return law_arrival_of(ROCECC_ARRIVAL_PARTIAL, 0, 0, 0);
    for (i = 0; !six && i < (ip[0] & 15u) * 4; i++)
        sum += (uint32_t)ip[i] << (i % 2 == 0 ? 8 : 0);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    if (!six && sum != 0xffff)
        return law_arrival_of(ROCECC_ARRIVAL_BAD_CHECKSUM, 0, 0, 0);
    src = law_arrival_scope(ip + (six ? 8 : 12), six);
    dst = law_arrival_scope(ip + (six ? 24 : 16), six);
    if (!(src == LAW_HOST || (host && src == LAW_LINK)) ||
        memcmp(ip + (six ? 8 : 12), ip + (six ? 24 : 16), six ? 16 : 4) == 0)
        return law_arrival_of(ROCECC_ARRIVAL_BAD_SOURCE, 0, 0, 0);
    if (!(dst == LAW_HOST || (host && dst == LAW_LINK) ||
          (c->groups && dst == LAW_GROUP) ||
          (c->groups && host && dst == LAW_LINK_GROUP)))
        return law_arrival_of(ROCECC_ARRIVAL_BAD_DESTINATION, 0, 0, 0);
    if (!six)
        a = law_arrival_ip4(c, ip);
    else if (c->node != ROCECC_ARRIVAL_FORWARDER)
        a = law_arrival_exts(c, p, h);
    if ((dst == LAW_GROUP || dst == LAW_LINK_GROUP) &&
        !(six && a.type == 4 && a.code == 2 && ip[a.pointer] >> 6 == 2))
        a.type = a.code = 0;
    return a;
}

/* Checks the verdict and the ICMP error for one IP header against the model. */
LAW_FN uint32_t law_arrival_packet(const rocecc_arrival_config *c,
                                   const rocecc_packet *p, const rocecc_headers_ip *ip)
{
    const law_arrival should = law_arrival_model(c, p, ip);
    rocecc_icmp_error error;
    const rocecc_arrival_verdict verdict = rocecc_arrival_check(c, p, ip, &error);
    LAW(verdict == should.verdict);
    LAW(error.type == should.type && error.code == should.code);
    LAW(error.type == 0 || error.value == should.pointer);
    LAW(error.offset == ip->offset);
    return law_arrival_digest(verdict, &error);
}

/*
 * Checks both IP headers of a packet. Byte 0 has the node (2 bits), groups, fastcnp and
 * ah, and byte 1 the known options. If byte 2 is not 0, it selects a template of
 * role.h, and patches follow.
 */
LAW_FN uint32_t law_arrival_check(rocecc_reader r)
{
    LAW_ROOM(made, LAW_ROLE_BYTES);
    rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_arrival_config c = {0};
    const uint8_t *b = rocecc_take(&r, 3);
    uint32_t digest;
    rocecc_packet p;
    if (b == NULL) return LAW_START;
    c.node = (b[0] & 3) % 3;
    c.groups = b[0] >> 2 & 1;
    c.fastcnp = b[0] >> 3 & 1;
    d.ah = b[0] >> 4 & 1;
    d.fastcnp = law_fastcnp_config(b[1]);
    if (b[2] != 0) r = law_role_packet(b[2], r, made);
    (void)rocecc_packet_parse(&d, r, &p);
    digest = law_arrival_packet(&c, &p, &p.headers.ip);
    LAW(digest != LAW_BROKEN);
    return law_mix(digest, law_arrival_packet(&c, &p, &p.headers.outer));
}

/* Checks the last IP header at each kind of node. */
LAW_FN uint32_t law_arrival_nodes(rocecc_reader r)
{
    const rocecc_domain d = law_arrival_domain(r);
    uint32_t digest = LAW_START, i;
    rocecc_packet p;
    (void)rocecc_packet_parse(&d, r, &p);
    for (i = 0; i < LAW_ARRIVAL_NODES; i++) {
        const rocecc_arrival_config c = law_arrival_node(i);
        const uint32_t one = law_arrival_packet(&c, &p, &p.headers.ip);
        LAW(one != LAW_BROKEN);
        digest = law_mix(digest, one);
    }
    return digest;
}

/* Checks the bytes as a packet, and as a run. */
LAW_FN uint32_t law_arrival_any(rocecc_reader r)
{
    const uint32_t digest = law_arrival_nodes(r);
    LAW(digest != LAW_BROKEN);
    return law_mix(digest, law_arrival_check(r));
}
#endif

#endif /* TESTS_LAW_ARRIVAL_H */
