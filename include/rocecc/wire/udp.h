/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_UDP_H
#define ROCECC_WIRE_UDP_H

/*
 * udp.h - the UDP header, and the source port that RoCEv2 senders use. RFC 768; IBTA
 * A17.3.2.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |          Source Port          |       Destination Port        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            Length             |           Checksum            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     c123 12b7 0028 0000     from port 0xc123 to RoCEv2's 4791; 32 bytes of data;
 *                             no checksum
 */
#include "ip.h"

#define ROCECC_UDP_BYTES 8
#define ROCECC_UDP_PORT_ROCEV2 4791

typedef struct rocecc_udp {
    uint16_t src_port; /* source port, any value in RoCEv2; does not identify RoCEv2 */
    uint16_t dst_port;
    uint16_t length;   /* length of header and data; in RoCEv2, through the ICRC
                          (CA17-21) */
    uint16_t checksum; /* checksum, or 0 for none; 0 in RoCEv2, even over IPv6
                          (A17.3.2.4) */
} rocecc_udp;

/* Loads an 8-byte UDP header without checking it. */
ROCECC_FN rocecc_udp rocecc_udp_load(const uint8_t *bytes)
{
    rocecc_udp h;
    h.src_port = rocecc_load16(bytes);
    h.dst_port = rocecc_load16(bytes + 2);
    h.length = rocecc_load16(bytes + 4);
    h.checksum = rocecc_load16(bytes + 6);
    return h;
}

/* Writes 8 bytes at `bytes`. */
ROCECC_FN void rocecc_udp_store(uint8_t *bytes, const rocecc_udp *header)
{
    rocecc_store16(bytes, header->src_port);
    rocecc_store16(bytes + 2, header->dst_port);
    rocecc_store16(bytes + 4, header->length);
    rocecc_store16(bytes + 6, header->checksum);
}

/*
 * Parses a UDP header. `reader` need not contain the data after the header. Returns
 * SHORT for fewer than 8 bytes, and FORMAT if Length is below 8.
 */
ROCECC_FN rocecc_status rocecc_udp_parse(rocecc_reader *reader, rocecc_udp *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (rocecc_load16(b + 4) < ROCECC_UDP_BYTES) return ROCECC_ERR_FORMAT;
    *out = rocecc_udp_load(b);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a UDP header. Returns RANGE for a length below 8, and SPACE if 8 bytes do not
 * fit.
 */
ROCECC_FN rocecc_status rocecc_udp_emit(rocecc_writer *writer, const rocecc_udp *header)
{
    uint8_t *b;
    if (header->length < ROCECC_UDP_BYTES) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_udp_store(b, header);
    return ROCECC_OK;
}

/*
 * Computes the correct checksum for `datagram` (header and data). Ignores the checksum
 * that `datagram` contains. `pseudo` must come from rocecc_checksum_pseudo4() or
 * rocecc_checksum_pseudo6(). Returns 0xffff instead of 0, because 0 means no checksum
 * (RFC 768). Under BPF, `datagram` must not exceed 8 + ROCECC_CHECKSUM_MAX_BYTES bytes.
 */
ROCECC_FN uint16_t rocecc_udp_checksum(uint32_t pseudo, rocecc_reader datagram)
{
    rocecc_reader before;
    uint16_t checksum;
    if (rocecc_split(&datagram, 6, &before))
        pseudo = rocecc_checksum_update(pseudo, before);
    (void)rocecc_take(&datagram, 2);
    checksum = rocecc_checksum_final(rocecc_checksum_update(pseudo, datagram));
    return checksum != 0 ? checksum : 0xffff;
}

/*
 * Returns the source port for a flow label. The port is 0xc000 | (low ^ high), which is
 * a dynamic port. Here, low stands for the low 14 bits of the label, and high for its
 * high 6 bits. Linux computes the same port (rdma/ib_verbs.h).
 */
ROCECC_FN uint16_t rocecc_udp_src_port(uint32_t flow_label)
{
    flow_label &= 0xfffff;
    return (uint16_t)(0xc000 | ((flow_label & 0x3fff) ^ flow_label >> 14));
}

/*
 * Returns a flow label for a connection without a label of its own. The label is a hash
 * of the product of the two QP numbers (24 bits each). Both ends compute the same
 * label. Linux uses the same hash.
 */
ROCECC_FN uint32_t rocecc_udp_flow_label(uint32_t local_qp, uint32_t remote_qp)
{
    uint64_t v = (uint64_t)local_qp * remote_qp;
    v ^= v >> 20;
    v ^= v >> 40;
    return (uint32_t)(v & 0xfffff);
}

#endif /* ROCECC_WIRE_UDP_H */
