/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * derived.c - the parameters that a preset leaves to init(), which are 0 before, and
 * the results of init() and start(). presets.c has the parameters that a preset sets.
 */
#include "lib/record.h"
#include "lib/test.h"
#include "rocecc/algo/abw.h"
#include "rocecc/algo/dcqcn.h"
#include "rocecc/algo/hpcc.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/guard/pause.h"
#include "rocecc/algo/qcn.h"
#include "rocecc/guard/tokenbucket.h"
#include "rocecc/algo/wred.h"

#define G UINT64_C(1000000000)

#define PIECE(F, T, of)                                                                \
    F(T, UINT, of.start_q32, NULL)                                                     \
    F(T, UINT, of.start_pb, NULL)                                                      \
    F(T, UINT, of.slope_q32, NULL)                                                     \
    F(T, UINT, of.scale, NULL)                                                         \
    F(T, UINT, of.one, NULL)

#define RED(F, T)                                                                      \
    F(T, UINT, full_q32, NULL)                                                         \
    F(T, UINT, per_ns_q32, NULL)                                                       \
    PIECE(F, T, line)                                                                  \
    PIECE(F, T, more)

/*
 * maxp = 0.1 2^32 = 429496729.6. full is 2 max_th, and per_ns is 2^32 / 1000 =
 * 4294967.3. In a line of 20000 bytes, a byte is 2147483647 / 20000 = 107374.2 units,
 * and in a line of 30000 bytes 71582.8. The second line begins at maxp and gains the
 * rest of 2^32.
 */
TEST(derived_red)
{
    rocecc_red_params p = rocecc_red_floyd(10000, 1000);
    CHECK_RECORD(RED, rocecc_red_params, &p, "");
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    CHECK_RECORD(RED, rocecc_red_params, &p,
                 "full_q32=257698037760000 per_ns_q32=4294967 "
                 "line.start_q32=42949672960000 line.slope_q32=429496730 "
                 "line.scale=107374 line.one=2147480000 more.start_q32=128849018880000 "
                 "more.start_pb=922327047805800000 more.slope_q32=3865470566 "
                 "more.scale=71582 more.one=2147460000");
    p.gentle = false;
    p.dpdk = true; /* each line is twice as long, but half used */
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    CHECK_EQ(p.line.one, 4294960000);
    CHECK_EQ(p.line.scale, 107374);
}

#define QCN_CP(F, T)                                                                   \
    F(T, UINT, fb_max_q10, NULL)                                                       \
    F(T, UINT, fb_inverse, NULL)                                                       \
    F(T, UINT, intervals[0].low, NULL)                                                 \
    F(T, UINT, intervals[0].span, NULL)                                                \
    F(T, UINT, intervals[7].low, NULL)                                                 \
    F(T, UINT, intervals[7].span, NULL)

#define QCN_RP(F, T)                                                                   \
    F(T, UINT, time_ns[0].low, NULL)                                                   \
    F(T, UINT, time_ns[0].span, NULL)                                                  \
    F(T, UINT, time_ns[1].low, NULL)                                                   \
    F(T, UINT, time_ns[1].span, NULL)                                                  \
    F(T, UINT, bytes[0].low, NULL)                                                     \
    F(T, UINT, bytes[0].span, NULL)                                                    \
    F(T, UINT, bytes[1].low, NULL)                                                     \
    F(T, UINT, bytes[1].span, NULL)

TEST(derived_qcn)
{
    rocecc_qcn_cp_params cp = rocecc_qcn_cp_mib();
    rocecc_qcn_rp_params rp = rocecc_qcn_rp_qau(10 * G);
    CHECK_RECORD(QCN_CP, rocecc_qcn_cp_params, &cp, "");
    cp = rocecc_qcn_cp_mlxreg();
    CHECK_RECORD(QCN_CP, rocecc_qcn_cp_params, &cp, "");
    CHECK_RECORD(QCN_RP, rocecc_qcn_rp_params, &rp, "");
    rp = rocecc_qcn_rp_ns3(10 * G);
    CHECK_RECORD(QCN_RP, rocecc_qcn_rp_params, &rp, "");
}

