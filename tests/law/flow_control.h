/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_FLOW_CONTROL_H
#define TESTS_LAW_FLOW_CONTROL_H

#include "arn.h"
#include "draw.h"
#include "pfc.h"
#include "rocecc/role/flow_control.h"

#define LAW_FLOW_CONTROL_BYTES 64

/* Returns a digest of a notice. */
LAW_FN uint32_t law_flow_control_notice(const rocecc_pause_notice *m)
{
    uint32_t digest = law_mix(LAW_START, m->type);
    digest = law_mix(digest, (uint32_t)m->has_flow | (uint32_t)m->has_priority << 1 |
                                 (uint32_t)m->has_time << 2);
    digest = law_mix_address(digest, m->flow.src.b, 16);
    digest = law_mix_address(digest, m->flow.dst.b, 16);
    digest = law_mix(digest, (uint64_t)m->flow.src_port << 32 | m->flow.dst_port);
    digest = law_mix(digest, (uint64_t)m->port << 32 | m->flow.proto);
    digest = law_mix(digest, m->priority);
    digest = law_mix_address(digest, m->from.node.b, 16);
    digest = law_mix(digest, (uint64_t)m->pfc << 32 | m->from.tag);
    return law_mix(digest, m->time_ns);
}

/* Checks that the notice of an ARN gives an ARN with the same notice. */
LAW_FN uint32_t law_flow_control_arn(const rocecc_arn_config *c, rocecc_reader r)
{
    LAW_SCRATCH(back, LAW_FLOW_CONTROL_BYTES);
    const rocecc_pause_requester from = {{{0xfd, 2}}, 3};
    rocecc_arn h = rocecc_arn_load(back);
    rocecc_pause_notice m;
    uint32_t digest;
    const rocecc_status status = rocecc_arn_parse(c, r, &h);
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    m = rocecc_flow_control_arn_load(c, &h, &from, 7);
    LAW(m.type >= 1 && m.type <= 4 && (m.has_time || m.time_ns == 0) && !m.pfc);
    digest = law_flow_control_notice(&m);
#if !defined(__bpf__)
    {
        rocecc_writer w = law_writer(back, LAW_FLOW_CONTROL_BYTES);
        rocecc_pause_notice again;
        LAW(rocecc_flow_control_arn_emit(&w, c, &m) == ROCECC_OK);
        LAW(rocecc_arn_parse(c, law_written(&w), &h) == ROCECC_OK);
        again = rocecc_flow_control_arn_load(c, &h, &from, 7);
        LAW(law_flow_control_notice(&again) == digest);
    }
#endif
    return digest;
}

/* Checks that the notice of a priority can be sent as PFC and as an ARN. */
LAW_FN uint32_t law_flow_control_out(const rocecc_arn_config *c, const rocecc_pfc *h,
                                     unsigned priority, uint64_t rate_bps,
                                     const rocecc_pause_notice *m)
{
#if !defined(__bpf__)
    LAW_SCRATCH(back, LAW_FLOW_CONTROL_BYTES);
    rocecc_writer w = law_writer(back, LAW_FLOW_CONTROL_BYTES);
    rocecc_reader r;
    rocecc_arn arn = rocecc_arn_load(back);
    rocecc_pause_notice again;
    rocecc_pfc pfc;
    bool said;
    LAW(rocecc_flow_control_pfc_build(&w, &h->src, rate_bps, m) == ROCECC_OK);
    LAW(law_wrote(&w) == ROCECC_PFC_FRAME_BYTES);
    r = law_written(&w);
    LAW(rocecc_pfc_parse(&r, &pfc) == ROCECC_OK && pfc.enable == 1u << priority);
    LAW(pfc.quanta[priority] <= h->quanta[priority]);
    LAW((pfc.quanta[priority] == 0) == (h->quanta[priority] == 0));
    LAW(rate_bps == 0 || rate_bps > 512000000000u ||
        pfc.quanta[priority] == h->quanta[priority]);
    law_rewind(&w, 0);
    /* A time below one unit is not sent, because 0 would resume. */
    said = m->time_ns == 0 || rocecc_arn_time(c, m->time_ns) != 0;
    LAW(rocecc_flow_control_arn_emit(&w, c, m) ==
        (said ? ROCECC_OK : ROCECC_ERR_RANGE));
    if (!said) return law_mix(h->quanta[priority], rate_bps);
    LAW(rocecc_arn_parse(c, law_written(&w), &arn) == ROCECC_OK);
    again = rocecc_flow_control_arn_load(c, &arn, &m->from, m->port);
    LAW(again.type == m->type && again.priority == priority && !again.has_flow);
    LAW((again.time_ns == 0) == (m->time_ns == 0));
    LAW(again.time_ns <= m->time_ns);
#endif
    (void)c;
    (void)m;
    return law_mix(h->quanta[priority], rate_bps);
}

