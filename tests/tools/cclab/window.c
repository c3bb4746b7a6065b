/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * window.c - tests HPCC++ with each telemetry format, and LDCP. "Model" is a model of
 * both in real arithmetic, with one 100 Gb/s bottleneck and 1000-byte packets without
 * headers.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PPM 1000000

static const lab_scheme *const hpcc[] = {&lab_hpcc_int, &lab_hpcc_ioam, &lab_hpcc_ifa,
                                         &lab_hpcc_csig};
#define HOPS 3 /* number of formats with hops */

static bool near(uint64_t a, uint64_t b, uint64_t ppm)
{
    const uint64_t off = a > b ? a - b : b - a;
    return off * PPM <= b * ppm;
}

static bool between(uint64_t low, uint64_t a, uint64_t high)
{
    return low <= a && a <= high;
}

static void say(const lab_scheme *s, const lab_options *o, const lab_result *r)
{
    test_context(
        "%s, %u flows: goodput %llu Mb/s, utilisation %llu ppm, queue %llu / "
        "%llu / %llu bytes, Jain %llu ppm",
        s->name, (unsigned)o->flows, (unsigned long long)(r->goodput_bps / 1000000),
        (unsigned long long)r->utilisation_ppm, (unsigned long long)r->queue_mean_bytes,
        (unsigned long long)r->queue_p99_bytes, (unsigned long long)r->queue_most_bytes,
        (unsigned long long)r->jain_ppm);
}

static lab_result said(const lab_scheme *s, const lab_options *o)
{
    const lab_result r = result_of(s, o);
    say(s, o, &r);
    return r;
}

/*
 * 16 to 1 at 100 Gb/s. Li et al., SIGCOMM 2019, 5.2 and 5.3, report almost no queue
 * (median 0, 99 % below about 20 KB) at the target utilisation, but MBs with DCQCN.
 * Here HPCC++ has 94 to 98 %, 15 KB and no loss, with the authors' parameters. DCQCN's
 * longest queue is over 4 times as long, and its mean queue over 100 times.
 */
TEST(hpcc_has_a_shorter_queue_than_dcqcn_with_16_flows)
{
    lab_options o = usual();
    lab_result h, d;
    o.duration = 50 * LAB_MS;
    d = said(&lab_dcqcn, &o);
    h = said(&lab_hpcc_int, &o);
    CHECK(between(940000, h.utilisation_ppm, 980000));
    CHECK(h.queue_p99_bytes < 15000 && h.drops == 0);
    CHECK(h.jain_ppm > 980000);
    CHECK(d.queue_mean_bytes > 100 * h.queue_mean_bytes);
    CHECK(d.queue_most_bytes > 4 * h.queue_most_bytes);
    CHECK(h.reacted == 16 && h.reaction < d.reaction);
}

/*
 * The rows are the model's utilisation, mean and 99 % queue, and Jain's index. Its
 * queue includes the packet on the link, and packets here have a seventh more bytes, so
 * the mean is (mean - 950) 8/7, to 30 % and 200 bytes. The 99 % queue is at most 30 %
 * longer than the model's, and Jain's index at most 0.02 lower. Utilisation agrees to
 * 1.5 %, because a new rate counts one packet late in the model, which costs 60 flows
 * 1.4 %.
 */
TEST(hpcc_matches_the_model)
{
    static const struct {
        uint32_t flows;
        uint64_t utilisation_ppm, mean, p99, jain_ppm;
    } rows[] = {{1, 951000, 1000, 1000, 1000000},
                {2, 947000, 1200, 2000, 1000000},
                {16, 947000, 2500, 6000, 986000},
                {60, 962000, 4800, 12000, 998000}};
    unsigned i, k;
    for (i = 0; i < 4; i++)
        for (k = 0; k < HOPS; k++) {
            const uint64_t mean = (rows[i].mean - 950) * 8 / 7;
            lab_options o = usual();
            lab_result r;
            o.flows = rows[i].flows;
            r = said(hpcc[k], &o);
            CHECK(near(r.utilisation_ppm, rows[i].utilisation_ppm, 15000));
            CHECK(r.queue_mean_bytes <= mean * 13 / 10 + 200);
            CHECK(r.queue_mean_bytes + 200 >= mean * 7 / 10);
            CHECK(r.queue_p99_bytes <= rows[i].p99 * 13 / 10);
            CHECK(r.jain_ppm + 20000 >= rows[i].jain_ppm);
            CHECK_EQ(r.drops, 0);
        }
}

