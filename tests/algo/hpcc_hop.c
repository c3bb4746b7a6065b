/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_hop.c - how HPCC measures a single hop. Clocks that wrap, old records and
 * silence have the same effect on hops with and without a queue. The rules are in
 * algo/README.md.
 */
#include "lib/hpcc_path.h"
#include "lib/test.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define ONE ((uint64_t)1 << 32) /* U of 1.0 */

/* Returns a flow after a first report of n hops, with clocks at ts. */
static path start_path(const rocecc_hpcc_params *p, uint32_t n, uint8_t valid,
                       uint64_t ts)
{
    path f;
    uint32_t i;
    memset(&f, 0, sizeof f);
    f.p = *p;
    CHECK_EQ(rocecc_hpcc_init(&f.p), ROCECC_HPCC_ACCEPTED);
    f.s = rocecc_hpcc_start(&f.p);
    f.r.n_hops = n;
    for (i = 0; i < n; i++) {
        f.hops[i].id = i;
        f.hops[i].rate_bps = 80 * G;
        f.hops[i].ts_ns = ts;
        f.hops[i].valid = valid;
    }
    CHECK_EQ(ack(&f, 0).verdict, ROCECC_HPCC_STARTED);
    return f;
}

/* Returns parameters with 24-bit clocks and 32-bit counters. */
static rocecc_hpcc_params wrapping(void)
{
    rocecc_hpcc_params p = plain_params();
    p.ts_mod_ns = (uint64_t)1 << 24;
    p.tx_mod_bytes = (uint64_t)1 << 32;
    p.dt_max_ns = 5000000;
    return p;
}

/* H-1: from 4000 ns before the clock's end to 6000 ns after it is 10 us, or T. In that
 * time the hop sends half of B * T. */
TEST(H_01_a_clock_measures_T_over_its_wrap)
{
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    const rocecc_hpcc_params p = wrapping();
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_path(&p, 1, valid[i], (1 << 24) - 4000);
        test_context("reports %02x", valid[i]);
        f.hops[0].ts_ns = 6000;
        f.hops[0].tx_bytes = 50000;
        f.r.now_ns = 10000;
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
    }
}

/* H-32: a 32-bit counter that is 550,000 bytes behind L, over the wrap, is old. This is
 * 9/8 of the 400,000 bytes that the link sends in reorder, plus B * T. With a byte
 * more, it is another counter, and the hop becomes L. */
TEST(H_32_a_counter_before_a_wrap_is_late_to_the_byte)
{
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    const rocecc_hpcc_params p = wrapping();
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_path(&p, 1, valid[i], (1 << 24) - 4000), before;
        rocecc_hpcc_action act;
        test_context("reports %02x", valid[i]);
        f.l[0].tx_bytes = 10000;
        f.hops[0].ts_ns = 6000;
        f.hops[0].tx_bytes = ((uint64_t)1 << 32) + 10000 - 550000;
        f.r.now_ns = 10000;
        before = f;
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
        CHECK(memcmp(&before.s, &f.s, sizeof f.s) == 0);
        CHECK(f.l[0].ts_ns == (1 << 24) - 4000 && f.l[0].tx_bytes == 10000);
        f.hops[0].tx_bytes -= 1;
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_BLIND && act.missed == 1);
        CHECK(f.l[0].ts_ns == 6000 && f.l[0].tx_bytes == f.hops[0].tx_bytes);
    }
}

/*
 * H-32: 8 us have passed for the host, so span is 9 us + reorder = 49 us. Up to it, the
 * hop's clock counts, and half of the link's bytes in 49 us are a load of a half. With
 * a ns more, the host's 8 us count, and half of the link's bytes in 8 us make U 0.2 of
 * its old value plus 0.8 of a half.
 */
TEST(H_32_a_hop_clock_counts_up_to_the_span)
{
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_path(&p, 1, valid[i], 0);
        rocecc_hpcc_action act;
        test_context("reports %02x", valid[i]);
        f.hops[0].ts_ns = 49001;
        f.hops[0].tx_bytes = 40000;
        f.r.now_ns = 8000;
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
        CHECK(near(f.s.u_q32, ONE * 6 / 10, 16));
        CHECK_EQ(f.s.flags, ROCECC_HPCC_HOST_TIMED | ROCECC_HPCC_CLOCK_ODD);
        CHECK(f.l[0].ts_ns == 49001 && f.l[0].ahead_ns == 0);
        f = start_path(&p, 1, valid[i], 0);
        f.hops[0].ts_ns = 49000;
        f.hops[0].tx_bytes = 245000;
        f.r.now_ns = 8000;
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
        CHECK(f.s.flags == 0 && f.l[0].ahead_ns == 41000);
    }
}

