/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_PAUSE_H
#define ROCECC_GUARD_PAUSE_H

/*
 * pause.h - precise flow control: a congested node asks the one upstream to hold a
 * service, a flow or a priority for a while. draft-hu-rtgwg-rocev2-fcn-00, 4.1.2.
 *
 *        upstream                    node                     downstream
 *   -----------------> in_port [ queue ] out_port ----------------------->
 *   <--- ARN or PFC ---        queue()      notify()  <--- ARN ------------
 *                                packet(): hold or run
 *
 * Example, of rocecc_pause_lab(): an ARN with a time of 100 us comes at 0, and notify()
 * arms the timer of a slot. packet() holds what comes at 40 us, for 60 us more. timer()
 * says RUN at 100 us. When 200 kB wait, queue() asks upstream for 100 us, once more
 * after 50 us while more than 100 kB wait, and for a resume at 100 kB.
 *
 * Memory: 16 bytes, and 56 a slot: an array of the caller's, zeroed, that each call is
 * given. Timers are the host's, one a slot. Times are 64 bits of ns and may wrap. One
 * writer: packet() only reads, under the caller's lock or on a copy. A call looks at
 * ROCECC_PAUSE_PROBES slots, by a keyed hash. A lost resume is safe (P-1). README.md
 * has R-ARN-1 to -16 and P-1 to P-7.
 */
#include "../net.h"
#include "siphash.h"

#ifndef ROCECC_PAUSE_PROBES
#define ROCECC_PAUSE_PROBES 8
#endif

#define ROCECC_PAUSE_NONE 0xffffffffu
#define ROCECC_PAUSE_MAX_NS ((uint64_t)1 << 62)
#define ROCECC_PAUSE_PRIORITIES 64

/* What is held: R-ARN-2, R-ARN-4 to R-ARN-6. */
#define ROCECC_PAUSE_SERVICE 0
#define ROCECC_PAUSE_FLOW 1
#define ROCECC_PAUSE_PRIORITY 2

typedef enum rocecc_pause_refusal {
    ROCECC_PAUSE_ACCEPTED = 0,
    ROCECC_PAUSE_REFUSED_MODE,      /* none of the three */
    ROCECC_PAUSE_REFUSED_MAX,       /* max_ns is 0 or beyond 2^62 */
    ROCECC_PAUSE_REFUSED_PAUSE,     /* pause_ns is 0 or beyond max_ns */
    ROCECC_PAUSE_REFUSED_PFC,       /* pfc_ns is 0 or beyond pause_ns */
    ROCECC_PAUSE_REFUSED_XON,       /* xon_bytes >= xoff_bytes */
    ROCECC_PAUSE_REFUSED_PRIORITIES /* priorities is 0 or beyond 64 */
} rocecc_pause_refusal;

typedef struct rocecc_pause_params {
    uint64_t hash_key[2]; /* at random, and a secret */
    uint64_t max_ns;      /* 1 to 2^62 */
    uint64_t pause_ns;    /* what is asked for: 1 to max_ns */
    uint64_t pfc_ns;      /* by PFC: 1 to pause_ns, and to 65535 quanta of any port */
    uint64_t xoff_bytes;  /* from there on it asks */
    uint64_t xon_bytes;   /* down to there; below xoff_bytes */
    uint8_t mode;         /* ROCECC_PAUSE_SERVICE, _FLOW, _PRIORITY */
    uint8_t priorities;   /* how many there are: 8 of 802.1Q, 64 of DSCP */
} rocecc_pause_params;

/* A slot: zeroed it is free. */
typedef struct rocecc_pause_entry {
    uint64_t key[6];   /* addresses; ports, protocol, priority; port and side */
    uint64_t until_ns; /* held: when it runs again; asked: when to ask again */
} rocecc_pause_entry;
ROCECC_SIZE_(rocecc_pause_entry, 56);

