/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * choose.c - sets members that no key names. fill.c sets most lengths and the numbers
 * of the next headers.
 */
#include <string.h>

#include "gen.h"

/* The struct of layer i. */
#define RECORD(T, h) T *h = (T *)f->layers[i].record

/* Default values that do not depend on a layer's place. Other members begin as 0. */
static const struct {
    const char *layer, *member, *value;
} defaults[] = {{"ether", "dst", "02:00:00:00:00:02"},
                {"ether", "src", "02:00:00:00:00:01"},
                {"ipv4", "df", "1"},
                {"ipv4", "ttl", "64"},
                {"ipv4", "src", "192.0.2.1"},
                {"ipv4", "dst", "192.0.2.2"},
                {"ipv6", "hop_limit", "64"},
                {"ipv6", "src", "2001:db8::1"},
                {"ipv6", "dst", "2001:db8::2"},
                {"udp", "src_port", "0xc000"},
                {"bth", "pkey", "0xffff"},
                {"mpls", "ttl", "64"},
                {"vxlan", "flags", "0x08"},
                {"vxlan_gpe", "flags", "0x0c"},
                {"erspan2", "ver", "1"},
                {"arista", "subtype", "1"},
                {"arista", "version", "0x10"},    /* 32 bits of seconds, in TAI */
                {"ioam", "trace_type", "d20800"}, /* for HPCC++ */
                {"fastcnp", "ioam.trace_type", "d20800"},
                {"fastcnp", "flow_dst", "2001:db8::3"},
                {"ifa", "version", "2"},
                {"ifa", "gns", "15"},
                {"ifa", "flags", "4"},
                {"ifa", "max_length", "255"},
                {"ifa", "request_vector", "255"},
                {"intmd", "ver", "2"},
                {"intmd", "remaining_hop_count", "8"},
                {"intmd", "instructions", "0xd500"}, /* for HPCC++ */
                {"intmd", "type", "1"},
                {"intmd", "npt", "1"},
                {"l3qcn", "ports", "1"},
                {"l3qcn", "proto", "17"},
                {"l3qcn", "dst_port", "4791"},
                {"arn", "type", "1"},
                {"arn", "version", "1"},
                {"arn", "flow.proto", "17"}};

void layer_default(layer *l)
{
    size_t i, offset;
    for (i = 0; i < COUNT(defaults); i++) {
        const field *f;
        if (strcmp(defaults[i].layer, l->kind->name) != 0) continue;
        f = kind_field(l->kind, defaults[i].member, &offset);
        (void)noun_set(f, (char *)l->record + offset, defaults[i].value);
    }
}

static bool has(const frame *f, size_t i, const char *name)
{
    return frame_after(f, i, name) != f->n;
}

void csig_choose(frame *f, size_t i)
{
    RECORD(tag_record, h);
    const rocecc_csig_config *c = &f->domain->csig;
    if (h->csig.tpid == 0) h->csig.tpid = h->csig.wide ? c->wide_tpid : c->compact_tpid;
    h->csig.wide = h->csig.tpid == c->wide_tpid;
}

/* Sets an ICV of 96 bits, as in most algorithms. A key can replace it. */
void ah_choose(frame *f, size_t i)
{
    static const uint8_t icv[12];
    RECORD(ah_record, h);
    h->icv = rocecc_reader_of(icv, icv + sizeof icv);
}

/* Returns the set of extended headers after the BTH. */
static uint16_t ext_of(const frame *f, size_t i)
{
    static const char *const names[] = {"rdeth", "deth",      "xrceth", "feth",
                                        "reth",  "atomiceth", "aeth",   "atomicacketh",
                                        "immdt", "ieth",      "cnp"};
    uint16_t set = 0;
    size_t k;
    for (k = 0; k < COUNT(names); k++)
        if (has(f, i, names[k])) set |= (uint16_t)(1u << k);
    return set;
}

static size_t payload_bytes(const frame *f, size_t i)
{
    const size_t at = frame_after(f, i, "payload");
    if (at == f->n) return 0;
    return payload_length((const payload_record *)f->layers[at].record);
}

/*
 * Returns the first opcode of a message in one packet that has these headers. Without a
 * payload, a RETH belongs to a read, an AETH to an acknowledgement, and another header
 * to a message of 0 bytes.
 */
static uint8_t opcode_of(uint16_t set, bool payload)
{
    rocecc_opcode_class c;
    unsigned opcode;
    for (opcode = 0; opcode < 256; opcode++)
        if (rocecc_opcode_lookup((uint8_t)opcode, &c) == ROCECC_OK && c.first &&
            c.last && c.ext == set &&
            (payload ? c.payload != ROCECC_PAYLOAD_NONE
                     : c.payload == ROCECC_PAYLOAD_NONE ||
                           (set & (ROCECC_EXT_RETH | ROCECC_EXT_AETH)) == 0))
            return (uint8_t)opcode;
    return ROCECC_OPCODE_CNP; /* no opcode fits, so a key must name one */
}

