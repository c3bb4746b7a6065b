/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/dcqcn.h"
#include "../../examples/lib/field.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G UINT64_C(1000000000)
#define M UINT64_C(1000000)
#define HALF_Q20 (ROCECC_ONE_Q20 / 2)
#define ONE_Q31 ROCECC_DCQCN_ONE_Q31
#define ALPHA ROCECC_DCQCN_TIMER_ALPHA
#define CUT ROCECC_DCQCN_TIMER_CUT
#define INCREASE ROCECC_DCQCN_TIMER_INCREASE

static rocecc_dcqcn_params made(rocecc_dcqcn_params p)
{
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    return p;
}

static rocecc_dcqcn_params paper(void)
{
    return made(rocecc_dcqcn_paper(40 * G));
}

static bool same(const rocecc_dcqcn *a, const rocecc_dcqcn *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* no padding */
}

/* Returns an active flow with these rates. */
static rocecc_dcqcn active(const rocecc_dcqcn_params *p, uint64_t rate_bps,
                           uint64_t target_bps)
{
    rocecc_dcqcn s = rocecc_dcqcn_start(p);
    s.flags = ROCECC_DCQCN_ACTIVE;
    s.rate_bps = rate_bps;
    s.target_bps = target_bps;
    return s;
}

/* Parameters. */

typedef struct refused {
    size_t offset;
    size_t size;
    uint64_t value;
    rocecc_dcqcn_refusal why;
    bool accepted; /* init() accepts the value */
} refused;

#define BAD(member, value, why) BOUND(member, value, REFUSED_##why, false)
#define GOOD(member, value) BOUND(member, value, ACCEPTED, true)
#define BOUND(member, value, why, good)                                                \
    {                                                                                  \
        offsetof(rocecc_dcqcn_params, member),                                         \
            sizeof(((rocecc_dcqcn_params *)0)->member), value, ROCECC_DCQCN_##why,     \
            good                                                                       \
    }

static const refused bounds[] = {
    BAD(line_bps, 0, LINE),
    BAD(line_bps, UINT64_C(1) << 43, LINE),
    GOOD(line_bps, (UINT64_C(1) << 43) - 1),
    BAD(line_bps, 100 * M - 1, MIN),
    GOOD(line_bps, 100 * M),
    BAD(min_bps, 0, MIN),
    GOOD(min_bps, 1),
    GOOD(min_bps, 40 * G),
    BAD(min_bps, 40 * G + 1, MIN),
    BAD(g_q20, 0, G),
    BAD(g_q20, 1023, G),
    GOOD(g_q20, 1024),
    GOOD(g_q20, 1 << 20),
    BAD(g_q20, (1 << 20) + 1, G),
    BAD(alpha_timer_ns, 0, ALPHA_TIMER),
    GOOD(alpha_timer_ns, 1),
    GOOD(alpha_timer_ns, INT32_MAX),
    BAD(alpha_timer_ns, 1u << 31, ALPHA_TIMER),
    GOOD(alpha_init_q20, 0),
    GOOD(alpha_init_q20, 1 << 20),
    BAD(alpha_init_q20, (1 << 20) + 1, ALPHA_INIT),
    GOOD(cut_interval_ns, 0),
    GOOD(cut_interval_ns, INT32_MAX),
    BAD(cut_interval_ns, 1u << 31, CUT_INTERVAL),
    BAD(periodic, 1, CUT_INTERVAL),
    BAD(cut_shift, (uint16_t)INT16_MIN, CUT_SHIFT),
    BAD(cut_shift, (uint16_t)-10, CUT_SHIFT),
    GOOD(cut_shift, (uint16_t)-9),
    GOOD(cut_shift, (uint16_t)-1),
    GOOD(cut_shift, 0),
    GOOD(cut_shift, 1),
    BAD(cut_shift, 2, CUT_SHIFT),
    BAD(cut_shift, INT16_MAX, CUT_SHIFT),
    GOOD(min_dec_q20, 1 << 20),
    BAD(min_dec_q20, (1 << 20) + 1, MIN_DEC),
    GOOD(fast_recovery_stages, 0),
    GOOD(fast_recovery_stages, 254),
    BAD(fast_recovery_stages, 255, FAST_RECOVERY),
    BAD(increase_timer_ns, 0, INCREASE_TIMER),
    GOOD(increase_timer_ns, 1),
    GOOD(increase_timer_ns, INT32_MAX),
    BAD(increase_timer_ns, 1u << 31, INCREASE_TIMER),
    GOOD(byte_counter_bytes, 1),
    GOOD(byte_counter_bytes, UINT32_MAX),
    BAD(ai_bps, 0, AI),
    GOOD(ai_bps, (UINT64_C(1) << 43) - 1),
    BAD(ai_bps, UINT64_C(1) << 43, AI),
    BAD(hai_bps, 0, HAI),
    GOOD(hai_bps, (UINT64_C(1) << 43) - 1),
    BAD(hai_bps, UINT64_C(1) << 43, HAI),
    BAD(first_cnp_bps, 100 * M - 1, FIRST_CNP),
    GOOD(first_cnp_bps, 100 * M),
    GOOD(first_cnp_bps, 40 * G),
    BAD(first_cnp_bps, 40 * G + 1, FIRST_CNP),
    BAD(release_bps, 100 * M - 1, RELEASE),
    GOOD(release_bps, 100 * M),
    GOOD(release_bps, 40 * G),
    BAD(release_bps, 40 * G + 1, RELEASE),
    GOOD(stage_rule, ROCECC_DCQCN_STAGE_NS3),
    BAD(stage_rule, ROCECC_DCQCN_STAGE_NS3 + 1, STAGE_RULE),
    BAD(restart_bps, 100 * M - 1, RESTART),
    GOOD(restart_bps, 100 * M),
    GOOD(restart_bps, 40 * G),
    BAD(restart_bps, 40 * G + 1, RESTART),
};

#define SAME_PARAM(T, kind, member, ...) same = same && a->member == b->member;

/* Returns true if all members are equal. Padding may differ. */
static bool same_params(const rocecc_dcqcn_params *a, const rocecc_dcqcn_params *b)
{
    bool same = a->fast_below == b->fast_below && a->hyper_from == b->hyper_from;
    ROCECC_DCQCN_PARAMS(SAME_PARAM, rocecc_dcqcn_params)
    return same;
}

TEST(dcqcn_init_rejects_params_out_of_range)
{
    uint32_t seen = 0;
    size_t i;
    for (i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const refused *b = &bounds[i];
        const field f = FIELD_AT("", UINT, b->offset, b->size, NULL);
        rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G), was;
        char text[32];
        test_context("bound %u", (unsigned)i);
        snprintf(text, sizeof text, "%llu", (unsigned long long)b->value);
        CHECK(field_set(&f, &p, text));
        p.fast_below = 7;
        was = p;
        CHECK_EQ(rocecc_dcqcn_init(&p), b->why);
        CHECK(b->accepted == (b->why == ROCECC_DCQCN_ACCEPTED));
        CHECK(same_params(&p, &was) != b->accepted);
        seen |= 1u << b->why;
    }
    CHECK_EQ(seen, (2u << ROCECC_DCQCN_REFUSED_RESTART) - 1);
}

TEST(dcqcn_preset_paper_has_the_published_values)
{
    const rocecc_dcqcn_params p = paper();
    CHECK_EQ(p.g_q20, 4096);
    CHECK_EQ(p.alpha_timer_ns, 55000);
    CHECK_EQ(p.alpha_init_q20, 1 << 20);
    CHECK_EQ(p.cut_interval_ns, 0);
    CHECK_EQ(p.cut_shift, 1);
    CHECK_EQ(p.min_dec_q20, 0);
    CHECK_EQ(p.min_bps, 100 * M);
    CHECK_EQ(p.line_bps, 40 * G);
    CHECK_EQ(p.fast_recovery_stages, 5);
    CHECK_EQ(p.increase_timer_ns, 55000);
    CHECK_EQ(p.byte_counter_bytes, 10 * M);
    CHECK_EQ(p.ai_bps, 40 * M);
    CHECK_EQ(p.hai_bps, 400 * M);
    CHECK(p.clamp_target && !p.clamp_target_after_time && !p.hai_flat);
    CHECK_EQ(p.first_cnp_bps + p.release_bps + p.restart_bps, 0);
    CHECK_EQ(p.stage_rule, ROCECC_DCQCN_STAGE_PAPER);
    CHECK(!p.alpha_first && !p.periodic);
    CHECK_EQ(made(rocecc_dcqcn_paper(1000)).min_bps, 1000);
}