/* What is kept beside the slots. */
typedef struct rocecc_pause {
    uint32_t n;       /* slots: a power of two, or 0: all is as if it were full */
    uint32_t held;    /* slots that hold, or whose time is over and nobody saw it */
    uint32_t missing; /* R-ARN-10, mod 2^32 */
    uint32_t full;    /* P-3, mod 2^32 */
} rocecc_pause;
ROCECC_SIZE_(rocecc_pause, 16);

/* What came in an ARN; what it did not have is not looked at. */
typedef struct rocecc_pause_notice {
    rocecc_flow flow;
    uint32_t priority;
    uint32_t port;    /* where it came in, so that what leaves there is held */
    uint64_t time_ns; /* the compression time */
    uint8_t type;     /* 1 to 4 */
    bool has_flow;
    bool has_priority;
    bool has_time;
} rocecc_pause_notice;

/*
 * Traffic, of which the mode looks at one: outer, inner (the same without a tunnel) or
 * priority. A node that changes the outer header (an SRv6 endpoint, a PE) gives
 * packet() the one that leaves, known downstream, queue() the one that came in.
 */
typedef struct rocecc_pause_traffic {
    rocecc_flow outer;
    rocecc_flow inner;
    uint32_t in_port;  /* where it was received; queue() alone looks */
    uint32_t out_port; /* where it leaves */
    uint64_t bytes;    /* of it at in_port, not yet sent on; queue() alone looks */
    uint8_t priority;  /* as an ARN has it */
    uint8_t pfc_class; /* as PFC has it, 0 to 7; queue() alone looks */
    bool control;      /* CNP, ARN, routing: R-ARN-14, never held */
    bool in_pfc;       /* the neighbour at in_port has PFC alone; queue() looks */
} rocecc_pause_traffic;

typedef enum rocecc_pause_what {
    ROCECC_PAUSE_NOTHING = 0,
    ROCECC_PAUSE_RUN,          /* packet: may be sent; else: release slot's queue */
    ROCECC_PAUSE_HOLD,         /* queue it, for slot */
    ROCECC_PAUSE_ASK,          /* send a pause of time_ns out of in_port */
    ROCECC_PAUSE_ASK_RESUME,   /* send a resume out of in_port */
    ROCECC_PAUSE_HAND_ON,      /* a failure, or its end: not for here */
    ROCECC_PAUSE_IGNORED_TYPE, /* no such type */
    ROCECC_PAUSE_IGNORED_PARAMETER, /* R-ARN-10; or there is no such priority */
    ROCECC_PAUSE_IGNORED_FULL       /* P-3 */
} rocecc_pause_what;

typedef struct rocecc_pause_action {
    uint8_t what;     /* rocecc_pause_what */
    bool pfc;         /* ASK, ASK_RESUME: by PFC for the priority, else by ARN */
    bool evicted;     /* P-6: release slot's queue first */
    bool arm;         /* in wait_ns: timer() of slot, but after ASK queue() */
    uint32_t slot;    /* the one concerned, or NONE */
    uint64_t wait_ns; /* also how long a packet is held */
    uint64_t time_ns; /* ASK: the compression time */
} rocecc_pause_action;

/* A key as it stands in a slot. */
typedef struct rocecc_pause_key_ {
    uint64_t w[6];
} rocecc_pause_key_;

/* The side of the node: held on its way out, or asked for where it comes in. */
#define ROCECC_PAUSE_HELD_ 1u
#define ROCECC_PAUSE_ASKED_ 2u
#define ROCECC_PAUSE_ASKED_PFC_ 3u

/*
 * Values of our own, as no source has any: no pause beyond 1 s; 100 us at a time, 20 us
 * by PFC, from 200 kB down to 100 kB. hash_key is 0, no secret: it is still to be set.
 */
ROCECC_FN rocecc_pause_params rocecc_pause_lab(uint8_t mode)
{
    rocecc_pause_params p;
    p.hash_key[0] = p.hash_key[1] = 0;
    p.max_ns = 1000000000;
    p.pause_ns = 100000;
    p.pfc_ns = 20000;
    p.xoff_bytes = 200000;
    p.xon_bytes = 100000;
    p.mode = mode;
    p.priorities = 8;
    return p;
}

