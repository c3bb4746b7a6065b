/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_PAUSE_H
#define ROCECC_GUARD_PAUSE_H

/*
 * pause.h - precise flow control, of a node that is asked: a congested node downstream
 * asks it to hold a service, a flow or a priority for a while.
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1.2. What a node asks for itself is ask.h.
 *
 *        upstream                    node                     downstream
 *   -----------------> in_port [ queue ] out_port ----------------------->
 *   <--- ARN or PFC ---        ask.h         notify()  <--- ARN or PFC ----
 *                                packet(): hold or run
 *
 * Example, of rocecc_pause_lab(): an ARN of A with a time of 100 us comes at 0, one of
 * B for the same flow with 30 us at 10 us. packet() holds what comes at 20 us, for 80
 * us more. A resumes at 30 us: B still holds. timer() says RUN at 40 us.
 *
 * Memory: 20 bytes, 56 and 120 a slot, and 4 an asker: arrays of the caller's, zeroed,
 * that each call is given. Timers are the host's, one a slot. Times are 64 bits of ns
 * and may wrap. One writer: packet() only reads, under the caller's lock or on a copy.
 * A call looks at 16 slots, by a keyed hash. A lost resume is safe (P-1), and PFC has a
 * table of its own (P-9). README.md has R-ARN-1 to -16 and P-1 to P-12.
 */
#include "../fixed.h"
#include "slot.h"

#define ROCECC_PAUSE_ASKERS 4u /* that hold one slot at once */
#define ROCECC_PAUSE_NONE ROCECC_SLOT_NONE
#define ROCECC_PAUSE_MAX_NS ((uint64_t)1 << 62)
#define ROCECC_PAUSE_PRIORITIES 64
#define ROCECC_PAUSE_CLASSES 8 /* of PFC */

/* What is held: R-ARN-2, R-ARN-4 to R-ARN-6; R-ARN-1. */
#define ROCECC_PAUSE_SERVICE 0
#define ROCECC_PAUSE_FLOW 1
#define ROCECC_PAUSE_PRIORITY 2
#define ROCECC_PAUSE_CLASS 3 /* what PFC says, and nothing else does */

typedef enum rocecc_pause_refusal {
    ROCECC_PAUSE_ACCEPTED = 0,
    ROCECC_PAUSE_REFUSED_MODE,       /* none of the four */
    ROCECC_PAUSE_REFUSED_MAX,        /* max_ns is 0 or beyond 2^62 */
    ROCECC_PAUSE_REFUSED_PAUSE,      /* pause_ns is 0 or beyond max_ns */
    ROCECC_PAUSE_REFUSED_PFC,        /* pfc_ns is 0 or beyond pause_ns */
    ROCECC_PAUSE_REFUSED_XON,        /* xon_bytes >= xoff_bytes */
    ROCECC_PAUSE_REFUSED_PRIORITIES, /* 0, or beyond 64; beyond 8 of PFC */
    ROCECC_PAUSE_REFUSED_KEY,        /* hash_key is 0: nobody has set it */
    ROCECC_PAUSE_REFUSED_MIN,        /* min_ns is 0 or beyond pfc_ns */
    ROCECC_PAUSE_REFUSED_EACH        /* each is 0, and there are askers */
} rocecc_pause_refusal;

typedef struct rocecc_pause_params {
    uint64_t hash_key[2]; /* at random, and a secret */
    uint64_t max_ns;      /* 1 to 2^62 */
    uint64_t pause_ns;    /* what is asked for: 1 to max_ns */
    uint64_t pfc_ns;      /* by PFC: 1 to pause_ns, and to 65535 quanta of any port */
    uint64_t min_ns;      /* what is shorter is not asked for: 1 to pfc_ns; P-10 */
    uint64_t xoff_bytes;  /* from there on it asks */
    uint64_t xon_bytes;   /* down to there; below xoff_bytes */
    uint32_t askers;      /* tags are below; 0: nobody is heard, but by PFC */
    uint32_t each;        /* slots that an asker may hold: P-8 */
    uint8_t mode;         /* ROCECC_PAUSE_SERVICE, _FLOW, _PRIORITY, _CLASS */
    uint8_t priorities;   /* how many there are: 8 of 802.1Q, 64 of DSCP */
} rocecc_pause_params;

