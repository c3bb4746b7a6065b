/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/arn_gate.h"
#include "lib/guard.h"
#include "lib/kept.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "../../examples/lib/vec.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* A1 of vectors/arn.vec, as tshark checked it: a flow of IPv4 for 100 us. */
#define A1                                                                             \
    "45c00034 00004000 ff1154e4 0a090901 0a090902 c0decaff 00206df8 0110c890 0a010a02" \
    "0a021401 c00012b7 11000000 00000064"

/* The same over IPv6 for priority 3, as Python wrote it: 2001:db8:1::1 to ::2. */
#define US "20010db8 00010000 00000000 00000002"
#define THEM "20010db8 00010000 00000000 00000001"
#define SAYS "0110c830 00000003 00000064"
#define V6 "6c000000 001411ff" THEM US "c0decaff 00144ec9" SAYS

typedef struct packet {
    uint8_t bytes[VEC_BYTES];
    size_t n;
} packet;

static packet packet_of_hex(const char *hex)
{
    packet p;
    CHECK(vec_hex(hex, p.bytes, &p.n));
    return p;
}

static packet patch(packet p, size_t at, const char *hex)
{
    uint8_t bytes[VEC_BYTES];
    size_t n = 0;
    CHECK(vec_hex(hex, bytes, &n) && at + n <= p.n);
    memcpy(p.bytes + at, bytes, n);
    return p;
}

/* A packet with other bytes, and its UDP checksum as it has to be then: RFC 768. */
static packet right(packet p)
{
    const bool six = p.bytes[0] >> 4 == 6;
    const size_t udp = six ? 40 : 20, from = six ? 8 : 12;
    uint32_t sum = 17 + (uint32_t)(p.n - udp);
    size_t i;
    p.bytes[udp + 6] = p.bytes[udp + 7] = 0;
    for (i = from; i < p.n; i++)
        sum += (uint32_t)p.bytes[i] << (i % 2 == 0 ? 8 : 0);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    sum = sum == 0xffff ? sum : sum ^ 0xffff;
    p.bytes[udp + 6] = (uint8_t)(sum >> 8);
    p.bytes[udp + 7] = (uint8_t)sum;
    return p;
}

/* V6 with headers between IP and UDP, of which the first is of a type. */
static packet extended(const char *type, const char *hex)
{
    const packet base = packet_of_hex(V6), between = packet_of_hex(hex);
    packet p = base;
    memcpy(p.bytes + 40, between.bytes, between.n);
    memcpy(p.bytes + 40 + between.n, base.bytes + 40, base.n - 40);
    p.n += between.n;
    p.bytes[4] = (uint8_t)((p.n - 40) >> 8);
    p.bytes[5] = (uint8_t)(p.n - 40);
    return patch(p, 6, type);
}

/* A packet in another one, whose header is this. */
static packet inside(const char *outer, packet p)
{
    packet head = packet_of_hex(outer);
    memcpy(head.bytes + head.n, p.bytes, p.n);
    head.n += p.n;
    return head;
}

typedef struct gate {
    rocecc_arn_gate_config c;
    rocecc_domain domain;
    rocecc_acl_entry entries[3];
    rocecc_acl access;
    rocecc_arn_gate s;
    rocecc_tokenbucket sources[2];
    uint64_t now_ns;
} gate;

/* 2001:db8:1::/48 and 10.9.0.0/16 may send, two at once and 1000 in a second. */
static void open_gate(gate *g)
{
    const rocecc_ip6 six = {{0x20, 0x01, 0x0d, 0xb8, 0, 1}};
    const rocecc_ip6 four = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9}};
    uint32_t at;
    memset(g, 0, sizeof *g);
    g->domain.link = ROCECC_LINK_IP;
    g->domain.ifa.protocol = TELL_PROTOCOL;
    g->domain.ifa.layout_a = 1;
    g->domain.intmd.udp_port = TELL_PORT;
    g->domain.arn.port = 51967;
    g->c.limit.rate_per_s = 1000;
    g->c.limit.burst = 2;
    g->entries[0].prefix = six;
    g->entries[0].length = 48;
    g->entries[1].prefix = four;
    g->entries[1].length = 112;
    g->entries[0].permit = g->entries[1].permit = 1;
    g->entries[0].tag = 77;
    g->entries[1].tag = 1;
    CHECK_EQ(rocecc_acl_init(&g->access, g->entries, 2, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_arn_gate_init(&g->c, &g->domain, &g->access),
             ROCECC_ARN_GATE_ACCEPTED);
    g->s = rocecc_arn_gate_start(&g->c, 0);
    for (at = 0; at < ROCECC_ARN_GATE_VERDICTS; at++)
        CHECK_EQ(g->s.count[at], 0);
}

