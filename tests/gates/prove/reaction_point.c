/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_udp_verify:300 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_adjacent_headers_:2000 */
/* prove-options: -eva-slevel-function rocecc_icrc_copy_:2000 */
#define PROVE_BYTES 96
#include "any.h"
#include "rocecc/role/reaction_point.h"

/* Sets any limits. */
static void prove_admission(rocecc_admission_params *p)
{
    p->unlimited = Frama_C_interval(0, 1) != 0;
    p->misbehaving = (uint16_t)prove_any();
    p->source.rate_per_s = prove_any();
    p->source.burst = (uint32_t)prove_any();
    p->verify.rate_per_s = prove_any();
    p->verify.burst = (uint32_t)prove_any();
    p->shared.rate_per_s = prove_any();
    p->shared.burst = (uint32_t)prove_any();
}

static rocecc_reaction_config config(void)
{
    static rocecc_reaction_config c;
    c.fastcnp_enabled = Frama_C_interval(0, 1) != 0;
    c.check_icrc = Frama_C_interval(0, 1) != 0;
    c.icrc_rule = (uint8_t)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE);
    c.tunnels = Frama_C_interval(0, 1) != 0;
    c.ignore_udp_checksum = Frama_C_interval(0, 1) != 0;
    c.ordinary_listed = Frama_C_interval(0, 1) != 0;
    prove_admission(&c.admission);
    return c;
}

/* Runs a step with any packet, list and buckets. */
void main(void)
{
    static rocecc_acl_entry entries[2];
    static rocecc_reaction_point s;
    static rocecc_admission_source sources[2];
    rocecc_reaction_config c = config();
    rocecc_acl access = {NULL, 0, 0};
    rocecc_reaction_event e;
    rocecc_packet p;
    rocecc_reaction_result out;
    Frama_C_make_unknown((char *)entries, sizeof entries);
    access.entries = entries;
    access.n = (uint32_t)Frama_C_interval(0, 2);
    access.half = (uint32_t)prove_any();
    prove_agree();
    (void)rocecc_reaction_point_init(&c, &prove_domain, &access);
    s = rocecc_reaction_point_start(&c, prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    p = prove_packet();
    e.admission.now_ns = prove_any();
    e.admission.list = &access;
    e.admission.index = NULL;
    e.peer = (uint8_t)Frama_C_interval(ROCECC_REACTION_PEER_UNKNOWN,
                                       ROCECC_REACTION_PEER_NO);
    Frama_C_make_unknown((char *)sources, sizeof sources);
    e.admission.sources = sources;
    e.admission.n_sources = (uint32_t)Frama_C_interval(0, 2);
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    (void)rocecc_reaction_needs_action(out.verdict);
    /* Includes verdicts that find() never writes. */
    out.verdict = (uint8_t)Frama_C_interval(0, 255);
    out.arrival = (uint8_t)Frama_C_interval(0, 255);
    rocecc_reaction_point_admit(&c, &s, &p, &e, &out);
}
