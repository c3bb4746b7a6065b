/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ldcp.c - LDCP, for a fabric that may lose packets. In the first round trip, packets
 * are not ECN-capable, except the IW-th and a flow's last one, and switches drop them
 * early. ECN-capable packets are marked instead, and the ACK of each echoes the mark.
 * The header with LSN and echo is behind the BTH or the AETH.
 */
#include "../cctrace/algo.h"
#include "lab.h"

#include <stdlib.h>

#define AROUND (ROCECC_BTH_BYTES + ROCECC_LSN_BYTES + ROCECC_ICRC_BYTES)

/* Returns the wire bytes of a full packet. */
static uint32_t frame_of(const lab *l)
{
    return l->mtu + AROUND + 62 + LAB_AROUND_BYTES;
}

static uint32_t packets_of(const lab *l, uint64_t bytes)
{
    return (uint32_t)((bytes + l->mtu - 1) / l->mtu);
}

/* Returns the LSN after `bytes` of payload. */
static uint32_t lsn_of(const lab *l, uint64_t bytes)
{
    return (uint32_t)bytes + packets_of(l, bytes) * AROUND;
}

static uint64_t bdp_of(const lab *l, uint64_t rate_bps)
{
    return rate_bps / 8000 * (l->base_rtt / 1000) / 1000000;
}

/* Sets IW to the NIC's BDP in packets, plus two for store and forward. */
static rocecc_ldcp_refusal tune(const lab *l, lab_part *part)
{
    rocecc_ldcp_params p =
        rocecc_ldcp_hns((uint32_t)(bdp_of(l, l->nic_bps) / frame_of(l)) + 2);
    rocecc_ldcp_refusal refusal;
    p.mtu_bytes = l->mtu + AROUND;
    lab_members(l->o, &algo_ldcp, &p);
    refusal = rocecc_ldcp_init(&p);
    part->ldcp = p;
    return refusal;
}

static bool setup(lab *l, lab_part *part)
{
    const uint64_t bdp = bdp_of(l, l->o->rate_bps);
    rocecc_ldcp_refusal refusal;
    if (bdp / frame_of(l) >= ROCECC_LDCP_PACKETS_MAX)
        return lab_refuse(
            l, "--rate %s times --rtt %s is too large: the limit is %u packets",
            lab_text('r', l->o->rate_bps), lab_text('t', l->o->rtt),
            (unsigned)ROCECC_LDCP_PACKETS_MAX);
    l->wred = rocecc_wred_ldcp((uint32_t)bdp,
                               (uint32_t)rocecc_min(l->o->buffer_bytes, UINT32_MAX));
    lab_preset(l, part, &algo_wred, l->o->rate_bps, &l->wred);
    lab_members(l->o, &algo_wred, &l->wred);
    refusal = tune(l, part);
    if (refusal != ROCECC_LDCP_ACCEPTED)
        return lab_refuse_member(l, &algo_ldcp, refusal, &part->ldcp);
    if (rocecc_wred_init(&l->wred) != ROCECC_WRED_ACCEPTED)
        return lab_refuse_member(l, &algo_wred, rocecc_wred_init(&l->wred), &l->wred);
    return lab_wred_marks(l);
}

static void window(lab *l, lab_flow *x)
{
    lab_set(l, x, 0, rocecc_ldcp_window_bytes(&x->part->ldcp, &x->at.ldcp.s));
}

static void start(lab *l, lab_flow *x)
{
    x->at.ldcp.s = rocecc_ldcp_start(&x->part->ldcp);
    x->at.ldcp.receiver = rocecc_ldcp_receiver_start();
    window(l, x);
}

/* Applies a new NIC rate to a part's parameters and flows. */
static void relink(lab *l, lab_part *part)
{
    uint32_t i;
    if (tune(l, part) != ROCECC_LDCP_ACCEPTED) abort();
    for (i = 0; i < l->n_flows; i++) {
        if (l->flow[i].part != part) continue;
        rocecc_ldcp_relink(&part->ldcp, &l->flow[i].at.ldcp.s);
        window(l, &l->flow[i]);
    }
}

