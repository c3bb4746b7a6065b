/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_PAUSE_H
#define ROCECC_GUARD_PAUSE_H

/*
 * pause.h - precise flow control of a node that is asked. A congested node downstream
 * asks it to hold a service, a flow or a priority for a time.
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1.2.
 *
 *        upstream                    node                     downstream
 *   -----------------> in_port [ queue ] out_port ----------------------->
 *   <--- ARN or PFC ---        ask.h         notify()  <--- ARN or PFC ----
 *                                packet(): hold or run
 *
 * Example, of rocecc_pause_lab(): an ARN from A with 100 us comes at 0, and one from B
 * for the same flow with 30 us at 10 us. packet() holds a packet at 20 us, for 80 us
 * more. A resumes at 30 us, but B still holds. timer() returns RUN at 40 us.
 *
 * Memory: 20 bytes, 56 and 120 per slot, and 4 per requester, in zeroed arrays that the
 * caller passes to each call. The host provides a timer per slot. Times are 64 bits of
 * ns and may wrap. There is one writer. packet() only reads, under the caller's lock or
 * on a copy. A lost resume is safe (P-1), and PFC has a table of its own (P-9).
 * README.md has the rules.
 */
#include "../fixed.h"
#include "traffic_slot.h"

#define ROCECC_PAUSE_REQUESTERS_MAX 4u /* of one slot at once */
#define ROCECC_PAUSE_NONE ROCECC_TRAFFIC_SLOT_NONE
#define ROCECC_PAUSE_MAX_NS ((uint64_t)1 << 62)
#define ROCECC_PAUSE_PRIORITIES 64
#define ROCECC_PAUSE_CLASSES 8 /* of PFC */

/* Modes, by the traffic that is held (R-ARN-1, R-ARN-2, R-ARN-4 to R-ARN-6). */
#define ROCECC_PAUSE_SERVICE 0
#define ROCECC_PAUSE_FLOW 1
#define ROCECC_PAUSE_PRIORITY 2
#define ROCECC_PAUSE_CLASS 3 /* only for PFC */

typedef enum rocecc_pause_refusal {
    ROCECC_PAUSE_ACCEPTED = 0,
    ROCECC_PAUSE_REFUSED_MODE,       /* unknown mode */
    ROCECC_PAUSE_REFUSED_MAX,        /* max_ns is 0 or beyond 2^62 */
    ROCECC_PAUSE_REFUSED_PAUSE,      /* pause_ns is 0 or beyond max_ns */
    ROCECC_PAUSE_REFUSED_PFC,        /* pfc_ns is 0 or beyond pause_ns */
    ROCECC_PAUSE_REFUSED_XON,        /* xon_bytes >= xoff_bytes */
    ROCECC_PAUSE_REFUSED_PRIORITIES, /* 0, or beyond 64; beyond 8 of PFC */
    ROCECC_PAUSE_REFUSED_KEY,        /* hash_key is 0, not set */
    ROCECC_PAUSE_REFUSED_MIN,        /* min_ns is 0 or beyond pfc_ns */
    ROCECC_PAUSE_REFUSED_MAX_SLOTS   /* it is 0, and there are requesters */
} rocecc_pause_refusal;

typedef struct rocecc_pause_params {
    uint64_t hash_key[2]; /* random and secret */
    uint64_t max_ns;      /* 1 to 2^62 */
    uint64_t pause_ns;    /* time to ask for: 1 to max_ns */
    uint64_t pfc_ns;      /* by PFC: 1 to pause_ns, and to 65535 quanta of any port */
    uint64_t min_ns;      /* least time to ask for: 1 to pfc_ns; P-10 */
    uint64_t xoff_bytes;  /* requests start at this level */
    uint64_t xon_bytes;   /* and end at this level; below xoff_bytes */
    uint32_t requesters;  /* tags are below; 0: only PFC is obeyed */
    uint32_t max_slots_per_requester; /* maximum that a requester holds: P-8 */
    uint8_t mode;       /* ROCECC_PAUSE_SERVICE, _FLOW, _PRIORITY, _CLASS */
    uint8_t priorities; /* number of priorities: 8 of 802.1Q, 64 of DSCP */
} rocecc_pause_params;

