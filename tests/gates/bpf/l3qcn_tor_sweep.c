/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Empties or keeps each of a bucket's 8 slots, with the slot's gate. This needs a
 * program of its own.
 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4
#include "bpf.h"
#include "rocecc/role/l3qcn_tor_learn.h"

#if defined(__bpf__)
rocecc_l3qcn_tor_config config; /* in maps */
rocecc_l3qcn_tor tor;
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_slot slot[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_l3qcn_tor_gate gate[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_l3qcn_tor_port ports[4];
uint32_t any;

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_l3qcn_tor_event e = {0};
    (void)x;
    config.table.buckets = 4;
    e.admission.now_ns = any;
    e.memory.bucket = bucket;
    e.memory.slot = slot;
    e.gate = gate;
    e.ports = ports;
    e.n_ports = 4;
    return (int)rocecc_l3qcn_tor_sweep(&config, &tor, &e);
}
#endif
