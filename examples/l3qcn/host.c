/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * host.c - a host with QCN as in IEEE 802.1Q. It does not react to L3QCN. It tags each
 * of its flows with its own FLOW-ID, and slows down the flow that a CNM names.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>

#include "node.h"
#include "rocecc/algo/qcn.h"
#include "rocecc/wire/cnm.h"

#define PRIORITY 5
#define PAYLOAD_BYTES 900
#define FLOWS 2
#define LATE_NS 20000000 /* a sender that is later does not catch up */

typedef struct flow {
    const char *src, *dst;
    uint16_t src_port, dst_port;
    uint8_t version;
    uint16_t flow_id;
    uint8_t n_tags;
    struct {
        uint16_t tpid, vid;
    } tag[2];
} flow;

/* Addresses for documentation. run.sh adds the fabric's routes to them. */
static const flow flows[FLOWS] = {
    {.src = "192.0.2.10",
     .dst = "198.51.100.20",
     .src_port = 50001,
     .dst_port = 6001,
     .version = 4,
     .flow_id = 0x0a01,
     .n_tags = 2,
     .tag = {{ROCECC_TYPE_STAG, 100}, {ROCECC_TYPE_CTAG, 7}}},
    {.src = "2001:db8:a::10",
     .dst = "2001:db8:b::20",
     .src_port = 50002,
     .dst_port = 6002,
     .version = 6,
     .flow_id = 0x0b02,
     .n_tags = 1,
     .tag = {{ROCECC_TYPE_CTAG, 8}, {0, 0}}},
};

/* Each flow's frame, rate limiter, and next times. */
static struct {
    node_frame frame;
    rocecc_qcn_rp rp;
    uint64_t next_ns;
    uint64_t timer_ns; /* RpWhile; UINT64_MAX: stopped */
    uint64_t sent, cnms;
} senders[FLOWS];

static rocecc_qcn_rp_params params;
static rocecc_cnm_config cnm_config;
static node_port up;
static uint64_t answers, private_cnms;

/* Sets a rate for a lab without hardware, and times that fit it. */
static bool configure(const node_options *o)
{
    params = rocecc_qcn_rp_qau(o->line_bps);
    params.min_bps = o->line_bps / 64;
    params.ai_bps = o->line_bps / 64;
    params.hai_bps = o->line_bps / 16;
    params.byte_reset_bytes = 30000;
    params.time_reset_ns = 100000000;
    cnm_config.station = up.mac;
    return rocecc_qcn_rp_init(&params) == ROCECC_QCN_RP_ACCEPTED;
}

static uint16_t type_of(const flow *of)
{
    return of->version == 4 ? ROCECC_TYPE_IPV4 : ROCECC_TYPE_IPV6;
}

static rocecc_ip6 address(const char *text)
{
    rocecc_ip6 a = {{0}};
    rocecc_ip4 v4;
    if (inet_pton(AF_INET, text, v4.b) == 1) return rocecc_ip6_of_ip4(&v4);
    (void)inet_pton(AF_INET6, text, a.b);
    return a;
}

/* Writes addresses, VLAN tags, CN-TAG and Type. */
static void put_tags(rocecc_writer *w, const flow *of)
{
    const rocecc_ether ether = node_ether(&up, of->tag[0].tpid);
    uint8_t *b;
    int i;
    (void)rocecc_ether_emit(w, &ether);
    for (i = 0; i < of->n_tags; i++) {
        rocecc_vlan vlan = {PRIORITY, false, 0, ROCECC_TYPE_CNTAG};
        vlan.vid = of->tag[i].vid;
        if (i + 1 < of->n_tags) vlan.type = of->tag[i + 1].tpid;
        (void)rocecc_vlan_emit(w, &vlan);
    }
    b = rocecc_put(w, 4); /* the CN-TAG after its type */
    rocecc_store16(b, of->flow_id);
    rocecc_store16(b + 2, type_of(of));
}

