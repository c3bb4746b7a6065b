/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IFANODE_H
#define ROCECC_WIRE_IFANODE_H

/*
 * ifanode.h - the four headers of IFA 2.0 (two are optional), and the record that each
 * node pushes. draft-kumar-ippm-ifa. Layout A of the record comes from
 * draft-miao-ccwg-hpcc-info, 2.1. Some devices write layout B instead. ifa.h shows the
 * order of all parts in a packet.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version|  GNS  |    NextHdr    |Resvd|M|T|I|T|C|  Max Length   |
 *   |       |       |               |     |F|S| |A| |               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Request Vector| Action Vector |   Hop Limit   |Current Length |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            Checksum           |            Reserved           |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                    Packet ID                      |  MF ID  |L|
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     2f1104ff     version 2, no global name space, UDP, live packet, at most 255 words
 *     ff00fe08     254 more records allowed; the stack has 8 words: one record
 *
 * README.md lists the open questions about the two optional headers. A word is 4 bytes.
 */
#include "config.h"
#include "skip.h"

#define ROCECC_IFA_GNS_NONE 0xfu /* each record has its own LNS */

#define ROCECC_IFA_NODE_BYTES 32 /* in either layout */
#define ROCECC_IFA_NODE_WORDS 8
#define ROCECC_IFA_NODES_MAX 31 /* in a stack of 255 words */

/* Bits in the Action Vector. */
#define ROCECC_IFA_ACTION_LOSS 0x80u
#define ROCECC_IFA_ACTION_COLOR 0x40u

/* The IFA header. */
typedef struct rocecc_ifa_header {
    uint8_t version;  /* IFA version; 4 bits; ROCECC_IFA_VERSION */
    uint8_t gns;      /* global name space; 4 bits; 15: none */
    uint8_t next_hdr; /* IP protocol of the L4 header; the IP header contains IFA's
                         number instead */
    uint8_t flags;    /* flags MF, TS, I, TA and C; ROCECC_IFA_FLAG_...; the 3 high bits
                         are reserved */
    uint8_t max_length; /* maximum length of the stack; in words */
} rocecc_ifa_header;

/* Loads a 4-byte IFA header without checking it. */
ROCECC_FN rocecc_ifa_header rocecc_ifa_header_load(const uint8_t *bytes)
{
    rocecc_ifa_header h;
    h.version = bytes[0] >> 4;
    h.gns = bytes[0] & 0xf;
    h.next_hdr = bytes[1];
    h.flags = bytes[2];
    h.max_length = bytes[3];
    return h;
}

/* Writes 4 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_ifa_header_store(uint8_t *bytes, const rocecc_ifa_header *header)
{
    bytes[0] = (uint8_t)((header->version & 0xfu) << 4 | (header->gns & 0xfu));
    bytes[1] = header->next_hdr;
    bytes[2] = header->flags;
    bytes[3] = header->max_length;
}

/* The metadata header. */
typedef struct rocecc_ifa_metadata {
    uint8_t request_vector; /* bitmap of the requested fields */
    uint8_t action_vector;  /* actions for loss and colour; ROCECC_IFA_ACTION_... */
    uint8_t hop_limit; /* number of records that nodes may still add; decremented for
                          each record; 0: add no more */
    uint8_t current_length; /* length of the stack; in words */
} rocecc_ifa_metadata;

/* Loads a 4-byte metadata header without checking it. */
ROCECC_FN rocecc_ifa_metadata rocecc_ifa_metadata_load(const uint8_t *bytes)
{
    rocecc_ifa_metadata h;
    h.request_vector = bytes[0];
    h.action_vector = bytes[1];
    h.hop_limit = bytes[2];
    h.current_length = bytes[3];
    return h;
}

/* Writes 4 bytes. */
ROCECC_FN void rocecc_ifa_metadata_store(uint8_t *bytes,
                                         const rocecc_ifa_metadata *header)
{
    bytes[0] = header->request_vector;
    bytes[1] = header->action_vector;
    bytes[2] = header->hop_limit;
    bytes[3] = header->current_length;
}

