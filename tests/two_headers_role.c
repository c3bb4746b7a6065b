/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * two_headers_role.c - checks the roles with packets that have an outer and an inner
 * header (lib/two_headers.h). Source, destination, hop limit, class and ECN must come
 * from the right header. Each access list permits the address of only one header,
 * unless a test says otherwise.
 */
#include "lib/two_headers.h"

#include "lib/test.h"
#include "rocecc/role/arn_gate.h"
#include "rocecc/role/congestion_point.h"
#include "rocecc/role/echo.h"
#include "rocecc/role/flow_control.h"
#include "rocecc/role/l3qcn_tor_learn.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/qpn.h"
#include "rocecc/role/reaction_point.h"
#include "rocecc/role/srv6_pe.h"

#include <string.h>

static const rocecc_ip6 own = {
    {0x20, 1, 0x0d, 0xb8, 0, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9}};

static const two_byte nothing[] = {{TWO_END, 0}};

static rocecc_domain domain(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.roce.echo_bytes = 256;
    d.ioam.namespace_id = 0x7b;
    d.fastcnp.type_plain = 0x9e;
    d.fastcnp.type_ioam = 0x9f;
    d.l3qcn.port = 51966;
    d.arn.port = 51967;
    d.arn.priority = ROCECC_ARN_PRIORITY_DSCP;
    return d;
}

static bool is(const rocecc_ip6 *a, const rocecc_ip6 *b)
{
    return memcmp(a->b, b->b, 16) == 0;
}

/* Returns where the destination or the source of an IP header begins. */
static uint8_t *dst_of(two_frame *x, int i)
{
    return x->b + x->ip[i] + (x->b[x->ip[i]] >> 4 == 4 ? 16 : 24);
}

static uint8_t *src_of(two_frame *x, int i)
{
    return x->b + x->ip[i] + (x->b[x->ip[i]] >> 4 == 4 ? 12 : 8);
}

/* Makes an address a multicast address. */
static void to_group(uint8_t *address, int version)
{
    address[0] = version == 4 ? 0xe0 : 0xff;
}

static void set_ecn(two_frame *x, int i, unsigned ecn)
{
    uint8_t *b = x->b + x->ip[i];
    if (*b >> 4 == 4) {
        b[1] = (uint8_t)((b[1] & 0xfc) | ecn);
        two_sum(x->b, x->ip[i]);
    } else {
        b[1] = (uint8_t)((b[1] & 0xcf) | ecn << 4);
    }
}

static void set_hops(two_frame *x, int i, uint8_t hops)
{
    uint8_t *b = x->b + x->ip[i];
    b[*b >> 4 == 4 ? 8 : 7] = hops;
    if (*b >> 4 == 4) two_sum(x->b, x->ip[i]);
}

/* Returns a frame with the inner headers and no tunnel. */
static two_frame alone(int version, two_upper upper)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, version);
    two_ip(&x, &two_inner, version, 17);
    upper(&x, version);
    two_end(&x);
    return x;
}

/*
 * Returns a frame with a routing header in both IPv6 headers. Header k has one segment
 * left, and the other header has none.
 */
static two_frame routed(int k)
{
    two_frame x;
    int i;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, 6);
    for (i = 0; i < 2; i++) {
        two_ip(&x, i == 0 ? &two_outer : &two_inner, 6, 43);
        two_hex(&x, i == 0 ? "29" : "11");
        two_hex(&x, i == k ? "04 0401 01000000" : "04 0400 01000000");
        two_hex(&x, i == 0 ? "20010db8001100000000000000000011"
                             "20010db8001200000000000000000012"
                           : "20010db8002100000000000000000021"
                             "20010db8002200000000000000000022");
    }
    two_data(&x, 6);
    two_end(&x);
    return x;
}

/* An access list with one or two addresses of one tag. */
typedef struct list {
    rocecc_acl_entry entry[2];
    rocecc_acl acl;
} list;

static void permit(list *l, const rocecc_ip6 *a, const rocecc_ip6 *b, uint32_t tag)
{
    const uint32_t n = b != NULL ? 2 : 1;
    uint32_t at;
    memset(l, 0, sizeof *l);
    l->entry[0].prefix = *a;
    l->entry[0].length = 128;
    l->entry[0].permit = 1;
    l->entry[0].tag = tag;
    l->entry[1] = l->entry[0];
    if (b != NULL) l->entry[1].prefix = *b;
    CHECK_EQ(rocecc_acl_init(&l->acl, l->entry, n, &at), ROCECC_ACL_ACCEPTED);
}

/*
 * The receiver answers only CE of the inner header, because the end of the tunnel
 * merges both fields. The CNP goes from the inner destination to the inner source.
 */
TEST(two_headers_a_receiver_answers_inner_ce)
{
    const rocecc_domain d = domain();
    rocecc_notification_config c = ROCECC_ZERO;
    int i, inside;
    c.cnp = rocecc_cnp_default();
    CHECK_EQ(rocecc_notification_point_init(&c), ROCECC_NOTIFICATION_ACCEPTED);
    for (i = 0; i < 8; i++) {
        const int outer = two_pairs[i & 3][0], inner = two_pairs[i & 3][1];
        for (inside = 0; inside < 2; inside++) {
            const rocecc_notification_event e = {1000, 0x21, false};
            rocecc_cnpgate gate = rocecc_cnpgate_start(&c.gate);
            two_frame x = i < 4 ? two_tunnel(outer, inner, two_data)
                                : two_vxlan(outer, inner, two_data);
            uint8_t b[80];
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            rocecc_packet p;
            rocecc_notification_result out;
            test_context("pair %d, CE %s", i, inside != 0 ? "inside" : "outside");
            set_ecn(&x, 0, inside != 0 ? 2 : 3);
            set_ecn(&x, 1, inside != 0 ? 3 : 2);
            p = i < 4 ? two_walked(&d, &x) : two_inside(&d, &x);
            out = rocecc_notification_point_step(&c, &gate, &p, e, &w);
            CHECK_EQ(out.verdict, inside != 0 ? ROCECC_NOTIFICATION_SENT
                                              : ROCECC_NOTIFICATION_UNMARKED);
            CHECK(is(&out.cnp.src, two_dst(&two_inner, inner)));
            CHECK(is(&out.cnp.dst, two_src(&two_inner, inner)));
            CHECK_EQ(w.at, inside == 0 ? 0 : inner == 4 ? 60 : 80);
            if (inside == 0) continue;
            CHECK_EQ(b[0] >> 4, inner);
            CHECK(memcmp(b + (inner == 4 ? 12 : 8), dst_of(&x, 1),
                         inner == 4 ? 4 : 16) == 0);
            CHECK(memcmp(b + (inner == 4 ? 16 : 24), src_of(&x, 1),
                         inner == 4 ? 4 : 16) == 0);
        }
    }
}

