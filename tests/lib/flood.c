/* SPDX-License-Identifier: BSD-2-Clause */
#include "flood.h"

#include <string.h>

#include "rocecc/packet/arn.h"
#include "rocecc/packet/build.h"
#include "rocecc/role/arn_gate.h"
#include "rocecc/role/flow_control.h"
#include "rocecc/role/l3qcn_tor.h"
#include "rocecc/role/l3qcn_tor_learn.h"
#include "rocecc/role/reaction_point.h"

/* Tags of listed nodes. The honest node has 0. */
#define OTHER 1
#define MISBEHAVING 2
#define LISTED (MISBEHAVING + FLOOD_MISBEHAVING_N)

#define FLOWS 8    /* flows of the host, in the ToR and in ARNs */
#define SLOTS 256  /* for ARNs */
#define CLASSES 64 /* for PFC: 8 ports */
#define BUCKETS 64 /* of the ToR */
#define RATE_BPS 100000000000ull

static const rocecc_ip6 own = {{0x20, 1, 0xd, 0xb8, 0, 1, [15] = 0x10}};
static const rocecc_ip6 remote = {{0x20, 1, 0xd, 0xb8, 0, 2, [15] = 0x20}};
static const rocecc_mac bridge = {{2, 0, 0, 0, 0xff}};

static struct {
    rocecc_domain domain;
    rocecc_acl_entry entry[LISTED], cpid[LISTED];
    rocecc_acl access, cpids;
    rocecc_reaction_config reaction;
    rocecc_reaction_point point;
    rocecc_arn_gate_config gate;
    rocecc_arn_gate arns;
    rocecc_l3qcn_tor_config tor;
    rocecc_l3qcn_tor access_tor;
    rocecc_pause_params holds, stops;
    rocecc_pause held, stopped;
    rocecc_admission_source cnps[LISTED], asks[LISTED], cnms[LISTED];
    rocecc_flowtable_bucket bucket[BUCKETS];
    rocecc_flowtable_slot flow[8 * BUCKETS];
    rocecc_flowtable_memory memory;
    rocecc_l3qcn_tor_gate cnm_gate[BUCKETS * ROCECC_FLOWTABLE_WAYS];
    rocecc_traffic_slot slot[SLOTS], class_slot[CLASSES];
    rocecc_pause_holders who[SLOTS], class_who[CLASSES];
    uint32_t has[LISTED];
} node;

const char *flood_name(flood_kind kind)
{
    static const char *const name[] = {"Fast CNP", "CNP", "ARN", "private CNM", "PFC"};
    return name[kind];
}

/* Returns the address of a listed node, or from LISTED on of an unlisted one. */
static rocecc_ip6 address(uint64_t tag)
{
    rocecc_ip6 a = {{0x20, 1, 0xd, 0xb8, 0xff, 0xff}};
    if (tag >= LISTED) a.b[4] = 0xba; /* 2001:db8:baff::/48 */
    rocecc_store64(a.b + 8, tag + 1);
    return a;
}

static uint64_t cpid(uint64_t tag)
{
    return tag < LISTED ? (uint64_t)rocecc_load32(bridge.b) << 32 | tag << 16
                        : 0x0e00000000000000u + tag;
}

/* Returns a flow of the host, for ARNs and CNMs. */
static rocecc_flow flow(uint64_t j)
{
    rocecc_flow f = {own, remote, 0, ROCECC_UDP_PORT_ROCEV2, ROCECC_PROTO_UDP};
    f.src_port = (uint16_t)(0xc000 + j % FLOWS);
    return f;
}

static void configure(void)
{
    const rocecc_admission_params limits =
        rocecc_admission_for(FLOOD_MISBEHAVING_N, FLOOD_LIMIT);
    memset(&node, 0, sizeof node);
    node.domain.fastcnp.type_plain = 0x9e;
    node.domain.arn.port = 51966;
    node.domain.l3qcn.port = 51967;
    node.reaction.fastcnp_enabled = node.reaction.check_icrc = true;
    node.reaction.ordinary_listed = true;
    node.reaction.admission = node.gate.admission = limits;
    node.tor = rocecc_l3qcn_tor_default();
    node.tor.table.secret[0] = 1;
    node.tor.table.buckets = BUCKETS;
    node.tor.mac.b[0] = 2;
    node.tor.learn_untagged = node.tor.unlimited = node.tor.listed = true;
    node.tor.admission = limits;
    node.holds = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    node.stops = rocecc_pause_lab(ROCECC_PAUSE_CLASS);
    node.holds.hash_key[0] = node.stops.hash_key[0] = 7;
    node.holds.requesters = LISTED;
}

