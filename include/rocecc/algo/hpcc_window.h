/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_WINDOW_H
#define ROCECC_ALGO_HPCC_WINDOW_H

/*
 * hpcc_window.h - the state of a flow of hpcc.h, what U makes of its window, and what
 * the window is while nothing says what U is. Li et al., SIGCOMM 2019.
 *
 *   seen whole    W by U
 *   in part       W by U, but not above the limit
 *   not at all    W is the limit:   W_init -._
 *                                            '-._ half a round
 *                                                '-.____ W_blind
 *
 * Example: 100 Gb/s, T 13 us, W 162500. Telemetry ends. The first round trip without it
 * changes nothing, then W is 81250, 40625, 20312, 10156 and 8125: five rounds, 65 us.
 */
#include "hpcc_params.h"

/* The state of a flow; of one with CSIG too. */
typedef struct rocecc_hpcc {
    uint64_t window_q20;    /* W, bytes */
    uint64_t reference_q20; /* Wc */
    uint64_t u_q32;         /* U */
    uint64_t changed_ns;    /* when an ACK changed U last, or started the path */
    uint32_t update_seq; /* lastUpdateSeq; means nothing while hops and blind are 0 */
    uint8_t stage;       /* incStage */
    uint8_t hops;        /* in L; with CSIG 1 from the first sample on; 0: none */
    uint8_t blind;       /* rounds in a row that no whole report ended; 255 at most */
    uint8_t flags;       /* ROCECC_HPCC_MARKED, ... */
} rocecc_hpcc;

ROCECC_SIZE_(rocecc_hpcc, 40);

/* In flags. */
enum {
    ROCECC_HPCC_MARKED = 1,     /* a mark since the last whole report or round: H-35 */
    ROCECC_HPCC_RISING = 2,     /* W is not what U made of it: H-38 */
    ROCECC_HPCC_UNTOUCHED = 4,  /* no report has reached the flow: H-37 */
    ROCECC_HPCC_HOST_TIMED = 8, /* a hop's clock is of no use: H-41 */
    ROCECC_HPCC_CLOCK_ODD = 16, /* in this round a hop's clock was of no use */
    ROCECC_HPCC_NEXT_PATH = 32, /* the path had its round: H-42 */
    ROCECC_HPCC_SPRAYED = 64    /* paths take turns: H-43 */
};

/* What the host knows of ECN on the path: ECN-Echo, or a CNP. Only a flow that is blind
 * needs it. */
enum {
    ROCECC_HPCC_ECN_UNKNOWN = 0, /* packets that are not ECT, or nobody echoes */
    ROCECC_HPCC_ECN_UNMARKED,    /* the packet was ECT, and came without CE */
    ROCECC_HPCC_ECN_MARKED
};

/* What an event did. */
enum {
    ROCECC_HPCC_IGNORED = 0, /* nothing: H-2, H-6, H-22, H-25, H-26, H-32 */
    ROCECC_HPCC_STARTED,     /* a path, or the clock of CSIG: H-17, H-26, H-30 */
    ROCECC_HPCC_REACTED,     /* U and W changed */
    ROCECC_HPCC_UPDATED,     /* and Wc with them: H-15 */
    ROCECC_HPCC_BLIND,       /* nothing was measured, and the blind rule holds: H-35 */
    ROCECC_HPCC_OTHER_PATH   /* nothing: another path is being measured: H-42 */
};

/*
 * The result of an event, with two rules for the host (H-39, H-40). W counts bytes as
 * they take time on the wire, like the telemetry's tx bytes: headers, FCS, preamble and
 * gap included. So the host must compare W with the wire bytes in flight, not with
 * payload bytes. A new R applies to the packet that already waits: it leaves at the
 * last departure + the bytes of the last packet / R. So the host must not keep a
 * departure time that it computed from the old R. Measured on a link of 100 Gb/s, 32
 * flows of hosts that broke both rules used 89 % of the link, and 95 % with the rules.
 */
typedef struct rocecc_hpcc_action {
    uint64_t rate_bps;     /* R, to pace by: the packet that waits, too */
    uint64_t window_bytes; /* W: send while fewer wire bytes are in flight */
    uint8_t verdict;       /* ROCECC_HPCC_IGNORED, ... */
    uint8_t request;       /* with CSIG: the signal to ask for next */
    uint8_t missed;        /* hops of the report that were not measured: H-36 */
} rocecc_hpcc_action;

/* Signals of CSIG, by their type there. */
enum {
    ROCECC_HPCC_UTILISATION = 1, /* 1 - min(ABW/C) */
    ROCECC_HPCC_DELAY = 2,       /* max per-hop delay */
    ROCECC_HPCC_DRAIN = 3        /* max qlen/B, which has no type in the draft yet */
};

/* A flow that has not sent: W = Wc = W_init, U = U_init, no hops. */
ROCECC_FN rocecc_hpcc rocecc_hpcc_start(const rocecc_hpcc_params *params)
{
    rocecc_hpcc s = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.window_q20 = s.reference_q20 = params->w_init_bytes << 20;
    s.u_q32 = (uint64_t)params->u_init_q20 << 12;
    s.flags = ROCECC_HPCC_UNTOUCHED;
    return s;
}

