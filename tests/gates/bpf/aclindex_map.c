/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Looks up an address in a list and its index, in maps that user space fills, as in a
 * datapath.
 */
#define ENTRIES 16384
#define CELLS 262144
#define ROCECC_ACL_BPF_ENTRIES ENTRIES
#define ROCECC_ACLINDEX_BPF_CELLS CELLS

#include "bpf.h"
#include "rocecc/guard/aclindex.h"

static volatile uint32_t filled = 1, filled_cells = 1;
rocecc_acl_entry entries[ENTRIES] = {{{{1}}, 8, 1, 0, ROCECC_ACL_NONE}};
rocecc_aclindex_cell cells[CELLS] = {{0, 0}};

ROCECC_FN uint32_t lookup(rocecc_reader r)
{
    rocecc_acl acl;
    rocecc_aclindex x;
    rocecc_ip6 src;
    const uint8_t *b = rocecc_take(&r, sizeof src);
    size_t i;
    if (b == NULL) return 0;
    for (i = 0; i < sizeof src; i++)
        src.b[i] = b[i];
    acl = rocecc_acl_attach(entries, filled);
    x = rocecc_aclindex_attach(&acl, cells, filled_cells);
    /* bounds that the verifier must see */
    if (acl.n > ENTRIES || x.n_cells > CELLS) return 0;
    return rocecc_aclindex_lookup(&x, &src).permit ? 2 : 1;
}

BPF_LAW(lookup)
