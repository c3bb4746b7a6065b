/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_FLOWTABLE_H
#define ROCECC_GUARD_FLOWTABLE_H

/*
 * flowtable.h - the FLOW-ID mapping table of an access ToR. It maps the five-tuple of a
 * flow to the host, the tags and the FLOW-ID that a CNM for this flow needs.
 * draft-yu-tsvwg-l3qcn-00, 3.2.2, step 1 and Table 1.
 *
 *   five-tuple, VRF --SipHash-1-3(secret)--> | left: 24 | right: 24 | mark: 16 |  bits
 *                                                |          |
 *               +--------------------------------+          +----+
 *               v                                                v
 *   +---+---+---+---+---+---+---+---+    +---+---+---+---+---+---+---+---+
 *   |       left half, buckets      |    |      right half, buckets      |
 *   +---+---+---+---+---+---+---+---+    +---+---+---+---+---+---+---+---+
 *                                |
 *                  mark[8], 16 bytes: mark 0 means an empty slot
 *                  8 slots in slot[]: seen_ms, entry
 *
 * Example: for 1,000,000 flows rocecc_flowtable_buckets() returns 262,144. These
 * buckets take 4 MB, and their 2,097,152 slots take 151 MB. A call for an unknown flow
 * reads the marks of two buckets. A call for a known flow also reads the flow's slot.
 * With expiry_ms = 10,000, a flow last seen at 0 ms is FOUND until 9,999 ms, and AGED
 * from 10,000 ms on.
 *
 * Memory: 16 bytes per bucket, 72 per slot, and 8 for the table. The caller passes the
 * current addresses of the two arrays to each call. Times are the low 32 bits of a
 * clock in ms. No timer is necessary, but the host must call sweep() from time to time.
 * Only one thread at a time may write. Lookups do not change the table, but must not
 * run during a write. Results contain no pointers into the table. README.md has the
 * rules FT-1 to FT-14, the reason for the keyed hash, the maximum load, and the cost of
 * a call.
 */
#include "../net.h"
#include "siphash.h"

#define ROCECC_FLOWTABLE_WAYS 8u /* slots per bucket */
#define ROCECC_FLOWTABLE_NONE 0xffffffffu
#define ROCECC_FLOWTABLE_EXPIRY_END_MS ((uint32_t)1 << 31)

#ifndef ROCECC_FLOWTABLE_BUCKETS_MAX
#define ROCECC_FLOWTABLE_BUCKETS_MAX ((uint32_t)1 << 25) /* 24 hash bits per half */
#endif

#ifndef ROCECC_FLOWTABLE_BURST_MAX
#define ROCECC_FLOWTABLE_BURST_MAX 32u /* maximum lookups in one lookup_burst() */
#endif

/* Compile-time check that the hash has enough bits for the buckets of a half. */
typedef char rocecc_flowtable_buckets_max_
    [ROCECC_FLOWTABLE_BUCKETS_MAX <= ((uint32_t)1 << 25) ? 1 : -1];

typedef enum rocecc_flowtable_refusal {
    ROCECC_FLOWTABLE_ACCEPTED = 0,
    ROCECC_FLOWTABLE_REFUSED_SECRET,  /* all 0 (not set) */
    ROCECC_FLOWTABLE_REFUSED_BUCKETS, /* below 2, too many, or not a power of two */
    ROCECC_FLOWTABLE_REFUSED_EXPIRY,  /* 0, or at least 2^31 */
    ROCECC_FLOWTABLE_REFUSED_EVICT    /* evict_oldest > 1 */
} rocecc_flowtable_refusal;

typedef struct rocecc_flowtable_params {
    uint64_t secret[2];   /* secret key of the hash; from a cryptographic random
                             source, different on each ToR */
    uint32_t buckets;     /* number of buckets, with 8 flows each; both halves
                             together: 2^n, 2 to ROCECC_FLOWTABLE_BUCKETS_MAX */
    uint32_t expiry_ms;   /* lifetime of a flow without frames; 1 to 2^31 - 1 */
    uint8_t evict_oldest; /* evict the oldest flow from full buckets; 0: keep old
                             flows; 1: evict the oldest (FT-4) */
} rocecc_flowtable_params;

