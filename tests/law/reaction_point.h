/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_REACTION_POINT_H
#define TESTS_LAW_REACTION_POINT_H

#include "cnp.h"
#include "draw.h"
#include "fastcnp.h"
#include "role.h"
#include "rocecc/role/reaction_point.h"

/*
 * A run: LAW_REACTION_BYTES of choices, then a packet from its IP header on, or the
 * mends of one that role.h makes.
 *
 *   0  enabled, check_icrc, unlimited, short_cnp, rd, tunnels, peer (2)
 *   1  the layout of the option, as in law_fastcnp_config()
 *   2  the list: how many of its entries, and what the first two permit
 *   3  burst (3), what the bucket has (1)
 *   4  the rule of the ICRC (3)
 *   5  the packet: 0 what follows, else one of role.h (on a host alone)
 *   6  the time, in units of 100 us
 */
#define LAW_REACTION_BYTES 8
#define LAW_REACTION_ENTRIES 2

typedef struct law_reaction {
    rocecc_reaction_config config;
    rocecc_domain domain;
    rocecc_reaction_peer peer;
    uint64_t now_ns;
    uint8_t entries; /* and what they permit */
    uint8_t level;   /* tokens */
    uint8_t made;
} law_reaction;

LAW_FN bool law_reaction_read(rocecc_reader *r, law_reaction *law)
{
    const rocecc_domain none = {.link = ROCECC_LINK_IP};
    const uint8_t *b = rocecc_take(r, LAW_REACTION_BYTES);
    if (b == NULL) return false;
    law->domain = none;
    law->config.fastcnp_enabled = b[0] & 1;
    law->config.check_icrc = b[0] >> 1 & 1;
    law->config.unlimited = b[0] >> 2 & 1;
    law->domain.roce.short_cnp = b[0] >> 3 & 1;
    law->domain.roce.rd = b[0] >> 4 & 1;
    law->config.tunnels = b[0] >> 5 & 1;
    law->peer = (rocecc_reaction_peer)((b[0] >> 6) % 3);
    law->domain.fastcnp = law_fastcnp_config(b[1]);
    law->entries = b[2];
    law->config.limit.rate_per_s = 1000;
    law->config.limit.burst = 1 + (b[3] & 7u);
    law->config.limit.full_ns = law->config.limit.burst * 1000000u;
    law->config.source_limit.rate_per_s = 0;
    law->config.source_limit.full_ns = law->config.source_limit.burst = 0;
    law->config.ordinary_limit = law->config.source_limit;
    law->config.ordinary_listed = b[1] >> 6 & b[1] >> 7 & 1;
    law->level = b[3] >> 3 & 7;
    law->now_ns = b[6] * (uint64_t)100000;
    law->config.icrc_rule = (rocecc_icrc_rule)((b[4] & 7) % 6);
    law->made = b[5];
    return true;
}

