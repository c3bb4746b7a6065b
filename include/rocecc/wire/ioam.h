/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IOAM_H
#define ROCECC_WIRE_IOAM_H

/*
 * ioam.h - in-situ OAM in IPv6 options: RFC 9486, 3; traces: RFC 9197, 4.4. What is in
 * a node: ioamnode.h. Direct export and edge to edge: ioamdex.h. Proof of transit is
 * told apart, and no more.
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
 *     31 46 00 00 007b 2805 d20800 00    a trace for 3 nodes of 5 words, of which 2
 *                                        have come: RemainingLen is 5
 *
 * The first word is the option's (ip6opt.h), the rest is the trace. A word is 4 bytes.
 */
#include "ioamnode.h"
#include "ip6opt.h"

/* In a Hop-by-Hop Options header; chg is set, as nodes write into it. */
#define ROCECC_IOAM_OPTION_HBH 0x31u
/*
 * Not changed on the way: edge-to-edge in Destination Options, direct export in
 * Hop-by-Hop Options. Others use the same number for alternate marking.
 */
#define ROCECC_IOAM_OPTION_FIXED 0x11u

#define ROCECC_IOAM_OPTION_BYTES 2 /* Reserved, IOAM-Opt-Type */
#define ROCECC_IOAM_TRACE_BYTES 8  /* the header alone */
#define ROCECC_IOAM_WORDS_MAX 61   /* of nodes, in an IPv6 option: Opt Data Len 254 */

/*
 * The most nodes of a trace; one that has more is UNSUPPORTED. An IPv6 option never
 * has: it has no more words.
 */
#ifndef ROCECC_IOAM_NODES_MAX
#if defined(__bpf__)
#define ROCECC_IOAM_NODES_MAX 16
#else
#define ROCECC_IOAM_NODES_MAX 64
#endif
#endif

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
 * Whether an option that was found stands where RFC 9486, 3, wants it: its type at a
 * multiple of 4 bytes from the first byte of its header. options is that header's whole
 * list, which begins at the third.
 */
ROCECC_FN bool rocecc_ioam_option_aligned(rocecc_reader options,
                                          const rocecc_ioam_option *o)
{
    return ((o->data.at - options.at) & 3) == 2;
}

/*
 * Finds the first trace in a whole list of Hop-by-Hop options, of either kind; other
 * IOAM options are passed over. Whether its lengths agree is not looked at. NO_MATCH:
 * none. FORMAT, UNSUPPORTED: as rocecc_ip6opt_find(), or an IOAM option without an
 * IOAM-Opt-Type; or a trace that is not aligned, which the kernel of Linux drops, too.
 */
ROCECC_FN rocecc_status rocecc_ioam_trace_find(rocecc_reader options,
                                               rocecc_ioam_option *o)
{
    const rocecc_reader list = options;
    int i;
    for (i = 0;; i++) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
        rocecc_ioam_option found = {0, 0, options};
        rocecc_status status = rocecc_ip6opt_skip_pad(&options);
        if (status == ROCECC_END) return ROCECC_NO_MATCH;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        status = rocecc_ip6opt_next(&options, &opt);
        if (status != ROCECC_OK) return status;
        if (opt.type != ROCECC_IOAM_OPTION_HBH) continue;
        status = rocecc_ioam_option_parse(opt.body, &found);
        if (status != ROCECC_OK) return status;
        if (found.opt_type > ROCECC_IOAM_INCREMENTAL) continue;
        if (!rocecc_ioam_option_aligned(list, &found)) return ROCECC_ERR_FORMAT;
        *o = found;
        return ROCECC_OK;
    }
}

/*
 * Steps to the next IOAM option of a list, of one option type: 0x31, or 0x11 in a
 * header where that is IOAM's. There may be several, even of one kind. END: no further
 * one. FORMAT, UNSUPPORTED: as rocecc_ip6opt_find(), or an option without an
 * IOAM-Opt-Type. Whether it is aligned is for the caller to ask.
 */
