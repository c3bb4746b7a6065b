/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FLOOD_H
#define TESTS_LIB_FLOOD_H

/*
 * flood.h - a node that accepts notifications of every kind, and a flood of them. Of
 * 101 frames 100 are not honest. The honest node sends at its own pace, with which
 * neither a rate nor another sender has a common factor.
 *
 *   HONEST       990 a second from a listed node
 *   FORGED       2829 a second with the honest node's own address and a wrong ICRC
 *                or checksum; for PFC, another opcode. Together with the honest ones
 *                these are fewer than the 4000 of a source that are verified.
 *   UNLISTED     from any address, and right otherwise; for PFC, to another address
 *   FORGED_OTHER with the address of another listed node, and a wrong ICRC or
 *                checksum
 *   MISBEHAVING  right, from FLOOD_MISBEHAVING_N listed nodes, each of which sends
 *                18,000 a second; for PFC, from neighbors at other ports
 *
 * The limits are those of the examples, rocecc_admission_for(4, 1000).
 *
 * Example: frame 101,000 of FLOOD_ARN is honest, and arrives at 1.01 s. When frame
 * 1,000,000 arrives, at 10 s, each misbehaving node has sent 180,300 frames.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum flood_kind {
    FLOOD_FAST_CNP = 0,
    FLOOD_CNP,
    FLOOD_ARN,
    FLOOD_CNM,
    FLOOD_PFC,
    FLOOD_KINDS
} flood_kind;

typedef enum flood_who {
    FLOOD_HONEST = 0,
    FLOOD_FORGED,
    FLOOD_UNLISTED,
    FLOOD_FORGED_OTHER,
    FLOOD_MISBEHAVING,
    FLOOD_WHOS
} flood_who;

#define FLOOD_NS 10000        /* from one frame to the next */
#define FLOOD_MISBEHAVING_N 4 /* misbehaving nodes */
#define FLOOD_LIMIT 1000      /* notifications a second of one node */
#define FLOOD_BURST 62        /* 1/16 s of them */

typedef struct flood_frame {
    uint8_t bytes[512];
    size_t n;
    flood_who who;
    unsigned node; /* which of the misbehaving nodes */
    uint64_t now_ns;
} flood_frame;

/* What was sent, and what had an effect. */
typedef struct flood_counts {
    uint64_t sent[FLOOD_WHOS], heard[FLOOD_WHOS];
    uint64_t heard_of[FLOOD_MISBEHAVING_N];
} flood_counts;

/* Resets the node. Returns false if a configuration is rejected. */
bool flood_open(void);

/* Writes frame i of a flood. */
void flood_make(flood_kind kind, uint64_t i, flood_frame *f);

/* Refreshes the host's flows and runs timers. */
void flood_idle(flood_kind kind, uint64_t now_ns);

/*
 * Handles a frame, and counts it. Returns true if it had an effect: a QP slows down, a
 * flow or class is paused, or a CNM goes to the host.
 */
bool flood_heard(flood_kind kind, flood_frame *f, flood_counts *counts);

/*
 * Returns true if, after so many frames, at most 1 % of the honest ones had no effect,
 * no forged frame and none of an unlisted node had an effect, and no misbehaving node
 * had more than its own limit admitted. PFC has no limit.
 */
bool flood_kept(flood_kind kind, const flood_counts *counts, uint64_t frames);

const char *flood_name(flood_kind kind);

#endif /* TESTS_LIB_FLOOD_H */
