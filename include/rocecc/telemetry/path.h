/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_PATH_H
#define ROCECC_TELEMETRY_PATH_H

/*
 * path.h - all hops of a packet, as an algorithm takes them: the first of the
 * path first, where IOAM, IFA and INT have the last node first.
 *
 *     on the wire   | node 3 | node 2 | node 1 |
 *     hops          | hop 1  | hop 2  | hop 3  |
 *
 * Whether one is missing is said beside them, as far as it can be known: a node that
 * does not take part leaves no trace in any format, but in IOAM a gap of Hop_Lim if it
 * stands between two that do.
 *
 *           NO: the bytes show it             UNKNOWN, whatever the nodes are
 *     IOAM  O; Hop_Lim does not fall by one
 *     IFA   MF ID above 0; C not verified     Hop Limit 0; no room for one more
 *     INT   E; M                              no room for one more; it asks for what
 *                                             nodes need not know: bits 9 to 14, a
 *                                             Domain Specific ID or instruction
 *
 * What is neither is YES where the configuration says that every node writes a record,
 * and else UNKNOWN. HPCC++ looks for the worst hop: a path of NO is not to be given to
 * it, one of UNKNOWN is the best that there is of nodes of which nothing is known.
 */
#include "ifa.h"
#include "intmd.h"
#include "ioam.h"

/* Whether hops[] has all nodes of a path. */
typedef enum rocecc_telemetry_completeness_ {
    ROCECC_TELEMETRY_COMPLETE_NO = 0, /* one is missing, and it may be the worst */
    ROCECC_TELEMETRY_COMPLETE_UNKNOWN,
    ROCECC_TELEMETRY_COMPLETE_YES
} ROCECC_IN_8_BITS_(rocecc_telemetry_completeness);

/* The hops of a packet, the first of its path first. */
typedef struct rocecc_telemetry_path {
    uint32_t n; /* of hops[] */
    ROCECC_ENUM8_(rocecc_telemetry_completeness) complete;
} rocecc_telemetry_path;

/* By whether a node is seen to be missing, and whether one may be that left no trace.
 */
ROCECC_FN rocecc_telemetry_completeness rocecc_telemetry_complete_(
    const rocecc_telemetry_config *config, bool missing, bool silent)
{
    if (missing) return ROCECC_TELEMETRY_COMPLETE_NO;
    return silent || !config->every_node ? ROCECC_TELEMETRY_COMPLETE_UNKNOWN
                                         : ROCECC_TELEMETRY_COMPLETE_YES;
}

/* hops[at] = hop; at is below max, which a verifier sees only if this says so. */
ROCECC_FN bool rocecc_telemetry_put_hop_(rocecc_hop *hops, uint32_t max_hops,
                                         uint32_t index, rocecc_hop hop)
{
#if defined(__bpf__)
    __asm__ volatile("" : "+r"(index) : : "memory"); /* or the compiler drops it */
    if (index >= max_hops) return false;
#else
    (void)max_hops;
#endif
    hops[index] = hop;
    return true;
}

/*
 * The hops of the nodes of a trace. False: there are fewer than view says. *missing
 * becomes true where Hop_Lim does not fall by one.
 */
ROCECC_FN bool rocecc_telemetry_ioam_hops_(const rocecc_telemetry_config *config,
                                           const rocecc_ioam_view *view,
                                           rocecc_hop *hops, uint32_t max_hops,
                                           bool *missing)
{
    rocecc_reader nodes = view->nodes;
    rocecc_report_layout l = config->layout;
    rocecc_ioam_node node, newer; /* of which the words with Hop_Lim are kept */
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

/* The same of nodes as HPCC++ asks for them: five words in a known order. */
ROCECC_FN bool rocecc_telemetry_ioam_hpcc_hops_(const rocecc_telemetry_config *config,
                                                const rocecc_ioam_view *view,
                                                rocecc_hop *hops, uint32_t max_hops,
                                                bool *missing)
{
    rocecc_reader nodes = view->nodes;
    uint32_t i, newer = 255; /* Hop_Lim, where it is known */
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
 * Of IOAM: NO where O is set, or Hop_Lim does not fall by one from a node to the next:
 * it falls by more where a router between them wrote nothing, and where it does not
 * fall the records are not those of one path (RFC 9197, 4.4.2.1). SPACE: there are more
 * than max. FORMAT: view is not of rocecc_ioam_view_parse(), and hops may be written
 * to.
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

/* Whether records of an IFA stack are seen to be missing, or not to be right. */
ROCECC_FN bool rocecc_telemetry_ifa_missing_(const rocecc_ifa *ifa)
{
    const uint8_t flags = ifa->header.flags;
    if ((flags & ROCECC_IFA_FLAG_MF) != 0 &&
        (!ifa->config.fragments || ifa->fragment.mf_id != 0))
        return true;
    return (flags & ROCECC_IFA_FLAG_C) != 0 && rocecc_ifa_verify(ifa) != ROCECC_OK;
}

/*
 * Of IFA: NO where nodes have sent theirs to the collector (an MF ID above 0), or the
 * stack has a checksum (C) that is wrong: then its records are not those that nodes
 * wrote. NO also where the configuration does not know what MF or C says: nodes that
 * know no more leave themselves out, as those of packet/ifa.h do. Where one more would
 * have found no room, or no hop left, there may have been one. Whether a node left
 * itself out for its MTU, no packet shows. Statuses as rocecc_telemetry_ioam_path().
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

/* The hops of the nodes of INT-MD. False: there are fewer than intmd says. */
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

/* The same of nodes as HPCC++ asks for them: six words in a known order. */
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

/* Returns true if nodes may skip a packet with this header and leave no trace. */
ROCECC_FN bool rocecc_telemetry_intmd_may_be_skipped_(const rocecc_intmd_header *header)
{
    return (header->instructions & ROCECC_INTMD_RESERVED) != 0 ||
           (header->ds_id | header->ds_instruction) != 0;
}

/*
 * Of INT-MD: NO where E or M is set. A node that does not know a reserved instruction,
 * or the Domain Specific ID, may write all ones or add nothing, and then it does not
 * decrement Remaining Hop Count (INT 2.1). A node that adds nothing leaves no
 * trace, so the answer is UNKNOWN, even if this host knows the ID. One more node than
 * there is room for would have added nothing, too. D asks the sink to drop the packet,
 * and says nothing of its hops. Statuses as rocecc_telemetry_ioam_path().
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