/*
 * All flows start at line rate. In the model, the queue is at most 16 BDP. It has
 * drained after 194 us, of which sending takes 126. Here both are 8/7 as large, to 20
 * %, and a queue below 15 KB has drained. In papers, HPCC drains an incast in about a
 * round trip more than sending takes.
 */
TEST(hpcc_drains_its_first_burst)
{
    lab_options o = usual();
    lab *l = lab_new(&lab_hpcc_ifa, &o);
    uint64_t us;
    CHECK(l != NULL);
    if (l == NULL) return;
    lab_run(l, 50 * LAB_US);
    for (us = 50; us < 1000 && lab_queued(l->bottleneck) >= 15000; us++)
        lab_run(l, us * LAB_US);
    test_context("%llu us, %llu bytes", (unsigned long long)us,
                 (unsigned long long)l->bottleneck->count.most_bytes);
    CHECK(near(l->bottleneck->count.most_bytes, 1580000 * 8 / 7, 200000));
    CHECK(near(us, 194 * 8 / 7, 200000));
    lab_free(l);
}

/*
 * With a small W_AI flows become fair slowly, and a large one builds a queue (HPCC,
 * 5.4). With 25, 80 and 300 bytes the model uses 93.9, 94.7 and 97.7 % of the link, and
 * Jain's index is 0.955, 0.986 and 1.000. Here the link use agrees to 1.5 %.
 */
TEST(hpcc_with_a_larger_W_AI_is_fairer_and_queues_more)
{
    static const uint64_t bytes[3] = {25, 80, 300}, model[3] = {939000, 947000, 977000};
    lab_result r[3];
    unsigned i;
    for (i = 0; i < 3; i++) {
        lab_options o = usual();
        o.ai_bps = bytes[i] * UINT64_C(8000000000) / 8400;
        r[i] = said(&lab_hpcc_ifa, &o);
        CHECK(near(r[i].utilisation_ppm, model[i], 15000));
    }
    CHECK(r[0].jain_ppm < r[1].jain_ppm && r[1].jain_ppm < r[2].jain_ppm);
    CHECK(r[2].jain_ppm > 999000);
    CHECK(r[0].utilisation_ppm < r[1].utilisation_ppm &&
          r[1].utilisation_ppm < r[2].utilisation_ppm);
    CHECK(r[1].queue_mean_bytes * 6 / 5 < r[2].queue_mean_bytes);
}

/* Returns the mean bytes of a packet on a link. */
static uint64_t frame_of(const lab_port *port)
{
    return port->count.wire_bytes / port->count.packets;
}

/*
 * Runs a scheme. For each flow, writes its bytes at the bottleneck in the second half,
 * and the sum of its windows at every 10 us of that time. Both are in bytes of the
 * bottleneck's link, where packets of IFA and INT-MD are longer than at the sender. The
 * last element is the sum of all flows.
 */
static lab_result rates(const lab_scheme *s, const lab_options *o, uint64_t *bytes,
                        uint64_t *window)
{
    lab *l = lab_new(s, o);
    lab_result r;
    lab_ps t;
    uint32_t i;
    memset(&r, 0, sizeof r);
    memset(bytes, 0, (o->flows + 1) * sizeof *bytes);
    memset(window, 0, (o->flows + 1) * sizeof *window);
    if (l == NULL) return r;
    for (t = o->duration / 2; t < o->duration; t += 10 * LAB_US) {
        lab_run(l, t);
        for (i = 0; i < o->flows; i++)
            window[i] += l->flow[i].window_bytes;
    }
    lab_run(l, o->duration);
    for (i = 0; i < o->flows; i++) {
        const lab_flow *x = &l->flow[i];
        bytes[i] = (x->got - x->got_before) / LAB_MTU * frame_of(l->bottleneck);
        window[i] = window[i] * frame_of(l->bottleneck) / frame_of(&x->from->port[0]);
        bytes[o->flows] += bytes[i];
        window[o->flows] += window[i];
    }
    r = lab_results(l);
    lab_free(l);
    return r;
}

