/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Every algorithm gets a 64-bit clock, and some keep only its low 32 bits. The same
 * events 206 years later must give the same results.
 */
#include "lib/test.h"
#include "rocecc/rocecc.h"

#include <string.h>

#define LATER (UINT64_C(0x5a5a5a5a) << 32)

/* Returns a later time. The times of a test cross 2^32 ns. */
static uint64_t next(uint64_t now_ns, uint32_t i)
{
    return now_ns + UINT64_C(7919) * (i % 13 + 1);
}

TEST(clock_cnpgate)
{
    rocecc_cnpgate_params p = {50000, 1};
    rocecc_cnpgate a = rocecc_cnpgate_start(&p), b = a;
    uint64_t now = UINT64_C(0xfff00000);
    uint32_t i, sent = 0;
    CHECK_EQ(rocecc_cnpgate_init(&p), ROCECC_CNPGATE_ACCEPTED);
    for (i = 0; i < 1000; i++, now = next(now, i)) {
        const bool fires = i % 3 == 2;
        const rocecc_cnpgate_result x =
            fires ? rocecc_cnpgate_timer(&p, &a, now) : rocecc_cnpgate_ce(&p, &a, now);
        const rocecc_cnpgate_result y = fires
                                            ? rocecc_cnpgate_timer(&p, &b, now + LATER)
                                            : rocecc_cnpgate_ce(&p, &b, now + LATER);
        CHECK(x.send == y.send && x.arm == y.arm && x.wait_ns == y.wait_ns);
        CHECK(a.last_ns == b.last_ns && a.sent == b.sent && a.pending == b.pending);
        sent += x.send;
    }
    CHECK(now >> 32 == 1 && sent > 100 && sent < 1000);
}

TEST(clock_dcqcn)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(100000000000));
    rocecc_dcqcn_timed a, b;
    uint64_t now = UINT64_C(0xfff00000);
    uint32_t i, cuts = 0;
    int periodic;
    for (periodic = 0; periodic < 2; periodic++) {
        p.periodic = (uint8_t)periodic;
        p.cut_interval_ns = 50000;
        CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
        a = rocecc_dcqcn_timed_start(&p, now);
        b = rocecc_dcqcn_timed_start(&p, now + LATER);
        for (i = 0; i < 500; i++, now = next(now, i)) {
            rocecc_dcqcn_action x, y;
            if (i % 4 == 0) {
                x = rocecc_dcqcn_timed_cnp(&p, &a, now);
                y = rocecc_dcqcn_timed_cnp(&p, &b, now + LATER);
            } else if (i % 4 == 1) {
                x = rocecc_dcqcn_timed_sent(&p, &a, 1000, now);
                y = rocecc_dcqcn_timed_sent(&p, &b, 1000, now + LATER);
            } else {
                x = rocecc_dcqcn_timed_advance(&p, &a, now);
                y = rocecc_dcqcn_timed_advance(&p, &b, now + LATER);
            }
            CHECK(x.rate_bps == y.rate_bps && x.cut == y.cut);
            CHECK(a.flow.alpha_q31 == b.flow.alpha_q31 &&
                  a.flow.decays == b.flow.decays && b.last_ns - a.last_ns == LATER);
            CHECK_EQ(rocecc_dcqcn_timed_next_ns(&b) - rocecc_dcqcn_timed_next_ns(&a),
                     rocecc_dcqcn_timed_next_ns(&a) == UINT64_MAX ? 0 : LATER);
            cuts += x.cut;
        }
    }
    CHECK(now >> 32 == 1 && cuts > 100);
}

