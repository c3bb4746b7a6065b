/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CNM_H
#define ROCECC_WIRE_CNM_H

/*
 * cnm.h - the tag and the message of Quantized Congestion Notification (QCN). The
 * CN-TAG identifies a flow. A congestion point sends the Congestion Notification
 * Message (CNM) to the source of this flow. IEEE 802.1Qau (IEEE 802.1Q, clauses 30 to
 * 33); draft-yu-tsvwg-l3qcn-00, Figures 1 and 2.
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
 *     003f 0200000004400305 f3cb 0927 a000 0200000001fe 0000     QntzFb 63 (largest);
 *         offset -3125 and delta 2343 (64-byte units), priority 5, no MSDU
 *
 * A CNM frame consists of DA SA [S-TAG or C-TAG] [C-TAG] [CN-TAG] 0x22E7 PDU, padded
 * with zeros to at least 60 bytes. The flow id alone selects the rate limiter to which
 * QntzFb applies. The other fields are diagnostic, although role/l3qcn_tor.h can check
 * the CPID against an access list. README.md lists the rules (1 to 14) by which a
 * receiver accepts or rejects a frame.
 */
#include "config.h"

#define ROCECC_CNM_BYTES 24
#define ROCECC_CNM_MSDU_MAX_BYTES 64
#define ROCECC_CNM_VLAN_MAX 2
#define ROCECC_CNM_HEAD_MAX_BYTES 26 /* from DA through Type */
#define ROCECC_CNM_FRAME_MIN_BYTES 60
#define ROCECC_CNM_UNIT_BYTES 64 /* unit of cnmQOffset, cnmQDelta (33.4.5, 33.4.6) */
#define ROCECC_CNM_PRIORITY 6    /* default of cngCnmTransmitPriority (32.2.2) */

/* Verdicts on a frame or a PDU, each with its rule number. */
typedef enum rocecc_cnm_verdict {
    ROCECC_CNM_TAKEN = 0,
    ROCECC_CNM_CUT_FRAME,   /* 1: the frame ends within its addresses, tags or types */
    ROCECC_CNM_OTHER_TYPE,  /* 2: neither 0x22E9 nor 0x22E7 follows the VLAN tags */
    ROCECC_CNM_MANY_TAGS,   /* 2: a third VLAN tag */
    ROCECC_CNM_DATA,        /* 3: a type other than 0x22E7 follows the CN-TAG */
    ROCECC_CNM_CUT_PDU,     /* 4: the PDU has fewer than 24 bytes */
    ROCECC_CNM_LONG_MSDU,   /* 5: the MSDU length is above 64, no tolerate_long */
    ROCECC_CNM_CUT_MSDU,    /* 6: the MSDU extends beyond the frame */
    ROCECC_CNM_NEW_VERSION, /* 8: a version other than 0, with strict_version */
    ROCECC_CNM_GROUP_DST,   /* 12: the destination is a group address */
    ROCECC_CNM_OTHER_DST    /* 12: the destination is not `station` */
} rocecc_cnm_verdict;

ROCECC_FN rocecc_status rocecc_cnm_status_(rocecc_cnm_verdict verdict)
{
    if (verdict == ROCECC_CNM_TAKEN) return ROCECC_OK;
    if (verdict == ROCECC_CNM_CUT_FRAME || verdict == ROCECC_CNM_CUT_PDU ||
        verdict == ROCECC_CNM_CUT_MSDU)
        return ROCECC_ERR_SHORT;
    if (verdict == ROCECC_CNM_LONG_MSDU || verdict == ROCECC_CNM_GROUP_DST)
        return ROCECC_ERR_FORMAT;
    if (verdict == ROCECC_CNM_MANY_TAGS || verdict == ROCECC_CNM_NEW_VERSION)
        return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_NO_MATCH;
}

typedef struct rocecc_cntag {
    uint16_t flow_id; /* flow identifier chosen by the sender; 0 if the sender has only
                         one flow */
} rocecc_cntag;

/*
 * Parses a CN-TAG, starting at its type. In a packet, the type is at the offset
 * rocecc_headers.cntag (packet/headers.h). Returns NO_MATCH if the type is not 0x22E9,
 * and otherwise SHORT if fewer than 4 bytes are left.
 */
