/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cnp.c - DCQCN. With dcqcn, switches mark packets and receivers send CNPs. With
 * fastcnp, switches send Fast CNPs to the sender.
 */
#include "../cctrace/algo.h"
#include "lab.h"

#include <stdlib.h>

enum { ALPHA, CUT, INCREASE, TIMERS }; /* bit numbers in an action */

/* Sets the reaction point's parameters for l->nic_bps. */
static rocecc_dcqcn_refusal tune(const lab *l, lab_part *part)
{
    const lab_options *o = l->o;
    rocecc_dcqcn_params p = lab_deployment_default(o)->of(l->nic_bps).reaction;
    rocecc_dcqcn_refusal refusal;
    lab_preset(l, part, &algo_dcqcn, l->nic_bps, &p);
    if (o->ai_bps != 0) p.ai_bps = o->ai_bps;
    lab_members(o, &algo_dcqcn, &p);
    if (l->nic_bps != l->line_bps) p.min_bps = rocecc_min(p.min_bps, l->nic_bps);
    refusal = rocecc_dcqcn_init(&p);
    part->dcqcn = p;
    return refusal;
}

/*
 * Sets the minimum interval of a receiver's CNPs and a switch's Fast CNPs. HPCC's
 * authors use 0, because the sender's timer paces the cuts. Switches then use NVIDIA's
 * interval, because a Fast CNP is an extra packet.
 */
static bool tune_gates(lab *l, lab_part *part)
{
    const lab_options *o = l->o;
    rocecc_cnpgate_params p = lab_deployment_default(o)->of(o->rate_bps).notification;
    rocecc_cnpgate_refusal refusal;
    lab_preset(l, part, &algo_cnpgate, o->rate_bps, &p);
    lab_members(o, &algo_cnpgate, &p);
    part->np.gate = l->cp.gate = p;
    if (p.interval_ns == 0) l->cp.gate = rocecc_cnpgate_nvidia();
    refusal = rocecc_cnpgate_init(&p);
    return refusal == ROCECC_CNPGATE_ACCEPTED ||
           lab_refuse_member(l, &algo_cnpgate, refusal, &p);
}

static bool tune_marks(lab *l, const lab_part *part)
{
    const lab_options *o = l->o;
    rocecc_wred_refusal refusal;
    l->wred = lab_deployment_default(o)->of(o->rate_bps).marking;
    lab_preset(l, part, &algo_wred, o->rate_bps, &l->wred);
    lab_members(o, &algo_wred, &l->wred);
    refusal = rocecc_wred_init(&l->wred);
    if (refusal != ROCECC_WRED_ACCEPTED)
        return lab_refuse_member(l, &algo_wred, refusal, &l->wred);
    return lab_wred_marks(l);
}

/* Returns true if reaction point, gate and marks fit together. Otherwise prints the
 * reason. */
static bool deploy(const lab *l, const lab_part *part,
                   const rocecc_cnpgate_params *gate)
{
    rocecc_dcqcn_deployment d = {part->dcqcn, *gate, l->wred};
    const char *interval = lab_text('p', gate->interval_ns);
    switch (rocecc_dcqcn_deployment_init(&d, (uint32_t)l->o->buffer_bytes)) {
    case ROCECC_DCQCN_DEPLOYMENT_ACCEPTED:
        return true;
    case ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA:
        return lab_refuse(l,
                          "dcqcn.alpha_timer_ns of %s lowers alpha too often within "
                          "cnpgate.interval_ns of %s: cuts would be too small",
                          lab_text('p', d.reaction.alpha_timer_ns), interval);
    case ROCECC_DCQCN_DEPLOYMENT_REFUSED_INCREASE_TIMER:
        return lab_refuse(l,
                          "dcqcn.increase_timer_ns of %s is not above "
                          "cnpgate.interval_ns of %s: rates would rise between CNPs",
                          lab_text('p', d.reaction.increase_timer_ns), interval);
    default: /* each part has passed its own check */
        return lab_refuse(l, "DCQCN's parameters do not fit together");
    }
}

/* Sets up reaction point, notification point and marks. Their defaults form one
 * preset. */
