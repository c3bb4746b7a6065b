/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/reaction_point.h"
#include "lib/guard.h"
#include "lib/kept.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "../../examples/lib/vec.h"
#include "rocecc/algo/dcqcn.h"

#include <stdio.h>
#include <string.h>

#define MS UINT64_C(1000000)

/* Of vectors/fastcnp.vec (b-plain, b-a) and vectors/cnp.vec (v6, v4). */
#define IP6_TO "20010db8 00010000 00000000 00000010"
#define SWITCH "20010db8 ffff0000 00000000 00000001"
#define ADDR "20010db8 00020000 00000000 00000020"
#define UDP_CNP                                                                        \
    "c12312b7 00280000 8100ffff 4000abcd 00000000 00000000 00000000 00000000"
#define PLAIN                                                                          \
    "6c000000 00403c40" SWITCH IP6_TO "11029e10" ADDR "01020000" UDP_CNP               \
    "00000000 627652e7"
#define IOAM                                                                           \
    "6c000000 00583c40" SWITCH IP6_TO "11050100 9f2a0000 00001000 82000000 3e000103"   \
    "00000800 3f000102 00001000" ADDR UDP_CNP "00000000 f468fdcd"
#define V6                                                                             \
    "6c000000 00281140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000" \
    "00000002 c12312b7 00280000 8100ffff 40123456 00000000 00000000 00000000 00000000" \
    "00000000 8f6a5c9b"
#define V4                                                                             \
    "45c0003c 00004000 4011b5ed c0000201 c0000202 c12312b7 00280000 8100ffff 40123456" \
    "00000000 00000000 00000000 00000000 00000000 6dfc2138"

/* A packet of which some bytes are other ones. */
typedef struct packet {
    uint8_t bytes[VEC_BYTES];
    size_t n;
} packet;

static packet packet_of_hex(const char *hex)
{
    packet p;
    CHECK(vec_hex(hex, p.bytes, &p.n));
    return p;
}

static packet patch(packet p, size_t at, const char *hex)
{
    uint8_t bytes[VEC_BYTES];
    size_t n = 0;
    CHECK(vec_hex(hex, bytes, &n) && at + n <= p.n);
    memcpy(p.bytes + at, bytes, n);
    return p;
}

/* A Fast CNP whose Destination Options header is this one. */
static packet header(const char *hex)
{
    const packet head = packet_of_hex("6c000000 00003c40" SWITCH IP6_TO);
    const packet tail = packet_of_hex(UDP_CNP "00000000 00000000");
    packet p = packet_of_hex(hex);
    memmove(p.bytes + 40, p.bytes, p.n);
    memcpy(p.bytes, head.bytes, 40);
    memcpy(p.bytes + 40 + p.n, tail.bytes, tail.n);
    p.bytes[4] = (uint8_t)((p.n + tail.n) >> 8);
    p.bytes[5] = (uint8_t)(p.n + tail.n);
    p.n += 40 + tail.n;
    return p;
}

typedef struct gate {
    rocecc_reaction_config c;
    rocecc_domain domain;
    rocecc_acl_entry entries[2];
    rocecc_acl access;
    rocecc_reaction_point s;
    rocecc_tokenbucket sources[2];
    rocecc_reaction_peer peer;
    uint64_t now_ns;
} gate;

/* IP first, IFA and INT in use, and no Fast CNP yet. */
static void set_domain(rocecc_domain *d)
{
    d->link = ROCECC_LINK_IP;
    d->ifa.protocol = TELL_PROTOCOL;
    d->ifa.layout_a = 1;
    d->intmd.udp_port = TELL_PORT;
}

/* 2001:db8:ffff::/48 may send, two at once and 1000 in a second. */
static void open_gate(gate *g)
{
    const rocecc_ip6 net = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}};
    uint32_t at;
    memset(g, 0, sizeof *g);
    set_domain(&g->domain);
    g->domain.fastcnp = law_fastcnp_config(0);
    g->c.fastcnp_enabled = true;
    g->c.check_icrc = true;
    g->c.limit.rate_per_s = 1000;
    g->c.limit.burst = 2;
    g->entries[0].prefix = net;
    g->entries[0].length = 48;
    g->entries[0].permit = 1;
    g->entries[0].tag = 77;
    CHECK_EQ(rocecc_acl_init(&g->access, g->entries, 1, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_reaction_point_init(&g->c, &g->domain, &g->access),
             ROCECC_REACTION_ACCEPTED);
    g->s = rocecc_reaction_point_start(&g->c, 0);
    for (at = 0; at < ROCECC_REACTION_VERDICTS; at++)
        CHECK_EQ(g->s.count[at], 0);
}

/* Of a packet at which nobody has looked further: 0, or the default. */
static void untouched(const rocecc_reaction_result *out)
{
    CHECK(!out->listed && out->tag == 0);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out->cnp,
                 "dscp=48 hop_limit=64 pkey=0xffff becn=1");
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out->option, "kind=plain");
}

/* One verdict, one counter, and a token for what passed alone; before a guard page. */
static rocecc_reaction_result step(gate *g, packet p, rocecc_reaction_verdict verdict)
{
    const rocecc_reaction_event e = {g->now_ns, &g->access, g->peer, g->sources, 2};
    const uint8_t *at = guard_end(p.bytes, p.n);
    const rocecc_reader r = rocecc_reader_of(at, at + p.n);
    const rocecc_reaction_point was = g->s;
    const bool fast =
        verdict == ROCECC_REACTION_FAST_PLAIN || verdict == ROCECC_REACTION_FAST_IOAM;
    const rocecc_ip6 none = {{0}};
    rocecc_reaction_result out;
    rocecc_packet f;
    int i;
    (void)rocecc_packet_parse(&g->domain, r, &f);
    memset(&out, 0xa5, sizeof out);
    rocecc_reaction_point_step(&g->c, &g->s, &f, &e, &out);
    CHECK_EQ(out.verdict, verdict);
    if (verdict == ROCECC_REACTION_NOT_A_CNP) {
        untouched(&out);
        CHECK(out.option.trace_bytes == 0 && out.option.trace_at == 0);
    }
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        CHECK_EQ(g->s.count[i], was.count[i] + (i == (int)verdict));
    if (!fast) {
        CHECK_EQ(out.key.remote_qp, 0);
        CHECK(memcmp(&out.key.remote, &none, 16) == 0);
        if (verdict != ROCECC_REACTION_RATE_LIMITED)
            CHECK(memcmp(&g->s.bucket, &was.bucket, sizeof was.bucket) == 0);
        else
            CHECK(g->s.bucket.level_e9 >= was.bucket.level_e9);
    } else if (!g->c.unlimited && g->now_ns == was.bucket.last_ns) {
        CHECK_EQ(g->s.bucket.level_e9 + ROCECC_TOKENBUCKET_ONE_E9, was.bucket.level_e9);
    }
    return out;
}