/* Checks *p; nothing is derived. */
ROCECC_FN rocecc_pause_refusal rocecc_pause_init(const rocecc_pause_params *p)
{
    if (p->mode > ROCECC_PAUSE_PRIORITY) return ROCECC_PAUSE_REFUSED_MODE;
    if (p->max_ns == 0 || p->max_ns > ROCECC_PAUSE_MAX_NS)
        return ROCECC_PAUSE_REFUSED_MAX;
    if (p->pause_ns == 0 || p->pause_ns > p->max_ns) return ROCECC_PAUSE_REFUSED_PAUSE;
    if (p->pfc_ns == 0 || p->pfc_ns > p->pause_ns) return ROCECC_PAUSE_REFUSED_PFC;
    if (p->xon_bytes >= p->xoff_bytes) return ROCECC_PAUSE_REFUSED_XON;
    if (p->priorities == 0 || p->priorities > ROCECC_PAUSE_PRIORITIES)
        return ROCECC_PAUSE_REFUSED_PRIORITIES;
    return ROCECC_PAUSE_ACCEPTED;
}

/* A table of n slots that are zeroed, of which it uses the largest power of two. */
ROCECC_FN rocecc_pause rocecc_pause_start(uint32_t n)
{
    rocecc_pause t;
    unsigned i;
    t.n = n;
    for (i = 0; i < 31; i++) /* but the highest bit, all go */
        if ((t.n & (t.n - 1)) != 0) t.n &= t.n - 1;
    t.held = t.missing = t.full = 0;
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

/* Eight bytes of an address, as the number that they are in network order. */
ROCECC_FN uint64_t rocecc_pause_load_(const uint8_t *b)
{
    return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 |
           (uint64_t)b[3] << 32 | (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 |
           (uint64_t)b[6] << 8 | b[7];
}

ROCECC_FN rocecc_pause_key_ rocecc_pause_key_of_priority_(uint8_t priority,
                                                          uint32_t port, uint32_t side)
{
    rocecc_pause_key_ k = ROCECC_ZERO;
    k.w[4] = priority;
    k.w[5] = (uint64_t)port << 32 | side;
    return k;
}

ROCECC_FN rocecc_pause_key_ rocecc_pause_key_of_flow_(const rocecc_flow *f,
                                                      uint32_t port, uint32_t side)
{
    const bool ports = rocecc_flow_has_ports(f->proto);
    rocecc_pause_key_ k;
    k.w[0] = rocecc_pause_load_(f->src.b);
    k.w[1] = rocecc_pause_load_(f->src.b + 8);
    k.w[2] = rocecc_pause_load_(f->dst.b);
    k.w[3] = rocecc_pause_load_(f->dst.b + 8);
    k.w[4] = (uint64_t)f->proto << 8;
    if (ports) k.w[4] |= (uint64_t)f->src_port << 32 | (uint64_t)f->dst_port << 16;
    k.w[5] = (uint64_t)port << 32 | side;
    return k;
}

/* The key of traffic by the mode. */
ROCECC_FN rocecc_pause_key_ rocecc_pause_key_of_(const rocecc_pause_params *p,
                                                 const rocecc_pause_traffic *x,
                                                 uint32_t port, uint32_t side)
{
    if (p->mode == ROCECC_PAUSE_PRIORITY)
        return rocecc_pause_key_of_priority_(x->priority, port, side);
    return rocecc_pause_key_of_flow_(
        p->mode == ROCECC_PAUSE_SERVICE ? &x->outer : &x->inner, port, side);
}

/* The 48 bytes of a key, each word of which stands little-endian. */
ROCECC_FN uint32_t rocecc_pause_hash_(const rocecc_pause_params *p,
                                      const rocecc_pause_key_ *k)
{
    uint64_t word[7];
    int i;
    for (i = 0; i < 6; i++)
        word[i] = k->w[i];
    word[6] = (uint64_t)48 << 56;
    return (uint32_t)rocecc_siphash(p->hash_key, word, 7);
}

/* until - now; 0 where that is over (P-1), or beyond max_ns (P-2). */
ROCECC_FN uint64_t rocecc_pause_left_(const rocecc_pause_params *p, uint64_t until_ns,
                                      uint64_t now_ns)
{
    return until_ns - now_ns <= p->max_ns ? until_ns - now_ns : 0;
}

/* Whether a slot may go to another key: it is free, or over for whoever it was for. */
ROCECC_FN bool rocecc_pause_is_over_(const rocecc_pause_params *p,
                                     const rocecc_pause_entry *e, uint64_t now_ns)
{
    const uint32_t side = (uint32_t)e->key[5];
    if (side == 0) return true;
    if (rocecc_pause_left_(p, e->until_ns, now_ns) != 0) return false;
    return side == ROCECC_PAUSE_HELD_ || now_ns - e->until_ns >= p->pause_ns;
}

ROCECC_FN bool rocecc_pause_same_(const rocecc_pause_entry *e,
                                  const rocecc_pause_key_ *k)
{
    uint64_t differ = 0;
    int i;
    for (i = 0; i < 6; i++)
        differ |= e->key[i] ^ k->w[i];
    return differ == 0;
}

/* The slot of a key, or NONE; at is its hash. */
ROCECC_FN uint32_t rocecc_pause_find_(const rocecc_pause *t,
                                      const rocecc_pause_entry *entries,
                                      const rocecc_pause_key_ *k, uint32_t at)
{
    uint32_t i;
    for (i = 0; i < ROCECC_PAUSE_PROBES && i < t->n; i++) {
        const uint32_t slot = (at + i) & (t->n - 1);
        if (rocecc_pause_same_(&entries[slot], k)) return slot;
    }
    return ROCECC_PAUSE_NONE;
}

/* A slot for a new key: the first free one, else the first that is over, else NONE. */
ROCECC_FN uint32_t rocecc_pause_place_(const rocecc_pause_params *p,
                                       const rocecc_pause *t,
                                       const rocecc_pause_entry *entries, uint32_t at,
                                       uint64_t now_ns)
{
    uint32_t over = ROCECC_PAUSE_NONE, i;
    for (i = 0; i < ROCECC_PAUSE_PROBES && i < t->n; i++) {
        const uint32_t slot = (at + i) & (t->n - 1);
        const rocecc_pause_entry *e = &entries[slot];
        if ((uint32_t)e->key[5] == 0) return slot;
        if (over == ROCECC_PAUSE_NONE && rocecc_pause_is_over_(p, e, now_ns))
            over = slot;
    }
    return over;
}

ROCECC_FN rocecc_pause_action rocecc_pause_act_(rocecc_pause_what what)
{
    rocecc_pause_action act = ROCECC_ZERO;
    act.what = (uint8_t)what;
    act.slot = ROCECC_PAUSE_NONE;
    return act;
}

/* No room for a key: ignored, and counted: P-3. */
ROCECC_FN rocecc_pause_action rocecc_pause_refuse_(rocecc_pause *t)
{
    t->full++;
    return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_FULL);
}

/* Frees a slot. */
ROCECC_FN void rocecc_pause_free_(rocecc_pause *t, rocecc_pause_entry *entries,
                                  uint32_t slot)
{
    const rocecc_pause_entry none = ROCECC_ZERO;
    if ((uint32_t)entries[slot].key[5] == ROCECC_PAUSE_HELD_) t->held--;
    entries[slot] = none;
}

/* Gives a slot, which is over, to a key: P-6. Whether it has a queue to be released. */
ROCECC_FN bool rocecc_pause_claim_(rocecc_pause *t, rocecc_pause_entry *entries,
                                   uint32_t slot, const rocecc_pause_key_ *k)
{
    rocecc_pause_entry *e = &entries[slot];
    const bool evicted = (uint32_t)e->key[5] == ROCECC_PAUSE_HELD_;
    int i;
    rocecc_pause_free_(t, entries, slot);
    for (i = 0; i < 6; i++)
        e->key[i] = k->w[i];
    if ((uint32_t)k->w[5] == ROCECC_PAUSE_HELD_) t->held++;
    return evicted;
}

/* R-ARN-10: whether the message has what the mode needs. */
ROCECC_FN bool rocecc_pause_names_(const rocecc_pause_params *p,
                                   const rocecc_pause_notice *m)
{
    if (m->type == 1 && !m->has_time) return false;
    if (p->mode == ROCECC_PAUSE_PRIORITY)
        return m->has_priority && m->priority < p->priorities;
    return m->has_flow;
}

/* HOLD, and the slot of a key, which gets one if it has none: P-3. */
ROCECC_FN rocecc_pause_action rocecc_pause_hold_(const rocecc_pause_params *p,
                                                 rocecc_pause *t,
                                                 rocecc_pause_entry *entries,
                                                 const rocecc_pause_key_ *k,
                                                 uint64_t now_ns)
{
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_HOLD);
    const uint32_t at = rocecc_pause_hash_(p, k);
    act.slot = rocecc_pause_find_(t, entries, k, at);
    if (act.slot == ROCECC_PAUSE_NONE) {
        act.slot = rocecc_pause_place_(p, t, entries, at, now_ns);
        if (act.slot == ROCECC_PAUSE_NONE) return rocecc_pause_refuse_(t);
        act.evicted = rocecc_pause_claim_(t, entries, act.slot, k);
    }
    return act;
}

