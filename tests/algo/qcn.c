/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/qcn.h"
#include "../../examples/lib/field.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "rocecc/wire/cnm.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define M UINT64_C(1000000)
#define MIDDLE ((uint32_t)1 << 31) /* a random number without jitter */
#define BYTE_RESET 150000u
#define TIME_RESET 15000000u

typedef struct bound {
    size_t offset;
    size_t size;
    uint64_t value;
    unsigned why; /* 0: accepted */
} bound;

#define BOUND(T, member, value, why)                                                   \
    {                                                                                  \
        offsetof(T, member), sizeof(((T *)0)->member), value, why                      \
    }

static void set(void *params, const bound *b)
{
    const field f = FIELD_AT("", UINT, b->offset, b->size, NULL);
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)b->value);
    CHECK(field_set(&f, params, text));
}

/* The congestion point. */

static rocecc_qcn_cp_params cp_made(int exponent)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    p.weight_q10 = rocecc_qcn_weight_q10(exponent);
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
    return p;
}

static rocecc_qcn_cp_action offered(const rocecc_qcn_cp_params *p, rocecc_qcn_cp *s,
                                    uint32_t frame_bytes, uint32_t queue_bytes,
                                    uint32_t random)
{
    rocecc_qcn_cp_event f = {0, 0, 0, false};
    f.frame_bytes = frame_bytes;
    f.queue_bytes = queue_bytes;
    f.random = random;
    return rocecc_qcn_cp_offer(p, s, &f);
}

/* Offers a frame that is always sampled, without jitter. */
static rocecc_qcn_cp_action sampled(const rocecc_qcn_cp_params *p, rocecc_qcn_cp *s,
                                    uint32_t queue_bytes)
{
    s->left_bytes = 0;
    return offered(p, s, 1, queue_bytes, MIDDLE);
}

#define CP_BAD(member, value, why)                                                     \
    BOUND(rocecc_qcn_cp_params, member, value, ROCECC_QCN_CP_REFUSED_##why)
#define CP_GOOD(member, value) BOUND(rocecc_qcn_cp_params, member, value, 0)

TEST(qcn_cp_init_rejects_params_out_of_range)
{
    static const bound bounds[] = {
        CP_BAD(set_point_bytes, 99, SET_POINT),
        CP_GOOD(set_point_bytes, 100),
        CP_GOOD(set_point_bytes, UINT32_MAX),
        CP_BAD(weight_q10, 0, WEIGHT),
        CP_GOOD(weight_q10, 1),
        CP_GOOD(weight_q10, 1 << 20),
        CP_BAD(weight_q10, (1 << 20) + 1, WEIGHT),
        CP_BAD(sample_base_bytes, 9999, SAMPLE_BASE),
        CP_GOOD(sample_base_bytes, 10000),
        CP_GOOD(sample_base_bytes, UINT32_MAX),
    };
    unsigned seen = 0;
    size_t i;
    for (i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        rocecc_qcn_cp_params p = rocecc_qcn_cp_mib(), was;
        test_context("bound %u", (unsigned)i);
        set(&p, &bounds[i]);
        memcpy(&was, &p, sizeof p);
        CHECK_EQ(rocecc_qcn_cp_init(&p), bounds[i].why);
        CHECK((memcmp(&p, &was, sizeof p) == 0) == (bounds[i].why != 0));
        seen |= 1u << bounds[i].why;
    }
    CHECK_EQ(seen, (2u << ROCECC_QCN_CP_REFUSED_SAMPLE_BASE) - 1);
}

TEST(qcn_cp_presets_have_the_published_values)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    CHECK_EQ(p.set_point_bytes, 26000);
    CHECK_EQ(p.weight_q10, 2048);
    CHECK_EQ(p.sample_base_bytes, 150000);
    CHECK(!p.emit_zero_fb && !p.skip_dropped);
    p = rocecc_qcn_cp_mlxreg();
    CHECK_EQ(p.set_point_bytes, 26048);
    CHECK_EQ(p.weight_q10, 2048);
    CHECK_EQ(p.sample_base_bytes, 150016);
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
}

TEST(qcn_weight_q10_accepts_exponents_from_minus_10_to_10)
{
    CHECK_EQ(rocecc_qcn_weight_q10(-11), 0);
    CHECK_EQ(rocecc_qcn_weight_q10(-10), 1);
    CHECK_EQ(rocecc_qcn_weight_q10(0), 1024);
    CHECK_EQ(rocecc_qcn_weight_q10(10), 1 << 20);
    CHECK_EQ(rocecc_qcn_weight_q10(11), 0);
    CHECK_EQ(rocecc_qcn_weight_q10(INT32_MIN), 0);
    CHECK_EQ(rocecc_qcn_weight_q10(INT32_MAX), 0);
}

TEST(CP_01_a_queue_starts_with_a_jittered_sample_base)
{
    const rocecc_qcn_cp_params p = cp_made(1);
    rocecc_qcn_cp s = rocecc_qcn_cp_start(&p, 0);
    CHECK_EQ(s.left_bytes, 127500);
    CHECK_EQ(s.old_bytes, 0);
    CHECK_EQ(s.transmitted_cnms, 0);
    s = rocecc_qcn_cp_start(&p, UINT32_MAX);
    CHECK_EQ(s.left_bytes, 172499);
}

/* The frame that takes cpEnqued below 0, not to 0, is sampled. */
TEST(CP_02_a_frame_is_sampled_below_0_not_at_0)
{
    const rocecc_qcn_cp_params p = cp_made(1);
    rocecc_qcn_cp s = rocecc_qcn_cp_start(&p, MIDDLE);
    CHECK(!offered(&p, &s, 149000, 90000, 1).sampled);
    CHECK_EQ(s.left_bytes, 1000);
    CHECK(!offered(&p, &s, 1000, 90000, 1).sampled);
    CHECK_EQ(s.left_bytes, 0);
    CHECK(!offered(&p, &s, 0, 90000, 1).sampled);
    CHECK_EQ(s.old_bytes, 0);
    CHECK(offered(&p, &s, 1, 90000, 1).sampled);
    CHECK_EQ(s.old_bytes, 90000);
    s = rocecc_qcn_cp_start(&p, MIDDLE);
    CHECK(offered(&p, &s, 150001, 90000, 1).sampled);
    s = rocecc_qcn_cp_start(&p, MIDDLE);
    CHECK(offered(&p, &s, UINT32_MAX, 90000, 1).sampled);
}

/* The worked examples, with their input and CNM. */
typedef struct worked {
    int exponent;
    uint32_t queue_bytes, old_bytes;
    int64_t offset, delta;
    unsigned qntz_fb;
    uint16_t wire_offset, wire_delta;
} worked;

static const worked examples[] = {
    {1, 0, 0, 26000, 0, 0, 0x0196, 0x0000},
    {1, 26001, 26000, -1, 1, 0, 0x0000, 0x0000},
    {1, 28063, 28063, -2063, 0, 0, 0xffe0, 0x0000},
    {1, 28064, 28064, -2064, 0, 1, 0xffe0, 0x0000},
    {1, 20000, 5000, 6000, 15000, 11, 0x005d, 0x00ea},
    {1, 40000, 30000, -14000, 10000, 16, 0xff26, 0x009c},
    {1, 60000, 50000, -34000, 10000, 26, 0xfded, 0x009c},
    {1, 155999, 155999, -129999, 0, 62, 0xf811, 0x0000},
    {1, 156000, 156000, -130000, 0, 63, 0xf811, 0x0000},
    {1, 3000000, 0, -2974000, 3000000, 63, 0x8000, 0x7fff},
    {0, 60000, 50000, -34000, 10000, 35, 0xfded, 0x009c},
    {-1, 60000, 50000, -34000, 10000, 47, 0xfded, 0x009c},
    {1, 40000, 80000, -14000, -40000, 0, 0xff26, 0xfd8f},
};

