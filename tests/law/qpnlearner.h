/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_QPNLEARNER_H
#define TESTS_LAW_QPNLEARNER_H

#include "draw.h"
#include "rocecc/guard/qpnlearner.h"

/*
 * A run has LAW_QPN_BYTES bytes of parameters, then messages of 6 bytes, kept in a
 * list.
 *
 *   0-15   secret
 *   16     half_ns and known_ns, 1 to 16 each
 *   17     slots of half[] and known[], 8 or 16 each; rarely a refused value
 *
 *   A message has the kind and the source (byte 0), the destination (1), both ids (2),
 *   the QPN (3), and a step of the clock (4), rarely back (5).
 */
#define LAW_QPN_BYTES 18
#define LAW_QPN_EVENT_BYTES 6
#define LAW_QPN_EVENTS 48
#define LAW_QPN_SLOTS 16

/* A list of all messages, except under BPF and Frama-C. */
#if defined(__bpf__) || defined(__FRAMAC__)
#define LAW_QPN_LIST 0
#else
#define LAW_QPN_LIST 1
#endif

/* Message and its time, all that the law relies on. */
typedef struct law_qpn_said {
    uint64_t at_ns;
    rocecc_qpnlearner_message m;
} law_qpn_said;

typedef struct law_qpn_run {
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_slot half[LAW_QPN_SLOTS];
    rocecc_qpnlearner_slot known[LAW_QPN_SLOTS];
    uint64_t now_ns;
    uint32_t digest;
    bool runs;
    uint8_t b[LAW_QPN_BYTES];
    law_qpn_said now;
    rocecc_qpnlearner_slot said_by_both, turned; /* BPF: completed by an RTU */
#if LAW_QPN_LIST
    uint32_t n; /* number in said[] */
    law_qpn_said said[LAW_QPN_EVENTS];
#endif
} law_qpn_run;

