/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_INTMD_H
#define ROCECC_WIRE_INTMD_H

/*
 * intmd.h - the MD mode of In-band Network Telemetry (INT) from P4.org. INT dataplane
 * specification v2.1. A shim contains the length of the INT data that follows, and the
 * metadata header contains the instructions. Each node inserts its report directly
 * after the metadata header.
 *
 *   IP | UDP or TCP | shim | metadata header | newest node | ... | first node | payload
 *
 *     140f12b7                       Type 1; NPT 1: the port was 4791; Length 15 words
 *     20000606 d5000000 00000000     Hop ML 6, up to 6 more nodes, instructions 0xd500
 *     2 nodes of 6 words each        15 = 3 + 2 * 6
 *
 * intmdshim.h handles the shims. packet/intmd.h finds and changes INT data in a packet.
 * A word is 4 bytes.
 */
#include "intmdshim.h"
#include "report.h"

#define ROCECC_INTMD_HEADER_BYTES 12
#define ROCECC_INTMD_STACK_MAX_BYTES 1008 /* all nodes in a body */

/*
 * The metadata header of INT-MD and INT-MX. In INT-MX, the fields E, M, Hop ML and
 * Remaining Hop Count are reserved. INT-MX nodes report to a collector and do not
 * insert reports into the packet. Only the source adds words after the INT-MX header,
 * as requested by DS Instruction.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Ver  |D|E|M|       Reserved        | Hop ML  |RemainingHopCnt| MD
 *   |  Ver  |D|                      Reserved                       | MX
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      Instruction Bitmap       |      Domain Specific ID       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |        DS Instruction         |           DS Flags            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_header {
    uint8_t ver;       /* INT version; 4 bits; ROCECC_INTMD_VER */
    bool d;            /* request to discard the packet at the sink */
    bool e;            /* hop count exceeded; a node found Remaining Hop Count 0 */
    bool m;            /* MTU exceeded; a node added nothing because of the MTU */
    uint16_t reserved; /* reserved bits; 12 bits */
    uint8_t hop_ml;    /* number of words that each node adds; 5 bits */
    uint8_t remaining_hop_count; /* number of reports that may still be added */
    uint16_t instructions;       /* bitmap of the requested items; ROCECC_INTMD_... */
    uint16_t ds_id;          /* Domain Specific ID, for the next two fields; 0: none */
    uint16_t ds_instruction; /* domain-specific instructions */
    uint16_t ds_flags;       /* domain-specific flags */
} rocecc_intmd_header;

/*
 * Bits of `instructions`. Bit 0 is 0x8000, and bit 15 is 0x0001. Bits 4, 5 and 6 ask
 * for two words each, and the other bits ask for one word each.
 */
#define ROCECC_INTMD_NODE_ID 0x8000u
#define ROCECC_INTMD_INTERFACES 0x4000u
#define ROCECC_INTMD_HOP_LATENCY 0x2000u
#define ROCECC_INTMD_QUEUE 0x1000u
#define ROCECC_INTMD_INGRESS_TIMESTAMP 0x0800u
#define ROCECC_INTMD_EGRESS_TIMESTAMP 0x0400u
#define ROCECC_INTMD_L2_INTERFACES 0x0200u
#define ROCECC_INTMD_EGRESS_TX_UTILIZATION 0x0100u
#define ROCECC_INTMD_BUFFER 0x0080u   /* bit 8 */
#define ROCECC_INTMD_RESERVED 0x007eu /* six bits, one word each */
#define ROCECC_INTMD_CHECKSUM_COMPLEMENT 0x0001u

/*
 * Instructions for HPCC++ (draft-miao-ccwg-hpcc-info-03, Figure 3). With the first
 * value, Hop ML is 6. The second value omits the egress timestamp, which HPCC++ does
 * not need, so Hop ML is 4.
 */
#define ROCECC_INTMD_HPCC 0xd500u
#define ROCECC_INTMD_HPCC_UNTIMED 0xd100u

/*
 * Returns a mask of the requested words. Bit 31 - i stands for word i of a
 * rocecc_intmd_node.
 */
