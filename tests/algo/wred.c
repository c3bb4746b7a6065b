/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/wred.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define ONE ROCECC_WRED_ONE_Q32
#define LAST UINT32_MAX

static const rocecc_ecn ecns[] = {ROCECC_ECN_NOT_ECT, ROCECC_ECN_ECT1, ROCECC_ECN_ECT0,
                                  ROCECC_ECN_CE};

static rocecc_wred_curve curve(uint32_t min_bytes, uint32_t max_bytes,
                               uint64_t pmax_q32)
{
    rocecc_wred_curve c = {0, 0, 0};
    c.min_bytes = min_bytes;
    c.max_bytes = max_bytes;
    c.pmax_q32 = pmax_q32;
    return c;
}

/* Returns one curve for marks and drops, without a buffer limit. */
static rocecc_wred_params both(uint32_t min_bytes, uint32_t max_bytes,
                               uint64_t pmax_q32)
{
    rocecc_wred_params p = rocecc_wred_dcqcn_paper();
    p.mark = p.drop = curve(min_bytes, max_bytes, pmax_q32);
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    return p;
}

static bool marks(const rocecc_wred_params *p, uint32_t q, uint32_t random)
{
    return rocecc_wred_decide(p, q, ROCECC_ECN_ECT0, random) != ROCECC_WRED_PASS;
}

/* Returns how many of the 2^32 values of r, from 0 on, mark at q, by division. */
static uint64_t share(const rocecc_wred_curve *c, uint32_t q)
{
    const uint64_t range = c->max_bytes - c->min_bytes;
    if (q < c->min_bytes) return 0;
    if (q >= c->max_bytes) return ONE;
    return (q - c->min_bytes) * c->pmax_q32 / range +
           ((q - c->min_bytes) * c->pmax_q32 % range != 0);
}

static void refused(const rocecc_wred_params *p, rocecc_wred_refusal refusal)
{
    const rocecc_wred_params before = *p;
    CHECK_EQ(rocecc_wred_init(p), refusal);
    CHECK(memcmp(&before, p, sizeof before) == 0);
}

TEST(wred_init_rejects_params_out_of_range)
{
    static rocecc_wred_params p, good; /* static, so padding is 0 */
    good = both(10, 20, ONE);
    p = good;
    p.mark.min_bytes = 21;
    refused(&p, ROCECC_WRED_REFUSED_MARK_ORDER);
    p = good;
    p.mark.pmax_q32 = ONE + 1;
    refused(&p, ROCECC_WRED_REFUSED_MARK_PMAX);
    p = good;
    p.drop.min_bytes = LAST;
    refused(&p, ROCECC_WRED_REFUSED_DROP_ORDER);
    p = good;
    p.drop.pmax_q32 = ONE + 1;
    refused(&p, ROCECC_WRED_REFUSED_DROP_PMAX);
    p = good;
    p.buf_max_bytes = 0;
    refused(&p, ROCECC_WRED_REFUSED_BUF_MAX);
    p = good;
    p.buf_max_bytes = 1;
    p.mark = curve(20, 20, ONE);
    p.drop = rocecc_wred_off();
    refused(&p, ROCECC_WRED_ACCEPTED);
}

TEST(wred_percent_q32_rounds_to_nearest)
{
    CHECK_EQ(rocecc_wred_percent_q32(0), 0);
    CHECK_EQ(rocecc_wred_percent_q32(1), 42949673);
    CHECK_EQ(rocecc_wred_percent_q32(20), 858993459);
    CHECK_EQ(rocecc_wred_percent_q32(50), ONE / 2);
    CHECK_EQ(rocecc_wred_percent_q32(80), 3435973837u);
    CHECK_EQ(rocecc_wred_percent_q32(100), ONE);
    CHECK(rocecc_wred_percent_q32(101) > ONE && rocecc_wred_percent_q32(LAST) > ONE);
}

TEST(wred_presets_have_the_published_values)
{
    rocecc_wred_params p = rocecc_wred_ldcp(100000, 1600000);
    CHECK(p.mark.min_bytes == 20000 && p.mark.max_bytes == 80000);
    CHECK(p.drop.min_bytes == 40000 && p.drop.max_bytes == 40000);
    CHECK_EQ(p.mark.pmax_q32, 3435973837u);
    CHECK_EQ(p.buf_max_bytes, 1600000);
    p = rocecc_wred_ldcp(9, 100); /* 1.8, 7.2 and 3.6 bytes */
    CHECK(p.mark.min_bytes == 1 && p.mark.max_bytes == 7 && p.drop.min_bytes == 3);
    p = rocecc_wred_ldcp(LAST, LAST);
    CHECK(p.mark.min_bytes == 858993459 && p.mark.max_bytes == 3435973836u);
    CHECK_EQ(p.drop.min_bytes, 1717986918);
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    p = rocecc_wred_dcqcn_paper();
    CHECK(p.mark.min_bytes == 5000 && p.mark.max_bytes == 200000);
    CHECK_EQ(p.mark.pmax_q32, 42949673);
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    p = rocecc_wred_hpcc_runs(UINT64_C(25000000000));
    CHECK(p.mark.min_bytes == 100000 && p.mark.max_bytes == 400000);
    CHECK_EQ(p.mark.pmax_q32, 858993459);
    p = rocecc_wred_hpcc_runs(UINT64_C(400000000000));
    CHECK(p.mark.min_bytes == 1600000 && p.mark.max_bytes == 6400000);
    CHECK_EQ(p.drop.min_bytes, LAST);
    p = rocecc_wred_hpcc_runs(UINT64_MAX);
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    p = rocecc_wred_nvidia();
    CHECK(p.mark.min_bytes == 150000 && p.mark.max_bytes == 1500000);
    CHECK_EQ(p.mark.pmax_q32, ONE);
    CHECK_EQ(p.drop.min_bytes, LAST);
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
}

