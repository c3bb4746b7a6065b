/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * exchange - one congestion, step by step. A data packet crosses an SRv6 domain. A
 * congested switch in the domain sends a Fast CNP, END.CON forwards it to the sender,
 * and the flow slows down. Each arrow is a packet from one role to the next.
 *
 *   sender --> ingress PE ==> switch ==> egress PE --> receiver
 *      ^            ^           |                          |
 *      +------------+== END.CON +                          v
 *      +<---------------------------------------------- its CNP, later
 *
 * Then signals.c shows every other signal, one line each.
 */
#include "exchange.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const rocecc_domain network = {
    .csig = {.wide_tpid = 0x9901},
    .ifa = {.protocol = 253, .layout_a = 1 << 1, .layout_b = 1 << 2},
    .ioam = {.namespace_id = 123, .tx_bytes_bit = 12},
    .fastcnp = {.type_plain = 0x9e, .type_ioam = 0x9f},
    .l3qcn = {.port = 0xcafe},
    .arn = {.port = 0xa41}};

rocecc_reader view(const packet *p)
{
    return rocecc_reader_of(p->bytes, p->bytes + p->n);
}

rocecc_writer room(packet *p)
{
    return rocecc_writer_of(p->bytes, p->bytes + sizeof p->bytes);
}

rocecc_packet located(const packet *p)
{
    return rocecc_packet_attach(&network, view(p), &p->headers);
}

void arrives_as(packet *p, uint16_t type, size_t n)
{
    rocecc_packet out;
    p->n = n;
    (void)rocecc_packet_parse_as(&network, view(p), type, &out);
    p->headers = out.headers;
}

void arrives(packet *p, size_t n)
{
    arrives_as(p, ROCECC_TYPE_IPV6, n);
}

rocecc_ip6 address(const char *text)
{
    rocecc_ip6 a = {{0}};
    (void)inet_pton(AF_INET6, text, a.b);
    return a;
}

static const char *name(const rocecc_ip6 *a)
{
    static char text[4][INET6_ADDRSTRLEN];
    static unsigned i;
    return inet_ntop(AF_INET6, a->b, text[i = (i + 1) % 4], INET6_ADDRSTRLEN);
}

int failed;

void say(const char *who, bool as_told, const char *format, ...)
{
    static int before; /* failures up to the line before */
    va_list args;
    as_told = as_told && failed == before;
    printf("  %-11s ", who);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("%s\n", as_told ? "" : "   <-- and should not");
    failed += !as_told;
    before = failed;
}

void data(packet *p)
{
    const uint16_t bytes = ROCECC_UDP_BYTES + ROCECC_BTH_BYTES + 16 + ROCECC_ICRC_BYTES;
    rocecc_writer w = room(p);
    rocecc_ipv6 ip = {0, ROCECC_ECN_ECT0, 0, 0, ROCECC_PROTO_UDP, 64, {{0}}, {{0}}};
    const rocecc_udp udp = {0xc001, ROCECC_UDP_PORT_ROCEV2, bytes, 0};
    rocecc_bth bth;
    rocecc_packet out;
    uint8_t *payload;
    memset(&bth, 0, sizeof bth);
    ip.payload_length = bytes;
    ip.src = address("2001:db8:a::10");
    ip.dst = address("2001:db8:b::20");
    bth.opcode = 0x04;
    bth.pkey = 0xffff;
    bth.dest_qp = 0x456;
    bth.psn = 1;
    (void)rocecc_ipv6_emit(&w, &ip);
    (void)rocecc_udp_emit(&w, &udp);
    (void)rocecc_bth_emit(&w, &bth);
    payload = rocecc_put(&w, 16 + ROCECC_ICRC_BYTES);
    memset(payload, 0x5a, 16);
    arrives(p, w.at);
    out = located(p);
    failed += rocecc_icrc_emplace(ROCECC_ICRC_STANDARD, &out, room(p)) != ROCECC_OK;
}

static void sender(packet *p)
{
    const rocecc_ip6 receiver = address("2001:db8:b::20");
    data(p);
    say("sender", p->headers.kind == ROCECC_PACKET_KIND_ROCEV2,
        "QP 0x11 sends to QP 0x456 at %s: %zu bytes, ECT(0)", name(&receiver), p->n);
}

static rocecc_srv6_pe_config pe_config(void)
{
    rocecc_srv6_pe_config c;
    memset(&c, 0, sizeof c);
    c.end_con = address("2001:db8:c0::c");
    failed += rocecc_srv6_pe_init(&c, &network) != ROCECC_SRV6_PE_ACCEPTED;
    return c;
}

/* Returns a list with one prefix. */
static rocecc_acl only(rocecc_acl_entry *entry, const char *prefix, uint8_t length)
{
    const rocecc_acl_entry permit = {address(prefix), length, 1, 0, 0};
    rocecc_acl list = {NULL, 0, 0};
    uint32_t at;
    *entry = permit;
    failed += rocecc_acl_init(&list, entry, 1, &at) != ROCECC_ACL_ACCEPTED;
    return list;
}

/*
 * Returns the list of the domain's only switch. More switches need entries and buckets.
 */
