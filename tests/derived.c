/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * derived.c - the parameters that a preset leaves to init(), 0 until then, and what
 * init() and start() make of them. Those that a preset sets are in presets.c.
 */
#include "lib/record.h"
#include "lib/test.h"
#include "rocecc/algo/dcqcn.h"
#include "rocecc/algo/hpcc.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/guard/pause.h"
#include "rocecc/algo/qcn.h"
#include "rocecc/guard/tokenbucket.h"
#include "rocecc/algo/wred.h"

#define G UINT64_C(1000000000)

#define PIECE(F, T, of)                                                                \
    F(T, UINT, of.from_q32, NULL)                                                      \
    F(T, UINT, of.at_from, NULL)                                                       \
    F(T, UINT, of.slope_q32, NULL)                                                     \
    F(T, UINT, of.scale, NULL)                                                         \
    F(T, UINT, of.one, NULL)

#define RED(F, T)                                                                      \
    F(T, UINT, full_q32, NULL)                                                         \
    F(T, UINT, per_ns_q32, NULL)                                                       \
    PIECE(F, T, line)                                                                  \
    PIECE(F, T, more)

/*
 * maxp = 0.1 2^32 = 429496729.6. Derived: full 2 max_th; 2^32 / 1000 = 4294967.3; of a
 * line of 20000 bytes a byte is 2147483647 / 20000 = 107374.2 units, of one of 30000
 * 71582.8; the second begins at maxp and gains the rest of 2^32.
 */
TEST(derived_red)
{
    rocecc_red_params p = rocecc_red_floyd(10000, 1000);
    CHECK_RECORD(RED, rocecc_red_params, &p, "");
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    CHECK_RECORD(RED, rocecc_red_params, &p,
                 "full_q32=257698037760000 per_ns_q32=4294967 "
                 "line.from_q32=42949672960000 line.slope_q32=429496730 "
                 "line.scale=107374 line.one=2147480000 more.from_q32=128849018880000 "
                 "more.at_from=922327047805800000 more.slope_q32=3865470566 "
                 "more.scale=71582 more.one=2147460000");
    p.gentle = false;
    p.dpdk = true; /* each line is twice as long, and reached half of it */
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    CHECK_EQ(p.line.one, 4294960000);
    CHECK_EQ(p.line.scale, 107374);
}

#define QCN_CP(F, T)                                                                   \
    F(T, UINT, fb_max_q10, NULL)                                                       \
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
    F(T, UINT, hyper_from, NULL)

TEST(derived_dcqcn)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    CHECK_RECORD(DCQCN, rocecc_dcqcn_params, &p, "");
    p = rocecc_dcqcn_nvidia(100 * G);
    CHECK_RECORD(DCQCN, rocecc_dcqcn_params, &p, "");
    p = rocecc_dcqcn_ns3_hpcc(100 * G);
    CHECK_RECORD(DCQCN, rocecc_dcqcn_params, &p, "");
}

#define HPCC(F, T)                                                                     \
    F(T, UINT, min_bps, NULL)                                                          \
    F(T, UINT, ts_late_ns, NULL)                                                       \
    F(T, UINT, dt_span_ns, NULL)                                                       \
    F(T, UINT, rate_q32, NULL)                                                         \
    F(T, UINT, t_inverse, NULL)                                                        \
    F(T, UINT, unit_inverse, NULL)                                                     \
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
 * 8e9 / 13000 = 615384.615..: from 512 bytes in T, 315076923.08 bit/s on, a rate is of
 * use; 2^46 / 13000 = 5412980321.8; 8e9 2^44 / 13000 is between 2^63 and 2^64.
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
    CHECK_EQ(p.ts_late_ns, UINT64_C(1) << 63);
    CHECK_EQ(p.dt_span_ns, 1000000000);
    p = rocecc_hpcc_ns3(100 * G); /* clocks of 2^24 ns: half of that is too late */
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.ts_late_ns, 8388608);
    CHECK_EQ(p.dt_span_ns, 8388607);
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

TEST(derived_tokenbucket)
{
    CHECK_EQ(rocecc_tokenbucket_per_s(256).full_ns, 0);
}

/* Of a flow that has started, both rates and both windows are the first one. */
TEST(derived_start)
{
    rocecc_dcqcn_params dcqcn = rocecc_dcqcn_paper(40 * G);
    rocecc_qcn_rp_params qcn = rocecc_qcn_rp_qau(10 * G);
    rocecc_hpcc_params hpcc = rocecc_hpcc_paper(100 * G);
    const rocecc_pause pause = rocecc_pause_start(8);
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
    CHECK_EQ(pause.n, 8);
}