LAW_FN rocecc_ip6 law_qpn_host(unsigned n)
{
    rocecc_ip6 a = {{0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    a.b[n & 1 ? 0 : 15] ^= (uint8_t)(n & 3);
    return a;
}

LAW_FN void law_qpn_params(const uint8_t *b, rocecc_qpnlearner_params *p)
{
    p->secret[0] = rocecc_load64(b);
    p->secret[1] = rocecc_load64(b + 8);
    p->half_ns = (b[16] & 15u) + 1u;
    p->known_ns = (b[16] >> 4) + 1u;
    p->half = b[17] & 1 ? 8 : 16;
    p->known = b[17] & 2 ? 8 : 16;
    if (b[17] >> 3 == 1) p->half = b[16];
    if (b[17] >> 3 == 2) p->known = b[16];
    if (b[17] >> 3 == 3) p->half_ns = (uint64_t)b[16] << 58;
    if (b[17] >> 3 == 4) p->known_ns = (uint64_t)b[16] << 58;
}

LAW_FN bool law_qpn_size(uint32_t n)
{
    uint32_t good;
    for (good = 8; good < 1u << 24 && good != n;)
        good += good;
    return good == n;
}

LAW_FN rocecc_qpnlearner_refusal law_qpn_refusal(const rocecc_qpnlearner_params *p)
{
    const uint64_t most = (uint64_t)1 << 62;
    if (p->secret[0] == 0 && p->secret[1] == 0) return ROCECC_QPNLEARNER_REFUSED_SECRET;
    if (!law_qpn_size(p->half)) return ROCECC_QPNLEARNER_REFUSED_HALF;
    if (!law_qpn_size(p->known)) return ROCECC_QPNLEARNER_REFUSED_KNOWN;
    return p->half_ns - 1 >= most || p->known_ns - 1 >= most
               ? ROCECC_QPNLEARNER_REFUSED_EXPIRY
               : ROCECC_QPNLEARNER_ACCEPTED;
}

LAW_FN bool law_qpn_same(const rocecc_ip6 *a, const rocecc_ip6 *b)
{
    uint8_t differ = 0;
    int i;
    for (i = 0; i < 16; i++)
        differ |= a->b[i] ^ b->b[i];
    return differ == 0;
}

#if LAW_QPN_LIST
/* Returns true if a and b are between the same hosts, or with `turned` in reverse. */
LAW_FN bool law_qpn_follows(const law_qpn_said *a, const law_qpn_said *b, bool turned)
{
    return law_qpn_same(&a->m.src, turned ? &b->m.dst : &b->m.src) &&
           law_qpn_same(&a->m.dst, turned ? &b->m.src : &b->m.dst);
}

/*
 * Returns true if both ends sent, in this order, the messages that connect these QPs
 * with these ids, and the RTU came at s->last_ns.
 */
LAW_FN bool law_qpn_justified(const law_qpn_run *run, const rocecc_qpnlearner_slot *s,
                              bool turned)
{
    const rocecc_ip6 *a = turned ? &s->dst : &s->src, *b = turned ? &s->src : &s->dst;
    const uint32_t aid = turned ? s->dst_id : s->src_id;
    const uint32_t bid = turned ? s->src_id : s->dst_id;
    const uint32_t aq = turned ? s->dst_qpn : s->src_qpn;
    const uint32_t bq = turned ? s->src_qpn : s->dst_qpn;
    uint32_t i, j, k;
    for (i = 0; i < run->n; i++) {
        const law_qpn_said *x = &run->said[i];
        if (x->m.kind != ROCECC_QPNLEARNER_REQ || x->m.src_id != aid ||
            x->m.qpn != aq || !law_qpn_same(&x->m.src, a) ||
            !law_qpn_same(&x->m.dst, b))
            continue;
        for (j = i + 1; j < run->n; j++) {
            const law_qpn_said *y = &run->said[j];
            if (y->m.kind != ROCECC_QPNLEARNER_REP || y->m.src_id != bid ||
                y->m.dst_id != aid || y->m.qpn != bq || !law_qpn_follows(x, y, true))
                continue;
            for (k = j + 1; k < run->n; k++) {
                const law_qpn_said *z = &run->said[k];
                if (z->m.kind == ROCECC_QPNLEARNER_RTU && z->m.src_id == aid &&
                    z->m.dst_id == bid && law_qpn_follows(x, z, false) &&
                    z->at_ns == s->last_ns)
                    return true;
            }
        }
    }
    return false;
}

/* Returns true if both ends justify each connection, and a direction has one slot. */
LAW_FN bool law_qpn_sound(const law_qpn_run *run)
{
    uint32_t i, k;
    for (i = 0; i < run->p.known; i++) {
        const rocecc_qpnlearner_slot *s = &run->known[i];
        if (s->state == ROCECC_QPNLEARNER_EMPTY) continue;
        if (s->state != ROCECC_QPNLEARNER_CONNECTED &&
            s->state != ROCECC_QPNLEARNER_IN_DISPUTE)
            return false;
        if (s->state == ROCECC_QPNLEARNER_CONNECTED &&
            !law_qpn_justified(run, s, false) && !law_qpn_justified(run, s, true))
            return false;
        for (k = 0; k < i; k++)
            if (run->known[k].state != ROCECC_QPNLEARNER_EMPTY &&
                run->known[k].dst_qpn == s->dst_qpn &&
                law_qpn_same(&run->known[k].src, &s->src) &&
                law_qpn_same(&run->known[k].dst, &s->dst))
                return false;
    }
    for (i = 0; i < run->p.half; i++)
        if (run->half[i].state > ROCECC_QPNLEARNER_HAS_REP) return false;
    return true;
}

/*
 * Returns true if no live slot of known[] has changed, except the hosts' slots after an
 * RTU, a DREQ or an unknown kind.
 */
LAW_FN bool law_qpn_others(const law_qpn_run *run, const rocecc_qpnlearner_slot *was,
                           const rocecc_qpnlearner_message *m)
{
    uint32_t i;
    for (i = 0; i < run->p.known; i++) {
        const rocecc_qpnlearner_slot *a = &was[i], *b = &run->known[i];
        const uint64_t age = run->now_ns - a->last_ns;
        const bool dead =
            age >= run->p.known_ns && (uint64_t)0 - age >= run->p.known_ns;
        const bool mine =
            (law_qpn_same(&a->src, &m->src) && law_qpn_same(&a->dst, &m->dst)) ||
            (law_qpn_same(&a->src, &m->dst) && law_qpn_same(&a->dst, &m->src));
        if (a->state == ROCECC_QPNLEARNER_EMPTY || dead) continue;
        if (mine && m->kind >= ROCECC_QPNLEARNER_RTU) continue;
        if (a->state != b->state || a->src_qpn != b->src_qpn ||
            a->dst_qpn != b->dst_qpn || a->last_ns != b->last_ns ||
            a->src_id != b->src_id || a->dst_id != b->dst_id ||
            !law_qpn_same(&a->src, &b->src) || !law_qpn_same(&a->dst, &b->dst))
            return false;
    }
    return true;
}

/* Returns the slot that lookup() must find, or NULL. */
LAW_FN const rocecc_qpnlearner_slot *law_qpn_find(const law_qpn_run *run,
                                                  const rocecc_qpnlearner_message *m)
{
    const rocecc_qpnlearner_slot *found = NULL;
    uint32_t i;
    for (i = 0; i < run->p.known; i++) {
        const rocecc_qpnlearner_slot *s = &run->known[i];
        const uint64_t age = run->now_ns - s->last_ns;
        if (s->state == ROCECC_QPNLEARNER_CONNECTED && s->dst_qpn == m->qpn &&
            law_qpn_same(&s->src, &m->src) && law_qpn_same(&s->dst, &m->dst) &&
            (age < run->p.known_ns || (uint64_t)0 - age < run->p.known_ns))
            found = s;
    }
    return found;
}
#endif

/* Copies the parameters, so that the verifier sees the number of slots. */
LAW_FN void law_qpn_seen(const law_qpn_run *run, rocecc_qpnlearner_params *p)
{
    p->secret[0] = run->p.secret[0];
    p->secret[1] = run->p.secret[1];
    p->half = run->p.half == 8 ? 8 : LAW_QPN_SLOTS;
    p->known = run->p.known == 8 ? 8 : LAW_QPN_SLOTS;
    p->half_ns = run->p.half_ns;
    p->known_ns = run->p.known_ns;
}

/* Makes a message from 6 bytes. */
LAW_FN void law_qpn_message(law_qpn_run *run)
{
    rocecc_qpnlearner_message *m = &run->now.m;
    const uint8_t *b = run->b;
    const unsigned from = b[0] >> 3 & 1u;
    m->kind = (b[0] & 7) % 5; /* 4: unknown */
    m->src = law_qpn_host(from);
    m->dst = law_qpn_host(b[1] & 1u ? 2 : from ^ 1u);
    m->src_id = b[2] & 3u;
    m->dst_id = b[2] >> 2 & 3u;
    m->qpn = b[3] == 0xff ? 0xffffff : b[3] & 7u;
    run->now_ns += b[4] & 3u;
    if (b[4] >> 2 == 63) run->now_ns -= b[5];
    run->now.at_ns = run->now_ns;
}

/* Checks that lookup() returns the table's content, and nothing expired. */
LAW_PART uint32_t law_qpn_lookup(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_flow flow;
    uint32_t qpn = 0xa5a5a5a5;
    bool known;
    if (run == NULL) return LAW_BROKEN;
    law_qpn_seen(run, &p);
    flow.src = run->now.m.src;
    flow.dst = run->now.m.dst;
    flow.dst_qpn = run->now.m.qpn;
    known = rocecc_qpnlearner_lookup(&p, run->known, &flow, run->now_ns, &qpn);
#if LAW_QPN_LIST
    {
        const rocecc_qpnlearner_slot *found = law_qpn_find(run, &run->now.m);
        LAW(known == (found != NULL));
        LAW(qpn == (found != NULL ? found->src_qpn : 0xa5a5a5a5));
    }
#endif
    return law_mix(law_mix(LAW_START, qpn), known ? 1 : 0);
}

#if defined(__bpf__)
/* learn() is too long for the verifier, so bpf/qpnlearner.c has it in parts. */
LAW_PART uint32_t law_qpn_learn(law_qpn_run *run);
#else
LAW_FN uint32_t law_qpn_learn(law_qpn_run *run)
{
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_message m;
    rocecc_qpnlearner_outcome what;
#if LAW_QPN_LIST
    rocecc_qpnlearner_slot was[LAW_QPN_SLOTS];
    uint32_t i;
#endif
    if (run == NULL) return LAW_BROKEN;
    law_qpn_seen(run, &p);
    law_qpn_message(run);
    m = run->now.m;
#if LAW_QPN_LIST
    run->said[run->n++] = run->now;
    for (i = 0; i < LAW_QPN_SLOTS; i++)
        was[i] = run->known[i];
#endif
    what = rocecc_qpnlearner_learn(&p, run->half, run->known, &m, run->now_ns);
#if LAW_QPN_LIST
    LAW(law_qpn_sound(run));
    LAW(law_qpn_others(run, was, &m));
    if (what == ROCECC_QPNLEARNER_LEARNED) LAW(m.kind == ROCECC_QPNLEARNER_RTU);
#endif
    LAW(what < ROCECC_QPNLEARNER_LEARNINGS);
    return law_mix(run->digest, what);
}
#endif

LAW_PART uint32_t law_qpn_begin(law_qpn_run *run)
{
    rocecc_qpnlearner_refusal refusal;
    if (run == NULL) return LAW_BROKEN;
    law_qpn_params(run->b, &run->p);
    refusal = rocecc_qpnlearner_init(&run->p);
    LAW(refusal == law_qpn_refusal(&run->p));
    run->runs = refusal == ROCECC_QPNLEARNER_ACCEPTED && run->p.half <= LAW_QPN_SLOTS &&
                run->p.known <= LAW_QPN_SLOTS;
    rocecc_qpnlearner_start(run->half, LAW_QPN_SLOTS);
    rocecc_qpnlearner_start(run->known, LAW_QPN_SLOTS);
    run->now_ns = 7;
    return law_mix(LAW_START, refusal);
}

/* Copies n bytes, a constant, into a run. Returns false if there are fewer. */
LAW_FN bool law_qpn_draw(law_qpn_run *run, rocecc_reader *r, size_t n)
{
    const uint8_t *b = rocecc_take(r, n);
    size_t i;
    if (b == NULL) return false;
    for (i = 0; i < n; i++)
        run->b[i] = b[i];
    LAW_FORGET(run);
    return true;
}

/* Checks with any messages that every known connection comes from both ends. */
LAW_FN uint32_t law_qpnlearner(rocecc_reader r)
{
    LAW_KEPT law_qpn_run run;
    int i;
#if LAW_QPN_LIST
    memset(&run, 0xa5, sizeof run);
    run.n = 0;
#endif
    if (!law_qpn_draw(&run, &r, LAW_QPN_BYTES)) return LAW_START;
    run.digest = law_qpn_begin(&run);
    if (run.digest == LAW_BROKEN) return LAW_BROKEN;
    for (i = 0; i < LAW_QPN_EVENTS && run.runs; i++) {
        uint32_t found;
        if (!law_qpn_draw(&run, &r, LAW_QPN_EVENT_BYTES)) break;
        run.digest = law_qpn_learn(&run);
        if (run.digest == LAW_BROKEN) return LAW_BROKEN;
        found = law_qpn_lookup(&run);
        if (found == LAW_BROKEN) return LAW_BROKEN;
        run.digest = law_mix(run.digest, found);
    }
    return run.digest;
}

#endif /* TESTS_LAW_QPNLEARNER_H */
