/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IFA_H
#define ROCECC_WIRE_IFA_H

/*
 * ifa.h - Inband Flow Analyzer (IFA) 2.0 in a packet. draft-kumar-ippm-ifa. ifanode.h
 * defines the IFA headers and records. packet/ifa.h finds IFA data in a packet, and
 * inserts, extends and strips this data.
 *
 *   +----+-----+-----------+----------+----------+----------+---------+---------+
 *   | IP | IFA | UDP 8,    | metadata | checksum | fragment | stack   | payload |
 *   |    | 4   | TCP, GRE  | 4        | 4, if C  | 4, if MF | 32 * n  |         |
 *   +----+-----+-----------+----------+----------+----------+---------+---------+
 *
 *     a RoCEv2 packet with UDP Length 1048 and 3 records: the IP payload has 1048 +
 *     4 + 4 + 96 = 1152 bytes, and UDP Length stays 1048
 *
 * The IP length includes all IFA data, but the L4 length and the L4 checksum do not
 * cover this data. The metadata header follows the L4 header, not the IFA header. In a
 * VXLAN packet, the metadata header follows the UDP header. Max Length and Current
 * Length are in words of 4 bytes. Unless the flag TS is set, the newest record comes
 * first in the stack.
 *
 * If TS is set, the stack and the metadata, checksum and fragment headers form a tail
 * stamp, and the payload directly follows the L4 header. The tail stamp ends where the
 * IP packet ends, before any padding of the frame.
 *
 *   +----+-----+-----------+---------+-------+----------+----------+----------+
 *   | IP | IFA | UDP 8,    | payload | stack | fragment | checksum | metadata |
 *   |    | 4   | TCP, GRE  |         | 32*n  | 4, if MF | 4, if C  | 4        |
 *   +----+-----+-----------+---------+-------+----------+----------+----------+
 *
 * No public text shows the order of the optional headers in a tail stamp. rocecc writes
 * and reads the metadata, checksum and fragment headers in reverse order. A reader can
 * then step back from the last 4 bytes to the stack without guessing a length.
 *
 * The publicly quoted parts of the draft leave four points open: the bytes that the
 * checksum (flag C) covers, the start of a new stack (flag MF), the record order in a
 * tail stamp, and the layout for a global name space. The configuration has a setting
 * for each point. By default, all four features are off.
 */
#include "config.h"
#include "skip.h"
#include "tcp.h"
#include "udp.h"
#include "ifanode.h"

/* IFA in a packet. The members are in wire order unless TS is set. */
typedef struct rocecc_ifa {
    rocecc_ifa_header header;
    rocecc_reader l4; /* L4 header with its options; 4 to 60 bytes */
    rocecc_ifa_metadata metadata;
    rocecc_ifa_checksum checksum; /* checksum header; 0 without C */
    rocecc_ifa_fragment fragment; /* fragment header; 0 without MF */
    rocecc_reader nodes; /* stack of records; 4 * current_length bytes, whole records */
    rocecc_reader payload;    /* L4 payload; the captured part, without padding */
    rocecc_ifa_config config; /* configuration for this name space */
} rocecc_ifa;

/*
 * Takes the L4 header, which follows the IFA header. The L4 header is 8 bytes long for
 * UDP, and 4 * Data Offset bytes long for TCP. For GRE, it is 4 bytes long, plus 4
 * bytes for each of the flags C, K and S that is set. Returns SHORT if the header
 * extends beyond `reader`. Returns FORMAT if UDP Length is below 8, or if Data Offset
 * is below 5. Returns UNSUPPORTED for any other L4 protocol, for GRE with the Routing
 * Present bit set (RFC 1701), and for a GRE version other than 0.
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

/*
 * Returns true if UDP Length is at most 8 + `bytes`, or if the L4 protocol is not UDP.
 */
ROCECC_FN bool rocecc_ifa_l4_fits(uint8_t proto, rocecc_reader l4, size_t bytes)
{
    const uint8_t *b = rocecc_take(&l4, ROCECC_UDP_BYTES);
    return proto != ROCECC_PROTO_UDP || b == NULL ||
           rocecc_load16(b + 4) <= ROCECC_UDP_BYTES + bytes;
}

/*
 * Under BPF, tail stamps are UNSUPPORTED, because the verifier would otherwise have to
 * follow two paths per packet.
 */
