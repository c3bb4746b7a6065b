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

/* Row A1 of vectors/arn.vec, checked with tshark: IPv4, one flow, 100 us. */
#define A1                                                                             \
    "45c00034 00004000 ff1154e4 0a090901 0a090902 c0decaff 00206df8 0110c890 0a010a02" \
    "0a021401 c00012b7 11000000 00000064"

/* An ARN over IPv6 for priority 3, from 2001:db8:1::1 to ::2, written by Python. */
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

/* Returns the Internet checksum of b[from] to b[to - 1], starting with `sum`. */
static uint16_t rest_of(const uint8_t *b, size_t from, size_t to, uint32_t sum)
{
    size_t i;
    for (i = from; i < to; i++)
        sum += (uint32_t)b[i] << ((i - from) % 2 == 0 ? 8 : 0);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)(sum ^ 0xffff);
}

/* Returns the packet with right checksums of UDP and IPv4 (RFC 768, RFC 791). */
static packet right(packet p)
{
    const bool six = p.bytes[0] >> 4 == 6;
    const size_t udp = six ? 40 : (p.bytes[0] & 15u) * 4;
    const uint16_t pseudo =
        rest_of(p.bytes, six ? 8 : 12, six ? 40 : 20, 17 + (uint32_t)(p.n - udp));
    uint16_t sum;
    p.bytes[udp + 6] = p.bytes[udp + 7] = 0;
    sum = rest_of(p.bytes, udp, p.n, pseudo ^ 0xffffu);
    rocecc_store16(p.bytes + udp + 6, sum == 0 ? 0xffff : sum);
    if (!six) {
        rocecc_store16(p.bytes + 10, 0);
        rocecc_store16(p.bytes + 10, rest_of(p.bytes, 0, udp, 0));
    }
    return p;
}

/* Returns V6 with the headers `hex` between IPv6 and UDP. `type` is the first type. */
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

/* Puts the header `outer` before a packet. */
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
    rocecc_admission_source sources[2];
    uint64_t now_ns;
} gate;

/* Checks the configuration, and fills all buckets. */
static void start_gate(gate *g)
{
    int i;
    CHECK_EQ(rocecc_arn_gate_init(&g->c, &g->domain, &g->access),
             ROCECC_ARN_GATE_ACCEPTED);
    g->s = rocecc_arn_gate_start(&g->c, g->now_ns);
    for (i = 0; i < 2; i++)
        g->sources[i] = rocecc_admission_source_start(&g->c.admission, g->now_ns);
}

/* Permits 2001:db8:1::/48 and 10.9.0.0/16, each with a burst of 2 and 1000 ARNs/s. */
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
    g->c.admission = rocecc_admission_for(1, 1000);
    g->c.admission.source.burst = 2;
    g->c.admission.verify.burst = 8;
    g->c.admission.shared.burst = 4;
    g->entries[0].prefix = six;
    g->entries[0].length = 48;
    g->entries[1].prefix = four;
    g->entries[1].length = 112;
    g->entries[0].permit = g->entries[1].permit = 1;
    g->entries[0].tag = 0;
    g->entries[1].tag = 1;
    CHECK_EQ(rocecc_acl_init(&g->access, g->entries, 2, &at), ROCECC_ACL_ACCEPTED);
    start_gate(g);
    for (at = 0; at < ROCECC_ARN_GATE_VERDICTS; at++)
        CHECK_EQ(g->s.count[at], 0);
}

/* Returns the present level of the shared bucket, in 10^-9 tokens. */
static uint64_t shared_e9(const gate *g, const rocecc_tokenbucket *b)
{
    const uint64_t level_e9 =
        b->level_e9 + (g->now_ns - b->last_ns) * g->c.admission.shared.rate_per_s;
    return rocecc_min(level_e9,
                      g->c.admission.shared.burst * ROCECC_TOKENBUCKET_ONE_E9);
}

/* Steps the gate on a packet before a guard page. Expects `verdict`, one counter step,
 * and a token taken from the shared bucket only for TAKEN with limits. */
static rocecc_arn_gate_result step(gate *g, packet p, rocecc_arn_gate_verdict verdict)
{
    const rocecc_admission_event e = {g->now_ns, &g->access, NULL, g->sources, 2};
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
    CHECK_EQ(shared_e9(g, &g->s.admission.shared) +
                 (verdict == ROCECC_ARN_GATE_TAKEN && !g->c.admission.unlimited
                      ? ROCECC_TOKENBUCKET_ONE_E9
                      : 0),
             shared_e9(g, &was.admission.shared));
    CHECK_EQ(out.arrival != ROCECC_ARRIVAL_OK, verdict == ROCECC_ARN_GATE_BAD_ARRIVAL);
    CHECK_EQ(out.admission != ROCECC_ADMISSION_ADMITTED,
             verdict == ROCECC_ARN_GATE_ACCESS_DENIED ||
                 verdict == ROCECC_ARN_GATE_RATE_LIMITED);
    return out;
}

/* Expects BAD_ARRIVAL for this reason. */
static rocecc_arn_gate_result refused(gate *g, packet p, rocecc_arrival_verdict reason)
{
    const rocecc_arn_gate_result out = step(g, p, ROCECC_ARN_GATE_BAD_ARRIVAL);
    CHECK_EQ(out.arrival, reason);
    return out;
}

/* Expects RATE_LIMITED by this limit. */
static rocecc_arn_gate_result limited(gate *g, packet p, rocecc_admission_verdict why)
{
    const rocecc_arn_gate_result out = step(g, p, ROCECC_ARN_GATE_RATE_LIMITED);
    CHECK_EQ(out.admission, why);
    return out;
}

static void expect_refusal(const char *name, packet p, rocecc_arrival_verdict reason)
{
    gate g;
    open_gate(&g);
    test_context("%s", name);
    (void)refused(&g, p, reason);
}

