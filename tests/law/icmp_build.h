/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ICMP_BUILD_H
#define TESTS_LAW_ICMP_BUILD_H

/*
 * icmp_build.h - a model of ICMP errors from a packet's bytes. It shares no function
 * with packet/icmp.h, and follows the extension headers itself.
 */
#include "draw.h"
#include "icmp.h"
#include "role.h"
#include "rocecc/packet/icmp.h"

#define LAW_ICMP_ROOM 1280

#if !defined(__bpf__)
static const uint8_t law_icmp_mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255};

/* Finds a packet's upper layer and its protocol. Returns false for a later fragment. */
LAW_FN bool law_icmp_upper(const uint8_t *p, size_t n, unsigned *proto, size_t *at,
                           size_t *end)
{
    const bool six = p[0] >> 4 == 6;
    int i;
    *proto = six ? p[6] : p[9];
    *at = six ? 40 : (p[0] & 15u) * 4;
    *end = (six ? 40u : 0u) + (six ? p[4] * 256u + p[5] : p[2] * 256u + p[3]);
    if (*end > n) *end = n;
    if (!six && (p[6] & 31) + p[7] != 0) return false;
    if (six && *proto == 0 && p[4] + p[5] == 0) return true; /* a jumbogram */
    for (i = 0; i < (six ? 8 : 1); i++) {
        const uint8_t *b = p + *at;
        size_t bytes = 8;
        if (*proto != 51 &&
            !(six && (*proto == 0 || *proto == 43 || *proto == 44 || *proto == 60 ||
                      *proto == 135 || *proto == 139 || *proto == 140)))
            return true;
        if (*at + 2 > *end) return true;
        if (*proto != 44) bytes += b[1] * (*proto == 51 ? 4u : 8u);
        if (*at + bytes > *end) return true;
        if (*proto == 44 && (b[2] != 0 || b[3] > 7)) return false;
        *proto = b[0];
        *at += bytes;
    }
    return true;
}

/* Returns true for a host's address by RFC 1122, 3.2.1.3, or RFC 4291, 2.5 to 2.7. */
LAW_FN bool law_icmp_host(const uint8_t *b, bool six)
{
    static const uint8_t zeros[16] = {0};
    if (!six) return b[0] != 0 && b[0] != 127 && b[0] < 224;
    return !(memcmp(b, zeros, 15) == 0 && b[15] < 2) &&
           memcmp(b, law_icmp_mapped, 12) != 0 && b[0] != 255;
}

/* Returns true for ff00::/8 (RFC 4291, 2.7) and ::ffff:224.0.0.0/100 (RFC 1112, 4). */
LAW_FN bool law_icmp_group(const uint8_t *b)
{
    return b[0] == 255 || (memcmp(b, law_icmp_mapped, 12) == 0 && b[12] >> 4 == 14);
}

/* Returns true if this error may answer an IP packet (RFC 4443, 2.4 (e)). */
LAW_FN bool law_icmp_may_answer(const uint8_t *p, size_t n, unsigned type,
                                unsigned code)
{
    const bool six = p[0] >> 4 == 6;
    const uint8_t *dst = p + (six ? 24 : 16);
    unsigned proto;
    size_t at, end;
    if (!law_icmp_upper(p, n, &proto, &at, &end)) return false;
    if (proto == (six ? 58 : 1)) {
        if (at >= end) return false;
        if (six ? p[at] < 128
                : (p[at] >= 3 && p[at] <= 5) || p[at] == 11 || p[at] == 12)
            return false;
    }
    if (!law_icmp_host(p + (six ? 8 : 12), six)) return false;
    if (six) return !law_icmp_group(dst) || type == 2 || (type == 4 && code == 2);
    return law_icmp_host(dst,
                         false); /* 0.x is an old form of broadcast (RFC 1122, 3.3.6) */
}

