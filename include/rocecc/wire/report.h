/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_REPORT_H
#define ROCECC_WIRE_REPORT_H

/*
 * report.h - the common form of IOAM and INT reports. A bitmap in the packet selects
 * the words in each node's report. rocecc stores a report as an array with an element
 * for each 32-bit word. An item is a group of bits in a report. These bits are all ones
 * if the node does not know the item or the packet does not ask for it. A layout lists
 * the array index of each selected word, in wire order.
 *
 *     INT, instructions 0xd500    indices 0, 1, 3, 6, 7, 10: six words on the wire
 *     the item (3, 0, 24)         the low 24 bits of word 3: how full the queue is
 *     the item (6, 0, 64)         words 6 and 7: when the packet left
 *
 * Because a network uses the same bitmap in all packets, the caller should keep the
 * layout between packets. The first call to rocecc_ioam_layout_update() or
 * rocecc_intmd_layout_update() makes the layout, and later calls for the same bitmap
 * only check it.
 */
#include "../bytes.h"

#define ROCECC_REPORT_WORDS 32 /* length of every array */

/* Position of an item: its word, its lowest bit, and its number of bits. */
#define ROCECC_REPORT_ITEM_(word, shift, bits) ((word) << 16 | (shift) << 8 | (bits))

/*
 * Flag for a measured item in IOAM: a time, delay, depth, occupancy or count. For such
 * an item, a value of all ones is stored as all ones minus 1.
 */
#define ROCECC_REPORT_ITEM_MEASURED_ 0x8000

/* Returns the largest value of an item, which marks the item as absent. */
ROCECC_FN uint64_t rocecc_report_item_ones_(uint32_t item)
{
    return UINT64_MAX >> ((64 - (item & 0x7f)) & 63);
}

/* Returns an item in a report, or all ones if the report lacks the item. */
ROCECC_FN uint64_t rocecc_report_item_get(const uint32_t *report, uint32_t item)
{
    const uint32_t i = item >> 16;
    uint64_t v = report[i & 31];
    if ((item & 0x7f) > 32) v = v << 32 | report[(i + 1) & 31];
    return v >> (item >> 8 & 31) & rocecc_report_item_ones_(item);
}

/* Returns true if a report has an item. */
ROCECC_FN bool rocecc_report_item_has(const uint32_t *report, uint32_t item)
{
    return rocecc_report_item_get(report, item) != rocecc_report_item_ones_(item);
}

/*
 * Sets an item. A value of all ones marks the item as absent. For an item with the flag
 * ROCECC_REPORT_ITEM_MEASURED_, this value is stored as all ones minus 1 instead.
 * Returns RANGE if the value is wider than the item.
 */
ROCECC_FN rocecc_status rocecc_report_item_set(uint32_t *report, uint32_t item,
                                               uint64_t value)
{
    const uint32_t i = item >> 16, shift = item >> 8 & 31;
    const uint64_t ones = rocecc_report_item_ones_(item);
    const uint32_t high = (uint32_t)(ones >> 32);
    if (value > ones) return ROCECC_ERR_RANGE;
    if ((item & ROCECC_REPORT_ITEM_MEASURED_) != 0 && value == ones) value--;
    if (high != 0) {
        report[i & 31] = (report[i & 31] & ~high) | (uint32_t)(value >> 32);
        report[(i + 1) & 31] = (uint32_t)value;
    } else {
        report[i & 31] &= ~((uint32_t)ones << shift);
        report[i & 31] |= (uint32_t)value << shift;
    }
    return ROCECC_OK;
}

/* Marks an item as absent, even a measured item. */
ROCECC_FN void rocecc_report_item_clear(uint32_t *report, uint32_t item)
{
    item &= ~(uint32_t)ROCECC_REPORT_ITEM_MEASURED_;
    (void)rocecc_report_item_set(report, item, rocecc_report_item_ones_(item));
}

/*
 * Marks all items of a report as absent by setting every bit of its ROCECC_REPORT_WORDS
 * words.
 */
ROCECC_FN void rocecc_report_init(uint32_t *report)
{
    int i;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        report[i] = UINT32_MAX;
}

/*
 * Writes the words that `wanted` asks for, but only from the first n_words words of
 * `report`. Bit 31 - i of `wanted` asks for word i. Returns false if `writer` is too
 * small. In this case, some of the words may already have been written.
 */
ROCECC_FN bool rocecc_report_store(rocecc_writer *writer, const uint32_t *report,
                                   int n_words, uint32_t wanted)
{
    uint32_t bit = 0x80000000u;
    int i;
    for (i = 0; i < n_words; i++, bit >>= 1) {
        uint8_t *b;
        ROCECC_BPF_PART_(writer->at);
        if ((wanted & bit) == 0) continue;
        b = rocecc_put(writer, 4);
        if (b == NULL) return false;
        rocecc_store32(b, report[i]);
    }
    return true;
}

/*
 * Array indices of the words that a bitmap selects, in wire order. If all members are
 * 0, the layout belongs to a bitmap that asks for nothing.
 */
typedef struct rocecc_report_layout {
    uint32_t bitmap;      /* IOAM's trace type, or INT's bitmap with
                             ROCECC_REPORT_LAYOUT_INTMD_ */
    uint8_t tx_bytes_bit; /* from the IOAM configuration */
    uint8_t interface_bit;
    uint8_t n;                         /* number of words */
    uint8_t word[ROCECC_REPORT_WORDS]; /* n indices; the rest is unused */
} rocecc_report_layout;

#define ROCECC_REPORT_LAYOUT_INTMD_ 0x80000000u

/* Returns the number of words that `wanted` asks for. */
ROCECC_FN uint8_t rocecc_report_layout_words(uint32_t wanted)
{
    wanted = (wanted & 0x55555555u) + (wanted >> 1 & 0x55555555u);
    wanted = (wanted & 0x33333333u) + (wanted >> 2 & 0x33333333u);
    wanted = (wanted + (wanted >> 4)) & 0x0f0f0f0fu;
    return (uint8_t)(wanted * 0x01010101u >> 24);
}

/*
 * Makes a layout, and sets tx_bytes_bit and interface_bit to 0. Bit 31 - i of `wanted`
 * asks for word i.
 */
ROCECC_FN void rocecc_report_layout_init(rocecc_report_layout *layout, uint32_t bitmap,
                                         uint32_t wanted)
{
    size_t i, n = 0;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        layout->word[i] = 0;
    for (i = 0; i < ROCECC_REPORT_WORDS && wanted != 0; i++, wanted <<= 1) {
        layout->word[n & 31] = (uint8_t)i; /* the next i replaces it if unwanted */
        n += wanted >> 31;
    }
    layout->n = (uint8_t)n;
    layout->bitmap = bitmap;
    layout->tx_bytes_bit = layout->interface_bit = 0;
}

/*
 * Copies each whole word in `words` to its element of `report`. `words` must have at
 * most layout->n words.
 */
ROCECC_FN void rocecc_report_layout_load(const rocecc_report_layout *layout,
                                         rocecc_reader words, uint32_t *report)
{
    int i;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++) {
        const uint8_t *b = rocecc_take(&words, 4);
        if (b == NULL) break;
        report[layout->word[i] & 31] = rocecc_load32(b);
    }
}

#endif /* ROCECC_WIRE_REPORT_H */
