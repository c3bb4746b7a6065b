/* SPDX-License-Identifier: BSD-2-Clause */

/* Plans the insertion of INT-MD, with headers at any offsets. */
#include "bpf.h"
#include "law/intmd.h"
#include "packet.h"

rocecc_domain domain; /* in maps */
rocecc_headers where;
rocecc_edit edit;

__attribute__((noinline)) int insert(struct xdp_md *x, unsigned mark)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = rocecc_packet_attach(&domain, packet(x), &where);
    return (int)law_intmd_insert(&p, 0, (uint8_t)mark, 1500, &edit);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return insert(x, (unsigned)where.kind);
}
