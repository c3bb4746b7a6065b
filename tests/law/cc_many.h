/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CC_MANY_H
#define TESTS_LAW_CC_MANY_H

/*
 * cc_many.h - simulates many flows of DCQCN, QCN or LDCP in a closed loop, packet by
 * packet. Each member of cc_case breaks an assumption, and 0 keeps it.
 *
 *   flow 0 --.                       with two links, every third flow takes link 0 and
 *   ...      +--> link 0 --> link 1 --> receivers       link 1, the others take one
 *   flow n --'       | CNM                  |
 *     ^--------------+------ CNP, ACK, NAK -'
 *
 * A host calls the library like a polling host, by dcqcn_timed.h, qcn_timed.h, or
 * ldcp.h with its two timers. DCQCN runs at 40 Gb/s with the paper's deployment, QCN at
 * 10 Gb/s with the MIB's defaults, and LDCP at 100 Gb/s with rocecc_ldcp_hns(). All
 * arithmetic uses integers and ns, so a case gives the same result on every machine.
 */
#include <string.h>

#include "events.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/algo/qcn.h"
#include "rocecc/algo/dcqcn_timed.h"
#include "rocecc/role/dcqcn_deployment.h"

#define CC_FLOWS 32
#define CC_LINKS 2
#define CC_PACKETS 65536 /* in flight */
#define CC_XOFF 1000000  /* bytes; default of xoff_bytes, not for LDCP */
#define CC_G UINT64_C(1000000000)
#define CC_NEVER UINT64_MAX

enum { CC_DCQCN, CC_QCN, CC_LDCP };

/* Assumptions that a run breaks. A member of 0 breaks none. */
typedef struct cc_case {
    const char *name;
    uint32_t far_rtt;     /* factor of the RTT of every second flow */
    uint32_t slow_nic;    /* divisor of the line rate of every second NIC */
    uint32_t apart_ns;    /* time between the starts of two flows */
    uint32_t tick_ns;     /* tick of the host's clock */
    uint32_t poll_ns;     /* the host's polling interval */
    uint32_t jitter_ns;   /* timers expire late, by less than this */
    uint32_t burst;       /* packets sent and reported together */
    uint64_t step_bps;    /* step of the rate limiter, rounded down */
    uint32_t lose;        /* 1 in this many CNPs, CNMs or ACKs is lost */
    uint32_t late_ns;     /* delay of CNPs, CNMs and ACKs */
    uint32_t blur_ns;     /* their random extra delay is less than this */
    uint32_t payload;     /* payload bytes of a packet */
    uint32_t pause_ns;    /* the link is paused for this time ... */
    uint32_t paused_in;   /* ... in each interval of this many ns */
    uint32_t xoff_bytes;  /* a longer queue pauses all hosts, down to half of this */
    uint32_t spray_ns;    /* packets overtake each other by less than this */
    uint32_t m;           /* packets that one ACK may confirm */
    uint32_t flush_ns;    /* wait of a delayed ACK; unused if m is 0 */
    uint32_t rto_ns;      /* LDCP: the sender's loss timer; 0: 1 ms */
    uint32_t cut_ns;      /* DCQCN: minimum cut_interval_ns */
    uint8_t in_any_order; /* the receiver accepts packets in any order */
    uint8_t port_gate;    /* one gate for the CNPs of all flows */
    uint8_t no_gate;      /* a CNP for each marked packet */
    uint8_t at_dequeue;   /* mark at dequeue, by the remaining queue */
    uint8_t mixed;        /* every second flow has a quarter of the payload */
    uint8_t by_bytes;     /* the window counts bytes */
    uint8_t two_links;
    uint8_t split;  /* LDCP: `split`, a marked packet has its own ACK */
    uint8_t blind;  /* a marked packet waits for a delayed ACK, too */
    uint8_t counts; /* the sender uses the number of marked packets */
    uint8_t nvidia; /* DCQCN: NVIDIA's deployment at 100 Gb/s */
    uint8_t stamps; /* DCQCN: a polling host gets the CNPs' arrival times */
    uint8_t random; /* QCN: jitter of the standard */
    uint8_t asks;   /* LDCP: the sender asks for ACKs, by rocecc_ldcp_ask_packets() */
    uint8_t paced;  /* LDCP: a window is spread over an RTT */
    uint8_t even;   /* LDCP: alpha scaled by RTT; alpha and beta by payload */
    uint8_t joined; /* LDCP: `continuous` */
    uint8_t fitted; /* LDCP: IW and marks for the mean RTT */
    uint8_t hasty;  /* LDCP: `limited` by the last may_send() only */
} cc_case;

typedef struct cc_link {
    uint64_t busy_until_ns, rest; /* remainder of a division by the rate */
    uint32_t queue_bytes;
    rocecc_qcn_cp cp;
} cc_link;

