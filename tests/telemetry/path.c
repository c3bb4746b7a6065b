/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * path.c - sends packets from a source through five nodes to a sink, in each format.
 * The sink must read the nodes' hops and restore the packet.
 */
#include "lib/noun.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/packet/ioam.h"
#include "rocecc/telemetry/csig.h"
#include "rocecc/telemetry/path.h"
#include "rocecc/packet/icrc.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define HOPS 5
#define TTL 64
#define INT_PORT 5000
#define INT_DSCP 0x17
#define TPID 0x9900
#define TPID_WIDE 0x9901
#define NO_MTU 9000u

static const rocecc_telemetry_rates no_rates = {NULL, 0, 0};

typedef struct packet {
    uint8_t front[300]; /* buffer before the packet */
    uint8_t b[1024];    /* from the IP header on */
    size_t n;
} packet;

static rocecc_reader read_of(const packet *p)
{
    return noun_reader(p->b, p->n);
}

static rocecc_writer write_of(packet *p)
{
    rocecc_writer w = rocecc_writer_of(p, p->b + p->n);
    (void)rocecc_put(&w, sizeof p->front);
    return w;
}

/* Opens a gap with arbitrary bytes. */
static void open_gap(packet *p, size_t at, size_t bytes)
{
    CHECK(at <= p->n && p->n + bytes <= sizeof p->b);
    memmove(p->b + at + bytes, p->b + at, p->n - at);
    memset(p->b + at, 0xa5, bytes);
    p->n += bytes;
}

/* Kind of packet, and its telemetry format. */
typedef enum format { IOAM, IFA, INT } format;

typedef struct way {
    const char *name;
    format format;
    bool v6, tcp;
    uint8_t layout; /* for IFA */
} way;

static const way ways[] = {
    {"ioam, ipv6, udp", IOAM, true, false, 0},
    {"ioam, ipv6, tcp", IOAM, true, true, 0},
    {"ifa a, ipv4, udp", IFA, false, false, ROCECC_IFA_LAYOUT_A},
    {"ifa a, ipv4, tcp", IFA, false, true, ROCECC_IFA_LAYOUT_A},
    {"ifa a, ipv6, udp", IFA, true, false, ROCECC_IFA_LAYOUT_A},
    {"ifa a, ipv6, tcp", IFA, true, true, ROCECC_IFA_LAYOUT_A},
    {"ifa b, ipv4, udp", IFA, false, false, ROCECC_IFA_LAYOUT_B},
    {"ifa b, ipv4, tcp", IFA, false, true, ROCECC_IFA_LAYOUT_B},
    {"ifa b, ipv6, udp", IFA, true, false, ROCECC_IFA_LAYOUT_B},
    {"ifa b, ipv6, tcp", IFA, true, true, ROCECC_IFA_LAYOUT_B},
    {"ifa b in octets, ipv4, udp", IFA, false, false, ROCECC_IFA_LAYOUT_B_OCTETS},
    {"ifa b in octets, ipv6, tcp", IFA, true, true, ROCECC_IFA_LAYOUT_B_OCTETS},
    {"int, ipv4, udp", INT, false, false, 0},
    {"int, ipv4, tcp", INT, false, true, 0},
    {"int, ipv6, udp", INT, true, false, 0},
    {"int, ipv6, tcp", INT, true, true, 0}};

#define WAYS (sizeof ways / sizeof ways[0])

static size_t ip_bytes(const way *y)
{
    return y->v6 ? ROCECC_IPV6_BYTES : ROCECC_IPV4_BYTES;
}

static uint8_t ttl_of(const packet *p)
{
    return p->b[0] >> 4 == 4 ? p->b[8] : p->b[7];
}

static void forward(packet *p)
{
    const uint8_t ttl = (uint8_t)(ttl_of(p) - 1);
    if (p->b[0] >> 4 == 4)
        rocecc_ipv4_ttl_store(p->b, ttl);
    else
        rocecc_ipv6_hop_limit_store(p->b, ttl);
}

/*
 * Writes an IP header for the bytes after it. *pseudo gets the sum of its
 * pseudo-header.
 */
