/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A private CNM, the table's entry and the packet of an MSDU: more than BPF's stack as
 * clang 14 makes it; and the table is reached by a pointer that is kept in memory.
 */
#include "../bpf.h"
#include "rocecc/role/l3qcn_tor.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_l3qcn_tor_config config; /* in maps */
rocecc_l3qcn_tor tor;

__attribute__((noinline)) int convert(struct xdp_md *x)
{
    rocecc_l3qcn_tor_event e;
    rocecc_l3qcn_tor_cnm out;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    e.now_ns = 0;
    e.w = rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end);
    rocecc_l3qcn_tor_convert(&config, &tor, &p, e, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return convert(x);
}
#endif
