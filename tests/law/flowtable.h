/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_FLOWTABLE_H
#define TESTS_LAW_FLOWTABLE_H

#include "draw.h"
#include "rocecc/guard/flowforget.h"

#define FLOWTABLE_ORIGIN(F, T)                                                         \
    F(T, MAC, mac_sa, NULL)                                                            \
    F(T, MAC, gw_mac, NULL)                                                            \
    F(T, UINT, ingress_port, NULL)                                                     \
    F(T, UINT, flow_id, NULL)                                                          \
    F(T, UINT, tag[0].tpid, NULL)                                                      \
    F(T, UINT, tag[0].vid, NULL)                                                       \
    F(T, UINT, tag[1].tpid, NULL)                                                      \
    F(T, UINT, tag[1].vid, NULL)                                                       \
    F(T, UINT, n_tags, NULL)                                                           \
    F(T, UINT, prio, NULL)

#define FLOWTABLE_REFUSALS "accepted secret buckets expiry evict"
#define FLOWTABLE_LEARNED "learned replaced evicted refreshed relearned full"
#define FLOWTABLE_FOUND "unknown aged found"

/*
 * A run has LAW_FLOWTABLE_BYTES bytes of parameters, then events of 4 bytes.
 *
 *   0-15   secret
 *   16-20  expiry_ms, of any magnitude
 *   21     buckets, 2 or 4, rarely a refused number (3 bits); evict_oldest (2 bits, 2
 *          and 3 are refused); number of flows (3 bits)
 *   22-25  time
 */
#define LAW_FLOWTABLE_BYTES 26
#define LAW_FLOWTABLE_EVENT_BYTES 4
#define LAW_FLOWTABLE_EVENTS 256
#define LAW_FLOWTABLE_BUCKETS 4
#define LAW_FLOWTABLE_SLOTS (8 * LAW_FLOWTABLE_BUCKETS)

/* A list of flows predicts each result, except under BPF and Frama-C. */
#if defined(__bpf__) || defined(__FRAMAC__)
#define LAW_FLOWTABLE_LIST 0
#else
#define LAW_FLOWTABLE_LIST 1
#endif

/* Flow in the law's list. */
typedef struct law_flowtable_known {
    rocecc_flow flow;
    uint16_t vrf;
    rocecc_flowtable_origin origin;
    uint32_t seen_ms;
    uint32_t slot;
} law_flowtable_known;

typedef struct law_flowtable_run {
    rocecc_flowtable_params p;
    rocecc_flowtable_bucket bucket[LAW_FLOWTABLE_BUCKETS];
    rocecc_flowtable_slot slot[LAW_FLOWTABLE_SLOTS];
    uint32_t used, next; /* of the table, beside the buckets */
    uint32_t now_ms, digest;
    uint8_t flows; /* number of flows - 1 */
    bool runs, more;
    uint8_t b[LAW_FLOWTABLE_BYTES];
    law_flowtable_known known[LAW_FLOWTABLE_SLOTS]; /* `used` of them, in any order */
} law_flowtable_run;

LAW_FN rocecc_flowtable_memory law_flowtable_memory(law_flowtable_run *run)
{
    rocecc_flowtable_memory m;
    m.bucket = run->bucket;
    m.slot = run->slot;
    return m;
}

/* State of SipHash-c-d as in its paper, byte by byte, for fewer than 256 bytes. */
typedef struct law_sip {
    uint64_t v0, v1, v2, v3;
} law_sip;

LAW_FN void law_sip_round(law_sip *s)
{
    s->v0 = s->v0 + s->v1;
    s->v1 = (s->v1 << 13 | s->v1 >> 51) ^ s->v0;
    s->v0 = s->v0 << 32 | s->v0 >> 32;
    s->v2 = s->v2 + s->v3;
    s->v3 = (s->v3 << 16 | s->v3 >> 48) ^ s->v2;
    s->v0 = s->v0 + s->v3;
    s->v3 = (s->v3 << 21 | s->v3 >> 43) ^ s->v0;
    s->v2 = s->v2 + s->v1;
    s->v1 = (s->v1 << 17 | s->v1 >> 47) ^ s->v2;
    s->v2 = s->v2 << 32 | s->v2 >> 32;
}

