/* SPDX-License-Identifier: BSD-2-Clause */
#include "reaction.h"

#define MAX_HOPS 4
#define EVENTS 32u /* a power of 2 */
#define PEERS 1    /* list entries, each with its own tag */

typedef struct qp {
    uint32_t first; /* the oldest unacknowledged packet */
    uint32_t next;  /* the next packet to send */
    rocecc_hpcc hpcc;
    rocecc_hpcc_hop hops[MAX_HOPS];
    rocecc_hpcc_action act;
    rocecc_dcqcn_timed dcqcn;
} qp;

typedef struct event {
    uint64_t now_ns;
    size_t n;
    uint8_t frame[REACTION_FRAME];
} event;

static rocecc_domain network;
static rocecc_telemetry_config units;
static rocecc_hpcc_params hpcc;
static rocecc_dcqcn_params dcqcn;
static rocecc_reaction_config gate_config;
static rocecc_reaction_point gate;
static rocecc_acl_entry peer_entries[PEERS];
static rocecc_acl peers;
static rocecc_admission_source sources[PEERS]; /* indexed by tag */
static uint32_t first_qp;
static qp qps[REACTION_QPS];

/* Only the interrupt writes `posted`, and only the loop writes `taken`. */
static event events[EVENTS];
static volatile uint32_t posted, taken;

static bool open_hpcc(uint64_t line_bps)
{
    rocecc_telemetry_moduli wraps;
    units.rate_bps = line_bps;
    units.queue_unit_bytes = 50;
    units.every_node = true;
    hpcc = rocecc_hpcc_paper(line_bps);
    hpcc.max_hops = MAX_HOPS;
    wraps = rocecc_telemetry_moduli_derive(&units, ROCECC_TELEMETRY_IOAM,
                                           hpcc.fastest_bps, hpcc.reorder_ns);
    hpcc.ts_mod_ns = wraps.ts_mod_ns;
    hpcc.tx_mod_bytes = wraps.tx_mod_bytes;
    hpcc.dt_max_ns = wraps.dt_max_ns;
    return rocecc_telemetry_init(&units) == ROCECC_OK &&
           rocecc_hpcc_init(&hpcc) == ROCECC_HPCC_ACCEPTED;
}

/*
 * Sets up the gate for CNPs from the QPs' peers. A peer may send 20000 CNPs per second
 * for each QP, one in 50 us.
 */
