/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "law/ldcp.h"
#include "law/ldcp_time.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "rocecc/algo/wred.h"

#define ONE ROCECC_LDCP_ONE_Q32
#define Q16(x) ((uint32_t)((x)*65536))
#define RTT_NS 8000u

static rocecc_ldcp_params hns(uint32_t iw_packets)
{
    rocecc_ldcp_params p = rocecc_ldcp_hns(iw_packets);
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    return p;
}

/* Returns a stable sender with this window. */
static rocecc_ldcp stable(const rocecc_ldcp_params *p, uint64_t cw_q32)
{
    rocecc_ldcp s = rocecc_ldcp_start(p);
    s.stable = 1;
    s.first_rtt = 0;
    s.cw_q32 = cw_q32;
    return s;
}

/* Handles an ACK in a flow that its window limits. */
static void ack(const rocecc_ldcp_params *p, rocecc_ldcp *s, uint32_t n, bool ece)
{
    const rocecc_ldcp_ack_event heard = {n, ece, true};
    rocecc_ldcp_ack(p, s, heard);
}

/* Returns the window after one ACK. */
static uint64_t acked(const rocecc_ldcp_params *p, uint64_t cw_q32, uint32_t n,
                      bool ece)
{
    rocecc_ldcp s = stable(p, cw_q32);
    ack(p, &s, n, ece);
    return s.cw_q32;
}

static uint64_t lost(const rocecc_ldcp_params *p, uint64_t cw_q32)
{
    rocecc_ldcp s = stable(p, cw_q32);
    CHECK(rocecc_ldcp_nak(p, &s).cut);
    return s.cw_q32;
}

/* Sends all packets that the window allows now. */
static uint32_t send_all(const rocecc_ldcp_params *p, rocecc_ldcp *s)
{
    uint32_t n = 0;
    while (rocecc_ldcp_may_send(s, RTT_NS, 0).allowed) {
        (void)rocecc_ldcp_send(p, s, false, 0);
        n++;
    }
    return n;
}

#define SAME_PARAM(T, kind, member, names, unit, range, source)                        \
    CHECK_EQ(p.member, before.member);
#define SAME_STATE(T, kind, member, ...) CHECK_EQ(s.member, t.member);

static void refused(rocecc_ldcp_params p, rocecc_ldcp_refusal refusal)
{
    rocecc_ldcp_params before;
    test_context("refusal %d", (int)refusal);
    p.gamma_q32 = 55;
    p.grow_q32 = 66;
    p.cw_max_q32 = 77;
    before = p;
    CHECK_EQ(rocecc_ldcp_init(&p), refusal);
    ROCECC_LDCP_PARAMS(SAME_PARAM, rocecc_ldcp_params)
    CHECK(p.gamma_q32 == 55 && p.grow_q32 == 66 && p.cw_max_q32 == 77);
}

#define REFUSED(member, value, why)                                                    \
    do {                                                                               \
        rocecc_ldcp_params p_ = rocecc_ldcp_hns(100);                                  \
        p_.member = (value);                                                           \
        refused(p_, ROCECC_LDCP_REFUSED_##why);                                        \
    } while (0)

#define ACCEPTED(member, value)                                                        \
    do {                                                                               \
        rocecc_ldcp_params p_ = rocecc_ldcp_hns(100);                                  \
        p_.member = (value);                                                           \
        test_context(#member " %u", (unsigned)(value));                                \
        CHECK_EQ(rocecc_ldcp_init(&p_), ROCECC_LDCP_ACCEPTED);                         \
    } while (0)

TEST(ldcp_init_rejects_params_out_of_range)
{
    REFUSED(alpha_q16, 0, ALPHA);
    REFUSED(alpha_q16, 65537, ALPHA);
    REFUSED(beta_q16, 0, BETA);
    REFUSED(beta_q16, 65537, BETA);
    REFUSED(gamma_q16, 0, GAMMA);
    REFUSED(gamma_q16, 65537, GAMMA);
    REFUSED(eta_q16, 65536, ETA);
    REFUSED(iw_packets, 0, IW);
    REFUSED(iw_packets, 65536, IW);
    REFUSED(cw_max_packets, 99, CW_MAX);
    REFUSED(cw_max_packets, 65536, CW_MAX);
    REFUSED(loss_floor_packets, 0, LOSS_FLOOR);
    REFUSED(loss_floor_packets, 101, LOSS_FLOOR);
    REFUSED(m_packets, 0, M);
    REFUSED(m_packets, 65536, M);
    REFUSED(mtu_bytes, 0, MTU);
    REFUSED(mtu_bytes, 65536, MTU);
    ACCEPTED(alpha_q16, 1);
    ACCEPTED(alpha_q16, 65536);
    ACCEPTED(beta_q16, 1);
    ACCEPTED(beta_q16, 65536);
    ACCEPTED(gamma_q16, 1);
    ACCEPTED(gamma_q16, 65536);
    ACCEPTED(eta_q16, 0);
    ACCEPTED(eta_q16, 65535);
    ACCEPTED(iw_packets, 1);
    ACCEPTED(iw_packets, 65535);
    ACCEPTED(cw_max_packets, 100);
    ACCEPTED(cw_max_packets, 65535);
    ACCEPTED(loss_floor_packets, 100);
    ACCEPTED(m_packets, 65535);
    ACCEPTED(mtu_bytes, 1);
    ACCEPTED(mtu_bytes, 65535);
}

/* L1, L2, L3: the mark curve uses the current queue length, without an average. */
TEST(L01_L02_L03_marks_follow_the_current_queue_length)
{
    const rocecc_wred_params q = rocecc_wred_ldcp(100000, 1000000);
    const uint32_t never = UINT32_MAX, always = 0;
    CHECK_EQ(rocecc_wred_decide(&q, 19999, ROCECC_ECN_ECT0, always), ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&q, 20001, ROCECC_ECN_ECT0, always), ROCECC_WRED_MARK);
    CHECK_EQ(rocecc_wred_decide(&q, 79999, ROCECC_ECN_ECT0, never), ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&q, 80000, ROCECC_ECN_ECT0, never), ROCECC_WRED_MARK);
    /* halfway, p = 0.4 */
    CHECK_EQ(rocecc_wred_decide(&q, 50000, ROCECC_ECN_ECT0, 1717986900),
             ROCECC_WRED_MARK);
    CHECK_EQ(rocecc_wred_decide(&q, 50000, ROCECC_ECN_ECT0, 1717986940),
             ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&q, 1000001, ROCECC_ECN_ECT0, never), ROCECC_WRED_DROP);
}

TEST(L04_L05_each_packet_is_acknowledged_with_its_mark)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp_receiver r = rocecc_ldcp_receiver_start();
    rocecc_ldcp_receiver_action acks = rocecc_ldcp_received(&p, &r, false);
    CHECK(acks.unmarked == 1 && acks.marked == 0);
    acks = rocecc_ldcp_received(&p, &r, true);
    CHECK(acks.unmarked == 0 && acks.marked == 1 && r.pending == 0);
}

