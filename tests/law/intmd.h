/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_INTMD_H
#define TESTS_LAW_INTMD_H

#include "ip.h"
#include "law.h"
#include "rocecc/wire/intmd.h"

#define INTMD_SHIM_FIELDS(F, T)                                                        \
    F(T, UINT, type, NULL)                                                             \
    F(T, UINT, npt, NULL)                                                              \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, original, NULL)                                                         \
    F(T, VIEW, body, NULL)

#define INTMD_GRE_FIELDS(F, T)                                                         \
    F(T, UINT, type, NULL)                                                             \
    F(T, BOOL, g, NULL)                                                                \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, next_protocol, NULL)                                                    \
    F(T, VIEW, body, NULL)

#define INTMD_GPE_FIELDS(F, T)                                                         \
    F(T, UINT, type, NULL)                                                             \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, BOOL, g, NULL)                                                                \
    F(T, UINT, reserved7, NULL)                                                        \
    F(T, UINT, next_protocol, NULL)                                                    \
    F(T, VIEW, body, NULL)

#define INTMD_GENEVE_FIELDS(F, T)                                                      \
    F(T, UINT, option_class, NULL)                                                     \
    F(T, UINT, type, NULL)                                                             \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, VIEW, body, NULL)

#define INTMD_HEADER_FIELDS(F, T)                                                      \
    F(T, UINT, ver, NULL)                                                              \
    F(T, BOOL, d, NULL)                                                                \
    F(T, BOOL, e, NULL)                                                                \
    F(T, BOOL, m, NULL)                                                                \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, hop_ml, NULL)                                                           \
    F(T, UINT, remaining_hop_count, NULL)                                              \
    F(T, UINT, instructions, NULL)                                                     \
    F(T, UINT, ds_id, NULL)                                                            \
    F(T, UINT, ds_instruction, NULL)                                                   \
    F(T, UINT, ds_flags, NULL)

#define INTMD_MX_FIELDS(F, T)                                                          \
    F(T, UINT, ver, NULL)                                                              \
    F(T, BOOL, d, NULL)                                                                \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, instructions, NULL)                                                     \
    F(T, UINT, ds_id, NULL)                                                            \
    F(T, UINT, ds_instruction, NULL)                                                   \
    F(T, UINT, ds_flags, NULL)

#define INTMD_NODE_VALUES(F, T)                                                        \
    F(T, UINT, present, NULL)                                                          \
    F(T, UINT, node_id, NULL)                                                          \
    F(T, UINT, ingress_id, NULL)                                                       \
    F(T, UINT, egress_id, NULL)                                                        \
    F(T, UINT, hop_latency, NULL)                                                      \
    F(T, UINT, queue_id, NULL)                                                         \
    F(T, UINT, queue_occupancy, NULL)                                                  \
    F(T, HEX, ingress_timestamp, NULL)                                                 \
    F(T, HEX, egress_timestamp, NULL)                                                  \
    F(T, UINT, l2_ingress_id, NULL)                                                    \
    F(T, UINT, l2_egress_id, NULL)                                                     \
    F(T, UINT, egress_tx_utilization, NULL)                                            \
    F(T, UINT, buffer_id, NULL)                                                        \
    F(T, UINT, buffer_occupancy, NULL)                                                 \
    F(T, UINT, checksum_complement, NULL)

#define INTMD_NODE_FIELDS(F, T)                                                        \
    INTMD_NODE_VALUES(F, T)                                                            \
    F(T, VIEW, reserved, NULL)                                                         \
    F(T, VIEW, ds, NULL)

#define INTMD_PLACE_FIELDS(F, T)                                                       \
    F(T, UINT, version, NULL)                                                          \
    F(T, UINT, dscp, NULL)                                                             \
    F(T, UINT, proto, NULL)                                                            \
    F(T, ENUM, mark, INTMD_MARKS)                                                      \
    F(T, UINT, proto_at, NULL)                                                         \
    F(T, UINT, upper, NULL)                                                            \
    F(T, UINT, shim, NULL)                                                             \
    F(T, UINT, end, NULL)                                                              \
    F(T, UINT, bytes, NULL)

#define INTMD_KINDS "md mx destination v05 v10 ver unknown"
#define INTMD_MARKS "port new_udp dscp probe"
#define INTMD_VERDICTS "push hops mtu none present broken other unknown full"

