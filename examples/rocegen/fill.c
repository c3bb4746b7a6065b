/* SPDX-License-Identifier: BSD-2-Clause */

/* fill.c - sets lengths and the numbers of next headers, regardless of keys. */
#include <string.h>

#include "gen.h"

typedef enum filling {
    NEXT_TYPE,  /* EtherType of the next layer */
    NEXT_PROTO, /* IP protocol of the next layer */
    NEXT_PORT,  /* UDP port of the next layer; no change if it has none */
    NEXT_GPE,   /* VXLAN-GPE number of the next layer */
    LAST_LABEL, /* 1 unless a label follows */
    OPTIONS,    /* 4-byte words of the layer's options */
    AH_WORDS,   /* 4-byte words of AH, without the first two */
    FROM,       /* bytes from the layer to the frame's end, except the first n */
    NUMBER      /* n itself */
} filling;

static const struct {
    const char *layer, *member;
    filling what;
    uint16_t n; /* for FROM and NUMBER */
} rows[] = {{"ether", "type", NEXT_TYPE, 0},
            {"vlan", "type", NEXT_TYPE, 0},
            {"csig", "next", NEXT_TYPE, 0},
            {"cntag", "type", NEXT_TYPE, 0},
            {"etag", "type", NEXT_TYPE, 0},
            {"vntag", "type", NEXT_TYPE, 0},
            {"arista", "type", NEXT_TYPE, 0},
            {"mpls", "s", LAST_LABEL, 0},
            {"ipv4", "total_length", FROM, 0},
            {"ipv4", "protocol", NEXT_PROTO, 0},
            {"ipv6", "payload_length", FROM, ROCECC_IPV6_BYTES},
            {"ipv6", "next_header", NEXT_PROTO, 0},
            {"hopopts", "next_header", NEXT_PROTO, 0},
            {"dstopts", "next_header", NEXT_PROTO, 0},
            {"srh", "next_header", NEXT_PROTO, 0},
            {"fragment", "next_header", NEXT_PROTO, 0},
            {"ah", "next_header", NEXT_PROTO, 0},
            {"ah", "payload_len", AH_WORDS, 0},
            {"ifa", "next_hdr", NEXT_PROTO, 0},
            {"udp", "length", FROM, 0},
            {"udp", "dst_port", NEXT_PORT, 0},
            {"intmd", "original", NEXT_PORT, 0},
            {"vxlan_gpe", "next_protocol", NEXT_GPE, 0},
            {"geneve", "opt_len", OPTIONS, 0},
            {"geneve", "protocol_type", NEXT_TYPE, 0},
            {"gre", "protocol", NEXT_TYPE, 0},
            {"grh", "pay_len", FROM, ROCECC_GRH_BYTES},
            {"grh", "nxt_hdr", NUMBER, 0x1b}};

#define NO_TYPE 0xffff /* reserved */

size_t frame_after(const frame *f, size_t i, const char *name)
{
    const unsigned level = f->layers[i].level;
    while (++i < f->n)
        if (f->layers[i].level == level && frame_is(f, i, name)) return i;
    return f->n;
}

size_t frame_before(const frame *f, size_t i, const char *name)
{
    const unsigned level = f->layers[i].level;
    while (i-- > 0)
        if (f->layers[i].level == level && frame_is(f, i, name)) return i;
    return f->n;
}

size_t frame_next(const frame *f, size_t i)
{
    while (++i < f->n && layer_is_option(f->layers[i].kind)) {
    }
    return i;
}

/* A layer, and its number in the domain. The number is 0 if the domain has none. */
typedef struct of_domain {
    const char *layer;
    uint16_t number;
} of_domain;

static uint16_t number_of(const frame *f, size_t i, const of_domain *of, size_t n)
{
    size_t k;
    for (k = 0; k < n; k++)
        if (frame_is(f, i, of[k].layer)) return of[k].number;
    return 0;
}

