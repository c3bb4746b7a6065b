/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_SRV6_H
#define TESTS_LAW_SRV6_H

#include "packet.h"
#include "ip.h"
#include "rocecc/wire/ip6opt.h"
#include "rocecc/packet/srv6.h"
#include "rocecc/fields/srv6.h"

#define SRV6_VERDICTS "other decapsulate segments_left broken no_tunnel not_ip nested"

#define LAW_SRH_TLVS 4 /* TLVs in the digest */

/* Returns the expected status of rocecc_srh_parse(). */
LAW_FN rocecc_status law_srh_status(rocecc_reader r)
{
    const size_t left = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, ROCECC_SRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[2] != 4) return ROCECC_NO_MATCH;
    if (left < ((size_t)b[1] + 1) * 8) return ROCECC_ERR_SHORT;
    if (b[4] >= b[1] / 2 || b[3] > b[4] + 1) return ROCECC_ERR_FORMAT;
    return ROCECC_OK;
}

/* Checks that the header is emitted again, and not with one byte less room. */
LAW_FN uint32_t law_srh_again(rocecc_reader r, const rocecc_srh *h, size_t n)
{
    LAW_SCRATCH(back, ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES);
    rocecc_writer w = law_writer(back, ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES);
    rocecc_srh wide = *h;
    rocecc_status status;
    LAW(rocecc_srh_emit(&w, h) == ROCECC_OK && law_wrote(&w) == n);
    LAW(law_same(r, &w, ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES));
    w = law_writer(back, ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES);
    LAW(rocecc_put(&w, (ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES) - (n - 1)) !=
        NULL);
    LAW(rocecc_srh_emit(&w, h) == ROCECC_ERR_SPACE && rocecc_room(&w) == n - 1);
    wide.segments_left = h->flags; /* fits if there are as many segments */
    w = law_writer(back, ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES);
    status = rocecc_srh_emit(&w, &wide);
    LAW(status ==
        (h->flags > rocecc_left(&h->segments) / 16 ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? n : 0));
    return LAW_START;
}

/* Checks that every byte of the TLVs belongs to one of them. */
LAW_FN uint32_t law_srh_tlvs(rocecc_reader tlvs)
{
    size_t used = tlvs.at;
    rocecc_ip6opt tlv;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&tlvs, &tlv)) == ROCECC_OK) {
        used += (tlv.type == 0 ? 1 : 2) + rocecc_left(&tlv.body);
        LAW(used == tlvs.at);
    }
    LAW(status == (rocecc_left(&tlvs) == 0 ? ROCECC_END : ROCECC_ERR_FORMAT));
    return LAW_START;
}

/*
 * Checks the list's last address, and that no address follows it. The active segment
 * may be beyond it.
 */
LAW_FN uint32_t law_srh_segments(rocecc_reader r, const rocecc_srh *h)
{
    const uint8_t n = (uint8_t)(rocecc_left(&h->segments) / 16);
    const uint8_t last = (uint8_t)(n - 1);
    rocecc_ip6 a = {{0}};
    const uint8_t *b;
    LAW(rocecc_srh_segment(h, n, &a) == ROCECC_ERR_RANGE);
    LAW(rocecc_srh_segment(h, last, &a) == ROCECC_OK);
    LAW(rocecc_take(&r, 8 + 16 * (size_t)last) != NULL);
    b = rocecc_take(&r, 16);
    LAW(b != NULL);
    if (b == NULL) return LAW_BROKEN; /* for Frama-C */
    LAW(rocecc_load64(b) == rocecc_load64(a.b));
    LAW(rocecc_load64(b + 8) == rocecc_load64(a.b + 8));
    LAW((rocecc_srh_segment(h, h->segments_left, &a) == ROCECC_OK) ==
        (h->segments_left < n));
    return law_mix_address(LAW_START, a.b, 16);
}

