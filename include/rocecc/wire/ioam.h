/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IOAM_H
#define ROCECC_WIRE_IOAM_H

/*
 * ioam.h - the nodes in an IOAM trace, and the Hop-by-Hop Options header that a source
 * sends. RFC 9197, 4.4; RFC 9486, 3. ioamopt.h describes the option, and ioamnode.h
 * describes the items of a node. packet/ioam.h inserts traces into packets, and updates
 * and removes them.
 *
 *     31 46 00 00 007b 2805 d20800 00, 15 words     view_parse(): 20 bytes of free
 *         space, 2 nodes; node_next(): the newest node, then the oldest node, then END
 *     build() of d20800 with 15 words               80 bytes = 2 + PadN 2 + option (4 +
 *                                                   8 + 60) + padding 4
 */
#include "ioamopt.h"

/*
 * Maximum number of nodes in a trace. Without BPF, no trace in an IPv6 option can reach
 * the default limit, because an option has room for at most 61 words of node data.
 */
#ifndef ROCECC_IOAM_NODES_MAX
#if defined(__bpf__)
#define ROCECC_IOAM_NODES_MAX 16
#else
#define ROCECC_IOAM_NODES_MAX 64
#endif
#endif

/*
 * Returns true if the flag L (loopback) is set, and if bit 0 is the only set bit of the
 * trace type, as this flag requires. RFC 9322.
 */
ROCECC_FN bool rocecc_ioam_loopback_match(const rocecc_ioam_trace *trace)
{
    return (trace->flags & ROCECC_IOAM_FLAG_LOOPBACK) != 0 &&
           trace->trace_type == ROCECC_IOAM_NODE;
}

/* A parsed trace. */
typedef struct rocecc_ioam_view {
    uint8_t reserved;
    uint8_t opt_type; /* type of the trace; ROCECC_IOAM_PREALLOCATED or INCREMENTAL */
    uint8_t count;    /* number of nodes */
    rocecc_ioam_trace trace;
    rocecc_ioam_config config; /* for rocecc_ioam_layout_update() */
    rocecc_reader free_space;  /* space for more nodes; RemainingLen words if
                                  pre-allocated, else empty */
    rocecc_reader nodes; /* node data, newest first; for rocecc_ioam_node_next() */
} rocecc_ioam_view;

/*
 * Takes the words of one node. Returns false, and does not move `nodes`, if the node is
 * incomplete.
 */
ROCECC_FN bool rocecc_ioam_node_split_(const rocecc_ioam_trace *trace,
                                       rocecc_reader *nodes, rocecc_reader *words,
                                       rocecc_reader *snapshot)
{
    rocecc_reader rest = *nodes;
    const uint8_t *b;
    if (!rocecc_split(&rest, 4 * (size_t)trace->node_len, words)) return false;
    *snapshot = rest;
    if ((trace->trace_type & ROCECC_IOAM_SNAPSHOT) != 0) {
        b = rocecc_take(&rest, 4);
        if (b == NULL || rocecc_take(&rest, 4 * (size_t)b[0]) == NULL) return false;
    }
    snapshot->end = rest.at;
    *nodes = rest;
    return true;
}

/*
 * Counts the nodes. Returns FORMAT if a node with a snapshot is incomplete, and
 * UNSUPPORTED for more than ROCECC_IOAM_NODES_MAX nodes.
 */
ROCECC_FN rocecc_status rocecc_ioam_count_nodes_(const rocecc_ioam_trace *trace,
                                                 rocecc_reader nodes, uint8_t *count)
{
    rocecc_reader words, snapshot;
    const size_t whole = rocecc_left(&nodes) / 4, each = trace->node_len;
    uint8_t n;
    if ((trace->trace_type & ROCECC_IOAM_SNAPSHOT) == 0 && each != 0) {
        if (whole > each * ROCECC_IOAM_NODES_MAX) return ROCECC_ERR_UNSUPPORTED;
        *count = (uint8_t)(whole / each);
        return ROCECC_OK;
    }
    for (n = 0;; n++) {
        if (rocecc_left(&nodes) == 0) break;
        if (n == ROCECC_IOAM_NODES_MAX) return ROCECC_ERR_UNSUPPORTED;
        if (!rocecc_ioam_node_split_(trace, &nodes, &words, &snapshot))
            return ROCECC_ERR_FORMAT;
    }
    *count = n;
    return ROCECC_OK;
}

