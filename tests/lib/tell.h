/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TELL_H
#define TESTS_LIB_TELL_H

/*
 * tell.h - adds IFA or INT to a packet, like a source, and removes it, like a sink. For
 * tests of code that reads located frames.
 */
#include <string.h>

#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"

#define TELL_PROTOCOL 253
#define TELL_PORT 5000
#define TELL_MORE 24 /* maximum bytes added */

typedef enum tell_how { TELL_IFA = 0, TELL_INTMD, TELL_INTMD_UDP, TELL_HOWS } tell_how;

static const rocecc_domain tell_domain = {.link = ROCECC_LINK_IP,
                                          .ifa = {.protocol = TELL_PROTOCOL,
                                                  .layout_a = ROCECC_IFA_LAB_LAYOUT_A,
                                                  .layout_b = ROCECC_IFA_LAB_LAYOUT_B},
                                          .intmd = {.udp_port = TELL_PORT}};

/* Changes n bytes of IP with room for TELL_MORE. Returns the new number, or 0. */
static inline size_t tell(uint8_t *b, size_t n, tell_how how)
{
    const rocecc_ifa_source ifa = {
        {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_writer w = rocecc_writer_of(b, b + n + TELL_MORE);
    rocecc_edit_verdict verdict;
    rocecc_intmd_source s;
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&tell_domain, rocecc_reader_of(b, b + n), &p);
    s.mark = how == TELL_INTMD_UDP ? ROCECC_INTMD_MARK_NEW_UDP : ROCECC_INTMD_MARK_PORT;
    s.src_port = 0xdead;
    s.mtu_bytes = 0xffff;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 8);
    if (how == TELL_IFA)
        verdict = rocecc_ifa_insert(&p, &ifa, 0xffff, &e);
    else
        verdict = rocecc_intmd_insert(&p, &s, NULL, rocecc_reader_of(NULL, NULL), &e);
    w.at = n;
    return verdict == ROCECC_EDIT_CHANGE && rocecc_edit_apply(&e, &w) == ROCECC_OK
               ? w.at
               : 0;
}

static inline size_t tell_not(uint8_t *b, size_t n, tell_how how)
{
    rocecc_writer w = rocecc_writer_of(b, b + n);
    rocecc_edit_verdict verdict;
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&tell_domain, rocecc_reader_of(b, b + n), &p);
    verdict = how == TELL_IFA ? rocecc_ifa_strip(&p, &e) : rocecc_intmd_strip(&p, &e);
    w.at = n;
    return verdict == ROCECC_EDIT_CHANGE && rocecc_edit_apply(&e, &w) == ROCECC_OK
               ? w.at
               : 0;
}

#endif /* TESTS_LIB_TELL_H */
