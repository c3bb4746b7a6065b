/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_IOAM_SHOWN_H
#define EXAMPLES_LIB_IOAM_SHOWN_H

/*
 * ioam_shown.h - an IOAM node with a member per item, for the table
 * ROCECC_IOAM_NODE_FIELDS.
 */
#include "rocecc/fields/ioam.h"

/* Each file has its own copy. */
#define LIB_FN static inline

/* A node as rows and tools show it. A missing item is 0 and not in `present`. */
typedef struct ioam_shown {
    uint32_t present; /* bits in the order of ROCECC_IOAM_PRESENT_NAMES */
    uint8_t hop_limit;
    uint32_t node_id;
    uint16_t ingress_id;
    uint16_t egress_id;
    uint32_t timestamp_sec;
    uint32_t timestamp_frac;
    bool delay_overflow;
    uint32_t transit_delay;
    uint32_t namespace_data;
    uint32_t queue_depth;
    uint32_t checksum_complement;
    uint8_t hop_limit_wide;
    uint64_t node_id_wide;
    uint32_t ingress_id_wide;
    uint32_t egress_id_wide;
    uint64_t namespace_data_wide;
    uint32_t buffer_occupancy;
    uint32_t undefined[10];
    uint32_t tx_bytes;
    uint8_t interface_speed;
    uint32_t interface_errors;
    uint32_t schema_id;
    rocecc_reader snapshot;
} ioam_shown;

#define IOAM_SHOWN_SNAPSHOT (1u << 26)
#define IOAM_SHOWN_DELAY (1u << 6)

/* Columns: bit of `present`, type, member, item. delay_overflow is bit 31 of item 6. */
#define IOAM_ITEMS(F)                                                                  \
    F(0, uint8_t, hop_limit, HOP_LIMIT)                                                \
    F(1, uint32_t, node_id, NODE_ID)                                                   \
    F(2, uint16_t, ingress_id, INGRESS_ID)                                             \
    F(3, uint16_t, egress_id, EGRESS_ID)                                               \
    F(4, uint32_t, timestamp_sec, TIMESTAMP_SEC)                                       \
    F(5, uint32_t, timestamp_frac, TIMESTAMP_FRAC)                                     \
    F(6, uint32_t, transit_delay, TRANSIT_DELAY)                                       \
    F(7, uint32_t, namespace_data, NAMESPACE_DATA)                                     \
    F(8, uint32_t, queue_depth, QUEUE_DEPTH)                                           \
    F(9, uint32_t, checksum_complement, CHECKSUM_COMPLEMENT)                           \
    F(10, uint8_t, hop_limit_wide, HOP_LIMIT_WIDE)                                     \
    F(11, uint64_t, node_id_wide, NODE_ID_WIDE)                                        \
    F(12, uint32_t, ingress_id_wide, INGRESS_ID_WIDE)                                  \
    F(13, uint32_t, egress_id_wide, EGRESS_ID_WIDE)                                    \
    F(14, uint64_t, namespace_data_wide, NAMESPACE_DATA_WIDE)                          \
    F(15, uint32_t, buffer_occupancy, BUFFER_OCCUPANCY)                                \
    F(16, uint32_t, undefined[0], BIT_12)                                              \
    F(17, uint32_t, undefined[1], BIT_13)                                              \
    F(18, uint32_t, undefined[2], BIT_14)                                              \
    F(19, uint32_t, undefined[3], BIT_15)                                              \
    F(20, uint32_t, undefined[4], BIT_16)                                              \
    F(21, uint32_t, undefined[5], BIT_17)                                              \
    F(22, uint32_t, undefined[6], BIT_18)                                              \
    F(23, uint32_t, undefined[7], BIT_19)                                              \
    F(24, uint32_t, undefined[8], BIT_20)                                              \
    F(25, uint32_t, undefined[9], BIT_21)                                              \
    F(27, uint32_t, tx_bytes, TX_BYTES)                                                \
    F(28, uint8_t, interface_speed, INTERFACE_SPEED)                                   \
    F(29, uint32_t, interface_errors, INTERFACE_ERRORS)

#if !defined(__bpf__)
/* Returns n as shown. `nodes` must be as node_next() left it after n. */
LIB_FN ioam_shown ioam_show(const rocecc_ioam_node *n, rocecc_reader nodes)
{
    static const ioam_shown nothing;
    ioam_shown s = nothing;
#define IOAM_SHOW(bit, type, member, item)                                             \
    if (rocecc_ioam_has(n, ROCECC_IOAM_ITEM_##item)) {                                 \
        s.present |= 1u << (bit);                                                      \
        s.member = (type)rocecc_ioam_get(n, ROCECC_IOAM_ITEM_##item);                  \
    }
    IOAM_ITEMS(IOAM_SHOW)
    s.delay_overflow = s.transit_delay >> 31 != 0;
    s.transit_delay &= 0x7fffffff;
    s.snapshot = rocecc_ioam_snapshot(n, nodes);
    if (n->word[25] != 0x00ffffff) {
        s.present |= IOAM_SHOWN_SNAPSHOT;
        s.schema_id = rocecc_ioam_schema_id(n);
    }
    return s;
}

/* Writes a shown node to *n. Returns RANGE if an item is wider than its field. */
LIB_FN rocecc_status ioam_node_of(const ioam_shown *s, rocecc_ioam_node *n)
{
    rocecc_status status = ROCECC_OK;
    uint64_t v;
    rocecc_ioam_node_init(n);
#define IOAM_SET(bit, type, member, item)                                              \
    v = s->member;                                                                     \
    if ((bit) == 6 && s->delay_overflow) v |= ROCECC_IOAM_DELAY_OVERFLOW;              \
    if ((s->present >> (bit)&1) != 0 &&                                                \
        rocecc_ioam_set(n, ROCECC_IOAM_ITEM_##item, v) != ROCECC_OK)                   \
        status = ROCECC_ERR_RANGE;
    IOAM_ITEMS(IOAM_SET)
    if ((s->present & IOAM_SHOWN_SNAPSHOT) != 0)
        n->word[25] = (uint32_t)(rocecc_left(&s->snapshot) / 4) << 24 | s->schema_id;
    return status;
}
#endif

#endif /* EXAMPLES_LIB_IOAM_SHOWN_H */
