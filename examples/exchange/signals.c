/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * signals.c - each signal on the wire, one line each. One role or codec writes it, and
 * another one reads it and acts. Sizes count from the IP header. CNM and PFC count the
 * frame without its FCS, telemetry one hop's record, and LSN its header in an ACK. ACKs
 * also return the records from data.
 *
 *   host --- ToR, its port 7 --- ... --- switch, congested --- ... --- receiver
 */
#include "exchange.h"

#include <stdio.h>
#include <string.h>

#define PRIORITY 3   /* the data's priority, in its VLAN tag */
#define VID 100      /* the VLAN, in the same tag */
#define FLOW_ID 0x11 /* in the data's CN-TAG */
#define PORT 7       /* the ToR's port to the host */
#define CPID 0xb     /* the congested queue's; any number */
#define GBPS 1000000000

static const rocecc_mac host = {{2, 0, 0, 0, 0, 0x10}}, tor = {{2, 0, 0, 0, 0, 1}},
                        bridge = {{2, 0, 0, 0, 0, 2}};
static const rocecc_cnm_config station = {.station = {{2, 0, 0, 0, 0, 0x10}}};

/* Writes a data frame. If `tagged`, it has the host's VLAN tag and CN-TAG. */
static void framed(packet *p, bool tagged)
{
    const rocecc_ether ether = {tor, host,
                                tagged ? ROCECC_TYPE_CTAG : ROCECC_TYPE_IPV6};
    const rocecc_vlan vlan = {PRIORITY, false, VID, ROCECC_TYPE_CNTAG};
    rocecc_writer w = room(p);
    packet ip;
    data(&ip);
    (void)rocecc_ether_emit(&w, &ether);
    if (tagged) {
        uint8_t *b;
        (void)rocecc_vlan_emit(&w, &vlan);
        b = rocecc_put(&w, 4);
        rocecc_store16(b, FLOW_ID);
        rocecc_store16(b + 2, ROCECC_TYPE_IPV6);
    }
    (void)rocecc_append(&w, view(&ip), sizeof p->bytes);
    arrives_as(p, ROCECC_TYPE_TEB, w.at);
}

/* Shows CE and CNP. 150 kB are queued, and WRED marks 0.74 % at random. */
static void ecn_and_cnp(void)
{
    const rocecc_wred_params wred = rocecc_wred_dcqcn_paper();
    packet p, cnp;
    rocecc_packet met;
    rocecc_reaction_result out;
    bool ok;
    data(&p);
    met = located(&p);
    ok = notified(&p, &cnp).verdict == ROCECC_NOTIFICATION_UNMARKED &&
         rocecc_wred_decide(&wred, 150000, ROCECC_ECN_ECT0, UINT32_MAX / 200) ==
             ROCECC_WRED_MARK &&
         rocecc_congestion_point_mark(&met, room(&p)) &&
         notified(&p, &cnp).verdict == ROCECC_NOTIFICATION_SENT;
    say("CE", ok,
        "switch -> receiver, %zu bytes: 150000 are queued, WRED marks; a CNP is due",
        p.n);
    out = gated(&cnp);
    say("CNP",
        out.verdict == ROCECC_REACTION_ORDINARY && out.cnp.dest_qp == 0x11 &&
            dcqcn_bps() == LINE_BPS / 2,
        "receiver -> sender, %zu bytes: for its QP 0x%x; DCQCN from 100 to %u Gb/s",
        cnp.n, out.cnp.dest_qp, (unsigned)(dcqcn_bps() / GBPS));
}

/* Samples a QCN queue once in 150 kB. It holds 36000 bytes, 10000 too many. */
static rocecc_qcn_cp_action sampled(void)
{
    const rocecc_qcn_cp_event f = {1000, 36000, 0, false};
    rocecc_qcn_cp_params params = rocecc_qcn_cp_mib();
    rocecc_qcn_cp_action act = {0, 0, 0, false, false};
    rocecc_qcn_cp s;
    int i;
    failed += rocecc_qcn_cp_init(&params) != ROCECC_QCN_CP_ACCEPTED;
    s = rocecc_qcn_cp_start(&params, 0);
    for (i = 0; i < 150 && !act.sampled; i++)
        act = rocecc_qcn_cp_offer(&params, &s, &f);
    return act;
}