/* A gate that is open, and what it says of one packet. */
/* BAD_ARRIVAL, for this reason. */
static rocecc_reaction_result refused(gate *g, packet p, rocecc_arrival_verdict reason)
{
    const rocecc_reaction_result out = step(g, p, ROCECC_REACTION_BAD_ARRIVAL);
    CHECK_EQ(out.arrival, reason);
    return out;
}

static void expect_refusal(const char *name, packet p, rocecc_arrival_verdict reason)
{
    gate g;
    open_gate(&g);
    g.c.check_icrc = false;
    test_context("%s", name);
    (void)refused(&g, p, reason);
}

static void expect_verdict(const char *name, packet p, rocecc_reaction_verdict verdict)
{
    gate g;
    open_gate(&g);
    g.c.check_icrc = false;
    test_context("%s", name);
    (void)step(&g, p, verdict);
}

TEST(FC_05_by_the_option)
{
    gate g;
    open_gate(&g);
    for (g.peer = ROCECC_REACTION_PEER_UNKNOWN; g.peer <= ROCECC_REACTION_PEER_NO;
         g.peer++) {
        const bool yes = g.peer == ROCECC_REACTION_PEER_YES,
                   no = g.peer == ROCECC_REACTION_PEER_NO;
        rocecc_reaction_result out;
        g.now_ns += 100 * MS;
        out = step(&g, packet_of_hex(PLAIN),
                   yes ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_FAST_PLAIN);
        CHECK_EQ(out.cnp.src.b[5], 0xff); /* whom to tell of */
        (void)step(&g, packet_of_hex(IOAM),
                   yes ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_FAST_IOAM);
        out = step(&g, packet_of_hex(V6),
                   no ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_ORDINARY);
        CHECK_EQ(out.cnp.dest_qp, 0x123456);
        (void)step(&g, packet_of_hex(V4),
                   no ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_ORDINARY);
    }
}

TEST(FC_06_the_switch_is_told)
{
    gate g;
    rocecc_reaction_result out;
    const packet p = packet_of_hex(PLAIN);
    open_gate(&g);
    out = step(&g, p, ROCECC_REACTION_FAST_PLAIN);
    CHECK(memcmp(&out.cnp.src, p.bytes + 8, 16) == 0);
    CHECK(out.listed);
    CHECK_EQ(out.tag, 77);
}

/* All that a gate says of the rows: nothing of one kind of CNP is said of the other. */
TEST(reaction_whole)
{
    gate g;
    rocecc_reaction_result out;
    open_gate(&g);
    out = step(&g, packet_of_hex(IOAM), ROCECC_REACTION_FAST_IOAM);
    CHECK(out.listed && out.tag == 77);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out.cnp,
                 "src=2001:db8:ffff::1 dst=2001:db8:1::10 dscp=48 hop_limit=64 "
                 "src_port=0xc123 pkey=0xffff becn=1 dest_qp=0xabcd");
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out.option,
                 "kind=ioam flow_dst=2001:db8:2::20 at=44 trace_at=48 trace_bytes=24");
    out = step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    CHECK(out.listed && out.tag == 77);
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out.option,
                 "kind=plain flow_dst=2001:db8:2::20 at=42");
    out = step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    CHECK(!out.listed && out.tag == 0);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out.cnp,
                 "src=2001:db8::1 dst=2001:db8::2 dscp=48 hop_limit=64 src_port=0xc123 "
                 "pkey=0xffff becn=1 dest_qp=0x123456");
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out.option, "kind=plain");
}

/* A Fast CNP has a key, an ordinary CNP has the host's own QP and no key. */
TEST(FC_07_dest_qp_is_the_receivers)
{
    gate g;
    rocecc_reaction_result out;
    open_gate(&g);
    out = step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    CHECK_EQ(out.key.remote_qp, 0xabcd);
    out = step(&g, packet_of_hex(V6),
               ROCECC_REACTION_ORDINARY); /* step() looks for no key */
    CHECK_EQ(out.cnp.dest_qp, 0x123456);
}

/* Where the flow goes, and its receiver's QP; not where the CNP came from or went. */
TEST(FC_16_key)
{
    gate g;
    rocecc_reaction_result out;
    rocecc_reader trace;
    const packet p = packet_of_hex(IOAM);
    open_gate(&g);
    CHECK_EQ(sizeof out.key, 20);
    out = step(&g, p, ROCECC_REACTION_FAST_IOAM);
    CHECK(memcmp(&out.key.remote, p.bytes + 72, 16) == 0);
    CHECK_EQ(out.key.remote_qp, 0xabcd);
    CHECK_EQ(out.option.trace_bytes, 24);
    trace = rocecc_fastcnp_trace(rocecc_reader_of(p.bytes, p.bytes + p.n), &out.option);
    CHECK(rocecc_ioam_trace_match(out.option.opt_type, trace));
    g.c.check_icrc = false;
    out =
        step(&g, patch(packet_of_hex(PLAIN), 77, "fedcba"), ROCECC_REACTION_FAST_PLAIN);
    CHECK_EQ(out.key.remote_qp, 0xfedcba);
    CHECK_EQ(out.option.trace_bytes, 0);
}

TEST(FC_17_no_domain_no_fast_cnp)
{
    gate g;
    rocecc_acl none = {NULL, 0, 0};
    open_gate(&g);
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &none),
             ROCECC_REACTION_REFUSED_DOMAIN);
    g.c.fastcnp_enabled = false;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &none),
             ROCECC_REACTION_ACCEPTED);
}

