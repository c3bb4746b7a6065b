/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_PLAIN_H
#define ROCECC_PACKET_PLAIN_H

/*
 * plain.h - finds the headers of the most common RoCEv2 packets without a walk.
 *
 *   Ethernet 14 | VLAN 4, or none | IPv4 20                          | UDP 8 | BTH 12
 *                                 | IPv6 40 | options 8 * n, or none |
 *
 * The options are one Destination Options header, as in a Fast CNP, or one Hop-by-Hop
 * Options header, as in a packet with an IOAM trace. Firmware can use this file without
 * walk.h. On hosts, rocecc_packet_parse() tries this layout first if ROCECC_SHORTCUTS
 * is 1 (base.h).
 *
 *     rocecc_headers h;
 *     rocecc_headers_parse_plain(&domain, bytes, &h)
 *     ROCECC_OK                the headers that rocecc_headers_parse() finds
 *     ROCECC_ERR_UNSUPPORTED   another layout, or malformed; h has no offsets, and the
 *                              packet may still be a CNP
 *
 * Do not use this file under BPF, because the verifier cannot follow the offsets.
 */
#include "../wire/ether.h"
#include "../wire/fastcnp.h"
#include "headers.h"

#define ROCECC_PLAIN_UPPER_BYTES_ (ROCECC_UDP_BYTES + ROCECC_BTH_BYTES)

/*
 * Returns true if packets in the domain begin with Ethernet, and packets with the
 * layout shown at the top of this file cannot contain INT or IFA.
 */
ROCECC_INLINE bool rocecc_plain_domain_fits_(const rocecc_domain *domain)
{
    return domain->link == ROCECC_LINK_ETHER &&
           (domain->intmd.dscp_mask | domain->intmd.probe_marker) == 0 &&
           domain->intmd.udp_port != rocecc_domain_rocev2_port(domain) &&
           domain->ifa.protocol != ROCECC_PROTO_UDP;
}

/* Result of reading an IP header. Offsets are counted from the start of this header. */
typedef struct rocecc_plain_ip_ {
    size_t upper; /* offset of UDP */
    size_t end;   /* end of the packet */
    uint8_t next; /* UDP, or the type of the options header */
} rocecc_plain_ip_;

/*
 * Returns the UDP header and the BTH after an IPv4 header. Returns NULL if the packet
 * has another layout, or if the capture ends before the end of the BTH.
 */
ROCECC_INLINE const uint8_t *rocecc_plain_read_ipv4_(rocecc_reader ip,
                                                     rocecc_plain_ip_ *out)
{
    const uint8_t *b = rocecc_take(&ip, ROCECC_IPV4_BYTES + ROCECC_PLAIN_UPPER_BYTES_);
    if (b == NULL || b[0] != 0x45 || (rocecc_load16(b + 6) & 0x3fff) != 0 ||
        b[9] != ROCECC_PROTO_UDP)
        return NULL;
    out->upper = ROCECC_IPV4_BYTES;
    out->end = rocecc_load16(b + 2);
    out->next = ROCECC_PROTO_UDP;
    return b + ROCECC_IPV4_BYTES;
}

/*
 * Returns the UDP header and the BTH after an IPv6 header with at most one options
 * header. Returns NULL in the same cases as rocecc_plain_read_ipv4_().
 */
ROCECC_INLINE const uint8_t *rocecc_plain_read_ipv6_(rocecc_reader ip,
                                                     rocecc_plain_ip_ *out)
{
    rocecc_reader r = ip;
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV6_BYTES + ROCECC_PLAIN_UPPER_BYTES_);
    if (b == NULL || b[0] >> 4 != 6) return NULL;
    out->upper = ROCECC_IPV6_BYTES;
    out->end = ROCECC_IPV6_BYTES + (size_t)rocecc_load16(b + 4);
    out->next = b[6];
    if (b[6] == ROCECC_PROTO_UDP) return b + ROCECC_IPV6_BYTES;
    if ((b[6] != ROCECC_PROTO_DSTOPTS && b[6] != ROCECC_PROTO_HOPOPTS) ||
        b[40] != ROCECC_PROTO_UDP)
        return NULL;
    out->upper += 8 + 8 * (size_t)b[41];
    ip.at += out->upper;
    return rocecc_take(&ip, ROCECC_PLAIN_UPPER_BYTES_);
}

/*
 * Finds the headers of a packet that has the layout shown at the top of this file. For
 * any other packet, returns false and leaves *out unchanged.
 */
