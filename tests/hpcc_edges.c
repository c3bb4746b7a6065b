/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_edges.c - HPCC at the edge of what there is: a path of all the hops that there
 * may be, the largest window, a queue of 2^32 - 1 bytes. The rules are of
 * algo/README.md.
 */
#include "lib/hpcc.h"
#include "lib/test.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define ONE ((uint64_t)1 << 32) /* U of 1.0 */
#define ALL                                                                            \
    (ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS)

/* A flow of HPCC, and its last report. */
typedef struct path {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
    rocecc_hop hops[ROCECC_HPCC_HOPS_MAX];
    rocecc_hpcc_event r;
} path;

static rocecc_hpcc_action ack(path *f, uint32_t seq, uint32_t snd_nxt)
{
    f->r.hops = f->hops;
    f->r.seq = seq;
    f->r.snd_nxt = snd_nxt;
    return rocecc_hpcc_ack(&f->p, &f->s, f->l, &f->r);
}

/* A flow whose first report said this of n hops; lastUpdateSeq is 100. */
static path start_path(const rocecc_hpcc_params *p, uint32_t n, uint8_t valid)
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
        f.hops[i].valid = valid;
    }
    CHECK_EQ(ack(&f, 0, 100).verdict, ROCECC_HPCC_STARTED);
    return f;
}

/* A hop sends bytes in dt. */
static void advance_hop(rocecc_hop *h, uint64_t dt, uint64_t bytes)
{
    h->ts_ns += dt;
    h->tx_bytes += bytes;
}

/* H-16: 16 hops are not too many, and the last of them counts like any. */
TEST(edges_hpcc_a_path_of_16_hops)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_action act;
    uint32_t i;
    path f;
    p.max_hops = ROCECC_HPCC_HOPS_MAX;
    f = start_path(&p, 16, ALL);
    CHECK_EQ(f.s.hops, 16);
    for (i = 0; i < 16; i++)
        advance_hop(&f.hops[i], 10000, i == 15 ? 75000 : 25000);
    f.r.now_ns += 10000;
    act = ack(&f, 1, 101);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
    CHECK(near(f.s.u_q32, ONE * 3 / 4, 16));
    f.hops[15].id = 77; /* another path */
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
}

/*
 * H-29: a hop that reports nothing any more is not the one that reported id 0, and an
 * id is compared with an id: another one that is the number of the last time stamp is
 * other.
 */
TEST(edges_hpcc_a_hop_of_another_id)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, ALL);
    CHECK_EQ(f.l[0].id, 0);
    advance_hop(&f.hops[0], 10000, 50000);
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
    advance_hop(&f.hops[0], 10000, 50000);
    f.hops[0].id = 10000;
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    f = start_path(&p, 1, ALL);
    f.hops[0].valid = 0;
    f.hops[0].id = 5; /* of what is not reported L has 0 */
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    CHECK_EQ(f.l[0].id, 0);
}

/*
 * H-29: an id is compared with an id. A hop whose link rate is the number that L has as
 * its id is another hop, and so is one without an id where L's id is 0.
 */
TEST(edges_hpcc_an_id_is_no_rate)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, ALL);
    f.hops[0].id = f.hops[0].rate_bps;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    advance_hop(&f.hops[0], 10000, 50000);
    f.hops[0].id = 5;
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    CHECK_EQ(f.l[0].id, 5);
    f = start_path(&p, 1, ALL);
    f.hops[0].valid = 0;
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
}

/*
 * H-21: a Fast CNP ends no round. One that shows half of the path and has a mark leaves
 * W at most where it was, and not at half of that, as the end of a marked round would.
 */
TEST(edges_hpcc_a_marked_fast_cnp_of_half_a_path)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 2, ALL);
    rocecc_hpcc_action act;
    advance_hop(&f.hops[0], 10000, 50000);
    f.hops[1].ts_ns = UINT64_MAX; /* 1 ns before L: late */
    f.r.now_ns += 10000;
    f.r.hops = f.hops;
    f.r.ecn = ROCECC_HPCC_ECN_MARKED;
    act = rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, &f.r);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 1);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
    CHECK_EQ(act.window_bytes, 100000);
    CHECK(f.s.reference_q20 == UINT64_C(100000) << 20 && f.s.update_seq == 100);
    CHECK_EQ(f.s.blind, 1); /* the first report's: no whole one has come since */
    CHECK_EQ(f.s.flags, ROCECC_HPCC_MARKED);
}

/* H-24: u of a delay is below 4096, to the last bit, however long it is. */
TEST(edges_hpcc_the_longest_delay)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_csig_event e;
    memset(&e, 0, sizeof e);
    p.base_rtt_ns = 1000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    e.signal = ROCECC_HPCC_DRAIN;
    e.value = 4095000; /* 1 + 4095 */
    CHECK_EQ(rocecc_hpcc_csig_load_q32_(&p, &e), ((uint64_t)1 << 44) - 1);
    e.value = UINT32_MAX;
    CHECK_EQ(rocecc_hpcc_csig_load_q32_(&p, &e), ((uint64_t)1 << 44) - 1);
    e.signal = ROCECC_HPCC_UTILISATION; /* H-34: up to 9/8, to the bit */
    CHECK_EQ(rocecc_hpcc_csig_load_q32_(&p, &e), ONE * 9 / 8);
}