/*
 * Formats with the same information give the same rates (draft-miao-ccwg-hpcc-info-03,
 * 2). IOAM and IFA have sent bytes and queue, and INT-MD has load instead of bytes.
 * With W_AI 300, flows are equal in the model. Utilisation and the sums of bytes and
 * windows agree to 2 %, and queues to 2000 bytes. Each flow's bytes and windows agree
 * only to 8 %, because packets arrive in another order. INT-MD's queue is a packet
 * longer, because load covers 2 us, and bytes the time between ACKs.
 */
static void same_rates(lab_topology topology)
{
    uint64_t bytes[HOPS][17], window[HOPS][17];
    lab_result r[HOPS];
    lab_options o = usual();
    unsigned k, i;
    o.topology = topology;
    o.ai_bps = UINT64_C(285714285);
    for (k = 0; k < HOPS; k++)
        r[k] = rates(hpcc[k], &o, bytes[k], window[k]);
    for (k = 1; k < HOPS; k++) {
        say(hpcc[k], &o, &r[k]);
        CHECK(near(r[k].utilisation_ppm, r[0].utilisation_ppm, 20000));
        CHECK(between(r[0].queue_mean_bytes, r[k].queue_mean_bytes + 2000,
                      r[0].queue_mean_bytes + 4000));
        for (i = 0; i < 17; i++) {
            CHECK(near(bytes[k][i], bytes[0][i], i == 16 ? 20000 : 80000));
            CHECK(near(window[k][i], window[0][i], i == 16 ? 20000 : 80000));
        }
    }
}

TEST(formats_with_the_same_information_give_the_same_rates)
{
    same_rates(LAB_STAR);
    same_rates(LAB_DUMBBELL);
    same_rates(LAB_CLOS);
}

/*
 * CSIG reports one of 32 buckets of the worst hop's load or queue. No text states its
 * cost. It keeps HPCC's 90 % and 15 KB. Compared with formats with hops, it uses 1 to 4
 * % less of the link (measured: 2.1 %) and is less fair (0.971, not 0.996), but shorter
 * packets carry more payload.
 */
TEST(csig_costs_about_2_percent_of_the_link)
{
    const lab_options o = usual();
    const lab_result r = said(&lab_hpcc_int, &o), c = said(&lab_hpcc_csig, &o);
    CHECK(c.utilisation_ppm > 900000 && c.queue_p99_bytes < 15000 && c.drops == 0);
    CHECK(between(10000, r.utilisation_ppm - c.utilisation_ppm, 40000));
    CHECK(c.jain_ppm > 950000 && c.jain_ppm < r.jain_ppm);
    CHECK(c.goodput_bps > r.goodput_bps);
}

/*
 * In LDCP's model the link is full, with 2, 8 and 32 flows. The queue (mean / 99 %) is
 * 21 / 25, 27 / 33 and 41 / 59 KB, and Jain's index 0.998, 0.997 and 0.993. Queues
 * agree to 15 %, because frames are a ninth longer but bounds in bytes are not. Jain's
 * index is less than 0.01 lower. Only the first 0.1 ms has drops.
 */
