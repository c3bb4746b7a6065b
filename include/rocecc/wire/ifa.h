/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IFA_H
#define ROCECC_WIRE_IFA_H

/*
 * ifa.h - Inband Flow Analyzer 2.0: draft-kumar-ippm-ifa; the record of
 * draft-miao-ccwg-hpcc-info, 2.1, and the other one that devices write.
 *
 *   +----+-----+-----------+----------+----------+----------+---------+---------+
 *   | IP | IFA | UDP 8,    | metadata | checksum | fragment | stack   | payload |
 *   |    | 4   | TCP, GRE  | 4        | 4, if C  | 4, if MF | 32 n    |         |
 *   +----+-----+-----------+----------+----------+----------+---------+---------+
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
 * The IP header counts all of it; the L4 length and checksum are those of the packet
 * without IFA. The metadata header follows the L4 header, and not the IFA header; with
 * VXLAN it follows UDP. The stack's lengths are in words of 4 bytes, and the newest
 * record is the first.
 *
 * No public text fixes the two optional headers: that C comes before MF, and the widths
 * of the second, are what most devices' tools agree on.
 */
#include "config.h"
#include "skip.h"
#include "tcp.h"
#include "udp.h"

#define ROCECC_IFA_GNS_NONE 0xfu /* no global name space: each record has its LNS */

#define ROCECC_IFA_NODE_BYTES 32 /* of either layout */
#define ROCECC_IFA_NODE_WORDS 8
#define ROCECC_IFA_NODES_MAX 31 /* of 255 words */

/* Of the Action Vector. */
#define ROCECC_IFA_ACTION_LOSS 0x80u
#define ROCECC_IFA_ACTION_COLOR 0x40u

/* The IFA header. */
typedef struct rocecc_ifa_header {
    uint8_t version; /* 4 bits */
    uint8_t gns;     /* 4 bits: the global name space */
    uint8_t next_hdr;
    uint8_t flags;      /* ROCECC_IFA_FLAG_... */
    uint8_t max_length; /* of the stack, words */
} rocecc_ifa_header;

/* Total: any 4 bytes are an IFA header. */
ROCECC_FN rocecc_ifa_header rocecc_ifa_header_load(const uint8_t *b)
{
    rocecc_ifa_header h;
    h.version = b[0] >> 4;
    h.gns = b[0] & 0xf;
    h.next_hdr = b[1];
    h.flags = b[2];
    h.max_length = b[3];
    return h;
}

/* Writes 4 bytes. A value too wide loses its high bits and touches no neighbour. */
ROCECC_FN void rocecc_ifa_header_store(uint8_t *b, const rocecc_ifa_header *h)
{
    b[0] = (uint8_t)((h->version & 0xfu) << 4 | (h->gns & 0xfu));
    b[1] = h->next_hdr;
    b[2] = h->flags;
    b[3] = h->max_length;
}

/* SHORT: fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_header_parse(rocecc_reader *r, rocecc_ifa_header *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_IFA_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_ifa_header_load(b);
    return ROCECC_OK;
}

/* RANGE: a value is wider than its field. SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_header_emit(rocecc_writer *w,
                                               const rocecc_ifa_header *h)
{
    uint8_t *b;
    if ((h->version | h->gns) >> 4 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_IFA_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_header_store(b, h);
    return ROCECC_OK;
}

/* The metadata header. */
typedef struct rocecc_ifa_metadata {
    uint8_t request_vector;
    uint8_t action_vector;  /* ROCECC_IFA_ACTION_... */
    uint8_t hop_limit;      /* counted down by each record; 0: no more of them */
    uint8_t current_length; /* of the stack, words */
} rocecc_ifa_metadata;

/* Total: any 4 bytes are a metadata header. */
ROCECC_FN rocecc_ifa_metadata rocecc_ifa_metadata_load(const uint8_t *b)
{
    rocecc_ifa_metadata h;
    h.request_vector = b[0];
    h.action_vector = b[1];
    h.hop_limit = b[2];
    h.current_length = b[3];
    return h;
}

/* Writes 4 bytes. */
ROCECC_FN void rocecc_ifa_metadata_store(uint8_t *b, const rocecc_ifa_metadata *h)
{
    b[0] = h->request_vector;
    b[1] = h->action_vector;
    b[2] = h->hop_limit;
    b[3] = h->current_length;
}

/* SHORT: fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_metadata_parse(rocecc_reader *r,
                                                  rocecc_ifa_metadata *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_IFA_METADATA_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_ifa_metadata_load(b);
    return ROCECC_OK;
}

/* SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_metadata_emit(rocecc_writer *w,
                                                 const rocecc_ifa_metadata *h)
{
    uint8_t *b = rocecc_put(w, ROCECC_IFA_METADATA_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_metadata_store(b, h);
    return ROCECC_OK;
}

/* The checksum header. What it covers is not public: it is neither made nor checked. */
typedef struct rocecc_ifa_checksum {
    uint16_t checksum;
    uint16_t reserved;
} rocecc_ifa_checksum;

/* Total: any 4 bytes are a checksum header. */
ROCECC_FN rocecc_ifa_checksum rocecc_ifa_checksum_load(const uint8_t *b)
{
    rocecc_ifa_checksum h;
    h.checksum = rocecc_load16(b);
    h.reserved = rocecc_load16(b + 2);
    return h;
}

/* Writes 4 bytes. */
ROCECC_FN void rocecc_ifa_checksum_store(uint8_t *b, const rocecc_ifa_checksum *h)
{
    rocecc_store16(b, h->checksum);
    rocecc_store16(b + 2, h->reserved);
}

/* SHORT: fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_checksum_parse(rocecc_reader *r,
                                                  rocecc_ifa_checksum *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_IFA_CHECKSUM_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_ifa_checksum_load(b);
    return ROCECC_OK;
}

/* SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_checksum_emit(rocecc_writer *w,
                                                 const rocecc_ifa_checksum *h)
{
    uint8_t *b = rocecc_put(w, ROCECC_IFA_CHECKSUM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_checksum_store(b, h);
    return ROCECC_OK;
}

/* The fragment header: nodes before this stack sent theirs to the collector. */
typedef struct rocecc_ifa_fragment {
    uint32_t packet_id; /* 26 bits */
    uint8_t mf_id;      /* 5 bits */
    bool last;          /* L */
} rocecc_ifa_fragment;

/* Total: any 4 bytes are a fragment header. */
ROCECC_FN rocecc_ifa_fragment rocecc_ifa_fragment_load(const uint8_t *b)
{
    const uint32_t w0 = rocecc_load32(b);
    rocecc_ifa_fragment h;
    h.packet_id = w0 >> 6;
    h.mf_id = (uint8_t)(w0 >> 1 & 0x1f);
    h.last = (w0 & 1) != 0;
    return h;
}