ROCECC_FN uint32_t rocecc_intmd_item_words_(uint32_t instructions)
{
    const uint32_t wide = (instructions & 0x0800) << 16 |
                          (instructions & 0x0400) << 15 | (instructions & 0x0200) << 14;
    return (instructions & 0xf000) << 16 | wide | wide >> 1 |
           (instructions & 0x01ff) << 13;
}

/*
 * Returns the number of words that a node adds (0 to 19), not counting domain-specific
 * words.
 */
ROCECC_FN uint8_t rocecc_intmd_words(uint16_t instructions)
{
    return rocecc_report_layout_words(rocecc_intmd_item_words_(instructions));
}

/* Loads a 12-byte metadata header without checking it. */
ROCECC_FN rocecc_intmd_header rocecc_intmd_header_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_intmd_header h;
    h.ver = (uint8_t)(w0 >> 28);
    h.d = (w0 >> 27 & 1) != 0;
    h.e = (w0 >> 26 & 1) != 0;
    h.m = (w0 >> 25 & 1) != 0;
    h.reserved = (uint16_t)(w0 >> 13 & 0xfff);
    h.hop_ml = (uint8_t)(w0 >> 8 & 0x1f);
    h.remaining_hop_count = (uint8_t)w0;
    h.instructions = rocecc_load16(bytes + 4);
    h.ds_id = rocecc_load16(bytes + 6);
    h.ds_instruction = rocecc_load16(bytes + 8);
    h.ds_flags = rocecc_load16(bytes + 10);
    return h;
}

/* Writes 12 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_intmd_header_store(uint8_t *bytes,
                                         const rocecc_intmd_header *header)
{
    rocecc_store32(bytes, (uint32_t)header->ver << 28 | (uint32_t)header->d << 27 |
                              (uint32_t)header->e << 26 | (uint32_t)header->m << 25 |
                              (header->reserved & 0xfffu) << 13 |
                              (header->hop_ml & 0x1fu) << 8 |
                              header->remaining_hop_count);
    rocecc_store16(bytes + 4, header->instructions);
    rocecc_store16(bytes + 6, header->ds_id);
    rocecc_store16(bytes + 8, header->ds_instruction);
    rocecc_store16(bytes + 10, header->ds_flags);
}

/* Returns a version 2 header for up to `hops` nodes. Its Domain Specific ID is 0. */
ROCECC_FN rocecc_intmd_header rocecc_intmd_header_init(uint16_t instructions,
                                                       uint8_t hops)
{
    rocecc_intmd_header h;
    h.ver = ROCECC_INTMD_VER;
    h.d = h.e = h.m = false;
    h.reserved = 0;
    h.hop_ml = rocecc_intmd_words(instructions);
    h.remaining_hop_count = hops;
    h.instructions = instructions;
    h.ds_id = h.ds_instruction = h.ds_flags = 0;
    return h;
}

/*
 * A metadata header and its nodes. Each node has Hop ML words. The last node in the
 * stack, which is the first node on the path, has source_words additional words.
 */
typedef struct rocecc_intmd {
    rocecc_intmd_header header;
    uint8_t source_words; /* 0 outside the configured domain */
    uint8_t n_nodes;
    rocecc_reader nodes; /* 4 * (Hop ML * n_nodes + source_words) bytes, newest first */
} rocecc_intmd;

/*
 * Returns the number of words that only a source adds, or 0 if `header` is not from the
 * configured domain.
 */
ROCECC_FN uint32_t rocecc_intmd_count_source_words_(const rocecc_intmd_config *config,
                                                    const rocecc_intmd_header *header)
{
    size_t n = 0;
    int i;
    if (config->ds_id == 0 || header->ds_id != config->ds_id) return 0;
    for (i = 0; i < 16; i++) {
        if ((header->ds_instruction >> (15 - i) & 1) != 0) n += config->source_words[i];
        ROCECC_BPF_PART_(n);
    }
    return (uint32_t)n;
}

/*
 * Returns true if Hop ML equals the number of words that the instructions ask for, or
 * if Hop ML exceeds this number and DS Instruction is not 0. Always returns false if
 * Hop ML is 0.
 */
