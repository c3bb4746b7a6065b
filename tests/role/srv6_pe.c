/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/srv6_pe.h"
#include "law/srv6.h"
#include "lib/kept.h"
#include "lib/noun.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/trace.h"
#include "rocecc/packet/icmp.h"

#include <string.h>

#define SRV6_ROWS "vectors/srv6.vec" /* rows e9, e10, e11 and more */

static const rocecc_ip6 con = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}};
static const rocecc_ip6 r2 = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0xf2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}};
static const rocecc_ip6 last = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0d, 0x46}};

/* Domain of the packets. config_of() resets it. */
static rocecc_domain domain;

static rocecc_srv6_pe_config config_of(void)
{
    rocecc_srv6_pe_config c;
    memset(&c, 0, sizeof c);
    c.end_con = con;
    memset(&domain, 0, sizeof domain);
    domain.ifa.protocol = TELL_PROTOCOL;
    domain.ifa.layout_a = 1;
    domain.intmd.udp_port = TELL_PORT;
    domain.fastcnp = law_fastcnp_config(0);
    CHECK_EQ(rocecc_srv6_pe_init(&c, &domain), ROCECC_SRV6_PE_ACCEPTED);
    return c;
}

/* Returns the first n entries of a list of the switches, 2001:db8:ffff::/48. */
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

/* Handles a packet in place, at END.CON if sid is NULL, or else at an egress. A packet
 * that is not forwarded must be unchanged. */
static rocecc_srv6_pe_result arrive(vec_packet *w, const rocecc_ip6 *sid,
                                    const rocecc_srv6_pe_config *c, uint32_t listed)
{
    uint8_t *at = guard_end(w->bytes, w->n);
    const rocecc_reader r = rocecc_reader_of(at, at + w->n);
    rocecc_acl_entry e;
    const rocecc_acl access = access_of(&e, listed);
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    memset(&out, 0xa5, sizeof out);
    (void)rocecc_packet_parse(&domain, r, &p);
    if (sid != NULL)
        rocecc_srv6_pe_egress(sid, &p, rocecc_writer_of(at, at + w->n), &out);
    else
        rocecc_srv6_pe_end_con(c, &access, &p, rocecc_writer_of(at, at + w->n), &out);
    if (out.verdict == ROCECC_SRV6_PE_OTHER) CHECK_EQ(out.why, ROCECC_SRV6_OTHER);
    CHECK_EQ(out.verdict == ROCECC_SRV6_PE_BAD_ARRIVAL,
             out.arrival != ROCECC_ARRIVAL_OK);
    if (out.verdict != ROCECC_SRV6_PE_FORWARD &&
        out.verdict != ROCECC_SRV6_PE_ECN_CONFLICT &&
        out.verdict != ROCECC_SRV6_PE_NO_HOPS_LEFT)
        CHECK_EQ(out.alarm, ROCECC_ECNTUNNEL_NO_ALARM);
    if (out.why != ROCECC_SRV6_DECAPSULATE) /* the tunnel is empty */
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

static unsigned reason_of(vec_packet w)
{
    const rocecc_srv6_pe_config c = config_of();
    const rocecc_srv6_pe_result out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
    return out.why;
}

static rocecc_reader policy_e9(void)
{
    static uint8_t policy[32];
    memcpy(policy, last.b, 16);
    memcpy(policy + 16, r2.b, 16);
    return rocecc_reader_of(policy, policy + 32);
}

/* Encapsulates a packet for a path with an unknown MTU. */
static rocecc_srv6_pe_ingress_result enter(const rocecc_srv6_pe_config *c,
                                           rocecc_reader r, rocecc_reader policy,
                                           uint32_t label, rocecc_writer *w)
{
    const rocecc_srv6_pe_path way = {policy, label, 0};
    rocecc_srv6_pe_ingress_result out;
    memset(&out, 0xa5, sizeof out);
    rocecc_srv6_pe_encapsulate(c, r, &way, w, &out);
    CHECK_EQ(out.mtu_bytes, 0);
    CHECK((out.why != ROCECC_OK) == (out.verdict == ROCECC_SRV6_PE_BAD));
    return out;
}

/* Writes E9's packet as it was before the PE, with one hop more. */
static size_t before_e9(uint8_t *packet)
{
    const vec_packet e9 = vec_find(SRV6_ROWS, "e9");
    memcpy(packet, e9.bytes + 0x5e, e9.n - 0x5e);
    packet[7]++;
    return e9.n - 0x5e;
}

/* The ingress makes E9, byte for byte, with END.CON as source. */
TEST(R_CON_3_R_ECN_1_the_ingress_writes_e9)
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
        CHECK_EQ(enter(&c, r, policy_e9(), 0x54321, &w).why,
                 room < n ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room < n ? 0 : n);
        for (i = w.at; i < sizeof out; i++)
            CHECK(out[i] == 0xa5);
    }
    CHECK_EQ(e9.bytes[14 + 2] << 8 | e9.bytes[14 + 3], 0x4321);
    CHECK_EQ(e9.bytes[14 + 1] & 15, 5);
    CHECK(memcmp(out, e9.bytes + 14, n) == 0);
}

/* Normal mode copies each ECN field outside, compatibility mode writes Not-ECT, and the
 * inner field is unchanged. */
TEST(R_ECN_1_only_normal_mode_copies_ecn)
{
    unsigned ecn, mode, dscp;
    for (ecn = 0; ecn < 4; ecn++)
        for (mode = 0; mode < 2; mode++)
            for (dscp = 0; dscp < 2; dscp++) {
                rocecc_srv6_pe_config c = config_of();
                uint8_t packet[200], out[300];
                const size_t n = before_e9(packet);
                rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
                c.compatibility = mode == 0;
                c.copy_dscp = dscp != 0;
                c.dscp = 46;
                rocecc_store16(packet, (uint16_t)(0x6280 | ecn << 4)); /* DSCP 10 */
                CHECK_EQ(
                    enter(&c, rocecc_reader_of(packet, packet + n), policy_e9(), 0, &w)
                        .verdict,
                    ROCECC_SRV6_PE_FORWARD);
                CHECK_EQ(rocecc_load16(out),
                         (dscp ? 0x6280u : 0x6b80u) | (mode ? ecn << 4 : 0));
                CHECK_EQ(rocecc_load16(out + 80), 0x6280u | ecn << 4);
                CHECK_EQ(out[87], 63);
            }
}

