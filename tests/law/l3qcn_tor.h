/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_L3QCN_TOR_H
#define TESTS_LAW_L3QCN_TOR_H

#include "admission.h"
#include "arrival.h"
#include "draw.h"
#include "l3qcn.h"
#include "rocecc/role/l3qcn_tor_learn.h"

/*
 * A run has LAW_L3QCN_TOR_BYTES bytes of configuration, then events.
 *
 *   0  learn_untagged, rewrite_encap, check_msdu, reserved_bit, fixed_msdu,
 *      tolerate_long, strict_version, no gates
 *   1  priority (3 bits), 2 or 4 buckets (1), evict_oldest (3 upper bits); 0xff is a
 *      refused port
 *   2  mac (5 bits, two values are refused), the gate's interval (3)
 *   3  expiry_ms, a power of two minus one (5 bits); number of flows (3), and if it is
 *      high, byte 1 may select priority 8 or 3 buckets
 *   4  unlimited, listed, admission.unlimited, fewer verified tokens, port_flows (2
 *      bits), rate of port_limit (2); some values select a denying or empty list, no
 *      buckets for the list or the host's port, or refused limits
 */
#define LAW_L3QCN_TOR_BYTES 5
#define LAW_L3QCN_TOR_BUCKETS 4

/* Returns the first byte's bits for law_l3qcn_config(). */
LAW_FN int law_l3qcn_tor_bits(uint8_t b)
{
    return (b >> 5 & 3) | (b >> 2 & 4) | (b & 8);
}

LAW_FN bool law_l3qcn_tor_config(rocecc_reader *r, rocecc_l3qcn_tor_config *c,
                                 rocecc_domain *d, bool *gates)
{
    const rocecc_mac mac = {{2, 0, 0, 0, 2, 0x10}};
    const rocecc_domain none = {0};
    const uint8_t *b = rocecc_take(r, LAW_L3QCN_TOR_BYTES);
    if (b == NULL) return false;
    *d = none;
    *c = rocecc_l3qcn_tor_default();
    c->learn_untagged = b[0] & 1;
    c->rewrite_encap = b[0] >> 1 & 1;
    c->check_msdu = b[0] >> 2 & 1;
    d->l3qcn = law_l3qcn_config(law_l3qcn_tor_bits(b[0]));
    *gates = (b[0] & 0x80) == 0;
    c->priority = (b[1] & 7) == 0 && b[3] > 240 ? 8 : b[1] & 7;
    c->table.secret[0] = b[3];
    c->table.secret[1] = b[3] == 7 ? 0 : 9;
    c->table.buckets = (b[1] & 8) != 0 ? LAW_L3QCN_TOR_BUCKETS : 2;
    if ((b[1] & 0x18) == 0 && b[3] > 200) c->table.buckets = 3;
    c->table.evict_oldest = (b[1] & 0xe0) == 0 ? 2 : b[1] >> 5 & 1;
    if (b[1] == 0xff) d->l3qcn.port = (b[3] & 1) == 0 ? 0 : 4791;
    c->mac = mac;
    if ((b[2] & 31) == 1) c->mac.b[0] = 3;
    if ((b[2] & 31) == 2) c->mac.b[0] = c->mac.b[4] = c->mac.b[5] = 0;
    c->gate.interval_ns = b[2] >> 5 == 7 ? UINT32_MAX : (b[2] >> 5) * 5000u;
    c->gate.defer = b[2] == 0x23;
    c->table.expiry_ms = ((uint32_t)1 << (b[3] & 31)) - 1;
    c->unlimited = b[4] & 1;
    c->listed = b[4] >> 1 & 1;
    c->admission.unlimited = b[4] >> 2 & 1;
    c->admission.misbehaving = b[4] == 0x1a ? 0 : 1;
    c->admission.source.rate_per_s = 1;
    c->admission.source.burst = 3;
    c->admission.verify.rate_per_s = 2;
    c->admission.verify.burst = b[4] == 0x2a ? 2 : b[4] >> 3 & 1 ? 3 : 6;
    c->admission.shared.rate_per_s = 2;
    c->admission.shared.burst = b[4] == 0x5a ? 5 : 6;
    c->port_flows = (b[4] >> 4 & 3) * 5;
    c->port_limit.rate_per_s = 1 + (b[4] >> 6);
    c->port_limit.burst = b[4] == 0x5e ? 0 : 7;
    return true;
}

/* Returns the last byte of the configuration, for law_l3qcn_tor_list(). */
LAW_FN uint8_t law_l3qcn_tor_who(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, LAW_L3QCN_TOR_BYTES);
    return b == NULL ? 0 : b[LAW_L3QCN_TOR_BYTES - 1];
}

/* Returns a list with the CPIDs of one switch, or an empty list. */
LAW_FN rocecc_acl law_l3qcn_tor_list(rocecc_acl_entry *entry, uint8_t who)
{
    const rocecc_acl_entry zero = {{{0}}, 0, 0, 0, 0};
    rocecc_acl list = {NULL, 0, 0};
    *entry = zero;
    entry->prefix.b[0] = 2;
    entry->prefix.b[4] = 4;
    entry->prefix.b[5] = 0x40;
    entry->length = 48;
    entry->permit = who >> 5 != 5;
    entry->parent = ROCECC_ACL_NONE;
    list.entries = entry;
    list.n = who == 0x4a ? 0 : 1;
    list.half = list.n;
    return list;
}

LAW_FN rocecc_l3qcn_tor_refusal law_l3qcn_tor_refusal(const rocecc_l3qcn_tor_config *c,
                                                      const rocecc_domain *d,
                                                      const rocecc_acl *list)
{
    const rocecc_admission_params *a = &c->admission;
    const rocecc_flowtable_params *t = &c->table;
    if (d->l3qcn.port != LAW_L3QCN_PORT) return ROCECC_L3QCN_TOR_REFUSED_PORT;
    if ((t->secret[0] == 0 && t->secret[1] == 0) || t->buckets == 3 ||
        t->evict_oldest > 1 || t->expiry_ms == 0 || t->expiry_ms > 0x7fffffff)
        return ROCECC_L3QCN_TOR_REFUSED_TABLE;
    if (c->mac.b[0] != 2) return ROCECC_L3QCN_TOR_REFUSED_MAC;
    if (c->priority == 8) return ROCECC_L3QCN_TOR_REFUSED_PRIORITY;
    if (c->gate.interval_ns > 0x7fffffff || c->gate.defer)
        return ROCECC_L3QCN_TOR_REFUSED_GATE;
    if (!c->unlimited && (c->port_flows == 0 || c->port_limit.burst == 0))
        return ROCECC_L3QCN_TOR_REFUSED_LIMIT;
    if (c->listed && (list->n == 0 ||
                      (!a->unlimited && (a->misbehaving == 0 || a->verify.burst < 3 ||
                                         a->shared.burst < 6))))
        return ROCECC_L3QCN_TOR_REFUSED_LIMIT;
    return ROCECC_L3QCN_TOR_ACCEPTED;
}

