/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs the table. learn() is split into its parts, because together they have too many
 * paths (exempt/qpnlearner_learn.c). The slots are in a map.
 */
/* bpf-flags: -mcpu=generic -O2 */
#include "bpf.h"
#include "law/qpnlearner.h"

#if defined(__bpf__)
#define STRAY ROCECC_QPNLEARNER_STRAY

LAW_PART uint32_t req(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_key_ k;
    const rocecc_qpnlearner_message *m;
    if (run == NULL) return 0;
    m = &run->now.m;
    if (!rocecc_qpnlearner_is_data_qpn_(m->qpn)) return STRAY;
    law_qpn_seen(run, &p);
    k = rocecc_qpnlearner_key_of_(&p, &m->src, &m->dst, m->src_id, true);
    return (uint32_t)rocecc_qpnlearner_on_req_(&p, run->half, m, &k, run->now_ns);
}

LAW_PART uint32_t rep(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_key_ k;
    rocecc_qpnlearner_slot *s;
    const rocecc_qpnlearner_message *m;
    if (run == NULL) return 0;
    m = &run->now.m;
    if (!rocecc_qpnlearner_is_data_qpn_(m->qpn)) return STRAY;
    law_qpn_seen(run, &p);
    k = rocecc_qpnlearner_key_of_(&p, &m->dst, &m->src, m->dst_id, true);
    s = rocecc_qpnlearner_find_slot_(&p, run->half, &k, run->now_ns);
    return s == NULL ? STRAY : (uint32_t)rocecc_qpnlearner_on_rep_(s, m, run->now_ns);
}

/*
 * Removes from half[] the connection that an RTU completes. Returns 1 if there is such
 * a connection, and 0 otherwise.
 */
LAW_PART uint32_t rtu(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_key_ k;
    rocecc_qpnlearner_slot *s;
    const rocecc_qpnlearner_message *m;
    if (run == NULL) return 0;
    m = &run->now.m;
    law_qpn_seen(run, &p);
    k = rocecc_qpnlearner_key_of_(&p, &m->src, &m->dst, m->src_id, true);
    s = rocecc_qpnlearner_find_slot_(&p, run->half, &k, run->now_ns);
    if (s == NULL || s->state != ROCECC_QPNLEARNER_HAS_REP || s->dst_id != m->dst_id)
        return 0;
    run->said_by_both = *s;
    s->state = ROCECC_QPNLEARNER_EMPTY;
    return 1;
}

/*
 * Copies the parameters, with a fixed size for half[], so that the verifier does not
 * check each pair of sizes.
 */
static __attribute__((always_inline)) void seen(const law_qpn_run *run,
                                                rocecc_qpnlearner_params *p)
{
    p->secret[0] = run->p.secret[0];
    p->secret[1] = run->p.secret[1];
    p->half = 8;
    p->known = run->p.known == 8 ? 8 : LAW_QPN_SLOTS;
    p->half_ns = run->p.half_ns;
    p->known_ns = run->p.known_ns;
}

LAW_PART uint32_t there(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    if (run == NULL) return 0;
    seen(run, &p);
    return (uint32_t)rocecc_qpnlearner_learn_direction_(
        &p, run->known, &run->said_by_both, false, run->now_ns);
}

/* Learns the other direction with there(), which the verifier then checks only once. */
LAW_PART uint32_t back(law_qpn_run *run)
{
    rocecc_qpnlearner_slot *s;
    if (run == NULL) return 0;
    s = &run->said_by_both;
    run->turned = *s;
    s->src = run->turned.dst;
    s->dst = run->turned.src;
    s->src_id = run->turned.dst_id;
    s->dst_id = run->turned.src_id;
    s->src_qpn = run->turned.dst_qpn;
    s->dst_qpn = run->turned.src_qpn;
    return there(run);
}

LAW_PART uint32_t dreq(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_key_ k;
    rocecc_qpnlearner_slot *s;
    const rocecc_qpnlearner_message *m;
    if (run == NULL) return 0;
    m = &run->now.m;
    if (!rocecc_qpnlearner_is_data_qpn_(m->qpn)) return STRAY;
    law_qpn_seen(run, &p);
    k = rocecc_qpnlearner_key_of_(&p, &m->src, &m->dst, m->qpn, false);
    s = rocecc_qpnlearner_find_slot_(&p, run->known, &k, run->now_ns);
    if (s == NULL) return STRAY;
    return (uint32_t)rocecc_qpnlearner_on_dreq_(&p, run->known, s, m, run->now_ns);
}

LAW_PART uint32_t law_qpn_learn(law_qpn_run *run)
{
    uint32_t what = STRAY;
    if (run == NULL) return LAW_BROKEN;
    law_qpn_message(run);
    if (run->now.m.kind == ROCECC_QPNLEARNER_REQ) {
        what = req(run);
    } else if (run->now.m.kind == ROCECC_QPNLEARNER_REP) {
        what = rep(run);
    } else if (run->now.m.kind == ROCECC_QPNLEARNER_DREQ) {
        what = dreq(run);
    } else if (run->now.m.kind == ROCECC_QPNLEARNER_RTU && rtu(run) != 0) {
        const uint32_t one = there(run), other = back(run);
        what = one > other ? one : other;
    }
    return law_mix(run->digest, what);
}
#endif

BPF_LAW(law_qpnlearner)
