/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/wire/report.h"

#include <string.h>

/*
 * Low 24 bits of word 3, words 6 and 7, 56 bits from word 8 on, 20 measured bits in
 * word 31.
 */
#define LOW24 (3u << 16 | 0u << 8 | 24u)
#define WIDE (6u << 16 | 0u << 8 | 64u)
#define WIDE56 (8u << 16 | 0u << 8 | 56u)
#define MEASURED (31u << 16 | 4u << 8 | 20u | 0x8000u)

/*
 * In a new report, all words are ones, so all items are absent. A set item is read
 * back, is written to its own bits, and can be cleared. A value too wide gives RANGE.
 */
TEST(report_items_are_absent_until_they_are_set)
{
    uint32_t word[ROCECC_REPORT_WORDS];
    int i;
    rocecc_report_init(word);
    for (i = 0; i < 32; i++)
        CHECK_EQ(word[i], 0xffffffff);
    CHECK(!rocecc_report_item_has(word, LOW24) && !rocecc_report_item_has(word, WIDE));
    CHECK_EQ(rocecc_report_item_ones_(LOW24), 0xffffff);
    CHECK_EQ(rocecc_report_item_ones_(WIDE), UINT64_MAX);
    CHECK_EQ(rocecc_report_item_set(word, LOW24, 0x1000000), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_report_item_set(word, LOW24, 0x123456), ROCECC_OK);
    CHECK_EQ(word[3], 0xff123456);
    CHECK(rocecc_report_item_has(word, LOW24));
    CHECK_EQ(rocecc_report_item_get(word, LOW24), 0x123456);
    CHECK_EQ(rocecc_report_item_set(word, WIDE, UINT64_C(0x0123456789abcdef)),
             ROCECC_OK);
    CHECK(word[6] == 0x01234567 && word[7] == 0x89abcdef);
    CHECK_EQ(rocecc_report_item_get(word, WIDE), UINT64_C(0x0123456789abcdef));
    CHECK_EQ(rocecc_report_item_set(word, WIDE56, UINT64_C(0x23456789abcdef)),
             ROCECC_OK);
    CHECK(word[8] == 0xff234567 && word[9] == 0x89abcdef);
    CHECK_EQ(rocecc_report_item_get(word, WIDE56), UINT64_C(0x23456789abcdef));
    CHECK_EQ(rocecc_report_item_set(word, MEASURED, 0xfffff), ROCECC_OK); /* one less */
    CHECK_EQ(word[31], 0xffffffef);
    CHECK_EQ(rocecc_report_item_get(word, MEASURED), 0xffffe);
    rocecc_report_item_clear(word, MEASURED);
    rocecc_report_item_clear(word, LOW24);
    CHECK(word[31] == 0xffffffff && word[3] == 0xffffffff);
    for (i = 0; i < 32; i++)
        if (i < 6 || i > 9) CHECK_EQ(word[i], 0xffffffff);
}

/* Bits 31, 30 and 28 ask for words 0, 1 and 3. */
TEST(report_layout_reads_and_writes_its_words)
{
    static const uint8_t wire[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0xa, 0xb, 0xc, 0xd};
    const uint8_t *at = guard_end(wire, 8);
    uint32_t word[ROCECC_REPORT_WORDS];
    rocecc_report_layout l;
    uint8_t out[12];
    rocecc_writer w = rocecc_writer_of(out, out + 12);
    rocecc_writer less = rocecc_writer_of(out, out + 11);
    CHECK_EQ(rocecc_report_layout_words(0xd0000000), 3);
    CHECK_EQ(rocecc_report_layout_words(0), 0);
    CHECK_EQ(rocecc_report_layout_words(0xffffffff), 32);
    memset(&l, 0xff, sizeof l);
    rocecc_report_layout_init(&l, 0x1234, 0xd0000000);
    CHECK(l.bitmap == 0x1234 && l.n == 3 && l.tx_bytes_bit == 0 &&
          l.interface_bit == 0);
    CHECK(l.word[0] == 0 && l.word[1] == 1 && l.word[2] == 3);
    rocecc_report_init(word);
    rocecc_report_layout_load(&l, rocecc_reader_of(wire, wire + 12), word);
    CHECK(word[0] == 1 && word[1] == 2 && word[2] == 0xffffffff &&
          word[3] == 0xa0b0c0d);
    rocecc_report_init(word); /* fewer words than in the layout */
    rocecc_report_layout_load(&l, rocecc_reader_of(at, at + 8), word);
    CHECK(word[0] == 1 && word[1] == 2 && word[3] == 0xffffffff);
    word[3] = 0xa0b0c0d;
    CHECK(rocecc_report_store(&w, word, 32, 0xd0000000));
    CHECK(w.at == 12 && memcmp(out, wire, 12) == 0);
    CHECK(!rocecc_report_store(&less, word, 32, 0xd0000000));
    w.at = 0;
    CHECK(rocecc_report_store(&w, word, 3, 0xd0000000)); /* the first three at most */
    CHECK_EQ(w.at, 8);
}