ROCECC_FN rocecc_status rocecc_cntag_parse(rocecc_reader *reader, rocecc_cntag *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (rocecc_load16(b) != ROCECC_TYPE_CNTAG) return ROCECC_NO_MATCH;
    b = rocecc_take(&rest, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    out->flow_id = rocecc_load16(b);
    *reader = rest;
    return ROCECC_OK;
}

/* Writes a CN-TAG, including its type. Returns SPACE if 4 bytes do not fit. */
ROCECC_FN rocecc_status rocecc_cntag_emit(rocecc_writer *writer,
                                          const rocecc_cntag *tag)
{
    uint8_t *b = rocecc_put(writer, ROCECC_CNTAG_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, ROCECC_TYPE_CNTAG);
    rocecc_store16(b + 2, tag->flow_id);
    return ROCECC_OK;
}

/* CNM PDU. */
typedef struct rocecc_cnm {
    uint8_t version;    /* version of the CNM; 4 bits; 0 */
    uint8_t reserved_v; /* reserved bits; 6 bits; sent as 0, ignored on receipt */
    uint8_t qntz_fb;    /* quantised feedback, higher for more congestion; 6 bits */
    uint64_t cpid;      /* identifier of the congestion point; opaque to other nodes */
    int16_t q_offset;   /* difference between queue length and set point; see
                           rocecc_cnm_q_offset() for sign and unit */
    int16_t q_delta;    /* change of the queue length between two samples; see
                           rocecc_cnm_q_delta() for sign and unit */
    uint8_t encap_priority;  /* priority of the sampled frame; 3 bits */
    uint16_t encap_reserved; /* reserved bits; 13 bits; sent as 0, ignored on receipt */
    rocecc_mac encap_dst;    /* destination address of the sampled frame */
    uint16_t msdu_len;  /* MSDU length on the wire; set by parse(), ignored by emit() */
    rocecc_reader msdu; /* first bytes of the sampled frame's MSDU; from its Type on */
} rocecc_cnm;

/* Converts 16 bits from two's complement. */
ROCECC_FN int16_t rocecc_cnm_signed_(uint16_t bits)
{
    return bits < 0x8000 ? (int16_t)bits : (int16_t)((int32_t)bits - 0x10000);
}

ROCECC_FN void rocecc_cnm_load_(const uint8_t *bytes, rocecc_cnm *cnm)
{
    const uint16_t w0 = rocecc_load16(bytes);
    const uint16_t priority = rocecc_load16(bytes + 14);
    cnm->version = (uint8_t)(w0 >> 12);
    cnm->reserved_v = (uint8_t)(w0 >> 6 & 0x3f);
    cnm->qntz_fb = (uint8_t)(w0 & 0x3f);
    cnm->cpid = rocecc_load64(bytes + 2);
    cnm->q_offset = rocecc_cnm_signed_(rocecc_load16(bytes + 10));
    cnm->q_delta = rocecc_cnm_signed_(rocecc_load16(bytes + 12));
    cnm->encap_priority = (uint8_t)(priority >> 13);
    cnm->encap_reserved = priority & 0x1fff;
    cnm->encap_dst = rocecc_mac_load(bytes + 16);
    cnm->msdu_len = rocecc_load16(bytes + 22);
}

/*
 * Parses a PDU, applies rules 4 to 11, and returns the verdict. Unless the verdict is
 * TAKEN, *reader and *out are unchanged. Bytes after the MSDU remain in *reader (rule
 * 7). Reserved bits are not checked (rules 9 and 10). A QntzFb of 0 is accepted (rule
 * 11).
 */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_pdu_parse(const rocecc_cnm_config *config,
                                                  rocecc_reader *reader,
                                                  rocecc_cnm *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_CNM_BYTES);
    rocecc_reader msdu;
    uint16_t n;
    if (b == NULL) return ROCECC_CNM_CUT_PDU;
    n = rocecc_load16(b + 22);
    if (n > ROCECC_CNM_MSDU_MAX_BYTES) {
        if (!config->tolerate_long) return ROCECC_CNM_LONG_MSDU;
        n = ROCECC_CNM_MSDU_MAX_BYTES;
    }
    if (!rocecc_split(&rest, n, &msdu)) return ROCECC_CNM_CUT_MSDU;
    if (config->strict_version && b[0] >> 4 != 0) return ROCECC_CNM_NEW_VERSION;
    rocecc_cnm_load_(b, out);
    out->msdu = msdu;
    *reader = rest;
    return ROCECC_CNM_TAKEN;
}

