/* SPDX-License-Identifier: BSD-2-Clause */

/* fill.c - what follows from the stack: choose() before anything is named by a key,
 * fill() lengths and types, once it is known where each layer is. */
#include <string.h>

#include "gen.h"

/* The struct of layer i. */
#define RECORD(T, h) T *h = (T *)f->layers[i].record
#define CONST_RECORD(T, h, f, i) const T *h = (const T *)(f)->layers[i].record

static bool is(const frame *f, size_t i, const char *name)
{
    return i < f->n && strcmp(f->layers[i].kind->name, name) == 0;
}

static bool has(const frame *f, size_t i, const char *name)
{
    return frame_after(f, i, name) != f->n;
}

size_t frame_after(const frame *f, size_t i, const char *name)
{
    const unsigned level = f->layers[i].level;
    while (++i < f->n)
        if (f->layers[i].level == level && is(f, i, name)) return i;
    return f->n;
}

size_t frame_before(const frame *f, size_t i, const char *name)
{
    const unsigned level = f->layers[i].level;
    while (i-- > 0)
        if (f->layers[i].level == level && is(f, i, name)) return i;
    return f->n;
}

size_t frame_next(const frame *f, size_t i)
{
    while (++i < f->n && layer_is_option(f->layers[i].kind)) {
    }
    return i;
}

/* Bytes of layer i and all that follows. */
static uint16_t from(const frame *f, size_t i)
{
    return (uint16_t)(f->layers[f->n - 1].end - f->layers[i].at);
}

uint16_t frame_next_type(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (next == f->n) return 0xffff; /* reserved */
    if (is(f, next, "csig")) {
        CONST_RECORD(tag_record, h, f, next);
        return h->csig.tpid;
    }
    if (is(f, next, "vlan") && is(f, frame_next(f, next), "vlan"))
        return ROCECC_TYPE_STAG;
    return f->layers[next].kind->type != 0 ? f->layers[next].kind->type : 0xffff;
}

uint8_t frame_next_proto(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (is(f, next, "ifa")) return f->domain->ifa.protocol;
    if (next == f->n || f->layers[next].kind->proto < 0) return ROCECC_PROTO_NONE;
    return (uint8_t)f->layers[next].kind->proto;
}

/* The UDP port of what follows; 0: it has none. */
static uint16_t next_port(const frame *f, size_t i)
{
    const size_t next = frame_next(f, i);
    if (is(f, next, "intmd")) return f->domain->intmd.udp_port;
    if (is(f, next, "l3qcn")) return f->domain->l3qcn.port;
    if (is(f, next, "arn")) return f->domain->arn.port;
    if (is(f, next, "bth")) return rocecc_domain_rocev2_port(f->domain);
    return next < f->n ? f->layers[next].kind->port : 0;
}

void ether_choose(frame *f, size_t i)
{
    RECORD(rocecc_ether, h);
    const rocecc_mac dst = {{2, 0, 0, 0, 0, 2}}, src = {{2, 0, 0, 0, 0, 1}};
    h->dst = has(f, i, "pfc") || has(f, i, "pause") ? rocecc_pfc_group() : dst;
    h->src = src;
}

void csig_choose(frame *f, size_t i)
{
    RECORD(tag_record, h);
    const rocecc_csig_config *c = &f->domain->csig;
    if (h->csig.tpid == 0) h->csig.tpid = h->csig.wide ? c->wide_tpid : c->compact_tpid;
    h->csig.wide = h->csig.tpid == c->wide_tpid;
}

/* Notifications go before data, and an ARN not through a router. */
static uint8_t dscp_of(const frame *f, size_t i)
{
    return has(f, i, "cnp") || has(f, i, "l3qcn") || has(f, i, "arn") ? 48 : 0;
}

static uint8_t hops_of(const frame *f, size_t i)
{
    return has(f, i, "arn") ? ROCECC_ARN_HOPS : 64;
}

void ipv4_choose(frame *f, size_t i)
{
    RECORD(rocecc_ipv4, h);
    const rocecc_ip4 src = {{192, 0, 2, 1}}, dst = {{192, 0, 2, 2}};
    h->df = true;
    h->ttl = hops_of(f, i);
    h->dscp = dscp_of(f, i);
    h->src = src;
    h->dst = dst;
}

