/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_PSN_H
#define ROCEDUMP_PSN_H

/*
 * psn.h - what a sequence of PSNs says of packets that are missing, late or doubled.
 * PSNs have 24 bits: one is ahead of another where (a - b) mod 2^24 < 2^23.
 *
 *     next     the PSN after the furthest one that was seen
 *     gap      a PSN ahead of next: one gap, and as many PSNs are skipped as lie
 * between late     a PSN behind next that had not been seen: it closes what it was
 * missing doubled  a PSN behind next that had been seen: sent again, or captured twice
 *     old      a PSN more than PSN_WINDOW behind next: whether it had been seen, nobody
 *              remembers. PSN_RESTART of them, one after the other and nothing else
 *              between them, are a restart: a new sequence has begun
 *
 * Example: 1 2 5 4 5 1 has one gap (3 and 4 are skipped), one late (4), two doubled
 * (5 and 1), and one missing (3).
 */
#include <stdbool.h>
#include <stdint.h>

#define PSN_WINDOW 2048u /* how far behind next it is known what was seen */
#define PSN_RESTART 8u

typedef struct psn_sequence {
    bool started;
    uint32_t next;     /* 24 bits */
    uint32_t start;    /* what lies before it nobody calls missing */
    uint32_t slack;    /* PSNs from next on that may be in use already */
    uint32_t old_next; /* of PSNs far behind: what would be one after the other, */
    uint32_t old_run;  /*   and how many have been */
    uint64_t gaps, skipped, closed, late, doubled, old, restarts;
    uint64_t seen[PSN_WINDOW / 64]; /* of PSN n: bit n mod PSN_WINDOW */
} psn_sequence;

/* How many PSNs a packet uses, at least and at most: 1, and more of a READ request,
 * whose answer has a PSN per packet, of 256 to 4096 bytes each. */
typedef struct psn_span {
    uint32_t least;
    uint32_t most;
} psn_span;

psn_span psn_span_of_read(uint32_t dma_length);

/* A packet came. follows: its sender has used every PSN up to it; otherwise (the first
 * response to a READ request) a PSN ahead of next is no gap. */
void psn_add(psn_sequence *s, uint32_t psn, psn_span span, bool follows);

/* PSNs that were skipped, and did not come until now. */
uint64_t psn_missing(const psn_sequence *s);

#endif /* ROCEDUMP_PSN_H */
