/* SPDX-License-Identifier: BSD-2-Clause */

/* fabric.c - nodes and their addresses, forwarding in switches, and topologies. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

static const rocecc_ip6 base = {{0x20, 1, 0x0d, 0xb8}};

/* ---- nodes and addresses */

static lab_node *node_new(lab *l, bool is_switch)
{
    lab_node *node = lab_get(1, sizeof *node);
    if (l->n_nodes == LAB_NODES) abort();
    node->port = lab_get(is_switch ? LAB_NODES : 1, sizeof *node->port);
    node->is_switch = is_switch;
    if (is_switch) {
        node->route = lab_get(LAB_NODES, sizeof *node->route);
        node->n_routes = lab_get(LAB_NODES, 1);
    }
    node->index = l->n_nodes;
    node->clock_ns = UINT64_C(1000000000000); /* so that it may step back */
    node->mac.b[0] = 2;
    rocecc_store32(node->mac.b + 2, node->index);
    node->ip = base;
    node->ip.b[5] = is_switch; /* 2001:db8:1::/48 for switches */
    rocecc_store32(node->ip.b + 12, node->index);
    l->node[l->n_nodes++] = node;
    if (!is_switch) l->n_hosts = l->n_nodes;
    return node;
}

lab_node *lab_node_of(lab *l, const uint8_t *last32)
{
    const uint32_t i = rocecc_load32(last32);
    return i < l->n_nodes ? l->node[i] : NULL;
}

/* Returns a SID of an edge, for data tunnels or for Fast CNPs (END.CON). */
static rocecc_ip6 sid_of(const lab_node *edge, uint8_t which)
{
    rocecc_ip6 sid = edge->ip;
    sid.b[7] = which;
    return sid;
}
#define SID_DATA 1
#define SID_END_CON 2

rocecc_writer lab_ether(lab_packet *p, const lab_node *from)
{
    rocecc_ether h = {{{0}}, {{0}}, ROCECC_TYPE_IPV6};
    rocecc_writer w = lab_room(p);
    h.src = from->mac;
    if (!from->is_switch) h.dst = from->port[0].peer->node->mac;
    (void)rocecc_ether_emit(&w, &h);
    return w;
}

/* ---- switches */

/* Adds n bytes before the IP header, or removes -n bytes. */
static void shift(lab_packet *p, int n)
{
    uint8_t *ip = p->b + ROCECC_ETHER_BYTES;
    const size_t rest = p->n - ROCECC_ETHER_BYTES;
    if ((int)p->n + n > LAB_HEAD_BYTES) abort();
    if (n < 0)
        memmove(ip, ip - n, rest - (size_t)-n);
    else
        memmove(ip + n, ip, rest);
    p->n = (uint32_t)((int)p->n + n);
}

/* Adds outer headers towards the other edge. If the edge does not forward the packet,
 * the packet is unchanged. */
static void into_tunnel(const lab_node *edge, lab_packet *p)
{
    const rocecc_ip6 sid = sid_of(edge->other_edge, SID_DATA);
    const int before = ROCECC_IPV6_BYTES + ROCECC_SRH_BYTES + 16;
    rocecc_srv6_pe_config c;
    rocecc_srv6_pe_path way;
    rocecc_srv6_pe_ingress_result out;
    rocecc_writer w;
    memset(&c, 0, sizeof c);
    c.end_con = sid_of(edge, SID_END_CON);
    c.copy_dscp = true;
    way.policy = rocecc_reader_of(sid.b, sid.b + 16);
    way.flow_label = rocecc_load16(p->b + p->f.udp);
    way.mtu_bytes = 0;
    shift(p, before);
    w = lab_room(p);
    rocecc_srv6_pe_push(
        &c, rocecc_subrange(lab_view(p), (size_t)(ROCECC_ETHER_BYTES + before), p->n),
        &way, &w, &out);
    if (out.verdict != ROCECC_SRV6_PE_FORWARD) shift(p, -before);
    lab_locate(p);
}

