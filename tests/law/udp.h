/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_UDP_H
#define TESTS_LAW_UDP_H

#include "law.h"
#include "rocecc/fields/udp.h"

#define LAW_UDP_SUMMED 24 /* most bytes under the checksum */

/* Checks that a label is the same for both ends, and gives a dynamic port. */
LAW_FN uint32_t law_udp_port(uint32_t a, uint32_t b)
{
    const uint32_t label = rocecc_udp_flow_label(a, b);
    const uint16_t port = rocecc_udp_src_port(label);
    LAW(label < 1u << 20 && label == rocecc_udp_flow_label(b, a));
    LAW(port == 0xc000 + ((label % 0x4000) ^ (label / 0x4000)));
    LAW(rocecc_udp_src_port(label | a << 20) == port);
    return law_mix(law_mix(LAW_START, label), rocecc_udp_src_port(a));
}

/* Checks that a datagram with its own checksum adds to 0, for any pseudo-header. */
LAW_FN uint32_t law_udp_sum(rocecc_reader datagram, uint32_t pseudo)
{
    LAW_SCRATCH(sent, LAW_UDP_SUMMED);
    rocecc_writer w = law_writer(sent, LAW_UDP_SUMMED);
    const uint16_t checksum = rocecc_udp_checksum(pseudo, datagram);
    LAW(checksum != 0);
    LAW(rocecc_append(&w, datagram, LAW_UDP_SUMMED));
    rocecc_store16(sent + 6, checksum);
    LAW(rocecc_checksum_final(
            rocecc_checksum_update(pseudo, law_reader(sent, LAW_UDP_SUMMED))) == 0);
    return law_mix(LAW_START, checksum);
}

/* Checks that the header is emitted again. A length below 8 is refused both ways. */
LAW_FN uint32_t law_udp(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_UDP_BYTES);
    rocecc_reader rest = r, datagram = r;
    rocecc_writer w = law_writer(back, ROCECC_UDP_BYTES);
    rocecc_udp h;
    rocecc_status status = rocecc_udp_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_UDP_BYTES : 0));
    if (status == ROCECC_ERR_SHORT) {
        LAW(rocecc_left(&r) < ROCECC_UDP_BYTES);
        return digest;
    }
    LAW(rocecc_left(&r) >= ROCECC_UDP_BYTES);
    if (status != ROCECC_OK) {
        const uint8_t *b = rocecc_take(&rest, ROCECC_UDP_BYTES);
        LAW(status == ROCECC_ERR_FORMAT && b != NULL && b[4] == 0 && b[5] < 8);
        return digest;
    }
    LAW_FIELDS(ROCECC_UDP_FIELDS, &h)

    LAW(rocecc_udp_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_UDP_BYTES);
    LAW(law_same(r, &w, ROCECC_UDP_BYTES));
    LAW(rocecc_udp_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_UDP_BYTES);
    digest =
        law_mix(digest, law_udp_port(rocecc_load32(back), rocecc_load32(back + 4)));
    h.length = h.checksum;
    w = law_writer(back, ROCECC_UDP_BYTES);
    status = rocecc_udp_emit(&w, &h);
    LAW(status == (h.checksum >= ROCECC_UDP_BYTES ? ROCECC_OK : ROCECC_ERR_RANGE));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? ROCECC_UDP_BYTES : 0));

    if (rocecc_left(&r) > LAW_UDP_SUMMED)
        (void)rocecc_split(&r, LAW_UDP_SUMMED, &datagram);
    return law_mix(digest, law_udp_sum(datagram, rocecc_load32(back)));
}

#endif /* TESTS_LAW_UDP_H */
