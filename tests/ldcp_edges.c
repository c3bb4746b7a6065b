/* SPDX-License-Identifier: BSD-2-Clause */

/* ldcp_edges.c - windows just below a packet: the rules are of algo/README.md. */
#include "lib/test.h"
#include "rocecc/algo/ldcp.h"

/* A sender whose last packet left at 0, and was acknowledged. */
static rocecc_ldcp sent_at_0(uint64_t cw_q32)
{
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    rocecc_ldcp s;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    s = rocecc_ldcp_start(&p);
    s.stable = 1;
    s.cw_q32 = cw_q32;
    s.has_sent = 1;
    return s;
}

/*
 * L10: RTT / cw is rounded up, whatever is left over. 2^32 - 1 is 65535 times 65537, so
 * that 1 ns by a window of 65537 2^-32 is 65535 ns and 1/65537.
 */
TEST(edges_ldcp_a_pause_is_rounded_up)
{
    const rocecc_ldcp s = sent_at_0(65537);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1, 0).wait_ns, 65536);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1, 65535).wait_ns, 1);
    CHECK(!rocecc_ldcp_may_send(&s, 1, 65535).allowed);
    CHECK(rocecc_ldcp_may_send(&s, 1, 65536).allowed);
}

/* L10: a window that lacks 2^-32 of a packet pauses, for 1000 ns and a bit; one of a
 * packet does not. */
TEST(edges_ldcp_the_last_window_that_pauses)
{
    rocecc_ldcp s = sent_at_0(ROCECC_LDCP_ONE_Q32 - 1);
    CHECK(!rocecc_ldcp_may_send(&s, 1000, 0).allowed);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1000, 0).wait_ns, 1001);
    s = sent_at_0(ROCECC_LDCP_ONE_Q32);
    CHECK(rocecc_ldcp_may_send(&s, 1000, 0).allowed);
    CHECK_EQ(rocecc_ldcp_may_send(&s, 1000, 0).wait_ns, 0);
}
