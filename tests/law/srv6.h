/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_SRV6_H
#define TESTS_LAW_SRV6_H

#include "law.h"
#include "rocecc/wire/ip6opt.h"
#include "rocecc/wire/srv6.h"

#define SRH_FIELDS(F, T)                                                               \
    F(T, UINT, next_header, NULL)                                                      \
    F(T, UINT, segments_left, NULL)                                                    \
    F(T, UINT, flags, NULL)                                                            \
    F(T, UINT, tag, NULL)                                                              \
    F(T, VIEW, segments, NULL)                                                         \
    F(T, VIEW, tlvs, NULL)

#define LAW_SRH_TLVS 4 /* that the digest goes over */

/* What parse() should say, from the definition. */
ROCECC_FN rocecc_status law_srh_status(rocecc_reader r)
{
    const size_t left = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, ROCECC_SRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[2] != 4) return ROCECC_NO_MATCH;
    if (left < ((size_t)b[1] + 1) * 8) return ROCECC_ERR_SHORT;
    if (b[4] >= b[1] / 2 || b[3] > b[4] + 1) return ROCECC_ERR_FORMAT;
    return ROCECC_OK;
}

/* The header again, byte for byte; a byte less of room, and it is not written. */
ROCECC_FN uint32_t law_srh_again(rocecc_reader r, const rocecc_srh *h, size_t n)
{
    uint8_t back[ROCECC_SRH_BYTES + ROCECC_SRH_REST_MAX_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(back, back + sizeof back);
    rocecc_srh wide = *h;
    rocecc_status status;
    LAW(rocecc_srh_emit(&w, h) == ROCECC_OK && w.at == n);
    LAW(law_same(r, &w, sizeof back));
    w = rocecc_writer_of(back, back + sizeof back);
    LAW(rocecc_put(&w, sizeof back - (n - 1)) != NULL);
    LAW(rocecc_srh_emit(&w, h) == ROCECC_ERR_SPACE && rocecc_room(&w) == n - 1);
    wide.segments_left = h->flags; /* fits if there are so many segments */
    w = rocecc_writer_of(back, back + sizeof back);
    status = rocecc_srh_emit(&w, &wide);
    LAW(status ==
        (h->flags > rocecc_left(&h->segments) / 16 ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW(w.at == (status == ROCECC_OK ? n : 0));
    return LAW_START;
}

/* Every byte of the TLVs belongs to one of them. */
ROCECC_FN uint32_t law_srh_tlvs(rocecc_reader tlvs)
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

ROCECC_FN uint32_t law_srv6(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_srh h;
    size_t segments, tlvs;
    int i;
    const rocecc_status status = rocecc_srh_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status == law_srh_status(r));
    LAW(rest.at == r.at || status == ROCECC_OK);
    if (status != ROCECC_OK) return digest;
    segments = rocecc_left(&h.segments);
    tlvs = rocecc_left(&h.tlvs);
    LAW(segments >= 16 && segments % 16 == 0 && tlvs % 8 == 0);
    LAW(h.segments.at == r.at + ROCECC_SRH_BYTES && h.tlvs.at == h.segments.end);
    LAW(rest.at == h.tlvs.end && rest.at - r.at == ROCECC_SRH_BYTES + segments + tlvs);
    LAW_FIELDS(SRH_FIELDS, &h)
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

#endif /* TESTS_LAW_SRV6_H */
