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

/*
 * L22, G10: cw MTU is rounded down, by every bit of cw. Of an MTU of 3, 2863311531
 * 2^-32 are 2 bytes and 2^-32; a bit less is less than 2. And below one packet no
 * second one leaves, however short both are.
 */
TEST(edges_ldcp_windows_in_bytes)
{
    const rocecc_ldcp_next_packet next = {1, 1};
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    rocecc_ldcp s = sent_at_0(UINT64_C(2863311531));
    p.mtu_bytes = 3;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 2);
    s.cw_q32--;
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 1);
    s.cw_q32 = ROCECC_LDCP_ONE_Q32 - 1;
    CHECK_EQ(rocecc_ldcp_window_bytes(&p, &s), 2);
    CHECK(!rocecc_ldcp_may_send_bytes(&p, &s, next, 1000, 2000).allowed);
    s.cw_q32++;
    CHECK(rocecc_ldcp_may_send_bytes(&p, &s, next, 1000, 2000).allowed);
}

/* L9: an ACK of 65535 packets counts as that many, and so does one of more: of a window
 * of 40000 half of them are cut. */
TEST(edges_ldcp_the_largest_ack)
{
    static const uint32_t packets[] = {65535, 65536, UINT32_MAX};
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    size_t i;
    CHECK_EQ(rocecc_ldcp_init(&p), ROCECC_LDCP_ACCEPTED);
    for (i = 0; i < 3; i++) {
        const rocecc_ldcp_ack_event heard = {packets[i], true, true};
        rocecc_ldcp s = sent_at_0(40000 * ROCECC_LDCP_ONE_Q32);
        rocecc_ldcp_ack(&p, &s, heard);
        CHECK_EQ(s.cw_q32, 7232 * ROCECC_LDCP_ONE_Q32 + ROCECC_LDCP_ONE_Q32 / 2);
    }
}
