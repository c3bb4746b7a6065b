/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ARN_H
#define TESTS_LAW_ARN_H

#include "law.h"
#include "rocecc/fields/arn.h"

#define LAW_ARN_BYTES 120

/* Makes a configuration from `bits` by arithmetic, for the verifier. 0 gives zeros. */
LAW_FN rocecc_arn_config law_arn_config(uint8_t bits)
{
    rocecc_arn_config c;
    c.port = 0;
    c.versions = bits >> 7 & 1;
    c.time_unit_ps = 0;
    c.bit_order = bits & 3;
    c.layout = bits >> 2 & 3;
    c.family = (uint8_t)((bits >> 4 & 1) * (4u + (bits >> 4 & 2)));
    c.priority = bits >> 6 & 3;
    c.tail_unknown = (bits >> 5 & 3) == 3;
    return c;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Returns the expected status of rocecc_arn_parse(). */
LAW_FN rocecc_status law_arn_status(const rocecc_arn_config *c, const uint8_t *b,
                                    size_t n)
{
    static const uint8_t widths[2][2] = {{16, 13}, {40, 37}};
    const bool high = n >= 4 && b[3] >= 0x10, low = n >= 4 && b[3] % 0x10 != 0;
    const bool lsb = c->bit_order == ROCECC_ARN_LSB ||
                     (c->bit_order == ROCECC_ARN_AUTO && !high && low);
    const bool more = lsb ? high : low;
    size_t bytes = 4, i, k, at = 4, hits = 0, flow = 0;
    if (n < 4) return ROCECC_ERR_SHORT;
    if (c->bit_order > 2 || c->layout > 2 || c->priority > 2 ||
        (c->tail_unknown && c->bit_order == 2))
        return ROCECC_ERR_UNSUPPORTED;
    if (c->versions == 0 ? b[1] >= 0x20 : (c->versions & 1 << b[1] / 16) == 0)
        return ROCECC_ERR_UNSUPPORTED;
    if (b[0] < 1 || b[0] > 4) return ROCECC_ERR_FORMAT;
    if (more && !c->tail_unknown) return ROCECC_ERR_UNSUPPORTED;
    for (i = 1; i < 4; i++)
        bytes += b[3] >> (lsb ? i : 7 - i) & 1 ? 4 : 0;
    if (b[3] >> (lsb ? 0 : 7) & 1) {
        for (i = 0; i < 2; i++)
            for (k = 0; k < 2; k++) {
                if (c->family != 0 && c->family != (i == 0 ? 4 : 6)) continue;
                if (c->layout != 0 && c->layout != 1 + k) continue;
                hits++;
                if (bytes + widths[i][k] == n || more) flow = widths[i][k];
            }
        if (bytes > n) return ROCECC_ERR_FORMAT;
        if (more && hits != 1) return ROCECC_ERR_UNSUPPORTED;
        if (flow == 0) return ROCECC_ERR_FORMAT;
    }
    bytes += flow;
    if (more ? n < bytes : n != bytes) return ROCECC_ERR_FORMAT;
    at += flow + (b[3] >> (lsb ? 1 : 6) & 1 ? 4u : 0u);
    if ((b[3] >> (lsb ? 2 : 5) & 1) != 0 && c->priority < 2 &&
        (b[at] != 0 || b[at + 1] != 0 || b[at + 2] != 0 ||
         b[at + 3] >= (c->priority == 0 ? 8 : 64)))
        return ROCECC_ERR_FORMAT;
    return ROCECC_OK;
}
#endif

/* Checks status and values by one configuration. emit() writes the same bytes again. */
LAW_FN uint32_t law_arn_by(const rocecc_arn_config *c, rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, LAW_ARN_BYTES);
    rocecc_writer w = law_writer(back, LAW_ARN_BYTES);
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 4);
    rocecc_arn h = rocecc_arn_load(back), again;
    rocecc_status status;
    h.rest = r;
    status = rocecc_arn_parse(c, r, &h);
    digest = law_mix(digest, status);
    LAW((b == NULL) == (status == ROCECC_ERR_SHORT));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    LAW(status == law_arn_status(c, r.base + r.at, rocecc_left(&r)));
#endif
    if (b == NULL) return digest;
    if (status != ROCECC_OK) {
        digest = law_mix(digest, rocecc_arn_unknown_(c, b[3]));
        h = rocecc_arn_load(b);
        rocecc_arn_store(back, &h);
        LAW(rocecc_load32(back) == rocecc_load32(b));
        h.version |= 0x30; /* too wide; store() must mask it */
        h.resv |= 0x90;
        rocecc_arn_store(back, &h);
        LAW(rocecc_load32(back) == rocecc_load32(b));
        return digest;
    }
    LAW(rocecc_arn_bytes(&h) == rocecc_left(&r) && h.rest.end == r.end);
    LAW(rocecc_left(&h.rest) == 0 || rocecc_arn_unknown_(c, h.para_type) != 0);
    LAW((h.tuple_bytes != 0) == ((rocecc_arn_present(&h) & ROCECC_ARN_FLOW) != 0));
    LAW_FIELDS(ROCECC_ARN_FIELDS, &h)
    if (rocecc_left(&h.rest) > ROCECC_ARN_REST_MAX_BYTES) {
        LAW(rocecc_arn_emit(&w, c, &h) == ROCECC_ERR_RANGE && law_wrote(&w) == 0);
        return digest;
    }
#if !defined(__bpf__)
    LAW(rocecc_arn_emit(&w, c, &h) == ROCECC_OK && law_wrote(&w) == rocecc_left(&r));
    LAW(law_same(r, &w, LAW_ARN_BYTES));
    if (h.tuple_bytes == 13 || h.tuple_bytes == 16)
        LAW(rocecc_arn_tuple_bytes(c, &h.flow) ==
            (c->layout == ROCECC_ARN_PACKED ? 13 : 16));
    LAW(law_wrote(&w) <= LAW_ARN_BYTES / 2 ||
        rocecc_arn_emit(&w, c, &h) == ROCECC_ERR_SPACE);
#endif
    again = rocecc_arn_default(c, h.type, rocecc_arn_present(&h));
    LAW(rocecc_arn_present(&again) == rocecc_arn_present(&h));
    digest = law_mix(digest, rocecc_arn_time_ns(c, h.time));
    LAW(rocecc_arn_time(c, rocecc_arn_time_ns(c, h.time)) == h.time);
    return digest;
}

/* Checks an ARN by AUTO, and by a configuration that its Metric selects. */
LAW_FN uint32_t law_arn(rocecc_reader r)
{
    rocecc_arn_config c = law_arn_config(ROCECC_ARN_AUTO);
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 4);
    uint32_t digest = law_arn_by(&c, r);
    if (b == NULL) return digest;
    c = law_arn_config(b[2]);
    digest = law_mix(digest, law_arn_by(&c, r));
    return digest;
}

#endif /* TESTS_LAW_ARN_H */
