/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_IOAM_H
#define TESTS_LAW_IOAM_H

#include "draw.h"
#include "law.h"
#include "edit.h"
#include "rocecc/packet/ioam.h"
#include "rocecc/wire/ioamdex.h"
#include "../../examples/lib/ioam_shown.h"

/* Returns the words of a trace type, from bit 0 on (RFC 9197, 4.4.2). */
LAW_FN unsigned law_ioam_words(uint32_t trace_type)
{
    static const uint8_t words[24] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1,
                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
    unsigned n = 0, bit;
    for (bit = 0; bit < 24; bit++)
        if (trace_type >> (23 - bit) & 1) n += words[bit];
    return n;
}

/* Returns the expected result of rocecc_ioam_trace_match(). */
LAW_FN bool law_ioam_nodes(uint8_t opt_type, rocecc_reader trace)
{
    const uint8_t *b = rocecc_take(&trace, 8);
    unsigned words, remaining;
    if (b == NULL || (opt_type != 0 && opt_type != 1)) return false;
    words = law_ioam_words((uint32_t)b[4] << 16 | (uint32_t)b[5] << 8 | b[6]);
    remaining = b[3] & 0x7f;
    if (b[2] / 8 != words) return false;
    if (opt_type == 0 && rocecc_take(&trace, 4 * (size_t)remaining) == NULL)
        return false;
    if (b[6] & 2) /* a snapshot has any number of words */
        while (rocecc_take(&trace, 4) != NULL)
            ;
    else if (words != 0)
        while (rocecc_take(&trace, 4 * (size_t)words) != NULL)
            ;
    return rocecc_left(&trace) == 0;
}

/* Returns the expected status of rocecc_ioam_trace_find(). */
LAW_FN rocecc_status law_ioam_found(rocecc_reader options, size_t *at)
{
    const size_t header = options.at - 2; /* wraps without a header */
    size_t n = 0, pad = 0;
    rocecc_ip6opt o;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&options, &o)) == ROCECC_OK) {
        const uint8_t *b;
        if (o.type <= ROCECC_IP6OPT_PADN) {
            pad += rocecc_left(&o.body) + (o.type == ROCECC_IP6OPT_PAD1 ? 1 : 2);
            if (pad > ROCECC_IP6OPT_PAD_MAX) return ROCECC_ERR_UNSUPPORTED;
            while ((b = rocecc_take(&o.body, 1)) != NULL)
                if (*b != 0) return ROCECC_ERR_FORMAT;
            continue;
        }
        if (++n > ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        pad = 0;
        if (o.type != 0x31) continue;
        b = rocecc_take(&o.body, 2);
        if (b == NULL) return ROCECC_ERR_FORMAT;
        *at = o.body.at;
        if (b[1] == 0 || b[1] == 1)
            return (o.body.at - 4 - header) % 4 == 0 ? ROCECC_OK : ROCECC_ERR_FORMAT;
    }
    return status == ROCECC_END ? ROCECC_NO_MATCH : status;
}

/* Checks the bytes as a trace of each kind. */
LAW_FN uint32_t law_ioam_trace(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_IOAM_TRACE_BYTES);
    rocecc_writer w = law_writer(back, ROCECC_IOAM_TRACE_BYTES);
    rocecc_reader rest = r;
    rocecc_ioam_trace h;
    const rocecc_status status = rocecc_ioam_trace_parse(&rest, &h);
    const bool preallocated = rocecc_ioam_trace_match(ROCECC_IOAM_PREALLOCATED, r);
    const bool incremental = rocecc_ioam_trace_match(ROCECC_IOAM_INCREMENTAL, r);
    LAW(!rocecc_ioam_trace_match(ROCECC_IOAM_PROOF_OF_TRANSIT, r));
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_SHORT && rest.at == r.at);
        LAW(!preallocated && !incremental);
        return law_mix(digest, status);
    }
    LAW_FIELDS(ROCECC_IOAM_TRACE_FIELDS, &h)
    digest = law_mix(digest, rocecc_ioam_node_len(h.trace_type));
    digest = law_mix(digest, preallocated);
    digest = law_mix(digest, incremental);
    LAW(rocecc_ioam_trace_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == 8);
    LAW(law_same(r, &w, ROCECC_IOAM_TRACE_BYTES));
    LAW(rocecc_ioam_trace_emit(&w, &h) == ROCECC_ERR_SPACE);
#if !defined(__bpf__)
    LAW(preallocated == law_ioam_nodes(0, r));
    LAW(incremental == law_ioam_nodes(1, r));
#endif
    return digest;
}