/* Requesters of a slot, and their times (P-11). */
typedef struct rocecc_pause_holders {
    uint64_t until_ns[ROCECC_PAUSE_REQUESTERS_MAX];
    uint64_t node[ROCECC_PAUSE_REQUESTERS_MAX][2]; /* address, as in a key */
    uint32_t tag[ROCECC_PAUSE_REQUESTERS_MAX];     /* tag + 1; 0: free */
    uint64_t first_ns;                             /* when the first of them ends */
} rocecc_pause_holders;
ROCECC_SIZE_(rocecc_pause_holders, 120);

/* Arrays of the caller, zeroed at first, at their present address. */
typedef struct rocecc_pause_memory {
    rocecc_traffic_slot *slots;    /* state.n of them */
    rocecc_pause_holders *holders; /* state.n of them */
    uint32_t *slots_held; /* params.requesters: slots of each, or expired unnoticed */
} rocecc_pause_memory;

/* State beside the arrays. */
typedef struct rocecc_pause {
    uint32_t n;       /* slots, a power of two from 16 on, or 0: always full */
    uint32_t held;    /* slots that hold, or have expired unnoticed */
    uint32_t missing; /* R-ARN-10, P-9, mod 2^32 */
    uint32_t full;    /* P-3, P-11, mod 2^32 */
    uint32_t refused; /* P-8, mod 2^32 */
} rocecc_pause;
ROCECC_SIZE_(rocecc_pause, 20);

/*
 * Requester: the source of an ARN, and its number, as the tag of an access list.
 */
typedef struct rocecc_pause_requester {
    rocecc_ip6 node;
    uint32_t tag; /* ROCECC_PAUSE_NONE: without a number, ignored */
} rocecc_pause_requester;

/* Content of an ARN or of PFC. Members that it lacks are not read. */
typedef struct rocecc_pause_notice {
    rocecc_flow flow;
    rocecc_pause_requester from; /* 0 for PFC */
    uint32_t priority;
    uint32_t port;    /* of arrival; traffic that leaves there is held */
    uint64_t time_ns; /* compression time; 0 resumes */
    uint8_t type;     /* 1: pause, 2: resume, 3: failure, 4: its end */
    bool pfc;         /* PFC from the neighbour at port, for a class */
    bool has_flow;
    bool has_priority;
    bool has_time;
} rocecc_pause_notice;

/*
 * Traffic. The mode selects outer, inner (equal to outer without a tunnel), priority or
 * pfc_class. If the outer header changes (an SRv6 endpoint, a PE), packet() needs the
 * outgoing header, known downstream, and ask.h the incoming header.
 */
typedef struct rocecc_pause_traffic {
    rocecc_flow outer;
    rocecc_flow inner;
    uint32_t in_port;  /* of arrival; for ask.h and backlog.h */
    uint32_t out_port; /* of departure; for packet() */
    uint64_t bytes;    /* ask.h: bytes from in_port that wait here (backlog.h) */
    uint64_t held_ns;  /* ask.h: time_ns from packet(); 0: not held here */
    uint8_t priority;  /* as in an ARN */
    uint8_t pfc_class; /* as in PFC, 0 to 7 */
    bool control;      /* CNP, ARN, routing: never held (R-ARN-14) */
    bool in_pfc;       /* ask.h: the neighbour at in_port has only PFC */
} rocecc_pause_traffic;