static rocecc_acl switches(void)
{
    static rocecc_acl_entry entry;
    return only(&entry, "2001:db8:ffff::2", 128);
}

static void ingress(const packet *from, packet *to)
{
    const rocecc_srv6_pe_config c = pe_config();
    uint8_t policy[32]; /* the last segment first */
    const rocecc_ip6 last = address("2001:db8:e0::d46"),
                     first = address("2001:db8:f2::e");
    rocecc_writer w = room(to);
    rocecc_srv6_pe_path way;
    rocecc_srv6_pe_ingress_result out;
    memcpy(policy, last.b, 16);
    memcpy(policy + 16, first.b, 16);
    way.policy = rocecc_reader_of(policy, policy + 32);
    way.flow_label = 0x54321;
    way.mtu_bytes = 9000;
    rocecc_srv6_pe_encapsulate(&c, view(from), &way, &w, &out);
    arrives(to, w.at);
    say("ingress PE", out.verdict == ROCECC_SRV6_PE_FORWARD,
        "in a tunnel from END.CON %s, by %s to %s: %zu bytes", name(&c.end_con),
        name(&first), name(&last), to->n);
}

rocecc_congestion_config switch_config(void)
{
    rocecc_congestion_config c;
    memset(&c, 0, sizeof c);
    c.fastcnp_enabled = true;
    c.answer = rocecc_opcode_set_data();
    c.cnp = rocecc_cnp_default();
    c.cnp.src = address("2001:db8:ffff::2");
    c.gate = rocecc_cnpgate_paper();
    c.admission = rocecc_admission_for(4, 1000); /* per entry; 5000 in all */
    return c;
}

/* Runs a congestion point for senders in one data centre, behind one END.CON. */
rocecc_congestion_result congested(rocecc_congestion_config *c, const packet *p,
                                   const rocecc_congestion_event *e, packet *answer)
{
    rocecc_acl_entry senders, end_cons;
    const rocecc_acl access = only(&senders, "2001:db8:a::", 48),
                     tunnels = only(&end_cons, "2001:db8:c0::c", 128);
    const rocecc_packet met = located(p);
    rocecc_congestion_event with = *e;
    rocecc_admission_source sources[1]; /* one per entry, indexed by its tag */
    rocecc_writer w = room(answer);
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_congestion_result out;
    failed += rocecc_congestion_point_init(c, &network, &access) !=
              ROCECC_CONGESTION_ACCEPTED;
    s = rocecc_congestion_point_start(c, 0);
    gate = rocecc_cnpgate_start(&c->gate);
    sources[0] = rocecc_admission_source_start(&c->admission, 0);
    with.gate = &gate;
    with.admission.list = &access;
    with.admission.sources = sources;
    with.admission.n_sources = 1;
    with.tunnels = &tunnels;
    out = rocecc_congestion_point_step(c, &s, &met, &with, &w);
    arrives(answer, w.at);
    return out;
}

/* Handles a packet in a queue of 800 kB. */
static void congestion(packet *p, packet *answer)
{
    const rocecc_wred_params wred = rocecc_wred_dcqcn_paper();
    rocecc_congestion_config c = switch_config();
    rocecc_congestion_event e;
    const rocecc_packet met = located(p);
    rocecc_congestion_result out;
    memset(&e, 0, sizeof e);
    e.verdict = rocecc_wred_decide(&wred, 800000, ROCECC_ECN_ECT0, 0);
    e.sender_support = ROCECC_FASTCNP_SUPPORT_UNKNOWN;
    out = congested(&c, p, &e, answer);
    say("switch", (out.outputs & ROCECC_CONGESTION_FAST_CNP) != 0,
        "800000 bytes queued, WRED marks: a Fast CNP of %zu bytes to END.CON",
        answer->n);
    say("",
        (out.outputs & ROCECC_CONGESTION_MARK) != 0 &&
            rocecc_congestion_point_mark(&met, room(p)),
        "the sender may not know it (FC-01): CE in the outer header as well");
}

/* Decapsulates p, and copies the forwarded packet to *to. */
static void end_con(packet *p, packet *to)
{
    const rocecc_srv6_pe_config c = pe_config();
    const rocecc_acl access = switches();
    const rocecc_packet came = located(p);
    rocecc_srv6_pe_result out;
    rocecc_writer w = room(to);
    memset(&out, 0, sizeof out); /* end_con() writes a tunnel only if it finds one */
    rocecc_srv6_pe_end_con(&c, &access, &came, room(p), &out);
    (void)rocecc_append(&w, out.tunnel.inner, sizeof to->bytes);
    arrives(to, w.at);
    say("END.CON", out.verdict == ROCECC_SRV6_PE_FORWARD,
        "a CNP, and %s is on the list: forwarded, %zu bytes",
        name(&out.tunnel.outer.src), to->n);
}

