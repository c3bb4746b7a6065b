/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_L3QCN_H
#define TESTS_LAW_L3QCN_H

#include "cnm.h"
#include "packet.h"
#include "rocecc/packet/l3qcn.h"
#include "rocecc/packet/udp.h"
#include "rocecc/fields/l3qcn.h"

#define L3QCN_OUTER_FIELDS(F, T)                                                       \
    F(T, UINT, dscp, NULL)                                                             \
    F(T, UINT, ecn, NULL)                                                              \
    F(T, UINT, hop_limit, NULL)                                                        \
    F(T, UINT, flow_label, NULL)                                                       \
    F(T, UINT, identification, NULL)                                                   \
    F(T, UINT, outer_src_port, NULL)

#define LAW_L3QCN_PORT 51966 /* lab value, 0xcafe */

/* Returns a configuration. Bits 0 to 2 are law_cnm_config()'s, 3 is reserved_bit. */
LAW_FN rocecc_l3qcn_config law_l3qcn_config(int bits)
{
    rocecc_l3qcn_config c;
    c.port = LAW_L3QCN_PORT;
    c.reserved_bit = (bits & 8) != 0;
    c.cnm = law_cnm_config(bits);
    return c;
}

/* Returns the expected verdict on the header. */
LAW_FN rocecc_l3qcn_verdict law_l3qcn_header(rocecc_reader r)
{
    const size_t n = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, 20);
    uint32_t total, header;
    bool v6;
    if (b == NULL) return ROCECC_L3QCN_CUT;
    if (b[0] != 'L' || b[1] != 'Q') return ROCECC_L3QCN_NOT_MAGIC;
    if (b[2] < 0x10 || b[2] > 0x1f) return ROCECC_L3QCN_NEW_VERSION;
    v6 = (b[2] & 8) != 0;
    total = b[4] * 256u + b[5];
    header = b[6];
    if (header < (v6 ? 44 : 20)) return ROCECC_L3QCN_BAD_HEADER_LENGTH;
    if (total < header + 24) return ROCECC_L3QCN_BAD_TOTAL_LENGTH;
    if (total > n) return ROCECC_L3QCN_CUT;
    if (v6) {
        const uint8_t *more = rocecc_take(&r, 24);
        rocecc_ip6 src, dst;
        int i;
        if (more == NULL) return ROCECC_L3QCN_CUT;
        for (i = 0; i < 8; i++) {
            src.b[i] = b[12 + i];
            src.b[8 + i] = more[i];
            dst.b[i] = more[8 + i];
            dst.b[8 + i] = more[16 + i];
        }
        if (rocecc_ip6_is_ip4(&src) || rocecc_ip6_is_ip4(&dst))
            return ROCECC_L3QCN_WRONG_FAMILY;
    }
    return ROCECC_L3QCN_TAKEN;
}

/* Returns the expected verdict on the PDU. */
LAW_FN rocecc_l3qcn_verdict law_l3qcn_pdu(rocecc_reader r, int bits)
{
    const uint8_t *b = rocecc_take(&r, 7);
    rocecc_cnm_verdict v;
    if (b == NULL) return ROCECC_L3QCN_CUT;
    v = law_cnm_judge(
        rocecc_subrange(r, r.at - 7 + b[6], r.at - 7 + b[4] * (size_t)256 + b[5]),
        bits);
    if (v == ROCECC_CNM_TAKEN) return ROCECC_L3QCN_TAKEN;
    if (v == ROCECC_CNM_LONG_MSDU) return ROCECC_L3QCN_LONG_MSDU;
    return v == ROCECC_CNM_CUT_MSDU ? ROCECC_L3QCN_CUT_MSDU : ROCECC_L3QCN_CNM_VERSION;
}

LAW_FN rocecc_status law_l3qcn_status(rocecc_l3qcn_verdict v)
{
    switch (v) {
    case ROCECC_L3QCN_TAKEN:
        return ROCECC_OK;
    case ROCECC_L3QCN_OTHER:
    case ROCECC_L3QCN_NOT_MAGIC:
        return ROCECC_NO_MATCH;
    case ROCECC_L3QCN_CUT:
        return ROCECC_ERR_SHORT;
    case ROCECC_L3QCN_NEW_VERSION:
    case ROCECC_L3QCN_CNM_VERSION:
        return ROCECC_ERR_UNSUPPORTED;
    default:
        return ROCECC_ERR_FORMAT;
    }
}

LAW_FN uint32_t law_l3qcn_fields(uint32_t digest, const rocecc_l3qcn *h)
{
#if defined(__bpf__) /* in memory, or clang would spill each byte into eight */
    __asm__ volatile("" : : "r"(h) : "memory");
#endif
    LAW_FIELDS(ROCECC_L3QCN_FIELDS, h)
    return digest;
}