/* Writes 4 bytes. A value too wide loses its high bits and touches no neighbour. */
ROCECC_FN void rocecc_ifa_fragment_store(uint8_t *b, const rocecc_ifa_fragment *h)
{
    rocecc_store32(b, h->packet_id << 6 | (h->mf_id & 0x1fu) << 1 | (uint32_t)h->last);
}

/* SHORT: fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_fragment_parse(rocecc_reader *r,
                                                  rocecc_ifa_fragment *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_IFA_FRAGMENT_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_ifa_fragment_load(b);
    return ROCECC_OK;
}

/* RANGE: a value is wider than its field. SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_ifa_fragment_emit(rocecc_writer *w,
                                                 const rocecc_ifa_fragment *h)
{
    uint8_t *b;
    if (h->packet_id >> 26 != 0 || h->mf_id >> 5 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_IFA_FRAGMENT_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_fragment_store(b, h);
    return ROCECC_OK;
}

/*
 * The record of a node. Layout A, the draft's Figure 1; what it has as reserved is
 * named here as devices fill it, and "reserved" where they do not agree:
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
 * Layout B, template 2 of other devices; beware: here the ingress port is the first.
 * Where the first 16 bits of rxTimestampSec are 0x8000, the next 16 are the high ones
 * of a queue length in bytes and the last 16 reserved: layout B in octets.
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
typedef enum rocecc_ifa_layout {
    ROCECC_IFA_LAYOUT_NONE = 0,
    ROCECC_IFA_LAYOUT_A,
    ROCECC_IFA_LAYOUT_B,       /* a queue length in cells */
    ROCECC_IFA_LAYOUT_B_OCTETS /* a queue length in bytes, and no seconds */
} rocecc_ifa_layout;

/*
 * In `present`: what the layout has. Neither has a value for "not available", but that
 * a speed may be none of the table.
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

/* One record; layout A's order. Widths in bits: of A, of B. */
typedef struct rocecc_ifa_node {
    uint8_t layout;            /* a rocecc_ifa_layout */
    uint8_t lns;               /* 4, 4: the local name space */
    uint32_t device_id;        /* 20, 28 */
    uint8_t ttl;               /* 8, 8: of the IP packet */
    uint8_t speed;             /* 4, -: a code, see rocecc_ifa_speed_bps() */
    uint8_t cn;                /* 2, 5: congestion */
    uint8_t queue;             /* 6, 8: which */
    uint64_t rx_timestamp_sec; /* 20, 48; in octets none */
    uint16_t egress_port;
    uint16_t ingress_port;
    uint32_t rx_timestamp_ns;
    uint32_t tx_timestamp_ns; /* -, 32 */
    uint32_t residence_time;  /* 32, -: ns */
    uint64_t tx_bytes;        /* 32, 40: in A, of the queue */
    uint16_t reserved16;      /* A, and B in octets */
    uint32_t queue_length;    /* 16, 16: cells; in octets 32: bytes */
    uint32_t reserved32;      /* A */
    uint16_t present;         /* ROCECC_IFA_TTL and so on */
} rocecc_ifa_node;

#define ROCECC_IFA_SPEED_NONE 15u /* a code that stands for no speed */

/*
 * Bits per second of a speed code; 0: the code has none. 400G is the highest there is:
 * what a device of 800G writes is not known.
 */
ROCECC_FN uint64_t rocecc_ifa_speed_bps(uint8_t code)
{
    static const uint16_t gbps[7] = {10, 25, 40, 50, 100, 200, 400};
    return code < 7 ? (uint64_t)gbps[code] * 1000000000u : 0;
}

/* The code of a speed, or ROCECC_IFA_SPEED_NONE: nothing is rounded. */
ROCECC_FN uint8_t rocecc_ifa_speed_code(uint64_t bps)
{
    uint8_t code;
    for (code = 0; code < 7; code++)
        if (rocecc_ifa_speed_bps(code) == bps) return code;
    return ROCECC_IFA_SPEED_NONE;
}

/* The layout of the record in 32 bytes; NONE: the LNS or its template is not known. */
ROCECC_FN rocecc_ifa_layout rocecc_ifa_layout_(const rocecc_ifa_config *c,
                                               const uint8_t *b)
{
    const unsigned lns = b[0] >> 4;
    if ((c->layout_a >> lns & 1) != 0) return ROCECC_IFA_LAYOUT_A;
    if ((c->layout_b >> lns & 1) == 0 || b[4] >> 5 != 2) return ROCECC_IFA_LAYOUT_NONE;
    return rocecc_load16(b + 8) == 0x8000 ? ROCECC_IFA_LAYOUT_B_OCTETS
                                          : ROCECC_IFA_LAYOUT_B;
}

ROCECC_FN void rocecc_ifa_load_a_(const uint8_t *b, rocecc_ifa_node *n)
{
    const uint32_t w0 = rocecc_load32(b);
    const uint32_t w1 = rocecc_load32(b + 4);
    n->device_id = w0 >> 8 & 0xfffff;
    n->ttl = (uint8_t)w0;
    n->speed = (uint8_t)(w1 >> 28);
    n->cn = (uint8_t)(w1 >> 26 & 0x3);
    n->queue = (uint8_t)(w1 >> 20 & 0x3f);
    n->rx_timestamp_sec = w1 & 0xfffff;
    n->egress_port = rocecc_load16(b + 8);
    n->ingress_port = rocecc_load16(b + 10);
    n->rx_timestamp_ns = rocecc_load32(b + 12);
    n->tx_timestamp_ns = 0;
    n->residence_time = rocecc_load32(b + 16);
    n->tx_bytes = rocecc_load32(b + 20);
    n->reserved16 = rocecc_load16(b + 24);
    n->queue_length = rocecc_load16(b + 26);
    n->reserved32 = rocecc_load32(b + 28);
    n->present = ROCECC_IFA_PRESENT_A;
    if (rocecc_ifa_speed_bps(n->speed) == 0)
        n->present = ROCECC_IFA_PRESENT_A - ROCECC_IFA_SPEED;
}

