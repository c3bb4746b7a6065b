/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_IFA_H
#define ROCECC_PACKET_IFA_H

/*
 * ifa.h - IFA 2.0 in a packet: found by its walk, put in by a source, grown by a
 * transit and taken out by a sink. wire/ifa.h has the format, edit.h what a plan is.
 *
 *     rocecc_packet_of(&domain, r, &p);
 *     rocecc_ifa_push(&p, &node, 1500, &e);   ROCECC_EDIT_CHANGE
 *     rocecc_edit_apply(&e, &w);              32 bytes longer, Hop Limit one less
 *
 * The domain has the IP protocol number and the layouts. UDP's and TCP's lengths and
 * checksums are those of the packet without IFA, and stay. mtu_bytes is the longest IP
 * packet of the link ahead.
 */
#include "../wire/ifa.h"
#include "edit.h"

/*
 * IFA in a packet. NO_MATCH: it has none. Otherwise as rocecc_ifa_parse(), or as the
 * walk, which did not come to where IFA would be.
 */
ROCECC_FN rocecc_status rocecc_ifa_find(const rocecc_packet *p, rocecc_ifa *h)
{
    const rocecc_where *f = &p->where;
    const rocecc_ifa_config *c = &p->domain->ifa;
    rocecc_status status = ROCECC_NO_MATCH;
    if (c->protocol != 0 && f->ifa != 0)
        status = rocecc_ifa_parse(c, rocecc_between(p->bytes, f->ifa, p->bytes.end),
                                  f->ip.end - f->ifa, h);
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

/*
 * Source: puts an IFA header before L4, with its NextHdr, and a metadata header with a
 * Current Length of 0 after it. PRESENT, AH, MTU, FULL. BROKEN, UNSUPPORTED: there is
 * no UDP, TCP or GRE header that is whole. RANGE: h is not of version 2 without a
 * global name space, or a flag announces what is not there (C, MF, TS).
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_insert(const rocecc_packet *p,
                                                const rocecc_ifa_header *h,
                                                const rocecc_ifa_metadata *m,
                                                uint32_t mtu_bytes, rocecc_edit *out)
{
    const uint8_t absent = ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_TS;
    const uint16_t bytes = ROCECC_IFA_HEADER_BYTES + ROCECC_IFA_METADATA_BYTES;
    const rocecc_where_ip *ip = &p->where.ip;
    rocecc_reader rest = rocecc_between(p->bytes, ip->upper, ip->end);
    rocecc_reader l4 = rest;
    uint8_t *header, *metadata;
    size_t at;
    rocecc_edit_verdict verdict = rocecc_ifa_may_insert_(p);
    if (verdict == ROCECC_EDIT_CHANGE)
        verdict = rocecc_edit_verdict_of(rocecc_ifa_l4_split(&rest, ip->proto, &l4));
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_none(out, verdict);
    if (!rocecc_ifa_l4_fits(ip->proto, l4, ip->end - l4.end))
        return rocecc_edit_none(out, ROCECC_EDIT_BROKEN);
    if (h->version != ROCECC_IFA_VERSION || h->gns != ROCECC_IFA_GNS_NONE ||
        (h->flags & absent) != 0)
        return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    verdict = rocecc_edit_none(out, rocecc_edit_may_grow(p, bytes, mtu_bytes));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    header = rocecc_edit_open(out, ip->upper, 0, ROCECC_IFA_HEADER_BYTES);
    metadata = rocecc_edit_open(out, l4.end, 0, ROCECC_IFA_METADATA_BYTES);
    rocecc_ifa_header_store(header, h);
    header[1] = ip->proto;
    rocecc_ifa_metadata_store(metadata, m);
    metadata[3] = 0;
    at = ip->upper + (ip->proto == ROCECC_PROTO_TCP ? 12u : 0u);
    rocecc_edit_set(out, p, ROCECC_EDIT_OWN, at, rocecc_edit_load(p, at)); /* l4.end */
    rocecc_edit_ip_length(out, p, bytes);
    rocecc_edit_ip_proto(out, p, rocecc_edit_proto_at(p), p->domain->ifa.protocol);
    return verdict;
}

