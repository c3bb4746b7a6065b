/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_algo.c - what defects that were planted in algo/ went through: each test is
 * red under one of them. The rules are of algo/README.md.
 */
#include "lib/test.h"
#include "rocecc/algo/abw.h"
#include "rocecc/algo/hpcc.h"

#include <string.h>

/* M-5: two windows to the ns; the second one had no byte, and another begins now. */
TEST(planted_M_5_two_windows_to_the_ns)
{
    rocecc_abw_params p = {UINT64_C(100000000000), 256000, 0};
    rocecc_abw s;
    rocecc_abw_action act;
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_ACCEPTED);
    s = rocecc_abw_start(&p, 1000);
    (void)rocecc_abw_step(&p, &s, 3200000, 1000);
    act = rocecc_abw_step(&p, &s, 1600000, 1000 + 512000);
    CHECK(act.known);
    CHECK_EQ(act.available_bps, UINT64_C(100000000000));
    CHECK_EQ(act.util_q20, 0);
    CHECK_EQ(s.start_ns, 1000 + 512000);
    act = rocecc_abw_step(&p, &s, 0, 1000 + 768000); /* half of what the link sends */
    CHECK_EQ(act.available_bps, UINT64_C(50000000000));
    CHECK_EQ(act.util_q20, 1 << 19);
}

/*
 * H-32, of a hop without a queue: a record up to reorder before L is late, and L stays;
 * one that is a ns older is of another clock, and becomes L. Neither is measured.
 */
TEST(planted_H_32_late_to_the_ns_without_a_queue)
{
    uint64_t late_ns;
    for (late_ns = 40000; late_ns <= 40001; late_ns++) {
        const bool late = late_ns == 40000;
        rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(80000000000));
        rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
        rocecc_hpcc_event r = ROCECC_ZERO;
        rocecc_hop h = ROCECC_ZERO;
        rocecc_hpcc_action act;
        rocecc_hpcc s;
        p.base_rtt_ns = 10000;
        p.reorder_ns = 40000;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        s = rocecc_hpcc_start(&p);
        memset(l, 0, sizeof l);
        h.rate_bps = UINT64_C(80000000000);
        h.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_TX | ROCECC_HOP_TS;
        h.ts_ns = 100000;
        h.tx_bytes = 50000;
        r.hops = &h;
        r.n_hops = 1;
        r.now_ns = 1000;
        CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
        h.ts_ns -= late_ns;
        h.tx_bytes -= 20000;
        r.now_ns = 2000;
        act = rocecc_hpcc_ack(&p, &s, l, &r);
        CHECK_EQ(act.verdict, late ? ROCECC_HPCC_IGNORED : ROCECC_HPCC_BLIND);
        CHECK_EQ(act.missed, 1);
        CHECK_EQ(l[0].ts_ns, late ? 100000 : 59999);
        CHECK_EQ(l[0].tx_bytes, late ? 50000 : 30000);
    }
}
/*
 * H-2, H-28: a link rate of no use, from the first records of a path on: the hop is not
 * measured, U stays U_init, and the round is blind; in memory of any bits.
 */
TEST(planted_H_2_a_rate_of_no_use_at_a_fresh_hop)
{
    static const uint64_t rates[] = {0, 1, 2047, 2048, 409599999};
    size_t i;
    for (i = 0; i < 2 * (sizeof rates / sizeof rates[0]); i++) {
        rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(80000000000));
        rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
        rocecc_hpcc_event r = ROCECC_ZERO;
        rocecc_hop h = ROCECC_ZERO;
        rocecc_hpcc_action act;
        rocecc_hpcc s;
        p.base_rtt_ns = 10000;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        CHECK_EQ(p.min_bps, 409600000);
        s = rocecc_hpcc_start(&p);
        memset(l, i % 2 ? 0xa5 : 0, sizeof l);
        h.id = 5;
        h.rate_bps = rates[i / 2];
        h.queue_bytes = 100000;
        h.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX |
                  ROCECC_HOP_TS;
        r.hops = &h;
        r.n_hops = 1;
        h.ts_ns = 1000;
        r.now_ns = 2000;
        CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
        h.ts_ns = 6000;
        h.tx_bytes = i % 2 ? 0 : 50000;
        r.now_ns = 7000;
        r.seq = 100;
        r.snd_nxt = 200;
        test_context("%llu bit/s", (unsigned long long)rates[i / 2]);
        act = rocecc_hpcc_ack(&p, &s, l, &r);
        CHECK_EQ(act.verdict, ROCECC_HPCC_BLIND);
        CHECK_EQ(act.missed, 1);
        CHECK_EQ(s.u_q32, UINT64_C(1) << 32);
    }
}