ROCECC_FN rocecc_status rocecc_ioam_option_next(rocecc_reader *options, uint8_t type,
                                                rocecc_ioam_option *o)
{
    rocecc_reader rest = *options;
    int i;
    for (i = 0;; i++) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, rest};
        rocecc_status status = rocecc_ip6opt_skip_pad(&rest);
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        status = rocecc_ip6opt_next(&rest, &opt);
        if (status != ROCECC_OK) return status;
        if (opt.type != type) continue;
        status = rocecc_ioam_option_parse(opt.body, o);
        if (status == ROCECC_OK) *options = rest;
        return status;
    }
}

/*
 * Writes an IOAM option, from its type on. RANGE: more than 253 bytes of data. SPACE: w
 * is too small.
 */
ROCECC_FN rocecc_status rocecc_ioam_option_emit(rocecc_writer *w, uint8_t type,
                                                const rocecc_ioam_option *o)
{
    const size_t len = ROCECC_IOAM_OPTION_BYTES + rocecc_left(&o->data);
    rocecc_writer out = *w;
    uint8_t *b;
    if (len > 255) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < 2 + len) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2 + ROCECC_IOAM_OPTION_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = type;
    b[1] = (uint8_t)len;
    b[2] = o->reserved;
    b[3] = o->opt_type;
    if (!rocecc_append(&out, o->data, 253)) return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

/* Loopback is for traces of nothing but bit 0; in others, L is to be ignored. RFC 9322.
 */
ROCECC_FN bool rocecc_ioam_loopback_match(const rocecc_ioam_trace *h)
{
    return (h->flags & ROCECC_IOAM_FLAG_LOOPBACK) != 0 &&
           h->trace_type == ROCECC_IOAM_NODE;
}

/* A trace that was found, taken apart. RFC 9197, 4.4.1. */
typedef struct rocecc_ioam_view {
    uint8_t reserved;
    uint8_t opt_type; /* ROCECC_IOAM_PREALLOCATED or INCREMENTAL */
    uint8_t count;    /* of nodes */
    rocecc_ioam_layout layout;
    rocecc_ioam_trace trace;
    rocecc_reader free_space; /* pre-allocated: RemainingLen words; otherwise none */
    rocecc_reader nodes;      /* for rocecc_ioam_node_next(), the newest first */
} rocecc_ioam_view;

/* Takes the words of one node; false, and nothing moved, where that is not there. */
ROCECC_FN bool rocecc_ioam_node_split_(const rocecc_ioam_trace *h, rocecc_reader *nodes,
                                       rocecc_reader *words, rocecc_reader *snapshot)
{
    rocecc_reader rest = *nodes;
    const uint8_t *b;
    if (!rocecc_split(&rest, 4 * (size_t)h->node_len, words)) return false;
    *snapshot = rest;
    if ((h->trace_type & ROCECC_IOAM_SNAPSHOT) != 0) {
        b = rocecc_take(&rest, 4);
        if (b == NULL || rocecc_take(&rest, 4 * (size_t)b[0]) == NULL) return false;
    }
    snapshot->end = rest.at;
    *nodes = rest;
    return true;
}

/* How many nodes there are. FORMAT: the last one is not whole. UNSUPPORTED: the cap. */
ROCECC_FN rocecc_status rocecc_ioam_count_(const rocecc_ioam_trace *h,
                                           rocecc_reader nodes, uint8_t *count)
{
    rocecc_reader words, snapshot;
    uint8_t n;
    for (n = 0;; n++) {
        if (rocecc_left(&nodes) == 0) break;
        if (n == ROCECC_IOAM_NODES_MAX) return ROCECC_ERR_UNSUPPORTED;
        if (!rocecc_ioam_node_split_(h, &nodes, &words, &snapshot))
            return ROCECC_ERR_FORMAT;
    }
    *count = n;
    return ROCECC_OK;
}

