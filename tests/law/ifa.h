/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_IFA_H
#define TESTS_LAW_IFA_H

#include "edit.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/fields/ifa.h"

#define LAW_IFA_MTU_BYTES 1500

/* Returns a configuration with the lab's protocol and these layouts by LNS. */
LAW_FN rocecc_ifa_config law_ifa_config(uint16_t layout_a, uint16_t layout_b)
{
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    c.protocol = ROCECC_IFA_LAB_PROTOCOL;
    c.layout_a = layout_a;
    c.layout_b = layout_b;
    return c;
}

LAW_FN rocecc_ifa_config law_ifa_lab(void)
{
    return law_ifa_config(ROCECC_IFA_LAB_LAYOUT_A, ROCECC_IFA_LAB_LAYOUT_B);
}

/* Returns a domain of packets that begin with IP. */
LAW_FN rocecc_domain law_ifa_domain(void)
{
    rocecc_domain d = {0};
    d.link = ROCECC_LINK_IP;
    d.ifa = law_ifa_lab();
    d.ah = true;
    return d;
}

/* Returns law_ifa_domain() with C, MF and two global name spaces, but not TS. */
LAW_FN rocecc_domain law_ifa_choices(void)
{
    rocecc_domain d = law_ifa_domain();
    d.ifa.gns_a = 1u << 1;
    d.ifa.gns_b = 1u << 2;
    d.ifa.checksum = ROCECC_IFA_COVERS_METADATA;
    d.ifa.fragments = true;
    return d;
}

/* Checks that any 4 bytes are loaded as each of the four headers, and stored again. */
LAW_FN uint32_t law_ifa_headers(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    uint8_t back[16];
    const uint8_t *b = rocecc_take(&r, 4);
    rocecc_ifa_header header;
    rocecc_ifa_metadata metadata;
    rocecc_ifa_checksum checksum;
    rocecc_ifa_fragment fragment;
    int i;
    if (b == NULL) return digest;
    header = rocecc_ifa_header_load(b);
    metadata = rocecc_ifa_metadata_load(b);
    checksum = rocecc_ifa_checksum_load(b);
    fragment = rocecc_ifa_fragment_load(b);
    LAW_FIELDS(ROCECC_IFA_HEADER_FIELDS, &header)
    LAW_FIELDS(ROCECC_IFA_METADATA_FIELDS, &metadata)
    LAW_FIELDS(ROCECC_IFA_CHECKSUM_FIELDS, &checksum)
    LAW_FIELDS(ROCECC_IFA_FRAGMENT_FIELDS, &fragment)
    rocecc_ifa_header_store(back, &header);
    rocecc_ifa_metadata_store(back + 4, &metadata);
    rocecc_ifa_checksum_store(back + 8, &checksum);
    rocecc_ifa_fragment_store(back + 12, &fragment);
    for (i = 0; i < 16; i++)
        LAW(back[i] == b[i % 4]);
    return digest;
}

/* Checks that a record is emitted again, and that an unknown speed is not present. */
LAW_FN uint32_t law_ifa_node(const rocecc_ifa_config *c, rocecc_reader *nodes)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_IFA_NODE_BYTES);
    const rocecc_reader before = *nodes;
    rocecc_writer w = law_writer(back, ROCECC_IFA_NODE_BYTES);
    rocecc_ifa_node n;
    size_t at;
    const rocecc_status status = rocecc_ifa_node_next(c, nodes, &n);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(nodes->at == before.at);
        LAW((status == ROCECC_END) == (rocecc_left(&before) == 0));
        LAW((status == ROCECC_ERR_FORMAT) ==
            (rocecc_left(&before) > 0 && rocecc_left(&before) < 32));
        return digest;
    }
    at = nodes->at;
    ROCECC_BPF_KEEP_(at);
    LAW(at - before.at == 32);
    LAW_FIELDS(ROCECC_IFA_NODE_FIELDS, &n)
    digest = law_mix(digest, rocecc_ifa_speed_bps(n.speed));
    LAW(((n.present & ROCECC_IFA_SPEED) != 0) ==
        (n.layout == ROCECC_IFA_LAYOUT_A && n.speed < 7));
    LAW((n.present & ROCECC_IFA_SPEED) == 0 ||
        rocecc_ifa_speed_code(rocecc_ifa_speed_bps(n.speed)) == n.speed);
    LAW(rocecc_ifa_node_emit(&w, &n) == ROCECC_OK && law_wrote(&w) == 32);
    LAW(law_same(before, &w, 32));
    LAW(rocecc_ifa_node_emit(&w, &n) == ROCECC_ERR_SPACE && law_wrote(&w) == 32);
    return digest;
}

