/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * layer2.c - what 802.1Qau, draft-yu-tsvwg-l3qcn-00 and draft-hu-rtgwg-rocev2-fcn-00
 * say of QCN, of QCN over routers, and of stopping flows rather than ports. Frames are
 * read from the wire by their offsets, not by the library.
 */
#include "claims.h"

#include "../../../examples/cclab/layer2.h"

#define SET_POINT 26000 /* cpQSp: IEEE8021-CN-MIB, 32.8.3 */
#define NOTES 65536
#define SWITCHES 6 /* of any topology */

/* A CNM, or a private one: of which flow and switch, and what it says. */
typedef struct note {
    uint32_t flow, at;
    uint8_t fb;
    int16_t offset, delta;
} note;

/* What has passed the links of a run. */
typedef struct ledger {
    note cnm[NOTES], private_cnm[NOTES];
    uint32_t n_cnm, n_private;
    uint32_t to_host;  /* private CNMs on a host's link: none */
    uint32_t tagged;   /* data with a CN-TAG between switches */
    uint32_t wrong;    /* CNMs that are not as 802.1Qau has them */
    uint32_t pfc_stop; /* PFC frames with a time */
    uint32_t arn_stop;
    uint32_t corrupt_permille; /* of private CNMs, by this tap itself */
} ledger;

static ledger seen;

/* A PDU: QntzFb, CPID (its MAC's last 4 bytes are the switch), offset, delta. */
static void take(note *list, uint32_t *n, const lab *l, uint32_t flow, const uint8_t *b)
{
    note *x = &list[*n];
    if (*n == NOTES) return;
    (*n)++;
    x->flow = flow;
    x->at = rocecc_load32(b + 4) - l->n_hosts;
    x->fb = b[1] & 0x3f;
    x->offset = (int16_t)rocecc_load16(b + 10);
    x->delta = (int16_t)rocecc_load16(b + 12);
}

static bool is_host(const lab *l, const uint8_t *mac)
{
    return rocecc_load32(mac + 2) < l->n_hosts;
}

/*
 * DA the sender, SA a switch, CN-TAG; of the MSDU 64 bytes were asked for, and a packet
 * has 62 from its Type on that are not payload. A forged one has none.
 */
static void cnm(lab *l, const lab_packet *p)
{
    const uint32_t flow = rocecc_load16(p->b + 14) - 1u;
    if (p->n != 18 + 24 + 62 || !is_host(l, p->b) || is_host(l, p->b + 6) ||
        flow >= l->n_flows || l->flow[flow].from->index != rocecc_load32(p->b + 2) ||
        rocecc_load16(p->b + 40) != 62 || rocecc_load16(p->b + 42) != 0x86dd)
        seen.wrong++;
    else
        take(seen.cnm, &seen.n_cnm, l, flow, p->b + 18);
}

static void private_cnm(lab *l, lab_packet *p)
{
    if (is_host(l, p->b)) seen.to_host++;
    if (p->in != NULL) return; /* each once, where it is made */
    take(seen.private_cnm, &seen.n_private, l, rocecc_load32(p->b + 86), p->b + 106);
    if (lab_random(l) % 1000 < seen.corrupt_permille) {
        const uint32_t at = 14 + lab_random(l) % (p->n - 14);
        p->b[at] ^= (uint8_t)(1u << lab_random(l) % 8);
    }
}

static void tap(lab *l, const lab_port *at, const lab_packet *p)
{
    const uint16_t type = rocecc_load16(p->b + 12);
    const uint16_t port = p->n > 60 ? rocecc_load16(p->b + 56) : 0;
    (void)at;
    if (type == 0x22e9 && rocecc_load16(p->b + 16) == 0x22e7)
        cnm(l, p);
    else if (type == 0x22e9 && l->routed && p->in != NULL)
        seen.tagged++;
    else if (type == 0x8808)
        seen.pfc_stop += rocecc_load16(p->b + 18 + 2 * 3) != 0;
    else if (type == 0x86dd && p->b[20] == ROCECC_PROTO_UDP && port == 51966)
        private_cnm(l, (lab_packet *)(uintptr_t)p);
    else if (type == 0x86dd && port == 51967 && p->in == NULL)
        seen.arn_stop += p->b[62] == 1;
}

static lab *watched(const lab_scheme *s, const lab_options *o)
{
    lab *l = lab_new(s, o);
    memset(&seen, 0, sizeof seen);
    CHECK(l != NULL);
    if (l != NULL) l->tap = tap;
    return l;
}