/* Who holds a slot, until when: P-11. */
typedef struct rocecc_pause_who {
    uint64_t until_ns[ROCECC_PAUSE_ASKERS];
    uint64_t node[ROCECC_PAUSE_ASKERS][2]; /* an address, as in a key */
    uint32_t tag[ROCECC_PAUSE_ASKERS];     /* and 1; 0: nobody */
    uint64_t first_ns;                     /* when the first of them is over */
} rocecc_pause_who;
ROCECC_SIZE_(rocecc_pause_who, 120);

/* The caller's arrays, zeroed at first, as they are found at each call. */
typedef struct rocecc_pause_memory {
    rocecc_slot *slots;    /* t.n */
    rocecc_pause_who *who; /* t.n */
    uint32_t *has;         /* params.askers: how many slots each holds */
} rocecc_pause_memory;

/* What is kept beside them. */
typedef struct rocecc_pause {
    uint32_t n;       /* slots: a power of two from 16 on, or 0: as if it were full */
    uint32_t held;    /* slots that hold, or whose time is over and nobody saw it */
    uint32_t missing; /* R-ARN-10, mod 2^32 */
    uint32_t full;    /* P-3, mod 2^32 */
    uint32_t refused; /* P-8, mod 2^32 */
} rocecc_pause;
ROCECC_SIZE_(rocecc_pause, 20);

/* Who asks: the source of an ARN, and its number, as the tag of an access list.
 */
typedef struct rocecc_pause_asker {
    rocecc_ip6 node;
    uint32_t tag; /* ROCECC_PAUSE_NONE: it has none, and is not heard */
} rocecc_pause_asker;

/* What came in an ARN, or by PFC; what it did not have is not looked at. */
typedef struct rocecc_pause_notice {
    rocecc_flow flow;
    rocecc_pause_asker from; /* by PFC nobody: 0 */
    uint32_t priority;
    uint32_t port;    /* where it came in, so that what leaves there is held */
    uint64_t time_ns; /* the compression time */
    uint8_t type;     /* 1 to 4 */
    bool pfc;         /* by PFC, from the neighbour at port, for a class */
    bool has_flow;
    bool has_priority;
    bool has_time;
} rocecc_pause_notice;

/*
 * Traffic, of which the mode looks at one: outer, inner (the same without a tunnel) or
 * priority. Where the outer header changes (an SRv6 endpoint, a PE), packet() is given
 * the one that leaves, known downstream, ask.h the one that came in.
 */
typedef struct rocecc_pause_traffic {
    rocecc_flow outer;
    rocecc_flow inner;
    uint32_t in_port;  /* where it was received; ask.h and backlog.h look */
    uint32_t out_port; /* where it leaves; packet() looks */
    uint64_t bytes;    /* ask.h: of it at in_port, not yet sent on; backlog.h */
    uint64_t held_ns;  /* ask.h: packet()'s time_ns, how long it is held here */
    uint8_t priority;  /* as an ARN has it */
    uint8_t pfc_class; /* as PFC has it, 0 to 7 */
    bool control;      /* CNP, ARN, routing: R-ARN-14, never held */
    bool in_pfc;       /* the neighbour at in_port has PFC alone; ask.h looks */
} rocecc_pause_traffic;

typedef enum rocecc_pause_what {
    ROCECC_PAUSE_NOTHING = 0,
    ROCECC_PAUSE_RUN,          /* packet: may be sent; else: release slot's queue */
    ROCECC_PAUSE_HOLD,         /* queue it, for slot */
    ROCECC_PAUSE_ASK,          /* send a pause of time_ns out of in_port */
    ROCECC_PAUSE_ASK_RESUME,   /* send a resume out of in_port */
    ROCECC_PAUSE_HAND_ON,      /* a failure, or its end: not for here */
    ROCECC_PAUSE_IGNORED_TYPE, /* no such type */
    ROCECC_PAUSE_IGNORED_PARAMETER, /* R-ARN-10; there is no such priority; P-9 */
    ROCECC_PAUSE_IGNORED_FULL,      /* P-3 */
    ROCECC_PAUSE_IGNORED_ASKER      /* P-8 */
} rocecc_pause_what;