/* The switch. */

typedef struct congested {
    rocecc_congestion_config c;
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_congestion_event e;
    list access, tunnels;
    uint8_t b[512];
    rocecc_writer w;
} congested;

static void congested_start(congested *t, const rocecc_domain *d)
{
    memset(t, 0, sizeof *t);
    permit(&t->access, two_src(&two_inner, 6), two_src(&two_inner, 4), 0);
    permit(&t->tunnels, two_src(&two_outer, 6), NULL, 0);
    t->c.fastcnp_enabled = true;
    t->c.cnp = rocecc_cnp_default();
    t->c.cnp.src = own;
    t->c.icrc_rule = ROCECC_ICRC_MASKED;
    t->c.answer = rocecc_opcode_set_data();
    t->c.admission.unlimited = true;
    t->c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    t->c.qcn_priorities = 1u << 7;
    t->c.msdu_bytes = 8;
    CHECK_EQ(rocecc_congestion_point_init(&t->c, d, &t->access.acl),
             ROCECC_CONGESTION_ACCEPTED);
    t->s = rocecc_congestion_point_start(&t->c, 0);
    t->e.verdict = ROCECC_WRED_MARK;
    t->e.sender_support = ROCECC_FASTCNP_SUPPORT_YES;
    t->e.gate = &t->gate;
    t->e.admission.list = &t->access.acl;
    t->e.tunnels = &t->tunnels.acl;
}

static uint8_t met(congested *t, const rocecc_domain *d, const two_frame *x)
{
    const rocecc_packet p = two_walked(d, x);
    t->gate = rocecc_cnpgate_start(&t->c.gate);
    t->w = rocecc_writer_of(t->b, t->b + sizeof t->b);
    memset(t->b, 0, sizeof t->b);
    return rocecc_congestion_point_step(&t->c, &t->s, &p, &t->e, &t->w).reason;
}

/* The tunnel goes to the outer source (R-CON-4). The Fast CNP goes to the inner
 * source and names the inner destination (R-CON-8). */
TEST(two_headers_a_fast_cnp_goes_back_to_both_sources)
{
    const rocecc_domain d = domain();
    congested t;
    two_frame x = two_tunnel(6, 6, two_data);
    congested_start(&t, &d);
    t.c.flow_label = 0x12345;
    CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_SENT);
    CHECK_EQ(t.w.at, 40 + 40 + 24 + 40);
    CHECK_EQ(t.b[6], 41);
    CHECK(memcmp(t.b + 8, own.b, 16) == 0);
    CHECK(memcmp(t.b + 24, two_src(&two_outer, 6)->b, 16) == 0);
    CHECK(memcmp(t.b + 48, own.b, 16) == 0);
    CHECK(memcmp(t.b + 64, two_src(&two_inner, 6)->b, 16) == 0);
    CHECK(memcmp(t.b + 84, two_dst(&two_inner, 6)->b, 16) == 0);
    CHECK(memcmp(t.b + 104, "\xc1\x23\x12\xb7", 4) == 0);
    CHECK(memcmp(t.b + 112, "\x81\x00\x80\x01\x40\x00\x04\x56", 8) == 0);
}

TEST(two_headers_a_switch_checks_both_lists)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const rocecc_congestion_reason last = inner == 4 ? ROCECC_CONGESTION_NOT_DATA
                                              : outer == 4
                                                  ? ROCECC_CONGESTION_UNLISTED_TUNNEL
                                                  : ROCECC_CONGESTION_SENT;
        const two_frame good = two_tunnel(outer, inner, two_data);
        two_frame x = good;
        congested t;
        test_context("IPv%d in IPv%d", inner, outer);
        congested_start(&t, &d);
        CHECK_EQ(met(&t, &d, &x), last);
        if (inner == 4) continue;
        permit(&t.access, two_src(&two_outer, outer), NULL, 0);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_ACCESS_DENIED);
        permit(&t.access, two_src(&two_inner, 6), NULL, 0);
        permit(&t.tunnels, two_src(&two_inner, 6), NULL, 0);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_UNLISTED_TUNNEL);
        permit(&t.tunnels, two_src(&two_outer, 6), NULL, 0);
        to_group(src_of(&x, 1), 6);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_BAD_SOURCE);
        x = good;
        to_group(dst_of(&x, 1), 6);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_BAD_DESTINATION);
        x = good;
        to_group(dst_of(&x, 0), outer);
        CHECK_EQ(met(&t, &d, &x), last);
        x = good;
        to_group(src_of(&x, 0), outer);
        CHECK_EQ(met(&t, &d, &x), outer == 6 ? ROCECC_CONGESTION_BAD_SOURCE
                                             : ROCECC_CONGESTION_UNLISTED_TUNNEL);
    }
}

/* The last segment of the inner packet decides whether it goes to a group. */
TEST(two_headers_a_switch_checks_the_last_inner_segment)
{
    const rocecc_domain d = domain();
    int k, left;
    for (k = 0; k < 2; k++) {
        for (left = 0; left < 2; left++) {
            two_frame x = routed(left);
            congested t;
            test_context("%d, %d", k, left);
            congested_start(&t, &d);
            to_group(x.b + x.ip[k] + 48, 6); /* the last segment */
            CHECK_EQ(met(&t, &d, &x), k == 1 && left == 1
                                          ? ROCECC_CONGESTION_BAD_DESTINATION
                                          : ROCECC_CONGESTION_SENT);
        }
    }
}

