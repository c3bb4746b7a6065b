/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_FASTCNP_H
#define TESTS_LAW_FASTCNP_H

#include "cnp.h"
#include "ioam.h"
#include "law.h"
#include "rocecc/packet/fastcnp.h"
#include "rocecc/fields/fastcnp.h"

#define LAW_FASTCNP_BYTES 264 /* maximum of the header */

/*
 * Makes a configuration from `bits`, with the lab's types for 0. Uses arithmetic,
 * because a branch would double the BPF verifier's paths.
 */
LAW_FN rocecc_fastcnp_config law_fastcnp_config(uint8_t bits)
{
    rocecc_fastcnp_config c;
    c.form = bits & 1;
    c.address_first = bits >> 1 & 1;
    c.align8 = bits >> 2 & 1;
    c.type_plain = (uint8_t)(ROCECC_FASTCNP_LAB_PLAIN * (1u - (bits >> 3 & 1)));
    c.type_ioam = (uint8_t)(ROCECC_FASTCNP_LAB_IOAM * (1u - (bits >> 4 & 1)));
    return c;
}

LAW_FN uint32_t law_fastcnp_fields(uint32_t digest, const rocecc_fastcnp *h)
{
    LAW_FIELDS(ROCECC_FASTCNP_FIELDS, h)
    return digest;
}

#if !defined(__bpf__)
/* Returns a digest of an option and its trace, at any offset. */
LAW_FN uint32_t law_fastcnp_says(rocecc_fastcnp h, rocecc_reader from)
{
    const rocecc_reader trace = rocecc_fastcnp_trace(from, &h);
    h.at = h.trace_at = 0;
    return law_mix_bytes(law_fastcnp_fields(LAW_START, &h), trace, 256);
}

/* Returns true if the data of an option is valid. *trace is the start of a trace. */
LAW_FN bool law_fastcnp_data(const rocecc_fastcnp_config *c, uint8_t type,
                             rocecc_reader body, size_t *trace)
{
    const size_t n = rocecc_left(&body);
    const uint8_t *b;
    uint8_t opt_type = 0;
    if (type == c->type_plain) return n == 16;
    if (n < 16 + 8) return false;
    if (c->address_first)
        body.at += 16;
    else
        body.end -= 16;
    if (c->form == ROCECC_FASTCNP_FORM_A) {
        b = rocecc_take(&body, 2);
        if (b == NULL) return false;
        opt_type = b[1];
    }
    *trace = body.at;
    return law_ioam_nodes(opt_type, body);
}

/* Returns the expected status of rocecc_fastcnp_parse(). */
LAW_FN rocecc_status law_fastcnp_status(const rocecc_fastcnp_config *c,
                                        rocecc_reader options, rocecc_ip6opt *opt,
                                        size_t *trace)
{
    size_t n = 0, pad = 0, found = 0;
    rocecc_ip6opt o;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&options, &o)) == ROCECC_OK) {
        if (o.type <= ROCECC_IP6OPT_PADN) {
            const uint8_t *b;
            pad += rocecc_left(&o.body) + (o.type == ROCECC_IP6OPT_PAD1 ? 1 : 2);
            if (pad > ROCECC_IP6OPT_PAD_MAX) return ROCECC_ERR_UNSUPPORTED;
            while ((b = rocecc_take(&o.body, 1)) != NULL)
                if (*b != 0) return ROCECC_ERR_FORMAT;
            continue;
        }
        if (++n > ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        pad = 0;
        if (o.type == c->type_plain || o.type == c->type_ioam) {
            if (++found > 1) return ROCECC_ERR_FORMAT;
            *opt = o;
        } else if (o.type >> 6 != 0) {
            return ROCECC_ERR_UNSUPPORTED;
        }
    }
    if (status != ROCECC_END) return status;
    if (found == 0) return ROCECC_NO_MATCH;
    return law_fastcnp_data(c, opt->type, opt->body, trace) ? ROCECC_OK
                                                            : ROCECC_ERR_FORMAT;
}