TEST(CP_03_worked_examples_give_the_expected_cnms)
{
    const rocecc_cnm_signs signs = ROCECC_CNM_SIGNS_A;
    size_t i;
    for (i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const worked *w = &examples[i];
        const rocecc_qcn_cp_params p = cp_made(w->exponent);
        rocecc_qcn_cp s = {0, 0, 0};
        rocecc_qcn_cp_action act;
        test_context("example %u", (unsigned)i);
        s.old_bytes = w->old_bytes;
        act = sampled(&p, &s, w->queue_bytes);
        CHECK(act.sampled);
        CHECK_EQ(act.offset_bytes, w->offset);
        CHECK_EQ(act.delta_bytes, w->delta);
        CHECK_EQ(act.qntz_fb, w->qntz_fb);
        CHECK(act.cnm == (w->qntz_fb > 0));
        CHECK_EQ((uint16_t)rocecc_cnm_q_offset(signs, act.offset_bytes),
                 w->wire_offset);
        CHECK_EQ((uint16_t)rocecc_cnm_q_delta(signs, act.delta_bytes), w->wire_delta);
    }
}

/* Returns QntzFb by a division, with the weight as an exponent. */
static unsigned divided(int64_t qsp, int e, int64_t qlen, int64_t old)
{
    const int s = e < 0 ? -e : 0;
    const int64_t delta = qlen - old;
    const int64_t num =
        (qsp - qlen) * ((int64_t)1 << s) - (e >= 0 ? delta * ((int64_t)1 << e) : delta);
    const int64_t mx =
        e >= 0 ? qsp * (((int64_t)2 << e) + 1) : qsp * (2 + ((int64_t)1 << s));
    return num >= 0 ? 0 : -num >= mx ? 63 : (unsigned)(-num * 63 / mx);
}

TEST(CP_04_QntzFb_agrees_with_a_division_at_every_weight)
{
    static const uint32_t edges[] = {0,         1, 100, 26000, 28064, UINT32_MAX - 1,
                                     UINT32_MAX};
    const size_t n_edges = sizeof edges / sizeof edges[0];
    uint64_t random = 4;
    int e;
    for (e = -10; e <= 10; e++) {
        uint64_t i, rounds = test_rounds(2000);
        test_context("exponent %d", e);
        for (i = 0; i < rounds + n_edges * n_edges * n_edges; i++) {
            rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
            rocecc_qcn_cp s = {0, 0, 0};
            uint32_t q = test_random(&random) >> (test_random(&random) & 31);
            p.weight_q10 = rocecc_qcn_weight_q10(e);
            p.set_point_bytes = 100 + (test_random(&random) >> 12);
            s.old_bytes = test_random(&random) >> (test_random(&random) & 31);
            if (i >= rounds) {
                const size_t k = (size_t)(i - rounds);
                q = edges[k % n_edges];
                s.old_bytes = edges[k / n_edges % n_edges];
                p.set_point_bytes = edges[k / n_edges / n_edges];
            }
            if (rocecc_qcn_cp_init(&p) != ROCECC_QCN_CP_ACCEPTED) continue;
            CHECK_EQ(divided(p.set_point_bytes, e, q, s.old_bytes),
                     sampled(&p, &s, q).qntz_fb);
        }
    }
}

/* Each of the 63 steps begins exactly at the octet that the division gives. */
TEST(CP_04_every_step_begins_at_its_octet)
{
    const rocecc_qcn_cp_params p = cp_made(1);
    uint32_t fb;
    for (fb = 1; fb <= 63; fb++) {
        const uint32_t above = (fb * 130000 + 62) / 63;
        rocecc_qcn_cp s = {0, 0, 0};
        s.old_bytes = 26000 + above;
        CHECK_EQ(sampled(&p, &s, 26000 + above).qntz_fb, fb);
        s.old_bytes = 26000 + above - 1;
        CHECK_EQ(sampled(&p, &s, 26000 + above - 1).qntz_fb, fb - 1);
    }
}

TEST(CP_05_the_old_length_is_the_last_sample)
{
    const rocecc_qcn_cp_params p = cp_made(1);
    rocecc_qcn_cp s = rocecc_qcn_cp_start(&p, MIDDLE);
    CHECK(!sampled(&p, &s, 5000).cnm);
    CHECK_EQ(s.old_bytes, 5000);
    CHECK(!offered(&p, &s, 1, 77777, 0).sampled);
    CHECK_EQ(s.old_bytes, 5000);
    CHECK_EQ(sampled(&p, &s, 20000).delta_bytes, 15000);
}

TEST(CP_06_a_QntzFb_above_0_sends_and_counts_a_cnm)
{
    const rocecc_qcn_cp_params p = cp_made(1);
    rocecc_qcn_cp s = rocecc_qcn_cp_start(&p, MIDDLE);
    s.old_bytes = 26000;
    CHECK(!sampled(&p, &s, 26000).cnm);
    s.old_bytes = 28063;
    CHECK(!sampled(&p, &s, 28063).cnm);
    CHECK_EQ(s.transmitted_cnms, 0);
    s.old_bytes = 28064;
    CHECK(sampled(&p, &s, 28064).cnm);
    CHECK_EQ(s.transmitted_cnms, 1);
    s.transmitted_cnms = UINT32_MAX;
    CHECK(sampled(&p, &s, 60000).cnm);
    CHECK_EQ(s.transmitted_cnms, 0);
}

TEST(CP_07_emit_zero_fb_sends_a_cnm_for_any_negative_cpFb)
{
    rocecc_qcn_cp_params p = cp_made(1);
    rocecc_qcn_cp s = rocecc_qcn_cp_start(&p, MIDDLE);
    p.emit_zero_fb = 1;
    s.old_bytes = 26000;
    CHECK(!sampled(&p, &s, 26000).cnm); /* cpFb is 0 */
    s.old_bytes = 26001;
    CHECK(sampled(&p, &s, 26001).cnm); /* cpFb is -1 */
    CHECK_EQ(s.transmitted_cnms, 1);
    s.old_bytes = 80000;
    CHECK(!sampled(&p, &s, 40000).cnm); /* above the set point, but falling */
}

TEST(CP_08_QntzFb_shortens_the_next_sample)
{
    static const uint32_t lowest[] = {127500, 63750, 42500, 31875,
                                      25500,  21250, 18275, 15725};
    static const uint32_t middle[] = {150000, 75000, 50000, 37500,
                                      30000,  25000, 21500, 18500};
    static const uint32_t highest[] = {172499, 86249, 57499, 43124,
                                       34499,  28749, 24724, 21274};
    const rocecc_qcn_cp_params p = cp_made(1);
    uint32_t fb;
    for (fb = 0; fb <= 63; fb++) {
        const uint32_t q = 26000 + (fb * 130000 + 62) / 63;
        rocecc_qcn_cp s = {0, 0, 0};
        test_context("QntzFb %u", (unsigned)fb);
        s.old_bytes = q;
        CHECK_EQ(offered(&p, &s, 1, q, 0).qntz_fb, fb);
        CHECK_EQ(s.left_bytes, lowest[fb / 8]);
        s.left_bytes = 0;
        (void)offered(&p, &s, 900000, q, MIDDLE); /* octets below 0 are forgotten */
        CHECK_EQ(s.left_bytes, middle[fb / 8]);
        s.left_bytes = 0;
        (void)offered(&p, &s, 1, q, UINT32_MAX);
        CHECK_EQ(s.left_bytes, highest[fb / 8]);
    }
    test_context(" ");
}

