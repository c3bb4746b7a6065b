/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address_edges.c - every bit of an address counts: two that differ anywhere are two
 * hosts, and one with a single bit set is still an address.
 */
#include "../examples/lib/vec.h"
#include "lib/test.h"
#include "rocecc/packet/answer.h"
#include "rocecc/packet/build.h"

#include <string.h>

/* A station's address: one byte that is not 0 is enough, in the first an even one. */
TEST(address_edges_station)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    uint8_t frame[64], out[30];
    size_t n, i;
    CHECK(vec_hex("020000000001020000000002"
                  "0800 45000014 00000000 40110000 c0000201 c0000202",
                  frame, &n));
    for (i = 0; i < 6; i++) {
        rocecc_answer a = {{{0}}, ROCECC_TYPE_IPV4, 0, false};
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_packet p;
        a.src.b[i] = 0x82;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(frame, frame + n), &p);
        test_at("byte", i, 0, 0);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
        CHECK(w.at == 14 && memcmp(out + 6, a.src.b, 6) == 0);
    }
}