/* A configuration of all 0 except the SID copies ECN, as the draft requires (MUST). */
TEST(R_ECN_1_a_configuration_of_0_copies_ecn)
{
    uint8_t packet[200], out[300];
    const size_t n = before_e9(packet);
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_srv6_pe_config c;
    memset(&c, 0, sizeof c);
    c.end_con = con;
    memset(&domain, 0, sizeof domain);
    CHECK_EQ(rocecc_srv6_pe_init(&c, &domain), ROCECC_SRV6_PE_ACCEPTED);
    packet[1] |= 0x30;
    CHECK_EQ(
        enter(&c, rocecc_reader_of(packet, packet + n), policy_e9(), 0, &w).verdict,
        ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(out[1] >> 4 & 3, ROCECC_ECN_CE);
}

/* If a packet cannot be encapsulated, nothing is written. */
TEST(srv6_pe_ingress_writes_nothing_on_failure)
{
    const rocecc_srv6_pe_config c = config_of();
    uint8_t packet[200], out[300];
    const size_t n = before_e9(packet);
    unsigned i;
    for (i = 0; i < 8; i++) {
        static const rocecc_status should[] = {
            ROCECC_OK,        ROCECC_OK,        ROCECC_ERR_FORMAT, ROCECC_ERR_SHORT,
            ROCECC_ERR_RANGE, ROCECC_ERR_RANGE, ROCECC_ERR_RANGE,  ROCECC_ERR_SHORT};
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_reader policy = policy_e9(), r;
        rocecc_srv6_pe_ingress_result in;
        uint8_t bytes[200];
        memcpy(bytes, packet, n);
        r = rocecc_reader_of(bytes, bytes + n);
        memset(out, 0xa5, sizeof out);
        if (i < 2) bytes[7] = (uint8_t)i; /* no hop left */
        if (i == 2) bytes[0] = 0x50;
        if (i == 3) r.end--;
        if (i == 4) policy.end = 0;
        if (i == 5) policy.end--;
        if (i == 7) r.end = 0;
        in = enter(&c, r, policy, i == 6 ? 1 << 20 : 0, &w);
        CHECK_EQ(in.verdict, i < 2 ? ROCECC_SRV6_PE_NO_HOPS_LEFT : ROCECC_SRV6_PE_BAD);
        CHECK_EQ(in.why, should[i]);
        CHECK_EQ(in.icmp.type, i < 2 ? 3 : 0); /* Time Exceeded: RFC 4443, 3.3 */
        CHECK(in.icmp.code == 0 && in.icmp.value == 0 && in.icmp.offset == 0);
        CHECK(w.at == 0 && out[0] == 0xa5 && out[100] == 0xa5);
    }
}

/* push() writes E9, byte for byte, before the packet, or nothing without room. */
TEST(srv6_pe_push_writes_e9_before_the_packet)
{
    const vec_packet e9 = vec_find(SRV6_ROWS, "e9");
    const rocecc_srv6_pe_config c = config_of();
    const rocecc_srv6_pe_path way = {policy_e9(), 0x54321, 0};
    const size_t headers = 0x5e - 14, n = e9.n - 14;
    size_t room, i;
    for (room = 0; room <= headers + 4; room++) {
        uint8_t bytes[300];
        rocecc_srv6_pe_ingress_result in;
        rocecc_reader r;
        rocecc_writer w;
        memset(bytes, 0xa5, sizeof bytes);
        (void)before_e9(bytes + room);
        r = rocecc_reader_of(bytes, bytes + room + n - headers);
        w = rocecc_writer_of(bytes, bytes + room + n - headers);
        rocecc_srv6_pe_push(&c, rocecc_subrange(r, room, r.end), &way, &w, &in);
        CHECK_EQ(in.verdict,
                 room < headers ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        CHECK_EQ(in.why, room < headers ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room < headers ? 0 : room - headers);
        if (room == headers) { /* RANGE for a flow label of 21 bits */
            const rocecc_srv6_pe_path wide = {policy_e9(), 1 << 20, 0};
            rocecc_writer again = w;
            rocecc_srv6_pe_push(&c, rocecc_subrange(r, room, r.end), &wide, &again,
                                &in);
            CHECK_EQ(in.verdict, ROCECC_SRV6_PE_BAD);
            CHECK_EQ(in.why, ROCECC_ERR_RANGE);
            CHECK_EQ(again.at, w.at);
        }
        if (room >= headers) CHECK(memcmp(bytes + w.at, e9.bytes + 14, n) == 0);
        for (i = 0; i < room; i++)
            if (room < headers || i < room - headers) CHECK(bytes[i] == 0xa5);
        if (room < headers) CHECK_EQ(bytes[room + 7], e9.bytes[0x5e + 7] + 1);
    }
}

/* push() needs only the head of the packet in the buffer. */
TEST(srv6_pe_push_needs_only_the_head_of_the_packet)
{
    const rocecc_srv6_pe_config c = config_of();
    const rocecc_srv6_pe_path way = {policy_e9(), 0, 0};
    uint8_t bytes[300];
    rocecc_srv6_pe_ingress_result in;
    rocecc_writer w = rocecc_writer_of(bytes, bytes + 100 + 48);
    (void)before_e9(bytes + 100);
    rocecc_srv6_pe_push(&c,
                        rocecc_subrange(rocecc_reader_of(bytes, bytes + 148), 100, 148),
                        &way, &w, &in);
    CHECK_EQ(in.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(rocecc_load16(bytes + w.at + 4), 40 + (0x5e - 14 - 40) + 40);
    w = rocecc_writer_of(bytes, bytes + 100 + 48);
    rocecc_srv6_pe_push(&c,
                        rocecc_subrange(rocecc_reader_of(bytes, bytes + 160), 100, 160),
                        &way, &w, &in);
    CHECK_EQ(in.why, ROCECC_ERR_SPACE); /* beyond the end of the writer */
}

/* RFC 2473, 6.7 and 7.1: path MTU minus headers, at least 1280 (IPv6) or 68 (IPv4). */
TEST(srv6_pe_ingress_limits_packets_to_the_path_mtu)
{
    static const struct {
        uint32_t mtu, v6, v4;
    } should[] = {{0, 0, 0},          {1500, 1420, 1420}, {1361, 1281, 1281},
                  {1360, 1280, 1280}, {1359, 1280, 1279}, {300, 1280, 220},
                  {148, 1280, 68},    {147, 1280, 68},    {1, 1280, 68}};
    const rocecc_srv6_pe_config c = config_of();
    static uint8_t packet[2000], out[2200];
    unsigned i, v4, over;
    for (i = 0; i < sizeof should / sizeof *should; i++)
        for (v4 = 0; v4 < 2; v4++)
            for (over = 0; over < 2; over++) {
                const rocecc_srv6_pe_path way = {policy_e9(), 0, should[i].mtu};
                const uint32_t most = v4 ? should[i].v4 : should[i].v6;
                const uint32_t bytes = (most == 0 ? 1999 : most) + over;
                rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
                rocecc_srv6_pe_ingress_result in;
                test_context("%u, IPv%u, %u bytes", should[i].mtu, v4 ? 4 : 6, bytes);
                memset(packet, 0, sizeof packet);
                packet[0] = v4 ? 0x45 : 0x60;
                packet[v4 ? 8 : 7] = 64;
                rocecc_store16(packet + (v4 ? 2 : 4),
                               (uint16_t)(bytes - (v4 ? 0 : 40)));
                rocecc_srv6_pe_encapsulate(&c, rocecc_reader_of(packet, packet + bytes),
                                           &way, &w, &in);
                CHECK_EQ(in.mtu_bytes, most);
                CHECK_EQ(in.verdict, over && most != 0 ? ROCECC_SRV6_PE_TOO_BIG
                                                       : ROCECC_SRV6_PE_FORWARD);
                CHECK((w.at != 0) == (in.verdict == ROCECC_SRV6_PE_FORWARD));
                CHECK(in.icmp.offset == 0);
                if (in.verdict == ROCECC_SRV6_PE_FORWARD)
                    CHECK_EQ(in.icmp.type, 0);
                else /* RFC 4443, 3.2; RFC 1191, 4 */
                    CHECK(in.icmp.type == (v4 ? 3 : 2) &&
                          in.icmp.code == (v4 ? 4 : 0) && in.icmp.value == most);
            }
}

/* The error of the ingress becomes an ICMP message to the source of the packet. */
TEST(srv6_pe_ingress_errors_become_icmp_messages)
{
    const rocecc_srv6_pe_config c = config_of();
    const rocecc_icmp_node node = {c.end_con, 64, 48};
    uint8_t bytes[77 + 1400] = {0}, out[1500], error[1400];
    const size_t n = before_e9(bytes + 77);
    unsigned big;
    for (big = 0; big < 2; big++) {
        const rocecc_srv6_pe_path way = {policy_e9(), 0, 1360};
        const size_t end = 77 + (big ? 1281 : n);
        rocecc_reader r = rocecc_reader_of(bytes, bytes + end), whole = r;
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_writer to = rocecc_writer_of(error, error + sizeof error);
        rocecc_srv6_pe_ingress_result in;
        if (!big) bytes[77 + 7] = 1; /* one hop */
        if (big) bytes[77 + 7] = 64;
        if (big) rocecc_store16(bytes + 77 + 4, 1241);
        r.at = 77;
        rocecc_srv6_pe_encapsulate(&c, r, &way, &w, &in);
        CHECK_EQ(in.verdict,
                 big ? ROCECC_SRV6_PE_TOO_BIG : ROCECC_SRV6_PE_NO_HOPS_LEFT);
        CHECK_EQ(rocecc_icmp_build(&to, whole, &in.icmp, &node), ROCECC_OK);
        CHECK_EQ(to.at, big ? 1280 : 48 + n);
        CHECK(memcmp(error + 24, bytes + 77 + 8, 16) == 0); /* to the packet's source */
        CHECK(error[40] == (big ? 2 : 3) && error[41] == 0);
        CHECK_EQ(rocecc_load32(error + 44), big ? 1280 : 0);
        CHECK(memcmp(error + 48, bytes + 77, to.at - 48) == 0);
    }
}

/* R2 marks the outer header. The egress moves the mark inside, lowers the hop limit,
 * and changes nothing else. */
TEST(R_ECN_3_the_egress_moves_the_mark_inside)
{
    vec_packet w = vec_find(SRV6_ROWS, "e9-end");
    const vec_packet before = w;
    rocecc_srv6_pe_result out;
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

/* All 16 cells of Figure 4, with the alarms. A dropped packet is unchanged. */
TEST(R_ECN_3_the_egress_follows_all_16_cells_of_figure_4)
{
    /* By value: Not-ECT, ECT(1), ECT(0), CE. 4 is a drop. */
    static const uint8_t should[4][4] = {
        {0, 0, 0, 4}, {1, 1, 1, 3}, {2, 1, 2, 3}, {3, 3, 3, 3}};
    static const uint8_t alarm[4][4] = {
        {0, 2, 2, 2}, {0, 0, 1, 0}, {0, 0, 0, 0}, {0, 2, 0, 0}};
    unsigned inner, outer;
    for (inner = 0; inner < 4; inner++)
        for (outer = 0; outer < 4; outer++) {
            vec_packet w = vec_find(SRV6_ROWS, "e9-end");
            rocecc_srv6_pe_result out;
            test_context("inner %u, outer %u", inner, outer);
            w.bytes[15] = (uint8_t)(5 | outer << 4);
            w.bytes[0x5f] = (uint8_t)(inner << 4);
            out = arrive(&w, &last, NULL, 0);
            CHECK_EQ(out.verdict, should[inner][outer] == 4
                                      ? ROCECC_SRV6_PE_ECN_CONFLICT
                                      : ROCECC_SRV6_PE_FORWARD);
            CHECK_EQ(out.alarm, alarm[inner][outer]);
            CHECK_EQ(w.bytes[0x5f] >> 4, should[inner][outer] & 3);
        }
}

/* The receiver gets CE, so it sends a CNP. The ICRC stays the same, because it covers
 * neither ECN nor Hop Limit. */
TEST(R_ECN_4_the_receiver_gets_ce_and_the_same_icrc)
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
        rocecc_srv6_pe_result out;
        if (marked) w.bytes[15] = 0x35;
        out = arrive(&w, &last, NULL, 0);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
        n = w.n - out.tunnel.inner.at;
        memcpy(packet, w.bytes + out.tunnel.inner.at, n);
        CHECK_EQ(packet[1] >> 4, marked ? ROCECC_ECN_CE : ROCECC_ECN_ECT0);
        CHECK_EQ(rocecc_packet_parse(&config, rocecc_reader_of(packet, packet + n), &p),
                 ROCECC_OK);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
        value[marked] = icrc.value;
        CHECK_EQ(rocecc_load32(packet + n - 4), 0); /* as in E9 */
    }
    CHECK_EQ(value[0], value[1]);
}

/* The header checksum of an inner IPv4 packet is right after decapsulation. */
TEST(R_ECN_3_the_inner_ip4_checksum_stays_right)
{
    vec_packet w = vec_find(SRV6_ROWS, "ip4-end");
    rocecc_srv6_pe_result out;
    rocecc_reader r;
    w.bytes[15] |= 0x30;
    out = arrive(&w, &con, NULL, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(w.bytes[out.tunnel.inner.at + 1], 3);
    CHECK_EQ(w.bytes[out.tunnel.inner.at + 8], 63);
    r = rocecc_reader_of(w.bytes, w.bytes + w.n);
    r = rocecc_subrange(r, out.tunnel.inner.at, out.tunnel.inner.at + 20);
    CHECK_EQ(rocecc_checksum_final(rocecc_checksum_update(0, r)), 0);
}

/* init() rejects a SID that cannot be a source, a wide DSCP, and invalid types. */
TEST(R_CON_1_init_refuses_invalid_sids_dscps_and_types)
{
    unsigned i;
    for (i = 0; i < 12; i++) {
        rocecc_srv6_pe_config c = config_of();
        rocecc_srv6_pe_refusal should = ROCECC_SRV6_PE_REFUSED_SID;
        if (i < 3) memset(c.end_con.b, 0, 16);
        if (i == 1) c.end_con.b[15] = 1;
        if (i == 2) c.end_con.b[0] = 0xff;
        if (i == 3) memset(c.end_con.b + 10, 0xff, 2), memset(c.end_con.b, 0, 10);
        if (i >= 4) should = ROCECC_SRV6_PE_REFUSED_DSCP;
        if (i == 4) c.dscp = 64;
        if (i >= 5) should = ROCECC_SRV6_PE_REFUSED_TYPES;
        if (i == 5) domain.fastcnp.type_plain = 0x1e;
        if (i == 6) domain.fastcnp.type_plain = domain.fastcnp.type_ioam;
        if (i == 7) domain.fastcnp.form = 2;
        if (i >= 8) should = ROCECC_SRV6_PE_ACCEPTED;
        if (i == 8) domain.fastcnp.type_plain = domain.fastcnp.type_ioam = 0;
        if (i == 9) domain.fastcnp.type_plain = 0x1e;
        if (i == 9) c.open = true; /* it checks no option */
        if (i == 10) c.dscp = 63;
        if (i == 11) c.compatibility = true;
        test_context("case %u", i);
        CHECK_EQ(rocecc_srv6_pe_init(&c, &domain), should);
    }
}

/* Decapsulated E10 is E10 from 0x36 on, with one hop less. */
TEST(R_CON_2_R_CON_5_decapsulated_e10_has_one_hop_less)
{
    const rocecc_srv6_pe_config c = config_of();
    vec_packet w = vec_find(SRV6_ROWS, "e10"), e10 = w;
    const rocecc_srv6_pe_result out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(out.alarm, ROCECC_ECNTUNNEL_NO_ALARM);
    CHECK_EQ(out.tunnel.inner.at, 0x36);
    CHECK_EQ(rocecc_left(&out.tunnel.inner), 104);
    CHECK_EQ(w.bytes[0x36 + 7], 63);
    e10.bytes[0x36 + 7]--;
    CHECK(memcmp(w.bytes, e10.bytes, e10.n) == 0);
}

/* E11 is BAD at R1 while a segment is left, and is forwarded at END.CON. */
TEST(R_CON_10_R_CON_11_e11_is_forwarded_at_end_con_and_bad_at_r1)
{
    const rocecc_ip6 r1 = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}};
    const rocecc_srv6_pe_config c = config_of();
    vec_packet w = vec_find(SRV6_ROWS, "e11");
    rocecc_srv6_pe_result out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
    out = arrive(&w, &r1, NULL, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
    CHECK_EQ(out.why, ROCECC_SRV6_SEGMENTS_LEFT);
    w.bytes[14 + 40 + 3] = 0; /* as R1 writes it */
    memcpy(w.bytes + 14 + 24, con.b, 16);
    out = arrive(&w, NULL, &c, 1);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(out.tunnel.inner.at, 0x36 + 40);
    CHECK_EQ(w.bytes[0x36 + 40 + 7], 63);
}

/* Only a packet with END.CON as destination, in every bit, is for END.CON. */
TEST(R_CON_5_only_packets_to_end_con_are_accepted)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    unsigned bit;
    for (bit = 0; bit < 128; bit++) {
        vec_packet w = e10;
        w.bytes[14 + 24 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_OTHER);
    }
}

/* A strict END.CON forwards only Fast CNPs, and only from listed switches. */
TEST(R_CON_11_strict_forwards_only_fast_cnps_of_listed_switches)
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
    w.bytes[0x79] ^= 1; /* another port */
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
    w = e10;
    w.bytes[0x60] ^= 1; /* another option */
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
    w = e10;
    w.bytes[0x36 + 8 + 5] ^= 1; /* another /48 */
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_ACCESS_DENIED);
    w = e10;
    w.bytes[0x36 + 8 + 6] ^= 1;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_FORWARD);
    w = e10;
    CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_ACCESS_DENIED); /* empty */
    domain.fastcnp.type_plain = 0;                                           /* off */
    CHECK_EQ(arrive(&w, NULL, &c, 1).verdict, ROCECC_SRV6_PE_NOT_CNP);
    c.open = true;
    CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_FORWARD);
    w = e10;
    w.bytes[0x7e] = 4;
    CHECK_EQ(arrive(&w, NULL, &c, 0).verdict, ROCECC_SRV6_PE_FORWARD);
}