/* An item may begin and end at any bit of its word, and changes no neighbour. */
TEST(report_item_at_every_bit_changes_only_itself)
{
    uint32_t word[ROCECC_REPORT_WORDS], shift, bits;
    for (shift = 0; shift < 32; shift++)
        for (bits = 1; bits + shift <= 32; bits++) {
            const uint32_t item = 5u << 16 | shift << 8 | bits;
            const uint32_t ones = 0xffffffffu >> (32 - bits);
            test_context("%u bits from bit %u", (unsigned)bits, (unsigned)shift);
            rocecc_report_init(word);
            CHECK_EQ(rocecc_report_item_set(word, item, 0), ROCECC_OK);
            CHECK_EQ(word[5], ~(ones << shift));
            CHECK(word[4] == 0xffffffff && word[6] == 0xffffffff);
            word[5] = 0;
            CHECK_EQ(rocecc_report_item_set(word, item, ones), ROCECC_OK);
            CHECK_EQ(word[5], ones << shift);
            CHECK_EQ(rocecc_report_item_get(word, item), ones);
            CHECK_EQ(rocecc_report_item_set(word, item, (uint64_t)ones + 1),
                     ROCECC_ERR_RANGE);
            CHECK_EQ(word[5], ones << shift);
            word[5] = 0;
            rocecc_report_item_clear(word, item | ROCECC_REPORT_ITEM_MEASURED_);
            CHECK_EQ(word[5], ones << shift);
        }
}

/* An item above 32 bits fills the next word. */
TEST(report_item_above_32_bits_fills_the_next_word)
{
    uint32_t word[ROCECC_REPORT_WORDS], bits;
    for (bits = 33; bits <= 64; bits++) {
        const uint32_t item = 5u << 16 | bits, high = 0xffffffffu >> (64 - bits);
        const uint64_t last = UINT64_C(1) << (bits - 1);
        test_context("%u bits", (unsigned)bits);
        rocecc_report_init(word);
        word[4] = 0; /* a neighbour is not read */
        CHECK_EQ(rocecc_report_item_set(word, item, last | 1), ROCECC_OK);
        CHECK_EQ(word[5], ~high | (high - high / 2));
        CHECK(word[6] == 1 && word[4] == 0 && word[7] == 0xffffffff);
        CHECK_EQ(rocecc_report_item_get(word, item), last | 1);
        CHECK_EQ(rocecc_report_item_set(word, item, last), ROCECC_OK);
        CHECK_EQ(rocecc_report_item_get(word, item), last);
        if (bits < 64)
            CHECK_EQ(rocecc_report_item_set(word, item, 2 * last), ROCECC_ERR_RANGE);
        CHECK(rocecc_report_item_has(word, item));
        rocecc_report_item_clear(word, item | ROCECC_REPORT_ITEM_MEASURED_);
        CHECK(word[5] == 0xffffffff && word[6] == 0xffffffff);
        CHECK(!rocecc_report_item_has(word, item));
    }
}

/* Each bit asks for its own word, and the lowest bit for the last word. */
TEST(report_store_writes_the_word_of_each_bit)
{
    uint32_t word[ROCECC_REPORT_WORDS], i;
    for (i = 0; i < 32; i++)
        word[i] = 100 + i;
    for (i = 0; i < 32; i++) {
        uint8_t out[8];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        test_context("word %u", (unsigned)i);
        CHECK(rocecc_report_store(&w, word, 32, 0x80000000u >> i));
        CHECK_EQ(w.at, 4);
        CHECK_EQ(rocecc_load32(out), 100 + i);
    }
}

/* Layouts of each word alone, and of all 32 words. */
TEST(report_layout_has_the_word_of_each_bit)
{
    uint32_t word[ROCECC_REPORT_WORDS], i;
    uint8_t wire[4 * ROCECC_REPORT_WORDS];
    rocecc_report_layout l;
    for (i = 0; i < 32; i++) {
        rocecc_store32(wire + 4 * i, 100 + i);
        memset(&l, 0xff, sizeof l);
        rocecc_report_layout_init(&l, 7, 0x80000000u >> i);
        test_context("word %u", (unsigned)i);
        CHECK(l.n == 1 && l.word[0] == i);
    }
    rocecc_report_layout_init(&l, 7, 0xffffffff);
    CHECK_EQ(l.n, 32);
    rocecc_report_init(word);
    rocecc_report_layout_load(&l, rocecc_reader_of(wire, wire + sizeof wire), word);
    for (i = 0; i < 32; i++)
        CHECK_EQ(word[i], 100 + i);
}

/* All ones of an item that is not measured are accepted, and make it absent. */
TEST(report_item_of_all_ones_is_absent_unless_measured)
{
    uint32_t word[ROCECC_REPORT_WORDS];
    rocecc_report_init(word);
    CHECK_EQ(rocecc_report_item_set(word, LOW24, 1), ROCECC_OK);
    CHECK_EQ(rocecc_report_item_set(word, LOW24, 0xffffff), ROCECC_OK);
    CHECK(!rocecc_report_item_has(word, LOW24));
    CHECK_EQ(rocecc_report_item_set(word, MEASURED, 0xfffff), ROCECC_OK);
    CHECK(rocecc_report_item_has(word, MEASURED));
}

/*
 * In 7 bytes for words 0 and 3, the second word is not whole, and its place does not
 * change.
 */
TEST(report_layout_load_reads_only_whole_words)
{
    static const uint8_t wire[7] = {0, 0, 0, 1, 9, 9, 9};
    const uint8_t *at = guard_end(wire, sizeof wire);
    uint32_t word[ROCECC_REPORT_WORDS] = {7, 7, 7, 7, 7};
    rocecc_report_layout l;
    rocecc_report_layout_init(&l, 1, 0x90000000);
    rocecc_report_layout_load(&l, rocecc_reader_of(at, at + sizeof wire), word);
    CHECK(word[0] == 1 && word[1] == 7 && word[2] == 7 && word[3] == 7);
}

/* In room for two of three words, two are written, and the writer is after them. */
TEST(report_store_writes_as_many_words_as_fit)
{
    uint32_t word[ROCECC_REPORT_WORDS] = {1, 2, 3, 4};
    uint8_t out[11] = {0};
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    CHECK(!rocecc_report_store(&w, word, 32, 0xb0000000));
    CHECK_EQ(w.at, 8);
    CHECK(rocecc_load32(out) == 1 && rocecc_load32(out + 4) == 3);
}
