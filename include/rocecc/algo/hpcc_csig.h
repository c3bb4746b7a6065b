/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_CSIG_H
#define ROCECC_ALGO_HPCC_CSIG_H

/*
 * hpcc_csig.h - hpcc.h with one CSIG signal a packet instead of telemetry of each hop:
 * no L, no ids, 40 bytes of state. draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   a utilisation       u = value, at most 9/8
 *   a delay d           u = 1 + d/T
 *   tau                 since the last sample that was used, at most T
 *
 * Example: T 13 us, U 1. After 6.5 us a sample says 0.9: U = 0.95.
 */
#include "hpcc_window.h"

/* What an ACK brings with CSIG. */
typedef struct rocecc_hpcc_sample {
    uint8_t signal; /* ROCECC_HPCC_UTILISATION, _DELAY, _DRAIN; another: no tag came */
    uint32_t value; /* Q20 of a utilisation, ns of the others */
    uint32_t seq;
    uint32_t snd_nxt;
    uint64_t now_ns;
    uint8_t ecn; /* ROCECC_HPCC_ECN_... */
} rocecc_hpcc_sample;

/*
 * u of a delay is 1 + d/T, below 4096 (H-24), and of d = 0 it is 0 (H-25); a
 * utilisation is u itself, up to 9/8 (H-23, H-34).
 */
ROCECC_FN uint64_t rocecc_hpcc_sample_q32_(const rocecc_hpcc_params *p,
                                           const rocecc_hpcc_sample *e)
{
    uint64_t delay_ns = e->value, u;
    if (e->signal == ROCECC_HPCC_UTILISATION)
        return rocecc_min(e->value, ROCECC_HPCC_UTIL_MAX_Q20) << 12;
    if (e->signal == ROCECC_HPCC_DELAY) delay_ns -= rocecc_min(delay_ns, p->pd_base_ns);
    if (delay_ns == 0) return 0;
    u = rocecc_hpcc_mul_q32_(delay_ns << (32 - (p->t_shift & 31u)), p->t_inverse);
    return rocecc_min(u + ((uint64_t)1 << 32), ROCECC_HPCC_U_MAX_Q32);
}

/*
 * An ACK with a CSIG signal. The first one only starts the clock (H-26); one without a
 * signal leaves the flow blind (H-35). A CNP of such a flow is rocecc_hpcc_fastcnp() of
 * a report without hops: its mark is noted.
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_csig_ack(const rocecc_hpcc_params *p,
                                                  rocecc_hpcc *s,
                                                  const rocecc_hpcc_sample *e)
{
    const bool util = e->signal == ROCECC_HPCC_UTILISATION;
    const bool delay = e->signal == ROCECC_HPCC_DELAY || e->signal == ROCECC_HPCC_DRAIN;
    const uint64_t u = rocecc_hpcc_sample_q32_(p, e);
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    rocecc_hpcc_load_ load;
    load.dt_ns = (uint32_t)rocecc_min(e->now_ns - s->changed_ns, p->base_rtt_ns);
    load.part_q32 = rocecc_hpcc_mul_q32_(u, rocecc_hpcc_part_q32_(p, load.dt_ns));
    if (!util && !delay) {
        rocecc_hpcc_unseen_(p, s, e->seq, e->snd_nxt, e->ecn);
        verdict = ROCECC_HPCC_BLIND;
    } else if (s->hops == 0) {
        rocecc_hpcc_unseen_(p, s, e->seq, e->snd_nxt, e->ecn);
        s->hops = 1;
        s->changed_ns = e->now_ns;
        verdict = ROCECC_HPCC_STARTED;
    } else if ((util || u != 0) && load.dt_ns != 0) {
        rocecc_hpcc_average_(p, s, &load);
        s->changed_ns = e->now_ns;
        rocecc_hpcc_seen_(s);
        verdict = rocecc_hpcc_acked_(p, s, e->seq, e->snd_nxt, p->w_max_bytes << 20);
    }
    act = rocecc_hpcc_action_(p, s, verdict);
    if (delay && u == 0) act.request = ROCECC_HPCC_UTILISATION;
    return act;
}

#endif /* ROCECC_ALGO_HPCC_CSIG_H */
