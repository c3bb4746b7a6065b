/* SPDX-License-Identifier: BSD-2-Clause */

/* domain.c - tests the domains that rocecc_domain_init() rejects, and the reasons. */
#include "lib/test.h"
#include "rocecc/packet/domain.h"

#include <string.h>

TEST(domain_init_rejects_values_with_a_meaning)
{
    rocecc_domain d;
    memset(&d, 0, sizeof d);
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_ACCEPTED);
    CHECK_EQ(rocecc_domain_rocev2_port(&d), 4791);
#define REFUSED(member, value, why)                                                    \
    do {                                                                               \
        rocecc_domain c = d;                                                           \
        c.member = value;                                                              \
        CHECK_EQ(rocecc_domain_init(&c), ROCECC_DOMAIN_##why);                         \
    } while (0)
    REFUSED(link, 1, ACCEPTED);
    REFUSED(link, 2, REFUSED_LINK);
    REFUSED(csig.compact_tpid, 0x8100, REFUSED_CSIG);
    REFUSED(ifa.protocol, 253, REFUSED_IFA); /* no layout */
    d.ifa.layout_a = 1;
    REFUSED(ifa.protocol, 253, ACCEPTED);
    REFUSED(ifa.protocol, 17, REFUSED_IFA);
    REFUSED(ifa.protocol, 143, REFUSED_PROTOCOL);
    REFUSED(ifa.protocol, 4, REFUSED_PROTOCOL);
    REFUSED(ifa.protocol, 41, REFUSED_PROTOCOL);
    REFUSED(fastcnp.type_plain, 0x9e, ACCEPTED);
    REFUSED(fastcnp.type_plain, 0x1e, REFUSED_FASTCNP);
    REFUSED(intmd.dscp_mask, 0x3f, ACCEPTED);
    REFUSED(intmd.dscp_mask, 0x40, REFUSED_DSCP);
    REFUSED(csig.compact_tpid, 0x9100, ACCEPTED);
    REFUSED(csig.compact_tpid, 0x8847, REFUSED_TYPE);
    REFUSED(csig.compact_tpid, 0x8848, REFUSED_TYPE);
    REFUSED(csig.compact_tpid, 0x8864, REFUSED_TYPE);
    REFUSED(csig.compact_tpid, 0x8909, REFUSED_TYPE);
    REFUSED(csig.compact_tpid, 0x8808, REFUSED_TYPE);
    REFUSED(csig.wide_tpid, 0x22e7, REFUSED_TYPE);
    REFUSED(csig.wide_tpid, 0x8847, REFUSED_TYPE);
    REFUSED(rocev2_port, 1021, ACCEPTED);
    REFUSED(rocev2_port, 4789, REFUSED_PORT);
    REFUSED(intmd.udp_port, 5000, ACCEPTED);
    REFUSED(intmd.udp_port, 4790, REFUSED_PORT);
    REFUSED(intmd.udp_port, 4791, REFUSED_PORT);
    REFUSED(l3qcn.port, 4791, REFUSED_L3QCN);
    REFUSED(l3qcn.port, 6081, REFUSED_PORT);
    REFUSED(arn.port, 6635, REFUSED_PORT);
    REFUSED(arn.port, 4791, REFUSED_PORT);
    d.l3qcn.port = 6000;
    REFUSED(arn.port, 6001, ACCEPTED);
    REFUSED(arn.port, 6000, REFUSED_PORT);
    REFUSED(intmd.udp_port, 6000, REFUSED_PORT);
    REFUSED(csig.compact_tpid, 0x6558, REFUSED_TYPE);
    REFUSED(tag.etag_type, 0x5ff, REFUSED_TYPE);
    REFUSED(tag.etag_type, 0x600, ACCEPTED);
    REFUSED(tag.vntag_type, 0x0800, REFUSED_TYPE);
    REFUSED(tag.arista_type, 0x88a8, REFUSED_TYPE);
    d.tag.vlan_tpid = 0x9100;
    REFUSED(csig.wide_tpid, 0x9100, REFUSED_TYPE);
    REFUSED(csig.compact_tpid, 0x9100, REFUSED_TYPE);
    REFUSED(tag.etag_type, 0x9100, REFUSED_TYPE);
    REFUSED(tag.etag_type, 0x893f, ACCEPTED);
    REFUSED(tag.vntag_type, 0x9100, REFUSED_TYPE);
    REFUSED(tag.vntag_type, 0x8926, ACCEPTED);
    REFUSED(tag.arista_type, 0x9100, REFUSED_TYPE);
    REFUSED(tag.arista_type, 0xd28b, ACCEPTED);
    REFUSED(sflow_port, 6343, ACCEPTED);
    REFUSED(sflow_port, 4789, REFUSED_PORT);
    REFUSED(sflow_port, 6000, REFUSED_PORT);
    REFUSED(overlay.gre_port, 4754, REFUSED_OVERLAY);
    d.overlay.own_ports = true;
    REFUSED(sflow_port, 4789, ACCEPTED);
    REFUSED(overlay.gre_port, 4754, ACCEPTED);
    REFUSED(overlay.gre_port, 6000, REFUSED_PORT);
    REFUSED(overlay.vxlan_port, 4791, REFUSED_PORT);
    d.overlay.vxlan_port = 8472;
    REFUSED(overlay.vxlan_port_2, 8472, ACCEPTED);
    REFUSED(overlay.geneve_port, 8472, REFUSED_OVERLAY);
    REFUSED(intmd.udp_port, 8472, REFUSED_PORT);
    d.rocev2_port = 1021;
    REFUSED(arn.port, 1021, REFUSED_PORT);
    REFUSED(arn.port, 4791, ACCEPTED);
#undef REFUSED
}

