/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CM_H
#define TESTS_LAW_CM_H

#include "law.h"
#include "packet.h"
#include "rocecc/fields/cm.h"
#include "rocecc/packet/cm.h"

LAW_FN uint32_t law_cm_fields(uint32_t digest, const rocecc_cm *h)
{
    LAW_FIELDS(ROCECC_CM_FIELDS, h)
    return digest;
}

/* Returns the expected status of rocecc_cm_parse(), word by word. */
LAW_FN rocecc_status law_cm_status(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, 256);
    uint32_t attribute;
    if (b == NULL) return ROCECC_ERR_SHORT;
    attribute = rocecc_load32(b + 16) >> 16;
    if ((rocecc_load32(b) & 0x00ff00ff) != 0x00070003 || attribute < 0x10 ||
        attribute > 0x15 || attribute == 0x11 || attribute == 0x12)
        return ROCECC_NO_MATCH;
    if ((rocecc_load32(b) & 0xff00ff00) != 0x01000200) return ROCECC_ERR_UNSUPPORTED;
    return attribute == 0x10 && (b[67] & 4) != 0 ? ROCECC_ERR_UNSUPPORTED : ROCECC_OK;
}

/* Checks rocecc_cm_parse(), and that it consumes 256 bytes or none. */
LAW_FN uint32_t law_cm_parse(rocecc_reader r, rocecc_status *status, rocecc_cm *h)
{
    rocecc_reader rest = r;
    *status = rocecc_cm_parse(&rest, h);
    LAW(*status == law_cm_status(r));
    LAW(rest.at == r.at + (*status == ROCECC_OK ? 256u : 0));
    if (*status != ROCECC_OK) return law_mix(LAW_START, *status);
    LAW(h->qpn >> 24 == 0 && h->service < 2);
    return law_cm_fields(law_mix(LAW_START, *status), h);
}

/* Returns the expected status of rocecc_cm_find(). */
LAW_FN rocecc_status law_cm_found(const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const uint32_t bytes = f->end - f->bth;
    rocecc_reader r = rocecc_subrange(p->bytes, f->bth, f->end);
    const uint8_t *b = rocecc_take(&r, 12);
    uint8_t second;
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->bth == 0 || b == NULL ||
        b[0] != 0x64 || rocecc_load32(b + 4) << 8 != 0x100)
        return ROCECC_NO_MATCH;
    second = b[1];
    b = rocecc_take(&r, 8);
    if (b == NULL) return bytes < 20 ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT;
    if ((second & 15) != 0) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_load32(b) != 0x80010000 || rocecc_load32(b + 4) << 8 != 0x100)
        return ROCECC_NO_MATCH;
    if ((second & 48) != 0 || bytes != 280) return ROCECC_ERR_FORMAT;
    if (f->end > p->bytes.end) return ROCECC_ERR_SHORT;
    return law_cm_status(r);
}

LAW_FN uint32_t law_cm_packet(const rocecc_packet *p)
{
    uint32_t digest = LAW_START;
    rocecc_cm h = {0, 0, 0, 0, 0};
    const rocecc_status status = rocecc_cm_find(p, &h);
    LAW(status == law_cm_found(p));
    if (status != ROCECC_NO_MATCH) LAW(rocecc_cm_match(p));
    LAW(status == ROCECC_OK || (h.attribute | h.local_id | h.qpn) == 0);
    digest = law_mix(digest, status);
    return law_cm_fields(digest, &h);
}

#if !defined(__bpf__)
/* Checks that parse() reads the bytes of emit(), and emit() refuses too wide values. */
LAW_FN uint32_t law_cm_back(uint32_t digest, const rocecc_cm *h)
{
    LAW_SCRATCH(back, ROCECC_CM_BYTES);
    rocecc_writer w = law_writer(back, ROCECC_CM_BYTES);
    rocecc_status status;
    rocecc_cm again = *h;
    again.service ^= 2;
    LAW(rocecc_cm_emit(&w, &again) == ROCECC_ERR_RANGE);
    again = *h;
    again.qpn |= 1u << 24;
    LAW(rocecc_cm_emit(&w, &again) == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
    LAW(rocecc_cm_emit(&w, h) == ROCECC_OK && law_wrote(&w) == ROCECC_CM_BYTES);
    LAW(rocecc_cm_emit(&w, h) == ROCECC_ERR_SPACE);
    LAW(law_cm_parse(law_reader(back, ROCECC_CM_BYTES), &status, &again) == digest);
    LAW(status == ROCECC_OK);
    return digest;
}

/* Checks the bytes as a CM message, and as a packet. */
LAW_FN uint32_t law_cm(rocecc_reader r)
{
    const rocecc_domain d = law_packet_plain(r);
    rocecc_packet p;
    rocecc_status status;
    rocecc_cm h = {0, 0, 0, 0, 0};
    uint32_t digest = law_cm_parse(r, &status, &h), found;
    LAW(digest != LAW_BROKEN);
    if (status == ROCECC_OK) LAW(law_cm_back(digest, &h) != LAW_BROKEN);
    digest = law_mix(digest, rocecc_packet_parse(&d, r, &p));
    found = law_cm_packet(&p);
    LAW(found != LAW_BROKEN);
    return law_mix(digest, found);
}
#endif

#endif /* TESTS_LAW_CM_H */
