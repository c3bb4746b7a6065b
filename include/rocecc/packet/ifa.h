/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_IFA_H
#define ROCECC_PACKET_IFA_H

/*
 * ifa.h - IFA 2.0 in a packet: found by its walk, put in by a source, grown by a
 * transit and taken out by a sink. wire/ifa.h has the format, edit.h what a plan is.
 * draft-kumar-ippm-ifa.
 *
 *     rocecc_packet_of(&domain, r, &p);
 *     rocecc_ifa_push(&p, &node, 1500, &e);   ROCECC_EDIT_CHANGE
 *     rocecc_edit_apply(&e, &w);              32 bytes longer, Hop Limit one less
 *
 * The domain has the IP protocol number and the layouts. UDP's and TCP's lengths and
 * checksums are those of the packet without IFA, and stay. mtu_bytes is the longest IP
 * packet of the link ahead. The walk ends at an IFA header with a tail stamp (TS): the
 * records are found, and the BTH is not.
 */
#include "../wire/ifa.h"
#include "edit.h"

/* Where the IFA header is; 0: there is none, or the walk did not come so far. */
ROCECC_FN size_t rocecc_ifa_at_(const rocecc_packet *p)
{
    const rocecc_where *f = &p->where;
    if (ROCECC_IFA_TAILS_ && f->ifa == 0 && f->stopped == ROCECC_AT_IFA &&
        f->status == ROCECC_ERR_UNSUPPORTED &&
        p->domain->ifa.tail != ROCECC_IFA_TAIL_UNKNOWN)
        return f->ip.upper;
    return f->ifa;
}

/*
 * IFA in a packet. NO_MATCH: it has none. Otherwise as rocecc_ifa_parse(), or as the
 * walk, which did not come to where IFA would be.
 */
ROCECC_FN rocecc_status rocecc_ifa_find(const rocecc_packet *p, rocecc_ifa *h)
{
    const rocecc_where *f = &p->where;
    const rocecc_ifa_config *c = &p->domain->ifa;
    const size_t at = rocecc_ifa_at_(p);
    rocecc_status status = ROCECC_NO_MATCH;
    if (c->protocol != 0 && at != 0)
        status = rocecc_ifa_parse(c, rocecc_between(p->bytes, at, p->bytes.end),
                                  f->ip.end - at, h);
    else if (c->protocol != 0 && f->status != ROCECC_OK &&
             f->stopped <= ROCECC_AT_IFA &&
             (f->ip.fragment == ROCECC_FRAGMENT_NONE || f->ip.proto == c->protocol))
        status = (rocecc_status)f->status;
    ROCECC_PASSED_(h);
    return status;
}

/* Why a source leaves a packet alone, before it looks at the L4 header. */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_insert_(const rocecc_packet *p)
{
    const rocecc_where *f = &p->where;
    const uint8_t protocol = p->domain->ifa.protocol;
    if (protocol == 0) return ROCECC_EDIT_NONE;
    if (f->ip.version != 0 && f->ip.proto == protocol) return ROCECC_EDIT_PRESENT;
    if (f->stopped < ROCECC_AT_UPPER)
        return rocecc_edit_verdict_of((rocecc_status)f->status);
    if (f->ip.version == 0) return ROCECC_EDIT_NONE;
    return rocecc_edit_may_change(p, rocecc_edit_proto_at(p) == 0);
}

/* What a source puts in. */
typedef struct rocecc_ifa_source {
    rocecc_ifa_header header;     /* NextHdr is the packet's */
    rocecc_ifa_metadata metadata; /* Current Length is 0 */
    uint32_t packet_id; /* with MF, 26 bits: the source's number for this packet */
} rocecc_ifa_source;

/* Whether a source's flags and name space are what its zone has agreed on. */
ROCECC_FN bool rocecc_ifa_source_fits_(const rocecc_ifa_config *c,
                                       const rocecc_ifa_source *s)
{
    rocecc_ifa_config zone = *c;
    const uint8_t flags = s->header.flags;
    if (s->header.gns >> 4 != 0 || !rocecc_ifa_known_(c, &s->header) ||
        !rocecc_ifa_zone_(&zone, s->header.gns))
        return false;
    if ((flags & ROCECC_IFA_FLAG_C) != 0 && c->checksum == ROCECC_IFA_COVERS_UNKNOWN)
        return false;
    return (flags & ROCECC_IFA_FLAG_MF) == 0 ||
           (c->fragments && s->packet_id >> 26 == 0);
}