/* Checks the notice of each priority in a PFC frame. */
LAW_FN uint32_t law_flow_control_pfc(const rocecc_arn_config *c, rocecc_reader r,
                                     uint64_t rate_bps)
{
    uint32_t digest = LAW_START;
    rocecc_pfc h;
    unsigned i;
    const rocecc_status status = rocecc_pfc_parse(&r, &h);
    if (status != ROCECC_OK) return law_mix(digest, status);
    for (i = 0; i <= ROCECC_PFC_PRIORITIES; i++) {
        rocecc_pause_notice m;
        const rocecc_status has = rocecc_flow_control_pfc_load(&h, i, rate_bps, i, &m);
        digest = law_mix(digest, has);
        LAW((has == ROCECC_ERR_RANGE) == (i == ROCECC_PFC_PRIORITIES));
        if (has != ROCECC_OK) continue;
        LAW(m.has_priority && m.priority == i && m.port == i && !m.has_flow && m.pfc);
        LAW((m.type == 1) == (h.quanta[i] != 0) && m.has_time == (m.type == 1));
        digest = law_mix(digest, law_flow_control_notice(&m));
        digest = law_mix(digest, law_flow_control_out(c, &h, i, rate_bps, &m));
    }
    return digest;
}

/*
 * Makes a configuration from `bits`, without tail_unknown, because a notice cannot hold
 * unknown parameters.
 */
LAW_FN rocecc_arn_config law_flow_control_arn_config(uint8_t bits)
{
    rocecc_arn_config c = law_arn_config(bits);
    c.bit_order = (uint8_t)(c.bit_order & ~(c.bit_order >> 1));
    c.layout = (uint8_t)(c.layout & ~(c.layout >> 1));
    c.priority = (uint8_t)(c.priority & ~(c.priority >> 1));
    c.tail_unknown = false;
    c.versions = 0;
    c.port = 51967;
    return c;
}

LAW_FN rocecc_flow_control_config law_flow_control_config(uint8_t bits)
{
    rocecc_flow_control_config c;
    uint8_t i;
    c.trust_dscp = (bits & 2) != 0;
    for (i = 0; i < 64; i++)
        c.class_of[i] = i >> 3;
    return c;
}

#if !defined(__bpf__)
/* Checks the ARN in a packet, and the packet's traffic. */
LAW_FN uint32_t law_flow_control_packet(const rocecc_flow_control_config *c,
                                        const rocecc_packet *p)
{
    rocecc_pause_traffic x;
    uint32_t digest;
    rocecc_arn h;
    rocecc_status status = rocecc_arn_find(p, &h);
    digest = law_mix(LAW_START, status);
    LAW(status != ROCECC_NO_MATCH || !rocecc_arn_match(p));
    LAW(status != ROCECC_OK || p->headers.end <= p->bytes.end);
    status = rocecc_flow_control_traffic(c, p, 1, 2, &x);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    LAW(x.in_port == 1 && x.out_port == 2 && x.priority < 64 && x.pfc_class < 8);
    LAW(p->headers.outer.version != 0 || rocecc_flow_match(&x.outer, &x.inner));
    LAW(x.control == (rocecc_cnp_match(p) || rocecc_arn_match(p)));
    digest = law_mix(digest, x.priority);
    return law_mix(digest, x.control);
}