ROCECC_FN void rocecc_ifa_load_b_(const uint8_t *b, rocecc_ifa_node *n)
{
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t sec = rocecc_load64(b + 6) & 0xffffffffffffu; /* bytes 8 to 13 */
    n->device_id = rocecc_load32(b) & 0xfffffff;
    n->ttl = b[6];
    n->speed = ROCECC_IFA_SPEED_NONE;
    n->cn = b[4] & 0x1f;
    n->queue = b[7];
    n->rx_timestamp_sec = octets ? 0 : sec;
    n->egress_port = rocecc_load16(b + 26);
    n->ingress_port = rocecc_load16(b + 24);
    n->rx_timestamp_ns = rocecc_load32(b + 14);
    n->tx_timestamp_ns = rocecc_load32(b + 18);
    n->residence_time = 0;
    n->tx_bytes = (uint64_t)b[5] << 32 | rocecc_load32(b + 28);
    n->reserved16 = (uint16_t)(octets ? sec : 0);
    n->queue_length = rocecc_load16(b + 22);
    if (octets) n->queue_length |= (uint32_t)(sec >> 16 & 0xffff) << 16;
    n->reserved32 = 0;
    n->present = octets ? ROCECC_IFA_PRESENT_B_OCTETS : ROCECC_IFA_PRESENT_B;
}

/*
 * Steps to the next record, the newest first. END: the stack is used up. FORMAT: its
 * end is inside a record. UNSUPPORTED: an LNS without a layout, or a template that is
 * not 2. Of the nodes that rocecc_ifa_parse() gave by the same c, OK or END.
 */
ROCECC_FN rocecc_status rocecc_ifa_node_next(const rocecc_ifa_config *c,
                                             rocecc_reader *nodes, rocecc_ifa_node *n)
{
    rocecc_reader rest = *nodes;
    rocecc_ifa_layout layout;
    const uint8_t *b;
    if (rocecc_left(&rest) == 0) return ROCECC_END;
    b = rocecc_take(&rest, ROCECC_IFA_NODE_BYTES);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    layout = rocecc_ifa_layout_(c, b);
    if (layout == ROCECC_IFA_LAYOUT_NONE) return ROCECC_ERR_UNSUPPORTED;
    n->layout = (uint8_t)layout;
    n->lns = b[0] >> 4;
    if (layout == ROCECC_IFA_LAYOUT_A)
        rocecc_ifa_load_a_(b, n);
    else
        rocecc_ifa_load_b_(b, n);
    *nodes = rest;
    return ROCECC_OK;
}

/* The value of an item, or 0 where it is not present. */
ROCECC_FN uint64_t rocecc_ifa_item_(const rocecc_ifa_node *n, uint32_t item, uint64_t v)
{
    return (n->present & item) != 0 ? v : 0;
}

/* The speed code to write: one that stands for no speed, where there is none. */
ROCECC_FN uint8_t rocecc_ifa_speed_(const rocecc_ifa_node *n)
{
    if ((n->present & ROCECC_IFA_SPEED) != 0 || rocecc_ifa_speed_bps(n->speed) == 0)
        return n->speed;
    return ROCECC_IFA_SPEED_NONE;
}

/* Whether every item fits its field; A. */
ROCECC_FN bool rocecc_ifa_fits_a_(const rocecc_ifa_node *n)
{
    const uint8_t speed = rocecc_ifa_speed_(n);
    if ((n->present & ROCECC_IFA_SPEED) != 0 && rocecc_ifa_speed_bps(speed) == 0)
        return false;
    return n->device_id >> 20 == 0 && speed >> 4 == 0 &&
           rocecc_ifa_item_(n, ROCECC_IFA_CN, n->cn) >> 2 == 0 &&
           rocecc_ifa_item_(n, ROCECC_IFA_QUEUE, n->queue) >> 6 == 0 &&
           rocecc_ifa_item_(n, ROCECC_IFA_RX_SEC, n->rx_timestamp_sec) >> 20 == 0 &&
           rocecc_ifa_item_(n, ROCECC_IFA_TX_BYTES, n->tx_bytes) >> 32 == 0 &&
           rocecc_ifa_item_(n, ROCECC_IFA_QUEUE_LENGTH, n->queue_length) >> 16 == 0;
}

/* The same; B. Seconds that begin as those of "in octets" do are none. */
ROCECC_FN bool rocecc_ifa_fits_b_(const rocecc_ifa_node *n)
{
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t sec =
        octets ? 0 : rocecc_ifa_item_(n, ROCECC_IFA_RX_SEC, n->rx_timestamp_sec);
    const uint64_t length =
        rocecc_ifa_item_(n, ROCECC_IFA_QUEUE_LENGTH, n->queue_length);
    return n->device_id >> 28 == 0 && sec >> 48 == 0 && sec >> 32 != 0x8000 &&
           rocecc_ifa_item_(n, ROCECC_IFA_CN, n->cn) >> 5 == 0 &&
           rocecc_ifa_item_(n, ROCECC_IFA_TX_BYTES, n->tx_bytes) >> 40 == 0 &&
           (octets || length >> 16 == 0);
}

ROCECC_FN void rocecc_ifa_store_a_(uint8_t *b, const rocecc_ifa_node *n)
{
    const uint32_t ttl = (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_TTL, n->ttl);
    const uint32_t cn = (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_CN, n->cn);
    const uint32_t queue = (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_QUEUE, n->queue);
    const uint32_t sec =
        (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_RX_SEC, n->rx_timestamp_sec);
    rocecc_store32(b, (uint32_t)n->lns << 28 | n->device_id << 8 | ttl);
    rocecc_store32(b + 4,
                   (uint32_t)rocecc_ifa_speed_(n) << 28 | cn << 26 | queue << 20 | sec);
    rocecc_store16(b + 8,
                   (uint16_t)rocecc_ifa_item_(n, ROCECC_IFA_EGRESS, n->egress_port));
    rocecc_store16(b + 10,
                   (uint16_t)rocecc_ifa_item_(n, ROCECC_IFA_INGRESS, n->ingress_port));
    rocecc_store32(b + 12,
                   (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_RX_NS, n->rx_timestamp_ns));
    rocecc_store32(
        b + 16, (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_RESIDENCE, n->residence_time));
    rocecc_store32(b + 20,
                   (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_TX_BYTES, n->tx_bytes));
    rocecc_store16(b + 24, n->reserved16);
    rocecc_store16(b + 26, (uint16_t)rocecc_ifa_item_(n, ROCECC_IFA_QUEUE_LENGTH,
                                                      n->queue_length));
    rocecc_store32(b + 28, n->reserved32);
}

