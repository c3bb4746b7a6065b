/* SPDX-License-Identifier: BSD-2-Clause */

/* enqueue.c - handles a packet that arrives at the queue: WRED, CE, Fast CNP. */
#include "hook.h"

const char *hook_start(hook_port *port, const hook_config *with, uint64_t now_ns)
{
    const hook_port none = ROCECC_ZERO;
    uint32_t at, i;
    *port = none;
    port->with = *with;
    if (with->node_id >= 0xffffff) return "node_id: expected less than 0xffffff";
    if (rocecc_domain_init(&with->domain) != ROCECC_DOMAIN_ACCEPTED)
        return "domain: a number has two meanings";
    if (rocecc_wred_init(&with->wred) != ROCECC_WRED_ACCEPTED)
        return "wred: a minimum is above its maximum, or the queue is 0";
    for (i = 0; i < HOOK_HOSTS_MAX; i++)
        port->with.hosts[i].tag = i;
    if (with->n_hosts > HOOK_HOSTS_MAX ||
        rocecc_acl_init(&port->access, port->with.hosts, with->n_hosts, &at) !=
            ROCECC_ACL_ACCEPTED)
        return "hosts: a prefix is invalid, or there are too many";
    if (rocecc_congestion_point_init(&port->with.congestion, &port->with.domain,
                                     &port->access) != ROCECC_CONGESTION_ACCEPTED)
        return "congestion: the library refuses the configuration";
    port->point = rocecc_congestion_point_start(&port->with.congestion, now_ns);
    for (i = 0; i < HOOK_HOSTS_MAX; i++)
        port->sources[i] =
            rocecc_admission_source_start(&port->with.congestion.admission, now_ns);
    return NULL;
}

bool hook_walk(const hook_port *port, const hook_buffer *b, rocecc_packet *p)
{
    const uint8_t *at = b->base + b->at;
    const rocecc_headers *f = &p->headers;
    (void)rocecc_packet_parse(&port->with.domain, rocecc_reader_of(at, at + b->n), p);
    return f->status != ROCECC_ERR_SHORT && f->status != ROCECC_ERR_FORMAT &&
           rocecc_packet_outermost(p)->end <= b->n;
}

/* Returns the ECN codepoint. A packet without IP counts as Not-ECT. */
static rocecc_ecn ecn_of(const rocecc_packet *p)
{
    rocecc_ip ip;
    if (rocecc_packet_ip(p, rocecc_packet_outermost(p), &ip) != ROCECC_OK)
        return ROCECC_ECN_NOT_ECT;
    return ip.ecn;
}

/* Sets the sender's list, gate and support. RoCEv2's source port selects the gate. */
static void know_sender(hook_port *port, const rocecc_packet *p,
                        rocecc_congestion_event *to)
{
    rocecc_acl_result m;
    rocecc_flow flow;
    to->gate = &port->gates[0];
    to->admission.list = &port->access;
    to->admission.sources = port->sources;
    to->admission.n_sources = HOOK_HOSTS_MAX;
    if (rocecc_packet_flow(p, &flow) != ROCECC_OK) return;
    to->gate = &port->gates[flow.src_port % HOOK_GATES];
    m = rocecc_acl_lookup(&port->access, &flow.src);
    if (m.found && port->with.capable[m.tag])
        to->sender_support = ROCECC_FASTCNP_SUPPORT_YES;
}

uint8_t hook_enqueue(hook_port *port, hook_buffer *b, const hook_event *e,
                     rocecc_writer *w)
{
    uint8_t *at = b->base + b->at;
    rocecc_congestion_event event = ROCECC_ZERO;
    rocecc_congestion_result done;
    rocecc_packet p;
    if (!hook_walk(port, b, &p))
        return e->queue_bytes > port->with.wred.buf_max_bytes ? ROCECC_CONGESTION_DROP
                                                              : 0;
    event.admission.now_ns = e->now_ns;
    event.verdict =
        rocecc_wred_decide(&port->with.wred, e->queue_bytes, ecn_of(&p), e->random);
    know_sender(port, &p, &event);
    done = rocecc_congestion_point_step(&port->with.congestion, &port->point, &p,
                                        &event, w);
    if ((done.outputs & ROCECC_CONGESTION_MARK) != 0)
        (void)rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + b->n));
    return done.outputs;
}
