/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * l3qcn_tor_tags.c - tests an access ToR with VLAN tags that were cut after the headers
 * were parsed, and with an MSDU that begins with a tag. The expected values are by
 * hand.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "../../examples/lib/vec.h"
#include "rocecc/role/l3qcn_tor_learn.h"

#include <string.h>

/* Frames E1 and E4 of l3qcn_tor.c. E1 is data with two VLAN tags and a CN-TAG, and E4
 * is the answer of a congested device. */
static const char e1[] = "0200000001fe 02fd16783acd 88a8a064 8100a400 22e9c9a0 0800"
                         "45000050 12344000 3d06f96e 0a010a02 0a021401 22fd0015"
                         "11223344 00000000 50102000 00000000 0001020304050607"
                         "08090a0b0c0d0e0f 1011121314151617 18191a1b1c1d1e1f"
                         "2021222324252627";
static const char e4[] = "02000000aa01 020000000440 0800 45c00088 00004000 401107a0"
                         "0a021401 0a010a02 c0decafe 00747d1d 4c511406 006c1400"
                         "22fd0015 0a010a02 0a021401 001a 0200000004400305 fded 009c"
                         "a000 0200000001fe 0040 0800450000501234 40003d06f96e0a01"
                         "0a020a02140122fd 0015112233440000 0000501020000000"
                         "0000000102030405 060708090a0b0c0d 0e0f101112131415";

#define MSDU (0x3e + 24) /* offset in E4 of 64 bytes, to the end */
#define BUCKETS 4

static rocecc_flowtable_bucket bucket[BUCKETS];
static rocecc_flowtable_slot slots[8 * BUCKETS];
static rocecc_domain domain;

static rocecc_l3qcn_tor_config configured(void)
{
    static const rocecc_mac mac = {{2, 0, 0, 0, 2, 0x10}};
    rocecc_l3qcn_tor_config c = rocecc_l3qcn_tor_default();
    memset(&domain, 0, sizeof domain);
    domain.l3qcn.port = 0xcafe;
    c.table.secret[0] = 42;
    c.table.buckets = BUCKETS;
    c.mac = mac;
    c.unlimited = true;
    c.check_msdu = true;
    CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL), ROCECC_L3QCN_TOR_ACCEPTED);
    return c;
}

static rocecc_l3qcn_tor_event event(void *begin, void *end)
{
    rocecc_l3qcn_tor_event e;
    memset(&e, 0, sizeof e);
    e.admission.now_ns = 1000000000;
    e.memory.bucket = bucket;
    e.memory.slot = slots;
    e.writer = rocecc_writer_of(begin, end);
    return e;
}

static rocecc_l3qcn_tor start(const rocecc_l3qcn_tor_config *c)
{
    const rocecc_flowtable_memory memory = {bucket, slots};
    memset(bucket, 0, sizeof bucket);
    memset(slots, 0, sizeof slots);
    return rocecc_l3qcn_tor_start(c, &memory);
}

static size_t frame_of(const char *text, uint8_t *b)
{
    size_t n = 0;
    CHECK(vec_hex(text, b, &n));
    return n;
}

/* A frame that was cut before, in or after its tags, after the headers were parsed, is
 * not learned, and no byte beyond its end is read. */
TEST(l3qcn_tor_does_not_learn_a_frame_cut_after_parsing)
{
    rocecc_l3qcn_tor_config c = configured();
    rocecc_l3qcn_tor s;
    uint8_t b[400];
    const size_t whole = frame_of(e1, b);
    rocecc_packet p;
    size_t n;
    c.learn_untagged = true;
    s = start(&c);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + whole), &p); /* TCP */
    CHECK_EQ(p.headers.n_vlan, 2);
    p.headers.cntag = 0; /* so that the CN-TAG is not checked */
    for (n = 0; n <= whole; n++) {
        const rocecc_l3qcn_tor_event e = event(NULL, NULL);
        const uint8_t *at = guard_end(b, n);
        rocecc_l3qcn_tor_learn_result out;
        p.bytes = rocecc_reader_of(at, at + n);
        test_context("%zu bytes", n);
        out = rocecc_l3qcn_tor_learn(&c, &s, &p, &e);
        CHECK_EQ(out.what, n < 12 + 3 * 4 + 2 + 20 + 4 ? ROCECC_L3QCN_TOR_NO_FLOW
                                                       : ROCECC_L3QCN_TOR_LEARNED);
    }
}