/*
 * QntzFb agrees with a division, at its steps and below them, for values of FbMax from
 * the smallest to the largest.
 */
TEST(CP_04_QntzFb_agrees_with_a_division_at_any_FbMax)
{
    static const uint32_t points[] = {100,     26000,       26048,
                                      1000003, 0x80000001u, UINT32_MAX};
    static const uint32_t weights[] = {1, 3, 1024, 2048, 99991, 1u << 20};
    size_t i, k;
    for (i = 0; i < 6; i++) {
        for (k = 0; k < 6; k++) {
            rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
            uint64_t fb;
            p.set_point_bytes = points[i];
            p.weight_q10 = weights[k];
            CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
            for (fb = 1; fb <= 63; fb++) {
                const uint64_t step = (fb * p.fb_max_q10 + 62) / 63;
                CHECK_EQ(rocecc_qcn_quantise_(&p, step), fb);
                CHECK_EQ(rocecc_qcn_quantise_(&p, step - 1), fb - 1);
                CHECK_EQ(rocecc_qcn_quantise_(&p, step - 1 - step / 130), fb - 1);
            }
        }
    }
}

TEST(CP_08_sample_lengths_are_exact_for_any_base)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    rocecc_qcn_cp s = {0, 0, 0};
    p.sample_base_bytes = 10000;
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
    (void)sampled(&p, &s, 0);
    CHECK_EQ(s.left_bytes, 10000);
    (void)sampled(&p, &s, 200000);
    CHECK_EQ(s.left_bytes, 1232); /* D[7] is 1233, so 1048 plus half of 369 */
    p.sample_base_bytes = UINT32_MAX;
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
    s = rocecc_qcn_cp_start(&p, UINT32_MAX);
    CHECK_EQ(s.left_bytes, UINT64_C(4939212387)); /* 3650722200 + 1288490187 */
    CHECK(!offered(&p, &s, UINT32_MAX, 0, 0).sampled);
    CHECK_EQ(s.left_bytes, UINT64_C(644245092));
}

TEST(CP_09_dropped_frames_count_unless_skip_dropped)
{
    rocecc_qcn_cp_params p = cp_made(1);
    rocecc_qcn_cp s = rocecc_qcn_cp_start(&p, MIDDLE);
    rocecc_qcn_cp_event f = {0, 0, 0, false};
    f.frame_bytes = 140000;
    f.queue_bytes = 90000;
    f.dropped = true;
    CHECK(!rocecc_qcn_cp_offer(&p, &s, &f).sampled);
    CHECK_EQ(s.left_bytes, 10000);
    CHECK(rocecc_qcn_cp_offer(&p, &s, &f).cnm);
    p.skip_dropped = 1;
    s = rocecc_qcn_cp_start(&p, MIDDLE);
    f.frame_bytes = 150001;
    CHECK(!rocecc_qcn_cp_offer(&p, &s, &f).sampled);
    CHECK_EQ(s.left_bytes, 150000);
    CHECK_EQ(s.old_bytes, 0);
    f.dropped = false;
    CHECK(rocecc_qcn_cp_offer(&p, &s, &f).cnm);
}

/* The reaction point. */

static rocecc_qcn_rp_params rp_made(rocecc_qcn_rp_params p)
{
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    return p;
}

/* Returns parameters for 10 Gb/s, as in the worked examples. */
static rocecc_qcn_rp_params qau(void)
{
    return rp_made(rocecc_qcn_rp_qau(10 * G));
}

static bool same_state(const rocecc_qcn_rp *a, const rocecc_qcn_rp *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* no padding */
}

/* Returns a flow with a limiter, these rates and these stages. */
static rocecc_qcn_rp limited(uint64_t rate_bps, uint64_t target_bps, uint8_t byte_stage,
                             uint8_t time_stage)
{
    rocecc_qcn_rp s = {0, 0, 0, 0, 0, 0, 1};
    s.rate_bps = rate_bps;
    s.target_bps = target_bps;
    s.byte_stage = byte_stage;
    s.time_stage = time_stage;
    s.left_bytes = BYTE_RESET;
    return s;
}

static rocecc_qcn_rp_action cnm(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                                uint8_t qntz_fb)
{
    return rocecc_qcn_rp_cnm(p, s, qntz_fb, MIDDLE);
}

/* Sends enough octets to end a stage. */
static rocecc_qcn_rp_action byte_event(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                                       uint8_t host)
{
    return rocecc_qcn_rp_sent(p, s, s->left_bytes + 1, host, MIDDLE);
}

static rocecc_qcn_rp_action time_event(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                                       uint8_t host)
{
    return rocecc_qcn_rp_timer(p, s, host, MIDDLE);
}