/* Returns a configuration with up to two draft items and this or another namespace. */
LAW_FN rocecc_ioam_config law_ioam_config(uint8_t seed, uint16_t namespace_id)
{
    rocecc_ioam_config c;
    c.namespace_id = (uint16_t)(namespace_id ^ (seed >> 5 & 1));
    c.tx_bytes_bit = (uint8_t)((seed & 3) == 1 ? 0 : 12 + (seed & 7));
    c.interface_bit = (uint8_t)(13 + (seed >> 2 & 15));
    c.leave_undefined = (seed >> 4 & 1) != 0;
    return c;
}

/* Position of a walk over the nodes of a trace. */
typedef struct law_ioam_walk {
    uint32_t trace_type;
    uint32_t at;
    uint32_t end;
    uint8_t seed;
} law_ioam_walk;

#if !defined(__bpf__)
/* Returns the expected status of rocecc_ioam_view_parse(). */
LAW_FN rocecc_status law_ioam_status(uint8_t opt_type, rocecc_reader trace,
                                     size_t *count)
{
    rocecc_reader r = trace;
    const uint8_t *b = rocecc_take(&r, 8);
    unsigned words;
    uint32_t type;
    *count = 0;
    if (opt_type != 0 && opt_type != 1) return ROCECC_NO_MATCH;
    if (!law_ioam_nodes(opt_type, trace)) return ROCECC_ERR_FORMAT;
    type = rocecc_load32(b + 4) >> 8;
    words = law_ioam_words(type);
    if (words == 0 && (type & 2) == 0) return ROCECC_ERR_FORMAT;
    if (opt_type == 0) (void)rocecc_take(&r, 4 * (size_t)(b[3] & 0x7f));
    for (; rocecc_left(&r) != 0; ++*count) { /* nodes beyond the cap are not read */
        if (*count == ROCECC_IOAM_NODES_MAX) return ROCECC_ERR_UNSUPPORTED;
        if (rocecc_take(&r, 4 * (size_t)words) == NULL) return ROCECC_ERR_FORMAT;
        if ((type & 2) != 0) {
            b = rocecc_take(&r, 4);
            if (b == NULL || rocecc_take(&r, 4 * (size_t)b[0]) == NULL)
                return ROCECC_ERR_FORMAT;
        }
    }
    return ROCECC_OK;
}

/* Returns true if n has the value of these bits on the wire. All ones mean no value. */
LAW_FN bool law_ioam_says(const rocecc_ioam_node *n, rocecc_ioam_item item, int bits,
                          uint64_t wire)
{
    const uint64_t none = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    wire &= none;
    return rocecc_ioam_get(n, item) == wire &&
           rocecc_ioam_has(n, item) == (wire != none);
}

/* Returns true if n has the item at b, for bits 0 to 11 of the trace type. */
LAW_FN bool law_ioam_is(const rocecc_ioam_node *n, unsigned bit, const uint8_t *b)
{
    const uint32_t w = rocecc_load32(b);
    switch (bit) {
    case 0:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_HOP_LIMIT, 8, b[0]) &&
               law_ioam_says(n, ROCECC_IOAM_ITEM_NODE_ID, 24, w);
    case 1:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_INGRESS_ID, 16, rocecc_load16(b)) &&
               law_ioam_says(n, ROCECC_IOAM_ITEM_EGRESS_ID, 16, w);
    case 2:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_TIMESTAMP_SEC, 32, w);
    case 3:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC, 32, w);
    case 4:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_TRANSIT_DELAY, 32, w);
    case 5:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_NAMESPACE_DATA, 32, w);
    case 6:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_QUEUE_DEPTH, 32, w);
    case 7:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_CHECKSUM_COMPLEMENT, 32, w);
    case 8:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE, 8, b[0]) &&
               law_ioam_says(n, ROCECC_IOAM_ITEM_NODE_ID_WIDE, 56, rocecc_load64(b));
    case 9:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_INGRESS_ID_WIDE, 32, w) &&
               law_ioam_says(n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE, 32,
                             rocecc_load32(b + 4));
    case 10:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_NAMESPACE_DATA_WIDE, 64,
                             rocecc_load64(b));
    default:
        return law_ioam_says(n, ROCECC_IOAM_ITEM_BUFFER_OCCUPANCY, 32, w);
    }
}

/* Returns the item of a bit without a definition, 12 to 21. */
LAW_FN rocecc_ioam_item law_ioam_undefined(unsigned bit)
{
    static const rocecc_ioam_item items[10] = {
        ROCECC_IOAM_ITEM_BIT_12, ROCECC_IOAM_ITEM_BIT_13, ROCECC_IOAM_ITEM_BIT_14,
        ROCECC_IOAM_ITEM_BIT_15, ROCECC_IOAM_ITEM_BIT_16, ROCECC_IOAM_ITEM_BIT_17,
        ROCECC_IOAM_ITEM_BIT_18, ROCECC_IOAM_ITEM_BIT_19, ROCECC_IOAM_ITEM_BIT_20,
        ROCECC_IOAM_ITEM_BIT_21};
    return items[bit - 12];
}

