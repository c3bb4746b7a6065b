/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet_plans.c - every kind of plan, as one engine: a packet before and after it, by
 * hand from the formats' documents; lengths and checksums are added up here from
 * nothing. Each byte that a plan was made by, and no other, keeps it from another
 * packet.
 */
#include "../examples/lib/vec.h"
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/packet/ioam.h"

#include <string.h>

#define ROOM 66000

static const rocecc_domain lab = {.link = ROCECC_LINK_IP,
                                  .csig = {.compact_tpid = 0x9900, .wide_tpid = 0x9901},
                                  .ifa = {.protocol = 253,
                                          .layout_a = ROCECC_IFA_LAB_LAYOUT_A,
                                          .layout_b = ROCECC_IFA_LAB_LAYOUT_B,
                                          .fragments = true},
                                  .intmd = {.udp_port = 5000,
                                            .dscp = 0x17,
                                            .dscp_mask = 0x3f,
                                            .probe_marker = 0x0123456789abcdef},
                                  .ioam = {.namespace_id = 0x7b}};

/* Sums from nothing: RFC 1071. */
static uint32_t words(const uint8_t *b, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < n; i++)
        sum += i % 2 == 0 ? (uint32_t)b[i] << 8 : b[i];
    return sum;
}

static uint16_t fold(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void add16(uint8_t *b, size_t more)
{
    rocecc_store16(b, (uint16_t)(rocecc_load16(b) + more));
}

static uint32_t addresses(const uint8_t *ip)
{
    return ip[0] >> 4 == 4 ? words(ip + 12, 8) : words(ip + 8, 32);
}

/*
 * UDP or TCP at `up` of n bytes has `more` bytes of payload than it says: sets its
 * length and checksum, and returns where that is. IFA stands before the payload, which
 * is the end of the packet. A UDP header that INT has added has no checksum.
 */
static size_t finish_upper(uint8_t *b, const uint8_t *ip, size_t up, size_t n,
                           size_t more, uint8_t proto)
{
    const size_t sum = up + (proto == 6 ? 16 : 6), head = proto == 6 ? 20 : 8;
    size_t length = n - up;
    uint16_t is;
    if (proto == 17) {
        add16(b + up + 4, more);
        length = rocecc_load16(b + up + 4);
    }
    if (proto == 17 && b[up + 2] == 0x13 && b[up + 8] == 0x18)
        return finish_upper(b, ip, up + 12 + 4 * (size_t)b[up + 9], n, more, 17);
    rocecc_store16(b + sum, 0);
    is = fold(addresses(ip) + proto + (uint32_t)length + words(b + up, head) +
              words(b + n - (length - head), length - head));
    rocecc_store16(b + sum, proto == 17 && is == 0 ? 0xffff : is);
    return sum;
}

/* The same of the packet whose IP header is at `at`; 0: neither UDP nor TCP. */
static size_t finish(uint8_t *b, size_t at, size_t n, size_t more)
{
    const bool v4 = b[at] >> 4 == 4;
    size_t up = at + (v4 ? 20 : 40);
    uint8_t proto = b[at + (v4 ? 9 : 6)];
    add16(b + at + (v4 ? 2 : 4), more);
    if (v4) {
        rocecc_store16(b + at + 10, 0);
        rocecc_store16(b + at + 10, fold(words(b + at, 20)));
    }
    if (proto == 0) {
        proto = b[up];
        up += 8 + 8 * (size_t)b[up + 1];
    }
    if (proto == 4) return finish(b, up, n, more);
    if (proto == 253) {
        proto = 17;
        up += 4;
    }
    return proto == 59 ? 0 : finish_upper(b, b + at, up, n, more, proto);
}

/* The makers. */

static rocecc_edit_verdict ifa_insert(const rocecc_packet *p, uint32_t mtu,
                                      rocecc_edit *e)
{
    const rocecc_ifa_source s = {{2, 15, 0, 4, 255}, {0xff, 0, 0xfe, 0}, 0};
    return rocecc_ifa_insert(p, &s, mtu, e);
}

static rocecc_edit_verdict ifa_push(const rocecc_packet *p, uint32_t mtu,
                                    rocecc_edit *e)
{
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    n.layout = ROCECC_IFA_LAYOUT_A;
    n.lns = 1;
    n.device_id = 0xa01;
    n.speed = 4;
    n.ttl = 63;
    n.present = ROCECC_IFA_TTL | ROCECC_IFA_SPEED;
    return rocecc_ifa_push(p, &n, mtu, e);
}

static rocecc_edit_verdict ifa_strip(const rocecc_packet *p, uint32_t mtu,
                                     rocecc_edit *e)
{
    (void)mtu;
    return rocecc_ifa_strip(p, e);
}

static rocecc_intmd_node int_node(uint32_t id)
{
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    n.word[0] = id;
    return n;
}

static rocecc_edit_verdict int_insert(const rocecc_packet *p, uint8_t mark,
                                      uint32_t mtu, rocecc_edit *e)
{
    const rocecc_intmd_node n = int_node(10);
    rocecc_intmd_source s;
    s.mark = mark;
    s.src_port = 0xe000;
    s.mtu_bytes = mtu;
    s.header = rocecc_intmd_header_init(0x8000, 8);
    return rocecc_intmd_insert(p, &s, &n, rocecc_reader_of(NULL, NULL), e);
}

static rocecc_edit_verdict int_port(const rocecc_packet *p, uint32_t mtu,
                                    rocecc_edit *e)
{
    return int_insert(p, ROCECC_INTMD_MARK_PORT, mtu, e);
}

static rocecc_edit_verdict int_udp(const rocecc_packet *p, uint32_t mtu, rocecc_edit *e)
{
    return int_insert(p, ROCECC_INTMD_MARK_NEW_UDP, mtu, e);
}

static rocecc_edit_verdict int_dscp(const rocecc_packet *p, uint32_t mtu,
                                    rocecc_edit *e)
{
    return int_insert(p, ROCECC_INTMD_MARK_DSCP, mtu, e);
}

static rocecc_edit_verdict int_probe(const rocecc_packet *p, uint32_t mtu,
                                     rocecc_edit *e)
{
    return int_insert(p, ROCECC_INTMD_MARK_PROBE, mtu, e);
}

static rocecc_edit_verdict int_push(const rocecc_packet *p, uint32_t mtu,
                                    rocecc_edit *e)
{
    const rocecc_intmd_node n = int_node(11);
    return rocecc_intmd_push(p, &n, rocecc_reader_of(NULL, NULL), mtu, e);
}

static rocecc_edit_verdict int_strip(const rocecc_packet *p, uint32_t mtu,
                                     rocecc_edit *e)
{
    (void)mtu;
    return rocecc_intmd_strip(p, e);
}

static rocecc_edit_verdict ioam_insert(const rocecc_packet *p, uint32_t mtu,
                                       rocecc_edit *e)
{
    const rocecc_ioam_source s = {0, 0, 0x7b, 0, 0x800000, 2};
    return rocecc_ioam_insert(p, &s, mtu, e);
}

static rocecc_edit_verdict ioam_push(const rocecc_packet *p, uint32_t mtu,
                                     rocecc_edit *e)
{
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, 63), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_NODE_ID, 10), ROCECC_OK);
    return rocecc_ioam_push(p, &n, rocecc_reader_of(NULL, NULL), mtu, e);
}