ROCECC_FN void rocecc_ifa_store_b_(uint8_t *b, const rocecc_ifa_node *n)
{
    const uint64_t tx = rocecc_ifa_item_(n, ROCECC_IFA_TX_BYTES, n->tx_bytes);
    const uint32_t length =
        (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_QUEUE_LENGTH, n->queue_length);
    uint64_t sec = rocecc_ifa_item_(n, ROCECC_IFA_RX_SEC, n->rx_timestamp_sec);
    if (n->layout == ROCECC_IFA_LAYOUT_B_OCTETS)
        sec = UINT64_C(0x8000) << 32 | (length & 0xffff0000u) | n->reserved16;
    rocecc_store32(b, (uint32_t)n->lns << 28 | n->device_id);
    b[4] = (uint8_t)(2u << 5 | rocecc_ifa_item_(n, ROCECC_IFA_CN, n->cn));
    b[5] = (uint8_t)(tx >> 32);
    b[6] = (uint8_t)rocecc_ifa_item_(n, ROCECC_IFA_TTL, n->ttl);
    b[7] = (uint8_t)rocecc_ifa_item_(n, ROCECC_IFA_QUEUE, n->queue);
    rocecc_store16(b + 8, (uint16_t)(sec >> 32));
    rocecc_store32(b + 10, (uint32_t)sec);
    rocecc_store32(b + 14,
                   (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_RX_NS, n->rx_timestamp_ns));
    rocecc_store32(b + 18,
                   (uint32_t)rocecc_ifa_item_(n, ROCECC_IFA_TX_NS, n->tx_timestamp_ns));
    rocecc_store16(b + 22, (uint16_t)length);
    rocecc_store16(b + 24,
                   (uint16_t)rocecc_ifa_item_(n, ROCECC_IFA_INGRESS, n->ingress_port));
    rocecc_store16(b + 26,
                   (uint16_t)rocecc_ifa_item_(n, ROCECC_IFA_EGRESS, n->egress_port));
    rocecc_store32(b + 28, (uint32_t)tx);
}

/*
 * Writes a record in its layout. What is not present is written as 0, a speed as a code
 * that has none (15, unless n has another); what the layout lacks is left out. RANGE: a
 * present item is wider than its field, a present speed is no code of the table, there
 * is no such layout, or (B) seconds that would read as a queue length. SPACE: no room
 * for 32 bytes.
 */
ROCECC_FN rocecc_status rocecc_ifa_node_emit(rocecc_writer *w, const rocecc_ifa_node *n)
{
    const bool a = n->layout == ROCECC_IFA_LAYOUT_A;
    uint8_t *b;
    if (n->layout == ROCECC_IFA_LAYOUT_NONE || n->layout > ROCECC_IFA_LAYOUT_B_OCTETS ||
        n->lns >> 4 != 0 || !(a ? rocecc_ifa_fits_a_(n) : rocecc_ifa_fits_b_(n)))
        return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_IFA_NODE_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    if (a)
        rocecc_ifa_store_a_(b, n);
    else
        rocecc_ifa_store_b_(b, n);
    return ROCECC_OK;
}

/*
 * Whether a residence time looks as if a device had added a second to it, as some do
 * where the second turns over: then it is not to be relied on.
 */
ROCECC_FN bool rocecc_ifa_is_rollover(const rocecc_ifa_node *n)
{
    return (n->present & ROCECC_IFA_RESIDENCE) != 0 &&
           n->residence_time >= 1000000000u && n->residence_time < 2000000000u;
}

/* Bytes in the queue; a cell is what the device takes for one, 256 bytes in some. */
ROCECC_FN uint64_t rocecc_ifa_queue_bytes(const rocecc_ifa_node *n, uint32_t cell_bytes)
{
    if (n->layout == ROCECC_IFA_LAYOUT_B_OCTETS) return n->queue_length;
    return (uint64_t)n->queue_length * cell_bytes;
}

/* All of IFA in a packet, in the order of the wire. */
typedef struct rocecc_ifa {
    rocecc_ifa_header header;
    rocecc_reader l4; /* the L4 header with its options, 4 to 60 bytes */
    rocecc_ifa_metadata metadata;
    rocecc_ifa_checksum checksum; /* if C; else 0 */
    rocecc_ifa_fragment fragment; /* if MF; else 0 */
    rocecc_reader nodes;          /* 4 current_length bytes, whole records */
    rocecc_reader payload;        /* what is captured of it */
} rocecc_ifa;

/* GRE: what its first bits announce. RFC 2784, 2; RFC 2890, 2. */
ROCECC_FN rocecc_status rocecc_ifa_gre_(rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, 4);
    size_t more;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if ((b[0] & 0x40) != 0 || (b[1] & 0x7) != 0) return ROCECC_ERR_UNSUPPORTED;
    more = (size_t)(b[0] >> 7 & 1) + (b[0] >> 5 & 1) + (b[0] >> 4 & 1);
    return rocecc_take(r, 4 * more) != NULL ? ROCECC_OK : ROCECC_ERR_SHORT;
}

/* Moves past the L4 header. UNSUPPORTED: one whose length is not known here. */
ROCECC_FN rocecc_status rocecc_ifa_l4_(rocecc_reader *r, uint8_t next_hdr,
                                       rocecc_reader *l4)
{
    rocecc_reader rest = *r;
    rocecc_status status;
    rocecc_tcp tcp;
    rocecc_udp udp;
    if (next_hdr == ROCECC_PROTO_UDP)
        status = rocecc_udp_parse(&rest, &udp);
    else if (next_hdr == ROCECC_PROTO_TCP)
        status = rocecc_tcp_parse(&rest, &tcp);
    else if (next_hdr == ROCECC_IFA_GRE)
        status = rocecc_ifa_gre_(&rest);
    else
        return ROCECC_ERR_UNSUPPORTED;
    if (status != ROCECC_OK) return status;
    *l4 = *r;
    l4->end = rest.at;
    *r = rest;
    return ROCECC_OK;
}

/* Whether UDP finds its data in so many bytes behind the stack. */
ROCECC_FN bool rocecc_ifa_udp_fits_(uint8_t next_hdr, rocecc_reader l4, size_t bytes)
{
    const uint8_t *b = rocecc_take(&l4, ROCECC_UDP_BYTES);
    return next_hdr != ROCECC_PROTO_UDP || b == NULL ||
           rocecc_load16(b + 4) <= ROCECC_UDP_BYTES + bytes;
}

/* The two headers that flags announce. */
ROCECC_FN rocecc_status rocecc_ifa_optional_(rocecc_reader *r, rocecc_ifa *h)
{
    h->checksum.checksum = h->checksum.reserved = 0;
    h->fragment.packet_id = h->fragment.mf_id = 0;
    h->fragment.last = false;
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0 &&
        rocecc_ifa_checksum_parse(r, &h->checksum) != ROCECC_OK)
        return ROCECC_ERR_SHORT;
    if ((h->header.flags & ROCECC_IFA_FLAG_MF) != 0 &&
        rocecc_ifa_fragment_parse(r, &h->fragment) != ROCECC_OK)
        return ROCECC_ERR_SHORT;
    return ROCECC_OK;
}

