/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ETHER_H
#define TESTS_LAW_ETHER_H

#include "law.h"
#include "rocecc/fields/ether.h"

#define LAW_ETHER_TAGS 2

/* One tag, whose type goes to *type; a value too wide is refused and moves nothing. */
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

/* The bytes as a tag, and as a frame: its header and the tags that types announce. */
LAW_FN uint32_t law_ether(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_ETHER_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_ETHER_BYTES);
    rocecc_ether h;
    uint16_t type = 0;
    int tags;
    rocecc_status status;
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
