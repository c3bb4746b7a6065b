/* SPDX-License-Identifier: BSD-2-Clause */
#include "pipeline.h"

#include "rocecc/packet/answer.h"

#include <rte_debug.h>
#include <rte_malloc.h>

#define CNP_PCP 6     /* priority of answers in VLAN tags, like DSCP 48 */
#define ERROR_DSCP 48 /* CS6: RFC 1812, 4.3.2.5 */
#define ERROR_HOPS 64

const char *const pipeline_names[PIPELINE_COUNTS] = {
    "passed",       "cnp",    "held", "no-qp",  "icrc",
    "unanswerable", "unseen", "full", "errors", "no-error"};

/* A packet of the burst. */
typedef struct item {
    rocecc_packet packet;
    rocecc_reaction_result said; /* NOT_A_CNP: may be marked data */
    int query;                   /* index of its table lookup; -1: none */
    bool drop;
} item;

typedef struct work {
    item item[PIPELINE_BURST];
    rocecc_flowtable_query query[PIPELINE_BURST];
    size_t n_query;
} work;

/* Initialises the gate for peers. CNPs have limits too, from cnps_per_s. */
static void init_ordinary(pipeline_config *c)
{
    const uint64_t per_s = (uint64_t)c->cnps_per_s * RTE_MAX(c->table.qps_max, 1u);
    uint32_t at;
    c->ordinary.reaction = c->fast.reaction;
    c->ordinary.reaction.fastcnp_enabled = false;
    c->ordinary.reaction.ordinary_listed = c->table.n_peers != 0;
    c->ordinary.reaction.admission = rocecc_admission_for(
        c->misbehaving, (uint32_t)RTE_MIN(per_s, (uint64_t)UINT32_MAX));
    if (rocecc_acl_init(&c->ordinary.list, c->table.peers, c->table.n_peers, &at) !=
            ROCECC_ACL_ACCEPTED ||
        rocecc_reaction_point_init(&c->ordinary.reaction, &c->domain,
                                   &c->ordinary.list) != ROCECC_REACTION_ACCEPTED)
        rte_exit(EXIT_FAILURE,
                 "--cnp-limit or --misbehaving is too large, or there are too many "
                 "peers\n");
}

void pipeline_init(pipeline_config *c)
{
    if (rocecc_domain_init(&c->domain) != ROCECC_DOMAIN_ACCEPTED)
        rte_exit(EXIT_FAILURE,
                 "--type-plain or --type-ioam is not an option type of Fast CNPs\n");
    if (rocecc_notification_point_init(&c->notify) != ROCECC_NOTIFICATION_ACCEPTED)
        rte_exit(EXIT_FAILURE, "--interval-us is too long\n");
    if (rocecc_tokenbucket_init(&c->error_limit) != ROCECC_TOKENBUCKET_ACCEPTED)
        rte_exit(EXIT_FAILURE, "the library refuses the limit of errors\n");
    c->fast.reaction.admission = rocecc_admission_for(c->misbehaving, c->fast_per_s);
    if (rocecc_reaction_point_init(&c->fast.reaction, &c->domain, &c->fast.list) !=
        ROCECC_REACTION_ACCEPTED)
        rte_exit(EXIT_FAILURE,
                 "Fast CNPs need --type-plain or --type-ioam, --access and --limit\n");
    init_ordinary(c);
}

static void start_gate(pipeline_gate *g, const pipeline_gate_config *c, uint64_t now_ns)
{
    uint32_t i;
    g->c = c;
    g->point = rocecc_reaction_point_start(&c->reaction, now_ns);
    g->sources = rte_zmalloc("sources", (c->list.n + 1) * sizeof *g->sources,
                             RTE_CACHE_LINE_SIZE);
    if (g->sources == NULL) rte_exit(EXIT_FAILURE, "no memory\n");
    for (i = 0; i < c->list.n; i++)
        g->sources[i] = rocecc_admission_source_start(&c->reaction.admission, now_ns);
}

pipeline *pipeline_start(const pipeline_config *c, struct rte_mempool *cnps,
                         uint64_t now_ns)
{
    pipeline *p = rte_zmalloc("pipeline", sizeof *p, RTE_CACHE_LINE_SIZE);
    if (p == NULL) rte_exit(EXIT_FAILURE, "no memory\n");
    p->gate =
        rte_zmalloc("gates", c->table.slots * sizeof *p->gate, RTE_CACHE_LINE_SIZE);
    if (p->gate == NULL) rte_exit(EXIT_FAILURE, "no memory\n");
    p->c = c;
    p->cnps = cnps;
    start_gate(&p->fast, &c->fast, now_ns);
    start_gate(&p->ordinary, &c->ordinary, now_ns);
    p->errors = rocecc_tokenbucket_start(&c->error_limit, now_ns);
    return p;
}

void pipeline_free(pipeline *p)
{
    rte_free(p->fast.sources);
    rte_free(p->ordinary.sources);
    rte_free(p->gate);
    rte_free(p);
}