TEST(ldcp_has_a_short_queue_with_few_flows)
{
    static const struct {
        uint32_t flows;
        uint64_t mean, p99, jain_ppm;
    } rows[] = {{2, 21000, 25000, 998000},
                {8, 27000, 33000, 997000},
                {32, 41000, 59000, 993000}};
    unsigned i;
    for (i = 0; i < 3; i++) {
        lab_options o = usual();
        lab_result r;
        uint64_t drops;
        lab *l;
        o.flows = rows[i].flows;
        l = lab_new(&lab_ldcp, &o);
        if (l == NULL) return;
        lab_run(l, LAB_MS / 10);
        drops = l->bottleneck->count.drops;
        lab_run(l, o.duration);
        r = lab_results(l);
        say(&lab_ldcp, &o, &r);
        CHECK(r.utilisation_ppm > 995000);
        CHECK(near(r.queue_mean_bytes, rows[i].mean, 150000));
        CHECK(r.queue_p99_bytes < 70000 &&
              near(r.queue_p99_bytes, rows[i].p99, 150000));
        CHECK(r.jain_ppm + 10000 > rows[i].jain_ppm);
        CHECK(drops > 0 && r.drops == drops);
        lab_free(l);
    }
}

/*
 * A single flow is not marked, and cw_max is not set (ldcp.h, G3). Its packets wait for
 * its NIC and not for the window, so the window hardly grows (G17). It is 98 packets
 * and IW is 92. The window must be below IW + 10.
 */
TEST(ldcp_window_hardly_grows_while_the_nic_limits_the_flow)
{
    lab_options o = usual();
    lab_result r;
    lab *l;
    o.flows = 1;
    o.duration = 20 * LAB_MS;
    l = ran(&lab_ldcp, &o, &r);
    if (l == NULL) return;
    say(&lab_ldcp, &o, &r);
    CHECK(r.utilisation_ppm > 995000 && r.queue_most_bytes < 3000);
    CHECK(l->flow[0].at.ldcp.s.cw_q32 >> 32 < l->part[0].ldcp.iw_packets + 10);
    lab_free(l);
}

static int larger(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* Returns the share of the fastest twentieth of the flows, in thousandths. */
static uint64_t top_share(const lab *l)
{
    static uint64_t got[LAB_FLOWS];
    uint64_t top = 0, all = 1;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++)
        got[i] = l->flow[i].got - l->flow[i].got_before;
    qsort(got, l->n_flows, sizeof *got, larger);
    for (i = 0; i < l->n_flows; i++) {
        all += got[i];
        if (i < l->n_flows / 20) top += got[i];
    }
    return top * 1000 / all;
}

/* Counts the flows with a window below a packet. */
static uint32_t small(const lab *l)
{
    uint32_t n = 0, i;
    for (i = 0; i < l->n_flows; i++)
        n += l->flow[i].at.ldcp.s.cw_q32 < ROCECC_LDCP_ONE_Q32;
    return n;
}

/*
 * With 128 flows and gamma 1/4, the model has 96.6 % (to 3 %), 50 / 99 KB (to 15 %),
 * Jain's index 0.83 (to 0.05), and 63 % of windows below one packet (to 10 of 100). The
 * parentheses have the tolerance here.
 */
TEST(ldcp_windows_fall_below_a_packet)
{
    lab_options o = usual();
    lab_result r;
    lab *l;
    as_models_do(&o);
    o.flows = 128;
    set(&o, "ldcp.gamma_q16=16384");
    l = ran(&lab_ldcp, &o, &r);
    if (l == NULL) return;
    say(&lab_ldcp, &o, &r);
    CHECK(near(r.utilisation_ppm, 966000, 30000));
    CHECK(near(r.queue_mean_bytes, 50000, 150000));
    CHECK(near(r.queue_p99_bytes, 99000, 150000));
    CHECK(near(r.jain_ppm, 830000, 60000));
    CHECK(between(128 * 53 / 100, small(l), 128 * 73 / 100));
    lab_free(l);
}

/*
 * With 256 flows and gamma 1/4, the model has 95 %, 57 / 123 KB, and 10 % of the
 * traffic in the fastest twentieth of the flows. With 1/16 it has 92 %, Jain's index
 * 0.13, and 51 % there. This holds to 4 %, 15 % (99 %: 20 %), and 9 of 51 (five seeds:
 * 55 to 59). With gamma 1/4 flows are fairer here (0.99 instead of 0.89). The cure is a
 * window that grows without a step at one packet. The twentieth then has 8 % in
 * ldcp.h's loop, in slots of rotating order, and 13 % here, where flows keep their
 * phases. It must have less than half of its former share, with more than 95 % of the
 * link in use.
 */
