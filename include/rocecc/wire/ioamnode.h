/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IOAMNODE_H
#define ROCECC_WIRE_IOAMNODE_H

/*
 * ioamnode.h - the data of an IOAM node. RFC 9197, 4.4.2. The bits of the trace type
 * select the items and determine their order. rocecc stores a node as an array with a
 * place for each possible word.
 *
 *     bit   0  1  2  3 ... 7    8      9      10    11  12 ... 21   22
 *     word  0  1  2  3 ... 7  8  9  10  11  12  13  14  15 ... 24   25
 *
 *     0xd20800: bits 0, 1, 3, 6, 12     five words, 20 bytes
 *     3f000a01 00650066 3b9ac618 00000040 fffff000     Hop_Lim 63, node 0xa01,
 *                                       ports 101 to 102, 999,999,000 ns, queue
 *                                       depth 64, 0xfffff000 bytes sent
 *
 * A packet does not identify its timestamp format (PTP, NTP or POSIX; RFC 9197, 5).
 * telemetry/telemetry.h converts timestamps to nanoseconds according to the configured
 * format.
 */
#include "config.h"
#include "report.h"

/* Bits of IOAM-Trace-Type, in the order of the items. Bit 0 is 0x800000. */
#define ROCECC_IOAM_NODE 0x800000u       /* bit 0: Hop_Lim, node_id */
#define ROCECC_IOAM_INTERFACES 0x400000u /* ingress_if_id, egress_if_id */
#define ROCECC_IOAM_SECONDS 0x200000u    /* timestamp seconds */
#define ROCECC_IOAM_FRACTION 0x100000u   /* timestamp fraction */
#define ROCECC_IOAM_TRANSIT_DELAY 0x080000u
#define ROCECC_IOAM_NAMESPACE_DATA 0x040000u /* namespace-specific data */
#define ROCECC_IOAM_QUEUE_DEPTH 0x020000u
#define ROCECC_IOAM_CHECKSUM_COMPLEMENT 0x010000u /* bit 7 */
#define ROCECC_IOAM_NODE_WIDE 0x008000u           /* bit 8 */
#define ROCECC_IOAM_INTERFACES_WIDE 0x004000u
#define ROCECC_IOAM_NAMESPACE_DATA_WIDE 0x002000u
#define ROCECC_IOAM_BUFFER_OCCUPANCY 0x001000u /* bit 11 */
#define ROCECC_IOAM_UNDEFINED 0x000ffcu        /* bits 12 to 21: one word each */
#define ROCECC_IOAM_SNAPSHOT 0x000002u  /* bit 22: opaque state, with its own length */
#define ROCECC_IOAM_RESERVED 0x000001u  /* bit 23 */
#define ROCECC_IOAM_TYPE_DATA 0xfffffeu /* all bits but the last */
#define ROCECC_IOAM_WIDE 0x00e000u      /* bits 8 to 10: two words each */

/*
 * The trace type for HPCC++ (draft-miao-ccwg-hpcc-info-03, 2.2). Bits 0, 1, 3, 6 and 12
 * are set. NodeLen, the number of words per node, is 5. Bit 12 is unassigned, so
 * rocecc_ioam_config.tx_bytes_bit must be set to 12.
 */
#define ROCECC_IOAM_TYPE_HPCC 0xd20800u

/*
 * Returns a mask of the words that a trace type asks for, not counting the snapshot.
 * Bit 31 - i stands for word i.
 */
ROCECC_FN uint32_t rocecc_ioam_item_words(uint32_t trace_type)
{
    const uint32_t wide = (trace_type & 0x008000) << 8 | (trace_type & 0x004000) << 7 |
                          (trace_type & 0x002000) << 6;
    return (trace_type & 0xff0000) << 8 | wide | wide >> 1 |
           (trace_type & 0x001ffc) << 5;
}

/*
 * Returns the NodeLen of a trace type, 0 to 25. Bits 8 to 10 count as two words each,
 * and the other bits up to bit 21 count as one word each. RFC 9197, 4.4.1.
 */
ROCECC_FN uint8_t rocecc_ioam_node_len(uint32_t trace_type)
{
    return rocecc_report_layout_words(rocecc_ioam_item_words(trace_type));
}

/*
 * Node data. Word 25 is the first word of the snapshot. The configuration can select up
 * to two of the bits 12 to 21. rocecc stores the words for the selected bits at array
 * indices 26 and 27. An item is all ones if the packet does not ask for the item, or if
 * the node does not know it.
 */
#define ROCECC_IOAM_WORD_SNAPSHOT 25
#define ROCECC_IOAM_WORD_TX_BYTES 26
#define ROCECC_IOAM_WORD_INTERFACE 27