/* R-CON-11: a switch that the list denies is treated as unlisted, as source of the Fast
 * CNP or of the tunnel. */
TEST(R_CON_11_a_denied_switch_is_treated_as_unlisted)
{
    const rocecc_srv6_pe_config c = config_of();
    unsigned i;
    for (i = 0; i < 3; i++) {
        vec_packet w = vec_find(SRV6_ROWS, "e10");
        rocecc_acl_entry e[2];
        rocecc_acl access = access_of(e, 1);
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        uint32_t at;
        w.bytes[0x36 + 8 + 6] ^= 1; /* so that both sources differ */
        memset(&e[1], 0, sizeof e[1]);
        e[1].length = 128;
        memcpy(e[1].prefix.b, w.bytes + (i == 1 ? 0x36 : 14) + 8, 16);
        CHECK_EQ(rocecc_acl_init(&access, e, i == 0 ? 1 : 2, &at), ROCECC_ACL_ACCEPTED);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(w.bytes, w.bytes + w.n),
                                  &p);
        rocecc_srv6_pe_end_con(&c, &access, &p,
                               rocecc_writer_of(w.bytes, w.bytes + w.n), &out);
        test_context("case %u", i);
        CHECK_EQ(out.verdict, i == 0   ? ROCECC_SRV6_PE_FORWARD
                              : i == 1 ? ROCECC_SRV6_PE_ACCESS_DENIED
                                       : ROCECC_SRV6_PE_BAD_SOURCE);
    }
}