static bool open_gate(const rocecc_ip6 *peer)
{
    uint32_t at;
    size_t i;
    peer_entries[0].prefix = *peer;
    peer_entries[0].length = 128;
    peer_entries[0].permit = 1;
    gate_config.check_icrc = true;
    gate_config.ordinary_listed = true;
    gate_config.admission = rocecc_admission_for(4, 20000 * REACTION_QPS);
    if (rocecc_acl_init(&peers, peer_entries, PEERS, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_reaction_point_init(&gate_config, &network, &peers) !=
            ROCECC_REACTION_ACCEPTED)
        return false;
    gate = rocecc_reaction_point_start(&gate_config, 0);
    for (i = 0; i < PEERS; i++)
        sources[i] = rocecc_admission_source_start(&gate_config.admission, 0);
    return true;
}

bool reaction_open(uint64_t line_bps, uint32_t first, const rocecc_ip6 *peer)
{
    size_t i;
    network.roce.echo_bytes = 160;
    network.ioam.tx_bytes_bit = 12;
    dcqcn = rocecc_dcqcn_paper(line_bps);
    if (rocecc_domain_init(&network) != ROCECC_DOMAIN_ACCEPTED ||
        !open_hpcc(line_bps) || rocecc_dcqcn_init(&dcqcn) != ROCECC_DCQCN_ACCEPTED ||
        !open_gate(peer))
        return false;
    first_qp = first;
    for (i = 0; i < REACTION_QPS; i++) {
        qps[i].hpcc = rocecc_hpcc_start(&hpcc);
        qps[i].dcqcn = rocecc_dcqcn_timed_start(&dcqcn, 0);
        qps[i].next = 128; /* as if 128 packets were always in flight */
    }
    return true;
}

bool reaction_post(uint64_t now_ns, const uint8_t *frame, size_t n)
{
    event *e = &events[posted % EVENTS];
    size_t i;
    if (posted - taken == EVENTS || n > REACTION_FRAME) return false;
    e->now_ns = now_ns;
    e->n = n;
    for (i = 0; i < n; i++)
        e->frame[i] = frame[i];
    __asm__ volatile("" ::: "memory"); /* write the event before its number */
    posted++;
    return true;
}

int reaction_idle(void)
{
    return posted == taken;
}

static qp *qp_of(uint32_t number)
{
    return number - first_qp < REACTION_QPS ? &qps[number - first_qp] : NULL;
}

/* Passes an ACK and its telemetry to HPCC++. */
static void ack(const rocecc_packet *p, const rocecc_bth *bth, qp *q, uint64_t now_ns)
{
    const rocecc_echo_sender_event asked = {bth->dest_qp,
                                            q->first & 0xffffff,
                                            q->next - q->first,
                                            MAX_HOPS,
                                            ROCECC_ECHO_IOAM,
                                            0,
                                            0};
    rocecc_hop hops[MAX_HOPS];
    rocecc_hpcc_event report = {hops, 0, 0, 0, now_ns, ROCECC_HPCC_ECN_UNKNOWN, false};
    rocecc_echo_sender_result heard;
    const uint32_t after = (bth->psn - q->first) & 0xffffff;
    if (after >= q->next - q->first) return;
    rocecc_echo_sender_step(&units, p, asked, hops, &heard);
    if (heard.verdict == ROCECC_ECHO_SENDER_HOPS) {
        report.n_hops = heard.path.n;
        report.incomplete = heard.path.complete == ROCECC_TELEMETRY_COMPLETE_NO;
    }
    q->first += after + 1;
    q->next = q->first + 128;
    report.seq = q->first;
    report.snd_nxt = q->next;
    q->act = rocecc_hpcc_ack(&hpcc, &q->hpcc, q->hops, &report);
}

/* Returns true if a packet other than a CNP may end here and has a correct ICRC. */
static bool is_valid(const rocecc_packet *p)
{
    const rocecc_arrival_config host = ROCECC_ZERO;
    rocecc_icmp_error error; /* not sent here */
    rocecc_icrc icrc;
    return p->headers.outer.version == 0 &&
           rocecc_arrival_check(&host, p, &p->headers.ip, &error) ==
               ROCECC_ARRIVAL_OK &&
           rocecc_icrc_verify(ROCECC_ICRC_AUTO, p, &icrc) == ROCECC_OK && icrc.ok;
}

/* Passes a CNP to DCQCN if the gate accepts it. */
static void cnp(const rocecc_packet *p, qp *q, uint64_t now_ns)
{
    const rocecc_reaction_event e = {{now_ns, &peers, NULL, sources, PEERS},
                                     ROCECC_REACTION_PEER_UNKNOWN};
    rocecc_reaction_result out;
    rocecc_reaction_point_step(&gate_config, &gate, p, &e, &out);
    if (out.verdict == ROCECC_REACTION_ORDINARY)
        (void)rocecc_dcqcn_timed_cnp(&dcqcn, &q->dcqcn, now_ns);
}

static void frame(rocecc_reader bytes, uint64_t now_ns)
{
    rocecc_packet p;
    rocecc_reader r;
    rocecc_bth bth;
    qp *q;
    if (rocecc_packet_parse(&network, bytes, &p) != ROCECC_OK || p.headers.bth == 0)
        return;
    r = rocecc_subrange(p.bytes, p.headers.bth, p.headers.end);
    if (rocecc_bth_parse(&r, &bth) != ROCECC_OK) return;
    q = qp_of(bth.dest_qp);
    if (q == NULL) return;
    if (bth.opcode == ROCECC_OPCODE_CNP)
        cnp(&p, q, now_ns);
    else if (bth.opcode == ROCECC_RC_ACKNOWLEDGE && is_valid(&p))
        ack(&p, &bth, q, now_ns);
}

bool reaction_step(void)
{
    const event *e = &events[taken % EVENTS];
    size_t i;
    if (reaction_idle()) return false;
    __asm__ volatile("" ::: "memory"); /* read the number before its event */
    if (e->n != 0) {
        frame(rocecc_reader_of(e->frame, e->frame + e->n), e->now_ns);
    } else {
        for (i = 0; i < REACTION_QPS; i++)
            (void)rocecc_dcqcn_timed_advance(&dcqcn, &qps[i].dcqcn, e->now_ns);
    }
    taken++;
    return true;
}

reaction_rates reaction_rates_of(size_t i)
{
    reaction_rates r;
    r.hpcc_bps = qps[i].act.rate_bps;
    r.window_bytes = qps[i].act.window_bytes;
    r.dcqcn_bps = qps[i].dcqcn.flow.rate_bps;
    return r;
}

const rocecc_reaction_point *reaction_gate(void)
{
    return &gate;
}