/* L6: with m 4, every fourth packet is acknowledged. A marked packet is acknowledged
 * at once, with the pending ones. */
TEST(L06_an_ACK_waits_for_m_packets_or_a_mark)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp_receiver r = rocecc_ldcp_receiver_start();
    rocecc_ldcp_receiver_action acks;
    uint32_t i;
    p.m_packets = 4;
    for (i = 1; i <= 12; i++) {
        acks = rocecc_ldcp_received(&p, &r, false);
        CHECK_EQ(acks.unmarked, i % 4 == 0 ? 4 : 0);
        CHECK_EQ(acks.marked, 0);
        CHECK_EQ(r.pending, i % 4);
    }
    (void)rocecc_ldcp_received(&p, &r, false);
    (void)rocecc_ldcp_received(&p, &r, false);
    acks = rocecc_ldcp_received(&p, &r, true);
    CHECK(acks.unmarked == 0 && acks.marked == 3 && r.pending == 0);
    acks = rocecc_ldcp_received(&p, &r, true);
    CHECK(acks.unmarked == 0 && acks.marked == 1 && r.pending == 0);
}

TEST(L07_every_ACK_moves_the_window)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, 50 * ONE);
    uint64_t before = s.cw_q32;
    int i;
    for (i = 0; i < 100; i++) {
        ack(&p, &s, 1, i % 3 == 0);
        CHECK(i % 3 == 0 ? s.cw_q32 < before : s.cw_q32 > before);
        before = s.cw_q32;
    }
}

TEST(L08_an_ACK_adds_alpha_per_cw_or_cuts_by_beta)
{
    rocecc_ldcp_params p = hns(100);
    CHECK_EQ(acked(&p, 4 * ONE, 1, false), 4 * ONE + ONE / 4);
    CHECK_EQ(acked(&p, 4 * ONE, 1, true), 4 * ONE - ONE / 2);
    CHECK_EQ(acked(&p, ONE, 1, false), 2 * ONE);
    CHECK_EQ(acked(&p, 3 * ONE, 1, false), 3 * ONE + ONE / 3);
    CHECK_EQ(acked(&p, 399 * ONE, 1, false), 399 * ONE + ONE / 399);
    p.alpha_q16 = Q16(0.5);
    p.beta_q16 = Q16(0.125);
    CHECK_EQ(acked(&p, 4 * ONE, 1, false), 4 * ONE + ONE / 8);
    CHECK_EQ(acked(&p, 4 * ONE, 1, true), 4 * ONE - ONE / 8);
}

/* Even the smallest growth counts, so 2^32 ACKs add a packet. */
TEST(L08_the_smallest_growth_counts)
{
    rocecc_ldcp_params p = hns(65535);
    rocecc_ldcp s;
    int i;
    p.alpha_q16 = 1;
    CHECK_EQ(acked(&p, 65534 * ONE, 1, false), 65534 * ONE + 1);
    p.alpha_q16 = 65536;
    s = stable(&p, 1000 * ONE);
    for (i = 0; i < 10000; i++) /* cw^2 grows by 2 * alpha per ACK */
        ack(&p, &s, 1, false);
    CHECK(s.cw_q32 / 100000 > 1009950 * ONE / 100000000 &&
          s.cw_q32 / 100000 < 1009951 * ONE / 100000000);
}

/* cw + 1 / cw is at least 2 in integers, too, so two cuts of 1/2 leave one packet. */
TEST(L08_rounding_keeps_windows_at_one_packet_or_more)
{
    const rocecc_ldcp_params p = hns(100);
    uint64_t random = 1;
    uint32_t i;
    for (i = 0; i < 200000; i++) {
        const uint64_t cw = ONE + (i < 100000 ? i : test_random(&random) >> 9);
        if (acked(&p, cw, 1, false) < 2 * ONE)
            test_fail(__FILE__, __LINE__, "cw_q32 %llu", (unsigned long long)cw);
    }
}

TEST(L09_an_ACK_of_n_packets_counts_n_times)
{
    const rocecc_ldcp_params p = hns(100);
    CHECK_EQ(acked(&p, 8 * ONE, 3, false), 8 * ONE + ONE / 8 * 3);
    CHECK_EQ(acked(&p, 8 * ONE, 3, true), 8 * ONE - ONE / 2 * 3);
    CHECK_EQ(acked(&p, 64 * ONE, 64, false), 65 * ONE);
    CHECK_EQ(acked(&p, 64 * ONE, 64, true), 32 * ONE);
}

/* L10: with cw 1/4, the next packet leaves 4 RTT after the last one, and only after
 * its ACK. */
TEST(L10_below_one_packet_a_flow_pauses_RTT_per_cw)
{
    const rocecc_ldcp_params p = hns(100);
    const uint64_t at = 4294967290; /* its low 32 bits wrap in the pause */
    rocecc_ldcp s = stable(&p, ONE / 4);
    CHECK(rocecc_ldcp_may_send(&s, RTT_NS, 5).allowed); /* nothing was sent yet */
    (void)rocecc_ldcp_send(&p, &s, false, at);
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, at + 100).allowed);
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, at + 100).wait_ns,
             0);          /* no timer before the ACK */
    ack(&p, &s, 1, true); /* cw stays at gamma */
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, at + 100).allowed);
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, at + 100).wait_ns, 4 * RTT_NS - 100);
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, at + 4 * RTT_NS - 1).wait_ns, 1);
    CHECK(rocecc_ldcp_may_send(&s, RTT_NS, at + 4 * RTT_NS).allowed);
    CHECK(rocecc_ldcp_may_send(&s, 0, at).allowed);
}

TEST(L11_below_one_packet_an_ACK_adds_gamma_or_cuts_eta)
{
    rocecc_ldcp_params p = hns(100);
    p.gamma_q16 = Q16(0.125);
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(acked(&p, ONE / 2, 1, false), ONE / 2 + ONE / 8);
    CHECK_EQ(acked(&p, ONE / 2, 1, true), ONE / 4);
    CHECK_EQ(acked(&p, ONE / 8 * 7, 1, false), ONE);
    CHECK_EQ(acked(&p, ONE - 1, 1, true), ONE / 2 - 1);
    p.eta_q16 = Q16(0.75);
    CHECK_EQ(acked(&p, ONE / 2, 1, true), ONE / 8 * 3);
}

