/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * csig.c - the largest that a CSIG tag can say and a port can compare. Expected values
 * are arithmetic by hand.
 */
#include "lib/test.h"
#include "rocecc/telemetry/csig.h"

#include <string.h>

static const rocecc_telemetry_rates no_rates = {NULL, 0, 0};

/* A table whose wide tags of one type have steps of 2^step_log2. */
static rocecc_csig_table wide_table(unsigned type, uint8_t step_log2)
{
    rocecc_csig_table t;
    memset(&t, 0, sizeof t);
    t.type[type].wide = true;
    t.type[type].step_log2 = step_log2;
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    return t;
}

/* A delay is its bucket's upper bound: of the last one of 2^20 that is 2^(20 + step) -
 * 1 ns, of which a sample holds 2^32 - 1 at most. */
TEST(csig_delay_is_its_buckets_upper_bound)
{
    static const struct {
        uint8_t step_log2;
        uint32_t bucket, value;
    } rows[] = {
        {11, 0xfffff, 0x7fffffff}, {12, 0xffffe, 0xffffefff},
        {12, 0xfffff, 0xffffffff},                            /* just what it holds */
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

/* 1 - ABW/C, where 2^20 is 1.0: all but one part is free, and one part is in use. */
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

/* The highest rate is one below ROCECC_RATE_END_BPS: all of it is free, and 2^32 - 1
 * bytes take 8 10^9 (2^32 - 1) / 2^43 ns, in units of 256 bit/s. */
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
    /* 31250000 (2^32 - 1) / (2^35 - 1) = 3906249.999... */
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 3906249);
    h.rate_bps = ROCECC_RATE_END_BPS;
    l = rocecc_telemetry_csig_store(&h);
    CHECK_EQ(l.value[ROCECC_CSIG_ABW], UINT64_MAX);
    CHECK_EQ(l.value[ROCECC_CSIG_NQD], 0);
}

/* Each of the four types is checked, the last one as the first. */
TEST(csig_table_checks_each_of_four_types)
{
    unsigned type;
    for (type = 0; type < ROCECC_CSIG_TYPES; type++) {
        rocecc_csig_table t;
        memset(&t, 0, sizeof t);
        test_context("type %u", type);
        t.type[type].n = 33; /* of 32 ranges */
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        t.type[type].n = 0;
        t.type[type].base = 3; /* no power of two */
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        t.type[type].base = 4;
        t.type[type].step_log2 = 44; /* of 43 */
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        t.type[type].step_log2 = 43;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    }
}
