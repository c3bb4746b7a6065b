/* SPDX-License-Identifier: BSD-2-Clause */

/* steps.c - the DCQCN, HPCC++ and LDCP senders, with the library's steps. */
#include "curves.h"

#define POLL_PS 5000000 /* a flow that waits for its rate checks it this often */

static uint64_t ns(const curves *c)
{
    return c->now_ps / 1000;
}

static void tell(const curves *c, const curves_flow *x, curves_event e)
{
    e.now_ns = ns(c);
    if (c->watch != NULL) c->watch(x, &e);
}

/* ---- parameters */

static bool setup_dcqcn(curves *c)
{
    const uint32_t *v = c->value;
    rocecc_dcqcn_params *p = &c->dcqcn;
    *p = rocecc_dcqcn_paper(c->link_bps);
    p->g_q20 = v[CURVES_g] << 10;
    p->alpha_timer_ns = v[CURVES_alpha_timer] * 1000;
    p->increase_timer_ns = v[CURVES_increase_timer] * 1000;
    p->ai_bps = (uint64_t)v[CURVES_ai] * 1000000;
    p->hai_bps = (uint64_t)v[CURVES_hai] * 1000000;
    p->fast_recovery_stages = (uint8_t)v[CURVES_stages];
    c->wred = rocecc_wred_hpcc_runs(c->link_bps);
    c->wred.mark.min_bytes = v[CURVES_k_min] * 1000;
    c->wred.mark.max_bytes =
        (uint32_t)rocecc_max(v[CURVES_k_max], v[CURVES_k_min]) * 1000;
    c->wred.mark.pmax_q32 = rocecc_wred_percent_q32(v[CURVES_p_max]);
    c->gate.interval_ns = v[CURVES_cnp] * 1000;
    c->gate.defer = 0;
    return rocecc_dcqcn_init(p) == ROCECC_DCQCN_ACCEPTED &&
           rocecc_cnpgate_init(&c->gate) == ROCECC_CNPGATE_ACCEPTED;
}

/* Sets T to the RTT plus a packet's time on the link. */
static bool setup_hpcc(curves *c)
{
    rocecc_hpcc_params *p = &c->hpcc;
    *p = rocecc_hpcc_paper(c->link_bps);
    p->base_rtt_ns = (uint32_t)(c->value[CURVES_rtt] * 1000 + c->frame_ps / 1000);
    p->eta_q20 = (uint32_t)(((uint64_t)c->value[CURVES_eta] << 20) / 100);
    p->max_stage = (uint8_t)c->value[CURVES_max_stage];
    p->w_init_bytes = c->link_bps / 8000 * p->base_rtt_ns / 1000000;
    p->w_max_bytes = p->w_init_bytes;
    p->w_ai_q8 = (uint64_t)c->value[CURVES_w_ai] << 8;
    p->w_blind_bytes = rocecc_max(p->w_init_bytes / 20, 1);
    p->reorder_ns = 4 * p->base_rtt_ns;
    c->wred.mark = c->wred.drop = rocecc_wred_off();
    c->wred.buf_max_bytes = UINT32_MAX;
    return rocecc_hpcc_init(p) == ROCECC_HPCC_ACCEPTED;
}

static bool setup_ldcp(curves *c)
{
    const uint32_t *v = c->value;
    const uint64_t bdp = c->link_bps / 8000000 * v[CURVES_rtt];
    rocecc_ldcp_params *p = &c->ldcp;
    *p = rocecc_ldcp_hns((uint32_t)(bdp / CURVES_FRAME_BYTES) + 2);
    p->alpha_q16 = (v[CURVES_alpha] << 16) / 100;
    p->beta_q16 = (v[CURVES_beta] << 16) / 100;
    p->gamma_q16 = (v[CURVES_gamma] << 16) / 100;
    c->wred = rocecc_wred_ldcp((uint32_t)bdp, CURVES_BUFFER_BYTES);
    return rocecc_ldcp_init(p) == ROCECC_LDCP_ACCEPTED;
}

bool steps_setup(curves *c)
{
    const bool ok = c->algo == CURVES_DCQCN  ? setup_dcqcn(c)
                    : c->algo == CURVES_HPCC ? setup_hpcc(c)
                                             : setup_ldcp(c);
    return ok && rocecc_wred_init(&c->wred) == ROCECC_WRED_ACCEPTED;
}

/* ---- a flow */

void steps_start(curves *c, curves_flow *x)
{
    x->rate_bps = c->link_bps;
    if (c->algo == CURVES_DCQCN) {
        x->at.dcqcn = rocecc_dcqcn_timed_start(&c->dcqcn, ns(c));
        x->gate = rocecc_cnpgate_start(&c->gate);
    } else if (c->algo == CURVES_HPCC) {
        x->at.hpcc = rocecc_hpcc_start(&c->hpcc);
        x->window_bytes = c->hpcc.w_init_bytes;
    } else {
        x->at.ldcp = rocecc_ldcp_start(&c->ldcp);
    }
}

/* Checks LDCP's window. A window below one packet gives a time to wait. */
static bool room_ldcp(curves *c, curves_flow *x)
{
    const rocecc_ldcp_send_action r =
        rocecc_ldcp_may_send(&x->at.ldcp, c->value[CURVES_rtt] * 1000, ns(c));
    if (!r.allowed)
        x->limited_ps = c->now_ps + c->value[CURVES_rtt] * UINT64_C(1000000);
    x->look_ps = r.wait_ns == 0 ? CURVES_NEVER : c->now_ps + r.wait_ns * 1000;
    return r.allowed;
}

