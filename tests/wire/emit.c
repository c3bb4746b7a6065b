/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * emit.c - tests functions that write in several steps, in buffers that are too small.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/wire/cnm.h"
#include "rocecc/wire/icmp.h"
#include "rocecc/wire/intmd.h"
#include "rocecc/wire/ioam.h"
#include "rocecc/wire/ioamdex.h"
#include "rocecc/wire/ioamopt.h"
#include "rocecc/wire/ip6opt.h"
#include "rocecc/wire/srv6.h"
#include "rocecc/wire/tcp.h"

#include <string.h>

#define UNTOUCHED 0xa5

static const uint8_t eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static rocecc_status emit_cnm_head(rocecc_writer *w)
{
    rocecc_cnm_head h;
    memset(&h, 0, sizeof h);
    h.n_vlan = 2;
    h.vlan[0].tpid = 0x88a8;
    h.vlan[1].tpid = 0x8100;
    h.tagged = true;
    return rocecc_cnm_head_emit(w, &h);
}

static rocecc_status emit_ioam_option(rocecc_writer *w)
{
    rocecc_ioam_option o;
    o.reserved = 0;
    o.opt_type = 1;
    o.data = rocecc_reader_of(eight, eight + 8);
    return rocecc_ioam_option_emit(w, 0x31, &o);
}

static rocecc_status emit_ip6opt(rocecc_writer *w)
{
    rocecc_ip6opt o;
    o.type = 0x1e;
    o.body = rocecc_reader_of(eight, eight + 8);
    return rocecc_ip6opt_emit(w, &o);
}

static rocecc_status emit_ipv4(rocecc_writer *w)
{
    rocecc_ipv4 h;
    memset(&h, 0, sizeof h);
    h.total_length = 28;
    h.options = rocecc_reader_of(eight, eight + 8);
    return rocecc_ipv4_emit(w, &h);
}

static rocecc_status emit_tcp(rocecc_writer *w)
{
    rocecc_tcp h;
    memset(&h, 0, sizeof h);
    h.options = rocecc_reader_of(eight, eight + 8);
    return rocecc_tcp_emit(w, &h);
}

static rocecc_status emit_srh(rocecc_writer *w)
{
    static const uint8_t segment[16] = {0x20};
    rocecc_srh h;
    memset(&h, 0, sizeof h);
    h.segments = rocecc_reader_of(segment, segment + 16);
    h.tlvs = rocecc_reader_of(eight, eight + 8);
    return rocecc_srh_emit(w, &h);
}

static rocecc_status emit_icmp_message(rocecc_writer *w)
{
    rocecc_icmp_message h;
    memset(&h, 0, sizeof h);
    h.packet = rocecc_reader_of(eight, eight + 8);
    return rocecc_icmp_message_emit(w, &h);
}

static rocecc_status emit_intmd_node(rocecc_writer *w)
{
    const rocecc_intmd_header h = rocecc_intmd_header_init(0xd501, 1);
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    return rocecc_intmd_node_emit(w, &h, &n, rocecc_reader_of(NULL, NULL));
}

static rocecc_status emit_dex(rocecc_writer *w)
{
    rocecc_ioam_dex h;
    memset(&h, 0, sizeof h);
    h.extension_flags = ROCECC_IOAM_DEX_FLOW_ID | ROCECC_IOAM_DEX_SEQUENCE | 0x30;
    h.others = rocecc_reader_of(eight, eight + 8);
    return rocecc_ioam_dex_emit(w, &h);
}

/* Writes the node id, both interfaces, and a snapshot with two words. */
static rocecc_status emit_ioam_node(rocecc_writer *w)
{
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_ioam_node n;
    memset(&n, 0, sizeof n);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 2u << 24;
    return rocecc_ioam_node_emit(w, &c, 0xc00002, &n,
                                 rocecc_reader_of(eight, eight + 8));
}

/* Each function writes all its bytes or none. */
TEST(emit_writes_nothing_without_enough_room)
{
    static const struct {
        rocecc_status (*emit)(rocecc_writer *w);
        size_t bytes;
    } rows[] = {{emit_cnm_head, 12 + 2 * 4 + 4 + 2},
                {emit_ioam_option, 2 + 2 + 8},
                {emit_ip6opt, 2 + 8},
                {emit_ipv4, 20 + 8},
                {emit_tcp, 20 + 8},
                {emit_srh, 8 + 16 + 8},
                {emit_icmp_message, 8 + 8},
                {emit_intmd_node, 4 * 7},
                {emit_dex, 8 + 4 + 4 + 8},
                {emit_ioam_node, 8 + 4 + 8}};
    size_t i, k, room;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (room = 0; room <= rows[i].bytes; room++) {
            uint8_t *at = guard_end(NULL, room);
            rocecc_writer w = rocecc_writer_of(at, at + room);
            const bool all = room == rows[i].bytes;
            test_context("row %u, room for %u bytes", (unsigned)i, (unsigned)room);
            memset(at, UNTOUCHED, room);
            CHECK_EQ(rows[i].emit(&w), all ? ROCECC_OK : ROCECC_ERR_SPACE);
            CHECK_EQ(w.at, all ? room : 0);
            for (k = w.at; k < room; k++)
                CHECK_EQ(at[k], UNTOUCHED);
        }
}
