/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_L3QCN_TOR_LEARN_H
#define ROCECC_ROLE_L3QCN_TOR_LEARN_H

/*
 * l3qcn_tor_learn.h - the host side of an access ToR. It learns flows from hosts, and
 * removes flows that have expired or moved. draft-yu-tsvwg-l3qcn-00, 3.2.2, step 1.
 *
 *   a frame from a host
 *     | is it a private CNM ?          yes ---> SPOOFED: drop it           C1
 *     | CN-TAG, or learn_untagged ?    no ----> UNTAGGED
 *     | valid addresses, tags, flow ?  no ----> NO_FLOW, TOO_MANY_TAGS, BAD_STATION
 *     | known from this port ?         yes ---> LEARNED: REFRESHED, RELEARNED
 *     | port_flows already reached ?   yes ---> CROWDED                    S6
 *     | token left for this port ?     no ----> NEW_FLOWS_LIMITED          S5
 *     v
 *   LEARNED: LEARNED, REPLACED, EVICTED, RELEARNED from another port, or FULL
 *
 * Example: port_limit is 1,000 flows per second with a burst of 1,000, and port_flows
 * is 16,384. A host starts a new flow with each frame. The ToR learns 1,000 flows at
 * once and then 1,000 per second. Unless sweep() removes expired flows, the port has
 * 16,384 flows after 15.4 s, and learn() returns CROWDED for further flows. Other ports
 * can use the rest of the table.
 *
 * A port's flow count also includes expired flows. A flow is counted until sweep() or
 * forget() removes it, another flow takes its slot, or it is learned from another port.
 * The caller must call sweep(), because otherwise learn() keeps returning CROWDED for
 * new flows from a full port.
 */
#include "l3qcn_tor.h"

/*
 * Reads VLAN tag `index` into *origin. Returns false if this tag is missing. Tag 0, the
 * outermost tag, also provides the priority.
 */
ROCECC_FN bool rocecc_l3qcn_tor_read_tag_(const rocecc_packet *packet, int index,
                                          rocecc_flowtable_origin *origin)
{
    const rocecc_reader tag = rocecc_packet_vlan(packet, index);
    rocecc_reader r = rocecc_subrange(packet->bytes, tag.at - 2, tag.end);
    const uint8_t *b = rocecc_take(&r, 4);
    if (index >= packet->headers.n_vlan || b == NULL) return false;
    origin->tag[index].tpid = rocecc_load16(b);
    origin->tag[index].vid = rocecc_load16(b + 2) & 0xfff;
    if (index == 0) origin->prio = (uint8_t)(b[2] >> 5);
    origin->n_tags = (uint8_t)(index + 1);
    return true;
}

/*
 * Reads a frame that arrived at `port`, and writes the frame's flow and origin to
 * *entry. Unless the result is LEARNED, *entry may be partly written.
 */
ROCECC_FN rocecc_l3qcn_tor_learn_verdict rocecc_l3qcn_tor_read_origin_(
    const rocecc_l3qcn_tor_config *config, const rocecc_packet *packet, uint32_t port,
    rocecc_flowtable_entry *entry)
{
    rocecc_flowtable_origin *o = &entry->origin;
    const rocecc_headers *f = &packet->headers;
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    rocecc_reader cntag = rocecc_subrange(packet->bytes, f->cntag, packet->bytes.end);
    rocecc_reader r = packet->bytes;
    rocecc_cntag tag = {0};
    rocecc_ether ether;
    if (f->cntag != 0 && rocecc_cntag_parse(&cntag, &tag) != ROCECC_OK)
        return ROCECC_L3QCN_TOR_NO_FLOW;
    if (f->cntag == 0 && !config->learn_untagged) return ROCECC_L3QCN_TOR_UNTAGGED;
    if (ip->offset < packet->bytes.at + ROCECC_ETHER_BYTES ||
        rocecc_ether_parse(&r, &ether) != ROCECC_OK)
        return ROCECC_L3QCN_TOR_NO_FLOW;
    if (f->n_vlan > ROCECC_CNM_VLAN_MAX) return ROCECC_L3QCN_TOR_TOO_MANY_TAGS;
    if (!rocecc_l3qcn_tor_is_station_(&ether.src)) return ROCECC_L3QCN_TOR_BAD_STATION;
    o->mac_sa = ether.src;
    o->gw_mac = ether.dst;
    o->ingress_port = port;
    o->flow_id = tag.flow_id;
    if (rocecc_l3qcn_tor_read_tag_(packet, 0, o))
        (void)rocecc_l3qcn_tor_read_tag_(packet, 1, o);
    return rocecc_packet_flow(packet, &entry->flow) == ROCECC_OK
               ? ROCECC_L3QCN_TOR_LEARNED
               : ROCECC_L3QCN_TOR_NO_FLOW;
}

