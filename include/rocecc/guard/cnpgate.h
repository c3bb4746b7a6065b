/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_CNPGATE_H
#define ROCECC_GUARD_CNPGATE_H

/*
 * cnpgate.h - DCQCN's notification point: which CE packets are answered with a CNP, at
 * most one every N. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments"
 * (SIGCOMM 2015), 3.1, whose sentence allows both modes; NVIDIA's
 * min_time_between_cnps.
 *
 *   CE packet   x   x  x       x       x         x
 *               |<---- N ---->||<---- N ---->|
 *   suppress   CNP            CNP               CNP
 *               |<---- N ---->|<---- N ---->|<---- N ---->|
 *   defer      CNP           CNP           CNP
 *                          (timer)       (timer)
 *
 * Example: N is 50 us, and CE packets come at 0, 20, 60 and 70 us. suppress sends CNPs
 * at 0 and 60. defer sends one at 0, by its timer at 50, and by its timer again at 100.
 *
 * State: 8 bytes, for a QP or for a port, as the host chooses. One gate for n flows
 * gives each a CNP every n N, which must be less than the increase timer of DCQCN:
 * eight flows of one gate with N = 50 us fill the buffer (algo/README.md,
 * "Assumptions"). Its timer is the host's, for defer alone. The state keeps the low 32
 * bits of a time in ns. Exact, but for a silence of 4.29 s or a multiple, give or take
 * N: the stamp then looks fresh again, and a CE packet may be held back, by less than 2
 * N. README.md has the rules N-1 to N-11, and what a host does that minds.
 */
#include "../fixed.h"

#define ROCECC_CNPGATE_INTERVAL_END_NS ((uint32_t)1 << 31) /* half a turn: 2.1 s */

typedef enum rocecc_cnpgate_refusal {
    ROCECC_CNPGATE_ACCEPTED = 0,
    ROCECC_CNPGATE_REFUSED_INTERVAL, /* interval_ns >= 2^31 */
    ROCECC_CNPGATE_REFUSED_DEFER     /* defer > 1 */
} rocecc_cnpgate_refusal;

typedef struct rocecc_cnpgate_params {
    uint32_t interval_ns; /* N: 0 to 2^31 - 1; 0 is every CE packet */
    uint8_t defer;        /* 0: suppress, 1: defer; the paper's sentence allows both */
} rocecc_cnpgate_params;

/* A gate: zeroed is as good as started. */
typedef struct rocecc_cnpgate {
    uint32_t last_ns; /* when the last CNP went out */
    uint8_t sent;     /* last_ns means something */
    uint8_t pending;  /* defer: a CE packet waits for the timer */
} rocecc_cnpgate;
ROCECC_SIZE_(rocecc_cnpgate, 8);

typedef struct rocecc_cnpgate_result {
    bool send;        /* one CNP, now */
    bool arm;         /* the timer, in place of what it was armed for: ... */
    uint32_t wait_ns; /* ... to fire after this; below 2 N */
} rocecc_cnpgate_result;

/* The paper: N is 50 us. */
ROCECC_FN rocecc_cnpgate_params rocecc_cnpgate_paper(void)
{
    rocecc_cnpgate_params p = {0, 0};
    p.interval_ns = 50000;
    return p;
}

/* ConnectX, as mlxconfig shows it on a card: MIN_TIME_BETWEEN_CNPS 4 (us); 2, 0 exist.
 */
ROCECC_FN rocecc_cnpgate_params rocecc_cnpgate_nvidia(void)
{
    rocecc_cnpgate_params p = {0, 0};
    p.interval_ns = 4000;
    return p;
}

/* The HPCC authors' ns-3: no gate at all, as the sender's cut timer does the pacing. */
ROCECC_FN rocecc_cnpgate_params rocecc_cnpgate_ns3(void)
{
    rocecc_cnpgate_params p = {0, 0};
    return p;
}

/* Checks *params; nothing is derived. */
ROCECC_FN rocecc_cnpgate_refusal rocecc_cnpgate_init(rocecc_cnpgate_params *params)
{
    if (params->interval_ns >= ROCECC_CNPGATE_INTERVAL_END_NS)
        return ROCECC_CNPGATE_REFUSED_INTERVAL;
    if (params->defer > 1) return ROCECC_CNPGATE_REFUSED_DEFER;
    return ROCECC_CNPGATE_ACCEPTED;
}

/* A gate that has sent nothing. */
ROCECC_FN rocecc_cnpgate rocecc_cnpgate_start(const rocecc_cnpgate_params *params)
{
    rocecc_cnpgate s = {0, 0, 0};
    (void)params;
    return s;
}

/* now - last < N, or last - now < N on a clock that was set back: N-2, N-9, N-10. */
ROCECC_FN bool rocecc_cnpgate_is_closed_(const rocecc_cnpgate_params *params,
                                         const rocecc_cnpgate *state, uint32_t now_ns)
{
    return state->sent != 0 && (now_ns - state->last_ns < params->interval_ns ||
                                state->last_ns - now_ns < params->interval_ns);
}

/* One CNP now, from which N runs again: N-6. */
ROCECC_FN rocecc_cnpgate_result rocecc_cnpgate_send_(rocecc_cnpgate *state,
                                                     uint32_t now_ns)
{
    const rocecc_cnpgate_result act = {true, false, 0};
    state->last_ns = now_ns;
    state->sent = 1;
    state->pending = 0;
    return act;
}

/* The timer, for what is left of N (N-5, N-8); longer than N where time went back. */
ROCECC_FN rocecc_cnpgate_result rocecc_cnpgate_wait_(
    const rocecc_cnpgate_params *params, const rocecc_cnpgate *state, uint32_t now_ns)
{
    rocecc_cnpgate_result act = {false, true, 0};
    act.wait_ns = state->last_ns + params->interval_ns - now_ns;
    return act;
}

/*
 * A CE packet. The first one (N-1), and one N or more after the last CNP (N-3, N-4,
 * N-7), sends; another one arms the timer (N-5) or does nothing (N-2). Total, O(1), no
 * multiplication.
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
 * The timer: it sends what waits (N-6), or is armed again if it is early (N-8). Or a
 * host's sweep over gates that may be idle: outside of N it forgets the last CNP
 * (N-11). Total, O(1).
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