typedef struct rocecc_ioam_node {
    uint32_t word[ROCECC_REPORT_WORDS];
} rocecc_ioam_node;

/* Word 25 of a node without a snapshot: Length 0, Schema ID all ones. */
#define ROCECC_IOAM_NO_SNAPSHOT 0x00ffffffu

#define ROCECC_IOAM_MEASURED_(word, bits)                                              \
    (ROCECC_REPORT_ITEM_MEASURED_ | ROCECC_REPORT_ITEM_(word, 0, bits))

/* Items of a node. Each node chooses its own units, unless a comment gives the unit. */
typedef enum rocecc_ioam_item {
    /* at departure; 255: absent */
    ROCECC_IOAM_ITEM_HOP_LIMIT = ROCECC_REPORT_ITEM_(0, 24, 8),
    ROCECC_IOAM_ITEM_NODE_ID = ROCECC_REPORT_ITEM_(0, 0, 24),
    ROCECC_IOAM_ITEM_INGRESS_ID = ROCECC_REPORT_ITEM_(1, 16, 16),
    ROCECC_IOAM_ITEM_EGRESS_ID = ROCECC_REPORT_ITEM_(1, 0, 16),
    /* time of arrival, but HPCC++ needs the time of departure */
    ROCECC_IOAM_ITEM_TIMESTAMP_SEC = ROCECC_IOAM_MEASURED_(2, 32),
    ROCECC_IOAM_ITEM_TIMESTAMP_FRAC = ROCECC_IOAM_MEASURED_(3, 32),
    /* in ns; ROCECC_IOAM_DELAY_OVERFLOW: 2^31 ns or more */
    ROCECC_IOAM_ITEM_TRANSIT_DELAY = ROCECC_IOAM_MEASURED_(4, 32),
    ROCECC_IOAM_ITEM_NAMESPACE_DATA = ROCECC_REPORT_ITEM_(5, 0, 32),
    ROCECC_IOAM_ITEM_QUEUE_DEPTH = ROCECC_IOAM_MEASURED_(6, 32),
    /* needed only if a UDP checksum covers the option */
    ROCECC_IOAM_ITEM_CHECKSUM_COMPLEMENT = ROCECC_REPORT_ITEM_(7, 0, 32),
    ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE = ROCECC_REPORT_ITEM_(8, 24, 8),
    ROCECC_IOAM_ITEM_NODE_ID_WIDE = ROCECC_REPORT_ITEM_(8, 0, 56),
    ROCECC_IOAM_ITEM_INGRESS_ID_WIDE = ROCECC_REPORT_ITEM_(10, 0, 32),
    ROCECC_IOAM_ITEM_EGRESS_ID_WIDE = ROCECC_REPORT_ITEM_(11, 0, 32),
    ROCECC_IOAM_ITEM_NAMESPACE_DATA_WIDE = ROCECC_REPORT_ITEM_(12, 0, 64),
    ROCECC_IOAM_ITEM_BUFFER_OCCUPANCY = ROCECC_IOAM_MEASURED_(14, 32),
    ROCECC_IOAM_ITEM_BIT_12 = ROCECC_REPORT_ITEM_(15, 0, 32),
    ROCECC_IOAM_ITEM_BIT_13 = ROCECC_REPORT_ITEM_(16, 0, 32),
    ROCECC_IOAM_ITEM_BIT_14 = ROCECC_REPORT_ITEM_(17, 0, 32),
    ROCECC_IOAM_ITEM_BIT_15 = ROCECC_REPORT_ITEM_(18, 0, 32),
    ROCECC_IOAM_ITEM_BIT_16 = ROCECC_REPORT_ITEM_(19, 0, 32),
    ROCECC_IOAM_ITEM_BIT_17 = ROCECC_REPORT_ITEM_(20, 0, 32),
    ROCECC_IOAM_ITEM_BIT_18 = ROCECC_REPORT_ITEM_(21, 0, 32),
    ROCECC_IOAM_ITEM_BIT_19 = ROCECC_REPORT_ITEM_(22, 0, 32),
    ROCECC_IOAM_ITEM_BIT_20 = ROCECC_REPORT_ITEM_(23, 0, 32),
    ROCECC_IOAM_ITEM_BIT_21 = ROCECC_REPORT_ITEM_(24, 0, 32),
    /* bytes sent on the egress interface, mod 2^32 */
    ROCECC_IOAM_ITEM_TX_BYTES = ROCECC_IOAM_MEASURED_(26, 32),
    /* a code defined by the operator */
    ROCECC_IOAM_ITEM_INTERFACE_SPEED = ROCECC_REPORT_ITEM_(27, 26, 6),
    ROCECC_IOAM_ITEM_INTERFACE_ERRORS = ROCECC_IOAM_MEASURED_(27, 26)
} rocecc_ioam_item;

