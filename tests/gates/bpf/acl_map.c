/* SPDX-License-Identifier: BSD-2-Clause */

/* Looks up an address in a list in a map that user space fills, as in a datapath. */
#define ENTRIES 16384
#define ROCECC_ACL_BPF_ENTRIES ENTRIES

#include "bpf.h"
#include "rocecc/guard/acl.h"

static volatile uint32_t filled = 1;
static rocecc_acl_entry entries[ENTRIES] = {{{{1}}, 8, 1, 0, ROCECC_ACL_NONE}};

ROCECC_FN uint32_t lookup(rocecc_reader r)
{
    rocecc_acl acl;
    rocecc_ip6 src;
    const uint8_t *b = rocecc_take(&r, sizeof src);
    size_t i;
    if (b == NULL) return 0;
    for (i = 0; i < sizeof src; i++)
        src.b[i] = b[i];
    acl = rocecc_acl_attach(entries, filled);
    if (acl.n > ENTRIES) return 0; /* a bound for the verifier */
    return rocecc_acl_lookup(&acl, &src).permit ? 2 : 1;
}

BPF_LAW(lookup)
