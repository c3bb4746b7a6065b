/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet_missing.c - packets in which what is asked for is not there, or is where the
 * walk could not come.
 */
#include "../examples/lib/vec.h"
#include "lib/test.h"
#include "rocecc/packet/fastcnp.h"
#include "rocecc/wire/overlay.h"

#include <string.h>

static rocecc_packet packet_of(const rocecc_domain *d, const char *hex, uint8_t *b)
{
    rocecc_packet p;
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* RFC 2784 and RFC 2890: C is bit 0, K bit 2, S bit 3, and each has 4 bytes. */
TEST(packet_missing_gre_options)
{
    uint32_t flags;
    for (flags = 0; flags < 0x10000; flags++) {
        const rocecc_gre h = {(uint16_t)flags, 0x6558};
        const uint32_t fields =
            (flags >> 15 & 1) + (flags >> 13 & 1) + (flags >> 12 & 1);
        test_at("flags", flags, 0, 0);
        CHECK_EQ(rocecc_gre_option_bytes(&h), 4 * fields);
    }
}

static rocecc_domain_refusal meaning_of(uint32_t type, bool old_qinq)
{
    if (type < 0x600 || type == 0x0800 || type == 0x86dd || type == 0x8915 ||
        type == 0x22e9 || type == 0x8100 || type == 0x88a8)
        return type == 0 ? ROCECC_DOMAIN_ACCEPTED : ROCECC_DOMAIN_REFUSED_CSIG;
    return type == 0x22e7 || type == 0x8808 || type == 0x8909 || type == 0x8864 ||
                   type == 0x8847 || type == 0x8848 || (type == 0x9100 && old_qinq)
               ? ROCECC_DOMAIN_REFUSED_TYPE
               : ROCECC_DOMAIN_ACCEPTED;
}

/*
 * Every EtherType as a TPID of CSIG. Below 0x600 it is a length (802.3). By IEEE's
 * list: IPv4, IPv6, RoCE, CN-TAG, C-TAG and S-TAG; CNM, MAC control, Cisco metadata,
 * PPPoE's sessions, MPLS twice; 0x9100 was a tag before 802.1ad.
 */
TEST(packet_missing_tpids)
{
    uint32_t type, old;
    for (type = 0; type < 0x10000; type++)
        for (old = 0; old < 2; old++) {
            const rocecc_domain_refusal refusal = meaning_of(type, old == 1);
            rocecc_domain d = {.old_qinq = old == 1};
            test_at("type", type, old, 0);
            d.csig.compact_tpid = (uint16_t)type;
            CHECK_EQ(rocecc_domain_init(&d), refusal);
            d.csig.compact_tpid = 0;
            d.csig.wide_tpid = (uint16_t)type;
            CHECK_EQ(rocecc_domain_init(&d), refusal);
        }
}

#define IP6_HEAD(next)                                                                 \
    "60000000 0018" next "40 20010db8 00000000 00000000 00000001 20010db8 00000000 "   \
    "00000000 00000002"

/* FC-20: a fragment of IPv4 is no Fast CNP. In IPv6 it may hide anything. */
TEST(packet_missing_border)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = {.type_plain = 0x9e}};
    uint8_t b[256];
    const char *fragment = "45000018 00012000 40110000 c0000201 c0000202 00000000";
    rocecc_packet p = packet_of(&d, fragment, b);
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
    p = packet_of(
        &d, IP6_HEAD("04") "45000018 00012000 40110000 c0000201 c0000202 00000000", b);
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_UNSEEN);
    p = packet_of(
        &d, IP6_HEAD("2c") "11000001 00000001 00000000 00000000 00000000 00000000", b);
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_UNSEEN);
}