/* What there is of a number of bytes. */
ROCECC_FN rocecc_reader rocecc_ifa_within_(rocecc_reader r, size_t bytes)
{
    return bytes < rocecc_left(&r) ? rocecc_between(r, r.at, r.at + bytes) : r;
}

/* From the IFA header to the last one before the stack. */
ROCECC_FN rocecc_status rocecc_ifa_headers_(rocecc_reader *r, rocecc_ifa *h)
{
    rocecc_status status = rocecc_ifa_header_parse(r, &h->header);
    if (status != ROCECC_OK) return status;
    if (h->header.version != ROCECC_IFA_VERSION ||
        h->header.gns != ROCECC_IFA_GNS_NONE ||
        (h->header.flags & ROCECC_IFA_FLAG_TS) != 0)
        return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_ifa_l4_(r, h->header.next_hdr, &h->l4);
    if (status != ROCECC_OK) return status;
    status = rocecc_ifa_metadata_parse(r, &h->metadata);
    if (status != ROCECC_OK) return status;
    return rocecc_ifa_optional_(r, h);
}

/* Whether every record of a stack is of a known layout. */
ROCECC_FN bool rocecc_ifa_nodes_match_(const rocecc_ifa_config *c, rocecc_reader nodes)
{
    int i;
    for (i = 0; i < ROCECC_IFA_NODES_MAX; i++) {
        const uint8_t *b = rocecc_take(&nodes, ROCECC_IFA_NODE_BYTES);
        if (b == NULL) break;
        if (rocecc_ifa_layout_(c, b) == ROCECC_IFA_LAYOUT_NONE) return false;
    }
    return true;
}

/* Takes the stack, if its lengths agree with one another. */
ROCECC_FN rocecc_status rocecc_ifa_stack_(rocecc_reader *r, rocecc_ifa *h)
{
    const uint8_t words = h->metadata.current_length;
    if (words > h->header.max_length || words % ROCECC_IFA_NODE_WORDS != 0)
        return ROCECC_ERR_FORMAT;
    if (!rocecc_split(r, (size_t)words * 4, &h->nodes)) return ROCECC_ERR_SHORT;
    return ROCECC_OK;
}

/* Nothing read yet. */
ROCECC_FN rocecc_ifa rocecc_ifa_none_(rocecc_reader r)
{
    const rocecc_ifa none = {
        {0, 0, 0, 0, 0}, r, {0, 0, 0, 0}, {0, 0}, {0, 0, false}, r, r};
    return none;
}

/* All of *h, or part of it where the status is not OK; SHORT is not declared yet. */
ROCECC_FN rocecc_status rocecc_ifa_read_(const rocecc_ifa_config *c, rocecc_reader r,
                                         size_t bytes, rocecc_ifa *h)
{
    rocecc_reader rest = rocecc_ifa_within_(r, bytes);
    rocecc_status status = rocecc_ifa_headers_(&rest, h);
    if (status != ROCECC_OK) return status;
    status = rocecc_ifa_stack_(&rest, h);
    if (status != ROCECC_OK) return status;
    if (!rocecc_ifa_udp_fits_(h->header.next_hdr, h->l4, bytes - (rest.at - r.at)))
        return ROCECC_ERR_FORMAT;
    if (!rocecc_ifa_nodes_match_(c, h->nodes)) return ROCECC_ERR_UNSUPPORTED;
    h->payload = rest;
    return ROCECC_OK;
}

/*
 * All of IFA; r begins with the IFA header, and bytes is how many there are from there
 * to the end of the packet, as its IP header says (r may have more, or be cut off).
 * SHORT: r is cut off before the payload. FORMAT: Current Length is above Max Length,
 * is no multiple of a record, or goes beyond the packet; a UDP length that leaves no
 * room for the stack, or a wrong L4 header. UNSUPPORTED: a version other than 2, a
 * global name space, a tail stamp, an L4 other than UDP, TCP and GRE, or a record of
 * unknown layout.
 */
ROCECC_FN rocecc_status rocecc_ifa_parse(const rocecc_ifa_config *c, rocecc_reader r,
                                         size_t bytes, rocecc_ifa *h)
{
    rocecc_ifa v = rocecc_ifa_none_(r);
    rocecc_status status = rocecc_ifa_read_(c, r, bytes, &v);
    if (rocecc_left(&r) >= bytes) status = rocecc_declared(status);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = v;
    return status;
}

/* What the IP headers of a packet say, offsets from its first byte. */
typedef struct rocecc_ifa_ip {
    uint8_t protocol;   /* of the upper layer */
    size_t protocol_at; /* where that stands */
    size_t upper_at;    /* where the upper layer begins */
    uint32_t bytes;     /* of the packet */
    uint32_t max_bytes; /* that it could tell of */
    bool fragment;      /* of a larger packet */
    bool authenticated; /* by AH: who changes the packet breaks it */
} rocecc_ifa_ip;

ROCECC_FN rocecc_status rocecc_ifa_ipv4_(rocecc_reader packet, rocecc_ifa_ip *ip)
{
    rocecc_reader rest = packet;
    rocecc_ipv4 h;
    const rocecc_status status = rocecc_ipv4_parse(&rest, &h);
    if (status != ROCECC_OK) return status;
    ip->fragment = h.mf || h.fragment_offset != 0;
    ip->protocol = h.protocol;
    ip->protocol_at = 9;
    ip->upper_at = rest.at - packet.at;
    ip->bytes = h.total_length;
    ip->max_bytes = 0xffff;
    return ROCECC_OK;
}

/* Whether this is a piece of a packet; an "atomic" fragment is all of it. RFC 6946. */
ROCECC_FN bool rocecc_ifa_is_fragment_(const rocecc_ip6ext *ext)
{
    rocecc_reader header = ext->header;
    const uint8_t *b = rocecc_take(&header, ROCECC_IP6FRAG_BYTES);
    rocecc_ip6frag frag;
    if (ext->type != ROCECC_PROTO_FRAGMENT || b == NULL) return false;
    frag = rocecc_ip6frag_load(b);
    return frag.fragment_offset != 0 || frag.m;
}

/* Steps over extension headers to what follows, or to a piece of a packet. */
ROCECC_FN rocecc_status rocecc_ifa_chain_(rocecc_reader *r, rocecc_ifa_ip *ip)
{
    const size_t start = r->at;
    int i;
    for (i = 0;; i++) {
        const size_t at = r->at;
        rocecc_ip6ext ext = {0, *r};
        const rocecc_status status = rocecc_ip6ext_next(r, &ip->protocol, &ext);
        if (status == ROCECC_END) break;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6EXT_MAX) return ROCECC_ERR_UNSUPPORTED;
        ip->protocol_at = ROCECC_IPV6_BYTES + at - start;
        if (ext.type == ROCECC_PROTO_AH) ip->authenticated = true;
        ip->fragment = rocecc_ifa_is_fragment_(&ext);
        if (ip->fragment) break;
    }
    ip->upper_at = ROCECC_IPV6_BYTES + r->at - start;
    return ROCECC_OK;
}

