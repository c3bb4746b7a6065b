/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_PLANS_H
#define TESTS_LIB_PLANS_H

/*
 * plans.h - a packet before and after a plan of each kind, by hand from the documents
 * of the formats; lengths and checksums are added up from nothing, and not by the
 * library.
 *
 *     int push    IP 2-3 and 10-11, UDP 24-27, INT 28-37: the bytes it is made by
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
    uint8_t by[8][2];   /* the bytes that it is made by: from, and how many */
    uint32_t mtu_bytes; /* 0: no limit */
    bool ether;
    bool source; /* of INT, with its own node: less than all may be put in */
} plan;

extern const plan plans[];
extern const size_t plans_n;

/* Both packets, with `more` bytes of payload, and right lengths and checksums; but for
 * the one after the plan, where that is longer than IP can say. */
typedef struct plans_pair {
    uint8_t before[PLANS_ROOM];
    uint8_t after[PLANS_ROOM];
    size_t n, m;
    size_t sum_before, sum_after; /* where UDP's or TCP's is */
    rocecc_domain d;
} plans_pair;

void plans_pair_of(const plan *x, size_t more, plans_pair *at);

/* All formats on, with IP first. */
extern const rocecc_domain plans_domain;

/* Makes the plan of the packet before; mtu_bytes of the plan, if it has some. */
rocecc_edit_verdict plans_make(const plan *x, const plans_pair *at, uint32_t mtu_bytes,
                               rocecc_edit *e);

/*
 * Sets lengths and checksums of a packet of n bytes whose IP header is at `at`, and
 * whose payload has `more` bytes than they say. Returns where the checksum of UDP or
 * TCP is; 0: it has neither.
 */
size_t plans_finish(uint8_t *b, size_t at, size_t n, size_t more);

#endif /* TESTS_LIB_PLANS_H */
