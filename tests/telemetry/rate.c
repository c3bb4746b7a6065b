/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rate.c - tests link rates by hop id, and their use for CSIG. Expected values are
 * calculated by hand.
 */
#include "law/telemetry_rate.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define ID(node, egress) ((uint64_t)(node) << 32 | (egress))
#define ANY ROCECC_TELEMETRY_ANY_INTERFACE
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/*
 * A Clos network of 400 Gb/s. Spine 7 has one port of 800 Gb/s, and node 9 a host port
 * of 100.
 */
static const rocecc_telemetry_rate clos[] = {{ID(7, 3), 800 * G},
                                             {ID(7, ANY), 400 * G},
                                             {ID(9, 1), 100 * G},
                                             {ID(0xffffffff, ANY), 200 * G}};

static rocecc_telemetry_rates table_of(const rocecc_telemetry_rate *e, uint32_t n)
{
    rocecc_telemetry_rates t;
    memset(&t, 0, sizeof t);
    CHECK_EQ(rocecc_telemetry_rates_init(e, n, &t), ROCECC_TELEMETRY_RATES_ACCEPTED);
    CHECK(t.entries == e);
    CHECK_EQ(t.n, n);
    return t;
}

/*
 * An entry for a link precedes the entry for its node, which holds for the node's other
 * links. A link without either entry gives 0.
 */
TEST(rates_lookup_prefers_a_link_to_its_node)
{
    const rocecc_telemetry_rates t = table_of(clos, COUNT(clos));
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(7, 3)), 800 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(7, 2)), 400 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(7, 9)), 400 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(7, ANY)), 400 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(9, 1)), 100 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(9, 2)), 0);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(8, 3)), 0);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, 0), 0);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, UINT64_MAX), 200 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(0xffffffff, 0)), 200 * G);
}

/*
 * init() reads the entries of a table with up to ROCECC_TELEMETRY_RATES_MAX entries. It
 * refuses a longer table before it reads an entry.
 */
TEST(rates_init_rejects_more_than_the_maximum)
{
    const rocecc_telemetry_rate first = {1, 0}; /* a refused rate */
    rocecc_telemetry_rates t;
    CHECK_EQ(rocecc_telemetry_rates_init(&first, ROCECC_TELEMETRY_RATES_MAX, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_RATE);
    CHECK_EQ(rocecc_telemetry_rates_init(&first, ROCECC_TELEMETRY_RATES_MAX + 1, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_MANY);
}

/*
 * A rate must be above 0 and below ROCECC_RATE_END_BPS, and ids must ascend. On failure
 * the table is unchanged. An empty table is accepted.
 */
TEST(rates_init_rejects_bad_rates_and_wrong_order)
{
    rocecc_telemetry_rate e[3] = {{1, 1}, {2, ROCECC_RATE_END_BPS - 1}, {3, 5}};
    rocecc_telemetry_rates t = {NULL, 77, 78};
    CHECK_EQ(rocecc_telemetry_rates_init(e, ROCECC_TELEMETRY_RATES_MAX + 1, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_MANY);
    e[1].rate_bps = 0;
    CHECK_EQ(rocecc_telemetry_rates_init(e, 3, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_RATE);
    e[1].rate_bps = ROCECC_RATE_END_BPS;
    CHECK_EQ(rocecc_telemetry_rates_init(e, 3, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_RATE);
    e[1].rate_bps--;
    e[2].id = 2; /* id 2 twice */
    CHECK_EQ(rocecc_telemetry_rates_init(e, 3, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_ORDER);
    e[2].id = 0;
    CHECK_EQ(rocecc_telemetry_rates_init(e, 3, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_ORDER);
    CHECK(t.entries == NULL && t.n == 77 && t.half == 78);
    CHECK_EQ(rocecc_telemetry_rates_init(e, 2, &t), ROCECC_TELEMETRY_RATES_ACCEPTED);
    CHECK_EQ(rocecc_telemetry_rates_init(NULL, 0, &t), ROCECC_TELEMETRY_RATES_ACCEPTED);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, 1), 0);
}

/*
 * Tables of 0 to 70 entries with ids 3 * k + 1. Each id is found, and ids between them
 * are not.
 */
TEST(rates_lookup_finds_only_the_ids_of_its_table)
{
    rocecc_telemetry_rate e[70];
    uint32_t n, k;
    for (k = 0; k < 70; k++) {
        e[k].id = ID(0, 3 * k + 1);
        e[k].rate_bps = 1000 + k;
    }
    for (n = 0; n <= 70; n++) {
        const rocecc_telemetry_rates t = table_of(e, n);
        for (k = 0; k < 72; k++) {
            test_context("%u of %u", k, n);
            CHECK_EQ(rocecc_telemetry_rates_lookup(&t, 3 * k), 0);
            CHECK_EQ(rocecc_telemetry_rates_lookup(&t, 3 * k + 1),
                     k < n ? 1000 + k : 0);
            CHECK_EQ(rocecc_telemetry_rates_lookup(&t, 3 * k + 2), 0);
        }
    }
}

/*
 * A search starts with the largest power of two up to n. A larger step would exceed the
 * documented number of comparisons.
 */
TEST(rates_search_starts_at_the_highest_bit)
{
    uint32_t bit;
    CHECK_EQ(rocecc_telemetry_rates_attach(NULL, 0).half, 0);
    for (bit = 0; bit < 31; bit++) {
        const uint32_t n = UINT32_C(1) << bit;
        test_context("2^%u", (unsigned)bit);
        CHECK_EQ(rocecc_telemetry_rates_attach(NULL, n).half, n);
        CHECK_EQ(rocecc_telemetry_rates_attach(NULL, n | 1).half, n);
        CHECK_EQ(rocecc_telemetry_rates_attach(NULL, n | (n - 1)).half, n);
    }
}

/*
 * An entry overrides a record's or a configured rate. A hop that is not in the table
 * keeps its rate, or has none.
 */
TEST(rates_apply_overrides_the_rate_of_a_known_hop)
{
    const rocecc_telemetry_rates t = table_of(clos, COUNT(clos));
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ioam_node n;
    rocecc_hop h;
    rocecc_ioam_node_init(&n);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_NODE_ID, 7), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_EGRESS_ID, 3), ROCECC_OK);
    h = rocecc_telemetry_ioam_load(&c, &n);
    CHECK_EQ(h.valid, ROCECC_HOP_ID);
    CHECK(rocecc_telemetry_rates_apply(&t, &h));
    CHECK_EQ(h.valid, ROCECC_HOP_ID | ROCECC_HOP_RATE);
    CHECK_EQ(h.rate_bps, 800 * G);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_NODE_ID, 8), ROCECC_OK);
    h = rocecc_telemetry_ioam_load(&c, &n); /* an unknown node: no rate */
    CHECK(!rocecc_telemetry_rates_apply(&t, &h));
    CHECK_EQ(h.valid, ROCECC_HOP_ID);
    CHECK_EQ(h.rate_bps, 0);
    c.rate_bps = 25 * G; /* the configured rate */
    h = rocecc_telemetry_ioam_load(&c, &n);
    CHECK(!rocecc_telemetry_rates_apply(&t, &h));
    CHECK_EQ(h.rate_bps, 25 * G);
    h.id = ID(9, 1);
    CHECK(rocecc_telemetry_rates_apply(&t, &h));
    CHECK_EQ(h.rate_bps, 100 * G);
    h.valid = ROCECC_HOP_RATE; /* an unreported id does not count */
    h.id = ID(7, 3);
    CHECK(!rocecc_telemetry_rates_apply(&t, &h));
    CHECK_EQ(h.rate_bps, 100 * G);
}

