/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_NOTIFICATION_POINT_H
#define TESTS_LAW_NOTIFICATION_POINT_H

#include "cnp.h"
#include "cnpgate.h"
#include "role.h"
#include "rocecc/role/notification_point.h"

/*
 * A run has LAW_NOTIFICATION_BYTES bytes of choices. Then comes a packet from its IP
 * header on, or if byte 0 is not 0, the patches of a packet of role.h.
 *
 *   0  the packet       1  N in us; 0 answers every CE packet
 *   2  defer (1), the gate has sent (1), a CE packet is pending (1), little room (1),
 *      own congestion counts (1), and there is some (1)
 *   3  time since the last CNP, in us                 4..7  the sender's QP
 */
#define LAW_NOTIFICATION_BYTES 8

typedef struct law_notification {
    rocecc_notification_config config;
    rocecc_cnpgate gate;
    uint32_t now_ns;
    uint32_t src_qp;
    uint8_t made;
    uint8_t small; /* too little room */
    uint8_t own;   /* own congestion */
} law_notification;

LAW_FN bool law_notification_read(rocecc_reader *r, law_notification *law)
{
    const uint8_t *b = rocecc_take(r, LAW_NOTIFICATION_BYTES);
    if (b == NULL) return false;
    law->made = b[0];
    law->config.gate.interval_ns = b[1] * 1000u;
    law->config.gate.defer = b[2] & 1;
    law->config.cnp = rocecc_cnp_default();
    law->config.cnp.src_port = 0xc123;
    law->gate.sent = b[2] >> 1 & 1;
    law->gate.pending = b[2] >> 2 & 1;
    law->small = b[2] >> 3 & 1;
    law->config.own = b[2] >> 4 & 1;
    law->own = b[2] >> 5 & 1;
    law->gate.last_ns = 77;
    law->now_ns = 77 + b[3] * 1000u;
    law->src_qp = rocecc_load32(b + 4) >> 7; /* one bit more than a QP number */
    return true;
}

LAW_FN uint32_t law_notification_digest(uint32_t digest, const rocecc_cnpgate *s,
                                        const rocecc_notification_result *out)
{
    digest = law_mix(digest, out->verdict);
    digest = law_mix(digest, out->cause);
    digest = law_mix(digest, (uint64_t)out->wait_ns << 1 | (out->arm ? 1u : 0u));
    digest = law_mix_address(digest, out->cnp.src.b, 16);
    digest = law_mix_address(digest, out->cnp.dst.b, 16);
    digest = law_mix(digest, out->cnp.dest_qp);
    digest = law_mix(digest, out->cnp.pkey);
    LAW_FIELDS(ROCECC_CNPGATE_STATE_FIELDS, s)
    return digest;
}

/* Checks init() with drawn values. */
LAW_FN uint32_t law_notification_init(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    const uint64_t draw = law_u64(&r);
    rocecc_notification_config c;
    rocecc_notification_refusal refusal;
    c.gate = law_cnpgate_params(draw);
    c.cnp = rocecc_cnp_default();
    c.cnp.dscp = law_u8(&r) >> 1;
    c.cnp.ecn = law_u8(&r) >> 5;
    c.cnp.flow_label = law_u32(&r) >> 11;
    c.own = 1;
    refusal = rocecc_notification_point_init(&c);
    LAW((refusal == ROCECC_NOTIFICATION_REFUSED_GATE) ==
        (c.gate.interval_ns >> 31 != 0 || c.gate.defer > 1));
    if (refusal != ROCECC_NOTIFICATION_REFUSED_GATE)
        LAW((refusal == ROCECC_NOTIFICATION_ACCEPTED) ==
            (c.cnp.dscp < 64 && c.cnp.ecn < 4 && c.cnp.flow_label < 0x100000));
    return law_mix(digest, refusal);
}

#if !defined(__bpf__)
LAW_FN bool law_notification_addresses(const rocecc_packet *p, rocecc_ip6 *src,
                                       rocecc_ip6 *dst)
{
    const rocecc_headers *f = &p->headers;
    const uint8_t *b = p->bytes.base + f->ip.offset;
    rocecc_ip4 a;
    if (f->ip.version == 4) {
        a = rocecc_ip4_load(b + 12);
        *src = rocecc_ip6_of_ip4(&a);
        a = rocecc_ip4_load(b + 16);
        *dst = rocecc_ip6_of_ip4(&a);
        return (b[1] & 3) == 3;
    }
    *src = rocecc_ip6_load(b + 8);
    *dst = rocecc_ip6_load(b + 24);
    return (b[1] >> 4 & 3) == 3;
}

/* Returns true for one node's address, not 0/8, 127/8, 224/3, ::, ::1 or ff00::/8. */
LAW_FN bool law_notification_node(const rocecc_ip6 *a)
{
    uint32_t high = 0;
    int i;
    for (i = 0; i < 12; i++)
        high |= (uint32_t)(a->b[i] ^ (i > 9 ? 0xff : 0)) << (i > 9 ? 0 : 8);
    if (high == 0) return a->b[12] > 0 && a->b[12] != 127 && a->b[12] < 224;
    high = a->b[15] & 0xfeu;
    for (i = 0; i < 15; i++)
        high |= a->b[i];
    return high != 0 && a->b[0] != 255;
}