/*
 * Parses a PDU. Returns SHORT if the PDU extends beyond `reader` (rules 4 and 6).
 * Returns FORMAT if the MSDU length is above 64 and tolerate_long is not set (rule 5).
 * Returns UNSUPPORTED if the version is not 0 and strict_version is set (rule 8).
 */
ROCECC_FN rocecc_status rocecc_cnm_parse(const rocecc_cnm_config *config,
                                         rocecc_reader *reader, rocecc_cnm *out)
{
    rocecc_cnm cnm = {0, 0, 0, 0, 0, 0, 0, 0, {{0}}, 0, *reader};
    rocecc_status status =
        rocecc_cnm_status_(rocecc_cnm_pdu_parse(config, reader, &cnm));
    ROCECC_MERGE_PATHS_(status);
    if (status == ROCECC_OK) *out = cnm;
    return status;
}

/* Returns true if each value fits its field and the MSDU has at most 64 bytes. */
ROCECC_FN bool rocecc_cnm_fits(const rocecc_cnm *cnm)
{
    return cnm->version >> 4 == 0 && cnm->reserved_v >> 6 == 0 &&
           cnm->qntz_fb >> 6 == 0 && cnm->encap_priority >> 3 == 0 &&
           cnm->encap_reserved >> 13 == 0 &&
           rocecc_left(&cnm->msdu) <= ROCECC_CNM_MSDU_MAX_BYTES;
}

/* Returns the length of the PDU that emit() writes, 24 to 88 bytes. */
ROCECC_FN size_t rocecc_cnm_bytes(const rocecc_cnm_config *config,
                                  const rocecc_cnm *cnm)
{
    return ROCECC_CNM_BYTES +
           (config->fixed_msdu ? ROCECC_CNM_MSDU_MAX_BYTES : rocecc_left(&cnm->msdu));
}

/*
 * Writes a PDU. With fixed_msdu, the MSDU length is always 64. Returns RANGE if
 * rocecc_cnm_fits() is false, and SPACE if rocecc_cnm_bytes() bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_cnm_emit(rocecc_writer *writer,
                                        const rocecc_cnm_config *config,
                                        const rocecc_cnm *cnm)
{
    const size_t bytes = rocecc_cnm_bytes(config, cnm);
    rocecc_writer out = *writer, over;
    uint8_t *b;
    int i;
    if (!rocecc_cnm_fits(cnm)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_CNM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(
        b, (uint16_t)(cnm->version << 12 | cnm->reserved_v << 6 | cnm->qntz_fb));
    rocecc_store64(b + 2, cnm->cpid);
    rocecc_store16(b + 10, (uint16_t)cnm->q_offset);
    rocecc_store16(b + 12, (uint16_t)cnm->q_delta);
    rocecc_store16(b + 14, (uint16_t)(cnm->encap_priority << 13 | cnm->encap_reserved));
    rocecc_mac_store(b + 16, &cnm->encap_dst);
    rocecc_store16(b + 22, (uint16_t)(bytes - ROCECC_CNM_BYTES));
    over = out;
    if (config->fixed_msdu) {
        b = rocecc_put(&out, ROCECC_CNM_MSDU_MAX_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        for (i = 0; i < ROCECC_CNM_MSDU_MAX_BYTES; i++)
            b[i] = 0;
    }
    if (!rocecc_append(&over, cnm->msdu, ROCECC_CNM_MSDU_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = config->fixed_msdu ? out : over;
    return ROCECC_OK;
}

/*
 * Returns the first wanted_bytes bytes of a sampled frame's MSDU, but at most 64 bytes.
 * With fixed_msdu, ignores wanted_bytes and returns the first 64 bytes. If the MSDU has
 * fewer bytes than this, returns the whole MSDU. In the standard, wanted_bytes is
 * called cpMinHeaderOctets and is 0 by default.
 */
ROCECC_FN rocecc_reader rocecc_cnm_msdu(const rocecc_cnm_config *config,
                                        rocecc_reader msdu, size_t wanted_bytes)
{
    const bool all = config->fixed_msdu || wanted_bytes > ROCECC_CNM_MSDU_MAX_BYTES;
    return rocecc_subrange(msdu, msdu.at,
                           msdu.at + (all ? ROCECC_CNM_MSDU_MAX_BYTES : wanted_bytes));
}

/*
 * Computes a CPID, which is the bridge's address (as in the draft) followed by the
 * 16-bit value port << 3 | priority. Returns RANGE if port is above 8191 or priority is
 * above 7, because two queues could then have the same CPID. On failure *out is
 * unchanged.
 */
