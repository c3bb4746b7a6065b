/* SPDX-License-Identifier: BSD-2-Clause */

/* Verifies the ICRC of a plain packet with headers at any offsets. */
#include "bpf.h"
#include "packet.h"
#include "rocecc/packet/icrc.h"

rocecc_domain domain; /* in maps */
rocecc_headers where;
rocecc_icrc icrc;

__attribute__((noinline)) int verify(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = rocecc_packet_attach(&domain, packet(x), &where);
    return (int)rocecc_icrc_verify_plain(&p, &icrc);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return verify(x);
}
