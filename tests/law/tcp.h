/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_TCP_H
#define TESTS_LAW_TCP_H

#include "law.h"
#include "rocecc/fields/tcp.h"

#define LAW_TCP_MAX (ROCECC_TCP_BYTES + ROCECC_TCP_OPTIONS_MAX_BYTES)

/* Checks that emit() refuses too wide reserved bits and uneven or too long options. */
LAW_FN uint32_t law_tcp_refused(const rocecc_tcp *parsed)
{
    LAW_SCRATCH(back, LAW_TCP_MAX);
    rocecc_writer w = law_writer(back, LAW_TCP_MAX);
    rocecc_tcp h = *parsed;
    rocecc_status status;
    h.options = rocecc_reader_of(back, back);
    h.reserved = h.flags;
    status = rocecc_tcp_emit(&w, &h);
    LAW(status == (h.flags >> 4 == 0 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_TCP_BYTES : 0));
    h.reserved = 0;
    h.options = law_reader(back, 1);
    LAW(rocecc_tcp_emit(&w, &h) == ROCECC_ERR_RANGE);
    h.options = law_reader(back, ROCECC_TCP_OPTIONS_MAX_BYTES + 4);
    LAW(rocecc_tcp_emit(&w, &h) == ROCECC_ERR_RANGE);
    return LAW_START;
}

/* Checks that the header has its declared length, and is emitted byte for byte. */
LAW_FN uint32_t law_tcp(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, LAW_TCP_MAX);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, LAW_TCP_MAX);
    rocecc_tcp h;
    size_t bytes;
    const rocecc_status status = rocecc_tcp_parse(&rest, &h);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        const uint8_t *b;
        LAW(rest.at == r.at);
        b = rocecc_take(&r, ROCECC_TCP_BYTES);
        if (b == NULL) {
            LAW(status == ROCECC_ERR_SHORT);
        } else if (b[12] < 0x50) {
            LAW(status == ROCECC_ERR_FORMAT);
        } else {
            LAW(status == ROCECC_ERR_SHORT);
            LAW(rocecc_left(&r) + ROCECC_TCP_BYTES < (size_t)(b[12] / 16) * 4);
        }
        return digest;
    }
    bytes = ROCECC_TCP_BYTES + rocecc_left(&h.options);
    LAW(rest.at == h.options.end && rest.at - r.at == bytes);
    LAW_FIELDS(ROCECC_TCP_FIELDS, &h)

    LAW(rocecc_tcp_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == bytes);
    LAW(law_same(r, &w, LAW_TCP_MAX));
    if (rocecc_room(&w) < bytes)
        LAW(rocecc_tcp_emit(&w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == bytes);
    LAW(law_tcp_refused(&h) == LAW_START);
    return digest;
}

#endif /* TESTS_LAW_TCP_H */
