/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_time.c - HPCC++ under extreme conditions, such as silence, clocks that are set,
 * counters that wrap, other paths, missing reports and other links. The rules before
 * H-30 failed in each case.
 */
#include "law/hpcc_time.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define ONE ((uint64_t)1 << 32)

/* A flow at 100 Gb/s, with T 13 us, over n hops of the same speed. */
typedef struct path {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[2];
    rocecc_hop hops[2];
    rocecc_hpcc_event r;
    rocecc_hpcc_action act;
} path;

static void path_ack(path *f)
{
    f->r.hops = f->hops;
    f->r.seq++;
    f->r.snd_nxt = f->r.seq + 160; /* about 13 us, at 80 ns each */
    f->act = rocecc_hpcc_ack(&f->p, &f->s, f->l, &f->r);
}

/* Advances the clock of hop i by dt, and its counter by dtx. */
static void hop_on(path *f, int i, uint64_t dt, uint64_t dtx)
{
    rocecc_hop *h = &f->hops[i];
    h->ts_ns += dt;
    h->tx_bytes += dtx;
    if (f->p.ts_mod_ns != 0) h->ts_ns %= f->p.ts_mod_ns;
    if (f->p.tx_mod_bytes != 0) h->tx_bytes %= f->p.tx_mod_bytes;
}

/* Handles n ACKs, 80 ns apart, over links with a load of `percent`. */
static void acks(path *f, uint32_t n, uint32_t percent)
{
    for (; n > 0; n--) {
        uint32_t i;
        f->r.now_ns += 80;
        for (i = 0; i < f->r.n_hops && i < 2; i++)
            hop_on(f, (int)i, 80, f->hops[i].rate_bps / G * 80 * percent / 800);
        path_ack(f);
    }
}

/* Returns a flow after 1000 ACKs over links with a load of 95 %. */
static path on_its_way(const rocecc_hpcc_params *p, uint32_t n_hops)
{
    path f;
    int i;
    memset(&f, 0, sizeof f);
    f.p = *p;
    CHECK_EQ(rocecc_hpcc_init(&f.p), ROCECC_HPCC_ACCEPTED);
    f.s = rocecc_hpcc_start(&f.p);
    f.r.n_hops = n_hops;
    f.r.now_ns = 5 * G;
    for (i = 0; i < 2; i++) {
        f.hops[i].id = (uint64_t)i + 1;
        f.hops[i].rate_bps = 100 * G;
        f.hops[i].valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                          ROCECC_HOP_TX | ROCECC_HOP_TS;
        f.hops[i].ts_ns = 20 * G;
        if (p->ts_mod_ns != 0) f.hops[i].ts_ns %= p->ts_mod_ns;
    }
    acks(&f, 1000, 95);
    return f;
}

static uint64_t window(const path *f)
{
    return f->s.window_q20 >> 20;
}

/* IOAM's fraction of a second seems to step back after 501 ms. After more than 400 ms,
 * the first ACK starts the path. W does not fall below 0.8 of its value. */
TEST(H_30_a_pause_beyond_dt_max_starts_the_path)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    uint64_t gap;
    p.ts_mod_ns = G;
    p.dt_max_ns = 400000000;
    for (gap = 300 * MS; gap < 5 * G; gap += 67 * MS) {
        path f = on_its_way(&p, 2);
        const uint64_t before = window(&f);
        uint32_t i, ignored = 0;
        test_context("%llu ns", (unsigned long long)gap);
        f.r.now_ns += gap;
        hop_on(&f, 0, gap, gap * 12);
        hop_on(&f, 1, gap, gap * 12);
        path_ack(&f);
        CHECK_EQ(f.act.verdict == ROCECC_HPCC_STARTED, gap > 400 * MS);
        for (i = 0; i < 500; i++) {
            acks(&f, 1, 95);
            ignored += f.act.verdict < ROCECC_HPCC_REACTED;
            CHECK(window(&f) > before * 8 / 10 && f.s.u_q32 < ONE * 11 / 10);
        }
        CHECK_EQ(ignored, 0);
        CHECK(f.s.blind == 0);
    }
}

