/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/l3qcn_tor.h"
#include "lib/guard.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "../../examples/lib/vec.h"
#include "rocecc/algo/qcn.h"

#include <string.h>

#define PORT 7      /* port of the host */
#define ROOM 64     /* bytes after a frame */
#define ETHER 14    /* header of an untagged frame */
#define PDU_4 0x3eu /* offset of the PDU in E4 */
#define PDU_6 0x6au /* offset of the PDU in E5 */
#define SLOTS (8 * LAW_L3QCN_TOR_BUCKETS)
#define FRAME_MAX 400

/* Made by hand from draft-yu-tsvwg-l3qcn-00, 3.2.2 and Figure 5. E1 is a data frame, E4
 * the answer of a congested device, and E2 the CNM for the host. */
static const char e1[] = "0200000001fe 02fd16783acd 88a8a064 8100a400 22e9c9a0 0800"
                         "45000050 12344000 3d06f96e 0a010a02 0a021401 22fd0015"
                         "11223344 00000000 50102000 00000000 0001020304050607"
                         "08090a0b0c0d0e0f 1011121314151617 18191a1b1c1d1e1f"
                         "2021222324252627";
static const char e4[] = "02000000aa01 020000000440 0800 45c00088 00004000 401107a0"
                         "0a021401 0a010a02 c0decafe 00747d1d 4c511406 006c1400"
                         "22fd0015 0a010a02 0a021401 001a 0200000004400305 fded 009c"
                         "a000 0200000001fe 0040 0800450000501234 40003d06f96e0a01"
                         "0a020a02140122fd 0015112233440000 0000501020000000"
                         "0000000102030405 060708090a0b0c0d 0e0f101112131415";
static const char e2[] = "02fd16783acd 020000000210 88a8c064 8100c400 22e9c9a0 22e7"
                         "001a 0200000004400305 fded 009c a000 0200000001fe 0040"
                         "0800450000501234 40003d06f96e0a01 0a020a02140122fd"
                         "0015112233440000 0000501020000000 0000000102030405"
                         "060708090a0b0c0d 0e0f101112131415";
/* Such frames over IPv6, with RoCEv2 data and one VLAN tag. */
static const char d6[] =
    "0200000001fe 02fd16783ace 8100a007 22e90ac9 86dd 60000000 00301140"
    "20010db8000100000000000000000002 20010db8000200000000000000000001 c00012b7"
    "00300000 0000000000000000 0000000000000000 0000000000000000 0000000000000000"
    "0000000000000000";
static const char e5[] =
    "02000000aa01 020000000440 86dd 6c000000 008c1140"
    "20010db8000200000000000000000001 20010db8000100000000000000000002 c0decafe"
    "008c8197 4c511c11 00842c00 c00012b7 20010db8000100000000000000000002"
    "20010db8000200000000000000000001 001a 0200000004400305 fded 009c a000"
    "0200000001fe 0040 86dd 60000000 0030113d 20010db8000100000000000000000002"
    "20010db8000200000000000000000001 c00012b7 00300000 0000000000000000"
    "000000000000";
static const char c6[] =
    "02fd16783ace 020000000210 8100c007 22e90ac9 22e7 001a 0200000004400305 fded 009c"
    "a000 0200000001fe 0040 86dd 60000000 0030113d 20010db8000100000000000000000002"
    "20010db8000200000000000000000001 c00012b7 00300000 0000000000000000"
    "000000000000";

#define ORIGIN(F, T)                                                                   \
    F(T, MAC, mac_sa, NULL)                                                            \
    F(T, MAC, gw_mac, NULL)                                                            \
    F(T, UINT, ingress_port, NULL)                                                     \
    F(T, UINT, flow_id, NULL)                                                          \
    F(T, UINT, tag[0].tpid, NULL)                                                      \
    F(T, UINT, tag[0].vid, NULL)                                                       \
    F(T, UINT, tag[1].tpid, NULL)                                                      \
    F(T, UINT, tag[1].vid, NULL)                                                       \
    F(T, UINT, n_tags, NULL)                                                           \
    F(T, UINT, prio, NULL)

#define STATION(F, T)                                                                  \
    F(T, MAC, mac, NULL)                                                               \
    F(T, HEX, table.secret[0], NULL)                                                   \
    F(T, HEX, table.secret[1], NULL)                                                   \
    F(T, UINT, table.buckets, NULL)

#define MS UINT64_C(1000000) /* in ns */

typedef struct bytes {
    uint8_t b[FRAME_MAX];
    size_t n;
} bytes;

typedef struct tor {
    rocecc_l3qcn_tor_config c;
    rocecc_l3qcn_tor s;
    rocecc_l3qcn_tor_gate *gate; /* NULL without gates */
    uint64_t now_ns;
    size_t before, room; /* bytes around a frame in its buffer */
    bytes cnm;           /* last CNM for the host */
    uint32_t port, n_ports;
    uint16_t vrf;
    const rocecc_acl *list; /* permitted CPIDs */
    const rocecc_aclindex *index;
    rocecc_admission_source *sources;
    uint32_t n_sources;
} tor;

static rocecc_flowtable_bucket bucket[LAW_L3QCN_TOR_BUCKETS];
static rocecc_flowtable_slot slots[8 * LAW_L3QCN_TOR_BUCKETS];
static const rocecc_flowtable_memory memory = {bucket, slots};
static rocecc_l3qcn_tor_gate gate[SLOTS];
static rocecc_l3qcn_tor_port ports[PORT + 1];

/* Domain of the packets, reset by configured(). */
static rocecc_domain domain;

static bytes hex(const char *text)
{
    bytes x;
    static uint8_t all[VEC_BYTES];
    CHECK(vec_hex(text, all, &x.n) && x.n <= sizeof x.b);
    memcpy(x.b, all, x.n);
    return x;
}

static rocecc_l3qcn_tor_config configured(void)
{
    static const rocecc_mac mac = {{2, 0, 0, 0, 2, 0x10}};
    rocecc_l3qcn_tor_config c = rocecc_l3qcn_tor_default();
    memset(&domain, 0, sizeof domain);
    domain.ifa.protocol = TELL_PROTOCOL;
    domain.ifa.layout_a = 1;
    domain.intmd.udp_port = TELL_PORT;
    domain.csig.compact_tpid = 0x9001;
    domain.csig.wide_tpid = 0x9002;
    domain.l3qcn.port = LAW_L3QCN_PORT;
    c.table.secret[0] = 0x0123456789abcdef;
    c.table.buckets = LAW_L3QCN_TOR_BUCKETS;
    c.mac = mac;
    CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL), ROCECC_L3QCN_TOR_ACCEPTED);
    return c;
}

/* Returns a ToR with an empty table. Buckets, slots and gates hold arbitrary bits. */
static tor fresh(const rocecc_l3qcn_tor_config *c)
{
    tor t;
    memset(bucket, 0xa5, sizeof bucket);
    memset(slots, 0xa5, sizeof slots);
    memset(gate, 0xa5, sizeof gate);
    memset(ports, 0, sizeof ports);
    t.c = *c;
    t.port = PORT;
    t.vrf = 0;
    t.n_ports = PORT + 1;
    t.list = NULL;
    t.index = NULL;
    t.sources = NULL;
    t.n_sources = 0;
    t.s = rocecc_l3qcn_tor_start(c, &memory);
    CHECK(t.s.table.used == 0 && t.s.table.next == 0);
    CHECK(t.s.admission.shared.level_e9 ==
          (uint64_t)c->admission.shared.burst * 1000000000);
    t.gate = gate;
    t.now_ns = 1000 * MS;
    t.before = 0;
    t.room = ROOM;
    t.cnm.n = 0;
    return t;
}

static uint64_t sum(const uint64_t *count, size_t n)
{
    uint64_t all = 0;
    while (n-- > 0)
        all += count[n];
    return all;
}

static rocecc_l3qcn_tor_event event(const tor *t, void *begin, void *end)
{
    rocecc_l3qcn_tor_event e;
    e.admission.now_ns = t->now_ns;
    e.admission.list = t->list;
    e.admission.index = t->index;
    e.admission.sources = t->sources;
    e.admission.n_sources = t->n_sources;
    e.memory = memory;
    e.gate = t->gate;
    e.port = t->port;
    e.vrf = t->vrf;
    e.ports = ports;
    e.n_ports = t->n_ports;
    e.writer = rocecc_writer_of(begin, end);
    return e;
}

/* Learns a frame from a host. Checks that the frame is unchanged, and counted once. */
static rocecc_l3qcn_tor_learn_result learn(tor *t, const bytes *x)
{
    const rocecc_l3qcn_tor was = t->s;
    uint8_t *at = guard_end(NULL, t->before + x->n);
    rocecc_reader r = rocecc_reader_of(at, at + t->before + x->n);
    const rocecc_l3qcn_tor_event e = event(t, NULL, NULL);
    rocecc_l3qcn_tor_learn_result out;
    rocecc_packet p;
    memset(at, 0xa5, t->before);
    memcpy(at + t->before, x->b, x->n);
    r = rocecc_subrange(r, t->before, r.end);
    (void)rocecc_packet_parse(&domain, r, &p);
    out = rocecc_l3qcn_tor_learn(&t->c, &t->s, &p, &e);
    if (out.what != ROCECC_L3QCN_TOR_LEARNED ||
        out.table.what == ROCECC_FLOWTABLE_LEARNED ||
        out.table.what == ROCECC_FLOWTABLE_REFRESHED)
        CHECK_EQ(out.table.port, 0); /* no flow gave way */
    CHECK(memcmp(at + t->before, x->b, x->n) == 0);
    CHECK_EQ(t->s.learning_count[out.what], was.learning_count[out.what] + 1);
    CHECK_EQ(sum(t->s.learning_count, ROCECC_L3QCN_TOR_LEARNINGS),
             sum(was.learning_count, ROCECC_L3QCN_TOR_LEARNINGS) + 1);
    CHECK_EQ(sum(t->s.table_count, ROCECC_FLOWTABLE_ACTIONS),
             t->s.learning_count[ROCECC_L3QCN_TOR_LEARNED]);
    if (out.what != ROCECC_L3QCN_TOR_LEARNED) {
        CHECK_EQ(out.table.what, ROCECC_FLOWTABLE_FULL);
        CHECK_EQ(out.table.slot, ROCECC_FLOWTABLE_NONE);
    }
    return out;
}

/* Checks that the verdict is counted once, and its reason, if any, once. */
static void check_counts(const rocecc_l3qcn_tor *was, const rocecc_l3qcn_tor *now,
                         const rocecc_l3qcn_tor_convert_result *out)
{
    const bool malformed = out->verdict == ROCECC_L3QCN_TOR_MALFORMED;
    const bool bad_arrival = out->verdict == ROCECC_L3QCN_TOR_BAD_ARRIVAL;
    CHECK(out->verdict < ROCECC_L3QCN_TOR_VERDICTS && out->why < ROCECC_L3QCN_VERDICTS);
    CHECK_EQ(now->verdict_count[out->verdict], was->verdict_count[out->verdict] + 1);
    CHECK_EQ(sum(now->verdict_count, ROCECC_L3QCN_TOR_VERDICTS),
             sum(was->verdict_count, ROCECC_L3QCN_TOR_VERDICTS) + 1);
    CHECK_EQ(now->malformed_count[out->why],
             was->malformed_count[out->why] + (malformed ? 1 : 0));
    CHECK_EQ(sum(now->malformed_count, ROCECC_L3QCN_VERDICTS),
             now->verdict_count[ROCECC_L3QCN_TOR_MALFORMED]);
    CHECK_EQ(out->why != ROCECC_L3QCN_TAKEN, malformed);
    CHECK(out->arrival < ROCECC_ARRIVAL_VERDICTS);
    CHECK_EQ(now->arrival_count[out->arrival],
             was->arrival_count[out->arrival] + (bad_arrival ? 1 : 0));
    CHECK_EQ(sum(now->arrival_count, ROCECC_ARRIVAL_VERDICTS),
             now->verdict_count[ROCECC_L3QCN_TOR_BAD_ARRIVAL]);
    CHECK_EQ(out->arrival != ROCECC_ARRIVAL_OK, bad_arrival);
    CHECK(bad_arrival || out->icmp.type == 0);
}

/* Checks that nothing in a buffer of n bytes has changed except the CNM. */
static void check_written(const uint8_t *at, const uint8_t *was, size_t n,
                          const rocecc_l3qcn_tor_convert_result *out)
{
    const rocecc_reader *r = &out->cnm;
    if (out->verdict != ROCECC_L3QCN_TOR_CONVERTED) {
        CHECK(memcmp(at, was, n) == 0);
        CHECK(r->base == at && rocecc_left(r) == 0 && out->port == 0);
        return;
    }
    CHECK(r->base == at && r->at <= r->end && r->end <= n && out->port == PORT);
    CHECK(memcmp(at, was, r->at) == 0);
    CHECK(memcmp(at + r->end, was + r->end, n - r->end) == 0);
}

/* Converts a frame from the fabric, with a guard page after its buffer. */
static rocecc_l3qcn_tor_convert_result arrive(tor *t, const bytes *x)
{
    static uint8_t was[GUARD_BYTES];
    const size_t n = t->before + x->n + t->room;
    const rocecc_l3qcn_tor before = t->s;
    uint8_t *at = guard_end(NULL, n);
    rocecc_reader r = rocecc_reader_of(at, at + t->before + x->n);
    const rocecc_l3qcn_tor_event e = event(t, at, at + n);
    rocecc_l3qcn_tor_convert_result out;
    rocecc_packet p;
    memset(at, 0xa5, n);
    memcpy(at + t->before, x->b, x->n);
    memcpy(was, at, n);
    r = rocecc_subrange(r, t->before, r.end);
    (void)rocecc_packet_parse(&domain, r, &p);
    rocecc_l3qcn_tor_convert(&t->c, &t->s, &p, &e, &out);
    check_counts(&before, &t->s, &out);
    check_written(at, was, n, &out);
    t->cnm.n = rocecc_left(&out.cnm);
    CHECK(t->cnm.n <= sizeof t->cnm.b);
    memcpy(t->cnm.b, out.cnm.base + out.cnm.at, t->cnm.n);
    return out;
}

static void check_drop(tor *t, const bytes *x, rocecc_l3qcn_tor_verdict verdict,
                       rocecc_l3qcn_verdict why)
{
    const rocecc_l3qcn_tor_convert_result out = arrive(t, x);
    CHECK_EQ(out.verdict, verdict);
    CHECK_EQ(out.why, why);
}