/* The values of the laboratory: nobody has assigned them. */
#define LAW_INTMD_PORT 5000
#define LAW_INTMD_DSCP 0x17
#define LAW_INTMD_PROBE 0x5052424d41524b31u

enum { LAW_INTMD_PAD = 1, LAW_INTMD_COMPLEMENT = 2, LAW_INTMD_BEFORE_OPTIONS = 4 };

LAW_FN rocecc_intmd_config law_intmd_config(unsigned variant)
{
    rocecc_intmd_config c = {LAW_INTMD_PORT, LAW_INTMD_DSCP, 0x3f,  LAW_INTMD_PROBE,
                             false,          false,          false, 1,
                             {1, 2}};
    c.pad_unknown = (variant & LAW_INTMD_PAD) != 0;
    c.complement = (variant & LAW_INTMD_COMPLEMENT) != 0;
    c.before_options = (variant & LAW_INTMD_BEFORE_OPTIONS) != 0;
    return c;
}

/* The words of each bit of the instructions, from bit 0 on: 3.3 of the table. */
LAW_FN unsigned law_intmd_words(uint32_t instructions)
{
    static const uint8_t words[16] = {1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    unsigned n = 0, bit;
    for (bit = 0; bit < 16; bit++)
        if ((instructions >> (15 - bit) & 1) != 0) n += words[bit];
    return n;
}

/* What parse() should say, from the definition: node by node, the last one first. */
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

/* Shims of every kind: what is read is what would be written. */
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

LAW_INTMD_SHIM(shim, INTMD_SHIM_FIELDS)
LAW_INTMD_SHIM(gre, INTMD_GRE_FIELDS)
LAW_INTMD_SHIM(gpe, INTMD_GPE_FIELDS)
LAW_INTMD_SHIM(geneve, INTMD_GENEVE_FIELDS)

/* Both headers: any 12 bytes are one, and come back. */
LAW_FN uint32_t law_intmd_header(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_intmd_header h;
    const rocecc_status status = rocecc_intmd_header_parse(&rest, &h);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_SHORT && rest.at == r.at);
        return digest;
    }
    LAW(rest.at == r.at + ROCECC_INTMD_HEADER_BYTES);
    LAW_FIELDS(INTMD_HEADER_FIELDS, &h)
    digest = law_mix(digest, rocecc_intmd_words(h.instructions));
#if !defined(__bpf__)
    {
        LAW_SCRATCH(back, ROCECC_INTMD_HEADER_BYTES);
        rocecc_writer w = law_writer(back, ROCECC_INTMD_HEADER_BYTES);
        LAW(rocecc_intmd_words(h.instructions) == law_intmd_words(h.instructions));
        LAW(rocecc_intmd_header_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == 12);
        LAW(law_same(r, &w, 12));
        LAW(rocecc_intmd_header_emit(&w, &h) == ROCECC_ERR_SPACE &&
            law_wrote(&w) == 12);
    }
#endif
    return digest;
}

LAW_FN uint32_t law_intmd_mx(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_intmd_mx h;
    const rocecc_status status = rocecc_intmd_mx_parse(&rest, &h);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_SHORT && rest.at == r.at);
        return digest;
    }
    LAW(rest.at == r.at + ROCECC_INTMD_HEADER_BYTES);
    LAW_FIELDS(INTMD_MX_FIELDS, &h)
#if !defined(__bpf__)
    {
        LAW_SCRATCH(back, ROCECC_INTMD_HEADER_BYTES);
        rocecc_writer w = law_writer(back, ROCECC_INTMD_HEADER_BYTES);
        LAW(rocecc_intmd_mx_emit(&w, &h) == ROCECC_OK && law_same(r, &w, 12));
        LAW(rocecc_intmd_mx_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == 12);
    }
#endif
    return digest;
}

