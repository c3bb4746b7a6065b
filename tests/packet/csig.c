/* SPDX-License-Identifier: BSD-2-Clause */

/* csig.c - tests packet/csig.h. CSIG tags are found, inserted, updated and stripped,
 * also in frames that are cut before IP or have no place for a tag. */
#include "lib/frame.h"
#include "lib/guard.h"
#include "rocecc/packet/csig.h"

#include <string.h>

#define ETHER "020000000001 020000000002"

static const rocecc_domain on = {.csig = {.compact_tpid = 0x9900, .wide_tpid = 0x9901}};

/* An address that begins like a tag is not a tag. */
TEST(csig_an_address_like_a_tag_is_not_a_tag)
{
    const test_frame x = frame_of("990028110001 020000000002 0806 0001");
    const rocecc_packet p = frame_walked(&on, &x);
    rocecc_csig h;
    rocecc_edit e;
    memset(&h, 0, sizeof h);
    CHECK_EQ(p.headers.csig, 0);
    CHECK_EQ(rocecc_csig_find(&p, &h), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_csig_strip(&p, &e), ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
}

static rocecc_edit_verdict inserted(const char *hex, rocecc_edit *e)
{
    const rocecc_csig h = {0x9900, false, 1, 0, 31, 0, false};
    const test_frame x = frame_of(hex);
    const rocecc_packet p = frame_walked(&on, &x);
    test_context("%s", hex);
    CHECK_EQ(p.headers.status, ROCECC_ERR_SHORT);
    return rocecc_csig_insert(&p, &h, e);
}

/* A frame that is cut in a tag or a shim gives BROKEN. The tag goes before the type of
 * PPPoE, MPLS or IP, so a cut in these does not matter. */
TEST(csig_insert_of_a_cut_tag_is_broken)
{
    rocecc_edit e;
    CHECK_EQ(inserted(ETHER "8100 00", &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(inserted(ETHER "22e9 0001 08", &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(inserted(ETHER "0020 aaaa03 0000", &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(inserted(ETHER "8909 0101 0001 0005", &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(e.verdict, ROCECC_EDIT_BROKEN);
    CHECK_EQ(inserted(ETHER "8864 1100 0001 00", &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(inserted(ETHER "8847 0000", &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(inserted(ETHER "0800 4500", &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    CHECK(e.n_splices == 1 && e.splice[0].offset == 12 && e.splice[0].new_bytes == 4);
}

/* Checks that the plan compares n words from `at` on, in the format's own slots. */
static void check_own(const rocecc_edit *e, unsigned n, unsigned at)
{
    unsigned i;
    CHECK_EQ(e->words, ((1u << n) - 1) << ROCECC_EDIT_FORMAT);
    for (i = 0; i < n; i++)
        CHECK_EQ(e->word[ROCECC_EDIT_FORMAT + i].offset, at + 2 * i);
}

TEST(csig_plan_changes_the_tag_at_its_offset)
{
    static const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 5};
    const test_frame compact = frame_of(ETHER "9900 2f80 0806 0001");
    const test_frame wide = frame_of(ETHER "9901 0000 1fffff00 0806 0001");
    rocecc_packet p = frame_walked(&on, &compact);
    rocecc_csig_measured local;
    rocecc_csig_table t;
    rocecc_edit e;
    memset(&local, 0, sizeof local);
    memset(&t, 0, sizeof t);
    t.type[ROCECC_CSIG_ABW_C].n = 1;
    t.type[ROCECC_CSIG_ABW_C].wide = true;
    CHECK_EQ(rocecc_csig_strip(&p, &e), ROCECC_EDIT_CHANGE);
    check_own(&e, 2, 12);
    CHECK_EQ(rocecc_csig_push(&p, &t, &port, &local, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    check_own(&e, 2, 12);
    p = frame_walked(&on, &wide);
    CHECK_EQ(rocecc_csig_strip(&p, &e), ROCECC_EDIT_CHANGE);
    check_own(&e, 4, 12);
    CHECK_EQ(rocecc_csig_push(&p, &t, &port, &local, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    check_own(&e, 4, 12);
}

/* An 802.3 length includes the tag after it (UNSUPPORTED). A cut tag gives BROKEN. */
TEST(csig_strip_after_an_8023_length_is_unsupported)
{
    const test_frame x = frame_of(ETHER "0010 aaaa03 000000 9900 2f80 0806 0001");
    const rocecc_packet whole = frame_walked(&on, &x);
    const rocecc_packet cut =
        rocecc_packet_attach(&on, rocecc_reader_of(x.b, x.b + 23), &whole.headers);
    rocecc_edit e;
    CHECK(whole.headers.link == 12 && whole.headers.csig == 20);
    CHECK_EQ(rocecc_csig_strip(&whole, &e), ROCECC_EDIT_UNSUPPORTED);
    CHECK_EQ(rocecc_csig_strip(&cut, &e), ROCECC_EDIT_BROKEN);
    CHECK(!rocecc_edit_needs_action(&e));
}

/* By UDP Length, VXLAN contains a frame of 12 to 14 bytes. A tag cannot go before a
 * type that is cut off, even if more bytes follow. With 14 bytes it can. */
TEST(csig_insert_needs_the_whole_type)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER,
                             .csig = {.compact_tpid = 0x9900}};
    const rocecc_csig h = rocecc_csig_neutral(&d.csig, false, ROCECC_CSIG_ABW_C);
    size_t n;
    for (n = 12; n <= 14; n++) {
        uint8_t b[14 + 20 + 8 + 8 + 20] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08};
        rocecc_packet p, inner;
        rocecc_edit e;
        test_context("%zu bytes", n);
        frame_roce(b + 14, 20 + 8 + 8 + n, 0x08); /* flag I; reserved 0xffff */
        rocecc_store16(b + 14 + 22, 4789);
        b[14 + 36 + 12] = 0x12;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_OVERLAY);
        CHECK_EQ(p.headers.inner, 50);
        (void)rocecc_packet_inner(&p, &inner);
        CHECK_EQ(rocecc_csig_insert(&inner, &h, &e),
                 n < 14 ? ROCECC_EDIT_BROKEN : ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_edit_needs_action(&e), n == 14);
    }
}

/* A packet that begins with IP has no place for a tag (NONE, also in the plan). */
TEST(csig_insert_needs_an_ethernet_header)
{
    const rocecc_csig_config c = {.compact_tpid = 0x9900};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .csig = {.compact_tpid = 0x9900}};
    const rocecc_csig h = rocecc_csig_neutral(&c, false, ROCECC_CSIG_ABW_C);
    uint8_t b[60];
    rocecc_packet p;
    rocecc_edit e;
    frame_roce(b, sizeof b, 0x04);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    e.verdict = ROCECC_EDIT_CHANGE;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_NONE);
    CHECK_EQ(e.verdict, ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
}

/* If VLAN follows LLC, the CSIG tag goes directly after the addresses. */
TEST(csig_insert_before_llc_follows_the_addresses)
{
    static const rocecc_domain d = {.csig = {.compact_tpid = 0x9900}};
    test_frame x = frame_of(ETHER "0020 aaaa03 000000 8100 0007 0806 0001");
    rocecc_packet p;
    rocecc_csig h = ROCECC_ZERO;
    rocecc_edit e;
    rocecc_writer w;
    x.n = 14 + 0x20;
    memset(x.b + 28, 0, x.n - 28);
    p = frame_walked(&d, &x);
    CHECK(p.headers.n_vlan == 1 && p.headers.vlan[0] == 22 && p.headers.link == 12);
    h.tpid = 0x9900;
    h.value = 0x1f;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_CHANGE);
    CHECK(e.n_splices == 1 && e.splice[0].offset == 12 && e.splice[0].new_bytes == 4);
    w = rocecc_writer_of(x.b, x.b + sizeof x.b);
    w.at = x.n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(rocecc_load16(x.b + 12) == 0x9900 && rocecc_load16(x.b + 16) == 0x20);
}

/* Locator 128 needs 8 bits. fold() writes it, and push() rejects it only if it would be
 * written. */
TEST(csig_push_rejects_a_wide_locator_only_for_a_worse_bucket)
{
    static rocecc_csig_table table;
    const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 128};
    const rocecc_csig_measured measured = {{0, 0, 1, 0}};
    const test_frame x = frame_of(ETHER "9900 4000 0806 0001"); /* PD, bucket 0 */
    test_frame worst = x;
    rocecc_packet p = frame_walked(&on, &x);
    rocecc_csig tag;
    rocecc_edit e;
    table.type[ROCECC_CSIG_PD].n = 2;
    table.type[ROCECC_CSIG_PD].range[1].min = 1;
    table.type[ROCECC_CSIG_PD].range[1].max = 9;
    CHECK_EQ(rocecc_csig_find(&p, &tag), ROCECC_OK);
    CHECK_EQ(rocecc_csig_fold(&table, &port, &measured, &tag), ROCECC_CSIG_WRITTEN);
    CHECK(tag.value == 1 && tag.locator == 128);
    CHECK_EQ(rocecc_csig_fold(&table, &port, &measured, &tag), ROCECC_CSIG_KEPT);
    CHECK_EQ(rocecc_csig_push(&p, &table, &port, &measured, &e), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&e));
    worst.b[14] = 0x40;
    worst.b[15] = 0x80; /* bucket 1, as measured */
    p = frame_walked(&on, &worst);
    CHECK_EQ(rocecc_csig_push(&p, &table, &port, &measured, &e), ROCECC_EDIT_NONE);
}

/* A plan of insert() fits a packet of another VLAN, but not a packet with another TPID
 * or type. */
TEST(csig_insert_does_not_compare_the_vlan)
{
    const rocecc_csig h = {0x9900, false, 1, 0, 31, 0, false};
    unsigned byte;
    for (byte = 12; byte < 18; byte++) {
        test_frame x = frame_of(ETHER "8100 0007 0806 0001");
        const rocecc_packet p = frame_walked(&on, &x);
        const bool tci = byte == 14 || byte == 15;
        rocecc_writer w = rocecc_writer_of(x.b, x.b + sizeof x.b);
        rocecc_edit e;
        test_context("byte %u", byte);
        CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_CHANGE);
        x.b[byte] ^= 1;
        w.at = x.n;
        CHECK_EQ(rocecc_edit_apply(&e, &w) == ROCECC_OK, tci);
        CHECK_EQ(w.at, tci ? x.n + 4 : x.n);
    }
}
