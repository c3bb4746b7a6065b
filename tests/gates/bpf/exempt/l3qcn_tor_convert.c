/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs convert(). A private CNM, the table's entry, and an MSDU with its packet need
 * more than BPF's stack with either clang.
 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4
#include "../bpf.h"
#include "rocecc/role/l3qcn_tor.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_l3qcn_tor_config config; /* in maps */
rocecc_l3qcn_tor tor;
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_slot slot[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_l3qcn_tor_gate gate[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_l3qcn_tor_port ports[4];

__attribute__((noinline)) int convert(struct xdp_md *x)
{
    rocecc_l3qcn_tor_event e = {0};
    rocecc_l3qcn_tor_convert_result out;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    config.table.buckets = 4;
    e.admission.now_ns = 0;
    e.memory.bucket = bucket;
    e.memory.slot = slot;
    e.gate = gate;
    e.ports = ports;
    e.n_ports = 4;
    e.port = 0;
    e.writer =
        rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end);
    rocecc_l3qcn_tor_convert(&config, &tor, &p, &e, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return convert(x);
}
#endif
