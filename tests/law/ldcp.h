/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_LDCP_H
#define TESTS_LAW_LDCP_H

#include "draw.h"
#include "rocecc/fields/ldcp.h"

/* Draws a preset. The bits of `mask` replace members by drawn values. */
LAW_FN rocecc_ldcp_params law_ldcp_params(rocecc_reader *r)
{
    rocecc_ldcp_params p = rocecc_ldcp_hns(law_u16(r));
    const uint16_t mask = law_u16(r);
    if (mask & 1) p.alpha_q16 = law_u16(r) + 1u;
    if (mask & 2) p.beta_q16 = law_u16(r) + 1u;
    if (mask & 4) p.gamma_q16 = law_u16(r) + 1u;
    if (mask & 8) p.eta_q16 = law_u16(r);
    if (mask & 16) p.cw_max_packets = law_u16(r);
    if (mask & 32) p.loss_floor_packets = law_u8(r);
    if (mask & 64) p.m_packets = law_u8(r);
    if (mask & 128) p.mtu_bytes = law_u16(r);
    p.split = (mask & 256) != 0;
    p.continuous = (mask & 512) != 0;
    switch (mask >> 12) { /* one more may be invalid */
    case 1:
        p.alpha_q16 = law_u32(r);
        break;
    case 2:
        p.beta_q16 = law_u32(r);
        break;
    case 3:
        p.gamma_q16 = law_u32(r);
        break;
    case 4:
        p.eta_q16 = law_u32(r);
        break;
    case 5:
        p.iw_packets = law_u32(r);
        break;
    case 6:
        p.cw_max_packets = law_u32(r);
        break;
    case 7:
        p.loss_floor_packets = law_u32(r);
        break;
    case 8:
        p.m_packets = law_u32(r);
        break;
    case 9:
        p.mtu_bytes = law_u32(r);
        break;
    default:
        break;
    }
    return p;
}

/* Returns true if window, stage and counters are consistent. */
LAW_FN bool law_ldcp_valid(const rocecc_ldcp_params *p, const rocecc_ldcp *s)
{
    if (s->cw_q32 < p->gamma_q32 || s->cw_q32 > p->cw_max_q32) return false;
    if (s->stable > 1 || s->first_rtt > 1 || s->has_sent > 1 || s->unheard > 1)
        return false;
    if (s->first_rtt && (s->stable || s->acked != 0)) return false;
    if (s->stable) return s->acked == 0;
    return s->acked < p->iw_packets && s->recover == 0 &&
           s->cw_q32 == (uint64_t)p->iw_packets << 32;
}

/* Drawn values of an event and the query after it. */
typedef struct law_ldcp_args {
    uint8_t what;
    bool flag;
    uint32_t x, y;
    uint16_t ahead;
    uint32_t rtt_ns;
    uint64_t send_ns, now_ns; /* any, in any order */
} law_ldcp_args;

/* Draws an event. Returns false if too few bytes are left. */
LAW_FN bool law_ldcp_draw(rocecc_reader *r, law_ldcp_args *e)
{
    const uint8_t *b = rocecc_take(r, 19);
    if (b == NULL) return false;
    e->what = b[0];
    e->flag = (b[0] & 0x80) != 0;
    e->x = rocecc_load32(b + 1) >> (b[0] >> 2 & 31);
    e->y = rocecc_load32(b + 5);
    e->ahead = rocecc_load16(b + 9);
    e->rtt_ns = rocecc_load32(b + 11);
    e->send_ns = (uint64_t)e->y << (b[0] >> 2 & 31);
    e->now_ns = (uint64_t)rocecc_load32(b + 15) << (b[0] >> 2 & 31);
    return true;
}