/* Checks that the walk over a view's records uses all bytes and never fails. */
LAW_FN uint32_t law_ifa_nodes(const rocecc_ifa *h)
{
    uint32_t digest = LAW_START;
    rocecc_reader nodes = h->nodes;
    rocecc_ifa_node n;
    int i;
    for (i = 0; i < ROCECC_IFA_NODES_MAX; i++) {
        const rocecc_status status = rocecc_ifa_node_next(&h->config, &nodes, &n);
        if (status == ROCECC_END) break;
        LAW(status == ROCECC_OK);
        digest = law_mix(digest, n.device_id);
    }
    LAW(rocecc_left(&nodes) == 0 && 8 * i == h->metadata.current_length);
    return law_mix(digest, (uint32_t)i);
}

/* Checks the lengths of the IFA that find() returns. */
LAW_FN uint32_t law_ifa_found(const rocecc_packet *p)
{
    uint32_t digest = LAW_START;
    rocecc_ifa h;
    const rocecc_status status = rocecc_ifa_find(p, &h);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_IFA_FIELDS, &h)
    LAW(h.metadata.current_length <= h.header.max_length);
    LAW(rocecc_left(&h.nodes) == 4 * (size_t)h.metadata.current_length);
    if ((h.header.flags & ROCECC_IFA_FLAG_TS) != 0) {
        LAW(h.l4.end == h.payload.at && h.payload.end == h.nodes.at);
        LAW(h.nodes.end + rocecc_ifa_stack_bytes(h.header.flags, 0) ==
                p->headers.ip.end &&
            p->headers.ip.end <= p->bytes.end);
    } else {
        LAW(h.l4.at == p->headers.ifa + 4u);
        LAW(h.l4.end + 4 + (h.header.flags & 1 ? 4 : 0) +
                (h.header.flags & 16 ? 4 : 0) ==
            h.nodes.at);
        LAW(h.nodes.end == h.payload.at && h.payload.end <= p->bytes.end);
    }
    return law_mix(digest, law_ifa_nodes(&h));
}

LAW_FN uint32_t law_ifa_verified(const rocecc_packet *p)
{
    rocecc_ifa h;
    if (rocecc_ifa_find(p, &h) != ROCECC_OK) return LAW_START;
    return law_mix(LAW_START, rocecc_ifa_verify(&h));
}

/* Returns a record of layout A for the plans below. law_ifa_path() checks them. */
LAW_FN rocecc_ifa_node law_ifa_a_node(void)
{
    rocecc_ifa_node n = {0};
    n.layout = ROCECC_IFA_LAYOUT_A;
    n.lns = 1;
    n.device_id = 0xbeef;
    n.speed = 6;
    n.tx_bytes = 0x12345678;
    n.queue_length = 99;
    n.present = ROCECC_IFA_PRESENT_A;
    return n;
}

LAW_FN uint32_t law_ifa_push(const rocecc_packet *p, size_t start, rocecc_edit *e)
{
    const rocecc_ifa_node n = law_ifa_a_node();
    (void)rocecc_ifa_push(p, &n, LAW_IFA_MTU_BYTES, e);
    return law_edit(e, start);
}

LAW_FN uint32_t law_ifa_strip(const rocecc_packet *p, size_t start, rocecc_edit *e)
{
    (void)rocecc_ifa_strip(p, e);
    return law_edit(e, start);
}

