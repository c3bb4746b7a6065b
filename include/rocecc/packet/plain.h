/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_PLAIN_H
#define ROCECC_PACKET_PLAIN_H

/*
 * plain.h - the headers of the packets that most packets of RoCEv2 are, found without a
 * walk:
 *
 *   Ethernet 14 | VLAN 4, or none | IPv4 20                          | UDP 8 | BTH 12
 *                                 | IPv6 40 | options 8 n, or none   |
 *
 * Options are those of one Destination Options header, as in a Fast CNP, or of one
 * Hop-by-Hop Options header, as with a trace of IOAM. Firmware that
 * has room for nothing else begins here. On hosts rocecc_packet_parse() asks this first
 * (ROCECC_SHORTCUTS in base.h), so that nobody there has to call it.
 *
 *     rocecc_headers h;
 *     rocecc_headers_parse_plain(&domain, bytes, &h)
 *     ROCECC_OK                the headers that rocecc_headers_parse() finds
 *     ROCECC_ERR_UNSUPPORTED   not one of these packets, or malformed: h says nothing,
 *                              and the packet may still be a CNP
 *
 * Not for BPF, whose verifier does not follow the offsets.
 */
#include "../wire/ether.h"
#include "../wire/fastcnp.h"
#include "headers.h"

/* Whether a domain gives no other meaning to what follows IP or UDP in such a packet.
 */
ROCECC_INLINE bool rocecc_plain_domain_fits_(const rocecc_domain *domain)
{
    return domain->link == ROCECC_LINK_ETHER &&
           (domain->intmd.dscp_mask | domain->intmd.probe_marker) == 0 &&
           domain->intmd.udp_port != rocecc_domain_rocev2_port(domain) &&
           domain->ifa.protocol != ROCECC_PROTO_UDP;
}

/*
 * Reads the IPv4 header at ip, of which n_bytes are there. Returns the bytes before
 * UDP, or 0.
 */
ROCECC_INLINE size_t rocecc_plain_read_ipv4_(const uint8_t *ip, size_t n_bytes,
                                             size_t *end)
{
    if (n_bytes < ROCECC_IPV4_BYTES + ROCECC_UDP_BYTES + ROCECC_BTH_BYTES) return 0;
    if (ip[0] != 0x45 || (rocecc_load16(ip + 6) & 0x3fff) != 0 ||
        ip[9] != ROCECC_PROTO_UDP)
        return 0;
    *end = rocecc_load16(ip + 2);
    return ROCECC_IPV4_BYTES;
}

/* Does the same for IPv6, and for one header of options. */
ROCECC_INLINE size_t rocecc_plain_read_ipv6_(const uint8_t *ip, size_t n_bytes,
                                             size_t *end)
{
    size_t upper = ROCECC_IPV6_BYTES;
    if (n_bytes < ROCECC_IPV6_BYTES + ROCECC_UDP_BYTES + ROCECC_BTH_BYTES ||
        ip[0] >> 4 != 6)
        return 0;
    *end = ROCECC_IPV6_BYTES + (size_t)rocecc_load16(ip + 4);
    if (ip[6] == ROCECC_PROTO_UDP) return upper;
    if ((ip[6] != ROCECC_PROTO_DSTOPTS && ip[6] != ROCECC_PROTO_HOPOPTS) ||
        ip[40] != ROCECC_PROTO_UDP)
        return 0;
    upper += 8 + 8 * (size_t)ip[41];
    return n_bytes < upper + ROCECC_UDP_BYTES + ROCECC_BTH_BYTES ? 0 : upper;
}

/* Finds the headers of such a packet. Writes *out only if it is one. */
ROCECC_INLINE bool rocecc_plain_find_(const rocecc_domain *domain, rocecc_reader bytes,
                                      rocecc_headers *out)
{
    const uint16_t port = rocecc_domain_rocev2_port(domain);
    const size_t start = bytes.at;
    rocecc_reader rest = bytes;
    const uint8_t *b = rocecc_take(&rest, ROCECC_ETHER_BYTES + ROCECC_VLAN_BYTES);
    const uint8_t *udp;
    size_t ip = ROCECC_ETHER_BYTES, upper, length, end = 0;
    uint16_t type;
    bool tagged;
    if (b == NULL || start > ROCECC_PACKET_START_MAX) return false;
    type = rocecc_load16(b + 12);
    tagged = rocecc_vlan_match(type);
    if (tagged) {
        type = rocecc_load16(b + 16);
        ip += ROCECC_VLAN_BYTES;
    }
    if (type == ROCECC_TYPE_IPV4)
        upper = rocecc_plain_read_ipv4_(b + ip, bytes.end - start - ip, &end);
    else if (type == ROCECC_TYPE_IPV6)
        upper = rocecc_plain_read_ipv6_(b + ip, bytes.end - start - ip, &end);
    else
        return false;
    if (upper == 0) return false;
    udp = b + ip + upper;
    length = rocecc_load16(udp + 4);
    if (rocecc_load16(udp + 2) != port || upper + length > end ||
        length < ROCECC_UDP_BYTES + ROCECC_BTH_BYTES + 4)
        return false;
    rocecc_headers_clear(out);
    out->kind = ROCECC_PACKET_KIND_ROCEV2;
    out->stopped = ROCECC_LAYER_BTH;
    out->n_vlan = tagged;
    out->vlan[0] = tagged ? ROCECC_ETHER_BYTES : 0;
    out->next = port;
    ip += start;
    upper += ip;
    out->udp = (uint16_t)upper;
    out->bth = (uint16_t)(upper + ROCECC_UDP_BYTES);
    out->end = (uint32_t)(upper + length);
    out->ip.version = type == ROCECC_TYPE_IPV4 ? 4 : 6;
    out->ip.proto = ROCECC_PROTO_UDP;
    out->ip.offset = (uint16_t)ip;
    out->ip.upper = (uint16_t)upper;
    out->ip.end = (uint32_t)(ip + end);
    if (upper > ip + ROCECC_IPV6_BYTES) {
        const uint16_t options = (uint16_t)(ip + ROCECC_IPV6_BYTES);
        out->ip.n_ext = 1;
        if (bytes.base[ip + 6] == ROCECC_PROTO_DSTOPTS)
            out->ip.dst_opts[0] = options;
        else
            out->ip.hop_by_hop = options;
    }
    return true;
}

/*
 * Finds the headers of a packet that begins with Ethernet, and is as in the figure.
 * UNSUPPORTED: it is not, or the domain has INT or IFA where the BTH stands; always
 * writes *out.
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

/* Bytes of the header of a plain Fast CNP: 11 02 type 10, an address, 01 02 00 00. */
#define ROCECC_PLAIN_FASTCNP_BYTES 24

/*
 * Returns the Destination Options header of a packet over IPv6 whose only extension
 * header it is, if it holds what rocecc_fastcnp_emit() writes of the plain kind: the
 * option, then 4 bytes of padding, and UDP follows. NULL: it is not, or not there.
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