/*
 * The checksum header. The configuration (rocecc_ifa_config.checksum) selects the
 * covered bytes.
 */
typedef struct rocecc_ifa_checksum {
    uint16_t checksum; /* checksum over the stack, and optionally its headers */
    uint16_t reserved;
} rocecc_ifa_checksum;

/* Loads a 4-byte checksum header without checking it. */
ROCECC_FN rocecc_ifa_checksum rocecc_ifa_checksum_load(const uint8_t *bytes)
{
    rocecc_ifa_checksum h;
    h.checksum = rocecc_load16(bytes);
    h.reserved = rocecc_load16(bytes + 2);
    return h;
}

/* Writes 4 bytes. */
ROCECC_FN void rocecc_ifa_checksum_store(uint8_t *bytes,
                                         const rocecc_ifa_checksum *header)
{
    rocecc_store16(bytes, header->checksum);
    rocecc_store16(bytes + 2, header->reserved);
}

/*
 * The fragment header. A node that has no room for its record sends the stack to the
 * collector and starts a new stack with the next MF ID. L is set only in the sink's
 * report.
 */
typedef struct rocecc_ifa_fragment {
    uint32_t packet_id; /* packet number, set by the source; 26 bits, the same in all
                           fragments */
    uint8_t mf_id;      /* number of stacks sent before this one; 5 bits */
    bool last;          /* last report for the packet; L */
} rocecc_ifa_fragment;

#define ROCECC_IFA_MF_ID_MAX 31

/* Loads a 4-byte fragment header without checking it. */
ROCECC_FN rocecc_ifa_fragment rocecc_ifa_fragment_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_ifa_fragment h;
    h.packet_id = w0 >> 6;
    h.mf_id = (uint8_t)(w0 >> 1 & 0x1f);
    h.last = (w0 & 1) != 0;
    return h;
}

/* Writes 4 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_ifa_fragment_store(uint8_t *bytes,
                                         const rocecc_ifa_fragment *header)
{
    rocecc_store32(bytes, header->packet_id << 6 | (header->mf_id & 0x1fu) << 1 |
                              (uint32_t)header->last);
}

/*
 * The layout of a record. Layout A is Figure 1 of draft-miao-ccwg-hpcc-info. For fields
 * that the draft reserves, the figure below shows the names that devices use, or
 * "reserved" if devices differ.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  LNS  |               Device ID               |      TTL      |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Speed |cn |   Queue   |          rxTimestampSec               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |          Egress Port          |         Ingress Port          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                        rxTimestampNs                          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                        residenceTime                          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                           txBytes                             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |           reserved            |         Queue Length          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                           reserved                            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 * Layout B, which some devices write instead, has template number 2. Its ingress port
 * comes before its egress port. In layout B_OCTETS, the first 16 bits of rxTimestampSec
 * are 0x8000. The next 16 bits are the high half of a queue length in bytes, and the
 * last 16 bits are reserved.
 *
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  LNS  |                       Device ID                       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  2  |   cn    | txBytes, high |      TTL      |     Queue     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                    rxTimestampSec, 48 bits                    |
 *   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                               |     rxTimestampNs, high       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      rxTimestampNs, low       |     txTimestampNs, high       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      txTimestampNs, low       |         Queue Length          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Ingress Port          |          Egress Port          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                      txBytes, low 32 bits                     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef enum rocecc_ifa_layout_ {
    ROCECC_IFA_LAYOUT_NONE = 0,
    ROCECC_IFA_LAYOUT_A,
    ROCECC_IFA_LAYOUT_B,       /* queue length in cells */
    ROCECC_IFA_LAYOUT_B_OCTETS /* queue length in bytes, no seconds */
} ROCECC_IN_8_BITS_(rocecc_ifa_layout);