LAW_FN uint32_t law_ifa_insert(const rocecc_packet *p, size_t start, rocecc_edit *e)
{
    rocecc_ifa_source s = {
        {2, 0xf, 0, ROCECC_IFA_FLAG_I, 8}, {0xff, 0, 1, 0}, 0x2abcdef};
    if (p->domain->ifa.fragments)
        s.header.flags |= ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF;
    if (p->domain->ifa.tail != ROCECC_IFA_TAIL_UNKNOWN)
        s.header.flags |= ROCECC_IFA_FLAG_TS;
    (void)rocecc_ifa_insert(p, &s, LAW_IFA_MTU_BYTES, e);
    return law_edit(e, start);
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
#define LAW_IFA_BYTES 4096

/* Packet at b, for a model of find() with plain indices. */
typedef struct law_ifa_bytes {
    const rocecc_ifa_config *c;
    const uint8_t *b;
    size_t n;     /* bytes captured */
    size_t total; /* bytes declared */
} law_ifa_bytes;

LAW_FN rocecc_status law_ifa_need(const law_ifa_bytes *p, size_t to)
{
    if (to <= p->n && to <= p->total) return ROCECC_OK;
    return p->n < p->total ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT;
}

LAW_FN rocecc_status law_ifa_l4(const law_ifa_bytes *p, uint8_t proto, size_t *at)
{
    const uint8_t *b = p->b + *at;
    size_t n = proto == 17 ? 8 : proto == 6 ? 20 : 4;
    rocecc_status status;
    if (proto != 17 && proto != 6 && proto != 47) return ROCECC_ERR_UNSUPPORTED;
    status = law_ifa_need(p, *at + n);
    if (status != ROCECC_OK) return status;
    if (proto == 17 && b[4] == 0 && b[5] < 8) return ROCECC_ERR_FORMAT;
    if (proto == 6) n = (size_t)(b[12] >> 4) * 4;
    if (proto == 6 && n < 20) return ROCECC_ERR_FORMAT;
    if (proto == 47 && ((b[0] & 0x40) || (b[1] & 7))) return ROCECC_ERR_UNSUPPORTED;
    if (proto == 47)
        n = (size_t)4 + ((b[0] & 0x80) ? 4 : 0) + ((b[0] & 0x20) ? 4 : 0) +
            ((b[0] & 0x10) ? 4 : 0);
    *at += n;
    return law_ifa_need(p, *at);
}

/* Returns the layout of all records, 0 if each LNS decides, or 3 if none is known. */
LAW_FN int law_ifa_zone(const rocecc_ifa_config *c, unsigned gns)
{
    if (gns == 15) return 0;
    return c->gns_a >> gns & 1 ? 1 : c->gns_b >> gns & 1 ? 2 : 3;
}

/* Returns the status of the records. UDP Length must not exceed n bytes of payload. */
LAW_FN rocecc_status law_ifa_stack(const law_ifa_bytes *p, size_t start, size_t at,
                                   size_t words, size_t n)
{
    const int zone = law_ifa_zone(p->c, p->b[start] & 15);
    size_t i;
    if (p->b[start + 1] == 17 &&
        (size_t)p->b[start + 8] * 256 + p->b[start + 9] - 8 > n)
        return ROCECC_ERR_FORMAT;
    for (i = at; i < at + 4 * words; i += 32) {
        if (zone == 1 || (zone == 0 && p->b[i] >> 4 == 1)) continue;
        if ((zone == 0 && p->b[i] >> 4 != 2) || p->b[i + 4] >> 5 != 2)
            return ROCECC_ERR_UNSUPPORTED;
    }
    return ROCECC_OK;
}

/*
 * Returns the status of a tail stamp. L4 ends at `at`, and the packet ends with the
 * headers of C and MF and the metadata.
 */
LAW_FN rocecc_status law_ifa_tail(const law_ifa_bytes *p, size_t start, size_t at)
{
    const size_t headers =
        4 + 4 * (size_t)(p->b[start + 2] & 1) + 4 * (size_t)(p->b[start + 2] >> 4 & 1);
    size_t words;
    if (p->n < p->total) return ROCECC_ERR_SHORT;
    if (p->total - at < headers) return ROCECC_ERR_FORMAT;
    words = p->b[p->total - 1];
    if (words > p->b[start + 3] || words % 8 != 0 ||
        headers + 4 * words > p->total - at)
        return ROCECC_ERR_FORMAT;
    return law_ifa_stack(p, start, p->total - headers - 4 * words, words,
                         p->total - headers - 4 * words - at);
}

/* Returns the status from the IFA header on. */
LAW_FN rocecc_status law_ifa_body(const law_ifa_bytes *p, size_t at)
{
    const size_t start = at;
    size_t metadata, words, i;
    rocecc_status status = law_ifa_need(p, at + 4);
    if (status != ROCECC_OK) return status;
    if (p->b[at] >> 4 != 2 || law_ifa_zone(p->c, p->b[at] & 15) == 3 ||
        ((p->b[at + 2] & 0x08) && p->c->tail == 0))
        return ROCECC_ERR_UNSUPPORTED;
    at += 4;
    status = law_ifa_l4(p, p->b[start + 1], &at);
    if (status != ROCECC_OK) return status;
    if (p->b[start + 2] & 0x08) return law_ifa_tail(p, start, at);
    metadata = at;
    status = law_ifa_need(p, at + 4);
    if (status != ROCECC_OK) return status;
    at += 4;
    for (i = 0x01; i <= 0x10; i *= 0x10) {
        if ((p->b[start + 2] & i) == 0) continue;
        status = law_ifa_need(p, at + 4);
        if (status != ROCECC_OK) return status;
        at += 4;
    }
    words = p->b[metadata + 3];
    if (words > p->b[start + 3] || words % 8 != 0) return ROCECC_ERR_FORMAT;
    status = law_ifa_need(p, at + 4 * words);
    if (status != ROCECC_OK) return status;
    return law_ifa_stack(p, start, at, words, p->total - (at + 4 * words));
}

LAW_FN rocecc_status law_ifa_v4(law_ifa_bytes *p, size_t *at)
{
    const uint8_t *b = p->b;
    if (p->n < 20) return ROCECC_ERR_SHORT;
    *at = 4 * (size_t)(b[0] & 15);
    p->total = (size_t)b[2] * 256 + b[3];
    if (b[0] >> 4 != 4 || *at < 20 || p->total < *at) return ROCECC_ERR_FORMAT;
    if (p->n < *at) return ROCECC_ERR_SHORT;
    if ((b[6] & 0x3f) || b[7])
        return b[9] == 253 ? ROCECC_ERR_UNSUPPORTED : ROCECC_NO_MATCH;
    if (b[9] == 50 || b[9] == 51) return ROCECC_ERR_UNSUPPORTED;
    return b[9] == 253 ? ROCECC_OK : ROCECC_NO_MATCH;
}

LAW_FN rocecc_status law_ifa_v6(law_ifa_bytes *p, size_t *at)
{
    const uint8_t *b = p->b;
    unsigned type, i;
    if (p->n < 40) return ROCECC_ERR_SHORT;
    p->total = 40 + (size_t)b[4] * 256 + b[5];
    type = b[6];
    if (p->total == 40 && type == 0) return ROCECC_ERR_UNSUPPORTED;
    *at = 40;
    for (i = 0;; i++) {
        size_t bytes = 8;
        rocecc_status status;
        const uint8_t *ext = b + *at;
        if (type == 50) return ROCECC_ERR_UNSUPPORTED;
        if (type != 0 && type != 43 && type != 44 && type != 51 && type != 60 &&
            type != 135 && type != 139 && type != 140)
            return type == 253 ? ROCECC_OK : ROCECC_NO_MATCH;
        status = law_ifa_need(p, *at + 2);
        if (status != ROCECC_OK) return status;
        if (type != 44) bytes += (type == 51 ? 4u : 8u) * ext[1];
        status = law_ifa_need(p, *at + bytes);
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6EXT_MAX) return ROCECC_ERR_UNSUPPORTED;
        if (type == 44 && (ext[2] || (ext[3] & 0xf9)))
            return ext[0] == 253 ? ROCECC_ERR_UNSUPPORTED : ROCECC_NO_MATCH;
        type = ext[0];
        *at += bytes;
    }
}

