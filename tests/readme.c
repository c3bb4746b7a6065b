/* SPDX-License-Identifier: BSD-2-Clause */

/* readme.c - the C blocks of README.md, cut out by the Makefile, do their job. */
#include "readme_block.h"

#include <string.h>

#include "lib/test.h"

/* From a ConnectX-4 Lx: cx4-cnp of vectors/frame.vec. */
static const uint8_t cnp[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x08,
    0x00, 0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61,
    0x0a, 0x00, 0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7, 0x00,
    0x28, 0x00, 0x00, 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x82, 0xfd, 0x00, 0x2a};

/* fc-trail of vectors/frame.vec: its DestQP is the receiver's */
static const uint8_t fast[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x86, 0xdd,
    0x6c, 0x00, 0x00, 0x00, 0x00, 0x40, 0x3c, 0x40, 0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x20, 0x01, 0x0d, 0xb8,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x11, 0x02,
    0x9e, 0x10, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x20, 0x01, 0x02, 0x00, 0x00, 0xc1, 0x23, 0x12, 0xb7, 0x00, 0x28,
    0x00, 0x00, 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0xab, 0xcd, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x62, 0x76, 0x52, 0xe7};

/*
 * Bits that the ICRC does not cover, A17.3.3: of IPv4 TOS, TTL and header checksum, of
 * IPv6 Traffic Class, Flow Label and Hop Limit; the UDP checksum; byte 4 of the BTH.
 */
static uint8_t cnp_masked(size_t at)
{
    return at == 15 || at == 22 || at == 24 || at == 25 || at == 40 || at == 41 ||
                   at == 46
               ? 0xff
               : 0;
}

static uint8_t fast_masked(size_t at)
{
    if (at == 14) return 0x0f;
    return at == 15 || at == 16 || at == 17 || at == 21 || at == 84 || at == 85 ||
                   at == 90
               ? 0xff
               : 0;
}

/*
 * A frame is heeded; with any other value of any byte from the IP header on it is not,
 * but where only masked bits differ; and cut off anywhere it is not.
 */
static void check_each_byte(const uint8_t *good, size_t n, uint8_t (*masked)(size_t at),
                            bool (*heeds)(const uint8_t *frame, size_t n))
{
    uint8_t frame[128];
    size_t at;
    unsigned flip;
    memcpy(frame, good, n);
    CHECK(heeds(frame, n));
    for (at = 14; at < n; at++) {
        test_context("byte %zu", at);
        for (flip = 1; flip < 256; flip++) {
            frame[at] ^= (uint8_t)flip;
            CHECK_EQ(heeds(frame, n), (flip & ~masked(at)) == 0);
            frame[at] ^= (uint8_t)flip;
        }
    }
    for (at = 0; at < n; at++) {
        test_context("the first %zu bytes", at);
        CHECK(!heeds(frame, at));
    }
}

static bool slows_down(const uint8_t *frame, size_t n)
{
    return slow_down(frame, n) >= 0;
}

TEST(readme_slow_down)
{
    CHECK_EQ(slow_down(cnp, sizeof cnp), 0x118);
    CHECK_EQ(slow_down(NULL, 0), -1);
    check_each_byte(cnp, sizeof cnp, cnp_masked, slows_down);
}

TEST(readme_slow_down_fast_cnp)
{
    CHECK_EQ(slow_down(fast, sizeof fast), -1);
}

/* The same CNP, that of anybody: in a tunnel from nobody knows whom. */
TEST(readme_slow_down_in_a_tunnel)
{
    static const uint8_t outer[20] = {0x45, 0, 0,  80, 0, 0, 0x40, 0, 64, 4,
                                      0,    0, 10, 9,  9, 9, 192,  0, 2,  2};
    uint8_t frame[sizeof cnp + 20];
    memcpy(frame, cnp, 14);
    memcpy(frame + 14, outer, 20);
    memcpy(frame + 34, cnp + 14, sizeof cnp - 14);
    CHECK_EQ(sizeof cnp, 14 + 60);
    CHECK_EQ(slow_down(frame, sizeof frame), -1);
}

typedef struct gate_host {
    rocecc_acl_entry entry;
    rocecc_acl switches;
    rocecc_reaction_config config;
    rocecc_reaction_point gate;
    rocecc_reaction what;
    uint64_t now_ns;
} gate_host;

static gate_host host;

/* Each frame comes in a millisecond of its own, which brings a token for it. */
static bool gate_heeds(const uint8_t *frame, size_t n)
{
    host.now_ns += 1000000;
    return gate_frame(&host.config, &host.switches, &host.gate,
                      rocecc_reader_of(frame, frame + n), host.now_ns, &host.what);
}

static void gate_setup(void)
{
    static const rocecc_acl_entry entry = {
        {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}}, 48, 1, 0, 0};
    static const rocecc_acl none = {NULL, 0, 0};
    uint32_t at;
    host.entry = entry;
    host.switches = none;
    host.now_ns = 0;
    CHECK(!gate_open(&host.config, &host.switches, &host.gate, 0)); /* no list */
    CHECK_EQ(rocecc_acl_init(&host.switches, &host.entry, 1, &at), ROCECC_ACL_ACCEPTED);
    CHECK(gate_open(&host.config, &host.switches, &host.gate, 0));
}

