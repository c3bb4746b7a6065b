/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/srv6_pe.h"
#include "law/srv6.h"
#include "lib/noun.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/trace.h"

#include <string.h>

#define SRV6_ROWS "vectors/srv6.vec" /* E9, E10, E11 and more */

static const rocecc_ip6 con = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}};
static const rocecc_ip6 r2 = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0xf2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}};
static const rocecc_ip6 last = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0d, 0x46}};

/* What each test may change, until the next one. */
static rocecc_domain domain;

static rocecc_srv6_pe_config config_of(void)
{
    rocecc_srv6_pe_config c;
    memset(&c, 0, sizeof c);
    c.end_con = con;
    c.mode = ROCECC_ECNTUNNEL_NORMAL;
    memset(&domain, 0, sizeof domain);
    domain.ifa.protocol = TELL_PROTOCOL;
    domain.ifa.layout_a = 1;
    domain.intmd.udp_port = TELL_PORT;
    domain.fastcnp = law_fastcnp_config(0);
    CHECK_EQ(rocecc_srv6_pe_init(&c, &domain), ROCECC_SRV6_PE_ACCEPTED);
    return c;
}

/* Switches are 2001:db8:ffff::/48. */
static rocecc_acl access_of(rocecc_acl_entry *e, uint32_t n)
{
    static const rocecc_acl_entry switches = {
        {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}}, 48, 1, 0, 0};
    rocecc_acl acl = {NULL, 0, 0};
    uint32_t at;
    *e = switches;
    CHECK_EQ(rocecc_acl_init(&acl, e, n, &at), ROCECC_ACL_ACCEPTED);
    return acl;
}

/* In place; sid is NULL for END.CON. What is not forwarded has not changed. */
static rocecc_srv6_pe arrive(vec_packet *w, const rocecc_ip6 *sid,
                             const rocecc_srv6_pe_config *c, uint32_t listed)
{
    uint8_t *at = guard_end(w->bytes, w->n);
    const rocecc_reader r = rocecc_reader_of(at, at + w->n);
    rocecc_acl_entry e;
    const rocecc_acl access = access_of(&e, listed);
    rocecc_srv6_pe out;
    rocecc_packet p;
    memset(&out, 0xa5, sizeof out);
    (void)rocecc_packet_of(&domain, r, &p);
    if (sid != NULL)
        rocecc_srv6_pe_egress(sid, &p, rocecc_writer_of(at, at + w->n), &out);
    else
        rocecc_srv6_pe_end_con(c, &access, &p, rocecc_writer_of(at, at + w->n), &out);
    if (out.verdict != ROCECC_SRV6_PE_FORWARD && out.verdict != ROCECC_SRV6_PE_ECN &&
        out.verdict != ROCECC_SRV6_PE_HOPS)
        CHECK_EQ(out.alarm, ROCECC_ECNTUNNEL_NO_ALARM);
    if (out.why != ROCECC_SRV6_DECAPSULATE) /* no tunnel, and no view of one */
        CHECK_RECORD(ROCECC_SRV6_FIELDS, rocecc_srv6, &out.tunnel, "");
    CHECK((memcmp(w->bytes, at, w->n) != 0) == (out.verdict == ROCECC_SRV6_PE_FORWARD));
    memcpy(w->bytes, at, w->n);
    return out;
}

static unsigned end_con(vec_packet w)
{
    const rocecc_srv6_pe_config c = config_of();
    return arrive(&w, NULL, &c, 1).verdict;
}

static unsigned why(vec_packet w)
{
    const rocecc_srv6_pe_config c = config_of();
    const rocecc_srv6_pe out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
    return out.why;
}

/* E9's packet as the sender gave it, a hop before the PE. */
static size_t before_e9(uint8_t *packet)
{
    const vec_packet e9 = vec_find(SRV6_ROWS, "e9");
    memcpy(packet, e9.bytes + 0x5e, e9.n - 0x5e);
    packet[7]++;
    return e9.n - 0x5e;
}

static rocecc_reader policy_e9(void)
{
    static uint8_t policy[32];
    memcpy(policy, last.b, 16);
    memcpy(policy + 16, r2.b, 16);
    return rocecc_reader_of(policy, policy + 32);
}

