/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IOAM_H
#define ROCECC_WIRE_IOAM_H

/*
 * ioam.h - in-situ OAM in IPv6 options: RFC 9486, 3; RFC 9197, 4.4. So far the header
 * of a trace, the check that its lengths agree, and where a packet has one.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Option Type  |  Opt Data Len |    Reserved   | IOAM-Opt-Type |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Namespace-ID          | NodeLen | Flags | RemainingLen|
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                IOAM-Trace-Type                |    Reserved   |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       pre-allocated: free space, RemainingLen words           |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       node data, NodeLen words a node, the newest first       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 * The first word is the option's (ip6opt.h), the rest is the trace. A word is 4 bytes.
 */
#include "ip6opt.h"

/* In a Hop-by-Hop Options header; chg is set, as nodes write into it. */
#define ROCECC_IOAM_OPTION_HBH 0x31u
/* Not changed on the way: edge-to-edge in Destination Options, direct export. */
#define ROCECC_IOAM_OPTION_FIXED 0x11u

#define ROCECC_IOAM_OPTION_BYTES 2 /* Reserved, IOAM-Opt-Type */
#define ROCECC_IOAM_TRACE_BYTES 8  /* the header alone */

typedef enum rocecc_ioam_opt_type {
    ROCECC_IOAM_PREALLOCATED = 0,
    ROCECC_IOAM_INCREMENTAL = 1, /* RFC 9486 carries it nowhere; others may */
    ROCECC_IOAM_PROOF_OF_TRANSIT = 2,
    ROCECC_IOAM_EDGE_TO_EDGE = 3,
    ROCECC_IOAM_DIRECT_EXPORT = 4 /* RFC 9326 */
} rocecc_ioam_opt_type;

/* Of the 4 bits of Flags; the last is not assigned. RFC 9197, 4.4.1; RFC 9322. */
#define ROCECC_IOAM_FLAG_OVERFLOW 0x8u /* a node had no room, nodes are missing */
#define ROCECC_IOAM_FLAG_LOOPBACK 0x4u
#define ROCECC_IOAM_FLAG_ACTIVE 0x2u /* a probe */

/* Of IOAM-Trace-Type, whose bit 0 is 0x800000. */
#define ROCECC_IOAM_WIDE 0x00e000u     /* bits 8 to 10: two words a node */
#define ROCECC_IOAM_SNAPSHOT 0x000002u /* bit 22: opaque state, of its own length */
#define ROCECC_IOAM_RESERVED 0x000001u /* bit 23 */

/* Option Data of an IOAM option. */
typedef struct rocecc_ioam_option {
    uint8_t reserved;
    uint8_t opt_type;   /* a rocecc_ioam_opt_type, or what came later */
    rocecc_reader data; /* from Namespace-ID on */
} rocecc_ioam_option;

/* The header of a trace. */
typedef struct rocecc_ioam_trace {
    uint16_t namespace_id;
    uint8_t node_len;      /* 5 bits: words that each node adds, snapshot excluded */
    uint8_t flags;         /* 4 bits */
    uint8_t remaining_len; /* 7 bits: words that nodes may still write */
    uint32_t trace_type;   /* 24 bits */
    uint8_t reserved;
} rocecc_ioam_trace;

/* NodeLen, as the trace type gives it: 0 to 25 words. RFC 9197, 4.4.1. */
ROCECC_FN uint8_t rocecc_ioam_node_len(uint32_t trace_type)
{
    const uint32_t wide = trace_type & ROCECC_IOAM_WIDE;
    uint32_t n = trace_type & 0xfffffcu; /* a word each, but bits 22 and 23 */
    n = (n & 0x555555u) + (n >> 1 & 0x555555u);
    n = (n & 0x333333u) + (n >> 2 & 0x333333u);
    n = (n & 0x0f0f0fu) + (n >> 4 & 0x0f0f0fu);
    n = (n & 0xff) + (n >> 8 & 0xff) + (n >> 16);
    return (uint8_t)(n + (wide >> 13 & 1) + (wide >> 14 & 1) + (wide >> 15));
}

/* Total: any 8 bytes are the header of a trace. */
ROCECC_FN rocecc_ioam_trace rocecc_ioam_trace_load(const uint8_t *b)
{
    const uint32_t w0 = rocecc_load32(b);
    const uint32_t w1 = rocecc_load32(b + 4);
    rocecc_ioam_trace h;
    h.namespace_id = (uint16_t)(w0 >> 16);
    h.node_len = (uint8_t)(w0 >> 11 & 0x1f);
    h.flags = (uint8_t)(w0 >> 7 & 0xf);
    h.remaining_len = (uint8_t)(w0 & 0x7f);
    h.trace_type = w1 >> 8;
    h.reserved = (uint8_t)w1;
    return h;
}

