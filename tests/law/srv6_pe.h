/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_SRV6_PE_H
#define TESTS_LAW_SRV6_PE_H

#include "arrival.h"
#include "draw.h"
#include "fastcnp.h"
#include "rocecc/role/srv6_pe.h"

/* Draws a configuration. Most members are valid. */
LAW_FN rocecc_srv6_pe_config law_srv6_pe_config(rocecc_reader *r, rocecc_domain *d)
{
    const rocecc_domain none = {.link = ROCECC_LINK_IP};
    rocecc_srv6_pe_config c;
    const rocecc_ip6 sid = {{0x20, 1, 0xc0}};
    const uint32_t bits = law_u32(r);
    c.end_con = sid;
    c.end_con.b[0] = (bits & 31) == 1 ? 0xff : 0x20;
    c.end_con.b[15] = (uint8_t)(bits >> 5);
    c.compatibility = bits >> 13 & 1;
    c.copy_dscp = bits >> 14 & 1;
    c.dscp = (bits >> 18 & 31) == 1 ? 64 : bits >> 18 & 31;
    c.reduced = bits >> 23 & 1;
    c.open = bits >> 24 & 1;
    *d = none;
    d->fastcnp = law_fastcnp_config((uint8_t)(bits >> 25 & bits >> 27 & 31));
    if (bits >> 28 == 7) d->fastcnp.form = 2;
    return c;
}

/* Checks init() with drawn configurations. */
LAW_FN uint32_t law_srv6_pe_init(rocecc_reader r)
{
    rocecc_domain d;
    const rocecc_srv6_pe_config c = law_srv6_pe_config(&r, &d);
    const rocecc_srv6_pe_refusal refusal = rocecc_srv6_pe_init(&c, &d);
    LAW((refusal != ROCECC_SRV6_PE_ACCEPTED) ==
        (c.end_con.b[0] == 0xff || c.dscp > 63 || (!c.open && d.fastcnp.form > 1)));
    return law_mix(LAW_START, refusal);
}

#if !defined(__bpf__)
#define LAW_SRV6_PE_BYTES 512

static uint32_t law_srv6_pe_seen[ROCECC_SRV6_PE_VERDICTS];

/* Writes a Fast CNP, a CNP over IPv4 or IPv6, or data over IPv6. Returns its length. */
LAW_FN size_t law_srv6_pe_packet(uint8_t *bytes, const rocecc_domain *d, unsigned how)
{
    rocecc_writer w = law_writer(bytes, LAW_SRV6_PE_BYTES);
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_packet p;
    rocecc_fastcnp h;
    h.kind = ROCECC_FASTCNP_PLAIN;
    h.flow_dst = cnp.dst;
    h.reserved = h.opt_type = 0;
    h.trace_bytes = 0;
    h.trace_at = h.at = 0;
    rocecc_headers_clear(&p.headers);
    p.bytes = law_written(&w);
    p.domain = d;
    cnp.hop_limit = how >> 2 & 1 ? (uint8_t)(how >> 3 & 3) : 64;
    cnp.ecn = how >> 5 & 3;
    cnp.dst.b[0] = cnp.src.b[0] = 0x20;
    cnp.src.b[1] = how >> 7 & 1;
    cnp.dst.b[15] = 9;
    if ((how & 3) == 0)
        (void)rocecc_fastcnp_build(&w, &p, ROCECC_ICRC_MASKED, &cnp, &h);
    if ((how & 3) == 1) {
        const rocecc_ip4 ip4 = {{10, 0, 0, 1}};
        cnp.src = cnp.dst = rocecc_ip6_of_ip4(&ip4);
        cnp.dst.b[15] = 9;
    }
    if (law_wrote(&w) == 0) (void)rocecc_cnp_build(&w, &cnp);
    if ((how & 3) == 3) bytes[48] = 4; /* opcode of data */
    return law_wrote(&w);
}

