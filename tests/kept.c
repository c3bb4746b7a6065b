/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * kept.c - a `where` that somebody has kept, and that is not true of the bytes beside
 * it: each role answers what it answers where nothing is, reads no byte beyond, and
 * writes nothing.
 */
#include "../examples/lib/vec.h"
#include "law/fastcnp.h"
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/role/arn_gate.h"
#include "rocecc/role/congestion_point.h"
#include "rocecc/role/flow_control.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/qpn.h"
#include "rocecc/role/reaction_point.h"
#include "rocecc/role/srv6_pe.h"

#include <string.h>

#define UNTOUCHED 0xa5
#define ROOM 400

/* An RC SEND Only from 2001:db8::2 to 2001:db8::1, marked: UDP at 40, BTH at 48. */
#define DATA6                                                                          \
    "60300000 00181140 20010db8 00000000 00000000 00000002 20010db8 00000000 00000000" \
    "00000001 c00012b7 00180000 0400ffff 0000abcd 00000007 00000000"
/* A Fast CNP of the laboratory, b-plain of vectors/fastcnp.vec. */
#define PLAIN                                                                          \
    "6c000000 00403c40 20010db8 ffff0000 00000000 00000001 20010db8 00010000 00000000" \
    "00000010 11029e10 20010db8 00020000 00000000 00000020 01020000 c12312b7 00280000" \
    "8100ffff 4000abcd 00000000 00000000 00000000 00000000 00000000 627652e7"
/* v6 of vectors/cnp.vec. */
#define CNP6                                                                           \
    "6c000000 00281140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000" \
    "00000002 c12312b7 00280000 8100ffff 40123456 00000000 00000000 00000000 00000000" \
    "00000000 8f6a5c9b"
/* An ARN over IPv6 for priority 3, from 2001:db8:1::1 to ::2 of it. */
#define ARN                                                                            \
    "6c000000 001411ff 20010db8 00010000 00000000 00000001 20010db8 00010000 00000000" \
    "00000002 c0decaff 00144ec9 0110c830 00000003 00000064"

static uint8_t out[ROOM];

static rocecc_domain domain_of(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.fastcnp = law_fastcnp_config(0);
    return d;
}

/* The bytes before a guard page, and where their headers are. */
static rocecc_packet packet_of(const rocecc_domain *d, const char *hex)
{
    static uint8_t bytes[VEC_BYTES];
    rocecc_packet p;
    uint8_t *at;
    size_t n;
    CHECK(vec_hex(hex, bytes, &n));
    at = guard_end(bytes, n);
    (void)rocecc_packet_parse(d, rocecc_reader_of(at, at + n), &p);
    return p;
}

/* An IP header whose upper layer begins before its fixed 40 bytes end. */
static void shorten(rocecc_headers_ip *ip)
{
    ip->upper = (uint16_t)(ip->offset + ROCECC_IPV6_BYTES - 1);
}

static rocecc_acl anybody(rocecc_acl_entry *e)
{
    static const rocecc_acl_entry all = {{{0}}, 0, 1, 0, 0};
    rocecc_acl list = {NULL, 0, 0};
    uint32_t at;
    *e = all;
    CHECK_EQ(rocecc_acl_init(&list, e, 1, &at), ROCECC_ACL_ACCEPTED);
    return list;
}

/* Nothing is written but by a verdict that says so. */
static void check_written(size_t at, bool sent)
{
    size_t i;
    CHECK_EQ(at != 0, sent);
    for (i = at; i < sizeof out; i++)
        if (out[i] != UNTOUCHED) break;
    CHECK_EQ(i, sizeof out);
}

static void notify(const rocecc_packet *p, rocecc_notification_verdict verdict)
{
    const rocecc_notification_event e = {0, 0x123456, false};
    rocecc_notification_config c = {0};
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_cnpgate gate, was;
    c.gate = rocecc_cnpgate_paper();
    c.cnp = rocecc_cnp_default();
    CHECK_EQ(rocecc_notification_point_init(&c), ROCECC_NOTIFICATION_ACCEPTED);
    gate = was = rocecc_cnpgate_start(&c.gate);
    memset(out, UNTOUCHED, sizeof out);
    CHECK_EQ(rocecc_notification_point_step(&c, &gate, p, e, &w).verdict, verdict);
    check_written(w.at, verdict == ROCECC_NOTIFICATION_SENT);
    if (verdict != ROCECC_NOTIFICATION_SENT)
        CHECK(memcmp(&gate, &was, sizeof gate) == 0);
}