/* a b 2^-32, to nearest, where it is below 2^64. */
ROCECC_FN uint64_t rocecc_hpcc_mul_q32_(uint64_t a, uint64_t b)
{
    return rocecc_mul_q32_(a, b, 0x80000000u);
}

/* dt/T, of less than 2^30 ns; exactly 1 where dt is T. */
ROCECC_FN uint64_t rocecc_hpcc_time_share_q32_(const rocecc_hpcc_params *params,
                                               uint64_t dt_ns)
{
    return dt_ns * params->t_inverse >> (params->t_shift & 31);
}

/* What a hop, or a sample, says of the load: u' dt/T. */
typedef struct rocecc_hpcc_hop_load_ {
    uint64_t part_q32;
    uint32_t dt_ns; /* 0: nothing, and part is why: 0 or ROCECC_HPCC_GAP_..._ */
} rocecc_hpcc_hop_load_;

/* U = (1 - tau/T) U + tau/T u: H-6. load has u dt/T, and tau = min(dt, T). */
ROCECC_FN void rocecc_hpcc_update_u_(const rocecc_hpcc_params *params,
                                     rocecc_hpcc *state,
                                     const rocecc_hpcc_hop_load_ *load)
{
    const uint32_t t = params->base_rtt_ns;
    uint64_t u;
    if (load->dt_ns <= t) {
        const uint64_t part = rocecc_hpcc_time_share_q32_(params, load->dt_ns);
        u = state->u_q32 - rocecc_hpcc_mul_q32_(state->u_q32, part) + load->part_q32;
    } else {
        /* u = part T/dt; the quotient is below 2^64 / T */
        const unsigned more = load->part_q32 >> 32 == 0   ? 32
                              : load->part_q32 >> 44 == 0 ? 20
                              : load->part_q32 >> 56 == 0 ? 8
                                                          : 0;
        u = ROCECC_DIV64(load->part_q32 << more, load->dt_ns) * t >> more;
    }
    state->u_q32 = rocecc_min(u, ROCECC_HPCC_U_MAX_Q32);
}

/*
 * W = Wc eta / U + W_AI where U >= eta or stage >= maxStage (H-12), else Wc + W_AI
 * (H-13); W_min <= W <= limit, which is W_max of a path seen whole (H-14, H-36). With
 * update, Wc and stage follow (H-15). While W is on its way back, no round is additive
 * (H-38); while paths take turns, W rises additively alone (H-43).
 */
ROCECC_FN void rocecc_hpcc_update_window_(const rocecc_hpcc_params *params,
                                          rocecc_hpcc *state, bool update,
                                          uint64_t limit_q20)
{
    const bool full = state->u_q32 >= (uint64_t)params->eta_q20 << 12;
    const bool may_scale =
        state->stage >= params->max_stage && (state->flags & ROCECC_HPCC_SPRAYED) == 0;
    const bool scale = full || may_scale || (state->flags & ROCECC_HPCC_RISING) != 0;
    uint64_t w = state->reference_q20;
    if (scale) {
        /* eta / U in Q31, up to 2^63; Wc is below 2^60, and W beyond that is W_max */
        const uint64_t ratio =
            state->u_q32 == 0
                ? UINT64_MAX
                : ROCECC_DIV64((uint64_t)params->eta_q20 << 43, state->u_q32);
        const bool beyond = (w >> 31) * (ratio >> 32) >> 28 != 0 || state->u_q32 == 0;
        w = beyond ? params->w_max_bytes << 20 : rocecc_hpcc_mul_q32_(2 * w, ratio);
    }
    w = rocecc_clamp(w + (params->w_ai_q8 << 12), params->w_min_bytes << 20, limit_q20);
    state->window_q20 = w;
    if (!update) return;
    state->reference_q20 = w;
    state->stage =
        scale ? 0 : (uint8_t)(state->stage + (state->stage < params->max_stage));
    if (full) state->flags &= (uint8_t)~ROCECC_HPCC_RISING;
}

/*
 * What W may be at most after a report that did not show the whole path (H-35): until
 * the round ends the smaller of W and Wc. At its end, after a mark half of that; in the
 * first such round that; later half of that or up by W_AI, towards W_blind, or towards
 * W_init if ECN is on and says that nothing is marked.
 */
ROCECC_FN uint64_t rocecc_hpcc_blind_limit_(const rocecc_hpcc_params *params,
                                            rocecc_hpcc *state, bool update,
                                            uint8_t ecn)
{
    const uint64_t w = rocecc_min(state->window_q20, state->reference_q20);
    const uint64_t top =
        (ecn == ROCECC_HPCC_ECN_UNMARKED ? params->w_init_bytes : params->w_blind_bytes)
        << 20;
    if (ecn == ROCECC_HPCC_ECN_MARKED) state->flags |= ROCECC_HPCC_MARKED;
    if (!update) return w;
    state->blind = (uint8_t)(state->blind + (state->blind != UINT8_MAX));
    if ((state->flags & ROCECC_HPCC_MARKED) != 0) {
        state->flags ^= ROCECC_HPCC_MARKED;
        state->flags |= ROCECC_HPCC_RISING;
        return rocecc_max(w / 2, params->w_min_bytes << 20);
    }
    if (state->blind == 1) return w;
    state->flags |= ROCECC_HPCC_RISING;
    return w > top ? rocecc_max(w / 2, top)
                   : rocecc_min(w + (params->w_ai_q8 << 12), top);
}

