/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_CONGESTION_CNM_H
#define ROCECC_ROLE_CONGESTION_CNM_H

/*
 * congestion_cnm.h - helpers that congestion_point.h uses to make private CNMs. A
 * program must include congestion_point.h instead of this header.
 * draft-yu-tsvwg-l3qcn-00, 3.2; IEEE 802.1Q, 33.4.
 *
 *   DA SA tags | EtherType IP ...          the frame that the queue sampled
 *              | the MSDU                  a CNM carries its first 0 to 64 bytes
 */
#include "../packet/cnp.h"
#include "../packet/flow.h"
#include "../packet/l3qcn.h"

/*
 * Returns true if the flow's UDP destination port is the RoCEv2 port. Does not read the
 * BTH, so the result can be true even for a first fragment.
 */
ROCECC_FN bool rocecc_congestion_is_rocev2_(const rocecc_packet *packet,
                                            const rocecc_flow *flow)
{
    return flow->proto == ROCECC_PROTO_UDP &&
           flow->dst_port == rocecc_domain_rocev2_port(packet->domain);
}

/* Returns the length of the IP header in a notification for the packet. */
ROCECC_FN size_t rocecc_congestion_ip_bytes_(const rocecc_packet *packet)
{
    return packet->headers.ip.version == 4 ? (size_t)ROCECC_IPV4_BYTES
                                           : ROCECC_IPV6_BYTES;
}

/*
 * Returns true if the packet is a CNP or a private CNM. The flow's destination port
 * identifies a private CNM even if the packet is in a tunnel or has IFA or INT.
 */
ROCECC_FN bool rocecc_congestion_is_notification_(const rocecc_packet *packet,
                                                  const rocecc_flow *flow)
{
    return (flow->proto == ROCECC_PROTO_UDP &&
            flow->dst_port == packet->domain->l3qcn.port) ||
           rocecc_l3qcn_match(packet) || rocecc_cnp_match(packet);
}

/*
 * Returns the MSDU of a packet, starting at the EtherType before the outermost IP
 * header. Returns an empty reader if no IP EtherType directly precedes this header, for
 * example after MPLS or PPPoE.
 */
ROCECC_FN rocecc_reader rocecc_congestion_msdu_(const rocecc_packet *packet)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const uint16_t type = ip->version == 4 ? ROCECC_TYPE_IPV4 : ROCECC_TYPE_IPV6;
    const rocecc_reader msdu =
        rocecc_subrange(packet->bytes, (size_t)ip->offset - 2, ip->end);
    rocecc_reader r = msdu;
    const uint8_t *b = rocecc_take(&r, 2);
    if (ip->offset >= packet->bytes.at + ROCECC_ETHER_BYTES && b != NULL &&
        rocecc_load16(b) == type)
        return msdu;
    return rocecc_subrange(packet->bytes, packet->bytes.end, packet->bytes.end);
}

/* Returns a private CNM with the 5-tuple *flow and the CNM *cnm (R-L3-6, R-L3-16). */
ROCECC_FN rocecc_l3qcn rocecc_congestion_make_l3qcn_(const rocecc_flow *flow,
                                                     const rocecc_cnm *cnm)
{
    rocecc_l3qcn h;
    h.flags = h.reserved = 0;
    h.proto = flow->proto;
    h.ports = rocecc_flow_has_ports(flow->proto);
    h.src_port = flow->src_port;
    h.dst_port = flow->dst_port;
    h.src = flow->src;
    h.dst = flow->dst;
    h.extension = rocecc_subrange(cnm->msdu, 0, 0);
    h.cnm = *cnm;
    h.pdu_offset = 0;
    return h;
}

/*
 * Returns the UDP source port of a private CNM, in the range 0xc000 to 0xffff. The port
 * is derived from a hash of the flow, so that private CNMs for different flows can take
 * different paths.
 */
ROCECC_FN uint16_t rocecc_congestion_src_port_(const rocecc_l3qcn *l3qcn)
{
    uint32_t hash = (uint32_t)l3qcn->src_port << 16 | l3qcn->dst_port;
    int i;
    for (i = 0; i < 16; i += 4) {
        hash = (hash ^ rocecc_load32(l3qcn->src.b + i)) * 0x9e3779b1u;
        hash = (hash ^ rocecc_load32(l3qcn->dst.b + i)) * 0x9e3779b1u;
    }
    return rocecc_l3qcn_outer_default(hash >> 18).src_port;
}

#endif /* ROCECC_ROLE_CONGESTION_CNM_H */