/*
 * An ARN came in: by its type (R-ARN-12), for what the own mode holds (R-ARN-7).
 * until = now + min(time, max_ns), whatever it was: R-ARN-13, P-2.
 */
ROCECC_FN rocecc_pause_action rocecc_pause_notify(const rocecc_pause_params *p,
                                                  rocecc_pause *t,
                                                  rocecc_pause_entry *entries,
                                                  const rocecc_pause_notice *m,
                                                  uint64_t now_ns)
{
    rocecc_pause_action act;
    rocecc_pause_key_ k;
    if (m->type == 3 || m->type == 4) return rocecc_pause_act_(ROCECC_PAUSE_HAND_ON);
    if (m->type != 1 && m->type != 2)
        return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_TYPE);
    if (!rocecc_pause_names_(p, m)) {
        t->missing++;
        return rocecc_pause_act_(ROCECC_PAUSE_IGNORED_PARAMETER);
    }
    k = p->mode == ROCECC_PAUSE_PRIORITY
            ? rocecc_pause_key_of_priority_((uint8_t)m->priority, m->port,
                                            ROCECC_PAUSE_HELD_)
            : rocecc_pause_key_of_flow_(&m->flow, m->port, ROCECC_PAUSE_HELD_);
    if (m->type == 2 || m->time_ns == 0) { /* it runs again, if it is held */
        act = rocecc_pause_act_(ROCECC_PAUSE_RUN);
        act.slot = rocecc_pause_find_(t, entries, &k, rocecc_pause_hash_(p, &k));
        if (act.slot == ROCECC_PAUSE_NONE) act.what = ROCECC_PAUSE_NOTHING;
        if (act.slot != ROCECC_PAUSE_NONE) rocecc_pause_free_(t, entries, act.slot);
        return act;
    }
    act = rocecc_pause_hold_(p, t, entries, &k, now_ns);
    if (act.what != ROCECC_PAUSE_HOLD) return act;
    act.arm = true;
    act.wait_ns = rocecc_min(m->time_ns, p->max_ns);
    entries[act.slot].until_ns = now_ns + act.wait_ns;
    return act;
}