/* One verdict, one counter, and a token for what passed alone; before a guard page. */
static rocecc_arn_gate_result step(gate *g, packet p, rocecc_arn_gate_verdict verdict)
{
    const rocecc_arn_gate_event e = {g->now_ns, &g->access, g->sources, 2};
    const uint8_t *at = guard_end(p.bytes, p.n);
    const rocecc_arn_gate was = g->s;
    rocecc_arn_gate_result out;
    rocecc_packet f;
    int i;
    (void)rocecc_packet_parse(&g->domain, rocecc_reader_of(at, at + p.n), &f);
    memset(&out, 0xa5, sizeof out);
    rocecc_arn_gate_step(&g->c, &g->s, &f, &e, &out);
    CHECK_EQ(out.verdict, verdict);
    CHECK_EQ(rocecc_arn_gate_needs_action(out.verdict), verdict != 0);
    CHECK_EQ(out.arn.rest.end, 0); /* no pointer into the packet is kept */
    for (i = 0; i < ROCECC_ARN_GATE_VERDICTS; i++)
        CHECK_EQ(g->s.count[i], was.count[i] + (i == (int)verdict));
    if (verdict != ROCECC_ARN_GATE_TAKEN && verdict != ROCECC_ARN_GATE_RATE_LIMITED)
        CHECK(memcmp(&g->s.bucket, &was.bucket, sizeof was.bucket) == 0);
    else if (verdict == ROCECC_ARN_GATE_RATE_LIMITED)
        CHECK(g->s.bucket.level_e9 >= was.bucket.level_e9);
    else if (!g->c.unlimited && g->now_ns == was.bucket.last_ns)
        CHECK_EQ(g->s.bucket.level_e9 + ROCECC_TOKENBUCKET_ONE_E9, was.bucket.level_e9);
    return out;
}

/* A gate that is open, and what it says of one packet. */
static rocecc_arn_gate_result expect_verdict(const char *name, packet p,
                                             rocecc_arn_gate_verdict verdict)
{
    gate g;
    open_gate(&g);
    test_context("%s", name);
    return step(&g, p, verdict);
}

