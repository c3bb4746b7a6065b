/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CONGESTION_POINT_H
#define TESTS_LAW_CONGESTION_POINT_H

#include "draw.h"
#include "fastcnp.h"
#include "rocecc/role/congestion_point.h"

/* A configuration of any bits, most of which are what a host may ask for. */
ROCECC_FN rocecc_congestion_config law_congestion_config(rocecc_reader *r)
{
    static const uint8_t nobody[16] = {0};
    rocecc_congestion_config c;
    const uint64_t bits = law_u64(r);
    const uint32_t odd = law_u32(r);
    c.enabled = (bits & 15) != 0;
    c.fastcnp = law_fastcnp_config((uint8_t)(bits >> 4 & bits >> 9 & 31));
    c.cnp = rocecc_cnp_default();
    c.cnp.src = rocecc_ip6_load(nobody);
    c.cnp.src.b[0] = (odd & 0xff) == 1 ? 0xff : 0x20;
    c.cnp.src.b[15] = (uint8_t)(bits >> 14);
    c.cnp.dscp = (uint8_t)(odd >> 8 & 0xff) == 1 ? 64 : bits >> 22 & 63;
    c.cnp.ecn = bits >> 28 & bits >> 30 & 3;
    c.cnp.udp_checksum = bits >> 32 & 1;
    c.icrc_rule = (rocecc_icrc_rule)((odd >> 16 & 63) % 12);
    if (c.icrc_rule > ROCECC_ICRC_NONE + 1) c.icrc_rule = ROCECC_ICRC_AUTO;
    c.mark_known_only = bits >> 33 & 1;
    c.quiet_if_told = bits >> 34 & 1;
    c.plain_only = (bits >> 35 & 3) == 3;
    c.plain_if_long = bits >> 37 & 1;
    c.end_con = (bits >> 38 & 7) != 0;
    c.flow_label = (odd >> 22 & 63) == 1 ? 1 << 20 : bits >> 41 & 0xfffff;
    c.policy = rocecc_between(*r, r->at, r->at + ((bits >> 61 & 1) != 0 ? 32 : 0));
    c.gate.interval_ns = bits >> 62 & 1 ? 50000 : 0;
    c.gate.defer = (odd >> 28 & 15) == 1;
    c.unlimited = bits >> 63;
    c.limit.rate_per_s = odd & 0xfff;
    c.limit.burst = odd >> 12 & 7;
    c.limit.full_ns = 0;
    return c;
}

/* Whether init() is to refuse it. */
ROCECC_FN bool law_congestion_refused(const rocecc_congestion_config *c)
{
    return c->enabled &&
           ((c->fastcnp.type_plain == 0 && c->fastcnp.type_ioam == 0) ||
            c->cnp.src.b[0] == 0xff || c->cnp.dscp > 63 || c->flow_label > 0xfffff ||
            c->icrc_rule == ROCECC_ICRC_STANDARD || c->icrc_rule > ROCECC_ICRC_NONE ||
            rocecc_left(&c->policy) % 16 != 0 || c->gate.defer != 0 ||
            (!c->unlimited && (c->limit.rate_per_s == 0 || c->limit.burst == 0)));
}

/* All that needs no frame. */
ROCECC_FN uint32_t law_congestion_init(rocecc_reader r)
{
    rocecc_congestion_config c = law_congestion_config(&r);
    const rocecc_congestion_refusal refusal = rocecc_congestion_point_init(&c);
    const uint64_t now_ns = law_u64(&r);
    rocecc_congestion_point s;
    uint32_t digest = law_mix(LAW_START, refusal);
    LAW((refusal != ROCECC_CONGESTION_ACCEPTED) == law_congestion_refused(&c));
    if (refusal != ROCECC_CONGESTION_ACCEPTED) return digest;
    s = rocecc_congestion_point_start(&c, now_ns);
    LAW(s.bucket.last_ns == now_ns && s.count[ROCECC_CONGESTION_LIMIT] == 0);
    digest = law_mix(digest, s.bucket.level_e9);
    return law_mix(digest, c.limit.full_ns);
}

#if !defined(__bpf__)
#define LAW_CONGESTION_BYTES 256
#define LAW_CONGESTION_STEPS 6

static uint32_t law_congestion_seen[ROCECC_CONGESTION_REASONS];