TEST(L12_gamma_bounds_the_cut_by_eta)
{
    const rocecc_ldcp_params p = hns(100);
    CHECK_EQ(p.eta_q16, Q16(0.5));
    CHECK_EQ(p.gamma_q16, Q16(0.25));
    CHECK_EQ(acked(&p, ONE / 4, 1, true), ONE / 4);
    CHECK_EQ(acked(&p, ONE / 8 * 3, 1, true), ONE / 4);
    CHECK_EQ(lost(&p, ONE / 4), ONE / 4);
}

/* HNS recommends cwd0, alpha 1, beta 0.5, gamma 0.25 and eta 0.5. */
TEST(ldcp_preset_hns_has_the_recommended_values)
{
    const rocecc_ldcp_params p = rocecc_ldcp_hns(123);
    CHECK(p.alpha_q16 == Q16(1) && p.beta_q16 == Q16(0.5));
    CHECK(p.gamma_q16 == Q16(0.25) && p.eta_q16 == Q16(0.5) && p.iw_packets == 123);
    CHECK(!p.continuous && !p.split && p.m_packets == 1 && p.loss_floor_packets == 1);
}

TEST(L13_a_flow_starts_with_IW)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    CHECK_EQ(s.cw_q32, 100 * ONE);
    CHECK_EQ(send_all(&p, &s), 100);
    CHECK_EQ(s.in_flight, 100);
}

/* ECT and Not-ECT packets wait in one queue, with different verdicts. */
TEST(L14_L16_not_ECT_is_dropped_from_K_on)
{
    const rocecc_wred_params q = rocecc_wred_ldcp(100000, 1000000);
    const uint32_t never = UINT32_MAX;
    CHECK_EQ(rocecc_wred_decide(&q, 39999, ROCECC_ECN_NOT_ECT, 0), ROCECC_WRED_PASS);
    CHECK_EQ(rocecc_wred_decide(&q, 40000, ROCECC_ECN_NOT_ECT, never),
             ROCECC_WRED_DROP);
    CHECK_EQ(rocecc_wred_decide(&q, 1000000, ROCECC_ECN_ECT0, never), ROCECC_WRED_MARK);
    CHECK_EQ(rocecc_wred_decide(&q, 1000001, ROCECC_ECN_ECT0, never), ROCECC_WRED_DROP);
}

TEST(L15_L20_packets_are_ECT_after_the_first_RTT)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    int i;
    for (i = 1; i < 100; i++)
        CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_NOT_ECT);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_ECT0);
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, 0).allowed);
    /* L20: the first ACK frees the window, still in fast start. */
    ack(&p, &s, 1, false);
    CHECK(!s.stable && rocecc_ldcp_may_send(&s, RTT_NS, 0).allowed);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_ECT0);
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, 0).allowed);
}

TEST(L17_L18_loss_in_fast_start_leaves_the_acked_packets)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    rocecc_ldcp_action act;
    CHECK_EQ(send_all(&p, &s), 100);
    ack(&p, &s, 30, false);
    ack(&p, &s, 7, true);
    act = rocecc_ldcp_nak(&p, &s);
    CHECK(act.cut && act.go_back_packets == 63 && s.stable);
    CHECK_EQ(s.cw_q32, 37 * ONE);
    CHECK_EQ(send_all(&p, &s), 37); /* go-back-N frees the whole window */
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_ECT0);
}

TEST(L17_L19_an_acknowledged_IW_ends_fast_start_with_IW)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    uint32_t i;
    for (i = 1; i < 100; i++) {
        (void)send_all(&p, &s);
        ack(&p, &s, 1, false);
        CHECK(!s.stable && s.cw_q32 == 100 * ONE && s.acked == i);
    }
    ack(&p, &s, 1, false);
    CHECK(s.stable && s.cw_q32 == 100 * ONE && s.in_flight == 98);
    ack(&p, &s, 1, false);
    CHECK_EQ(s.cw_q32, 100 * ONE + ONE / 100);
    s = rocecc_ldcp_start(&p);
    ack(&p, &s, UINT32_MAX, false); /* more than IW at once */
    CHECK(s.stable && s.cw_q32 == 100 * ONE && s.in_flight == 0);
}

TEST(L21_the_IWth_packet_or_the_last_is_ECT)
{
    const rocecc_ldcp_params p = hns(3), one = hns(1);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_NOT_ECT);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, true, 0), ROCECC_ECN_ECT0);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_ECT0);
    s = rocecc_ldcp_start(&one);
    CHECK_EQ(rocecc_ldcp_send(&one, &s, false, 0), ROCECC_ECN_ECT0);
}

TEST(L22_L25_LSN_shows_the_packets_an_ACK_confirms)
{
    rocecc_ldcp_space a = {4294967000u, 65534};
    const uint32_t sent = a.lsn + 4000;
    CHECK_EQ(rocecc_ldcp_confirm(&a, sent, a.lsn + 1000, 65535), 1);
    CHECK_EQ(rocecc_ldcp_confirm(&a, sent, a.lsn + 2000, 1), 2); /* one ACK was lost */
    CHECK(a.lsn == 2704 && a.packet == 1);
    CHECK_EQ(rocecc_ldcp_confirm(&a, sent, a.lsn, 1), 0);            /* repeated */
    CHECK_EQ(rocecc_ldcp_confirm(&a, sent, a.lsn - 1000, 65535), 0); /* late */
    CHECK_EQ(rocecc_ldcp_confirm(&a, sent, sent + 1, 3), 0);         /* never sent */
    CHECK(a.lsn == 2704 && a.packet == 1);
    CHECK_EQ(rocecc_ldcp_confirm(&a, sent, sent, 2), 1);
}

/* READ responses and the requests of a requester have separate windows. */
TEST(L23_L24_each_LSN_space_has_its_own_window)
{
    const rocecc_ldcp_params p = hns(10);
    rocecc_ldcp requests = rocecc_ldcp_start(&p), responses = rocecc_ldcp_start(&p);
    rocecc_ldcp_space of_requests = {0, 0}, of_responses = {0, 0};
    rocecc_ldcp_receiver requester = rocecc_ldcp_receiver_start();
    rocecc_ldcp_receiver_action acks;
    CHECK_EQ(send_all(&p, &requests), 10);
    CHECK_EQ(send_all(&p, &responses), 10);
    acks = rocecc_ldcp_received(&p, &requester, false); /* a READ response */
    CHECK_EQ(acks.unmarked, 1);
    ack(&p, &responses, rocecc_ldcp_confirm(&of_responses, 10480, 1048, 1), false);
    CHECK(rocecc_ldcp_may_send(&responses, RTT_NS, 0).allowed);
    CHECK(!rocecc_ldcp_may_send(&requests, RTT_NS, 0).allowed);
    CHECK(of_requests.lsn == 0 && of_responses.lsn == 1048);
}

