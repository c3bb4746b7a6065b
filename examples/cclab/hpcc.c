/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc.c - HPCC++ with each format of telemetry. The sender asks for it, a switch adds
 * the measurements of a port as a packet leaves, the receiver echoes them in its ACK
 * (role/echo.h), and the sender reads the ACK.
 *
 *            describes              per hop                 bytes in data, per hop
 *   IOAM     each hop               id queue tx time        room for all, 20
 *   IFA      each hop               id queue tx time        32
 *   INT-MD   each hop               id queue time load      24
 *   CSIG     only the worst hop     load, or queue          4 in all
 */
#include "../cctrace/algo.h"
#include "lab.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MOST 5 /* limit of hops in a trace */
#define CELL_BYTES 80
#define NO_MTU 0xffff
#define BECN 0x40 /* bit of a BTH's fifth byte */

/* Properties of a format. */
typedef struct format {
    rocecc_telemetry_format wraps; /* for the widths of clocks and counters */
    rocecc_echo_format echo;       /* format of the echo */
    void (*ask)(const lab *l, const lab_flow *x, lab_packet *p);
    void (*tell)(lab *l, const rocecc_hop *h, lab_packet *p);
} format;

/* Returns the number of switches on the longest path, but at least 4. */
static uint8_t nodes_of(const lab *l)
{
    return lab_topologies[l->o->topology].hosts != 0 ? NODES_MOST : 4;
}

static rocecc_telemetry_config units(const lab *l)
{
    rocecc_telemetry_config c;
    memset(&c, 0, sizeof c);
    c.rate_bps = l->o->rate_bps;
    c.queue_unit_bytes = CELL_BYTES;
    c.util_one = 10000;
    return c;
}

static rocecc_packet located_anew(lab_packet *p)
{
    lab_locate(p);
    return lab_located(p);
}

static void change(lab_packet *p, const rocecc_edit *e)
{
    rocecc_writer w = lab_room(p);
    w.at = p->n;
    if (rocecc_edit_apply(e, &w) != ROCECC_OK) abort();
    p->n = (uint32_t)w.at;
}

/* ---- IOAM */

static void ask_ioam(const lab *l, const lab_flow *x, lab_packet *p)
{
    const rocecc_packet at = located_anew(p);
    rocecc_ioam_source s;
    rocecc_edit e;
    (void)x;
    memset(&s, 0, sizeof s);
    s.namespace_id = 123;
    s.trace_type = ROCECC_IOAM_TYPE_HPCC;
    s.words = (uint8_t)(nodes_of(l) * 5);
    if (rocecc_ioam_insert(&at, &s, NO_MTU, &e) != ROCECC_EDIT_CHANGE) abort();
    change(p, &e);
}

static void tell_ioam(lab *l, const rocecc_hop *h, lab_packet *p)
{
    const rocecc_telemetry_config c = units(l);
    const rocecc_packet at = located_anew(p);
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    (void)rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, p->b[p->f.ip.offset + 7]);
    rocecc_telemetry_ioam_store(&c, h, &n);
    (void)rocecc_ioam_update(&at, lab_room(p), &n, rocecc_subrange(at.bytes, 0, 0));
}

/* ---- IFA 2.0 */

static void ask_ifa(const lab *l, const lab_flow *x, lab_packet *p)
{
    const uint8_t n = nodes_of(l);
    const rocecc_ifa_source s = {{ROCECC_IFA_VERSION, ROCECC_IFA_GNS_NONE, 0,
                                  ROCECC_IFA_FLAG_I,
                                  (uint8_t)(n * ROCECC_IFA_NODE_WORDS)},
                                 {0xff, 0, n, 0},
                                 0};
    const rocecc_packet at = located_anew(p);
    rocecc_edit e;
    (void)x;
    if (rocecc_ifa_insert(&at, &s, NO_MTU, &e) != ROCECC_EDIT_CHANGE) abort();
    change(p, &e);
}

