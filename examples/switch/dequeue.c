/* SPDX-License-Identifier: BSD-2-Clause */

/* dequeue.c - adds IOAM and INT records to a packet that leaves the queue. */
#include "hook.h"

#include <string.h>

static const rocecc_telemetry_config units = {.queue_unit_bytes = 1};

static rocecc_hop hop_of(const hook_port *port, const hook_event *e)
{
    rocecc_hop h = {.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX |
                             ROCECC_HOP_TS};
    h.id = (uint64_t)port->with.node_id << 32 | port->with.egress;
    h.queue_bytes = e->queue_bytes;
    h.tx_bytes = e->sent_bytes;
    h.ts_ns = e->now_ns;
    return h;
}

/*
 * Moves headers into the headroom, to make room for splices that grow. Returns false,
 * and moves nothing, if the headroom is too small.
 */
static bool open_gaps(hook_buffer *b, const rocecc_edit *e)
{
    uint8_t *packet = b->base + b->at;
    size_t gap = 0, from = 0;
    int i;
    for (i = 0; i < e->n_splices; i++) {
        if (e->splice[i].new_bytes < e->splice[i].old_bytes)
            return false; /* a push never shrinks */
        gap += (size_t)e->splice[i].new_bytes - e->splice[i].old_bytes;
    }
    if (gap > b->at) return false;
    b->at -= gap;
    b->n += gap;
    for (i = 0; i < e->n_splices; i++) {
        const size_t to = (size_t)e->splice[i].offset + e->splice[i].old_bytes;
        memmove(packet + from - gap, packet + from, to - from);
        gap -= (size_t)e->splice[i].new_bytes - e->splice[i].old_bytes;
        from = to;
    }
    return true;
}

/* Carries out a plan. It was made from these bytes, so write() does not refuse it. */
static bool carry_out(hook_buffer *b, const rocecc_edit *e)
{
    uint8_t *at;
    if (!rocecc_edit_needs_action(e) || !open_gaps(b, e)) return false;
    at = b->base + b->at;
    return rocecc_edit_write(e, rocecc_writer_of(at, at + b->n)) == ROCECC_OK &&
           e->verdict == ROCECC_EDIT_CHANGE;
}

/* Writes to a trace with room, or adds to a trace that grows. */
static bool ioam(const hook_port *port, hook_buffer *b, const hook_event *e,
                 const rocecc_hop *h)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    uint8_t *at = b->base + b->at;
    rocecc_packet p;
    rocecc_ioam_node n;
    rocecc_edit plan;
    rocecc_edit_verdict verdict;
    rocecc_ip ip;
    if (!hook_walk(port, b, &p) ||
        rocecc_packet_ip(&p, rocecc_packet_outermost(&p), &ip) != ROCECC_OK)
        return false;
    rocecc_ioam_node_init(&n);
    rocecc_telemetry_ioam_store(&units, h, &n);
    (void)rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_INGRESS_ID, e->ingress);
    (void)rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, ip.hop_limit);
    verdict = rocecc_ioam_update(&p, rocecc_writer_of(at, at + b->n), &n, none);
    if (verdict != ROCECC_EDIT_NONE) return verdict == ROCECC_EDIT_CHANGE;
    (void)rocecc_ioam_push(&p, &n, none, port->with.mtu_bytes, &plan);
    return carry_out(b, &plan);
}

static bool intmd(const hook_port *port, hook_buffer *b, const hook_event *e,
                  const rocecc_hop *h)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_intmd_node n;
    rocecc_packet p;
    rocecc_edit plan;
    if (!hook_walk(port, b, &p)) return false;
    rocecc_intmd_node_init(&n);
    rocecc_telemetry_intmd_store(&units, h, &n);
    (void)rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_INGRESS_ID, e->ingress);
    (void)rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_QUEUE_ID, 0);
    (void)rocecc_intmd_push(&p, &n, none, port->with.mtu_bytes, &plan);
    return carry_out(b, &plan);
}

bool hook_dequeue(const hook_port *port, hook_buffer *b, const hook_event *e)
{
    const rocecc_hop h = hop_of(port, e);
    const bool traced = ioam(port, b, e, &h);
    return intmd(port, b, e, &h) || traced; /* ioam() may have moved the packet */
}