ROCECC_FN rocecc_status rocecc_ifa_ipv6_(rocecc_reader packet, rocecc_ifa_ip *ip)
{
    rocecc_reader body;
    rocecc_ipv6 h;
    bool whole;
    rocecc_status status = rocecc_ipv6_parse(&packet, &h);
    if (status != ROCECC_OK) return status;
    if (h.payload_length == 0 && h.next_header == ROCECC_PROTO_HOPOPTS)
        return ROCECC_ERR_UNSUPPORTED;
    ip->protocol = h.next_header;
    ip->protocol_at = 6;
    ip->bytes = ROCECC_IPV6_BYTES + (uint32_t)h.payload_length;
    ip->max_bytes = ROCECC_IPV6_BYTES + 0xffff;
    body = packet;
    whole = rocecc_split(&packet, h.payload_length, &body);
    status = rocecc_ifa_chain_(&body, ip);
    return whole ? rocecc_declared(status) : status;
}

/* UNSUPPORTED: ESP, a jumbogram, too many extension headers. */
ROCECC_FN rocecc_status rocecc_ifa_ip_parse_(rocecc_reader packet, rocecc_ifa_ip *ip)
{
    rocecc_reader first = packet;
    const uint8_t *b = rocecc_take(&first, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (*b >> 4 == 4) return rocecc_ifa_ipv4_(packet, ip);
    return *b >> 4 == 6 ? rocecc_ifa_ipv6_(packet, ip) : ROCECC_ERR_FORMAT;
}

/* The IP headers and what stands behind; ip is filled in, whatever the status. */
ROCECC_FN rocecc_status rocecc_ifa_locate_(const rocecc_ifa_config *c,
                                           rocecc_reader packet, rocecc_ifa_ip *ip,
                                           rocecc_ifa *h)
{
    const rocecc_status status = rocecc_ifa_ip_parse_(packet, ip);
    if (c->protocol == 0) return ROCECC_NO_MATCH;
    if (status != ROCECC_OK) return status;
    if (ip->protocol != c->protocol) return ROCECC_NO_MATCH;
    if (ip->fragment) return ROCECC_ERR_UNSUPPORTED;
    packet = rocecc_between(packet, packet.at + ip->upper_at, packet.end);
    return rocecc_ifa_parse(c, packet, ip->bytes - ip->upper_at, h);
}

/*
 * IFA in a packet, which begins with its IP header. NO_MATCH: it has none. SHORT,
 * FORMAT: the IP headers are cut off or wrong, or as rocecc_ifa_parse(). UNSUPPORTED:
 * as there; or a fragment, ESP, a jumbogram, too many extension headers.
 */
ROCECC_FN rocecc_status rocecc_ifa_find(const rocecc_ifa_config *c,
                                        rocecc_reader packet, rocecc_ifa *h)
{
    rocecc_ifa_ip ip = {0, 0, 0, 0, 0, false, false};
    rocecc_ifa v = rocecc_ifa_none_(packet);
    rocecc_status status = rocecc_ifa_locate_(c, packet, &ip, &v);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = v;
    return status;
}

/* What becomes of a packet, or why nothing does. */
typedef enum rocecc_ifa_verdict {
    ROCECC_IFA_PLANNED = 0, /* gaps are to be opened, or closed */
    ROCECC_IFA_NONE,        /* no IFA in the packet, or it is off */
    ROCECC_IFA_BAD,         /* the packet is cut off, or contradicts its format */
    ROCECC_IFA_UNKNOWN,     /* what rocecc_ifa_find() calls UNSUPPORTED */
    ROCECC_IFA_AH,          /* an Authentication Header covers the packet */
    ROCECC_IFA_CHECKSUM,    /* push: C is set, and nobody knows what it covers */
    ROCECC_IFA_HOP_LIMIT,   /* push: it is 0 */
    ROCECC_IFA_MAX_LENGTH,  /* push: another record is too much for the stack */
    ROCECC_IFA_MTU,         /* push, insert: the packet would be too long */
    ROCECC_IFA_ALREADY,     /* insert: the packet has IFA */
    ROCECC_IFA_PROBE        /* strip: I is clear, the packet ends here */
} rocecc_ifa_verdict;

/* Bytes that the longer packet has, and the shorter has not. */
typedef struct rocecc_ifa_gap {
    size_t at;
    size_t bytes;
} rocecc_ifa_gap;

/*
 * Offsets are from the first byte of the IP header, in the longer of the two packets:
 * of that with its gaps open, or not closed yet. Between the gaps, and behind, bytes
 * stay as they are.
 */
typedef struct rocecc_ifa_plan {
    uint8_t verdict;       /* a rocecc_ifa_verdict; unless PLANNED, the rest is 0 */
    uint8_t next_hdr;      /* the protocol without IFA */
    size_t protocol_at;    /* where the IP headers tell the protocol */
    size_t metadata_at;    /* where the metadata header is */
    rocecc_ifa_gap header; /* the IFA header; push: 0 bytes, it stays */
    rocecc_ifa_gap stack;  /* metadata header and stack; push: a record */
} rocecc_ifa_plan;

ROCECC_FN rocecc_ifa_plan rocecc_ifa_plan_of_(rocecc_ifa_verdict verdict)
{
    rocecc_ifa_plan p = {0, 0, 0, 0, {0, 0}, {0, 0}};
    p.verdict = (uint8_t)verdict;
    return p;
}

ROCECC_FN rocecc_ifa_verdict rocecc_ifa_verdict_(rocecc_status status)
{
    if (status == ROCECC_NO_MATCH) return ROCECC_IFA_NONE;
    if (status == ROCECC_ERR_UNSUPPORTED) return ROCECC_IFA_UNKNOWN;
    return status == ROCECC_OK ? ROCECC_IFA_PLANNED : ROCECC_IFA_BAD;
}

/* Whether so many bytes more are too many; mtu_bytes is of the IP packet. */
ROCECC_FN bool rocecc_ifa_is_too_long_(const rocecc_ifa_ip *ip, uint32_t bytes,
                                       uint32_t mtu_bytes)
{
    return ip->bytes + bytes > mtu_bytes || ip->bytes + bytes > ip->max_bytes;
}

/* What a record more would run against. */
ROCECC_FN rocecc_ifa_verdict rocecc_ifa_may_push_(const rocecc_ifa_ip *ip,
                                                  const rocecc_ifa *h)
{
    if (ip->authenticated) return ROCECC_IFA_AH;
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0) return ROCECC_IFA_CHECKSUM;
    if (h->metadata.hop_limit == 0) return ROCECC_IFA_HOP_LIMIT;
    if (h->metadata.current_length + ROCECC_IFA_NODE_WORDS > h->header.max_length)
        return ROCECC_IFA_MAX_LENGTH;
    return ROCECC_IFA_PLANNED;
}

