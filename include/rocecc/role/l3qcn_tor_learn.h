/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_L3QCN_TOR_LEARN_H
#define ROCECC_ROLE_L3QCN_TOR_LEARN_H

/*
 * l3qcn_tor_learn.h - the access ToR's side to its hosts: whose frames it remembers,
 * and when it forgets them. draft-yu-tsvwg-l3qcn-00, 3.2.2, step 1.
 *
 *   a frame from a host
 *     | is it a private CNM ?          yes ---> SPOOFED: drop it           C1
 *     | with a CN-TAG, or asked for ?  no ----> UNTAGGED
 *     | with addresses, tags, a flow ? no ----> NO_FLOW, TOO_MANY_TAGS, BAD_STATION
 *     | known from this port ?         yes ---> LEARNED: REFRESHED, RELEARNED
 *     | has the port too many ?        yes ---> CROWDED                    S6
 *     | has it a token left ?          no ----> NEW_FLOWS_LIMITED          S5
 *     v
 *   LEARNED: LEARNED, REPLACED, EVICTED, RELEARNED from another port, or FULL
 *
 * Example: port_limit has 1,000 a second, and a burst of 1,000; port_flows is 16,384. A
 * host that makes up a flow with each frame fills its burst at once, 1,000 more a
 * second, and after 15.4 s has 16,384. From then on it is CROWDED, whether or not it
 * keeps them alive, and all other ports have the rest of the table.
 *
 * A flow counts for its port until sweep(), forget() or another flow takes its slot: a
 * host that never calls sweep() has ports that stay CROWDED with what has expired.
 */
#include "l3qcn_tor.h"

/* VLAN tag index of a packet, if it has one. */
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

/* Where a flow comes from, or why that cannot be said. */
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

/* S5 and S6, of a flow that is new to its port: LEARNED, or why it is not. */
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

/* A port has one flow more, or one fewer. */
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

/* A flow that is new to its port: what the table says of it, and who gave way. */
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
        event->gate[act.slot] = rocecc_l3qcn_tor_gate_start(config); /* another flow */
    return act;
}

/*
 * An Ethernet frame came in at a host's port: before it is routed. Its flow is
 * rocecc_packet_flow()'s; fragments but the first, and what is not IP, teach nothing.
 * What is known from this port costs no token.
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

/* These slots of a bucket were emptied: their gates and ports, too. How many. */
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

/* rocecc_flowtable_sweep() of the next bucket: in idle time. How many flows went. */
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
 * rocecc_flowforget_step() of bucket `bucket`, of 0 to buckets - 1. How many flows
 * went.
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