#define RP_BAD(member, value, why)                                                     \
    BOUND(rocecc_qcn_rp_params, member, value, ROCECC_QCN_RP_REFUSED_##why)
#define RP_GOOD(member, value) BOUND(rocecc_qcn_rp_params, member, value, 0)

TEST(qcn_rp_init_rejects_params_out_of_range)
{
    static const bound bounds[] = {
        RP_BAD(max_bps, 0, MAX),
        RP_BAD(max_bps, UINT64_C(1) << 43, MAX),
        RP_GOOD(max_bps, (UINT64_C(1) << 43) - 1),
        RP_BAD(max_bps, 5 * M - 1, MIN),
        RP_GOOD(max_bps, 5 * M),
        RP_BAD(min_bps, 0, MIN),
        RP_GOOD(min_bps, 1),
        RP_GOOD(min_bps, 10 * G),
        RP_BAD(min_bps, 10 * G + 1, MIN),
        RP_BAD(ai_bps, 1, AI),
        RP_GOOD(ai_bps, 2),
        RP_GOOD(ai_bps, (UINT64_C(1) << 43) - 1),
        RP_BAD(ai_bps, UINT64_C(1) << 43, AI),
        RP_BAD(hai_bps, 0, HAI),
        RP_GOOD(hai_bps, 1),
        RP_GOOD(hai_bps, (UINT64_C(1) << 43) - 1),
        RP_BAD(hai_bps, UINT64_C(1) << 43, HAI),
        RP_BAD(time_reset_ns, 999, TIME_RESET),
        RP_GOOD(time_reset_ns, 1000),
        RP_GOOD(time_reset_ns, INT32_MAX),
        RP_BAD(time_reset_ns, 1u << 31, TIME_RESET),
        RP_BAD(byte_reset_bytes, 0, BYTE_RESET),
        RP_GOOD(byte_reset_bytes, 1),
        RP_GOOD(byte_reset_bytes, INT32_MAX),
        RP_BAD(byte_reset_bytes, 1u << 31, BYTE_RESET),
        RP_GOOD(threshold, 0),
        RP_GOOD(threshold, 255),
        RP_GOOD(gd_exp, 0),
        RP_GOOD(gd_exp, 63),
        RP_BAD(gd_exp, 64, GD),
        RP_BAD(min_dec_percent, 0, MIN_DEC),
        RP_GOOD(min_dec_percent, 1),
        RP_GOOD(min_dec_percent, 100),
        RP_BAD(min_dec_percent, 101, MIN_DEC),
        RP_GOOD(clamp_target, ROCECC_QCN_CLAMP_ALWAYS),
        RP_BAD(clamp_target, ROCECC_QCN_CLAMP_ALWAYS + 1, CLAMP),
        RP_GOOD(halve_in, ROCECC_QCN_HALVE_HYPER),
        RP_BAD(halve_in, ROCECC_QCN_HALVE_HYPER + 1, HALVE),
    };
    unsigned seen = 0;
    size_t i;
    for (i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(10 * G), was;
        test_context("bound %u", (unsigned)i);
        set(&p, &bounds[i]);
        memcpy(&was, &p, sizeof p);
        CHECK_EQ(rocecc_qcn_rp_init(&p), bounds[i].why);
        CHECK((memcmp(&p, &was, sizeof p) == 0) == (bounds[i].why != 0));
        seen |= 1u << bounds[i].why;
    }
    CHECK_EQ(seen, (2u << ROCECC_QCN_RP_REFUSED_HALVE) - 1);
}

TEST(qcn_rp_presets_have_the_published_values)
{
    rocecc_qcn_rp_params p = qau();
    CHECK_EQ(p.max_bps, 10 * G);
    CHECK_EQ(p.min_bps, 5 * M);
    CHECK_EQ(p.ai_bps, 5 * M);
    CHECK_EQ(p.hai_bps, 50 * M);
    CHECK_EQ(p.time_reset_ns, TIME_RESET);
    CHECK_EQ(p.byte_reset_bytes, BYTE_RESET);
    CHECK_EQ(p.threshold, 5);
    CHECK_EQ(p.gd_exp, 7);
    CHECK_EQ(p.min_dec_percent, 50);
    CHECK_EQ(p.clamp_target, ROCECC_QCN_CLAMP_BYTE_ONLY);
    CHECK_EQ(p.halve_in, ROCECC_QCN_HALVE_ACTIVE);
    CHECK(p.enable && !p.active_byte && !p.jitter && !p.release_needs_empty);
    CHECK_EQ(rp_made(rocecc_qcn_rp_qau(1000)).min_bps, 1000);
    p = rp_made(rocecc_qcn_rp_ns3(10 * G));
    CHECK_EQ(p.halve_in, ROCECC_QCN_HALVE_HYPER);
    CHECK_EQ(p.active_byte, 1);
    CHECK_EQ(p.clamp_target, ROCECC_QCN_CLAMP_BYTE_ONLY);
    CHECK_EQ(p.hai_bps, 50 * M);
}

/* The worked examples, with an event and the state after it. */
typedef struct step {
    char event; /* B or T expires; C is a CNM */
    uint8_t qntz_fb;
    uint8_t state, byte_stage, time_stage;
    uint32_t next_byte, next_time;
    uint64_t target_bps, rate_bps;
} step;

#define FR ROCECC_QCN_FAST_RECOVERY
#define AI ROCECC_QCN_ACTIVE_INCREASE
#define HAI ROCECC_QCN_HYPER_INCREASE

static const step steps[] = {
    {'C', 63, FR, 0, 0, 150000, 15000, 10000000000, 5078125000},
    {'B', 0, FR, 1, 0, 150000, 15000, 10000000000, 7539062500},
    {'C', 63, FR, 0, 0, 150000, 15000, 7539062500, 3828430176},
    {'B', 0, FR, 1, 0, 150000, 15000, 7539062500, 5683746338},
    {'B', 0, FR, 2, 0, 150000, 15000, 7539062500, 6611404419},
    {'B', 0, FR, 3, 0, 150000, 15000, 7539062500, 7075233459},
    {'B', 0, FR, 4, 0, 150000, 15000, 7539062500, 7307147979},
    {'B', 0, AI, 5, 0, 75000, 15000, 7544062500, 7425605239},
    {'B', 0, AI, 6, 0, 75000, 15000, 7549062500, 7487333869},
    {'T', 0, AI, 6, 1, 75000, 15000, 7554062500, 7520698184},
    {'T', 0, AI, 6, 2, 75000, 15000, 7559062500, 7539880342},
    {'T', 0, AI, 6, 3, 75000, 15000, 7564062500, 7551971421},
    {'T', 0, AI, 6, 4, 75000, 15000, 7569062500, 7560516960},
    {'T', 0, HAI, 6, 5, 75000, 7500, 7619062500, 7589789730},
    {'B', 0, HAI, 7, 5, 75000, 7500, 7669062500, 7629426115},
    {'T', 0, HAI, 7, 6, 75000, 7500, 7769062500, 7699244307},
    {'T', 0, HAI, 7, 7, 75000, 7500, 7919062500, 7809153403},
    {'C', 26, FR, 0, 0, 150000, 15000, 7809153403, 6222919119},
};

TEST(qcn_rp_worked_examples_give_the_expected_states)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = rocecc_qcn_rp_start(&p);
    uint32_t time_us = 0;
    size_t i;
    for (i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const step *w = &steps[i];
        const rocecc_qcn_rp_action act = w->event == 'B'   ? byte_event(&p, &s, 0)
                                         : w->event == 'T' ? time_event(&p, &s, 0)
                                                           : cnm(&p, &s, w->qntz_fb);
        test_context("step %u", (unsigned)i);
        if (act.timer_ns != 0) time_us = act.timer_ns / 1000;
        CHECK((act.timer_ns == 0) == (w->event == 'B'));
        CHECK_EQ(s.state, w->state);
        CHECK_EQ(s.byte_stage, w->byte_stage);
        CHECK_EQ(s.time_stage, w->time_stage);
        CHECK_EQ(s.left_bytes, w->next_byte);
        CHECK_EQ(time_us, w->next_time);
        CHECK_EQ(s.target_bps, w->target_bps);
        CHECK_EQ(s.rate_bps, w->rate_bps);
        CHECK_EQ(act.rate_bps, w->rate_bps);
        CHECK(act.created == (i == 0) && act.cut == (w->event == 'C'));
        CHECK(!act.released);
    }
}

/* After twelve CNMs in a row, the first stage sets T to T / 8. */
TEST(qcn_rp_extra_fast_recovery_divides_the_target_by_8)
{
    static const uint64_t rates[] = {5078125000, 2578735352, 1309514046, 664987602,
                                     337689017,  171482704,  87081061,   44220852,
                                     22455902,   11403388,   5790783,    5000000};
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = rocecc_qcn_rp_start(&p);
    int i;
    for (i = 0; i < 12; i++) {
        CHECK_EQ(cnm(&p, &s, 63).rate_bps, rates[i]);
        CHECK_EQ(s.target_bps, 10 * G);
    }
    CHECK_EQ(byte_event(&p, &s, 0).rate_bps, 627500000);
    CHECK_EQ(s.target_bps, 1250000000);
    CHECK_EQ(byte_event(&p, &s, 0).rate_bps, 938750000);
    CHECK_EQ(s.target_bps, 1250000000);
    s = rocecc_qcn_rp_start(&p);
    CHECK_EQ(cnm(&p, &s, 26).rate_bps, 7968750000);
}

