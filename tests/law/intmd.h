/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_INTMD_H
#define TESTS_LAW_INTMD_H

#include "edit.h"
#include "ip.h"
#include "rocecc/packet/intmd.h"
#include "../../examples/lib/intmd_shown.h"

#define INTMD_KINDS "md mx destination v05 v10 ver unknown"
#define INTMD_MARKS "port new_udp dscp probe"

/* Lab values, because none are assigned. */
#define LAW_INTMD_PORT 5000
#define LAW_INTMD_DSCP 0x17
#define LAW_INTMD_PROBE 0x5052424d41524b31u

enum { LAW_INTMD_PAD = 1, LAW_INTMD_COMPLEMENT = 2, LAW_INTMD_BEFORE_OPTIONS = 4 };

LAW_FN rocecc_intmd_config law_intmd_config(unsigned variant)
{
    rocecc_intmd_config c = {0}; /* no table; clang 14 miscompiles it in a BPF map */
    c.udp_port = LAW_INTMD_PORT;
    c.dscp = LAW_INTMD_DSCP;
    c.dscp_mask = 0x3f;
    c.probe_marker = LAW_INTMD_PROBE;
    c.ds_id = 1;
    c.source_words[0] = 1;
    c.source_words[1] = 2;
    c.pad_unknown = (variant & LAW_INTMD_PAD) != 0;
    c.complement = (variant & LAW_INTMD_COMPLEMENT) != 0;
    c.before_options = (variant & LAW_INTMD_BEFORE_OPTIONS) != 0;
    return c;
}

