/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_SHORTCUTS_H
#define TESTS_LAW_SHORTCUTS_H

/*
 * shortcuts.h - checks that a shortcut finds or writes the same as the general
 * function. A shortcut that refuses a packet changes nothing.
 */
#include <string.h>

#include "law.h"
#include "rocecc/packet/arrival.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/fastcnp.h"
#include "rocecc/packet/push.h"

#define LAW_SHORTCUTS_BYTES 2048 /* of a packet that grows */

/* Returns a domain made from bits. */
LAW_FN rocecc_domain law_shortcuts_domain(uint32_t bits)
{
    static const uint8_t plain[8] = {0x9e, 0x9e, 0x9e, 0x9e, 0x9e, 0xbe, 0x01, 0x9f};
    rocecc_domain d = ROCECC_ZERO;
    d.fastcnp.type_plain = plain[bits & 7];
    d.fastcnp.type_ioam = (bits & 0x18) != 0 ? 0x9f : 0;
    d.fastcnp.align8 = (bits >> 5 & 7) == 0;
    d.ioam.namespace_id = (bits & 0x100) != 0 ? 123 : 0;
    d.ioam.tx_bytes_bit = 12;
    d.ioam.interface_bit = (bits & 0x200) != 0 ? 13 : 0;
    d.ioam.leave_undefined = (bits & 0xc00) == 0;
    d.intmd.udp_port = (bits & 0x3000) != 0 ? 5000 : 4791;
    if ((bits & 0x1c000) == 0) d.intmd.dscp_mask = 0x3f;
    if ((bits & 0xe0000) == 0) d.intmd.probe_marker = 0x0123456789abcdef;
    d.intmd.pad_unknown = (bits & 0x100000) != 0;
    d.intmd.complement = (bits & 0x200000) != 0;
    d.ifa.protocol = (bits & 0xc00000) != 0 ? 253 : ROCECC_PROTO_UDP;
    d.ifa.layout_a = (bits & 0x1000000) != 0 ? 0xffff : 0x0002;
    d.ifa.layout_b = (bits & 0x1000000) != 0 ? 0 : 0xfffd;
    d.link = (bits & 0x1e000000) == 0 ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
    if ((bits & 0xe0000000) == 0) d.rocev2_port = 53;
    return d;
}

/* Checks the headers against the walk without shortcuts. */
LAW_FN uint32_t law_shortcuts_headers(const rocecc_domain *d, rocecc_reader r,
                                      rocecc_packet *p)
{
    rocecc_headers walked, plain;
    uint16_t type = ROCECC_TYPE_TEB;
    rocecc_status status;
    if (d->link == ROCECC_LINK_IP)
        type = r.at < r.end && r.base[r.at] >> 4 == 6 ? ROCECC_TYPE_IPV6
                                                      : ROCECC_TYPE_IPV4;
    status =
        rocecc_headers_parse_as(d, r, type, SIZE_MAX, ROCECC_PARTIAL_NONE, &walked);
    LAW(rocecc_packet_parse(d, r, p) == status);
    LAW(memcmp(&p->headers, &walked, sizeof walked) == 0);
    status = rocecc_headers_parse_plain(d, r, &plain);
    LAW(status == ROCECC_OK || status == ROCECC_ERR_UNSUPPORTED);
    LAW(plain.status == status);
    LAW(status != ROCECC_OK || memcmp(&plain, &walked, sizeof walked) == 0);
    return LAW_START;
}

/* Checks rocecc_icrc_init() against rocecc_icrc_add_rocev2_(). */
LAW_FN uint32_t law_shortcuts_icrc(const rocecc_packet *p)
{
    unsigned rule;
    if (p->headers.bth == 0 || p->headers.grh != 0 ||
        p->headers.partial != ROCECC_PARTIAL_NONE)
        return LAW_START;
    for (rule = ROCECC_ICRC_MASKED; rule <= ROCECC_ICRC_STRIPPED; rule++) {
        uint32_t is = ROCECC_ICRC_START, should = ROCECC_ICRC_START;
        const rocecc_status status =
            rocecc_icrc_add_rocev2_((rocecc_icrc_rule)rule, p, &should);
        LAW(rocecc_icrc_init((rocecc_icrc_rule)rule, p, &is) == status);
        LAW(status != ROCECC_OK || is == should);
    }
    return LAW_START;
}

