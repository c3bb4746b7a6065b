/* SPDX-License-Identifier: BSD-2-Clause */

/* edge.c - a packet crosses an SRv6 tunnel that marks it, and leaves with CE. */
#include "rocecc/role/srv6_pe.h"

#include <stdio.h>

#include "data.h"

static const rocecc_domain domain = {.link = ROCECC_LINK_IP,
                                     .fastcnp.type_plain = 0x9e};
static const rocecc_ip6 end_con = {{0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, [15] = 0xc}};
static const rocecc_ip6 egress = {{0x20, 0x01, 0x0d, 0xb8, 0, 0xe0, [15] = 0xe}};

int main(void)
{
    rocecc_srv6_pe_config config = ROCECC_ZERO;
    rocecc_srv6_pe_path way = ROCECC_ZERO;
    rocecc_srv6_pe_result out = ROCECC_ZERO;
    uint8_t tunnel[256];
    rocecc_writer w = rocecc_writer_of(tunnel, tunnel + sizeof tunnel);
    rocecc_srv6_pe_ingress_result entered;
    rocecc_packet p;
    rocecc_ip ip;

    /* Set up once. */
    config.end_con = end_con;
    if (rocecc_srv6_pe_init(&config, &domain) != ROCECC_SRV6_PE_ACCEPTED) return 1;

    /* Ingress. The policy has one segment, the egress node. */
    way.policy = rocecc_reader_of(egress.b, egress.b + 16);
    way.mtu_bytes = 9000;
    rocecc_srv6_pe_encapsulate(&config, rocecc_reader_of(data, data + sizeof data),
                               &way, &w, &entered);
    if (entered.verdict != ROCECC_SRV6_PE_FORWARD) return 1;
    printf("in a tunnel: %u bytes\n", (unsigned)w.at);

    /* A congested node marks the outer header. */
    rocecc_ipv6_ecn_store(tunnel, ROCECC_ECN_CE);

    /* Egress. The inner packet is forwarded, in the same buffer. */
    (void)rocecc_packet_parse(&domain, rocecc_written(&w), &p);
    rocecc_srv6_pe_egress(&egress, &p, rocecc_writer_of(tunnel, tunnel + w.at), &out);
    if (out.verdict != ROCECC_SRV6_PE_FORWARD) return 1;
    (void)rocecc_packet_parse(&domain, out.tunnel.inner, &p);
    if (rocecc_packet_ip(&p, &p.headers.ip, &ip) != ROCECC_OK) return 1;
    printf("out of it: %u bytes\n", (unsigned)rocecc_left(&out.tunnel.inner));
    return ip.ecn != ROCECC_ECN_CE;
}