TEST(FC_18_limit)
{
    gate g;
    rocecc_reaction_config c;
    int i;
    open_gate(&g);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, packet_of_hex(IOAM), ROCECC_REACTION_FAST_IOAM);
    for (i = 0; i < 5; i++) {
        const rocecc_reaction_result out =
            step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_RATE_LIMITED);
        CHECK(out.listed && out.tag == 77); /* which switch it is that floods */
    }
    (void)step(&g, packet_of_hex(V6),
               ROCECC_REACTION_ORDINARY); /* no switch: no limit */
    g.now_ns += MS - 1;
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_RATE_LIMITED);
    g.now_ns += 1;
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_RATE_LIMITED);
    /* On by default: without a rate it has to be turned off by name. */
    c = g.c;
    c.limit.rate_per_s = 0;
    CHECK_EQ(rocecc_reaction_point_init(&c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_LIMIT);
    c.unlimited = true;
    CHECK_EQ(rocecc_reaction_point_init(&c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    g.c.unlimited = true;
    for (i = 0; i < 100; i++)
        (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
}

/* What is refused takes no token: after it all of them are there. */
TEST(FC_18_the_bucket_is_asked_last)
{
    gate g;
    int i;
    open_gate(&g);
    for (i = 0; i < 50; i++) {
        (void)step(&g, patch(packet_of_hex(PLAIN), 8, "3fff"),
                   ROCECC_REACTION_ACCESS_DENIED);
        (void)refused(&g, patch(packet_of_hex(PLAIN), 8, "ff02"),
                      ROCECC_ARRIVAL_BAD_SOURCE);
        (void)step(&g, patch(packet_of_hex(PLAIN), 103, "00"),
                   ROCECC_REACTION_BAD_ICRC);
        (void)step(&g, patch(packet_of_hex(PLAIN), 43, "11"),
                   ROCECC_REACTION_MALFORMED);
        (void)refused(&g, patch(packet_of_hex(PLAIN), 42, "9d"),
                      ROCECC_ARRIVAL_UNKNOWN_OPTION);
        (void)step(&g, patch(packet_of_hex(PLAIN), 72, "04"),
                   ROCECC_REACTION_UNEXPECTED_OPCODE);
        g.peer = ROCECC_REACTION_PEER_YES;
        (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_SUSPICIOUS);
        g.peer = ROCECC_REACTION_PEER_UNKNOWN;
    }
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_RATE_LIMITED);
}

TEST(FC_19_access_list)
{
    gate g;
    rocecc_reaction_result out;
    open_gate(&g);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    out = step(&g, patch(packet_of_hex(PLAIN), 13, "fe"),
               ROCECC_REACTION_ACCESS_DENIED); /* beside it */
    CHECK(!out.listed && out.tag == 0);
    g.entries[0].permit = 0;
    out = step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_ACCESS_DENIED);
    CHECK(out.listed && out.tag == 77);
    g.entries[0].permit = 1;
    g.access.n = 0; /* empty: deny all */
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_ACCESS_DENIED);
    (void)step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
}

TEST(FC_21_switch)
{
    gate g;
    open_gate(&g);
    g.c.fastcnp_enabled = false;
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_DISABLED);
    (void)step(&g, packet_of_hex(IOAM), ROCECC_REACTION_DISABLED);
    (void)step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    (void)step(&g, patch(packet_of_hex(PLAIN), 72, "04"), ROCECC_REACTION_NOT_A_CNP);
    g.c.fastcnp_enabled = true;
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
}

