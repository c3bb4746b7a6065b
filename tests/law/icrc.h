/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ICRC_H
#define TESTS_LAW_ICRC_H

#include "law.h"
#include "packet.h"
#include "rocecc/packet/icrc.h"

#define ICRC_FIELDS(F, T)                                                              \
    F(T, UINT, value, NULL)                                                            \
    F(T, UINT, computed, NULL)                                                         \
    F(T, BOOL, ok, NULL)                                                               \
    F(T, ENUM, rule, "auto standard masked literal stripped none")

#define LAW_ICRC_MAX_BYTES 2048 /* longest frame that is copied */

/* Checks verify() by STRIPPED, the rule that both the host and BPF compute. */
LAW_FN uint32_t law_icrc_verified(const rocecc_packet *p)
{
    uint32_t digest = LAW_START;
    rocecc_icrc icrc = {0, 0, false, 0};
    const rocecc_status status = rocecc_icrc_verify(ROCECC_ICRC_STRIPPED, p, &icrc);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    LAW(icrc.ok == (icrc.value == icrc.computed));
    LAW(icrc.rule == ROCECC_ICRC_STANDARD || icrc.rule == ROCECC_ICRC_STRIPPED);
    LAW_FIELDS(ICRC_FIELDS, &icrc)
    return digest;
}

/* Frama-C follows the copy of a frame only from offset 0. */
#if defined(__FRAMAC__)
#define LAW_ICRC_FROM(r) ((r).at == 0)
#else
#define LAW_ICRC_FROM(r) true
#endif

/*
 * Checks one rule. verify() accepts the ICRC that emplace() writes, update() in pieces
 * gives the same, and patch() follows a changed PSN.
 */
LAW_FN uint32_t law_icrc_rule(rocecc_icrc_rule rule, const rocecc_packet *p)
{
    const rocecc_reader r = p->bytes;
    const rocecc_headers *f = &p->headers;
    LAW_SCRATCH(copy, LAW_ICRC_MAX_BYTES);
    rocecc_writer w = law_writer(copy, LAW_ICRC_MAX_BYTES);
    rocecc_reader one, body, piece;
    rocecc_icrc icrc = {0, 0, false, 0};
    uint32_t state = 0, was = 0;
    uint8_t *b;
    rocecc_packet copied = *p;
    const rocecc_headers *g = &copied.headers;
    const bool fits = LAW_ICRC_FROM(r) && rocecc_append(&w, r, LAW_ICRC_MAX_BYTES);
    rocecc_status status = rocecc_icrc_compute(rule, p, &was);
    if (!fits) return LAW_START;
    law_where_moved(&copied.headers, r.at, law_front());
    copied.bytes = law_written(&w);
    LAW((status == ROCECC_ERR_SHORT) == (f->end > r.end));
    LAW(rocecc_icrc_emplace(rule, &copied, w) == status);
    if (status != ROCECC_OK) return LAW_START;
    status = rocecc_icrc_verify(rule, &copied, &icrc);
    LAW(status == ROCECC_OK && icrc.value == icrc.computed && icrc.value == was);
    if (status != ROCECC_OK) return LAW_BROKEN;
    LAW(icrc.ok == (rule != ROCECC_ICRC_NONE));
    if (rule == ROCECC_ICRC_NONE) return LAW_START;

    status = rocecc_icrc_init(rule, p, &state);
    LAW(status == ROCECC_OK);
    if (status != ROCECC_OK) return LAW_BROKEN;
    body = rocecc_subrange(r, f->bth + (size_t)ROCECC_BTH_BYTES, f->end - (size_t)4);
    piece = rocecc_subrange(body, body.at, body.at + (body.end - body.at) / 2);
    state = rocecc_icrc_update(state, piece);
    state = rocecc_icrc_update(state, rocecc_subrange(body, piece.end, body.end));
    LAW(rocecc_icrc_final(state) == icrc.value);

    one = rocecc_subrange(r, f->bth + (size_t)9, f->bth + (size_t)12); /* the PSN */
    w.at = g->bth + (size_t)9;
    b = rocecc_put(&w, 3);
    if (b == NULL) return LAW_BROKEN;
    b[0] ^= 0x5a;
    b[2] ^= 0x01;
    piece = rocecc_subrange(rocecc_written(&w), g->bth + (size_t)9, w.at);
    status = rocecc_icrc_patch(&was, one, piece, (uint32_t)(body.end - body.at));
    LAW(status == ROCECC_OK && was != icrc.value);
    law_rewind(&w, rocecc_left(&r));
    LAW(rocecc_icrc_compute(rule, &copied, &state) == ROCECC_OK);
    LAW(state == was);
    return LAW_START;
}

LAW_FN uint32_t law_icrc_rules(const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    rocecc_icrc icrc = {0, 0, false, 0};
    uint32_t computed = 0;
    unsigned rule;
    rocecc_status status;
    for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++)
        if (rule != ROCECC_ICRC_AUTO || f->ip.n_ext == 0)
            LAW(law_icrc_rule((rocecc_icrc_rule)rule, p) != LAW_BROKEN);
    status = rocecc_icrc_verify(ROCECC_ICRC_AUTO, p, &icrc);
    if (status != ROCECC_OK) return LAW_START;
    LAW((icrc.rule == ROCECC_ICRC_STANDARD) == (f->ip.n_ext == 0));
    status = rocecc_icrc_compute(icrc.rule, p, &computed);
    LAW(status == ROCECC_OK && computed == icrc.computed);
    LAW(icrc.ok == (icrc.value == icrc.computed));
    return LAW_START;
}

LAW_FN uint32_t law_icrc(rocecc_reader r)
{
    const rocecc_domain d = law_packet_domain(r); /* with IFA and INT */
    uint32_t digest = LAW_START;
    rocecc_packet p;
    const rocecc_status status = rocecc_packet_parse(&d, r, &p);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK || p.headers.partial != ROCECC_PARTIAL_NONE) {
        rocecc_icrc none;
        uint32_t state;
        LAW(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &none) == ROCECC_NO_MATCH);
        LAW(rocecc_icrc_compute(ROCECC_ICRC_NONE, &p, &state) == ROCECC_NO_MATCH);
        LAW(rocecc_icrc_init(ROCECC_ICRC_AUTO, &p, &state) == ROCECC_NO_MATCH);
        return digest;
    }
    digest = law_mix(digest, law_icrc_verified(&p));
    LAW(law_icrc_rules(&p) != LAW_BROKEN);
    return digest;
}

#endif /* TESTS_LAW_ICRC_H */