/* E9, byte for byte, of what a sender sent; its source is END.CON. */
TEST(R_CON_3_R_ECN_1_e9)
{
    const vec_packet e9 = vec_find(SRV6_ROWS, "e9");
    const rocecc_srv6_pe_config c = config_of();
    const size_t n = e9.n - 14;
    uint8_t packet[200], out[300];
    const size_t bytes = before_e9(packet);
    const rocecc_reader r = rocecc_reader_of(packet, packet + bytes);
    size_t room, i;
    for (room = 0; room <= n; room++) {
        rocecc_writer w = rocecc_writer_of(out, out + room);
        memset(out, 0xa5, sizeof out);
        CHECK_EQ(rocecc_srv6_pe_encapsulate(&c, r, policy_e9(), 0x54321, &w),
                 room < n ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room < n ? 0 : n);
        for (i = w.at; i < sizeof out; i++)
            CHECK(out[i] == 0xa5);
    }
    CHECK_EQ(e9.bytes[14 + 2] << 8 | e9.bytes[14 + 3], 0x4321);
    CHECK_EQ(e9.bytes[14 + 1] & 15, 5);
    CHECK(memcmp(out, e9.bytes + 14, n) == 0);
}

/* Every field, both modes, both versions; the inner field is never changed. */
TEST(R_ECN_1_normal_mode)
{
    unsigned ecn, mode, dscp;
    for (ecn = 0; ecn < 4; ecn++)
        for (mode = 0; mode < 2; mode++)
            for (dscp = 0; dscp < 2; dscp++) {
                rocecc_srv6_pe_config c = config_of();
                uint8_t packet[200], out[300];
                const size_t n = before_e9(packet);
                rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
                c.mode = (uint8_t)mode;
                c.copy_dscp = dscp != 0;
                c.dscp = 46;
                rocecc_store16(packet, (uint16_t)(0x6280 | ecn << 4)); /* DSCP 10 */
                CHECK_EQ(
                    rocecc_srv6_pe_encapsulate(&c, rocecc_reader_of(packet, packet + n),
                                               policy_e9(), 0, &w),
                    ROCECC_OK);
                CHECK_EQ(rocecc_load16(out),
                         (dscp ? 0x6280u : 0x6b80u) | (mode ? ecn << 4 : 0));
                CHECK_EQ(rocecc_load16(out + 80), 0x6280u | ecn << 4);
                CHECK_EQ(out[87], 63);
            }
}

/* What cannot go in: nothing is written. */
TEST(srv6_pe_ingress_refuses)
{
    const rocecc_srv6_pe_config c = config_of();
    uint8_t packet[200], out[300];
    const size_t n = before_e9(packet);
    unsigned i;
    for (i = 0; i < 8; i++) {
        static const rocecc_status should[] = {
            ROCECC_ERR_RANGE, ROCECC_ERR_RANGE, ROCECC_ERR_FORMAT, ROCECC_ERR_SHORT,
            ROCECC_ERR_RANGE, ROCECC_ERR_RANGE, ROCECC_ERR_RANGE,  ROCECC_ERR_SHORT};
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_reader policy = policy_e9(), r;
        uint8_t bytes[200];
        memcpy(bytes, packet, n);
        r = rocecc_reader_of(bytes, bytes + n);
        memset(out, 0xa5, sizeof out);
        if (i < 2) bytes[7] = (uint8_t)i; /* no hop */
        if (i == 2) bytes[0] = 0x50;
        if (i == 3) r.end--;
        if (i == 4) policy.end = 0;
        if (i == 5) policy.end--;
        if (i == 7) r.end = 0;
        CHECK_EQ(rocecc_srv6_pe_encapsulate(&c, r, policy, i == 6 ? 1 << 20 : 0, &w),
                 should[i]);
        CHECK(w.at == 0 && out[0] == 0xa5 && out[100] == 0xa5);
    }
}

