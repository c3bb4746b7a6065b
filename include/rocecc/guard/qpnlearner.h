/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_QPNLEARNER_H
#define ROCECC_GUARD_QPNLEARNER_H

/*
 * qpnlearner.h - learns the QP that sends a RoCEv2 flow. The flow's packets do not
 * contain the number of this QP, but hosts exchange the number when they connect. To
 * send a CNP to the QP, a switch must know this number. Sources:
 * draft-yu-tsvwg-l3qcn-00, 3.2.1, step 5 (R-L3-14), and IBTA 12.6, 12.9.
 *
 *     A -> B  REQ   id a, QPN x                      ASKED     half[]
 *     B -> A  REP   id b, your id a, QPN y           ANSWERED  half[]
 *     A -> B  RTU   id a, your id b                  LEARNED   known[]
 *                   From A to QP y of B: sent by QP x. From B to QP x of A: by QP y.
 *     A -> B, or B -> A   DREQ, both ids, the other's QPN    FORGOTTEN
 *
 * Example: 10.0.0.1 sends a REQ with QPN 0x12, and 10.0.0.2 answers with a REP with QPN
 * 0x34. After the RTU, a packet from 10.0.0.1 to QP 0x34 of 10.0.0.2 is known to come
 * from QP 0x12. A CNP for this packet goes to QP 0x12.
 *
 * Messages from only one end are not enough to learn a connection. An attacker
 * that can send from both addresses can forge a connection, so the switch must check
 * source addresses at its ports. If two connections give different sending QPs for the
 * same flow, they are in dispute. The flow's packets are then marked CE, as they
 * would be without this table. A flood of requests can fill half[], but not known[]
 * . The host must limit the requests from each port or source with a token bucket.
 * README.md has the rules.
 *
 * Memory: two arrays with 64 bytes per slot. The caller passes them to each call. Only
 * one thread at a time may call learn(). lookup() does not change the arrays, but must
 * not run during learn(). A call searches at most 8 slots of half[] and 16 slots of
 * known[].
 */
#include "../net.h"
#include "siphash.h"

#define ROCECC_QPNLEARNER_WAYS 8u /* number of possible slots per key */
#define ROCECC_QPNLEARNER_SLOTS_MAX ((uint32_t)1 << 24)
#define ROCECC_QPNLEARNER_EXPIRY_MAX_NS ((uint64_t)1 << 62)

typedef enum rocecc_qpnlearner_refusal {
    ROCECC_QPNLEARNER_ACCEPTED = 0,
    ROCECC_QPNLEARNER_REFUSED_SECRET, /* all 0 (not set) */
    ROCECC_QPNLEARNER_REFUSED_HALF,   /* below 8, above 2^24, or not a power of two */
    ROCECC_QPNLEARNER_REFUSED_KNOWN,  /* as for half[] */
    ROCECC_QPNLEARNER_REFUSED_EXPIRY  /* half_ns or known_ns is 0 or above 2^62 */
} rocecc_qpnlearner_refusal;

typedef struct rocecc_qpnlearner_params {
    uint64_t secret[2]; /* secret key of the hash; from a cryptographic random
                           source, different on each switch */
    uint32_t half;      /* number of slots for unfinished connections; in half[]:
                           2^n, 8 to 2^24; one per connection */
    uint32_t known;     /* number of slots for learned connections; in known[]: 2^n,
                           8 to 2^24; two per connection */
    uint64_t half_ns;   /* time limit between messages; 1 to 2^62 */
    uint64_t known_ns;  /* lifetime of a learned connection; after the RTU: 1 to 2^62 */
} rocecc_qpnlearner_params;

typedef enum rocecc_qpnlearner_state_ {
    ROCECC_QPNLEARNER_EMPTY = 0,
    ROCECC_QPNLEARNER_HAS_REQ, /* half[] */
    ROCECC_QPNLEARNER_HAS_REP,
    ROCECC_QPNLEARNER_CONNECTED, /* known[] */
    ROCECC_QPNLEARNER_IN_DISPUTE
} ROCECC_IN_8_BITS_(rocecc_qpnlearner_state);