/* Writes 8 bytes. A value too wide loses its high bits and touches no neighbour. */
ROCECC_FN void rocecc_ioam_trace_store(uint8_t *b, const rocecc_ioam_trace *h)
{
    rocecc_store32(b, (uint32_t)h->namespace_id << 16 | (h->node_len & 0x1fu) << 11 |
                          (h->flags & 0xfu) << 7 | (h->remaining_len & 0x7fu));
    rocecc_store32(b + 4, h->trace_type << 8 | h->reserved);
}

/* SHORT: fewer than 8 bytes. Of what follows, see rocecc_ioam_trace_match(). */
ROCECC_FN rocecc_status rocecc_ioam_trace_parse(rocecc_reader *r, rocecc_ioam_trace *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_ioam_trace_load(b);
    return ROCECC_OK;
}

/* RANGE: a value is wider than its field. SPACE: no room for 8 bytes. */
ROCECC_FN rocecc_status rocecc_ioam_trace_emit(rocecc_writer *w,
                                               const rocecc_ioam_trace *h)
{
    uint8_t *b;
    if ((h->node_len >> 5 | h->flags >> 4 | h->remaining_len >> 7) != 0 ||
        h->trace_type >> 24 != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ioam_trace_store(b, h);
    return ROCECC_OK;
}

/*
 * Whether a trace, from Namespace-ID to its last byte, is one that nodes can be read
 * from: of kind 0 or 1; whole words; NodeLen as the trace type has it; of kind 0, as
 * much free space as it says, or more; and whole nodes behind it. Nodes with a snapshot
 * tell their length each for itself: whether the last one ends where the trace does is
 * left to who walks them.
 */
ROCECC_FN bool rocecc_ioam_trace_match(uint8_t opt_type, rocecc_reader trace)
{
    const uint8_t *b = rocecc_take(&trace, ROCECC_IOAM_TRACE_BYTES);
    size_t words = rocecc_left(&trace);
    rocecc_ioam_trace h;
    if (b == NULL || words % 4 != 0 || opt_type > ROCECC_IOAM_INCREMENTAL) return false;
    h = rocecc_ioam_trace_load(b);
    if (h.node_len != rocecc_ioam_node_len(h.trace_type)) return false;
    words /= 4;
    if (opt_type == ROCECC_IOAM_PREALLOCATED) {
        if (h.remaining_len > words) return false;
        words -= h.remaining_len;
    }
    if ((h.trace_type & ROCECC_IOAM_SNAPSHOT) != 0) return true;
    return h.node_len == 0 ? words == 0 : words % h.node_len == 0;
}

/* Reads the Option Data of an IOAM option. FORMAT: it has no 2 bytes. */
ROCECC_FN rocecc_status rocecc_ioam_option_parse(rocecc_reader body,
                                                 rocecc_ioam_option *o)
{
    const uint8_t *b = rocecc_take(&body, ROCECC_IOAM_OPTION_BYTES);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    o->reserved = b[0];
    o->opt_type = b[1];
    o->data = body;
    return ROCECC_OK;
}

/*
 * Finds the first trace among Hop-by-Hop options, of either kind; other IOAM options
 * are passed over. Whether its lengths agree is not looked at. NO_MATCH: none. FORMAT,
 * UNSUPPORTED: as rocecc_ip6opt_find(), or an IOAM option without an IOAM-Opt-Type.
 */
ROCECC_FN rocecc_status rocecc_ioam_trace_find(rocecc_reader options,
                                               rocecc_ioam_option *o)
{
    int i;
    for (i = 0;; i++) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
        rocecc_ioam_option found = {0, 0, options};
        rocecc_status status = rocecc_ip6opt_skip_pad_(&options);
        if (status == ROCECC_END) return ROCECC_NO_MATCH;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        status = rocecc_ip6opt_next(&options, &opt);
        if (status != ROCECC_OK) return status;
        if (opt.type != ROCECC_IOAM_OPTION_HBH) continue;
        status = rocecc_ioam_option_parse(opt.body, &found);
        if (status != ROCECC_OK) return status;
        if (found.opt_type > ROCECC_IOAM_INCREMENTAL) continue;
        *o = found;
        return ROCECC_OK;
    }
}

#endif /* ROCECC_WIRE_IOAM_H */