static lab_options at_10g(uint32_t flows, lab_ps duration)
{
    lab_options o = usual();
    o.rate_bps = 10 * GBPS;
    o.flows = flows;
    o.duration = duration;
    return o;
}

/*
 * IEEE 802.1Q, 30.2 and 32.8.3: a congestion point holds its queue at cpQSp, for there
 * cpFb = cpQOffset - cpW cpQDelta is 0. Mean of the second half: 15 % off at most,
 * which is some 4 of these packets.
 */
TEST(qcn_queue_at_its_set_point)
{
    static const uint32_t flows[] = {2, 4, 16};
    size_t i;
    for (i = 0; i < 3; i++) {
        lab_options o = at_10g(flows[i], 200 * LAB_MS);
        lab_result r;
        o.buffer_bytes = 2000000;
        r = result_of(&lab_qcn, &o);
        test_context("%u flows", flows[i]);
        CHECK(r.queue_mean_bytes * 100 > SET_POINT * 85);
        CHECK(r.queue_mean_bytes * 100 < SET_POINT * 115);
        CHECK(r.queue_p99_bytes < 2 * SET_POINT);
        CHECK(r.utilisation_ppm > 995000);
        CHECK_EQ(r.drops, 0);
        CHECK_EQ(r.reacted, flows[i]);
    }
}

/* Over two bridges the CNM finds its way as well. One flow meets no congestion. */
TEST(qcn_over_bridges)
{
    lab_options o = at_10g(4, 100 * LAB_MS);
    lab_result r;
    o.topology = LAB_DUMBBELL;
    r = result_of(&lab_qcn, &o);
    CHECK(r.queue_mean_bytes * 100 > SET_POINT * 80);
    CHECK(r.queue_mean_bytes * 100 < SET_POINT * 120);
    CHECK(r.utilisation_ppm > 995000);
    o.flows = 1;
    r = result_of(&lab_qcn, &o);
    CHECK_EQ(r.notifications, 0);
    CHECK(r.utilisation_ppm > 995000);
    o.topology = LAB_CLOS; /* CNMs do not cross routers: draft-yu, 2.1.2 */
    CHECK(lab_new(&lab_qcn, &o) == NULL);
}

/*
 * Increase by R_AI and cuts by a share of the rate converge, slowly: 5 Mb/s of 10 Gb/s
 * a cycle. QCN claims no more: after 100 ms four flows may still be far apart.
 */
TEST(qcn_becomes_fair)
{
    const lab_options o = at_10g(4, 100 * LAB_MS), longer = at_10g(4, 1500 * LAB_MS);
    const lab_result r = result_of(&lab_qcn, &o), fair = result_of(&lab_qcn, &longer);
    CHECK(fair.jain_ppm > 950000);
    CHECK(fair.jain_ppm > r.jain_ppm);
}

/*
 * 802.1Q, 32.9 and 33.4: each CNM is for its sender, and its QntzFb is what the set
 * point, cpW 2 and its own cnmQOffset and cnmQDelta give; those are cut to 64 octets,
 * which is a tenth of a step of 2064.
 */
TEST(qcn_says_what_the_queue_says)
{
    const lab_options o = at_10g(16, 50 * LAB_MS);
    lab *l = watched(&lab_qcn, &o);
    uint32_t i;
    if (l == NULL) return;
    lab_run(l, o.duration);
    CHECK(seen.n_cnm > 200);
    CHECK_EQ(seen.wrong, 0);
    CHECK(seen.n_cnm <= l->notifications && seen.n_cnm + 16 > l->notifications);
    for (i = 0; i < seen.n_cnm; i++) {
        const note *x = &seen.cnm[i];
        const int64_t minus_fb = 64 * (2 * (int64_t)x->delta - x->offset);
        const int64_t exact = minus_fb * 63;
        const bool saturated = x->offset == INT16_MIN || minus_fb >= 130000;
        CHECK(x->fb > 0);
        if (saturated) CHECK(x->fb >= 62);
        if (saturated) continue;
        CHECK(x->fb * 130000 < exact + 3 * 64 * 63);
        CHECK((x->fb + 1) * 130000 > exact - 3 * 64 * 63);
    }
    lab_free(l);
}

