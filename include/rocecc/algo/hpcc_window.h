/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_WINDOW_H
#define ROCECC_ALGO_HPCC_WINDOW_H

/*
 * hpcc_window.h - part of hpcc.h. Contains a flow's state. Computes the flow's window
 * from U, and sets the window while U is unknown. Li et al., SIGCOMM 2019.
 *
 *   all hops      W from U
 *   some hops     W from U, but not above the limit
 *   no hops       W is the limit:   W_init -._
 *                                            '-._ halved each round
 *                                                '-.____ W_blind
 *
 * Example: at 100 Gb/s, T is 13 us and W is 162500 bytes. When telemetry stops, the
 * first round trip without telemetry changes nothing. In the next five rounds (65 us),
 * window_bytes becomes 81250, 40625, 20313, 10157 and 8125.
 */
#include "hpcc_params.h"

/* State of a flow, with telemetry or CSIG. */
typedef struct rocecc_hpcc {
    uint64_t window_q20;    /* current window; W in bytes */
    uint64_t reference_q20; /* reference window; Wc in bytes */
    uint64_t u_q32;         /* utilisation of the path; U */
    uint64_t changed_ns;    /* time of the last telemetry used; of L, or of the last
                               CSIG sample used */
    uint32_t update_seq;    /* snd_nxt at the start of the round; lastUpdateSeq;
                               unused while hops and blind are 0 */
    uint8_t stage;          /* additive rounds since the last multiplicative round;
                               incStage, at most maxStage */
    uint8_t hops;           /* number of recorded hops; hops in L; with CSIG, 1 after
                               the first sample; 0: none */
    uint8_t blind;          /* consecutive rounds without a whole report; blind
                               rounds; at most 255 */
    uint8_t flags;          /* state flags of the flow; ROCECC_HPCC_MARKED, ... */
} rocecc_hpcc;

ROCECC_SIZE_(rocecc_hpcc, 40);

/* Bits of `flags`. */
enum {
    ROCECC_HPCC_MARKED = 1,     /* a mark arrived in this round, after the last report
                                   of the whole path: H-35 */
    ROCECC_HPCC_RISING = 2,     /* H-35, H-36 or relink has set W or its limit: H-38 */
    ROCECC_HPCC_UNTOUCHED = 4,  /* no ACK has been handled yet: H-37 */
    ROCECC_HPCC_HOST_TIMED = 8, /* the host's clock measures dt: H-41 */
    ROCECC_HPCC_CLOCK_ODD = 16, /* a hop's clock was unusable in this round */
    ROCECC_HPCC_NEXT_PATH = 32, /* the path in L has had a whole round: H-42 */
    ROCECC_HPCC_SPRAYED = 64    /* packets take several paths: H-43 */
};

/*
 * ECN feedback about the path, from ECN-Echo or a CNP. This feedback matters only while
 * telemetry does not cover the whole path.
 */
enum {
    ROCECC_HPCC_ECN_UNKNOWN = 0, /* packets are not ECT, or marks are not echoed */
    ROCECC_HPCC_ECN_UNMARKED,    /* an ECT packet arrived without CE */
    ROCECC_HPCC_ECN_MARKED
};

/* Verdicts on an event. */
enum {
    ROCECC_HPCC_IGNORED = 0, /* W is unchanged, except by relink: H-2, H-6, H-22, H-25,
                                H-26, H-32 */
    ROCECC_HPCC_STARTED, /* a path or CSIG's clock starts (H-17, H-26, H-30, H-42), and
                            only H-35 can change W */
    ROCECC_HPCC_REACTED, /* U and W changed */
    ROCECC_HPCC_UPDATED, /* U, W and Wc changed: H-15 */
    ROCECC_HPCC_BLIND,   /* nothing was measured, and the blind rule applies: H-35 */
    ROCECC_HPCC_OTHER_PATH /* W is unchanged, because another path is being measured:
                              H-42 */
};

/*
 * Result of an event, with two rules for the host (H-39, H-40). First, W counts wire
 * bytes, including headers, FCS, preamble and gap, like the telemetry's tx bytes. The
 * host must compare W with the wire bytes in flight, not with payload bytes. Second, a
 * new R also applies to a packet that is already waiting. This packet leaves at the
 * previous packet's departure time + the previous packet's size / R, so the host must
 * not keep a departure time computed from the old R. In a simulation with 32 flows, the
 * flows used 89 % of a 100 Gb/s link if the hosts broke both rules, and 95 % if the
 * hosts followed both rules.
 */