/*
 * Items of a record, as bits of `present`. On the wire, only the speed can be marked as
 * absent, with an unassigned speed code.
 */
enum {
    ROCECC_IFA_TTL = 1,
    ROCECC_IFA_SPEED = 2,
    ROCECC_IFA_CN = 4,
    ROCECC_IFA_QUEUE = 8,
    ROCECC_IFA_RX_SEC = 16,
    ROCECC_IFA_RX_NS = 32,
    ROCECC_IFA_TX_NS = 64,
    ROCECC_IFA_RESIDENCE = 128,
    ROCECC_IFA_EGRESS = 256,
    ROCECC_IFA_INGRESS = 512,
    ROCECC_IFA_TX_BYTES = 1024,
    ROCECC_IFA_QUEUE_LENGTH = 2048
};

#define ROCECC_IFA_PRESENT_A 0xfbfu
#define ROCECC_IFA_PRESENT_B 0xf7du
#define ROCECC_IFA_PRESENT_B_OCTETS 0xf6du

/*
 * A record. Its members are in the order of layout A. The comments give each member's
 * width in bits, first in layout A and then in layout B. A dash means that the layout
 * lacks the member.
 */
typedef struct rocecc_ifa_node {
    ROCECC_ENUM8_(rocecc_ifa_layout) layout;
    uint8_t lns;        /* local name space; 4, 4 */
    uint32_t device_id; /* device that wrote the record; 20, 28 */
    uint8_t ttl;        /* TTL of the IP packet; 8, 8 */
    uint8_t speed; /* speed code of the egress port; 4, -; for rocecc_ifa_speed_bps() */
    uint8_t cn;    /* congestion indication; 2, 5 */
    uint8_t queue; /* queue identifier; 6, 8 */
    uint64_t rx_timestamp_sec; /* time of arrival, seconds; 20, 48; not in B_OCTETS */
    uint16_t egress_port;
    uint16_t ingress_port;
    uint32_t rx_timestamp_ns; /* time of arrival, nanoseconds; 32, 32 */
    uint32_t tx_timestamp_ns; /* time of departure, nanoseconds; -, 32 */
    uint32_t residence_time;  /* time in the node; 32, -; in ns; unreliable at 1 s and
                                 above */
    uint64_t tx_bytes;     /* number of bytes sent so far; 32, 40; in A, by the queue */
    uint16_t reserved16;   /* reserved bits; only in A and B_OCTETS */
    uint32_t queue_length; /* length of the queue; 16, 16; in cells; B_OCTETS: 32,
                              in bytes */
    uint32_t reserved32;   /* reserved bits; only in A */
    uint16_t present;      /* set of the present items; ROCECC_IFA_TTL and so on */
} rocecc_ifa_node;

#define ROCECC_IFA_SPEED_NONE 15u /* an unassigned code */

/*
 * Returns the speed in bit/s for a speed code. Codes 0 to 6 stand for 10, 25, 40, 50,
 * 100, 200 and 400 Gbit/s. Returns 0 for the other codes, because they are unassigned.
 * No document defines a code for 800 Gbit/s.
 */
ROCECC_FN uint64_t rocecc_ifa_speed_bps(uint8_t code)
{
    static const uint16_t gbps[7] = {10, 25, 40, 50, 100, 200, 400};
    return code < 7 ? (uint64_t)gbps[code] * 1000000000u : 0;
}

/*
 * Returns the code for a speed, or SPEED_NONE if no code stands for exactly this speed.
 */
ROCECC_FN uint8_t rocecc_ifa_speed_code(uint64_t bps)
{
    uint8_t code;
    for (code = 0; code < 7; code++)
        if (rocecc_ifa_speed_bps(code) == bps) return code;
    return ROCECC_IFA_SPEED_NONE;
}

/*
 * Returns the layout of a 32-byte record, or NONE if its LNS or template is unknown.
 */