#if !defined(__bpf__)
/* A node again, byte for byte; a byte less of room, and it is not written. */
LAW_FN uint32_t law_intmd_node_again(rocecc_reader wire, const rocecc_intmd *h,
                                     const rocecc_intmd_node *n)
{
    LAW_SCRATCH(back, ROCECC_INTMD_STACK_MAX_BYTES + 4);
    const size_t bytes = rocecc_intmd_node_bytes(&h->header, n);
    rocecc_writer w = law_writer(back, ROCECC_INTMD_STACK_MAX_BYTES + 4);
    rocecc_intmd_node wide = *n;
    LAW(bytes == rocecc_left(&wire));
    LAW(rocecc_intmd_node_emit(&w, &h->header, n) == ROCECC_OK &&
        law_wrote(&w) == bytes);
    LAW(law_same(wire, &w, ROCECC_INTMD_STACK_MAX_BYTES + 4));
    w = law_writer(back, bytes - 1);
    LAW(rocecc_intmd_node_emit(&w, &h->header, n) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == 0);
    wide.queue_occupancy = 0x1000000;
    LAW(rocecc_intmd_node_emit(&w, &h->header, &wide) == ROCECC_ERR_RANGE);
    return LAW_START;
}
#endif

#define LAW_INTMD_NODES 3 /* that the digest goes over */

/* A body: lengths by the model, and the nodes account for every byte. */
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
        rocecc_intmd_node n;
        size_t at = nodes.at;
        int i;
        for (i = 0; (status = rocecc_intmd_node_next(&h, &nodes, &n)) == ROCECC_OK;
             i++) {
            const size_t more = i + 1 == h.n_nodes ? h.source_words : 0u;
            LAW(nodes.at - at == 4 * ((size_t)h.header.hop_ml + more));
            LAW((n.present & ~(uint32_t)h.header.instructions) == 0);
            LAW(law_intmd_node_again(rocecc_between(body, at, nodes.at), &h, &n) ==
                LAW_START);
            at = nodes.at;
        }
        LAW(status == ROCECC_END && nodes.at == body.end && i == h.n_nodes);
    }
#endif
    return digest;
}

/* Node k of a body. */
LAW_FN uint32_t law_intmd_nth(const rocecc_intmd_config *c, rocecc_reader body,
                              unsigned k)
{
    uint32_t digest = LAW_START;
    rocecc_intmd_node n;
    rocecc_reader nodes;
    rocecc_intmd h;
    rocecc_status status = rocecc_intmd_parse(c, body, &h);
    if (status != ROCECC_OK || k >= h.n_nodes || k >= LAW_INTMD_NODES) return digest;
    nodes = h.nodes;
    LAW(rocecc_take(&nodes, (size_t)(k & 3) * h.header.hop_ml * 4) != NULL);
    status = rocecc_intmd_node_next(&h, &nodes, &n);
    LAW(status == ROCECC_OK);
    if (status != ROCECC_OK) return LAW_BROKEN; /* for Frama-C, where LAW() goes on */
    LAW_FIELDS(INTMD_NODE_VALUES, &n)
    digest = law_mix(digest, rocecc_left(&n.reserved));
    return law_mix(digest, rocecc_left(&n.ds));
}

/* The body of a shim, or all bytes where there is none. */
LAW_FN rocecc_reader law_intmd_body_of(rocecc_reader r)
{
    rocecc_reader rest = r;
    rocecc_intmd_shim shim;
    return rocecc_intmd_shim_parse(&rest, &shim) == ROCECC_OK ? shim.body : r;
}

/* Where a packet has it, and what a transit would do. */
LAW_FN uint32_t law_intmd_plan(const rocecc_intmd_config *c, rocecc_reader r,
                               uint32_t mtu)
{
    uint32_t digest = LAW_START;
    rocecc_intmd_plan plan;
    LAW_IN_MEMORY(&plan);
    rocecc_intmd_plan_push(c, r, mtu, &plan);
    LAW_IN_MEMORY(&plan);
    digest = law_mix(digest, plan.verdict);
    digest = law_mix(digest, plan.at);
    digest = law_mix(digest, plan.bytes);
    LAW(plan.bytes == plan.record);
    LAW((plan.bytes != 0) == (plan.verdict == ROCECC_INTMD_PUSH));
    LAW(plan.verdict != ROCECC_INTMD_PUSH || plan.place.bytes + plan.bytes <= mtu);
    LAW(plan.verdict > ROCECC_INTMD_MTU || plan.at == plan.place.shim + 16);
    LAW(plan.place.end <= plan.place.bytes);
    LAW_FIELDS(INTMD_PLACE_FIELDS, &plan.place)
    return digest;
}