/* R-CON-9: the tunnel must come from the switch, or from another listed switch. */
TEST(R_CON_9_the_tunnel_source_must_be_a_listed_switch)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    unsigned i;
    for (i = 0; i < 16; i++) {
        vec_packet w = e10;
        w.bytes[14 + 8 + i] ^= 1; /* unlisted if one of the first 48 bits differs */
        CHECK_EQ(end_con(w),
                 i < 6 ? ROCECC_SRV6_PE_BAD_SOURCE : ROCECC_SRV6_PE_FORWARD);
        w.bytes[0x36 + 8 + i] ^= 1; /* and in the inner source */
        CHECK_EQ(end_con(w),
                 i < 6 ? ROCECC_SRV6_PE_ACCESS_DENIED : ROCECC_SRV6_PE_FORWARD);
    }
}

/* A Fast CNP must not go to ::, ::1, a group, mapped IPv4 or the PE itself. */
TEST(R_CON_11_the_destination_must_be_a_host)
{
    static const rocecc_ip6 to[] = {
        {{0}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
        {{0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10}}};
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    vec_packet w = e10;
    unsigned i;
    for (i = 0; i < sizeof to / sizeof *to; i++) {
        w = e10;
        memcpy(w.bytes + 0x36 + 24, to[i].b, 16);
        test_context("destination %u", i);
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_BAD_ARRIVAL);
    }
    w = e10;
    memcpy(w.bytes + 0x36 + 24, con.b, 16);
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_BAD_DESTINATION);
}

/* Inserts a header of n bytes after the outer IPv6 header. */
static vec_packet with_header(vec_packet w, uint8_t type, const uint8_t *header,
                              size_t n)
{
    CHECK(w.n + n <= sizeof w.bytes);
    memmove(w.bytes + 0x36 + n, w.bytes + 0x36, w.n - 0x36);
    memcpy(w.bytes + 0x36, header, n);
    w.bytes[0x36] = w.bytes[14 + 6];
    w.bytes[14 + 6] = type;
    w.bytes[14 + 5] = (uint8_t)(w.bytes[14 + 5] + n);
    w.n += n;
    return w;
}

/* Inserts a header of 8 bytes after the outer IPv6 header. */
static vec_packet with_outer(vec_packet w, uint8_t type, const uint8_t *header)
{
    return with_header(w, type, header, 8);
}

/* The act bits of an unknown outer option determine the verdict (RFC 8200, 4.2). An
 * option beyond its header is rejected, and so are 9 options, but not 8. */
TEST(srv6_pe_act_bits_of_outer_options_give_the_verdict)
{
    static const uint8_t types[] = {ROCECC_PROTO_HOPOPTS, ROCECC_PROTO_DSTOPTS};
    const rocecc_srv6_pe_config c = config_of();
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    unsigned i, act;
    for (i = 0; i < 2; i++)
        for (act = 0; act < 4; act++) {
            const uint8_t type_of = (uint8_t)(act << 6 | 0x1e | i); /* even, odd */
            const uint8_t header[8] = {0, 0, 1, 0, type_of, 2, 0, 0};
            vec_packet w = with_outer(e10, types[i], header);
            const rocecc_srv6_pe_result out = arrive(&w, NULL, &c, 1);
            test_context("header %u, act %u", types[i], act);
            CHECK_EQ(out.verdict,
                     act == 0 ? ROCECC_SRV6_PE_FORWARD : ROCECC_SRV6_PE_BAD_ARRIVAL);
            CHECK_EQ(out.arrival,
                     act == 0 ? ROCECC_ARRIVAL_OK : ROCECC_ARRIVAL_UNKNOWN_OPTION);
            CHECK_EQ(out.icmp.type, act < 2 ? 0 : 4);
            if (act < 2) continue;
            CHECK(out.icmp.code == 2 && out.icmp.value == 44 && out.icmp.offset == 14);
        }
    for (i = 0; i < 2; i++) {
        const uint8_t broken[8] = {0, 0, 0x1e, 5, 0, 0, 0, 0};
        uint8_t options[24] = {0, 2}; /* options of 2 bytes to skip, and a PadN */
        unsigned n;
        vec_packet w = with_outer(e10, types[i], broken);
        rocecc_srv6_pe_result out = arrive(&w, NULL, &c, 1);
        test_context("header %u", types[i]);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD_ARRIVAL);
        CHECK_EQ(out.arrival, ROCECC_ARRIVAL_BAD_OPTIONS);
        for (n = 0; n < 9; n++)
            options[2 + 2 * n] = 0x1e;
        options[20] = 1;
        options[21] = 2;
        w = with_header(e10, types[i], options, sizeof options);
        out = arrive(&w, NULL, &c, 1);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD_ARRIVAL);
        CHECK_EQ(out.arrival, ROCECC_ARRIVAL_UNSUPPORTED);
        options[18] = 1; /* 8 options, and a PadN of 6 bytes */
        options[19] = 4;
        options[20] = options[21] = 0;
        w = with_header(e10, types[i], options, sizeof options);
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_FORWARD);
    }
}

/* RFC 8986, 4.1.1: a rejected upper layer gives a Parameter Problem of code 4. */
TEST(srv6_pe_rejected_upper_layers_give_code_4)
{
    const rocecc_srv6_pe_config c = config_of();
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    unsigned next;
    for (next = 0; next < 256; next++) {
        vec_packet w = e10;
        rocecc_srv6_pe_result out;
        if (next == 0 || next == 43 || next == 44 || next == 60 || next == 135 ||
            next == 139 || next == 140 || next == 4 || next == 41 || next == 51 ||
            next == 253 || next == 50)
            continue; /* extension headers, tunnels, IFA, and ESP */
        w.bytes[14 + 6] = (uint8_t)next;
        out = arrive(&w, NULL, &c, 1);
        test_context("next header %u", next);
        CHECK_EQ(out.verdict,
                 next == 58 ? ROCECC_SRV6_PE_HOST : ROCECC_SRV6_PE_UNEXPECTED_UPPER);
        CHECK_EQ(out.icmp.type, next == 58 ? 0 : 4);
        if (next != 58)
            CHECK(out.icmp.code == 4 && out.icmp.value == 40 && out.icmp.offset == 14);
    }
}

/* The longest packet of IPv6, with 65,575 bytes, is too long for a copy. */
TEST(srv6_pe_ingress_refuses_to_copy_65575_bytes)
{
    static uint8_t packet[65575], out[65700];
    const rocecc_srv6_pe_config c = config_of();
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    memset(packet, 0, sizeof packet);
    packet[0] = 0x60;
    packet[7] = 64;
    rocecc_store16(packet + 4, 0xffff);
    CHECK_EQ(
        enter(&c, rocecc_reader_of(packet, packet + sizeof packet), policy_e9(), 0, &w)
            .why,
        ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(w.at, 0);
}

/* 65,535 bytes are copied, but not 65,536. Without an SRH they fit Payload Length. */
TEST(srv6_pe_ingress_copies_at_most_65535_bytes)
{
    static uint8_t packet[65536], out[65700];
    rocecc_srv6_pe_config c = config_of();
    unsigned over;
    c.reduced = true;
    memset(packet, 0, sizeof packet);
    packet[0] = 0x60;
    packet[7] = 64;
    packet[65534] = 0xee;
    for (over = 0; over < 2; over++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        const rocecc_reader r = rocecc_reader_of(packet, packet + sizeof packet);
        rocecc_srv6_pe_ingress_result entered;
        rocecc_store16(packet + 4, (uint16_t)(65535 - 40 + over));
        entered = enter(&c, r, rocecc_reader_of(r2.b, r2.b + 16), 0, &w);
        CHECK_EQ(entered.verdict, over ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        CHECK_EQ(entered.why, over ? ROCECC_ERR_UNSUPPORTED : ROCECC_OK);
        CHECK_EQ(w.at, over ? 0 : 40 + 65535);
        CHECK(over || (rocecc_load16(out + 4) == 0xffff && out[40 + 65534] == 0xee));
    }
}

/* RFC 8986, 4.8: segments left give a Parameter Problem of code 0 at Segments Left. */
TEST(srv6_pe_segments_left_give_a_parameter_problem)
{
    const rocecc_srv6_pe_config c = config_of();
    vec_packet w = vec_find(SRV6_ROWS, "e11");
    rocecc_srv6_pe_result out;
    memcpy(w.bytes + 14 + 24, con.b, 16);
    out = arrive(&w, NULL, &c, 1);
    CHECK(out.icmp.type == 4 && out.icmp.code == 0);
    CHECK(out.icmp.value == 43 && out.icmp.offset == 14);
}

/* A Fast CNP with a payload is NOT_CNP, because the payload could carry other data. */
TEST(R_CON_11_a_fast_cnp_with_a_payload_is_not_cnp)
{
    vec_packet w = vec_find(SRV6_ROWS, "e10");
    w.bytes[14 + 5] += 4;
    w.bytes[0x36 + 5] += 4;
    w.bytes[0x7b] += 4;
    w.n += 4;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
}

/* A Fast CNP with IFA or INT is NOT_CNP, even if its length is right. */
TEST(R_CON_11_a_fast_cnp_with_ifa_or_int_is_not_cnp)
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

/* An ordinary CNP slows down a QP of the data centre, so a strict END.CON rejects it,
 * even over IPv4 or from a listed source in a switch's tunnel. */
TEST(R_CON_8_R_CON_11_strict_rejects_ordinary_cnps)
{
    static const rocecc_ip6 listed = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, 1}};
    rocecc_srv6_pe_config c = config_of();
    rocecc_srv6_pe_config from = c, unlisted = c;
    unsigned i;
    from.end_con = listed; /* a switch's tunnel */
    unlisted.end_con.b[15] ^= 1;
    for (i = 0; i < 32; i++) {
        const bool data = i & 1, v4 = i & 2, v4_listed = i & 4, group = i & 8,
                   tunnel = i & 16;
        const rocecc_ip4 src = {{10, v4_listed ? 9 : 0, 0, 1}};
        const rocecc_ip4 dst = {{group ? 224 : 10, 0, 0, 2}};
        rocecc_acl_entry e[2] = {
            {{{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}}, 48, 1, 0, 0},
            {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9}}, 112, 1, 0, 0}};
        rocecc_acl acl = {NULL, 0, 0};
        rocecc_cnp cnp = rocecc_cnp_default();
        uint8_t packet[100];
        vec_packet w = {{0}, 0};
        rocecc_writer inner = rocecc_writer_of(packet, packet + sizeof packet);
        rocecc_writer out = rocecc_writer_of(w.bytes, w.bytes + sizeof w.bytes);
        rocecc_srv6_pe_result what;
        rocecc_packet p;
        uint32_t at;
        unsigned should = ROCECC_SRV6_PE_NOT_CNP;
        test_context("case %u", i);
        CHECK_EQ(rocecc_acl_init(&acl, e, 2, &at), ROCECC_ACL_ACCEPTED);
        cnp.src = v4 ? rocecc_ip6_of_ip4(&src) : listed;
        cnp.dst = v4 ? rocecc_ip6_of_ip4(&dst) : r2;
        CHECK_EQ(rocecc_cnp_build(&inner, &cnp), ROCECC_OK);
        if (data) packet[v4 ? 28 : 48] = 4;
        rocecc_store16(rocecc_put(&out, 14) + 12, 0x86dd);
        CHECK_EQ(enter(tunnel ? &from : &unlisted, rocecc_written(&inner),
                       rocecc_reader_of(con.b, con.b + 16), 0, &out)
                     .verdict,
                 ROCECC_SRV6_PE_FORWARD);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(w.bytes, w.bytes + out.at),
                                  &p);
        rocecc_srv6_pe_end_con(&c, &acl, &p,
                               rocecc_writer_of(w.bytes, w.bytes + out.at), &what);
        if (group && v4) should = ROCECC_SRV6_PE_BAD_ARRIVAL;
        CHECK_EQ(what.verdict, should);
    }
}