typedef struct rocecc_hpcc_action {
    uint64_t rate_bps;     /* pacing rate; R; also for a waiting packet */
    uint64_t window_bytes; /* limit of wire bytes in flight; W rounded up; send while
                              fewer wire bytes are in flight */
    uint8_t verdict;       /* result of the event; ROCECC_HPCC_IGNORED, ... */
    uint8_t request;       /* CSIG signal to request next; only with CSIG */
    uint8_t missed;        /* hops that were not measured; H-36; 0 if the report
                              waits or is old */
} rocecc_hpcc_action;

/* CSIG signals, with their type numbers. */
enum {
    ROCECC_HPCC_UTILISATION = 1, /* 1 - min(ABW/C) */
    ROCECC_HPCC_DELAY = 2,       /* max per-hop delay */
    ROCECC_HPCC_DRAIN = 3        /* max qlen/B; the draft has no type for it yet */
};

/*
 * Returns a flow that has not sent a packet, with W = Wc = W_init, U = U_init and no
 * hops.
 */
ROCECC_FN rocecc_hpcc rocecc_hpcc_start(const rocecc_hpcc_params *params)
{
    rocecc_hpcc s = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.window_q20 = s.reference_q20 = params->w_init_bytes << 20;
    s.u_q32 = (uint64_t)params->u_init_q20 << 12;
    s.flags = ROCECC_HPCC_UNTOUCHED;
    return s;
}

/* Returns a * b * 2^-32, rounded to nearest. The result must be below 2^64. */
ROCECC_FN uint64_t rocecc_hpcc_mul_q32_(uint64_t a, uint64_t b)
{
    return rocecc_mul_q32_(a, b, 0x80000000u);
}

/* Returns dt/T for a dt below 2^30 ns. The result is exactly 1 if dt is T. */
ROCECC_FN uint64_t rocecc_hpcc_time_share_q32_(const rocecc_hpcc_params *params,
                                               uint64_t dt_ns)
{
    return dt_ns * params->t_inverse >> (params->t_shift & 31);
}

/* Load of a hop or sample, as u' * dt/T. */
typedef struct rocecc_hpcc_hop_load_ {
    uint64_t part_q32;
    uint32_t dt_ns; /* 0 if not measured; part_q32 is then 1 for a gap, and 0
                       otherwise */
} rocecc_hpcc_hop_load_;

/*
 * Sets U = (1 - tau/T) * U + tau/T * u, with tau = min(dt, T) (H-6). load->part_q32
 * must be u * dt/T.
 */
ROCECC_FN void rocecc_hpcc_update_u_(const rocecc_hpcc_params *params,
                                     rocecc_hpcc *state,
                                     const rocecc_hpcc_hop_load_ *load)
{
    const uint32_t t = params->base_rtt_ns;
    uint64_t u;
    if (load->dt_ns <= t) {
        const uint64_t part = rocecc_hpcc_time_share_q32_(params, load->dt_ns);
        /* U = U - U * dt/T + u * dt/T */
        u = state->u_q32 - rocecc_hpcc_mul_q32_(state->u_q32, part) + load->part_q32;
    } else {
        /* U = u = (u * dt/T) * T/dt; the quotient is below 2^64 / T */
        const unsigned more = load->part_q32 >> 32 == 0   ? 32
                              : load->part_q32 >> 44 == 0 ? 20
                              : load->part_q32 >> 56 == 0 ? 8
                                                          : 0;
        u = ROCECC_DIV64(load->part_q32 << more, load->dt_ns) * t >> more;
    }
    state->u_q32 = rocecc_min(u, ROCECC_HPCC_U_MAX_Q32);
}

/*
 * Sets W from U, within W_min .. limit (H-14, H-36). If `update` is set, also sets Wc
 * and stage (H-15). While W recovers (RISING), every round is multiplicative (H-38). If
 * W is not recovering and packets take several paths (SPRAYED), W can rise only
 * additively (H-43).
 */