TEST(G01_the_window_before_the_step_selects_the_rule)
{
    const rocecc_ldcp_params p = hns(100);
    CHECK_EQ(acked(&p, ONE + ONE / 8, 1, true), ONE / 8 * 5);
    CHECK_EQ(acked(&p, ONE / 8 * 7, 1, false), ONE + ONE / 8);
    CHECK_EQ(acked(&p, ONE, 1, true), ONE / 2);
    CHECK_EQ(acked(&p, ONE - 1, 1, false), ONE + ONE / 4 - 1);
}

TEST(G02_gamma_is_the_smallest_window)
{
    const rocecc_ldcp_params p = hns(100);
    CHECK_EQ(acked(&p, 8 * ONE, 15, true), ONE / 2);
    CHECK_EQ(acked(&p, 8 * ONE, 16, true), ONE / 4);
    CHECK_EQ(acked(&p, 8 * ONE, 17, true), ONE / 4);
    CHECK_EQ(acked(&p, 400 * ONE, UINT32_MAX, true), ONE / 4);
}

/* Without cw_max, the bound is 65,535 packets. An ACK cannot distinguish more. */
TEST(G03_cw_max_is_the_largest_window)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s;
    uint32_t i;
    CHECK_EQ(p.cw_max_q32, 65535 * ONE);
    CHECK_EQ(acked(&p, 65535 * ONE - 1, 1, false), 65535 * ONE);
    CHECK_EQ(acked(&p, 65535 * ONE, UINT32_MAX, false), 65535 * ONE);
    p.cw_max_packets = 400;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(acked(&p, 400 * ONE - 1, 1, false), 400 * ONE);
    CHECK_EQ(acked(&p, 400 * ONE, 65535, false), 400 * ONE);
    CHECK_EQ(acked(&p, 400 * ONE, UINT32_MAX, false), 400 * ONE);
    CHECK_EQ(acked(&p, 20 * ONE, 65536, false), 400 * ONE);
    p = hns(16384);
    p.cw_max_packets = 20000;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(acked(&p, 19999 * ONE, 65535, false), 20000 * ONE);
    p = hns(1);
    p.cw_max_packets = 1;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(acked(&p, ONE - 1, 1, false), ONE);
    /* From cw 8, each of a million unmarked ACKs adds 1 / cw, so cw^2 grows by 2 + 1 /
     * cw^2. It is then between 2000064 and, with the sum of 1 / cw^2, 2000070, plus at
     * most 2^-16 of it. */
    p = hns(8);
    s = stable(&p, 8 * ONE);
    for (i = 0; i < 1000000; i++)
        ack(&p, &s, 1, false);
    CHECK(s.cw_q32 > 1414236 * (ONE / 1000) && s.cw_q32 < 1414262 * (ONE / 1000));
}

TEST(G04_below_one_packet_n_is_ignored)
{
    const rocecc_ldcp_params p = hns(100);
    CHECK_EQ(acked(&p, ONE / 2, 50, false), ONE / 4 * 3);
    CHECK_EQ(acked(&p, ONE / 4 * 3, 50, true), ONE / 8 * 3);
}

TEST(G05_ECE_in_fast_start_is_ignored)
{
    const rocecc_ldcp_params p = hns(4);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    int i;
    for (i = 0; i < 4; i++) {
        CHECK(!s.stable);
        ack(&p, &s, 1, true);
        CHECK_EQ(s.cw_q32, 4 * ONE);
    }
    CHECK(s.stable);
    ack(&p, &s, 1, true);
    CHECK_EQ(s.cw_q32, 4 * ONE - ONE / 2);
}

/* G6: packets are ECT after an ACK that confirms one, or after a loss. */
TEST(G06_the_first_ACK_or_loss_ends_the_first_RTT)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_NOT_ECT);
    ack(&p, &s, 0, true); /* confirms nothing, so has no effect */
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_NOT_ECT);
    ack(&p, &s, 1, false);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_ECT0);
    s = rocecc_ldcp_start(&p);
    (void)rocecc_ldcp_nak(&p, &s);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_ECT0);
}

TEST(G07_total_loss_leaves_the_floor)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    (void)send_all(&p, &s);
    CHECK_EQ(rocecc_ldcp_nak(&p, &s).go_back_packets, 100);
    CHECK_EQ(s.cw_q32, ONE);
    p.loss_floor_packets = 5;
    s = rocecc_ldcp_start(&p);
    ack(&p, &s, 4, false);
    (void)rocecc_ldcp_nak(&p, &s);
    CHECK_EQ(s.cw_q32, 5 * ONE);
    s = rocecc_ldcp_start(&p);
    ack(&p, &s, 6, false);
    (void)rocecc_ldcp_nak(&p, &s);
    CHECK_EQ(s.cw_q32, 6 * ONE);
}

TEST(G08_a_stable_loss_cuts_once_a_window)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, 20 * ONE);
    rocecc_ldcp_action act;
    CHECK_EQ(send_all(&p, &s), 20);
    act = rocecc_ldcp_nak(&p, &s);
    CHECK(act.cut && act.go_back_packets == 20 && s.cw_q32 == 10 * ONE);
    CHECK_EQ(send_all(&p, &s), 10);
    ack(&p, &s, 1, true);
    act = rocecc_ldcp_nak(&p, &s); /* in the same window */
    CHECK(!act.cut && act.go_back_packets == 9 && s.cw_q32 == 10 * ONE - ONE / 2);
    ack(&p, &s, 18, true); /* late ACKs of packets not sent again */
    CHECK_EQ(s.in_flight, 0);
    CHECK(!rocecc_ldcp_nak(&p, &s).cut);
    ack(&p, &s, 1, true);
    CHECK(rocecc_ldcp_nak(&p, &s).cut);
    /* The loss that ends fast start also counts as a cut. */
    s = rocecc_ldcp_start(&p);
    CHECK_EQ(send_all(&p, &s), 100);
    ack(&p, &s, 50, false);
    CHECK(rocecc_ldcp_nak(&p, &s).cut);
    ack(&p, &s, 49, true);
    CHECK(!rocecc_ldcp_nak(&p, &s).cut);
    ack(&p, &s, 1, true);
    CHECK(rocecc_ldcp_nak(&p, &s).cut);
    CHECK_EQ(lost(&p, 65535 * ONE), 65535 * (ONE / 2));
    p.cw_max_packets = 400;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(lost(&p, 65535 * ONE), 400 * ONE); /* impossible with these parameters */
    CHECK_EQ(lost(&p, 399 * ONE + ONE / 2), 199 * ONE + ONE / 4 * 3);
}