TEST(dcqcn_preset_nvidia_has_the_published_values)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_nvidia(100 * G));
    CHECK_EQ(p.g_q20, 5120);
    CHECK_EQ(p.alpha_timer_ns, 1000);
    CHECK_EQ(p.alpha_init_q20, 1023 << 10);
    CHECK_EQ(p.cut_interval_ns, 4000);
    CHECK_EQ(p.cut_shift, 1);
    CHECK_EQ(p.min_dec_q20, HALF_Q20);
    CHECK_EQ(p.min_bps, M);
    CHECK_EQ(p.line_bps, 100 * G);
    CHECK_EQ(p.fast_recovery_stages, 1);
    CHECK_EQ(p.increase_timer_ns, 300000);
    CHECK_EQ(p.byte_counter_bytes, 32767000);
    CHECK_EQ(p.ai_bps, 5 * M);
    CHECK_EQ(p.hai_bps, 50 * M);
    CHECK(!p.clamp_target && p.clamp_target_after_time && p.hai_flat);
    CHECK_EQ(p.first_cnp_bps + p.restart_bps, 0);
    CHECK_EQ(p.release_bps, 100 * G);
    CHECK_EQ(p.stage_rule, ROCECC_DCQCN_STAGE_QAU);
    CHECK(!p.alpha_first && p.periodic);
    CHECK_EQ(made(rocecc_dcqcn_nvidia(1000)).min_bps, 1000);
}

TEST(dcqcn_preset_ns3_hpcc_has_the_published_values)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_ns3_hpcc(100 * G));
    CHECK_EQ(p.g_q20, 4096);
    CHECK_EQ(p.alpha_timer_ns, 1000);
    CHECK_EQ(p.alpha_init_q20, 1 << 20);
    CHECK_EQ(p.cut_interval_ns, 4000);
    CHECK_EQ(p.cut_shift, 1);
    CHECK_EQ(p.min_dec_q20, 0);
    CHECK_EQ(p.min_bps, G);
    CHECK_EQ(p.line_bps, 100 * G);
    CHECK_EQ(p.fast_recovery_stages, 1);
    CHECK_EQ(p.increase_timer_ns, 300000);
    CHECK_EQ(p.byte_counter_bytes, 0);
    CHECK_EQ(p.ai_bps, 20 * M);
    CHECK_EQ(p.hai_bps, 200 * M);
    CHECK(!p.clamp_target && p.clamp_target_after_time && p.hai_flat);
    CHECK_EQ(p.first_cnp_bps + p.release_bps + p.restart_bps, 0);
    CHECK_EQ(p.stage_rule, ROCECC_DCQCN_STAGE_NS3);
    CHECK(!p.alpha_first && p.periodic);
    CHECK_EQ(made(rocecc_dcqcn_ns3_hpcc(100 * M)).min_bps, 100 * M);
}

/* The rules. */

/* D-1: timers and bytes do not change a flow without a limiter. */
TEST(D_01_only_a_cnp_activates_a_flow)
{
    const rocecc_dcqcn_params p = paper();
    const rocecc_dcqcn fresh = rocecc_dcqcn_start(&p);
    rocecc_dcqcn s = fresh;
    rocecc_dcqcn_action act[4];
    int i;
    CHECK_EQ(s.rate_bps, 40 * G);
    CHECK_EQ(s.target_bps, 40 * G);
    CHECK_EQ(s.flags, 0);
    act[0] = rocecc_dcqcn_alpha_timer(&p, &s);
    act[1] = rocecc_dcqcn_cut_timer(&p, &s);
    act[2] = rocecc_dcqcn_increase_timer(&p, &s);
    act[3] = rocecc_dcqcn_sent(&p, &s, UINT32_MAX);
    CHECK(same(&s, &fresh));
    for (i = 0; i < 4; i++) {
        CHECK_EQ(act[i].rate_bps, 40 * G);
        CHECK_EQ(act[i].arm | act[i].stop, 0);
        CHECK(!act[i].cut && !act[i].released);
    }
}

TEST(D_02_the_first_cnp_sets_alpha)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    p.alpha_init_q20 = HALF_Q20;
    p.g_q20 = 1 << 18;
    s = rocecc_dcqcn_start(&p);
    CHECK(rocecc_dcqcn_cnp(&p, &s).cut);
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE);
    CHECK_EQ(s.rate_bps, 30 * G);
    CHECK_EQ(s.alpha_q31, ONE_Q31 / 8 * 5);
    (void)rocecc_dcqcn_cnp(&p, &s);
    CHECK_EQ(s.alpha_q31, ONE_Q31 / 32 * 23);
}

TEST(D_03_the_first_cnp_sets_first_cnp_bps)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    p.first_cnp_bps = 10 * G;
    p.cut_interval_ns = 100;
    p = made(p);
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK_EQ(act.rate_bps, 10 * G);
    CHECK_EQ(s.target_bps, 10 * G);
    CHECK_EQ(act.arm, ALPHA | CUT | INCREASE);
    CHECK(!act.cut);
    /* The first CNP counts as a cut, so the next cut is at least cut_interval later. */
    CHECK(!rocecc_dcqcn_cnp(&p, &s).cut);
    CHECK_EQ(rocecc_dcqcn_cut_timer(&p, &s).arm, 0);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut);
    CHECK_EQ(act.rate_bps, 5 * G);
}

/* D-4: alpha is 1/2 before the CNP and 5/8 after it. A cut removes alpha / 2. */
TEST(D_04_a_cut_uses_the_old_alpha_unless_alpha_first)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    p.alpha_init_q20 = HALF_Q20;
    p.g_q20 = 1 << 18;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 30 * G);
    p.alpha_first = 1;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 27500 * M);
    CHECK_EQ(s.alpha_q31, ONE_Q31 / 8 * 5);
}

/* D-5: until the cut timer expires, a CNP only raises alpha. Without cut_interval each
 * CNP cuts. */
TEST(D_05_cuts_are_at_least_cut_interval_apart)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    p.cut_interval_ns = 100;
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut && act.arm == (ALPHA | CUT | INCREASE));
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_RECENT);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(!act.cut);
    CHECK_EQ(act.arm, ALPHA);
    act = rocecc_dcqcn_cut_timer(&p, &s);
    CHECK(!act.cut && act.arm == 0 && act.stop == 0);
    CHECK(rocecc_dcqcn_cnp(&p, &s).cut);
    CHECK(!rocecc_dcqcn_cnp(&p, &s).cut);
    p.cut_interval_ns = 0;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).arm, ALPHA | INCREASE);
    CHECK(rocecc_dcqcn_cnp(&p, &s).cut);
}

TEST(D_06_a_cut_is_in_proportion_to_alpha)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    p.alpha_init_q20 = ROCECC_ONE_Q20 / 4;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 35 * G);
    p.cut_shift = 0;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 30 * G);
    /* The rate is rounded to the nearest bit/s, and every bit of alpha counts. */
    p.line_bps = ((uint64_t)1 << 43) - 1;
    s = active(&p, p.line_bps, p.line_bps);
    s.alpha_q31 = 1;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, p.line_bps - 4096);
    s = active(&p, G + 1, G + 1);
    s.alpha_q31 = ONE_Q31 / 4 * 3;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 250000000); /* from 250000000.25 */
    s = active(&p, G + 3, G + 3);
    s.alpha_q31 = ONE_Q31 / 4 * 3;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 250000001); /* from 250000000.75 */
}

