/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * plan.c - tests every kind of plan with the same code. A plan is rejected if and only
 * if a bit differs that it was made from. Plans reach the limits of IP and of their
 * format, in just the room needed.
 */
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/plans.h"

#include <string.h>

/* Checks that the plan makes `after` in just the room it needs, and not in less. */
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

TEST(plan_of_each_kind_is_carried_out)
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
            rocecc_store16(at.before + at.sum_before, 0); /* a checksum of 0 stays 0 */
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

/* Returns the offset of a byte after the change, or SIZE_MAX if it is removed. */
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

/* Changes a bit of byte i. A plan made from this byte must be rejected. Any other plan
 * changes everything but this bit. */
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
    w.end = at->n; /* no gap is open, but the packet differs anyway */
    CHECK_EQ(rocecc_edit_write(e, w), ROCECC_NO_MATCH);
    CHECK(memcmp(b, should, at->n) == 0);
}

TEST(plan_does_not_fit_another_packet)
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

/* Checks a plan up to the maximum IP length, and with one byte more. */
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

/* Checks a plan on a link that just fits, and with a byte less. A source of INT then
 * omits its own node, sets M, and does not count its hop. */
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

TEST(plan_stops_at_the_limits_of_link_and_ip)
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

#define V4(length, protocol)                                                           \
    "4500" length "00014000 40" protocol "0000 c0000201 c0000202"
#define V6(length, next)                                                               \
    "60000000" length next "40 20010db8000000000000000000000001"                       \
    "20010db8000000000000000000000002"
#define UDP(port, length) "c001" port length "0000"
#define AH(next) next "040000 00000001 00000002 00000000 00000000 00000000"
#define PAD8(next) next "00 0104 00000000"

static const plan *named(const char *name)
{
    size_t i;
    for (i = 0; i < plans_n; i++)
        if (strcmp(plans[i].name, name) == 0) return &plans[i];
    test_fail(__FILE__, __LINE__, "unknown plan %s", name);
    return &plans[0];
}

static rocecc_edit_verdict planned(const char *name, const rocecc_domain *d,
                                   const test_frame *x, rocecc_edit *e)
{
    const uint8_t *at = guard_end(x->b, x->n);
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(at, at + x->n), &p);
    return named(name)->make(&p, UINT32_MAX, e);
}

/* Checks that a plan is empty, with this verdict. */
static void refused(const char *name, const test_frame *x, rocecc_edit_verdict verdict)
{
    rocecc_edit e;
    test_context("%s", name);
    CHECK_EQ(planned(name, &plans_domain, x, &e), verdict);
    CHECK(!rocecc_edit_needs_action(&e));
}

static void carried_out_in_place(const char *name, const rocecc_domain *d,
                                 test_frame *x)
{
    rocecc_writer w = rocecc_writer_of(x->b, x->b + sizeof x->b);
    rocecc_edit e;
    test_context("%s", name);
    CHECK_EQ(planned(name, d, x, &e), ROCECC_EDIT_CHANGE);
    w.at = x->n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    x->n = w.at;
}

/* INT's Length counts at most 255 words, 3 of header and 252 nodes of one. */
TEST(plan_of_int_is_full_at_255_words)
{
    test_frame x = frame_of(
        V4("002c", "11") UDP("1388", "0018") "140012b7 20000107 80000000 00000000");
    x.b[29] = 254;
    x.n += 4 * 251;
    (void)plans_finish(x.b, 0, x.n, 4 * 251);
    carried_out_in_place("int push", &plans_domain, &x);
    CHECK_EQ(x.b[29], 255);
    CHECK_EQ(rocecc_load16(x.b + 24), 0x18 + 4 * 252);
    refused("int push", &x, ROCECC_EDIT_FULL);
}