static bool room(curves *c, curves_flow *x)
{
    if (c->algo == CURVES_LDCP) return room_ldcp(c, x);
    if (c->algo == CURVES_DCQCN) {
        x->rate_bps =
            rocecc_dcqcn_timed_advance(&c->dcqcn, &x->at.dcqcn, ns(c)).rate_bps;
        return true;
    }
    x->look_ps = CURVES_NEVER;
    return x->sent_bytes - x->acked_bytes < x->window_bytes;
}

/*
 * Checks the window, and then the rate. An ACK opens the window. DCQCN polls the rate.
 */
bool steps_may(curves *c, curves_flow *x)
{
    uint64_t due_ps;
    if (!room(c, x)) return false;
    due_ps = x->sent_bytes == 0
                 ? c->now_ps
                 : x->sent_ps +
                       CURVES_FRAME_BYTES * UINT64_C(8000000000) / (x->rate_bps / 1000);
    if (due_ps <= c->now_ps) {
        x->look_ps = c->now_ps;
        return true;
    }
    x->look_ps = rocecc_min(due_ps, c->now_ps + POLL_PS);
    return false;
}

rocecc_ecn steps_sent(curves *c, curves_flow *x)
{
    curves_event e = {"sent", 0, CURVES_FRAME_BYTES, 0, 0, false, false, NULL, 0};
    rocecc_ecn ecn = ROCECC_ECN_ECT0;
    if (c->algo == CURVES_DCQCN) {
        x->rate_bps =
            rocecc_dcqcn_timed_sent(&c->dcqcn, &x->at.dcqcn, CURVES_FRAME_BYTES, ns(c))
                .rate_bps;
        e.result = x->rate_bps;
    } else if (c->algo == CURVES_LDCP) {
        ecn = rocecc_ldcp_send(&c->ldcp, &x->at.ldcp, false, ns(c));
        e.result = x->at.ldcp.cw_q32;
    }
    tell(c, x, e);
    return ecn;
}

/* ---- a receiver's answer */

/* Answers a marked packet with a CNP, unless the last CNP is too recent. */
static void back_dcqcn(curves *c, curves_flow *x, const curves_packet *p)
{
    curves_event e = {"cnp", 0, 0, 0, 0, false, false, NULL, 0};
    if (!p->marked) return;
    if (!rocecc_cnpgate_ce(&c->gate, &x->gate, ns(c)).send) return;
    c->cnps++;
    x->rate_bps = rocecc_dcqcn_timed_cnp(&c->dcqcn, &x->at.dcqcn, ns(c)).rate_bps;
    e.result = x->rate_bps;
    tell(c, x, e);
}

static void back_hpcc(curves *c, curves_flow *x, const curves_packet *p)
{
    curves_event e = {"ack", 0, 0, 0, 0, false, false, NULL, 0};
    rocecc_hop hop = ROCECC_ZERO;
    rocecc_hpcc_event r = ROCECC_ZERO;
    rocecc_hpcc_action act;
    hop.id = 1;
    hop.rate_bps = c->link_bps;
    hop.tx_bytes = p->tx_bytes;
    hop.ts_ns = p->leaves_ps / 1000;
    hop.queue_bytes = p->queue_bytes;
    hop.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX |
                ROCECC_HOP_TS;
    r.hops = e.hop = &hop;
    r.n_hops = 1;
    r.seq = p->seq;
    r.snd_nxt = x->sent_bytes;
    r.now_ns = ns(c);
    r.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    act = rocecc_hpcc_ack(&c->hpcc, &x->at.hpcc, &x->hop, &r);
    x->rate_bps = act.rate_bps;
    x->window_bytes = act.window_bytes;
    e.seq = r.seq;
    e.snd_nxt = r.snd_nxt;
    e.result = x->at.hpcc.window_q20;
    tell(c, x, e);
}

/* Handles a packet's ACK, or a lost packet's NAK. */
static void back_ldcp(curves *c, curves_flow *x, const curves_packet *p)
{
    curves_event e = {"nak", 0, 0, 0, 0, p->marked, false, NULL, 0};
    if (p->lost) {
        (void)rocecc_ldcp_nak(&c->ldcp, &x->at.ldcp);
    } else {
        rocecc_ldcp_ack_event heard = {1, p->marked, c->now_ps <= x->limited_ps};
        if (!rocecc_ldcp_may_send(&x->at.ldcp, c->value[CURVES_rtt] * 1000, ns(c))
                 .allowed)
            heard.limited = true;
        rocecc_ldcp_ack(&c->ldcp, &x->at.ldcp, heard);
        e.name = "ack";
        e.limited = heard.limited;
    }
    e.result = x->at.ldcp.cw_q32;
    tell(c, x, e);
}

void steps_back(curves *c, curves_flow *x, const curves_packet *p)
{
    if (c->algo == CURVES_DCQCN)
        back_dcqcn(c, x, p);
    else if (c->algo == CURVES_HPCC)
        back_hpcc(c, x, p);
    else
        back_ldcp(c, x, p);
}