void ipv6_choose(frame *f, size_t i)
{
    RECORD(rocecc_ipv6, h);
    rocecc_ip6 a = {{0x20, 1, 0x0d, 0xb8}};
    h->hop_limit = hops_of(f, i);
    h->dscp = dscp_of(f, i);
    a.b[15] = 1;
    h->src = a;
    a.b[15] = 2;
    h->dst = a;
}

void udp_choose(frame *f, size_t i)
{
    RECORD(rocecc_udp, h);
    h->src_port = 0xc000;
}

/* The headers between the BTH and the payload, as a set. */
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
    {
        CONST_RECORD(payload_record, p, f, at);
        const size_t named = rocecc_left(&p->bytes);
        return named != 0 ? named : p->length;
    }
}

/* The first opcode of a message in one packet that has these headers. */
static uint8_t opcode_of(uint16_t set, bool payload)
{
    rocecc_opclass c;
    unsigned opcode;
    for (opcode = 0; opcode < 256; opcode++)
        if (rocecc_opclass_lookup((uint8_t)opcode, &c) == ROCECC_OK && c.first &&
            c.last && c.ext == set &&
            (payload
                 ? c.payload != ROCECC_PAYLOAD_NONE
                 : c.payload == ROCECC_PAYLOAD_NONE || (set & ROCECC_EXT_RETH) == 0))
            return (uint8_t)opcode;
    return ROCECC_OPCODE_CNP; /* no opcode has them: it is for the caller to say */
}

void bth_choose(frame *f, size_t i)
{
    RECORD(rocecc_bth, h);
    const uint16_t set = ext_of(f, i);
    h->opcode = opcode_of(set, has(f, i, "payload"));
    h->becn = set == ROCECC_EXT_CNP;
    h->pkey = 0xffff;
    h->pad = (uint8_t)(-payload_bytes(f, i) & 3);
}

void reth_choose(frame *f, size_t i)
{
    RECORD(rocecc_reth, h);
    h->dma_length = (uint32_t)payload_bytes(f, i);
}

/* Flags that say that the network is valid, and so on. */
void tunnel_choose(frame *f, size_t i)
{
    if (is(f, i, "vxlan")) {
        RECORD(rocecc_vxlan, h);
        h->flags = 0x08;
    } else if (is(f, i, "vxlan_gpe")) {
        RECORD(rocecc_gpe, h);
        h->flags = 0x0c;
    } else if (is(f, i, "mpls")) {
        RECORD(rocecc_mpls, h);
        h->ttl = 64;
    } else if (is(f, i, "erspan2")) {
        RECORD(erspan_record, h);
        h->h.ver = 1;
    } else if (is(f, i, "gre") && is(f, i + 1, "erspan2")) {
        static const uint8_t sequence[4];
        RECORD(options_record, h);
        h->h.gre.flags = 0x1000; /* S: a sequence number, which ERSPAN II has */
        h->options = rocecc_reader_of(sequence, sequence + sizeof sequence);
    }
}

/* The answer goes from the flow's destination to its source. */
void l3qcn_choose(frame *f, size_t i)
{
    RECORD(rocecc_l3qcn, h);
    const size_t v4 = frame_before(f, i, "ipv4"), v6 = frame_before(f, i, "ipv6");
    rocecc_ip6 unset = {{0}};
    h->ports = true;
    if (h->proto == 0) h->proto = ROCECC_PROTO_UDP;
    if (h->dst_port == 0) h->dst_port = rocecc_domain_rocev2_port(f->domain);
    if (v4 != f->n) {
        rocecc_ipv4 *ip = (rocecc_ipv4 *)f->layers[v4].record;
        if (rocecc_ip6_match(&h->src, &unset)) h->src = rocecc_ip6_of_ip4(&ip->dst);
        if (rocecc_ip6_match(&h->dst, &unset)) h->dst = rocecc_ip6_of_ip4(&ip->src);
        ip->src = rocecc_ip4_load(h->dst.b + 12);
        ip->dst = rocecc_ip4_load(h->src.b + 12);
    } else if (v6 != f->n) {
        rocecc_ipv6 *ip = (rocecc_ipv6 *)f->layers[v6].record;
        if (rocecc_ip6_match(&h->src, &unset)) h->src = ip->dst;
        if (rocecc_ip6_match(&h->dst, &unset)) h->dst = ip->src;
        ip->src = h->dst;
        ip->dst = h->src;
    }
}

