/* SPDX-License-Identifier: BSD-2-Clause */

/* Makes the index for a list of one entry. */
#define ENTRIES 1
#define CELLS 32
#define ROCECC_ACL_BPF_ENTRIES ENTRIES
#define ROCECC_ACLINDEX_BPF_CELLS CELLS

#include "bpf.h"
#include "rocecc/guard/aclindex.h"

static rocecc_acl_entry entries[ENTRIES];
static rocecc_aclindex_cell cells[CELLS];

ROCECC_FN uint32_t init(rocecc_reader r)
{
    const rocecc_acl acl = {entries, ENTRIES, ENTRIES};
    rocecc_aclindex x = {{NULL, 0, 0}, NULL, 0};
    const uint8_t *b = rocecc_take(&r, 17);
    uint32_t j;
    if (b == NULL) return 0;
    for (j = 0; j < 16; j++)
        entries[0].prefix.b[j] = b[j];
    entries[0].length = b[16];
    entries[0].parent = ROCECC_ACL_NONE;
    return (uint32_t)rocecc_aclindex_init(&x, &acl, cells, CELLS) + x.n_cells;
}

BPF_LAW(init)