static void put_ip(packet *p, const way *y, uint32_t *pseudo)
{
    rocecc_writer w = rocecc_writer_of(p->b, p->b + ip_bytes(y));
    const uint16_t upper = (uint16_t)(p->n - ip_bytes(y));
    const uint8_t proto = y->tcp ? ROCECC_PROTO_TCP : ROCECC_PROTO_UDP;
    rocecc_ipv4 v4;
    rocecc_ipv6 v6;
    memset(&v4, 0, sizeof v4);
    memset(&v6, 0, sizeof v6);
    v4.dscp = v6.dscp = 26;
    v4.ecn = v6.ecn = 2;
    v4.total_length = (uint16_t)p->n;
    v6.payload_length = upper;
    v4.ttl = v6.hop_limit = TTL;
    v4.protocol = v6.next_header = proto;
    v4.identification = 0x1234;
    v4.df = true;
    v6.flow_label = 0x54321;
    v4.src.b[0] = v4.dst.b[0] = 10;
    v4.src.b[3] = v6.src.b[15] = 1;
    v4.dst.b[3] = v6.dst.b[15] = 2;
    v6.src.b[0] = v6.dst.b[0] = 0xfd;
    v4.options = rocecc_reader_of(p->b, p->b);
    if (y->v6) {
        CHECK_EQ(rocecc_ipv6_emit(&w, &v6), ROCECC_OK);
        *pseudo = rocecc_checksum_pseudo6(&v6, proto, upper);
        return;
    }
    CHECK_EQ(rocecc_ipv4_emit(&w, &v4), ROCECC_OK);
    rocecc_store16(p->b + 10, 0);
    rocecc_store16(p->b + 10, rocecc_ipv4_checksum(rocecc_reader_of(p->b, p->b + 20)));
    *pseudo = rocecc_checksum_pseudo4(&v4, upper);
}

/* Returns the UDP or TCP checksum over the current bytes, 0 if correct. */
static uint16_t sum_of(const packet *p, size_t at, uint32_t pseudo)
{
    const rocecc_reader r = rocecc_reader_of(p->b + at, p->b + p->n);
    return rocecc_checksum_final(rocecc_checksum_update(pseudo, r));
}

static rocecc_status locate(const packet *p, rocecc_packet *f)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    return rocecc_packet_parse(&d, rocecc_reader_of(p->b, p->b + p->n), f);
}

/*
 * Returns a RoCEv2 SEND of 32 bytes with a UDP checksum, or TCP with options and 40
 * bytes.
 */
static packet sent(const way *y)
{
    packet p;
    rocecc_writer w;
    uint32_t pseudo = 0;
    size_t i, at = ip_bytes(y);
    memset(&p, 0, sizeof p);
    for (i = 0; i < 200; i++)
        p.b[at + i] = (uint8_t)(i * 7);
    w = rocecc_writer_of(p.b + at, p.b + sizeof p.b);
    if (y->tcp) {
        static const uint8_t options[12] = {1, 1, 8, 10, 0, 1, 2, 3, 4, 5, 6, 7};
        rocecc_tcp h;
        memset(&h, 0, sizeof h);
        h.src_port = 49152;
        h.dst_port = 179;
        h.seq = 5;
        h.flags = 0x18;
        h.options = rocecc_reader_of(options, options + sizeof options);
        CHECK_EQ(rocecc_tcp_emit(&w, &h), ROCECC_OK);
        p.n = at + w.at + 40;
        put_ip(&p, y, &pseudo);
        rocecc_store16(p.b + at + 16, sum_of(&p, at, pseudo));
    } else {
        const rocecc_udp udp = {0xc123, 4791, 8 + 12 + 32 + 4, 0};
        rocecc_bth bth;
        rocecc_packet f;
        memset(&bth, 0, sizeof bth);
        bth.opcode = 4;
        bth.pkey = 0xffff;
        bth.dest_qp = 0xabcd;
        bth.psn = 0x123456;
        CHECK_EQ(rocecc_udp_emit(&w, &udp), ROCECC_OK);
        CHECK_EQ(rocecc_bth_emit(&w, &bth), ROCECC_OK);
        p.n = at + udp.length;
        put_ip(&p, y, &pseudo);
        CHECK_EQ(locate(&p, &f), ROCECC_OK);
        w = rocecc_writer_of(p.b, p.b + p.n);
        CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_STANDARD, &f, w), ROCECC_OK);
        rocecc_store16(p.b + at + 6, sum_of(&p, at, pseudo));
    }
    return p;
}

/*
 * Checks that five nodes changed only the hop limit (and an IPv4 checksum), and that a
 * UDP packet's ICRC is right.
 */
static void arrived(const packet *p, const way *y, packet original)
{
    rocecc_icrc icrc;
    rocecc_packet f;
    int i;
    for (i = 0; i < HOPS; i++)
        forward(&original);
    CHECK_EQ(p->n, original.n);
    CHECK(memcmp(p->b, original.b, original.n) == 0);
    if (y->tcp) return;
    CHECK_EQ(locate(p, &f), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &f, &icrc), ROCECC_OK);
    CHECK(icrc.ok);
}

/* The sender's request, and the faults on the path. */
typedef struct plan {
    uint8_t room;      /* in nodes: IOAM, IFA */
    uint8_t hop_limit; /* IFA, INT */
    uint32_t mtu[HOPS];
    int deaf; /* a node that ignores telemetry; -1: none */
} plan;