/* H-32: the span ends at dt_max, as 9/8 of 4.6 ms + reorder exceed 5 ms. */
TEST(H_32_the_span_ends_at_dt_max)
{
    const rocecc_hpcc_params p = wrapping();
    path f = start_path(&p, 1, ALL, 0);
    f.hops[0].ts_ns = 5000000;
    f.hops[0].tx_bytes = 25000000;
    f.r.now_ns = 4600000;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
    CHECK(f.s.flags == 0 && f.l[0].ahead_ns == 400000);
    f = start_path(&p, 1, ALL, 0);
    f.hops[0].ts_ns = 5000001;
    f.hops[0].tx_bytes = 23000000; /* half of the link's bytes in 4.6 ms */
    f.r.now_ns = 4600000;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
    CHECK_EQ(f.s.flags, ROCECC_HPCC_HOST_TIMED | ROCECC_HPCC_CLOCK_ODD);
    CHECK_EQ(f.l[0].ahead_ns, 0);
}

/*
 * H-30: after more than dt_max no difference counts. A record with an older time stamp
 * is not used, and a record with a clock that stands does not wait. The path starts,
 * even with a utilisation. Up to dt_max, the host times a utilisation, as T.
 */
TEST(H_30_a_silence_starts_the_path_anew)
{
    static const uint8_t valid[3] = {ALL, NO_QUEUE, ALL | ROCECC_HOP_UTIL};
    static const uint64_t ts[2] = {980000, 1000000};
    const rocecc_hpcc_params p = plain_params();
    int i, k;
    for (k = 0; k < 2; k++) {
        path f;
        for (i = 0; i < 3; i++) {
            test_context("reports %02x, %u ns", valid[i], (unsigned)ts[k]);
            f = start_path(&p, 1, valid[i], 1000000);
            f.s.u_q32 = ONE / 8;
            f.hops[0].ts_ns = ts[k];
            f.r.now_ns = G + 1;
            CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_STARTED);
            CHECK(f.l[0].ts_ns == ts[k] && f.s.u_q32 == ONE);
        }
        f = start_path(&p, 1, ALL | ROCECC_HOP_UTIL, 1000000);
        f.hops[0].ts_ns = ts[k];
        f.hops[0].util_q20 = 1 << 19;
        f.r.now_ns = G;
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
    }
}

/*
 * H-2, H-28, H-36: the second of two hops is missed if its B * T is below 512 bytes, or
 * its rate below 409.6 Mb/s at this T. At this rate it is measured.
 */
TEST(H_02_H_28_H_36_a_second_hop_too_slow_for_T_is_missed)
{
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    const rocecc_hpcc_params p = plain_params();
    int i, slow;
    for (i = 0; i < 4; i++) {
        path f = start_path(&p, 2, valid[i / 2], 0);
        rocecc_hpcc_action act;
        slow = i % 2;
        test_context("reports %02x, slow %d", valid[i / 2], slow);
        f.hops[0].ts_ns = f.hops[1].ts_ns = f.r.now_ns = 10000;
        f.hops[0].tx_bytes = 50000;
        f.hops[1].rate_bps = 409600000 - (unsigned)slow;
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == slow);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
    }
}

/* Returns a flow with T 2^17 ns over one link. */
static path long_trip(unsigned gbps, uint32_t queue)
{
    rocecc_hpcc_params p = plain_params();
    path f;
    p.base_rtt_ns = 1 << 17;
    p.reorder_ns = 1 << 19;
    p.queue_max_bytes = UINT32_MAX;
    f = start_path(&p, 1, ALL, 0);
    f.hops[0].rate_bps = gbps * G;
    f.hops[0].queue_bytes = f.l[0].queue_bytes = queue;
    return f;
}

/* H-4: a queue of a byte counts, too. At 64 Gb/s, B * T is 2^20 bytes. */
TEST(H_04_a_queue_of_one_byte_counts)
{
    path f = long_trip(64, 1);
    f.hops[0].ts_ns = f.r.now_ns = 1 << 17;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.u_q32, ONE >> 20);
}

/*
 * H-28: the first term ends at 4096 - 2^-32. At 32 Gb/s, B * T is 2^19 bytes, so a
 * queue of nearly 2^32 bytes would be 8192. After 3/4 T, U is a quarter of 1 plus 3/4
 * of the term, 3072 - 0.75 * 2^-32, to nearest.
 */
TEST(H_28_the_queue_term_is_below_4096)
{
    path f = long_trip(32, UINT32_MAX);
    f.hops[0].ts_ns = f.r.now_ns = 1 << 17;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.u_q32, 4096 * ONE - 1);
    f = long_trip(32, UINT32_MAX);
    f.hops[0].ts_ns = f.r.now_ns = 3 << 15;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.u_q32, ONE / 4 + 3072 * ONE - 1);
}

