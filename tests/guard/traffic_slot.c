/* SPDX-License-Identifier: BSD-2-Clause */

/* traffic_slot.c - places of keys, and the load at which a key finds no slot. */
#include "lib/test.h"
#include "rocecc/guard/backlog.h"

#include <string.h>

#define MOST 65536u

static rocecc_traffic_slot slots[MOST];

/* The smallest power of two, from 16 on, with at most 5 of 8 slots in use. */
TEST(P_12_the_slot_count_leaves_3_of_8_slots_free)
{
    uint32_t keys;
    CHECK_EQ(rocecc_traffic_slot_count(0), 16);
    CHECK_EQ(rocecc_traffic_slot_count(10), 16);
    CHECK_EQ(rocecc_traffic_slot_count(11), 32);
    CHECK_EQ(rocecc_traffic_slot_count(640), 1024);
    CHECK_EQ(rocecc_traffic_slot_count(641), 2048);
    CHECK_EQ(rocecc_traffic_slot_count(1342177280), 2147483648);
    CHECK_EQ(rocecc_traffic_slot_count(1342177281), 0);
    for (keys = 1; keys < 5000; keys++) {
        const uint32_t n = rocecc_traffic_slot_count(keys);
        CHECK((n & (n - 1)) == 0 && 8 * keys <= 5 * n);
        CHECK(n == 16 || 16 * keys > 5 * n);
    }
}

/* Returns how many different keys a table holds when one first finds no slot. */
static uint32_t first_refusal(uint32_t n, uint64_t key)
{
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    rocecc_backlog t = rocecc_backlog_start(n);
    rocecc_pause_traffic x;
    uint32_t i;
    memset(slots, 0, n * sizeof slots[0]);
    memset(&x, 0, sizeof x);
    p.hash_key[0] = key * 0x9e3779b97f4a7c15u;
    p.hash_key[1] = key;
    x.inner.proto = 17;
    for (i = 0; t.full == 0 && i <= n; i++) {
        memcpy(x.inner.src.b, &i, 4);
        (void)rocecc_backlog_add(&p, &t, slots, &x, 1);
    }
    return i - 1;
}

/* 64 to 65536 slots reach a load of 0.70, by 200 hash keys, or 10 above 4096 slots. */
TEST(P_12_a_table_reaches_a_load_of_70_percent)
{
    uint32_t n;
    uint64_t key;
    for (n = 64; n <= MOST; n *= 4)
        for (key = 1; key <= test_rounds(n <= 4096 ? 200 : 10); key++) {
            test_context("%u slots, key %u", n, (unsigned)key);
            CHECK(first_refusal(n, key) * 100ull >= n * 70ull);
        }
}

/* The hash of 00 01 .. 2f is CPython's hash(bytes(range(48))) with PYTHONHASHSEED=0. */
TEST(slot_hash_is_siphash_1_3)
{
    uint64_t secret[2] = {0, 0};
    rocecc_traffic_slot_key_ k;
    rocecc_traffic_slot_place_ at;
    unsigned i;
    for (i = 0; i < 6; i++)
        k.w[i] = 0x0706050403020100u + i * 0x0808080808080808u;
    at = rocecc_traffic_slot_place_of_(secret, 1u << 31, &k);
    CHECK_EQ(at.slot[0], 0xba50237fu & 0x3ffffff8u);
    CHECK_EQ(at.slot[1], 0x40000000u + (0xfe1f2445u & 0x3ffffff8u));
    secret[1] = 1;
    CHECK(rocecc_traffic_slot_place_of_(secret, 1u << 31, &k).slot[0] != at.slot[0]);
}

/* All classes of a port have the port's own bucket, one of n / 8. */
TEST(P_9_classes_of_a_port_share_its_bucket)
{
    uint32_t port;
    for (port = 0; port < 20; port++) {
        const rocecc_traffic_slot_key_ k =
            rocecc_traffic_slot_key_of_priority_(port % 8, port, 1);
        const rocecc_traffic_slot_place_ at =
            rocecc_traffic_slot_place_of_(NULL, 64, &k);
        CHECK_EQ(at.slot[0], port % 8 * 8);
        CHECK_EQ(at.slot[1], at.slot[0]);
    }
}

/* A key is found only in its two buckets (16 slots). */
TEST(traffic_slot_is_found_only_in_its_buckets)
{
    static const uint64_t secret[2] = {1, 2};
    static rocecc_traffic_slot few[64];
    uint32_t port, slot, others = 0;
    for (port = 0; port < 32; port++) {
        const rocecc_traffic_slot_key_ k =
            rocecc_traffic_slot_key_of_priority_(3, port, 1);
        const rocecc_traffic_slot_place_ at =
            rocecc_traffic_slot_place_of_(secret, 64, &k);
        for (slot = 0; slot < 64; slot++) {
            const bool own = slot / 8 == at.slot[0] / 8 || slot / 8 == at.slot[1] / 8;
            memset(few, 0, sizeof few);
            rocecc_traffic_slot_assign_(&few[slot], &k);
            CHECK_EQ(rocecc_traffic_slot_find_(few, &at),
                     own ? slot : ROCECC_TRAFFIC_SLOT_NONE);
            others += !own;
        }
    }
    CHECK_EQ(others, 32 * 48);
}

/* A key takes the first free slot of the emptier bucket, on a tie the left (P-12). */
TEST(P_12_a_new_key_takes_the_first_free_slot_of_the_emptier_bucket)
{
    static const uint64_t secret[2] = {1, 2};
    static rocecc_traffic_slot few[64];
    const rocecc_traffic_slot_key_ k = rocecc_traffic_slot_key_of_priority_(3, 9, 1),
                                   other =
                                       rocecc_traffic_slot_key_of_priority_(4, 9, 1);
    const rocecc_traffic_slot_place_ at = rocecc_traffic_slot_place_of_(secret, 64, &k);
    uint32_t i;
    memset(few, 0, sizeof few);
    for (i = 0; i < 16; i++) { /* left, right, left, right, ... */
        const uint32_t slot = rocecc_traffic_slot_find_free_(few, &at);
        CHECK_EQ(slot, at.slot[i % 2] + i / 2);
        rocecc_traffic_slot_assign_(&few[slot], &other);
    }
    CHECK_EQ(rocecc_traffic_slot_find_free_(few, &at), ROCECC_TRAFFIC_SLOT_NONE);
    rocecc_traffic_slot_assign_(&few[at.slot[1] + 5], NULL);
    rocecc_traffic_slot_assign_(&few[at.slot[1] + 2], NULL);
    rocecc_traffic_slot_assign_(&few[at.slot[0] + 7], NULL);
    CHECK_EQ(rocecc_traffic_slot_find_free_(few, &at), at.slot[1] + 2);
}