TEST(RP_01_only_a_cnm_activates_a_flow)
{
    const rocecc_qcn_rp_params p = qau();
    const rocecc_qcn_rp fresh = rocecc_qcn_rp_start(&p);
    rocecc_qcn_rp s = fresh;
    rocecc_qcn_rp_action act[2];
    int i;
    CHECK_EQ(s.rate_bps, 10 * G);
    CHECK_EQ(s.target_bps, 10 * G);
    act[0] = rocecc_qcn_rp_timer(&p, &s, 0, 5);
    act[1] = rocecc_qcn_rp_sent(&p, &s, UINT32_MAX, ROCECC_QCN_EMPTY, 5);
    CHECK(same_state(&s, &fresh));
    for (i = 0; i < 2; i++) {
        CHECK_EQ(act[i].rate_bps, 10 * G);
        CHECK_EQ(act[i].timer_ns, 0);
        CHECK(!act[i].created && !act[i].cut && !act[i].released);
    }
}

/* RP-2: a CNM with QntzFb 0, or with rpgEnable 0, changes nothing. QntzFb above 63
 * counts as 63. */
TEST(RP_02_cnms_with_QntzFb_0_or_disabled_are_ignored)
{
    rocecc_qcn_rp_params p = qau();
    const rocecc_qcn_rp fresh = rocecc_qcn_rp_start(&p);
    rocecc_qcn_rp s = fresh, other;
    rocecc_qcn_rp_action act = cnm(&p, &s, 0);
    CHECK(same_state(&s, &fresh) && !act.cut && act.timer_ns == 0 &&
          act.rate_bps == 10 * G);
    s = other = limited(3 * G, 4 * G, 3, 2);
    act = cnm(&p, &s, 0);
    CHECK(same_state(&s, &other) && !act.cut && act.timer_ns == 0 &&
          act.rate_bps == 3 * G);
    p.enable = 0;
    act = cnm(&p, &s, 63);
    CHECK(same_state(&s, &other) && !act.cut && act.rate_bps == 3 * G);
    s = fresh;
    CHECK(!cnm(&p, &s, 63).created);
    CHECK(same_state(&s, &fresh));
    p.enable = 1;
    other = fresh;
    (void)cnm(&p, &s, 63);
    (void)cnm(&p, &other, 64);
    CHECK(same_state(&s, &other));
    other = fresh;
    (void)cnm(&p, &other, 255);
    CHECK(same_state(&s, &other));
}

TEST(RP_03_the_first_cnm_creates_a_limiter)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = rocecc_qcn_rp_start(&p);
    rocecc_qcn_rp_action act = cnm(&p, &s, 1);
    CHECK(act.created && act.cut);
    CHECK_EQ(s.enabled, 1);
    CHECK_EQ(s.target_bps, 10 * G);
    CHECK_EQ(act.rate_bps, 9921875000);
    CHECK_EQ(s.left_bytes, BYTE_RESET);
    CHECK_EQ(act.timer_ns, TIME_RESET);
    act = cnm(&p, &s, 1);
    CHECK(!act.created && act.cut);
    {
        const rocecc_qcn_rp_params slower = rp_made(rocecc_qcn_rp_qau(G));
        s = rocecc_qcn_rp_start(&p); /* an idle flow, now on another line */
        CHECK_EQ(cnm(&slower, &s, 63).rate_bps, 507812500);
        CHECK_EQ(s.target_bps, G);
    }
}

/* Returns T after a CNM at C = 2 and T = 3 Gb/s. Octets restart only if T changes. */
static uint64_t clamped(uint8_t clamp_target, uint8_t byte_stage, uint8_t time_stage)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, byte_stage, time_stage);
    p.clamp_target = clamp_target;
    s.left_bytes = 77;
    CHECK_EQ(cnm(&p, &s, 32).rate_bps, 1500 * M);
    CHECK_EQ(s.left_bytes, s.target_bps == 3 * G ? 77 : BYTE_RESET);
    return s.target_bps;
}

/* RP-4: T becomes the old C after a stage by octets, after any stage, or always. */
TEST(RP_04_a_cnm_lowers_the_target_after_some_stages)
{
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_BYTE_ONLY, 0, 0), 3 * G);
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_BYTE_ONLY, 0, 1), 3 * G);
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_BYTE_ONLY, 1, 0), 2 * G);
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_ANY_STAGE, 0, 0), 3 * G);
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_ANY_STAGE, 0, 1), 2 * G);
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_ANY_STAGE, 1, 0), 2 * G);
    CHECK_EQ(clamped(ROCECC_QCN_CLAMP_ALWAYS, 0, 0), 2 * G);
}

/* Cuts are exact for every QntzFb. With Gd 1/128 they take less than half, so
 * rpgMinDecFac has no effect. */
TEST(RP_05_a_cut_is_exact_for_every_QntzFb)
{
    const rocecc_qcn_rp_params p = qau();
    unsigned fb;
    for (fb = 1; fb <= 63; fb++) {
        const uint64_t c = 10 * G - 1;
        rocecc_qcn_rp s = limited(c, c, 0, 0);
        CHECK_EQ(cnm(&p, &s, (uint8_t)fb).rate_bps, c - c * fb / 128);
        CHECK(s.rate_bps > c / 2);
    }
}

TEST(RP_05_a_cut_leaves_min_dec_and_min_rate)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(G + 1, 2 * G, 0, 0);
    p.gd_exp = 6;
    CHECK_EQ(cnm(&p, &s, 63).rate_bps, 500000000); /* half an odd rate, rounded down */
    s.rate_bps = 64;
    p.min_bps = 1;
    CHECK_EQ(cnm(&p, &s, 32).rate_bps, 32);
    s.rate_bps = 64;
    CHECK_EQ(cnm(&p, &s, 33).rate_bps, 32);
    s.rate_bps = 64;
    CHECK_EQ(cnm(&p, &s, 31).rate_bps, 33);
    p.gd_exp = 0; /* more than the whole rate */
    s.rate_bps = G;
    p.min_dec_percent = 37;
    CHECK_EQ(cnm(&p, &s, 63).rate_bps, 370 * M);
    p.min_dec_percent = 100;
    CHECK_EQ(cnm(&p, &s, 63).rate_bps, 370 * M);
    p.min_dec_percent = 1;
    p.min_bps = 5 * M;
    CHECK_EQ(cnm(&p, &s, 63).rate_bps, 5 * M);
    p.gd_exp = 63; /* no cut */
    s.rate_bps = p.max_bps = ROCECC_RATE_END_BPS - 1;
    CHECK_EQ(cnm(&p, &s, 63).rate_bps, ROCECC_RATE_END_BPS - 1);
}

TEST(RP_06_a_cnm_restarts_the_stages)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, 9, 7);
    rocecc_qcn_rp_action act;
    s.state = HAI;
    act = cnm(&p, &s, 5);
    CHECK(s.byte_stage == 0 && s.time_stage == 0 && s.state == FR);
    CHECK_EQ(act.timer_ns, TIME_RESET);
    CHECK_EQ(s.left_bytes, BYTE_RESET);
}