/* VLAN tag of a frame, without the priority, because a CNM has its own priority. */
typedef struct rocecc_flowtable_tag {
    uint16_t tpid;
    uint16_t vid; /* 12 bits */
} rocecc_flowtable_tag;

/* Origin of a flow, from its data frames. */
typedef struct rocecc_flowtable_origin {
    rocecc_mac mac_sa; /* source of the frame */
    rocecc_mac gw_mac; /* destination of the frame; the ToR, as the host's gateway */
    uint32_t ingress_port;       /* number chosen by the caller */
    uint16_t flow_id;            /* from the CN-TAG, or 0 without a CN-TAG */
    rocecc_flowtable_tag tag[2]; /* outermost first; unused tags are 0 */
    uint8_t n_tags;              /* 0 to 2 */
    uint8_t prio;                /* PCP of the frame */
} rocecc_flowtable_origin;

/*
 * Flow and origin of a data frame. The table's key consists of `flow` and `vrf`
 * (FT-12).
 */
typedef struct rocecc_flowtable_entry {
    rocecc_flow flow;
    uint16_t vrf; /* VRF of the addresses, numbered by the caller */
    rocecc_flowtable_origin origin;
} rocecc_flowtable_entry;
ROCECC_SIZE_(rocecc_flowtable_entry, 68);

/*
 * The marks of a bucket. A search reads only marks until it finds a slot with the
 * flow's mark. Four buckets fill a cache line.
 */
typedef struct rocecc_flowtable_bucket {
    uint16_t mark[ROCECC_FLOWTABLE_WAYS]; /* from the hash; 0 means an empty slot */
} rocecc_flowtable_bucket;
ROCECC_SIZE_(rocecc_flowtable_bucket, 16);

typedef struct rocecc_flowtable_slot {
    uint32_t seen_ms; /* time of the last data frame */
    rocecc_flowtable_entry entry;
} rocecc_flowtable_slot;
ROCECC_SIZE_(rocecc_flowtable_slot, 72);

/* The current addresses of a table's arrays. */
typedef struct rocecc_flowtable_memory {
    rocecc_flowtable_bucket *bucket; /* params.buckets elements */
    rocecc_flowtable_slot *slot;     /* ROCECC_FLOWTABLE_WAYS elements per bucket */
} rocecc_flowtable_memory;

/* State besides the buckets and slots. */
typedef struct rocecc_flowtable {
    uint32_t used; /* number of slots in use, even if expired */
    uint32_t next; /* bucket for the next sweep() */
} rocecc_flowtable;
ROCECC_SIZE_(rocecc_flowtable, 8);

typedef enum rocecc_flowtable_learn_outcome_ {
    ROCECC_FLOWTABLE_LEARNED = 0, /* FT-2: new flow */
    ROCECC_FLOWTABLE_REPLACED,    /* FT-3: new, replaces an expired flow */
    ROCECC_FLOWTABLE_EVICTED,     /* FT-4: new, replaces a live flow */
    ROCECC_FLOWTABLE_REFRESHED,   /* FT-5: known flow */
    ROCECC_FLOWTABLE_RELEARNED,   /* FT-6: known flow, another origin */
    ROCECC_FLOWTABLE_FULL,        /* FT-4, FT-14: not learned */
    ROCECC_FLOWTABLE_ACTIONS      /* number of outcomes */
} ROCECC_IN_8_BITS_(rocecc_flowtable_learn_outcome);

typedef struct rocecc_flowtable_learn_result {
    ROCECC_ENUM8_(rocecc_flowtable_learn_outcome) what;
    uint32_t slot; /* the flow's slot; NONE if FULL */
    uint32_t port; /* old port of this slot if REPLACED, EVICTED or RELEARNED; else 0 */
} rocecc_flowtable_learn_result;

typedef enum rocecc_flowtable_lookup_outcome_ {
    ROCECC_FLOWTABLE_UNKNOWN = 0,
    ROCECC_FLOWTABLE_AGED, /* FT-8 */
    ROCECC_FLOWTABLE_FOUND
} ROCECC_IN_8_BITS_(rocecc_flowtable_lookup_outcome);