static uint16_t domain_type(const frame *f, size_t i)
{
    const rocecc_tag_config *c = &f->domain->tag;
    const of_domain types[] = {
        {"etag", c->etag_type}, {"vntag", c->vntag_type}, {"arista", c->arista_type}};
    return number_of(f, i, types, COUNT(types));
}

static uint16_t next_type(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    uint16_t type;
    if (next == f->n) return NO_TYPE;
    if (frame_is(f, next, "csig"))
        return ((const tag_record *)f->layers[next].record)->csig.tpid;
    if (frame_is(f, next, "vlan") && frame_is(f, frame_next(f, next), "vlan"))
        return ROCECC_TYPE_STAG;
    type = domain_type(f, next);
    if (type == 0) type = f->layers[next].kind->type;
    return type != 0 ? type : NO_TYPE;
}

static uint8_t next_proto(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (frame_is(f, next, "ifa")) return f->domain->ifa.protocol;
    if (next == f->n || f->layers[next].kind->proto < 0) return ROCECC_PROTO_NONE;
    return (uint8_t)f->layers[next].kind->proto;
}

/* Returns the domain's ports if own_ports is set, otherwise IANA's, without GRE. */
static rocecc_overlay_config overlays_of(const rocecc_domain *d)
{
    rocecc_overlay_config c = d->overlay;
    if (c.own_ports) return c;
    c.vxlan_port = ROCECC_UDP_PORT_VXLAN;
    c.vxlan_gpe_port = ROCECC_UDP_PORT_VXLAN_GPE;
    c.geneve_port = ROCECC_UDP_PORT_GENEVE;
    c.mpls_port = ROCECC_UDP_PORT_MPLS;
    return c;
}

static uint16_t next_port(const frame *f, size_t i)
{
    const rocecc_domain *d = f->domain;
    const rocecc_overlay_config c = overlays_of(d);
    const of_domain ports[] = {{"bth", rocecc_domain_rocev2_port(d)},
                               {"intmd", d->intmd.udp_port},
                               {"l3qcn", d->l3qcn.port},
                               {"arn", d->arn.port},
                               {"vxlan", c.vxlan_port},
                               {"vxlan_gpe", c.vxlan_gpe_port},
                               {"geneve", c.geneve_port},
                               {"mpls", c.mpls_port},
                               {"gre", c.gre_port}};
    return number_of(f, frame_next(f, i), ports, COUNT(ports));
}

static uint8_t next_gpe(const frame *f, size_t i)
{
    return frame_is(f, i + 1, "ipv4") ? 1 : frame_is(f, i + 1, "ipv6") ? 2 : 3;
}

static uint64_t value(const frame *f, size_t i, filling what, uint16_t n)
{
    const layer *l = &f->layers[i];
    switch (what) {
    case NEXT_TYPE:
        return next_type(f, i);
    case NEXT_PROTO:
        return next_proto(f, i);
    case NEXT_PORT:
        return next_port(f, i);
    case NEXT_GPE:
        return next_gpe(f, i);
    case LAST_LABEL:
        return !frame_is(f, i + 1, "mpls");
    case OPTIONS:
        return rocecc_left(&((const options_record *)l->record)->options) / 4;
    case AH_WORDS:
        return (AH_BYTES + rocecc_left(&((const ah_record *)l->record)->icv)) / 4 - 2;
    case FROM: /* the UDP length does not count the metadata that IFA added */
        return f->layers[f->n - 1].end + ifa_tails_bytes(f, i) - l->at - n -
               ifa_after_bytes(f, i);
    default:
        return n;
    }
}

void frame_fill(frame *f, size_t i)
{
    size_t k;
    for (k = 0; k < COUNT(rows); k++) {
        uint64_t v;
        if (!frame_is(f, i, rows[k].layer)) continue;
        v = value(f, i, rows[k].what, rows[k].n);
        if (rows[k].what != NEXT_PORT || v != 0) frame_put(f, i, rows[k].member, v);
    }
}
