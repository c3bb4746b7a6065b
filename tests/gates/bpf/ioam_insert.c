/* SPDX-License-Identifier: BSD-2-Clause */

/* Plans the insertion of a trace. */
#include "bpf.h"
#include "rocecc/packet/ioam.h"

rocecc_headers where; /* in maps */
rocecc_domain domain;
rocecc_ioam_source source;
rocecc_edit edit;

static __attribute__((always_inline)) rocecc_packet packet(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    return rocecc_packet_attach(&domain, r, &where);
}

__attribute__((noinline)) int insert(struct xdp_md *x)
{
    const rocecc_packet p = packet(x);
    return (int)rocecc_ioam_insert(&p, &source, 1500, &edit);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return insert(x);
}