/* 2^32 bytes at 800 Gb/s take 43 ms. After 60 ms the counter shows 0.28 of them. */
TEST(H_31_more_than_one_wrap_of_a_counter_starts_the_path)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(800 * G);
    path f;
    p.tx_mod_bytes = (uint64_t)1 << 32;
    p.fastest_bps = 800 * G;
    p.dt_max_ns = 43000000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_TX_MOD);
    p.dt_max_ns = 42800000;
    f = on_its_way(&p, 1);
    f.hops[0].rate_bps = 800 * G;
    acks(&f, 500, 100);
    CHECK(f.s.u_q32 > ONE * 9 / 10);
    f.r.now_ns += 60 * MS;
    hop_on(&f, 0, 60 * MS, 60 * MS * 100);
    path_ack(&f);
    CHECK(f.act.verdict == ROCECC_HPCC_STARTED && f.s.u_q32 == ONE);
    f.r.now_ns += 42 * MS; /* below dt_max, so measured */
    hop_on(&f, 0, 42 * MS, 42 * MS * 100);
    path_ack(&f);
    CHECK(f.act.verdict >= ROCECC_HPCC_REACTED);
    CHECK(f.s.u_q32 > ONE * 99 / 100 && f.s.u_q32 < ONE * 101 / 100);
}

/* A 24-bit clock wraps eight times and advances by 1 ms. A counter of 2^29 bytes wraps
 * three times and advances by 12 MB. This looks like 96 % load, not like a jump. */
TEST(H_30_wraps_like_a_normal_load_start_the_path)
{
    const rocecc_hpcc_params p = rocecc_hpcc_ns3(100 * G);
    const uint64_t gap = 8 * ((uint64_t)1 << 24) + MS;
    path f = on_its_way(&p, 1);
    f.r.now_ns += gap;
    hop_on(&f, 0, gap, 3 * ((uint64_t)1 << 29) + 12 * MS);
    path_ack(&f);
    CHECK(f.act.verdict == ROCECC_HPCC_STARTED && f.s.u_q32 == ONE);
}

/* After exactly one wrap of a 24-bit clock on an idle link, the record looks like L,
 * but it is new. */
TEST(H_30_exactly_one_wrap_of_the_clock_starts_the_path)
{
    const rocecc_hpcc_params p = rocecc_hpcc_ns3(100 * G);
    path f = on_its_way(&p, 1);
    f.r.now_ns += 1 << 24;
    hop_on(&f, 0, 1 << 24, 0);
    CHECK_EQ(f.hops[0].ts_ns, f.l[0].ts_ns);
    path_ack(&f);
    CHECK(f.act.verdict == ROCECC_HPCC_STARTED && f.s.u_q32 == ONE);
}

/* A flow is blind, at W_blind, if its ACKs are always more than dt_max apart. */
TEST(H_30_acks_beyond_dt_max_leave_w_blind)
{
    const rocecc_hpcc_params p = rocecc_hpcc_ns3(100 * G);
    path f = on_its_way(&p, 1);
    int i;
    for (i = 0; i < 8; i++) {
        f.r.now_ns += 6 * MS;
        hop_on(&f, 0, 6 * MS, 1000);
        f.r.seq += 160;
        path_ack(&f);
        CHECK_EQ(f.act.verdict, ROCECC_HPCC_STARTED);
    }
    CHECK_EQ(f.act.window_bytes, 8125);
}

/* A hop without a clock is measured up to dt_max, and then starts anew (H-11). */
TEST(H_30_a_hop_without_a_clock_is_measured_up_to_dt_max)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    f.hops[0].valid = ROCECC_HOP_ID | ROCECC_HOP_UTIL;
    f.hops[0].util_q20 = 1 << 19;
    path_ack(&f);
    f.r.now_ns += G;
    path_ack(&f);
    CHECK(f.act.verdict == ROCECC_HPCC_REACTED && f.s.u_q32 == ONE / 2);
    CHECK_EQ(f.s.changed_ns, 6 * G + 80 * 1000);
    f.r.now_ns += G + 1;
    path_ack(&f);
    CHECK(f.act.verdict == ROCECC_HPCC_STARTED && f.s.u_q32 == ONE);
}