/* Writes an IP header with DSCP 40 for `bytes` bytes. Returns the pseudo-header sum. */
static uint32_t put_ip(rocecc_writer *w, const flow *of, uint16_t bytes)
{
    const rocecc_ip6 src = address(of->src), dst = address(of->dst);
    const size_t at = w->at;
    rocecc_ipv4 v4 = {0};
    rocecc_ipv6 v6 = {0};
    if (of->version == 6) {
        v6.dscp = PRIORITY << 3;
        v6.payload_length = bytes;
        v6.next_header = ROCECC_PROTO_UDP;
        v6.hop_limit = 64;
        v6.src = src;
        v6.dst = dst;
        (void)rocecc_ipv6_emit(w, &v6);
        return rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, bytes);
    }
    v4.dscp = PRIORITY << 3;
    v4.total_length = (uint16_t)(ROCECC_IPV4_BYTES + bytes);
    v4.df = true;
    v4.ttl = 64;
    v4.protocol = ROCECC_PROTO_UDP;
    v4.src = rocecc_ip4_load(src.b + 12);
    v4.dst = rocecc_ip4_load(dst.b + 12);
    v4.options = rocecc_reader_of(NULL, NULL);
    (void)rocecc_ipv4_emit(w, &v4);
    rocecc_store16(w->base + at + 10,
                   rocecc_ipv4_checksum(rocecc_subrange(rocecc_written(w), at, w->at)));
    return rocecc_checksum_pseudo4(&v4, bytes);
}

/* Builds the frame that a flow sends repeatedly. Its payload is zeros. */
static void build(node_frame *p, const flow *of)
{
    rocecc_udp udp = {of->src_port, of->dst_port, ROCECC_UDP_BYTES + PAYLOAD_BYTES, 0};
    rocecc_writer w = node_room(p), again;
    uint32_t pseudo;
    put_tags(&w, of);
    pseudo = put_ip(&w, of, udp.length);
    again = w;
    (void)rocecc_udp_emit(&w, &udp);
    (void)rocecc_put(&w, PAYLOAD_BYTES);
    udp.checksum = rocecc_udp_checksum(
        pseudo, rocecc_subrange(rocecc_written(&w), again.at, w.at));
    (void)rocecc_udp_emit(&again, &udp);
    p->n = w.at;
}

/* Sends a private CNM to its own flow's receiver, which a host must not do. */
static void misbehave(const flow *of)
{
    static node_frame p;
    const rocecc_ether ether = node_ether(&up, type_of(of));
    const rocecc_l3qcn_outer outer = rocecc_l3qcn_outer_default(0);
    rocecc_writer w = node_room(&p);
    rocecc_l3qcn h = {0};
    h.proto = ROCECC_PROTO_UDP;
    h.ports = true;
    h.src_port = of->dst_port;
    h.dst_port = of->src_port;
    h.src = address(of->dst);
    h.dst = address(of->src);
    h.extension = h.cnm.msdu = rocecc_reader_of(NULL, NULL);
    h.cnm.qntz_fb = ROCECC_QCN_FB_MAX;
    (void)rocecc_ether_emit(&w, &ether);
    if (rocecc_l3qcn_build(&w, &node_domain.l3qcn, &outer, &h) == ROCECC_OK)
        node_send(&up, rocecc_written(&w));
}

/* Prints a change of a rate. */
static void say(const char *why, int i, uint8_t qntz_fb, uint64_t before_bps)
{
    printf("%s flow_id=0x%04x qntz_fb=%u before_bps=%llu rate_bps=%llu\n", why,
           flows[i].flow_id, qntz_fb, (unsigned long long)before_bps,
           (unsigned long long)senders[i].rp.rate_bps);
}

/* Applies the reaction point's action: sets the timer, and prints a changed rate. */
static void act(int i, const rocecc_qcn_rp_action *a, const char *why, uint8_t qntz_fb,
                uint64_t before_bps, uint64_t now_ns)
{
    if (a->timer_ns != 0) senders[i].timer_ns = now_ns + a->timer_ns;
    if (a->released) senders[i].timer_ns = UINT64_MAX;
    if (a->cut || a->rate_bps != before_bps) say(why, i, qntz_fb, before_bps);
}

