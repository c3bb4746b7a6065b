/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_GRH_H
#define TESTS_LAW_GRH_H

#include "law.h"
#include "rocecc/fields/grh.h"

/* Checks parse() and emit(). Other versions and too wide labels are refused. */
LAW_FN uint32_t law_grh(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_GRH_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_GRH_BYTES);
    rocecc_grh h;
    rocecc_status status = rocecc_grh_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_GRH_BYTES : 0));
    if (status != ROCECC_OK) {
        const uint8_t *b = rocecc_take(&r, ROCECC_GRH_BYTES);
        LAW(status == (b == NULL ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT));
        LAW(b == NULL || b[0] < 0x60 || b[0] > 0x6f);
        return digest;
    }
    LAW_FIELDS(ROCECC_GRH_FIELDS, &h)

    LAW(rocecc_grh_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_GRH_BYTES);
    LAW(law_same(r, &w, ROCECC_GRH_BYTES));
    LAW(rocecc_grh_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_GRH_BYTES);
    h.flow_label = rocecc_load32(back + 8);
    w = law_writer(back, ROCECC_GRH_BYTES);
    status = rocecc_grh_emit(&w, &h);
    LAW(status == (h.flow_label >> 20 == 0 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_GRH_BYTES : 0));
    return digest;
}

#endif /* TESTS_LAW_GRH_H */