/*
 * A clock is set back or forward by 60 us, 1 ms or 5.2 s, beyond the span. The host's
 * clock still measures 80 ns, so no hop is missed. Then a report counts every 13 us,
 * which is every 163rd. The first of these ends the round of the step. The second ends
 * a round in which the clock was usable (H-41).
 */
TEST(H_32_a_clock_step_selects_the_host_clock)
{
    static const int64_t steps[] = {-5200000000, -1000000, -60000,
                                    60000,       1000000,  5200000000};
    const uint8_t host = ROCECC_HPCC_HOST_TIMED, odd = ROCECC_HPCC_CLOCK_ODD;
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    size_t i;
    for (i = 0; i < 2 * (sizeof steps / sizeof steps[0]); i++) {
        path f = on_its_way(&p, i % 2 ? 2 : 1);
        uint64_t before;
        int k;
        test_context("%lld", (long long)steps[i / 2]);
        acks(&f, 3128, 50); /* U is 1/2; 1 + 161 * 25 = 4026 ends the last round */
        CHECK(f.act.verdict == ROCECC_HPCC_REACTED && f.s.update_seq == 4186);
        before = window(&f);
        f.hops[0].ts_ns += (uint64_t)steps[i / 2];
        acks(&f, 1, 50);
        CHECK(f.act.verdict == ROCECC_HPCC_REACTED && f.act.missed == 0);
        CHECK_EQ(f.s.flags, host | odd | ROCECC_HPCC_NEXT_PATH);
        CHECK_EQ(f.l[0].ts_ns, (uint32_t)f.hops[0].ts_ns);
        for (k = 0; k < 2; k++) {
            acks(&f, 162, 50);
            CHECK(f.act.verdict == ROCECC_HPCC_IGNORED && f.act.missed == 0);
            CHECK_EQ(f.s.flags & host, host);
            acks(&f, 1, 50);
            CHECK(f.act.verdict == ROCECC_HPCC_UPDATED && f.act.missed == 0);
            CHECK_EQ(f.s.flags, ROCECC_HPCC_NEXT_PATH | (k == 0 ? host : 0));
            CHECK(f.s.u_q32 > ONE * 499 / 1000 && f.s.u_q32 < ONE * 501 / 1000);
        }
        acks(&f, 1, 50);
        CHECK(f.act.verdict == ROCECC_HPCC_REACTED && window(&f) >= before);
    }
}

/*
 * H-32: an old report changes nothing. At 100 Gb/s, the link sends 650,000 bytes in
 * reorder, and 9/8 of these + B * T are 893,750. A time stamp after L does not make the
 * report newer, and a time stamp before L does not make it older.
 */
TEST(H_32_a_reordered_report_changes_nothing)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    int i;
    for (i = 0; i < 2; i++) {
        path f = on_its_way(&p, 2);
        const uint64_t ts = f.hops[0].ts_ns, tx = f.hops[0].tx_bytes;
        const path before = f;
        f.hops[0].tx_bytes = tx - 893750;
        f.hops[0].ts_ns = i ? ts + 80 : ts - 52000;
        f.hops[1].ts_ns = f.hops[0].ts_ns;
        path_ack(&f);
        CHECK(f.act.verdict == ROCECC_HPCC_IGNORED && f.act.missed == 0);
        CHECK(memcmp(&before.s, &f.s, sizeof f.s) == 0);
        CHECK(memcmp(before.l, f.l, sizeof f.l) == 0);
        f.hops[0].tx_bytes -= 1;
        f.hops[1].tx_bytes += 1000;
        f.hops[1].ts_ns = ts + 80;
        f.r.now_ns += 80;
        path_ack(&f);
        CHECK(f.act.verdict == ROCECC_HPCC_REACTED && f.act.missed == 1);
        CHECK_EQ(f.l[0].tx_bytes, tx - 893751);
    }
}

/*
 * H-11, H-32: a hop with a utilisation and without bytes is never old. The host times
 * it, and its own clock does not count, so U moves towards a half for 80 ns of T.
 */