/* Checks init() with drawn configurations. */
LAW_FN uint32_t law_l3qcn_tor_init(rocecc_reader r)
{
    const rocecc_reader whole = r;
    rocecc_l3qcn_tor_config c;
    rocecc_domain d;
    rocecc_acl_entry entry;
    rocecc_acl list;
    rocecc_l3qcn_tor_refusal refusal;
    bool gates = false;
    if (!law_l3qcn_tor_config(&r, &c, &d, &gates)) return LAW_START;
    list = law_l3qcn_tor_list(&entry, law_l3qcn_tor_who(whole));
    refusal = rocecc_l3qcn_tor_init(&c, &d, &list);
    LAW(refusal == law_l3qcn_tor_refusal(&c, &d, &list));
    return law_mix(LAW_START, refusal);
}

#if !defined(__bpf__)
#if !defined(__KERNEL__)
#include <string.h>
#endif

#define LAW_L3QCN_TOR_FRAME 320
#define LAW_L3QCN_TOR_ROOM 64
#define LAW_L3QCN_TOR_HOST 7 /* the host's port */

/*
 * An event has 4 bytes, then its patches of 2 bytes each, an offset and a number to
 * add.
 *
 *   0  learn, else convert; IPv6; flow (4); time step (2)
 *   1  tags (2), no CN-TAG (2, all set), origin (3)
 *   2  bytes of MSDU, at most 64 (7); MSDU of another flow
 *   3  patches (2); recompute the checksum; a first fragment or in a tunnel (3); room
 *      behind the frame (2)
 */
typedef struct law_l3qcn_tor_event {
    bool learn, v6, untagged, other, mend, fragment, tunnel;
    uint8_t flow, time, tags, origin, msdu, mends, room;
} law_l3qcn_tor_event;

typedef struct law_l3qcn_tor_run {
    rocecc_l3qcn_tor_config c;
    rocecc_domain d;
    rocecc_l3qcn_tor s;
    rocecc_flowtable_bucket bucket[LAW_L3QCN_TOR_BUCKETS];
    rocecc_flowtable_slot slot[8 * LAW_L3QCN_TOR_BUCKETS];
    rocecc_flowtable_memory memory; /* points to both arrays */
    rocecc_l3qcn_tor_gate gate[8 * LAW_L3QCN_TOR_BUCKETS];
    rocecc_l3qcn_tor_port ports[LAW_L3QCN_TOR_HOST + 1];
    rocecc_acl_entry entry; /* the only entry of the list */
    rocecc_acl list;
    rocecc_admission_source sources[1];
    law_admission tokens; /* tokens left, by the law's own count */
    uint32_t n_ports, n_sources;
    bool gates;
    uint64_t now_ns;
    int bits;      /* for law_l3qcn_config() */
    uint8_t flows; /* number of flows - 1 */
    law_l3qcn_tor_event e;
    uint8_t *b; /* LAW_L3QCN_TOR_FRAME bytes, for the frame and room behind it */
    size_t n;
} law_l3qcn_tor_run;

LAW_FN void law_l3qcn_tor_draw(law_l3qcn_tor_event *e, rocecc_reader *r)
{
    const uint32_t w = law_u32(r);
    e->learn = w >> 24 & 1;
    e->v6 = w >> 25 & 1;
    e->flow = w >> 26 & 15;
    e->time = (uint8_t)(w >> 30);
    e->tags = w >> 16 & 3;
    e->untagged = (w >> 18 & 3) == 3;
    e->origin = w >> 20 & 7;
    e->msdu = (w >> 8 & 127) > 64 ? 64 : w >> 8 & 127;
    e->other = w >> 15 & 1;
    e->mends = (w & 3) == 3 ? 0 : w & 3;
    e->mend = w >> 2 & 1;
    e->fragment = (w >> 3 & 7) == 7;
    e->tunnel = (w >> 3 & 7) == 6;
    e->room = w >> 6 & 3;
}

/* Returns flow n of either IP version. Flows differ in few bits. */
LAW_FN rocecc_flow law_l3qcn_tor_flow(bool v6, unsigned n)
{
    rocecc_flow f = {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 10, 2}},
                     {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 2, 20, 1}},
                     8957,
                     5000,
                     17};
    if (v6) f.src.b[0] = f.dst.b[0] = 0x20;
    f.src.b[15] ^= (uint8_t)(n & 1);
    f.dst.b[15] ^= (uint8_t)(n >> 1 & 1);
    f.dst_port ^= (uint16_t)(n >> 2 & 1);
    if ((n & 8) != 0) f.proto = 6;
    return f;
}

LAW_FN void law_l3qcn_tor_put(law_l3qcn_tor_run *run, uint32_t v, int n)
{
    for (; n > 0; n--)
        run->b[run->n++] = (uint8_t)(v >> 8 * (n - 1));
}

/* Writes a flow's IP header and the next 8 bytes, from run->b + run->n on. */
LAW_FN void law_l3qcn_tor_ip(law_l3qcn_tor_run *run, bool v6, const rocecc_flow *f)
{
    int i;
    law_l3qcn_tor_put(run, v6 ? 0x60000000 : 0x45000000 + 28, 4);
    law_l3qcn_tor_put(run, v6 ? 0x00080000 : 0x12344000, 4);
    if (v6) run->b[run->n - 2] = f->proto;
    if (!v6) law_l3qcn_tor_put(run, 0x40000000 | (uint32_t)f->proto << 16, 4);
    for (i = v6 ? 0 : 12; i < 16; i++)
        law_l3qcn_tor_put(run, f->src.b[i], 1);
    for (i = v6 ? 0 : 12; i < 16; i++)
        law_l3qcn_tor_put(run, f->dst.b[i], 1);
    law_l3qcn_tor_put(run, (uint32_t)f->src_port << 16 | f->dst_port, 4);
    law_l3qcn_tor_put(run, 0x00080000, 4);
}