/* Packet, ACK or NAK. */
typedef struct cc_packet {
    uint32_t flow, number, next_free;
    uint16_t marked; /* ACK: number of marked packets */
    uint8_t link;
    uint8_t ecn; /* rocecc_ecn */
    bool nak, asks;
} cc_packet;

typedef struct cc_flow {
    rocecc_dcqcn_timed dcqcn;
    rocecc_qcn_rp_timed qcn;
    rocecc_ldcp ldcp;
    rocecc_ldcp_space space;
    rocecc_ldcp_receiver receiver;
    rocecc_cnpgate gate;
    uint64_t rtt_ns, nic_bps, rate_bps;
    uint64_t send_ns, timer_ns, flush_ns; /* of the valid event, or CC_NEVER */
    uint64_t free_ns, rest; /* end of the NIC's transmission, and its remainder */
    uint64_t burst_ns;      /* start of the last burst */
    uint64_t looked_ns, heard_ns, ack_ns;
    uint64_t got_bytes, got_wire_bytes, share_bps;
    uint32_t wire_bytes, payload;
    uint32_t in_burst, unreported_bytes;
    uint32_t next, top, acked, got; /* packets: to send, sent, acknowledged, received */
    uint32_t unasked;               /* packets sent since the last request for an ACK */
    uint32_t pending, pending_marked;
    uint64_t refused_ns; /* when the window last refused a packet */
    bool nak, refused;
} cc_flow;

typedef struct cc_many {
    cc_case c;
    uint8_t algorithm;
    uint32_t flows_count, links_count, overhead;
    uint64_t line_bps, now_ns, random, half_ns, end_ns;
    rocecc_dcqcn_deployment deployment[2]; /* for a fast NIC, and for a slow one */
    rocecc_qcn_rp_params rp[2];
    rocecc_qcn_cp_params cp;
    rocecc_ldcp_params ldcp[2];
    rocecc_wred_params wred;
    rocecc_cnpgate gate;
    cc_link links[CC_LINKS];
    cc_flow flows[CC_FLOWS];
    cc_packet packets[CC_PACKETS];
    law_event heap[2 * CC_PACKETS];
    law_events events;
    uint32_t first_free, notices, lost;
    uint64_t queue_sum, queue_count;
    uint32_t queue_most;
    uint64_t paused_ns, stood_ns;
    bool paused, broken;
} cc_many;

/* Results of the second half of a run. */
typedef struct cc_result {
    uint64_t mbps; /* rate of a link in accepted wire bytes, without link pauses */
    uint64_t queue_bytes; /* mean at packet arrivals */
    uint32_t queue_most;
    uint32_t percent; /* smallest flow / largest flow, each by its max-min share */
} cc_result;

enum {
    CC_SEND,
    CC_TIMER,
    CC_FLUSH,
    CC_ARRIVES,
    CC_LEAVES,
    CC_DELIVERED,
    CC_CNP,
    CC_CNM,
    CC_ACK
};

LAW_FN uint32_t cc_random(cc_many *m)
{
    m->random = m->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(m->random >> 32);
}

LAW_FN uint32_t cc_below(cc_many *m, uint32_t end)
{
    return end == 0 ? 0 : (uint32_t)((uint64_t)cc_random(m) * end >> 32);
}

LAW_FN void cc_push(cc_many *m, uint64_t at_ns, uint32_t what, uint32_t index)
{
    if (!law_events_push(&m->events, at_ns, what, index)) m->broken = true;
}

LAW_FN uint32_t cc_index(const cc_many *m, const cc_flow *f)
{
    return (uint32_t)(f - m->flows);
}

/* Returns the index of a flow's parameters. Every second flow uses index 1. */
LAW_FN uint32_t cc_nic(const cc_many *m, const cc_flow *f)
{
    return cc_index(m, f) & 1;
}

/* Returns how long an LDCP sender waits for an ACK. */
LAW_FN uint64_t cc_rto_ns(const cc_many *m)
{
    return m->c.rto_ns != 0 ? m->c.rto_ns : 1000000;
}

/* Returns the time of the host's clock. */
LAW_FN uint64_t cc_clock(const cc_many *m)
{
    return m->c.tick_ns == 0 ? m->now_ns : m->now_ns - m->now_ns % m->c.tick_ns;
}

/* Returns when the host sees an event. Each host polls at its own phase. */
LAW_FN uint64_t cc_seen_ns(const cc_many *m, const cc_flow *f, uint64_t at_ns)
{
    const uint64_t poll_ns = m->c.poll_ns;
    const uint64_t phase_ns = poll_ns * cc_index(m, f) / m->flows_count;
    if (poll_ns == 0) return at_ns;
    return (at_ns + poll_ns - 1 - phase_ns) / poll_ns * poll_ns + phase_ns;
}

LAW_FN uint64_t cc_tx_ns(uint64_t bytes, uint64_t rate_bps)
{
    return bytes * UINT64_C(8000000000) / rate_bps;
}