/* The i-th switch; NULL: no host is at it. */
static lab_tor *tor_at(const lab *l, uint32_t i)
{
    return lab_tor_of(l, l->node[l->n_hosts + i]);
}

static uint64_t verdicts(const lab *l, rocecc_l3qcn_tor_verdict v)
{
    uint64_t n = 0;
    uint32_t i;
    for (i = 0; i < SWITCHES; i++)
        if (tor_at(l, i) != NULL) n += tor_at(l, i)->s.verdict_count[v];
    return n;
}

static void no_gate(const lab *l)
{
    uint32_t i;
    for (i = 0; i < SWITCHES; i++) {
        lab_tor *t = tor_at(l, i);
        if (t != NULL) t->c.gate.interval_ns = 0;
    }
}

/*
 * draft-yu-tsvwg-l3qcn-00, 3.2.2, step 4: between ToR and host plain QCN runs. Where
 * ToR and congested switch are one, L3QCN is the same run as QCN, event for event.
 */
TEST(l3qcn_is_qcn_to_its_hosts)
{
    const lab_options o = at_10g(16, 30 * LAB_MS);
    static note first[NOTES];
    lab *l = watched(&lab_qcn, &o);
    lab_result a, b;
    uint32_t n, i;
    if (l == NULL) return;
    lab_run(l, o.duration);
    a = lab_results(l);
    lab_free(l);
    memcpy(first, seen.cnm, sizeof first);
    n = seen.n_cnm;
    l = watched(&lab_l3qcn, &o);
    if (l == NULL) return;
    no_gate(l); /* S4 holds back what is a CNM to the same flow within 10 us */
    lab_run(l, o.duration);
    b = lab_results(l);
    CHECK(n > 100);
    CHECK_EQ(seen.n_cnm, n);
    CHECK_EQ(seen.wrong + seen.to_host + seen.n_private, 0);
    for (i = 0; i < n; i++)
        CHECK(first[i].flow == seen.cnm[i].flow && first[i].fb == seen.cnm[i].fb);
    CHECK_EQ(a.goodput_bps, b.goodput_bps);
    CHECK_EQ(a.queue_mean_bytes, b.queue_mean_bytes);
    CHECK_EQ(a.reaction, b.reaction);
    CHECK_EQ(a.notifications, b.notifications);
    CHECK_EQ(a.events, b.events);
    lab_free(l);
}

/* The next one of a flow and switch, from i on. */
static uint32_t next_of(const note *list, uint32_t n, uint32_t i, const note *like)
{
    while (i < n && (list[i].flow != like->flow || list[i].at != like->at))
        i++;
    return i;
}

/* Whether one list has, of each flow and switch, what the other has, in its order. */
static uint32_t misses(const note *list, uint32_t n, const note *of, uint32_t m)
{
    static uint32_t place[LAB_SENDERS][SWITCHES];
    uint32_t i, missed = 0;
    memset(place, 0, sizeof place);
    for (i = 0; i < m; i++) {
        uint32_t *at = &place[of[i].flow % LAB_SENDERS][of[i].at % SWITCHES];
        *at = next_of(list, n, *at, &of[i]);
        missed += *at == n || list[*at].fb != of[i].fb ||
                  list[*at].offset != of[i].offset || list[*at].delta != of[i].delta;
        if (*at < n) (*at)++;
    }
    return missed;
}

/*
 * draft-yu, 3.2.2, steps 1 to 4, on its CLOS: a private CNM goes to the source's ToR
 * and no further; each CNM that a host gets was made of one, and says the same.
 */
