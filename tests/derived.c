/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * derived.c - parameters whole, with what a preset leaves to init(), which is 0 until
 * then, and what init() and start() make of it. presets.c has the sources.
 */
#include "lib/record.h"
#include "lib/test.h"
#include "rocecc/algo/dcqcn.h"
#include "rocecc/algo/flowtable.h"
#include "rocecc/algo/hpcc.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/algo/pause.h"
#include "rocecc/algo/qcn.h"
#include "rocecc/algo/tokenbucket.h"
#include "rocecc/algo/wred.h"

#define G UINT64_C(1000000000)

#define WRED(F, T)                                                                     \
    F(T, UINT, mark.min_bytes, NULL)                                                   \
    F(T, UINT, mark.max_bytes, NULL)                                                   \
    F(T, UINT, mark.pmax_q32, NULL)                                                    \
    F(T, UINT, drop.min_bytes, NULL)                                                   \
    F(T, UINT, drop.max_bytes, NULL)                                                   \
    F(T, UINT, drop.pmax_q32, NULL)                                                    \
    F(T, UINT, buf_max_bytes, NULL)

/* 2^32 / 100 = 42949672.96, 2^32 / 5 = 858993459.2, 2^32 4 / 5 = 3435973836.8 */
TEST(derived_wred)
{
    rocecc_wred_params p = rocecc_wred_dcqcn_paper();
    CHECK_RECORD(WRED, rocecc_wred_params, &p,
                 "mark.min_bytes=5000 mark.max_bytes=200000 mark.pmax_q32=42949673 "
                 "drop.min_bytes=4294967295 drop.max_bytes=4294967295 "
                 "buf_max_bytes=4294967295");
    p = rocecc_wred_hpcc_runs(25 * G);
    CHECK_RECORD(WRED, rocecc_wred_params, &p,
                 "mark.min_bytes=100000 mark.max_bytes=400000 mark.pmax_q32=858993459 "
                 "drop.min_bytes=4294967295 drop.max_bytes=4294967295 "
                 "buf_max_bytes=4294967295");
    p = rocecc_wred_ldcp(1000000, 5000000);
    CHECK_RECORD(WRED, rocecc_wred_params, &p,
                 "mark.min_bytes=200000 mark.max_bytes=800000 mark.pmax_q32=3435973837 "
                 "drop.min_bytes=400000 drop.max_bytes=400000 buf_max_bytes=5000000");
}

#define PIECE(F, T, of)                                                                \
    F(T, UINT, of.from_q32, NULL)                                                      \
    F(T, UINT, of.at_from, NULL)                                                       \
    F(T, UINT, of.slope_q32, NULL)                                                     \
    F(T, UINT, of.scale, NULL)                                                         \
    F(T, UINT, of.one, NULL)

