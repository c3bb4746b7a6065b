/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IOAMDEX_H
#define ROCECC_WIRE_IOAMDEX_H

/*
 * ioamdex.h - the IOAM options without a trace: direct export (RFC 9326), edge to edge
 * (RFC 9197, 4.6) and proof of transit (RFC 9197, 4.5). rocecc_ioam_option_next() finds
 * all three options.
 *
 *     007b 00 c0 d20800 00 0000beef 00000007     namespace 123: export bits 0, 1, 3, 6
 *                                                and 12 for packet 7 in flow 0xbeef
 */
#include "ioam.h"

/*
 * Direct export. Nodes send their reports separately and add nothing to the packet. RFC
 * 9326, 3.2.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |        Namespace-ID           |     Flags     |Extension-Flags|
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |               IOAM-Trace-Type                 |   Reserved    |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                Flow ID, with extension flag 0                 |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            Sequence Number, with extension flag 1             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         a word for each of the other extension flags          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#define ROCECC_IOAM_DEX_BYTES 8 /* without the words for extension flags */
#define ROCECC_IOAM_DEX_FLOW_ID 0x80u
#define ROCECC_IOAM_DEX_SEQUENCE 0x40u

typedef struct rocecc_ioam_dex {
    uint16_t namespace_id;
    uint8_t flags;           /* unassigned flags */
    uint8_t extension_flags; /* bitmap of the optional words; ROCECC_IOAM_DEX_FLOW_ID,
                                _SEQUENCE, or others */
    uint32_t trace_type; /* bitmap of the items to export; 24 bits; ROCECC_IOAM_NODE and
                            so on */
    uint8_t reserved;    /* reserved bits; ignored on receipt */
    uint32_t flow_id;    /* identifier of the flow; 0 without its flag */
    uint32_t sequence_number; /* number of the packet in the flow; 0 without its flag */
    rocecc_reader others;     /* words for the other extension flags; in flag order */
} rocecc_ioam_dex;

/* Returns the next word, or 0 if `present` is 0 or no word is left. */
ROCECC_FN uint32_t rocecc_ioam_take_word_(rocecc_reader *words, uint32_t present)
{
    const uint8_t *b;
    if (present == 0) return 0;
    b = rocecc_take(words, 4);
    return b != NULL ? rocecc_load32(b) : 0;
}

/* Returns the length of the optional words in bytes, 4 for each flag that is set. */
ROCECC_FN size_t rocecc_ioam_dex_bytes_(uint32_t flags)
{
    return 4 * (size_t)rocecc_report_layout_words(flags);
}

/*
 * Parses a direct export option. Returns NO_MATCH for any other option, and FORMAT if
 * the length is not 8 bytes plus 4 bytes for each extension flag that is set.
 */
ROCECC_FN rocecc_status rocecc_ioam_dex_parse(const rocecc_ioam_option *option,
                                              rocecc_ioam_dex *out)
{
    rocecc_reader r = option->data;
    const uint8_t *b;
    uint32_t w1;
    if (option->opt_type != ROCECC_IOAM_DIRECT_EXPORT) return ROCECC_NO_MATCH;
    b = rocecc_take(&r, ROCECC_IOAM_DEX_BYTES);
    if (b == NULL || rocecc_left(&r) != rocecc_ioam_dex_bytes_(b[3]))
        return ROCECC_ERR_FORMAT;
    w1 = rocecc_load32(b + 4);
    out->namespace_id = rocecc_load16(b);
    out->flags = b[2];
    out->extension_flags = b[3];
    out->trace_type = w1 >> 8;
    out->reserved = (uint8_t)w1;
    out->flow_id = rocecc_ioam_take_word_(&r, b[3] & ROCECC_IOAM_DEX_FLOW_ID);
    out->sequence_number = rocecc_ioam_take_word_(&r, b[3] & ROCECC_IOAM_DEX_SEQUENCE);
    out->others = r;
    return ROCECC_OK;
}

/*
 * Writes the option's data, starting with Namespace-ID. Returns RANGE if the trace type
 * has more than 24 bits, or if `others` does not have exactly 4 bytes for each
 * extension flag that is set, not counting FLOW_ID and SEQUENCE. Returns SPACE if
 * `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_ioam_dex_emit(rocecc_writer *writer,
                                             const rocecc_ioam_dex *dex)
{
    const uint8_t flags = dex->extension_flags;
    const size_t bytes = ROCECC_IOAM_DEX_BYTES + rocecc_ioam_dex_bytes_(flags);
    const uint32_t known[2] = {dex->flow_id, dex->sequence_number};
    rocecc_writer out = *writer;
    uint8_t *b;
    if (dex->trace_type >> 24 != 0 ||
        rocecc_left(&dex->others) != rocecc_ioam_dex_bytes_(flags & 0x3fu))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_IOAM_DEX_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, dex->namespace_id);
    b[2] = dex->flags;
    b[3] = flags;
    rocecc_store32(b + 4, dex->trace_type << 8 | dex->reserved);
    if (!rocecc_report_store(&out, known, 2, (uint32_t)flags << 24))
        return ROCECC_ERR_SPACE;
    if (!rocecc_append(&out, dex->others, 24)) return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * The edge-to-edge option. The IOAM encapsulating node adds the option, which carries
 * data to the IOAM decapsulating node. The items follow Namespace-ID and IOAM-E2E-Type,
 * in the order of the bits in IOAM-E2E-Type.
 */