/* Parameters are those of which a member is named. */
void arn_choose(frame *f, size_t i)
{
    RECORD(rocecc_arn, h);
    const rocecc_arn_config *c = &f->domain->arn;
    const bool flow = frame_given(f, i, "flow.");
    const bool v4 = rocecc_ip6_is_ip4(&h->flow.src);
    if (h->type == 0) h->type = ROCECC_ARN_CONGESTION_DETECTED;
    h->version = ROCECC_ARN_VERSION;
    h->lsb = false;
    h->para_type = (uint8_t)((flow ? ROCECC_ARN_FLOW : 0) |
                             (frame_given(f, i, "path_id") ? ROCECC_ARN_PATH_ID : 0) |
                             (frame_given(f, i, "priority") ? ROCECC_ARN_PRIORITY : 0) |
                             (frame_given(f, i, "time") ? ROCECC_ARN_TIME : 0));
    if (c->bit_order == ROCECC_ARN_MSB)
        h->para_type = rocecc_arn_present(h); /* from its other end */
    h->lsb = c->bit_order != ROCECC_ARN_MSB;
    h->tuple_bytes = (uint8_t)(!flow ? 0 : v4 ? 13 : 37);
    if (flow && c->layout != ROCECC_ARN_PACKED) h->tuple_bytes += 3;
    if (flow && h->flow.proto == 0) h->flow.proto = ROCECC_PROTO_UDP;
}

/* The priorities whose time is named; the station is that of Ethernet. */
void pfc_choose(frame *f, size_t i)
{
    const size_t at = frame_before(f, i, "ether");
    char name[] = "quanta[0]";
    int k;
    if (is(f, i, "pause")) {
        RECORD(rocecc_pfc_pause, h);
        if (at == f->n) return;
        h->dst = ((const rocecc_ether *)f->layers[at].record)->dst;
    } else {
        RECORD(rocecc_pfc, h);
        h->enable = 0;
        for (k = 0; k < ROCECC_PFC_PRIORITIES; k++) {
            name[7] = (char)('0' + k);
            if (frame_given(f, i, name)) h->enable |= (uint8_t)(1u << k);
        }
    }
}

void ether_fill(frame *f, size_t i)
{
    RECORD(rocecc_ether, h);
    h->type = frame_next_type(f, i);
}

void vlan_fill(frame *f, size_t i)
{
    RECORD(rocecc_vlan, h);
    h->type = frame_next_type(f, i);
}

void tag_fill(frame *f, size_t i)
{
    RECORD(tag_record, h);
    h->type = frame_next_type(f, i);
}

void mpls_fill(frame *f, size_t i)
{
    RECORD(rocecc_mpls, h);
    h->s = !is(f, i + 1, "mpls");
}

void ipv4_fill(frame *f, size_t i)
{
    RECORD(rocecc_ipv4, h);
    h->total_length = from(f, i);
    h->protocol = frame_next_proto(f, i);
}

void ipv6_fill(frame *f, size_t i)
{
    RECORD(rocecc_ipv6, h);
    h->payload_length = (uint16_t)(from(f, i) - ROCECC_IPV6_BYTES);
    h->next_header = frame_next_proto(f, i);
}

void opts_fill(frame *f, size_t i)
{
    RECORD(rocecc_ip6opts, h);
    h->next_header = frame_next_proto(f, i);
}

void srh_fill(frame *f, size_t i)
{
    RECORD(rocecc_srh, h);
    h->next_header = frame_next_proto(f, i);
}

void udp_fill(frame *f, size_t i)
{
    RECORD(rocecc_udp, h);
    const uint16_t port = next_port(f, i);
    h->length = (uint16_t)(from(f, i) - ifa_after_bytes(f, i));
    if (port != 0) h->dst_port = port;
}

void grh_fill(frame *f, size_t i)
{
    RECORD(rocecc_grh, h);
    h->pay_len = (uint16_t)(from(f, i) - ROCECC_GRH_BYTES);
    h->nxt_hdr = 0x1b;
}

void gpe_fill(frame *f, size_t i)
{
    RECORD(rocecc_gpe, h);
    h->next_protocol = is(f, i + 1, "ipv4") ? 1 : is(f, i + 1, "ipv6") ? 2 : 3;
}

void geneve_fill(frame *f, size_t i)
{
    RECORD(options_record, h);
    h->h.geneve.opt_len = (uint8_t)(rocecc_left(&h->options) / 4);
    h->h.geneve.protocol_type = frame_next_type(f, i);
}

void gre_fill(frame *f, size_t i)
{
    RECORD(options_record, h);
    h->h.gre.protocol = frame_next_type(f, i);
}