/* Returns the rate after a cut from 40 Gb/s with this alpha. */
static uint64_t cut_at(int cut_shift, uint32_t alpha_q31)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    p.cut_shift = (int16_t)cut_shift;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = active(&p, 40 * G, 40 * G);
    s.alpha_q31 = alpha_q31;
    CHECK(rocecc_dcqcn_cnp(&p, &s).cut);
    return s.rate_bps;
}

/* In the ionic driver, gd 1 to 11 leaves 40 Gb/s * (1 - alpha * 2^(10 - gd)), with
 * R_min 100 Mb/s. */
TEST(D_06_cut_shift_multiplies_alpha)
{
    static const struct {
        int cut_shift;
        uint64_t rate_bps; /* with an alpha of 1/1024 */
    } cuts[] = {{1, 39980468750},  {0, 39960937500},  {-1, 39921875000},
                {-2, 39843750000}, {-3, 39687500000}, {-4, 39375000000},
                {-5, 38750000000}, {-6, 37500000000}, {-7, 35000000000},
                {-8, 30000000000}, {-9, 20000000000}};
    size_t i;
    for (i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        const unsigned half =
            30 + (unsigned)(cuts[i].cut_shift < 0 ? cuts[i].cut_shift : 0);
        test_context("cut_shift %d", cuts[i].cut_shift);
        CHECK_EQ(cut_at(cuts[i].cut_shift, ONE_Q31 >> 10), cuts[i].rate_bps);
        /* alpha 0 cuts nothing. Then the part is 1/2, or 1/4 with cut_shift 1. */
        CHECK_EQ(cut_at(cuts[i].cut_shift, 0), 40 * G);
        CHECK_EQ(cut_at(cuts[i].cut_shift, 1u << half),
                 cuts[i].cut_shift > 0 ? 30 * G : 20 * G);
    }
    test_context("%s", "");
}

/* A cut by the whole rate leaves R_min, here 1 bit/s. */
TEST(D_06_a_cut_of_the_whole_rate_leaves_r_min)
{
    int shift;
    for (shift = -9; shift <= 0; shift++) {
        rocecc_dcqcn_params p = paper();
        rocecc_dcqcn s;
        p.cut_shift = (int16_t)shift;
        p.min_bps = 1;
        CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
        s = active(&p, 40 * G, 40 * G);
        s.alpha_q31 = ONE_Q31;
        CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 1);
    }
}

/* If alpha / 2^cut_shift is 1 or more, a cut leaves R_min. */
TEST(D_06_a_cut_takes_at_most_the_whole_rate)
{
    int shift;
    for (shift = -9; shift <= 0; shift++) {
        const uint32_t one = ONE_Q31 >> -shift;
        test_context("cut_shift %d", shift);
        CHECK_EQ(cut_at(shift, one), 100 * M);
        CHECK_EQ(cut_at(shift, ONE_Q31), 100 * M);
        if (shift == 0) continue;
        CHECK_EQ(cut_at(shift, one + 1), 100 * M);
        CHECK_EQ(cut_at(shift, 2 * one), 100 * M);
        CHECK_EQ(cut_at(shift, 2 * one + 1), 100 * M);
        /* A part of 1 - 2^-8 leaves 40 Gb/s / 256. */
        CHECK_EQ(cut_at(shift, one - (one >> 8)), 156250000);
    }
    test_context("%s", "");
    CHECK_EQ(cut_at(1, ONE_Q31), 20 * G);
}

/* D-7: a cut leaves at least min_dec R_C and at least R_min, for any alpha. */
TEST(D_07_floors_of_a_cut)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    p.min_dec_q20 = ROCECC_ONE_Q20 / 4 * 3;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 30 * G);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 22500 * M);
    p.min_dec_q20 = ROCECC_ONE_Q20;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 22500 * M);
    p.min_dec_q20 = 0;
    p.min_bps = 20 * G;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 20 * G);
    CHECK_EQ(s.target_bps, 22500 * M);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 20 * G);
    CHECK_EQ(s.target_bps, 20 * G);
    p.cut_shift = 0;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 20 * G);
    p.min_bps = 100 * M;
    p.cut_shift = -9; /* alpha is near 1, and 512 * alpha above 1 */
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 100 * M);
    p.min_dec_q20 = ROCECC_ONE_Q20 / 4 * 3;
    s.rate_bps = 20 * G;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 15 * G);
}

/* Returns R_T after a cut from R_C = 20 Gb/s and R_T = 30 Gb/s. */
static uint64_t clamped(uint8_t always, uint8_t after_time, uint8_t time_stages,
                        uint8_t byte_stages)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 30 * G);
    p.clamp_target = always;
    p.clamp_target_after_time = after_time;
    s.time_stages = time_stages;
    s.byte_stages = byte_stages;
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).rate_bps, 10 * G);
    return s.target_bps;
}

/* D-8: a cut sets R_T to the old R_C with clamp_target, or after stages by bytes.
 * After stages by time it does so only with clamp_target_after_time. */
TEST(D_08_a_cut_lowers_the_target_after_some_stages)
{
    CHECK_EQ(clamped(1, 0, 0, 0), 20 * G);
    CHECK_EQ(clamped(0, 0, 0, 0), 30 * G);
    CHECK_EQ(clamped(0, 0, 1, 0), 30 * G);
    CHECK_EQ(clamped(0, 0, 0, 1), 20 * G);
    CHECK_EQ(clamped(0, 1, 0, 0), 30 * G);
    CHECK_EQ(clamped(0, 1, 1, 0), 20 * G);
    CHECK_EQ(clamped(0, 1, 0, 1), 20 * G);
}

TEST(D_09_a_cut_restarts_the_stages)
{
    const rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 30 * G);
    rocecc_dcqcn_action act;
    (void)rocecc_dcqcn_increase_timer(&p, &s);
    (void)rocecc_dcqcn_sent(&p, &s, 10000001);
    CHECK(s.time_stages == 1 && s.byte_stages == 1 && s.sent_bytes == 1);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(s.time_stages == 0 && s.byte_stages == 0 && s.sent_bytes == 0);
    CHECK(act.cut && act.arm == (ALPHA | INCREASE) && act.stop == 0);
}

TEST(D_10_alpha_reaches_1)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    uint32_t n, was = 0;
    p.alpha_init_q20 = 0;
    s = rocecc_dcqcn_start(&p);
    for (n = 0; s.alpha_q31 < ONE_Q31 && n < 10000; n++, was = s.alpha_q31) {
        CHECK((rocecc_dcqcn_cnp(&p, &s).arm & ALPHA) != 0);
        CHECK(s.alpha_q31 > was);
    }
    CHECK_EQ(s.alpha_q31, ONE_Q31);
    CHECK(n > 4000 && n < 6000); /* 256 * ln 2^31 is 5,501 */
    (void)rocecc_dcqcn_cnp(&p, &s);
    CHECK_EQ(s.alpha_q31, ONE_Q31);
    /* With the lowest gain, alpha rises by one unit. */
    p.g_q20 = 1024;
    s.alpha_q31 = ONE_Q31 - 100;
    (void)rocecc_dcqcn_cnp(&p, &s);
    CHECK_EQ(s.alpha_q31, ONE_Q31 - 99);
}

TEST(D_11_alpha_reaches_0)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 40 * G);
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    uint32_t n, was = ONE_Q31, alpha = was;
    for (n = 0; act.stop == 0 && n < 10000; n++, was = alpha) {
        act = rocecc_dcqcn_alpha_timer(&p, &s);
        alpha = rocecc_dcqcn_alpha_q31(&p, &s);
        CHECK(alpha <= was);
        if (n == 0) CHECK_EQ(alpha, ONE_Q31 / 256 * 255);
    }
    CHECK_EQ(alpha, 0);
    CHECK_EQ(act.stop, ALPHA);
    CHECK_EQ(n % 256, 0);
    CHECK(n > 5500 && n <= 5500 + 512); /* 256 * ln 2^31 is 5,501 */
    CHECK_EQ(s.rate_bps, 20 * G);
    p.g_q20 = 5120; /* NVIDIA's default, 5/1024 */
    p = made(p);
    s.alpha_q31 = ONE_Q31;
    (void)rocecc_dcqcn_alpha_timer(&p, &s);
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), ONE_Q31 / 1024 * 1019);
}

