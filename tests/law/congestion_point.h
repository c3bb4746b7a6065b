/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CONGESTION_POINT_H
#define TESTS_LAW_CONGESTION_POINT_H

#include "admission.h"
#include "draw.h"
#include "fastcnp.h"
#include "l3qcn.h"
#include "rocecc/role/congestion_point.h"

/* Draws standard_cnp, QCN priorities and private CNMs' form, sometimes invalid. */
LAW_FN void law_congestion_qcn(rocecc_congestion_config *c, rocecc_domain *d,
                               uint64_t bits)
{
    c->standard_cnp = bits & 1;
    c->qcn_priorities = (uint8_t)(bits >> 1 & bits >> 9 & 0xff);
    d->l3qcn = law_l3qcn_config((int)(bits >> 17 & 15));
    if ((bits >> 21 & 31) == 1) d->l3qcn.port = 0;
    if ((bits >> 21 & 31) == 2) d->l3qcn.port = ROCECC_UDP_PORT_ROCEV2;
    c->l3qcn_outer = rocecc_l3qcn_outer_default((uint32_t)(bits >> 26 & 0x3fff));
    if (bits >> 40 & 1) c->l3qcn_outer.src_port = 0;
    c->l3qcn_outer.dscp = (bits >> 41 & 31) == 1 ? 64 : bits >> 46 & 63;
    c->l3qcn_outer.ecn = (bits >> 41 & 31) == 2 ? 4 : bits >> 52 & 3;
    c->l3qcn_outer.flow_label =
        (bits >> 41 & 31) == 3 ? 1 << 20 : (uint32_t)(bits >> 44 & 0xfffff);
    c->msdu_bytes = (uint8_t)((bits >> 54 & 127) % 66); /* 65 is too many */
}

/* Draws limits for one misbehaving sender. Some are below the minimum. */
LAW_FN void law_congestion_limits(rocecc_congestion_config *c, bool unlimited,
                                  uint32_t odd)
{
    rocecc_admission_params *p = &c->admission;
    const uint32_t rate = odd & 0xfff, burst = odd >> 12 & 7, wrong = odd >> 20 & 63;
    p->unlimited = unlimited;
    p->misbehaving = wrong != 1;
    p->source.rate_per_s = rate;
    p->source.burst = burst;
    p->verify.rate_per_s = rate - (wrong == 2 && rate > 0);
    p->verify.burst = burst - (wrong == 3 && burst > 0);
    p->shared.rate_per_s = 2 * rate - (wrong == 4 && rate > 0);
    p->shared.burst = 2 * burst - (wrong == 5 && burst > 0);
    p->source.full_ns = p->verify.full_ns = p->shared.full_ns = 0;
}

/* Returns true if init() must accept the limits. */
LAW_FN bool law_congestion_limits_hold(const rocecc_admission_params *p)
{
    return p->unlimited ||
           (p->misbehaving == 1 && p->source.rate_per_s != 0 && p->source.burst != 0 &&
            p->verify.rate_per_s >= p->source.rate_per_s &&
            p->verify.burst >= p->source.burst &&
            p->shared.rate_per_s >= 2 * p->source.rate_per_s &&
            p->shared.burst >= 2 * p->source.burst);
}

/* Draws a configuration. Most members are valid. */
LAW_FN void law_congestion_config(rocecc_reader *r, rocecc_domain *d,
                                  rocecc_congestion_config *c)
{
    const rocecc_domain none = {.link = ROCECC_LINK_IP};
    static const uint8_t nobody[16] = {0};
    const uint64_t bits = law_u64(r);
    const uint32_t odd = law_u32(r);
    size_t i;
    c->fastcnp_enabled = (bits & 15) != 0;
    *d = none;
    d->fastcnp = law_fastcnp_config((uint8_t)(bits >> 4 & bits >> 9 & 31));
    c->cnp = rocecc_cnp_default();
    c->cnp.src = rocecc_ip6_load(nobody);
    c->cnp.src.b[0] = (odd & 0xff) == 1 ? 0xff : 0x20;
    c->cnp.src.b[15] = (uint8_t)(bits >> 14);
    c->cnp.dscp = (uint8_t)(odd >> 8 & 0xff) == 1 ? 64 : bits >> 22 & 63;
    c->cnp.ecn = bits >> 28 & bits >> 30 & 3;
    c->cnp.udp_checksum = bits >> 32 & 1;
    c->icrc_rule = (rocecc_icrc_rule)((odd >> 16 & 63) % 12);
    if (c->icrc_rule > ROCECC_ICRC_NONE + 1) c->icrc_rule = ROCECC_ICRC_AUTO;
    c->mark_known_only = bits >> 33 & 1;
    c->quiet_if_told = bits >> 34 & 1;
    c->plain_only = (bits >> 35 & 3) == 3;
    c->plain_if_long = bits >> 37 & 1;
    c->flow_label = (odd >> 22 & 63) == 1 ? 1 << 20 : bits >> 41 & 0xfffff;
    c->answer = rocecc_opcode_set_data();
    for (i = 0; i < 8; i++)
        if ((bits >> 38 & 7) == 0) c->answer.bits[i] = odd & 1 ? 0xffffffff : 0;
    c->gate.interval_ns = bits >> 62 & 1 ? 50000 : 0;
    c->gate.defer = (odd >> 28 & 15) == 1;
    law_congestion_limits(c, bits >> 63, odd);
    law_congestion_qcn(c, d, law_u64(r));
}

