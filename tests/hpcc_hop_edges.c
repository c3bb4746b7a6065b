/* SPDX-License-Identifier: BSD-2-Clause */

/* hpcc_hop_edges.c - one hop at the ends of what counts: algo/README.md, H-28, H-33. */
#include "lib/test.h"
#include "rocecc/algo/hpcc.h"

#include <string.h>

/* A hop of this rate sends so many bytes in T, which is 8192 ns; U of that. */
static rocecc_hpcc_action sent(uint64_t rate_bps, uint64_t bytes, uint64_t *u_q32)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(80000000000));
    rocecc_hop h = {1, 0, 0, 0, 0, 0, 31};
    rocecc_hpcc_event r = {&h, 1, 0, 100, 0, 0, false};
    rocecc_hpcc_action act;
    rocecc_hpcc_hop l[1];
    rocecc_hpcc s;
    p.base_rtt_ns = 8192;
    p.w_init_bytes = p.w_max_bytes = 100000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    h.rate_bps = rate_bps;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
    h.ts_ns = r.now_ns = 8192;
    h.tx_bytes = bytes;
    r.seq = 1;
    act = rocecc_hpcc_ack(&p, &s, l, &r);
    *u_q32 = s.u_q32;
    return act;
}

/* H-33: dtx / (B T) up to 9/8 dt/T + 1 is no jump. Of 64 Gb/s B T is 65,536 bytes, and
 * 17/8 of that are 139,264. */
TEST(edges_hpcc_the_last_that_is_no_jump)
{
    const uint64_t one = (uint64_t)1 << 32;
    uint64_t u_q32;
    CHECK_EQ(sent(UINT64_C(64000000000), 139264, &u_q32).missed, 0);
    CHECK_EQ(u_q32, one * 17 / 8);
    CHECK_EQ(sent(UINT64_C(64000000000), 139265, &u_q32).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(u_q32, one);
}

/* H-28: link rates below 2^43 bit/s are of use. B T is 9,007,199 bytes there. */
TEST(edges_hpcc_the_fastest_link)
{
    uint64_t u_q32;
    CHECK_EQ(sent(ROCECC_RATE_END_BPS - 1, 0, &u_q32).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(u_q32, 0);
    CHECK_EQ(sent(ROCECC_RATE_END_BPS, 0, &u_q32).verdict, ROCECC_HPCC_BLIND);
}