LAW_FN uint64_t law_sip_hash(const uint64_t *secret, const uint8_t *bytes, unsigned n,
                             int c, int d)
{
    law_sip s = {0, 0, 0, 0};
    uint64_t m = 0;
    unsigned i;
    int k;
    s.v0 = secret[0] ^ (uint64_t)0x736f6d6570736575;
    s.v1 = secret[1] ^ (uint64_t)0x646f72616e646f6d;
    s.v2 = secret[0] ^ (uint64_t)0x6c7967656e657261;
    s.v3 = secret[1] ^ (uint64_t)0x7465646279746573;
    for (i = 0; i < n / 8 * 8 + 8; i++) {
        const uint64_t byte = i < n ? bytes[i] : i % 8 == 7 ? n : 0;
        m |= byte << i % 8 * 8;
        if (i % 8 != 7) continue;
        s.v3 ^= m;
        for (k = 0; k < c; k++)
            law_sip_round(&s);
        s.v0 ^= m;
        m = 0;
    }
    s.v2 ^= 0xff;
    for (k = 0; k < d; k++)
        law_sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* Returns the table's hash of a five-tuple and its VRF. */
LAW_FN uint64_t law_flowtable_hash(const uint64_t *secret, const rocecc_flow *flow,
                                   uint16_t vrf)
{
    uint8_t b[39];
    int i;
    for (i = 0; i < 16; i++) {
        b[i] = flow->src.b[i];
        b[16 + i] = flow->dst.b[i];
    }
    b[32] = (uint8_t)flow->src_port;
    b[33] = (uint8_t)(flow->src_port >> 8);
    b[34] = (uint8_t)flow->dst_port;
    b[35] = (uint8_t)(flow->dst_port >> 8);
    b[36] = flow->proto;
    b[37] = (uint8_t)vrf;
    b[38] = (uint8_t)(vrf >> 8);
    return law_sip_hash(secret, b, 39, 1, 3);
}

/* Returns flow n of the run. Flows differ in a few bits, anywhere in the five-tuple. */
LAW_FN rocecc_flow law_flowtable_flow(uint32_t n)
{
    rocecc_flow f = {{{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
                     {{0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
                     0xc000,
                     4791,
                     17};
    f.src.b[15] ^= (uint8_t)(n & 1);
    f.dst.b[0] ^= (uint8_t)(n >> 1 & 1);
    f.src_port ^= (uint16_t)((n >> 2 & 3) << 14);
    f.dst_port ^= (uint16_t)(n >> 4 & 1);
    f.proto ^= (uint8_t)(n >> 5 & 1);
    f.src.b[7] ^= (uint8_t)((n >> 6 & 1) << 7);
    return f;
}

LAW_FN uint16_t law_flowtable_vrf(uint32_t n)
{
    return (uint16_t)((n >> 7 & 1) << 15);
}

/* Returns an origin. Ten variants differ from the default in one member each. */
LAW_FN rocecc_flowtable_origin law_flowtable_origin(uint32_t n)
{
    rocecc_flowtable_origin o = {{{2, 0, 0, 0, 0, 0xfe}},
                                 {{2, 0, 0, 0, 0xaa, 1}},
                                 7,
                                 0xc9a0,
                                 {{0x88a8, 100}, {0x8100, 1024}},
                                 2,
                                 5};
    if ((n & 15) == 1) o.mac_sa.b[5] ^= 1;
    if ((n & 15) == 2) o.gw_mac.b[0] ^= 4;
    if ((n & 15) == 3) o.ingress_port ^= 0x80000000;
    if ((n & 15) == 4) o.flow_id ^= 0x8000;
    if ((n & 15) == 5) o.tag[0].tpid = 0x8100;
    if ((n & 15) == 6) o.tag[0].vid ^= 1;
    if ((n & 15) == 7) o.tag[1].tpid = 0x88a8;
    if ((n & 15) == 8) o.tag[1].vid ^= 0x800;
    if ((n & 15) == 9) o.n_tags = 1;
    if ((n & 15) == 10) o.prio = 3;
    return o;
}

/*
 * Writes the parameters member by member, as a struct copy by clang 14 for BPF loses
 * the member before 7 bytes of padding.
 */
LAW_FN void law_flowtable_params(const uint8_t *b, rocecc_flowtable_params *p)
{
    p->secret[0] = rocecc_load64(b);
    p->secret[1] = rocecc_load64(b + 8);
    p->expiry_ms = law_load_any32(b + 16);
    p->buckets = 2;
    if ((b[21] & 7) > 2) p->buckets = LAW_FLOWTABLE_BUCKETS;
    if ((b[21] & 7) == 7) p->buckets = b[20] >> 5;
    p->evict_oldest = b[21] >> 3 & 3;
}

/* Returns the expected result of rocecc_flowtable_init(). */
LAW_FN rocecc_flowtable_refusal law_flowtable_refusal(const rocecc_flowtable_params *p)
{
    uint32_t good;
    if (p->secret[0] == 0 && p->secret[1] == 0) return ROCECC_FLOWTABLE_REFUSED_SECRET;
    for (good = 2; good < ROCECC_FLOWTABLE_BUCKETS_MAX && good != p->buckets;)
        good += good;
    if (good != p->buckets) return ROCECC_FLOWTABLE_REFUSED_BUCKETS;
    if (p->expiry_ms - 1 >= 0x7fffffff) return ROCECC_FLOWTABLE_REFUSED_EXPIRY;
    return p->evict_oldest < 2 ? ROCECC_FLOWTABLE_ACCEPTED
                               : ROCECC_FLOWTABLE_REFUSED_EVICT;
}

#if LAW_FLOWTABLE_LIST
LAW_FN bool law_flowtable_same_bytes(const uint8_t *a, const uint8_t *b, int n)
{
    for (; n > 0; n--)
        if (*a++ != *b++) return false;
    return true;
}

LAW_FN bool law_flowtable_same_flow(const rocecc_flow *a, const rocecc_flow *b)
{
    return a->src_port == b->src_port && a->dst_port == b->dst_port &&
           a->proto == b->proto && law_flowtable_same_bytes(a->src.b, b->src.b, 16) &&
           law_flowtable_same_bytes(a->dst.b, b->dst.b, 16);
}

LAW_FN bool law_flowtable_same_origin(const rocecc_flowtable_origin *a,
                                      const rocecc_flowtable_origin *b)
{
    int i;
    for (i = 0; i < 2; i++)
        if (a->tag[i].tpid != b->tag[i].tpid || a->tag[i].vid != b->tag[i].vid)
            return false;
    return law_flowtable_same_bytes(a->mac_sa.b, b->mac_sa.b, 6) &&
           law_flowtable_same_bytes(a->gw_mac.b, b->gw_mac.b, 6) &&
           a->ingress_port == b->ingress_port && a->flow_id == b->flow_id &&
           a->n_tags == b->n_tags && a->prio == b->prio;
}

/* Returns the list index of a flow, or run->used without one. */
LAW_FN uint32_t law_flowtable_of_flow(const law_flowtable_run *run,
                                      const rocecc_flow *flow, uint16_t vrf)
{
    uint32_t k;
    for (k = 0; k < run->used; k++)
        if (law_flowtable_same_flow(&run->known[k].flow, flow) &&
            run->known[k].vrf == vrf)
            break;
    return k;
}

LAW_FN uint32_t law_flowtable_of_slot(const law_flowtable_run *run, uint32_t slot)
{
    uint32_t k;
    for (k = 0; k < run->used; k++)
        if (run->known[k].slot == slot) break;
    return k;
}

/*
 * Returns how many ms ago a flow was seen, negative for a stamp less than expiry_ms
 * ahead (FT-9). Any other stamp is past.
 */
LAW_FN int64_t law_flowtable_age(const law_flowtable_run *run, uint32_t k)
{
    const uint32_t seen_ms = run->known[k].seen_ms;
    const uint32_t ahead = seen_ms - run->now_ms;
    if (ahead < run->p.expiry_ms) return -(int64_t)ahead;
    return (int64_t)((uint64_t)1 << 32) - (int64_t)ahead;
}

LAW_FN bool law_flowtable_expired(const law_flowtable_run *run, uint32_t k)
{
    return law_flowtable_age(run, k) >= (int64_t)run->p.expiry_ms;
}

/* Returns a bucket's number of free slots, and sets *first to the first. */
LAW_FN uint32_t law_flowtable_free(const law_flowtable_run *run, uint32_t bucket,
                                   uint32_t *first)
{
    uint32_t n = 0, i;
    for (i = 0; i < 8; i++) {
        if (law_flowtable_of_slot(run, 8 * bucket + i) < run->used) continue;
        if (n++ == 0) *first = 8 * bucket + i;
    }
    return n;
}

/* Returns the expected result of a learn (FT-2 to FT-6), from the list alone. */
LAW_FN rocecc_flowtable_learn_result
law_flowtable_expect(const law_flowtable_run *run, const rocecc_flowtable_entry *came)
{
    rocecc_flowtable_learn_result act = {ROCECC_FLOWTABLE_FULL, ROCECC_FLOWTABLE_NONE,
                                         0};
    const uint64_t hash = law_flowtable_hash(run->p.secret, &came->flow, came->vrf);
    const uint32_t half = run->p.buckets / 2;
    const uint32_t left = (uint32_t)(hash & 0xffffff) % half;
    const uint32_t right = half + (uint32_t)(hash >> 24 & 0xffffff) % half;
    uint32_t k = law_flowtable_of_flow(run, &came->flow, came->vrf), i, in_left,
             in_right, at = 0;
    uint32_t to_left = 0, to_right = 0;
    if (k < run->used) {
        act.what = ROCECC_FLOWTABLE_RELEARNED;
        if (law_flowtable_same_origin(&run->known[k].origin, &came->origin))
            act.what = ROCECC_FLOWTABLE_REFRESHED;
        else
            act.port = run->known[k].origin.ingress_port;
        act.slot = run->known[k].slot;
        return act;
    }
    in_left = law_flowtable_free(run, left, &to_left);
    in_right = law_flowtable_free(run, right, &to_right);
    if (in_left + in_right > 0) {
        act.what = ROCECC_FLOWTABLE_LEARNED;
        act.slot = in_right > in_left ? to_right : to_left;
        return act;
    }
    for (i = 0; i < 16; i++) {
        k = law_flowtable_of_slot(run, i < 8 ? 8 * left + i : 8 * right + i - 8);
        if (i == 0 || law_flowtable_age(run, k) > law_flowtable_age(run, at)) at = k;
    }
    if (!law_flowtable_expired(run, at) && run->p.evict_oldest == 0) return act;
    act.what = law_flowtable_expired(run, at) ? ROCECC_FLOWTABLE_REPLACED
                                              : ROCECC_FLOWTABLE_EVICTED;
    act.slot = run->known[at].slot;
    act.port = run->known[at].origin.ingress_port;
    return act;
}

/* Returns true if the slots in use are the list's. */
LAW_FN bool law_flowtable_agrees(const law_flowtable_run *run)
{
    uint32_t slot, n = 0;
    for (slot = 0; slot < 8 * run->p.buckets; slot++) {
        const rocecc_flowtable_slot *s = &run->slot[slot];
        const uint32_t k = law_flowtable_of_slot(run, slot);
        if ((run->bucket[slot / 8].mark[slot % 8] == 0) != (k == run->used))
            return false;
        if (k == run->used) continue;
        n++;
        if (s->seen_ms != run->known[k].seen_ms ||
            !law_flowtable_same_flow(&s->entry.flow, &run->known[k].flow) ||
            s->entry.vrf != run->known[k].vrf ||
            !law_flowtable_same_origin(&s->entry.origin, &run->known[k].origin))
            return false;
    }
    return n == run->used;
}

/* Returns true if a flow is known from this port (FT-14). */
LAW_FN bool law_flowtable_is_from(const law_flowtable_run *run,
                                  const rocecc_flowtable_entry *came)
{
    const uint32_t k = law_flowtable_of_flow(run, &came->flow, came->vrf);
    return k < run->used &&
           run->known[k].origin.ingress_port == came->origin.ingress_port;
}

/* Updates the list after a learn. */
LAW_FN void law_flowtable_note(law_flowtable_run *run,
                               const rocecc_flowtable_learn_result *act,
                               const rocecc_flowtable_entry *came)
{
    const uint32_t k = law_flowtable_of_slot(run, act->slot);
    if (act->what == ROCECC_FLOWTABLE_FULL || k == LAW_FLOWTABLE_SLOTS) return;
    run->known[k].flow = came->flow;
    run->known[k].vrf = came->vrf;
    run->known[k].origin = came->origin;
    run->known[k].seen_ms = run->now_ms;
    run->known[k].slot = act->slot;
}
#endif

LAW_FN rocecc_flowtable law_flowtable_of(const law_flowtable_run *run)
{
    rocecc_flowtable t;
    t.used = run->used;
    t.next = run->next;
    return t;
}

/* Copies the parameters, so that the verifier sees the number of buckets. */
LAW_FN void law_flowtable_seen(const law_flowtable_run *run, rocecc_flowtable_params *p)
{
    p->secret[0] = run->p.secret[0];
    p->secret[1] = run->p.secret[1];
    p->buckets = run->p.buckets == 2 ? 2 : LAW_FLOWTABLE_BUCKETS;
    p->expiry_ms = run->p.expiry_ms;
    p->evict_oldest = run->p.evict_oldest;
}

LAW_FN uint32_t law_flowtable_learn(law_flowtable_run *run)
{
    const rocecc_flowtable_memory mem = law_flowtable_memory(run);
    rocecc_flowtable_params p;
    rocecc_flowtable t;
    rocecc_flowtable_entry came;
    rocecc_flowtable_learn_result act;
#if LAW_FLOWTABLE_LIST
    rocecc_flowtable_learn_result expected;
#endif
    t = law_flowtable_of(run);
    law_flowtable_seen(run, &p);
    came.flow = law_flowtable_flow(run->b[1] & run->flows);
    came.vrf = law_flowtable_vrf(run->b[1] & run->flows);
    came.origin = law_flowtable_origin(run->b[2]);
#if LAW_FLOWTABLE_LIST
    expected = law_flowtable_expect(run, &came);
#endif
    act = rocecc_flowtable_learn(&p, &t, &mem, &came, run->now_ms);
#if LAW_FLOWTABLE_LIST
    LAW(act.what == expected.what && act.slot == expected.slot &&
        act.port == expected.port);
    law_flowtable_note(run, &act, &came);
    LAW(t.used == run->used + (act.what == ROCECC_FLOWTABLE_LEARNED ? 1 : 0));
#endif
    LAW(t.next == run->next);
    run->used = t.used;
    return law_mix(run->digest, (uint64_t)act.what << 32 | act.slot);
}

#if LAW_FLOWTABLE_LIST
/* Checks that a burst gives each flow the result of its own lookup. */
LAW_FN uint32_t law_flowtable_burst(law_flowtable_run *run,
                                    const rocecc_flowtable_params *p)
{
    const rocecc_flowtable_memory mem = law_flowtable_memory(run);
    const uint32_t n = run->b[2] & 3;
    rocecc_flowtable_query query[3];
    uint32_t digest = run->digest, i;
    for (i = 0; i < n; i++) {
        query[i].flow = law_flowtable_flow((run->b[1] + i) & run->flows);
        query[i].vrf = law_flowtable_vrf((run->b[1] + i) & run->flows);
    }
    LAW(rocecc_flowtable_lookup_burst(p, &mem, query, n, run->now_ms) == n);
    for (i = 0; i < n; i++) {
        const rocecc_flowtable_lookup_result m =
            rocecc_flowtable_lookup(p, &mem, &query[i].flow, query[i].vrf, run->now_ms);
        LAW(query[i].match.what == m.what && query[i].match.slot == m.slot);
        LAW(law_flowtable_same_origin(&query[i].match.origin, &m.origin));
    }
    return digest;
}
#endif

LAW_FN uint32_t law_flowtable_lookup(law_flowtable_run *run)
{
    const rocecc_flowtable_memory mem = law_flowtable_memory(run);
    const rocecc_flow flow = law_flowtable_flow(run->b[1] & run->flows);
    const uint16_t vrf = law_flowtable_vrf(run->b[1] & run->flows);
    rocecc_flowtable_params p;
    rocecc_flowtable_lookup_result m;
    uint32_t digest;
#if LAW_FLOWTABLE_LIST
    const uint32_t k = law_flowtable_of_flow(run, &flow, vrf);
#endif
    law_flowtable_seen(run, &p);
    m = rocecc_flowtable_lookup(&p, &mem, &flow, vrf, run->now_ms);
    digest = law_mix(run->digest, (uint64_t)m.what << 32 | m.slot);
#if LAW_FLOWTABLE_LIST
    LAW((m.what == ROCECC_FLOWTABLE_UNKNOWN) == (k == run->used));
    if (m.what == ROCECC_FLOWTABLE_UNKNOWN) {
        LAW(m.slot == ROCECC_FLOWTABLE_NONE);
    } else {
        LAW(m.slot == run->known[k].slot);
        LAW((m.what == ROCECC_FLOWTABLE_AGED) == law_flowtable_expired(run, k));
    }
    if (m.what == ROCECC_FLOWTABLE_FOUND)
        LAW(law_flowtable_same_origin(&m.origin, &run->known[k].origin));
    if (law_flowtable_burst(run, &p) != run->digest) return LAW_BROKEN;
#endif
    LAW_FIELDS(FLOWTABLE_ORIGIN, &m.origin)
    return digest;
}

LAW_FN uint32_t law_flowtable_sweep(law_flowtable_run *run)
{
    const rocecc_flowtable_memory mem = law_flowtable_memory(run);
    rocecc_flowtable t = law_flowtable_of(run);
    rocecc_flowtable_params p;
    uint32_t emptied;
#if LAW_FLOWTABLE_LIST
    uint32_t n = 0, k;
#endif
    law_flowtable_seen(run, &p);
    emptied = rocecc_flowtable_sweep(&p, &t, &mem, run->now_ms);
#if LAW_FLOWTABLE_LIST
    for (k = run->used; k-- > 0;) {
        if (run->known[k].slot / 8 != run->next || !law_flowtable_expired(run, k))
            continue;
        n++;
        run->known[k] = run->known[--run->used];
    }
    LAW(emptied == n && t.used == run->used);
    LAW(law_flowtable_agrees(run));
#endif
    LAW(t.next == (run->next + 1) % p.buckets);
    run->used = t.used;
    run->next = t.next;
    return law_mix(run->digest, emptied);
}

#if LAW_FLOWTABLE_LIST
/* Checks that a refresh changes only a flow known from this port (FT-14). */
LAW_FN uint32_t law_flowtable_refresh(law_flowtable_run *run)
{
    const rocecc_flowtable_memory mem = law_flowtable_memory(run);
    rocecc_flowtable_params p;
    rocecc_flowtable_entry came;
    rocecc_flowtable_learn_result act;
    rocecc_flowtable_learn_result expected;
    law_flowtable_seen(run, &p);
    came.flow = law_flowtable_flow(run->b[1] & run->flows);
    came.vrf = law_flowtable_vrf(run->b[1] & run->flows);
    came.origin = law_flowtable_origin(run->b[2]);
    expected = law_flowtable_expect(run, &came);
    if (!law_flowtable_is_from(run, &came)) {
        expected.what = ROCECC_FLOWTABLE_FULL;
        expected.slot = ROCECC_FLOWTABLE_NONE;
        expected.port = 0;
    }
    act = rocecc_flowtable_refresh(&p, &mem, &came, run->now_ms);
    LAW(act.what == expected.what && act.slot == expected.slot &&
        act.port == expected.port);
    law_flowtable_note(run, &act, &came);
    return law_mix(run->digest, (uint64_t)act.what << 32 | act.slot);
}

/* Checks that a forget by port, MAC and VRF empties the right slots (FT-13). */
LAW_FN uint32_t law_flowtable_forget(law_flowtable_run *run)
{
    const rocecc_flowtable_memory mem = law_flowtable_memory(run);
    rocecc_flowtable_origin o;
    rocecc_flowtable t;
    rocecc_flowforget_filter f;
    uint32_t digest, i;
    uint32_t bits[LAW_FLOWTABLE_BUCKETS] = {0}, k;
    o = law_flowtable_origin(run->b[2]);
    t = law_flowtable_of(run);
    digest = run->digest;
    f.conditions = run->b[1] & 31;
    f.vrf = law_flowtable_vrf(run->b[1]);
    f.port = o.ingress_port;
    f.mac = o.mac_sa;
    for (k = run->used; k-- > 0;) {
        const law_flowtable_known *x = &run->known[k];
        const bool port = x->origin.ingress_port == f.port;
        const bool mac = law_flowtable_same_bytes(x->origin.mac_sa.b, f.mac.b, 6);
        const unsigned is =
            (port ? 1u : 2u) | (mac ? 4u : 0u) | (x->vrf == f.vrf ? 8u : 0u);
        if (f.conditions == 0 || (f.conditions & is) != f.conditions) continue;
        bits[x->slot / 8] |= 1u << x->slot % 8;
        run->known[k] = run->known[--run->used];
    }
    for (i = 0; i < LAW_FLOWTABLE_BUCKETS; i++) {
        uint8_t emptied;
        if (i >= run->p.buckets) break;
        emptied = rocecc_flowforget_step(&f, &t, &mem, i);
        LAW(emptied == bits[i]);
        digest = law_mix(digest, emptied);
    }
    LAW(t.used == run->used && law_flowtable_agrees(run));
    LAW(t.next == run->next);
    run->used = t.used;
    return digest;
}
#endif

/* Returns true if rocecc_flowtable_buckets() gives the fewest buckets for `flows`. */
LAW_FN bool law_flowtable_fits(uint32_t flows)
{
    const uint64_t most = 5 * (uint64_t)ROCECC_FLOWTABLE_BUCKETS_MAX;
    const uint32_t buckets = rocecc_flowtable_buckets(flows);
    if (buckets == 0) return flows > most;
    return flows <= 5 * buckets && (buckets == 2 || 2 * flows > 5 * buckets) &&
           (buckets & (buckets - 1)) == 0;
}

/* Draws parameters, checks init(), and starts an empty table. */
LAW_PART uint32_t law_flowtable_begin(law_flowtable_run *run)
{
    rocecc_flowtable_refusal refusal;
    rocecc_flowtable_memory mem;
    rocecc_flowtable_params p;
    rocecc_flowtable t;
    if (run == NULL) return LAW_BROKEN;
    mem = law_flowtable_memory(run);
    LAW(law_flowtable_fits(law_load_any32(run->b)));
    LAW(rocecc_flowtable_l3qcn().expiry_ms == 10000);
    law_flowtable_params(run->b, &run->p);
    refusal = rocecc_flowtable_init(&run->p);
    LAW(refusal == law_flowtable_refusal(&run->p));
    run->digest = law_mix(LAW_START, refusal);
    run->flows = (uint8_t)((2u << (run->b[21] >> 5)) - 1);
    run->now_ms = rocecc_load32(run->b + 22);
    run->used = run->next = 0;
    run->runs = refusal == ROCECC_FLOWTABLE_ACCEPTED;
    if (!run->runs) return run->digest;
    LAW(run->p.buckets == 2 || run->p.buckets == LAW_FLOWTABLE_BUCKETS);
    law_flowtable_seen(run, &p);
    t = rocecc_flowtable_start(&p, &mem);
    LAW(t.used == 0 && t.next == 0);
    return run->digest;
}

/*
 * Handles an event of 4 bytes. Byte 0 has the call (3 bits) and, with byte 3, the
 * change of time, sometimes to an edge of expiry_ms. Byte 1 selects the flow or the
 * forget, and byte 2 the origin (4 bits). With `more`, its upper 2 bits select a
 * refresh or a forget.
 */
LAW_PART uint32_t law_flowtable_event(law_flowtable_run *run)
{
    unsigned how;
    if (run == NULL) return LAW_BROKEN;
    how = run->b[0];
    if ((how & 0x1f) == 3)
        run->now_ms += run->p.expiry_ms - (how >> 5 & 1);
    else if ((how & 0x1f) == 7)
        run->now_ms -= run->p.expiry_ms - (how >> 5 & 1);
    else if ((how & 0x18) == 0)
        run->now_ms += (uint32_t)run->b[3] << (how >> 5) * 3;
#if LAW_FLOWTABLE_LIST
    if (run->more && run->b[2] >> 6 == 3 && (how & 7) < 5)
        return run->digest = law_flowtable_refresh(run);
    if (run->more && run->b[2] >> 6 == 3 && (how & 7) == 7)
        return run->digest = law_flowtable_forget(run);
#endif
    if ((how & 7) < 5)
        run->digest = law_flowtable_learn(run);
    else if ((how & 7) < 7)
        run->digest = law_flowtable_lookup(run);
    else
        run->digest = law_flowtable_sweep(run);
    return run->digest;
}

/* Copies n bytes, a constant, into a run. Returns false if there are fewer. */
LAW_FN bool law_flowtable_draw(law_flowtable_run *run, rocecc_reader *r, size_t n)
{
    const uint8_t *b = rocecc_take(r, n);
    size_t i;
    if (b == NULL) return false;
    for (i = 0; i < n; i++)
        run->b[i] = b[i];
    LAW_FORGET(run);
    return true;
}

/* Checks that any learns, lookups and sweeps agree with a list of flows. */
LAW_FN uint32_t law_flowtable_runs(rocecc_reader r, bool more)
{
    LAW_KEPT law_flowtable_run run;
    int i;
    run.more = more;
    if (!law_flowtable_draw(&run, &r, LAW_FLOWTABLE_BYTES)) return LAW_START;
    if (law_flowtable_begin(&run) == LAW_BROKEN) return LAW_BROKEN;
    for (i = 0; i < LAW_FLOWTABLE_EVENTS && run.runs; i++) {
        if (!law_flowtable_draw(&run, &r, LAW_FLOWTABLE_EVENT_BYTES)) break;
        if (law_flowtable_event(&run) == LAW_BROKEN) return LAW_BROKEN;
    }
#if LAW_FLOWTABLE_LIST
    LAW(!run.runs || law_flowtable_agrees(&run));
#endif
    return run.digest;
}

LAW_FN uint32_t law_flowtable(rocecc_reader r)
{
    return law_flowtable_runs(r, false);
}

#if LAW_FLOWTABLE_LIST
/* Also checks refresh() and flowforget.h, too long for the verifier. */
LAW_FN uint32_t law_flowtable_more(rocecc_reader r)
{
    return law_flowtable_runs(r, true);
}
#endif

#endif /* TESTS_LAW_FLOWTABLE_H */