typedef struct rocecc_flowtable_lookup_result {
    ROCECC_ENUM8_(rocecc_flowtable_lookup_outcome) what;
    uint32_t slot;                  /* the flow's slot; NONE if UNKNOWN */
    rocecc_flowtable_origin origin; /* if FOUND; else 0 */
} rocecc_flowtable_lookup_result;

/* One lookup of a burst. */
typedef struct rocecc_flowtable_query {
    rocecc_flow flow;
    uint16_t vrf;
    rocecc_flowtable_lookup_result match; /* result */
} rocecc_flowtable_query;

/*
 * Returns parameters that keep old flows in full buckets. Flows expire after 10 s
 * without frames, which is longer than a CNM takes to return. The caller must set
 * `secret` and `buckets`.
 */
ROCECC_FN rocecc_flowtable_params rocecc_flowtable_l3qcn(void)
{
    rocecc_flowtable_params p = {{0, 0}, 0, 10000, 0};
    return p;
}

/*
 * Returns the number of buckets that a table needs for `flows` flows. The flows then
 * use at most 5 of every 8 slots. Returns 0 if ROCECC_FLOWTABLE_BUCKETS_MAX buckets are
 * not enough.
 */
ROCECC_FN uint32_t rocecc_flowtable_buckets(uint32_t flows)
{
    uint32_t buckets;
    for (buckets = 2; buckets <= ROCECC_FLOWTABLE_BUCKETS_MAX; buckets *= 2)
        if (flows <= 5 * buckets) return buckets;
    return 0;
}

/* Checks parameters. Returns the first reason to refuse them, or ACCEPTED. */
ROCECC_FN rocecc_flowtable_refusal
rocecc_flowtable_init(const rocecc_flowtable_params *params)
{
    if ((params->secret[0] | params->secret[1]) == 0)
        return ROCECC_FLOWTABLE_REFUSED_SECRET;
    if (params->buckets < 2 || params->buckets > ROCECC_FLOWTABLE_BUCKETS_MAX ||
        (params->buckets & (params->buckets - 1)) != 0)
        return ROCECC_FLOWTABLE_REFUSED_BUCKETS;
    if (params->expiry_ms == 0 || params->expiry_ms >= ROCECC_FLOWTABLE_EXPIRY_END_MS)
        return ROCECC_FLOWTABLE_REFUSED_EXPIRY;
    if (params->evict_oldest > 1) return ROCECC_FLOWTABLE_REFUSED_EVICT;
    return ROCECC_FLOWTABLE_ACCEPTED;
}

/*
 * Returns the bucket with the index `bucket`. A BPF program must define
 * ROCECC_FLOWTABLE_BPF_BUCKETS as a power of two, because the verifier does not keep
 * the bound of `bucket`.
 */
ROCECC_FN rocecc_flowtable_bucket *
rocecc_flowtable_bucket_(const rocecc_flowtable_memory *memory, size_t bucket)
{
#if defined(__bpf__) && defined(ROCECC_FLOWTABLE_BPF_BUCKETS)
    ROCECC_BPF_MASK_(bucket, ROCECC_FLOWTABLE_BPF_BUCKETS - 1);
#endif
    return &memory->bucket[bucket];
}

ROCECC_FN rocecc_flowtable_slot *
rocecc_flowtable_slots_(const rocecc_flowtable_memory *memory, size_t bucket)
{
#if defined(__bpf__) && defined(ROCECC_FLOWTABLE_BPF_BUCKETS)
    ROCECC_BPF_MASK_(bucket, ROCECC_FLOWTABLE_BPF_BUCKETS - 1);
#endif
    return &memory->slot[bucket * ROCECC_FLOWTABLE_WAYS];
}

ROCECC_FN rocecc_flowtable_slot *
rocecc_flowtable_slot_(const rocecc_flowtable_memory *memory, uint32_t slot)
{
    return &rocecc_flowtable_slots_(
        memory, slot / ROCECC_FLOWTABLE_WAYS)[slot % ROCECC_FLOWTABLE_WAYS];
}

/*
 * Empties a table and returns its state. The arrays may have any content before the
 * call. Takes O(buckets) time, which is too long for a hot path.
 */