/*
 * Slot of half[] or known[]. In half[], src has sent the REQ. In known[], src sends
 * data to dst_qpn, and each direction has its own slot.
 */
typedef struct rocecc_qpnlearner_slot {
    rocecc_ip6 src;
    rocecc_ip6 dst;
    uint64_t last_ns; /* time of the last message */
    uint32_t src_id;
    uint32_t dst_id;
    uint32_t src_qpn;
    uint32_t dst_qpn;
    ROCECC_ENUM8_(rocecc_qpnlearner_state) state;
    uint8_t reserved[7];
} rocecc_qpnlearner_slot;
ROCECC_SIZE_(rocecc_qpnlearner_slot, 64);

typedef enum rocecc_qpnlearner_kind_ {
    ROCECC_QPNLEARNER_REQ = 0,
    ROCECC_QPNLEARNER_REP,
    ROCECC_QPNLEARNER_RTU,
    ROCECC_QPNLEARNER_DREQ,
    ROCECC_QPNLEARNER_KINDS /* number of kinds */
} ROCECC_IN_8_BITS_(rocecc_qpnlearner_kind);

/* Connection management message, as in wire/cm.h. */
typedef struct rocecc_qpnlearner_message {
    rocecc_ip6 src;
    rocecc_ip6 dst;
    ROCECC_ENUM8_(rocecc_qpnlearner_kind) kind;
    uint32_t src_id;
    uint32_t dst_id; /* unused in REQ */
    uint32_t qpn;    /* QPN of src in REQ and REP, or of dst in DREQ; unused in RTU */
} rocecc_qpnlearner_message;

typedef enum rocecc_qpnlearner_outcome {
    ROCECC_QPNLEARNER_STRAY = 0, /* no match, or rejected by; no change */
    ROCECC_QPNLEARNER_ASKED,
    ROCECC_QPNLEARNER_ANSWERED,
    ROCECC_QPNLEARNER_REPEATED, /* same REQ or REP again; half_ns restarts */
    ROCECC_QPNLEARNER_FORGOTTEN,
    ROCECC_QPNLEARNER_LEARNED,  /* both directions */
    ROCECC_QPNLEARNER_DISPUTED, /* Q-5, at least one direction */
    ROCECC_QPNLEARNER_FULL,     /* no slot for a REQ; Q-7: no slot for a direction,
                                   even if the other direction is in dispute */
    ROCECC_QPNLEARNER_LEARNINGS /* number of outcomes */
} rocecc_qpnlearner_outcome;

/* Flow from src to a QP of dst. */
typedef struct rocecc_qpnlearner_flow {
    rocecc_ip6 src;
    rocecc_ip6 dst;
    uint32_t dst_qpn;
} rocecc_qpnlearner_flow;

/* Checks parameters. Returns the first reason to refuse them, or ACCEPTED. */
ROCECC_FN rocecc_qpnlearner_refusal
rocecc_qpnlearner_init(const rocecc_qpnlearner_params *params)
{
    if ((params->secret[0] | params->secret[1]) == 0)
        return ROCECC_QPNLEARNER_REFUSED_SECRET;
    if (params->half < ROCECC_QPNLEARNER_WAYS ||
        params->half > ROCECC_QPNLEARNER_SLOTS_MAX ||
        (params->half & (params->half - 1)) != 0)
        return ROCECC_QPNLEARNER_REFUSED_HALF;
    if (params->known < ROCECC_QPNLEARNER_WAYS ||
        params->known > ROCECC_QPNLEARNER_SLOTS_MAX ||
        (params->known & (params->known - 1)) != 0)
        return ROCECC_QPNLEARNER_REFUSED_KNOWN;
    if (params->half_ns == 0 || params->half_ns > ROCECC_QPNLEARNER_EXPIRY_MAX_NS ||
        params->known_ns == 0 || params->known_ns > ROCECC_QPNLEARNER_EXPIRY_MAX_NS)
        return ROCECC_QPNLEARNER_REFUSED_EXPIRY;
    return ROCECC_QPNLEARNER_ACCEPTED;
}