/* Checks rocecc_icrc_verify_plain(), for packets without options, INT and IFA. */
LAW_FN uint32_t law_shortcuts_verify(const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const size_t ip = f->ip.version == 4 ? 20 : 40;
    const bool plain =
        f->ip.n_ext == 0 && f->ip.offset + ip == f->udp && f->udp + 8u == f->bth;
    rocecc_icrc is = {1, 2, false, ROCECC_ICRC_AUTO}, should = is;
    rocecc_status status = ROCECC_ERR_UNSUPPORTED;
    if (f->status != ROCECC_OK || f->grh != 0 || f->partial != ROCECC_PARTIAL_NONE)
        return LAW_START;
    if (plain) status = rocecc_icrc_verify(ROCECC_ICRC_STANDARD, p, &should);
    LAW(rocecc_icrc_verify_plain(p, &is) == status);
    LAW(is.value == should.value && is.computed == should.computed);
    LAW(is.ok == should.ok && is.rule == should.rule);
    return LAW_START;
}

/* Checks the options of a received packet. */
LAW_FN uint32_t law_shortcuts_options(const rocecc_packet *p)
{
    const rocecc_headers_ip *ip = &p->headers.ip;
    const rocecc_arrival_config host = {ROCECC_ARRIVAL_HOST, false, true};
    rocecc_fastcnp is, should;
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, p->bytes};
    rocecc_status status = rocecc_fastcnp_find_option_(p, &opt);
    rocecc_icmp_error icmp;
    memset(&is, 0, sizeof is);
    memset(&should, 0, sizeof should);
    memset(&icmp, 0, sizeof icmp);
    if (status == ROCECC_OK)
        status = rocecc_fastcnp_option_parse(&p->domain->fastcnp, &opt, &should);
    LAW(rocecc_fastcnp_find(p, &is) == status);
    LAW(is.kind == should.kind && rocecc_ip6_match(&is.flow_dst, &should.flow_dst));
    LAW(is.at == should.at && is.trace_at == should.trace_at);
    LAW(is.trace_bytes == should.trace_bytes && is.opt_type == should.opt_type);
    LAW(is.reserved == should.reserved);
    if (rocecc_plain_fastcnp_(p->domain, p->bytes, ip) != NULL)
        LAW(rocecc_arrival_check_exts_(&host, p, ip, &icmp) == ROCECC_ARRIVAL_OK &&
            icmp.type == 0);
    return LAW_START;
}

/* Checks the search for a packet's trace. */
LAW_FN uint32_t law_shortcuts_trace(const rocecc_packet *p)
{
    rocecc_ioam_place_ at;
    rocecc_ioam_option is = {77, 78, p->bytes};
    const rocecc_status status = rocecc_ioam_locate_(p, ROCECC_IOAM_ANY_, &at);
    LAW(rocecc_ioam_find(p, &is) == status);
    if (status != ROCECC_OK) {
        LAW(is.reserved == 77 && is.opt_type == 78 && is.data.end == p->bytes.end);
        return LAW_START;
    }
    LAW(is.reserved == at.option.reserved && is.opt_type == at.option.opt_type);
    LAW(is.data.at == at.option.data.at && is.data.end == at.option.data.end);
    return LAW_START;
}

