/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ICMP6_H
#define TESTS_LAW_ICMP6_H

#include "ip.h"
#include "rocecc/fields/icmp6.h"

#define LAW_ICMP6_SUMMED 96 /* the checksum is taken of as many bytes at most */

/* Whatever the pseudo-header adds up to: right is the one checksum that is computed. */
LAW_FN uint32_t law_icmp6_sum(rocecc_reader r, uint32_t pseudo)
{
    const bool any = rocecc_left(&r) >= 4;
    rocecc_reader message = r, head = r;
    const uint8_t *b = rocecc_take(&head, 4);
    const uint16_t own = b != NULL ? rocecc_load16(b + 2) : 0;
    uint16_t checksum;
    rocecc_status status;
    if (rocecc_left(&r) > LAW_ICMP6_SUMMED)
        (void)rocecc_split(&r, LAW_ICMP6_SUMMED, &message);
    checksum = rocecc_icmp6_checksum(pseudo, message);
    status = rocecc_icmp6_verify(pseudo, message);
    LAW(any || status == ROCECC_ERR_SHORT);
    LAW(!any || status == (own == checksum ? ROCECC_OK : ROCECC_ERR_FORMAT));
    return law_mix(law_mix(LAW_START, checksum), status);
}

#if !defined(__bpf__)
/* The message again, byte for byte; a byte less of room, and it is not written. */
LAW_FN uint32_t law_icmp6_again(rocecc_reader r, const rocecc_icmp6_problem *h)
{
    LAW_SCRATCH(back, 8 + ROCECC_ICMP6_PACKET_MAX_BYTES);
    const size_t n = rocecc_left(&r);
    rocecc_writer w = law_writer(back, 8 + ROCECC_ICMP6_PACKET_MAX_BYTES);
    const rocecc_status status = rocecc_icmp6_problem_emit(&w, h);
    LAW(status ==
        (n > 8 + ROCECC_ICMP6_PACKET_MAX_BYTES ? ROCECC_ERR_RANGE : ROCECC_OK));
    LAW(law_wrote(&w) == (status == ROCECC_OK ? n : 0));
    LAW(law_same(r, &w, 8 + ROCECC_ICMP6_PACKET_MAX_BYTES));
    if (status != ROCECC_OK) return LAW_START;
    w = law_writer(back, n - 1);
    LAW(rocecc_icmp6_problem_emit(&w, h) == ROCECC_ERR_SPACE && law_wrote(&w) == 0);
    return LAW_START;
}
#endif

/* The byte that a pointer points at: the byte there, and none beyond the packet. */
LAW_FN uint32_t law_icmp6_find(const rocecc_icmp6_problem *h)
{
    rocecc_reader r = h->packet;
    uint8_t byte = 0xa5;
    const rocecc_status status = rocecc_icmp6_problem_find(h, &byte);
    if (status != ROCECC_OK) {
        LAW(status == ROCECC_ERR_SHORT);
        LAW(h->pointer >= rocecc_left(&r) || h->pointer > 65535);
        LAW(byte == 0xa5);
        return law_mix(LAW_START, status);
    }
#if !defined(__bpf__)
    {
        const uint8_t *b;
        LAW(rocecc_take(&r, h->pointer) != NULL);
        b = rocecc_take(&r, 1);
        LAW(b != NULL && *b == byte);
    }
#endif
    return law_mix(LAW_START, byte);
}

/* The message ends where r does. */
LAW_FN uint32_t law_icmp6(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    LAW_SCRATCH(back, ROCECC_ICMP6_BYTES);
    rocecc_reader rest = r;
    rocecc_writer w = law_writer(back, ROCECC_ICMP6_BYTES);
    rocecc_icmp6 h;
    rocecc_icmp6_problem problem;
    rocecc_status status = rocecc_icmp6_parse(&rest, &h);
    digest = law_mix(digest, status);
    LAW(status ==
        (rocecc_left(&r) < ROCECC_ICMP6_BYTES ? ROCECC_ERR_SHORT : ROCECC_OK));
    LAW(rest.at == r.at + (status == ROCECC_OK ? ROCECC_ICMP6_BYTES : 0));
    digest = law_mix(digest, law_icmp6_sum(r, 0));
    if (status != ROCECC_OK) return digest;
    LAW_FIELDS(ROCECC_ICMP6_FIELDS, &h)
    LAW(rocecc_icmp6_emit(&w, &h) == ROCECC_OK && law_wrote(&w) == ROCECC_ICMP6_BYTES);
    LAW(law_same(r, &w, ROCECC_ICMP6_BYTES));
    LAW(rocecc_icmp6_emit(&w, &h) == ROCECC_ERR_SPACE &&
        law_wrote(&w) == ROCECC_ICMP6_BYTES);

    rest = r;
    status = rocecc_icmp6_problem_parse(&rest, &problem);
    digest = law_mix(digest, status);
    LAW((status == ROCECC_NO_MATCH) == (h.type != 4));
    LAW((status == ROCECC_ERR_SHORT) == (h.type == 4 && rocecc_left(&r) < 8));
    LAW(rest.at == (status == ROCECC_OK ? r.end : r.at));
    if (status != ROCECC_OK) return digest;
    LAW(problem.packet.at == r.at + 8 && problem.packet.end == r.end);
    LAW(problem.code == h.code && problem.checksum == h.checksum);
    digest = law_mix(digest, problem.pointer);
    digest = law_mix_bytes(digest, problem.packet, 8);
    digest = law_mix(digest, law_icmp6_find(&problem));
#if !defined(__bpf__)
    LAW(law_icmp6_again(r, &problem) != LAW_BROKEN);
#endif
    return digest;
}

#endif /* TESTS_LAW_ICMP6_H */