/* Returns a list entry. One of 128 bits links to entry 0, as entry 0 contains it. */
LAW_FN rocecc_acl_entry law_congestion_entry(uint8_t first, uint8_t last,
                                             uint8_t length, unsigned bits)
{
    rocecc_acl_entry e = {{{0}}, 0, 0, 0, 0};
    e.prefix.b[0] = first;
    e.prefix.b[15] = last;
    e.length = length;
    e.permit = bits & 1;
    e.tag = bits >> 1 & 3;
    e.parent = length == 128 ? 0 : ROCECC_ACL_NONE;
    return e;
}

/* Returns true if init() must refuse the configuration. */
LAW_FN bool law_congestion_refused(const rocecc_congestion_config *c,
                                   const rocecc_domain *d, bool listed)
{
    uint32_t answer = 0;
    size_t i;
    const bool fast =
        c->fastcnp_enabled &&
        ((d->fastcnp.type_plain == 0 && d->fastcnp.type_ioam == 0) ||
         c->cnp.src.b[0] == 0xff || c->icrc_rule == ROCECC_ICRC_STANDARD ||
         c->icrc_rule > ROCECC_ICRC_NONE);
    const bool cnm = c->qcn_priorities != 0 &&
                     (d->l3qcn.port == 0 || d->l3qcn.port == 4791 ||
                      c->l3qcn_outer.dscp > 63 || c->l3qcn_outer.ecn > 3 ||
                      c->l3qcn_outer.flow_label > 0xfffff || c->msdu_bytes > 64);
    const bool any = c->cnp.dscp > 63 || c->flow_label > 0xfffff ||
                     c->gate.defer != 0 || !law_congestion_limits_hold(&c->admission);
    if (!c->fastcnp_enabled && !c->standard_cnp && c->qcn_priorities == 0) return false;
    for (i = 0; i < 8; i++)
        answer |= c->answer.bits[i];
    return fast || cnm || any || !listed || answer == 0;
}

/* Under BPF, large variables are in a map, as the stack is too small. */
#if defined(__bpf__)
#define LAW_CONGESTION_KEPT static
#else
#define LAW_CONGESTION_KEPT
#endif

/* Checks the functions that need no packet. */
LAW_FN uint32_t law_congestion_init(rocecc_reader r)
{
    LAW_CONGESTION_KEPT rocecc_domain d;
    LAW_CONGESTION_KEPT rocecc_congestion_config c;
    rocecc_congestion_refusal refusal;
    uint64_t now_ns;
    rocecc_congestion_point s;
    rocecc_acl access = {NULL, 0, 0}; /* init() reads only its length */
    LAW_CONGESTION_KEPT rocecc_congestion_policy way;
    uint32_t digest;
    size_t i;
    law_congestion_config(&r, &d, &c);
    now_ns = law_u64(&r);
    way.n = (uint8_t)(now_ns >> 8 & 15);
    for (i = 0; i < ROCECC_CONGESTION_POLICY_MAX; i++)
        way.segment[i] = c.cnp.src;
    LAW((rocecc_congestion_policy_init(&way) == ROCECC_CONGESTION_ACCEPTED) ==
        (way.n == 0 || (way.n <= 8 && c.cnp.src.b[0] != 0xff)));
    access.n = (now_ns & 15) != 0;
    refusal = rocecc_congestion_point_init(&c, &d, (now_ns & 31) != 0 ? &access : NULL);
    digest = law_mix(LAW_START, refusal);
    LAW((refusal != ROCECC_CONGESTION_ACCEPTED) ==
        law_congestion_refused(&c, &d, access.n != 0));
    if (refusal != ROCECC_CONGESTION_ACCEPTED) return digest;
    s = rocecc_congestion_point_start(&c, now_ns);
    LAW(s.admission.shared.last_ns == now_ns &&
        s.count[ROCECC_CONGESTION_RATE_LIMITED] == 0);
    digest = law_mix(digest, s.admission.shared.level_e9);
    return law_mix(digest, c.admission.source.full_ns);
}

#if !defined(__bpf__)
LAW_FN rocecc_congestion_config law_congestion_of(rocecc_reader *r, rocecc_domain *d)
{
    rocecc_congestion_config c;
    law_congestion_config(r, d, &c);
    return c;
}

#define LAW_CONGESTION_BYTES 256
#define LAW_CONGESTION_STEPS 6

static uint32_t law_congestion_seen[ROCECC_CONGESTION_REASONS];
static uint32_t law_congestion_written[3]; /* Fast CNPs, CNPs, private CNMs */

/* Parts of a frame. */
enum {
    LAW_CONGESTION_TUNNEL = 1, /* outer IPv6 header from END.CON */
    LAW_CONGESTION_TRACED = 2, /* Hop-by-Hop header with a trace; only IPv6 */
    LAW_CONGESTION_ETHER = 4,  /* Ethernet header */
    LAW_CONGESTION_V4 = 8,
    LAW_CONGESTION_TCP = 16, /* instead of UDP */
    LAW_CONGESTION_CNP = 32, /* by its opcode */
    LAW_CONGESTION_CNM = 64  /* by its port */
};