static bool setup_dcqcn(lab *l, lab_part *part)
{
    rocecc_dcqcn_refusal refusal;
    part->np.cnp = rocecc_cnp_default();
    l->rp.check_icrc = true;
    if (!tune_marks(l, part) || !tune_gates(l, part)) return false;
    refusal = tune(l, part);
    if (refusal != ROCECC_DCQCN_ACCEPTED)
        return lab_refuse_member(l, &algo_dcqcn, refusal, &part->dcqcn);
    if (!deploy(l, part, part->s == &lab_fastcnp ? &l->cp.gate : &part->np.gate))
        return false;
    return rocecc_notification_point_init(&part->np) == ROCECC_NOTIFICATION_ACCEPTED;
}

static void start(lab *l, lab_flow *x)
{
    x->at.dcqcn = rocecc_dcqcn_start(&x->part->dcqcn);
    x->gate[0] = x->gate[1] = rocecc_cnpgate_start(&x->part->np.gate);
    lab_set(l, x, l->nic_bps, 0);
}

static void act(lab *l, lab_flow *x, rocecc_dcqcn_action a);

static void timer(lab *l, lab_flow *x, unsigned kind)
{
    if (kind == ALPHA)
        act(l, x, rocecc_dcqcn_alpha_timer(&x->part->dcqcn, &x->at.dcqcn));
    else if (kind == CUT)
        act(l, x, rocecc_dcqcn_cut_timer(&x->part->dcqcn, &x->at.dcqcn));
    else
        act(l, x, rocecc_dcqcn_increase_timer(&x->part->dcqcn, &x->at.dcqcn));
}

static void act(lab *l, lab_flow *x, rocecc_dcqcn_action a)
{
    const uint32_t ns[TIMERS] = {x->part->dcqcn.alpha_timer_ns,
                                 x->part->dcqcn.cut_interval_ns,
                                 x->part->dcqcn.increase_timer_ns};
    unsigned kind;
    lab_set(l, x, a.rate_bps, 0);
    for (kind = 0; kind < TIMERS; kind++) {
        if ((a.stop >> kind & 1) != 0) x->timer[kind]++;
        if ((a.arm >> kind & 1) != 0) lab_timer(l, x, kind, ns[kind], timer);
    }
}

/* Applies a new NIC rate to a part's parameters and flows. */
static void relink(lab *l, lab_part *part)
{
    uint32_t i;
    if (tune(l, part) != ROCECC_DCQCN_ACCEPTED) abort();
    for (i = 0; i < l->n_flows; i++) {
        lab_flow *x = &l->flow[i];
        if (x->part == part) act(l, x, rocecc_dcqcn_relink(&part->dcqcn, &x->at.dcqcn));
    }
}

static void sent(lab *l, lab_flow *x, uint32_t wire_bytes)
{
    const rocecc_dcqcn_action a =
        rocecc_dcqcn_sent(&x->part->dcqcn, &x->at.dcqcn, wire_bytes);
    if (a.rate_bps != x->rate_bps) act(l, x, a);
}

/* Runs the notification point before the receiver checks the order of packets. */
static void met(lab *l, lab_flow *x, const lab_packet *p)
{
    const rocecc_packet came = lab_located(p);
    const rocecc_notification_event e = {l->now / 1000, lab_sender_qp(x), false};
    lab_packet *cnp = lab_packet_new(l);
    rocecc_writer w = lab_ether(cnp, x->to);
    rocecc_notification_result out;
    out = rocecc_notification_point_step(&x->part->np, &x->gate[0], &came, e, &w);
    if (out.verdict != ROCECC_NOTIFICATION_SENT) {
        lab_packet_free(l, cnp);
        return;
    }
    cnp->n = (uint32_t)w.at;
    l->notifications++;
    if (l->o->np_delay == 0)
        lab_forward(l, x->to, cnp); /* before the ACK */
    else
        lab_forward_at(l, l->now + l->o->np_delay, x->to, cnp);
}

/* Returns an event with the time, one of the lab's lists and its entry's buckets. */
static rocecc_admission_event admission(const lab *l, const rocecc_acl *list,
                                        rocecc_admission_source *source)
{
    const rocecc_admission_event e = {l->now / 1000, list, NULL, source, 1};
    return e;
}

