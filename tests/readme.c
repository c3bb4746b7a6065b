/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * readme.c - tests the C blocks of README.md and include/rocecc/README.md. The Makefile
 * cuts them out.
 */
#include "readme_block.h"

#include <string.h>

#include "lib/test.h"

/* From a ConnectX-4 Lx, cx4-cnp of vectors/frame.vec. */
static const uint8_t cnp[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x08,
    0x00, 0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61,
    0x0a, 0x00, 0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7, 0x00,
    0x28, 0x00, 0x00, 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x82, 0xfd, 0x00, 0x2a};

/* fc-trail of vectors/frame.vec. Its DestQP is the receiver's. */
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
 * Returns the bits that the ICRC does not cover (A17.3.3). They are TOS, TTL and header
 * checksum of IPv4, Traffic Class, Flow Label and Hop Limit of IPv6, the UDP checksum,
 * and byte 4 of the BTH.
 */
static uint8_t cnp_masked(size_t at)
{
    return at == 15 || at == 22 || at == 24 || at == 25 || at == 40 || at == 41 ||
                   at == 46
               ? 0xff
               : 0;
}

/*
 * Returns the bits that a gate does not check either. It checks the checksum of an IPv4
 * header (RFC 1122, 3.2.1.2) with TOS and TTL, and a UDP checksum that is not 0 (RFC
 * 768).
 */
static uint8_t cnp_unchecked(size_t at)
{
    return at == 46 ? 0xff : 0;
}

static uint8_t fast_unchecked(size_t at)
{
    if (at == 14) return 0x0f;
    return at == 15 || at == 16 || at == 17 || at == 21 || at == 90 ? 0xff : 0;
}

/*
 * Checks that a frame is accepted. With another value of a byte from the IP header on,
 * it must still be accepted if only masked bits differ, and else be ignored. A frame
 * that was cut must be ignored.
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

TEST(readme_slow_down_accepts_only_an_intact_cnp)
{
    CHECK_EQ(slow_down(cnp, sizeof cnp), 0x118);
    CHECK_EQ(slow_down(NULL, 0), -1);
    check_each_byte(cnp, sizeof cnp, cnp_masked, slows_down);
}

TEST(readme_slow_down_ignores_a_fast_cnp)
{
    CHECK_EQ(slow_down(fast, sizeof fast), -1);
}

/* A CNP in a tunnel from an unknown source is ignored. */
TEST(readme_slow_down_ignores_a_tunnel)
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
    rocecc_admission_source source[1];
    rocecc_reaction_point gate;
    rocecc_reaction_result what;
    rocecc_reaction_event event;
} gate_host;

static gate_host host;

/* Passes a frame to the gate, 1 ms after the last one, so that it has a token. */
static bool gate_heeds(const uint8_t *frame, size_t n)
{
    host.event.admission.now_ns += 1000000;
    return gate_frame(&host.config, &host.gate, rocecc_reader_of(frame, frame + n),
                      &host.event, &host.what);
}

static bool gate_opens(void)
{
    return gate_open(&host.config, &host.switches, host.source, 1, &host.gate, 0);
}

static void gate_setup(void)
{
    static const rocecc_acl_entry entry = {
        {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}}, 48, 1, 0, 0};
    static const rocecc_acl none = {NULL, 0, 0};
    const rocecc_reaction_event event = {{0, &host.switches, NULL, host.source, 1},
                                         ROCECC_REACTION_PEER_UNKNOWN};
    uint32_t at;
    host.entry = entry;
    host.switches = none;
    host.event = event;
    CHECK(!gate_opens()); /* no list */
    CHECK_EQ(rocecc_acl_init(&host.switches, &host.entry, 1, &at), ROCECC_ACL_ACCEPTED);
    CHECK(gate_opens());
}

TEST(readme_gate_accepts_a_listed_fast_cnp)
{
    gate_setup();
    CHECK(gate_heeds(fast, sizeof fast));
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_FAST_PLAIN);
    CHECK_EQ(host.what.key.remote_qp, 0xabcd);
    CHECK(memcmp(host.what.key.remote.b, fast + 58, 16) == 0); /* from the option */
    check_each_byte(fast, sizeof fast, fast_unchecked, gate_heeds);
    host.entry.permit = 0;
    CHECK(!gate_heeds(fast, sizeof fast));
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_ACCESS_DENIED);
}

