/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ip_edges.c - IPv6 packets whose length or next header is 0.
 */
#include "lib/test.h"
#include "rocecc/wire/ip.h"

/* A jumbogram has no Payload Length and says its length in a Hop-by-Hop option, RFC
 * 2675, 3: neither alone makes one. */
TEST(ip_jumbograms)
{
    static const struct {
        uint8_t length, next;
        rocecc_status status;
    } rows[] = {{0, ROCECC_PROTO_HOPOPTS, ROCECC_ERR_UNSUPPORTED},
                {8, ROCECC_PROTO_HOPOPTS, ROCECC_OK},
                {0, ROCECC_PROTO_UDP, ROCECC_OK},
                {0, 59, ROCECC_OK}}; /* nothing follows */
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t b[48] = {0x60};
        rocecc_ipv46 h;
        b[5] = rows[i].length;
        b[6] = rows[i].next;
        b[7] = 64;
        test_context("row %u", (unsigned)i);
        CHECK_EQ(rocecc_ipv46_parse(rocecc_reader_of(b, b + sizeof b), &h),
                 rows[i].status);
        if (rows[i].status != ROCECC_OK) continue;
        CHECK(h.version == 6 && h.hops == 64);
        CHECK_EQ(h.bytes, 40u + rows[i].length);
    }
}
