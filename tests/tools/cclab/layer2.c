/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * layer2.c - tests QCN, QCN over routers, and pauses of flows instead of ports against
 * 802.1Qau, draft-yu-tsvwg-l3qcn-00 and draft-hu-rtgwg-rocev2-fcn-00. Frames are read
 * by their offsets on the wire, not by the library.
 */
#include "claims.h"

#include "../../../examples/cclab/layer2.h"

#define SET_POINT 26000 /* cpQSp (IEEE8021-CN-MIB, 32.8.3) */
#define NOTES 65536
#define SWITCHES 6 /* of each topology used here */

/* A CNM or private CNM, with its flow, its switch and its values. */
typedef struct note {
    uint32_t flow, at;
    uint8_t fb;
    int16_t offset, delta;
} note;

/* Frames that have passed the links of a run. */
typedef struct ledger {
    note cnm[NOTES], private_cnm[NOTES];
    uint32_t n_cnm, n_private;
    uint32_t to_host;  /* private CNMs on a host's link; must be 0 */
    uint32_t tagged;   /* data with a CN-TAG from a router */
    uint32_t wrong;    /* CNMs that differ from 802.1Qau */
    uint32_t pfc_stop; /* PFC frames with a pause time */
    uint32_t arn_stop;
    uint32_t corrupt_permille; /* share of private CNMs that the tap corrupts */
} ledger;

static ledger seen;

/*
 * Adds QntzFb, switch, offset and delta of a PDU to a list. The last 4 bytes of the
 * CPID's MAC are the switch's number.
 */
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
 * Checks a CNM and adds it to the list. Its DA is the sender, and its SA a switch. 64
 * bytes of MSDU are requested, and a packet has 62 from its Type on without payload. A
 * forged CNM has none, so it counts as wrong.
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
    if (p->in != NULL) return; /* count each only at its switch */
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
 * A congestion point holds its queue at cpQSp, because cpFb = cpQOffset - cpW cpQDelta
 * is 0 there (IEEE 802.1Q, 30.2 and 32.8.3). The mean of the second half is less than
 * 15 % off, about 4 of these packets.
 */
TEST(qcn_holds_the_queue_at_its_set_point)
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

/* CNMs also cross two bridges. A single flow meets no congestion. */
TEST(qcn_cnms_cross_bridges_but_not_routers)
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
    o.topology = LAB_CLOS; /* CNMs do not cross routers (draft-yu, 2.1.2) */
    CHECK(lab_new(&lab_qcn, &o) == NULL);
}

/*
 * With increases by R_AI, 5 Mb/s of 10 Gb/s per cycle, and cuts by a share of the rate,
 * flows become equal only slowly. After 100 ms four flows may still be far apart, and
 * QCN claims no more. Jain's index is above 0.95 after 1.5 s.
 */
TEST(qcn_becomes_fair)
{
    const lab_options o = at_10g(4, 100 * LAB_MS), longer = at_10g(4, 1500 * LAB_MS);
    const lab_result r = result_of(&lab_qcn, &o), fair = result_of(&lab_qcn, &longer);
    CHECK(fair.jain_ppm > 950000);
    CHECK(fair.jain_ppm > r.jain_ppm);
}

/*
 * Each CNM is for its sender, and its QntzFb follows from the set point, cpW 2, and its
 * own cnmQOffset and cnmQDelta (802.1Q, 32.9 and 33.4). These are cut to units of 64
 * octets, which in all is a tenth of a step of 2064.
 */
TEST(qcn_feedback_matches_the_offset_and_delta_of_its_cnm)
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

/* Returns the ToR state of the i-th switch, or NULL if it has no hosts. */
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
 * Plain QCN runs between ToR and host (draft-yu-tsvwg-l3qcn-00, 3.2.2, step 4). If the
 * ToR is the congested switch, L3QCN gives the same run as QCN, event for event.
 */
TEST(l3qcn_with_a_congested_tor_gives_the_same_run_as_qcn)
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
    no_gate(l); /* S4 suppresses a second CNM to a flow within 10 us */
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