/* Writes an IPv6 header, with a source that ends with `last`. Returns its length. */
LAW_FN size_t law_congestion_ip6(uint8_t *b, size_t bytes, uint8_t next, uint8_t last)
{
    b[0] = 0x60;
    b[1] = 0x20;
    b[5] = (uint8_t)bytes;
    b[6] = next;
    b[7] = 64;
    b[8] = b[24] = 0x20;
    b[23] = last;
    b[39] = 0x20;
    return 40;
}

/* Writes an IPv4 header for `bytes` bytes. Its checksum of 0 is never checked. */
LAW_FN size_t law_congestion_ip4(uint8_t *b, size_t bytes, uint8_t next)
{
    b[0] = 0x45;
    b[1] = 2;
    b[3] = (uint8_t)(20 + bytes);
    b[8] = 64;
    b[9] = next;
    b[12] = b[16] = 10;
    b[15] = 0x10;
    b[19] = 0x20;
    return 20;
}

/* Writes a frame, and returns its length. */
LAW_FN size_t law_congestion_frame(uint8_t *bytes, unsigned how)
{
    static const uint8_t hop[32] = {0x11, 3, 1, 0, 0x31, 26, 0,    0, 0, 0, 0x10, 0,
                                    0x82, 0, 0, 0, 0x3e, 0,  1,    3, 0, 0, 8,    0,
                                    0x3f, 0, 1, 2, 0,    0,  0x10, 0};
    static const uint8_t roce[24] = {0xc1, 0x23, 0x12, 0xb7, 0, 40, 0,    0,
                                     4,    0,    0xff, 0xff, 0, 0,  0xab, 0xcd};
    const bool v4 = (how & LAW_CONGESTION_V4) != 0;
    const bool traced = !v4 && (how & LAW_CONGESTION_TRACED) != 0;
    const uint8_t upper = how & LAW_CONGESTION_TCP ? 6 : 17;
    const size_t rest = 40 + (traced ? 32u : 0);
    size_t n = 0, i;
    for (i = 0; i < LAW_CONGESTION_BYTES; i++)
        bytes[i] = 0;
    if (how & LAW_CONGESTION_ETHER) {
        bytes[5] = 0x37;
        rocecc_store16(bytes + 12,
                       v4 && !(how & LAW_CONGESTION_TUNNEL) ? 0x0800 : 0x86dd);
        n = 14;
    }
    if (how & LAW_CONGESTION_TUNNEL)
        n += law_congestion_ip6(bytes + n, rest + (v4 ? 20 : 40), v4 ? 4 : 41, 0x10);
    if (v4)
        n += law_congestion_ip4(bytes + n, rest, upper);
    else
        n += law_congestion_ip6(bytes + n, rest, traced ? 0 : upper, 0x11);
    for (i = 0; traced && i < 32; i++)
        bytes[n + i] = hop[i];
    if (traced) bytes[n] = upper;
    n += traced ? 32 : 0;
    for (i = 0; i < 24; i++)
        bytes[n + i] = roce[i];
    if (how & LAW_CONGESTION_CNP) bytes[n + 8] = 0x81;
    if (how & LAW_CONGESTION_CNM) rocecc_store16(bytes + n + 2, LAW_L3QCN_PORT);
    return n + 40;
}

#define LAW_CONGESTION_SOURCES 3 /* tags with buckets, of 0 to 3 */

/* Access list, tunnel list, paths to one END.CON, and the senders' buckets. */
typedef struct law_congestion_lists {
    rocecc_acl_entry access[2], tunnels[2];
    rocecc_acl acls[2];
    rocecc_congestion_policy policies[2];
    rocecc_admission_source sources[LAW_CONGESTION_SOURCES];
} law_congestion_lists;

/* Tokens left in each sender's bucket and the shared one, by the law's count. */
typedef struct law_congestion_tokens {
    uint64_t source_e9[LAW_CONGESTION_SOURCES];
    uint64_t shared_e9;
} law_congestion_tokens;

/* Draws lists with entries for the addresses of law_congestion_frame(). */
LAW_FN void law_congestion_list(law_congestion_lists *l, uint32_t bits)
{
    static const uint8_t n[4] = {0, 2, 8, 9};
    size_t i, j;
    l->access[0] = law_congestion_entry(0, 0, 0, (bits & 3) != 0);
    l->access[1] = law_congestion_entry(0x20, 0x11, 128,
                                        (bits >> 24 & 6u) | ((bits >> 2 & 3) != 0));
    l->tunnels[0] =
        law_congestion_entry(0x20, 0, 8, (bits >> 4 & 6u) | ((bits >> 4 & 9) != 0));
    l->tunnels[1] = law_congestion_entry(0x20, 0x10, 128,
                                         (bits >> 8 & 6u) | ((bits >> 8 & 9) != 0));
    l->acls[0] = rocecc_acl_attach(l->access, (bits >> 12 & 7) % 3);
    l->acls[1] = rocecc_acl_attach(l->tunnels, (bits >> 15 & 7) % 3);
    for (i = 0; i < 2; i++) {
        l->policies[i].n = n[bits >> (18 + 2 * i) & 3];
        for (j = 0; j < ROCECC_CONGESTION_POLICY_MAX; j++) {
            l->policies[i].segment[j] = l->tunnels[1].prefix;
            l->policies[i].segment[j].b[7] = (uint8_t)j;
        }
        if ((bits >> 22 & 3) == i) l->policies[i].segment[0].b[3] = 1; /* other SID */
    }
}

