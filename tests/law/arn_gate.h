/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ARN_GATE_H
#define TESTS_LAW_ARN_GATE_H

#include "arn.h"
#include "draw.h"
#include "packet.h"
#include "reaction_point.h"
#include "rocecc/role/arn_gate.h"

/*
 * A run has LAW_ARN_GATE_BYTES bytes of choices, with these numbers of bits, then a
 * packet from its IP header on, or the patches of a built packet.
 *
 *   0  tunnels, any_hops, no_checksum, unlimited, a group (1), the list (2), made (1)
 *   1  the form of ARNs, for law_arn_config()
 *   2  burst (3), shared tokens (3), misbehaving sources (1)
 *   3  of a built packet: IPv4 (1), parameters (4), to the group (1), recompute the
 *      checksum after the patches (1), clear it (1)
 *   4  type of a built ARN
 *   5  time, in units of 100 us
 *   6  tokens of the source, admitted (2) and verified (2); sources with buckets (2)
 */
#define LAW_ARN_GATE_BYTES 7
#define LAW_ARN_GATE_ENTRIES 2
#define LAW_ARN_GATE_PORT 51967
#define LAW_ARN_GATE_ROOM 176

typedef struct law_gate {
    rocecc_arn_gate_config config;
    rocecc_domain domain;
    uint64_t now_ns;
    uint8_t list;
    uint8_t sources;                    /* number with buckets */
    uint8_t admitted, verified, shared; /* tokens */
    bool made;
    uint8_t how;
    uint8_t type;
} law_gate;

/* Returns a sorted, linked list of 10.9.0.0/16 (tag 0) and 2001:db8:1::/48 (tag 1). */
LAW_FN rocecc_acl law_gate_acl(uint8_t list, rocecc_acl_entry *e)
{
    const rocecc_ip6 four = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9, 0, 0}};
    const rocecc_ip6 six = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    rocecc_acl acl = {NULL, 0, 0};
    int i;
    for (i = 0; i < LAW_ARN_GATE_ENTRIES; i++) {
        e[i].prefix = i == 0 ? four : six;
        e[i].length = i == 0 ? 112 : 48;
        e[i].permit = list >> i & 1;
        e[i].tag = (uint32_t)i;
        e[i].parent = ROCECC_ACL_NONE;
    }
    acl.entries = e;
    acl.n = acl.half = 2;
    return acl;
}

LAW_FN uint32_t law_gate_digest(const rocecc_arn_gate *s,
                                const rocecc_arn_gate_result *out)
{
    uint32_t digest = law_mix(LAW_START, out->verdict);
    int i;
    digest = law_mix(digest, (uint64_t)out->tag << 1 | (out->listed ? 1u : 0u));
    digest = law_mix_address(digest, out->src.b, 16);
    digest = law_mix(digest, (uint64_t)out->arn.type << 16 | out->arn.para_type << 8 |
                                 out->arn.metric);
    digest = law_mix_address(digest, out->arn.flow.src.b, 16);
    digest = law_mix_address(digest, out->arn.flow.dst.b, 16);
    digest = law_mix(digest, (uint64_t)out->arn.priority << 32 | out->arn.time);
    digest = law_mix(digest, out->arrival * 16u + out->admission);
    digest = law_mix(digest, out->icmp.type * 256u + out->icmp.code);
    digest = law_mix(digest, out->icmp.value);
    digest = law_mix(digest, s->admission.shared.level_e9);
    for (i = 0; i < ROCECC_ARN_GATE_VERDICTS; i++)
        digest = law_mix(digest, s->count[i]);
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        digest = law_mix(digest, s->admission.count[i]);
    return digest;
}

/* Returns the domain of an open gate without limits, for vector rows and BPF. */
LAW_FN rocecc_domain law_gate_domain(rocecc_reader r)
{
    rocecc_domain d = law_packet_plain(r);
    d.arn.port = LAW_ARN_GATE_PORT;
    return d;
}

#if !defined(__bpf__)
LAW_FN uint32_t law_gate_open(rocecc_reader r)
{
    const rocecc_arn_gate_config none = {0};
    const rocecc_domain d = law_gate_domain(r);
    rocecc_acl_entry entries[LAW_ARN_GATE_ENTRIES];
    const rocecc_acl access = law_gate_acl(3, entries);
    const rocecc_admission_event e = {7, &access, NULL, NULL, 0};
    rocecc_arn_gate_config c = none;
    rocecc_arn_gate s;
    rocecc_arn_gate_result out;
    rocecc_packet p;
    c.admission.unlimited = true;
    LAW(rocecc_arn_gate_init(&c, &d, &access) == ROCECC_ARN_GATE_ACCEPTED);
    s = rocecc_arn_gate_start(&c, 0);
    (void)rocecc_packet_parse(&d, r, &p);
    rocecc_arn_gate_step(&c, &s, &p, &e, &out);
    LAW(s.count[out.verdict] == 1);
    return law_gate_digest(&s, &out);
}