ROCECC_FN rocecc_flowtable rocecc_flowtable_start(const rocecc_flowtable_params *params,
                                                  const rocecc_flowtable_memory *memory)
{
    const rocecc_flowtable t = {0, 0};
    uint32_t b, i;
    for (b = 0; b < params->buckets; b++)
        for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++)
            memory->bucket[b].mark[i] = 0;
    return t;
}

/*
 * A five-tuple and a VRF as a message of 39 bytes for SipHash. The last word also
 * contains this length.
 */
typedef struct rocecc_flowtable_key_ {
    uint64_t word[5];
} rocecc_flowtable_key_;

ROCECC_FN uint64_t rocecc_flowtable_load64_(const uint8_t *bytes)
{
    return (uint64_t)bytes[7] << 56 | (uint64_t)bytes[6] << 48 |
           (uint64_t)bytes[5] << 40 | (uint64_t)bytes[4] << 32 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[1] << 8 | bytes[0];
}

ROCECC_FN rocecc_flowtable_key_ rocecc_flowtable_key_of_(const rocecc_flow *flow,
                                                         uint16_t vrf)
{
    rocecc_flowtable_key_ k;
    k.word[0] = rocecc_flowtable_load64_(flow->src.b);
    k.word[1] = rocecc_flowtable_load64_(flow->src.b + 8);
    k.word[2] = rocecc_flowtable_load64_(flow->dst.b);
    k.word[3] = rocecc_flowtable_load64_(flow->dst.b + 8);
    k.word[4] = (uint64_t)39 << 56 | (uint64_t)vrf << 40 | (uint64_t)flow->proto << 32 |
                (uint64_t)flow->dst_port << 16 | flow->src_port;
    return k;
}

/*
 * Returns the hash of a 39-byte key in 5 words. If no attacker can choose the flows in
 * the table, a host may define this macro before it first includes the header:
 *
 *     ROCECC_FLOWTABLE_HASH(secret, words)    64 bits, each of which depends on all
 *                                             words, for example from a CRC instruction
 *
 * A CRC is linear, so for any secret an attacker can find 17 flows with the same pair
 * of buckets. Unless evict_oldest is set, the 17th flow, and every further flow with
 * these two buckets, then gets the result FULL until one of the first 16 flows expires.
 */
ROCECC_FN uint64_t rocecc_flowtable_hash_(const uint64_t *secret,
                                          const rocecc_flowtable_key_ *key)
{
#if defined(ROCECC_FLOWTABLE_HASH)
    return ROCECC_FLOWTABLE_HASH(secret, key->word);
#else
    return rocecc_siphash(secret, key->word, 5);
#endif
}

/* Possible places of a flow. */
typedef struct rocecc_flowtable_place_ {
    rocecc_flowtable_key_ key;
    size_t bucket[2]; /* left, right; size_t, because for BPF two numbers must not share
                         8 bytes */
    uint16_t mark;
} rocecc_flowtable_place_;

ROCECC_FN rocecc_flowtable_place_ rocecc_flowtable_place_of_(
    const rocecc_flowtable_params *params, const rocecc_flow *flow, uint16_t vrf)
{
    const uint32_t half = params->buckets / 2;
    rocecc_flowtable_place_ at;
    uint64_t hash;
    at.key = rocecc_flowtable_key_of_(flow, vrf);
    hash = rocecc_flowtable_hash_(params->secret, &at.key);
    at.bucket[0] = (uint32_t)hash & (half - 1);
    at.bucket[1] = half + ((uint32_t)(hash >> 24) & (half - 1));
    at.mark = (uint16_t)(hash >> 48);
    if (at.mark == 0) at.mark = 1;
    return at;
}

ROCECC_FN bool rocecc_flowtable_has_key_(const rocecc_flowtable_entry *entry,
                                         const rocecc_flowtable_key_ *key)
{
    const rocecc_flowtable_key_ f = rocecc_flowtable_key_of_(&entry->flow, entry->vrf);
    return ((f.word[0] ^ key->word[0]) | (f.word[1] ^ key->word[1]) |
            (f.word[2] ^ key->word[2]) | (f.word[3] ^ key->word[3]) |
            (f.word[4] ^ key->word[4])) == 0;
}