typedef struct rocecc_pause_action {
    uint8_t what;     /* rocecc_pause_what */
    bool pfc;         /* ASK, ASK_RESUME: by PFC for the priority, else by ARN */
    bool evicted;     /* P-6: release slot's queue first */
    bool arm;         /* in wait_ns: timer() of slot, but after ASK queue() */
    uint32_t slot;    /* the one concerned, or NONE */
    uint64_t wait_ns; /* of arm */
    uint64_t time_ns; /* HOLD: how long it is held; ASK: the compression time */
} rocecc_pause_action;

/* A message's key, its slot or NONE, and when it came. */
typedef struct rocecc_pause_hold_at_ {
    rocecc_slot_at_ at;
    uint64_t now_ns;
    uint32_t slot;
} rocecc_pause_hold_at_;

#define ROCECC_PAUSE_HELD_ 1u /* the side of a key, not 0; ask.h has two more */

/*
 * Values of our own, as no source has any: no pause beyond 1 s; 100 us at a time, 20 us
 * by PFC, none below the 1 us of an ARN, from 200 kB down to 100 kB; 16 askers of 32
 * slots, which rocecc_slot_count() makes 1024. hash_key is 0: it is still to be set.
 */
ROCECC_FN rocecc_pause_params rocecc_pause_lab(uint8_t mode)
{
    rocecc_pause_params p;
    p.hash_key[0] = p.hash_key[1] = 0;
    p.max_ns = 1000000000;
    p.pause_ns = 100000;
    p.pfc_ns = 20000;
    p.min_ns = 1000;
    p.xoff_bytes = 200000;
    p.xon_bytes = 100000;
    p.askers = 16;
    p.each = 32;
    p.mode = mode;
    p.priorities = 8;
    return p;
}

/* Checks *p; nothing is derived. */
ROCECC_FN rocecc_pause_refusal rocecc_pause_init(const rocecc_pause_params *p)
{
    const uint8_t most =
        p->mode == ROCECC_PAUSE_CLASS ? ROCECC_PAUSE_CLASSES : ROCECC_PAUSE_PRIORITIES;
    if (p->mode > ROCECC_PAUSE_CLASS) return ROCECC_PAUSE_REFUSED_MODE;
    if (p->max_ns == 0 || p->max_ns > ROCECC_PAUSE_MAX_NS)
        return ROCECC_PAUSE_REFUSED_MAX;
    if (p->pause_ns == 0 || p->pause_ns > p->max_ns) return ROCECC_PAUSE_REFUSED_PAUSE;
    if (p->pfc_ns == 0 || p->pfc_ns > p->pause_ns) return ROCECC_PAUSE_REFUSED_PFC;
    if (p->xon_bytes >= p->xoff_bytes) return ROCECC_PAUSE_REFUSED_XON;
    if (p->priorities == 0 || p->priorities > most)
        return ROCECC_PAUSE_REFUSED_PRIORITIES;
    if ((p->hash_key[0] | p->hash_key[1]) == 0) return ROCECC_PAUSE_REFUSED_KEY;
    if (p->min_ns == 0 || p->min_ns > p->pfc_ns) return ROCECC_PAUSE_REFUSED_MIN;
    if (p->askers != 0 && p->each == 0) return ROCECC_PAUSE_REFUSED_EACH;
    return ROCECC_PAUSE_ACCEPTED;
}

/* A table of n slots that are zeroed, of which it uses the largest power of two. */
ROCECC_FN rocecc_pause rocecc_pause_start(uint32_t n)
{
    rocecc_pause t;
    t.n = rocecc_slot_power_(n);
    t.held = t.missing = t.full = t.refused = 0;
    return t;
}

/* What an ARN names, in service and in flow mode: R-ARN-4, R-ARN-5, R-ARN-11. */
ROCECC_FN rocecc_flow rocecc_pause_flow(const rocecc_pause_params *p,
                                        const rocecc_pause_traffic *x)
{
    rocecc_flow f = p->mode == ROCECC_PAUSE_SERVICE ? x->outer : x->inner;
    if (!rocecc_flow_has_ports(f.proto)) f.src_port = f.dst_port = 0;
    return f;
}