TEST(clock_hpcc)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(100000000000));
    rocecc_hpcc_hop of_a[1], of_b[1];
    rocecc_hpcc a, b;
    rocecc_hop hop = {7, UINT64_C(100000000000), 0, 0, 0, 0, 0};
    rocecc_hpcc_event r = {&hop, 1, 0, 0, 0, 0, false};
    rocecc_hpcc_csig_event s = {ROCECC_HPCC_UTILISATION, 1 << 19, 0, 0, 0, 0};
    uint64_t now = UINT64_C(0xfff00000);
    uint32_t i, acted = 0;
    int csig;
    hop.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_UTIL; /* no time (H-11) */
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    for (csig = 0; csig < 2; csig++) {
        a = b = rocecc_hpcc_start(&p);
        memset(of_a, 0, sizeof of_a);
        memset(of_b, 0, sizeof of_b);
        for (i = 0; i < 500; i++, now = next(now, i)) {
            rocecc_hpcc_action x, y;
            hop.util_q20 = s.value = (i * 37 % 100) << 14;
            r.seq = s.seq = i * 1000;
            r.snd_nxt = s.snd_nxt = r.seq + 5000;
            r.now_ns = s.now_ns = now;
            x = csig ? rocecc_hpcc_csig_ack(&p, &a, &s)
                     : rocecc_hpcc_ack(&p, &a, of_a, &r);
            r.now_ns = s.now_ns = now + LATER;
            y = csig ? rocecc_hpcc_csig_ack(&p, &b, &s)
                     : rocecc_hpcc_ack(&p, &b, of_b, &r);
            CHECK(x.window_bytes == y.window_bytes && x.rate_bps == y.rate_bps &&
                  x.verdict == y.verdict);
            CHECK(a.changed_ns == b.changed_ns || a.changed_ns + LATER == b.changed_ns);
            CHECK(a.window_q20 == b.window_q20 && a.reference_q20 == b.reference_q20 &&
                  a.u_q32 == b.u_q32 && a.update_seq == b.update_seq &&
                  a.stage == b.stage && a.hops == b.hops && a.blind == b.blind);
            acted += x.verdict != ROCECC_HPCC_IGNORED;
        }
    }
    CHECK(now >> 32 == 1 && acted > 500);
}

TEST(clock_ldcp)
{
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    const rocecc_ldcp_next_packet one = {0, 1000};
    rocecc_ldcp a, b;
    uint64_t now = UINT64_C(0xfff00000);
    uint32_t i, waits = 0;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    a = rocecc_ldcp_start(&p);
    a.cw_q32 = UINT64_C(1) << 28; /* a sixteenth of a packet */
    b = a;
    for (i = 0; i < 1000; i++, now = next(now, i)) {
        rocecc_ldcp_send_action x, y;
        if (i % 2 == 0) {
            (void)rocecc_ldcp_send(&p, &a, false, now);
            (void)rocecc_ldcp_send(&p, &b, false, now + LATER);
            a.in_flight = b.in_flight = 0;
        }
        x = i % 4 < 2 ? rocecc_ldcp_may_send(&a, 3000000, now)
                      : rocecc_ldcp_may_send_bytes(&p, &a, one, 3000000, now);
        y = i % 4 < 2 ? rocecc_ldcp_may_send(&b, 3000000, now + LATER)
                      : rocecc_ldcp_may_send_bytes(&p, &b, one, 3000000, now + LATER);
        CHECK(x.allowed == y.allowed && x.wait_ns == y.wait_ns);
        CHECK_EQ(a.last_send_ns + LATER, b.last_send_ns);
        waits += x.wait_ns != 0;
    }
    CHECK(now >> 32 == 1 && waits == 1000);
}

TEST(clock_red)
{
    rocecc_red_params p = rocecc_red_floyd(50000, 1000);
    rocecc_red a, b;
    uint64_t now = UINT64_C(0xfff00000);
    uint32_t i;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    a = b = rocecc_red_start(&p);
    for (i = 0; i < 1000; i++, now = next(now, i)) {
        rocecc_red_event e = {i % 5 == 0 ? 0 : 300000, ROCECC_ECN_ECT0, i * 12345, now};
        rocecc_wred_verdict x;
        if (i % 5 == 4) {
            rocecc_red_idle(&p, &a, now);
            rocecc_red_idle(&p, &b, now + LATER);
            continue;
        }
        x = rocecc_red_arrive(&p, &a, e);
        e.now_ns += LATER;
        CHECK_EQ(rocecc_red_arrive(&p, &b, e), x);
        CHECK(a.avg_q32 == b.avg_q32 && a.count == b.count && a.idle_ns == b.idle_ns);
    }
    CHECK(now >> 32 == 1);
}
