/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_UNPLACED_H
#define ROCEDUMP_UNPLACED_H

/*
 * unplaced.h - frames that may be RoCE but are in no flow of --flows, and their
 * addresses. The flows between these addresses are marked.
 */
#include "decode.h"

typedef enum unplaced_why {
    UNPLACED_LATER, /* a later fragment, without a BTH */
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
    uint64_t no_addresses; /* frames without a readable IP header or GRH */
    uint64_t sampled;      /* packets in sFlow that are or may be RoCE */
    bool full;             /* a pair had no room beyond UNPLACED_PAIRS_MAX */
    address_pair *pair;
    bool *missed; /* per pair, a frame between them is in no flow */
    size_t n;
    uint32_t *slot; /* 0 if empty, else 1 more than the index of a pair */
    uint64_t secret[2];
} unplaced;

void unplaced_init(unplaced *u);
void unplaced_free(unplaced *u);

/* Counts a frame in no flow if it may be RoCE. */
void unplaced_add(unplaced *u, const decoded *frame);

/* Counts a frame's samples that may be RoCE. */
void unplaced_add_samples(unplaced *u, const decoded *frame);

/*
 * Returns the number of a pair, and stores the pair if it is new. Returns NO_PAIR if
 * there is no room.
 */
uint32_t unplaced_pair(unplaced *u, const address_pair *ends);

/*
 * Returns true if frames from src to dst were counted, or, with `both`, from dst to
 * src.
 */
bool unplaced_between(const unplaced *u, const address_pair *ends, bool both);

/* Returns the number of counted frames. */
uint64_t unplaced_frames(const unplaced *u);

/* Reads the addresses of an IP header, or returns false if it is missing. */
bool unplaced_ends(const decoded *d, const rocecc_headers_ip *ip, address_pair *out);

/* unplaced.c: prints lines after the tables, or the last object of --json. */
void unplaced_text(const unplaced *u, FILE *out);
void unplaced_json(const unplaced *u, FILE *out);

#endif /* ROCEDUMP_UNPLACED_H */
