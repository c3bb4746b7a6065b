/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_UNPLACED_H
#define ROCEDUMP_UNPLACED_H

/*
 * unplaced.h - frames that may be RoCE and that --flows can place in no flow, and the
 * addresses between which they travel. The flows between these addresses are marked.
 */
#include "decode.h"

typedef enum unplaced_why {
    UNPLACED_LATER, /* a later fragment: it has no BTH */
    UNPLACED_SHORT, /* the bytes end before the BTH */
    UNPLACED_FORMAT,
    UNPLACED_UNSUPPORTED
} unplaced_why;

#define UNPLACED_REASONS 4
#define UNPLACED_PAIRS_MAX 65536u
#define UNPLACED_PAIRS_TEXT "65,536"
#define NO_PAIR UINT32_MAX

typedef struct address_pair {
    rocecc_ip6 src, dst;
} address_pair;

typedef struct unplaced {
    uint64_t frames[UNPLACED_REASONS];
    uint64_t no_addresses; /* of these frames: no IP header or GRH could be read */
    uint64_t sampled;      /* packets in sFlow that are RoCE, or may be */
    bool full;             /* a pair was not stored: there are PAIRS_MAX already */
    address_pair *pair;
    bool *missed; /* of each pair: a frame between them is in no flow */
    size_t n, room, missed_room;
    uint32_t *slot; /* 0: empty, otherwise 1 more than the index of a pair */
} unplaced;

void unplaced_init(unplaced *u);
void unplaced_free(unplaced *u);

/* Counts a frame, of which no packet is in a flow, if it may be RoCE. */
void unplaced_add(unplaced *u, const decoded *frame);

/* Counts the packets of RoCE that the frame has samples of. */
void unplaced_add_samples(unplaced *u, const decoded *frame);

/* Returns the number of a pair, which is stored if it is new, or NO_PAIR: it is full.
 */
uint32_t unplaced_pair(unplaced *u, const address_pair *ends);

/* Returns true if frames were counted from src to dst, or from dst to src if both. */
bool unplaced_between(const unplaced *u, const address_pair *ends, bool both);

/* Returns how many frames were counted. */
uint64_t unplaced_frames(const unplaced *u);

/* Reads the addresses of one IP header; false: there is no such header. */
bool unplaced_ends(const decoded *d, const rocecc_headers_ip *ip, address_pair *out);

/* unplaced.c: lines after the tables, and the last object of --json. */
void unplaced_text(const unplaced *u, FILE *out);
void unplaced_json(const unplaced *u, FILE *out);

#endif /* ROCEDUMP_UNPLACED_H */