/* Writes addresses and tags by the origin. Only a host's frame has a CN-TAG. */
LAW_FN void law_l3qcn_tor_ether(law_l3qcn_tor_run *run)
{
    const law_l3qcn_tor_event *e = &run->e;
    unsigned i;
    run->n = 0;
    law_l3qcn_tor_put(run, 0x02000000, 4);
    law_l3qcn_tor_put(run, 0x0100u + e->origin, 2);
    law_l3qcn_tor_put(run, e->origin == 7 ? 0x03000000 : 0x02fd1678, 4);
    law_l3qcn_tor_put(run, 0x3a00u + e->origin, 2);
    for (i = 0; i < e->tags; i++) {
        law_l3qcn_tor_put(run, i == 0 ? 0x88a8 : 0x8100, 2);
        law_l3qcn_tor_put(run, 0x2011u * e->origin + i, 2);
    }
    if (e->learn && !e->untagged) law_l3qcn_tor_put(run, 0x22e9c9a0u + e->origin, 4);
    law_l3qcn_tor_put(run, e->v6 ? 0x86dd : 0x0800, 2);
}

LAW_FN rocecc_cnm law_l3qcn_tor_cnm(unsigned n)
{
    rocecc_cnm h = {0, 0,        0, 0x0200000004400305, -531, 156, 5,
                    0, {{2, 3}}, 0, {0, 0, 0}};
    h.qntz_fb = (uint8_t)(9 * n);
    return h;
}

/* Appends a private CNM to run->b. */
LAW_FN void law_l3qcn_tor_private(law_l3qcn_tor_run *run)
{
    const law_l3qcn_tor_event *e = &run->e;
    const rocecc_flow flow = law_l3qcn_tor_flow(e->v6, e->flow);
    const rocecc_flow of = law_l3qcn_tor_flow(e->v6, e->flow ^ (e->other ? 2 : 0));
    const rocecc_l3qcn_config plain = law_l3qcn_config(0);
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(e->flow);
    const size_t at = run->n;
    LAW_SCRATCH(msdu, 64);
    rocecc_writer w = law_writer(run->b, LAW_L3QCN_TOR_FRAME);
    rocecc_l3qcn h;
    size_t i;
    law_l3qcn_tor_put(run, e->v6 ? 0x86dd : 0x0800, 2);
    law_l3qcn_tor_ip(run, e->v6, &of);
    for (i = 0; i < run->n - at; i++)
        msdu[i] = run->b[at + i];
    run->n = at;
    h.flags = h.reserved = 0;
    h.proto = flow.proto;
    h.ports = true;
    h.src_port = flow.src_port;
    h.dst_port = flow.dst_port;
    h.src = flow.src;
    h.dst = flow.dst;
    h.extension = rocecc_reader_of(NULL, NULL);
    h.cnm = law_l3qcn_tor_cnm(e->origin);
    h.cnm.msdu = law_reader(msdu, e->msdu);
    (void)rocecc_put(&w, at);
    if (rocecc_l3qcn_build(&w, &plain, &o, &h) == ROCECC_OK) run->n = law_wrote(&w);
}

/* Puts the bytes from `at` on into an IPv4 tunnel, with the EtherType at `at` - 2. */
LAW_FN void law_l3qcn_tor_tunnel(law_l3qcn_tor_run *run, size_t at)
{
    const size_t n = run->n + 20;
    size_t i;
    for (i = run->n; i-- > at;)
        run->b[i + 20] = run->b[i];
    run->b[at - 2] = 8;
    run->b[at - 1] = 0;
    run->n = at;
    law_l3qcn_tor_put(run, 0x45000000 + (uint32_t)(n - at), 4);
    law_l3qcn_tor_put(run, 0, 4);
    law_l3qcn_tor_put(run, run->e.v6 ? 0x40290000 : 0x40040000, 4);
    law_l3qcn_tor_put(run, 0xc0000201, 4);
    law_l3qcn_tor_put(run, 0xc0000202, 4);
    run->n = n;
}

/* Writes the right UDP checksum, at any position of UDP. */
LAW_FN void law_l3qcn_tor_seal(law_l3qcn_tor_run *run)
{
    const rocecc_domain d = {0};
    const rocecc_reader r = law_reader(run->b, run->n);
    uint8_t *base = run->b - law_front();
    rocecc_packet p;
    const rocecc_headers *f = &p.headers;
    uint32_t sum = 17, i, end;
    (void)rocecc_packet_parse(&d, r, &p);
    if (f->kind != ROCECC_PACKET_KIND_UDP || f->end > r.end) return;
    end = f->end;
    base[f->udp + 6] = base[f->udp + 7] = 0;
    sum += end - f->udp;
    for (i = f->ip.offset + (f->ip.version == 4 ? 12u : 8u);
         i < f->ip.offset + (f->ip.version == 4 ? 20u : 40u); i++)
        sum += base[i] * ((i - f->ip.offset) % 2 ? 1u : 256u);
    for (i = f->udp; i < end; i++)
        sum += base[i] * ((i - f->udp) % 2 ? 1u : 256u);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    rocecc_store16(base + f->udp + 6, sum == 0xffff ? 0xffff : (uint16_t)~sum);
}

/* Makes the frame of an event. */
LAW_FN void law_l3qcn_tor_make(law_l3qcn_tor_run *run, rocecc_reader *r)
{
    const law_l3qcn_tor_event *e = &run->e;
    const rocecc_flow flow = law_l3qcn_tor_flow(e->v6, e->flow);
    size_t ip, i;
    law_l3qcn_tor_ether(run);
    ip = run->n;
    if (e->learn && e->room != 0)
        law_l3qcn_tor_ip(run, e->v6, &flow);
    else
        law_l3qcn_tor_private(run);
    if (e->fragment && !e->v6) run->b[ip + 6] |= 0x20;
    if (e->tunnel) law_l3qcn_tor_tunnel(run, ip);
    for (i = 0; i < e->mends; i++) {
        const size_t at = law_u8(r);
        const uint8_t more = law_u8(r);
        run->b[at % run->n] = (uint8_t)(run->b[at % run->n] + more);
    }
    if (e->mend) law_l3qcn_tor_seal(run);
    memset(run->b + run->n, 0xa5, LAW_L3QCN_TOR_FRAME - run->n);
}