TEST(H_11_H_32_a_utilisation_is_not_late)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    uint64_t ts;
    f.hops[0].valid = ROCECC_HOP_ID | ROCECC_HOP_UTIL | ROCECC_HOP_TS;
    f.hops[0].util_q20 = 1 << 19;
    acks(&f, 2, 95);
    ts = f.hops[0].ts_ns;
    f.s.u_q32 = ONE;
    f.hops[0].ts_ns = ts - 52000; /* 4 T */
    f.r.now_ns += 80;
    path_ack(&f);
    CHECK(f.act.verdict == ROCECC_HPCC_REACTED && f.act.missed == 0);
    CHECK_EQ(f.l[0].ts_ns, (uint32_t)(ts - 52000));
    CHECK_EQ(f.s.flags, ROCECC_HPCC_NEXT_PATH);
    /* U is 1 - (80 / 13000) / 2. */
    CHECK(f.s.u_q32 >= ONE - ONE * 80 / 26000 - 16 &&
          f.s.u_q32 <= ONE - ONE * 80 / 26000 + 16);
}

/* If an id names only the node, another port has another counter. */
TEST(H_33_another_path_with_the_same_ids_is_a_jump)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    static const uint64_t jumps[] = {10 * G, (uint64_t)0 - 10 * G, 400000};
    size_t i;
    for (i = 0; i < 3; i++) {
        path f = on_its_way(&p, 1);
        const uint64_t before = window(&f);
        f.hops[0].tx_bytes += jumps[i];
        acks(&f, 1, 95);
        CHECK(f.act.verdict == ROCECC_HPCC_BLIND && f.act.missed == 1);
        CHECK(f.l[0].jumped == 1 && window(&f) == before);
        acks(&f, 200, 95);
        CHECK(f.act.verdict >= ROCECC_HPCC_REACTED && f.l[0].jumped == 0);
        CHECK(window(&f) > before * 8 / 10 && f.s.u_q32 < ONE);
    }
}

/* The second jump in a row counts as 9/8, as the link is faster than it reports. */
TEST(H_33_a_link_faster_than_it_reports_counts_as_9_8)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    int i;
    for (i = 0; i < 3; i++) {
        f.r.now_ns += 130000;
        hop_on(&f, 0, 130000, 130000 * 25); /* twice its rate, for 10 T */
        path_ack(&f);
        CHECK_EQ(f.act.verdict == ROCECC_HPCC_BLIND, i == 0);
    }
    CHECK(f.s.u_q32 > ONE * 112 / 100 && f.s.u_q32 <= ONE * 113 / 100);
    /* 9/8 of the link and one B * T, 10 * 9/8 + 1 = 12.25 B * T, are not a jump. */
    f.r.now_ns += 130000;
    hop_on(&f, 0, 130000, 1990624);
    path_ack(&f);
    CHECK(f.l[0].jumped == 0 && f.s.u_q32 > ONE * 122 / 100);
    f.r.now_ns += 130000;
    hop_on(&f, 0, 130000, 1990626);
    path_ack(&f);
    CHECK(f.l[0].jumped == 1 && f.act.verdict == ROCECC_HPCC_BLIND);
}

/* H-34: a queue counts up to the largest buffer, 32 MB, to the byte. A utilisation
 * counts up to 9/8, in place of the bytes sent. */
TEST(H_34_queue_max_and_9_8_bound_a_report)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    static const uint32_t queues[] = {UINT32_MAX, 32000001, 32000000, 31999999};
    uint64_t u_q32[4];
    size_t i;
    for (i = 0; i < 4; i++) {
        path g = f;
        g.hops[0].queue_bytes = queues[i];
        acks(&g, 2000, 100);
        u_q32[i] = g.s.u_q32;
    }
    CHECK_EQ(f.p.queue_max_bytes, queues[2]);
    /* 32 * 10^6 / 162500 = 196.92, plus 1 for the link */
    CHECK(u_q32[2] > ONE * 19790 / 100 && u_q32[2] < ONE * 19793 / 100);
    CHECK(u_q32[0] == u_q32[2] && u_q32[1] == u_q32[2] && u_q32[3] < u_q32[2]);
    f.hops[0].valid |= ROCECC_HOP_UTIL;
    f.hops[0].queue_bytes = 0;
    for (i = 0; i < 3; i++) {
        path g = f;
        g.hops[0].util_q20 = ROCECC_ONE_Q20 / 8 * 9 + (uint32_t)i - 1;
        if (i == 2) g.hops[0].util_q20 = UINT32_MAX;
        path_ack(&g);
        g.r.now_ns += g.p.base_rtt_ns; /* tau is T, so U is exactly this value */
        path_ack(&g);
        CHECK_EQ(g.s.u_q32, ONE / 8 * 9 - (i == 0 ? 1 << 12 : 0));
    }
}