/*
 * Returns the host's rate after the CNM in r, or 0 if the CNM is not as expected. Fb is
 * 10000 + 2 * 36000, and its maximum is 5 * 26000. So QntzFb is 39 of 63, and the rate
 * is C * (1 - 39 / 128).
 */
static uint64_t limited(rocecc_reader r)
{
    rocecc_qcn_rp_params params = rocecc_qcn_rp_qau(LINE_BPS);
    rocecc_cnm_frame h;
    rocecc_cnm_verdict why;
    rocecc_qcn_rp s;
    if (rocecc_cnm_frame_parse(&station, r, &h, &why) != ROCECC_OK ||
        h.head.flow_id != FLOW_ID || h.head.vlan[0].vid != VID || h.cnm.cpid != CPID ||
        h.cnm.q_offset != -10000 / 64 || h.cnm.q_delta != 36000 / 64 ||
        rocecc_qcn_rp_init(&params) != ROCECC_QCN_RP_ACCEPTED)
        return 0;
    s = rocecc_qcn_rp_start(&params);
    return rocecc_qcn_rp_cnm(&params, &s, h.cnm.qntz_fb, 0).rate_bps;
}

#define LIMITED_BPS (LINE_BPS / 128 * (128 - 39))

/* Shows a CNM of IEEE 802.1Qau, within one Ethernet. */
static void cnm(void)
{
    const rocecc_qcn_cp_action act = sampled();
    rocecc_cnm_frame h = {
        .head = {.dst = host,
                 .src = bridge,
                 .n_vlan = 1,
                 .vlan = {{ROCECC_TYPE_CTAG, ROCECC_CNM_PRIORITY, false, VID}},
                 .tagged = true},
        .cnm = {.qntz_fb = act.qntz_fb, .cpid = CPID, .encap_priority = PRIORITY}};
    packet p;
    rocecc_writer w = room(&p);
    uint64_t bps;
    framed(&p, true);
    h.head.flow_id = rocecc_load16(p.bytes + p.headers.cntag + 2);
    h.cnm.q_offset = rocecc_cnm_q_offset(ROCECC_CNM_SIGNS_A, act.offset_bytes);
    h.cnm.q_delta = rocecc_cnm_q_delta(ROCECC_CNM_SIGNS_A, act.delta_bytes);
    h.cnm.msdu = rocecc_reader_of(NULL, NULL);
    failed += rocecc_cnm_frame_build(&w, &station, &h) != ROCECC_OK;
    bps = limited(rocecc_written(&w));
    say("CNM", bps == LIMITED_BPS,
        "bridge -> host, %zu bytes: flow id 0x%x, QntzFb %u; QCN from 100 to %u Gb/s",
        w.at, h.head.flow_id, act.qntz_fb, (unsigned)(bps / GBPS));
}

/* Learns the flow at the host's ToR, and converts the private CNM p in place. */
static void converted(packet *p)
{
    static rocecc_flowtable_bucket bucket[2];
    static rocecc_flowtable_slot slot[2 * ROCECC_FLOWTABLE_WAYS];
    static rocecc_l3qcn_tor_port ports[PORT + 1];
    rocecc_acl_entry entry = {rocecc_l3qcn_tor_cpid(CPID), 64, 1, 0, 0};
    rocecc_admission_source sources[1]; /* one per entry, indexed by its tag */
    rocecc_acl queues;
    uint32_t at;
    rocecc_l3qcn_tor_event e = ROCECC_ZERO;
    rocecc_l3qcn_tor_config c = rocecc_l3qcn_tor_default();
    rocecc_l3qcn_tor s;
    rocecc_l3qcn_tor_convert_result out;
    rocecc_packet came;
    packet first;
    uint64_t bps;
    c.table.secret[0] = 1;
    c.table.buckets = 2;
    c.mac = tor;
    c.listed = true; /* accept private CNMs only from this queue */
    c.admission = rocecc_admission_for(4, 1000);
    e.admission.now_ns = 1000000;
    e.admission.list = &queues;
    e.admission.sources = sources;
    e.admission.n_sources = 1;
    e.memory.bucket = bucket;
    e.memory.slot = slot;
    e.port = PORT;
    e.writer = room(p);
    e.ports = ports;
    e.n_ports = PORT + 1;
    failed += rocecc_acl_init(&queues, &entry, 1, &at) != ROCECC_ACL_ACCEPTED;
    failed += rocecc_l3qcn_tor_init(&c, &network, &queues) != ROCECC_L3QCN_TOR_ACCEPTED;
    sources[0] = rocecc_admission_source_start(&c.admission, 0);
    s = rocecc_l3qcn_tor_start(&c, &e.memory);
    framed(&first, true);
    came = located(&first);
    (void)rocecc_l3qcn_tor_learn(&c, &s, &came, &e);
    came = located(p);
    rocecc_l3qcn_tor_convert(&c, &s, &came, &e, &out);
    bps = limited(out.cnm);
    say("its CNM",
        out.verdict == ROCECC_L3QCN_TOR_CONVERTED && out.port == PORT &&
            bps == LIMITED_BPS,
        "ToR -> host, %zu bytes, written over that: port %u; QCN, too, to %u Gb/s",
        rocecc_left(&out.cnm), out.port, (unsigned)(bps / GBPS));
}

