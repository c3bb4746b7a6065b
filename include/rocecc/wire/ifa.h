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
 *
 * A tail stamp (TS) leaves the payload where it is. What stands after it ends with IP's
 * length, not with the frame, which may be padded:
 *
 *   +----+-----+-----------+---------+-------+----------+----------+----------+
 *   | IP | IFA | UDP 8,    | payload | stack | fragment | checksum | metadata |
 *   |    | 4   | TCP, GRE  |         | 32 n  | 4, if MF | 4, if C  | 4        |
 *   +----+-----+-----------+---------+-------+----------+----------+----------+
 *
 * A figure in public code shows the stack before the metadata header there, and its
 * text puts all headers at the end of the packet. No public text shows the order of the
 * optional headers. rocecc mirrors the order after L4, so that a reader goes from the
 * last 4 bytes to the stack without guessing a length.
 *
 * What the draft's public quotations leave open is a choice of the configuration, off
 * by default: which bytes C's checksum covers, whether MF starts new stacks, in which
 * order the records of a tail stamp stand, which layout a global name space has.
 */
#include "config.h"
#include "skip.h"
#include "tcp.h"
#include "udp.h"
#include "ifanode.h"

/* All of IFA in a packet, in the order of the wire unless TS is set. */
typedef struct rocecc_ifa {
    rocecc_ifa_header header;
    rocecc_reader l4; /* the L4 header with its options, 4 to 60 bytes */
    rocecc_ifa_metadata metadata;
    rocecc_ifa_checksum checksum; /* if C; else 0 */
    rocecc_ifa_fragment fragment; /* if MF; else 0 */
    rocecc_reader nodes;          /* 4 current_length bytes, whole records */
    rocecc_reader payload;        /* what is captured of it */
    rocecc_ifa_config config;     /* by which the nodes are read: of this name space */
} rocecc_ifa;

/*
 * Takes the L4 header that IFA stands around: UDP 8 bytes, TCP 4 Data Offset, GRE 4 and
 * 4 for each of C, K and S. SHORT: it goes beyond reader. FORMAT: UDP Length is below
 * 8, or Data Offset below 5. UNSUPPORTED: another L4, or GRE with a route (RFC 1701) or
 * of another version.
 */
ROCECC_FN rocecc_status rocecc_ifa_l4_split(rocecc_reader *reader, uint8_t proto,
                                            rocecc_reader *out)
{
    rocecc_reader rest = *reader;
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
    return rocecc_split(reader, bytes, out) ? ROCECC_OK : ROCECC_ERR_SHORT;
}

/* Whether UDP Length fits the bytes after the stack; other L4s have no length. */
ROCECC_FN bool rocecc_ifa_l4_fits(uint8_t proto, rocecc_reader l4, size_t bytes)
{
    const uint8_t *b = rocecc_take(&l4, ROCECC_UDP_BYTES);
    return proto != ROCECC_PROTO_UDP || b == NULL ||
           rocecc_load16(b + 4) <= ROCECC_UDP_BYTES + bytes;
}

/* A verifier would follow each packet twice: under BPF a tail stamp is UNSUPPORTED. */
#if defined(__bpf__)
#define ROCECC_IFA_TAILS_ false
#else
#define ROCECC_IFA_TAILS_ true
#endif

/* Whether the records stand after the payload. */
ROCECC_FN bool rocecc_ifa_is_tail_(const rocecc_ifa_header *header)
{
    return ROCECC_IFA_TAILS_ && (header->flags & ROCECC_IFA_FLAG_TS) != 0;
}

/*
 * Makes config the configuration of one name space; false: its records are not known.
 */
ROCECC_FN bool rocecc_ifa_select_zone_(rocecc_ifa_config *config, uint8_t gns)
{
    const bool a = (config->gns_a >> (gns & 0xf) & 1) != 0;
    const bool b = (config->gns_b >> (gns & 0xf) & 1) != 0;
    if (gns == ROCECC_IFA_GNS_NONE) return true;
    config->layout_a = a ? 0xffff : 0;
    config->layout_b = b ? 0xffff : 0;
    return a || b;
}

/* Whether a header is of this version, and all that it announces is known. */
ROCECC_FN bool rocecc_ifa_is_known_(const rocecc_ifa_config *config,
                                    const rocecc_ifa_header *header)
{
    if (header->version != ROCECC_IFA_VERSION) return false;
    return (header->flags & ROCECC_IFA_FLAG_TS) == 0 ||
           (ROCECC_IFA_TAILS_ && config->tail != ROCECC_IFA_TAIL_UNKNOWN);
}

