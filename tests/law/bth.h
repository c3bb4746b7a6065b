/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_BTH_H
#define TESTS_LAW_BTH_H

#include "law.h"
#include "rocecc/fields/bth.h"

/*
 * Checks that emit() writes the parsed bytes, but nothing if a value is too wide or the
 * buffer is full. rocecc_bth_odd() reports only set bits, and AckReq in every response.
 */
LAW_FN uint32_t law_bth(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_BTH_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_BTH_BYTES);
    const rocecc_opcode_set data = rocecc_opcode_set_data();
    rocecc_opcode_class c;
    rocecc_bth h;
    uint8_t odd;
    uint32_t raw;
    rocecc_status status = rocecc_bth_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status == (rocecc_left(&r) < ROCECC_BTH_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_BTH_BYTES : 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_BTH_FIELDS, &h)

    LAW(rocecc_bth_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_BTH_BYTES);
    LAW(law_same(r, &w, ROCECC_BTH_BYTES));
    LAW(rocecc_bth_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_BTH_BYTES);
    raw = rocecc_load32(back + 8);
    h.psn = raw; /* with AckReq and Resv7; fits if both are 0 */
    w = law_writer(back, ROCECC_BTH_BYTES);
    status = rocecc_bth_emit(&w, &h);
    LAW(status == (raw >> 24 == 0 ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_BTH_BYTES : 0));

    status = rocecc_opcode_lookup(h.opcode, &c);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(!rocecc_opcode_set_has(&data, h.opcode));
        LAW(rocecc_bth_odd(&h) == 0);
        return digest;
    }
    LAW(rocecc_opcode_set_has(&data, h.opcode) == (c.payload == ROCECC_PAYLOAD_ANY));
    LAW(c.service == h.opcode >> 5 && (c.first || c.last || c.payload));
    LAW_FIELDS(ROCECC_OPCLASS_FIELDS, &c)

    odd = rocecc_bth_odd(&h);
    digest = law_mix(digest, odd);
    LAW(h.solicited || (odd & ROCECC_BTH_ODD_SOLICITED) == 0);
    LAW(h.ack_req || (odd & ROCECC_BTH_ODD_ACK_REQ) == 0);
    LAW(!c.response || !h.ack_req || (odd & ROCECC_BTH_ODD_ACK_REQ) != 0);
    LAW((odd & ~(ROCECC_BTH_ODD_SOLICITED | ROCECC_BTH_ODD_ACK_REQ)) == 0);
    return digest;
}

#endif /* TESTS_LAW_BTH_H */