/* Returns the index of the longest entry that contains an address, or SIZE_MAX. */
LAW_FN size_t law_congestion_holds(const rocecc_acl *list, const uint8_t *b)
{
    size_t i, j, found = SIZE_MAX;
    for (i = 0; list != NULL && i < list->n; i++) {
        const size_t bytes = list->entries[i].length / 8u;
        for (j = 0; j < bytes && list->entries[i].prefix.b[j] == b[j]; j++)
            continue;
        if (j == bytes) found = i; /* a longer entry comes later */
    }
    return found;
}

LAW_FN bool law_congestion_permits(const rocecc_acl *list, const uint8_t *b)
{
    const size_t i = law_congestion_holds(list, b);
    return i != SIZE_MAX && list->entries[i].permit != 0;
}

/* Returns the list entry for a packet's sender, or NULL. */
LAW_FN const rocecc_acl_entry *law_congestion_sender(const rocecc_congestion_event *e,
                                                     const rocecc_packet *p)
{
    const rocecc_acl *list = e->admission.list;
    const bool v4 = p->headers.ip.version == 4;
    const uint8_t *b = p->bytes.base + p->headers.ip.offset;
    uint8_t src[16] = {0};
    size_t i;
    if (p->headers.ip.version == 0) return NULL;
    if (v4) src[10] = src[11] = 0xff;
    for (i = v4 ? 12 : 0; i < 16; i++)
        src[i] = b[v4 ? i : 8 + i];
    i = law_congestion_holds(list, src);
    return i != SIZE_MAX ? &list->entries[i] : NULL;
}

LAW_FN bool law_congestion_knows(const rocecc_congestion_event *e,
                                 const rocecc_packet *p)
{
    const rocecc_acl_entry *sender = law_congestion_sender(e, p);
    return sender != NULL && sender->permit != 0;
}

/* Draws an event. Most verdicts are MARK, and most events request a CNM. */
LAW_FN rocecc_congestion_event law_congestion_event(uint64_t bits, uint64_t more,
                                                    law_congestion_lists *l)
{
    rocecc_congestion_event e;
    e.admission.list = &l->acls[0];
    e.admission.index = NULL;
    e.admission.sources = l->sources;
    e.admission.n_sources = LAW_CONGESTION_SOURCES;
    e.tunnels = l->acls[1].n != 0 ? &l->acls[1] : NULL;
    e.policies = l->policies;
    e.n_policies = (uint32_t)(bits >> 61 & 3) % 3;
    e.admission.now_ns = 0;
    e.gate = NULL;
    e.priority = (uint8_t)(bits & 7);
    e.verdict = (bits >> 3 & 15) < 3 ? bits >> 3 & 15 : 1;
    e.sender_support = (rocecc_fastcnp_support)((bits >> 7 & 15) % 3);
    e.has_qpn = (bits >> 11 & 3) != 0;
    e.qpn = bits >> 13 & 0xffffff;
    if ((bits >> 37 & 15) == 1) e.qpn |= 1u << 24;
    e.qcn.cnm = (bits >> 41 & 3) != 0;
    e.qcn.sampled = true;
    e.qcn.qntz_fb = bits >> 43 & 63;
    e.qcn.offset_bytes = (int64_t)(more & 0x1ffffff) - 0x1000000;
    e.qcn.delta_bytes = (int64_t)(more >> 25 & 0x1ffffff) - 0x1000000;
    e.cpid = more;
    return e;
}

LAW_FN bool law_congestion_is_qcn(const rocecc_congestion_config *c,
                                  const rocecc_congestion_event *e)
{
    return (c->qcn_priorities & 1u << e->priority) != 0;
}

/* Returns true if a packet has an opcode to answer. */
LAW_FN bool law_congestion_is_data(const rocecc_congestion_config *c,
                                   const rocecc_packet *p)
{
    const uint8_t opcode = p->headers.bth != 0 ? p->bytes.base[p->headers.bth] : 0x81;
    return opcode != 0x81 &&
           (c->answer.bits[opcode / 32] & UINT32_C(1) << opcode % 32) != 0;
}

/* Returns true if a Fast CNP, and not a CNP, would answer this packet. */
LAW_FN bool law_congestion_is_fast(const rocecc_congestion_config *c,
                                   const rocecc_congestion_event *e,
                                   const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    return c->fastcnp_enabled && e->sender_support != ROCECC_FASTCNP_SUPPORT_NO &&
           f->bth != 0 && f->kind == ROCECC_PACKET_KIND_ROCEV2 && f->ip.version == 6 &&
           law_congestion_is_data(c, p);
}