static void tell_ifa(lab *l, const rocecc_hop *h, lab_packet *p)
{
    const rocecc_telemetry_config c = units(l);
    const rocecc_packet at = located_anew(p);
    rocecc_hop full = *h;
    rocecc_ifa_node n;
    rocecc_edit e;
    memset(&n, 0, sizeof n);
    /* The field has 16 bits. It saturates, because a long queue must not go
     * unreported. */
    full.queue_bytes = (uint32_t)rocecc_min(h->queue_bytes, 0xffff * CELL_BYTES);
    l->saturated += full.queue_bytes != h->queue_bytes;
    n.layout = ROCECC_IFA_LAYOUT_B;
    n.lns = 2;
    n.ttl = p->b[p->f.ip.offset + 7];
    n.present = ROCECC_IFA_TTL;
    if (rocecc_telemetry_ifa_emit(&c, &full, &n) != ROCECC_OK) return;
    if (rocecc_ifa_push(&at, &n, NO_MTU, &e) == ROCECC_EDIT_CHANGE) change(p, &e);
}

/* ---- INT-MD */

static void ask_int(const lab *l, const lab_flow *x, lab_packet *p)
{
    const rocecc_packet at = located_anew(p);
    rocecc_intmd_source s;
    rocecc_edit e;
    (void)x;
    memset(&s, 0, sizeof s);
    s.mark = ROCECC_INTMD_MARK_PORT;
    s.mtu_bytes = NO_MTU;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, nodes_of(l));
    if (rocecc_intmd_insert(&at, &s, NULL, rocecc_reader_of(NULL, NULL), &e) !=
        ROCECC_EDIT_CHANGE)
        abort();
    change(p, &e);
}

static void tell_int(lab *l, const rocecc_hop *h, lab_packet *p)
{
    const rocecc_telemetry_config c = units(l);
    const rocecc_packet at = located_anew(p);
    rocecc_intmd_node n;
    rocecc_edit e;
    rocecc_intmd_node_init(&n);
    rocecc_telemetry_intmd_store(&c, h, &n);
    if (rocecc_intmd_push(&at, &n, rocecc_reader_of(NULL, NULL), NO_MTU, &e) ==
        ROCECC_EDIT_CHANGE)
        change(p, &e);
}

/* ---- CSIG: a tag of 4 bytes in the Ethernet header */

/*
 * Sets 32 buckets for a load and 32 for a drain time, which no document assigns. ABW/C
 * has 24 buckets of 1/256 of the link, because the target is 1/20, and 8 wider ones.
 * For qlen/B, the first bucket is T/64 wide, where T is the base RTT, and means an
 * empty queue. Each later bucket is as wide as T/64 plus a quarter of all buckets
 * before it, and the last one ends at about 78 T.
 */
static void buckets(rocecc_csig_table *t, uint32_t t_ns)
{
    static const uint16_t wide[9] = {24, 32, 48, 64, 96, 128, 160, 192, 257};
    rocecc_csig_buckets *load = &t->type[ROCECC_CSIG_ABW_C];
    rocecc_csig_buckets *drain = &t->type[ROCECC_CSIG_NQD];
    uint64_t from = 0;
    uint32_t i;
    load->n = drain->n = ROCECC_CSIG_COMPACT_BUCKETS;
    for (i = 0; i < ROCECC_CSIG_COMPACT_BUCKETS; i++) {
        const uint32_t least = i < 24 ? i : wide[i - 24];
        const uint32_t next = i < 24 ? i + 1 : wide[i - 23];
        load->range[i].min = (uint64_t)least << 12;
        load->range[i].max = ((uint64_t)next << 12) - 1;
        drain->range[i].min = from;
        from += from / 4 + t_ns / 64;
        drain->range[i].max = from - 1;
    }
}

static void ask_csig(const lab *l, const lab_flow *x, lab_packet *p)
{
    const bool load = x->asked == ROCECC_HPCC_UTILISATION;
    const rocecc_csig tag = rocecc_csig_neutral(
        &lab_domain.csig, false, load ? ROCECC_CSIG_ABW_C : ROCECC_CSIG_NQD);
    const rocecc_packet at = located_anew(p);
    rocecc_edit e;
    (void)l;
    if (rocecc_csig_insert(&at, &tag, &e) != ROCECC_EDIT_CHANGE) abort();
    change(p, &e);
}