/* Without a tunnel, a Fast CNP goes straight to the source. */
TEST(two_headers_a_packet_without_a_tunnel_is_answered_directly)
{
    const rocecc_domain d = domain();
    const two_frame x = alone(6, two_data);
    congested t;
    congested_start(&t, &d);
    t.e.tunnels = NULL;
    CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_SENT);
    CHECK_EQ(t.w.at, 40 + 24 + 40);
    CHECK(memcmp(t.b + 24, two_src(&two_inner, 6)->b, 16) == 0);
}

/* The policy for the way back must begin with the outer source. */
TEST(two_headers_the_return_policy_begins_with_the_outer_source)
{
    const rocecc_domain d = domain();
    const two_frame x = two_tunnel(6, 6, two_data);
    rocecc_congestion_policy policies[2] = ROCECC_ZERO;
    congested t;
    int i;
    congested_start(&t, &d);
    permit(&t.tunnels, two_src(&two_outer, 6), NULL, 1);
    for (i = 0; i < 2; i++) {
        policies[i].n = 2;
        policies[i].segment[1] = own;
    }
    policies[0].segment[0] = *two_src(&two_outer, 6);
    policies[1].segment[0] = *two_src(&two_inner, 6);
    t.e.policies = policies;
    t.e.n_policies = 2;
    CHECK_EQ(met(&t, &d, &x),
             ROCECC_CONGESTION_SENT); /* the policy is another END.CON's */
    CHECK_EQ(t.w.at, 40 + 40 + 24 + 40);
    policies[1].segment[0] = *two_src(&two_outer, 6);
    CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_SENT);
    CHECK_EQ(t.w.at, 40 + 40 + 40 + 24 + 40);
    CHECK(memcmp(t.b + 24, own.b, 16) == 0);
    CHECK(memcmp(t.b + 48, two_src(&two_outer, 6)->b, 16) == 0);
}

/* A packet in a tunnel gets neither a standard CNP nor a private CNM. A VXLAN
 * packet is a flow of its own, and its private CNM describes the outer headers. */
TEST(two_headers_a_tunnel_gets_no_other_notifications)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const size_t n = outer == 4 ? 4 : 16, ip = outer == 4 ? 20 : 40;
        two_frame x = two_tunnel(outer, inner, two_data);
        const uint8_t *h;
        congested t;
        test_context("IPv%d in IPv%d", inner, outer);
        congested_start(&t, &d);
        t.c.fastcnp_enabled = false;
        t.c.standard_cnp = true;
        t.e.has_qpn = true;
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_UNLISTED_TUNNEL);
        permit(&t.access, two_src(&two_outer, outer), NULL, 0);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_ACCESS_DENIED);
        t.e.priority = 7;
        t.e.qcn.cnm = true;
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_ACCESS_DENIED);
        permit(&t.access, two_src(&two_inner, inner), NULL, 0);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_UNLISTED_TUNNEL);
        x = two_vxlan(outer, inner, two_data);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_ACCESS_DENIED);
        permit(&t.access, two_src(&two_outer, outer), NULL, 0);
        CHECK_EQ(met(&t, &d, &x), ROCECC_CONGESTION_SENT);
        CHECK(memcmp(t.b + (outer == 4 ? 16 : 24), src_of(&x, 0), n) == 0);
        h = t.b + ip + 8; /* the flow, then the CNM */
        CHECK(memcmp(h + 8, "\xaa\xaa\x12\xb5", 4) == 0);
        CHECK(memcmp(h + 12, src_of(&x, 0), n) == 0);
        CHECK(memcmp(h + 12 + n, dst_of(&x, 0), n) == 0);
        h += 12 + 2 * n;
        CHECK(memcmp(h + 16, two_outer.mac_dst.b, 6) == 0);
        CHECK(h[23] == 8 && memcmp(h + 24, x.b + x.ip[0] - 2, 8) == 0);
    }
}

/* The sender's gate. */

static uint8_t came(const rocecc_reaction_config *c, const rocecc_domain *d,
                    const two_frame *x, const list *access, rocecc_reaction_result *out)
{
    const rocecc_packet p = two_walked(d, x);
    rocecc_reaction_point s = rocecc_reaction_point_start(c, 0);
    rocecc_reaction_event e = ROCECC_ZERO;
    e.admission.list = &access->acl;
    rocecc_reaction_point_step(c, &s, &p, &e, out);
    return out->verdict;
}

TEST(two_headers_a_sender_reads_the_inner_cnp)
{
    const rocecc_domain d = domain();
    int i, k;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const two_frame good = two_tunnel(outer, inner, two_cnp);
        two_frame x = good;
        rocecc_reaction_config c = ROCECC_ZERO;
        rocecc_reaction_result out;
        list inside, around;
        test_context("IPv%d in IPv%d", inner, outer);
        permit(&inside, two_src(&two_inner, inner), NULL, 11);
        permit(&around, two_src(&two_outer, outer), NULL, 12);
        c.ordinary_listed = c.admission.unlimited = true;
        c.check_icrc = true;
        CHECK_EQ(rocecc_reaction_point_init(&c, &d, &inside.acl),
                 ROCECC_REACTION_ACCEPTED);
        CHECK_EQ(came(&c, &d, &x, &inside, &out), ROCECC_REACTION_UNEXPECTED_TUNNEL);
        c.tunnels = true;
        CHECK_EQ(came(&c, &d, &x, &inside, &out), ROCECC_REACTION_ORDINARY);
        CHECK(is(&out.cnp.src, two_src(&two_inner, inner)) && out.tag == 11);
        CHECK_EQ(came(&c, &d, &x, &around, &out), ROCECC_REACTION_ACCESS_DENIED);
        x = alone(inner, two_cnp);
        c.tunnels = false;
        CHECK_EQ(came(&c, &d, &x, &inside, &out), ROCECC_REACTION_ORDINARY);
        c.tunnels = true;
        for (k = 0; k < 2; k++) { /* both must be for this host */
            x = good;
            to_group(dst_of(&x, k), two_pairs[i][k]);
            CHECK_EQ(came(&c, &d, &x, &inside, &out), ROCECC_REACTION_BAD_ARRIVAL);
        }
    }
}