/* Returns the expected outputs, by the table in role/congestion_point.h. */
LAW_FN unsigned law_congestion_outputs(const rocecc_congestion_config *c,
                                       const rocecc_congestion_event *e, bool fast,
                                       unsigned reason)
{
    const bool sent = reason == ROCECC_CONGESTION_SENT;
    const bool standard = !fast && c->standard_cnp;
    const bool alone = standard || e->sender_support == ROCECC_FASTCNP_SUPPORT_YES;
    const unsigned drop = e->verdict == ROCECC_WRED_DROP ? ROCECC_CONGESTION_DROP : 0;
    if (law_congestion_is_qcn(c, e)) return drop | (sent ? ROCECC_CONGESTION_CNM : 0);
    if (e->verdict != ROCECC_WRED_MARK) return drop;
    if (sent && standard) return ROCECC_CONGESTION_CNP;
    if (sent && (alone || c->mark_known_only)) return ROCECC_CONGESTION_FAST_CNP;
    if (sent) return ROCECC_CONGESTION_FAST_CNP | ROCECC_CONGESTION_MARK;
    if (reason == ROCECC_CONGESTION_HELD && c->quiet_if_told && alone) return 0;
    return ROCECC_CONGESTION_MARK;
}

/* Checks that a reason is possible for this packet and event. */
LAW_FN uint32_t law_congestion_reason(const rocecc_congestion_config *c,
                                      const rocecc_congestion_event *e, bool fast,
                                      const rocecc_packet *p, unsigned reason)
{
    const rocecc_headers *f = &p->headers;
    const bool standard = !fast && c->standard_cnp;
    const bool tunnel = f->outer.version != 0;
    const bool sent = reason == ROCECC_CONGESTION_SENT;
    LAW((sent || reason == ROCECC_CONGESTION_UNLISTED_TUNNEL)
            ? law_congestion_knows(e, p)
            : reason != ROCECC_CONGESTION_ACCESS_DENIED || !law_congestion_knows(e, p));
    LAW(!sent || f->ip.version != 6 || f->ip.routing != 0 ||
        p->bytes.base[f->ip.offset + 24] != 0xff);
    LAW(!sent || !tunnel ||
        law_congestion_permits(e->tunnels, p->bytes.base + f->outer.offset + 8));
    LAW(!sent || f->kind != ROCECC_PACKET_KIND_ROCEV2 || law_congestion_is_data(c, p));
    if (law_congestion_is_qcn(c, e)) {
        LAW((reason == ROCECC_CONGESTION_NOT_ASKED) == !e->qcn.cnm);
        LAW(reason != ROCECC_CONGESTION_DISABLED &&
            reason != ROCECC_CONGESTION_NOT_CAPABLE &&
            reason != ROCECC_CONGESTION_NEEDS_QPN &&
            reason != ROCECC_CONGESTION_BAD_OPTIONS);
        LAW(tunnel ? !sent : reason != ROCECC_CONGESTION_UNLISTED_TUNNEL);
        return LAW_START;
    }
    LAW((reason == ROCECC_CONGESTION_NOT_ASKED) == (e->verdict != ROCECC_WRED_MARK));
    if (e->verdict != ROCECC_WRED_MARK) return LAW_START;
    LAW((reason == ROCECC_CONGESTION_DISABLED) == (!c->fastcnp_enabled && !standard));
    LAW((reason == ROCECC_CONGESTION_NOT_CAPABLE) ==
        (c->fastcnp_enabled && e->sender_support == ROCECC_FASTCNP_SUPPORT_NO &&
         !standard));
    LAW(fast || standard || !sent);
    if (standard) {
        const bool known = e->has_qpn && e->qpn >> 24 == 0;
        LAW(!(sent || reason == ROCECC_CONGESTION_HELD) || (known && !tunnel));
        LAW(reason != ROCECC_CONGESTION_NEEDS_QPN || (!known && !tunnel));
        LAW(reason != ROCECC_CONGESTION_BAD_OPTIONS);
    } else {
        LAW(reason != ROCECC_CONGESTION_NEEDS_QPN);
    }
    return LAW_START;
}

/* Checks that the Fast CNP follows the END.CON's policy, or goes directly to it. */
LAW_FN uint32_t law_congestion_sent_by(const rocecc_congestion_event *e,
                                       const uint8_t *end_con,
                                       const rocecc_srv6 *tunnel)
{
    const size_t entry = law_congestion_holds(e->tunnels, end_con);
    const uint32_t tag = e->tunnels->entries[entry].tag;
    const uint8_t *last = end_con;
    size_t n = 0, i;
    if (tag < e->n_policies && e->policies[tag].n <= 8) n = e->policies[tag].n;
    for (i = 0; n != 0 && i < 16; i++)
        if (e->policies[tag].segment[0].b[i] != end_con[i]) n = 0;
    if (n != 0) last = e->policies[tag].segment[n - 1].b;
    LAW(rocecc_srv6_bytes(tunnel) == 40 + (n < 2 ? 0 : 8 + 16 * n));
    for (i = 0; i < 16; i++)
        LAW(tunnel->outer.dst.b[i] == last[i]);
    return LAW_START;
}