static void check_cnm(tor *t, const bytes *x, const bytes *should)
{
    CHECK_EQ(arrive(t, x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    CHECK_EQ(t->cnm.n, should->n);
    CHECK(memcmp(t->cnm.b, should->b, should->n) == 0);
}

/* Returns a ToR with open gates that has learned E1 and the frame over IPv6. */
static tor learned(const rocecc_l3qcn_tor_config *c)
{
    const bytes v4 = hex(e1), v6 = hex(d6);
    tor t = fresh(c);
    CHECK_EQ(learn(&t, &v4).table.what, ROCECC_FLOWTABLE_LEARNED);
    CHECK_EQ(learn(&t, &v6).table.what, ROCECC_FLOWTABLE_LEARNED);
    return t;
}

/* Returns a ToR without gates that has learned the same flows. */
static tor ungated(const rocecc_l3qcn_tor_config *c)
{
    tor t = learned(c);
    t.gate = NULL;
    return t;
}

static uint32_t words(const uint8_t *b, size_t n)
{
    uint32_t all = 0;
    size_t i;
    for (i = 0; i < n; i++)
        all += i % 2 ? b[i] : b[i] * 256u;
    return all;
}

static void seal(uint8_t *at, uint32_t all)
{
    while (all >> 16 != 0)
        all = (all & 0xffff) + (all >> 16);
    at[0] = (uint8_t)(~all >> 8);
    at[1] = (uint8_t)~all;
}

/* Corrects the checksum of the IPv4 header. */
static void mend_ip4(bytes *x)
{
    rocecc_store16(x->b + ETHER + 10, rocecc_ipv4_checksum(rocecc_reader_of(
                                          x->b + ETHER, x->b + ETHER + 20)));
}

/* Corrects the checksums of an untagged frame by its lengths, over IPv6 only UDP's. */
static void mend(bytes *x)
{
    const bool v6 = x->b[12] == 0x86;
    uint8_t *udp = x->b + (v6 ? 54 : 34), *ip = x->b + ETHER;
    const size_t n = udp[4] * 256u + udp[5];
    CHECK((size_t)(udp - x->b) + n <= x->n);
    udp[6] = udp[7] = 0;
    seal(udp + 6, words(udp, n) + 17 + (uint32_t)n +
                      (v6 ? words(ip + 8, 32) : words(ip + 12, 8)));
    if (udp[6] == 0 && udp[7] == 0) udp[6] = udp[7] = 0xff;
    if (v6) return;
    ip[10] = ip[11] = 0;
    seal(ip + 10, words(ip, 20));
}

static void add16(uint8_t *b, size_t more)
{
    const size_t v = b[0] * 256u + b[1] + more;
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
}

/* Returns E4 or E5 with `msdu` bytes of MSDU, and with right lengths. */
static bytes with_msdu(bool v6, size_t msdu)
{
    bytes x = hex(v6 ? e5 : e4);
    const size_t less = msdu - 64; /* mod 2^n */
    uint8_t *udp = x.b + (v6 ? 54 : 34);
    add16(x.b + (v6 ? 18 : 16), less);
    add16(udp + 4, less);
    add16(udp + 12, less);
    add16(x.b + (v6 ? PDU_6 : PDU_4) + 22, less);
    x.n += less;
    mend(&x);
    return x;
}

/* Returns E1 without VLAN tags, with its C-TAG alone, or with both. */
static bytes with_tags(unsigned tags)
{
    bytes x = hex(e1);
    const size_t less = 4 * (size_t)(2 - tags);
    memmove(x.b + 12, x.b + 12 + less, x.n - 12 - less);
    x.n -= less;
    return x;
}

/* A list of CPIDs. It must not move, because acl points at entries. */
#define SWITCHES 16
typedef struct switch_list {
    rocecc_acl_entry entries[SWITCHES];
    rocecc_admission_source sources[SWITCHES];
    rocecc_acl acl;
} switch_list;

/* Lists n switches with MAC addresses from 02:00:00:00:04:40 on and tags from 0 on. */
static void list_switches(switch_list *list, uint32_t n)
{
    uint32_t at, i;
    memset(list, 0, sizeof *list);
    for (i = 0; i < n; i++) {
        list->entries[i].prefix =
            rocecc_l3qcn_tor_cpid(0x0200000004400000 + ((uint64_t)i << 16));
        list->entries[i].length = 48;
        list->entries[i].permit = 1;
        list->entries[i].tag = i;
    }
    CHECK_EQ(rocecc_acl_init(&list->acl, list->entries, n, &at), ROCECC_ACL_ACCEPTED);
}

/* Returns a ToR without gates that admits only the listed switches, by c->admission. */
static tor admitting(rocecc_l3qcn_tor_config *c, switch_list *list)
{
    tor t;
    uint32_t i;
    c->listed = true;
    CHECK_EQ(rocecc_l3qcn_tor_init(c, &domain, &list->acl), ROCECC_L3QCN_TOR_ACCEPTED);
    t = ungated(c);
    for (i = 0; i < list->acl.n; i++)
        list->sources[i] = rocecc_admission_source_start(&c->admission, t.now_ns);
    t.list = &list->acl;
    t.sources = list->sources;
    t.n_sources = list->acl.n;
    return t;
}

/* init() returns the reason for each bad value, and does not change the limits. A
 * listed ToR needs a list with an entry. */
TEST(l3qcn_tor_init_refuses_each_bad_value)
{
    const rocecc_l3qcn_tor_config good = configured();
    const rocecc_domain agreed = domain;
    switch_list any;
    unsigned i, seen = 0; /* a bit per refusal */
    list_switches(&any, 1);
    for (i = 0; i < 25; i++) {
        rocecc_l3qcn_tor_config c = good;
        rocecc_admission_params was;
        rocecc_l3qcn_tor_refusal should = ROCECC_L3QCN_TOR_REFUSED_PORT;
        domain = agreed;
        if (i == 0) domain.l3qcn.port = 0;
        if (i == 1) domain.l3qcn.port = 4791;
        if (i >= 2) should = ROCECC_L3QCN_TOR_REFUSED_TABLE;
        if (i == 2) c.table.secret[0] = 0;
        if (i == 3) c.table.buckets = 3;
        if (i >= 4) should = ROCECC_L3QCN_TOR_REFUSED_MAC;
        if (i == 4) memset(&c.mac, 0, sizeof c.mac);
        if (i == 5) c.mac.b[0] = 1;
        if (i >= 6) should = ROCECC_L3QCN_TOR_REFUSED_PRIORITY;
        if (i == 6) c.priority = 8;
        if (i >= 7) should = ROCECC_L3QCN_TOR_REFUSED_GATE;
        if (i == 7) c.gate.interval_ns = 0x80000000;
        if (i == 8) c.gate.defer = 1;
        if (i == 9) c.gate.defer = 2;
        if (i >= 10) should = ROCECC_L3QCN_TOR_ACCEPTED;
        if (i == 10) c.priority = 0;
        if (i == 11) c.mac.b[0] = 0;
        if (i == 12) c.gate.interval_ns = 0;
        if (i >= 14) should = ROCECC_L3QCN_TOR_REFUSED_LIMIT;
        if (i == 14) c.port_limit.rate_per_s = 0; /* 0 does not mean "no limit" */
        if (i == 15) c.port_limit.burst = 0;
        if (i == 16) c.port_flows = 0;
        if (i >= 17) c.admission = rocecc_admission_for(1, 1000);
        if (i == 17) c.admission.source.burst = 0;
        if (i == 18) c.admission.shared.rate_per_s = 1999; /* AD-4 */
        if (i == 19) c.admission.verify.rate_per_s = 999;
        c.listed = i >= 17 && i != 24;
        if (i >= 20) should = ROCECC_L3QCN_TOR_ACCEPTED;
        if (i >= 21 && i <= 23) c.unlimited = true; /* except with `unlimited` */
        if (i == 21) c.port_limit.rate_per_s = 0;
        if (i == 22) c.port_limit.burst = 0;
        if (i == 23) c.port_flows = 0;
        if (i == 24) memset(&c.admission, 0, sizeof c.admission); /* not checked */
        test_context("case %u", i);
        was = c.admission;
        CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, c.listed ? &any.acl : NULL),
                 should);
        seen |= 1u << should;
        CHECK(should == ROCECC_L3QCN_TOR_ACCEPTED ||
              memcmp(&was, &c.admission, sizeof was) == 0);
        any.acl.n = 0; /* an empty list denies every switch */
        if (c.listed) {
            CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, &any.acl),
                     ROCECC_L3QCN_TOR_REFUSED_LIMIT);
            CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL),
                     ROCECC_L3QCN_TOR_REFUSED_LIMIT);
        }
        any.acl.n = 1;
    }
    CHECK_EQ(seen, 0x7f); /* ACCEPTED and all six refusals */
}

/* A MAC address may be 0 in all bytes except one, at any position. */
TEST(l3qcn_tor_init_accepts_a_mac_with_one_nonzero_byte)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned i;
    for (i = 0; i < 6; i++) {
        memset(&c.mac, 0, sizeof c.mac);
        CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL),
                 ROCECC_L3QCN_TOR_REFUSED_MAC);
        c.mac.b[i] = 2;
        CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL), ROCECC_L3QCN_TOR_ACCEPTED);
    }
}

/* The default values are documented in the header, and every option is off. */
TEST(l3qcn_tor_defaults_turn_every_option_off)
{
    rocecc_l3qcn_tor_config c = rocecc_l3qcn_tor_default();
    CHECK_RECORD(STATION, rocecc_l3qcn_tor_config, &c, ""); /* set by the caller */
    CHECK(c.priority == 6 && c.gate.interval_ns == 10000 && c.gate.defer == 0);
    CHECK(!c.learn_untagged && !c.rewrite_encap && !c.check_msdu);
    CHECK(!c.unlimited && c.port_limit.rate_per_s == 1000 &&
          c.port_limit.burst == 1000);
    CHECK(c.port_flows == 16384 && !c.listed);
    CHECK(c.admission.misbehaving == 0 && !c.admission.unlimited);
    CHECK((c.admission.source.rate_per_s | c.admission.verify.rate_per_s |
           c.admission.shared.rate_per_s | c.port_limit.full_ns) == 0);
    CHECK((c.admission.source.burst | c.admission.verify.burst |
           c.admission.shared.burst) == 0);
    CHECK((c.admission.source.full_ns | c.admission.verify.full_ns |
           c.admission.shared.full_ns) == 0);
    CHECK(c.table.expiry_ms == 10000 && c.table.evict_oldest == 0);
    memset(&domain, 0, sizeof domain);
    CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL), ROCECC_L3QCN_TOR_REFUSED_PORT);
}

/* The table keeps the origin of the last frame of a flow, without older tags. */
TEST(l3qcn_tor_table_keeps_the_origin_of_the_last_frame)
{
    static const char *const should[3] = {
        "mac_sa=02:fd:16:78:3a:cd gw_mac=02:00:00:00:01:fe ingress_port=7 "
        "flow_id=0xc9a0",
        "mac_sa=02:fd:16:78:3a:cd gw_mac=02:00:00:00:01:fe ingress_port=7 "
        "flow_id=0xc9a0 tag[0].tpid=0x8100 tag[0].vid=0x400 n_tags=1 prio=5",
        "mac_sa=02:fd:16:78:3a:cd gw_mac=02:00:00:00:01:fe ingress_port=7 "
        "flow_id=0xc9a0 tag[0].tpid=0x88a8 tag[0].vid=0x64 tag[1].tpid=0x8100 "
        "tag[1].vid=0x400 n_tags=2 prio=5"};
    static const rocecc_flow flow = {{{[10] = 0xff, 0xff, 10, 1, 10, 2}},
                                     {{[10] = 0xff, 0xff, 10, 2, 20, 1}},
                                     8957,
                                     21,
                                     6};
    const rocecc_l3qcn_tor_config c = configured();
    tor t = fresh(&c);
    int tags;
    for (tags = 2; tags >= 0; tags--) {
        const bytes x = with_tags((unsigned)tags);
        rocecc_flowtable_lookup_result m;
        (void)learn(&t, &x);
        m = rocecc_flowtable_lookup(&c.table, &memory, &flow, 0,
                                    (uint32_t)(t.now_ns / MS));
        CHECK_EQ(m.what, ROCECC_FLOWTABLE_FOUND);
        CHECK_RECORD(ORIGIN, rocecc_flowtable_origin, &m.origin, should[tags]);
    }
}

/* The gate of a new flow has not let a CNM pass yet. */
TEST(l3qcn_tor_a_new_flow_has_a_fresh_gate)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e1);
    tor t = fresh(&c);
    const uint32_t slot = learn(&t, &x).table.slot;
    CHECK(slot < SLOTS);
    CHECK(gate[slot].gate.last_ns == 0 && gate[slot].gate.sent == 0 &&
          gate[slot].gate.pending == 0 && gate[slot].qntz_fb == 0);
}

/* Each of 65,536 streams has its own source port and FLOW-ID, and its CNM has this
 * FLOW-ID, even after the next stream is learned. Old streams leave the table. */
TEST(R_L3_2_each_of_65536_streams_gets_its_own_flow_id)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes data6 = hex(d6), v6 = hex(e5), cnm6 = hex(c6);
    bytes data = hex(e1), private = hex(e4), cnm = hex(e2), last, last_cnm;
    uint32_t id;
    tor t;
    c.unlimited = true;
    c.table.evict_oldest = 1;
    CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL), ROCECC_L3QCN_TOR_ACCEPTED);
    t = ungated(&c);
    for (id = 0; id <= 0xffff; id++) {
        last = private;
        last_cnm = cnm;
        test_context("id %04x", (unsigned)id);
        rocecc_store16(data.b + 22, (uint16_t)id);
        rocecc_store16(cnm.b + 22, (uint16_t)id);
        rocecc_store16(data.b + 46, (uint16_t)(id ^ 0x22fd)); /* source port */
        rocecc_store16(private.b + 50, (uint16_t)(id ^ 0x22fd));
        mend(&private);
        t.now_ns += MS; /* one ms apart, so that an older stream is evicted */
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
        check_cnm(&t, &private, &cnm);
        if (id > 0) check_cnm(&t, &last, &last_cnm);
    }
    CHECK_EQ(learn(&t, &data6).what, ROCECC_L3QCN_TOR_LEARNED);
    check_cnm(&t, &v6, &cnm6);
}

/* Two streams of one adapter get CNMs with their own FLOW-IDs. */
TEST(R_L3_2_two_streams_get_their_own_flow_ids)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    bytes data = hex(e1), x = hex(e4), cnm = hex(e2);
    data.b[0x2e] = 0x77; /* source port */
    data.b[22] = 0x12;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_LEARNED);
    check_cnm(&t, &x, &cnm);
    x.b[0x32] = 0x77;
    mend(&x);
    cnm.b[22] = 0x12;
    check_cnm(&t, &x, &cnm);
}

/* A router replaces the Ethernet header of E1, removes the tags, and lowers the hop
 * limit. The flow still leads to the frame's origin. */
TEST(R_L3_4_a_routed_frame_leads_to_its_origin)
{
    const rocecc_l3qcn_tor_config c = configured();
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    const bytes data = hex(e1), cnm = hex(e2);
    tor t = learned(&c);
    bytes x = hex("02000000bb02 02000000bb01 0800");
    rocecc_writer w = rocecc_writer_of(x.b + ETHER, x.b + sizeof x.b);
    rocecc_l3qcn h;
    rocecc_flow flow;
    rocecc_packet p;
    memset(&h, 0, sizeof h);
    memcpy(x.b + ETHER, data.b + 26, 80);
    x.b[ETHER + 8]--;
    x.b[ETHER + 10]++; /* RFC 1624 */
    x.n = ETHER + 80;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(x.b, x.b + x.n), &p);
    CHECK(p.headers.n_vlan == 0 && p.headers.cntag == 0);
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
    h.src = flow.src;
    h.dst = flow.dst;
    h.ports = true;
    h.src_port = flow.src_port;
    h.dst_port = flow.dst_port;
    h.proto = flow.proto;
    h.extension = rocecc_reader_of(NULL, NULL);
    h.cnm.qntz_fb = 26;
    h.cnm.msdu = h.extension;
    CHECK_EQ(rocecc_l3qcn_build(&w, &domain.l3qcn, &o, &h), ROCECC_OK);
    x.n = ETHER + w.at;
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    CHECK(memcmp(t.cnm.b, cnm.b, 28) == 0); /* through QntzFb */
}

/* Only the UDP destination port identifies a private CNM. All others give OTHER. */
TEST(R_L3_11_only_the_udp_port_identifies_a_private_cnm)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    uint32_t port;
    for (port = 0; port <= 0xffff; port++) {
        bytes x = hex(e4);
        x.b[36] = (uint8_t)(port >> 8);
        x.b[37] = (uint8_t)port;
        mend(&x);
        test_context("port %u", (unsigned)port);
        CHECK_EQ(arrive(&t, &x).verdict, port == LAW_L3QCN_PORT
                                             ? ROCECC_L3QCN_TOR_CONVERTED
                                             : ROCECC_L3QCN_TOR_OTHER);
    }
}

/* With reserved_bit, the reserved bit also identifies a private CNM. */
TEST(R_L3_8_R_L3_11_reserved_bit_identifies_a_private_cnm)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes cnm = hex(e2);
    bytes x = hex(e4);
    tor t = ungated(&c);
    x.b[36] = 1;
    x.b[20] |= 0x80;
    mend(&x);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
    domain.l3qcn.reserved_bit = true;
    t = ungated(&c);
    check_cnm(&t, &x, &cnm);
    CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
    x.b[20] |= 0x20; /* first fragment */
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_ARRIVAL, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
    x.b[20] &= 0x80;
    x.b[39] = 7; /* UDP Length below 8 */
    mend_ip4(&x);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_CHECKSUM, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
    x.b[36] = 0x12; /* not checked in RoCEv2 */
    x.b[37] = 0xb7;
    x.b[39] = 0x74;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
}

/* Figure 5, byte for byte: the CNM has the origin of E1 and the PDU of E4. */
TEST(R_L3_12_e1_and_e4_give_e2)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), v6 = hex(e5), cnm = hex(e2), cnm6 = hex(c6);
    tor t = learned(&c);
    check_cnm(&t, &x, &cnm);
    check_cnm(&t, &v6, &cnm6);
}

