/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * red.c - compares RED with DPDK's rte_red.h, whose rules are R-7. Both have the same
 * thresholds, in packets, and the same queue lengths, and the average stays between the
 * thresholds. Both must mark as many packets, within a tenth, because their random
 * numbers differ.
 *
 * bench: pkg: libdpdk
 */
#include "bench.h"

#include <rte_red.h>

#include "rocecc/algo/wred.h"

#define MIN 32
#define MAX 96
#define MAXP_INV 10
#define WEIGHT_EXP 9
#define TRIED 1000000u

static rocecc_red_params params;
static rocecc_red ours_state;
static struct rte_red_config config;
static struct rte_red theirs_state;
static uint32_t random_state = 1;

static uint32_t queue_length(unsigned i)
{
    return 40 + i % 1024 / 16;
}

/* Draws as cheaply as rte_fast_rand(), DPDK's call for each marked packet. */
static uint32_t drawn(void)
{
    random_state = 214013 * random_state + 2531011;
    return random_state;
}

static bool ours_marks(unsigned i)
{
    const rocecc_red_event e = {queue_length(i), ROCECC_ECN_ECT0, drawn(), i};
    return rocecc_red_arrive(&params, &ours_state, e) != ROCECC_WRED_PASS;
}

static bool theirs_marks(unsigned i)
{
    return rte_red_enqueue(&config, &theirs_state, queue_length(i), i) != 0;
}

static void ours(unsigned i)
{
    bench_keep(ours_marks(i));
}

static void theirs(unsigned i)
{
    bench_keep(theirs_marks(i));
}

static bool begin(void)
{
    uint32_t i, a = 0, b = 0;
    params = rocecc_red_floyd(MIN, 1);
    params.max_bytes = MAX;
    params.gentle = false;
    params.dpdk = true;
    if (rocecc_red_init(&params) != ROCECC_RED_ACCEPTED ||
        rte_red_config_init(&config, WEIGHT_EXP, MIN, MAX, MAXP_INV) != 0 ||
        rte_red_rt_data_init(&theirs_state) != 0)
        return false;
    rte_red_rand_seed = rte_red_rand_val = 1; /* DPDK sets them from the clock */
    ours_state = rocecc_red_start(&params);
    for (i = 0; i < TRIED; i++) {
        a += ours_marks(i);
        b += theirs_marks(i);
    }
    fprintf(stderr, "RED: of %u packets ours marks %u, rte_red %u\n", TRIED, a, b);
    return a != 0 && (a > b ? a - b : b - a) < a / 10;
}

static const bench_row rows[] = {
    {"RED: a packet, as DPDK counts", "rte_red", ours, theirs, BENCH_BOTH, 1},
};

int main(int argc, char **argv)
{
    if (!begin()) {
        fprintf(stderr, "bench: rte_red marks otherwise\n");
        return 1;
    }
    return BENCH_MAIN(rows);
}