LAW_FN uint32_t law_intmd_find(const rocecc_intmd_config *c, rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_intmd_place p;
    rocecc_intmd_shim h;
    rocecc_status status;
    LAW_IN_MEMORY(&p);
    LAW_IN_MEMORY(&h);
    status = rocecc_intmd_find(c, r, &p, &h);
    LAW_IN_MEMORY(&p);
    LAW_IN_MEMORY(&h);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    LAW(h.body.at == r.at + p.shim + 4 && h.body.end <= r.at + p.end);
    LAW((h.npt == 0) == (p.mark >= ROCECC_INTMD_MARK_DSCP) && h.npt < 3);
    LAW(p.proto_at < p.upper && p.upper < p.shim && p.end <= p.bytes);
    LAW_FIELDS(INTMD_SHIM_FIELDS, &h)
    return digest;
}

#if !defined(__bpf__)
#define LAW_INTMD_BYTES 4096

/* n bytes of 16-bit words, modulo 2^16 - 1; of an odd number, as if a 0 followed. */
LAW_FN uint32_t law_intmd_sum(const uint8_t *b, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < n; i++)
        sum = (sum + (i % 2 == 0 ? (uint32_t)b[i] * 256 : b[i])) % 0xffff;
    return sum;
}

/* What is left of the checksums: 0 where they are right; 0x10000 for UDP's none. */
LAW_FN uint32_t law_intmd_ip_residue(const uint8_t *b)
{
    return b[0] / 16 == 4 ? law_intmd_sum(b, (size_t)(b[0] % 16) * 4) : 0;
}

LAW_FN uint32_t law_intmd_residue(const uint8_t *b, const rocecc_intmd_place *p)
{
    const size_t n = p->end - p->upper;
    uint32_t sum = law_intmd_sum(b + p->upper, n);
    if (p->proto == 17 && b[p->upper + 6] == 0 && b[p->upper + 7] == 0) return 0x10000;
    sum += b[0] / 16 == 4 ? law_intmd_sum(b + 12, 8) : law_intmd_sum(b + 8, 32);
    return (sum + p->proto + (uint32_t)n) % 0xffff;
}

/* The bytes of a packet, with a gap of n bytes that hold 0xa5; what is too long is not
 * there. Returns how many. */
LAW_FN size_t law_intmd_open(uint8_t *to, rocecc_reader r, size_t bytes, size_t at,
                             size_t n)
{
    const uint8_t *b = rocecc_take(&r, bytes);
    size_t i;
    if (b == NULL || bytes + n > LAW_INTMD_BYTES) return 0;
    for (i = 0; i < bytes + n; i++)
        to[i] = i < at ? b[i] : i < at + n ? 0xa5 : b[i - n];
    return bytes + n;
}

/* What a sink makes of n bytes, in place; returns how many are left, 0 for none. */
LAW_FN size_t law_intmd_close(const rocecc_intmd_config *c, uint8_t *b, size_t n)
{
    rocecc_intmd_cut cut;
    size_t i;
    if (rocecc_intmd_strip(c, law_writer(b, n), &cut) != ROCECC_OK) return 0;
    for (i = cut.at; i + cut.bytes < n; i++)
        b[i] = b[i + cut.bytes];
    return n - cut.bytes;
}

LAW_FN bool law_intmd_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* A node whose values come from the first bytes of r, whatever they are. */
LAW_FN rocecc_intmd_node law_intmd_node(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, 20);
    rocecc_intmd_node n = {0};
    uint32_t x = 1;
    if (b != NULL) x = rocecc_load32(b) ^ rocecc_load32(b + 16);
    n.present = (uint16_t)(x & 0xff80); /* never the complement: that is push()'s */
    n.node_id = x;
    n.ingress_id = (uint16_t)(x >> 3);
    n.egress_id = (uint16_t)(x >> 5);
    n.hop_latency = x * 3;
    n.queue_id = (uint8_t)x;
    n.queue_occupancy = x & 0xffffff;
    n.ingress_timestamp = (uint64_t)x << 20;
    n.egress_timestamp = (uint64_t)x << 21;
    n.l2_ingress_id = x + 1;
    n.l2_egress_id = x + 2;
    n.egress_tx_utilization = x >> 8;
    n.buffer_id = (uint8_t)(x >> 8);
    n.buffer_occupancy = x >> 8;
    n.reserved = n.ds = rocecc_reader_of(NULL, NULL);
    return n;
}