LAW_FN rocecc_status law_ifa_status(const rocecc_ifa_config *c, const uint8_t *b,
                                    size_t n)
{
    law_ifa_bytes p;
    size_t at = 0;
    rocecc_status status;
    p.c = c;
    p.b = b;
    p.n = n;
    p.total = 0;
    if (n == 0) return ROCECC_ERR_SHORT;
    status = b[0] >> 4 == 6 ? law_ifa_v6(&p, &at) : law_ifa_v4(&p, &at);
    return status == ROCECC_OK ? law_ifa_body(&p, at) : status;
}

/* Returns the checksum over an IPv4 header with its checksum field, or 0 for IPv6. */
LAW_FN uint16_t law_ifa_sum(const uint8_t *b)
{
    const rocecc_reader header = law_reader(b, 4 * (size_t)(b[0] & 15));
    if (b[0] >> 4 != 4) return 0;
    return rocecc_checksum_final(rocecc_checksum_update(0, header));
}

LAW_FN rocecc_packet law_ifa_packet(const rocecc_domain *d, const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, law_reader(b, n), &p);
    return p;
}

/* Returns true if a push only adds a record or starts a new stack. */
LAW_FN bool law_ifa_pushes(const rocecc_domain *d, uint8_t *b, size_t n)
{
    const uint16_t sum = law_ifa_sum(b);
    rocecc_packet p = law_ifa_packet(d, b, n);
    rocecc_edit e;
    rocecc_ifa was, is;
    rocecc_ifa_node first;
    bool fresh;
    size_t gone;
    rocecc_status right;
    (void)law_ifa_push(&p, law_front(), &e);
    fresh = e.verdict == ROCECC_EDIT_FRAGMENT;
    if (e.verdict != ROCECC_EDIT_CHANGE && !fresh) return !rocecc_edit_needs_action(&e);
    if (rocecc_ifa_find(&p, &was) != ROCECC_OK) return false;
    right = rocecc_ifa_verify(&was);
    gone = fresh ? rocecc_left(&was.nodes) : 0;
    if (law_edit_carry(&e, b, n) != n + 32 - gone || law_ifa_sum(b) != sum)
        return false;
    p = law_ifa_packet(d, b, n + 32 - gone);
    if (rocecc_ifa_find(&p, &is) != ROCECC_OK) return false;
    if (is.metadata.current_length != was.metadata.current_length + 8 - gone / 4)
        return false;
    if (fresh && right != ROCECC_NO_MATCH) right = ROCECC_OK; /* for a new stack */
    if (rocecc_ifa_verify(&is) != right) return false;
    if (is.fragment.mf_id != was.fragment.mf_id + fresh) return false;
    if (is.metadata.hop_limit != was.metadata.hop_limit - 1) return false;
    if (rocecc_left(&is.payload) != rocecc_left(&was.payload)) return false;
    if (rocecc_ifa_node_next(&is.config, &is.nodes, &first) != ROCECC_OK) return false;
    return first.device_id == 0xbeef && first.queue_length == 99 &&
           is.nodes.at == was.nodes.at + 32;
}