LAW_FN bool law_gate_read(rocecc_reader *r, law_gate *law)
{
    const law_gate none = {0};
    const uint8_t *b = rocecc_take(r, LAW_ARN_GATE_BYTES);
    if (b == NULL) return false;
    *law = none;
    law->domain.link = ROCECC_LINK_IP;
    law->domain.arn = law_arn_config(b[1]);
    law->domain.arn.port = LAW_ARN_GATE_PORT;
    law->config.tunnels = b[0] & 1;
    law->config.any_hops = b[0] >> 1 & 1;
    law->config.no_checksum = b[0] >> 2 & 1;
    if (b[0] >> 4 & 1) {
        law->config.group.b[0] = 0xff;
        law->config.group.b[1] = law->config.group.b[15] = 2;
    }
    law->list = b[0] >> 5 & 3;
    law->made = b[0] >> 7;
    law->config.admission =
        law_reaction_admission(1 + (b[2] >> 6 & 1), 1 + (b[2] & 7u));
    law->config.admission.unlimited = b[0] >> 3 & 1;
    law->shared = b[2] >> 3 & 7;
    law->admitted = b[6] & 3;
    law->verified = b[6] >> 2 & 3;
    law->sources = (b[6] >> 4 & 3) % 3;
    law->how = b[3];
    law->type = b[4];
    law->now_ns = b[5] * (uint64_t)100000;
    return true;
}

/* Builds an ARN, and patches up to four bytes. */
LAW_FN rocecc_reader law_gate_packet(const law_gate *law, rocecc_reader *r,
                                     uint8_t *bytes)
{
    const rocecc_arn_config *c = &law->domain.arn;
    const bool six = (law->how & 1) == 0;
    const size_t udp = six ? 40 : 20;
    rocecc_datagram d = rocecc_arn_datagram(c, 5);
    rocecc_arn h = rocecc_arn_default(c, (uint8_t)(1 + law->type % 4),
                                      law->how >> 1 & ROCECC_ARN_KNOWN);
    rocecc_acl_entry e[LAW_ARN_GATE_ENTRIES];
    rocecc_writer w = law_writer(bytes, LAW_ARN_GATE_ROOM);
    rocecc_packet p;
    size_t n;
    int i;
    (void)law_gate_acl(3, e);
    d.src = d.dst = h.flow.src = h.flow.dst = e[six ? 1 : 0].prefix;
    d.src.b[15] = 1;
    d.dst.b[15] = 2;
    if (six && (law->how >> 5 & 1) != 0) d.dst = law->config.group;
    if ((law->how >> 1 & ROCECC_ARN_FLOW) != 0)
        h.tuple_bytes = rocecc_arn_tuple_bytes(c, &h.flow);
    h.priority = 3;
    h.time = 100;
    if (rocecc_arn_build(&w, c, &d, &h) != ROCECC_OK) return law_written(&w);
    n = law_wrote(&w);
    (void)rocecc_packet_parse(&law->domain, law_reader(bytes, n), &p);
    if (!rocecc_arn_match(&p) || !rocecc_udp_verify(&p) ||
        rocecc_arn_find(&p, &h) != ROCECC_OK)
        law_broken(__FILE__, __LINE__, "a built ARN is found");
    for (i = 0; i < 4; i++) {
        const size_t at = law_u8(r);
        const uint8_t more = law_u8(r);
        if (at < n) bytes[at] = (uint8_t)(bytes[at] + more);
    }
    if ((law->how >> 6 & 1) != 0) {
        uint32_t sum;
        bytes[udp + 6] = bytes[udp + 7] = 0;
        sum = law_udp_sum(bytes, six, udp, n);
        rocecc_store16(bytes + udp + 6, (uint16_t)(sum == 0xffff ? sum : ~sum));
    }
    if ((law->how >> 7 & 1) != 0) bytes[udp + 6] = bytes[udp + 7] = 0;
    return law_reader(bytes, n);
}