/*
 * Parses a trace in any namespace. Returns NO_MATCH if the option is not a trace.
 * Returns FORMAT if rocecc_ioam_trace_match() is false, if the trace type asks for no
 * items, or if a node is incomplete. Returns UNSUPPORTED for more than
 * ROCECC_IOAM_NODES_MAX nodes. If the flag O is set, the nodes nearest the receiver are
 * missing from the trace.
 */
ROCECC_FN rocecc_status rocecc_ioam_view_parse(const rocecc_ioam_config *config,
                                               const rocecc_ioam_option *option,
                                               rocecc_ioam_view *out)
{
    rocecc_reader rest = option->data;
    const uint8_t *b = rocecc_take(&rest, ROCECC_IOAM_TRACE_BYTES);
    size_t words = 0;
    rocecc_ioam_view view;
    rocecc_status status;
    if (option->opt_type > ROCECC_IOAM_INCREMENTAL) return ROCECC_NO_MATCH;
    if (b == NULL || !rocecc_ioam_trace_match(option->opt_type, option->data))
        return ROCECC_ERR_FORMAT;
    view.reserved = option->reserved;
    view.opt_type = option->opt_type;
    view.trace = rocecc_ioam_trace_load(b);
    if ((view.trace.trace_type & ROCECC_IOAM_TYPE_DATA) == 0) return ROCECC_ERR_FORMAT;
    if (option->opt_type == ROCECC_IOAM_PREALLOCATED) words = view.trace.remaining_len;
    if (!rocecc_split(&rest, 4 * words, &view.free_space)) return ROCECC_ERR_FORMAT;
    view.config = *config;
    view.nodes = rest;
    status = rocecc_ioam_count_nodes_(&view.trace, rest, &view.count);
    if (status == ROCECC_OK) *out = view;
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Steps to the next node. The newest node comes first. Before the first call, the
 * caller must set *nodes to view->nodes. `layout` must be the layout for view->config
 * and view->trace.trace_type. Returns END after the last node, and FORMAT if `nodes`
 * ends inside a node or if `layout` is for another trace type.
 */
ROCECC_FN rocecc_status rocecc_ioam_node_next(const rocecc_ioam_view *view,
                                              const rocecc_report_layout *layout,
                                              rocecc_reader *nodes,
                                              rocecc_ioam_node *out)
{
    rocecc_reader rest = *nodes, words, snapshot;
    const uint8_t *b;
    if (rocecc_left(nodes) == 0) return ROCECC_END;
    if (layout->bitmap != view->trace.trace_type ||
        !rocecc_ioam_node_split_(&view->trace, &rest, &words, &snapshot))
        return ROCECC_ERR_FORMAT;
    rocecc_ioam_node_init(out);
    rocecc_report_layout_load(layout, words, out->word);
    b = rocecc_take(&snapshot, 4);
    if (b != NULL) out->word[ROCECC_IOAM_WORD_SNAPSHOT] = rocecc_load32(b);
    *nodes = rest;
    return ROCECC_OK;
}

/*
 * Returns the data of a node's snapshot. The caller must pass `nodes` unchanged after
 * rocecc_ioam_node_next() has read this node.
 */
ROCECC_FN rocecc_reader rocecc_ioam_snapshot(const rocecc_ioam_node *node,
                                             rocecc_reader nodes)
{
    const size_t bytes = 4 * (size_t)rocecc_ioam_snapshot_words(node);
    return rocecc_subrange(nodes, nodes.at < bytes ? 0 : nodes.at - bytes, nodes.at);
}

/*
 * Returns the number of words in a node, including its snapshot: 0 to 281 (25 + 1 +
 * 255).
 */
ROCECC_FN size_t rocecc_ioam_node_words(uint32_t trace_type,
                                        const rocecc_ioam_node *node)
{
    const size_t words = rocecc_ioam_node_len(trace_type);
    if ((trace_type & ROCECC_IOAM_SNAPSHOT) == 0) return words;
    return words + 1 + rocecc_ioam_snapshot_words(node);
}

/* Returns true if the size of `snapshot` matches the snapshot's Length in `node`. */
ROCECC_FN bool rocecc_ioam_node_fits(const rocecc_ioam_node *node,
                                     rocecc_reader snapshot)
{
    return rocecc_left(&snapshot) == 4 * (size_t)rocecc_ioam_snapshot_words(node);
}

/*
 * Writes `value` to the word for a configured bit. Does nothing for a bit below 12 or
 * above 21.
 */
ROCECC_FN void rocecc_ioam_move_item_(rocecc_ioam_node *node, uint8_t bit,
                                      uint32_t value)
{
    size_t at = bit + 3u;
    if (rocecc_ioam_bit(bit) == 0) return;
    ROCECC_BPF_MASK_(at, 31);
    node->word[at & 31] = value;
}

/*
 * Writes the items that trace_type asks for. The words for tx_bytes_bit and
 * interface_bit come from TX_BYTES and the interface items, not from the items BIT_12
 * to BIT_21. Returns RANGE if rocecc_ioam_node_fits() is false, and SPACE if `writer`
 * is too small.
 */
ROCECC_FN rocecc_status rocecc_ioam_node_emit(rocecc_writer *writer,
                                              const rocecc_ioam_config *config,
                                              uint32_t trace_type,
                                              const rocecc_ioam_node *node,
                                              rocecc_reader snapshot)
{
    rocecc_writer out = *writer;
    rocecc_ioam_node wire = *node; /* each item at the place of its bit */
    uint8_t *b;
    if (!rocecc_ioam_node_fits(node, snapshot)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < 4 * rocecc_ioam_node_words(trace_type, node))
        return ROCECC_ERR_SPACE;
    rocecc_ioam_move_item_(&wire, config->interface_bit,
                           node->word[ROCECC_IOAM_WORD_INTERFACE]);
    rocecc_ioam_move_item_(&wire, config->tx_bytes_bit,
                           node->word[ROCECC_IOAM_WORD_TX_BYTES]);
    if (!rocecc_report_store(&out, wire.word, ROCECC_IOAM_WORD_SNAPSHOT,
                             rocecc_ioam_item_words(trace_type)))
        return ROCECC_ERR_SPACE;
    if ((trace_type & ROCECC_IOAM_SNAPSHOT) != 0) {
        b = rocecc_put(&out, 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store32(b, node->word[ROCECC_IOAM_WORD_SNAPSHOT]);
        if (!rocecc_append(&out, snapshot, 1020)) return ROCECC_ERR_SPACE;
    }
    *writer = out;
    return ROCECC_OK;
}

/*
 * Counts the routers without IOAM between two consecutive nodes of a trace. Every
 * router decrements Hop Limit, so this number is the decrease in Hop_Lim from `older`
 * to `newer`, minus 1. Returns NO_MATCH unless both nodes have Hop_Lim in the same
 * format, short or wide (255 means absent). Returns FORMAT if Hop_Lim does not
 * decrease.
 */
ROCECC_FN rocecc_status rocecc_ioam_node_gap(const rocecc_ioam_node *newer,
                                             const rocecc_ioam_node *older,
                                             uint8_t *out)
{
    rocecc_ioam_item item = ROCECC_IOAM_ITEM_HOP_LIMIT;
    uint64_t from, to;
    if (!rocecc_ioam_has(newer, item) || !rocecc_ioam_has(older, item))
        item = ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE;
    if (!rocecc_ioam_has(newer, item) || !rocecc_ioam_has(older, item))
        return ROCECC_NO_MATCH;
    from = rocecc_ioam_get(older, item);
    to = rocecc_ioam_get(newer, item);
    if (from <= to) return ROCECC_ERR_FORMAT;
    *out = (uint8_t)(from - to - 1);
    return ROCECC_OK;
}

/* A Hop-by-Hop Options header with an empty trace. */
typedef struct rocecc_ioam_source {
    uint8_t next_header;
    uint8_t opt_type; /* ROCECC_IOAM_PREALLOCATED or INCREMENTAL */
    uint16_t namespace_id;
    uint8_t flags;       /* O and the last bit are 0; L is set only if trace_type is
                            ROCECC_IOAM_NODE */
    uint32_t trace_type; /* 24 bits, not 0; bit 23 is 0 */
    uint8_t words; /* RemainingLen. Pre-allocated: free space, at most 61; incremental:
                      words to add, at most 127 */
} rocecc_ioam_source;

/* Returns true if each member has a value that the comment on this member allows. */
ROCECC_FN bool rocecc_ioam_source_fits(const rocecc_ioam_source *source)
{
    const uint32_t flags = ROCECC_IOAM_FLAG_LOOPBACK | ROCECC_IOAM_FLAG_ACTIVE;
    const uint8_t most = source->opt_type == ROCECC_IOAM_INCREMENTAL ? 127 : 61;
    return source->opt_type <= ROCECC_IOAM_INCREMENTAL && source->words <= most &&
           (source->trace_type & ~ROCECC_IOAM_TYPE_DATA) == 0 &&
           source->trace_type != 0 && (source->flags & ~flags) == 0 &&
           ((source->flags & ROCECC_IOAM_FLAG_LOOPBACK) == 0 ||
            source->trace_type == ROCECC_IOAM_NODE);
}

/*
 * Returns the size of the option in bytes: 4 + trace header + free space, 12 to 256.
 */
ROCECC_FN size_t rocecc_ioam_source_bytes(const rocecc_ioam_source *source)
{
    const size_t words =
        source->opt_type == ROCECC_IOAM_PREALLOCATED ? source->words : 0;
    return 4 + ROCECC_IOAM_TRACE_BYTES + 4 * words;
}

/*
 * Returns the size of the Hop-by-Hop Options header in bytes. The size is the sum of 4
 * and rocecc_ioam_source_bytes(), rounded up to a multiple of 8.
 */
ROCECC_FN size_t rocecc_ioam_build_bytes(const rocecc_ioam_source *source)
{
    return (4 + rocecc_ioam_source_bytes(source) + 7) / 8 * 8;
}

/*
 * Writes the option, with zeros in the free space. Returns RANGE if
 * rocecc_ioam_source_fits() is false, and SPACE if rocecc_ioam_source_bytes() bytes do
 * not fit.
 */
ROCECC_FN rocecc_status rocecc_ioam_source_emit(rocecc_writer *writer,
                                                const rocecc_ioam_source *source)
{
    const size_t bytes = rocecc_ioam_source_bytes(source);
    rocecc_writer out = *writer;
    const rocecc_ioam_trace h = {
        source->namespace_id, rocecc_ioam_node_len(source->trace_type),
        source->flags,        source->words,
        source->trace_type,   0};
    uint8_t *b;
    size_t i;
    if (!rocecc_ioam_source_fits(source)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 4 + ROCECC_IOAM_TRACE_BYTES);
    if (b != NULL) {
        b[0] = ROCECC_IOAM_OPTION_HBH;
        b[1] = (uint8_t)(bytes - 2);
        b[2] = 0;
        b[3] = source->opt_type;
        rocecc_ioam_trace_store(b + 4, &h);
    }
    for (i = 4 + ROCECC_IOAM_TRACE_BYTES; i < bytes; i += 4) {
        b = rocecc_put(&out, 4); /* the check above ensures room */
        if (b != NULL) rocecc_store32(b, 0);
    }
    *writer = out;
    return ROCECC_OK;
}

/*
 * Writes the Hop-by-Hop Options header. It contains a PadN, the option (aligned to 4
 * bytes), and padding up to a multiple of 8 bytes. Returns RANGE if
 * rocecc_ioam_source_fits() is false, and SPACE if rocecc_ioam_build_bytes() bytes do
 * not fit.
 */
ROCECC_FN rocecc_status rocecc_ioam_build(rocecc_writer *writer,
                                          const rocecc_ioam_source *source)
{
    const size_t bytes = rocecc_ioam_build_bytes(source);
    const size_t after = bytes - 4 - rocecc_ioam_source_bytes(source);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (!rocecc_ioam_source_fits(source)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 4);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = source->next_header;
    b[1] = (uint8_t)(bytes / 8 - 1);
    rocecc_store16(b + 2, 0x0100);
    if (rocecc_ioam_source_emit(&out, source) != ROCECC_OK ||
        rocecc_ip6opt_pad_emit(&out, after) != ROCECC_OK)
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IOAM_H */
