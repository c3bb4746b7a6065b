/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ANSWER_H
#define ROCECC_PACKET_ANSWER_H

/*
 * answer.h - writes the Ethernet header of a frame that answers a received packet. The
 * frame's payload is a CNP, a Fast CNP, a private CNM or a CNM PDU.
 *
 *   packet    DA SA        | S-TAG 6, 100 | C-TAG 3, 7 | CN-TAG 5  | 0800 | IP ...
 *   answer    SA, own src  | S-TAG p, 100 | C-TAG p, 7 | [CN-TAG 5]| type |
 *
 * The answer repeats the packet's VLAN tags in the same order, with priority `pcp` and
 * DEI 0. If `cntag` is set, a CN-TAG follows them, as in IEEE 802.1Qau. A CSIG tag is
 * not copied.
 *
 *     rocecc_answer a = {own, ROCECC_TYPE_IPV6, 6, false};
 *     rocecc_answer_ether(&w, &packet, &a)     ROCECC_OK: 14 bytes, plus 4 per tag
 *     rocecc_fastcnp_build(&w, ...)            the frame without its FCS
 */
#include "packet.h"

/* Fields of the answer's Ethernet header that the node chooses. */
typedef struct rocecc_answer {
    rocecc_mac src; /* the node's own address */
    uint16_t type;  /* EtherType of the payload, at least 0x600 */
    uint8_t pcp;    /* 3 bits */
    bool cntag;     /* write a CN-TAG with the packet's FLOW-ID (0 if absent) */
} rocecc_answer;

/* Returns true if a MAC address is neither all zeros nor a group address. */
ROCECC_FN bool rocecc_answer_is_station_(const rocecc_mac *address)
{
    return (address->b[0] & 1) == 0 &&
           (address->b[0] | address->b[1] | address->b[2] | address->b[3] |
            address->b[4] | address->b[5]) != 0;
}

/*
 * Returns NO_MATCH if the packet does not begin with Ethernet, or has neither IP nor
 * GRH. Returns UNSUPPORTED if headers other than Ethernet, VLAN tags, CSIG and CN-TAG
 * precede IP or GRH, because the answer would then need these headers, too.
 */
ROCECC_FN rocecc_status rocecc_answer_check_link_(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const size_t at = f->grh != 0 ? f->grh : ip->offset;
    const size_t tags = (size_t)f->n_vlan * ROCECC_VLAN_BYTES + f->csig_bytes +
                        (f->cntag != 0 ? ROCECC_CNTAG_BYTES : 0);
    if ((f->grh == 0 && ip->version == 0) || at < packet->bytes.at + ROCECC_ETHER_BYTES)
        return ROCECC_NO_MATCH;
    return at == packet->bytes.at + ROCECC_ETHER_BYTES + tags ? ROCECC_OK
                                                              : ROCECC_ERR_UNSUPPORTED;
}

/* Returns the FLOW-ID of the packet's CN-TAG, or 0 if the tag is absent or cut off. */
ROCECC_FN uint16_t rocecc_answer_flow_id_(const rocecc_packet *packet)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.cntag, packet->bytes.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_CNTAG_BYTES);
    return packet->headers.cntag != 0 && b != NULL ? rocecc_load16(b + 2) : 0;
}

/*
 * Writes the packet's VLAN tags with priority `pcp` and DEI 0. On failure, some tags
 * may already have been written.
 */
ROCECC_FN rocecc_status rocecc_answer_put_tags_(rocecc_writer *writer,
                                                const rocecc_packet *packet,
                                                uint8_t pcp)
{
    int i;
    for (i = 0; i < ROCECC_PACKET_VLAN_MAX && i < packet->headers.n_vlan; i++) {
        const rocecc_reader tag = rocecc_packet_vlan(packet, i);
        rocecc_reader r = rocecc_subrange(packet->bytes, tag.at - 2, tag.end);
        const uint8_t *b = rocecc_take(&r, ROCECC_VLAN_BYTES);
        uint8_t *to;
        if (b == NULL) return ROCECC_ERR_SHORT;
        to = rocecc_put(writer, ROCECC_VLAN_BYTES);
        if (to == NULL) return ROCECC_ERR_SPACE;
        rocecc_store16(to, rocecc_load16(b));
        rocecc_store16(to + 2, (uint16_t)(pcp << 13 | (rocecc_load16(b + 2) & 0xfff)));
    }
    return ROCECC_OK;
}

/*
 * Writes the Ethernet header and tags of an answer to a packet, 14 to 30 bytes in all.
 * Returns NO_MATCH if the packet does not begin with Ethernet, or has neither IP nor
 * GRH. Returns UNSUPPORTED if headers other than Ethernet, VLAN tags, CSIG and CN-TAG
 * precede IP or GRH, for example 802.3, PPPoE or MPLS. Returns FORMAT if the packet's
 * source MAC address is all zeros or a group address. Returns RANGE if answer->src is
 * all zeros or a group address, if pcp is above 7, or if type is below 0x600. Returns
 * SHORT if the Ethernet header or a VLAN tag is not in packet->bytes, and SPACE if the
 * answer's header does not fit. On failure *writer is unchanged.
 */
ROCECC_FN rocecc_status rocecc_answer_ether(rocecc_writer *writer,
                                            const rocecc_packet *packet,
                                            const rocecc_answer *answer)
{
    rocecc_reader first = packet->bytes;
    rocecc_writer out = *writer;
    rocecc_ether came;
    uint8_t *b;
    rocecc_status status = rocecc_answer_check_link_(packet);
    if (status != ROCECC_OK) return status;
    status = rocecc_ether_parse(&first, &came);
    if (status != ROCECC_OK) return status;
    if (!rocecc_answer_is_station_(&came.src)) return ROCECC_ERR_FORMAT;
    if (!rocecc_answer_is_station_(&answer->src) || answer->pcp >> 3 != 0 ||
        answer->type < 0x600)
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < ROCECC_ETHER_BYTES +
                                  (size_t)packet->headers.n_vlan * ROCECC_VLAN_BYTES +
                                  (answer->cntag ? ROCECC_CNTAG_BYTES : 0))
        return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 12);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_mac_store(b, &came.src);
    rocecc_mac_store(b + 6, &answer->src);
    status = rocecc_answer_put_tags_(&out, packet, answer->pcp);
    if (status != ROCECC_OK) return status;
    if (answer->cntag) {
        b = rocecc_put(&out, ROCECC_CNTAG_BYTES);
        if (b == NULL) return ROCECC_ERR_SPACE;
        rocecc_store16(b, ROCECC_TYPE_CNTAG);
        rocecc_store16(b + 2, rocecc_answer_flow_id_(packet));
    }
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, answer->type);
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_ANSWER_H */