TEST(kept_where_of_a_receiver)
{
    const rocecc_domain d = domain_of();
    rocecc_packet p = packet_of(&d, DATA6);
    notify(&p, ROCECC_NOTIFICATION_SENT);
    p.headers.bth = (uint16_t)(p.headers.end - ROCECC_BTH_BYTES + 1);
    notify(&p, ROCECC_NOTIFICATION_NOT_DATA);
    p = packet_of(&d, DATA6);
    shorten(&p.headers.ip);
    notify(&p, ROCECC_NOTIFICATION_NOT_DATA);
}

static void congest(const rocecc_packet *p, rocecc_congestion_reason reason)
{
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_congestion_event e = ROCECC_ZERO;
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_acl_entry entry;
    const rocecc_acl list = anybody(&entry);
    const rocecc_ip6 us = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}};
    rocecc_congestion_point s;
    rocecc_cnpgate gate, was;
    c.fastcnp_enabled = c.unlimited = true;
    c.answer = rocecc_opcode_set_data();
    c.cnp = rocecc_cnp_default();
    c.cnp.src = us;
    c.cnp.src.b[15] = 1;
    c.gate = rocecc_cnpgate_paper();
    CHECK_EQ(rocecc_congestion_point_init(&c, p->domain, &list),
             ROCECC_CONGESTION_ACCEPTED);
    s = rocecc_congestion_point_start(&c, 0);
    gate = was = rocecc_cnpgate_start(&c.gate);
    e.gate = &gate;
    e.verdict = ROCECC_WRED_MARK;
    e.access = e.tunnels = &list;
    memset(out, UNTOUCHED, sizeof out);
    CHECK_EQ(rocecc_congestion_point_step(&c, &s, p, &e, &w).reason, reason);
    check_written(w.at, reason == ROCECC_CONGESTION_SENT);
    if (reason != ROCECC_CONGESTION_SENT) CHECK(memcmp(&gate, &was, sizeof gate) == 0);
}

TEST(kept_where_of_a_switch)
{
    const rocecc_domain d = domain_of();
    rocecc_packet p = packet_of(&d, DATA6);
    congest(&p, ROCECC_CONGESTION_SENT);
    p.headers.bth = (uint16_t)(p.headers.end - ROCECC_BTH_BYTES + 1);
    congest(&p, ROCECC_CONGESTION_NOT_DATA);
    p = packet_of(&d, DATA6);
    p.headers.udp = (uint16_t)(p.headers.end - ROCECC_UDP_BYTES + 1);
    congest(&p, ROCECC_CONGESTION_NOT_DATA);
    p = packet_of(&d, DATA6);
    shorten(&p.headers.ip);
    congest(&p, ROCECC_CONGESTION_NOT_DATA);
    p = packet_of(&d, DATA6);
    p.headers.outer = p.headers.ip;
    congest(&p, ROCECC_CONGESTION_SENT);
    shorten(&p.headers.outer);
    congest(&p, ROCECC_CONGESTION_BAD_SOURCE);
}

/* Without a hop no CNP arrives; who sends none needs no hop. */
TEST(kept_no_hop_for_a_cnp)
{
    rocecc_domain d = domain_of();
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = anybody(&entry);
    d.l3qcn.port = 0xcafe;
    c.unlimited = true;
    c.answer = rocecc_opcode_set_data();
    c.cnp = rocecc_cnp_default();
    c.gate = rocecc_cnpgate_paper();
    c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    c.cnp.hop_limit = 0;
    c.qcn_priorities = 1;
    CHECK_EQ(rocecc_congestion_point_init(&c, &d, &list), ROCECC_CONGESTION_ACCEPTED);
    c.standard_cnp = true;
    CHECK_EQ(rocecc_congestion_point_init(&c, &d, &list),
             ROCECC_CONGESTION_REFUSED_CNP);
    c.cnp.hop_limit = 1;
    CHECK_EQ(rocecc_congestion_point_init(&c, &d, &list), ROCECC_CONGESTION_ACCEPTED);
}

