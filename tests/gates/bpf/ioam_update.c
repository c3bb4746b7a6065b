/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes node data into a pre-allocated trace in place, as a node on the path does. */
#include "bpf.h"
#include "rocecc/packet/ioam.h"

rocecc_headers where; /* in maps */
rocecc_domain domain;
rocecc_ioam_node node;

__attribute__((noinline)) int update(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    const rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    const rocecc_packet p = rocecc_packet_attach(&domain, r, &where);
    return (int)rocecc_ioam_update(&p, w, &node, rocecc_subrange(r, 0, 0));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return update(x);
}