TEST(D_12_the_increase_timer_ends_a_stage)
{
    const rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 40 * G);
    const rocecc_dcqcn_action act = rocecc_dcqcn_increase_timer(&p, &s);
    CHECK_EQ(act.rate_bps, 30 * G);
    CHECK(act.arm == INCREASE && act.stop == 0 && !act.cut && !act.released);
    CHECK(s.time_stages == 1 && s.byte_stages == 0);
    CHECK_EQ(s.target_bps, 40 * G);
}

TEST(D_13_byte_counter_bytes_end_a_stage)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 40 * G);
    rocecc_dcqcn_action act;
    p.byte_counter_bytes = 1000;
    act = rocecc_dcqcn_sent(&p, &s, 999);
    CHECK(act.arm == 0 && act.rate_bps == 20 * G && s.byte_stages == 0);
    act = rocecc_dcqcn_sent(&p, &s, 1);
    CHECK(act.arm == 0 && act.rate_bps == 30 * G && s.byte_stages == 1);
    act = rocecc_dcqcn_sent(&p, &s, 2005);
    CHECK(act.rate_bps == 37500 * M && s.byte_stages == 3 && s.sent_bytes == 5);
    (void)rocecc_dcqcn_sent(&p, &s, 8994); /* 8,999 bytes end 8 stages */
    CHECK(s.byte_stages == 11 && s.sent_bytes == 999);
    (void)rocecc_dcqcn_sent(&p, &s, 8001); /* 9,000 bytes end 8 stages, not 9 */
    CHECK(s.byte_stages == 19 && s.sent_bytes == 0);
    (void)rocecc_dcqcn_sent(&p, &s, UINT32_MAX);
    CHECK(s.byte_stages == 27 && s.sent_bytes == 295);
}

TEST(D_13_the_remaining_bytes_count_for_the_next_stage)
{
    rocecc_dcqcn_params p = paper();
    uint64_t random = 13, round;
    for (round = test_rounds(20000); round > 0; round--) {
        rocecc_dcqcn s = active(&p, 20 * G, 40 * G);
        const uint32_t each = 1 + (test_random(&random) >> (test_random(&random) & 31));
        const uint32_t had = test_random(&random) % each;
        const uint32_t sent = test_random(&random) >> (test_random(&random) & 31);
        const uint64_t stages = ((uint64_t)had + sent) / each;
        if (each == 0) continue;
        p.byte_counter_bytes = each;
        s.sent_bytes = had;
        (void)rocecc_dcqcn_sent(&p, &s, sent);
        CHECK_EQ(s.sent_bytes, ((uint64_t)had + sent) % each);
        CHECK_EQ(s.byte_stages, stages < 8 ? stages : 8);
    }
}

TEST(D_14_byte_counter_0_disables_stages_by_bytes)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 40 * G), was = s;
    p.byte_counter_bytes = 0;
    CHECK_EQ(rocecc_dcqcn_sent(&p, &s, UINT32_MAX).rate_bps, 20 * G);
    CHECK(same(&s, &was));
}

TEST(D_15_increases_reach_the_target)
{
    const rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 40 * G);
    int n;
    for (n = 0; s.rate_bps < 40 * G && n < 50; n++) {
        s.time_stages = 0;
        (void)rocecc_dcqcn_increase_timer(&p, &s);
    }
    CHECK_EQ(n, 35); /* 20 * 10^9 is just above 2^34 */
    CHECK_EQ(s.rate_bps, 40 * G);
    s = active(&p, 20 * G,
               10 * G + 1); /* R_C also falls to R_T, which needs unusual parameters */
    (void)rocecc_dcqcn_increase_timer(&p, &s);
    CHECK_EQ(s.rate_bps, 15 * G + 1);
}

/* Returns the increase by the table of stage rules, -1 if fast, 0 if additive, or i. */
static int listed(unsigned rule, int f, int by_time, int by_bytes)
{
    const int most = by_time > by_bytes ? by_time : by_bytes;
    const int least = by_time < by_bytes ? by_time : by_bytes;
    switch (rule) {
    case ROCECC_DCQCN_STAGE_PAPER:
        return most <= f ? -1 : least > f ? least - f : 0;
    case ROCECC_DCQCN_STAGE_FIGURE:
        return most < f ? -1 : least > f ? least - f : 0;
    case ROCECC_DCQCN_STAGE_QAU:
        return most < f ? -1 : least >= f ? least - f + 1 : 0;
    default:
        return by_time <= f ? -1 : by_time > f + 1 ? by_time - f - 1 : 0;
    }
}

static void check_stage_rule(unsigned rule)
{
    static const uint8_t f[] = {0, 1, 2, 5, 253, 254};
    static const uint8_t counts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 252, 253, 254, 255};
    size_t n, t, b;
    for (n = 0; n < sizeof f; n++) {
        rocecc_dcqcn_params p = rocecc_dcqcn_paper(1600 * G);
        p.stage_rule = (uint8_t)rule;
        p.fast_recovery_stages = f[n];
        p.ai_bps = 3;
        p.hai_bps = 1000;
        p = made(p);
        for (t = 0; t < sizeof counts; t++)
            for (b = 0; b < sizeof counts; b++) {
                const int now = counts[t] < 255 ? counts[t] + 1 : 255;
                const int i = listed(rule, f[n], now, counts[b]);
                rocecc_dcqcn s = active(&p, 20 * G, 20 * G);
                s.time_stages = counts[t];
                s.byte_stages = counts[b];
                test_context("F %d, by time %d, by bytes %d", f[n], now, counts[b]);
                (void)rocecc_dcqcn_increase_timer(&p, &s);
                CHECK_EQ(s.target_bps - 20 * G, i < 0 ? 0 : i == 0 ? 3 : i * 1000);
                CHECK_EQ(s.rate_bps, (20 * G + s.target_bps + 1) / 2);
                CHECK_EQ(s.time_stages, now);
            }
    }
    test_context(" ");
}

TEST(D_16_stage_rule_paper_matches_its_table)
{
    check_stage_rule(ROCECC_DCQCN_STAGE_PAPER);
}

TEST(D_17_stage_rule_figure_matches_its_table)
{
    check_stage_rule(ROCECC_DCQCN_STAGE_FIGURE);
}

TEST(D_18_stage_rule_qau_matches_its_table)
{
    check_stage_rule(ROCECC_DCQCN_STAGE_QAU);
}

TEST(D_19_stage_rule_ns3_matches_its_table)
{
    check_stage_rule(ROCECC_DCQCN_STAGE_NS3);
}

/* By time alone, F or F - 1 rounds of recovery come before R_AI, as sources count. */
TEST(D_20_additive_increase_follows_fast_recovery)
{
    static const uint8_t rounds[] = {5, 4, 4, 5};
    unsigned rule, n;
    for (rule = 0; rule < 4; rule++) {
        rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
        rocecc_dcqcn s;
        p.stage_rule = (uint8_t)rule;
        p = made(p);
        s = active(&p, 10 * G, 20 * G);
        for (n = 0; s.target_bps == 20 * G && n < 20; n++)
            (void)rocecc_dcqcn_increase_timer(&p, &s);
        CHECK_EQ(n, rounds[rule] + 1u);
        CHECK_EQ(s.target_bps, 20 * G + 40 * M);
        (void)rocecc_dcqcn_increase_timer(&p, &s);
        CHECK_EQ(s.target_bps,
                 20 * G + (rule == ROCECC_DCQCN_STAGE_NS3 ? 440 * M : 80 * M));
    }
}

TEST(D_21_hyper_increase_grows_unless_hai_flat)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 10 * G, 10 * G);
    s.time_stages = 7;
    s.byte_stages = 9;
    (void)rocecc_dcqcn_increase_timer(&p, &s);
    CHECK_EQ(s.target_bps, 10 * G + 3 * 400 * M);
    p.hai_flat = 1;
    (void)rocecc_dcqcn_increase_timer(&p, &s);
    CHECK_EQ(s.target_bps, 10 * G + 4 * 400 * M);
}