ROCECC_INLINE bool rocecc_plain_find_(const rocecc_domain *domain, rocecc_reader bytes,
                                      rocecc_headers *out)
{
    const uint16_t port = rocecc_domain_rocev2_port(domain);
    rocecc_reader r = bytes;
    const uint8_t *b = rocecc_take(&r, ROCECC_ETHER_BYTES + ROCECC_VLAN_BYTES);
    size_t at = bytes.at + ROCECC_ETHER_BYTES, length;
    rocecc_plain_ip_ ip = {0, 0, 0};
    uint16_t type;
    bool tagged;
    if (b == NULL || bytes.at > ROCECC_PACKET_START_MAX) return false;
    type = rocecc_load16(b + 12);
    tagged = rocecc_vlan_match(type);
    if (tagged) {
        type = rocecc_load16(b + 16);
        at += ROCECC_VLAN_BYTES;
    }
    r.at = at;
    if (type == ROCECC_TYPE_IPV4)
        b = rocecc_plain_read_ipv4_(r, &ip);
    else if (type == ROCECC_TYPE_IPV6)
        b = rocecc_plain_read_ipv6_(r, &ip);
    else
        return false;
    if (b == NULL) return false;
    length = rocecc_load16(b + 4);
    if (rocecc_load16(b + 2) != port || ip.upper + length > ip.end ||
        length < ROCECC_PLAIN_UPPER_BYTES_ + 4)
        return false;
    rocecc_headers_clear(out);
    out->kind = ROCECC_PACKET_KIND_ROCEV2;
    out->stopped = ROCECC_LAYER_BTH;
    out->n_vlan = tagged;
    out->vlan[0] = tagged ? ROCECC_ETHER_BYTES : 0;
    out->next = port;
    out->udp = (uint16_t)(at + ip.upper);
    out->bth = (uint16_t)(at + ip.upper + ROCECC_UDP_BYTES);
    out->end = (uint32_t)(at + ip.upper + length);
    out->ip.version = type == ROCECC_TYPE_IPV4 ? 4 : 6;
    out->ip.proto = ROCECC_PROTO_UDP;
    out->ip.n_ext = ip.next != ROCECC_PROTO_UDP;
    out->ip.offset = (uint16_t)at;
    if (ip.next == ROCECC_PROTO_DSTOPTS)
        out->ip.dst_opts[0] = (uint16_t)(at + ROCECC_IPV6_BYTES);
    if (ip.next == ROCECC_PROTO_HOPOPTS)
        out->ip.hop_by_hop = (uint16_t)(at + ROCECC_IPV6_BYTES);
    out->ip.upper = (uint16_t)(at + ip.upper);
    out->ip.end = (uint32_t)(at + ip.end);
    return true;
}

/*
 * Finds the headers of a RoCEv2 packet that has the layout shown at the top of this
 * file and at most one VLAN tag (TPID 0x8100 or 0x88A8). Always writes *out. Returns
 * UNSUPPORTED if the packet has another layout, is malformed, is cut off before the end
 * of the BTH, or begins beyond ROCECC_PACKET_START_MAX in its buffer. Also returns
 * UNSUPPORTED if domain->link is not Ethernet, if the domain marks INT by a DSCP, a
 * probe marker or the RoCEv2 port, or if the domain uses UDP's protocol number for IFA.
 */
ROCECC_INLINE rocecc_status rocecc_headers_parse_plain(const rocecc_domain *domain,
                                                       rocecc_reader bytes,
                                                       rocecc_headers *out)
{
    if (rocecc_plain_domain_fits_(domain) && rocecc_plain_find_(domain, bytes, out))
        return ROCECC_OK;
    rocecc_headers_clear(out);
    out->status = ROCECC_ERR_UNSUPPORTED;
    return ROCECC_ERR_UNSUPPORTED;
}

/*
 * Length of the Destination Options header in a plain Fast CNP. In hexadecimal, the
 * header's bytes are 11 02, the option type, 10, an address, and 01 02 00 00.
 */
#define ROCECC_PLAIN_FASTCNP_BYTES 24

/*
 * Returns the Destination Options header of a plain Fast CNP. Returns NULL if this
 * header is not the only extension header, if it is not in `bytes`, or if it does not
 * have the layout that rocecc_fastcnp_emit() writes when the domain's fastcnp.align8 is
 * not set.
 */
ROCECC_INLINE const uint8_t *rocecc_plain_fastcnp_(const rocecc_domain *domain,
                                                   rocecc_reader bytes,
                                                   const rocecc_headers_ip *ip)
{
    const uint32_t type = domain->fastcnp.type_plain;
    const uint8_t *b;
    if (ip->version != 6 || ip->n_ext != 1 || ip->dst_opts[0] == 0 ||
        ip->upper - ip->dst_opts[0] != ROCECC_PLAIN_FASTCNP_BYTES ||
        type <= ROCECC_IP6OPT_PADN || type == domain->fastcnp.type_ioam)
        return NULL;
    bytes.at = ip->dst_opts[0];
    b = rocecc_take(&bytes, ROCECC_PLAIN_FASTCNP_BYTES);
    if (b == NULL || rocecc_load32(b) != (0x11020010u | type << 8) ||
        rocecc_load32(b + 20) != ROCECC_IP6OPT_PADN_4_)
        return NULL;
    return b;
}

#endif /* ROCECC_PACKET_PLAIN_H */