static plan all_well(void)
{
    plan q;
    int i;
    q.room = HOPS + 1;
    q.hop_limit = HOPS + 1;
    for (i = 0; i < HOPS; i++)
        q.mtu[i] = NO_MTU;
    q.deaf = -1;
    return q;
}

static const rocecc_domain domain = {
    .link = ROCECC_LINK_IP,
    .ioam = {123, 12, 0, false},
    .ifa = {.protocol = 253, .layout_a = 1u << 1, .layout_b = 1u << 2},
    .intmd = {.udp_port = INT_PORT, .dscp = INT_DSCP, .dscp_mask = 0x3f}};

static rocecc_packet packet_of(const packet *p)
{
    rocecc_packet at;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(p->b, p->b + p->n), &at);
    return at;
}

static void change(packet *p, const rocecc_edit *e)
{
    rocecc_writer w = rocecc_writer_of(p->b, p->b + sizeof p->b);
    w.at = p->n;
    CHECK_EQ(rocecc_edit_apply(e, &w), ROCECC_OK);
    p->n = w.at;
}

static rocecc_telemetry_config config(void)
{
    rocecc_telemetry_config c;
    memset(&c, 0, sizeof c);
    c.rate_bps = 100 * G;
    c.queue_unit_bytes = 80;
    c.util_one = 10000;
    return c;
}

/* Draws the nodes' values, in whole cells and hundredths of a percent. */
static void measure(uint64_t *random, rocecc_hop *hops)
{
    int i;
    for (i = 0; i < HOPS; i++) {
        rocecc_hop *h = &hops[i];
        h->id = (uint64_t)(0xa00 + i) << 32 | (unsigned)(100 + i);
        h->rate_bps = 100 * G;
        h->queue_bytes = (test_random(random) & 0xffff) * 80;
        h->tx_bytes = test_random(random) & 0xfffffffe;
        h->ts_ns = test_random(random) % G;
        h->util_q20 =
            (uint32_t)((((uint64_t)test_random(random) % 10001 << 20) + 5000) / 10000);
        h->valid = 63;
    }
}

/* Returns the part of a hop that the sink gets. */
static rocecc_hop told(const way *y, rocecc_hop h)
{
    h.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TS;
    if (y->format == INT) {
        h.valid |= ROCECC_HOP_UTIL;
        h.tx_bytes = 0;
    } else {
        h.valid |= ROCECC_HOP_TX;
        h.util_q20 = 0;
    }
    return h;
}

/* Inserts the telemetry headers at the sender. */
static void ioam_send(packet *p, const plan *q)
{
    const rocecc_packet at = packet_of(p);
    rocecc_ioam_source s;
    rocecc_edit e;
    memset(&s, 0, sizeof s);
    s.namespace_id = 123;
    s.trace_type = ROCECC_IOAM_TYPE_HPCC;
    s.words = (uint8_t)(q->room * 5);
    CHECK_EQ(rocecc_ioam_insert(&at, &s, NO_MTU, &e), ROCECC_EDIT_CHANGE);
    change(p, &e);
}

static void ifa_send(packet *p, const plan *q)
{
    const rocecc_packet at = packet_of(p);
    rocecc_ifa_source s = {
        {ROCECC_IFA_VERSION, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 0},
        {0xff, 0, 0, 0},
        0};
    rocecc_edit e;
    s.header.max_length = (uint8_t)(q->room * 8);
    s.metadata.hop_limit = q->hop_limit;
    CHECK_EQ(rocecc_ifa_insert(&at, &s, NO_MTU, &e), ROCECC_EDIT_CHANGE);
    change(p, &e);
}

static void int_send(packet *p, const way *y, const plan *q)
{
    const rocecc_packet at = packet_of(p);
    rocecc_intmd_source s;
    rocecc_edit e;
    memset(&s, 0, sizeof s);
    s.mark = y->tcp ? ROCECC_INTMD_MARK_DSCP : ROCECC_INTMD_MARK_PORT;
    s.mtu_bytes = NO_MTU;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, q->hop_limit);
    CHECK_EQ(rocecc_intmd_insert(&at, &s, NULL, rocecc_reader_of(NULL, NULL), &e),
             ROCECC_EDIT_CHANGE);
    change(p, &e);
}

/* Adds a node's record. Returns false if it adds nothing. */
static bool ioam_hop(packet *p, const rocecc_hop *h)
{
    const rocecc_telemetry_config c = config();
    const rocecc_reader r = rocecc_subrange(rocecc_reader_of(p, p->b + p->n),
                                            sizeof p->front, sizeof p->front + p->n);
    rocecc_edit_verdict verdict;
    rocecc_packet at;
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, ttl_of(p)), ROCECC_OK);
    rocecc_telemetry_ioam_store(&c, h, &n);
    (void)rocecc_packet_parse(&domain, r, &at);
    verdict = rocecc_ioam_update(&at, write_of(p), &n, rocecc_reader_of(p->b, p->b));
    CHECK(verdict == ROCECC_EDIT_CHANGE || verdict == ROCECC_EDIT_FULL ||
          verdict == ROCECC_EDIT_NONE);
    return verdict == ROCECC_EDIT_CHANGE;
}

