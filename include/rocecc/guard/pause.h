/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_PAUSE_H
#define ROCECC_GUARD_PAUSE_H

/*
 * pause.h - precise flow control for a node that is asked to pause traffic. A congested
 * node downstream asks this node to hold a service, a flow or a priority for a limited
 * time. draft-hu-rtgwg-rocev2-fcn-00, 4.1.2.
 *
 *        upstream                    node                     downstream
 *   -----------------> in_port [ queue ] out_port ----------------------->
 *   <--- ARN or PFC ---        ask.h         notify()  <--- ARN or PFC ----
 *                                packet(): hold or run
 *
 * Example, with rocecc_pause_lab(): at 0 us, node A asks this node by ARN to hold a
 * flow for 100 us. At 10 us, node B asks this node to hold the same flow for 30 us. At
 * 20 us, packet() returns HOLD with 80 us left. At 30 us, A sends a resume, but B's
 * pause still holds the flow. At 40 us, timer() returns RUN.
 *
 * Memory: 20 bytes for the state, and arrays with 56 + 120 bytes per slot and 4 bytes
 * per requester. The caller must zero the arrays, and pass them to each call. The host
 * must provide a timer for each slot. Times are 64-bit ns values and may wrap. Only one
 * thread at a time may write. packet() does not change the table, but must run under
 * the caller's lock or on a copy of the table. A lost resume is safe, because each
 * pause also ends without a resume (P-1). PFC needs a separate table (P-9). README.md
 * has the rules.
 */
#include "../fixed.h"
#include "traffic_slot.h"

#define ROCECC_PAUSE_REQUESTERS_MAX 4u /* maximum number per slot */
#define ROCECC_PAUSE_NONE ROCECC_TRAFFIC_SLOT_NONE
#define ROCECC_PAUSE_MAX_NS ((uint64_t)1 << 62)
#define ROCECC_PAUSE_PRIORITIES 64
#define ROCECC_PAUSE_CLASSES 8 /* number of classes in PFC */

/*
 * Modes. The mode selects the traffic to hold (R-ARN-1, R-ARN-2, R-ARN-4 to R-ARN-6).
 */
#define ROCECC_PAUSE_SERVICE 0
#define ROCECC_PAUSE_FLOW 1
#define ROCECC_PAUSE_PRIORITY 2
#define ROCECC_PAUSE_CLASS 3 /* only for PFC */

typedef enum rocecc_pause_refusal {
    ROCECC_PAUSE_ACCEPTED = 0,
    ROCECC_PAUSE_REFUSED_MODE,       /* unknown mode */
    ROCECC_PAUSE_REFUSED_MAX,        /* max_ns is 0 or above 2^62 */
    ROCECC_PAUSE_REFUSED_PAUSE,      /* pause_ns is 0 or above max_ns */
    ROCECC_PAUSE_REFUSED_PFC,        /* pfc_ns is 0 or above pause_ns */
    ROCECC_PAUSE_REFUSED_XON,        /* xon_bytes >= xoff_bytes */
    ROCECC_PAUSE_REFUSED_PRIORITIES, /* 0, above 64, or above 8 in class mode */
    ROCECC_PAUSE_REFUSED_KEY,        /* hash_key is 0 (not set) */
    ROCECC_PAUSE_REFUSED_MIN,        /* min_ns is 0 or above pfc_ns */
    ROCECC_PAUSE_REFUSED_MAX_SLOTS   /* max_slots_per_requester is 0, but requesters is
                                        not */
} rocecc_pause_refusal;

typedef struct rocecc_pause_params {
    uint64_t hash_key[2]; /* secret of the hash; random */
    uint64_t max_ns;      /* 1 to 2^62 */
    uint64_t pause_ns;    /* duration of a pause that this node requests; 1 to max_ns */
    uint64_t pfc_ns; /* the same for a request by PFC; 1 to pause_ns, and at most 65535
                        quanta on each port */
    uint64_t min_ns; /* minimum duration of a pause that this node requests; 1 to
                        pfc_ns (P-10) */
    uint64_t xoff_bytes; /* requests start at this level */
    uint64_t xon_bytes;  /* requests end at this level; below xoff_bytes */
    uint32_t requesters; /* each requester's tag is below this number; if it is 0, only
                            PFC is obeyed */
    uint32_t max_slots_per_requester; /* maximum number of slots that a requester can
                                         hold (P-8) */
    uint8_t mode;       /* ROCECC_PAUSE_SERVICE, _FLOW, _PRIORITY, _CLASS */
    uint8_t priorities; /* number of priorities: 8 in 802.1Q, 64 in DSCP */
} rocecc_pause_params;

/* Requesters of a slot, and the times at which their pauses end (P-11). */
typedef struct rocecc_pause_holders {
    uint64_t until_ns[ROCECC_PAUSE_REQUESTERS_MAX];
    uint64_t node[ROCECC_PAUSE_REQUESTERS_MAX][2]; /* address, as in a key */
    uint32_t tag[ROCECC_PAUSE_REQUESTERS_MAX];     /* tag + 1; 0 if free */
    uint64_t first_ns;                             /* time when the first pause ends */
} rocecc_pause_holders;
ROCECC_SIZE_(rocecc_pause_holders, 120);

