/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet_plan_int.c - the switches of INT's plans: what is unknown is padded or not,
 * the checksum or its complement follows, the marks that a domain has on.
 */
#include "lib/frame.h"
#include "lib/plans.h"

#include <string.h>

#define V4(length) "4500" length "00014000 4011 0000 c0000201 c0000202"
#define DATA "0102030405060708 090a0b0c"
/* Asked for: a node's id, and the checksum complement. */
#define ASKS_FOR_COMPLEMENT                                                            \
    V4("0038") "c001 1388 0024 0000 140312b7 20000207 80010000 00000000" DATA
#define PROBE                                                                          \
    V4("0040")                                                                         \
    "c001 12b7 002c 0000 0123456789abcdef 10030000 20000107 80000000 00000000" DATA

static test_frame frame_of_hex(const char *hex)
{
    test_frame x = frame_of(hex);
    (void)plans_finish(x.b, 0, x.n, 0);
    return x;
}

static rocecc_reader none(void)
{
    return rocecc_reader_of(NULL, NULL);
}

static void push(const rocecc_domain *d, const rocecc_intmd_node *n, test_frame *x)
{
    const rocecc_packet p = frame_walked(d, x);
    rocecc_writer w = rocecc_writer_of(x->b, x->b + sizeof x->b);
    rocecc_edit e;
    CHECK_EQ(rocecc_intmd_push(&p, n, none(), 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = x->n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    x->n = w.at;
}

/* Whether lengths and checksums are those that are added up from nothing. */
static bool holds(const test_frame *x)
{
    test_frame anew = *x;
    (void)plans_finish(anew.b, 0, anew.n, 0);
    return memcmp(anew.b, x->b, x->n) == 0;
}

/* The node's complement makes up for all that the push has changed but UDP's checksum:
 * with the switch on, where the node has none, and where there is a checksum. */
TEST(plan_int_complement)
{
    rocecc_domain d = plans_domain;
    rocecc_intmd_node n;
    test_frame x;
    int on, own, sum;
    for (on = 0; on < 2; on++)
        for (own = 0; own < 2; own++)
            for (sum = 0; sum < 2; sum++) {
                const test_frame was = frame_of_hex(ASKS_FOR_COMPLEMENT);
                const bool kept = on && !own && sum;
                uint32_t complement;
                test_context("switch %d, own %d, checksum %d", on, own, sum);
                d.intmd.complement = on != 0;
                rocecc_intmd_node_init(&n);
                n.word[0] = 10;
                if (own) n.word[18] = 0x1234;
                x = was;
                if (!sum) rocecc_store16(x.b + 26, 0);
                push(&d, &n, &x);
                complement = rocecc_load32(x.b + 48);
                CHECK_EQ(x.n, was.n + 8);
                CHECK_EQ(rocecc_load32(x.b + 44), 10);
                if (own) CHECK_EQ(complement, 0x1234);
                if (!own && !kept) CHECK_EQ(complement, UINT32_MAX);
                if (kept) CHECK(complement >> 16 == 0);
                CHECK_EQ(rocecc_load16(x.b + 26) == rocecc_load16(was.b + 26), kept);
                CHECK_EQ(holds(&x), sum != 0);
            }
}

/* Words that no instruction of ours asks for are a domain's; without one, nobody's. */
TEST(plan_int_unknown)
{
    rocecc_domain d = plans_domain;
    rocecc_intmd_node n;
    int id, pad;
    rocecc_intmd_node_init(&n);
    n.word[0] = 10;
    for (id = 0; id < 3; id++)
        for (pad = 0; pad < 2; pad++) {
            const bool known = id == 2 || pad;
            test_frame x = frame_of_hex(V4(
                "0038") "c001 1388 0024 0000 140312b7 20000207 80000000 00010000" DATA);
            rocecc_packet p;
            rocecc_edit e;
            test_context("id %d, pad %d", id, pad);
            x.b[39] = (uint8_t)id; /* DS ID: none, another, ours */
            (void)plans_finish(x.b, 0, x.n, 0);
            d.intmd.ds_id = 2;
            d.intmd.pad_unknown = pad != 0;
            p = frame_walked(&d, &x);
            CHECK_EQ(rocecc_intmd_push(&p, &n, none(), 1500, &e),
                     known ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_UNKNOWN);
            CHECK_EQ(rocecc_edit_needs_action(&e), known);
            if (known) CHECK_EQ(rocecc_load32(e.fill + 4), UINT32_MAX);
        }
    d.intmd.ds_id = 0; /* 0 is no domain, though it is the same number */
    d.intmd.pad_unknown = false;
    {
        test_frame x = frame_of_hex(
            V4("0038") "c001 1388 0024 0000 140312b7 20000207 80000000 00010000" DATA);
        const rocecc_packet p = frame_walked(&d, &x);
        rocecc_edit e;
        CHECK_EQ(rocecc_intmd_push(&p, &n, none(), 1500, &e), ROCECC_EDIT_UNKNOWN);
    }
}

/* What has a probe marker alone is marked by that, also where no DSCP marks anything.
 */
TEST(plan_int_probe_marker)
{
    rocecc_domain d = plans_domain;
    test_frame x = frame_of_hex(PROBE);
    const test_frame should = frame_of_hex(V4("0028") "c001 12b7 0014 0000" DATA);
    rocecc_writer w = rocecc_writer_of(x.b, x.b + sizeof x.b);
    rocecc_packet p;
    rocecc_edit e;
    rocecc_intmd_shim h;
    d.intmd.dscp = d.intmd.dscp_mask = 0;
    p = frame_walked(&d, &x);
    CHECK_EQ(rocecc_intmd_find(&p, &h), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_mark_find(&p, &h), ROCECC_INTMD_MARK_PROBE);
    CHECK_EQ(rocecc_intmd_strip(&p, &e), ROCECC_EDIT_CHANGE);
    w.at = x.n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(w.at == should.n && memcmp(x.b, should.b, should.n) == 0);
}

static rocecc_edit_verdict inserted(const rocecc_domain *d,
                                    const rocecc_intmd_source *s,
                                    const rocecc_intmd_node *n, rocecc_reader ds,
                                    rocecc_edit *e)
{
    const test_frame x = frame_of_hex(V4("0028") "c001 12b7 0014 0000" DATA);
    const rocecc_packet p = frame_walked(d, &x);
    return rocecc_intmd_insert(&p, s, n, ds, e);
}

/* Each mark by its switch. */
TEST(plan_int_marks)
{
    rocecc_intmd_source s;
    rocecc_edit e;
    int mark, off;
    s.src_port = 0;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 8);
    for (mark = 0; mark < 5; mark++)
        for (off = 0; off < 3; off++) {
            const int by = mark < 2 ? 0 : mark - 1; /* port, port, DSCP, marker */
            rocecc_domain d = plans_domain;
            test_context("mark %d, off %d", mark, off);
            if (off == 0) d.intmd.udp_port = 0;
            if (off == 1) d.intmd.dscp_mask = 0;
            if (off == 2) d.intmd.probe_marker = 0;
            s.mark = (rocecc_intmd_mark_type)mark;
            CHECK_EQ(inserted(&d, &s, NULL, none(), &e),
                     mark == 4 || off == by ? ROCECC_EDIT_NONE : ROCECC_EDIT_CHANGE);
        }
}

/* M of a source's header stays; Hop ML has 5 bits; a record has whole words. */
TEST(plan_int_header)
{
    static const uint8_t words[4] = {1, 2, 3, 4};
    rocecc_intmd_source s;
    rocecc_intmd_node n;
    rocecc_edit e;
    rocecc_intmd_node_init(&n);
    s.mark = ROCECC_INTMD_MARK_PORT;
    s.src_port = 0;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 8);
    CHECK_EQ(inserted(&plans_domain, &s, &n, none(), &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_load32(e.fill + 4), 0x20000107);
    s.header.m = true;
    CHECK_EQ(inserted(&plans_domain, &s, &n, none(), &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_load32(e.fill + 4), 0x22000107);
    CHECK_EQ(inserted(&plans_domain, &s, &n, rocecc_reader_of(words, words + 3), &e),
             ROCECC_EDIT_RANGE);
    s.header.ds_instruction = 1;
    for (s.header.hop_ml = 31; s.header.hop_ml <= 32; s.header.hop_ml++)
        CHECK_EQ(inserted(&plans_domain, &s, NULL, none(), &e),
                 s.header.hop_ml == 31 ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_RANGE);
}
