/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/backlog.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

static rocecc_traffic_slot slots[65536];

static rocecc_pause_params made(uint8_t mode)
{
    rocecc_pause_params p = rocecc_pause_lab(mode);
    p.hash_key[0] = 1;
    return p;
}

/* Returns UDP traffic from port n, in the tunnel of service s. */
static rocecc_pause_traffic traffic(uint8_t s, uint16_t n)
{
    rocecc_pause_traffic x;
    memset(&x, 0, sizeof x);
    x.outer.proto = 41;
    x.outer.src.b[15] = s;
    x.inner.proto = 17;
    x.inner.src_port = n;
    x.priority = 3;
    x.pfc_class = 4;
    x.in_port = 1;
    x.out_port = 2;
    return x;
}

static rocecc_backlog table(uint32_t n)
{
    memset(slots, 0, sizeof slots);
    return rocecc_backlog_start(n);
}

/* Waiting bytes are counted by the key of ask.h, per receiving port (B-1). */
TEST(B_1_waiting_bytes_are_counted_by_key_and_port)
{
    uint8_t mode;
    unsigned pfc;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_CLASS; mode++)
        for (pfc = 0; pfc < 2; pfc++) {
            const rocecc_pause_params p = made(mode);
            const bool by_class = pfc != 0 || mode == ROCECC_PAUSE_CLASS;
            const bool by_priority = !by_class && mode == ROCECC_PAUSE_PRIORITY;
            rocecc_pause_traffic x = traffic(1, 1);
            rocecc_backlog t = table(64);
            test_context("mode %u, pfc %u", mode, pfc);
            x.in_pfc = pfc != 0;
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 1500).bytes, 1500);
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 500).bytes, 2000);
            x.out_port = 9; /* any sending port */
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 1).bytes, 2001);
            x.inner.src_port = 2;
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 1).bytes,
                     !by_class && mode == ROCECC_PAUSE_FLOW ? 1 : 2002);
            x = traffic(2, 1);
            x.in_pfc = pfc != 0;
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 1000).bytes,
                     !by_class && mode == ROCECC_PAUSE_SERVICE ? 1000
                     : !by_class && mode == ROCECC_PAUSE_FLOW  ? 3001
                                                               : 3002);
            x.priority++;
            x.pfc_class++;
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 7).bytes == 7,
                     by_class || by_priority);
            x.in_port++;
            CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 7).bytes, 7);
        }
}

/* Bytes are subtracted from the packet's slot, and the last packet frees it (B-2). */
TEST(B_2_bytes_are_subtracted_from_the_packets_slot)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1);
    rocecc_backlog t = table(64);
    const rocecc_traffic_slot none = {{0}, 0};
    const uint32_t a = rocecc_backlog_add(&p, &t, slots, &x, 1500).slot;
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 500).slot, a);
    CHECK_EQ(t.used, 1);
    CHECK_EQ(rocecc_backlog_sub(&t, slots, a, 1500), 500);
    CHECK_EQ(rocecc_backlog_sub(&t, slots, a, 500), 0);
    CHECK(t.used == 0 && memcmp(&slots[a], &none, sizeof none) == 0);
}

/* A full table does not count a new key, and subtracts nothing for it (B-3). */
TEST(B_3_a_full_table_counts_no_new_key)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    rocecc_backlog t = table(16);
    rocecc_backlog_result came;
    rocecc_pause_traffic x;
    uint16_t n;
    for (n = 0; n < 16; n++) {
        x = traffic(1, n);
        CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 100).bytes, 100);
    }
    x = traffic(1, n);
    came = rocecc_backlog_add(&p, &t, slots, &x, 100);
    CHECK(came.slot == ROCECC_PAUSE_NONE && came.bytes == 0);
    CHECK(t.used == 16 && t.full == 1);
    CHECK_EQ(rocecc_backlog_sub(&t, slots, came.slot, 100), 0);
    x = traffic(1, 3);
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 100).bytes, 200);
    t = table(15);
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 100).slot, ROCECC_PAUSE_NONE);
}

/* For free or invalid slots and for uncounted bytes, sub() returns 0 (B-4). */
TEST(B_4_counts_do_not_go_below_0)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    rocecc_pause_traffic x = traffic(1, 1);
    rocecc_backlog t = table(64);
    uint32_t slot;
    for (slot = 0; slot < 70; slot++)
        CHECK_EQ(rocecc_backlog_sub(&t, slots, slot, 1), 0);
    CHECK_EQ(t.used, 0);
    slot = rocecc_backlog_add(&p, &t, slots, &x, 10).slot;
    CHECK_EQ(rocecc_backlog_sub(&t, slots, slot, 11), 0);
    CHECK_EQ(t.used, 0);
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 0).slot, ROCECC_PAUSE_NONE);
    x.control = true;
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 10).slot, ROCECC_PAUSE_NONE);
    CHECK_EQ(t.used, 0);
}

/* Each packet of a buffer finds a slot, even if each is from another flow (B-3). */
TEST(B_3_all_flows_of_a_full_buffer_find_a_slot)
{
    const uint32_t packets = 40000;
    uint64_t key;
    CHECK_EQ(rocecc_traffic_slot_count(packets), 65536);
    for (key = 1; key <= test_rounds(20); key++) {
        rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
        rocecc_backlog t = table(rocecc_traffic_slot_count(packets));
        rocecc_pause_traffic x = traffic(0, 0);
        uint32_t i;
        p.hash_key[1] = key;
        for (i = 0; i < packets; i++) {
            memcpy(x.inner.src.b, &i, 4);
            (void)rocecc_backlog_add(&p, &t, slots, &x, 64);
        }
        CHECK(t.used == packets && t.full == 0);
    }
}

TEST(backlog_law)
{
    law_random(law_backlog, 50000);
}

/* Counts have 64 bits, so 2^32 waiting bytes do not free the slot (B-2). */
TEST(B_2_backlog_counts_beyond_32_bits)
{
    static rocecc_traffic_slot few[16];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_PRIORITY);
    rocecc_backlog t = rocecc_backlog_start(16);
    rocecc_pause_traffic x;
    rocecc_backlog_result came;
    memset(few, 0, sizeof few);
    memset(&x, 0, sizeof x);
    p.hash_key[0] = 1;
    (void)rocecc_backlog_add(&p, &t, few, &x, UINT32_MAX);
    came = rocecc_backlog_add(&p, &t, few, &x, 1);
    CHECK_EQ(came.bytes, UINT64_C(1) << 32);
    CHECK_EQ(rocecc_backlog_sub(&t, few, came.slot, 1), UINT32_MAX);
    CHECK_EQ(rocecc_backlog_sub(&t, few, came.slot, UINT32_MAX), 0);
    CHECK_EQ(t.used, 0);
}

/* In a full table, `full` counts neither control packets nor empty packets (B-3). */
TEST(B_3_full_counts_only_packets_without_a_slot)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    rocecc_backlog t = table(0);
    rocecc_pause_traffic x = traffic(1, 1);
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 0).slot, ROCECC_PAUSE_NONE);
    x.control = true;
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 10).slot, ROCECC_PAUSE_NONE);
    CHECK_EQ(t.full, 0);
    x.control = false;
    CHECK_EQ(rocecc_backlog_add(&p, &t, slots, &x, 10).slot, ROCECC_PAUSE_NONE);
    CHECK_EQ(t.full, 1);
}