ROCECC_FN rocecc_status rocecc_cnm_cpid(const rocecc_mac *bridge, uint32_t port,
                                        uint8_t priority, uint64_t *out)
{
    if (port >> 13 != 0 || priority > 7) return ROCECC_ERR_RANGE;
    *out = (uint64_t)rocecc_load32(bridge->b) << 32 |
           (uint32_t)rocecc_load16(bridge->b + 4) << 16 | port << 3 | priority;
    return ROCECC_OK;
}

/*
 * Returns bytes / 64, or -bytes / 64 if `negate` is set, rounded towards 0 and
 * saturated to int16_t.
 */
ROCECC_FN int16_t rocecc_cnm_to_units_(int64_t bytes, bool negate)
{
    const uint64_t size = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
    const uint64_t units = size / ROCECC_CNM_UNIT_BYTES;
    if ((bytes < 0) != negate)
        return (int16_t)(units < 0x8000 ? -(int32_t)units : -0x8000);
    return (int16_t)(units < 0x7fff ? units : 0x7fff);
}

/*
 * Converts Qsp - Qlen in bytes to cnmQOffset in units of 64 bytes. Rounds towards 0,
 * and saturates beyond about 2 MB.
 */
ROCECC_FN int16_t rocecc_cnm_q_offset(rocecc_cnm_signs signs, int64_t bytes)
{
    return rocecc_cnm_to_units_(bytes, signs == ROCECC_CNM_SIGNS_B);
}

/*
 * Converts Qlen - QlenOld in bytes to cnmQDelta in units of 64 bytes. Rounds and
 * saturates as rocecc_cnm_q_offset() does.
 */
ROCECC_FN int16_t rocecc_cnm_q_delta(rocecc_cnm_signs signs, int64_t bytes)
{
    return rocecc_cnm_to_units_(bytes, signs == ROCECC_CNM_SIGNS_C);
}

/*
 * Converts cnmQOffset to Qsp - Qlen in bytes, which is negative if the queue is longer
 * than the set point.
 */
ROCECC_FN int32_t rocecc_cnm_q_offset_bytes(rocecc_cnm_signs signs, int16_t q_offset)
{
    return q_offset * (signs == ROCECC_CNM_SIGNS_B ? -ROCECC_CNM_UNIT_BYTES
                                                   : ROCECC_CNM_UNIT_BYTES);
}

/*
 * Converts cnmQDelta to Qlen - QlenOld in bytes, which is positive if the queue grew.
 */
ROCECC_FN int32_t rocecc_cnm_q_delta_bytes(rocecc_cnm_signs signs, int16_t q_delta)
{
    return q_delta * (signs == ROCECC_CNM_SIGNS_C ? -ROCECC_CNM_UNIT_BYTES
                                                  : ROCECC_CNM_UNIT_BYTES);
}

/* VLAN tag with its TPID. */
typedef struct rocecc_cnm_vlan {
    uint16_t tpid; /* type of the tag, S-tag or C-tag; 0x88A8 or 0x8100 */
    uint8_t pcp;  /* priority of the CNM; 3 bits; cngCnmTransmitPriority, not the data's
                     priority */
    bool dei;     /* drop eligible indicator */
    uint16_t vid; /* VLAN identifier of the sampled frame; 12 bits */
} rocecc_cnm_vlan;

/* Head of a CNM frame, before the PDU. */
typedef struct rocecc_cnm_head {
    rocecc_mac dst; /* source address of the sampled frame */
    rocecc_mac src; /* address of the congestion point; cpMacAddress */
    uint8_t n_vlan; /* number of VLAN tags; 0 to 2 */
    rocecc_cnm_vlan vlan[ROCECC_CNM_VLAN_MAX]; /* VLAN tags; outermost first */
    bool tagged;      /* presence of a CN-TAG; senders always write one */
    uint16_t flow_id; /* flow identifier of the sampled frame; 0 if untagged */
} rocecc_cnm_head;

typedef struct rocecc_cnm_frame {
    rocecc_cnm_head head;
    rocecc_cnm cnm;
} rocecc_cnm_frame;

