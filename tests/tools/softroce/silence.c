/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * silence.c - runs the programs of sender.o in this kernel, without a network, on a
 * data packet and a CNP for its flow, and again after an hour without packets.
 *
 *     silence sender.o DATA CNP      two frames in hex, to QP 18 and for QP 17
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../examples/lib/vec.h"
#include "softroce.h"

#define LINE_BPS UINT64_C(40000000)
#define HOUR_NS (UINT64_C(3600) * 1000000000)
#define ENOUGH_NS (UINT64_C(90) * 1000000000)
#define CATCH_UP_MAX 16 /* packets; 1,400 of 65,000 alpha timers count */

static struct bpf_object *object;
static int checks, red;

static void check(const char *what, uint64_t is, uint64_t least, uint64_t most)
{
    checks++;
    if (is >= least && is <= most) return;
    red++;
    printf("softroce-test: %s is %llu, and not %llu to %llu\n", what,
           (unsigned long long)is, (unsigned long long)least, (unsigned long long)most);
}

static int map_of(const char *name)
{
    return bpf_object__find_map_fd_by_name(object, name);
}

/* Runs a program on a frame, and returns its result. */
static uint32_t run(const char *name, const uint8_t *frame, size_t n,
                    struct __sk_buff *tc)
{
    uint8_t out[2048];
    LIBBPF_OPTS(bpf_test_run_opts, o, .data_in = frame, .data_size_in = (uint32_t)n,
                .data_out = out, .data_size_out = sizeof out, .ctx_in = tc,
                .ctx_size_in = tc != NULL ? sizeof *tc : 0, .ctx_out = tc,
                .ctx_size_out = tc != NULL ? sizeof *tc : 0);
    const struct bpf_program *p = bpf_object__find_program_by_name(object, name);
    if (bpf_prog_test_run_opts(bpf_program__fd(p), &o) != 0) {
        perror(name);
        exit(1);
    }
    if (tc != NULL) check("ECN of data", rocecc_load16(out + 14) >> 4 & 3, 2, 2);
    return o.retval;
}

static softroce_flow flow(rocecc_reaction_key *key)
{
    softroce_flow f = {0};
    if (bpf_map_get_next_key(map_of("flows"), NULL, key) != 0 ||
        bpf_map_lookup_elem(map_of("flows"), key, &f) != 0) {
        puts("softroce-test: there is no flow");
        exit(1);
    }
    return f;
}

static size_t hex(const char *text, uint8_t *to)
{
    size_t n = 0;
    for (; text[0] != '\0' && text[1] != '\0' && n < 2048; text += 2)
        to[n++] = (uint8_t)(vec_digit(text[0]) << 4 | vec_digit(text[1]));
    return n;
}

static void configure(void)
{
    static softroce_config c;
    const uint32_t zero = 0, own = 17, other = 18;
    c.dcqcn = rocecc_dcqcn_paper(LINE_BPS);
    c.dcqcn.min_bps = c.dcqcn.ai_bps = 1000000;
    c.dcqcn.hai_bps = 2000000;
    c.dcqcn.g_q20 = ROCECC_ONE_Q20 / 64;
    c.dcqcn.alpha_timer_ns = 55000000;
    c.dcqcn.increase_timer_ns = 75000000;
    c.dcqcn.byte_counter_bytes = 0;
    if (rocecc_dcqcn_init(&c.dcqcn) != ROCECC_DCQCN_ACCEPTED ||
        bpf_map_update_elem(map_of("config"), &zero, &c, 0) != 0 ||
        bpf_map_update_elem(map_of("qps"), &own, &other, 0) != 0) {
        puts("softroce-test: the maps cannot be written");
        exit(1);
    }
}

/*
 * Waits until this machine has run for 90 s. In this time alpha reaches 0, and the rate
 * reaches the line rate. Then makes running timers due an hour ago, or at the machine's
 * start, if that is later.
 */
static void age(const rocecc_reaction_key *key, softroce_flow f)
{
    int i;
    while (f.last_ns < ENOUGH_NS && sleep(1) == 0)
        f.last_ns += 1000000000;
    for (i = 0; i < SOFTROCE_TIMERS; i++)
        if (f.due_ns[i] != 0) f.due_ns[i] -= rocecc_min(f.due_ns[i] - 1, HOUR_NS);
    (void)bpf_map_update_elem(map_of("flows"), key, &f, 0);
}

int main(int argc, char **argv)
{
    uint8_t data[2048], cnp[2048];
    struct __sk_buff tc = {0};
    rocecc_reaction_key key;
    softroce_flow f;
    size_t n, m;
    int packets;
    if (argc != 4) return 2;
    n = hex(argv[2], data);
    m = hex(argv[3], cnp);
    object = bpf_object__open_file(argv[1], NULL);
    if (object == NULL || bpf_object__load(object) != 0) return 1;
    configure();

    run("pace", data, n, &tc);
    f = flow(&key);
    check("rate before a CNP", f.rate.rate_bps, LINE_BPS, LINE_BPS);
    check("time of the last packet", f.last_ns, tc.tstamp, tc.tstamp);
    check("verdict on the CNP", run("hear", cnp, m, NULL), XDP_DROP, XDP_DROP);
    run("pace", data, n, &tc);
    /* by the rate after the CNP, or later on a slow machine */
    check("time to the next packet", tc.tstamp - f.last_ns, n * 400, HOUR_NS);
    f = flow(&key);
    check("rate after a CNP, alpha 1", f.rate.rate_bps, LINE_BPS / 2, LINE_BPS / 2);

    age(&key, f);
    run("hear", cnp, m, NULL);
    for (packets = 0; f.cuts < 2 && packets < 1000; packets++) {
        run("pace", data, n, &tc);
        f = flow(&key);
    }
    check("packets until a CNP after an hour takes effect", (uint64_t)packets, 1,
          CATCH_UP_MAX);
    check("rate after it, alpha 0", f.rate.rate_bps, LINE_BPS, LINE_BPS);
    check("alpha after it, g of 2^31", f.rate.alpha_q31, 1u << 25, 1u << 25);
    printf("softroce-test: %d checks of sender.o; after an hour %d packets catch up\n",
           checks, packets);
    return red != 0;
}