ROCECC_FN void rocecc_hpcc_update_window_(const rocecc_hpcc_params *params,
                                          rocecc_hpcc *state, bool update,
                                          uint64_t limit_q20)
{
    const bool full = state->u_q32 >= (uint64_t)params->eta_q20 << 12;
    const bool may_scale =
        state->stage >= params->max_stage && (state->flags & ROCECC_HPCC_SPRAYED) == 0;
    /* if scale, W = Wc * eta / U + W_AI (H-12), else W = Wc + W_AI (H-13) */
    const bool scale = full || may_scale || (state->flags & ROCECC_HPCC_RISING) != 0;
    uint64_t w = state->reference_q20;
    if (scale) {
        /*
         * w = Wc * eta / U. eta / U is in Q31 and at most 2^63. If w would reach 2^60,
         * W_max is used.
         */
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
 * Returns the upper limit of W after a report that does not show the whole path. Within
 * a round, the limit is w = min(W, Wc) (H-36). If `update` is set, a round ends, and
 * the limit follows from H-35, where top is W_init if `ecn` is UNMARKED, and otherwise
 * W_blind.
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
    /*
     * After a mark, the limit is max(w / 2, W_min). Otherwise it is w at the end of the
     * first blind round. In later blind rounds, it is max(w / 2, top) if w > top, and
     * min(w + W_AI, top) if w <= top.
     */
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
 * Handles a report without a measured hop, or a flow's first report. If the report ends
 * a round, sets W = Wc = limit (H-35). However, if `blind` was 0 before the call and no
 * mark is noted, W and Wc are unchanged. `blind` also counts partly measured rounds
 * (H-36).
 */
ROCECC_FN void rocecc_hpcc_blind_report_(const rocecc_hpcc_params *params,
                                         rocecc_hpcc *state, uint32_t seq,
                                         uint32_t snd_nxt, uint8_t ecn)
{
    /* no round has begun */
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

/*
 * Ends the blind rounds after a report of the whole path. Clears any ECN mark that was
 * noted.
 */
ROCECC_FN void rocecc_hpcc_end_blind_(rocecc_hpcc *state)
{
    state->blind = 0;
    state->flags &= (uint8_t)~ROCECC_HPCC_MARKED;
}

/*
 * Sets W after an ACK has changed U. Also sets Wc, stage and lastUpdateSeq if seq is
 * after lastUpdateSeq (H-15). Returns UPDATED in this case, and otherwise REACTED.
 */
ROCECC_FN uint8_t rocecc_hpcc_update_reference_(const rocecc_hpcc_params *params,
                                                rocecc_hpcc *state, uint32_t seq,
                                                uint32_t snd_nxt, uint64_t limit_q20)
{
    const bool update = rocecc_serial_after(seq, state->update_seq);
    rocecc_hpcc_update_window_(params, state, update, limit_q20);
    if (update) state->update_seq = snd_nxt;
    return update ? ROCECC_HPCC_UPDATED : ROCECC_HPCC_REACTED;
}

/*
 * Returns an action with W, R (H-18), the verdict, and the CSIG signal to request
 * (H-27).
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_make_action_(const rocecc_hpcc_params *params,
                                                      const rocecc_hpcc *state,
                                                      uint8_t verdict)
{
    rocecc_hpcc_action act;
    /* R = W * 8 * 10^9 / T */
    act.rate_bps = rocecc_hpcc_mul_q32_(state->window_q20, params->rate_q32) >> 20;
    /* W is rounded up. A byte count below the result is also below W. */
    act.window_bytes = (state->window_q20 + 0xfffff) >> 20;
    act.verdict = verdict;
    act.request = state->u_q32 >= (uint64_t)params->eta_q20 << 12
                      ? ROCECC_HPCC_DELAY
                      : ROCECC_HPCC_UTILISATION;
    act.missed = 0;
    return act;
}

ROCECC_FN void rocecc_hpcc_reset_u_(const rocecc_hpcc_params *params,
                                    rocecc_hpcc *state)
{
    state->u_q32 = (uint64_t)params->u_init_q20 << 12;
    state->stage = 0;
}

/*
 * Forgets the path. The host must call this function if an idle flow resumes, or if the
 * path is known to have changed. Sets U = U_init and stage = 0. Clears L, `blind`, the
 * state of the current round, and any ECN mark that was noted. Keeps W and Wc (H-20).
 */
ROCECC_FN void rocecc_hpcc_forget(const rocecc_hpcc_params *params, rocecc_hpcc *state)
{
    rocecc_hpcc_reset_u_(params, state);
    state->hops = state->blind = 0;
    state->flags &= ROCECC_HPCC_RISING | ROCECC_HPCC_UNTOUCHED;
}

/*
 * Handles a new link speed or a new T. `params` must be a new set that init() has
 * accepted. Clamps W and Wc to the new bounds. Forgets L, because the 1 / (B * T) in
 * its records was computed with the old T. A flow that has not yet received an ACK
 * starts at the new W_init (H-37). The verdict is IGNORED.
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