/*
 * Of 1000 Fast CNPs at once, the first 62 are accepted, because 1/16 s of 1000/s is
 * 62.5. This is the source's limit. All switches together have 5 times as many.
 */
TEST(readme_gate_limits_a_source)
{
    uint32_t i, accepted = 0;
    gate_setup();
    host.event.admission.now_ns = 1000000;
    for (i = 0; i < 1000; i++)
        accepted += gate_frame(&host.config, &host.gate,
                               rocecc_reader_of(fast, fast + sizeof fast), &host.event,
                               &host.what);
    CHECK_EQ(accepted, 62);
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_RATE_LIMITED);
    CHECK_EQ(host.what.admission, ROCECC_ADMISSION_SOURCE_LIMITED);
    CHECK_EQ(host.gate.count[ROCECC_REACTION_RATE_LIMITED], 1000 - 62);
    CHECK_EQ(host.gate.admission.count[ROCECC_ADMISSION_SOURCE_LIMITED], 1000 - 62);
}

TEST(readme_gate_accepts_an_ordinary_cnp)
{
    gate_setup();
    CHECK(gate_heeds(cnp, sizeof cnp));
    CHECK_EQ(host.what.verdict, ROCECC_REACTION_ORDINARY);
    CHECK_EQ(host.what.cnp.dest_qp, 0x118);
    check_each_byte(cnp, sizeof cnp, cnp_unchecked, gate_heeds);
}

/* The host of a flow, with a timer and only the calls of the block. */
static struct {
    rocecc_dcqcn_params p;
    rocecc_dcqcn_timed flow;
    flow_limit limit;
} sender;

static void sender_start(rocecc_dcqcn_params preset)
{
    memset(&sender, 0, sizeof sender);
    sender.p = preset;
    CHECK(flow_start(&sender.p, &sender.flow, 0));
    sender.limit = limit_of(&sender.flow);
    CHECK_EQ(sender.limit.bps, 100000000000);
    CHECK_EQ(sender.limit.until_ns, UINT64_MAX);
}

/* Runs the host's timer, which expires at each deadline and at no other time. */
static void sender_run(uint64_t until_ns)
{
    while (sender.limit.until_ns <= until_ns) {
        const uint64_t now_ns = sender.limit.until_ns;
        sender.limit = on_deadline(&sender.p, &sender.flow, now_ns);
        CHECK(sender.limit.until_ns > now_ns);
        if (sender.limit.until_ns <= now_ns) return;
    }
}

/* Delivers 250 CNPs, one every 4 us, from 2 us on. */
static void sender_cnps(void)
{
    uint32_t i;
    for (i = 0; i < 250; i++) {
        sender_run(2000 + 4000 * i);
        sender.limit = on_cnp(&sender.p, &sender.flow, 2000 + 4000 * i);
    }
    sender_run(2000 + 4000 * 250);
}

/* Returns true if |is - should| <= within. */
static bool near_to(uint64_t is, uint64_t should, uint64_t within)
{
    return is > should ? is - should <= within : should - is <= within;
}

/*
 * Each of the 250 CNPs halves the rate, while alpha stays at 1. After 10 it is R_min,
 * 100 Mb/s. Without CNPs, R_T is twice R_C, and the increase timer adds half the
 * difference.
 */
TEST(readme_dcqcn_paper)
{
    sender_start(rocecc_dcqcn_paper(100000000000));
    sender.limit = on_cnp(&sender.p, &sender.flow, 0);
    CHECK_EQ(sender.limit.bps, 50000000000);
    sender_run(54999);
    CHECK_EQ(sender.limit.bps, 50000000000);
    sender_run(55000);
    CHECK_EQ(sender.limit.bps, 75000000000);
    sender.limit = on_sent(&sender.p, &sender.flow, 9999999, 60000);
    CHECK_EQ(sender.limit.bps, 75000000000);
    sender.limit = on_sent(&sender.p, &sender.flow, 1, 60001);
    CHECK_EQ(sender.limit.bps, 87500000000);
    sender_start(rocecc_dcqcn_paper(100000000000));
    sender_cnps();
    CHECK_EQ(sender.limit.bps, 100000000);
}