/*
 * The caller's arrays. The caller must zero them before the first call, and pass their
 * current addresses to each call.
 */
typedef struct rocecc_pause_memory {
    rocecc_traffic_slot *slots;    /* state.n of them */
    rocecc_pause_holders *holders; /* state.n of them */
    uint32_t *slots_held; /* number of slots of each requester, including expired slots;
                             params.requesters elements */
} rocecc_pause_memory;

/* State besides the arrays. */
typedef struct rocecc_pause {
    uint32_t n;       /* number of slots: a power of two >= 16, or 0 (always full) */
    uint32_t held;    /* number of slots in use; even if expired */
    uint32_t missing; /* messages with missing or unsuitable parameters;
                         IGNORED_PARAMETER results (R-ARN-10, P-9), mod 2^32 */
    uint32_t full;    /* messages rejected for lack of room; IGNORED_FULL results
                         (P-3, P-11), mod 2^32 */
    uint32_t refused; /* messages rejected because of their requester;
                         IGNORED_REQUESTER results (P-8), mod 2^32 */
} rocecc_pause;
ROCECC_SIZE_(rocecc_pause, 20);

/* Source of an ARN. The source's number is its tag in an access list. */
typedef struct rocecc_pause_requester {
    rocecc_ip6 node; /* address of the requester */
    uint32_t tag;    /* number of the requester; ROCECC_PAUSE_NONE without a number;
                        the message is then ignored */
} rocecc_pause_requester;

/*
 * Content of an ARN or a PFC frame. If the message lacks an item, the member for this
 * item is not read.
 */
typedef struct rocecc_pause_notice {
    rocecc_flow flow;
    rocecc_pause_requester from; /* 0 for PFC */
    uint32_t priority;           /* priority or class of the traffic */
    uint32_t port;               /* port of arrival; traffic that leaves through this
                                    port is held */
    uint64_t time_ns;            /* requested pause time; the compression time;
                                    0 resumes */
    uint8_t type;                /* 1 pause, 2 resume, 3 failure, 4 recovery;
                                    recovery is the end of a failure */
    bool pfc;                    /* PFC frame, not an ARN; from the neighbour at
                                    `port`, for a class */
    bool has_flow;
    bool has_priority;
    bool has_time;
} rocecc_pause_notice;

/*
 * The traffic to which a packet belongs. The mode decides which of `outer`, `inner`,
 * `priority` and `pfc_class` is used. Without a tunnel, `inner` must equal `outer`. If
 * this node changes the outer header (an SRv6 endpoint or a PE), packet() needs the
 * outgoing header in `outer`, as downstream nodes see it, and ask.h needs the incoming
 * header.
 */
typedef struct rocecc_pause_traffic {
    rocecc_flow outer;
    rocecc_flow inner;
    uint32_t in_port;  /* port of arrival; for ask.h and backlog.h */
    uint32_t out_port; /* port of departure; for packet() */
    uint64_t bytes;    /* ask.h: bytes from in_port that wait here (backlog.h) */
    uint64_t held_ns;  /* ask.h: time_ns from packet(), or 0 if not held here */
    uint8_t priority;  /* as in an ARN */
    uint8_t pfc_class; /* as in PFC, 0 to 7 */
    bool control;      /* CNP, ARN or routing packet: never held (R-ARN-14) */
    bool in_pfc;       /* ask.h: the neighbour at in_port supports only PFC */
} rocecc_pause_traffic;

typedef enum rocecc_pause_verdict_ {
    ROCECC_PAUSE_NOTHING = 0,
    ROCECC_PAUSE_RUN,          /* send the slot's queue, if any; packet(): then send the
                                  packet, too */
    ROCECC_PAUSE_HOLD,         /* packet(): queue it; notify(): the slot is held */
    ROCECC_PAUSE_ASK,          /* send a pause of time_ns out of in_port */
    ROCECC_PAUSE_ASK_RESUME,   /* send a resume out of in_port */
    ROCECC_PAUSE_HAND_ON,      /* types 3 and 4: the caller must handle them */
    ROCECC_PAUSE_IGNORED_TYPE, /* unknown type */
    ROCECC_PAUSE_IGNORED_PARAMETER, /* R-ARN-10, P-9, or unknown priority */
    ROCECC_PAUSE_IGNORED_FULL,      /* P-3, or a fifth requester (P-11) */
    ROCECC_PAUSE_IGNORED_REQUESTER  /* P-8 */
} ROCECC_IN_8_BITS_(rocecc_pause_verdict);

