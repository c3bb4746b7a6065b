/* SPDX-License-Identifier: BSD-2-Clause */

/* telemetry.c - a source inserts an IOAM trace, a node fills it, the end reads it. */
#include "rocecc/packet/ioam.h"
#include "rocecc/telemetry/path.h"

#include <stdio.h>
#include <string.h>

#include "data.h"

#define HOPS 5
#define RATE_BPS 100000000000u

static const rocecc_domain domain = {.link = ROCECC_LINK_IP, .ioam.namespace_id = 123};
static const rocecc_telemetry_config units = {.rate_bps = RATE_BPS,
                                              .queue_unit_bytes = 80};
static uint8_t bytes[512]; /* the packet, in place at each node */
static size_t n = sizeof data;

static rocecc_packet located(void)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(bytes, bytes + n), &p);
    return p;
}

/* Inserts a trace with room for the HPCC++ data of HOPS nodes. */
static bool insert(void)
{
    rocecc_ioam_source s = ROCECC_ZERO;
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    const rocecc_packet p = located();
    rocecc_edit plan;
    s.namespace_id = 123;
    s.trace_type = ROCECC_IOAM_TYPE_HPCC;
    s.words = HOPS * 5;
    if (rocecc_ioam_insert(&p, &s, 1500, &plan) != ROCECC_EDIT_CHANGE) return false;
    w.at = n; /* the packet is already in the buffer */
    if (rocecc_edit_apply(&plan, &w) != ROCECC_OK) return false;
    n = w.at;
    return true;
}

/* Writes a node's data. 40,000 bytes wait at its port. */
static bool update(void)
{
    rocecc_hop hop = ROCECC_ZERO;
    const rocecc_packet p = located();
    rocecc_ioam_node node;
    hop.id = 7;
    hop.queue_bytes = 40000;
    hop.ts_ns = 3000;
    hop.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS;
    rocecc_ioam_node_init(&node);
    rocecc_telemetry_ioam_store(&units, &hop, &node);
    return rocecc_ioam_update(&p, rocecc_writer_of(bytes, bytes + n), &node,
                              rocecc_reader_of(NULL, NULL)) == ROCECC_EDIT_CHANGE;
}

int main(void)
{
    rocecc_hop hops[HOPS];
    rocecc_telemetry_path path;
    rocecc_ioam_option option;
    rocecc_ioam_view view;
    rocecc_packet p;
    memcpy(bytes, data, sizeof data);
    if (rocecc_telemetry_init(&units) != ROCECC_OK || !insert() || !update()) return 1;

    /* The end reads the hops, the first node first, in bytes, ns and bit/s. */
    p = located();
    if (rocecc_ioam_find(&p, &option) != ROCECC_OK ||
        rocecc_ioam_view_parse(&domain.ioam, &option, &view) != ROCECC_OK ||
        rocecc_telemetry_ioam_path(&units, &view, hops, HOPS, &path) != ROCECC_OK)
        return 1;
    printf("%u hop, %u bytes wait\n", (unsigned)path.n, (unsigned)hops[0].queue_bytes);
    return path.n != 1 || hops[0].queue_bytes != 40000 || hops[0].rate_bps != RATE_BPS;
}
