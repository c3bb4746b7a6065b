/* SPDX-License-Identifier: BSD-2-Clause */

/* Plans the removal of INT-MD, with headers at any offsets. */
#include "bpf.h"
#include "law/intmd.h"
#include "packet.h"

rocecc_domain domain; /* in maps */
rocecc_headers where;
rocecc_edit edit;

__attribute__((noinline)) int strip(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = rocecc_packet_attach(&domain, packet(x), &where);
    return (int)law_intmd_strip(&p, 0, &edit);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return strip(x);
}