/*
 * The first cut is 4 us after the first CNP, after four alpha timers. alpha is then
 * 1023/1024 (1 - 5/1024)^4 = 0.9796537, and R_C (1 - alpha/2) remains. Later alpha is
 * about 1/4, with a CNP for four timers, so each of 250 cuts takes an eighth. About 90
 * cuts reach R_min, 1 Mb/s.
 */
TEST(readme_dcqcn_nvidia)
{
    sender_start(rocecc_dcqcn_nvidia(100000000000));
    sender.limit = on_cnp(&sender.p, &sender.flow, 0);
    sender_run(3999);
    CHECK_EQ(sender.limit.bps, 100000000000);
    sender_run(4000);
    CHECK(near_to(sender.limit.bps, 51017314610, 10000));
    sender_start(rocecc_dcqcn_nvidia(100000000000));
    sender_cnps();
    CHECK_EQ(sender.limit.bps, 1000000);
}

/* With alpha_0 = 1 and g = 1/256, (1 - 1/256)^4 = 0.9844663. R_min is 1 Gb/s. */
TEST(readme_dcqcn_ns3_hpcc)
{
    sender_start(rocecc_dcqcn_ns3_hpcc(100000000000));
    sender.limit = on_cnp(&sender.p, &sender.flow, 0);
    sender_run(3999);
    CHECK_EQ(sender.limit.bps, 100000000000);
    sender_run(4000);
    CHECK(near_to(sender.limit.bps, 50776684273, 10000));
    sender_start(rocecc_dcqcn_ns3_hpcc(100000000000));
    sender_cnps();
    CHECK_EQ(sender.limit.bps, 1000000000);
}

/*
 * With every preset, a CNP slows the flow down at once, or at the first deadline, at
 * most a cut interval of 4 us later.
 */
TEST(readme_dcqcn_slows_down_by_the_deadline)
{
    static rocecc_dcqcn_params (*const presets[])(uint64_t line_bps) = {
        rocecc_dcqcn_nvidia, rocecc_dcqcn_ns3_hpcc, rocecc_dcqcn_paper};
    size_t i;
    for (i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        test_context("preset %zu", i);
        sender_start(presets[i](100000000000));
        sender.limit = on_cnp(&sender.p, &sender.flow, 1000);
        CHECK(sender.limit.bps < 100000000000 || sender.limit.until_ns <= 1000 + 4000);
        sender_run(1000 + 4000);
        CHECK(sender.limit.bps < 100000000000);
    }
}

/* At line rate, a flow has neither a limiter nor a running timer. */
TEST(readme_dcqcn_has_no_timer_at_line_rate)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_nvidia(100000000000);
    p.ai_bps = 10000000000;
    sender_start(p);
    sender_cnps();
    CHECK(sender.limit.until_ns < UINT64_MAX);
    sender_run(100000000);
    CHECK_EQ(sender.limit.bps, 100000000000);
    CHECK_EQ(sender.limit.until_ns, UINT64_MAX);
}

TEST(readme_dcqcn_rejects_an_R_AI_of_0)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(100000000000);
    rocecc_dcqcn_timed flow;
    p.ai_bps = 0;
    CHECK(!flow_start(&p, &flow, 0));
}

/* ---- from the frame to the window */

/*
 * s-ioam, s-ifa and s-intmd of vectors/echo.vec, ACKs to QP 0xabcd with PSN 7. Their
 * records have two hops, with the last hop of the path first.
 */
