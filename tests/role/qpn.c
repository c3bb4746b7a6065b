/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * qpn.c - tests a switch that learns from connection management (role/qpn.h) and sends
 * CNPs (role/congestion_point.h). vectors/qpn.vec has the frames that it learns from.
 */
#include "lib/kept.h"
#include "lib/noun.h"
#include "lib/test.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cnp.h"
#include "rocecc/role/congestion_point.h"
#include "rocecc/role/qpn.h"

#include <string.h>

#define FRAME 308 /* bytes of a MAD from its IPv4 header on */
#define AQ 0x123456
#define BQ 0x789abc

static const rocecc_domain domain = {.link = ROCECC_LINK_IP};

typedef struct bridge {
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_slot half[64], known[64];
    rocecc_qpn s;
    rocecc_acl_entry entries[1];
    rocecc_acl access;
    rocecc_qpn_event e;
} bridge;

static bridge *bridge_of(void)
{
    static bridge a;
    uint32_t at;
    memset(&a, 0, sizeof a);
    a.p.secret[0] = 42;
    a.p.half = a.p.known = 64;
    a.p.half_ns = a.p.known_ns = 1000000000;
    CHECK_EQ(rocecc_qpnlearner_init(&a.p), ROCECC_QPNLEARNER_ACCEPTED);
    a.entries[0].permit = 1;
    CHECK_EQ(rocecc_acl_init(&a.access, a.entries, 1, &at), ROCECC_ACL_ACCEPTED);
    a.e.access = &a.access;
    a.e.half = a.half;
    a.e.known = a.known;
    return &a;
}

/* Writes IPv4, UDP and BTH of n bytes in all, from 10.0.0.1 to 10.0.0.2, or back. */
static void head(uint8_t *b, size_t n, bool back, uint8_t opcode, uint32_t qp)
{
    memset(b, 0, n);
    b[0] = 0x45;
    b[1] = 2; /* ECT(0) */
    rocecc_store16(b + 2, (uint16_t)n);
    b[8] = 64;
    b[9] = 17;
    b[12] = b[16] = 10;
    b[15] = back ? 2 : 1;
    b[19] = back ? 1 : 2;
    rocecc_store16(b + 20, 0xc0de);
    rocecc_store16(b + 22, 4791);
    rocecc_store16(b + 24, (uint16_t)(n - 20));
    b[28] = opcode;
    rocecc_store16(b + 30, 0xffff);
    rocecc_store32(b + 32, qp);
}

/* Passes a message of one of the two hosts to the switch. */
static rocecc_qpn_verdict pass_message(bridge *a, bool back, uint16_t attribute,
                                       const uint32_t *ids_qpn)
{
    uint8_t b[FRAME];
    rocecc_writer w = rocecc_writer_of(b, b + FRAME);
    rocecc_cm h = {0, 0, 0, 0, 0};
    rocecc_packet p;
    head(b, FRAME, back, 0x64, 1);
    rocecc_store32(b + 40, 0x80010000);
    rocecc_store32(b + 44, 1);
    w.at = 48;
    h.attribute = attribute;
    h.local_id = ids_qpn[0];
    h.remote_id = ids_qpn[1];
    h.qpn = ids_qpn[2];
    CHECK_EQ(rocecc_cm_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, FRAME - 4);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + FRAME), &p),
             ROCECC_OK);
    return rocecc_qpn_learn(&a->p, &a->s, &p, &a->e);
}

static void connect(bridge *a)
{
    const uint32_t req[3] = {5, 0, AQ}, rep[3] = {6, 5, BQ}, rtu[3] = {5, 6, 0};
    CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_LEARNED);
    CHECK_EQ(pass_message(a, true, ROCECC_CM_REP, rep), ROCECC_QPN_LEARNED);
    CHECK_EQ(pass_message(a, false, ROCECC_CM_RTU, rtu), ROCECC_QPN_LEARNED);
}

