/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_CNPGATE_H
#define ROCECC_GUARD_CNPGATE_H

/*
 * cnpgate.h - the gate for the CNPs of DCQCN's notification point. It answers CE
 * packets with at most one CNP per interval N. Sources: NVIDIA's min_time_between_cnps,
 * and Zhu et al., "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015),
 * 3.1. The paper allows both modes, suppress and defer.
 *
 *   CE packet   x   x  x       x       x         x
 *               |<---- N ---->||<---- N ---->|
 *   suppress   CNP            CNP               CNP
 *               |<---- N ---->|<---- N ---->|<---- N ---->|
 *   defer      CNP           CNP           CNP
 *                          (timer)       (timer)
 *
 * Example: N is 50 us, and CE packets arrive at 0, 20, 60 and 70 us. In suppress mode,
 * the gate sends CNPs at 0 and 60 us. In defer mode, it sends a CNP at 0 us, and the
 * timer sends CNPs at 50 and 100 us.
 *
 * State: 8 bytes per QP or per port, as the host chooses. If n flows share a gate, each
 * flow gets, on average, one CNP per n * N. This time must be less than the period of
 * DCQCN's increase timer. For example, eight flows that share a gate with N = 50 us
 * fill the switch's buffer (algo/README.md, "Assumptions"). In defer mode, the host
 * must provide a timer. The state keeps the low 32 bits of a time in ns. The gate is
 * exact, except after an idle time whose length is within N of a multiple of 4.29 s.
 * The last CNP then looks recent. For a period shorter than 2 * N, CE packets therefore
 * cause no CNP or, in defer mode, a late CNP. README.md has the rules and a remedy.
 */
#include "../fixed.h"

#define ROCECC_CNPGATE_INTERVAL_END_NS ((uint32_t)1 << 31) /* half the range, 2.1 s */

typedef enum rocecc_cnpgate_refusal {
    ROCECC_CNPGATE_ACCEPTED = 0,
    ROCECC_CNPGATE_REFUSED_INTERVAL, /* interval_ns >= 2^31 */
    ROCECC_CNPGATE_REFUSED_DEFER     /* defer > 1 */
} rocecc_cnpgate_refusal;

typedef struct rocecc_cnpgate_params {
    uint32_t interval_ns; /* minimum interval between notifications; N:
                             0 to 2^31 - 1; 0 answers each CE packet */
    uint8_t defer;        /* 0: suppress, 1: defer; the paper allows both */
} rocecc_cnpgate_params;

/* A gate. All members of a new gate are 0. */
typedef struct rocecc_cnpgate {
    uint32_t last_ns; /* time of the last CNP; its low 32 bits */
    uint8_t sent;     /* 1 if last_ns is valid */
    uint8_t pending;  /* 1 if a CE packet awaits the timer; only with defer */
} rocecc_cnpgate;
ROCECC_SIZE_(rocecc_cnpgate, 8);

typedef struct rocecc_cnpgate_result {
    bool send;        /* send a CNP now */
    bool arm;         /* start or restart the timer */
    uint32_t wait_ns; /* time until the timer expires; below 2 * N */
} rocecc_cnpgate_result;

/* Returns the paper's parameters: suppress mode with N = 50 us. */
ROCECC_FN rocecc_cnpgate_params rocecc_cnpgate_paper(void)
{
    rocecc_cnpgate_params p = {0, 0};
    p.interval_ns = 50000;
    return p;
}

/*
 * Returns ConnectX's parameters: suppress mode with N = 4 us, from mlxconfig's
 * MIN_TIME_BETWEEN_CNPS.
 */
ROCECC_FN rocecc_cnpgate_params rocecc_cnpgate_nvidia(void)
{
    rocecc_cnpgate_params p = {0, 0};
    p.interval_ns = 4000;
    return p;
}

/*
 * Returns the parameters of the HPCC authors' ns-3 code, with N = 0. In this code, a
 * timer at the sender limits how often the rate is cut.
 */
ROCECC_FN rocecc_cnpgate_params rocecc_cnpgate_ns3(void)
{
    rocecc_cnpgate_params p = {0, 0};
    return p;
}