ROCECC_FN rocecc_ifa_layout rocecc_ifa_node_layout(const rocecc_ifa_config *config,
                                                   const uint8_t *record)
{
    const unsigned lns = record[0] >> 4;
    if ((config->layout_a >> lns & 1) != 0) return ROCECC_IFA_LAYOUT_A;
    if ((config->layout_b >> lns & 1) == 0 || record[4] >> 5 != 2)
        return ROCECC_IFA_LAYOUT_NONE;
    return rocecc_load16(record + 8) == 0x8000 ? ROCECC_IFA_LAYOUT_B_OCTETS
                                               : ROCECC_IFA_LAYOUT_B;
}

ROCECC_FN void rocecc_ifa_load_a_(const uint8_t *bytes, rocecc_ifa_node *node)
{
    const uint32_t w0 = rocecc_load32(bytes);
    const uint32_t w1 = rocecc_load32(bytes + 4);
    node->device_id = w0 >> 8 & 0xfffff;
    node->ttl = (uint8_t)w0;
    node->speed = (uint8_t)(w1 >> 28);
    node->cn = (uint8_t)(w1 >> 26 & 0x3);
    node->queue = (uint8_t)(w1 >> 20 & 0x3f);
    node->rx_timestamp_sec = w1 & 0xfffff;
    node->egress_port = rocecc_load16(bytes + 8);
    node->ingress_port = rocecc_load16(bytes + 10);
    node->rx_timestamp_ns = rocecc_load32(bytes + 12);
    node->tx_timestamp_ns = 0;
    node->residence_time = rocecc_load32(bytes + 16);
    node->tx_bytes = rocecc_load32(bytes + 20);
    node->reserved16 = rocecc_load16(bytes + 24);
    node->queue_length = rocecc_load16(bytes + 26);
    node->reserved32 = rocecc_load32(bytes + 28);
    node->present = ROCECC_IFA_PRESENT_A;
    if (rocecc_ifa_speed_bps(node->speed) == 0)
        node->present = ROCECC_IFA_PRESENT_A - ROCECC_IFA_SPEED;
}

ROCECC_FN void rocecc_ifa_load_b_(const uint8_t *bytes, rocecc_ifa_node *node)
{
    const bool octets = node->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t sec = rocecc_load64(bytes + 6) & 0xffffffffffffu; /* bytes 8 to 13 */
    node->device_id = rocecc_load32(bytes) & 0xfffffff;
    node->ttl = bytes[6];
    node->speed = ROCECC_IFA_SPEED_NONE;
    node->cn = bytes[4] & 0x1f;
    node->queue = bytes[7];
    node->rx_timestamp_sec = octets ? 0 : sec;
    node->egress_port = rocecc_load16(bytes + 26);
    node->ingress_port = rocecc_load16(bytes + 24);
    node->rx_timestamp_ns = rocecc_load32(bytes + 14);
    node->tx_timestamp_ns = rocecc_load32(bytes + 18);
    node->residence_time = 0;
    node->tx_bytes = (uint64_t)bytes[5] << 32 | rocecc_load32(bytes + 28);
    node->reserved16 = (uint16_t)(octets ? sec : 0);
    node->queue_length = rocecc_load16(bytes + 22);
    if (octets) node->queue_length |= (uint32_t)(sec >> 16 & 0xffff) << 16;
    node->reserved32 = 0;
    node->present = octets ? ROCECC_IFA_PRESENT_B_OCTETS : ROCECC_IFA_PRESENT_B;
}

/*
 * Steps to the next record in wire order. The newest record comes first, except in a
 * tail stamp with ROCECC_IFA_TAIL_NEWEST_LAST, where the oldest record comes first.
 * Returns END after the last record, and FORMAT if `nodes` ends inside a record.
 * Returns UNSUPPORTED if the LNS has no layout, or if the LNS has layout B and the
 * template number is not 2. If `nodes` and `config` are members of a parsed rocecc_ifa,
 * the result is always OK or END.
 */
