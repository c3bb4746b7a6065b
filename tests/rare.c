/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rare.c - what no packet of the vectors brings about: values that a caller has to make
 * up, and rooms that end between two headers.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/wire/arn.h"
#include "rocecc/wire/datagram.h"
#include "rocecc/wire/echo.h"
#include "rocecc/wire/ifa.h"
#include "rocecc/wire/ifanode.h"
#include "rocecc/wire/intmd.h"
#include "rocecc/wire/ioam.h"

#include <string.h>

#define UNTOUCHED 0xa5

static rocecc_datagram datagram_of(int version)
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
TEST(rare_datagram_without_room)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const rocecc_datagram d = datagram_of(version);
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

TEST(rare_datagram_ip_without_room)
{
    const rocecc_datagram d = datagram_of(6);
    uint8_t b[39];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    uint32_t pseudo = 42;
    CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, 0, 8, &pseudo), ROCECC_ERR_SPACE);
    CHECK(w.at == 0 && pseudo == 42);
}

/* An option of IOAM ends before the byte that says of which type it is. */
TEST(rare_echo_of_a_cut_option)
{
    static const uint8_t record[4] = {0x31, 1, 0, 0};
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_echo h;
    rocecc_ioam_view v, was;
    size_t n;
    memset(&h, 0, sizeof h);
    memset(&v, UNTOUCHED, sizeof v);
    was = v;
    h.format = ROCECC_ECHO_IOAM;
    for (n = 0; n <= 3; n++) { /* 3: the whole option, of one byte */
        const uint8_t *at = guard_end(record, n);
        h.record = rocecc_reader_of(at, at + n);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), ROCECC_ERR_FORMAT);
    }
    CHECK(memcmp(&v, &was, sizeof v) == 0);
}

/* A protocol of 0 is off, whatever layouts there are. */
TEST(rare_ifa_without_a_protocol)
{
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    c.layout_a = 1;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_OFF);
    c.protocol = 253;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
}

/* A tail stamp is 4 bytes and whole records, which the packet has to have after UDP. */
TEST(rare_ifa_cut_tail)
{
    enum { STACK = ROCECC_IFA_NODE_BYTES, AFTER = 4 + 8 };
    uint8_t b[AFTER + STACK + 4] = {0x2f, 17, 0x08, 255}; /* TS, next is UDP */
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    rocecc_ifa h, was;
    size_t n;
    memset(&h, UNTOUCHED, sizeof h);
    was = h;
    c.protocol = 253;
    c.layout_a = 0xffff;
    c.tail = ROCECC_IFA_TAIL_NEWEST_LAST;
    b[9] = 8; /* UDP Length: its own */
    for (n = 4; n <= sizeof b; n++) {
        const uint8_t *at;
        rocecc_status status = ROCECC_ERR_FORMAT;
        b[n - 1] = STACK / 4; /* Current Length, as the last bytes say */
        at = guard_end(b, n);
        if (n == sizeof b) status = ROCECC_OK;
        b[n - 1] = n - 1 == 9 ? 8 : n - 1 == 3 ? 255 : 0;
        if (n < AFTER) continue;
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(at, at + n), n, &h), status);
        if (status != ROCECC_OK) CHECK(memcmp(&h, &was, sizeof h) == 0);
    }
    CHECK_EQ(rocecc_left(&h.nodes), STACK);
    for (n = 0; n < 4; n++) {
        const uint8_t *at = guard_end(b, n);
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(at, at + n), sizeof b, &h),
                 ROCECC_ERR_SHORT);
    }
}

/* A queue of 64 KiB and more: in bytes it has 32 bits, in cells 16. */
TEST(rare_ifa_long_queue)
{
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    n.present = ROCECC_IFA_QUEUE_LENGTH;
    n.queue_length = 0x10000;
    n.layout = ROCECC_IFA_LAYOUT_B_OCTETS;
    CHECK(rocecc_ifa_node_fits(&n));
    n.layout = ROCECC_IFA_LAYOUT_B;
    CHECK(!rocecc_ifa_node_fits(&n));
    n.queue_length = 0xffff;
    CHECK(rocecc_ifa_node_fits(&n));
}

/* Hop ML has 5 bits, and a shim's nodes 1008 bytes. */
TEST(rare_intmd_node_too_long)
{
    static uint8_t b[1012];
    rocecc_intmd_header h;
    rocecc_reader ds = rocecc_reader_of(b, b);
    memset(&h, 0, sizeof h);
    h.instructions = ROCECC_INTMD_NODE_ID;
    h.ds_instruction = 1;
    h.hop_ml = 31;
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 124);
    h.hop_ml = 32;
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 0);
    h.hop_ml = 2;
    ds = rocecc_reader_of(b, b + 1004);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 1008);
    ds = rocecc_reader_of(b, b + 1008);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 0);
}

/* A layout that was kept is made anew where a bit alone has moved. */
TEST(rare_ioam_layout_of_another_bit)
{
    const uint32_t trace_type = 0xd20800 | 1u << 10;
    rocecc_ioam_config c = {0, 12, 13, false};
    rocecc_report_layout kept, anew;
    memset(&kept, 0, sizeof kept);
    rocecc_ioam_layout_update(&c, trace_type, &kept);
    CHECK_EQ(kept.interface_bit, 13);
    c.interface_bit = 0;
    memset(&anew, 0, sizeof anew);
    rocecc_ioam_layout_update(&c, trace_type, &anew);
    rocecc_ioam_layout_update(&c, trace_type, &kept);
    CHECK_EQ(kept.interface_bit, 0);
    CHECK(memcmp(&kept, &anew, sizeof kept) == 0);
    c.tx_bytes_bit = 13; /* and so is the other bit's word at another place */
    rocecc_ioam_layout_update(&c, trace_type, &kept);
    CHECK(kept.tx_bytes_bit == 13 && kept.n == 6);
    CHECK(kept.word[4] == 12 + 3 && kept.word[5] == 26); /* after three wide ones */
}

/* A snapshot that says more words than there are before it is what there is. */
TEST(rare_ioam_snapshot_of_too_many_words)
{
    uint8_t b[8] = {0};
    rocecc_reader nodes = rocecc_reader_of(b, b + sizeof b), snapshot;
    rocecc_ioam_node n;
    memset(&n, 0, sizeof n);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 3u << 24;
    nodes.at = 8;
    CHECK_EQ(rocecc_ioam_snapshot_words(&n), 3);
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 0 && snapshot.end == 8);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 1u << 24;
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 4 && snapshot.end == 8);
}
