/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * burst.c - compares the parsing of 32 frames as a burst and one at a time. The frames
 * lie anywhere in 256 MB, as on a busy port. Everything else is equal. A call is one
 * frame. No frame is timed twice, because the lines of all frames fit into a cache of
 * 32 MB.
 *
 * bench: times
 */
#define BENCH_CALLS_MAX 65536u /* half of the frames; the peer takes the other half */
#include "bench.h"

#include "../../../examples/lib/vec.h"
#include "rocecc/packet/cnp.h"

#define BURST 32u
#define SLOT_BYTES 2048u
#define SLOTS (2 * BENCH_CALLS_MAX)

static const char *const mix[8] = {"cx4-cnp", "uc-send4", "ack",    "cnp4",
                                   "cnp6",    "uc-send6", "write6", "ctag"};

static rocecc_domain domain;
static uint8_t *memory;
static uint32_t order[SLOTS]; /* the slots in random order */
static uint16_t bytes[8];
static rocecc_packet packets[BURST];

static rocecc_reader frame(unsigned i)
{
    const uint32_t slot = order[i % SLOTS];
    const uint8_t *b = memory + (size_t)slot * SLOT_BYTES;
    return rocecc_reader_of(b, b + bytes[slot % 8]);
}

/* Asks about a frame, after the whole burst or after each frame. */
static void ask(const rocecc_packet *p)
{
    const bool is = rocecc_cnp_match(p);
    bench_keep(is);
}

static void burst(unsigned i)
{
    rocecc_reader r[BURST];
    unsigned k;
    if (i % BURST != 0) return; /* because a call is one frame */
    for (k = 0; k < BURST; k++)
        r[k] = frame(i + k);
    rocecc_packet_parse_burst(&domain, r, packets, BURST);
    for (k = 0; k < BURST; k++)
        ask(&packets[k]);
}

static void one_at_a_time(unsigned i)
{
    rocecc_packet *p = &packets[i % BURST];
    rocecc_packet_parse(&domain, frame(i + SLOTS / 2),
                        p); /* lines that burst() has not loaded */
    ask(p);
}

static void fill(void)
{
    vec_packet f[8];
    uint64_t x = 88172645463325252u;
    uint32_t i;
    memory = malloc((size_t)SLOTS * SLOT_BYTES);
    if (memory == NULL) exit(1);
    for (i = 0; i < 8; i++) {
        f[i] = vec_find("vectors/frame.vec", mix[i]);
        bytes[i] = (uint16_t)f[i].n;
    }
    for (i = 0; i < SLOTS; i++) {
        memset(memory + (size_t)i * SLOT_BYTES, 0, SLOT_BYTES);
        memcpy(memory + (size_t)i * SLOT_BYTES, f[i % 8].bytes, f[i % 8].n);
        order[i] = i;
    }
    for (i = SLOTS - 1; i > 0; i--) { /* Fisher and Yates */
        uint32_t k, was = order[i];
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        k = (uint32_t)(x >> 32) % (i + 1);
        order[i] = order[k];
        order[k] = was;
    }
}

static const bench_row rows[] = {
    {"32 frames at random in 256 MB", "one at a time", burst, one_at_a_time, BENCH_NS,
     1 / 2.3},
};

/* Checks that both ways find the same in each frame. */
static void same(void)
{
    unsigned i, k;
    for (i = 0; i < 8 * BURST; i += BURST) {
        burst(i);
        for (k = 0; k < BURST; k++) {
            rocecc_packet p;
            if (rocecc_packet_parse(&domain, frame(i + k), &p) != ROCECC_OK ||
                p.headers.bth != packets[k].headers.bth ||
                p.headers.end != packets[k].headers.end ||
                rocecc_cnp_match(&p) != rocecc_cnp_match(&packets[k]))
                bench_differs("one at a time", i + k);
        }
    }
}

int main(int argc, char **argv)
{
    fill();
    bench_keep(&domain);
    same();
    return BENCH_MAIN(rows);
}