static rocecc_edit_verdict ioam_strip(const rocecc_packet *p, uint32_t mtu,
                                      rocecc_edit *e)
{
    (void)mtu;
    return rocecc_ioam_strip(p, e);
}

static rocecc_edit_verdict csig_insert(const rocecc_packet *p, uint32_t mtu,
                                       rocecc_edit *e)
{
    static const uint8_t tag[4] = {0x99, 0x00, 0x2b, 0x85};
    rocecc_reader r = rocecc_reader_of(tag, tag + 4);
    rocecc_csig h;
    (void)mtu;
    CHECK_EQ(rocecc_csig_parse(&lab.csig, &r, &h), ROCECC_OK);
    return rocecc_csig_insert(p, &h, e);
}

static rocecc_edit_verdict csig_strip(const rocecc_packet *p, uint32_t mtu,
                                      rocecc_edit *e)
{
    (void)mtu;
    return rocecc_csig_strip(p, e);
}

/* The packets; of lengths and checksums, the lengths are as they stand here. */

#define V4(length, protocol)                                                           \
    "4500" length "00014000 40" protocol "0000 c0000201 c0000202"
#define MARKED_V4(length, protocol)                                                    \
    "455c" length "00014000 40" protocol "0000 c0000201 c0000202"
#define V6(length, next)                                                               \
    "60000000" length next "40 20010db8000000000000000000000001"                       \
    "20010db8000000000000000000000002"
