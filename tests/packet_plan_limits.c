/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet_plan_limits.c - the makers of plans where a length of their format has come to
 * its end, and with each of their switches on and off.
 */
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/plans.h"

#include <string.h>

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
    test_fail(__FILE__, __LINE__, "no plan is called %s", name);
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

/* A plan that does nothing, for this reason. */
static void refused(const char *name, const test_frame *x, rocecc_edit_verdict verdict)
{
    rocecc_edit e;
    test_context("%s", name);
    CHECK_EQ(planned(name, &plans_domain, x, &e), verdict);
    CHECK(!rocecc_edit_needs_action(&e));
}

static void carried_out(const char *name, const rocecc_domain *d, test_frame *x)
{
    rocecc_writer w = rocecc_writer_of(x->b, x->b + sizeof x->b);
    rocecc_edit e;
    test_context("%s", name);
    CHECK_EQ(planned(name, d, x, &e), ROCECC_EDIT_CHANGE);
    w.at = x->n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    x->n = w.at;
}

/* INT's Length counts 255 words: 3 of header and 252 nodes of one. */
TEST(plan_limit_of_int)
{
    test_frame x = frame_of(
        V4("002c", "11") UDP("1388", "0018") "140012b7 20000107 80000000 00000000");
    x.b[29] = 254;
    x.n += 4 * 251;
    (void)plans_finish(x.b, 0, x.n, 4 * 251);
    carried_out("int push", &plans_domain, &x);
    CHECK_EQ(x.b[29], 255);
    CHECK_EQ(rocecc_load16(x.b + 24), 0x18 + 4 * 252);
    refused("int push", &x, ROCECC_EDIT_FULL);
}

/* IFA's Max Length, of words: a record has 8. */
TEST(plan_limit_of_ifa)
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
                x.b[36 + 32 * i] = 0x10; /* its name space: layout A */
            x.n += more;
            (void)plans_finish(x.b, 0, x.n, more);
            rocecc_store16(x.b + 24 + 4, 8); /* UDP does not count them */
            test_context("%u records, %u words", records, max);
            CHECK_EQ(planned("ifa push", &plans_domain, &x, &e),
                     8 * records + 8 <= max ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_FULL);
        }
}

/* Hop-by-Hop options of 8 options that no node here knows, `bytes` with their header.
 */
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

/* Hdr Ext Len is 255 at most: the trace and its padding have 24 bytes. */
TEST(plan_limit_of_the_header)
{
    test_frame x = long_header(2048 - 24);
    carried_out("ioam insert", &plans_domain, &x);
    CHECK(x.n == 40 + 2048 && x.b[41] == 255 && rocecc_load16(x.b + 4) == 2048);
    x = long_header(2048 - 16);
    refused("ioam insert", &x, ROCECC_EDIT_FULL);
}

/* Opt Data Len is 255 at most: 2, 8 of the trace, and 61 nodes of a word. */
TEST(plan_limit_of_the_option)
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
            carried_out("ioam push", &plans_domain, &x);
            CHECK(x.b[x.n - 4 * nodes - 16 + 1] == 254);
        } else {
            rocecc_edit e;
            CHECK_EQ(planned("ioam push", &plans_domain, &x, &e), ROCECC_EDIT_FULL);
            CHECK(e.n_splices == 0 && rocecc_edit_needs_action(&e)); /* O */
        }
    }
}

/* A probe ends at the sink; a live packet goes on. */
TEST(plan_of_a_probe)
{
    test_frame live =
                   frame_of(V4("0024", "fd") "2f1104ff" UDP("12b7", "0008") "ff00fe00"),
               probe = live;
    test_frame trace = frame_of(V6("0010", "00") "3b010100 310a0000 007b0800 80000000");
    probe.b[22] = 0;
    carried_out("ifa strip", &plans_domain, &live);
    CHECK_EQ(live.n, 28);
    refused("ifa strip", &probe, ROCECC_EDIT_PROBE);
    probe = trace;
    probe.b[50] |= 1; /* A: 0x2 of the four Flags */
    carried_out("ioam strip", &plans_domain, &trace);
    CHECK_EQ(trace.n, 40);
    refused("ioam strip", &probe, ROCECC_EDIT_PROBE);
}

/* Nobody changes what an Authentication Header covers. */
TEST(plan_after_ah)
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

/* All eight extension headers are looked at for one. */
TEST(plan_after_ah_as_the_last_header)
{
    test_frame x = frame_of(V6("0040", "00") SIX PAD8("3c") PAD8("3b"));
    const test_frame ah = frame_of(V6("0050", "00") SIX PAD8("33") AH("3b"));
    carried_out("ioam insert", &plans_domain, &x);
    CHECK_EQ(x.n, 40 + 64 + 16);
    refused("ioam insert", &ah, ROCECC_EDIT_AH);
}

/* A trace that is none of ours: no Namespace-ID; not where its alignment wants it. */
TEST(plan_of_a_trace_that_is_none)
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

/* A kept `where`, and options that are no longer all there. */
TEST(plan_of_a_trace_that_is_cut)
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