/* Who asks is in the result, and what for: nobody else can say it. */
TEST(arn_gate_whole)
{
    rocecc_arn_gate_result out =
        expect_verdict("IPv4", packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN);
    const rocecc_ip6 them = rocecc_ip6_load(packet_of_hex(V6).bytes + 8);
    CHECK(out.listed && out.tag == 1);
    CHECK(memcmp(out.src.b, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\x09\x09\x01", 16) == 0);
    CHECK_RECORD(ROCECC_ARN_FIELDS, rocecc_arn, &out.arn,
                 "type=1 version=1 metric=200 para_type=0x90 tuple_bytes=16 "
                 "flow.src=::ffff:10.1.10.2 flow.dst=::ffff:10.2.20.1 "
                 "flow.src_port=49152 flow.dst_port=4791 flow.proto=17 time=100");
    out = expect_verdict("IPv6", packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    CHECK(out.listed && out.tag == 77);
    CHECK(memcmp(&out.src, &them, 16) == 0);
    CHECK(out.arn.priority == 3 && out.arn.time == 100);
    out = expect_verdict("another port", patch(packet_of_hex(V6), 42, "cafe"),
                         ROCECC_ARN_GATE_NOT_AN_ARN);
    CHECK(!out.listed && out.tag == 0 && out.src.b[0] == 0 && out.arn.type == 0);
}

/* ---- Threats, by the table of include/rocecc/role/README.md */

/* Whoever writes one without the right checksum; any one bit of it, and none at all. */
TEST(arn_gate_checksum)
{
    gate g;
    const packet p = packet_of_hex(V6), q = packet_of_hex(A1);
    int bit;
    for (bit = 0; bit < 16; bit++) {
        packet bad = p;
        bad.bytes[46 + bit / 8] ^= (uint8_t)(1 << bit % 8);
        (void)expect_verdict("a bit of it", bad, ROCECC_ARN_GATE_BAD_CHECKSUM);
    }
    (void)expect_verdict("the metric", patch(p, 50, "c9"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("the priority", patch(p, 55, "04"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("the time", patch(p, 56, "0001"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("the source", patch(p, 23, "03"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("the metric, IPv4", patch(q, 30, "c9"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("none over IPv6", patch(p, 46, "0000"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("none over IPv4", patch(q, 26, "0000"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    open_gate(&g);
    g.c.no_checksum = true;
    (void)step(&g, patch(q, 26, "0000"), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, patch(q, 26, "0001"), ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)step(&g, patch(p, 46, "0000"),
               ROCECC_ARN_GATE_BAD_CHECKSUM); /* RFC 8200, 8.1 */
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN);
}

/* Who is no neighbour: a router between takes a hop, RFC 5082. */
TEST(arn_gate_from_far)
{
    gate g;
    int hops;
    for (hops = 0; hops < 255; hops++) {
        packet p = packet_of_hex(V6), q = packet_of_hex(A1);
        test_context("%d", hops);
        p.bytes[7] = q.bytes[8] = (uint8_t)hops;
        (void)expect_verdict("IPv6", p, ROCECC_ARN_GATE_TOO_FEW_HOPS);
        (void)expect_verdict("IPv4", q, ROCECC_ARN_GATE_TOO_FEW_HOPS);
    }
    open_gate(&g);
    g.c.any_hops = true;
    (void)step(&g, patch(packet_of_hex(V6), 7, "03"), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, patch(packet_of_hex(A1), 8, "01"), ROCECC_ARN_GATE_TAKEN);
}

/* What stands for INT by the DSCP of IP, and is none that the walk can read. */
TEST(arn_gate_where_int_cannot_be_read)
{
    packet p = patch(packet_of_hex(V6), 51, "38"); /* bit 4: of a later draft */
    gate g;
    memset(p.bytes + p.n, 0, 60);
    p.n += 60;
    p.bytes[5] = p.bytes[45] = (uint8_t)(p.n - 40);
    p = right(p);
    open_gate(&g);
    g.domain.arn.tail_unknown = true;
    (void)step(&g, p, ROCECC_ARN_GATE_TAKEN);
    g.domain.intmd.dscp_mask = 0x3f;
    g.domain.intmd.dscp = 48;
    (void)step(&g, p, ROCECC_ARN_GATE_UNSUPPORTED);
}

#define OUTER "6c000000 003c29ff 20010db8 00010000 00000000 00000003" US
#define OUTER4 "45c00050 00004000 ff2954e4 0a090901 0a090902"

/* A tunnel brings all 255 hops from anywhere, and any source. */
TEST(arn_gate_in_a_tunnel)
{
    gate g;
    const packet p = inside(OUTER, packet_of_hex(V6)),
                 q = inside(OUTER4, packet_of_hex(V6));
    (void)expect_verdict("IPv6 in IPv6", p, ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
    (void)expect_verdict("IPv6 in IPv4", q, ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
    open_gate(&g);
    g.c.tunnels = g.c.unlimited = true;
    (void)step(&g, p, ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, q, ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, patch(p, 7, "fe"),
               ROCECC_ARN_GATE_TOO_FEW_HOPS); /* the tunnel is longer */
    (void)step(&g, patch(p, 47, "fe"), ROCECC_ARN_GATE_TOO_FEW_HOPS);
    (void)step(&g, patch(p, 8, "ff02"), ROCECC_ARN_GATE_BAD_SOURCE); /* of the tunnel */
    (void)step(&g, patch(p, 24, "ff02"), ROCECC_ARN_GATE_BAD_DESTINATION);
    (void)step(&g, patch(p, 64, "ff02"), ROCECC_ARN_GATE_BAD_DESTINATION);
    (void)step(&g, patch(q, 16, "e0"), ROCECC_ARN_GATE_BAD_DESTINATION);
    /* What is in it is longer than it: whatever UDP says of itself. */
    (void)step(&g, patch(p, 4, "003b"), ROCECC_ARN_GATE_MALFORMED);
    (void)step(&g, patch(patch(p, 4, "003b"), 84, "1020"), ROCECC_ARN_GATE_MALFORMED);
    (void)step(&g, patch(p, 84, "1020"), ROCECC_ARN_GATE_UNSUPPORTED);
    g.c.any_hops = true;
    (void)step(&g, patch(p, 7, "03"), ROCECC_ARN_GATE_TAKEN);
}

static const struct {
    const char *name, *at6, *at4;
} nobody[] = {
    {"unspecified", "00000000 00000000 00000000 00000000", "00000000"},
    {"loopback", "00000000 00000000 00000000 00000001", "7f000001"},
    {"a group", "ff020000 00000000 00000000 00000001", "e0000001"},
    {"this network, all", "00000000 00000000 00000000 00000000", "00090901"},
    {"of the other version", "00000000 00000000 0000ffff 0a090901", "ffffffff"},
    {"reserved", "ff0e0000 00000000 00000000 00000001", "f0090901"}};

/* No neighbour has such an address, and an answer to it would go anywhere. */
TEST(arn_gate_source_is_nobody)
{
    size_t i;
    for (i = 0; i < sizeof nobody / sizeof nobody[0]; i++) {
        (void)expect_verdict(nobody[i].name,
                             right(patch(packet_of_hex(V6), 8, nobody[i].at6)),
                             ROCECC_ARN_GATE_BAD_SOURCE);
        (void)expect_verdict(nobody[i].name,
                             right(patch(packet_of_hex(A1), 12, nobody[i].at4)),
                             ROCECC_ARN_GATE_BAD_SOURCE);
    }
    (void)expect_verdict("itself", right(patch(packet_of_hex(V6), 8, US)),
                         ROCECC_ARN_GATE_BAD_SOURCE);
    (void)expect_verdict("itself, IPv4",
                         right(patch(packet_of_hex(A1), 12, "0a090902")),
                         ROCECC_ARN_GATE_BAD_SOURCE);
}

TEST(arn_gate_destination_is_nobody)
{
    size_t i;
    for (i = 0; i < sizeof nobody / sizeof nobody[0]; i++) {
        (void)expect_verdict(nobody[i].name,
                             right(patch(packet_of_hex(V6), 24, nobody[i].at6)),
                             ROCECC_ARN_GATE_BAD_DESTINATION);
        (void)expect_verdict(nobody[i].name,
                             right(patch(packet_of_hex(A1), 16, nobody[i].at4)),
                             ROCECC_ARN_GATE_BAD_DESTINATION);
    }
}

/* The one group that the configuration has, and no other. */
TEST(arn_gate_group)
{
    static const char all[] = "ff020000 00000000 00000000 00000002";
    static const char four[] = "00000000 00000000 0000ffff e0000002";
    gate g;
    open_gate(&g);
    g.c.group = rocecc_ip6_load(packet_of_hex(all).bytes);
    (void)step(&g, right(patch(packet_of_hex(V6), 24, all)), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, right(patch(patch(packet_of_hex(V6), 24, all), 39, "03")),
               ROCECC_ARN_GATE_BAD_DESTINATION);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    open_gate(&g);
    g.c.group = rocecc_ip6_load(packet_of_hex(four).bytes);
    (void)step(&g, right(patch(packet_of_hex(A1), 16, "e0000002")),
               ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, right(patch(packet_of_hex(A1), 16, "e0000003")),
               ROCECC_ARN_GATE_BAD_DESTINATION);
}

/* A source that the operator has not named; an empty list names none. */
TEST(arn_gate_access)
{
    gate g;
    rocecc_arn_gate_result out;
    uint32_t at;
    out = expect_verdict("another /48", right(patch(packet_of_hex(V6), 12, "0002")),
                         ROCECC_ARN_GATE_ACCESS_DENIED);
    CHECK(!out.listed && out.src.b[5] == 2); /* whom to tell of */
    (void)expect_verdict("another /16", right(patch(packet_of_hex(A1), 13, "0a07")),
                         ROCECC_ARN_GATE_ACCESS_DENIED);
    open_gate(&g);
    memset(&g.access, 0, sizeof g.access);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_ACCESS_DENIED);
    open_gate(&g);
    g.entries[g.entries[0].tag == 77 ? 0 : 1].permit = 0;
    CHECK_EQ(rocecc_acl_init(&g.access, g.entries, 2, &at), ROCECC_ACL_ACCEPTED);
    out = step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_ACCESS_DENIED);
    CHECK(out.listed && out.tag == 77);
}

/* A node gone mad, or its address forged: nobody else loses a token by it. */
TEST(arn_gate_a_mad_node_silences_nobody)
{
    gate g;
    int i;
    open_gate(&g);
    g.c.limit.burst = 10;
    g.c.source_limit.rate_per_s = 1000;
    g.c.source_limit.burst = 1;
    g.entries[g.entries[0].tag == 77 ? 0 : 1].tag = 0;
    CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),
             ROCECC_ARN_GATE_ACCEPTED);
    g.s = rocecc_arn_gate_start(&g.c, 0);
    g.sources[0] = g.sources[1] = rocecc_tokenbucket_start(&g.c.source_limit, 0);
    /* Forged, and wrong: its token goes before anybody computes a checksum. */
    (void)step(&g, patch(packet_of_hex(V6), 50, "c9"), ROCECC_ARN_GATE_BAD_CHECKSUM);
    for (i = 0; i < 20; i++)
        (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_RATE_LIMITED);
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_RATE_LIMITED);
    g.now_ns += MS;
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    for (i = 0; i < 2; i++) /* without a bucket: that of all alone */
        g.entries[i].tag = 2;
    for (i = 0; i < 8; i++)
        (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
}

TEST(arn_gate_limit)
{
    gate g;
    rocecc_arn_gate_config zero;
    int i;
    open_gate(&g);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN);
    for (i = 0; i < 5; i++) {
        const rocecc_arn_gate_result out =
            step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_RATE_LIMITED);
        CHECK(out.listed && out.tag == 77); /* which node it is that floods */
    }
    g.now_ns += MS - 1;
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_RATE_LIMITED);
    g.now_ns += 1;
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    g.c.unlimited = true;
    for (i = 0; i < 100; i++)
        (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    memset(&zero, 0, sizeof zero); /* and nobody asked init(): it takes none */
    g.c = zero;
    g.s = rocecc_arn_gate_start(&g.c, 0);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_RATE_LIMITED);
}

/* What is refused takes no token: after it all of them are there. */
TEST(arn_gate_the_bucket_is_asked_last)
{
    gate g;
    int i;
    open_gate(&g);
    for (i = 0; i < 20; i++) {
        (void)step(&g, patch(packet_of_hex(V6), 7, "03"), ROCECC_ARN_GATE_TOO_FEW_HOPS);
        (void)step(&g, patch(packet_of_hex(V6), 50, "00"),
                   ROCECC_ARN_GATE_BAD_CHECKSUM);
        (void)step(&g, right(patch(packet_of_hex(V6), 12, "0002")),
                   ROCECC_ARN_GATE_ACCESS_DENIED);
        (void)step(&g, right(patch(packet_of_hex(V6), 48, "05")),
                   ROCECC_ARN_GATE_MALFORMED);
        (void)step(&g, right(patch(packet_of_hex(V6), 49, "f0")),
                   ROCECC_ARN_GATE_UNSUPPORTED);
        (void)step(&g, inside(OUTER, packet_of_hex(V6)),
                   ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
        (void)step(&g, patch(packet_of_hex(V6), 24, "ff02"),
                   ROCECC_ARN_GATE_BAD_DESTINATION);
    }
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_RATE_LIMITED);
}

/* An SRH with a segment left goes on; without one it ends here. */
TEST(arn_gate_for_another_node)
{
    (void)expect_verdict("left", extended("2b", "11020401 00000000" THEM),
                         ROCECC_ARN_GATE_SEGMENTS_LEFT);
    (void)expect_verdict("none left", extended("2b", "11020400 00000000" THEM),
                         ROCECC_ARN_GATE_TAKEN);
    (void)expect_verdict("RH0", extended("2b", "11020001 00000000" THEM),
                         ROCECC_ARN_GATE_SEGMENTS_LEFT);
}

/* RFC 8200, 4.2: an option that is unknown, and says discard. */
TEST(arn_gate_options)
{
    packet p = packet_of_hex(A1);
    (void)expect_verdict("skip", extended("00", "11001e04 00000000"),
                         ROCECC_ARN_GATE_TAKEN);
    (void)expect_verdict("discard", extended("00", "11009e04 00000000"),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("too long", extended("00", "11001e05 00000000"),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("Destination Options, discard",
                         extended("3c", "11009e04 00000000"),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("Destination Options at all",
                         extended("3c", "11001e04 00000000"),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("a second Hop-by-Hop",
                         extended("00", "00001e04 00000000 11001e04 00000000"),
                         ROCECC_ARN_GATE_MALFORMED);
    memmove(p.bytes + 24, p.bytes + 20, p.n - 20); /* an option of IPv4: source route */
    p.n += 4;
    p = patch(patch(patch(p, 0, "46c00038"), 20, "83030401"), 10, "0000");
    (void)expect_verdict("options of IPv4", p, ROCECC_ARN_GATE_UNSUPPORTED);
}

/* What the gate cannot read whole does not go round it. */
TEST(arn_gate_cannot_be_gone_round)
{
    gate g;
    int how;
    packet p = packet_of_hex(A1);
    (void)expect_verdict("a first fragment", patch(p, 6, "2000"),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("a first fragment, IPv6", extended("2c", "11000001 00000001"),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("an atomic one", extended("2c", "11000000 00000001"),
                         ROCECC_ARN_GATE_TAKEN);
    (void)expect_verdict("a later one", patch(p, 6, "0001"),
                         ROCECC_ARN_GATE_NOT_AN_ARN);
    (void)expect_verdict("UDP beyond IP", patch(p, 24, "0021"),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("UDP below 8", patch(p, 24, "0007"),
                         ROCECC_ARN_GATE_MALFORMED);
    p.n -= 1;
    (void)expect_verdict("cut", p, ROCECC_ARN_GATE_MALFORMED);
    for (how = 0; how < TELL_HOWS; how++) {
        p = packet_of_hex(A1);
        p.n = tell(p.bytes, p.n, (tell_how)how);
        CHECK(p.n != 0);
        (void)expect_verdict("in IFA or INT", p, ROCECC_ARN_GATE_UNSUPPORTED);
    }
    open_gate(&g);
    g.domain.arn.port = 0;
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_NOT_AN_ARN); /* off */
    (void)step(&g, patch(packet_of_hex(A1), 22, "0000"), ROCECC_ARN_GATE_NOT_AN_ARN);
}

/* A version, type or parameter that nobody knows, and a length that is none. */
TEST(arn_gate_message)
{
    gate g;
    packet p = packet_of_hex(V6);
    (void)expect_verdict("type 0", right(patch(p, 48, "00")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("type 5", right(patch(p, 48, "05")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("version 2", right(patch(p, 49, "20")),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("bit 4", right(patch(p, 51, "38")),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("a flow", right(patch(p, 51, "b0")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("priority 8", right(patch(p, 55, "08")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("a failure", right(patch(p, 48, "03")), ROCECC_ARN_GATE_TAKEN);
    open_gate(&g); /* what follows the parameters: as far as emit() writes it */
    g.domain.arn.tail_unknown = true;
    p = patch(p, 51, "38");
    memset(p.bytes + p.n, 0, 200);
    p.n = 40 + 8 + 120;
    p.bytes[5] = p.bytes[45] = 128;
    (void)step(&g, right(p), ROCECC_ARN_GATE_TAKEN);
    p.n++;
    p.bytes[5] = p.bytes[45] = 129;
    (void)step(&g, right(p), ROCECC_ARN_GATE_UNSUPPORTED);
}

/* Cut anywhere, it lets nobody in. */
TEST(arn_gate_cut_anywhere)
{
    packet p = packet_of_hex(V6);
    while (p.n-- > 0) {
        gate g;
        test_context("%zu", p.n);
        open_gate(&g);
        (void)step(&g, p,
                   p.n < 44 ? ROCECC_ARN_GATE_NOT_AN_ARN : ROCECC_ARN_GATE_MALFORMED);
    }
}

TEST(arn_gate_refusals)
{
    static const rocecc_acl none = {NULL, 0, 0};
    gate g;
    rocecc_arn_gate_config c;
    open_gate(&g);
    c = g.c;
    CHECK_EQ(g.c.limit.full_ns, 2 * MS);
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &none),
             ROCECC_ARN_GATE_REFUSED_ACCESS);
    c.group.b[15] = 1;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_GROUP);
    memcpy(c.group.b, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xdf\0\0\1", 16);
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_GROUP);
    c.group.b[12] = 0xf0;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_GROUP);
    c.group.b[12] = 0xef;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access), ROCECC_ARN_GATE_ACCEPTED);
    c.group.b[0] = 0xff;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access), ROCECC_ARN_GATE_ACCEPTED);
    c.limit.burst = 0;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_LIMIT);
    c.unlimited = true;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access), ROCECC_ARN_GATE_ACCEPTED);
    c.source_limit.rate_per_s = 1;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_LIMIT);
    c.source_limit.burst = 3;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access), ROCECC_ARN_GATE_ACCEPTED);
    CHECK_EQ(c.source_limit.full_ns, 3000 * MS);
    memset(&c, 0, sizeof c); /* all 0 is no gate that is open by mistake */
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_LIMIT);
    g.domain.arn.family = 5;
    CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_FORM);
    g.domain.arn.port = 0;
    CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_PORT);
}

/* admit() does not take for a verdict what find() never says. */
TEST(arn_gate_admit_what_find_says)
{
    gate g;
    rocecc_arn_gate_result out;
    const rocecc_arn_gate_event e = {0, &g.access, NULL, 0};
    const packet p = packet_of_hex(V6);
    rocecc_packet f;
    open_gate(&g);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(p.bytes, p.bytes + p.n), &f);
    rocecc_arn_gate_find(&g.c, &f, &out);
    CHECK_EQ(out.verdict, ROCECC_ARN_GATE_TAKEN);
    out.verdict = ROCECC_ARN_GATE_VERDICTS;
    rocecc_arn_gate_admit(&g.c, &g.s, &f, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_ARN_GATE_VERDICTS);
}

/* ... and counts none of it, where a counter would lie after the last one, too. */
TEST(arn_gate_admit_counts_what_find_says)
{
    static rocecc_arn_gate s[64], was[64]; /* the first, and what lies after it */
    gate g;
    rocecc_arn_gate_result out;
    const rocecc_arn_gate_event e = {0, &g.access, NULL, 0};
    const packet p = packet_of_hex(V6);
    rocecc_packet f;
    unsigned verdict;
    open_gate(&g);
    s[0] = g.s;
    memcpy(was, s, sizeof s);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(p.bytes, p.bytes + p.n), &f);
    for (verdict = ROCECC_ARN_GATE_VERDICTS; verdict < 256; verdict++) {
        rocecc_arn_gate_find(&g.c, &f, &out);
        out.verdict = (rocecc_arn_gate_verdict)verdict;
        rocecc_arn_gate_admit(&g.c, s, &f, &e, &out);
        CHECK_EQ(out.verdict, verdict);
        CHECK(memcmp(was, s, sizeof s) == 0);
    }
}

TEST(arn_gate_law)
{
    law_random(law_arn_gate, 200000);
}

TEST(arn_gate_kept_where_of_cut_headers_is_refused)
{
    rocecc_domain d = kept_domain();
    rocecc_arn_gate_config c = ROCECC_ZERO;
    rocecc_arn_gate_event e = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = kept_anybody(&entry);
    rocecc_arn_gate s = ROCECC_ZERO;
    rocecc_arn_gate_result is;
    rocecc_packet p;
    d.arn.port = 0xcaff;
    p = kept_packet(&d, V6);
    c.unlimited = true;
    e.access = &list;
    rocecc_arn_gate_find(&c, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_TAKEN);
    p.headers.udp = (uint16_t)(p.headers.end - ROCECC_UDP_BYTES + 1);
    rocecc_arn_gate_admit(&c, &s, &p, &e, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_BAD_CHECKSUM);
    p = kept_packet(&d, V6);
    rocecc_arn_gate_step(&c, &s, &p, &e, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_TAKEN);
    kept_shorten(&p.headers.ip);
    rocecc_arn_gate_step(&c, &s, &p, &e, &is);
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_MALFORMED);
}