/*
 * Decapsulates a packet to a SID of the edge, and leaves other packets unchanged.
 * Returns false if the packet must be dropped. The edge drops cut packets, so it gets a
 * copy with room for the payload.
 */
static bool out_of_tunnel(lab *l, const lab_node *edge, lab_packet *p)
{
    uint8_t whole[LAB_HEAD_BYTES + LAB_MTU_MAX + ROCECC_ICRC_BYTES];
    const rocecc_ip6 sid = sid_of(edge, SID_DATA);
    const rocecc_packet came = rocecc_packet_attach(
        &lab_domain, rocecc_reader_of(whole, whole + p->n + p->payload), &p->f);
    const rocecc_writer w = rocecc_writer_of(whole, whole + p->n);
    rocecc_srv6_pe_config c;
    rocecc_srv6_pe_result out;
    memset(&c, 0, sizeof c);
    c.end_con = sid_of(edge, SID_END_CON);
    memcpy(whole, p->b, p->n);
    rocecc_srv6_pe_egress(&sid, &came, w, &out);
    if (out.verdict == ROCECC_SRV6_PE_OTHER)
        rocecc_srv6_pe_end_con(&c, &l->access, &came, w, &out);
    if (out.verdict == ROCECC_SRV6_PE_OTHER) return true;
    if (out.verdict != ROCECC_SRV6_PE_FORWARD) return false;
    memcpy(p->b, whole, p->n);
    shift(p, ROCECC_ETHER_BYTES - (int)out.tunnel.inner.at);
    lab_locate(p);
    return true;
}

/* Returns the IP header that nodes on the path use. */
static const rocecc_headers_ip *outermost(const lab_packet *p)
{
    return p->f.outer.version != 0 ? &p->f.outer : &p->f.ip;
}

/* Looks up the outermost IPv6 destination. For other frames, looks up the MAC at a
 * bridge, and returns NULL at a router. */
static lab_node *destination(lab *l, const lab_packet *p)
{
    const rocecc_headers_ip *ip = outermost(p);
    if (ip->version == 6 && p->n >= (uint32_t)ip->offset + ROCECC_IPV6_BYTES)
        return lab_node_of(l, p->b + ip->offset + 36);
    return l->routed || p->n < 6 ? NULL : lab_node_of(l, p->b + 2);
}

static unsigned class_of(const lab_packet *p)
{
    const rocecc_headers_ip *ip = outermost(p);
    const uint8_t *b = p->b + ip->offset;
    if (ip->version != 6) return LAB_CONTROL;
    return ((b[0] & 0xf) << 2 | b[1] >> 6) >= 48 ? LAB_CONTROL : LAB_DATA;
}

/* Chooses a port of equal cost by flow and switch, or at random for sprayed data. */
static lab_port *next_port(lab *l, lab_node *from, const lab_node *to,
                           const lab_packet *p)
{
    const uint32_t n = from->n_routes[to->index];
    uint32_t hash = p->f.udp != 0 ? rocecc_load16(p->b + p->f.udp) : 0;
    hash ^= from->index << 8;
    hash = ((hash ^ hash >> 7) * 0x85ebca6bu >> 13) + l->detour;
    if (l->o->spray && n > 1 && lab_is_data(p)) hash = lab_random(l) >> 16;
    return n == 0 ? NULL : &from->port[from->route[to->index][hash % n]];
}

/* Sets the MAC addresses, and lowers the hop limit of a packet that arrived. Returns
 * false if the hop limit reaches 0. */
static bool route(const lab_port *port, lab_packet *p)
{
    const rocecc_headers_ip *ip = outermost(p);
    rocecc_mac_store(p->b, &port->peer->node->mac);
    rocecc_mac_store(p->b + 6, &port->node->mac);
    if (p->in == NULL) return true;
    return --p->b[ip->offset + 7] != 0;
}

rocecc_ecn lab_ecn(const lab_packet *p)
{
    return (rocecc_ecn)(p->b[outermost(p)->offset + 1] >> 4 & 3);
}