void bth_choose(frame *f, size_t i)
{
    RECORD(rocecc_bth, h);
    const uint16_t set = ext_of(f, i);
    h->opcode = opcode_of(set, has(f, i, "payload"));
    h->becn = set == ROCECC_EXT_CNP;
    h->pad = (uint8_t)(-payload_bytes(f, i) & 3);
}

void reth_choose(frame *f, size_t i)
{
    RECORD(rocecc_reth, h);
    h->dma_length = (uint32_t)payload_bytes(f, i);
}

/* Before ERSPAN II, sets S and a sequence number of 0. */
void gre_choose(frame *f, size_t i)
{
    static const uint8_t sequence[4];
    RECORD(options_record, h);
    if (!frame_is(f, i + 1, "erspan2")) return;
    h->h.gre.flags = 0x1000;
    h->options = rocecc_reader_of(sequence, sequence + sizeof sequence);
}

/*
 * Sets DSCP CS6 and the hop limit in the IP header before a notification. Returns this
 * header's layer, or f->n.
 */
static size_t notify(frame *f, size_t i, uint8_t hops)
{
    const size_t v4 = frame_before(f, i, "ipv4"), v6 = frame_before(f, i, "ipv6");
    if (v4 != f->n) frame_put(f, v4, "ttl", hops);
    if (v6 != f->n) frame_put(f, v6, "hop_limit", hops);
    if (v4 != f->n) frame_put(f, v4, "dscp", 48);
    if (v6 != f->n) frame_put(f, v6, "dscp", 48);
    return v4 != f->n ? v4 : v6;
}

void cnp_choose(frame *f, size_t i)
{
    (void)notify(f, i, 64);
}

/*
 * The notification goes from the flow's destination to its source, so each address is
 * in the IP header and in the message. A key for one copy also sets the other.
 */
void l3qcn_choose(frame *f, size_t i)
{
    RECORD(rocecc_l3qcn, h);
    const size_t ip = notify(f, i, 64);
    const bool v4 = frame_is(f, ip, "ipv4");
    if (ip == f->n) return;
    if (v4) {
        rocecc_ipv4 *o = (rocecc_ipv4 *)f->layers[ip].record;
        if (!frame_given(f, i, "src")) h->src = rocecc_ip6_of_ip4(&o->dst);
        if (!frame_given(f, i, "dst")) h->dst = rocecc_ip6_of_ip4(&o->src);
        o->src = rocecc_ip4_load(h->dst.b + 12);
        o->dst = rocecc_ip4_load(h->src.b + 12);
    } else {
        rocecc_ipv6 *o = (rocecc_ipv6 *)f->layers[ip].record;
        if (!frame_given(f, i, "src")) h->src = o->dst;
        if (!frame_given(f, i, "dst")) h->dst = o->src;
        o->src = h->dst;
        o->dst = h->src;
    }
}

/* Marks a parameter as present if a key names it or one of its members. */
void arn_choose(frame *f, size_t i)
{
    RECORD(rocecc_arn, h);
    const rocecc_arn_config *c = &f->domain->arn;
    const bool flow = frame_given(f, i, "flow.");
    const bool v4 = rocecc_ip6_is_ip4(&h->flow.src);
    (void)notify(f, i, ROCECC_ARN_HOPS);
    h->lsb = false;
    h->para_type = (uint8_t)((flow ? ROCECC_ARN_FLOW : 0) |
                             (frame_given(f, i, "path_id") ? ROCECC_ARN_PATH_ID : 0) |
                             (frame_given(f, i, "priority") ? ROCECC_ARN_PRIORITY : 0) |
                             (frame_given(f, i, "time") ? ROCECC_ARN_TIME : 0));
    if (c->bit_order == ROCECC_ARN_MSB)
        h->para_type = rocecc_arn_present(h); /* in reverse bit order */
    h->lsb = c->bit_order != ROCECC_ARN_MSB;
    h->tuple_bytes = (uint8_t)(!flow ? 0 : v4 ? 13 : 37);
    if (flow && c->layout != ROCECC_ARN_PACKED) h->tuple_bytes += 3;
}

/*
 * Sets the destination to the MAC control group. A PFC frame enables the priorities
 * with a key for their time.
 */
void pfc_choose(frame *f, size_t i)
{
    const size_t at = frame_before(f, i, "ether");
    char name[] = "quanta[0]";
    uint8_t enable = 0;
    int k;
    if (at != f->n && !frame_given(f, at, "dst"))
        ((rocecc_ether *)f->layers[at].record)->dst = rocecc_pfc_group();
    if (frame_is(f, i, "pause")) {
        ((rocecc_pfc_pause *)f->layers[i].record)->dst = rocecc_pfc_group();
        return;
    }
    for (k = 0; k < ROCECC_PFC_PRIORITIES; k++) {
        name[7] = (char)('0' + k);
        if (frame_given(f, i, name)) enable |= (uint8_t)(1u << k);
    }
    frame_put(f, i, "enable", enable);
}
