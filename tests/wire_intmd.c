/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * intmd_edges.c - the words of a domain in INT-MD, and nodes by another layout.
 */
#include "lib/test.h"
#include "rocecc/wire/intmd.h"

#include <string.h>

/* A domain's source adds words by its id alone; an id of 0 is no domain's. */
TEST(intmd_source_words_of_a_domain_alone)
{
    static const uint8_t bytes[12 + 4 * 3] = {0x20, 0, 1, 9, 0x80, 0, 0, 7, 0x80, 0};
    uint8_t b[sizeof bytes];
    rocecc_intmd_config c;
    rocecc_intmd h;
    memset(&c, 0, sizeof c); /* no port, no DSCP, no marker: the caller knows */
    memcpy(b, bytes, sizeof b);
    c.ds_id = 7;
    c.source_words[0] = 2; /* of bit 0x8000 */
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    CHECK(h.source_words == 2 && h.n_nodes == 1);
    c.ds_id = 0;
    c.udp_port = 5000;
    b[7] = 0;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    CHECK(h.source_words == 0 && h.n_nodes == 3);
}

/* Each bit of DS Instruction has words of its own, the lowest bit too. */
TEST(intmd_source_words_of_each_bit)
{
    uint8_t b[12 + 4 * 17] = {0x20, 0, 1, 9, 0x80, 0, 0, 7};
    rocecc_intmd_config c;
    unsigned i;
    memset(&c, 0, sizeof c);
    c.ds_id = 7;
    for (i = 0; i < 16; i++)
        c.source_words[i] = (uint8_t)(i + 1);
    for (i = 0; i < 16; i++) { /* a node of one word, and those */
        rocecc_intmd h;
        rocecc_store16(b + 8, (uint16_t)(0x8000 >> i));
        test_context("bit %u", i);
        CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + 12 + 4 * (i + 2)), &h),
                 ROCECC_OK);
        CHECK(h.source_words == i + 1 && h.n_nodes == 1);
    }
}

/* A layout of other instructions, of as many words, reads no node. */
TEST(intmd_layout_of_another_bitmap)
{
    static const uint8_t b[12 + 4] = {0x20, 0, 1, 9, 0x80, 0, 0, 0, 0, 0, 0, 0, 1};
    const rocecc_intmd_config c = ROCECC_ZERO;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_reader nodes;
    rocecc_intmd h;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    nodes = h.nodes;
    rocecc_intmd_layout_update(ROCECC_INTMD_INTERFACES, &l);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_ERR_FORMAT);
    CHECK_EQ(nodes.at, 12);
    rocecc_intmd_layout_update(ROCECC_INTMD_NODE_ID, &l);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_OK);
    CHECK_EQ(n.word[0], 0x01000000);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_END);
}

/* A domain's word is the last one of a node, but for the checksum complement, which
 * only bit 15 of the instructions asks for. */
TEST(intmd_word_of_a_domain)
{
    static const uint8_t with[12 + 12] = {0x20, 0, 3,   9, 0x80, 1, 0, 2,
                                          0x40, 0, 0,   0, 0,    0, 0, 1,
                                          0xd5, 0, 0xd, 5, 0xcc, 0, 0, 0};
    static const uint8_t without[12 + 8] = {0x20, 0, 2, 9, 0x80, 0, 0,    3, 0x40, 0,
                                            0,    0, 0, 0, 0,    1, 0xd5, 0, 0xd,  5};
    const rocecc_intmd_config c = ROCECC_ZERO;
    int i;
    for (i = 0; i < 2; i++) {
        const uint8_t *b = i ? with : without;
        const size_t bytes = i ? sizeof with : sizeof without;
        rocecc_report_layout l = ROCECC_ZERO;
        rocecc_intmd_node n;
        rocecc_reader nodes, ds;
        const uint8_t *word;
        rocecc_intmd h;
        test_context("%s", i ? "with a complement" : "without one");
        CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + bytes), &h), ROCECC_OK);
        rocecc_intmd_layout_update(h.header.instructions, &l);
        nodes = h.nodes;
        CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_OK);
        ds = rocecc_intmd_ds(&h, nodes);
        CHECK_EQ(rocecc_left(&ds), 4);
        word = rocecc_take(&ds, 4);
        if (word != NULL) CHECK_EQ(rocecc_load32(word), 0xd5000d05);
    }
}
