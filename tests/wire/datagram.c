/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * datagram.c - the shortest and the longest datagram, and the widest values of one.
 */
#include "lib/test.h"
#include "rocecc/wire/datagram.h"

#include <string.h>

#define UNTOUCHED 0xa5

/* Of this node to itself. */
static rocecc_datagram datagram_of(int version)
{
    rocecc_datagram d;
    memset(&d, 0, sizeof d);
    d.src.b[15] = d.dst.b[15] = 1;
    if (version == 4) memset(d.src.b + 10, 0xff, 2);
    if (version == 4) memset(d.dst.b + 10, 0xff, 2);
    return d;
}

/* Both headers and no data are a datagram of UDP Length 8 (RFC 768); where less than
 * the headers was reserved, there is none. */
TEST(datagram_without_data)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const size_t ip = version == 6 ? 40 : 20;
        const rocecc_datagram d = datagram_of(version);
        uint8_t b[48];
        size_t at;
        for (at = 0; at <= ip + 8; at++) {
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b), data = w;
            const bool all = at == ip + 8;
            test_context("IPv%d, %zu bytes", version, at);
            memset(b, UNTOUCHED, sizeof b);
            data.at = at;
            CHECK_EQ(rocecc_datagram_emit(&w, &d, &data),
                     all ? ROCECC_OK : ROCECC_ERR_SPACE);
            CHECK_EQ(w.at, all ? at : 0);
            CHECK(all || (b[0] == UNTOUCHED && b[ip] == UNTOUCHED));
        }
        CHECK_EQ(rocecc_load16(b + ip + 4), 8);
        CHECK_EQ(rocecc_load16(b + (version == 6 ? 4 : 2)), version == 6 ? 8 : 28);
    }
}

/* UDP Length has 16 bits, and does not begin anew beyond them. */
TEST(datagram_too_long)
{
    static uint8_t b[40 + 0x10000 + 8];
    int version;
    for (version = 4; version <= 6; version += 2) {
        const size_t ip = version == 6 ? 40 : 20;
        const size_t most = version == 6 ? 0xffff : 0xffff - 20;
        const size_t lengths[] = {most, most + 1, 0x10000, 0x10000 + 8};
        size_t i;
        for (i = 0; i < 4; i++) {
            const rocecc_datagram d = datagram_of(version);
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b), data = w;
            test_context("IPv%d, UDP of %zu bytes", version, lengths[i]);
            data.at = ip + lengths[i];
            CHECK_EQ(rocecc_datagram_emit(&w, &d, &data),
                     i == 0 ? ROCECC_OK : ROCECC_ERR_RANGE);
            CHECK_EQ(w.at, i == 0 ? data.at : 0);
            if (i == 0) CHECK_EQ(rocecc_load16(b + ip + 4), most);
        }
    }
}

/* What goes beyond its field by one is refused, and the rest of the header with it. */
TEST(datagram_too_wide)
{
    int i;
    for (i = 0; i < 7; i++) {
        rocecc_datagram d = datagram_of(i == 6 ? 4 : 6);
        uint8_t b[48];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        uint32_t pseudo = 42;
        const bool fits = i % 2 == 0;
        d.dscp = i == 1 ? 64 : 63;
        d.ecn = i == 3 ? 4 : 3;
        d.flow_label = i >= 5 ? 0x100000 : 0xfffff; /* IPv4 has none */
        test_context("row %d", i);
        CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, 0, 8, &pseudo),
                 fits ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK((w.at != 0) == fits && (pseudo != 42) == fits);
    }
}

/* Between an IPv4 and an IPv6 address nothing is sent, whichever is which. */
TEST(datagram_of_two_versions)
{
    int i;
    for (i = 0; i < 2; i++) {
        rocecc_datagram d = datagram_of(i == 0 ? 4 : 6);
        uint8_t b[48];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        uint32_t pseudo = 42;
        d.dst = datagram_of(i == 0 ? 6 : 4).dst;
        test_context("to IPv%d", i == 0 ? 6 : 4);
        CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, 0, 8, &pseudo), ROCECC_ERR_RANGE);
        CHECK(w.at == 0 && pseudo == 42);
    }
}

static rocecc_datagram datagram_of_hosts(int version)
{
    static const rocecc_ip6 a = {
        {0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    static const rocecc_ip4 b = {{192, 0, 2, 1}};
    rocecc_datagram d;
    memset(&d, 0, sizeof d);
    d.src = d.dst = version == 6 ? a : rocecc_ip6_of_ip4(&b);
    d.hop_limit = 64;
    return d;
}

/* A room that ends inside of the IP header, or of UDP's: nothing is sent from it. */
TEST(datagram_without_room_is_not_written)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const rocecc_datagram d = datagram_of_hosts(version);
        const size_t headers = (version == 6 ? 40u : 20u) + 8;
        uint8_t b[100] = {0};
        rocecc_writer data = rocecc_writer_of(b, b + sizeof b);
        size_t room;
        data.at = headers + 4;
        for (room = 0; room <= headers; room++) {
            rocecc_writer w = rocecc_writer_of(b, b + room);
            CHECK_EQ(rocecc_datagram_emit(&w, &d, &data),
                     room < headers ? ROCECC_ERR_SPACE : ROCECC_OK);
            CHECK_EQ(w.at, room < headers ? 0 : data.at);
        }
    }
}

TEST(datagram_ip_without_room_is_not_written)
{
    const rocecc_datagram d = datagram_of_hosts(6);
    uint8_t b[39];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    uint32_t pseudo = 42;
    CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, 0, 8, &pseudo), ROCECC_ERR_SPACE);
    CHECK(w.at == 0 && pseudo == 42);
}