/*
 * Empties n_slots slots, which may have any content. n_slots must be params->half for
 * half[], or params->known for known[]. This call is too slow for a hot path.
 */
ROCECC_FN void rocecc_qpnlearner_start(rocecc_qpnlearner_slot *slots, uint32_t n_slots)
{
    uint32_t i;
    for (i = 0; i < n_slots; i++)
        slots[i].state = ROCECC_QPNLEARNER_EMPTY;
}

/* Key of two addresses and a number (36 bytes for SipHash), and the key's slots. */
typedef struct rocecc_qpnlearner_key_ {
    uint64_t word[5];
    size_t at; /* the first of 8 slots */
    bool half; /* true: the number is src's id; false: dst's QPN */
} rocecc_qpnlearner_key_;

ROCECC_FN uint64_t rocecc_qpnlearner_load64_(const uint8_t *bytes)
{
    return (uint64_t)bytes[7] << 56 | (uint64_t)bytes[6] << 48 |
           (uint64_t)bytes[5] << 40 | (uint64_t)bytes[4] << 32 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[1] << 8 | bytes[0];
}

ROCECC_FN rocecc_qpnlearner_key_
rocecc_qpnlearner_key_of_(const rocecc_qpnlearner_params *params, const rocecc_ip6 *src,
                          const rocecc_ip6 *dst, uint32_t number, bool half)
{
    const uint32_t n = half ? params->half : params->known;
    rocecc_qpnlearner_key_ k;
    k.word[0] = rocecc_qpnlearner_load64_(src->b);
    k.word[1] = rocecc_qpnlearner_load64_(src->b + 8);
    k.word[2] = rocecc_qpnlearner_load64_(dst->b);
    k.word[3] = rocecc_qpnlearner_load64_(dst->b + 8);
    k.word[4] = (uint64_t)36 << 56 | number;
    k.at = (uint32_t)rocecc_siphash(params->secret, k.word, 5) & (n - 1) &
           ~(ROCECC_QPNLEARNER_WAYS - 1);
    k.half = half;
    return k;
}

ROCECC_FN bool rocecc_qpnlearner_has_key_(const rocecc_qpnlearner_slot *slot,
                                          const rocecc_qpnlearner_key_ *key)
{
    const uint32_t number = key->half ? slot->src_id : slot->dst_qpn;
    return slot->state != ROCECC_QPNLEARNER_EMPTY &&
           ((rocecc_qpnlearner_load64_(slot->src.b) ^ key->word[0]) |
            (rocecc_qpnlearner_load64_(slot->src.b + 8) ^ key->word[1]) |
            (rocecc_qpnlearner_load64_(slot->dst.b) ^ key->word[2]) |
            (rocecc_qpnlearner_load64_(slot->dst.b + 8) ^ key->word[3]) |
            (number ^ (uint32_t)key->word[4])) == 0;
}

/*
 * Returns true if last_ns is at least one slot lifetime (half_ns or known_ns) before
 * now_ns. Also returns true if last_ns is at least one lifetime after now_ns, which can
 * happen after the clock is set back.
 */
ROCECC_FN bool rocecc_qpnlearner_expired_(const rocecc_qpnlearner_params *params,
                                          const rocecc_qpnlearner_slot *slot,
                                          uint64_t now_ns)
{
    const uint64_t ns =
        slot->state >= ROCECC_QPNLEARNER_CONNECTED ? params->known_ns : params->half_ns;
    return now_ns - slot->last_ns + (ns - 1) >= 2 * ns - 1;
}