/* EtherTypes with a meaning (headers.h) and lengths (IEEE 802.3) are taken. */
TEST(domain_rejects_types_with_a_meaning)
{
    static const uint16_t known[] = {0x0800, 0x8100, 0x86dd, 0x8808, 0x8847,
                                     0x8848, 0x8864, 0x88a8, 0x8909, 0x8915,
                                     0x22e7, 0x22e9, 0x6558};
    uint32_t type;
    for (type = 0; type < 0x10000; type++) {
        bool should = type < 0x600;
        size_t i;
        for (i = 0; i < sizeof known / sizeof known[0]; i++)
            if (known[i] == type) should = true;
        test_context("%04x", (unsigned)type);
        CHECK_EQ(rocecc_domain_type_is_taken_((uint16_t)type), should);
    }
}

static rocecc_domain_refusal meaning_of(uint32_t type, bool has_9100)
{
    if (type < 0x600 || type == 0x0800 || type == 0x86dd || type == 0x8915 ||
        type == 0x22e9 || type == 0x8100 || type == 0x88a8)
        return type == 0 ? ROCECC_DOMAIN_ACCEPTED : ROCECC_DOMAIN_REFUSED_CSIG;
    return type == 0x22e7 || type == 0x8808 || type == 0x8909 || type == 0x8864 ||
                   type == 0x8847 || type == 0x8848 || type == 0x6558 ||
                   (type == 0x9100 && has_9100)
               ? ROCECC_DOMAIN_REFUSED_TYPE
               : ROCECC_DOMAIN_ACCEPTED;
}

/*
 * Tries every EtherType as a CSIG TPID. Below 0x600 it is a length (802.3). IEEE's list
 * has IPv4, IPv6, RoCE, CN-TAG, C-TAG and S-TAG, and CNM, MAC control, Cisco metadata,
 * PPPoE sessions, MPLS (twice) and bridged Ethernet. 0x9100 was a tag before 802.1ad.
 */
TEST(domain_rejects_a_csig_tpid_with_a_meaning)
{
    uint32_t type, old;
    for (type = 0; type < 0x10000; type++)
        for (old = 0; old < 2; old++) {
            const rocecc_domain_refusal refusal = meaning_of(type, old == 1);
            rocecc_domain d = {.tag.vlan_tpid = old == 1 ? 0x9100 : 0};
            test_at("type", type, old, 0);
            d.csig.compact_tpid = (uint16_t)type;
            CHECK_EQ(rocecc_domain_init(&d), refusal);
            d.csig.compact_tpid = 0;
            d.csig.wide_tpid = (uint16_t)type;
            CHECK_EQ(rocecc_domain_init(&d), refusal);
        }
}

/* If two reasons apply, the earlier one in the enumeration is returned. */
TEST(domain_reports_the_first_of_two_reasons)
{
    rocecc_domain d = {.intmd.dscp_mask = 0x40, .rocev2_port = 4789};
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_DSCP);
    d.link = 2;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_LINK);
    d.link = 0;
    d.intmd.dscp_mask = 0;
    d.overlay.gre_port = 4754;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_PORT);
    d.tag.etag_type = 0x0800;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_TYPE);
}
