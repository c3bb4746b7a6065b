/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CNM_H
#define ROCECC_WIRE_CNM_H

/*
 * cnm.h - QCN on the wire: the tag that names a flow, and the Congestion Notification
 * Message that a congestion point sends to its source. IEEE 802.1Qau: IEEE 802.1Q, 30
 * to 33; draft-yu-tsvwg-l3qcn-00, Figures 1 and 2.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Type: 0x22E9          |        Flow Identifier        |  CN-TAG
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version| ReservedV |  QntzFb   |                               |  CNM PDU
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+                               +
 *   |                             CPID                              |
 *   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                               |          cnmQOffset           |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |           cnmQDelta           | Pri |        Reserved         |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Encapsulated destination MAC address                  |
 *   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                               |   Encapsulated MSDU length    |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |    Encapsulated MSDU: 0 to 64 bytes, from its Type on
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     003f 0200000004400305 f3cb 0927 a000 0200000001fe 0000     QntzFb 63, the most;
 *         offset -3125 and delta 2343 (64 bytes each), priority 5, no MSDU
 *
 * A CNM frame is DA SA [S-TAG or C-TAG] [C-TAG] [CN-TAG] 0x22E7 PDU, and zeros up to 60
 * bytes. The flow id alone selects a rate limiter; all else is for people. README.md
 * has the rules by which a frame is taken, 1 to 14; each stands at its function here.
 */
#include "config.h"

#define ROCECC_CNM_BYTES 24
#define ROCECC_CNM_MSDU_MAX_BYTES 64
#define ROCECC_CNM_VLAN_MAX 2
#define ROCECC_CNM_HEAD_MAX_BYTES 26 /* from DA through Type */
#define ROCECC_CNM_FRAME_MIN_BYTES 60
#define ROCECC_CNM_UNIT_BYTES 64 /* of cnmQOffset and cnmQDelta: 33.4.5, 33.4.6 */
#define ROCECC_CNM_PRIORITY 6    /* cngCnmTransmitPriority by default: 32.2.2 */

/* Why a frame or a PDU was not taken, with the rule. */
typedef enum rocecc_cnm_verdict {
    ROCECC_CNM_TAKEN = 0,
    ROCECC_CNM_CUT_FRAME,   /* 1: it ends within addresses, tags or types */
    ROCECC_CNM_OTHER_TYPE,  /* 2: after the VLAN tags neither 0x22E9 nor 0x22E7 */
    ROCECC_CNM_MANY_TAGS,   /* 2: a third VLAN tag */
    ROCECC_CNM_DATA,        /* 3: a CN-TAG, but not 0x22E7 after it */
    ROCECC_CNM_CUT_PDU,     /* 4: fewer than 24 bytes of PDU */
    ROCECC_CNM_LONG_MSDU,   /* 5: an MSDU length above 64 */
    ROCECC_CNM_CUT_MSDU,    /* 6: the MSDU goes beyond the frame */
    ROCECC_CNM_NEW_VERSION, /* 8: a version other than 0, if c is strict */
    ROCECC_CNM_GROUP_DST,   /* 12: the destination is a group address */
    ROCECC_CNM_OTHER_DST    /* 12: it is not c's station */
} rocecc_cnm_verdict;

/* The status of a verdict. */
ROCECC_FN rocecc_status rocecc_cnm_status_(rocecc_cnm_verdict v)
{
    if (v == ROCECC_CNM_TAKEN) return ROCECC_OK;
    if (v == ROCECC_CNM_CUT_FRAME || v == ROCECC_CNM_CUT_PDU ||
        v == ROCECC_CNM_CUT_MSDU)
        return ROCECC_ERR_SHORT;
    if (v == ROCECC_CNM_LONG_MSDU || v == ROCECC_CNM_GROUP_DST)
        return ROCECC_ERR_FORMAT;
    if (v == ROCECC_CNM_MANY_TAGS || v == ROCECC_CNM_NEW_VERSION)
        return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_NO_MATCH;
}