#define DCQCN(F, T)                                                                    \
    F(T, UINT, fast_below, NULL)                                                       \
    F(T, UINT, hyper_from, NULL)                                                       \
    F(T, UINT, power_q32[0], NULL)                                                     \
    F(T, UINT, power_q32[1], NULL)                                                     \
    F(T, UINT, power_q32[2], NULL)                                                     \
    F(T, UINT, power_q32[3], NULL)                                                     \
    F(T, UINT, power_q32[4], NULL)                                                     \
    F(T, UINT, power_q32[5], NULL)                                                     \
    F(T, UINT, power_q32[6], NULL)                                                     \
    F(T, UINT, power_q32[7], NULL)                                                     \
    F(T, UINT, power_q32[8], NULL)                                                     \
    F(T, UINT, alpha_inverse, NULL)                                                    \
    F(T, UINT, cut_inverse, NULL)                                                      \
    F(T, UINT, increase_inverse, NULL)

TEST(derived_dcqcn)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    CHECK_RECORD(DCQCN, rocecc_dcqcn_params, &p, "");
    p = rocecc_dcqcn_nvidia(100 * G);
    CHECK_RECORD(DCQCN, rocecc_dcqcn_params, &p, "");
    p = rocecc_dcqcn_ns3_hpcc(100 * G);
    CHECK_RECORD(DCQCN, rocecc_dcqcn_params, &p, "");
}

/* Nearest integers to (1 - g)^(2^i) 2^32, by Python fractions; floor(2^32 / period). */
TEST(derived_dcqcn_init)
{
    static const uint32_t gains[] = {1024, 4096, 5120, 1 << 20};
    static const uint32_t powers[4][9] = {
        {4290772992u, 4286582784u, 4278214640u, 4261527328u, 4228347719u, 4162761484u,
         4034625173u, 3790063850u, 3344515336u},
        {4278190080u, 4261478400u, 4228250625u, 4162570310u, 4034254603u, 3789367667u,
         3343286765u, 2602479977u, 1576939140u},
        {4273995776u, 4253126656u, 4211693618u, 4130034506u, 3971435368u, 3672274500u,
         3139860929u, 2295413673u, 1226766950u},
        {0, 0, 0, 0, 0, 0, 0, 0, 0}};
    rocecc_dcqcn_params p;
    size_t i, k;
    for (i = 0; i < 4; i++) {
        p = rocecc_dcqcn_nvidia(100 * G);
        p.g_q20 = gains[i];
        CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
        for (k = 0; k < 9; k++)
            CHECK_EQ(p.power_q32[k], powers[i][k]);
    }
    CHECK_EQ(p.alpha_inverse, 4294967);
    CHECK_EQ(p.cut_inverse, 1073741);
    CHECK_EQ(p.increase_inverse, 14316);
    p = rocecc_dcqcn_paper(40 * G);
    p.alpha_timer_ns = 1;
    p.increase_timer_ns = INT32_MAX;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    CHECK_EQ(p.alpha_inverse, UINT64_C(1) << 32);
    CHECK_EQ(p.cut_inverse, 0);
    CHECK_EQ(p.increase_inverse, 2);
}

#define HPCC(F, T)                                                                     \
    F(T, UINT, min_bps, NULL)                                                          \
    F(T, UINT, rate_q32, NULL)                                                         \
    F(T, UINT, t_inverse, NULL)                                                        \
    F(T, UINT, unit_inverse, NULL)                                                     \
    F(T, UINT, ts_turn_ns, NULL)                                                       \
    F(T, UINT, wait_ns, NULL)                                                          \
    F(T, UINT, t_shift, NULL)                                                          \
    F(T, UINT, unit_shift, NULL)

TEST(derived_hpcc)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    CHECK_RECORD(HPCC, rocecc_hpcc_params, &p, "");
    p = rocecc_hpcc_ns3(100 * G);
    CHECK_RECORD(HPCC, rocecc_hpcc_params, &p, "");
}