rocecc_wred_verdict lab_wred(lab *l, const lab_packet *p, uint64_t queue_bytes)
{
    if (!lab_is_data(p)) return ROCECC_WRED_PASS;
    return rocecc_wred_decide(&l->wred, (uint32_t)queue_bytes, lab_ecn(p),
                              lab_random(l));
}

uint64_t lab_queue_with(const lab_port *port, const lab_packet *p)
{
    return port->queue[LAB_DATA].bytes + p->n + p->payload;
}

bool lab_wred_queue(lab *l, lab_port *port, lab_packet *p)
{
    return lab_wred(l, p, lab_queue_with(port, p)) != ROCECC_WRED_DROP;
}

void lab_wred_mark(lab *l, lab_port *port, lab_packet *p, uint64_t queue_bytes)
{
    const rocecc_packet met = lab_located(p);
    if (lab_wred(l, p, queue_bytes) == ROCECC_WRED_MARK &&
        rocecc_congestion_point_mark(&met, lab_room(p)))
        port->count.marks++;
}

bool lab_wred_marks(const lab *l)
{
    const rocecc_wred_curve *k = &l->wred.mark;
    if (rocecc_wred_find_reach(&l->wred, (uint32_t)l->o->buffer_bytes) !=
        ROCECC_WRED_REACH_NONE)
        return true;
    return lab_refuse(l,
                      "wred.mark.min_bytes of %s is above --buffer %s, so no packet "
                      "would be marked",
                      lab_text('b', k->min_bytes), lab_text('b', l->o->buffer_bytes));
}

/* Returns false if a fault, a full buffer or a scheme drops the packet. The scheme may
 * mark the packet, or send a notification. */
static bool admit(lab *l, lab_port *port, lab_packet *p)
{
    const lab_scheme *s = lab_scheme_of(l, p);
    if (lab_trouble_drops(l, port, p) ||
        lab_queued(port) + p->n + p->payload > l->o->buffer_bytes)
        return false;
    if (s == NULL) return true;
    if (s->queue != NULL && !s->queue(l, port, p)) return false;
    if (s->mark != NULL && l->o->mark_at == LAB_ARRIVAL)
        s->mark(l, port, p, lab_queue_with(port, p));
    return !l->o->pfc || lab_pfc.queue(l, port, p);
}

/* Returns true if a host sent a packet with a source other than its own. */
static bool is_spoofed(const lab_packet *p)
{
    const lab_node *from = p->in != NULL ? p->in->peer->node : NULL;
    return from != NULL && !from->is_switch && p->f.ip.version == 6 &&
           memcmp(p->b + p->f.ip.offset + 8, from->ip.b, 16) != 0;
}

static void switch_forward(lab *l, lab_node *from, lab_packet *p)
{
    lab_node *to = NULL;
    lab_port *port = NULL;
    const bool filtered = !l->o->unfiltered && !l->o->open;
    if (filtered && is_spoofed(p))
        l->spoofed++;
    else if (from->other_edge == NULL || out_of_tunnel(l, from, p))
        to = destination(l, p);
    if (to != NULL) port = next_port(l, from, to, p);
    if (port != NULL && from->other_edge != NULL && port->peer->node->is_switch &&
        p->f.outer.version == 0)
        into_tunnel(from, p);
    if (port == NULL || (l->routed && !route(port, p))) {
        lab_packet_free(l, p);
    } else if (!admit(l, port, p)) {
        port->count.drops++;
        lab_packet_free(l, p);
    } else {
        lab_enqueue(l, port, class_of(p), p);
    }
}

void lab_forward(lab *l, lab_node *from, lab_packet *p)
{
    lab_locate(p);
    if (from->is_switch)
        switch_forward(l, from, p);
    else
        lab_enqueue(l, &from->port[0], class_of(p), p);
}

void lab_notify(lab *l, lab_node *from, lab_packet *p, const rocecc_writer *w)
{
    p->n = (uint32_t)w->at;
    p->in = NULL;
    l->notifications++;
    lab_forward(l, from, p);
}