/* Checks that the output is a Fast CNP about this packet, tunnelled if it was. */
LAW_FN uint32_t law_congestion_sent(const rocecc_congestion_config *c,
                                    const rocecc_congestion_event *e,
                                    const rocecc_packet *p, rocecc_reader out)
{
    const rocecc_headers *f = &p->headers;
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = p->domain->fastcnp};
    const uint8_t *b = p->bytes.base;
    rocecc_packet q;
    const rocecc_headers *g = &q.headers;
    rocecc_cnp cnp;
    rocecc_fastcnp h;
    rocecc_icrc icrc;
    size_t i;
    LAW(rocecc_packet_parse(&d, out, &q) == ROCECC_OK && g->end == out.end);
    LAW(g->outer.version == f->outer.version && g->ip.version == 6 && g->ip.n_ext == 1);
    LAW(rocecc_cnp_parse(&q, &cnp) == ROCECC_OK && cnp.odd == 0);
    LAW(cnp.dest_qp == (rocecc_load32(b + f->bth + 4) & 0xffffff));
    LAW(cnp.pkey == rocecc_load16(b + f->bth + 2));
    LAW(cnp.src_port == rocecc_load16(b + f->udp));
    LAW(rocecc_fastcnp_find(&q, &h) == ROCECC_OK);
    for (i = 0; i < 16; i++) {
        LAW(cnp.src.b[i] == c->cnp.src.b[i] && cnp.dst.b[i] == b[f->ip.offset + 8 + i]);
        LAW(f->ip.routing != 0 || h.flow_dst.b[i] == b[f->ip.offset + 24 + i]);
    }
    LAW(h.kind == ROCECC_FASTCNP_PLAIN || f->ip.n_ext != 0);
    LAW(rocecc_icrc_verify(c->icrc_rule, &q, &icrc) == ROCECC_OK);
    LAW(icrc.ok || c->icrc_rule == ROCECC_ICRC_NONE);
    if (f->outer.version != 0) {
        rocecc_srv6 tunnel;
        LAW(rocecc_srv6_parse(&q, &tunnel) == ROCECC_OK);
        LAW(tunnel.outer.ecn == c->cnp.ecn && tunnel.ip.ecn == c->cnp.ecn);
        LAW(law_congestion_sent_by(e, b + f->outer.offset + 8, &tunnel) != LAW_BROKEN);
    }
    return LAW_START;
}

/* Checks that the output is a CNP from the packet's destination, without a tunnel. */
LAW_FN uint32_t law_congestion_sent_cnp(const rocecc_congestion_config *c,
                                        const rocecc_congestion_event *e,
                                        const rocecc_packet *p, rocecc_reader out)
{
    const rocecc_headers *f = &p->headers;
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const uint8_t *b = p->bytes.base;
    const bool v4 = f->ip.version == 4;
    const size_t src = f->ip.offset + (v4 ? 12u : 8u), n = v4 ? 4 : 16;
    rocecc_packet q;
    const rocecc_headers *g = &q.headers;
    rocecc_cnp cnp;
    rocecc_icrc icrc;
    size_t i;
    LAW(rocecc_packet_parse(&d, out, &q) == ROCECC_OK && g->end == out.end);
    LAW(g->outer.version == 0 && g->ip.version == f->ip.version && g->ip.n_ext == 0);
    LAW(rocecc_cnp_parse(&q, &cnp) == ROCECC_OK && cnp.odd == 0);
    LAW(cnp.dest_qp == e->qpn);
    LAW(cnp.pkey == rocecc_load16(b + f->bth + 2));
    LAW(cnp.src_port == rocecc_load16(b + f->udp));
    LAW(cnp.dscp == c->cnp.dscp && cnp.ecn == c->cnp.ecn);
    LAW(cnp.hop_limit == c->cnp.hop_limit);
    for (i = 0; i < n; i++) {
        LAW(cnp.dst.b[16 - n + i] == b[src + i]);
        LAW(cnp.src.b[16 - n + i] == b[src + n + i]);
    }
    LAW(rocecc_icrc_verify(ROCECC_ICRC_STANDARD, &q, &icrc) == ROCECC_OK);
    LAW(icrc.ok);
    return LAW_START;
}

