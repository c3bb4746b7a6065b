/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fixed.h"
#include "lib/test.h"

#define ONE ROCECC_ONE_Q20

TEST(fixed_min_max_clamp)
{
    CHECK_EQ(rocecc_min(0, UINT64_MAX), 0);
    CHECK_EQ(rocecc_min(UINT64_MAX, 0), 0);
    CHECK_EQ(rocecc_min(7, 7), 7);
    CHECK_EQ(rocecc_max(0, UINT64_MAX), UINT64_MAX);
    CHECK_EQ(rocecc_max(UINT64_MAX, 0), UINT64_MAX);
    CHECK_EQ(rocecc_max(7, 7), 7);
    CHECK_EQ(rocecc_clamp(4, 5, 9), 5);
    CHECK_EQ(rocecc_clamp(5, 5, 9), 5);
    CHECK_EQ(rocecc_clamp(7, 5, 9), 7);
    CHECK_EQ(rocecc_clamp(9, 5, 9), 9);
    CHECK_EQ(rocecc_clamp(10, 5, 9), 9);
    CHECK_EQ(rocecc_clamp(UINT64_MAX, 5, 5), 5);
    CHECK_EQ(rocecc_clamp(0, 0, UINT64_MAX), 0);
}

/* The next 2^31 - 1 values are after b, and no others (RFC 1982). */
TEST(fixed_serial_after)
{
    static const uint32_t from[] = {0,          1,          0x7ffffffe, 0x7fffffff,
                                    0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    uint64_t random = 1, rounds = test_rounds(200000);
    size_t i;
    for (i = 0; i < sizeof from / sizeof from[0]; i++) {
        const uint32_t b = from[i];
        CHECK(!rocecc_serial_after(b, b));
        CHECK(rocecc_serial_after(b + 1, b));
        CHECK(!rocecc_serial_after(b, b + 1));
        CHECK(rocecc_serial_after(b + 0x7fffffff, b));
        CHECK(!rocecc_serial_after(b, b + 0x7fffffff));
        CHECK(!rocecc_serial_after(b + 0x80000000, b));
        CHECK(!rocecc_serial_after(b + 0x80000001, b));
    }
    for (; rounds > 0; rounds--) {
        const uint32_t a = test_random(&random), b = test_random(&random);
        const uint64_t ahead = a >= b ? a - b : UINT64_C(0x100000000) - (b - a);
        CHECK_EQ(rocecc_serial_after(a, b), ahead > 0 && ahead < 0x80000000);
    }
}

static const uint32_t gains[] = {ONE,      ONE - 1,  ONE / 2, ONE / 2 + 1, ONE / 3,
                                 ONE / 10, ONE / 16, 5120,    ONE / 256,   ONE / 512,
                                 1000,     37,       2,       1,           0};
#define GAINS (sizeof gains / sizeof gains[0])

/*
 * From both sides, the average arrives after at most 40 (1 / gain + 1) + 1 steps, or
 * 2^20 + 1 steps for a gain_q20 below 1000.
 */
TEST(fixed_ewma_reaches_its_sample)
{
    size_t i;
    for (i = 0; i < GAINS; i++) {
        uint32_t up = 0, down = ONE, steps = 0, most = ONE;
        if (gains[i] >= 1000) most = 40 * (ONE / gains[i] + 1);
        test_context("gain %u", (unsigned)gains[i]);
        while ((up != ONE || down != 0) && steps <= most) {
            const uint32_t was_up = up, was_down = down;
            up = rocecc_ewma_q20(up, ONE, gains[i]);
            down = rocecc_ewma_q20(down, 0, gains[i]);
            CHECK(up <= ONE && (up > was_up || was_up == ONE));
            CHECK(down < was_down || was_down == 0);
            CHECK_EQ(up, ONE - down); /* both directions are equal */
            steps++;
        }
        CHECK_EQ(up, ONE);
        CHECK_EQ(down, 0);
    }
}

TEST(fixed_ewma_edges)
{
    size_t i;
    for (i = 0; i < GAINS; i++) {
        test_context("gain %u", (unsigned)gains[i]);
        CHECK_EQ(rocecc_ewma_q20(5, 5, gains[i]), 5);
        CHECK_EQ(rocecc_ewma_q20(5, 6, gains[i]), 6);
        CHECK_EQ(rocecc_ewma_q20(6, 5, gains[i]), 5);
        CHECK_EQ(rocecc_ewma_q20(UINT32_MAX, UINT32_MAX, gains[i]), UINT32_MAX);
        CHECK_EQ(rocecc_ewma_q20(UINT32_MAX, UINT32_MAX - 1, gains[i]), UINT32_MAX - 1);
        CHECK(rocecc_ewma_q20(0, UINT32_MAX, gains[i]) > 0);
        CHECK(rocecc_ewma_q20(UINT32_MAX, 0, gains[i]) < UINT32_MAX);
    }
    CHECK_EQ(rocecc_ewma_q20(0, UINT32_MAX, ONE), UINT32_MAX);
    CHECK_EQ(rocecc_ewma_q20(UINT32_MAX, 0, ONE), 0);
    CHECK_EQ(rocecc_ewma_q20(0, 100, ONE / 2), 50);
    CHECK_EQ(rocecc_ewma_q20(0, 101, ONE / 2), 51);
    CHECK_EQ(rocecc_ewma_q20(101, 0, ONE / 2), 50);
}

/*
 * The sample jumps at random. Compared with exact enough steps in double, the error is
 * at most 1 / (2 gain) + 1 units. fixed.h states 1 / gain, because a ramp of one unit
 * per step reaches 1 / gain - 1.
 */
TEST(fixed_ewma_error_is_bounded)
{
    size_t i;
    for (i = 0; i < GAINS; i++) {
        const double gain = (double)gains[i] / (double)ONE;
        uint64_t random = 4, rounds = test_rounds(100000);
        uint32_t x = ONE, to = 0;
        double exact = (double)ONE, worst = 0;
        if (gains[i] == 0) continue; /* not an average */
        test_context("gain %u", (unsigned)gains[i]);
        for (; rounds > 0; rounds--) {
            const uint32_t pick = test_random(&random);
            double error;
            if (pick % 16 == 0) to = pick >> 31 ? ONE : 0;
            if (pick % 64 == 1) to = pick >> 12;
            x = rocecc_ewma_q20(x, to, gains[i]);
            exact += gain * ((double)to - exact);
            error = (double)x - exact;
            if (error < 0) error = -error;
            if (error > worst) worst = error;
        }
        CHECK(worst <= 1 / (2 * gain) + 1);
    }
}

/* Compares rocecc_div64_by_mul() with the machine's division. */
static void check_div(uint64_t n, uint64_t d)
{
    const uint64_t q = rocecc_div64_by_mul(n, d);
    if (q != n / d)
        test_fail(__FILE__, __LINE__, "%llu / %llu gives %llu", (unsigned long long)n,
                  (unsigned long long)d, (unsigned long long)q);
}

/* Divides powers of two and their neighbours, and the products of these. */
TEST(fixed_div_edges)
{
    uint64_t edges[64 * 5];
    size_t n = 0, i, k;
    for (i = 0; i < 64; i++)
        for (k = 0; k < 5; k++)
            edges[n++] = ((uint64_t)1 << i) + k - 2;
    for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
            if (edges[k] == 0) continue;
            check_div(edges[i], edges[k]);
            check_div(edges[i] * edges[k], edges[k]);
            check_div(edges[i] * edges[k] - 1, edges[k]);
        }
    CHECK_EQ(ROCECC_DIV64((uint64_t)100, (uint64_t)7), 14);
}

