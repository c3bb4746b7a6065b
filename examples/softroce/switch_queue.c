/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * switch_queue.c - the slow port of a switch. WRED (wred.h) decides about RoCEv2 data,
 * and the congestion point then marks CE or sends a Fast CNP.
 *
 * Each frame has the time at which its last bit leaves the port. A frame is in the
 * queue until then, so the queue is exact at each arrival, even if the program passes
 * frames on late.
 */
#include "switch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rocecc/packet/answer.h"
#include "rocecc/packet/flow.h"
#include "rocecc/packet/ioam.h"
#include "rocecc/telemetry/ioam.h"
#include "rocecc/wire/ext.h"

#define GATES 64 /* flows with their own gate at a time */

/* Contents of a RoCEv2 frame. For any other frame, is_roce is false. */
typedef struct look {
    rocecc_packet p;
    rocecc_bth bth;
    bool is_roce;
} look;

typedef struct waiting {
    struct waiting *next;
    uint64_t leaves_ns;
    bool is_roce;
    rocecc_bth bth;
    size_t n;
    uint8_t bytes[];
} waiting;

static struct {
    waiting *first, *last;
    uint64_t bytes;
    uint64_t free_ns;   /* end of the last frame, in ns ... */
    uint64_t free_rest; /* ... plus free_rest / rate_bps ns */
    uint64_t sent_bytes;
} queue;

typedef struct flow_gate {
    rocecc_ip6 dst;
    uint32_t dest_qp;
    rocecc_cnpgate gate;
} flow_gate;

static switch_options *with;
static port *ports;
static uint64_t start_ns;
static rocecc_wred_params wred;
static rocecc_congestion_config config;
static rocecc_congestion_point point;
static rocecc_acl senders;
static flow_gate gates[GATES];
static size_t n_gates; /* times that a flow was given a gate */

/* Fate of a frame for the receiver. */
typedef enum fate { PASS = 0, MARK, TOLD, FULL, FATES } fate;
static const char *const fates[FATES] = {"\tpass", "\tmark", "\ttold", "\tfull"};

static struct {
    uint64_t roce[FATES];      /* to the receiver */
    uint64_t other[FATES];     /* others to the receiver; PASS or FULL */
    uint64_t cnps, acks, back; /* from the receiver; all frames are in `back` */
    uint64_t late_ns;          /* maximum, from leaving the queue to the socket */
} count;

static void configure(void)
{
    wred.mark.min_bytes = with->wred_min_bytes;
    wred.mark.max_bytes = with->wred_max_bytes;
    wred.mark.pmax_q32 = rocecc_wred_percent_q32(with->wred_pmax);
    wred.drop = rocecc_wred_off(); /* Not-ECT has a plain FIFO */
    wred.buf_max_bytes = with->queue_bytes;
    config.fastcnp_enabled = with->fastcnp;
    config.cnp = rocecc_cnp_default();
    config.cnp.src = with->address;
    config.icrc_rule = with->icrc;
    config.answer = rocecc_opcode_set_data();
    config.quiet_if_told = true;
    config.plain_if_long = true;
    config.gate.interval_ns = (uint32_t)rocecc_min(with->gap_us, 4000000u) * 1000;
    /* Each packet that the slow port takes causes at most one Fast CNP. */
    config.admission.unlimited = true;
}