/* R2 marks outside; behind the egress it is inside, and nothing else is another. */
TEST(R_ECN_3_e9_marked)
{
    vec_packet w = vec_find(SRV6_ROWS, "e9-end");
    const vec_packet before = w;
    rocecc_srv6_pe out;
    w.bytes[15] = 0x35;
    out = arrive(&w, &last, NULL, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(out.alarm, ROCECC_ECNTUNNEL_NO_ALARM);
    CHECK_EQ(out.tunnel.inner.at, 0x5e);
    CHECK_EQ(rocecc_load16(w.bytes + 0x5e), 0x6030);
    CHECK_EQ(w.bytes[0x5e + 7], 0x3e);
    w.bytes[15] = before.bytes[15];
    w.bytes[0x5f] = before.bytes[0x5f];
    w.bytes[0x5e + 7] = before.bytes[0x5e + 7];
    CHECK(memcmp(w.bytes, before.bytes, before.n) == 0);
}

/* Figure 4, all 16 cells, with the alarms; a drop leaves the packet as it was. */
TEST(R_ECN_3_every_cell)
{
    /* by value: Not-ECT, ECT(1), ECT(0), CE; 4 is a drop */
    static const uint8_t should[4][4] = {
        {0, 0, 0, 4}, {1, 1, 1, 3}, {2, 1, 2, 3}, {3, 3, 3, 3}};
    static const uint8_t alarm[4][4] = {
        {0, 2, 2, 2}, {0, 0, 1, 0}, {0, 0, 0, 0}, {0, 2, 0, 0}};
    unsigned inner, outer;
    for (inner = 0; inner < 4; inner++)
        for (outer = 0; outer < 4; outer++) {
            vec_packet w = vec_find(SRV6_ROWS, "e9-end");
            rocecc_srv6_pe out;
            test_context("inner %u, outer %u", inner, outer);
            w.bytes[15] = (uint8_t)(5 | outer << 4);
            w.bytes[0x5f] = (uint8_t)(inner << 4);
            out = arrive(&w, &last, NULL, 0);
            CHECK_EQ(out.verdict, should[inner][outer] == 4 ? ROCECC_SRV6_PE_ECN
                                                            : ROCECC_SRV6_PE_FORWARD);
            CHECK_EQ(out.alarm, alarm[inner][outer]);
            CHECK_EQ(w.bytes[0x5f] >> 4, should[inner][outer] & 3);
        }
}

/* The receiver's NIC sees CE, which is what it answers with a CNP: and its ICRC is as
 * it was, for neither ECN nor Hop Limit is among what that covers. */
TEST(R_ECN_4_receiver_sees_ce)
{
    const rocecc_domain config = {.link = ROCECC_LINK_IP};
    uint8_t packet[200];
    size_t n = before_e9(packet);
    unsigned marked;
    uint32_t value[2];
    for (marked = 0; marked < 2; marked++) {
        vec_packet w = vec_find(SRV6_ROWS, "e9-end");
        rocecc_packet p;
        rocecc_icrc icrc;
        rocecc_srv6_pe out;
        if (marked) w.bytes[15] = 0x35;
        out = arrive(&w, &last, NULL, 0);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
        n = w.n - out.tunnel.inner.at;
        memcpy(packet, w.bytes + out.tunnel.inner.at, n);
        CHECK_EQ(packet[1] >> 4, marked ? ROCECC_ECN_CE : ROCECC_ECN_ECT0);
        CHECK_EQ(rocecc_packet_of(&config, rocecc_reader_of(packet, packet + n), &p),
                 ROCECC_OK);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
        value[marked] = icrc.value;
        CHECK_EQ(rocecc_load32(packet + n - 4), 0); /* as E9 has it */
    }
    CHECK_EQ(value[0], value[1]);
}

/* IPv4 inside: its checksum is right at once. */
TEST(R_ECN_3_ip4)
{
    vec_packet w = vec_find(SRV6_ROWS, "ip4-end");
    rocecc_srv6_pe out;
    rocecc_reader r;
    w.bytes[15] |= 0x30;
    out = arrive(&w, &con, NULL, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(w.bytes[out.tunnel.inner.at + 1], 3);
    CHECK_EQ(w.bytes[out.tunnel.inner.at + 8], 63);
    r = rocecc_reader_of(w.bytes, w.bytes + w.n);
    r = rocecc_between(r, out.tunnel.inner.at, out.tunnel.inner.at + 20);
    CHECK_EQ(rocecc_checksum_final(rocecc_checksum_update(0, r)), 0);
}

/* The SID is configured: what no packet can come from is none. */
TEST(R_CON_1_sid)
{
    unsigned i;
    for (i = 0; i < 12; i++) {
        rocecc_srv6_pe_config c = config_of();
        rocecc_srv6_pe_refusal should = ROCECC_SRV6_PE_REFUSED_SID;
        if (i < 3) memset(c.end_con.b, 0, 16);
        if (i == 1) c.end_con.b[15] = 1;
        if (i == 2) c.end_con.b[0] = 0xff;
        if (i >= 3) should = ROCECC_SRV6_PE_REFUSED_MODE;
        if (i == 3) c.mode = 2;
        if (i >= 4) should = ROCECC_SRV6_PE_REFUSED_DSCP;
        if (i == 4) c.dscp = 64;
        if (i >= 5) should = ROCECC_SRV6_PE_REFUSED_TYPES;
        if (i == 5) domain.fastcnp.type_plain = 0x1e;
        if (i == 6) domain.fastcnp.type_plain = domain.fastcnp.type_ioam;
        if (i == 7) domain.fastcnp.form = 2;
        if (i >= 8) should = ROCECC_SRV6_PE_ACCEPTED;
        if (i == 8) domain.fastcnp.type_plain = domain.fastcnp.type_ioam = 0;
        if (i == 9) domain.fastcnp.type_plain = 0x1e;
        if (i == 9) c.open = true; /* which looks at no option */
        if (i == 10) c.dscp = 63;
        if (i == 11) c.mode = ROCECC_ECNTUNNEL_COMPATIBILITY;
        test_context("case %u", i);
        CHECK_EQ(rocecc_srv6_pe_init(&c, &domain), should);
    }
}

/* Decapsulated E10 is E10 from 0x36 on with one hop less. */
TEST(R_CON_2_R_CON_5_e10)
{
    const rocecc_srv6_pe_config c = config_of();
    vec_packet w = vec_find(SRV6_ROWS, "e10"), e10 = w;
    const rocecc_srv6_pe out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(out.alarm, ROCECC_ECNTUNNEL_NO_ALARM);
    CHECK_EQ(out.tunnel.inner.at, 0x36);
    CHECK_EQ(rocecc_left(&out.tunnel.inner), 104);
    CHECK_EQ(w.bytes[0x36 + 7], 63);
    e10.bytes[0x36 + 7]--;
    CHECK(memcmp(w.bytes, e10.bytes, e10.n) == 0);
}

/* E11 on its way (a segment is left), and at its end. */
TEST(R_CON_10_R_CON_11_e11)
{
    const rocecc_ip6 r1 = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}};
    const rocecc_srv6_pe_config c = config_of();
    vec_packet w = vec_find(SRV6_ROWS, "e11");
    rocecc_srv6_pe out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
    out = arrive(&w, &r1, NULL, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
    CHECK_EQ(out.why, ROCECC_SRV6_SEGMENTS_LEFT);
    w.bytes[14 + 40 + 3] = 0; /* as R1 does it */
    memcpy(w.bytes + 14 + 24, con.b, 16);
    out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(out.tunnel.inner.at, 0x36 + 40);
    CHECK_EQ(w.bytes[0x36 + 40 + 7], 63);
}

/* By its destination alone, every bit of it. */
TEST(R_CON_5_destination)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    unsigned bit;
    for (bit = 0; bit < 128; bit++) {
        vec_packet w = e10;
        w.bytes[14 + 24 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_OTHER);
    }
}