/* Returns the reason for a WRITE to `qp` in a full queue. *to is the CNP's QP, or 0. */
static uint8_t congested(const bridge *a, bool back, uint32_t qp, uint32_t *to)
{
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_congestion_event e = ROCECC_ZERO;
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_congestion_result is;
    rocecc_packet p, answer;
    uint8_t b[200], out[100];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_cnp cnp;
    c.standard_cnp = true;
    c.admission.unlimited = true;
    c.cnp = rocecc_cnp_default();
    c.answer = rocecc_opcode_set_data();
    CHECK_EQ(rocecc_congestion_point_init(&c, &domain, &a->access),
             ROCECC_CONGESTION_ACCEPTED);
    s = rocecc_congestion_point_start(&c, 0);
    gate = rocecc_cnpgate_start(&c.gate);
    head(b, sizeof b, back, 0x0a, qp);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p),
             ROCECC_OK);
    e.gate = &gate;
    e.admission.list = &a->access;
    e.verdict = ROCECC_WRED_MARK;
    e.has_qpn = rocecc_qpn_lookup(&a->p, &p, &a->e, &e.qpn);
    is = rocecc_congestion_point_step(&c, &s, &p, &e, &w);
    *to = 0;
    if (is.outputs != ROCECC_CONGESTION_CNP) return is.reason;
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_written(&w), &answer), ROCECC_OK);
    CHECK_EQ(rocecc_cnp_parse(&answer, &cnp), ROCECC_OK);
    CHECK_EQ(cnp.src.b[15], back ? 1 : 2);
    CHECK_EQ(cnp.dst.b[15], back ? 2 : 1);
    *to = cnp.dest_qp;
    return is.reason;
}

/* The CNP for a flow goes to the sending QP, in both directions. None is sent before
 * the connection is known, and none after it has ended. */
TEST(R_L3_14_the_cnp_goes_to_the_senders_own_qp)
{
    bridge *a = bridge_of();
    const uint32_t dreq[3] = {6, 5, AQ};
    uint32_t to;
    CHECK_EQ(congested(a, false, BQ, &to), ROCECC_CONGESTION_NEEDS_QPN);
    connect(a);
    CHECK_EQ(congested(a, false, BQ, &to), ROCECC_CONGESTION_SENT);
    CHECK_EQ(to, AQ);
    CHECK_EQ(congested(a, true, AQ, &to), ROCECC_CONGESTION_SENT);
    CHECK_EQ(to, BQ);
    CHECK_EQ(congested(a, false, BQ ^ 1, &to), ROCECC_CONGESTION_NEEDS_QPN);
    CHECK_EQ(pass_message(a, true, ROCECC_CM_DREQ, dreq), ROCECC_QPN_LEARNED);
    CHECK_EQ(congested(a, false, BQ, &to), ROCECC_CONGESTION_NEEDS_QPN);
    CHECK_EQ(congested(a, true, AQ, &to), ROCECC_CONGESTION_NEEDS_QPN);
    CHECK_EQ(a->s.count[ROCECC_QPN_LEARNED], 4);
    CHECK_EQ(a->s.table_count[ROCECC_QPNLEARNER_LEARNED], 1);
    CHECK_EQ(a->s.table_count[ROCECC_QPNLEARNER_FORGOTTEN], 1);
}

/* Without a list, or with an empty list, the switch learns from no host. */
TEST(R_L3_14_a_missing_or_empty_list_denies_every_host)
{
    bridge *a = bridge_of();
    const uint32_t req[3] = {5, 0, AQ};
    const rocecc_acl empty = {NULL, 0, 0};
    a->e.access = NULL;
    CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_ACCESS_DENIED);
    a->e.access = &empty;
    CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_ACCESS_DENIED);
    a->e.access = &a->access;
    CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_LEARNED);
    CHECK_EQ(a->s.count[ROCECC_QPN_ACCESS_DENIED], 2);
}

/* A host can name a wrong QP only of its own, because the address comes from the
 * packet. It then only slows down its own QP. */
TEST(R_L3_14_a_host_can_name_only_its_own_qps)
{
    bridge *a = bridge_of();
    const uint32_t req[3] = {5, 0, AQ ^ 1}, rep[3] = {6, 5, BQ}, rtu[3] = {5, 6, 0};
    uint32_t to;
    CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_LEARNED);
    CHECK_EQ(pass_message(a, true, ROCECC_CM_REP, rep), ROCECC_QPN_LEARNED);
    CHECK_EQ(pass_message(a, false, ROCECC_CM_RTU, rtu), ROCECC_QPN_LEARNED);
    CHECK_EQ(congested(a, false, BQ, &to), ROCECC_CONGESTION_SENT);
    CHECK_EQ(to, AQ ^ 1); /* at 10.0.0.1, the source of the packet */
}

