/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ACLINDEX_H
#define TESTS_LAW_ACLINDEX_H

#include "acl.h"
#include "rocecc/guard/aclindex.h"

#define LAW_ACLINDEX_CELLS 4
#define LAW_ACLINDEX_ROOM (LAW_ACL_ENTRIES * ROCECC_ACLINDEX_CELLS)

/* Draws a cell with or without a step. Its index is usually below 7. */
LAW_FN rocecc_aclindex_cell law_aclindex_cell(uint32_t draw)
{
    rocecc_aclindex_cell c;
    c.index = draw & 7;
    if (c.index == 7) c.index = draw;
    c.step = (draw >> 3 & 1) != 0 ? draw >> 4 : 0;
    if ((draw >> 4 & 1) != 0) c.step &= 0x1ff; /* at most one bit */
    return c;
}

/*
 * Checks lookups in memory of any bits, as in a datapath. A match is an entry that
 * contains the address, and otherwise all members are 0.
 */
LAW_FN uint32_t law_aclindex_any(rocecc_reader r)
{
    uint32_t digest = LAW_START, i, j;
    law_acl_entry given[LAW_ACL_ENTRIES];
    rocecc_acl_entry e[LAW_ACL_ENTRIES];
    rocecc_aclindex_cell cells[LAW_ACLINDEX_CELLS];
    rocecc_acl acl;
    rocecc_aclindex x;
    const uint32_t sizes = law_u8(&r);
    const uint32_t links = law_u32(&r);
    for (i = 0; i < LAW_ACL_ENTRIES; i++) {
        given[i] = law_acl_draw(law_u64(&r));
        given[i].tag = i + 1;
        e[i] = law_acl_made(&given[i], links >> 4 * i & 7);
    }
    for (i = 0; i < LAW_ACLINDEX_CELLS; i++)
        cells[i] = law_aclindex_cell(law_u32(&r));
    acl = rocecc_acl_attach(e, (sizes & 7) < LAW_ACL_ENTRIES ? sizes & 3 : 4);
    x = rocecc_aclindex_attach(&acl, cells, sizes >> 4 < 4 ? sizes >> 4 : 4);
    for (j = 0; j < 2; j++) {
        const law_acl_entry to = law_acl_draw(law_u64(&r));
        const rocecc_ip6 address = law_acl_address(&to);
        const rocecc_acl_result m = rocecc_aclindex_lookup(&x, &address);
        LAW(m.found ? m.tag >= 1 && m.tag <= acl.n
                    : !m.permit && m.length == 0 && m.tag == 0);
        for (i = 0; i < LAW_ACL_ENTRIES; i++)
            LAW(!m.found || m.tag != i + 1 || law_acl_match(&given[i], 1, &to).found);
        LAW_FIELDS(ROCECC_ACL_MATCH_FIELDS, &m)
    }
    return digest;
}

/*
 * Checks that each accepted list has an index of at most ROCECC_ACLINDEX_CELLS per
 * entry, that one cell less gives SPACE, and that lookups agree with law_acl_match().
 */
LAW_FN uint32_t law_aclindex_list(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    law_acl_entry given[LAW_ACL_ENTRIES];
    rocecc_acl_entry e[LAW_ACL_ENTRIES];
    rocecc_aclindex_cell cells[LAW_ACLINDEX_ROOM];
    rocecc_acl acl = {NULL, 0, 0};
    rocecc_aclindex x, none = {{NULL, 0, 0}, NULL, 0};
    uint32_t n = law_u8(&r) & 7, room, at, i;
    if (n > LAW_ACL_ENTRIES) n = LAW_ACL_ENTRIES;
    room = n == 0 ? 1 : n * ROCECC_ACLINDEX_CELLS;
    for (i = 0; i < LAW_ACL_ENTRIES; i++) {
        given[i] = law_acl_draw(law_u64(&r));
        e[i] = law_acl_made(&given[i], 0);
    }
    acl.entries = e;
    if (rocecc_acl_init(&acl, e, n, &at) != ROCECC_ACL_ACCEPTED) return digest;
    x = none;
    LAW(rocecc_aclindex_init(&x, &acl, cells, room) == ROCECC_OK);
    LAW(x.acl.entries == e && x.acl.n == n && x.cells == cells);
    LAW(x.n_cells >= 1 && x.n_cells <= room);
    digest = law_mix(digest, x.n_cells);
    LAW(rocecc_aclindex_init(&none, &acl, cells, x.n_cells - 1) == ROCECC_ERR_SPACE);
    LAW(none.cells == NULL && none.n_cells == 0);
    LAW(rocecc_aclindex_init(&x, &acl, cells, x.n_cells) == ROCECC_OK);
    for (i = 0; i < LAW_ACL_LOOKUPS; i++) {
        const law_acl_entry to = law_acl_draw(law_u64(&r));
        const rocecc_ip6 address = law_acl_address(&to);
        const rocecc_acl_result m = rocecc_aclindex_lookup(&x, &address);
        const rocecc_acl_result expected = law_acl_match(given, n, &to);
        LAW(m.permit == expected.permit && m.found == expected.found);
        LAW(m.length == expected.length && m.tag == expected.tag);
        LAW_FIELDS(ROCECC_ACL_MATCH_FIELDS, &m)
    }
    return digest;
}

LAW_FN uint32_t law_aclindex(rocecc_reader r)
{
    return law_mix(law_aclindex_list(r), law_aclindex_any(r));
}

#endif /* TESTS_LAW_ACLINDEX_H */