TEST(l3qcn_converts_each)
{
    lab_options o = usual();
    lab *l;
    uint64_t other = 0;
    uint32_t i;
    o.topology = LAB_CLOS;
    o.flows = 24; /* 8 a leaf: some of its uplinks are congested, too */
    o.duration = 2 * LAB_MS;
    l = watched(&lab_l3qcn, &o);
    if (l == NULL) return;
    no_gate(l);
    lab_run(l, o.duration);
    CHECK(seen.n_private > 200);
    CHECK_EQ(seen.wrong + seen.to_host + seen.tagged, 0);
    /* all but what is on its way at the end; some are of the ToR's own queues */
    CHECK(seen.n_cnm <= verdicts(l, ROCECC_L3QCN_TOR_CONVERTED));
    CHECK(seen.n_cnm + 16 > verdicts(l, ROCECC_L3QCN_TOR_CONVERTED));
    CHECK(verdicts(l, ROCECC_L3QCN_TOR_CONVERTED) <= l->notifications);
    CHECK(verdicts(l, ROCECC_L3QCN_TOR_CONVERTED) + 16 > l->notifications);
    CHECK(seen.n_private < l->notifications);
    CHECK(misses(seen.cnm, seen.n_cnm, seen.private_cnm, seen.n_private) < 16);
    for (i = ROCECC_L3QCN_TOR_WRAPPED; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        other += verdicts(l, (rocecc_l3qcn_tor_verdict)i);
    CHECK_EQ(other, 0);
    CHECK_EQ(tor_at(l, 0)->s.table.used, 8); /* flows of its hosts alone */
    CHECK_EQ(tor_at(l, 1)->s.table.used, 8);
    CHECK_EQ(tor_at(l, 3)->s.table.used, 0);
    lab_free(l);
}

/*
 * draft-yu, 4: the switch itself tells the sender, so that the control loop's delay is
 * "dramatically" less, and with it the queue. At DCQCN's 40 Gb/s and parameters the
 * delay is 7.4 us beside 13.0, or 52 if switches mark at arrival, as the mark then
 * waits behind the queue. The queue's peak is half of DCQCN's, so that nothing is
 * dropped where DCQCN drops; utilisation is no less. Of fairness the draft says
 * nothing: QCN's is worse here.
 */
TEST(l3qcn_against_dcqcn)
{
    lab_options o = usual();
    lab_result l3, dcqcn;
    o.topology = LAB_CLOS;
    o.rate_bps = 40 * GBPS;
    o.duration = 20 * LAB_MS;
    l3 = result_of(&lab_l3qcn, &o);
    dcqcn = result_of(&lab_dcqcn, &o);
    CHECK_EQ(l3.reacted, 16);
    CHECK(l3.reaction * 3 < dcqcn.reaction * 2);
    CHECK(l3.queue_most_bytes * 2 < dcqcn.queue_most_bytes);
    CHECK(l3.queue_mean_bytes < dcqcn.queue_mean_bytes);
    CHECK(l3.queue_mean_bytes * 100 > SET_POINT * 85);
    CHECK(l3.queue_mean_bytes * 100 < SET_POINT * 115);
    CHECK(l3.utilisation_ppm > 990000);
    CHECK(l3.utilisation_ppm >= dcqcn.utilisation_ppm);
    CHECK(l3.jain_ppm > 600000 && l3.jain_ppm < dcqcn.jain_ppm);
    o.mark_at = LAB_ARRIVAL;
    CHECK(l3.reaction * 4 < result_of(&lab_dcqcn, &o).reaction);
    o.mark_at = LAB_DEPARTURE;
    o.buffer_bytes = 4000000;
    o.duration = 5 * LAB_MS;
    CHECK_EQ(result_of(&lab_l3qcn, &o).drops, 0);
    CHECK(result_of(&lab_dcqcn, &o).drops > 0);
}

/* What a flow got in the second half, in bit/s. */
static uint64_t rate_of(const lab *l, uint32_t i)
{
    const lab_flow *x = &l->flow[i];
    return (x->got - x->got_before) * 8000000 / ((l->now - l->window) / LAB_US);
}

static uint64_t victims_rate(const lab_scheme *s, const lab_options *o, lab_result *r)
{
    lab *l = watched(s, o);
    uint64_t bps;
    if (l == NULL) return 0;
    lab_run(l, o->duration);
    *r = lab_results(l);
    bps = rate_of(l, o->flows - 1);
    lab_free(l);
    return bps;
}

/*
 * draft-hu, 4.1: PFC "may impact other services on the port"; precise flow control is
 * for "effectively avoiding impact on other services". Fifteen flows to one host, one
 * to its neighbour: with ARN that one has at least 95 % of what it has alone, which is
 * 1000 of 1102 bytes of its link. With PFC, whose pauses stop all that goes through
 * the ports that they share, no more than its share of one link, a sixteenth: a fifth
 * of the link is far above. Neither drops, in 16 MB a port.
 */
TEST(arn_spares_the_victim)
{
    lab_options o = usual(), alone;
    lab_result pfc, arn, r;
    uint64_t alone_bps, arn_bps, pfc_bps;
    o.topology = LAB_CLOS;
    o.load = "victim";
    o.buffer_bytes = 16000000;
    alone = o;
    alone.flows = 1;
    alone_bps = victims_rate(&lab_none, &alone, &r);
    CHECK(alone_bps * 1102 / 1000 > o.rate_bps / 1000 * 999);
    CHECK(alone_bps * 1102 / 1000 < o.rate_bps / 1000 * 1001);
    arn_bps = victims_rate(&lab_arn, &o, &arn);
    CHECK(seen.arn_stop > 15 && seen.arn_stop <= arn.notifications);
    CHECK(arn.pauses <= seen.arn_stop && arn.pauses + 30 > seen.arn_stop);
    pfc_bps = victims_rate(&lab_pfc, &o, &pfc);
    CHECK(seen.pfc_stop > 15 && seen.pfc_stop <= pfc.notifications);
    CHECK(pfc.pauses <= seen.pfc_stop && pfc.pauses + 30 > seen.pfc_stop);
    CHECK(arn_bps * 100 > alone_bps * 90);
    CHECK(pfc_bps * 5 < alone_bps);
    CHECK_EQ(arn.drops + pfc.drops, 0);
    CHECK(arn.utilisation_ppm > 990000 && pfc.utilisation_ppm > 990000);
}

/* 802.1Q, 36: a pause is for its neighbour alone, whose queue then holds the rest. */
TEST(pfc_and_arn_hold_the_queue)
{
    static const lab_scheme *const both[] = {&lab_pfc, &lab_arn};
    lab_options o = usual();
    size_t i;
    o.buffer_bytes = 8000000;
    for (i = 0; i < 2; i++) {
        const lab_result r = result_of(both[i], &o);
        test_context("%s", both[i]->name);
        CHECK_EQ(r.drops, 0);
        CHECK(r.utilisation_ppm > 995000);
        CHECK(r.jain_ppm > 990000);
        /* 16 ports, or flows: 200 KB, and what is sent in a link's, a path's, round */
        CHECK(r.queue_most_bytes < 16 * (200000 + 100000));
    }
}

/*
 * A resume comes in time (draft-hu, 4.1, of PFC: below a threshold it goes on): two
 * flows leave 200 KB, 16 us of the link, when they may; their pauses are of 100 us.
 */
TEST(arn_resumes)
{
    lab_options o = usual();
    o.flows = 2;
    CHECK(result_of(&lab_arn, &o).utilisation_ppm > 999000);
    CHECK(result_of(&lab_pfc, &o).utilisation_ppm > 999000);
}

/*
 * draft-hu, 4.1.2: it is the flow that stops, not its host. The victim's host is also
 * that of one of 64 which do not fit; 80 % of its link are the victim's.
 */
TEST(arn_stops_one_flow_of_a_host)
{
    lab_options o = usual();
    lab_result r;
    o.topology = LAB_CLOS;
    o.load = "victim";
    o.flows = 65;
    CHECK(victims_rate(&lab_arn, &o, &r) * 1102 / 1000 * 100 > o.rate_bps * 80);
    CHECK(victims_rate(&lab_pfc, &o, &r) * 1102 / 1000 * 100 < o.rate_bps * 20);
}

/* draft-hu, 4.1.2, flow level: in a tunnel, it is by the inner 5-tuple. */
TEST(arn_in_a_tunnel)
{
    lab_options o = usual();
    lab_result r, none;
    o.topology = LAB_WAN;
    o.rtt = 200 * LAB_US;
    o.flows = 4;
    r = result_of(&lab_arn, &o);
    none = result_of(&lab_none, &o);
    CHECK(r.pauses > 0);
    CHECK_EQ(r.drops, 0);
    CHECK(none.drops > 0);
    CHECK(r.queue_most_bytes * 4 < none.queue_most_bytes);
}

/* No rate beyond its bounds, and work goes on. */
static void bounded(lab *l, const char *name, uint32_t permille)
{
    const lab_result r = lab_results(l);
    uint32_t i;
    test_context("%s, %u permille", name, permille);
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        CHECK(x->got > 0);
        if (l->part[0].qcn_rp.min_bps == 0) continue; /* pfc and arn set no rate */
        CHECK(x->most_bps <= l->o->rate_bps);
        CHECK(x->least_bps >= l->part[0].qcn_rp.min_bps);
    }
    CHECK(r.utilisation_ppm > 900000);
    lab_free(l);
}