typedef enum rocecc_pause_verdict_ {
    ROCECC_PAUSE_NOTHING = 0,
    ROCECC_PAUSE_RUN,  /* packet(): may be sent; release slot's queue first, if any */
    ROCECC_PAUSE_HOLD, /* queue it for slot */
    ROCECC_PAUSE_ASK,  /* send a pause of time_ns out of in_port */
    ROCECC_PAUSE_ASK_RESUME,        /* send a resume out of in_port */
    ROCECC_PAUSE_HAND_ON,           /* types 3 and 4 */
    ROCECC_PAUSE_IGNORED_TYPE,      /* unknown type */
    ROCECC_PAUSE_IGNORED_PARAMETER, /* R-ARN-10, P-9, or unknown priority */
    ROCECC_PAUSE_IGNORED_FULL,      /* P-3, or a fifth requester (P-11) */
    ROCECC_PAUSE_IGNORED_REQUESTER  /* P-8 */
} ROCECC_IN_8_BITS_(rocecc_pause_verdict);

typedef struct rocecc_pause_result {
    ROCECC_ENUM8_(rocecc_pause_verdict) what;
    bool pfc;         /* ASK, ASK_RESUME: by PFC for the priority, else by ARN */
    bool evicted;     /* release slot's queue first (P-6) */
    bool arm;         /* call timer(slot), or after ASK queue(), in wait_ns */
    uint32_t slot;    /* slot concerned, or NONE */
    uint64_t wait_ns; /* for arm */
    uint64_t time_ns; /* HOLD: time left; ASK: compression time */
} rocecc_pause_result;

/* Key of a message, its slot or NONE, and its time. */
typedef struct rocecc_pause_hold_place_ {
    rocecc_traffic_slot_place_ at;
    uint64_t now_ns;
    uint32_t slot;
} rocecc_pause_hold_place_;

#define ROCECC_PAUSE_HELD_ 1u /* side of a key, not 0; ask.h has two more */

/*
 * Returns our own values, as no source has any. A pause is at most 1 s. The node asks
 * for 100 us at a time, or 20 us by PFC, and never for less than the 1 us of an ARN,
 * from 200 kB down to 100 kB. There are 8 priorities. 16 requesters have 32 slots each,
 * so rocecc_traffic_slot_count() gives 1024. The caller must set hash_key.
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
    p.requesters = 16;
    p.max_slots_per_requester = 32;
    p.mode = mode;
    p.priorities = 8;
    return p;
}

/* Checks parameters, and returns the first reason to refuse them. */
ROCECC_FN rocecc_pause_refusal rocecc_pause_init(const rocecc_pause_params *params)
{
    const uint8_t most = params->mode == ROCECC_PAUSE_CLASS ? ROCECC_PAUSE_CLASSES
                                                            : ROCECC_PAUSE_PRIORITIES;
    if (params->mode > ROCECC_PAUSE_CLASS) return ROCECC_PAUSE_REFUSED_MODE;
    if (params->max_ns == 0 || params->max_ns > ROCECC_PAUSE_MAX_NS)
        return ROCECC_PAUSE_REFUSED_MAX;
    if (params->pause_ns == 0 || params->pause_ns > params->max_ns)
        return ROCECC_PAUSE_REFUSED_PAUSE;
    if (params->pfc_ns == 0 || params->pfc_ns > params->pause_ns)
        return ROCECC_PAUSE_REFUSED_PFC;
    if (params->xon_bytes >= params->xoff_bytes) return ROCECC_PAUSE_REFUSED_XON;
    if (params->priorities == 0 || params->priorities > most)
        return ROCECC_PAUSE_REFUSED_PRIORITIES;
    if ((params->hash_key[0] | params->hash_key[1]) == 0)
        return ROCECC_PAUSE_REFUSED_KEY;
    if (params->min_ns == 0 || params->min_ns > params->pfc_ns)
        return ROCECC_PAUSE_REFUSED_MIN;
    if (params->requesters != 0 && params->max_slots_per_requester == 0)
        return ROCECC_PAUSE_REFUSED_MAX_SLOTS;
    return ROCECC_PAUSE_ACCEPTED;
}

/*
 * Returns the state of a table of n_slots zeroed slots. It uses the largest power of
 * two of them.
 */