/* Returns true if byte i belongs to an IPv4 header's checksum. */
LAW_FN bool law_ifa_is_sum(const rocecc_headers_ip *ip, size_t i)
{
    const size_t at = law_front() + i;
    return ip->version == 4 && (at == ip->offset + 10u || at == ip->offset + 11u);
}

/* Returns the length of a packet by its outermost IP header. */
LAW_FN size_t law_ifa_total(const uint8_t *b)
{
    if (b[0] >> 4 == 4) return (size_t)b[2] * 256 + b[3];
    return 40 + (size_t)b[4] * 256 + b[5];
}

/* Returns true if an inserted IFA with a record is stripped without a change. */
LAW_FN bool law_ifa_around(const rocecc_domain *d, uint8_t *b, size_t n,
                           const uint8_t *was)
{
    const uint16_t sum = law_ifa_sum(b);
    const size_t before = n;
    rocecc_packet p = law_ifa_packet(d, b, n);
    const rocecc_headers plain = p.headers;
    rocecc_edit e;
    rocecc_ifa h;
    size_t i, total;
    (void)law_ifa_insert(&p, law_front(), &e);
    if (e.verdict != ROCECC_EDIT_CHANGE) return !rocecc_edit_needs_action(&e);
    n = law_edit_carry(&e, b, n);
    if (n != before + (d->ifa.fragments ? 16 : 8) || law_ifa_sum(b) != sum)
        return false;
    p = law_ifa_packet(d, b, n);
    (void)law_ifa_insert(&p, law_front(), &e);
    if (e.verdict != ROCECC_EDIT_PRESENT || rocecc_edit_needs_action(&e)) return false;
    if (rocecc_ifa_find(&p, &h) != ROCECC_OK) return false;
    total = law_ifa_total(b);
    if (!law_ifa_pushes(d, b, n)) return false;
    n += law_ifa_total(b) - total;
    p = law_ifa_packet(d, b, n);
    (void)law_ifa_strip(&p, law_front(), &e);
    if (e.verdict != ROCECC_EDIT_CHANGE) return false;
    if (law_edit_carry(&e, b, n) != before) return false;
    for (i = 0; i < before; i++) /* a checksum of 0 may change its form */
        if (b[i] != was[i] && !law_ifa_is_sum(&plain.ip, i) &&
            !law_ifa_is_sum(&plain.outer, i))
            return false;
    return law_ifa_sum(b) == sum;
}

