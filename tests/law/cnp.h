/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CNP_H
#define TESTS_LAW_CNP_H

#include "law.h"
#include "packet.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cnp.h"
#include "rocecc/fields/cnp.h"

#define LAW_CNP_MAX_BYTES 80

LAW_FN uint32_t law_cnp_fields(uint32_t digest, const rocecc_cnp *h)
{
    LAW_FIELDS(ROCECC_CNP_FIELDS, h)
    return digest;
}

/* Returns the expected status of rocecc_cnp_parse(). */
LAW_FN rocecc_status law_cnp_status(const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    rocecc_reader r = rocecc_subrange(p->bytes, f->bth, f->end);
    const uint8_t *b = rocecc_take(&r, 12);
    const uint32_t bytes = f->end - f->bth;
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || b == NULL || b[0] != 0x81)
        return ROCECC_NO_MATCH;
    if ((b[1] & 0xf) != 0) return ROCECC_ERR_UNSUPPORTED;
    if ((b[1] & 0x30) != 0 ||
        (bytes != 32 && !(p->domain->roce.short_cnp && bytes == 16)))
        return ROCECC_ERR_FORMAT;
    return f->end > p->bytes.end ? ROCECC_ERR_SHORT : ROCECC_OK;
}

/* Checks rocecc_cnp_parse() by the packet's domain, strict or lenient. */
LAW_FN uint32_t law_cnp_parse(const rocecc_packet *p, rocecc_status *status,
                              rocecc_cnp *h)
{
    uint32_t digest = LAW_START;
    *status = rocecc_cnp_parse(p, h);
    if (*status == ROCECC_OK) digest = law_cnp_fields(digest, h);
    LAW(*status == law_cnp_status(p));
    LAW(rocecc_cnp_match(p) == (*status != ROCECC_NO_MATCH));
    return law_mix(digest, *status);
}

/* Checks only the IP header of build(), because a whole CNP is too long for BPF. */
LAW_FN uint32_t law_cnp_ip(rocecc_writer w, const rocecc_cnp *h)
{
    const size_t start = w.at, room = rocecc_room(&w);
    const size_t bytes = rocecc_ip6_is_ip4(&h->src) ? 20 : 40;
    uint32_t pseudo = 0;
    const rocecc_datagram d = rocecc_cnp_make_datagram_(h);
    const rocecc_status status =
        rocecc_datagram_ip_emit(&w, &d, 0, ROCECC_CNP_UDP_LENGTH, &pseudo);
    rocecc_reader r;
    const uint8_t *b;
    int i;
    if (status != ROCECC_OK) {
        LAW(status == (rocecc_datagram_fits(&d) ? ROCECC_ERR_SPACE : ROCECC_ERR_RANGE));
        LAW(room < bytes || status == ROCECC_ERR_RANGE);
        return law_mix(LAW_START, status);
    }
    LAW(w.at == start + bytes);
    r = rocecc_subrange(rocecc_written(&w), start, w.at);
    b = rocecc_take(&r, 20);
    for (i = 0; b != NULL && i < 20; i += 4)
        pseudo = law_mix(pseudo, rocecc_load32(b + i));
    return pseudo;
}