/* Checks a header alone. *match is false if it is not an SRH. */
LAW_FN uint32_t law_srh(rocecc_reader r, bool *match)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_srh h;
    size_t segments, tlvs;
    int i;
    rocecc_status status;
    LAW_IN_MEMORY(&h);
    status = rocecc_srh_parse(&rest, &h);
    LAW_IN_MEMORY(&h);
    *match = status != ROCECC_NO_MATCH;
    digest = law_mix(digest, status);
    LAW(status == law_srh_status(r));
    LAW(rest.at == r.at || status == ROCECC_OK);
    if (status != ROCECC_OK) return digest;
    segments = rocecc_left(&h.segments);
    tlvs = rocecc_left(&h.tlvs);
    LAW(segments >= 16 && segments % 16 == 0 && tlvs % 8 == 0);
    LAW(h.segments.at == r.at + ROCECC_SRH_BYTES && h.tlvs.at == h.segments.end);
    LAW(rest.at == h.tlvs.end && rest.at - r.at == ROCECC_SRH_BYTES + segments + tlvs);
    LAW_FIELDS(ROCECC_SRH_FIELDS, &h)
    digest = law_mix(digest, law_srh_segments(r, &h));
#if !defined(__bpf__)
    LAW(law_srh_again(r, &h, rest.at - r.at) != LAW_BROKEN);
    LAW(law_srh_tlvs(h.tlvs) != LAW_BROKEN);
#endif
    for (i = 0; i < LAW_SRH_TLVS; i++) {
        rocecc_ip6opt tlv;
        const rocecc_status step = rocecc_ip6opt_next(&h.tlvs, &tlv);
        digest = law_mix(digest, step);
        if (step != ROCECC_OK) break;
        digest = law_mix(digest, tlv.type);
        digest = law_mix(digest, rocecc_left(&tlv.body));
    }
    return digest;
}

/* Returns true if the headers have nothing that emit() would not write. */
LAW_FN bool law_srv6_plain(const rocecc_headers *f, const rocecc_srv6 *h)
{
    const size_t bytes = rocecc_srv6_bytes(h);
    return f->outer.n_ext == (bytes == 40 ? 0 : 1) &&
           (size_t)f->outer.upper - f->outer.offset == bytes &&
           f->outer.end - f->outer.upper == h->ip.bytes;
}

/* Checks that the inner packet follows the outer headers, within their length. */
LAW_FN uint32_t law_srv6_parse(const rocecc_packet *p, bool *tunnel)
{
    const rocecc_headers *f = &p->headers;
    uint32_t digest = LAW_START;
    rocecc_srv6 h;
    rocecc_status status;
    LAW_IN_MEMORY(&h);
    status = rocecc_srv6_parse(p, &h);
    LAW_IN_MEMORY(&h);
    *tunnel = status == ROCECC_OK;
    digest = law_mix(digest, status);
    LAW(status != ROCECC_NO_MATCH || f->outer.version != 6);
    if (status != ROCECC_OK) return digest;
    LAW(f->outer.version == 6 && h.ip.bytes <= f->outer.end - f->outer.upper);
    LAW(h.inner.at == f->outer.upper && rocecc_left(&h.inner) <= h.ip.bytes);
    LAW(h.ip.version == (f->outer.proto == 4 ? 4 : 6));
    LAW_FIELDS(ROCECC_SRV6_VALUES, &h)
    digest = law_mix(digest, rocecc_left(&h.srh.segments));
    digest = law_mix(digest, rocecc_left(&h.srh.tlvs));
    return law_mix_bytes(digest, h.inner, 4);
}

/* Returns the outermost IPv6 header's destination. */
LAW_FN rocecc_ip6 law_srv6_sid(const rocecc_packet *p)
{
    const rocecc_ip6 none = {{0}};
    rocecc_reader r =
        rocecc_subrange(p->bytes, rocecc_packet_outermost(p)->offset, p->bytes.end);
    const uint8_t *b = rocecc_take(&r, 40);
    return b != NULL ? rocecc_ip6_load(b + 24) : none;
}

