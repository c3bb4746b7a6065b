/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
/*
 * tables.c - runs the flow table and the pause table with one writer and three readers,
 * under a read-write lock of the caller (guard/README.md). `tables flow` and `tables
 * pause` keep the rule, `... broken` reads without the lock. Each round ends with a
 * yield. On one core a thread would otherwise end before the next begins, and
 * ThreadSanitizer would have forgotten it.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocecc/guard/flowtable.h"
#include "rocecc/guard/pause.h"

#define FLOWS 64u
#define ROUNDS 4000u
/*
 * Rounds of the readers without the writer. ThreadSanitizer keeps four accesses to a
 * word and drops older ones at random. With 64 rounds it misses one race in ten.
 */
#define ALONE (16 * FLOWS)
#define READERS 3
#define BUCKETS 64u
#define SLOTS 64u

typedef struct table {
    pthread_rwlock_t lock;
    pthread_barrier_t alone; /* until then the writer waits */
    bool broken;
    rocecc_flowtable_params flow_params;
    rocecc_flowtable flow;
    rocecc_flowtable_bucket bucket[BUCKETS];
    rocecc_flowtable_slot slot[BUCKETS * ROCECC_FLOWTABLE_WAYS];
    rocecc_pause_params pause_params;
    rocecc_pause pause;
    rocecc_traffic_slot slots[SLOTS];
    rocecc_pause_holders who[SLOTS];
    uint32_t has[16];
} table;

static table shared;

static rocecc_flow nth(uint32_t i)
{
    rocecc_flow f;
    memset(&f, 0, sizeof f);
    f.src.b[15] = (uint8_t)i;
    f.proto = 17;
    return f;
}

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "tables: %s\n", what);
    exit(1);
}

/* Learns flow i from port i, again and again, and sweeps old flows. */
static void flow_write(table *t, uint32_t round)
{
    const rocecc_flowtable_memory m = {t->bucket, t->slot};
    rocecc_flowtable_entry e;
    memset(&e, 0, sizeof e);
    e.flow = nth(round % FLOWS);
    e.origin.ingress_port = round % FLOWS;
    if (round % 97 == 0)
        (void)rocecc_flowtable_sweep(&t->flow_params, &t->flow, &m, round);
    (void)rocecc_flowtable_learn(&t->flow_params, &t->flow, &m, &e, round);
}

/* Returns 1 if the flow is found, from its own port, or else 0. */
static uint32_t flow_read(table *t, uint32_t round)
{
    const rocecc_flowtable_memory m = {t->bucket, t->slot};
    const rocecc_flow f = nth(round % FLOWS);
    const rocecc_flowtable_lookup_result found =
        rocecc_flowtable_lookup(&t->flow_params, &m, &f, 0, 0);
    if (found.what != ROCECC_FLOWTABLE_FOUND) return 0;
    check(t->broken || found.origin.ingress_port == round % FLOWS, "another's port");
    return 1;
}

/* Pauses flow i by an ARN of type 1. In every fifth round its time ends. */
static void pause_write(table *t, uint32_t round)
{
    const rocecc_pause_memory m = {t->slots, t->who, t->has};
    rocecc_pause_notice x;
    rocecc_pause_result act;
    memset(&x, 0, sizeof x);
    x.flow = nth(round % FLOWS);
    x.from.tag = round % 16;
    x.type = 1;
    x.time_ns = 100000;
    x.has_flow = x.has_time = true;
    act = rocecc_pause_notify(&t->pause_params, &t->pause, &m, &x, round);
    if (round % 5 == 0 && act.slot != ROCECC_PAUSE_NONE)
        (void)rocecc_pause_timer(&t->pause_params, &t->pause, &m, act.slot,
                                 round + 200000);
}

static uint32_t pause_read(table *t, uint32_t round)
{
    rocecc_pause_traffic x;
    memset(&x, 0, sizeof x);
    x.inner = nth(round % FLOWS);
    return rocecc_pause_packet(&t->pause_params, &t->pause, t->slots, &x, round).what ==
           ROCECC_PAUSE_HOLD;
}

static void (*write_one)(table *t, uint32_t round);
static uint32_t (*read_one)(table *t, uint32_t round);

static void *writer(void *unused)
{
    uint32_t i;
    pthread_barrier_wait(&shared.alone);
    for (i = 0; i < ROUNDS; i++) {
        pthread_rwlock_wrlock(&shared.lock);
        write_one(&shared, i);
        pthread_rwlock_unlock(&shared.lock);
        sched_yield();
    }
    return unused;
}

static void *reader(void *hits)
{
    uint32_t i;
    for (i = 0; i < ROUNDS; i++) {
        if (i == ALONE) pthread_barrier_wait(&shared.alone);
        if (!shared.broken) pthread_rwlock_rdlock(&shared.lock);
        *(uint32_t *)hits += read_one(&shared, i);
        if (!shared.broken) pthread_rwlock_unlock(&shared.lock);
        sched_yield();
    }
    return hits;
}

static void prepare(table *t)
{
    const rocecc_flowtable_memory m = {t->bucket, t->slot};
    t->flow_params.secret[0] = 1;
    t->flow_params.buckets = BUCKETS;
    t->flow_params.expiry_ms = 1000000;
    check(rocecc_flowtable_init(&t->flow_params) == ROCECC_FLOWTABLE_ACCEPTED, "flow");
    t->flow = rocecc_flowtable_start(&t->flow_params, &m);
    t->pause_params = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    t->pause_params.hash_key[0] = 1;
    check(rocecc_pause_init(&t->pause_params) == ROCECC_PAUSE_ACCEPTED, "pause");
    t->pause = rocecc_pause_start(SLOTS);
}

int main(int argc, char **argv)
{
    pthread_t thread[1 + READERS];
    uint32_t hits[READERS] = {0}, all = 0;
    size_t i;
    if (argc < 2 || argc > 3) return 2;
    write_one = strcmp(argv[1], "flow") == 0 ? flow_write : pause_write;
    read_one = strcmp(argv[1], "flow") == 0 ? flow_read : pause_read;
    shared.broken = argc == 3;
    prepare(&shared);
    pthread_rwlock_init(&shared.lock, NULL);
    pthread_barrier_init(&shared.alone, NULL, 1 + READERS);
    /* Lets each reader find something, in any order of the threads. */
    for (i = 0; i < FLOWS; i++)
        write_one(&shared, (uint32_t)i);
    pthread_create(&thread[READERS], NULL, writer, NULL);
    for (i = 0; i < READERS; i++)
        pthread_create(&thread[i], NULL, reader, &hits[i]);
    for (i = 0; i <= READERS; i++)
        pthread_join(thread[i], NULL);
    for (i = 0; i < READERS; i++)
        all += hits[i] > 0;
    check(all == READERS, "a reader finds nothing");
    printf("%s: %u readers beside a writer\n", argv[1], all);
    return 0;
}