/* Returns true for a private CNM by port or reserved bit, but not a later fragment. */
LAW_FN bool law_l3qcn_tor_is_one(const law_l3qcn_tor_run *run, const rocecc_packet *p)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const uint8_t *ip = r.base + f->ip.offset;
    int i;
    if (law_l3qcn_is(p, run->bits)) return true;
    if (f->ip.version == 0 || f->ip.proto != 17) return false;
    if (f->ip.version == 4 && (rocecc_load16(ip + 6) & 0x1fff) != 0) return false;
    if (f->ip.version == 6) {
        const uint8_t *b = ip + 40;
        uint8_t type = ip[6];
        for (i = 0; i < f->ip.n_ext; i++) {
            const uint8_t *last = b;
            if (type == 44 && (rocecc_load16(b + 2) & 0xfff8) != 0) return false;
            b += type == 44 ? 8 : type == 51 ? 8 + 4 * b[1] : 8 + 8 * b[1];
            type = *last;
        }
    }
    if (f->ip.upper + 4u > r.end || f->ip.upper + 4u > f->ip.end) return false;
    return rocecc_load16(r.base + f->ip.upper + 2) == LAW_L3QCN_PORT ||
           (run->d.l3qcn.reserved_bit && f->ip.version == 4 && (ip[6] & 0x80) != 0 &&
            f->kind != ROCECC_PACKET_KIND_ROCEV2);
}

LAW_FN rocecc_l3qcn_tor_event law_l3qcn_tor_came(law_l3qcn_tor_run *run, size_t end)
{
    rocecc_l3qcn_tor_event e;
    e.admission.now_ns = run->now_ns;
    e.admission.list = &run->list;
    e.admission.index = NULL;
    e.admission.sources = run->sources;
    e.admission.n_sources = run->n_sources;
    e.memory = run->memory;
    e.gate = run->gates ? run->gate : NULL;
    e.port = LAW_L3QCN_TOR_HOST;
    e.vrf = run->e.flow & 1;
    e.ports = run->ports;
    e.n_ports = run->n_ports;
    e.writer = law_writer(run->b, end);
    return e;
}

/* Checks the table's entry for a learned frame. */
LAW_FN uint32_t law_l3qcn_tor_learned(const law_l3qcn_tor_run *run,
                                      const rocecc_headers *f, uint32_t slot)
{
    const rocecc_flowtable_origin *o = &run->slot[slot].entry.origin;
    unsigned i;
    for (i = 0; i < 6; i++)
        LAW(o->gw_mac.b[i] == run->b[i] && o->mac_sa.b[i] == run->b[6 + i]);
    LAW((run->b[6] & 1) == 0 &&
        run->slot[slot].seen_ms == (uint32_t)(run->now_ns / 1000000));
    LAW(o->ingress_port == LAW_L3QCN_TOR_HOST && o->n_tags == f->n_vlan);
    LAW(f->n_vlan <= 2);
    for (i = 0; i < 2; i++) {
        const uint8_t *b = run->b + 12 + 4 * i;
        LAW(o->tag[i].tpid == (i < f->n_vlan ? rocecc_load16(b) : 0));
        LAW(o->tag[i].vid == (i < f->n_vlan ? rocecc_load16(b + 2) % 4096 : 0));
    }
    LAW(o->prio == (f->n_vlan > 0 ? run->b[14] / 32 : 0));
    LAW(f->cntag != 0 || run->c.learn_untagged);
    LAW(o->flow_id ==
        (f->cntag != 0 ? rocecc_load16(run->b + f->cntag - law_front() + 2) : 0));
    return LAW_START;
}

LAW_FN bool law_l3qcn_tor_same_gate(const rocecc_l3qcn_tor_gate *a,
                                    const rocecc_l3qcn_tor_gate *b)
{
    return a->gate.sent == b->gate.sent && a->gate.pending == b->gate.pending &&
           a->gate.last_ns == b->gate.last_ns && a->qntz_fb == b->qntz_fb;
}

/* Returns LEARNED, or the port's limit against it (S5, S6). */
LAW_FN rocecc_l3qcn_tor_learn_verdict law_l3qcn_tor_more(const law_l3qcn_tor_run *run,
                                                         const rocecc_packet *p)
{
    rocecc_tokenbucket bucket = run->ports[LAW_L3QCN_TOR_HOST].bucket;
    rocecc_flow flow;
    if (run->c.unlimited || rocecc_packet_flow(p, &flow) != ROCECC_OK ||
        rocecc_flowtable_lookup(&run->c.table, &run->memory, &flow, run->e.flow & 1,
                                (uint32_t)(run->now_ns / 1000000))
                .what != ROCECC_FLOWTABLE_UNKNOWN)
        return ROCECC_L3QCN_TOR_LEARNED;
    if (run->n_ports <= LAW_L3QCN_TOR_HOST) return ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED;
    if (run->ports[LAW_L3QCN_TOR_HOST].flows >= run->c.port_flows)
        return ROCECC_L3QCN_TOR_CROWDED;
    return rocecc_tokenbucket_take(&run->c.port_limit, &bucket, 1, run->now_ns)
               ? ROCECC_L3QCN_TOR_LEARNED
               : ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED;
}

/* Returns true if the port counts the table's flows. All flows are from one port. */
LAW_FN bool law_l3qcn_tor_counts(const law_l3qcn_tor_run *run)
{
    return run->n_ports <= LAW_L3QCN_TOR_HOST ||
           run->ports[LAW_L3QCN_TOR_HOST].flows == run->s.table.used;
}