/* IFA's Max Length counts words, and a record has 8. */
TEST(plan_of_ifa_is_full_at_max_length)
{
    unsigned records, max;
    for (records = 0; records < 32; records++)
        for (max = 8 * records; max < 256; max++) {
            test_frame x =
                frame_of(V4("0024", "fd") "2f110400" UDP("12b7", "0008") "ff00fe00");
            const size_t more = 32 * (size_t)records;
            rocecc_edit e;
            size_t i;
            x.b[23] = (uint8_t)max;
            x.b[35] = (uint8_t)(8 * records);
            for (i = 0; i < records; i++)
                x.b[36 + 32 * i] = 0x10; /* LNS 1: layout A */
            x.n += more;
            (void)plans_finish(x.b, 0, x.n, more);
            rocecc_store16(x.b + 24 + 4, 8); /* UDP does not count them */
            test_context("%u records, %u words", records, max);
            CHECK_EQ(planned("ifa push", &plans_domain, &x, &e),
                     8 * records + 8 <= max ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_FULL);
        }
}

/* Returns a packet with 8 options that no node knows, in a header of `bytes`. */
static test_frame long_header(size_t bytes)
{
    test_frame x = frame_of(V6("0000", "00"));
    uint8_t *at = x.b + 42;
    size_t left = bytes - 2;
    rocecc_store16(x.b + 4, (uint16_t)bytes);
    x.b[40] = 59;
    x.b[41] = (uint8_t)(bytes / 8 - 1);
    x.n = 40 + bytes;
    while (left > 0) {
        const size_t one = left < 257 ? left : 257;
        at[0] = 0x1e;
        at[1] = (uint8_t)(one - 2);
        at += one;
        left -= one;
    }
    return x;
}

/* Hdr Ext Len is at most 255. The trace and its padding have 24 bytes. */
TEST(plan_of_ioam_is_full_at_hdr_ext_len_255)
{
    test_frame x = long_header(2048 - 24);
    carried_out_in_place("ioam insert", &plans_domain, &x);
    CHECK(x.n == 40 + 2048 && x.b[41] == 255 && rocecc_load16(x.b + 4) == 2048);
    x = long_header(2048 - 16);
    refused("ioam insert", &x, ROCECC_EDIT_FULL);
}

/* Opt Data Len is at most 255, for 2 bytes, 8 of the trace, and 61 nodes of a word. */
TEST(plan_of_ioam_is_full_at_opt_data_len_255)
{
    size_t nodes;
    for (nodes = 60; nodes <= 61; nodes++) {
        test_frame x = frame_of(V6("0000", "00") "3b000100 31000001 007b0805 80000000");
        const bool fits = nodes == 60;
        x.n += 4 * nodes;
        x.b[45] = (uint8_t)(10 + 4 * nodes);
        if (!fits) memcpy(x.b + x.n, "\1\2", 2);
        if (!fits) x.n += 4;
        x.b[41] = (uint8_t)((x.n - 40) / 8 - 1);
        rocecc_store16(x.b + 4, (uint16_t)(x.n - 40));
        if (fits) {
            carried_out_in_place("ioam push", &plans_domain, &x);
            CHECK(x.b[x.n - 4 * nodes - 16 + 1] == 254);
        } else {
            rocecc_edit e;
            CHECK_EQ(planned("ioam push", &plans_domain, &x, &e), ROCECC_EDIT_FULL);
            CHECK(e.n_splices == 0 && rocecc_edit_needs_action(&e)); /* O is set */
        }
    }
}

/* A probe ends at the sink, and a live packet continues. */
TEST(plan_of_a_probe_ends_at_the_sink)
{
    test_frame live =
                   frame_of(V4("0024", "fd") "2f1104ff" UDP("12b7", "0008") "ff00fe00"),
               probe = live;
    test_frame trace = frame_of(V6("0010", "00") "3b010100 310a0000 007b0800 80000000");
    probe.b[22] = 0;
    carried_out_in_place("ifa strip", &plans_domain, &live);
    CHECK_EQ(live.n, 28);
    refused("ifa strip", &probe, ROCECC_EDIT_PROBE);
    probe = trace;
    probe.b[50] |= 1; /* A: 0x2 of the four Flags */
    carried_out_in_place("ioam strip", &plans_domain, &trace);
    CHECK_EQ(trace.n, 40);
    refused("ioam strip", &probe, ROCECC_EDIT_PROBE);
}