/* FC-08: a Fast CNP with a Routing header before its options header is NOT_CNP. */
TEST(R_CON_8_a_fast_cnp_with_a_routing_header_is_not_cnp)
{
    unsigned left;
    for (left = 0; left < 2; left++) {
        vec_packet w = vec_find(SRV6_ROWS, "e10");
        uint8_t *srh = w.bytes + 0x36 + 40;
        memmove(srh + 24, srh, w.n - 0x36 - 40);
        memset(srh, 0, 24);
        srh[0] = w.bytes[0x36 + 6];
        srh[1] = 2;
        srh[2] = 4;
        srh[3] = (uint8_t)left;
        w.bytes[0x36 + 6] = 43;
        w.bytes[0x36 + 5] += 24;
        w.bytes[14 + 5] += 24;
        w.n += 24;
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_NOT_CNP);
    }
}

/* RFC 8200, 4.1: outside, Hop-by-Hop must be first. Destination Options may repeat. */
TEST(srv6_pe_outer_hop_by_hop_must_be_first)
{
    const uint8_t header[8] = {0, 0, 1, 4, 0, 0, 0, 0};
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    vec_packet w = with_outer(e10, ROCECC_PROTO_DSTOPTS, header);
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_FORWARD);
    w = with_outer(w, ROCECC_PROTO_DSTOPTS, header);
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(end_con(with_outer(w, ROCECC_PROTO_HOPOPTS, header)),
             ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(end_con(with_outer(w, ROCECC_PROTO_DSTOPTS, header)),
             ROCECC_SRV6_PE_FORWARD); /* any number: RFC 8200, 4.1 */
    w = with_outer(e10, ROCECC_PROTO_HOPOPTS, header);
    CHECK_EQ(end_con(with_outer(w, ROCECC_PROTO_DSTOPTS, header)),
             ROCECC_SRV6_PE_BAD_ARRIVAL);
}

/* E11 at R1, by hand: Segments Left 0, to END.CON, one hop less. RFC 8986, 4.1. */
TEST(R_CON_10_end_forwards_e11_to_the_next_segment)
{
    const rocecc_ip6 r1 = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}};
    const vec_packet e11 = vec_find(SRV6_ROWS, "e11");
    unsigned i;
    (void)config_of();
    for (i = 0; i < 9; i++) {
        static const rocecc_srv6_pe_verdict verdict[] = {
            ROCECC_SRV6_PE_FORWARD,      ROCECC_SRV6_PE_NO_HOPS_LEFT,
            ROCECC_SRV6_PE_NO_HOPS_LEFT, ROCECC_SRV6_PE_BAD,
            ROCECC_SRV6_PE_BAD,          ROCECC_SRV6_PE_UNEXPECTED_UPPER,
            ROCECC_SRV6_PE_OTHER,        ROCECC_SRV6_PE_HOST,
            ROCECC_SRV6_PE_FORWARD};
        vec_packet w = e11, should;
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        uint8_t *ip = w.bytes + 14;
        size_t end = w.n;
        if (i == 1 || i == 2) ip[7] = (uint8_t)(2 - i);
        if (i == 3) ip[40 + 4] = 2; /* Last Entry beyond the SRH */
        if (i == 4) ip[40 + 3] = 3; /* above Last Entry + 1 */
        if (i == 5 || i == 7) ip[40 + 3] = 0;
        if (i == 6) ip[24 + 15] ^= 1;
        if (i == 7) ip[40] = 58;
        if (i == 8) ip[40 + 3] = 2;
        should = w;
        test_context("case %u", i);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(w.bytes, w.bytes + end),
                                  &p);
        memset(&out, 0xa5, sizeof out);
        rocecc_srv6_pe_end(&r1, &p, rocecc_writer_of(w.bytes, w.bytes + end), &out);
        CHECK_EQ(out.verdict, verdict[i]);
        CHECK_EQ(out.alarm, 0);
        CHECK_EQ(out.arrival, 0);
        CHECK_RECORD(ROCECC_SRV6_FIELDS, rocecc_srv6, &out.tunnel, "");
        if (i == 0) memcpy(should.bytes + 14 + 24, con.b, 16);
        if (i == 0 || i == 8) should.bytes[14 + 40 + 3]--;
        if (i == 0 || i == 8) should.bytes[14 + 7]--;
        CHECK(memcmp(&w, &should, sizeof w) == 0);
        if (i == 3 || i == 4) CHECK_EQ(out.why, ROCECC_SRV6_BROKEN);
    }
}

/* end() checks options, too. If the writer is too short, nothing is written. */
TEST(srv6_pe_end_checks_options_and_the_writer)
{
    const rocecc_ip6 r1 = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}};
    const vec_packet e11 = vec_find(SRV6_ROWS, "e11");
    const uint8_t header[8] = {0, 0, 0x9e, 4, 0, 0, 0, 0};
    vec_packet w = with_outer(e11, ROCECC_PROTO_HOPOPTS, header), was;
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    size_t n;
    (void)config_of();
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(w.bytes, w.bytes + w.n), &p);
    was = w;
    rocecc_srv6_pe_end(&r1, &p, rocecc_writer_of(w.bytes, w.bytes + w.n), &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD_ARRIVAL);
    CHECK_EQ(out.arrival, ROCECC_ARRIVAL_UNKNOWN_OPTION);
    CHECK_EQ(out.icmp.value, 42);
    CHECK(memcmp(&was, &w, sizeof w) == 0);
    w = was = e11;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(w.bytes, w.bytes + w.n), &p);
    for (n = 0; n < 14 + 48; n++) {
        memset(&out, 0xa5, sizeof out);
        rocecc_srv6_pe_end(&r1, &p, rocecc_writer_of(w.bytes, w.bytes + n), &out);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
        CHECK_EQ(out.why, ROCECC_SRV6_BROKEN);
        CHECK(memcmp(&was, &w, sizeof w) == 0);
    }
}

/* ICMPv6 to END.CON is HOST, because it may be about END.CON's own tunnels. */
TEST(R_CON_11_icmp6_to_end_con_is_for_the_host)
{
    vec_packet w = vec_find(SRV6_ROWS, "e10");
    w.bytes[14 + 6] = 58;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_HOST);
}