/*
 * Takes an option apart. NO_MATCH: it is no trace. FORMAT: rocecc_ioam_trace_match()
 * does not hold, or the trace type asks for nothing, or a snapshot goes beyond the
 * trace. UNSUPPORTED: more than ROCECC_IOAM_NODES_MAX nodes. With L set, see
 * rocecc_ioam_loopback_match(). With O set, the nodes nearest the receiver are missing.
 */
ROCECC_FN rocecc_status rocecc_ioam_view_parse(const rocecc_ioam_config *c,
                                               const rocecc_ioam_option *o,
                                               rocecc_ioam_view *v)
{
    rocecc_reader rest = o->data;
    const uint8_t *b = rocecc_take(&rest, ROCECC_IOAM_TRACE_BYTES);
    size_t words = 0;
    rocecc_ioam_view out;
    rocecc_status status;
    if (o->opt_type > ROCECC_IOAM_INCREMENTAL) return ROCECC_NO_MATCH;
    if (b == NULL || !rocecc_ioam_trace_match(o->opt_type, o->data))
        return ROCECC_ERR_FORMAT;
    out.reserved = o->reserved;
    out.opt_type = o->opt_type;
    out.trace = rocecc_ioam_trace_load(b);
    if ((out.trace.trace_type & ROCECC_IOAM_DATA) == 0) return ROCECC_ERR_FORMAT;
    if (o->opt_type == ROCECC_IOAM_PREALLOCATED) words = out.trace.remaining_len;
    if (!rocecc_split(&rest, 4 * words, &out.free_space)) return ROCECC_ERR_FORMAT;
    rocecc_ioam_layout_of(c, out.trace.trace_type, &out.layout);
    out.nodes = rest;
    status = rocecc_ioam_count_(&out.trace, rest, &out.count);
    if (status == ROCECC_OK) *v = out;
    ROCECC_PASSED_(v);
    return status;
}

/* Each word of a node to where it belongs. */
ROCECC_FN void rocecc_ioam_node_load_(const rocecc_ioam_layout *l, rocecc_reader words,
                                      rocecc_ioam_node *n)
{
    int i;
    rocecc_ioam_node_init(n);
    for (i = 0; i < ROCECC_IOAM_WORD_SNAPSHOT; i++) {
        const uint8_t *b = rocecc_take(&words, 4);
        if (b == NULL) break;
        n->word[l->word[i] & 31] = rocecc_load32(b);
    }
}

/*
 * Steps to the next node; nodes begins as v->nodes, and the first is the newest, the
 * last the first on the path. END: no further one. FORMAT: nodes is not of v.
 */
ROCECC_FN rocecc_status rocecc_ioam_node_next(const rocecc_ioam_view *v,
                                              rocecc_reader *nodes, rocecc_ioam_node *n)
{
    rocecc_reader rest = *nodes, words, snapshot;
    const uint8_t *b;
    if (rocecc_left(nodes) == 0) return ROCECC_END;
    if (!rocecc_ioam_node_split_(&v->trace, &rest, &words, &snapshot))
        return ROCECC_ERR_FORMAT;
    rocecc_ioam_node_load_(&v->layout, words, n);
    b = rocecc_take(&snapshot, 4);
    if (b != NULL) n->word[ROCECC_IOAM_WORD_SNAPSHOT] = rocecc_load32(b);
    *nodes = rest;
    return ROCECC_OK;
}

/* The data of n's snapshot; nodes is as rocecc_ioam_node_next() of n has left it. */
ROCECC_FN rocecc_reader rocecc_ioam_snapshot(const rocecc_ioam_node *n,
                                             rocecc_reader nodes)
{
    const size_t bytes = 4 * (size_t)rocecc_ioam_snapshot_words(n);
    return rocecc_between(nodes, nodes.at < bytes ? 0 : nodes.at - bytes, nodes.at);
}