/* A CNM has the VLAN tags of the flow's last frame, none, one or both. */
TEST(R_L3_12_a_cnm_has_the_tags_of_the_last_frame)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    unsigned tags;
    for (tags = 0; tags <= 2; tags++) {
        tor t = ungated(&c);
        const bytes data = with_tags(tags);
        bytes cnm = hex(e2);
        const size_t less = 4 * (size_t)(2 - tags);
        memmove(cnm.b + 12, cnm.b + 12 + less, cnm.n - 12 - less);
        cnm.n -= less;
        test_context("%u tags", tags);
        CHECK_EQ(learn(&t, &data).table.what,
                 tags == 2 ? ROCECC_FLOWTABLE_REFRESHED : ROCECC_FLOWTABLE_RELEARNED);
        check_cnm(&t, &x, &cnm);
    }
}

/* A plain 802.1Qau adapter reads the CNM, and lowers its rate unless QntzFb is 0. */
TEST(R_L3_13_an_802_1qau_adapter_obeys_the_cnm)
{
    rocecc_cnm_config station = {0, false, false, true, {{0}}};
    const rocecc_l3qcn_tor_config c = configured();
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(10000000000u);
    unsigned fb, v6;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    for (v6 = 0; v6 < 2; v6++)
        for (fb = 0; fb < 64; fb++) {
            rocecc_qcn_rp rp = rocecc_qcn_rp_start(&p);
            tor t = learned(&c);
            bytes x = hex(v6 ? e5 : e4);
            rocecc_cnm_frame h;
            rocecc_cnm_verdict verdict;
            memset(&h, 0, sizeof h);
            x.b[(v6 ? PDU_6 : PDU_4) + 1] = (uint8_t)fb;
            mend(&x);
            test_context("v6 %u, QntzFb %u", v6, fb);
            CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
            station.station = rocecc_mac_load(hex(v6 ? d6 : e1).b + 6);
            CHECK_EQ(rocecc_cnm_frame_parse(
                         &station, rocecc_reader_of(t.cnm.b, t.cnm.b + t.cnm.n), &h,
                         &verdict),
                     ROCECC_OK);
            CHECK(h.head.tagged && h.head.flow_id == (v6 ? 0x0ac9 : 0xc9a0));
            CHECK_EQ(h.cnm.qntz_fb, fb);
            (void)rocecc_qcn_rp_cnm(&p, &rp, h.cnm.qntz_fb, 0);
            CHECK(fb == 0 ? rp.rate_bps == p.max_bps : rp.rate_bps < p.max_bps);
        }
}

/* S1: a private CNM from a host's port is SPOOFED, and nothing is learned from it. */
TEST(R_L3_18_S1_C1_a_cnm_from_a_host_is_spoofed)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned i;
    c.learn_untagged = true;
    for (i = 0; i < 7; i++) {
        tor t = fresh(&c);
        bytes x = hex(i == 1 ? e5 : e4);
        if (i == 2) x.b[20] = 0x20;       /* first fragment */
        if (i == 3) x.b[39] = 7;          /* UDP Length below 8 */
        if (i == 4) x.b[38] = 1;          /* UDP Length beyond IP */
        if (i == 5) x.n = 38;             /* cut after its ports */
        if (i == 6) x.b[42] = x.b[6] = 1; /* no magic, group source */
        test_context("case %u", i);
        CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
        CHECK_EQ(t.s.table.used, 0);
    }
}

/* S2: a flip of any bit in either pair of addresses is SPOOFED. */
TEST(R_L3_18_S2_each_flipped_address_bit_is_spoofed)
{
    const rocecc_l3qcn_tor_config c = configured();
    unsigned v6, bit;
    for (v6 = 0; v6 < 2; v6++) {
        tor t = ungated(&c);
        const unsigned bits = v6 ? 256 : 64;
        for (bit = 0; bit < 2 * bits; bit++) {
            bytes x = hex(v6 ? e5 : e4);
            unsigned at = bit < bits ? (v6 ? 22 : 26) : (v6 ? 74 : 54);
            x.b[at + bit % bits / 8] ^= (uint8_t)(1 << bit % 8);
            mend(&x);
            test_context("v6 %u, bit %u", v6, bit);
            check_drop(&t, &x, ROCECC_L3QCN_TOR_MALFORMED, ROCECC_L3QCN_SPOOFED);
        }
    }
}

/* S3: with check_msdu, a flip in the MSDU is WRONG_MSDU if it changes the flow. */
TEST(R_L3_18_S3_an_msdu_of_another_flow_is_wrong)
{
    rocecc_l3qcn_tor_config c = configured();
    size_t v6, on, i;
    for (v6 = 0; v6 < 2; v6++)
        for (i = v6 ? 10 : 11; i < 64; i++) {
            bytes x = hex(v6 ? e5 : e4);
            const bool flow = v6 ? i < 46 : i == 11 || (i >= 14 && i < 26);
            if (v6 && i >= 46 && i < 48) continue; /* UDP Length */
            x.b[(v6 ? PDU_6 : PDU_4) + 24 + i] ^= 1;
            mend(&x);
            test_context("v6 %zu, byte %zu", v6, i);
            for (on = 0; on < 2; on++) {
                tor t;
                c.check_msdu = on == 1;
                t = ungated(&c);
                check_drop(&t, &x,
                           on && flow ? ROCECC_L3QCN_TOR_WRONG_MSDU
                                      : ROCECC_L3QCN_TOR_CONVERTED,
                           ROCECC_L3QCN_TAKEN);
            }
        }
}

/* An MSDU of another protocol shows another flow, even with room for IFA or INT. */
TEST(R_L3_18_S3_an_msdu_of_another_protocol_is_wrong)
{
    static const uint8_t protocols[] = {1, 17};
    rocecc_l3qcn_tor_config c = configured();
    unsigned i;
    c.check_msdu = true;
    for (i = 0; i < 2; i++) {
        bytes x = hex(e4);
        tor t = ungated(&c);
        x.b[PDU_4 + 24 + 2 + 9] = protocols[i];
        x.b[PDU_4 + 24 + 2 + 22] = 0; /* destination port */
        x.b[PDU_4 + 24 + 2 + 23] = 1;
        x.b[PDU_4 + 24 + 2 + 24] = 0; /* UDP Length */
        x.b[PDU_4 + 24 + 2 + 25] = 60;
        mend(&x);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_WRONG_MSDU, ROCECC_L3QCN_TAKEN);
    }
}

/* An MSDU that is cut, or not IP, is WRONG_MSDU only if it shows another flow. */
TEST(R_L3_18_S3_an_unreadable_msdu_passes)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned v6;
    size_t msdu;
    c.check_msdu = true;
    for (v6 = 0; v6 < 2; v6++)
        for (msdu = 0; msdu <= 64; msdu++) {
            bytes x = with_msdu(v6 == 1, msdu), y = x;
            tor t = ungated(&c);
            test_context("v6 %u, %zu bytes", v6, msdu);
            CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
            if (msdu < 2 + (v6 ? 48u : 24u)) continue; /* ports, or UDP's header */
            y.b[(v6 ? PDU_6 : PDU_4) + 24 + 2 + (v6 ? 43 : 23)] ^= 1;
            mend(&y);
            check_drop(&t, &y, ROCECC_L3QCN_TOR_WRONG_MSDU, ROCECC_L3QCN_TAKEN);
            y.b[(v6 ? PDU_6 : PDU_4) + 24] = 0x89; /* not IP */
            mend(&y);
            CHECK_EQ(arrive(&t, &y).verdict, ROCECC_L3QCN_TOR_CONVERTED);
        }
}

/* S4: a flow gets at most one CNM in 10 us. Dropped private CNMs do not count. */
TEST(R_L3_18_S4_a_flow_gets_one_cnm_in_10_us)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), v6 = hex(e5), cnm = hex(e2), cnm6 = hex(c6);
    bytes bad = x;
    tor t = learned(&c);
    bad.b[40] ^= 1;
    t.now_ns = 0xfffff000; /* 32-bit clocks wrap in this test */
    check_drop(&t, &bad, ROCECC_L3QCN_TOR_BAD_CHECKSUM, ROCECC_L3QCN_TAKEN);
    t.room = 0;
    domain.l3qcn.cnm.fixed_msdu = true;
    bad = with_msdu(false, 0);
    check_drop(&t, &bad, ROCECC_L3QCN_TOR_NO_SPACE, ROCECC_L3QCN_TAKEN);
    domain.l3qcn.cnm.fixed_msdu = false;
    check_cnm(&t, &x, &cnm);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_HELD, ROCECC_L3QCN_TAKEN);
    check_cnm(&t, &v6, &cnm6); /* another flow */
    t.now_ns += 9999;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_HELD, ROCECC_L3QCN_TAKEN);
    t.now_ns++;
    check_cnm(&t, &x, &cnm);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_HELD, ROCECC_L3QCN_TAKEN);
    t.gate = NULL;
    check_cnm(&t, &x, &cnm);
    check_cnm(&t, &x, &cnm);
}

/* S4: one of twelve forged CNMs in a burst passes. Twelve would nearly stop the flow.
 */
TEST(R_L3_18_S4_the_gate_passes_one_cnm_of_a_burst)
{
    const rocecc_l3qcn_tor_config c = configured();
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(10000000000u);
    unsigned gated, i;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    for (gated = 0; gated < 2; gated++) {
        rocecc_qcn_rp rp = rocecc_qcn_rp_start(&p);
        tor t = gated ? learned(&c) : ungated(&c);
        bytes x = hex(e4);
        x.b[PDU_4 + 1] = 63;
        mend(&x);
        for (i = 0; i < 12; i++) {
            t.now_ns += 800; /* one frame of 1000 bytes at 10 Gb/s */
            if (arrive(&t, &x).verdict == ROCECC_L3QCN_TOR_CONVERTED)
                (void)rocecc_qcn_rp_cnm(&p, &rp, t.cnm.b[27], 0);
        }
        CHECK_EQ(t.s.verdict_count[ROCECC_L3QCN_TOR_CONVERTED], gated ? 1 : 12);
        CHECK(gated ? rp.rate_bps >= 5000000000u : rp.rate_bps <= 5000000u);
    }
}

/* C2: a first fragment is BAD_ARRIVAL, and a later fragment, without ports, OTHER. */
TEST(l3qcn_tor_C2_a_first_fragment_is_bad_arrival)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = learned(&c);
    bytes x = hex(e4), v6 = hex(e5);
    x.b[20] = 0x20;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_ARRIVAL, ROCECC_L3QCN_TAKEN);
    x.n = 38; /* cut after the ports */
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_ARRIVAL, ROCECC_L3QCN_TAKEN);
    x = hex(e4);
    x.b[21] = 1;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
    memmove(v6.b + 62, v6.b + 54, v6.n - 54);
    memcpy(v6.b + 54, "\x11\0\0\1\0\0\0\7", 8); /* Fragment header, M set */
    v6.b[20] = 44;
    v6.b[19] += 8;
    v6.n += 8;
    check_drop(&t, &v6, ROCECC_L3QCN_TOR_BAD_ARRIVAL, ROCECC_L3QCN_TAKEN);
    v6.b[57] = 8;
    check_drop(&t, &v6, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
    v6.b[57] = 0; /* atomic fragment, RFC 6946 */
    CHECK_EQ(arrive(&t, &v6).verdict, ROCECC_L3QCN_TOR_CONVERTED);
}

/* C2: the DSCP of an INT that the walk cannot read does not change the verdict. */
TEST(l3qcn_tor_C2_the_dscp_of_int_does_not_change_the_verdict)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = learned(&c);
    bytes x = hex(e4);
    const size_t n = ETHER + 20 + 8 + 4 + 81 * 4; /* from the length in INT's shim */
    memset(x.b + x.n, 0, n - x.n);
    x.n = n;
    x.b[16] = (uint8_t)((n - ETHER) >> 8), x.b[17] = (uint8_t)(n - ETHER);
    x.b[38] = (uint8_t)((n - ETHER - 20) >> 8), x.b[39] = (uint8_t)(n - ETHER - 20);
    mend_ip4(&x);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_CHECKSUM, ROCECC_L3QCN_TAKEN);
    domain.intmd.dscp_mask = 0x3f;
    domain.intmd.dscp = 48;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_CHECKSUM, ROCECC_L3QCN_TAKEN);
}

/* Returns true if a flip of this bit of E4 breaks C3. C3 comes before the checksum. */
static bool breaks_its_form(size_t byte, unsigned flip)
{
    if (byte == 44) return flip > 4;     /* versions of message and addresses */
    if (byte == 48) return flip != 0x20; /* 0x20 moves the PDU, to an MSDU of 0 bytes */
    if (byte == PDU_4 + 23) return flip != 0x40; /* 0x40 leaves 0 bytes */
    return byte == 42 || byte == 43 || byte == 46 || byte == 47 ||
           (byte >= 54 && byte < 62) || byte == PDU_4 + 22;
}

/* C2: a flip of any bit that a checksum covers is rejected, and a checksum of 0. */
TEST(l3qcn_tor_C2_each_flipped_bit_is_rejected)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    bytes x = hex(e4);
    size_t bit;
    for (bit = 26 * (size_t)8; bit < x.n * 8; bit++) {
        const unsigned flip = 0x80u >> bit % 8;
        if (bit / 8 >= 36 && bit / 8 < 40) continue; /* port and length */
        x.b[bit / 8] ^= (uint8_t)flip;
        test_context("bit %zu", bit);
        CHECK_EQ(arrive(&t, &x).verdict, bit / 8 < 34 ? ROCECC_L3QCN_TOR_BAD_ARRIVAL
                                         : breaks_its_form(bit / 8, flip)
                                             ? ROCECC_L3QCN_TOR_MALFORMED
                                             : ROCECC_L3QCN_TOR_BAD_CHECKSUM);
        x.b[bit / 8] ^= (uint8_t)flip;
    }
    x.b[40] = x.b[41] = 0;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_CHECKSUM, ROCECC_L3QCN_TAKEN);
}

/* C2: UDP Length below 8, UDP Length beyond IP, and a cut frame are rejected. */
TEST(l3qcn_tor_C2_wrong_udp_lengths_are_rejected)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = learned(&c);
    bytes x = hex(e4);
    unsigned n;
    for (n = 0; n < 8; n++) {
        x.b[39] = (uint8_t)n;
        check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_CHECKSUM, ROCECC_L3QCN_TAKEN);
    }
    x = hex(e4);
    x.b[39]++; /* beyond IP, but within the padded frame */
    x.b[x.n++] = 0;
    mend(&x);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_MALFORMED, ROCECC_L3QCN_CUT);
    x = hex(e4);
    x.b[39]++;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_MALFORMED, ROCECC_L3QCN_CUT);
    for (x = hex(e4); x.n-- > 38;)
        check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_ARRIVAL, ROCECC_L3QCN_TAKEN);
    for (; x.n > 0; x.n--) /* without the port */
        check_drop(&t, &x, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
}

/* C2: a private CNM with IFA or INT is WRAPPED. Without them it is converted. */
TEST(l3qcn_tor_C2_cnms_with_ifa_or_int_are_wrapped)
{
    const rocecc_l3qcn_tor_config c = configured();
    unsigned how, v6;
    for (v6 = 0; v6 < 2; v6++)
        for (how = 0; how < TELL_HOWS; how++) {
            tor t = ungated(&c);
            bytes x = hex(v6 ? e5 : e4);
            const bytes should = hex(v6 ? c6 : e2);
            test_context("v6 %u, how %u", v6, how);
            x.n = ETHER + tell(x.b + ETHER, x.n - ETHER, (tell_how)how);
            CHECK(x.n > ETHER);
            check_drop(&t, &x, ROCECC_L3QCN_TOR_WRAPPED, ROCECC_L3QCN_TAKEN);
            CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
            x.n = ETHER + tell_not(x.b + ETHER, x.n - ETHER, (tell_how)how);
            check_cnm(&t, &x, &should);
        }
}

/* Returns E4 or E5 in an IPv4 tunnel. */
static bytes tunnelled(bool v6)
{
    static const char outer[] = "45000000 00004000 40040000 c0000201 c0000202";
    bytes x = hex(v6 ? e5 : e4);
    const bytes ip = hex(outer);
    memmove(x.b + ETHER + 20, x.b + ETHER, x.n - ETHER);
    memcpy(x.b + ETHER, ip.b, 20);
    x.n += 20;
    x.b[12] = 8;
    x.b[13] = 0;
    x.b[ETHER + 3] = (uint8_t)(x.n - ETHER);
    x.b[ETHER + 9] = v6 ? 41 : 4;
    return x;
}

