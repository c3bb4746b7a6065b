/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_PATH_H
#define ROCECC_TELEMETRY_PATH_H

/*
 * path.h - conversion of all records in a packet to hops. The result begins with the
 * first hop of the path, although IOAM, IFA and INT put the last node first on the
 * wire.
 *
 *     on the wire   | node 3 | node 2 | node 1 |
 *     hops          | hop 1  | hop 2  | hop 3  |
 *
 * The result also says whether the hops are complete. If a node writes no record, the
 * packet usually does not show this. However, between two nodes with IOAM records, such
 * a node causes a gap in Hop_Lim.
 *
 *           NO: the packet shows it           UNKNOWN even with every_node
 *     IOAM  O; Hop_Lim does not fall by one
 *     IFA   MF ID above 0; MF or C unknown;   Hop Limit 0; no room for one more node
 *           C wrong
 *     INT   E; M                              no room for one more node; asks for items
 *                                             that nodes may ignore: bits 9 to 14, a
 *                                             Domain Specific ID or instruction
 *
 * In all other cases, even if the packet has no records, `complete` is YES if
 * config->every_node is set, and UNKNOWN otherwise. HPCC++ looks for the worst hop, so
 * the host must not pass it a path if `complete` is NO. The host must not set
 * every_node unless each node of every path writes a record.
 */
#include "ifa.h"
#include "intmd.h"
#include "ioam.h"

/* Completeness of a path's hops. */
typedef enum rocecc_telemetry_completeness_ {
    ROCECC_TELEMETRY_COMPLETE_NO = 0, /* a hop is missing, and it might be the worst */
    ROCECC_TELEMETRY_COMPLETE_UNKNOWN,
    ROCECC_TELEMETRY_COMPLETE_YES
} ROCECC_IN_8_BITS_(rocecc_telemetry_completeness);

/* Number and completeness of the hops in a packet. */
typedef struct rocecc_telemetry_path {
    uint32_t n; /* number of hops */
    ROCECC_ENUM8_(rocecc_telemetry_completeness) complete;
} rocecc_telemetry_path;

/*
 * Returns the completeness of a path. `missing` means that a node is known to be
 * missing, and `silent` means that a node might be missing.
 */
ROCECC_FN rocecc_telemetry_completeness rocecc_telemetry_complete_(
    const rocecc_telemetry_config *config, bool missing, bool silent)
{
    if (missing) return ROCECC_TELEMETRY_COMPLETE_NO;
    return silent || !config->every_node ? ROCECC_TELEMETRY_COMPLETE_UNKNOWN
                                         : ROCECC_TELEMETRY_COMPLETE_YES;
}

/*
 * Sets hops[index]. The caller must ensure that index is below max_hops. The function
 * checks index only under BPF, for the verifier.
 */
ROCECC_FN bool rocecc_telemetry_put_hop_(rocecc_hop *hops, uint32_t max_hops,
                                         uint32_t index, rocecc_hop hop)
{
#if defined(__bpf__)
    __asm__ volatile("" : "+r"(index) : : "memory"); /* keeps the check */
    if (index >= max_hops) return false;
#else
    (void)max_hops;
#endif
    hops[index] = hop;
    return true;
}

/*
 * Converts the nodes of a trace. Returns false if a node cannot be read. Sets *missing
 * to true if Hop_Lim does not fall by exactly one from each node to the next.
 */
ROCECC_FN bool rocecc_telemetry_ioam_hops_(const rocecc_telemetry_config *config,
                                           const rocecc_ioam_view *view,
                                           rocecc_hop *hops, uint32_t max_hops,
                                           bool *missing)
{
    rocecc_reader nodes = view->nodes;
    rocecc_report_layout l = config->layout;
    rocecc_ioam_node node, newer; /* newer keeps only the words with Hop_Lim */
    uint32_t i;
    rocecc_ioam_layout_update(&view->config, view->trace.trace_type, &l);
    newer.word[0] = newer.word[8] = UINT32_MAX;
    for (i = view->count; i > 0; i--) {
        uint8_t between = 0;
        rocecc_status gap;
        bool is = rocecc_ioam_node_next(view, &l, &nodes, &node) == ROCECC_OK;
        if (is)
            is = rocecc_telemetry_put_hop_(hops, max_hops, i - 1,
                                           rocecc_telemetry_ioam_load(config, &node));
        if (!is) return false;
        gap = rocecc_ioam_node_gap(&newer, &node, &between);
        if (gap == ROCECC_ERR_FORMAT || between != 0) *missing = true;
        newer.word[0] = node.word[0];
        newer.word[8] = node.word[8];
    }
    return true;
}