/* Notifications and ACKs that are lost, or have a bit flipped: 1 % and 10 %. */
TEST(layer2_faults)
{
    static const lab_scheme *const all[] = {&lab_qcn, &lab_l3qcn, &lab_pfc, &lab_arn};
    uint32_t permille;
    size_t i;
    for (permille = 10; permille <= 100; permille *= 10)
        for (i = 0; i < 4; i++) {
            lab_options o = at_10g(8, 40 * LAB_MS);
            lab *l;
            o.lose_permille = o.corrupt_permille = permille;
            l = watched(all[i], &o);
            if (l == NULL) return;
            lab_run(l, o.duration);
            bounded(l, all[i]->name, permille);
        }
}

/* Private CNMs with a bit flipped on their way: the ToR's checks find it, or it is of a
   field that IPv6 does not protect and that says nothing. */
TEST(l3qcn_corrupted_on_the_way)
{
    uint32_t permille;
    for (permille = 10; permille <= 100; permille *= 10) {
        lab_options o = at_10g(32, 80 * LAB_MS);
        lab *l;
        o.topology = LAB_CLOS;
        l = watched(&lab_l3qcn, &o);
        if (l == NULL) return;
        seen.corrupt_permille = permille;
        lab_run(l, o.duration);
        CHECK(verdicts(l, ROCECC_L3QCN_TOR_BAD_CHECKSUM) > 0);
        CHECK(seen.n_cnm < seen.n_private);
        CHECK_EQ(seen.wrong + seen.to_host, 0);
        bounded(l, "private CNMs", permille);
    }
}