static void tell_csig(lab *l, const rocecc_hop *h, lab_packet *p)
{
    const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false,
                                   (uint16_t)(h->id >> 32 & 0x7f)};
    const rocecc_csig_measured local = rocecc_telemetry_csig_store(h);
    const rocecc_packet at = located_anew(p);
    rocecc_edit e;
    if (rocecc_csig_push(&at, &l->csig, &port, &local, &e) == ROCECC_EDIT_CHANGE)
        change(p, &e);
}

/* ---- parts for all formats */

static const format *format_of(const lab_part *part)
{
    return part->s->own;
}

/*
 * Sets the parameters for NICs of nic_bps and links of the options' rate. By default,
 * W_AI is 80 bytes at 100 Gb/s, as in the paper's runs.
 */
static rocecc_hpcc_refusal tune(const lab *l, lab_part *part, uint64_t nic_bps)
{
    const rocecc_telemetry_config c = units(l);
    const uint64_t rate_bps = l->o->rate_bps;
    rocecc_hpcc_params tuned = rocecc_hpcc_paper(rate_bps), *p = &tuned;
    rocecc_telemetry_moduli wraps;
    rocecc_hpcc_refusal refusal;
    lab_preset(l, part, &algo_hpcc, rate_bps, p);
    p->base_rtt_ns = (uint32_t)(l->base_rtt * 105 / 100000);
    p->w_init_bytes = p->w_max_bytes = nic_bps / 8000000 * p->base_rtt_ns / 1000;
    p->w_blind_bytes = rocecc_max(p->w_init_bytes / 20, 1);
    p->w_ai_q8 = rate_bps / 1250000000 * 256;
    if (l->o->ai_bps != 0)
        p->w_ai_q8 = l->o->ai_bps / 1000 * p->base_rtt_ns / 8000 * 256 / 1000;
    p->reorder_ns = (uint32_t)rocecc_min(4 * (uint64_t)p->base_rtt_ns, 1u << 30);
    p->max_hops = nodes_of(l);
    wraps = rocecc_telemetry_moduli_derive(&c, format_of(part)->wraps, p->fastest_bps,
                                           p->reorder_ns);
    p->ts_mod_ns = wraps.ts_mod_ns;
    p->tx_mod_bytes = wraps.tx_mod_bytes;
    p->dt_max_ns = wraps.dt_max_ns;
    lab_members(l->o, &algo_hpcc, p);
    refusal = rocecc_hpcc_init(p);
    part->hpcc = tuned;
    return refusal;
}

static bool setup(lab *l, lab_part *part)
{
    const rocecc_hpcc_refusal refusal = tune(l, part, l->nic_bps);
    if (l->o->topology == LAB_WAN)
        return lab_refuse(l, "the tunnel of --topology wan hides telemetry");
    if (refusal != ROCECC_HPCC_ACCEPTED)
        return lab_refuse_member(l, &algo_hpcc, refusal, &part->hpcc);
    buckets(&l->csig, part->hpcc.base_rtt_ns);
    l->wred = rocecc_wred_hpcc_runs(l->o->rate_bps);
    lab_preset(l, part, &algo_wred, l->o->rate_bps, &l->wred);
    lab_members(l->o, &algo_wred, &l->wred);
    if (rocecc_wred_init(&l->wred) != ROCECC_WRED_ACCEPTED)
        return lab_refuse_member(l, &algo_wred, rocecc_wred_init(&l->wred), &l->wred);
    return rocecc_csig_table_init(&l->csig) == ROCECC_OK ||
           lab_refuse(l, "CSIG refuses its table of buckets");
}

/* Applies a new NIC rate to a part's parameters and flows. */
static void relink(lab *l, lab_part *part)
{
    uint32_t i;
    if (tune(l, part, l->nic_bps) != ROCECC_HPCC_ACCEPTED) abort();
    for (i = 0; i < l->n_flows; i++) {
        lab_flow *x = &l->flow[i];
        rocecc_hpcc_action a;
        if (x->part != part) continue;
        a = rocecc_hpcc_relink(&part->hpcc, &x->at.hpcc);
        lab_set(l, x, a.rate_bps, a.window_bytes);
    }
}