/* Opens a gate, and expects this verdict for one packet. */
static rocecc_arn_gate_result expect_verdict(const char *name, packet p,
                                             rocecc_arn_gate_verdict verdict)
{
    gate g;
    open_gate(&g);
    test_context("%s", name);
    return step(&g, p, verdict);
}

/* The result has the source, because no field of an ARN names its sender. */
TEST(arn_gate_result_has_source_tag_and_message)
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
    CHECK(out.listed && out.tag == 0);
    CHECK(memcmp(&out.src, &them, 16) == 0);
    CHECK(out.arn.priority == 3 && out.arn.time == 100);
    out = expect_verdict("another port", patch(packet_of_hex(V6), 42, "cafe"),
                         ROCECC_ARN_GATE_NOT_AN_ARN);
    CHECK(!out.listed && out.tag == 0 && out.src.b[0] == 0 && out.arn.type == 0);
}

/* ---- Threats in the table of include/rocecc/role/README.md */

/* A wrong UDP checksum is rejected, and 0 too, except over IPv4 with no_checksum. */
TEST(arn_gate_rejects_wrong_and_missing_checksums)
{
    gate g;
    const packet p = packet_of_hex(V6), q = packet_of_hex(A1);
    int bit;
    for (bit = 0; bit < 16; bit++) {
        packet bad = p;
        bad.bytes[46 + bit / 8] ^= (uint8_t)(1 << bit % 8);
        (void)expect_verdict("a bit of the checksum", bad,
                             ROCECC_ARN_GATE_BAD_CHECKSUM);
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
    (void)expect_verdict("no checksum over IPv6", patch(p, 46, "0000"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)expect_verdict("no checksum over IPv4", patch(q, 26, "0000"),
                         ROCECC_ARN_GATE_BAD_CHECKSUM);
    open_gate(&g);
    g.c.no_checksum = true;
    (void)step(&g, patch(q, 26, "0000"), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, patch(q, 26, "0001"), ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)step(&g, patch(p, 46, "0000"),
               ROCECC_ARN_GATE_BAD_CHECKSUM); /* RFC 8200, 8.1 */
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN);
}

/* Fewer than 255 hops are rejected, because each router takes one (RFC 5082). */
TEST(arn_gate_rejects_fewer_than_255_hops)
{
    gate g;
    int hops;
    for (hops = 0; hops < 255; hops++) {
        packet p = packet_of_hex(V6), q = packet_of_hex(A1);
        test_context("%d", hops);
        p.bytes[7] = q.bytes[8] = (uint8_t)hops;
        (void)expect_verdict("IPv6", p, ROCECC_ARN_GATE_TOO_FEW_HOPS);
        (void)expect_verdict("IPv4", right(q), ROCECC_ARN_GATE_TOO_FEW_HOPS);
    }
    open_gate(&g);
    g.c.any_hops = true;
    (void)step(&g, patch(packet_of_hex(V6), 7, "03"), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, right(patch(packet_of_hex(A1), 8, "01")), ROCECC_ARN_GATE_TAKEN);
}

/* An ARN whose DSCP indicates INT is UNSUPPORTED, even if the walk cannot read INT. */
TEST(arn_gate_dscp_of_int_is_unsupported)
{
    packet p = patch(packet_of_hex(V6), 51, "38"); /* bit 4, from a later draft */
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
#define OUTER4 "45c00050 00004000 ff2954b0 0a090901 0a090902"

/* A tunnel can carry 255 hops and any source from anywhere, so it is checked too. */
TEST(arn_gate_checks_both_headers_of_a_tunnel)
{
    gate g;
    const packet p = inside(OUTER, packet_of_hex(V6)),
                 q = inside(OUTER4, packet_of_hex(V6));
    (void)expect_verdict("IPv6 in IPv6", p, ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
    (void)expect_verdict("IPv6 in IPv4", q, ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
    open_gate(&g);
    g.c.tunnels = g.c.admission.unlimited = true;
    (void)step(&g, p, ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, q, ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, patch(p, 7, "fe"),
               ROCECC_ARN_GATE_TOO_FEW_HOPS); /* the tunnel was routed */
    (void)step(&g, patch(p, 47, "fe"), ROCECC_ARN_GATE_TOO_FEW_HOPS);
    (void)refused(&g, patch(p, 8, "ff02"),
                  ROCECC_ARRIVAL_BAD_SOURCE); /* outer source */
    (void)refused(&g, patch(p, 24, "ff02"), ROCECC_ARRIVAL_BAD_DESTINATION);
    (void)refused(&g, patch(p, 64, "ff02"), ROCECC_ARRIVAL_BAD_DESTINATION);
    (void)refused(&g, patch(patch(q, 16, "e0"), 10, "7eaf"),
                  ROCECC_ARRIVAL_BAD_DESTINATION);
    (void)refused(&g, patch(q, 16, "0b"), ROCECC_ARRIVAL_BAD_CHECKSUM);
    /* An inner packet longer than the outer payload is MALFORMED for any UDP Length. */
    (void)step(&g, patch(p, 4, "003b"), ROCECC_ARN_GATE_MALFORMED);
    (void)step(&g, patch(patch(p, 4, "003b"), 84, "1020"), ROCECC_ARN_GATE_MALFORMED);
    (void)step(&g, patch(p, 84, "1020"), ROCECC_ARN_GATE_UNSUPPORTED);
    g.c.any_hops = true;
    (void)step(&g, patch(p, 7, "03"), ROCECC_ARN_GATE_TAKEN);
}

static const struct {
    const char *name, *at6, *at4;
} not_hosts[] = {
    {"unspecified", "00000000 00000000 00000000 00000000", "00000000"},
    {"loopback", "00000000 00000000 00000000 00000001", "7f000001"},
    {"a group", "ff020000 00000000 00000000 00000001", "e0000001"},
    {"0.0.0.0/8, or ::", "00000000 00000000 00000000 00000000", "00090901"},
    {"mapped IPv4, or broadcast", "00000000 00000000 0000ffff 0a090901", "ffffffff"},
    {"a global group, or reserved", "ff0e0000 00000000 00000000 00000001", "f0090901"}};

/* A neighbour has no such address, and an ICMP error to it could go anywhere. */
TEST(arn_gate_rejects_invalid_source_addresses)
{
    size_t i;
    for (i = 0; i < sizeof not_hosts / sizeof not_hosts[0]; i++) {
        expect_refusal(not_hosts[i].name,
                       right(patch(packet_of_hex(V6), 8, not_hosts[i].at6)),
                       ROCECC_ARRIVAL_BAD_SOURCE);
        expect_refusal(not_hosts[i].name,
                       right(patch(packet_of_hex(A1), 12, not_hosts[i].at4)),
                       ROCECC_ARRIVAL_BAD_SOURCE);
    }
    expect_refusal("itself", right(patch(packet_of_hex(V6), 8, US)),
                   ROCECC_ARRIVAL_BAD_SOURCE);
    expect_refusal("itself, IPv4", right(patch(packet_of_hex(A1), 12, "0a090902")),
                   ROCECC_ARRIVAL_BAD_SOURCE);
}

/* The destination must be a host too, unless it is the configured group. */
TEST(arn_gate_rejects_invalid_destination_addresses)
{
    size_t i;
    for (i = 0; i < sizeof not_hosts / sizeof not_hosts[0]; i++) {
        expect_refusal(not_hosts[i].name,
                       right(patch(packet_of_hex(V6), 24, not_hosts[i].at6)),
                       ROCECC_ARRIVAL_BAD_DESTINATION);
        expect_refusal(not_hosts[i].name,
                       right(patch(packet_of_hex(A1), 16, not_hosts[i].at4)),
                       ROCECC_ARRIVAL_BAD_DESTINATION);
    }
}

/* Only the configured group is accepted as a multicast destination. */
TEST(arn_gate_accepts_only_the_configured_group)
{
    static const char all[] = "ff020000 00000000 00000000 00000002";
    static const char four[] = "00000000 00000000 0000ffff e0000002";
    gate g;
    open_gate(&g);
    g.c.group = rocecc_ip6_load(packet_of_hex(all).bytes);
    (void)step(&g, right(patch(packet_of_hex(V6), 24, all)), ROCECC_ARN_GATE_TAKEN);
    (void)refused(&g, right(patch(patch(packet_of_hex(V6), 24, all), 39, "03")),
                  ROCECC_ARRIVAL_BAD_DESTINATION);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    open_gate(&g);
    g.c.group = rocecc_ip6_load(packet_of_hex(four).bytes);
    (void)step(&g, right(patch(packet_of_hex(A1), 16, "e0000002")),
               ROCECC_ARN_GATE_TAKEN);
    (void)refused(&g, right(patch(packet_of_hex(A1), 16, "e0000003")),
                  ROCECC_ARRIVAL_BAD_DESTINATION);
}

/* A source is denied if the list denies it or does not contain it. */
TEST(arn_gate_denies_unlisted_and_denied_sources)
{
    gate g;
    rocecc_arn_gate_result out;
    uint32_t at;
    out = expect_verdict("another /48", right(patch(packet_of_hex(V6), 12, "0002")),
                         ROCECC_ARN_GATE_ACCESS_DENIED);
    CHECK(!out.listed && out.src.b[5] == 2); /* source for the alarm */
    (void)expect_verdict("another /16", right(patch(packet_of_hex(A1), 13, "0a07")),
                         ROCECC_ARN_GATE_ACCESS_DENIED);
    open_gate(&g);
    memset(&g.access, 0, sizeof g.access);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_ACCESS_DENIED);
    open_gate(&g);
    g.entries[g.entries[0].tag == 0 ? 0 : 1].permit = 0;
    CHECK_EQ(rocecc_acl_init(&g.access, g.entries, 2, &at), ROCECC_ACL_ACCEPTED);
    out = step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_ACCESS_DENIED);
    CHECK(out.listed && out.tag == 0);
}

#define SOURCES 9
#define STEP_NS 10000 /* 100,000 steps per second */

/* Load on a gate for 2 seconds. */
typedef struct attack {
    unsigned named;       /* misbehaving sources in the configuration */
    unsigned misbehaving; /* present; each sends 100,000 packets/s */
    unsigned forged;      /* packets/s with the honest source's address */
    bool no_checksum;     /* forged packets have no UDP checksum, or else a wrong one */
} attack;

/* Nodes 2001:db8:1::3 to ::b, each with its own tag, and their packets. */
typedef struct crowd {
    gate g;
    rocecc_acl_entry entries[SOURCES];
    rocecc_admission_source sources[SOURCES];
    packet
        bytes[SOURCES + 1]; /* the last one is forged, with the first one's address */
    rocecc_packet packets[SOURCES + 1];
} crowd;

static void parse_of(crowd *x, unsigned i)
{
    const uint8_t *b = x->bytes[i].bytes;
    (void)rocecc_packet_parse(&x->g.domain, rocecc_reader_of(b, b + x->bytes[i].n),
                              &x->packets[i]);
}

static void gather(crowd *x, const attack *a)
{
    unsigned i;
    uint32_t at;
    open_gate(&x->g);
    for (i = 0; i < SOURCES; i++) {
        x->bytes[i] = packet_of_hex(V6);
        x->bytes[i].bytes[23] = (uint8_t)(i + 3);
        x->bytes[i] = right(x->bytes[i]);
        memcpy(x->entries[i].prefix.b, x->bytes[i].bytes + 8, 16);
        x->entries[i].length = 128;
        x->entries[i].permit = 1;
        x->entries[i].tag = i;
        parse_of(x, i);
    }
    x->bytes[SOURCES] =
        a->no_checksum ? patch(x->bytes[0], 46, "0000") : patch(x->bytes[0], 50, "c9");
    parse_of(x, SOURCES);
    CHECK_EQ(rocecc_acl_init(&x->g.access, x->entries, SOURCES, &at),
             ROCECC_ACL_ACCEPTED);
    x->g.c.admission = rocecc_admission_for((uint16_t)a->named, 1000);
    start_gate(&x->g);
    for (i = 0; i < SOURCES; i++)
        x->sources[i] = rocecc_admission_source_start(&x->g.c.admission, 0);
}

/* Sends one packet of a source, or the forged one. Returns true if it is taken. */
static bool send(crowd *x, unsigned i, uint64_t now_ns)
{
    const rocecc_admission_event e = {now_ns, &x->g.access, NULL, x->sources, SOURCES};
    rocecc_arn_gate_result out;
    rocecc_arn_gate_step(&x->g.c, &x->g.s, &x->packets[i], &e, &out);
    return out.verdict == ROCECC_ARN_GATE_TAKEN;
}

/* Returns the number of lost ARNs, of 200 that the honest source sends. It sends 100
 * per second, each after all other packets of its step. */
static unsigned lose(const attack *a)
{
    static crowd x;
    unsigned lost = 0, k, i;
    memset(&x, 0, sizeof x);
    gather(&x, a);
    for (k = 0; k < 200000; k++) {
        const uint64_t now_ns = k * (uint64_t)STEP_NS;
        const uint64_t forged = k * (uint64_t)a->forged;
        for (i = 1; i <= a->misbehaving && k >= 29 * i; i++)
            (void)send(&x, i, now_ns); /* they refill at different times */
        if (forged / 100000 != (forged + a->forged) / 100000)
            (void)send(&x, SOURCES, now_ns);
        if (k % 1000 == 999 - k / 1000) lost += !send(&x, 0, now_ns); /* at any phase */
    }
    return lost;
}

/*
 * AD-4: the honest node loses no ARN if as many nodes misbehave as configured. 3500
 * forged packets per second with its address cost it nothing, because `verify` allows
 * 4000.
 */
TEST(arn_gate_honest_node_loses_0_arns_within_the_limits)
{
    static const attack attacks[] = {{1, 1, 0, false},
                                     {1, 1, 3500, false},
                                     {1, 1, 3500, true},
                                     {2, 2, 3500, false},
                                     {8, 8, 3500, false}};
    size_t i;
    for (i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        test_context("attack %zu", i);
        CHECK_EQ(lose(&attacks[i]), 0);
    }
}

/* Beyond these limits the honest node loses ARNs. So the test above can fail. */
TEST(arn_gate_honest_node_loses_arns_beyond_the_limits)
{
    attack a = {1, 4, 0, false};
    CHECK(lose(&a) > 50);
    a.misbehaving = 1;
    CHECK_EQ(lose(&a), 0);
    a.forged = 100000; /* 96 of 100 are not verified */
    CHECK(lose(&a) > 100);
}

/* A burst of 2, then 1 ARN per ms. Another source keeps its own tokens. */
TEST(arn_gate_limits_the_arns_of_each_source)
{
    gate g;
    rocecc_arn_gate_config zero;
    int i;
    open_gate(&g);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    for (i = 0; i < 5; i++) {
        const rocecc_arn_gate_result out =
            limited(&g, packet_of_hex(V6), ROCECC_ADMISSION_SOURCE_LIMITED);
        CHECK(out.listed && out.tag == 0); /* tag of the flooding node */
    }
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN);
    g.now_ns += MS - 1;
    (void)limited(&g, packet_of_hex(V6), ROCECC_ADMISSION_SOURCE_LIMITED);
    g.now_ns += 1;
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    g.c.admission.unlimited = true;
    for (i = 0; i < 100; i++)
        (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    memset(&zero, 0, sizeof zero); /* without init(), all 0 takes no ARN */
    g.c = zero;
    g.s = rocecc_arn_gate_start(&g.c, 0);
    g.sources[0] = rocecc_admission_source_start(&g.c.admission, 0);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_RATE_LIMITED);
}

/* `admission` names the limit that an ARN exceeds (AD-1 to AD-4). */
TEST(arn_gate_result_names_the_exceeded_limit)
{
    const packet good = packet_of_hex(V6), bad = patch(good, 50, "c9");
    gate g;
    int i;
    open_gate(&g);
    for (i = 0; i < 8; i++)
        (void)step(&g, bad, ROCECC_ARN_GATE_BAD_CHECKSUM);
    (void)limited(&g, bad, ROCECC_ADMISSION_VERIFY_LIMITED);
    (void)limited(&g, good, ROCECC_ADMISSION_VERIFY_LIMITED);
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_TAKEN); /* from another node */
    g.now_ns += MS / 4;
    (void)step(&g, good, ROCECC_ARN_GATE_TAKEN);
    open_gate(&g);
    g.s.admission.shared.level_e9 = 0;
    (void)limited(&g, good, ROCECC_ADMISSION_SHARED_LIMITED);
    open_gate(&g);
    g.sources[0].admitted.level_e9 = 0;
    (void)limited(&g, bad, ROCECC_ADMISSION_SOURCE_LIMITED); /* AD-3 */
    CHECK_EQ(g.sources[0].verified.level_e9, 8 * ROCECC_TOKENBUCKET_ONE_E9);
    open_gate(&g);
    g.entries[0].tag = g.entries[1].tag = 2; /* a tag without buckets */
    (void)limited(&g, good, ROCECC_ADMISSION_SOURCE_LIMITED);
}