static bool may(lab *l, lab_flow *x, uint32_t payload, lab_ps *again)
{
    const rocecc_ldcp_next_packet next = {lsn_of(l, x->sent) - lsn_of(l, x->acked),
                                          payload + AROUND};
    const rocecc_ldcp_send_action r =
        rocecc_ldcp_may_send_bytes(&x->part->ldcp, &x->at.ldcp.s, next,
                                   (uint32_t)(l->base_rtt / 1000), l->now / 1000);
    if (r.allowed) return true;
    x->at.ldcp.limited_ps = l->now + l->base_rtt;
    *again = r.wait_ns == 0 ? LAB_NEVER : l->now + (lab_ps)r.wait_ns * 1000;
    return false;
}

static void data(lab *l, lab_flow *x, lab_packet *p)
{
    const uint64_t behind = x->sent + p->payload - ROCECC_ICRC_BYTES;
    rocecc_lsn h = rocecc_lsn_default();
    h.last = behind == x->bytes;
    h.packet = (uint16_t)packets_of(l, x->sent);
    h.lsn = lsn_of(l, x->sent);
    rocecc_lsn_store(lab_append(p, ROCECC_LSN_BYTES), &h);
    rocecc_ipv6_ecn_store(
        p->b + p->f.ip.offset,
        rocecc_ldcp_send(&x->part->ldcp, &x->at.ldcp.s, h.last, l->now / 1000));
    if (rocecc_serial_after(lsn_of(l, behind), x->at.ldcp.sent_lsn))
        x->at.ldcp.sent_lsn = lsn_of(l, behind);
}

/* Reads the header at an offset. Returns false if it is missing. */
static bool lsn_at(const lab_packet *p, size_t at, rocecc_lsn *h)
{
    rocecc_reader r = rocecc_subrange(lab_view(p), at, p->n);
    return rocecc_lsn_parse(&r, h) == ROCECC_OK;
}

/* Adds LSN and echo to an ACK. A packet counts, and its CE is echoed, if it was taken
 * or repeats the last packet in order. */
static void received(lab *l, lab_flow *x, const lab_packet *p, lab_packet *ack)
{
    rocecc_lsn h, echo = rocecc_lsn_default();
    uint8_t *b;
    if (!lsn_at(p, (size_t)p->f.bth + ROCECC_BTH_BYTES, &h)) return;
    echo.ack = true;
    echo.lsn = lsn_of(l, x->got);
    echo.packet = (uint16_t)packets_of(l, x->got);
    if (x->took || h.lsn + p->payload - ROCECC_ICRC_BYTES + AROUND == echo.lsn)
        echo.ece = rocecc_ldcp_received(&x->part->ldcp, &x->at.ldcp.receiver,
                                        lab_ecn(p) == ROCECC_ECN_CE)
                       .marked != 0;
    b = lab_append(ack, ROCECC_LSN_BYTES);
    if (b != NULL) rocecc_lsn_store(b, &echo);
}

static void acked(lab *l, lab_flow *x, const lab_packet *p, uint64_t bytes, bool lost)
{
    const size_t at = (size_t)p->f.bth + ROCECC_BTH_BYTES + LAB_AETH_BYTES;
    rocecc_lsn h;
    uint32_t n = 0;
    (void)bytes;
    if (lsn_at(p, at, &h) && h.ack && !h.read_response)
        n = rocecc_ldcp_confirm(&x->at.ldcp.acked, x->at.ldcp.sent_lsn, h.lsn,
                                h.packet);
    if (n != 0) {
        const bool full =
            !rocecc_ldcp_may_send(&x->at.ldcp.s, (uint32_t)(l->base_rtt / 1000),
                                  l->now / 1000)
                 .allowed;
        const rocecc_ldcp_ack_event heard = {n, h.ece,
                                             l->now <= x->at.ldcp.limited_ps || full};
        rocecc_ldcp_ack(&x->part->ldcp, &x->at.ldcp.s, heard);
        l->notifications += h.ece;
    }
    if (lost) (void)rocecc_ldcp_nak(&x->part->ldcp, &x->at.ldcp.s);
    window(l, x);
}

static void silence(lab *l, lab_flow *x)
{
    (void)rocecc_ldcp_timeout(&x->part->ldcp, &x->at.ldcp.s);
    window(l, x);
}

const lab_scheme lab_ldcp = {.name = "ldcp",
                             .what = "LDCP: each ACK echoes CE; packets may be lost",
                             .by_marks = true,
                             .setup = setup,
                             .start = start,
                             .may = may,
                             .data = data,
                             .received = received,
                             .acked = acked,
                             .silence = silence,
                             .queue = lab_wred_queue,
                             .mark = lab_wred_mark,
                             .relink = relink};