/* strict: CNPs alone; of Fast CNPs, those of switches on the list. */
TEST(R_CON_11_strict)
{
    rocecc_srv6_pe_config c = config_of();
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    vec_packet w;
    unsigned opcode;
    for (opcode = 0; opcode < 256; opcode++) {
        w = e10;
        w.bytes[0x7e] = (uint8_t)opcode;
        CHECK_EQ(end_con(w),
                 opcode == 0x81 ? ROCECC_SRV6_PE_FORWARD : ROCECC_SRV6_PE_NOT_CNP);
    }
    w = e10;
    w.bytes[0x79] ^= 1; /* the port */
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
    w = e10;
    w.bytes[0x60] ^= 1; /* another option */
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
    w = e10;
    w.bytes[0x36 + 8 + 5] ^= 1; /* another /48 */
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_ACCESS);
    w = e10;
    w.bytes[0x36 + 8 + 6] ^= 1;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_FORWARD);
    w = e10;
    CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_ACCESS); /* empty */
    domain.fastcnp.type_plain = 0;                                    /* off */
    CHECK_EQ(arrive(&w, NULL, &c, 1).verdict, ROCECC_SRV6_PE_NOT_CNP);
    c.open = true;
    CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_FORWARD);
    w = e10;
    w.bytes[0x7e] = 4;
    CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_FORWARD);
}