static void start(lab *l, lab_flow *x)
{
    x->at.hpcc = rocecc_hpcc_start(&x->part->hpcc);
    x->asked = ROCECC_HPCC_DELAY; /* because U starts above its target */
    lab_set(l, x, l->nic_bps, x->part->hpcc.w_init_bytes);
}

static void data(lab *l, lab_flow *x, lab_packet *p)
{
    format_of(x->part)->ask(l, x, p);
}

/* Draws the measurements of a misbehaving switch at random. The id is random in only
   half of its records, because a sender that always saw a new id would use no other
   field. */
static void lie(lab *l, rocecc_hop *h)
{
    h->tx_bytes = lab_random(l);
    h->ts_ns = lab_random(l); /* with more bits, each would be too late to be used */
    h->queue_bytes = lab_random(l) % 65536 * CELL_BYTES;
    h->util_q20 = lab_random(l);
    if (lab_random(l) % 2 == 0) return;
    h->id = (uint64_t)(lab_random(l) & 0xfffff) << 32;
    h->id |= lab_random(l) & 0xfff;
}

/*
 * Returns the utilisation of the port over the last whole window. A window is a quarter
 * of the base RTT, within the meter's limits. Bytes include the frame overhead. The
 * meter has its own clock, which no fault affects.
 */
static rocecc_abw_action utilisation(const lab *l, lab_port *port)
{
    const uint64_t sent_bytes = port->count.wire_bytes - port->metered_bytes;
    rocecc_abw_params *p = &port->meter_params;
    if (p->rate_bps != port->rate_bps) { /* first packet, or a new rate */
        const bool first = p->rate_bps == 0;
        p->rate_bps = port->rate_bps;
        p->window_ns = (uint32_t)rocecc_min(
            rocecc_max(l->base_rtt / 4000, ROCECC_ABW_WINDOW_MIN_NS),
            ROCECC_ABW_WINDOW_MAX_NS);
        if (rocecc_abw_init(p) != ROCECC_ABW_ACCEPTED) abort();
        if (first) port->meter = rocecc_abw_start(p, 0);
    }
    port->metered_bytes = port->count.wire_bytes;
    return rocecc_abw_step(p, &port->meter, sent_bytes, l->now / 1000);
}

/* Returns a port's measurements as a packet leaves it. */
static rocecc_hop measure(lab *l, lab_port *port)
{
    const rocecc_abw_action load = utilisation(l, port);
    rocecc_hop h;
    h.id = (uint64_t)port->node->index << 32 | port->index;
    h.rate_bps = port->rate_bps;
    h.tx_bytes = port->count.wire_bytes & 0xffffffff;
    h.ts_ns = lab_clock_ns(l, port->node);
    h.queue_bytes = (uint32_t)(lab_queued(port) / CELL_BYTES * CELL_BYTES);
    h.util_q20 = load.util_q20;
    h.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_TX | ROCECC_HOP_TS |
              ROCECC_HOP_QUEUE | (load.known ? ROCECC_HOP_UTIL : 0);
    if (l->o->liar && port->node == l->bottleneck->node) lie(l, &h);
    return h;
}

static void leave(lab *l, lab_port *port, lab_packet *p)
{
    rocecc_hop h;
    if (lab_flow_of(l, p) == NULL || lab_trouble_blinds(l, port->node)) return;
    h = measure(l, port);
    format_of(lab_flow_of(l, p)->part)->tell(l, &h, p);
}

/* Echoes the received telemetry after the AETH, and CE as BECN. */
static void received(lab *l, lab_flow *x, const lab_packet *p, lab_packet *ack)
{
    const rocecc_packet came = lab_located(p);
    rocecc_writer w = lab_room(ack);
    (void)l;
    if (lab_ecn(p) == ROCECC_ECN_CE)
        ack->b[ack->n - LAB_AETH_BYTES - ROCECC_BTH_BYTES + 4] |= BECN;
    (void)x;
    w.at = ack->n;
    w.end -= ROCECC_ICRC_BYTES;
    if (rocecc_echo_receiver_needs_action(rocecc_echo_receiver_step(&came, &w)))
        (void)lab_append(ack, w.at - ack->n); /* adjusts the lengths */
}

static uint8_t marked(const rocecc_packet *ack)
{
    return (ack->bytes.base[ack->headers.bth + 4] & BECN) != 0
               ? ROCECC_HPCC_ECN_MARKED
               : ROCECC_HPCC_ECN_UNMARKED;
}