/* Checks that the output is a private CNM about this packet and sample. */
LAW_FN uint32_t law_congestion_sent_cnm(const rocecc_congestion_config *c,
                                        const rocecc_congestion_event *e,
                                        const rocecc_packet *p, rocecc_reader out)
{
    const rocecc_headers *f = &p->headers;
    const rocecc_reader frame = p->bytes;
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = p->domain->l3qcn};
    const size_t type = (f->outer.version != 0 ? f->outer.offset : f->ip.offset) - 2u;
    const size_t end = f->outer.version != 0 ? f->outer.end : f->ip.end;
    const size_t there = end < frame.end ? end - type : frame.end - type;
    const size_t asked = d.l3qcn.cnm.fixed_msdu ? 64 : c->msdu_bytes;
    const size_t n = there < asked ? there : asked;
    const uint8_t *b = frame.base;
    rocecc_l3qcn_verdict verdict = ROCECC_L3QCN_OTHER;
    rocecc_l3qcn h;
    rocecc_packet q;
    const rocecc_headers *g = &q.headers;
    rocecc_flow flow, told;
    size_t i;
    (void)rocecc_packet_parse(&d, out, &q);
    LAW(g->kind == ROCECC_PACKET_KIND_UDP && g->end == out.end &&
        g->outer.version == 0);
    LAW(rocecc_l3qcn_find(&q, &h, &verdict) == ROCECC_OK);
    LAW(rocecc_udp_verify(&q));
    LAW(rocecc_packet_flow(p, &flow) == ROCECC_OK);
    told = rocecc_l3qcn_flow(&h);
    LAW(rocecc_flow_match(&flow, &told));
    LAW(flow.proto != 17 || flow.dst_port != d.l3qcn.port);
    LAW(h.cnm.qntz_fb == e->qcn.qntz_fb && h.cnm.cpid == e->cpid);
    LAW(h.cnm.q_offset == rocecc_cnm_q_offset(d.l3qcn.cnm.signs, e->qcn.offset_bytes));
    LAW(h.cnm.q_delta == rocecc_cnm_q_delta(d.l3qcn.cnm.signs, e->qcn.delta_bytes));
    LAW(h.cnm.encap_priority == e->priority && h.cnm.version == 0);
    for (i = 0; i < 6; i++)
        LAW(h.cnm.encap_dst.b[i] == b[frame.at + i]);
    LAW(h.cnm.msdu_len == (d.l3qcn.cnm.fixed_msdu ? 64 : n));
    for (i = 0; i < h.cnm.msdu_len; i++)
        LAW(h.cnm.msdu.base[h.cnm.msdu.at + i] == (i < n ? b[type + i] : 0));
    LAW(g->ip.version == 4 ? out.base[g->ip.offset + 1] >> 2 == c->l3qcn_outer.dscp
                           : (rocecc_load16(out.base + g->ip.offset) >> 6 & 63) ==
                                 c->l3qcn_outer.dscp);
    LAW(c->l3qcn_outer.src_port == 0
            ? rocecc_load16(out.base + g->udp) >= 0xc000
            : rocecc_load16(out.base + g->udp) == c->l3qcn_outer.src_port);
    return LAW_START;
}

/* Checks the output by the law for its kind, and counts it. */
LAW_FN uint32_t law_congestion_packet(const rocecc_congestion_config *c,
                                      const rocecc_congestion_event *e,
                                      const rocecc_packet *p, unsigned outputs,
                                      rocecc_reader out)
{
    if ((outputs & ROCECC_CONGESTION_FAST_CNP) != 0) {
        law_congestion_written[0]++;
        return law_congestion_sent(c, e, p, out);
    }
    if ((outputs & ROCECC_CONGESTION_CNP) != 0) {
        law_congestion_written[1]++;
        return law_congestion_sent_cnp(c, e, p, out);
    }
    law_congestion_written[2]++;
    return law_congestion_sent_cnm(c, e, p, out);
}

#define LAW_CONGESTION_OUT_BYTES (LAW_FASTCNP_BYTES + 160)

/* Takes a sender's token and a shared token. Returns false if one is missing. */
LAW_FN bool law_congestion_take(const rocecc_congestion_config *c,
                                const rocecc_congestion_event *e,
                                const rocecc_packet *p, law_congestion_tokens *left)
{
    const rocecc_acl_entry *sender = law_congestion_sender(e, p);
    if (c->admission.unlimited) return true;
    return sender != NULL && sender->tag < LAW_CONGESTION_SOURCES &&
           law_admission_take(&left->source_e9[sender->tag]) &&
           law_admission_take(&left->shared_e9);
}

/*
 * Checks that only SENT and RATE_LIMITED change counters and tokens, because the limits
 * come last.
 */
LAW_FN uint32_t law_congestion_admitted(const rocecc_congestion_config *c,
                                        const rocecc_congestion_point *s,
                                        const rocecc_congestion_point *was,
                                        const rocecc_congestion_event *e,
                                        const rocecc_packet *p, unsigned reason,
                                        law_congestion_tokens *left)
{
    const bool sent = reason == ROCECC_CONGESTION_SENT;
    uint64_t counted = 0;
    int i;
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        counted += s->admission.count[i] - was->admission.count[i];
    LAW(s->admission.count[ROCECC_ADMISSION_ADMITTED] ==
        was->admission.count[ROCECC_ADMISSION_ADMITTED] + (sent ? 1 : 0));
    LAW(counted == (sent || reason == ROCECC_CONGESTION_RATE_LIMITED ? 1 : 0));
    LAW(counted == 1 || s->admission.shared.level_e9 == was->admission.shared.level_e9);
    LAW(counted == 0 || law_congestion_take(c, e, p, left) == sent);
    return LAW_START;
}