/* Each header is checked for segments left and for too many bytes of extension
 * headers. */
TEST(two_headers_a_sender_checks_both_headers)
{
    static const char fine[] = "04 2700 0100 0000 20010db8001100000000000000000011";
    const rocecc_domain d = domain();
    int k, what;
    for (k = 0; k < 2; k++) {
        for (what = 0; what < 3; what++) {
            static const uint8_t verdicts[] = {ROCECC_REACTION_ORDINARY,
                                               ROCECC_REACTION_BAD_ARRIVAL,
                                               ROCECC_REACTION_UNSUPPORTED};
            rocecc_reaction_config c = ROCECC_ZERO;
            rocecc_reaction_result out;
            two_frame x;
            list nobody;
            int i;
            memset(&x, 0, sizeof x);
            permit(&nobody, &own, NULL, 0);
            test_context("header %d, %d", k, what);
            c.tunnels = true;
            two_ether(&x, &two_outer);
            two_type(&x, 6);
            for (i = 0; i < 2; i++) {
                const char *next = i == 0 ? "29" : "11";
                const size_t n = i == k && what == 2 ? 656 : 24;
                const size_t start = x.n + 40;
                two_ip(&x, i == 0 ? &two_outer : &two_inner, 6, 43);
                two_hex(&x, next);
                two_hex(&x, fine);
                while (x.n < start + n)
                    two_hex(&x, "00");
                x.n = start + n;
                memcpy(x.b + start + 1, "\x02\x04\x00\x00\x00\x00\x00", 7);
                x.b[start + 1] = (uint8_t)(n / 8 - 1);
                x.b[start + 3] = i == k && what == 1;
            }
            two_cnp(&x, 6);
            two_end(&x);
            CHECK_EQ(came(&c, &d, &x, &nobody, &out), verdicts[what]);
        }
    }
}

/* Returns a Fast CNP in a tunnel. */
static two_frame fast(void)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, 6);
    two_ip(&x, &two_outer, 6, 41);
    two_ip(&x, &two_inner, 6, 60);
    two_hex(&x, "1102 9e10 20010db8001100000000000000000011 01020000");
    two_cnp(&x, 6);
    two_end(&x);
    return x;
}

TEST(two_headers_a_fast_cnp_is_from_the_inner_source)
{
    const rocecc_domain d = domain();
    const two_frame x = fast();
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_reaction_result out;
    list inside, around;
    permit(&inside, two_src(&two_inner, 6), NULL, 11);
    permit(&around, two_src(&two_outer, 6), NULL, 12);
    c.fastcnp_enabled = c.tunnels = c.admission.unlimited = true;
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &inside.acl), ROCECC_REACTION_ACCEPTED);
    CHECK_EQ(came(&c, &d, &x, &inside, &out), ROCECC_REACTION_FAST_PLAIN);
    CHECK(is(&out.cnp.src, two_src(&two_inner, 6)) && out.tag == 11);
    CHECK_EQ(out.key.remote.b[5], 0x11);
    CHECK_EQ(out.key.remote_qp, 0x456);
    CHECK_EQ(came(&c, &d, &x, &around, &out), ROCECC_REACTION_ACCESS_DENIED);
}

/*
 * Each header needs 255 hops. The inner source asks, and the UDP checksums 0x5e99 and
 * 0x1711 cover the inner addresses.
 */

static void arn(two_frame *x, int inner)
{
    two_udp(x, &two_inner, 51967);
    x->n -= 2;
    two_hex(x, inner == 4 ? "5e99 01100000" : "1711 01100000");
}

static uint8_t asked(const rocecc_arn_gate_config *c, const rocecc_domain *d,
                     const two_frame *x, const list *access,
                     rocecc_arn_gate_result *out)
{
    const rocecc_packet p = two_walked(d, x);
    rocecc_arn_gate s = rocecc_arn_gate_start(c, 0);
    rocecc_admission_event e = ROCECC_ZERO;
    e.list = &access->acl;
    rocecc_arn_gate_step(c, &s, &p, &e, out);
    return out->verdict;
}