/* If the IP header was shortened after it was parsed, the packet is MALFORMED. */
TEST(R_L3_14_an_ip_header_cut_after_parsing_is_malformed)
{
    bridge *a = bridge_of();
    uint8_t b[FRAME];
    rocecc_writer w = rocecc_writer_of(b, b + FRAME);
    const rocecc_cm h = {ROCECC_CM_REQ, 0, 5, 0, AQ};
    rocecc_packet p;
    head(b, FRAME, false, 0x64, 1);
    rocecc_store32(b + 40, 0x80010000);
    rocecc_store32(b + 44, 1);
    w.at = 48;
    CHECK_EQ(rocecc_cm_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + FRAME), &p),
             ROCECC_OK);
    p.headers.ip.upper = (uint16_t)(p.headers.ip.offset + ROCECC_IPV4_BYTES - 1);
    CHECK_EQ(rocecc_qpn_learn(&a->p, &a->s, &p, &a->e), ROCECC_QPN_MALFORMED);
    p.headers.ip.upper++;
    CHECK_EQ(rocecc_qpn_learn(&a->p, &a->s, &p, &a->e), ROCECC_QPN_LEARNED);
}

/*
 * A capture that ends in the BTH names no QP, although bytes 5 to 7 of the IPv4 header
 * are the known QP here. With the whole BTH the QP is found, even if all other bytes
 * are cut.
 */
TEST(R_L3_14_lookup_needs_the_whole_bth)
{
    bridge *a = bridge_of();
    const uint32_t qp = 0x784000; /* Identification 0x78, and DF */
    const uint32_t req[3] = {5, 0, AQ}, rep[3] = {6, 5, 0x784000}, rtu[3] = {5, 6, 0};
    uint8_t b[200];
    size_t n;
    CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_LEARNED);
    CHECK_EQ(pass_message(a, true, ROCECC_CM_REP, rep), ROCECC_QPN_LEARNED);
    CHECK_EQ(pass_message(a, false, ROCECC_CM_RTU, rtu), ROCECC_QPN_LEARNED);
    head(b, sizeof b, false, 0x0a, qp);
    rocecc_store32(b + 4, qp);
    for (n = 0; n <= sizeof b; n++) {
        uint32_t to = 77;
        rocecc_packet p;
        test_context("%zu bytes", n);
        (void)rocecc_packet_parse(&domain, noun_reader(b, n), &p);
        CHECK_EQ(rocecc_qpn_lookup(&a->p, &p, &a->e, &to), n >= 40);
        CHECK_EQ(to, n >= 40 ? AQ : 77);
    }
}

/* A host that the list denies is treated as an unlisted host. */
TEST(R_L3_14_messages_of_a_denied_host_are_not_learned)
{
    bridge *a = bridge_of();
    const uint32_t req[3] = {5, 0, AQ};
    rocecc_acl_entry entries[2];
    uint32_t at;
    unsigned denied;
    for (denied = 1; denied <= 2; denied++) { /* the sender, the receiver */
        memset(entries, 0, sizeof entries);
        entries[0].permit = 1; /* ::/0, except this host */
        entries[1].prefix.b[10] = entries[1].prefix.b[11] = 0xff;
        entries[1].prefix.b[12] = 10;
        entries[1].prefix.b[15] = (uint8_t)denied;
        entries[1].length = 128;
        CHECK_EQ(rocecc_acl_init(&a->access, entries, 2, &at), ROCECC_ACL_ACCEPTED);
        CHECK_EQ(pass_message(a, false, ROCECC_CM_REQ, req), ROCECC_QPN_ACCESS_DENIED);
    }
}

/* A trimmed packet is not RoCEv2, so its sender's QP is not looked up. */
TEST(R_L3_14_lookup_ignores_trimmed_packets)
{
    bridge *a = bridge_of();
    uint32_t qpn = 7;
    rocecc_packet p;
    uint8_t b[200];
    connect(a);
    head(b, sizeof b, false, 0x0a, BQ);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p),
             ROCECC_OK);
    p.headers.kind |= ROCECC_PACKET_KIND_PARTIAL;
    CHECK(!rocecc_qpn_lookup(&a->p, &p, &a->e, &qpn));
    CHECK_EQ(qpn, 7);
    p.headers.kind = ROCECC_PACKET_KIND_ROCEV2;
    CHECK(rocecc_qpn_lookup(&a->p, &p, &a->e, &qpn));
    CHECK_EQ(qpn, AQ);
}

/* An RC SEND Only with CE, 2001:db8::2 to 2001:db8::1. UDP is at 40, BTH at 48. */
#define DATA6                                                                          \
    "60300000 00181140 20010db8 00000000 00000000 00000002 20010db8 00000000 00000000" \
    "00000001 c00012b7 00180000 0400ffff 0000abcd 00000007 00000000"

