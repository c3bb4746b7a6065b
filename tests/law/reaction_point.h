/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_REACTION_POINT_H
#define TESTS_LAW_REACTION_POINT_H

#include "arrival.h"
#include "cnp.h"
#include "draw.h"
#include "fastcnp.h"
#include "role.h"
#include "rocecc/role/reaction_point.h"

/*
 * A run has LAW_REACTION_BYTES bytes of choices, then a packet from its IP header on,
 * or the patches of a packet of role.h.
 *
 *   0  enabled, check_icrc, unlimited, short_cnp, rd, tunnels, peer (2)
 *   1  layout of the option, for law_fastcnp_config(); both upper bits: ordinary_listed
 *   2  the list: permissions of both entries (2), number of entries (2); sources with
 *      buckets (2)
 *   3  burst (3), misbehaving sources (1); of a made packet, a UDP checksum (1), and a
 *      right one (1); ignore_udp_checksum (2, all set)
 *   4  ICRC rule (3)
 *   5  0 if a packet follows, else a template of role.h (only on a host)
 *   6  time, in units of 100 us
 *   7  tokens of the source, admitted (2) and verified (2), and shared tokens (3)
 */
#define LAW_REACTION_BYTES 8
#define LAW_REACTION_ENTRIES 2

typedef struct law_reaction {
    rocecc_reaction_config config;
    rocecc_domain domain;
    rocecc_reaction_peer peer;
    uint64_t now_ns;
    uint8_t entries;                    /* number and permissions */
    uint8_t sources;                    /* number with buckets */
    uint8_t admitted, verified, shared; /* tokens */
    uint8_t made;
    bool summed, right;
} law_reaction;

/* Returns limits of 1000 per second and source, as prepared by init(). */
LAW_FN rocecc_admission_params law_reaction_admission(uint16_t misbehaving,
                                                      uint32_t burst)
{
    rocecc_admission_params p = rocecc_admission_for(misbehaving, 1000);
    p.source.burst = burst;
    p.verify.burst = 4 * burst;
    p.shared.burst = (misbehaving + 1u) * burst;
    p.source.full_ns = p.verify.full_ns = p.shared.full_ns = burst * 1000000u;
    return p;
}

LAW_FN bool law_reaction_read(rocecc_reader *r, law_reaction *law)
{
    const rocecc_domain none = {.link = ROCECC_LINK_IP};
    const uint8_t *b = rocecc_take(r, LAW_REACTION_BYTES);
    if (b == NULL) return false;
    law->domain = none;
    law->config.fastcnp_enabled = b[0] & 1;
    law->config.check_icrc = b[0] >> 1 & 1;
    law->domain.roce.short_cnp = b[0] >> 3 & 1;
    law->domain.roce.rd = b[0] >> 4 & 1;
    law->config.tunnels = b[0] >> 5 & 1;
    law->peer = (rocecc_reaction_peer)((b[0] >> 6) % 3);
    law->domain.fastcnp = law_fastcnp_config(b[1]);
    law->entries = b[2];
    law->sources = (b[2] >> 4 & 3) % 3;
    law->config.admission =
        law_reaction_admission(1 + (b[3] >> 3 & 1), 1 + (b[3] & 7u));
    law->config.admission.unlimited = b[0] >> 2 & 1;
    law->config.ordinary_listed = b[1] >> 6 & b[1] >> 7 & 1;
    law->summed = b[3] >> 4 & 1;
    law->right = b[3] >> 5 & 1;
    law->config.ignore_udp_checksum = (b[3] >> 6 & 3) == 3;
    law->admitted = b[7] & 3;
    law->verified = b[7] >> 2 & 3;
    law->shared = b[7] >> 4 & 7;
    law->now_ns = b[6] * (uint64_t)100000;
    law->config.icrc_rule = (rocecc_icrc_rule)((b[4] & 7) % 6);
    law->made = b[5];
    return true;
}

/* Returns a sorted and linked list of 2001:db8:ffff::/48 and 2001:db8:ffff::1/128. */
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
        e[i].tag = (unsigned)i;
        e[i].parent = i == 0 ? ROCECC_ACL_NONE : 0;
    }
    acl.entries = e;
    acl.n = (law->entries >> 2 & 3u) % 3;
    acl.half = acl.n < 2 ? 1 : 2;
    return acl;
}

