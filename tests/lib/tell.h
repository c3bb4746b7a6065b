/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TELL_H
#define TESTS_LIB_TELL_H

/*
 * tell.h - puts IFA or INT into a packet, as a source does, and takes it out again, as
 * a sink does; for tests of what reads located frames.
 */
#include <string.h>

#include "rocecc/packet/ifa.h"
#include "rocecc/wire/intmd.h"

#define TELL_PROTOCOL 253
#define TELL_PORT 5000
#define TELL_MORE 24 /* bytes, at most */

typedef enum tell_how { TELL_IFA = 0, TELL_INTMD, TELL_INTMD_UDP, TELL_HOWS } tell_how;

static const rocecc_domain tell_domain = {
    .link = ROCECC_LINK_IP,
    .ifa = {TELL_PROTOCOL, ROCECC_IFA_LAB_LAYOUT_A, ROCECC_IFA_LAB_LAYOUT_B}};
static const rocecc_intmd_config tell_intmd = {.udp_port = TELL_PORT};

static inline size_t tell_open(uint8_t *b, size_t n, size_t at, size_t bytes)
{
    memmove(b + at + bytes, b + at, n - at);
    return n + bytes;
}

static inline size_t tell_close(uint8_t *b, size_t n, size_t at, size_t bytes)
{
    memmove(b + at, b + at + bytes, n - at - bytes);
    return n - bytes;
}

/* Of n bytes from the IP header on, with room for TELL_MORE; 0: it cannot be. */
static inline size_t tell(uint8_t *b, size_t n, tell_how how)
{
    const rocecc_reader r = rocecc_reader_of(b, b + n);
    if (how == TELL_IFA) {
        const rocecc_ifa_header h = {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255};
        const rocecc_ifa_metadata m = {0xff, 0, 0xff, 0};
        rocecc_writer w = rocecc_writer_of(b, b + n + TELL_MORE);
        rocecc_packet p;
        rocecc_edit e;
        (void)rocecc_packet_of(&tell_domain, r, &p);
        w.at = n;
        if (rocecc_ifa_insert(&p, &h, &m, 0xffff, &e) != ROCECC_EDIT_CHANGE ||
            rocecc_edit_apply(&e, &w) != ROCECC_OK)
            return 0;
        n = w.at;
    } else {
        rocecc_intmd_source s;
        rocecc_intmd_plan p;
        s.mark = ROCECC_INTMD_MARK_PORT;
        if (how == TELL_INTMD_UDP) s.mark = ROCECC_INTMD_MARK_NEW_UDP;
        s.src_port = 0xdead;
        s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 8);
        if (rocecc_intmd_plan_insert(&tell_intmd, r, &s, NULL, 0xffff, &p) !=
                ROCECC_OK ||
            p.verdict != ROCECC_INTMD_PUSH)
            return 0;
        n = tell_open(b, n, p.at, p.bytes);
        if (rocecc_intmd_insert(&tell_intmd, rocecc_writer_of(b, b + n), &p, &s,
                                NULL) != ROCECC_OK)
            return 0;
    }
    return n;
}

static inline size_t tell_not(uint8_t *b, size_t n, tell_how how)
{
    rocecc_writer w = rocecc_writer_of(b, b + n);
    if (how == TELL_IFA) {
        rocecc_packet p;
        rocecc_edit e;
        (void)rocecc_packet_of(&tell_domain, rocecc_reader_of(b, b + n), &p);
        w.at = n;
        if (rocecc_ifa_strip(&p, &e) != ROCECC_EDIT_CHANGE ||
            rocecc_edit_apply(&e, &w) != ROCECC_OK)
            return 0;
        n = w.at;
    } else {
        rocecc_intmd_cut cut;
        if (rocecc_intmd_strip(&tell_intmd, w, &cut) != ROCECC_OK) return 0;
        n = tell_close(b, n, cut.at, cut.bytes);
    }
    return n;
}

#endif /* TESTS_LIB_TELL_H */