/* Checks parameters. Returns the first reason to refuse them, or ACCEPTED. */
ROCECC_FN rocecc_cnpgate_refusal rocecc_cnpgate_init(rocecc_cnpgate_params *params)
{
    if (params->interval_ns >= ROCECC_CNPGATE_INTERVAL_END_NS)
        return ROCECC_CNPGATE_REFUSED_INTERVAL;
    if (params->defer > 1) return ROCECC_CNPGATE_REFUSED_DEFER;
    return ROCECC_CNPGATE_ACCEPTED;
}

/* Returns a new gate, which has not sent a CNP. */
ROCECC_FN rocecc_cnpgate rocecc_cnpgate_start(const rocecc_cnpgate_params *params)
{
    rocecc_cnpgate s = {0, 0, 0};
    (void)params;
    return s;
}

/*
 * Returns true if the last CNP was sent less than N before now. Also returns true if
 * the last CNP's time seems to be in the future by less than N, which can happen after
 * the clock is set back or wraps (rules N-2, N-9 and N-10).
 */
ROCECC_FN bool rocecc_cnpgate_is_closed_(const rocecc_cnpgate_params *params,
                                         const rocecc_cnpgate *state, uint32_t now_ns)
{
    return state->sent != 0 && (now_ns - state->last_ns < params->interval_ns ||
                                state->last_ns - now_ns < params->interval_ns);
}

/* Returns the action to send a CNP now, and restarts the interval N (rule N-6). */
ROCECC_FN rocecc_cnpgate_result rocecc_cnpgate_send_(rocecc_cnpgate *state,
                                                     uint32_t now_ns)
{
    const rocecc_cnpgate_result act = {true, false, 0};
    state->last_ns = now_ns;
    state->sent = 1;
    state->pending = 0;
    return act;
}

/*
 * Arms the timer for the rest of N, or longer if the clock was set back (rules N-5 and
 * N-8).
 */
ROCECC_FN rocecc_cnpgate_result rocecc_cnpgate_wait_(
    const rocecc_cnpgate_params *params, const rocecc_cnpgate *state, uint32_t now_ns)
{
    rocecc_cnpgate_result act = {false, true, 0};
    act.wait_ns = state->last_ns + params->interval_ns - now_ns;
    return act;
}

/*
 * Handles a CE packet. Sends a CNP for the first packet (rule N-1), and for any packet
 * that arrives N or more after the last CNP (rules N-3, N-4 and N-7). For any other
 * packet, suppress mode does nothing (rule N-2), and defer mode arms the timer unless
 * an earlier CE packet already awaits it (rule N-5).
 */
ROCECC_FN rocecc_cnpgate_result rocecc_cnpgate_ce(const rocecc_cnpgate_params *params,
                                                  rocecc_cnpgate *state,
                                                  uint64_t now_ns)
{
    const rocecc_cnpgate_result nothing = {false, false, 0};
    const uint32_t now = (uint32_t)now_ns;
    if (!rocecc_cnpgate_is_closed_(params, state, now))
        return rocecc_cnpgate_send_(state, now);
    if (params->defer == 0 || state->pending != 0) return nothing;
    state->pending = 1;
    return rocecc_cnpgate_wait_(params, state, now);
}

/*
 * Handles a timer event. If a CNP is pending, sends it (rule N-6) or, if the timer is
 * early, arms the timer again instead (rule N-8). If no CNP is pending and N has passed
 * since the last CNP, forgets the last CNP. The host can thus reset idle gates (rule
 * N-11). Takes O(1) time.
 */
ROCECC_FN rocecc_cnpgate_result rocecc_cnpgate_timer(
    const rocecc_cnpgate_params *params, rocecc_cnpgate *state, uint64_t now_ns)
{
    const rocecc_cnpgate_result nothing = {false, false, 0};
    const uint32_t now = (uint32_t)now_ns;
    const bool closed = rocecc_cnpgate_is_closed_(params, state, now);
    if (state->sent != 0 && state->pending != 0)
        return closed ? rocecc_cnpgate_wait_(params, state, now)
                      : rocecc_cnpgate_send_(state, now);
    if (!closed) state->sent = 0;
    return nothing;
}

#endif /* ROCECC_GUARD_CNPGATE_H */