/* Runs the reaction point. An accepted CNP or plain Fast CNP reaches its flow. */
static void notice(lab *l, lab_node *host, lab_packet *p)
{
    const rocecc_packet came = lab_located(p);
    const rocecc_reaction_event e = {admission(l, &l->access, &host->heard),
                                     ROCECC_REACTION_PEER_UNKNOWN};
    lab_flow *x = NULL;
    rocecc_reaction_result out;
    rocecc_reaction_point_step(&l->rp, &host->reaction, &came, &e, &out);
    if (out.verdict == ROCECC_REACTION_ORDINARY)
        x = lab_flow_of_sender(l, out.cnp.dest_qp);
    else if (out.verdict == ROCECC_REACTION_FAST_PLAIN)
        x = lab_flow_of_receiver(l, out.key.remote_qp);
    if (x == NULL || x->from != host || x->end != 0 || x->part->s->met != met) return;
    act(l, x, rocecc_dcqcn_cnp(&x->part->dcqcn, &x->at.dcqcn));
    lab_send(l, x);
}

/*
 * Forges a Fast CNP every microsecond. Each flow in turn gets one from the attacker's
 * own address and one from a switch's address.
 */
static void forge(lab *l, void *who, uint64_t turn)
{
    const lab_node *at = who;
    const lab_flow *x = &l->flow[turn / 2 % l->n_flows];
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = lab_ether(p, at);
    rocecc_cnp cnp = rocecc_cnp_default();
    const rocecc_packet none = lab_located(p); /* in place of a congested packet */
    const rocecc_fastcnp h = {ROCECC_FASTCNP_PLAIN, x->to->ip, 0, 0, 0, 0, 0};
    cnp.src = turn % 2 == 0 ? at->ip : l->bottleneck->node->ip;
    cnp.dst = x->from->ip;
    cnp.dest_qp = lab_receiver_qp(x);
    if (rocecc_fastcnp_build(&w, &none, ROCECC_ICRC_AUTO, &cnp, &h) != ROCECC_OK)
        abort();
    p->n = (uint32_t)w.at;
    lab_forward(l, who, p);
    lab_at(l, l->now + LAB_US, forge, who, turn + 1);
}

/* Sets up Fast CNP, with congestion points at switches and reaction points at hosts. */
static bool setup_fast(lab *l, lab_part *part)
{
    rocecc_congestion_config *c = &l->cp;
    uint32_t i;
    if (!setup_dcqcn(l, part)) return false;
    c->fastcnp_enabled = c->quiet_if_told = true;
    c->answer = rocecc_opcode_set_data();
    c->cnp = rocecc_cnp_default();
    c->cnp.src = l->node[l->n_hosts]->ip;
    /*
     * Each list has one entry for all switches or all hosts of the domain, so the
     * limit of a source applies to all of them together. The limits are high, so that
     * normally only --fault storm exceeds one of them, the reaction point's.
     */
    c->admission = rocecc_admission_for(1, 1000000);
    l->rp.admission = rocecc_admission_for(1, 50000);
    l->rp.fastcnp_enabled = true;
    l->rp.admission.unlimited = l->o->open;
    if (rocecc_congestion_point_init(c, &lab_domain, &l->hosts) !=
            ROCECC_CONGESTION_ACCEPTED ||
        rocecc_reaction_point_init(&l->rp, &lab_domain, &l->access) !=
            ROCECC_REACTION_ACCEPTED)
        return false;
    for (i = 0; i < l->n_nodes; i++) {
        l->node[i]->congestion = rocecc_congestion_point_start(c, 0);
        l->node[i]->reaction = rocecc_reaction_point_start(&l->rp, 0);
        l->node[i]->told = rocecc_admission_source_start(&c->admission, 0);
        l->node[i]->heard = rocecc_admission_source_start(&l->rp.admission, 0);
    }
    if (l->o->storm) lab_at(l, 0, forge, l->attacker, 0);
    return true;
}