const char *queue_start(switch_options *o, port *both, uint64_t now_ns)
{
    uint32_t at;
    with = o;
    ports = both;
    start_ns = now_ns;
    configure();
    if (o->rate_bps == 0 || o->rate_bps >= ROCECC_RATE_END_BPS)
        return "rate_bps: expected 1 to 8796093022207";
    if (o->ioam >> 24 != 0) return "ioam: expected at most 24 bits";
    if (rocecc_wred_init(&wred) != ROCECC_WRED_ACCEPTED)
        return "WRED: expected queue_bytes above 0, wred_min_bytes up to "
               "wred_max_bytes, wred_pmax up to 100";
    if (rocecc_domain_init(&o->domain) != ROCECC_DOMAIN_ACCEPTED)
        return "type_plain: not a valid option type for Fast CNPs";
    if (rocecc_acl_init(&senders, &o->permit, 1, &at) != ROCECC_ACL_ACCEPTED)
        return "permit: not a prefix (its length, or a bit after the prefix)";
    switch (rocecc_congestion_point_init(&config, &o->domain, &senders)) {
    case ROCECC_CONGESTION_ACCEPTED:
        point = rocecc_congestion_point_start(&config, now_ns);
        return NULL;
    case ROCECC_CONGESTION_REFUSED_ADDRESS:
        return "address: not the address of a switch";
    case ROCECC_CONGESTION_REFUSED_GATE:
        return "gap_us: expected at most 2147483";
    default:
        return "the congestion point refuses its configuration";
    }
}

/* Returns the same numbers in each run with the same seed. */
static uint32_t random32(void)
{
    with->seed = with->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(with->seed >> 32);
}

static look look_at(frame f)
{
    const rocecc_reader r = rocecc_reader_of(f.b, f.b + f.n);
    rocecc_reader bth;
    look l;
    memset(&l.bth, 0, sizeof l.bth);
    (void)rocecc_packet_parse(&with->domain, r, &l.p);
    bth = rocecc_subrange(r, l.p.headers.bth, l.p.headers.end);
    l.is_roce = l.p.headers.status == ROCECC_OK &&
                l.p.headers.kind == ROCECC_PACKET_KIND_ROCEV2 &&
                rocecc_packet_outermost(&l.p)->end <= f.n && /* and complete */
                rocecc_bth_parse(&bth, &l.bth) == ROCECC_OK;
    return l;
}

/* Writes a log line, or its beginning. */
static void log_flow(const char *what, uint64_t at_ns, uint32_t qp, const char *end)
{
    if (with->log != NULL)
        fprintf(with->log, "%s\t%" PRIu64 "\t%" PRIu32 "%s", what, at_ns - start_ns, qp,
                end);
}

/* Logs a packet of n bytes and the queue length. */
static void log_data(const char *what, uint64_t at_ns, const rocecc_bth *bth, size_t n,
                     uint64_t queue_bytes, const char *end)
{
    if (with->log == NULL) return;
    log_flow(what, at_ns, bth->dest_qp, "");
    fprintf(with->log, "\t%" PRIu32 "\t%u\t%zu\t%" PRIu64 "%s\n", bth->psn, bth->opcode,
            n, queue_bytes, end);
}

/* Returns the time at which n more bytes have left. Rounding errors do not add up. */
static uint64_t leaves_ns(size_t n, uint64_t now_ns)
{
    uint64_t parts;
    if (queue.free_ns < now_ns) {
        queue.free_ns = now_ns;
        queue.free_rest = 0;
    }
    parts = n * UINT64_C(8000000000) + queue.free_rest;
    queue.free_ns += parts / with->rate_bps;
    queue.free_rest = parts % with->rate_bps;
    return queue.free_ns;
}

static void push(frame f, const look *l, uint64_t now_ns)
{
    waiting *w = malloc(sizeof *w + f.n);
    if (w == NULL) {
        fputs("switch: out of memory\n", stderr);
        exit(1);
    }
    w->next = NULL;
    w->leaves_ns = leaves_ns(f.n, now_ns);
    w->is_roce = l->is_roce;
    w->bth = l->bth;
    w->n = f.n;
    memcpy(w->bytes, f.b, f.n);
    if (queue.first == NULL)
        queue.first = w;
    else
        queue.last->next = w;
    queue.last = w;
    queue.bytes += f.n;
}

/* Adds this port, as the frame leaves it, to a pre-allocated IOAM trace in the
 * frame. */