ROCECC_FN rocecc_slot_key_ rocecc_pause_key_of_(const rocecc_pause_params *p,
                                                const rocecc_pause_traffic *x,
                                                uint32_t port, uint32_t side)
{
    if (p->mode == ROCECC_PAUSE_CLASS)
        return rocecc_slot_key_of_priority_(x->pfc_class, port, side);
    if (p->mode == ROCECC_PAUSE_PRIORITY)
        return rocecc_slot_key_of_priority_(x->priority, port, side);
    return rocecc_slot_key_of_flow_(
        p->mode == ROCECC_PAUSE_SERVICE ? &x->outer : &x->inner, port, side);
}

/* By what the buckets of a key are picked. */
ROCECC_FN const uint64_t *rocecc_pause_secret_(const rocecc_pause_params *p)
{
    return p->mode == ROCECC_PAUSE_CLASS ? NULL : p->hash_key;
}

ROCECC_FN rocecc_pause_action rocecc_pause_act_(rocecc_pause_what what)
{
    rocecc_pause_action act = ROCECC_ZERO;
    act.what = (uint8_t)what;
    act.slot = ROCECC_PAUSE_NONE;
    return act;
}

/* No room: ignored, and counted; P-3. */
ROCECC_FN rocecc_pause_action rocecc_pause_full_(uint32_t *full)
{
    (*full)++;
    return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_FULL);
}

/* Forgets one who holds a slot; its number has a slot more again: P-8. */
ROCECC_FN void rocecc_pause_drop_(const rocecc_pause_params *p,
                                  const rocecc_pause_memory *m, rocecc_pause_who *w,
                                  size_t i)
{
    const size_t tag = (size_t)w->tag[i] - 1;
    w->until_ns[i] = 0;
    w->node[i][0] = w->node[i][1] = 0;
    w->tag[i] = 0;
    if (p->mode != ROCECC_PAUSE_CLASS && tag < p->askers && m->has[tag] != 0)
        m->has[tag]--;
}

/* Who is over is forgotten; the last end of the others is the slot's, the first its
 * timer's, in memory, which the verifier of BPF does not follow. What is left. */
ROCECC_FN uint64_t rocecc_pause_span_(const rocecc_pause_params *p,
                                      const rocecc_pause_memory *m, uint32_t slot,
                                      uint64_t now_ns)
{
    rocecc_pause_who *w = &m->who[slot];
    rocecc_slot *e = &m->slots[slot];
    size_t i;
    e->value = now_ns;
    w->first_ns = now_ns - 1; /* the last that there is */
    for (i = 0; i < ROCECC_PAUSE_ASKERS; i++) {
        const uint64_t left_ns = rocecc_slot_left_(p->max_ns, w->until_ns[i], now_ns);
        ROCECC_BPF_KEEP_(w);
        ROCECC_BPF_KEEP_(e);
        if (w->tag[i] == 0) continue;
        if (left_ns == 0) {
            rocecc_pause_drop_(p, m, w, i);
            continue;
        }
        if (left_ns > e->value - now_ns) e->value = now_ns + left_ns;
        if (left_ns < w->first_ns - now_ns) w->first_ns = now_ns + left_ns;
    }
    return e->value - now_ns;
}

/* Frees a slot, whoever holds it. */
ROCECC_FN void rocecc_pause_free_(const rocecc_pause_params *p, rocecc_pause *t,
                                  const rocecc_pause_memory *m, uint32_t slot)
{
    size_t i;
    for (i = 0; i < ROCECC_PAUSE_ASKERS; i++)
        if (m->who[slot].tag[i] != 0) rocecc_pause_drop_(p, m, &m->who[slot], i);
    m->who[slot].first_ns = 0;
    rocecc_slot_give_(&m->slots[slot], NULL);
    t->held--;
}

/* RUN, and the slot is free, where nobody holds it any more; else its timer: P-11. */
ROCECC_FN rocecc_pause_action rocecc_pause_settle_(const rocecc_pause_params *p,
                                                   rocecc_pause *t,
                                                   const rocecc_pause_memory *m,
                                                   uint32_t slot, uint64_t now_ns)
{
    const uint64_t left_ns = rocecc_pause_span_(p, m, slot, now_ns);
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    act.slot = slot;
    if (left_ns == 0) {
        rocecc_pause_free_(p, t, m, slot);
        act.what = ROCECC_PAUSE_RUN;
        return act;
    }
    act.arm = true;
    act.wait_ns = m->who[slot].first_ns - now_ns;
    return act;
}