TEST(G09_the_pause_uses_the_current_window)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, ONE / 2);
    (void)rocecc_ldcp_send(&p, &s, false, 0);
    ack(&p, &s, 1, true);
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, 0).wait_ns, 4 * RTT_NS);
    s.cw_q32 = ONE / 4 * 3; /* a pause of 8000 / 0.75, rounded up */
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, 0).wait_ns, 10667);
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, 10666).allowed);
    CHECK(rocecc_ldcp_may_send(&s, RTT_NS, 10667).allowed);
    /* With an RTT of 4.3 s and cw 2^-16, a pause is nearly 2^48 ns, over 3 days. */
    s.cw_q32 = ONE / 65536;
    CHECK_EQ(rocecc_ldcp_may_send(&s, UINT32_MAX, 0).wait_ns, 281474976645120);
    CHECK_EQ(rocecc_ldcp_may_send(&s, UINT32_MAX, 281474976645119).wait_ns, 1);
    CHECK(rocecc_ldcp_may_send(&s, UINT32_MAX, 281474976645120).allowed);
    s.cw_q32 = 0; /* a window of 0 cannot occur, and divides nothing */
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, 0).wait_ns, 0);
}

/* With a 64-bit clock, nothing waits after a silence of 2^32 ns or a multiple, or after
 * the clock has stepped back or forward. */
TEST(G09_clock_wraps_and_steps_do_not_delay_a_flow)
{
    const rocecc_ldcp_params p = hns(100);
    const uint64_t at = 5000000000, turn = (uint64_t)1 << 32;
    rocecc_ldcp s = stable(&p, ONE / 4);
    uint64_t i;
    (void)rocecc_ldcp_send(&p, &s, false, at);
    ack(&p, &s, 1, true);
    CHECK_EQ(rocecc_ldcp_may_send(&s, RTT_NS, at + 100).wait_ns, 4 * RTT_NS - 100);
    for (i = 1; i < 20; i++)
        CHECK(rocecc_ldcp_may_send(&s, RTT_NS, at + turn * i + 100).allowed);
    for (i = 1; i <= at; i *= 7)
        CHECK(rocecc_ldcp_may_send(&s, RTT_NS, at - i).allowed);
    CHECK(rocecc_ldcp_may_send(&s, RTT_NS, UINT64_MAX).allowed);
}

TEST(G10_the_window_counts_packets_or_bytes)
{
    const rocecc_ldcp_params p = hns(100); /* MTU 1024 */
    rocecc_ldcp s = stable(&p, 2 * ONE + ONE / 2);
    CHECK_EQ(send_all(&p, &s), 2);
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 2560);
    CHECK(rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){2048, 512},
                                     RTT_NS, 0)
              .allowed);
    CHECK(!rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){2048, 513},
                                      RTT_NS, 0)
               .allowed);
    CHECK_EQ(rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){2048, 513},
                                        RTT_NS, 0)
                 .wait_ns,
             0);
    CHECK(rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){0, 100000},
                                     RTT_NS, 0)
              .allowed);
    CHECK(!rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){UINT32_MAX, 1},
                                      RTT_NS, 0)
               .allowed);
    s.cw_q32 = ONE; /* smallest window of the upper rule, without a timer */
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, 0).allowed);
    s.in_flight = 0;
    CHECK(rocecc_ldcp_may_send(&s, RTT_NS, 0).allowed);
    s.cw_q32 = ONE / 2;
    CHECK(!rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){64, 64}, RTT_NS,
                                      0)
               .allowed);
    CHECK_EQ(rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){0, 1024},
                                        RTT_NS, 1)
                 .wait_ns,
             15999);
}

TEST(G11_split_acknowledges_unmarked_packets_without_ECE)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp_receiver r = rocecc_ldcp_receiver_start();
    rocecc_ldcp_receiver_action acks;
    p.m_packets = 8;
    p.split = true;
    (void)rocecc_ldcp_received(&p, &r, false);
    (void)rocecc_ldcp_received(&p, &r, false);
    acks = rocecc_ldcp_received(&p, &r, true);
    CHECK(acks.unmarked == 2 && acks.marked == 1 && r.pending == 0);
    acks = rocecc_ldcp_received(&p, &r, true);
    CHECK(acks.unmarked == 0 && acks.marked == 1);
}

TEST(G12_flush_acknowledges_pending_packets)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp_receiver r = rocecc_ldcp_receiver_start();
    p.m_packets = 65535;
    (void)rocecc_ldcp_received(&p, &r, false);
    (void)rocecc_ldcp_received(&p, &r, false);
    CHECK_EQ(rocecc_ldcp_flush(&r).unmarked, 2);
    CHECK_EQ(rocecc_ldcp_flush(&r).unmarked, 0);
}

TEST(G13_the_thresholds_are_fractions_of_K)
{
    const rocecc_wred_params q = rocecc_wred_ldcp(100000, 1000000);
    CHECK(q.mark.min_bytes == 20000 && q.mark.max_bytes == 80000);
    CHECK(q.drop.min_bytes == 40000 && q.drop.max_bytes == 40000);
    CHECK_EQ(q.mark.pmax_q32, 3435973837u);
}

TEST(G14_cw_counts_packets_of_one_MTU)
{
    rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, 400 * ONE);
    p.mtu_bytes = 65535;
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 26214000);
    s.cw_q32 = ONE / 4; /* rounded down */
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 16383);
}

TEST(G15_an_idle_flow_keeps_its_window)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, 20 * ONE);
    (void)rocecc_ldcp_send(&p, &s, true, 0);
    ack(&p, &s, 1, false);
    CHECK(rocecc_ldcp_may_send(&s, RTT_NS, 4000000000u).allowed);
    CHECK_EQ(s.cw_q32, 20 * ONE + ONE / 20);
}

/* A window of 97 packets gets no answer. With one cut per window, 97 + 48 * 999 =
 * 48,049 packets would leave. Now these are 97, 48, 24, 12, 6, 3, 1 and 993 times 1. */
TEST(G16_each_timeout_halves_the_window)
{
    const rocecc_ldcp_params p = hns(97);
    rocecc_ldcp s = stable(&p, 97 * ONE);
    uint64_t resent = 0, cw = 97 * ONE, now = 0;
    uint32_t i;
    for (i = 0; i < 1000; i++, now += 1000000) {
        rocecc_ldcp_action act;
        while (rocecc_ldcp_may_send(&s, RTT_NS, now).allowed)
            (void)rocecc_ldcp_send(&p, &s, false, now);
        act = rocecc_ldcp_timeout(&p, &s);
        cw = cw / 2 > ONE / 4 ? cw / 2 : ONE / 4;
        CHECK(act.cut && s.cw_q32 == cw);
        resent += act.go_back_packets;
    }
    CHECK_EQ(resent, 97 + 48 + 24 + 12 + 6 + 3 + 1 + 993);
    CHECK_EQ(s.cw_q32, ONE / 4);
}

/* A NAK without an ACK since the last loss is for resent packets, so it cuts again. A
 * timeout always cuts. */