/* Converts the nodes of a ROCECC_IOAM_TYPE_HPCC trace. Each node has five words. */
ROCECC_FN bool rocecc_telemetry_ioam_hpcc_hops_(const rocecc_telemetry_config *config,
                                                const rocecc_ioam_view *view,
                                                rocecc_hop *hops, uint32_t max_hops,
                                                bool *missing)
{
    rocecc_reader nodes = view->nodes;
    uint32_t i, newer = 255; /* newer: the newer node's Hop_Lim, or 255 if unknown */
    for (i = view->count; i > 0; i--) {
        const uint8_t *b = rocecc_take(&nodes, 20);
        bool is = b != NULL;
        uint32_t limit = newer;
        if (is) {
            limit = b[0];
            is = rocecc_telemetry_put_hop_(hops, max_hops, i - 1,
                                           rocecc_telemetry_ioam_load_hpcc_(config, b));
        }
        if (!is) return false;
        if (newer != 255 && limit != 255 && limit != newer + 1) *missing = true;
        newer = limit;
    }
    return true;
}

/*
 * Converts the nodes of an IOAM trace to hops. `complete` is NO if the O flag is set,
 * or if Hop_Lim does not fall by exactly one from each node to the next. Hop_Lim falls
 * by more than one if a router between the nodes wrote no record. If Hop_Lim does not
 * fall, the records are not from one path (RFC 9197, 4.4.2.1). A Hop_Lim of 255 means
 * that the value is unknown, so it is not compared. Returns SPACE, and writes nothing,
 * if the trace has more than max_hops nodes. Returns FORMAT if a node cannot be read,
 * which cannot happen after rocecc_ioam_view_parse(). On FORMAT, hops[] may have
 * changed, but *path is unchanged.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ioam_path(
    const rocecc_telemetry_config *config, const rocecc_ioam_view *view,
    rocecc_hop *hops, uint32_t max_hops, rocecc_telemetry_path *path)
{
    const bool five = view->trace.trace_type == ROCECC_IOAM_TYPE_HPCC &&
                      view->config.tx_bytes_bit == 12;
    bool missing = (view->trace.flags & ROCECC_IOAM_FLAG_OVERFLOW) != 0;
    if (view->count > max_hops) return ROCECC_ERR_SPACE;
    if (!(five
              ? rocecc_telemetry_ioam_hpcc_hops_(config, view, hops, max_hops, &missing)
              : rocecc_telemetry_ioam_hops_(config, view, hops, max_hops, &missing)))
        return ROCECC_ERR_FORMAT;
    path->n = view->count;
    path->complete = rocecc_telemetry_complete_(config, missing, false);
    return ROCECC_OK;
}

/* Returns true if records are known to be missing or wrong. */
ROCECC_FN bool rocecc_telemetry_ifa_missing_(const rocecc_ifa *ifa)
{
    const uint8_t flags = ifa->header.flags;
    if ((flags & ROCECC_IFA_FLAG_MF) != 0 &&
        (!ifa->config.fragments || ifa->fragment.mf_id != 0))
        return true;
    return (flags & ROCECC_IFA_FLAG_C) != 0 && rocecc_ifa_verify(ifa) != ROCECC_OK;
}

/*
 * Converts an IFA stack to hops. `complete` is NO if nodes have sent records to the
 * collector (MF ID above 0), if the checksum (flag C) is wrong, or if MF or C is set
 * but not defined in ifa->config. (If C is set but not defined, nodes that use
 * packet/ifa.h do not add a record.) Otherwise `complete` is UNKNOWN if Hop Limit is 0,
 * or if one more record would exceed Max Length. If a node adds no record because of
 * its MTU, the packet does not show this. Returns FORMAT if the stack has more than
 * ROCECC_IFA_NODES_MAX records, or if a record cannot be read. Returns SPACE, and
 * writes nothing, if the stack has more than max_hops records. On FORMAT, hops[] may
 * have changed, but *path is unchanged.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ifa_path(const rocecc_telemetry_config *config,
                                                  const rocecc_ifa *ifa,
                                                  rocecc_hop *hops, uint32_t max_hops,
                                                  rocecc_telemetry_path *path)
{
    const size_t bytes = rocecc_left(&ifa->nodes);
    const bool reversed = rocecc_ifa_is_tail_(&ifa->header) &&
                          ifa->config.tail == ROCECC_IFA_TAIL_NEWEST_LAST;
    rocecc_reader nodes = ifa->nodes;
    rocecc_ifa_node node;
    uint32_t i, n;
    if (bytes > ROCECC_IFA_NODES_MAX * ROCECC_IFA_NODE_BYTES) return ROCECC_ERR_FORMAT;
    n = (uint32_t)bytes / ROCECC_IFA_NODE_BYTES;
    if (n > max_hops) return ROCECC_ERR_SPACE;
    for (i = n; i > 0; i--) {
        bool is = rocecc_ifa_node_next(&ifa->config, &nodes, &node) == ROCECC_OK;
        if (is)
            is = rocecc_telemetry_put_hop_(hops, max_hops, reversed ? n - i : i - 1,
                                           rocecc_telemetry_ifa_load(config, &node));
        if (!is) return ROCECC_ERR_FORMAT;
    }
    path->n = n;
    path->complete = rocecc_telemetry_complete_(
        config, rocecc_telemetry_ifa_missing_(ifa),
        ifa->metadata.hop_limit == 0 ||
            ifa->metadata.current_length + ROCECC_IFA_NODE_WORDS >
                ifa->header.max_length);
    return ROCECC_OK;
}

/* Converts INT-MD nodes. Returns false if a node cannot be read. */
ROCECC_FN bool rocecc_telemetry_intmd_hops_(const rocecc_telemetry_config *config,
                                            const rocecc_intmd *intmd, rocecc_hop *hops,
                                            uint32_t max_hops)
{
    rocecc_reader nodes = intmd->nodes;
    rocecc_report_layout l = config->layout;
    rocecc_intmd_node node;
    uint32_t i;
    rocecc_intmd_layout_update(intmd->header.instructions, &l);
    for (i = intmd->n_nodes; i > 0; i--) {
        bool is = rocecc_intmd_node_next(intmd, &l, &nodes, &node) == ROCECC_OK;
        if (is)
            is = rocecc_telemetry_put_hop_(hops, max_hops, i - 1,
                                           rocecc_telemetry_intmd_load(config, &node));
        if (!is) return false;
    }
    return true;
}