LAW_FN uint32_t cc_take(cc_many *m)
{
    const uint32_t at = m->first_free;
    if (at == CC_PACKETS) {
        m->broken = true;
        return 0;
    }
    m->first_free = m->packets[at].next_free;
    return at;
}

LAW_FN void cc_free(cc_many *m, uint32_t at)
{
    m->packets[at].next_free = m->first_free;
    m->first_free = at;
}

LAW_FN void cc_send_at(cc_many *m, cc_flow *f, uint64_t at_ns)
{
    at_ns = rocecc_max(at_ns, m->now_ns);
    if (f->send_ns == at_ns) return;
    f->send_ns = at_ns;
    cc_push(m, at_ns, CC_SEND, cc_index(m, f));
}

/* Sets the host's timer by its clock. It never expires early, and may be late. */
LAW_FN void cc_timer_at(cc_many *m, cc_flow *f, uint64_t at_ns)
{
    if (at_ns == CC_NEVER) {
        f->timer_ns = CC_NEVER;
        return;
    }
    at_ns = rocecc_max(at_ns, m->now_ns);
    if (m->c.tick_ns != 0)
        at_ns = (at_ns + m->c.tick_ns - 1) / m->c.tick_ns * m->c.tick_ns;
    at_ns = cc_seen_ns(m, f, at_ns + cc_below(m, m->c.jitter_ns));
    if (f->timer_ns <= at_ns && f->timer_ns > m->now_ns) return; /* set again then */
    f->timer_ns = at_ns;
    cc_push(m, at_ns, CC_TIMER, cc_index(m, f));
}

/* Returns when the next packet may leave at the current rate (H-40). */
LAW_FN uint64_t cc_due_ns(const cc_many *m, const cc_flow *f)
{
    if (f->in_burst < rocecc_max(m->c.burst, 1)) return f->free_ns;
    return rocecc_max(f->free_ns,
                      f->burst_ns +
                          cc_tx_ns((uint64_t)f->wire_bytes * f->in_burst, f->rate_bps));
}

/* Sets the host's new rate and timer. */
LAW_FN void cc_adopt(cc_many *m, cc_flow *f, uint64_t rate_bps, uint64_t timer_ns)
{
    const uint64_t step_bps = m->c.step_bps;
    if (step_bps != 0) rate_bps = rocecc_max(rate_bps / step_bps, 1) * step_bps;
    f->rate_bps = rate_bps;
    cc_timer_at(m, f, timer_ns);
    if (f->next != 0 && !m->paused) cc_send_at(m, f, cc_due_ns(m, f));
}

LAW_FN void cc_adopt_dcqcn(cc_many *m, cc_flow *f, const rocecc_dcqcn_action *act)
{
    cc_adopt(m, f, act->rate_bps, rocecc_dcqcn_timed_next_ns(&f->dcqcn));
}

LAW_FN void cc_adopt_qcn(cc_many *m, cc_flow *f, const rocecc_qcn_rp_action *act)
{
    cc_adopt(m, f, act->rate_bps,
             act->timer_ns != 0 ? cc_clock(m) + act->timer_ns : CC_NEVER);
}

LAW_FN rocecc_qcn_rp_event cc_qcn_event(cc_many *m)
{
    rocecc_qcn_rp_event e = {0, 0, 0, 0, 0};
    e.now_ns = cc_clock(m);
    e.random = cc_random(m);
    e.host = m->paused ? ROCECC_QCN_FROZEN : 0;
    return e;
}

/* Reports the sent bytes, after a whole burst and only when the host polls. */
LAW_FN void cc_report(cc_many *m, cc_flow *f)
{
    const uint32_t bytes = f->unreported_bytes;
    if (f->in_burst < rocecc_max(m->c.burst, 1) || m->now_ns < f->looked_ns) return;
    f->looked_ns = cc_seen_ns(m, f, m->now_ns + 1);
    f->unreported_bytes = 0;
    if (m->algorithm == CC_DCQCN) {
        const rocecc_dcqcn_action act = rocecc_dcqcn_timed_sent(
            &m->deployment[cc_nic(m, f)].reaction, &f->dcqcn, bytes, cc_clock(m));
        cc_adopt_dcqcn(m, f, &act);
    } else if (m->algorithm == CC_QCN) {
        rocecc_qcn_rp_event e = cc_qcn_event(m);
        rocecc_qcn_rp_action act;
        e.bytes = bytes;
        act = rocecc_qcn_rp_timed_sent(&m->rp[cc_nic(m, f)], &f->qcn, &e);
        cc_adopt_qcn(m, f, &act);
    }
}

