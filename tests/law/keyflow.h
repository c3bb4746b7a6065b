/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_KEYFLOW_H
#define TESTS_LAW_KEYFLOW_H

#include "draw.h"
#include "rocecc/fields/keyflow.h"

#define LAW_KEYFLOW_FLOWS 4

typedef struct law_keyflow_run {
    uint8_t b[4];
    rocecc_keyflow_params p;
    rocecc_keyflow s;
    uint64_t now_ns;
    uint64_t sent[LAW_KEYFLOW_FLOWS]; /* since the count began */
    uint64_t all;
    uint32_t digest;
} law_keyflow_run;

#if defined(__bpf__)
static law_keyflow_run law_keyflow_kept;
#endif

/* Who has more than half is the candidate, and a candidate has sent what it is ahead.
 */
LAW_PART uint32_t law_keyflow_event(law_keyflow_run *run)
{
    rocecc_keyflow before;
    rocecc_keyflow_verdict verdict;
    uint32_t digest, bytes, i;
    uint64_t flow;
    size_t at;
    if (run == NULL) return LAW_BROKEN;
    digest = run->digest;
    before = run->s;
    at = flow = run->b[0] & (LAW_KEYFLOW_FLOWS - 1);
    ROCECC_BPF_MASK_(at, LAW_KEYFLOW_FLOWS - 1);
    bytes = (uint32_t)rocecc_load16(run->b + 2) << (run->b[0] >> 4);
    run->now_ns += (uint64_t)run->b[1] << (run->b[0] >> 2 & 15);
    verdict = rocecc_keyflow_step(&run->p, &run->s, flow, bytes, run->now_ns);
    LAW_FORGET(run);
    if (run->p.min_bytes == 0) {
        LAW(verdict == ROCECC_KEYFLOW_NONE && run->s.ahead_bytes == 0);
        return digest;
    }
    LAW(run->now_ns - run->s.start_ns < run->p.window_ns);
    if (run->s.start_ns != before.start_ns) {
        LAW(run->s.start_ns == run->now_ns && run->s.flow == flow);
        for (i = 0; i < LAW_KEYFLOW_FLOWS; i++)
            run->sent[i] = 0;
        run->all = 0;
    }
    run->sent[at] += bytes;
    run->all += bytes;
    for (i = 0; i < LAW_KEYFLOW_FLOWS; i++) {
        LAW(2 * run->sent[i] <= run->all || run->s.flow == i);
        LAW(run->s.flow != i || run->s.ahead_bytes <= run->sent[i]);
    }
    LAW((verdict == ROCECC_KEYFLOW_NONE) == (run->s.ahead_bytes < run->p.min_bytes));
    LAW(verdict != ROCECC_KEYFLOW_KEY || run->s.flow == flow);
    LAW(verdict != ROCECC_KEYFLOW_OTHER || run->s.flow != flow);
    digest = law_mix(digest, verdict);
    LAW_FIELDS(ROCECC_KEYFLOW_STATE_FIELDS, &run->s)
    run->digest = digest;
    return digest;
}

LAW_FN uint32_t law_keyflow(rocecc_reader r)
{
    static const law_keyflow_run none;
#if defined(__bpf__)
    law_keyflow_run *const run = &law_keyflow_kept;
#else
    law_keyflow_run run_, *const run = &run_;
#endif
    const uint8_t *b = rocecc_take(&r, 16);
    rocecc_keyflow_refusal refusal;
    int i, k;
    if (b == NULL) return LAW_START;
    *run = none;
    run->now_ns = rocecc_load64(b);
    run->p = rocecc_keyflow_quarter((uint64_t)rocecc_load32(b + 8) << (b[12] & 15));
    if (b[12] & 16) run->p.min_bytes = rocecc_load16(b + 14);
    if (b[12] & 32) run->p.window_ns = (uint32_t)b[13] << (b[12] & 15);
    refusal = rocecc_keyflow_init(&run->p);
    run->digest = law_mix(LAW_START, refusal);
    LAW((refusal == ROCECC_KEYFLOW_ACCEPTED) ==
        (run->p.min_bytes == 0 || run->p.window_ns != 0));
    if (refusal != ROCECC_KEYFLOW_ACCEPTED) return run->digest;
    run->s = rocecc_keyflow_start(run->now_ns);
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, 4);
        if (b == NULL) break;
        for (k = 0; k < 4; k++)
            run->b[k] = b[k];
        LAW(law_keyflow_event(run) != LAW_BROKEN);
    }
    return run->digest;
}

#endif /* TESTS_LAW_KEYFLOW_H */