/* Checks that push() writes the bytes of encapsulate() before the packet. */
LAW_FN uint32_t law_srv6_pe_pushes(const rocecc_srv6_pe_config *c, rocecc_reader packet,
                                   const rocecc_srv6_pe_path *way,
                                   const rocecc_srv6_pe_ingress_result *like,
                                   rocecc_reader should)
{
    LAW_SCRATCH(bytes, LAW_SRV6_PE_BYTES);
    const size_t n = rocecc_left(&packet), before = LAW_SRV6_PE_BYTES - n;
    const rocecc_reader r = law_reader(bytes, LAW_SRV6_PE_BYTES);
    rocecc_writer w = law_writer(bytes, LAW_SRV6_PE_BYTES);
    rocecc_srv6_pe_ingress_result in;
    size_t i;
    for (i = 0; i < n; i++)
        bytes[before + i] = packet.base[packet.at + i];
    rocecc_srv6_pe_push(c, rocecc_subrange(r, r.at + before, r.end), way, &w, &in);
    LAW(in.verdict == like->verdict && in.why == like->why &&
        in.mtu_bytes == like->mtu_bytes);
    if (in.verdict != ROCECC_SRV6_PE_FORWARD) {
        LAW(w.at == r.at);
        return LAW_START;
    }
    LAW(r.end - w.at == rocecc_left(&should));
    for (i = 0; i < rocecc_left(&should); i++)
        LAW(r.base[w.at + i] == should.base[should.at + i]);
    return LAW_START;
}

/* Checks that an ICMP error is about either IP header, and points at its fault. */
LAW_FN uint32_t law_srv6_pe_problems(const rocecc_packet *p,
                                     const rocecc_srv6_pe_result *out)
{
    const rocecc_headers_ip *first = rocecc_packet_outermost(p);
    const uint8_t *ip = p->bytes.base + out->icmp.offset;
    const rocecc_icmp_error *e = &out->icmp;
    LAW(out->arrival == ROCECC_ARRIVAL_OK ||
        out->verdict == ROCECC_SRV6_PE_BAD_ARRIVAL);
    if (e->type == 0) return LAW_START;
    LAW(out->verdict == ROCECC_SRV6_PE_BAD ||
        out->verdict == ROCECC_SRV6_PE_BAD_ARRIVAL ||
        out->verdict == ROCECC_SRV6_PE_UNEXPECTED_UPPER ||
        out->verdict == ROCECC_SRV6_PE_NO_HOPS_LEFT);
    LAW(e->offset == first->offset || e->offset == p->headers.ip.offset);
    if (out->verdict == ROCECC_SRV6_PE_NO_HOPS_LEFT) {
        LAW(e->type == (ip[0] >> 4 == 6 ? 3 : 11) && e->code == 0);
    } else if (ip[0] >> 4 == 6) {
        LAW(e->type == 4 && e->value <= first->end - first->offset);
        if (e->code == 2) LAW(ip[e->value] >> 7 == 1);
        if (e->code == 4) LAW(e->value == (uint32_t)(first->upper - first->offset));
        if (out->verdict == ROCECC_SRV6_PE_BAD) LAW(ip[e->value] != 0);
    }
    return LAW_START;
}

/* Checks the error of the ingress, Time Exceeded, Packet Too Big, or none. */
LAW_FN uint32_t law_srv6_pe_answer(const rocecc_srv6_pe_ingress_result *in,
                                   rocecc_reader packet, bool six)
{
    const rocecc_icmp_error *e = &in->icmp;
    const bool big = in->verdict == ROCECC_SRV6_PE_TOO_BIG;
    const bool expired = in->verdict == ROCECC_SRV6_PE_NO_HOPS_LEFT;
    LAW(e->type == (big ? six ? 2 : 3 : expired ? six ? 3 : 11 : 0));
    LAW(e->code == (big && !six ? 4 : 0));
    LAW(e->value == (big ? in->mtu_bytes : 0));
    LAW(e->offset == packet.at);
    return LAW_START;
}