typedef struct rocecc_cntag {
    uint16_t flow_id; /* the sender chooses it; 0 if it has only one flow */
} rocecc_cntag;

/*
 * Reads a CN-TAG from its type on, as at rocecc_where.cntag. NO_MATCH: another type.
 * SHORT: fewer than 4 bytes.
 */
ROCECC_FN rocecc_status rocecc_cntag_parse(rocecc_reader *r, rocecc_cntag *h)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (rocecc_load16(b) != ROCECC_TYPE_CNTAG) return ROCECC_NO_MATCH;
    b = rocecc_take(&rest, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    h->flow_id = rocecc_load16(b);
    *r = rest;
    return ROCECC_OK;
}

/* Writes a CN-TAG from its type on. SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_cntag_emit(rocecc_writer *w, const rocecc_cntag *h)
{
    uint8_t *b = rocecc_put(w, ROCECC_CNTAG_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, ROCECC_TYPE_CNTAG);
    rocecc_store16(b + 2, h->flow_id);
    return ROCECC_OK;
}

/* The PDU. */
typedef struct rocecc_cnm {
    uint8_t version;         /* 4 bits: 0 */
    uint8_t reserved_v;      /* 6 bits: sent as 0, ignored */
    uint8_t qntz_fb;         /* 6 bits: how much to slow down */
    uint64_t cpid;           /* of the congestion point; opaque to all others */
    int16_t q_offset;        /* signs and unit: rocecc_cnm_q_offset() */
    int16_t q_delta;         /* rocecc_cnm_q_delta() */
    uint8_t encap_priority;  /* 3 bits: that of the frame which caused this */
    uint16_t encap_reserved; /* 13 bits: sent as 0, ignored */
    rocecc_mac encap_dst;    /* the destination of that frame */
    uint16_t msdu_len;       /* parsed: as on the wire; emit() takes msdu's length */
    rocecc_reader msdu;      /* the first bytes of that frame, from its Type on */
} rocecc_cnm;

/* 16 bits in two's complement. */
ROCECC_FN int16_t rocecc_cnm_signed_(uint16_t v)
{
    return v < 0x8000 ? (int16_t)v : (int16_t)((int32_t)v - 0x10000);
}

/* The 24 bytes before the MSDU. */
ROCECC_FN void rocecc_cnm_load_(const uint8_t *b, rocecc_cnm *h)
{
    const uint16_t w0 = rocecc_load16(b);
    const uint16_t priority = rocecc_load16(b + 14);
    h->version = (uint8_t)(w0 >> 12);
    h->reserved_v = (uint8_t)(w0 >> 6 & 0x3f);
    h->qntz_fb = (uint8_t)(w0 & 0x3f);
    h->cpid = rocecc_load64(b + 2);
    h->q_offset = rocecc_cnm_signed_(rocecc_load16(b + 10));
    h->q_delta = rocecc_cnm_signed_(rocecc_load16(b + 12));
    h->encap_priority = (uint8_t)(priority >> 13);
    h->encap_reserved = priority & 0x1fff;
    h->encap_dst = rocecc_mac_load(b + 16);
    h->msdu_len = rocecc_load16(b + 22);
}

/*
 * Reads a PDU by rules 4 to 8, and says why not; unless TAKEN, nothing moved. Bytes
 * after the MSDU are padding, and stay in r (7). Reserved bits are ignored (9, 10), and
 * a QntzFb of 0 is taken, though it asks for nothing (11).
 */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_pdu_parse(const rocecc_cnm_config *c,
                                                  rocecc_reader *r, rocecc_cnm *h)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, ROCECC_CNM_BYTES);
    rocecc_reader msdu;
    uint16_t n;
    if (b == NULL) return ROCECC_CNM_CUT_PDU;
    n = rocecc_load16(b + 22);
    if (n > ROCECC_CNM_MSDU_MAX_BYTES) {
        if (!c->tolerate_long) return ROCECC_CNM_LONG_MSDU;
        n = ROCECC_CNM_MSDU_MAX_BYTES;
    }
    if (!rocecc_split(&rest, n, &msdu)) return ROCECC_CNM_CUT_MSDU;
    if (c->strict_version && b[0] >> 4 != 0) return ROCECC_CNM_NEW_VERSION;
    rocecc_cnm_load_(b, h);
    h->msdu = msdu;
    *r = rest;
    return ROCECC_CNM_TAKEN;
}