#define UDP(port, length) "c001" port length "0000"
#define DATA "010203040506070809 0a0b0c"
#define RECORD "100a013f 40000000 00000000 00000000 00000000 00000000 00000000 00000000"
#define TCP "c00101bb 00000001 00000002 50100000 00000000"
#define INT(shim, hops, nodes) shim "2000 01" hops "80000000 00000000" nodes
#define MARKER "0123456789abcdef"
#define TRACE "31120000 007b0802 80000000 00000000 00000000"
#define PUSHED                                                                         \
    V6("0020", "00")                                                                   \
    "3b03 0104 00000000 310e0001 007b0804 80000000 3f00000a 0106000000000000"
#define ADDRS "020000000001 020000000002"

#define PLAIN V4("0028", "11") UDP("12b7", "0014") DATA
#define PLAIN6 V6("0014", "11") UDP("12b7", "0014") DATA
#define IFA0 V4("0030", "fd") "2f1104ff" UDP("12b7", "0014") "ff00fe00" DATA
#define IFA1 V4("0050", "fd") "2f1104ff" UDP("12b7", "0014") "ff00fd08" RECORD DATA
#define PORT1                                                                          \
    V4("003c", "11") UDP("1388", "0028") INT("140412b7", "07", "0000000a") DATA
#define PORT2                                                                          \
    V4("0040", "11") UDP("1388", "002c") INT("140512b7", "06", "0000000b 0000000a") DATA
#define NEW1                                                                           \
    V4("0044", "11")                                                                   \
    "e000 1388 0030 0000" INT("18040011", "07", "0000000a") UDP("12b7", "0014") DATA
#define DSCP1                                                                          \
    MARKED_V4("003c", "11") UDP("12b7", "0028") INT("10040000", "07", "0000000a") DATA
#define PROBE1                                                                         \
    V4("0044", "11") UDP("12b7", "0030") MARKER INT("10040000", "07", "0000000a") DATA
#define TRACED6 V6("002c", "00") "1102 0100" TRACE UDP("12b7", "0014") DATA

/* `by`: the bytes that a plan was made by. mtu 0: no limit. */
typedef struct plan {
    const char *name;
    rocecc_edit_verdict (*make)(const rocecc_packet *p, uint32_t mtu, rocecc_edit *e);
    rocecc_edit_verdict verdict;
    const char *before;
    const char *after;
    uint8_t by[8][2]; /* from, and how many */
    uint32_t mtu;
    bool ether;
} plan;