static void sample(const rocecc_packet *p, rocecc_congestion_reason reason)
{
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_congestion_event e = ROCECC_ZERO;
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_acl_entry entry;
    const rocecc_acl list = anybody(&entry);
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    c.unlimited = true;
    c.answer = rocecc_opcode_set_data();
    c.gate = rocecc_cnpgate_paper();
    c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    c.qcn_priorities = 1;
    c.msdu_bytes = 64;
    CHECK_EQ(rocecc_congestion_point_init(&c, p->domain, &list),
             ROCECC_CONGESTION_ACCEPTED);
    s = rocecc_congestion_point_start(&c, 0);
    gate = rocecc_cnpgate_start(&c.gate);
    e.gate = &gate;
    e.access = &list;
    e.qcn.cnm = true;
    e.qcn.qntz_fb = 9;
    memset(out, UNTOUCHED, sizeof out);
    CHECK_EQ(rocecc_congestion_point_step(&c, &s, p, &e, &w).reason, reason);
    check_written(w.at, reason == ROCECC_CONGESTION_SENT);
}

/* A CNM quotes from the EtherType on; there is none before IP after PPP, nor where the
 * packet ends before. */
TEST(kept_no_msdu_of_a_sample)
{
    rocecc_domain d = domain_of();
    rocecc_packet p;
    d.link = ROCECC_LINK_ETHER;
    d.l3qcn.port = 0xcafe;
    p = packet_of(&d, "020000000001 020000000002 86dd" DATA6);
    sample(&p, ROCECC_CONGESTION_SENT);
    p.headers.ip.offset = (uint16_t)(p.bytes.end + 1);
    sample(&p, ROCECC_CONGESTION_NOT_DATA);
    p = packet_of(&d, "020000000001 020000000002 8864 1100 0001 0042 0057" DATA6);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
    sample(&p, ROCECC_CONGESTION_NOT_DATA);
}

TEST(kept_where_of_a_sender)
{
    const rocecc_domain d = domain_of();
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_packet p = packet_of(&d, PLAIN);
    rocecc_reaction_result is;
    c.fastcnp_enabled = true;
    rocecc_reaction_point_find(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_FAST_PLAIN);
    shorten(&p.headers.ip);
    rocecc_reaction_point_find(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_MALFORMED);
    p.headers.ip.version = 0;
    rocecc_reaction_point_find_host(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_ORDINARY);
}

/* The limit of a source is that of its tag in the list: who is not listed, or has a tag
 * beyond the buckets, has none. */
TEST(kept_tag_without_a_bucket)
{
    const rocecc_domain d = domain_of();
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_acl_entry entry;
    rocecc_acl list = anybody(&entry);
    rocecc_tokenbucket sources[1];
    rocecc_reaction_event e = ROCECC_ZERO;
    rocecc_reaction_point s;
    const rocecc_packet fast = packet_of(&d, PLAIN);
    rocecc_reaction_result is;
    int i;
    c.fastcnp_enabled = c.unlimited = true;
    c.source_limit.rate_per_s = c.source_limit.burst = 1;
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &list), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    sources[0] = rocecc_tokenbucket_start(&c.source_limit, 0);
    e.access = &list;
    e.sources = sources;
    for (i = 0; i < 4; i++) {
        e.n_sources = i < 2;
        rocecc_reaction_point_step(&c, &s, &fast, &e, &is);
        CHECK_EQ(is.verdict,
                 i == 1 ? ROCECC_REACTION_RATE_LIMITED : ROCECC_REACTION_FAST_PLAIN);
        CHECK_EQ(is.tag, 0);
    }
    {
        const rocecc_packet cnp = packet_of(&d, CNP6);
        e.n_sources = 1;
        rocecc_reaction_point_step(&c, &s, &cnp, &e, &is);
        CHECK(is.verdict == ROCECC_REACTION_ORDINARY && !is.listed);
    }
}