/* Updates the window from the echoed hops or the echoed signal. */
static rocecc_hpcc_action react(lab *l, lab_flow *x, const rocecc_packet *ack,
                                const rocecc_echo_sender_event *e)
{
    const uint32_t seq = (uint32_t)x->acked, next = (uint32_t)x->sent;
    const rocecc_telemetry_config c = units(l);
    rocecc_hpcc_csig_event sample = {0, 0, seq, next, lab_now_ns(l), 0};
    rocecc_hop hops[NODES_MOST];
    rocecc_hpcc_event report = {hops, 0, seq, next, lab_now_ns(l), 0, false};
    const rocecc_telemetry_rates rates = {0}; /* not needed for ABW/C and nQD */
    rocecc_echo_sender_result heard;
    rocecc_echo_sender_step(&c, ack, *e, hops, &heard);
    sample.ecn = report.ecn = marked(ack);
    if (e->format != ROCECC_ECHO_CSIG) {
        if (heard.verdict == ROCECC_ECHO_SENDER_HOPS) {
            report.n_hops = heard.path.n;
            report.incomplete = heard.path.complete == ROCECC_TELEMETRY_COMPLETE_NO;
        }
        return rocecc_hpcc_ack(&x->part->hpcc, &x->at.hpcc, x->hop, &report);
    }
    if (heard.verdict == ROCECC_ECHO_SENDER_TAG)
        (void)rocecc_telemetry_csig_sample(&c, &rates, &l->csig, &heard.tag, &sample);
    return rocecc_hpcc_csig_ack(&x->part->hpcc, &x->at.hpcc, &sample);
}

/* Uses an echo if the ACK's PSN, the next packet's, is not before the last ACK's. */
static void acked(lab *l, lab_flow *x, const lab_packet *p, uint64_t bytes, bool lost)
{
    const rocecc_packet ack = lab_located(p);
    const uint64_t first = (x->acked - bytes + l->mtu - 1) / l->mtu;
    const rocecc_echo_sender_event e = {lab_sender_qp(x), (uint32_t)first & 0xffffff,
                                        0x800000, nodes_of(l),
                                        (uint8_t)format_of(x->part)->echo, 0, 0};
    const rocecc_hpcc_action a = react(l, x, &ack, &e);
    (void)lost;
    if (a.verdict != ROCECC_HPCC_IGNORED) l->notifications++;
    x->asked = a.request;
    lab_set(l, x, a.rate_bps, a.window_bytes);
}

#define SCHEME(id, text, format, clocks)                                               \
    {                                                                                  \
        .name = id, .what = text, .setup = setup, .start = start, .data = data,        \
        .received = received, .acked = acked, .queue = lab_wred_queue,                 \
        .mark = lab_wred_mark, .leave = leave, .relink = relink, .own = format,        \
        .by_clocks = clocks                                                            \
    }

static const format of_int = {ROCECC_TELEMETRY_INTMD, ROCECC_ECHO_INTMD, ask_int,
                              tell_int};
static const format of_ioam = {ROCECC_TELEMETRY_IOAM, ROCECC_ECHO_IOAM, ask_ioam,
                               tell_ioam};
static const format of_ifa = {ROCECC_TELEMETRY_IFA_B, ROCECC_ECHO_IFA, ask_ifa,
                              tell_ifa};
static const format of_csig = {ROCECC_TELEMETRY_IOAM, ROCECC_ECHO_CSIG, ask_csig,
                               tell_csig};

const lab_scheme lab_hpcc_int =
    SCHEME("hpcc-int", "HPCC++: telemetry by INT-MD", &of_int, false);
const lab_scheme lab_hpcc_ioam =
    SCHEME("hpcc-ioam", "HPCC++: telemetry by IOAM", &of_ioam, true);
const lab_scheme lab_hpcc_ifa =
    SCHEME("hpcc-ifa", "HPCC++: telemetry by IFA 2.0", &of_ifa, true);
const lab_scheme lab_hpcc_csig =
    SCHEME("hpcc-csig", "HPCC++: telemetry by CSIG", &of_csig, false);