/* A push: one node more, lengths and checksums agree, and a sink sees no difference. */
LAW_FN uint32_t law_intmd_transit(const rocecc_intmd_config *c, rocecc_reader r,
                                  uint32_t mtu)
{
    static LAW_ROOM(was, LAW_INTMD_BYTES);
    static LAW_ROOM(is, LAW_INTMD_BYTES);
    const rocecc_intmd_node node = law_intmd_node(r);
    rocecc_intmd_place before, after;
    rocecc_intmd_plan plan;
    rocecc_intmd_shim shim;
    rocecc_intmd a, b;
    rocecc_reader again;
    size_t n, m;
    rocecc_intmd_plan_push(c, r, mtu, &plan);
    if (plan.verdict > ROCECC_INTMD_MTU) return LAW_START;
    before = plan.place;
    m = law_intmd_open(was, r, before.bytes, 0, 0);
    n = law_intmd_open(is, r, before.bytes, plan.at, plan.bytes);
    if (m == 0 || n == 0) return LAW_START;
    again = law_reader(was, m);
    LAW(rocecc_intmd_find(c, again, &before, &shim) == ROCECC_OK);
    LAW(rocecc_intmd_parse(c, shim.body, &a) == ROCECC_OK);
    if (plan.verdict == ROCECC_INTMD_PUSH)
        LAW(rocecc_intmd_push(c, law_writer(is, plan.at + plan.bytes - 1u), &plan,
                              &node) == ROCECC_ERR_SPACE);
    LAW(rocecc_intmd_push(c, law_writer(is, n), &plan, &node) == ROCECC_OK);
    again = law_reader(is, n);
    LAW(rocecc_intmd_find(c, again, &after, &shim) == ROCECC_OK);
    LAW(rocecc_intmd_parse(c, shim.body, &b) == ROCECC_OK);
    LAW(after.bytes == n && after.end == before.end + plan.bytes);
    LAW(after.shim == before.shim && after.mark == before.mark);
    LAW(b.n_nodes == a.n_nodes + (plan.verdict == ROCECC_INTMD_PUSH));
    LAW(b.header.e == (a.header.e || plan.verdict == ROCECC_INTMD_HOPS));
    LAW(b.header.m == (a.header.m || plan.verdict == ROCECC_INTMD_MTU));
    LAW(b.header.remaining_hop_count ==
        a.header.remaining_hop_count - (plan.verdict == ROCECC_INTMD_PUSH));
    LAW(law_intmd_ip_residue(is) == law_intmd_ip_residue(was));
    LAW(law_intmd_residue(is, &after) == law_intmd_residue(was, &before));
    n = law_intmd_close(c, is, n);
    m = law_intmd_close(c, was, m);
    LAW(n == m && n != 0 && law_intmd_equal(is, was, n));
    return LAW_START;
}

/* Whether the checksums are written as a sum is: a 0 in IPv4 and TCP is never ffff. */
LAW_FN bool law_intmd_canonical(const uint8_t *b, const rocecc_intmd_place *p)
{
    const uint8_t *tcp = b + p->upper + 16;
    return (p->version == 6 || b[10] != 0xff || b[11] != 0xff) &&
           (p->mark == ROCECC_INTMD_MARK_NEW_UDP || p->proto == 17 || tcp[0] != 0xff ||
            tcp[1] != 0xff);
}