/*
 * May a packet be sent? RUN or HOLD. With a slot, RUN means that the time is over and
 * the timer is late: what waits for the slot goes first.
 */
ROCECC_FN rocecc_pause_action rocecc_pause_packet(const rocecc_pause_params *p,
                                                  const rocecc_pause *t,
                                                  const rocecc_pause_entry *entries,
                                                  const rocecc_pause_traffic *x,
                                                  uint64_t now_ns)
{
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_RUN);
    rocecc_pause_key_ k;
    if (t->held == 0 || x->control) return act;
    k = rocecc_pause_key_of_(p, x, x->out_port, ROCECC_PAUSE_HELD_);
    act.slot = rocecc_pause_find_(t, entries, &k, rocecc_pause_hash_(p, &k));
    if (act.slot == ROCECC_PAUSE_NONE) return act;
    act.wait_ns = rocecc_pause_left_(p, entries[act.slot].until_ns, now_ns);
    if (act.wait_ns != 0) act.what = ROCECC_PAUSE_HOLD;
    return act;
}

/* The timer of a slot: RUN, and a free slot, if its time is over; else armed: P-5. */
ROCECC_FN rocecc_pause_action rocecc_pause_timer(const rocecc_pause_params *p,
                                                 rocecc_pause *t,
                                                 rocecc_pause_entry *entries,
                                                 uint32_t slot, uint64_t now_ns)
{
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    if (slot >= t->n || (uint32_t)entries[slot].key[5] != ROCECC_PAUSE_HELD_)
        return act;
    act.slot = slot;
    act.wait_ns = rocecc_pause_left_(p, entries[slot].until_ns, now_ns);
    if (act.wait_ns != 0) {
        act.arm = true;
        return act;
    }
    rocecc_pause_free_(t, entries, slot);
    act.what = ROCECC_PAUSE_RUN;
    return act;
}