/* Sweeps all buckets, or forgets the host port's flows in VRF 1. */
LAW_FN uint32_t law_l3qcn_tor_idle(law_l3qcn_tor_run *run)
{
    const rocecc_flowforget_filter f = {
        ROCECC_FLOWFORGET_PORT | ROCECC_FLOWFORGET_VRF, 1, LAW_L3QCN_TOR_HOST, {{0}}};
    const rocecc_l3qcn_tor_event e = law_l3qcn_tor_came(run, 0);
    uint32_t i, n = run->s.table.used;
    for (i = 0; i < LAW_L3QCN_TOR_BUCKETS + 1; i++)
        n -= run->e.origin == 6 ? rocecc_l3qcn_tor_forget(&run->c, &run->s, &f, &e, i)
                                : rocecc_l3qcn_tor_sweep(&run->c, &run->s, &e);
    LAW(n == run->s.table.used && law_l3qcn_tor_counts(run));
    for (i = 0; i < 8 * run->c.table.buckets; i++)
        LAW(run->e.origin != 6 || run->bucket[i / 8].mark[i % 8] == 0 ||
            run->slot[i].entry.vrf == 0);
    return law_mix(LAW_START, n);
}

/* Checks learn() with a frame from a host. A private CNM gives SPOOFED. */
LAW_FN uint32_t law_l3qcn_tor_learn(law_l3qcn_tor_run *run, const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const law_l3qcn_tor_event *e = &run->e;
    const rocecc_l3qcn_tor_event came = law_l3qcn_tor_came(run, run->n);
    const rocecc_l3qcn_tor was = run->s;
    const rocecc_l3qcn_tor_gate none = {{0, 0, 0}, 0};
    rocecc_l3qcn_tor_gate gate;
    rocecc_l3qcn_tor_learn_result out;
    bool anew;
    const bool is_one = law_l3qcn_tor_is_one(run, p);
    const rocecc_l3qcn_tor_learn_verdict more = law_l3qcn_tor_more(run, p);
    rocecc_l3qcn_tor_gate before[8 * LAW_L3QCN_TOR_BUCKETS];
    size_t i;
    memcpy(before, run->gate, sizeof before);
    out = rocecc_l3qcn_tor_learn(&run->c, &run->s, p, &came);
    LAW(out.what < ROCECC_L3QCN_TOR_LEARNINGS);
    LAW((out.what == ROCECC_L3QCN_TOR_SPOOFED) == is_one);
    if (e->mends == 0 && !is_one)
        LAW(out.what == (e->untagged && !run->c.learn_untagged
                             ? ROCECC_L3QCN_TOR_UNTAGGED
                         : e->tags == 3   ? ROCECC_L3QCN_TOR_TOO_MANY_TAGS
                         : e->origin == 7 ? ROCECC_L3QCN_TOR_BAD_STATION
                                          : more));
    if (out.what == ROCECC_L3QCN_TOR_LEARNED ||
        out.what == ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED ||
        out.what == ROCECC_L3QCN_TOR_CROWDED)
        LAW(out.what == more);
    LAW(law_l3qcn_tor_counts(run));
    for (i = 0; i < ROCECC_L3QCN_TOR_LEARNINGS; i++)
        LAW(run->s.learning_count[i] ==
            was.learning_count[i] + (i == out.what ? 1 : 0));
    for (i = 0; i < ROCECC_FLOWTABLE_ACTIONS; i++)
        LAW(run->s.table_count[i] ==
            was.table_count[i] +
                (out.what == ROCECC_L3QCN_TOR_LEARNED && i == out.table.what ? 1 : 0));
    anew = out.what == ROCECC_L3QCN_TOR_LEARNED &&
           (out.table.what == ROCECC_FLOWTABLE_LEARNED ||
            out.table.what == ROCECC_FLOWTABLE_REPLACED ||
            out.table.what == ROCECC_FLOWTABLE_EVICTED);
    for (i = 0; i < 8 * run->c.table.buckets && run->gates; i++) {
        gate = anew && i == out.table.slot ? none : before[i];
        LAW(law_l3qcn_tor_same_gate(&run->gate[i], &gate));
    }
    if (out.what == ROCECC_L3QCN_TOR_LEARNED && out.table.what != ROCECC_FLOWTABLE_FULL)
        LAW(law_l3qcn_tor_learned(run, f, out.table.slot) != LAW_BROKEN);
    return law_mix(LAW_START, out.what * 256u + out.table.what);
}

/* Returns 1 if an MSDU shows another flow, 0 for this flow, and 2 if it is unclear. */
LAW_FN int law_l3qcn_tor_msdu(const uint8_t *b, size_t n, const rocecc_flow *flow)
{
    const bool v6 = n > 2 && b[0] == 0x86 && b[1] == 0xdd && b[2] >> 4 == 6;
    const size_t upper = v6 ? 42 : 22, bytes = v6 ? 16 : 4;
    const unsigned proto = n > 11 ? b[v6 ? 8 : 11] : 0;
    rocecc_flow f = {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}},
                     {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}},
                     0,
                     0,
                     0};
    size_t i;
    if (!v6 && (n < 3 || b[0] != 8 || b[1] != 0 || b[2] != 0x45)) return 2;
    if (n < upper + 8 || rocecc_load16(b + (v6 ? 6 : 4)) != (v6 ? 8 : 28)) return 2;
    if (!v6 && (rocecc_load16(b + 8) & 0xbfff) != 0) return 2;
    if (proto != 6 && (proto != 17 || rocecc_load16(b + upper + 4) != 8)) return 2;
    for (i = 0; i < bytes; i++) {
        f.src.b[16 - bytes + i] = b[upper - 2 * bytes + i];
        f.dst.b[16 - bytes + i] = b[upper - bytes + i];
    }
    f.src_port = rocecc_load16(b + upper);
    f.dst_port = rocecc_load16(b + upper + 2);
    f.proto = (uint8_t)proto;
    if (proto == 17 && f.dst_port == 4791) return 2;
    return rocecc_flow_match(&f, flow) ? 0 : 1;
}

/* Returns the PDU's offset in a valid private CNM, and writes its flow. */
LAW_FN size_t law_l3qcn_tor_pdu(const law_l3qcn_tor_run *run, const rocecc_headers *f,
                                rocecc_flow *flow)
{
    const uint8_t *b = run->b + f->udp - law_front() + 8;
    const rocecc_flow none = {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}},
                              {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}},
                              0,
                              0,
                              0};
    const size_t n = (b[2] & 8) != 0 ? 16 : 4;
    size_t i;
    *flow = none;
    for (i = 0; i < n; i++) {
        flow->src.b[16 - n + i] = b[12 + i];
        flow->dst.b[16 - n + i] = b[12 + n + i];
    }
    flow->proto = b[3];
    if ((b[2] & 4) != 0) flow->src_port = rocecc_load16(b + 8);
    if ((b[2] & 4) != 0) flow->dst_port = rocecc_load16(b + 10);
    return f->udp - law_front() + 8u + b[6];
}

