/* SPDX-License-Identifier: BSD-2-Clause */

/* hpcc_fastcnp.c - which Fast CNPs count: H-21 and H-22 of algo/README.md. */
#include "lib/test.h"
#include "rocecc/algo/hpcc.h"

#include <string.h>

/*
 * After a report at from_ns of hops that measure their utilisation, a Fast CNP of all
 * of them after this time. dt_max is 50 us, and max_hops 5.
 */
static uint8_t fastcnp_from(uint64_t from_ns, uint64_t ns, uint32_t n_hops)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(100000000000));
    rocecc_hpcc_hop l[5];
    rocecc_hop hops[5];
    rocecc_hpcc_event r;
    rocecc_hpcc s;
    uint32_t i;
    memset(l, 0xa5, sizeof l);
    memset(hops, 0, sizeof hops);
    memset(&r, 0, sizeof r);
    p.dt_max_ns = 50000;
    p.reorder_ns = 50000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.max_hops, 5);
    s = rocecc_hpcc_start(&p);
    for (i = 0; i < 5; i++) {
        hops[i].id = i + 1;
        hops[i].util_q20 = ROCECC_ONE_Q20 / 2;
        hops[i].valid = ROCECC_HOP_ID | ROCECC_HOP_UTIL;
    }
    r.hops = hops;
    r.n_hops = n_hops;
    r.now_ns = from_ns;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
    r.now_ns = from_ns + ns;
    return rocecc_hpcc_fastcnp(&p, &s, l, &r).verdict;
}

static uint8_t fastcnp_after(uint64_t ns, uint32_t n_hops)
{
    return fastcnp_from(0, ns, n_hops);
}

/* Of one hop, and of as many as there may be. */
TEST(H_21_a_fast_cnp_of_one_hop_and_of_all)
{
    uint32_t n;
    for (n = 1; n <= 5; n++)
        CHECK_EQ(fastcnp_after(13000, n), ROCECC_HPCC_REACTED);
}

/* After a silence of dt_max it counts; after a longer one it does not. */
TEST(H_22_a_fast_cnp_after_a_silence)
{
    CHECK_EQ(fastcnp_after(50000, 2), ROCECC_HPCC_REACTED);
    CHECK_EQ(fastcnp_after(50001, 2), ROCECC_HPCC_IGNORED);
    /* at any time of the day, and over the end of the clock */
    CHECK_EQ(fastcnp_from(UINT64_C(86400000000000), 50000, 2), ROCECC_HPCC_REACTED);
    CHECK_EQ(fastcnp_from(UINT64_C(86400000000000), 50001, 2), ROCECC_HPCC_IGNORED);
    CHECK_EQ(fastcnp_from(UINT64_MAX - 9, 50000, 2), ROCECC_HPCC_REACTED);
    CHECK_EQ(fastcnp_from(UINT64_MAX - 9, 50001, 2), ROCECC_HPCC_IGNORED);
}
