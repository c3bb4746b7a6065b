/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_IP6OPT_H
#define TESTS_LAW_IP6OPT_H

#include "law.h"
#include "rocecc/wire/ip6opt.h"

#define IP6OPTS_FIELDS(F, T)                                                           \
    F(T, UINT, next_header, NULL)                                                      \
    F(T, VIEW, options, NULL)

#define IP6OPT_FIELDS(F, T)                                                            \
    F(T, UINT, type, NULL)                                                             \
    F(T, VIEW, body, NULL)

#define LAW_IP6OPT_TYPE 0x9e /* the one that the law looks for */

/*
 * What find() should say, from the definition: all elements one by one, and for each
 * the padding before it and the options before it.
 */
ROCECC_FN rocecc_status law_ip6opt_found(rocecc_reader options, rocecc_ip6opt *opt)
{
    size_t n = 0, pad = 0, i;
    rocecc_ip6opt o;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&options, &o)) == ROCECC_OK) {
        const size_t len = rocecc_left(&o.body);
        if (o.type <= ROCECC_IP6OPT_PADN) {
            pad += len + (o.type == ROCECC_IP6OPT_PAD1 ? 1 : 2);
            if (pad > ROCECC_IP6OPT_PAD_MAX) return ROCECC_ERR_UNSUPPORTED;
            for (i = 0; i < len; i++)
                if (*rocecc_take(&o.body, 1) != 0) return ROCECC_ERR_FORMAT;
            continue;
        }
        if (++n > ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        pad = 0;
        *opt = o;
        if (o.type == LAW_IP6OPT_TYPE) return ROCECC_OK;
    }
    return status == ROCECC_END ? ROCECC_NO_MATCH : status;
}

/* Every byte of a list belongs to one option; emitted again, they are the list. */
ROCECC_FN uint32_t law_ip6opt_walk(rocecc_reader options)
{
    uint8_t back[ROCECC_IP6OPTS_MAX_BYTES];
    const size_t n = rocecc_left(&options);
    rocecc_writer w = rocecc_writer_of(back, back + n);
    rocecc_reader rest = options;
    rocecc_ip6opt o;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&rest, &o)) == ROCECC_OK) {
        LAW(rocecc_ip6opt_emit(&w, &o) == ROCECC_OK);
        LAW(w.at == rest.at - options.at);
        LAW(rocecc_ip6opt_pad_bytes(w.at, 8, 6) < 8);
    }
    LAW(status == ROCECC_END || status == ROCECC_ERR_FORMAT);
    LAW((status == ROCECC_END) == (rocecc_left(&rest) == 0));
    LAW(law_same(options, back, w.at));
    return LAW_START;
}

ROCECC_FN uint32_t law_ip6opt(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_ip6opts h;
    rocecc_ip6opt o;
    rocecc_status status = rocecc_ip6opts_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW((status == ROCECC_OK) == (rest.at != r.at));
    if (status != ROCECC_OK) return digest;
    LAW(rest.at == h.options.end && (rest.at - r.at) % 8 == 0);
    digest = law_mix(digest, h.next_header);
    digest = law_mix(digest, rocecc_left(&h.options));

    status = rocecc_ip6opt_find(h.options, LAW_IP6OPT_TYPE, &o);
    digest = law_mix(digest, status);
    if (status == ROCECC_OK) {
        LAW_FIELDS(IP6OPT_FIELDS, &o)
    }
#if !defined(__bpf__)
    {
        uint8_t back[ROCECC_IP6OPTS_MAX_BYTES + 2];
        rocecc_writer w = rocecc_writer_of(back, back + (rest.at - r.at));
        rocecc_ip6opt again;
        LAW(law_ip6opt_found(h.options, &again) == status);
        if (status == ROCECC_OK) LAW(again.body.at == o.body.at);
        LAW(rocecc_ip6opts_emit(&w, &h) == ROCECC_OK && rocecc_room(&w) == 0);
        LAW(law_same(r, back, w.at));
        LAW(rocecc_ip6opts_emit(&w, &h) == ROCECC_ERR_SPACE && rocecc_room(&w) == 0);
        LAW(law_ip6opt_walk(h.options) != LAW_BROKEN);
    }
#endif
    return digest;
}

#endif /* TESTS_LAW_IP6OPT_H */