#if defined(__bpf__)
#define ROCECC_IFA_TAILS_ false
#else
#define ROCECC_IFA_TAILS_ true
#endif

/* Returns true if the records follow the payload. */
ROCECC_FN bool rocecc_ifa_is_tail_(const rocecc_ifa_header *header)
{
    return ROCECC_IFA_TAILS_ && (header->flags & ROCECC_IFA_FLAG_TS) != 0;
}

/*
 * Replaces the layouts in `config` with the layout of a global name space. If `gns` is
 * 15 (none), changes nothing and returns true. Otherwise, returns false if the name
 * space has no known layout.
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

/* Returns true if the version is 2 and TS is clear or supported. */
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

/* Takes the next 4 bytes of `reader`, or its last 4 bytes if `tail` is set. */
ROCECC_FN const uint8_t *rocecc_ifa_take_word_(rocecc_reader *reader, bool tail)
{
    rocecc_reader last;
    if (!tail || rocecc_left(reader) < 4) return rocecc_take(reader, 4);
    last = rocecc_subrange(*reader, reader->end - 4, reader->end);
    *reader = rocecc_subrange(*reader, reader->at, reader->end - 4);
    return rocecc_take(&last, 4);
}

/*
 * Takes the metadata header and the optional headers. `reader` must begin after the L4
 * header. With TS, `reader` must also end where the packet ends.
 */
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

/*
 * Returns true if Current Length covers only whole records and is at most Max Length.
 */
ROCECC_FN bool rocecc_ifa_lengths_fit_(const rocecc_ifa *ifa)
{
    const uint8_t words = ifa->metadata.current_length;
    return words <= ifa->header.max_length && words % ROCECC_IFA_NODE_WORDS == 0;
}

/* Takes the stack from the start of `reader`, or from its end if TS is set. */
ROCECC_FN rocecc_status rocecc_ifa_take_stack_(rocecc_reader *reader, rocecc_ifa *ifa)
{
    const size_t bytes = (size_t)ifa->metadata.current_length * 4;
    size_t at;
    if (!rocecc_ifa_lengths_fit_(ifa)) return ROCECC_ERR_FORMAT;
    if (!rocecc_ifa_is_tail_(&ifa->header))
        return rocecc_split(reader, bytes, &ifa->nodes) ? ROCECC_OK : ROCECC_ERR_SHORT;
    if (rocecc_left(reader) < bytes) return ROCECC_ERR_FORMAT; /* the packet is whole */
    at = reader->end - bytes;
    ifa->nodes = rocecc_subrange(*reader, at, reader->end);
    *reader = rocecc_subrange(*reader, reader->at, at);
    return ROCECC_OK;
}

/* Returns true if each record has a known layout. */
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
 * Parses `bytes` into *ifa. On failure, *ifa may be partly written. If `bytes` holds
 * the whole packet, the caller must apply rocecc_status_declared() to the status.
 */
ROCECC_FN rocecc_status rocecc_ifa_read_(rocecc_reader bytes, size_t packet_bytes,
                                         rocecc_ifa *ifa)
{
    rocecc_reader rest = bytes;
    size_t after; /* payload bytes according to the IP length */
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
 * Parses the IFA headers and records of a packet. `bytes` must begin with the IFA
 * header, and may be truncated or extend beyond the packet. packet_bytes must be the
 * number of bytes from the start of the IFA header to the end of the IP packet. Returns
 * SHORT if `bytes` is truncated before the payload, or at any point if TS is set.
 * Returns FORMAT if Current Length is above Max Length or covers a partial record, or
 * if UDP Length exceeds 8 plus the payload length. Also returns FORMAT if `bytes`
 * contains the whole packet, and the headers and the stack do not fit in this packet.
 * Returns UNSUPPORTED for a version other than 2, and for a global name space or a tail
 * stamp that `config` does not allow. If all other checks pass, returns UNSUPPORTED for
 * a record with an unknown layout. For an invalid L4 header, returns the status of
 * rocecc_ifa_l4_split().
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

/* Returns the sum of the covered headers, without the checksum field. */
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
 * Verifies the checksum, an Internet checksum (RFC 1071) over the configured bytes. In
 * the computation, the checksum field counts as 0. Returns FORMAT if the checksum is
 * wrong, and NO_MATCH if C is clear or the coverage is UNKNOWN.
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