ROCECC_FN rocecc_pause rocecc_pause_start(uint32_t n_slots)
{
    rocecc_pause t;
    t.n = rocecc_traffic_slot_round_down_(n_slots);
    t.held = t.missing = t.full = t.refused = 0;
    return t;
}

/*
 * Returns the flow that an ARN carries, the outer one in service mode, or else the
 * inner one (R-ARN-4, R-ARN-5). Its ports are 0 if the protocol has none (R-ARN-11).
 */
ROCECC_FN rocecc_flow rocecc_pause_flow(const rocecc_pause_params *params,
                                        const rocecc_pause_traffic *traffic)
{
    rocecc_flow f =
        params->mode == ROCECC_PAUSE_SERVICE ? traffic->outer : traffic->inner;
    if (!rocecc_flow_has_ports(f.proto)) f.src_port = f.dst_port = 0;
    return f;
}

ROCECC_FN rocecc_traffic_slot_key_
rocecc_pause_key_of_(const rocecc_pause_params *params,
                     const rocecc_pause_traffic *traffic, uint32_t port, uint32_t side)
{
    if (params->mode == ROCECC_PAUSE_CLASS)
        return rocecc_traffic_slot_key_of_priority_(traffic->pfc_class, port, side);
    if (params->mode == ROCECC_PAUSE_PRIORITY)
        return rocecc_traffic_slot_key_of_priority_(traffic->priority, port, side);
    return rocecc_traffic_slot_key_of_flow_(
        params->mode == ROCECC_PAUSE_SERVICE ? &traffic->outer : &traffic->inner, port,
        side);
}

/* Returns the secret for the buckets, or NULL in class mode. */
ROCECC_FN const uint64_t *rocecc_pause_bucket_secret_(const rocecc_pause_params *params)
{
    return params->mode == ROCECC_PAUSE_CLASS ? NULL : params->hash_key;
}

ROCECC_FN rocecc_pause_result rocecc_pause_make_result_(rocecc_pause_verdict verdict)
{
    rocecc_pause_result act = ROCECC_ZERO;
    act.what = verdict;
    act.slot = ROCECC_PAUSE_NONE;
    return act;
}

/* Counts a full table (P-3). */
ROCECC_FN rocecc_pause_result rocecc_pause_reject_full_(uint32_t *full)
{
    (*full)++;
    return rocecc_pause_make_result_(ROCECC_PAUSE_IGNORED_FULL);
}

/* Removes a requester from a slot. Its number gets a slot back (P-8). */
ROCECC_FN void rocecc_pause_drop_requester_(const rocecc_pause_params *params,
                                            const rocecc_pause_memory *memory,
                                            rocecc_pause_holders *holders, size_t index)
{
    const size_t tag = (size_t)holders->tag[index] - 1;
    holders->until_ns[index] = 0;
    holders->node[index][0] = holders->node[index][1] = 0;
    holders->tag[index] = 0;
    if (params->mode != ROCECC_PAUSE_CLASS && tag < params->requesters &&
        memory->slots_held[tag] != 0)
        memory->slots_held[tag]--;
}

/*
 * Removes expired requesters, stores the last and first end of the others, and returns
 * the time left.
 */
ROCECC_FN uint64_t rocecc_pause_expire_requesters_(const rocecc_pause_params *params,
                                                   const rocecc_pause_memory *memory,
                                                   uint32_t slot, uint64_t now_ns)
{
    rocecc_pause_holders *w = &memory->holders[slot];
    rocecc_traffic_slot *e = &memory->slots[slot];
    size_t i;
    e->value = now_ns;
    w->first_ns = now_ns - 1; /* latest possible */
    for (i = 0; i < ROCECC_PAUSE_REQUESTERS_MAX; i++) {
        const uint64_t left_ns =
            rocecc_traffic_slot_remaining_ns_(params->max_ns, w->until_ns[i], now_ns);
        ROCECC_BPF_KEEP_(w);
        ROCECC_BPF_KEEP_(e);
        if (w->tag[i] == 0) continue;
        if (left_ns == 0) {
            rocecc_pause_drop_requester_(params, memory, w, i);
            continue;
        }
        if (left_ns > e->value - now_ns) e->value = now_ns + left_ns;
        if (left_ns < w->first_ns - now_ns) w->first_ns = now_ns + left_ns;
    }
    return e->value - now_ns;
}

