/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_PFC_H
#define TESTS_LAW_PFC_H

#include "law.h"
#include "rocecc/fields/pfc.h"

/*
 * Returns a frame's expected status. `high` is the opcode's first byte, `bytes` the
 * minimum length, and `other` a second destination or NULL.
 */
LAW_FN rocecc_status law_pfc_status(rocecc_reader r, uint8_t high, uint8_t bytes,
                                    const rocecc_mac *other)
{
    const size_t left = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, 14);
    uint8_t group, own;
    int i;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[12] != 0x88 || b[13] != 0x08) return ROCECC_NO_MATCH;
    group = (uint8_t)((b[0] ^ 0x01) | (b[1] ^ 0x80) | (b[2] ^ 0xc2) | b[3] | b[4] |
                      (b[5] ^ 0x01));
    ROCECC_BPF_KEEP_(other); /* or clang tests the condition that made it NULL */
    own = other == NULL;
    for (i = 0; other != NULL && i < 6; i++)
        own |= (uint8_t)(other->b[i] ^ b[i]);
    b = rocecc_take(&r, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] != high || b[1] != 0x01) return ROCECC_NO_MATCH;
    if (left < bytes) return ROCECC_ERR_SHORT;
    return group != 0 && own != 0 ? ROCECC_ERR_FORMAT : ROCECC_OK;
}

/* Checks a PFC frame, its priorities, and the emitted bytes. Zeros fill a frame. */
LAW_FN uint32_t law_pfc_frame(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_PFC_FRAME_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_PFC_BYTES);
    rocecc_pfc h;
    unsigned i;
    const rocecc_status status = rocecc_pfc_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status == law_pfc_status(r, 0x01, 34, NULL));
    LAW(rest.at == r.at + (status == ROCECC_OK ? 34 : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_PFC_FIELDS, &h)
    LAW(rocecc_pfc_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == 34);
    LAW(law_same(r, &w, 34));
    LAW(rocecc_pfc_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 34);
    LAW(rocecc_pfc_build(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 34);
    for (i = 0; i < 10; i++) {
        uint16_t quanta = 0xa5a5;
        const rocecc_status found = rocecc_pfc_find(&h, i, &quanta);
        LAW(found == (i > 7                   ? ROCECC_ERR_RANGE
                      : h.enable >> i % 8 & 1 ? ROCECC_OK
                                              : ROCECC_NO_MATCH));
        LAW(found == ROCECC_OK || quanta == 0xa5a5);
        LAW(found != ROCECC_OK || i > 7 || quanta == rocecc_load16(back + 18 + 2 * i));
        digest = law_mix(digest, quanta);
    }
    for (i = 0; i < ROCECC_PFC_FRAME_BYTES; i++)
        back[i] = 0xa5;
    w = law_writer(back, ROCECC_PFC_FRAME_BYTES);
    LAW(rocecc_pfc_build(&w, &h) == ROCECC_OK && law_wrote(&w) == 60);
    law_rewind(&w, 34);
    LAW(law_same(r, &w, 34));
    for (i = 34; i < ROCECC_PFC_FRAME_BYTES; i++)
        LAW(back[i] == 0);
    return digest;
}

/* Checks a PAUSE frame. With `own`, its destination is the station's address. */
LAW_FN uint32_t law_pfc_pause(rocecc_reader r, bool own)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_PFC_FRAME_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_PFC_PAUSE_BYTES);
    rocecc_pfc_config c = {{{0}}};
    rocecc_pfc_pause h;
    rocecc_status status;
    bool may, any;
    const uint8_t *b = rocecc_take(&rest, 6);
    if (own && b != NULL) c.station = rocecc_mac_load(b);
    any = (c.station.b[0] | c.station.b[1] | c.station.b[2] | c.station.b[3] |
           c.station.b[4] | c.station.b[5]) != 0;
    rest = r;
    status = rocecc_pfc_pause_parse(&c, &rest, &h);
    digest = law_mix(digest, status);
    LAW(status == law_pfc_status(r, 0x00, 18, any ? &c.station : NULL));
    LAW(rest.at == r.at + (status == ROCECC_OK ? 18 : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_PFC_PAUSE_FIELDS, &h)
    may = (h.dst.b[0] & 1) == 0 || law_pfc_status(r, 0x00, 18, NULL) == ROCECC_OK;
    status = rocecc_pfc_pause_emit(&w, &h);
    LAW(status == (may ? ROCECC_OK : ROCECC_ERR_RANGE) &&
        law_wrote(&w) == (may ? 18 : 0));
    if (!may) return digest;
    LAW(law_same(r, &w, 18));
    LAW(rocecc_pfc_pause_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 18);
    LAW(rocecc_pfc_pause_build(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 18);
    w = law_writer(back, ROCECC_PFC_FRAME_BYTES);
    LAW(rocecc_pfc_pause_build(&w, &h) == ROCECC_OK && law_wrote(&w) == 60);
    law_rewind(&w, 18);
    LAW(law_same(r, &w, 18));
    return digest;
}

/* Checks quanta in ns and back. any_ns gives the fewest quanta that last as long. */
LAW_FN uint32_t law_pfc_time(uint16_t quanta, uint64_t rate_bps, uint64_t any_ns)
{
    const uint64_t bits_e9 = quanta * (uint64_t)512000000000;
    const uint64_t ns = rocecc_pfc_ns(quanta, rate_bps);
    const uint64_t most = rocecc_pfc_ns(0xffff, rate_bps);
    const uint16_t back = rocecc_pfc_quanta(ns, rate_bps);
    const uint16_t of = rocecc_pfc_quanta(any_ns, rate_bps);
    LAW(rate_bps == 0 || quanta == 0 || (ns - 1) * rate_bps < bits_e9);
#if !defined(__bpf__) /* clang would use a product of 128 bits */
    LAW(rate_bps == 0 || ns > UINT64_MAX / rate_bps || ns * rate_bps >= bits_e9);
#endif
    LAW((quanta == 0) == (ns == 0) && (quanta != 0) == (back != 0));
    LAW(back <= quanta && rocecc_pfc_ns(back, rate_bps) == ns);
    LAW(rate_bps == 0 || rate_bps > (uint64_t)512000000000 || back == quanta);
    LAW(of == 0xffff ? any_ns > most || rocecc_pfc_ns(0xffff, rate_bps) >= any_ns
                     : rocecc_pfc_ns(of, rate_bps) >= any_ns);
    LAW(of == 0 || rocecc_pfc_ns((uint16_t)(of - 1), rate_bps) < any_ns);
    return law_mix(law_mix(law_mix(LAW_START, ns), back), of);
}

/* Checks the bytes as both frames, and the first 18 as a rate, a time and quanta. */
LAW_FN uint32_t law_pfc(rocecc_reader r)
{
    uint32_t digest = LAW_START, part = law_pfc_frame(r);
    rocecc_reader rest = r;
    const uint8_t *b;
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_pfc_pause(r, false);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_pfc_pause(r, true);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    b = rocecc_take(&rest, 18);
    if (b == NULL) return digest;
    part = law_pfc_time(rocecc_load16(b + 16), rocecc_load64(b) >> (b[7] & 0x3f),
                        rocecc_load64(b + 8) >> (b[15] & 0x3f));
    LAW(part != LAW_BROKEN);
    return law_mix(digest, part);
}

#endif /* TESTS_LAW_PFC_H */