/* Shows a private CNM from a routed network, where the frame has lost its tags. */
static void private_cnm(void)
{
    const rocecc_congestion_event e = {
        .priority = PRIORITY, .qcn = sampled(), .cpid = CPID};
    rocecc_congestion_config c = switch_config();
    rocecc_l3qcn_verdict why;
    rocecc_flow flow, told;
    rocecc_l3qcn h;
    packet p, answer;
    rocecc_packet met, came;
    bool ok;
    memset(&h, 0, sizeof h);
    framed(&p, false);
    met = located(&p);
    c.qcn_priorities = 1 << PRIORITY;
    c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    ok = congested(&c, &p, &e, &answer).outputs == ROCECC_CONGESTION_CNM;
    came = located(&answer);
    ok = ok && rocecc_packet_flow(&met, &flow) == ROCECC_OK &&
         rocecc_l3qcn_find(&came, &h, &why) == ROCECC_OK;
    told = rocecc_l3qcn_flow(&h);
    say("private CNM", ok && rocecc_flow_match(&flow, &told) && h.cnm.qntz_fb == 39,
        "switch -> ToR, %zu bytes: flow of UDP %u to %u, QntzFb %u; looked up there",
        answer.n, told.src_port, told.dst_port, h.cnm.qntz_fb);
    converted(&answer);
}

/* Computes in ns[] how long a notice holds flow x, and another flow of its priority. */
static void hold(uint8_t mode, const rocecc_pause_notice *m, rocecc_pause_traffic x,
                 uint64_t ns[2])
{
    const rocecc_pause_params p = rocecc_pause_lab(mode);
    rocecc_traffic_slot slots[16] = {{{0}, 0}};
    rocecc_pause_holders who[16] = {{{0}, {{0}}, {0}, 0}};
    uint32_t has[16] = {0};
    const rocecc_pause_memory memory = {slots, who, has};
    rocecc_pause t = rocecc_pause_start(16);
    (void)rocecc_pause_notify(&p, &t, &memory, m, 0);
    ns[0] = rocecc_pause_packet(&p, &t, slots, &x, 0).time_ns;
    x.inner.src_port++;
    ns[1] = rocecc_pause_packet(&p, &t, slots, &x, 0).time_ns;
}