/* Checks that emit() writes one header with only this option, byte for byte. */
LAW_FN uint32_t law_fastcnp_again(const rocecc_fastcnp_config *c,
                                  const rocecc_ip6opt *opt, const rocecc_fastcnp *h)
{
    LAW_SCRATCH(back, LAW_FASTCNP_BYTES);
    const size_t bytes = rocecc_fastcnp_bytes(c, h);
    rocecc_writer w = law_writer(back, LAW_FASTCNP_BYTES);
    rocecc_reader r = {0}, was = opt->body;
    rocecc_fastcnp again;
    rocecc_ip6opts opts;
    LAW(rocecc_fastcnp_emit(&w, c, h, opt->body) == ROCECC_OK &&
        law_wrote(&w) == bytes);
    LAW(bytes % 8 == 0 && bytes <= LAW_FASTCNP_BYTES);
    r = law_written(&w);
    LAW(rocecc_ip6opts_parse(&r, &opts) == ROCECC_OK && rocecc_left(&r) == 0);
    LAW(opts.next_header == ROCECC_PROTO_UDP);
    LAW(rocecc_fastcnp_parse(c, opts.options, &again) == ROCECC_OK);
    LAW(again.at - law_front() == (h->kind != ROCECC_FASTCNP_PLAIN
                                       ? (c->form == ROCECC_FASTCNP_FORM_A ? 4u : 2u)
                                       : (c->align8 ? 6u : 2u)));
    LAW(law_fastcnp_says(again, opts.options) == law_fastcnp_says(*h, opt->body));
    was.at -= 2; /* type and length, too */
    w.base = w.base + again.at - law_front();
    law_rewind(&w, rocecc_left(&was));
    LAW(law_same(was, &w, LAW_FASTCNP_BYTES));
    w = law_writer(back, bytes - 1);
    LAW(rocecc_fastcnp_emit(&w, c, h, opt->body) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == 0);
    return LAW_START;
}

/* Checks the options by each of the 32 configurations. */
LAW_FN uint32_t law_fastcnp_layouts(rocecc_reader options)
{
    uint8_t bits;
    for (bits = 0; bits < 32; bits++) {
        const rocecc_fastcnp_config c = law_fastcnp_config(bits);
        rocecc_fastcnp h;
        rocecc_ip6opt opt = {0, options};
        size_t trace = 0;
        const rocecc_status status = rocecc_fastcnp_parse(&c, options, &h);
        LAW(status == law_fastcnp_status(&c, options, &opt, &trace));
        if (status != ROCECC_OK) continue;
        LAW(h.at == opt.body.at - 2);
        LAW(h.kind ==
            (opt.type == c.type_plain ? ROCECC_FASTCNP_PLAIN : ROCECC_FASTCNP_IOAM));
        LAW(h.kind == ROCECC_FASTCNP_PLAIN ? h.trace_bytes == 0 && h.trace_at == 0
                                           : h.trace_at == trace && h.trace_bytes >= 8);
        LAW(law_fastcnp_again(&c, &opt, &h) != LAW_BROKEN);
    }
    return LAW_START;
}

/* Checks that a Fast CNP by each ICRC rule has this option and the expected ICRC. */
LAW_FN uint32_t law_fastcnp_build(const rocecc_packet *about, const rocecc_cnp *cnp,
                                  const rocecc_fastcnp *h)
{
    const rocecc_fastcnp_config *c = &about->domain->fastcnp;
    LAW_SCRATCH(back, LAW_FASTCNP_BYTES + 80);
    const size_t bytes = 80 + rocecc_fastcnp_bytes(c, h);
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = *c};
    unsigned rule;
    for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
        rocecc_writer w = law_writer(back, bytes);
        rocecc_packet p;
        rocecc_fastcnp again;
        rocecc_cnp packet, plain = *cnp;
        const rocecc_ip6 no_bytes = {{0}};
        rocecc_icrc icrc;
        const rocecc_status status =
            rocecc_fastcnp_build(&w, about, (rocecc_icrc_rule)rule, cnp, h);
        const rocecc_reader r = law_written(&w);
        if (rule == ROCECC_ICRC_STANDARD || rocecc_ip6_is_ip4(&cnp->src) ||
            rocecc_ip6_is_ip4(&cnp->dst)) {
            LAW(status == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
            continue;
        }
        LAW(status == ROCECC_OK && law_wrote(&w) == bytes);
        LAW(rocecc_packet_parse(&d, r, &p) == ROCECC_OK);
        LAW(p.headers.end == w.at && p.headers.ip.end == w.at &&
            p.headers.ip.n_ext == 1);
        LAW(rocecc_icrc_verify((rocecc_icrc_rule)rule, &p, &icrc) == ROCECC_OK);
        LAW(icrc.ok == (rule != ROCECC_ICRC_NONE) && (icrc.ok || icrc.value == 0));
        LAW(rocecc_fastcnp_match(&p));
        LAW(rocecc_fastcnp_find(&p, &again) == ROCECC_OK);
        LAW(law_fastcnp_says(again, p.bytes) == law_fastcnp_says(*h, about->bytes));
        LAW(rocecc_cnp_parse(&p, &packet) == ROCECC_OK);
        LAW(packet.odd == 0);
        plain.odd = packet.odd;
        rocecc_ip6_store(plain.reserved, &no_bytes);
        LAW(law_cnp_fields(LAW_START, &packet) == law_cnp_fields(LAW_START, &plain));
        w = law_writer(back, bytes - 1);
        LAW(rocecc_fastcnp_build(&w, about, (rocecc_icrc_rule)rule, cnp, h) ==
                ROCECC_ERR_SPACE &&
            law_wrote(&w) == 0);
    }
    return LAW_START;
}
#endif

