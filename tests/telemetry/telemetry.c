/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/telemetry.h"
#include "lib/noun.h"
#include "lib/trace.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define ALL (ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX)
#define TIMED (ALL | ROCECC_HOP_TS)
#define FULL (TIMED | ROCECC_HOP_UTIL) /* every item of a hop */
#define ID(node, egress) ((uint64_t)(node) << 32 | (egress))
#define MAX 8

/*
 * The examples in section 8 of the specification. IOAM's examples omit the two bytes of
 * type and length.
 */
#define IOAM_NODES                                                                     \
    "3e000a02 00c900ca 000009c4 000003e8 00001800"                                     \
    "3f000a01 00650066 3b9ac618 00000040 fffff000"
#define IOAM_1                                                                         \
    "0000 007b2805 d2080000 00000000 00000000 00000000 00000000 00000000" IOAM_NODES
#define IOAM_3 "0000 007b2c02 d2080000 00000000 00000000" IOAM_NODES
#define IOAM_6                                                                         \
    "0000 007b3000 f2080000"                                                           \
    "3d000c13 007f0080 6b010522 000bcb74 00000000 ffffffff"                            \
    "3e000c12 00570058 6b010522 000bcb5f 00000000 ffffffff"                            \
    "3f000c11 002f0030 6b010521 000cc6d9 00000000 ffffffff"
#define IFA_1 "100a013f 40312345 00660065 3b9ac230 000003e8 fffff000 00000040 0001f400"
#define IFA_2                                                                          \
    "2f1104ff c00112b7 00180000 ff00fc10"                                              \
    "100a023e 6c312346 00ca00c9 000005dc 000003e8 00001800 000003e8 0001f000" IFA_1    \
    "00000000 00000000 00000000 00000000"
#define IFA_4 "2000ffff 40008000 67000009 010d0ef7 61001872 9c430000 00c900ca 00000000"
#define INT_1                                                                          \
    "20000606 d5000000 00000000"                                                       \
    "00000a02 00c900ca 030003e8 17979cfe 71c4d3c4 00002710"                            \
    "00000a01 00650066 03000040 17979cfe 71c4c618 0000251c"
#define INT_3                                                                          \
    "22000d00 ff810000 00000000"                                                       \
    "00000007 00010002 000004d2 0300004d 00000000 000003e8 00000000 000008ba"          \
    "00010001 00010002 ffffffff 01000063 ffffffff"

static const rocecc_telemetry_config nothing;
static const rocecc_ioam_config ioam = {123, 12, 13, false};
static const rocecc_ifa_config ifa = {
    .protocol = 253, .layout_a = 1u << 1, .layout_b = 1u << 2};
static const rocecc_intmd_config intmd;

/* Returns a reader of bytes right before a guard page, valid until the next call. */
static rocecc_reader bytes_of(const char *hex)
{
    uint8_t bytes[VEC_BYTES];
    size_t n = 0;
    CHECK(vec_hex(hex, bytes, &n));
    return noun_reader(bytes, n);
}

static const rocecc_telemetry_rates no_rates = {NULL, 0, 0};

/* Checks each item. An item that is not reported must be 0. */
static void expect_hop(const rocecc_hop *is, rocecc_hop should)
{
    CHECK_EQ(is->valid, should.valid);
    CHECK_EQ(is->id, should.id);
    CHECK_EQ(is->rate_bps, should.rate_bps);
    CHECK_EQ(is->queue_bytes, should.queue_bytes);
    CHECK_EQ(is->tx_bytes, should.tx_bytes);
    CHECK_EQ(is->ts_ns, should.ts_ns);
    CHECK_EQ(is->util_q20, should.util_q20);
}

/* Returns a hop with only these valid items. The others are 0. */
static rocecc_hop only(rocecc_hop h, unsigned valid)
{
    h.valid &= (uint8_t)valid;
    if ((h.valid & ROCECC_HOP_ID) == 0) h.id = 0;
    if ((h.valid & ROCECC_HOP_RATE) == 0) h.rate_bps = 0;
    if ((h.valid & ROCECC_HOP_QUEUE) == 0) h.queue_bytes = 0;
    if ((h.valid & ROCECC_HOP_TX) == 0) h.tx_bytes = 0;
    if ((h.valid & ROCECC_HOP_TS) == 0) h.ts_ns = 0;
    if ((h.valid & ROCECC_HOP_UTIL) == 0) h.util_q20 = 0;
    return h;
}

static rocecc_telemetry_path ioam_path(const rocecc_telemetry_config *c,
                                       const char *hex, rocecc_hop *hops)
{
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    CHECK_EQ(rocecc_ioam_option_parse(bytes_of(hex), &o), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ioam_path(c, &v, hops, MAX, &path), ROCECC_OK);
    return path;
}

static rocecc_telemetry_path ifa_path_by(const rocecc_ifa_config *by,
                                         const rocecc_telemetry_config *c,
                                         const char *hex, rocecc_hop *hops)
{
    const rocecc_reader r = bytes_of(hex);
    rocecc_telemetry_path path = {99, 99};
    rocecc_ifa v;
    CHECK_EQ(rocecc_ifa_parse(by, r, rocecc_left(&r), &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ifa_path(c, &v, hops, MAX, &path), ROCECC_OK);
    return path;
}

static rocecc_telemetry_path ifa_path(const rocecc_telemetry_config *c, const char *hex,
                                      rocecc_hop *hops)
{
    return ifa_path_by(&ifa, c, hex, hops);
}

static rocecc_hop ifa_hop(const rocecc_telemetry_config *c, const char *hex)
{
    rocecc_reader r = bytes_of(hex);
    rocecc_ifa_node n;
    CHECK_EQ(rocecc_ifa_node_next(&ifa, &r, &n), ROCECC_OK);
    return rocecc_telemetry_ifa_load(c, &n);
}

static rocecc_telemetry_path intmd_path(const rocecc_telemetry_config *c,
                                        const char *hex, rocecc_hop *hops)
{
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
    rocecc_intmd v;
    CHECK_EQ(rocecc_intmd_parse(&intmd, bytes_of(hex), &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_intmd_path(c, &v, hops, MAX, &path), ROCECC_OK);
    return path;
}

/*
 * With a configured unit and rate, all items of both nodes are reported, the first node
 * on the path first. Without them, queue and rate are absent.
 */
TEST(IOAM_1_is_read_in_units_of_80_bytes)
{
    rocecc_telemetry_config c = nothing;
    rocecc_telemetry_path path;
    rocecc_hop hops[MAX];
    c.queue_unit_bytes = 80;
    c.rate_bps = 100 * G;
    path = ioam_path(&c, IOAM_1, hops);
    CHECK_EQ(path.n, 2);
    CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    expect_hop(&hops[0], (rocecc_hop){.id = ID(0xa01, 102),
                                      .rate_bps = 100 * G,
                                      .queue_bytes = 5120,
                                      .tx_bytes = 0xfffff000,
                                      .ts_ns = 999999000,
                                      .valid = TIMED});
    expect_hop(&hops[1], (rocecc_hop){.id = ID(0xa02, 202),
                                      .rate_bps = 100 * G,
                                      .queue_bytes = 80000,
                                      .tx_bytes = 0x1800,
                                      .ts_ns = 2500,
                                      .valid = TIMED});
    /* Without a unit and a rate. */
    path = ioam_path(&nothing, IOAM_1, hops);
    expect_hop(&hops[0],
               (rocecc_hop){.id = ID(0xa01, 102),
                            .tx_bytes = 0xfffff000,
                            .ts_ns = 999999000,
                            .valid = ROCECC_HOP_ID | ROCECC_HOP_TX | ROCECC_HOP_TS});
}

/* O is set, so a node found no room. The two nodes with records are still read. */
TEST(IOAM_3_with_overflow_is_incomplete)
{
    rocecc_hop hops[MAX];
    const rocecc_telemetry_path path = ioam_path(&nothing, IOAM_3, hops);
    CHECK_EQ(path.n, 2);
    CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_NO);
    CHECK_EQ(hops[0].id, ID(0xa01, 102));
    CHECK_EQ(hops[1].id, ID(0xa02, 202));
}

/* Microseconds without tx_bytes. The first router's seconds are one less. */
TEST(IOAM_6_has_the_time_of_each_clock)
{
    static const uint64_t first[3] = {837337, 837337000, 194957};
    static const uint64_t last[3] = {772980, 772980000, 179973};
    rocecc_telemetry_config c = nothing;
    rocecc_hop hops[MAX];
    rocecc_telemetry_path path;
    c.seconds = true;
    c.queue_unit_bytes = 1;
    for (c.clock = 0; c.clock < 3; c.clock++) {
        test_context("clock %u", c.clock);
        path = ioam_path(&c, IOAM_6, hops);
        CHECK_EQ(path.n, 3);
        CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
        CHECK_EQ(hops[0].valid, ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS);
        CHECK_EQ(hops[0].id, ID(0xc11, 0x30));
        CHECK_EQ(hops[0].ts_ns, 0x6b010521 * G + first[c.clock]);
        CHECK_EQ(hops[2].id, ID(0xc13, 0x80));
        CHECK_EQ(hops[2].ts_ns, 0x6b010522 * G + last[c.clock]);
    }
    c.clock = ROCECC_TELEMETRY_CLOCK_POSIX;
    c.seconds = false; /* only the fraction, although seconds exist */
    (void)ioam_path(&c, IOAM_6, hops);
    CHECK_EQ(hops[0].ts_ns, 837337000);
    c.seconds = true; /* missing seconds */
    (void)ioam_path(&c, IOAM_1, hops);
    CHECK_EQ(hops[0].valid & ROCECC_HOP_TS, 0);
    CHECK_EQ(hops[0].ts_ns, 0);
}

/* Each record's own rate precedes the configured rate. IFA-1 is the first of IFA-2. */
TEST(IFA_1_and_2_are_read_in_layout_A)
{
    rocecc_telemetry_config c = nothing;
    rocecc_telemetry_path path;
    rocecc_hop hops[MAX], one;
    c.queue_unit_bytes = 256;
    c.rate_bps = 1 * G; /* the record has another rate */
    path = ifa_path(&c, IFA_2, hops);
    CHECK_EQ(path.n, 2);
    CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    expect_hop(&hops[0], (rocecc_hop){.id = ID(0xa01, 102),
                                      .rate_bps = 100 * G,
                                      .queue_bytes = 16384,
                                      .tx_bytes = 0xfffff000,
                                      .ts_ns = 0x12345 * G + 999999000,
                                      .valid = TIMED});
    expect_hop(&hops[1], (rocecc_hop){.id = ID(0xa02, 202),
                                      .rate_bps = 400 * G,
                                      .queue_bytes = 256000,
                                      .tx_bytes = 0x1800,
                                      .ts_ns = 0x12346 * G + 2500,
                                      .valid = TIMED});
    one = ifa_hop(&c, IFA_1);
    expect_hop(&one, hops[0]);
}

/* Layout B has no rate, so the configured rate is reported. Its time has only ns. */
TEST(IFA_4_is_read_in_layout_B)
{
    rocecc_telemetry_config c = nothing;
    rocecc_hop h;
    c.queue_unit_bytes = 256;
    c.rate_bps = 100 * G;
    h = ifa_hop(&c, IFA_4);
    expect_hop(&h, (rocecc_hop){.id = ID(0xffff, 202),
                                .rate_bps = 100 * G,
                                .ts_ns = 410164291,
                                .valid = TIMED});
}

/*
 * 0x91234 is the queue in bytes, without a unit. The upper byte 0xff of the counter
 * counts only with tx_bits 40, and ts_bits 28 limits the time.
 */
TEST(ifa_octets_layout_reads_the_queue_in_bytes)
{
    rocecc_telemetry_config c = nothing;
    rocecc_hop h =
        ifa_hop(&c, "2000ffff 40ff8000 80000009 010d0ef7 61001872 9c431234 00c900ca"
                    "80000007");
    expect_hop(&h, (rocecc_hop){.id = ID(0xffff, 202),
                                .queue_bytes = 0x91234,
                                .tx_bytes = 0x80000007,
                                .ts_ns = 410164291,
                                .valid = TIMED - ROCECC_HOP_RATE});
    c.tx_bits = 40; /* for devices that write the high bits */
    c.ts_bits = 28; /* 410164291 - 2^28 */
    h = ifa_hop(&c, "2000ffff 40ff8000 80000009 010d0ef7 61001872 9c431234 00c900ca"
                    "80000007");
    CHECK_EQ(h.tx_bytes, UINT64_C(0xff80000007));
    CHECK_EQ(h.ts_ns, 141728835);
}

/*
 * A utilisation of 0x251c (9500 of 10000) is 0.95, or 996147 of 2^20. The same 64 bits
 * are ns by PTP, seconds and their fraction by NTP, and us by POSIX.
 */
TEST(INT_1_is_read_in_hundredths_of_a_percent)
{
    rocecc_telemetry_config c = nothing;
    rocecc_telemetry_path path;
    rocecc_hop hops[MAX];
    enum { VALID = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS };
    c.queue_unit_bytes = 80;
    c.util_one = 10000;
    path = intmd_path(&c, INT_1, hops);
    CHECK_EQ(path.n, 2);
    CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    expect_hop(&hops[0], (rocecc_hop){.id = ID(0xa01, 102),
                                      .queue_bytes = 5120,
                                      .ts_ns = UINT64_C(0x17979cfe71c4c618),
                                      .util_q20 = 996147,
                                      .valid = VALID | ROCECC_HOP_UTIL});
    expect_hop(&hops[1], (rocecc_hop){.id = ID(0xa02, 202),
                                      .queue_bytes = 80000,
                                      .ts_ns = UINT64_C(0x17979cfe71c4d3c4),
                                      .util_q20 = 1048576,
                                      .valid = VALID | ROCECC_HOP_UTIL});
    c.util_one = 0;
    c.clock = ROCECC_TELEMETRY_CLOCK_NTP; /* 0x17979cfe s, 0x71c4c618 * 2^-32 s */
    path = intmd_path(&c, INT_1, hops);
    expect_hop(&hops[0], (rocecc_hop){.id = ID(0xa01, 102),
                                      .queue_bytes = 5120,
                                      .ts_ns = 0x17979cfe * G + 444408779,
                                      .valid = VALID});
    c.clock = ROCECC_TELEMETRY_CLOCK_POSIX;
    c.ts_bits = 32; /* 0x71c4c618 us */
    path = intmd_path(&c, INT_1, hops);
    CHECK_EQ(hops[0].ts_ns, UINT64_C(1908721176000));
}

/* M is set, so a node did not fit the MTU. 0x4d (77) bytes of queue are reported. */
TEST(INT_3_with_m_is_incomplete)
{
    rocecc_telemetry_config c = nothing;
    rocecc_telemetry_path path;
    rocecc_hop hops[MAX];
    c.queue_unit_bytes = 1;
    c.util_one = 100;
    path = intmd_path(&c, INT_3, hops);
    CHECK_EQ(path.n, 1);
    CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_NO);
    expect_hop(&hops[0],
               (rocecc_hop){.id = ID(7, 2),
                            .queue_bytes = 77,
                            .ts_ns = 2234,
                            .valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS});
}