/* Returns the slot of a flow, or NONE. A flow has only one slot (FT-11). */
ROCECC_FN uint32_t rocecc_flowtable_find_slot_(const rocecc_flowtable_memory *memory,
                                               const rocecc_flowtable_place_ *place)
{
    uint32_t side, i;
    ROCECC_PREFETCH(
        &memory->bucket[place->bucket[1]]); /* in parallel with the left bucket */
    for (side = 0; side < 2; side++) {
        const rocecc_flowtable_bucket *b =
            rocecc_flowtable_bucket_(memory, place->bucket[side]);
        const rocecc_flowtable_slot *s =
            rocecc_flowtable_slots_(memory, place->bucket[side]);
        for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++)
            if (b->mark[i] == place->mark &&
                rocecc_flowtable_has_key_(&s[i].entry, &place->key))
                return (uint32_t)place->bucket[side] * ROCECC_FLOWTABLE_WAYS + i;
    }
    return ROCECC_FLOWTABLE_NONE;
}

/*
 * Returns now_ms - seen_ms + expiry_ms - 1, which is higher for an older seen_ms. The
 * result is 0 if seen_ms is expiry_ms - 1 ahead of now_ms. A seen_ms that is further
 * ahead counts as expired (FT-9).
 */
ROCECC_FN uint32_t rocecc_flowtable_staleness_(const rocecc_flowtable_params *params,
                                               uint32_t seen_ms, uint32_t now_ms)
{
    return now_ms - seen_ms + (params->expiry_ms - 1);
}

/*
 * Returns true if a flow was last seen at least expiry_ms ago (FT-8). Also returns true
 * if seen_ms is at least expiry_ms ahead of now_ms, which can happen after the clock is
 * set back (FT-9).
 */
ROCECC_FN bool rocecc_flowtable_expired_(const rocecc_flowtable_params *params,
                                         uint32_t seen_ms, uint32_t now_ms)
{
    return rocecc_flowtable_staleness_(params, seen_ms, now_ms) >=
           2 * params->expiry_ms - 1;
}

/*
 * Finds the first empty slot in the emptier of the two buckets, or in the left bucket
 * on a tie (FT-2). Returns false if no slot is empty.
 */
ROCECC_FN bool rocecc_flowtable_find_empty_(const rocecc_flowtable_memory *memory,
                                            const rocecc_flowtable_place_ *place,
                                            uint32_t *out)
{
    uint32_t most = 0, side, i;
    for (side = 0; side < 2; side++) {
        const rocecc_flowtable_bucket *b =
            rocecc_flowtable_bucket_(memory, place->bucket[side]);
        uint32_t n = 0, first = 0;
        for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
            if (b->mark[i] != 0) continue;
            if (n == 0) first = i;
            n++;
        }
        if (n <= most) continue;
        most = n;
        *out = (uint32_t)place->bucket[side] * ROCECC_FLOWTABLE_WAYS + first;
    }
    return most > 0;
}

/* Returns the slot with the highest staleness in two full buckets (FT-3, FT-4). */
ROCECC_FN uint32_t rocecc_flowtable_find_oldest_(const rocecc_flowtable_params *params,
                                                 const rocecc_flowtable_memory *memory,
                                                 const rocecc_flowtable_place_ *place,
                                                 uint32_t now_ms)
{
    uint32_t slot = (uint32_t)place->bucket[0] * ROCECC_FLOWTABLE_WAYS;
    uint32_t most = 0, side, i;
    for (side = 0; side < 2; side++) {
        const rocecc_flowtable_slot *s =
            rocecc_flowtable_slots_(memory, place->bucket[side]);
        for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
            const uint32_t stale =
                rocecc_flowtable_staleness_(params, s[i].seen_ms, now_ms);
            if (stale <= most) continue;
            most = stale;
            slot = (uint32_t)place->bucket[side] * ROCECC_FLOWTABLE_WAYS + i;
        }
    }
    return slot;
}

/* Returns 0 if and only if two addresses are equal. Avoids branches, for BPF. */
ROCECC_FN uint32_t rocecc_flowtable_mac_difference_(const rocecc_mac *a,
                                                    const rocecc_mac *b)
{
    uint32_t differ = 0;
    int i;
    for (i = 0; i < 6; i++)
        differ |= (uint32_t)(a->b[i] ^ b->b[i]);
    return differ;
}