/* Shows one notice as an ARN, and as PFC, with less detail. */
static void arn_and_pfc(void)
{
    const rocecc_arn_config *c = &network.arn;
    rocecc_pause_traffic x = {.priority = PRIORITY, .pfc_class = PRIORITY};
    const rocecc_pause_requester from = {{{0xfd}}, 0}; /* the switch, tag 0 */
    rocecc_pause_notice m = {.priority = PRIORITY, .time_ns = 20000};
    rocecc_arn arn = rocecc_arn_default(c, 0, 0);
    rocecc_datagram d;
    rocecc_pfc pfc = {.enable = 0};
    uint64_t ns[2];
    packet p, q;
    rocecc_packet sent;
    rocecc_writer w = room(&q);
    rocecc_reader r;
    bool ok;
    data(&p);
    sent = located(&p);
    ok = rocecc_packet_flow(&sent, &x.inner) == ROCECC_OK;
    m.flow = x.inner;
    m.type = ROCECC_ARN_CONGESTION_DETECTED;
    m.has_flow = m.has_priority = m.has_time = true;
    d = rocecc_arn_datagram(c, 0);
    d.src = address("2001:db8:ffff::5");
    d.dst = address("2001:db8:ffff::4");
    ok = ok && rocecc_flow_control_arn_build(&w, c, &d, &m) == ROCECC_OK;
    arrives(&q, w.at);
    sent = located(&q);
    ok = ok && rocecc_arn_find(&sent, &arn) == ROCECC_OK && rocecc_udp_verify(&sent);
    m = rocecc_flow_control_arn_load(c, &arn, &from, 0);
    hold(ROCECC_PAUSE_FLOW, &m, x, ns);
    say("ARN", ok && m.has_priority && ns[0] == 20000 && ns[1] == 0,
        "switch -> upstream, %zu bytes: flow, priority, %u ns; holds that flow alone",
        w.at, (unsigned)ns[0]);
    w = room(&q);
    ok = rocecc_flow_control_pfc_build(&w, &bridge, LINE_BPS, &m) == ROCECC_OK;
    r = rocecc_written(&w);
    ok = ok && rocecc_pfc_parse(&r, &pfc) == ROCECC_OK &&
         rocecc_flow_control_pfc_load(&pfc, PRIORITY, LINE_BPS, 0, &m) == ROCECC_OK;
    hold(ROCECC_PAUSE_CLASS, &m, x, ns);
    /* A quantum is 5.12 ns. 20000 ns are 3906.25 quanta, so 3906, or 19998.72 ns. */
    say("PFC", ok && !m.has_flow && ns[0] == 19999 && ns[1] == 19999,
        "gateway -> host, %zu bytes: that, for priority %u, %u quanta; holds all, %u "
        "ns",
        w.at, (unsigned)m.priority, pfc.quanta[PRIORITY], (unsigned)ns[0]);
}

#define QUEUE (ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS)

static const rocecc_telemetry_config units = {
    .rate_bps = LINE_BPS, .queue_unit_bytes = 80, .util_one = 10000};

/* Values that a port measures: id, rate, sent, time, queue, load. */
static const rocecc_hop measured = {UINT64_C(7) << 32 | 3,
                                    LINE_BPS,
                                    123456789,
                                    3000,
                                    40000,
                                    ROCECC_ONE_Q20 / 10 * 8,
                                    QUEUE | ROCECC_HOP_RATE | ROCECC_HOP_TX |
                                        ROCECC_HOP_UTIL};

/* Writes data with an IOAM trace, and a node's record into it. */
static bool traced(packet *p, rocecc_ioam_option *o)
{
    const rocecc_ioam_source s = {
        .namespace_id = 123, .trace_type = ROCECC_IOAM_TYPE_HPCC, .words = 5};
    rocecc_packet at;
    rocecc_ioam_node n;
    rocecc_edit e;
    rocecc_writer w;
    data(p);
    w = room(p);
    w.at = p->n;
    at = located(p);
    if (rocecc_ioam_insert(&at, &s, 1500, &e) != ROCECC_EDIT_CHANGE ||
        rocecc_edit_apply(&e, &w) != ROCECC_OK)
        return false;
    arrives(p, w.at);
    at = located(p);
    rocecc_ioam_node_init(&n);
    rocecc_telemetry_ioam_store(&units, &measured, &n);
    return rocecc_ioam_find(&at, o) == ROCECC_OK &&
           rocecc_ioam_update(&at, room(p), &n, rocecc_subrange(at.bytes, 0, 0)) ==
               ROCECC_EDIT_CHANGE;
}

/* Reads the hop from a trace with one node. Returns false on failure. */
static bool hop_of(const rocecc_ioam_option *o, rocecc_hop *h)
{
    rocecc_telemetry_path path;
    rocecc_ioam_view v;
    return rocecc_ioam_view_parse(&network.ioam, o, &v) == ROCECC_OK &&
           rocecc_telemetry_ioam_path(&units, &v, h, 1, &path) == ROCECC_OK &&
           path.n == 1 && path.complete != ROCECC_TELEMETRY_COMPLETE_NO;
}

static size_t by_ioam(rocecc_hop *h)
{
    packet p;
    rocecc_ioam_option o;
    return traced(&p, &o) && hop_of(&o, h)
               ? rocecc_left(&o.data) - ROCECC_IOAM_TRACE_BYTES
               : 0;
}