/* Returns true if PFC or a scheme takes the packet. */
static bool ends_here(lab *l, lab_node *node, lab_packet *p)
{
    uint32_t i;
    if (l->o->pfc && lab_pfc.arrive(l, node, p)) return true;
    for (i = 0; i < l->n_parts; i++)
        if (l->part[i].s->arrive != NULL && l->part[i].s->arrive(l, node, p))
            return true;
    return false;
}

void lab_receive(lab *l, lab_node *node, lab_packet *p)
{
    if (!node->is_switch)
        lab_host_receive(l, node, p);
    else if (ends_here(l, node, p))
        lab_packet_free(l, p);
    else
        switch_forward(l, node, p);
}

/* ---- topologies */

/* Finds the shortest paths to a node, from it outwards through switches. Each switch
 * gets at most LAB_ROUTES of them. */
static void routes_to(lab *l, uint32_t to)
{
    uint32_t far[LAB_NODES], queue[LAB_NODES], n = 1, i, k;
    memset(far, 0xff, sizeof far);
    far[to] = 0;
    queue[0] = to;
    for (i = 0; i < n; i++) {
        const lab_node *at = l->node[queue[i]];
        for (k = 0; k < at->n_ports; k++) {
            lab_node *next = at->port[k].peer->node;
            uint8_t *count = next->is_switch ? &next->n_routes[to] : NULL;
            if (!next->is_switch) continue;
            if (far[next->index] == UINT32_MAX) {
                far[next->index] = far[at->index] + 1;
                queue[n++] = next->index;
            }
            if (far[next->index] == far[at->index] + 1 && *count < LAB_ROUTES)
                next->route[to][(*count)++] = (uint8_t)at->port[k].peer->index;
        }
    }
}

/* Returns the port towards a neighbour, or NULL. */
static lab_port *port_to(lab_node *from, const lab_node *to)
{
    uint32_t i;
    for (i = 0; i < from->n_ports; i++)
        if (from->port[i].peer->node == to) return &from->port[i];
    return NULL;
}