/* Checks one packet at a queue. */
LAW_FN uint32_t law_congestion_step(const rocecc_congestion_config *c,
                                    rocecc_congestion_point *s, const rocecc_packet *p,
                                    const rocecc_congestion_event *e, size_t room,
                                    law_congestion_tokens *left)
{
    const rocecc_cnpgate *gate = e->gate;
    LAW_ROOM(out, LAW_CONGESTION_OUT_BYTES);
    rocecc_writer w = law_writer(out, rocecc_min(room, LAW_CONGESTION_OUT_BYTES));
    const rocecc_congestion_point was = *s;
    const rocecc_cnpgate before = *gate;
    const bool fast = law_congestion_is_fast(c, e, p);
    const rocecc_congestion_result a = rocecc_congestion_point_step(c, s, p, e, &w);
    unsigned i;
    law_congestion_seen[a.reason]++;
    LAW(a.outputs == law_congestion_outputs(c, e, fast, a.reason));
    LAW(law_congestion_reason(c, e, fast, p, a.reason) != LAW_BROKEN);
    LAW((a.reason == ROCECC_CONGESTION_SENT) == (law_wrote(&w) != 0));
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        LAW(s->count[i] == was.count[i] + (i == a.reason));
    LAW(law_congestion_admitted(c, s, &was, e, p, a.reason, left) != LAW_BROKEN);
    if (a.reason != ROCECC_CONGESTION_SENT) {
        LAW(gate->last_ns == before.last_ns && gate->sent == before.sent);
        return law_mix(LAW_START, a.reason);
    }
    LAW(gate->sent == 1 && gate->last_ns == (uint32_t)e->admission.now_ns);
    LAW(law_congestion_packet(c, e, p, a.outputs, law_written(&w)) != LAW_BROKEN);
    return law_mix_bytes(LAW_START, law_written(&w), LAW_CONGESTION_OUT_BYTES);
}

/*
 * Reads a configuration, a well-formed frame and any faults in it from the first bytes.
 * Then checks LAW_CONGESTION_STEPS steps.
 */
LAW_FN uint32_t law_congestion_point(rocecc_reader r)
{
    uint32_t digest = law_congestion_init(r), passed = 0;
    rocecc_domain d;
    rocecc_congestion_config c = law_congestion_of(&r, &d);
    LAW_ROOM(bytes, LAW_CONGESTION_BYTES);
    const uint8_t what = law_u8(&r);
    const uint8_t how = law_u8(&r);
    const uint8_t mends = law_u8(&r);
    const uint32_t listing = law_u32(&r);
    law_congestion_lists lists;
    law_congestion_tokens left;
    size_t n = law_congestion_frame(
        bytes, (what & 31u) | ((how & 7) == 1 ? LAW_CONGESTION_CNP : 0) |
                   ((how & 7) == 2 ? LAW_CONGESTION_CNM : 0));
    rocecc_reader frame = law_reader(bytes, n);
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_packet p;
    const uint32_t burst = c.admission.source.burst;
    uint64_t now_ns = 0, dt_ns;
    unsigned i, k;
    law_congestion_list(&lists, listing);
    if (rocecc_congestion_point_init(&c, &d, &lists.acls[0]) !=
        ROCECC_CONGESTION_ACCEPTED)
        return digest;
    for (i = 0; i < 2; i++)
        LAW((rocecc_congestion_policy_init(&lists.policies[i]) ==
             ROCECC_CONGESTION_ACCEPTED) == (lists.policies[i].n <= 8));
    if ((what & LAW_CONGESTION_ETHER) != 0) d.link = ROCECC_LINK_ETHER;
    for (i = 0; i < (mends & mends >> 2 & 3u); i++) {
        const uint8_t at = law_u8(&r);
        bytes[at] = law_u8(&r);
    }
    if (how >> 6 == 2) /* the outermost source or destination of IPv6 */
        bytes[(d.link == ROCECC_LINK_IP ? 8u : 22u) + (how >> 1 & 16u)] = 0xff;
    if (how >> 6 == 3) frame.end = frame.at + (size_t)rocecc_min(law_u8(&r), n);
    (void)rocecc_packet_parse(&d, frame, &p);
    s = rocecc_congestion_point_start(&c, now_ns);
    for (i = 0; i < LAW_CONGESTION_SOURCES; i++) {
        lists.sources[i] = rocecc_admission_source_start(&c.admission, now_ns);
        left.source_e9[i] = c.admission.source.burst * UINT64_C(1000000000);
    }
    left.shared_e9 = c.admission.shared.burst * UINT64_C(1000000000);
    gate = rocecc_cnpgate_start(&c.gate);
    for (i = 0; i < LAW_CONGESTION_STEPS; i++) {
        const uint64_t draw = law_u64(&r);
        const uint64_t more = law_u64(&r);
        rocecc_congestion_event e = law_congestion_event(draw, more, &lists);
        const size_t room = more >> 50 & 1 ? SIZE_MAX : more >> 51 & 0xff;
        dt_ns = law_load_any32(bytes + (more >> 59)) & (draw >> 36 & 0xffffff);
        now_ns += dt_ns;
        for (k = 0; k < LAW_CONGESTION_SOURCES; k++)
            law_admission_fill(&left.source_e9[k], dt_ns, &c.admission.source);
        law_admission_fill(&left.shared_e9, dt_ns, &c.admission.shared);
        e.admission.now_ns = now_ns;
        e.gate = &gate;
        digest = law_mix(digest, law_congestion_step(&c, &s, &p, &e, room, &left));
        passed = (uint32_t)s.count[ROCECC_CONGESTION_SENT];
        LAW(c.admission.unlimited ||
            (passed < burst + 1 || (passed - burst) * ROCECC_TOKENBUCKET_ONE_E9 <=
                                       now_ns * c.admission.source.rate_per_s));
        LAW(c.gate.interval_ns == 0 || passed <= 1 + now_ns / c.gate.interval_ns);
    }
    return digest;
}
#endif

#endif /* TESTS_LAW_CONGESTION_POINT_H */