TEST(RP_07_a_stage_ends_after_byte_reset_octets)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, 0, 0);
    CHECK_EQ(rocecc_qcn_rp_sent(&p, &s, 149999, 0, 1).rate_bps, 2 * G);
    CHECK_EQ(s.left_bytes, 1);
    CHECK_EQ(rocecc_qcn_rp_sent(&p, &s, 1, 0, 1).rate_bps, 2 * G);
    CHECK(s.left_bytes == 0 && s.byte_stage == 0);
    CHECK_EQ(rocecc_qcn_rp_sent(&p, &s, 0, 0, 1).rate_bps, 2 * G);
    CHECK_EQ(rocecc_qcn_rp_sent(&p, &s, 1, 0, 1).rate_bps, 2500 * M);
    CHECK(s.byte_stage == 1 && s.time_stage == 0);
    CHECK_EQ(s.left_bytes, BYTE_RESET);
    CHECK_EQ(rocecc_qcn_rp_sent(&p, &s, UINT32_MAX, 0, 1).rate_bps, 2750 * M);
    CHECK_EQ(s.byte_stage, 2); /* at most one */
    CHECK_EQ(s.left_bytes, BYTE_RESET);
}

TEST(RP_08_a_stage_ends_at_the_timer)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, 0, 0);
    rocecc_qcn_rp_action act;
    s.left_bytes = 5;
    act = rocecc_qcn_rp_timer(&p, &s, 0, 1);
    CHECK_EQ(act.rate_bps, 2500 * M);
    CHECK_EQ(act.timer_ns, TIME_RESET);
    CHECK(s.byte_stage == 0 && s.time_stage == 1);
    CHECK_EQ(s.left_bytes, 5);
    CHECK_EQ(rocecc_qcn_rp_timer(&p, &s, 0, 1).rate_bps, 2750 * M);
}

TEST(RP_09_counts_stop_at_255)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, 0, 0);
    int i;
    for (i = 0; i < 300; i++) {
        (void)byte_event(&p, &s, ROCECC_QCN_FROZEN);
        (void)time_event(&p, &s, ROCECC_QCN_FROZEN);
        CHECK_EQ(s.byte_stage, i < 255 ? i + 1 : 255);
        CHECK_EQ(s.time_stage, i < 255 ? i + 1 : 255);
    }
    CHECK_EQ(time_event(&p, &s, 0).rate_bps, (2 * G + 10 * G) / 2);
}

TEST(RP_10_later_stages_have_half_the_length)
{
    static const struct {
        uint8_t halve_in, state, byte_stage, time_stage; /* before the next stage */
        bool half_bytes, half_time;                      /* of the next stage */
    } rows[] = {
        {ROCECC_QCN_HALVE_ACTIVE, FR, 3, 3, false, false},
        {ROCECC_QCN_HALVE_ACTIVE, FR, 4, 3, true, false},
        {ROCECC_QCN_HALVE_ACTIVE, FR, 3, 4, false, true},
        {ROCECC_QCN_HALVE_ACTIVE, AI, 7, 0, true, false},
        {ROCECC_QCN_HALVE_ACTIVE, AI, 0, 7, false, true},
        {ROCECC_QCN_HALVE_ACTIVE, HAI, 5, 5, true, true},
        {ROCECC_QCN_HALVE_HYPER, FR, 4, 4, false, false},
        {ROCECC_QCN_HALVE_HYPER, AI, 7, 0, false, false},
        {ROCECC_QCN_HALVE_HYPER, AI, 4, 7, false, false}, /* not halved on entry */
        {ROCECC_QCN_HALVE_HYPER, HAI, 5, 5, true, true},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_qcn_rp_params p = qau();
        rocecc_qcn_rp s = limited(2 * G, 3 * G, rows[i].byte_stage, rows[i].time_stage);
        rocecc_qcn_rp t;
        test_context("row %zu", i);
        p.halve_in = rows[i].halve_in;
        s.state = rows[i].state;
        t = s;
        (void)byte_event(&p, &s, 0);
        CHECK_EQ(s.left_bytes, rows[i].half_bytes ? BYTE_RESET / 2 : BYTE_RESET);
        CHECK_EQ(time_event(&p, &t, 0).timer_ns,
                 rows[i].half_time ? TIME_RESET / 2 : TIME_RESET);
    }
    test_context(" ");
}

/* Checks the rise of T and the state after the next stage of either kind. */
static void check_rise(uint8_t byte_stage, uint8_t time_stage, bool by_bytes,
                       uint8_t state, uint64_t rise_bps)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, byte_stage, time_stage);
    rocecc_qcn_rp_action act;
    test_context("%u and %u", byte_stage, time_stage);
    act = by_bytes ? byte_event(&p, &s, 0) : time_event(&p, &s, 0);
    CHECK_EQ(s.state, state);
    CHECK_EQ(s.target_bps, 3 * G + rise_bps);
    CHECK_EQ(act.rate_bps, (5 * G + rise_bps) / 2);
    test_context(" ");
}

TEST(RP_11_fast_recovery_keeps_the_target)
{
    check_rise(0, 0, true, FR, 0);
    check_rise(3, 4, true, FR, 0);
    check_rise(4, 3, false, FR, 0);
}

TEST(RP_12_hyper_increase_grows_with_the_stages)
{
    check_rise(4, 5, true, HAI, 50 * M);
    check_rise(5, 4, false, HAI, 50 * M);
    check_rise(5, 5, true, HAI, 50 * M);
    check_rise(5, 6, true, HAI, 100 * M);
    check_rise(7, 254, true, HAI, 200 * M);
    check_rise(20, 9, false, HAI, 300 * M);
}

TEST(RP_13_active_increase_adds_ai)
{
    check_rise(4, 3, true, AI, 5 * M);
    check_rise(3, 4, false, AI, 5 * M);
    check_rise(255, 3, false, AI, 5 * M);
    check_rise(0, 255, true, AI, 5 * M);
}

/* RP-14: with active_byte, only time takes a flow from active to hyper increase. */
TEST(RP_14_active_byte_keeps_active_increase)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, 4, 5);
    p.active_byte = 1;
    s.state = AI;
    (void)byte_event(&p, &s, 0);
    CHECK(s.state == AI && s.byte_stage == 5 && s.target_bps == 3005 * M);
    (void)byte_event(&p, &s, 0);
    CHECK(s.state == AI && s.byte_stage == 6 && s.target_bps == 3010 * M);
    (void)time_event(&p, &s, 0);
    CHECK(s.state == HAI && s.time_stage == 6 && s.target_bps == 3110 * M);
    (void)byte_event(&p, &s, 0);
    CHECK(s.state == HAI && s.target_bps == 3210 * M);
    s = limited(2 * G, 3 * G, 4, 0); /* octets can end fast recovery */
    (void)byte_event(&p, &s, 0);
    CHECK(s.state == AI && s.target_bps == 3005 * M);
}

/* RP-15: T above 10 C becomes T / 8 if one of the counts is 1 after the stage. */
TEST(RP_15_a_target_above_10_times_the_rate_becomes_1_8)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(100 * M, G + 7, 0, 0);
    (void)byte_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, 125 * M);
    CHECK_EQ(s.rate_bps, 112500000);
    s = limited(100 * M, G, 0, 0); /* exactly ten times */
    (void)byte_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, G);
    s = limited(100 * M, 2 * G, 0, 0);
    (void)time_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, 250 * M);
    s = limited(100 * M, 2 * G, 1, 1); /* 2 and 1 after the stage */
    (void)byte_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, 250 * M);
    s = limited(100 * M, 2 * G, 1, 0);
    (void)byte_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, 2 * G);
    s = limited(100 * M, 2 * G, 6, 0); /* also in active increase, instead of R_AI */
    (void)time_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, 250 * M);
    CHECK_EQ(s.state, AI);
}