TEST(ldcp_is_unfair_with_a_small_gamma_unless_continuous)
{
    lab_options o = usual();
    lab_result quarter, r;
    lab *l;
    uint64_t top;
    as_models_do(&o);
    o.flows = 256;
    quarter = said(&lab_ldcp, &o);
    CHECK(near(quarter.utilisation_ppm, 950000, 40000));
    CHECK(near(quarter.queue_mean_bytes, 57000, 150000));
    CHECK(near(quarter.queue_p99_bytes, 123000, 200000)); /* bins are an eighth wide */
    CHECK(quarter.jain_ppm > 890000);
    set(&o, "ldcp.gamma_q16=4096");
    l = ran(&lab_ldcp, &o, &r);
    if (l == NULL) return;
    say(&lab_ldcp, &o, &r);
    top = top_share(l);
    CHECK(between(430, top, 600));
    CHECK(near(r.utilisation_ppm, 920000, 40000));
    CHECK(near(r.queue_mean_bytes, 39000, 150000) && r.jain_ppm < 250000);
    lab_free(l);
    set(&o, "ldcp.continuous=1");
    l = ran(&lab_ldcp, &o, &r);
    if (l == NULL) return;
    say(&lab_ldcp, &o, &r);
    CHECK(top_share(l) * 2 < top && r.utilisation_ppm > 950000);
    lab_free(l);
}

/* ---- short flows */

/* Returns a lab of LDCP with these lines as load file. */
static lab *loaded(lab_options *o, const char *lines)
{
    char path[] = "/tmp/cclab-XXXXXX";
    const int f = mkstemp(path);
    lab *l = NULL;
    if (f >= 0 && write(f, lines, strlen(lines)) == (ssize_t)strlen(lines)) {
        o->load = path;
        l = lab_new(&lab_ldcp, o);
        o->load = "file";
    }
    if (f >= 0) (void)close(f);
    (void)unlink(path);
    CHECK(l != NULL);
    return l;
}

/*
 * Returns the time to send n packets of 1110 bytes at 100 Gb/s and get their ACK, with
 * 0.2 us for the ACK.
 */
static lab_ps one_round(uint64_t n)
{
    return 8 * LAB_US + (n + 1) * 88800 + 200000;
}

/*
 * A flow of up to IW packets, about a BDP, sends all at once and ends in one round trip
 * (draft-dai-tsvwg-pfc-free-congestion-control-00, 2.3). A window that starts at one
 * packet and doubles takes six for 32 packets, and seven for 90.
 */
TEST(ldcp_finishes_short_flows_in_one_round_trip)
{
    lab_options o = usual();
    unsigned i;
    lab *l;
    o.flows = 4;
    l = loaded(&o, "0 0 0 1000\n100 1 0 8000\n200 2 0 32000\n300 3 0 90000\n");
    if (l == NULL) return;
    lab_run(l, LAB_MS);
    CHECK_EQ(l->unfinished, 0);
    for (i = 0; i < 4; i++) {
        const lab_flow *x = &l->flow[i];
        CHECK(x->end - x->start < one_round(x->bytes / LAB_MTU));
        CHECK(x->end - x->start > 8 * LAB_US);
    }
    CHECK_EQ(l->bottleneck->count.drops, 0);
    lab_free(l);
}

#define LONG "0 0 0 0\n200 1 0 0\n"

/*
 * Returns a lab with two endless flows. From 1 to 3 ms, each of `senders` hosts starts
 * a flow of n packets every 50 us.
 */
static lab *with_short(lab_options *o, unsigned n, unsigned senders)
{
    static char lines[20000];
    unsigned us, k;
    int at = snprintf(lines, sizeof lines, LONG);
    for (us = 1000; us < 3000 && n != 0; us += 50)
        for (k = 0; k < senders; k++)
            at += snprintf(lines + at, sizeof lines - (size_t)at, "%u %u 0 %u\n", us,
                           2 + k, n * LAB_MTU);
    return loaded(o, lines);
}

