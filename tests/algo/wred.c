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

/* The same curve for both, no end of the buffer. */
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

/* How many of the 2^32 values of r mark at q: the r below this, by division. */
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

TEST(wred_refusals)
{
    static rocecc_wred_params p, good; /* static: no bits between members */
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

TEST(wred_percent)
{
    CHECK_EQ(rocecc_wred_percent_q32(0), 0);
    CHECK_EQ(rocecc_wred_percent_q32(1), 42949673);
    CHECK_EQ(rocecc_wred_percent_q32(20), 858993459);
    CHECK_EQ(rocecc_wred_percent_q32(50), ONE / 2);
    CHECK_EQ(rocecc_wred_percent_q32(80), 3435973837u);
    CHECK_EQ(rocecc_wred_percent_q32(100), ONE);
    CHECK(rocecc_wred_percent_q32(101) > ONE && rocecc_wred_percent_q32(LAST) > ONE);
}

TEST(wred_presets)
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
}

TEST(W_1_beyond_buf_max)
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

TEST(W_2_not_ect_by_the_drop_curve)
{
    rocecc_wred_params p = both(100, 100, 0);
    p.mark = rocecc_wred_off();
    CHECK_EQ(rocecc_wred_decide(&p, 99, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&p, 100, ROCECC_ECN_NOT_ECT, LAST), ROCECC_WRED_DROP);
    p.drop = rocecc_wred_off();
    p.mark = curve(0, 0, ONE);
    CHECK_EQ(rocecc_wred_decide(&p, 100, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
}

TEST(W_3_ect_by_the_mark_curve)
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

TEST(W_4_below_k_min)
{
    const rocecc_wred_params p = both(1000, 2000, ONE);
    CHECK(!marks(&p, 0, 0) && !marks(&p, 999, 0));
    CHECK(!marks(&p, 1000, 0)); /* there, p(q) is 0 */
    CHECK(marks(&p, 1001, 0));
}

/* Just the r below p(q) 2^32, on the widest curves, too. */
TEST(W_5_exactly_the_curve)
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

/* Every pair of small thresholds, every q, r on a grid. */
TEST(W_5_small_curves)
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

/* Of r spread evenly over 2^16 values, as many mark as the curve says. */
TEST(W_5_stratified)
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

TEST(W_6_from_k_max_on)
{
    rocecc_wred_params p = both(1000, 2000, 0);
    CHECK(!marks(&p, 1999, 0));
    CHECK(marks(&p, 2000, LAST) && marks(&p, LAST, LAST));
    p = both(1000, 2000, ONE); /* continuous: all but one r in a thousand */
    CHECK(marks(&p, 1999, 4290672328u) && !marks(&p, 1999, 4290672329u));
}

TEST(W_7_a_step)
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

TEST(W_8_switched_off)
{
    rocecc_wred_params p = both(1, 2, 0);
    p.mark = p.drop = rocecc_wred_off();
    CHECK(!marks(&p, LAST - 1, 0) && marks(&p, LAST, LAST));
    CHECK_EQ(rocecc_wred_decide(&p, LAST - 1, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
}

TEST(W_9_the_buffer_ends_first)
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

TEST(wred_traces)
{
    trace_check("wred", NULL, 0);
}

TEST(wred_law)
{
    law_random(law_wred, 20000);
}