/* Returns the index of the next note with this flow and switch, or n. */
static uint32_t next_of(const note *list, uint32_t n, uint32_t i, const note *like)
{
    while (i < n && (list[i].flow != like->flow || list[i].at != like->at))
        i++;
    return i;
}

/* Counts the notes in `of` that `list` lacks, in order for each flow and switch. */
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
 * On draft-yu's CLOS (3.2.2, steps 1 to 4), a private CNM ends at the source's ToR. A
 * host gets a CNM with the same values for each, except for up to 15 in flight.
 */
TEST(l3qcn_converts_each_private_cnm)
{
    lab_options o = usual();
    lab *l;
    uint64_t other = 0;
    uint32_t i;
    o.topology = LAB_CLOS;
    o.flows = 24; /* 8 per leaf, so some uplinks are congested, too */
    o.duration = 2 * LAB_MS;
    l = watched(&lab_l3qcn, &o);
    if (l == NULL) return;
    no_gate(l);
    lab_run(l, o.duration);
    CHECK(seen.n_private > 200);
    CHECK_EQ(seen.wrong + seen.to_host + seen.tagged, 0);
    /* Up to 15 may be in flight at the end. Some are from the ToR's own queues. */
    CHECK(seen.n_cnm <= verdicts(l, ROCECC_L3QCN_TOR_CONVERTED));
    CHECK(seen.n_cnm + 16 > verdicts(l, ROCECC_L3QCN_TOR_CONVERTED));
    CHECK(verdicts(l, ROCECC_L3QCN_TOR_CONVERTED) <= l->notifications);
    CHECK(verdicts(l, ROCECC_L3QCN_TOR_CONVERTED) + 16 > l->notifications);
    CHECK(seen.n_private < l->notifications);
    CHECK(misses(seen.cnm, seen.n_cnm, seen.private_cnm, seen.n_private) < 16);
    for (i = ROCECC_L3QCN_TOR_WRAPPED; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        other += verdicts(l, (rocecc_l3qcn_tor_verdict)i);
    CHECK_EQ(other, 0);
    CHECK_EQ(tor_at(l, 0)->s.table.used, 8); /* only flows of its hosts */
    CHECK_EQ(tor_at(l, 1)->s.table.used, 8);
    CHECK_EQ(tor_at(l, 3)->s.table.used, 0);
    lab_free(l);
}

/*
 * The switch itself notifies the sender, so the control loop's delay is "dramatically"
 * less, and with it the queue (draft-yu, 4). At DCQCN's 40 Gb/s and parameters the
 * delay is 7.4 us instead of 13.0, or of 52 if switches mark at arrival, because the
 * mark then waits in the queue. The peak is below half of DCQCN's, so nothing is
 * dropped where DCQCN drops, and the utilisation is not lower. The draft does not
 * mention fairness. QCN's is worse here.
 */
TEST(l3qcn_reacts_sooner_than_dcqcn_and_queues_less)
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

/* Returns the goodput of a flow in the second half, in bit/s. */
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
 * PFC "may impact other services on the port", and precise flow control is for
 * "effectively avoiding impact on other services" (draft-hu, 4.1). Fifteen flows go to
 * one host, and one to its neighbour. With ARN that victim has more than 90 % of its
 * goodput alone, which is 1000 of 1102 bytes of its link. PFC stops all traffic through
 * shared ports, so the victim has about a sixteenth of a link, and less than a fifth.
 * Neither drops, with 16 MB per port.
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

/* Each paused neighbour or source holds the rest in its own queue (802.1Q, 36). */
TEST(pfc_and_arn_bound_the_queue_without_drops)
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
        /* 16 ports or flows, each with 200 KB and at most a round trip's 100 KB */
        CHECK(r.queue_most_bytes < 16 * (200000 + 100000));
    }
}

/*
 * Two flows resume in time (draft-hu, 4.1, where PFC resumes below a threshold). At the
 * resume 200 KB are left, 16 us of the link. Without it a pause would last up to 100
 * us, or 20 us with PFC.
 */
