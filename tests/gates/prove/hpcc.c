/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 3 */
#include "rocecc/algo/hpcc.h"
#include "prove.h"

/*
 * The parameters are any that init() accepts. The state, L and the report have any
 * bits.
 */
static rocecc_hpcc_params p;
static rocecc_hpcc s;
static rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
static rocecc_hop hops[ROCECC_HPCC_HOPS_MAX];

static void any(rocecc_hpcc_event *r)
{
    Frama_C_make_unknown((char *)&s, sizeof s);
    Frama_C_make_unknown((char *)l, sizeof l);
    Frama_C_make_unknown((char *)hops, sizeof hops);
    r->hops = hops;
    r->n_hops = (uint32_t)prove_any();
    r->seq = (uint32_t)prove_any();
    r->snd_nxt = (uint32_t)prove_any();
    r->now_ns = prove_any();
    r->ecn = (uint8_t)prove_any();
    r->incomplete = (prove_any() & 1) != 0;
}

void main(void)
{
    rocecc_hpcc_event r;
    static rocecc_hpcc_csig_event e;
    (void)rocecc_hpcc_paper(prove_any());
    (void)rocecc_hpcc_ns3(prove_any());
    (void)rocecc_hop_distance(prove_any(), prove_any(), prove_any());
    Frama_C_make_unknown((char *)&p, sizeof p);
    if (rocecc_hpcc_init(&p) != ROCECC_HPCC_ACCEPTED) return;
    (void)rocecc_hpcc_start(&p);
    any(&r);
    (void)rocecc_hpcc_ack(&p, &s, l, &r);
    any(&r);
    (void)rocecc_hpcc_fastcnp(&p, &s, l, &r);
    any(&r);
    rocecc_hpcc_forget(&p, &s);
    any(&r);
    Frama_C_make_unknown((char *)&e, sizeof e);
    (void)rocecc_hpcc_csig_ack(&p, &s, &e);
    any(&r);
    (void)rocecc_hpcc_relink(&p, &s);
}