/* Returns true if n has the item at b, for bits 12 to 21. */
LAW_FN bool law_ioam_is_undefined(const rocecc_ioam_config *c,
                                  const rocecc_ioam_node *n, unsigned bit,
                                  const uint8_t *b)
{
    const uint32_t w = rocecc_load32(b);
    const bool tx = c->tx_bytes_bit == bit;
    if (!tx && c->interface_bit != bit)
        return law_ioam_says(n, law_ioam_undefined(bit), 32, w);
    if (tx) return law_ioam_says(n, ROCECC_IOAM_ITEM_TX_BYTES, 32, w);
    return law_ioam_says(n, ROCECC_IOAM_ITEM_INTERFACE_SPEED, 6, w >> 26) &&
           law_ioam_says(n, ROCECC_IOAM_ITEM_INTERFACE_ERRORS, 26, w);
}

/* Returns true if a node equals its words bit by bit, and lacks all other items. */
LAW_FN bool law_ioam_model(const rocecc_ioam_config *c, uint32_t type, rocecc_reader r,
                           const rocecc_ioam_node *n)
{
    static const uint8_t none[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    unsigned bit;
    const uint8_t *b;
    for (bit = 0; bit < 22; bit++) {
        b = none;
        if (type >> (23 - bit) & 1) b = rocecc_take(&r, bit >= 8 && bit <= 10 ? 8 : 4);
        if (b == NULL) return false;
        if (!(bit < 12 ? law_ioam_is(n, bit, b) : law_ioam_is_undefined(c, n, bit, b)))
            return false;
        if (bit >= 12 && (bit == c->tx_bytes_bit || bit == c->interface_bit) &&
            rocecc_ioam_has(n, law_ioam_undefined(bit)))
            return false;
    }
    if ((type & 2) == 0) return n->word[25] == 0x00ffffff && rocecc_left(&r) == 0;
    b = rocecc_take(&r, 4);
    return b != NULL && n->word[25] == rocecc_load32(b) &&
           rocecc_ioam_snapshot_words(n) == b[0] &&
           rocecc_ioam_schema_id(n) == (n->word[25] & 0xffffff) &&
           rocecc_left(&r) == 4 * (size_t)b[0];
}

/* Checks that the node is emitted byte for byte, and not with one byte less room. */
LAW_FN uint32_t law_ioam_again(const rocecc_ioam_config *c, uint32_t type,
                               rocecc_reader r, const rocecc_ioam_node *n)
{
    LAW_SCRATCH(back, 4 * (25 + 1 + 255));
    const size_t bytes = rocecc_left(&r);
    const rocecc_reader snapshot =
        rocecc_ioam_snapshot(n, rocecc_subrange(r, r.end, r.end));
    rocecc_writer w = law_writer(back, bytes - 1);
    LAW(snapshot.end == r.end &&
        rocecc_left(&snapshot) == 4 * (size_t)(n->word[25] >> 24));
    LAW(bytes <= (4 * (25 + 1 + 255)) && bytes == 4 * rocecc_ioam_node_words(type, n));
    LAW(rocecc_ioam_node_emit(&w, c, type, n, snapshot) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == 0);
    w = law_writer(back, (4 * (25 + 1 + 255)));
    LAW(rocecc_ioam_node_emit(&w, c, type, n, snapshot) == ROCECC_OK &&
        law_wrote(&w) == bytes);
    LAW(law_same(r, &w, (4 * (25 + 1 + 255))));
    return LAW_START;
}
#endif

/* Parses the bytes as a trace of one kind. Every byte is in one part. */
LAW_FN uint32_t law_ioam_view(rocecc_reader r, uint8_t kind, law_ioam_walk *walk)
{
    uint32_t digest = LAW_START;
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_ioam_option o = {0x5a, 0, r};
    rocecc_ioam_view v;
    rocecc_status status;
    v.count = 0xa5;
    o.opt_type = kind;
    status = rocecc_ioam_view_parse(&c, &o, &v);
    digest = law_mix(digest, status);
    walk->at = walk->end = 0;
#if !defined(__bpf__)
    {
        size_t count;
        LAW(status == law_ioam_status(kind, r, &count));
        LAW(status != ROCECC_OK || v.count == count);
    }
#endif
    if (status != ROCECC_OK) {
        LAW(v.count == 0xa5);
        return digest;
    }
    LAW(v.reserved == 0x5a && v.opt_type == kind);
    LAW(v.free_space.at == r.at + ROCECC_IOAM_TRACE_BYTES);
    LAW(v.free_space.end == v.nodes.at && v.nodes.end == r.end);
    LAW(rocecc_left(&v.free_space) == (kind == 0 ? 4 * v.trace.remaining_len : 0));
    walk->trace_type = v.trace.trace_type;
    walk->at = (uint32_t)v.nodes.at;
    walk->end = (uint32_t)v.nodes.end;
    walk->seed = v.trace.reserved;
    digest = law_mix(digest, v.count);
    digest = law_mix(digest, rocecc_ioam_loopback_match(&v.trace));
    return law_mix(digest, rocecc_left(&v.nodes));
}

/* Checks the next node of a walk. */
LAW_FN uint32_t law_ioam_node(rocecc_reader r, law_ioam_walk *walk)
{
    uint32_t digest = LAW_START;
    const rocecc_ioam_config c = law_ioam_config(walk->seed, 0);
    rocecc_reader nodes = rocecc_subrange(r, walk->at, walk->end);
    LAW_KEPT rocecc_ioam_node n;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_ioam_view v;
    rocecc_status status;
    int i;
    LAW_FORGET(&c);
    v.trace.trace_type = walk->trace_type;
    v.trace.node_len = rocecc_ioam_node_len(walk->trace_type);
    rocecc_ioam_layout_update(&c, walk->trace_type, &l);
    status = rocecc_ioam_node_next(&v, &l, &nodes, &n);
    digest = law_mix(digest, status);
    LAW((status == ROCECC_END) == (walk->at == walk->end));
    LAW(status == ROCECC_OK || (status == ROCECC_END && nodes.at == walk->at));
    if (status != ROCECC_OK) return digest;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        digest = law_mix(digest, n.word[i]);
#if !defined(__bpf__)
    r = rocecc_subrange(r, walk->at, nodes.at);
    LAW(law_ioam_model(&c, walk->trace_type, r, &n));
    LAW(law_ioam_again(&c, walk->trace_type, r, &n) != LAW_BROKEN);
#endif
    walk->at = (uint32_t)nodes.at;
    return digest;
}

/* Checks the bytes as direct export, from Namespace-ID on. */
LAW_FN uint32_t law_ioam_dex(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, 8 + 32);
    rocecc_writer w = law_writer(back, 8 + 32);
    rocecc_ioam_option o = {0, ROCECC_IOAM_DIRECT_EXPORT, r};
    rocecc_reader rest = r;
    const uint8_t *b = rocecc_take(&rest, 8);
    rocecc_ioam_dex h;
    rocecc_status status;
    size_t n = 0;
    int i;
    for (i = 0; b != NULL && i < 8; i++)
        n += (b[3] >> i & 1) * 4u;
    status = rocecc_ioam_dex_parse(&o, &h);
    LAW((status == ROCECC_OK) == (b != NULL && rocecc_left(&rest) == n));
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_FORMAT);
        return digest;
    }
    LAW_FIELDS(ROCECC_IOAM_DEX_FIELDS, &h)