/*
 * With one rate for all links, HPCC++ takes a half-used 800G link for a full link. With
 * the table, it is half used.
 */
TEST(rates_table_halves_the_use_of_a_faster_link)
{
    const rocecc_telemetry_rates t = table_of(clos, COUNT(clos));
    rocecc_hpcc_params p = rocecc_hpcc_paper(400 * G);
    int by_table;
    p.base_rtt_ns = 10000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    for (by_table = 0; by_table < 2; by_table++) {
        rocecc_hpcc s = rocecc_hpcc_start(&p);
        rocecc_hpcc_hop l[16];
        rocecc_hop h = {ID(7, 3),
                        400 * G,
                        0,
                        0,
                        0,
                        0,
                        ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                            ROCECC_HOP_TX | ROCECC_HOP_TS};
        uint32_t i;
        test_context("%s", by_table ? "table" : "one rate");
        for (i = 1; i < 20; i++) {
            rocecc_hpcc_event r;
            memset(&r, 0, sizeof r);
            r.hops = &h;
            r.n_hops = 1;
            r.seq = i;
            r.snd_nxt = i + 1;
            r.now_ns = i * 10000;
            h.rate_bps = 400 * G;
            h.ts_ns = i * 10000;
            h.tx_bytes = i * 500000; /* 400 Gb/s of 800 */
            if (by_table) CHECK(rocecc_telemetry_rates_apply(&t, &h));
            (void)rocecc_hpcc_ack(&p, &s, l, &r);
        }
        CHECK_EQ((s.u_q32 + (1 << 19)) >> 20, by_table ? 2048 : 4096); /* 0.5 and 1 */
    }
}

/*
 * With ABW 100 Gb/s, a link of 400 Gb/s is used by 75 %, and a link of 800 Gb/s by
 * 87.5 %. The locator gives the link's rate. An unknown locator gives no sample, or one
 * by the configured rate.
 */