/* Its payload would be a way in: a CNP has none. */
TEST(R_CON_11_strict_length)
{
    vec_packet w = vec_find(SRV6_ROWS, "e10");
    w.bytes[14 + 5] += 4;
    w.bytes[0x36 + 5] += 4;
    w.bytes[0x7b] += 4;
    w.n += 4;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
}

/* So would IFA or INT be, even where the length is that of a CNP. */
TEST(R_CON_11_strict_telemetry)
{
    rocecc_srv6_pe_config c = config_of();
    int how;
    for (how = 0; how < TELL_HOWS; how++) {
        vec_packet w = vec_find(SRV6_ROWS, "e10");
        const size_t inner = w.n - 0x36;
        const size_t n = tell(w.bytes + 0x36, inner, (tell_how)how);
        CHECK(n > inner && 0x36 + n <= sizeof w.bytes);
        w.n = 0x36 + n;
        w.bytes[14 + 5] = (uint8_t)(w.bytes[14 + 5] + n - inner);
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
        c.open = true;
        CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_FORWARD);
    }
}

/* An ordinary CNP needs no list; a data packet to END.CON is not let through. */
TEST(R_CON_11_ordinary)
{
    const rocecc_srv6_pe_config c = config_of();
    unsigned data, v4;
    for (v4 = 0; v4 < 2; v4++)
        for (data = 0; data < 2; data++) {
            const rocecc_ip4 ip4 = {{10, 0, 0, 1}};
            rocecc_cnp cnp = rocecc_cnp_default();
            uint8_t packet[100];
            vec_packet w = {{0}, 0};
            rocecc_writer inner = rocecc_writer_of(packet, packet + sizeof packet);
            rocecc_writer out = rocecc_writer_of(w.bytes, w.bytes + sizeof w.bytes);
            cnp.src = cnp.dst = v4 ? rocecc_ip6_of_ip4(&ip4) : r2;
            CHECK_EQ(rocecc_cnp_build(&inner, &cnp), ROCECC_OK);
            if (data) packet[v4 ? 28 : 48] = 4;
            rocecc_store16(rocecc_put(&out, 14) + 12, 0x86dd);
            CHECK_EQ(rocecc_srv6_pe_encapsulate(&c, rocecc_written(&inner),
                                                rocecc_reader_of(con.b, con.b + 16), 0,
                                                &out),
                     ROCECC_OK);
            w.n = out.at;
            CHECK_EQ(end_con(w),
                     data ? ROCECC_SRV6_PE_NOT_CNP : ROCECC_SRV6_PE_FORWARD);
            CHECK_EQ(arrive(&w, NULL, &c, 0).verdict,
                     data ? ROCECC_SRV6_PE_NOT_CNP : ROCECC_SRV6_PE_FORWARD);
        }
}

/* ICMPv6 about its own tunnels comes here, too. */
TEST(R_CON_11_host)
{
    vec_packet w = vec_find(SRV6_ROWS, "e10");
    w.bytes[14 + 6] = 58;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_HOST);
}