/* Checks an event of the sender. */
LAW_FN uint32_t law_ldcp_sender(const rocecc_ldcp_params *p, rocecc_ldcp *s,
                                const law_ldcp_args *e)
{
    const rocecc_ldcp was = *s;
    const bool flag = e->flag;
    if ((e->what & 3) == 0) {
        const rocecc_ecn ecn = rocecc_ldcp_send(p, s, flag, e->send_ns);
        LAW(s->in_flight > 0 && s->cw_q32 == was.cw_q32);
        LAW(s->last_send_ns == e->send_ns);
        LAW(ecn == ROCECC_ECN_ECT0 || (was.first_rtt && !was.stable && !flag));
        return law_mix(LAW_START, ecn);
    }
    if ((e->what & 3) == 1) {
        const rocecc_ldcp_ack_event heard = {e->x, flag, (e->ahead & 1) != 0};
        rocecc_ldcp_ack(p, s, heard);
        LAW(was.in_flight - s->in_flight == rocecc_min(e->x, was.in_flight));
        LAW(!was.stable || flag || !heard.limited || e->x == 0 ||
            s->cw_q32 > was.cw_q32 || s->cw_q32 == p->cw_max_q32);
        LAW(!was.stable || !(flag || !heard.limited) || s->cw_q32 <= was.cw_q32);
        LAW(e->x == 0 ? s->unheard == was.unheard : s->unheard == 0);
        return LAW_START;
    }
    if ((e->what & 3) == 2) {
        const bool timeout = (e->ahead & 1) != 0;
        const rocecc_ldcp_action act =
            timeout ? rocecc_ldcp_timeout(p, s) : rocecc_ldcp_nak(p, s);
        LAW(s->stable && s->in_flight == 0 && act.go_back_packets == was.in_flight);
        LAW(act.cut == (timeout || !was.stable || was.unheard || was.recover == 0));
        LAW(act.cut || s->cw_q32 == was.cw_q32);
        LAW(s->cw_q32 <= was.cw_q32 && s->unheard);
        return law_mix(law_mix(LAW_START, act.cut), act.go_back_packets);
    }
    return LAW_START;
}

/* Changes the link speed, unless init() refuses it, and checks the window. */
LAW_FN uint32_t law_ldcp_link(rocecc_ldcp_params *p, rocecc_ldcp *s,
                              const law_ldcp_args *e)
{
    const rocecc_ldcp was = *s;
    const uint32_t old_iw = p->iw_packets, old_max = p->cw_max_packets;
    const uint64_t cw_q32 = s->cw_q32;
    uint64_t iw_q32;
    p->iw_packets = e->y & 0xffff;
    p->cw_max_packets = e->flag ? e->x & 0xffff : 0;
    if (rocecc_ldcp_init(p) != ROCECC_LDCP_ACCEPTED) {
        p->iw_packets = old_iw;
        p->cw_max_packets = old_max;
        return LAW_START;
    }
    rocecc_ldcp_relink(p, s);
    iw_q32 = (uint64_t)p->iw_packets << 32;
    LAW(s->cw_q32 <= iw_q32 && (s->stable || s->cw_q32 == iw_q32));
    LAW(!was.stable || s->cw_q32 == rocecc_min(cw_q32, iw_q32));
    LAW(s->in_flight == was.in_flight && s->recover == was.recover);
    return law_mix(LAW_START, s->cw_q32);
}

/* Checks an event of the receiver, and an ACK that comes back. */
LAW_FN uint32_t law_ldcp_answer(const rocecc_ldcp_params *p, rocecc_ldcp_receiver *v,
                                rocecc_ldcp_space *a, const law_ldcp_args *e)
{
    const uint32_t before = v->pending;
    const bool came = e->x & 1;
    const rocecc_ldcp_receiver_action acks =
        came ? rocecc_ldcp_received(p, v, e->flag) : rocecc_ldcp_flush(v);
    const uint32_t n =
        rocecc_ldcp_confirm(a, a->lsn + e->ahead, e->y, (uint16_t)e->now_ns);
    LAW(before + (came ? 1 : 0) == acks.unmarked + acks.marked + v->pending);
    LAW((acks.marked != 0) == (e->flag && came) && v->pending < p->m_packets);
    LAW(n < 65536 && (n == 0 || a->lsn == e->y));
    return law_mix(law_mix(law_mix(LAW_START, acks.unmarked), acks.marked), n);
}

