/* SPDX-License-Identifier: BSD-2-Clause */
#include "dropin.h"

#include <stdio.h>
#include <string.h>

#define TICK_NS 10000u
#define TICKS 500000u
#define HONEST_TICKS                                                                   \
    997u /* a prime, so the honest source meets every phase of the rest */
#define FORGED_PER_S 3000u

static struct {
    unsigned n,
        next; /* sender in this tick: 0 to n - 1, n: the attacker, n + 1: the honest */
    uint64_t tick, forged, honest;
    uint64_t took[DROPIN_MISBEHAVING_MAX + 1], took_forged;
} flood;

void dropin_start(unsigned n)
{
    memset(&flood, 0, sizeof flood);
    flood.n = n < DROPIN_MISBEHAVING_MAX ? n : DROPIN_MISBEHAVING_MAX;
}

/* Returns true if the sender at this place of a tick sends. */
static bool sends(unsigned place, dropin_packet *out)
{
    out->source = 0;
    if (place < flood.n) {
        out->who = DROPIN_MISBEHAVING;
        out->source = place + 1;
        out->number = flood.tick;
        return true;
    }
    if (place == flood.n) {
        out->who = DROPIN_FORGED;
        out->number = flood.forged;
        if (flood.tick * FORGED_PER_S / (1000000000 / TICK_NS) < flood.forged)
            return false;
        flood.forged++;
        return true;
    }
    out->who = DROPIN_HONEST;
    out->number = flood.honest;
    if (flood.tick % HONEST_TICKS != HONEST_TICKS - 1) return false;
    flood.honest++;
    return true;
}

bool dropin_next(dropin_packet *out)
{
    while (flood.tick < TICKS) {
        const unsigned place = flood.next;
        bool found;
        out->now_ns = flood.tick * TICK_NS;
        found = sends(place, out);
        flood.next = (place + 1) % (flood.n + 2);
        flood.tick += flood.next == 0;
        if (found) return true;
    }
    return false;
}

void dropin_took(const dropin_packet *packet)
{
    if (packet->who == DROPIN_FORGED)
        flood.took_forged++;
    else
        flood.took[packet->source]++;
}

bool dropin_end(const char *name, uint32_t rate_per_s)
{
    const uint64_t limit =
        rate_per_s / 16 + flood.tick * TICK_NS / 1000 * rate_per_s / 1000000 + 1;
    uint64_t most = 0;
    bool kept;
    unsigned i;
    for (i = 1; i <= flood.n; i++)
        if (flood.took[i] > most) most = flood.took[i];
    kept = flood.honest != 0 && flood.took[0] * 100 >= flood.honest * 99 &&
           flood.took_forged == 0 && most <= limit;
    printf("flood: %-24s %u misbehaving: honest %llu of %llu, forged %llu of %llu, a "
           "misbehaving source at most %llu%s\n",
           name, flood.n, (unsigned long long)flood.took[0],
           (unsigned long long)flood.honest, (unsigned long long)flood.took_forged,
           (unsigned long long)flood.forged, (unsigned long long)most,
           kept ? "" : ": FAILED");
    return kept;
}
