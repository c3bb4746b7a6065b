/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * switch.c - a congested switch between the fabric and the receiver. Its queue is a
 * counter that grows by each frame and drains at a fixed rate, but frames leave at
 * once. qcn_cp.h decides when to notify, and congestion_point.h writes the message.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "node.h"
#include "rocecc/packet/answer.h"
#include "rocecc/role/congestion_point.h"

enum { FABRIC, RECEIVER };

#define PRIORITY 5 /* QCN's queue: DSCP 40 to 47 */
#define QUEUE_MAX_BYTES 300000

static struct {
    uint64_t bytes;
    uint64_t drained_ns; /* drained until then */
    uint64_t drain_bps;
} queue;

static rocecc_qcn_cp_params params;
static rocecc_qcn_cp cp;
static rocecc_congestion_config config;
static rocecc_acl_entry senders[2] = {
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2}}, 120, 1, 0, 0},
    {{{0x20, 0x01, 0x0d, 0xb8, 0, 0x0a}}, 64, 1, 1, 0}};
static rocecc_acl access_list;
static rocecc_admission_source sources[2]; /* one per entry, indexed by its tag */
static rocecc_congestion_point state;
static rocecc_cnpgate gate; /* one for all flows, always open */
static uint64_t cpid;
static node_port ports[2];
static struct {
    uint64_t data, answers, cnms, dropped;
} count;

/*
 * Sets a set point of 26 frames. QCN samples 1 to 5 of 10 frames. The host sends at
 * most 2000 frames per second, so an entry's 1000 CNMs per second are not reached.
 */
static bool configure(const node_options *o)
{
    uint32_t at;
    int i;
    params = rocecc_qcn_cp_mib();
    params.sample_base_bytes = 10000;
    config.qcn_priorities = 1 << PRIORITY;
    config.answer = rocecc_opcode_set_data();
    config.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    config.l3qcn_outer.src_port = 0; /* a hash of the flow */
    config.msdu_bytes = ROCECC_CNM_MSDU_MAX_BYTES;
    config.admission = rocecc_admission_for(4, 1000);
    if (rocecc_qcn_cp_init(&params) != ROCECC_QCN_CP_ACCEPTED ||
        rocecc_acl_init(&access_list, senders, 2, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_congestion_point_init(&config, &node_domain, &access_list) !=
            ROCECC_CONGESTION_ACCEPTED)
        return false;
    queue.drain_bps = o->drain_bps;
    queue.drained_ns = node_ns();
    cp = rocecc_qcn_cp_start(&params, UINT32_C(1) << 31);
    state = rocecc_congestion_point_start(&config, queue.drained_ns);
    for (i = 0; i < 2; i++)
        sources[i] = rocecc_admission_source_start(&config.admission, queue.drained_ns);
    return rocecc_cnm_cpid(&ports[FABRIC].mac, RECEIVER, PRIORITY, &cpid) == ROCECC_OK;
}

/* Drains whole bytes. The time is at most 10 s, because more could overflow. */
static void drain(uint64_t now_ns)
{
    const uint64_t ns = rocecc_min(now_ns - queue.drained_ns, 10000000000);
    const uint64_t bytes = ns * queue.drain_bps / 8000000000;
    if (bytes == 0) return;
    queue.bytes -= rocecc_min(bytes, queue.bytes);
    queue.drained_ns = now_ns;
}

/* Returns the same random numbers in each run. */
static uint32_t random32(void)
{
    static uint64_t x = 1;
    x = x * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(x >> 32);
}

/* Offers a frame to the queue. Returns true if the queue has room. */
static bool offer(uint32_t bytes, rocecc_congestion_event *e)
{
    rocecc_qcn_cp_event frame;
    drain(e->admission.now_ns);
    frame.frame_bytes = bytes;
    frame.queue_bytes = (uint32_t)queue.bytes + bytes;
    frame.random = random32();
    frame.dropped = frame.queue_bytes > QUEUE_MAX_BYTES;
    if (!frame.dropped) queue.bytes += bytes;
    e->verdict = frame.dropped ? ROCECC_WRED_DROP : ROCECC_WRED_PASS;
    e->qcn = rocecc_qcn_cp_offer(&params, &cp, &frame);
    return !frame.dropped;
}

/* Sends the congestion point's private CNM, if any, through the fabric. */
static uint8_t answer(const node_frame *p, const rocecc_congestion_event *e)
{
    const rocecc_packet met = node_packet(p);
    static node_frame out;
    rocecc_answer back = {{{0}}, ROCECC_TYPE_IPV6, 0, false}; /* to the sender */
    rocecc_writer w = node_room(&out);
    rocecc_congestion_result what;
    back.src = ports[FABRIC].mac;
    if (p->f.ip.version == 4) back.type = ROCECC_TYPE_IPV4;
    (void)rocecc_answer_ether(&w, &met, &back);
    what = rocecc_congestion_point_step(&config, &state, &met, e, &w);
    if ((what.outputs & ROCECC_CONGESTION_CNM) != 0) {
        node_send(&ports[FABRIC], rocecc_written(&w));
        count.cnms++;
    }
    return what.outputs;
}

/* Routes a packet to the receiver, through the queue of its priority. */
static void from_fabric(node_frame *p)
{
    const rocecc_packet came = node_packet(p);
    rocecc_congestion_event e = {
        .admission = {node_ns(), &access_list, NULL, sources, 2}, .gate = &gate};
    rocecc_ip ip;
    if (rocecc_packet_ip(&came, &p->f.ip, &ip) != ROCECC_OK) return;
    e.priority = ip.dscp >> 3;
    e.cpid = cpid;
    if (e.priority == PRIORITY && !offer((uint32_t)p->n, &e)) count.dropped++;
    if ((answer(p, &e) & ROCECC_CONGESTION_DROP) != 0) return;
    count.data += node_route(&ports[RECEIVER], p);
}

static void show(void)
{
    printf("data %llu\nanswers %llu\ncnms %llu\ndropped %llu\n",
           (unsigned long long)count.data, (unsigned long long)count.answers,
           (unsigned long long)count.cnms, (unsigned long long)count.dropped);
}

int congested(const node_options *o, char **args)
{
    static node_frame p;
    ports[FABRIC] = node_open(args[FABRIC]);
    ports[RECEIVER] = node_open(args[RECEIVER]);
    if (!configure(o)) {
        fputs("node: switch: the library refuses the configuration\n", stderr);
        return 1;
    }
    node_ready("switch");
    while (node_wait(ports, 2, UINT64_MAX)) {
        while (node_receive(&ports[FABRIC], &p))
            from_fabric(&p);
        while (node_receive(&ports[RECEIVER], &p))
            count.answers += node_route(&ports[FABRIC], &p);
    }
    show();
    return 0;
}