/* What is in the way of another record. */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_push_(const rocecc_packet *p,
                                                   const rocecc_ifa *h)
{
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0) return ROCECC_EDIT_CHECKSUM;
    if (h->metadata.hop_limit == 0) return ROCECC_EDIT_HOPS;
    if (h->metadata.current_length + ROCECC_IFA_NODE_WORDS > h->header.max_length)
        return ROCECC_EDIT_FULL;
    return rocecc_edit_may_change(p, rocecc_edit_proto_at(p) == 0);
}

/* The words of IFA that a plan was made by: they are compared, and stay. */
ROCECC_FN void rocecc_ifa_keep_(rocecc_edit *e, const rocecc_packet *p, size_t metadata)
{
    const size_t at = p->where.ifa;
    rocecc_edit_set(e, p, ROCECC_EDIT_OWN, at, rocecc_edit_load(p, at));
    rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + 1), at + 2,
                    rocecc_edit_load(p, at + 2));
    rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + 2), metadata + 2,
                    rocecc_edit_load(p, metadata + 2));
}

/*
 * Transit: puts a record before the others, and counts it in the metadata header. HOPS:
 * Hop Limit is 0. FULL: Max Length, or the length of IP. MTU, AH. CHECKSUM: C is set,
 * and nobody knows what it covers. RANGE: the record does not fit its layout, or its
 * LNS has another one in this domain.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_push(const rocecc_packet *p,
                                              const rocecc_ifa_node *n,
                                              uint32_t mtu_bytes, rocecc_edit *out)
{
    rocecc_ifa h;
    uint8_t *record;
    const rocecc_status status = rocecc_ifa_find(p, &h);
    rocecc_edit_verdict verdict = rocecc_edit_verdict_of(status);
    if (verdict == ROCECC_EDIT_CHANGE) verdict = rocecc_ifa_may_push_(p, &h);
    if (verdict == ROCECC_EDIT_CHANGE)
        verdict = rocecc_edit_may_grow(p, ROCECC_IFA_NODE_BYTES, mtu_bytes);
    if (verdict == ROCECC_EDIT_CHANGE && !rocecc_ifa_node_fits(n))
        verdict = ROCECC_EDIT_RANGE;
    (void)rocecc_edit_none(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    record = rocecc_edit_open(out, h.nodes.at, 0, ROCECC_IFA_NODE_BYTES);
    rocecc_ifa_node_store(record, n);
    if (rocecc_ifa_layout_of(&p->domain->ifa, record) != (rocecc_ifa_layout)n->layout)
        return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    rocecc_ifa_keep_(out, p, h.l4.end);
    out->word[ROCECC_EDIT_OWN + 2].is =
        (uint16_t)((h.metadata.hop_limit - 1) << 8 |
                   (h.metadata.current_length + ROCECC_IFA_NODE_WORDS));
    rocecc_edit_ip_length(out, p, ROCECC_IFA_NODE_BYTES);
    return verdict;
}

/*
 * Sink: takes all of IFA out; its records are to be read before. PROBE: I is clear, and
 * the packet is a clone or a probe, to be read and dropped. AH.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_strip(const rocecc_packet *p, rocecc_edit *out)
{
    rocecc_ifa h;
    uint16_t bytes;
    size_t proto_at;
    rocecc_edit_verdict verdict;
    const rocecc_status status = rocecc_ifa_find(p, &h);
    if (status != ROCECC_OK)
        return rocecc_edit_none(out, rocecc_edit_verdict_of(status));
    bytes = (uint16_t)(h.nodes.end - h.l4.end);
    proto_at = rocecc_edit_proto_at(p);
    verdict = rocecc_edit_may_change(p, proto_at == 0);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_none(out, verdict);
    if ((h.header.flags & ROCECC_IFA_FLAG_I) == 0)
        return rocecc_edit_none(out, ROCECC_EDIT_PROBE);
    (void)rocecc_edit_none(out, ROCECC_EDIT_CHANGE);
    (void)rocecc_edit_open(out, p->where.ifa, ROCECC_IFA_HEADER_BYTES, 0);
    (void)rocecc_edit_open(out, h.l4.end, bytes, 0);
    rocecc_ifa_keep_(out, p, h.l4.end);
    rocecc_edit_ip_length(out, p, (uint16_t) - (ROCECC_IFA_HEADER_BYTES + bytes));
    rocecc_edit_ip_proto(out, p, proto_at, h.header.next_hdr);
    return ROCECC_EDIT_CHANGE;
}

#endif /* ROCECC_PACKET_IFA_H */