/* Frees a slot from all its requesters. */
ROCECC_FN void rocecc_pause_free_slot_(const rocecc_pause_params *params,
                                       rocecc_pause *state,
                                       const rocecc_pause_memory *memory, uint32_t slot)
{
    size_t i;
    for (i = 0; i < ROCECC_PAUSE_REQUESTERS_MAX; i++)
        if (memory->holders[slot].tag[i] != 0)
            rocecc_pause_drop_requester_(params, memory, &memory->holders[slot], i);
    memory->holders[slot].first_ns = 0;
    rocecc_traffic_slot_assign_(&memory->slots[slot], NULL);
    state->held--;
}

/* Frees a slot without requesters and returns RUN, or else arms its timer (P-11). */
ROCECC_FN rocecc_pause_result rocecc_pause_run_or_rearm_(
    const rocecc_pause_params *params, rocecc_pause *state,
    const rocecc_pause_memory *memory, uint32_t slot, uint64_t now_ns)
{
    const uint64_t left_ns =
        rocecc_pause_expire_requesters_(params, memory, slot, now_ns);
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
    act.slot = slot;
    if (left_ns == 0) {
        rocecc_pause_free_slot_(params, state, memory, slot);
        act.what = ROCECC_PAUSE_RUN;
        return act;
    }
    act.arm = true;
    act.wait_ns = memory->holders[slot].first_ns - now_ns;
    return act;
}

/* Returns true if a message has the items that the mode needs (R-ARN-10, P-9). */
ROCECC_FN bool rocecc_pause_has_needed_(const rocecc_pause_params *params,
                                        const rocecc_pause_notice *notice)
{
    if (notice->pfc != (params->mode == ROCECC_PAUSE_CLASS)) return false;
    if (notice->type == 1 && !notice->has_time) return false;
    if (params->mode >= ROCECC_PAUSE_PRIORITY)
        return notice->has_priority && notice->priority < params->priorities;
    return notice->has_flow;
}

/*
 * Returns true if a requester has a number and, unless `memory` is NULL, may hold one
 * more slot (P-8). Otherwise counts it.
 */
ROCECC_FN bool rocecc_pause_may_hold_(const rocecc_pause_params *params,
                                      rocecc_pause *state,
                                      const rocecc_pause_memory *memory, size_t tag)
{
    if (params->mode == ROCECC_PAUSE_CLASS) return true;
    if (tag < params->requesters &&
        (memory == NULL || memory->slots_held[tag] < params->max_slots_per_requester))
        return true;
    state->refused++;
    return false;
}

/* Sets a new end for a node that holds a slot. Returns false if it does not. */
ROCECC_FN bool rocecc_pause_renew_requester_(rocecc_pause_holders *holders,
                                             const rocecc_ip6 *node, uint64_t until_ns)
{
    const uint64_t a = rocecc_traffic_slot_load64_(node->b),
                   b = rocecc_traffic_slot_load64_(node->b + 8);
    size_t i;
    for (i = 0; i < ROCECC_PAUSE_REQUESTERS_MAX; i++) {
        if (holders->tag[i] == 0 ||
            ((holders->node[i][0] ^ a) | (holders->node[i][1] ^ b)) != 0)
            continue;
        holders->until_ns[i] = until_ns;
        return true;
    }
    return false;
}