TEST(G08_G16_losses_without_an_ack_cut_again)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, 32 * ONE);
    CHECK_EQ(send_all(&p, &s), 32);
    CHECK(rocecc_ldcp_nak(&p, &s).cut && s.cw_q32 == 16 * ONE);
    CHECK(rocecc_ldcp_nak(&p, &s).cut && s.cw_q32 == 8 * ONE);
    CHECK_EQ(send_all(&p, &s), 8);
    CHECK(rocecc_ldcp_timeout(&p, &s).cut && s.cw_q32 == 4 * ONE);
    CHECK_EQ(send_all(&p, &s), 4);
    ack(&p, &s, 0, true); /* for nothing new, so not an ACK */
    CHECK(rocecc_ldcp_nak(&p, &s).cut && s.cw_q32 == 2 * ONE);
    CHECK_EQ(send_all(&p, &s), 2);
    CHECK(rocecc_ldcp_timeout(&p, &s).cut && s.cw_q32 == ONE);
    CHECK_EQ(send_all(&p, &s), 1);
    CHECK(rocecc_ldcp_timeout(&p, &s).cut && s.cw_q32 == ONE / 2);
    /* In fast start the first timeout leaves as many packets as were acknowledged, and
     * the next one cuts. */
    s = rocecc_ldcp_start(&p);
    CHECK_EQ(send_all(&p, &s), 100);
    ack(&p, &s, 40, false);
    CHECK(rocecc_ldcp_timeout(&p, &s).cut && s.cw_q32 == 40 * ONE);
    CHECK(rocecc_ldcp_timeout(&p, &s).cut && s.cw_q32 == 20 * ONE);
    CHECK_EQ(s.unheard, 1);
    ack(&p, &s, 1, true);
    CHECK_EQ(s.unheard, 0);
}

/* RFC 7661 and RFC 9002, 7.8: unused windows do not grow, but marks still cut. */
TEST(G17_only_a_limiting_window_grows)
{
    const rocecc_ldcp_params p = hns(8);
    const rocecc_ldcp_ack_event idle = {1, false, false}, marked = {1, true, false};
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    uint32_t i;
    for (i = 0; i < 8; i++) /* fast start ends by acknowledged packets */
        rocecc_ldcp_ack(&p, &s, idle);
    CHECK(s.stable && s.cw_q32 == 8 * ONE);
    for (i = 0; i < 1000000; i++)
        rocecc_ldcp_ack(&p, &s, idle);
    CHECK_EQ(s.cw_q32, 8 * ONE);
    rocecc_ldcp_ack(&p, &s, marked);
    CHECK_EQ(s.cw_q32, 8 * ONE - ONE / 2);
    s = stable(&p, ONE / 2);
    rocecc_ldcp_ack(&p, &s, idle);
    CHECK_EQ(s.cw_q32, ONE / 2);
    rocecc_ldcp_ack(&p, &s, marked);
    CHECK_EQ(s.cw_q32, ONE / 4);
    ack(&p, &s, 1, false);
    CHECK_EQ(s.cw_q32, ONE / 2);
}

/* G18: relink lowers cw to the new IW, and raises it at most to gamma. In fast start,
 * the new IW applies. */
TEST(G18_relink_bounds_the_window_by_the_new_link)
{
    const rocecc_ldcp_params fast = hns(400), slow = hns(100);
    rocecc_ldcp s = stable(&fast, 390 * ONE + ONE / 2);
    rocecc_ldcp_relink(&slow, &s);
    CHECK_EQ(s.cw_q32, 100 * ONE);
    s.cw_q32 = 60 * ONE + 7;
    rocecc_ldcp_relink(&slow, &s);
    CHECK_EQ(s.cw_q32, 60 * ONE + 7);
    rocecc_ldcp_relink(&fast, &s); /* only ACKs raise cw */
    CHECK_EQ(s.cw_q32, 60 * ONE + 7);
    s.cw_q32 = ONE / 8; /* below gamma, from other parameters */
    rocecc_ldcp_relink(&slow, &s);
    CHECK_EQ(s.cw_q32, ONE / 4);
    /* In fast start, the new IW applies, up or down. */
    s = rocecc_ldcp_start(&slow);
    CHECK_EQ(send_all(&slow, &s), 100);
    ack(&slow, &s, 30, false);
    rocecc_ldcp_relink(&fast, &s);
    CHECK(!s.stable && s.cw_q32 == 400 * ONE && s.acked == 30);
    CHECK_EQ(send_all(&fast, &s), 330);
    ack(&fast, &s, 69, false);
    rocecc_ldcp_relink(&slow, &s);
    CHECK(!s.stable && s.cw_q32 == 100 * ONE && s.acked == 99);
    CHECK(!rocecc_ldcp_may_send(&s, RTT_NS, 0).allowed);
    ack(&slow, &s, 1, false);
    CHECK(s.stable && s.cw_q32 == 100 * ONE);
    /* The acknowledged packets are already an IW (L19). */
    s = rocecc_ldcp_start(&fast);
    CHECK_EQ(send_all(&fast, &s), 400);
    ack(&fast, &s, 100, false);
    rocecc_ldcp_relink(&slow, &s);
    CHECK(s.stable && s.acked == 0 && s.cw_q32 == 100 * ONE && s.in_flight == 300);
}

/* Counts are distances, so billions of packets have no effect. in_flight saturates. */
TEST(ldcp_counts_do_not_wrap)
{
    const rocecc_ldcp_params p = hns(100);
    rocecc_ldcp s = stable(&p, 20 * ONE), t;
    uint64_t packets;
    for (packets = 0; packets < (uint64_t)1 << 34; packets += 4000000000u)
        ack(&p, &s, 4000000000u, true);
    t = stable(&p, s.cw_q32);
    ROCECC_LDCP_STATE_FIELDS(SAME_STATE, rocecc_ldcp)
    s.in_flight = UINT32_MAX - 1;
    (void)rocecc_ldcp_send(&p, &s, false, 0);
    CHECK_EQ(s.in_flight, UINT32_MAX);
    (void)rocecc_ldcp_send(&p, &s, false, 0);
    CHECK_EQ(s.in_flight, UINT32_MAX);
}

