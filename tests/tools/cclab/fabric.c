/* SPDX-License-Identifier: BSD-2-Clause */

/* fabric.c - tests the laboratory itself, independently of the scheme. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "claims.h"

#include <stdio.h>
#include <stdlib.h>

/* Lost packets are sent again, and each flow gets all its bytes once. */
TEST(go_back_n_delivers_all_bytes_despite_losses)
{
    lab_options o = usual();
    lab_result r;
    lab *l;
    uint32_t i;
    o.load = "incast";
    o.flows = 8;
    o.size_bytes = 200500; /* the last packet is shorter */
    o.buffer_bytes = 50000;
    o.duration = 100 * LAB_MS;
    l = ran(&lab_none, &o, &r);
    if (l == NULL) return;
    CHECK(r.drops > 100);
    CHECK_EQ(r.finished, 8);
    for (i = 0; i < l->n_flows; i++) {
        CHECK_EQ(l->flow[i].got, 200500);
        CHECK_EQ(l->flow[i].acked, 200500);
    }
    lab_free(l);
}

/* A full link carries its rate, with 1000 bytes of payload in 1102 bytes. */
TEST(goodput_is_the_rate_minus_headers)
{
    lab_options o = usual();
    lab_result r;
    o.flows = 1;
    r = result_of(&lab_none, &o);
    CHECK(r.goodput_bps > 100 * GBPS / 1102 * 1000 / 100 * 99);
    CHECK(r.goodput_bps < 100 * GBPS / 1102 * 1000 / 100 * 101);
    CHECK(r.utilisation_ppm > 999000 && r.utilisation_ppm <= 1000100);
    CHECK(r.queue_most_bytes < 3 * 1102);
    CHECK_EQ(r.drops + r.marks + r.pauses + r.notifications, 0);
}

/* A flow of 100 packets alone takes a round trip and 101 to 104 packet times. */
TEST(a_single_flow_takes_an_rtt_and_its_packet_times)
{
    lab_options o = usual();
    lab_result r;
    const lab_ps bytes_ps = (UINT64_C(100) + 4) * 1102 * 80; /* 80 ps per byte */
    o.load = "incast";
    o.flows = 1;
    o.size_bytes = 100000;
    r = result_of(&lab_none, &o);
    CHECK_EQ(r.finished, 1);
    CHECK(r.fct_p50 > o.rtt + bytes_ps / 104 * 101);
    CHECK(r.fct_p50 < o.rtt + bytes_ps);
}

/* Runs a scheme with these lines as its load file. */
static lab_result loaded(const lab_scheme *s, lab_options o, const char *lines)
{
    char name[] = "/tmp/cclab.XXXXXX";
    const int fd = mkstemp(name);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    lab_result r;
    memset(&r, 0, sizeof r);
    CHECK(f != NULL);
    if (f == NULL) return r;
    CHECK(fputs(lines, f) >= 0);
    CHECK(fclose(f) == 0);
    o.load = name;
    r = result_of(s, &o);
    (void)remove(name);
    return r;
}

/*
 * A flow with a full window of two packets at time 0 waits for an ACK. It does not try
 * again and again.
 */
TEST(a_flow_with_a_full_window_waits_for_an_ack)
{
    lab_options o = usual();
    lab_result r;
    o.rate_bps = GBPS;
    r = loaded(&lab_ldcp, o, "0 0 0 0\n");
    CHECK(r.events < 100000 && r.goodput_bps > GBPS / 10);
}

/*
 * churn takes about half of the bottleneck's rate in each topology, with either size.
 */
TEST(churn_uses_about_half_of_the_bottleneck_rate)
{
    int i;
    for (i = 0; i < 2 * LAB_TOPOLOGIES; i++) {
        lab_options o = usual();
        lab_result r;
        o.topology = (lab_topology)(i % LAB_TOPOLOGIES);
        o.load = "churn";
        o.size_bytes = i < LAB_TOPOLOGIES ? 0 : 30000;
        o.flows = i < LAB_TOPOLOGIES ? 1500 : 4000;
        o.duration = 100 * LAB_MS;
        test_context("%s, %u bytes", lab_topologies[o.topology].name,
                     (unsigned)o.size_bytes);
        r = result_of(&lab_none, &o);
        CHECK_EQ(r.finished, o.flows);
        CHECK(r.utilisation_ppm > 460000 && r.utilisation_ppm < 640000);
    }
}