TEST(D_22_rates_stop_at_line_rate)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 40 * G - 1, 40 * G - 1);
    p.hai_bps = ROCECC_RATE_END_BPS - 1;
    s.time_stages = s.byte_stages = 255;
    CHECK_EQ(rocecc_dcqcn_increase_timer(&p, &s).rate_bps, 40 * G);
    CHECK_EQ(s.target_bps, 40 * G);
    CHECK_EQ(rocecc_dcqcn_increase_timer(&p, &s).rate_bps, 40 * G);
}

TEST(D_23_stages_stop_at_255)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = active(&p, 20 * G, 20 * G);
    int i;
    p.byte_counter_bytes = 1;
    for (i = 0; i < 300; i++) {
        (void)rocecc_dcqcn_increase_timer(&p, &s);
        (void)rocecc_dcqcn_sent(&p, &s, 1);
        CHECK_EQ(s.time_stages, i < 255 ? i + 1 : 255);
        CHECK_EQ(s.byte_stages, i < 255 ? i + 1 : 255);
    }
}

/* D-24: the increase from 35 Gb/s exceeds release_bps, 36 Gb/s. The state is then as
 * at the start, and the next CNP is a first CNP. */
TEST(D_24_release_resets_the_state_and_stops_all_timers)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    p.release_bps = 36 * G;
    p.g_q20 = 1 << 19;
    p.cut_interval_ns = 1000000;
    p = made(p);
    s = rocecc_dcqcn_start(&p);
    (void)rocecc_dcqcn_cnp(&p, &s);
    (void)rocecc_dcqcn_alpha_timer(&p, &s);
    CHECK(!rocecc_dcqcn_increase_timer(&p, &s).released); /* 30 Gb/s */
    CHECK(!rocecc_dcqcn_increase_timer(&p, &s).released); /* 35 Gb/s */
    (void)rocecc_dcqcn_sent(&p, &s, 9999999);
    act = rocecc_dcqcn_sent(&p, &s, 70000001); /* the first of 8 exceeds 36 Gb/s */
    CHECK(act.released && act.rate_bps == 40 * G);
    CHECK(act.arm == 0 && act.stop == ROCECC_DCQCN_TIMER_ALL);
    CHECK(s.flags == 0 && s.sent_bytes == 0 && s.decays == 0);
    CHECK(s.time_stages == 0 && s.byte_stages == 0);
    CHECK_EQ(s.target_bps, 40 * G);
    CHECK_EQ(s.alpha_q31, ONE_Q31); /* the state is as at the start */
    act = rocecc_dcqcn_cnp(&p, &s); /* a first CNP, with no recent cut and alpha 1 */
    CHECK(act.cut && act.rate_bps == 20 * G);
    CHECK_EQ(s.alpha_q31, ONE_Q31);
}

/* Only an increase releases a flow, even if the first CNP sets R_C to release_bps. */
TEST(D_24_only_an_increase_releases_a_flow)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s;
    p.release_bps = p.first_cnp_bps = 36 * G;
    s = rocecc_dcqcn_start(&p);
    CHECK(!rocecc_dcqcn_cnp(&p, &s).released);
    CHECK(!rocecc_dcqcn_alpha_timer(&p, &s).released);
    CHECK(!rocecc_dcqcn_sent(&p, &s, 9999999).released);
    CHECK(rocecc_dcqcn_sent(&p, &s, 1).released);
}

TEST(D_24_an_increase_to_line_rate_releases_a_flow)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_nvidia(100 * G));
    rocecc_dcqcn s = rocecc_dcqcn_start(&p);
    rocecc_dcqcn_action act;
    int n;
    (void)rocecc_dcqcn_cnp(&p, &s);
    act = rocecc_dcqcn_cut_timer(&p, &s);
    for (n = 0; !act.released && n < 100; n++) {
        CHECK((act.arm & INCREASE) != 0 && act.rate_bps < 100 * G);
        act = rocecc_dcqcn_increase_timer(&p, &s);
    }
    CHECK(act.released && act.arm == 0 && act.rate_bps == 100 * G);
    CHECK_EQ(n, 36);
}

TEST(D_25_periodic_first_cnp_notes_a_cut)
{
    rocecc_dcqcn_params p = made(rocecc_dcqcn_nvidia(100 * G));
    rocecc_dcqcn s = rocecc_dcqcn_start(&p);
    rocecc_dcqcn_action act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.arm == (ALPHA | CUT) && act.stop == 0 && !act.cut);
    CHECK_EQ(act.rate_bps, 100 * G);
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_NOTED_CUT);
    CHECK_EQ(s.alpha_q31, ONE_Q31 / 1024 * 1023);
    p.first_cnp_bps = 10 * G;
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.arm == (ALPHA | CUT) && !act.cut);
    CHECK_EQ(act.rate_bps, 10 * G);
    CHECK_EQ(s.target_bps, 10 * G);
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_NOTED_CUT);
}

TEST(D_26_periodic_later_cnps_are_noted)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_nvidia(100 * G));
    rocecc_dcqcn s = rocecc_dcqcn_start(&p);
    int i;
    (void)rocecc_dcqcn_cnp(&p, &s);
    for (i = 0; i < 3; i++) {
        const rocecc_dcqcn_action act = rocecc_dcqcn_cnp(&p, &s);
        CHECK(act.arm == 0 && act.stop == 0 && !act.cut);
        CHECK_EQ(act.rate_bps, 100 * G);
        CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_NOTED);
        CHECK_EQ(s.alpha_q31, ONE_Q31 / 1024 * 1023);
    }
}

TEST(D_27_periodic_alpha_changes_only_by_its_timer)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_nvidia(100 * G);
    rocecc_dcqcn s;
    p.alpha_init_q20 = HALF_Q20;
    p.g_q20 = 1 << 18;
    p = made(p);
    s = rocecc_dcqcn_start(&p);
    (void)rocecc_dcqcn_cnp(&p, &s);
    CHECK_EQ(rocecc_dcqcn_alpha_timer(&p, &s).arm, ALPHA); /* first CNP is not noted */
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), ONE_Q31 / 8 * 3);
    (void)rocecc_dcqcn_cnp(&p, &s);
    (void)rocecc_dcqcn_alpha_timer(&p, &s);
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), ONE_Q31 / 32 * 17);
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_NOTED_CUT);
    (void)rocecc_dcqcn_alpha_timer(&p, &s);
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), ONE_Q31 / 128 * 51);
}

TEST(D_28_periodic_cut_timer_applies_noted_cuts)
{
    rocecc_dcqcn_params p = made(rocecc_dcqcn_ns3_hpcc(100 * G));
    rocecc_dcqcn s = rocecc_dcqcn_start(&p);
    rocecc_dcqcn_action act;
    (void)rocecc_dcqcn_cnp(&p, &s);
    act = rocecc_dcqcn_cut_timer(&p, &s);
    CHECK(act.cut && act.rate_bps == 50 * G && act.arm == (CUT | INCREASE));
    act = rocecc_dcqcn_cut_timer(&p, &s);
    CHECK(!act.cut && act.rate_bps == 50 * G && act.arm == CUT);
    (void)rocecc_dcqcn_cnp(&p, &s);
    act = rocecc_dcqcn_cut_timer(&p, &s); /* for any cut_interval */
    CHECK(act.cut && act.rate_bps == 25 * G);
    /* In event mode the cut timer does not cut. */
    p.periodic = 0;
    (void)rocecc_dcqcn_cnp(&p, &s);
    s.flags |= ROCECC_DCQCN_NOTED_CUT;
    act = rocecc_dcqcn_cut_timer(&p, &s);
    CHECK(!act.cut && act.arm == 0);
}