/* The headers after L4, or after the payload, around an empty stack: n bytes. */
ROCECC_FN void rocecc_ifa_source_store_(const rocecc_ifa_config *c,
                                        const rocecc_ifa_source *s, uint8_t *b,
                                        size_t n)
{
    const bool sum = (s->header.flags & ROCECC_IFA_FLAG_C) != 0;
    const rocecc_ifa_fragment fragment = {s->packet_id, 0, false};
    rocecc_ifa_checksum checksum = {0, 0};
    uint32_t covered = 0;
    rocecc_ifa_metadata_store(b, &s->metadata);
    b[3] = 0;
    if ((s->header.flags & ROCECC_IFA_FLAG_MF) != 0)
        rocecc_ifa_fragment_store(b + n - ROCECC_IFA_FRAGMENT_BYTES, &fragment);
    if (!sum) return;
    if (c->checksum == ROCECC_IFA_COVERS_METADATA) {
        covered = (uint32_t)rocecc_load16(b) + rocecc_load16(b + 2);
        if (n == 12) covered += (uint32_t)rocecc_load16(b + 8) + rocecc_load16(b + 10);
    }
    checksum.checksum = rocecc_checksum_final(covered);
    rocecc_ifa_checksum_store(b + ROCECC_IFA_METADATA_BYTES, &checksum);
}

/*
 * Source: puts an IFA header before L4, with its NextHdr, and after L4 a metadata
 * header with a Current Length of 0, the checksum header of C, and the fragment header
 * of MF, with an MF ID of 0; with TS the metadata header goes to the end of the packet.
 * PRESENT, AH, MTU, FULL. BROKEN, UNSUPPORTED: there is no UDP, TCP or GRE header that
 * is whole, or for TS no whole packet. RANGE: the header is not of version 2, or the
 * domain does not know its name space, or what one of its flags announces.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_insert(const rocecc_packet *p,
                                                const rocecc_ifa_source *s,
                                                uint32_t mtu_bytes, rocecc_edit *out)
{
    const rocecc_ifa_config *c = &p->domain->ifa;
    const bool tail = rocecc_ifa_is_tail_(&s->header);
    const size_t bytes = rocecc_ifa_stack_bytes(s->header.flags, 0);
    const uint16_t more = (uint16_t)(ROCECC_IFA_HEADER_BYTES + bytes);
    const rocecc_where_ip *ip = &p->where.ip;
    rocecc_reader rest = rocecc_between(p->bytes, ip->upper, ip->end);
    rocecc_reader l4 = rest;
    uint8_t *header, *metadata;
    size_t at;
    rocecc_edit_verdict verdict = rocecc_ifa_may_insert_(p);
    if (verdict == ROCECC_EDIT_CHANGE)
        verdict = rocecc_edit_verdict_of(rocecc_ifa_l4_split(&rest, ip->proto, &l4));
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_none(out, verdict);
    if (!rocecc_ifa_l4_fits(ip->proto, l4, ip->end - l4.end) ||
        (tail && rest.end != ip->end))
        return rocecc_edit_none(out, ROCECC_EDIT_BROKEN);
    if (!rocecc_ifa_source_fits_(c, s)) return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    verdict = rocecc_edit_none(out, rocecc_edit_may_grow(p, more, mtu_bytes));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    header = rocecc_edit_open(out, ip->upper, 0, ROCECC_IFA_HEADER_BYTES);
    metadata = rocecc_edit_open(out, tail ? ip->end : l4.end, 0, bytes);
    rocecc_ifa_header_store(header, &s->header);
    header[1] = ip->proto;
    rocecc_ifa_source_store_(c, s, metadata, bytes);
    at = ip->upper + (ip->proto == ROCECC_PROTO_TCP ? 12u : 0u);
    rocecc_edit_set(out, p, ROCECC_EDIT_OWN, at, rocecc_edit_load(p, at)); /* l4.end */
    rocecc_edit_ip_length(out, p, more);
    rocecc_edit_ip_proto(out, p, rocecc_edit_proto_at(p), c->protocol);
    return verdict;
}

