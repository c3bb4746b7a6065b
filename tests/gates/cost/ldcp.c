/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/ldcp.h"

/* A sender with its parameters. An ACK of several packets changes the window once. */
typedef struct plain_ldcp {
    double alpha, beta, gamma, eta, iw, most;
    double cw;
    uint64_t last_ns;
    uint32_t in_flight, acked, recover;
    bool stable, first_rtt, unheard, has_sent;
} plain_ldcp;

static rocecc_ldcp_params ldcp;
static rocecc_ldcp ldcp_flow, ldcp_slow;
static rocecc_ldcp_receiver ldcp_receiver;
static plain_ldcp ldcp_real, ldcp_slow_real;

COST void cost_ldcp_ack(const rocecc_ldcp_params *p, rocecc_ldcp *s,
                        rocecc_ldcp_ack_event ack)
{
    rocecc_ldcp_ack(p, s, ack);
}

COST void plain_ldcp_ack(plain_ldcp *s, rocecc_ldcp_ack_event ack)
{
    const uint32_t n = ack.packets;
    if (n == 0) return;
    s->first_rtt = s->unheard = false;
    s->in_flight -= n < s->in_flight ? n : s->in_flight;
    s->recover -= n < s->recover ? n : s->recover;
    if (!s->stable) {
        s->acked += n;
        if (s->acked < s->iw) return;
        s->stable = true;
        s->cw = s->iw;
        return;
    }
    if (!ack.ece && !ack.limited) return;
    if (s->cw >= 1)
        s->cw += ack.ece ? -(n * s->beta) : n * s->alpha / s->cw;
    else
        s->cw = ack.ece ? s->eta * s->cw : s->cw + s->gamma;
    if (s->cw < s->gamma) s->cw = s->gamma;
    if (s->cw > s->most) s->cw = s->most;
}

COST rocecc_ecn cost_ldcp_send(const rocecc_ldcp_params *p, rocecc_ldcp *s, bool last,
                               uint64_t now_ns)
{
    return rocecc_ldcp_send(p, s, last, now_ns);
}

COST rocecc_ldcp_send_action cost_ldcp_may_send(const rocecc_ldcp *s, uint32_t rtt_ns,
                                                uint64_t now_ns)
{
    return rocecc_ldcp_may_send(s, rtt_ns, now_ns);
}

/* Returns the ns to wait: 0 for now, -1 until an ACK. */
static inline double plain_ldcp_asked(const plain_ldcp *s, uint32_t rtt_ns,
                                      uint64_t now_ns)
{
    double wait_ns;
    if (s->cw >= 1) return s->in_flight == 0 || s->in_flight + 1 <= s->cw ? 0 : -1;
    if (s->in_flight > 0) return -1;
    if (!s->has_sent) return 0;
    wait_ns = rtt_ns / s->cw - (double)(int64_t)(now_ns - s->last_ns);
    return wait_ns > 0 ? wait_ns : 0;
}

COST double plain_ldcp_may_send(const plain_ldcp *s, uint32_t rtt_ns, uint64_t now_ns)
{
    return plain_ldcp_asked(s, rtt_ns, now_ns);
}

COST rocecc_ldcp_send_action cost_ldcp_may_send_slow(const rocecc_ldcp *s,
                                                     uint32_t rtt_ns, uint64_t now_ns)
{
    return rocecc_ldcp_may_send(s, rtt_ns, now_ns);
}

COST double plain_ldcp_may_send_slow(const plain_ldcp *s, uint32_t rtt_ns,
                                     uint64_t now_ns)
{
    return plain_ldcp_asked(s, rtt_ns, now_ns);
}

COST rocecc_ldcp_receiver_action cost_ldcp_received(const rocecc_ldcp_params *p,
                                                    rocecc_ldcp_receiver *r, bool ce)
{
    return rocecc_ldcp_received(p, r, ce);
}

static void ldcp_begin(void)
{
    const plain_ldcp start = {1, 0.5, 0.25, 0.5,  100,   65535, 100, 0,
                              0, 0,   0,    true, false, false, true};
    ldcp = rocecc_ldcp_hns(100);
    (void)rocecc_ldcp_init(&ldcp);
    ldcp_flow = ldcp_slow = rocecc_ldcp_start(&ldcp);
    ldcp_flow.stable = ldcp_slow.stable = ldcp_slow.has_sent = 1;
    ldcp_slow.cw_q32 = ROCECC_LDCP_ONE_Q32 / 10 * 3;
    ldcp_real = ldcp_slow_real = start;
    ldcp_slow_real.cw = 0.3;
    ldcp_receiver = rocecc_ldcp_receiver_start();
}

static void ldcp_sizes(unsigned i)
{
    COST_SIZE(rocecc_ldcp);
    COST_SIZE(rocecc_ldcp_receiver);
    if (i == 0) ldcp_begin();
}

/* One ACK in 51 is marked, to balance at 100 packets. */
static void ldcp_ack(unsigned i)
{
    const rocecc_ldcp_ack_event ack = {1, i % 51 == 0, true};
    cost_ldcp_ack(&ldcp, &ldcp_flow, ack);
}

static void ldcp_ack_plain(unsigned i)
{
    const rocecc_ldcp_ack_event ack = {1, i % 51 == 0, true};
    plain_ldcp_ack(&ldcp_real, ack);
}

static void ldcp_send(unsigned i)
{
    cost_sink = cost_ldcp_send(&ldcp, &ldcp_flow, i % 8 == 0, 80 * (uint64_t)i);
}

/* 93 to 108 packets are in flight, the window is about 100. */
static void ldcp_may_send(unsigned i)
{
    ldcp_flow.in_flight = 93 + i % 16;
    cost_sink = cost_ldcp_may_send(&ldcp_flow, 8000, 80 * (uint64_t)i).allowed;
}

static void ldcp_may_send_plain(unsigned i)
{
    ldcp_real.in_flight = 93 + i % 16;
    cost_sink_double = plain_ldcp_may_send(&ldcp_real, 8000, 80 * (uint64_t)i);
}

/* Asks every 80 ns. The pause is 26667 ns. */
static void ldcp_may_send_slow(unsigned i)
{
    cost_sink = cost_ldcp_may_send_slow(&ldcp_slow, 8000, i % 512 * 80).wait_ns;
}

static void ldcp_may_send_slow_plain(unsigned i)
{
    cost_sink_double = plain_ldcp_may_send_slow(&ldcp_slow_real, 8000, i % 512 * 80);
}

static void ldcp_received(unsigned i)
{
    cost_sink = cost_ldcp_received(&ldcp, &ldcp_receiver, i % 51 == 0).marked;
}

static const cost_case ldcp_cases[] = {
    {"sizes", ldcp_sizes},
    {"cost_ldcp_ack", ldcp_ack},
    {"plain_ldcp_ack", ldcp_ack_plain},
    {"cost_ldcp_send", ldcp_send},
    {"cost_ldcp_may_send", ldcp_may_send},
    {"plain_ldcp_may_send", ldcp_may_send_plain},
    {"cost_ldcp_may_send_slow", ldcp_may_send_slow},
    {"plain_ldcp_may_send_slow", ldcp_may_send_slow_plain},
    {"cost_ldcp_received", ldcp_received},
};

COST_MAIN(ldcp_cases)
