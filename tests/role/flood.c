/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flood.c - tests that honest notifications, 1 frame of 101, take effect in a flood.
 * drop-ins sends a million frames of each kind between network namespaces, this test
 * fewer.
 */
#include "lib/flood.h"
#include "lib/test.h"

#include <string.h>

/* At most 1 % of the honest notifications have no effect. */
TEST(flood_suppresses_at_most_1_percent_of_honest_notifications)
{
    const uint64_t frames = test_rounds(60000);
    unsigned kind, node;
    for (kind = 0; kind < FLOOD_KINDS; kind++) {
        flood_counts counts;
        uint64_t i;
        memset(&counts, 0, sizeof counts);
        test_context("%s", flood_name((flood_kind)kind));
        CHECK(flood_open());
        for (i = 0; i < frames; i++) {
            flood_frame f;
            if (i % 1000 == 0) flood_idle((flood_kind)kind, i * FLOOD_NS);
            flood_make((flood_kind)kind, i, &f);
            (void)flood_heard((flood_kind)kind, &f, &counts);
        }
        CHECK(flood_kept((flood_kind)kind, &counts, frames));
        for (node = 0; node < FLOOD_MISBEHAVING_N; node++) {
            test_context("%s, node %u", flood_name((flood_kind)kind), node);
            CHECK(counts.heard_of[node] != 0);
        }
        CHECK(counts.sent[FLOOD_FORGED] >= frames / 40 || frames < 10000);
        CHECK(counts.sent[FLOOD_MISBEHAVING] > frames / 2);
    }
}