/* A tunnel from END.CON, a Hop-by-Hop header with a trace, UDP and BTH; or without. */
ROCECC_FN size_t law_congestion_frame(uint8_t *bytes, bool tunnel, bool traced)
{
    static const uint8_t hop[32] = {0x11, 3, 1, 0, 0x31, 26, 0,    0, 0, 0, 0x10, 0,
                                    0x82, 0, 0, 0, 0x3e, 0,  1,    3, 0, 0, 8,    0,
                                    0x3f, 0, 1, 2, 0,    0,  0x10, 0};
    static const uint8_t roce[24] = {0xc1, 0x23, 0x12, 0xb7, 0, 40, 0,    0,
                                     4,    0,    0xff, 0xff, 0, 0,  0xab, 0xcd};
    size_t n = 0, i;
    for (i = 0; i < LAW_CONGESTION_BYTES; i++)
        bytes[i] = 0;
    for (i = tunnel ? 0 : 1; i < 2; i++) {
        bytes[n] = 0x60;
        bytes[n + 1] = 0x20;
        bytes[n + 5] = (uint8_t)(40 + (traced ? 32 : 0) + (i == 0 ? 40 : 0));
        bytes[n + 6] = (uint8_t)(i == 0 ? 41 : traced ? 0 : 17);
        bytes[n + 7] = 64;
        bytes[n + 8] = bytes[n + 24] = 0x20;
        bytes[n + 23] = (uint8_t)(0x10 + i);
        bytes[n + 39] = 0x20;
        n += 40;
    }
    for (i = 0; traced && i < 32; i++)
        bytes[n + i] = hop[i];
    n += traced ? 32 : 0;
    for (i = 0; i < 24; i++)
        bytes[n + i] = roce[i];
    return n + 40;
}

/* The table of the header. */
ROCECC_FN unsigned law_congestion_outputs(const rocecc_congestion_config *c,
                                          rocecc_wred_verdict verdict,
                                          rocecc_capability sender, unsigned reason)
{
    if (verdict == ROCECC_WRED_DROP) return ROCECC_CONGESTION_DROP;
    if (verdict != ROCECC_WRED_MARK) return 0;
    if (reason == ROCECC_CONGESTION_GATE && c->quiet_if_told)
        return sender == ROCECC_CAPABILITY_YES ? 0 : ROCECC_CONGESTION_MARK;
    if (reason != ROCECC_CONGESTION_SENT) return ROCECC_CONGESTION_MARK;
    if (sender == ROCECC_CAPABILITY_YES || c->mark_known_only)
        return ROCECC_CONGESTION_FAST_CNP;
    return ROCECC_CONGESTION_FAST_CNP | ROCECC_CONGESTION_MARK;
}

/* What was sent is a Fast CNP about this frame, whole, and in its tunnel. */
ROCECC_FN uint32_t law_congestion_sent(const rocecc_congestion_config *c,
                                       rocecc_reader frame, const rocecc_frame *f,
                                       rocecc_reader out)
{
    const rocecc_frame_config config = {.ip_first = true};
    const rocecc_roce_config strict = {false, false};
    const rocecc_reader all = rocecc_between(frame, 0, frame.end);
    const uint8_t *b = all.base;
    rocecc_frame g;
    rocecc_cnp cnp;
    rocecc_fastcnp h;
    rocecc_icrc icrc;
    size_t i;
    LAW(rocecc_frame_locate(&config, out, &g) == ROCECC_OK && g.end == out.end);
    LAW(g.outer.version == f->outer.version && g.ip.version == 6 && g.ip.n_ext == 1);
    LAW(rocecc_cnp_parse(&strict, out, &g, &cnp) == ROCECC_OK && cnp.odd == 0);
    LAW(cnp.dest_qp == (rocecc_load32(b + f->bth + 4) & 0xffffff));
    LAW(cnp.pkey == rocecc_load16(b + f->bth + 2));
    LAW(cnp.src_port == rocecc_load16(b + f->udp));
    LAW(rocecc_fastcnp_find(&c->fastcnp, out, &g, &h) == ROCECC_OK);
    for (i = 0; i < 16; i++) {
        LAW(cnp.src.b[i] == c->cnp.src.b[i] && cnp.dst.b[i] == b[f->ip.at + 8 + i]);
        LAW(f->ip.n_ext > 1 || h.flow_dst.b[i] == b[f->ip.at + 24 + i]);
    }
    LAW(h.kind == ROCECC_FASTCNP_PLAIN || f->ip.n_ext != 0);
    LAW(rocecc_icrc_verify(c->icrc_rule, out, &g, &icrc) == ROCECC_OK);
    LAW(icrc.ok || c->icrc_rule == ROCECC_ICRC_NONE);
    if (f->outer.version != 0) {
        rocecc_srv6 tunnel;
        LAW(rocecc_srv6_parse(out, &g, &tunnel) == ROCECC_OK);
        LAW(rocecc_srv6_bytes(&tunnel) == 40 || rocecc_left(&c->policy) != 0);
        LAW(tunnel.outer.ecn == c->cnp.ecn && tunnel.ip.ecn == c->cnp.ecn);
        for (i = 0; i < 16 && rocecc_srv6_bytes(&tunnel) == 40; i++)
            LAW(tunnel.outer.dst.b[i] == b[f->outer.at + 8 + i]);
    }
    return LAW_START;
}

