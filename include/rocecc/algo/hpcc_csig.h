/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_CSIG_H
#define ROCECC_ALGO_HPCC_CSIG_H

/*
 * hpcc_csig.h - hpcc.h with one CSIG signal per packet instead of per-hop telemetry.
 * draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   a utilisation       u = value, at most 9/8
 *   a delay d           u = 1 + d/T
 *   tau                 time since the last sample that was used, at most T
 *
 * Example: T is 13 us and U is 1. After 6.5 us, a utilisation of 0.9 gives U = 0.95.
 */
#include "hpcc_window.h"

/* Input from an ACK with CSIG. */
typedef struct rocecc_hpcc_csig_event {
    uint8_t signal; /* ROCECC_HPCC_UTILISATION, _DELAY, _DRAIN; others: no tag */
    uint32_t value; /* Q20 for a utilisation, otherwise ns */
    uint32_t seq;
    uint32_t snd_nxt;
    uint64_t now_ns;
    uint8_t ecn; /* ROCECC_HPCC_ECN_... */
} rocecc_hpcc_csig_event;

/*
 * Returns the load u that a signal reports. For a utilisation, u is the value, but at
 * most 9/8 (H-23, H-34). For a delay d, u is 1 + d/T (H-24), or 0 if d = 0 (H-25).
 */
ROCECC_FN uint64_t rocecc_hpcc_csig_load_q32_(const rocecc_hpcc_params *params,
                                              const rocecc_hpcc_csig_event *event)
{
    uint64_t delay_ns = event->value, u;
    if (event->signal == ROCECC_HPCC_UTILISATION)
        return rocecc_min(event->value, ROCECC_HPCC_UTIL_MAX_Q20) << 12;
    if (event->signal == ROCECC_HPCC_DELAY)
        delay_ns -= rocecc_min(delay_ns, params->pd_base_ns);
    if (delay_ns == 0) return 0;
    /* d/T */
    u = rocecc_hpcc_mul_q32_(delay_ns << (32 - (params->t_shift & 31u)),
                             params->t_inverse);
    return rocecc_min(u + ((uint64_t)1 << 32), ROCECC_HPCC_U_MAX_Q32);
}

/*
 * Handles an ACK. The first CSIG signal starts the clock for tau, but does not change U
 * (H-26). Both an ACK with this first signal and an ACK without a signal can end a
 * blind round (H-35). After the first signal, a delay of 0 changes nothing (H-25), and
 * neither does a signal that arrives at the same time as the last used sample (H-26).
 * To note a mark that a CNP reports, the host must call rocecc_hpcc_fastcnp() with an
 * event that has no hops.
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_csig_ack(const rocecc_hpcc_params *params,
                                                  rocecc_hpcc *state,
                                                  const rocecc_hpcc_csig_event *event)
{
    const bool util = event->signal == ROCECC_HPCC_UTILISATION;
    const bool delay =
        event->signal == ROCECC_HPCC_DELAY || event->signal == ROCECC_HPCC_DRAIN;
    const uint64_t u = rocecc_hpcc_csig_load_q32_(params, event);
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    rocecc_hpcc_hop_load_ load;
    load.dt_ns =
        (uint32_t)rocecc_min(event->now_ns - state->changed_ns, params->base_rtt_ns);
    /* u * dt/T */
    load.part_q32 =
        rocecc_hpcc_mul_q32_(u, rocecc_hpcc_time_share_q32_(params, load.dt_ns));
    if (!util && !delay) {
        rocecc_hpcc_blind_report_(params, state, event->seq, event->snd_nxt,
                                  event->ecn);
        verdict = ROCECC_HPCC_BLIND;
    } else if (state->hops == 0) {
        rocecc_hpcc_blind_report_(params, state, event->seq, event->snd_nxt,
                                  event->ecn);
        state->hops = 1;
        state->changed_ns = event->now_ns;
        verdict = ROCECC_HPCC_STARTED;
    } else if ((util || u != 0) && load.dt_ns != 0) {
        rocecc_hpcc_update_u_(params, state, &load);
        state->changed_ns = event->now_ns;
        rocecc_hpcc_end_blind_(state);
        verdict = rocecc_hpcc_update_reference_(
            params, state, event->seq, event->snd_nxt, params->w_max_bytes << 20);
    }
    act = rocecc_hpcc_make_action_(params, state, verdict);
    if (delay && u == 0) act.request = ROCECC_HPCC_UTILISATION;
    return act;
}

#endif /* ROCECC_ALGO_HPCC_CSIG_H */