ROCECC_FN bool rocecc_flowtable_same_mac_(const rocecc_mac *a, const rocecc_mac *b)
{
    int i;
    for (i = 0; i < 6; i++)
        if (a->b[i] != b->b[i]) return false;
    return true;
}

ROCECC_FN bool rocecc_flowtable_same_origin_(const rocecc_flowtable_origin *a,
                                             const rocecc_flowtable_origin *b)
{
    return rocecc_flowtable_same_mac_(&a->mac_sa, &b->mac_sa) &&
           rocecc_flowtable_same_mac_(&a->gw_mac, &b->gw_mac) &&
           a->ingress_port == b->ingress_port && a->flow_id == b->flow_id &&
           a->tag[0].tpid == b->tag[0].tpid && a->tag[0].vid == b->tag[0].vid &&
           a->tag[1].tpid == b->tag[1].tpid && a->tag[1].vid == b->tag[1].vid &&
           a->n_tags == b->n_tags && a->prio == b->prio;
}

/*
 * Chooses an empty slot for a new flow (FT-2). If no slot is empty, takes the slot of
 * the oldest flow, provided that the oldest flow has expired (FT-3) or may be evicted
 * (FT-4). Otherwise the outcome is FULL.
 */
ROCECC_FN rocecc_flowtable_learn_result
rocecc_flowtable_add_(const rocecc_flowtable_params *params, rocecc_flowtable *table,
                      const rocecc_flowtable_memory *memory,
                      const rocecc_flowtable_place_ *place, uint32_t now_ms)
{
    rocecc_flowtable_learn_result act = {ROCECC_FLOWTABLE_LEARNED, 0, 0};
    const rocecc_flowtable_slot *s;
    if (rocecc_flowtable_find_empty_(memory, place, &act.slot)) {
        table->used++;
        return act;
    }
    act.slot = rocecc_flowtable_find_oldest_(params, memory, place, now_ms);
    s = rocecc_flowtable_slot_(memory, act.slot);
    act.port = s->entry.origin.ingress_port;
    if (rocecc_flowtable_expired_(params, s->seen_ms, now_ms)) {
        act.what = ROCECC_FLOWTABLE_REPLACED;
    } else if (params->evict_oldest != 0) {
        act.what = ROCECC_FLOWTABLE_EVICTED;
    } else {
        act.what = ROCECC_FLOWTABLE_FULL;
        act.slot = ROCECC_FLOWTABLE_NONE;
        act.port = 0;
    }
    return act;
}

/*
 * Sets the time of a flow's slot to now_ms (FT-5). Also writes the entry to the slot if
 * the flow is new or its origin has changed (FT-6).
 */
ROCECC_FN void rocecc_flowtable_write_(const rocecc_flowtable_memory *memory,
                                       const rocecc_flowtable_place_ *place,
                                       const rocecc_flowtable_entry *entry,
                                       rocecc_flowtable_learn_result *action,
                                       uint32_t now_ms)
{
    rocecc_flowtable_slot *s = rocecc_flowtable_slot_(memory, action->slot);
    s->seen_ms = now_ms;
    if (action->what == ROCECC_FLOWTABLE_REFRESHED) {
        if (rocecc_flowtable_same_origin_(&s->entry.origin, &entry->origin)) return;
        action->what = ROCECC_FLOWTABLE_RELEARNED;
        action->port = s->entry.origin.ingress_port;
    }
    rocecc_flowtable_bucket_(memory, action->slot / ROCECC_FLOWTABLE_WAYS)
        ->mark[action->slot % ROCECC_FLOWTABLE_WAYS] = place->mark;
    s->entry.flow = entry->flow;
    s->entry.vrf = entry->vrf;
    s->entry.origin = entry->origin;
}