/* Adds a requester to a slot. Returns false if the slot has no place left. */
ROCECC_FN bool rocecc_pause_add_requester_(const rocecc_pause_params *params,
                                           const rocecc_pause_memory *memory,
                                           rocecc_pause_holders *holders,
                                           const rocecc_pause_requester *requester,
                                           uint64_t until_ns)
{
    const size_t tag = params->mode == ROCECC_PAUSE_CLASS ? 0 : requester->tag;
    size_t i;
    for (i = 0; i < ROCECC_PAUSE_REQUESTERS_MAX; i++) {
        if (holders->tag[i] != 0) continue;
        holders->until_ns[i] = until_ns;
        holders->node[i][0] = rocecc_traffic_slot_load64_(requester->node.b);
        holders->node[i][1] = rocecc_traffic_slot_load64_(requester->node.b + 8);
        holders->tag[i] = (uint32_t)tag + 1;
        if (params->mode != ROCECC_PAUSE_CLASS && tag < params->requesters)
            memory->slots_held[tag]++;
        return true;
    }
    return false;
}

/* Assigns a slot to a new key, an expired one if necessary (P-3, P-6). */
ROCECC_FN rocecc_pause_result
rocecc_pause_claim_slot_(const rocecc_pause_params *params, rocecc_pause *state,
                         const rocecc_pause_memory *memory,
                         const rocecc_traffic_slot_place_ *place, uint64_t now_ns)
{
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_HOLD);
    act.slot =
        rocecc_traffic_slot_choose_(memory->slots, place, params->max_ns, 0, now_ns);
    if (act.slot == ROCECC_PAUSE_NONE) return rocecc_pause_reject_full_(&state->full);
    act.evicted = (uint32_t)memory->slots[act.slot].key[5] != 0;
    if (act.evicted) rocecc_pause_free_slot_(params, state, memory, act.slot);
    rocecc_traffic_slot_assign_(&memory->slots[act.slot], &place->key);
    state->held++;
    return act;
}

/*
 * Holds a key's slot for this requester until now + min(time, max_ns), instead of its
 * old time (R-ARN-13, P-2). The slot stays held for its last requester (P-11).
 */
ROCECC_FN rocecc_pause_result rocecc_pause_hold_(const rocecc_pause_params *params,
                                                 rocecc_pause *state,
                                                 const rocecc_pause_memory *memory,
                                                 const rocecc_pause_notice *notice,
                                                 const rocecc_pause_hold_place_ *held)
{
    const uint64_t until_ns =
        held->now_ns + rocecc_min(notice->time_ns, params->max_ns);
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_HOLD);
    const bool known = held->slot != ROCECC_PAUSE_NONE;
    act.slot = held->slot;
    if (!known || !rocecc_pause_renew_requester_(&memory->holders[held->slot],
                                                 &notice->from.node, until_ns)) {
        if (!rocecc_pause_may_hold_(params, state, memory, notice->from.tag))
            return rocecc_pause_make_result_(ROCECC_PAUSE_IGNORED_REQUESTER);
        if (known)
            (void)rocecc_pause_expire_requesters_(params, memory, act.slot,
                                                  held->now_ns);
        else
            act = rocecc_pause_claim_slot_(params, state, memory, &held->at,
                                           held->now_ns);
        if (act.what != ROCECC_PAUSE_HOLD) return act;
        if (!rocecc_pause_add_requester_(params, memory, &memory->holders[act.slot],
                                         &notice->from, until_ns))
            return rocecc_pause_reject_full_(&state->full);
    }
    act.time_ns =
        rocecc_pause_expire_requesters_(params, memory, act.slot, held->now_ns);
    act.arm = true;
    act.wait_ns = memory->holders[act.slot].first_ns - held->now_ns;
    return act;
}

/*
 * Handles an ARN or PFC by its type (R-ARN-12), for the traffic of params->mode
 * (R-ARN-7). A resume ends only the pause of its own requester. It returns RUN if no
 * other requester holds the slot, or else NOTHING, and arms the slot's timer. If its
 * requester does not hold the slot, it returns NOTHING and NONE.
 */
