/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_ABW_H
#define ROCECC_ALGO_ABW_H

/*
 * abw.h - measures a port's available bandwidth (ABW) and utilisation (U) in each
 * window. The host can report the values in the CSIG tags ABW and ABW/C, and as INT's
 * interface utilisation. SAI-CSIG, 4.4 and 4.5; draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *     |--- window ---|--- window ---|--- window -     C  link rate
 *      sent: 0.25 C   sent: 0.5 C    now
 *                     ABW = 0.75 C   ABW = 0.5 C      in the last complete window
 *
 *     ABW = max(0, C - 8 * 10^9 * sent / window), rounded down
 *     U = 1 - ABW / C, rounded up
 *
 * Example: a 100 Gb/s link can send 3,200,000 bytes in 256 us. If the link sends
 * 2,400,000 bytes in this time, ABW is 25 Gb/s and U is 0.75.
 *
 * All nodes must use the same window length. SAI-CSIG, 4.5, allows 128 to 1024 us in
 * steps of 128 us, with a default of 256 us. The host must count preambles and gaps as
 * sent bytes if and only if C includes them. The state takes 32 bytes, and no timers
 * are needed. A call of rocecc_abw_step() takes at most two divisions if it ends a
 * window, and otherwise no division. README.md lists the rules M-1 to M-6.
 */
#include "../fixed.h"

#define ROCECC_ABW_WINDOW_MIN_NS 1000
#define ROCECC_ABW_WINDOW_MAX_NS ((uint32_t)1 << 20)

typedef enum rocecc_abw_refusal {
    ROCECC_ABW_ACCEPTED = 0,
    ROCECC_ABW_REFUSED_RATE,  /* not in 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_ABW_REFUSED_WINDOW /* not in 1000 .. 2^20 */
} rocecc_abw_refusal;

typedef struct rocecc_abw_params {
    uint64_t rate_bps; /* C */
    uint32_t window_ns;
    /* derived by init */
    uint32_t full_bytes; /* bytes sent in a window at rate C, rounded up */
} rocecc_abw_params;

typedef struct rocecc_abw {
    uint64_t start_ns;      /* start of the current window */
    uint64_t available_bps; /* available bandwidth in the last complete window; ABW */
    uint32_t sent_bytes;    /* bytes sent in the current window; at most full_bytes */
    uint32_t util_q20;      /* utilisation in the last complete window; U */
    uint8_t known;          /* 1 after the first complete window; 0 before it */
} rocecc_abw;
ROCECC_SIZE_(rocecc_abw, 32);

typedef struct rocecc_abw_action {
    uint64_t available_bps;
    uint32_t util_q20;
    bool known; /* if false, the other members are 0; do not report them */
} rocecc_abw_action;

/* Returns parameters with the default window of 256 us. */
ROCECC_FN rocecc_abw_params rocecc_abw_csig(uint64_t rate_bps)
{
    rocecc_abw_params p = {0, 256000, 0};
    p.rate_bps = rate_bps;
    return p;
}

/* Checks *params and sets full_bytes. On failure *params is unchanged. */
ROCECC_FN rocecc_abw_refusal rocecc_abw_init(rocecc_abw_params *params)
{
    if (params->rate_bps == 0 || params->rate_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_ABW_REFUSED_RATE;
    if (params->window_ns < ROCECC_ABW_WINDOW_MIN_NS ||
        params->window_ns > ROCECC_ABW_WINDOW_MAX_NS)
        return ROCECC_ABW_REFUSED_WINDOW;
    /* full = C * window / (8 * 10^9), rounded up; C * window < 2^63 */
    params->full_bytes =
        (uint32_t)(ROCECC_DIV64(params->rate_bps * params->window_ns - 1,
                                (uint64_t)8000000000u) +
                   1);
    return ROCECC_ABW_ACCEPTED;
}

/* Returns a port's initial state at now_ns, with ABW unknown (M-3). */
ROCECC_FN rocecc_abw rocecc_abw_start(const rocecc_abw_params *params, uint64_t now_ns)
{
    rocecc_abw s = {0, 0, 0, 0, 0};
    (void)params;
    s.start_ns = now_ns;
    return s;
}

/* Computes a window's ABW and U from sent_bytes (M-2). */
ROCECC_FN void rocecc_abw_close_window_(const rocecc_abw_params *params,
                                        rocecc_abw *state)
{
    const uint64_t rate_bps = params->rate_bps;
    uint64_t used_bps = rate_bps;
    /*
     * used = 8 * 10^9 * sent / window, rounded up. The product fits in 64 bits, because
     * sent < full.
     */
    if (state->sent_bytes == 0)
        used_bps = 0;
    else if (state->sent_bytes < params->full_bytes)
        used_bps = ROCECC_DIV64(state->sent_bytes * (uint64_t)8000000000u - 1,
                                (uint64_t)params->window_ns) +
                   1;
    state->available_bps = rate_bps - used_bps;
    state->util_q20 = 0;
    if (used_bps != 0) /* U = used / C, rounded up */
        state->util_q20 = (uint32_t)(ROCECC_DIV64((used_bps << 20) - 1, rate_bps) + 1);
    state->known = 1;
}

/*
 * If the current window is over, computes its ABW and U, and begins the next window
 * (M-1). Then adds `bytes` to the current window (M-4). `bytes` must be the number of
 * bytes sent since the last call, and may be 0. If two or more window lengths have
 * passed since the window's start, ABW becomes C (M-5). If now_ns is before the
 * window's start, ABW does not change (M-6). In cases M-5 and M-6, the bytes counted so
 * far are discarded, and a new window begins at now_ns. Returns the latest ABW and U.
 * `known` is false until the first window has ended (M-3).
 */
ROCECC_FN rocecc_abw_action rocecc_abw_step(const rocecc_abw_params *params,
                                            rocecc_abw *state, uint64_t bytes,
                                            uint64_t now_ns)
{
    const uint64_t window_ns = params->window_ns;
    const uint64_t passed_ns = now_ns - state->start_ns;
    const uint64_t most = params->full_bytes;
    rocecc_abw_action act;
    if (now_ns < state->start_ns) { /* M-6 */
        state->start_ns = now_ns;
        state->sent_bytes = 0;
    } else if (passed_ns >= 2 * window_ns) { /* M-5 */
        state->start_ns = now_ns;
        state->sent_bytes = 0;
        rocecc_abw_close_window_(params, state);
    } else if (passed_ns >= window_ns) { /* M-1 */
        rocecc_abw_close_window_(params, state);
        state->start_ns += window_ns;
        state->sent_bytes = 0;
    }
    state->sent_bytes =
        (uint32_t)rocecc_min(state->sent_bytes + rocecc_min(bytes, most), most);
    act.available_bps = state->available_bps;
    act.util_q20 = state->util_q20;
    act.known = state->known != 0;
    return act;
}

#endif /* ROCECC_ALGO_ABW_H */
