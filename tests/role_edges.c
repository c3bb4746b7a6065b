/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * role_edges.c - what roles make of values at the edge of what there is: priorities
 * above 7, a limit that is off, instructions that are reserved.
 */
#include "../examples/lib/vec.h"
#include "lib/test.h"
#include "rocecc/role/congestion_point.h"
#include "rocecc/role/reaction_point.h"
#include "rocecc/telemetry/path.h"

#include <stdio.h>
#include <string.h>

static rocecc_reader bytes_of(const char *hex, uint8_t *b)
{
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    return rocecc_reader_of(b, b + n);
}

/* A CNP of RoCEv2 over IPv6. */
#define CNP                                                                            \
    "6c000000 00281140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000" \
    "00000002 c12312b7 00280000 8100ffff 40123456 00000000 00000000 00000000 00000000" \
    "00000000 8f6a5c9b"

/* There are priorities 0 to 7; a bit of qcn_priorities is for each of them alone. */
TEST(role_edges_no_such_priority)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    uint8_t b[256], out[256];
    const rocecc_reader r = bytes_of(CNP, b);
    unsigned priority;
    rocecc_packet p;
    (void)rocecc_packet_parse(&d, r, &p);
    for (priority = 0; priority < 256; priority++) {
        rocecc_congestion_config c;
        rocecc_congestion_point s;
        rocecc_congestion_event e;
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_congestion_result got;
        memset(&c, 0, sizeof c);
        memset(&s, 0, sizeof s);
        memset(&e, 0, sizeof e);
        c.qcn_priorities = 0xff;
        e.priority = (uint8_t)priority;
        e.qcn.cnm = true;
        got = rocecc_congestion_point_step(&c, &s, &p, &e, &w);
        test_at("priority", priority, 0, 0);
        CHECK_EQ(got.reason == ROCECC_CONGESTION_NOT_ASKED, priority >= 8);
        CHECK_EQ(got.outputs, 0);
    }
}

/* A rate of 0 is no limit, whatever the burst is. */
TEST(role_edges_no_limit)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(CNP, b);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_packet p;
    int i;
    memset(&c, 0, sizeof c);
    c.ordinary_limit.burst = 5;
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &nobody), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    (void)rocecc_packet_parse(&d, r, &p);
    for (i = 0; i < 20; i++) {
        const rocecc_reaction_event e = {0, &nobody, 0, NULL, 0};
        rocecc_reaction_result out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
    }
}

/* A `where` that was kept, of an IP header that is not whole now: what nobody can read
 * the destination of is no CNP for this host. */
TEST(role_edges_a_kept_where_of_half_a_header)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    const rocecc_reaction_event e = {0, &nobody, 0, NULL, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(CNP, b);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_reaction_result out;
    rocecc_packet p;
    memset(&c, 0, sizeof c);
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &nobody), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
    p.headers.ip.upper = (uint16_t)(p.headers.ip.offset + ROCECC_IPV6_BYTES - 1);
    rocecc_reaction_point_find_host(&c, &p, &out); /* its verdict is final */
    CHECK_EQ(out.verdict, ROCECC_REACTION_MALFORMED);
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_MALFORMED);
    p.headers.ip.upper++;
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
}

/* The same of the limit of each source: no bucket is asked for a token. */
TEST(role_edges_no_limit_of_a_source)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_acl_entry any;
    rocecc_acl access;
    rocecc_tokenbucket empty;
    uint8_t b[256];
    const rocecc_reader r = bytes_of(CNP, b);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_packet p;
    uint32_t at;
    int i;
    memset(&c, 0, sizeof c);
    memset(&any, 0, sizeof any);
    memset(&empty, 0, sizeof empty);
    any.permit = 1; /* ::/0 */
    CHECK_EQ(rocecc_acl_init(&access, &any, 1, &at), ROCECC_ACL_ACCEPTED);
    c.ordinary_listed = true;
    c.source_limit.burst = 5;
    c.source_limit.rate_per_s = 1; /* at first */
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &access), ROCECC_REACTION_ACCEPTED);
    c.source_limit.rate_per_s = 0;
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &access), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    (void)rocecc_packet_parse(&d, r, &p);
    for (i = 0; i < 20; i++) {
        const rocecc_reaction_event e = {0, &access, 0, &empty, 1};
        rocecc_reaction_result out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
        CHECK(out.listed);
    }
}

/* The same of the limit of ordinary CNPs, which was on before: a rate of 0 is no limit,
 * whatever has been prepared of another one. */
TEST(role_edges_a_limit_that_was_on)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    const rocecc_reaction_event e = {0, &nobody, 0, NULL, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(CNP, b);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_reaction_result out;
    rocecc_packet p;
    int i;
    memset(&c, 0, sizeof c);
    c.ordinary_limit.rate_per_s = 1;
    c.ordinary_limit.burst = 5;
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &nobody), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    (void)rocecc_packet_parse(&d, r, &p);
    for (i = 0; i < 6; i++) {
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict,
                 i < 5 ? ROCECC_REACTION_ORDINARY : ROCECC_REACTION_RATE_LIMITED);
    }
    c.ordinary_limit.rate_per_s = 0;
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &nobody), ROCECC_REACTION_ACCEPTED);
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
}

/* Only a Fast CNP names the receiver of its flow, and FLOW is a verdict on one: an
 * ordinary CNP is judged by peer, ICRC, list and limit, even from the address that no
 * option has said. */
TEST(role_edges_an_ordinary_cnp_names_no_receiver)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    const rocecc_reaction_event unknown = {0, &nobody, ROCECC_REACTION_PEER_UNKNOWN,
                                           NULL, 0};
    const rocecc_reaction_event stranger = {0, &nobody, ROCECC_REACTION_PEER_NO, NULL,
                                            0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(CNP, b);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_reaction_result out;
    rocecc_packet p;
    memset(&c, 0, sizeof c);
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &nobody), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    memset(b + 8, 0, 16); /* from :: */
    (void)rocecc_packet_parse(&d, r, &p);
    rocecc_reaction_point_step(&c, &s, &p, &unknown, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
    rocecc_reaction_point_step(&c, &s, &p, &stranger, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_SUSPICIOUS);
}
