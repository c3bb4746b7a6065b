/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_IOAM_H
#define TESTS_LAW_IOAM_H

#include "law.h"
#include "rocecc/wire/ioam.h"

#define IOAM_OPTION_FIELDS(F, T)                                                       \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, UINT, opt_type, NULL)                                                         \
    F(T, VIEW, data, NULL)

#define IOAM_TRACE_FIELDS(F, T)                                                        \
    F(T, UINT, namespace_id, NULL)                                                     \
    F(T, UINT, node_len, NULL)                                                         \
    F(T, UINT, flags, NULL)                                                            \
    F(T, UINT, remaining_len, NULL)                                                    \
    F(T, UINT, trace_type, NULL)                                                       \
    F(T, UINT, reserved, NULL)

/* The words of each bit of the trace type, from bit 0 on: RFC 9197, 4.4.2. */
ROCECC_FN unsigned law_ioam_words(uint32_t trace_type)
{
    static const uint8_t words[24] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1,
                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
    unsigned n = 0, bit;
    for (bit = 0; bit < 24; bit++)
        if (trace_type >> (23 - bit) & 1) n += words[bit];
    return n;
}

/* What match() should say, from the definition: node by node. */
ROCECC_FN bool law_ioam_nodes(uint8_t opt_type, rocecc_reader trace)
{
    const uint8_t *b = rocecc_take(&trace, 8);
    unsigned words, remaining;
    if (b == NULL || (opt_type != 0 && opt_type != 1)) return false;
    words = law_ioam_words((uint32_t)b[4] << 16 | (uint32_t)b[5] << 8 | b[6]);
    remaining = b[3] & 0x7f;
    if (b[2] / 8 != words) return false;
    if (opt_type == 0 && rocecc_take(&trace, 4 * (size_t)remaining) == NULL)
        return false;
    if (b[6] & 2) /* a snapshot: any number of words */
        while (rocecc_take(&trace, 4) != NULL)
            ;
    else if (words != 0)
        while (rocecc_take(&trace, 4 * (size_t)words) != NULL)
            ;
    return rocecc_left(&trace) == 0;
}

/* What find() should say, from the definition: the elements one by one. */
ROCECC_FN rocecc_status law_ioam_found(rocecc_reader options, size_t *at)
{
    size_t n = 0, pad = 0;
    rocecc_ip6opt o;
    rocecc_status status;
    while ((status = rocecc_ip6opt_next(&options, &o)) == ROCECC_OK) {
        const uint8_t *b;
        if (o.type <= ROCECC_IP6OPT_PADN) {
            pad += rocecc_left(&o.body) + (o.type == ROCECC_IP6OPT_PAD1 ? 1 : 2);
            if (pad > ROCECC_IP6OPT_PAD_MAX) return ROCECC_ERR_UNSUPPORTED;
            while ((b = rocecc_take(&o.body, 1)) != NULL)
                if (*b != 0) return ROCECC_ERR_FORMAT;
            continue;
        }
        if (++n > ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        pad = 0;
        if (o.type != 0x31) continue;
        b = rocecc_take(&o.body, 2);
        if (b == NULL) return ROCECC_ERR_FORMAT;
        *at = o.body.at;
        if (b[1] == 0 || b[1] == 1) return ROCECC_OK;
    }
    return status == ROCECC_END ? ROCECC_NO_MATCH : status;
}

/* Bytes taken as a trace, of each kind. */
ROCECC_FN uint32_t law_ioam_trace(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    uint8_t back[ROCECC_IOAM_TRACE_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(back, back + sizeof back);
    rocecc_reader rest = r;
    rocecc_ioam_trace h;
    const rocecc_status status = rocecc_ioam_trace_parse(&rest, &h);
    const bool preallocated = rocecc_ioam_trace_match(ROCECC_IOAM_PREALLOCATED, r);
    const bool incremental = rocecc_ioam_trace_match(ROCECC_IOAM_INCREMENTAL, r);
    LAW(!rocecc_ioam_trace_match(ROCECC_IOAM_PROOF_OF_TRANSIT, r));
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_SHORT && rest.at == r.at);
        LAW(!preallocated && !incremental);
        return law_mix(digest, status);
    }
    LAW_FIELDS(IOAM_TRACE_FIELDS, &h)
    digest = law_mix(digest, rocecc_ioam_node_len(h.trace_type));
    digest = law_mix(digest, preallocated);
    digest = law_mix(digest, incremental);
    LAW(rocecc_ioam_trace_emit(&w, &h) == ROCECC_OK && w.at == 8);
    LAW(law_same(r, &w, ROCECC_IOAM_TRACE_BYTES));
    LAW(rocecc_ioam_trace_emit(&w, &h) == ROCECC_ERR_SPACE);
#if !defined(__bpf__)
    LAW(preallocated == law_ioam_nodes(0, r));
    LAW(incremental == law_ioam_nodes(1, r));
#endif
    return digest;
}

/* Bytes as a list of options, and as a trace. */
ROCECC_FN uint32_t law_ioam(rocecc_reader r)
{
    uint32_t digest = law_ioam_trace(r);
    rocecc_ioam_option o = {0xff, 0xff, r};
    const rocecc_status status = rocecc_ioam_trace_find(r, &o);
    digest = law_mix(digest, status);
    if (status == ROCECC_OK) {
        LAW(o.opt_type <= ROCECC_IOAM_INCREMENTAL);
        LAW_FIELDS(IOAM_OPTION_FIELDS, &o)
        digest = law_mix(digest, rocecc_ioam_trace_match(o.opt_type, o.data));
    } else {
        LAW(o.opt_type == 0xff && o.reserved == 0xff);
    }
#if !defined(__bpf__)
    {
        size_t at = 0;
        LAW(law_ioam_found(r, &at) == status);
        LAW(status != ROCECC_OK || o.data.at == at);
    }
#endif
    return digest;
}

#endif /* TESTS_LAW_IOAM_H */