TEST(csig_locator_gives_the_rate_of_its_link)
{
    static const rocecc_telemetry_rate links[] = {{5, 400 * G}, {6, 800 * G}};
    const rocecc_telemetry_rates rates = table_of(links, 2);
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hpcc_csig_event s = {0, 9, 0, 0, 0, 0};
    rocecc_csig tag = ROCECC_ZERO;
    rocecc_csig_table t;
    rocecc_hop h;
    memset(&t, 0, sizeof t);
    t.type[ROCECC_CSIG_ABW].n = 2; /* 0 and 100 Gb/s */
    t.type[ROCECC_CSIG_ABW].range[0].max = 100 * G - 1;
    t.type[ROCECC_CSIG_ABW].range[1].min = 100 * G;
    t.type[ROCECC_CSIG_ABW].range[1].max = UINT64_MAX;
    t.type[ROCECC_CSIG_NQD] = t.type[ROCECC_CSIG_ABW];
    t.type[ROCECC_CSIG_NQD].range[0].max = 9999;
    t.type[ROCECC_CSIG_NQD].range[1].min = 10000;
    t.type[ROCECC_CSIG_NQD].range[1].max = 10000;
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    tag.value = 1;
    tag.locator = 5;
    CHECK(rocecc_telemetry_csig_sample(&c, &rates, &t, &tag, &s));
    CHECK_EQ(s.signal, ROCECC_HPCC_UTILISATION);
    CHECK_EQ(s.value, 786432);
    tag.locator = 6;
    CHECK(rocecc_telemetry_csig_sample(&c, &rates, &t, &tag, &s));
    CHECK_EQ(s.value, 917504);
    h = rocecc_telemetry_csig_load(&c, &rates, &t, &tag);
    CHECK(h.rate_bps == 800 * G && h.util_q20 == 917504);
    CHECK_EQ(h.valid, ROCECC_HOP_RATE | ROCECC_HOP_UTIL);
    s.value = 9;
    tag.locator = 7;
    CHECK(!rocecc_telemetry_csig_sample(&c, &rates, &t, &tag, &s));
    CHECK_EQ(s.value, 9);
    h = rocecc_telemetry_csig_load(&c, &rates, &t, &tag);
    CHECK(h.valid == 0 && h.rate_bps == 0 && h.util_q20 == 0);
    c.rate_bps = 200 * G;
    CHECK(rocecc_telemetry_csig_sample(&c, &rates, &t, &tag, &s));
    CHECK_EQ(s.value, 524288);
    tag.type = ROCECC_CSIG_NQD; /* 10 us at 800 Gb/s are 1,000,000 bytes */
    tag.locator = 6;
    h = rocecc_telemetry_csig_load(&c, &rates, &t, &tag);
    CHECK(h.rate_bps == 800 * G && h.queue_bytes == 1000000);
    /* An entry for all locators is one for all interfaces of node 0. */
    {
        static const rocecc_telemetry_rate all[] = {{6, 800 * G}, {ANY, 400 * G}};
        const rocecc_telemetry_rates any = table_of(all, 2);
        tag.type = ROCECC_CSIG_ABW;
        CHECK(rocecc_telemetry_csig_sample(&c, &any, &t, &tag, &s));
        CHECK_EQ(s.value, 917504);
        tag.locator = 65535;
        CHECK(rocecc_telemetry_csig_sample(&c, &any, &t, &tag, &s));
        CHECK_EQ(s.value, 786432);
    }
}

TEST(rates_law_holds_for_random_tables)
{
    law_random(law_telemetry_rate, 20000);
}

/* The first bad entry gives the reason. An entry with both faults gives RATE. */
TEST(rates_first_bad_entry_gives_the_reason)
{
    static const rocecc_telemetry_rate order[] = {{5, 1}, {5, 1}, {6, 0}};
    static const rocecc_telemetry_rate rate[] = {{5, 1}, {6, 0}, {6, 1}};
    static const rocecc_telemetry_rate both[] = {{5, 1}, {4, 0}};
    rocecc_telemetry_rates t = {NULL, 77, 78};
    CHECK_EQ(rocecc_telemetry_rates_init(order, 3, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_ORDER);
    CHECK_EQ(rocecc_telemetry_rates_init(rate, 3, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_RATE);
    CHECK_EQ(rocecc_telemetry_rates_init(both, 2, &t),
             ROCECC_TELEMETRY_RATES_REFUSED_RATE);
    CHECK(t.entries == NULL && t.n == 77 && t.half == 78);
}

/* The table points to its entries, so a change after init() changes the lookup. */
TEST(rates_table_points_to_its_entries)
{
    rocecc_telemetry_rate e[4], moved[4];
    rocecc_telemetry_rates t;
    memcpy(e, clos, sizeof e);
    t = table_of(e, COUNT(e));
    e[0].rate_bps = 200 * G;
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(7, 3)), 200 * G);
    memcpy(moved, e, sizeof moved);
    memset(e, 0, sizeof e);
    t = rocecc_telemetry_rates_attach(moved, COUNT(moved));
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(7, 3)), 200 * G);
    CHECK_EQ(rocecc_telemetry_rates_lookup(&t, ID(9, 1)), 100 * G);
}