static bool ifa_hop(packet *p, const way *y, const rocecc_hop *h, uint32_t mtu)
{
    const rocecc_telemetry_config c = config();
    const rocecc_packet at = packet_of(p);
    rocecc_edit_verdict verdict;
    rocecc_ifa_node n;
    rocecc_edit e;
    memset(&n, 0, sizeof n);
    n.layout = y->layout;
    n.lns = y->layout == ROCECC_IFA_LAYOUT_A ? 1 : 2;
    n.ttl = ttl_of(p);
    n.present = ROCECC_IFA_TTL;
    CHECK_EQ(rocecc_telemetry_ifa_emit(&c, h, &n), ROCECC_OK);
    verdict = rocecc_ifa_push(&at, &n, mtu, &e);
    CHECK(verdict == ROCECC_EDIT_CHANGE || verdict == ROCECC_EDIT_MTU ||
          verdict == ROCECC_EDIT_HOPS || verdict == ROCECC_EDIT_FULL);
    change(p, &e);
    return verdict == ROCECC_EDIT_CHANGE;
}

static bool int_hop(packet *p, const rocecc_hop *h, uint32_t mtu)
{
    const rocecc_telemetry_config c = config();
    const rocecc_packet at = packet_of(p);
    rocecc_edit_verdict verdict;
    rocecc_intmd_node n;
    rocecc_edit e;
    rocecc_intmd_node_init(&n);
    (void)rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_QUEUE_ID, 3);
    (void)rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_INGRESS_ID, 9);
    rocecc_telemetry_intmd_store(&c, h, &n);
    verdict = rocecc_intmd_push(&at, &n, rocecc_reader_of(NULL, NULL), mtu, &e);
    CHECK(verdict == ROCECC_EDIT_CHANGE || verdict == ROCECC_EDIT_MTU ||
          verdict == ROCECC_EDIT_HOPS);
    change(p, &e);
    return verdict == ROCECC_EDIT_CHANGE;
}

/* Checks the IP length, the IPv4 checksum and, for INT, the UDP or TCP checksum. */
static void sound(const packet *p, const way *y)
{
    rocecc_ipv46 ip;
    memset(&ip, 0, sizeof ip);
    CHECK_EQ(rocecc_ipv46_parse(rocecc_reader_of(p->b, p->b + p->n), &ip), ROCECC_OK);
    CHECK_EQ(ip.bytes, p->n);
    if (!y->v6)
        CHECK_EQ(rocecc_checksum_final(
                     rocecc_checksum_update(0, rocecc_reader_of(p->b, p->b + 20))),
                 0);
    if (y->format == INT) {
        const uint16_t upper = (uint16_t)(p->n - ip_bytes(y));
        rocecc_reader r = rocecc_reader_of(p->b, p->b + p->n);
        uint32_t pseudo = 0;
        rocecc_ipv4 v4;
        rocecc_ipv6 v6;
        if (y->v6) {
            CHECK_EQ(rocecc_ipv6_parse(&r, &v6), ROCECC_OK);
            pseudo = rocecc_checksum_pseudo6(&v6, v6.next_header, upper);
        } else {
            CHECK_EQ(rocecc_ipv4_parse(&r, &v4), ROCECC_OK);
            pseudo = rocecc_checksum_pseudo4(&v4, upper);
        }
        CHECK_EQ(sum_of(p, ip_bytes(y), pseudo), 0);
    }
}

/* Layout from the previous packet, perhaps with another format or bitmap. */
static rocecc_report_layout kept;

/* Reads the hops at the sink, and strips the telemetry. */
static rocecc_telemetry_path ioam_sink(packet *p, rocecc_hop *hops)
{
    rocecc_telemetry_config c = config();
    const rocecc_packet at = packet_of(p);
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    rocecc_edit e;
    CHECK_EQ(rocecc_ioam_find(&at, &o), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_view_parse(&domain.ioam, &o, &v), ROCECC_OK);
    c.layout = kept;
    CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hops, HOPS, &path), ROCECC_OK);
    rocecc_ioam_layout_update(&v.config, v.trace.trace_type, &kept);
    CHECK_EQ(rocecc_ioam_strip(&at, &e), ROCECC_EDIT_CHANGE);
    change(p, &e);
    return path;
}

static rocecc_telemetry_path ifa_sink(packet *p, rocecc_hop *hops)
{
    const rocecc_telemetry_config c = config();
    const rocecc_packet at = packet_of(p);
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
    rocecc_ifa v;
    rocecc_edit e;
    CHECK_EQ(rocecc_ifa_find(&at, &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hops, HOPS, &path), ROCECC_OK);
    CHECK_EQ(rocecc_ifa_strip(&at, &e), ROCECC_EDIT_CHANGE);
    change(p, &e);
    return path;
}