/* Forgeries about flow 0, in good order but for one thing. */
typedef enum kind {
    GOOD,
    BY_HOST,
    UNKNOWN,
    OTHER_MSDU,
    BAD_SUM,
    OTHER_FLOW,
    OTHER_HOST,
    RESUMED
} kind;

typedef struct forger {
    kind k;
    lab_port *in;      /* where they come in, ... */
    uint16_t src_port; /* ... of a flow with this one */
} forger;

/* As the flow's packets have it. */
static uint16_t port_of(const lab_flow *x)
{
    return (uint16_t)(0xc000 + (x->id * 2654435761u >> 18));
}

/* A packet that comes in at a port, as from the wire; again in 1 us. */
static void come(lab *l, forger *f, lab_packet *p, const rocecc_writer *w,
                 lab_call *again)
{
    p->n = (uint32_t)w->at;
    p->in = f->in;
    lab_locate(p);
    lab_receive(l, f->in->node, p);
    if (again != NULL) lab_at(l, l->now + LAB_US, again, f, 0);
}

static void forge(lab *l, void *who, uint64_t what)
{
    static uint8_t msdu[62] = {0x86, 0xdd, 0x60, 0, 0, 0, 0, 8, 17, 64};
    const rocecc_l3qcn_outer outer = rocecc_l3qcn_outer_default(0);
    const lab_flow *x = &l->flow[0];
    forger *f = who;
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = lab_ether(p, f->in->peer->node);
    rocecc_l3qcn h;
    (void)what;
    msdu[47] = 8; /* UDP Length: a packet of UDP from port 0 to port 0 */
    memset(&h, 0, sizeof h);
    h.proto = ROCECC_PROTO_UDP;
    h.ports = true;
    h.src_port = (uint16_t)(f->src_port + (f->k == UNKNOWN));
    h.dst_port = ROCECC_UDP_PORT_ROCEV2;
    h.src = x->from->ip;
    h.dst = x->to->ip;
    h.cnm.qntz_fb = 63;
    if (f->k == OTHER_MSDU) h.cnm.msdu = rocecc_reader_of(msdu, msdu + sizeof msdu);
    CHECK(rocecc_l3qcn_build(&w, &lab_domain.l3qcn, &outer, &h) == ROCECC_OK);
    if (f->k == BAD_SUM) p->b[107] ^= 1;
    come(l, f, p, &w, forge);
}

/* One flow alone for 1 ms, and from 100 us on a forger. */
static lab *forged(const lab_scheme *s, forger *f, lab_call *call)
{
    static lab_options o;
    lab *l;
    o = usual();
    o.topology = LAB_CLOS;
    o.flows = 1;
    o.duration = LAB_MS;
    l = watched(s, &o);
    if (l == NULL) return NULL;
    f->src_port = port_of(&l->flow[0]);
    f->in = l->attacker->port[0].peer;
    if (f->k != BY_HOST) f->in = &l->flow[0].from->port[0].peer->node->port[0];
    while (f->k != BY_HOST && !f->in->peer->node->is_switch)
        f->in++;
    lab_at(l, 100 * LAB_US, call, f, 0);
    lab_run(l, o.duration);
    return l;
}

