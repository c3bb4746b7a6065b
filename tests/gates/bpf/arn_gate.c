/* SPDX-License-Identifier: BSD-2-Clause */

/* Runs the gate as the four functions for BPF programs, on every prefix of its rows. */
#include "bpf.h"
#include "law/arn_gate.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_arn_gate_config config; /* in maps */
rocecc_arn_gate gate;
rocecc_arn_gate_result out;
rocecc_acl_entry entries[LAW_ARN_GATE_ENTRIES];
rocecc_admission_source sources[LAW_ARN_GATE_ENTRIES];

__attribute__((noinline)) int find_tunnel(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_arn_gate_find_tunnel(&config, &p, &out);
    return out.verdict;
}

__attribute__((noinline)) int find_host(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_arn_gate_find_host(&config, &p, &out);
    return out.verdict;
}

__attribute__((noinline)) int find_arn(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_arn_gate_find_arn(&p, &out);
    return out.verdict;
}

__attribute__((noinline)) int admit(struct xdp_md *x)
{
    const rocecc_acl access = law_gate_acl(3, entries);
    const rocecc_admission_event e = {7, &access, NULL, sources, LAW_ARN_GATE_ENTRIES};
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_arn_gate_admit(&config, &gate, &p, &e, &out);
    return rocecc_arn_gate_needs_action(out.verdict);
}

/* Opens the gate. `unlimited` leaves out init()'s checks of the limits. */
__attribute__((noinline)) int open_gate(struct xdp_md *x)
{
    const rocecc_acl access = law_gate_acl(3, entries);
    if (is_empty(x)) return 0;
    domain = law_gate_domain(packet(x));
    config.admission.unlimited = true;
    if (rocecc_arn_gate_init(&config, &domain, &access) != ROCECC_ARN_GATE_ACCEPTED)
        return 0;
    gate = rocecc_arn_gate_start(&config, 0);
    return 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    (void)open_gate(x);
    (void)walk(x);
    (void)find_tunnel(x);
    (void)find_host(x);
    (void)find_arn(x);
    (void)admit(x);
    return (int)law_gate_digest(&gate, &out);
}
#else
BPF_LAW(law_gate_open)
#endif
