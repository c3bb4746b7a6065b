/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Reads flows, a VLAN tag and an extension header, at any offsets, from a parsed
 * packet.
 */
#include "bpf.h"
#include "law/packet.h"

#if defined(__bpf__)
rocecc_domain domain; /* in maps */
rocecc_headers where;

static __attribute__((always_inline)) rocecc_packet packet(const struct xdp_md *x)
{
    return rocecc_packet_attach(
        &domain, rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end),
        &where);
}

__attribute__((noinline)) int flows(struct xdp_md *x, rocecc_flow *flow)
{
    const rocecc_packet p = packet(x);
    if (flow == NULL) return 0;
    return (int)rocecc_packet_flow(&p, flow);
}

__attribute__((noinline)) int outer_flow(struct xdp_md *x, rocecc_flow *flow)
{
    const rocecc_packet p = packet(x);
    if (flow == NULL) return 0;
    return (int)rocecc_packet_outer_flow(&p, flow);
}

__attribute__((noinline)) int headers(struct xdp_md *x, int i)
{
    const rocecc_packet p = packet(x);
    rocecc_reader r;
    rocecc_ip6ext ext;
    rocecc_vlan tag;
    uint8_t type;
    if (i < 0 || i >= ROCECC_PACKET_VLAN_MAX) return 0;
    r = rocecc_packet_vlan(&p, i);
    if (rocecc_vlan_parse(&r, &tag) != ROCECC_OK) return 0;
    r = rocecc_packet_exts(&p, rocecc_packet_outermost(&p), &type);
    return tag.vid + (rocecc_ip6ext_next(&r, &type, &ext) == ROCECC_OK ? ext.type : 0);
}

__attribute__((noinline)) int agreed(void)
{
    return (int)rocecc_domain_init(&domain);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_flow a = {0}, b = {0};
    const int status = flows(x, &a) + outer_flow(x, &b) + headers(x, 1) + agreed();
    return status + rocecc_flow_match(&a, &b);
}
#endif
