/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FLOOD_H
#define TESTS_LIB_FLOOD_H

/*
 * flood.h - a node that accepts notifications of every kind, and a flood of them. Of
 * 101 frames, 100 are not honest. The prime 101 gives the honest node a pace that
 * shares no factor with a rate or with another sender.
 *
 *   HONEST       990 per second from a listed node
 *   FORGED       2829 per second with the honest node's address and a wrong ICRC or
 *                checksum, or for PFC with another opcode. The honest and the forged
 *                frames are fewer than the 4000 per source that are verified.
 *   UNLISTED     valid, but from an unlisted address, or for PFC to another address
 *   FORGED_OTHER with the address of another listed node, and a wrong ICRC or
 *                checksum
 *   MISBEHAVING  valid, from FLOOD_MISBEHAVING_N listed nodes that each send 18,000
 *                per second, or for PFC from neighbours at other ports
 *
 * The limits are rocecc_admission_for(4, 1000), as in the examples.
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

#define FLOOD_NS 10000        /* time between frames */
#define FLOOD_MISBEHAVING_N 4 /* misbehaving nodes */
#define FLOOD_LIMIT 1000      /* notifications per second of one node */
#define FLOOD_BURST 62        /* 1/16 s of them */

typedef struct flood_frame {
    uint8_t bytes[512];
    size_t n;
    flood_who who;
    unsigned node; /* index of the misbehaving node */
    uint64_t now_ns;
} flood_frame;

/* Frames sent, and frames with an effect. */
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
 * Handles a frame, and counts it. Returns true if it slows down a QP, pauses a flow or
 * a class, or sends a CNM to the host.
 */
bool flood_heard(flood_kind kind, flood_frame *f, flood_counts *counts);

/*
 * Returns true if, after `frames` frames, at most 1 % of the honest frames had no
 * effect, no forged frame or frame of an unlisted node had an effect, and no
 * misbehaving node had more than its own limit admitted. PFC has no limit.
 */
bool flood_kept(flood_kind kind, const flood_counts *counts, uint64_t frames);

const char *flood_name(flood_kind kind);

#endif /* TESTS_LIB_FLOOD_H */