/* Checks both queries. Each allows, waits, or leaves it to an ACK, and both agree. */
LAW_FN uint32_t law_ldcp_query(const rocecc_ldcp_params *p, const rocecc_ldcp *s,
                               uint32_t rtt_ns, uint64_t now_ns)
{
    const uint64_t window_bytes = rocecc_ldcp_window_bytes(p, s);
    const uint32_t ask_packets = rocecc_ldcp_ask_packets(s);
    const uint32_t bytes =
        s->in_flight < 65536 ? s->in_flight * p->mtu_bytes : UINT32_MAX;
    const rocecc_ldcp_send_action a = rocecc_ldcp_may_send(s, rtt_ns, now_ns);
    const rocecc_ldcp_send_action b = rocecc_ldcp_may_send_bytes(
        p, s, (rocecc_ldcp_next_packet){bytes, p->mtu_bytes}, rtt_ns, now_ns);
    LAW(!a.allowed || a.wait_ns == 0);
    LAW(a.wait_ns == 0 || (s->in_flight == 0 && s->cw_q32 < ROCECC_LDCP_ONE_Q32));
    LAW(a.allowed || a.wait_ns != 0 || s->in_flight > 0);
    LAW(b.allowed == a.allowed && b.wait_ns == a.wait_ns);
    LAW(window_bytes <= s->cw_q32 && window_bytes >> 32 == 0);
    LAW(ask_packets > 0 && ask_packets >> 29 == 0);
    return law_mix(
        law_mix(law_mix(law_mix(LAW_START, a.allowed), a.wait_ns), window_bytes),
        ask_packets);
}

LAW_FN uint32_t law_ldcp_digest(uint32_t digest, const rocecc_ldcp *s,
                                const rocecc_ldcp_receiver *v,
                                const rocecc_ldcp_space *a)
{
    LAW_FIELDS(ROCECC_LDCP_STATE_FIELDS, s)
    LAW_FIELDS(ROCECC_LDCP_RECEIVER_STATE_FIELDS, v)
    LAW_FIELDS(ROCECC_LDCP_SPACE_STATE_FIELDS, a)
    return digest;
}

/* Checks a sender, its receiver and its LSN space with events in any order. */
LAW_FN uint32_t law_ldcp(rocecc_reader r)
{
    LAW_KEPT struct {
        rocecc_ldcp_params p;
        rocecc_ldcp s;
        rocecc_ldcp_receiver v;
        rocecc_ldcp_space a;
        law_ldcp_args e;
        uint32_t refusal, part, digest;
    } run;
    int i;
    run.p = law_ldcp_params(&r);
    LAW_FORGET(&run);
    run.refusal = rocecc_ldcp_init(&run.p);
    LAW_FORGET(&run);
    run.digest = law_mix(LAW_START, run.refusal);
    LAW((run.refusal == ROCECC_LDCP_ACCEPTED) == (run.p.cw_max_q32 != 0));
    if (run.refusal != ROCECC_LDCP_ACCEPTED) return run.digest;
    run.s = rocecc_ldcp_start(&run.p);
    run.v = rocecc_ldcp_receiver_start();
    run.a.lsn = run.a.packet = 0;
    for (i = 0; i < LAW_EVENTS; i++) {
        if (!law_ldcp_draw(&r, &run.e)) break;
        LAW_FORGET(&run);
        run.part = (run.e.what & 3) == 2 && run.e.ahead >> 14 == 0
                       ? law_ldcp_link(&run.p, &run.s, &run.e)
                   : (run.e.what & 3) != 3
                       ? law_ldcp_sender(&run.p, &run.s, &run.e)
                       : law_ldcp_answer(&run.p, &run.v, &run.a, &run.e);
        LAW_FORGET(&run);
        LAW(run.part != LAW_BROKEN && law_ldcp_valid(&run.p, &run.s));
        LAW_FORGET(&run);
        run.digest = law_mix(run.digest, run.part);
        run.part = law_ldcp_query(&run.p, &run.s, run.e.rtt_ns, run.e.now_ns);
        LAW_FORGET(&run);
        LAW(run.part != LAW_BROKEN);
        run.digest =
            law_ldcp_digest(law_mix(run.digest, run.part), &run.s, &run.v, &run.a);
    }
    return run.digest;
}

#endif /* TESTS_LAW_LDCP_H */