#define CHANGE ROCECC_EDIT_CHANGE
static const plan plans[] = {
    {"ifa insert", ifa_insert, CHANGE, PLAIN, IFA0, {{2, 2}, {8, 4}, {20, 2}}, 0, 0},
    {"ifa push",
     ifa_push,
     CHANGE,
     IFA0,
     IFA1,
     {{2, 2}, {10, 2}, {20, 4}, {34, 2}},
     0,
     0},
    {"ifa strip",
     ifa_strip,
     CHANGE,
     IFA1,
     PLAIN,
     {{2, 2}, {8, 4}, {20, 4}, {34, 2}},
     0,
     0},
    {"ifa fragment",
     ifa_push,
     ROCECC_EDIT_FRAGMENT,
     V4("0054", "fd") "2f111408" UDP("12b7", "0014") "ff00fe08 12345602" RECORD DATA,
     V4("0054", "fd") "2f111408" UDP("12b7", "0014") "ff00fd08 12345604" RECORD DATA,
     {{2, 2}, {10, 2}, {20, 4}, {34, 2}, {38, 2}},
     0,
     0},
    {"int port", int_port, CHANGE, PLAIN, PORT1, {{2, 2}, {10, 2}, {22, 6}}, 0, 0},
    {"int new udp", int_udp, CHANGE, PLAIN, NEW1, {{2, 2}, {8, 4}}, 0, 0},
    {"int dscp", int_dscp, CHANGE, PLAIN, DSCP1, {{0, 4}, {10, 2}, {24, 4}}, 0, 0},
    {"int probe", int_probe, CHANGE, PLAIN, PROBE1, {{2, 2}, {10, 2}, {24, 4}}, 0, 0},
    {"int port of ipv6",
     int_port,
     CHANGE,
     PLAIN6,
     V6("0028", "11") UDP("1388", "0028") INT("140412b7", "07", "0000000a") DATA,
     {{4, 2}, {42, 6}},
     0,
     0},
    {"int dscp of tcp",
     int_dscp,
     CHANGE,
     V4("0034", "06") TCP DATA,
     MARKED_V4("0048", "06") TCP INT("10040000", "07", "0000000a") DATA,
     {{0, 4}, {10, 2}, {32, 2}, {36, 2}},
     0,
     0},
    {"int push", int_push, CHANGE, PORT1, PORT2, {{2, 2}, {10, 2}, {24, 14}}, 0, 0},
    {"int push in ipv6",
     int_push,
     CHANGE,
     V6("003c", "04") PORT1,
     V6("0040", "04") PORT2,
     {{4, 2}, {42, 2}, {50, 2}, {64, 14}},
     0,
     0},
    {"int push in ipv4",
     int_push,
     CHANGE,
     V4("0050", "04") PORT1,
     V4("0054", "04") PORT2,
     {{2, 2}, {10, 2}, {22, 2}, {30, 2}, {44, 14}},
     0,
     0},
    {"int push, no hop",
     int_push,
     ROCECC_EDIT_HOPS,
     V4("003c", "11")
         UDP("1388", "0028") "140412b7 20000100 80000000 00000000 0000000a" DATA,
     V4("003c", "11")
         UDP("1388", "0028") "140412b7 24000100 80000000 00000000 0000000a" DATA,
     {{24, 14}},
     0,
     0},
    {"int push, no room",
     int_push,
     ROCECC_EDIT_MTU,
     PORT1,
     V4("003c", "11")
         UDP("1388", "0028") "140412b7 22000107 80000000 00000000 0000000a" DATA,
     {{24, 14}},
     63,
     0},
    {"int strip port",
     int_strip,
     CHANGE,
     PORT2,
     PLAIN,
     {{2, 2}, {10, 2}, {22, 10}},
     0,
     0},
    {"int strip new udp",
     int_strip,
     CHANGE,
     NEW1,
     PLAIN,
     {{2, 2}, {8, 4}, {28, 4}},
     0,
     0},
    {"int strip dscp",
     int_strip,
     CHANGE,
     DSCP1,
     PLAIN,
     {{0, 4}, {10, 2}, {24, 8}},
     0,
     0},
    {"int strip probe",
     int_strip,
     CHANGE,
     PROBE1,
     PLAIN,
     {{2, 2}, {10, 2}, {24, 4}, {36, 4}},
     0,
     0},
    {"ioam insert", ioam_insert, CHANGE, PLAIN6, TRACED6, {{4, 4}}, 0, 0},
    {"ioam insert, an option",
     ioam_insert,
     CHANGE,
     V6("001c", "00") "1100 0104 00000000" UDP("12b7", "0014") DATA,
     TRACED6,
     {{4, 2}, {40, 8}},
     0,
     0},
    {"ioam push",
     ioam_push,
     CHANGE,
     V6("0018", "00") "3b02 0100 310a0001 007b0805 80000000 0106000000000000",
     PUSHED,
     {{4, 2}, {40, 2}, {44, 12}},
     0,
     0},
    {"ioam push, no words",
     ioam_push,
     ROCECC_EDIT_FULL,
     V6("0018", "00") "3b02 0100 310a0001 007b0800 80000000 0106000000000000",
     V6("0018", "00") "3b02 0100 310a0001 007b0c00 80000000 0106000000000000",
     {{44, 12}},
     0,
     0},
    {"ioam strip",
     ioam_strip,
     CHANGE,
     TRACED6,
     PLAIN6,
     {{4, 4}, {40, 2}, {44, 12}},
     0,
     0},
    {"ioam strip, an option",
     ioam_strip,
     CHANGE,
     V6("0034", "00") "1103 0100" TRACE "1e06a1a2a3a4a5a6" UDP("12b7", "0014") DATA,
     V6("0024", "00") "1101 0104 00000000 1e06a1a2a3a4a5a6" UDP("12b7", "0014") DATA,
     {{4, 2}, {40, 2}, {44, 12}},
     0,
     0},
    {"csig insert",
     csig_insert,
     CHANGE,
     ADDRS "8100 0007 0806 0001",
     ADDRS "8100 0007 9900 2b85 0806 0001",
     {{12, 2}, {16, 2}},
     0,
     1},
    {"csig strip",
     csig_strip,
     CHANGE,
     ADDRS "8100 0007 9900 2b85 0806 0001",
     ADDRS "8100 0007 0806 0001",
     {{16, 4}},
     0,
     1},
};
#define PLANS (sizeof plans / sizeof plans[0])