ROCECC_FN bool rocecc_intmd_hop_ml_fits(const rocecc_intmd_header *header)
{
    const uint8_t words = rocecc_intmd_words(header->instructions);
    return header->hop_ml != 0 &&
           (header->hop_ml == words ||
            (header->hop_ml > words && header->ds_instruction != 0));
}

/*
 * Parses the body of a Type 1 shim or a Geneve option. Returns FORMAT for fewer than 12
 * bytes. Otherwise, returns UNSUPPORTED for a version other than 2. For version 2,
 * returns FORMAT if the body has an incomplete word or exceeds
 * ROCECC_INTMD_BODY_MAX_BYTES, or if rocecc_intmd_hop_ml_fits() is false. If a node or
 * the source words are incomplete, the result depends on Domain Specific ID. If this ID
 * is 0 or the configured ID, returns FORMAT. For any other ID, returns UNSUPPORTED,
 * because the source might have added an unknown number of words. If this number is a
 * multiple of Hop ML, the added words are parsed as nodes. A body without nodes is
 * valid.
 */
ROCECC_FN rocecc_status rocecc_intmd_parse(const rocecc_intmd_config *config,
                                           rocecc_reader body, rocecc_intmd *out)
{
    const uint8_t *b = rocecc_take(&body, ROCECC_INTMD_HEADER_BYTES);
    const size_t words = rocecc_left(&body) / 4;
    rocecc_intmd_header h;
    uint32_t source = 0;
    ROCECC_ASSUME_WRITTEN_(out);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    h = rocecc_intmd_header_load(b);
    if (h.ver != ROCECC_INTMD_VER) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_left(&body) % 4 != 0 ||
        rocecc_left(&body) > ROCECC_INTMD_STACK_MAX_BYTES ||
        !rocecc_intmd_hop_ml_fits(&h))
        return ROCECC_ERR_FORMAT;
    if (words != 0) source = rocecc_intmd_count_source_words_(config, &h);
    if (words != 0 && (words < h.hop_ml + source || (words - source) % h.hop_ml != 0))
        return h.ds_id == 0 || h.ds_id == config->ds_id ? ROCECC_ERR_FORMAT
                                                        : ROCECC_ERR_UNSUPPORTED;
    out->header = h;
    out->source_words = (uint8_t)source;
    out->n_nodes = (uint8_t)((words - source) / h.hop_ml);
    out->nodes = body;
    return ROCECC_OK;
}

/*
 * A node's report. Instruction bits 0 to 3 select words 0 to 3. Bits 4 to 6 select two
 * words each (words 4 to 9), and bits 7 to 15 select words 10 to 18. Each node chooses
 * its own units.
 */
#define ROCECC_INTMD_NODE_WORDS 19 /* words in use; word 18: checksum complement */

typedef struct rocecc_intmd_node {
    uint32_t word[ROCECC_REPORT_WORDS];
} rocecc_intmd_node;

typedef enum rocecc_intmd_item {
    ROCECC_INTMD_ITEM_NODE_ID = ROCECC_REPORT_ITEM_(0, 0, 32),
    ROCECC_INTMD_ITEM_INTERFACES = ROCECC_REPORT_ITEM_(1, 0, 32),  /* two level 1 IDs */
    ROCECC_INTMD_ITEM_INGRESS_ID = ROCECC_REPORT_ITEM_(1, 16, 16), /* one level 1 ID */
    ROCECC_INTMD_ITEM_EGRESS_ID = ROCECC_REPORT_ITEM_(1, 0, 16),
    ROCECC_INTMD_ITEM_HOP_LATENCY = ROCECC_REPORT_ITEM_(2, 0, 32),
    ROCECC_INTMD_ITEM_QUEUE = ROCECC_REPORT_ITEM_(3, 0, 32),
    ROCECC_INTMD_ITEM_QUEUE_ID = ROCECC_REPORT_ITEM_(3, 24, 8),
    ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY = ROCECC_REPORT_ITEM_(3, 0, 24),
    ROCECC_INTMD_ITEM_INGRESS_TIMESTAMP = ROCECC_REPORT_ITEM_(4, 0, 64),
    ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP = ROCECC_REPORT_ITEM_(6, 0, 64),
    ROCECC_INTMD_ITEM_L2_INTERFACES = ROCECC_REPORT_ITEM_(8, 0, 64),
    ROCECC_INTMD_ITEM_L2_INGRESS_ID = ROCECC_REPORT_ITEM_(8, 0, 32),
    ROCECC_INTMD_ITEM_L2_EGRESS_ID = ROCECC_REPORT_ITEM_(9, 0, 32),
    ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION = ROCECC_REPORT_ITEM_(10, 0, 32),
    ROCECC_INTMD_ITEM_BUFFER = ROCECC_REPORT_ITEM_(11, 0, 32),
    ROCECC_INTMD_ITEM_BUFFER_ID = ROCECC_REPORT_ITEM_(11, 24, 8),
    ROCECC_INTMD_ITEM_BUFFER_OCCUPANCY = ROCECC_REPORT_ITEM_(11, 0, 24),
    ROCECC_INTMD_ITEM_CHECKSUM_COMPLEMENT = ROCECC_REPORT_ITEM_(18, 0, 32)
} rocecc_intmd_item;