/* H-28: dtx counts below 2^40 bytes, which the fastest possible link sends in 1 s. */
TEST(H_28_bytes_sent_count_below_2_40)
{
    static const uint64_t most = ((uint64_t)1 << 40) - 1;
    uint64_t u_q32 = 0, more;
    for (more = 0; more < 3; more++) {
        rocecc_hpcc_params p = plain_params();
        path f;
        p.base_rtt_ns = 1000000000;
        f = start_path(&p, 1, ALL, 0);
        f.hops[0].rate_bps = ROCECC_RATE_END_BPS - 1;
        f.hops[0].ts_ns = f.r.now_ns = G;
        f.hops[0].tx_bytes = most + (more << 8) - (more == 2);
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE, 16));
        test_context("%u more", (unsigned)more);
        if (more != 0) CHECK_EQ(f.s.u_q32, u_q32);
        u_q32 = f.s.u_q32;
    }
}

/*
 * H-35: W_max may be above W_init. A blind flow without marks falls to W_init, not to
 * W_max, because 150,000 is above W_init, and half of it below.
 */
TEST(H_35_a_blind_unmarked_window_falls_to_w_init)
{
    rocecc_hpcc_params p = plain_params();
    path f;
    p.w_max_bytes = 200000;
    f = start_path(&p, 1, ALL, 0);
    f.s.window_q20 = f.s.reference_q20 = (uint64_t)150000 << 20;
    f.s.blind = 1;
    f.r.n_hops = 0;
    f.r.ecn = ROCECC_HPCC_ECN_UNMARKED;
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.s.window_q20, (uint64_t)100000 << 20);
    CHECK_EQ(f.s.reference_q20, (uint64_t)100000 << 20);
}

/*
 * A hop keeps its 1 / (B * T), and computes it again for another rate. This includes
 * the old rate shifted left by 22 bits, modulo 2^43, which is 8.56 Tb/s for 80 Gb/s.
 */
TEST(hpcc_inverse_of_a_hop_follows_its_rate)
{
    const uint64_t other = (uint64_t)(uint32_t)(80 * G << 11) << 11;
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, ALL, 0);
    f.hops[0].ts_ns = f.r.now_ns = 10000;
    f.hops[0].tx_bytes = 50000;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
    CHECK_EQ(other, UINT64_C(8555574853632));
    f.hops[0].rate_bps = other;
    f.hops[0].ts_ns = f.r.now_ns = 20000;
    f.hops[0].tx_bytes += other / 8 * 10000 / G / 4; /* a quarter of B * T */
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE / 4, 2000));
}

/* Returns the action and U after a hop has sent these bytes in T, 8192 ns. */
static rocecc_hpcc_action sent(uint64_t rate_bps, uint64_t bytes, uint64_t *u_q32)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(80000000000));
    rocecc_hop h = {1, 0, 0, 0, 0, 0, 31};
    rocecc_hpcc_event r = {&h, 1, 0, 100, 0, 0, false};
    rocecc_hpcc_action act;
    rocecc_hpcc_hop l[1];
    rocecc_hpcc s;
    p.base_rtt_ns = 8192;
    p.w_init_bytes = p.w_max_bytes = 100000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    h.rate_bps = rate_bps;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
    h.ts_ns = r.now_ns = 8192;
    h.tx_bytes = bytes;
    r.seq = 1;
    act = rocecc_hpcc_ack(&p, &s, l, &r);
    *u_q32 = s.u_q32;
    return act;
}

/* H-33: a dtx / (B * T) up to 9/8 * dt/T + 1 is not a jump. At 64 Gb/s, B * T is 65,536
 * bytes, and 17/8 of it 139,264. */
TEST(H_33_17_8_of_B_T_is_not_a_jump)
{
    const uint64_t one = (uint64_t)1 << 32;
    uint64_t u_q32;
    CHECK_EQ(sent(UINT64_C(64000000000), 139264, &u_q32).missed, 0);
    CHECK_EQ(u_q32, one * 17 / 8);
    CHECK_EQ(sent(UINT64_C(64000000000), 139265, &u_q32).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(u_q32, one);
}

/* H-28: link rates below 2^43 bit/s are usable. B * T is 9,007,199 bytes there. */
TEST(H_28_rates_below_2_43_bps_are_usable)
{
    uint64_t u_q32;
    CHECK_EQ(sent(ROCECC_RATE_END_BPS - 1, 0, &u_q32).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(u_q32, 0);
    CHECK_EQ(sent(ROCECC_RATE_END_BPS, 0, &u_q32).verdict, ROCECC_HPCC_BLIND);
}