/*
 * Reads a PDU, and moves past its MSDU. SHORT: it ends beyond r (4, 6). FORMAT: an MSDU
 * length above 64, unless c tolerates it (5). UNSUPPORTED: a version other than 0, if c
 * is strict (8).
 */
ROCECC_FN rocecc_status rocecc_cnm_parse(const rocecc_cnm_config *c, rocecc_reader *r,
                                         rocecc_cnm *h)
{
    rocecc_cnm out = {0, 0, 0, 0, 0, 0, 0, 0, {{0}}, 0, *r};
    rocecc_status status = rocecc_cnm_status_(rocecc_cnm_pdu_parse(c, r, &out));
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = out;
    return status;
}

/* Whether each value fits its field: otherwise emit() returns RANGE. */
ROCECC_FN bool rocecc_cnm_fits(const rocecc_cnm *h)
{
    return h->version >> 4 == 0 && h->reserved_v >> 6 == 0 && h->qntz_fb >> 6 == 0 &&
           h->encap_priority >> 3 == 0 && h->encap_reserved >> 13 == 0 &&
           rocecc_left(&h->msdu) <= ROCECC_CNM_MSDU_MAX_BYTES;
}

/* Bytes of the PDU that emit() writes: 24 to 88. */
ROCECC_FN size_t rocecc_cnm_bytes(const rocecc_cnm_config *c, const rocecc_cnm *h)
{
    return ROCECC_CNM_BYTES +
           (c->fixed_msdu ? ROCECC_CNM_MSDU_MAX_BYTES : rocecc_left(&h->msdu));
}

/*
 * Writes a PDU. RANGE: a value is wider than its field, or the MSDU has more than 64
 * bytes. SPACE: no room for rocecc_cnm_bytes().
 */