LAW_FN bool cc_may_send(cc_many *m, cc_flow *f)
{
    const rocecc_ldcp_next_packet next = {(f->next - f->acked) * f->payload,
                                          f->payload};
    rocecc_ldcp_send_action may;
    if (m->algorithm != CC_LDCP) return true;
    may = m->c.by_bytes
              ? rocecc_ldcp_may_send_bytes(&m->ldcp[cc_nic(m, f)], &f->ldcp, next,
                                           (uint32_t)f->rtt_ns, cc_clock(m))
              : rocecc_ldcp_may_send(&f->ldcp, (uint32_t)f->rtt_ns, cc_clock(m));
    f->refused = !may.allowed;
    if (!may.allowed) f->refused_ns = m->now_ns;
    if (may.wait_ns != 0) cc_timer_at(m, f, cc_clock(m) + may.wait_ns);
    return may.allowed;
}

/* Sends a packet from the NIC. */
LAW_FN void cc_transmit(cc_many *m, cc_flow *f)
{
    const uint32_t at = cc_take(m);
    cc_packet *k = &m->packets[at];
    const uint32_t index = cc_index(m, f);
    memset(k, 0, sizeof *k);
    k->flow = index;
    k->number = f->next++;
    k->ecn = ROCECC_ECN_ECT0;
    k->link = m->links_count > 1 && index % 3 == 2;
    if (f->in_burst >= rocecc_max(m->c.burst, 1) || f->in_burst == 0) {
        f->in_burst = 0;
        f->burst_ns = m->now_ns;
    }
    f->in_burst++;
    f->rest += f->wire_bytes * UINT64_C(8000000000);
    f->free_ns = m->now_ns + f->rest / f->nic_bps;
    f->rest %= f->nic_bps;
    f->unreported_bytes += f->wire_bytes;
    if (rocecc_serial_after(f->next, f->top)) f->top = f->next;
    if (m->algorithm == CC_LDCP) {
        if (f->ldcp.in_flight == 0) f->heard_ns = m->now_ns;
        k->ecn = rocecc_ldcp_send(&m->ldcp[cc_nic(m, f)], &f->ldcp, false, cc_clock(m));
        f->unasked++;
        if (m->c.asks && f->unasked >= rocecc_ldcp_ask_packets(&f->ldcp)) {
            k->asks = true;
            f->unasked = 0;
        }
        cc_timer_at(m, f, f->heard_ns + cc_rto_ns(m));
        if (m->c.paced)
            f->rate_bps = rocecc_max((f->ldcp.cw_q32 >> 16) * f->wire_bytes * 8 /
                                         f->rtt_ns * (CC_G >> 16),
                                     1000000);
    }
    cc_push(m, m->now_ns + f->rtt_ns / 2, CC_ARRIVES, at);
    cc_report(m, f);
}

LAW_FN void cc_send(cc_many *m, cc_flow *f)
{
    const uint64_t due_ns = cc_due_ns(m, f);
    f->send_ns = CC_NEVER;
    if (m->paused) return;
    if (m->now_ns < due_ns) {
        cc_send_at(m, f, due_ns);
        return;
    }
    if (!cc_may_send(m, f)) return;
    cc_transmit(m, f);
    cc_send_at(m, f, cc_due_ns(m, f));
}

/* Sends or loses a CNP, CNM, ACK or NAK to a host. A flow's ACKs stay in order. */
LAW_FN void cc_notify(cc_many *m, cc_flow *f, uint32_t what, uint32_t index)
{
    uint64_t at_ns = m->now_ns + f->rtt_ns / 2 + m->c.late_ns;
    const bool ack = what == CC_ACK;
    m->notices++;
    if (m->c.lose != 0 && cc_below(m, m->c.lose) == 0) {
        m->lost++;
        if (ack) cc_free(m, index);
        return;
    }
    at_ns += cc_below(m, m->c.blur_ns);
    if (ack) at_ns = f->ack_ns = rocecc_max(at_ns, f->ack_ns);
    if (!m->c.stamps) at_ns = cc_seen_ns(m, f, at_ns);
    cc_push(m, at_ns, what, index);
}

LAW_FN void cc_mark(cc_many *m, cc_packet *k, uint32_t queue_bytes, bool *drop)
{
    const rocecc_wred_verdict verdict =
        rocecc_wred_decide(&m->wred, queue_bytes, (rocecc_ecn)k->ecn, cc_random(m));
    if (verdict == ROCECC_WRED_MARK) k->ecn = ROCECC_ECN_CE;
    *drop = verdict == ROCECC_WRED_DROP;
}

