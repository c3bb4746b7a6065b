/* SPDX-License-Identifier: BSD-2-Clause */

/* fill.c - lengths, and what says which layer follows: whatever keys say of these. */
#include <string.h>

#include "gen.h"

typedef enum filling {
    NEXT_TYPE,  /* EtherType of what follows */
    NEXT_PROTO, /* its IP protocol */
    NEXT_PORT,  /* its UDP port; none leaves the member as it is */
    NEXT_GPE,   /* its number in VXLAN-GPE */
    LAST_LABEL, /* whether another kind of layer follows */
    OPTIONS,    /* words of the layer's options */
    FROM,       /* bytes from the layer on, but for the first few */
    NUMBER      /* as it stands here */
} filling;

static const struct {
    const char *layer, *member;
    filling what;
    uint16_t n; /* of FROM and NUMBER */
} rows[] = {{"ether", "type", NEXT_TYPE, 0},
            {"vlan", "type", NEXT_TYPE, 0},
            {"csig", "next", NEXT_TYPE, 0},
            {"cntag", "type", NEXT_TYPE, 0},
            {"mpls", "s", LAST_LABEL, 0},
            {"ipv4", "total_length", FROM, 0},
            {"ipv4", "protocol", NEXT_PROTO, 0},
            {"ipv6", "payload_length", FROM, ROCECC_IPV6_BYTES},
            {"ipv6", "next_header", NEXT_PROTO, 0},
            {"hopopts", "next_header", NEXT_PROTO, 0},
            {"dstopts", "next_header", NEXT_PROTO, 0},
            {"srh", "next_header", NEXT_PROTO, 0},
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

static uint16_t next_type(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (next == f->n) return NO_TYPE;
    if (frame_is(f, next, "csig"))
        return ((const tag_record *)f->layers[next].record)->csig.tpid;
    if (frame_is(f, next, "vlan") && frame_is(f, frame_next(f, next), "vlan"))
        return ROCECC_TYPE_STAG;
    return f->layers[next].kind->type != 0 ? f->layers[next].kind->type : NO_TYPE;
}

static uint8_t next_proto(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (frame_is(f, next, "ifa")) return f->domain->ifa.protocol;
    if (next == f->n || f->layers[next].kind->proto < 0) return ROCECC_PROTO_NONE;
    return (uint8_t)f->layers[next].kind->proto;
}

static uint16_t next_port(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (frame_is(f, next, "intmd")) return f->domain->intmd.udp_port;
    if (frame_is(f, next, "l3qcn")) return f->domain->l3qcn.port;
    if (frame_is(f, next, "arn")) return f->domain->arn.port;
    if (frame_is(f, next, "bth")) return rocecc_domain_rocev2_port(f->domain);
    return next < f->n ? f->layers[next].kind->port : 0;
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
    case FROM: /* IFA stands within UDP, and its sender did not count it */
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