#if !defined(__bpf__)
    LAW(rocecc_ioam_dex_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == 8 + n);
    LAW(law_same(r, &w, 8 + 32));
    w = law_writer(back, 7 + n);
    LAW(rocecc_ioam_dex_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
#else
    (void)w;
#endif
    return digest;
}

/* Checks the bytes as edge-to-edge, from Namespace-ID on. */
LAW_FN uint32_t law_ioam_e2e(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_ioam_option o = {0, ROCECC_IOAM_EDGE_TO_EDGE, r};
    rocecc_reader rest = r;
    const uint8_t *b = rocecc_take(&rest, 4);
    rocecc_ioam_e2e h;
    rocecc_status status = rocecc_ioam_e2e_parse(&o, &h);
    size_t n = 0;
    bool exact;
    int i;
    for (i = 0; b != NULL && i < 4; i++)
        n += (b[2] >> (7 - i) & 1) * (i == 0 ? 8u : 4u); /* the first has two words */
    digest = law_mix(digest, status);
    exact = b != NULL && (b[2] & 0xf) == 0 && b[3] == 0;
    LAW((status == ROCECC_OK) ==
        (b != NULL && b[2] >> 6 != 3 &&
         (exact ? rocecc_left(&rest) == n : rocecc_left(&rest) >= n)));
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_FORMAT);
        return digest;
    }
    LAW(h.others.at == r.at + 4 + n && h.others.end == r.end);
    LAW_FIELDS(ROCECC_IOAM_E2E_FIELDS, &h)
    return digest;
}

/* Checks the bytes as proof of transit, from Namespace-ID on. */
LAW_FN uint32_t law_ioam_pot(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_ioam_option o = {0, ROCECC_IOAM_PROOF_OF_TRANSIT, r};
    rocecc_reader rest = r;
    const uint8_t *b = rocecc_take(&rest, 4);
    rocecc_ioam_pot h;
    rocecc_status status = rocecc_ioam_pot_parse(&o, &h);
    digest = law_mix(digest, status);
    LAW((status == ROCECC_OK) ==
        (b != NULL && (b[2] != 0 || rocecc_left(&rest) == 16)));
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_FORMAT);
        return digest;
    }
    LAW(h.others.end == r.end && h.others.at == r.at + (h.pot_type == 0 ? 20 : 4));
    LAW(h.pot_type == 0 || (h.pkt_id | h.cumulative) == 0);
    LAW_FIELDS(ROCECC_IOAM_POT_FIELDS, &h)
    return digest;
}