LAW_FN void cc_arrives(cc_many *m, uint32_t at)
{
    cc_packet *k = &m->packets[at];
    cc_link *link = &m->links[k->link];
    cc_flow *f = &m->flows[k->flow];
    const uint32_t queue_bytes = link->queue_bytes + f->wire_bytes;
    bool drop = false;
    uint64_t start_ns = rocecc_max(link->busy_until_ns, m->now_ns);
    if (m->algorithm == CC_QCN) {
        rocecc_qcn_cp_event e = {0, 0, 0, false};
        rocecc_qcn_cp_action act;
        e.frame_bytes = f->wire_bytes;
        e.queue_bytes = queue_bytes;
        e.random = cc_random(m);
        act = rocecc_qcn_cp_offer(&m->cp, &link->cp, &e);
        if (act.cnm) cc_notify(m, f, CC_CNM, k->flow | (uint32_t)act.qntz_fb << 8);
    } else if (!m->c.at_dequeue || k->ecn == ROCECC_ECN_NOT_ECT) {
        cc_mark(m, k, queue_bytes, &drop);
    }
    if (drop) {
        cc_free(m, at);
        return;
    }
    link->queue_bytes = queue_bytes;
    if (m->now_ns >= m->half_ns) {
        m->queue_sum += queue_bytes;
        m->queue_count++;
        m->queue_most = (uint32_t)rocecc_max(m->queue_most, queue_bytes);
    }
    if (m->c.xoff_bytes != 0 && queue_bytes > m->c.xoff_bytes && !m->paused) {
        m->paused = true;
        m->paused_ns = m->now_ns;
    }
    if (m->c.paused_in != 0) {
        const uint64_t phase_ns = start_ns % m->c.paused_in;
        if (phase_ns < m->c.pause_ns) start_ns += m->c.pause_ns - phase_ns;
    }
    link->rest += f->wire_bytes * UINT64_C(8000000000);
    link->busy_until_ns = start_ns + link->rest / m->line_bps;
    link->rest %= m->line_bps;
    cc_push(m, link->busy_until_ns, CC_LEAVES, at);
}

LAW_FN void cc_acknowledge(cc_many *m, cc_flow *f, uint32_t got, uint32_t marked,
                           bool nak)
{
    const uint32_t at = cc_take(m);
    cc_packet *k = &m->packets[at];
    memset(k, 0, sizeof *k);
    k->flow = cc_index(m, f);
    k->number = got;
    k->marked = (uint16_t)marked;
    k->nak = nak;
    cc_notify(m, f, CC_ACK, at);
}

/* Sends one ACK for the packets that the LDCP receiver has pending. */
LAW_FN void cc_flush(cc_many *m, cc_flow *f)
{
    const uint32_t n =
        m->c.blind ? f->pending : rocecc_ldcp_flush(&f->receiver).unmarked;
    f->flush_ns = CC_NEVER;
    if (n != 0) cc_acknowledge(m, f, f->got, f->pending_marked, false);
    f->pending = f->pending_marked = 0;
}

/* Acknowledges an accepted packet of LDCP, now or later. */
LAW_FN void cc_receive(cc_many *m, cc_flow *f, const cc_packet *k)
{
    const rocecc_ldcp_params *p = &m->ldcp[cc_nic(m, f)];
    const bool ce = k->ecn == ROCECC_ECN_CE;
    rocecc_ldcp_receiver_action acks = {0, 0};
    if (m->c.blind) {
        f->pending_marked += ce;
        if (++f->pending >= p->m_packets) cc_flush(m, f);
    } else {
        acks = rocecc_ldcp_received(p, &f->receiver, ce);
        if (acks.unmarked != 0) cc_acknowledge(m, f, f->got - acks.marked, 0, false);
        if (acks.marked != 0) cc_acknowledge(m, f, f->got, acks.marked, false);
        f->pending = f->receiver.pending;
    }
    if (k->asks) cc_flush(m, f);
    if (f->pending == 0) {
        f->flush_ns = CC_NEVER;
    } else if (m->c.flush_ns != 0) {
        f->flush_ns = m->now_ns + m->c.flush_ns;
        cc_push(m, f->flush_ns, CC_FLUSH, cc_index(m, f));
    }
}

/* Handles a packet at the receiver. */
LAW_FN void cc_delivered(cc_many *m, uint32_t at)
{
    const cc_packet k = m->packets[at];
    cc_flow *f = &m->flows[k.flow];
    cc_free(m, at);
    if (m->algorithm == CC_DCQCN && k.ecn == ROCECC_ECN_CE) {
        rocecc_cnpgate *gate = m->c.port_gate ? &m->gate : &f->gate;
        rocecc_cnpgate_params every = m->deployment[0].notification;
        if (m->c.no_gate) every.interval_ns = 0;
        if (rocecc_cnpgate_ce(&every, gate, m->now_ns).send)
            cc_notify(m, f, CC_CNP, k.flow);
    }
    if (k.number == f->got || m->c.in_any_order) {
        f->got++;
        f->nak = false;
        if (m->now_ns >= m->half_ns) {
            f->got_bytes += f->payload;
            f->got_wire_bytes += f->wire_bytes;
        }
        if (m->algorithm == CC_LDCP) cc_receive(m, f, &k);
    } else if (rocecc_serial_after(k.number, f->got)) {
        if (f->nak) return; /* one NAK per gap */
        f->nak = true;
        cc_acknowledge(m, f, f->got, 0, true);
        f->pending = f->receiver.pending = 0;
        f->pending_marked = 0;
    } else if (m->algorithm == CC_LDCP) {
        cc_acknowledge(m, f, f->got, 0, false);
    }
}