/* Both packets, with `more` bytes of payload, and right lengths and checksums. */
typedef struct pair {
    uint8_t before[ROOM];
    uint8_t after[ROOM];
    size_t n, m;
    size_t sum_before, sum_after; /* where UDP's or TCP's is */
    rocecc_domain d;
} pair;

static void pair_of(const plan *x, size_t more, pair *at)
{
    size_t i;
    uint64_t state = more;
    memset(at, 0, sizeof *at);
    CHECK(vec_hex(x->before, at->before, &at->n) &&
          vec_hex(x->after, at->after, &at->m));
    for (i = 0; i < more; i++)
        at->before[at->n + i] = at->after[at->m + i] = (uint8_t)test_random(&state);
    at->n += more;
    at->m += more;
    at->d = lab;
    if (x->ether) at->d.link = ROCECC_LINK_ETHER;
    if (x->ether) return;
    at->sum_before = finish(at->before, 0, at->n, more);
    at->sum_after = finish(at->after, 0, at->m, more);
}

static rocecc_edit_verdict planned(const plan *x, const pair *at, uint32_t mtu,
                                   rocecc_edit *e)
{
    rocecc_packet p;
    memset(e, 0, sizeof *e);
    (void)rocecc_packet_of(&at->d, rocecc_reader_of(at->before, at->before + at->n),
                           &p);
    return x->make(&p, mtu, e);
}

static uint32_t limit(const plan *x)
{
    return x->mtu != 0 ? x->mtu : UINT32_MAX;
}

/* The plan of a packet makes the packet after it, in just its room and in no less. */
static void carried_out(const plan *x, const pair *at)
{
    const size_t more = at->m > at->n ? at->m - at->n : 0;
    size_t room;
    rocecc_edit e;
    CHECK_EQ(planned(x, at, limit(x), &e), x->verdict);
    for (room = 0; room <= more; room++) {
        uint8_t *b = guard_room(at->n + room);
        rocecc_writer w = rocecc_writer_of(b, b + at->n + room);
        memcpy(b, at->before, at->n);
        w.at = at->n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), room < more ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room < more ? at->n : at->m);
        CHECK(memcmp(b, room < more ? at->before : at->after, w.at) == 0);
    }
}

TEST(plan_of_each_kind)
{
    static pair at;
    size_t i, more;
    for (i = 0; i < PLANS; i++)
        for (more = 0; more < 40; more++) {
            test_context("%s, %zu bytes more", plans[i].name, more);
            if (plans[i].mtu != 0 && more != 0) continue;
            pair_of(&plans[i], more, &at);
            carried_out(&plans[i], &at);
            if (at.sum_before == 0 || at.before[9] == 6) continue;
            rocecc_store16(at.before + at.sum_before, 0); /* no checksum: it stays so */
            rocecc_store16(at.after + at.sum_after, 0);
            carried_out(&plans[i], &at);
        }
}

static bool made_by(const plan *x, size_t i)
{
    size_t k;
    for (k = 0; k < 8; k++)
        if (i >= x->by[k][0] && i < (size_t)x->by[k][0] + x->by[k][1]) return true;
    return false;
}

