/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_DRAW_H
#define TESTS_LAW_DRAW_H

/*
 * draw.h - draws the inputs of a law from any bytes. A run has parameters, a state, and
 * up to LAW_EVENTS events. Missing bytes are 0. Each draw must be its own statement,
 * because C leaves the order within an expression open, and the judges would see
 * different runs.
 */
#include "law.h"

#define LAW_EVENTS 16

/*
 * Storage for the state of a run. Under BPF it is a map, and the verifier forgets the
 * values stored there. So it checks each event once, and not for every history.
 */
#if defined(__bpf__)
#define LAW_PART __attribute__((noinline)) /* verified once, for any run */
#define LAW_KEPT static
#define LAW_FORGET(x) __asm__ volatile("" : : "r"(x) : "memory")
#else
#define LAW_PART LAW_FN
#define LAW_KEPT
#define LAW_FORGET(x) ((void)(x))
#endif

LAW_FN uint8_t law_u8(rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, 1);
    return b == NULL ? 0 : *b;
}

LAW_FN uint16_t law_u16(rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, 2);
    return b == NULL ? 0 : rocecc_load16(b);
}

LAW_FN uint32_t law_u32(rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, 4);
    return b == NULL ? 0 : rocecc_load32(b);
}

LAW_FN uint64_t law_u64(rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, 8);
    return b == NULL ? 0 : rocecc_load64(b);
}

/* Returns a number of any magnitude below 2^32, from 5 bytes. */
LAW_FN uint32_t law_load_any32(const uint8_t *b)
{
    return rocecc_load32(b) >> (b[4] & 31);
}

/* Returns a number of any magnitude, 58 bits shifted by the other 6. */
LAW_FN uint64_t law_scaled(rocecc_reader *r)
{
    const uint64_t x = law_u64(r);
    return (x & 0x3ffffffffffffffu) >> (x >> 58);
}

#endif /* TESTS_LAW_DRAW_H */
