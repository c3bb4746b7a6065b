/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flood.c - what becomes of honest notifications beside forged ones, 1 to 100. drop-ins
 * sends a million of each kind between network namespaces; here are fewer.
 */
#include "lib/flood.h"
#include "lib/test.h"

#include <string.h>

/* Nobody honest is silenced; nobody else is heard, but a mad node within its limit. */
TEST(a_flood_silences_nobody)
{
    const uint64_t frames = test_rounds(60000);
    unsigned kind;
    for (kind = 0; kind < FLOOD_KINDS; kind++) {
        uint64_t sent[FLOOD_WHOS] = {0}, heard[FLOOD_WHOS] = {0}, i, most;
        test_context("%s", flood_name((flood_kind)kind));
        CHECK(flood_open());
        for (i = 0; i < frames; i++) {
            flood_frame f;
            if (i % 1000 == 0) flood_idle((flood_kind)kind, i * FLOOD_NS);
            flood_make((flood_kind)kind, i, &f);
            sent[f.who]++;
            heard[f.who] += flood_heard((flood_kind)kind, &f);
        }
        most = FLOOD_BURST + frames * FLOOD_NS * FLOOD_LIMIT / 1000000000 + 1;
        CHECK(heard[FLOOD_HONEST] * 100 >= sent[FLOOD_HONEST] * 99);
        CHECK_EQ(heard[FLOOD_UNLISTED], 0);
        CHECK_EQ(heard[FLOOD_FORGED], 0);
        CHECK(heard[FLOOD_MAD] != 0);
        if (kind != FLOOD_PFC) CHECK(heard[FLOOD_MAD] <= most);
        CHECK(sent[FLOOD_MAD] > most || frames < 10000);
    }
}