/* A tag needs the four bytes of its type and TCI, also at the end of the frame. If the
 * headers say that it begins later, it is not learned. */
TEST(l3qcn_tor_a_tag_at_the_end_needs_four_bytes)
{
    rocecc_l3qcn_tor_config c = configured();
    uint8_t b[400];
    const size_t whole = frame_of(e1, b);
    const rocecc_l3qcn_tor_event e = event(NULL, NULL);
    const uint8_t *at = guard_end(b, whole);
    size_t tci;
    for (tci = 0; tci <= 3; tci++) { /* bytes of the TCI in the frame */
        rocecc_l3qcn_tor s = start(&c);
        rocecc_l3qcn_tor_learn_result out;
        rocecc_packet p;
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(at, at + whole), &p);
        p.headers.vlan[0] = (uint8_t)(whole - tci);
        test_context("%zu bytes", tci);
        out = rocecc_l3qcn_tor_learn(&c, &s, &p, &e);
        CHECK_EQ(out.what, ROCECC_L3QCN_TOR_LEARNED);
        if (out.what != ROCECC_L3QCN_TOR_LEARNED) continue;
        CHECK_EQ(slots[out.table.slot].entry.origin.n_tags, tci < 2 ? 0 : 2);
    }
}

/* Returns the sum of n bytes as 16-bit words, modulo 0xffff. */
static uint32_t sum(const uint8_t *b, size_t n)
{
    uint32_t all = 0;
    size_t i;
    for (i = 0; i < n; i += 2)
        all += rocecc_load16(b + i);
    return all % 0xffff;
}

/*
 * S3: an MSDU of another flow is WRONG_MSDU if it begins with IP. If it begins with a
 * tag, its type is not IP, and nothing is compared. Its last word keeps the checksum
 * right.
 */
TEST(l3qcn_tor_S3_an_msdu_with_a_tag_is_not_compared)
{
    const rocecc_l3qcn_tor_config c = configured();
    unsigned other, tag;
    for (other = 0; other < 2; other++)
        for (tag = 0; tag < 2; tag++) {
            rocecc_l3qcn_tor s = start(&c);
            uint8_t b[500] = {0};
            size_t n = frame_of(e1, b);
            const rocecc_l3qcn_tor_event e = event(b, b + sizeof b);
            rocecc_l3qcn_tor_learn_result learned;
            rocecc_l3qcn_tor_convert_result out;
            rocecc_packet p;
            uint32_t was;
            test_context("another flow %u, a tag %u", other, tag);
            (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
            learned = rocecc_l3qcn_tor_learn(&c, &s, &p, &e);
            CHECK_EQ(learned.what, ROCECC_L3QCN_TOR_LEARNED);
            n = frame_of(e4, b);
            CHECK_EQ(n, MSDU + 64);
            was = sum(b + MSDU, 64);
            if (other) b[MSDU + 2 + 23] ^= 1; /* destination port */
            if (tag) {
                memmove(b + MSDU + 4, b + MSDU, 58);
                rocecc_store32(b + MSDU, 0x8100a400);
            }
            rocecc_store16(b + MSDU + 62, 0);
            rocecc_store16(b + MSDU + 62,
                           (uint16_t)((was + 0xffff - sum(b + MSDU, 64)) % 0xffff));
            (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
            rocecc_l3qcn_tor_convert(&c, &s, &p, &e, &out);
            CHECK_EQ(out.verdict, other && !tag ? ROCECC_L3QCN_TOR_WRONG_MSDU
                                                : ROCECC_L3QCN_TOR_CONVERTED);
        }
}