/* Checks the next IOAM option of a type, and moves walk->at behind it. */
LAW_FN uint32_t law_ioam_option(rocecc_reader r, uint8_t type, law_ioam_walk *walk)
{
    uint32_t digest = LAW_START;
    rocecc_reader options = rocecc_subrange(r, walk->at, r.end);
    const size_t at = options.at;
    rocecc_ioam_option o = {0xff, 0xff, options};
    const rocecc_status status = rocecc_ioam_option_next(&options, type, &o);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(options.at == at && o.reserved == 0xff);
        return digest;
    }
    LAW(o.data.end == options.at && o.data.at >= at + 4);
    LAW_FIELDS(ROCECC_IOAM_OPTION_FIELDS, &o)
    walk->at = (uint32_t)options.at;
    return digest;
}

#if !defined(__bpf__)
#define LAW_IOAM_BYTES 4096

/* Draws any node, with a wrong snapshot length if the first byte is 0xff. */
LAW_FN rocecc_ioam_node law_ioam_draw(rocecc_reader *r, rocecc_reader snapshot)
{
    rocecc_ioam_node n;
    const uint8_t wrong = law_u8(r);
    int i;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        n.word[i] = ~law_u32(r);
    n.word[25] &= 0xffffff;
    n.word[25] |= (uint32_t)(rocecc_left(&snapshot) / 4) << 24;
    if (wrong == 0xff) n.word[25] += 0x01000000;
    return n;
}

/* Returns a node's expected verdict by RFC 9197. Sets *words to the words to add. */
LAW_FN rocecc_edit_verdict law_ioam_step(const rocecc_ioam_config *c, uint8_t kind,
                                         rocecc_reader trace, size_t node_words,
                                         bool fits, size_t *words)
{
    const uint8_t *b;
    uint32_t type;
    unsigned bit;
    rocecc_reader r = trace;
    *words = 0;
    if (rocecc_load16(trace.base + trace.at) != c->namespace_id)
        return ROCECC_EDIT_NONE;
    b = rocecc_take(&r, 8);
    if (b == NULL) return ROCECC_EDIT_BROKEN;
    if (b[2] & 0x04) return ROCECC_EDIT_NONE;
    type = rocecc_load32(b + 4) >> 8;
    if (!law_ioam_nodes(kind, trace) || (type & 0xfffffe) == 0)
        return ROCECC_EDIT_BROKEN;
    for (bit = 12; c->leave_undefined && bit < 22; bit++)
        if (type >> (23 - bit) & 1 && bit != c->tx_bytes_bit && bit != c->interface_bit)
            return ROCECC_EDIT_UNKNOWN;
    if (!fits) return ROCECC_EDIT_RANGE;
    *words = law_ioam_words(type) + (type & 2 ? 1 + node_words : 0);
    return (b[3] & 0x7fu) < *words ? ROCECC_EDIT_FULL : ROCECC_EDIT_CHANGE;
}

/* Trace with a node to add, both drawn from bytes. */
typedef struct law_ioam_case {
    const uint8_t *before; /* the trace */
    size_t len;
    uint8_t seed;
    rocecc_ioam_config c;
    rocecc_ioam_node n;
    rocecc_reader snapshot;
} law_ioam_case;

/* Draws a case, and keeps its trace in before[LAW_IOAM_BYTES]. */
LAW_FN bool law_ioam_case_of(rocecc_reader r, uint8_t *before, law_ioam_case *t)
{
    rocecc_writer copy = law_writer(before, LAW_IOAM_BYTES);
    rocecc_reader draw = r;
    t->before = before;
    t->len = rocecc_left(&r);
    if (t->len < 8 || !rocecc_append(&copy, r, LAW_IOAM_BYTES)) return false;
    t->seed = t->before[7];
    t->c = law_ioam_config(t->seed, rocecc_load16(t->before));
    t->snapshot = rocecc_subrange(r, r.at, r.at + 4 * (size_t)(t->before[1] & 3));
    if (rocecc_left(&t->snapshot) % 4 != 0) t->snapshot.end = t->snapshot.at;
    t->n = law_ioam_draw(&draw, t->snapshot);
    return true;
}

LAW_FN rocecc_edit_verdict law_ioam_should(const law_ioam_case *t, uint8_t kind,
                                           size_t *words)
{
    const size_t data = rocecc_left(&t->snapshot) / 4;
    return law_ioam_step(&t->c, kind, law_reader(t->before, t->len), data,
                         t->n.word[25] >> 24 == data, words);
}