/*
 * H-8: a queue of which one record speaks is what that says, also 2^32 - 1 bytes. T of
 * 2^17 ns at 64 Gb/s make B T 2^20 bytes, so that U is (2^32 - 1) 2^-20.
 */
TEST(edges_hpcc_the_longest_queue_of_one_record)
{
    int first;
    for (first = 0; first < 2; first++) {
        rocecc_hpcc_params p = plain_params();
        path f;
        p.base_rtt_ns = 1 << 17;
        p.queue_max_bytes = UINT32_MAX;
        f = start_path(&p, 1, first ? ALL & ~ROCECC_HOP_QUEUE : ALL);
        f.l[0].queue_bytes = first ? 5 : UINT32_MAX;
        f.hops[0].queue_bytes = first ? UINT32_MAX : 5;
        f.hops[0].valid = (uint8_t)(ALL ^ (first ? 0 : ROCECC_HOP_QUEUE));
        f.hops[0].rate_bps = 64 * G;
        advance_hop(&f.hops[0], 1 << 17, 0);
        f.r.now_ns += 1 << 17;
        test_context("first %d", first);
        CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
        CHECK_EQ(f.s.u_q32, ((uint64_t)UINT32_MAX << 32) >> 20);
    }
}

/*
 * H-33, H-36, of a hop that reports no queue: in T/10 it says 3/2 B T. That is more
 * than 9/8 T/10 and B T: a jump, so that of two hops one was missed, and U is by the
 * other: 9/10 of what it was, and 1/10 of a half.
 */
TEST(edges_hpcc_a_small_jump_without_a_queue)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 2, ALL ^ ROCECC_HOP_QUEUE);
    rocecc_hpcc_action act;
    advance_hop(&f.hops[0], 1000, 5000);
    advance_hop(&f.hops[1], 1000, 150000);
    f.r.now_ns += 1000;
    act = ack(&f, 1, 101);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 1);
    CHECK(near(f.s.u_q32, ONE * 95 / 100, 16));
}

/*
 * H-7, H-11: a hop with a utilisation needs no time stamp, also where it reports all
 * else: the host's clock will do. 0.5 of the link and a queue of B T / 10 are 0.6.
 */
TEST(edges_hpcc_everything_but_a_time_stamp)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, (ALL ^ ROCECC_HOP_TS) | ROCECC_HOP_UTIL);
    f.l[0].queue_bytes = f.hops[0].queue_bytes = 10000;
    f.hops[0].util_q20 = 1 << 19;
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE * 6 / 10, 16));
}

/* H-11, with T of 10 ms: by the host's clock half of T is half of T. */
TEST(edges_hpcc_half_of_a_long_round_trip)
{
    rocecc_hpcc_params p = plain_params();
    path f;
    p.base_rtt_ns = 10000000;
    f = start_path(&p, 1, ROCECC_HOP_ID | ROCECC_HOP_UTIL);
    f.hops[0].util_q20 = 1 << 19;
    f.r.now_ns += 5000000;
    CHECK_EQ(ack(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE * 3 / 4, 16));
}

/* T of 5^9 ns: W_max / T is 2^43 bit/s, the first that is refused, with 2^31 bytes. */
TEST(edges_hpcc_the_first_window_that_is_too_fast)
{
    rocecc_hpcc_params p = plain_params();
    p.base_rtt_ns = 1953125;
    p.w_max_bytes = (uint64_t)1 << 31;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_W_MAX);
    p.w_max_bytes--;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
}

/*
 * H-12, H-14, in windows up to 2^40 bytes: three times 2^38 is no more than W_max; U of
 * 0 is W_max, be Wc 1 byte, and U of 2^-32 is 2^32 times eta of it.
 */
TEST(edges_hpcc_the_largest_window)
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
 * H-37: W and Wc come up to the new W_min; and a flow that a report has reached keeps
 * them, be lastUpdateSeq 0 or the time of the report.
 */
TEST(edges_hpcc_relink_of_a_small_window)
{
    rocecc_hpcc_params p = plain_params(), faster;
    int begins;
    for (begins = 0; begins < 2; begins++) {
        path f = start_path(&p, 1, ALL);
        f.s = rocecc_hpcc_start(&f.p);
        f.r.now_ns = begins ? 0 : 5;
        CHECK_EQ(ack(&f, UINT32_MAX - 99, begins ? 5 : 0).verdict, ROCECC_HPCC_STARTED);
        f.s.window_q20 = (uint64_t)4000 << 20;
        f.s.reference_q20 = (uint64_t)5000 << 20;
        faster = f.p;
        test_context("begins %d", begins);
        CHECK_EQ(rocecc_hpcc_relink(&faster, &f.s).window_bytes, 4000);
        CHECK_EQ(f.s.reference_q20, (uint64_t)5000 << 20);
        faster.w_min_bytes = 4500;
        CHECK_EQ(rocecc_hpcc_init(&faster), ROCECC_HPCC_ACCEPTED);
        CHECK_EQ(rocecc_hpcc_relink(&faster, &f.s).window_bytes, 4500);
        CHECK_EQ(f.s.reference_q20, (uint64_t)5000 << 20);
    }
}