TEST(arn_and_pfc_use_the_whole_link_with_two_flows)
{
    lab_options o = usual();
    o.flows = 2;
    CHECK(result_of(&lab_arn, &o).utilisation_ppm > 999000);
    CHECK(result_of(&lab_pfc, &o).utilisation_ppm > 999000);
}

/*
 * ARN stops a flow and not its host (draft-hu, 4.1.2). The victim's host also sends one
 * of 64 flows to the busy host. The victim gets more than 80 % of its link, and less
 * than 20 % with PFC.
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

/* In a tunnel, ARN uses the inner 5-tuple (draft-hu, 4.1.2, flow level). */
TEST(arn_uses_the_inner_5_tuple_in_a_tunnel)
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

/*
 * Checks that rates are in their bounds, that all flows progress, and that more than 90
 * % of the link is in use. Frees the lab.
 */
static void bounded(lab *l, const char *name, uint32_t permille)
{
    const lab_result r = lab_results(l);
    uint32_t i;
    test_context("%s, %u permille", name, permille);
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        CHECK(x->got > 0);
        if (l->part[0].qcn_rp.min_bps == 0) continue; /* pfc and arn set no rates */
        CHECK(x->most_bps <= l->o->rate_bps);
        CHECK(x->least_bps >= l->part[0].qcn_rp.min_bps);
    }
    CHECK(r.utilisation_ppm > 900000);
    lab_free(l);
}

/* 1 % and 10 % of notifications and ACKs are lost, and as many have a flipped bit. */
TEST(layer2_schemes_tolerate_lost_or_corrupt_notifications)
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

/*
 * The ToR finds a flipped bit in a private CNM, unless the bit is in a field without a
 * checksum in IPv6. Such a field has no effect here.
 */
TEST(l3qcn_tor_detects_corrupt_private_cnms)
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

/* Forgeries about flow 0, with at most one defect each. */
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
    lab_port *in;      /* port of arrival */
    uint16_t src_port; /* source port of the flow */
} forger;

/* Returns the UDP source port of a flow's packets. */
static uint16_t port_of(const lab_flow *x)
{
    return (uint16_t)(0xc000 + (x->id * 2654435761u >> 18));
}

/*
 * Delivers a packet at a port, as from the wire. Calls `again` in 1 us, if it is set.
 */
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
    msdu[47] = 8; /* UDP Length, for a packet from port 0 to port 0 */
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

/* Runs one flow for 1 ms, with a forger from 100 us on. */
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
 * The ToR drops forgeries from hosts (C1), with a wrong checksum (C2), about unknown
 * flows (C4) or with another MSDU (S3). It accepts a correct one from the fabric once
 * in 10 us (S4), which cuts to R_min and no further.
 */
TEST(l3qcn_tor_drops_defective_forgeries_and_limits_correct_ones)
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

/* Delivers a CNM at the first host, to a station and about a flow. */
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

/* A CNM changes a rate only at its own host and for one of the host's flows. */
TEST(qcn_accepts_only_cnms_for_its_own_flows)
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
 * If octets are few, time ends a stage (802.1Q, 32.11.2). Cut from 10 Gb/s to 5 Mb/s, a
 * flow has 627.5 Mb/s after 15 ms. This is the mean of an eighth of the target rate and
 * the current rate, as in the exact model's trace. At 100 Gb/s rates are ten times as
 * high, and times a tenth.
 */
TEST(qcn_recovers_by_time_if_octets_are_few)
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

/*
 * Delivers an ARN about flow 0, with 37 bytes of flow, 3 of padding, and 100 us. It
 * stops the flow if `what` is 0, and otherwise resumes it.
 */
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

/*
 * An intact ARN from a switch stops its flow at its host, for its time or until a
 * resume.
 */
TEST(arn_stops_its_flow_only_if_intact_and_from_a_switch)
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
    /* 100 us of a link carry 1134 packets. The NIC already has up to 5 of them. The
       tolerance is 2. */
    CHECK(got[1] - got[0] > 1134000 - 7000 && got[1] - got[0] < 1134000 + 2000);
    CHECK(got[1] - got[5] > 567000 - 7000 && got[1] - got[5] < 567000 + 2000);
}
