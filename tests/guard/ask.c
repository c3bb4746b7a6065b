/* SPDX-License-Identifier: BSD-2-Clause */

/* ask.c - the law of asks; what the draft says of them is in pause.c, beside pauses. */
#include "law/ask.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

TEST(ask_law)
{
    law_random(law_ask, 50000);
}

/* A buffer of 16 MB, each asked for with a byte more than XON: 160 slots at most. */
TEST(P_3_asks_are_no_more_than_the_buffer)
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