/* Parses the headers of all packets. */
static void locate(pipeline *p, const pipeline_burst *b, work *k)
{
    rocecc_reader first[PIPELINE_BURST];
    rocecc_packet found[PIPELINE_BURST];
    uint16_t i;
    for (i = 0; i < b->n; i++)
        first[i] = segments_first(b->in[i]);
    (void)rocecc_packet_parse_burst(&p->c->domain, first, found,
                                    RTE_MIN((size_t)b->n, (size_t)PIPELINE_BURST));
    for (i = 0; i < b->n; i++) {
        segments_gather(b->in[i], p->head[i], &found[i]);
        k->item[i].packet = found[i];
    }
}

/* Adds a table lookup for the host's QP `qp` at dst, with src as its peer. */
static void ask(work *k, item *t, const rocecc_ip6 *src, const rocecc_ip6 *dst,
                uint32_t qp)
{
    rocecc_flowtable_query *q = &k->query[k->n_query];
    q->flow = table_key(src, dst, qp);
    q->vrf = 0;
    t->query = (int)k->n_query++;
}

/* Adds a lookup for the QP of marked data. The host unpacks data in tunnels. */
static void sort_data(work *k, item *t)
{
    const rocecc_packet *p = &t->packet;
    rocecc_reader r = rocecc_subrange(p->bytes, p->headers.bth, p->headers.end);
    rocecc_bth bth;
    rocecc_ip ip;
    if (p->headers.kind != ROCECC_PACKET_KIND_ROCEV2 || p->headers.bth == 0 ||
        p->headers.outer.version != 0 ||
        rocecc_packet_ip(p, &p->headers.ip, &ip) != ROCECC_OK ||
        ip.ecn != ROCECC_ECN_CE || rocecc_bth_parse(&r, &bth) != ROCECC_OK)
        return;
    ask(k, t, &ip.src, &ip.dst, bth.dest_qp);
}

/* Classifies each packet, and adds its table lookup. */
static void sort(pipeline *p, uint16_t n, work *k)
{
    uint16_t i;
    k->n_query = 0;
    for (i = 0; i < n; i++) {
        item *t = &k->item[i];
        t->query = -1;
        t->drop =
            rocecc_fastcnp_border_stopped(&t->packet) == ROCECC_FASTCNP_BORDER_UNSEEN;
        p->count[PIPELINE_UNSEEN] += t->drop;
        rocecc_reaction_point_find(&p->c->fast.reaction, &t->packet, &t->said);
        if (t->said.verdict == ROCECC_REACTION_NOT_A_CNP)
            sort_data(k, t);
        else if (t->said.verdict == ROCECC_REACTION_ORDINARY)
            ask(k, t, &t->said.cnp.src, &t->said.cnp.dst, t->said.cnp.dest_qp);
    }
}

/* Decides if a CNP or Fast CNP passes. An ordinary CNP must come from a QP's peer. */
static void admit(pipeline *p, item *t, uint64_t now_ns, bool peer)
{
    pipeline_gate *g =
        t->said.verdict == ROCECC_REACTION_ORDINARY ? &p->ordinary : &p->fast;
    rocecc_reaction_event e = {0};
    e.admission.now_ns = now_ns;
    e.admission.list = &g->c->list;
    e.admission.sources = g->sources;
    e.admission.n_sources = g->c->list.n;
    if (t->query >= 0)
        e.peer = peer ? ROCECC_REACTION_PEER_YES : ROCECC_REACTION_PEER_NO;
    rocecc_reaction_point_admit(&g->c->reaction, &g->point, &t->packet, &e, &t->said);
    t->drop = t->drop || (t->said.verdict != ROCECC_REACTION_ORDINARY &&
                          t->said.verdict != ROCECC_REACTION_FAST_PLAIN &&
                          t->said.verdict != ROCECC_REACTION_FAST_IOAM);
}

/* Writes the Ethernet header of an answer, from the host to the packet's source. */
static bool write_ether(const rocecc_packet *packet, rocecc_writer *w)
{
    const uint8_t *b = packet->bytes.base + packet->bytes.at;
    rocecc_answer a;
    a.src = rocecc_mac_load(b);
    a.type = rocecc_packet_outermost(packet)->version == 4 ? ROCECC_TYPE_IPV4
                                                           : ROCECC_TYPE_IPV6;
    a.pcp = CNP_PCP;
    a.cntag = false;
    return rocecc_answer_ether(w, packet, &a) == ROCECC_OK;
}

/*
 * Writes the ICMP error for a verdict into m. The source is the packet's destination
 * address. The gates accept no tunnels, so the error is about the first IP header.
 */