/* Where the metadata header is. */
ROCECC_FN size_t rocecc_ifa_metadata_at_(const rocecc_ifa *h)
{
    return rocecc_ifa_is_tail_(&h->header) ? h->nodes.end : h->l4.end;
}

/* What is in the way of another record. */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_push_(const rocecc_packet *p,
                                                   const rocecc_ifa *h,
                                                   uint32_t mtu_bytes)
{
    rocecc_edit_verdict verdict;
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0 &&
        h->config.checksum == ROCECC_IFA_COVERS_UNKNOWN)
        return ROCECC_EDIT_CHECKSUM;
    if (h->metadata.hop_limit == 0) return ROCECC_EDIT_HOPS;
    if (h->metadata.current_length + ROCECC_IFA_NODE_WORDS > h->header.max_length)
        return ROCECC_EDIT_FULL;
    verdict = rocecc_edit_may_change(p, rocecc_edit_proto_at(p) == 0);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    return rocecc_edit_may_grow(p, ROCECC_IFA_NODE_BYTES, mtu_bytes);
}

/* What becomes of FULL and MTU: FRAGMENT where a record may replace the stack. */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_start_(const rocecc_packet *p,
                                                    const rocecc_ifa *h,
                                                    uint32_t mtu_bytes,
                                                    rocecc_edit_verdict verdict)
{
    const uint32_t less = h->metadata.current_length * 4u;
    if ((verdict != ROCECC_EDIT_FULL && verdict != ROCECC_EDIT_MTU) ||
        !h->config.fragments || (h->header.flags & ROCECC_IFA_FLAG_MF) == 0 ||
        h->fragment.mf_id >= ROCECC_IFA_MF_ID_MAX || h->fragment.last || less == 0 ||
        rocecc_edit_may_grow(p, ROCECC_IFA_NODE_BYTES - less, mtu_bytes) !=
            ROCECC_EDIT_CHANGE)
        return verdict;
    verdict = rocecc_edit_may_change(p, rocecc_edit_proto_at(p) == 0);
    return verdict == ROCECC_EDIT_CHANGE ? ROCECC_EDIT_FRAGMENT : verdict;
}

/* The words of IFA that a plan was made by: they are compared, and stay. */
ROCECC_FN void rocecc_ifa_keep_(rocecc_edit *e, const rocecc_packet *p,
                                const rocecc_ifa *h)
{
    const size_t at = h->l4.at - ROCECC_IFA_HEADER_BYTES;
    const size_t metadata = rocecc_ifa_metadata_at_(h);
    rocecc_edit_set(e, p, ROCECC_EDIT_OWN, at, rocecc_edit_load(p, at));
    rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + 1), at + 2,
                    rocecc_edit_load(p, at + 2));
    rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + 2), metadata + 2,
                    rocecc_edit_load(p, metadata + 2));
}

/*
 * The words that a record changes, h being what the headers become: Hop Limit and
 * Current Length; MF ID of a new stack; the checksum. That of a stack that goes on
 * follows what is new by RFC 1624, so that one that was wrong stays wrong; the words of
 * before that it covers are those of the metadata header.
 */
ROCECC_FN void rocecc_ifa_push_words_(rocecc_edit *e, const rocecc_packet *p,
                                      const rocecc_ifa *h, bool fresh)
{
    const size_t at = rocecc_ifa_metadata_at_(h) + ROCECC_IFA_METADATA_BYTES;
    rocecc_edit_word *metadata = &e->word[ROCECC_EDIT_OWN + 2];
    uint32_t sum = rocecc_edit_fill_sum(e, ROCECC_IFA_NODE_BYTES);
    metadata->is = (uint16_t)(h->metadata.hop_limit << 8 | h->metadata.current_length);
    if (fresh) {
        const size_t mf = h->nodes.at - 2;
        rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + 3), mf,
                        (uint16_t)(rocecc_edit_load(p, mf) + 2));
        sum += rocecc_ifa_head_sum_(h);
    } else {
        sum += (uint16_t)~h->checksum.checksum;
        if (h->config.checksum == ROCECC_IFA_COVERS_METADATA)
            sum += (uint32_t)(uint16_t)~metadata->was + metadata->is;
    }
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0)
        rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + 4), at,
                        rocecc_checksum_final(sum));
}