/* Returns the expected verdict. The first failed check decides. */
LAW_FN rocecc_notification_verdict law_notification_verdict(const law_notification *law,
                                                            const rocecc_packet *p,
                                                            const rocecc_ip6 *src,
                                                            const rocecc_ip6 *dst,
                                                            bool ce, size_t room)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const uint8_t opcode = *(r.base + f->bth);
    const bool near =
        law->gate.sent != 0 && law->now_ns - 77 < law->config.gate.interval_ns;
    const bool v4 = rocecc_ip6_is_ip4(src);
    if (opcode == 0x81 || f->partial != ROCECC_PARTIAL_NONE)
        return ROCECC_NOTIFICATION_NOT_DATA;
    if (!ce && (law->config.own & law->own) == 0) return ROCECC_NOTIFICATION_UNMARKED;
    if (dst->b[0] == 255 || (rocecc_ip6_is_ip4(dst) && dst->b[12] / 16 == 14))
        return ROCECC_NOTIFICATION_MULTICAST;
    if (!law_notification_node(src)) return ROCECC_NOTIFICATION_BAD_SOURCE;
    if (near) return ROCECC_NOTIFICATION_HELD;
    if (room < (v4 ? 60u : 80u) || law->src_qp > 0xffffff ||
        v4 != rocecc_ip6_is_ip4(dst))
        return ROCECC_NOTIFICATION_FAILED;
    return ROCECC_NOTIFICATION_SENT;
}

/* Checks that the output is the CNP of Figure 6 for this packet. */
LAW_FN uint32_t law_notification_sent(const law_notification *law, rocecc_reader built,
                                      const rocecc_packet *p, const rocecc_ip6 *src,
                                      const rocecc_ip6 *dst)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_cnp should = law->config.cnp, cnp;
    rocecc_icrc icrc;
    rocecc_packet q;
    LAW(rocecc_packet_parse(&d, built, &q) == ROCECC_OK && q.headers.end == built.end);
    LAW(rocecc_cnp_parse(&q, &cnp) == ROCECC_OK);
    LAW(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &q, &icrc) == ROCECC_OK && icrc.ok);
    should.src = *dst;
    should.dst = *src;
    should.dest_qp = law->src_qp;
    should.pkey = rocecc_load16(r.base + f->bth + 2);
    LAW(law_cnp_fields(LAW_START, &cnp) == law_cnp_fields(LAW_START, &should));
    return LAW_START;
}

LAW_FN uint32_t law_notification_frame(const law_notification *law, rocecc_reader r,
                                       size_t room)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    LAW_SCRATCH(back, LAW_ROLE_ROOM);
    rocecc_writer w;
    rocecc_cnpgate s = law->gate;
    rocecc_notification_result out;
    rocecc_notification_verdict should;
    rocecc_ip6 src, dst;
    rocecc_packet p;
    rocecc_notification_event e;
    bool ce;
    if (rocecc_packet_parse(&d, r, &p) != ROCECC_OK) return LAW_START;
    if (room > LAW_ROLE_ROOM) room = LAW_ROLE_ROOM;
    w = law_writer(back, room);
    e.now_ns = law->now_ns;
    e.src_qp = law->src_qp;
    e.own_congestion = law->own != 0;
    out = rocecc_notification_point_step(&law->config, &s, &p, e, &w);
    ce = law_notification_addresses(&p, &src, &dst);
    should = law_notification_verdict(law, &p, &src, &dst, ce, room);
    LAW(out.verdict == should);
    LAW(out.cause == (should == ROCECC_NOTIFICATION_NOT_DATA
                          ? 0
                          : (ce ? 1 : 0) + (law->config.own & law->own) * 2));
    LAW((law_wrote(&w) != 0) == (should == ROCECC_NOTIFICATION_SENT));
    LAW(out.arm == (should == ROCECC_NOTIFICATION_HELD && law->config.gate.defer != 0 &&
                    law->gate.pending == 0));
    LAW(s.last_ns == (law_wrote(&w) != 0 ? law->now_ns : law->gate.last_ns));
    LAW(s.sent == (law_wrote(&w) != 0 ? 1 : law->gate.sent));
    LAW(s.pending == (law_wrote(&w) != 0 ? 0 : out.arm ? 1 : law->gate.pending));
    if (law_wrote(&w) != 0)
        LAW(law_notification_sent(law, law_written(&w), &p, &src, &dst) != LAW_BROKEN);
    return law_notification_digest((uint32_t)law_wrote(&w), &s, &out);
}

LAW_FN uint32_t law_notification_point(rocecc_reader r)
{
    LAW_ROOM(made, LAW_ROLE_BYTES);
    law_notification law;
    rocecc_reader rest = r;
    size_t room = rocecc_left(&r) + 14; /* over the frame, as in the BPF program */
    LAW(law_notification_init(r) != LAW_BROKEN);
    if (!law_notification_read(&rest, &law)) return LAW_START;
    if (law.made != 0) {
        rest = law_role_packet(law.made, rest, made);
        room = law.small ? 59 : LAW_ROLE_ROOM;
    }
    LAW(rocecc_notification_point_init(&law.config) == ROCECC_NOTIFICATION_ACCEPTED);
    return law_notification_frame(&law, rest, room);
}
#endif

#endif /* TESTS_LAW_NOTIFICATION_POINT_H */
