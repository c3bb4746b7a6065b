/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Makes a list of at most 3 entries. With 4, the verifier has too many paths to follow.
 */
#define ENTRIES 3
#define ROCECC_ACL_BPF_ENTRIES ENTRIES

#include "bpf.h"
#include "rocecc/guard/acl.h"

ROCECC_FN uint32_t init(rocecc_reader r)
{
    rocecc_acl_entry e[ENTRIES];
    rocecc_acl acl = {NULL, 0, 0};
    const uint8_t *b = rocecc_take(&r, 1);
    uint32_t n, at, i, j;
    if (b == NULL) return 0;
    n = *b & 7;
    if (n > ENTRIES) n = ENTRIES;
    for (i = 0; i < ENTRIES; i++) {
        b = rocecc_take(&r, 17);
        if (b == NULL) return 0;
        for (j = 0; j < 16; j++)
            e[i].prefix.b[j] = b[j];
        e[i].length = b[16];
        e[i].permit = 1;
        e[i].tag = e[i].parent = i;
    }
    return (uint32_t)rocecc_acl_init(&acl, e, n, &at);
}

BPF_LAW(init)
