/* SPDX-License-Identifier: BSD-2-Clause */

/* Plans the insertion, update and removal of a tag, for headers at any offsets. */
#include "bpf.h"
#include "rocecc/packet/csig.h"

rocecc_headers where; /* in maps */
rocecc_domain domain;
rocecc_csig_table table;
rocecc_csig_port port;
rocecc_csig_measured local;
rocecc_csig tag;
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
    return (int)rocecc_csig_insert(&p, &tag, &edit);
}

__attribute__((noinline)) int push(struct xdp_md *x)
{
    const rocecc_packet p = packet(x);
    return (int)rocecc_csig_push(&p, &table, &port, &local, &edit);
}

__attribute__((noinline)) int strip(struct xdp_md *x)
{
    const rocecc_packet p = packet(x);
    return (int)rocecc_csig_strip(&p, &edit);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return insert(x) + push(x) + strip(x);
}
