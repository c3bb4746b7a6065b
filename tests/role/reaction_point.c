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
#include "rocecc/packet/icmp.h"

#include <stdio.h>
#include <string.h>

#define MS UINT64_C(1000000)

/* Packets of vectors/fastcnp.vec (b-plain, b-a) and vectors/cnp.vec (v6, v4). */
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

/* A packet that the tests can patch. */
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

/* Returns a Fast CNP with this Destination Options header. */
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
    rocecc_admission_source sources[2];
    rocecc_reaction_peer peer;
    uint64_t now_ns;
} gate;

/* Sets a domain with IP first, IFA and INT, and without Fast CNP. */
static void set_domain(rocecc_domain *d)
{
    d->link = ROCECC_LINK_IP;
    d->ifa.protocol = TELL_PROTOCOL;
    d->ifa.layout_a = 1;
    d->intmd.udp_port = TELL_PORT;
}

/* Checks the configuration, and fills all buckets. */
static void start_gate(gate *g)
{
    int i;
    CHECK_EQ(rocecc_reaction_point_init(&g->c, &g->domain, &g->access),
             ROCECC_REACTION_ACCEPTED);
    g->s = rocecc_reaction_point_start(&g->c, g->now_ns);
    for (i = 0; i < 2; i++)
        g->sources[i] = rocecc_admission_source_start(&g->c.admission, g->now_ns);
}

/* Permits 2001:db8:ffff::/48, with a burst of 2 and 1000 CNPs/s. */
static void open_gate(gate *g)
{
    const rocecc_ip6 net = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}};
    uint32_t at;
    memset(g, 0, sizeof *g);
    set_domain(&g->domain);
    g->domain.fastcnp = law_fastcnp_config(0);
    g->c.fastcnp_enabled = true;
    g->c.check_icrc = true;
    g->c.admission = rocecc_admission_for(1, 1000);
    g->c.admission.source.burst = 2;
    g->c.admission.verify.burst = 8;
    g->c.admission.shared.burst = 4;
    g->entries[0].prefix = net;
    g->entries[0].length = 48;
    g->entries[0].permit = 1;
    g->entries[0].tag = 1;
    CHECK_EQ(rocecc_acl_init(&g->access, g->entries, 1, &at), ROCECC_ACL_ACCEPTED);
    start_gate(g);
    for (at = 0; at < ROCECC_REACTION_VERDICTS; at++)
        CHECK_EQ(g->s.count[at], 0);
}

/* Checks that no check has set these members, so they are 0 or default. */
static void untouched(const rocecc_reaction_result *out)
{
    CHECK(!out->listed && out->tag == 0);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out->cnp,
                 "dscp=48 hop_limit=64 pkey=0xffff becn=1");
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out->option, "kind=plain");
}

static rocecc_reaction_event event(gate *g)
{
    const rocecc_reaction_event e = {{g->now_ns, &g->access, NULL, g->sources, 2},
                                     g->peer};
    return e;
}

/* Returns the present level of the shared bucket, in 10^-9 tokens. */
static uint64_t shared_e9(const gate *g, const rocecc_tokenbucket *b)
{
    const uint64_t level_e9 =
        b->level_e9 + (g->now_ns - b->last_ns) * g->c.admission.shared.rate_per_s;
    return rocecc_min(level_e9,
                      g->c.admission.shared.burst * ROCECC_TOKENBUCKET_ONE_E9);
}

/* Steps the gate on a packet before a guard page. Expects `verdict`, one counter step,
 * and a token taken from the shared bucket only for an accepted CNP with limits. */
static rocecc_reaction_result step(gate *g, packet p, rocecc_reaction_verdict verdict)
{
    const rocecc_reaction_event e = event(g);
    const uint8_t *at = guard_end(p.bytes, p.n);
    const rocecc_reader r = rocecc_reader_of(at, at + p.n);
    const rocecc_reaction_point was = g->s;
    const bool fast =
        verdict == ROCECC_REACTION_FAST_PLAIN || verdict == ROCECC_REACTION_FAST_IOAM;
    const bool takes =
        !g->c.admission.unlimited &&
        (fast || (verdict == ROCECC_REACTION_ORDINARY && g->c.ordinary_listed));
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
    }
    CHECK_EQ(shared_e9(g, &g->s.admission.shared) +
                 (takes ? ROCECC_TOKENBUCKET_ONE_E9 : 0),
             shared_e9(g, &was.admission.shared));
    CHECK_EQ(out.arrival != ROCECC_ARRIVAL_OK,
             verdict == ROCECC_REACTION_BAD_ARRIVAL ||
                 (verdict == ROCECC_REACTION_DISABLED && out.icmp.type != 0));
    CHECK_EQ(out.admission != ROCECC_ADMISSION_ADMITTED,
             verdict == ROCECC_REACTION_ACCESS_DENIED ||
                 verdict == ROCECC_REACTION_RATE_LIMITED);
    return out;
}

/* Expects BAD_ARRIVAL for this reason. */
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

/* A Fast CNP from a peer of a QP is SUSPICIOUS, and so is an ordinary CNP from any
 * other source. Without a lookup (UNKNOWN) both are accepted. */
TEST(FC_05_the_option_must_agree_with_the_peer)
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
        CHECK_EQ(out.cnp.src.b[5], 0xff); /* source for the alarm */
        (void)step(&g, packet_of_hex(IOAM),
                   yes ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_FAST_IOAM);
        out = step(&g, packet_of_hex(V6),
                   no ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_ORDINARY);
        CHECK_EQ(out.cnp.dest_qp, 0x123456);
        (void)step(&g, packet_of_hex(V4),
                   no ? ROCECC_REACTION_SUSPICIOUS : ROCECC_REACTION_ORDINARY);
    }
}

/* The result has the source and the tag of its list entry. */
TEST(FC_06_the_result_names_the_switch)
{
    gate g;
    rocecc_reaction_result out;
    const packet p = packet_of_hex(PLAIN);
    open_gate(&g);
    out = step(&g, p, ROCECC_REACTION_FAST_PLAIN);
    CHECK(memcmp(&out.cnp.src, p.bytes + 8, 16) == 0);
    CHECK(out.listed);
    CHECK_EQ(out.tag, 1);
}

/* Checks every member of the result for each kind of CNP. */
TEST(reaction_result_has_every_member_of_each_kind)
{
    gate g;
    rocecc_reaction_result out;
    open_gate(&g);
    out = step(&g, packet_of_hex(IOAM), ROCECC_REACTION_FAST_IOAM);
    CHECK(out.listed && out.tag == 1);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out.cnp,
                 "src=2001:db8:ffff::1 dst=2001:db8:1::10 dscp=48 hop_limit=64 "
                 "src_port=0xc123 pkey=0xffff becn=1 dest_qp=0xabcd");
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out.option,
                 "kind=ioam flow_dst=2001:db8:2::20 at=44 trace_at=48 trace_bytes=24");
    out = step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    CHECK(out.listed && out.tag == 1);
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out.option,
                 "kind=plain flow_dst=2001:db8:2::20 at=42");
    out = step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    CHECK(!out.listed && out.tag == 0);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out.cnp,
                 "src=2001:db8::1 dst=2001:db8::2 dscp=48 hop_limit=64 src_port=0xc123 "
                 "pkey=0xffff becn=1 dest_qp=0x123456");
    CHECK_RECORD(ROCECC_FASTCNP_FIELDS, rocecc_fastcnp, &out.option, "kind=plain");
}