/* Returns the words for these instructions, from bit 0 on (3.3). */
LAW_FN unsigned law_intmd_words(uint32_t instructions)
{
    static const uint8_t words[16] = {1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    unsigned n = 0, bit;
    for (bit = 0; bit < 16; bit++)
        if ((instructions >> (15 - bit) & 1) != 0) n += words[bit];
    return n;
}

/* Returns the expected status of rocecc_intmd_parse(), from the last node on. */
LAW_FN rocecc_status law_intmd_status(const rocecc_intmd_config *c, rocecc_reader r)
{
    const size_t all = rocecc_left(&r);
    const uint8_t *b = rocecc_take(&r, 12);
    unsigned ml, words, ds, i, source = 0, left;
    if (b == NULL) return ROCECC_ERR_FORMAT;
    if (b[0] / 16 != 2) return ROCECC_ERR_UNSUPPORTED;
    ml = b[2] % 32;
    words = law_intmd_words((uint32_t)b[4] * 256 + b[5]);
    ds = (unsigned)b[8] * 256 + b[9];
    if (all % 4 != 0 || all > 1020) return ROCECC_ERR_FORMAT;
    if (ml < words || (ml > words && ds == 0) || ml == 0) return ROCECC_ERR_FORMAT;
    left = (unsigned)(all / 4 - 3);
    if (left == 0) return ROCECC_OK;
    if (c->ds_id != 0 && (unsigned)b[6] * 256 + b[7] == c->ds_id)
        for (i = 0; i < 16; i++)
            if (ds & 0x8000u >> i) source += c->source_words[i];
    if (left >= ml + source) {
        left -= ml + source; /* of the source */
        while (left >= ml)
            left -= ml;
        if (left == 0) return ROCECC_OK;
    }
    if ((unsigned)b[6] * 256 + b[7] != 0 && (unsigned)b[6] * 256 + b[7] != c->ds_id)
        return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_ERR_FORMAT;
}

/* Defines the law of a shim. The parsed bytes must be emitted again. */
#define LAW_INTMD_SHIM(kind, FIELDS)                                                   \
    LAW_FN uint32_t law_intmd_##kind(rocecc_reader r)                                  \
    {                                                                                  \
        uint32_t digest = LAW_START;                                                   \
        rocecc_reader rest = r;                                                        \
        rocecc_intmd_##kind h;                                                         \
        const rocecc_status status = rocecc_intmd_##kind##_parse(&rest, &h);           \
        digest = law_mix(digest, status);                                              \
        if (status != ROCECC_OK) {                                                     \
            LAW(status == ROCECC_ERR_SHORT && rest.at == r.at);                        \
            return digest;                                                             \
        }                                                                              \
        LAW(h.body.at == r.at + 4 && h.body.end == rest.at);                           \
        LAW_FIELDS(FIELDS, &h)                                                         \
        LAW_INTMD_AGAIN(kind)                                                          \
        return digest;                                                                 \
    }
#if defined(__bpf__)
#define LAW_INTMD_AGAIN(kind)
#else
#define LAW_INTMD_AGAIN(kind)                                                          \
    {                                                                                  \
        LAW_SCRATCH(back, 4 + ROCECC_INTMD_BODY_MAX_BYTES);                            \
        const size_t n = 4 + rocecc_left(&h.body);                                     \
        rocecc_writer w = law_writer(back, n - 1);                                     \
        LAW(rocecc_intmd_##kind##_emit(&w, &h) == ROCECC_ERR_SPACE &&                  \
            law_wrote(&w) == 0);                                                       \
        w = law_writer(back, 4 + ROCECC_INTMD_BODY_MAX_BYTES);                         \
        LAW(rocecc_intmd_##kind##_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == n);    \
        LAW(law_same(r, &w, 4 + ROCECC_INTMD_BODY_MAX_BYTES));                         \
    }
#endif

LAW_INTMD_SHIM(shim, ROCECC_INTMD_SHIM_FIELDS)
LAW_INTMD_SHIM(gre, ROCECC_INTMD_GRE_FIELDS)
LAW_INTMD_SHIM(gpe, ROCECC_INTMD_GPE_FIELDS)
LAW_INTMD_SHIM(geneve, ROCECC_INTMD_GENEVE_FIELDS)

/* Checks that any 12 bytes are loaded as the MD and the MX header, and stored again. */
LAW_FN uint32_t law_intmd_headers(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    uint8_t back[2 * ROCECC_INTMD_HEADER_BYTES];
    const uint8_t *b = rocecc_take(&r, ROCECC_INTMD_HEADER_BYTES);
    rocecc_intmd_header h;
    intmd_mx mx;
    int i;
    if (b == NULL) return digest;
    h = rocecc_intmd_header_load(b);
    mx = intmd_mx_load(b);
    LAW_FIELDS(ROCECC_INTMD_HEADER_FIELDS, &h)
    LAW_FIELDS(ROCECC_INTMD_MX_FIELDS, &mx)
    digest = law_mix(digest, rocecc_intmd_words(h.instructions));
#if !defined(__bpf__)
    LAW(rocecc_intmd_words(h.instructions) == law_intmd_words(h.instructions));
#endif
    rocecc_intmd_header_store(back, &h);
    intmd_mx_store(back + 12, &mx);
    for (i = 0; i < 12; i++)
        LAW(back[i] == b[i] && back[i + 12] == b[i]);
    return digest;
}

#if !defined(__bpf__)
/*
 * Checks that a node is emitted again, also after intmd_show() and back, and not with
 * one byte less room.
 */
LAW_FN uint32_t law_intmd_node_again(rocecc_reader wire, const rocecc_intmd *h,
                                     const rocecc_intmd_node *n, rocecc_reader nodes)
{
    LAW_SCRATCH(back, ROCECC_INTMD_STACK_MAX_BYTES + 4);
    const rocecc_reader ds = rocecc_intmd_ds(h, nodes);
    const size_t bytes = rocecc_intmd_node_bytes(&h->header, &ds);
    const intmd_shown shown = intmd_show(h, n, nodes);
    rocecc_writer w = law_writer(back, ROCECC_INTMD_STACK_MAX_BYTES + 4);
    rocecc_intmd_node again;
    int i;
    LAW(bytes == rocecc_left(&wire));
    LAW(intmd_node_of(&shown, h->header.instructions, &again) == ROCECC_OK);
    for (i = 0; i < ROCECC_INTMD_NODE_WORDS; i++)
        LAW(again.word[i] == n->word[i]);
    LAW(rocecc_intmd_node_emit(&w, &h->header, n, ds) == ROCECC_OK &&
        law_wrote(&w) == bytes);
    LAW(law_same(wire, &w, ROCECC_INTMD_STACK_MAX_BYTES + 4));
    w = law_writer(back, bytes - 1);
    LAW(rocecc_intmd_node_emit(&w, &h->header, n, ds) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == 0);
    return LAW_START;
}
#endif

#define LAW_INTMD_NODES 3 /* nodes in the digest */

/* Checks a body against the model. Its nodes account for every byte. */
LAW_FN uint32_t law_intmd_body(const rocecc_intmd_config *c, rocecc_reader body)
{
    uint32_t digest = LAW_START;
    rocecc_intmd h;
    rocecc_status status = rocecc_intmd_parse(c, body, &h);
    digest = law_mix(digest, status);
#if !defined(__bpf__)
    LAW(status == law_intmd_status(c, body));
#endif
    if (status != ROCECC_OK) return digest;
    LAW(h.nodes.at == body.at + 12 && h.nodes.end == body.end);
    digest = law_mix(digest, h.n_nodes);
    digest = law_mix(digest, h.source_words);
#if !defined(__bpf__)
    LAW(rocecc_left(&h.nodes) ==
        4 * ((size_t)h.header.hop_ml * h.n_nodes + h.source_words));
    {
        rocecc_reader nodes = h.nodes;
        rocecc_report_layout l = ROCECC_ZERO;
        rocecc_intmd_node n;
        size_t at = nodes.at;
        int i;
        rocecc_intmd_layout_update(h.header.instructions, &l);
        for (i = 0; (status = rocecc_intmd_node_next(&h, &l, &nodes, &n)) == ROCECC_OK;
             i++) {
            const size_t more = i + 1 == h.n_nodes ? h.source_words : 0u;
            LAW(nodes.at - at == 4 * ((size_t)h.header.hop_ml + more));
            LAW(law_intmd_node_again(rocecc_subrange(body, at, nodes.at), &h, &n,
                                     nodes) == LAW_START);
            at = nodes.at;
        }
        LAW(status == ROCECC_END && nodes.at == body.end && i == h.n_nodes);
    }
#endif
    return digest;
}

/* Returns a digest of node k of a body. */
LAW_FN uint32_t law_intmd_nth(const rocecc_intmd_config *c, rocecc_reader body,
                              unsigned k)
{
    uint32_t digest = LAW_START;
    rocecc_intmd_node n;
    rocecc_reader nodes;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd h;
    int i;
    rocecc_status status = rocecc_intmd_parse(c, body, &h);
    if (status != ROCECC_OK || k >= h.n_nodes || k >= LAW_INTMD_NODES) return digest;
    nodes = h.nodes;
    LAW(rocecc_take(&nodes, (size_t)(k & 3) * h.header.hop_ml * 4) != NULL);
    rocecc_intmd_layout_update(h.header.instructions, &l);
    status = rocecc_intmd_node_next(&h, &l, &nodes, &n);
    LAW(status == ROCECC_OK);
    if (status != ROCECC_OK) return LAW_BROKEN; /* for Frama-C */
    for (i = 0; i < ROCECC_INTMD_NODE_WORDS; i++)
        digest = law_mix(digest, n.word[i]);
    digest = law_mix(digest, rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY));
    digest = law_mix(digest, rocecc_intmd_has(&n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP));
    nodes = rocecc_intmd_ds(&h, nodes);
    return law_mix(digest, rocecc_left(&nodes));
}

/* Returns the body of a shim, or all bytes without a shim. */
LAW_FN rocecc_reader law_intmd_body_of(rocecc_reader r)
{
    rocecc_reader rest = r;
    rocecc_intmd_shim shim;
    return rocecc_intmd_shim_parse(&rest, &shim) == ROCECC_OK ? shim.body : r;
}

/* Returns a domain of packets that begin with IP. */
LAW_FN rocecc_domain law_intmd_domain(unsigned variant)
{
    rocecc_domain d = {0};
    d.link = ROCECC_LINK_IP;
    d.intmd = law_intmd_config(variant);
    d.ah = true;
    return d;
}

LAW_FN uint32_t law_intmd_find(const rocecc_packet *p, size_t start)
{
    uint32_t digest = LAW_START;
    rocecc_intmd_shim h;
    rocecc_status status;
    LAW_IN_MEMORY(&h);
    status = rocecc_intmd_find(p, &h);
    LAW_IN_MEMORY(&h);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    LAW(h.body.at == p->headers.intmd + 4u && h.body.end <= p->headers.ip.end);
    LAW(h.npt < 3 && p->headers.ip.upper < p->headers.intmd);
    digest = law_mix(digest, p->headers.intmd - start);
    digest = law_mix(digest, rocecc_intmd_mark_find(p, &h));
    LAW_FIELDS(ROCECC_INTMD_SHIM_FIELDS, &h)
    return digest;
}

/* Makes a node with values from x. */
LAW_FN void law_intmd_node(uint32_t x, rocecc_intmd_node *n)
{
    int i;
    rocecc_intmd_node_init(n); /* not the complement; push() sets it */
    for (i = 0; i < 12; i++)
        n->word[i] = (x >> i & 1) != 0 ? x * ((uint32_t)i * 2 + 1) : 0xffffffff;
}

LAW_FN uint32_t law_intmd_push(const rocecc_packet *p, size_t start, uint32_t mtu,
                               rocecc_edit *e)
{
    const rocecc_reader none = rocecc_subrange(p->bytes, p->bytes.end, p->bytes.end);
    rocecc_intmd_node n;
    law_intmd_node(0x89abcdef, &n);
    (void)rocecc_intmd_push(p, &n, none, mtu, e);
    LAW(e->verdict != ROCECC_EDIT_CHANGE || e->n_splices == 1);
    LAW(e->verdict == ROCECC_EDIT_CHANGE || e->n_splices == 0);
    LAW(rocecc_edit_needs_action(e) ==
        (e->verdict == ROCECC_EDIT_CHANGE || e->verdict == ROCECC_EDIT_HOPS ||
         e->verdict == ROCECC_EDIT_MTU));
    return law_edit(e, start);
}

LAW_FN uint32_t law_intmd_strip(const rocecc_packet *p, size_t start, rocecc_edit *e)
{
    (void)rocecc_intmd_strip(p, e);
    return law_edit(e, start);
}

LAW_FN uint32_t law_intmd_insert(const rocecc_packet *p, size_t start, uint8_t mark,
                                 uint32_t mtu, rocecc_edit *e)
{
    const rocecc_reader none = rocecc_subrange(p->bytes, p->bytes.end, p->bytes.end);
    rocecc_intmd_source s;
    rocecc_intmd_node n;
    law_intmd_node(0x76543210, &n);
    s.mark = mark;
    s.src_port = 0xdead;
    s.mtu_bytes = mtu;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 5);
    (void)rocecc_intmd_insert(p, &s, &n, none, e);
    return law_edit(e, start);
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
#define LAW_INTMD_BYTES 4096

/* Position of UDP or TCP, from the first byte of the packet. */
typedef struct law_intmd_upper {
    uint8_t proto;
    size_t at, end;
} law_intmd_upper;

/* Returns the sum of n bytes as 16-bit words modulo 2^16 - 1, padded with a 0. */
LAW_FN uint32_t law_intmd_sum(const uint8_t *b, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < n; i++)
        sum = (sum + (i % 2 == 0 ? (uint32_t)b[i] * 256 : b[i])) % 0xffff;
    return sum;
}