/* Checks that a packet leaves the tunnel unchanged, except for two hops and ECN. */
LAW_FN uint32_t law_srv6_pe_through(const rocecc_srv6_pe_config *c,
                                    rocecc_reader policy, rocecc_reader packet,
                                    unsigned mark, uint8_t *bytes, size_t *n)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_writer w = law_writer(bytes, LAW_SRV6_PE_BYTES);
    const rocecc_srv6_pe_path way = {policy, mark & 0xfffff, mark >> 21};
    rocecc_ipv46 ip, after;
    rocecc_srv6_pe_ingress_result in;
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    rocecc_reader r;
    rocecc_ip6 sid;
    size_t i;
    rocecc_srv6_pe_encapsulate(c, packet, &way, &w, &in);
    law_srv6_pe_seen[in.verdict]++;
    *n = law_wrote(&w);
    LAW(rocecc_ipv46_parse(packet, &ip) == ROCECC_OK);
    LAW((in.verdict == ROCECC_SRV6_PE_NO_HOPS_LEFT) == (ip.hops <= 1));
    LAW((in.verdict == ROCECC_SRV6_PE_BAD) == (in.why != ROCECC_OK));
    LAW(in.verdict != ROCECC_SRV6_PE_BAD || rocecc_left(&policy) == 0);
    LAW((in.verdict == ROCECC_SRV6_PE_FORWARD) == (law_wrote(&w) != 0));
    LAW(law_srv6_pe_answer(&in, packet, ip.version == 6) != LAW_BROKEN);
    LAW(in.verdict != ROCECC_SRV6_PE_FORWARD || in.mtu_bytes == 0 ||
        ip.bytes <= in.mtu_bytes);
    LAW(law_srv6_pe_pushes(c, packet, &way, &in, law_written(&w)) != LAW_BROKEN);
    if (in.verdict != ROCECC_SRV6_PE_FORWARD) return LAW_START;
    for (i = 0; i < 16; i++)
        LAW(bytes[8 + i] == c->end_con.b[i]);
    LAW((bytes[1] >> 4 & 3) == (c->compatibility ? 0 : ip.ecn));
    LAW((rocecc_load16(bytes) >> 6 & 63) == (c->copy_dscp ? ip.dscp : c->dscp));
    if (mark >> 20 & 1) bytes[1] |= 0x30;
    r = law_written(&w);
    (void)rocecc_packet_parse(&d, r, &p);
    sid = rocecc_ip6_load(bytes + 24);
    law_rewind(&w, 0);
    rocecc_srv6_pe_egress(&sid, &p, w, &out);
    law_srv6_pe_seen[out.verdict]++;
    if (rocecc_left(&policy) > 16) {
        LAW(out.verdict == ROCECC_SRV6_PE_BAD && out.why == ROCECC_SRV6_SEGMENTS_LEFT);
        return LAW_START;
    }
    if (ip.hops == 2) {
        LAW(out.verdict == ROCECC_SRV6_PE_NO_HOPS_LEFT ||
            out.verdict == ROCECC_SRV6_PE_ECN_CONFLICT);
        return LAW_START;
    }
    LAW((out.verdict == ROCECC_SRV6_PE_ECN_CONFLICT) ==
        (ip.ecn == 0 && (mark >> 20 & 1)));
    LAW((out.verdict == ROCECC_SRV6_PE_FORWARD) ==
        (out.verdict != ROCECC_SRV6_PE_ECN_CONFLICT));
    if (out.verdict != ROCECC_SRV6_PE_FORWARD) return LAW_START;
    LAW(rocecc_left(&out.tunnel.inner) == rocecc_left(&packet));
    LAW(rocecc_ipv46_parse(out.tunnel.inner, &after) == ROCECC_OK);
    LAW(after.hops == ip.hops - 2 && after.dscp == ip.dscp && after.bytes == ip.bytes);
    LAW(after.ecn == ((mark >> 20 & 1) != 0 ? 3 : ip.ecn));
    if (ip.version == 4)
        LAW(rocecc_checksum_final(rocecc_checksum_update(
                0, rocecc_subrange(r, out.tunnel.inner.at,
                                   out.tunnel.inner.at + 20))) == 0);
    for (i = ip.version == 4 ? 12 : 8; i < rocecc_left(&packet); i++)
        LAW(r.base[out.tunnel.inner.at + i] == packet.base[packet.at + i]);
    return law_mix_bytes(LAW_START, out.tunnel.inner, LAW_SRV6_PE_BYTES);
}

/*
 * Checks that the verdict is BAD_ARRIVAL, for the model's reason, exactly if the packet
 * may not arrive at the SID or be forwarded from its tunnel.
 */