/* A Fast CNP has a key. An ordinary CNP has the host's own QP, and no key. */
TEST(FC_07_a_fast_cnp_has_the_qp_of_the_receiver_in_its_key)
{
    gate g;
    rocecc_reaction_result out;
    open_gate(&g);
    out = step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    CHECK_EQ(out.key.remote_qp, 0xabcd);
    out = step(&g, packet_of_hex(V6),
               ROCECC_REACTION_ORDINARY); /* step() expects a key of 0 */
    CHECK_EQ(out.cnp.dest_qp, 0x123456);
}

/* The key is the flow's destination and its QP, not an address of the CNP. */
TEST(FC_16_the_key_is_the_flow_destination_and_its_qp)
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

/* init() refuses an empty list, unless Fast CNP is off. */
TEST(FC_17_init_needs_a_list_for_fast_cnp)
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

/* Expects RATE_LIMITED by this limit. */
static rocecc_reaction_result limited(gate *g, packet p, rocecc_admission_verdict why)
{
    const rocecc_reaction_result out = step(g, p, ROCECC_REACTION_RATE_LIMITED);
    CHECK_EQ(out.admission, why);
    return out;
}

/* A burst of 2, then 1 Fast CNP per ms, until `unlimited` is set. */
TEST(FC_18_each_source_of_fast_cnps_is_limited)
{
    gate g;
    rocecc_reaction_config c;
    int i;
    open_gate(&g);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, packet_of_hex(IOAM), ROCECC_REACTION_FAST_IOAM);
    for (i = 0; i < 5; i++) {
        const rocecc_reaction_result out =
            limited(&g, packet_of_hex(PLAIN), ROCECC_ADMISSION_SOURCE_LIMITED);
        CHECK(out.listed && out.tag == 1); /* tag of the flooding switch */
    }
    (void)step(&g, packet_of_hex(V6),
               ROCECC_REACTION_ORDINARY); /* ordinary, so no limit */
    g.now_ns += MS - 1;
    (void)limited(&g, packet_of_hex(PLAIN), ROCECC_ADMISSION_SOURCE_LIMITED);
    g.now_ns += 1;
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)limited(&g, packet_of_hex(PLAIN), ROCECC_ADMISSION_SOURCE_LIMITED);
    /* Limits are on by default. Without a rate, `unlimited` must turn them off. */
    c = g.c;
    c.admission.source.rate_per_s = 0;
    CHECK_EQ(rocecc_reaction_point_init(&c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_LIMIT);
    c.admission.unlimited = true;
    CHECK_EQ(rocecc_reaction_point_init(&c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    g.c.admission.unlimited = true;
    for (i = 0; i < 100; i++)
        (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
}

/* A rejected CNP takes no token, except of `verified` for a wrong ICRC (AD-2). */
TEST(FC_18_rejected_cnps_take_only_verified_tokens)
{
    gate g;
    int i;
    open_gate(&g);
    for (i = 0; i < 50; i++) {
        (void)step(&g, patch(packet_of_hex(PLAIN), 8, "3fff"),
                   ROCECC_REACTION_ACCESS_DENIED);
        (void)refused(&g, patch(packet_of_hex(PLAIN), 8, "ff02"),
                      ROCECC_ARRIVAL_BAD_SOURCE);
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
    CHECK_EQ(g.sources[1].verified.level_e9, 8 * ROCECC_TOKENBUCKET_ONE_E9);
    for (i = 0; i < 6; i++)
        (void)step(&g, patch(packet_of_hex(PLAIN), 103, "00"),
                   ROCECC_REACTION_BAD_ICRC);
    CHECK_EQ(g.sources[1].admitted.level_e9, 2 * ROCECC_TOKENBUCKET_ONE_E9);
    CHECK_EQ(g.sources[1].verified.level_e9, 2 * ROCECC_TOKENBUCKET_ONE_E9);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    (void)limited(&g, packet_of_hex(PLAIN), ROCECC_ADMISSION_SOURCE_LIMITED);
}

/* `admission` names the limit that a notification exceeds (AD-1 to AD-4). */
TEST(FC_18_the_result_names_the_exceeded_limit)
{
    const packet good = packet_of_hex(PLAIN), bad = patch(good, 103, "00");
    gate g;
    int i;
    open_gate(&g);
    for (i = 0; i < 8; i++)
        (void)step(&g, bad, ROCECC_REACTION_BAD_ICRC);
    (void)limited(&g, bad, ROCECC_ADMISSION_VERIFY_LIMITED);
    (void)limited(&g, good, ROCECC_ADMISSION_VERIFY_LIMITED);
    g.now_ns += MS / 4;
    (void)step(&g, good, ROCECC_REACTION_FAST_PLAIN);
    open_gate(&g);
    g.s.admission.shared.level_e9 = 0;
    (void)limited(&g, good, ROCECC_ADMISSION_SHARED_LIMITED);
    open_gate(&g);
    g.sources[1].admitted.level_e9 = 0;
    (void)limited(&g, bad, ROCECC_ADMISSION_SOURCE_LIMITED); /* AD-3 */
    CHECK_EQ(g.sources[1].verified.level_e9, 8 * ROCECC_TOKENBUCKET_ONE_E9);
    open_gate(&g);
    g.entries[0].tag = 2; /* a tag without buckets */
    (void)limited(&g, good, ROCECC_ADMISSION_SOURCE_LIMITED);
    g.c.admission.unlimited = true;
    (void)step(&g, good, ROCECC_REACTION_FAST_PLAIN);
}

/* A Fast CNP is denied outside the prefix, by an entry that denies, and by an empty
 * list. Ordinary CNPs are not. */
TEST(FC_19_unlisted_and_denied_switches_are_rejected)
{
    gate g;
    rocecc_reaction_result out;
    open_gate(&g);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_FAST_PLAIN);
    out = step(&g, patch(packet_of_hex(PLAIN), 13, "fe"),
               ROCECC_REACTION_ACCESS_DENIED); /* outside the prefix */
    CHECK(!out.listed && out.tag == 0);
    g.entries[0].permit = 0;
    out = step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_ACCESS_DENIED);
    CHECK(out.listed && out.tag == 1);
    g.entries[0].permit = 1;
    g.access.n = 0; /* an empty list denies all */
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_ACCESS_DENIED);
    (void)step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
}

/* While Fast CNP is off, both kinds are DISABLED. Ordinary CNPs and data are not. */
TEST(FC_21_the_host_can_turn_fast_cnp_off)
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

/* A type that hosts skip, and that rocecc_domain_init() refuses, is DISABLED, too. */
TEST(FC_21_an_option_type_to_skip_is_disabled_too)
{
    gate g;
    packet p = patch(packet_of_hex(PLAIN), 42, "1e");
    open_gate(&g);
    g.c.check_icrc = false;
    g.domain.fastcnp.type_plain = 0x1e;
    (void)step(&g, p, ROCECC_REACTION_FAST_PLAIN);
    g.c.fastcnp_enabled = false;
    (void)step(&g, p, ROCECC_REACTION_DISABLED);
}

/* A configuration of all 0, without types, list and limits, is valid and off. */
TEST(FC_22_a_host_with_a_configuration_of_0_is_off)
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
    g.c.fastcnp_enabled = true; /* init() refuses this alone, and the gate stays
                                   closed */
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_TYPES);
    (void)refused(&g, packet_of_hex(PLAIN), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    g.domain.fastcnp = law_fastcnp_config(0);
    (void)step(&g, packet_of_hex(PLAIN), ROCECC_REACTION_ACCESS_DENIED);
}

