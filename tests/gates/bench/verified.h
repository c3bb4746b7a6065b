/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_VERIFIED_H
#define TESTS_BENCH_VERIFIED_H

/*
 * verified.h - runs slow_down() of the README on valid CNPs over IPv4 and IPv6, of
 * which one in four is tagged.
 */
#include "bench.h"

#include "../../../examples/lib/vec.h"
#include "readme_block.h"
#include "rocecc/rocecc.h"

#define CNPS 4

static vec_packet cnps[CNPS];

static void verified(unsigned i)
{
    const vec_packet *f = &cnps[i % CNPS];
    bench_keep(slow_down(f->bytes, f->n));
}

/* Parts of slow_down(). */
static rocecc_packet packets[CNPS];

static void walked(unsigned i)
{
    const vec_packet *f = &cnps[i % CNPS];
    static const rocecc_domain domain;
    rocecc_packet p;
    bench_keep(
        rocecc_packet_parse(&domain, rocecc_reader_of(f->bytes, f->bytes + f->n), &p));
    bench_keep(&p);
}

static void icrc_verified(unsigned i)
{
    rocecc_icrc icrc;
    bench_keep(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &packets[i % CNPS], &icrc));
    bench_keep(&icrc);
}

static void parsed(unsigned i)
{
    rocecc_cnp cnp;
    bench_keep(rocecc_cnp_parse(&packets[i % CNPS], &cnp));
    bench_keep(&cnp);
}

static void verified_start(void)
{
    static const rocecc_domain domain;
    static const char *const ids[CNPS] = {"cx4-cnp", "cnp4", "cnp6", "ctag"};
    unsigned i;
    for (i = 0; i < CNPS; i++) {
        cnps[i] = vec_find("vectors/frame.vec", ids[i]);
        if (slow_down(cnps[i].bytes, cnps[i].n) < 0) bench_differs("the README", i);
        (void)rocecc_packet_parse(
            &domain, rocecc_reader_of(cnps[i].bytes, cnps[i].bytes + cnps[i].n),
            &packets[i]);
    }
}

#endif /* TESTS_BENCH_VERIFIED_H */