TEST(two_headers_an_arn_is_from_the_inner_neighbour)
{
    const rocecc_domain d = domain();
    int i, k;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        rocecc_arn_gate_config c = ROCECC_ZERO;
        rocecc_arn_gate_result out;
        two_frame good = two_tunnel(outer, inner, arn), x;
        list inside, around;
        test_context("IPv%d in IPv%d", inner, outer);
        permit(&inside, two_src(&two_inner, inner), NULL, 11);
        permit(&around, two_src(&two_outer, outer), NULL, 12);
        set_hops(&good, 0, 255);
        set_hops(&good, 1, 255);
        c.admission.unlimited = true;
        CHECK_EQ(rocecc_arn_gate_init(&c, &d, &inside.acl), ROCECC_ARN_GATE_ACCEPTED);
        CHECK_EQ(asked(&c, &d, &good, &inside, &out),
                 ROCECC_ARN_GATE_UNEXPECTED_TUNNEL);
        c.tunnels = true;
        CHECK_EQ(asked(&c, &d, &good, &inside, &out), ROCECC_ARN_GATE_TAKEN);
        CHECK(is(&out.src, two_src(&two_inner, inner)) && out.tag == 11);
        CHECK_EQ(asked(&c, &d, &good, &around, &out), ROCECC_ARN_GATE_ACCESS_DENIED);
        for (k = 0; k < 2; k++) {
            x = good;
            set_hops(&x, k, 254);
            CHECK_EQ(asked(&c, &d, &x, &inside, &out), ROCECC_ARN_GATE_TOO_FEW_HOPS);
            x = good;
            to_group(dst_of(&x, k), two_pairs[i][k]);
            CHECK_EQ(asked(&c, &d, &x, &inside, &out), ROCECC_ARN_GATE_BAD_ARRIVAL);
            x = good;
            to_group(src_of(&x, k), two_pairs[i][k]);
            CHECK_EQ(asked(&c, &d, &x, &inside, &out), ROCECC_ARN_GATE_BAD_ARRIVAL);
        }
        x = good;
        x.b[x.udp[0] + 5] = 7; /* UDP Length */
        CHECK_EQ(asked(&c, &d, &x, &inside, &out), ROCECC_ARN_GATE_MALFORMED);
        x = good;
        x.b[x.udp[0] + 6] = x.b[x.udp[0] + 7] = 0; /* IPv6 needs a checksum */
        c.no_checksum = true;
        CHECK_EQ(asked(&c, &d, &x, &inside, &out),
                 inner == 4 ? ROCECC_ARN_GATE_TAKEN : ROCECC_ARN_GATE_BAD_CHECKSUM);
        x = alone(inner, arn);
        set_hops(&x, 0, 255);
        c.tunnels = false;
        CHECK_EQ(asked(&c, &d, &x, &inside, &out), ROCECC_ARN_GATE_TAKEN);
    }
}

/* The provider edge. */

/* The forwarded ECN by inner and outer codepoint (RFC 6040, Figure 4). 4 means that
 * the packet is dropped. */
static const uint8_t figure4[4][4] = {
    {0, 0, 0, 4}, {1, 1, 1, 3}, {2, 1, 2, 3}, {3, 3, 3, 3}};

TEST(two_headers_an_egress_merges_ecn_into_the_inner_header)
{
    const rocecc_domain d = domain();
    int inner;
    unsigned in, out;
    for (inner = 4; inner <= 6; inner += 2) {
        for (in = 0; in < 4; in++) {
            for (out = 0; out < 4; out++) {
                const unsigned ecn = figure4[in][out];
                two_frame x = two_tunnel(6, inner, two_data), want;
                rocecc_srv6_pe_result pe;
                rocecc_packet p;
                test_context("IPv%d, %u in %u", inner, in, out);
                set_ecn(&x, 0, out);
                set_ecn(&x, 1, in);
                want = x;
                if (ecn < 4) set_ecn(&want, 1, ecn);
                if (ecn < 4) set_hops(&want, 1, 54);
                p = two_walked(&d, &x);
                rocecc_srv6_pe_egress(two_dst(&two_outer, 6), &p,
                                      rocecc_writer_of(x.b, x.b + x.n), &pe);
                CHECK_EQ(pe.verdict, ecn < 4 ? ROCECC_SRV6_PE_FORWARD
                                             : ROCECC_SRV6_PE_ECN_CONFLICT);
                two_changed(want.b, x.b, x.n, nothing);
            }
        }
    }
}

/* The inner hop limit is decremented, and the SID is the outer destination. */
TEST(two_headers_an_egress_decrements_the_inner_hop_limit)
{
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 3; k++) {
        two_frame x = two_tunnel(6, 4, two_data), before;
        rocecc_srv6_pe_result pe;
        rocecc_packet p;
        test_context("%d", k);
        if (k < 2) set_hops(&x, k, 1);
        before = x;
        p = two_walked(&d, &x);
        rocecc_srv6_pe_egress(two_dst(k == 2 ? &two_inner : &two_outer, 6), &p,
                              rocecc_writer_of(x.b, x.b + x.n), &pe);
        CHECK_EQ(pe.verdict, k == 0   ? ROCECC_SRV6_PE_FORWARD
                             : k == 1 ? ROCECC_SRV6_PE_NO_HOPS_LEFT
                                      : ROCECC_SRV6_PE_OTHER);
        if (k != 0) two_changed(before.b, x.b, x.n, nothing);
    }
}

/* END.CON needs a listed inner source and a listed outer source. */
TEST(two_headers_end_con_checks_both_sources)
{
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 5; k++) {
        static const uint8_t verdicts[] = {
            ROCECC_SRV6_PE_FORWARD, ROCECC_SRV6_PE_BAD_SOURCE,
            ROCECC_SRV6_PE_ACCESS_DENIED, ROCECC_SRV6_PE_BAD_ARRIVAL,
            ROCECC_SRV6_PE_FORWARD};
        const rocecc_ip6 *outer = two_src(&two_outer, 6),
                         *inner = two_src(&two_inner, 6);
        rocecc_srv6_pe_config c = ROCECC_ZERO;
        two_frame x = fast(), want;
        rocecc_srv6_pe_result pe;
        rocecc_packet p;
        list access;
        test_context("%d", k);
        permit(&access, k == 1 ? inner : outer, k == 1 || k == 2 ? NULL : inner, 0);
        c.end_con = *two_dst(&two_outer, 6);
        set_ecn(&x, 0, 0);
        set_ecn(&x, 1, 0);
        if (k == 3) to_group(dst_of(&x, 1), 6);
        if (k == 4) src_of(&x, 0)[15] ^= 1; /* another outer source */
        if (k == 4) permit(&access, inner, NULL, 0);
        if (k == 4) c.open = true; /* the list is not used */
        want = x;
        if (k == 0 || k == 4) set_hops(&want, 1, 54);
        p = two_walked(&d, &x);
        rocecc_srv6_pe_end_con(&c, &access.acl, &p, rocecc_writer_of(x.b, x.b + x.n),
                               &pe);
        CHECK_EQ(pe.verdict, verdicts[k]);
        two_changed(want.b, x.b, x.n, nothing);
    }
}