/* Decides whether a flow that is new to its port may be learned (S6, then S5). */
ROCECC_FN rocecc_l3qcn_tor_learn_verdict rocecc_l3qcn_tor_admit_(
    const rocecc_l3qcn_tor_config *config, const rocecc_l3qcn_tor_event *event)
{
    size_t i = event->port;
    ROCECC_BPF_KEEP_(i);
    if (config->unlimited) return ROCECC_L3QCN_TOR_LEARNED;
    if (i >= event->n_ports) return ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED;
    if (event->ports[i].flows >= config->port_flows) return ROCECC_L3QCN_TOR_CROWDED;
    return rocecc_tokenbucket_take(&config->port_limit, &event->ports[i].bucket, 1,
                                   event->admission.now_ns)
               ? ROCECC_L3QCN_TOR_LEARNED
               : ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED;
}

ROCECC_FN void rocecc_l3qcn_tor_count_flow_(const rocecc_l3qcn_tor_event *event,
                                            uint32_t port, bool gained)
{
    size_t i = port;
    ROCECC_BPF_KEEP_(i);
    if (i >= event->n_ports) return;
    if (gained)
        event->ports[i].flows++;
    else if (event->ports[i].flows > 0)
        event->ports[i].flows--;
}

/*
 * Adds a flow that is new to its port, and updates the flow counts of the ports. If the
 * flow is also new to the table, initialises the gate of its slot.
 */
ROCECC_FN rocecc_flowtable_learn_result rocecc_l3qcn_tor_add_flow_(
    const rocecc_l3qcn_tor_config *config, rocecc_l3qcn_tor *state,
    const rocecc_l3qcn_tor_event *event, const rocecc_flowtable_entry *entry)
{
    const rocecc_flowtable_learn_result act =
        rocecc_flowtable_learn(&config->table, &state->table, &event->memory, entry,
                               rocecc_l3qcn_tor_ms_(event->admission.now_ns));
    if (act.what == ROCECC_FLOWTABLE_FULL) return act;
    if (act.what != ROCECC_FLOWTABLE_LEARNED)
        rocecc_l3qcn_tor_count_flow_(event, act.port, false);
    rocecc_l3qcn_tor_count_flow_(event, event->port, true);
    if (event->gate != NULL && act.what <= ROCECC_FLOWTABLE_EVICTED)
        event->gate[act.slot] = rocecc_l3qcn_tor_gate_start(config); /* a new flow */
    return act;
}

/*
 * Learns the flow and the origin of an Ethernet frame from a host port. The caller must
 * call learn() before it routes the frame. The flow is the 5-tuple from
 * rocecc_packet_flow(), which for IP in IP is the inner packet's 5-tuple. The checks
 * run in the order of the figure at the top. The parser stops at a fourth VLAN tag, so
 * the verdict on a frame with 4 or more tags is UNTAGGED or NO_FLOW, even if the frame
 * is a private CNM. No token is taken for a flow that is known from this port, even if
 * the flow has expired. Returns the verdict and, after LEARNED, the table's outcome. If
 * this outcome is FULL, the flow is not in the table, and any token taken for it is
 * lost. Always counts the verdict in *state.
 */