/* Checks a Destination Options header. Its first byte selects the configuration. */
LAW_FN uint32_t law_fastcnp_header(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 1);
    rocecc_fastcnp_config c;
    rocecc_ip6opts opts;
    const size_t start = r.at;
    rocecc_fastcnp h;
    rocecc_status status;
    if (b == NULL) return digest;
    c = law_fastcnp_config((uint8_t)(*b ^ ROCECC_PROTO_UDP));
    LAW(rocecc_fastcnp_init(&c) == (c.type_plain == 0 && c.type_ioam == 0
                                        ? ROCECC_FASTCNP_REFUSED_OFF
                                        : ROCECC_FASTCNP_ACCEPTED));
    status = rocecc_ip6opts_parse(&r, &opts);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    status = rocecc_fastcnp_parse(&c, opts.options, &h);
    digest = law_mix(digest, status);
    if (status == ROCECC_OK) {
        LAW_AT(h.at, start);
        LAW_AT(h.trace_at, start);
        digest = law_fastcnp_fields(digest, &h);
        digest = law_mix(digest, rocecc_fastcnp_bytes(&c, &h));
    }
#if !defined(__bpf__)
    LAW(law_fastcnp_layouts(opts.options) != LAW_BROKEN);
#endif
    return digest;
}

/* Returns a digest of a packet's option. */
LAW_FN uint32_t law_fastcnp_found(const rocecc_packet *p)
{
    uint32_t digest = LAW_START;
    rocecc_fastcnp h;
    const rocecc_status status = rocecc_fastcnp_find(p, &h);
    if (status == ROCECC_OK) {
        LAW_AT(h.at, p->bytes.at);
        LAW_AT(h.trace_at, p->bytes.at);
        digest = law_fastcnp_fields(digest, &h);
    }
    return law_mix(digest, status);
}

#if !defined(__bpf__)
/*
 * Checks a packet and the Fast CNPs built from it, by each of the 32 configurations.
 * p->domain must be *d.
 */
LAW_FN uint32_t law_fastcnp_whole(const rocecc_packet *p, rocecc_domain *d)
{
    rocecc_cnp cnp = rocecc_cnp_default();
    const rocecc_status is_cnp = rocecc_cnp_parse(p, &cnp);
    uint8_t bits;
    rocecc_fastcnp h;
    for (bits = 0; bits < 32; bits++) {
        rocecc_status status;
        bool border;
        d->fastcnp = law_fastcnp_config(bits);
        status = rocecc_fastcnp_find(p, &h);
        border = bits / 8 != 3 && status != ROCECC_NO_MATCH;
        if (is_cnp == ROCECC_OK)
            LAW(rocecc_fastcnp_match(p) == border &&
                (rocecc_fastcnp_border(p) == ROCECC_FASTCNP_BORDER_DROP) == border);
        else if (is_cnp == ROCECC_NO_MATCH)
            LAW(!rocecc_fastcnp_match(p));
        if (is_cnp == ROCECC_OK && status == ROCECC_OK)
            LAW(law_fastcnp_build(p, &cnp, &h) != LAW_BROKEN);
    }
    if (rocecc_fastcnp_derive(p, &h) == ROCECC_OK) {
        const rocecc_fastcnp_config c = law_fastcnp_config(0);
        const bool fits =
            h.kind == ROCECC_FASTCNP_PLAIN ||
            (law_ioam_nodes(h.opt_type, rocecc_fastcnp_trace(p->bytes, &h)) &&
             h.trace_bytes <= 237);
        LAW_SCRATCH(back, LAW_FASTCNP_BYTES);
        rocecc_writer w = law_writer(back, LAW_FASTCNP_BYTES);
        LAW(rocecc_fastcnp_emit(&w, &c, &h, p->bytes) ==
            (fits ? ROCECC_OK : ROCECC_ERR_RANGE));
    }
    return LAW_START;
}
#endif

/*
 * Checks bytes that begin with 6 as a packet, by the configuration in the Flow Label's
 * low byte, and others as a Destination Options header.
 */
LAW_FN uint32_t law_fastcnp(rocecc_reader r)
{
    rocecc_domain d = {.link = ROCECC_LINK_IP};
    uint32_t digest = LAW_START;
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 1);
    rocecc_packet p;
    rocecc_status status;
    if (b == NULL) return digest;
    if (*b >> 4 != 6) return law_fastcnp_header(r);
    b = rocecc_take(&first, 3);
    if (b == NULL) return digest;
    d.fastcnp = law_fastcnp_config(b[2]);
    status = rocecc_packet_parse(&d, r, &p);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    digest = law_mix(digest, law_fastcnp_found(&p));
#if !defined(__bpf__)
    LAW(law_fastcnp_whole(&p, &d) != LAW_BROKEN);
#endif
    return digest;
}

#endif /* TESTS_LAW_FASTCNP_H */