/* Without telemetry, W stays for a round, then falls to W_blind in five, and stays. */
TEST(H_35_a_blind_window_falls_to_w_blind)
{
    static const uint64_t w[] = {162500, 81250, 40625, 20313, 10157, 8125, 8125, 8125};
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    rocecc_hpcc_event r = {NULL, 6, 0, 0, 0, 0, false};
    rocecc_hpcc_action act = {0, 0, 0, 0, 0};
    rocecc_hpcc s;
    uint32_t i;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    for (i = 0; i < 999; i++) {
        r.seq = i;
        r.snd_nxt = i + 128;
        r.now_ns = i * 80;
        act = rocecc_hpcc_ack(&p, &s, NULL, &r);
        CHECK_EQ(act.verdict, ROCECC_HPCC_BLIND);
        test_context("ACK %u", i);
        CHECK_EQ(act.window_bytes, w[i / 129]);
    }
    CHECK_EQ(act.rate_bps / 1000, 4999999);
    /* Marks halve W once a round. Then it climbs by 81.25 bytes, back to W_blind. */
    r.seq = 5000;
    r.snd_nxt = 5128;
    r.ecn = ROCECC_HPCC_ECN_MARKED;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, NULL, &r).window_bytes, 4063);
    r.seq = 5128;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, NULL, &r).window_bytes, 4063);
    r.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    r.seq = 5129; /* ends the marked round */
    r.snd_nxt = 5257;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, NULL, &r).window_bytes, 2032);
    for (i = 0; i < 76; i++) {
        r.seq = r.snd_nxt + 1;
        r.snd_nxt = r.seq + 128;
        act = rocecc_hpcc_ack(&p, &s, NULL, &r);
        CHECK_EQ(act.window_bytes,
                 rocecc_min(8125, (203125 + 8125 * ((uint64_t)i + 1) + 99) / 100));
    }
    CHECK_EQ(act.window_bytes, 8125);
    /* With ECN on and no marks, W climbs by W_AI towards W_init. */
    r.ecn = ROCECC_HPCC_ECN_UNMARKED;
    for (i = 0; i < 100; i++) {
        r.seq = r.snd_nxt + 1;
        r.snd_nxt = r.seq + 128;
        act = rocecc_hpcc_ack(&p, &s, NULL, &r);
    }
    CHECK_EQ(act.window_bytes, 16250);
}

/* A single blind round changes nothing. */
TEST(H_35_a_single_blind_round_changes_nothing)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    const uint64_t before = f.s.window_q20;
    int i;
    for (i = 0; i < 5; i++) {
        f.r.n_hops = 0;
        f.r.seq = f.s.update_seq;
        path_ack(&f); /* ends the round */
        CHECK(f.act.verdict == ROCECC_HPCC_BLIND && f.s.window_q20 == before);
        CHECK_EQ(f.s.blind, 1);
        f.r.n_hops = 1;
        acks(&f, 1, 95);
        CHECK_EQ(f.s.blind, 0);
        f.s.window_q20 = before;
    }
}

/* A mark in a Fast CNP without hops counts once the flow is blind. */
TEST(H_35_the_mark_of_a_fast_cnp_halves_a_blind_window)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    const uint64_t before = rocecc_min(f.s.window_q20, f.s.reference_q20);
    f.r.n_hops = 0;
    f.r.ecn = ROCECC_HPCC_ECN_MARKED;
    CHECK_EQ(rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, &f.r).verdict, ROCECC_HPCC_IGNORED);
    CHECK_EQ(f.s.flags, ROCECC_HPCC_MARKED | ROCECC_HPCC_NEXT_PATH);
    f.r.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    f.r.seq = f.s.update_seq;
    path_ack(&f);
    CHECK_EQ(f.s.window_q20, before / 2);
}

