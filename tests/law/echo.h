/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ECHO_H
#define TESTS_LAW_ECHO_H

#include "draw.h"
#include "packet.h"
#include "rocecc/fields/csig.h"
#include "rocecc/fields/echo.h"
#include "rocecc/role/echo.h"

#define LAW_ECHO_HOPS 4
#define LAW_ECHO_BYTES 160 /* the domain's roce.echo_bytes */

LAW_FN rocecc_domain law_echo_domain(rocecc_reader r)
{
    rocecc_domain d = law_packet_domain(r);
    d.roce.echo_bytes = LAW_ECHO_BYTES;
    d.ifa.layout_a = ROCECC_IFA_LAB_LAYOUT_A;
    d.ifa.layout_b = ROCECC_IFA_LAB_LAYOUT_B;
    d.ioam.tx_bytes_bit = 12;
    return d;
}

LAW_FN uint32_t law_echo_fields(uint32_t digest, const rocecc_echo *h)
{
    LAW_FIELDS(ROCECC_ECHO_FIELDS, h)
    return digest;
}

/* Returns the expected status of rocecc_echo_parse(). */
LAW_FN rocecc_status law_echo_status(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, 4);
    uint32_t word;
    if (b == NULL) return ROCECC_ERR_SHORT;
    word = rocecc_load32(b);
    if (word >> 26 != 4) return ROCECC_ERR_UNSUPPORTED; /* version 1, formats 0 to 3 */
    if ((word & 255) == 0) return ROCECC_ERR_FORMAT;
    if ((word >> 23 & 1) != 0) word &= ~255u;
    return rocecc_left(&r) < 4 * ((word & 255) + (word >> 22 & 1)) ? ROCECC_ERR_SHORT
                                                                   : ROCECC_OK;
}

/* Checks that parse() consumes a whole echo or nothing, by T and Length. */
LAW_FN uint32_t law_echo_parse(rocecc_reader r, rocecc_status *status, rocecc_echo *h)
{
    rocecc_reader rest = r;
    *status = rocecc_echo_parse(&rest, h);
    LAW(*status == law_echo_status(r));
    if (*status != ROCECC_OK) {
        LAW(rest.at == r.at);
        return law_mix(LAW_START, *status);
    }
    LAW(rest.at - r.at == rocecc_echo_bytes(h));
    LAW(rocecc_left(&h->record) == (h->truncated ? 0 : 4u * h->length));
    LAW(rocecc_left(&h->record) + (h->read_response ? 8 : 4) == rocecc_echo_bytes(h));
    LAW(h->read_response || (h->psn == 0 && h->psn_resv == 0));
    return law_echo_fields(law_mix(LAW_START, *status), h);
}

/* Checks that rocecc_echo_ioam() accepts only IOAM records that are whole. */
LAW_FN uint32_t law_echo_ioam(const rocecc_domain *d, const rocecc_echo *h)
{
    rocecc_ioam_view v;
    const rocecc_status status = rocecc_echo_ioam(&d->ioam, h, &v);
    if (h->format != ROCECC_ECHO_IOAM || h->truncated) LAW(status == ROCECC_NO_MATCH);
    LAW(status != ROCECC_ERR_SHORT);
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(v.trace.namespace_id == d->ioam.namespace_id);
    LAW(v.nodes.end == h->record.end);
    return law_mix(LAW_START, v.count);
}

LAW_FN uint32_t law_echo_ifa(const rocecc_domain *d, const rocecc_echo *h)
{
    rocecc_ifa v;
    const rocecc_status status = rocecc_echo_ifa(&d->ifa, h, &v);
    if (h->format != ROCECC_ECHO_IFA || h->truncated) LAW(status == ROCECC_NO_MATCH);
    LAW(status != ROCECC_ERR_SHORT);
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(v.nodes.end == h->record.end);
    return law_mix(LAW_START, rocecc_left(&v.nodes));
}

LAW_FN uint32_t law_echo_intmd(const rocecc_domain *d, const rocecc_echo *h)
{
    rocecc_intmd v;
    const rocecc_status status = rocecc_echo_intmd(&d->intmd, h, &v);
    if (h->format != ROCECC_ECHO_INTMD || h->truncated) LAW(status == ROCECC_NO_MATCH);
    LAW(status != ROCECC_ERR_SHORT);
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(v.nodes.end == h->record.end);
    return law_mix(LAW_START, v.n_nodes);
}