#if !defined(__bpf__)
/*
 * Checks that emit() writes the bytes again up to the MSDU's end, and refuses too
 * little room and too wide values.
 */
LAW_FN uint32_t law_l3qcn_again(rocecc_reader r, const rocecc_l3qcn *h)
{
    rocecc_l3qcn_config c = law_l3qcn_config(0);
    const size_t header =
        (rocecc_ip6_is_ip4(&h->src) ? 20u : 44u) + rocecc_left(&h->extension);
    const size_t bytes = header + 24 + rocecc_left(&h->cnm.msdu);
    LAW_SCRATCH(back, ROCECC_L3QCN_HEADER_MAX_BYTES + 88);
    rocecc_writer w = law_writer(back, ROCECC_L3QCN_HEADER_MAX_BYTES + 88);
    rocecc_l3qcn wide = *h;
    LAW(rocecc_l3qcn_bytes(&c, h) == bytes);
    LAW(rocecc_l3qcn_emit(&w, &c, h) == ROCECC_OK && law_wrote(&w) == bytes);
    LAW(back[4] * 256u + back[5] == bytes && back[6] == header);
    law_rewind(&w, 4);
    LAW(law_same(r, &w, 4));
    (void)rocecc_take(&r, 6); /* up to Total Length */
    w = law_writer(back + 6, ROCECC_L3QCN_HEADER_MAX_BYTES + 82);
    law_rewind(&w,
               h->cnm.msdu_len == rocecc_left(&h->cnm.msdu) ? bytes - 6 : header + 16);
    LAW(law_same(r, &w, ROCECC_L3QCN_HEADER_MAX_BYTES + 88));
    w = law_writer(back, bytes - 1);
    LAW(rocecc_l3qcn_emit(&w, &c, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    w = law_writer(back, ROCECC_L3QCN_HEADER_MAX_BYTES + 88);
    wide.flags |= 4;
    LAW(rocecc_l3qcn_emit(&w, &c, &wide) == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
    wide.flags = h->flags;
    wide.dst.b[0] ^= 1; /* no longer IPv4 */
    LAW(rocecc_l3qcn_emit(&w, &c, &wide) ==
        (rocecc_ip6_is_ip4(&wide.src) == rocecc_ip6_is_ip4(&wide.dst)
             ? ROCECC_OK
             : ROCECC_ERR_RANGE));
    return LAW_START;
}
#endif

/* Returns the expected verdict on a datagram's payload. */
LAW_FN rocecc_l3qcn_verdict law_l3qcn_should(rocecc_reader r, int bits)
{
    const rocecc_l3qcn_verdict v = law_l3qcn_header(r);
    return v == ROCECC_L3QCN_TAKEN ? law_l3qcn_pdu(r, bits) : v;
}

/* Checks a datagram's payload. */
LAW_FN uint32_t law_l3qcn_payload(rocecc_reader r, int bits,
                                  rocecc_l3qcn_verdict should)
{
    const rocecc_l3qcn_config c = law_l3qcn_config(bits);
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_l3qcn h;
    const rocecc_status status = rocecc_l3qcn_parse(&c, &rest, &h);
    LAW(status == law_l3qcn_status(should));
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(rest.at == r.at);
        return digest;
    }
    digest = law_l3qcn_fields(digest, &h);
    LAW(h.extension.end + 24 <= h.cnm.msdu.at && h.cnm.msdu.end <= rest.at);
    LAW(h.pdu_offset == h.extension.end && h.pdu_offset + 24 == h.cnm.msdu.at);
#if !defined(__bpf__)
    LAW(law_l3qcn_again(r, &h) != LAW_BROKEN);
#endif
    return digest;
}

/* Returns true if a packet counts as a private CNM. */
LAW_FN bool law_l3qcn_is(const rocecc_packet *p, int bits)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    rocecc_reader udp = rocecc_subrange(r, f->udp, r.end);
    rocecc_reader ip = rocecc_subrange(r, f->ip.offset, r.end);
    const uint8_t *b = rocecc_take(&udp, 8);
    if (f->kind != ROCECC_PACKET_KIND_UDP || f->ifa != 0 || f->intmd != 0 || b == NULL)
        return false;
    if (b[2] == 0xca && b[3] == 0xfe) return true;
    b = rocecc_take(&ip, 20);
    return b != NULL && (bits & 8) != 0 && b[0] >> 4 == 4 && b[6] >= 0x80;
}

/* Returns true if n bytes at two offsets are equal. n must be a constant. */
LAW_FN bool law_l3qcn_equal(rocecc_reader r, size_t a, size_t b, int n)
{
    rocecc_reader at = rocecc_subrange(r, a, r.end);
    r = rocecc_subrange(r, b, r.end);
    for (; n > 0; n -= 4) {
        const uint8_t *x = rocecc_take(&at, 4);
        const uint8_t *y = rocecc_take(&r, 4);
        if (x == NULL || y == NULL || rocecc_load32(x) != rocecc_load32(y))
            return false;
    }
    return true;
}

/* Returns TAKEN, or the fault of the packet's addresses. */
LAW_FN rocecc_l3qcn_verdict law_l3qcn_ends(const rocecc_packet *p)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const size_t ip = f->ip.offset, ends = f->udp + (size_t)8 + 12;
    rocecc_reader payload = rocecc_subrange(r, f->udp + (size_t)8, r.end);
    const uint8_t *b = rocecc_take(&payload, 3);
    bool equal;
    if (b == NULL) return ROCECC_L3QCN_CUT;
    if (((b[2] & 8) != 0) != (f->ip.version == 6)) return ROCECC_L3QCN_WRONG_FAMILY;
    if (f->ip.version == 6)
        equal = law_l3qcn_equal(r, ends, ip + 24, 16) &&
                law_l3qcn_equal(r, ends + 16, ip + 8, 16);
    else
        equal = law_l3qcn_equal(r, ends, ip + 16, 4) &&
                law_l3qcn_equal(r, ends + 4, ip + 12, 4);
    return equal ? ROCECC_L3QCN_TAKEN : ROCECC_L3QCN_SPOOFED;
}

