/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CNM_H
#define TESTS_LAW_CNM_H

#include "law.h"
#include "rocecc/fields/cnm.h"

#define LAW_CNM_FRAME_BYTES 114 /* the longest frame */

/*
 * Returns a configuration. Bit 0 tolerates a long MSDU, 1 requires version 0, and 2
 * fixes the MSDU's length.
 */
LAW_FN rocecc_cnm_config law_cnm_config(int bits)
{
    rocecc_cnm_config c = {0, false, false, false, {{0}}};
    c.tolerate_long = (bits & 1) != 0;
    c.strict_version = (bits & 2) != 0;
    c.fixed_msdu = (bits & 4) != 0;
    return c;
}

LAW_FN uint32_t law_cntag(rocecc_reader r)
{
    LAW_SCRATCH(back, ROCECC_CNTAG_BYTES);
    rocecc_writer w = law_writer(back, ROCECC_CNTAG_BYTES);
    rocecc_reader rest = r, type = r;
    rocecc_cntag h = {0};
    const rocecc_status status = rocecc_cntag_parse(&rest, &h);
    const uint8_t *b = rocecc_take(&type, 2);
    const bool is = b != NULL && b[0] == 0x22 && b[1] == 0xe9;
    LAW(status == (b == NULL             ? ROCECC_ERR_SHORT
                   : !is                 ? ROCECC_NO_MATCH
                   : rocecc_left(&r) < 4 ? ROCECC_ERR_SHORT
                                         : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? 4 : 0));
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(rocecc_cntag_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == 4 &&
        law_same(r, &w, 4));
    LAW(rocecc_cntag_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 4);
    return law_mix(LAW_START, h.flow_id);
}

/* Returns the expected verdict on a PDU, by rules 4 to 8. */
LAW_FN rocecc_cnm_verdict law_cnm_judge(rocecc_reader r, int bits)
{
    const size_t n = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, 24);
    uint32_t len;
    if (b == NULL) return ROCECC_CNM_CUT_PDU;
    len = b[22] * 256u + b[23];
    if (len > 64 && (bits & 1) == 0) return ROCECC_CNM_LONG_MSDU;
    if (len > 64) len = 64;
    if (24 + len > n) return ROCECC_CNM_CUT_MSDU;
    return (bits & 2) != 0 && b[0] >= 0x10 ? ROCECC_CNM_NEW_VERSION : ROCECC_CNM_TAKEN;
}

LAW_FN rocecc_status law_cnm_status(rocecc_cnm_verdict v)
{
    switch (v) {
    case ROCECC_CNM_TAKEN:
        return ROCECC_OK;
    case ROCECC_CNM_CUT_FRAME:
    case ROCECC_CNM_CUT_PDU:
    case ROCECC_CNM_CUT_MSDU:
        return ROCECC_ERR_SHORT;
    case ROCECC_CNM_LONG_MSDU:
    case ROCECC_CNM_GROUP_DST:
        return ROCECC_ERR_FORMAT;
    case ROCECC_CNM_MANY_TAGS:
    case ROCECC_CNM_NEW_VERSION:
        return ROCECC_ERR_UNSUPPORTED;
    default:
        return ROCECC_NO_MATCH;
    }
}

/*
 * Checks that emit() writes the 24 bytes again, with length 0 for an empty MSDU, and
 * refuses too wide values.
 */