/*
 * 8e9 / 13000 = 615384.615... A rate is usable from 512 bytes in T on, 315076923.08
 * bit/s. 2^46 / 13000 = 5412980321.8. 8e9 2^44 / 13000 is between 2^63 and 2^64.
 */
TEST(derived_hpcc_init)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.min_bps, 315076924);
    CHECK_EQ(p.t_shift, 14);
    CHECK_EQ(p.t_inverse, 5412980322);
    CHECK_EQ(p.unit_shift, 44);
    CHECK_EQ(p.unit_inverse, UINT64_C(10825960642717538461));
    /*
     * The ends of T, 512 bytes in 1 us and in 1 s. 2^42 / 1000 = 4398046511.1, and 2^62
     * / 10^9 = 4611686018.4. 8e9 2^41 / 1000 and 8e9 2^60 / 10^9 = 2^63.
     */
    p = rocecc_hpcc_paper(100 * G);
    p.base_rtt_ns = 1000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.min_bps, UINT64_C(4096000000));
    CHECK_EQ(p.t_shift, 10);
    CHECK_EQ(p.t_inverse, 4398046512);
    CHECK_EQ(p.unit_shift, 41);
    CHECK_EQ(p.unit_inverse, UINT64_C(17592186044416000000));
    CHECK_EQ(p.rate_q32, UINT64_C(8000000) << 32);
    p.base_rtt_ns = 1000000000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.min_bps, 4096);
    CHECK_EQ(p.t_shift, 30);
    CHECK_EQ(p.t_inverse, 4611686019);
    CHECK_EQ(p.unit_shift, 60);
    CHECK_EQ(p.unit_inverse, UINT64_C(1) << 63);
    CHECK_EQ(p.rate_q32, UINT64_C(8) << 32);
}

#define LDCP(F, T)                                                                     \
    F(T, UINT, gamma_q32, NULL)                                                        \
    F(T, UINT, grow_q32, NULL)                                                         \
    F(T, UINT, cw_max_q32, NULL)

TEST(derived_ldcp)
{
    const rocecc_ldcp_params p = rocecc_ldcp_hns(100);
    CHECK_RECORD(LDCP, rocecc_ldcp_params, &p, "");
}

TEST(derived_abw)
{
    CHECK_EQ(rocecc_abw_csig(100 * G).full_bytes, 0);
}

TEST(derived_tokenbucket)
{
    CHECK_EQ(rocecc_tokenbucket_per_s(256).full_ns, 0);
}

/* After start(), both rates and both windows have their first value. */
TEST(derived_start_sets_rates_and_windows)
{
    rocecc_dcqcn_params dcqcn = rocecc_dcqcn_paper(40 * G);
    rocecc_qcn_rp_params qcn = rocecc_qcn_rp_qau(10 * G);
    rocecc_hpcc_params hpcc = rocecc_hpcc_paper(100 * G);
    const rocecc_pause pause = rocecc_pause_start(16);
    rocecc_hpcc h;
    CHECK_EQ(rocecc_dcqcn_init(&dcqcn), ROCECC_DCQCN_ACCEPTED);
    CHECK_EQ(rocecc_qcn_rp_init(&qcn), ROCECC_QCN_RP_ACCEPTED);
    CHECK_EQ(rocecc_hpcc_init(&hpcc), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(rocecc_dcqcn_start(&dcqcn).target_bps, 40 * G);
    CHECK_EQ(rocecc_qcn_rp_start(&qcn).target_bps, 10 * G);
    h = rocecc_hpcc_start(&hpcc);
    CHECK_EQ(h.window_q20, UINT64_C(162500) << 20);
    CHECK_EQ(h.reference_q20, UINT64_C(162500) << 20);
    CHECK(h.update_seq == 0 && h.changed_ns == 0 && h.hops == 0);
    CHECK_EQ(pause.n, 16);
}