/* Returns the expected verdict on a packet. */
LAW_FN rocecc_l3qcn_verdict law_l3qcn_judge(const rocecc_packet *p, int bits)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const rocecc_reader payload = rocecc_subrange(r, f->udp + (size_t)8, f->end);
    rocecc_l3qcn_verdict v;
    if (!law_l3qcn_is(p, bits)) return ROCECC_L3QCN_OTHER;
    if (f->end > f->ip.end) return ROCECC_L3QCN_CUT;
    v = law_l3qcn_header(payload);
    if (v != ROCECC_L3QCN_TAKEN) return v;
    v = law_l3qcn_ends(p);
    if (v != ROCECC_L3QCN_TAKEN) return v;
    return law_l3qcn_pdu(payload, bits);
}

#if !defined(__bpf__)
/* Reads the IP and UDP fields around a private CNM. */
LAW_FN rocecc_status law_l3qcn_outer(const rocecc_packet *p, rocecc_l3qcn_outer *o)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    rocecc_reader ip = rocecc_subrange(r, f->ip.offset, f->ip.upper);
    rocecc_reader rest = rocecc_subrange(r, f->udp, f->end);
    rocecc_ipv46 h;
    rocecc_ipv4 v4;
    rocecc_ipv6 v6;
    rocecc_udp udp;
    rocecc_status status = rocecc_ipv46_parse(ip, &h);
    if (status != ROCECC_OK) return status;
    o->dscp = h.dscp;
    o->ecn = h.ecn;
    o->hop_limit = h.hops;
    o->flow_label = 0;
    o->identification = 0;
    if (h.version == 4) {
        status = rocecc_ipv4_parse(&ip, &v4);
        if (status == ROCECC_OK) o->identification = v4.identification;
    } else {
        status = rocecc_ipv6_parse(&ip, &v6);
        if (status == ROCECC_OK) o->flow_label = v6.flow_label;
    }
    if (status != ROCECC_OK) return status;
    status = rocecc_udp_parse(&rest, &udp);
    if (status == ROCECC_OK) o->src_port = udp.src_port;
    return status;
}

#define LAW_L3QCN_BUILT_BYTES (40 + 8 + ROCECC_L3QCN_HEADER_MAX_BYTES + 88)

/*
 * Checks that a CNM built again is found with the same content and right checksums, and
 * needs all its room. A packet with nothing else is built byte for byte.
 */