/*
 * A host's forgeries end at its ToR (C1); there, too, what has a wrong checksum (C2),
 * is of unknown flows (C4), or shows another flow (S3). What comes from the fabric in
 * good order is believed, at most once in 10 us (S4), and cuts to R_min, no further.
 */
TEST(l3qcn_forged)
{
    static const struct {
        kind k;
        rocecc_l3qcn_tor_verdict verdict;
        uint64_t n, least_bps;
    } row[] = {{BY_HOST, ROCECC_L3QCN_TOR_NO_ENTRY, 0, 100 * GBPS},
               {UNKNOWN, ROCECC_L3QCN_TOR_NO_ENTRY, 901, 100 * GBPS},
               {OTHER_MSDU, ROCECC_L3QCN_TOR_WRONG_MSDU, 901, 100 * GBPS},
               {BAD_SUM, ROCECC_L3QCN_TOR_BAD_CHECKSUM, 901, 100 * GBPS},
               {GOOD, ROCECC_L3QCN_TOR_CONVERTED, 91, 50000000}};
    size_t i;
    for (i = 0; i < sizeof row / sizeof row[0]; i++) {
        forger f = {GOOD, NULL, 0};
        lab *l;
        f.k = row[i].k;
        l = forged(&lab_l3qcn, &f, forge);
        if (l == NULL) return;
        test_context("row %u", (unsigned)i);
        CHECK_EQ(verdicts(l, row[i].verdict), row[i].n);
        CHECK_EQ(verdicts(l, ROCECC_L3QCN_TOR_CONVERTED), f.k == GOOD ? 91 : 0);
        CHECK_EQ(tor_at(l, 0)->s.learning_count[ROCECC_L3QCN_TOR_SPOOFED],
                 f.k == BY_HOST ? 901 : 0);
        CHECK_EQ(seen.to_host, 0);
        CHECK_EQ(l->flow[0].least_bps, row[i].least_bps);
        CHECK_EQ(l->flow[0].most_bps, 100 * GBPS);
        lab_free(l);
    }
}

/* A CNM at the first host, to a station and about a flow. */
static void give(lab *l, uint32_t to, uint32_t id, uint8_t fb)
{
    const rocecc_cnm_config c = {0, false, false, false, {{0}}};
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = lab_room(p);
    forger f = {GOOD, NULL, 0};
    rocecc_cnm_frame h;
    memset(&h, 0, sizeof h);
    h.head.dst = l->node[to]->mac;
    h.head.src = l->node[l->n_hosts]->mac;
    h.head.tagged = true;
    h.head.flow_id = (uint16_t)id;
    h.cnm.qntz_fb = fb;
    f.in = &l->node[0]->port[0];
    CHECK(rocecc_cnm_frame_build(&w, &c, &h) == ROCECC_OK);
    come(l, &f, p, &w, NULL);
}

/* CNMs that are not for a flow of the host, or not for the host, change no rate. */
TEST(qcn_takes_what_is_for_it)
{
    static const struct {
        uint32_t to, id;
        bool cut;
    } row[] = {{0, 0, false},     {0, 2, false}, {0, 3, false},
               {0, 65535, false}, {1, 1, false}, {0, 1, true}};
    const lab_options o = at_10g(2, LAB_MS);
    size_t i;
    for (i = 0; i < sizeof row / sizeof row[0]; i++) {
        lab *l = lab_new(&lab_qcn, &o);
        if (l == NULL) return;
        test_context("row %u", (unsigned)i);
        lab_run(l, 2 * LAB_US);
        give(l, row[i].to, row[i].id, 32);
        /* 802.1Q: C (1 - QntzFb / 128) */
        CHECK_EQ(l->flow[0].rate_bps, row[i].cut ? o.rate_bps * 3 / 4 : o.rate_bps);
        CHECK_EQ(l->flow[1].rate_bps, o.rate_bps);
        lab_free(l);
    }
}

/*
 * 802.1Q, 32.11.2: where octets are few, time ends a stage. Cut from 10 Gb/s to 5 Mb/s,
 * a flow is at 627.5 Mb/s after 15 ms: T / 8, and the mean of it and C, by the exact
 * model's trace. At 100 Gb/s rates are ten times those, and times a tenth.
 */
