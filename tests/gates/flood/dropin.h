/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_GATES_FLOOD_DROPIN_H
#define TESTS_GATES_FLOOD_DROPIN_H

/*
 * dropin.h - a flood for a program of examples/, in simulated time. For 5 s an honest
 * source sends 100 notifications a second, each of n misbehaving ones 100,000, and an
 * attacker 3000 with the honest source's address and a wrong ICRC or checksum.
 */
#include <stdbool.h>
#include <stdint.h>

typedef enum dropin_who { DROPIN_HONEST, DROPIN_FORGED, DROPIN_MISBEHAVING } dropin_who;

#define DROPIN_MISBEHAVING_MAX 4

typedef struct dropin_packet {
    dropin_who who;
    unsigned source; /* 0 is the honest one, then the misbehaving ones */
    uint64_t number; /* among packets of this kind */
    uint64_t now_ns;
} dropin_packet;

/* Starts a flood of n misbehaving sources. */
void dropin_start(unsigned n);

/* Returns the next packet in *out, or false at the end. */
bool dropin_next(dropin_packet *out);

/* Counts a packet that had an effect. */
void dropin_took(const dropin_packet *packet);

/*
 * Prints how many packets had an effect. Returns false if the honest source lost more
 * than 1 %, a forged packet had an effect, or a misbehaving source exceeded rate_per_s
 * with bursts of 1/16 s.
 */
bool dropin_end(const char *name, uint32_t rate_per_s);

#endif /* TESTS_GATES_FLOOD_DROPIN_H */