/* Checks all changes by nodes, on copies of a packet. */
LAW_FN uint32_t law_ifa_path(const rocecc_packet *p, rocecc_reader r)
{
    static LAW_ROOM(was, LAW_IFA_BYTES);
    static LAW_ROOM(is, LAW_IFA_BYTES + LAW_EDIT_MORE + 64);
    const size_t n = rocecc_left(&r);
    rocecc_ifa h;
    size_t i;
    const rocecc_status status = rocecc_ifa_find(p, &h);
    if (n > LAW_IFA_BYTES) return 0;
    for (i = 0; i < n; i++)
        was[i] = is[i] = rocecc_take(&r, 1)[0];
    /* The model does not follow IP in IP. */
    LAW(p->headers.outer.version != 0 ||
        status == law_ifa_status(&p->domain->ifa, was, n));
    LAW(law_ifa_pushes(p->domain, is, n));
    for (i = 0; i < n; i++)
        is[i] = was[i];
    LAW(law_ifa_around(p->domain, is, n, was));
    return 1;
}
#endif

/*
 * Checks the bytes as the headers and as a record of each layout. BPF runs the parts of
 * law_ifa() in separate programs.
 */
LAW_FN uint32_t law_ifa_record(rocecc_reader r)
{
    const rocecc_ifa_config a = law_ifa_config(0xffff, 0);
    const rocecc_ifa_config b = law_ifa_config(0, 0xffff);
    rocecc_reader as_a = r, as_b = r;
    uint32_t digest = law_ifa_headers(r);
    digest = law_mix(digest, law_ifa_node(&a, &as_a));
    return law_mix(digest, law_ifa_node(&b, &as_b));
}

LAW_FN uint32_t law_ifa_in(const rocecc_domain *d, rocecc_reader r, uint32_t digest)
{
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(d, r, &p);
    digest = law_mix(digest, law_ifa_found(&p));
    digest = law_mix(digest, law_ifa_verified(&p));
    digest = law_mix(digest, law_ifa_push(&p, r.at, &e));
    digest = law_mix(digest, law_ifa_strip(&p, r.at, &e));
    digest = law_mix(digest, law_ifa_insert(&p, r.at, &e));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    LAW(law_ifa_path(&p, r) != LAW_BROKEN || rocecc_left(&r) > LAW_IFA_BYTES);
#endif
    return digest;
}

LAW_FN uint32_t law_ifa(rocecc_reader r)
{
    const rocecc_domain lab = law_ifa_domain(), choices = law_ifa_choices();
#if !defined(__bpf__) /* BPF reads no tail stamp */
    rocecc_domain tails = choices;
    tails.ifa.tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
    (void)law_ifa_in(&tails, r, LAW_START);
#endif
    return law_ifa_in(&choices, r, law_ifa_in(&lab, r, law_ifa_record(r)));
}

#endif /* TESTS_LAW_IFA_H */