/* Checks the notice and the message for any action on any traffic. */
LAW_FN uint32_t law_flow_control_ask(const rocecc_arn_config *c, rocecc_reader *r)
{
    LAW_SCRATCH(back, LAW_FLOW_CONTROL_BYTES);
    const uint64_t bits = law_u64(r);
    rocecc_writer w = law_writer(back, LAW_FLOW_CONTROL_BYTES);
    const rocecc_mac src = {{2, 0, 0, 0, 0, 1}};
    rocecc_pause_params p = rocecc_pause_lab((uint8_t)(bits & 3));
    rocecc_pause_result act = rocecc_pause_make_result_(
        bits >> 8 & 1 ? ROCECC_PAUSE_ASK : ROCECC_PAUSE_ASK_RESUME);
    rocecc_pause_traffic x;
    rocecc_pause_notice m;
    rocecc_status status;
    int i;
    act.pfc = bits >> 9 & 1;
    act.time_ns = law_scaled(r);
    for (i = 0; i < 16; i++) {
        x.outer.src.b[i] = law_u8(r);
        x.outer.dst.b[i] = law_u8(r);
        x.inner.src.b[i] = law_u8(r);
        x.inner.dst.b[i] = law_u8(r);
    }
    x.outer.src_port = x.inner.src_port = (uint16_t)(bits >> 16);
    x.outer.dst_port = x.inner.dst_port = (uint16_t)(bits >> 32);
    x.outer.proto = x.inner.proto = (uint8_t)(bits >> 48);
    x.priority = bits >> 56 & 15;
    x.pfc_class = (uint8_t)(bits >> 60);
    x.in_port = 1;
    x.out_port = 2;
    x.control = x.in_pfc = false;
    x.bytes = x.held_ns = 0;
    m = rocecc_flow_control_ask(&p, &act, &x);
    LAW(m.has_flow != m.has_priority && m.port == 1);
    LAW(m.has_priority == (act.pfc || p.mode >= ROCECC_PAUSE_PRIORITY));
    LAW(m.type == (act.what == ROCECC_PAUSE_ASK ? 1 : 2));
    LAW(m.has_time == (m.type == 1) && (m.has_time || m.time_ns == 0));
    status = rocecc_flow_control_pfc_build(&w, &src, 100000000000u, &m);
    LAW((status == ROCECC_OK) ==
        (m.has_priority && m.priority < 8 && (m.time_ns == 0 || m.time_ns >= 6)));
    law_rewind(&w, 0);
    status = rocecc_flow_control_arn_emit(&w, c, &m);
    LAW(status == ROCECC_OK || status == ROCECC_ERR_RANGE);
    LAW(status == ROCECC_OK || law_wrote(&w) == 0);
    return law_mix(law_flow_control_notice(&m), status);
}
#endif

/* Reads a configuration (1 byte) and a rate (8), then checks the bytes in each form. */
LAW_FN uint32_t law_flow_control(rocecc_reader r)
{
    const uint8_t bits = law_u8(&r);
    const rocecc_arn_config arn = law_flow_control_arn_config(bits);
    const uint64_t rate_bps = law_scaled(&r);
    uint32_t digest = law_flow_control_arn(&arn, r);
    digest = law_mix(digest, law_flow_control_pfc(&arn, r, rate_bps));
#if !defined(__bpf__)
    {
        const rocecc_flow_control_config c = law_flow_control_config(bits);
        rocecc_domain d = {0};
        rocecc_packet p;
        d.link = (rate_bps & 1) != 0 ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
        d.arn = arn;
        (void)rocecc_packet_parse(&d, r, &p);
        LAW(law_flow_control_packet(&c, &p) != LAW_BROKEN);
        LAW(law_flow_control_ask(&arn, &r) != LAW_BROKEN);
    }
#endif
    return digest;
}

#endif /* TESTS_LAW_FLOW_CONTROL_H */