LAW_FN uint32_t law_cnm_fixed(rocecc_reader r, const rocecc_cnm *pdu)
{
    const rocecc_cnm_config c = law_cnm_config(0);
    LAW_SCRATCH(back, ROCECC_CNM_BYTES);
    rocecc_writer w = law_writer(back, ROCECC_CNM_BYTES);
    rocecc_cnm h = *pdu;
    LAW(h.version < 16 && h.reserved_v < 64 && h.qntz_fb < 64);
    LAW(h.encap_priority < 8 && h.encap_reserved < 0x2000);
    LAW(rocecc_cnm_bytes(&c, &h) == 24 + rocecc_left(&h.msdu));
    h.msdu = rocecc_subrange(h.msdu, h.msdu.at, h.msdu.at);
    LAW(rocecc_cnm_emit(&w, &c, &h) == ROCECC_OK && law_wrote(&w) == 24);
    law_rewind(&w, 22);
    LAW(law_same(r, &w, 22) && back[22] == 0 && back[23] == 0);
    law_rewind(&w, 24);
    LAW(rocecc_cnm_emit(&w, &c, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 24);
    law_rewind(&w, 0);
    h.version += 16;
    LAW(rocecc_cnm_emit(&w, &c, &h) == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
    h.version -= 16;
    h.qntz_fb += 64;
    LAW(rocecc_cnm_emit(&w, &c, &h) == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
    return LAW_START;
}

#if !defined(__bpf__)
#define LAW_CNM_BYTES (ROCECC_CNM_BYTES + ROCECC_CNM_MSDU_MAX_BYTES)

/* Checks emit() with the MSDU's length and with 64. One byte less room gives SPACE. */
LAW_FN uint32_t law_cnm_whole(rocecc_reader r, const rocecc_cnm *h)
{
    const size_t n = rocecc_left(&h->msdu);
    rocecc_cnm_config c = law_cnm_config(0);
    LAW_ROOM(back, LAW_CNM_BYTES);
    rocecc_writer w = law_writer(back, 24 + n);
    size_t i;
    LAW(rocecc_cnm_emit(&w, &c, h) == ROCECC_OK && law_wrote(&w) == 24 + n);
    if (h->msdu_len == n) {
        LAW(law_same(r, &w, 88));
    } else {
        LAW(n == 64 && h->msdu_len > 64 && back[22] == 0 && back[23] == 64);
    }
    w = law_writer(back, 24 + n - 1);
    LAW(rocecc_cnm_emit(&w, &c, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    c.fixed_msdu = true;
    for (i = 0; i < LAW_CNM_BYTES; i++)
        back[i] = 0xa5;
    w = law_writer(back, LAW_CNM_BYTES);
    LAW(rocecc_cnm_bytes(&c, h) == 88);
    LAW(rocecc_cnm_emit(&w, &c, h) == ROCECC_OK && law_wrote(&w) == 88);
    LAW(back[22] == 0 && back[23] == 64);
    for (i = 24 + n; i < LAW_CNM_BYTES; i++)
        LAW(back[i] == 0);
    w = law_writer(back, LAW_CNM_BYTES - 1);
    LAW(rocecc_cnm_emit(&w, &c, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return LAW_START;
}
#endif

/* Checks that units of 64 bytes convert to bytes and back, by these signs. */
LAW_FN uint32_t law_cnm_signs(rocecc_cnm_signs signs, int16_t v)
{
    const int32_t offset = rocecc_cnm_q_offset_bytes(signs, v);
    const int32_t delta = rocecc_cnm_q_delta_bytes(signs, v);
    LAW(rocecc_cnm_q_offset(signs, offset) == v);
    LAW(rocecc_cnm_q_delta(signs, delta) == v);
    LAW(offset == (signs == ROCECC_CNM_SIGNS_B ? -64 * v : 64 * v));
    LAW(delta == (signs == ROCECC_CNM_SIGNS_C ? -64 * v : 64 * v));
    return law_mix(law_mix(LAW_START, (uint32_t)offset), (uint32_t)delta);
}

/* Checks that bridge, port and priority can be read from a CPID (R-L3-15). */
LAW_FN uint32_t law_cnm_cpid(const rocecc_mac *bridge, uint32_t port, unsigned priority)
{
    uint64_t cpid = UINT64_MAX;
    const rocecc_status status =
        rocecc_cnm_cpid(bridge, port, (uint8_t)priority, &cpid);
    int i;
    LAW(status == (port < 8192 && priority < 8 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(status == ROCECC_OK || cpid == UINT64_MAX);
    for (i = 0; i < 6 && status == ROCECC_OK; i++)
        LAW((cpid >> (56 - 8 * i) & 255) == bridge->b[i]);
    LAW(status != ROCECC_OK || (cpid & 0xffff) == port * 8 + priority);
    return law_mix(LAW_START, cpid);
}

/* Checks a PDU by one configuration. */
LAW_FN uint32_t law_cnm_pdu(rocecc_reader r, int bits)
{
    const rocecc_cnm_config c = law_cnm_config(bits);
    uint32_t digest = LAW_START, part;
    rocecc_reader rest = r, asked;
    rocecc_cnm h = {0, 0, 0, 0, 0, 0, 0, 0, {{0}}, 0, r};
    const rocecc_status status = rocecc_cnm_parse(&c, &rest, &h);
    digest = law_mix(digest, status);
    LAW(status == law_cnm_status(law_cnm_judge(r, bits)));
    if (status != ROCECC_OK) {
        LAW(rest.at == r.at);
        return digest;
    }
    LAW_FIELDS(ROCECC_CNM_FIELDS, &h)
    LAW(rest.at == r.at + 24 + rocecc_left(&h.msdu) && h.msdu.end == rest.at);
    LAW(rocecc_left(&h.msdu) == (h.msdu_len > 64 ? 64u : h.msdu_len));
    part = law_cnm_fixed(r, &h);
    LAW(part != LAW_BROKEN);
#if !defined(__bpf__)
    part = law_cnm_whole(r, &h);
    LAW(part != LAW_BROKEN);
#endif
    part = law_cnm_signs(ROCECC_CNM_SIGNS_A, h.q_offset);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_cnm_signs(ROCECC_CNM_SIGNS_B, h.q_delta);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_cnm_signs(ROCECC_CNM_SIGNS_C, h.q_offset);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    asked = rocecc_cnm_msdu(&c, h.msdu, h.qntz_fb);
    LAW(asked.at == h.msdu.at && asked.end <= h.msdu.end);
    LAW(rocecc_left(&asked) ==
        (rocecc_left(&h.msdu) < h.qntz_fb ? rocecc_left(&h.msdu) : h.qntz_fb));
    part = law_cnm_cpid(&h.encap_dst, h.msdu_len * 193u, h.qntz_fb / 4u);
    LAW(part != LAW_BROKEN);
    return law_mix(digest, part);
}

/* Returns the expected verdict on a frame, by all rules. */
LAW_FN rocecc_cnm_verdict law_cnm_frame_judge(rocecc_reader r, int bits,
                                              const rocecc_mac *station)
{
    const uint8_t *b = rocecc_take(&r, 14);
    rocecc_cnm_verdict v;
    uint8_t first, differ = 0;
    uint32_t type, tags = 0;
    int i;
    if (b == NULL) return ROCECC_CNM_CUT_FRAME;
    first = b[0];
    for (i = 0; i < 6; i++)
        differ |= (uint8_t)(b[i] ^ station->b[i]);
    type = b[12] * 256u + b[13];
    while (tags < 2 && (type == 0x8100 || type == 0x88a8)) {
        tags++;
        b = rocecc_take(&r, 4);
        if (b == NULL) return ROCECC_CNM_CUT_FRAME;
        type = b[2] * 256u + b[3];
    }
    if (type == 0x8100 || type == 0x88a8) return ROCECC_CNM_MANY_TAGS;
    if (type != 0x22e9 && type != 0x22e7) return ROCECC_CNM_OTHER_TYPE;
    if (type == 0x22e9) {
        b = rocecc_take(&r, 4);
        if (b == NULL) return ROCECC_CNM_CUT_FRAME;
        if (b[2] != 0x22 || b[3] != 0xe7) return ROCECC_CNM_DATA;
    }
    v = law_cnm_judge(r, bits);
    if (v != ROCECC_CNM_TAKEN) return v;
    if (first % 2 == 1) return ROCECC_CNM_GROUP_DST;
    return differ != 0 && (bits & 8) != 0 ? ROCECC_CNM_OTHER_DST : ROCECC_CNM_TAKEN;
}

#if !defined(__bpf__)
/* Checks that the frame is built again, with zeros up to 60 bytes. */
LAW_FN uint32_t law_cnm_frame_again(rocecc_reader r, const rocecc_cnm_frame *h)
{
    const rocecc_cnm_config c = law_cnm_config(0);
    const size_t head = rocecc_cnm_head_bytes(&h->head);
    const size_t bytes = head + 24 + rocecc_left(&h->cnm.msdu);
    LAW_ROOM(back, LAW_CNM_FRAME_BYTES);
    rocecc_writer w = law_writer(back, head);
    size_t i;
    LAW(head >= 14 && head <= 26 && head == h->cnm.msdu.at - 24 - r.at);
    LAW(rocecc_cnm_head_emit(&w, &h->head) == ROCECC_OK && law_wrote(&w) == head);
    LAW(law_same(r, &w, 26));
    w = law_writer(back, head - 1);
    LAW(rocecc_cnm_head_emit(&w, &h->head) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    for (i = 0; i < LAW_CNM_FRAME_BYTES; i++)
        back[i] = 0xa5;
    w = law_writer(back, LAW_CNM_FRAME_BYTES);
    LAW(rocecc_cnm_frame_build(&w, &c, h) == ROCECC_OK);
    LAW(law_wrote(&w) == (bytes < 60 ? 60 : bytes));
    for (i = bytes; i < 60; i++)
        LAW(back[i] == 0);
    law_rewind(&w, bytes);
    LAW(h->cnm.msdu_len > 64 || law_same(r, &w, LAW_CNM_FRAME_BYTES));
    w = law_writer(back, (bytes < 60 ? 60 : bytes) - 1);
    LAW(rocecc_cnm_frame_build(&w, &c, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return LAW_START;
}
#endif

/* Checks a frame. With bit 3, the station accepts only its own address. */
LAW_FN uint32_t law_cnm_frame(rocecc_reader r, int bits)
{
    const rocecc_mac station = {{0x02, 0xfd, 0x16, 0x78, 0x3a, 0xcd}};
    rocecc_cnm_config c = law_cnm_config(bits);
    rocecc_cnm_verdict verdict = ROCECC_CNM_TAKEN;
    uint32_t digest = LAW_START;
    rocecc_cnm_frame h;
    rocecc_status status;
    if ((bits & 8) != 0) c.station = station;
    status = rocecc_cnm_frame_parse(&c, r, &h, &verdict);
    LAW(verdict == law_cnm_frame_judge(r, bits, &station));
    LAW(status == law_cnm_status(verdict));
    digest = law_mix(digest, verdict);
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_CNM_FRAME_FIELDS, &h)
    LAW(h.head.n_vlan <= 2 && (h.head.tagged || h.head.flow_id == 0));
#if !defined(__bpf__)
    LAW(law_cnm_frame_again(r, &h) != LAW_BROKEN);
#endif
    return digest;
}

/* Checks the bytes as a CN-TAG, a PDU and a frame. */
LAW_FN uint32_t law_cnm(rocecc_reader r)
{
    uint32_t digest = LAW_START, part = law_cntag(r);
    int bits;
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    for (bits = 0; bits < 4; bits++) {
        part = law_cnm_pdu(r, bits);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
        part = law_cnm_frame(r, bits * 5);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
    }
    return digest;
}

#endif /* TESTS_LAW_CNM_H */