LAW_FN uint32_t law_srv6_pe_arrived(const rocecc_packet *p, bool groups,
                                    const rocecc_srv6_pe_result *out)
{
    const rocecc_arrival_config sid = {.node = ROCECC_ARRIVAL_SID};
    rocecc_arrival_config on = {.node = ROCECC_ARRIVAL_FORWARDER};
    const rocecc_headers_ip *first = rocecc_packet_outermost(p);
    law_arrival should;
    on.groups = groups;
    if (out->verdict == ROCECC_SRV6_PE_OTHER) return LAW_START;
    should = law_arrival_model(&sid, p, first);
    if (should.verdict == ROCECC_ARRIVAL_OK &&
        (out->verdict == ROCECC_SRV6_PE_BAD || out->verdict == ROCECC_SRV6_PE_HOST ||
         out->verdict == ROCECC_SRV6_PE_UNEXPECTED_UPPER))
        return LAW_START; /* no packet inside */
    if (should.verdict == ROCECC_ARRIVAL_OK)
        should = law_arrival_model(&on, p, &p->headers.ip);
    LAW((out->verdict == ROCECC_SRV6_PE_BAD_ARRIVAL) ==
        (should.verdict != ROCECC_ARRIVAL_OK));
    LAW(out->arrival == should.verdict);
    if (out->verdict != ROCECC_SRV6_PE_BAD_ARRIVAL) return LAW_START;
    LAW(out->icmp.type == should.type && out->icmp.code == should.code &&
        out->icmp.value == should.pointer);
    return LAW_START;
}

/* Checks END.CON with any packet. Only a forwarded packet changes. */
LAW_FN uint32_t law_srv6_pe_end(const rocecc_srv6_pe_config *c, const rocecc_domain *d,
                                const rocecc_acl *access, uint8_t *bytes, size_t n)
{
    const rocecc_reader r = law_reader(bytes, n);
    uint8_t was[LAW_SRV6_PE_BYTES];
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    size_t i, changed = 0;
    for (i = 0; i < n; i++)
        was[i] = bytes[i];
    (void)rocecc_packet_parse(d, r, &p);
    rocecc_srv6_pe_end_con(c, access, &p, law_writer(bytes, n), &out);
    law_srv6_pe_seen[out.verdict]++;
    for (i = 0; i < n; i++)
        changed += was[i] != bytes[i];
    LAW(out.verdict < ROCECC_SRV6_PE_VERDICTS);
    LAW((changed != 0) == (out.verdict == ROCECC_SRV6_PE_FORWARD) && changed <= 5);
    LAW(out.verdict != ROCECC_SRV6_PE_BAD ||
        (out.why >= ROCECC_SRV6_SEGMENTS_LEFT && out.why != ROCECC_SRV6_NO_TUNNEL));
    if (out.verdict == ROCECC_SRV6_PE_FORWARD && !c->open) {
        LAW(p.headers.ip.offset == out.tunnel.inner.at && rocecc_cnp_match(&p));
        LAW(p.headers.ip.version == 6 && rocecc_fastcnp_match(&p));
        LAW(r.base[p.headers.ip.offset + 9] == 0);
        LAW(r.base[p.headers.ip.offset + 24] != 0xff);
    }
    LAW(law_srv6_pe_problems(&p, &out) != LAW_BROKEN);
    LAW(law_srv6_pe_arrived(&p, c->open, &out) != LAW_BROKEN);
    return law_mix(LAW_START, out.verdict * 256u + out.alarm);
}

/*
 * Checks a node on the path. A forwarded packet has one segment and one hop less, and
 * no other change.
 */