/* R-ARN-10, P-9: whether the message has what the mode needs. */
ROCECC_FN bool rocecc_pause_names_(const rocecc_pause_params *p,
                                   const rocecc_pause_notice *x)
{
    if (x->pfc != (p->mode == ROCECC_PAUSE_CLASS)) return false;
    if (x->type == 1 && !x->has_time) return false;
    if (p->mode >= ROCECC_PAUSE_PRIORITY)
        return x->has_priority && x->priority < p->priorities;
    return x->has_flow;
}

/* Whether an asker is heard, and, of m, may hold one more slot: P-8. */
ROCECC_FN bool rocecc_pause_may_(const rocecc_pause_params *p, rocecc_pause *t,
                                 const rocecc_pause_memory *m, size_t tag)
{
    if (p->mode == ROCECC_PAUSE_CLASS) return true;
    if (tag < p->askers && (m == NULL || m->has[tag] < p->each)) return true;
    t->refused++;
    return false;
}

/* A node that holds a slot does so until another time; false: it does not hold it. */
ROCECC_FN bool rocecc_pause_renew_(rocecc_pause_who *w, const rocecc_ip6 *node,
                                   uint64_t until_ns)
{
    const uint64_t a = rocecc_slot_load_(node->b), b = rocecc_slot_load_(node->b + 8);
    size_t i;
    for (i = 0; i < ROCECC_PAUSE_ASKERS; i++) {
        if (w->tag[i] == 0 || ((w->node[i][0] ^ a) | (w->node[i][1] ^ b)) != 0)
            continue;
        w->until_ns[i] = until_ns;
        return true;
    }
    return false;
}

/* A node comes to hold a slot, that has a place for it; false: it has none. */
ROCECC_FN bool rocecc_pause_enter_(const rocecc_pause_params *p,
                                   const rocecc_pause_memory *m, rocecc_pause_who *w,
                                   const rocecc_pause_asker *from, uint64_t until_ns)
{
    const size_t tag = p->mode == ROCECC_PAUSE_CLASS ? 0 : from->tag;
    size_t i;
    for (i = 0; i < ROCECC_PAUSE_ASKERS; i++) {
        if (w->tag[i] != 0) continue;
        w->until_ns[i] = until_ns;
        w->node[i][0] = rocecc_slot_load_(from->node.b);
        w->node[i][1] = rocecc_slot_load_(from->node.b + 8);
        w->tag[i] = (uint32_t)tag + 1;
        if (p->mode != ROCECC_PAUSE_CLASS && tag < p->askers) m->has[tag]++;
        return true;
    }
    return false;
}

/* A slot for a new key, that of one whose time is over if need be: P-3, P-6. */
ROCECC_FN rocecc_pause_action rocecc_pause_claim_(const rocecc_pause_params *p,
                                                  rocecc_pause *t,
                                                  const rocecc_pause_memory *m,
                                                  const rocecc_slot_at_ *at,
                                                  uint64_t now_ns)
{
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_HOLD);
    act.slot = rocecc_slot_place_(m->slots, at, p->max_ns, 0, now_ns);
    if (act.slot == ROCECC_PAUSE_NONE) return rocecc_pause_full_(&t->full);
    act.evicted = (uint32_t)m->slots[act.slot].key[5] != 0;
    if (act.evicted) rocecc_pause_free_(p, t, m, act.slot);
    rocecc_slot_give_(&m->slots[act.slot], &at->key);
    t->held++;
    return act;
}

/*
 * HOLD, in the slot of a key: this asker until now + min(time, max_ns), whatever it
 * said before (R-ARN-13, P-2), and the slot as long as any of its askers: P-11.
 */
ROCECC_FN rocecc_pause_action rocecc_pause_hold_(const rocecc_pause_params *p,
                                                 rocecc_pause *t,
                                                 const rocecc_pause_memory *m,
                                                 const rocecc_pause_notice *x,
                                                 const rocecc_pause_hold_at_ *h)
{
    const uint64_t until_ns = h->now_ns + rocecc_min(x->time_ns, p->max_ns);
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_HOLD);
    const bool known = h->slot != ROCECC_PAUSE_NONE;
    act.slot = h->slot;
    if (!known || !rocecc_pause_renew_(&m->who[h->slot], &x->from.node, until_ns)) {
        if (!rocecc_pause_may_(p, t, m, x->from.tag))
            return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_ASKER);
        if (known)
            (void)rocecc_pause_span_(p, m, act.slot, h->now_ns);
        else
            act = rocecc_pause_claim_(p, t, m, &h->at, h->now_ns);
        if (act.what != ROCECC_PAUSE_HOLD) return act;
        if (!rocecc_pause_enter_(p, m, &m->who[act.slot], &x->from, until_ns))
            return rocecc_pause_full_(&t->full);
    }
    act.time_ns = rocecc_pause_span_(p, m, act.slot, h->now_ns);
    act.arm = true;
    act.wait_ns = m->who[act.slot].first_ns - h->now_ns;
    return act;
}

