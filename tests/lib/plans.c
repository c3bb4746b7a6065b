/* SPDX-License-Identifier: BSD-2-Clause */
#include "plans.h"

#include <string.h>

const rocecc_domain plans_domain = {
    .ah = true,
    .link = ROCECC_LINK_IP,
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

/* Adds n bytes as 16-bit words (RFC 1071). */
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
 * Adds `more` to the length of UDP at `up`. If INT has added this UDP header, also adds
 * `more` to the length of the UDP header after INT. Returns the offset of the UDP
 * header with a checksum, because a header that INT has added has none.
 */
static size_t lengthen_udp(uint8_t *b, size_t up, size_t more)
{
    add16(b + up + 4, more);
    if (b[up + 2] != 0x13 || b[up + 8] != 0x18) return up;
    return lengthen_udp(b, up + 12 + 4 * (size_t)b[up + 9], more);
}

/*
 * Sets the checksum of UDP or TCP at `up`, and returns its offset. The packet ends with
 * the payload, and IFA may be before it.
 */
static size_t set_upper_sum(uint8_t *b, const uint8_t *ip, size_t up, size_t n,
                            uint8_t proto)
{
    const size_t sum = up + (proto == 6 ? 16 : 6), head = proto == 6 ? 20 : 8;
    const size_t length = proto == 17 ? rocecc_load16(b + up + 4) : n - up;
    uint16_t is;
    rocecc_store16(b + sum, 0);
    is = fold(addresses(ip) + proto + (uint32_t)length + words(b + up, head) +
              words(b + n - (length - head), length - head));
    rocecc_store16(b + sum, proto == 17 && is == 0 ? 0xffff : is);
    return sum;
}

size_t plans_finish(uint8_t *b, size_t at, size_t n, size_t more)
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
    if (proto == 4) return plans_finish(b, up, n, more);
    if (proto == 253) {
        proto = 17;
        up += 4;
    }
    if (proto == 59) return 0;
    if (proto == 17) up = lengthen_udp(b, up, more);
    return set_upper_sum(b, b + at, up, n, proto);
}

/* Makers of plans. */

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
    CHECK_EQ(rocecc_csig_parse(&plans_domain.csig, &r, &h), ROCECC_OK);
    return rocecc_csig_insert(p, &h, e);
}

static rocecc_edit_verdict csig_strip(const rocecc_packet *p, uint32_t mtu,
                                      rocecc_edit *e)
{
    (void)mtu;
    return rocecc_csig_strip(p, e);
}

/* Packets. Their lengths are correct, but their checksums are not set. */

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