LAW_FN uint32_t law_srv6_pe_between(const rocecc_domain *d, uint8_t *bytes, size_t n)
{
    const rocecc_reader r = law_reader(bytes, n);
    uint8_t was[LAW_SRV6_PE_BYTES];
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    rocecc_ip6 sid = {{0}};
    size_t i, changed = 0;
    for (i = 0; i < n; i++)
        was[i] = bytes[i];
    if (n >= 40) sid = rocecc_ip6_load(bytes + 24);
    (void)rocecc_packet_parse(d, r, &p);
    rocecc_srv6_pe_end(&sid, &p, law_writer(bytes, n), &out);
    law_srv6_pe_seen[out.verdict]++;
    LAW(law_srv6_pe_problems(&p, &out) != LAW_BROKEN);
    for (i = 0; i < n; i++)
        if (i < 24 || i >= 40) changed += was[i] != bytes[i];
    LAW(changed == (out.verdict == ROCECC_SRV6_PE_FORWARD ? 2 : 0));
    if (out.verdict == ROCECC_SRV6_PE_FORWARD) LAW(bytes[7] == was[7] - 1);
    return law_mix(LAW_START, out.verdict);
}

/* Changes the tunnel's source, next header or destination, like an attacker. */
LAW_FN void law_srv6_pe_attack(uint8_t *bytes, size_t n, uint8_t what,
                               const rocecc_ip6 *end_con)
{
    const size_t inner =
        40u + (bytes[6] == ROCECC_PROTO_ROUTING ? 8u + 8u * bytes[41] : 0);
    size_t i;
    if ((what & 7) < 3 && inner + 40 <= n)
        for (i = 0; i < 16; i++)
            bytes[8 + i] = bytes[inner + 8 + i];
    if ((what & 7) == 1) bytes[9] = bytes[23] = 0; /* another source, maybe listed */
    if ((what & 7) == 3) bytes[6] = what & 8 ? ROCECC_PROTO_ICMP6 : what;
    if ((what & 7) == 4) bytes[6] = ROCECC_PROTO_DSTOPTS;
    if ((what & 7) == 4 && n > 42) bytes[42] = what;
    if ((what & 7) == 5 && inner + 40 <= n) bytes[inner + 24] = 0xff;
    if ((what & 7) == 6 && inner + 40 <= n)
        for (i = 0; i < 16; i++)
            bytes[inner + 24 + i] = end_con->b[i];
}

/*
 * Checks an ingress, a node on the path, and END.CON. The first bytes select a
 * configuration, a packet, a policy, and any faults.
 */
LAW_FN uint32_t law_srv6_pe(rocecc_reader r)
{
    static const uint8_t list[48] = {[0] = 0x20, 5, [16] = 0x20, 6, [32] = 0x20, 7};
    uint32_t digest = law_srv6_pe_init(r);
    rocecc_domain d;
    const rocecc_srv6_pe_config c = law_srv6_pe_config(&r, &d);
    const unsigned how = law_u16(&r), mark = law_u32(&r);
    LAW_SCRATCH(packet, LAW_SRV6_PE_BYTES);
    LAW_SCRATCH(bytes, LAW_SRV6_PE_BYTES);
    rocecc_acl_entry switches = {{{0x20}}, 16, 1, 0, 0};
    rocecc_acl access = {NULL, 0, 0};
    size_t n;
    uint32_t at;
    unsigned i;
    if (rocecc_srv6_pe_init(&c, &d) != ROCECC_SRV6_PE_ACCEPTED) return digest;
    LAW(rocecc_acl_init(&access, &switches, 1, &at) == ROCECC_ACL_ACCEPTED);
    n = law_srv6_pe_packet(packet, &d, how);
    digest = law_mix(digest,
                     law_srv6_pe_through(
                         &c, rocecc_reader_of(list, list + 16 * (size_t)(how >> 8 & 3)),
                         law_reader(packet, n), mark, bytes, &n));
    if (n == 0) return digest;
    law_srv6_pe_attack(bytes, n, law_u8(&r), &c.end_con);
    if ((how >> 13 & 1) != 0) bytes[law_u8(&r)] = law_u8(&r);
    if ((how >> 14 & 1) != 0) bytes[law_u8(&r) & 127] = law_u8(&r);
    if ((how >> 15 & 1) != 0) n = (size_t)rocecc_min(n, law_u8(&r));
    digest = law_mix(digest, law_srv6_pe_between(&d, bytes, n));
    for (i = 0; i < 16 && (how >> 10 & 7) != 1; i++)
        bytes[24 + i] = c.end_con.b[i];
    return law_mix(digest, law_srv6_pe_end(&c, &d, &access, bytes, n));
}
#endif

#endif /* TESTS_LAW_SRV6_PE_H */