/* Takes the IFA header and the L4 header. */
ROCECC_FN rocecc_status rocecc_ifa_take_outer_headers_(rocecc_reader *reader,
                                                       rocecc_ifa *ifa)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_IFA_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    ifa->header = rocecc_ifa_header_load(b);
    if (!rocecc_ifa_is_known_(&ifa->config, &ifa->header) ||
        !rocecc_ifa_select_zone_(&ifa->config, ifa->header.gns))
        return ROCECC_ERR_UNSUPPORTED;
    return rocecc_ifa_l4_split(reader, ifa->header.next_hdr, &ifa->l4);
}

/* Takes the next 4 bytes, or of a tail stamp the last 4 bytes. */
ROCECC_FN const uint8_t *rocecc_ifa_take_word_(rocecc_reader *reader, bool tail)
{
    rocecc_reader last;
    if (!tail || rocecc_left(reader) < 4) return rocecc_take(reader, 4);
    last = rocecc_subrange(*reader, reader->end - 4, reader->end);
    *reader = rocecc_subrange(*reader, reader->at, reader->end - 4);
    return rocecc_take(&last, 4);
}

/* Takes the metadata header and the optional headers. reader begins behind L4, and for
 * a tail stamp ends where the packet does. */
ROCECC_FN rocecc_status rocecc_ifa_take_inner_headers_(rocecc_reader *reader,
                                                       rocecc_ifa *ifa)
{
    const bool tail = rocecc_ifa_is_tail_(&ifa->header);
    const uint8_t *b = rocecc_ifa_take_word_(reader, tail);
    if (b == NULL) return ROCECC_ERR_SHORT;
    ifa->metadata = rocecc_ifa_metadata_load(b);
    if ((ifa->header.flags & ROCECC_IFA_FLAG_C) != 0) {
        b = rocecc_ifa_take_word_(reader, tail);
        if (b == NULL) return ROCECC_ERR_SHORT;
        ifa->checksum = rocecc_ifa_checksum_load(b);
    }
    if ((ifa->header.flags & ROCECC_IFA_FLAG_MF) != 0) {
        b = rocecc_ifa_take_word_(reader, tail);
        if (b == NULL) return ROCECC_ERR_SHORT;
        ifa->fragment = rocecc_ifa_fragment_load(b);
    }
    return ROCECC_OK;
}

/* Whether Current Length is whole records, and not above Max Length. */
ROCECC_FN bool rocecc_ifa_lengths_fit_(const rocecc_ifa *ifa)
{
    const uint8_t words = ifa->metadata.current_length;
    return words <= ifa->header.max_length && words % ROCECC_IFA_NODE_WORDS == 0;
}

/* Takes the stack, which for a tail stamp is the end of reader. */
ROCECC_FN rocecc_status rocecc_ifa_take_stack_(rocecc_reader *reader, rocecc_ifa *ifa)
{
    const size_t bytes = (size_t)ifa->metadata.current_length * 4;
    size_t at;
    if (!rocecc_ifa_lengths_fit_(ifa)) return ROCECC_ERR_FORMAT;
    if (!rocecc_ifa_is_tail_(&ifa->header))
        return rocecc_split(reader, bytes, &ifa->nodes) ? ROCECC_OK : ROCECC_ERR_SHORT;
    if (rocecc_left(reader) < bytes) return ROCECC_ERR_FORMAT; /* all is there */
    at = reader->end - bytes;
    ifa->nodes = rocecc_subrange(*reader, at, reader->end);
    *reader = rocecc_subrange(*reader, reader->at, at);
    return ROCECC_OK;
}

/* Whether every record of a stack is of a known layout. */
ROCECC_FN bool rocecc_ifa_layouts_known_(const rocecc_ifa_config *config,
                                         rocecc_reader nodes)
{
    int i;
    for (i = 0; i < ROCECC_IFA_NODES_MAX; i++) {
        const uint8_t *b = rocecc_take(&nodes, ROCECC_IFA_NODE_BYTES);
        if (b == NULL) break;
        if (rocecc_ifa_node_layout(config, b) == ROCECC_IFA_LAYOUT_NONE) return false;
    }
    return true;
}

/*
 * Fills *ifa, in part where the status is not OK. SHORT is not yet
 * rocecc_status_declared().
 */