/* Checks the Fast CNP about a packet. */
LAW_FN uint32_t law_shortcuts_build(const rocecc_packet *p, uint32_t bits)
{
    const uint8_t *b = p->bytes.base + p->bytes.at;
    uint8_t is[512], should[512];
    rocecc_writer w = rocecc_writer_of(is, is + sizeof is), v = w;
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_fastcnp h;
    rocecc_status status;
    if (rocecc_fastcnp_derive(p, &h) != ROCECC_OK) return LAW_START;
    memset(is, 0x5a, sizeof is);
    memset(should, 0x5a, sizeof should);
    if ((bits & 0xf) == 0) w.end = bits >> 4 & 0x7f;
    if ((bits & 0x30) == 0) w.at = (bits >> 6 & 0x3f) < w.end ? bits >> 6 & 0x3f : 0;
    v = w;
    v.base = should;
    cnp.src = rocecc_ip6_load(b + 6); /* an IPv6 packet has these bytes */
    cnp.src.b[0] = 0x20;
    cnp.dst = h.flow_dst;
    cnp.dst.b[15] ^= 1;
    cnp.dscp = bits >> 8 & 0x3f;
    cnp.ecn = (rocecc_ecn)(bits >> 14 & 3);
    cnp.hop_limit = (uint8_t)(bits >> 16);
    cnp.flow_label = bits >> 12;
    cnp.src_port = (uint16_t)bits;
    cnp.pkey = (uint16_t)(bits >> 3);
    cnp.fecn = (bits >> 5 & 1) != 0;
    cnp.dest_qp = bits >> 8;
    cnp.udp_checksum = (bits >> 7 & 3) == 0;
    if (rocecc_ip6_is_ip4(&cnp.dst) ||
        !rocecc_fastcnp_fits(&p->domain->fastcnp, &h, p->bytes))
        return LAW_START;
    status = rocecc_fastcnp_build_any_(&v, p, ROCECC_ICRC_AUTO, &cnp, &h);
    LAW(rocecc_fastcnp_build(&w, p, ROCECC_ICRC_AUTO, &cnp, &h) == status);
    LAW(w.at == v.at && memcmp(is, should, w.at) == 0);
    LAW(status == ROCECC_OK || is[w.at] == 0x5a);
    return LAW_START;
}

/* Packet in two buffers with room behind it. */
typedef struct law_shortcuts_run {
    uint8_t is[LAW_SHORTCUTS_BYTES], should[LAW_SHORTCUTS_BYTES];
    rocecc_packet p;
    rocecc_writer w;
    uint32_t mtu_bytes;
} law_shortcuts_run;

LAW_FN bool law_shortcuts_copy(law_shortcuts_run *run, const rocecc_packet *p,
                               uint32_t bits)
{
    const size_t end = p->bytes.end;
    if (end > LAW_SHORTCUTS_BYTES) return false;
    memset(run->is, 0, sizeof run->is);
    memcpy(run->is + p->bytes.at, p->bytes.base + p->bytes.at, end - p->bytes.at);
    memcpy(run->should, run->is, sizeof run->is);
    run->w = rocecc_writer_of(run->is, run->is + LAW_SHORTCUTS_BYTES);
    run->w.at = end;
    if ((bits & 0xf) == 0) run->w.end = end + (bits >> 4 & 0x3f);
    if (run->w.end > LAW_SHORTCUTS_BYTES) run->w.end = LAW_SHORTCUTS_BYTES;
    run->p = *p;
    run->p.bytes.base = run->is;
    run->mtu_bytes = (bits & 0xc00) == 0 ? bits >> 16 & 0xff : 1500;
    return true;
}

/* Checks a direct push against the plan. `status` is from the push. */
LAW_FN uint32_t law_shortcuts_pushed(law_shortcuts_run *run, rocecc_status status,
                                     const rocecc_edit *e)
{
    rocecc_writer v = run->w;
    LAW(status == ROCECC_OK || status == ROCECC_NO_MATCH);
    if (status != ROCECC_OK) {
        LAW(run->w.at == run->p.bytes.end);
        LAW(memcmp(run->is, run->should, sizeof run->is) == 0);
        return LAW_START;
    }
    LAW(e->verdict == ROCECC_EDIT_CHANGE);
    v.base = run->should;
    v.at = run->p.bytes.end;
    LAW(rocecc_edit_apply(e, &v) == ROCECC_OK);
    LAW(v.at == run->w.at && memcmp(run->is, run->should, v.at) == 0);
    return LAW_START;
}

LAW_FN void law_shortcuts_words(uint32_t *word, uint32_t bits)
{
    unsigned i;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        word[i] = bits = bits * 1664525u + 1013904223u;
}