/* Composes the host's expected frame. Returns its length. */
LAW_FN size_t law_l3qcn_tor_compose(const law_l3qcn_tor_run *run,
                                    const rocecc_flowtable_origin *o, size_t pdu,
                                    uint8_t *to, size_t *head)
{
    const rocecc_l3qcn_tor_config *c = &run->c;
    size_t msdu = rocecc_load16(run->b + pdu + 22), n = 12, i;
    if (msdu > 64) msdu = 64;
    for (i = 0; i < 6; i++) {
        to[i] = o->mac_sa.b[i];
        to[6 + i] = c->mac.b[i];
    }
    for (i = 0; i < o->n_tags; i++, n += 4) {
        rocecc_store16(to + n, o->tag[i].tpid);
        rocecc_store16(to + n + 2, (uint16_t)(c->priority * 0x2000 + o->tag[i].vid));
    }
    rocecc_store32(to + n, 0x22e90000u + o->flow_id);
    rocecc_store16(to + n + 4, 0x22e7);
    *head = n += 6;
    for (i = 0; i < 24 + msdu; i++)
        to[n + i] = run->b[pdu + i];
    if (c->rewrite_encap) {
        rocecc_store16(to + n + 14, (uint16_t)(o->prio * 0x2000));
        rocecc_mac_store(to + n + 16, &o->gw_mac);
    }
    n += 24 + msdu;
    for (; msdu < 64 && run->d.l3qcn.cnm.fixed_msdu; msdu++)
        to[n++] = 0;
    rocecc_store16(to + *head + 22, (uint16_t)msdu);
    while (n < 60)
        to[n++] = 0;
    return n;
}

/* Expected result for a frame from the fabric. */
typedef struct law_l3qcn_tor_should {
    rocecc_l3qcn_tor_verdict verdict;
    rocecc_l3qcn_verdict why;
    law_arrival arrival; /* reason of BAD_ARRIVAL */
    bool unsure;         /* or WRONG_MSDU */
    uint32_t slot;
    rocecc_l3qcn_tor_gate gate; /* after the frame */
    law_admission tokens;       /* after the frame */
    int refused;                /* admission's refusal, or 0 */
    rocecc_flowtable_origin origin;
    size_t pdu;
    size_t start;
    size_t n;
    uint8_t cnm[128];
} law_l3qcn_tor_should;

/* Models C2 and C3, without the checksum. */
LAW_FN void law_l3qcn_tor_judge(const law_l3qcn_tor_run *run, const rocecc_packet *p,
                                law_l3qcn_tor_should *should)
{
    const rocecc_arrival_config host = {0};
    const rocecc_headers *f = &p->headers;
    should->why = ROCECC_L3QCN_TAKEN;
    should->arrival = law_arrival_of(ROCECC_ARRIVAL_OK, 0, 0, 0);
    should->verdict = ROCECC_L3QCN_TOR_OTHER;
    if (!law_l3qcn_tor_is_one(run, p)) return;
    should->verdict = ROCECC_L3QCN_TOR_WRAPPED;
    if (f->outer.version != 0 || f->ifa != 0 || f->intmd != 0) return;
    should->verdict = ROCECC_L3QCN_TOR_BAD_ARRIVAL;
    should->arrival = law_arrival_model(&host, p, &f->ip);
    if (should->arrival.verdict != ROCECC_ARRIVAL_OK) return;
    should->verdict = ROCECC_L3QCN_TOR_BAD_CHECKSUM; /* UDP Length is below 8 */
    if (f->kind != ROCECC_PACKET_KIND_UDP) return;
    should->verdict = ROCECC_L3QCN_TOR_MALFORMED;
    should->why = law_l3qcn_judge(p, run->bits);
    if (should->why == ROCECC_L3QCN_TAKEN) should->verdict = ROCECC_L3QCN_TOR_CONVERTED;
}

/* Models S7 and the first half of S8. Returns CONVERTED, or the reason against it. */
LAW_FN rocecc_l3qcn_tor_verdict law_l3qcn_tor_begin(const law_l3qcn_tor_run *run,
                                                    law_l3qcn_tor_should *should)
{
    bool is = run->entry.permit != 0;
    size_t i;
    for (i = 0; i < 6; i++)
        is = is && run->b[should->pdu + 2 + i] == run->entry.prefix.b[i];
    should->refused = 0;
    if (!run->c.listed || (is && run->c.admission.unlimited))
        return ROCECC_L3QCN_TOR_CONVERTED;
    if (!is)
        should->refused = ROCECC_ADMISSION_UNLISTED;
    else if (run->n_sources == 0 ||
             should->tokens.admitted_e9[0] < ROCECC_TOKENBUCKET_ONE_E9)
        should->refused = ROCECC_ADMISSION_SOURCE_LIMITED;
    else if (!law_admission_take(&should->tokens.verified_e9[0]))
        should->refused = ROCECC_ADMISSION_VERIFY_LIMITED;
    if (should->refused == 0) return ROCECC_L3QCN_TOR_CONVERTED;
    return is ? ROCECC_L3QCN_TOR_RATE_LIMITED : ROCECC_L3QCN_TOR_UNLISTED_CPID;
}

/* Models the second half of S8. Returns false if the shared bucket is empty. */
LAW_FN bool law_l3qcn_tor_finish(const law_l3qcn_tor_run *run,
                                 law_l3qcn_tor_should *should)
{
    if (!run->c.listed || run->c.admission.unlimited) return true;
    (void)law_admission_take(&should->tokens.admitted_e9[0]); /* begin() has checked */
    if (law_admission_take(&should->tokens.shared_e9)) return true;
    should->refused = ROCECC_ADMISSION_SHARED_LIMITED;
    return false;
}