/*
 * Learns a flow and its origin from a host's data frame. A known flow is refreshed,
 * even if it has expired (FT-5). If any member of the flow's origin differs, the stored
 * origin is overwritten (FT-6). Here and in lookup(), a flow's ports must be 0 if the
 * protocol has no ports. The caller must learn only from frames that arrive on ports
 * with hosts, and must not learn from a fragment other than the first. The caller must
 * also limit the number of flows per ingress port (see rocecc_flowtable_refresh()),
 * because otherwise a host could fill any table with invented flows. On FULL, the table
 * is unchanged.
 */
ROCECC_FN rocecc_flowtable_learn_result
rocecc_flowtable_learn(const rocecc_flowtable_params *params, rocecc_flowtable *table,
                       const rocecc_flowtable_memory *memory,
                       const rocecc_flowtable_entry *entry, uint32_t now_ms)
{
    const rocecc_flowtable_place_ at =
        rocecc_flowtable_place_of_(params, &entry->flow, entry->vrf);
    rocecc_flowtable_learn_result act = {ROCECC_FLOWTABLE_REFRESHED, 0, 0};
    act.slot = rocecc_flowtable_find_slot_(memory, &at);
    if (act.slot == ROCECC_FLOWTABLE_NONE) {
        act = rocecc_flowtable_add_(params, table, memory, &at, now_ms);
        if (act.what == ROCECC_FLOWTABLE_FULL) return act;
    }
    rocecc_flowtable_write_(memory, &at, entry, &act, now_ms);
    return act;
}

/*
 * Refreshes a flow, as rocecc_flowtable_learn() does, if the table contains the flow
 * with the entry's ingress port. Otherwise returns FULL and writes nothing. The caller
 * can then decide whether to learn the flow.
 */
ROCECC_FN rocecc_flowtable_learn_result rocecc_flowtable_refresh(
    const rocecc_flowtable_params *params, const rocecc_flowtable_memory *memory,
    const rocecc_flowtable_entry *entry, uint32_t now_ms)
{
    const rocecc_flowtable_place_ at =
        rocecc_flowtable_place_of_(params, &entry->flow, entry->vrf);
    rocecc_flowtable_learn_result act = {ROCECC_FLOWTABLE_FULL, ROCECC_FLOWTABLE_NONE,
                                         0};
    const uint32_t slot = rocecc_flowtable_find_slot_(memory, &at);
    if (slot == ROCECC_FLOWTABLE_NONE ||
        rocecc_flowtable_slot_(memory, slot)->entry.origin.ingress_port !=
            entry->origin.ingress_port)
        return act;
    act.what = ROCECC_FLOWTABLE_REFRESHED;
    act.slot = slot;
    rocecc_flowtable_write_(memory, &at, entry, &act, now_ms);
    return act;
}

/* Writes the lookup result for `slot`, which may be NONE, to *out (FT-8). */
ROCECC_FN void rocecc_flowtable_read_slot_(const rocecc_flowtable_params *params,
                                           const rocecc_flowtable_memory *memory,
                                           uint32_t slot, uint32_t now_ms,
                                           rocecc_flowtable_lookup_result *out)
{
    const rocecc_flowtable_lookup_result none = {
        ROCECC_FLOWTABLE_UNKNOWN,
        ROCECC_FLOWTABLE_NONE,
        {{{0}}, {{0}}, 0, 0, {{0, 0}, {0, 0}}, 0, 0}};
    const rocecc_flowtable_slot *s;
    *out = none;
    if (slot == ROCECC_FLOWTABLE_NONE) return;
    out->slot = slot;
    s = rocecc_flowtable_slot_(memory, slot);
    out->what = ROCECC_FLOWTABLE_AGED;
    if (rocecc_flowtable_expired_(params, s->seen_ms, now_ms)) return;
    out->what = ROCECC_FLOWTABLE_FOUND;
    out->origin = s->entry.origin;
}

/*
 * Looks up the origin of a flow. The result is AGED if the last frame of the flow
 * arrived at least expiry_ms ago (FT-8). Does not write to the table (FT-7), and
 * searches at most 16 slots (FT-1).
 */
ROCECC_FN rocecc_flowtable_lookup_result rocecc_flowtable_lookup(
    const rocecc_flowtable_params *params, const rocecc_flowtable_memory *memory,
    const rocecc_flow *flow, uint16_t vrf, uint32_t now_ms)
{
    const rocecc_flowtable_place_ at = rocecc_flowtable_place_of_(params, flow, vrf);
    rocecc_flowtable_lookup_result out;
    rocecc_flowtable_read_slot_(params, memory,
                                rocecc_flowtable_find_slot_(memory, &at), now_ms, &out);
    return out;
}