static void send_one(int i, uint64_t now_ns)
{
    const uint64_t before_bps = senders[i].rp.rate_bps;
    const uint64_t bits = senders[i].frame.n * 8;
    rocecc_qcn_rp_action a;
    node_send(&up, node_view(&senders[i].frame));
    senders[i].sent++;
    a = rocecc_qcn_rp_sent(&params, &senders[i].rp, (uint32_t)senders[i].frame.n, 0, 0);
    act(i, &a, "octets", 0, before_bps, now_ns);
    if (senders[i].next_ns + LATE_NS < now_ns) senders[i].next_ns = now_ns;
    senders[i].next_ns += bits * 1000000000 / senders[i].rp.rate_bps;
}

static void expire(int i)
{
    const uint64_t before_bps = senders[i].rp.rate_bps;
    const uint64_t deadline_ns = senders[i].timer_ns;
    const rocecc_qcn_rp_action a = rocecc_qcn_rp_timer(&params, &senders[i].rp, 0, 0);
    senders[i].timer_ns = UINT64_MAX;
    act(i, &a, "timer", 0, before_bps, deadline_ns);
}

/* Handles a frame. A CNM slows down the flow with its FLOW-ID. */
static void receive(const node_frame *p)
{
    const rocecc_packet came = node_packet(p);
    rocecc_cnm_frame h;
    rocecc_cnm_verdict why;
    int i;
    if (rocecc_cnm_frame_parse(&cnm_config, node_view(p), &h, &why) == ROCECC_OK) {
        for (i = 0; i < FLOWS; i++) {
            const uint64_t before_bps = senders[i].rp.rate_bps;
            rocecc_qcn_rp_action a;
            if (flows[i].flow_id != h.head.flow_id) continue;
            a = rocecc_qcn_rp_cnm(&params, &senders[i].rp, h.cnm.qntz_fb, 0);
            senders[i].cnms++;
            act(i, &a, "cnm", h.cnm.qntz_fb, before_bps, node_ns());
        }
    } else if (rocecc_l3qcn_match(&came)) {
        private_cnms++;
    } else if (p->f.ip.version != 0) {
        answers++;
    }
}

/* Handles due events. Returns the next due time, or UINT64_MAX from end_ns on. */
static uint64_t send_due(uint64_t end_ns)
{
    const uint64_t now_ns = node_ns();
    uint64_t next_ns = end_ns;
    int i;
    if (now_ns >= end_ns) return UINT64_MAX;
    for (i = 0; i < FLOWS; i++) {
        if (senders[i].timer_ns <= now_ns) expire(i);
        if (senders[i].next_ns <= now_ns) send_one(i, now_ns);
        next_ns =
            rocecc_min(next_ns, rocecc_min(senders[i].next_ns, senders[i].timer_ns));
    }
    return next_ns;
}

static void show(void)
{
    int i;
    for (i = 0; i < FLOWS; i++)
        printf("flow_id=0x%04x sent=%llu cnms=%llu\n", flows[i].flow_id,
               (unsigned long long)senders[i].sent,
               (unsigned long long)senders[i].cnms);
    printf("answers %llu\nprivate_cnms %llu\n", (unsigned long long)answers,
           (unsigned long long)private_cnms);
}

int host(const node_options *o, char **args)
{
    static node_frame p;
    uint64_t end_ns, next_ns;
    bool sends = true;
    int i;
    up = node_open(args[0]);
    if (!configure(o)) {
        fputs("node: host: the library refuses the configuration\n", stderr);
        return 1;
    }
    node_ready("host");
    end_ns = node_ns() + (uint64_t)o->seconds * 1000000000;
    for (i = 0; i < FLOWS; i++) {
        build(&senders[i].frame, &flows[i]);
        senders[i].rp = rocecc_qcn_rp_start(&params);
        senders[i].next_ns = node_ns();
        senders[i].timer_ns = UINT64_MAX;
        misbehave(&flows[i]);
    }
    do {
        next_ns = send_due(end_ns);
        if (sends && next_ns == UINT64_MAX) {
            puts("sent");
            sends = false;
        }
        while (node_receive(&up, &p))
            receive(&p);
    } while (node_wait(&up, 1, next_ns));
    show();
    return 0;
}