static rocecc_telemetry_path int_sink(packet *p, rocecc_hop *hops)
{
    rocecc_telemetry_config c = config();
    const rocecc_packet at = packet_of(p);
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
    rocecc_intmd_shim shim;
    rocecc_intmd v;
    rocecc_edit e;
    CHECK_EQ(rocecc_intmd_find(&at, &shim), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_parse(&domain.intmd, shim.body, &v), ROCECC_OK);
    c.layout = kept;
    CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hops, HOPS, &path), ROCECC_OK);
    rocecc_intmd_layout_update(v.header.instructions, &kept);
    CHECK_EQ(rocecc_intmd_strip(&at, &e), ROCECC_EDIT_CHANGE);
    change(p, &e);
    return path;
}

/*
 * Sends a packet all the way. *answered gets a bit for each node that answers, and the
 * sink must read their hops.
 */
static rocecc_telemetry_path travel(const way *y, const plan *q, unsigned *answered)
{
    const packet original = sent(y);
    packet p = original;
    rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_NO};
    rocecc_hop measured[HOPS], hops[HOPS];
    uint64_t random = 1 + (uint64_t)(y - ways);
    uint32_t n = 0;
    int i;
    measure(&random, measured);
    if (y->format == IOAM) ioam_send(&p, q);
    if (y->format == IFA) ifa_send(&p, q);
    if (y->format == INT) int_send(&p, y, q);
    *answered = 0;
    for (i = 0; i < HOPS; i++) {
        const size_t before = p.n;
        bool is = false;
        sound(&p, y);
        forward(&p);
        if (i == q->deaf) continue;
        if (y->format == IOAM) is = ioam_hop(&p, &measured[i]);
        if (y->format == IFA) is = ifa_hop(&p, y, &measured[i], q->mtu[i]);
        if (y->format == INT) is = int_hop(&p, &measured[i], q->mtu[i]);
        if (is) *answered |= 1u << i;
        CHECK_EQ(p.n - before, y->format == IOAM || !is ? 0
                               : y->format == IFA       ? 32
                                                        : 24);
        CHECK(p.n <= q->mtu[i] || p.n == before);
    }
    sound(&p, y);
    if (y->format == IOAM) path = ioam_sink(&p, hops);
    if (y->format == IFA) path = ifa_sink(&p, hops);
    if (y->format == INT) path = int_sink(&p, hops);
    for (i = 0; i < HOPS; i++) {
        const rocecc_hop should = told(y, measured[i]);
        const rocecc_hop *is = &hops[n];
        if ((*answered >> i & 1) == 0) continue;
        if (++n > path.n) break;
        CHECK_EQ(is->id, should.id);
        CHECK_EQ(is->rate_bps, should.rate_bps);
        CHECK_EQ(is->queue_bytes, should.queue_bytes);
        CHECK_EQ(is->tx_bytes, should.tx_bytes);
        CHECK_EQ(is->ts_ns, should.ts_ns);
        CHECK_EQ(is->util_q20, should.util_q20);
        CHECK_EQ(is->valid, should.valid);
    }
    CHECK_EQ(n, path.n);
    arrived(&p, y, original);
    return path;
}

/* Five nodes answer in each format, and the sink reads their measured values. */
TEST(path_sink_reads_five_measured_hops)
{
    size_t i;
    for (i = 0; i < WAYS; i++) {
        const plan q = all_well();
        rocecc_telemetry_path path;
        unsigned answered;
        test_context("%s", ways[i].name);
        path = travel(&ways[i], &q, &answered);
        CHECK_EQ(answered, 0x1f);
        CHECK_EQ(path.n, HOPS);
        CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    }
}

/*
 * Room for 0 to 5 nodes. IOAM shows missing room by O. IFA does not show it, so a full
 * stack may lack a node.
 */