LAW_FN void cc_leaves(cc_many *m, uint32_t at)
{
    cc_packet *k = &m->packets[at];
    cc_link *link = &m->links[k->link];
    const uint32_t index = k->flow;
    bool drop;
    link->queue_bytes -= m->flows[index].wire_bytes;
    if (m->c.at_dequeue && m->algorithm != CC_QCN && k->ecn != ROCECC_ECN_NOT_ECT)
        cc_mark(m, k, link->queue_bytes, &drop);
    if (m->paused && link->queue_bytes <= m->c.xoff_bytes / 2) {
        uint32_t i;
        m->paused = false;
        if (m->now_ns > m->half_ns)
            m->stood_ns += m->now_ns - rocecc_max(m->paused_ns, m->half_ns);
        for (i = 0; i < m->flows_count; i++)
            cc_send_at(m, &m->flows[i], m->now_ns + 500);
    }
    if (m->links_count > 1 && k->link == 0 && index % 3 == 0) {
        k->link = 1;
        cc_push(m, m->now_ns + 500, CC_ARRIVES, at);
    } else if (m->c.spray_ns != 0) {
        cc_push(m, m->now_ns + cc_below(m, m->c.spray_ns), CC_DELIVERED, at);
    } else {
        cc_delivered(m, at);
    }
}

/* Sends again from packet `to` on (go-back-N). */
LAW_FN void cc_go_back(cc_many *m, cc_flow *f, uint32_t to)
{
    f->next = to;
    f->unasked = 0;
    cc_send_at(m, f, f->free_ns);
}

LAW_FN void cc_ack(cc_many *m, uint32_t at)
{
    const cc_packet k = m->packets[at];
    cc_flow *f = &m->flows[k.flow];
    const rocecc_ldcp_params *p = &m->ldcp[cc_nic(m, f)];
    rocecc_ldcp_ack_event heard = {0, false, false};
    bool refused;
    cc_free(m, at);
    if (m->algorithm != CC_LDCP) { /* a NAK */
        cc_go_back(m, f, k.number);
        return;
    }
    heard.packets = rocecc_ldcp_confirm(&f->space, f->top * 1024, k.number * 1024,
                                        (uint16_t)k.number);
    refused = f->refused;
    heard.limited = !cc_may_send(m, f) ||
                    (m->c.hasty ? refused : m->now_ns - f->refused_ns <= f->rtt_ns);
    if (heard.packets != 0) {
        const uint32_t marked = (uint32_t)rocecc_min(k.marked, heard.packets);
        f->heard_ns = m->now_ns;
        f->acked = k.number;
        if (rocecc_serial_after(f->acked, f->next)) f->next = f->acked;
        if (m->c.counts && marked != 0) {
            rocecc_ldcp_ack_event some = heard;
            some.packets -= marked;
            rocecc_ldcp_ack(p, &f->ldcp, some);
            heard.packets = marked;
        }
        heard.ece = marked != 0;
        rocecc_ldcp_ack(p, &f->ldcp, heard);
    }
    if (k.nak) {
        (void)rocecc_ldcp_nak(p, &f->ldcp);
        cc_go_back(m, f, f->acked);
    }
    if (f->send_ns == CC_NEVER) cc_send_at(m, f, m->now_ns);
}

LAW_FN void cc_timer(cc_many *m, cc_flow *f)
{
    const uint32_t nic = cc_nic(m, f);
    f->timer_ns = CC_NEVER;
    if (m->algorithm == CC_DCQCN) {
        const rocecc_dcqcn_action act = rocecc_dcqcn_timed_advance(
            &m->deployment[nic].reaction, &f->dcqcn, cc_clock(m));
        cc_adopt_dcqcn(m, f, &act);
    } else if (m->algorithm == CC_QCN) {
        const rocecc_qcn_rp_event e = cc_qcn_event(m);
        const rocecc_qcn_rp_action act = rocecc_qcn_rp_timed_advance(
            &m->rp[nic], &f->qcn, e.host, e.random, e.now_ns);
        cc_adopt_qcn(m, f, &act);
    } else {
        if (f->ldcp.in_flight != 0 && m->now_ns >= f->heard_ns + cc_rto_ns(m)) {
            (void)rocecc_ldcp_timeout(&m->ldcp[nic], &f->ldcp);
            f->heard_ns = m->now_ns;
            cc_go_back(m, f, f->acked);
        } else if (f->ldcp.in_flight != 0) {
            cc_timer_at(m, f, f->heard_ns + cc_rto_ns(m));
        }
        if (f->send_ns == CC_NEVER) cc_send_at(m, f, m->now_ns);
    }
}

/* Handles a CNP. With `stamps` it is handled on arrival, and changes the rate later. */
LAW_FN void cc_cnp(cc_many *m, cc_flow *f)
{
    const rocecc_dcqcn_action act = rocecc_dcqcn_timed_cnp(
        &m->deployment[cc_nic(m, f)].reaction, &f->dcqcn, cc_clock(m));
    if (m->c.stamps)
        cc_timer_at(m, f, m->now_ns);
    else
        cc_adopt_dcqcn(m, f, &act);
}

