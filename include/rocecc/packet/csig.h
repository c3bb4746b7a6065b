/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CSIG_H
#define ROCECC_PACKET_CSIG_H

/*
 * csig.h - a CSIG tag in a packet: put in by a sender, made worse by a port on the
 * path, taken out before a neighbour that does not know it. wire/csig.h has the tag and
 * the table of buckets, edit.h what a plan is. draft-ravi-ippm-csig-01.
 *
 *     h = rocecc_csig_neutral(&domain.csig, false, ROCECC_CSIG_ABW_C);
 *     rocecc_csig_insert(&p, &h, &e);                    0x9900 0x2f80 before 0x0800
 *     rocecc_csig_push(&p, &table, &port, &local, &e);   0x2f80 becomes 0x2203: bucket
 *                                                        4 of 32, and locator 3
 *     rocecc_csig_strip(&p, &e);
 *
 * The tag stands after VLAN tags, two at most, and lengths and checksums of IP do not
 * cover it. A plan is for packets with this tag, or these VLAN tags; if they are the
 * same, the rest of the packet may be another.
 */
#include "../wire/csig.h"
#include "edit.h"

typedef enum rocecc_csig_action {
    ROCECC_CSIG_PASS = 0, /* tags go through as they are */
    ROCECC_CSIG_UPDATE,
    ROCECC_CSIG_STRIP /* towards a neighbour that does not know them */
} rocecc_csig_action;

/* An egress port. */
typedef struct rocecc_csig_port {
    uint8_t action; /* a rocecc_csig_action */
    bool ignore_d;  /* UEC: d does not keep this port from updating */
    uint16_t locator;
} rocecc_csig_port;

/* What a port measured, by type and in the units of its table. */
typedef struct rocecc_csig_local {
    uint64_t value[ROCECC_CSIG_TYPES];
} rocecc_csig_local;

typedef enum rocecc_csig_verdict {
    ROCECC_CSIG_KEPT = 0, /* this hop is not worse: another was as bad before */
    ROCECC_CSIG_WRITTEN,  /* this hop is the worst so far */
    ROCECC_CSIG_MARKED,   /* d is set */
    ROCECC_CSIG_UNKNOWN,  /* of a type without buckets here */
    ROCECC_CSIG_PASSED,   /* the port's action */
    ROCECC_CSIG_STRIPPED  /* the same: the tag is to be taken out */
} rocecc_csig_verdict;

/*
 * What becomes of a tag at a port, which compares what it measured with the tag. A tie
 * leaves the tag. *h changes with WRITTEN alone. SAI-CSIG, 3.1.
 */
ROCECC_FN rocecc_csig_verdict rocecc_csig_fold(const rocecc_csig_table *t,
                                               const rocecc_csig_port *port,
                                               const rocecc_csig_local *local,
                                               rocecc_csig *h)
{
    uint32_t bucket = 0;
    size_t type = h->type;
    if (port->action == ROCECC_CSIG_STRIP) return ROCECC_CSIG_STRIPPED;
    if (port->action != ROCECC_CSIG_UPDATE) return ROCECC_CSIG_PASSED;
    if (h->no_update && !port->ignore_d) return ROCECC_CSIG_MARKED;
    if (type >= ROCECC_CSIG_TYPES) return ROCECC_CSIG_UNKNOWN;
    ROCECC_BPF_MASK_(type, ROCECC_CSIG_TYPES - 1);
    if (rocecc_csig_quantise(t, h, local->value[type], &bucket) != ROCECC_OK)
        return ROCECC_CSIG_UNKNOWN;
    if (rocecc_csig_is_min(h->type) ? bucket >= h->value : bucket <= h->value)
        return ROCECC_CSIG_KEPT;
    h->value = bucket;
    h->locator = port->locator;
    return ROCECC_CSIG_WRITTEN;
}

/* The tag of a packet. NO_MATCH: it has none, or was cut in it already when it was
 * walked. SHORT: it has been cut there since. */
ROCECC_FN rocecc_status rocecc_csig_find(const rocecc_packet *p, rocecc_csig *h)
{
    rocecc_reader r = rocecc_between(p->bytes, p->where.csig, p->bytes.end);
    rocecc_status status = ROCECC_NO_MATCH;
    if (p->where.csig != 0) status = rocecc_csig_parse(&p->domain->csig, &r, h);
    ROCECC_PASSED_(h);
    return status;
}

/* Compares the 16 bits at `at`, or sets them. */
ROCECC_FN void rocecc_csig_word_(rocecc_edit *e, const rocecc_packet *p, int i,
                                 size_t at, const uint8_t *is)
{
    rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_OWN + i), at,
                    is != NULL ? rocecc_load16(is) : rocecc_edit_load(p, at));
}

/* The 16 bits of the tag, each: compared where tag is NULL. */
ROCECC_FN void rocecc_csig_words_(rocecc_edit *e, const rocecc_packet *p,
                                  const uint8_t *tag)
{
    const size_t at = p->where.csig;
    rocecc_csig_word_(e, p, 0, at, NULL);
    rocecc_csig_word_(e, p, 1, at + 2, tag != NULL ? tag + 2 : NULL);
    if (p->where.csig_bytes != ROCECC_CSIG_WIDE_BYTES) return;
    rocecc_csig_word_(e, p, 2, at + 4, tag != NULL ? tag + 4 : NULL);
    rocecc_csig_word_(e, p, 3, at + 6, tag != NULL ? tag + 6 : NULL);
}