/* Counts the packets that the endless flows have sent again. */
static uint64_t again(const lab *l)
{
    uint64_t n = 0, i;
    for (i = 0; i < 2; i++) {
        const lab_port *nic = &l->flow[i].from->port[0];
        const lab_packet *p;
        for (p = nic->queue[LAB_DATA].first; p != NULL; p = p->next)
            n++;
        n += nic->count.packets - l->flow[i].sent / LAB_MTU;
    }
    return n;
}

/*
 * Returns the endless flows' bytes from 1 to 3 ms. Sets *repeated to their packets sent
 * again.
 */
static uint64_t got_after(lab *l, uint64_t *repeated)
{
    uint64_t got, before;
    lab_run(l, LAB_MS);
    before = again(l);
    got = l->flow[0].got + l->flow[1].got;
    lab_run(l, 3 * LAB_MS);
    *repeated = again(l) - before;
    return l->flow[0].got + l->flow[1].got - got;
}

/*
 * Two flows fill the link with a queue of at most 25 KB. A flow of 8 packets beside
 * them stays below the 40 KB that drop packets of a first round trip, and ends within a
 * round trip and the time of 40 KB. The goodput of the two flows falls only by the
 * others' bytes, to 3 %. If 8 flows send 64 packets at once, some are dropped, but the
 * two flows send none twice. Each short flow's last packet arrives and shows the loss,
 * so none waits for its timer of 2 ms.
 */
TEST(ldcp_short_flows_do_not_hurt_running_flows)
{
    const lab_ps most = one_round(8) + 40000 * 80;
    lab_options o = usual();
    uint64_t alone = 0, with = 0, repeated = 0;
    uint32_t i;
    lab *l;
    o.flows = 10;
    l = with_short(&o, 0, 0);
    if (l == NULL) return;
    alone = got_after(l, &repeated);
    lab_free(l);
    l = with_short(&o, 8, 1);
    if (l == NULL) return;
    with = got_after(l, &repeated);
    CHECK_EQ(l->n_flows, 42);
    for (i = 2; i < l->n_flows; i++)
        CHECK(l->flow[i].end != 0 && l->flow[i].end - l->flow[i].start < most);
    CHECK_EQ(repeated, 0);
    CHECK(near(with + UINT64_C(40) * 8 * LAB_MTU, alone, 30000));
    lab_free(l);
    l = with_short(&o, 8, 8);
    if (l == NULL) return;
    with = l->bottleneck->count.drops;
    (void)got_after(l, &repeated);
    CHECK(l->bottleneck->count.drops > with);
    CHECK_EQ(repeated, 0);
    lab_run(l, 7 * LAB_MS / 2);
    for (i = 2; i < l->n_flows; i++)
        CHECK(l->flow[i].end != 0 && l->flow[i].end - l->flow[i].start < LAB_MS / 2);
    lab_free(l);
}

/* ---- faults */

/*
 * Checks that windows and rates keep their bounds, W_AI (80 bytes) and W_max in HPCC++,
 * and gamma and cw_max in LDCP, that acknowledged bytes have arrived, and that all
 * flows progress.
 */
static void in_bounds(const lab *l)
{
    const bool ldcp = l->part[0].s == &lab_ldcp;
    const uint64_t most =
        ldcp ? l->part[0].ldcp.cw_max_q32 >> 22 : l->part[0].hpcc.w_max_bytes;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        CHECK(x->least_window_bytes >= (ldcp ? 256 : 80));
        CHECK(x->most_window_bytes <= most);
        CHECK(x->most_bps <= l->o->rate_bps);
        CHECK(ldcp || x->least_bps >= UINT64_C(80) * 8000000 / 8400 * 1000);
        CHECK(x->acked <= x->got);
        CHECK(x->got > x->got_before);
    }
}

