/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IFA_H
#define ROCECC_WIRE_IFA_H

/*
 * ifa.h - Inband Flow Analyzer 2.0 in a packet: draft-kumar-ippm-ifa. Its headers and
 * record are in ifanode.h; packet/ifa.h finds IFA in a packet, and changes the packet.
 *
 *   +----+-----+-----------+----------+----------+----------+---------+---------+
 *   | IP | IFA | UDP 8,    | metadata | checksum | fragment | stack   | payload |
 *   |    | 4   | TCP, GRE  | 4        | 4, if C  | 4, if MF | 32 n    |         |
 *   +----+-----+-----------+----------+----------+----------+---------+---------+
 *
 *     a RoCEv2 packet with UDP Length 1048 and 3 records: IP counts 1048 + 4 + 4 + 96
 *     = 1152 bytes after its header, and UDP Length stays 1048
 *
 * The IP header counts all of it. The L4 length and checksum stay those of the packet
 * without IFA. The metadata header follows the L4 header, and not the IFA header; with
 * VXLAN it follows UDP. Lengths of the stack are in words of 4 bytes, and the newest
 * record is the first.
 */
#include "config.h"
#include "skip.h"
#include "tcp.h"
#include "udp.h"
#include "ifanode.h"

/* All of IFA in a packet, in the order of the wire. */
typedef struct rocecc_ifa {
    rocecc_ifa_header header;
    rocecc_reader l4; /* the L4 header with its options, 4 to 60 bytes */
    rocecc_ifa_metadata metadata;
    rocecc_ifa_checksum checksum; /* if C; else 0 */
    rocecc_ifa_fragment fragment; /* if MF; else 0 */
    rocecc_reader nodes;          /* 4 current_length bytes, whole records */
    rocecc_reader payload;        /* what is captured of it */
    rocecc_ifa_config config;     /* by which the nodes are read */
} rocecc_ifa;

/*
 * Takes the L4 header that IFA stands around: UDP 8 bytes, TCP 4 Data Offset, GRE 4 and
 * 4 for each of C, K and S. SHORT: it goes beyond r. FORMAT: UDP Length is below 8, or
 * Data Offset below 5. UNSUPPORTED: another L4, or GRE with a route (RFC 1701) or of
 * another version.
 */
