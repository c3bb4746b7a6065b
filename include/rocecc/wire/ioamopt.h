/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IOAMOPT_H
#define ROCECC_WIRE_IOAMOPT_H

/*
 * ioamopt.h - the IOAM option in IPv6 (RFC 9486, 3), and the trace header in the option
 * (RFC 9197, 4.4). ioam.h reads the nodes of a trace. ioamdex.h reads the options for
 * direct export, edge-to-edge data and proof of transit.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Option Type  |  Opt Data Len |    Reserved   | IOAM-Opt-Type |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Namespace-ID          | NodeLen | Flags | RemainingLen|
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                IOAM-Trace-Type                |    Reserved   |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       pre-allocated: free space, RemainingLen words           |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       node data, NodeLen words a node, the newest first       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     31 46 00 00 007b 2805 d20800 00     70 bytes of data: space for 3 nodes of 5
 *                                         words each; RemainingLen 5: 2 nodes present
 *
 * The first word belongs to the option (ip6opt.h), and the rest belongs to the trace. A
 * word is 4 bytes.
 */
#include "ioamnode.h"
#include "ip6opt.h"

/*
 * The option type in a Hop-by-Hop Options header. Its bit chg is set because nodes
 * write into the option.
 */
#define ROCECC_IOAM_OPTION_HBH 0x31u
/*
 * The option type for data that nodes do not change: edge-to-edge data in Destination
 * Options, and direct export in Hop-by-Hop Options. Some networks also use this number
 * for alternate marking.
 */
#define ROCECC_IOAM_OPTION_FIXED 0x11u

#define ROCECC_IOAM_OPTION_BYTES 2 /* Reserved and IOAM-Opt-Type */
#define ROCECC_IOAM_TRACE_BYTES 8  /* only the header */
#define ROCECC_IOAM_WORDS_MAX 61   /* for nodes in an IPv6 option (Opt Data Len 254) */

typedef enum rocecc_ioam_opt_type {
    ROCECC_IOAM_PREALLOCATED = 0,
    ROCECC_IOAM_INCREMENTAL = 1, /* not used in RFC 9486 */
    ROCECC_IOAM_PROOF_OF_TRANSIT = 2,
    ROCECC_IOAM_EDGE_TO_EDGE = 3,
    ROCECC_IOAM_DIRECT_EXPORT = 4 /* RFC 9326 */
} rocecc_ioam_opt_type;

/*
 * Bits of Flags, a 4-bit field. The last bit is not assigned. RFC 9197, 4.4.1; RFC
 * 9322.
 */
#define ROCECC_IOAM_FLAG_OVERFLOW 0x8u /* a node had no room, so nodes are missing */
#define ROCECC_IOAM_FLAG_LOOPBACK 0x4u
#define ROCECC_IOAM_FLAG_ACTIVE 0x2u /* a probe */

/* Option Data of an IOAM option. */
typedef struct rocecc_ioam_option {
    uint8_t reserved;   /* reserved bits; ignored on receipt */
    uint8_t opt_type;   /* IOAM option type; a rocecc_ioam_opt_type, or a later type */
    rocecc_reader data; /* option data from Namespace-ID on */
} rocecc_ioam_option;

/* The header of a trace. */
typedef struct rocecc_ioam_trace {
    uint16_t namespace_id;
    uint8_t node_len; /* number of words per node, without its snapshot; 5 bits */
    uint8_t flags;    /* flags O, L and A; ROCECC_IOAM_FLAG_...; 4 bits; the last bit is
                         not assigned */
    uint8_t remaining_len; /* number of words that nodes may still write; 7 bits */
    uint32_t trace_type; /* bitmap of the requested items; 24 bits; ROCECC_IOAM_NODE and
                            so on */
    uint8_t reserved;    /* reserved bits; ignored on receipt */
} rocecc_ioam_trace;

/* Loads an 8-byte trace header without checking it. */
ROCECC_FN rocecc_ioam_trace rocecc_ioam_trace_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    const uint32_t w1 = rocecc_load32(bytes + 4);
    rocecc_ioam_trace h;
    h.namespace_id = (uint16_t)(w0 >> 16);
    h.node_len = (uint8_t)(w0 >> 11 & 0x1f);
    h.flags = (uint8_t)(w0 >> 7 & 0xf);
    h.remaining_len = (uint8_t)(w0 & 0x7f);
    h.trace_type = w1 >> 8;
    h.reserved = (uint8_t)w1;
    return h;
}

/* Writes 8 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_ioam_trace_store(uint8_t *bytes, const rocecc_ioam_trace *trace)
{
    rocecc_store32(
        bytes, (uint32_t)trace->namespace_id << 16 | (trace->node_len & 0x1fu) << 11 |
                   (trace->flags & 0xfu) << 7 | (trace->remaining_len & 0x7fu));
    rocecc_store32(bytes + 4, trace->trace_type << 8 | trace->reserved);
}

/*
 * Parses a trace header, but does not run the checks in rocecc_ioam_trace_match().
 * Returns SHORT for fewer than 8 bytes.
 */
ROCECC_FN rocecc_status rocecc_ioam_trace_parse(rocecc_reader *reader,
                                                rocecc_ioam_trace *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_ioam_trace_load(b);
    return ROCECC_OK;
}