/* Segments left, nested tunnels, no IP inside, and too long inner packets are BAD. */
TEST(srv6_pe_each_bad_packet_has_its_reason)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    vec_packet w = e10;
    w.bytes[0x36] = 0x5c;
    CHECK_EQ(reason_of(w), ROCECC_SRV6_NOT_IP);
    w = e10;
    w.bytes[0x36] = 0x4c; /* another version than in the outer header */
    CHECK_EQ(reason_of(w), ROCECC_SRV6_NOT_IP);
    w = e10;
    w.bytes[0x36 + 5]++; /* longer than the outer payload */
    CHECK_EQ(reason_of(w), ROCECC_SRV6_NOT_IP);
    w = e10;
    w.bytes[0x36 + 6] = 41;
    CHECK_EQ(reason_of(w), ROCECC_SRV6_NESTED);
    w = e10;
    w.bytes[0x36 + 6] = 4;
    CHECK_EQ(reason_of(w), ROCECC_SRV6_NESTED);
    w = e10;
    w.n = 0x36 + 39;
    CHECK_EQ(end_con(w), ROCECC_SRV6_PE_BAD_ARRIVAL);
    w = vec_find(SRV6_ROWS, "e11");
    memcpy(w.bytes + 14 + 24, con.b, 16);
    CHECK_EQ(reason_of(w), ROCECC_SRV6_SEGMENTS_LEFT);
    w.bytes[14 + 40 + 3] = 0;
    w.bytes[14 + 40 + 4] = 5; /* Last Entry */
    CHECK_EQ(reason_of(w), ROCECC_SRV6_BROKEN);
}

/* A packet with one hop is not forwarded. The drop for ECN is checked before. */
TEST(srv6_pe_forwards_only_packets_with_two_hops)
{
    unsigned hops;
    for (hops = 0; hops < 4; hops++) {
        const rocecc_srv6_pe_config c = config_of();
        vec_packet w = vec_find(SRV6_ROWS, "e10"), inside;
        rocecc_srv6_pe_result out;
        w.bytes[0x36 + 7] = (uint8_t)hops;
        inside = w;
        out = arrive(&inside, NULL, &c, 1);
        CHECK_EQ(out.verdict,
                 hops < 2 ? ROCECC_SRV6_PE_NO_HOPS_LEFT : ROCECC_SRV6_PE_FORWARD);
        CHECK_EQ(out.icmp.type, hops < 2 ? 3 : 0); /* about the inner packet */
        if (hops < 2) CHECK_EQ(out.icmp.offset, 0x36);
        w.bytes[15] |= 0x30; /* RFC 6040: CE outside, Not-ECT inside */
        CHECK_EQ(end_con(w), ROCECC_SRV6_PE_ECN_CONFLICT);
        w.bytes[0x37] |= 0x20;
        CHECK_EQ(end_con(w),
                 hops < 2 ? ROCECC_SRV6_PE_NO_HOPS_LEFT : ROCECC_SRV6_PE_FORWARD);
    }
}

/* If the writer ends before byte 20 of the inner packet, the packet is unchanged. */
TEST(srv6_pe_egress_needs_20_bytes_of_the_inner_packet)
{
    vec_packet w = vec_find(SRV6_ROWS, "e10");
    const vec_packet was = w;
    const rocecc_reader r = rocecc_reader_of(w.bytes, w.bytes + w.n);
    rocecc_packet p;
    size_t n;
    (void)config_of();
    (void)rocecc_packet_parse(&domain, r, &p);
    for (n = 0; n < 0x36 + 20; n++) {
        rocecc_srv6_pe_result out;
        rocecc_srv6_pe_egress(&con, &p, rocecc_writer_of(w.bytes, w.bytes + n), &out);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
        CHECK(memcmp(&was, &w, sizeof w) == 0);
    }
}

/* No prefix of E10 is forwarded. */
TEST(srv6_pe_prefixes_of_e10_are_not_forwarded)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    size_t n;
    for (n = 0; n < e10.n; n++) {
        vec_packet w = e10;
        unsigned verdict;
        w.n = n;
        verdict = end_con(w);
        test_context("%zu bytes", n);
        CHECK_EQ(verdict,
                 n < 14 + 40 ? ROCECC_SRV6_PE_OTHER : ROCECC_SRV6_PE_BAD_ARRIVAL);
    }
}

/* The law holds for random bytes, and they give every verdict except TOO_BIG. */
TEST(srv6_pe_law)
{
    unsigned i;
    memset(law_srv6_pe_seen, 0, sizeof law_srv6_pe_seen);
    law_random(law_srv6_pe, 20000);
    if (test_rounds(20000) < 20000) return; /* too few for rare verdicts */
    for (i = 0; i < ROCECC_SRV6_PE_VERDICTS; i++) {
        if (i == ROCECC_SRV6_PE_TOO_BIG) continue; /* not in the law */
        test_context("verdict %u", i);
        CHECK(law_srv6_pe_seen[i] != 0);
    }
}

/* Only OTHER needs no action, because this packet is forwarded unchanged. */
TEST(srv6_pe_every_verdict_except_other_needs_action)
{
    int v;
    for (v = 0; v < ROCECC_SRV6_PE_VERDICTS; v++)
        CHECK_EQ(rocecc_srv6_pe_needs_action((rocecc_srv6_pe_verdict)v),
                 v != ROCECC_SRV6_PE_OTHER);
}

/* 2001:db8::c, the SID of the tests below. */
static const rocecc_ip6 sid_c = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}};

static const rocecc_domain ip_domain = {.link = ROCECC_LINK_IP};

/* Writes an IPv6 header from 2001:db8::a with 64 hops, for `bytes` bytes after it. */
static void head6(uint8_t *b, uint16_t bytes, uint8_t next, const rocecc_ip6 *dst)
{
    memset(b, 0, ROCECC_IPV6_BYTES);
    b[0] = 0x60;
    rocecc_store16(b + 4, bytes);
    b[6] = next;
    b[7] = 64;
    memcpy(b + 8, sid_c.b, 16);
    b[8 + 15] = 0x0a;
    memcpy(b + 24, dst->b, 16);
}