/* END.CON does not take a CNP without an option, over either version. */
TEST(two_headers_end_con_rejects_an_ordinary_cnp)
{
    const rocecc_domain d = domain();
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    list access;
    int inner;
    permit(&access, two_src(&two_outer, 6), two_src(&two_inner, 4), 0);
    c.end_con = *two_dst(&two_outer, 6);
    for (inner = 4; inner <= 6; inner += 2) {
        two_frame x = two_tunnel(6, inner, two_cnp);
        rocecc_srv6_pe_result pe;
        rocecc_packet p;
        test_context("IPv%d", inner);
        set_ecn(&x, 0, 2);
        p = two_walked(&d, &x);
        rocecc_srv6_pe_end_con(&c, &access.acl, &p, rocecc_writer_of(x.b, x.b + x.n),
                               &pe);
        CHECK_EQ(pe.verdict, ROCECC_SRV6_PE_NOT_CNP);
    }
}

TEST(two_headers_a_segment_endpoint_changes_the_outer_header)
{
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 2; k++) {
        two_frame x = routed(k), want = x;
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_srv6_pe_result pe;
        test_context("%d", k);
        CHECK_EQ(p.headers.status, ROCECC_OK);
        if (k == 0) { /* destination, Segments Left, hop limit */
            memcpy(dst_of(&want, 0), "\x20\x01\x0d\xb8\x00\x11\0\0\0\0\0\0\0\0\0\x11",
                   16);
            want.b[want.ip[0] + 43] = 0;
            set_hops(&want, 0, 200);
        }
        rocecc_srv6_pe_end(two_dst(&two_outer, 6), &p, rocecc_writer_of(x.b, x.b + x.n),
                           &pe);
        CHECK_EQ(pe.verdict,
                 k == 0 ? ROCECC_SRV6_PE_FORWARD : ROCECC_SRV6_PE_UNEXPECTED_UPPER);
        two_changed(want.b, x.b, x.n, nothing);
        if (k == 0) continue;
        CHECK_EQ(pe.icmp.code, ROCECC_ICMP6_PROBLEM_UPPER);
        CHECK_EQ(pe.icmp.value, 80);
        CHECK_EQ(pe.icmp.offset, x.ip[0]);
    }
}

/* The pointer of a Parameter Problem counts from the outer header. */
TEST(two_headers_a_parameter_problem_points_into_the_outer_header)
{
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 2; k++) {
        two_frame x = routed(k);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_srv6_pe_result pe;
        test_context("%d", k);
        rocecc_srv6_pe_egress(two_dst(&two_outer, 6), &p,
                              rocecc_writer_of(x.b, x.b + x.n), &pe);
        CHECK_EQ(pe.verdict, k == 0 ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        if (k == 0) CHECK_EQ(pe.why, ROCECC_SRV6_SEGMENTS_LEFT);
        CHECK_EQ(pe.icmp.type, k == 0 ? 4 : 0);
        if (k == 0) CHECK(pe.icmp.value == 43 && pe.icmp.offset == x.ip[0]);
    }
}

/* The ingress copies ECN, and on request DSCP, from the inner header. */
TEST(two_headers_an_ingress_copies_ecn_and_dscp)
{
    int inner, copy;
    for (inner = 4; inner <= 6; inner += 2) {
        for (copy = 0; copy < 2; copy++) {
            two_frame x = two_tunnel(6, inner, two_data);
            const size_t n = x.n - x.ip[1];
            const rocecc_reader packet =
                rocecc_subrange(rocecc_reader_of(x.b, x.b + x.n), x.ip[1], x.n);
            const rocecc_srv6_pe_path way = {rocecc_reader_of(own.b, own.b + 16),
                                             0xa1b2c, 1500};
            rocecc_srv6_pe_config c = ROCECC_ZERO;
            rocecc_srv6_pe_ingress_result out;
            uint8_t b[256];
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            test_context("IPv%d, %d", inner, copy);
            c.end_con = *two_src(&two_outer, 6);
            c.reduced = true;
            c.copy_dscp = copy != 0;
            c.dscp = 10;
            rocecc_srv6_pe_encapsulate(&c, packet, &way, &w, &out);
            CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
            CHECK_EQ(w.at, 40 + n);
            /* DSCP 10 or 26, and ECT(0) */
            CHECK_EQ(b[0] << 8 | b[1], copy != 0 ? 0x66aa : 0x62aa);
            CHECK_EQ(b[2] << 8 | b[3], 0x1b2c);
            CHECK_EQ(b[4] << 8 | b[5], n);
            CHECK(b[6] == (inner == 4 ? 4 : 41) && b[7] == 64);
            CHECK(memcmp(b + 8, two_src(&two_outer, 6)->b, 16) == 0);
            CHECK(memcmp(b + 24, own.b, 16) == 0);
            set_hops(&x, 1, 54);
            two_changed(x.b + x.ip[1], b + 40, n, nothing);
        }
    }
}

/* Service mode uses the outer flow, and flow mode the inner flow. The class comes
 * from the outer DSCP or the outermost VLAN tag. */