/* Returns the slot with this key, or NULL if it is missing or has expired. */
ROCECC_FN rocecc_qpnlearner_slot *
rocecc_qpnlearner_find_slot_(const rocecc_qpnlearner_params *params,
                             rocecc_qpnlearner_slot *slots,
                             const rocecc_qpnlearner_key_ *key, uint64_t now_ns)
{
    uint32_t i;
    for (i = 0; i < ROCECC_QPNLEARNER_WAYS; i++) {
        rocecc_qpnlearner_slot *s = &slots[key->at + i];
        if (!rocecc_qpnlearner_has_key_(s, key)) continue;
        return rocecc_qpnlearner_expired_(params, s, now_ns) ? NULL : s;
    }
    return NULL;
}

/*
 * Returns the slot with this key. If no slot has this key, returns the first empty or
 * expired slot. If no slot is empty or expired, returns the oldest slot that has only a
 * REQ, or NULL if no such slot exists. Sets *found to true if the returned slot
 * has this key and has not expired, and otherwise to false.
 */
ROCECC_FN rocecc_qpnlearner_slot *rocecc_qpnlearner_choose_slot_(
    const rocecc_qpnlearner_params *params, rocecc_qpnlearner_slot *slots,
    const rocecc_qpnlearner_key_ *key, uint64_t now_ns, bool *found)
{
    rocecc_qpnlearner_slot *room = NULL, *oldest = NULL;
    uint32_t i;
    *found = false;
    for (i = 0; i < ROCECC_QPNLEARNER_WAYS; i++) {
        rocecc_qpnlearner_slot *s = &slots[key->at + i];
        const bool is_free = s->state == ROCECC_QPNLEARNER_EMPTY ||
                             rocecc_qpnlearner_expired_(params, s, now_ns);
        if (rocecc_qpnlearner_has_key_(s, key)) {
            *found = !is_free;
            return s;
        }
        if (is_free) {
            if (room == NULL) room = s;
        } else if (key->half && s->state == ROCECC_QPNLEARNER_HAS_REQ &&
                   (oldest == NULL || now_ns - s->last_ns > now_ns - oldest->last_ns)) {
            oldest = s;
        }
    }
    return room != NULL ? room : oldest;
}

/*
 * Returns true if a connection can use this QPN. QPs 0 and 1 are for management,
 * and 0xffffff is for multicast.
 */
ROCECC_FN bool rocecc_qpnlearner_is_data_qpn_(uint32_t qpn)
{
    return qpn > 1 && qpn < 0xffffff;
}

ROCECC_FN rocecc_qpnlearner_outcome rocecc_qpnlearner_on_req_(
    const rocecc_qpnlearner_params *params, rocecc_qpnlearner_slot *half,
    const rocecc_qpnlearner_message *message, const rocecc_qpnlearner_key_ *key,
    uint64_t now_ns)
{
    bool own;
    rocecc_qpnlearner_slot *s =
        rocecc_qpnlearner_choose_slot_(params, half, key, now_ns, &own);
    if (s == NULL) return ROCECC_QPNLEARNER_FULL;
    if (own) { /* the first REQ remains valid */
        if (s->src_qpn != message->qpn) return ROCECC_QPNLEARNER_STRAY;
        s->last_ns = now_ns;
        return ROCECC_QPNLEARNER_REPEATED;
    }
    s->src = message->src;
    s->dst = message->dst;
    s->last_ns = now_ns;
    s->src_id = message->src_id;
    s->src_qpn = message->qpn;
    s->dst_id = s->dst_qpn = 0;
    s->state = ROCECC_QPNLEARNER_HAS_REQ;
    return ROCECC_QPNLEARNER_ASKED;
}