/* Marks all items of a node as absent. */
ROCECC_FN void rocecc_intmd_node_init(rocecc_intmd_node *out)
{
    rocecc_report_init(out->word);
}

/* Returns an item, or all ones (in the item's width) if the node lacks the item. */
ROCECC_FN uint64_t rocecc_intmd_get(const rocecc_intmd_node *node,
                                    rocecc_intmd_item item)
{
    return rocecc_report_item_get(node->word, (uint32_t)item);
}

/*
 * Returns true if an item is not all ones. A part of INTERFACES, L2_INTERFACES, QUEUE
 * or BUFFER is checked on its own, although INT defines the meaning of all ones only
 * for the whole item.
 */
ROCECC_FN bool rocecc_intmd_has(const rocecc_intmd_node *node, rocecc_intmd_item item)
{
    return rocecc_report_item_has(node->word, (uint32_t)item);
}

/*
 * Sets an item. A value of all ones marks the item as absent. Returns RANGE if the
 * value is wider than the item.
 */
ROCECC_FN rocecc_status rocecc_intmd_set(rocecc_intmd_node *node,
                                         rocecc_intmd_item item, uint64_t value)
{
    return rocecc_report_item_set(node->word, (uint32_t)item, value);
}

/* Marks an item as absent. */
ROCECC_FN void rocecc_intmd_clear(rocecc_intmd_node *node, rocecc_intmd_item item)
{
    rocecc_report_item_clear(node->word, (uint32_t)item);
}

/*
 * Writes the layout for `instructions` to *layout, unless *layout already contains this
 * layout. The caller must set all members of *layout to 0 before the first call.
 */
ROCECC_FN void rocecc_intmd_layout_update(uint16_t instructions,
                                          rocecc_report_layout *layout)
{
    const uint32_t of = ROCECC_REPORT_LAYOUT_INTMD_ | instructions;
    if (layout->bitmap != of)
        rocecc_report_layout_init(layout, of, rocecc_intmd_item_words_(instructions));
}

/*
 * Steps to the next node. The newest node comes first. Before the first call, the
 * caller must set *nodes to intmd->nodes. `layout` must be the layout for the
 * instructions in `intmd`. Returns END after the last node. Returns FORMAT if `layout`
 * is for other instructions, if the next node has no words, if this node has fewer
 * words than the instructions ask for, or if `nodes` ends inside this node.
 */
ROCECC_FN rocecc_status rocecc_intmd_node_next(const rocecc_intmd *intmd,
                                               const rocecc_report_layout *layout,
                                               rocecc_reader *nodes,
                                               rocecc_intmd_node *out)
{
    const size_t own = (size_t)layout->n * 4;
    const size_t last = (intmd->header.instructions & 1) != 0 ? 4 : 0;
    const uint8_t *b;
    size_t bytes = (size_t)intmd->header.hop_ml * 4;
    rocecc_reader rest = *nodes, words;
    if (rocecc_left(&rest) == 0) return ROCECC_END;
    if (layout->bitmap != (ROCECC_REPORT_LAYOUT_INTMD_ | intmd->header.instructions))
        return ROCECC_ERR_FORMAT;
    if (rocecc_left(&rest) == bytes + (size_t)intmd->source_words * 4)
        bytes += (size_t)intmd->source_words * 4;
    if (bytes == 0 || bytes < own || !rocecc_split(&rest, bytes, &words))
        return ROCECC_ERR_FORMAT;
    rocecc_intmd_node_init(out);
    rocecc_report_layout_load(
        layout, rocecc_subrange(words, words.at, words.at + own - last), out->word);
    if (last != 0) {
        (void)rocecc_take(&words, bytes - last);
        b = rocecc_take(&words, 4);
        if (b != NULL) out->word[ROCECC_INTMD_NODE_WORDS - 1] = rocecc_load32(b);
    }
    *nodes = rest;
    return ROCECC_OK;
}

