/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Learns a flow. With the origin and the table, the verifier has too many paths to
 * follow. The table alone already needs other flags (flowtable.c).
 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4
#include "../bpf.h"
#include "rocecc/role/l3qcn_tor_learn.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_l3qcn_tor_config config; /* in maps */
rocecc_l3qcn_tor tor;
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_slot slot[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_l3qcn_tor_gate gate[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_l3qcn_tor_port ports[4];

__attribute__((noinline)) int learn(struct xdp_md *x)
{
    rocecc_l3qcn_tor_config c = config;
    rocecc_l3qcn_tor_event e = {0};
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    c.table.buckets = 4; /* a constant for the verifier */
    e.admission.now_ns = 0;
    e.memory.bucket = bucket;
    e.memory.slot = slot;
    e.gate = gate;
    e.ports = ports;
    e.n_ports = 4;
    e.port = 1;
    e.writer = rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return rocecc_l3qcn_tor_learn(&c, &tor, &p, &e).what;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return learn(x);
}
#endif