static size_t by_ifa(rocecc_hop *h)
{
    rocecc_ifa_node n = {.layout = ROCECC_IFA_LAYOUT_A, .lns = 1};
    uint8_t bytes[ROCECC_IFA_NODE_BYTES];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_reader r;
    if (rocecc_telemetry_ifa_emit(&units, &measured, &n) != ROCECC_OK ||
        rocecc_ifa_node_emit(&w, &n) != ROCECC_OK)
        return 0;
    r = rocecc_written(&w);
    if (rocecc_ifa_node_next(&network.ifa, &r, &n) != ROCECC_OK) return 0;
    *h = rocecc_telemetry_ifa_load(&units, &n);
    return w.at;
}

static size_t by_intmd(rocecc_hop *h)
{
    rocecc_intmd v = {.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 1)};
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd_node n;
    uint8_t bytes[64];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_reader r;
    rocecc_intmd_node_init(&n);
    rocecc_telemetry_intmd_store(&units, &measured, &n);
    if (rocecc_intmd_node_emit(&w, &v.header, &n, rocecc_reader_of(NULL, NULL)) !=
        ROCECC_OK)
        return 0;
    r = rocecc_written(&w);
    rocecc_intmd_layout_update(v.header.instructions, &l);
    if (rocecc_intmd_node_next(&v, &l, &r, &n) != ROCECC_OK) return 0;
    *h = rocecc_telemetry_intmd_load(&units, &n);
    return w.at;
}

/* Writes and reads a CSIG tag. It rounds the free capacity down to steps of 1/32. */
static size_t by_csig(rocecc_hop *h)
{
    const rocecc_csig_config *c = &network.csig;
    static const rocecc_csig_table t = {
        .type[ROCECC_CSIG_ABW_C] = {.wide = true, .step_log2 = 15}};
    const rocecc_telemetry_rates rates = {0}; /* all links have the same rate */
    const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 3};
    const rocecc_csig_measured local = rocecc_telemetry_csig_store(&measured);
    rocecc_csig tag = rocecc_csig_neutral(c, true, ROCECC_CSIG_ABW_C);
    uint8_t bytes[ROCECC_CSIG_WIDE_BYTES];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_reader r;
    if (rocecc_csig_fold(&t, &port, &local, &tag) != ROCECC_CSIG_WRITTEN ||
        rocecc_csig_emit(c, &w, &tag) != ROCECC_OK)
        return 0;
    r = rocecc_written(&w);
    if (rocecc_csig_parse(c, &r, &tag) != ROCECC_OK) return 0;
    *h = rocecc_telemetry_csig_load(&units, &rates, &t, &tag);
    return w.at;
}

static const struct format {
    const char *name;
    size_t (*by)(rocecc_hop *h); /* bytes; 0 on failure */
    uint8_t items;               /* items besides the rate */
    uint32_t step_q20;           /* the utilisation is too high by less than this */
} formats[] = {{"IOAM", by_ioam, QUEUE | ROCECC_HOP_TX, 0},
               {"IFA", by_ifa, QUEUE | ROCECC_HOP_TX, 0},
               {"INT-MD", by_intmd, QUEUE | ROCECC_HOP_UTIL, ROCECC_ONE_Q20 / 10000},
               {"CSIG", by_csig, ROCECC_HOP_UTIL, ROCECC_ONE_Q20 / 32}};

/* Returns true if exactly the format's items are as measured. */
static bool same(const struct format *t, const rocecc_hop *h)
{
    const rocecc_hop *is = &measured;
    const uint8_t has = h->valid;
    return has == (t->items | ROCECC_HOP_RATE) && h->rate_bps == is->rate_bps &&
           ((has & ROCECC_HOP_ID) == 0 || h->id == is->id) &&
           ((has & ROCECC_HOP_QUEUE) == 0 || h->queue_bytes == is->queue_bytes) &&
           ((has & ROCECC_HOP_TX) == 0 || h->tx_bytes == is->tx_bytes) &&
           ((has & ROCECC_HOP_TS) == 0 || h->ts_ns == is->ts_ns) &&
           ((has & ROCECC_HOP_UTIL) == 0 || h->util_q20 - is->util_q20 < t->step_q20);
}

/* Returns a hop's number as text, or "-" if the format does not have it. */
static const char *item(const rocecc_hop *h, unsigned what, uint64_t v)
{
    static char text[4][24];
    static unsigned i;
    const bool has = (h->valid & what) != 0;
    (void)snprintf(text[i = (i + 1) % 4], 24, has ? "%u" : "-", (unsigned)v);
    return text[i];
}