static void trace(waiting *w)
{
    static const rocecc_telemetry_config units = {.queue_unit_bytes = 1};
    const frame f = {w->bytes, w->n};
    const look l = look_at(f);
    rocecc_ioam_node n;
    rocecc_hop h = {.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX |
                             ROCECC_HOP_TS};
    h.id = (uint64_t)with->ioam << 32 | (RECEIVER + 1);
    h.queue_bytes = (uint32_t)rocecc_min(queue.bytes, UINT32_MAX);
    h.tx_bytes = queue.sent_bytes;
    h.ts_ns = w->leaves_ns - start_ns;
    rocecc_ioam_node_init(&n);
    rocecc_telemetry_ioam_store(&units, &h, &n);
    (void)rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_INGRESS_ID, SENDER + 1);
    if (l.p.headers.ip.version == 6)
        (void)rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_HOP_LIMIT,
                              w->bytes[l.p.headers.ip.offset + 7]);
    (void)rocecc_ioam_update(&l.p, rocecc_writer_of(w->bytes, w->bytes + w->n), &n,
                             rocecc_subrange(l.p.bytes, 0, 0));
}

void queue_advance(uint64_t now_ns)
{
    waiting *w;
    while ((w = queue.first) != NULL && w->leaves_ns <= now_ns) {
        queue.first = w->next;
        queue.bytes -= w->n;
        queue.sent_bytes += w->n;
        if (w->is_roce && with->ioam != 0) trace(w);
        port_send(&ports[RECEIVER], w->bytes, w->n);
        if (w->is_roce) log_data("sent", w->leaves_ns, &w->bth, w->n, queue.bytes, "");
        count.late_ns = rocecc_max(count.late_ns, now_ns - w->leaves_ns);
        free(w);
    }
}

uint64_t queue_due_ns(void)
{
    return queue.first != NULL ? queue.first->leaves_ns : UINT64_MAX;
}

/* Returns the gate of a flow. A new flow takes a free gate, or else the one that has
 * belonged to its flow for the longest time. */
static rocecc_cnpgate *gate_of(const look *l)
{
    const size_t known = rocecc_min(n_gates, (size_t)GATES);
    flow_gate *g;
    rocecc_ip6 dst = {{0}};
    size_t i;
    rocecc_ip ip;
    if (rocecc_packet_ip(&l->p, &l->p.headers.ip, &ip) == ROCECC_OK) dst = ip.dst;
    rocecc_packet_final_dst(&l->p, &l->p.headers.ip, &dst);
    for (i = 0; i < known; i++)
        if (gates[i].dest_qp == l->bth.dest_qp &&
            memcmp(&gates[i].dst, &dst, sizeof dst) == 0)
            return &gates[i].gate;
    g = &gates[n_gates++ % GATES];
    g->dst = dst;
    g->dest_qp = l->bth.dest_qp;
    g->gate = rocecc_cnpgate_start(&config.gate);
    return &g->gate;
}

/* Returns WRED's verdict. Any frame other than RoCEv2 data counts as Not-ECT. */
static rocecc_wred_verdict decide(const look *l, size_t n)
{
    const uint64_t queued = rocecc_min(queue.bytes + n, UINT32_MAX);
    rocecc_ecn ecn = ROCECC_ECN_NOT_ECT;
    rocecc_ip ip;
    if (l->is_roce && rocecc_opcode_set_has(&config.answer, l->bth.opcode) &&
        rocecc_packet_ip(&l->p, rocecc_packet_outermost(&l->p), &ip) == ROCECC_OK)
        ecn = ip.ecn;
    return rocecc_wred_decide(&wred, (uint32_t)queued, ecn, random32());
}

/* Sends a Fast CNP for the packet to its sender, or marks CE, or does neither. Returns
 * the packet's fate. */