ROCECC_FN rocecc_l3qcn_tor_learn_result
rocecc_l3qcn_tor_learn(const rocecc_l3qcn_tor_config *config, rocecc_l3qcn_tor *state,
                       const rocecc_packet *packet, const rocecc_l3qcn_tor_event *event)
{
    rocecc_l3qcn_tor_learn_result out = {
        ROCECC_L3QCN_TOR_SPOOFED, {ROCECC_FLOWTABLE_FULL, ROCECC_FLOWTABLE_NONE, 0}};
    rocecc_flowtable_entry came = ROCECC_ZERO;
    came.vrf = event->vrf;
    if (!rocecc_l3qcn_tor_is_l3qcn_(packet))
        out.what = rocecc_l3qcn_tor_read_origin_(config, packet, event->port, &came);
    if (out.what == ROCECC_L3QCN_TOR_LEARNED) {
        out.table =
            rocecc_flowtable_refresh(&config->table, &event->memory, &came,
                                     rocecc_l3qcn_tor_ms_(event->admission.now_ns));
        if (out.table.slot == ROCECC_FLOWTABLE_NONE)
            out.what = rocecc_l3qcn_tor_admit_(config, event);
        if (out.table.slot == ROCECC_FLOWTABLE_NONE &&
            out.what == ROCECC_L3QCN_TOR_LEARNED)
            out.table = rocecc_l3qcn_tor_add_flow_(config, state, event, &came);
    }
    state->learning_count[out.what]++;
    if (out.what == ROCECC_L3QCN_TOR_LEARNED) state->table_count[out.table.what]++;
    return out;
}

/*
 * Resets the gates of emptied slots, and subtracts the removed flows from the ports'
 * flow counts. Bit i of `slots` stands for slot i of the bucket. Returns the number of
 * emptied slots.
 */
ROCECC_FN uint32_t rocecc_l3qcn_tor_release_slots_(
    const rocecc_l3qcn_tor_config *config, const rocecc_l3qcn_tor_event *event,
    uint32_t bucket, uint8_t slots)
{
    uint32_t n = 0, slot, i;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
        if ((slots >> i & 1) == 0) continue;
        slot = bucket * ROCECC_FLOWTABLE_WAYS + i;
        rocecc_l3qcn_tor_count_flow_(
            event, event->memory.slot[slot].entry.origin.ingress_port, false);
        if (event->gate != NULL)
            event->gate[slot] = rocecc_l3qcn_tor_gate_start(config);
        n++;
    }
    return n;
}

/*
 * Removes the expired flows from the next bucket, and returns the number of removed
 * flows. The caller should call sweep() in idle time, often enough to visit every
 * bucket once per config.table.expiry_ms.
 */
ROCECC_FN uint32_t rocecc_l3qcn_tor_sweep(const rocecc_l3qcn_tor_config *config,
                                          rocecc_l3qcn_tor *state,
                                          const rocecc_l3qcn_tor_event *event)
{
    const uint32_t at = state->table.next & (config->table.buckets - 1);
    const rocecc_flowtable_bucket *b = &event->memory.bucket[at];
    uint16_t was[ROCECC_FLOWTABLE_WAYS];
    uint32_t slots = 0, i;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++)
        was[i] = b->mark[i];
    if (rocecc_flowtable_sweep(&config->table, &state->table, &event->memory,
                               rocecc_l3qcn_tor_ms_(event->admission.now_ns)) == 0)
        return 0;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++)
        if (was[i] != b->mark[i]) slots |= 1u << i;
    return rocecc_l3qcn_tor_release_slots_(config, event, at, (uint8_t)slots);
}

/*
 * Removes from one bucket all flows that match `filter`, even if they have not expired.
 * Returns the number of removed flows, or 0 if `bucket` is out of range. After a port
 * has gone down, a MAC address has moved or a VRF has been deleted, the caller must
 * call forget() for each bucket from 0 to config->table.buckets - 1. It must stop
 * learning the affected flows before the first of these calls (flowforget.h).
 */
ROCECC_FN uint32_t rocecc_l3qcn_tor_forget(const rocecc_l3qcn_tor_config *config,
                                           rocecc_l3qcn_tor *state,
                                           const rocecc_flowforget_filter *filter,
                                           const rocecc_l3qcn_tor_event *event,
                                           uint32_t bucket)
{
    if (bucket >= config->table.buckets) return 0;
    return rocecc_l3qcn_tor_release_slots_(
        config, event, bucket,
        rocecc_flowforget_step(filter, &state->table, &event->memory, bucket));
}

#endif /* ROCECC_ROLE_L3QCN_TOR_LEARN_H */
