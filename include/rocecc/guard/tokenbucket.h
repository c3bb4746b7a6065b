/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_TOKENBUCKET_H
#define ROCECC_GUARD_TOKENBUCKET_H

/*
 * tokenbucket.h - a limiter with a rate and a burst.
 *
 *             rate_per_s
 *                 |          T-1  A bucket starts full.
 *           |     v     |    T-2  It fills at rate_per_s from any level.
 *   burst  _|           |_   T-3  It holds at most burst tokens.
 *           |~~~~~~~~~~~|    T-4  take(n) takes n tokens or none.
 *           |___________|    T-5  No tokens are added if the clock steps back. If it
 *                 |               steps back by more than full_ns, the bucket
 *                 v               continues from the new time.
 *              take(n)
 *
 * Example: rocecc_tokenbucket_per_s(16000) gives a burst of 1000. After take(1000) at
 * time 0, a token is added every 62.5 us, and the bucket is full again after 62.5 ms.
 *
 * A token stands for a packet, a byte or another unit that the host chooses. State: 16
 * bytes. Levels are exact, because they are in units of 10^-9 tokens, and each
 * nanosecond adds rate_per_s units. The clock has 64 bits, because with 32 bits a long
 * idle time could look like a step back.
 */
#include "../fixed.h"

typedef enum rocecc_tokenbucket_refusal {
    ROCECC_TOKENBUCKET_ACCEPTED = 0,
    ROCECC_TOKENBUCKET_REFUSED_RATE, /* rate_per_s is 0 */
    ROCECC_TOKENBUCKET_REFUSED_BURST /* burst is 0 */
} rocecc_tokenbucket_refusal;

typedef struct rocecc_tokenbucket_params {
    uint64_t rate_per_s; /* tokens added per second; at least 1 */
    uint32_t burst;      /* maximum number of tokens in the bucket; at least 1 */
    /* derived by init */
    uint64_t full_ns; /* time to fill an empty bucket */
} rocecc_tokenbucket_params;

typedef struct rocecc_tokenbucket {
    uint64_t level_e9; /* number of tokens in the bucket; in units of 10^-9, at most
                          burst * 10^9 */
    uint64_t last_ns;  /* time of the last fill; level_e9 is valid at this time */
} rocecc_tokenbucket;
ROCECC_SIZE_(rocecc_tokenbucket, 16);

#define ROCECC_TOKENBUCKET_ONE_E9 ((uint64_t)1000000000)

/*
 * Returns parameters for rate_per_s tokens per second. The burst is rate_per_s / 16,
 * rounded down, but at least 1.
 */
ROCECC_FN rocecc_tokenbucket_params rocecc_tokenbucket_per_s(uint32_t rate_per_s)
{
    rocecc_tokenbucket_params p = {0, 0, 0};
    p.rate_per_s = rate_per_s;
    p.burst = rate_per_s < 16 ? 1 : rate_per_s / 16;
    return p;
}

/*
 * Checks and prepares parameters. The caller must call init() once, before any bucket
 * uses the parameters. On refusal *params is unchanged.
 */
ROCECC_FN rocecc_tokenbucket_refusal
rocecc_tokenbucket_init(rocecc_tokenbucket_params *params)
{
    if (params->rate_per_s == 0) return ROCECC_TOKENBUCKET_REFUSED_RATE;
    if (params->burst == 0) return ROCECC_TOKENBUCKET_REFUSED_BURST;
    params->full_ns = ROCECC_DIV64(params->burst * ROCECC_TOKENBUCKET_ONE_E9 - 1,
                                   params->rate_per_s) +
                      1;
    return ROCECC_TOKENBUCKET_ACCEPTED;
}

/* Returns a full bucket (T-1). */
ROCECC_FN rocecc_tokenbucket
rocecc_tokenbucket_start(const rocecc_tokenbucket_params *params, uint64_t now_ns)
{
    rocecc_tokenbucket s = {0, 0};
    s.level_e9 = params->burst * ROCECC_TOKENBUCKET_ONE_E9;
    s.last_ns = now_ns;
    return s;
}

/* Adds the tokens that are due up to now_ns (T-2, T-3, T-5). */
ROCECC_FN void rocecc_tokenbucket_fill_(const rocecc_tokenbucket_params *params,
                                        rocecc_tokenbucket *state, uint64_t now_ns)
{
    const uint64_t full_e9 = params->burst * ROCECC_TOKENBUCKET_ONE_E9;
    if (now_ns >= state->last_ns) {
        const uint64_t dt_ns = now_ns - state->last_ns;
        /* In less than full_ns, the bucket gains less than full_e9 < 2^62. */
        state->level_e9 =
            dt_ns >= params->full_ns
                ? full_e9
                : rocecc_min(state->level_e9 + dt_ns * params->rate_per_s, full_e9);
        state->last_ns = now_ns;
    } else if (state->last_ns - now_ns > params->full_ns) {
        state->last_ns = now_ns; /* T-5 */
    }
}

/*
 * Adds the tokens that are due up to now_ns. Returns true if the bucket then holds at
 * least n_tokens tokens. Takes no tokens.
 */
ROCECC_FN bool rocecc_tokenbucket_holds(const rocecc_tokenbucket_params *params,
                                        rocecc_tokenbucket *state, uint32_t n_tokens,
                                        uint64_t now_ns)
{
    rocecc_tokenbucket_fill_(params, state, now_ns);
    return state->level_e9 >= n_tokens * ROCECC_TOKENBUCKET_ONE_E9;
}

/*
 * Takes n_tokens tokens and returns true. If the bucket holds fewer tokens, takes none
 * and returns false (T-4).
 */
ROCECC_FN bool rocecc_tokenbucket_take(const rocecc_tokenbucket_params *params,
                                       rocecc_tokenbucket *state, uint32_t n_tokens,
                                       uint64_t now_ns)
{
    if (!rocecc_tokenbucket_holds(params, state, n_tokens, now_ns)) return false;
    state->level_e9 -= n_tokens * ROCECC_TOKENBUCKET_ONE_E9;
    return true;
}

#endif /* ROCECC_GUARD_TOKENBUCKET_H */