typedef struct rocecc_pause_result {
    ROCECC_ENUM8_(rocecc_pause_verdict) what; /* action to take */
    bool pfc;         /* request by PFC, not by ARN; only for ASK and ASK_RESUME; the
                         request is then for traffic->pfc_class */
    bool evicted;     /* slot taken from expired traffic; release its queue first
                         (P-6) */
    bool arm;         /* start the timer of the slot; after wait_ns, call
                         timer(slot), or queue() for ASK */
    uint32_t slot;    /* index of the affected slot; or NONE */
    uint64_t wait_ns; /* time until the timer expires; if arm is set */
    uint64_t time_ns; /* pause time, left or requested; HOLD: time left; ASK:
                         compression time */
} rocecc_pause_result;

/* Possible places of a message's key, its slot or NONE, and the time. */
typedef struct rocecc_pause_hold_place_ {
    rocecc_traffic_slot_place_ at;
    uint64_t now_ns;
    uint32_t slot;
} rocecc_pause_hold_place_;

#define ROCECC_PAUSE_HELD_ 1u /* side number of a hold; ask.h defines 2 more */

/*
 * Returns rocecc's own parameters, because no publication gives any. A pause lasts at
 * most 1 s. The node asks for pauses of 100 us, or 20 us by PFC, but never for less
 * than 1 us, the unit of an ARN. Requests start when 200 kB is queued, and stop when
 * the queue falls to 100 kB. There are 8 priorities. Each of 16 requesters may hold 32
 * slots. For these 512 slots, the table needs rocecc_traffic_slot_count(512) = 1024
 * slots. The caller must set hash_key.
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

/* Checks parameters. Returns the first reason to refuse them, or ACCEPTED. */
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
 * Returns the state of a table of n_slots zeroed slots. The table uses the first 2^k
 * slots, with the largest possible k.
 */
ROCECC_FN rocecc_pause rocecc_pause_start(uint32_t n_slots)
{
    rocecc_pause t;
    t.n = rocecc_traffic_slot_round_down_(n_slots);
    t.held = t.missing = t.full = t.refused = 0;
    return t;
}

/*
 * Returns the flow that an ARN carries. This is the outer flow in service mode, and the
 * inner flow in other modes (R-ARN-4, R-ARN-5). The flow's ports are 0 if the protocol
 * has no ports (R-ARN-11).
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

/* Returns the secret for selecting buckets, or NULL in class mode. */
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

/*
 * Counts a message or request for which there is no room, and returns IGNORED_FULL
 * (P-3).
 */
ROCECC_FN rocecc_pause_result rocecc_pause_reject_full_(uint32_t *full)
{
    (*full)++;
    return rocecc_pause_make_result_(ROCECC_PAUSE_IGNORED_FULL);
}

/*
 * Removes a requester from a slot. One slot fewer then counts towards the maximum of
 * the requester's tag (P-8).
 */
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
 * Removes a slot's expired requesters, and stores the times at which the first and the
 * last of the remaining pauses end. Returns the time until the last pause ends, or 0 if
 * no pause is left.
 */
ROCECC_FN uint64_t rocecc_pause_expire_requesters_(const rocecc_pause_params *params,
                                                   const rocecc_pause_memory *memory,
                                                   uint32_t slot, uint64_t now_ns)
{
    rocecc_pause_holders *w = &memory->holders[slot];
    rocecc_traffic_slot *e = &memory->slots[slot];
    size_t i;
    e->value = now_ns;
    w->first_ns = now_ns - 1; /* the latest time possible */
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

/* Frees a slot and removes all its requesters. */
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

/*
 * Frees a slot and returns RUN if all of its pauses are over. Otherwise returns NOTHING
 * and arms the slot's timer (P-11).
 */
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
 * Returns true in class mode. In other modes, returns true if `tag` is below
 * params->requesters (P-8) and, unless `memory` is NULL, the tag may hold one more
 * slot. Otherwise increments state->refused and returns false.
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

/*
 * Sets a new end time for a node's pause. Returns false if the node does not hold the
 * slot.
 */
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

/* Adds a requester to a slot. Returns false if the slot already has 4 requesters. */
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

/*
 * Assigns a slot to a new key (P-3, P-6). If no slot is free, takes an expired slot, or
 * returns IGNORED_FULL if no slot has expired either.
 */
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
 * Holds a key's slot for the message's requester until now + min(time, max_ns). This
 * end time replaces the end time of the requester's earlier pause (R-ARN-13, P-2). The
 * slot stays held until its last pause ends (P-11).
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
 * Handles an ARN or PFC frame according to its type (R-ARN-12), for the kind of traffic
 * that params->mode selects (R-ARN-7). A resume ends only its own requester's pause. If
 * this requester does not hold the traffic's slot, the result is NOTHING, with slot
 * NONE. If no other requester holds the slot, the result is RUN. Otherwise the result
 * is NOTHING, and the slot's timer is armed.
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
 * Returns RUN if the host may send a packet, or HOLD if it must queue the packet. If a
 * result of RUN contains a slot, the slot's time is over but its timer is late. The
 * host must then release the slot's queue before it sends the packet.
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
 * Handles the timer of a slot. If the slot is already free, returns NOTHING. If all of
 * the slot's pauses are over, frees the slot and returns RUN. Otherwise returns NOTHING
 * and arms the timer again (P-5).
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
