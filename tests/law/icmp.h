/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ICMP_H
#define TESTS_LAW_ICMP_H

#include "ip.h"
#include "rocecc/fields/icmp.h"

#define LAW_ICMP_SUMMED 96 /* most bytes under the checksum */

/* Checks that verify() accepts only the computed checksum, for any pseudo-header. */
LAW_FN uint32_t law_icmp_sum(rocecc_reader r, uint32_t pseudo)
{
    const bool any = rocecc_left(&r) >= 4;
    rocecc_reader message = r, head = r;
    const uint8_t *b = rocecc_take(&head, 4);
    const uint16_t own = b != NULL ? rocecc_load16(b + 2) : 0;
    uint16_t checksum;
    rocecc_status status;
    if (rocecc_left(&r) > LAW_ICMP_SUMMED)
        (void)rocecc_split(&r, LAW_ICMP_SUMMED, &message);
    checksum = rocecc_icmp_checksum(pseudo, message);
    status = rocecc_icmp_verify(pseudo, message);
    LAW(any || status == ROCECC_ERR_SHORT);
    LAW(!any || status == (own == checksum ? ROCECC_OK : ROCECC_ERR_FORMAT));
    return law_mix(law_mix(LAW_START, checksum), status);
}

#if !defined(__bpf__)
/* Checks that the message is emitted byte for byte, and not with one byte less room. */
LAW_FN uint32_t law_icmp_again(rocecc_reader r, const rocecc_icmp_message *h)
{
    LAW_SCRATCH(back, 8 + ROCECC_ICMP6_QUOTE_MAX_BYTES);
    const size_t n = rocecc_left(&r);
    rocecc_writer w = law_writer(back, 8 + ROCECC_ICMP6_QUOTE_MAX_BYTES);
    const rocecc_status status = rocecc_icmp_message_emit(&w, h);
    LAW(status ==
        (n > 8 + ROCECC_ICMP6_QUOTE_MAX_BYTES ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? n : 0));
    LAW(law_same(r, &w, 8 + ROCECC_ICMP6_QUOTE_MAX_BYTES));
    if (status != ROCECC_OK) return LAW_START;
    w = law_writer(back, n - 1);
    LAW(rocecc_icmp_message_emit(&w, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return LAW_START;
}
#endif

/* Checks the byte at an ICMPv6 Parameter Problem's pointer, within the packet. */
LAW_FN uint32_t law_icmp_find(const rocecc_icmp_message *h)
{
    rocecc_reader r = h->packet;
    uint8_t byte = 0xa5;
    const rocecc_status status = rocecc_icmp6_problem_find(h, &byte);
    LAW((status == ROCECC_NO_MATCH) == (h->type != 4));
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_NO_MATCH || status == ROCECC_ERR_SHORT);
        LAW(h->type != 4 || h->value >= rocecc_left(&r) || h->value > 65535);
        LAW(byte == 0xa5);
        return law_mix(LAW_START, status);
    }
#if !defined(__bpf__)
    {
        const uint8_t *b;
        LAW(rocecc_take(&r, h->value) != NULL);
        b = rocecc_take(&r, 1);
        LAW(b != NULL && *b == byte);
    }
#endif
    return law_mix(LAW_START, byte);
}

/* Returns true for types of RFC 4443, 2.1, and of RFC 792 that quote a packet. */
LAW_FN bool law_icmp_is_error(uint8_t version, uint8_t type)
{
    return version == 6
               ? (type & 0x80) == 0
               : type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
}

/* Checks an error of this version, up to the end of r. */
LAW_FN uint32_t law_icmp_message(rocecc_reader r, uint8_t version, const rocecc_icmp *h)
{
    uint32_t digest = LAW_START;
    rocecc_reader rest = r;
    rocecc_icmp_message m;
    const bool error = law_icmp_is_error(version, h->type);
    const rocecc_status status = rocecc_icmp_message_parse(&rest, version, &m);
    LAW(rocecc_icmp_is_error(version, h->type) == error);
    LAW((status == ROCECC_NO_MATCH) == !error);
    LAW((status == ROCECC_ERR_SHORT) == (error && rocecc_left(&r) < 8));
    LAW(rest.at == (status == ROCECC_OK ? r.end : r.at));
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return digest;
    LAW(m.packet.at == r.at + 8 && m.packet.end == r.end);
    LAW(m.type == h->type && m.code == h->code && m.checksum == h->checksum);
    digest = law_mix(digest, m.value);
    digest = law_mix_bytes(digest, m.packet, 8);
    digest = law_mix(digest, law_icmp_find(&m));
#if !defined(__bpf__)
    LAW(law_icmp_again(r, &m) != LAW_BROKEN);
#endif
    return digest;
}

/* Checks a message up to the end of r. */
LAW_FN uint32_t law_icmp(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_ICMP_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_ICMP_BYTES);
    rocecc_icmp h;
    uint32_t six, four;
    const rocecc_status status = rocecc_icmp_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status == (rocecc_left(&r) < ROCECC_ICMP_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_ICMP_BYTES : 0));
    digest = law_mix(digest, law_icmp_sum(r, 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_ICMP_FIELDS, &h)
    LAW(rocecc_icmp_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_ICMP_BYTES);
    LAW(law_same(r, &w, ROCECC_ICMP_BYTES));
    LAW(rocecc_icmp_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_ICMP_BYTES);
    six = law_icmp_message(r, 6, &h);
    LAW(six != LAW_BROKEN);
    four = law_icmp_message(r, 4, &h);
    LAW(four != LAW_BROKEN);
    return law_mix(law_mix(digest, six), four);
}

#endif /* TESTS_LAW_ICMP_H */
