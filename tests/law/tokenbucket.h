/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_TOKENBUCKET_H
#define TESTS_LAW_TOKENBUCKET_H

#include "draw.h"
#include "rocecc/fields/tokenbucket.h"

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Returns the level after a fill up to now_ns (T-2, T-3, T-5), without full_ns. */
LAW_FN uint64_t law_tokenbucket_level(const rocecc_tokenbucket_params *p,
                                      const rocecc_tokenbucket *s, uint64_t now_ns)
{
    const uint64_t full_e9 = p->burst * ROCECC_TOKENBUCKET_ONE_E9;
    const uint64_t dt_ns = now_ns > s->last_ns ? now_ns - s->last_ns : 0;
    if (dt_ns == 0) return s->level_e9;
    if (p->rate_per_s > ROCECC_DIV64(full_e9 - s->level_e9, dt_ns)) return full_e9;
    return s->level_e9 + dt_ns * p->rate_per_s;
}
#endif

/* Checks that a bucket fills at its rate up to burst, and takes n tokens or none. */
LAW_FN uint32_t law_tokenbucket(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_tokenbucket_params p = {0, 0, 0};
    rocecc_tokenbucket s;
    rocecc_tokenbucket_refusal refusal;
    uint64_t now_ns = law_u64(&r);
    int i;
    if (law_u8(&r) & 1) {
        p = rocecc_tokenbucket_per_s(law_u32(&r));
    } else {
        p.rate_per_s = law_scaled(&r);
        p.burst = law_u32(&r);
    }
    refusal = rocecc_tokenbucket_init(&p);
    digest = law_mix(digest, refusal);
    LAW((refusal == ROCECC_TOKENBUCKET_ACCEPTED) ==
        (p.rate_per_s != 0 && p.burst != 0));
    if (refusal != ROCECC_TOKENBUCKET_ACCEPTED) return digest;
    s = rocecc_tokenbucket_start(&p, now_ns);
    for (i = 0; i < LAW_EVENTS; i++) {
        const rocecc_tokenbucket before = s;
        uint32_t n = law_u32(&r);
        bool taken;
        n >>= law_u8(&r) & 31;
        now_ns += law_scaled(&r);
        taken = rocecc_tokenbucket_take(&p, &s, n, now_ns);
        digest = law_mix(digest, taken);
        LAW(s.level_e9 <= p.burst * ROCECC_TOKENBUCKET_ONE_E9);
        LAW(taken || s.level_e9 < n * ROCECC_TOKENBUCKET_ONE_E9);
        LAW(now_ns != before.last_ns ||
            before.level_e9 ==
                s.level_e9 + (taken ? n * ROCECC_TOKENBUCKET_ONE_E9 : 0));
        LAW(s.last_ns == now_ns ||
            (s.last_ns == before.last_ns && now_ns < before.last_ns));
#if !defined(__bpf__) && !defined(__FRAMAC__)
        LAW(s.level_e9 + (taken ? n * ROCECC_TOKENBUCKET_ONE_E9 : 0) ==
            law_tokenbucket_level(&p, &before, now_ns));
        LAW(s.last_ns ==
            (now_ns < before.last_ns && before.last_ns - now_ns <= p.full_ns
                 ? before.last_ns
                 : now_ns));
#endif
        LAW_FIELDS(ROCECC_TOKENBUCKET_STATE_FIELDS, &s)
    }
    return digest;
}

#endif /* TESTS_LAW_TOKENBUCKET_H */
