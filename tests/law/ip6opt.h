/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_IP6OPT_H
#define TESTS_LAW_IP6OPT_H

#include "law.h"
#include "rocecc/fields/ip6opt.h"

#define LAW_IP6OPT_TYPE 0x9e /* the type that the law searches for */

/* Returns the expected status of rocecc_ip6opt_find(), by all options and padding. */
LAW_FN rocecc_status law_ip6opt_found(rocecc_reader options)
{
    size_t n = 0, pad = 0;
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
        if (o.type == LAW_IP6OPT_TYPE) return ROCECC_OK;
    }
    return status == ROCECC_END ? ROCECC_NO_MATCH : status;
}

/* Checks that every byte belongs to one option, and that emit() gives them again. */
LAW_FN uint32_t law_ip6opt_walk(rocecc_reader options)
{
    LAW_SCRATCH(back, ROCECC_IP6OPTS_MAX_BYTES);
    rocecc_writer w = law_writer(back, ROCECC_IP6OPTS_MAX_BYTES);
    rocecc_reader rest = options;
    rocecc_ip6opt o;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&rest, &o)) == ROCECC_OK) {
        LAW(rocecc_ip6opt_emit(&w, &o) == ROCECC_OK);
        LAW(law_wrote(&w) == rest.at - options.at);
    }
    LAW(status == (rocecc_left(&rest) == 0 ? ROCECC_END : ROCECC_ERR_FORMAT));
    LAW(law_same(options, &w, ROCECC_IP6OPTS_MAX_BYTES));
    return LAW_START;
}

/* Checks that the header is emitted again. A second long one does not fit. */
LAW_FN uint32_t law_ip6opts_again(rocecc_reader r, const rocecc_ip6opts *h, size_t n)
{
    LAW_SCRATCH(back, 2 + ROCECC_IP6OPTS_MAX_BYTES);
    rocecc_writer w = law_writer(back, 2 + ROCECC_IP6OPTS_MAX_BYTES);
    LAW(rocecc_ip6opts_emit(&w, h) == ROCECC_OK && law_wrote(&w) == n);
    LAW(law_same(r, &w, 2 + ROCECC_IP6OPTS_MAX_BYTES));
    LAW(rocecc_ip6opts_emit(&w, h) ==
        (2 * n > (2 + ROCECC_IP6OPTS_MAX_BYTES) ? ROCECC_ERR_SPACE : ROCECC_OK));
    return LAW_START;
}

LAW_FN uint32_t law_ip6opt(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_ip6opts h;
    rocecc_ip6opt o;
    rocecc_status status = rocecc_ip6opts_parse(&rest, &h);
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_SHORT && rest.at == r.at);
        LAW(rocecc_status_declared(status) == ROCECC_ERR_FORMAT);
        return law_mix(digest, status);
    }
    LAW(rest.at == h.options.end && (rest.at - r.at) % 8 == 0);
    digest = law_mix(digest, h.next_header);
    digest = law_mix(digest, rocecc_left(&h.options));

    status = rocecc_ip6opt_find(h.options, LAW_IP6OPT_TYPE, &o);
    if (status == ROCECC_OK) {
        LAW_SCRATCH(back, 2 + 255 + 4);
        rocecc_writer w = law_writer(back, 2 + 255 + 4);
        LAW_FIELDS(ROCECC_IP6OPT_FIELDS, &o)
        LAW(o.type == LAW_IP6OPT_TYPE);
        LAW(rocecc_ip6opt_emit(&w, &o) == ROCECC_OK);
        LAW(law_wrote(&w) == 2 + rocecc_left(&o.body));
        LAW(rocecc_ip6opt_pad_bytes(law_wrote(&w), 8, 0) < 8);
        LAW(rocecc_ip6opt_pad_emit(&w, 4) == ROCECC_OK);
        digest = law_mix_bytes(digest, law_reader(back, 32), 32);
    }
    digest = law_mix(digest, status);
#if !defined(__bpf__)
    LAW(law_ip6opt_found(h.options) == status);
    LAW(law_ip6opts_again(r, &h, rest.at - r.at) != LAW_BROKEN);
    LAW(law_ip6opt_walk(h.options) != LAW_BROKEN);
#endif
    return digest;
}

#endif /* TESTS_LAW_IP6OPT_H */