/* A rejected ARN takes no token, except of `verified` for a wrong checksum (AD-2). */
TEST(arn_gate_rejected_arns_take_only_verified_tokens)
{
    gate g;
    int i;
    open_gate(&g);
    for (i = 0; i < 20; i++) {
        (void)step(&g, patch(packet_of_hex(V6), 7, "03"), ROCECC_ARN_GATE_TOO_FEW_HOPS);
        (void)step(&g, right(patch(packet_of_hex(V6), 12, "0002")),
                   ROCECC_ARN_GATE_ACCESS_DENIED);
        (void)step(&g, right(patch(packet_of_hex(V6), 48, "05")),
                   ROCECC_ARN_GATE_MALFORMED);
        (void)step(&g, right(patch(packet_of_hex(V6), 49, "f0")),
                   ROCECC_ARN_GATE_UNSUPPORTED);
        (void)step(&g, inside(OUTER, packet_of_hex(V6)),
                   ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
        (void)refused(&g, patch(packet_of_hex(V6), 24, "ff02"),
                      ROCECC_ARRIVAL_BAD_DESTINATION);
    }
    CHECK_EQ(g.sources[0].verified.level_e9, 8 * ROCECC_TOKENBUCKET_ONE_E9);
    for (i = 0; i < 6; i++)
        (void)step(&g, patch(packet_of_hex(V6), 50, "00"),
                   ROCECC_ARN_GATE_BAD_CHECKSUM);
    CHECK_EQ(g.sources[0].admitted.level_e9, 2 * ROCECC_TOKENBUCKET_ONE_E9);
    CHECK_EQ(g.sources[0].verified.level_e9, 2 * ROCECC_TOKENBUCKET_ONE_E9);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    (void)limited(&g, packet_of_hex(V6), ROCECC_ADMISSION_SOURCE_LIMITED);
}

/* Without a list, an index takes a listed source and denies an unlisted one. */
TEST(arn_gate_index_replaces_the_list)
{
    static rocecc_aclindex_cell cells[2 * ROCECC_ACLINDEX_CELLS];
    rocecc_aclindex index;
    int listed;
    for (listed = 0; listed < 2; listed++) {
        const packet p = right(patch(packet_of_hex(A1), 13, listed != 0 ? "09" : "0a"));
        gate g;
        rocecc_admission_event e = ROCECC_ZERO;
        rocecc_arn_gate_result out;
        rocecc_packet f;
        open_gate(&g);
        CHECK_EQ(rocecc_aclindex_init(&index, &g.access, cells,
                                      sizeof cells / sizeof *cells),
                 ROCECC_OK);
        e.list = NULL; /* not used */
        e.index = &index;
        e.sources = g.sources;
        e.n_sources = 2;
        (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(p.bytes, p.bytes + p.n),
                                  &f);
        rocecc_arn_gate_step(&g.c, &g.s, &f, &e, &out);
        CHECK_EQ(out.verdict,
                 listed != 0 ? ROCECC_ARN_GATE_TAKEN : ROCECC_ARN_GATE_ACCESS_DENIED);
        CHECK_EQ(out.tag, listed);
    }
}

/* Checks the ICMP error of a result. */
static void check_icmp(const rocecc_arn_gate_result *out, unsigned type, unsigned code,
                       unsigned value, unsigned offset)
{
    CHECK_EQ(out->icmp.type, type);
    CHECK_EQ(out->icmp.code, code);
    CHECK_EQ(out->icmp.value, value);
    if (type != 0) CHECK_EQ(out->icmp.offset, offset);
}

/* Parameter Problems (type 4) with code and pointer, and rejections without an error.
 */
TEST(arn_gate_icmp_error_points_at_the_rejected_field)
{
    static const char all[] = "ff020000 00000000 00000000 00000002";
    gate g;
    rocecc_arn_gate_result out;
    packet p;
    open_gate(&g);
    out =
        refused(&g, extended("00", "11009e04 00000000"), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 4, 2, 42, 0);
    out =
        refused(&g, extended("3c", "11001e00 de020000"), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 4, 2, 44, 0);
    out =
        refused(&g, extended("00", "11005e04 00000000"), ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 0, 0, 0, 0); /* act 01: discard silently */
    out = refused(&g, extended("2b", "11020401 00000000" THEM),
                  ROCECC_ARRIVAL_SEGMENTS_LEFT);
    check_icmp(&out, 4, 0, 42, 0);
    out =
        refused(&g, extended("8b", "11000000 00000000"), ROCECC_ARRIVAL_UNKNOWN_HEADER);
    check_icmp(&out, 4, 1, 6, 0);
    out = refused(&g, extended("2b", "87000400 00000000 11000000 00000000"),
                  ROCECC_ARRIVAL_UNKNOWN_HEADER);
    check_icmp(&out, 4, 1, 40, 0);
    out = step(&g, packet_of_hex(V6), ROCECC_ARN_GATE_TAKEN);
    check_icmp(&out, 0, 0, 0, 0);
    out = step(&g, patch(packet_of_hex(V6), 7, "fe"), ROCECC_ARN_GATE_TOO_FEW_HOPS);
    check_icmp(&out, 0, 0, 0, 0);
    g.c.tunnels = true; /* inner header at byte 40 */
    p = inside(OUTER, extended("3c", "11009e04 00000000"));
    p.bytes[5] = (uint8_t)(p.n - 40);
    out = refused(&g, p, ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 4, 2, 42, 40);
    g.c.group = rocecc_ip6_load(packet_of_hex(all).bytes); /* RFC 4443, 2.4 (e.3) */
    out = refused(&g, patch(extended("2b", "11020401 00000000" THEM), 24, all),
                  ROCECC_ARRIVAL_SEGMENTS_LEFT);
    check_icmp(&out, 0, 0, 0, 0);
    out = refused(&g, patch(extended("00", "11009e04 00000000"), 24, all),
                  ROCECC_ARRIVAL_UNKNOWN_OPTION);
    check_icmp(&out, 4, 2, 42, 0);
}

/* An ARN with a segment left is for another node, and is rejected. */
TEST(arn_gate_rejects_segments_left)
{
    expect_refusal("a segment left", extended("2b", "11020401 00000000" THEM),
                   ROCECC_ARRIVAL_SEGMENTS_LEFT);
    (void)expect_verdict("0 segments left", extended("2b", "11020400 00000000" THEM),
                         ROCECC_ARN_GATE_TAKEN);
    expect_refusal("a segment left in RH0", extended("2b", "11020001 00000000" THEM),
                   ROCECC_ARRIVAL_SEGMENTS_LEFT);
}

/* An unknown option is rejected if its type asks for a discard (RFC 8200, 4.2). */
TEST(arn_gate_act_bits_of_unknown_options_decide)
{
    packet p = packet_of_hex(A1);
    gate g;
    open_gate(&g); /* an ARN may not have a Fast CNP option */
    g.domain.fastcnp = law_fastcnp_config(0);
    (void)refused(&g, extended("3c", "11009e04 00000000"),
                  ROCECC_ARRIVAL_UNKNOWN_OPTION);
    (void)expect_verdict("an option to skip", extended("00", "11001e04 00000000"),
                         ROCECC_ARN_GATE_TAKEN);
    expect_refusal("an option to discard", extended("00", "11009e04 00000000"),
                   ROCECC_ARRIVAL_UNKNOWN_OPTION);
    expect_refusal("an option beyond its header", extended("00", "11001e05 00000000"),
                   ROCECC_ARRIVAL_BAD_OPTIONS);
    expect_refusal("Destination Options, discard", extended("3c", "11009e04 00000000"),
                   ROCECC_ARRIVAL_UNKNOWN_OPTION);
    (void)expect_verdict("Destination Options, skip",
                         extended("3c", "11001e04 00000000"), ROCECC_ARN_GATE_TAKEN);
    expect_refusal("a second Hop-by-Hop",
                   extended("00", "00001e04 00000000 11001e04 00000000"),
                   ROCECC_ARRIVAL_UNKNOWN_HEADER);
    memmove(p.bytes + 28, p.bytes + 20, p.n - 20); /* IPv4 source route */
    p.n += 8;
    p = patch(patch(p, 0, "47c0003c"), 20, "83070400 00000000");
    expect_refusal("a source route", right(p), ROCECC_ARRIVAL_SEGMENTS_LEFT);
    (void)expect_verdict("a source route at its end", right(patch(p, 22, "08")),
                         ROCECC_ARN_GATE_TAKEN);
}

/* An ARN that cannot be read completely is rejected, so it cannot bypass the gate. */
TEST(arn_gate_rejects_incomplete_arns)
{
    gate g;
    int how;
    packet p = packet_of_hex(A1);
    expect_refusal("a first fragment", patch(p, 6, "2000"), ROCECC_ARRIVAL_PARTIAL);
    expect_refusal("a first fragment, IPv6", extended("2c", "11000001 00000001"),
                   ROCECC_ARRIVAL_PARTIAL);
    (void)expect_verdict("an atomic fragment", extended("2c", "11000000 00000001"),
                         ROCECC_ARN_GATE_TAKEN);
    (void)expect_verdict("a later fragment", patch(p, 6, "0001"),
                         ROCECC_ARN_GATE_NOT_AN_ARN);
    (void)expect_verdict("UDP beyond IP", patch(p, 24, "0021"),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("UDP below 8", patch(p, 24, "0007"),
                         ROCECC_ARN_GATE_MALFORMED);
    p.n -= 1;
    expect_refusal("the last byte cut off", p, ROCECC_ARRIVAL_PARTIAL);
    for (how = 0; how < TELL_HOWS; how++) {
        p = packet_of_hex(A1);
        p.n = tell(p.bytes, p.n, (tell_how)how);
        CHECK(p.n != 0);
        (void)expect_verdict("in IFA or INT", p, ROCECC_ARN_GATE_UNSUPPORTED);
    }
    open_gate(&g);
    g.domain.arn.port = 0;
    (void)step(&g, packet_of_hex(A1), ROCECC_ARN_GATE_NOT_AN_ARN); /* ARN is off */
    (void)step(&g, patch(packet_of_hex(A1), 22, "0000"), ROCECC_ARN_GATE_NOT_AN_ARN);
}

/* An unknown version or parameter is UNSUPPORTED, a wrong type or length MALFORMED. */
TEST(arn_gate_rejects_unknown_and_malformed_messages)
{
    gate g;
    packet p = packet_of_hex(V6);
    (void)expect_verdict("type 0", right(patch(p, 48, "00")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("type 5", right(patch(p, 48, "05")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("version 2", right(patch(p, 49, "20")),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("unknown parameter bit", right(patch(p, 51, "38")),
                         ROCECC_ARN_GATE_UNSUPPORTED);
    (void)expect_verdict("a flow in a priority's length", right(patch(p, 51, "b0")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("priority 8", right(patch(p, 55, "08")),
                         ROCECC_ARN_GATE_MALFORMED);
    (void)expect_verdict("type 3", right(patch(p, 48, "03")), ROCECC_ARN_GATE_TAKEN);
    open_gate(&g); /* UDP Length may be at most 128 */
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

/* A cut ARN gives NOT_AN_ARN if its UDP port is missing, and PARTIAL otherwise. */
TEST(arn_gate_rejects_arns_cut_after_the_udp_port)
{
    packet p = packet_of_hex(V6);
    while (p.n-- > 0) {
        gate g;
        test_context("%zu", p.n);
        open_gate(&g);
        if (p.n < 44)
            (void)step(&g, p, ROCECC_ARN_GATE_NOT_AN_ARN);
        else
            (void)refused(&g, p, ROCECC_ARRIVAL_PARTIAL);
    }
}

/* init() refuses an empty list, groups outside ff00::/8 and 224.0.0.0/4, a burst of 0,
 * an invalid ARN format, and port 0. */
TEST(arn_gate_init_refuses_bad_groups_limits_and_formats)
{
    static const rocecc_acl none = {NULL, 0, 0};
    gate g;
    rocecc_arn_gate_config c;
    open_gate(&g);
    c = g.c;
    CHECK_EQ(g.c.admission.source.full_ns, 2 * MS);
    CHECK_EQ(g.c.admission.verify.full_ns, 2 * MS);
    CHECK_EQ(g.c.admission.shared.full_ns, 2 * MS);
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
    c.admission.source.burst = 0;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_LIMIT);
    c.admission.unlimited = true;
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access), ROCECC_ARN_GATE_ACCEPTED);
    memset(&c, 0, sizeof c); /* init() rejects a configuration of all 0 */
    CHECK_EQ(rocecc_arn_gate_init(&c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_LIMIT);
    g.domain.arn.family = 5;
    CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_FORM);
    g.domain.arn.port = 0;
    CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),
             ROCECC_ARN_GATE_REFUSED_PORT);
}

/* init() rejects limits that cannot guarantee AD-4, and changes nothing. */
TEST(arn_gate_init_refuses_limits_below_ad_4)
{
    gate g;
    rocecc_arn_gate_config good;
    open_gate(&g);
    good = g.c;
#define REFUSED(member, value)                                                         \
    do {                                                                               \
        rocecc_arn_gate_config was;                                                    \
        g.c = good;                                                                    \
        g.c.admission.member = value;                                                  \
        was = g.c;                                                                     \
        CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),                     \
                 ROCECC_ARN_GATE_REFUSED_LIMIT);                                       \
        CHECK(memcmp(&was, &g.c, sizeof was) == 0);                                    \
    } while (0)
    REFUSED(misbehaving, 0);
    REFUSED(misbehaving, 2);
    REFUSED(source.rate_per_s, 0);
    REFUSED(source.rate_per_s, 1001);
    REFUSED(source.burst, 0);
    REFUSED(source.burst, 3);
    REFUSED(verify.rate_per_s, 999);
    REFUSED(verify.burst, 1);
    REFUSED(shared.rate_per_s, 1999);
    REFUSED(shared.burst, 3);
#undef REFUSED
    g.c = good;
    g.c.admission = rocecc_admission_for(64, 16);
    CHECK_EQ(rocecc_arn_gate_init(&g.c, &g.domain, &g.access),
             ROCECC_ARN_GATE_ACCEPTED);
}

/* admit() does not change a verdict out of range. */
TEST(arn_gate_admit_keeps_a_verdict_out_of_range)
{
    gate g;
    rocecc_arn_gate_result out;
    const rocecc_admission_event e = {0, &g.access, NULL, NULL, 0};
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

/* admit() counts no verdict or reason out of range, not even after the last counter. */
TEST(arn_gate_admit_does_not_count_values_out_of_range)
{
    static rocecc_arn_gate s[64], was[64]; /* s[0], and the memory after it */
    gate g;
    rocecc_arn_gate_result out;
    const rocecc_admission_event e = {0, &g.access, NULL, NULL, 0};
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
    out.verdict = ROCECC_ARN_GATE_BAD_ARRIVAL;
    for (verdict = ROCECC_ARRIVAL_VERDICTS; verdict < 256; verdict++) {
        out.arrival = (rocecc_arrival_verdict)verdict;
        rocecc_arn_gate_admit(&g.c, s, &f, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_ARN_GATE_BAD_ARRIVAL);
        CHECK(memcmp(was, s, sizeof s) == 0);
    }
}

TEST(arn_gate_law)
{
    law_random(law_arn_gate, 200000);
}

/* Without a whole UDP header an ARN is BAD_CHECKSUM, without a whole IP header
 * BAD_ARRIVAL. */
TEST(arn_gate_rejects_packets_cut_after_parsing)
{
    rocecc_domain d = kept_domain();
    rocecc_arn_gate_config c = ROCECC_ZERO;
    rocecc_admission_event e = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = kept_anybody(&entry);
    rocecc_arn_gate s = ROCECC_ZERO;
    rocecc_arn_gate_result is;
    rocecc_packet p;
    d.arn.port = 0xcaff;
    p = kept_packet(&d, V6);
    c.admission.unlimited = true;
    e.list = &list;
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
    CHECK_EQ(is.verdict, ROCECC_ARN_GATE_BAD_ARRIVAL);
    CHECK_EQ(is.arrival, ROCECC_ARRIVAL_PARTIAL);
}

/* ---- Behaviour that may surprise a reader of the header */

/* A tunnel may also go to the configured group, but to no other group. */
TEST(arn_gate_accepts_a_tunnel_to_the_group)
{
    static const char all[] = "ff020000 00000000 00000000 00000002";
    const packet p = patch(inside(OUTER, packet_of_hex(V6)), 24, all);
    gate g;
    open_gate(&g);
    g.c.tunnels = g.c.admission.unlimited = true;
    g.c.group = rocecc_ip6_load(packet_of_hex(all).bytes);
    (void)step(&g, p, ROCECC_ARN_GATE_TAKEN);
    (void)refused(&g, patch(p, 39, "03"), ROCECC_ARRIVAL_BAD_DESTINATION);
}

/* The outer hops are checked before the inner source. out.src stays 0 on failure. */
TEST(arn_gate_checks_outer_hops_before_the_inner_header)
{
    const packet p = patch(inside(OUTER, packet_of_hex(V6)), 48, "ff02");
    const rocecc_ip6 none = {{0}};
    rocecc_arn_gate_result out;
    gate g;
    open_gate(&g);
    g.c.tunnels = true;
    out = step(&g, patch(p, 7, "fe"), ROCECC_ARN_GATE_TOO_FEW_HOPS);
    CHECK(rocecc_ip6_match(&out.src, &none));
    out = refused(&g, p, ROCECC_ARRIVAL_BAD_SOURCE);
    CHECK(rocecc_ip6_match(&out.src, &none));
}

/* no_checksum applies to IPv4 in IPv6, but not to IPv6 in IPv4. */
TEST(arn_gate_inner_header_decides_about_a_missing_checksum)
{
    const packet p = inside("6c000000 003404ff 20010db8 00010000 00000000 00000003" US,
                            patch(packet_of_hex(A1), 26, "0000"));
    const packet q = inside(OUTER4, patch(packet_of_hex(V6), 46, "0000"));
    gate g;
    open_gate(&g);
    g.c.tunnels = g.c.no_checksum = true;
    (void)step(&g, p, ROCECC_ARN_GATE_TAKEN);
    (void)step(&g, q, ROCECC_ARN_GATE_BAD_CHECKSUM);
}

/* Each IP header may have 8 options. 8 and 8 are taken, but not 8 and 9 or 9 and 8. */
TEST(arn_gate_each_ip_header_may_have_8_options)
{
#define EIGHT "02 1e00 1e00 1e00 1e00 1e00 1e00 1e00 1e00 0104 00000000"
#define NINE "02 1e00 1e00 1e00 1e00 1e00 1e00 1e00 1e00 1e00 0102 0000"
#define AROUND "6c000000 006c3cff 20010db8 00010000 00000000 00000003" US "29"
    gate g;
    open_gate(&g);
    g.c.tunnels = true;
    (void)step(&g, inside(AROUND EIGHT, extended("3c", "11" EIGHT)),
               ROCECC_ARN_GATE_TAKEN);
    (void)refused(&g, inside(AROUND EIGHT, extended("3c", "11" NINE)),
                  ROCECC_ARRIVAL_UNSUPPORTED);
    (void)refused(&g, inside(AROUND NINE, extended("3c", "11" EIGHT)),
                  ROCECC_ARRIVAL_UNSUPPORTED);
#undef EIGHT
#undef NINE
#undef AROUND
}

/* The limit of 128 is for UDP Length, so 200 bytes after UDP do not count. */
TEST(arn_gate_bytes_after_udp_do_not_count)
{
    packet p = packet_of_hex(V6);
    memset(p.bytes + p.n, 0x5a, 200);
    p.n += 200;
    p.bytes[5] = (uint8_t)(p.n - 40);
    (void)expect_verdict("200 bytes more", p, ROCECC_ARN_GATE_TAKEN);
    p.bytes[45] = 129;
    (void)expect_verdict("UDP Length 129", p, ROCECC_ARN_GATE_UNSUPPORTED);
}

/* An ARN in GRE is NOT_AN_ARN, even with `tunnels` set. */
TEST(arn_gate_an_arn_in_an_overlay_is_not_an_arn)
{
    const packet p = inside("6c000000 00402fff" THEM US "000086dd", packet_of_hex(V6));
    gate g;
    open_gate(&g);
    g.c.tunnels = true;
    (void)step(&g, p, ROCECC_ARN_GATE_NOT_AN_ARN);
}

/* An ARN between link-local addresses is taken if the list permits its source. */
TEST(arn_gate_a_link_local_neighbor_is_taken)
{
    packet p = patch(packet_of_hex(V6), 8, "fe800000 00000000 00000000 00000001");
    rocecc_arn_gate_result out;
    uint32_t at;
    gate g;
    p = right(patch(p, 24, "fe800000 00000000 00000000 00000002"));
    open_gate(&g);
    g.entries[2].prefix.b[0] = 0xfe;
    g.entries[2].prefix.b[1] = 0x80;
    g.entries[2].length = 64;
    g.entries[2].permit = 1;
    g.entries[2].tag = 1;
    CHECK_EQ(rocecc_acl_init(&g.access, g.entries, 3, &at), ROCECC_ACL_ACCEPTED);
    out = step(&g, p, ROCECC_ARN_GATE_TAKEN);
    CHECK(out.tag == 1 && out.src.b[0] == 0xfe && out.src.b[15] == 1);
}

/* An unlisted source with a wrong checksum is TAKEN by find(), but not by admit(). */
TEST(arn_gate_find_checks_neither_list_nor_checksum)
{
    const packet x = patch(packet_of_hex(V6), 12, "0002"); /* another /48 */
    rocecc_admission_event e = ROCECC_ZERO;                /* no list */
    rocecc_arn_gate_result out;
    rocecc_packet p;
    gate g;
    open_gate(&g);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(x.bytes, x.bytes + x.n), &p);
    rocecc_arn_gate_find(&g.c, &p, &out);
    CHECK_EQ(out.verdict, ROCECC_ARN_GATE_TAKEN);
    CHECK_EQ(out.arn.priority, 3);
    rocecc_arn_gate_admit(&g.c, &g.s, &p, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_ARN_GATE_ACCESS_DENIED);
    CHECK_EQ(out.admission, ROCECC_ADMISSION_UNLISTED);
    CHECK(!out.listed);
}

/* admit() denies an unlisted source even if `arrival` is out of range. */
TEST(arn_gate_admit_ignores_an_arrival_out_of_range)
{
    gate g;
    rocecc_arn_gate_result out;
    rocecc_acl empty = {NULL, 0, 0};
    const rocecc_admission_event e = {0, &empty, NULL, NULL, 0};
    const packet p = packet_of_hex(V6);
    rocecc_packet f;
    open_gate(&g);
    (void)rocecc_packet_parse(&g.domain, rocecc_reader_of(p.bytes, p.bytes + p.n), &f);
    rocecc_arn_gate_find(&g.c, &f, &out);
    CHECK_EQ(out.verdict, ROCECC_ARN_GATE_TAKEN);
    out.arrival = (rocecc_arrival_verdict)200;
    rocecc_arn_gate_admit(&g.c, &g.s, &f, &e, &out);
    CHECK_EQ(out.verdict, ROCECC_ARN_GATE_ACCESS_DENIED);
}
