/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/ldcp.h"

typedef struct plain {
    double cw, last_s;
    unsigned in_flight, acked, recover;
    bool stable, first_rtt;
} plain;

static rocecc_ldcp_params params;
static rocecc_ldcp flow, slow;
static rocecc_ldcp_receiver receiver;
static plain real = {100, 0, 0, 0, 0, true, false};
static plain slow_real = {0.3, 0, 0, 0, 0, true, false};
static volatile unsigned sink;

COST void cost_ldcp_ack(const rocecc_ldcp_params *p, rocecc_ldcp *s, uint32_t n,
                        bool ece)
{
    const rocecc_ldcp_heard heard = {n, ece, true};
    rocecc_ldcp_ack(p, s, heard);
}

COST void plain_ldcp_ack(plain *s, unsigned n, bool ece)
{
    const double alpha = 1, beta = 0.5, gamma = 0.25, eta = 0.5, iw = 100, most = 400;
    if (n == 0) return;
    s->first_rtt = false;
    s->in_flight -= n < s->in_flight ? n : s->in_flight;
    s->recover -= n < s->recover ? n : s->recover;
    if (!s->stable) {
        s->acked += n;
        if (s->acked < iw) return;
        s->stable = true;
        s->cw = iw;
    } else if (s->cw >= 1) {
        s->cw += ece ? -(double)n * beta : n * alpha / s->cw;
    } else {
        s->cw = ece ? eta * s->cw : s->cw + gamma;
    }
    if (s->cw < gamma) s->cw = gamma;
    if (s->cw > most) s->cw = most;
}

COST rocecc_ecn cost_ldcp_send(const rocecc_ldcp_params *p, rocecc_ldcp *s, bool last,
                               uint32_t now_ns)
{
    return rocecc_ldcp_send(p, s, last, now_ns);
}

COST rocecc_ldcp_release cost_ldcp_may_send(const rocecc_ldcp *s, uint32_t rtt_ns,
                                            uint32_t now_ns)
{
    return rocecc_ldcp_may_send(s, rtt_ns, now_ns);
}

COST double plain_ldcp_may_send(const plain *s, double rtt_s, double now_s)
{
    if (s->cw >= 1) return s->in_flight + 1 <= s->cw ? 0 : -1;
    if (s->in_flight > 0) return -1;
    return rtt_s / s->cw - (now_s - s->last_s);
}

COST rocecc_ldcp_release cost_ldcp_may_send_slow(const rocecc_ldcp *s, uint32_t rtt_ns,
                                                 uint32_t now_ns)
{
    return rocecc_ldcp_may_send(s, rtt_ns, now_ns);
}

COST double plain_ldcp_may_send_slow(const plain *s, double rtt_s, double now_s)
{
    if (s->cw >= 1) return s->in_flight + 1 <= s->cw ? 0 : -1;
    if (s->in_flight > 0) return -1;
    return rtt_s / s->cw - (now_s - s->last_s);
}

COST rocecc_ldcp_acks cost_ldcp_received(const rocecc_ldcp_params *p,
                                         rocecc_ldcp_receiver *r, bool ce)
{
    return rocecc_ldcp_received(p, r, ce);
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_ldcp);
    COST_SIZE(rocecc_ldcp_receiver);
    if (i > 0) return;
    params = rocecc_ldcp_hns(100);
    (void)rocecc_ldcp_init(&params);
    flow = slow = rocecc_ldcp_start(&params);
    flow.stable = slow.stable = slow.has_sent = 1;
    slow.cw_q32 = ROCECC_LDCP_ONE_Q32 / 10 * 3;
    receiver = rocecc_ldcp_receiver_start();
}

/* A mark in 51: where 100 packets are in balance. */
static void ack(unsigned i)
{
    cost_ldcp_ack(&params, &flow, 1, i % 51 == 0);
}

static void ack_plain(unsigned i)
{
    plain_ldcp_ack(&real, 1, i % 51 == 0);
}

static void send(unsigned i)
{
    sink = (unsigned)cost_ldcp_send(&params, &flow, i % 8 == 0, i * 80);
}

static void may_send(unsigned i)
{
    sink = cost_ldcp_may_send(&flow, 8000, i * 80).allowed;
}

static void may_send_plain(unsigned i)
{
    sink = plain_ldcp_may_send(&real, 8e-6, i * 80e-9) > 0;
}

static void may_send_slow(unsigned i)
{
    sink = cost_ldcp_may_send_slow(&slow, 8000, i * 80).wait_ns;
}

static void may_send_slow_plain(unsigned i)
{
    sink = plain_ldcp_may_send_slow(&slow_real, 8e-6, i * 80e-9) > 0;
}

static void received(unsigned i)
{
    sink = cost_ldcp_received(&params, &receiver, i % 51 == 0).marked;
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_ldcp_ack", ack},
                                  {"plain_ldcp_ack", ack_plain},
                                  {"cost_ldcp_send", send},
                                  {"cost_ldcp_may_send", may_send},
                                  {"plain_ldcp_may_send", may_send_plain},
                                  {"cost_ldcp_may_send_slow", may_send_slow},
                                  {"plain_ldcp_may_send_slow", may_send_slow_plain},
                                  {"cost_ldcp_received", received}};

COST_MAIN(cases)