TEST(RP_16_an_increase_stops_at_max_rate)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(9 * G, 10 * G - 1, 7, 7);
    CHECK_EQ(byte_event(&p, &s, 0).rate_bps, 9500 * M);
    CHECK_EQ(s.target_bps, 10 * G);
    s = limited(2 * G + 1, 3 * G, 0, 0);
    CHECK_EQ(byte_event(&p, &s, 0).rate_bps, 2500 * M); /* half a bit/s is dropped */
    p.hai_bps = ROCECC_RATE_END_BPS - 1;
    p.threshold = 0;
    s = limited(2 * G, 3 * G, 255, 255);
    CHECK_EQ(byte_event(&p, &s, 0).rate_bps, 6 * G);
}

/* RP-17: while PFC holds the flow, stages and the state change, but C, T and the
 * limiter stay. */
TEST(RP_17_frozen_keeps_the_rates_but_counts_stages)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(2 * G, 3 * G, 4, 4);
    rocecc_qcn_rp_action act = byte_event(&p, &s, ROCECC_QCN_FROZEN);
    CHECK(s.rate_bps == 2 * G && s.target_bps == 3 * G && act.rate_bps == 2 * G);
    CHECK(s.byte_stage == 5 && s.state == AI && s.left_bytes == BYTE_RESET / 2);
    act = time_event(&p, &s, ROCECC_QCN_FROZEN);
    CHECK(s.rate_bps == 2 * G && s.target_bps == 3 * G);
    CHECK(s.time_stage == 5 && s.state == HAI && act.timer_ns == TIME_RESET / 2);
    (void)time_event(&p, &s, 0);
    CHECK_EQ(s.target_bps, 3050 * M);
    s = limited(100 * M, 9 * G, 0, 0); /* no T / 8 either */
    (void)byte_event(&p, &s, ROCECC_QCN_FROZEN);
    CHECK_EQ(s.target_bps, 9 * G);
    s = limited(10 * G, 10 * G, 0, 0); /* no release either */
    CHECK(!byte_event(&p, &s, ROCECC_QCN_FROZEN | ROCECC_QCN_EMPTY).released);
    CHECK(cnm(&p, &s, 63).cut);
}

/* RP-18: a flow is released if T is rpgMaxRate, and C is at most R_AI / 2 below it. */
TEST(RP_18_a_rate_near_max_rate_releases_the_flow)
{
    const rocecc_qcn_rp_params p = qau();
    const rocecc_qcn_rp fresh = rocecc_qcn_rp_start(&p);
    /* C rises by half of the missing 5 Mb/s, to within 2.5 Mb/s. */
    rocecc_qcn_rp s = limited(10 * G - 5 * M, 10 * G, 0, 0);
    rocecc_qcn_rp_action act = time_event(&p, &s, 0);
    CHECK(act.released && act.timer_ns == 0 && act.rate_bps == 10 * G);
    CHECK(same_state(&s, &fresh));
    CHECK(cnm(&p, &s, 1).created);
    s = limited(10 * G - 5 * M - 1, 10 * G, 0, 0); /* a bit/s too low after rounding */
    act = time_event(&p, &s, 0);
    CHECK(!act.released && act.timer_ns == TIME_RESET && s.enabled == 1);
    CHECK_EQ(s.rate_bps, 10 * G - 2500001);
    s = limited(10 * G - 2, 10 * G - 1, 0, 0); /* T is too low */
    CHECK(!byte_event(&p, &s, 0).released);
}

TEST(RP_18_release_needs_an_empty_queue_if_set)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(10 * G - M, 10 * G, 3, 0);
    p.release_needs_empty = 1;
    CHECK(!time_event(&p, &s, 0).released);
    CHECK(!byte_event(&p, &s, 0).released);
    CHECK(byte_event(&p, &s, ROCECC_QCN_EMPTY).released);
    s = limited(G, 10 * G, 3, 0); /* EMPTY alone is not enough */
    CHECK(!time_event(&p, &s, ROCECC_QCN_EMPTY).released);
    p.release_needs_empty = 0;
    CHECK(!time_event(&p, &s, ROCECC_QCN_EMPTY).released);
}

/* Without CNMs, a flow returns to the line and is released, even with R_AI 2. */
TEST(RP_18_a_flow_without_cnms_is_released)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = rocecc_qcn_rp_start(&p);
    rocecc_qcn_rp_action act;
    uint32_t n, i;
    p.ai_bps = 2;
    for (i = 0; i < 20; i++) {
        (void)cnm(&p, &s, 63);
        (void)time_event(&p, &s, 0);
    }
    act = byte_event(&p, &s, 0);
    for (n = 0; !act.released && n < 1000; n++)
        act = (n & 1) != 0 ? byte_event(&p, &s, 0) : time_event(&p, &s, 0);
    CHECK(act.released);
    CHECK(n < 200);
}

TEST(RP_19_jitter_varies_lengths_by_15_percent)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(10 * G);
    rocecc_qcn_rp s;
    p.jitter = 1;
    p = rp_made(p);
    s = rocecc_qcn_rp_start(&p);
    CHECK_EQ(rocecc_qcn_rp_cnm(&p, &s, 63, 0).timer_ns, 12750000);
    CHECK_EQ(s.left_bytes, 127500);
    s = rocecc_qcn_rp_start(&p);
    CHECK_EQ(rocecc_qcn_rp_cnm(&p, &s, 63, UINT32_MAX).timer_ns, 17249999);
    CHECK_EQ(s.left_bytes, 172499);
    (void)rocecc_qcn_rp_sent(&p, &s, 172500, 0, MIDDLE);
    CHECK_EQ(s.left_bytes, 150000);
    CHECK_EQ(rocecc_qcn_rp_timer(&p, &s, 0, 0).timer_ns, 12750000);
    s.byte_stage = s.time_stage = 4;
    CHECK_EQ(rocecc_qcn_rp_timer(&p, &s, 0, 0).timer_ns, 6375000); /* 0.85 of a half */
    (void)rocecc_qcn_rp_sent(&p, &s, 150001, 0, UINT32_MAX);
    CHECK_EQ(s.left_bytes, 86249);
    p.time_reset_ns = 1000;
    p.byte_reset_bytes = 1;
    p = rp_made(p);
    s.time_stage = 9;
    CHECK(rocecc_qcn_rp_timer(&p, &s, 0, 0).timer_ns > 0); /* 0 means no timer */
}