/* A finished flow counts as finished, and fairness counts only endless flows. */
TEST(fairness_counts_only_endless_flows)
{
    const lab_options o = usual();
    const lab_result r =
        loaded(&lab_hpcc_int, o, "0 0 0 0\n10 1 0 1000000\n3000 2 0 0\n");
    CHECK_EQ(r.finished, 1);
    CHECK(r.jain_ppm > 500000 && r.jain_ppm <= 1000000); /* of two flows */
    CHECK(r.utilisation_ppm > 900000 && r.utilisation_ppm <= 1000000);
    /* The third flow's reaction counts from its start, 3 ms after congestion. */
    CHECK(r.reaction < 100 * LAB_US);
}

/* Rates need not be whole megabits per second. */
TEST(rates_need_not_be_whole_megabits_per_second)
{
    lab_options o = usual();
    lab_result r;
    o.rate_bps = 1999000;
    o.rtt = LAB_MS;
    o.flows = 2;
    o.duration = 10000 * LAB_MS;
    r = result_of(&lab_none, &o);
    CHECK(r.utilisation_ppm > 990000 && r.utilisation_ppm < 1001000);
    CHECK(r.queue_p99_bytes >= r.queue_mean_bytes);
    CHECK(r.queue_p99_bytes <= r.queue_most_bytes);
}

TEST(the_same_seed_gives_the_same_run)
{
    int i;
    for (i = 0; lab_schemes[i] != NULL; i++) {
        lab_options o = usual();
        lab_result a, b, c;
        lab *l, *m;
        o.duration = LAB_MS / 2;
        if (lab_schemes[i] == &lab_l3qcn) o.topology = LAB_CLOS;
        test_context("%s", lab_schemes[i]->name);
        l = ran(lab_schemes[i], &o, &a);
        m = ran(lab_schemes[i], &o, &b);
        if (l == NULL || m == NULL) continue;
        CHECK(a.events > 10000);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
        CHECK(memcmp(l->sample, m->sample, sizeof l->sample) == 0);
        o.seed = 2;
        c = result_of(lab_schemes[i], &o);
        CHECK(memcmp(&a, &c, sizeof a) != 0);
        lab_free(l);
        lab_free(m);
    }
}

/* ---- signals, found by parsing every frame */

typedef struct seen {
    uint64_t frames, broken, ce, cnp, fast, tunnels, cnm, private, pfc, arn, ioam, ifa,
        intmd, csig;
} seen;

static void look(lab *l, const lab_port *port, const lab_packet *p)
{
    seen *s = l->tap_to;
    const rocecc_headers *f;
    const rocecc_headers_ip *ip;
    rocecc_packet q;
    rocecc_fastcnp h;
    (void)port;
    (void)rocecc_packet_parse(&lab_domain, lab_view(p), &q);
    f = &q.headers;
    ip = rocecc_packet_outermost(&q);
    s->frames++;
    s->broken += f->status != ROCECC_OK && f->status != ROCECC_NO_MATCH;
    s->tunnels += f->outer.version == 6;
    s->cnp += rocecc_cnp_match(&q) && f->ip.n_ext == 0;
    s->fast += rocecc_cnp_match(&q) && rocecc_fastcnp_find(&q, &h) == ROCECC_OK;
    s->private += rocecc_l3qcn_match(&q);
    s->arn += f->udp != 0 && rocecc_load16(p->b + f->udp + 2) == 51967;
    s->ifa += f->ifa != 0;
    s->intmd += f->intmd != 0;
    s->csig += f->csig != 0;
    s->ioam += f->kind == ROCECC_PACKET_KIND_ROCEV2 && f->ip.n_ext != 0 &&
               !rocecc_cnp_match(&q);
    s->cnm += p->n > 22 && (rocecc_load16(p->b + 12) == 0x22e7 ||
                            rocecc_load16(p->b + 16) == 0x22e7);
    s->pfc += rocecc_load16(p->b + 12) == 0x8808;
    if (ip->version == 6) s->ce += (p->b[ip->offset + 1] >> 4 & 3) == ROCECC_ECN_CE;
}

static seen seen_of(const lab_scheme *s, const lab_options *o)
{
    lab *l = lab_new(s, o);
    seen n;
    memset(&n, 0, sizeof n);
    CHECK(l != NULL);
    if (l == NULL) return n;
    l->tap = look;
    l->tap_to = &n;
    lab_run(l, o->duration);
    lab_free(l);
    test_context("%s", s->name);
    CHECK(n.frames > 1000);
    CHECK_EQ(n.broken, 0);
    return n;
}

/*
 * Each scheme's own signals are on the wire. The other schemes' signals that are
 * checked are not.
 */
