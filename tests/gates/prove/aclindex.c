/* SPDX-License-Identifier: BSD-2-Clause */
#include "prove.h"
#include "rocecc/guard/aclindex.h"

#define ENTRIES 3
#define CELLS 8

static uint32_t up_to(uint32_t most)
{
    const uint32_t n = (uint32_t)prove_any();
    return n <= most ? n : most;
}

/*
 * Makes an index for any list, even if it is unsorted, and looks up an address in it.
 * init() writes only existing cells.
 */
static void any_list(const rocecc_acl *acl, const rocecc_ip6 *address)
{
    static rocecc_aclindex_cell cells[CELLS];
    rocecc_aclindex x = {{NULL, 0, 0}, NULL, 0};
    if (rocecc_aclindex_init(&x, acl, cells, up_to(CELLS)) != ROCECC_OK) return;
    (void)rocecc_aclindex_lookup(&x, address);
}

/* Looks up an address in any memory, as if init() had not run. */
static void any_memory(const rocecc_acl *acl, const rocecc_ip6 *address)
{
    static rocecc_aclindex_cell cells[CELLS];
    rocecc_aclindex x;
    Frama_C_make_unknown((char *)cells, sizeof cells);
    x = rocecc_aclindex_attach(acl, cells, up_to(CELLS));
    (void)rocecc_aclindex_lookup(&x, address);
}

void main(void)
{
    static rocecc_acl_entry e[ENTRIES];
    static rocecc_ip6 address;
    rocecc_acl acl = {NULL, 0, 0};
    Frama_C_make_unknown((char *)e, sizeof e);
    Frama_C_make_unknown((char *)&address, sizeof address);
    acl = rocecc_acl_attach(e, up_to(ENTRIES));
    any_memory(&acl, &address);
    any_list(&acl, &address);
}