static const char *load(const rocecc_hop *h)
{
    static char text[8];
    (void)snprintf(text, sizeof text, "%u%%",
                   (unsigned)((uint64_t)h->util_q20 * 100 >> 20) % 1000);
    return (h->valid & ROCECC_HOP_UTIL) != 0 ? text : "-";
}

static void telemetry(const struct format *t)
{
    rocecc_hop h = {0, 0, 0, 0, 0, 0, 0};
    const size_t bytes = t->by(&h);
    say(t->name, bytes != 0 && same(t, &h),
        "switch -> sender, %zu bytes: HPCC++ gets queue %s, sent %s, at %s ns, load %s",
        bytes, item(&h, ROCECC_HOP_QUEUE, h.queue_bytes),
        item(&h, ROCECC_HOP_TX, h.tx_bytes), item(&h, ROCECC_HOP_TS, h.ts_ns),
        load(&h));
}

/* Shows a Fast CNP with a trace. The sender supports Fast CNPs. */
static void fast_cnp(void)
{
    const rocecc_congestion_event e = {.verdict = ROCECC_WRED_MARK,
                                       .sender_support = ROCECC_FASTCNP_SUPPORT_YES};
    rocecc_congestion_config c = switch_config();
    rocecc_hop h = {0, 0, 0, 0, 0, 0, 0};
    rocecc_ioam_option o;
    rocecc_reaction_result out;
    packet p, answer;
    bool ok = traced(&p, &o) &&
              congested(&c, &p, &e, &answer).outputs == ROCECC_CONGESTION_FAST_CNP;
    out = gated(&answer);
    o.reserved = out.option.reserved;
    o.opt_type = out.option.opt_type;
    o.data = rocecc_fastcnp_trace(located(&answer).bytes, &out.option);
    ok = ok && out.verdict == ROCECC_REACTION_FAST_IOAM && hop_of(&o, &h) &&
         same(&formats[0], &h) && out.key.remote_qp == 0x456;
    say("Fast CNP", ok,
        "switch -> sender, %zu bytes: slow down to QP 0x%x; trace for HPCC++, queue %u",
        answer.n, out.key.remote_qp, h.queue_bytes);
}

/* Shows LDCP. Data with CE arrives, so its ACK has ECE. The window was 10 packets. */
static void lsn(void)
{
    rocecc_ldcp_params p = rocecc_ldcp_hns(10);
    rocecc_ldcp_receiver receiver = rocecc_ldcp_receiver_start();
    rocecc_ldcp_space acked = {0, 0};
    rocecc_ldcp_ack_event heard = {0, false, true};
    rocecc_lsn h = rocecc_lsn_default();
    uint8_t bytes[ROCECC_LSN_BYTES];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_reader r;
    rocecc_ldcp s;
    uint32_t n = 0;
    bool ok = rocecc_ldcp_init(&p) == ROCECC_LDCP_ACCEPTED;
    s = rocecc_ldcp_start(&p);
    heard.packets = 10; /* ends fast start */
    rocecc_ldcp_ack(&p, &s, heard);
    h.ack = true;
    h.ece = rocecc_ldcp_received(&p, &receiver, true).marked == 1;
    h.packet = 1;
    h.lsn = 1040;
    ok = ok && rocecc_lsn_emit(&w, &h) == ROCECC_OK;
    r = rocecc_written(&w);
    ok = ok && rocecc_lsn_parse(&r, &h) == ROCECC_OK && h.ack;
    if (ok) n = rocecc_ldcp_confirm(&acked, 1040, h.lsn, h.packet);
    heard.packets = n;
    heard.ece = h.ece;
    rocecc_ldcp_ack(&p, &s, heard);
    say("LSN", ok && s.cw_q32 == 19 * ROCECC_LDCP_ONE_Q32 / 2,
        "receiver -> sender, %zu bytes: %u packet, ECE; LDCP from 10.0 to %u.%u "
        "packets",
        w.at, n, (unsigned)(s.cw_q32 >> 32),
        (unsigned)((s.cw_q32 & UINT32_MAX) * 10 >> 32));
}

void signals(void)
{
    size_t i;
    ecn_and_cnp();
    fast_cnp();
    cnm();
    private_cnm();
    arn_and_pfc();
    for (i = 0; i < sizeof formats / sizeof *formats; i++)
        telemetry(&formats[i]);
    lsn();
}