ROCECC_FN rocecc_status rocecc_ifa_read_(rocecc_reader bytes, size_t packet_bytes,
                                         rocecc_ifa *ifa)
{
    rocecc_reader rest = bytes;
    size_t after; /* the stack, up to where the packet ends, or the tail stamp begins */
    rocecc_status status;
    bool tail;
    if (packet_bytes < rocecc_left(&bytes))
        rest = rocecc_subrange(bytes, bytes.at, bytes.at + packet_bytes);
    status = rocecc_ifa_take_outer_headers_(&rest, ifa);
    if (status != ROCECC_OK) return status;
    tail = rocecc_ifa_is_tail_(&ifa->header);
    if (tail && rocecc_left(&bytes) < packet_bytes) return ROCECC_ERR_SHORT;
    status = rocecc_ifa_take_inner_headers_(&rest, ifa);
    if (status == ROCECC_OK) status = rocecc_ifa_take_stack_(&rest, ifa);
    if (status != ROCECC_OK) return status;
    after = tail ? rocecc_left(&rest) : packet_bytes - (rest.at - bytes.at);
    if (!rocecc_ifa_l4_fits(ifa->header.next_hdr, ifa->l4, after))
        return ROCECC_ERR_FORMAT;
    if (!rocecc_ifa_layouts_known_(&ifa->config, ifa->nodes))
        return ROCECC_ERR_UNSUPPORTED;
    ifa->payload = rest;
    return ROCECC_OK;
}

/*
 * Reads all of IFA. `bytes` begins with the IFA header; bytes counts from there to the
 * end of the packet, by its IP header (`bytes` may have more, or be cut off). SHORT:
 * `bytes` is cut off before the payload, or with a tail stamp anywhere. FORMAT: Current
 * Length is above Max Length, is not whole records, or goes beyond the packet; UDP
 * Length leaves no room for the stack; or the L4 header is wrong. UNSUPPORTED: a
 * version other than 2, a global name space or a tail stamp that config does not know,
 * an L4 other than UDP, TCP and GRE, or a record of unknown layout.
 */
ROCECC_FN rocecc_status rocecc_ifa_parse(const rocecc_ifa_config *config,
                                         rocecc_reader bytes, size_t packet_bytes,
                                         rocecc_ifa *out)
{
    rocecc_ifa v = {{0, 0, 0, 0, 0}, bytes, {0, 0, 0, 0}, {0, 0},
                    {0, 0, false},   bytes, bytes,        *config};
    rocecc_status status = rocecc_ifa_read_(bytes, packet_bytes, &v);
    if (rocecc_left(&bytes) >= packet_bytes) status = rocecc_status_declared(status);
    ROCECC_MERGE_PATHS_(status);
    if (status == ROCECC_OK) *out = v;
    return status;
}

/* The sum of what the checksum covers besides itself and the stack. */
ROCECC_FN uint32_t rocecc_ifa_covered_sum_(const rocecc_ifa *ifa)
{
    uint8_t b[ROCECC_IFA_METADATA_BYTES + ROCECC_IFA_FRAGMENT_BYTES];
    if (ifa->config.checksum != ROCECC_IFA_COVERS_METADATA) return 0;
    rocecc_ifa_metadata_store(b, &ifa->metadata);
    rocecc_ifa_fragment_store(b + ROCECC_IFA_METADATA_BYTES, &ifa->fragment);
    return (uint32_t)rocecc_load16(b) + rocecc_load16(b + 2) + rocecc_load16(b + 4) +
           rocecc_load16(b + 6) + ifa->checksum.reserved;
}

/*
 * Whether the checksum of a stack is right, by what the configuration says that it
 * covers: the Internet checksum (RFC 1071) over those bytes, its own field as 0.
 * FORMAT: it is wrong. NO_MATCH: there is none (C), or its coverage is UNKNOWN.
 */
ROCECC_FN rocecc_status rocecc_ifa_verify(const rocecc_ifa *ifa)
{
    uint32_t sum;
    if ((ifa->header.flags & ROCECC_IFA_FLAG_C) == 0 ||
        ifa->config.checksum == ROCECC_IFA_COVERS_UNKNOWN)
        return ROCECC_NO_MATCH;
    sum = rocecc_ifa_covered_sum_(ifa) + ifa->checksum.checksum;
    sum = rocecc_checksum_update(sum, ifa->nodes);
    return rocecc_checksum_final(sum) == 0 ? ROCECC_OK : ROCECC_ERR_FORMAT;
}

#endif /* ROCECC_WIRE_IFA_H */
