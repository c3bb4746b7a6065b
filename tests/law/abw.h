/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ABW_H
#define TESTS_LAW_ABW_H

#include "draw.h"
#include "rocecc/fields/abw.h"

#define LAW_ABW_EVENT_BYTES 13

typedef struct law_abw_run {
    uint8_t b[LAW_ABW_EVENT_BYTES];
    rocecc_abw_params p;
    rocecc_abw s;
    uint64_t now_ns;
    uint32_t digest;
} law_abw_run;

#if defined(__bpf__)
static law_abw_run law_abw_kept;
#endif

/*
 * Checks the bounds of ABW and U. Only a new window changes ABW, and each is younger
 * than window_ns.
 */
LAW_PART uint32_t law_abw_event(law_abw_run *run)
{
    rocecc_abw before, s;
    rocecc_abw_action act;
    uint32_t digest;
    uint64_t bytes;
    if (run == NULL) return LAW_BROKEN;
    digest = run->digest;
    before = run->s;
    bytes = rocecc_load32(run->b) >> (run->b[4] & 31);
    run->now_ns += rocecc_load64(run->b + 5) >> 10 >> (run->b[4] >> 2);
    act = rocecc_abw_step(&run->p, &run->s, bytes, run->now_ns);
    LAW_FORGET(run);
    s = run->s;
    digest = law_mix(digest, act.available_bps);
    digest = law_mix(digest, act.util_q20);
    LAW(s.available_bps <= run->p.rate_bps && s.util_q20 <= ROCECC_ONE_Q20);
    LAW(s.sent_bytes <= run->p.full_bytes && s.known >= before.known);
    LAW(s.known == 0 || (s.util_q20 == 0) == (s.available_bps == run->p.rate_bps));
    LAW(run->now_ns - s.start_ns < run->p.window_ns);
    LAW(s.start_ns != before.start_ns ||
        (s.sent_bytes >= before.sent_bytes && s.available_bps == before.available_bps &&
         s.known == before.known));
    LAW(s.start_ns <= before.start_ns || s.known == 1);
    LAW(act.available_bps == s.available_bps && act.util_q20 == s.util_q20 &&
        act.known == (s.known != 0));
    LAW_FIELDS(ROCECC_ABW_STATE_FIELDS, &s)
    run->digest = digest;
    return digest;
}

/* Checks a port with any rate, window and traffic. */
LAW_FN uint32_t law_abw(rocecc_reader r)
{
    static const law_abw_run none;
#if defined(__bpf__)
    law_abw_run *const run = &law_abw_kept;
#else
    law_abw_run run_, *const run = &run_;
#endif
    const uint8_t *b = rocecc_take(&r, 21);
    rocecc_abw_refusal refusal;
    int i, k;
    if (b == NULL) return LAW_START;
    *run = none;
    run->now_ns = rocecc_load64(b);
    run->p = rocecc_abw_csig(rocecc_load64(b + 8) >> 20);
    if (b[16] & 1) run->p.window_ns = (rocecc_load32(b + 17) >> 11) + 500;
    refusal = rocecc_abw_init(&run->p);
    run->digest = law_mix(LAW_START, refusal);
    LAW((refusal == ROCECC_ABW_ACCEPTED) ==
        (run->p.rate_bps != 0 && run->p.rate_bps >> 43 == 0 &&
         run->p.window_ns >= 1000 && run->p.window_ns <= 1048576));
    if (refusal != ROCECC_ABW_ACCEPTED) return run->digest;
    LAW(run->p.full_bytes > 0 && run->p.full_bytes < UINT32_C(1152921506));
    run->s = rocecc_abw_start(&run->p, run->now_ns);
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, LAW_ABW_EVENT_BYTES);
        if (b == NULL) break;
        for (k = 0; k < LAW_ABW_EVENT_BYTES; k++)
            run->b[k] = b[k];
        LAW(law_abw_event(run) != LAW_BROKEN);
    }
    return run->digest;
}

#endif /* TESTS_LAW_ABW_H */
