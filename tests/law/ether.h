/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ETHER_H
#define TESTS_LAW_ETHER_H

#include "law.h"
#include "rocecc/fields/ether.h"

#define LAW_ETHER_TAGS 2

/* Checks one tag, and writes its type to *type. emit() refuses a too wide value. */
LAW_FN uint32_t law_vlan(rocecc_reader *r, uint16_t *type)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_VLAN_BYTES);
    const rocecc_reader before = *r;
    rocecc_writer w = law_writer(back, ROCECC_VLAN_BYTES);
    rocecc_vlan h;
    rocecc_status status = rocecc_vlan_parse(r, &h);
    digest = law_mix(digest, status);
    LAW(status ==
        (rocecc_left(&before) < ROCECC_VLAN_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(r->at == before.at + (status == ROCECC_OK ? ROCECC_VLAN_BYTES : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_VLAN_FIELDS, &h)
    *type = h.type;

    LAW(rocecc_vlan_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_VLAN_BYTES);
    LAW(law_same(before, &w, ROCECC_VLAN_BYTES));
    LAW(rocecc_vlan_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_VLAN_BYTES);
    h.vid = h.type;
    w = law_writer(back, ROCECC_VLAN_BYTES);
    status = rocecc_vlan_emit(&w, &h);
    LAW(status == (h.type >> 12 == 0 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_VLAN_BYTES : 0));
    return digest;
}

/* Checks that store(load(b)) is b for any E-TAG and VN-Tag. */
LAW_FN uint32_t law_ether_stored(const uint8_t *b)
{
    uint32_t digest = LAW_START;
    uint8_t back[ROCECC_ETAG_BYTES] = {0};
    const rocecc_etag e = rocecc_etag_load(b);
    const rocecc_vntag v = rocecc_vntag_load(b);
    int i;
    rocecc_etag_store(back, &e);
    for (i = 0; i < ROCECC_ETAG_BYTES; i++)
        LAW(back[i] == b[i]);
    rocecc_vntag_store(back, &v);
    for (i = 0; i < ROCECC_VNTAG_BYTES; i++)
        LAW(back[i] == b[i]);
    LAW_FIELDS(ROCECC_ETAG_FIELDS, &e)
    LAW_FIELDS(ROCECC_VNTAG_FIELDS, &v)
    return digest;
}

/*
 * Checks that an Arista timestamp is emitted as parsed, and that the 48-bit form
 * refuses seconds above 0xffff.
 */
LAW_FN uint32_t law_arista(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_ARISTA_MIN_BYTES + 2);
    const rocecc_reader before = r;
    rocecc_writer w = law_writer(back, ROCECC_ARISTA_MIN_BYTES + 2);
    rocecc_arista h;
    const rocecc_status status = rocecc_arista_parse(&r, &h);
    size_t bytes;
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_UNSUPPORTED || status == ROCECC_ERR_SHORT);
        LAW(status == ROCECC_ERR_SHORT || rocecc_left(&before) >= 4);
        LAW(status != ROCECC_ERR_SHORT || rocecc_left(&before) < 14);
        LAW(r.at == before.at);
        return digest;
    }
    LAW_FIELDS(ROCECC_ARISTA_FIELDS, &h)
    bytes = (h.version & 0xff) == 0x10 ? 14 : 12;
    LAW(h.subtype == 1 && (h.version & 0xfecf) == 0);
    LAW(r.at == before.at + bytes);
    LAW(rocecc_arista_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == bytes);
    LAW(law_same(before, &w, (int)bytes));
    LAW(rocecc_arista_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == bytes);
    h.seconds = h.ns;
    w = law_writer(back, ROCECC_ARISTA_MIN_BYTES + 2);
    LAW(rocecc_arista_emit(&w, &h) ==
        (bytes == 12 && h.ns > 0xffff ? ROCECC_ERR_RANGE : ROCECC_OK));
    return digest;
}

/* Checks the bytes as each kind of tag, and as a frame header with VLAN tags. */
LAW_FN uint32_t law_ether(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, ROCECC_ETAG_BYTES);
    LAW_SCRATCH(back, ROCECC_ETHER_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_ETHER_BYTES);
    rocecc_ether h;
    uint16_t type = 0;
    int tags;
    rocecc_status status;
    if (b != NULL) digest = law_mix(digest, law_ether_stored(b));
    digest = law_mix(digest, law_arista(r));
    digest = law_mix(digest, law_vlan(&rest, &type));
    rest = r;
    status = rocecc_ether_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status ==
        (rocecc_left(&r) < ROCECC_ETHER_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_ETHER_BYTES : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_ETHER_FIELDS, &h)

    LAW(rocecc_ether_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_ETHER_BYTES);
    LAW(law_same(r, &w, ROCECC_ETHER_BYTES));
    LAW(rocecc_ether_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_ETHER_BYTES);

    type = h.type;
    for (tags = 0; tags < LAW_ETHER_TAGS; tags++) {
        LAW(rocecc_vlan_match(type) == (type == 0x8100 || type == 0x88a8));
        if (!rocecc_vlan_match(type)) break;
        digest = law_mix(digest, law_vlan(&rest, &type));
    }
    return law_mix(digest, type);
}

#endif /* TESTS_LAW_ETHER_H */