/* Returns TAKEN if an ARN may end here by this IP header, or the reason. */
static rocecc_arn_gate_verdict law_gate_ip(const law_gate *law, const rocecc_packet *p,
                                           const rocecc_headers_ip *ip)
{
    static const uint8_t none[16] = {0};
    const uint8_t *h = p->bytes.base + ip->offset, *group = law->config.group.b;
    const bool six = ip->version == 6;
    const rocecc_arrival_config host = {.groups = memcmp(group, none, 16) != 0};
    if (law_arrival_model(&host, p, ip).verdict != ROCECC_ARRIVAL_OK ||
        (law_arrival_scope(h + (six ? 24 : 16), six) > LAW_LINK &&
         !(six && memcmp(h + 24, group, 16) == 0)))
        return ROCECC_ARN_GATE_BAD_ARRIVAL;
    return !law->config.any_hops && h[six ? 7 : 8] != 255 ? ROCECC_ARN_GATE_TOO_FEW_HOPS
                                                          : ROCECC_ARN_GATE_TAKEN;
}

/* Returns TAKEN if UDP Length is right and a well-formed ARN follows. */
static rocecc_arn_gate_verdict law_gate_message(const law_gate *law,
                                                const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const uint8_t *udp = p->bytes.base + f->ip.upper;
    rocecc_status status;
    size_t n;
    if (f->ip.upper + 8u > p->bytes.end || f->ip.upper + 8u > f->ip.end)
        return ROCECC_ARN_GATE_MALFORMED;
    n = (size_t)(udp[4] << 8 | udp[5]);
    if (n < 8) return ROCECC_ARN_GATE_MALFORMED;
    if (n > 128) return ROCECC_ARN_GATE_UNSUPPORTED;
    if (f->ip.upper + n > p->bytes.end || f->ip.upper + n > f->ip.end)
        return ROCECC_ARN_GATE_MALFORMED;
    status = law_arn_status(&law->domain.arn, udp + 8, n - 8);
    if (status == ROCECC_OK) return ROCECC_ARN_GATE_TAKEN;
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_ARN_GATE_UNSUPPORTED
                                            : ROCECC_ARN_GATE_MALFORMED;
}

/* Returns true if the UDP checksum is right, or is 0 and not needed. */
static bool law_gate_sum_ok(const law_gate *law, const rocecc_packet *p)
{
    const rocecc_headers_ip *ip = &p->headers.ip;
    const uint8_t *udp = p->bytes.base + ip->upper;
    const bool six = ip->version == 6;
    if ((udp[6] | udp[7]) == 0) return !six && law->config.no_checksum;
    return law_udp_sum(
               p->bytes.base + ip->offset, six, (size_t)(ip->upper - ip->offset),
               (size_t)(ip->upper - ip->offset) + udp[4] * 256u + udp[5]) == 0xffff;
}

/* Models the limiter around the checksum check. *t has the remaining tokens. */
static rocecc_arn_gate_verdict law_gate_admit(const law_gate *law, bool right,
                                              unsigned tag, law_tokens *t)
{
    if ((law->list >> tag & 1) == 0) return ROCECC_ARN_GATE_ACCESS_DENIED;
    if (law->config.admission.unlimited)
        return right ? ROCECC_ARN_GATE_TAKEN : ROCECC_ARN_GATE_BAD_CHECKSUM;
    if (tag >= law->sources || t->admitted_e9 < UINT64_C(1000000000) ||
        !law_reaction_take(&t->verified_e9))
        return ROCECC_ARN_GATE_RATE_LIMITED;
    if (!right) return ROCECC_ARN_GATE_BAD_CHECKSUM;
    (void)law_reaction_take(&t->admitted_e9);
    return law_reaction_take(&t->shared_e9) ? ROCECC_ARN_GATE_TAKEN
                                            : ROCECC_ARN_GATE_RATE_LIMITED;
}

/* Returns the expected verdict. The first failed check decides. */
LAW_FN rocecc_arn_gate_verdict law_gate_verdict(const law_gate *law,
                                                const rocecc_packet *p, law_tokens *t)
{
    const rocecc_arn_gate_config *c = &law->config;
    const rocecc_headers *f = &p->headers;
    const uint8_t *b = p->bytes.base;
    const bool six = f->ip.version == 6;
    const uint8_t *src = b + f->ip.offset + (six ? 8 : 12);
    const uint8_t *udp = b + f->ip.upper;
    rocecc_arn_gate_verdict verdict;
    bool listed;
    if (f->ip.version == 0 || f->ip.proto != 17 ||
        f->ip.fragment == ROCECC_IP_FRAGMENT_LATER || f->ip.upper + 4u > f->ip.end ||
        f->ip.upper + 4u > p->bytes.end || (udp[2] << 8 | udp[3]) != LAW_ARN_GATE_PORT)
        return ROCECC_ARN_GATE_NOT_AN_ARN;
    listed =
        six ? memcmp(src, "\x20\x01\x0d\xb8\0\1", 6) == 0 : src[0] == 10 && src[1] == 9;
    if (f->outer.version != 0) {
        if (!c->tunnels) return ROCECC_ARN_GATE_UNEXPECTED_TUNNEL;
        verdict = law_gate_ip(law, p, &f->outer);
        if (verdict != ROCECC_ARN_GATE_TAKEN) return verdict;
    }
    verdict = law_gate_ip(law, p, &f->ip);
    if (verdict != ROCECC_ARN_GATE_TAKEN) return verdict;
    verdict = law_gate_message(law, p);
    if (verdict != ROCECC_ARN_GATE_TAKEN) return verdict;
    if (!listed) return ROCECC_ARN_GATE_ACCESS_DENIED;
    return law_gate_admit(law, law_gate_sum_ok(law, p), six ? 1 : 0, t);
}