/* Returns the bytes before the trace, 2 or 6 of padding, or 14 with an option. */
LAW_FN size_t law_ioam_lead(const law_ioam_case *t)
{
    return t->seed & 0x40 ? 6 : t->seed & 0x20 ? 14 : 2;
}

/*
 * Writes an IPv6 packet with the trace in Hop-by-Hop options and 8 bytes after them.
 * Returns its length.
 */
LAW_FN size_t law_ioam_packet(const law_ioam_case *t, uint8_t kind, uint8_t *b,
                              size_t *option)
{
    const size_t front = law_ioam_lead(t);
    const size_t hbh = (2 + front + 4 + t->len + 7) / 8 * 8;
    size_t i, at = 40 + 2 + front;
    for (i = 0; i < 40 + hbh + 8; i++)
        b[i] = (uint8_t)(i >= 40 + hbh ? i : 0);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)(hbh + 8));
    b[40] = 59;
    b[41] = (uint8_t)(hbh / 8 - 1);
    b[42] = 1;
    b[43] = (uint8_t)(front - 2);
    if (front == 14) { /* an option of 9 bytes, and padding */
        b[42] = 0x1e;
        b[43] = 7;
        b[51] = 1;
        b[52] = 3;
    }
    *option = at;
    b[at] = 0x31;
    b[at + 1] = (uint8_t)(t->len + 2);
    b[at + 3] = kind;
    for (i = 0; i < t->len; i++)
        b[at + 4 + i] = t->before[i];
    at += 4 + t->len;
    if (40 + hbh - at > 1) {
        b[at] = 1;
        b[at + 1] = (uint8_t)(40 + hbh - at - 2);
    }
    return 40 + hbh + 8;
}

LAW_FN rocecc_domain law_ioam_domain(const law_ioam_case *t)
{
    static const rocecc_domain none;
    rocecc_domain d = none;
    d.link = ROCECC_LINK_IP;
    d.ioam = t->c;
    return d;
}

#define LAW_IOAM_PACKET 2048

/* Returns true if the words at r are the case's node, with its snapshot. */
LAW_FN bool law_ioam_carries(const law_ioam_case *t, rocecc_reader r)
{
    const uint32_t type = rocecc_load32(t->before + 4) >> 8;
    const rocecc_reader s = t->snapshot;
    const uint8_t *b;
    unsigned bit;
    size_t i;
    for (bit = 0; bit < 22; bit++) {
        if ((type >> (23 - bit) & 1) == 0) continue;
        b = rocecc_take(&r, bit >= 8 && bit <= 10 ? 8 : 4);
        if (b == NULL) return false;
        if (!(bit < 12 ? law_ioam_is(&t->n, bit, b)
                       : law_ioam_is_undefined(&t->c, &t->n, bit, b)))
            return false;
    }
    if ((type & 2) == 0) return rocecc_left(&r) == 0;
    b = rocecc_take(&r, 4);
    if (b == NULL || rocecc_load32(b) != t->n.word[25]) return false;
    if (rocecc_left(&r) != rocecc_left(&s)) return false;
    for (i = 0; i < rocecc_left(&s); i++)
        if (r.base[r.at + i] != s.base[s.at + i]) return false;
    return true;
}

/* Returns true if the bytes [at, at + 4 words) are the case's node, and one node. */
LAW_FN bool law_ioam_added(const law_ioam_case *t, const uint8_t *b, size_t at,
                           size_t words)
{
    const rocecc_reader r = law_reader(b, at + 4 * words);
    law_ioam_walk walk;
    walk.trace_type = rocecc_load32(t->before + 4) >> 8;
    walk.seed = t->seed;
    walk.at = (uint32_t)(r.at + at);
    walk.end = (uint32_t)r.end;
    return law_ioam_carries(t, rocecc_subrange(r, walk.at, walk.end)) &&
           law_ioam_node(r, &walk) != LAW_BROKEN && walk.at == walk.end;
}

/* Checks that an update writes only Flags, RemainingLen and the new node. */
LAW_FN uint32_t law_ioam_update(const law_ioam_case *t, uint8_t kind)
{
    static LAW_ROOM(was, LAW_IOAM_PACKET);
    static LAW_ROOM(is, LAW_IOAM_PACKET);
    const rocecc_domain d = law_ioam_domain(t);
    rocecc_edit_verdict should = ROCECC_EDIT_NONE;
    rocecc_packet p;
    size_t words = 0, i, at, to, len, option;
    len = law_ioam_packet(t, kind, was, &option);
    memcpy(is, was, len);
    if (kind == 0) should = law_ioam_should(t, 0, &words);
    (void)rocecc_packet_parse(&d, law_reader(is, len), &p);
    LAW(rocecc_ioam_update(&p, law_writer(is, len), &t->n, t->snapshot) == should);
    if (should != ROCECC_EDIT_CHANGE) words = 0;
    to = option + 12 + 4 * (size_t)(t->before[3] & 0x7f);
    at = to - 4 * words;
    for (i = 0; i < len; i++) {
        uint8_t byte = was[i];
        if (words > 0 && i >= at && i < to) continue;
        if (i == option + 6 && should == ROCECC_EDIT_FULL) byte |= 4;
        if (i == option + 7) byte = (uint8_t)(byte - words);
        LAW(is[i] == byte);
    }
    LAW(words == 0 || law_ioam_added(t, is, at, words));
    return LAW_START;
}

