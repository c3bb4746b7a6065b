/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_PLANS_H
#define TESTS_LIB_PLANS_H

/*
 * plans.h - a packet before and after a plan of each kind, written by hand from the
 * documents of the formats. Lengths and checksums do not come from the library.
 *
 *     int push    made from bytes 2-3 and 10-11 of IP, 24-27 of UDP, 28-37 of INT
 */
#include "../../examples/lib/vec.h"
#include "test.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/packet/ioam.h"

#define PLANS_ROOM 66000

typedef struct plan {
    const char *name;
    rocecc_edit_verdict (*make)(const rocecc_packet *p, uint32_t mtu_bytes,
                                rocecc_edit *e);
    rocecc_edit_verdict verdict;
    const char *before;
    const char *after;
    uint8_t by[8][2];   /* bytes that it is made from: offset, number */
    uint32_t mtu_bytes; /* 0: no limit */
    bool ether;
    bool source; /* a source of INT that may omit its own node */
} plan;

extern const plan plans[];
extern const size_t plans_n;

/*
 * The two packets with `more` additional bytes of payload. IP packets have correct
 * lengths and checksums, except for a packet after the plan that is too long for IP.
 */
typedef struct plans_pair {
    uint8_t before[PLANS_ROOM];
    uint8_t after[PLANS_ROOM];
    size_t n, m;
    size_t sum_before, sum_after; /* offset of UDP's or TCP's checksum */
    rocecc_domain d;
} plans_pair;

void plans_pair_of(const plan *x, size_t more, plans_pair *at);

/* All formats, with IP first. */
extern const rocecc_domain plans_domain;

/* Makes a plan for the packet before. The plan's mtu_bytes takes precedence. */
rocecc_edit_verdict plans_make(const plan *x, const plans_pair *at, uint32_t mtu_bytes,
                               rocecc_edit *e);

/*
 * Sets lengths and checksums of a packet of n bytes with its IP header at `at`. Its
 * lengths do not yet count the last `more` bytes. Returns the offset of UDP's or TCP's
 * checksum, or 0 without one.
 */
size_t plans_finish(uint8_t *b, size_t at, size_t n, size_t more);

#endif /* TESTS_LIB_PLANS_H */