/*
 * Returns a table with equal buckets of 1 Gb/s for ABW, 2^-5 for ABW/C and 1 us for
 * delays. Wide buckets have 2^23 bit/s, 2^-20 and 128 ns.
 */
static rocecc_csig_table even_table(void)
{
    static const uint64_t width[4] = {1000000000, 32768, 1000, 1000};
    static const uint8_t step[4] = {23, 0, 7, 7};
    rocecc_csig_table t;
    unsigned i, k;
    memset(&t, 0, sizeof t);
    for (i = 0; i < 4; i++) {
        t.type[i].n = 32;
        for (k = 0; k < 32; k++) {
            t.type[i].range[k].min = k * width[i];
            t.type[i].range[k].max = (k + 1) * width[i] - 1;
        }
        t.type[i].wide = true;
        t.type[i].step_log2 = step[i];
    }
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    return t;
}

static rocecc_csig tag_of(const char *hex, bool uec)
{
    const rocecc_csig_config c = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, uec};
    rocecc_reader r = bytes_of(hex);
    rocecc_csig tag;
    memset(&tag, 0, sizeof tag);
    CHECK_EQ(rocecc_csig_parse(&c, &r, &tag), ROCECC_OK);
    return tag;
}

/* The tags of section 8, by even_table(). Each gives one sample and one hop. */
TEST(CSIG_1_to_6_give_the_specified_samples)
{
    static const struct {
        const char *hex;
        uint64_t rate_bps;
        uint8_t signal;
        uint32_t value, util, queue;
        uint8_t valid;
    } rows[] = {
        /* 9 of 32, 1/2 and 15 of 32 are in use. */
        {"99002b85", 0, ROCECC_HPCC_UTILISATION, 294912, 294912, 0, ROCECC_HOP_UTIL},
        {"99002842", 0, ROCECC_HPCC_UTILISATION, 524288, 524288, 0, ROCECC_HOP_UTIL},
        {"99002880", 0, ROCECC_HPCC_UTILISATION, 491520, 491520, 0, ROCECC_HOP_UTIL},
        {"99004493", 100 * G, ROCECC_HPCC_DELAY, 9999, 0, 0, ROCECC_HOP_RATE},
        {"99006fc3", 100 * G, ROCECC_HPCC_DRAIN, 31999, 0, 399987,
         ROCECC_HOP_RATE | ROCECC_HOP_QUEUE},
        /* 50000 * 2^23 bit/s, 0.524288 of 800 Gb/s, are free. */
        {"99012468 00c35000", 800 * G, ROCECC_HPCC_UTILISATION, 498821, 498821, 0,
         ROCECC_HOP_RATE | ROCECC_HOP_UTIL}};
    const rocecc_csig_table t = even_table();
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rocecc_csig tag = tag_of(rows[i].hex, i == 4);
        rocecc_hpcc_csig_event s = {0, 0, 1, 2, 3, 0};
        rocecc_telemetry_config c = nothing;
        rocecc_hop h;
        test_context("CSIG-%zu", i + 1);
        c.rate_bps = rows[i].rate_bps;
        CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
        CHECK_EQ(s.signal, rows[i].signal);
        CHECK_EQ(s.value, rows[i].value);
        CHECK(s.seq == 1 && s.snd_nxt == 2 && s.now_ns == 3);
        h = rocecc_telemetry_csig_load(&c, &no_rates, &t, &tag);
        expect_hop(&h, (rocecc_hop){.rate_bps = rows[i].rate_bps,
                                    .queue_bytes = rows[i].queue,
                                    .util_q20 = rows[i].util,
                                    .valid = rows[i].valid});
    }
}

/*
 * ABW needs a rate from 256 bit/s up to below ROCECC_RATE_END_BPS. An unassigned type,
 * or a bucket beyond the table, gives no sample, and the sample is unchanged. A delay
 * is limited to 67 ms (2^26 ns), and a queue to 2^32 - 1 bytes.
 */
TEST(csig_sample_needs_a_rate_and_a_known_bucket)
{
    rocecc_csig_table t = even_table();
    rocecc_telemetry_config c = nothing;
    rocecc_hpcc_csig_event s = {0, 9, 0, 0, 0, 0};
    rocecc_csig tag = tag_of("99010000 00c35000", false);
    rocecc_hop h;
    /* ABW without a rate, with a rate too low, and with one too high */
    CHECK(!rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    c.rate_bps = 255;
    CHECK(!rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    c.rate_bps = ROCECC_RATE_END_BPS;
    CHECK(!rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    c.rate_bps = 256; /* more ABW than the rate */
    CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    CHECK_EQ(s.value, 0);
    s.signal = 0;
    s.value = 9;
    tag.type = 4; /* not assigned */
    CHECK(!rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    /* The neutral ABW/C, bucket 31, is in a table of 32 ranges, but not of 31. */
    tag = tag_of("99002f80", false);
    CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    CHECK_EQ(s.value, 32768);
    s.signal = 0;
    s.value = 9;
    t.type[1].n = 31;
    CHECK(!rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    h = rocecc_telemetry_csig_load(&c, &no_rates, &t, &tag);
    expect_hop(&h, (rocecc_hop){.rate_bps = 256, .valid = ROCECC_HOP_RATE});
    CHECK(s.signal == 0 && s.value == 9);
    tag = tag_of("99004000", false); /* bucket 0 means no delay */
    CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    CHECK_EQ(s.value, 0);
    tag = tag_of("99010000 3fffff00", false); /* 2^20 * 128 - 1 ns */
    c.rate_bps = 8 * G;
    h = rocecc_telemetry_csig_load(&c, &no_rates, &t, &tag);
    CHECK_EQ(h.queue_bytes, 1u << 26); /* 2^26 ns at a byte per ns */
    c.rate_bps = ROCECC_RATE_END_BPS - 1;
    h = rocecc_telemetry_csig_load(&c, &no_rates, &t, &tag);
    CHECK_EQ(h.queue_bytes, UINT32_MAX);
}

/*
 * A port of 100 Gb/s, a quarter used, has 75 Gb/s free, and 125000 bytes drain in 10
 * us. A utilisation above 1.0 leaves 0 free. An absent item is neutral.
 */
TEST(csig_port_compares_free_bandwidth_and_drain_time)
{
    rocecc_csig_measured l;
    rocecc_hop h = {.id = ID(1, 2),
                    .rate_bps = 100 * G,
                    .queue_bytes = 125000,
                    .tx_bytes = 3,
                    .ts_ns = 4,
                    .util_q20 = 262144,
                    .valid = ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_UTIL};
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], 75 * G);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW_C], 786432);
    CHECK_EQ(l.value[ROCECC_CSIG_PD], 0);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 10000);
    h.util_q20 = 1048577; /* above 1.0 */
    h.queue_bytes = UINT32_MAX;
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], 0);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW_C], 0);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 343597383);
    h.valid = ROCECC_HOP_QUEUE | ROCECC_HOP_UTIL; /* without a rate */
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], UINT64_MAX);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW_C], 0);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 0);
    h.valid = ROCECC_HOP_RATE;
    l = rocecc_telemetry_csig_store(&h);
    CHECK(l.value[0] == UINT64_MAX && l.value[1] == UINT64_MAX && l.value[3] == 0);
}

/*
 * Without a rate, a queue's time gives no bytes. ROCECC_RATE_END_BPS counts as no rate.
 */
TEST(csig_queue_needs_a_valid_rate)
{
    const rocecc_csig_table t = even_table();
    const rocecc_csig tag = tag_of("99006fc3", true);
    rocecc_hop h = rocecc_telemetry_csig_load(&nothing, &no_rates, &t, &tag);
    rocecc_csig_measured l;
    expect_hop(&h, (rocecc_hop){0});
    h = (rocecc_hop){.rate_bps = ROCECC_RATE_END_BPS,
                     .queue_bytes = 2,
                     .valid = ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_UTIL};
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], UINT64_MAX);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW_C], ROCECC_ONE_Q20);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 0);
}

/* At 256 bit/s, the lowest rate, a byte takes 31.25 ms. 255 bit/s count as no rate. */
TEST(csig_port_needs_a_rate_of_at_least_256_bps)
{
    rocecc_hop h = {.rate_bps = 256,
                    .queue_bytes = 2,
                    .valid = ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_UTIL};
    rocecc_csig_measured l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], 256);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 62500000);
    h.rate_bps = 255;
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], UINT64_MAX);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 0);
}

/* NTP is the last clock. ts_bits has at most 54, and tx_bits at most 40. */
TEST(telemetry_init_rejects_bad_clocks_and_widths)
{
    rocecc_telemetry_config c = nothing;
    CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
    c.clock = ROCECC_TELEMETRY_CLOCK_NTP;
    c.ts_bits = 54;
    c.tx_bits = 40;
    CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
    c.clock++;
    CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_ERR_RANGE);
    c.clock = 0;
    c.ts_bits = 55;
    CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_ERR_RANGE);
    c.ts_bits = 0;
    c.tx_bits = 41;
    CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_ERR_RANGE);
}

/* Formats and their variants. */
enum { NARROW, WIDE, A, B, OCTETS, MD, MD_L2, FORMATS };

static const char *const format_names[FORMATS] = {
    "ioam", "ioam wide", "ifa a", "ifa b", "ifa b octets", "intmd", "intmd l2"};

static const uint32_t trace_types[2] = {
    ROCECC_IOAM_NODE | ROCECC_IOAM_INTERFACES | ROCECC_IOAM_SECONDS |
        ROCECC_IOAM_FRACTION | ROCECC_IOAM_QUEUE_DEPTH | 0x000c00,
    ROCECC_IOAM_NODE_WIDE | ROCECC_IOAM_INTERFACES_WIDE | ROCECC_IOAM_SECONDS |
        ROCECC_IOAM_FRACTION | ROCECC_IOAM_QUEUE_DEPTH | 0x000c00};

/* HPCC++'s instructions, with the interfaces of level 1 or of level 2. */
enum {
    INSTRUCTIONS_L1 = ROCECC_INTMD_HPCC,
    INSTRUCTIONS_L2 =
        (ROCECC_INTMD_HPCC & ~ROCECC_INTMD_INTERFACES) | ROCECC_INTMD_L2_INTERFACES
};

static rocecc_telemetry_moduli gaps_of(const rocecc_telemetry_config *c, int format,
                                       uint64_t fastest_bps, uint32_t reorder_ns)
{
    return rocecc_telemetry_moduli_derive(c,
                                          format <= WIDE ? ROCECC_TELEMETRY_IOAM
                                          : format == A  ? ROCECC_TELEMETRY_IFA_A
                                          : format < MD  ? ROCECC_TELEMETRY_IFA_B
                                                         : ROCECC_TELEMETRY_INTMD,
                                          fastest_bps, reorder_ns);
}

static rocecc_telemetry_moduli moduli_of(const rocecc_telemetry_config *c, int format)
{
    return gaps_of(c, format, 100 * G, 0);
}