/*
 * Checks a push. The new node comes before the old ones, all lengths have grown, and
 * the rest is unchanged.
 */
LAW_FN uint32_t law_ioam_pushed(const law_ioam_case *t, const uint8_t *was,
                                const uint8_t *is, size_t len, size_t n, size_t option,
                                size_t words)
{
    const size_t more = n - len;
    rocecc_reader r = law_reader(is, n);
    rocecc_ipv6 ip;
    rocecc_ip6opts hbh;
    rocecc_ioam_option o;
    size_t i;
    LAW(more % 8 == 0); /* 0 if a word replaces padding */
    LAW(rocecc_ipv6_parse(&r, &ip) == ROCECC_OK &&
        ip.payload_length == rocecc_left(&r));
    LAW(rocecc_ip6opts_parse(&r, &hbh) == ROCECC_OK && rocecc_left(&r) == 8);
    for (i = 0; i < 40; i++)
        LAW(is[i] == was[i] || i == 4 || i == 5);
    for (i = option + 12; i < len; i++)
        LAW(is[i + more] == was[i]);
    LAW(law_ioam_lead(t) != 14 || memcmp(is + 42, was + 42, 9) == 0);
    LAW(rocecc_ioam_option_next(&hbh.options, 0x31, &o) == ROCECC_OK);
    LAW(o.opt_type == 1 && rocecc_left(&o.data) == t->len + 4 * words);
    LAW((o.data.at - law_front() - 4) % 4 == option % 4 && o.reserved == 0);
    LAW(rocecc_ioam_option_next(&hbh.options, 0x31, &o) == ROCECC_END);
    for (i = 0; i < 8; i++)
        LAW(o.data.base[o.data.at + i] == t->before[i] - (i == 3 ? words : 0));
    LAW(o.data.at - law_front() + 8 + 4 * words == option + 12 + more);
    LAW(law_ioam_added(t, is, o.data.at - law_front() + 8, words));
    return LAW_START;
}

/* Returns FULL or MTU if a node of this many words is too long, or else CHANGE. */
LAW_FN rocecc_edit_verdict law_ioam_too_long(const law_ioam_case *t, size_t len,
                                             size_t words, size_t mtu)
{
    const size_t pad = law_ioam_lead(t) == 14 ? 5 : law_ioam_lead(t);
    size_t more = 4 * words;
    if (words % 2 == 1) more = pad >= 4 ? more - 4 : more + 4;
    if (t->len + 2 + 4 * words > 255) return ROCECC_EDIT_FULL;
    return len + more > mtu ? ROCECC_EDIT_MTU : ROCECC_EDIT_CHANGE;
}

/* Checks that a strip removes the trace, and the header without other options. */
LAW_FN uint32_t law_ioam_strip(const law_ioam_case *t, uint8_t kind)
{
    static LAW_ROOM(was, LAW_IOAM_PACKET);
    static LAW_ROOM(is, LAW_IOAM_PACKET + LAW_EDIT_MORE);
    const rocecc_domain d = law_ioam_domain(t);
    rocecc_packet p;
    rocecc_edit e;
    size_t option, i, n;
    const size_t len = law_ioam_packet(t, kind, was, &option);
    const size_t kept = law_ioam_lead(t) == 14 ? 56 : 40; /* and 8 bytes at the end */
    memcpy(is, was, len);
    (void)rocecc_packet_parse(&d, law_reader(is, len), &p);
    (void)rocecc_ioam_strip(&p, &e);
    LAW((e.verdict == ROCECC_EDIT_NONE) ==
        (t->c.namespace_id != rocecc_load16(t->before)));
    LAW(rocecc_edit_needs_action(&e) == (e.verdict == ROCECC_EDIT_CHANGE));
    n = law_edit_carry(&e, is, len);
    if (e.verdict != ROCECC_EDIT_CHANGE) {
        LAW(n == len && (e.verdict == ROCECC_EDIT_NONE || t->len % 4 != 0 ||
                         e.verdict == ROCECC_EDIT_PROBE));
        return LAW_START;
    }
    LAW(n == kept + 8 && rocecc_load16(is + 4) == n - 40);
    LAW(is[6] == (kept == 40 ? 59 : 0) && is[7] == was[7]);
    if (kept == 56)
        LAW(is[40] == 59 && is[41] == 1 && memcmp(is + 42, was + 42, 9) == 0);
    for (i = 0; i < 8; i++)
        LAW(is[n - 8 + i] == was[len - 8 + i]);
    (void)rocecc_packet_parse(&d, law_reader(is, n), &p);
    LAW(rocecc_ioam_strip(&p, &e) == ROCECC_EDIT_NONE);
    return LAW_START;
}

