/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs one by one the parts of a step that make a Fast CNP, because a whole step needs
 * more stack than BPF has.
 */
#define ENTRIES 4
#define ROCECC_ACL_BPF_ENTRIES ENTRIES
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_congestion_config c; /* in maps */
rocecc_congestion_point s;
rocecc_admission_source sources[4];
rocecc_cnpgate gate;
uint32_t any;
static volatile uint32_t filled = 1; /* entries; set by user space */
static rocecc_acl_entry entries[ENTRIES] = {{{{1}}, 8, 1, 0, ROCECC_ACL_NONE}};

/* Returns the list. Each function attaches it again, because maps hold no pointers. */
static __attribute__((always_inline)) rocecc_acl list(void)
{
    return rocecc_acl_attach(entries, filled);
}

__attribute__((noinline)) int cnp(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_cnp h;
    rocecc_congestion_event e = {0};
    rocecc_acl both = list();
    rocecc_congestion_tags_ tags;
    if (is_empty(x) || both.n > ENTRIES) return 0;
    e.admission.list = e.tunnels = &both;
    p = attached(x);
    return (int)rocecc_congestion_address_fastcnp_(&c, &p, &e, &h, &tags);
}

__attribute__((noinline)) int option(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_fastcnp h;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_congestion_make_option_(&c, &p, &h);
}

/* Checks the flow's gate, and takes a token from the sender's and the shared bucket. */
__attribute__((noinline)) int admit(void)
{
    rocecc_congestion_event e = {0};
    rocecc_cnpgate passed;
    e.admission.now_ns = any;
    e.admission.sources = sources;
    e.admission.n_sources = 4;
    e.gate = &gate;
    return (int)rocecc_congestion_pass_gate_(&c, &e, any & 1, &passed) +
           (int)rocecc_congestion_admit_(&c, &s, &e, any);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return cnp(x) + option(x) + admit();
}
#endif