/* How many words node data takes: NodeLen, and those of the snapshot. */
ROCECC_FN size_t rocecc_ioam_node_words(uint32_t trace_type, const rocecc_ioam_node *n)
{
    const size_t words = rocecc_ioam_node_len(trace_type);
    if ((trace_type & ROCECC_IOAM_SNAPSHOT) == 0) return words;
    return words + 1 + rocecc_ioam_snapshot_words(n);
}

/* Whether this is the data of n's snapshot: as many words as n says. */
ROCECC_FN bool rocecc_ioam_node_fits(const rocecc_ioam_node *n, rocecc_reader snapshot)
{
    return rocecc_left(&snapshot) == 4 * (size_t)rocecc_ioam_snapshot_words(n);
}

/*
 * Writes what the trace type asks for. RANGE: the data of the snapshot is not as long
 * as n says. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_ioam_node_emit(rocecc_writer *w,
                                              const rocecc_ioam_config *c,
                                              uint32_t trace_type,
                                              const rocecc_ioam_node *n,
                                              rocecc_reader snapshot)
{
    const int words = rocecc_ioam_node_len(trace_type);
    rocecc_writer out = *w;
    rocecc_ioam_layout l;
    uint8_t *b;
    int i;
    if (!rocecc_ioam_node_fits(n, snapshot)) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < 4 * rocecc_ioam_node_words(trace_type, n))
        return ROCECC_ERR_SPACE;
    rocecc_ioam_layout_of(c, trace_type, &l);
    for (i = 0; i < ROCECC_IOAM_WORD_SNAPSHOT && i < words; i++) {
        b = rocecc_put(&out, 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store32(b, n->word[l.word[i] & 31]);
    }
    if ((trace_type & ROCECC_IOAM_SNAPSHOT) != 0) {
        b = rocecc_put(&out, 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store32(b, n->word[ROCECC_IOAM_WORD_SNAPSHOT]);
        if (!rocecc_append(&out, snapshot, 1020)) return ROCECC_ERR_SPACE;
    }
    *w = out;
    return ROCECC_OK;
}

/*
 * How many routers without IOAM were between two nodes next to each other in a trace:
 * Hop_Lim falls by one at every router. NO_MATCH: one of them has no Hop_Lim. FORMAT:
 * it does not fall.
 */
ROCECC_FN rocecc_status rocecc_ioam_node_gap(const rocecc_ioam_node *newer,
                                             const rocecc_ioam_node *older,
                                             uint8_t *routers)
{
    rocecc_ioam_item item = ROCECC_IOAM_ITEM_HOP_LIMIT;
    uint64_t from, to;
    if (!rocecc_ioam_has(newer, item) || !rocecc_ioam_has(older, item))
        item = ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE;
    if (!rocecc_ioam_has(newer, item) || !rocecc_ioam_has(older, item))
        return ROCECC_NO_MATCH;
    from = rocecc_ioam_get(older, item);
    to = rocecc_ioam_get(newer, item);
    if (from <= to) return ROCECC_ERR_FORMAT;
    *routers = (uint8_t)(from - to - 1);
    return ROCECC_OK;
}

/* A Hop-by-Hop Options header with a trace in which there is no node yet. */
typedef struct rocecc_ioam_source {
    uint8_t next_header;
    uint8_t opt_type; /* ROCECC_IOAM_PREALLOCATED or INCREMENTAL */
    uint16_t namespace_id;
    uint8_t flags;       /* O and the last are 0; L only with a trace type of bit 0 */
    uint32_t trace_type; /* 24 bits, bit 23 is 0 */
    uint8_t words;       /* RemainingLen. Pre-allocated: the free space, 61 at most;
                            incremental: there is none yet, 127 at most */
} rocecc_ioam_source;