TEST(kept_where_of_an_arn)
{
    rocecc_domain d = domain_of();
    rocecc_arn_gate_config c = ROCECC_ZERO;
    rocecc_arn_gate_event e = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = anybody(&entry);
    rocecc_arn_gate s = ROCECC_ZERO;
    rocecc_arn_gate_result is;
    rocecc_packet p;
    d.arn.port = 0xcaff;
    p = packet_of(&d, ARN);
    c.unlimited = true;
    e.access = &list;
    rocecc_arn_gate_find(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_TAKEN);
    p.headers.udp = (uint16_t)(p.headers.end - ROCECC_UDP_BYTES + 1);
    rocecc_arn_gate_admit(&c, &s, &p, &e, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_BAD_CHECKSUM);
    p = packet_of(&d, ARN);
    rocecc_arn_gate_step(&c, &s, &p, &e, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_TAKEN);
    shorten(&p.headers.ip);
    rocecc_arn_gate_step(&c, &s, &p, &e, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_MALFORMED);
}

TEST(kept_where_of_who_speaks)
{
    const rocecc_domain d = domain_of();
    rocecc_packet p = packet_of(&d, DATA6);
    rocecc_qpnlearner_params c = ROCECC_ZERO;
    rocecc_qpn_event e = ROCECC_ZERO;
    uint32_t qpn = 42;
    c.half = c.known = 1;
    p.headers.bth = (uint16_t)(p.headers.end - ROCECC_BTH_BYTES + 1);
    CHECK(!rocecc_qpn_lookup(&c, &p, &e, &qpn)); /* and reads no table */
    p = packet_of(&d, DATA6);
    shorten(&p.headers.ip);
    CHECK(!rocecc_qpn_lookup(&c, &p, &e, &qpn));
    CHECK_EQ(qpn, 42);
}

/* The first step at a SID: it is not for us, where its destination is not there. */
TEST(kept_where_of_a_tunnels_end)
{
    const rocecc_domain d = domain_of();
    const rocecc_ip6 sid = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = anybody(&entry);
    rocecc_packet p = packet_of(&d, DATA6);
    rocecc_srv6_pe_result is;
    rocecc_srv6_pe_accept(&sid, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_SRV6_PE_FORWARD);
    shorten(&p.headers.ip);
    rocecc_srv6_pe_check_sources(&c, &list, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_SRV6_PE_NOT_CNP);
    p = packet_of(&d, DATA6);
    p.headers.ip.end = (uint32_t)p.headers.ip.offset + ROCECC_IPV6_BYTES - 1;
    rocecc_srv6_pe_accept(&sid, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_SRV6_PE_OTHER);
}

/* An option that a packet does not have is no problem of it. */
TEST(kept_where_of_a_problem)
{
    const rocecc_domain d = domain_of();
    rocecc_packet p = packet_of(&d, DATA6);
    rocecc_srv6_pe_result is = ROCECC_ZERO;
    rocecc_icmp6_problem h, was;
    memset(&h, UNTOUCHED, sizeof h);
    was = h;
    is.verdict = ROCECC_SRV6_PE_UNKNOWN_OPTION;
    is.option = (uint32_t)p.bytes.end;
    CHECK_EQ(rocecc_srv6_pe_problem(&p, &is, &h), ROCECC_NO_MATCH);
    is.option++;
    CHECK_EQ(rocecc_srv6_pe_problem(&p, &is, &h), ROCECC_NO_MATCH);
    shorten(&p.headers.ip);
    is.verdict = ROCECC_SRV6_PE_UNEXPECTED_UPPER;
    CHECK_EQ(rocecc_srv6_pe_problem(&p, &is, &h), ROCECC_NO_MATCH);
    CHECK(memcmp(&h, &was, sizeof h) == 0);
    p = packet_of(&d, DATA6);
    CHECK_EQ(rocecc_srv6_pe_problem(&p, &is, &h), ROCECC_OK);
    CHECK_EQ(h.pointer, 40);
}

/* What is not IP has the class of its tag, whatever DSCPs are trusted; and 0 without
 * the tag's bytes. */
TEST(kept_where_of_a_class)
{
    rocecc_domain d = ROCECC_ZERO;
    rocecc_flow_control_config c = ROCECC_ZERO;
    rocecc_packet p =
        packet_of(&d, "020000000001 020000000002 8100a064 0806 0001 0800 0604 0001");
    rocecc_pause_traffic x = ROCECC_ZERO;
    c.trust_dscp = true;
    c.class_of[0] = 3;
    CHECK_EQ(p.headers.n_vlan, 1);
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 5);
    p.headers.vlan[0] = (uint8_t)p.bytes.end;
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 0);
}