/* Random widths, with quotients that are just reached or just missed. */
TEST(fixed_div_random)
{
    uint64_t random = 6, rounds = test_rounds(1000000);
    for (; rounds > 0; rounds--) {
        const uint32_t widths = test_random(&random);
        const uint64_t a = (uint64_t)test_random(&random) << 32 | test_random(&random);
        const uint64_t b = (uint64_t)test_random(&random) << 32 | test_random(&random);
        const uint64_t n = a >> (widths & 63), d = b >> (widths >> 6 & 63);
        uint64_t whole;
        if (d == 0) continue;
        check_div(n, d);
        whole = n / d * d;
        check_div(whole, d);
        if (whole > 0) check_div(whole - 1, d);
    }
}

/* Values from long arithmetic. Hosts with 32 bits test the other code of fixed.h. */
TEST(fixed_wide_products)
{
    static const struct {
        uint64_t a, b;
        uint32_t add;
        uint64_t is;
    } q32[] = {
        {UINT64_C(0x0), UINT64_C(0x0), 0x0u, UINT64_C(0x0)},
        {UINT64_C(0x1), UINT64_C(0x100000000), 0x0u, UINT64_C(0x1)},
        {UINT64_C(0xffffffffffffffff), UINT64_C(0x100000000), 0x0u,
         UINT64_C(0xffffffffffffffff)},
        {UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff), 0xffffffffu,
         UINT64_C(0xffffffff00000000)},
        {UINT64_C(0x100000000000), UINT64_C(0x8000000003039), 0x80000000u,
         UINT64_C(0x8000000003039000)},
        {UINT64_C(0x123456789abcdef), UINT64_C(0x87654321), 0x80000000u,
         UINT64_C(0x9a0cd05c28f5c2)},
        {UINT64_C(0x80000000), UINT64_C(0x1), 0x7fffffffu, UINT64_C(0x0)},
        {UINT64_C(0x80000000), UINT64_C(0x1), 0x80000000u, UINT64_C(0x1)},
        {UINT64_C(0xffffffff), UINT64_C(0x1ffffffff), 0xffffffffu,
         UINT64_C(0x1fffffffe)},
    };
    static const struct {
        uint64_t a;
        uint32_t b;
        uint64_t c;
        uint32_t d;
        bool is;
    } above[] = {
        {UINT64_C(0x0), 0x0u, UINT64_C(0x0), 0x0u, 0},
        {UINT64_C(0x1), 0x1u, UINT64_C(0x0), 0x5u, 1},
        {UINT64_C(0x8000000000000001), 0x3u, UINT64_C(0x8000000000000000), 0x3u, 1},
        {UINT64_C(0x8000000000000000), 0xffffffffu, UINT64_C(0x8000000000000001),
         0xffffffffu, 0},
        {UINT64_C(0x200000000), 0x1u, UINT64_C(0x100000000), 0x2u, 0},
        {UINT64_C(0x200000001), 0x1u, UINT64_C(0x100000000), 0x2u, 1},
        {UINT64_C(0xffffffff), 0xffffffffu, UINT64_C(0xfffffffe), 0xffffffffu, 1},
        {UINT64_C(0x3fffffffffffffff), 0xee6b2800u, UINT64_C(0x3fffffffffffffff),
         0xee6b2801u, 0},
        {UINT64_C(0x5), 0x0u, UINT64_C(0x0), 0x7u, 0},
    };
    size_t i;
    for (i = 0; i < sizeof q32 / sizeof q32[0]; i++)
        CHECK_EQ(rocecc_mul_q32_(q32[i].a, q32[i].b, q32[i].add), q32[i].is);
    for (i = 0; i < sizeof above / sizeof above[0]; i++)
        CHECK_EQ(rocecc_mul_above_(above[i].a, above[i].b, above[i].c, above[i].d),
                 above[i].is);
}