/* Handles a REP that answers the REQ in `slot`. */
ROCECC_FN rocecc_qpnlearner_outcome
rocecc_qpnlearner_on_rep_(rocecc_qpnlearner_slot *slot,
                          const rocecc_qpnlearner_message *message, uint64_t now_ns)
{
    const bool first = slot->state == ROCECC_QPNLEARNER_HAS_REQ;
    if (!first &&
        (slot->dst_id != message->src_id || slot->dst_qpn != message->qpn)) /* */
        return ROCECC_QPNLEARNER_STRAY;
    slot->last_ns = now_ns;
    slot->dst_id = message->src_id;
    slot->dst_qpn = message->qpn;
    slot->state = ROCECC_QPNLEARNER_HAS_REP;
    return first ? ROCECC_QPNLEARNER_ANSWERED : ROCECC_QPNLEARNER_REPEATED;
}

/* Learns one direction of a connection. Returns LEARNED, DISPUTED or FULL. */
ROCECC_FN rocecc_qpnlearner_outcome rocecc_qpnlearner_learn_direction_(
    const rocecc_qpnlearner_params *params, rocecc_qpnlearner_slot *known,
    const rocecc_qpnlearner_slot *half_slot, bool reverse, uint64_t now_ns)
{
    const rocecc_ip6 *from = reverse ? &half_slot->dst : &half_slot->src;
    const rocecc_ip6 *to = reverse ? &half_slot->src : &half_slot->dst;
    const uint32_t from_qpn = reverse ? half_slot->dst_qpn : half_slot->src_qpn;
    const uint32_t to_qpn = reverse ? half_slot->src_qpn : half_slot->dst_qpn;
    const rocecc_qpnlearner_key_ k =
        rocecc_qpnlearner_key_of_(params, from, to, to_qpn, false);
    bool own;
    rocecc_qpnlearner_slot *s =
        rocecc_qpnlearner_choose_slot_(params, known, &k, now_ns, &own);
    if (s == NULL) return ROCECC_QPNLEARNER_FULL;
    if (own && (s->state == ROCECC_QPNLEARNER_IN_DISPUTE || s->src_qpn != from_qpn)) {
        s->state = ROCECC_QPNLEARNER_IN_DISPUTE;
        s->last_ns = now_ns;
        return ROCECC_QPNLEARNER_DISPUTED;
    }
    s->src = *from;
    s->dst = *to;
    s->last_ns = now_ns;
    s->src_id = reverse ? half_slot->dst_id : half_slot->src_id;
    s->dst_id = reverse ? half_slot->src_id : half_slot->dst_id;
    s->src_qpn = from_qpn;
    s->dst_qpn = to_qpn;
    s->state = ROCECC_QPNLEARNER_CONNECTED;
    return ROCECC_QPNLEARNER_LEARNED;
}

/* Handles the RTU that answers the REP in `slot`, and learns both directions. */
ROCECC_FN rocecc_qpnlearner_outcome
rocecc_qpnlearner_on_rtu_(const rocecc_qpnlearner_params *params,
                          rocecc_qpnlearner_slot *known, rocecc_qpnlearner_slot *slot,
                          const rocecc_qpnlearner_message *message, uint64_t now_ns)
{
    rocecc_qpnlearner_outcome worst = ROCECC_QPNLEARNER_LEARNED;
    int back;
    if (slot->state != ROCECC_QPNLEARNER_HAS_REP || slot->dst_id != message->dst_id)
        return ROCECC_QPNLEARNER_STRAY;
    for (back = 0; back < 2; back++) {
        const rocecc_qpnlearner_outcome is =
            rocecc_qpnlearner_learn_direction_(params, known, slot, back != 0, now_ns);
        if (is > worst) worst = is;
    }
    slot->state = ROCECC_QPNLEARNER_EMPTY;
    return worst;
}

