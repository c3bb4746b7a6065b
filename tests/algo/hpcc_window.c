/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_window.c - the single steps of HPCC's window, namely the average U, W from U,
 * and their products, at the ends of their ranges. The rules are in algo/README.md.
 */
#include "lib/hpcc.h"
#include "lib/test.h"

/*
 * H-12, H-14: windows reach up to 2^40 bytes. Three times 2^38 is below W_max. A U of 0
 * gives W_max, even with a Wc of 1 byte, and a U of 2^-32 gives 2^32 * eta * Wc.
 */
TEST(H_12_H_14_a_window_is_exact_up_to_2_40_bytes)
{
    const uint64_t most = ((uint64_t)1 << 40) - 1;
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc s;
    p.base_rtt_ns = 1000000000;
    p.w_init_bytes = p.w_max_bytes = most;
    p.w_ai_q8 = 0;
    p.max_stage = 0;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    s.reference_q20 = (uint64_t)1 << 58;
    s.u_q32 = (uint64_t)p.eta_q20 / 3 << 12;
    CHECK_EQ(p.eta_q20 % 3, 0);
    rocecc_hpcc_update_window_(&p, &s, false, most << 20);
    CHECK_EQ(s.window_q20, (uint64_t)3 << 58);
    s.reference_q20 = 1 << 20;
    s.u_q32 = 0;
    rocecc_hpcc_update_window_(&p, &s, false, most << 20);
    CHECK_EQ(s.window_q20, most << 20);
    s.u_q32 = 1;
    rocecc_hpcc_update_window_(&p, &s, false, most << 20);
    CHECK_EQ(s.window_q20, (uint64_t)p.eta_q20 << 32);
}

/*
 * H-12, H-14: with Wc near 4096 bytes and a U of 2^-32, 2^32 * Wc exceeds any W_max,
 * and W_AI changes nothing.
 */
TEST(H_12_H_14_a_window_far_beyond_w_max_is_w_max)
{
    const uint64_t most = ((uint64_t)1 << 40) - 1;
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc s;
    p.base_rtt_ns = 1000000000;
    p.eta_q20 = 1 << 20;
    p.w_init_bytes = p.w_max_bytes = most;
    p.w_ai_q8 = 5000 << 8;
    p.max_stage = 0;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    s.reference_q20 = UINT32_MAX;
    s.u_q32 = 1;
    rocecc_hpcc_update_window_(&p, &s, false, most << 20);
    CHECK_EQ(s.window_q20, most << 20);
}

/* Products are rounded to nearest. */
TEST(hpcc_products_round_to_nearest)
{
    CHECK_EQ(rocecc_hpcc_mul_q32_(1, 0x7fffffff), 0);
    CHECK_EQ(rocecc_hpcc_mul_q32_(1, 0x80000001), 1);
    CHECK_EQ(rocecc_hpcc_mul_q32_(0x7fffffff, 1), 0);
    CHECK_EQ(rocecc_hpcc_mul_q32_((uint64_t)5 << 32, 0x80000000u), (uint64_t)5 << 31);
}

/*
 * H-6: with a dt of 2 T, the load is twice u, and U becomes u. This is exact for powers
 * of two, and ends below 4096 (H-28).
 */
TEST(H_06_the_load_of_two_round_trips_is_exact)
{
    rocecc_hpcc_params p = plain_params();
    unsigned i;
    p.base_rtt_ns = 1 << 17;
    p.reorder_ns = 1 << 19;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    for (i = 1; i < 63; i++) {
        const uint64_t u_q32 = (uint64_t)1 << (i - 1);
        rocecc_hpcc s = rocecc_hpcc_start(&p);
        rocecc_hpcc_hop_load_ load = {0, 1 << 18};
        test_context("2^%u", i);
        load.part_q32 = 2 * u_q32;
        rocecc_hpcc_update_u_(&p, &s, &load);
        CHECK_EQ(s.u_q32, i > 44 ? ((uint64_t)1 << 44) - 1 : u_q32);
    }
}

/*
 * With dt = 2^k * T and odd factors in both, dt divides the shifted load, so U is off
 * by less than 2^-32, for any load.
 */
TEST(H_06_the_load_of_many_round_trips_is_exact)
{
    static const struct {
        uint32_t t;
        unsigned k;
        uint64_t part_q32;
    } rows[] = {{3 << 20, 1, 3 * (((uint64_t)1 << 30) + 1)},
                {3 << 19, 1, 3 * (((uint64_t)1 << 33) + 1)},
                {3 << 19, 1, 3 * (((uint64_t)1 << 42) + 1)},
                {9 << 7, 1, 9 * (((uint64_t)1 << 41) + 1)},
                {1001, 12, 16016 * UINT64_C(2500000000001)}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_hpcc_hop_load_ load = {0, 0};
        rocecc_hpcc_params p = plain_params();
        rocecc_hpcc s;
        p.base_rtt_ns = rows[i].t;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        s = rocecc_hpcc_start(&p);
        load.part_q32 = rows[i].part_q32;
        load.dt_ns = rows[i].t << rows[i].k;
        rocecc_hpcc_update_u_(&p, &s, &load);
        test_context("T %u", (unsigned)rows[i].t);
        CHECK_EQ(s.u_q32, rows[i].part_q32 >> rows[i].k);
    }
}

/* H-20: forget() drops a noted mark, so the next blind round does not halve W. */
TEST(H_20_forget_drops_a_noted_mark)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_event e = {NULL, 0, 1, 2, 0, ROCECC_HPCC_ECN_UNKNOWN, false};
    rocecc_hpcc s;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    s.hops = 1;
    s.flags = ROCECC_HPCC_MARKED | ROCECC_HPCC_RISING | ROCECC_HPCC_HOST_TIMED;
    rocecc_hpcc_forget(&p, &s);
    CHECK_EQ(s.flags, ROCECC_HPCC_RISING);
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, NULL, &e).window_bytes, 100000);
}