/*
 * Transit: where a record goes. mtu_bytes is the longest IP packet of the link ahead.
 * The host opens the gap `stack`, and calls rocecc_ifa_push(); on any other verdict the
 * packet goes on as it is.
 */
ROCECC_FN rocecc_ifa_plan rocecc_ifa_plan_push(const rocecc_ifa_config *c,
                                               rocecc_reader packet, uint32_t mtu_bytes)
{
    rocecc_ifa_plan p = rocecc_ifa_plan_of_(ROCECC_IFA_PLANNED);
    rocecc_ifa_ip ip = {0, 0, 0, 0, 0, false, false};
    rocecc_ifa h = {{0, 0, 0, 0, 0}, packet, {0, 0, 0, 0}, {0, 0},
                    {0, 0, false},   packet, packet};
    const rocecc_status status = rocecc_ifa_locate_(c, packet, &ip, &h);
    rocecc_ifa_verdict verdict = rocecc_ifa_verdict_(status);
    if (status != ROCECC_OK) return rocecc_ifa_plan_of_(verdict);
    verdict = rocecc_ifa_may_push_(&ip, &h);
    if (verdict != ROCECC_IFA_PLANNED) return rocecc_ifa_plan_of_(verdict);
    if (rocecc_ifa_is_too_long_(&ip, ROCECC_IFA_NODE_BYTES, mtu_bytes))
        return rocecc_ifa_plan_of_(ROCECC_IFA_MTU);
    p.next_hdr = h.header.next_hdr;
    p.protocol_at = ip.protocol_at;
    p.metadata_at = h.l4.end - packet.at;
    p.header.at = ip.upper_at;
    p.stack.at = h.nodes.at - packet.at;
    p.stack.bytes = ROCECC_IFA_NODE_BYTES;
    return p;
}

/*
 * Sink: which bytes to take out, after rocecc_ifa_strip(). PROBE: a clone or a probe,
 * which is to be read and dropped.
 */
ROCECC_FN rocecc_ifa_plan rocecc_ifa_plan_strip(const rocecc_ifa_config *c,
                                                rocecc_reader packet)
{
    rocecc_ifa_plan p = rocecc_ifa_plan_of_(ROCECC_IFA_PLANNED);
    rocecc_ifa_ip ip = {0, 0, 0, 0, 0, false, false};
    rocecc_ifa h = {{0, 0, 0, 0, 0}, packet, {0, 0, 0, 0}, {0, 0},
                    {0, 0, false},   packet, packet};
    const rocecc_status status = rocecc_ifa_locate_(c, packet, &ip, &h);
    if (status != ROCECC_OK) return rocecc_ifa_plan_of_(rocecc_ifa_verdict_(status));
    if (ip.authenticated) return rocecc_ifa_plan_of_(ROCECC_IFA_AH);
    if ((h.header.flags & ROCECC_IFA_FLAG_I) == 0)
        return rocecc_ifa_plan_of_(ROCECC_IFA_PROBE);
    p.next_hdr = h.header.next_hdr;
    p.protocol_at = ip.protocol_at;
    p.metadata_at = h.l4.end - packet.at;
    p.header.at = ip.upper_at;
    p.header.bytes = ROCECC_IFA_HEADER_BYTES;
    p.stack.at = p.metadata_at;
    p.stack.bytes = h.nodes.end - h.l4.end;
    return p;
}

/* Moves past an L4 header that a source may put IFA around. */
ROCECC_FN rocecc_status rocecc_ifa_plain_(rocecc_reader packet, const rocecc_ifa_ip *ip,
                                          rocecc_reader *l4)
{
    const size_t bytes = ip->bytes - ip->upper_at;
    const rocecc_reader r =
        rocecc_between(packet, packet.at + ip->upper_at, packet.end);
    rocecc_reader rest = rocecc_ifa_within_(r, bytes);
    const rocecc_status status = rocecc_ifa_l4_(&rest, ip->protocol, l4);
    if (status != ROCECC_OK)
        return rocecc_left(&r) >= bytes ? rocecc_declared(status) : status;
    return rocecc_ifa_udp_fits_(ip->protocol, *l4, bytes - rocecc_left(l4))
               ? ROCECC_OK
               : ROCECC_ERR_FORMAT;
}

/*
 * Source: where the IFA header and the metadata header go in a packet that has none.
 * The host opens both gaps and calls rocecc_ifa_insert().
 */
ROCECC_FN rocecc_ifa_plan rocecc_ifa_plan_insert(const rocecc_ifa_config *c,
                                                 rocecc_reader packet,
                                                 uint32_t mtu_bytes)
{
    rocecc_ifa_plan p = rocecc_ifa_plan_of_(ROCECC_IFA_PLANNED);
    const uint32_t bytes = ROCECC_IFA_HEADER_BYTES + ROCECC_IFA_METADATA_BYTES;
    rocecc_ifa_ip ip = {0, 0, 0, 0, 0, false, false};
    rocecc_reader l4 = packet;
    rocecc_status status = rocecc_ifa_ip_parse_(packet, &ip);
    if (c->protocol == 0) return rocecc_ifa_plan_of_(ROCECC_IFA_NONE);
    if (status != ROCECC_OK) return rocecc_ifa_plan_of_(rocecc_ifa_verdict_(status));
    if (ip.protocol == c->protocol) return rocecc_ifa_plan_of_(ROCECC_IFA_ALREADY);
    if (ip.fragment) return rocecc_ifa_plan_of_(ROCECC_IFA_UNKNOWN);
    if (ip.authenticated) return rocecc_ifa_plan_of_(ROCECC_IFA_AH);
    status = rocecc_ifa_plain_(packet, &ip, &l4);
    if (status != ROCECC_OK) return rocecc_ifa_plan_of_(rocecc_ifa_verdict_(status));
    if (rocecc_ifa_is_too_long_(&ip, bytes, mtu_bytes))
        return rocecc_ifa_plan_of_(ROCECC_IFA_MTU);
    p.next_hdr = ip.protocol;
    p.protocol_at = ip.protocol_at;
    p.header.at = ip.upper_at;
    p.header.bytes = ROCECC_IFA_HEADER_BYTES;
    p.metadata_at = p.stack.at = l4.end - packet.at + ROCECC_IFA_HEADER_BYTES;
    p.stack.bytes = ROCECC_IFA_METADATA_BYTES;
    return p;
}