/* One packet into a queue. */
ROCECC_FN uint32_t law_congestion_step(const rocecc_congestion_config *c,
                                       rocecc_congestion_point *s, rocecc_cnpgate *gate,
                                       rocecc_reader frame, const rocecc_frame *f,
                                       uint64_t draw, uint64_t now_ns)
{
    uint8_t out[LAW_FASTCNP_BYTES + 160];
    const rocecc_wred_verdict verdict =
        (rocecc_wred_verdict)((draw & 15) < 3 ? draw & 15 : 1);
    const rocecc_capability sender = (rocecc_capability)((draw >> 4 & 15) % 3);
    const size_t room = draw >> 8 & 1 ? sizeof out : draw >> 9 & 0xff;
    rocecc_writer w = rocecc_writer_of(out, out + room);
    const rocecc_congestion_point was = *s;
    const rocecc_cnpgate before = *gate;
    const rocecc_congestion a =
        rocecc_congestion_point_step(c, s, gate, frame, f, verdict, sender, now_ns, &w);
    unsigned i;
    law_congestion_seen[a.reason]++;
    LAW(a.outputs == law_congestion_outputs(c, verdict, sender, a.reason));
    LAW((a.reason == ROCECC_CONGESTION_SENT) == (w.at != 0));
    LAW((a.reason == ROCECC_CONGESTION_NOT_ASKED) == (verdict != ROCECC_WRED_MARK));
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        LAW(s->count[i] == was.count[i] + (i == a.reason));
    if (a.reason != ROCECC_CONGESTION_SENT) {
        LAW(gate->last_ns == before.last_ns && gate->sent == before.sent);
        LAW(a.reason == ROCECC_CONGESTION_LIMIT ||
            (s->bucket.level_e9 == was.bucket.level_e9 &&
             s->bucket.last_ns == was.bucket.last_ns));
        return law_mix(LAW_START, a.reason);
    }
    LAW(c->enabled && sender != ROCECC_CAPABILITY_NO);
    LAW(gate->sent == 1 && gate->last_ns == (uint32_t)now_ns);
    LAW(law_congestion_sent(c, frame, f, rocecc_written(&w)) != LAW_BROKEN);
    return law_mix_bytes(LAW_START, rocecc_written(&w), (int)sizeof out);
}

/*
 * The first bytes choose a configuration, a frame that is well-formed, and what is
 * wrong with it, if anything; then so many packets.
 */
ROCECC_FN uint32_t law_congestion_point(rocecc_reader r)
{
    const rocecc_frame_config config = {.ip_first = true};
    uint32_t digest = law_congestion_init(r), passed = 0;
    rocecc_congestion_config c = law_congestion_config(&r);
    uint8_t bytes[LAW_CONGESTION_BYTES];
    const uint8_t how = law_u8(&r);
    size_t n = law_congestion_frame(bytes, how & 1, how >> 1 & 1);
    rocecc_reader frame = rocecc_reader_of(bytes, bytes + n);
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_frame f;
    uint64_t now_ns = 0;
    unsigned i;
    if (rocecc_congestion_point_init(&c) != ROCECC_CONGESTION_ACCEPTED) return digest;
    for (i = 0; i < (how >> 2 & how >> 4 & 3u); i++) {
        const uint8_t at = law_u8(&r);
        bytes[at] = law_u8(&r);
    }
    if (how >> 6 == 2) bytes[8] = 0xff; /* the outermost source */
    if (how >> 6 == 3) frame.end = (size_t)rocecc_min(law_u8(&r), n);
    (void)rocecc_frame_locate(&config, frame, &f);
    s = rocecc_congestion_point_start(&c, now_ns);
    gate = rocecc_cnpgate_start(&c.gate);
    for (i = 0; i < LAW_CONGESTION_STEPS; i++) {
        const uint64_t draw = law_u64(&r);
        now_ns += law_load_any32(bytes + (draw >> 58)) & (draw >> 20 & 0xffffff);
        digest = law_mix(digest,
                         law_congestion_step(&c, &s, &gate, frame, &f, draw, now_ns));
        passed = (uint32_t)s.count[ROCECC_CONGESTION_SENT];
        LAW(c.unlimited || (passed < c.limit.burst + 1 ||
                            (passed - c.limit.burst) * ROCECC_TOKENBUCKET_ONE_E9 <=
                                now_ns * c.limit.rate_per_s));
        LAW(c.gate.interval_ns == 0 || passed <= 1 + now_ns / c.gate.interval_ns);
    }
    return digest;
}
#endif

#endif /* TESTS_LAW_CONGESTION_POINT_H */
