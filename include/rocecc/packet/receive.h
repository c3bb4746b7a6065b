/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_RECEIVE_H
#define ROCECC_PACKET_RECEIVE_H

/*
 * receive.h - whether a node may take a packet for its own: what RFC 8200 asks of it
 * before it looks behind the extension headers. A NIC that hands on what it has not
 * parsed, and an XDP program, come before the kernel that would have asked.
 *
 *     Hop-by-Hop 11 00 9e 04 00000000     UNSUPPORTED: 0x9e is unknown there, and its
 *                                         act bits, 10, say discard
 *     Hop-by-Hop 11 00 1e 04 00000000     OK: act 00, which says skip over it
 *     Routing 11 02 04 01 ...             NO_MATCH: one segment is left
 *
 * Destination Options are for who knows the options: rocecc_fastcnp_find().
 */
#include "packet.h"

/*
 * Whether the options of a Hop-by-Hop header let a packet pass: padding, and options
 * whose act bits say that a node skips over what it does not know. RFC 8200, 4.2.
 * UNSUPPORTED: another option, or as rocecc_ip6opt_find(). FORMAT: as that.
 */
ROCECC_FN rocecc_status rocecc_receive_options_(rocecc_reader options)
{
    int i;
    for (i = 0;; i++) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
        rocecc_status status = rocecc_ip6opt_skip_pad(&options);
        if (status == ROCECC_END) return ROCECC_OK;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        status = rocecc_ip6opt_next(&options, &opt);
        if (status != ROCECC_OK) return status;
        if ((opt.type & ROCECC_IP6OPT_ACT) != ROCECC_IP6OPT_ACT_SKIP)
            return ROCECC_ERR_UNSUPPORTED;
    }
}

/*
 * Whether a node whose address an IP header of a packet has may take it. OK, of IPv4
 * too. NO_MATCH: a Routing header, of any type, has segments left, and the packet is on
 * its way to another node (RFC 8200, 4.4). UNSUPPORTED: a Hop-by-Hop option that is
 * unknown and says discard, or more options or padding than are looked at. FORMAT: a
 * Hop-by-Hop header that is not the first (RFC 8200, 4.1), or options that overrun it.
 * SHORT: the bytes are no longer there. Only headers that the walk has passed are read.
 */
ROCECC_FN rocecc_status rocecc_packet_receive(const rocecc_packet *p,
                                              const rocecc_where_ip *ip)
{
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(p, ip, &type);
    rocecc_ip6ext ext = {type, r};
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        rocecc_reader header;
        rocecc_ip6opts hbh;
        const uint8_t *b;
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) return ROCECC_ERR_SHORT;
        header = ext.header;
        if (ext.type == ROCECC_PROTO_HOPOPTS) {
            rocecc_status status = ROCECC_ERR_FORMAT;
            if (i == 0) status = rocecc_ip6opts_parse(&header, &hbh);
            if (status == ROCECC_OK) status = rocecc_receive_options_(hbh.options);
            if (status != ROCECC_OK) return status;
        } else if (ext.type == ROCECC_PROTO_ROUTING) {
            b = rocecc_take(&header, 4); /* there are 8 */
            if (b != NULL && b[3] != 0) return ROCECC_NO_MATCH;
        }
    }
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_RECEIVE_H */