static const uint8_t ack_ioam[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x86, 0xdd,
    0x60, 0x00, 0x00, 0x00, 0x00, 0x54, 0x11, 0x3f, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x20, 0x01, 0x0d, 0xb8,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0b, 0xc0, 0x01,
    0x12, 0xb7, 0x00, 0x54, 0x00, 0x00, 0x11, 0x40, 0xff, 0xff, 0x00, 0x00, 0xab, 0xcd,
    0x00, 0x00, 0x00, 0x07, 0x1f, 0x00, 0x00, 0x09, 0x10, 0x00, 0x00, 0x0d, 0x31, 0x32,
    0x00, 0x00, 0x00, 0x00, 0x28, 0x00, 0xd2, 0x08, 0x00, 0x00, 0x3e, 0x00, 0x0b, 0x02,
    0x00, 0x03, 0x00, 0x04, 0x0b, 0xeb, 0xc2, 0x64, 0x00, 0x00, 0x00, 0x07, 0x80, 0x00,
    0x00, 0x00, 0x3f, 0x00, 0x0b, 0x01, 0x00, 0x01, 0x00, 0x02, 0x0b, 0xeb, 0xc2, 0x00,
    0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xf0, 0x00, 0x00, 0x00, 0x00};

static const uint8_t ack_ifa[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x86, 0xdd,
    0x60, 0x00, 0x00, 0x00, 0x00, 0x70, 0x11, 0x3f, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x20, 0x01, 0x0d, 0xb8,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0b, 0xc0, 0x01,
    0x12, 0xb7, 0x00, 0x70, 0x00, 0x00, 0x11, 0x40, 0xff, 0xff, 0x00, 0x00, 0xab, 0xcd,
    0x00, 0x00, 0x00, 0x07, 0x1f, 0x00, 0x00, 0x09, 0x11, 0x00, 0x00, 0x14, 0x2f, 0x11,
    0x04, 0xf8, 0xc0, 0x01, 0x12, 0xb7, 0x00, 0x20, 0x00, 0x00, 0xff, 0x00, 0x08, 0x10,
    0x20, 0x00, 0x0c, 0x02, 0x40, 0xff, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x3b, 0x9a, 0xc9, 0xff, 0x3b, 0x9a, 0xc9, 0xff, 0xff, 0xff, 0x00, 0x05, 0x00, 0x06,
    0x00, 0x00, 0x00, 0x01, 0x20, 0x00, 0x0c, 0x01, 0x40, 0x00, 0x3f, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x05, 0x00, 0x01,
    0x00, 0x07, 0x00, 0x08, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00};

static const uint8_t ack_intmd[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x86, 0xdd,
    0x60, 0x00, 0x00, 0x00, 0x00, 0x5c, 0x11, 0x3f, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x20, 0x01, 0x0d, 0xb8,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0b, 0xc0, 0x01,
    0x12, 0xb7, 0x00, 0x5c, 0x00, 0x00, 0x11, 0x40, 0xff, 0xff, 0x00, 0x00, 0xab, 0xcd,
    0x00, 0x00, 0x00, 0x07, 0x1f, 0x00, 0x00, 0x09, 0x12, 0x00, 0x00, 0x0f, 0x20, 0x00,
    0x06, 0x06, 0xd5, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0d, 0x02,
    0x00, 0x09, 0x00, 0x0a, 0x03, 0x12, 0x34, 0x56, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x27, 0x10, 0x00, 0x00, 0x0d, 0x01, 0x00, 0x0b, 0x00, 0x0c,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00,
    0x09, 0xc4, 0x00, 0x00, 0x00, 0x00};

/* Places of the last hop's fields in a frame. The first hop's are `apart` later. */
typedef struct ack_kind {
    const uint8_t *frame;
    size_t bytes;
    size_t ts, queue, tx, util; /* 32, queue_bits, 32 and 32 bits; 0: none */
    size_t sec, residence;      /* IFA A: speed and seconds; added to the time */
    unsigned queue_bits;
    size_t apart;
    rocecc_telemetry_format format;
} ack_kind;

static const ack_kind ack_kinds[] = {
    {ack_ioam, sizeof ack_ioam, 102, 106, 110, 0, 0, 0, 32, 20, ROCECC_TELEMETRY_IOAM},
    {ack_ifa, sizeof ack_ifa, 116, 120, 126, 0, 0, 0, 16, 32, ROCECC_TELEMETRY_IFA_B},
    {ack_ifa, sizeof ack_ifa, 110, 124, 118, 0, 102, 114, 16, 32,
     ROCECC_TELEMETRY_IFA_A},
    {ack_intmd, sizeof ack_intmd, 110, 103, 0, 114, 0, 0, 24, 24,
     ROCECC_TELEMETRY_INTMD}};

