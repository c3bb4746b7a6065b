/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_TRAFFIC_SLOT_H
#define ROCECC_GUARD_TRAFFIC_SLOT_H

/*
 * traffic_slot.h - a table of traffic at ports, without a pointer: what pause.h holds, what
 * ask.h asked for, and what backlog.h counts, each in one of its own.
 *
 *   flow or priority, port, side --SipHash-1-3(secret)--> | left: 32 | right: 32 | bits
 *                                                            |          |
 *           +------------------------------------------------+          |
 *           v                                                           v
 *   +---+---+---+---+---+---+---+---+    +---+---+---+---+---+---+---+---+
 *   |    left half, buckets of 8    |    |    right half, buckets of 8   |
 *   +---+---+---+---+---+---+---+---+    +---+---+---+---+---+---+---+---+
 *
 * Example: 640 keys are 5 of 8 of what rocecc_traffic_slot_count() says, 1024 slots. A
 * new key takes a slot of the emptier bucket; a call looks at both, 16 slots, and at no
 * others.
 *
 * Memory: 56 bytes a slot, an array of the caller's, zeroed. README.md has P-12: how
 * full it gets before a key finds no slot.
 */
#include "../net.h"
#include "siphash.h"

#define ROCECC_TRAFFIC_SLOT_WAYS 8u /* slots of a bucket; a key has two buckets */
#define ROCECC_TRAFFIC_SLOT_NONE 0xffffffffu

/* A slot: zeroed it is free. */
typedef struct rocecc_traffic_slot {
    uint64_t key[6]; /* addresses; ports, protocol, priority; port and side */
    uint64_t value;  /* when it runs again; ask.h: when to ask; backlog.h: bytes */
} rocecc_traffic_slot;
ROCECC_SIZE_(rocecc_traffic_slot, 56);

/* A key as it stands in a slot. */
typedef struct rocecc_traffic_slot_key_ {
    uint64_t w[6];
} rocecc_traffic_slot_key_;

/* Where a key may be: the first slots of its two buckets, of n slots. */
typedef struct rocecc_traffic_slot_place_ {
    rocecc_traffic_slot_key_ key;
    uint32_t slot[2];
    uint32_t n;
} rocecc_traffic_slot_place_;

/* How many slots this many keys take, at 5 of 8 or fewer; 0: too many. P-12. */
ROCECC_FN uint32_t rocecc_traffic_slot_count(uint32_t keys)
{
    unsigned i;
    for (i = 4; i < 32; i++)
        if (keys <= ((uint32_t)1 << i) / 8 * 5) return (uint32_t)1 << i;
    return 0;
}

/* The largest power of two in n, or 0 below 16. */
ROCECC_FN uint32_t rocecc_traffic_slot_round_down_(uint32_t n)
{
    unsigned i;
    for (i = 0; i < 31; i++) /* but the highest bit, all go */
        if ((n & (n - 1)) != 0) n &= n - 1;
    return n < 2 * ROCECC_TRAFFIC_SLOT_WAYS ? 0 : n;
}