LAW_FN void cc_cnm(cc_many *m, cc_flow *f, uint8_t qntz_fb)
{
    rocecc_qcn_rp_event e = cc_qcn_event(m);
    rocecc_qcn_rp_action act;
    e.qntz_fb = qntz_fb;
    act = rocecc_qcn_rp_timed_cnm(&m->rp[cc_nic(m, f)], &f->qcn, &e);
    cc_adopt_qcn(m, f, &act);
}

LAW_FN void cc_happens(cc_many *m, const law_event *e)
{
    cc_flow *f = &m->flows[e->index % CC_FLOWS];
    if (e->what == CC_SEND && f->send_ns == e->at_ns) cc_send(m, f);
    if (e->what == CC_TIMER && f->timer_ns == e->at_ns) cc_timer(m, f);
    if (e->what == CC_FLUSH && f->flush_ns == e->at_ns) cc_flush(m, f);
    if (e->what == CC_ARRIVES) cc_arrives(m, e->index);
    if (e->what == CC_LEAVES) cc_leaves(m, e->index);
    if (e->what == CC_DELIVERED) cc_delivered(m, e->index);
    if (e->what == CC_CNP) cc_cnp(m, f);
    if (e->what == CC_CNM) cc_cnm(m, f, (uint8_t)(e->index >> 8));
    if (e->what == CC_ACK) cc_ack(m, e->index);
}

/* Returns the RTT for LDCP's parameters and marks. */
LAW_FN uint32_t cc_base_ns(const cc_case *c)
{
    return 8160 + (c->fitted ? c->late_ns + c->blur_ns / 2 : 0);
}

/* Makes the parameters of a NIC. Returns false if the library refuses them. */
LAW_FN bool cc_make(cc_many *m, uint32_t nic, uint64_t line_bps)
{
    const bool nvidia = m->c.nvidia != 0;
    const uint32_t payload = m->c.payload != 0 ? m->c.payload : 1000;
    const uint64_t rtt_ns = cc_base_ns(&m->c);
    m->deployment[nic] = nvidia ? rocecc_dcqcn_deployment_nvidia(line_bps)
                                : rocecc_dcqcn_deployment_paper(line_bps);
    m->rp[nic] = rocecc_qcn_rp_qau(line_bps);
    m->rp[nic].jitter = m->c.random;
    m->ldcp[nic] = rocecc_ldcp_hns(
        (uint32_t)rocecc_max(line_bps * rtt_ns / CC_G / 8 / payload, 1));
    m->ldcp[nic].m_packets = (uint32_t)rocecc_max(m->c.m, 1);
    m->ldcp[nic].mtu_bytes = payload;
    m->ldcp[nic].split = m->c.split != 0;
    m->ldcp[nic].continuous = m->c.joined != 0;
    if (m->c.even && m->c.far_rtt != 0 && nic == 0)
        m->ldcp[nic].alpha_q16 /= m->c.far_rtt;
    if (m->c.even && m->c.mixed && nic == 1) {
        m->ldcp[nic].alpha_q16 /= 4;
        m->ldcp[nic].beta_q16 /= 4;
    }
    m->deployment[nic].reaction.cut_interval_ns =
        (uint32_t)rocecc_max(m->deployment[nic].reaction.cut_interval_ns, m->c.cut_ns);
    return rocecc_dcqcn_deployment_init(&m->deployment[nic], 1u << 30) ==
               ROCECC_DCQCN_DEPLOYMENT_ACCEPTED &&
           rocecc_qcn_rp_init(&m->rp[nic]) == ROCECC_QCN_RP_ACCEPTED &&
           rocecc_ldcp_init(&m->ldcp[nic]) == ROCECC_LDCP_ACCEPTED;
}

/* Computes each flow's max-min share. With two links, flows over both get least. */
LAW_FN void cc_shares(cc_many *m)
{
    const uint32_t n = m->flows_count, fast = (n + 1) / 2;
    const uint64_t slow_bps = m->line_bps / rocecc_max(m->c.slow_nic, 1);
    uint32_t i, both = 0, on[2] = {0, 0};
    for (i = 0; i < n; i++) {
        both += i % 3 == 0;
        on[0] += i % 3 != 2;
        on[1] += i % 3 != 1;
    }
    for (i = 0; i < n; i++) {
        cc_flow *f = &m->flows[i];
        f->share_bps = m->line_bps / n;
        if (slow_bps < f->share_bps)
            f->share_bps =
                (i & 1) != 0 ? slow_bps : (m->line_bps - slow_bps * (n - fast)) / fast;
        if (m->links_count > 1) {
            const uint64_t least_bps = m->line_bps / rocecc_max(on[0], on[1]);
            f->share_bps =
                i % 3 == 0 ? least_bps
                           : (m->line_bps - both * least_bps) / (on[i % 3 == 2] - both);
        }
    }
}