/* Reads the addresses, the VLAN tags and the type after them (rule 1). */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_read_ether_(rocecc_reader *reader,
                                                    rocecc_cnm_head *head,
                                                    uint16_t *type)
{
    const rocecc_cnm_vlan none = {0, 0, false, 0};
    rocecc_ether ether;
    rocecc_vlan tag;
    int i;
    if (rocecc_ether_parse(reader, &ether) != ROCECC_OK) return ROCECC_CNM_CUT_FRAME;
    head->dst = ether.dst;
    head->src = ether.src;
    head->n_vlan = 0;
    head->vlan[0] = head->vlan[1] = none;
    *type = ether.type;
    for (i = 0; i < ROCECC_CNM_VLAN_MAX && rocecc_vlan_match(*type); i++) {
        if (rocecc_vlan_parse(reader, &tag) != ROCECC_OK) return ROCECC_CNM_CUT_FRAME;
        head->n_vlan = (uint8_t)(i + 1);
        head->vlan[i].tpid = *type;
        head->vlan[i].pcp = tag.pcp;
        head->vlan[i].dei = tag.dei;
        head->vlan[i].vid = tag.vid;
        *type = tag.type;
    }
    return ROCECC_CNM_TAKEN;
}

/*
 * Reads a frame's head and applies rules 1 to 3. If the CN-TAG is absent, the flow id
 * is 0 (rule 13).
 */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_read_head_(rocecc_reader *reader,
                                                   rocecc_cnm_head *head)
{
    uint16_t type = 0;
    const uint8_t *b;
    const rocecc_cnm_verdict v = rocecc_cnm_read_ether_(reader, head, &type);
    if (v != ROCECC_CNM_TAKEN) return v;
    head->tagged = false;
    head->flow_id = 0;
    if (type == ROCECC_TYPE_CNM) return ROCECC_CNM_TAKEN;
    if (rocecc_vlan_match(type)) return ROCECC_CNM_MANY_TAGS;
    if (type != ROCECC_TYPE_CNTAG) return ROCECC_CNM_OTHER_TYPE;
    b = rocecc_take(reader, 4); /* flow id and next type */
    if (b == NULL) return ROCECC_CNM_CUT_FRAME;
    head->tagged = true;
    head->flow_id = rocecc_load16(b);
    return rocecc_load16(b + 2) == ROCECC_TYPE_CNM ? ROCECC_CNM_TAKEN : ROCECC_CNM_DATA;
}

/*
 * Applies rule 12. If config->station is all zeros, any address except a group address
 * is accepted.
 */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_check_dst_(const rocecc_cnm_config *config,
                                                   const rocecc_mac *dst)
{
    uint8_t any = 0, differ = 0;
    int i;
    if ((dst->b[0] & 1) != 0) return ROCECC_CNM_GROUP_DST;
    for (i = 0; i < 6; i++) {
        any |= config->station.b[i];
        differ |= (uint8_t)(config->station.b[i] ^ dst->b[i]);
    }
    return any != 0 && differ != 0 ? ROCECC_CNM_OTHER_DST : ROCECC_CNM_TAKEN;
}

/* Reads a frame. *out may be partly written if the verdict is not TAKEN. */
ROCECC_FN rocecc_cnm_verdict rocecc_cnm_read_frame_(const rocecc_cnm_config *config,
                                                    rocecc_reader frame,
                                                    rocecc_cnm_frame *out)
{
    rocecc_cnm_verdict v = rocecc_cnm_read_head_(&frame, &out->head);
    if (v == ROCECC_CNM_TAKEN) v = rocecc_cnm_pdu_parse(config, &frame, &out->cnm);
    if (v == ROCECC_CNM_TAKEN) v = rocecc_cnm_check_dst_(config, &out->head.dst);
    return v;
}

/*
 * Parses a frame and applies rules 1 to 13 in order. Always writes *verdict. On failure
 * *frame is unchanged. Returns NO_MATCH for a frame of another type (rules 2 and 3) or
 * for another station (rule 12), and SHORT for an incomplete frame (rules 1, 4 and 6).
 * Returns FORMAT for an MSDU length above 64 without tolerate_long (rule 5), or for a
 * group address as the destination (rule 12). Returns UNSUPPORTED for a third VLAN tag
 * (rule 2), or for a version other than 0 with strict_version (rule 8).
 */