/* Fires n alpha timers. With g = 1, alpha is 0 at once, and alpha_q31 after 256. */
static rocecc_dcqcn_action alpha_timers(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                        int n)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    for (; n > 0; n--)
        act = rocecc_dcqcn_alpha_timer(p, s);
    return act;
}

/* D-29: at alpha 0 the timers run until a noted cut is done, and the next CNP starts
 * them. */
TEST(D_29_timers_stop_at_alpha_0_without_a_noted_cnp)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_ns3_hpcc(100 * G);
    rocecc_dcqcn s;
    rocecc_dcqcn_action act;
    p.g_q20 = ROCECC_ONE_Q20;
    p = made(p);
    s = rocecc_dcqcn_start(&p);
    (void)rocecc_dcqcn_cnp(&p, &s);
    act = alpha_timers(&p, &s, 256);
    CHECK(s.alpha_q31 == 0 && act.arm == ALPHA && act.stop == 0); /* a cut is due */
    act = rocecc_dcqcn_cut_timer(&p, &s);
    CHECK(act.cut && act.arm == INCREASE && act.stop == (ALPHA | CUT));
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.arm == (ALPHA | CUT) && act.stop == 0);
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_NOTED);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).arm, 0);
    CHECK_EQ(rocecc_dcqcn_alpha_timer(&p, &s).arm, ALPHA);
    CHECK_EQ(rocecc_dcqcn_cut_timer(&p, &s).arm, CUT | INCREASE);
    CHECK_EQ(alpha_timers(&p, &s, 255).arm, ALPHA);
    act = rocecc_dcqcn_alpha_timer(&p, &s);
    CHECK(act.arm == 0 && act.stop == (ALPHA | CUT));
}

/* In event mode the cut timer runs to the end of cut_interval, even if alpha is 0. */
TEST(D_29_event_mode_stops_only_the_alpha_timer)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn s;
    p.g_q20 = ROCECC_ONE_Q20;
    p.cut_interval_ns = 100000;
    p = made(p);
    s = rocecc_dcqcn_start(&p);
    (void)rocecc_dcqcn_cnp(&p, &s);
    CHECK_EQ(alpha_timers(&p, &s, 256).stop, ALPHA);
    CHECK_EQ(s.flags, ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_RECENT);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).arm, ALPHA);
    CHECK_EQ(rocecc_dcqcn_cut_timer(&p, &s).stop, 0);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &s).arm, ALPHA | CUT | INCREASE);
}

/* After one CNP with the paper's values, the increase timer stops after 35 halvings. */
TEST(D_32_the_increase_timer_stops_at_line)
{
    const rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = rocecc_dcqcn_start(&p);
    rocecc_dcqcn_action act = rocecc_dcqcn_cnp(&p, &s);
    int n;
    for (n = 0; (act.arm & INCREASE) != 0 && n < 100; n++)
        act = rocecc_dcqcn_increase_timer(&p, &s);
    CHECK_EQ(n, 35); /* 20 * 10^9 is just above 2^34 */
    CHECK(act.arm == 0 && act.stop == INCREASE && act.rate_bps == 40 * G);
    CHECK((s.flags & ROCECC_DCQCN_ACTIVE) != 0);
    CHECK((rocecc_dcqcn_cnp(&p, &s).arm & INCREASE) != 0);
    /* Stages by bytes also stop it. */
    CHECK_EQ(rocecc_dcqcn_sent(&p, &s, 79999999).stop, 0);
    s.rate_bps = 40 * G - 3;
    CHECK_EQ(rocecc_dcqcn_sent(&p, &s, 10000000).stop, 0);
    act = rocecc_dcqcn_sent(&p, &s, 10000000);
    CHECK(act.stop == INCREASE && act.arm == 0);
    CHECK_EQ(rocecc_dcqcn_sent(&p, &s, 0).stop, 0);
}

/*
 * (1 - g)^n is multiplied in double, with an error far below 2^-31. The worst of
 * 100,000 counts is off by about 2^-29.
 */
TEST(D_33_alpha_from_the_count_agrees_with_double)
{
    static const uint32_t gains[] = {1024, 1025, 4096, 5120, 65536, 524289, 1 << 20};
    size_t i;
    for (i = 0; i < sizeof gains / sizeof gains[0]; i++) {
        rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
        rocecc_dcqcn s;
        double exact = ONE_Q31;
        int n;
        p.g_q20 = gains[i];
        p = made(p);
        s = active(&p, 40 * G, 40 * G);
        test_context("g_q20 %u", (unsigned)gains[i]);
        for (n = 1; n < 30000; n++) {
            double off;
            (void)rocecc_dcqcn_alpha_timer(&p, &s);
            exact *= 1 - gains[i] / 1048576.0;
            off = fabs(rocecc_dcqcn_alpha_q31(&p, &s) - exact);
            CHECK(off < 8); /* 2^-28 */
        }
        CHECK_EQ(s.alpha_q31, 0);
        CHECK_EQ(s.decays, 0);
    }
}

/* With the lowest gain, the largest alpha is 0 after 84 blocks. 96 suffice for any. */
TEST(D_33_alpha_is_0_after_84_blocks)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn s;
    uint64_t n;
    p.g_q20 = ROCECC_DCQCN_G_MIN_Q20;
    p = made(p);
    for (n = 0; n < 97; n++) {
        s = active(&p, 40 * G, 40 * G);
        s.alpha_q31 = ONE_Q31;
        rocecc_dcqcn_count_decays_(&p, &s, n * 256);
        if (s.alpha_q31 == 0) break;
    }
    CHECK_EQ(n, 84); /* x = min(round(x * (1 - g)^256), x - 1), in Python */
    s.alpha_q31 = ONE_Q31;
    rocecc_dcqcn_count_decays_(&p, &s, UINT64_MAX - 255);
    CHECK_EQ(s.alpha_q31, 0);
    CHECK_EQ(s.decays, 0);
}

/* D-34: relink puts an inactive flow at the new line rate. It clamps R_C and R_T of an
 * active flow to R_min and the line rate. */
TEST(D_34_relink_clamps_the_rates_to_the_new_line)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(400 * G);
    rocecc_dcqcn idle, s, high;
    rocecc_dcqcn_action act;
    p = made(p);
    idle = rocecc_dcqcn_start(&p);
    s = high = active(&p, 60 * G, 400 * G);
    high.rate_bps = 300 * G;
    s.sent_bytes = 9999999;
    p = made(rocecc_dcqcn_paper(100 * G));
    act = rocecc_dcqcn_relink(&p, &idle);
    CHECK(act.rate_bps == 100 * G && act.arm == 0 && idle.flags == 0);
    CHECK_EQ(rocecc_dcqcn_cnp(&p, &idle).rate_bps, 50 * G);
    act = rocecc_dcqcn_relink(&p, &s);
    CHECK(act.rate_bps == 60 * G && act.arm == INCREASE && act.stop == 0 && !act.cut);
    CHECK(s.target_bps == 100 * G && s.sent_bytes == 9999999);
    act = rocecc_dcqcn_relink(&p, &high);
    CHECK(act.rate_bps == 100 * G && high.target_bps == 100 * G);
    /* At a faster line, R_C climbs from its old value, and the timer runs again. */
    CHECK_EQ(rocecc_dcqcn_increase_timer(&p, &high).stop, INCREASE);
    p = made(rocecc_dcqcn_paper(400 * G));
    act = rocecc_dcqcn_relink(&p, &high);
    CHECK(act.rate_bps == 100 * G && act.arm == INCREASE);
    CHECK_EQ(rocecc_dcqcn_increase_timer(&p, &high).arm, INCREASE);
    /* The new R_min is above R_C, and the new B is sent_bytes. */
    p.min_bps = 80 * G;
    p.byte_counter_bytes = 9999999;
    act = rocecc_dcqcn_relink(&p, &s);
    CHECK(act.rate_bps == 80 * G && s.sent_bytes == 0);
}

/* D-35: restart sets R_C to restart_bps and R_T to the old R_C, and begins the stages
 * again. It changes nothing if restart_bps is 0, or if R_C has this rate. */
