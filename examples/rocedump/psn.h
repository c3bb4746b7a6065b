/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_PSN_H
#define ROCEDUMP_PSN_H

/*
 * psn.h - counts missing, late and doubled packets by their PSNs. PSNs have 24 bits.
 * PSN a is ahead of b if (a - b) mod 2^24 < 2^23.
 *
 *     next     the PSN after the furthest one that was seen
 *     gap      a PSN ahead of next. The PSNs from next up to it are skipped
 *     late     a PSN behind next, not seen before. It is no longer missing
 *     doubled  a PSN behind next, seen before. It was sent or captured twice
 *     old      a PSN more than PSN_WINDOW behind next. It may have been seen before.
 *              After PSN_RESTART old PSNs in sequence, without other packets between
 *              them, a new sequence begins (a restart)
 *
 * Example: 1 2 5 4 5 1 has one gap (3 and 4 are skipped), one late (4), two doubled (5
 * and 1), and one missing (3).
 */
#include <stdbool.h>
#include <stdint.h>

#define PSN_WINDOW 2048u /* PSNs behind next that `seen` covers */
#define PSN_RESTART 8u

typedef struct psn_sequence {
    bool started;
    uint32_t next;     /* 24 bits */
    uint32_t start;    /* earlier PSNs never count as missing */
    uint32_t slack;    /* PSNs from next on that may already be in use */
    uint32_t old_next; /* next PSN of a run far behind */
    uint32_t old_run;  /* length of that run */
    uint64_t gaps, skipped, closed, late, doubled, old, restarts;
    uint64_t seen[PSN_WINDOW / 64]; /* bit n mod PSN_WINDOW is for PSN n */
} psn_sequence;

/*
 * The smallest and largest number of PSNs that a packet uses. A READ request uses one
 * per response packet, at a path MTU of 256 to 4096 bytes. Other packets use 1.
 */
typedef struct psn_span {
    uint32_t least;
    uint32_t most;
} psn_span;

psn_span psn_span_of_read(uint32_t dma_length);

/*
 * Adds a packet. `follows` means that the sender has used all earlier PSNs. Otherwise
 * (the first response to a READ request), a PSN ahead of next is not a gap.
 */
void psn_add(psn_sequence *s, uint32_t psn, psn_span span, bool follows);

/* Returns the number of skipped PSNs that have not arrived. */
uint64_t psn_missing(const psn_sequence *s);

#endif /* ROCEDUMP_PSN_H */
