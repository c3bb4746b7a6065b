/* SPDX-License-Identifier: BSD-2-Clause */

/* tor.c - a ToR learns a host's flow, and converts a private CNM for it into a CNM. */
#include "rocecc/role/l3qcn_tor_learn.h"

#include <stdio.h>
#include <string.h>

#include "data.h"

#define BUCKETS 2
#define PORT 7 /* the host's port */

/* No UDP port is assigned to private CNMs yet. */
static const rocecc_domain domain = {.l3qcn.port = 0xcafe};

static rocecc_flowtable_bucket buckets[BUCKETS];
static rocecc_flowtable_slot slots[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static rocecc_l3qcn_tor_port ports[PORT + 1];

/* CPID of the congested switch: MAC address 02:00:00:00:00:02, any queue. */
static const uint64_t cpid = UINT64_C(0x0200000000020000);
static rocecc_acl_entry entry = {{{2, 0, 0, 0, 0, 2}}, 48, 1, 0, 0};
static rocecc_acl switches;
static rocecc_admission_source sources[1]; /* one per entry, indexed by its tag */

/* Writes the host's frame, with FLOW-ID 0x11 in a CN-TAG, and data. */
static size_t from_host(uint8_t *b, size_t n)
{
    const rocecc_ether ether = {
        {{2, 0, 0, 0, 0, 1}}, {{2, 0, 0, 0, 0, 0x10}}, ROCECC_TYPE_CNTAG};
    rocecc_writer w = rocecc_writer_of(b, b + n);
    uint8_t *tag;
    (void)rocecc_ether_emit(&w, &ether);
    tag = rocecc_put(&w, 4);
    if (tag == NULL) return 0;
    rocecc_store16(tag, 0x11);
    rocecc_store16(tag + 2, ROCECC_TYPE_IPV6);
    (void)rocecc_append(&w, rocecc_reader_of(data, data + sizeof data), sizeof data);
    return w.at;
}

/* Writes the congested switch's private CNM about that flow. */
static size_t from_fabric(const rocecc_flow *flow, uint8_t *b, size_t n)
{
    const rocecc_ether ether = {
        {{2, 0, 0, 0, 0, 1}}, {{2, 0, 0, 0, 0, 2}}, ROCECC_TYPE_IPV6};
    const rocecc_l3qcn_outer outer = rocecc_l3qcn_outer_default(0);
    rocecc_writer w = rocecc_writer_of(b, b + n);
    rocecc_l3qcn h;
    memset(&h, 0, sizeof h);
    h.src = flow->src;
    h.dst = flow->dst;
    h.ports = true;
    h.src_port = flow->src_port;
    h.dst_port = flow->dst_port;
    h.proto = flow->proto;
    h.cnm.qntz_fb = 39;
    h.cnm.cpid = cpid;
    h.cnm.msdu = rocecc_reader_of(NULL, NULL);
    (void)rocecc_ether_emit(&w, &ether);
    (void)rocecc_l3qcn_build(&w, &domain.l3qcn, &outer, &h);
    return w.at;
}

/* Sets up the ToR, once. */
static bool configure(rocecc_l3qcn_tor_config *c, rocecc_l3qcn_tor_event *e)
{
    uint32_t at;
    *c = rocecc_l3qcn_tor_default();
    c->table.secret[0] = 1; /* must be random and secret */
    c->table.buckets = BUCKETS;
    c->mac.b[0] = 2; /* 02:00:00:00:00:01 */
    c->mac.b[5] = 1;
    e->memory.bucket = buckets;
    e->memory.slot = slots;
    e->ports = ports;
    e->n_ports = PORT + 1;
    c->listed = true; /* otherwise any node could slow down any flow */
    c->admission = rocecc_admission_for(4, 1000); /* 4 misbehaving switches */
    if (rocecc_acl_init(&switches, &entry, 1, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_l3qcn_tor_init(c, &domain, &switches) != ROCECC_L3QCN_TOR_ACCEPTED)
        return false;
    sources[entry.tag] = rocecc_admission_source_start(&c->admission, 0);
    e->admission.list = &switches;
    e->admission.sources = sources;
    e->admission.n_sources = 1;
    return true;
}

int main(void)
{
    rocecc_l3qcn_tor_config config;
    rocecc_l3qcn_tor_event event = ROCECC_ZERO;
    uint8_t frame[128], message[256];
    rocecc_l3qcn_tor_learn_result learned;
    rocecc_l3qcn_tor_convert_result out;
    rocecc_l3qcn_tor tor;
    rocecc_packet p;
    rocecc_flow flow;
    size_t n;

    if (!configure(&config, &event)) return 1;
    tor = rocecc_l3qcn_tor_start(&config, &event.memory);

    /* A frame arrives at a host's port. */
    n = from_host(frame, sizeof frame);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(frame, frame + n), &p);
    event.admission.now_ns = 1000000;
    event.port = PORT;
    learned = rocecc_l3qcn_tor_learn(&config, &tor, &p, &event);
    if (learned.what != ROCECC_L3QCN_TOR_LEARNED) return 1;
    if (rocecc_packet_flow(&p, &flow) != ROCECC_OK) return 1;

    /* A private CNM arrives from the fabric. The CNM overwrites it. */
    n = from_fabric(&flow, message, sizeof message);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(message, message + n), &p);
    event.admission.now_ns = 1100000;
    event.writer = rocecc_writer_of(message, message + sizeof message);
    rocecc_l3qcn_tor_convert(&config, &tor, &p, &event, &out);
    if (out.verdict != ROCECC_L3QCN_TOR_CONVERTED) return 1;
    printf("a CNM of %u bytes out of port %u\n", (unsigned)rocecc_left(&out.cnm),
           (unsigned)out.port);
    return out.port != PORT;
}
