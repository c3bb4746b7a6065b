/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet_missing.c - packets in which what is asked for is not there, or is where the
 * walk could not come.
 */
#include "../examples/lib/vec.h"
#include "lib/test.h"
#include "rocecc/role/flow_control.h"

#include <string.h>

static rocecc_packet packet_of(const rocecc_domain *d, const char *hex, uint8_t *b)
{
    rocecc_packet p;
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* What is not IP has no DSCP: its class is its tag's, here 5 and not DSCP 0's. */
TEST(packet_missing_class_without_ip)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    rocecc_flow_control_config c;
    rocecc_pause_traffic x;
    uint8_t b[256];
    rocecc_packet p =
        packet_of(&d, "020000000001 020000000002 8100 a001 0806 00010800", b);
    memset(&c, 0, sizeof c);
    memset(&x, 0, sizeof x);
    c.trust_dscp = true;
    c.class_of[0] = 2;
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 5);
    p = packet_of(&d,
                  "020000000001 020000000002 8100 a001 0800 "
                  "45000014 00000000 40fd0000 c0000201 c0000202",
                  b);
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 2);
}