#define RED(F, T)                                                                      \
    F(T, UINT, maxp_q32, NULL)                                                         \
    F(T, UINT, min_bytes, NULL)                                                        \
    F(T, UINT, max_bytes, NULL)                                                        \
    F(T, UINT, packet_ns, NULL)                                                        \
    F(T, UINT, weight_exp, NULL)                                                       \
    F(T, BOOL, gentle, NULL)                                                           \
    F(T, BOOL, dpdk, NULL)                                                             \
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
    CHECK_RECORD(RED, rocecc_red_params, &p,
                 "maxp_q32=429496730 min_bytes=10000 max_bytes=30000 packet_ns=1000 "
                 "weight_exp=9 gentle=1");
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    CHECK_RECORD(RED, rocecc_red_params, &p,
                 "maxp_q32=429496730 min_bytes=10000 max_bytes=30000 packet_ns=1000 "
                 "weight_exp=9 gentle=1 full_q32=257698037760000 per_ns_q32=4294967 "
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
    F(T, UINT, set_point_bytes, NULL)                                                  \
    F(T, UINT, weight_q10, NULL)                                                       \
    F(T, UINT, sample_base_bytes, NULL)                                                \
    F(T, UINT, emit_zero_fb, NULL)                                                     \
    F(T, UINT, skip_dropped, NULL)                                                     \
    F(T, UINT, fb_max_q10, NULL)                                                       \
    F(T, UINT, intervals[0].low, NULL)                                                 \
    F(T, UINT, intervals[0].span, NULL)                                                \
    F(T, UINT, intervals[7].low, NULL)                                                 \
    F(T, UINT, intervals[7].span, NULL)

#define QCN_RP(F, T)                                                                   \
    F(T, UINT, max_bps, NULL)                                                          \
    F(T, UINT, min_bps, NULL)                                                          \
    F(T, UINT, ai_bps, NULL)                                                           \
    F(T, UINT, hai_bps, NULL)                                                          \
    F(T, UINT, time_reset_ns, NULL)                                                    \
    F(T, UINT, byte_reset_bytes, NULL)                                                 \
    F(T, UINT, threshold, NULL)                                                        \
    F(T, UINT, gd_exp, NULL)                                                           \
    F(T, UINT, min_dec_percent, NULL)                                                  \
    F(T, UINT, enable, NULL)                                                           \
    F(T, ENUM, clamp_target, "byte_only any_stage always")                             \
    F(T, ENUM, halve_in, "active hyper")                                               \
    F(T, UINT, active_byte, NULL)                                                      \
    F(T, UINT, jitter, NULL)                                                           \
    F(T, UINT, release_needs_empty, NULL)                                              \
    F(T, UINT, time_ns[0].low, NULL)                                                   \
    F(T, UINT, time_ns[0].span, NULL)                                                  \
    F(T, UINT, time_ns[1].low, NULL)                                                   \
    F(T, UINT, time_ns[1].span, NULL)                                                  \
    F(T, UINT, bytes[0].low, NULL)                                                     \
    F(T, UINT, bytes[0].span, NULL)                                                    \
    F(T, UINT, bytes[1].low, NULL)                                                     \
    F(T, UINT, bytes[1].span, NULL)

/* IEEE8021-CN-MIB. */
TEST(derived_qcn)
{
    rocecc_qcn_cp_params cp = rocecc_qcn_cp_mib();
    rocecc_qcn_rp_params rp = rocecc_qcn_rp_qau(10 * G);
    CHECK_RECORD(QCN_CP, rocecc_qcn_cp_params, &cp,
                 "set_point_bytes=26000 weight_q10=2048 sample_base_bytes=150000");
    cp = rocecc_qcn_cp_mlxreg();
    CHECK_RECORD(QCN_CP, rocecc_qcn_cp_params, &cp,
                 "set_point_bytes=26048 weight_q10=2048 sample_base_bytes=150016");
    CHECK_RECORD(QCN_RP, rocecc_qcn_rp_params, &rp,
                 "max_bps=10000000000 min_bps=5000000 ai_bps=5000000 hai_bps=50000000 "
                 "time_reset_ns=15000000 byte_reset_bytes=150000 threshold=5 gd_exp=7 "
                 "min_dec_percent=50 enable=1 clamp_target=byte_only halve_in=active");
    rp = rocecc_qcn_rp_ns3(10 * G);
    CHECK_RECORD(QCN_RP, rocecc_qcn_rp_params, &rp,
                 "max_bps=10000000000 min_bps=5000000 ai_bps=5000000 hai_bps=50000000 "
                 "time_reset_ns=15000000 byte_reset_bytes=150000 threshold=5 gd_exp=7 "
                 "min_dec_percent=50 enable=1 clamp_target=byte_only halve_in=hyper "
                 "active_byte=1");
}

#define DCQCN_FLAGS(F, T)                                                              \
    F(T, UINT, clamp_target, NULL)                                                     \
    F(T, UINT, clamp_target_after_time, NULL)                                          \
    F(T, UINT, hai_flat, NULL)                                                         \
    F(T, UINT, alpha_first, NULL)                                                      \
    F(T, UINT, periodic, NULL)                                                         \
    F(T, UINT, fast_below, NULL)                                                       \
    F(T, UINT, hyper_from, NULL)

/* The numbers are in dcqcn.c. */
TEST(derived_dcqcn)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    CHECK_RECORD(DCQCN_FLAGS, rocecc_dcqcn_params, &p, "clamp_target=1");
    p = rocecc_dcqcn_nvidia(100 * G);
    CHECK_RECORD(DCQCN_FLAGS, rocecc_dcqcn_params, &p,
                 "clamp_target_after_time=1 hai_flat=1 periodic=1");
    p = rocecc_dcqcn_ns3_hpcc(100 * G);
    CHECK_RECORD(DCQCN_FLAGS, rocecc_dcqcn_params, &p,
                 "clamp_target_after_time=1 hai_flat=1 periodic=1");
}

#define HPCC(F, T)                                                                     \
    F(T, UINT, base_rtt_ns, NULL)                                                      \
    F(T, UINT, eta_q20, NULL)                                                          \
    F(T, UINT, max_stage, NULL)                                                        \
    F(T, UINT, w_ai_q8, NULL)                                                          \
    F(T, UINT, w_init_bytes, NULL)                                                     \
    F(T, UINT, w_max_bytes, NULL)                                                      \
    F(T, UINT, w_min_bytes, NULL)                                                      \
    F(T, UINT, u_init_q20, NULL)                                                       \
    F(T, UINT, max_hops, NULL)                                                         \
    F(T, UINT, ts_mod_ns, NULL)                                                        \
    F(T, UINT, tx_mod_bytes, NULL)                                                     \
    F(T, UINT, dt_max_ns, NULL)                                                        \
    F(T, UINT, pd_base_ns, NULL)                                                       \
    F(T, UINT, min_bps, NULL)                                                          \
    F(T, UINT, ts_late_ns, NULL)                                                       \
    F(T, UINT, dt_span_ns, NULL)                                                       \
    F(T, UINT, rate_q32, NULL)                                                         \
    F(T, UINT, t_inverse, NULL)                                                        \
    F(T, UINT, unit_inverse, NULL)                                                     \
    F(T, UINT, t_shift, NULL)                                                          \
    F(T, UINT, unit_shift, NULL)

