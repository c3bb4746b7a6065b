/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_L3QCN_TOR_LEARN_H
#define ROCECC_ROLE_L3QCN_TOR_LEARN_H

/*
 * l3qcn_tor_learn.h - the access ToR's side to its hosts: whose frames it remembers,
 * and when it forgets them. draft-yu-tsvwg-l3qcn-00, 3.2.2, step 1.
 *
 *   a frame from a host
 *     | is it a private CNM ?          yes ---> SPOOF: drop it             C1
 *     | with a CN-TAG, or asked for ?  no ----> UNTAGGED
 *     | with addresses, tags, a flow ? no ----> NO_FLOW, TAGS, STATION
 *     | known from this port ?         yes ---> LEARNED: REFRESHED, RELEARNED
 *     | has the port too many ?        yes ---> CROWDED                    S6
 *     | has it a token left ?          no ----> LIMITED                    S5
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

/* VLAN tag i of a packet, if it has one. */
ROCECC_FN bool rocecc_l3qcn_tor_tag_(const rocecc_packet *p, int i,
                                     rocecc_flowtable_origin *o)
{
    const rocecc_reader tag = rocecc_packet_vlan(p, i);
    rocecc_reader r = rocecc_between(p->bytes, tag.at - 2, tag.end);
    const uint8_t *b = rocecc_take(&r, 4);
    if (i >= p->where.n_vlan || b == NULL) return false;
    o->tag[i].tpid = rocecc_load16(b);
    o->tag[i].vid = rocecc_load16(b + 2) & 0xfff;
    if (i == 0) o->prio = (uint8_t)(b[2] >> 5);
    o->n_tags = (uint8_t)(i + 1);
    return true;
}

/* Where a flow comes from, or why that cannot be said. */
ROCECC_FN rocecc_l3qcn_tor_learning
rocecc_l3qcn_tor_origin_(const rocecc_l3qcn_tor_config *c, const rocecc_packet *p,
                         uint32_t port, rocecc_flowtable_entry *came)
{
    rocecc_flowtable_origin *o = &came->origin;
    const rocecc_where *f = &p->where;
    const rocecc_where_ip *ip = rocecc_packet_outermost(p);
    rocecc_reader cntag = rocecc_between(p->bytes, f->cntag, p->bytes.end);
    rocecc_reader r = p->bytes;
    rocecc_cntag tag = {0};
    rocecc_ether ether;
    if (f->cntag != 0 && rocecc_cntag_parse(&cntag, &tag) != ROCECC_OK)
        return ROCECC_L3QCN_TOR_NO_FLOW;
    if (f->cntag == 0 && !c->learn_untagged) return ROCECC_L3QCN_TOR_UNTAGGED;
    if (ip->at < p->bytes.at + ROCECC_ETHER_BYTES ||
        rocecc_ether_parse(&r, &ether) != ROCECC_OK)
        return ROCECC_L3QCN_TOR_NO_FLOW;
    if (f->n_vlan > ROCECC_CNM_VLAN_MAX) return ROCECC_L3QCN_TOR_TAGS;
    if (!rocecc_l3qcn_tor_is_station_(&ether.src)) return ROCECC_L3QCN_TOR_STATION;
    o->mac_sa = ether.src;
    o->gw_mac = ether.dst;
    o->ingress_port = port;
    o->flow_id = tag.flow_id;
    if (rocecc_l3qcn_tor_tag_(p, 0, o)) (void)rocecc_l3qcn_tor_tag_(p, 1, o);
    return rocecc_packet_flow(p, &came->flow) == ROCECC_OK ? ROCECC_L3QCN_TOR_LEARNED
                                                           : ROCECC_L3QCN_TOR_NO_FLOW;
}

/* S5 and S6, of a flow that is new to its port: LEARNED, or why it is not. */
ROCECC_FN rocecc_l3qcn_tor_learning rocecc_l3qcn_tor_admit_(
    const rocecc_l3qcn_tor_config *c, const rocecc_l3qcn_tor_event *e)
{
    size_t i = e->port;
    ROCECC_BPF_KEEP_(i);
    if (c->unlimited) return ROCECC_L3QCN_TOR_LEARNED;
    if (i >= e->n_ports) return ROCECC_L3QCN_TOR_LIMITED;
    if (e->ports[i].flows >= c->port_flows) return ROCECC_L3QCN_TOR_CROWDED;
    return rocecc_tokenbucket_take(&c->port_limit, &e->ports[i].bucket, 1, e->now_ns)
               ? ROCECC_L3QCN_TOR_LEARNED
               : ROCECC_L3QCN_TOR_LIMITED;
}

/* A port has one flow more, or one fewer. */
ROCECC_FN void rocecc_l3qcn_tor_count_(const rocecc_l3qcn_tor_event *e, uint32_t port,
                                       bool more)
{
    size_t i = port;
    ROCECC_BPF_KEEP_(i);
    if (i >= e->n_ports) return;
    if (more)
        e->ports[i].flows++;
    else if (e->ports[i].flows > 0)
        e->ports[i].flows--;
}

