/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * qcn_timed_cap.c - a timed reaction point with few expiries per call, as in a BPF
 * program. This file has its own functions, because the library's have another cap.
 */
#undef ROCECC_FN
#define ROCECC_FN static inline __attribute__((unused))
#define ROCECC_QCN_RP_TIMED_EXPIRIES_MAX 3
#include "lib/test.h"
#include "rocecc/algo/qcn.h"

#define G UINT64_C(1000000000)
#define MS UINT64_C(1000000)

/* Repeated calls lead to the same state as the single events, without loss of time.
 * Until then, each call requests the next call at once. */
TEST(RP_22_repeated_calls_reach_the_state_of_single_events)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(10 * G);
    rocecc_qcn_rp_timed t;
    rocecc_qcn_rp_event e = {0, 0, 0, 63, 0};
    rocecc_qcn_rp_action act;
    rocecc_qcn_rp s;
    int n = 0, i;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    t = rocecc_qcn_rp_timed_start(&p, 0);
    act = rocecc_qcn_rp_timed_cnm(&p, &t, &e);
    s = t.flow;
    for (i = 0; i < 10; i++) /* at 15, 30, .. 75, 82.5, .. 112.5 ms */
        (void)rocecc_qcn_rp_timer(&p, &s, 0, 0);
    for (act.timer_ns = 1; act.timer_ns == 1 && n < 10; n++) {
        act = rocecc_qcn_rp_timed_advance(&p, &t, 0, 0, 113 * MS);
        CHECK(act.timer_ns == 1 || t.last_ns == 113 * MS);
    }
    CHECK_EQ(n, 4); /* 3 + 3 + 3 + 1 */
    CHECK_EQ(act.timer_ns, 7 * MS);
    CHECK(t.flow.rate_bps == s.rate_bps && t.flow.target_bps == s.target_bps);
    CHECK_EQ(t.flow.time_stage, 10);
    t = rocecc_qcn_rp_timed_start(&p, 0);
    (void)rocecc_qcn_rp_timed_cnm(&p, &t, &e);
    act = rocecc_qcn_rp_timed_advance(&p, &t, 0, 0, 113 * MS);
    CHECK(act.timer_ns == 1 && t.last_ns == 45 * MS && t.flow.time_stage == 3);
    e.now_ns = 113 * MS; /* a CNM restarts RpWhile and the stages */
    act = rocecc_qcn_rp_timed_cnm(&p, &t, &e);
    CHECK(act.cut && act.timer_ns == 15 * MS && t.last_ns == 113 * MS);
    act = rocecc_qcn_rp_timed_advance(&p, &t, 0, 0, 127 * MS);
    CHECK(act.timer_ns == 1 * MS && t.flow.time_stage == 0);
    /* A fourth expiry at this very instant is left to the next call. */
    e.now_ns = 0;
    t = rocecc_qcn_rp_timed_start(&p, 0);
    (void)rocecc_qcn_rp_timed_cnm(&p, &t, &e);
    act = rocecc_qcn_rp_timed_advance(&p, &t, 0, 0, 60 * MS);
    CHECK(act.timer_ns == 1 && t.last_ns == 45 * MS && t.flow.time_stage == 3);
    act = rocecc_qcn_rp_timed_advance(&p, &t, 0, 0, 60 * MS);
    CHECK(act.timer_ns == 15 * MS && t.last_ns == 60 * MS && t.flow.time_stage == 4);
}