LAW_FN uint32_t law_shortcuts_push(const rocecc_packet *p, uint32_t bits)
{
    static law_shortcuts_run run;
    const rocecc_domain *d = p->domain;
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_report_layout layout = ROCECC_ZERO;
    rocecc_ioam_option o;
    rocecc_ioam_node ioam;
    rocecc_intmd_node intmd;
    rocecc_ifa_node ifa;
    rocecc_edit e;
    if (!law_shortcuts_copy(&run, p, bits)) return LAW_START;
    if (rocecc_ioam_find(p, &o) == ROCECC_OK && rocecc_left(&o.data) >= 8) {
        rocecc_ioam_layout_update(
            &d->ioam, rocecc_load32(o.data.base + o.data.at + 4) >> 8, &layout);
        law_shortcuts_words(ioam.word, bits);
        if ((bits & 0x3000) != 0)
            ioam.word[ROCECC_IOAM_WORD_SNAPSHOT] = ROCECC_IOAM_NO_SNAPSHOT;
        (void)rocecc_ioam_push(&run.p, &ioam, none, run.mtu_bytes, &e);
        LAW(law_shortcuts_pushed(
                &run, rocecc_push_ioam(&run.p, &layout, &ioam, run.mtu_bytes, &run.w),
                &e) != LAW_BROKEN);
    }
    if (p->headers.intmd != 0 && p->headers.intmd + 12u <= p->bytes.end) {
        (void)law_shortcuts_copy(&run, p, bits);
        rocecc_intmd_layout_update(rocecc_load16(p->bytes.base + p->headers.intmd + 8),
                                   &layout);
        law_shortcuts_words(intmd.word, bits);
        (void)rocecc_intmd_push(&run.p, &intmd, none, run.mtu_bytes, &e);
        LAW(law_shortcuts_pushed(
                &run, rocecc_push_intmd(&run.p, &layout, &intmd, run.mtu_bytes, &run.w),
                &e) != LAW_BROKEN);
    }
    if (p->headers.ifa != 0) {
        (void)law_shortcuts_copy(&run, p, bits);
        memset(&ifa, 0, sizeof ifa);
        ifa.layout = (bits & 0x4000) != 0 ? ROCECC_IFA_LAYOUT_A : ROCECC_IFA_LAYOUT_B;
        ifa.lns = bits >> 20 & 0xf;
        ifa.device_id = bits & 0xfffff;
        ifa.ttl = (uint8_t)bits;
        ifa.speed = (bits >> 9 & 7) == 0 ? 9 : 5;
        ifa.egress_port = (uint16_t)(bits >> 11);
        ifa.tx_bytes = bits;
        ifa.present = (uint16_t)(bits >> 3 & 0xfff);
        (void)rocecc_ifa_push(&run.p, &ifa, run.mtu_bytes, &e);
        LAW(law_shortcuts_pushed(&run,
                                 rocecc_push_ifa(&run.p, &ifa, run.mtu_bytes, &run.w),
                                 &e) != LAW_BROKEN);
    }
    return LAW_START;
}

/* Checks all shortcuts with one packet, in the domain of `bits`. */
LAW_FN uint32_t law_shortcuts(rocecc_reader r, uint32_t bits)
{
    const rocecc_domain d = law_shortcuts_domain(bits);
    rocecc_packet p;
    LAW(law_shortcuts_headers(&d, r, &p) != LAW_BROKEN);
    LAW(law_shortcuts_icrc(&p) != LAW_BROKEN);
    LAW(law_shortcuts_verify(&p) != LAW_BROKEN);
    LAW(law_shortcuts_options(&p) != LAW_BROKEN);
    LAW(law_shortcuts_trace(&p) != LAW_BROKEN);
    LAW(law_shortcuts_push(&p, bits * 2654435761u) != LAW_BROKEN);
    return p.headers.status != ROCECC_OK ? LAW_START
                                         : law_shortcuts_build(&p, bits * 2246822519u);
}

#endif /* TESTS_LAW_SHORTCUTS_H */
