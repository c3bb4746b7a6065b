/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c - every kind of plan, as one engine. Each bit that a plan was made by,
 * and no other, keeps it from a packet; in just its room, to the limits of IP.
 */
#include "lib/guard.h"
#include "lib/plans.h"

#include <string.h>

/* The plan of a packet makes the packet after it, in just its room and in no less. */
static void carried_out(const plan *x, const plans_pair *at)
{
    const size_t more = at->m > at->n ? at->m - at->n : 0;
    size_t room;
    rocecc_edit e;
    CHECK_EQ(plans_make(x, at, UINT32_MAX, &e), x->verdict);
    for (room = 0; room <= more; room++) {
        uint8_t *b = guard_room(at->n + room);
        rocecc_writer w = rocecc_writer_of(b, b + at->n + room);
        memcpy(b, at->before, at->n);
        w.at = at->n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), room < more ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room < more ? at->n : at->m);
        CHECK(memcmp(b, room < more ? at->before : at->after, w.at) == 0);
    }
}

TEST(plan_of_each_kind)
{
    static plans_pair at;
    size_t i, more;
    for (i = 0; i < plans_n; i++)
        for (more = 0; more < 40; more++) {
            test_context("%s, %zu bytes more", plans[i].name, more);
            if (plans[i].mtu_bytes != 0 && more != 0) continue;
            plans_pair_of(&plans[i], more, &at);
            carried_out(&plans[i], &at);
            if (at.sum_before == 0 || at.before[9] == 6) continue;
            rocecc_store16(at.before + at.sum_before, 0); /* no checksum: it stays so */
            rocecc_store16(at.after + at.sum_after, 0);
            carried_out(&plans[i], &at);
        }
}

static bool made_by(const plan *x, size_t i)
{
    size_t k;
    for (k = 0; k < 8; k++)
        if (i >= x->by[k][0] && i < (size_t)x->by[k][0] + x->by[k][1]) return true;
    return false;
}

/* Where a byte of the packet is after the change; SIZE_MAX: it goes. */
static size_t place(const rocecc_edit *e, size_t i)
{
    size_t to = i;
    int k;
    for (k = 0; k < e->n_splices; k++) {
        const rocecc_edit_splice *s = &e->splice[k];
        if (i >= s->offset && i < (size_t)s->offset + s->old_bytes) return SIZE_MAX;
        if (i >= s->offset) to = to + s->new_bytes - s->old_bytes;
    }
    return to;
}

/* A bit of byte i is another: refused and left alone where the plan was made by it,
 * otherwise all is changed but this bit. */
static void another(const plan *x, const plans_pair *at, const rocecc_edit *e, size_t i,
                    uint8_t bit)
{
    static uint8_t b[PLANS_ROOM], should[PLANS_ROOM];
    rocecc_writer w = rocecc_writer_of(b, b + at->n + 64);
    const bool refused = made_by(x, i);
    const size_t to = place(e, i);
    memcpy(b, at->before, at->n);
    b[i] ^= bit;
    memcpy(should, refused ? b : at->after, refused ? at->n : at->m);
    if (!refused && to != SIZE_MAX) should[to] ^= bit;
    w.at = at->n;
    CHECK_EQ(rocecc_edit_apply(e, &w), refused ? ROCECC_NO_MATCH : ROCECC_OK);
    CHECK_EQ(w.at, refused ? at->n : at->m);
    CHECK(memcmp(b, should, w.at) == 0);
    w.at = at->n;
    if (!refused) return;
    w.end = at->n; /* the gap is not open, and it is another packet in any case */
    CHECK_EQ(rocecc_edit_write(e, w), ROCECC_NO_MATCH);
    CHECK(memcmp(b, should, at->n) == 0);
}

TEST(plan_of_another_packet)
{
    static plans_pair at;
    rocecc_edit e;
    size_t i, k, bit;
    for (i = 0; i < plans_n; i++) {
        plans_pair_of(&plans[i], 0, &at);
        CHECK_EQ(plans_make(&plans[i], &at, UINT32_MAX, &e), plans[i].verdict);
        for (k = 0; k < at.n; k++)
            for (bit = 0; bit < 8; bit++) {
                test_context("%s, byte %zu", plans[i].name, k);
                another(&plans[i], &at, &e, k, (uint8_t)(1 << bit));
            }
    }
}

/* The packet after is as long as IP can say; not a byte more. */
static void at_the_end_of_ip(const plan *x, plans_pair *at)
{
    const bool v4 = at->before[0] >> 4 == 4;
    const size_t most = (v4 ? 65535u : 65575u) - at->m;
    rocecc_edit e;
    rocecc_writer w;
    plans_pair_of(x, most, at);
    CHECK_EQ(rocecc_load16(at->after + (v4 ? 2 : 4)), 65535);
    CHECK_EQ(plans_make(x, at, UINT32_MAX, &e), x->verdict);
    w = rocecc_writer_of(at->before, at->before + PLANS_ROOM);
    w.at = at->n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(w.at == at->m && memcmp(at->before, at->after, at->m) == 0);
    plans_pair_of(x, most + 1, at);
    CHECK_EQ(plans_make(x, at, UINT32_MAX, &e), ROCECC_EDIT_FULL);
    CHECK_EQ(e.n_splices, 0);
}

/* The link takes just the packet after, or a byte less. A source of INT then leaves its
 * own node out, and says so: M; its hop does not count. */
static void at_the_end_of_a_link(const plan *x, const plans_pair *at)
{
    const uint32_t all = (uint32_t)at->m;
    rocecc_edit e;
    CHECK_EQ(plans_make(x, at, all, &e), x->verdict);
    if (x->source) {
        size_t header;
        CHECK_EQ(plans_make(x, at, all - 1, &e), ROCECC_EDIT_CHANGE);
        CHECK_EQ(plans_make(x, at, all - 4, &e), ROCECC_EDIT_CHANGE);
        header = e.splice[0].new_bytes - 12u;
        CHECK_EQ(rocecc_load32(e.fill + header), 0x22000108);
        CHECK_EQ(e.fill[header - 3], 3); /* Length */
    }
    CHECK_EQ(plans_make(x, at, all - (x->source ? 5 : 1), &e), ROCECC_EDIT_MTU);
    CHECK_EQ(e.n_splices, 0);
}

TEST(plan_at_the_limits)
{
    static plans_pair at;
    size_t i, grown = 0;
    for (i = 0; i < plans_n; i++) {
        test_context("%s", plans[i].name);
        plans_pair_of(&plans[i], 0, &at);
        if (plans[i].ether || at.m <= at.n) continue;
        grown++;
        at_the_end_of_a_link(&plans[i], &at);
        at_the_end_of_ip(&plans[i], &at);
    }
    CHECK_EQ(grown, 14);
}