/*
 * Returns the domain-specific data of the node that rocecc_intmd_node_next() has just
 * read. `nodes` must be unchanged since that call. The data lies between the other
 * requested words and the checksum complement. In the last node, the data includes the
 * source words.
 */
ROCECC_FN rocecc_reader rocecc_intmd_ds(const rocecc_intmd *intmd, rocecc_reader nodes)
{
    const size_t last = (intmd->header.instructions & 1) != 0 ? 4 : 0;
    size_t bytes = (size_t)intmd->header.hop_ml * 4 -
                   (size_t)rocecc_intmd_words(intmd->header.instructions) * 4;
    if (rocecc_left(&nodes) == 0) bytes += (size_t)intmd->source_words * 4;
    return rocecc_subrange(nodes, nodes.at - last - bytes, nodes.at - last);
}

/*
 * Returns the number of bytes that rocecc_intmd_node_emit() writes. The number is 4 *
 * Hop ML, or more if `ds` has more words than its share of Hop ML. This share is Hop ML
 * minus the number of words that the instructions ask for. Returns 0 if Hop ML is above
 * 31 or rocecc_intmd_hop_ml_fits() is false. Also returns 0 if a non-empty `ds` has an
 * incomplete word or fewer words than its share, or if the node exceeds
 * ROCECC_INTMD_STACK_MAX_BYTES.
 */
ROCECC_FN size_t rocecc_intmd_node_bytes(const rocecc_intmd_header *header,
                                         const rocecc_reader *ds)
{
    const size_t own = (size_t)rocecc_intmd_words(header->instructions) * 4,
                 all = (size_t)header->hop_ml * 4;
    const size_t more = rocecc_left(ds);
    if (!rocecc_intmd_hop_ml_fits(header) || header->hop_ml >> 5 != 0) return 0;
    if (more == 0) return all;
    if (more % 4 != 0 || more > ROCECC_INTMD_STACK_MAX_BYTES - own || own + more < all)
        return 0;
    return own + more;
}

/*
 * Writes `ds` and the items that `header` asks for. If `ds` is empty, the words of its
 * share (see rocecc_intmd_node_bytes()) are written as all ones. Only a source may pass
 * a `ds` that exceeds its share, but the function does not enforce this rule. Returns
 * RANGE if rocecc_intmd_node_bytes() is 0, and SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_node_emit(rocecc_writer *writer,
                                               const rocecc_intmd_header *header,
                                               const rocecc_intmd_node *node,
                                               rocecc_reader ds)
{
    const size_t bytes = rocecc_intmd_node_bytes(header, &ds);
    const size_t last = (header->instructions & 1) != 0 ? 4 : 0;
    const uint32_t asked = rocecc_intmd_item_words_(header->instructions);
    rocecc_writer out = *writer;
    uint8_t *b;
    int i;
    if (bytes == 0) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    if (!rocecc_report_store(&out, node->word, ROCECC_INTMD_NODE_WORDS - 1, asked))
        return ROCECC_ERR_SPACE;
    for (i = 0; i < 31 && rocecc_left(&ds) == 0; i++) {
        if (out.at - writer->at + last >= bytes) break;
        b = rocecc_put(&out, 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store32(b, UINT32_MAX);
    }
    if (rocecc_left(&ds) != 0 && !rocecc_append(&out, ds, ROCECC_INTMD_STACK_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    if (last != 0) {
        b = rocecc_put(&out, 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store32(b, node->word[ROCECC_INTMD_NODE_WORDS - 1]);
    }
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_INTMD_H */