/* Checks a push into an incremental trace of a packet. */
LAW_FN uint32_t law_ioam_push(const law_ioam_case *t)
{
    static LAW_ROOM(was, LAW_IOAM_PACKET);
    static LAW_ROOM(is, LAW_IOAM_PACKET + LAW_EDIT_MORE);
    const size_t mtu = t->seed & 0x08 ? 150 : 9000;
    const rocecc_domain d = law_ioam_domain(t);
    rocecc_edit_verdict should;
    rocecc_packet p;
    rocecc_edit e;
    size_t len, option, words, i, n;
    len = law_ioam_packet(t, 1, was, &option);
    memcpy(is, was, len);
    should = law_ioam_should(t, 1, &words);
    if (should == ROCECC_EDIT_CHANGE) should = law_ioam_too_long(t, len, words, mtu);
    (void)rocecc_packet_parse(&d, law_reader(is, len), &p);
    LAW(rocecc_ioam_push(&p, &t->n, t->snapshot, (uint32_t)mtu, &e) == should);
    LAW(e.verdict == should);
    n = law_edit_carry(&e, is, len);
    LAW(n != LAW_EDIT_BAD);
    if (should == ROCECC_EDIT_CHANGE)
        return law_ioam_pushed(t, was, is, len, n, option, words);
    LAW(n == len);
    for (i = 0; i < len; i++)
        LAW(is[i] ==
            (was[i] | ((should == ROCECC_EDIT_FULL || should == ROCECC_EDIT_MTU) &&
                               i == option + 6
                           ? 4
                           : 0)));
    return LAW_START;
}
#endif

/* Checks the search for the first trace in a list of options. */
LAW_FN uint32_t law_ioam_find(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_ioam_option o = {0xff, 0xff, r};
    const rocecc_status status = rocecc_ioam_trace_find(r, &o);
    digest = law_mix(digest, status);
    if (status == ROCECC_OK) {
        LAW(o.opt_type <= ROCECC_IOAM_INCREMENTAL);
        LAW_FIELDS(ROCECC_IOAM_OPTION_FIELDS, &o)
        digest = law_mix(digest, rocecc_ioam_trace_match(o.opt_type, o.data));
    } else {
        LAW(o.opt_type == 0xff && o.reserved == 0xff);
    }
#if !defined(__bpf__)
    {
        size_t at = 0;
        LAW(law_ioam_found(r, &at) == status);
        LAW(status != ROCECC_OK || o.data.at == at);
    }
#endif
    return digest;
}

#define LAW_IOAM_WALK 3 /* nodes in the digest */

/* Checks the bytes as a trace of each kind, as other options, and as a list of them. */
LAW_FN uint32_t law_ioam(rocecc_reader r)
{
    uint32_t digest = law_ioam_trace(r);
    law_ioam_walk walk = {0, 0, 0, 0};
    uint8_t kind;
    int i;
    for (kind = 0; kind < 2; kind++) {
        digest = law_mix(digest, law_ioam_view(r, kind, &walk));
        for (i = 0; i < LAW_IOAM_WALK; i++)
            digest = law_mix(digest, law_ioam_node(r, &walk));
#if !defined(__bpf__)
        while (walk.at != walk.end)
            LAW(law_ioam_node(r, &walk) != LAW_BROKEN);
#endif
    }
    digest = law_mix(digest, law_ioam_dex(r));
    digest = law_mix(digest, law_ioam_e2e(r));
    digest = law_mix(digest, law_ioam_pot(r));
    for (i = 0; i < 4; i++) {
        if (i % 2 == 0) walk.at = (uint32_t)r.at;
        digest = law_mix(digest, law_ioam_option(r, i < 2 ? 0x31 : 0x11, &walk));
    }
#if !defined(__bpf__)
    {
        static LAW_ROOM(before, LAW_IOAM_BYTES);
        static law_ioam_case t;
        /* The offset of a built frame is limited (ROCECC_PACKET_START_MAX). */
        if (law_front() < 28000 && law_ioam_case_of(r, before, &t) && t.len <= 253) {
            LAW(law_ioam_update(&t, 0) != LAW_BROKEN);
            LAW(law_ioam_update(&t, 1) != LAW_BROKEN);
            LAW(law_ioam_push(&t) != LAW_BROKEN);
            LAW(law_ioam_strip(&t, t.seed >> 7) != LAW_BROKEN);
        }
    }
#endif
    return law_mix(digest, law_ioam_find(r));
}

#endif /* TESTS_LAW_IOAM_H */
