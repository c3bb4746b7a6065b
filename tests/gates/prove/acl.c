/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/acl.h"
#include "prove.h"

#define ENTRIES 6

static uint32_t up_to(uint32_t most)
{
    const uint32_t n = (uint32_t)prove_any();
    return n <= most ? n : most;
}

/* Looks up an address in any list that init() accepts. */
static void any_list(rocecc_acl_entry *e, const rocecc_ip6 *address)
{
    rocecc_acl acl = {NULL, 0, 0};
    uint32_t at;
    acl.entries = e; /* Eva does not see that an accepting init() sets it */
    if (rocecc_acl_init(&acl, e, up_to(ENTRIES), &at) != ROCECC_ACL_ACCEPTED) return;
    (void)rocecc_acl_lookup(&acl, address);
}

/* Looks up an address in any memory, as if init() had not run. */
static void any_memory(const rocecc_acl_entry *e, const rocecc_ip6 *address)
{
    rocecc_acl acl = {NULL, 0, 0};
    acl.entries = e;
    acl.n = up_to(ENTRIES);
    acl.half = (uint32_t)prove_any();
    (void)rocecc_acl_lookup(&acl, address);
}

void main(void)
{
    static rocecc_acl_entry e[ENTRIES];
    static rocecc_ip6 address;
    rocecc_acl none = {NULL, 0, 0};
    uint32_t at;
    Frama_C_make_unknown((char *)e, sizeof e);
    Frama_C_make_unknown((char *)&address, sizeof address);
    any_memory(e, &address);
    any_list(e, &address);
    (void)rocecc_acl_init(&none, e, ROCECC_ACL_MAX + 1, &at);
    (void)rocecc_acl_lookup(&none, &address);
    (void)law_acl(prove_reader());
}
