/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_COPIES_H
#define ROCEDUMP_COPIES_H

/*
 * copies.h - recognises packets that a capture contains more than once, because it was
 * made at several places on the path.
 *
 * A packet is a copy of an earlier packet if the two packets have the same flow, IPv4
 * identification, UDP source port and first 32 bytes from the BTH on, if their times
 * differ by at most COPIES_WINDOW_NS, and if their places differ. A place consists of
 * the interface, the hop limit, and the type, addresses and hop limit of each tunnel.
 * A repetition at the same place is not a copy, because hosts repeat packets, and all
 * CNPs to the same QP are equal.
 *
 * Memory: COPIES_MAX packets of 32 bytes. Each packet can be in only a few entries of
 * the table. If a new packet replaces a packet within the window, copies_forgotten()
 * counts the replacement.
 */
#include "flows.h"

#define COPIES_WINDOW_NS 1000000u
#define COPIES_WINDOW_TEXT "1 ms"
#define COPIES_MAX ((size_t)1 << 17)

typedef struct copies copies;

copies *copies_new(void);
void copies_free(copies *c);

/* Marks: changes that a switch on the path can make to a packet. */
enum { COPIES_CE = 1, COPIES_TRIMMED = 2 };

/*
 * Returns true if packet `d` of `frame` is a copy, and otherwise stores the packet. The
 * caller must set *marks to the packet's marks (COPIES_...). If the packet is a copy,
 * the marks that an earlier capture of the packet already had are removed from *marks.
 */
bool copies_seen(copies *c, const packet *p, const decoded *frame, const decoded *d,
                 const flow_key *key, unsigned *marks);

/* Returns the number of packets that were replaced within the window. */
uint64_t copies_forgotten(const copies *c);

#endif /* ROCEDUMP_COPIES_H */