/* C2: a private CNM in a tunnel is WRAPPED. Without the tunnel it is converted. */
TEST(l3qcn_tor_C2_cnms_in_a_tunnel_are_wrapped)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned v6;
    for (v6 = 0; v6 < 2; v6++) {
        bytes x = tunnelled(v6 == 1);
        tor t = ungated(&c);
        rocecc_l3qcn_tor_convert_result out;
        test_context("v6 %u", v6);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_WRAPPED, ROCECC_L3QCN_TAKEN);
        CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
        memmove(x.b, x.b + 20, 12);
        x.b[32] = v6 ? 0x86 : 8;
        x.b[33] = v6 ? 0xdd : 0;
        memmove(x.b, x.b + 20, x.n - 20);
        memcpy(x.b, hex(e4).b, 12);
        x.n -= 20;
        out = arrive(&t, &x);
        CHECK_EQ(out.verdict, ROCECC_L3QCN_TOR_CONVERTED);
    }
    domain.l3qcn.reserved_bit = true;
    {
        tor t = ungated(&c);
        bytes x = tunnelled(false);
        x.b[ETHER + 20 + 22] ^= 1; /* another port, but with the bit */
        x.b[ETHER + 20 + 6] |= 0x80;
        check_drop(&t, &x, ROCECC_L3QCN_TOR_WRAPPED, ROCECC_L3QCN_TAKEN);
    }
}

typedef struct broken {
    size_t at; /* offset from the magic */
    uint8_t value;
    rocecc_l3qcn_verdict why;
} broken;

/* C3: each fault of a private CNM gives its own reason, and has a counter. */
TEST(l3qcn_tor_C3_each_fault_has_its_own_reason)
{
    static const broken rows[] = {{5, 109, ROCECC_L3QCN_CUT},
                                  {4, 1, ROCECC_L3QCN_CUT},
                                  {0, 0, ROCECC_L3QCN_NOT_MAGIC},
                                  {1, 0, ROCECC_L3QCN_NOT_MAGIC},
                                  {2, 0x24, ROCECC_L3QCN_NEW_VERSION},
                                  {2, 0x04, ROCECC_L3QCN_NEW_VERSION},
                                  {6, 19, ROCECC_L3QCN_BAD_HEADER_LENGTH},
                                  {6, 85, ROCECC_L3QCN_BAD_TOTAL_LENGTH},
                                  {5, 43, ROCECC_L3QCN_BAD_TOTAL_LENGTH},
                                  {2, 0x1c, ROCECC_L3QCN_BAD_HEADER_LENGTH},
                                  {12, 11, ROCECC_L3QCN_SPOOFED},
                                  {19, 2, ROCECC_L3QCN_SPOOFED},
                                  {43, 65, ROCECC_L3QCN_LONG_MSDU},
                                  {5, 107, ROCECC_L3QCN_CUT_MSDU},
                                  {20, 0x10, ROCECC_L3QCN_CNM_VERSION}};
    rocecc_l3qcn_tor_config c = configured();
    tor t;
    size_t i;
    unsigned why;
    domain.l3qcn.cnm.strict_version = true;
    t = learned(&c);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bytes x = hex(e4);
        x.b[42 + rows[i].at] = rows[i].value;
        mend(&x);
        test_context("row %zu", i);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_MALFORMED, rows[i].why);
    }
    {
        bytes x = hex(e5);
        x.b[62 + 2] = 0x14; /* IPv4 addresses in IPv6 */
        x.b[62 + 6] = 44;
        mend(&x);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_MALFORMED, ROCECC_L3QCN_WRONG_FAMILY);
    }
    for (why = ROCECC_L3QCN_CUT; why < ROCECC_L3QCN_VERDICTS; why++)
        CHECK(t.s.malformed_count[why] != 0);
    CHECK_EQ(t.s.malformed_count[ROCECC_L3QCN_OTHER], 0);
}

/* C4: a flow that differs in the 5-tuple is not found, and no entry is added. */
TEST(l3qcn_tor_C4_another_5_tuple_gives_no_entry)
{
    const rocecc_l3qcn_tor_config c = configured();
    static const size_t at[] = {45, 50, 51, 52, 53}; /* protocol, ports */
    tor t = learned(&c);
    bytes x;
    size_t i;
    for (i = 0; i < sizeof at / sizeof at[0]; i++) {
        x = hex(e4);
        x.b[at[i]] ^= 1;
        mend(&x);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_ENTRY, ROCECC_L3QCN_TAKEN);
    }
    x = hex(e4);
    x.b[54] = x.b[30] = 11; /* source of the flow, destination of the packet */
    mend(&x);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_ENTRY, ROCECC_L3QCN_TAKEN);
    x = hex(e4);
    x.b[44] = 0x10; /* ports not valid */
    mend(&x);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_ENTRY, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(t.s.table.used, 2);
}

/* C4: a flow of a protocol without ports has ports of 0, and flag P is not set. */
TEST(l3qcn_tor_C4_flows_without_ports_are_found)
{
    const rocecc_l3qcn_tor_config c = configured();
    bytes data = hex(e1), x = hex(e4);
    const bytes cnm = hex(e2);
    tor t = fresh(&c);
    data.b[26 + 9] = 47; /* GRE */
    CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
    x.b[44] = 0x10;
    x.b[45] = 47;
    mend(&x);
    check_cnm(&t, &x, &cnm);
}

/* A flow is AGED from 10 s on, until its next frame. After a sweep it has no entry. */
TEST(l3qcn_tor_C5_a_flow_expires_after_10_s)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes data = hex(e1), x = hex(e4), cnm = hex(e2);
    tor t = ungated(&c);
    t.now_ns += 9999 * MS;
    check_cnm(&t, &x, &cnm);
    t.now_ns += MS;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_AGED, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_REFRESHED);
    check_cnm(&t, &x, &cnm);
    t.now_ns += 10000 * MS;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_AGED, ROCECC_L3QCN_TAKEN);
    while (rocecc_flowtable_sweep(&c.table, &t.s.table, &memory,
                                  (uint32_t)(t.now_ns / MS)) == 0 ||
           t.s.table.used != 0)
        ;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_ENTRY, ROCECC_L3QCN_TAKEN);
}

/* C6: learn() rejects a MAC of 0 or a group. In the table it gives WRONG_MAC. */
TEST(l3qcn_tor_C6_a_mac_of_0_or_a_group_is_rejected)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    unsigned i;
    for (i = 0; i < 2; i++) {
        bytes data = hex(e1);
        tor t = learned(&c);
        const uint32_t slot = learn(&t, &data).table.slot;
        rocecc_mac *mac = &slots[slot].entry.origin.mac_sa;
        memset(data.b + 6, 0, 6);
        data.b[6] = (uint8_t)i;
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_BAD_STATION);
        *mac = rocecc_mac_load(data.b + 6);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_WRONG_MAC, ROCECC_L3QCN_TAKEN);
    }
}

/* C8: tags in the table that are not valid give NO_SPACE. */
TEST(l3qcn_tor_C8_invalid_tags_give_no_space)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), data = hex(e1);
    unsigned i;
    for (i = 0; i < 4; i++) {
        tor t = learned(&c);
        const uint32_t slot = learn(&t, &data).table.slot;
        rocecc_flowtable_origin *o = &slots[slot].entry.origin;
        if (i == 0) o->n_tags = 3;
        if (i == 1) o->n_tags = 255;
        if (i == 2) o->tag[1].tpid = 0x9100;
        if (i == 3) o->tag[0].vid = 4096;
        test_context("case %u", i);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_SPACE, ROCECC_L3QCN_TAKEN);
    }
}

/* C7, C8: the CNM has the ToR's address and priority, every VID, and a DEI of 0. */
TEST(l3qcn_tor_C7_C8_the_cnm_has_mac_priority_and_each_vid)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    bytes data = hex(e1), cnm = hex(e2);
    unsigned v;
    for (v = 0; v < 4096; v++) {
        tor t;
        c.priority = v & 7;
        memset(c.mac.b, (int)(v & 0xfe), 5);
        c.mac.b[5] = (uint8_t)(v >> 4 | 1);
        memcpy(cnm.b + 6, c.mac.b, 6);
        rocecc_store16(data.b + 14, (uint16_t)(v | (v & 0xf) << 12)); /* PCP, DEI */
        rocecc_store16(data.b + 18, (uint16_t)(0xfff ^ v));
        rocecc_store16(cnm.b + 14, (uint16_t)(c.priority * 0x2000u | v));
        rocecc_store16(cnm.b + 18, (uint16_t)(c.priority * 0x2000u | (0xfff ^ v)));
        t = fresh(&c);
        test_context("VID %u", v);
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
        check_cnm(&t, &x, &cnm);
    }
}

/* C11: every PDU bit is copied, except the MSDU length. */
TEST(l3qcn_tor_C10_C11_every_pdu_bit_is_copied)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    bytes x = hex(e4), cnm = hex(e2);
    size_t bit;
    unsigned w;
    for (w = 0; w <= 0xffff; w++) { /* Version, ReservedV, QntzFb */
        rocecc_store16(x.b + PDU_4, (uint16_t)w);
        rocecc_store16(cnm.b + 26, (uint16_t)w);
        mend(&x);
        check_cnm(&t, &x, &cnm);
    }
    for (bit = 16; bit < 88 * 8; bit++) {
        if (bit / 8 == 22 || bit / 8 == 23) continue;
        x.b[PDU_4 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        cnm.b[26 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        mend(&x);
        test_context("bit %zu", bit);
        check_cnm(&t, &x, &cnm);
    }
}

/* C11: rewrite_encap writes only priority and destination of the host's frame. */
TEST(l3qcn_tor_C11_rewrite_encap_writes_priority_and_address)
{
    rocecc_l3qcn_tor_config c = configured();
    bytes data = hex(e1), x = hex(e4), cnm = hex(e2);
    unsigned prio;
    c.rewrite_encap = true;
    memset(x.b + PDU_4 + 14, 0xff, 8); /* from the congested device */
    mend(&x);
    for (prio = 0; prio < 8; prio++) {
        tor t = fresh(&c);
        data.b[14] = (uint8_t)(prio << 5);
        data.b[5] = (uint8_t)prio; /* destination of the host's frame */
        rocecc_store16(cnm.b + 26 + 14, (uint16_t)(prio << 13));
        memcpy(cnm.b + 26 + 16, data.b, 6);
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
        check_cnm(&t, &x, &cnm);
    }
    data = with_tags(0); /* priority 0 without a tag */
    {
        tor t = fresh(&c);
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
        CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
        CHECK_EQ(rocecc_load16(t.cnm.b + 18 + 14), 0);
        CHECK(memcmp(t.cnm.b + 18 + 16, data.b, 6) == 0);
    }
}

/* C11: an MSDU length above 64 that is tolerated is 64 in the CNM. */
TEST(l3qcn_tor_C11_a_tolerated_msdu_length_becomes_64)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes cnm = hex(e2);
    bytes x = hex(e4);
    tor t;
    domain.l3qcn.cnm.tolerate_long = true;
    t = ungated(&c);
    rocecc_store16(x.b + PDU_4 + 22, 65);
    mend(&x);
    check_cnm(&t, &x, &cnm);
    rocecc_store16(x.b + PDU_4 + 22, 0xffff);
    mend(&x);
    check_cnm(&t, &x, &cnm);
}

/* Returns the CNM for E4 with `msdu` bytes of MSDU and `tags` VLAN tags. */
static bytes should_be(unsigned tags, size_t msdu, bool fixed)
{
    bytes cnm = hex(e2);
    const size_t less = 4 * (size_t)(2 - tags);
    memset(cnm.b + 50 + msdu, 0, 64 - msdu);
    cnm.b[49] = (uint8_t)(fixed ? 64 : msdu);
    cnm.n = 50 + (fixed ? 64 : msdu);
    memmove(cnm.b + 12, cnm.b + 12 + less, cnm.n - 12 - less);
    cnm.n -= less;
    while (cnm.n < 60)
        cnm.b[cnm.n++] = 0;
    return cnm;
}

/* C12, C13: each room that is too small gives NO_SPACE, and the exact room or more is
 * enough, for each MSDU length and number of tags, with fixed_msdu and without. */
TEST(l3qcn_tor_C12_C13_the_exact_room_is_enough)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned tags, fixed;
    size_t msdu;
    for (fixed = 0; fixed < 2; fixed++)
        for (tags = 0; tags <= 2; tags++) {
            const bytes data = with_tags(tags);
            tor t;
            domain.l3qcn.cnm.fixed_msdu = fixed == 1;
            t = ungated(&c);
            (void)learn(&t, &data);
            for (msdu = 0; msdu <= 64; msdu++) {
                const bytes x = with_msdu(false, msdu);
                const bytes cnm = should_be(tags, msdu, fixed == 1);
                const size_t least = cnm.n - (18 + 4 * (size_t)tags + 24 + msdu);
                test_context("%u tags, MSDU %zu, fixed %u", tags, msdu, fixed);
                CHECK(least <= (fixed ? 64 : 18));
                for (t.room = 0; t.room < least; t.room++)
                    check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_SPACE, ROCECC_L3QCN_TAKEN);
                check_cnm(&t, &x, &cnm);
                t.room++;
                check_cnm(&t, &x, &cnm);
            }
        }
}

/* Bytes after Total Length, or after the packet, do not belong to the message. */
TEST(l3qcn_tor_C13_bytes_after_the_message_are_ignored)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    bytes x = with_msdu(false, 0);
    const bytes cnm = should_be(2, 0, false);
    memset(x.b + x.n, 0xee, 20);
    x.n += 20; /* padding of a short frame */
    t.room = 0;
    check_cnm(&t, &x, &cnm);
    add16(x.b + 16, 20); /* within IP and UDP */
    add16(x.b + 38, 20);
    mend(&x);
    check_cnm(&t, &x, &cnm);
    add16(x.b + 46, 20); /* within Total Length */
    mend(&x);
    check_cnm(&t, &x, &cnm);
}

/* A header extension leaves more room before the PDU, and the CNM is the same. */
TEST(l3qcn_tor_C13_an_extension_does_not_change_the_cnm)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes cnm = hex(e2);
    unsigned n;
    for (n = 1; n < 236; n++) {
        tor t = ungated(&c);
        bytes x = hex(e4);
        memmove(x.b + PDU_4 + n, x.b + PDU_4, 88);
        memset(x.b + PDU_4, 0xee, n);
        x.n += n;
        add16(x.b + 16, n);
        add16(x.b + 38, n);
        add16(x.b + 46, n);
        x.b[48] = (uint8_t)(20 + n);
        mend(&x);
        test_context("%u bytes", n);
        check_cnm(&t, &x, &cnm);
    }
}

/* A frame may begin anywhere in a buffer. E4 may have VLAN tags of the fabric. */
TEST(l3qcn_tor_a_frame_may_start_anywhere_in_a_buffer)
{
    const rocecc_l3qcn_tor_config c = configured();
    static const size_t at[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 255, 30999, 31000};
    const bytes data = hex(e1), cnm = hex(e2);
    unsigned tags;
    size_t i;
    for (i = 0; i < sizeof at / sizeof at[0]; i++) {
        tor t = fresh(&c);
        t.gate = NULL;
        t.before = at[i];
        t.room = 0;
        test_context("from %zu on", at[i]);
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
        for (tags = 0; tags < 4; tags++) {
            static const uint8_t tag[] = {0x88, 0xa8, 0xef, 0xff};
            bytes x = hex(e4);
            unsigned k;
            for (k = 0; k < tags; k++) {
                memmove(x.b + 16, x.b + 12, x.n - 12);
                memcpy(x.b + 12, tag, 4);
                x.n += 4;
            }
            check_cnm(&t, &x, &cnm);
        }
    }
    {
        tor t = ungated(&c); /* too far for the parser */
        const bytes x = hex(e4);
        t.before = ROCECC_PACKET_START_MAX + 1;
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_UNTAGGED);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
    }
}

/* A buffer that begins with the IP header has enough room before the PDU. */
TEST(l3qcn_tor_converts_a_packet_without_ethernet)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    const bytes x = hex(e4), cnm = hex(e2);
    uint8_t *at = guard_start(x.b + ETHER, x.n - ETHER);
    const rocecc_reader r = rocecc_reader_of(at, at + x.n - ETHER);
    const rocecc_l3qcn_tor_event e = event(&t, at, at + x.n - ETHER);
    rocecc_l3qcn_tor_convert_result out;
    rocecc_packet p;
    domain.link = ROCECC_LINK_IP;
    (void)rocecc_packet_parse(&domain, r, &p);
    CHECK_EQ(rocecc_l3qcn_tor_learn(&t.c, &t.s, &p, &e).what, ROCECC_L3QCN_TOR_SPOOFED);
    rocecc_l3qcn_tor_convert(&t.c, &t.s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_L3QCN_TOR_CONVERTED);
    CHECK(rocecc_left(&out.cnm) == cnm.n && memcmp(at + out.cnm.at, cnm.b, cnm.n) == 0);
}