LAW_FN rocecc_status law_icmp_judge(const uint8_t *p, size_t n,
                                    const rocecc_icmp_error *error,
                                    const rocecc_icmp_node *node)
{
    const uint8_t *src = node->src.b;
    bool six;
    if (error->type == 0) return ROCECC_NO_MATCH;
    if (n == 0) return ROCECC_ERR_SHORT;
    six = p[0] >> 4 == 6;
    if (n < (six ? 40u : 20u)) return ROCECC_ERR_SHORT;
    if (!six && (p[0] >> 4 != 4 || (p[0] & 15) < 5 || n < (p[0] & 15u) * 4 ||
                 p[2] * 256u + p[3] < (p[0] & 15u) * 4))
        return ROCECC_ERR_SHORT;
    if (!law_icmp_may_answer(p, n, error->type, error->code)) return ROCECC_NO_MATCH;
    if (node->hop_limit == 0 || node->dscp > 63) return ROCECC_ERR_RANGE;
    if (six ? !law_icmp_host(src, true)
            : memcmp(src, law_icmp_mapped, 12) != 0 || !law_icmp_host(src + 12, false))
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

LAW_FN uint32_t law_icmp_add(const uint8_t *b, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < n; i++)
        sum += (uint32_t)b[i] << (i % 2 == 0 ? 8 : 0);
    return sum;
}

LAW_FN bool law_icmp_adds_up(uint32_t sum)
{
    return sum != 0 && sum % 0xffff == 0; /* minus zero in ones' complement */
}

/* Checks the written error byte for byte, and that its checksums add up. */
LAW_FN uint32_t law_icmp_bytes(const uint8_t *p, size_t n, const uint8_t *out,
                               size_t bytes, const rocecc_icmp_error *error,
                               const rocecc_icmp_node *node)
{
    const bool six = p[0] >> 4 == 6;
    const size_t ip = six ? 40 : 20, most = (six ? 1280 : 576) - ip - 8;
    const size_t length = six ? p[4] * 256u + p[5] + 40 : p[2] * 256u + p[3];
    size_t quoted = length < n ? length : n;
    const uint32_t value =
        !six && error->type == 12 ? (error->value & 255) << 24 : error->value;
    const uint8_t *m = out + ip;
    if (quoted > most) quoted = most;
    LAW(bytes == ip + 8 + quoted);
    LAW(memcmp(m + 8, p, quoted) == 0);
    LAW(m[0] == error->type && m[1] == error->code);
    LAW(((uint32_t)m[4] << 24 | (uint32_t)m[5] << 16 | (uint32_t)m[6] << 8 | m[7]) ==
        value);
    if (six) {
        LAW(out[0] == (0x60 | node->dscp >> 2) && out[1] == (node->dscp << 6 & 255));
        LAW(out[2] == 0 && out[3] == 0 && out[6] == 58 && out[7] == node->hop_limit);
        LAW(out[4] * 256u + out[5] == 8 + quoted);
        LAW(memcmp(out + 8, node->src.b, 16) == 0 && memcmp(out + 24, p + 8, 16) == 0);
        LAW(law_icmp_adds_up(law_icmp_add(out + 8, bytes - 8) + 58 + 8 +
                             (uint32_t)quoted));
    } else {
        LAW(out[0] == 0x45 && out[1] == node->dscp << 2);
        LAW(out[2] * 256u + out[3] == bytes && out[4] == 0 && out[5] == 0);
        LAW(out[6] == 0x40 && out[7] == 0 && out[8] == node->hop_limit && out[9] == 1);
        LAW(memcmp(out + 12, node->src.b + 12, 4) == 0);
        LAW(memcmp(out + 16, p + 12, 4) == 0);
        LAW(law_icmp_adds_up(law_icmp_add(out, 20)));
        LAW(law_icmp_adds_up(law_icmp_add(m, bytes - 20)));
    }
    return LAW_START;
}

/* Checks that the packet's sender reads the error and the quoted packet. */
LAW_FN uint32_t law_icmp_read_back(rocecc_reader sent, const uint8_t *p, bool six,
                                   const rocecc_icmp_error *error)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const size_t ip = six ? 40 : 20, quoted = rocecc_left(&sent) - ip - 8;
    rocecc_icmp_message m;
    rocecc_packet packet, quote;
    rocecc_reader r;
    const uint8_t *b;
    (void)rocecc_packet_parse(&d, sent, &packet);
    LAW(rocecc_icmp_quoted(&packet, &m, &quote) == ROCECC_OK ||
        !law_icmp_is_error(six ? 6 : 4, error->type));
    if (!law_icmp_is_error(six ? 6 : 4, error->type)) return LAW_START;
    LAW(m.type == error->type && m.code == error->code);
    LAW(m.packet.at == sent.at + ip + 8 && m.packet.end == sent.end);
    LAW(quote.bytes.at == m.packet.at && quote.bytes.end == sent.end);
    LAW(quote.bytes.base == sent.base && quote.domain == &d);
    LAW(rocecc_packet_outermost(&quote)->version == (six ? 6 : 4));
    LAW(quote.headers.partial != ROCECC_PARTIAL_NONE);
    r = quote.bytes;
    b = rocecc_take(&r, quoted);
    LAW(b != NULL && memcmp(b, p, quoted) == 0);
    return law_mix(LAW_START, quote.headers.kind);
}