/* An insertion by each mark, with a record and without: a sink undoes it. */
LAW_FN uint32_t law_intmd_source(const rocecc_intmd_config *c, rocecc_reader r,
                                 uint8_t mark, uint32_t mtu)
{
    static LAW_ROOM(was, LAW_INTMD_BYTES);
    static LAW_ROOM(is, LAW_INTMD_BYTES);
    const rocecc_intmd_node node = law_intmd_node(r);
    rocecc_intmd_source source;
    rocecc_intmd_plan plan;
    rocecc_intmd_place after;
    rocecc_intmd_shim shim;
    rocecc_intmd h;
    rocecc_reader again;
    size_t n, m;
    source.mark = mark;
    source.src_port = (uint16_t)node.node_id;
    source.header = rocecc_intmd_header_init((uint16_t)(node.node_id >> 7 | 0x80), 5);
    LAW(rocecc_intmd_plan_insert(c, r, &source, &node, mtu, &plan) == ROCECC_OK);
    if (plan.verdict != ROCECC_INTMD_PUSH) return LAW_START;
    m = law_intmd_open(was, r, plan.place.bytes, 0, 0);
    n = law_intmd_open(is, r, plan.place.bytes, plan.at, plan.bytes);
    if (m == 0 || n == 0) return LAW_START;
    LAW(n <= mtu);
    LAW(rocecc_intmd_insert(c, law_writer(is, plan.at + plan.bytes - 1u), &plan,
                            &source, &node) == ROCECC_ERR_SPACE);
    LAW(rocecc_intmd_insert(c, law_writer(is, n), &plan, &source, &node) == ROCECC_OK);
    again = law_reader(is, n);
    LAW(rocecc_intmd_find(c, again, &after, &shim) == ROCECC_OK && after.mark == mark);
    LAW(rocecc_intmd_parse(c, shim.body, &h) == ROCECC_OK);
    LAW(after.bytes == n && h.n_nodes == (plan.record != 0 ? 1 : 0));
    LAW(h.header.m == (plan.record == 0) && !h.header.e);
    LAW(h.header.remaining_hop_count == (plan.record == 0 ? 5 : 4));
    LAW(law_intmd_ip_residue(is) == law_intmd_ip_residue(was));
    if (mark != ROCECC_INTMD_MARK_NEW_UDP)
        LAW(law_intmd_residue(is, &after) == law_intmd_residue(was, &plan.place));
    else
        LAW(law_intmd_residue(is, &after) == 0x10000);
    n = law_intmd_close(c, is, n);
    LAW(n == m);
    if (law_intmd_canonical(was, &plan.place)) LAW(law_intmd_equal(is, was, n));
    return LAW_START;
}

/* All of that, for one configuration. */
LAW_FN uint32_t law_intmd_changes(const rocecc_intmd_config *c, rocecc_reader r)
{
    uint8_t mark;
    LAW(law_intmd_transit(c, r, UINT32_MAX) == LAW_START);
    LAW(law_intmd_transit(c, r, (uint32_t)rocecc_left(&r)) == LAW_START);
    for (mark = 0; mark < 5; mark++) {
        LAW(law_intmd_source(c, r, mark, UINT32_MAX) == LAW_START);
        LAW(law_intmd_source(c, r, mark, (uint32_t)rocecc_left(&r) + 24) == LAW_START);
    }
    return LAW_START;
}
#endif

/* Bytes as a shim of every kind. */
LAW_FN uint32_t law_intmd_shims(rocecc_reader r)
{
    uint32_t digest = law_intmd_shim(r);
    digest = law_mix(digest, law_intmd_gre(r));
    digest = law_mix(digest, law_intmd_gpe(r));
    digest = law_mix(digest, law_intmd_geneve(r));
    digest = law_mix(digest, law_intmd_header(r));
    digest = law_mix(digest, law_intmd_mx(r));
    return law_mix(digest, rocecc_intmd_match(r));
}

/* Bytes as a body, as what a shim has, and as a packet. */
LAW_FN uint32_t law_intmd(rocecc_reader r)
{
    const rocecc_intmd_config c = law_intmd_config(0);
    const rocecc_reader body = law_intmd_body_of(r);
    uint32_t digest = law_intmd_shims(r);
    unsigned k;
    digest = law_mix(digest, law_intmd_body(&c, body));
    for (k = 0; k < LAW_INTMD_NODES; k++)
        digest = law_mix(digest, law_intmd_nth(&c, body, k));
    digest = law_mix(digest, law_intmd_find(&c, r));
    digest = law_mix(digest, law_intmd_plan(&c, r, 1500));
#if !defined(__bpf__)
    {
        unsigned variant;
        LAW(law_intmd_body(&c, r) != LAW_BROKEN);
        for (variant = 0; variant < 8; variant++) {
            const rocecc_intmd_config v = law_intmd_config(variant);
            LAW(law_intmd_plan(&v, r, 0xffffffff) != LAW_BROKEN);
            LAW(law_intmd_changes(&v, r) == LAW_START);
        }
    }
#endif
    return digest;
}

#endif /* TESTS_LAW_INTMD_H */