static rocecc_hop ioam_again(const rocecc_telemetry_config *c, const rocecc_hop *h,
                             uint32_t type)
{
    uint8_t bytes[128];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_ioam_node n;
    rocecc_ioam_view v;
    memset(&n, 1, sizeof n); /* values of a previous hop */
    n.word[25] = 0x00ffffff;
    rocecc_telemetry_ioam_store(c, h, &n);
    CHECK_EQ(rocecc_ioam_node_emit(&w, &ioam, type, &n, rocecc_reader_of(NULL, NULL)),
             ROCECC_OK);
    memset(&v, 0, sizeof v);
    rocecc_ioam_layout_update(&ioam, type, &l);
    v.trace.trace_type = type;
    v.trace.node_len = rocecc_ioam_node_len(type);
    v.nodes = rocecc_written(&w);
    CHECK_EQ(rocecc_ioam_node_next(&v, &l, &v.nodes, &n), ROCECC_OK);
    return rocecc_telemetry_ioam_load(c, &n);
}

/*
 * Writes a hop to an IFA record and reads it again. Unless *status is OK, the hop has
 * no items.
 */
static rocecc_hop ifa_again(const rocecc_telemetry_config *c, const rocecc_hop *h,
                            uint8_t layout, rocecc_status *status)
{
    uint8_t bytes[ROCECC_IFA_NODE_BYTES];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_ifa_node n, before;
    rocecc_reader r;
    memset(&n, 0x15, sizeof n);
    n.layout = layout;
    n.lns = layout == ROCECC_IFA_LAYOUT_A ? 1 : 2;
    n.present = ROCECC_IFA_SPEED;
    before = n;
    *status = rocecc_telemetry_ifa_emit(c, h, &n);
    if (*status != ROCECC_OK) {
        CHECK_EQ(*status, ROCECC_ERR_RANGE);
        CHECK(memcmp(&n, &before, sizeof n) == 0);
        return only(*h, 0);
    }
    CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_OK);
    r = rocecc_written(&w);
    CHECK_EQ(rocecc_ifa_node_next(&ifa, &r, &n), ROCECC_OK);
    CHECK_EQ(n.layout, layout);
    return rocecc_telemetry_ifa_load(c, &n);
}

static rocecc_hop intmd_again(const rocecc_telemetry_config *c, const rocecc_hop *h,
                              uint16_t instructions)
{
    uint8_t bytes[128];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_intmd v;
    memset(&n, 0x15, sizeof n);
    rocecc_telemetry_intmd_store(c, h, &n);
    memset(&v, 0, sizeof v);
    v.header = rocecc_intmd_header_init(instructions, 9);
    CHECK_EQ(rocecc_intmd_node_emit(&w, &v.header, &n, rocecc_reader_of(NULL, NULL)),
             ROCECC_OK);
    v.nodes = rocecc_written(&w);
    rocecc_intmd_layout_update(instructions, &l);
    CHECK_EQ(rocecc_intmd_node_next(&v, &l, &v.nodes, &n), ROCECC_OK);
    return rocecc_telemetry_intmd_load(c, &n);
}

/* Writes a hop in a format and reads it again. */
static rocecc_hop through_bytes(int format, const rocecc_telemetry_config *c,
                                const rocecc_hop *h)
{
    rocecc_status status;
    if (format <= WIDE) return ioam_again(c, h, trace_types[format]);
    if (format < MD) return ifa_again(c, h, (uint8_t)(format - A + 1), &status);
    return intmd_again(c, h, format == MD ? INSTRUCTIONS_L1 : INSTRUCTIONS_L2);
}

static rocecc_telemetry_config full_config(uint8_t clock)
{
    rocecc_telemetry_config c = nothing;
    memcpy(c.speeds_bps, law_telemetry_speeds, sizeof c.speeds_bps);
    c.queue_unit_bytes = 80;
    c.util_one = 10000;
    c.clock = clock;
    c.seconds = true;
    return c;
}

/* Returns a hop whose items fit every format that has them, and all three clocks. */
static rocecc_hop plain_hop(void)
{
    return (rocecc_hop){.id = ID(0xa01, 102),
                        .rate_bps = 100 * G,
                        .queue_bytes = 8000,
                        .tx_bytes = 0x12345678,
                        .ts_ns = 5 * G + 7000,
                        .util_q20 = 524288,
                        .valid = FULL};
}

static unsigned carried_by(int format)
{
    if (format >= MD)
        return ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS | ROCECC_HOP_UTIL;
    return format == B || format == OCTETS ? TIMED - ROCECC_HOP_RATE : TIMED;
}

/*
 * Checks that the carried items except `lost` come back, modulo the format's moduli,
 * and no others. A missing rate comes from the configuration.
 */
static void round_trip(int format, const rocecc_telemetry_config *c, rocecc_hop h,
                       unsigned lost)
{
    const rocecc_telemetry_moduli m = moduli_of(c, format);
    const rocecc_hop is = through_bytes(format, c, &h);
    h = only(h, carried_by(format) & ~lost);
    if (m.ts_mod_ns != 0) h.ts_ns %= m.ts_mod_ns;
    if (m.tx_mod_bytes != 0) h.tx_bytes %= m.tx_mod_bytes;
    if (c->rate_bps != 0 && (h.valid & ROCECC_HOP_RATE) == 0) {
        h.rate_bps = c->rate_bps;
        h.valid |= ROCECC_HOP_RATE;
    }
    expect_hop(&is, h);
}

/* A hop whose items fit, in each format and by each clock. */
TEST(hop_is_read_back_in_each_format)
{
    uint8_t clock;
    int format;
    for (clock = 0; clock < 3; clock++)
        for (format = 0; format < FORMATS; format++) {
            const rocecc_telemetry_config c = full_config(clock);
            test_context("%s, clock %u", format_names[format], clock);
            round_trip(format, &c, plain_hop(), 0);
        }
}

/*
 * Random hops that fit every format, except that egress 0xffff is all ones in 16 bits
 * of IOAM and INT. IOAM and INT may lack items. Times and counters above a format's
 * modulus are read back modulo it.
 */
TEST(random_hops_are_read_back_in_each_format)
{
    uint64_t x = 1, n;
    int format;
    for (n = test_rounds(20000); n > 0; n--) {
        rocecc_telemetry_config c = full_config((uint8_t)(test_random(&x) % 3));
        const uint32_t some = test_random(&x) & FULL;
        const uint32_t node = test_random(&x) & 0xfffff; /* 20 bits in IFA A */
        const uint32_t egress = test_random(&x) & 0xffff;
        rocecc_hop h = {.id = ID(node, egress)};
        h.rate_bps = law_telemetry_speeds[test_random(&x) % 6];
        c.seconds = test_random(&x) % 2 != 0;
        if (test_random(&x) % 2 != 0) c.rate_bps = 7 * G;
        c.tx_bits = (uint8_t)(test_random(&x) % 41);
        c.ts_bits = (uint8_t)(test_random(&x) % 55);
        c.queue_unit_bytes = 1 + test_random(&x) % 4096;
        h.queue_bytes = (uint32_t)rocecc_min(
            (test_random(&x) & 0xffff) * (uint64_t)c.queue_unit_bytes, UINT32_MAX);
        h.tx_bytes = (uint64_t)test_random(&x) << 8;
        h.ts_ns = ((uint64_t)test_random(&x) << 24 | test_random(&x) % G) / 1000 * 1000;
        h.util_q20 = /* in hundredths of a percent, up to 2.0 */
            (uint32_t)((((uint64_t)test_random(&x) % 20000 << 20) + 5000) / 10000);
        for (format = 0; format < FORMATS; format++) {
            unsigned lost = FULL & ~some;
            if (format >= A && format <= OCTETS) lost = 0; /* IFA: all or nothing */
            if ((format == NARROW || format == MD) && egress == 0xffff)
                lost |= ROCECC_HOP_ID;
            h.valid = (uint8_t)(FULL & ~lost);
            test_context("%s, round %llu", format_names[format], (unsigned long long)n);
            round_trip(format, &c, h, lost);
        }
    }
}

/*
 * Checks that an item of value v comes back if it fits, and otherwise is not reported.
 * For IFA, an item that does not fit, except the rate, gives no record.
 */
static void boundary(const char *name, int format, uint8_t item, uint64_t v, bool fits)
{
    rocecc_telemetry_config c = full_config(0);
    rocecc_hop h = plain_hop();
    rocecc_hop is;
    c.queue_unit_bytes = 1;
    c.util_one = 1u << 20;
    test_context("%s: %s of 0x%llx", format_names[format], name, (unsigned long long)v);
    if (item == ROCECC_HOP_ID) h.id = v;
    if (item == ROCECC_HOP_RATE) h.rate_bps = v;
    if (item == ROCECC_HOP_QUEUE) h.queue_bytes = (uint32_t)v;
    if (item == ROCECC_HOP_TX) h.tx_bytes = v;
    if (item == ROCECC_HOP_TS) h.ts_ns = v;
    if (item == ROCECC_HOP_UTIL) h.util_q20 = (uint32_t)v;
    is = through_bytes(format, &c, &h);
    if (format >= A && format <= OCTETS && !fits && item != ROCECC_HOP_RATE)
        expect_hop(&is, only(h, 0)); /* no record at all */
    else
        round_trip(format, &c, h, fits ? 0 : item);
}

#define NODE(id) ID(id, 102)
#define PORT(id) ID(0xa01, id)
#define FITS(name, format, item, v) boundary(name, format, ROCECC_HOP_##item, v, true)
#define LOST(name, format, item, v) boundary(name, format, ROCECC_HOP_##item, v, false)

/*
 * Per item and format, the largest value that is read back (FITS), and the next one,
 * which is not reported (LOST). All ones mean "absent" in IOAM and INT, but not in IFA.
 */
TEST(items_are_read_back_up_to_their_maximum)
{
    FITS("node id", NARROW, ID, NODE(0));
    FITS("node id", NARROW, ID, NODE(0xfffffe));
    LOST("node id", NARROW, ID, NODE(0xffffff));
    LOST("node id", NARROW, ID, NODE(0x1000000));
    FITS("node id", WIDE, ID, NODE(0xffffff));
    FITS("node id", WIDE, ID, NODE(0xffffffff));
    FITS("device", A, ID, NODE(0xfffff));
    LOST("device", A, ID, NODE(0x100000));
    FITS("device", B, ID, NODE(0xfffffff));
    LOST("device", B, ID, NODE(0x10000000));
    FITS("device", OCTETS, ID, NODE(0xfffffff));
    LOST("device", OCTETS, ID, NODE(0x10000000));
    FITS("node id", MD, ID, NODE(0xfffffffe));
    LOST("node id", MD, ID, NODE(0xffffffff));
    FITS("egress", NARROW, ID, PORT(0xfffe));
    LOST("egress", NARROW, ID, PORT(0xffff));
    LOST("egress", NARROW, ID, PORT(0x10000));
    FITS("egress", WIDE, ID, PORT(0xffff));
    FITS("egress", WIDE, ID, PORT(0xfffffffe));
    LOST("egress", WIDE, ID, PORT(0xffffffff));
    FITS("egress", A, ID, PORT(0xffff));
    LOST("egress", A, ID, PORT(0x10000));
    FITS("egress", B, ID, PORT(0xffff));
    LOST("egress", B, ID, PORT(0x10000));
    FITS("egress", MD, ID, PORT(0xfffe));
    LOST("egress", MD, ID, PORT(0xffff));
    LOST("egress", MD, ID, PORT(0x10000));
    FITS("egress", MD_L2, ID, PORT(0xfffffffe));
    LOST("egress", MD_L2, ID, PORT(0xffffffff));

    FITS("queue", NARROW, QUEUE, 0);
    FITS("queue", NARROW, QUEUE, 0xfffffffe);
    LOST("queue", NARROW, QUEUE, 0xffffffff);
    FITS("queue", A, QUEUE, 0xffff);
    LOST("queue", A, QUEUE, 0x10000);
    FITS("queue", B, QUEUE, 0xffff);
    LOST("queue", B, QUEUE, 0x10000);
    FITS("queue", OCTETS, QUEUE, 0xffffffff);
    FITS("queue", MD, QUEUE, 0xfffffe);
    LOST("queue", MD, QUEUE, 0xffffff);
    LOST("queue", MD, QUEUE, 0x1000000);

    FITS("tx", NARROW, TX, 0xfffffffe);
    FITS("tx", A, TX, 0xffffffff);
    FITS("tx", B, TX, 0xffffffff);
    FITS("tx", A, TX, 0x123456789a); /* mod 2^32 */
    FITS("ts", NARROW, TS, 0xfffffffe * G + 999999999);
    LOST("ts", NARROW, TS, 0xffffffff * G);
    FITS("ts", A, TS, 0xfffff * G + 999999999);
    FITS("ts", A, TS, 0x100000 * G); /* mod 2^20 s */
    FITS("ts", B, TS, 999999999);
    FITS("ts", B, TS, 1 * G);
    FITS("ts", MD, TS, UINT64_MAX - 1);
    LOST("ts", MD, TS, UINT64_MAX);

    FITS("util", MD, UTIL, 0xfffffffe);
    LOST("util", MD, UTIL, 0xffffffff);
    FITS("rate", A, RATE, 400 * G);
    LOST("rate", A, RATE, 800 * G);
    LOST("rate", A, RATE, 1);
    FITS("rate", NARROW, RATE, 400 * G);
    LOST("rate", NARROW, RATE, 800 * G);
    LOST("rate", NARROW, RATE, 0);
}