/* All 0: no types, no list, no limit, and yet it is off and not broken. */
TEST(FC_22_off_by_default)
{
    gate g;
    memset(&g, 0, sizeof g);
    set_domain(&g.domain);
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    g.s = rocecc_reaction_point_start(&g.c, 0);
    (void)refused(&g, packet_of_hex(PLAIN), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    (void)refused(&g, packet_of_hex(IOAM), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    (void)step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    (void)step(&g, packet_of_hex(V4), ROCECC_REACTION_ORDINARY);
    g.c.fastcnp_enabled = true; /* and no more: refused, and if not asked, still shut */
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_TYPES);
    (void)refused(&g, packet_of_hex(PLAIN), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    g.domain.fastcnp = law_fastcnp_config(0);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_ACCESS_DENIED);
}

/* FC-23: what RFC 8200 and what hides in it. */
TEST(FC_23_bad_options)
{
    expect_verdict("two", header("11059e10" ADDR "01020000 9e10" ADDR "01040000 0000"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict(
        "one of each",
        header("11069e10" ADDR "01020000 9f1a 0000 00001000 82000000" ADDR "0102 0000"),
        ROCECC_REACTION_MALFORMED);
    expect_verdict("none", header("1100 0104 00000000"), ROCECC_REACTION_ORDINARY);
    expect_verdict("short", header("11029e0f" ADDR "01020000"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict("long", header("11029e11" ADDR "00010100"),
                   ROCECC_REACTION_MALFORMED);
    expect_refusal("overrun", header("11029e15" ADDR "00000000"),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_refusal("overrun by all", header("11029eff" ADDR "00000000"),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_verdict("header overruns", patch(packet_of_hex(PLAIN), 41, "ff"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_refusal("behind padding",
                   header("1103 00000000 00000000 9e10" ADDR "01020000"),
                   ROCECC_ARRIVAL_UNSUPPORTED);
    expect_refusal("behind a PadN",
                   header("1103 0106 00000000 00000000 9e10" ADDR "0000"),
                   ROCECC_ARRIVAL_UNSUPPORTED);
    expect_refusal("padding that speaks", header("1102 0102 0001 9e10" ADDR),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_refusal("unknown beside it",
                   header("1103 9e10" ADDR "1e02 0000 c106 0000 0000 0000"),
                   ROCECC_ARRIVAL_UNKNOWN_OPTION);
    expect_verdict("unknown, to be skipped",
                   header("1103 9e10" ADDR "1e04 0000 0000 0104 0000 0000"),
                   ROCECC_REACTION_FAST_PLAIN);
    expect_refusal(
        "nine options",
        header("1104 9e10" ADDR "1e00 1e00 1e00 1e00 1e00 1e00 1e00 1e00 0000 0000"),
        ROCECC_ARRIVAL_UNSUPPORTED);
}

/* FC-23: lengths of a trace that contradict each other, and one beyond 239 bytes. */
TEST(FC_23_bad_trace)
{
    packet p = header("11050100 9f2a0000 00001000 82000000 3e000103 00000800 3f000102"
                      "00001000" ADDR);
    char hex[2 * 264 + 1] = "11209fff";
    size_t i;
    expect_verdict("good", p, ROCECC_REACTION_FAST_IOAM);
    expect_verdict("NodeLen 1", patch(p, 50, "08"), ROCECC_REACTION_MALFORMED);
    expect_verdict("RemainingLen 5", patch(p, 51, "05"), ROCECC_REACTION_MALFORMED);
    expect_verdict("three nodes' bits", patch(p, 52, "c2"), ROCECC_REACTION_MALFORMED);
    expect_verdict("no kind of trace", patch(p, 47, "02"), ROCECC_REACTION_MALFORMED);
    expect_verdict("no trace", header("11029f10" ADDR "01020000"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict(
        "one word less",
        header("11050100 9f28 0000 00001000 82000000 3e000103 00000800 3f000102"
               "0000" ADDR "00 00"),
        ROCECC_REACTION_MALFORMED);
    /* 241 bytes and the address do not fit: the 255 that do are no whole words. */
    for (i = 4; i < 264; i++)
        strcat(hex, "00");
    expect_verdict("239 bytes", header(hex), ROCECC_REACTION_MALFORMED);
}

TEST(FC_23_bad_source)
{
    expect_refusal(
        "::", patch(packet_of_hex(PLAIN), 8, "00000000 00000000 00000000 00000000"),
        ROCECC_ARRIVAL_BAD_SOURCE);
    expect_refusal(
        "::1", patch(packet_of_hex(PLAIN), 8, "00000000 00000000 00000000 00000001"),
        ROCECC_ARRIVAL_BAD_SOURCE);
    expect_refusal("multicast", patch(packet_of_hex(PLAIN), 8, "ff02"),
                   ROCECC_ARRIVAL_BAD_SOURCE);
    expect_refusal(
        "IPv4", patch(packet_of_hex(PLAIN), 8, "00000000 00000000 0000ffff c0000201"),
        ROCECC_ARRIVAL_BAD_SOURCE);
    expect_verdict(
        "::2", patch(packet_of_hex(PLAIN), 8, "00000000 00000000 00000000 00000002"),
        ROCECC_REACTION_ACCESS_DENIED);
}

/* What is no well-formed CNP, with an option and without. */
TEST(FC_23_bad_cnp)
{
    expect_verdict("TVer", patch(packet_of_hex(PLAIN), 73, "01"),
                   ROCECC_REACTION_UNSUPPORTED);
    expect_verdict("PadCnt", patch(packet_of_hex(PLAIN), 73, "10"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict("UDP Length", patch(packet_of_hex(PLAIN), 68, "0024"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict("TVer", patch(packet_of_hex(V6), 49, "01"),
                   ROCECC_REACTION_UNSUPPORTED);
    expect_verdict("PadCnt", patch(packet_of_hex(V6), 49, "10"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict("UDP Length", patch(packet_of_hex(V6), 44, "0024"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict("data", patch(packet_of_hex(V6), 48, "04"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("the CN of native IB", patch(packet_of_hex(V6), 48, "80"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("another port", patch(packet_of_hex(PLAIN), 66, "12b8"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("another opcode", patch(packet_of_hex(PLAIN), 72, "80"),
                   ROCECC_REACTION_UNEXPECTED_OPCODE);
    expect_verdict("nothing", packet_of_hex("-"), ROCECC_REACTION_NOT_A_CNP);
}

/* With IFA or INT in it a CNP is what it was without, of either kind. */
TEST(reaction_telemetry)
{
    int how;
    for (how = 0; how < TELL_HOWS; how++) {
        static const rocecc_reaction_verdict as_without[4] = {
            ROCECC_REACTION_FAST_PLAIN, ROCECC_REACTION_FAST_IOAM,
            ROCECC_REACTION_ORDINARY, ROCECC_REACTION_ORDINARY};
        packet cnps[4];
        gate g;
        int i;
        cnps[0] = packet_of_hex(PLAIN);
        cnps[1] = packet_of_hex(IOAM);
        cnps[2] = packet_of_hex(V6);
        cnps[3] = packet_of_hex(V4);
        for (i = 0; i < 4; i++) {
            const size_t n = cnps[i].n;
            cnps[i].n = tell(cnps[i].bytes, n, (tell_how)how);
            CHECK(cnps[i].n > n);
            open_gate(&g); /* which checks the ICRC */
            test_context("how %d, packet %d", how, i);
            (void)step(&g, cnps[i], as_without[i]);
            cnps[i].bytes[cnps[i].n - 1] ^= 1;
            (void)step(&g, cnps[i], ROCECC_REACTION_BAD_ICRC);
        }
    }
}

/*
 * The rate is another header's: what was admitted is its event, whichever the kind, and
 * what was not changes nothing.
 */
/* The packet with another header after IPv6; its first byte is what followed before. */
static packet after_ipv6(packet p, uint8_t type, const char *hex)
{
    packet h = packet_of_hex(hex);
    memmove(p.bytes + 40 + h.n, p.bytes + 40, p.n - 40);
    memcpy(p.bytes + 40, h.bytes, h.n);
    p.bytes[40] = p.bytes[6];
    p.bytes[6] = type;
    p.n += h.n;
    p.bytes[4] = (uint8_t)((p.n - 40) >> 8);
    p.bytes[5] = (uint8_t)(p.n - 40);
    return p;
}

/*
 * An option that nobody knows says by its act bits what a node does with the packet, in
 * a Hop-by-Hop header, too (RFC 8200, 4.2): such a CNP is not obeyed, whether or not
 * Fast CNP is in use.
 */
TEST(FC_23_options_of_every_header)
{
    static const struct {
        const char *hop_by_hop;
        rocecc_arrival_verdict arrival;
    } rows[] = {
        {"00001e04 00000000", ROCECC_ARRIVAL_OK},             /* act 00: skip over it */
        {"00005e04 00000000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* act 01 */
        {"00009e04 00000000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* act 10: TBD1 itself */
        {"0000de04 00000000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* act 11 */
        {"0000c204 00010000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* a jumbo payload */
        {"00000502 00000100", ROCECC_ARRIVAL_OK},             /* Router Alert, PadN */
        {"00013108 00000800 00000000 01020000", ROCECC_ARRIVAL_OK},          /* IOAM */
        {"00010104 00000000 00010000 01010000", ROCECC_ARRIVAL_UNSUPPORTED}, /* 8 pad */
        {"00010104 00000001 1e061e06 1e060000", ROCECC_ARRIVAL_BAD_OPTIONS}, /* not 0 */
        {"00001e05 00000000", ROCECC_ARRIVAL_BAD_OPTIONS},          /* overrun */
        {"00011e00 1e001e00 1e001e00 1e001e00", ROCECC_ARRIVAL_OK}, /* seven */
        {"00021e00 1e001e00 1e001e00 1e001e00 1e000104 00000000",
         ROCECC_ARRIVAL_OK}, /* eight */
        {"00021e00 1e001e00 1e001e00 1e001e00 1e001e00 01020000",
         ROCECC_ARRIVAL_UNSUPPORTED}, /* nine */
    };
    packet p;
    gate g;
    size_t i;
    int enabled;
    for (enabled = 0; enabled < 2; enabled++) {
        open_gate(&g);
        g.c.fastcnp_enabled = enabled != 0;
        g.c.check_icrc = false;
        for (i = 0; i < sizeof rows / sizeof *rows; i++)
            if (rows[i].arrival == ROCECC_ARRIVAL_OK)
                step(&g, after_ipv6(packet_of_hex(V6), 0, rows[i].hop_by_hop),
                     ROCECC_REACTION_ORDINARY);
            else
                refused(&g, after_ipv6(packet_of_hex(V6), 0, rows[i].hop_by_hop),
                        rows[i].arrival);
        p = after_ipv6(packet_of_hex(V6), 0, "00001e04 00000000");
        refused(&g,
                after_ipv6(p, 60, "00000104 00000000"), /* it is not the first one */
                ROCECC_ARRIVAL_UNKNOWN_HEADER);
    }
    /* and before an option that is one of a Fast CNP */
    step(&g, after_ipv6(packet_of_hex(PLAIN), 0, "00001e04 00000000"),
         ROCECC_REACTION_FAST_PLAIN);
    refused(&g, after_ipv6(packet_of_hex(PLAIN), 0, "0000de04 00000000"),
            ROCECC_ARRIVAL_UNKNOWN_OPTION);
}

/* An IPv4 header whose checksum is right again. */
static packet summed(packet p)
{
    rocecc_store16(p.bytes + 10,
                   rocecc_ipv4_checksum(rocecc_reader_of(p.bytes, p.bytes + 20)));
    return p;
}

/* A CNP that is on its way to another node, or to many, is not for this host. */
TEST(reaction_for_another_node)
{
    static const char *const left[] = {
        "00000401 00000000", /* an SRH of no segments, and yet one is left */
        "00020401 00000000 20010db8 00010000 00000000 00000010",
        "00020409 00000000 20010db8 00010000 00000000 00000010", /* above Last Entry */
        "00020001 00000000 20010db8 00010000 00000000 00000010", /* RH0: RFC 5095 */
        "0000fe01 00000000"};                                    /* of any type */
    gate g;
    packet p;
    size_t i;
    open_gate(&g);
    g.c.check_icrc = false;
    for (i = 0; i < sizeof left / sizeof *left; i++) {
        refused(&g, after_ipv6(packet_of_hex(V6), 43, left[i]),
                ROCECC_ARRIVAL_SEGMENTS_LEFT);
        refused(&g, after_ipv6(packet_of_hex(PLAIN), 43, left[i]),
                ROCECC_ARRIVAL_SEGMENTS_LEFT);
        p = after_ipv6(packet_of_hex(PLAIN), 43, left[i]);
        p.bytes[43] = 0; /* none is left, here and in a second one */
        step(&g, p, ROCECC_REACTION_FAST_PLAIN);
        g.now_ns += 2 * MS;
        refused(&g, after_ipv6(p, 43, left[i]), ROCECC_ARRIVAL_SEGMENTS_LEFT);
    }
    refused(&g, patch(packet_of_hex(PLAIN), 24, "ff020000 00000000 00000000 00000001"),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, patch(packet_of_hex(V6), 24, "ff020000 00000000 00000000 00000001"),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, patch(packet_of_hex(V6), 24, "00000000 00000000 00000000 00000000"),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, patch(packet_of_hex(V6), 24, "00000000 00000000 0000ffff 0a000001"),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, summed(patch(packet_of_hex(V4), 16, "e0000001")),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, summed(patch(packet_of_hex(V4), 16, "ffffffff")),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    step(&g, summed(patch(packet_of_hex(V4), 16, "df000001")),
         ROCECC_REACTION_ORDINARY);
}

/* A listed source inside of a tunnel from anybody: only where the host ends tunnels. */
TEST(reaction_in_a_tunnel)
{
    const packet outer =
        packet_of_hex("60000000 00002940 20010db8 99990000 00000000 00000001" IP6_TO);
    packet p = packet_of_hex(PLAIN);
    gate g;
    open_gate(&g);
    memmove(p.bytes + 40, p.bytes, p.n);
    memcpy(p.bytes, outer.bytes, 40);
    p.bytes[5] = (uint8_t)p.n;
    p.n += 40;
    step(&g, p, ROCECC_REACTION_UNEXPECTED_TUNNEL);
    g.c.tunnels = true;
    step(&g, p, ROCECC_REACTION_FAST_PLAIN);
    refused(&g, patch(p, 24, "ff020000 00000000 00000000 00000001"),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, patch(p, 64, "ff020000 00000000 00000000 00000001"),
            ROCECC_ARRIVAL_BAD_DESTINATION);
    refused(&g, after_ipv6(p, 43, "0000fe01 00000000"), ROCECC_ARRIVAL_SEGMENTS_LEFT);
    refused(&g, after_ipv6(p, 0, "0000de04 00000000"), ROCECC_ARRIVAL_UNKNOWN_OPTION);
}

/* A switch is on the way to the receiver of a flow, and never the receiver itself. */
TEST(FC_05_the_receiver_is_no_switch)
{
    gate g;
    open_gate(&g);
    g.c.check_icrc = false;
    step(&g, patch(packet_of_hex(PLAIN), 44, SWITCH),
         ROCECC_REACTION_SOURCE_IS_RECEIVER);
    step(&g, patch(packet_of_hex(PLAIN), 44, "20010db8 ffff0000 00000000 00000002"),
         ROCECC_REACTION_FAST_PLAIN);
}

/* The packet with an options header of so many bytes: one option, to be skipped over.
 */
static packet with_options(packet p, uint8_t type, size_t bytes)
{
    char hex[2 * 264 + 1];
    size_t i;
    (void)snprintf(hex, sizeof hex, "00%02zx1e%02zx", bytes / 8 - 1, bytes - 4);
    for (i = 4; i < bytes; i++)
        strcat(hex, "00");
    return after_ipv6(p, type, hex);
}

/* The work before anybody has verified a packet is bounded: 640 bytes of headers. */
TEST(reaction_extension_headers_are_few)
{
    const packet p = with_options(with_options(packet_of_hex(V6), 60, 248), 60, 248);
    gate g;
    open_gate(&g);
    g.c.check_icrc = false;
    CHECK_EQ(with_options(p, 0, 144).n, 40 + 640 + 40);
    step(&g, with_options(p, 0, 144), ROCECC_REACTION_ORDINARY);
    step(&g, with_options(p, 0, 152), ROCECC_REACTION_UNSUPPORTED);
    step(&g, with_options(after_ipv6(p, 43, "00000400 00000000"), 0, 144),
         ROCECC_REACTION_UNSUPPORTED);
}

/* Of ordinary CNPs: no list and no limit, unless the configuration has them. */
TEST(reaction_ordinary_listed_and_limited)
{
    gate g;
    rocecc_reaction_result out;
    uint32_t at;
    int i;
    open_gate(&g);
    for (i = 0; i < 100; i++)
        step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    g.c.ordinary_listed = true;
    out = step(&g, packet_of_hex(V6), ROCECC_REACTION_ACCESS_DENIED);
    CHECK(!out.listed && out.tag == 0);
    step(&g, packet_of_hex(V4), ROCECC_REACTION_ACCESS_DENIED);
    memcpy(g.entries[0].prefix.b, packet_of_hex(V6).bytes + 8, 16);
    g.entries[0].length = 128;
    CHECK_EQ(rocecc_acl_init(&g.access, g.entries, 1, &at), ROCECC_ACL_ACCEPTED);
    out = step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    CHECK(out.listed && out.tag == 77);
    g.c.ordinary_limit.rate_per_s = 1000;
    g.c.ordinary_limit.burst = 3;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    CHECK_EQ(g.c.ordinary_limit.full_ns, 3 * MS);
    g.s = rocecc_reaction_point_start(&g.c, 0);
    CHECK_EQ(g.s.ordinary.level_e9, 3 * ROCECC_TOKENBUCKET_ONE_E9);
    for (i = 0; i < 3; i++)
        step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    step(&g, packet_of_hex(V6), ROCECC_REACTION_RATE_LIMITED);
    g.now_ns = 1 * MS;
    step(&g, patch(packet_of_hex(V6), 79, "00"),
         ROCECC_REACTION_BAD_ICRC); /* takes no token */
    step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    step(&g, packet_of_hex(V6), ROCECC_REACTION_RATE_LIMITED);
}

/* The ICRC of a frame that is complete but for it. */
static packet icrc(packet p)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_packet at;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(p.bytes, p.bytes + p.n), &at);
    CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_MASKED, &at,
                                 rocecc_writer_of(p.bytes, p.bytes + p.n)),
             ROCECC_OK);
    return p;
}

/*
 * Two switches on the list, of which one has gone mad, or somebody forges its address:
 * 100,000 a second, of a right and of a wrong ICRC. The other one sends 100 a second
 * and loses none; and of the mad one no more are verified than it may send.
 */
TEST(FC_18_a_mad_switch_silences_nobody)
{
    const packet mad =
        icrc(patch(packet_of_hex(PLAIN), 8, "20010db8 ffff0000 00000000 00000002"));
    const packet forged = patch(mad, mad.n - 4, "00000000");
    const packet honest = packet_of_hex(PLAIN);
    int wrong, limited;
    uint32_t at;
    gate g;
    for (wrong = 0; wrong < 2; wrong++) {
        for (limited = 0; limited < 2; limited++) {
            unsigned lost = 0, i;
            open_gate(&g);
            memcpy(g.entries[0].prefix.b, mad.bytes + 8, 16);
            memcpy(g.entries[1].prefix.b, honest.bytes + 8, 16);
            g.entries[0].length = g.entries[1].length = 128;
            g.entries[1].permit = 1;
            g.entries[0].tag = 0;
            g.entries[1].tag = 1;
            CHECK_EQ(rocecc_acl_init(&g.access, g.entries, 2, &at),
                     ROCECC_ACL_ACCEPTED);
            g.c.limit.burst = 20;
            g.c.source_limit.rate_per_s = limited != 0 ? 500 : 0;
            g.c.source_limit.burst = 10;
            CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
                     ROCECC_REACTION_ACCEPTED);
            g.s = rocecc_reaction_point_start(&g.c, 0);
            for (i = 0; i < 2; i++)
                g.sources[i] = rocecc_tokenbucket_start(&g.c.source_limit, 0);
            for (i = 0; i < 100000; i++) {
                const bool now = i % 1000 == 555;
                const packet *p = now ? &honest : wrong != 0 ? &forged : &mad;
                const rocecc_reaction_event e = {i * UINT64_C(10000), &g.access,
                                                 ROCECC_REACTION_PEER_UNKNOWN,
                                                 g.sources, 2};
                rocecc_reaction_result out;
                rocecc_packet f;
                (void)rocecc_packet_parse(
                    &g.domain, rocecc_reader_of(p->bytes, p->bytes + p->n), &f);
                rocecc_reaction_point_step(&g.c, &g.s, &f, &e, &out);
                if (now && out.verdict != ROCECC_REACTION_FAST_PLAIN) lost++;
            }
            if (limited != 0) {
                CHECK_EQ(lost, 0);
                CHECK(g.s.count[ROCECC_REACTION_BAD_ICRC] +
                          g.s.count[ROCECC_REACTION_FAST_PLAIN] <=
                      500 + 10 + 100);
            } else {
                CHECK_EQ(lost > 90, wrong == 0); /* one bucket for all is not enough */
            }
        }
    }
    /* a tag without a bucket: the limit of all alone */
    g.c.source_limit.rate_per_s = 500;
    g.entries[0].tag = 2;
    g.now_ns = UINT64_C(5000000000);
    g.sources[0].level_e9 = g.sources[1].level_e9 = 0;
    step(&g, mad, ROCECC_REACTION_FAST_PLAIN);
}

TEST(FC_25_rate_control_is_apart)
{
    static const char *const packets[] = {V6, PLAIN, IOAM};
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(100000000000);
    unsigned i, listed;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    for (i = 0; i < 3; i++)
        for (listed = 0; listed < 2; listed++) {
            rocecc_dcqcn flow = rocecc_dcqcn_start(&p);
            uint64_t rate_bps = 100000000000;
            const bool cut = i == 0 || listed;
            rocecc_reaction_result out;
            gate g;
            open_gate(&g);
            g.access.n = listed;
            out = step(&g, packet_of_hex(packets[i]),
                       !cut     ? ROCECC_REACTION_ACCESS_DENIED
                       : i == 0 ? ROCECC_REACTION_ORDINARY
                       : i == 1 ? ROCECC_REACTION_FAST_PLAIN
                                : ROCECC_REACTION_FAST_IOAM);
            if (out.verdict >= ROCECC_REACTION_ORDINARY &&
                out.verdict <= ROCECC_REACTION_FAST_IOAM)
                rate_bps = rocecc_dcqcn_cnp(&p, &flow).rate_bps;
            CHECK_EQ(rate_bps, cut ? 50000000000 : 100000000000);
        }
}

/* Two checks fail, or all from one on: the earlier is told. */
TEST(reaction_order_of_checks)
{
    gate g;
    packet p = packet_of_hex(PLAIN);
    open_gate(&g);
    g.peer = ROCECC_REACTION_PEER_YES;
    g.s.bucket.level_e9 = 0;
    g.c.fastcnp_enabled = false;
    p.bytes[p.n - 1] ^= 1;                   /* ICRC */
    p = patch(p, 8, "ff02");                 /* source, then not on the list */
    p = patch(patch(p, 43, "11"), 73, "10"); /* option, PadCnt */
    (void)refused(&g, p, ROCECC_ARRIVAL_BAD_SOURCE);
    p = patch(p, 8, "3fff");
    (void)step(&g, p, ROCECC_REACTION_DISABLED);
    g.c.fastcnp_enabled = true;
    (void)step(&g, p, ROCECC_REACTION_MALFORMED);
    p = patch(p, 43, "10");
    (void)step(&g, p, ROCECC_REACTION_MALFORMED);
    p = patch(p, 73, "00");
    (void)step(&g, p, ROCECC_REACTION_SUSPICIOUS);
    g.peer = ROCECC_REACTION_PEER_NO;
    (void)step(&g, p, ROCECC_REACTION_ACCESS_DENIED);
    p = patch(p, 8, "2001");
    (void)step(&g, p, ROCECC_REACTION_BAD_ICRC);
    p.bytes[p.n - 1] ^= 1;
    (void)step(&g, p, ROCECC_REACTION_RATE_LIMITED);
    g.now_ns = 2 * MS;
    (void)step(&g, p, ROCECC_REACTION_FAST_PLAIN);
    p = packet_of_hex(V6); /* an ordinary one */
    p.bytes[p.n - 1] ^= 1;
    (void)step(&g, p, ROCECC_REACTION_SUSPICIOUS);
    g.peer = ROCECC_REACTION_PEER_UNKNOWN;
    (void)step(&g, p, ROCECC_REACTION_BAD_ICRC);
    (void)step(&g, patch(p, 49, "10"), ROCECC_REACTION_MALFORMED);
    g.c.check_icrc = false;
    (void)step(&g, p, ROCECC_REACTION_ORDINARY);
}

/* Every prefix: only the whole packet passes, and nothing is read behind its end. */
TEST(reaction_prefixes)
{
    const packet whole = packet_of_hex(IOAM);
    packet p = whole;
    for (p.n = 0; p.n < whole.n; p.n++)
        if (p.n < 40 + 48 + 20)
            expect_verdict("a prefix", p, ROCECC_REACTION_NOT_A_CNP);
        else
            expect_refusal("a prefix", p, ROCECC_ARRIVAL_PARTIAL);
    expect_verdict("whole", p, ROCECC_REACTION_FAST_IOAM);
}

/* ICRC rules by which no Fast CNP, or nothing at all, could be right. */
TEST(reaction_refusals)
{
    unsigned rule, bits;
    for (rule = 0; rule < 9; rule++)
        for (bits = 0; bits < 4; bits++) {
            const bool checked = bits & 1, enabled = bits >> 1;
            rocecc_reaction_refusal refusal = ROCECC_REACTION_ACCEPTED;
            gate g;
            open_gate(&g);
            g.c.check_icrc = checked;
            g.c.fastcnp_enabled = enabled;
            g.c.icrc_rule = (rocecc_icrc_rule)rule;
            if (checked &&
                (rule >= ROCECC_ICRC_NONE || (enabled && rule == ROCECC_ICRC_STANDARD)))
                refusal = ROCECC_REACTION_REFUSED_RULE;
            CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access), refusal);
        }
}

/* A verdict that find() never gives is not counted, and nothing is judged. */
TEST(reaction_refusals_of_limits)
{
    gate g;
    rocecc_reaction_config was;
    open_gate(&g);
    g.c.source_limit.rate_per_s = 1;
    was = g.c;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_LIMIT);
    CHECK(memcmp(&was, &g.c, sizeof was) == 0);
    g.c.source_limit.burst = 4;
    g.c.ordinary_limit.rate_per_s = 1;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_LIMIT);
    CHECK_EQ(g.c.source_limit.full_ns, 0);
    g.c.ordinary_limit.burst = 2;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    CHECK_EQ(g.c.source_limit.full_ns, 4000 * MS);
    CHECK_EQ(g.c.ordinary_limit.full_ns, 2000 * MS);
    g.c.fastcnp_enabled = false;
    g.access.n = 0;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    g.c.ordinary_listed = true;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_DOMAIN);
}

TEST(reaction_admit_alone)
{
    gate g;
    rocecc_packet p;
    rocecc_reaction_result out;
    static rocecc_reaction_point s[64], was[64]; /* the first, and what is after it */
    unsigned verdict;
    open_gate(&g);
    memset(&p, 0, sizeof p);
    memset(&out, 0, sizeof out);
    s[0] = g.s;
    memcpy(was, s, sizeof s);
    for (verdict = ROCECC_REACTION_VERDICTS; verdict < 256; verdict++) {
        out.verdict = (rocecc_reaction_verdict)verdict;
        const rocecc_reaction_event e = {0, &g.access, g.peer, g.sources, 2};
        rocecc_reaction_point_admit(&g.c, s, &p, &e, &out);
        CHECK_EQ(out.verdict, verdict);
        CHECK(memcmp(was, s, sizeof s) == 0);
    }
}

TEST(reaction_law)
{
    law_random(law_reaction_point, 20000);
}

/* What is no CNP goes on as it is; all else slows a flow down, or is dropped. */
TEST(reaction_acts)
{
    int v;
    for (v = 0; v < ROCECC_REACTION_VERDICTS; v++)
        CHECK_EQ(rocecc_reaction_needs_action((rocecc_reaction_verdict)v),
                 v != ROCECC_REACTION_NOT_A_CNP);
}

/*
 * A bucket of source_limit is of those that the list has: an ordinary CNP, which nobody
 * looks up, takes no token of the first entry's. So who sends CNPs without end, from
 * any address, does not silence the switch with tag 0.
 */
TEST(reaction_unlisted_source_takes_no_token)
{
    uint8_t b[60] = {0x45, 0,    0, 60, 0, 0,   0x40, 0, 64,   17,   0,
                     0,    192,  0, 2,  1, 192, 0,    2, 2,    0xc1, 0x23,
                     0x12, 0xb7, 0, 40, 0, 0,   0x81, 0, 0xff, 0xff, 0x40};
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_acl_entry entry = ROCECC_ZERO;
    rocecc_acl access;
    rocecc_tokenbucket source;
    rocecc_reaction_event e;
    rocecc_reaction_point s;
    rocecc_packet p;
    uint32_t at, i;
    d.link = ROCECC_LINK_IP;
    c.source_limit.rate_per_s = 1;
    c.source_limit.burst = 1;
    entry.permit = 1; /* of ::/0, and its tag is 0 */
    CHECK_EQ(rocecc_acl_init(&access, &entry, 1, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &access), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    source = rocecc_tokenbucket_start(&c.source_limit, 0);
    memset(&e, 0, sizeof e);
    e.access = &access;
    e.sources = &source;
    e.n_sources = 1;
    rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 20)));
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    for (i = 0; i < 3; i++) {
        rocecc_reaction_result out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
        CHECK(!out.listed);
        CHECK_EQ(source.level_e9, 1000000000);
    }
    c.ordinary_listed = true; /* then it is, and has one */
    for (i = 0; i < 2; i++) {
        rocecc_reaction_result out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict,
                 i == 0 ? ROCECC_REACTION_ORDINARY : ROCECC_REACTION_RATE_LIMITED);
        CHECK(out.listed);
        CHECK_EQ(source.level_e9, 0);
    }
}

static rocecc_reader bytes_of(const char *hex, uint8_t *b)
{
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    return rocecc_reader_of(b, b + n);
}

/* A rate of 0 is no limit, whatever the burst is. */
TEST(reaction_rate_of_0_is_no_limit)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(V6, b);
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
TEST(reaction_kept_where_of_half_an_ip_header_is_malformed)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    const rocecc_reaction_event e = {0, &nobody, 0, NULL, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(V6, b);
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
    CHECK_EQ(out.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    CHECK_EQ(out.arrival, ROCECC_ARRIVAL_PARTIAL);
    p.headers.ip.upper++;
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
}

/* The same of the limit of each source: no bucket is asked for a token. */
TEST(reaction_rate_of_0_is_no_limit_of_a_source)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_acl_entry any;
    rocecc_acl access;
    rocecc_tokenbucket empty;
    uint8_t b[256];
    const rocecc_reader r = bytes_of(V6, b);
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
TEST(reaction_rate_of_0_ends_a_limit)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl nobody = {NULL, 0, 0};
    const rocecc_reaction_event e = {0, &nobody, 0, NULL, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(V6, b);
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

TEST(reaction_kept_where_of_a_fast_cnp_does_not_arrive)
{
    const rocecc_domain d = kept_domain();
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_packet p = kept_packet(&d, PLAIN);
    rocecc_reaction_result is;
    c.fastcnp_enabled = true;
    rocecc_reaction_point_find(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_FAST_PLAIN);
    kept_shorten(&p.headers.ip);
    rocecc_reaction_point_find(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    CHECK_EQ(is.arrival, ROCECC_ARRIVAL_PARTIAL);
    p.headers.ip.version = 0;
    rocecc_reaction_point_find_host(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    CHECK_EQ(is.arrival, ROCECC_ARRIVAL_NO_IP);
}

/* The limit of a source is that of its tag in the list: who is not listed, or has a tag
 * beyond the buckets, has none. */
TEST(reaction_tag_beyond_the_buckets_has_no_limit)
{
    const rocecc_domain d = kept_domain();
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_acl_entry entry;
    rocecc_acl list = kept_anybody(&entry);
    rocecc_tokenbucket sources[1];
    rocecc_reaction_event e = ROCECC_ZERO;
    rocecc_reaction_point s;
    const rocecc_packet fast = kept_packet(&d, PLAIN);
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
        const rocecc_packet cnp = kept_packet(&d, V6);
        e.n_sources = 1;
        rocecc_reaction_point_step(&c, &s, &cnp, &e, &is);
        CHECK(is.verdict == ROCECC_REACTION_ORDINARY && !is.listed);
    }
}