/* No plan changes bytes that an Authentication Header covers. */
TEST(plan_does_not_change_bytes_covered_by_ah)
{
    const test_frame plain = frame_of(V6("0020", "33") AH("11") UDP("12b7", "0008"));
    const test_frame ifa =
        frame_of(V6("0028", "33") AH("fd") "2f1104ff" UDP("12b7", "0008") "ff00fe00");
    const test_frame mark = frame_of(
        V6("0030", "33") AH("11") UDP("1388", "0018") "140312b7"
                                                      "20000107 80000000 00000000");
    const test_frame trace =
        frame_of(V6("0028", "00") "33010100 310a0001 007b0805 80000000" AH("3b"));
    refused("ifa insert", &plain, ROCECC_EDIT_AH);
    refused("int port", &plain, ROCECC_EDIT_AH);
    refused("int new udp", &plain, ROCECC_EDIT_AH);
    refused("ioam insert", &plain, ROCECC_EDIT_AH);
    refused("ifa push", &ifa, ROCECC_EDIT_AH);
    refused("ifa strip", &ifa, ROCECC_EDIT_AH);
    refused("int push", &mark, ROCECC_EDIT_AH);
    refused("int strip port", &mark, ROCECC_EDIT_AH);
    refused("ioam push", &trace, ROCECC_EDIT_AH);
    refused("ioam strip", &trace, ROCECC_EDIT_AH);
}

#define SIX PAD8("3c") PAD8("3c") PAD8("3c") PAD8("3c") PAD8("3c") PAD8("3c")

/* All eight extension headers are checked for an AH. */
TEST(plan_finds_ah_as_the_last_extension_header)
{
    test_frame x = frame_of(V6("0040", "00") SIX PAD8("3c") PAD8("3b"));
    const test_frame ah = frame_of(V6("0050", "00") SIX PAD8("33") AH("3b"));
    carried_out_in_place("ioam insert", &plans_domain, &x);
    CHECK_EQ(x.n, 40 + 64 + 16);
    refused("ioam insert", &ah, ROCECC_EDIT_AH);
}

/* A trace without a Namespace-ID gives NONE, and with a wrong alignment BROKEN. */
TEST(plan_rejects_a_trace_without_namespace_or_alignment)
{
    const test_frame bare =
        frame_of(V6("0010", "00") "3b010100 31020001 1e06a1a2 a3a4a5a6");
    const test_frame odd =
        frame_of(V6("0010", "00") "3b01310a 0001007b 08058000 00000100");
    refused("ioam push", &bare, ROCECC_EDIT_NONE);
    refused("ioam strip", &bare, ROCECC_EDIT_NONE);
    refused("ioam push", &odd, ROCECC_EDIT_BROKEN);
    refused("ioam strip", &odd, ROCECC_EDIT_BROKEN);
    refused("ioam insert", &odd, ROCECC_EDIT_BROKEN);
}

/* The options are cut off after the walk. */
TEST(plan_of_a_cut_trace_is_broken)
{
    const test_frame x =
        frame_of(V6("0010", "00") "3b010100 310a0001 007b0805 80000000");
    rocecc_ioam_option o = {7, 7, {x.b, 0, 0}};
    rocecc_packet p;
    rocecc_edit e;
    size_t n;
    (void)rocecc_packet_parse(&plans_domain, rocecc_reader_of(x.b, x.b + x.n), &p);
    for (n = 40; n < x.n; n++) {
        const uint8_t *at = guard_end(x.b, n);
        p.bytes = rocecc_reader_of(at, at + n);
        CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_ERR_SHORT);
        CHECK(o.reserved == 7 && o.opt_type == 7);
        CHECK_EQ(named("ioam push")->make(&p, UINT32_MAX, &e), ROCECC_EDIT_BROKEN);
        CHECK(!rocecc_edit_needs_action(&e));
    }
}