rocecc_reaction_result gated(const packet *p)
{
    const rocecc_acl access = switches();
    rocecc_admission_source sources[1]; /* one per entry, indexed by its tag */
    const rocecc_reaction_event e = {{0, &access, NULL, sources, 1},
                                     ROCECC_REACTION_PEER_UNKNOWN};
    const rocecc_packet came = located(p);
    rocecc_reaction_config c;
    rocecc_reaction_point s;
    rocecc_reaction_result out;
    memset(&c, 0, sizeof c);
    c.fastcnp_enabled = c.check_icrc = true;
    c.admission = rocecc_admission_for(4, 1000); /* 4 misbehaving switches */
    failed +=
        rocecc_reaction_point_init(&c, &network, &access) != ROCECC_REACTION_ACCEPTED;
    s = rocecc_reaction_point_start(&c, 0);
    sources[0] = rocecc_admission_source_start(&c.admission, 0);
    rocecc_reaction_point_step(&c, &s, &came, &e, &out);
    return out;
}

uint64_t dcqcn_bps(void)
{
    rocecc_dcqcn_params dcqcn = rocecc_dcqcn_paper(LINE_BPS);
    rocecc_dcqcn flow;
    failed += rocecc_dcqcn_init(&dcqcn) != ROCECC_DCQCN_ACCEPTED;
    flow = rocecc_dcqcn_start(&dcqcn);
    return rocecc_dcqcn_cnp(&dcqcn, &flow).rate_bps;
}

/* Runs the sender's gate, and DCQCN for its only QP. */
static void reaction(const packet *p)
{
    const rocecc_ip6 remote = address("2001:db8:b::20");
    const rocecc_reaction_result out = gated(p);
    say("sender", out.verdict == ROCECC_REACTION_FAST_PLAIN,
        "Fast CNP of %s: structure, list, ICRC and limits passed", name(&out.cnp.src));
    say("", memcmp(&out.key.remote, &remote, 16) == 0 && out.key.remote_qp == 0x456,
        "key {%s, 0x%x} is QP 0x11: DCQCN, from 100 to %u Gb/s", name(&out.key.remote),
        out.key.remote_qp, (unsigned)(dcqcn_bps() / 1000000000));
}

/* Decapsulates the data packet at the last segment. */
static void egress(packet *p, packet *to)
{
    const rocecc_ip6 sid = address("2001:db8:e0::d46");
    rocecc_icrc icrc = {0};
    rocecc_packet came;
    rocecc_srv6_pe_result out;
    rocecc_writer w = room(to);
    memset(&out, 0, sizeof out);
    memcpy(p->bytes + 24, sid.b, 16); /* the first segment's node wrote this */
    p->bytes[40 + 3] = 0;             /* and Segments Left */
    arrives(p, p->n);
    came = located(p);
    rocecc_srv6_pe_egress(&sid, &came, room(p), &out);
    (void)rocecc_append(&w, out.tunnel.inner, sizeof to->bytes);
    arrives(to, w.at);
    came = located(to);
    (void)rocecc_icrc_verify(ROCECC_ICRC_AUTO, &came, &icrc);
    say("egress PE",
        out.verdict == ROCECC_SRV6_PE_FORWARD && icrc.ok &&
            (to->bytes[1] >> 4 & 3) == ROCECC_ECN_CE,
        "CE outside is CE inside (RFC 6040); the ICRC is as it was");
}

rocecc_notification_result notified(const packet *p, packet *answer)
{
    const rocecc_packet came = located(p);
    const rocecc_notification_event e = {0, 0x11, false};
    rocecc_writer w = room(answer);
    rocecc_notification_config c;
    rocecc_notification_result out;
    rocecc_cnpgate gate;
    memset(&c, 0, sizeof c);
    c.gate = rocecc_cnpgate_paper();
    c.cnp = rocecc_cnp_default();
    failed += rocecc_notification_point_init(&c) != ROCECC_NOTIFICATION_ACCEPTED;
    gate = rocecc_cnpgate_start(&c.gate);
    out = rocecc_notification_point_step(&c, &gate, &came, e, &w);
    arrives(answer, w.at);
    return out;
}

static void notification(const packet *p)
{
    packet cnp;
    const rocecc_notification_result out = notified(p, &cnp);
    say("receiver", out.verdict == ROCECC_NOTIFICATION_SENT,
        "a CNP to QP 0x%x: it comes a round trip later", out.cnp.dest_qp);
}

/* Sends the Fast CNP again, from an unlisted address. */
static void forged(packet *p)
{
    const rocecc_ip6 stranger = address("2001:db8:bad::1");
    memcpy(p->bytes + 8, stranger.b, 16);
    arrives(p, p->n);
    say("anybody", gated(p).verdict == ROCECC_REACTION_ACCESS_DENIED,
        "the same from %s is not on the list: refused", name(&stranger));
}

int main(void)
{
    packet sent, tunnel, fast, answer, received;
    puts("One congestion in an SRv6 domain, and what each node does:");
    sender(&sent);
    ingress(&sent, &tunnel);
    congestion(&tunnel, &fast);
    end_con(&fast, &answer);
    reaction(&answer);
    egress(&tunnel, &received);
    notification(&received);
    forged(&answer);
    puts("\nEach signal, on the wire (the plain Fast CNP is above):");
    signals();
    return failed != 0;
}