/* Without a whole BTH or IP header, lookup() reads no table and writes no QP. */
TEST(qpn_lookup_ignores_packets_cut_after_parsing)
{
    const rocecc_domain d = kept_domain();
    rocecc_packet p = kept_packet(&d, DATA6);
    rocecc_qpnlearner_params c = ROCECC_ZERO;
    rocecc_qpn_event e = ROCECC_ZERO;
    uint32_t qpn = 42;
    c.half = c.known = 1;
    p.headers.bth = (uint16_t)(p.headers.end - ROCECC_BTH_BYTES + 1);
    CHECK(!rocecc_qpn_lookup(&c, &p, &e, &qpn)); /* reads no table */
    p = kept_packet(&d, DATA6);
    kept_shorten(&p.headers.ip);
    CHECK(!rocecc_qpn_lookup(&c, &p, &e, &qpn));
    CHECK_EQ(qpn, 42);
}

/* ---- Behaviour that may surprise a reader of the header */

/* Writes the whole REQ of 10.0.0.1, with its IPv4 header at b. */
static void request(uint8_t *b)
{
    const rocecc_cm h = {ROCECC_CM_REQ, 0, 5, 0, AQ};
    rocecc_writer w = rocecc_writer_of(b, b + FRAME);
    head(b, FRAME, false, 0x64, 1);
    rocecc_store32(b + 40, 0x80010000);
    rocecc_store32(b + 44, 1);
    w.at = 48;
    CHECK_EQ(rocecc_cm_emit(&w, &h), ROCECC_OK);
}

/* Writes the IPv4 header of a tunnel from 10.0.0.9 to 10.0.0.8, for n bytes. */
static void around(uint8_t *b, size_t n)
{
    memset(b, 0, 20);
    b[0] = 0x45;
    rocecc_store16(b + 2, (uint16_t)(20 + n));
    b[8] = 64;
    b[9] = 4;
    b[12] = b[16] = 10;
    b[15] = 9;
    b[19] = 8;
}

/* Passes n bytes to the switch. Checks that only LEARNED changes the tables. */
static rocecc_qpn_verdict learn(bridge *a, const uint8_t *b, size_t n)
{
    static bridge was;
    rocecc_packet p;
    rocecc_qpn_verdict verdict;
    was = *a;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
    verdict = rocecc_qpn_learn(&a->p, &a->s, &p, &a->e);
    CHECK_EQ(a->s.count[verdict], was.s.count[verdict] + 1);
    if (verdict == ROCECC_QPN_LEARNED) return verdict;
    CHECK(memcmp(was.half, a->half, sizeof was.half) == 0);
    CHECK(memcmp(was.known, a->known, sizeof was.known) == 0);
    CHECK(memcmp(was.s.table_count, a->s.table_count, sizeof was.s.table_count) == 0);
    return verdict;
}

/* Data in a tunnel is looked up by its inner header. A REQ in a tunnel is rejected. */
TEST(R_L3_14_lookup_reads_the_inner_header_of_a_tunnel)
{
    bridge *a = bridge_of();
    uint8_t b[20 + FRAME];
    rocecc_packet p;
    uint32_t qpn = 7;
    connect(a);
    around(b, 200);
    head(b + 20, 200, false, 0x0a, BQ);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + 220), &p), ROCECC_OK);
    CHECK(rocecc_qpn_lookup(&a->p, &p, &a->e, &qpn));
    CHECK_EQ(qpn, AQ);
    around(b, FRAME);
    request(b + 20);
    CHECK_EQ(learn(a, b, sizeof b), ROCECC_QPN_UNEXPECTED_TUNNEL);
}

/* lookup() ignores the list, so entries of a host stay after it leaves the list. */
TEST(R_L3_14_lookup_reads_only_the_time_and_the_known_slots)
{
    bridge *a = bridge_of();
    rocecc_qpn_event e = ROCECC_ZERO;
    uint8_t b[200];
    rocecc_packet p;
    uint32_t qpn = 7;
    connect(a);
    e.known = a->known;
    head(b, sizeof b, true, 0x0a, AQ);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p),
             ROCECC_OK);
    CHECK(rocecc_qpn_lookup(&a->p, &p, &e, &qpn));
    CHECK_EQ(qpn, BQ);
    e.now_ns = a->p.known_ns;
    CHECK(!rocecc_qpn_lookup(&a->p, &p, &e, &qpn));
}