TEST(readme_gate)
{
    gate_setup();
    CHECK(gate_heeds(fast, sizeof fast));
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_FAST_PLAIN);
    CHECK_EQ(host.what.key.remote_qp, 0xabcd);
    CHECK(memcmp(host.what.key.remote.b, fast + 58, 16) == 0); /* in the option */
    check_each_byte(fast, sizeof fast, fast_masked, gate_heeds);
    host.entry.permit = 0;
    CHECK(!gate_heeds(fast, sizeof fast));
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_ACCESS);
}

TEST(readme_gate_ordinary_cnp)
{
    gate_setup();
    CHECK(gate_heeds(cnp, sizeof cnp));
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_ORDINARY);
    CHECK_EQ(host.what.cnp.dest_qp, 0x118);
    check_each_byte(cnp, sizeof cnp, cnp_masked, gate_heeds);
}

/* The host of a flow. */
static struct {
    rocecc_dcqcn_params p;
    rocecc_dcqcn_timed flow;
    uint64_t rate_bps;
} sender;

static void sender_start(rocecc_dcqcn_params preset)
{
    memset(&sender, 0, sizeof sender);
    sender.p = preset;
    CHECK(flow_start(&sender.p, &sender.flow, 0));
    sender.rate_bps = sender.flow.flow.rate_bps;
    CHECK_EQ(sender.rate_bps, 100000000000);
}

/* It asks, and has sent nothing. */
static void sender_run(uint64_t until_ns)
{
    sender.rate_bps = on_sent(&sender.p, &sender.flow, 0, until_ns);
}

/* 250 CNPs, one each 4 us, from 2 us on. */
static void sender_cnps(void)
{
    uint32_t i;
    for (i = 0; i < 250; i++) {
        sender_run(2000 + 4000 * i);
        sender.rate_bps = on_cnp(&sender.p, &sender.flow, 2000 + 4000 * i);
    }
    sender_run(2000 + 4000 * 250);
}

/* |is - should| <= within. */
static bool near_to(uint64_t is, uint64_t should, uint64_t within)
{
    return is > should ? is - should <= within : should - is <= within;
}

/*
 * Each of the 250 cuts to half, while alpha stays at 1: after 10 it is R_min, 100 Mb/s.
 * Without CNPs, R_T is twice R_C, and the increase timer brings half of the difference.
 */
TEST(readme_dcqcn_paper)
{
    sender_start(rocecc_dcqcn_paper(100000000000));
    sender.rate_bps = on_cnp(&sender.p, &sender.flow, 0);
    CHECK_EQ(sender.rate_bps, 50000000000);
    sender_run(54999);
    CHECK_EQ(sender.rate_bps, 50000000000);
    sender_run(55000);
    CHECK_EQ(sender.rate_bps, 75000000000);
    sender.rate_bps = on_sent(&sender.p, &sender.flow, 9999999, 60000);
    CHECK_EQ(sender.rate_bps, 75000000000);
    sender.rate_bps = on_sent(&sender.p, &sender.flow, 1, 60001);
    CHECK_EQ(sender.rate_bps, 87500000000);
    sender_start(rocecc_dcqcn_paper(100000000000));
    sender_cnps();
    CHECK_EQ(sender.rate_bps, 100000000);
}

/*
 * The first cut is 4 us after the first CNP, and four alpha timers have run: alpha is
 * 1023/1024 (1 - 5/1024)^4 = 0.9796537, and R_C (1 - alpha/2) is left. Later alpha is
 * around 1/4, a CNP for four timers, so that each of 250 cuts takes an eighth: R_min,
 * 1 Mb/s, is there after some 90.
 */
TEST(readme_dcqcn_nvidia)
{
    sender_start(rocecc_dcqcn_nvidia(100000000000));
    sender.rate_bps = on_cnp(&sender.p, &sender.flow, 0);
    sender_run(3999);
    CHECK_EQ(sender.rate_bps, 100000000000);
    sender_run(4000);
    CHECK(near_to(sender.rate_bps, 51017314610, 10000));
    sender_start(rocecc_dcqcn_nvidia(100000000000));
    sender_cnps();
    CHECK_EQ(sender.rate_bps, 1000000);
}

/* The same with alpha_0 = 1 and g = 1/256: (1 - 1/256)^4 = 0.9844663; R_min 1 Gb/s. */
TEST(readme_dcqcn_ns3_hpcc)
{
    sender_start(rocecc_dcqcn_ns3_hpcc(100000000000));
    sender.rate_bps = on_cnp(&sender.p, &sender.flow, 0);
    sender_run(3999);
    CHECK_EQ(sender.rate_bps, 100000000000);
    sender_run(4000);
    CHECK(near_to(sender.rate_bps, 50776684273, 10000));
    sender_start(rocecc_dcqcn_ns3_hpcc(100000000000));
    sender_cnps();
    CHECK_EQ(sender.rate_bps, 1000000000);
}

/* Back at line rate a flow has no limiter, and no timer goes on. */
TEST(readme_dcqcn_release)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_nvidia(100000000000);
    p.ai_bps = 10000000000;
    sender_start(p);
    sender_cnps();
    CHECK(rocecc_dcqcn_next_ns(&sender.flow) < UINT64_MAX);
    sender_run(100000000);
    CHECK_EQ(sender.rate_bps, 100000000000);
    CHECK_EQ(rocecc_dcqcn_next_ns(&sender.flow), UINT64_MAX);
}

TEST(readme_dcqcn_refused)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(100000000000);
    rocecc_dcqcn_timed flow;
    p.ai_bps = 0;
    CHECK(!flow_start(&p, &flow, 0));
}
