/* SPDX-License-Identifier: BSD-2-Clause */

/* Plans the removal of a trace. */
#include "bpf.h"
#include "rocecc/packet/ioam.h"

rocecc_headers where; /* in maps */
rocecc_domain domain;
rocecc_edit edit;

static __attribute__((always_inline)) rocecc_packet packet(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    return rocecc_packet_attach(&domain, r, &where);
}

__attribute__((noinline)) int strip(struct xdp_md *x)
{
    const rocecc_packet p = packet(x);
    rocecc_ioam_option o;
    if (rocecc_ioam_find(&p, &o) != ROCECC_OK) return 0;
    return (int)rocecc_ioam_strip(&p, &edit);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return strip(x);
}
