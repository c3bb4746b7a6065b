/* SPDX-License-Identifier: BSD-2-Clause */

/* What learn() and convert() do to a frame, part by part; l3qcn_tor_origin.c
 * has another, flowtable.c the table, frame_flow.c what an MSDU shows. */
#include "bpf.h"
#include "rocecc/role/l3qcn_tor.h"

rocecc_l3qcn_tor_config c; /* in maps */
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_origin origin;

static __attribute__((always_inline)) rocecc_reader packet(const struct xdp_md *x)
{
    return rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
}

__attribute__((noinline)) int start(void)
{
    c.table.buckets = 4;
    return rocecc_l3qcn_tor_start(&c, bucket, NULL).table.used != 0;
}

__attribute__((noinline)) int is_one(struct xdp_md *x, const rocecc_frame *f)
{
    return f != NULL && rocecc_l3qcn_tor_is_one_(&c, packet(x), f);
}

/* A packet's PDU, from its 93rd byte on, becomes a CNM by what the table has. */
__attribute__((noinline)) int write(struct xdp_md *x, const rocecc_flowtable_origin *o)
{
    rocecc_reader r = packet(x), cnm = r, pdu = r;
    const rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_l3qcn h = {0};
    if (o == NULL || rocecc_take(&pdu, 92) == NULL ||
        rocecc_cnm_parse(&c.l3qcn.cnm, &pdu, &h.cnm) != ROCECC_OK)
        return 0;
    h.at = 92;
    return (int)rocecc_l3qcn_tor_write_(&c, w, &h, o, &cnm);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    c = rocecc_l3qcn_tor_default();
    return start() + is_one(x, &f) + write(x, &origin);
}