bool flood_open(void)
{
    uint32_t at, i;
    configure();
    for (i = 0; i < LISTED; i++) {
        node.entry[i].prefix = address(i);
        node.entry[i].length = 128;
        node.cpid[i].prefix = rocecc_l3qcn_tor_cpid(cpid(i));
        node.cpid[i].length = 64;
        node.entry[i].permit = node.cpid[i].permit = 1;
        node.entry[i].tag = node.cpid[i].tag = i;
    }
    if (rocecc_acl_init(&node.access, node.entry, LISTED, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_acl_init(&node.cpids, node.cpid, LISTED, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_reaction_point_init(&node.reaction, &node.domain, &node.access) !=
            ROCECC_REACTION_ACCEPTED ||
        rocecc_arn_gate_init(&node.gate, &node.domain, &node.access) !=
            ROCECC_ARN_GATE_ACCEPTED ||
        rocecc_l3qcn_tor_init(&node.tor, &node.domain, &node.cpids) !=
            ROCECC_L3QCN_TOR_ACCEPTED ||
        rocecc_pause_init(&node.holds) != ROCECC_PAUSE_ACCEPTED ||
        rocecc_pause_init(&node.stops) != ROCECC_PAUSE_ACCEPTED)
        return false;
    node.point = rocecc_reaction_point_start(&node.reaction, 0);
    node.arns = rocecc_arn_gate_start(&node.gate, 0);
    node.memory.bucket = node.bucket;
    node.memory.slot = node.flow;
    node.access_tor = rocecc_l3qcn_tor_start(&node.tor, &node.memory);
    node.held = rocecc_pause_start(SLOTS);
    node.stopped = rocecc_pause_start(CLASSES);
    for (i = 0; i < LISTED; i++) {
        node.cnps[i] = rocecc_admission_source_start(&node.reaction.admission, 0);
        node.asks[i] = rocecc_admission_source_start(&node.gate.admission, 0);
        node.cnms[i] = rocecc_admission_source_start(&node.tor.admission, 0);
    }
    return true;
}

/* ---- frames */

static void put_cnp(rocecc_writer *w, flood_kind kind, uint64_t tag, uint64_t i)
{
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_fastcnp h = {ROCECC_FASTCNP_PLAIN, remote, 0, 0, 0, 0, 0};
    rocecc_packet p;
    cnp.src = address(tag);
    cnp.dst = own;
    cnp.dest_qp = (uint32_t)i & 0xffffff;
    rocecc_headers_clear(&p.headers);
    p.bytes = rocecc_written(w);
    p.domain = &node.domain;
    if (kind == FLOOD_FAST_CNP)
        (void)rocecc_fastcnp_build(w, &p, ROCECC_ICRC_MASKED, &cnp, &h);
    else
        (void)rocecc_cnp_build(w, &cnp);
}

static void put_arn(rocecc_writer *w, uint64_t tag, uint64_t i)
{
    rocecc_datagram d = rocecc_arn_datagram(&node.domain.arn, (uint32_t)i);
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.type = ROCECC_ARN_CONGESTION_DETECTED;
    m.flow = flow(i / 101);
    m.time_ns = 500000;
    if (tag >= MISBEHAVING &&
        tag < LISTED) { /* as many flows as possible, for 1 s each */
        rocecc_store64(m.flow.dst.b + 8, i);
        m.time_ns = 1000000000;
    }
    m.has_flow = m.has_time = true;
    d.src = address(tag);
    d.dst = own;
    (void)rocecc_flow_control_arn_build(w, &node.domain.arn, &d, &m);
}

static void put_cnm(rocecc_writer *w, uint64_t tag, uint64_t i)
{
    const rocecc_flow f = flow(i / 101);
    rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default((uint32_t)i);
    rocecc_l3qcn h;
    memset(&h, 0, sizeof h);
    h.proto = f.proto;
    h.ports = true;
    h.src_port = f.src_port;
    h.dst_port = f.dst_port;
    h.src = f.src;
    h.dst = f.dst;
    h.cnm.qntz_fb = 32;
    h.cnm.cpid = cpid(tag);
    (void)rocecc_l3qcn_build(w, &node.domain.l3qcn, &o, &h);
}

/* Writes a whole PFC frame. Its source address has the port, for lack of a wire. */
static void put_pfc(rocecc_writer *w, const flood_frame *f, uint64_t i)
{
    const bool honest = f->who == FLOOD_HONEST || f->who == FLOOD_FORGED;
    rocecc_mac src = {{2, 0, 0, 0, 0, 0}};
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    src.b[5] = honest ? 1 : (uint8_t)(2 + f->node);
    m.type = ROCECC_ARN_CONGESTION_DETECTED;
    m.priority = f->who == FLOOD_HONEST ? i / 101 & 7 : i & 7;
    m.time_ns = 300000;
    m.pfc = m.has_priority = m.has_time = true;
    (void)rocecc_flow_control_pfc_build(w, &src, RATE_BPS, &m);
}

/* Returns the sender of frame i. */
static flood_who sender(uint64_t i)
{
    static const flood_who others[] = {FLOOD_UNLISTED, FLOOD_FORGED_OTHER};
    if (i % 101 == 0) return FLOOD_HONEST;
    if (i % 35 == 0) return FLOOD_FORGED;
    return i % 8 < 2 ? others[i % 8] : FLOOD_MISBEHAVING;
}

static uint64_t tag_of(const flood_frame *f, uint64_t i)
{
    if (f->who == FLOOD_UNLISTED) return LISTED + i;
    if (f->who == FLOOD_FORGED_OTHER) return OTHER;
    return f->who == FLOOD_MISBEHAVING ? MISBEHAVING + f->node : 0;
}

void flood_make(flood_kind kind, uint64_t i, flood_frame *f)
{
    rocecc_writer w = rocecc_writer_of(f->bytes, f->bytes + 256);
    uint64_t tag;
    f->who = sender(i);
    f->node = (unsigned)(i / 8 % FLOOD_MISBEHAVING_N);
    f->now_ns = i * FLOOD_NS;
    tag = tag_of(f, i);
    memset(f->bytes, 0, ROCECC_ETHER_BYTES);
    f->bytes[0] = f->bytes[6] = 2;
    rocecc_store16(f->bytes + 12, ROCECC_TYPE_IPV6);
    if (kind != FLOOD_PFC) (void)rocecc_put(&w, ROCECC_ETHER_BYTES);
    if (kind == FLOOD_FAST_CNP || kind == FLOOD_CNP) put_cnp(&w, kind, tag, i);
    if (kind == FLOOD_ARN) put_arn(&w, tag, i);
    if (kind == FLOOD_CNM) put_cnm(&w, tag, i);
    if (kind == FLOOD_PFC) put_pfc(&w, f, i);
    f->n = w.at;
    if (f->who == FLOOD_UNLISTED && kind == FLOOD_PFC) f->bytes[0] = 2;
    if (f->who != FLOOD_FORGED && f->who != FLOOD_FORGED_OTHER) return;
    if (kind == FLOOD_PFC)
        f->bytes[15] = 2; /* another opcode */
    else
        f->bytes[kind < FLOOD_ARN ? f->n - 1 : ROCECC_ETHER_BYTES + 40 + 7] ^= 0x55;
}

/* ---- the node */

static rocecc_l3qcn_tor_event tor_event(flood_frame *f)
{
    rocecc_l3qcn_tor_event e;
    memset(&e, 0, sizeof e);
    e.admission.now_ns = f->now_ns;
    e.admission.list = &node.cpids;
    e.admission.sources = node.cnms;
    e.admission.n_sources = LISTED;
    e.memory = node.memory;
    e.gate = node.cnm_gate;
    e.writer = rocecc_writer_of(f->bytes, f->bytes + sizeof f->bytes);
    return e;
}

void flood_idle(flood_kind kind, uint64_t now_ns)
{
    flood_frame f;
    uint64_t j;
    uint32_t slot;
    for (j = 0; kind == FLOOD_CNM && j < FLOWS; j++) { /* the host still sends */
        rocecc_cnp data = rocecc_cnp_default();
        rocecc_writer w = rocecc_writer_of(f.bytes, f.bytes + sizeof f.bytes);
        rocecc_l3qcn_tor_event e;
        rocecc_packet p;
        memset(f.bytes, 0, ROCECC_ETHER_BYTES);
        f.bytes[0] = f.bytes[6] = 2;
        f.bytes[11] = 9;
        rocecc_store16(f.bytes + 12, ROCECC_TYPE_IPV6);
        (void)rocecc_put(&w, ROCECC_ETHER_BYTES);
        data.src = own;
        data.dst = remote;
        data.src_port = flow(j).src_port;
        (void)rocecc_cnp_build(&w, &data);
        f.bytes[ROCECC_ETHER_BYTES + 48] = 0x04;
        f.now_ns = now_ns;
        e = tor_event(&f);
        (void)rocecc_packet_parse(&node.domain, rocecc_written(&w), &p);
        (void)rocecc_l3qcn_tor_learn(&node.tor, &node.access_tor, &p, &e);
    }
    for (slot = 0; kind == FLOOD_ARN && slot < SLOTS; slot++) {
        const rocecc_pause_memory m = {node.slot, node.who, node.has};
        (void)rocecc_pause_timer(&node.holds, &node.held, &m, slot, now_ns);
    }
}

/* Returns true if a notice is accepted and its traffic is held then. */
static bool holds(const rocecc_pause_params *p, rocecc_pause *t,
                  const rocecc_pause_memory *m, const rocecc_pause_notice *n,
                  uint64_t now_ns)
{
    rocecc_pause_traffic x;
    memset(&x, 0, sizeof x);
    x.outer = x.inner = n->flow;
    x.out_port = n->port;
    x.priority = x.pfc_class = (uint8_t)n->priority;
    return rocecc_pause_notify(p, t, m, n, now_ns).what == ROCECC_PAUSE_HOLD &&
           rocecc_pause_packet(p, t, m->slots, &x, now_ns).what == ROCECC_PAUSE_HOLD;
}

static bool hears_pfc(const flood_frame *f)
{
    const rocecc_pause_memory m = {node.class_slot, node.class_who, NULL};
    rocecc_reader r = rocecc_reader_of(f->bytes, f->bytes + f->n);
    rocecc_pause_notice notice;
    rocecc_pfc pfc;
    unsigned i;
    bool any = false;
    if (rocecc_pfc_parse(&r, &pfc) != ROCECC_OK) return false;
    for (i = 0; i < ROCECC_PFC_PRIORITIES; i++)
        if (rocecc_flow_control_pfc_load(&pfc, i, RATE_BPS, f->bytes[11], &notice) ==
            ROCECC_OK)
            any |= holds(&node.stops, &node.stopped, &m, &notice, f->now_ns);
    return any;
}

static bool hears_arn(const rocecc_packet *p, uint64_t now_ns)
{
    const rocecc_admission_event e = {now_ns, &node.access, NULL, node.asks, LISTED};
    const rocecc_pause_memory m = {node.slot, node.who, node.has};
    rocecc_arn_gate_result is;
    rocecc_pause_notice notice;
    rocecc_pause_requester from;
    rocecc_arn_gate_step(&node.gate, &node.arns, p, &e, &is);
    if (is.verdict != ROCECC_ARN_GATE_TAKEN) return false;
    from.node = is.src;
    from.tag = is.tag;
    notice = rocecc_flow_control_arn_load(&node.domain.arn, &is.arn, &from, 0);
    return holds(&node.holds, &node.held, &m, &notice, now_ns);
}

static bool hears_cnp(const rocecc_packet *p, uint64_t now_ns)
{
    const rocecc_reaction_event e = {{now_ns, &node.access, NULL, node.cnps, LISTED},
                                     ROCECC_REACTION_PEER_UNKNOWN};
    rocecc_reaction_result is;
    rocecc_reaction_point_step(&node.reaction, &node.point, p, &e, &is);
    return is.verdict == ROCECC_REACTION_FAST_PLAIN ||
           is.verdict == ROCECC_REACTION_ORDINARY;
}

static bool hears(flood_kind kind, flood_frame *f)
{
    rocecc_l3qcn_tor_event e;
    rocecc_l3qcn_tor_convert_result cnm;
    rocecc_packet p;
    if (kind == FLOOD_PFC) return hears_pfc(f);
    (void)rocecc_packet_parse(&node.domain, rocecc_reader_of(f->bytes, f->bytes + f->n),
                              &p);
    if (kind == FLOOD_ARN) return hears_arn(&p, f->now_ns);
    if (kind != FLOOD_CNM) return hears_cnp(&p, f->now_ns);
    e = tor_event(f);
    rocecc_l3qcn_tor_convert(&node.tor, &node.access_tor, &p, &e, &cnm);
    return cnm.verdict == ROCECC_L3QCN_TOR_CONVERTED;
}

bool flood_heard(flood_kind kind, flood_frame *f, flood_counts *counts)
{
    const bool effect = hears(kind, f);
    counts->sent[f->who]++;
    counts->heard[f->who] += effect;
    if (f->who == FLOOD_MISBEHAVING) counts->heard_of[f->node] += effect;
    return effect;
}

bool flood_kept(flood_kind kind, const flood_counts *counts, uint64_t frames)
{
    const uint64_t least = frames * FLOOD_NS / 1000 * FLOOD_LIMIT / 1000000;
    bool kept = counts->heard[FLOOD_HONEST] * 100 >= counts->sent[FLOOD_HONEST] * 99 &&
                counts->heard[FLOOD_FORGED] == 0 &&
                counts->heard[FLOOD_UNLISTED] == 0 &&
                counts->heard[FLOOD_FORGED_OTHER] == 0;
    unsigned i;
    for (i = 0; kind != FLOOD_PFC && i < FLOOD_MISBEHAVING_N; i++)
        kept = kept && counts->heard_of[i] <= FLOOD_BURST + least + 1;
    return kept;
}