/* Segments left, a nested tunnel, what is no IP, what is longer than its tunnel. */
TEST(srv6_pe_bad)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    vec_packet w = e10;
    w.bytes[0x36] = 0x5c;
    CHECK_EQ(why(w), ROCECC_SRV6_NOT_IP);
    w = e10;
    w.bytes[0x36] = 0x4c; /* not the version that the outer header says */
    CHECK_EQ(why(w), ROCECC_SRV6_NOT_IP);
    w = e10;
    w.bytes[0x36 + 5]++; /* longer than what is around it */
    CHECK_EQ(why(w), ROCECC_SRV6_NOT_IP);
    w = e10;
    w.bytes[0x36 + 6] = 41;
    CHECK_EQ(why(w), ROCECC_SRV6_NESTED);
    w = e10;
    w.bytes[0x36 + 6] = 4;
    CHECK_EQ(why(w), ROCECC_SRV6_NESTED);
    w = e10;
    w.n = 0x36 + 39;
    CHECK_EQ(why(w), ROCECC_SRV6_BROKEN);
    w = vec_find(SRV6_ROWS, "e11");
    memcpy(w.bytes + 14 + 24, con.b, 16);
    CHECK_EQ(why(w), ROCECC_SRV6_SEGMENTS_LEFT);
    w.bytes[14 + 40 + 3] = 0;
    w.bytes[14 + 40 + 4] = 5; /* Last Entry */
    CHECK_EQ(why(w), ROCECC_SRV6_BROKEN);
}

/* One hop is none to forward with; the drop for ECN comes before it. */
TEST(srv6_pe_hops)
{
    unsigned hops;
    for (hops = 0; hops < 4; hops++) {
        vec_packet w = vec_find(SRV6_ROWS, "e10");
        w.bytes[0x36 + 7] = (uint8_t)hops;
        CHECK_EQ(end_con(w), hops < 2 ? ROCECC_SRV6_PE_HOPS : ROCECC_SRV6_PE_FORWARD);
        w.bytes[15] |= 0x30; /* RFC 6040: CE outside, Not-ECT inside */
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_ECN);
        w.bytes[0x37] |= 0x20;
        CHECK_EQ(end_con(w), hops < 2 ? ROCECC_SRV6_PE_HOPS : ROCECC_SRV6_PE_FORWARD);
    }
}

/* A writer of less than the frame: the packet is not touched, and not forwarded. */
TEST(srv6_pe_short_writer)
{
    vec_packet w = vec_find(SRV6_ROWS, "e10");
    const vec_packet was = w;
    const rocecc_reader r = rocecc_reader_of(w.bytes, w.bytes + w.n);
    rocecc_packet p;
    size_t n;
    (void)config_of();
    (void)rocecc_packet_of(&domain, r, &p);
    for (n = 0; n < 0x36 + 20; n++) {
        rocecc_srv6_pe out;
        rocecc_srv6_pe_egress(&con, &p, rocecc_writer_of(w.bytes, w.bytes + n), &out);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
        CHECK(memcmp(&was, &w, sizeof w) == 0);
    }
}

/* Every prefix, by both: none is forwarded that strict could not look at. */
TEST(srv6_pe_prefixes)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    size_t n;
    for (n = 0; n < e10.n; n++) {
        vec_packet w = e10;
        unsigned verdict;
        w.n = n;
        verdict = end_con(w);
        test_context("%zu bytes", n);
        CHECK_EQ(verdict, n < 14 + 40     ? ROCECC_SRV6_PE_OTHER
                          : n < 0x36 + 40 ? ROCECC_SRV6_PE_BAD
                                          : ROCECC_SRV6_PE_NOT_CNP);
    }
}

/* Any bytes: the law, and each verdict is among what they give. */
TEST(srv6_pe_law)
{
    unsigned i;
    memset(law_srv6_pe_seen, 0, sizeof law_srv6_pe_seen);
    law_random(law_srv6_pe, 20000);
    for (i = 0; i < ROCECC_SRV6_PE_VERDICTS; i++) {
        test_context("verdict %u", i);
        CHECK(law_srv6_pe_seen[i] != 0);
    }
}

/* What is not for this PE goes on as it is; all else is for it to do. */
TEST(srv6_pe_acts)
{
    int v;
    for (v = 0; v < ROCECC_SRV6_PE_VERDICTS; v++)
        CHECK_EQ(rocecc_srv6_pe_acts((rocecc_srv6_pe_verdict)v),
                 v != ROCECC_SRV6_PE_OTHER);
}