/* With any bits as the state, events have defined behaviour, and a cut is in bounds. */
TEST(RP_20_cuts_of_any_state_are_within_bounds)
{
    const rocecc_qcn_rp_params p = qau();
    uint64_t random = 20, rounds = test_rounds(20000);
    for (; rounds > 0; rounds--) {
        uint8_t bytes[sizeof(rocecc_qcn_rp)];
        rocecc_qcn_rp s;
        size_t i;
        for (i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(test_random(&random) >> 24);
        memcpy(&s, bytes, sizeof s);
        (void)law_qcn_rp_event(&p, &s, (uint8_t)rounds, test_random(&random), 7);
        (void)cnm(&p, &s, 1);
        CHECK(s.rate_bps >= p.min_bps && s.rate_bps <= p.max_bps);
    }
}

/* A queue with N sources stays near the set point, and the line stays busy. */

typedef struct source {
    rocecc_qcn_rp s;
    uint64_t due_ns; /* RpWhile; 0 if stopped */
    double credit_bytes;
} source;

typedef struct loop {
    rocecc_qcn_cp_params cp;
    rocecc_qcn_rp_params rp;
    rocecc_qcn_cp point;
    source flow[8];
    uint64_t random;
    double queue, queue_sum, sent;
    unsigned cnms;
} loop;

static void loop_act(source *f, const rocecc_qcn_rp_action *act, uint64_t now_ns)
{
    if (act->timer_ns != 0) f->due_ns = now_ns + act->timer_ns;
    if (act->released) f->due_ns = 0;
}

/* Sends one packet of a flow. The congestion point may answer at once. */
static void loop_packet(loop *l, source *f, uint64_t now_ns)
{
    rocecc_qcn_cp_action said;
    rocecc_qcn_rp_action act =
        rocecc_qcn_rp_sent(&l->rp, &f->s, 1500, 0, test_random(&l->random));
    loop_act(f, &act, now_ns);
    l->queue += 1500;
    said =
        offered(&l->cp, &l->point, 1500, (uint32_t)l->queue, test_random(&l->random));
    if (!said.cnm) return;
    l->cnms++;
    act = rocecc_qcn_rp_cnm(&l->rp, &f->s, said.qntz_fb, test_random(&l->random));
    loop_act(f, &act, now_ns);
}

/* Runs steps of 1 us on a line of 10 Gb/s, with 1250 bytes per step. */
static loop loop_run(uint32_t n, uint32_t us)
{
    loop l;
    uint32_t i, now;
    memset(&l, 0, sizeof l);
    l.cp = cp_made(1);
    l.rp = qau();
    l.random = 1;
    l.point = rocecc_qcn_cp_start(&l.cp, MIDDLE);
    for (i = 0; i < n; i++)
        l.flow[i].s = rocecc_qcn_rp_start(&l.rp);
    for (now = 1; now <= us; now++) {
        const uint64_t now_ns = now * UINT64_C(1000);
        for (i = 0; i < n; i++) {
            source *f = &l.flow[i];
            if (f->due_ns != 0 && f->due_ns <= now_ns) {
                const rocecc_qcn_rp_action act = time_event(&l.rp, &f->s, 0);
                loop_act(f, &act, f->due_ns);
            }
            f->credit_bytes += (double)f->s.rate_bps / 8e6;
            for (; f->credit_bytes >= 1500; f->credit_bytes -= 1500)
                loop_packet(&l, f, now_ns);
        }
        l.sent += l.queue < 1250 ? l.queue : 1250;
        l.queue -= l.queue < 1250 ? l.queue : 1250;
        if (now > us / 2) l.queue_sum += l.queue;
    }
    l.queue_sum /= us - us / 2;
    l.sent /= 1250.0 * us;
    return l;
}

TEST(qcn_closed_loop_stays_near_the_set_point)
{
    static const uint32_t flows[] = {2, 4, 8};
    const uint32_t whole_us = 400000, us = (uint32_t)test_rounds(whole_us);
    size_t i;
    for (i = 0; i < 3; i++) {
        const loop l = loop_run(flows[i], us);
        test_context("%u flows: queue %.0f, line %.3f, %u CNMs", (unsigned)flows[i],
                     l.queue_sum, l.sent, l.cnms);
        CHECK(l.cnms > 10);
        if (us < whole_us) continue;                       /* too short to settle */
        CHECK(l.queue_sum > 22000 && l.queue_sum < 30000); /* cpQSp is 26000 */
        CHECK(l.sent > 0.98);
    }
    test_context(" ");
}

/* The traces agree in every bit, without a tolerance. */
TEST(qcn_traces)
{
    trace_check("qcn", NULL, 0);
}

TEST(qcn_law)
{
    law_random(law_qcn, 20000);
}

/*
 * RP-5: a CNM leaves 1 - QntzFb / 128, but at least rpgMinDecFac per cent, to the
 * bit/s. Of 12.8 Mb/s, 5/128 leave 12.3, more than 96 % (12.288), and 4/128 leave 12.4,
 * less than 97 % (12.416).
 */
TEST(RP_5_a_cut_leaves_at_least_min_dec_percent)
{
    static const struct {
        uint8_t qntz_fb, percent;
        uint64_t rate_bps;
    } rows[] = {{5, 96, 12300000}, {4, 97, 12416000}, {4, 96, 12400000}};
    size_t i;
    for (i = 0; i < 3; i++) {
        rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(12800000);
        rocecc_qcn_rp s;
        p.min_dec_percent = rows[i].percent;
        CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
        s = rocecc_qcn_rp_start(&p);
        CHECK_EQ(rocecc_qcn_rp_cnm(&p, &s, rows[i].qntz_fb, 0).rate_bps,
                 rows[i].rate_bps);
    }
}

/* init() writes its parameters, and nothing after them. */
TEST(qcn_cp_init_writes_only_its_parameters)
{
    struct {
        rocecc_qcn_cp_params p;
        uint8_t after[16];
    } x;
    size_t i;
    memset(&x, 0xa5, sizeof x);
    x.p = rocecc_qcn_cp_mib();
    CHECK_EQ(rocecc_qcn_cp_init(&x.p), ROCECC_QCN_CP_ACCEPTED);
    for (i = 0; i < sizeof x.after; i++)
        CHECK_EQ(x.after[i], 0xa5);
}

/* A counter is loaded with its length, or with 0.85 to 1.15 of it. Without jitter,
 * random numbers have no effect. */
TEST(qcn_interval_without_jitter_ignores_random_numbers)
{
    static const struct {
        uint64_t length;
        bool jitter;
        uint32_t low, span, middle; /* the draw for 2^31 */
    } rows[] = {{1000, false, 1000, 0, 1000},
                {1000, true, 850, 300, 1000},
                {0, true, 0, 0, 0},
                {UINT32_MAX, false, UINT32_MAX, 0, UINT32_MAX}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rocecc_qcn_interval of =
            rocecc_qcn_make_interval_(rows[i].length, rows[i].jitter);
        CHECK_EQ(of.low, rows[i].low);
        CHECK_EQ(of.span, rows[i].span);
        CHECK_EQ(rocecc_qcn_draw_(&of, 0), rows[i].low);
        CHECK_EQ(rocecc_qcn_draw_(&of, UINT32_C(1) << 31), rows[i].middle);
    }
}

/* RP-5, RP-6: at rpgMinRate a CNM keeps C, but it counts and restarts the stages. */
TEST(RP_05_a_cnm_at_the_lowest_rate_counts)
{
    const rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(5 * M, 9 * M, 0, 3);
    const rocecc_qcn_rp_action act = cnm(&p, &s, 63);
    CHECK(act.cut && !act.created && act.rate_bps == 5 * M);
    CHECK(act.timer_ns == TIME_RESET && s.time_stage == 0);
    CHECK_EQ(s.target_bps, 9 * M);
}

/* RP-2, RP-8: rpgEnable 0 disables CNMs, but a flow with a limiter still recovers. */
TEST(RP_02_a_limited_flow_recovers_while_enable_is_0)
{
    rocecc_qcn_rp_params p = qau();
    rocecc_qcn_rp s = limited(5 * G, 10 * G, 0, 0);
    p.enable = 0;
    CHECK_EQ(cnm(&p, &s, 63).rate_bps, 5 * G);
    CHECK_EQ(time_event(&p, &s, 0).rate_bps, 7500 * M);
    CHECK_EQ(byte_event(&p, &s, 0).rate_bps, 8750 * M);
}