ROCECC_FN rocecc_status rocecc_ifa_node_next(const rocecc_ifa_config *config,
                                             rocecc_reader *nodes, rocecc_ifa_node *out)
{
    rocecc_reader rest = *nodes;
    rocecc_ifa_layout layout;
    const uint8_t *b;
    if (rocecc_left(&rest) == 0) return ROCECC_END;
    b = rocecc_take(&rest, ROCECC_IFA_NODE_BYTES);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    layout = rocecc_ifa_node_layout(config, b);
    if (layout == ROCECC_IFA_LAYOUT_NONE) return ROCECC_ERR_UNSUPPORTED;
    out->layout = layout;
    out->lns = b[0] >> 4;
    if (layout == ROCECC_IFA_LAYOUT_A)
        rocecc_ifa_load_a_(b, out);
    else
        rocecc_ifa_load_b_(b, out);
    *nodes = rest;
    return ROCECC_OK;
}

/*
 * Returns either `node` itself or `copy`, which then holds a changed copy of the
 * record. In the returned record, each absent item of the layout is 0, except that an
 * absent speed has an unassigned code.
 */
ROCECC_FN const rocecc_ifa_node *rocecc_ifa_without_absent_(const rocecc_ifa_node *node,
                                                            rocecc_ifa_node *copy)
{
    const uint16_t all = node->layout == ROCECC_IFA_LAYOUT_A ? ROCECC_IFA_PRESENT_A
                                                             : ROCECC_IFA_PRESENT_B;
    rocecc_ifa_node n;
    if ((node->present & all) == all) return node;
    n = *node;
    if ((n.present & ROCECC_IFA_TTL) == 0) n.ttl = 0;
    if ((n.present & ROCECC_IFA_SPEED) == 0 && rocecc_ifa_speed_bps(n.speed) != 0)
        n.speed = ROCECC_IFA_SPEED_NONE;
    if ((n.present & ROCECC_IFA_CN) == 0) n.cn = 0;
    if ((n.present & ROCECC_IFA_QUEUE) == 0) n.queue = 0;
    if ((n.present & ROCECC_IFA_RX_SEC) == 0) n.rx_timestamp_sec = 0;
    if ((n.present & ROCECC_IFA_RX_NS) == 0) n.rx_timestamp_ns = 0;
    if ((n.present & ROCECC_IFA_TX_NS) == 0) n.tx_timestamp_ns = 0;
    if ((n.present & ROCECC_IFA_RESIDENCE) == 0) n.residence_time = 0;
    if ((n.present & ROCECC_IFA_EGRESS) == 0) n.egress_port = 0;
    if ((n.present & ROCECC_IFA_INGRESS) == 0) n.ingress_port = 0;
    if ((n.present & ROCECC_IFA_TX_BYTES) == 0) n.tx_bytes = 0;
    if ((n.present & ROCECC_IFA_QUEUE_LENGTH) == 0) n.queue_length = 0;
    *copy = n;
    return copy;
}

/*
 * Returns true if a record can be written in its layout. lns, device_id and each
 * present item of the layout must fit their fields. In layout A, an absent speed must
 * also fit its field, and a present speed must be an assigned code. In layout B, the
 * high 16 bits of the 48-bit seconds must not be 0x8000, because this value marks
 * B_OCTETS.
 */
ROCECC_FN bool rocecc_ifa_node_fits(const rocecc_ifa_node *node)
{
    rocecc_ifa_node copy;
    const rocecc_ifa_node *n = rocecc_ifa_without_absent_(node, &copy);
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t sec = octets ? 0 : n->rx_timestamp_sec;
    if (n->lns >> 4 != 0) return false;
    if (n->layout == ROCECC_IFA_LAYOUT_A)
        return n->device_id >> 20 == 0 && n->speed >> 4 == 0 && n->cn >> 2 == 0 &&
               n->queue >> 6 == 0 && sec >> 20 == 0 && n->tx_bytes >> 32 == 0 &&
               n->queue_length >> 16 == 0 &&
               ((n->present & ROCECC_IFA_SPEED) == 0 ||
                rocecc_ifa_speed_bps(n->speed) != 0);
    return (octets || n->layout == ROCECC_IFA_LAYOUT_B) && n->device_id >> 28 == 0 &&
           n->cn >> 5 == 0 && sec >> 48 == 0 && sec >> 32 != 0x8000 &&
           n->tx_bytes >> 40 == 0 && (octets || n->queue_length >> 16 == 0);
}