#define CHANGE ROCECC_EDIT_CHANGE
#define FRAGMENT ROCECC_EDIT_FRAGMENT
/* clang-format off */
const plan plans[] = {
    {"ifa insert", ifa_insert, CHANGE, PLAIN, IFA0, {{2, 2}, {8, 4}, {20, 2}}, 0, 0, 0},
    {"ifa push", ifa_push, CHANGE, IFA0, IFA1, {{2, 2}, {10, 2}, {20, 4}, {34, 2}}, 0, 0, 0},
    {"ifa strip", ifa_strip, CHANGE, IFA1, PLAIN, {{2, 2}, {8, 4}, {20, 4}, {34, 2}}, 0, 0, 0},
    {"ifa fragment", ifa_push, FRAGMENT,
     V4("0054", "fd") "2f111408" UDP("12b7", "0014") "ff00fe08 12345602" RECORD DATA,
     V4("0054", "fd") "2f111408" UDP("12b7", "0014") "ff00fd08 12345604" RECORD DATA,
     {{2, 2}, {10, 2}, {20, 4}, {34, 2}, {38, 2}}, 0, 0, 0},
    {"int port", int_port, CHANGE, PLAIN, PORT1, {{2, 2}, {10, 2}, {22, 6}}, 0, 0, 1},
    {"int new udp", int_udp, CHANGE, PLAIN, NEW1, {{2, 2}, {8, 4}}, 0, 0, 1},
    {"int dscp", int_dscp, CHANGE, PLAIN, DSCP1, {{0, 4}, {10, 2}, {24, 4}}, 0, 0, 1},
    {"int probe", int_probe, CHANGE, PLAIN, PROBE1, {{2, 2}, {10, 2}, {24, 4}}, 0, 0, 1},
    {"int port in ipv6", int_port, CHANGE, PLAIN6,
     V6("0028", "11") UDP("1388", "0028") INT("140412b7", "07", "0000000a") DATA,
     {{4, 2}, {42, 6}}, 0, 0, 1},
    {"int dscp in tcp", int_dscp, CHANGE, V4("0034", "06") TCP DATA,
     MARKED_V4("0048", "06") TCP INT("10040000", "07", "0000000a") DATA,
     {{0, 4}, {10, 2}, {32, 2}, {36, 2}}, 0, 0, 1},
    {"int push", int_push, CHANGE, PORT1, PORT2, {{2, 2}, {10, 2}, {24, 14}}, 0, 0, 0},
    {"int push in ipv6", int_push, CHANGE, V6("003c", "04") PORT1, V6("0040", "04") PORT2,
     {{4, 2}, {42, 2}, {50, 2}, {64, 14}}, 0, 0, 0},
    {"int push in ipv4", int_push, CHANGE, V4("0050", "04") PORT1, V4("0054", "04") PORT2,
     {{2, 2}, {10, 2}, {22, 2}, {30, 2}, {44, 14}}, 0, 0, 0},
    {"int push, no hop", int_push, ROCECC_EDIT_HOPS,
     V4("003c", "11") UDP("1388", "0028") INT("140412b7", "00", "0000000a") DATA,
     V4("003c", "11") UDP("1388", "0028")
     "140412b7 24000100 80000000 00000000 0000000a" DATA, {{24, 14}}, 0, 0, 0},
    {"int push, no room", int_push, ROCECC_EDIT_MTU, PORT1,
     V4("003c", "11") UDP("1388", "0028")
     "140412b7 22000107 80000000 00000000 0000000a" DATA, {{24, 14}}, 63, 0, 0},
    {"int strip port", int_strip, CHANGE, PORT2, PLAIN, {{2, 2}, {10, 2}, {22, 10}}, 0, 0, 0},
    {"int strip new udp", int_strip, CHANGE, NEW1, PLAIN, {{2, 2}, {8, 4}, {28, 4}}, 0, 0, 0},
    {"int strip dscp", int_strip, CHANGE, DSCP1, PLAIN, {{0, 4}, {10, 2}, {24, 8}}, 0, 0, 0},
    {"int strip probe", int_strip, CHANGE, PROBE1, PLAIN,
     {{2, 2}, {10, 2}, {24, 4}, {36, 4}}, 0, 0, 0},
    {"ioam insert", ioam_insert, CHANGE, PLAIN6, TRACED6, {{4, 4}}, 0, 0, 0},
    {"ioam insert, an option", ioam_insert, CHANGE,
     V6("001c", "00") "1100 0104 00000000" UDP("12b7", "0014") DATA, TRACED6,
     {{4, 2}, {40, 8}}, 0, 0, 0},
    {"ioam push", ioam_push, CHANGE,
     V6("0018", "00") "3b02 0100 310a0001 007b0805 80000000 0106000000000000", PUSHED,
     {{4, 2}, {40, 2}, {44, 12}}, 0, 0, 0},
    {"ioam push, no words", ioam_push, ROCECC_EDIT_FULL,
     V6("0018", "00") "3b02 0100 310a0001 007b0800 80000000 0106000000000000",
     V6("0018", "00") "3b02 0100 310a0001 007b0c00 80000000 0106000000000000",
     {{44, 12}}, 0, 0, 0},
    {"ioam strip", ioam_strip, CHANGE, TRACED6, PLAIN6, {{4, 4}, {40, 2}, {44, 12}}, 0, 0, 0},
    {"ioam strip, an option", ioam_strip, CHANGE,
     V6("0034", "00") "1103 0100" TRACE "1e06a1a2a3a4a5a6" UDP("12b7", "0014") DATA,
     V6("0024", "00") "1101 0104 00000000 1e06a1a2a3a4a5a6" UDP("12b7", "0014") DATA,
     {{4, 2}, {40, 2}, {44, 12}}, 0, 0, 0},
    {"csig insert", csig_insert, CHANGE, ADDRS "8100 0007 0806 0001",
     ADDRS "8100 0007 9900 2b85 0806 0001", {{12, 2}, {16, 2}}, 0, 1, 0},
    {"csig strip", csig_strip, CHANGE, ADDRS "8100 0007 9900 2b85 0806 0001",
     ADDRS "8100 0007 0806 0001", {{16, 4}}, 0, 1, 0},
};
/* clang-format on */
const size_t plans_n = sizeof plans / sizeof plans[0];

void plans_pair_of(const plan *x, size_t more, plans_pair *at)
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
    at->d = plans_domain;
    if (x->ether) at->d.link = ROCECC_LINK_ETHER;
    if (x->ether) return;
    at->sum_before = plans_finish(at->before, 0, at->n, more);
    if (at->m > (at->after[0] >> 4 == 4 ? 65535u : 65575u)) return; /* too long */
    at->sum_after = plans_finish(at->after, 0, at->m, more);
}

rocecc_edit_verdict plans_make(const plan *x, const plans_pair *at, uint32_t mtu_bytes,
                               rocecc_edit *e)
{
    rocecc_packet p;
    memset(e, 0, sizeof *e);
    (void)rocecc_packet_parse(&at->d, rocecc_reader_of(at->before, at->before + at->n),
                              &p);
    return x->make(&p, x->mtu_bytes != 0 ? x->mtu_bytes : mtu_bytes, e);
}