ROCECC_FN rocecc_status rocecc_cnm_frame_parse(const rocecc_cnm_config *config,
                                               rocecc_reader bytes,
                                               rocecc_cnm_frame *frame,
                                               rocecc_cnm_verdict *verdict)
{
    const rocecc_cnm_vlan vlan = {0, 0, false, 0};
    rocecc_cnm_frame out = {{{{0}}, {{0}}, 0, {vlan, vlan}, false, 0},
                            {0, 0, 0, 0, 0, 0, 0, 0, {{0}}, 0, bytes}};
    const rocecc_cnm_verdict v = rocecc_cnm_read_frame_(config, bytes, &out);
    rocecc_status status = rocecc_cnm_status_(v);
    *verdict = v;
    ROCECC_MERGE_PATHS_(status);
    if (status == ROCECC_OK) *frame = out;
    return status;
}

/* Returns true unless rocecc_cnm_head_emit() would return RANGE. */
ROCECC_FN bool rocecc_cnm_head_fits_(const rocecc_cnm_head *head)
{
    size_t n = head->n_vlan, i;
    if (n > ROCECC_CNM_VLAN_MAX || (!head->tagged && head->flow_id != 0)) return false;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_CNM_VLAN_MAX && i < n; i++)
        if (!rocecc_vlan_match(head->vlan[i].tpid) || head->vlan[i].pcp >> 3 != 0 ||
            head->vlan[i].vid >> 12 != 0)
            return false;
    return true;
}

/* Returns the number of bytes before the PDU, 14 to 26 for a valid head. */
ROCECC_FN size_t rocecc_cnm_head_bytes(const rocecc_cnm_head *head)
{
    return ROCECC_ETHER_BYTES + (size_t)head->n_vlan * ROCECC_VLAN_BYTES +
           (head->tagged ? ROCECC_CNTAG_BYTES : 0);
}

/*
 * Writes a frame's head, from DA through Type. Does not change the bytes after the
 * head, so the caller may write the PDU first. Returns RANGE if a value is wider than
 * its field, if a VLAN tag's TPID is neither 0x88A8 nor 0x8100, if there are more than
 * 2 VLAN tags, or if flow_id is not 0 although `tagged` is false. Returns SPACE if
 * rocecc_cnm_head_bytes() bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_cnm_head_emit(rocecc_writer *writer,
                                             const rocecc_cnm_head *head)
{
    rocecc_writer out = *writer;
    uint8_t *b;
    size_t n = head->n_vlan, i;
    if (!rocecc_cnm_head_fits_(head)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < rocecc_cnm_head_bytes(head)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 12);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_mac_store(b, &head->dst);
    rocecc_mac_store(b + 6, &head->src);
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_CNM_VLAN_MAX && i < n; i++) {
        const rocecc_cnm_vlan *v = &head->vlan[i];
        b = rocecc_put(&out, ROCECC_VLAN_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store16(b, v->tpid);
        rocecc_store16(b + 2, (uint16_t)(v->pcp << 13 | v->dei << 12 | v->vid));
    }
    if (head->tagged) {
        b = rocecc_put(&out, ROCECC_CNTAG_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store16(b, ROCECC_TYPE_CNTAG);
        rocecc_store16(b + 2, head->flow_id);
    }
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, ROCECC_TYPE_CNM);
    *writer = out;
    return ROCECC_OK;
}

/*
 * Writes a frame of 60 to 114 bytes. If the head and the PDU together have fewer than
 * 60 bytes, the frame is padded with zeros to 60 bytes. Returns RANGE if
 * rocecc_cnm_head_emit() or rocecc_cnm_emit() would do so, and SPACE if the frame,
 * including its padding, does not fit.
 */
ROCECC_FN rocecc_status rocecc_cnm_frame_build(rocecc_writer *writer,
                                               const rocecc_cnm_config *config,
                                               const rocecc_cnm_frame *frame)
{
    const size_t bytes =
        rocecc_cnm_head_bytes(&frame->head) + rocecc_cnm_bytes(config, &frame->cnm);
    rocecc_writer out = *writer, least = *writer;
    rocecc_status status;
    uint8_t *b;
    int i;
    if (!rocecc_cnm_head_fits_(&frame->head) || !rocecc_cnm_fits(&frame->cnm))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&least, ROCECC_CNM_FRAME_MIN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    for (i = 0; i < ROCECC_CNM_FRAME_MIN_BYTES; i++)
        b[i] = 0;
    status = rocecc_cnm_head_emit(&out, &frame->head);
    if (status != ROCECC_OK) return status;
    status = rocecc_cnm_emit(&out, config, &frame->cnm);
    if (status != ROCECC_OK) return status;
    *writer = bytes < ROCECC_CNM_FRAME_MIN_BYTES ? least : out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_CNM_H */