/*
 * Every item of a hop is written to a record of zeros and to one of ones. The members
 * are calculated by hand from the configured units and the bits of RFC 9197, 4.4.1, IFA
 * 2.0 and INT 2.1, 5.7.
 */
TEST(hop_items_are_stored_in_their_members)
{
    rocecc_telemetry_config c = nothing;
    const rocecc_hop h = {.id = ID(0xa01, 0x67),
                          .rate_bps = 100 * G,
                          .queue_bytes = 800,
                          .tx_bytes = UINT64_C(0x1223456789),
                          .ts_ns = UINT64_C(5000000007),
                          .util_q20 = 1 << 19,
                          .valid = FULL};
    int all;
    c.speeds_bps[5] = 100 * G;
    c.queue_unit_bytes = 80;
    c.util_one = 10000;
    for (all = 0; all < 2; all++) {
        rocecc_ioam_node n;
        rocecc_ifa_node a, b;
        rocecc_intmd_node md;
        uint32_t rest;
        test_context("%d", all);
        memset(&n, all ? 0xff : 0, sizeof n);
        memset(&md, all ? 0xff : 0, sizeof md);
        memset(&a, all ? 0xff : 0, sizeof a);
        b = a;
        rocecc_telemetry_ioam_store(&c, &h, &n);
        rest = all ? 0xffffffff : 0;
        CHECK(n.word[0] == ((rest & 0xff000000) | 0xa01) && n.word[9] == 0xa01);
        CHECK(n.word[8] == (rest & 0xff000000));
        CHECK(n.word[1] == ((rest & 0xffff0000) | 0x67) && n.word[11] == 0x67);
        CHECK(n.word[27] == ((rest & 0x03ffffff) | 5u << 26) && n.word[6] == 10);
        CHECK(n.word[26] == 0x23456789 && n.word[2] == 5 && n.word[3] == 7);
        CHECK(n.word[4] == rest && n.word[10] == rest && n.word[25] == rest);

        a.layout = ROCECC_IFA_LAYOUT_A;
        CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &a), ROCECC_OK);
        CHECK(a.device_id == 0xa01 && a.egress_port == 0x67);
        CHECK_EQ(a.speed, 4); /* 100G in the speed table */
        CHECK(a.queue_length == 10 && a.tx_bytes == 0x23456789);
        CHECK(a.rx_timestamp_sec == 5 && a.rx_timestamp_ns == 7);
        CHECK(a.tx_timestamp_ns == 7 && a.residence_time == 0);
        CHECK_EQ(a.present, all ? 0xffff : 0xdf2);
        b.layout = ROCECC_IFA_LAYOUT_B;
        CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &b), ROCECC_OK);
        CHECK(b.device_id == 0xa01 && b.egress_port == 0x67);
        CHECK_EQ(b.speed, 15); /* B has no speed */
        CHECK(b.queue_length == 10 && b.tx_bytes == UINT64_C(0x1223456789));
        CHECK(b.rx_timestamp_sec == 5 && b.rx_timestamp_ns == 7);
        CHECK_EQ(b.present, all ? 0xfffd : 0xdf0);

        rocecc_telemetry_intmd_store(&c, &h, &md);
        CHECK_EQ(md.word[0], 0xa01);
        CHECK_EQ(md.word[1], all ? 0xffff0067 : 0x67); /* ingress unchanged */
        CHECK_EQ(md.word[3], all ? 0xff00000a : 10);
        CHECK(md.word[6] == 1 && md.word[7] == 0x2a05f207); /* 5000000007 */
        CHECK_EQ(md.word[8], all ? 0xffffffff : 0);
        CHECK(md.word[9] == 0x67 && md.word[10] == 5000);
        CHECK_EQ(md.word[2], all ? 0xffffffff : 0);
    }
}

/* emit() keeps 32 bits of a counter in layout A, and 40 in both B layouts. */
TEST(ifa_counter_keeps_32_bits_in_A_and_40_in_B)
{
    static const uint8_t layouts[3] = {ROCECC_IFA_LAYOUT_A, ROCECC_IFA_LAYOUT_B,
                                       ROCECC_IFA_LAYOUT_B_OCTETS};
    static const uint64_t is[3] = {UINT64_C(0xffffffff), UINT64_C(0xffffffffff),
                                   UINT64_C(0xffffffffff)};
    const rocecc_telemetry_config c = full_config(0);
    rocecc_hop h = plain_hop();
    size_t i;
    h.tx_bytes = UINT64_MAX;
    for (i = 0; i < 3; i++) {
        rocecc_ifa_node n;
        memset(&n, 0, sizeof n);
        n.layout = layouts[i];
        CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_OK);
        CHECK_EQ(n.tx_bytes, is[i]);
    }
}

/* In IOAM, all ones mean "not populated", so a tx of all ones becomes one less. */
TEST(ioam_tx_of_all_ones_becomes_one_less)
{
    const rocecc_telemetry_config c = full_config(0);
    rocecc_hop h = plain_hop(), is;
    h.tx_bytes = UINT32_MAX;
    is = through_bytes(NARROW, &c, &h);
    CHECK_EQ(is.tx_bytes, UINT32_MAX - 1);
    CHECK_EQ(is.valid, TIMED);
}

/*
 * In the records of IOAM and INT, items of all ones are absent before emission. Only
 * IOAM's counter becomes one less.
 */
TEST(items_of_all_ones_are_absent)
{
    const rocecc_telemetry_config c = full_config(0);
    rocecc_hop h = plain_hop();
    rocecc_ioam_node n;
    rocecc_intmd_node md;
    size_t i;
    memset(&n, 0, sizeof n);
    rocecc_intmd_node_init(&md);
    h.id = UINT64_C(0xffffff) << 32 | 0xffff;
    h.tx_bytes = UINT32_MAX;
    rocecc_telemetry_ioam_store(&c, &h, &n);
    rocecc_telemetry_intmd_store(&c, &h, &md);
    CHECK_EQ(n.word[26], UINT32_MAX - 1);
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_NODE_ID));
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_EGRESS_ID));
    CHECK(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_NODE_ID_WIDE));
    CHECK(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE));
    CHECK(!rocecc_intmd_has(&md, ROCECC_INTMD_ITEM_INTERFACES));
    CHECK(rocecc_intmd_has(&md, ROCECC_INTMD_ITEM_L2_INTERFACES));
    h.id = UINT64_MAX;
    h.ts_ns = UINT64_MAX;
    h.queue_bytes = 0xffffff * 80u;
    rocecc_telemetry_ioam_store(&c, &h, &n);
    rocecc_telemetry_intmd_store(&c, &h, &md);
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE));
    for (i = 0; i < ROCECC_INTMD_NODE_WORDS; i++)
        CHECK_EQ(md.word[i] != UINT32_MAX, i == 10); /* only the utilisation */
}

/*
 * IOAM: a rate is written by its code. A rate without a code gets code 63, and is not
 * reported.
 */
TEST(ioam_rate_without_a_code_is_not_reported)
{
    rocecc_telemetry_config c = nothing;
    rocecc_ioam_node n;
    rocecc_hop h = plain_hop();
    unsigned i;
    for (i = 0; i < 63; i++)
        c.speeds_bps[i] = (i + 1) * G;
    memset(&n, 0, sizeof n);
    for (i = 0; i < 64; i++) {
        h.rate_bps = (i + 1) * G;
        rocecc_telemetry_ioam_store(&c, &h, &n);
        CHECK_EQ(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED), i < 63);
        CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED), i);
    }
    CHECK_EQ(rocecc_telemetry_ioam_load(&c, &n).valid & ROCECC_HOP_RATE, 0);
    h.rate_bps = 2 * G;
    h.valid &= (uint8_t)~ROCECC_HOP_RATE;
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED, 1), ROCECC_OK);
    rocecc_telemetry_ioam_store(&c, &h, &n);
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED));
}

/*
 * An item is not reported if the format lacks it, or if its unit or code is not
 * configured. For IFA A and B, a queue without a unit gives RANGE.
 */
TEST(unsupported_items_are_not_reported)
{
    const rocecc_hop h = plain_hop();
    rocecc_telemetry_config c = full_config(0);
    rocecc_status status;
    rocecc_hop is;
    int format;
    for (format = 0; format < FORMATS; format++) {
        test_context("%s", format_names[format]);
        is = through_bytes(format, &c, &h);
        CHECK_EQ(is.valid & ROCECC_HOP_UTIL, format >= MD ? ROCECC_HOP_UTIL : 0);
        CHECK_EQ(is.valid & ROCECC_HOP_TX, format < MD ? ROCECC_HOP_TX : 0);
        CHECK_EQ(is.valid & ROCECC_HOP_RATE, format <= A ? ROCECC_HOP_RATE : 0);
    }
    c.queue_unit_bytes = 0; /* the queue */
    is = through_bytes(NARROW, &c, &h);
    expect_hop(&is, only(h, TIMED - ROCECC_HOP_QUEUE));
    is = through_bytes(MD, &c, &h);
    expect_hop(&is, only(h, carried_by(MD) & ~(unsigned)ROCECC_HOP_QUEUE));
    is = ifa_again(&c, &h, ROCECC_IFA_LAYOUT_A, &status);
    CHECK_EQ(status, ROCECC_ERR_RANGE);
    is = ifa_again(&c, &h, ROCECC_IFA_LAYOUT_B, &status);
    CHECK_EQ(status, ROCECC_ERR_RANGE);
    is = through_bytes(OCTETS, &c, &h); /* has its own unit */
    CHECK_EQ(is.queue_bytes, 8000);
    c = full_config(0);
    c.util_one = 0; /* the utilisation */
    is = through_bytes(MD, &c, &h);
    expect_hop(&is, only(h, carried_by(MD) & ~(unsigned)ROCECC_HOP_UTIL));
    memset(c.speeds_bps, 0, sizeof c.speeds_bps); /* the rate */
    is = through_bytes(NARROW, &c, &h);
    expect_hop(&is, only(h, TIMED - ROCECC_HOP_RATE));
}

/*
 * IFA cannot mark these items as unavailable, so a hop without one of them gives RANGE.
 */
TEST(ifa_emit_without_an_item_gives_range)
{
    static const uint8_t items[] = {ROCECC_HOP_ID, ROCECC_HOP_QUEUE, ROCECC_HOP_TX,
                                    ROCECC_HOP_TS};
    const rocecc_telemetry_config c = full_config(0);
    uint8_t layout;
    size_t i;
    for (layout = 1; layout <= 3; layout++)
        for (i = 0; i < sizeof items; i++) {
            rocecc_hop h = plain_hop();
            rocecc_status status;
            h.valid &= (uint8_t)~items[i];
            (void)ifa_again(&c, &h, layout, &status);
            CHECK_EQ(status, ROCECC_ERR_RANGE);
        }
}

/*
 * If an item's bit in `present` is clear, the item is not reported. Layout A's time
 * needs three bits.
 */
TEST(ifa_absent_item_of_a_record_is_not_reported)
{
    static const struct {
        uint16_t item;
        unsigned lost;
    } rows[] = {{ROCECC_IFA_EGRESS, ROCECC_HOP_ID},
                {ROCECC_IFA_QUEUE_LENGTH, ROCECC_HOP_QUEUE},
                {ROCECC_IFA_TX_BYTES, ROCECC_HOP_TX},
                {ROCECC_IFA_RX_SEC, ROCECC_HOP_TS},
                {ROCECC_IFA_RX_NS, ROCECC_HOP_TS},
                {ROCECC_IFA_RESIDENCE, ROCECC_HOP_TS},
                {ROCECC_IFA_SPEED, ROCECC_HOP_RATE}};
    const rocecc_telemetry_config c = full_config(0);
    const rocecc_hop h = plain_hop();
    rocecc_ifa_node n;
    size_t i;
    memset(&n, 0, sizeof n);
    n.layout = ROCECC_IFA_LAYOUT_A;
    CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_OK);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_ifa_node less = n;
        rocecc_hop is;
        test_context("row %zu", i);
        less.present &= (uint16_t)~rows[i].item;
        is = rocecc_telemetry_ifa_load(&c, &less);
        expect_hop(&is, only(h, TIMED & ~rows[i].lost));
    }
    n.layout = ROCECC_IFA_LAYOUT_B;
    n.present &= (uint16_t)~ROCECC_IFA_TX_NS;
    CHECK_EQ(rocecc_telemetry_ifa_load(&c, &n).valid & ROCECC_HOP_TS, 0);
}

/* A partly used cell counts as a whole. A queue saturates at 2^32 - 1 bytes. */
TEST(queue_is_rounded_up_to_whole_units)
{
    rocecc_telemetry_config c = full_config(0);
    rocecc_hop h = plain_hop(), is;
    c.queue_unit_bytes = 256;
    h.queue_bytes = 1;
    is = through_bytes(A, &c, &h);
    CHECK_EQ(is.queue_bytes, 256);
    h.queue_bytes = 256;
    is = through_bytes(A, &c, &h);
    CHECK_EQ(is.queue_bytes, 256);
    h.queue_bytes = 257;
    is = through_bytes(MD, &c, &h);
    CHECK_EQ(is.queue_bytes, 512);
    c.queue_unit_bytes = 1000000;
    h.queue_bytes = UINT32_MAX;
    is = through_bytes(A, &c, &h); /* 4295 units */
    CHECK_EQ(is.queue_bytes, UINT32_MAX);
}