/*
 * Returns 0 if the IPv4 header checksum is right. law_intmd_residue() does so for UDP
 * and TCP, and returns 0x10000 for UDP without one.
 */
LAW_FN uint32_t law_intmd_ip_residue(const uint8_t *b)
{
    return b[0] / 16 == 4 ? law_intmd_sum(b, (size_t)(b[0] % 16) * 4) : 0;
}

LAW_FN uint32_t law_intmd_residue(const uint8_t *b, const law_intmd_upper *p)
{
    const size_t n = p->end - p->at;
    uint32_t sum = law_intmd_sum(b + p->at, n);
    if (p->proto == 17 && b[p->at + 6] == 0 && b[p->at + 7] == 0) return 0x10000;
    sum += b[0] / 16 == 4 ? law_intmd_sum(b + 12, 8) : law_intmd_sum(b + 8, 32);
    return (sum + p->proto + (uint32_t)n) % 0xffff;
}

/* Parses n bytes of a law's memory as a packet with all declared bytes. */
LAW_FN rocecc_packet law_intmd_packet(const rocecc_domain *d, const uint8_t *b,
                                      size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, law_reader(b, n), &p);
    return p;
}

/* Returns the position of UDP or TCP after the only IP header, at the start. */
LAW_FN law_intmd_upper law_intmd_upper_of(const rocecc_packet *p, const uint8_t *b)
{
    law_intmd_upper u;
    u.proto = p->headers.ip.proto;
    u.at = p->headers.ip.upper - law_front();
    u.end = p->headers.ip.end - law_front();
    if (u.proto == 17) u.end = u.at + rocecc_load16(b + u.at + 4);
    return u;
}