TEST(W_1_queues_beyond_buf_max_are_dropped)
{
    rocecc_wred_params p = both(LAST, LAST, 0);
    size_t i;
    p.buf_max_bytes = 5000;
    for (i = 0; i < 4; i++) {
        CHECK_EQ(rocecc_wred_decide(&p, 5000, ecns[i], 0), ROCECC_WRED_PASS);
        CHECK_EQ(rocecc_wred_decide(&p, 5001, ecns[i], LAST), ROCECC_WRED_DROP);
        CHECK_EQ(rocecc_wred_decide(&p, LAST, ecns[i], LAST), ROCECC_WRED_DROP);
    }
}

TEST(W_2_the_drop_curve_applies_to_not_ect)
{
    rocecc_wred_params p = both(100, 100, 0);
    p.mark = rocecc_wred_off();
    CHECK_EQ(rocecc_wred_decide(&p, 99, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&p, 100, ROCECC_ECN_NOT_ECT, LAST), ROCECC_WRED_DROP);
    p.drop = rocecc_wred_off();
    p.mark = curve(0, 0, ONE);
    CHECK_EQ(rocecc_wred_decide(&p, 100, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
}

TEST(W_3_the_mark_curve_applies_to_ect)
{
    rocecc_wred_params p = both(100, 100, 0);
    size_t i;
    p.drop = curve(0, 0, ONE);
    for (i = 1; i < 4; i++) {
        CHECK_EQ(rocecc_wred_decide(&p, 99, ecns[i], 0), ROCECC_WRED_PASS);
        CHECK_EQ(rocecc_wred_decide(&p, 100, ecns[i], LAST), ROCECC_WRED_MARK);
    }
    p.mark = rocecc_wred_off();
    for (i = 1; i < 4; i++)
        CHECK_EQ(rocecc_wred_decide(&p, LAST - 1, ecns[i], 0), ROCECC_WRED_PASS);
}

TEST(W_4_queues_below_k_min_pass)
{
    const rocecc_wred_params p = both(1000, 2000, ONE);
    CHECK(!marks(&p, 0, 0) && !marks(&p, 999, 0));
    CHECK(!marks(&p, 1000, 0)); /* p(q) is 0 here */
    CHECK(marks(&p, 1001, 0));
}

/* Exactly the r below p(q) * 2^32 mark, even on the widest curves. */
TEST(W_5_exactly_the_randoms_below_p_mark)
{
    static const uint64_t pmaxs[] = {1,           2,       42949673, 858993459,
                                     ONE / 2 - 1, ONE / 2, ONE - 1,  ONE};
    static const uint32_t at[] = {0, 1, 2, 3, 1000, 5000, 200000, 0x80000000u, LAST};
    const size_t n = sizeof at / sizeof at[0];
    uint64_t random = 5;
    size_t i, j, k, l;
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++)
            for (k = 0; k < sizeof pmaxs / sizeof pmaxs[0]; k++) {
                const rocecc_wred_params p = both(at[i], at[j], pmaxs[k]);
                for (l = 0; l < 100; l++) {
                    const uint32_t q =
                        at[i] + (uint32_t)((uint64_t)test_random(&random) *
                                               (at[j] - at[i] + (uint64_t)1) >>
                                           32);
                    const uint64_t below = share(&p.mark, q);
                    CHECK(below == 0 || marks(&p, q, (uint32_t)(below - 1)));
                    CHECK(below == ONE || !marks(&p, q, (uint32_t)below));
                }
            }
}

/* Pairs of small thresholds, with every q and a grid of r. */
TEST(W_5_small_curves_agree_with_a_division)
{
    static const uint64_t pmaxs[] = {0, 1, ONE / 3, 3435973837u, ONE - 1, ONE};
    uint32_t low, high, q, r;
    size_t k;
    for (low = 0; low < 256; low = low < 9 ? low + 1 : low + 37)
        for (high = low; high < 256; high = high < 20 ? high + 1 : high + 47)
            for (k = 0; k < sizeof pmaxs / sizeof pmaxs[0]; k++) {
                const rocecc_wred_params p = both(low, high, pmaxs[k]);
                for (q = 0; q < 258; q++) {
                    const uint64_t below = share(&p.mark, q);
                    for (r = 0; r < 16; r++)
                        if (marks(&p, q, r * 0x11111111u) !=
                            (r * (uint64_t)0x11111111u < below))
                            test_fail(__FILE__, __LINE__, "%u..%u at %u", (unsigned)low,
                                      (unsigned)high, (unsigned)q);
                }
            }
}

/* Of 2^16 evenly spaced r, as many mark as the curve requires. */
TEST(W_5_evenly_spaced_randoms_mark_in_proportion)
{
    const rocecc_wred_params p = both(20000, 80000, rocecc_wred_percent_q32(80));
    uint32_t q, i;
    for (q = 20000; q <= 80000; q += 7500) {
        const uint64_t below = share(&p.mark, q);
        uint32_t n = 0;
        for (i = 0; i < 0x10000; i++)
            n += marks(&p, q, i << 16);
        CHECK_EQ(n, (below + 0xffff) >> 16);
        CHECK_EQ(n,
                 q == 80000 ? 65536 : ((q - 20000) * UINT64_C(52429) + 59999) / 60000);
    }
}

TEST(W_6_queues_from_k_max_on_are_always_marked)
{
    rocecc_wred_params p = both(1000, 2000, 0);
    CHECK(!marks(&p, 1999, 0));
    CHECK(marks(&p, 2000, LAST) && marks(&p, LAST, LAST));
    p = both(1000, 2000, ONE); /* continuous, all but one r in a thousand */
    CHECK(marks(&p, 1999, 4290672328u) && !marks(&p, 1999, 4290672329u));
}

TEST(W_7_equal_thresholds_are_a_step)
{
    static const uint32_t at[] = {0, 1, 40000, LAST};
    size_t i;
    for (i = 0; i < 4; i++) {
        const rocecc_wred_params p = both(at[i], at[i], ONE / 2);
        CHECK(at[i] == 0 || !marks(&p, at[i] - 1, 0));
        CHECK(marks(&p, at[i], LAST));
        CHECK_EQ(rocecc_wred_decide(&p, at[i], ROCECC_ECN_NOT_ECT, LAST),
                 ROCECC_WRED_DROP);
    }
}

TEST(W_8_disabled_curves_pass_all_but_the_largest_queue)
{
    rocecc_wred_params p = both(1, 2, 0);
    p.mark = p.drop = rocecc_wred_off();
    CHECK(!marks(&p, LAST - 1, 0) && marks(&p, LAST, LAST));
    CHECK_EQ(rocecc_wred_decide(&p, LAST - 1, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
}

TEST(W_9_buf_max_below_k_max_drops_first)
{
    rocecc_wred_params p = both(1000, 9000, ONE);
    p.buf_max_bytes = 5000;
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    CHECK_EQ(rocecc_wred_decide(&p, 5000, ROCECC_ECN_CE, ONE / 2 - 1),
             ROCECC_WRED_MARK);
    CHECK_EQ(rocecc_wred_decide(&p, 5001, ROCECC_ECN_CE, LAST), ROCECC_WRED_DROP);
    p.buf_max_bytes = 500;
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    CHECK_EQ(rocecc_wred_decide(&p, 500, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&p, 501, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_DROP);
}

/* Returns the reach by the verdicts, NONE if no queue that fits is marked, FULL if one
 * is marked for every r. */
static rocecc_wred_reach reach_by_decide(const rocecc_wred_params *p,
                                         uint32_t buffer_bytes)
{
    static const uint32_t randoms[] = {0, 1, 0x7fffffff, 0x80000000u, LAST - 1, LAST};
    const size_t n = sizeof randoms / sizeof randoms[0];
    rocecc_wred_reach reach = ROCECC_WRED_REACH_NONE;
    uint32_t q;
    for (q = 0; q <= rocecc_min(buffer_bytes, p->buf_max_bytes); q++) {
        size_t i, j, marked = 0;
        for (i = 1; i < 4; i++)
            for (j = 0; j < n; j++)
                marked +=
                    rocecc_wred_decide(p, q, ecns[i], randoms[j]) == ROCECC_WRED_MARK;
        CHECK_EQ(marked == 0, share(&p->mark, q) == 0);
        CHECK_EQ(marked == 3 * n, share(&p->mark, q) == ONE);
        if (marked == 3 * n) return ROCECC_WRED_REACH_FULL;
        if (marked > 0) reach = ROCECC_WRED_REACH_PARTIAL;
    }
    return reach;
}

/* For every small curve, buf_max and buffer, the reach agrees with all verdicts. */
TEST(W_10_reach_agrees_with_every_verdict)
{
    static const uint64_t pmaxs[] = {0, 1, ONE / 2, ONE - 1, ONE};
    uint32_t low, high, most, buffer, seen[3] = {0, 0, 0};
    size_t k;
    for (low = 0; low < 6; low++)
        for (high = low; high < 8; high++)
            for (k = 0; k < sizeof pmaxs / sizeof pmaxs[0]; k++)
                for (most = 1; most < 10; most++) {
                    rocecc_wred_params p = both(low, high, pmaxs[k]);
                    p.drop = curve(1, 1, ONE); /* no effect on ECT packets */
                    p.buf_max_bytes = most;
                    for (buffer = 0; buffer < 11; buffer++) {
                        const rocecc_wred_reach reach =
                            rocecc_wred_find_reach(&p, buffer);
                        if (reach != reach_by_decide(&p, buffer))
                            test_fail(__FILE__, __LINE__, "%u..%u, %u, %u",
                                      (unsigned)low, (unsigned)high, (unsigned)most,
                                      (unsigned)buffer);
                        seen[reach]++;
                    }
                }
    CHECK(seen[ROCECC_WRED_REACH_FULL] > 1000 &&
          seen[ROCECC_WRED_REACH_PARTIAL] > 1000);
    CHECK(seen[ROCECC_WRED_REACH_NONE] > 1000);
}

TEST(W_10_reach_depends_on_the_buffer)
{
    rocecc_wred_params p = both(5000, 200000, rocecc_wred_percent_q32(1));
    CHECK_EQ(rocecc_wred_find_reach(&p, 0), ROCECC_WRED_REACH_NONE);
    CHECK_EQ(rocecc_wred_find_reach(&p, 4999), ROCECC_WRED_REACH_NONE);
    CHECK_EQ(rocecc_wred_find_reach(&p, 5000), ROCECC_WRED_REACH_NONE); /* p is 0 */
    CHECK_EQ(rocecc_wred_find_reach(&p, 5001), ROCECC_WRED_REACH_PARTIAL);
    CHECK_EQ(rocecc_wred_find_reach(&p, 199999), ROCECC_WRED_REACH_PARTIAL);
    CHECK_EQ(rocecc_wred_find_reach(&p, 200000), ROCECC_WRED_REACH_FULL);
    CHECK_EQ(rocecc_wred_find_reach(&p, LAST), ROCECC_WRED_REACH_FULL);
    p.buf_max_bytes = 5000; /* less than the buffer */
    CHECK_EQ(rocecc_wred_find_reach(&p, LAST), ROCECC_WRED_REACH_NONE);
    p.buf_max_bytes = 5001;
    CHECK_EQ(rocecc_wred_find_reach(&p, LAST), ROCECC_WRED_REACH_PARTIAL);
    CHECK_EQ(rocecc_wred_find_reach(&p, 5000), ROCECC_WRED_REACH_NONE);
}

TEST(W_10_reach_of_a_step_depends_on_its_threshold)
{
    rocecc_wred_params p = both(5000, 5000, 0); /* a step */
    CHECK_EQ(rocecc_wred_find_reach(&p, 4999), ROCECC_WRED_REACH_NONE);
    CHECK_EQ(rocecc_wred_find_reach(&p, 5000), ROCECC_WRED_REACH_FULL);
    p = both(0, 0, 0); /* an empty queue is marked, too */
    CHECK_EQ(rocecc_wred_find_reach(&p, 0), ROCECC_WRED_REACH_FULL);
    p = both(5000, 9000, 0); /* no mark below K_max */
    CHECK_EQ(rocecc_wred_find_reach(&p, 8999), ROCECC_WRED_REACH_NONE);
    CHECK_EQ(rocecc_wred_find_reach(&p, 9000), ROCECC_WRED_REACH_FULL);
    p.mark = rocecc_wred_off();
    CHECK_EQ(rocecc_wred_find_reach(&p, LAST - 1), ROCECC_WRED_REACH_NONE);
    CHECK_EQ(rocecc_wred_find_reach(&p, LAST), ROCECC_WRED_REACH_FULL); /* W-8 */
    p.buf_max_bytes = LAST - 1;
    CHECK_EQ(rocecc_wred_find_reach(&p, LAST), ROCECC_WRED_REACH_NONE);
}

TEST(wred_traces)
{
    trace_check("wred", NULL, 0);
}

TEST(wred_law)
{
    law_random(law_wred, 20000);
}

#define BYTES(n) ((uint64_t)(n) << 32)

/* Returns min 10,000 and max 30,000 bytes, maxp 0.1, packets of 1 us, not gentle. */
static rocecc_red_params accepted_params(uint8_t weight_exp)
{
    rocecc_red_params p = rocecc_red_floyd(10000, 1000);
    p.weight_exp = weight_exp;
    p.gentle = false;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    return p;
}

/* Returns a queue with a constant average. */
static rocecc_red steady(const rocecc_red_params *p, uint32_t bytes, uint32_t count)
{
    rocecc_red s = rocecc_red_start(p);
    s.avg_q32 = BYTES(bytes);
    s.count = count;
    return s;
}

/* Returns a queue that has been empty since t0. */
static rocecc_red resting(const rocecc_red_params *p, uint32_t bytes, uint32_t t0_ns)
{
    rocecc_red s = steady(p, bytes, LAST);
    rocecc_red_idle(p, &s, t0_ns);
    CHECK_EQ(s.avg_q32, BYTES(bytes));
    return s;
}

static rocecc_wred_verdict arrive(const rocecc_red_params *p, rocecc_red *s,
                                  uint32_t queue_bytes, uint32_t random)
{
    return rocecc_red_arrive(
        p, s, (rocecc_red_event){queue_bytes, ROCECC_ECN_ECT0, random, 0});
}

static void red_refused(const rocecc_red_params *good, rocecc_red_params *p,
                        rocecc_red_refusal refusal)
{
    const rocecc_red_params before = *p;
    CHECK_EQ(rocecc_red_init(p), refusal);
    CHECK_EQ(p->full_q32, before.full_q32);
    CHECK_EQ(p->line.one, before.line.one);
    *p = *good;
}

TEST(red_init_rejects_params_out_of_range)
{
    const rocecc_red_params good = rocecc_red_floyd(10000, 1000);
    rocecc_red_params p = good;
    p.weight_exp = 0;
    red_refused(&good, &p, ROCECC_RED_REFUSED_WEIGHT);
    p.weight_exp = 17;
    red_refused(&good, &p, ROCECC_RED_REFUSED_WEIGHT);
    p.max_bytes = p.min_bytes;
    red_refused(&good, &p, ROCECC_RED_REFUSED_THRESHOLDS);
    p.max_bytes = 0x80000000u;
    red_refused(&good, &p, ROCECC_RED_REFUSED_THRESHOLDS);
    p.maxp_q32 = ONE + 1;
    red_refused(&good, &p, ROCECC_RED_REFUSED_MAXP);
    p.packet_ns = 0;
    red_refused(&good, &p, ROCECC_RED_REFUSED_PACKET);
    p.max_bytes = 0x7fffffffu;
    p.min_bytes = 0x7ffffffeu;
    p.packet_ns = LAST;
    p.weight_exp = 16;
    p.maxp_q32 = ONE;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    p = rocecc_red_floyd(0, 1);
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_REFUSED_THRESHOLDS);
    p = rocecc_red_floyd(LAST, 1);
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_REFUSED_THRESHOLDS);
}

TEST(red_presets_have_the_published_values)
{
    const rocecc_red_params p = rocecc_red_floyd(15000, 120);
    CHECK(p.weight_exp == 9 && p.maxp_q32 == 429496730 && p.gentle && !p.dpdk);
    CHECK(p.min_bytes == 15000 && p.max_bytes == 45000 && p.packet_ns == 120);
    /* 3 * min_th stops at 2^32 - 1, 3 times the first value. init() rejects both. */
    CHECK_EQ(rocecc_red_floyd(1431655765, 120).max_bytes, UINT32_MAX);
    CHECK_EQ(rocecc_red_floyd(1431655766, 120).max_bytes, UINT32_MAX);
}

TEST(R_1_the_average_moves_by_its_weight)
{
    rocecc_red_params p = accepted_params(2);
    rocecc_red s = rocecc_red_start(&p);
    arrive(&p, &s, 4000, LAST);
    CHECK_EQ(s.avg_q32, BYTES(1000));
    arrive(&p, &s, 4000, LAST);
    CHECK_EQ(s.avg_q32, BYTES(1750));
    arrive(&p, &s, 4, LAST);
    CHECK_EQ(s.avg_q32, BYTES(1313) + ONE / 2);
    s.avg_q32 = UINT64_MAX; /* the largest possible state */
    arrive(&p, &s, LAST, 0);
    CHECK(s.avg_q32 >= BYTES(LAST));
}

/* The average reaches a constant queue from either side, with any weight. */
TEST(R_1_the_average_reaches_the_queue)
{
    uint8_t n;
    for (n = 1; n <= 16; n++) {
        const rocecc_red_params p = accepted_params(n);
        rocecc_red s = rocecc_red_start(&p);
        const uint64_t near = ONE >> (32 - n);
        uint32_t i;
        test_context("n %u", n);
        for (i = 0; i < 45u << n; i++)
            arrive(&p, &s, 9000, LAST);
        CHECK(s.avg_q32 <= BYTES(9000) && s.avg_q32 + near >= BYTES(9000));
        for (i = 0; i < 45u << n; i++)
            arrive(&p, &s, 0, LAST);
        CHECK(s.avg_q32 < near);
    }
}

TEST(R_2_idle_time_lowers_the_average)
{
    const rocecc_red_params p = accepted_params(1);
    rocecc_red s = resting(&p, 8192, 5000);
    CHECK_EQ(rocecc_red_arrive(&p, &s, (rocecc_red_event){0, ROCECC_ECN_CE, 0, 5999}),
             ROCECC_WRED_PASS);
    CHECK(s.avg_q32 == BYTES(8192) && s.idle == 0);
    s = resting(&p, 8192, 5000);
    rocecc_red_arrive(&p, &s, (rocecc_red_event){0, ROCECC_ECN_CE, 0, 6000});
    CHECK_EQ(s.avg_q32, BYTES(4096));
    s = resting(&p, 8192, 0xffffff00u); /* the clock wraps */
    rocecc_red_arrive(&p, &s,
                      (rocecc_red_event){0, ROCECC_ECN_CE, 0, 0xffffff00u + 14999});
    CHECK(s.avg_q32 >> 18 == 8192 && s.idle_ns == 0xffffff00u + 14000);
    s = resting(&p, 8192, 5000); /* 4.29 s, the longest */
    rocecc_red_arrive(
        &p, &s,
        (rocecc_red_event){0, ROCECC_ECN_CE, 0, 5000u - ROCECC_RED_BACK_NS - 1});
    CHECK_EQ(s.avg_q32, 0);
}

/* m is exactly the quotient, although it is found by multiplication. */
TEST(R_2_idle_time_counts_whole_packets)
{
    static const uint32_t sizes[] = {
        1,       2,          3,           5,     7,          1000,        999983,
        0x10000, 0x7fffffff, 0x80000000u, 65537, 0x55555555, 0xfffffffeu, LAST};
    uint64_t random = 3;
    size_t i;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        rocecc_red_params p = accepted_params(9);
        int k;
        p.packet_ns = sizes[i];
        CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
        for (k = 0; k < 3000; k++) {
            rocecc_red s = resting(&p, 1, 77);
            uint32_t dt_ns = test_random(&random) >> (k & 31);
            if (k & 32) dt_ns = dt_ns / sizes[i] * sizes[i] - (k >> 6 & 1);
            if (dt_ns >= 0u - ROCECC_RED_BACK_NS) continue;
            rocecc_red_idle(&p, &s, 77 + dt_ns);
            CHECK_EQ(s.idle_ns - 77, dt_ns / sizes[i] * sizes[i]);
        }
    }
}

TEST(R_3_an_average_below_min_passes)
{
    const rocecc_red_params p = accepted_params(9);
    rocecc_red s = steady(&p, 9999, 5);
    CHECK_EQ(arrive(&p, &s, 9999, 0), ROCECC_WRED_PASS);
    CHECK_EQ(s.count, LAST);
    s = steady(&p, 10000, 5);
    s.avg_q32--;
    CHECK_EQ(arrive(&p, &s, 9999, 0), ROCECC_WRED_PASS);
    CHECK_EQ(s.count, LAST);
    s = steady(&p, 10000, 5); /* at min, pb is 0 */
    CHECK_EQ(arrive(&p, &s, 10000, 0), ROCECC_WRED_PASS);
    CHECK_EQ(s.count, 6);
}

TEST(R_4_an_average_from_max_on_is_marked)
{
    rocecc_red_params p = accepted_params(9);
    rocecc_red s = steady(&p, 30000, 5);
    CHECK_EQ(arrive(&p, &s, 30000, LAST), ROCECC_WRED_MARK);
    CHECK_EQ(s.count, 0);
    s = steady(&p, 30000, 0); /* just below, pa = maxp / (1 - maxp) = 1/9 */
    CHECK_EQ(arrive(&p, &s, 29999, 0x1c800000u), ROCECC_WRED_PASS);
    CHECK_EQ(s.count, 1);
    p.gentle = true;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    s = steady(&p, 60000, 5);
    CHECK_EQ(arrive(&p, &s, 60000, LAST), ROCECC_WRED_MARK);
    CHECK_EQ(s.count, 0);
    s = steady(&p, 30000, 0);
    CHECK_EQ(arrive(&p, &s, 30000, 0x1c800000u), ROCECC_WRED_PASS);
}

/* At 20,000 bytes, pb is 1/20. The first packet has pa = 1/20, and the k-th after a
 * mark 1 / (20 - k). */
TEST(R_5_the_probability_rises_with_the_count)
{
    const rocecc_red_params p = accepted_params(9);
    uint32_t k;
    for (k = 0; k < 20; k++) {
        const uint32_t r = (uint32_t)(ONE / (20 - k) - 1);
        rocecc_red s = steady(&p, 20000, k - 1);
        CHECK_EQ(arrive(&p, &s, 20000, r - 400), ROCECC_WRED_MARK);
        CHECK_EQ(s.count, 0);
        if (k == 19) break; /* pa is 1 */
        s = steady(&p, 20000, k - 1);
        CHECK_EQ(arrive(&p, &s, 20000, r + 400), ROCECC_WRED_PASS);
        CHECK_EQ(s.count, k);
    }
}

/* With constant avg, marks are at most 1 / pb packets apart, each gap equally often. */
TEST(R_5_marks_are_at_most_1_per_pb_packets_apart)
{
    const rocecc_red_params p = accepted_params(9);
    uint64_t random = 1;
    uint32_t avg, i, gap;
    for (avg = 10001; avg < 30000; avg += 1777) {
        const uint32_t most = 200000 / (avg - 10000) + 1; /* 1 / pb, rounded up */
        rocecc_red s = steady(&p, avg, LAST);
        gap = 0;
        for (i = 0; i < 3 * most + 1000; i++) {
            gap = arrive(&p, &s, avg, i & 1024 ? LAST : test_random(&random)) !=
                          ROCECC_WRED_PASS
                      ? 0
                      : gap + 1;
            if (gap >= most)
                test_fail(__FILE__, __LINE__, "avg %u, gap %u", (unsigned)avg,
                          (unsigned)gap);
        }
    }
    {
        rocecc_red s = steady(&p, 20000, 0);
        uint32_t seen[21] = {0};
        gap = 0;
        for (i = 0; i < 190000; i++) {
            gap++;
            if (arrive(&p, &s, 20000, test_random(&random)) == ROCECC_WRED_PASS)
                continue;
            seen[gap < 20 ? gap : 20]++;
            gap = 0;
        }
        for (i = 1; i < 20; i++)
            CHECK(seen[i] > 850 && seen[i] < 1150); /* 1,000 and five deviations */
        CHECK_EQ(seen[20], 0);
    }
}

/* Verdicts agree with double arithmetic if r is at least 2^-29 / pb from pa. */
TEST(R_5_verdicts_agree_with_double)
{
    uint64_t random = 11, n = 0, rounds;
    for (rounds = test_rounds(200000); rounds > 0; rounds--) {
        const uint32_t how = test_random(&random);
        const bool gentle = (how & 1) != 0, dpdk = (how & 2) != 0;
        rocecc_red_params p = accepted_params((uint8_t)((how >> 2 & 15) + 1));
        rocecc_red s;
        uint32_t r, q, count;
        double maxp, pb, pa, off;
        p.min_bytes = test_random(&random) >> (1 + (how >> 6 & 15));
        p.max_bytes = p.min_bytes + 1 + (test_random(&random) >> (how >> 10 & 31));
        p.maxp_q32 = test_random(&random) >> (how >> 15 & 7);
        p.gentle = gentle;
        p.dpdk = dpdk;
        if (rocecc_red_init(&p) != ROCECC_RED_ACCEPTED) continue;
        q = p.min_bytes +
            (uint32_t)((uint64_t)test_random(&random) *
                           (p.max_bytes * (gentle ? UINT64_C(2) : 1) - p.min_bytes) >>
                       32);
        count = test_random(&random) >> (how >> 18 & 31);
        r = test_random(&random) >> (how >> 23 & 15);
        if (count >= LAST - 1) continue;
        s = steady(&p, q, count);
        maxp = (double)p.maxp_q32 / 4294967296.0;
        pb = q < p.max_bytes ? maxp * (q - p.min_bytes) / (p.max_bytes - p.min_bytes)
                             : maxp + (1 - maxp) * (q - p.max_bytes) / p.max_bytes;
        pa = pb / ((dpdk ? 2 : 1) - (count + 1.0) * pb);
        if (pa < 0 || pa > 1) pa = 1;
        off = r / 4294967296.0 - pa;
        if (pb < 1e-6 || (off < 2e-9 / pb && off > -2e-9 / pb)) continue;
        n++;
        if ((arrive(&p, &s, q, r) != ROCECC_WRED_PASS) != (off < 0))
            test_fail(__FILE__, __LINE__, "pb %g, pa %g, off %g", pb, pa, off);
    }
    CHECK(n > test_rounds(200000) / 4);
}

TEST(R_6_gentle_raises_pb_up_to_twice_max)
{
    rocecc_red_params p = accepted_params(9);
    uint32_t avg;
    p.gentle = true;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    for (avg = 30000; avg < 60000; avg += 999) {
        /* count is -1, so pa is pb */
        const double pb = 0.1 + 0.9 * (avg - 30000) / 30000;
        const uint32_t r = (uint32_t)(pb * 4294967296.0);
        rocecc_red s = steady(&p, avg, LAST);
        CHECK_EQ(arrive(&p, &s, avg, r - 10), ROCECC_WRED_MARK);
        s = steady(&p, avg, LAST);
        CHECK_EQ(arrive(&p, &s, avg, r + 10), ROCECC_WRED_PASS);
    }
}

TEST(R_7_dpdk_marks_half_as_often)
{
    rocecc_red_params p = accepted_params(9);
    rocecc_red s;
    uint64_t random = 1;
    uint32_t k, marked = 0;
    p.dpdk = true;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    for (k = 1; k < 39; k++) {
        const uint32_t r = (uint32_t)(ONE / (40 - k));
        s = steady(&p, 20000, k - 1);
        CHECK_EQ(arrive(&p, &s, 20000, r - 400), ROCECC_WRED_MARK);
        s = steady(&p, 20000, k - 1);
        CHECK_EQ(arrive(&p, &s, 20000, r + 400), ROCECC_WRED_PASS);
    }
    s = steady(&p, 20000, 0);
    for (k = 0; k < 100000; k++)
        marked += arrive(&p, &s, 20000, test_random(&random)) == ROCECC_WRED_MARK;
    CHECK(marked > 4800 && marked < 5200); /* a share of pb; R-5 marks twice as often */
    s = steady(&p, 9999, 7);
    CHECK_EQ(arrive(&p, &s, 9999, 0), ROCECC_WRED_PASS);
    CHECK_EQ(s.count, 8);
    s = steady(&p, 9999, LAST - 1); /* the count stops before -1 */
    CHECK_EQ(arrive(&p, &s, 9999, 0), ROCECC_WRED_PASS);
    CHECK_EQ(s.count, LAST - 1);
}

TEST(R_8_ect_is_marked_and_not_ect_is_dropped)
{
    const rocecc_red_params p = accepted_params(9);
    uint32_t avg;
    for (avg = 20000; avg <= 40000; avg += 20000) {
        rocecc_red s = steady(&p, avg, 19);
        CHECK_EQ(rocecc_red_arrive(&p, &s,
                                   (rocecc_red_event){avg, ROCECC_ECN_NOT_ECT, 0, 0}),
                 ROCECC_WRED_DROP);
        CHECK_EQ(
            rocecc_red_arrive(&p, &s, (rocecc_red_event){avg, ROCECC_ECN_ECT1, 0, 0}),
            ROCECC_WRED_MARK);
        CHECK_EQ(
            rocecc_red_arrive(&p, &s, (rocecc_red_event){avg, ROCECC_ECN_ECT0, 0, 0}),
            ROCECC_WRED_MARK);
        CHECK_EQ(
            rocecc_red_arrive(&p, &s, (rocecc_red_event){avg, ROCECC_ECN_CE, 0, 0}),
            ROCECC_WRED_MARK);
    }
}

/* an arrival at an empty queue without an idle event, or at a queue whose first
 * arrival was lost, still gives an average. */
TEST(R_9_lost_events_do_not_break_the_average)
{
    const rocecc_red_params p = accepted_params(1);
    rocecc_red s = steady(&p, 8000, LAST);
    arrive(&p, &s, 0, 0); /* empty for an unknown time */
    CHECK_EQ(s.avg_q32, BYTES(4000));
    s = resting(&p, 8000, 0); /* its first arrival was lost */
    rocecc_red_arrive(&p, &s, (rocecc_red_event){6000, ROCECC_ECN_CE, 0, 1000000});
    CHECK(s.avg_q32 == BYTES(7000) && s.idle == 0);
    rocecc_red_idle(&p, &s, 5000);
    CHECK(s.avg_q32 == BYTES(7000) && s.idle == 1 && s.idle_ns == 5000);
}

TEST(R_10_repeated_idle_events_keep_all_idle_time)
{
    const rocecc_red_params p = accepted_params(1);
    rocecc_red s = resting(&p, 8192, 0);
    uint32_t now_ns;
    for (now_ns = 700; now_ns < 5000; now_ns += 700) {
        rocecc_red_idle(&p, &s, now_ns);
        CHECK_EQ(s.avg_q32, BYTES(8192) >> now_ns / 1000);
    }
    rocecc_red_arrive(&p, &s, (rocecc_red_event){0, ROCECC_ECN_CE, 0, 5000});
    CHECK_EQ(s.avg_q32, BYTES(256));
    {
        /* A 32-bit clock cannot distinguish 16 s of rest from 3.1 s. */
        rocecc_red_params slow = accepted_params(16);
        slow.packet_ns = 1000000;
        CHECK_EQ(rocecc_red_init(&slow), ROCECC_RED_ACCEPTED);
        s = resting(&slow, 0x10000000, 0);
        for (now_ns = 1; now_ns <= 4; now_ns++)
            rocecc_red_idle(&slow, &s, now_ns * 4000000000u);
        /* 2^28 * (1 - 2^-16)^16000 = 210285937.6 */
        CHECK(s.avg_q32 > BYTES(210285900) && s.avg_q32 < BYTES(210286000));
    }
}

/* if the first packet is dropped, the queue is still empty, and the idle time
 * goes on. */
TEST(R_11_a_dropped_arrival_keeps_the_queue_idle)
{
    const rocecc_red_params p = accepted_params(1);
    rocecc_red s = resting(&p, 40000, 0);
    CHECK_EQ(
        rocecc_red_arrive(&p, &s, (rocecc_red_event){0, ROCECC_ECN_NOT_ECT, 0, 900}),
        ROCECC_WRED_DROP);
    CHECK_EQ(s.idle, 1);
    CHECK_EQ(rocecc_red_arrive(&p, &s,
                               (rocecc_red_event){0, ROCECC_ECN_NOT_ECT, LAST, 2000}),
             ROCECC_WRED_PASS);
    CHECK(s.avg_q32 == BYTES(10000) && s.idle == 0);
}

/* RED_HARD_MARK drops any ECN and RED_PROB_MARK marks, as in Linux' red_enqueue(). */
TEST(R_13_hard_drop_drops_ect_from_max_on)
{
    int gentle, hard;
    size_t i;
    CHECK(!rocecc_red_floyd(10000, 1000).hard_drop);
    for (gentle = 0; gentle < 2; gentle++) {
        const uint32_t full = gentle ? 60000 : 30000;
        for (hard = 0; hard < 2; hard++) {
            rocecc_red_params p = accepted_params(1);
            p.gentle = gentle != 0;
            p.hard_drop = hard != 0;
            CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
            for (i = 0; i < 4; i++) {
                rocecc_red s = steady(&p, full, 0);
                const rocecc_wred_verdict soft =
                    ecns[i] == ROCECC_ECN_NOT_ECT ? ROCECC_WRED_DROP : ROCECC_WRED_MARK;
                CHECK_EQ(rocecc_red_arrive(&p, &s,
                                           (rocecc_red_event){full, ecns[i], LAST, 0}),
                         hard ? ROCECC_WRED_DROP : soft);
                CHECK_EQ(s.count, 0);
                s = steady(&p, full - 2, 0); /* just below full, but r = 0 marks */
                CHECK_EQ(rocecc_red_arrive(&p, &s,
                                           (rocecc_red_event){full - 1, ecns[i], 0, 0}),
                         soft);
            }
        }
    }
}

/* idle events up to ROCECC_RED_BACK_NS before the last one change nothing. */
TEST(R_12_a_clock_step_back_is_not_idle_time)
{
    const rocecc_red_params p = accepted_params(1);
    rocecc_red s = resting(&p, 8000, 100);
    rocecc_red_idle(&p, &s, 99);
    rocecc_red_idle(&p, &s, 100u - ROCECC_RED_BACK_NS);
    CHECK(s.avg_q32 == BYTES(8000) && s.idle_ns == 100);
    rocecc_red_idle(&p, &s, 1100);
    CHECK_EQ(s.avg_q32, BYTES(4000));
    rocecc_red_idle(&p, &s, 1099u - ROCECC_RED_BACK_NS); /* 4.29 s later */
    CHECK_EQ(s.avg_q32, 0);
}

TEST(red_traces)
{
    static const trace_tolerance t[] = {{"avg_q32", 1e-6, 1 << 20}}; /* 2^-12 bytes */
    trace_check("red", t, 1);
}

/* W-1, W-8: init() accepts the lossless presets unchanged, and they drop nothing. */
TEST(W_1_lossless_presets_drop_nothing_until_buf_max_is_set)
{
    rocecc_wred_params p[3];
    size_t i;
    p[0] = rocecc_wred_dcqcn_paper();
    p[1] = rocecc_wred_hpcc_runs(UINT64_C(100000000000));
    p[2] = rocecc_wred_nvidia();
    for (i = 0; i < 3; i++) {
        test_context("preset %u", (unsigned)i);
        CHECK_EQ(rocecc_wred_init(&p[i]), ROCECC_WRED_ACCEPTED);
        CHECK_EQ(rocecc_wred_decide(&p[i], LAST - 1, ROCECC_ECN_NOT_ECT, 0),
                 ROCECC_WRED_PASS);
        CHECK_EQ(rocecc_wred_decide(&p[i], LAST, ROCECC_ECN_ECT0, 0), ROCECC_WRED_MARK);
        p[i].buf_max_bytes = 1000000;
        CHECK_EQ(rocecc_wred_decide(&p[i], 1000001, ROCECC_ECN_NOT_ECT, 0),
                 ROCECC_WRED_DROP);
    }
}

/* with both options, pa is half of the gentle pb, 0.55 at 1.5 * max. */
TEST(R_6_R_7_dpdk_may_be_gentle)
{
    rocecc_red_params p = accepted_params(9);
    const uint32_t r = 1181116006; /* 0.275 * 2^32 */
    rocecc_red s;
    p.gentle = p.dpdk = true;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    s = steady(&p, 45000, LAST);
    CHECK_EQ(arrive(&p, &s, 45000, r - 400), ROCECC_WRED_MARK);
    s = steady(&p, 45000, LAST);
    CHECK_EQ(arrive(&p, &s, 45000, r + 400), ROCECC_WRED_PASS);
    s = steady(&p, 60000, LAST);
    CHECK_EQ(arrive(&p, &s, 60000, LAST), ROCECC_WRED_MARK);
}