static bool queue_fast(lab *l, lab_port *port, lab_packet *p)
{
    const rocecc_packet met = lab_located(p);
    lab_flow *x = lab_flow_of(l, p);
    rocecc_congestion_event e = {.admission =
                                     admission(l, &l->hosts, &port->node->told),
                                 .verdict = lab_wred(l, p, lab_queue_with(port, p)),
                                 .sender_support = ROCECC_FASTCNP_SUPPORT_YES,
                                 .tunnels = &l->access};
    rocecc_congestion_config c = l->cp;
    lab_packet *cnp;
    rocecc_writer w;
    rocecc_congestion_result out;
    if (e.verdict != ROCECC_WRED_MARK || x == NULL)
        return e.verdict != ROCECC_WRED_DROP;
    c.cnp.src = port->node->ip;
    cnp = lab_packet_new(l);
    w = lab_ether(cnp, port->node);
    e.gate = &x->gate[1];
    out = rocecc_congestion_point_step(&c, &port->node->congestion, &met, &e, &w);
    if ((out.outputs & ROCECC_CONGESTION_MARK) != 0 &&
        rocecc_congestion_point_mark(&met, lab_room(p)))
        port->count.marks++;
    if ((out.outputs & ROCECC_CONGESTION_FAST_CNP) != 0)
        lab_notify(l, port->node, cnp, &w);
    else
        lab_packet_free(l, cnp);
    return true;
}

/* ---- additive increase */

#define AI_USE_PPM 950000 /* link use that DCQCN reaches if R_AI suits it */
#define AI_CLIMBS 3       /* climbs to the link's rate in half a run */

void lab_dcqcn_targets(lab *l)
{
    uint64_t sum_bps = 0;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        if (x->part->s != &lab_dcqcn && x->part->s != &lab_fastcnp) return;
        sum_bps += x->at.dcqcn.target_bps;
        l->steps = (uint32_t)rocecc_max(l->steps, x->at.dcqcn.time_stages);
    }
    l->targets_bps = sum_bps;
}

/* Rounds up to two significant digits. For example, 437 M becomes 440 M. */
static uint64_t rounded_up(uint64_t bps)
{
    uint64_t unit = 1;
    while (bps / unit >= 100)
        unit *= 10;
    return (bps + unit - 1) / unit * unit;
}

/*
 * Proposes an R_AI only for a run of one part with an endless flow, and without trouble
 * or storm. R_AI is the reason if the link's use is below AI_USE_PPM, and the sum of
 * the targets is below the link's rate although a flow's last cut is farther back than
 * fast recovery.
 */
uint64_t lab_dcqcn_ai(const lab *l, const lab_result *r)
{
    const lab_options *o = l->o;
    const rocecc_dcqcn_params *p = &l->part[0].dcqcn;
    const uint64_t senders = rocecc_min(l->n_flows, LAB_SENDERS);
    const uint64_t link_bps = rocecc_min(l->bottleneck->rate_bps, senders * l->nic_bps);
    uint64_t steps, ai_bps;
    if (!l->endless || lab_troubled(o) || o->storm || l->n_parts != 1 ||
        l->targets_bps == 0 || l->targets_bps >= link_bps || l->steps < p->fast_below ||
        r->utilisation_ppm >= AI_USE_PPM)
        return 0;
    steps = rocecc_max(o->duration / 2 / 1000 / p->increase_timer_ns, 1);
    ai_bps = link_bps / l->n_flows * AI_CLIMBS / steps;
    return rounded_up(rocecc_min(rocecc_max(ai_bps, 2 * p->ai_bps), link_bps));
}

const lab_scheme lab_none = {.name = "none", .what = "no congestion control"};
const lab_scheme lab_dcqcn = {.name = "dcqcn",
                              .what = "DCQCN: CNPs from the receiver",
                              .by_marks = true,
                              .setup = setup_dcqcn,
                              .start = start,
                              .sent = sent,
                              .met = met,
                              .notice = notice,
                              .queue = lab_wred_queue,
                              .mark = lab_wred_mark,
                              .relink = relink};
const lab_scheme lab_fastcnp = {.name = "fastcnp",
                                .what = "DCQCN: Fast CNPs from the switch",
                                .by_marks = true,
                                .setup = setup_fast,
                                .start = start,
                                .sent = sent,
                                .met = met,
                                .notice = notice,
                                .queue = queue_fast,
                                .relink = relink};
