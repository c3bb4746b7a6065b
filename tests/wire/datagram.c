/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * datagram.c - tests lengths, widest values, options and checksums of wire/datagram.h.
 */
#include "lib/test.h"
#include "rocecc/wire/datagram.h"

#include <string.h>

#define UNTOUCHED 0xa5

/* Returns a datagram with the same source and destination. */
static rocecc_datagram datagram_of(int version)
{
    rocecc_datagram d;
    memset(&d, 0, sizeof d);
    d.src.b[15] = d.dst.b[15] = 1;
    if (version == 4) memset(d.src.b + 10, 0xff, 2);
    if (version == 4) memset(d.dst.b + 10, 0xff, 2);
    return d;
}

/*
 * Both headers without data are a datagram with UDP Length 8 (RFC 768). If less than
 * the headers was reserved, emit() returns SPACE.
 */
TEST(datagram_without_data_has_udp_length_8)
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

/* UDP Length does not wrap. More than 65535 bytes of UDP give RANGE, in IPv4 65515. */
TEST(datagram_above_its_length_fields_gives_range)
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

/* A value one above its field's maximum gives RANGE, and nothing is written. */
TEST(datagram_rejects_values_above_their_fields)
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
        d.flow_label = i >= 5 ? 0x100000 : 0xfffff; /* ignored in IPv4 */
        test_context("row %d", i);
        CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, 0, 8, &pseudo),
                 fits ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK((w.at != 0) == fits && (pseudo != 42) == fits);
    }
}

/* Addresses of different versions give RANGE, in either order. */
TEST(datagram_rejects_mixed_ip_versions)
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

/* Room that ends inside the IP or the UDP header gives SPACE. */
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

/* The reserved bytes do not change. A value that is too wide gives RANGE. */
TEST(datagram_reserve_writes_nothing)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const size_t headers = (version == 6 ? 40u : 20u) + 8;
        rocecc_datagram d = datagram_of(version);
        uint8_t b[48];
        size_t room, i;
        for (room = headers - 1; room <= headers; room++) {
            rocecc_writer w = rocecc_writer_of(b, b + room);
            test_context("IPv%d, room for %zu", version, room);
            memset(b, UNTOUCHED, sizeof b);
            d.dscp = 63;
            CHECK_EQ(rocecc_datagram_reserve(&w, &d),
                     room < headers ? ROCECC_ERR_SPACE : ROCECC_OK);
            CHECK_EQ(w.at, room < headers ? 0 : headers);
            for (i = 0; i < sizeof b; i++)
                CHECK_EQ(b[i], UNTOUCHED);
            d.dscp = 64; /* RANGE precedes SPACE */
            w = rocecc_writer_of(b, b + room);
            CHECK_EQ(rocecc_datagram_reserve(&w, &d), ROCECC_ERR_RANGE);
            CHECK_EQ(w.at, 0);
        }
    }
}

/*
 * IPv6 counts options in its length, but not in the pseudo-header. IPv4 rejects
 * options.
 */
TEST(datagram_options_are_not_in_the_pseudo_header)
{
    static const struct {
        size_t options;
        uint16_t udp;
        bool fits;
    } row[] = {{0, 8, true},           {8, 8, true},       {0xffff - 8, 8, true},
               {0xffff - 7, 8, false}, {1, 0xffff, false}, {SIZE_MAX, 8, false},
               {SIZE_MAX, 0, false},   {0, 0xffff, true}};
    size_t i;
    for (i = 0; i < sizeof row / sizeof row[0]; i++) {
        const rocecc_datagram v6 = datagram_of_hosts(6), v4 = datagram_of_hosts(4);
        uint8_t b[40];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        uint32_t pseudo = 42, plain = 43;
        test_context("row %zu", i);
        CHECK_EQ(rocecc_datagram_ip_emit(&w, &v6, row[i].options, row[i].udp, &pseudo),
                 row[i].fits ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, row[i].fits ? 40 : 0);
        if (row[i].fits) {
            CHECK_EQ(b[6], row[i].options != 0 ? 60 : 17);
            CHECK_EQ(rocecc_load16(b + 4), row[i].options + row[i].udp);
            w = rocecc_writer_of(b, b + sizeof b);
            CHECK_EQ(rocecc_datagram_ip_emit(&w, &v6, 0, row[i].udp, &plain),
                     ROCECC_OK);
            CHECK_EQ(pseudo, plain);
        }
        pseudo = 42;
        w = rocecc_writer_of(b, b + sizeof b);
        if (row[i].options != 0) {
            CHECK_EQ(rocecc_datagram_ip_emit(&w, &v4, row[i].options, 8, &pseudo),
                     ROCECC_ERR_RANGE);
            CHECK(w.at == 0 && pseudo == 42);
        }
    }
}

/* The caller's checksum is written unchanged, even 0. A UDP Length of 7 gives RANGE. */
TEST(datagram_udp_emit_writes_the_callers_checksum)
{
    static const uint16_t checksum[] = {0, 1, 0xffff};
    const rocecc_datagram d = datagram_of_hosts(4);
    uint8_t b[8];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    size_t i;
    CHECK_EQ(rocecc_datagram_udp_emit(&w, &d, 7, 0), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
    w = rocecc_writer_of(b, b + 7);
    CHECK_EQ(rocecc_datagram_udp_emit(&w, &d, 8, 0), ROCECC_ERR_SPACE);
    CHECK_EQ(w.at, 0);
    for (i = 0; i < 3; i++) {
        w = rocecc_writer_of(b, b + sizeof b);
        CHECK_EQ(rocecc_datagram_udp_emit(&w, &d, 8, checksum[i]), ROCECC_OK);
        CHECK_EQ(rocecc_load16(b + 6), checksum[i]);
    }
}

/* The data make the checksum 0, which would mean no checksum, so 0xffff is sent. */
TEST(datagram_checksum_of_0_is_sent_as_0xffff)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const size_t headers = (version == 6 ? 40u : 20u) + 8;
        const rocecc_datagram d = datagram_of_hosts(version);
        uint8_t b[50] = {0};
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b), data = w;
        data.at = headers + 2;
        test_context("IPv%d", version);
        CHECK_EQ(rocecc_datagram_emit(&w, &d, &data), ROCECC_OK);
        CHECK(rocecc_load16(b + headers - 2) != 0xffff);
        rocecc_store16(b + headers, rocecc_load16(b + headers - 2));
        w = rocecc_writer_of(b, b + sizeof b);
        CHECK_EQ(rocecc_datagram_emit(&w, &d, &data), ROCECC_OK);
        CHECK_EQ(rocecc_load16(b + headers - 2), 0xffff);
    }
}

/* If nothing was reserved, emit() does not check the header's values. */
TEST(datagram_space_precedes_range_without_reserved_room)
{
    rocecc_datagram d = datagram_of(4);
    uint8_t b[28];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b), data = w;
    d.dscp = 64;
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &data), ROCECC_ERR_SPACE);
    data.at = 28;
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &data), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
}