ROCECC_FN void rocecc_ifa_store_a_(uint8_t *bytes, const rocecc_ifa_node *node)
{
    rocecc_store32(bytes, (uint32_t)node->lns << 28 | node->device_id << 8 | node->ttl);
    rocecc_store32(bytes + 4, (uint32_t)node->speed << 28 | (uint32_t)node->cn << 26 |
                                  (uint32_t)node->queue << 20 |
                                  (uint32_t)node->rx_timestamp_sec);
    rocecc_store16(bytes + 8, node->egress_port);
    rocecc_store16(bytes + 10, node->ingress_port);
    rocecc_store32(bytes + 12, node->rx_timestamp_ns);
    rocecc_store32(bytes + 16, node->residence_time);
    rocecc_store32(bytes + 20, (uint32_t)node->tx_bytes);
    rocecc_store16(bytes + 24, node->reserved16);
    rocecc_store16(bytes + 26, (uint16_t)node->queue_length);
    rocecc_store32(bytes + 28, node->reserved32);
}

ROCECC_FN void rocecc_ifa_store_b_(uint8_t *bytes, const rocecc_ifa_node *node)
{
    uint64_t sec = node->rx_timestamp_sec;
    if (node->layout == ROCECC_IFA_LAYOUT_B_OCTETS)
        sec = UINT64_C(0x8000) << 32 | (node->queue_length & 0xffff0000u) |
              node->reserved16;
    rocecc_store32(bytes, (uint32_t)node->lns << 28 | node->device_id);
    bytes[4] = (uint8_t)(2u << 5 | node->cn);
    bytes[5] = (uint8_t)(node->tx_bytes >> 32);
    bytes[6] = node->ttl;
    bytes[7] = node->queue;
    rocecc_store16(bytes + 8, (uint16_t)(sec >> 32));
    rocecc_store32(bytes + 10, (uint32_t)sec);
    rocecc_store32(bytes + 14, node->rx_timestamp_ns);
    rocecc_store32(bytes + 18, node->tx_timestamp_ns);
    rocecc_store16(bytes + 22, (uint16_t)node->queue_length);
    rocecc_store16(bytes + 24, node->ingress_port);
    rocecc_store16(bytes + 26, node->egress_port);
    rocecc_store32(bytes + 28, (uint32_t)node->tx_bytes);
}

/*
 * Writes the 32 bytes of a record. The caller must ensure that rocecc_ifa_node_fits()
 * is true.
 */
ROCECC_FN void rocecc_ifa_node_store(uint8_t *bytes, const rocecc_ifa_node *node)
{
    rocecc_ifa_node copy;
    const rocecc_ifa_node *n = rocecc_ifa_without_absent_(node, &copy);
    if (n->layout == ROCECC_IFA_LAYOUT_A)
        rocecc_ifa_store_a_(bytes, n);
    else
        rocecc_ifa_store_b_(bytes, n);
}

/*
 * Writes a record in its layout, without the items that the layout lacks. An absent
 * speed is written as the code in `node` if this code is unassigned, and as 15
 * otherwise. Any other absent item is written as 0. Returns RANGE if
 * rocecc_ifa_node_fits() is false, and SPACE if 32 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_ifa_node_emit(rocecc_writer *writer,
                                             const rocecc_ifa_node *node)
{
    uint8_t *b;
    if (!rocecc_ifa_node_fits(node)) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_IFA_NODE_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_node_store(b, node);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IFANODE_H */
