/* SPDX-License-Identifier: BSD-2-Clause */

/* flow_control.c - a neighbour's ARN passes the gate, and holds a flow. */
#include "rocecc/role/arn_gate.h"
#include "rocecc/role/flow_control.h"

#include <stdio.h>

#include "data.h"

#define SLOTS 16
#define ASKERS 16
#define NEIGHBOURS 4
#define PORT 7 /* the ARN arrives there, and the flow leaves there */

/* No UDP port is assigned to ARN yet. */
static const rocecc_domain domain = {.link = ROCECC_LINK_IP, .arn.port = 0xa41};

static const rocecc_flow_control_config classes = ROCECC_ZERO; /* from VLAN tags */
static rocecc_traffic_slot slots[SLOTS];                       /* all zeroed */
static rocecc_pause_holders who[SLOTS];
static uint32_t has[ASKERS];
static rocecc_admission_source sources[NEIGHBOURS]; /* indexed by the list's tags */
static const rocecc_pause_memory memory = {slots, who, has};

/* Writes the ARN from neighbour fe80::2 to fe80::1, to hold this flow for 20 us. */
static rocecc_reader asked(const rocecc_flow *flow, uint8_t *bytes, size_t n)
{
    const rocecc_ip6 from = {{0xfe, 0x80, [15] = 2}}, to = {{0xfe, 0x80, [15] = 1}};
    rocecc_pause_notice notice = ROCECC_ZERO;
    rocecc_writer w = rocecc_writer_of(bytes, bytes + n);
    rocecc_datagram d = rocecc_arn_datagram(&domain.arn, 0);
    d.src = from;
    d.dst = to;
    notice.type = ROCECC_ARN_CONGESTION_DETECTED;
    notice.has_flow = notice.has_time = true;
    notice.flow = *flow;
    notice.time_ns = 20000;
    (void)rocecc_flow_control_arn_build(&w, &domain.arn, &d, &notice);
    return rocecc_written(&w);
}

/* Set up once. */
static bool configure(rocecc_pause_params *params, rocecc_arn_gate_config *c,
                      rocecc_acl *neighbours)
{
    static rocecc_acl_entry entry = {{{0xfe, 0x80}}, 64, 1, 3, 0}; /* tag 3 */
    uint32_t at;
    params->hash_key[0] = 1;                      /* must be random and secret */
    c->admission = rocecc_admission_for(4, 1000); /* 4 misbehaving neighbours */
    return rocecc_acl_init(neighbours, &entry, 1, &at) == ROCECC_ACL_ACCEPTED &&
           rocecc_pause_init(params) == ROCECC_PAUSE_ACCEPTED &&
           rocecc_flow_control_init(&classes, &domain) ==
               ROCECC_FLOW_CONTROL_ACCEPTED &&
           rocecc_arn_gate_init(c, &domain, neighbours) == ROCECC_ARN_GATE_ACCEPTED;
}

int main(void)
{
    rocecc_pause_params params = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    rocecc_arn_gate_config config = ROCECC_ZERO;
    rocecc_admission_event event = ROCECC_ZERO;
    rocecc_pause table = rocecc_pause_start(SLOTS);
    rocecc_arn_gate_result came;
    rocecc_pause_requester asker;
    rocecc_pause_notice notice;
    rocecc_pause_traffic traffic;
    rocecc_pause_result act;
    rocecc_arn_gate gate;
    rocecc_packet p, arn;
    rocecc_acl neighbours;
    uint8_t bytes[256];

    if (!configure(&params, &config, &neighbours)) return 1;
    gate = rocecc_arn_gate_start(&config, 0);
    for (event.n_sources = 0; event.n_sources < NEIGHBOURS; event.n_sources++)
        sources[event.n_sources] = rocecc_admission_source_start(&config.admission, 0);
    event.sources = sources;
    event.list = &neighbours;

    /* A data packet, as traffic. */
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(data, data + sizeof data), &p);
    if (rocecc_flow_control_traffic(&classes, &p, 1, PORT, &traffic) != ROCECC_OK)
        return 1;

    /* An ARN arrives. */
    (void)rocecc_packet_parse(&domain, asked(&traffic.inner, bytes, sizeof bytes),
                              &arn);
    event.now_ns = 1000;
    rocecc_arn_gate_step(&config, &gate, &arn, &event, &came);
    if (came.verdict != ROCECC_ARN_GATE_TAKEN) return 1;
    asker.node = came.src;
    asker.tag = came.tag;
    notice = rocecc_flow_control_arn_load(&domain.arn, &came.arn, &asker, PORT);
    act = rocecc_pause_notify(&params, &table, &memory, &notice, 1000);
    if (!act.arm) return 1; /* start the timer of act.slot with act.wait_ns */

    /* 5 us after the ARN, the packet must wait 15 us more. Then it may leave. */
    act = rocecc_pause_packet(&params, &table, slots, &traffic, 6000);
    if (act.what != ROCECC_PAUSE_HOLD || act.time_ns != 15000) return 1;
    printf("held for %u ns more\n", (unsigned)act.time_ns);
    act = rocecc_pause_timer(&params, &table, &memory, act.slot, 21000);
    return act.what != ROCECC_PAUSE_RUN;
}