LAW_FN void cc_start(cc_many *m)
{
    const uint32_t payload = m->c.payload != 0        ? m->c.payload
                             : m->algorithm == CC_QCN ? 1438
                                                      : 1000;
    uint32_t i;
    for (i = 0; i < CC_PACKETS; i++)
        m->packets[i].next_free = i + 1;
    for (i = 0; i < CC_LINKS; i++)
        m->links[i].cp = rocecc_qcn_cp_start(&m->cp, cc_random(m));
    for (i = 0; i < m->flows_count; i++) {
        cc_flow *f = &m->flows[i];
        const bool odd = (i & 1) != 0;
        const uint32_t far_rtt = odd ? (uint32_t)rocecc_max(m->c.far_rtt, 1) : 1;
        f->nic_bps =
            odd && m->c.slow_nic > 1 ? m->line_bps / m->c.slow_nic : m->line_bps;
        f->rtt_ns =
            (m->algorithm == CC_LDCP ? UINT64_C(8000) : UINT64_C(8160)) * far_rtt;
        f->payload = odd && m->c.mixed ? payload / 4 : payload;
        f->wire_bytes = f->payload + 62 + 20;
        f->rate_bps = f->nic_bps;
        f->dcqcn = rocecc_dcqcn_timed_start(&m->deployment[cc_nic(m, f)].reaction, 0);
        f->qcn = rocecc_qcn_rp_timed_start(&m->rp[cc_nic(m, f)], 0);
        f->ldcp = rocecc_ldcp_start(&m->ldcp[cc_nic(m, f)]);
        f->receiver = rocecc_ldcp_receiver_start();
        f->send_ns = f->timer_ns = f->flush_ns = CC_NEVER;
        cc_send_at(m, f, 37u * i + (uint64_t)m->c.apart_ns * i);
    }
    cc_shares(m);
}

LAW_FN cc_result cc_sum(const cc_many *m)
{
    cc_result r = {0, 0, 0, 100};
    uint64_t least = UINT64_MAX, most = 0, all = 0, time_ns = m->end_ns - m->half_ns;
    uint32_t i;
    for (i = 0; i < m->flows_count; i++) {
        const cc_flow *f = &m->flows[i];
        const uint64_t part = f->got_bytes * 1000000 / (f->share_bps / 1000);
        least = rocecc_min(least, part);
        most = rocecc_max(most, part);
        all += f->got_wire_bytes * (m->links_count > 1 && i % 3 == 0 ? 2 : 1);
    }
    if (m->c.paused_in != 0)
        time_ns = time_ns * (m->c.paused_in - m->c.pause_ns) / m->c.paused_in;
    r.mbps = all * 8000 / time_ns / m->links_count;
    if (m->queue_count != 0) r.queue_bytes = m->queue_sum / m->queue_count;
    r.queue_most = m->queue_most;
    if (most != 0) r.percent = (uint32_t)(least * 100 / most);
    return r;
}

LAW_FN cc_result cc_run(cc_many *m, uint8_t algorithm, const cc_case *c, uint32_t flows,
                        uint64_t end_ns)
{
    memset(m, 0, sizeof *m);
    m->c = *c;
    m->events.heap = m->heap;
    m->events.most = 2 * CC_PACKETS;
    if (c->xoff_bytes == 0 && algorithm != CC_LDCP) m->c.xoff_bytes = CC_XOFF;
    m->algorithm = algorithm;
    m->flows_count = flows;
    m->links_count = c->two_links ? 2 : 1;
    m->line_bps = CC_G * (algorithm == CC_DCQCN ? (c->nvidia ? 100 : 40)
                          : algorithm == CC_QCN ? 10
                                                : 100);
    m->random = flows;
    m->end_ns = end_ns;
    m->half_ns = end_ns / 2;
    m->cp = rocecc_qcn_cp_mib();
    m->broken = !cc_make(m, 0, m->line_bps) ||
                !cc_make(m, 1, m->line_bps / rocecc_max(c->slow_nic, 1)) ||
                rocecc_qcn_cp_init(&m->cp) != ROCECC_QCN_CP_ACCEPTED;
    m->wred = m->deployment[0].marking;
    if (algorithm == CC_LDCP) {
        m->wred = rocecc_wred_ldcp(cc_base_ns(c) * 25 / 2, 4000000);
        if (c->in_any_order) m->wred.drop = rocecc_wred_off();
    }
    cc_start(m);
    while (m->events.n != 0 && !m->broken) {
        const law_event e = law_events_pop(&m->events);
        if (e.at_ns > end_ns) break;
        m->now_ns = e.at_ns;
        cc_happens(m, &e);
    }
    return cc_sum(m);
}

#endif /* TESTS_LAW_CC_MANY_H */
