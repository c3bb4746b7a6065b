/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_UDP_H
#define ROCECC_WIRE_UDP_H

/*
 * udp.h - the UDP header, and the source port that RoCEv2 senders choose. RFC 768;
 * IBTA A17.3.2.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |          Source Port          |       Destination Port        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            Length             |           Checksum            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#include "ip.h"

#define ROCECC_UDP_BYTES 8
#define ROCECC_UDP_PORT_ROCEV2 4791

typedef struct rocecc_udp {
    uint16_t src_port; /* any: no sign of RoCEv2 or of its absence */
    uint16_t dst_port;
    uint16_t length;   /* header and data: of RoCEv2, through the ICRC (CA17-21) */
    uint16_t checksum; /* 0: none; RoCEv2 senders write 0 over IPv6 too (A17.3.2.4) */
} rocecc_udp;

/* Total: any 8 bytes are a UDP header. */
ROCECC_FN rocecc_udp rocecc_udp_load(const uint8_t *b)
{
    rocecc_udp h;
    h.src_port = rocecc_load16(b);
    h.dst_port = rocecc_load16(b + 2);
    h.length = rocecc_load16(b + 4);
    h.checksum = rocecc_load16(b + 6);
    return h;
}

ROCECC_FN void rocecc_udp_store(uint8_t *b, const rocecc_udp *h)
{
    rocecc_store16(b, h->src_port);
    rocecc_store16(b + 2, h->dst_port);
    rocecc_store16(b + 4, h->length);
    rocecc_store16(b + 6, h->checksum);
}

/* SHORT: fewer than 8 bytes. FORMAT: a length that does not hold the header. */
ROCECC_FN rocecc_status rocecc_udp_parse(rocecc_reader *r, rocecc_udp *h)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (rocecc_load16(b + 4) < ROCECC_UDP_BYTES) return ROCECC_ERR_FORMAT;
    *h = rocecc_udp_load(b);
    *r = rest;
    return ROCECC_OK;
}

/* RANGE: a length below 8. SPACE: no room for 8 bytes. */
ROCECC_FN rocecc_status rocecc_udp_emit(rocecc_writer *w, const rocecc_udp *h)
{
    uint8_t *b;
    if (h->length < ROCECC_UDP_BYTES) return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_udp_store(b, h);
    return ROCECC_OK;
}

/*
 * What the checksum has to be, whatever it is: datagram is header and data, and pseudo
 * comes from rocecc_checksum_pseudo4() or 6(). Never 0, which means none. RFC 768. In
 * BPF, datagram has 8 + ROCECC_CHECKSUM_MAX_BYTES bytes at most.
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
 * The source port for a flow label: its 20 bits folded into 14, in the dynamic range
 * from 0xc000, so that the network spreads flows by it. Total; as Linux does it
 * (rdma/ib_verbs.h).
 */
ROCECC_FN uint16_t rocecc_udp_src_port(uint32_t flow_label)
{
    flow_label &= 0xfffff;
    return (uint16_t)(0xc000 | ((flow_label & 0x3fff) ^ flow_label >> 14));
}

/*
 * The flow label for a connection that has none of its own (as Linux does it): the
 * same from both ends. QPs are 24 bits.
 */
ROCECC_FN uint32_t rocecc_udp_flow_label(uint32_t local_qp, uint32_t remote_qp)
{
    uint64_t v = (uint64_t)local_qp * remote_qp;
    v ^= v >> 20;
    v ^= v >> 40;
    return (uint32_t)(v & 0xfffff);
}

#endif /* ROCECC_WIRE_UDP_H */