/* TVer comes first, then Q_Key, then PadCnt and length, then the kind of message. */
TEST(R_L3_14_the_header_is_checked_before_the_message)
{
    bridge *a = bridge_of();
    uint8_t b[FRAME];
    request(b);
    rocecc_store16(b + 64, 0x12); /* REJ, which is not learned */
    CHECK_EQ(learn(a, b, FRAME), ROCECC_QPN_OTHER);
    b[29] = 0x10; /* PadCnt 1 */
    CHECK_EQ(learn(a, b, FRAME), ROCECC_QPN_MALFORMED);
    b[43] = 1; /* another Q_Key */
    CHECK_EQ(learn(a, b, FRAME), ROCECC_QPN_OTHER);
    b[29] = 0x01; /* TVer 1 */
    CHECK_EQ(learn(a, b, FRAME), ROCECC_QPN_UNSUPPORTED);
    request(b);
    CHECK_EQ(learn(a, b, FRAME - 1), ROCECC_QPN_MALFORMED); /* a cut capture */
    rocecc_store16(b + 24, FRAME - 20 + 8);
    CHECK_EQ(learn(a, b, FRAME), ROCECC_QPN_OTHER); /* a trimmed packet */
}

/* The message is checked first, then the tunnel, the addresses and the list. */
TEST(R_L3_14_the_list_is_checked_last)
{
    bridge *a = bridge_of();
    uint8_t b[20 + FRAME];
    around(b, FRAME);
    request(b + 20);
    b[39] = 1;    /* from 10.0.0.1 to itself */
    b[49] = 0x10; /* PadCnt 1 */
    a->e.access = NULL;
    CHECK_EQ(learn(a, b, sizeof b), ROCECC_QPN_MALFORMED);
    b[49] = 0;
    CHECK_EQ(learn(a, b, sizeof b), ROCECC_QPN_UNEXPECTED_TUNNEL);
    CHECK_EQ(learn(a, b + 20, FRAME), ROCECC_QPN_BAD_ADDRESS);
    b[39] = 2;
    CHECK_EQ(learn(a, b + 20, FRAME), ROCECC_QPN_ACCESS_DENIED);
}

/* find() needs no table, and writes the message only if it is LEARNED. */
TEST(R_L3_14_find_writes_only_learned_messages)
{
    bridge *a = bridge_of();
    rocecc_qpn_event e = ROCECC_ZERO;
    rocecc_qpnlearner_message m, was;
    rocecc_packet p;
    uint8_t b[FRAME];
    request(b);
    CHECK_EQ(rocecc_packet_parse(&domain, rocecc_reader_of(b, b + FRAME), &p),
             ROCECC_OK);
    memset(&m, 0xa5, sizeof m);
    was = m;
    CHECK_EQ(rocecc_qpn_find(&p, &e, &m), ROCECC_QPN_ACCESS_DENIED);
    CHECK(memcmp(&m, &was, sizeof m) == 0);
    e.access = &a->access;
    CHECK_EQ(rocecc_qpn_find(&p, &e, &m), ROCECC_QPN_LEARNED);
    CHECK_EQ(m.kind, ROCECC_QPNLEARNER_REQ);
    CHECK(m.src_id == 5 && m.dst_id == 0 && m.qpn == AQ);
    CHECK(m.src.b[15] == 1 && m.dst.b[15] == 2);
}

/* A REQ with a wrong IPv4 checksum, UDP checksum and ICRC is LEARNED. */
TEST(R_L3_14_checksums_are_not_checked)
{
    bridge *a = bridge_of();
    uint8_t b[FRAME];
    request(b);
    b[11] = b[27] = b[FRAME - 1] = 0x5a;
    CHECK_EQ(learn(a, b, FRAME), ROCECC_QPN_LEARNED);
    CHECK_EQ(a->s.table_count[ROCECC_QPNLEARNER_ASKED], 1);
}

/* The REQ of ::ffff:10.0.0.1 to ::ffff:10.0.0.2 over IPv6 is rejected, because its
 * sender may not be able to send from 10.0.0.1 over IPv4. */
TEST(R_L3_14_mapped_addresses_in_ipv6_are_rejected)
{
    bridge *a = bridge_of();
    uint8_t b[20 + FRAME] = {0};
    request(b + 20);
    CHECK_EQ(learn(a, b + 20, FRAME), ROCECC_QPN_LEARNED);
    a = bridge_of();
    memmove(b + 24, b + 32, 4); /* source; the destination is at 36 */
    memset(b + 8, 0, 10);
    memset(b + 18, 0xff, 2);
    memmove(b + 20, b + 24, 4);
    memset(b + 24, 0, 10);
    memset(b + 34, 0xff, 2);
    rocecc_store32(b, 0x60000000);
    rocecc_store16(b + 4, FRAME - 20);
    b[6] = 17;
    b[7] = 64;
    CHECK_EQ(learn(a, b, sizeof b), ROCECC_QPN_BAD_ADDRESS);
    b[8] = b[24] =
        0x20; /* 2000::ffff:10.0.0.1 and 2000::ffff:10.0.0.2 are IPv6 hosts */
    CHECK_EQ(learn(a, b, sizeof b), ROCECC_QPN_LEARNED);
}