LAW_FN uint32_t law_l3qcn_built(const rocecc_packet *p, const rocecc_l3qcn *h)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = law_l3qcn_config(0)};
    const size_t ip = rocecc_ip6_is_ip4(&h->src) ? 20 : 40;
    const size_t bytes = ip + 8 + rocecc_l3qcn_bytes(&d.l3qcn, h);
    LAW_ROOM(back, LAW_L3QCN_BUILT_BYTES);
    rocecc_writer w = law_writer(back, LAW_L3QCN_BUILT_BYTES);
    rocecc_l3qcn_verdict verdict = ROCECC_L3QCN_OTHER;
    rocecc_l3qcn_outer o;
    rocecc_reader built, was = rocecc_subrange(r, f->ip.offset, f->end);
    rocecc_l3qcn again;
    rocecc_packet q;
    rocecc_status status = law_l3qcn_outer(p, &o);
    LAW(status == ROCECC_OK);
    LAW(rocecc_l3qcn_build(&w, &d.l3qcn, &o, h) == ROCECC_OK && law_wrote(&w) == bytes);
    built = law_written(&w);
    LAW(rocecc_packet_parse(&d, built, &q) == ROCECC_NO_MATCH);
    LAW(rocecc_l3qcn_match(&q) && rocecc_udp_verify(&q));
    LAW(rocecc_l3qcn_find(&q, &again, &verdict) == ROCECC_OK);
    LAW(verdict == ROCECC_L3QCN_TAKEN && q.headers.end == built.end);
    if (h->cnm.msdu_len <= 64) {
        LAW(law_l3qcn_fields(LAW_START, &again) == law_l3qcn_fields(LAW_START, h));
        if (rocecc_left(&was) == bytes && f->ip.end == f->end && rocecc_udp_verify(p) &&
            f->ip.upper == f->ip.offset + ip &&
            (ip == 40 ||
             (was.base[was.at + 6] == 0x40 && was.base[was.at + 7] == 0 &&
              rocecc_ipv4_checksum(rocecc_subrange(r, f->ip.offset, f->udp)) ==
                  rocecc_load16(was.base + was.at + 10))) &&
            rocecc_load16(was.base + f->udp + 2) == LAW_L3QCN_PORT)
            LAW(law_same(was, &w, LAW_L3QCN_BUILT_BYTES));
    }
    w = law_writer(back, bytes - 1);
    LAW(rocecc_l3qcn_build(&w, &d.l3qcn, &o, h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == 0);
    back[ip + 8] ^= 1; /* a bit that the checksum covers */
    LAW(!rocecc_udp_verify(&q));
    return LAW_START;
}
#endif

/* Checks find() and match() for a packet. */
LAW_FN uint32_t law_l3qcn_found(const rocecc_packet *p, rocecc_l3qcn_verdict should)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    rocecc_l3qcn_verdict verdict = ROCECC_L3QCN_TAKEN;
    uint32_t digest = LAW_START;
    rocecc_status status, of;
    rocecc_l3qcn h;
    status = rocecc_l3qcn_find(p, &h, &verdict);
    LAW(verdict == should);
    of = law_l3qcn_status(verdict);
    if (of == ROCECC_ERR_SHORT && (f->end <= r.end || f->end > f->ip.end))
        of = ROCECC_ERR_FORMAT;
    LAW(status == of);
    LAW(rocecc_l3qcn_match(p) == (verdict != ROCECC_L3QCN_OTHER));
    digest = law_mix(digest, verdict);
    if (status != ROCECC_OK) return law_mix(digest, status);
    digest = law_l3qcn_fields(digest, &h);
#if !defined(__bpf__)
    LAW(law_l3qcn_built(p, &h) != LAW_BROKEN);
#endif
    return digest;
}

/* Checks that the flow is the header's, with ports only if valid. */
LAW_FN uint32_t law_l3qcn_flow(const rocecc_l3qcn *h)
{
    const rocecc_flow flow = rocecc_l3qcn_flow(h);
    LAW(rocecc_ip6_match(&flow.src, &h->src) && rocecc_ip6_match(&flow.dst, &h->dst));
    LAW(flow.proto == h->proto);
    LAW(flow.src_port == (h->ports ? h->src_port : 0));
    LAW(flow.dst_port == (h->ports ? h->dst_port : 0));
    return LAW_START;
}

/* Checks bytes that begin with L as a datagram's payload, and others as a frame. */
LAW_FN uint32_t law_l3qcn(rocecc_reader r)
{
    rocecc_domain d = law_packet_plain(r);
    uint32_t digest = LAW_START, part;
    rocecc_packet p;
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 2);
    if (b != NULL && b[0] == 'L') {
        int bits;
        for (bits = 0; bits < 4; bits++) {
            part = law_l3qcn_payload(r, bits, law_l3qcn_should(r, bits));
            LAW(part != LAW_BROKEN);
            digest = law_mix(digest, part);
        }
        return digest;
    }
    d.l3qcn = law_l3qcn_config(0);
    (void)rocecc_packet_parse(&d, r, &p);
    part = law_l3qcn_found(&p, law_l3qcn_judge(&p, 0));
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    d.l3qcn = law_l3qcn_config(15);
    part = law_l3qcn_found(&p, law_l3qcn_judge(&p, 15));
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    return law_mix(digest, rocecc_udp_verify(&p));
}

#endif /* TESTS_LAW_L3QCN_H */
