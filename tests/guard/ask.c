/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ask.c - the law of ask.h, P-3, P-10, and R-ARN-14 for resumes. pause.c tests the
 * other rules of the draft.
 */
#include "law/ask.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

TEST(ask_law)
{
    law_random(law_ask, 50000);
}

/* A buffer of 16 MB has at most 160 flows above XON, and all of them find a slot. */
TEST(P_3_all_flows_of_a_full_buffer_find_a_slot)
{
    static rocecc_traffic_slot slots[1024];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    const uint32_t most = (uint32_t)(16000000 / p.xon_bytes);
    uint64_t key;
    CHECK_EQ(rocecc_traffic_slot_count(most), 256);
    for (key = 1; key <= 200; key++) {
        rocecc_ask t = rocecc_ask_start(rocecc_traffic_slot_count(most));
        rocecc_pause_traffic x;
        uint32_t i;
        memset(&x, 0, sizeof x);
        memset(slots, 0, sizeof slots);
        p.hash_key[0] = key;
        x.inner.proto = 17;
        x.bytes = p.xoff_bytes;
        for (i = 0; i < most; i++) {
            x.inner.src_port = (uint16_t)i;
            CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, i).what, ROCECC_PAUSE_ASK);
        }
        CHECK(t.asked == most && t.full == 0);
    }
}

/* Returns traffic of UDP port n, with `bytes` waiting in a node held for held_ns. */
static rocecc_pause_traffic waiting(uint16_t n, uint64_t bytes, uint64_t held_ns)
{
    rocecc_pause_traffic x;
    memset(&x, 0, sizeof x);
    x.inner.proto = 17;
    x.inner.src_port = n;
    x.bytes = bytes;
    x.held_ns = held_ns;
    return x;
}

/* If the next time is below min_ns, a slot does not ask, but stays taken (P-10). */
TEST(P_10_a_slot_does_not_ask_again_below_min_ns)
{
    static rocecc_traffic_slot slots[16];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    rocecc_ask t = rocecc_ask_start(16);
    rocecc_pause_traffic x = waiting(1, p.xoff_bytes, 0);
    rocecc_pause_result act;
    memset(slots, 0, sizeof slots);
    p.hash_key[0] = 1;
    CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 0).wait_ns, 50000);
    x.held_ns = p.min_ns - 1;
    act = rocecc_ask_queue(&p, &t, slots, &x, 50000);
    CHECK(act.what == ROCECC_PAUSE_NOTHING && !act.arm);
    CHECK(act.slot == ROCECC_PAUSE_NONE && t.asked == 1);
    x.held_ns = p.min_ns;
    act = rocecc_ask_queue(&p, &t, slots, &x, 50000);
    CHECK(act.what == ROCECC_PAUSE_ASK && act.time_ns == p.min_ns);
    x = waiting(1, p.xon_bytes, p.min_ns - 1); /* a resume does not wait */
    act = rocecc_ask_queue(&p, &t, slots, &x, 50001);
    CHECK(act.what == ROCECC_PAUSE_ASK_RESUME && !act.arm && t.asked == 0);
}

/* A time below min_ns is not asked for, so `full` does not count it (P-3, P-10). */
TEST(P_3_a_time_below_min_ns_is_not_counted_as_full)
{
    static rocecc_traffic_slot slots[16];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    rocecc_ask t = rocecc_ask_start(16);
    rocecc_pause_traffic x;
    uint16_t n;
    memset(slots, 0, sizeof slots);
    p.hash_key[0] = 1;
    for (n = 0; n < 16; n++) {
        x = waiting(n, p.xoff_bytes, 0);
        CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 0).what, ROCECC_PAUSE_ASK);
    }
    x = waiting(16, p.xoff_bytes, p.min_ns - 1);
    CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 1).what, ROCECC_PAUSE_NOTHING);
    CHECK_EQ(t.full, 0);
    x.held_ns = p.min_ns;
    CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 1).what, ROCECC_PAUSE_IGNORED_FULL);
    CHECK_EQ(t.full, 1);
}

/* A control packet resumes nothing, even if its key is asked for (R-ARN-14). */
TEST(R_ARN_14_a_control_packet_resumes_nothing)
{
    static rocecc_traffic_slot slots[16];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    rocecc_ask t = rocecc_ask_start(16);
    rocecc_pause_traffic x = waiting(1, p.xoff_bytes, 0);
    memset(slots, 0, sizeof slots);
    p.hash_key[0] = 1;
    CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 0).what, ROCECC_PAUSE_ASK);
    x.bytes = 0;
    x.control = true;
    CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 1).what, ROCECC_PAUSE_NOTHING);
    CHECK_EQ(t.asked, 1);
    x.control = false;
    CHECK_EQ(rocecc_ask_queue(&p, &t, slots, &x, 1).what, ROCECC_PAUSE_ASK_RESUME);
}
