/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cm.h"
#include "lib/frame.h"
#include "lib/noun.h"
#include "rocecc/packet/cm.h"

#include <string.h>

NOUN(cm, parse, false, ROCECC_CM_FIELDS);

static void call_cm_find(const vec_row *row)
{
    rocecc_reader r = noun_reader(row->bytes, row->n);
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    rocecc_packet p;
    rocecc_cm h, before;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    before = h;
    (void)rocecc_packet_parse(&d, r, &p);
    status = rocecc_cm_find(&p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    noun_check_out(row, cm_fields, NOUN_COUNT(cm_fields), status, &h);
}

static const noun_call calls[] = {{"cm_find", call_cm_find}};

TEST(cm_vectors)
{
    const noun_file file = {"cm", law_cm, &cm_noun, 1, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/*
 * Each bit from byte 20 on changes one member, or none (IBTA 12.6). Only the high bit
 * of the service in a REQ gives UNSUPPORTED.
 */
TEST(cm_each_bit_changes_at_most_one_member)
{
    static const uint16_t attribute[] = {0x10, 0x13, 0x14, 0x15};
    size_t k, bit;
    for (k = 0; k < NOUN_COUNT(attribute); k++) {
        uint8_t b[256];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_cm h = {0, 0, 0, 0, 0};
        h.attribute = attribute[k];
        CHECK_EQ(rocecc_cm_emit(&w, &h), ROCECC_OK);
        for (bit = 160; bit < 8 * 256; bit++) { /* AttributeModifier and after */
            rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
            const size_t qpn = k == 0 ? 56 * 8 : k == 1 ? 36 * 8 : 32 * 8;
            test_context("%04x, bit %zu", (unsigned)attribute[k], bit);
            b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            if (k == 0 && bit == 67 * 8 + 5) {
                CHECK_EQ(rocecc_cm_parse(&r, &h), ROCECC_ERR_UNSUPPORTED);
            } else {
                CHECK_EQ(rocecc_cm_parse(&r, &h), ROCECC_OK);
                CHECK_EQ(h.local_id,
                         bit >= 192 && bit < 224 ? 0x80000000u >> (bit - 192) : 0);
                CHECK_EQ(h.remote_id, k > 0 && bit >= 224 && bit < 256
                                          ? 0x80000000u >> (bit - 224)
                                          : 0);
                CHECK_EQ(h.qpn, k != 2 && bit >= qpn && bit < qpn + 24
                                    ? 0x800000u >> (bit - qpn)
                                    : 0);
                CHECK_EQ(h.service, k == 0 && bit == 67 * 8 + 6 ? 1 : 0);
            }
            b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        }
    }
}

static const rocecc_domain ether = {.link = ROCECC_LINK_ETHER};
static const rocecc_domain ip = {.link = ROCECC_LINK_IP};

/*
 * A UD packet to QP 1 has a DETH of 8 bytes. find() returns FORMAT if the packet ends
 * inside the DETH, and SHORT if only the capture ends there.
 */
TEST(cm_find_in_a_cut_deth_is_malformed_or_short)
{
    size_t n;
    for (n = 44; n <= 50; n++) {
        uint8_t b[50];
        rocecc_cm h;
        rocecc_packet p;
        test_context("%zu bytes", n);
        frame_roce(b, n, 0x64);
        b[35] = 1; /* DestQP */
        (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + 43), &p);
        CHECK_EQ(p.headers.bth, 28);
        CHECK_EQ(rocecc_cm_find(&p, &h), n < 48 ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT);
    }
}

/*
 * If a RoCEv2 capture ends inside the BTH, no other bytes are read as a BTH. Here, the
 * Ethernet addresses at offset 0 would give opcode 0x64 and QP 1.
 */
TEST(cm_match_needs_the_whole_bth)
{
    uint8_t b[14 + 60] = {0x64, 0, 0, 0, 0xff, 0, 0, 1, 0, 0, 0, 2, 0x08, 0x00};
    rocecc_packet p;
    rocecc_cm h;
    frame_roce(b + 14, 60, 0x64);
    b[14 + 35] = 1; /* DestQP */
    (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + 14 + 39), &p);
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_ROCEV2 && p.headers.bth == 0);
    CHECK(!rocecc_cm_match(&p));
    CHECK_EQ(rocecc_cm_find(&p, &h), ROCECC_NO_MATCH);
    (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + 14 + 40), &p);
    CHECK(rocecc_cm_match(&p));
}
