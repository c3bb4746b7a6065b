/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_TELEMETRY_PATH_H
#define ROCECC_ROLE_TELEMETRY_PATH_H

/*
 * telemetry_path.h - all hops of a packet, as an algorithm takes them: the first of the
 * path first, where IOAM, IFA and INT have the last node first.
 *
 *     on the wire   | node 3 | node 2 | node 1 |
 *     hops          | hop 1  | hop 2  | hop 3  |
 *
 * Whether one may be missing is said beside them. HPCC++ looks for the worst hop: a
 * path that is not complete is not to be given to it.
 */
#include "telemetry.h"

/* The hops of a packet, the first of its path first. */
typedef struct rocecc_telemetry_path {
    uint32_t n;    /* of hops[] */
    bool complete; /* false: one may be missing, and it may be the worst: not to be fed
                      to an algorithm that looks for that */
} rocecc_telemetry_path;

/* hops[at] = h; at is below max, which a verifier sees only if this says so. */
ROCECC_FN bool rocecc_telemetry_put_(rocecc_hop *hops, uint32_t max, uint32_t at,
                                     rocecc_hop h)
{
#if defined(__bpf__)
    __asm__ volatile("" : "+r"(at) : : "memory"); /* or the compiler drops it */
    if (at >= max) return false;
#else
    (void)max;
#endif
    hops[at] = h;
    return true;
}

/*
 * Of IOAM: not complete where O is set, or Hop_Lim shows a router between two nodes.
 * SPACE: there are more than max. FORMAT: v is not of rocecc_ioam_view_parse(), and
 * hops may be written to.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ioam_path(const rocecc_telemetry_config *c,
                                                   const rocecc_ioam_view *v,
                                                   rocecc_hop *hops, uint32_t max,
                                                   rocecc_telemetry_path *out)
{
    rocecc_reader nodes = v->nodes;
    rocecc_layout l = c->layout;
    rocecc_ioam_node node, newer; /* of which the words with Hop_Lim are kept */
    bool complete = (v->trace.flags & ROCECC_IOAM_FLAG_OVERFLOW) == 0;
    uint32_t i;
    if (v->count > max) return ROCECC_ERR_SPACE;
    rocecc_ioam_layout_of(&v->config, v->trace.trace_type, &l);
    newer.word[0] = newer.word[8] = UINT32_MAX;
    for (i = v->count; i > 0; i--) {
        uint8_t between = 0;
        bool is = rocecc_ioam_node_next(v, &l, &nodes, &node) == ROCECC_OK;
        if (is)
            is = rocecc_telemetry_put_(hops, max, i - 1,
                                       rocecc_telemetry_ioam_load(c, &node));
        if (!is) return ROCECC_ERR_FORMAT;
        if (rocecc_ioam_node_gap(&newer, &node, &between) == ROCECC_OK && between != 0)
            complete = false;
        newer.word[0] = node.word[0];
        newer.word[8] = node.word[8];
    }
    out->n = v->count;
    out->complete = complete;
    return ROCECC_OK;
}

/*
 * Of IFA: not complete where nodes have sent theirs to the collector (MF); nor where
 * one more would have found no room, or no hop left: then there may have been one.
 * Whether a node left itself out for its MTU, no packet shows. Statuses as above.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ifa_path(const rocecc_telemetry_config *c,
                                                  const rocecc_ifa *v, rocecc_hop *hops,
                                                  uint32_t max,
                                                  rocecc_telemetry_path *out)
{
    const size_t bytes = rocecc_left(&v->nodes);
    rocecc_reader nodes = v->nodes;
    rocecc_ifa_node node;
    uint32_t i, n;
    if (bytes > ROCECC_IFA_NODES_MAX * ROCECC_IFA_NODE_BYTES) return ROCECC_ERR_FORMAT;
    n = (uint32_t)bytes / ROCECC_IFA_NODE_BYTES;
    if (n > max) return ROCECC_ERR_SPACE;
    for (i = n; i > 0; i--) {
        bool is = rocecc_ifa_node_next(&v->config, &nodes, &node) == ROCECC_OK;
        if (is)
            is = rocecc_telemetry_put_(hops, max, i - 1,
                                       rocecc_telemetry_ifa_load(c, &node));
        if (!is) return ROCECC_ERR_FORMAT;
    }
    out->n = n;
    out->complete =
        (v->header.flags & ROCECC_IFA_FLAG_MF) == 0 && v->metadata.hop_limit != 0 &&
        v->metadata.current_length + ROCECC_IFA_NODE_WORDS <= v->header.max_length;
    return ROCECC_OK;
}

/*
 * Of INT-MD: not complete where E or M is set, or one more node would have found no
 * room: then there may have been one. Statuses as above.
 */
ROCECC_FN rocecc_status rocecc_telemetry_intmd_path(const rocecc_telemetry_config *c,
                                                    const rocecc_intmd *v,
                                                    rocecc_hop *hops, uint32_t max,
                                                    rocecc_telemetry_path *out)
{
    const size_t more = (size_t)v->header.hop_ml * 4;
    rocecc_reader nodes = v->nodes;
    rocecc_layout l = c->layout;
    rocecc_intmd_node node;
    uint32_t i;
    if (v->n_nodes > max) return ROCECC_ERR_SPACE;
    rocecc_intmd_layout_of(v->header.instructions, &l);
    for (i = v->n_nodes; i > 0; i--) {
        bool is = rocecc_intmd_node_next(v, &l, &nodes, &node) == ROCECC_OK;
        if (is)
            is = rocecc_telemetry_put_(hops, max, i - 1,
                                       rocecc_telemetry_intmd_load(c, &node));
        if (!is) return ROCECC_ERR_FORMAT;
    }
    out->n = v->n_nodes;
    out->complete = !v->header.e && !v->header.m &&
                    rocecc_left(&v->nodes) + more <= ROCECC_INTMD_STACK_MAX_BYTES;
    return ROCECC_OK;
}

#endif /* ROCECC_ROLE_TELEMETRY_PATH_H */