static bool write_error(const item *t, struct rte_mbuf *m)
{
    uint8_t *b = rte_pktmbuf_mtod(m, uint8_t *);
    rocecc_writer w = rocecc_writer_of(b, b + rte_pktmbuf_tailroom(m));
    rocecc_icmp_node host;
    rocecc_ip ip;
    if (rocecc_packet_ip(&t->packet, rocecc_packet_outermost(&t->packet), &ip) !=
        ROCECC_OK)
        return false;
    host.src = ip.dst;
    host.hop_limit = ERROR_HOPS;
    host.dscp = ERROR_DSCP;
    if (!write_ether(&t->packet, &w) ||
        rocecc_icmp_build(&w, t->packet.bytes, &t->said.icmp, &host) != ROCECC_OK)
        return false;
    rte_pktmbuf_append(m, (uint16_t)w.at);
    return true;
}

/* Answers a dropped notification with its verdict's ICMP error, if it has one. */
static void send_error(pipeline *p, pipeline_burst *b, uint64_t now_ns, const item *t)
{
    struct rte_mbuf *m = NULL;
    if (t->said.icmp.type == 0) return;
    if (rocecc_tokenbucket_take(&p->c->error_limit, &p->errors, 1, now_ns))
        m = rte_pktmbuf_alloc(p->cnps);
    if (m != NULL && write_error(t, m)) {
        b->cnp[b->n_cnp++] = m;
        p->count[PIPELINE_ERRORS]++;
        return;
    }
    rte_pktmbuf_free(m);
    p->count[PIPELINE_NO_ERROR]++;
}

/* Writes the CNP for a marked packet into m. Returns false if it gets no CNP. */
static bool write_cnp(pipeline *p, const item *t, uint64_t now_ns, uint32_t slot,
                      struct rte_mbuf *m)
{
    uint8_t *b = rte_pktmbuf_mtod(m, uint8_t *);
    rocecc_writer w = rocecc_writer_of(b, b + rte_pktmbuf_tailroom(m));
    rocecc_notification_event e = {0};
    e.now_ns = now_ns;
    e.src_qp = p->c->table.peer_qp[slot];
    if (!write_ether(&t->packet, &w) ||
        rocecc_notification_point_step(&p->c->notify, &p->gate[slot], &t->packet, e, &w)
                .verdict != ROCECC_NOTIFICATION_SENT)
        return false;
    rte_pktmbuf_append(m, (uint16_t)w.at);
    return true;
}

/* Returns true if the gate would send a CNP. The gate's state is unchanged. */
static bool is_open(const pipeline *p, uint32_t slot, uint64_t now_ns)
{
    rocecc_cnpgate as_it_is = p->gate[slot];
    return rocecc_cnpgate_ce(&p->c->notify.gate, &as_it_is, now_ns).send;
}

/*
 * Handles marked data, and returns its counter. For PIPELINE_CNP, the CNP is the last
 * in b->cnp[]. The gate is checked before the ICRC, which costs most. So a flow's
 * correct packets need one ICRC check per gate interval.
 */
static pipeline_count answer(pipeline *p, pipeline_burst *b, uint16_t i, const item *t,
                             uint32_t slot)
{
    struct rte_mbuf *m;
    if (slot == ROCECC_FLOWTABLE_NONE) return PIPELINE_NO_QP;
    if (!is_open(p, slot, b->now_ns[i])) return PIPELINE_HELD;
    if (!segments_icrc(p->c->icrc_rule, b->in[i], &t->packet)) return PIPELINE_ICRC;
    m = rte_pktmbuf_alloc(p->cnps);
    if (m == NULL) return PIPELINE_UNANSWERABLE;
    if (!write_cnp(p, t, b->now_ns[i], slot, m)) {
        rte_pktmbuf_free(m);
        return PIPELINE_UNANSWERABLE;
    }
    b->cnp[b->n_cnp++] = m;
    return PIPELINE_CNP;
}

/* Decides about packet i after its table lookup. */
static void judge(pipeline *p, pipeline_burst *b, uint16_t i, work *k)
{
    item *t = &k->item[i];
    const uint32_t slot =
        t->query >= 0 ? k->query[t->query].match.slot : ROCECC_FLOWTABLE_NONE;
    if (t->said.verdict != ROCECC_REACTION_NOT_A_CNP)
        admit(p, t, b->now_ns[i], slot != ROCECC_FLOWTABLE_NONE);
    else if (t->query >= 0)
        p->count[answer(p, b, i, t, slot)]++;
    if (t->drop) {
        if (t->said.verdict != ROCECC_REACTION_NOT_A_CNP)
            send_error(p, b, b->now_ns[i], t);
        b->drop[b->n_drop++] = b->in[i];
        return;
    }
    p->count[PIPELINE_PASSED]++;
    b->pass[b->n_pass++] = b->in[i];
}

void pipeline_judge(pipeline *p, pipeline_burst *b)
{
    const table *t = &p->c->table;
    work k;
    uint16_t i;
    b->n_pass = b->n_drop = b->n_cnp = 0;
    locate(p, b, &k);
    sort(p, b->n, &k);
    (void)rocecc_flowtable_lookup_burst(&t->params, &t->memory, k.query, k.n_query, 0);
    for (i = 0; i < b->n; i++)
        judge(p, b, i, &k);
}