TEST(two_headers_traffic_has_two_flows_and_an_outer_class)
{
    rocecc_domain d = domain();
    int i, trust;
    for (i = 0; i < 8; i++) {
        const int outer = two_pairs[i & 3][0], inner = two_pairs[i & 3][1];
        const bool vxlan = i >= 4;
        for (trust = 0; trust < 2; trust++) {
            const two_frame x = vxlan ? two_vxlan(outer, inner, two_data)
                                      : two_tunnel(outer, inner, two_data);
            const rocecc_packet p = two_walked(&d, &x);
            rocecc_flow_control_config c = ROCECC_ZERO;
            rocecc_pause_traffic t = ROCECC_ZERO;
            test_context("pair %d, %d", i, trust);
            c.trust_dscp = trust != 0;
            c.class_of[10] = 3;
            c.class_of[26] = 6;
            d.arn.priority = ROCECC_ARN_PRIORITY_DSCP;
            CHECK_EQ(rocecc_flow_control_traffic(&c, &p, 1, 2, &t), ROCECC_OK);
            CHECK(is(&t.outer.src, two_src(&two_outer, outer)));
            CHECK(is(&t.outer.dst, two_dst(&two_outer, outer)));
            CHECK_EQ(t.outer.proto, vxlan ? 17 : inner == 4 ? 4 : 41);
            CHECK_EQ(t.outer.dst_port, vxlan ? 4789 : 0);
            CHECK(is(&t.inner.src,
                     vxlan ? two_src(&two_outer, outer) : two_src(&two_inner, inner)));
            CHECK_EQ(t.inner.src_port, vxlan ? 0xaaaa : 0xc123);
            CHECK_EQ(t.priority, 10);
            CHECK_EQ(t.pfc_class, trust != 0 ? 3 : 5);
            d.arn.priority = ROCECC_ARN_PRIORITY_8021P;
            rocecc_flow_control_priority(&c, &p, &t);
            CHECK_EQ(t.priority, trust != 0 ? 3 : 5);
            if (vxlan) {
                const rocecc_packet in = two_inside(&d, &x);
                rocecc_flow_control_priority(&c, &in, &t);
                CHECK_EQ(t.pfc_class, trust != 0 ? 6 : 2);
            }
        }
    }
}

/* The outer DSCP counts even if the inner header is broken. */
TEST(two_headers_traffic_has_a_class_without_an_inner_header)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        two_frame x = two_tunnel(two_pairs[i][0], two_pairs[i][1], two_data);
        rocecc_flow_control_config c = ROCECC_ZERO;
        rocecc_pause_traffic t = ROCECC_ZERO;
        rocecc_packet p;
        test_context("pair %d", i);
        c.trust_dscp = true;
        c.class_of[10] = 3;
        x.b[x.ip[1]] = 0x75; /* version 7 */
        p = two_walked(&d, &x);
        CHECK_EQ(p.headers.ip.version, 0);
        rocecc_flow_control_priority(&c, &p, &t);
        CHECK_EQ(t.pfc_class, 3);
        CHECK_EQ(rocecc_flow_control_traffic(&c, &p, 1, 2, &t), ROCECC_OK);
        CHECK(is(&t.inner.dst, two_dst(&two_outer, two_pairs[i][0])));
    }
}

/* CNPs and ARNs in a tunnel are control traffic. */
TEST(two_headers_cnps_and_arns_in_a_tunnel_are_control_traffic)
{
    const rocecc_domain d = domain();
    const rocecc_flow_control_config c = ROCECC_ZERO;
    int i;
    for (i = 0; i < 4; i++) {
        const two_upper upper[3] = {two_data, two_cnp, arn};
        int k;
        for (k = 0; k < 3; k++) {
            const two_frame x = two_tunnel(two_pairs[i][0], two_pairs[i][1], upper[k]);
            const rocecc_packet p = two_walked(&d, &x);
            rocecc_pause_traffic t = ROCECC_ZERO;
            test_context("pair %d, %d", i, k);
            CHECK_EQ(rocecc_flow_control_traffic(&c, &p, 1, 2, &t), ROCECC_OK);
            CHECK_EQ(t.control, k != 0);
        }
    }
}

/* A switch does not learn from a tunnel, but it finds the QP of a packet in a
 * tunnel. */
static void cm(two_frame *x, int inner)
{
    (void)inner;
    two_udp(x, &two_inner, 4791);
    two_hex(x, "6400 ffff 00000001 00000000 80010000 00000001");
    two_hex(x, "01070203 00000000 0000000000000001 0010 0000 00000000 000000aa");
    x->n += 256 - 28;
    two_hex(x, "00000000");
}

TEST(two_headers_a_switch_looks_up_the_inner_qp)
{
    const rocecc_domain d = domain();
    static rocecc_qpnlearner_slot half[8], known[8];
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const two_frame x = two_tunnel(outer, inner, cm);
        const two_frame y = two_tunnel(outer, inner, two_data);
        const two_frame z = alone(inner, cm);
        const rocecc_packet p = two_walked(&d, &x), q = two_walked(&d, &y);
        const rocecc_packet bare = two_walked(&d, &z);
        rocecc_qpnlearner_params c = ROCECC_ZERO;
        rocecc_qpnlearner_message m = ROCECC_ZERO;
        rocecc_qpn s = ROCECC_ZERO;
        rocecc_qpn_event e = ROCECC_ZERO;
        rocecc_cm h = ROCECC_ZERO;
        list access;
        uint32_t qpn = 0;
        test_context("IPv%d in IPv%d", inner, outer);
        permit(&access, two_src(&two_inner, inner), two_dst(&two_inner, inner), 0);
        c.secret[0] = 1;
        c.half = c.known = 8;
        c.half_ns = c.known_ns = 1000000;
        CHECK_EQ(rocecc_qpnlearner_init(&c), ROCECC_QPNLEARNER_ACCEPTED);
        rocecc_qpnlearner_start(half, 8);
        rocecc_qpnlearner_start(known, 8);
        e.access = &access.acl;
        e.half = half;
        e.known = known;
        CHECK_EQ(rocecc_cm_find(&p, &h), ROCECC_OK);
        CHECK_EQ(rocecc_qpn_learn(&c, &s, &p, &e), ROCECC_QPN_UNEXPECTED_TUNNEL);
        CHECK_EQ(rocecc_qpn_learn(&c, &s, &bare, &e), ROCECC_QPN_LEARNED);
        m.src = *two_src(&two_inner, inner);
        m.dst = *two_dst(&two_inner, inner);
        m.kind = ROCECC_QPNLEARNER_REQ;
        m.src_id = 1;
        m.qpn = 0x12;
        (void)rocecc_qpnlearner_learn(&c, half, known, &m, 1);
        m.dst = m.src;
        m.src = *two_dst(&two_inner, inner);
        m.kind = ROCECC_QPNLEARNER_REP;
        m.src_id = 2;
        m.dst_id = 1;
        m.qpn = 0x456;
        (void)rocecc_qpnlearner_learn(&c, half, known, &m, 2);
        m.src = m.dst;
        m.dst = *two_dst(&two_inner, inner);
        m.kind = ROCECC_QPNLEARNER_RTU;
        m.src_id = 1;
        m.dst_id = 2;
        (void)rocecc_qpnlearner_learn(&c, half, known, &m, 3);
        e.now_ns = 4;
        CHECK(rocecc_qpn_lookup(&c, &q, &e, &qpn));
        CHECK_EQ(qpn, 0x12);
    }
}