/*
 * A report of which nothing was measured, as of a flow's first. The round that it ends
 * is blind: W = Wc = the limit; but the first one in a row without a mark leaves W as
 * it is, as what was lost may come with the next report. fresh: no round was begun.
 */
ROCECC_FN void rocecc_hpcc_blind_report_(const rocecc_hpcc_params *params,
                                         rocecc_hpcc *state, uint32_t seq,
                                         uint32_t snd_nxt, uint8_t ecn)
{
    const bool fresh = (state->hops | state->blind) == 0;
    const bool update = fresh || rocecc_serial_after(seq, state->update_seq);
    const bool first = state->blind == 0 && (state->flags & ROCECC_HPCC_MARKED) == 0 &&
                       ecn != ROCECC_HPCC_ECN_MARKED;
    const uint64_t limit = rocecc_hpcc_blind_limit_(params, state, update, ecn);
    state->flags &= (uint8_t)~ROCECC_HPCC_UNTOUCHED;
    if (!update) return;
    state->update_seq = snd_nxt;
    if (first) return;
    state->window_q20 = state->reference_q20 = limit;
}

/* The path was seen whole: no round is blind, no mark counts. */
ROCECC_FN void rocecc_hpcc_end_blind_(rocecc_hpcc *state)
{
    state->blind = 0;
    state->flags &= (uint8_t)~ROCECC_HPCC_MARKED;
}

/* After an ACK changed U. Wc moves if seq is after lastUpdateSeq: H-15. */
ROCECC_FN uint8_t rocecc_hpcc_update_reference_(const rocecc_hpcc_params *params,
                                                rocecc_hpcc *state, uint32_t seq,
                                                uint32_t snd_nxt, uint64_t limit_q20)
{
    const bool update = rocecc_serial_after(seq, state->update_seq);
    rocecc_hpcc_update_window_(params, state, update, limit_q20);
    if (update) state->update_seq = snd_nxt;
    return update ? ROCECC_HPCC_UPDATED : ROCECC_HPCC_REACTED;
}

/* R = W / T (H-18). Bytes below W rounded up are below W. What to ask for: H-27. */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_make_action_(const rocecc_hpcc_params *params,
                                                      const rocecc_hpcc *state,
                                                      uint8_t verdict)
{
    rocecc_hpcc_action act;
    act.rate_bps = rocecc_hpcc_mul_q32_(state->window_q20, params->rate_q32) >> 20;
    act.window_bytes = (state->window_q20 + 0xfffff) >> 20;
    act.verdict = verdict;
    act.request = state->u_q32 >= (uint64_t)params->eta_q20 << 12
                      ? ROCECC_HPCC_DELAY
                      : ROCECC_HPCC_UTILISATION;
    act.missed = 0;
    return act;
}

/* U = U_init, stage 0: of a path that nothing was seen of. */
ROCECC_FN void rocecc_hpcc_reset_u_(const rocecc_hpcc_params *params,
                                    rocecc_hpcc *state)
{
    state->u_q32 = (uint64_t)params->u_init_q20 << 12;
    state->stage = 0;
}

/*
 * U = U_init, stage 0, no L, no round; W and Wc stay: H-20. When an idle flow goes on,
 * or the host knows of another path.
 */
ROCECC_FN void rocecc_hpcc_forget(const rocecc_hpcc_params *params, rocecc_hpcc *state)
{
    rocecc_hpcc_reset_u_(params, state);
    state->hops = state->blind = 0;
    state->flags &= ROCECC_HPCC_RISING | ROCECC_HPCC_UNTOUCHED;
}

/*
 * The link's speed changed, or T: params is what the host made of it by init. W and Wc
 * come within its bounds, and L is forgotten, whose 1/(B T) are of the old T. A flow
 * that no report has reached starts at the new W_init: H-37.
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_relink(const rocecc_hpcc_params *params,
                                                rocecc_hpcc *state)
{
    const uint64_t min = params->w_min_bytes << 20, max = params->w_max_bytes << 20;
    if ((state->flags & ROCECC_HPCC_UNTOUCHED) != 0)
        state->window_q20 = state->reference_q20 = params->w_init_bytes << 20;
    state->window_q20 = rocecc_clamp(state->window_q20, min, max);
    state->reference_q20 = rocecc_clamp(state->reference_q20, min, max);
    rocecc_hpcc_forget(params, state);
    state->flags |= ROCECC_HPCC_RISING;
    return rocecc_hpcc_make_action_(params, state, ROCECC_HPCC_IGNORED);
}

#endif /* ROCECC_ALGO_HPCC_WINDOW_H */