#define ROCECC_IOAM_E2E_BYTES 4
#define ROCECC_IOAM_E2E_SEQUENCE64 0x8000u
#define ROCECC_IOAM_E2E_SEQUENCE32 0x4000u /* not with SEQUENCE64 */
#define ROCECC_IOAM_E2E_SECONDS 0x2000u
#define ROCECC_IOAM_E2E_FRACTION 0x1000u

typedef struct rocecc_ioam_e2e {
    uint16_t namespace_id;
    uint16_t e2e_type;        /* bitmap of the items that follow; ROCECC_IOAM_E2E_... */
    uint64_t sequence_number; /* number of the packet; 64 or 32 bits; absent numbers
                                 and timestamps are 0 */
    uint32_t timestamp_sec;   /* time of entry into the IOAM domain, seconds */
    uint32_t timestamp_frac;  /* time of entry into the IOAM domain, fraction */
    rocecc_reader others;     /* items for the other bits; with unknown lengths */
} rocecc_ioam_e2e;

/*
 * Parses an edge-to-edge option. Returns NO_MATCH for any other option. Returns FORMAT
 * if the data has fewer than 4 bytes, if both sequence number bits are set, or if a
 * known item is incomplete. Also returns FORMAT if more bytes follow the known items
 * but no bit asks for other items.
 */
ROCECC_FN rocecc_status rocecc_ioam_e2e_parse(const rocecc_ioam_option *option,
                                              rocecc_ioam_e2e *out)
{
    rocecc_reader r = option->data;
    const uint8_t *b;
    uint32_t type;
    size_t known;
    if (option->opt_type != ROCECC_IOAM_EDGE_TO_EDGE) return ROCECC_NO_MATCH;
    b = rocecc_take(&r, ROCECC_IOAM_E2E_BYTES);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    type = rocecc_load16(b + 2);
    known = 4 * (size_t)((type >> 15) * 2 + (type >> 14 & 1) + (type >> 13 & 1) +
                         (type >> 12 & 1));
    if (type >> 14 == 3 || rocecc_left(&r) < known ||
        ((type & 0xfff) == 0 && rocecc_left(&r) != known))
        return ROCECC_ERR_FORMAT;
    out->namespace_id = rocecc_load16(b);
    out->e2e_type = (uint16_t)type;
    out->sequence_number =
        (uint64_t)rocecc_ioam_take_word_(&r, type & ROCECC_IOAM_E2E_SEQUENCE64) << 32;
    out->sequence_number |= rocecc_ioam_take_word_(&r, type >> 14);
    out->timestamp_sec = rocecc_ioam_take_word_(&r, type & ROCECC_IOAM_E2E_SECONDS);
    out->timestamp_frac = rocecc_ioam_take_word_(&r, type & ROCECC_IOAM_E2E_FRACTION);
    out->others = r;
    return ROCECC_OK;
}

/*
 * Proof of transit. Nodes on the path compute the proof from secrets.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |        Namespace-ID           | IOAM-POT-Type |     Flags     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                  type 0: PktID, 64 bits                       |
 *   +                                                               +
 *   |                                                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                  type 0: Cumulative, 64 bits                  |
 *   +                                                               +
 *   |                                                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#define ROCECC_IOAM_POT_BYTES 4        /* without the data for the type */
#define ROCECC_IOAM_POT_TYPE0_BYTES 16 /* the data for type 0 */

typedef struct rocecc_ioam_pot {
    uint16_t namespace_id;
    uint8_t pot_type;     /* type of the proof; only 0 is assigned */
    uint8_t flags;        /* unassigned flags */
    uint64_t pkt_id;      /* packet identifier for the proof; in types other than 0,
                             pkt_id and cumulative are 0 */
    uint64_t cumulative;  /* cumulative result from the nodes so far */
    rocecc_reader others; /* data for types other than 0 */
} rocecc_ioam_pot;

/*
 * Parses a proof of transit, but does not verify it. Returns NO_MATCH for any other
 * option. Returns FORMAT for fewer than 4 bytes, and for a proof of type 0 that does
 * not have exactly 16 bytes after the first 4.
 */
ROCECC_FN rocecc_status rocecc_ioam_pot_parse(const rocecc_ioam_option *option,
                                              rocecc_ioam_pot *out)
{
    rocecc_reader r = option->data;
    const uint8_t *head, *b = NULL;
    if (option->opt_type != ROCECC_IOAM_PROOF_OF_TRANSIT) return ROCECC_NO_MATCH;
    head = rocecc_take(&r, ROCECC_IOAM_POT_BYTES);
    if (head == NULL) return ROCECC_ERR_FORMAT;
    if (head[2] == 0) {
        b = rocecc_take(&r, ROCECC_IOAM_POT_TYPE0_BYTES);
        if (b == NULL || rocecc_left(&r) != 0) return ROCECC_ERR_FORMAT;
    }
    out->namespace_id = rocecc_load16(head);
    out->pot_type = head[2];
    out->flags = head[3];
    out->pkt_id = b != NULL ? rocecc_load64(b) : 0;
    out->cumulative = b != NULL ? rocecc_load64(b + 8) : 0;
    out->others = r;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IOAMDEX_H */