/*
 * Clocks and counters advance correctly over a wrap, in each format that has them and
 * with each clock.
 */
TEST(distances_are_correct_over_a_wrap)
{
    static const uint8_t bits[3] = {0, 24, 32};
    int format;
    unsigned i, seconds;
    for (format = 0; format < FORMATS; format++)
        for (i = 0; i < 9; i++)
            for (seconds = 0; seconds < 2; seconds++) {
                rocecc_telemetry_config c = full_config((uint8_t)(i % 3));
                const uint64_t unit_ns =
                    c.clock == ROCECC_TELEMETRY_CLOCK_POSIX ? 1000 : 1;
                rocecc_telemetry_moduli m;
                rocecc_hop from = plain_hop(), to = from, a, b;
                c.seconds = seconds != 0;
                c.ts_bits = c.tx_bits = bits[i / 3];
                m = moduli_of(&c, format);
                test_context("%s, clock %u, %u bits, seconds %u", format_names[format],
                             c.clock, c.ts_bits, seconds);
                /* From 3 us before the wrap (2^64 ns for modulus 0) to 2 us after it */
                from.ts_ns = m.ts_mod_ns - 3000;
                to.ts_ns = 2000;
                if (c.seconds && format <= WIDE)
                    from.ts_ns -= 1 * G; /* the last second is "not populated" */
                if (format <= WIDE || format >= MD)
                    from.ts_ns = from.ts_ns / unit_ns * unit_ns;
                from.tx_bytes = m.tx_mod_bytes - 100;
                to.tx_bytes = 50;
                a = through_bytes(format, &c, &from);
                b = through_bytes(format, &c, &to);
                CHECK_EQ(rocecc_hop_distance(a.ts_ns, b.ts_ns, m.ts_mod_ns),
                         m.ts_mod_ns - from.ts_ns + to.ts_ns);
                if (format < MD)
                    CHECK_EQ(
                        rocecc_hop_distance(a.tx_bytes, b.tx_bytes, m.tx_mod_bytes),
                        100 + 50);
            }
}

/*
 * IOAM's clock wraps at a second, or at 2^32 s with seconds. IFA A has 20 bits of
 * seconds. IFA B has a second, or ts_bits, up to 32. INT has 64 bits or ts_bits, in the
 * clock's unit, and NTP always 2^32 s. Only IFA B counts more than 2^32 bytes.
 */
TEST(moduli_follow_the_format_and_its_bits)
{
    static const uint64_t two = 1;
    rocecc_telemetry_config c = nothing;
    CHECK_EQ(moduli_of(&c, NARROW).ts_mod_ns, G);
    CHECK_EQ(moduli_of(&c, NARROW).tx_mod_bytes, two << 32);
    CHECK_EQ(moduli_of(&c, A).ts_mod_ns, G << 20);
    CHECK_EQ(moduli_of(&c, A).tx_mod_bytes, two << 32);
    CHECK_EQ(moduli_of(&c, B).ts_mod_ns, G);
    CHECK_EQ(moduli_of(&c, B).tx_mod_bytes, two << 32);
    CHECK_EQ(moduli_of(&c, MD).ts_mod_ns, 0);
    c.seconds = true;
    CHECK_EQ(moduli_of(&c, NARROW).ts_mod_ns, G << 32);
    c.tx_bits = 40;
    CHECK_EQ(moduli_of(&c, A).tx_mod_bytes, two << 32);
    CHECK_EQ(moduli_of(&c, B).tx_mod_bytes, two << 40);
    c.ts_bits = 48;
    CHECK_EQ(moduli_of(&c, NARROW).ts_mod_ns, G << 32);
    CHECK_EQ(moduli_of(&c, A).ts_mod_ns, G << 20);
    CHECK_EQ(moduli_of(&c, B).ts_mod_ns, two << 32);
    CHECK_EQ(moduli_of(&c, MD).ts_mod_ns, two << 48);
    c.clock = ROCECC_TELEMETRY_CLOCK_POSIX;
    CHECK_EQ(moduli_of(&c, MD).ts_mod_ns, (two << 48) * 1000);
    c.ts_bits = 54;
    CHECK_EQ(moduli_of(&c, MD).ts_mod_ns, (two << 54) * 1000);
    c.clock = ROCECC_TELEMETRY_CLOCK_NTP;
    CHECK_EQ(moduli_of(&c, MD).ts_mod_ns, G << 32);
}

/*
 * The longest gap is the last whole ns before the counter wraps, after 2^35 bits for
 * 32-bit counters. With a clock of a second, it is at most a second minus 1 ns and the
 * reordering.
 */
TEST(longest_gap_ends_before_the_counter_wraps)
{
    static const struct {
        uint64_t fastest_bps;
        uint32_t dt_max_ns;
    } turns[] = {{100 * G, 343597383},
                 {200 * G, 171798691},
                 {400 * G, 85899345},
                 {800 * G, 42949672},
                 {UINT64_C(1) << 35, 999999999},
                 {0, 0},
                 {10 * G, 999999999},
                 {1, 999999999},
                 {34359738369, 999999999},
                 {UINT64_MAX, 1}};
    rocecc_telemetry_config c = nothing;
    size_t i;
    for (i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        test_context("%llu bit/s", (unsigned long long)turns[i].fastest_bps);
        CHECK_EQ(gaps_of(&c, NARROW, turns[i].fastest_bps, 0).dt_max_ns,
                 turns[i].dt_max_ns);
        CHECK_EQ(gaps_of(&c, B, turns[i].fastest_bps, 0).dt_max_ns, turns[i].dt_max_ns);
    }
    test_context("clocks");
    CHECK_EQ(gaps_of(&c, NARROW, 10 * G, 1000000).dt_max_ns, 998999999);
    CHECK_EQ(gaps_of(&c, NARROW, 10 * G, 999999998).dt_max_ns, 1);
    CHECK_EQ(gaps_of(&c, NARROW, 10 * G, 999999999).dt_max_ns, 0);
    CHECK_EQ(gaps_of(&c, NARROW, 10 * G, UINT32_MAX).dt_max_ns, 0);
    CHECK_EQ(gaps_of(&c, A, 10 * G, UINT32_MAX).dt_max_ns, G); /* at most 1 s */
    c.seconds = true;
    CHECK_EQ(gaps_of(&c, NARROW, 10 * G, UINT32_MAX).dt_max_ns, G);
    c.tx_bits = 40;
    CHECK_EQ(gaps_of(&c, A, 800 * G, 0).dt_max_ns, 42949672); /* a 32-bit counter */
    CHECK_EQ(gaps_of(&c, B, 800 * G, 0).dt_max_ns, 999999999);
    CHECK_EQ(gaps_of(&c, B, (UINT64_C(1) << 43) * 512, 0).dt_max_ns, 1953124);
    c.tx_bits = 20; /* 2^20 bytes are 83886.08 ns at 100 Gb/s */
    CHECK_EQ(gaps_of(&c, NARROW, 100 * G, 0).dt_max_ns, 83886);
    c.tx_bits = 1; /* 16 bits at 8 Gb/s are 2 ns, so 1 ns is the longest */
    CHECK_EQ(gaps_of(&c, NARROW, 8 * G, 0).dt_max_ns, 1);
    /* INT-MD has no counter, and its 64-bit clock does not limit the gap. */
    CHECK_EQ(gaps_of(&c, MD, 0, UINT32_MAX).dt_max_ns, G);
    CHECK_EQ(gaps_of(&c, MD, 0, 0).tx_mod_bytes, 0);
    c.ts_bits = 24;
    CHECK_EQ(gaps_of(&c, MD, 0, 1000).dt_max_ns, 16777216 - 1001);
}

/*
 * For multiples of 512 bit/s, the longest gap satisfies the counter's inequality. 1 ns
 * more does not, unless the clock limits the gap.
 */
TEST(longest_gap_plus_1_ns_breaks_the_inequality)
{
    rocecc_telemetry_config c = nothing;
    uint64_t random = 5;
    int i;
    c.seconds = true;
    for (i = 0; i < 20000; i++) {
        rocecc_telemetry_moduli m;
        uint64_t rate, all;
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        rate = (1 + (random >> 20) % (UINT64_C(1) << 34)) >> (random >> 55 & 31);
        c.tx_bits = (uint8_t)(1 + (random >> 40) % 40);
        m = gaps_of(&c, B, rate * 512, 0);
        all = m.tx_mod_bytes * (8 * G / 512);
        test_context("512 * %llu bit/s, %u bits", (unsigned long long)rate, c.tx_bits);
        CHECK(rate != 0 || m.dt_max_ns == 0);
        CHECK(rate == 0 || m.dt_max_ns * rate < all);
        CHECK(rate == 0 || m.dt_max_ns == 999999999 || (m.dt_max_ns + 1) * rate >= all);
    }
}

/*
 * rocecc_hpcc_init() accepts the longest gap, but not 1 ns more, for random rates,
 * counters, clocks and reordering. For counters above 32 bits, the rate is rounded up
 * to a multiple of 4 bit/s or more, so init() may accept more.
 */
TEST(hpcc_accepts_the_longest_gap)
{
    uint64_t random = 5;
    unsigned longest = 0;
    int i;
    for (i = 0; i < 20000; i++) {
        rocecc_telemetry_config c = nothing;
        rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
        rocecc_telemetry_moduli m;
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        p.fastest_bps =
            (1 + (random >> 20) % (ROCECC_RATE_END_BPS - 1)) >> (random >> 58 & 15);
        c.tx_bits = (uint8_t)(1 + (random >> 40) % 40);
        c.ts_bits = (uint8_t)((random >> 12) % 33);
        p.reorder_ns = 1 + (uint32_t)(random >> 33 & 0xffff);
        m = gaps_of(&c, B, p.fastest_bps, p.reorder_ns);
        if (p.fastest_bps == 0 || m.dt_max_ns < rocecc_max(p.base_rtt_ns, p.reorder_ns))
            continue; /* init() refuses for other reasons */
        test_context("%llu bit/s, %u bits, clock of %u, %u ns late",
                     (unsigned long long)p.fastest_bps, c.tx_bits, c.ts_bits,
                     p.reorder_ns);
        p.ts_mod_ns = m.ts_mod_ns;
        p.tx_mod_bytes = m.tx_mod_bytes;
        p.dt_max_ns = m.dt_max_ns;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        if (c.tx_bits > 32) continue;
        p.dt_max_ns++;
        CHECK(rocecc_hpcc_init(&p) != ROCECC_HPCC_ACCEPTED);
        longest++;
    }
    CHECK(longest > 1000);
}

/*
 * The last valid fraction of a second, and the first invalid one, for PTP and POSIX.
 * Each NTP fraction except all ones is valid, and is rounded down to ns.
 */
TEST(invalid_fractions_are_not_reported)
{
    static const struct {
        uint8_t clock;
        uint32_t fraction;
        bool is;
        uint64_t ns;
    } rows[] = {{ROCECC_TELEMETRY_CLOCK_PTP, 999999999, true, 999999999},
                {ROCECC_TELEMETRY_CLOCK_PTP, 1000000000, false, 0},
                {ROCECC_TELEMETRY_CLOCK_PTP, 0xfffffffe, false, 0},
                {ROCECC_TELEMETRY_CLOCK_POSIX, 999999, true, 999999000},
                {ROCECC_TELEMETRY_CLOCK_POSIX, 1000000, false, 0},
                {ROCECC_TELEMETRY_CLOCK_POSIX, 999999999, false, 0},
                {ROCECC_TELEMETRY_CLOCK_NTP, 0x80000000, true, 500000000},
                {ROCECC_TELEMETRY_CLOCK_NTP, 4, true, 0},
                {ROCECC_TELEMETRY_CLOCK_NTP, 5, true, 1},
                {ROCECC_TELEMETRY_CLOCK_NTP, 0xfffffffe, true, 999999999}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_telemetry_config c = nothing;
        rocecc_ioam_node n;
        rocecc_hop h;
        rocecc_ioam_node_init(&n);
        c.clock = rows[i].clock;
        n.word[3] = rows[i].fraction;
        h = rocecc_telemetry_ioam_load(&c, &n);
        test_context("row %zu", i);
        CHECK_EQ(h.valid, rows[i].is ? ROCECC_HOP_TS : 0);
        CHECK_EQ(h.ts_ns, rows[i].ns);
    }
}

/*
 * Layout A: departure times around the end of a second or of the clock, and invalid
 * times from devices.
 */