static rocecc_packet packet_at(const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* Writes an IPv4 packet of 40 bytes, of an experimental protocol, with the SID at the
 * offset of IPv6's destination. */
static void fake4(uint8_t *b)
{
    memset(b, 0, 40);
    b[0] = 0x45;
    b[3] = 40;
    b[8] = 64;
    b[9] = 253;
    b[12] = b[16] = 10;
    b[15] = 1;
    b[19] = 2;
    memcpy(b + 24, sid_c.b, 16);
}

/* An IPv4 packet is not for a SID, even if its payload has the SID at this offset. */
TEST(srv6_pe_ip4_is_not_for_a_sid)
{
    uint8_t b[40];
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    fake4(b);
    p = packet_at(b, sizeof b);
    CHECK_EQ(p.headers.ip.version, 4);
    rocecc_srv6_pe_accept(&sid_c, &p, &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
    rocecc_srv6_pe_egress(&sid_c, &p, rocecc_writer_of(b, b + sizeof b), &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
    rocecc_srv6_pe_end(&sid_c, &p, rocecc_writer_of(b, b + sizeof b), &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
}

/* A step does nothing unless the verdict is FORWARD, even for a bad packet. */
TEST(srv6_pe_steps_act_only_on_forward)
{
    const rocecc_acl empty = {NULL, 0, 0};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    uint8_t b[40], was[40];
    rocecc_packet p;
    unsigned verdict, why;
    c.end_con = sid_c;
    fake4(b);
    memcpy(was, b, sizeof b);
    p = packet_at(b, sizeof b);
    for (verdict = 0; verdict < ROCECC_SRV6_PE_VERDICTS; verdict++)
        for (why = 0; why <= ROCECC_SRV6_NESTED; why++) {
            const rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            rocecc_srv6_pe_result out;
            if (verdict == ROCECC_SRV6_PE_FORWARD) continue;
            test_context("verdict %u, why %u", verdict, why);
            memset(&out, 0, sizeof out);
            out.tunnel = rocecc_srv6_none(p.bytes);
            out.verdict = (rocecc_srv6_pe_verdict)verdict;
            out.why = (rocecc_srv6_verdict)why;
            rocecc_srv6_pe_decapsulate(&sid_c, &p, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_check_inner(&p, true, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_check_cnp(&c, &p, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_check_sources(&c, &empty, &p, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_merge(w, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_next(&p, w, &out);
            CHECK_EQ(out.verdict, verdict);
            CHECK_EQ(out.why, why);
            CHECK(memcmp(b, was, sizeof b) == 0);
        }
}

/* If the writer ends before byte 20 of the inner packet, nothing is written, not even
 * in the outer header. */
TEST(srv6_pe_egress_writes_nothing_into_a_short_writer)
{
    static const rocecc_ip6 host = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b}};
    size_t n;
    for (n = 0; n <= 80; n++) {
        uint8_t b[80], was[80];
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        head6(b, 40, ROCECC_PROTO_IPV6, &sid_c);
        head6(b + 40, 0, ROCECC_PROTO_NONE, &host);
        memcpy(was, b, sizeof b);
        p = packet_at(b, sizeof b);
        if (n >= 60 && n < 80) continue;
        test_context("%zu bytes", n);
        rocecc_srv6_pe_egress(&sid_c, &p, rocecc_writer_of(b, b + n), &out);
        CHECK_EQ(out.verdict, n < 80 ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        if (n == 80) was[40 + 7] = 63;
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
}

/* end() writes up to the first 8 bytes of the SRH. A writer that ends there is long
 * enough, and with one byte less nothing is written. */
TEST(srv6_pe_end_writes_only_up_to_the_segments)
{
    static const rocecc_ip6 next = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0d}};
    size_t n;
    for (n = 0; n <= 80; n++) {
        uint8_t b[80], was[80];
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        head6(b, 40, ROCECC_PROTO_ROUTING, &sid_c);
        memset(b + 40, 0, 40);
        b[40] = ROCECC_PROTO_NONE;
        b[41] = 4; /* two segments, 32 bytes */
        b[42] = 4; /* an SRH */
        b[43] = 1; /* Segments Left */
        b[44] = 1; /* Last Entry */
        memcpy(b + 48, next.b, 16);
        memcpy(b + 64, sid_c.b, 16);
        memcpy(was, b, sizeof b);
        p = packet_at(b, sizeof b);
        test_context("%zu bytes", n);
        rocecc_srv6_pe_end(&sid_c, &p, rocecc_writer_of(b, b + n), &out);
        CHECK_EQ(out.verdict, n < 48 ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        if (n >= 48) {
            was[7] = 63;
            was[43] = 0;
            memcpy(was + 24, next.b, 16);
        }
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
}

/* push() copies nothing, so the reader may be longer than any packet. */
TEST(srv6_pe_push_accepts_a_reader_longer_than_a_packet)
{
    static const rocecc_ip6 host = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b}};
    static uint8_t b[100 + 65536];
    const rocecc_srv6_pe_path way = {rocecc_reader_of(host.b, host.b + 16), 0, 0};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_srv6_pe_ingress_result out;
    c.end_con = sid_c;
    c.reduced = true;
    memset(b, 0xa5, sizeof b);
    head6(b + 100, 0, ROCECC_PROTO_NONE, &host);
    r.at = 100;
    rocecc_srv6_pe_push(&c, r, &way, &w, &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(w.at, 60); /* an IPv6 header before the packet */
    CHECK_EQ(b[59], 0xa5);
    CHECK_EQ(b[60], 0x60);
    CHECK_EQ(rocecc_load16(b + 64), 40);
    CHECK_EQ(b[66], ROCECC_PROTO_IPV6);
    CHECK(memcmp(b + 60 + 8, sid_c.b, 16) == 0);
    CHECK(memcmp(b + 60 + 24, host.b, 16) == 0);
    CHECK_EQ(b[100 + 7], 63);
    CHECK_EQ(b[140], 0xa5);
}

#define UNTOUCHED 0xa5
/* An RC SEND Only with CE, 2001:db8::2 to 2001:db8::1. UDP is at 40, BTH at 48. */
#define DATA6                                                                          \
    "60300000 00181140 20010db8 00000000 00000000 00000002 20010db8 00000000 00000000" \
    "00000001 c00012b7 00180000 0400ffff 0000abcd 00000007 00000000"

/* If the IP header was cut after it was parsed, check_sources() gives NOT_CNP, and
 * accept() gives OTHER. */
TEST(srv6_pe_ip_header_cut_after_parsing_is_rejected)
{
    const rocecc_domain d = kept_domain();
    const rocecc_ip6 sid = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = kept_anybody(&entry);
    rocecc_packet p = kept_packet(&d, DATA6);
    rocecc_srv6_pe_result is;
    rocecc_srv6_pe_accept(&sid, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_SRV6_PE_FORWARD);
    kept_shorten(&p.headers.ip);
    rocecc_srv6_pe_check_sources(&c, &list, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_SRV6_PE_NOT_CNP);
    p = kept_packet(&d, DATA6);
    p.headers.ip.end = (uint32_t)p.headers.ip.offset + ROCECC_IPV6_BYTES - 1;
    rocecc_srv6_pe_accept(&sid, &p, &is);
    CHECK_EQ(is.verdict, ROCECC_SRV6_PE_OTHER);
}

/* Each case fails two or more checks of the ingress. The first gives the verdict. */
TEST(srv6_pe_ingress_gives_the_verdict_of_the_first_failure)
{
    static const struct {
        uint32_t mtu;
        uint8_t hops, policy; /* bytes of the policy */
        uint16_t cut, room;   /* bytes missing in `packet`, bytes of the writer */
        uint32_t label;
        rocecc_srv6_pe_verdict verdict;
        rocecc_status why;
    } cases[] = {{0, 1, 0, 0, 1500, 0, ROCECC_SRV6_PE_NO_HOPS_LEFT, ROCECC_OK},
                 {1, 1, 16, 1, 1500, 0, ROCECC_SRV6_PE_NO_HOPS_LEFT, ROCECC_OK},
                 {1, 2, 17, 0, 1500, 0, ROCECC_SRV6_PE_BAD, ROCECC_ERR_RANGE},
                 {1, 2, 16, 1, 1500, 0, ROCECC_SRV6_PE_TOO_BIG, ROCECC_OK},
                 {1, 2, 16, 0, 0, 0, ROCECC_SRV6_PE_TOO_BIG, ROCECC_OK},
                 {0, 2, 16, 1, 0, 0, ROCECC_SRV6_PE_BAD, ROCECC_ERR_SHORT},
                 {0, 2, 16, 0, 0, 1 << 20, ROCECC_SRV6_PE_BAD, ROCECC_ERR_SPACE},
                 {0, 2, 16, 0, 1500, 1 << 20, ROCECC_SRV6_PE_BAD, ROCECC_ERR_RANGE}};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    uint8_t packet[1281] = {0x60}, policy[17] = {0x20}, out[1500];
    unsigned i;
    c.end_con = sid_c;
    rocecc_store16(packet + 4, sizeof packet - 40);
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rocecc_srv6_pe_path way = {
            rocecc_reader_of(policy, policy + cases[i].policy), cases[i].label,
            cases[i].mtu};
        rocecc_writer w = rocecc_writer_of(out, out + cases[i].room);
        rocecc_srv6_pe_ingress_result in;
        packet[7] = cases[i].hops;
        test_context("case %u", i);
        rocecc_srv6_pe_encapsulate(
            &c, rocecc_reader_of(packet, packet + sizeof packet - cases[i].cut), &way,
            &w, &in);
        CHECK_EQ(in.verdict, cases[i].verdict);
        CHECK_EQ(in.why, cases[i].why);
        CHECK_EQ(in.mtu_bytes, in.verdict == ROCECC_SRV6_PE_TOO_BIG ? 1280 : 0);
        CHECK_EQ(w.at, 0);
    }
}

/* Padding after the packet, as from Ethernet, does not enter the tunnel. */
TEST(srv6_pe_ingress_ignores_the_padding_after_the_packet)
{
    const rocecc_srv6_pe_config c = config_of();
    uint8_t packet[200], out[300];
    const size_t n = before_e9(packet);
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    memset(packet + n, 0xee, 6);
    memset(out, UNTOUCHED, sizeof out);
    CHECK_EQ(
        enter(&c, rocecc_reader_of(packet, packet + n + 6), policy_e9(), 0, &w).verdict,
        ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(w.at, 80 + n);
    CHECK_EQ(rocecc_load16(out + 4), 40 + n);
    CHECK_EQ(out[80 + n], UNTOUCHED);
}

/* If push() refuses a packet, its hop limit and the room before it are unchanged. */
TEST(srv6_pe_push_leaves_refused_packets_unchanged)
{
    const rocecc_srv6_pe_config c = config_of();
    unsigned i;
    for (i = 0; i < 4; i++) {
        const rocecc_srv6_pe_path way = {policy_e9(), i == 0 ? 1 << 20 : 0,
                                         i == 1 ? 1 : 0};
        uint8_t bytes[1500], was[1500];
        rocecc_reader r = rocecc_reader_of(bytes, bytes + 148);
        rocecc_writer w = rocecc_writer_of(bytes, bytes + (i == 2 ? 147 : 148));
        rocecc_srv6_pe_ingress_result in;
        memset(bytes, UNTOUCHED, sizeof bytes);
        (void)before_e9(bytes + 100);
        if (i == 1) rocecc_store16(bytes + 104, 1281 - 40);
        if (i == 3) r.end = 139; /* a byte of the IP header is missing */
        memcpy(was, bytes, sizeof bytes);
        w.at = 7;
        test_context("case %u", i);
        rocecc_srv6_pe_push(&c, rocecc_subrange(r, 100, r.end), &way, &w, &in);
        CHECK_EQ(in.verdict, i == 1 ? ROCECC_SRV6_PE_TOO_BIG : ROCECC_SRV6_PE_BAD);
        CHECK_EQ(in.why, i == 0   ? ROCECC_ERR_RANGE
                         : i == 1 ? ROCECC_OK
                         : i == 2 ? ROCECC_ERR_SPACE
                                  : ROCECC_ERR_SHORT);
        CHECK_EQ(w.at, 7);
        CHECK(memcmp(bytes, was, sizeof bytes) == 0);
    }
}

/* A DSCP of 7 bits is refused, although copy_dscp does not use it. */
TEST(srv6_pe_init_refuses_a_wide_dscp_with_copy_dscp)
{
    rocecc_srv6_pe_config c = config_of();
    c.copy_dscp = true;
    c.dscp = 64;
    CHECK_EQ(rocecc_srv6_pe_init(&c, &domain), ROCECC_SRV6_PE_REFUSED_DSCP);
}

/* An egress and an open END.CON forward an inner packet to a group, but a strict
 * END.CON does not. */
TEST(srv6_pe_only_a_strict_end_con_rejects_a_group)
{
    static const rocecc_ip6 group = {{0xff, 0x0e, [15] = 1}};
    unsigned i;
    for (i = 0; i < 3; i++) {
        const rocecc_acl_entry any = {{{0}}, 0, 1, 0, ROCECC_ACL_NONE};
        const rocecc_acl access = rocecc_acl_attach(&any, 1);
        rocecc_srv6_pe_config c = ROCECC_ZERO;
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        uint8_t b[80];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        c.end_con = sid_c;
        c.open = i == 1;
        head6(b, 40, ROCECC_PROTO_IPV6, &sid_c);
        head6(b + 40, 0, ROCECC_PROTO_NONE, &group);
        p = packet_at(b, sizeof b);
        test_context("case %u", i);
        if (i == 0)
            rocecc_srv6_pe_egress(&sid_c, &p, w, &out);
        else
            rocecc_srv6_pe_end_con(&c, &access, &p, w, &out);
        CHECK_EQ(out.verdict,
                 i < 2 ? ROCECC_SRV6_PE_FORWARD : ROCECC_SRV6_PE_BAD_ARRIVAL);
        CHECK_EQ(out.arrival,
                 i < 2 ? ROCECC_ARRIVAL_OK : ROCECC_ARRIVAL_BAD_DESTINATION);
    }
}

/* An open END.CON forwards to itself, too, and needs no access list. */
TEST(srv6_pe_an_open_end_con_needs_no_access_list)
{
    static const rocecc_ip6 host = {{0x20, 0x01, 0x0d, 0xb8, [15] = 0x0b}};
    unsigned own;
    for (own = 0; own < 2; own++) {
        rocecc_srv6_pe_config c = ROCECC_ZERO;
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        uint8_t b[80];
        c.end_con = sid_c;
        c.open = true;
        head6(b, 40, ROCECC_PROTO_IPV6, &sid_c);
        head6(b + 40, 0, ROCECC_PROTO_NONE, own ? &sid_c : &host);
        p = packet_at(b, sizeof b);
        rocecc_srv6_pe_end_con(&c, NULL, &p, rocecc_writer_of(b, b + sizeof b), &out);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
        CHECK_EQ(b[40 + 7], 63);
    }
}

/* A writer without the whole inner header is the host's mistake, so it causes no ICMP
 * error, and `why` stays DECAPSULATE. ECN and hops are checked before. */
TEST(srv6_pe_a_short_writer_is_checked_last_without_an_error)
{
    static const rocecc_ip6 host = {{0x20, 0x01, 0x0d, 0xb8, [15] = 0x0b}};
    unsigned i;
    for (i = 0; i < 3; i++) {
        static const rocecc_srv6_pe_verdict verdict[] = {ROCECC_SRV6_PE_BAD,
                                                         ROCECC_SRV6_PE_NO_HOPS_LEFT,
                                                         ROCECC_SRV6_PE_ECN_CONFLICT};
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        uint8_t b[80];
        head6(b, 40, ROCECC_PROTO_IPV6, &sid_c);
        head6(b + 40, 0, ROCECC_PROTO_NONE, &host);
        if (i == 1) b[40 + 7] = 1;
        if (i == 2) b[1] = 0x30; /* CE outside, Not-ECT inside */
        p = packet_at(b, sizeof b);
        test_context("case %u", i);
        rocecc_srv6_pe_egress(&sid_c, &p, rocecc_writer_of(b, b + 40), &out);
        CHECK_EQ(out.verdict, verdict[i]);
        CHECK_EQ(out.why, ROCECC_SRV6_DECAPSULATE);
        CHECK_EQ(out.icmp.type, i == 1 ? ROCECC_ICMP6_TYPE_TIME_EXCEEDED : 0);
    }
}

/* Calls end() for an IPv6 header and an SRH of two segments, 80 bytes with changes. */
static rocecc_srv6_pe_result end_at(const uint8_t *changes, size_t n, size_t room)
{
    uint8_t b[80];
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    size_t i;
    head6(b, 40, ROCECC_PROTO_ROUTING, &sid_c);
    memset(b + 40, 0, 40);
    b[40] = ROCECC_PROTO_NONE;
    b[41] = 4;
    b[42] = ROCECC_SRH_ROUTING_TYPE;
    b[43] = b[44] = 1; /* Segments Left, Last Entry */
    b[48] = b[64] = 0x20;
    for (i = 0; i < n; i += 2) /* pairs of an offset and a value */
        b[changes[i]] = changes[i + 1];
    p = packet_at(b, sizeof b);
    rocecc_srv6_pe_end(&sid_c, &p, rocecc_writer_of(b, b + room), &out);
    return out;
}

/* A Last Entry beyond the SRH is BROKEN even if no segment is left, although RFC 8986,
 * 4.1, S02, then continues at the upper layer. */
TEST(srv6_pe_end_refuses_a_malformed_srh_without_segments_left)
{
    static const uint8_t upper[] = {ROCECC_PROTO_NONE, ROCECC_PROTO_ICMP6};
    unsigned i;
    for (i = 0; i < 2; i++) {
        const uint8_t sound[] = {40, upper[i], 43, 0},
                      malformed[] = {40, upper[i], 43, 0, 44, 2};
        rocecc_srv6_pe_result out = end_at(sound, sizeof sound, 80);
        test_context("upper layer %u", upper[i]);
        CHECK_EQ(out.verdict,
                 i == 0 ? ROCECC_SRV6_PE_UNEXPECTED_UPPER : ROCECC_SRV6_PE_HOST);
        out = end_at(malformed, sizeof malformed, 80);
        CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
        CHECK_EQ(out.why, ROCECC_SRV6_BROKEN);
    }
}

/* The SRH is checked first, then the hop limit, then the writer. A short writer is not
 * the sender's fault, so no ICMP error is due. */
TEST(srv6_pe_end_checks_the_srh_then_hops_then_the_writer)
{
    static const uint8_t malformed[] = {7, 1, 43, 3}, hops[] = {7, 1};
    rocecc_srv6_pe_result out = end_at(malformed, sizeof malformed, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
    CHECK_EQ(out.why, ROCECC_SRV6_BROKEN);
    CHECK(out.icmp.type == ROCECC_ICMP6_TYPE_PROBLEM && out.icmp.code == 0);
    CHECK_EQ(out.icmp.value, 43);
    out = end_at(hops, sizeof hops, 0);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_NO_HOPS_LEFT);
    CHECK_EQ(out.icmp.type, ROCECC_ICMP6_TYPE_TIME_EXCEEDED);
    out = end_at(hops, 0, 47);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_BAD);
    CHECK_EQ(out.why, ROCECC_SRV6_BROKEN);
    CHECK_EQ(out.icmp.type, 0);
}

/* End does not accept a tunnel as the upper layer (RFC 8986, 4.1.1). */
TEST(srv6_pe_end_does_not_decapsulate)
{
    uint8_t b[80], was[80];
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    head6(b, 40, ROCECC_PROTO_IPV6, &sid_c);
    head6(b + 40, 0, ROCECC_PROTO_NONE, &r2);
    memcpy(was, b, sizeof b);
    p = packet_at(b, sizeof b);
    rocecc_srv6_pe_end(&sid_c, &p, rocecc_writer_of(b, b + sizeof b), &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_UNEXPECTED_UPPER);
    CHECK(out.icmp.type == 4 && out.icmp.code == 4 && out.icmp.value == 40);
    CHECK(memcmp(b, was, sizeof b) == 0);
}