TEST(each_scheme_puts_its_own_signals_on_the_wire)
{
    lab_options o = usual();
    seen n;
    o.duration = LAB_MS / 5;
    n = seen_of(&lab_none, &o);
    CHECK_EQ(n.ce + n.cnp + n.fast + n.cnm + n.pfc + n.ioam + n.ifa + n.intmd + n.csig,
             0);
    n = seen_of(&lab_dcqcn, &o);
    CHECK(n.ce > 0 && n.cnp > 0);
    CHECK_EQ(n.fast + n.cnm + n.private + n.pfc + n.tunnels, 0);
    n = seen_of(&lab_fastcnp, &o);
    CHECK(n.fast > 0);
    CHECK_EQ(n.ce + n.cnp, 0);
    n = seen_of(&lab_qcn, &o);
    CHECK(n.cnm > 0);
    CHECK_EQ(n.ce + n.cnp + n.private, 0);
    n = seen_of(&lab_pfc, &o);
    CHECK(n.pfc > 0);
    n = seen_of(&lab_arn, &o);
    CHECK(n.arn > 0);
    CHECK_EQ(n.pfc + n.ce, 0);
    n = seen_of(&lab_hpcc_int, &o);
    CHECK(n.intmd > 0);
    n = seen_of(&lab_hpcc_ioam, &o);
    CHECK(n.ioam > 0);
    n = seen_of(&lab_hpcc_ifa, &o);
    CHECK(n.ifa > 0);
    n = seen_of(&lab_hpcc_csig, &o);
    CHECK(n.csig > 0);
    o.topology = LAB_CLOS;
    n = seen_of(&lab_l3qcn, &o);
    CHECK(n.private > 0 && n.cnm > 0);
    CHECK(n.cnm <= n.private);
    CHECK_EQ(n.ce + n.cnp, 0);
}

/*
 * Counts frames, tunnelled frames and tunnelled Fast CNPs. Checks that hosts send
 * nothing in a tunnel.
 */
static void look_for_tunnels(lab *l, const lab_port *port, const lab_packet *p)
{
    seen *s = l->tap_to;
    rocecc_packet q;
    const lab_node *from = port->node;
    (void)rocecc_packet_parse(&lab_domain, lab_view(p), &q);
    s->frames++;
    s->tunnels += q.headers.outer.version == 6;
    if (!from->is_switch) CHECK_EQ(q.headers.outer.version, 0);
    s->fast += q.headers.outer.version == 6 && rocecc_cnp_match(&q);
}

TEST(wan_switches_tunnel_packets_and_hosts_do_not)
{
    lab_options o = usual();
    lab *l;
    seen n;
    memset(&n, 0, sizeof n);
    o.topology = LAB_WAN;
    o.flows = 2;
    o.rate_bps = 10 * GBPS;
    o.rtt = 4 * LAB_MS;
    o.duration = 10 * LAB_MS;
    l = lab_new(&lab_fastcnp, &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    l->tap = look_for_tunnels;
    l->tap_to = &n;
    lab_run(l, o.duration);
    CHECK(n.tunnels > n.frames / 3);
    CHECK(n.fast > 0);
    CHECK(l->flow[0].got > 0 && l->flow[0].acked > 0);
    lab_free(l);
}

static uint32_t links_to(const lab_node *from, bool switches)
{
    uint32_t i, n = 0;
    for (i = 0; i < from->n_ports; i++)
        n += from->port[i].peer->node->is_switch == switches;
    return n;
}

/*
 * Each of four ToRs has five hosts and two leaves, each leaf two ToRs and two spines,
 * and each spine four leaves. The first ToR has another host, which may forge.
 */
TEST(testbed_has_four_tors_four_leaves_two_spines)
{
    lab_options o = usual();
    lab *l;
    uint32_t i;
    o.topology = LAB_TESTBED;
    l = lab_new(&lab_none, &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    CHECK_EQ(l->n_receivers, 20);
    CHECK_EQ(l->n_nodes, 20 + 1 + 10);
    for (i = 21; i < l->n_nodes; i++) {
        const lab_node *sw = l->node[i];
        test_context("switch %u", (unsigned)i - 21);
        CHECK_EQ(links_to(sw, false), i == 21 ? 6 : i < 25 ? 5 : 0);
        CHECK_EQ(links_to(sw, true), i < 25 ? 2 : 4);
        /* The first host's ToR and its pod's leaves have one path to it. The other
           switches have two. */
        CHECK_EQ(sw->n_routes[0], i == 21 || i == 25 || i == 26 ? 1 : 2);
    }
    lab_free(l);
}