TEST(ifa_residence_carries_into_the_seconds)
{
    static const struct {
        uint32_t rx_sec, rx_ns, residence;
        bool is;
        uint64_t ts_ns;
    } rows[] = {{7, 999999999, 0, true, 7 * G + 999999999},
                {7, 999999999, 1, true, 8 * G},
                {7, 999999999, 999999999, true, 8 * G + 999999998},
                {0xfffff, 999999999, 1, true, 0},
                {7, 1000000000, 0, false, 0},
                {7, 0, 1000000000, false, 0},
                {7, 5, 1000000726, false, 0}, /* as seen in the field */
                {7, 5, 1000000668, false, 0},
                {7, 0xffffffff, 1, false, 0},
                {7, 0, 0xffffffff, false, 0}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_ifa_node n;
        rocecc_hop h;
        memset(&n, 0, sizeof n);
        n.layout = ROCECC_IFA_LAYOUT_A;
        n.present = ROCECC_IFA_PRESENT_A;
        n.rx_timestamp_sec = rows[i].rx_sec;
        n.rx_timestamp_ns = rows[i].rx_ns;
        n.residence_time = rows[i].residence;
        h = rocecc_telemetry_ifa_load(&nothing, &n);
        test_context("row %zu", i);
        CHECK_EQ((h.valid & ROCECC_HOP_TS) != 0, rows[i].is);
        CHECK_EQ(h.ts_ns, rows[i].ts_ns);
        CHECK_EQ(h.valid & ROCECC_HOP_TX, ROCECC_HOP_TX); /* the counter is reported */
    }
}

/*
 * An unknown IFA code gives no rate, because the record's speed may differ from the
 * configured one. An IOAM code has only a configured meaning, so a code without one
 * gives the configured rate.
 */
TEST(unknown_speed_codes_depend_on_the_format)
{
    rocecc_telemetry_config c = full_config(0);
    rocecc_ifa_node a;
    rocecc_ioam_node n;
    unsigned code;
    memset(&a, 0, sizeof a);
    rocecc_ioam_node_init(&n);
    a.layout = ROCECC_IFA_LAYOUT_A;
    a.present = ROCECC_IFA_PRESENT_A;
    for (code = 7; code < 16; code++) {
        a.speed = (uint8_t)code;
        c.rate_bps = 0;
        CHECK_EQ(rocecc_telemetry_ifa_load(&c, &a).valid & ROCECC_HOP_RATE, 0);
        c.rate_bps = 800 * G;
        CHECK_EQ(rocecc_telemetry_ifa_load(&c, &a).valid & ROCECC_HOP_RATE, 0);
        CHECK_EQ(rocecc_telemetry_ifa_load(&c, &a).rate_bps, 0);
    }
    a.layout = ROCECC_IFA_LAYOUT_B;
    CHECK_EQ(rocecc_telemetry_ifa_load(&c, &a).rate_bps, 800 * G);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED, 6), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ioam_load(&c, &n).rate_bps, 800 * G);
    c.rate_bps = 0;
    CHECK_EQ(rocecc_telemetry_ioam_load(&c, &n).valid, 0);
}

/* A wide id takes precedence over a short one, if it is present and fits 32 bits. */
TEST(ioam_wide_id_precedes_the_short_id)
{
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    n.word[0] = 1;
    n.word[1] = 2;
    n.word[8] = 0;
    n.word[9] = 3;
    n.word[11] = 4;
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &n).id, ID(3, 4));
    n.word[8] = 1; /* more than 32 bits */
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &n).id, ID(1, 4));
    n.word[8] = 0x7f000000; /* only a Hop_Lim */
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &n).id, ID(3, 4));
    n.word[8] = 1;
    rocecc_ioam_clear(&n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE);
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &n).id, ID(1, 2));
    rocecc_ioam_clear(&n, ROCECC_IOAM_ITEM_NODE_ID);
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &n).valid, 0);
    n.word[8] = 0;
    rocecc_ioam_clear(&n, ROCECC_IOAM_ITEM_EGRESS_ID);
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &n).valid, 0);
}

/* A part of a word is absent if it is all ones, like a whole word. */
TEST(intmd_part_of_a_word_is_absent_if_all_ones)
{
    rocecc_telemetry_config c = full_config(0);
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    n.word[0] = 7;
    n.word[1] = 0xffff;
    n.word[8] = 0;
    n.word[9] = 9;
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).id, ID(7, 9));
    n.word[9] = UINT32_MAX;
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).valid, 0);
    n.word[3] = 0xffffff;
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).valid, 0);
    n.word[3] = 0xfffffe;
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).queue_bytes, 0xfffffe * 80u);
}

/*
 * Utilisations below, at and above a full link, in several units, up to the maximum of
 * a hop.
 */
TEST(intmd_utilisation_is_scaled_and_saturates)
{
    static const uint32_t rows[][3] = {
        {100, 95, 996147},           {100, 100, 1048576},
        {100, 101, 1059062},         {1000, 950, 996147},
        {1, 4095, 4293918720},       {1, 4096, UINT32_MAX},
        {1, 0xfffffffe, UINT32_MAX}, {UINT32_MAX, 0xfffffffe, 1048576},
        {UINT32_MAX, 1, 0}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_telemetry_config c = nothing;
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        c.util_one = rows[i][0];
        n.word[10] = rows[i][1];
        test_context("row %zu", i);
        CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).util_q20, rows[i][2]);
    }
}

/* A failure writes no result, and a success writes only as many hops as there are. */
TEST(paths_write_nothing_without_enough_room)
{
    rocecc_hop hops[MAX], before[MAX];
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_YES};
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    rocecc_ifa f;
    rocecc_intmd md;
    rocecc_reader r;
    uint32_t max;
    memset(hops, 0xa5, sizeof hops);
    memcpy(before, hops, sizeof hops);
    for (max = 0; max < 2; max++) {
        CHECK_EQ(rocecc_ioam_option_parse(bytes_of(IOAM_1), &o), ROCECC_OK);
        CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ioam_path(&nothing, &v, hops, max, &path),
                 ROCECC_ERR_SPACE);
        r = bytes_of(IFA_2);
        CHECK_EQ(rocecc_ifa_parse(&ifa, r, rocecc_left(&r), &f), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ifa_path(&nothing, &f, hops, max, &path),
                 ROCECC_ERR_SPACE);
        CHECK_EQ(rocecc_intmd_parse(&intmd, bytes_of(INT_1), &md), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_intmd_path(&nothing, &md, hops, max, &path),
                 ROCECC_ERR_SPACE);
    }
    CHECK(path.n == 99 && path.complete == ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK(memcmp(hops, before, sizeof hops) == 0);
    CHECK_EQ(rocecc_telemetry_intmd_path(&nothing, &md, hops, 2, &path), ROCECC_OK);
    CHECK(memcmp(hops + 2, before, sizeof hops[0]) == 0);
}

/*
 * Views that no parser gives: with more nodes than they have bytes or may have, or with
 * an unknown layout. They give FORMAT.
 */