/* On a path that is known to be incomplete, W falls to W_blind, and further with U, but
 * does not rise. */
TEST(H_36_w_does_not_rise_on_an_incomplete_path)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    uint64_t before = f.s.window_q20;
    int i;
    f.r.incomplete = true;
    for (i = 0; i < 2000; i++) {
        acks(&f, 1, 30);
        CHECK(f.s.window_q20 <= rocecc_max(before, UINT64_C(8125) << 20));
        before = f.s.window_q20;
    }
    CHECK_EQ(before, UINT64_C(8125) << 20);
    f.hops[0].queue_bytes = 325000; /* U = 3 */
    acks(&f, 400, 100);
    CHECK(window(&f) < 3000);
}

/* One incomplete report at the end of a round neither raises nor halves W. */
TEST(H_36_one_incomplete_report_neither_raises_nor_halves_w)
{
    const rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&p, 1);
    const uint64_t before = f.s.window_q20;
    f.r.incomplete = true;
    f.r.seq = f.s.update_seq;
    acks(&f, 1, 95);
    CHECK_EQ(f.act.verdict, ROCECC_HPCC_UPDATED);
    CHECK(f.s.blind == 1 && f.s.flags == ROCECC_HPCC_NEXT_PATH);
    CHECK(f.s.window_q20 <= before && f.s.window_q20 > before / 10 * 9);
}

/* From 400G to 100G, for an active and an idle flow, and back. */
TEST(H_37_relink_clamps_the_window_to_the_new_link)
{
    rocecc_hpcc_params fast = rocecc_hpcc_paper(400 * G),
                       slow = rocecc_hpcc_paper(100 * G);
    path f = on_its_way(&fast, 1);
    rocecc_hpcc idle = rocecc_hpcc_start(&f.p);
    rocecc_hpcc_action act;
    CHECK_EQ(rocecc_hpcc_init(&fast), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(rocecc_hpcc_init(&slow), ROCECC_HPCC_ACCEPTED);
    CHECK(window(&f) > 162500);
    act = rocecc_hpcc_relink(&slow, &f.s);
    CHECK(act.window_bytes == 162500 && act.rate_bps / 1000 == 99999999 &&
          f.s.hops == 0);
    CHECK_EQ(f.s.reference_q20, UINT64_C(162500) << 20);
    act = rocecc_hpcc_relink(&slow, &idle);
    CHECK(act.window_bytes == 162500 && act.verdict == ROCECC_HPCC_IGNORED);
    CHECK_EQ(rocecc_hpcc_relink(&fast, &idle).window_bytes, 650000); /* no report yet */
    CHECK_EQ(rocecc_hpcc_relink(&fast, &f.s).window_bytes, 162500);
    /* 1 / (B * T) uses the new T. */
    slow.base_rtt_ns = 26000;
    CHECK_EQ(rocecc_hpcc_init(&slow), ROCECC_HPCC_ACCEPTED);
    f.p = slow;
    (void)rocecc_hpcc_relink(&f.p, &f.s);
    acks(&f, 1, 95);
    f.r.now_ns += 26000;
    hop_on(&f, 0, 26000, 162500); /* half of B * T */
    path_ack(&f);
    CHECK(f.s.u_q32 > ONE * 4999 / 10000 && f.s.u_q32 < ONE * 5001 / 10000);
}

/* Before the first report, relink sets W to exactly W_init, even if W_max is larger. It
 * notes no mark, so the first blind round changes nothing (H-35). */
TEST(H_37_relink_before_the_first_report_sets_w_init)
{
    rocecc_hpcc_params fast = rocecc_hpcc_paper(400 * G),
                       p = rocecc_hpcc_paper(100 * G);
    rocecc_hpcc_event r = {NULL, 0, 1, 129, 80, 0, false};
    const uint64_t w = UINT64_C(162500) << 20;
    rocecc_hpcc s;
    CHECK_EQ(rocecc_hpcc_init(&fast), ROCECC_HPCC_ACCEPTED);
    p.w_max_bytes = 650000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&fast);
    CHECK_EQ(rocecc_hpcc_relink(&p, &s).window_bytes, 162500);
    CHECK(s.window_q20 == w && s.reference_q20 == w);
    CHECK(s.u_q32 == ONE && s.stage == 0 && s.hops == 0 && s.blind == 0);
    CHECK_EQ(s.flags, ROCECC_HPCC_RISING | ROCECC_HPCC_UNTOUCHED);
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, NULL, &r).verdict, ROCECC_HPCC_BLIND);
    CHECK(s.window_q20 == w && s.reference_q20 == w && s.blind == 1);
    CHECK_EQ(s.flags, ROCECC_HPCC_RISING);
}