/* FC-23: the gate rejects options that RFC 8200 does not allow, and hidden options. */
TEST(FC_23_invalid_and_hidden_options_are_rejected)
{
    expect_verdict("two options",
                   header("11059e10" ADDR "01020000 9e10" ADDR "01040000 0000"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict(
        "one of each",
        header("11069e10" ADDR "01020000 9f1a 0000 00001000 82000000" ADDR "0102 0000"),
        ROCECC_REACTION_MALFORMED);
    expect_verdict("no Fast CNP option", header("1100 0104 00000000"),
                   ROCECC_REACTION_ORDINARY);
    expect_verdict("15 bytes", header("11029e0f" ADDR "01020000"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict("17 bytes", header("11029e11" ADDR "00010100"),
                   ROCECC_REACTION_MALFORMED);
    expect_refusal("option beyond its header", header("11029e15" ADDR "00000000"),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_refusal("option of 255 bytes", header("11029eff" ADDR "00000000"),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_verdict("header beyond the packet", patch(packet_of_hex(PLAIN), 41, "ff"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_refusal("after padding",
                   header("1103 00000000 00000000 9e10" ADDR "01020000"),
                   ROCECC_ARRIVAL_UNSUPPORTED);
    expect_refusal("after a PadN",
                   header("1103 0106 00000000 00000000 9e10" ADDR "0000"),
                   ROCECC_ARRIVAL_UNSUPPORTED);
    expect_refusal("nonzero padding", header("1102 0102 0001 9e10" ADDR),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_refusal("unknown option to discard",
                   header("1103 9e10" ADDR "1e02 0000 c106 0000 0000 0000"),
                   ROCECC_ARRIVAL_UNKNOWN_OPTION);
    expect_verdict("unknown option to skip",
                   header("1103 9e10" ADDR "1e04 0000 0000 0104 0000 0000"),
                   ROCECC_REACTION_FAST_PLAIN);
    expect_refusal(
        "nine options",
        header("1104 9e10" ADDR "1e00 1e00 1e00 1e00 1e00 1e00 1e00 1e00 0000 0000"),
        ROCECC_ARRIVAL_UNSUPPORTED);
}

/* FC-23: a trace with contradictory lengths, or not of whole words, is MALFORMED. */
TEST(FC_23_traces_with_wrong_lengths_are_malformed)
{
    packet p = header("11050100 9f2a0000 00001000 82000000 3e000103 00000800 3f000102"
                      "00001000" ADDR);
    char hex[2 * 264 + 1] = "11209fff";
    size_t i;
    expect_verdict("good", p, ROCECC_REACTION_FAST_IOAM);
    expect_verdict("NodeLen 1", patch(p, 50, "08"), ROCECC_REACTION_MALFORMED);
    expect_verdict("RemainingLen 5", patch(p, 51, "05"), ROCECC_REACTION_MALFORMED);
    expect_verdict("three nodes' bits", patch(p, 52, "c2"), ROCECC_REACTION_MALFORMED);
    expect_verdict("unknown trace type", patch(p, 47, "02"), ROCECC_REACTION_MALFORMED);
    expect_verdict("no trace", header("11029f10" ADDR "01020000"),
                   ROCECC_REACTION_MALFORMED);
    expect_verdict(
        "one word less",
        header("11050100 9f28 0000 00001000 82000000 3e000103 00000800 3f000102"
               "0000" ADDR "00 00"),
        ROCECC_REACTION_MALFORMED);
    /* The longest option has 239 bytes before the address, not whole words. */
    for (i = 4; i < 264; i++)
        strcat(hex, "00");
    expect_verdict("239 bytes", header(hex), ROCECC_REACTION_MALFORMED);
}

/* ::, ::1, a group and mapped IPv4 give BAD_SOURCE. */
TEST(FC_23_the_source_must_be_a_host)
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

/* CNPs that are not well-formed, with an option and without. */
TEST(FC_23_malformed_cnps_are_rejected)
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
    expect_verdict("data opcode", patch(packet_of_hex(V6), 48, "04"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("CN opcode of native IB", patch(packet_of_hex(V6), 48, "80"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("another port", patch(packet_of_hex(PLAIN), 66, "12b8"),
                   ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("another opcode", patch(packet_of_hex(PLAIN), 72, "80"),
                   ROCECC_REACTION_UNEXPECTED_OPCODE);
    expect_verdict("an empty packet", packet_of_hex("-"), ROCECC_REACTION_NOT_A_CNP);
}

/* A CNP of either kind with IFA or INT gets the same verdict as without. */
TEST(reaction_ifa_and_int_do_not_change_the_verdict)
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
            /* With IFA or INT the UDP checksum is not checked, so any is accepted. */
            cnps[i].bytes[n - 34] = cnps[i].bytes[n - 33] = 0x5a;
            cnps[i].n = tell(cnps[i].bytes, n, (tell_how)how);
            CHECK(cnps[i].n > n);
            open_gate(&g); /* with a check of the ICRC */
            test_context("how %d, packet %d", how, i);
            (void)step(&g, cnps[i], as_without[i]);
            cnps[i].bytes[cnps[i].n - 1] ^= 1;
            (void)step(&g, cnps[i], ROCECC_REACTION_BAD_ICRC);
        }
    }
}

/* Inserts a header after IPv6. Its first byte becomes the type of the next header. */
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

/* The act bits of an unknown option also apply in a Hop-by-Hop header (RFC 8200, 4.2),
 * with Fast CNP on or off. */
TEST(FC_23_act_bits_apply_in_every_header)
{
    static const struct {
        const char *hop_by_hop;
        rocecc_arrival_verdict arrival;
    } rows[] = {
        {"00001e04 00000000", ROCECC_ARRIVAL_OK},             /* act 00: skip */
        {"00005e04 00000000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* act 01 */
        {"00009e04 00000000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* act 10, type TBD1 */
        {"0000de04 00000000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* act 11 */
        {"0000c204 00010000", ROCECC_ARRIVAL_UNKNOWN_OPTION}, /* jumbo payload */
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
                after_ipv6(p, 60, "00000104 00000000"), /* Hop-by-Hop is not first */
                ROCECC_ARRIVAL_UNKNOWN_HEADER);
    }
    /* The act bits also apply before a Fast CNP option. */
    step(&g, after_ipv6(packet_of_hex(PLAIN), 0, "00001e04 00000000"),
         ROCECC_REACTION_FAST_PLAIN);
    refused(&g, after_ipv6(packet_of_hex(PLAIN), 0, "0000de04 00000000"),
            ROCECC_ARRIVAL_UNKNOWN_OPTION);
}

/* Returns an IPv4 packet with a corrected header checksum. */
static packet summed(packet p)
{
    rocecc_store16(p.bytes + 10,
                   rocecc_ipv4_checksum(rocecc_reader_of(p.bytes, p.bytes + 20)));
    return p;
}

/* A CNP on its way to another node, or to a group, is not for this host. */
TEST(reaction_rejects_cnps_for_another_node_or_a_group)
{
    static const char *const left[] = {
        "00000401 00000000", /* an SRH of no segments, but one left */
        "00020401 00000000 20010db8 00010000 00000000 00000010",
        "00020409 00000000 20010db8 00010000 00000000 00000010", /* above Last Entry */
        "00020001 00000000 20010db8 00010000 00000000 00000010", /* RH0: RFC 5095 */
        "0000fe01 00000000"};                                    /* any type */
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
        p.bytes[43] = 0; /* none left here, but in a second one */
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

/* A listed source in a tunnel is accepted only if the host terminates tunnels. */
TEST(reaction_accepts_tunnels_only_with_tunnels_set)
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

/* A Fast CNP from its flow's receiver is rejected, because it is not a
 * switch. */
TEST(FC_05_a_fast_cnp_from_the_receiver_is_rejected)
{
    gate g;
    open_gate(&g);
    g.c.check_icrc = false;
    step(&g, patch(packet_of_hex(PLAIN), 44, SWITCH),
         ROCECC_REACTION_SOURCE_IS_RECEIVER);
    step(&g, patch(packet_of_hex(PLAIN), 44, "20010db8 ffff0000 00000000 00000002"),
         ROCECC_REACTION_FAST_PLAIN);
}

/* Returns the packet with an options header of this length, with one option to skip. */
static packet with_options(packet p, uint8_t type, size_t bytes)
{
    char hex[2 * 264 + 1];
    size_t i;
    (void)snprintf(hex, sizeof hex, "00%02zx1e%02zx", bytes / 8 - 1, bytes - 4);
    for (i = 4; i < bytes; i++)
        strcat(hex, "00");
    return after_ipv6(p, type, hex);
}

/* More than 640 bytes of headers are UNSUPPORTED, to bound the unverified work. */
TEST(reaction_extension_headers_have_at_most_640_bytes)
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

/* Ordinary CNPs have no list and no limit unless ordinary_listed is set. */
TEST(reaction_ordinary_listed_applies_list_and_limits)
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
    start_gate(&g);
    for (i = 0; i < 2; i++) {
        out = step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
        CHECK(out.listed && out.tag == 1);
    }
    (void)limited(&g, packet_of_hex(V6), ROCECC_ADMISSION_SOURCE_LIMITED);
    g.now_ns = 1 * MS;
    step(&g, patch(packet_of_hex(V6), 79, "00"), ROCECC_REACTION_BAD_ICRC);
    CHECK_EQ(g.sources[1].admitted.level_e9, ROCECC_TOKENBUCKET_ONE_E9); /* AD-2 */
    step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
    (void)limited(&g, packet_of_hex(V6), ROCECC_ADMISSION_SOURCE_LIMITED);
    g.c.ordinary_listed = false; /* now no token is needed */
    step(&g, packet_of_hex(V6), ROCECC_REACTION_ORDINARY);
}

/* Returns the packet with its ICRC. */
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

#define SOURCES 9
#define STEP_NS 10000 /* 100,000 steps per second */

/* Load on a gate for 2 seconds. */
typedef struct attack {
    bool fast;            /* Fast CNPs, or else ordinary ones */
    unsigned named;       /* misbehaving sources in the configuration */
    unsigned misbehaving; /* present; each sends 100,000 packets/s */
    unsigned forged;      /* packets/s with the honest source's address */
    bool checksum;        /* these have a wrong UDP checksum, or else a wrong ICRC */
} attack;

/* Sources 2001:db8:ffff::1 to ::9, each with its own tag, and their packets. */
typedef struct crowd {
    gate g;
    rocecc_acl_entry entries[SOURCES];
    rocecc_admission_source sources[SOURCES];
    packet
        bytes[SOURCES + 1]; /* the last one is forged, with the first one's address */
    rocecc_packet packets[SOURCES + 1];
} crowd;

static void parse_of(crowd *x, unsigned i)
{
    const uint8_t *b = x->bytes[i].bytes;
    (void)rocecc_packet_parse(&x->g.domain, rocecc_reader_of(b, b + x->bytes[i].n),
                              &x->packets[i]);
}

static void gather(crowd *x, const attack *a)
{
    const size_t udp = a->fast ? 64 : 40; /* in PLAIN, in V6 */
    packet *forged = &x->bytes[SOURCES];
    unsigned i;
    uint32_t at;
    open_gate(&x->g);
    for (i = 0; i < SOURCES; i++) {
        x->bytes[i] = patch(packet_of_hex(a->fast ? PLAIN : V6), 8, SWITCH);
        x->bytes[i].bytes[23] = (uint8_t)(i + 1);
        x->bytes[i] = icrc(x->bytes[i]);
        memcpy(x->entries[i].prefix.b, x->bytes[i].bytes + 8, 16);
        x->entries[i].length = 128;
        x->entries[i].permit = 1;
        x->entries[i].tag = i;
        parse_of(x, i);
    }
    *forged = x->bytes[0];
    if (a->checksum)
        forged->bytes[udp + 7] = 1; /* not covered by the ICRC */
    else
        forged->bytes[forged->n - 1] ^= 1;
    parse_of(x, SOURCES);
    CHECK_EQ(rocecc_acl_init(&x->g.access, x->entries, SOURCES, &at),
             ROCECC_ACL_ACCEPTED);
    x->g.c.fastcnp_enabled = a->fast;
    x->g.c.ordinary_listed = !a->fast;
    x->g.c.admission = rocecc_admission_for((uint16_t)a->named, 1000);
    start_gate(&x->g);
    for (i = 0; i < SOURCES; i++)
        x->sources[i] = rocecc_admission_source_start(&x->g.c.admission, 0);
}

/* Sends a packet of a source, or the forged one. Returns true if a flow slows down. */
static bool send(crowd *x, unsigned i, uint64_t now_ns)
{
    const rocecc_reaction_event e = {{now_ns, &x->g.access, NULL, x->sources, SOURCES},
                                     ROCECC_REACTION_PEER_UNKNOWN};
    rocecc_reaction_result out;
    rocecc_reaction_point_step(&x->g.c, &x->g.s, &x->packets[i], &e, &out);
    return out.verdict == (x->g.c.fastcnp_enabled ? ROCECC_REACTION_FAST_PLAIN
                                                  : ROCECC_REACTION_ORDINARY);
}

/* Returns the number of lost notifications, of 200 that the honest source sends. It
 * sends 100 per second, each after all other packets of its step. */
static unsigned lose(const attack *a)
{
    static crowd x;
    unsigned lost = 0, k, i;
    memset(&x, 0, sizeof x);
    gather(&x, a);
    for (k = 0; k < 200000; k++) {
        const uint64_t now_ns = k * (uint64_t)STEP_NS;
        const uint64_t forged = k * (uint64_t)a->forged;
        for (i = 1; i <= a->misbehaving && k >= 29 * i; i++)
            (void)send(&x, i, now_ns); /* they refill at different times */
        if (forged / 100000 != (forged + a->forged) / 100000)
            (void)send(&x, SOURCES, now_ns);
        if (k % 1000 == 999 - k / 1000) lost += !send(&x, 0, now_ns); /* at any phase */
    }
    CHECK_EQ(x.g.s.count[a->checksum ? ROCECC_REACTION_BAD_ICRC
                                     : ROCECC_REACTION_BAD_CHECKSUM],
             0);
    return lost;
}

/*
 * FC-18, AD-4: the honest source loses no notification if as many sources misbehave as
 * configured. 3500 forged packets per second with its address cost it nothing, because
 * `verify` allows 4000.
 */
TEST(FC_18_honest_source_loses_0_cnps_within_the_limits)
{
    static const attack attacks[] = {
        {true, 1, 1, 3500, false}, {true, 1, 1, 3500, true}, {false, 1, 1, 3500, false},
        {false, 1, 1, 3500, true}, {true, 1, 1, 0, false},   {false, 2, 2, 3500, false},
        {true, 8, 8, 3500, true}};
    size_t i;
    for (i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        test_context("attack %zu", i);
        CHECK_EQ(lose(&attacks[i]), 0);
    }
}

/* Beyond these limits the honest source loses CNPs. So the test above can fail. */
TEST(FC_18_honest_source_loses_cnps_beyond_the_limits)
{
    attack a = {true, 1, 4, 0, false};
    CHECK(lose(&a) > 50);
    a.misbehaving = 1;
    CHECK_EQ(lose(&a), 0);
    a.forged = 100000; /* 96 of 100 are not verified */
    CHECK(lose(&a) > 100);
    a.checksum = true;
    CHECK(lose(&a) > 100);
}

/* A misbehaving switch gets at most 4000 CNPs per second verified and 1000 accepted. */
TEST(FC_18_verifications_are_bounded)
{
    gate g;
    unsigned i;
    open_gate(&g);
    for (i = 0; i < 100000; i++) { /* one second */
        const rocecc_reaction_event e = event(&g);
        const packet p = patch(packet_of_hex(PLAIN), 103, i % 2 == 0 ? "e7" : "00");
        rocecc_reaction_result out;
        rocecc_packet f;
        (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(p.bytes, p.bytes + p.n),
                                  &f);
        rocecc_reaction_point_step(&g.c, &g.s, &f, &e, &out);
        g.now_ns += STEP_NS;
    }
    CHECK(g.s.count[ROCECC_REACTION_FAST_PLAIN] <= 1000 + 2);
    CHECK(g.s.count[ROCECC_REACTION_BAD_ICRC] + g.s.count[ROCECC_REACTION_FAST_PLAIN] <=
          4000 + 8);
}

/* Without a list, an index accepts a listed source and denies an unlisted one. */
TEST(FC_19_an_index_replaces_the_list)
{
    static rocecc_aclindex_cell cells[2 * ROCECC_ACLINDEX_CELLS];
    rocecc_aclindex index;
    int listed;
    for (listed = 0; listed < 2; listed++) {
        const packet p = patch(packet_of_hex(PLAIN), 8, listed != 0 ? "2001" : "3fff");
        const uint8_t *b = p.bytes;
        rocecc_reaction_event e;
        rocecc_reaction_result out;
        rocecc_packet f;
        gate g;
        open_gate(&g);
        g.c.check_icrc = false;
        CHECK_EQ(rocecc_aclindex_init(&index, &g.access, cells, 2), ROCECC_OK);
        e = event(&g);
        e.admission.index = &index;
        e.admission.list = NULL; /* not used */
        (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(b, b + p.n), &f);
        rocecc_reaction_point_step(&g.c, &g.s, &f, &e, &out);
        CHECK_EQ(out.verdict, listed != 0 ? ROCECC_REACTION_FAST_PLAIN
                                          : ROCECC_REACTION_ACCESS_DENIED);
        CHECK_EQ(out.tag, listed);
    }
}

/* Returns the packet with its UDP checksum plus `more`. */
static packet udp_summed(packet p, unsigned more)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_packet f;
    uint32_t sum;
    uint8_t *udp;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(p.bytes, p.bytes + p.n), &f);
    udp = p.bytes + f.headers.udp;
    udp[6] = udp[7] = 0;
    sum = law_udp_sum(p.bytes + f.headers.ip.offset, f.headers.ip.version == 6,
                      (size_t)f.headers.udp - f.headers.ip.offset,
                      p.n - f.headers.ip.offset);
    rocecc_store16(udp + 6, (uint16_t)((sum == 0xffff ? sum : ~sum) + more));
    return p;
}

/* A UDP checksum must be 0 or right (RFC 768), unless ignore_udp_checksum is set. */
TEST(reaction_udp_checksum_must_be_0_or_right)
{
    static const char *const packets[] = {PLAIN, IOAM, V6, V4};
    static const rocecc_reaction_verdict good[] = {
        ROCECC_REACTION_FAST_PLAIN, ROCECC_REACTION_FAST_IOAM, ROCECC_REACTION_ORDINARY,
        ROCECC_REACTION_ORDINARY};
    int i, bit;
    for (i = 0; i < 4; i++) {
        const packet p = packet_of_hex(packets[i]);
        gate g;
        open_gate(&g);
        g.c.admission.unlimited = true;
        test_context("%s", packets[i]);
        (void)step(&g, udp_summed(p, 0), good[i]);
        for (bit = 0; bit < 16; bit++)
            (void)step(&g, udp_summed(p, 1u << bit), ROCECC_REACTION_BAD_CHECKSUM);
        g.c.check_icrc = false;
        (void)step(&g, udp_summed(p, 1), ROCECC_REACTION_BAD_CHECKSUM);
        g.c.ignore_udp_checksum = true;
        (void)step(&g, udp_summed(p, 1), good[i]);
    }
}

/* FC-16: an option without a host's address is MALFORMED. No switch writes it. */
TEST(FC_16_the_key_must_be_the_address_of_a_host)
{
    static const char *const keys[] = {
        "00000000 00000000 00000000 00000000", "00000000 00000000 00000000 00000001",
        "ff020000 00000000 00000000 00000001", "ff0e0000 00000000 00000000 00000009",
        "00000000 00000000 0000ffff 0a000001"};
    size_t i;
    for (i = 0; i < sizeof keys / sizeof *keys; i++) {
        expect_verdict(keys[i], patch(packet_of_hex(PLAIN), 44, keys[i]),
                       ROCECC_REACTION_MALFORMED);
        expect_verdict(keys[i], patch(packet_of_hex(IOAM), 72, keys[i]),
                       ROCECC_REACTION_MALFORMED);
    }
    expect_verdict(
        "::2", patch(packet_of_hex(PLAIN), 44, "00000000 00000000 00000000 00000002"),
        ROCECC_REACTION_FAST_PLAIN);
    expect_verdict(
        "link-local",
        patch(packet_of_hex(PLAIN), 44, "fe800000 00000000 00000000 00000002"),
        ROCECC_REACTION_FAST_PLAIN);
}

/* Checks the ICMPv6 Parameter Problem of a result. */
static void check_icmp(const rocecc_reaction_result *out, unsigned code, unsigned value,
                       unsigned offset)
{
    CHECK_EQ(out->icmp.type, 4);
    CHECK_EQ(out->icmp.code, code);
    CHECK_EQ(out->icmp.value, value);
    CHECK_EQ(out->icmp.offset, offset);
}

/* Parameter Problems with code and pointer, and rejections without an error. */
TEST(reaction_icmp_error_points_at_the_rejected_field)
{
    const packet plain = packet_of_hex(PLAIN), v6 = packet_of_hex(V6);
    rocecc_reaction_result out;
    gate g;
    open_gate(&g);
    g.c.check_icrc = false;
    out = refused(&g, after_ipv6(v6, 60, "0000de04 00000000"),
                  ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 2, 42, 0);
    out = refused(&g, after_ipv6(plain, 0, "00001e00 de020000"),
                  ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 2, 44, 0);
    out = refused(&g, after_ipv6(v6, 60, "00005e04 00000000"),
                  ROCECC_ARRIVAL_UNKNOWN_OPTION);
    CHECK_EQ(out.icmp.type, 0); /* act 01: discard silently */
    out = refused(&g, after_ipv6(v6, 43, "00000401 00000000"),
                  ROCECC_ARRIVAL_SEGMENTS_LEFT);
    check_icmp(&out, 0, 42, 0);
    out = refused(&g, after_ipv6(v6, 135, "00000000 00000000"),
                  ROCECC_ARRIVAL_UNKNOWN_HEADER);
    check_icmp(&out, 1, 6, 0);
    out = refused(
        &g,
        after_ipv6(after_ipv6(v6, 139, "00000000 00000000"), 43, "00000400 00000000"),
        ROCECC_ARRIVAL_UNKNOWN_HEADER);
    check_icmp(&out, 1, 40, 0);
    out = step(&g, v6, ROCECC_REACTION_ORDINARY);
    CHECK_EQ(out.icmp.type, 0);
    out = refused(&g, patch(plain, 8, "ff02"), ROCECC_ARRIVAL_BAD_SOURCE);
    CHECK_EQ(out.icmp.type, 0);
    out = step(&g, patch(plain, 8, "3fff"), ROCECC_REACTION_ACCESS_DENIED);
    CHECK_EQ(out.icmp.type, 0);
}

/* FC-03: a host without Fast CNP answers with a Parameter Problem. It points at the
 * option type, so the switch can read this type. */
TEST(FC_03_a_disabled_host_answers_with_a_parameter_problem)
{
    static const struct {
        const char *hex;
        unsigned pointer;
    } rows[] = {{PLAIN, 42}, {IOAM, 44}};
    int types;
    size_t i;
    for (types = 0; types < 2; types++)
        for (i = 0; i < 2; i++) {
            const packet p = packet_of_hex(rows[i].hex);
            const rocecc_icmp_node node = {rocecc_ip6_load(p.bytes + 24), 64, 0};
            uint8_t answer[1280], type = 0;
            rocecc_writer w = rocecc_writer_of(answer, answer + sizeof answer);
            rocecc_icmp_message m;
            rocecc_packet f, quoted;
            rocecc_reaction_result out;
            gate g;
            open_gate(&g);
            g.c.fastcnp_enabled = false;
            if (types == 0) memset(&g.domain.fastcnp, 0, sizeof g.domain.fastcnp);
            test_context("types %d, option at %u", types, rows[i].pointer);
            out = types != 0 ? step(&g, p, ROCECC_REACTION_DISABLED)
                             : refused(&g, p, ROCECC_ARRIVAL_UNKNOWN_OPTION);
            check_icmp(&out, 2, rows[i].pointer, 0);
            CHECK_EQ(rocecc_icmp_build(&w, rocecc_reader_of(p.bytes, p.bytes + p.n),
                                       &out.icmp, &node),
                     ROCECC_OK);
            (void)rocecc_packet_parse(&g.domain, rocecc_written(&w), &f);
            CHECK_EQ(rocecc_icmp_quoted(&f, &m, &quoted), ROCECC_OK);
            CHECK_EQ(rocecc_icmp6_problem_find(&m, &type), ROCECC_OK);
            CHECK_EQ(type, p.bytes[rows[i].pointer]);
        }
}

/* A Fast CNP option type in a Hop-by-Hop header is not a Fast CNP. */
TEST(FC_03_a_hop_by_hop_option_is_not_a_fast_cnp)
{
    int enabled;
    for (enabled = 0; enabled < 2; enabled++) {
        rocecc_reaction_result out;
        gate g;
        open_gate(&g);
        g.c.fastcnp_enabled = enabled != 0;
        out = refused(&g, after_ipv6(packet_of_hex(PLAIN), 0, "00009e04 00000000"),
                      ROCECC_ARRIVAL_UNKNOWN_OPTION);
        check_icmp(&out, 2, 42, 0);
    }
}

/* An accepted CNP of any kind is an event of the rate control, and a rejected CNP
 * changes no rate. */
TEST(FC_25_only_accepted_cnps_change_the_rate)
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

/* If several checks fail, the first one determines the verdict. */
TEST(reaction_first_failed_check_gives_the_verdict)
{
    gate g;
    packet p = packet_of_hex(PLAIN);
    open_gate(&g);
    g.peer = ROCECC_REACTION_PEER_YES;
    g.sources[1].admitted.level_e9 = 0;
    g.c.fastcnp_enabled = false;
    p.bytes[p.n - 1] ^= 1;                   /* ICRC */
    p = patch(p, 8, "ff02");                 /* source, later unlisted */
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
    p.bytes[p.n - 33] = 1; /* UDP checksum */
    (void)limited(&g, p, ROCECC_ADMISSION_SOURCE_LIMITED);
    g.now_ns = 2 * MS;
    g.s.admission.shared.level_e9 = 0;
    g.s.admission.shared.last_ns = g.now_ns;
    (void)step(&g, p, ROCECC_REACTION_BAD_CHECKSUM);
    p.bytes[p.n - 33] = 0;
    (void)step(&g, p, ROCECC_REACTION_BAD_ICRC);
    p.bytes[p.n - 1] ^= 1;
    (void)limited(&g, p, ROCECC_ADMISSION_SHARED_LIMITED);
    g.now_ns = 3 * MS;
    (void)step(&g, p, ROCECC_REACTION_FAST_PLAIN);
    p = packet_of_hex(V6); /* an ordinary CNP */
    p.bytes[p.n - 1] ^= 1;
    (void)step(&g, p, ROCECC_REACTION_SUSPICIOUS);
    g.peer = ROCECC_REACTION_PEER_UNKNOWN;
    (void)step(&g, p, ROCECC_REACTION_BAD_ICRC);
    (void)step(&g, patch(p, 49, "10"), ROCECC_REACTION_MALFORMED);
    g.c.check_icrc = false;
    (void)step(&g, p, ROCECC_REACTION_ORDINARY);
}

/* Only the whole packet is accepted, and nothing is read beyond the end of a prefix. */
TEST(reaction_accepts_only_the_whole_packet)
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

/* init() rejects ICRC rules that no Fast CNP, or no CNP at all, can match. */
TEST(reaction_init_refuses_icrc_rules_without_a_match)
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

/* init() rejects limits that cannot guarantee AD-4. */
TEST(reaction_init_refuses_limits_below_ad_4)
{
    gate g;
    rocecc_reaction_config good;
    open_gate(&g);
    CHECK_EQ(g.c.admission.source.full_ns, 2 * MS);
    CHECK_EQ(g.c.admission.verify.full_ns, 2 * MS);
    CHECK_EQ(g.c.admission.shared.full_ns, 2 * MS);
    good = g.c;
#define REFUSED(member, value)                                                         \
    do {                                                                               \
        rocecc_reaction_config was;                                                    \
        g.c = good;                                                                    \
        g.c.admission.member = value;                                                  \
        was = g.c;                                                                     \
        CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),               \
                 ROCECC_REACTION_REFUSED_LIMIT);                                       \
        CHECK(memcmp(&was, &g.c, sizeof was) == 0);                                    \
    } while (0)
    REFUSED(misbehaving, 0);
    REFUSED(misbehaving, 2);
    REFUSED(source.rate_per_s, 0);
    REFUSED(source.rate_per_s, 1001);
    REFUSED(source.burst, 0);
    REFUSED(source.burst, 3);
    REFUSED(verify.rate_per_s, 999);
    REFUSED(verify.burst, 1);
    REFUSED(shared.rate_per_s, 1999);
    REFUSED(shared.burst, 3);
#undef REFUSED
    g.c.fastcnp_enabled = false; /* now neither limit nor list is needed */
    g.access.n = 0;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    g.c.ordinary_listed = true;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_DOMAIN);
    g.access.n = 1;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_REFUSED_LIMIT);
    g.c.admission = rocecc_admission_for(1, 16);
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, &g.access),
             ROCECC_REACTION_ACCEPTED);
    CHECK_EQ(g.c.admission.source.full_ns, 62500000);
}

/* admit() neither counts nor checks a verdict or a reason out of range. */
TEST(reaction_admit_does_not_count_values_out_of_range)
{
    gate g;
    rocecc_packet p;
    rocecc_reaction_result out;
    static rocecc_reaction_point s[64], was[64]; /* s[0], and the memory after it */
    unsigned verdict;
    open_gate(&g);
    memset(&p, 0, sizeof p);
    memset(&out, 0, sizeof out);
    s[0] = g.s;
    memcpy(was, s, sizeof s);
    for (verdict = ROCECC_REACTION_VERDICTS; verdict < 256; verdict++) {
        out.verdict = (rocecc_reaction_verdict)verdict;
        const rocecc_reaction_event e = event(&g);
        rocecc_reaction_point_admit(&g.c, s, &p, &e, &out);
        CHECK_EQ(out.verdict, verdict);
        CHECK(memcmp(was, s, sizeof s) == 0);
    }
    out.verdict = ROCECC_REACTION_BAD_ARRIVAL;
    for (verdict = ROCECC_ARRIVAL_VERDICTS; verdict < 256; verdict++) {
        const rocecc_reaction_event e = event(&g);
        out.arrival = (rocecc_arrival_verdict)verdict;
        rocecc_reaction_point_admit(&g.c, s, &p, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_REACTION_BAD_ARRIVAL);
        CHECK(memcmp(was, s, sizeof s) == 0);
    }
}

/* With offsets that no walk gives, find_cnp() reads nothing and gives MALFORMED. */
TEST(reaction_find_cnp_with_invalid_offsets_is_malformed)
{
    const rocecc_cnp none = rocecc_cnp_default();
    const packet x = packet_of_hex(V4);
    gate g;
    rocecc_packet p;
    rocecc_reaction_result out;
    open_gate(&g);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(x.bytes, x.bytes + x.n), &p);
    rocecc_reaction_point_find(&g.c, &p, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
    CHECK(out.cnp.dest_qp != none.dest_qp);
    p.headers.ip.upper = p.headers.ip.offset;
    out.cnp = none;
    rocecc_reaction_point_find_cnp(&p, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_MALFORMED);
    CHECK(out.cnp.dest_qp == none.dest_qp && out.cnp.src_port == none.src_port);
    CHECK(out.cnp.pkey == none.pkey && out.cnp.becn == none.becn);
}

TEST(reaction_law)
{
    law_random(law_reaction_point, 20000);
}

/* NOT_A_CNP needs no action. Other verdicts slow down a flow or drop the packet. */
TEST(reaction_every_verdict_but_not_a_cnp_needs_action)
{
    int v;
    for (v = 0; v < ROCECC_REACTION_VERDICTS; v++)
        CHECK_EQ(rocecc_reaction_needs_action((rocecc_reaction_verdict)v),
                 v != ROCECC_REACTION_NOT_A_CNP);
}

/* Without ordinary_listed, ordinary CNPs take no token of the source with tag 0. */
TEST(reaction_ordinary_cnps_do_not_take_tokens)
{
    gate g;
    int i;
    open_gate(&g);
    memset(&g.entries[0], 0, sizeof g.entries[0]); /* ::/0, with tag 0 */
    g.entries[0].permit = 1;
    g.entries[0].parent = ROCECC_ACL_NONE;
    for (i = 0; i < 5; i++) {
        const rocecc_reaction_result out =
            step(&g, packet_of_hex(V4), ROCECC_REACTION_ORDINARY);
        CHECK(!out.listed);
        CHECK_EQ(g.sources[0].admitted.level_e9, 2 * ROCECC_TOKENBUCKET_ONE_E9);
        CHECK_EQ(g.sources[0].verified.level_e9, 8 * ROCECC_TOKENBUCKET_ONE_E9);
    }
    g.c.ordinary_listed = true; /* now they are looked up, and take a token */
    for (i = 0; i < 3; i++) {
        const rocecc_reaction_result out =
            i < 2 ? step(&g, packet_of_hex(V4), ROCECC_REACTION_ORDINARY)
                  : limited(&g, packet_of_hex(V4), ROCECC_ADMISSION_SOURCE_LIMITED);
        CHECK(out.listed && out.tag == 0);
    }
}

static rocecc_reader bytes_of(const char *hex, uint8_t *b)
{
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    return rocecc_reader_of(b, b + n);
}

/* If the IP header was shortened after it was parsed, the CNP is BAD_ARRIVAL, because
 * its destination cannot be read. */
TEST(reaction_ip_header_cut_after_parsing_is_bad_arrival)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_acl empty = {NULL, 0, 0};
    const rocecc_reaction_event e = {{0, &empty, NULL, NULL, 0}, 0};
    uint8_t b[256];
    const rocecc_reader r = bytes_of(V6, b);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_reaction_result out;
    rocecc_packet p;
    memset(&c, 0, sizeof c);
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &empty), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
    p.headers.ip.upper = (uint16_t)(p.headers.ip.offset + ROCECC_IPV6_BYTES - 1);
    rocecc_reaction_point_find_tunnel(&c, &p, &out);
    rocecc_reaction_point_find_host(&c, &p, &out); /* its verdict is final */
    CHECK_EQ(out.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    CHECK_EQ(out.arrival, ROCECC_ARRIVAL_PARTIAL);
    p.headers.ip.upper++;
    rocecc_reaction_point_step(&c, &s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
}

/* A shortened IP header gives PARTIAL, and a missing IP header NO_IP. */
TEST(reaction_fast_cnp_cut_after_parsing_is_bad_arrival)
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
    rocecc_reaction_point_find_tunnel(&c, &p, &is);
    rocecc_reaction_point_find_host(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_REACTION_BAD_ARRIVAL);
    CHECK_EQ(is.arrival, ROCECC_ARRIVAL_NO_IP);
}

/* ---- Behaviour that may surprise a caller of the parts of the gate */

/* Puts a packet into an IPv6 tunnel from `source` to this host. */
static packet in_tunnel(packet p, const char *source)
{
    packet outer = packet_of_hex("60000000 00002940" SWITCH IP6_TO);
    outer = patch(outer, 8, source);
    memcpy(outer.bytes + 40, p.bytes, p.n);
    rocecc_store16(outer.bytes + 4, (uint16_t)p.n);
    outer.n += p.n;
    return outer;
}

#define TUNNEL "20010db8 99990000 00000000 00000001"

/* find() gives FAST_PLAIN without a key, so a host that skips admit() finds no QP. */
TEST(FC_16_only_admit_writes_the_key)
{
    const packet x = packet_of_hex(PLAIN);
    rocecc_reaction_event e;
    rocecc_reaction_result out;
    rocecc_packet p;
    gate g;
    open_gate(&g);
    e = event(&g);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(x.bytes, x.bytes + x.n), &p);
    rocecc_reaction_point_find(&g.c, &p, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_FAST_PLAIN);
    CHECK(out.key.remote_qp == 0 && out.key.remote.b[0] == 0);
    rocecc_reaction_point_admit(&g.c, &g.s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_FAST_PLAIN);
    CHECK_EQ(out.key.remote_qp, 0xabcd);
    CHECK(memcmp(&out.key.remote, x.bytes + 44, 16) == 0);
}

/* A SUSPICIOUS source is not looked up in the list, and not counted there. */
TEST(FC_05_a_suspicious_source_is_not_looked_up)
{
    static const rocecc_reaction_peer peers[] = {ROCECC_REACTION_PEER_YES,
                                                 ROCECC_REACTION_PEER_NO};
    gate g;
    int i;
    open_gate(&g);
    g.c.ordinary_listed = true;
    g.c.check_icrc = false;
    for (i = 0; i < 2; i++) {
        const packet p =
            i == 0 ? packet_of_hex(PLAIN) : patch(packet_of_hex(V6), 8, SWITCH);
        const rocecc_admission was = g.s.admission;
        rocecc_reaction_result out;
        g.peer = peers[i];
        out = step(&g, p, ROCECC_REACTION_SUSPICIOUS);
        CHECK(!out.listed && out.tag == 0);
        CHECK(memcmp(&was, &g.s.admission, sizeof was) == 0);
        g.peer = ROCECC_REACTION_PEER_UNKNOWN; /* now it is looked up */
        out =
            step(&g, p, i == 0 ? ROCECC_REACTION_FAST_PLAIN : ROCECC_REACTION_ORDINARY);
        CHECK(out.listed && out.tag == 1);
    }
}

/* With ordinary_listed, a source may send two CNPs of any kind, not two of each. */
TEST(FC_18_ordinary_and_fast_cnps_share_the_buckets_of_a_source)
{
    const packet fast = packet_of_hex(PLAIN);
    const packet ordinary = patch(packet_of_hex(V6), 8, SWITCH);
    gate g;
    open_gate(&g);
    g.c.ordinary_listed = true;
    g.c.check_icrc = false;
    (void)step(&g, fast, ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, ordinary, ROCECC_REACTION_ORDINARY);
    (void)limited(&g, fast, ROCECC_ADMISSION_SOURCE_LIMITED);
    (void)limited(&g, ordinary, ROCECC_ADMISSION_SOURCE_LIMITED);
}

/* 768 bytes of headers are UNSUPPORTED, or DISABLED with ICMP if Fast CNP is off. */
TEST(FC_03_disabled_comes_before_too_long_headers)
{
    packet p = with_options(packet_of_hex(PLAIN), 60, 248);
    rocecc_reaction_result out;
    gate g;
    p = patch(with_options(p, 43, 248), 43, "00"); /* no segments left */
    p = with_options(p, 0, 248);
    open_gate(&g);
    g.c.check_icrc = false;
    out = step(&g, p, ROCECC_REACTION_UNSUPPORTED);
    CHECK_EQ(out.icmp.type, 0);
    g.c.fastcnp_enabled = false;
    out = step(&g, p, ROCECC_REACTION_DISABLED);
    check_icmp(&out, 2, 40 + 3 * 248 + 2, 0);
    CHECK_EQ(g.s.arrival_count[ROCECC_ARRIVAL_UNKNOWN_OPTION], 0);
}

/* A Fast CNP option after the outer IP header is unknown, with Fast CNP on or off. */
TEST(FC_08_an_option_of_the_outer_header_is_unknown)
{
    const packet p = after_ipv6(in_tunnel(packet_of_hex(V6), TUNNEL), 60,
                                "00029e10" ADDR "01020000");
    int enabled;
    for (enabled = 0; enabled < 2; enabled++) {
        rocecc_reaction_result out;
        gate g;
        open_gate(&g);
        g.c.tunnels = true;
        g.c.check_icrc = false;
        g.c.fastcnp_enabled = enabled != 0;
        out = refused(&g, p, ROCECC_ARRIVAL_UNKNOWN_OPTION);
        check_icmp(&out, 2, 42, 0);
        CHECK_EQ(g.s.arrival_count[ROCECC_ARRIVAL_UNKNOWN_OPTION], 1);
    }
}

/* 640 bytes after the outer header and 640 after the inner header are accepted. */
TEST(reaction_each_ip_header_of_a_tunnel_may_have_640_bytes)
{
    const packet inner =
        with_options(with_options(packet_of_hex(V6), 60, 248), 60, 248);
    packet p = in_tunnel(with_options(inner, 0, 144), TUNNEL);
    gate g;
    open_gate(&g);
    g.c.tunnels = true;
    g.c.check_icrc = false;
    p = with_options(with_options(p, 60, 248), 60, 248);
    CHECK_EQ(with_options(p, 0, 144).n, 2 * (40 + 640) + 40);
    (void)step(&g, with_options(p, 0, 144), ROCECC_REACTION_ORDINARY);
    (void)step(&g, with_options(p, 0, 152), ROCECC_REACTION_UNSUPPORTED);
    p = in_tunnel(with_options(inner, 0, 152), TUNNEL);
    (void)step(&g, p, ROCECC_REACTION_UNSUPPORTED);
}

/* Data with one valid option is UNEXPECTED_OPCODE. Its IP headers are not checked. */
TEST(reaction_unexpected_opcode_needs_one_valid_option)
{
    const packet data = patch(packet_of_hex(PLAIN), 72, "04");
    packet p = header("11059e10" ADDR "01020000 9e10" ADDR "01040000 0000");
    gate g;
    expect_verdict("two options", patch(p, 96, "04"), ROCECC_REACTION_NOT_A_CNP);
    p = header("11029e11" ADDR "00010100");
    expect_verdict("17 bytes", patch(p, 72, "04"), ROCECC_REACTION_NOT_A_CNP);
    expect_verdict("trimmed", patch(data, 68, "0128"), ROCECC_REACTION_NOT_A_CNP);
    p = data;
    p.n = 72 + ROCECC_BTH_BYTES;
    expect_verdict("a cut capture", p, ROCECC_REACTION_UNEXPECTED_OPCODE);
    expect_verdict("from a group", patch(data, 8, "ff02"),
                   ROCECC_REACTION_UNEXPECTED_OPCODE);
    open_gate(&g);
    CHECK(!g.c.tunnels);
    (void)step(&g, in_tunnel(data, TUNNEL), ROCECC_REACTION_UNEXPECTED_OPCODE);
}

/* The flow's receiver may be the tunnel's source. Only the inner source counts. */
TEST(FC_05_the_receiver_may_be_the_source_of_the_tunnel)
{
    gate g;
    open_gate(&g);
    g.c.tunnels = true;
    g.c.check_icrc = false;
    (void)step(&g, in_tunnel(packet_of_hex(PLAIN), ADDR), ROCECC_REACTION_FAST_PLAIN);
    (void)step(&g, in_tunnel(patch(packet_of_hex(PLAIN), 44, SWITCH), ADDR),
               ROCECC_REACTION_SOURCE_IS_RECEIVER);
}

/* Without Fast CNP and ordinary_listed a gate needs no list, and init() reads none. */
TEST(reaction_a_gate_for_ordinary_cnps_works_without_a_list)
{
    gate g;
    memset(&g, 0, sizeof g);
    g.c.check_icrc = true;
    CHECK_EQ(rocecc_reaction_point_init(&g.c, &g.domain, NULL),
             ROCECC_REACTION_ACCEPTED);
}

/* A CNP in GRE is NOT_A_CNP, but the inner packet is a CNP. */
TEST(reaction_a_cnp_in_an_overlay_is_not_a_cnp)
{
    packet p = packet_of_hex("60000000 00002f40" TUNNEL IP6_TO "000086dd");
    const packet inside = packet_of_hex(PLAIN);
    rocecc_reaction_result out;
    rocecc_packet f;
    gate g;
    open_gate(&g);
    memcpy(p.bytes + p.n, inside.bytes, inside.n);
    p.n += inside.n;
    p.bytes[5] = (uint8_t)(p.n - 40);
    (void)step(&g, p, ROCECC_REACTION_NOT_A_CNP);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(p.bytes, p.bytes + p.n), &f);
    CHECK_EQ(rocecc_packet_inner(&f, &f), ROCECC_OK);
    rocecc_reaction_point_find(&g.c, &f, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_FAST_PLAIN);
}

/* Three Destination Options headers are UNSUPPORTED, with Fast CNP on or off. */
TEST(reaction_three_destination_options_headers_are_unsupported)
{
    static const char *const three = "3c000104 00000000 3c000104 00000000"
                                     "11000104 00000000";
    gate g;
    open_gate(&g);
    (void)step(&g, header(three), ROCECC_REACTION_UNSUPPORTED);
    g.c.fastcnp_enabled = false;
    (void)step(&g, header(three), ROCECC_REACTION_UNSUPPORTED);
}

/* admit() changes ORDINARY to SUSPICIOUS even if `arrival` is out of range. */
TEST(reaction_admit_ignores_an_arrival_out_of_range)
{
    const packet x = packet_of_hex(V6);
    gate g;
    rocecc_packet p;
    rocecc_reaction_event e;
    rocecc_reaction_result out;
    open_gate(&g);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(x.bytes, x.bytes + x.n), &p);
    rocecc_reaction_point_find(&g.c, &p, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
    out.arrival = (rocecc_arrival_verdict)200;
    e = event(&g);
    e.peer = ROCECC_REACTION_PEER_NO;
    rocecc_reaction_point_admit(&g.c, &g.s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_REACTION_SUSPICIOUS);
}