/*
 * Writes a trace header. Returns RANGE if a value is wider than its field, and SPACE if
 * 8 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_ioam_trace_emit(rocecc_writer *writer,
                                               const rocecc_ioam_trace *trace)
{
    uint8_t *b;
    if ((trace->node_len >> 5 | trace->flags >> 4 | trace->remaining_len >> 7) != 0 ||
        trace->trace_type >> 24 != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ioam_trace_store(b, trace);
    return ROCECC_OK;
}

/*
 * Returns true if opt_type is 0 or 1 and the lengths in a trace are consistent. The
 * caller must pass all bytes from Namespace-ID on. The trace must contain the whole
 * header and consist of whole words, and NodeLen must equal rocecc_ioam_node_len() of
 * the trace type. If opt_type is 0, at least RemainingLen words (the free space) must
 * follow the header. The remaining words must form whole nodes. This function does not
 * check nodes with snapshots, but rocecc_ioam_view_parse() does.
 */
ROCECC_FN bool rocecc_ioam_trace_match(uint8_t opt_type, rocecc_reader trace)
{
    const uint8_t *b = rocecc_take(&trace, ROCECC_IOAM_TRACE_BYTES);
    size_t words = rocecc_left(&trace);
    rocecc_ioam_trace h;
    if (b == NULL || words % 4 != 0 || opt_type > ROCECC_IOAM_INCREMENTAL) return false;
    h = rocecc_ioam_trace_load(b);
    if (h.node_len != rocecc_ioam_node_len(h.trace_type)) return false;
    words /= 4;
    if (opt_type == ROCECC_IOAM_PREALLOCATED) {
        if (h.remaining_len > words) return false;
        words -= h.remaining_len;
    }
    if ((h.trace_type & ROCECC_IOAM_SNAPSHOT) != 0) return true;
    return h.node_len == 0 ? words == 0 : words % h.node_len == 0;
}

/* Parses the Option Data of an IOAM option. Returns FORMAT for fewer than 2 bytes. */
ROCECC_FN rocecc_status rocecc_ioam_option_parse(rocecc_reader body,
                                                 rocecc_ioam_option *out)
{
    const uint8_t *b = rocecc_take(&body, ROCECC_IOAM_OPTION_BYTES);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    out->reserved = b[0];
    out->opt_type = b[1];
    out->data = body;
    return ROCECC_OK;
}

/*
 * Returns true if an option begins at a multiple of 4 bytes from the start of its
 * extension header (RFC 9486, 3). `options` must be the whole option list, which starts
 * at the third byte of this header.
 */
ROCECC_FN bool rocecc_ioam_option_aligned(rocecc_reader options,
                                          const rocecc_ioam_option *option)
{
    return ((option->data.at - options.at) & 3) == 2;
}

/* Steps to the next IOAM option whose option type is `type`. */
ROCECC_FN rocecc_status rocecc_ioam_option_step_(rocecc_reader *options, int *count,
                                                 uint8_t type, rocecc_ioam_option *out)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, *options};
    rocecc_status status;
    do
        status = rocecc_ip6opt_step(options, count, &opt);
    while (status == ROCECC_OK && opt.type != type);
    return status == ROCECC_OK ? rocecc_ioam_option_parse(opt.body, out) : status;
}

/*
 * Finds the first trace (pre-allocated or incremental) in a complete list of Hop-by-Hop
 * options. Does not check the trace's lengths. Returns NO_MATCH if the list has no
 * trace, and FORMAT or UNSUPPORTED as rocecc_ip6opt_find() does. Also returns FORMAT if
 * the trace is not aligned to 4 bytes (Linux also rejects such a trace), or if an IOAM
 * option lacks an IOAM-Opt-Type and no trace precedes it.
 */
ROCECC_FN rocecc_status rocecc_ioam_trace_find(rocecc_reader options,
                                               rocecc_ioam_option *out)
{
    const rocecc_reader list = options;
    rocecc_ioam_option found = {0, 0, options};
    rocecc_status status;
    int n = 0;
    do
        status = rocecc_ioam_option_step_(&options, &n, ROCECC_IOAM_OPTION_HBH, &found);
    while (status == ROCECC_OK && found.opt_type > ROCECC_IOAM_INCREMENTAL);
    if (status == ROCECC_END) return ROCECC_NO_MATCH;
    if (status != ROCECC_OK) return status;
    if (!rocecc_ioam_option_aligned(list, &found)) return ROCECC_ERR_FORMAT;
    *out = found;
    return ROCECC_OK;
}

/*
 * Steps to the next IOAM option of type `type`. `type` must be 0x31, or 0x11 in a
 * header that uses 0x11 for IOAM. A list can contain several IOAM options. Returns END
 * after the last option of this type, and FORMAT or UNSUPPORTED as rocecc_ip6opt_find()
 * does. Also returns FORMAT for an option that lacks an IOAM-Opt-Type. The limits in
 * ip6opt.h apply to each call separately, starting at *options. Does not check the
 * alignment (see rocecc_ioam_option_aligned()).
 */
ROCECC_FN rocecc_status rocecc_ioam_option_next(rocecc_reader *options, uint8_t type,
                                                rocecc_ioam_option *out)
{
    rocecc_reader rest = *options;
    int n = 0;
    const rocecc_status status = rocecc_ioam_option_step_(&rest, &n, type, out);
    if (status == ROCECC_OK) *options = rest;
    return status;
}

/*
 * Writes an IOAM option, starting with its type. Returns RANGE for more than 253 bytes
 * of data, and SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_ioam_option_emit(rocecc_writer *writer, uint8_t type,
                                                const rocecc_ioam_option *option)
{
    const size_t len = ROCECC_IOAM_OPTION_BYTES + rocecc_left(&option->data);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (len > 255) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < 2 + len) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2 + ROCECC_IOAM_OPTION_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = type;
    b[1] = (uint8_t)len;
    b[2] = option->reserved;
    b[3] = option->opt_type;
    if (!rocecc_append(&out, option->data, 253)) return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IOAMOPT_H */