static fate congested(frame f, const look *l, uint64_t now_ns)
{
    static const rocecc_mac own = {{2, 0, 0, 0, 0, 5}};
    const rocecc_answer back = {own, ROCECC_TYPE_IPV6, 0, false};
    uint8_t bytes[512];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_congestion_event e = {.admission = {now_ns, &senders, NULL, NULL, 0},
                                 .gate = gate_of(l),
                                 .verdict = ROCECC_WRED_MARK,
                                 .sender_support = ROCECC_FASTCNP_SUPPORT_YES};
    rocecc_congestion_result out;
    if (rocecc_answer_ether(&w, &l->p, &back) != ROCECC_OK)
        e.sender_support = ROCECC_FASTCNP_SUPPORT_NO; /* no header for an answer */
    out = rocecc_congestion_point_step(&config, &point, &l->p, &e, &w);
    if ((out.outputs & ROCECC_CONGESTION_FAST_CNP) != 0) {
        port_send(&ports[SENDER], bytes, w.at);
        return TOLD;
    }
    return with->ecn && (out.outputs & ROCECC_CONGESTION_MARK) != 0 &&
                   rocecc_congestion_point_mark(&l->p, rocecc_writer_of(f.b, f.b + f.n))
               ? MARK
               : PASS;
}

void queue_from_sender(frame f, uint64_t now_ns)
{
    look l;
    rocecc_wred_verdict verdict;
    fate what = PASS;
    queue_advance(now_ns);
    l = look_at(f);
    verdict = decide(&l, f.n);
    if (verdict == ROCECC_WRED_DROP) what = FULL;
    if (verdict == ROCECC_WRED_MARK) what = congested(f, &l, now_ns);
    if (l.is_roce) {
        count.roce[what]++;
        log_data("offered", now_ns, &l.bth, f.n, queue.bytes + f.n, fates[what]);
    } else {
        count.other[what]++;
    }
    if (what == TOLD) log_flow("fastcnp", now_ns, l.bth.dest_qp, "\n");
    if (what != FULL) push(f, &l, now_ns);
}

/* Counts and logs a CNP, an ACK or a NAK. */
static void note_answer(const look *l, uint64_t now_ns)
{
    rocecc_reader r = rocecc_subrange(
        l->p.bytes, (size_t)l->p.headers.bth + ROCECC_BTH_BYTES, l->p.headers.end);
    const uint8_t *aeth = rocecc_take(&r, 4);
    if (l->bth.opcode == ROCECC_OPCODE_CNP) {
        count.cnps++;
        log_flow("cnp", now_ns, l->bth.dest_qp, "\n");
    } else if (rocecc_opcode_is_ack(l->bth.opcode) && aeth != NULL) {
        count.acks++;
        log_flow("ack", now_ns, l->bth.dest_qp, "");
        if (with->log != NULL)
            fprintf(with->log, "\t%" PRIu32 "\t%u\n", l->bth.psn,
                    rocecc_aeth_load(aeth).syndrome);
    }
}

void queue_from_receiver(frame f, uint64_t now_ns)
{
    look l;
    queue_advance(now_ns);
    l = look_at(f);
    if (l.is_roce) note_answer(&l, now_ns);
    count.back++;
    port_send(&ports[SENDER], f.b, f.n);
}

void queue_show(void)
{
    const struct {
        const char *name;
        uint64_t n;
    } rows[] = {{"pass", count.roce[PASS]},
                {"mark", count.roce[MARK]},
                {"told", count.roce[TOLD]},
                {"full", count.roce[FULL]},
                {"other_pass", count.other[PASS]},
                {"other_full", count.other[FULL]},
                {"back", count.back},
                {"cnps", count.cnps},
                {"acks", count.acks},
                {"runts", ports[SENDER].runts + ports[RECEIVER].runts},
                {"lost_to_sender", ports[SENDER].lost},
                {"lost_to_receiver", ports[RECEIVER].lost},
                {"late_ns", count.late_ns}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        printf("%s %" PRIu64 "\n", rows[i].name, rows[i].n);
}