/* Returns true if the gate passes a CNM of this strength (S4), and updates *gate. */
LAW_FN bool law_l3qcn_tor_passes(const law_l3qcn_tor_run *run,
                                 rocecc_l3qcn_tor_gate *gate, uint8_t fb)
{
    const uint32_t now = (uint32_t)run->now_ns;
    const uint32_t ahead = now - gate->gate.last_ns, behind = gate->gate.last_ns - now;
    if (gate->gate.sent != 0 &&
        (ahead < run->c.gate.interval_ns || behind < run->c.gate.interval_ns) &&
        fb <= gate->qntz_fb)
        return false;
    gate->gate.last_ns = now;
    gate->gate.sent = 1;
    gate->gate.pending = 0;
    gate->qntz_fb = fb;
    return true;
}

/* Models C4 to C13 for a valid private CNM. */
LAW_FN void law_l3qcn_tor_follow(const law_l3qcn_tor_run *run, const rocecc_packet *p,
                                 size_t end, law_l3qcn_tor_should *should)
{
    rocecc_flowtable_lookup_result m;
    rocecc_flow flow;
    size_t msdu, head = 0;
    int other = 0;
    should->pdu = law_l3qcn_tor_pdu(run, &p->headers, &flow);
    should->verdict = law_l3qcn_tor_begin(run, should);
    if (should->verdict != ROCECC_L3QCN_TOR_CONVERTED) return;
    should->verdict = ROCECC_L3QCN_TOR_BAD_CHECKSUM;
    if (!rocecc_udp_verify(p)) return;
    m = rocecc_flowtable_lookup(&run->c.table, &run->memory, &flow, run->e.flow & 1,
                                (uint32_t)(run->now_ns / 1000000));
    should->verdict = ROCECC_L3QCN_TOR_NO_ENTRY;
    if (m.what == ROCECC_FLOWTABLE_UNKNOWN) return;
    should->verdict = ROCECC_L3QCN_TOR_AGED;
    if (m.what == ROCECC_FLOWTABLE_AGED) return;
    msdu = rocecc_load16(run->b + should->pdu + 22);
    if (run->c.check_msdu)
        other =
            law_l3qcn_tor_msdu(run->b + should->pdu + 24, msdu > 64 ? 64 : msdu, &flow);
    should->verdict = ROCECC_L3QCN_TOR_WRONG_MSDU;
    if (other == 1) return;
    should->unsure = other == 2;
    should->slot = m.slot;
    should->origin = m.origin;
    should->gate = run->gate[m.slot];
    should->verdict = ROCECC_L3QCN_TOR_HELD;
    if (run->gates &&
        !law_l3qcn_tor_passes(run, &should->gate, run->b[should->pdu + 1] & 63))
        return;
    should->n = law_l3qcn_tor_compose(run, &m.origin, should->pdu, should->cnm, &head);
    should->start = should->pdu - head;
    should->verdict = ROCECC_L3QCN_TOR_NO_SPACE;
    if (should->start + should->n > end) return;
    should->verdict = law_l3qcn_tor_finish(run, should) ? ROCECC_L3QCN_TOR_CONVERTED
                                                        : ROCECC_L3QCN_TOR_RATE_LIMITED;
}

/* Checks that the host accepts the CNM, and that the buffer is otherwise unchanged. */
LAW_FN uint32_t law_l3qcn_tor_converted(const law_l3qcn_tor_run *run,
                                        const law_l3qcn_tor_should *should,
                                        const uint8_t *was,
                                        const rocecc_l3qcn_tor_convert_result *out)
{
    rocecc_cnm_config station = {0, false, false, false, {{0}}};
    rocecc_cnm_frame h = {0};
    rocecc_cnm_verdict verdict;
    const size_t from = should->start, to = from + should->n;
    LAW(out->port == LAW_L3QCN_TOR_HOST && out->cnm.base == run->b - law_front());
    LAW(out->cnm.at == law_front() + from && out->cnm.end == law_front() + to);
    LAW(memcmp(run->b, was, from) == 0);
    LAW(memcmp(run->b + from, should->cnm, should->n) == 0);
    LAW(memcmp(run->b + to, was + to, LAW_L3QCN_TOR_FRAME - to) == 0);
    station.station = should->origin.mac_sa;
    LAW(rocecc_cnm_frame_parse(&station, out->cnm, &h, &verdict) == ROCECC_OK);
    LAW(h.head.flow_id == should->origin.flow_id);
    LAW(h.head.n_vlan == should->origin.n_tags);
    LAW(h.cnm.qntz_fb == (was[should->pdu + 1] & 63));
    return LAW_START;
}

/* Checks admission's counters for a frame, and its remaining tokens. */
LAW_FN uint32_t law_l3qcn_tor_counts_admission(const law_l3qcn_tor_run *run,
                                               const rocecc_l3qcn_tor *before,
                                               const law_l3qcn_tor_should *should)
{
    const bool admitted =
        run->c.listed && should->verdict == ROCECC_L3QCN_TOR_CONVERTED;
    int i;
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        LAW(run->s.admission.count[i] ==
            before->admission.count[i] + (i == 0                 ? admitted
                                          : i == should->refused ? 1u
                                                                 : 0u));
    LAW(run->s.admission.shared.level_e9 <= should->tokens.shared_e9);
    LAW(run->sources[0].admitted.level_e9 <= should->tokens.admitted_e9[0]);
    LAW(run->sources[0].verified.level_e9 <= should->tokens.verified_e9[0]);
    return LAW_START;
}