/* Sets up units of 50 bytes, loads in 1/10,000, and links of 100 Gb/s. */
static void ack_network(const ack_kind *k, hpcc_network *net)
{
    memset(net, 0, sizeof *net);
    net->domain.roce.echo_bytes = 160;
    net->domain.ioam.tx_bytes_bit = 12;
    net->domain.ifa.protocol = 253;
    net->domain.ifa.layout_a = k->format == ROCECC_TELEMETRY_IFA_A ? 1 << 2 : 1 << 1;
    net->domain.ifa.layout_b = k->format == ROCECC_TELEMETRY_IFA_A ? 1 << 1 : 1 << 2;
    net->domain.intmd.udp_port = 5000;
    net->units.rate_bps = 100000000000;
    net->units.queue_unit_bytes = 50;
    net->units.util_one = 10000;
    net->units.every_node = true;
    net->format = k->format;
    CHECK(hpcc_open(net, 100000000000));
}

/* Content of an ACK for the last hop. The first hop sends nothing. */
typedef struct ack_tells {
    uint8_t psn;
    uint32_t ts_ns, queue_bytes, tx_bytes, load_percent;
} ack_tells;

/* Writes the time at which a packet left a hop, and its other parts in IFA A. */
static void ack_time(const ack_kind *k, uint32_t ts_ns, size_t hop, uint8_t *frame)
{
    const bool wide = k->format == ROCECC_TELEMETRY_INTMD; /* 64-bit ns */
    rocecc_store32(frame + k->ts + hop, wide ? ts_ns : ts_ns % 1000000000);
    if (k->sec == 0) return;
    rocecc_store32(frame + k->sec + hop, 0x40000000u + ts_ns / 1000000000);
    rocecc_store32(frame + k->residence + hop, 0);
}

static void ack_hops(const ack_kind *k, const ack_tells *a, uint8_t *frame)
{
    uint32_t i;
    ack_time(k, a->ts_ns, 0, frame);
    ack_time(k, a->ts_ns, k->apart, frame);
    for (i = 0; i < k->queue_bits / 8; i++) {
        const unsigned shift = k->queue_bits - 8 - 8 * i;
        frame[k->queue + i] = (uint8_t)(a->queue_bytes / 50 >> shift);
        frame[k->queue + k->apart + i] = 0;
    }
    if (k->tx != 0) rocecc_store32(frame + k->tx, a->tx_bytes);
    if (k->util == 0) return;
    rocecc_store32(frame + k->util, a->load_percent * 100);
    rocecc_store32(frame + k->util + k->apart, 0);
}

static size_t ack_write(const ack_kind *k, const ack_tells *a, uint8_t *frame)
{
    const rocecc_domain ether = {0};
    rocecc_packet p;
    memcpy(frame, k->frame, k->bytes);
    frame[73] = a->psn;
    ack_hops(k, a, frame);
    CHECK_EQ(rocecc_packet_parse(&ether, rocecc_reader_of(frame, frame + k->bytes), &p),
             ROCECC_OK);
    CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &p,
                                 rocecc_writer_of(frame, frame + k->bytes)),
             ROCECC_OK);
    return k->bytes;
}

static bool ack_comes(const ack_kind *k, const hpcc_network *net, hpcc_flow *flow,
                      const ack_tells *a, rocecc_hpcc_action *act)
{
    uint8_t frame[200];
    const size_t n = ack_write(k, a, frame);
    size_t at;
    flow->next = a->psn + 1u;
    for (at = 0; at < n; at++) /* a part of it changes nothing */
        CHECK(!hpcc_frame(net, flow, rocecc_reader_of(frame, frame + at), 0, act));
    frame[n - 1] ^= 1; /* nor does a wrong ICRC */
    CHECK(!hpcc_frame(net, flow, rocecc_reader_of(frame, frame + n), 0, act));
    frame[n - 1] ^= 1;
    return hpcc_frame(net, flow, rocecc_reader_of(frame, frame + n), a->ts_ns, act);
}