/* In balance, (1 - p) * growth = p * cut. p falls as cw rises only if continuous. */
TEST(ldcp_mark_rate_falls_with_cw_only_if_continuous)
{
    rocecc_ldcp_params p = hns(100);
    uint64_t cw;
    bool falls[2] = {true, true};
    int cure;
    p.gamma_q16 = Q16(0.0625);
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    /* p is 1/3 for cw 4, and also for cw 1/4. */
    CHECK_EQ((acked(&p, 4 * ONE, 1, false) - 4 * ONE) * 2,
             4 * ONE - acked(&p, 4 * ONE, 1, true));
    CHECK_EQ((acked(&p, ONE / 4, 1, false) - ONE / 4) * 2,
             ONE / 4 - acked(&p, ONE / 4, 1, true));
    for (cure = 0; cure < 2; cure++) {
        uint64_t up_before = 1, down_before = 0;
        p.continuous = cure != 0;
        CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
        for (cw = ONE / 8 + ONE / 999; cw < 9 * ONE; cw += ONE / 16) {
            const uint64_t up = (acked(&p, cw, 1, false) - cw) >> 8;
            const uint64_t down = (cw - acked(&p, cw, 1, true)) >> 8;
            if (up * down_before >= up_before * down) falls[cure] = false;
            up_before = up;
            down_before = down;
        }
    }
    CHECK(!falls[0] && falls[1]);
    /* With `continuous` and cw 1/2, p is 1 / (1 + 1/4). */
    CHECK_EQ(acked(&p, ONE / 2, 1, false) - ONE / 2,
             (ONE / 2 - acked(&p, ONE / 2, 1, true)) * 4);
    /* For any alpha, beta and eta, both rules meet at one packet. */
    p.alpha_q16 = Q16(0.75);
    p.beta_q16 = Q16(0.375);
    p.eta_q16 = Q16(0.875);
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(p.grow_q32, ONE / 4);
}

/*
 * A closed loop of senders on links of 100 Gb/s, a bottleneck of 100 Gb/s with a WRED
 * FIFO, packets of 1000 bytes, and a round trip of BDP packets. A slot is the time of a
 * packet, 80 ns.
 */
#define BDP 102
#define SLOT_NS 80
#define FLOWS 512
#define QUEUE 65536
#define NEVER UINT32_MAX

typedef struct packet {
    uint32_t flow;
    uint32_t number;
    bool ce;
    bool there;
} packet;

typedef struct flow {
    rocecc_ldcp s;
    rocecc_ldcp_receiver v;
    uint32_t acked, next; /* packet numbers */
    uint32_t ask;         /* slot of the sender's next check */
    bool nak;             /* for the expected packet */
    bool limited;         /* the window refused a packet */
    uint32_t delivered;   /* in the second half */
} flow;

typedef struct loop {
    rocecc_ldcp_params p;
    rocecc_wred_params wred;
    flow flows[FLOWS];
    uint32_t n;
    packet queue[QUEUE];
    uint32_t head, depth;
    packet path[BDP];
    uint64_t random;
    uint32_t now;
    /* in the second half */
    uint32_t slots, served, dropped_ect;
    uint32_t depths[QUEUE];
} loop;

/* Delivers a packet, and its ACK to the sender. The path is a round trip long. */
static void arrive(loop *l, const packet *k)
{
    flow *f = &l->flows[k->flow];
    f->ask = l->now;
    if (k->number != f->acked) { /* go-back-N accepts packets only in order */
        if (f->nak || k->number < f->acked) return;
        f->nak = true;
        (void)rocecc_ldcp_nak(&l->p, &f->s);
        f->next = f->acked;
    } else {
        const rocecc_ldcp_receiver_action acks =
            rocecc_ldcp_received(&l->p, &f->v, k->ce);
        const bool full =
            !rocecc_ldcp_may_send(&f->s, BDP * SLOT_NS, l->now * SLOT_NS).allowed;
        const rocecc_ldcp_ack_event heard = {acks.unmarked + acks.marked,
                                             acks.marked != 0, f->limited || full};
        rocecc_ldcp_ack(&l->p, &f->s, heard);
        f->nak = false;
        f->acked++;
        f->delivered += l->slots > 0;
    }
}

static void transmit(loop *l, flow *f)
{
    const rocecc_ldcp_send_action release =
        rocecc_ldcp_may_send(&f->s, BDP * SLOT_NS, l->now * SLOT_NS);
    packet k = {0, 0, false, true};
    rocecc_wred_verdict verdict;
    rocecc_ecn ecn;
    f->ask = release.allowed ? l->now + 1
             : release.wait_ns != 0
                 ? l->now + 1 + (uint32_t)((release.wait_ns - 1) / SLOT_NS)
                 : NEVER;
    f->limited = !release.allowed;
    if (!release.allowed) return;
    k.flow = (uint32_t)(f - l->flows);
    k.number = f->next++;
    ecn = rocecc_ldcp_send(&l->p, &f->s, false, l->now * SLOT_NS);
    verdict = rocecc_wred_decide(&l->wred, (l->depth + 1) * 1000, ecn,
                                 test_random(&l->random));
    if (verdict == ROCECC_WRED_DROP) {
        l->dropped_ect += ecn != ROCECC_ECN_NOT_ECT;
        return;
    }
    k.ce = verdict == ROCECC_WRED_MARK;
    l->queue[(l->head + l->depth++) % QUEUE] = k;
}

static void slot(loop *l)
{
    packet *k = &l->path[l->now % BDP];
    uint32_t i;
    if (k->there) arrive(l, k);
    k->there = false;
    for (i = 0; i < l->n; i++) {
        flow *f = &l->flows[(l->now + i) % l->n];
        if (f->ask <= l->now) transmit(l, f);
    }
    if (l->depth > 0) { /* returns here after a round trip */
        *k = l->queue[l->head++ % QUEUE];
        l->depth--;
    }
    if (l->slots > 0) {
        l->served += k->there;
        l->depths[l->depth]++;
    }
    l->now++;
}

static void run(loop *l, const rocecc_ldcp_params *p, uint32_t n, uint32_t slots)
{
    uint32_t i;
    memset(l, 0, sizeof *l);
    l->p = *p;
    l->wred = rocecc_wred_ldcp(100000, 2000000);
    l->n = n;
    l->random = n;
    for (i = 0; i < n; i++)
        l->flows[i].s = rocecc_ldcp_start(p);
    for (i = 0; i < slots; i++) {
        if (i == slots / 2) l->slots = slots - i;
        slot(l);
    }
    CHECK_EQ(l->dropped_ect, 0);
}

/* Returns the smallest depth that `permille` of 1000 slots do not exceed. */
static uint32_t depth_at(const loop *l, uint32_t permille)
{
    uint64_t seen = 0;
    uint32_t depth;
    for (depth = 0; depth < QUEUE; depth++) {
        seen += l->depths[depth];
        if (seen * 1000 >= (uint64_t)l->slots * permille) break;
    }
    return depth;
}