/* n bytes to fill, at an offset from where w is; NULL: w ends before. */
ROCECC_FN uint8_t *rocecc_ifa_at_(rocecc_writer w, size_t at, size_t n)
{
    if (at > 0x7fff || rocecc_put(&w, at) == NULL) return NULL;
    return rocecc_put(&w, n);
}

/*
 * The IP header tells of more bytes (or, mod 2^16, of fewer), and another protocol;
 * Header Checksum is patched, RFC 1624. b has 20 bytes of IPv4, or of IPv6.
 */
ROCECC_FN void rocecc_ifa_ip_store_(uint8_t *b, uint8_t *next, uint8_t protocol,
                                    uint16_t more)
{
    const bool v4 = b[0] >> 4 == 4;
    uint8_t *length = v4 ? b + 2 : b + 4;
    const uint16_t was = rocecc_load16(length);
    const uint16_t is = (uint16_t)(was + more);
    const uint16_t was_protocol = rocecc_load16(b + 8);
    uint16_t sum = rocecc_checksum_patch(rocecc_load16(b + 10), was, is);
    rocecc_store16(length, is);
    *next = protocol;
    sum = rocecc_checksum_patch(sum, was_protocol, rocecc_load16(b + 8));
    if (v4) rocecc_store16(b + 10, sum);
}

/*
 * Transit: writes a record into the gap of a plan by rocecc_ifa_plan_push(), and counts
 * it in the metadata header and the IP header. w begins at the IP header. RANGE: as
 * rocecc_ifa_node_emit(), the plan is none, or the record is not one that c reads back.
 * SPACE: the gap goes beyond w.
 */
ROCECC_FN rocecc_status rocecc_ifa_push(const rocecc_ifa_config *c, rocecc_writer w,
                                        const rocecc_ifa_plan *p,
                                        const rocecc_ifa_node *n)
{
    uint8_t record[ROCECC_IFA_NODE_BYTES] = {0};
    rocecc_writer to_record = rocecc_writer_of(record, record + sizeof record);
    uint8_t *ip = rocecc_ifa_at_(w, 0, ROCECC_IPV4_BYTES);
    uint8_t *next = rocecc_ifa_at_(w, p->protocol_at, 1);
    uint8_t *metadata = rocecc_ifa_at_(w, p->metadata_at, ROCECC_IFA_METADATA_BYTES);
    uint8_t *gap = rocecc_ifa_at_(w, p->stack.at, ROCECC_IFA_NODE_BYTES);
    const rocecc_status status = rocecc_ifa_node_emit(&to_record, n);
    int i;
    if (status != ROCECC_OK) return status;
    if (p->verdict != ROCECC_IFA_PLANNED || p->stack.bytes != ROCECC_IFA_NODE_BYTES ||
        (uint8_t)rocecc_ifa_layout_(c, record) != n->layout)
        return ROCECC_ERR_RANGE;
    if (ip == NULL || next == NULL || metadata == NULL || gap == NULL)
        return ROCECC_ERR_SPACE;
    rocecc_ifa_ip_store_(ip, next, *next, ROCECC_IFA_NODE_BYTES);
    metadata[2] = (uint8_t)(metadata[2] - 1);
    metadata[3] = (uint8_t)(metadata[3] + ROCECC_IFA_NODE_WORDS);
    for (i = 0; i < ROCECC_IFA_NODE_BYTES; i++)
        gap[i] = record[i];
    return ROCECC_OK;
}

/*
 * Sink: the IP header tells of the packet without IFA. Then the host takes the two gaps
 * of the plan out. w begins at the IP header. RANGE: the plan is none. SPACE: it goes
 * beyond w.
 */
ROCECC_FN rocecc_status rocecc_ifa_strip(rocecc_writer w, const rocecc_ifa_plan *p)
{
    const size_t fewer = p->header.bytes + p->stack.bytes;
    uint8_t *ip = rocecc_ifa_at_(w, 0, ROCECC_IPV4_BYTES);
    uint8_t *next = rocecc_ifa_at_(w, p->protocol_at, 1);
    if (p->verdict != ROCECC_IFA_PLANNED || p->header.bytes != ROCECC_IFA_HEADER_BYTES)
        return ROCECC_ERR_RANGE;
    if (ip == NULL || next == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_ip_store_(ip, next, p->next_hdr, (uint16_t)(0 - fewer));
    return ROCECC_OK;
}

/*
 * Source: writes both headers into the gaps of a plan by rocecc_ifa_plan_insert(), with
 * the NextHdr of the plan and a Current Length of 0, and changes the IP header. w
 * begins there. RANGE: the plan is none, or h is not of version 2 without a global name
 * space, or a flag announces what is not there (C, MF, TS). SPACE: a gap goes beyond w.
 */
ROCECC_FN rocecc_status rocecc_ifa_insert(const rocecc_ifa_config *c, rocecc_writer w,
                                          const rocecc_ifa_plan *p,
                                          const rocecc_ifa_header *h,
                                          const rocecc_ifa_metadata *m)
{
    const uint8_t absent = ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_TS;
    const size_t more = p->header.bytes + p->stack.bytes;
    uint8_t *ip = rocecc_ifa_at_(w, 0, ROCECC_IPV4_BYTES);
    uint8_t *next = rocecc_ifa_at_(w, p->protocol_at, 1);
    uint8_t *header = rocecc_ifa_at_(w, p->header.at, ROCECC_IFA_HEADER_BYTES);
    uint8_t *metadata = rocecc_ifa_at_(w, p->stack.at, ROCECC_IFA_METADATA_BYTES);
    if (p->verdict != ROCECC_IFA_PLANNED ||
        more != ROCECC_IFA_HEADER_BYTES + ROCECC_IFA_METADATA_BYTES ||
        h->version != ROCECC_IFA_VERSION || h->gns != ROCECC_IFA_GNS_NONE ||
        (h->flags & absent) != 0)
        return ROCECC_ERR_RANGE;
    if (ip == NULL || next == NULL || header == NULL || metadata == NULL)
        return ROCECC_ERR_SPACE;
    rocecc_ifa_ip_store_(ip, next, c->protocol, (uint16_t)more);
    rocecc_ifa_header_store(header, h);
    header[1] = p->next_hdr;
    rocecc_ifa_metadata_store(metadata, m);
    metadata[3] = 0;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IFA_H */