/* Where a tag goes: after the VLAN tags that follow the addresses; *n is how many. */
ROCECC_FN size_t rocecc_csig_place_(const rocecc_packet *p, size_t *n)
{
    const size_t types = ROCECC_ETHER_BYTES - 2;
    size_t i;
    for (i = 0; i < ROCECC_PACKET_VLAN_MAX && i < p->where.n_vlan; i++)
        if (p->where.vlan[i] != types + 4 * i + 2) break;
    *n = i;
    return p->bytes.at + types + 4 * i;
}

/*
 * Sender: puts a tag after the addresses and VLAN tags. NONE: the packet does not begin
 * with Ethernet. BROKEN: it ends in a tag or before its type, or begins too far in its
 * buffer. PRESENT. UNSUPPORTED: it has three VLAN tags. RANGE: as rocecc_csig_emit().
 */
ROCECC_FN rocecc_edit_verdict rocecc_csig_insert(const rocecc_packet *p,
                                                 const rocecc_csig *h, rocecc_edit *out)
{
    const rocecc_where *f = &p->where;
    const rocecc_where_ip *ip = rocecc_packet_outermost(p);
    const bool starts_with_ip = ip->version != 0 && ip->at == p->bytes.at;
    size_t n;
    const size_t at = rocecc_csig_place_(p, &n);
    uint8_t tag[ROCECC_CSIG_WIDE_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(tag, tag + sizeof tag);
    rocecc_reader type = rocecc_between(p->bytes, at, at + 2);
    uint8_t *to;
    size_t i;
    (void)rocecc_edit_none(out, ROCECC_EDIT_NONE);
    if (p->domain->link != ROCECC_LINK_ETHER || starts_with_ip) return ROCECC_EDIT_NONE;
    if (f->csig != 0) return rocecc_edit_none(out, ROCECC_EDIT_PRESENT);
    if (n > ROCECC_PACKET_CSIG_VLAN_MAX)
        return rocecc_edit_none(out, ROCECC_EDIT_UNSUPPORTED);
    if (rocecc_take(&type, 2) == NULL || f->status == ROCECC_ERR_RANGE ||
        (f->status == ROCECC_ERR_SHORT && f->stopped < ROCECC_AT_PPPOE))
        return rocecc_edit_none(out, ROCECC_EDIT_BROKEN); /* in a tag */
    if (rocecc_csig_emit(&p->domain->csig, &w, h) != ROCECC_OK)
        return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    (void)rocecc_edit_none(out, ROCECC_EDIT_CHANGE);
    to = rocecc_edit_open(out, at, 0, h->wide ? 8 : 4);
    rocecc_store32(to, rocecc_load32(tag));
    if (h->wide) rocecc_store32(to + 4, rocecc_load32(tag + 4));
    for (i = 0; i <= n; i++)
        rocecc_csig_word_(out, p, (int)i, at - 4 * i, NULL);
    return ROCECC_EDIT_CHANGE;
}

/*
 * Takes the tag out. NONE: find() has NO_MATCH. BROKEN: it has SHORT. UNSUPPORTED: a
 * length of 802.3 counts the tag.
 */
ROCECC_FN rocecc_edit_verdict rocecc_csig_strip(const rocecc_packet *p,
                                                rocecc_edit *out)
{
    rocecc_csig h;
    const rocecc_status status = rocecc_csig_find(p, &h);
    rocecc_edit_verdict verdict = rocecc_edit_verdict_of(status);
    if (status == ROCECC_OK && p->where.link != 0 && p->where.link < p->where.csig)
        verdict = ROCECC_EDIT_UNSUPPORTED;
    (void)rocecc_edit_none(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    (void)rocecc_edit_open(out, p->where.csig, p->where.csig_bytes, 0);
    rocecc_csig_words_(out, p, NULL);
    return verdict;
}

/*
 * A port on the path: where what it measured is worse, its bucket and locator become
 * the tag's; as the port says, the tag goes through, or is taken out. NONE: find() has
 * NO_MATCH, or the tag stays as it is. UNKNOWN: the table has no buckets for it. RANGE:
 * the locator is wider than the tag's field. BROKEN: find() has SHORT.
 * rocecc_csig_fold() tells more.
 */
ROCECC_FN rocecc_edit_verdict rocecc_csig_push(const rocecc_packet *p,
                                               const rocecc_csig_table *t,
                                               const rocecc_csig_port *port,
                                               const rocecc_csig_local *local,
                                               rocecc_edit *out)
{
    uint8_t tag[ROCECC_CSIG_WIDE_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(tag, tag + sizeof tag);
    rocecc_csig h;
    rocecc_csig_verdict what;
    const rocecc_status status = rocecc_csig_find(p, &h);
    if (status != ROCECC_OK)
        return rocecc_edit_none(out, rocecc_edit_verdict_of(status));
    what = rocecc_csig_fold(t, port, local, &h);
    if (what == ROCECC_CSIG_STRIPPED) return rocecc_csig_strip(p, out);
    if (what != ROCECC_CSIG_WRITTEN)
        return rocecc_edit_none(out, what == ROCECC_CSIG_UNKNOWN ? ROCECC_EDIT_UNKNOWN
                                                                 : ROCECC_EDIT_NONE);
    if (rocecc_csig_emit(&p->domain->csig, &w, &h) != ROCECC_OK)
        return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    (void)rocecc_edit_none(out, ROCECC_EDIT_CHANGE);
    rocecc_csig_words_(out, p, tag);
    return ROCECC_EDIT_CHANGE;
}

#endif /* ROCECC_PACKET_CSIG_H */