/*
 * Prefetches the slots that have the flow's mark, and returns true if there is such a
 * slot. If the function returned nothing, gcc would drop the call.
 */
ROCECC_FN bool rocecc_flowtable_prefetch_marked_(const rocecc_flowtable_memory *memory,
                                                 const rocecc_flowtable_place_ *place)
{
    bool marked = false;
    uint32_t side, i;
    for (side = 0; side < 2; side++) {
        const rocecc_flowtable_bucket *b =
            rocecc_flowtable_bucket_(memory, place->bucket[side]);
        const rocecc_flowtable_slot *s =
            rocecc_flowtable_slots_(memory, place->bucket[side]);
        for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
            if (b->mark[i] != place->mark) continue;
            ROCECC_PREFETCH(&s[i]);                   /* a slot spans two cache lines */
            ROCECC_PREFETCH(&s[i].entry.origin.prio); /* its last byte */
            marked = true;
        }
    }
    return marked;
}

/*
 * Runs n_queries lookups, or only the first ROCECC_FLOWTABLE_BURST_MAX if there are
 * more. Returns the number of lookups that it has run. Each lookup has the same result
 * as rocecc_flowtable_lookup(). The cache misses of the lookups overlap, first when
 * they read marks and then when they read slots.
 */
ROCECC_FN size_t rocecc_flowtable_lookup_burst(const rocecc_flowtable_params *params,
                                               const rocecc_flowtable_memory *memory,
                                               rocecc_flowtable_query *queries,
                                               size_t n_queries, uint32_t now_ms)
{
    rocecc_flowtable_place_ at[ROCECC_FLOWTABLE_BURST_MAX];
    bool marked[ROCECC_FLOWTABLE_BURST_MAX];
    size_t i;
    if (n_queries > ROCECC_FLOWTABLE_BURST_MAX) n_queries = ROCECC_FLOWTABLE_BURST_MAX;
    for (i = 0; i < n_queries; i++) {
        at[i] = rocecc_flowtable_place_of_(params, &queries[i].flow, queries[i].vrf);
        ROCECC_PREFETCH(&memory->bucket[at[i].bucket[0]]);
        ROCECC_PREFETCH(&memory->bucket[at[i].bucket[1]]);
    }
    for (i = 0; i < n_queries; i++)
        marked[i] = rocecc_flowtable_prefetch_marked_(memory, &at[i]);
    for (i = 0; i < n_queries; i++)
        rocecc_flowtable_read_slot_(params, memory,
                                    marked[i]
                                        ? rocecc_flowtable_find_slot_(memory, &at[i])
                                        : ROCECC_FLOWTABLE_NONE,
                                    now_ms, &queries[i].match);
    return n_queries;
}

/*
 * Empties the expired slots of one bucket. The next call does the same for the next
 * bucket. Returns the number of emptied slots. The host must sweep each bucket at least
 * once every 2^32 - 2 * expiry_ms milliseconds, because otherwise old flows would be
 * FOUND again (FT-10).
 */
ROCECC_FN uint32_t rocecc_flowtable_sweep(const rocecc_flowtable_params *params,
                                          rocecc_flowtable *table,
                                          const rocecc_flowtable_memory *memory,
                                          uint32_t now_ms)
{
    const size_t at = table->next & (params->buckets - 1);
    rocecc_flowtable_bucket *b = rocecc_flowtable_bucket_(memory, at);
    const rocecc_flowtable_slot *s = rocecc_flowtable_slots_(memory, at);
    uint32_t emptied = 0, i;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
        if (b->mark[i] == 0 || !rocecc_flowtable_expired_(params, s[i].seen_ms, now_ms))
            continue;
        b->mark[i] = 0;
        emptied++;
    }
    table->used -= emptied;
    table->next = (table->next + 1) & (params->buckets - 1);
    return emptied;
}

#endif /* ROCECC_GUARD_FLOWTABLE_H */