/* Converts nodes with the instructions ROCECC_INTMD_HPCC. Each node has six words. */
ROCECC_FN bool rocecc_telemetry_intmd_hpcc_hops_(const rocecc_telemetry_config *config,
                                                 const rocecc_intmd *intmd,
                                                 rocecc_hop *hops, uint32_t max_hops)
{
    rocecc_reader nodes = intmd->nodes;
    uint32_t i;
    for (i = intmd->n_nodes; i > 0; i--) {
        const uint8_t *b = rocecc_take(&nodes, 24);
        bool is = b != NULL;
        if (is)
            is = rocecc_telemetry_put_hop_(
                hops, max_hops, i - 1, rocecc_telemetry_intmd_load_hpcc_(config, b));
        if (!is) return false;
    }
    return true;
}

/* Returns true if nodes are allowed to add nothing to a packet with this header. */
ROCECC_FN bool rocecc_telemetry_intmd_may_be_skipped_(const rocecc_intmd_header *header)
{
    return (header->instructions & ROCECC_INTMD_RESERVED) != 0 ||
           (header->ds_id | header->ds_instruction) != 0;
}

/*
 * Converts INT-MD nodes to hops. `complete` is NO if the E or M flag is set. Otherwise
 * `complete` is UNKNOWN if the header has a reserved instruction, a Domain Specific ID
 * or a DS Instruction, even if this host knows the ID. A node that does not support
 * such an item is allowed to add nothing (INT 2.1). `complete` is also UNKNOWN if one
 * more node would exceed ROCECC_INTMD_STACK_MAX_BYTES. D and Remaining Hop Count do not
 * affect `complete`. Returns SPACE, and writes nothing, if there are more than max_hops
 * nodes. Returns FORMAT if a node cannot be read. On FORMAT, hops[] may have changed,
 * but *path is unchanged.
 */
ROCECC_FN rocecc_status rocecc_telemetry_intmd_path(
    const rocecc_telemetry_config *config, const rocecc_intmd *intmd, rocecc_hop *hops,
    uint32_t max_hops, rocecc_telemetry_path *path)
{
    const bool six = intmd->header.instructions == ROCECC_INTMD_HPCC &&
                     intmd->header.hop_ml == 6 && intmd->source_words == 0;
    const size_t more = (size_t)intmd->header.hop_ml * 4;
    if (intmd->n_nodes > max_hops) return ROCECC_ERR_SPACE;
    if (!(six ? rocecc_telemetry_intmd_hpcc_hops_(config, intmd, hops, max_hops)
              : rocecc_telemetry_intmd_hops_(config, intmd, hops, max_hops)))
        return ROCECC_ERR_FORMAT;
    path->n = intmd->n_nodes;
    path->complete = rocecc_telemetry_complete_(
        config, intmd->header.e || intmd->header.m,
        rocecc_telemetry_intmd_may_be_skipped_(&intmd->header) ||
            rocecc_left(&intmd->nodes) + more > ROCECC_INTMD_STACK_MAX_BYTES);
    return ROCECC_OK;
}

#endif /* ROCECC_TELEMETRY_PATH_H */