LAW_FN uint32_t law_echo_csig(const rocecc_domain *d, const rocecc_echo *h)
{
    rocecc_csig v;
    const rocecc_status status = rocecc_echo_csig(&d->csig, h, &v);
    if (h->format != ROCECC_ECHO_CSIG || h->truncated) LAW(status == ROCECC_NO_MATCH);
    LAW(status != ROCECC_ERR_SHORT);
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(rocecc_left(&h->record) == (v.wide ? 8 : 4));
    return law_mix(LAW_START, v.value);
}

/* Checks that the echo is in the packet, and truncated only beyond roce.echo_bytes. */
LAW_FN uint32_t law_echo_of(const rocecc_packet *p)
{
    uint32_t digest = LAW_START;
    rocecc_echo h = ROCECC_ZERO;
    rocecc_status status;
    h.version = 9;
    status = rocecc_echo_extract(p, &h);
    if (status != ROCECC_OK) {
        LAW(h.version == 9);
        return law_mix(LAW_START, status);
    }
    LAW(p->headers.kind == ROCECC_PACKET_KIND_ROCEV2);
    LAW(h.version == 1 && h.format < 4 && h.length > 0 && h.resv == 0);
    LAW(rocecc_echo_bytes(&h) <= p->domain->roce.echo_bytes);
    LAW(h.truncated == ((h.read_response ? 8u : 4u) + 4 * (size_t)h.length >
                        p->domain->roce.echo_bytes));
    LAW(h.record.at >= p->bytes.at && h.record.end <= p->bytes.end);
    digest = law_mix(digest, (uint64_t)h.format << 8 | h.length);
    return law_mix_bytes(digest, h.record, 8); /* identifies the record */
}

/* Checks that an echo fills an ACK from the AETH to the ICRC. */
LAW_FN uint32_t law_echo_find(const rocecc_packet *p, rocecc_status *status,
                              rocecc_echo *h)
{
    const rocecc_headers *f = &p->headers;
    *status = rocecc_echo_find(p, h);
    if (*status != ROCECC_OK) return law_mix(LAW_START, *status);
    LAW(f->kind == ROCECC_PACKET_KIND_ROCEV2 && f->bth != 0);
    LAW(rocecc_echo_bytes(h) <= p->domain->roce.echo_bytes);
    LAW(f->end == f->bth + 12u + 4u + rocecc_echo_bytes(h) + 4u);
    return law_echo_fields(law_mix(LAW_START, *status), h);
}

#if !defined(__bpf__)
/* Checks that emit() writes the same bytes, and refuses too wide values. */
LAW_FN uint32_t law_echo_back(rocecc_reader r, const rocecc_echo *h)
{
    LAW_ROOM(back, ROCECC_ECHO_MAX_BYTES + 4);
    rocecc_writer w = law_writer(back, ROCECC_ECHO_MAX_BYTES + 4);
    rocecc_writer small = w;
    rocecc_echo again = *h;
    again.version = 2;
    LAW(rocecc_echo_emit(&w, &again) == ROCECC_ERR_RANGE);
    again = *h;
    again.format = 4;
    LAW(rocecc_echo_emit(&w, &again) == ROCECC_ERR_RANGE);
    again = *h;
    again.resv |= 0x4000;
    LAW(rocecc_echo_emit(&w, &again) == ROCECC_ERR_RANGE);
    again = *h;
    again.psn |= 0x1000000;
    LAW(rocecc_echo_emit(&w, &again) == ROCECC_ERR_RANGE);
    again = *h;
    again.truncated = !again.truncated;
    LAW(rocecc_echo_emit(&w, &again) == ROCECC_ERR_RANGE);
    small.end = small.at + rocecc_echo_bytes(h) - 1;
    LAW(rocecc_echo_emit(&small, h) == ROCECC_ERR_SPACE && law_wrote(&small) == 0);
    LAW(rocecc_echo_emit(&w, h) == ROCECC_OK);
    LAW(law_wrote(&w) == rocecc_echo_bytes(h));
    LAW(law_same(r, &w, ROCECC_ECHO_MAX_BYTES + 4));
    return LAW_START;
}

/* Checks that the receiver writes the extracted echo, and that parse() reads it. */
LAW_FN uint32_t law_echo_received(const rocecc_packet *p)
{
    LAW_ROOM(back, LAW_ECHO_BYTES);
    rocecc_writer w = law_writer(back, LAW_ECHO_BYTES);
    rocecc_status status;
    rocecc_echo h = ROCECC_ZERO, again = ROCECC_ZERO;
    const rocecc_echo_receiver_verdict verdict = rocecc_echo_receiver_step(p, &w);
    if (!rocecc_echo_receiver_needs_action(verdict)) {
        LAW(law_wrote(&w) == 0 && verdict != ROCECC_ECHO_RECEIVER_NO_SPACE);
        return law_mix(LAW_START, verdict);
    }
    LAW(rocecc_echo_extract(p, &h) == ROCECC_OK &&
        law_wrote(&w) == rocecc_echo_bytes(&h));
    LAW(law_echo_parse(law_written(&w), &status, &again) ==
        law_echo_fields(law_mix(LAW_START, ROCECC_OK), &h));
    LAW((verdict == ROCECC_ECHO_RECEIVER_TRUNCATED) == again.truncated);
    return law_mix(LAW_START, verdict);
}