/* A flow that is new to its port: what the table says of it, and who gave way. */
ROCECC_FN rocecc_flowtable_action rocecc_l3qcn_tor_add_(
    const rocecc_l3qcn_tor_config *c, rocecc_l3qcn_tor *s,
    const rocecc_l3qcn_tor_event *e, const rocecc_flowtable_entry *came)
{
    const rocecc_flowtable_action act = rocecc_flowtable_learn(
        &c->table, &s->table, &e->memory, came, rocecc_l3qcn_tor_ms_(e->now_ns));
    if (act.what == ROCECC_FLOWTABLE_FULL) return act;
    if (act.what != ROCECC_FLOWTABLE_LEARNED)
        rocecc_l3qcn_tor_count_(e, act.port, false);
    rocecc_l3qcn_tor_count_(e, e->port, true);
    if (e->gate != NULL && act.what <= ROCECC_FLOWTABLE_EVICTED)
        e->gate[act.slot] = rocecc_cnpgate_start(&c->gate); /* another flow */
    return act;
}

/*
 * An Ethernet frame came in at a host's port: before it is routed. Its flow is
 * rocecc_packet_flow()'s; fragments but the first, and what is not IP, teach nothing.
 * What is known from this port costs no token.
 */
ROCECC_FN rocecc_l3qcn_tor_learned
rocecc_l3qcn_tor_learn(const rocecc_l3qcn_tor_config *c, rocecc_l3qcn_tor *s,
                       const rocecc_packet *p, const rocecc_l3qcn_tor_event *e)
{
    rocecc_l3qcn_tor_learned out = {ROCECC_L3QCN_TOR_SPOOF,
                                    {ROCECC_FLOWTABLE_FULL, ROCECC_FLOWTABLE_NONE, 0}};
    rocecc_flowtable_entry came = ROCECC_ZERO;
    came.vrf = e->vrf;
    if (!rocecc_l3qcn_tor_is_one_(p))
        out.what = (uint8_t)rocecc_l3qcn_tor_origin_(c, p, e->port, &came);
    if (out.what == ROCECC_L3QCN_TOR_LEARNED) {
        out.table = rocecc_flowtable_refresh(&c->table, &e->memory, &came,
                                             rocecc_l3qcn_tor_ms_(e->now_ns));
        if (out.table.slot == ROCECC_FLOWTABLE_NONE)
            out.what = (uint8_t)rocecc_l3qcn_tor_admit_(c, e);
        if (out.table.slot == ROCECC_FLOWTABLE_NONE &&
            out.what == ROCECC_L3QCN_TOR_LEARNED)
            out.table = rocecc_l3qcn_tor_add_(c, s, e, &came);
    }
    s->learning_count[out.what]++;
    if (out.what == ROCECC_L3QCN_TOR_LEARNED) s->table_count[out.table.what]++;
    return out;
}

/* These slots of a bucket were emptied: their gates and ports, too. How many. */
ROCECC_FN uint32_t rocecc_l3qcn_tor_gone_(const rocecc_l3qcn_tor_config *c,
                                          const rocecc_l3qcn_tor_event *e, uint32_t at,
                                          uint8_t slots)
{
    uint32_t n = 0, slot, i;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
        if ((slots >> i & 1) == 0) continue;
        slot = at * ROCECC_FLOWTABLE_WAYS + i;
        rocecc_l3qcn_tor_count_(e, e->memory.slot[slot].entry.origin.ingress_port,
                                false);
        if (e->gate != NULL) e->gate[slot] = rocecc_cnpgate_start(&c->gate);
        n++;
    }
    return n;
}

/* rocecc_flowtable_sweep() of the next bucket: in idle time. How many flows went. */
ROCECC_FN uint32_t rocecc_l3qcn_tor_sweep(const rocecc_l3qcn_tor_config *c,
                                          rocecc_l3qcn_tor *s,
                                          const rocecc_l3qcn_tor_event *e)
{
    const uint32_t at = s->table.next & (c->table.buckets - 1);
    const rocecc_flowtable_bucket *b = &e->memory.bucket[at];
    uint16_t was[ROCECC_FLOWTABLE_WAYS];
    uint32_t slots = 0, i;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++)
        was[i] = b->mark[i];
    if (rocecc_flowtable_sweep(&c->table, &s->table, &e->memory,
                               rocecc_l3qcn_tor_ms_(e->now_ns)) == 0)
        return 0;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++)
        if (was[i] != b->mark[i]) slots |= 1u << i;
    return rocecc_l3qcn_tor_gone_(c, e, at, (uint8_t)slots);
}

/* rocecc_flowforget_step() of bucket `at`, of 0 to buckets - 1. How many flows went. */
ROCECC_FN uint32_t rocecc_l3qcn_tor_forget(const rocecc_l3qcn_tor_config *c,
                                           rocecc_l3qcn_tor *s,
                                           const rocecc_flowforget *f,
                                           const rocecc_l3qcn_tor_event *e, uint32_t at)
{
    if (at >= c->table.buckets) return 0;
    return rocecc_l3qcn_tor_gone_(c, e, at,
                                  rocecc_flowforget_step(f, &s->table, &e->memory, at));
}

#endif /* ROCECC_ROLE_L3QCN_TOR_LEARN_H */