#define ROCECC_IOAM_DELAY_OVERFLOW 0x80000000u

/* Initialises a node. All items are marked as absent, and the node has no snapshot. */
ROCECC_FN void rocecc_ioam_node_init(rocecc_ioam_node *out)
{
    rocecc_report_init(out->word);
    out->word[ROCECC_IOAM_WORD_SNAPSHOT] = ROCECC_IOAM_NO_SNAPSHOT;
}

/* Returns an item, or all ones (in the item's width) if the node lacks the item. */
ROCECC_FN uint64_t rocecc_ioam_get(const rocecc_ioam_node *node, rocecc_ioam_item item)
{
    return rocecc_report_item_get(node->word, (uint32_t)item);
}

/* Returns true if a node has an item. */
ROCECC_FN bool rocecc_ioam_has(const rocecc_ioam_node *node, rocecc_ioam_item item)
{
    return rocecc_report_item_has(node->word, (uint32_t)item);
}

/*
 * Sets an item. A value of all ones marks the item as absent. For a measured item (a
 * time, delay, depth, occupancy or count), this value is stored as all ones minus 1
 * instead. Returns RANGE and changes nothing if the value is wider than the item.
 */
ROCECC_FN rocecc_status rocecc_ioam_set(rocecc_ioam_node *node, rocecc_ioam_item item,
                                        uint64_t value)
{
    return rocecc_report_item_set(node->word, (uint32_t)item, value);
}

/* Marks an item as absent. */
ROCECC_FN void rocecc_ioam_clear(rocecc_ioam_node *node, rocecc_ioam_item item)
{
    rocecc_report_item_clear(node->word, (uint32_t)item);
}

/* Returns the number of words in a node's snapshot, not counting its first word. */
ROCECC_FN uint8_t rocecc_ioam_snapshot_words(const rocecc_ioam_node *node)
{
    return (uint8_t)(node->word[ROCECC_IOAM_WORD_SNAPSHOT] >> 24);
}

/* Returns the 24-bit Schema ID of a node's snapshot. */
ROCECC_FN uint32_t rocecc_ioam_schema_id(const rocecc_ioam_node *node)
{
    return node->word[ROCECC_IOAM_WORD_SNAPSHOT] & 0xffffff;
}

/*
 * Returns the trace type in which only bit `bit` is set, or 0 if `bit` is below 12 or
 * above 21.
 */
ROCECC_FN uint32_t rocecc_ioam_bit(uint8_t bit)
{
    return bit >= 12 && bit <= 21 ? 0x800000u >> bit : 0;
}

/*
 * If the configured bit `bit` is set in trace_type, sets the array index of the bit's
 * word to `place`.
 */
ROCECC_FN void rocecc_ioam_layout_move_word_(rocecc_report_layout *layout,
                                             uint32_t trace_type, uint8_t bit,
                                             uint8_t place)
{
    const uint32_t is = rocecc_ioam_bit(bit);
    const uint32_t above = rocecc_ioam_item_words(trace_type & ~(2 * is - 1));
    if ((trace_type & is) != 0)
        layout->word[rocecc_report_layout_words(above) & 31] = place;
}

ROCECC_FN void rocecc_ioam_layout_make_(const rocecc_ioam_config *config,
                                        uint32_t trace_type,
                                        rocecc_report_layout *layout)
{
    rocecc_report_layout_init(layout, trace_type, rocecc_ioam_item_words(trace_type));
    rocecc_ioam_layout_move_word_(layout, trace_type, config->interface_bit,
                                  ROCECC_IOAM_WORD_INTERFACE);
    rocecc_ioam_layout_move_word_(layout, trace_type, config->tx_bytes_bit,
                                  ROCECC_IOAM_WORD_TX_BYTES);
    layout->tx_bytes_bit = config->tx_bytes_bit;
    layout->interface_bit = config->interface_bit;
}

/*
 * Writes the layout for a trace type to *layout, unless *layout already contains it.
 * The caller must set all members of *layout to 0 before the first call.
 */
ROCECC_FN void rocecc_ioam_layout_update(const rocecc_ioam_config *config,
                                         uint32_t trace_type,
                                         rocecc_report_layout *layout)
{
    if (layout->bitmap != trace_type || layout->tx_bytes_bit != config->tx_bytes_bit ||
        layout->interface_bit != config->interface_bit)
        rocecc_ioam_layout_make_(config, trace_type, layout);
}

#endif /* ROCECC_WIRE_IOAMNODE_H */