TEST(path_without_room_is_shown_only_by_ioam)
{
    size_t i;
    plan q = all_well();
    for (i = 0; i < WAYS; i++)
        for (q.room = 0; q.room <= HOPS; q.room++) {
            rocecc_telemetry_path path;
            unsigned answered;
            if (ways[i].format == INT) continue;
            test_context("%s, room for %u", ways[i].name, q.room);
            path = travel(&ways[i], &q, &answered);
            CHECK_EQ(answered, (1u << q.room) - 1);
            CHECK_EQ(path.n, q.room);
            CHECK_EQ(path.complete, ways[i].format == IOAM && q.room < HOPS
                                        ? ROCECC_TELEMETRY_COMPLETE_NO
                                        : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
        }
}

/*
 * 0 to 5 nodes may answer. INT shows by E that another node was there, but IFA does
 * not.
 */
TEST(path_beyond_its_hop_limit_is_shown_only_by_int)
{
    size_t i;
    plan q = all_well();
    for (i = 0; i < WAYS; i++)
        for (q.hop_limit = 0; q.hop_limit <= HOPS; q.hop_limit++) {
            rocecc_telemetry_path path;
            unsigned answered;
            if (ways[i].format == IOAM) continue;
            test_context("%s, %u hops", ways[i].name, q.hop_limit);
            path = travel(&ways[i], &q, &answered);
            CHECK_EQ(answered, (1u << q.hop_limit) - 1);
            CHECK_EQ(path.n, q.hop_limit);
            CHECK_EQ(path.complete, ways[i].format == INT && q.hop_limit < HOPS
                                        ? ROCECC_TELEMETRY_COMPLETE_NO
                                        : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
        }
}

/*
 * One link's MTU, at each hop in turn, has no room for another record. Then all links
 * have room for 0 to 5 records. INT shows missing room by M, but IFA cannot.
 */
TEST(path_beyond_its_mtu_is_shown_only_by_int)
{
    size_t i;
    unsigned answered;
    int k, j;
    for (i = 0; i < WAYS; i++)
        for (k = 0; k <= HOPS; k++) {
            const uint32_t record = ways[i].format == IFA ? 32 : 24;
            const uint32_t head =
                (uint32_t)sent(&ways[i]).n + (ways[i].format == IFA ? 8 : 16);
            rocecc_telemetry_path path;
            plan q = all_well();
            if (ways[i].format == IOAM) continue; /* its room exists from the start */
            test_context("%s, link %d", ways[i].name, k);
            if (k < HOPS) {
                q.mtu[k] = head + (uint32_t)k * record + record - 1;
                path = travel(&ways[i], &q, &answered);
                CHECK_EQ(answered, 0x1fu & ~(1u << k));
                CHECK_EQ(path.n, HOPS - 1);
                CHECK_EQ(path.complete, ways[i].format == INT
                                            ? ROCECC_TELEMETRY_COMPLETE_NO
                                            : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
            }
            for (j = 0; j < HOPS; j++)
                q.mtu[j] = head + (uint32_t)k * record;
            path = travel(&ways[i], &q, &answered);
            CHECK_EQ(answered, (1u << k) - 1);
            CHECK_EQ(path.n, k);
            CHECK_EQ(path.complete, ways[i].format == INT && k < HOPS
                                        ? ROCECC_TELEMETRY_COMPLETE_NO
                                        : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
        }
}

/*
 * A node only forwards the packet. In IOAM, Hop_Lim has a gap if nodes are on both
 * sides.
 */
TEST(path_gap_between_two_nodes_is_shown_only_by_ioam)
{
    size_t i;
    plan q = all_well();
    for (i = 0; i < WAYS; i++)
        for (q.deaf = 0; q.deaf < HOPS; q.deaf++) {
            rocecc_telemetry_path path;
            unsigned answered;
            test_context("%s, node %d", ways[i].name, q.deaf);
            path = travel(&ways[i], &q, &answered);
            CHECK_EQ(answered, 0x1fu & ~(1u << q.deaf));
            CHECK_EQ(path.n, HOPS - 1);
            CHECK_EQ(path.complete,
                     ways[i].format == IOAM && q.deaf > 0 && q.deaf < HOPS - 1
                         ? ROCECC_TELEMETRY_COMPLETE_NO
                         : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
        }
}

/*
 * Returns a table with equal buckets of 3.125 Gb/s for ABW, 1/32 for ABW/C and 1 us for
 * delays. Wide buckets have 2^23 bit/s, 2^-20 and 128 ns.
 */
static rocecc_csig_table table(void)
{
    static const uint64_t width[4] = {3125000000, 32768, 1000, 1000};
    static const uint8_t step[4] = {23, 0, 7, 7};
    rocecc_csig_table t;
    unsigned i, k;
    memset(&t, 0, sizeof t);
    for (i = 0; i < 4; i++) {
        t.type[i].n = 32;
        for (k = 0; k < 32; k++) {
            t.type[i].range[k].min = k * width[i];
            t.type[i].range[k].max = (k + 1) * width[i] - 1;
        }
        t.type[i].wide = true;
        t.type[i].step_log2 = step[i];
    }
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    return t;
}

static const rocecc_csig_config csig = {TPID, TPID_WIDE, false};

/* Returns a frame without a CSIG tag, and with a VLAN tag if `vlan` is set. */
static packet framed(const way *y, bool vlan)
{
    packet p = sent(y);
    const size_t head = vlan ? 18 : 14;
    open_gap(&p, 0, head);
    memset(p.b, 2, 12);
    if (vlan) rocecc_store32(p.b + 12, 0x81000064);
    rocecc_store16(p.b + head - 2, y->v6 ? 0x86dd : 0x0800);
    return p;
}

/* Returns the bucket of the worst of five hops, by definition, and sets its locator. */
static uint32_t worst(const rocecc_csig_table *t, const rocecc_csig *tag,
                      const rocecc_hop *hops, int deaf, uint16_t *locator)
{
    uint32_t k = tag->value;
    int i;
    *locator = 0;
    for (i = 0; i < HOPS; i++) {
        const uint64_t left = (1 << 20) - hops[i].util_q20;
        const uint64_t v[4] = {(100 * G * left) >> 20, left, 0,
                               hops[i].queue_bytes * (uint64_t)8 / 100};
        uint32_t bucket = 0;
        if (i == deaf) continue;
        CHECK_EQ(rocecc_csig_quantise(t, tag, v[tag->type], &bucket), ROCECC_OK);
        if (tag->type < 2 ? bucket >= k : bucket <= k) continue;
        k = bucket;
        *locator = (uint16_t)(10 + i);
    }
    return k;
}

/* Parses a frame, not a packet from IP on. */
static rocecc_packet tagged_of(const packet *p)
{
    static rocecc_domain ether;
    rocecc_packet at;
    ether.csig = csig;
    (void)rocecc_packet_parse(&ether, rocecc_reader_of(p->b, p->b + p->n), &at);
    return at;
}

static void csig_travel(const way *y, bool vlan, bool wide, uint8_t type, int deaf)
{
    const rocecc_csig_table t = table();
    const rocecc_telemetry_config c = config();
    const packet original = framed(y, vlan);
    const size_t at = vlan ? 16 : 12, bytes = wide ? 8 : 4;
    rocecc_csig tag = rocecc_csig_neutral(&csig, wide, type);
    rocecc_hpcc_csig_event s = {0, 0, 0, 0, 0, 0};
    rocecc_hop hops[HOPS];
    rocecc_domain frame;
    packet p = original;
    uint64_t random = 77 + type;
    rocecc_reader r;
    rocecc_packet there;
    rocecc_edit e;
    rocecc_packet f;
    rocecc_icrc icrc;
    uint16_t locator;
    uint32_t bucket;
    uint64_t v = 0;
    int i;
    measure(&random, hops);
    bucket = worst(&t, &tag, hops, deaf, &locator);
    there = tagged_of(&p);
    CHECK_EQ(rocecc_csig_insert(&there, &tag, &e), ROCECC_EDIT_CHANGE);
    change(&p, &e);
    CHECK_EQ(p.n, original.n + bytes);
    for (i = 0; i < HOPS; i++) {
        const rocecc_csig_measured local = rocecc_telemetry_csig_store(&hops[i]);
        rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 0};
        port.locator = (uint16_t)(10 + i);
        if (i == deaf) continue;
        there = tagged_of(&p);
        CHECK(rocecc_csig_push(&there, &t, &port, &local, &e) <= ROCECC_EDIT_CHANGE);
        change(&p, &e);
    }
    /* The packet after the tag is parsed, and its ICRC is correct. */
    memset(&frame, 0, sizeof frame);
    frame.csig = csig;
    r = read_of(&p);
    CHECK_EQ(rocecc_packet_parse(&frame, r, &f), ROCECC_OK);
    CHECK_EQ(f.headers.csig, r.at + at);
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &f, &icrc), ROCECC_OK);
    CHECK(icrc.ok);
    r = rocecc_subrange(r, f.headers.csig, r.end);
    CHECK_EQ(rocecc_csig_parse(&csig, &r, &tag), ROCECC_OK);
    CHECK_EQ(tag.value, bucket);
    CHECK_EQ(tag.locator, locator);
    CHECK(rocecc_telemetry_csig_sample(&c, &no_rates, &t, &tag, &s));
    CHECK_EQ(rocecc_csig_dequantise(&t, &tag, &v), ROCECC_OK);
    if (type == ROCECC_CSIG_ABW_C) CHECK_EQ(s.value, (1 << 20) - v);
    if (type == ROCECC_CSIG_ABW)
        CHECK_EQ(s.value, (1 << 20) - (uint32_t)((v << 20) / (100 * G)));
    if (type >= ROCECC_CSIG_PD) CHECK_EQ(s.value, v);
    there = tagged_of(&p);
    CHECK_EQ(rocecc_csig_strip(&there, &e), ROCECC_EDIT_CHANGE);
    change(&p, &e);
    CHECK_EQ(p.n, original.n);
    CHECK(memcmp(p.b, original.b, p.n) == 0);
}

/*
 * A tag of each form and type travels over five hops, of which one may ignore it. The
 * sink reads the worst bucket of the others, and its locator.
 */
TEST(csig_tag_has_the_worst_of_five_hops)
{
    unsigned i;
    int deaf;
    for (i = 0; i < 32; i++)
        for (deaf = -1; deaf < HOPS; deaf++) {
            way y = {"", IOAM, false, false, 0};
            const uint8_t type = (uint8_t)(i >> 2 & 3);
            y.v6 = (i & 1) != 0;
            test_context("ipv%d, %s, type %u, vlan %u, without %d", y.v6 ? 6 : 4,
                         i & 2 ? "wide" : "compact", type, i >> 4, deaf);
            csig_travel(&y, i >= 16, (i & 2) != 0, type, deaf);
        }
}

/*
 * Returns the completeness of an INT-MD path with one node, if every node writes a
 * record.
 */
static unsigned int_completeness(uint8_t flags, uint16_t ds_id)
{
    const uint8_t b[] = {(uint8_t)(0x20 | flags),
                         0,
                         1,
                         0,
                         0x80,
                         0,
                         (uint8_t)(ds_id >> 8),
                         (uint8_t)ds_id,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         7};
    rocecc_telemetry_path path = {99, 99};
    rocecc_telemetry_config c = config();
    rocecc_intmd_config known = ROCECC_ZERO;
    rocecc_hop hop[1];
    rocecc_intmd v;
    c.every_node = true;
    known.ds_id = 0x1234;
    CHECK_EQ(rocecc_intmd_parse(&known, rocecc_reader_of(b, b + sizeof b), &v),
             ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hop, 1, &path), ROCECC_OK);
    CHECK_EQ(path.n, 1);
    return path.complete;
}

/* The host knows domain 0x1234, but a node on the path may not. */
TEST(path_with_a_known_domain_id_may_be_incomplete)
{
    CHECK_EQ(int_completeness(0, 0), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(int_completeness(0, 0x1234), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
}

/* In IFA and INT, signs of NO take precedence over signs of UNKNOWN. */
TEST(path_signs_of_an_incomplete_path_come_first)
{
    rocecc_telemetry_config c = config();
    unsigned mf_id, hop_limit;
    c.every_node = true;
    CHECK_EQ(int_completeness(4, 0x1234), ROCECC_TELEMETRY_COMPLETE_NO); /* E */
    CHECK_EQ(int_completeness(2, 0x1234), ROCECC_TELEMETRY_COMPLETE_NO); /* M */
    for (mf_id = 0; mf_id < 2; mf_id++)
        for (hop_limit = 0; hop_limit < 2; hop_limit++) {
            rocecc_telemetry_path path = {99, 99};
            rocecc_ifa v;
            memset(&v, 0, sizeof v);
            v.header.flags = ROCECC_IFA_FLAG_MF;
            v.header.max_length = 255;
            v.config.fragments = true;
            v.fragment.mf_id = (uint8_t)mf_id;
            v.metadata.hop_limit = (uint8_t)hop_limit;
            test_context("MF ID %u, Hop Limit %u", mf_id, hop_limit);
            CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, NULL, 0, &path), ROCECC_OK);
            CHECK_EQ(path.n, 0);
            CHECK_EQ(path.complete, mf_id != 0       ? ROCECC_TELEMETRY_COMPLETE_NO
                                    : hop_limit == 0 ? ROCECC_TELEMETRY_COMPLETE_UNKNOWN
                                                     : ROCECC_TELEMETRY_COMPLETE_YES);
        }
}

/*
 * Without a node between the hosts, every_node makes a path of 0 hops complete, without
 * hops[].
 */
TEST(path_without_a_node_is_complete_if_every_node_writes)
{
    static const uint8_t trace[] = {0, 0, 5 << 3, 0, 0xd2, 8, 0, 0};
    static const uint8_t body[] = {0x20, 0, 6, 6, 0xd5, 0, 0, 0, 0, 0, 0, 0};
    rocecc_telemetry_config c = config();
    unsigned every;
    for (every = 0; every < 2; every++) {
        const unsigned should =
            every ? ROCECC_TELEMETRY_COMPLETE_YES : ROCECC_TELEMETRY_COMPLETE_UNKNOWN;
        rocecc_telemetry_path path = {99, 99};
        rocecc_ioam_option o;
        rocecc_ioam_view view;
        rocecc_intmd md;
        c.every_node = every != 0;
        o.reserved = 0;
        o.opt_type = ROCECC_IOAM_PREALLOCATED;
        o.data = rocecc_reader_of(trace, trace + sizeof trace);
        CHECK_EQ(rocecc_ioam_view_parse(&domain.ioam, &o, &view), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ioam_path(&c, &view, NULL, 0, &path), ROCECC_OK);
        CHECK(path.n == 0 && path.complete == should);
        path.n = path.complete = 99;
        CHECK_EQ(rocecc_intmd_parse(&domain.intmd,
                                    rocecc_reader_of(body, body + sizeof body), &md),
                 ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_intmd_path(&c, &md, NULL, 0, &path), ROCECC_OK);
        CHECK(path.n == 0 && path.complete == should);
    }
}