TEST(paths_reject_invalid_views)
{
    rocecc_hop hops[255];
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_YES};
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    rocecc_ifa f;
    rocecc_intmd md;
    rocecc_reader r;
    CHECK_EQ(rocecc_ioam_option_parse(bytes_of(IOAM_1), &o), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
    v.count = 3;
    CHECK_EQ(rocecc_telemetry_ioam_path(&nothing, &v, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    v.config.tx_bytes_bit = 11; /* not read in place */
    CHECK_EQ(rocecc_telemetry_ioam_path(&nothing, &v, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    v.config.tx_bytes_bit = 12;
    v.count = ROCECC_IOAM_NODES_MAX + 1;
    CHECK_EQ(rocecc_telemetry_ioam_path(&nothing, &v, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    r = bytes_of(IFA_2);
    CHECK_EQ(rocecc_ifa_parse(&ifa, r, rocecc_left(&r), &f), ROCECC_OK);
    f.config.layout_a = 0;
    CHECK_EQ(rocecc_telemetry_ifa_path(&nothing, &f, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    f.nodes.end = f.nodes.at + 32 * (ROCECC_IFA_NODES_MAX + 1);
    CHECK_EQ(rocecc_telemetry_ifa_path(&nothing, &f, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_intmd_parse(&intmd, bytes_of(INT_1), &md), ROCECC_OK);
    md.n_nodes = 3;
    CHECK_EQ(rocecc_telemetry_intmd_path(&nothing, &md, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    md.header.instructions = 0xd400; /* not read in place */
    md.header.hop_ml = 5;
    CHECK_EQ(rocecc_telemetry_intmd_path(&nothing, &md, hops, 255, &path),
             ROCECC_ERR_FORMAT);
    CHECK(path.n == 99 && path.complete == ROCECC_TELEMETRY_COMPLETE_YES);
}

/*
 * Completeness and first hop of two records with C, MF and TS, by the configuration of
 * these flags, and with every_node. The checksums are calculated by hand.
 */
TEST(ifa_completeness_follows_the_configured_flags)
{
    enum { NO = ROCECC_TELEMETRY_COMPLETE_NO, YES = ROCECC_TELEMETRY_COMPLETE_YES };
    enum { UNKNOWN, STACK, METADATA };
#define IFA_STACK                                                                      \
    "100a023e 6c312346 00ca00c9 000005dc 000003e8 00001800 000003e8 0001f000"          \
    "100a013f 40312345 00660065 3b9ac230 000003e8 fffff000 00000040 0001f400"
#define IFA_AROUND(flags) "2f11" flags "ff c00112b7 00080000"
    static const struct {
        const char *hex;
        uint8_t checksum;
        uint8_t tail;
        bool fragments;
        uint8_t complete;
        uint8_t first; /* the low bits of a device id */
    } rows[] = {
        {IFA_AROUND("05") "ff00fc10 eb7e0000" IFA_STACK, UNKNOWN, 0, false, NO, 1},
        {IFA_AROUND("05") "ff00fc10 eb7e0000" IFA_STACK, STACK, 0, false, YES, 1},
        {IFA_AROUND("05") "ff00fc10 eb7e0000" IFA_STACK, METADATA, 0, false, NO, 1},
        {IFA_AROUND("05") "ff00fc10 f06c0000" IFA_STACK, METADATA, 0, false, YES, 1},
        {IFA_AROUND("05") "ff00fc10 f06c0000" IFA_STACK, STACK, 0, false, NO, 1},
        {IFA_AROUND("05") "ff00fb10 f06c0000" IFA_STACK, METADATA, 0, false, NO, 1},
        {IFA_AROUND("05") "ff00fc10 00000000" IFA_STACK, STACK, 0, false, NO, 1},
        {IFA_AROUND("14") "ff00fc10 00005540" IFA_STACK, 0, 0, false, NO, 1},
        {IFA_AROUND("14") "ff00fc10 00005540" IFA_STACK, 0, 0, true, YES, 1},
        {IFA_AROUND("14") "ff00fc10 00005542" IFA_STACK, 0, 0, true, NO, 1},
        {IFA_AROUND("15") "ff00fc10 9b2c0000 00005540" IFA_STACK, METADATA, 0, true,
         YES, 1},
        {IFA_AROUND("15") "ff00fc10 9b2c0000 00005540" IFA_STACK, METADATA, 0, false,
         NO, 1},
        {IFA_AROUND("0c") IFA_STACK "ff00fc10", 0, ROCECC_IFA_TAIL_NEWEST_FIRST, false,
         YES, 1},
        {IFA_AROUND("0c") IFA_STACK "ff00fc10", 0, ROCECC_IFA_TAIL_NEWEST_LAST, false,
         YES, 2}};
    rocecc_telemetry_config c = nothing;
    size_t i;
    c.every_node = true;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rocecc_reader r = bytes_of(rows[i].hex);
        rocecc_telemetry_path path = {99, 99};
        rocecc_ifa_config by = ifa;
        rocecc_hop hops[MAX];
        rocecc_ifa v;
        test_context("row %zu", i);
        by.checksum = rows[i].checksum;
        by.tail = rows[i].tail;
        by.fragments = rows[i].fragments;
        CHECK_EQ(rocecc_ifa_parse(&by, r, rocecc_left(&r), &v), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hops, MAX, &path), ROCECC_OK);
        CHECK_EQ(path.n, 2);
        CHECK_EQ(path.complete, rows[i].complete);
        CHECK_EQ(hops[0].id >> 32, 0xa00u + rows[i].first);
    }
}

/* A path without a hop yet. */
TEST(paths_without_hops_may_be_incomplete)
{
    rocecc_hop hops[MAX];
    rocecc_telemetry_path path;
    path = ioam_path(&nothing,
                     "0000 007b2805 d2080000 00000000 00000000 00000000"
                     "00000000 00000000",
                     hops);
    CHECK(path.n == 0 && path.complete == ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    path = ifa_path(&nothing, "2f1104ff c00112b7 00080000 ff00fc00", hops);
    CHECK(path.n == 0 && path.complete == ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    path = intmd_path(&nothing, "20000606 d5000000 00000000", hops);
    CHECK(path.n == 0 && path.complete == ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
}

/* With wide node ids, Hop_Lim 63 after 64 shows no gap, but 62 does. */
TEST(ioam_gap_is_shown_by_wide_hop_limits)
{
    static const char *const rows[] = {
        "0001 007b 1000 00800000 3f00000000000002 4000000000000001",
        "0001 007b 1000 00800000 3e00000000000002 4000000000000001"};
    size_t i;
    for (i = 0; i < 2; i++) {
        rocecc_hop hops[MAX];
        const rocecc_telemetry_path path = ioam_path(&nothing, rows[i], hops);
        CHECK_EQ(path.n, 2);
        CHECK_EQ(path.complete, i == 0 ? ROCECC_TELEMETRY_COMPLETE_UNKNOWN
                                       : ROCECC_TELEMETRY_COMPLETE_NO);
    }
}

enum {
    NO = ROCECC_TELEMETRY_COMPLETE_NO,
    UNKNOWN = ROCECC_TELEMETRY_COMPLETE_UNKNOWN,
    YES = ROCECC_TELEMETRY_COMPLETE_YES
};

/*
 * Each row sets one byte of a packet, and names the completeness with every_node.
 * Without every_node, YES becomes UNKNOWN.
 */
TEST(path_completeness_follows_each_byte)
{
    enum { IN_IOAM, IN_IFA, IN_INT };
    static const struct {
        const char *name, *hex;
        int format;
        size_t at;
        uint8_t v;
        uint8_t complete; /* with every_node */
    } rows[] = {
        {"unchanged", IOAM_1, IN_IOAM, 0, 0x00, YES},
        {"O", IOAM_1, IN_IOAM, 4, 0x2c, NO},
        {"L and A", IOAM_1, IN_IOAM, 4, 0x2b, YES},
        {"Hop_Lim 61 after 63", IOAM_1, IN_IOAM, 30, 61, NO},
        {"Hop_Lim 1 after 63", IOAM_1, IN_IOAM, 30, 1, NO},
        {"Hop_Lim not populated", IOAM_1, IN_IOAM, 30, 0xff, YES},
        {"Hop_Lim the same", IOAM_1, IN_IOAM, 30, 63, NO},
        {"Hop_Lim rises", IOAM_1, IN_IOAM, 30, 64, NO},
        {"unchanged", IFA_2, IN_IFA, 0, 0x2f, YES},
        {"Max Length 24: one more would fit", IFA_2, IN_IFA, 3, 24, YES},
        {"Max Length 23", IFA_2, IN_IFA, 3, 23, UNKNOWN},
        {"Max Length 16", IFA_2, IN_IFA, 3, 16, UNKNOWN},
        {"Hop Limit 1", IFA_2, IN_IFA, 14, 1, YES},
        {"Hop Limit 0", IFA_2, IN_IFA, 14, 0, UNKNOWN},
        {"unchanged", INT_1, IN_INT, 0, 0x20, YES},
        {"D", INT_1, IN_INT, 0, 0x28, YES},
        {"E", INT_1, IN_INT, 0, 0x24, NO},
        {"M", INT_1, IN_INT, 0, 0x22, NO},
        {"count 0, and no node was refused", INT_1, IN_INT, 3, 0, YES},
        {"bit 14, which a node may not know",
         "20000606 d4020000 00000000"
         "00000a02 00c900ca 030003e8 17979cfe 71c4d3c4 00002710"
         "00000a01 00650066 03000040 17979cfe 71c4c618 0000251c",
         IN_INT, 0, 0x20, UNKNOWN},
        {"a Domain Specific ID", INT_1, IN_INT, 7, 1, UNKNOWN},
        {"an instruction of the default domain", INT_1, IN_INT, 8, 0x80, UNKNOWN},
        {"DS Flags, which request no data", INT_1, IN_INT, 10, 0x80, YES}};
    size_t i;
    for (i = 0; i < 2 * (sizeof rows / sizeof rows[0]); i++) {
        const size_t k = i / 2;
        rocecc_telemetry_config c = nothing;
        rocecc_reader r = bytes_of(rows[k].hex);
        uint8_t bytes[256];
        rocecc_telemetry_path path = {0, ROCECC_TELEMETRY_COMPLETE_NO};
        rocecc_hop hops[MAX];
        rocecc_ioam_option o;
        rocecc_ioam_view v;
        rocecc_ifa f;
        rocecc_intmd md;
        memcpy(bytes, r.base + r.at, rocecc_left(&r));
        bytes[rows[k].at] = rows[k].v;
        r = noun_reader(bytes, rocecc_left(&r));
        c.every_node = i % 2 == 1;
        test_context("%s", rows[k].name);
        if (rows[k].format == IN_IOAM) {
            CHECK_EQ(rocecc_ioam_option_parse(r, &o), ROCECC_OK);
            CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
            CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hops, 2, &path), ROCECC_OK);
        } else if (rows[k].format == IN_IFA) {
            CHECK_EQ(rocecc_ifa_parse(&ifa, r, rocecc_left(&r), &f), ROCECC_OK);
            CHECK_EQ(rocecc_telemetry_ifa_path(&c, &f, hops, 2, &path), ROCECC_OK);
        } else {
            CHECK_EQ(rocecc_intmd_parse(&intmd, r, &md), ROCECC_OK);
            CHECK_EQ(rocecc_telemetry_intmd_path(&c, &md, hops, 2, &path), ROCECC_OK);
        }
        CHECK_EQ(path.n, 2);
        CHECK_EQ(path.complete, i % 2 == 1               ? rows[k].complete
                                : rows[k].complete == NO ? NO
                                                         : UNKNOWN);
    }
}

/*
 * IFA-3: a first fragment with the records of earlier nodes is at the collector, so the
 * path is incomplete, with and without a configuration of C and MF. With the right
 * checksum, only MF ID 1 shows it. With MF ID 0, the path is complete.
 */
TEST(IFA_3_with_earlier_fragments_is_incomplete)
{
    static const struct {
        const char *hex;
        bool configured;
        uint8_t complete;
    } rows[] = {
#define IFA_3(checksum, fragment)                                                      \
    "2f1115ff c00112b7 00080000 ff80fd08" checksum "0000 0000" fragment IFA_1
        {IFA_3("0000", "5542"), false, ROCECC_TELEMETRY_COMPLETE_NO},
        {IFA_3("0000", "5542"), true, ROCECC_TELEMETRY_COMPLETE_NO},
        {IFA_3("a47f", "5542"), true, ROCECC_TELEMETRY_COMPLETE_NO},
        {IFA_3("a47f", "5540"), true, ROCECC_TELEMETRY_COMPLETE_YES}};
    rocecc_telemetry_config c = nothing;
    size_t i;
    c.every_node = true;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_hop hops[MAX];
        rocecc_ifa_config by = ifa;
        rocecc_telemetry_path path;
        if (rows[i].configured) {
            by.checksum = ROCECC_IFA_COVERS_STACK;
            by.fragments = true;
        }
        test_context("row %zu", i);
        path = ifa_path_by(&by, &c, rows[i].hex, hops);
        CHECK_EQ(path.n, 1);
        CHECK_EQ(path.complete, rows[i].complete);
        CHECK_EQ(hops[0].id, ID(0xa01, 102));
    }
}

/*
 * C alone also makes a path incomplete if the configuration does not define it, because
 * a node that cannot compute the checksum adds no record.
 */
TEST(ifa_undefined_checksum_makes_a_path_incomplete)
{
    rocecc_telemetry_config c = nothing;
    rocecc_hop hops[MAX];
    rocecc_telemetry_path path;
    c.every_node = true;
    path = ifa_path(&c, "2f1105ff c00112b7 00080000 ff80fd08 00000000" IFA_1, hops);
    CHECK_EQ(path.n, 1);
    CHECK_EQ(path.complete, NO);
}

/* 42 nodes of 6 words fill INT's Length, so no further node can add a record. */
TEST(intmd_full_stack_may_be_incomplete)
{
    rocecc_telemetry_config c = nothing;
    uint8_t bytes[1020];
    rocecc_hop hops[64];
    rocecc_telemetry_path path = {0, ROCECC_TELEMETRY_COMPLETE_YES};
    rocecc_intmd md;
    size_t n;
    c.every_node = true;
    memset(bytes, 0, sizeof bytes);
    bytes[0] = 0x20;
    bytes[2] = 6;
    bytes[3] = 9;
    bytes[4] = 0xd5;
    for (n = 41; n <= 42; n++) {
        CHECK_EQ(rocecc_intmd_parse(&intmd,
                                    rocecc_reader_of(bytes, bytes + 12 + 24 * n), &md),
                 ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_intmd_path(&c, &md, hops, 64, &path), ROCECC_OK);
        CHECK_EQ(path.n, n);
        CHECK_EQ(path.complete, n == 41 ? ROCECC_TELEMETRY_COMPLETE_YES
                                        : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    }
}

/* A path of five links of 100 Gb/s with records that all formats carry exactly. */
#define HOPS 5
#define ACKS 400

typedef struct links {
    uint64_t random;
    rocecc_hop hops[HOPS];
} links;

static void links_start(links *l)
{
    int i;
    l->random = 1;
    for (i = 0; i < HOPS; i++)
        l->hops[i] = (rocecc_hop){.id = ID(0xa00u + (unsigned)i, 100u + (unsigned)i),
                                  .rate_bps = 100 * G,
                                  .tx_bytes = 0xffff0000,
                                  .ts_ns = 7 * G - 50000,
                                  .valid = FULL};
}

/*
 * Advances each hop by 1 to 4 us, with load from the flow's window and others, and
 * queues of whole cells. A counter of 32 bits and a clock of a second wrap on the way.
 */
static void links_step(links *l, const rocecc_hpcc *by, const rocecc_hpcc_params *p)
{
    const uint32_t share = (uint32_t)((by->window_q20 >> 20) * 100 / p->w_max_bytes);
    int i;
    for (i = 0; i < HOPS; i++) {
        rocecc_hop *h = &l->hops[i];
        const uint64_t dt = 1000 + test_random(&l->random) % 4 * 1000;
        const uint32_t busy = share + test_random(&l->random) % 40;
        const uint32_t percent = (uint32_t)rocecc_min(busy, 100);
        h->ts_ns += dt;
        h->tx_bytes = (h->tx_bytes + dt * percent / 8) & UINT32_MAX;
        if (h->tx_bytes == UINT32_MAX) h->tx_bytes = 0;
        h->util_q20 = (uint32_t)(((uint64_t)percent * (1 << 20) + 50) / 100);
        h->queue_bytes = (busy - percent) * 80 * 50;
    }
}

typedef struct flow {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[HOPS];
} flow;

static void flow_start(flow *f, rocecc_telemetry_moduli m)
{
    memset(f, 0, sizeof *f);
    f->p = rocecc_hpcc_paper(100 * G);
    f->p.ts_mod_ns = m.ts_mod_ns;
    f->p.tx_mod_bytes = m.tx_mod_bytes;
    f->p.dt_max_ns = 50000000; /* 2^32 bytes at 400 Gb/s: 86 ms */
    CHECK_EQ(rocecc_hpcc_init(&f->p), ROCECC_HPCC_ACCEPTED);
    f->s = rocecc_hpcc_start(&f->p);
}

static void flow_ack(flow *f, const rocecc_hop *hops, uint32_t i)
{
    rocecc_hpcc_event r;
    r.hops = hops;
    r.n_hops = HOPS;
    r.seq = i;
    r.snd_nxt = i + 5;
    r.now_ns = i * 2500;
    r.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    r.incomplete = false;
    (void)rocecc_hpcc_ack(&f->p, &f->s, f->l, &r);
}

/*
 * The windows by each format equal the windows by the measured hops, whose clocks never
 * wrap. INT has utilisations instead of tx, and is compared with such hops.
 */
TEST(hpcc_windows_are_equal_by_each_format)
{
    const rocecc_telemetry_moduli never = {0, (uint64_t)1 << 32, 0};
    rocecc_telemetry_config c = full_config(ROCECC_TELEMETRY_CLOCK_PTP);
    flow direct, used, by[FORMATS];
    uint32_t i, moved = 0;
    int format, k;
    links l;
    c.rate_bps = 100 * G;
    c.util_one = 100;
    links_start(&l);
    flow_start(&direct, never);
    flow_start(&used, never);
    for (format = 0; format < FORMATS; format++)
        flow_start(&by[format], moduli_of(&c, format));
    for (i = 0; i < ACKS; i++) {
        rocecc_hop hops[HOPS];
        const uint64_t before = direct.s.window_q20;
        links_step(&l, &direct.s, &direct.p);
        for (k = 0; k < HOPS; k++)
            hops[k] = only(l.hops[k], TIMED);
        flow_ack(&direct, hops, i);
        for (k = 0; k < HOPS; k++)
            hops[k] = only(l.hops[k], 63 - ROCECC_HOP_TX);
        flow_ack(&used, hops, i);
        for (format = 0; format < FORMATS; format++) {
            const rocecc_hpcc *as = format < MD ? &direct.s : &used.s;
            for (k = 0; k < HOPS; k++)
                hops[k] = through_bytes(format, &c, &l.hops[k]);
            flow_ack(&by[format], hops, i);
            test_context("%s, ACK %u", format_names[format], i);
            CHECK_EQ(by[format].s.window_q20, as->window_q20);
            CHECK_EQ(by[format].s.reference_q20, as->reference_q20);
            CHECK_EQ(by[format].s.u_q32, as->u_q32);
        }
        moved += direct.s.window_q20 != before;
    }
    CHECK(moved > ACKS / 2); /* 247 */
}

/*
 * Returns the tag at the path's end, after each port has compared its measurement with
 * it.
 */
static rocecc_csig tag_after(const links *l, const rocecc_csig_table *t, bool wide,
                             uint8_t type)
{
    const rocecc_csig_config c = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, false};
    rocecc_csig tag = rocecc_csig_neutral(&c, wide, type);
    int k;
    for (k = 0; k < HOPS; k++) {
        const rocecc_csig_measured local = rocecc_telemetry_csig_store(&l->hops[k]);
        rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 0};
        port.locator = (uint16_t)k;
        CHECK(rocecc_csig_fold(t, &port, &local, &tag) <= ROCECC_CSIG_UNKNOWN);
    }
    return tag;
}

/* Returns the worst hop's measurement as a sample, without a tag or buckets. */
static rocecc_hpcc_csig_event worst(const links *l, uint8_t signal)
{
    rocecc_hpcc_csig_event s = {0, 0, 0, 0, 0, 0};
    int k;
    s.signal = signal;
    for (k = 0; k < HOPS; k++) {
        const rocecc_hop *h = &l->hops[k];
        const uint32_t v =
            signal == ROCECC_HPCC_UTILISATION
                ? h->util_q20
                : (uint32_t)((uint64_t)h->queue_bytes * 8 * G / h->rate_bps);
        if (v > s.value) s.value = v;
    }
    return s;
}

/*
 * Returns a measured value as a sample by even_table(), without the library: its
 * bucket's pessimistic bound. A delay in bucket 0 counts as 0.
 */
static uint32_t sample_by_hand(bool wide, uint8_t signal, uint32_t measured)
{
    const bool use = signal == ROCECC_HPCC_UTILISATION;
    const uint32_t width = use ? (wide ? 1 : 32768) : (wide ? 128 : 1000);
    const uint32_t value = use ? ROCECC_ONE_Q20 - measured : measured;
    const uint32_t bucket =
        (uint32_t)rocecc_min(value / width, wide ? (1u << 20) - 1 : 31);
    if (use) return ROCECC_ONE_Q20 - bucket * width;   /* the least free part */
    return bucket == 0 ? 0 : (bucket + 1) * width - 1; /* the longest delay */
}

/* Returns the difference of a and b, in millionths of b. */
static uint32_t apart(uint64_t a, uint64_t b)
{
    return (uint32_t)((a > b ? a - b : b - a) * 1000 / (b / 1000 + 1));
}

/*
 * Checks that the windows by tags equal the windows by the worst hop's values, which
 * are quantised by hand. Limits their distance from the windows by exact samples, in
 * millionths, on links that the exact windows load. Over 400 ACKs, 32 equal buckets
 * (1/32 of the link, 1 us) cost 16.0 % on average and 36.0 % at most, because each is
 * read by its pessimistic bound. Wide buckets (2^-20, 128 ns) cost 0.91 % and 1.13 %.
 */
static void csig_windows(bool wide, uint32_t mean_max, uint32_t most_max)
{
    const rocecc_telemetry_moduli none = {0, (uint64_t)1 << 32, 0};
    const rocecc_csig_table t = even_table();
    rocecc_telemetry_config c = nothing;
    flow tagged, bucket, exact;
    uint8_t signal = ROCECC_HPCC_UTILISATION;
    uint64_t sum = 0;
    uint32_t i, most = 0;
    links l;
    c.rate_bps = 100 * G;
    links_start(&l);
    flow_start(&tagged, none);
    flow_start(&bucket, none);
    flow_start(&exact, none);
    for (i = 0; i < ACKS; i++) {
        const uint8_t type =
            signal == ROCECC_HPCC_UTILISATION ? ROCECC_CSIG_ABW_C : ROCECC_CSIG_NQD;
        rocecc_hpcc_csig_event by = {0, 0, 0, 0, 0, 0}, direct, all;
        rocecc_csig tag;
        uint32_t off;
        links_step(&l, &exact.s, &exact.p);
        tag = tag_after(&l, &t, wide, type);
        by.seq = i;
        by.snd_nxt = i + 5;
        by.now_ns = i * 2500;
        CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &by));
        all = worst(&l, signal);
        direct = by;
        direct.signal = all.signal;
        direct.value = sample_by_hand(wide, all.signal, all.value);
        all.seq = i;
        all.snd_nxt = i + 5;
        all.now_ns = i * 2500;
        signal = rocecc_hpcc_csig_ack(&tagged.p, &tagged.s, &by).request;
        (void)rocecc_hpcc_csig_ack(&bucket.p, &bucket.s, &direct);
        (void)rocecc_hpcc_csig_ack(&exact.p, &exact.s, &all);
        test_context("ACK %u", i);
        CHECK_EQ(by.value, direct.value);
        CHECK_EQ(tagged.s.window_q20, bucket.s.window_q20);
        CHECK_EQ(tagged.s.u_q32, bucket.s.u_q32);
        off = apart(tagged.s.window_q20, exact.s.window_q20);
        sum += off;
        if (off > most) most = off;
    }
    test_context("mean %u, most %u", (unsigned)(sum / ACKS), (unsigned)most);
    CHECK(sum / ACKS <= mean_max && most <= most_max);
}

/* Compact tags stay within 17 % on average, and wide tags within 1 %. */
TEST(hpcc_windows_by_a_tag_follow_the_worst_hop)
{
    csig_windows(false, 170000, 370000);
    csig_windows(true, 10000, 12000);
}

/*
 * HPCC++'s five and six words are read in place. The hops equal those that the law
 * reads node by node, for random items and for items of all ones.
 */
TEST(hpcc_words_are_read_in_place)
{
    static const uint32_t ones[] = {0,      0,          0,          0,
                                    0xffff, 0x00ffffff, 0xff000000, 0xffffffff};
    enum { NODES = 5, BYTES = LAW_TELEMETRY_BYTES + NODES * 24 };
    uint8_t b[BYTES];
    uint64_t x = 7;
    unsigned round, i;
    for (round = 0; round < 4000; round++) {
        const unsigned nodes = test_random(&x) % (NODES + 1);
        for (i = 0; i < BYTES; i += 4)
            rocecc_store32(b + i, test_random(&x));
        b[15] |= 128;
        for (i = LAW_TELEMETRY_BYTES; i < BYTES; i += 4)
            rocecc_store32(b + i, test_random(&x) | ones[test_random(&x) % 8]);
        for (i = 0; i < nodes && (round & 1) != 0; i++) /* a complete path's Hop_Lim */
            b[LAW_TELEMETRY_BYTES + 20 * i] = (uint8_t)(250 + i);
        test_context("round %u, %u nodes", round, nodes);
        CHECK(law_telemetry_ioam_path(rocecc_reader_of(
                  b, b + LAW_TELEMETRY_BYTES + nodes * 20)) != LAW_BROKEN);
        CHECK(law_telemetry_intmd_path(
                  rocecc_reader_of(b, b + LAW_TELEMETRY_BYTES + nodes * 24),
                  ROCECC_INTMD_HPCC) != LAW_BROKEN);
    }
}

/* Words that a domain adds to each node, or a source to its own, change no hop. */
TEST(hpcc_words_are_read_between_domain_words)
{
    enum { WORDS = 6, NODES = 2 };
    uint8_t b[(WORDS + 1) * 4 * NODES + 4];
    rocecc_hop hops[3][NODES];
    uint64_t x = 5;
    unsigned form, i, k;
    uint32_t word[NODES][WORDS];
    for (i = 0; i < NODES * WORDS; i++)
        word[i / WORDS][i % WORDS] = test_random(&x) & 0x7fff7fff;
    for (form = 0; form < 3; form++) { /* bare, a word in each, a word of the source */
        rocecc_telemetry_config c = full_config(0);
        rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
        rocecc_intmd v;
        size_t n = 0;
        memset(&v, 0, sizeof v);
        v.header.instructions = ROCECC_INTMD_HPCC;
        v.header.hop_ml = form == 1 ? WORDS + 1 : WORDS;
        v.source_words = form == 2 ? 1 : 0;
        v.n_nodes = NODES;
        for (i = 0; i < NODES; i++) {
            for (k = 0; k < WORDS; k++, n += 4)
                rocecc_store32(b + n, word[i][k]);
            if (form == 1 || (form == 2 && i == NODES - 1)) {
                rocecc_store32(b + n, 0xdeadbeef);
                n += 4;
            }
        }
        v.nodes = rocecc_reader_of(b, b + n);
        memset(hops[form], 0, sizeof hops[form]);
        CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hops[form], NODES, &path),
                 ROCECC_OK);
        CHECK_EQ(path.n, NODES);
        for (i = 0; i < NODES; i++)
            expect_hop(&hops[form][i], hops[0][i]);
    }
}

TEST(telemetry_law_holds_for_random_runs)
{
    law_random(law_telemetry, 20000);
}

/* INT-MD's clock wraps at 2^ts_bits ns, up to 2^54, and IFA B's at most at 2^32 ns. */
TEST(telemetry_ts_modulus_is_2_to_the_ts_bits)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    unsigned bits;
    for (bits = 1; bits <= 54; bits++) {
        c.ts_bits = (uint8_t)bits;
        test_context("%u bits", bits);
        CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
        CHECK_EQ(
            rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B, G, 0).ts_mod_ns,
            UINT64_C(1) << (bits < 32 ? bits : 32));
        CHECK_EQ(
            rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_INTMD, G, 0).ts_mod_ns,
            UINT64_C(1) << bits);
    }
}

/*
 * IFA B's counter wraps at 2^tx_bits, up to 2^40. IOAM's and IFA A's wrap at most at
 * 2^32.
 */
TEST(telemetry_tx_modulus_is_2_to_the_tx_bits)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    unsigned bits;
    for (bits = 1; bits <= 40; bits++) {
        const uint64_t narrow = UINT64_C(1) << (bits < 32 ? bits : 32);
        c.tx_bits = (uint8_t)bits;
        test_context("%u bits", bits);
        CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IOAM, G, 0)
                     .tx_mod_bytes,
                 narrow);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_A, G, 0)
                     .tx_mod_bytes,
                 narrow);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B, G, 0)
                     .tx_mod_bytes,
                 UINT64_C(1) << bits);
    }
}

