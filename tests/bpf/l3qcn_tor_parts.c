/* SPDX-License-Identifier: BSD-2-Clause */

/* What learn() and convert() do to a packet, part by part; l3qcn_tor_origin.c has
 * another, flowtable.c the table, packet_at.c and packet_flow.c what an MSDU shows. */
#include "bpf.h"
#include "rocecc/role/l3qcn_tor.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_l3qcn_tor_config c; /* in maps */
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_origin origin;

__attribute__((noinline)) int start(void)
{
    c.table.buckets = 4;
    return rocecc_l3qcn_tor_start(&c, bucket).table.used != 0;
}

__attribute__((noinline)) int is_one(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_l3qcn_tor_is_one_(&p);
}

/* A packet's PDU, from its 93rd byte on, becomes a CNM by what the table has. */
__attribute__((noinline)) int write(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_reader cnm = r, pdu = r;
    const rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_l3qcn h = {0};
    if (rocecc_take(&pdu, 92) == NULL ||
        rocecc_cnm_parse(&domain.l3qcn.cnm, &pdu, &h.cnm) != ROCECC_OK)
        return 0;
    h.at = 92;
    return rocecc_l3qcn_tor_acts(rocecc_l3qcn_tor_write_(&c, w, &h, &origin, &cnm));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    c = rocecc_l3qcn_tor_default();
    (void)walk(x);
    return start() + is_one(x) + write(x);
}
#endif