/* Eight bytes of an address, as the number that they are in network order. */
ROCECC_FN uint64_t rocecc_traffic_slot_load64_(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 |
           (uint64_t)bytes[2] << 40 | (uint64_t)bytes[3] << 32 |
           (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
           (uint64_t)bytes[6] << 8 | bytes[7];
}

ROCECC_FN rocecc_traffic_slot_key_
rocecc_traffic_slot_key_of_priority_(uint8_t priority, uint32_t port, uint32_t side)
{
    rocecc_traffic_slot_key_ k = ROCECC_ZERO;
    k.w[4] = priority;
    k.w[5] = (uint64_t)port << 32 | side;
    return k;
}

ROCECC_FN rocecc_traffic_slot_key_
rocecc_traffic_slot_key_of_flow_(const rocecc_flow *flow, uint32_t port, uint32_t side)
{
    const bool ports = rocecc_flow_has_ports(flow->proto);
    rocecc_traffic_slot_key_ k;
    k.w[0] = rocecc_traffic_slot_load64_(flow->src.b);
    k.w[1] = rocecc_traffic_slot_load64_(flow->src.b + 8);
    k.w[2] = rocecc_traffic_slot_load64_(flow->dst.b);
    k.w[3] = rocecc_traffic_slot_load64_(flow->dst.b + 8);
    k.w[4] = (uint64_t)flow->proto << 8;
    if (ports)
        k.w[4] |= (uint64_t)flow->src_port << 32 | (uint64_t)flow->dst_port << 16;
    k.w[5] = (uint64_t)port << 32 | side;
    return k;
}

/*
 * The two buckets of a key, in either half, by the hash of its 48 bytes, each word of
 * which stands little-endian. secret is NULL: keys are classes, and those of a port
 * have a bucket to themselves where ports are below n_slots / 8: P-9.
 */
ROCECC_FN rocecc_traffic_slot_place_ rocecc_traffic_slot_place_of_(
    const uint64_t *secret, uint32_t n_slots, const rocecc_traffic_slot_key_ *key)
{
    const uint32_t half = n_slots / 2, first = half - ROCECC_TRAFFIC_SLOT_WAYS;
    rocecc_traffic_slot_place_ at;
    uint64_t word[7], hash;
    int i;
    at.key = *key;
    at.n = n_slots;
    if (secret == NULL) {
        at.slot[0] =
            (uint32_t)(key->w[5] >> 32) * ROCECC_TRAFFIC_SLOT_WAYS & (n_slots - 1);
        at.slot[1] = at.slot[0];
        return at;
    }
    for (i = 0; i < 6; i++)
        word[i] = key->w[i];
    word[6] = (uint64_t)48 << 56;
    hash = rocecc_siphash(secret, word, 7);
    at.slot[0] = (uint32_t)hash & first;
    at.slot[1] = half + ((uint32_t)(hash >> 32) & first);
    return at;
}

/* until - now; 0 where that is over (P-1), or beyond max_ns (P-2). */
ROCECC_FN uint64_t rocecc_traffic_slot_remaining_ns_(uint64_t max_ns, uint64_t until_ns,
                                                     uint64_t now_ns)
{
    return until_ns - now_ns <= max_ns ? until_ns - now_ns : 0;
}

ROCECC_FN bool rocecc_traffic_slot_has_key_(const rocecc_traffic_slot *slot,
                                            const rocecc_traffic_slot_key_ *key)
{
    uint64_t differ = 0;
    int i;
    for (i = 0; i < 6; i++)
        differ |= slot->key[i] ^ key->w[i];
    return differ == 0;
}

/* The slot of a key, or NONE. */
ROCECC_FN uint32_t rocecc_traffic_slot_find_(const rocecc_traffic_slot *slots,
                                             const rocecc_traffic_slot_place_ *place)
{
    uint32_t half, i;
    if (place->n == 0) return ROCECC_TRAFFIC_SLOT_NONE;
    for (half = 0; half < 2; half++)
        for (i = 0; i < ROCECC_TRAFFIC_SLOT_WAYS; i++) {
            const uint32_t slot = (place->slot[half] + i) & (place->n - 1);
            if (rocecc_traffic_slot_has_key_(&slots[slot], &place->key)) return slot;
        }
    return ROCECC_TRAFFIC_SLOT_NONE;
}

/* The first free slot of the emptier bucket, the left one where they are even; NONE. */
ROCECC_FN uint32_t rocecc_traffic_slot_find_free_(
    const rocecc_traffic_slot *slots, const rocecc_traffic_slot_place_ *place)
{
    uint32_t best = ROCECC_TRAFFIC_SLOT_NONE, most = 0, half, i;
    if (place->n == 0) return best;
    for (half = 0; half < 2; half++) {
        uint32_t n = 0, first = 0;
        for (i = ROCECC_TRAFFIC_SLOT_WAYS; i-- > 0;) {
            const uint32_t slot = (place->slot[half] + i) & (place->n - 1);
            uint64_t side = (uint32_t)slots[slot].key[5];
            uint32_t is_free;
            ROCECC_BPF_KEEP_(side);
            is_free = (uint32_t)((side - 1) >> 63); /* of 0 alone; no branch */
            first ^= (first ^ slot) & (0 - is_free);
            n += is_free;
        }
        if (n <= most) continue;
        most = n;
        best = first;
    }
    return best;
}

/* A slot for a new key: one that is free, else the first that is over for grace_ns. */
ROCECC_FN uint32_t rocecc_traffic_slot_choose_(const rocecc_traffic_slot *slots,
                                               const rocecc_traffic_slot_place_ *place,
                                               uint64_t max_ns, uint64_t grace_ns,
                                               uint64_t now_ns)
{
    uint32_t best = rocecc_traffic_slot_find_free_(slots, place), half, i;
    if (best != ROCECC_TRAFFIC_SLOT_NONE || place->n == 0) return best;
    for (half = 0; half < 2; half++)
        for (i = 0; i < ROCECC_TRAFFIC_SLOT_WAYS; i++) {
            const uint32_t slot = (place->slot[half] + i) & (place->n - 1);
            const uint64_t until_ns = slots[slot].value;
            if (rocecc_traffic_slot_remaining_ns_(max_ns, until_ns, now_ns) == 0 &&
                now_ns - until_ns >= grace_ns)
                return slot;
        }
    return ROCECC_TRAFFIC_SLOT_NONE;
}

/* Makes a slot a key's, or, by NULL, free. */
ROCECC_FN void rocecc_traffic_slot_assign_(rocecc_traffic_slot *slot,
                                           const rocecc_traffic_slot_key_ *key)
{
    int i;
    for (i = 0; i < 6; i++)
        slot->key[i] = key != NULL ? key->w[i] : 0;
    slot->value = 0;
}

#endif /* ROCECC_GUARD_TRAFFIC_SLOT_H */