ROCECC_FN rocecc_pause_result rocecc_pause_notify(const rocecc_pause_params *params,
                                                  rocecc_pause *state,
                                                  const rocecc_pause_memory *memory,
                                                  const rocecc_pause_notice *notice,
                                                  uint64_t now_ns)
{
    rocecc_pause_hold_place_ h;
    rocecc_traffic_slot_key_ k;
    if (notice->type == 3 || notice->type == 4)
        return rocecc_pause_make_result_(ROCECC_PAUSE_HAND_ON);
    if (notice->type != 1 && notice->type != 2)
        return rocecc_pause_make_result_(ROCECC_PAUSE_IGNORED_TYPE);
    if (!rocecc_pause_has_needed_(params, notice)) {
        state->missing++;
        return rocecc_pause_make_result_(ROCECC_PAUSE_IGNORED_PARAMETER);
    }
    if (!rocecc_pause_may_hold_(params, state, NULL, notice->from.tag))
        return rocecc_pause_make_result_(ROCECC_PAUSE_IGNORED_REQUESTER);
    k = params->mode >= ROCECC_PAUSE_PRIORITY
            ? rocecc_traffic_slot_key_of_priority_((uint8_t)notice->priority,
                                                   notice->port, ROCECC_PAUSE_HELD_)
            : rocecc_traffic_slot_key_of_flow_(&notice->flow, notice->port,
                                               ROCECC_PAUSE_HELD_);
    h.at = rocecc_traffic_slot_place_of_(rocecc_pause_bucket_secret_(params), state->n,
                                         &k);
    h.slot = rocecc_traffic_slot_find_(memory->slots, &h.at);
    h.now_ns = now_ns;
    if (notice->type == 1 && notice->time_ns != 0)
        return rocecc_pause_hold_(params, state, memory, notice, &h);
    if (h.slot == ROCECC_PAUSE_NONE)
        return rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
    if (!rocecc_pause_renew_requester_(&memory->holders[h.slot], &notice->from.node,
                                       now_ns))
        return rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
    return rocecc_pause_run_or_rearm_(params, state, memory, h.slot, now_ns);
}

/*
 * Decides whether a packet may be sent, by RUN or HOLD. RUN with a slot means that its
 * time is over and the timer is late. The host must then release the slot's queue
 * first.
 */
ROCECC_FN rocecc_pause_result rocecc_pause_packet(const rocecc_pause_params *params,
                                                  const rocecc_pause *state,
                                                  const rocecc_traffic_slot *slots,
                                                  const rocecc_pause_traffic *traffic,
                                                  uint64_t now_ns)
{
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_RUN);
    rocecc_traffic_slot_key_ k;
    rocecc_traffic_slot_place_ at;
    if (state->held == 0 || traffic->control) return act;
    k = rocecc_pause_key_of_(params, traffic, traffic->out_port, ROCECC_PAUSE_HELD_);
    at = rocecc_traffic_slot_place_of_(rocecc_pause_bucket_secret_(params), state->n,
                                       &k);
    act.slot = rocecc_traffic_slot_find_(slots, &at);
    if (act.slot == ROCECC_PAUSE_NONE) return act;
    act.time_ns = rocecc_traffic_slot_remaining_ns_(params->max_ns,
                                                    slots[act.slot].value, now_ns);
    if (act.time_ns != 0) act.what = ROCECC_PAUSE_HOLD;
    return act;
}

/*
 * Handles the timer of a slot. Returns RUN and frees the slot if its time is over, or
 * else NOTHING, and arms the timer again if the slot is not free (P-5).
 */
ROCECC_FN rocecc_pause_result rocecc_pause_timer(const rocecc_pause_params *params,
                                                 rocecc_pause *state,
                                                 const rocecc_pause_memory *memory,
                                                 uint32_t slot, uint64_t now_ns)
{
    if (slot >= state->n || (uint32_t)memory->slots[slot].key[5] == 0)
        return rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
    return rocecc_pause_run_or_rearm_(params, state, memory, slot, now_ns);
}

#endif /* ROCECC_GUARD_PAUSE_H */
