/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_TRAFFIC_SLOT_H
#define ROCECC_GUARD_TRAFFIC_SLOT_H

/*
 * traffic_slot.h - a hash table of flows or priorities at ports. It contains no
 * pointers. pause.h, ask.h and backlog.h each use a separate table. Each key also
 * contains a side, a nonzero number for the key's use, such as a request by PFC.
 *
 *   flow or priority, port, side --SipHash-1-3(secret)--> | left: 32 | right: 32 | bits
 *                                                            |          |
 *           +------------------------------------------------+          |
 *           v                                                           v
 *   +---+---+---+---+---+---+---+---+    +---+---+---+---+---+---+---+---+
 *   |    left half, buckets of 8    |    |    right half, buckets of 8   |
 *   +---+---+---+---+---+---+---+---+    +---+---+---+---+---+---+---+---+
 *
 * Example: for 640 keys rocecc_traffic_slot_count() returns 1024, and the keys fill 5
 * of every 8 slots. A new key takes a slot in the emptier of its two buckets. A call
 * searches only the two buckets of its key (16 slots).
 *
 * Memory: 56 bytes per slot, in an array that the caller must zero. README.md gives the
 * load at which a table first has no free slot for a key.
 */
#include "../net.h"
#include "siphash.h"

#define ROCECC_TRAFFIC_SLOT_WAYS 8u /* slots per bucket; two buckets per key */
#define ROCECC_TRAFFIC_SLOT_NONE 0xffffffffu

/* A slot. All members of a free slot are 0. */
typedef struct rocecc_traffic_slot {
    uint64_t key[6]; /* two addresses, then L4 ports and protocol or a priority, then
                        port and side */
    uint64_t value;  /* end of the hold (pause.h), next time to ask (ask.h), or number
                        of bytes (backlog.h) */
} rocecc_traffic_slot;
ROCECC_SIZE_(rocecc_traffic_slot, 56);

/* A key in the form in which a slot stores it. */
typedef struct rocecc_traffic_slot_key_ {
    uint64_t w[6];
} rocecc_traffic_slot_key_;

/* Place of a key: the first slot of each of its two buckets, in a table of n slots. */
typedef struct rocecc_traffic_slot_place_ {
    rocecc_traffic_slot_key_ key;
    uint32_t slot[2];
    uint32_t n;
} rocecc_traffic_slot_place_;

/*
 * Returns the number of slots that a table needs for `keys` keys. The keys then use at
 * most 5 of every 8 slots (P-12). Returns 0 for more than 5/8 * 2^31 keys.
 */
ROCECC_FN uint32_t rocecc_traffic_slot_count(uint32_t keys)
{
    unsigned i;
    for (i = 4; i < 32; i++)
        if (keys <= ((uint32_t)1 << i) / 8 * 5) return (uint32_t)1 << i;
    return 0;
}

/* Returns the largest power of two that is at most n, or 0 if n is below 16. */
ROCECC_FN uint32_t rocecc_traffic_slot_round_down_(uint32_t n)
{
    unsigned i;
    for (i = 0; i < 31; i++) /* clears all bits except the highest */
        if ((n & (n - 1)) != 0) n &= n - 1;
    return n < 2 * ROCECC_TRAFFIC_SLOT_WAYS ? 0 : n;
}

/* Loads a 64-bit number from eight bytes in network order. */
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
 * Returns the two buckets of a key, one in each half. The hash of the key's 48 bytes
 * (little-endian words) selects them. If `secret` is NULL, keys are PFC classes, and
 * each port below n_slots / 8 has its own bucket (P-9).
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

/*
 * Returns until_ns - now_ns, or 0 if until_ns has passed (P-1) or is more than max_ns
 * after now_ns (P-2).
 */
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

/* Returns the slot of a key, or NONE. */
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

/*
 * Returns the first free slot in the emptier bucket, or in the left bucket on a tie.
 * Returns NONE if no slot is free.
 */
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
            is_free = (uint32_t)((side - 1) >> 63); /* 1 if side is 0; no branch */
            first ^= (first ^ slot) & (0 - is_free);
            n += is_free;
        }
        if (n <= most) continue;
        most = n;
        best = first;
    }
    return best;
}

/*
 * Returns a free slot for a new key. If no slot is free, returns the first slot whose
 * time ended at least grace_ns ago, or NONE if no such slot exists.
 */
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

/* Assigns a slot to a key, or frees it if `key` is NULL. */
ROCECC_FN void rocecc_traffic_slot_assign_(rocecc_traffic_slot *slot,
                                           const rocecc_traffic_slot_key_ *key)
{
    int i;
    for (i = 0; i < 6; i++)
        slot->key[i] = key != NULL ? key->w[i] : 0;
    slot->value = 0;
}

#endif /* ROCECC_GUARD_TRAFFIC_SLOT_H */
