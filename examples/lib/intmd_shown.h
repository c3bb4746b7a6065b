/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_INTMD_SHOWN_H
#define EXAMPLES_LIB_INTMD_SHOWN_H

/*
 * intmd_shown.h - an INT node with a member per item, and an INT-MX header with its own
 * members, for the tables ROCECC_INTMD_NODE_FIELDS and _MX_FIELDS.
 */
#include "rocecc/fields/intmd.h"

/* Each file has its own copy. */
#define LIB_FN static inline

/* An INT-MX header. */
typedef struct intmd_mx {
    uint8_t ver;
    bool d;
    uint32_t reserved; /* 27 bits; in INT-MD: E, M, 12 reserved, Hop ML, count */
    uint16_t instructions;
    uint16_t ds_id;
    uint16_t ds_instruction;
    uint16_t ds_flags;
} intmd_mx;

LIB_FN intmd_mx intmd_mx_load(const uint8_t *b)
{
    const rocecc_intmd_header h = rocecc_intmd_header_load(b);
    intmd_mx mx;
    mx.ver = h.ver;
    mx.d = h.d;
    mx.reserved = (uint32_t)h.e << 26 | (uint32_t)h.m << 25 |
                  (uint32_t)h.reserved << 13 | (uint32_t)h.hop_ml << 8 |
                  h.remaining_hop_count;
    mx.instructions = h.instructions;
    mx.ds_id = h.ds_id;
    mx.ds_instruction = h.ds_instruction;
    mx.ds_flags = h.ds_flags;
    return mx;
}

LIB_FN void intmd_mx_store(uint8_t *b, const intmd_mx *mx)
{
    rocecc_intmd_header h = rocecc_intmd_header_init(mx->instructions, 0);
    h.ver = mx->ver;
    h.d = mx->d;
    h.e = (mx->reserved >> 26 & 1) != 0;
    h.m = (mx->reserved >> 25 & 1) != 0;
    h.reserved = (uint16_t)(mx->reserved >> 13 & 0xfff);
    h.hop_ml = (uint8_t)(mx->reserved >> 8 & 0x1f);
    h.remaining_hop_count = (uint8_t)mx->reserved;
    h.ds_id = mx->ds_id;
    h.ds_instruction = mx->ds_instruction;
    h.ds_flags = mx->ds_flags;
    rocecc_intmd_header_store(b, &h);
}

/* A node as rows and tools show it. A missing item is 0 and not in `present`. */
typedef struct intmd_shown {
    uint16_t present; /* instruction bits */
    uint32_t node_id;
    uint16_t ingress_id;
    uint16_t egress_id;
    uint32_t hop_latency;
    uint8_t queue_id;
    uint32_t queue_occupancy;
    uint64_t ingress_timestamp;
    uint64_t egress_timestamp;
    uint32_t l2_ingress_id;
    uint32_t l2_egress_id;
    uint32_t egress_tx_utilization;
    uint8_t buffer_id;
    uint32_t buffer_occupancy;
    rocecc_reader reserved; /* words of the reserved bits */
    rocecc_reader ds;
    uint32_t checksum_complement;
} intmd_shown;

/* Columns: instruction bit and name, the member's type and name, item. */
#define INTMD_ITEMS(F)                                                                 \
    F(0x8000, NODE_ID, uint32_t, node_id, NODE_ID)                                     \
    F(0x4000, INTERFACES, uint16_t, ingress_id, INGRESS_ID)                            \
    F(0x4000, INTERFACES, uint16_t, egress_id, EGRESS_ID)                              \
    F(0x2000, HOP_LATENCY, uint32_t, hop_latency, HOP_LATENCY)                         \
    F(0x1000, QUEUE, uint8_t, queue_id, QUEUE_ID)                                      \
    F(0x1000, QUEUE, uint32_t, queue_occupancy, QUEUE_OCCUPANCY)                       \
    F(0x0800, INGRESS_TIMESTAMP, uint64_t, ingress_timestamp, INGRESS_TIMESTAMP)       \
    F(0x0400, EGRESS_TIMESTAMP, uint64_t, egress_timestamp, EGRESS_TIMESTAMP)          \
    F(0x0200, L2_INTERFACES, uint32_t, l2_ingress_id, L2_INGRESS_ID)                   \
    F(0x0200, L2_INTERFACES, uint32_t, l2_egress_id, L2_EGRESS_ID)                     \
    F(0x0100, EGRESS_TX_UTILIZATION, uint32_t, egress_tx_utilization,                  \
      EGRESS_TX_UTILIZATION)                                                           \
    F(0x0080, BUFFER, uint8_t, buffer_id, BUFFER_ID)                                   \
    F(0x0080, BUFFER, uint32_t, buffer_occupancy, BUFFER_OCCUPANCY)                    \
    F(0x0001, CHECKSUM_COMPLEMENT, uint32_t, checksum_complement, CHECKSUM_COMPLEMENT)

#if !defined(__bpf__)
/* Returns n as shown. `nodes` must be as node_next() left it after n. */
LIB_FN intmd_shown intmd_show(const rocecc_intmd *h, const rocecc_intmd_node *n,
                              rocecc_reader nodes)
{
    static const intmd_shown nothing;
    intmd_shown s = nothing;
    size_t words = 0;
    unsigned bit;
#define INTMD_SHOW(mask, all, type, member, item)                                      \
    if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_##all)) {                                \
        s.present |= (mask);                                                           \
        s.member = (type)rocecc_intmd_get(n, ROCECC_INTMD_ITEM_##item);                \
    }
    INTMD_ITEMS(INTMD_SHOW)
    for (bit = 0x40; bit > 1; bit >>= 1)
        if ((h->header.instructions & bit) != 0) words++;
    s.ds = rocecc_intmd_ds(h, nodes);
    s.reserved = rocecc_subrange(nodes, s.ds.at - 4 * words, s.ds.at);
    return s;
}

/*
 * Writes a shown node to *n, for these instructions. Returns RANGE if a value is wider
 * than its field.
 */
LIB_FN rocecc_status intmd_node_of(const intmd_shown *s, uint16_t instructions,
                                   rocecc_intmd_node *n)
{
    rocecc_status status = ROCECC_OK;
    rocecc_reader reserved = s->reserved;
    unsigned bit;
    int i = 12;
    rocecc_intmd_node_init(n);
#define INTMD_SET(mask, all, type, member, item)                                       \
    if ((s->present & (mask)) != 0 &&                                                  \
        rocecc_intmd_set(n, ROCECC_INTMD_ITEM_##item, s->member) != ROCECC_OK)         \
        status = ROCECC_ERR_RANGE;
    INTMD_ITEMS(INTMD_SET)
    for (bit = 0x40; bit > 1; bit >>= 1, i++) {
        const uint8_t *b = NULL;
        if ((instructions & bit) != 0) b = rocecc_take(&reserved, 4);
        if (b != NULL) n->word[i] = rocecc_load32(b);
    }
    return status;
}
#endif

#endif /* EXAMPLES_LIB_INTMD_SHOWN_H */
