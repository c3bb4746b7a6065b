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
 * Destination Options are for who knows the options, as rocecc_fastcnp_find() does. A
 * node that knows none asks rocecc_packet_terminate() of them, too.
 */
#include "packet.h"

/*
 * Whether options let a packet pass at a node that knows none: padding, and options
 * whose act bits say that such a node skips over them. RFC 8200, 4.2. *count counts
 * them over all headers of a packet. UNSUPPORTED: more options than ROCECC_IP6OPT_MAX,
 * or more padding than is looked at; or another option, which *unknown then is. FORMAT:
 * as rocecc_ip6opt_next().
 */
ROCECC_FN rocecc_status rocecc_receive_check_options_(rocecc_reader options, int *count,
                                                      rocecc_ip6opt *unknown)
{
    for (;; (*count)++) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
        const rocecc_status status = rocecc_ip6opt_skip_pad(&options);
        if (status == ROCECC_END) return ROCECC_OK;
        if (status != ROCECC_OK) return status;
        if (*count >= ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        (void)rocecc_ip6opt_next(&options, &opt); /* skip_pad() has seen it */
        if ((opt.type & ROCECC_IP6OPT_ACT) != ROCECC_IP6OPT_ACT_SKIP) {
            *unknown = opt;
            return ROCECC_ERR_UNSUPPORTED;
        }
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
ROCECC_FN rocecc_status rocecc_packet_receive(const rocecc_packet *packet,
                                              const rocecc_headers_ip *ip)
{
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
    rocecc_ip6ext ext = {type, r};
    rocecc_ip6opt stop = {ROCECC_IP6OPT_PAD1, r};
    int i, n = 0;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        rocecc_reader header;
        rocecc_ip6opts hbh;
        const uint8_t *b;
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) return ROCECC_ERR_SHORT;
        header = ext.header;
        if (ext.type == ROCECC_PROTO_HOPOPTS) {
            rocecc_status status = ROCECC_ERR_FORMAT;
            if (i == 0) status = rocecc_ip6opts_parse(&header, &hbh);
            if (status == ROCECC_OK)
                status = rocecc_receive_check_options_(hbh.options, &n, &stop);
            if (status != ROCECC_OK) return status;
        } else if (ext.type == ROCECC_PROTO_ROUTING) {
            b = rocecc_take(&header, 4); /* there are 8 */
            if (b != NULL && b[3] != 0) return ROCECC_NO_MATCH;
        }
    }
    return ROCECC_OK;
}

/*
 * Whether a node that knows no option may take a packet, as the endpoint of a tunnel
 * does: what is before a Routing header is for it, too, and that is for the caller.
 * UNSUPPORTED: an option that says discard, or more options (8 in all) or padding than
 * are looked at, or extension headers beyond one Hop-by-Hop, one Routing and two of
 * Destination Options (RFC 8200, 4.1). FORMAT, SHORT: as rocecc_packet_receive().
 * *out is where the type of the option stands that says discard, counted from the IP
 * header: the pointer of a Parameter Problem of code 2, where the act bits ask for one.
 * Else it is 0.
 */
ROCECC_FN rocecc_status rocecc_packet_terminate(const rocecc_packet *packet,
                                                const rocecc_headers_ip *ip,
                                                uint32_t *out)
{
    const uint16_t at[3] = {ip->hop_by_hop, ip->dst_opts[0], ip->dst_opts[1]};
    unsigned known = ip->routing != 0;
    int i, n = 0;
    *out = 0;
    if (at[0] != 0 && at[0] != ip->offset + ROCECC_IPV6_BYTES) return ROCECC_ERR_FORMAT;
    for (i = 0; i < 3; i++) {
        rocecc_reader r = rocecc_subrange(packet->bytes, at[i], ip->upper);
        rocecc_ip6opt stop = {ROCECC_IP6OPT_PAD1, r};
        rocecc_ip6opts opts = {0, r};
        rocecc_status status;
        if (at[i] == 0) continue;
        known++;
        status = rocecc_ip6opts_parse(&r, &opts);
        if (status == ROCECC_OK)
            status = rocecc_receive_check_options_(opts.options, &n, &stop);
        if (stop.type != ROCECC_IP6OPT_PAD1)
            *out = (uint32_t)(stop.body.at - 2 - ip->offset);
        if (status != ROCECC_OK) return status;
    }
    return known == ip->n_ext ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED;
}

#endif /* ROCECC_PACKET_RECEIVE_H */