/* Where a byte of the packet is after the change; SIZE_MAX: it goes. */
static size_t place(const rocecc_edit *e, size_t i)
{
    size_t to = i;
    int k;
    for (k = 0; k < e->n_splices; k++) {
        const rocecc_edit_splice *s = &e->splice[k];
        if (i >= s->at && i < (size_t)s->at + s->was) return SIZE_MAX;
        if (i >= s->at) to = to + s->is - s->was;
    }
    return to;
}

/* A bit of byte i is another: refused and left alone where the plan was made by it,
 * otherwise all is changed but this bit. */
static void another(const plan *x, const pair *at, const rocecc_edit *e, size_t i,
                    uint8_t bit)
{
    static uint8_t b[ROOM], should[ROOM];
    rocecc_writer w = rocecc_writer_of(b, b + at->n + 64);
    const bool refused = made_by(x, i);
    const size_t to = place(e, i);
    memcpy(b, at->before, at->n);
    b[i] ^= bit;
    memcpy(should, refused ? b : at->after, refused ? at->n : at->m);
    if (!refused && to != SIZE_MAX) should[to] ^= bit;
    w.at = at->n;
    CHECK_EQ(rocecc_edit_apply(e, &w), refused ? ROCECC_NO_MATCH : ROCECC_OK);
    CHECK_EQ(w.at, refused ? at->n : at->m);
    CHECK(memcmp(b, should, w.at) == 0);
    w.at = at->n;
    if (!refused) return;
    w.end = at->n; /* the gap is not open, and it is another packet in any case */
    CHECK_EQ(rocecc_edit_write(e, w), ROCECC_NO_MATCH);
    CHECK(memcmp(b, should, at->n) == 0);
}

TEST(plan_of_another_packet)
{
    static pair at;
    rocecc_edit e;
    size_t i, k, bit;
    for (i = 0; i < PLANS; i++) {
        pair_of(&plans[i], 0, &at);
        CHECK_EQ(planned(&plans[i], &at, limit(&plans[i]), &e), plans[i].verdict);
        for (k = 0; k < at.n; k++)
            for (bit = 0; bit < 8; bit++) {
                test_context("%s, byte %zu", plans[i].name, k);
                another(&plans[i], &at, &e, k, (uint8_t)(1 << bit));
            }
    }
}

/* The packet after is as long as its link takes, and as IP can say; not a byte more. */
static void at_its_limit(const plan *x, pair *at)
{
    const bool v4 = at->before[0] >> 4 == 4;
    const size_t most = (v4 ? 65535u : 65575u) - at->m;
    rocecc_edit e;
    rocecc_writer w;
    CHECK_EQ(planned(x, at, (uint32_t)at->m, &e), x->verdict);
    CHECK_EQ(planned(x, at, (uint32_t)at->m - 1, &e), ROCECC_EDIT_MTU);
    pair_of(x, most, at);
    CHECK_EQ(rocecc_load16(at->after + (v4 ? 2 : 4)), 65535);
    CHECK_EQ(planned(x, at, UINT32_MAX, &e), x->verdict);
    w = rocecc_writer_of(at->before, at->before + ROOM);
    w.at = at->n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(w.at == at->m && memcmp(at->before, at->after, at->m) == 0);
    pair_of(x, most + 1, at);
    CHECK_EQ(planned(x, at, UINT32_MAX, &e), ROCECC_EDIT_FULL);
    CHECK_EQ(e.n_splices, 0);
}

TEST(plan_at_the_limits_of_ip)
{
    static pair at;
    size_t i, grown = 0;
    for (i = 0; i < PLANS; i++) {
        test_context("%s", plans[i].name);
        pair_of(&plans[i], 0, &at);
        if (plans[i].ether || at.m <= at.n || plans[i].mtu != 0) continue;
        if (plans[i].make == int_port || plans[i].make == int_udp ||
            plans[i].make == int_dscp || plans[i].make == int_probe)
            continue; /* without its own node there may be room: see below */
        grown++;
        at_its_limit(&plans[i], &at);
    }
    CHECK_EQ(grown, 8);
}