/*
 * Transit: puts a record next to the newest, and counts it in the metadata header. C's
 * checksum follows. FRAGMENT: there was no room, and MF is set; the record takes the
 * place of all others, which are to be sent to the collector before the plan is carried
 * out, and MF ID is one more. HOPS: Hop Limit is 0. FULL: Max Length, or the length of
 * IP. MTU, AH. CHECKSUM: C is set, and nobody knows what it covers. RANGE: the record
 * does not fit its layout, or its name space has another one in this domain.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_push(const rocecc_packet *p,
                                              const rocecc_ifa_node *n,
                                              uint32_t mtu_bytes, rocecc_edit *out)
{
    rocecc_ifa h;
    uint8_t *record;
    size_t at, was = 0;
    const rocecc_status status = rocecc_ifa_find(p, &h);
    rocecc_edit_verdict verdict;
    if (status != ROCECC_OK)
        return rocecc_edit_none(out, rocecc_edit_verdict_of(status));
    verdict = rocecc_ifa_may_push_(p, &h, mtu_bytes);
    verdict = rocecc_ifa_may_start_(p, &h, mtu_bytes, verdict);
    (void)rocecc_edit_none(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE && verdict != ROCECC_EDIT_FRAGMENT)
        return verdict;
    if (!rocecc_ifa_node_fits(n)) return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    if (verdict == ROCECC_EDIT_FRAGMENT) {
        was = rocecc_left(&h.nodes);
        h.metadata.current_length = 0;
        h.fragment.mf_id++;
    }
    at = rocecc_ifa_is_tail_(&h.header) && h.config.tail == ROCECC_IFA_TAIL_NEWEST_LAST
             ? h.nodes.end
             : h.nodes.at;
    record = rocecc_edit_open(out, at, was, ROCECC_IFA_NODE_BYTES);
    rocecc_ifa_node_store(record, n);
    if (rocecc_ifa_layout_of(&h.config, record) != (rocecc_ifa_layout)n->layout)
        return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    rocecc_ifa_keep_(out, p, &h);
    h.metadata.hop_limit--;
    h.metadata.current_length =
        (uint8_t)(h.metadata.current_length + ROCECC_IFA_NODE_WORDS);
    rocecc_ifa_push_words_(out, p, &h, verdict == ROCECC_EDIT_FRAGMENT);
    rocecc_edit_ip_length(out, p, (uint16_t)(ROCECC_IFA_NODE_BYTES - was));
    return verdict;
}

/*
 * Sink: takes all of IFA out; its records are to be read before, and a checksum to be
 * verified (rocecc_ifa_verify). PROBE: I is clear, and the packet is a clone or a
 * probe, to be read and dropped. AH.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_strip(const rocecc_packet *p, rocecc_edit *out)
{
    rocecc_ifa h;
    size_t at, proto_at;
    uint16_t bytes;
    rocecc_edit_verdict verdict;
    const rocecc_status status = rocecc_ifa_find(p, &h);
    if (status != ROCECC_OK)
        return rocecc_edit_none(out, rocecc_edit_verdict_of(status));
    bytes = (uint16_t)rocecc_ifa_stack_bytes(h.header.flags, h.metadata.current_length);
    at = rocecc_ifa_is_tail_(&h.header) ? h.nodes.at : h.l4.end;
    proto_at = rocecc_edit_proto_at(p);
    verdict = rocecc_edit_may_change(p, proto_at == 0);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_none(out, verdict);
    if ((h.header.flags & ROCECC_IFA_FLAG_I) == 0)
        return rocecc_edit_none(out, ROCECC_EDIT_PROBE);
    (void)rocecc_edit_none(out, ROCECC_EDIT_CHANGE);
    (void)rocecc_edit_open(out, h.l4.at - ROCECC_IFA_HEADER_BYTES,
                           ROCECC_IFA_HEADER_BYTES, 0);
    (void)rocecc_edit_open(out, at, bytes, 0);
    rocecc_ifa_keep_(out, p, &h);
    rocecc_edit_ip_length(out, p, (uint16_t) - (ROCECC_IFA_HEADER_BYTES + bytes));
    rocecc_edit_ip_proto(out, p, proto_at, h.header.next_hdr);
    return ROCECC_EDIT_CHANGE;
}

#endif /* ROCECC_PACKET_IFA_H */