TEST(qcn_recovers_by_time)
{
    uint32_t times;
    for (times = 1; times <= 10; times *= 10) {
        const lab_ps stage = 15 * LAB_MS / times;
        lab_options o = at_10g(1, 20 * LAB_MS);
        lab *l;
        uint32_t i;
        o.rate_bps *= times;
        l = lab_new(&lab_qcn, &o);
        if (l == NULL) return;
        lab_run(l, 2 * LAB_US);
        for (i = 0; i < 12; i++)
            give(l, 0, 1, 63);
        CHECK_EQ(l->flow[0].rate_bps, 5000000 * times);
        lab_run(l, LAB_US + stage);
        CHECK_EQ(l->flow[0].rate_bps, 5000000 * times);
        lab_run(l, 3 * LAB_US + stage);
        CHECK_EQ(l->flow[0].rate_bps, 627500000 * (uint64_t)times);
        lab_free(l);
    }
}

/* An ARN, of 37 and 3 bytes of flow and 100 us, to the host that sends flow 0. */
static void stop_it(lab *l, void *who, uint64_t what)
{
    const lab_flow *x = &l->flow[0];
    forger *f = who;
    lab_packet *p = lab_packet_new(l);
    lab_node *from = f->k == BY_HOST ? l->attacker : l->node[l->n_hosts];
    rocecc_ipv6 ip = {48, 0, 0, 8 + 48, ROCECC_PROTO_UDP, 255, {{0}}, {{0}}};
    rocecc_udp udp = {1, 51967, 8 + 48, 0};
    rocecc_writer w = lab_ether(p, from), head;
    uint8_t *b;
    f->in = f->k == OTHER_HOST ? &x->to->port[0] : &x->from->port[0];
    ip.src = from->ip;
    ip.dst = x->from->ip;
    (void)rocecc_ipv6_emit(&w, &ip);
    head = w;
    (void)rocecc_udp_emit(&w, &udp);
    b = rocecc_put(&w, 48);
    if (b == NULL) return;
    memset(b, 0, 48);
    rocecc_store32(b, what == 0 ? 0x01100090 : 0x02100090);
    rocecc_ip6_store(b + 4, &x->from->ip);
    rocecc_ip6_store(b + 20, &x->to->ip);
    rocecc_store16(b + 36, (uint16_t)(f->src_port + (f->k == OTHER_FLOW)));
    rocecc_store16(b + 38, ROCECC_UDP_PORT_ROCEV2);
    b[40] = ROCECC_PROTO_UDP;
    rocecc_store32(b + 44, 100);
    udp.checksum =
        rocecc_udp_checksum(rocecc_checksum_pseudo6(&ip, ROCECC_PROTO_UDP, 8 + 48),
                            rocecc_subrange(rocecc_written(&w), head.at, w.at));
    (void)rocecc_udp_emit(&head, &udp);
    if (f->k == BAD_SUM) b[44] ^= 1;
    come(l, f, p, &w, NULL);
    if (f->k == RESUMED && what == 0) lab_at(l, l->now + 50 * LAB_US, stop_it, f, 1);
}

/* An ARN stops its flow for its time, or until it is resumed, if a switch sent it
   and it came whole. */
TEST(arn_forged)
{
    static const kind row[] = {GOOD, BY_HOST, BAD_SUM, OTHER_FLOW, OTHER_HOST, RESUMED};
    uint64_t got[6] = {0, 0, 0, 0, 0, 0};
    size_t i;
    for (i = 0; i < 6; i++) {
        forger f = {GOOD, NULL, 0};
        lab *l;
        f.k = row[i];
        l = forged(&lab_arn, &f, stop_it);
        if (l == NULL) return;
        test_context("row %u", (unsigned)i);
        got[i] = l->flow[0].got;
        CHECK_EQ(l->flow[0].from->port[0].count.pauses, f.k == GOOD || f.k == RESUMED);
        lab_free(l);
    }
    CHECK(got[1] == got[2] && got[1] == got[3] && got[1] == got[4]);
    /* 100 us of a link with 1000 of 1102 bytes, less what its NIC had taken: 5 packets;
       give or take 2 */
    CHECK(got[1] - got[0] > 1134000 - 7000 && got[1] - got[0] < 1134000 + 2000);
    CHECK(got[1] - got[5] > 567000 - 7000 && got[1] - got[5] < 567000 + 2000);
}