/* Leaves at most this many tokens in a bucket. */
LAW_FN void law_reaction_leave(rocecc_tokenbucket *bucket, uint8_t tokens)
{
    const uint64_t level_e9 = tokens * ROCECC_TOKENBUCKET_ONE_E9;
    if (level_e9 < bucket->level_e9) bucket->level_e9 = level_e9;
}

LAW_FN rocecc_reaction_point law_reaction_start(const law_reaction *law)
{
    rocecc_reaction_point s = rocecc_reaction_point_start(&law->config, 0);
    law_reaction_leave(&s.admission.shared, law->shared);
    return s;
}

LAW_FN rocecc_admission_source law_reaction_source(const law_reaction *law)
{
    rocecc_admission_source s =
        rocecc_admission_source_start(&law->config.admission, 0);
    law_reaction_leave(&s.admitted, law->admitted);
    law_reaction_leave(&s.verified, law->verified);
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
    digest = law_mix(digest, out->arrival * 16u + out->admission);
    digest = law_mix(digest, out->icmp.type * 256u + out->icmp.code);
    digest = law_mix(digest, out->icmp.value);
    digest = law_mix(digest, out->option.kind);
    digest = law_mix_address(digest, out->option.flow_dst.b, 16);
    digest = law_mix(digest, out->option.at);
    digest = law_mix(digest, out->option.trace_bytes);
    digest = law_mix(digest, s->admission.shared.level_e9);
    digest = law_mix(digest, s->admission.shared.last_ns);
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        digest = law_mix(digest, s->count[i]);
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        digest = law_mix(digest, s->admission.count[i]);
    return digest;
}

/*
 * Runs admit() alone, as BPF can load it, without an ICRC and with a list of two. The
 * result of find() is drawn, and no packet is read.
 */
LAW_FN uint32_t law_reaction_admit(rocecc_reader r)
{
    LAW_KEPT rocecc_acl_entry entries[LAW_REACTION_ENTRIES];
    static const rocecc_reaction_result none;
    LAW_KEPT rocecc_reaction_result out;
    LAW_KEPT law_reaction law;
    LAW_KEPT rocecc_reaction_point s;
    LAW_KEPT rocecc_admission_source sources[LAW_REACTION_ENTRIES];
    rocecc_acl access;
    rocecc_packet p;
    rocecc_reaction_event e;
    LAW_KEPT rocecc_reaction_config checked;
    rocecc_reaction_refusal refusal;
    const uint8_t *b;
    size_t n_sources;
    if (!law_reaction_read(&r, &law)) return LAW_START;
    b = rocecc_take(&r, 16);
    if (b == NULL) return LAW_START;
    n_sources = law.sources;
    ROCECC_BPF_KEEP_(n_sources);
    if (n_sources > LAW_REACTION_ENTRIES) return LAW_START; /* for the verifier */
    access = law_reaction_acl(&law, entries);
    access.n = access.half = 2;
    checked = law.config;
    refusal = rocecc_reaction_point_init(&checked, &law.domain, &access);
    law.config.check_icrc = false;
    s = law_reaction_start(&law);
    sources[0] = sources[1] = law_reaction_source(&law);
    out = none;
    out.verdict = b[0] % (ROCECC_REACTION_VERDICTS + 1);
    out.cnp.src = entries[1].prefix; /* the entry's address; one byte may differ */
    out.cnp.src.b[b[1] & 15] = b[2] & 1 ? b[3] : out.cnp.src.b[b[1] & 15];
    out.cnp.dest_qp = rocecc_load32(b + 4) >> 8;
    out.option.flow_dst = rocecc_ip6_load(b);
    rocecc_headers_clear(&p.headers);
    p.bytes = r;
    p.domain = &law.domain;
    e.admission.now_ns = law.now_ns;
    e.admission.list = &access;
    e.admission.index = NULL;
    e.admission.sources = sources;
    e.admission.n_sources = (uint32_t)n_sources;
    e.peer = law.peer;
    rocecc_reaction_point_admit(&law.config, &s, &p, &e, &out);
    return law_mix(law_mix(law_reaction_digest(&s, &out), refusal),
                   sources[1].verified.level_e9);
}