/* A packet from a host without an Ethernet header is NO_FLOW. */
TEST(l3qcn_tor_learns_only_frames_with_ethernet)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes data = hex(e1);
    const rocecc_reader r = rocecc_reader_of(data.b + 26, data.b + data.n);
    rocecc_l3qcn_tor_event e;
    rocecc_packet p;
    tor t;
    c.learn_untagged = true;
    t = fresh(&c);
    e = event(&t, NULL, NULL);
    domain.link = ROCECC_LINK_IP;
    (void)rocecc_packet_parse(&domain, r, &p);
    CHECK_EQ(rocecc_l3qcn_tor_learn(&t.c, &t.s, &p, &e).what, ROCECC_L3QCN_TOR_NO_FLOW);
}

/* A writer that ends before the PDU's end gives NO_SPACE. Its position is ignored. */
TEST(l3qcn_tor_the_writer_must_reach_the_end_of_the_pdu)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    size_t n;
    for (n = 0; n <= x.n; n++) {
        tor t = ungated(&c);
        uint8_t at[FRAME_MAX];
        const rocecc_reader r = rocecc_reader_of(at, at + x.n);
        rocecc_l3qcn_tor_event e = event(&t, at, at + n);
        rocecc_l3qcn_tor_convert_result out;
        rocecc_packet p;
        memcpy(at, x.b, x.n);
        (void)rocecc_packet_parse(&domain, r, &p);
        e.writer.at = e.writer.end;
        rocecc_l3qcn_tor_convert(&t.c, &t.s, &p, &e, &out);
        CHECK_EQ(out.verdict,
                 n == x.n ? ROCECC_L3QCN_TOR_CONVERTED : ROCECC_L3QCN_TOR_NO_SPACE);
        CHECK(n == x.n || memcmp(at, x.b, x.n) == 0);
    }
}

/* CNMs of 59 to 62 bytes, padded to 60. If a byte is missing, nothing is written. */
TEST(l3qcn_tor_a_short_cnm_needs_60_bytes)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes data = with_tags(0);
    const size_t start = PDU_4 - 18; /* DA, SA, CN-TAG and Type of the CNM */
    size_t msdu, more;
    for (msdu = 17; msdu <= 20; msdu++) {
        const bytes x = with_msdu(false, msdu);
        const size_t cnm = 18 + 24 + msdu, least = cnm < 60 ? 60 : cnm;
        test_context("CNM of %zu bytes", cnm);
        CHECK_EQ(x.n, start + cnm);
        for (more = 0; more < 2; more++) {
            uint8_t at[FRAME_MAX] = {0};
            const rocecc_reader r = rocecc_reader_of(at, at + x.n);
            tor t = ungated(&c);
            rocecc_l3qcn_tor_event e;
            rocecc_l3qcn_tor_convert_result out;
            rocecc_packet p;
            (void)learn(&t, &data);
            e = event(&t, at, at + start + least - 1 + more);
            memcpy(at, x.b, x.n);
            (void)rocecc_packet_parse(&domain, r, &p);
            rocecc_l3qcn_tor_convert(&t.c, &t.s, &p, &e, &out);
            CHECK_EQ(out.verdict,
                     more ? ROCECC_L3QCN_TOR_CONVERTED : ROCECC_L3QCN_TOR_NO_SPACE);
            CHECK_EQ(rocecc_left(&out.cnm), more ? least : 0);
            CHECK(more || memcmp(at, x.b, x.n) == 0);
        }
    }
}

/* A ToR does not know the option of a Fast CNP, and its act bits discard the packet. */
TEST(l3qcn_tor_discards_fast_cnps_by_their_act_bits)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = ungated(&c);
    bytes x = hex(e5);
    static const uint8_t option[8] = {17, 0, 0x9e, 4};
    static const uint8_t skipped[8] = {17, 0, 0x1e, 4};
    memmove(x.b + 62, x.b + 54, x.n - 54);
    x.n += 8;
    x.b[19] += 8;
    x.b[20] = ROCECC_PROTO_DSTOPTS;
    domain.fastcnp = law_fastcnp_config(0);
    memcpy(x.b + 54, skipped, 8);
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    memcpy(x.b + 54, option, 8);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_BAD_ARRIVAL, ROCECC_L3QCN_TAKEN);
}

/* C14: arrive() and learn() check the counters at every step. */
TEST(l3qcn_tor_C14_each_verdict_is_counted)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), none = hex("020000000001 020000000002 0806");
    bytes bad = x;
    tor t = fresh(&c);
    unsigned i, k;
    for (i = 0; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        CHECK_EQ(t.s.verdict_count[i], 0);
    for (i = 0; i < ROCECC_L3QCN_VERDICTS; i++)
        CHECK_EQ(t.s.malformed_count[i], 0);
    CHECK_EQ(sum(t.s.learning_count, ROCECC_L3QCN_TOR_LEARNINGS), 0);
    CHECK_EQ(sum(t.s.table_count, ROCECC_FLOWTABLE_ACTIONS), 0);
    t = learned(&c);
    bad.b[42] = 0;
    mend(&bad);
    for (i = 0; i < 5; i++) {
        for (k = 0; k < i; k++)
            (void)arrive(&t, i < 2 ? &none : i == 2 ? &bad : &x);
        (void)learn(&t, i < 3 ? &none : &x);
    }
    CHECK_EQ(t.s.verdict_count[ROCECC_L3QCN_TOR_OTHER], 1);
    CHECK_EQ(t.s.verdict_count[ROCECC_L3QCN_TOR_MALFORMED], 2);
    CHECK_EQ(t.s.malformed_count[ROCECC_L3QCN_NOT_MAGIC], 2);
    CHECK_EQ(t.s.verdict_count[ROCECC_L3QCN_TOR_CONVERTED], 1);
    CHECK_EQ(t.s.verdict_count[ROCECC_L3QCN_TOR_HELD], 6);
    CHECK_EQ(t.s.learning_count[ROCECC_L3QCN_TOR_LEARNED], 2);
    CHECK_EQ(t.s.learning_count[ROCECC_L3QCN_TOR_UNTAGGED], 3);
    CHECK_EQ(t.s.learning_count[ROCECC_L3QCN_TOR_SPOOFED], 2);
    CHECK_EQ(t.s.table_count[ROCECC_FLOWTABLE_LEARNED], 2);
}

/*
 * Each byte of E4 and E5 gets every other value, with the old checksum and a corrected
 * one. The packet is dropped or becomes a CNM to its host, unless the byte hides the
 * UDP port.
 */
TEST(l3qcn_tor_does_not_forward_changed_cnms_to_a_host)
{
    const rocecc_l3qcn_tor_config c = configured();
    unsigned v6, mended, value;
    size_t i;
    for (v6 = 0; v6 < 2; v6++)
        for (mended = 0; mended < 2; mended++) {
            const bytes x = hex(v6 ? e5 : e4), data = hex(v6 ? d6 : e1);
            tor t = ungated(&c);
            for (i = 0; i < x.n; i++)
                for (value = 0; value < 256; value++) {
                    bytes y = x;
                    rocecc_l3qcn_tor_convert_result out;
                    bool gone; /* another type, header, protocol, fragment or port */
                    gone = i == 12 || i == 13 || i == 14 || i == (v6 ? 20 : 23) ||
                           i == (v6 ? 56 : 36) || i == (v6 ? 57 : 37);
                    if (!v6) gone = gone || i == 20 || i == 21;
                    y.b[i] = (uint8_t)value;
                    if (v6) gone = gone || (i == 19 && value < 4);
                    if (!v6) gone = gone || (i == 17 && value < 24);
                    if (mended && (i < 12 || (i > 23 && i != 38 && i != 39 && i != 58 &&
                                              i != 59)))
                        mend(&y);
                    test_context("v6 %u, byte %zu is %u, mended %u", v6, i, value,
                                 mended);
                    out = arrive(&t, &y);
                    if (out.verdict == ROCECC_L3QCN_TOR_OTHER)
                        CHECK(gone && value != x.b[i]);
                    if (out.verdict != ROCECC_L3QCN_TOR_CONVERTED) continue;
                    CHECK(memcmp(t.cnm.b, data.b + 6, 6) == 0);
                    CHECK(memcmp(t.cnm.b + 6, c.mac.b, 6) == 0);
                    CHECK(t.cnm.n <= 114 &&
                          rocecc_load16(t.cnm.b + (v6 ? 20 : 24)) == ROCECC_TYPE_CNM);
                }
        }
}

/* R-L3-3: learn() stores nothing from these frames. */
TEST(l3qcn_tor_learn_rejects_unusable_frames)
{
    static const rocecc_l3qcn_tor_learn_verdict should[] = {
        ROCECC_L3QCN_TOR_UNTAGGED,    ROCECC_L3QCN_TOR_NO_FLOW,
        ROCECC_L3QCN_TOR_NO_FLOW,     ROCECC_L3QCN_TOR_TOO_MANY_TAGS,
        ROCECC_L3QCN_TOR_BAD_STATION, ROCECC_L3QCN_TOR_BAD_STATION,
        ROCECC_L3QCN_TOR_BAD_STATION, ROCECC_L3QCN_TOR_NO_FLOW,
        ROCECC_L3QCN_TOR_NO_FLOW,     ROCECC_L3QCN_TOR_NO_FLOW};
    const rocecc_l3qcn_tor_config c = configured();
    size_t i;
    for (i = 0; i < sizeof should / sizeof should[0]; i++) {
        tor t = fresh(&c);
        bytes x = hex(e1);
        if (i == 0) { /* no CN-TAG */
            memmove(x.b + 20, x.b + 24, x.n - 24);
            x.n -= 4;
        }
        if (i == 1) x.b[25] = 6;     /* ARP */
        if (i == 2) x.b[26 + 7] = 1; /* a later fragment */
        if (i == 3) {
            memmove(x.b + 16, x.b + 12, x.n - 12);
            x.n += 4;
        }
        if (i == 4) memset(x.b + 6, 0, 6);
        if (i == 5) memset(x.b + 6, 0xff, 6);
        if (i == 6) x.b[6] = 3;
        if (i == 7) x.n = 49;         /* cut before the ports end */
        if (i == 8) x.b[26 + 3] = 23; /* IP ends before the ports */
        if (i == 9) memset(x.b + 24, 0, 2);
        test_context("case %zu", i);
        CHECK_EQ(learn(&t, &x).what, should[i]);
        CHECK_EQ(t.s.table.used, 0);
    }
}

/* A cut frame is learned if and only if it has the ports of TCP, or the whole header of
 * UDP. It is then learned completely. */
TEST(l3qcn_tor_learns_a_cut_frame_only_with_its_ports)
{
    const rocecc_l3qcn_tor_config c = configured();
    unsigned v6;
    for (v6 = 0; v6 < 2; v6++) {
        bytes x = hex(v6 ? d6 : e1);
        const bytes private = hex(v6 ? e5 : e4), cnm = hex(v6 ? c6 : e2);
        const size_t least = v6 ? 22 + 40 + ROCECC_UDP_BYTES : 26 + 20 + 4;
        for (; x.n > 0; x.n--) {
            tor t = fresh(&c);
            test_context("v6 %u, %zu bytes", v6, x.n);
            CHECK_EQ(learn(&t, &x).what == ROCECC_L3QCN_TOR_LEARNED, x.n >= least);
            if (x.n < least) continue;
            check_cnm(&t, &private, &cnm);
        }
    }
}

/* A first fragment is learned, because it has the ports. */
TEST(l3qcn_tor_learns_a_first_fragment)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), cnm = hex(e2);
    bytes data = hex(e1);
    tor t = fresh(&c);
    data.b[26 + 6] = 0x20;
    CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
    check_cnm(&t, &x, &cnm);
}

/* With learn_untagged, a frame without a CN-TAG is learned as FLOW-ID 0. */
TEST(l3qcn_tor_learn_untagged_gives_flow_id_0)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    bytes data = hex(e1), cnm = hex(e2);
    tor t;
    c.learn_untagged = true;
    t = fresh(&c);
    memmove(data.b + 20, data.b + 24, data.n - 24);
    data.n -= 4;
    cnm.b[22] = cnm.b[23] = 0;
    CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
    check_cnm(&t, &x, &cnm);
}

/* IFA and INT that the host has inserted do not belong to the flow. */
TEST(l3qcn_tor_learns_the_flow_without_ifa_and_int)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes private = hex(e5), cnm = hex(c6);
    unsigned how;
    for (how = 0; how < TELL_HOWS; how++) {
        tor t = fresh(&c);
        bytes x = hex(d6);
        x.n = 22 + tell(x.b + 22, x.n - 22, (tell_how)how);
        CHECK(x.n > 110);
        test_context("how %u", how);
        CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_LEARNED);
        check_cnm(&t, &private, &cnm);
    }
}

/* A CSIG tag before, between or after the VLAN tags does not change the stored tags. */
TEST(l3qcn_tor_csig_tags_are_not_stored)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), cnm = hex(e2);
    static const uint8_t compact[] = {0x90, 0x01, 0, 0};
    static const uint8_t wide[] = {0x90, 0x02, 0, 0, 0, 0, 0, 0};
    unsigned i;
    for (i = 0; i < 6; i++) {
        const size_t at = 12 + i / 2 * 4, n = i % 2 ? sizeof wide : sizeof compact;
        tor t = fresh(&c);
        bytes data = hex(e1);
        memmove(data.b + at + n, data.b + at, data.n - at);
        memcpy(data.b + at, i % 2 ? wide : compact, n);
        data.n += n;
        test_context("case %u", i);
        CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
        check_cnm(&t, &x, &cnm);
    }
}

/* T2: after a host has moved or changed its FLOW-ID or VIDs, its last frame counts. */
TEST(l3qcn_tor_the_last_frame_of_a_flow_counts)
{
    static const struct {
        size_t data, cnm;
    } at[] = {{6 + 1, 1}, {23, 23}, {15, 15}, {19, 19}}; /* MAC, FLOW-ID, VIDs */
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    bytes data = hex(e1), cnm = hex(e2);
    tor t = ungated(&c);
    size_t i;
    for (i = 0; i < sizeof at / sizeof at[0]; i++) {
        data.b[at[i].data] ^= 0x11;
        cnm.b[at[i].cnm] ^= 0x11;
        test_context("case %zu", i);
        CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_RELEARNED);
        check_cnm(&t, &x, &cnm);
        CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_REFRESHED);
    }
    CHECK_EQ(t.s.table_count[ROCECC_FLOWTABLE_RELEARNED], 4);
    CHECK_EQ(t.s.table.used, 2);
}

/* Returns a data frame or a private CNM of flow n. */
static bytes flow_n(unsigned n, const char *text, size_t port)
{
    bytes x = hex(text);
    rocecc_store16(x.b + port, (uint16_t)n);
    if (port == 50) mend(&x);
    return x;
}

static rocecc_l3qcn_tor_verdict converted(tor *t, unsigned n)
{
    const bytes x = flow_n(n, e4, 50);
    return (rocecc_l3qcn_tor_verdict)arrive(t, &x).verdict;
}

static rocecc_flowtable_learn_result learned_n(tor *t, unsigned n)
{
    const bytes x = flow_n(n, e1, 46);
    return learn(t, &x).table;
}

/* A slot that gets another flow has a new gate. A flow that stays keeps its gate. */
TEST(l3qcn_tor_a_reused_slot_has_a_new_gate)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned evict, n;
    tor t;
    c.table.buckets = 2;
    c.table.expiry_ms = 100;
    c.gate.interval_ns = 1000 * MS;
    for (evict = 0; evict < 2; evict++) {
        rocecc_flowtable_learn_result act;
        c.table.evict_oldest = evict == 1;
        t = fresh(&c);
        for (n = 0; n < 16; n++) {
            CHECK_EQ(learned_n(&t, n).what, ROCECC_FLOWTABLE_LEARNED);
            CHECK_EQ(converted(&t, n), ROCECC_L3QCN_TOR_CONVERTED);
            CHECK_EQ(converted(&t, n), ROCECC_L3QCN_TOR_HELD);
            t.now_ns += MS;
        }
        CHECK_EQ(learned_n(&t, 5).what, ROCECC_FLOWTABLE_REFRESHED);
        CHECK_EQ(converted(&t, 5), ROCECC_L3QCN_TOR_HELD);
        if (evict == 0) CHECK_EQ(learned_n(&t, 16).what, ROCECC_FLOWTABLE_FULL);
        if (evict == 0) CHECK_EQ(converted(&t, 16), ROCECC_L3QCN_TOR_NO_ENTRY);
        if (evict == 0) t.now_ns = (1000 + 100) * MS;
        act = learned_n(&t, 16); /* in place of flow 0 */
        CHECK_EQ(act.what,
                 evict ? ROCECC_FLOWTABLE_EVICTED : ROCECC_FLOWTABLE_REPLACED);
        CHECK_EQ(converted(&t, 0), ROCECC_L3QCN_TOR_NO_ENTRY);
        CHECK_EQ(converted(&t, 16), ROCECC_L3QCN_TOR_CONVERTED);
        CHECK_EQ(converted(&t, 16), ROCECC_L3QCN_TOR_HELD);
        CHECK_EQ(converted(&t, 5), ROCECC_L3QCN_TOR_HELD);
    }
    t.now_ns += 20000 * MS;
    while (t.s.table.used != 0)
        (void)rocecc_flowtable_sweep(&c.table, &t.s.table, &memory,
                                     (uint32_t)(t.now_ns / MS));
    for (n = 100; n < 116; n++) {
        CHECK_EQ(learned_n(&t, n).what, ROCECC_FLOWTABLE_LEARNED);
        CHECK_EQ(converted(&t, n), ROCECC_L3QCN_TOR_CONVERTED);
    }
}