static int larger(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Returns the traffic share of the fastest twentieth of the flows, in permille. */
static uint32_t top_share(const loop *l)
{
    uint32_t delivered[FLOWS], all = 0, top = 0, i;
    for (i = 0; i < l->n; i++) {
        delivered[i] = l->flows[i].delivered;
        all += delivered[i];
    }
    qsort(delivered, l->n, sizeof delivered[0], larger);
    for (i = 0; i < l->n / 20; i++)
        top += delivered[i];
    return top * 1000 / all;
}

/* Returns Jain's index of fairness, in permille. */
static uint32_t jain(const loop *l)
{
    uint64_t sum = 0, squares = 0;
    uint32_t i;
    for (i = 0; i < l->n; i++) {
        sum += l->flows[i].delivered;
        squares += (uint64_t)l->flows[i].delivered * l->flows[i].delivered;
    }
    return (uint32_t)(sum * sum * 1000 / (squares * l->n));
}

static void say(const loop *l)
{
    test_context("%u flows: %u of %u slots, queue %u / %u, Jain %u, top %u",
                 (unsigned)l->n, (unsigned)l->served, (unsigned)l->slots,
                 (unsigned)depth_at(l, 500), (unsigned)depth_at(l, 990),
                 (unsigned)jain(l), (unsigned)top_share(l));
}

/* Up to 32 flows fill the link, in equal shares. For 99 % of the time, the queue is
 * below 70 packets. */
TEST(ldcp_loop_of_few_flows_fills_and_shares_the_link)
{
    static loop l;
    static const uint32_t flows[] = {2, 8, 32};
    const rocecc_ldcp_params p = hns(BDP);
    uint32_t i;
    for (i = 0; i < 3; i++) {
        run(&l, &p, flows[i], 50000);
        say(&l);
        CHECK(l.served == l.slots);
        CHECK(depth_at(&l, 990) < 70);
        CHECK(jain(&l) > 980);
    }
}

/*
 * 256 flows share a path of 102 packets. With gamma 1/16, the fastest 12 have half of
 * the traffic, and a tenth of the link is idle. With gamma 1/4, they have a tenth. With
 * `continuous`, flows are equal and fill the link, more smoothly with a larger eta.
 */
TEST(ldcp_loop_incast_is_fair_if_continuous)
{
    static loop l;
    rocecc_ldcp_params p = hns(BDP);
    run(&l, &p, 256, 40000);
    say(&l);
    CHECK(top_share(&l) > 80 && top_share(&l) < 150);
    p.gamma_q16 = Q16(0.0625);
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    run(&l, &p, 256, 40000);
    say(&l);
    CHECK(top_share(&l) > 400 && jain(&l) < 300 && l.served < l.slots / 100 * 95);
    p.continuous = true;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    run(&l, &p, 256, 40000);
    say(&l);
    CHECK(top_share(&l) < 100 && jain(&l) > 850 && l.served == l.slots);
    p.eta_q16 = Q16(0.875);
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    run(&l, &p, 256, 40000);
    say(&l);
    CHECK(top_share(&l) < 80 && jain(&l) > 900 && l.served == l.slots);
    CHECK(depth_at(&l, 990) < 110);
}

TEST(ldcp_traces)
{
    static const trace_tolerance t[] = {{"cw_q32", 2e-4, 0}, {"wait_ns", 1e-4, 2}};
    trace_check("ldcp", t, sizeof t / sizeof t[0]);
}

TEST(ldcp_law)
{
    law_random(law_ldcp, 20000);
}

/* G19: recovery from faults of all kinds. */
TEST(ldcp_recovers_in_time_from_random_faults)
{
    law_random(law_ldcp_time, 100);
}

/* Returns a sender after its last packet left at 0 and was acknowledged. */
static rocecc_ldcp sent_at_0(uint64_t cw_q32)
{
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    rocecc_ldcp s;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    s = rocecc_ldcp_start(&p);
    s.stable = 1;
    s.cw_q32 = cw_q32;
    s.has_sent = 1;
    return s;
}

/*
 * L10: RTT / cw is always rounded up. 2^32 - 1 is 65535 * 65537, so an RTT of 1 ns and
 * cw 65537 * 2^-32 give 65535 + 1/65537 ns.
 */
TEST(L10_a_pause_is_rounded_up)
{
    const rocecc_ldcp s = sent_at_0(65537);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1, 0).wait_ns, 65536);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1, 65535).wait_ns, 1);
    CHECK(!rocecc_ldcp_may_send(&s, 1, 65535).allowed);
    CHECK(rocecc_ldcp_may_send(&s, 1, 65536).allowed);
}

/* L10: a window that is 2^-32 below a packet pauses, for just over 1000 ns. A window of
 * one packet does not. */
TEST(L10_a_window_just_below_a_packet_pauses)
{
    rocecc_ldcp s = sent_at_0(ROCECC_LDCP_ONE_Q32 - 1);
    CHECK(!rocecc_ldcp_may_send(&s, 1000, 0).allowed);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1000, 0).wait_ns, 1001);
    s = sent_at_0(ROCECC_LDCP_ONE_Q32);
    CHECK(rocecc_ldcp_may_send(&s, 1000, 0).allowed);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1000, 0).wait_ns, 0);
}

/*
 * L22, G10: cw * MTU is rounded down, with every bit of cw. With an MTU of 3, a cw of
 * 2863311531 * 2^-32 is 2 bytes and 2^-32, and a bit less is below 2. Below one packet,
 * no second packet leaves, however short they are.
 */
TEST(L22_G10_a_window_in_bytes_is_rounded_down)
{
    const rocecc_ldcp_next_packet next = {1, 1};
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    rocecc_ldcp s = sent_at_0(UINT64_C(2863311531));
    p.mtu_bytes = 3;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 2);
    s.cw_q32--;
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 1);
    s.cw_q32 = ROCECC_LDCP_ONE_Q32 - 1;
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 2);
    CHECK(!rocecc_ldcp_may_send_bytes(&p, &s, next, 1000, 2000).allowed);
    s.cw_q32++;
    CHECK(rocecc_ldcp_may_send_bytes(&p, &s, next, 1000, 2000).allowed);
}

/* L9: an ACK for more than 65535 packets counts as 65535, and cuts 40000 to 7232.5. */
TEST(L09_an_ACK_counts_at_most_65535_packets)
{
    static const uint32_t packets[] = {65535, 65536, UINT32_MAX};
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    size_t i;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    for (i = 0; i < 3; i++) {
        const rocecc_ldcp_ack_event heard = {packets[i], true, true};
        rocecc_ldcp s = sent_at_0(40000 * ROCECC_LDCP_ONE_Q32);
        rocecc_ldcp_ack(&p, &s, heard);
        CHECK_EQ(s.cw_q32, 7232 * ROCECC_LDCP_ONE_Q32 + ROCECC_LDCP_ONE_Q32 / 2);
    }
}

/* L15, L21: of three packets before any ACK, only the last one of a message is ECT. */
TEST(L15_L21_a_last_packet_does_not_end_the_first_RTT)
{
    const rocecc_ldcp_params p = hns(10);
    rocecc_ldcp s = rocecc_ldcp_start(&p);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_NOT_ECT);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, true, 0), ROCECC_ECN_ECT0);
    CHECK_EQ(rocecc_ldcp_send(&p, &s, false, 0), ROCECC_ECN_NOT_ECT);
}