/* Whether there is such a trace: each value is as its comment says. */
ROCECC_FN bool rocecc_ioam_source_fits(const rocecc_ioam_source *s)
{
    const uint32_t flags = ROCECC_IOAM_FLAG_LOOPBACK | ROCECC_IOAM_FLAG_ACTIVE;
    const uint8_t most = s->opt_type == ROCECC_IOAM_INCREMENTAL ? 127 : 61;
    return s->opt_type <= ROCECC_IOAM_INCREMENTAL && s->words <= most &&
           (s->trace_type & ~ROCECC_IOAM_DATA) == 0 && s->trace_type != 0 &&
           (s->flags & ~flags) == 0 &&
           ((s->flags & ROCECC_IOAM_FLAG_LOOPBACK) == 0 ||
            s->trace_type == ROCECC_IOAM_NODE);
}

/* Of the option: its first 4 bytes, the header of the trace, and the free space. */
ROCECC_FN size_t rocecc_ioam_source_bytes(const rocecc_ioam_source *s)
{
    const size_t words = s->opt_type == ROCECC_IOAM_PREALLOCATED ? s->words : 0;
    return 4 + ROCECC_IOAM_TRACE_BYTES + 4 * words;
}

/* Of the whole header: for n nodes of NodeLen words, 16 + 4 n NodeLen, padded to 8 k.
 */
ROCECC_FN size_t rocecc_ioam_build_bytes(const rocecc_ioam_source *s)
{
    return (4 + rocecc_ioam_source_bytes(s) + 7) / 8 * 8;
}

/* Writes the option, with free space of zeros. RANGE, SPACE: as rocecc_ioam_build(). */
ROCECC_FN rocecc_status rocecc_ioam_source_emit(rocecc_writer *w,
                                                const rocecc_ioam_source *s)
{
    const size_t bytes = rocecc_ioam_source_bytes(s);
    rocecc_writer out = *w;
    rocecc_ioam_trace h = {0, 0, 0, 0, 0, 0};
    uint8_t *b;
    size_t i;
    if (!rocecc_ioam_source_fits(s)) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    h.namespace_id = s->namespace_id;
    h.node_len = rocecc_ioam_node_len(s->trace_type);
    h.flags = s->flags;
    h.remaining_len = s->words;
    h.trace_type = s->trace_type;
    b = rocecc_put(&out, 4 + ROCECC_IOAM_TRACE_BYTES);
    if (b != NULL) {
        b[0] = ROCECC_IOAM_OPTION_HBH;
        b[1] = (uint8_t)(bytes - 2);
        b[2] = 0;
        b[3] = s->opt_type;
        rocecc_ioam_trace_store(b + 4, &h);
    }
    for (i = 4 + ROCECC_IOAM_TRACE_BYTES; i < bytes; i += 4) {
        b = rocecc_put(&out, 4); /* there is room: seen above */
        if (b != NULL) rocecc_store32(b, 0);
    }
    *w = out;
    return ROCECC_OK;
}

/*
 * Writes the header: PadN, the option at a multiple of 4, padding to a multiple of 8.
 * RANGE: a value that its comment excludes. SPACE: w has less than
 * rocecc_ioam_build_bytes().
 */
ROCECC_FN rocecc_status rocecc_ioam_build(rocecc_writer *w, const rocecc_ioam_source *s)
{
    const size_t bytes = rocecc_ioam_build_bytes(s);
    const size_t after = bytes - 4 - rocecc_ioam_source_bytes(s);
    rocecc_writer out = *w;
    uint8_t *b;
    if (!rocecc_ioam_source_fits(s)) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 4);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = s->next_header;
    b[1] = (uint8_t)(bytes / 8 - 1);
    rocecc_store16(b + 2, 0x0100);
    if (rocecc_ioam_source_emit(&out, s) != ROCECC_OK ||
        rocecc_ip6opt_pad_emit(&out, after) != ROCECC_OK)
        return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IOAM_H */