/* A flow that is relearned from another MAC address keeps its gate. */
TEST(l3qcn_tor_a_flow_from_another_mac_keeps_its_gate)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4);
    bytes data = hex(e1);
    tor t = learned(&c);
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    data.b[11] ^= 1;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_RELEARNED);
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_HELD);
}

/* A flow relearned from another port keeps its gate, so moving it opens no gate. */
TEST(l3qcn_tor_a_flow_from_another_port_keeps_its_gate)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), data = hex(e1);
    tor t = fresh(&c);
    t.port = 2;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_LEARNED);
    t.port = PORT;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_RELEARNED);
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    t.port = 2;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_RELEARNED);
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_HELD);
}

/* The port of private CNMs is a UDP port. TCP to the same number is learned. */
TEST(l3qcn_tor_learns_tcp_to_the_port_of_cnms)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = fresh(&c);
    bytes data = hex(e1);
    CHECK_EQ(data.b[26 + 9], 6);
    rocecc_store16(data.b + 48, LAW_L3QCN_PORT);
    CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_LEARNED);
    data.b[26 + 9] = 17;
    CHECK_EQ(learn(&t, &data).what, ROCECC_L3QCN_TOR_SPOOFED);
}

/* Returns a configuration with `flows` flows per port, and `burst` at once. */
static rocecc_l3qcn_tor_config shared(uint32_t flows, uint32_t burst)
{
    rocecc_l3qcn_tor_config c = configured();
    c.port_flows = flows;
    c.port_limit.rate_per_s = 1000;
    c.port_limit.burst = burst;
    CHECK_EQ(rocecc_l3qcn_tor_init(&c, &domain, NULL), ROCECC_L3QCN_TOR_ACCEPTED);
    return c;
}

static rocecc_l3qcn_tor_learn_verdict learn_n(tor *t, unsigned n)
{
    const bytes x = flow_n(n, e1, 46);
    return (rocecc_l3qcn_tor_learn_verdict)learn(t, &x).what;
}

/* S5: a known flow takes no token. A flow without a token is learned later. */
TEST(R_L3_18_S5_new_flows_of_a_port_are_limited)
{
    const rocecc_l3qcn_tor_config c = shared(100, 3);
    tor t = fresh(&c);
    unsigned n, i;
    for (n = 0; n < 3; n++)
        for (i = 0; i < 20; i++)
            CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    for (n = 3; n < 50; n++)
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
    CHECK_EQ(t.s.table.used, 3);
    CHECK_EQ(t.s.learning_count[ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED], 47);
    CHECK_EQ(converted(&t, 3), ROCECC_L3QCN_TOR_NO_ENTRY);
    t.port = 2; /* other ports have their own tokens */
    for (n = 50; n < 53; n++)
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    t.port = PORT;
    t.now_ns += MS; /* 1,000 per second */
    CHECK_EQ(learn_n(&t, 3), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(learn_n(&t, 4), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
    CHECK_EQ(converted(&t, 3), ROCECC_L3QCN_TOR_CONVERTED);
}

/* S5: a port without a bucket learns no new flow, except with `unlimited`. */
TEST(R_L3_18_S5_a_port_needs_a_bucket_to_learn_new_flows)
{
    rocecc_l3qcn_tor_config c = shared(100, 3);
    tor t = fresh(&c);
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_LEARNED);
    for (t.n_ports = 0; t.n_ports <= PORT; t.n_ports++) {
        CHECK_EQ(learn_n(&t, 2), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
        CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_LEARNED); /* a known flow */
    }
    CHECK_EQ(learn_n(&t, 2), ROCECC_L3QCN_TOR_LEARNED);
    t.port = UINT32_MAX;
    CHECK_EQ(learn_n(&t, 3), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
    c.unlimited = true;
    t = fresh(&c);
    t.n_ports = 0;
    for (t.port = PORT; t.s.table.used < 10;)
        CHECK_EQ(learn_n(&t, t.s.table.used), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(ports[PORT].flows, 0);
}

/* S6: a host that slowly invents flows and refreshes them fills only its own share. */
TEST(R_L3_18_S6_a_host_fills_only_its_share)
{
    const rocecc_l3qcn_tor_config c = shared(6, 1);
    tor t = fresh(&c);
    unsigned n, second, more;
    for (second = 0; second < 60; second++) { /* one new flow, and all others
                                                 refreshed */
        for (n = 0; n < second; n++)
            (void)learn_n(&t, n);
        CHECK_EQ(learn_n(&t, second),
                 second < 6 ? ROCECC_L3QCN_TOR_LEARNED : ROCECC_L3QCN_TOR_CROWDED);
        t.now_ns += 1000 * MS;
        for (more = 0; more < LAW_L3QCN_TOR_BUCKETS; more++) {
            const rocecc_l3qcn_tor_event e = event(&t, NULL, NULL);
            CHECK_EQ(rocecc_l3qcn_tor_sweep(&t.c, &t.s, &e), 0);
        }
    }
    CHECK_EQ(t.s.table.used, 6);
    CHECK_EQ(ports[PORT].flows, 6);
    t.port = 1;
    CHECK_EQ(learn_n(&t, 100), ROCECC_L3QCN_TOR_LEARNED);
}

/* S6: expired flows count until a sweep. Then there is room again. */
TEST(R_L3_18_S6_a_sweep_makes_room_at_a_full_port)
{
    const rocecc_l3qcn_tor_config c = shared(5, 5);
    tor t = fresh(&c);
    unsigned n, gone = 0;
    for (n = 0; n < 5; n++)
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    t.now_ns += 10000 * MS;
    CHECK_EQ(learn_n(&t, 9), ROCECC_L3QCN_TOR_CROWDED);
    CHECK_EQ(converted(&t, 0), ROCECC_L3QCN_TOR_AGED);
    for (n = 0; n < LAW_L3QCN_TOR_BUCKETS; n++) {
        const rocecc_l3qcn_tor_event e = event(&t, NULL, NULL);
        gone += rocecc_l3qcn_tor_sweep(&t.c, &t.s, &e);
    }
    CHECK(gone == 5 && t.s.table.used == 0 && ports[PORT].flows == 0);
    CHECK_EQ(learn_n(&t, 9), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(ports[PORT].flows, 1);
}

/* S6: a sweep of a full table empties each slot of each bucket. */
TEST(R_L3_18_S6_a_sweep_empties_every_slot)
{
    const rocecc_l3qcn_tor_config c = shared(1000, 1000);
    tor t = fresh(&c);
    unsigned n, gone = 0;
    for (n = 0; n < 16 * SLOTS && t.s.table.used < SLOTS; n++)
        (void)learn_n(&t, n);
    CHECK(t.s.table.used == SLOTS && ports[PORT].flows == SLOTS);
    t.now_ns += 10000 * MS;
    for (n = 0; n < LAW_L3QCN_TOR_BUCKETS; n++) {
        const rocecc_l3qcn_tor_event e = event(&t, NULL, NULL);
        CHECK_EQ(rocecc_l3qcn_tor_sweep(&t.c, &t.s, &e), 8);
        gone += 8;
        CHECK_EQ(ports[PORT].flows, SLOTS - gone);
    }
    CHECK_EQ(t.s.table.used, 0);
}

/* S5, S6: a flow of another port takes a token of the new port, and counts there. */
TEST(R_L3_18_S5_a_flow_from_another_port_takes_a_token)
{
    const rocecc_l3qcn_tor_config c = shared(4, 2);
    tor t = fresh(&c);
    unsigned n;
    for (n = 0; n < 2; n++)
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    t.now_ns += 2 * MS;
    for (n = 2; n < 4; n++)
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    t.port = 3;
    for (n = 0; n < 4; n++)
        CHECK_EQ(learn_n(&t, n),
                 n < 2 ? ROCECC_L3QCN_TOR_LEARNED : ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
    CHECK_EQ(t.s.table_count[ROCECC_FLOWTABLE_RELEARNED], 2);
    CHECK(ports[PORT].flows == 2 && ports[3].flows == 2 && t.s.table.used == 4);
    t.now_ns += 10 * MS;
    t.port = PORT;
    CHECK_EQ(learn_n(&t, 8), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(ports[PORT].flows, 3);
}

/* S6: a flow that gives way no longer counts for its port. FULL counts nothing. */
TEST(R_L3_18_S6_a_replaced_flow_no_longer_counts)
{
    rocecc_l3qcn_tor_config c = shared(100, 100);
    unsigned evict, n;
    c.table.buckets = 2;
    c.table.expiry_ms = 100;
    for (evict = 0; evict < 3; evict++) {
        tor t;
        c.table.evict_oldest = evict == 1;
        t = fresh(&c);
        for (n = 0; n < 16; n++)
            CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
        if (evict == 2) t.now_ns += 100 * MS;
        t.port = 0;
        CHECK_EQ(learned_n(&t, 16).what, evict == 0   ? ROCECC_FLOWTABLE_FULL
                                         : evict == 1 ? ROCECC_FLOWTABLE_EVICTED
                                                      : ROCECC_FLOWTABLE_REPLACED);
        CHECK_EQ(ports[PORT].flows, evict == 0 ? 16 : 15);
        CHECK_EQ(ports[0].flows, evict == 0 ? 0 : 1);
    }
}

static uint32_t forget(tor *t, const rocecc_flowforget_filter *f)
{
    const rocecc_l3qcn_tor_event e = event(t, NULL, NULL);
    uint32_t at, n = 0;
    for (at = 0; at < t->c.table.buckets + 3; at++)
        n += rocecc_l3qcn_tor_forget(&t->c, &t->s, f, &e, at);
    return n;
}

/* A port that goes down loses its flows, their gates and its count. Others stay. */
TEST(R_L3_3_a_port_loses_its_flows_when_it_goes_down)
{
    rocecc_flowforget_filter f = {ROCECC_FLOWFORGET_PORT, 0, 3, {{0}}};
    rocecc_l3qcn_tor_config c = shared(100, 100);
    tor t;
    unsigned n;
    c.gate.interval_ns = 1000 * MS;
    t = fresh(&c);
    for (n = 0; n < 12; n++) {
        t.port = n % 2 ? 3 : PORT;
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    }
    t.port = PORT;
    for (n = 0; n < 12; n += 2)
        CHECK_EQ(converted(&t, n), ROCECC_L3QCN_TOR_CONVERTED);
    CHECK_EQ(forget(&t, &f), 6);
    CHECK(t.s.table.used == 6 && ports[3].flows == 0 && ports[PORT].flows == 6);
    for (n = 0; n < 12; n++)
        CHECK_EQ(converted(&t, n),
                 n % 2 ? ROCECC_L3QCN_TOR_NO_ENTRY : ROCECC_L3QCN_TOR_HELD);
    f.port = PORT;
    CHECK_EQ(forget(&t, &f), 6);
    for (n = 0; n < SLOTS; n++)
        CHECK(gate[n].gate.sent != 1); /* still 0xa5 if unused */
    CHECK(t.s.table.used == 0 && ports[PORT].flows == 0);
    t.gate = NULL;
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(forget(&t, &f), 1);
}

/* After a host moves, the flows of its MAC at the old port are removed. Others stay. */
TEST(R_L3_3_a_moved_mac_loses_the_flows_of_its_old_port)
{
    const rocecc_l3qcn_tor_config c = shared(100, 100);
    rocecc_flowforget_filter f = {
        ROCECC_FLOWFORGET_MAC | ROCECC_FLOWFORGET_OTHER_PORT, 0, 2, {{0}}};
    tor t = fresh(&c);
    bytes x = flow_n(3, e1, 46);
    memcpy(f.mac.b, x.b + 6, 6);
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_LEARNED);
    x.b[11] ^= 1; /* another host at the same port */
    CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_LEARNED);
    t.port = 2;
    CHECK_EQ(learn_n(&t, 2), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(forget(&t, &f), 1);
    CHECK_EQ(converted(&t, 1), ROCECC_L3QCN_TOR_NO_ENTRY);
    CHECK(ports[PORT].flows == 1 && ports[2].flows == 1 && t.s.table.used == 2);
}

/* Two tenants have the same addresses and ports, and each host gets its own CNMs. */
TEST(R_L3_3_tenants_with_one_5_tuple_get_their_own_cnms)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), cnm = hex(e2), data = hex(e1);
    bytes other = data, others = cnm;
    tor t = fresh(&c);
    other.b[6 + 5] ^= 0x40;
    others.b[5] ^= 0x40;
    other.b[23] ^= 0x07;
    others.b[23] ^= 0x07;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_LEARNED);
    t.vrf = 0x8000;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_ENTRY, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(learn(&t, &other).table.what, ROCECC_FLOWTABLE_LEARNED);
    check_cnm(&t, &x, &others);
    t.vrf = 0;
    check_cnm(&t, &x, &cnm);
    CHECK_EQ(t.s.table.used, 2);
}

/* Returns E4 with another CPID. */
static bytes from_switch(uint64_t cpid)
{
    bytes x = hex(e4);
    rocecc_store64(x.b + PDU_4 + 2, cpid);
    mend(&x);
    return x;
}

/* S7: an entry for the MAC address of a CPID matches each port and priority. */
TEST(R_L3_15_S7_only_cnms_of_listed_switches_pass)
{
    rocecc_l3qcn_tor_config c = configured();
    static const struct {
        uint64_t cpid;
        rocecc_l3qcn_tor_verdict verdict;
        uint32_t tag; /* of its entry; 0 without an entry */
    } rows[] = {{0x0200000004400305, ROCECC_L3QCN_TOR_CONVERTED, 7},
                {0x020000000440ffff, ROCECC_L3QCN_TOR_CONVERTED, 7},
                {0x0200000004410305, ROCECC_L3QCN_TOR_UNLISTED_CPID, 0},
                {0x0300000004400305, ROCECC_L3QCN_TOR_UNLISTED_CPID, 0},
                {0x0200000005000001, ROCECC_L3QCN_TOR_UNLISTED_CPID, 9}, /* denied */
                {0x0200000005000002, ROCECC_L3QCN_TOR_CONVERTED, 8},
                {0, ROCECC_L3QCN_TOR_UNLISTED_CPID, 0}};
    rocecc_l3qcn_tor_convert_result out;
    rocecc_acl_entry entries[3];
    rocecc_acl list, none;
    uint32_t at;
    unsigned i;
    memset(entries, 0, sizeof entries);
    entries[0].prefix = rocecc_l3qcn_tor_cpid(0x0200000004400000);
    entries[1].prefix = rocecc_l3qcn_tor_cpid(0x0200000005000000);
    entries[0].length = entries[1].length = 48;
    entries[0].permit = entries[1].permit = 1;
    entries[2].prefix = rocecc_l3qcn_tor_cpid(0x0200000005000001); /* one queue */
    entries[2].length = 64;
    entries[0].tag = 7;
    entries[1].tag = 8;
    entries[2].tag = 9;
    CHECK_EQ(rocecc_acl_init(&list, entries, 3, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_acl_init(&none, NULL, 0, &at), ROCECC_ACL_ACCEPTED);
    c.admission.unlimited = true; /* only the list decides, without buckets */
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bytes x = from_switch(rows[i].cpid);
        tor t;
        test_context("case %u", i);
        c.listed = false;
        t = ungated(&c); /* off by default, so the list is not used */
        t.list = &list;
        out = arrive(&t, &x);
        CHECK_EQ(out.verdict, ROCECC_L3QCN_TOR_CONVERTED);
        CHECK(!out.listed && out.tag == 0);
        CHECK_EQ(sum(t.s.admission.count, ROCECC_ADMISSION_VERDICTS), 0);
        t.c.listed = true;
        CHECK_EQ(rocecc_l3qcn_tor_init(&t.c, &domain, &list),
                 ROCECC_L3QCN_TOR_ACCEPTED);
        out = arrive(&t, &x);
        CHECK_EQ(out.verdict, rows[i].verdict);
        CHECK_EQ(out.tag, rows[i].tag);
        CHECK_EQ(out.listed, rows[i].tag != 0);
        t.list = &none;
        check_drop(&t, &x, ROCECC_L3QCN_TOR_UNLISTED_CPID, ROCECC_L3QCN_TAKEN);
    }
}

/* S7: an index gives the same verdicts as its list. */
TEST(R_L3_15_S7_an_index_replaces_the_list)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes x = from_switch(0x0200000004410305),
                y = from_switch(0x02000000044f0305);
    rocecc_aclindex_cell cells[3 * ROCECC_ACLINDEX_CELLS];
    switch_list list;
    rocecc_aclindex index;
    tor t;
    list_switches(&list, 3);
    c.admission = rocecc_admission_for(1, 1000);
    t = admitting(&c, &list);
    CHECK_EQ(
        rocecc_aclindex_init(&index, &list.acl, cells, sizeof cells / sizeof *cells),
        ROCECC_OK);
    t.index = &index;
    t.list = NULL; /* not used */
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    check_drop(&t, &y, ROCECC_L3QCN_TOR_UNLISTED_CPID, ROCECC_L3QCN_TAKEN);
}

/* Returns limits of 10 per second and 3 at once for a switch, with one misbehaving. */
static rocecc_admission_params ten_a_second(void)
{
    rocecc_admission_params p = rocecc_admission_for(1, 1000);
    p.source.rate_per_s = 10;
    p.source.burst = 3;
    p.verify.rate_per_s = 40;
    p.verify.burst = 12;
    p.shared.rate_per_s = 20;
    p.shared.burst = 6;
    return p;
}

/* S8: a misbehaving switch, or its forged CPID, takes only its own tokens. A CPID that
 * is not on the list takes no token. */
TEST(R_L3_18_S8_a_misbehaving_switch_takes_only_its_own_tokens)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes misbehaving = from_switch(0x0200000004400305);
    const bytes other = from_switch(0x0200000004410305);
    const bytes forged = from_switch(0x02aa000004410305);
    switch_list list;
    unsigned i;
    tor t;
    list_switches(&list, 2);
    c.admission = ten_a_second();
    t = admitting(&c, &list);
    for (i = 0; i < 100; i++)
        check_drop(&t, &forged, ROCECC_L3QCN_TOR_UNLISTED_CPID, ROCECC_L3QCN_TAKEN);
    for (i = 0; i < 100; i++)
        CHECK_EQ(arrive(&t, &misbehaving).verdict,
                 i < 3 ? ROCECC_L3QCN_TOR_CONVERTED : ROCECC_L3QCN_TOR_RATE_LIMITED);
    for (i = 0; i < 4; i++)
        CHECK_EQ(arrive(&t, &other).verdict,
                 i < 3 ? ROCECC_L3QCN_TOR_CONVERTED : ROCECC_L3QCN_TOR_RATE_LIMITED);
    CHECK_EQ(t.s.admission.count[ROCECC_ADMISSION_ADMITTED], 6);
    CHECK_EQ(t.s.admission.count[ROCECC_ADMISSION_UNLISTED], 100);
    CHECK_EQ(t.s.admission.count[ROCECC_ADMISSION_SOURCE_LIMITED], 98);
    t.now_ns += 100 * MS;
    CHECK_EQ(arrive(&t, &other).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    t.n_sources = 1; /* a tag without buckets has no token */
    t.now_ns += 1000 * MS;
    check_drop(&t, &other, ROCECC_L3QCN_TOR_RATE_LIMITED, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(arrive(&t, &misbehaving).verdict, ROCECC_L3QCN_TOR_CONVERTED);
}

/* S8: if too many switches misbehave, the shared bucket limits all of them. */
TEST(R_L3_18_S8_the_shared_bucket_limits_all_switches)
{
    rocecc_l3qcn_tor_config c = configured();
    switch_list list;
    unsigned i, k;
    tor t;
    list_switches(&list, 3);
    c.admission = ten_a_second();
    t = admitting(&c, &list);
    for (k = 0; k < 3; k++)
        for (i = 0; i < 3; i++) {
            const bytes x = from_switch(0x0200000004400000 + (uint64_t)k * 0x10000);
            CHECK_EQ(arrive(&t, &x).verdict, k < 2 ? ROCECC_L3QCN_TOR_CONVERTED
                                                   : ROCECC_L3QCN_TOR_RATE_LIMITED);
        }
    CHECK_EQ(t.s.admission.count[ROCECC_ADMISSION_SHARED_LIMITED], 3);
}

/* S8, C2: a wrong checksum takes tokens only of `verified`, and not of `admitted`. */
TEST(R_L3_18_S8_a_wrong_checksum_takes_only_verified_tokens)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes x = from_switch(0x0200000004400305);
    bytes bad = x;
    switch_list list;
    unsigned i;
    tor t;
    list_switches(&list, 1);
    c.admission = ten_a_second();
    t = admitting(&c, &list);
    bad.b[PDU_4 + 24] ^= 1;
    for (i = 0; i < 20; i++)
        check_drop(&t, &bad,
                   i < 12 ? ROCECC_L3QCN_TOR_BAD_CHECKSUM
                          : ROCECC_L3QCN_TOR_RATE_LIMITED,
                   ROCECC_L3QCN_TAKEN);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_RATE_LIMITED, ROCECC_L3QCN_TAKEN);
    CHECK_EQ(t.s.admission.count[ROCECC_ADMISSION_VERIFY_LIMITED], 9);
    t.now_ns += 75 * MS; /* 3 tokens of `verified`, and less than 1 of `admitted` */
    for (i = 0; i < 3; i++)
        CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    CHECK_EQ(sum(t.s.admission.count, ROCECC_ADMISSION_VERDICTS), 9 + 3);
}