ROCECC_FN rocecc_status rocecc_cnm_emit(rocecc_writer *w, const rocecc_cnm_config *c,
                                        const rocecc_cnm *h)
{
    const size_t bytes = rocecc_cnm_bytes(c, h);
    rocecc_writer out = *w, over;
    uint8_t *b;
    int i;
    if (!rocecc_cnm_fits(h)) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_CNM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, (uint16_t)(h->version << 12 | h->reserved_v << 6 | h->qntz_fb));
    rocecc_store64(b + 2, h->cpid);
    rocecc_store16(b + 10, (uint16_t)h->q_offset);
    rocecc_store16(b + 12, (uint16_t)h->q_delta);
    rocecc_store16(b + 14, (uint16_t)(h->encap_priority << 13 | h->encap_reserved));
    rocecc_mac_store(b + 16, &h->encap_dst);
    rocecc_store16(b + 22, (uint16_t)(bytes - ROCECC_CNM_BYTES));
    over = out;
    if (c->fixed_msdu) {
        b = rocecc_put(&out, ROCECC_CNM_MSDU_MAX_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        for (i = 0; i < ROCECC_CNM_MSDU_MAX_BYTES; i++)
            b[i] = 0;
    }
    if (!rocecc_append(&over, h->msdu, ROCECC_CNM_MSDU_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *w = c->fixed_msdu ? out : over;
    return ROCECC_OK;
}

/*
 * The bytes of a sampled frame's MSDU that go into the message: the first ones, as many
 * as asked (cpMinHeaderOctets, 0 by default), at most 64; if c has it fixed, 64. Of a
 * shorter MSDU, all.
 */
ROCECC_FN rocecc_reader rocecc_cnm_msdu(const rocecc_cnm_config *c, rocecc_reader msdu,
                                        size_t asked)
{
    const bool all = c->fixed_msdu || asked > ROCECC_CNM_MSDU_MAX_BYTES;
    return rocecc_between(msdu, msdu.at,
                          msdu.at + (all ? ROCECC_CNM_MSDU_MAX_BYTES : asked));
}

/*
 * A CPID as the draft has it: the bridge's address, then port << 3 | priority. RANGE: a
 * port above 8191, a priority above 7, lest two queues share one; *cpid is as it was.
 */
ROCECC_FN rocecc_status rocecc_cnm_cpid(const rocecc_mac *bridge, uint32_t port,
                                        uint8_t priority, uint64_t *cpid)
{
    if (port >> 13 != 0 || priority > 7) return ROCECC_ERR_RANGE;
    *cpid = (uint64_t)rocecc_load32(bridge->b) << 32 |
            (uint32_t)rocecc_load16(bridge->b + 4) << 16 | port << 3 | priority;
    return ROCECC_OK;
}

/* bytes / 64, or -bytes / 64 if negate: rounded towards 0, and saturated. */
ROCECC_FN int16_t rocecc_cnm_units_(int64_t bytes, bool negate)
{
    const uint64_t size = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
    const uint64_t units = size / ROCECC_CNM_UNIT_BYTES;
    if ((bytes < 0) != negate)
        return (int16_t)(units < 0x8000 ? -(int32_t)units : -0x8000);
    return (int16_t)(units < 0x7fff ? units : 0x7fff);
}

/*
 * cnmQOffset for Qsp - Qlen in bytes, in units of 64: rounded towards 0, and saturated
 * beyond some 2 MB. Total.
 */
ROCECC_FN int16_t rocecc_cnm_q_offset(rocecc_cnm_signs signs, int64_t bytes)
{
    return rocecc_cnm_units_(bytes, signs == ROCECC_CNM_SIGNS_B);
}

/* cnmQDelta for Qlen - QlenOld in bytes, in the same way. */
ROCECC_FN int16_t rocecc_cnm_q_delta(rocecc_cnm_signs signs, int64_t bytes)
{
    return rocecc_cnm_units_(bytes, signs == ROCECC_CNM_SIGNS_C);
}

/* Qsp - Qlen in bytes, from a message: negative where there is congestion. */
ROCECC_FN int32_t rocecc_cnm_q_offset_bytes(rocecc_cnm_signs signs, int16_t q_offset)
{
    return q_offset * (signs == ROCECC_CNM_SIGNS_B ? -ROCECC_CNM_UNIT_BYTES
                                                   : ROCECC_CNM_UNIT_BYTES);
}

/* Qlen - QlenOld in bytes, from a message: positive where the queue grew. */
ROCECC_FN int32_t rocecc_cnm_q_delta_bytes(rocecc_cnm_signs signs, int16_t q_delta)
{
    return q_delta * (signs == ROCECC_CNM_SIGNS_C ? -ROCECC_CNM_UNIT_BYTES
                                                  : ROCECC_CNM_UNIT_BYTES);
}

/* A VLAN tag with its TPID. */
typedef struct rocecc_cnm_vlan {
    uint16_t tpid; /* 0x88A8 or 0x8100 */
    uint8_t pcp;   /* 3 bits: cngCnmTransmitPriority in a CNM, not that of the data */
    bool dei;
    uint16_t vid; /* 12 bits: that of the data */
} rocecc_cnm_vlan;

/* All before the PDU. */
typedef struct rocecc_cnm_head {
    rocecc_mac dst; /* the source of the frame that caused this */
    rocecc_mac src; /* cpMacAddress: the congestion point's own */
    uint8_t n_vlan; /* 0 to 2 */
    rocecc_cnm_vlan vlan[ROCECC_CNM_VLAN_MAX]; /* outermost first */
    bool tagged;                               /* a CN-TAG: senders write one */
    uint16_t flow_id;                          /* that of the data, else 0 */
} rocecc_cnm_head;

typedef struct rocecc_cnm_frame {
    rocecc_cnm_head head;
    rocecc_cnm cnm;
} rocecc_cnm_frame;

/* Addresses and VLAN tags; *type is the type after them. Rule 1. */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_ether_(rocecc_reader *r, rocecc_cnm_head *h,
                                               uint16_t *type)
{
    const rocecc_cnm_vlan none = {0, 0, false, 0};
    rocecc_ether ether;
    rocecc_vlan tag;
    int i;
    if (rocecc_ether_parse(r, &ether) != ROCECC_OK) return ROCECC_CNM_CUT_FRAME;
    h->dst = ether.dst;
    h->src = ether.src;
    h->n_vlan = 0;
    h->vlan[0] = h->vlan[1] = none;
    *type = ether.type;
    for (i = 0; i < ROCECC_CNM_VLAN_MAX && rocecc_vlan_match(*type); i++) {
        if (rocecc_vlan_parse(r, &tag) != ROCECC_OK) return ROCECC_CNM_CUT_FRAME;
        h->n_vlan = (uint8_t)(i + 1);
        h->vlan[i].tpid = *type;
        h->vlan[i].pcp = tag.pcp;
        h->vlan[i].dei = tag.dei;
        h->vlan[i].vid = tag.vid;
        *type = tag.type;
    }
    return ROCECC_CNM_TAKEN;
}

/* Rules 1 to 3; without a CN-TAG the flow id is 0 (13). */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_head_(rocecc_reader *r, rocecc_cnm_head *h)
{
    uint16_t type = 0;
    const uint8_t *b;
    const rocecc_cnm_verdict v = rocecc_cnm_ether_(r, h, &type);
    if (v != ROCECC_CNM_TAKEN) return v;
    h->tagged = false;
    h->flow_id = 0;
    if (type == ROCECC_TYPE_CNM) return ROCECC_CNM_TAKEN;
    if (rocecc_vlan_match(type)) return ROCECC_CNM_MANY_TAGS;
    if (type != ROCECC_TYPE_CNTAG) return ROCECC_CNM_OTHER_TYPE;
    b = rocecc_take(r, 4); /* the flow id, and the next type */
    if (b == NULL) return ROCECC_CNM_CUT_FRAME;
    h->tagged = true;
    h->flow_id = rocecc_load16(b);
    return rocecc_load16(b + 2) == ROCECC_TYPE_CNM ? ROCECC_CNM_TAKEN : ROCECC_CNM_DATA;
}

/* Rule 12: the destination is neither a group nor, if c names one, another station. */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_dst_(const rocecc_cnm_config *c,
                                             const rocecc_mac *dst)
{
    uint8_t any = 0, differ = 0;
    int i;
    if ((dst->b[0] & 1) != 0) return ROCECC_CNM_GROUP_DST;
    for (i = 0; i < 6; i++) {
        any |= c->station.b[i];
        differ |= (uint8_t)(c->station.b[i] ^ dst->b[i]);
    }
    return any != 0 && differ != 0 ? ROCECC_CNM_OTHER_DST : ROCECC_CNM_TAKEN;
}

/* Fills *h, in part where the frame is not taken. */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_frame_(const rocecc_cnm_config *c,
                                               rocecc_reader frame, rocecc_cnm_frame *h)
{
    rocecc_cnm_verdict v = rocecc_cnm_head_(&frame, &h->head);
    if (v == ROCECC_CNM_TAKEN) v = rocecc_cnm_pdu_parse(c, &frame, &h->cnm);
    if (v == ROCECC_CNM_TAKEN) v = rocecc_cnm_dst_(c, &h->head.dst);
    return v;
}

/*
 * Reads a frame by all rules but 14, in order; *verdict always says which one it broke.
 * Unless OK, *h is as it was. NO_MATCH: another frame, data, or another station. SHORT:
 * 1, 4, 6. FORMAT: 5, a group address. UNSUPPORTED: a third VLAN tag, 8.
 */
ROCECC_FN rocecc_status rocecc_cnm_frame_parse(const rocecc_cnm_config *c,
                                               rocecc_reader frame, rocecc_cnm_frame *h,
                                               rocecc_cnm_verdict *verdict)
{
    const rocecc_cnm_vlan vlan = {0, 0, false, 0};
    rocecc_cnm_frame out = {{{{0}}, {{0}}, 0, {vlan, vlan}, false, 0},
                            {0, 0, 0, 0, 0, 0, 0, 0, {{0}}, 0, frame}};
    const rocecc_cnm_verdict v = rocecc_cnm_frame_(c, frame, &out);
    rocecc_status status = rocecc_cnm_status_(v);
    *verdict = v;
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = out;
    return status;
}

/* Whether each value fits its field, and the flow id has a tag. */
ROCECC_FN bool rocecc_cnm_head_fits_(const rocecc_cnm_head *h)
{
    size_t n = h->n_vlan, i;
    if (n > ROCECC_CNM_VLAN_MAX || (!h->tagged && h->flow_id != 0)) return false;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_CNM_VLAN_MAX && i < n; i++)
        if (!rocecc_vlan_match(h->vlan[i].tpid) || h->vlan[i].pcp >> 3 != 0 ||
            h->vlan[i].vid >> 12 != 0)
            return false;
    return true;
}

/* Bytes before the PDU: 14 to 26 for a head that fits. */
ROCECC_FN size_t rocecc_cnm_head_bytes(const rocecc_cnm_head *h)
{
    return ROCECC_ETHER_BYTES + (size_t)h->n_vlan * ROCECC_VLAN_BYTES +
           (h->tagged ? ROCECC_CNTAG_BYTES : 0);
}

/*
 * Writes all before a PDU, from DA through Type, for a host that has the PDU in its
 * place. RANGE: a value is wider than its field, a TPID is not that of a VLAN tag, more
 * than 2 tags, or a flow id without CN-TAG. SPACE: no room for rocecc_cnm_head_bytes().
 */
ROCECC_FN rocecc_status rocecc_cnm_head_emit(rocecc_writer *w, const rocecc_cnm_head *h)
{
    rocecc_writer out = *w;
    uint8_t *b;
    size_t n = h->n_vlan, i;
    if (!rocecc_cnm_head_fits_(h)) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < rocecc_cnm_head_bytes(h)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 12);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_mac_store(b, &h->dst);
    rocecc_mac_store(b + 6, &h->src);
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_CNM_VLAN_MAX && i < n; i++) {
        const rocecc_cnm_vlan *v = &h->vlan[i];
        b = rocecc_put(&out, ROCECC_VLAN_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store16(b, v->tpid);
        rocecc_store16(b + 2, (uint16_t)(v->pcp << 13 | v->dei << 12 | v->vid));
    }
    if (h->tagged) {
        b = rocecc_put(&out, ROCECC_CNTAG_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store16(b, ROCECC_TYPE_CNTAG);
        rocecc_store16(b + 2, h->flow_id);
    }
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, ROCECC_TYPE_CNM);
    *w = out;
    return ROCECC_OK;
}

/*
 * Writes a whole frame, with zeros up to 60 bytes: 60 to 114. RANGE: as head_emit() and
 * emit(). SPACE: no room for it.
 */
ROCECC_FN rocecc_status rocecc_cnm_frame_build(rocecc_writer *w,
                                               const rocecc_cnm_config *c,
                                               const rocecc_cnm_frame *h)
{
    const size_t bytes = rocecc_cnm_head_bytes(&h->head) + rocecc_cnm_bytes(c, &h->cnm);
    rocecc_writer out = *w, least = *w;
    rocecc_status status;
    uint8_t *b;
    int i;
    if (!rocecc_cnm_head_fits_(&h->head) || !rocecc_cnm_fits(&h->cnm))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&least, ROCECC_CNM_FRAME_MIN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    for (i = 0; i < ROCECC_CNM_FRAME_MIN_BYTES; i++)
        b[i] = 0;
    status = rocecc_cnm_head_emit(&out, &h->head);
    if (status != ROCECC_OK) return status;
    status = rocecc_cnm_emit(&out, c, &h->cnm);
    if (status != ROCECC_OK) return status;
    *w = bytes < ROCECC_CNM_FRAME_MIN_BYTES ? least : out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_CNM_H */