/* A ToR learns the inner flow and the outer MAC addresses. It does not convert a
 * private CNM in a tunnel. */
static void cnm(two_frame *x, int inner)
{
    (void)inner;
    two_udp(x, &two_inner, 51966);
    two_hex(x, "4c511411 002c1400 c12412b7 0a020004 0a010003"
               "001a 0011223344556677 0000 0000 0000 000000000000 0000");
}

TEST(two_headers_a_tor_learns_the_inner_flow)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 8; i++) {
        const int outer = two_pairs[i & 3][0], inner = two_pairs[i & 3][1];
        const bool vxlan = i >= 4;
        const two_frame x = vxlan ? two_vxlan(outer, inner, two_data)
                                  : two_tunnel(outer, inner, two_data);
        two_frame y = vxlan ? two_vxlan(outer, 4, cnm) : two_tunnel(outer, 4, cnm);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_packet q = two_walked(&d, &y);
        static rocecc_flowtable_bucket bucket[16];
        static rocecc_flowtable_slot slot[16 * ROCECC_FLOWTABLE_WAYS];
        rocecc_l3qcn_tor_config c = rocecc_l3qcn_tor_default();
        rocecc_l3qcn_tor_event e = ROCECC_ZERO;
        rocecc_l3qcn_tor s;
        rocecc_l3qcn_tor_convert_result out;
        rocecc_flow flow = ROCECC_ZERO;
        rocecc_flowtable_lookup_result m;
        test_context("pair %d", i);
        c.table.secret[0] = 1;
        c.table.buckets = 16;
        c.mac = two_inner.mac_dst;
        c.unlimited = c.learn_untagged = true;
        CHECK_EQ(rocecc_l3qcn_tor_init(&c, &d, NULL), ROCECC_L3QCN_TOR_ACCEPTED);
        e.memory.bucket = bucket;
        e.memory.slot = slot;
        e.port = 3;
        e.writer = rocecc_writer_of(y.b, y.b + y.n);
        s = rocecc_l3qcn_tor_start(&c, &e.memory);
        CHECK_EQ(rocecc_l3qcn_tor_learn(&c, &s, &p, &e).what, ROCECC_L3QCN_TOR_LEARNED);
        flow.src = *(vxlan ? two_src(&two_outer, outer) : two_src(&two_inner, inner));
        flow.dst = *(vxlan ? two_dst(&two_outer, outer) : two_dst(&two_inner, inner));
        flow.src_port = vxlan ? 0xaaaa : 0xc123;
        flow.dst_port = vxlan ? 4789 : 4791;
        flow.proto = 17;
        m = rocecc_flowtable_lookup(&c.table, &e.memory, &flow, 0, 0);
        CHECK_EQ(m.what, ROCECC_FLOWTABLE_FOUND);
        CHECK(memcmp(m.origin.mac_sa.b, two_outer.mac_src.b, 6) == 0);
        CHECK(memcmp(m.origin.gw_mac.b, two_outer.mac_dst.b, 6) == 0);
        CHECK_EQ(m.origin.n_tags, 2);
        CHECK_EQ(m.origin.tag[0].vid, 0x111);
        CHECK_EQ(m.origin.tag[1].vid, 0x222);
        CHECK_EQ(m.origin.prio, 5);
        rocecc_l3qcn_tor_convert(&c, &s, &q, &e, &out);
        CHECK_EQ(out.verdict,
                 vxlan ? ROCECC_L3QCN_TOR_OTHER : ROCECC_L3QCN_TOR_WRAPPED);
        if (vxlan) continue;
        y.b[y.udp[0] + 5] = 7; /* a wrong UDP Length */
        q = two_walked(&d, &y);
        rocecc_l3qcn_tor_convert(&c, &s, &q, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_L3QCN_TOR_WRAPPED);
        y = alone(4, cnm);
        q = two_walked(&d, &y);
        rocecc_l3qcn_tor_convert(&c, &s, &q, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_L3QCN_TOR_BAD_CHECKSUM); /* without a checksum */
        (void)rocecc_packet_parse_as(
            &d, rocecc_subrange(rocecc_reader_of(x.b, x.b + x.n), x.ip[0], x.n),
            outer == 4 ? 0x0800 : 0x86dd, &q);
        CHECK_EQ(rocecc_l3qcn_tor_learn(&c, &s, &q, &e).what, ROCECC_L3QCN_TOR_NO_FLOW);
    }
}

/* The echo copies the outer trace. */
TEST(two_headers_an_echo_copies_the_outer_trace)
{
    static const uint8_t echo[] = {0x10, 0, 0,    4, 0x31, 0x0e, 0,    0, 0, 0x7b,
                                   8,    0, 0x80, 0, 0,    0,    0xc9, 0, 0, 0x0a};
    const rocecc_domain d = domain();
    uint8_t b[64];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, 6);
    two_ip(&x, &two_outer, 6, 0);
    two_hex(&x, "2902 0100 310e 0000 007b0800 80000000 c900000a 01020000");
    two_ip(&x, &two_inner, 6, 0);
    two_hex(&x, "1102 0100 310e 0000 007b0800 80000000 3700000b 01020000");
    two_data(&x, 6);
    two_end(&x);
    p = two_walked(&d, &x);
    CHECK_EQ(rocecc_echo_receiver_step(&p, &w), ROCECC_ECHO_RECEIVER_WRITTEN);
    CHECK_EQ(w.at, sizeof echo);
    CHECK(memcmp(b, echo, sizeof echo) == 0);
}