/*
 * 100 Gb/s and 13 us: B T = 162500 bytes; W_AI = B T 5 % / 100 = 81.25 bytes, 20800 in
 * Q8; 0.95 2^20 = 996147.2. Of ns-3 its counter: 2^20 times 128 bytes for each 25 Gb/s.
 */
TEST(derived_hpcc)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    CHECK_RECORD(HPCC, rocecc_hpcc_params, &p,
                 "base_rtt_ns=13000 eta_q20=996147 max_stage=5 w_ai_q8=20800 "
                 "w_init_bytes=162500 w_max_bytes=162500 w_min_bytes=1 "
                 "u_init_q20=1048576 max_hops=5 dt_max_ns=1000000000");
    p = rocecc_hpcc_ns3(100 * G);
    CHECK_RECORD(HPCC, rocecc_hpcc_params, &p,
                 "base_rtt_ns=13000 eta_q20=996147 max_stage=0 w_ai_q8=20800 "
                 "w_init_bytes=162500 w_max_bytes=162500 w_min_bytes=1 "
                 "u_init_q20=1048576 max_hops=5 dt_max_ns=1000000000 "
                 "ts_mod_ns=16777216 tx_mod_bytes=536870912");
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
    F(T, UINT, alpha_q16, NULL)                                                        \
    F(T, UINT, beta_q16, NULL)                                                         \
    F(T, UINT, gamma_q16, NULL)                                                        \
    F(T, UINT, eta_q16, NULL)                                                          \
    F(T, UINT, iw_packets, NULL)                                                       \
    F(T, UINT, cw_max_packets, NULL)                                                   \
    F(T, UINT, loss_floor_packets, NULL)                                               \
    F(T, UINT, m_packets, NULL)                                                        \
    F(T, UINT, mtu_bytes, NULL)                                                        \
    F(T, BOOL, split, NULL)                                                            \
    F(T, BOOL, continuous, NULL)                                                       \
    F(T, UINT, gamma_q32, NULL)                                                        \
    F(T, UINT, grow_q32, NULL)                                                         \
    F(T, UINT, cw_max_q32, NULL)

TEST(derived_ldcp)
{
    const rocecc_ldcp_params p = rocecc_ldcp_hns(100);
    CHECK_RECORD(LDCP, rocecc_ldcp_params, &p,
                 "alpha_q16=65536 beta_q16=32768 gamma_q16=16384 eta_q16=32768 "
                 "iw_packets=100 loss_floor_packets=1 m_packets=1 mtu_bytes=1024");
}

#define PAUSE(F, T)                                                                    \
    F(T, HEX, hash_key[0], NULL)                                                       \
    F(T, HEX, hash_key[1], NULL)                                                       \
    F(T, UINT, max_ns, NULL)                                                           \
    F(T, UINT, pause_ns, NULL)                                                         \
    F(T, UINT, pfc_ns, NULL)                                                           \
    F(T, UINT, xoff_bytes, NULL)                                                       \
    F(T, UINT, xon_bytes, NULL)                                                        \
    F(T, UINT, mode, NULL)                                                             \
    F(T, UINT, priorities, NULL)

#define FLOWTABLE(F, T)                                                                \
    F(T, HEX, secret[0], NULL)                                                         \
    F(T, HEX, secret[1], NULL)                                                         \
    F(T, UINT, buckets, NULL)                                                          \
    F(T, UINT, expiry_ms, NULL)                                                        \
    F(T, UINT, evict_oldest, NULL)

#define TOKENBUCKET(F, T)                                                              \
    F(T, UINT, rate_per_s, NULL)                                                       \
    F(T, UINT, burst, NULL)                                                            \
    F(T, UINT, full_ns, NULL)

/* Secrets, and what a table's size is, are the host's. */
TEST(derived_guards)
{
    const rocecc_pause_params pause = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    const rocecc_flowtable_params table = rocecc_flowtable_l3qcn();
    const rocecc_tokenbucket_params bucket = rocecc_tokenbucket_per_s(256);
    CHECK_RECORD(PAUSE, rocecc_pause_params, &pause,
                 "max_ns=1000000000 pause_ns=100000 pfc_ns=20000 xoff_bytes=200000 "
                 "xon_bytes=100000 mode=1 priorities=8");
    CHECK_RECORD(FLOWTABLE, rocecc_flowtable_params, &table, "expiry_ms=10000");
    CHECK_RECORD(TOKENBUCKET, rocecc_tokenbucket_params, &bucket,
                 "rate_per_s=256 burst=16");
}

/* Of a flow that has started, both rates and both windows are the first one. */
TEST(derived_start)
{
    rocecc_dcqcn_params dcqcn = rocecc_dcqcn_paper(40 * G);
    rocecc_qcn_rp_params qcn = rocecc_qcn_rp_qau(10 * G);
    rocecc_hpcc_params hpcc = rocecc_hpcc_paper(100 * G);
    rocecc_pause_entry entries[8];
    const rocecc_pause pause = rocecc_pause_start(entries, 8);
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
    CHECK(pause.entries == entries);
    CHECK_EQ(pause.n, 8);
}