static void faulty(const lab_scheme *s, lab_options o, const lab_result *well)
{
    lab_result r;
    lab *l = ran(s, &o, &r);
    if (l == NULL) return;
    say(s, &o, &r);
    in_bounds(l);
    CHECK(r.goodput_bps * 10 > well->goodput_bps * 9);
    CHECK(r.queue_p99_bytes < 70000);
    lab_free(l);
}

/*
 * 1 % or 10 % lost or corrupt ACKs cost less than a tenth, because an ACK covers all
 * packets before it. If all ACKs of a small window or a NAK are lost, a flow waits for
 * its timer, 2 to 4 ms.
 */
TEST(lost_or_corrupted_acks_cost_less_than_a_tenth)
{
    static const uint32_t permille[2] = {10, 100};
    unsigned k, i;
    for (k = 0; k < 5; k++) {
        const lab_scheme *s = k < 4 ? hpcc[k] : &lab_ldcp;
        lab_options o = usual();
        lab_result well;
        o.duration = 10 * LAB_MS;
        well = result_of(s, &o);
        for (i = 0; i < 2; i++) {
            o.lose_permille = permille[i];
            faulty(s, o, &well);
            o.corrupt_permille = permille[i];
            o.lose_permille = 0;
            faulty(s, o, &well);
            o.corrupt_permille = 0;
        }
    }
}

/*
 * If nothing that fast start sent is acknowledged, the window falls to one packet
 * (ldcp.h, G7). By the draft, 3, it would be the acknowledged packets, here 0. Each
 * timeout sends a packet and halves the window, down to gamma (G16).
 */
TEST(ldcp_without_acks_sends_one_packet_per_timeout)
{
    lab_options o = usual();
    lab_result r;
    lab *l;
    o.flows = 1;
    o.duration = 9 * LAB_MS;
    o.lose_permille = 1000;
    l = ran(&lab_ldcp, &o, &r);
    if (l == NULL) return;
    CHECK_EQ(l->flow[0].at.ldcp.s.cw_q32, ROCECC_LDCP_ONE_Q32 / 4);
    CHECK_EQ(l->flow[0].sent, LAB_MTU);
    CHECK(l->flow[0].from->port[0].count.packets <= l->part[0].ldcp.iw_packets + 4);
    lab_free(l);
}

/*
 * After lost ACKs, a timeout sends received packets again. The next ACK covers more
 * than was sent since, and counts (it once wrapped).
 */
TEST(an_ack_may_cover_more_than_was_resent)
{
    lab_options o = usual();
    lab_result r;
    lab *l;
    o.seed = 5;
    o.lose_permille = 100;
    o.duration = 10 * LAB_MS;
    l = ran(&lab_ldcp, &o, &r);
    if (l == NULL) return;
    in_bounds(l);
    lab_free(l);
}

/*
 * The congested switch reports random telemetry. Rates keep their bounds, and flows
 * progress. Clocks and counters that jump are ignored (H-32, H-33), so the flow is
 * blind and follows ECN, with marks from 400 KB on. A utilisation up to 9/8 of the link
 * and a delay are used, so windows fall to W_AI, 1.2 Gb/s for 16 flows. The limit is 5
 * Gb/s, because windows were larger before.
 */
TEST(hpcc_rates_keep_their_bounds_with_random_telemetry)
{
    static const struct {
        const lab_scheme *scheme;
        uint64_t least_gbps, most_gbps;
    } is[] = {{&lab_hpcc_int, 1, 5},
              {&lab_hpcc_csig, 1, 5},
              {&lab_hpcc_ioam, 80, 100},
              {&lab_hpcc_ifa, 80, 100}};
    unsigned k;
    for (k = 0; k < sizeof is / sizeof is[0]; k++) {
        lab_options o = usual();
        lab_result r;
        lab *l;
        o.liar = true;
        l = ran(is[k].scheme, &o, &r);
        if (l == NULL) return;
        say(is[k].scheme, &o, &r);
        in_bounds(l);
        CHECK(between(is[k].least_gbps * GBPS, r.goodput_bps, is[k].most_gbps * GBPS));
        CHECK(r.queue_p99_bytes <= 400000);
        lab_free(l);
    }
}
