/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * curve.c - prints the loss of an honest source as a table: a row for n misbehaving
 * sources, and a column for m forged packets a second with the honest source's address.
 * The limits are rocecc_admission_for(4, 1000). The honest source sends 200
 * notifications a second, and each misbehaving source 10,000. A draw picks the next
 * sender in proportion to these rates. A misbehaving source begins within the first
 * millisecond, so that the sources do not get their tokens all at once. Time is
 * simulated, so the output is always the same.
 */
#include <stdio.h>
#include <string.h>

#include "rocecc/guard/admission.h"

#define SOURCES_MAX 65
#define HONEST 64 /* its address and tag */
#define HONEST_PER_S 200
#define MISBEHAVING_PER_S 10000
#define RUNS 10
#define RUN_NS 1000000000u
#define FULL_NS 400000000u /* not counted, because buckets start full */

typedef struct attack {
    uint32_t forged_per_s;
    bool right; /* whether the forged ICRC is right */
} attack;

static const attack attacks[] = {{0, false},     {1000, false},   {3000, false},
                                 {10000, false}, {100000, false}, {1000, true},
                                 {10000, true}};
static const uint32_t misbehaving[] = {0, 1, 2, 4, 8, 16, 32, 64};

#define ATTACKS (sizeof attacks / sizeof *attacks)
#define ROWS (sizeof misbehaving / sizeof *misbehaving)

static rocecc_admission_params params;
static rocecc_acl_entry entries[SOURCES_MAX];
static rocecc_acl list;
static rocecc_admission state;
static rocecc_admission_source sources[SOURCES_MAX];
static uint64_t first_ns[SOURCES_MAX]; /* start of each source */
static uint64_t seed;

static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 32) * below >> 32);
}

static rocecc_ip6 address(uint32_t i)
{
    rocecc_ip6 a = {{0x20, 1, 0xd, 0xb8}};
    a.b[15] = (uint8_t)i;
    return a;
}

static bool start(uint64_t run)
{
    uint32_t i, at;
    memset(entries, 0, sizeof entries);
    for (i = 0; i < SOURCES_MAX; i++) {
        entries[i].prefix = address(i);
        entries[i].length = 128;
        entries[i].permit = 1;
        entries[i].tag = i;
    }
    params = rocecc_admission_for(4, 1000);
    if (rocecc_acl_init(&list, entries, SOURCES_MAX, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_admission_init(&params, &list) != ROCECC_ADMISSION_ACCEPTED)
        return false;
    state = rocecc_admission_start(&params, 0);
    seed = run;
    for (i = 0; i < SOURCES_MAX; i++) {
        sources[i] = rocecc_admission_source_start(&params, 0);
        first_ns[i] = draw(1000000);
    }
    return true;
}

/* Handles one notification. Returns true if it is admitted. */
static bool admit(uint32_t from, uint64_t now_ns, bool right)
{
    const rocecc_admission_event e = {now_ns, &list, NULL, sources, SOURCES_MAX};
    const rocecc_ip6 source = address(from);
    rocecc_acl_result listed;
    return rocecc_admission_begin(&params, &state, &e, &source, &listed) ==
               ROCECC_ADMISSION_ADMITTED &&
           right &&
           rocecc_admission_finish(&params, &state, &e, listed.tag) ==
               ROCECC_ADMISSION_ADMITTED;
}

/* Notifications from the honest source, in all and not admitted. */
typedef struct count {
    uint64_t sent, lost;
} count;

/* Runs an attack for 1 s. Returns false if the limits are rejected. */
static bool run(uint64_t which, uint32_t n, const attack *a, count *honest)
{
    const uint32_t others = n * MISBEHAVING_PER_S;
    const uint32_t all = HONEST_PER_S + a->forged_per_s + others;
    uint64_t i;
    if (!start(which)) return false;
    for (i = 0; i < all; i++) {
        const uint64_t now_ns = i * RUN_NS / all;
        const uint32_t who = draw(all);
        bool admitted;
        if (who < others) {
            if (now_ns >= first_ns[who % n]) (void)admit(who % n, now_ns, true);
            continue;
        }
        if (who < others + a->forged_per_s) {
            (void)admit(HONEST, now_ns, a->right);
            continue;
        }
        admitted = admit(HONEST, now_ns, true);
        if (now_ns < FULL_NS) continue;
        honest->sent++;
        honest->lost += !admitted;
    }
    return true;
}

/* Returns the honest source's loss in per cent, or -1 if the limits are rejected. */
static int loss(uint32_t n, const attack *a)
{
    count honest = {0, 0};
    uint64_t i;
    for (i = 0; i < RUNS; i++)
        if (!run(i, n, a, &honest)) return -1;
    return (int)((100 * honest.lost + honest.sent / 2) / honest.sent);
}

int main(void)
{
    size_t row, i;
    for (row = 0; row < ROWS; row++) {
        printf("| %u |", (unsigned)misbehaving[row]);
        for (i = 0; i < ATTACKS; i++)
            printf(" %d |", loss(misbehaving[row], &attacks[i]));
        putchar('\n');
    }
    return 0;
}