/* time = min(left of its own pause, pause_ns), by PFC pfc_ns: R-ARN-16, P-4, P-7. */
ROCECC_FN void rocecc_pause_ask_(const rocecc_pause_params *p, uint64_t left_ns,
                                 rocecc_pause_action *act)
{
    const uint64_t most_ns = act->pfc ? p->pfc_ns : p->pause_ns;
    const uint64_t time_ns = left_ns != 0 ? rocecc_min(left_ns, most_ns) : most_ns;
    act->what = ROCECC_PAUSE_ASK;
    act->time_ns = time_ns;
    act->arm = true;
    act->wait_ns = time_ns < most_ns / 4 ? time_ns : (time_ns + 1) / 2;
}

/*
 * To be called when packets come and go, with x->bytes, and by the timer that it arms.
 * R-ARN-3, R-ARN-8, R-ARN-15, P-4.
 */
ROCECC_FN rocecc_pause_action rocecc_pause_queue(const rocecc_pause_params *p,
                                                 rocecc_pause *t,
                                                 rocecc_pause_entry *entries,
                                                 const rocecc_pause_traffic *x,
                                                 uint64_t now_ns)
{
    rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    rocecc_pause_key_ k;
    uint32_t at, slot;
    if (x->control) return act;
    k = x->in_pfc ? rocecc_pause_key_of_priority_(x->pfc_class, x->in_port,
                                                  ROCECC_PAUSE_ASKED_PFC_)
                  : rocecc_pause_key_of_(p, x, x->in_port, ROCECC_PAUSE_ASKED_);
    at = rocecc_pause_hash_(p, &k);
    slot = rocecc_pause_find_(t, entries, &k, at);
    act.pfc = x->in_pfc;
    if (slot == ROCECC_PAUSE_NONE) {
        if (x->bytes < p->xoff_bytes) return rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
        slot = rocecc_pause_place_(p, t, entries, at, now_ns);
        if (slot == ROCECC_PAUSE_NONE) return rocecc_pause_refuse_(t);
        act.evicted = rocecc_pause_claim_(t, entries, slot, &k);
    } else if (x->bytes <= p->xon_bytes) {
        rocecc_pause_free_(t, entries, slot);
        act.what = ROCECC_PAUSE_ASK_RESUME;
        act.slot = slot;
        return act;
    } else if (rocecc_pause_left_(p, entries[slot].until_ns, now_ns) != 0) {
        return rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
    }
    act.slot = slot;
    rocecc_pause_ask_(p, rocecc_pause_packet(p, t, entries, x, now_ns).wait_ns, &act);
    entries[slot].until_ns = now_ns + act.wait_ns;
    return act;
}

#endif /* ROCECC_GUARD_PAUSE_H */