/* Checks the result for an ACK of the sender's QP and PSN, and STRAY for others. */
LAW_FN uint32_t law_echo_heard(const rocecc_packet *p, const rocecc_echo *h)
{
    uint32_t digest = LAW_START;
    rocecc_reader r = rocecc_subrange(p->bytes, p->headers.bth, p->headers.end);
    static rocecc_telemetry_config c;
    rocecc_hop hops[LAW_ECHO_HOPS];
    rocecc_echo_sender_result out;
    rocecc_echo_sender_event e = {0, 0, 1, LAW_ECHO_HOPS, 0, 0, 1};
    rocecc_bth bth;
    uint32_t i;
    LAW(rocecc_bth_parse(&r, &bth) == ROCECC_OK);
    e.qp = bth.dest_qp;
    e.first_psn = bth.psn;
    e.first_read_psn = h->psn;
    e.format = h->format;
    c.queue_unit_bytes = 80;
    c.util_one = 10000;
    rocecc_echo_sender_step(&c, p, e, hops, &out);
    LAW(out.verdict != ROCECC_ECHO_SENDER_NONE && out.length == h->length);
    LAW((out.verdict == ROCECC_ECHO_SENDER_TRUNCATED) == h->truncated);
    LAW(out.verdict != ROCECC_ECHO_SENDER_STRAY);
    LAW(out.read_response == h->read_response);
    LAW(out.psn == (h->read_response ? h->psn : bth.psn));
    digest = law_mix(digest, out.verdict);
    if (out.verdict == ROCECC_ECHO_SENDER_HOPS) LAW(out.path.n <= LAW_ECHO_HOPS);
    for (i = 0; i < out.path.n; i++)
        digest = law_mix(digest, hops[i].id ^ hops[i].ts_ns ^ hops[i].valid);
    digest = law_mix(digest, out.tag.value);
    e.qp ^= 1;
    rocecc_echo_sender_step(&c, p, e, hops, &out);
    LAW(out.verdict == ROCECC_ECHO_SENDER_STRAY && out.path.n == 0);
    e.qp ^= 1;
    if (h->read_response) {
        e.first_read_psn++;
        e.n_read_psns = 0xffffff;
    } else {
        e.first_psn++;
        e.n_psns = 0xffffff;
    }
    rocecc_echo_sender_step(&c, p, e, hops, &out);
    LAW(out.verdict == ROCECC_ECHO_SENDER_STRAY);
    LAW(!rocecc_echo_sender_needs_action(out.verdict));
    return digest;
}

/* Checks the bytes as an echo, and as an ACK. */
LAW_FN uint32_t law_echo_read(rocecc_reader r)
{
    const rocecc_domain d = law_echo_domain(r);
    rocecc_status status;
    rocecc_packet p;
    rocecc_echo h = ROCECC_ZERO;
    uint32_t digest = law_echo_parse(r, &status, &h), part;
    LAW(digest != LAW_BROKEN);
    if (status == ROCECC_OK) {
        LAW(law_echo_back(r, &h) != LAW_BROKEN);
        part = law_echo_ioam(&d, &h);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
        part = law_echo_ifa(&d, &h);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
        part = law_echo_intmd(&d, &h);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
        part = law_echo_csig(&d, &h);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
    }
    digest = law_mix(digest, rocecc_packet_parse(&d, r, &p));
    part = law_echo_find(&p, &status, &h);
    LAW(part != LAW_BROKEN);
    if (status == ROCECC_OK) LAW(law_echo_heard(&p, &h) != LAW_BROKEN);
    return law_mix(digest, part);
}

/* Checks the bytes as an echo, an ACK, and a data packet. */
LAW_FN uint32_t law_echo(rocecc_reader r)
{
    const rocecc_domain d = law_echo_domain(r);
    const uint32_t digest = law_echo_read(r);
    rocecc_packet p;
    uint32_t part;
    LAW(digest != LAW_BROKEN);
    (void)rocecc_packet_parse(&d, r, &p);
    part = law_echo_of(&p);
    LAW(part != LAW_BROKEN && law_echo_received(&p) != LAW_BROKEN);
    return law_mix(digest, part);
}
#endif

#endif /* TESTS_LAW_ECHO_H */