/* 2001:db8:ffff::/48, within it ::1 alone; sorted and linked. */
LAW_FN rocecc_acl law_reaction_acl(const law_reaction *law, rocecc_acl_entry *e)
{
    rocecc_acl acl = {NULL, 0, 0};
    int i;
    for (i = 0; i < LAW_REACTION_ENTRIES; i++) {
        const rocecc_ip6 net = {
            {0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
        e[i].prefix = net;
        e[i].prefix.b[15] = (uint8_t)i;
        e[i].length = i == 0 ? 48 : 128;
        e[i].permit = law->entries >> i & 1;
        e[i].tag = 7u + (unsigned)i;
        e[i].parent = i == 0 ? ROCECC_ACL_NONE : 0;
    }
    acl.entries = e;
    acl.n = (law->entries >> 2 & 3u) % 3;
    acl.half = acl.n < 2 ? 1 : 2;
    return acl;
}

/* A bucket with so many tokens, at most burst, and counters that are not 0. */
LAW_FN rocecc_reaction_point law_reaction_start(const law_reaction *law)
{
    rocecc_reaction_point s = rocecc_reaction_point_start(&law->config, 0);
    const uint64_t level_e9 = law->level * ROCECC_TOKENBUCKET_ONE_E9;
    if (level_e9 < s.bucket.level_e9) s.bucket.level_e9 = level_e9;
    return s;
}

LAW_FN uint32_t law_reaction_digest(const rocecc_reaction_point *s,
                                    const rocecc_reaction_result *out)
{
    uint32_t digest = law_mix(LAW_START, out->verdict);
    int i;
    digest = law_mix(digest, (uint64_t)out->tag << 1 | (out->listed ? 1u : 0u));
    digest = law_mix_address(digest, out->key.remote.b, 16);
    digest = law_mix(digest, out->key.remote_qp);
    digest = law_mix_address(digest, out->cnp.src.b, 16);
    digest = law_mix(digest, out->cnp.dest_qp);
    digest = law_mix(digest, out->option.kind);
    digest = law_mix_address(digest, out->option.flow_dst.b, 16);
    digest = law_mix(digest, out->option.at);
    digest = law_mix(digest, out->option.trace_bytes);
    digest = law_mix(digest, s->bucket.level_e9);
    digest = law_mix(digest, s->bucket.last_ns);
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        digest = law_mix(digest, s->count[i]);
    return digest;
}

/*
 * admit() alone, as BPF can load it: without an ICRC, by a list of two. What find()
 * may have written is drawn, and no packet is looked at.
 */
LAW_FN uint32_t law_reaction_admit(rocecc_reader r)
{
    rocecc_acl_entry entries[LAW_REACTION_ENTRIES];
    const rocecc_reaction_result none = {0};
    LAW_KEPT rocecc_reaction_result out;
    LAW_KEPT law_reaction law;
    LAW_KEPT rocecc_reaction_point s;
    rocecc_acl access;
    rocecc_packet p;
    rocecc_reaction_event e;
    LAW_KEPT rocecc_reaction_config checked;
    rocecc_reaction_refusal refusal;
    const uint8_t *b;
    if (!law_reaction_read(&r, &law)) return LAW_START;
    b = rocecc_take(&r, 16);
    if (b == NULL) return LAW_START;
    access = law_reaction_acl(&law, entries);
    access.n = access.half = 2;
    checked = law.config;
    refusal = rocecc_reaction_point_init(&checked, &law.domain, &access);
    law.config.check_icrc = false;
    s = law_reaction_start(&law);
    out = none;
    out.verdict = b[0] % 18;
    out.cnp.src = entries[1].prefix; /* the entry's, or not quite */
    out.cnp.src.b[b[1] & 15] = b[2] & 1 ? b[3] : out.cnp.src.b[b[1] & 15];
    out.cnp.dest_qp = rocecc_load32(b + 4) >> 8;
    out.option.flow_dst = rocecc_ip6_load(b);
    rocecc_headers_clear(&p.headers);
    p.bytes = r;
    p.domain = &law.domain;
    e.now_ns = law.now_ns;
    e.access = &access;
    e.peer = law.peer;
    e.sources = NULL;
    e.n_sources = 0;
    rocecc_reaction_point_admit(&law.config, &s, &p, &e, &out);
    return law_mix(law_reaction_digest(&s, &out), refusal);
}

#if !defined(__bpf__)
/* The list, one entry after the other: the longer one decides. */
LAW_FN bool law_reaction_permits(const law_reaction *law, const rocecc_ip6 *a)
{
    const unsigned n = (law->entries >> 2 & 3u) % 3;
    const rocecc_ip6 net = {
        {0x20, 0x01, 0x0d, 0xb8, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    int same = 0;
    while (same < 16 && a->b[same] == net.b[same])
        same++;
    if (n == 2 && same == 16) return (law->entries & 2) != 0;
    return n > 0 && same >= 6 && (law->entries & 1) != 0;
}

/* A Hop-by-Hop header of n bytes: what its options say of a packet, byte by byte. */
static rocecc_reaction_verdict law_reaction_options(const uint8_t *b, size_t n)
{
    size_t at = 2, pad = 0, options = 0;
    while (at < n) {
        const size_t bytes = b[at] == 0 ? 1 : at + 1 < n ? 2u + b[at + 1] : n;
        const bool is_pad = b[at] < 2;
        size_t i;
        if (is_pad && at + bytes <= n && pad + bytes > 7)
            return ROCECC_REACTION_UNSUPPORTED;
        if (at + bytes > n) return ROCECC_REACTION_MALFORMED;
        if (!is_pad && options == 8) return ROCECC_REACTION_UNSUPPORTED;
        for (i = 2; is_pad && i < bytes; i++)
            if (b[at + i] != 0) return ROCECC_REACTION_MALFORMED;
        if (!is_pad && b[at] >> 6 != 0) return ROCECC_REACTION_UNSUPPORTED;
        pad = is_pad ? pad + bytes : 0;
        options += is_pad ? 0 : 1;
        at += bytes;
    }
    return ROCECC_REACTION_ORDINARY;
}

/* Whether an IP header lets this host take the packet, from its bytes alone. */
static rocecc_reaction_verdict law_reaction_ip(const uint8_t *b,
                                               const rocecc_headers_ip *ip)
{
    const uint8_t *dst = b + ip->offset + (ip->version == 4 ? 16 : 24);
    unsigned type = b[ip->offset + 6], i, n = 0;
    size_t at = ip->offset + 40u;
    if (ip->version == 0) return ROCECC_REACTION_ORDINARY;
    if (ip->version == 4)
        return dst[0] == 0 || dst[0] == 127 || dst[0] > 223
                   ? ROCECC_REACTION_BAD_DESTINATION
                   : ROCECC_REACTION_ORDINARY;
    for (i = 0; i < 15; i++)
        n |= dst[i];
    if (dst[0] == 0xff || (n == 0 && dst[15] < 2))
        return ROCECC_REACTION_BAD_DESTINATION;
    for (i = 0, n = 0; i < 10; i++)
        n |= dst[i];
    if (n == 0 && dst[10] == 0xff && dst[11] == 0xff)
        return ROCECC_REACTION_BAD_DESTINATION;
    if (ip->upper - ip->offset > 40 + 640) return ROCECC_REACTION_UNSUPPORTED;
    for (i = 0; at < ip->upper; i++) {
        const size_t bytes = type == 44   ? 8
                             : type == 51 ? 4u * (b[at + 1] + 2u)
                                          : 8u * (b[at + 1] + 1u);
        if (type == 0 && i != 0) return ROCECC_REACTION_MALFORMED;
        if (type == 0) {
            const rocecc_reaction_verdict of = law_reaction_options(b + at, bytes);
            if (of != ROCECC_REACTION_ORDINARY) return of;
        }
        if (type == 43 && b[at + 3] != 0) return ROCECC_REACTION_SEGMENTS_LEFT;
        type = b[at];
        at += bytes;
    }
    return ROCECC_REACTION_ORDINARY;
}

static rocecc_reaction_verdict law_reaction_mine(const law_reaction *law,
                                                 const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    rocecc_reaction_verdict outer;
    if (f->outer.version != 0 && !law->config.tunnels)
        return ROCECC_REACTION_UNEXPECTED_TUNNEL;
    outer = law_reaction_ip(p->bytes.base, &f->outer);
    return outer != ROCECC_REACTION_ORDINARY ? outer
                                             : law_reaction_ip(p->bytes.base, &f->ip);
}

/* Every check by itself, and the first that fails is the verdict. */
LAW_FN rocecc_reaction_verdict law_reaction_verdict(const law_reaction *law,
                                                    const rocecc_packet *p,
                                                    uint64_t level_e9)
{
    const rocecc_reaction_config *c = &law->config;
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_fastcnp h;
    rocecc_icrc icrc = {0, 0, false, ROCECC_ICRC_AUTO};
    const rocecc_ip6 none = cnp.src, *src = &cnp.src;
    const rocecc_status option = rocecc_fastcnp_find(p, &h);
    const rocecc_status cnp_is = rocecc_cnp_parse(p, &cnp);
    const rocecc_status verified = rocecc_icrc_verify(c->icrc_rule, p, &icrc);
    const rocecc_status bad =
        option != ROCECC_OK && option != ROCECC_NO_MATCH ? option : cnp_is;
    const bool fast = option == ROCECC_OK;
    const bool forged = c->check_icrc && (verified != ROCECC_OK || !icrc.ok);
    bool local = src->b[15] < 2;
    int i;
    for (i = 0; i < 15; i++)
        local = local && src->b[i] == none.b[i];
    if (p->headers.partial != ROCECC_PARTIAL_NONE) return ROCECC_REACTION_NOT_A_CNP;
    if (cnp_is == ROCECC_NO_MATCH)
        return c->fastcnp_enabled && fast && p->headers.partial == ROCECC_PARTIAL_NONE
                   ? ROCECC_REACTION_UNEXPECTED_OPCODE
                   : ROCECC_REACTION_NOT_A_CNP;
    if (law_reaction_mine(law, p) != ROCECC_REACTION_ORDINARY)
        return law_reaction_mine(law, p);
    if (option != ROCECC_NO_MATCH && !c->fastcnp_enabled)
        return ROCECC_REACTION_DISABLED;
    if (bad != ROCECC_OK)
        return bad == ROCECC_ERR_UNSUPPORTED ? ROCECC_REACTION_UNSUPPORTED
                                             : ROCECC_REACTION_MALFORMED;
    if (fast && memcmp(src->b, h.flow_dst.b, 16) == 0)
        return ROCECC_REACTION_SOURCE_IS_RECEIVER;
    if (fast && (local || src->b[0] == 0xff || rocecc_ip6_is_ip4(src)))
        return ROCECC_REACTION_BAD_SOURCE;
    if (law->peer == (fast ? ROCECC_REACTION_PEER_YES : ROCECC_REACTION_PEER_NO))
        return ROCECC_REACTION_SUSPICIOUS;
    if ((fast || c->ordinary_listed) && !law_reaction_permits(law, src))
        return ROCECC_REACTION_ACCESS_DENIED;
    if (forged) return ROCECC_REACTION_BAD_ICRC;
    if (!fast) return ROCECC_REACTION_ORDINARY;
    level_e9 += law->now_ns * c->limit.rate_per_s;
    if (!c->unlimited && level_e9 < ROCECC_TOKENBUCKET_ONE_E9)
        return ROCECC_REACTION_RATE_LIMITED;
    return h.kind == ROCECC_FASTCNP_PLAIN ? ROCECC_REACTION_FAST_PLAIN
                                          : ROCECC_REACTION_FAST_IOAM;
}

/* One verdict, one counter; a token for what passed, and none for all the rest. */
LAW_FN uint32_t law_reaction_frame(const law_reaction *law, rocecc_reader r)
{
    rocecc_acl_entry entries[LAW_REACTION_ENTRIES];
    const rocecc_acl access = law_reaction_acl(law, entries);
    const rocecc_reaction_point was = law_reaction_start(law);
    rocecc_reaction_point s = was;
    rocecc_reaction_result out;
    rocecc_reaction_verdict should;
    rocecc_packet p;
    const rocecc_reaction_event e = {law->now_ns, &access, law->peer, NULL, 0};
    bool passed;
    int i;
    if (rocecc_packet_parse(&law->domain, r, &p) != ROCECC_OK) return LAW_START;
    rocecc_reaction_point_step(&law->config, &s, &p, &e, &out);
    should = law_reaction_verdict(law, &p, was.bucket.level_e9);
    passed =
        should == ROCECC_REACTION_FAST_PLAIN || should == ROCECC_REACTION_FAST_IOAM;
    LAW(out.verdict == should);
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        LAW(s.count[i] == was.count[i] + (i == (int)should ? 1u : 0u));
    if (law->config.unlimited || (!passed && should != ROCECC_REACTION_RATE_LIMITED)) {
        LAW(s.bucket.level_e9 == was.bucket.level_e9);
        LAW(s.bucket.last_ns == was.bucket.last_ns);
    } else {
        LAW(passed || s.bucket.level_e9 >= was.bucket.level_e9);
        LAW(s.bucket.last_ns == law->now_ns);
    }
    LAW(out.key.remote_qp ==
        (passed ? rocecc_load32(r.base + p.headers.bth + 4) & 0xffffff : 0));
    for (i = 0; i < 16; i++)
        LAW(out.key.remote.b[i] == (passed ? out.option.flow_dst.b[i] : 0));
    LAW(out.option.trace_bytes != 0 || out.option.trace_at == 0);
    LAW_AT(out.option.at, r.at);
    return law_reaction_digest(&s, &out);
}

LAW_FN uint32_t law_reaction_point(rocecc_reader r)
{
    LAW_ROOM(made, LAW_ROLE_BYTES);
    law_reaction law;
    LAW(law_reaction_admit(r) != LAW_BROKEN);
    if (!law_reaction_read(&r, &law)) return LAW_START;
    if (law.made != 0) r = law_role_packet(law.made, r, made);
    return law_reaction_frame(&law, r);
}
#endif

#endif /* TESTS_LAW_REACTION_POINT_H */