/* S8: a private CNM that is not converted takes only a token of `verified`. */
TEST(R_L3_18_S8_unconverted_cnms_take_only_verified_tokens)
{
    static const rocecc_l3qcn_tor_verdict should[] = {
        ROCECC_L3QCN_TOR_NO_ENTRY, ROCECC_L3QCN_TOR_AGED, ROCECC_L3QCN_TOR_WRONG_MAC,
        ROCECC_L3QCN_TOR_WRONG_MSDU, ROCECC_L3QCN_TOR_HELD};
    rocecc_l3qcn_tor_config c = configured();
    switch_list list;
    unsigned i, k;
    list_switches(&list, 1);
    c.admission = ten_a_second();
    c.check_msdu = true;
    for (i = 0; i < sizeof should / sizeof should[0]; i++) {
        tor t = admitting(&c, &list);
        bytes x = hex(e4);
        const bytes good = x, data = hex(e1);
        const uint32_t slot = learn(&t, &data).table.slot;
        const rocecc_mac mac = slots[slot].entry.origin.mac_sa;
        test_context("%u", i);
        if (i == 0) x.b[50] ^= 1; /* source port */
        if (i == 1) t.now_ns += 10000 * MS;
        if (i == 2) memset(&slots[slot].entry.origin.mac_sa, 0, sizeof mac);
        if (i == 3) x.b[PDU_4 + 24 + 2 + 23] ^= 1;
        mend(&x);
        if (i == 4) t.gate = gate;
        if (i == 4) CHECK_EQ(arrive(&t, &good).verdict, ROCECC_L3QCN_TOR_CONVERTED);
        for (k = 0; k < 9; k++)
            check_drop(&t, &x, should[i], ROCECC_L3QCN_TAKEN);
        t.gate = NULL;
        slots[slot].entry.origin.mac_sa = mac;
        (void)learn(&t, &data);
        for (k = i == 4; k < 3; k++)
            CHECK_EQ(arrive(&t, &good).verdict, ROCECC_L3QCN_TOR_CONVERTED);
        CHECK_EQ(sum(t.s.admission.count, ROCECC_ADMISSION_VERDICTS), 3);
    }
}

/* S4: a stronger CNM passes at once, and starts the interval again. */
TEST(R_L3_18_S4_a_stronger_cnm_passes_at_once)
{
    static const struct {
        uint64_t us;
        uint8_t fb;
        bool sent;
    } rows[] = {{0, 10, true},   {9, 10, false},  {9, 9, false},  {9, 20, true},
                {10, 20, false}, {18, 19, false}, {19, 1, true},  {19, 1, false},
                {20, 0, false},  {20, 2, true},   {21, 63, true}, {30, 63, false},
                {31, 63, true}};
    const rocecc_l3qcn_tor_config c = configured();
    tor t = learned(&c);
    const uint64_t start_ns = t.now_ns;
    unsigned i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bytes x = hex(e4);
        x.b[PDU_4 + 1] = rows[i].fb;
        mend(&x);
        t.now_ns = start_ns + rows[i].us * 1000;
        test_context("row %u", i);
        CHECK_EQ(arrive(&t, &x).verdict,
                 rows[i].sent ? ROCECC_L3QCN_TOR_CONVERTED : ROCECC_L3QCN_TOR_HELD);
    }
}

/* A sender of private CNMs at a fixed rate, with its own buffer. */
typedef struct sender {
    bytes frame;
    uint8_t b[FRAME_MAX]; /* receive buffer */
    rocecc_packet packet;
    uint64_t every_ns, next_ns;
    uint64_t sent, converted;
} sender;

/* Prepares private CNMs of flow n from switch k. */
static void begin_to_send(sender *from, unsigned n, unsigned k, uint8_t fb,
                          uint64_t rate_per_s)
{
    memset(from, 0, sizeof *from);
    from->frame = flow_n(n, e4, 50);
    from->frame.b[PDU_4 + 1] = fb;
    rocecc_store64(from->frame.b + PDU_4 + 2, 0x0200000004400305 + ((uint64_t)k << 16));
    mend(&from->frame);
    from->every_ns = UINT64_C(1000000000) / rate_per_s;
    from->next_ns = from->every_ns / 2 + n; /* never two at once */
}

/* Lets all of them send for a time. */
static void send_all(tor *t, sender *from, size_t n, uint64_t time_ns)
{
    const uint64_t start_ns = t->now_ns;
    size_t i;
    for (i = 0; i < n; i++) {
        sender *x = from + i;
        memcpy(x->b, x->frame.b, x->frame.n);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(x->b, x->b + x->frame.n),
                                  &x->packet);
    }
    for (;;) {
        rocecc_l3qcn_tor_convert_result out;
        rocecc_l3qcn_tor_event e;
        sender *next = from;
        for (i = 1; i < n; i++)
            if (from[i].next_ns < next->next_ns) next = from + i;
        if (next->next_ns >= time_ns) break;
        t->now_ns = start_ns + next->next_ns;
        next->next_ns += next->every_ns;
        e = event(t, next->b, next->b + sizeof next->b);
        rocecc_l3qcn_tor_convert(&t->c, &t->s, &next->packet, &e, &out);
        next->sent++;
        if (out.verdict != ROCECC_L3QCN_TOR_CONVERTED) continue;
        next->converted++;
        memcpy(next->b, next->frame.b, next->frame.n); /* overwritten by the CNM */
    }
}

/* Returns 2 s if long loops run all rounds, else 250 ms, 4 bursts of a switch. */
static uint64_t simulated_ns(void)
{
    return test_rounds(2000) == 2000 ? 2000 * MS : 250 * MS;
}

/* Checks the limits for n misbehaving switches. They send CNMs of their own flows, or
 * with no_flow of unknown flows. At most 1 % of the honest switch's CNMs are lost. */
static void check_promise(unsigned n, uint64_t rate_per_s, bool no_flow)
{
    const uint64_t time_ns = simulated_ns();
    rocecc_l3qcn_tor_config c = configured();
    static switch_list list;
    static sender from[SWITCHES];
    unsigned i;
    tor t;
    list_switches(&list, n + 1);
    c.unlimited = true;
    c.admission = rocecc_admission_for((uint16_t)n, 1000);
    t = admitting(&c, &list);
    t.gate = gate;
    for (i = 0; i <= n; i++)
        CHECK_EQ(learned_n(&t, i).what, ROCECC_FLOWTABLE_LEARNED);
    for (i = 0; i < n; i++)
        begin_to_send(&from[i], no_flow ? 100 + i : i, i, 63, rate_per_s);
    begin_to_send(&from[n], n, n, 1, 100);
    send_all(&t, from, n + 1, time_ns);
    for (i = 0; i < n; i++) {
        const uint64_t most = 1000 * time_ns / 1000000000 + 1000 / 16;
        CHECK_EQ(from[i].sent, rate_per_s * time_ns / 1000000000);
        CHECK(no_flow ? from[i].converted == 0
                      : from[i].converted <= most && from[i].converted + 2 >= most);
    }
    CHECK_EQ(from[n].sent, 100 * time_ns / 1000000000);
    CHECK((from[n].sent - from[n].converted) * 100 <= from[n].sent);
}

/* S8: 1, 2 or 8 misbehaving switches send 100,000 CNMs per second and more, of known
 * flows or of unknown flows. An honest switch sends 100 per second. */
TEST(R_L3_18_S8_an_honest_switch_loses_at_most_1_percent)
{
    static const unsigned counts[] = {1, 2, 8};
    unsigned i;
    for (i = 0; i < 3; i++) {
        test_context("%u misbehave", counts[i]);
        check_promise(counts[i], 100000, false);
        test_context("%u misbehave with unknown flows", counts[i]);
        check_promise(counts[i], counts[i] == 1 ? 1000000 : 100000, true);
    }
}

/* S8: CNMs with a forged CPID and a wrong checksum cost its switch nothing while
 * `verified` has tokens. */
TEST(R_L3_18_S8_forged_cpids_do_not_suppress_honest_cnms)
{
    rocecc_l3qcn_tor_config c = configured();
    static switch_list list;
    static sender from[2];
    tor t;
    list_switches(&list, 1);
    c.admission = rocecc_admission_for(1, 1000);
    t = admitting(&c, &list);
    CHECK_EQ(learned_n(&t, 1).what, ROCECC_FLOWTABLE_LEARNED);
    begin_to_send(&from[0], 1, 0, 63, 3800);
    from[0].frame.b[PDU_4 + 24] ^= 1;
    begin_to_send(&from[1], 1, 0, 1, 100);
    send_all(&t, from, 2, simulated_ns());
    CHECK_EQ(from[0].converted, 0);
    CHECK_EQ(from[1].converted, from[1].sent);
}

/* S4: an unlisted sender of CNMs with Fb 1, as often as the gate allows, does not hold
 * back an honest switch's CNMs with Fb 63. */
TEST(R_L3_18_S4_a_weak_cnm_does_not_hold_back_a_strong_cnm)
{
    const rocecc_l3qcn_tor_config c = configured();
    tor t = learned(&c);
    static sender from[2];
    CHECK_EQ(learned_n(&t, 1).what, ROCECC_FLOWTABLE_LEARNED);
    begin_to_send(&from[0], 1, 5, 1, 100000);
    begin_to_send(&from[1], 1, 0, 63, 100);
    from[1].next_ns = from[0].next_ns + 1;
    send_all(&t, from, 2, simulated_ns());
    CHECK(from[0].converted > from[0].sent / 2);
    CHECK(from[1].sent > 0 && from[1].converted == from[1].sent);
}

/* S8: without a list, private CNMs of unknown flows cannot exhaust a limit. */
TEST(R_L3_18_S8_cnms_of_unknown_flows_do_not_suppress_others)
{
    rocecc_l3qcn_tor_config c = configured();
    tor t = learned(&c);
    static sender from[2];
    CHECK_EQ(learned_n(&t, 1).what, ROCECC_FLOWTABLE_LEARNED);
    begin_to_send(&from[0], 100, 5, 63, 100000);
    begin_to_send(&from[1], 1, 0, 1, 100);
    send_all(&t, from, 2, simulated_ns());
    CHECK_EQ(from[0].converted, 0);
    CHECK(from[1].sent > 0 && from[1].converted == from[1].sent);
}

TEST(l3qcn_tor_law)
{
    law_random(law_l3qcn_tor, 20000);
}