/* Fills the lists of switches (of all nodes if senders are open) and hosts. */
static void domain(lab *l)
{
    uint32_t at;
    l->access_entry[0].prefix = base;
    l->access_entry[0].prefix.b[5] = l->o->open ? 0 : 1;
    l->access_entry[0].length = l->o->open ? 32 : 48;
    l->access_entry[0].permit = 1;
    l->hosts_entry[0].prefix = base;
    l->hosts_entry[0].length = 48;
    l->hosts_entry[0].permit = 1;
    if (rocecc_acl_init(&l->access, l->access_entry, 1, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_acl_init(&l->hosts, l->hosts_entry, 1, &at) != ROCECC_ACL_ACCEPTED)
        abort();
}

/* Returns the rate of a host's link. */
static uint64_t rate_of(const lab *l, uint32_t host)
{
    return host < l->first_receiver || l->mutual ? l->line_bps : l->o->rate_bps;
}

const struct lab_topology_name lab_topologies[LAB_TOPOLOGIES] = {
    {"star", "to one receiver through one switch", 0, 0, 0},
    {"dumbbell", "between pairs of hosts over one link", 0, 0, 0},
    {"clos", "to one receiver through leaves and spines", 0, 0, 0},
    {"wan", "through an SRv6 tunnel of a wide area", 0, 0, 0},
    {"fattree", "through a fat tree of 16 hosts", 16, 4, 4},
    {"testbed", "through four ToRs, four leaves and two spines", 20, 2, 2}};

#define SWITCHES 20

/*
 * Links three layers of switches. Pod p has ToRs 2 p and 2 p + 1 and two leaves. Two
 * spines are linked to all leaves. Of four spines, two are linked to one leaf of each
 * pod, and two to the other.
 */
static void three_layers(const lab *l, lab_node **sw)
{
    const lab_options *o = l->o;
    const struct lab_topology_name *t = &lab_topologies[o->topology];
    const uint32_t hosts_per_tor = t->hosts / (2 * t->pods);
    lab_node **const leaf = sw + 2 * t->pods, **const spine = sw + 4 * t->pods;
    uint32_t i;
    for (i = 0; i < t->hosts; i++)
        lab_link(l->node[i], sw[i / hosts_per_tor], rate_of(l, i), o->rtt / 12);
    for (i = 0; i < 4 * t->pods; i++)
        lab_link(sw[i / 2], leaf[i / 4 * 2 + i % 2], o->rate_bps, o->rtt / 12);
    for (i = 0; i < 4 * t->pods; i++)
        lab_link(leaf[i / 2], spine[i / 2 % (t->spines / 2) * 2 + i % 2], o->rate_bps,
                 o->rtt / 12);
}

static bool needs_bridges(const lab *l)
{
    uint32_t i;
    for (i = 0; i < l->n_parts; i++)
        if (l->part[i].s->bridged) return true;
    return false;
}

/*
 * Adds senders, receivers, a host that may forge, and switches, in this order. If hosts
 * both send and receive, their number is the topology's, or else `senders`.
 */
void lab_build(lab *l, uint32_t senders, uint32_t receivers)
{
    const lab_options *o = l->o;
    const struct lab_topology_name *t = &lab_topologies[o->topology];
    const uint32_t n = t->hosts != 0 ? t->hosts
                       : l->mutual   ? senders
                                     : senders + receivers;
    const uint32_t switches = t->pods != 0 ? 4 * t->pods + t->spines : 6;
    lab_node *sw[SWITCHES];
    uint32_t i;
    if (l->mutual) senders = 0;
    if (l->mutual) receivers = n;
    for (i = 0; i < n; i++)
        (void)node_new(l, false);
    l->attacker = node_new(l, false);
    l->first_receiver = senders;
    l->n_receivers = receivers;
    l->routed = !needs_bridges(l);
    for (i = 0; i < switches; i++)
        sw[i] = node_new(l, true);
    switch (o->topology) {
    case LAB_STAR:
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[0], rate_of(l, i), o->rtt / 4);
        l->bottleneck = port_to(sw[0], l->node[senders]);
        break;
    case LAB_DUMBBELL: /* one shared link */
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[i < (l->mutual ? n / 2 : senders) ? 0 : 1],
                     rate_of(l, i), o->rtt / 6);
        lab_link(sw[0], sw[1], o->rate_bps, o->rtt / 6);
        l->bottleneck = port_to(sw[0], sw[1]);
        break;
    case LAB_CLOS: /* senders at three leaves, receivers at one, or hosts at all four */
        for (i = 0; i < n; i++)
            lab_link(l->node[i],
                     sw[l->mutual     ? (i + 3) % 4
                        : i < senders ? i % 3
                                      : 3],
                     rate_of(l, i), o->rtt / 8);
        for (i = 0; i < 8; i++)
            lab_link(sw[i % 4], sw[4 + i / 4], 4 * o->rate_bps, o->rtt / 8);
        l->bottleneck = port_to(sw[3], l->node[senders]);
        l->routed = true;
        break;
    case LAB_FATTREE:
    case LAB_TESTBED:
        three_layers(l, sw);
        l->bottleneck = port_to(sw[0], l->node[0]);
        l->routed = true;
        break;
    default: /* wan: PE, P, P, PE, with congestion at the P near the senders */
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[i < senders ? 0 : 3], rate_of(l, i), o->rtt / 1000);
        lab_link(sw[0], sw[1], 2 * senders * o->rate_bps, o->rtt / 16);
        lab_link(sw[1], sw[2], o->rate_bps, o->rtt / 4);
        lab_link(sw[2], sw[3], 2 * senders * o->rate_bps,
                 o->rtt / 2 - o->rtt / 16 - o->rtt / 4 - o->rtt / 500);
        l->bottleneck = port_to(sw[1], sw[2]);
        sw[0]->other_edge = sw[3];
        sw[3]->other_edge = sw[0];
        l->routed = true;
        break;
    }
    lab_link(l->attacker, sw[0], o->rate_bps, o->rtt / 1000);
    for (i = 0; i < l->n_nodes; i++)
        routes_to(l, i);
    domain(l);
}
