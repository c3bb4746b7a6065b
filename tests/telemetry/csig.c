/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * csig.c - tests the largest values that a CSIG tag carries and a port compares.
 * Expected values are calculated by hand.
 */
#include "lib/test.h"
#include "rocecc/telemetry/csig.h"

#include <string.h>

static const rocecc_telemetry_rates no_rates = {NULL, 0, 0};

/* Returns a table with wide buckets of 2^step_log2 for one type. */
static rocecc_csig_table wide_table(unsigned type, uint8_t step_log2)
{
    rocecc_csig_table t;
    memset(&t, 0, sizeof t);
    t.type[type].wide = true;
    t.type[type].step_log2 = step_log2;
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    return t;
}

/*
 * A delay is its bucket's upper bound. The last of 2^20 buckets gives
 * 2^(20 + step_log2) - 1 ns, and a sample holds at most 2^32 - 1.
 */
TEST(csig_delay_is_its_buckets_upper_bound)
{
    static const struct {
        uint8_t step_log2;
        uint32_t bucket, value;
    } rows[] = {
        {11, 0xfffff, 0x7fffffff}, {12, 0xffffe, 0xffffefff},
        {12, 0xfffff, 0xffffffff},                            /* exactly the maximum */
        {13, 0x7ffff, 0xffffffff}, {13, 0x80000, 0xffffffff}, /* 2^32 + 2^13 - 1 */
        {43, 0xfffff, 0xffffffff}};
    const rocecc_telemetry_config c = ROCECC_ZERO;
    unsigned type;
    size_t i;
    for (type = ROCECC_CSIG_PD; type <= ROCECC_CSIG_NQD; type++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            const rocecc_csig_table t = wide_table(type, rows[i].step_log2);
            const rocecc_csig tag = {0, true, (uint8_t)type, 0, rows[i].bucket,
                                     0, false};
            rocecc_hpcc_csig_event s = {0, 0, 0, 0, 0, 0};
            test_context("type %u, row %zu", type, i);
            CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
            CHECK_EQ(s.value, rows[i].value);
            CHECK_EQ(s.signal,
                     type == ROCECC_CSIG_PD ? ROCECC_HPCC_DELAY : ROCECC_HPCC_DRAIN);
        }
}

/*
 * The value is 1 - ABW/C, and 2^20 is 1.0. If all but one part is free, one is in use.
 */
TEST(csig_utilisation_counts_one_part_in_use)
{
    const rocecc_csig_table t = wide_table(ROCECC_CSIG_ABW_C, 0);
    const rocecc_telemetry_config c = ROCECC_ZERO;
    uint32_t used;
    for (used = 1; used <= 3; used++) {
        const rocecc_csig tag = {0, true, ROCECC_CSIG_ABW_C, 0, ROCECC_ONE_Q20 - used,
                                 0, false};
        rocecc_hpcc_csig_event s = {0, 0, 0, 0, 0, 0};
        CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
        CHECK_EQ(s.signal, ROCECC_HPCC_UTILISATION);
        CHECK_EQ(s.value, used);
    }
}

/*
 * The highest rate is ROCECC_RATE_END_BPS - 1. All of it is free, and 2^32 - 1 bytes
 * take 8 * 10^9 * (2^32 - 1) / 2^43 ns, with the rate in units of 256 bit/s. From
 * ROCECC_RATE_END_BPS on, ABW and nQD are neutral.
 */
TEST(csig_port_compares_rates_below_2_43_bps)
{
    rocecc_hop h = ROCECC_ZERO;
    rocecc_csig_measured l;
    h.valid = ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_UTIL;
    h.queue_bytes = UINT32_MAX;
    h.rate_bps = ROCECC_RATE_END_BPS - 1;
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], ROCECC_RATE_END_BPS - 1);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW_C], ROCECC_ONE_Q20);
    /* 31250000 * (2^32 - 1) / (2^35 - 1) = 3906249.999... */
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 3906249);
    h.rate_bps = ROCECC_RATE_END_BPS;
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], UINT64_MAX);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 0);
}