/*
 * An ARN came in, or PFC: by its type (R-ARN-12), for what the own mode holds
 * (R-ARN-7). A resume is for the pause of its own asker alone: RUN only if nobody else
 * holds the slot, else NOTHING, and the slot. P-8, P-9, P-11.
 */
ROCECC_FN rocecc_pause_action rocecc_pause_notify(const rocecc_pause_params *p,
                                                  rocecc_pause *t,
                                                  const rocecc_pause_memory *m,
                                                  const rocecc_pause_notice *x,
                                                  uint64_t now_ns)
{
    rocecc_pause_hold_at_ h;
    rocecc_slot_key_ k;
    if (x->type == 3 || x->type == 4) return rocecc_pause_act_(ROCECC_PAUSE_HAND_ON);
    if (x->type != 1 && x->type != 2)
        return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_TYPE);
    if (!rocecc_pause_names_(p, x)) {
        t->missing++;
        return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_PARAMETER);
    }
    if (!rocecc_pause_may_(p, t, NULL, x->from.tag))
        return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_ASKER);
    k = p->mode >= ROCECC_PAUSE_PRIORITY
            ? rocecc_slot_key_of_priority_((uint8_t)x->priority, x->port,
                                           ROCECC_PAUSE_HELD_)
            : rocecc_slot_key_of_flow_(&x->flow, x->port, ROCECC_PAUSE_HELD_);
    h.at = rocecc_slot_at_of_(rocecc_pause_secret_(p), t->n, &k);
    h.slot = rocecc_slot_find_(m->slots, &h.at);
    h.now_ns = now_ns;
    if (x->type == 1 && x->time_ns != 0) return rocecc_pause_hold_(p, t, m, x, &h);
    if (h.slot == ROCECC_PAUSE_NONE) return rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    if (!rocecc_pause_renew_(&m->who[h.slot], &x->from.node, now_ns))
        return rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    return rocecc_pause_settle_(p, t, m, h.slot, now_ns);
}

/*
 * May a packet be sent? RUN or HOLD. With a slot, RUN means that the time is over and
 * the timer is late: what waits for the slot goes first.
 */
ROCECC_FN rocecc_pause_action rocecc_pause_packet(const rocecc_pause_params *p,
                                                  const rocecc_pause *t,
                                                  const rocecc_slot *slots,
                                                  const rocecc_pause_traffic *x,
                                                  uint64_t now_ns)
{
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_RUN);
    rocecc_slot_key_ k;
    rocecc_slot_at_ at;
    if (t->held == 0 || x->control) return act;
    k = rocecc_pause_key_of_(p, x, x->out_port, ROCECC_PAUSE_HELD_);
    at = rocecc_slot_at_of_(rocecc_pause_secret_(p), t->n, &k);
    act.slot = rocecc_slot_find_(slots, &at);
    if (act.slot == ROCECC_PAUSE_NONE) return act;
    act.time_ns = rocecc_slot_left_(p->max_ns, slots[act.slot].value, now_ns);
    if (act.time_ns != 0) act.what = ROCECC_PAUSE_HOLD;
    return act;
}

/* The timer of a slot: RUN, and a free slot, if its time is over; else armed: P-5. */
ROCECC_FN rocecc_pause_action rocecc_pause_timer(const rocecc_pause_params *p,
                                                 rocecc_pause *t,
                                                 const rocecc_pause_memory *m,
                                                 uint32_t slot, uint64_t now_ns)
{
    if (slot >= t->n || (uint32_t)m->slots[slot].key[5] == 0)
        return rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    return rocecc_pause_settle_(p, t, m, slot, now_ns);
}

#endif /* ROCECC_GUARD_PAUSE_H */