TEST(D_35_restart_lowers_the_rate_to_restart_bps)
{
    rocecc_dcqcn_params p = paper();
    rocecc_dcqcn s = rocecc_dcqcn_start(&p), was = s;
    rocecc_dcqcn_action act = rocecc_dcqcn_restart(&p, &s);
    CHECK(same(&s, &was) && act.rate_bps == 40 * G && act.arm == 0); /* disabled */
    p.restart_bps = 5 * G;
    act = rocecc_dcqcn_restart(&p, &s);
    CHECK(act.rate_bps == 5 * G && act.arm == (ALPHA | INCREASE) && !act.cut);
    CHECK(s.target_bps == 40 * G && s.flags == ROCECC_DCQCN_ACTIVE);
    CHECK_EQ(rocecc_dcqcn_increase_timer(&p, &s).rate_bps, 22500 * M);
    (void)rocecc_dcqcn_sent(&p, &s, 1);
    act = rocecc_dcqcn_restart(&p, &s);
    CHECK(act.rate_bps == 5 * G && act.arm == INCREASE);
    CHECK(s.target_bps == 22500 * M && s.time_stages == 0 && s.sent_bytes == 0);
    act = rocecc_dcqcn_restart(&p, &s); /* already at restart_bps */
    CHECK(act.rate_bps == 5 * G && act.arm == 0 && s.target_bps == 22500 * M);
    p.periodic = 1;
    p.cut_interval_ns = 4000;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_restart(&p, &s).arm, ALPHA | CUT | INCREASE);
    p.alpha_init_q20 = 0;
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_restart(&p, &s).arm, INCREASE);
}

/* A host with deadlines on a 64-bit clock, and with bytes computed from the rate. */

typedef struct host {
    const rocecc_dcqcn_params *p;
    rocecc_dcqcn s;
    uint64_t deadline_ns[3]; /* alpha, cut, increase */
    bool runs[3];
    double sent; /* bits */
    double unreported;
} host;

static host host_new(const rocecc_dcqcn_params *p)
{
    host h;
    memset(&h, 0, sizeof h);
    h.p = p;
    h.s = rocecc_dcqcn_start(p);
    return h;
}

/* Stops and starts timers for an action of an event at at_ns. */
static void host_act(host *h, const rocecc_dcqcn_action *act, uint64_t at_ns)
{
    const uint32_t period[] = {h->p->alpha_timer_ns, h->p->cut_interval_ns,
                               h->p->increase_timer_ns};
    int i;
    for (i = 0; i < 3; i++) {
        if ((act->stop >> i & 1) != 0) h->runs[i] = false;
        if ((act->arm >> i & 1) == 0) continue;
        h->runs[i] = true;
        h->deadline_ns[i] = at_ns + period[i];
    }
}

static void host_cnp(host *h, uint64_t now_ns)
{
    const rocecc_dcqcn_action act = rocecc_dcqcn_cnp(h->p, &h->s);
    host_act(h, &act, now_ns);
}

/* Fires the due timers in order. */
static void host_poll(host *h, uint64_t now_ns)
{
    for (;;) {
        rocecc_dcqcn_action act;
        uint64_t at_ns;
        int i, next = -1;
        for (i = 0; i < 3; i++)
            if (h->runs[i] && h->deadline_ns[i] <= now_ns &&
                (next < 0 || h->deadline_ns[i] < h->deadline_ns[next]))
                next = i;
        if (next < 0) return;
        at_ns = h->deadline_ns[next];
        h->runs[next] = false;
        act = next == 0   ? rocecc_dcqcn_alpha_timer(h->p, &h->s)
              : next == 1 ? rocecc_dcqcn_cut_timer(h->p, &h->s)
                          : rocecc_dcqcn_increase_timer(h->p, &h->s);
        host_act(h, &act, at_ns);
    }
}

/* A host that polls every 977 us reaches the state of a host that is never late. */
TEST(D_30_late_timers_keep_their_grid)
{
    static rocecc_dcqcn_params presets[3];
    int i;
    presets[0] = paper();
    presets[0].cut_interval_ns = 400000;
    presets[1] = made(rocecc_dcqcn_nvidia(100 * G));
    presets[2] = made(rocecc_dcqcn_ns3_hpcc(25 * G));
    for (i = 0; i < 3; i++) {
        host prompt = host_new(&presets[i]), late = prompt;
        uint64_t now_ns = UINT32_MAX - (uint64_t)5000000, n;
        for (n = 1; n < 20000; n++, now_ns += 500) {
            host_poll(&prompt, now_ns);
            if (n % 1954 != 0) continue;
            host_poll(&late, now_ns);
            CHECK(same(&prompt.s, &late.s));
            host_cnp(&prompt, now_ns);
            host_cnp(&late, now_ns);
        }
        host_poll(&late, now_ns - 500);
        CHECK(same(&prompt.s, &late.s));
        CHECK(memcmp(prompt.deadline_ns, late.deadline_ns, sizeof late.deadline_ns) ==
              0);
    }
}

/* Long runs of random events leave the state valid. The law covers short runs. */
TEST(D_31_events_in_any_order_keep_the_state_valid)
{
    uint64_t random = 31, round;
    int preset;
    for (preset = 0; preset < 3; preset++) {
        rocecc_dcqcn_params p = made(preset == 0   ? rocecc_dcqcn_paper(1600 * G)
                                     : preset == 1 ? rocecc_dcqcn_nvidia(25 * G)
                                                   : rocecc_dcqcn_ns3_hpcc(G));
        rocecc_dcqcn s = rocecc_dcqcn_start(&p);
        if (preset == 0) p.cut_interval_ns = INT32_MAX;
        for (round = test_rounds(100000); round > 0; round--) {
            const uint8_t kind = (uint8_t)(test_random(&random) >> 29);
            const uint32_t value = test_random(&random) >> (test_random(&random) & 31);
            const rocecc_dcqcn before = s;
            rocecc_dcqcn_action act;
            /* Most blocks of 512 events have one kind, to reach the bounds. */
            act = law_dcqcn_event(&p, &s, (round >> 9 & 3) == 0 ? kind : round >> 9 & 7,
                                  value);
            CHECK(law_dcqcn_bounds(&p, &s));
            if ((round >> 9 & 3) == 0) CHECK(law_dcqcn_kept(&before, &s, &act, kind));
        }
    }
}

/* A closed loop of flows through one bottleneck, in steps of 1 us. Packets of 1,000
 * bytes are marked at random by the paper's curve for 40 Gb/s (5 kB, 200 kB, 1 %). */

#define PATH_US 8
#define START_US 1000

static double mark_probability(double queue_bytes)
{
    if (queue_bytes < 5000) return 0;
    if (queue_bytes >= 200000) return 1;
    return 0.01 * (queue_bytes - 5000) / 195000;
}

typedef struct loop {
    host flow[4];
    bool under_way[4][PATH_US]; /* CNPs in flight, by arrival time in us */
    uint64_t last_us[4];        /* time of a flow's last CNP */
    uint64_t np_us;             /* shortest time between CNPs */
    int n;
    double queue;   /* bytes */
    double carried; /* bits */
    uint64_t random;
} loop;

static void loop_step(loop *l, uint64_t now_us)
{
    const double line = (double)l->flow[0].p->line_bps;
    const double p = mark_probability(l->queue);
    double in = 0, out;
    int i;
    for (i = 0; i < l->n; i++) {
        host *h = &l->flow[i];
        bool *cnp = &l->under_way[i][now_us % PATH_US];
        const double bits = (double)h->s.rate_bps * 1e-6;
        const double unmarked = pow(1 - p, bits / 8000);
        rocecc_dcqcn_action act;
        host_poll(h, now_us * 1000);
        if (*cnp) host_cnp(h, now_us * 1000);
        *cnp = now_us - l->last_us[i] >= l->np_us &&
               (double)test_random(&l->random) / 4294967296.0 >= unmarked;
        if (*cnp) l->last_us[i] = now_us;
        in += bits;
        h->sent += bits;
        h->unreported += bits / 8;
        act = rocecc_dcqcn_sent(h->p, &h->s, (uint32_t)h->unreported);
        h->unreported -= (uint32_t)h->unreported;
        host_act(h, &act, now_us * 1000);
    }
    out = l->queue * 8 + in < line * 1e-6 ? l->queue * 8 + in : line * 1e-6;
    l->queue += (in - out) / 8;
    l->carried += out;
}