/* Handles a DREQ, which ends both directions of the connection in `slot`. */
ROCECC_FN rocecc_qpnlearner_outcome
rocecc_qpnlearner_on_dreq_(const rocecc_qpnlearner_params *params,
                           rocecc_qpnlearner_slot *known, rocecc_qpnlearner_slot *slot,
                           const rocecc_qpnlearner_message *message, uint64_t now_ns)
{
    rocecc_qpnlearner_key_ k;
    if (slot->src_id != message->src_id || slot->dst_id != message->dst_id)
        return ROCECC_QPNLEARNER_STRAY;
    slot->state = ROCECC_QPNLEARNER_EMPTY;
    k = rocecc_qpnlearner_key_of_(params, &message->dst, &message->src, slot->src_qpn,
                                  false);
    slot = rocecc_qpnlearner_find_slot_(params, known, &k, now_ns);
    if (slot != NULL && slot->src_id == message->dst_id &&
        slot->dst_id == message->src_id)
        slot->state = ROCECC_QPNLEARNER_EMPTY;
    return ROCECC_QPNLEARNER_FORGOTTEN;
}

/*
 * Handles a connection management message between two host addresses. `half` must have
 * params->half slots, `known` must have params->known slots, and the two arrays must
 * not overlap.
 */
ROCECC_FN rocecc_qpnlearner_outcome
rocecc_qpnlearner_learn(const rocecc_qpnlearner_params *params,
                        rocecc_qpnlearner_slot *half, rocecc_qpnlearner_slot *known,
                        const rocecc_qpnlearner_message *message, uint64_t now_ns)
{
    const bool rep = message->kind == ROCECC_QPNLEARNER_REP;
    const bool dreq = message->kind == ROCECC_QPNLEARNER_DREQ;
    const uint32_t number = rep    ? message->dst_id
                            : dreq ? message->qpn
                                   : message->src_id;
    rocecc_qpnlearner_key_ k;
    rocecc_qpnlearner_slot *s;
    if (message->kind >= ROCECC_QPNLEARNER_KINDS ||
        (message->kind != ROCECC_QPNLEARNER_RTU &&
         !rocecc_qpnlearner_is_data_qpn_(message->qpn)))
        return ROCECC_QPNLEARNER_STRAY;
    k = rocecc_qpnlearner_key_of_(params, rep ? &message->dst : &message->src,
                                  rep ? &message->src : &message->dst, number, !dreq);
    if (message->kind == ROCECC_QPNLEARNER_REQ)
        return rocecc_qpnlearner_on_req_(params, half, message, &k, now_ns);
    if (dreq) {
        s = rocecc_qpnlearner_find_slot_(params, known, &k, now_ns);
        return s != NULL ? rocecc_qpnlearner_on_dreq_(params, known, s, message, now_ns)
                         : ROCECC_QPNLEARNER_STRAY;
    }
    s = rocecc_qpnlearner_find_slot_(params, half, &k, now_ns);
    if (s == NULL) return ROCECC_QPNLEARNER_STRAY;
    return rep ? rocecc_qpnlearner_on_rep_(s, message, now_ns)
               : rocecc_qpnlearner_on_rtu_(params, known, s, message, now_ns);
}

/*
 * Looks up the QP that sends a flow, sets *out to the QP's number, and returns true.
 * Returns false and leaves *out unchanged if the connection is unknown, expired or in
 * dispute. Does not write to `known`.
 */
ROCECC_FN bool rocecc_qpnlearner_lookup(const rocecc_qpnlearner_params *params,
                                        const rocecc_qpnlearner_slot *known,
                                        const rocecc_qpnlearner_flow *flow,
                                        uint64_t now_ns, uint32_t *out)
{
    const rocecc_qpnlearner_key_ k =
        rocecc_qpnlearner_key_of_(params, &flow->src, &flow->dst, flow->dst_qpn, false);
    uint32_t i;
    for (i = 0; i < ROCECC_QPNLEARNER_WAYS; i++) {
        const rocecc_qpnlearner_slot *s = &known[k.at + i];
        if (!rocecc_qpnlearner_has_key_(s, &k)) continue;
        if (s->state != ROCECC_QPNLEARNER_CONNECTED ||
            rocecc_qpnlearner_expired_(params, s, now_ns))
            return false;
        *out = s->src_qpn;
        return true;
    }
    return false;
}

#endif /* ROCECC_GUARD_QPNLEARNER_H */
