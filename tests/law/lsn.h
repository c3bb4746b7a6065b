/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_LSN_H
#define TESTS_LAW_LSN_H

#include "law.h"
#include "rocecc/fields/lsn.h"

/*
 * Checks that store(load(b)) == b for any version, and that parse() and emit() refuse
 * the same headers.
 */
LAW_FN uint32_t law_lsn(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_LSN_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_LSN_BYTES);
    rocecc_lsn h = rocecc_lsn_default();
    const rocecc_status status = rocecc_lsn_parse(&rest, &h);
    rocecc_status emitted;
    const uint8_t *b;
    digest = law_mix(digest, status);
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_LSN_BYTES : 0));
    rest = r;
    b = rocecc_take(&rest, ROCECC_LSN_BYTES);
    LAW((b == NULL) == (status == ROCECC_ERR_SHORT));
    if (b == NULL) return digest;
    h = rocecc_lsn_load(b);
    LAW((status == ROCECC_OK) == (b[0] == 0x12));
    LAW((status == ROCECC_ERR_FORMAT) == (h.version == 1 && h.hdr_len < 2));
    emitted = rocecc_lsn_emit(&w, &h);
    LAW(emitted == (status == ROCECC_OK ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_LSN_BYTES : 0));
    if (status == ROCECC_OK) {
        LAW(rocecc_lsn_emit(&w, &h) == ROCECC_ERR_SPACE &&
            law_wrote(&w) == ROCECC_LSN_BYTES);
    }
    rocecc_lsn_store(back, &h);
    LAW(rocecc_load32(back) == rocecc_load32(b));
    LAW(rocecc_load32(back + 4) == rocecc_load32(b + 4));
    LAW_FIELDS(ROCECC_LSN_FIELDS, &h)
    h.version |= 0x30; /* too wide; store() must mask it */
    h.hdr_len |= 0x50;
    h.resv |= 0x90;
    rocecc_lsn_store(back, &h);
    LAW(rocecc_load32(back) == rocecc_load32(b));
    return digest;
}

#endif /* TESTS_LAW_LSN_H */
