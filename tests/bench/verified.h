/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_VERIFIED_H
#define TESTS_BENCH_VERIFIED_H

/* verified.h - slow_down() of the README, cut out of it, on CNPs as they come: of IPv4
 * and IPv6, one in four tagged; all are intact. */
#include "bench.h"

#include "../../examples/lib/vec.h"
#include "readme_block.h"

#define CNPS 4

static vec_packet cnps[CNPS];

static void verified(unsigned i)
{
    const vec_packet *f = &cnps[i % CNPS];
    bench_keep(slow_down(f->bytes, f->n));
}

static void verified_start(void)
{
    static const char *const ids[CNPS] = {"cx4-cnp", "cnp4", "cnp6", "ctag"};
    unsigned i;
    for (i = 0; i < CNPS; i++) {
        cnps[i] = vec_find("vectors/frame.vec", ids[i]);
        if (slow_down(cnps[i].bytes, cnps[i].n) >= 0) continue;
        fprintf(stderr, "bench: %s is no CNP that is intact\n", ids[i]);
        exit(1);
    }
}

#endif /* TESTS_BENCH_VERIFIED_H */