#if !defined(__bpf__)
/* Returns true if a parsed CNP has nothing that build() does not write. */
LAW_FN bool law_cnp_plain(const rocecc_packet *p, const rocecc_cnp *h)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const rocecc_reader header = rocecc_subrange(r, f->ip.offset, f->udp);
    const rocecc_reader datagram = rocecc_subrange(r, f->udp, f->end);
    rocecc_reader rest = header;
    rocecc_icrc icrc;
    rocecc_udp udp;
    uint32_t pseudo;
    if (h->odd != 0 || f->ip.end != f->end || rocecc_packet_has_telemetry(p))
        return false;
    if (f->ip.version == 4) {
        rocecc_ipv4 v4;
        if (rocecc_ipv4_parse(&rest, &v4) != ROCECC_OK) return false;
        if (rocecc_left(&v4.options) != 0 || !v4.df || v4.mf || v4.reserved ||
            v4.header_checksum != rocecc_ipv4_checksum(header))
            return false;
        pseudo = rocecc_checksum_pseudo4(&v4, 40);
    } else {
        rocecc_ipv6 v6;
        if (rocecc_ipv6_parse(&rest, &v6) != ROCECC_OK) return false;
        if (f->ip.n_ext != 0 || rocecc_ip6_is_ip4(&v6.src)) return false;
        pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, 40);
    }
    if (rocecc_udp_parse(&rest, &udp) != ROCECC_OK) return false;
    if (udp.checksum != 0 && udp.checksum != rocecc_udp_checksum(pseudo, datagram))
        return false;
    return rocecc_icrc_verify(ROCECC_ICRC_STANDARD, p, &icrc) == ROCECC_OK && icrc.ok;
}

/* Returns true if the built CNP has the same values, and 0 as Figure 6 requires. */
LAW_FN bool law_cnp_again(rocecc_reader built, bool v6, const rocecc_cnp *h)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_cnp should = *h, again;
    rocecc_packet p;
    rocecc_icrc icrc;
    int i;
    should.odd = 0;
    for (i = 0; i < 16; i++)
        should.reserved[i] = 0;
    /* IPv6 with two IPv4-mapped addresses becomes IPv4, without a flow label. */
    if (v6 && rocecc_ip6_is_ip4(&h->src)) should.flow_label = 0;
    if (rocecc_packet_parse(&d, built, &p) != ROCECC_OK) return false;
    if (p.headers.end != built.end || p.headers.ip.end != built.end) return false;
    if (rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc) != ROCECC_OK) return false;
    if (!icrc.ok) return false;
    if (rocecc_cnp_parse(&p, &again) != ROCECC_OK) return false;
    return law_cnp_fields(LAW_START, &again) == law_cnp_fields(LAW_START, &should);
}

/* Parses a packet, and checks the CNP that is built from it. */
LAW_FN uint32_t law_cnp(rocecc_reader r)
{
    uint32_t digest = LAW_START, lenient;
    LAW_SCRATCH(back, LAW_CNP_MAX_BYTES);
    rocecc_domain d = law_packet_domain(r); /* with IFA and INT */
    rocecc_writer w = law_writer(back, LAW_CNP_MAX_BYTES);
    rocecc_packet p;
    rocecc_cnp h;
    rocecc_status status = rocecc_packet_parse(&d, r, &p);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    digest = law_mix(digest, law_cnp_parse(&p, &status, &h));
    d.roce.short_cnp = true;
    lenient = law_cnp_parse(&p, &status, &h);
    if (status != ROCECC_OK) return law_mix(digest, lenient);
    if (rocecc_left(&r) < LAW_CNP_MAX_BYTES) w = law_writer(back, rocecc_left(&r));
    lenient = law_mix(lenient, law_cnp_ip(w, &h)); /* as much room as the frame */
    digest = law_mix(digest, lenient);
    w = law_writer(back, LAW_CNP_MAX_BYTES);
    status = rocecc_cnp_build(&w, &h);
    if (rocecc_ip6_is_ip4(&h.src) != rocecc_ip6_is_ip4(&h.dst)) {
        LAW(status == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
        return digest;
    }
    LAW(status == ROCECC_OK && law_wrote(&w) == (rocecc_ip6_is_ip4(&h.src) ? 60 : 80));
    LAW(law_cnp_again(law_written(&w), p.headers.ip.version == 6, &h));
    if (law_cnp_plain(&p, &h)) {
        const rocecc_reader packet =
            rocecc_subrange(r, p.headers.ip.offset, p.headers.end);
        LAW(law_wrote(&w) == rocecc_left(&packet) &&
            law_same(packet, &w, LAW_CNP_MAX_BYTES));
    }
    w = law_writer(back, law_wrote(&w) - 1);
    LAW(rocecc_cnp_build(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return digest;
}
#endif

#endif /* TESTS_LAW_CNP_H */