/* Checks that a tunnel ends at its destination if no segment is left. */
LAW_FN uint32_t law_srv6_end(const rocecc_packet *p, bool tunnel)
{
    const rocecc_headers *f = &p->headers;
    const rocecc_ip6 sid = law_srv6_sid(p);
    const uint32_t left = rocecc_srv6_segments_left(p, rocecc_packet_outermost(p));
    rocecc_srv6 h;
    rocecc_srv6_verdict verdict;
    LAW_IN_MEMORY(&sid);
    verdict = rocecc_srv6_decapsulate(p, &sid, &h);
    LAW_IN_MEMORY(&h);
    LAW((verdict == ROCECC_SRV6_DECAPSULATE) ==
        (tunnel && left == 0 &&
         rocecc_packet_outermost(p)->fragment == ROCECC_IP_FRAGMENT_NONE));
    LAW(left == 0 || verdict == ROCECC_SRV6_SEGMENTS_LEFT);
    if (verdict == ROCECC_SRV6_DECAPSULATE) {
        LAW(h.srh.segments_left == 0);
        LAW(f->ip.version == 0 || (f->ip.proto != 4 && f->ip.proto != 41));
    }
    return law_mix(law_mix(LAW_START, left), verdict);
}

/* Checks that a tunnel does not end at another node. */
LAW_FN uint32_t law_srv6_other(const rocecc_packet *p)
{
    rocecc_ip6 sid = law_srv6_sid(p);
    rocecc_srv6 h;
    sid.b[15] ^= 1;
    LAW(rocecc_srv6_decapsulate(p, &sid, &h) == ROCECC_SRV6_OTHER);
    return LAW_START;
}

#if !defined(__bpf__)
#define LAW_SRV6_BYTES 4096

/*
 * Checks that the headers are emitted again, alone and before the packet, and not with
 * one byte less room.
 */
LAW_FN uint32_t law_srv6_again(const rocecc_packet *p)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    LAW_SCRATCH(back, LAW_SRV6_BYTES);
    rocecc_writer w = law_writer(back, LAW_SRV6_BYTES);
    const rocecc_reader outer = rocecc_subrange(r, f->outer.offset, f->outer.upper);
    size_t bytes;
    rocecc_srv6 h;
    rocecc_status status;
    if (rocecc_srv6_parse(p, &h) != ROCECC_OK) return LAW_START;
    bytes = rocecc_srv6_bytes(&h);
    status = rocecc_srv6_emit(&w, &h);
    LAW(status == (bytes - 40 + h.ip.bytes > 65535 ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? bytes : 0));
    if (status != ROCECC_OK) return LAW_START;
    if (law_srv6_plain(f, &h)) LAW(law_same(outer, &w, LAW_SRV6_BYTES));
    w = law_writer(back, bytes - 1);
    LAW(rocecc_srv6_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);

    w = law_writer(back, LAW_SRV6_BYTES);
    status = rocecc_srv6_build(&w, &h);
    if (rocecc_left(&h.inner) < h.ip.bytes) {
        LAW(status == ROCECC_ERR_SHORT && law_wrote(&w) == 0);
        return LAW_START;
    }
    LAW(status == (bytes + h.ip.bytes > LAW_SRV6_BYTES ? ROCECC_ERR_SPACE : ROCECC_OK));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? bytes + h.ip.bytes : 0));
    if (status != ROCECC_OK) return LAW_START;
    if (law_srv6_plain(f, &h))
        LAW(law_same(rocecc_subrange(r, f->outer.offset, f->outer.end), &w,
                     LAW_SRV6_BYTES));
    w = law_writer(back, bytes + h.ip.bytes - 1);
    LAW(rocecc_srv6_build(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return LAW_START;
}

/*
 * Checks the bytes as an SRH by their third byte. Other bytes are a frame, or IP if
 * they begin with 4 or 6.
 */
LAW_FN uint32_t law_srv6(rocecc_reader r)
{
    const rocecc_domain d = law_packet_plain(r);
    rocecc_packet p;
    bool match, tunnel;
    uint32_t digest = law_srh(r, &match);
    if (match) return digest;
    digest = law_mix(digest, rocecc_packet_parse(&d, r, &p));
    digest = law_mix(digest, law_srv6_parse(&p, &tunnel));
    digest = law_mix(digest, law_srv6_end(&p, tunnel));
    LAW(law_srv6_other(&p) != LAW_BROKEN);
    LAW(law_srv6_again(&p) != LAW_BROKEN);
    return digest;
}
#endif

#endif /* TESTS_LAW_SRV6_H */