/* Only OTHER needs no action, because this packet is forwarded. */
TEST(l3qcn_tor_every_verdict_except_other_needs_action)
{
    int v;
    for (v = 0; v < ROCECC_L3QCN_TOR_VERDICTS; v++)
        CHECK_EQ(rocecc_l3qcn_tor_needs_action((rocecc_l3qcn_tor_verdict)v),
                 v != ROCECC_L3QCN_TOR_OTHER);
}

static rocecc_l3qcn_tor_learn_verdict taught(tor *t, const rocecc_packet *p,
                                             uint32_t *slot)
{
    const rocecc_l3qcn_tor_event e = event(t, NULL, NULL);
    const rocecc_l3qcn_tor_learn_result out =
        rocecc_l3qcn_tor_learn(&t->c, &t->s, p, &e);
    *slot = out.table.slot;
    return out.what;
}

static rocecc_packet frame_of(const bytes *x)
{
    const uint8_t *at = guard_end(x->b, x->n);
    rocecc_packet p;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(at, at + x->n), &p);
    return p;
}

/* learn() stores nothing from bytes that were cut after parsing, and reads no byte
 * beyond the frame. */
TEST(l3qcn_tor_learn_ignores_bytes_cut_after_parsing)
{
    rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e1);
    rocecc_packet p;
    uint32_t slot;
    tor t = fresh(&c);
    p = frame_of(&x);
    p.headers.vlan[0] = (uint8_t)p.bytes.end;
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(slots[slot].entry.origin.n_tags, 0);
    p = frame_of(&x);
    p.headers.cntag = (uint16_t)(p.bytes.end - 3);
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_NO_FLOW);
    t.c.learn_untagged = true;
    p = frame_of(&x);
    p.headers.cntag = 0;
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_LEARNED);
    p.bytes.end = ETHER - 1;
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_NO_FLOW);
}

/* The reserved bit does not identify a packet to RoCEv2's port, whole or trimmed. */
TEST(l3qcn_tor_reserved_bit_is_ignored_in_rocev2)
{
    rocecc_l3qcn_tor_config c = configured();
    bytes x = hex(e4);
    rocecc_packet p;
    uint32_t slot;
    tor t = fresh(&c);
    domain.l3qcn.reserved_bit = true;
    x.b[ETHER + 6] |= 0x80;
    rocecc_store16(x.b + ETHER + 22, ROCECC_UDP_PORT_ROCEV2);
    p = frame_of(&x);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_UNTAGGED);
    p.headers.kind |= ROCECC_PACKET_KIND_PARTIAL;
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_UNTAGGED);
    p.headers.kind = ROCECC_PACKET_KIND_UDP;
    CHECK_EQ(taught(&t, &p, &slot), ROCECC_L3QCN_TOR_SPOOFED);
}

/* S6: a port with a lost count has 0 flows after a sweep, and not 2^32 - 1. */
TEST(R_L3_18_S6_a_lost_count_stays_0_after_a_sweep)
{
    const rocecc_l3qcn_tor_config c = shared(5, 5);
    tor t = fresh(&c);
    unsigned n, gone = 0;
    CHECK_EQ(learn_n(&t, 0), ROCECC_L3QCN_TOR_LEARNED);
    ports[PORT].flows = 0;
    t.now_ns += 20000 * MS;
    for (n = 0; n < LAW_L3QCN_TOR_BUCKETS; n++) {
        const rocecc_l3qcn_tor_event e = event(&t, NULL, NULL);
        gone += rocecc_l3qcn_tor_sweep(&t.c, &t.s, &e);
    }
    CHECK(gone == 1 && ports[PORT].flows == 0);
}

/* Faults of a private CNM, in the order of the checks. */
typedef enum fault {
    FAULT_FRAGMENT = 0,
    FAULT_MAGIC,
    FAULT_CPID,
    FAULT_CHECKSUM,
    FAULT_FLOW,
    FAULT_MSDU,
    FAULT_GATE,
    FAULT_ROOM,
    FAULTS
} fault;

/* Returns a private CNM with the fault `first` and all later faults. */
static bytes with_faults(unsigned first)
{
    bytes x = with_msdu(false, 40);
    if (first <= FAULT_MSDU) x.b[PDU_4 + 24 + 2 + 23] ^= 1;
    if (first <= FAULT_FLOW) x.b[50] ^= 1;
    if (first <= FAULT_CPID) x.b[PDU_4 + 3] ^= 1;
    if (first <= FAULT_MAGIC) x.b[42] ^= 1;
    mend(&x);
    if (first <= FAULT_CHECKSUM) x.b[40] ^= 1;
    if (first <= FAULT_FRAGMENT) x.b[ETHER + 6] |= 0x20;
    mend_ip4(&x);
    return x;
}

/* The first check that fails determines the verdict. The access list is checked before
 * the checksum, and the room after the gate. */
TEST(R_L3_18_the_first_failed_check_gives_the_verdict)
{
    static const rocecc_l3qcn_tor_verdict should[FAULTS + 1] = {
        ROCECC_L3QCN_TOR_BAD_ARRIVAL,   ROCECC_L3QCN_TOR_MALFORMED,
        ROCECC_L3QCN_TOR_UNLISTED_CPID, ROCECC_L3QCN_TOR_BAD_CHECKSUM,
        ROCECC_L3QCN_TOR_NO_ENTRY,      ROCECC_L3QCN_TOR_WRONG_MSDU,
        ROCECC_L3QCN_TOR_HELD,          ROCECC_L3QCN_TOR_NO_SPACE,
        ROCECC_L3QCN_TOR_CONVERTED};
    rocecc_l3qcn_tor_config c = configured();
    const bytes good = with_faults(FAULTS);
    switch_list list;
    unsigned first;
    tor t;
    list_switches(&list, 1);
    c.admission = rocecc_admission_for(1, 1000);
    c.check_msdu = true;
    domain.l3qcn.cnm.fixed_msdu = true;
    t = admitting(&c, &list);
    t.gate = gate;
    for (first = FAULTS; first-- > 0;) {
        const bytes x = with_faults(first);
        if (first == FAULT_GATE) {
            t.room = ROOM;
            CHECK_EQ(arrive(&t, &good).verdict, should[FAULTS]);
        }
        t.room = 0;
        test_context("fault %u", first);
        CHECK_EQ(arrive(&t, &x).verdict, should[first]);
    }
}

/* S8: the empty shared bucket is checked after the room, and a CNM that it limits
 * leaves the flow's gate open. */
TEST(R_L3_18_S8_a_rate_limited_cnm_leaves_the_gate_open)
{
    rocecc_l3qcn_tor_config c = configured();
    rocecc_l3qcn_tor_convert_result out;
    switch_list list;
    unsigned i;
    bytes x;
    tor t;
    list_switches(&list, 3);
    c.admission = ten_a_second();
    c.gate.interval_ns = 1000 * MS;
    t = admitting(&c, &list);
    for (i = 0; i < 6; i++) {
        x = from_switch(0x0200000004400000 + (uint64_t)(i / 3) * 0x10000);
        CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    }
    t.gate = gate;
    x = with_msdu(false, 0);
    rocecc_store64(x.b + PDU_4 + 2, 0x0200000004420000);
    mend(&x);
    t.room = 0;
    check_drop(&t, &x, ROCECC_L3QCN_TOR_NO_SPACE, ROCECC_L3QCN_TAKEN);
    t.room = ROOM;
    out = arrive(&t, &x);
    CHECK_EQ(out.verdict, ROCECC_L3QCN_TOR_RATE_LIMITED);
    CHECK_EQ(out.admission, ROCECC_ADMISSION_SHARED_LIMITED);
    CHECK(out.listed && out.tag == 2);
    t.now_ns += 100 * MS; /* a token, and less than the gate's interval */
    CHECK_EQ(arrive(&t, &x).verdict, ROCECC_L3QCN_TOR_CONVERTED);
    check_drop(&t, &x, ROCECC_L3QCN_TOR_HELD, ROCECC_L3QCN_TAKEN);
}

/* C13: the event's port is ignored, and the CNM leaves by the flow's port. */
TEST(l3qcn_tor_convert_ignores_the_port_of_the_event)
{
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), cnm = hex(e2);
    tor t = learned(&c);
    t.port = UINT32_MAX;
    t.n_ports = 0;
    check_cnm(&t, &x, &cnm); /* arrive() expects PORT */
}

/* S5: a port that was set to 0 has no token at time 0, and all tokens 3 ms later. */
TEST(R_L3_18_S5_a_zeroed_port_fills_from_time_0)
{
    const rocecc_l3qcn_tor_config c = shared(100, 3); /* one token per ms */
    tor t = fresh(&c);
    unsigned n;
    t.now_ns = 0;
    CHECK_EQ(learn_n(&t, 0), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
    t.now_ns = MS;
    CHECK_EQ(learn_n(&t, 0), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
    t.now_ns = t.c.port_limit.full_ns;
    CHECK_EQ(t.now_ns, 3 * MS);
    for (t.port = 2, n = 10; n < 14; n++)
        CHECK_EQ(learn_n(&t, n), n < 13 ? ROCECC_L3QCN_TOR_LEARNED
                                        : ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
}

/* S5: with 17 tokens and 16 slots, flow 16 finds no slot, and spends the last token. */
TEST(R_L3_18_S5_a_full_table_still_costs_a_token)
{
    rocecc_l3qcn_tor_config c = shared(100, 17);
    unsigned n;
    tor t;
    c.table.buckets = 2;
    t = fresh(&c);
    for (n = 0; n < 16; n++)
        CHECK_EQ(learned_n(&t, n).what, ROCECC_FLOWTABLE_LEARNED);
    CHECK_EQ(learn_n(&t, 16), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(t.s.table_count[ROCECC_FLOWTABLE_FULL], 1);
    CHECK_EQ(learn_n(&t, 17), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
}

/* S6: with 3 tokens and port_flows 2, 7 frames are CROWDED. The third token remains. */
TEST(R_L3_18_S6_a_crowded_port_keeps_its_tokens)
{
    const rocecc_flowforget_filter f = {ROCECC_FLOWFORGET_PORT, 0, PORT, {{0}}};
    const rocecc_l3qcn_tor_config c = shared(2, 3);
    tor t = fresh(&c);
    unsigned n;
    for (n = 0; n < 9; n++)
        CHECK_EQ(learn_n(&t, n),
                 n < 2 ? ROCECC_L3QCN_TOR_LEARNED : ROCECC_L3QCN_TOR_CROWDED);
    CHECK_EQ(forget(&t, &f), 2);
    CHECK_EQ(learn_n(&t, 9), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(learn_n(&t, 10), ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED);
}

/* S6: a flow that is CROWDED at port 3 stays with its own port, and so do its CNMs. */
TEST(R_L3_18_S6_a_crowded_flow_stays_with_its_own_port)
{
    const rocecc_l3qcn_tor_config c = shared(1, 9);
    tor t = fresh(&c);
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_LEARNED);
    t.port = 3;
    CHECK_EQ(learn_n(&t, 2), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_CROWDED);
    CHECK(ports[3].flows == 1 && ports[PORT].flows == 1);
    CHECK_EQ(converted(&t, 1), ROCECC_L3QCN_TOR_CONVERTED); /* out of PORT */
}

/* S5, S6: an expired flow is known, so a crowded port without a token refreshes it. */
TEST(R_L3_18_S6_a_crowded_port_refreshes_an_expired_flow)
{
    const rocecc_l3qcn_tor_config c = shared(1, 1);
    tor t = fresh(&c);
    CHECK_EQ(learn_n(&t, 1), ROCECC_L3QCN_TOR_LEARNED);
    t.now_ns += 10000 * MS;
    CHECK_EQ(learn_n(&t, 2), ROCECC_L3QCN_TOR_CROWDED);
    CHECK_EQ(converted(&t, 1), ROCECC_L3QCN_TOR_AGED);
    ports[PORT].bucket.level_e9 = 0;
    ports[PORT].bucket.last_ns = t.now_ns;
    CHECK_EQ(learned_n(&t, 1).what, ROCECC_FLOWTABLE_REFRESHED);
    CHECK_EQ(converted(&t, 1), ROCECC_L3QCN_TOR_CONVERTED);
    CHECK_EQ(ports[PORT].flows, 1);
}

/* S6: with `unlimited`, a port with port_flows 1 counts 5 flows, and takes no token. */
TEST(R_L3_18_S6_unlimited_ports_count_their_flows)
{
    rocecc_l3qcn_tor_config c = shared(1, 1);
    const rocecc_flowforget_filter f = {ROCECC_FLOWFORGET_PORT, 0, PORT, {{0}}};
    unsigned n;
    tor t;
    c.unlimited = true;
    t = fresh(&c);
    for (n = 0; n < 5; n++)
        CHECK_EQ(learn_n(&t, n), ROCECC_L3QCN_TOR_LEARNED);
    CHECK_EQ(ports[PORT].flows, 5);
    CHECK(ports[PORT].bucket.level_e9 == 0 && ports[PORT].bucket.last_ns == 0);
    CHECK_EQ(forget(&t, &f), 5);
    CHECK_EQ(ports[PORT].flows, 0);
}

/* CN-TAG, IP header, VLAN tags, source MAC and 5-tuple are checked in this order. */
TEST(l3qcn_tor_learn_returns_the_first_fault_of_a_frame)
{
    static const rocecc_l3qcn_tor_learn_verdict should[] = {
        ROCECC_L3QCN_TOR_UNTAGGED, ROCECC_L3QCN_TOR_NO_FLOW,
        ROCECC_L3QCN_TOR_TOO_MANY_TAGS, ROCECC_L3QCN_TOR_BAD_STATION,
        ROCECC_L3QCN_TOR_NO_FLOW};
    const rocecc_l3qcn_tor_config c = configured();
    unsigned i;
    for (i = 0; i < 5; i++) {
        bytes x = hex(e1);
        tor t = fresh(&c);
        x.b[26 + 7] = 1; /* a later fragment */
        if (i <= 3) x.b[6] |= 1;
        if (i == 0) { /* no CN-TAG */
            memmove(x.b + 20, x.b + 24, x.n - 24);
            x.n -= 4;
        }
        if (i == 1) x.b[25] = 6; /* ARP */
        if (i <= 2) {
            memmove(x.b + 16, x.b + 12, x.n - 12);
            x.n += 4;
        }
        test_context("case %u", i);
        CHECK_EQ(learn(&t, &x).what, should[i]);
    }
}

/* Returns a frame with this many more VLAN tags before all other tags. */
static bytes with_more_tags(const char *text, unsigned tags)
{
    bytes x = hex(text);
    for (; tags > 0; tags--) {
        memmove(x.b + 16, x.b + 12, x.n - 12);
        rocecc_store32(x.b + 12, 0x81000005);
        x.n += 4;
    }
    return x;
}

/* C1: a private CNM is SPOOFED after 3 VLAN tags, and not recognised after 4. */
TEST(l3qcn_tor_a_fourth_vlan_tag_hides_a_private_cnm)
{
    rocecc_l3qcn_tor_config c = configured();
    unsigned untagged;
    for (untagged = 0; untagged < 2; untagged++) {
        const rocecc_l3qcn_tor_learn_verdict hidden =
            untagged ? ROCECC_L3QCN_TOR_NO_FLOW : ROCECC_L3QCN_TOR_UNTAGGED;
        bytes x = with_more_tags(e1, 1);
        tor t;
        c.learn_untagged = untagged == 1;
        t = fresh(&c);
        test_context("learn_untagged %u", untagged);
        CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_TOO_MANY_TAGS);
        x = with_more_tags(e1, 2);
        CHECK_EQ(learn(&t, &x).what, hidden);
        x = with_more_tags(e4, 3);
        CHECK_EQ(learn(&t, &x).what, ROCECC_L3QCN_TOR_SPOOFED);
        x = with_more_tags(e4, 4);
        CHECK_EQ(learn(&t, &x).what, hidden);
        check_drop(&t, &x, ROCECC_L3QCN_TOR_OTHER, ROCECC_L3QCN_TAKEN);
    }
}

/* For IP in IP from a host, the inner packet's flow is learned. */
TEST(l3qcn_tor_learns_the_inner_flow_of_ip_in_ip)
{
    static const char outer[] = "45000064 00004000 40040000 c0000201 c0000202";
    const rocecc_l3qcn_tor_config c = configured();
    const bytes x = hex(e4), cnm = hex(e2), ip = hex(outer);
    bytes data = hex(e1);
    tor t = fresh(&c);
    memmove(data.b + 26 + 20, data.b + 26, data.n - 26);
    memcpy(data.b + 26, ip.b, 20);
    data.n += 20;
    CHECK_EQ(learn(&t, &data).table.what, ROCECC_FLOWTABLE_LEARNED);
    check_cnm(&t, &x, &cnm);
}