/*
 * Copies a packet up to its IP length. Returns 0 without IP, for IP in IP, and if bytes
 * are missing or too many.
 */
LAW_FN size_t law_intmd_copy(uint8_t *to, const rocecc_packet *p, rocecc_reader r)
{
    const size_t n = p->headers.ip.end - r.at;
    const uint8_t *b = rocecc_take(&r, n);
    if (p->headers.ip.version == 0 || p->headers.outer.version != 0 || b == NULL ||
        n > LAW_INTMD_BYTES)
        return 0;
    memcpy(to, b, n);
    return n;
}

/*
 * Checks that a push adds one node, keeps lengths and checksums consistent, and makes
 * no difference after a strip.
 */
LAW_FN uint32_t law_intmd_transit(const rocecc_domain *d, rocecc_reader r, uint32_t mtu)
{
    static LAW_ROOM(was, LAW_INTMD_BYTES + LAW_EDIT_MORE);
    static LAW_ROOM(is, LAW_INTMD_BYTES + 2 * LAW_EDIT_MORE);
    rocecc_packet p;
    rocecc_edit e;
    rocecc_intmd_shim shim;
    law_intmd_upper before, after;
    rocecc_intmd a, b;
    size_t n, m;
    bool grows;
    (void)rocecc_packet_parse(d, r, &p);
    m = law_intmd_copy(was, &p, r);
    if (m == 0) return LAW_START;
    p = law_intmd_packet(d, was, m);
    (void)law_intmd_push(&p, law_front(), mtu, &e);
    if (!rocecc_edit_needs_action(&e)) return LAW_START;
    grows = e.verdict == ROCECC_EDIT_CHANGE;
    before = law_intmd_upper_of(&p, was);
    LAW(rocecc_intmd_find(&p, &shim) == ROCECC_OK);
    LAW(rocecc_intmd_parse(&d->intmd, shim.body, &a) == ROCECC_OK);
    memcpy(is, was, m);
    n = law_edit_carry(&e, is, m);
    LAW(n == m + (grows ? 4u * a.header.hop_ml : 0) && n != LAW_EDIT_BAD);
    LAW(!grows || n <= mtu);
    p = law_intmd_packet(d, is, n);
    after = law_intmd_upper_of(&p, is);
    LAW(rocecc_intmd_find(&p, &shim) == ROCECC_OK);
    LAW(rocecc_intmd_parse(&d->intmd, shim.body, &b) == ROCECC_OK);
    LAW(p.headers.ip.end == law_front() + n && after.end == before.end + n - m);
    LAW(b.n_nodes == a.n_nodes + grows);
    LAW(b.header.e == (a.header.e || e.verdict == ROCECC_EDIT_HOPS));
    LAW(b.header.m == (a.header.m || e.verdict == ROCECC_EDIT_MTU));
    LAW(b.header.remaining_hop_count == a.header.remaining_hop_count - grows);
    LAW(law_intmd_ip_residue(is) == law_intmd_ip_residue(was));
    LAW(law_intmd_residue(is, &after) == law_intmd_residue(was, &before));
    (void)law_intmd_strip(&p, law_front(), &e);
    LAW(e.verdict == ROCECC_EDIT_CHANGE);
    n = law_edit_carry(&e, is, n);
    p = law_intmd_packet(d, was, m);
    (void)law_intmd_strip(&p, law_front(), &e);
    LAW(e.verdict == ROCECC_EDIT_CHANGE);
    m = law_edit_carry(&e, was, m);
    LAW(n == m && n != LAW_EDIT_BAD && memcmp(is, was, n) == 0);
    return LAW_START;
}