/*
 * The longest gap is exact for a rate that is a multiple of 2^(bits - 31) bit/s. It is
 * the last dt with dt * rate < 8 * 10^9 * 2^bits. Each rate here is 8 * 2^bits and a
 * little more (34, 68, 136), so a second is too long, but one ns less is not.
 */
TEST(telemetry_longest_gap_is_exact_to_the_ns)
{
    static const struct {
        uint8_t bits;
        uint64_t fastest_bps;
    } rows[] = {{32, UINT64_C(34359738402)},
                {33, UINT64_C(68719476804)},
                {34, UINT64_C(137438953608)}};
    rocecc_telemetry_config c = ROCECC_ZERO;
    size_t i;
    c.ts_bits = 32;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        c.tx_bits = rows[i].bits;
        test_context("%u bits", c.tx_bits);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B,
                                                rows[i].fastest_bps, 0)
                     .dt_max_ns,
                 999999999);
    }
}

/*
 * With an all-zero configuration, IFA A reports its rate, and B_OCTETS its queue in
 * bytes.
 */
TEST(telemetry_config_of_zeros_reads_items_without_units)
{
    rocecc_ifa_node n;
    rocecc_ioam_node io;
    rocecc_intmd_node md;
    uint8_t layout;
    memset(&n, 0, sizeof n);
    memset(&io, 0, sizeof io); /* all items are present and 0 */
    memset(&md, 0, sizeof md);
    n.speed = rocecc_ifa_speed_code(100 * G);
    n.queue_length = 5;
    n.present = ROCECC_IFA_SPEED | ROCECC_IFA_QUEUE_LENGTH;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++) {
        rocecc_hop h;
        n.layout = layout;
        h = rocecc_telemetry_ifa_load(&nothing, &n);
        test_context("layout %u", layout);
        expect_hop(
            &h,
            (rocecc_hop){.rate_bps = layout == ROCECC_IFA_LAYOUT_A ? 100 * G : 0,
                         .queue_bytes = layout == ROCECC_IFA_LAYOUT_B_OCTETS ? 5 : 0,
                         .valid = layout == ROCECC_IFA_LAYOUT_A   ? ROCECC_HOP_RATE
                                  : layout == ROCECC_IFA_LAYOUT_B ? 0
                                                                  : ROCECC_HOP_QUEUE});
    }
    CHECK_EQ(rocecc_telemetry_ioam_load(&nothing, &io).valid,
             ROCECC_HOP_ID | ROCECC_HOP_TX | ROCECC_HOP_TS);
    CHECK_EQ(rocecc_telemetry_intmd_load(&nothing, &md).valid,
             ROCECC_HOP_ID | ROCECC_HOP_TS);
}

/*
 * init() checks only the clock and the two widths, so rates, speeds and units may be
 * all ones.
 */
TEST(telemetry_init_accepts_any_rate_and_unit)
{
    rocecc_telemetry_config c = nothing;
    c.rate_bps = UINT64_MAX;
    memset(c.speeds_bps, 0xff, sizeof c.speeds_bps);
    c.queue_unit_bytes = UINT32_MAX;
    c.util_one = UINT32_MAX;
    CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
}