typedef struct outcome {
    double utilisation;
    double jain;
    double most_off; /* largest deviation from the mean, relative */
} outcome;

/* Runs the loop for `us`, and returns the results of the last kept_us. */
static outcome loop_run(loop *l, uint64_t us, uint64_t kept_us)
{
    outcome o = {0, 0, 0};
    double sum = 0, squares = 0;
    uint64_t now;
    int i;
    for (now = 1; now <= us; now++) {
        if (now == us - kept_us) {
            l->carried = 0;
            for (i = 0; i < l->n; i++)
                l->flow[i].sent = 0;
        }
        loop_step(l, now + START_US);
    }
    for (i = 0; i < l->n; i++) {
        sum += l->flow[i].sent;
        squares += l->flow[i].sent * l->flow[i].sent;
    }
    for (i = 0; i < l->n; i++) {
        const double off = fabs(l->flow[i].sent * l->n / sum - 1);
        if (off > o.most_off) o.most_off = off;
    }
    o.utilisation =
        l->carried / ((double)l->flow[0].p->line_bps * 1e-6 * (double)kept_us);
    o.jain = sum * sum / (l->n * squares);
    return o;
}

static loop loop_of(const rocecc_dcqcn_params *p, int n)
{
    loop l;
    memset(&l, 0, sizeof l);
    for (l.n = 0; l.n < n; l.n++)
        l.flow[l.n] = host_new(p);
    l.random = 1;
    l.np_us = p->periodic != 0 ? 0 : 50; /* no gate in HPCC's ns-3 */
    return l;
}

static void check_outcome(const char *name, const outcome *o, double most_off)
{
    test_context("%s: utilisation %.4f, Jain %.5f, off by %.4f", name, o->utilisation,
                 o->jain, o->most_off);
    if (getenv("TRACE_ERRORS") != NULL)
        printf("%s: utilisation %.4f, Jain %.5f, off by %.4f\n", name, o->utilisation,
               o->jain, o->most_off);
    CHECK(o->utilisation > 0.99);
    CHECK(o->jain > 0.99);
    CHECK(o->most_off < most_off);
}

TEST(dcqcn_two_flows_fill_and_share_a_link)
{
    const rocecc_dcqcn_params p = paper();
    loop l = loop_of(&p, 2);
    const outcome o = loop_run(&l, 100000, 50000);
    check_outcome("two flows", &o, 0.1);
}

TEST(dcqcn_two_unequal_flows_become_equal)
{
    const rocecc_dcqcn_params p = paper();
    loop l = loop_of(&p, 2);
    outcome o;
    l.flow[1].s = active(&p, 4 * G, 4 * G);
    o = loop_run(&l, 400000, 300000);
    check_outcome("unequal flows", &o, 0.05);
}

TEST(dcqcn_two_flows_with_periodic_cuts_become_equal)
{
    rocecc_dcqcn_params p = made(rocecc_dcqcn_ns3_hpcc(40 * G));
    loop l = loop_of(&p, 2);
    outcome o;
    l.flow[1].s.rate_bps = l.flow[1].s.target_bps = 4 * G;
    o = loop_run(&l, 600000, 200000);
    check_outcome("by timers", &o, 0.05);
}

/* Without marks, a flow that was cut returns exactly to line rate. */
TEST(dcqcn_rate_returns_to_line_without_cnps)
{
    const rocecc_dcqcn_params p = paper();
    host h = host_new(&p);
    uint64_t now_ns;
    host_cnp(&h, 0);
    host_cnp(&h, 0);
    host_cnp(&h, 0);
    CHECK_EQ(h.s.rate_bps, 5 * G);
    for (now_ns = 0; now_ns < 100000000; now_ns += 10000)
        host_poll(&h, now_ns);
    CHECK_EQ(h.s.rate_bps, 40 * G);
    CHECK_EQ(h.s.target_bps, 40 * G);
}

/* The tolerances are the measured errors, rounded up. The requirement is 1e-4. */
TEST(dcqcn_traces)
{
    static const trace_tolerance t[] = {
        {"rate_bps", 1e-7, 2}, {"target_bps", 1e-7, 2}, {"alpha_q31", 0, 32}};
    trace_check("dcqcn", t, 3);
}

TEST(dcqcn_law)
{
    law_random(law_dcqcn, 20000);
}

/*
 * Squares of Q64 fractions are rounded down. The largest is (2^64 - 1)^2 / 2^64. The
 * square of 2^32 + 3 * 2^29 is 121/64, but above 2 with three middle terms.
 */
TEST(dcqcn_squares_round_down)
{
    CHECK_EQ(rocecc_dcqcn_square_q64_(UINT64_MAX), UINT64_MAX - 1);
    CHECK_EQ(rocecc_dcqcn_square_q64_(UINT64_C(0x160000000)), 1);
    CHECK_EQ(rocecc_dcqcn_square_q64_((uint64_t)1 << 63), (uint64_t)1 << 62);
    CHECK_EQ(rocecc_dcqcn_square_q64_(UINT32_MAX), 0);
}

/* D-33: alpha depends only on alpha_q31 and the count. One decay makes 1 - g of 1. */
TEST(D_33_alpha_depends_only_on_alpha_q31_and_the_count)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(40000000000));
    rocecc_dcqcn s;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), (uint32_t)1 << 31);
    s.decays = 1;
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), ((uint32_t)1 << 31) - ((uint32_t)1 << 23));
}

/* D-32: even if R_AI is above the line rate, R_C and R_T stop at the line rate, and the
 * increase timer stops. */
TEST(D_32_increase_stops_at_line_with_a_large_step)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(40000000000));
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    int i;
    p.ai_bps = ROCECC_RATE_END_BPS - 1;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut && act.rate_bps == UINT64_C(20000000000));
    for (i = 0; i < 64 && s.rate_bps < p.line_bps; i++) {
        CHECK((act.arm & ROCECC_DCQCN_TIMER_INCREASE) != 0 && act.stop == 0);
        act = rocecc_dcqcn_increase_timer(&p, &s);
    }
    CHECK(s.rate_bps == p.line_bps && s.target_bps == p.line_bps);
    CHECK_EQ(act.arm, 0);
    CHECK_EQ(act.stop, ROCECC_DCQCN_TIMER_INCREASE);
}

/* D-6, D-7: a cut leaves at least min_dec * R_C, so half of an odd rate rounds up. */
TEST(D_6_D_7_half_of_an_odd_rate_rounds_up)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(40000000001));
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    p.cut_shift = 0;
    p.min_dec_q20 = 1 << 19;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut);
    CHECK_EQ(act.rate_bps, UINT64_C(20000000001));
}

/* D-35: a restart gives a flow a limiter, so the next CNP cuts at once and is not a
 * first one (D-3, D-5). */
TEST(D_35_a_cnp_after_a_restart_is_not_a_first_cnp)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    p.first_cnp_bps = 10 * G;
    p.restart_bps = 8 * G;
    p.cut_interval_ns = 50000;
    p = made(p);
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_restart(&p, &s).rate_bps, 8 * G);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut && act.rate_bps == 4 * G);
    CHECK_EQ(s.target_bps, 8 * G);
}

/* D-24, D-34: relink lowers R_C to release_bps, but only increases release a flow. */
TEST(D_24_D_34_relink_does_not_release_a_flow)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn s;
    rocecc_dcqcn_action act;
    p.release_bps = 40 * G;
    p = made(p);
    s = active(&p, 60 * G, 60 * G);
    act = rocecc_dcqcn_relink(&p, &s);
    CHECK(act.rate_bps == 40 * G && !act.released && act.arm == INCREASE);
    CHECK(rocecc_dcqcn_increase_timer(&p, &s).released);
}