/*
 * HPCC's equations for a link of 100 Gb/s and T = 13 us, so B T = 162500 bytes. Records
 * are T apart, so U is u'. This is the example of algo/hpcc.h and its continuation,
 * rounded up to bytes. W_AI is 162500 / 2000 = 81.25. Between the first two ACKs,
 * clocks of a second and counters of 32 bits wrap.
 *
 *   first ACK  no pair of records yet              W = B T
 *   second     16250 queued, B T sent, U = 1.1     W = 0.95/1.1 B T + W_AI
 *                                                    = 140422.2
 *   third      none queued, half of B T sent,      W = 140503.4
 *              U = 0.5 < 0.95, one additive step
 */
TEST(readme_hpcc_computes_the_window)
{
    static const ack_tells acks[] = {{7, 999990000, 16250, 4294900000, 100},
                                     {8, 1000003000, 16250, 95204, 100},
                                     {9, 1000016000, 0, 176454, 50}};
    static const uint64_t window_bytes[] = {162500, 140423, 140504};
    size_t i, k;
    for (k = 0; k < sizeof ack_kinds / sizeof ack_kinds[0]; k++) {
        hpcc_network net;
        hpcc_flow flow;
        rocecc_hpcc_action act;
        test_context("format %zu", k);
        ack_network(&ack_kinds[k], &net);
        memset(&flow, 0, sizeof flow);
        flow.qp = 0xabcd;
        flow.first = 7;
        flow.state = rocecc_hpcc_start(&net.params);
        for (i = 0; i < 3; i++) {
            CHECK(ack_comes(&ack_kinds[k], &net, &flow, &acks[i], &act));
            CHECK_EQ(act.window_bytes, window_bytes[i]);
            CHECK(near_to(act.rate_bps, window_bytes[i] * 8000000 / 13, 620000));
            CHECK_EQ(flow.first, acks[i].psn + 1u);
            CHECK(!ack_comes(&ack_kinds[k], &net, &flow, &acks[i], &act)); /* again */
        }
    }
}

/* Only an ACK or a NAK to this QP is used, even without an echo. */
TEST(readme_hpcc_uses_only_acks_and_naks_of_its_qp)
{
    const ack_tells a = {7, 200000000, 0, 0, 0};
    const ack_kind *k = &ack_kinds[0];
    hpcc_network net;
    hpcc_flow flow;
    rocecc_hpcc_action act;
    ack_kind changed = *k;
    uint8_t frame[200];
    ack_network(k, &net);
    memset(&flow, 0, sizeof flow);
    flow.qp = 0xabce;
    flow.first = 7;
    flow.state = rocecc_hpcc_start(&net.params);
    CHECK(!ack_comes(k, &net, &flow, &a, &act));
    flow.qp = 0xabcd;
    memcpy(frame, k->frame, k->bytes);
    changed.frame = frame;
    frame[62] = 0x0a; /* RDMA WRITE ONLY */
    CHECK(!ack_comes(&changed, &net, &flow, &a, &act));
    frame[62] = 0x11;
    frame[74] = 0x60; /* a NAK for packet 7, which stays the oldest */
    CHECK(ack_comes(&changed, &net, &flow, &a, &act));
    CHECK_EQ(flow.first, 7);
    net.domain.roce.echo_bytes = 0; /* no echo after the AETH */
    frame[74] = 0x1f;
    CHECK(ack_comes(&changed, &net, &flow, &a, &act));
    CHECK_EQ(flow.first, 8);
    CHECK_EQ(act.verdict, ROCECC_HPCC_BLIND);
}

/* hpcc_open() rejects a wrong clock, line rate or echo length. */
TEST(readme_hpcc_rejects_bad_parameters)
{
    hpcc_network net;
    ack_network(&ack_kinds[0], &net);
    net.units.clock = 3;
    CHECK(!hpcc_open(&net, 100000000000));
    ack_network(&ack_kinds[0], &net);
    CHECK(!hpcc_open(&net, 0));
    net.domain.roce.echo_bytes = 7;
    CHECK(!hpcc_open(&net, 100000000000));
}