/* table_init() checks each of the four types. */
TEST(csig_table_checks_each_of_four_types)
{
    unsigned type;
    for (type = 0; type < ROCECC_CSIG_TYPES; type++) {
        rocecc_csig_table t;
        memset(&t, 0, sizeof t);
        test_context("type %u", type);
        t.type[type].n = 33; /* more than 32 */
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        t.type[type].n = 0;
        t.type[type].base = 3; /* not a power of two */
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        t.type[type].base = 4;
        t.type[type].step_log2 = 44; /* more than 43 */
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        t.type[type].step_log2 = 43;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    }
}

/* With 255 bit/s in the table, ABW gives no sample, even if a rate is configured. */
TEST(csig_rate_below_256_bps_in_the_table_hides_the_configured_rate)
{
    const rocecc_csig_table t = wide_table(ROCECC_CSIG_ABW, 0);
    const rocecc_csig tag = {0, true, ROCECC_CSIG_ABW, 0, 64, 5, false};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_telemetry_rate e = {5, 255};
    c.rate_bps = UINT64_C(1) << 40;
    for (e.rate_bps = 255; e.rate_bps <= 256; e.rate_bps++) {
        const bool fits = e.rate_bps == 256;
        rocecc_hpcc_csig_event s = {7, 9, 0, 0, 0, 0};
        rocecc_telemetry_rates rates;
        test_context("%u bit/s", (unsigned)e.rate_bps);
        CHECK_EQ(rocecc_telemetry_rates_init(&e, 1, &rates),
                 ROCECC_TELEMETRY_RATES_ACCEPTED);
        CHECK_EQ(rocecc_telemetry_csig_sample(&c, &rates, &t, &tag, &s), fits);
        CHECK_EQ(s.signal, fits ? ROCECC_HPCC_UTILISATION : 7);
        CHECK_EQ(s.value, fits ? 786432 : 9); /* 1 - 64/256 */
        CHECK_EQ(rocecc_telemetry_csig_load(&c, &rates, &t, &tag).valid,
                 fits ? ROCECC_HOP_RATE | ROCECC_HOP_UTIL : 0);
    }
}

/*
 * A port without a measurement gets a sender's tag. For ABW and ABW/C, this has bucket
 * 31. A compact table of 31 ranges lacks this bucket, so the tag becomes 30. With 32
 * ranges, or for other types, the tag does not change. Nor does a wide tag.
 */
TEST(csig_neutral_value_replaces_only_a_bucket_beyond_a_compact_table)
{
    static const rocecc_hop h = ROCECC_ZERO;
    const rocecc_csig_measured local = rocecc_telemetry_csig_store(&h);
    const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 3};
    uint8_t type, n;
    for (type = ROCECC_CSIG_ABW; type <= ROCECC_CSIG_NQD; type++)
        for (n = 31; n <= 32; n++) {
            const rocecc_csig_config config = {0x9900, 0x9901, false};
            rocecc_csig tag = rocecc_csig_neutral(&config, false, type);
            rocecc_csig wide = rocecc_csig_neutral(&config, true, type);
            rocecc_csig_table t = wide_table(type, 0);
            const bool beyond = type <= ROCECC_CSIG_ABW_C && n == 31;
            unsigned k;
            t.type[type].n = n;
            for (k = 0; k < n; k++) {
                t.type[type].range[k].min = 100 * k;
                t.type[type].range[k].max = 100 * k + 99;
            }
            CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
            test_context("type %u, %u ranges", type, n);
            CHECK_EQ(rocecc_csig_fold(&t, &port, &local, &tag),
                     beyond ? ROCECC_CSIG_WRITTEN : ROCECC_CSIG_KEPT);
            CHECK_EQ(tag.value, type > ROCECC_CSIG_ABW_C ? 0 : n - 1);
            CHECK_EQ(tag.locator, beyond ? 3 : 0);
            CHECK_EQ(rocecc_csig_fold(&t, &port, &local, &wide), ROCECC_CSIG_KEPT);
        }
}