/* Returns true if no checksum of IPv4 or TCP is ffff. A computed sum is 0 instead. */
LAW_FN bool law_intmd_canonical(const uint8_t *b, const law_intmd_upper *p,
                                bool new_udp)
{
    const uint8_t *tcp = b + p->at + 16;
    return (b[0] / 16 == 6 || b[10] != 0xff || b[11] != 0xff) &&
           (new_udp || p->proto == 17 || tcp[0] != 0xff || tcp[1] != 0xff);
}

/* Checks an insertion by one mark, with a record or without. A strip undoes it. */
LAW_FN uint32_t law_intmd_source(const rocecc_domain *d, rocecc_reader r, uint8_t mark,
                                 uint32_t mtu)
{
    static LAW_ROOM(was, LAW_INTMD_BYTES);
    static LAW_ROOM(is, LAW_INTMD_BYTES + 2 * LAW_EDIT_MORE);
    const bool new_udp = mark == ROCECC_INTMD_MARK_NEW_UDP;
    rocecc_packet p;
    rocecc_edit e;
    rocecc_intmd_shim shim;
    law_intmd_upper before, after;
    rocecc_intmd h;
    size_t n, m;
    bool own;
    (void)rocecc_packet_parse(d, r, &p);
    m = law_intmd_copy(was, &p, r);
    if (m == 0) return LAW_START;
    p = law_intmd_packet(d, was, m);
    (void)law_intmd_insert(&p, law_front(), mark, mtu, &e);
    if (!rocecc_edit_needs_action(&e)) return LAW_START;
    own = e.splice[0].new_bytes > 24;
    if (!new_udp) before = law_intmd_upper_of(&p, was);
    memcpy(is, was, m);
    n = law_edit_carry(&e, is, m);
    LAW(n != LAW_EDIT_BAD && n == m + e.splice[0].new_bytes && n <= mtu);
    p = law_intmd_packet(d, is, n);
    after = law_intmd_upper_of(&p, is);
    LAW(rocecc_intmd_find(&p, &shim) == ROCECC_OK);
    LAW(rocecc_intmd_mark_find(&p, &shim) == (rocecc_intmd_mark_type)mark);
    LAW(rocecc_intmd_parse(&d->intmd, shim.body, &h) == ROCECC_OK);
    LAW(p.headers.ip.end == law_front() + n && h.n_nodes == own);
    LAW(h.header.m == !own && !h.header.e);
    LAW(h.header.remaining_hop_count == (own ? 4 : 5));
    LAW(law_intmd_ip_residue(is) == law_intmd_ip_residue(was));
    LAW(law_intmd_residue(is, &after) ==
        (new_udp ? 0x10000 : law_intmd_residue(was, &before)));
    (void)law_intmd_insert(&p, law_front(), mark, mtu, &e);
    LAW(e.verdict == ROCECC_EDIT_PRESENT && !rocecc_edit_needs_action(&e));
    (void)law_intmd_strip(&p, law_front(), &e);
    LAW(e.verdict == ROCECC_EDIT_CHANGE);
    LAW(law_edit_carry(&e, is, n) == m);
    if (new_udp) before = after;
    if (law_intmd_canonical(was, &before, new_udp)) LAW(memcmp(is, was, m) == 0);
    return LAW_START;
}