/* A report without hops, at time 0 and with snd_nxt 0, also counts as the first report.
 * relink then only lowers W, even after forget(). */
TEST(H_37_a_report_of_zeros_is_a_first_report)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    rocecc_hpcc_event r = {NULL, 0, 0, 0, 0, ROCECC_HPCC_ECN_MARKED, false};
    const uint64_t half = UINT64_C(81250) << 20;
    rocecc_hpcc s, fresh;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = fresh = rocecc_hpcc_start(&p);
    CHECK_EQ(s.flags, ROCECC_HPCC_UNTOUCHED);
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, NULL, &r).verdict, ROCECC_HPCC_BLIND);
    CHECK(s.window_q20 == half && s.changed_ns == 0 && s.update_seq == 0);
    CHECK_EQ(rocecc_hpcc_relink(&p, &s).window_bytes, 81250);
    rocecc_hpcc_forget(&p, &s);
    CHECK_EQ(rocecc_hpcc_relink(&p, &s).window_bytes, 81250);
    rocecc_hpcc_forget(&p, &fresh); /* not a report */
    CHECK_EQ(fresh.flags, ROCECC_HPCC_UNTOUCHED);
}

/* With T from 1 us to 1 s at 3.2 Tb/s, 400 KB to 400 GB are in flight. */
TEST(hpcc_windows_scale_from_T_1_us_to_1_s)
{
    static const uint32_t t[] = {1000, 100000000, 1000000000};
    size_t i;
    for (i = 0; i < 3; i++) {
        rocecc_hpcc_params p = rocecc_hpcc_paper(3200 * G);
        rocecc_hop h = {1, 3200 * G, 0, 0, 0, 0, 31};
        rocecc_hpcc_event r = {&h, 1, 0, 5, 0, 0, false};
        rocecc_hpcc_hop l[1];
        rocecc_hpcc_action act;
        rocecc_hpcc s;
        const uint64_t bdp = (uint64_t)t[i] * 400;
        p.base_rtt_ns = t[i];
        p.w_init_bytes = p.w_max_bytes = bdp;
        p.w_blind_bytes = bdp / 20;
        p.w_ai_q8 = 0;
        p.max_stage = 0;
        test_context("T %u", (unsigned)t[i]);
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        s = rocecc_hpcc_start(&p);
        act = rocecc_hpcc_ack(&p, &s, l, &r);
        CHECK(act.window_bytes == bdp && act.rate_bps == 3200 * G);
        r.now_ns = h.ts_ns = t[i];
        h.tx_bytes = bdp;
        r.seq = 6;
        act = rocecc_hpcc_ack(&p, &s, l, &r); /* U = 1 leaves 0.95 of W, in Q20 */
        CHECK_EQ(act.verdict, ROCECC_HPCC_UPDATED);
        CHECK(s.u_q32 > ONE - 16 && s.u_q32 <= ONE);
        CHECK(act.window_bytes >= bdp * 949999 / 1000000 &&
              act.window_bytes <= bdp * 950001 / 1000000);
        CHECK(act.rate_bps > 3039990000000 && act.rate_bps < 3040010000000);
    }
}

/* Random faults of all kinds and lengths (tests/law/hpcc_time.h). */
TEST(hpcc_recovers_in_time_from_random_faults)
{
    law_random(law_hpcc_time, 20000);
}
