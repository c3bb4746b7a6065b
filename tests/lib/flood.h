/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FLOOD_H
#define TESTS_LIB_FLOOD_H

/*
 * flood.h - a node that hears notifications of every kind, and who floods it: 100 of
 * 101 frames are forged, from three kinds of senders, and one is honest: a number that
 * no rate and no other sender has a factor of.
 *
 *   HONEST    990 a second from a node on the list
 *   UNLISTED  from any address, and right in all else; of PFC, to another address
 *   FORGED    in the name of another node on the list, with a wrong checksum; of PFC
 *             with another opcode
 *   MAD       right in all, from a node on the list that sends 33,000 a second; of PFC
 *             from the neighbour at another port
 *
 * Example: frame 101,000 of FLOOD_ARN is honest, and comes at 1.01 s; 330,000 of each
 * other sender have come by the time that frame 1,000,000 does, at 10 s.
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
    FLOOD_UNLISTED,
    FLOOD_FORGED,
    FLOOD_MAD,
    FLOOD_WHOS
} flood_who;

#define FLOOD_NS 10000   /* from one frame to the next */
#define FLOOD_LIMIT 2000 /* a second, of what one node may send */
#define FLOOD_BURST 125 /* 1/16 s of it */

typedef struct flood_frame {
    uint8_t bytes[512];
    size_t n;
    flood_who who;
    uint64_t now_ns;
} flood_frame;

/* A node that has heard nothing; false: a configuration is refused. */
bool flood_open(void);

/* Frame i of a flood. */
void flood_make(flood_kind kind, uint64_t i, flood_frame *f);

/* What the host does in between: flows are refreshed, timers run. */
void flood_idle(flood_kind kind, uint64_t now_ns);

/*
 * A frame came; whether it had its effect: a QP slows down, a flow or class is held, a
 * CNM goes to the host.
 */
bool flood_heard(flood_kind kind, flood_frame *f);

const char *flood_name(flood_kind kind);

#endif /* TESTS_LIB_FLOOD_H */
