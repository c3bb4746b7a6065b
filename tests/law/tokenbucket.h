/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_TOKENBUCKET_H
#define TESTS_LAW_TOKENBUCKET_H

#include "draw.h"
#include "rocecc/fields/tokenbucket.h"

/* Checks that a bucket has at most burst, takes n or none, and fills only with time. */
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
        LAW_FIELDS(ROCECC_TOKENBUCKET_STATE_FIELDS, &s)
    }
    return digest;
}

#endif /* TESTS_LAW_TOKENBUCKET_H */