/* Checks convert() with a frame from the fabric. */
LAW_FN uint32_t law_l3qcn_tor_convert(law_l3qcn_tor_run *run, const rocecc_packet *p)
{
    static const uint8_t rooms[] = {0, 4, 18, 64};
    const size_t end = run->n + rooms[run->e.room];
    const rocecc_l3qcn_tor before = run->s;
    const rocecc_l3qcn_tor_event e = law_l3qcn_tor_came(run, end);
    uint8_t was[LAW_L3QCN_TOR_FRAME];
    rocecc_l3qcn_tor_gate gate[8 * LAW_L3QCN_TOR_BUCKETS];
    law_l3qcn_tor_should should;
    rocecc_l3qcn_tor_convert_result out;
    uint32_t i;
    memcpy(was, run->b, sizeof was);
    memcpy(gate, run->gate, sizeof gate);
    should.unsure = false;
    should.refused = 0;
    should.tokens = run->tokens;
    law_l3qcn_tor_judge(run, p, &should);
    if (should.verdict == ROCECC_L3QCN_TOR_CONVERTED)
        law_l3qcn_tor_follow(run, p, end, &should);
    rocecc_l3qcn_tor_convert(&run->c, &run->s, p, &e, &out);
    if (should.unsure && out.verdict == ROCECC_L3QCN_TOR_WRONG_MSDU) {
        should.verdict = ROCECC_L3QCN_TOR_WRONG_MSDU;
        should.refused = 0;
        should.tokens.admitted_e9[0] = run->tokens.admitted_e9[0];
        should.tokens.shared_e9 = run->tokens.shared_e9;
    }
    LAW(out.verdict == should.verdict && out.why == should.why);
    LAW(out.admission == should.refused);
    LAW(out.arrival == should.arrival.verdict && out.icmp.type == should.arrival.type &&
        out.icmp.code == should.arrival.code &&
        out.icmp.value == should.arrival.pointer);
    run->tokens = should.tokens;
    LAW(law_l3qcn_tor_counts_admission(run, &before, &should) != LAW_BROKEN);
    for (i = 0; i < ROCECC_ARRIVAL_VERDICTS; i++)
        LAW(run->s.arrival_count[i] ==
            before.arrival_count[i] +
                (should.verdict == ROCECC_L3QCN_TOR_BAD_ARRIVAL && i == out.arrival
                     ? 1
                     : 0));
    for (i = 0; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        LAW(run->s.verdict_count[i] ==
            before.verdict_count[i] + (i == out.verdict ? 1 : 0));
    for (i = 0; i < ROCECC_L3QCN_VERDICTS; i++)
        LAW(run->s.malformed_count[i] ==
            before.malformed_count[i] +
                (should.verdict == ROCECC_L3QCN_TOR_MALFORMED && i == out.why ? 1 : 0));
    for (i = 0; i < 8 * run->c.table.buckets; i++) {
        const bool sent = should.verdict == ROCECC_L3QCN_TOR_CONVERTED && run->gates &&
                          i == should.slot;
        LAW(law_l3qcn_tor_same_gate(&run->gate[i], sent ? &should.gate : &gate[i]));
    }
    if (should.verdict == ROCECC_L3QCN_TOR_CONVERTED) {
        LAW(law_l3qcn_tor_converted(run, &should, was, &out) != LAW_BROKEN);
    } else {
        LAW(out.port == 0 && rocecc_left(&out.cnm) == 0);
        LAW(memcmp(run->b, was, sizeof was) == 0);
    }
    return law_mix(LAW_START, out.verdict * 256u + out.why);
}

/* Advances the time, fills the buckets, and limits the flow number. */
LAW_FN void law_l3qcn_tor_pass(law_l3qcn_tor_run *run)
{
    const rocecc_admission_params *p = &run->c.admission;
    uint64_t dt_ns = 0;
    run->e.flow &= run->flows;
    if (run->e.time == 1) dt_ns = 3000;
    if (run->e.time == 2) dt_ns = (1 + run->c.table.expiry_ms / 4) * (uint64_t)1000000;
    if (run->e.time == 3) dt_ns = 0x40000000;
    run->now_ns += dt_ns;
    law_admission_fill(&run->tokens.admitted_e9[0], dt_ns, &p->source);
    law_admission_fill(&run->tokens.verified_e9[0], dt_ns, &p->verify);
    law_admission_fill(&run->tokens.shared_e9, dt_ns, &p->shared);
}

/*
 * Checks learn() and convert() with any frames. A learned entry matches its frame, a
 * private CNM is never OTHER, and a converted CNM matches the text.
 */
LAW_FN uint32_t law_l3qcn_tor(rocecc_reader r)
{
    uint32_t digest = law_l3qcn_tor_init(r), part;
    static LAW_ROOM(buffer, LAW_L3QCN_TOR_FRAME);
    static law_l3qcn_tor_run run;
    const uint8_t bits = rocecc_left(&r) == 0 ? 0 : r.base[r.at];
    const uint8_t who = law_l3qcn_tor_who(r);
    rocecc_packet p;
    int i;
    if (!law_l3qcn_tor_config(&r, &run.c, &run.d, &run.gates)) return digest;
    run.list = law_l3qcn_tor_list(&run.entry, who);
    if (rocecc_l3qcn_tor_init(&run.c, &run.d, &run.list) != ROCECC_L3QCN_TOR_ACCEPTED)
        return digest;
    run.b = buffer;
    run.bits = law_l3qcn_tor_bits(bits);
    run.flows = (uint8_t)((1u << (run.c.table.secret[0] >> 5 & 7) % 5) - 1);
    run.now_ns = 0;
    for (i = 0; i < 8 * LAW_L3QCN_TOR_BUCKETS; i++)
        run.gate[i].gate.last_ns = run.gate[i].gate.sent = 1; /* from another flow */
    run.memory.bucket = run.bucket;
    run.memory.slot = run.slot;
    run.s = rocecc_l3qcn_tor_start(&run.c, &run.memory);
    memset(run.ports, 0, sizeof run.ports);
    run.n_ports = LAW_L3QCN_TOR_HOST + (who >> 4 == 15 ? 0 : 1);
    run.n_sources = who >> 5 == 6 ? 0 : 1;
    run.sources[0] = rocecc_admission_source_start(&run.c.admission, 0);
    run.tokens.admitted_e9[0] = run.c.admission.source.burst * UINT64_C(1000000000);
    run.tokens.verified_e9[0] = run.c.admission.verify.burst * UINT64_C(1000000000);
    run.tokens.shared_e9 = run.c.admission.shared.burst * UINT64_C(1000000000);
    for (i = 0; i < LAW_EVENTS && rocecc_left(&r) != 0; i++) {
        law_l3qcn_tor_draw(&run.e, &r);
        law_l3qcn_tor_pass(&run);
        if (run.e.time == 3 && run.e.origin > 4)
            LAW(law_l3qcn_tor_idle(&run) != LAW_BROKEN);
        law_l3qcn_tor_make(&run, &r);
        (void)rocecc_packet_parse(&run.d, law_reader(run.b, run.n), &p);
        part = run.e.learn ? law_l3qcn_tor_learn(&run, &p)
                           : law_l3qcn_tor_convert(&run, &p);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
    }
    return digest;
}
#endif

#endif /* TESTS_LAW_L3QCN_TOR_H */