/* Checks all changes by one configuration. */
LAW_FN uint32_t law_intmd_changes(const rocecc_domain *d, rocecc_reader r)
{
    uint8_t mark;
    LAW(law_intmd_transit(d, r, UINT32_MAX) == LAW_START);
    LAW(law_intmd_transit(d, r, (uint32_t)rocecc_left(&r)) == LAW_START);
    for (mark = 0; mark < 5; mark++) {
        LAW(law_intmd_source(d, r, mark, UINT32_MAX) == LAW_START);
        LAW(law_intmd_source(d, r, mark, (uint32_t)rocecc_left(&r) + 24) == LAW_START);
    }
    return LAW_START;
}
#endif

/* Checks the bytes as a shim of every kind. */
LAW_FN uint32_t law_intmd_shims(rocecc_reader r)
{
    uint32_t digest = law_intmd_shim(r);
    digest = law_mix(digest, law_intmd_gre(r));
    digest = law_mix(digest, law_intmd_gpe(r));
    digest = law_mix(digest, law_intmd_geneve(r));
    digest = law_mix(digest, law_intmd_headers(r));
    return law_mix(digest, rocecc_intmd_match(r));
}

/* Checks the bytes as shims, a body and a packet. One BPF program holds no more. */
LAW_FN uint32_t law_intmd_read(rocecc_reader r)
{
    const rocecc_domain d = law_intmd_domain(0);
    const rocecc_reader body = law_intmd_body_of(r);
    uint32_t digest = law_intmd_shims(r);
    rocecc_packet p;
    unsigned k;
    digest = law_mix(digest, law_intmd_body(&d.intmd, body));
    for (k = 0; k < LAW_INTMD_NODES; k++)
        digest = law_mix(digest, law_intmd_nth(&d.intmd, body, k));
    (void)rocecc_packet_parse(&d, r, &p);
    return law_mix(digest, law_intmd_find(&p, r.at));
}

/* Checks law_intmd_read(), and the changes by nodes. */
LAW_FN uint32_t law_intmd(rocecc_reader r)
{
    const rocecc_domain d = law_intmd_domain(0);
    uint32_t digest = law_intmd_read(r);
    rocecc_packet p;
    rocecc_edit e;
    unsigned k;
    (void)rocecc_packet_parse(&d, r, &p);
    digest = law_mix(digest, law_intmd_push(&p, r.at, 1500, &e));
    digest = law_mix(digest, law_intmd_strip(&p, r.at, &e));
    for (k = 0; k < 4; k++)
        digest = law_mix(digest, law_intmd_insert(&p, r.at, (uint8_t)k, 1500, &e));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    LAW(law_intmd_body(&d.intmd, r) != LAW_BROKEN);
    for (k = 0; k < 8; k++) {
        const rocecc_domain v = law_intmd_domain(k);
        LAW(law_intmd_changes(&v, r) == LAW_START);
    }
#endif
    return digest;
}

#endif /* TESTS_LAW_INTMD_H */