/* Returns the state at time 0, with law->shared tokens. */
static rocecc_arn_gate law_gate_start(const law_gate *law)
{
    rocecc_arn_gate s = rocecc_arn_gate_start(&law->config, 0);
    law_reaction_leave(&s.admission.shared, law->shared);
    return s;
}

static rocecc_admission_source law_gate_source(const law_gate *law)
{
    rocecc_admission_source s =
        rocecc_admission_source_start(&law->config.admission, 0);
    law_reaction_leave(&s.admitted, law->admitted);
    law_reaction_leave(&s.verified, law->verified);
    return s;
}

/* Checks the verdict, its counter, and the tokens taken, against the model. */
LAW_FN uint32_t law_gate_frame(const law_gate *law, rocecc_reader r)
{
    const rocecc_admission_params *params = &law->config.admission;
    rocecc_acl_entry entries[LAW_ARN_GATE_ENTRIES];
    const rocecc_acl access = law_gate_acl(law->list, entries);
    const rocecc_arn_gate was = law_gate_start(law);
    const rocecc_admission_source source_was = law_gate_source(law);
    rocecc_admission_source sources[LAW_ARN_GATE_ENTRIES] = {source_was, source_was};
    const rocecc_admission_event e = {law->now_ns, &access, NULL, sources,
                                      law->sources};
    law_tokens t =
        law_reaction_tokens(params, &was.admission, &source_was, law->now_ns);
    const law_tokens t_was = t;
    rocecc_arn_gate s = was;
    rocecc_arn_gate_result out;
    rocecc_arn_gate_verdict should;
    rocecc_packet p;
    int i;
    (void)rocecc_packet_parse(&law->domain, r, &p);
    rocecc_arn_gate_step(&law->config, &s, &p, &e, &out);
    should = law_gate_verdict(law, &p, &t);
    LAW(out.verdict == should);
    for (i = 0; i < ROCECC_ARN_GATE_VERDICTS; i++)
        LAW(s.count[i] == was.count[i] + (i == (int)should ? 1u : 0u));
    for (i = 0; i < LAW_ARN_GATE_ENTRIES; i++) {
        const law_tokens now =
            law_reaction_tokens(params, &s.admission, &sources[i], law->now_ns);
        const bool its = out.listed && out.tag == (unsigned)i;
        LAW(now.shared_e9 == t.shared_e9);
        LAW(now.admitted_e9 == (its ? t.admitted_e9 : t_was.admitted_e9));
        LAW(now.verified_e9 == (its ? t.verified_e9 : t_was.verified_e9));
    }
    LAW((out.admission == ROCECC_ADMISSION_ADMITTED) !=
        (should == ROCECC_ARN_GATE_ACCESS_DENIED ||
         should == ROCECC_ARN_GATE_RATE_LIMITED));
    LAW((out.arrival != ROCECC_ARRIVAL_OK) == (should == ROCECC_ARN_GATE_BAD_ARRIVAL));
    LAW(should != ROCECC_ARN_GATE_TAKEN || (out.arn.type >= 1 && out.listed));
    LAW(out.arn.rest.end == 0);
    return law_gate_digest(&s, &out);
}

LAW_FN uint32_t law_arn_gate(rocecc_reader r)
{
    LAW_ROOM(bytes, LAW_ARN_GATE_ROOM);
    law_gate law;
    LAW(law_gate_open(r) != LAW_BROKEN);
    if (!law_gate_read(&r, &law)) return LAW_START;
    if (law.made) r = law_gate_packet(&law, &r, bytes);
    return law_gate_frame(&law, r);
}
#endif

#endif /* TESTS_LAW_ARN_GATE_H */