ROCECC_FN rocecc_status rocecc_ifa_l4_split(rocecc_reader *r, uint8_t proto,
                                            rocecc_reader *l4)
{
    rocecc_reader rest = *r;
    const uint8_t *b;
    size_t bytes = ROCECC_UDP_BYTES;
    if (proto == ROCECC_PROTO_UDP) {
        b = rocecc_take(&rest, ROCECC_UDP_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        if (rocecc_load16(b + 4) < ROCECC_UDP_BYTES) return ROCECC_ERR_FORMAT;
    } else if (proto == ROCECC_PROTO_TCP) {
        b = rocecc_take(&rest, ROCECC_TCP_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        bytes = (size_t)(b[12] >> 4) * 4;
        if (bytes < ROCECC_TCP_BYTES) return ROCECC_ERR_FORMAT;
    } else if (proto == ROCECC_IFA_GRE) { /* RFC 2784, 2; RFC 2890, 2 */
        b = rocecc_take(&rest, 4);
        if (b == NULL) return ROCECC_ERR_SHORT;
        if ((b[0] & 0x40) != 0 || (b[1] & 0x7) != 0) return ROCECC_ERR_UNSUPPORTED;
        bytes = 4 + 4 * ((size_t)(b[0] >> 7) + (b[0] >> 5 & 1) + (b[0] >> 4 & 1));
    } else {
        return ROCECC_ERR_UNSUPPORTED;
    }
    return rocecc_split(r, bytes, l4) ? ROCECC_OK : ROCECC_ERR_SHORT;
}

/* Whether UDP Length fits the bytes after the stack; other L4s have no length. */
ROCECC_FN bool rocecc_ifa_l4_fits(uint8_t proto, rocecc_reader l4, size_t bytes)
{
    const uint8_t *b = rocecc_take(&l4, ROCECC_UDP_BYTES);
    return proto != ROCECC_PROTO_UDP || b == NULL ||
           rocecc_load16(b + 4) <= ROCECC_UDP_BYTES + bytes;
}

/* Takes the IFA header and all others before the stack. */
ROCECC_FN rocecc_status rocecc_ifa_headers_(rocecc_reader *r, rocecc_ifa *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_IFA_HEADER_BYTES);
    rocecc_status status;
    if (b == NULL) return ROCECC_ERR_SHORT;
    h->header = rocecc_ifa_header_load(b);
    if (h->header.version != ROCECC_IFA_VERSION ||
        h->header.gns != ROCECC_IFA_GNS_NONE ||
        (h->header.flags & ROCECC_IFA_FLAG_TS) != 0)
        return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_ifa_l4_split(r, h->header.next_hdr, &h->l4);
    if (status != ROCECC_OK) return status;
    b = rocecc_take(r, ROCECC_IFA_METADATA_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    h->metadata = rocecc_ifa_metadata_load(b);
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0) {
        b = rocecc_take(r, ROCECC_IFA_CHECKSUM_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        h->checksum = rocecc_ifa_checksum_load(b);
    }
    if ((h->header.flags & ROCECC_IFA_FLAG_MF) != 0) {
        b = rocecc_take(r, ROCECC_IFA_FRAGMENT_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        h->fragment = rocecc_ifa_fragment_load(b);
    }
    return ROCECC_OK;
}

/* Takes the stack: whole records, Current Length <= Max Length. */
ROCECC_FN rocecc_status rocecc_ifa_stack_(rocecc_reader *r, rocecc_ifa *h)
{
    const uint8_t words = h->metadata.current_length;
    if (words > h->header.max_length || words % ROCECC_IFA_NODE_WORDS != 0)
        return ROCECC_ERR_FORMAT;
    return rocecc_split(r, (size_t)words * 4, &h->nodes) ? ROCECC_OK : ROCECC_ERR_SHORT;
}

/* Whether every record of a stack is of a known layout. */
ROCECC_FN bool rocecc_ifa_nodes_match_(const rocecc_ifa_config *c, rocecc_reader nodes)
{
    int i;
    for (i = 0; i < ROCECC_IFA_NODES_MAX; i++) {
        const uint8_t *b = rocecc_take(&nodes, ROCECC_IFA_NODE_BYTES);
        if (b == NULL) break;
        if (rocecc_ifa_layout_of(c, b) == ROCECC_IFA_LAYOUT_NONE) return false;
    }
    return true;
}

/* Fills *h, in part where the status is not OK. SHORT is not yet rocecc_declared(). */
ROCECC_FN rocecc_status rocecc_ifa_read_(const rocecc_ifa_config *c, rocecc_reader r,
                                         size_t bytes, rocecc_ifa *h)
{
    rocecc_reader rest = r;
    rocecc_status status;
    if (bytes < rocecc_left(&r)) rest = rocecc_between(r, r.at, r.at + bytes);
    status = rocecc_ifa_headers_(&rest, h);
    if (status != ROCECC_OK) return status;
    status = rocecc_ifa_stack_(&rest, h);
    if (status != ROCECC_OK) return status;
    if (!rocecc_ifa_l4_fits(h->header.next_hdr, h->l4, bytes - (rest.at - r.at)))
        return ROCECC_ERR_FORMAT;
    if (!rocecc_ifa_nodes_match_(c, h->nodes)) return ROCECC_ERR_UNSUPPORTED;
    h->payload = rest;
    return ROCECC_OK;
}

/*
 * Reads all of IFA. r begins with the IFA header; bytes counts from there to the end of
 * the packet, by its IP header (r may have more, or be cut off). SHORT: r is cut off
 * before the payload. FORMAT: Current Length is above Max Length, is not whole records,
 * or goes beyond the packet; UDP Length leaves no room for the stack; or the L4 header
 * is wrong. UNSUPPORTED: a version other than 2, a global name space, a tail stamp, an
 * L4 other than UDP, TCP and GRE, or a record of unknown layout.
 */
ROCECC_FN rocecc_status rocecc_ifa_parse(const rocecc_ifa_config *c, rocecc_reader r,
                                         size_t bytes, rocecc_ifa *h)
{
    rocecc_ifa v = {{0, 0, 0, 0, 0}, r, {0, 0, 0, 0}, {0, 0}, {0, 0, false}, r, r, *c};
    rocecc_status status = rocecc_ifa_read_(c, r, bytes, &v);
    if (rocecc_left(&r) >= bytes) status = rocecc_declared(status);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = v;
    return status;
}

#endif /* ROCECC_WIRE_IFA_H */
