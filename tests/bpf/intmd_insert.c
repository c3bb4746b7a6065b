/* SPDX-License-Identifier: BSD-2-Clause */

/* A source: what it plans for a packet, and what it writes into any gap. */
#include "bpf.h"
#include "rocecc/wire/intmd.h"

rocecc_intmd_config config; /* in maps */
rocecc_intmd_source source;
rocecc_intmd_plan planned;

static __attribute__((always_inline)) rocecc_intmd_node node_of(const rocecc_writer *w)
{
    rocecc_intmd_node n = {0};
    n.present = ROCECC_INTMD_NODE_ID;
    n.node_id = 1;
    n.reserved = n.ds = rocecc_written(w);
    n.reserved.at = n.ds.at = n.reserved.end;
    return n;
}

__attribute__((noinline)) int plan(struct xdp_md *x, const rocecc_intmd_config *c,
                                   const rocecc_intmd_source *s, rocecc_intmd_plan *p)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_intmd_node n = node_of(&w);
    if (c == NULL || s == NULL || p == NULL || rocecc_take(&r, 14) == NULL) return 0;
    return (int)rocecc_intmd_plan_insert(c, r, s, &n, 1500, p);
}

__attribute__((noinline)) int insert(struct xdp_md *x, const rocecc_intmd_config *c,
                                     const rocecc_intmd_source *s,
                                     const rocecc_intmd_plan *p)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_intmd_node n = node_of(&w);
    if (c == NULL || s == NULL || p == NULL || rocecc_put(&w, 14) == NULL) return 0;
    return (int)rocecc_intmd_insert(c, w, p, s, &n);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    source.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 8);
    return plan(x, &config, &source, &planned) + insert(x, &config, &source, &planned);
}