#if !defined(__bpf__)
/* Returns the tag of the longest matching entry, or -1 if the source is denied. */
LAW_FN int law_reaction_tag(const law_reaction *law, const rocecc_ip6 *a)
{
    const unsigned n = (law->entries >> 2 & 3u) % 3;
    const rocecc_ip6 net = {
        {0x20, 0x01, 0x0d, 0xb8, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    int same = 0;
    while (same < 16 && a->b[same] == net.b[same])
        same++;
    if (n == 2 && same == 16) return (law->entries & 2) != 0 ? 1 : -1;
    return n > 0 && same >= 6 && (law->entries & 1) != 0 ? 0 : -1;
}

/*
 * Returns the RFC 768 sum over UDP, from byte `udp` to n, and the pseudo-header of the
 * IP header at b. 0xffff is right.
 */
LAW_FN uint32_t law_udp_sum(const uint8_t *b, bool six, size_t udp, size_t n)
{
    uint32_t sum = 17 + (uint32_t)(n - udp);
    size_t i;
    for (i = six ? 8 : 12; i < (six ? 40u : 20u); i++)
        sum += (uint32_t)b[i] << (i % 2 == 0 ? 8 : 0);
    for (i = udp; i < n; i++)
        sum += (uint32_t)b[i] << ((i - udp) % 2 == 0 ? 8 : 0);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

/* Returns true if the UDP checksum is right, missing or ignored. */
LAW_FN bool law_reaction_sum_ok(const law_reaction *law, const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const uint8_t *udp = p->bytes.base + f->udp;
    if (law->config.ignore_udp_checksum || (udp[6] | udp[7]) == 0) return true;
    return law_udp_sum(p->bytes.base + f->ip.offset, f->ip.version == 6,
                       (size_t)(f->udp - f->ip.offset),
                       (size_t)(f->udp - f->ip.offset) + udp[4] * 256u + udp[5]) ==
           0xffff;
}

/*
 * Returns ORDINARY if the packet may end at this host by this IP header. An unknown
 * Fast CNP option gives DISABLED, but not in a leading Hop-by-Hop header.
 */
static rocecc_reaction_verdict
law_reaction_ip(const rocecc_packet *p, const rocecc_headers_ip *ip, bool fastcnp)
{
    const rocecc_arrival_config host = {.fastcnp = fastcnp};
    const uint8_t *b = p->bytes.base + ip->offset;
    const rocecc_fastcnp_config *types = &p->domain->fastcnp;
    law_arrival a;
    if (ip->version == 0) return ROCECC_REACTION_ORDINARY;
    a = law_arrival_model(&host, p, ip);
    if (a.verdict == ROCECC_ARRIVAL_UNKNOWN_OPTION && a.type != 0 &&
        ip == &p->headers.ip && !(b[6] == 0 && a.pointer < 40 + 8 * (b[41] + 1u)) &&
        (b[a.pointer] == types->type_plain || b[a.pointer] == types->type_ioam))
        return ROCECC_REACTION_DISABLED;
    if (a.verdict != ROCECC_ARRIVAL_OK) return ROCECC_REACTION_BAD_ARRIVAL;
    return ip->upper - ip->offset > 40 + 640 ? ROCECC_REACTION_UNSUPPORTED
                                             : ROCECC_REACTION_ORDINARY;
}

static rocecc_reaction_verdict law_reaction_arrives(const law_reaction *law,
                                                    const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    rocecc_reaction_verdict outer;
    if (f->outer.version != 0 && !law->config.tunnels)
        return ROCECC_REACTION_UNEXPECTED_TUNNEL;
    outer = law_reaction_ip(p, &f->outer, false);
    return outer != ROCECC_REACTION_ORDINARY
               ? outer
               : law_reaction_ip(p, &f->ip, law->config.fastcnp_enabled);
}

/* Tokens in the source's buckets and in the shared bucket. */
typedef struct law_tokens {
    uint64_t admitted_e9, verified_e9, shared_e9;
} law_tokens;

LAW_FN uint64_t law_reaction_filled(const rocecc_tokenbucket *bucket,
                                    const rocecc_tokenbucket_params *p, uint64_t now_ns)
{
    const uint64_t level_e9 =
        bucket->level_e9 + (now_ns - bucket->last_ns) * p->rate_per_s;
    const uint64_t full_e9 = p->burst * UINT64_C(1000000000);
    return level_e9 < full_e9 ? level_e9 : full_e9;
}

LAW_FN law_tokens law_reaction_tokens(const rocecc_admission_params *p,
                                      const rocecc_admission *s,
                                      const rocecc_admission_source *source,
                                      uint64_t now_ns)
{
    law_tokens t;
    t.shared_e9 = law_reaction_filled(&s->shared, &p->shared, now_ns);
    t.admitted_e9 = law_reaction_filled(&source->admitted, &p->source, now_ns);
    t.verified_e9 = law_reaction_filled(&source->verified, &p->verify, now_ns);
    return t;
}

/* Takes a token, or returns false. */
LAW_FN bool law_reaction_take(uint64_t *level_e9)
{
    if (*level_e9 < UINT64_C(1000000000)) return false;
    *level_e9 -= UINT64_C(1000000000);
    return true;
}

/*
 * Models the limiter around the checksum checks. Returns `good`, or the reason against
 * it. *t has the remaining tokens.
 */
LAW_FN rocecc_reaction_verdict law_reaction_limited(const law_reaction *law,
                                                    const rocecc_ip6 *src,
                                                    rocecc_reaction_verdict integrity,
                                                    rocecc_reaction_verdict good,
                                                    law_tokens *t)
{
    const bool ok = integrity == ROCECC_REACTION_ORDINARY;
    const int tag = law_reaction_tag(law, src);
    if (tag < 0) return ROCECC_REACTION_ACCESS_DENIED;
    if (law->config.admission.unlimited) return ok ? good : integrity;
    if (tag >= law->sources || t->admitted_e9 < UINT64_C(1000000000) ||
        !law_reaction_take(&t->verified_e9))
        return ROCECC_REACTION_RATE_LIMITED;
    if (!ok) return integrity;
    (void)law_reaction_take(&t->admitted_e9);
    return law_reaction_take(&t->shared_e9) ? good : ROCECC_REACTION_RATE_LIMITED;
}

/* Returns the expected verdict. The first failed check decides. */
LAW_FN rocecc_reaction_verdict law_reaction_verdict(const law_reaction *law,
                                                    const rocecc_packet *p,
                                                    law_tokens *t)
{
    const rocecc_reaction_config *c = &law->config;
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_fastcnp h;
    rocecc_icrc icrc = {0, 0, false, ROCECC_ICRC_AUTO};
    const rocecc_ip6 *src = &cnp.src;
    const rocecc_status option = rocecc_fastcnp_find(p, &h);
    const rocecc_status cnp_is = rocecc_cnp_parse(p, &cnp);
    const rocecc_status verified = rocecc_icrc_verify(c->icrc_rule, p, &icrc);
    const rocecc_status bad =
        option != ROCECC_OK && option != ROCECC_NO_MATCH ? option : cnp_is;
    const bool fast = option == ROCECC_OK;
    rocecc_reaction_verdict integrity = ROCECC_REACTION_ORDINARY, good = integrity;
    if (p->headers.partial != ROCECC_PARTIAL_NONE) return ROCECC_REACTION_NOT_A_CNP;
    if (cnp_is == ROCECC_NO_MATCH)
        return c->fastcnp_enabled && fast && p->headers.partial == ROCECC_PARTIAL_NONE
                   ? ROCECC_REACTION_UNEXPECTED_OPCODE
                   : ROCECC_REACTION_NOT_A_CNP;
    if (law_reaction_arrives(law, p) != ROCECC_REACTION_ORDINARY)
        return law_reaction_arrives(law, p);
    if (option != ROCECC_NO_MATCH && !c->fastcnp_enabled)
        return ROCECC_REACTION_DISABLED;
    if (bad != ROCECC_OK)
        return bad == ROCECC_ERR_UNSUPPORTED ? ROCECC_REACTION_UNSUPPORTED
                                             : ROCECC_REACTION_MALFORMED;
    if (fast && law_arrival_scope(h.flow_dst.b, true) != LAW_HOST &&
        law_arrival_scope(h.flow_dst.b, true) != LAW_LINK)
        return ROCECC_REACTION_MALFORMED;
    if (fast && memcmp(src->b, h.flow_dst.b, 16) == 0)
        return ROCECC_REACTION_SOURCE_IS_RECEIVER;
    if (law->peer == (fast ? ROCECC_REACTION_PEER_YES : ROCECC_REACTION_PEER_NO))
        return ROCECC_REACTION_SUSPICIOUS;
    if (!law_reaction_sum_ok(law, p))
        integrity = ROCECC_REACTION_BAD_CHECKSUM;
    else if (c->check_icrc && (verified != ROCECC_OK || !icrc.ok))
        integrity = ROCECC_REACTION_BAD_ICRC;
    if (fast)
        good = h.kind == ROCECC_FASTCNP_PLAIN ? ROCECC_REACTION_FAST_PLAIN
                                              : ROCECC_REACTION_FAST_IOAM;
    return fast || c->ordinary_listed
               ? law_reaction_limited(law, src, integrity, good, t)
               : integrity;
}

/* Checks the verdict, its counter, and the tokens taken, against the model. */
LAW_FN uint32_t law_reaction_frame(const law_reaction *law, rocecc_reader r)
{
    const rocecc_admission_params *params = &law->config.admission;
    rocecc_acl_entry entries[LAW_REACTION_ENTRIES];
    const rocecc_acl access = law_reaction_acl(law, entries);
    const rocecc_reaction_point was = law_reaction_start(law);
    const rocecc_admission_source source_was = law_reaction_source(law);
    rocecc_admission_source sources[LAW_REACTION_ENTRIES] = {source_was, source_was};
    rocecc_reaction_point s = was;
    rocecc_reaction_result out;
    rocecc_reaction_verdict should;
    law_tokens t =
        law_reaction_tokens(params, &was.admission, &source_was, law->now_ns);
    const law_tokens t_was = t;
    rocecc_packet p;
    const rocecc_reaction_event e = {
        {law->now_ns, &access, NULL, sources, law->sources}, law->peer};
    bool passed;
    int i;
    if (rocecc_packet_parse(&law->domain, r, &p) != ROCECC_OK) return LAW_START;
    rocecc_reaction_point_step(&law->config, &s, &p, &e, &out);
    should = law_reaction_verdict(law, &p, &t);
    passed =
        should == ROCECC_REACTION_FAST_PLAIN || should == ROCECC_REACTION_FAST_IOAM;
    LAW(out.verdict == should);
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        LAW(s.count[i] == was.count[i] + (i == (int)should ? 1u : 0u));
    for (i = 0; i < LAW_REACTION_ENTRIES; i++) {
        const law_tokens now =
            law_reaction_tokens(params, &s.admission, &sources[i], law->now_ns);
        const bool its = out.listed && out.tag == (unsigned)i;
        LAW(now.shared_e9 == t.shared_e9);
        LAW(now.admitted_e9 == (its ? t.admitted_e9 : t_was.admitted_e9));
        LAW(now.verified_e9 == (its ? t.verified_e9 : t_was.verified_e9));
    }
    LAW((out.admission == ROCECC_ADMISSION_ADMITTED) !=
        (should == ROCECC_REACTION_ACCESS_DENIED ||
         should == ROCECC_REACTION_RATE_LIMITED));
    LAW(should == ROCECC_REACTION_DISABLED ||
        (out.arrival != ROCECC_ARRIVAL_OK) == (should == ROCECC_REACTION_BAD_ARRIVAL));
    LAW(out.key.remote_qp ==
        (passed ? rocecc_load32(r.base + p.headers.bth + 4) & 0xffffff : 0));
    for (i = 0; i < 16; i++)
        LAW(out.key.remote.b[i] == (passed ? out.option.flow_dst.b[i] : 0));
    LAW(out.option.trace_bytes != 0 || out.option.trace_at == 0);
    LAW_AT(out.option.at, r.at);
    return law_reaction_digest(&s, &out);
}

/* Writes a right or wrong UDP checksum. The ICRC does not cover it. */
LAW_FN void law_reaction_sum(const law_reaction *law, rocecc_reader r, uint8_t *made)
{
    rocecc_packet p;
    const rocecc_headers *f = &p.headers;
    uint8_t *udp;
    uint32_t sum;
    size_t n;
    (void)rocecc_packet_parse(&law->domain, r, &p);
    if (f->udp == 0 || f->udp + 8u > r.end) return;
    udp = made + (f->udp - r.at);
    n = udp[4] * 256u + udp[5];
    if (n < 8 || f->udp + n > r.end) return;
    udp[6] = udp[7] = 0;
    sum = law_udp_sum(made + (f->ip.offset - r.at), f->ip.version == 6,
                      (size_t)(f->udp - f->ip.offset),
                      (size_t)(f->udp - f->ip.offset) + n);
    sum = (sum == 0xffff ? sum : ~sum) - (law->right ? 0u : 1u);
    rocecc_store16(udp + 6, (uint16_t)sum);
}

LAW_FN uint32_t law_reaction_point(rocecc_reader r)
{
    LAW_ROOM(made, LAW_ROLE_BYTES);
    law_reaction law;
    LAW(law_reaction_admit(r) != LAW_BROKEN);
    if (!law_reaction_read(&r, &law)) return LAW_START;
    if (law.made != 0) {
        r = law_role_packet(law.made, r, made);
        if (law.summed) law_reaction_sum(&law, r, made);
    }
    return law_reaction_frame(&law, r);
}
#endif

#endif /* TESTS_LAW_REACTION_POINT_H */