/* Checks the error about a packet against the model. One byte less room gives SPACE. */
LAW_FN uint32_t law_icmp_answer(rocecc_reader packet, rocecc_icmp_error *error,
                                const rocecc_icmp_node *node)
{
    LAW_ROOM(out, LAW_ICMP_ROOM);
    const size_t n = rocecc_left(&packet);
    const uint8_t *p = rocecc_take(&packet, n);
    const rocecc_status should = law_icmp_judge(p, n, error, node);
    rocecc_reader bytes = rocecc_subrange(packet, 0, packet.end);
    rocecc_writer w = law_writer(out, LAW_ICMP_ROOM);
    rocecc_status status;
    size_t wrote;
    if (packet.at - n > ROCECC_PACKET_START_MAX) return LAW_START;
    error->offset = (uint16_t)(packet.at - n);
    status = rocecc_icmp_build(&w, bytes, error, node);
    wrote = law_wrote(&w);
    LAW(status == should);
    LAW(status == ROCECC_OK || wrote == 0);
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(law_icmp_bytes(p, n, out, wrote, error, node) != LAW_BROKEN);
    LAW(law_icmp_read_back(law_reader(out, wrote), p, p[0] >> 4 == 6, error) !=
        LAW_BROKEN);
    w = law_writer(out, wrote - 1);
    LAW(rocecc_icmp_build(&w, bytes, error, node) == ROCECC_ERR_SPACE);
    LAW(law_wrote(&w) == 0);
    return law_mix(LAW_START, wrote);
}

/* Returns a host's address, or an invalid one. */
LAW_FN rocecc_ip6 law_icmp_node_src(unsigned which)
{
    static const rocecc_ip6 addresses[8] = {
        {{0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9}},
        {{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 9}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 255, 255, 255}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 224, 0, 0, 1}},
        {{255, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9}},
        {{0}}};
    return addresses[which & 7];
}

/*
 * Checks an error about a packet. Bytes that begin with an IP header are the packet,
 * and their sum selects the error. Other bytes have the error (type, code, value), the
 * node (hop limit, DSCP, address), and the patches of a packet of role.h.
 */
LAW_FN uint32_t law_icmp_build(rocecc_reader r)
{
    static const uint8_t kinds[][2] = {{4, 2}, {2, 0}, {3, 0},  {4, 1},
                                       {3, 4}, {1, 4}, {11, 0}, {12, 0}};
    LAW_ROOM(made, LAW_ROLE_BYTES);
    rocecc_icmp_error error = {4, 2, 0, 42};
    rocecc_icmp_node node;
    rocecc_reader run = r;
    const uint8_t *b = rocecc_take(&run, 1);
    node.hop_limit = 64;
    node.dscp = 48;
    node.src = law_icmp_node_src(0);
    if (b != NULL && (*b >> 4 == 4 || *b >> 4 == 6)) {
        const size_t n = rocecc_left(&r);
        const unsigned sum = law_icmp_add(b, n) % 255;
        node.src = law_icmp_node_src(*b >> 4 == 4 ? 2 : 0);
        error.type = kinds[sum & 7][0];
        error.code = kinds[sum & 7][1];
        error.value = sum;
        return law_icmp_answer(r, &error, &node);
    }
    error.type = law_u8(&r);
    if (error.type >= 64) {
        const uint8_t *kind = kinds[error.type & 7];
        error.type = kind[0];
        error.code = kind[1];
    } else {
        error.code = law_u8(&r);
    }
    error.value = law_u32(&r);
    node.hop_limit = law_u8(&r);
    node.dscp = law_u8(&r) >> 1; /* half of the values exceed 6 bits */
    node.src = law_icmp_node_src(law_u8(&r));
    return law_icmp_answer(law_role_packet(law_u8(&r), r, made), &error, &node);
}
#endif

#endif /* TESTS_LAW_ICMP_BUILD_H */
