/* SPDX-License-Identifier: BSD-2-Clause */

/* main.c - "judge SEEDS" runs all checks of examples/pcc on that many random flows. */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned failed;

void hold(bool holds, const char *what, uint64_t seed)
{
    if (holds) return;
    failed++;
    if (failed <= 10) printf("hosts-pcc: seed %u: %s\n", (unsigned)seed, what);
}

static uint64_t lcg;

void seed_is(uint64_t seed)
{
    lcg = seed * 0x9e3779b97f4a7c15u;
}

uint32_t random32(void)
{
    lcg = lcg * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(lcg >> 32);
}

uint32_t below(uint32_t n)
{
    return (uint32_t)((uint64_t)random32() * n >> 32);
}

void flow_start(flow *f, const pcc *port, uint64_t seed)
{
    const size_t odd = seed & 1;
    f->port = port;
    f->rate = 0;
    f->block = calloc(1, odd + PCC_CONTEXT_BYTES);
    if (f->block == NULL) exit(1);
    f->context = f->block + odd;
}

void flow_end(flow *f)
{
    hold(f->context == f->block || f->block[0] == 0,
         "a byte before the context changed", 1);
    free(f->block);
}

uint32_t flow_event(flow *f, const pcc_event *e)
{
    f->rate = pcc_step(f->port, f->context, e);
    hold(f->rate >= f->port->least && f->rate <= PCC_RATE_ONE, "a rate out of range",
         e->now_ns);
    return f->rate;
}

/* Returns a short gap, as in a burst, or a long one, as when idle. */
static uint64_t gap_ns(void)
{
    static const uint32_t most[] = {1, 100, 5000, 5000, 50000, 400000, 20000000};
    return below(most[below(sizeof most / sizeof *most)]);
}

static void any_event(pcc_event *e)
{
    static const uint8_t types[] = {PCC_TX,  PCC_TX,  PCC_TX,  PCC_TX,   PCC_CNP,
                                    PCC_ACK, PCC_ACK, PCC_ACK, PCC_NACK, 0};
    e->type = types[below(below(8) == 0 ? 10 : 8)];
    e->bytes = below(below(20) == 0 ? 100000000 : 65536);
    e->signal = (uint8_t)below(4);
    e->value = below(e->signal == ROCECC_HPCC_UTILISATION ? 1200000 : 100000);
    e->ecn = (uint8_t)below(3);
}

void stream_of(stream *s, uint64_t seed)
{
    uint64_t now_ns = seed << 40;
    uint32_t sent = random32();
    memset(s, 0, sizeof *s);
    for (s->n = 0; s->n < EVENTS; s->n++) {
        pcc_event *e = &s->e[s->n];
        any_event(e);
        if (s->n == 0) e->type = PCC_FIRST;
        e->now_ns = now_ns += gap_ns();
        sent += below(20000);
        e->snd_nxt = sent;
        e->seq = sent - below(200000);
    }
}

static void shuffle(stream *s)
{
    size_t i, k;
    for (i = 1; i < s->n; i++) {
        const pcc_event late = s->e[i - 1];
        if (below(10) != 0) continue;
        for (k = i; k < s->n && k < i + 5; k++) {
            if (s->e[k].now_ns - late.now_ns > PCC_REORDER_NS) break;
            s->e[k - 1] = s->e[k];
            s->e[k] = late;
        }
    }
}

void stream_mangle(const stream *from, stream *to)
{
    size_t i;
    to->n = 0;
    for (i = 0; i < from->n; i++) {
        pcc_event *last = to->n == 0 ? NULL : &to->e[to->n - 1];
        const pcc_event *e = &from->e[i];
        const uint32_t fate = below(10);
        if (fate < 2) continue;
        if (fate < 5 && last != NULL && last->type == PCC_TX && e->type == PCC_TX) {
            const uint32_t bytes = last->bytes + e->bytes;
            *last = *e;
            last->bytes = bytes;
            continue;
        }
        to->e[to->n++] = *e;
        if (fate == 9) to->e[to->n++] = *e;
    }
    shuffle(to);
}

void random_port(pcc *port, const pcc_algorithm *a, uint32_t *value, uint64_t seed)
{
    uint32_t i;
    do {
        pcc_standard(a, value);
        for (i = 0; i < a->n_params && seed >= 10; i++) {
            const pcc_param *p = &a->params[i];
            if (below(2) == 0) continue;
            value[i] = p->min + (below(p->max - p->min) >> below(30));
        }
    } while (pcc_init(port, a, value) != PCC_ACCEPTED);
}

int main(int argc, char **argv)
{
    const uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 100;
    uint64_t seed;
    judge_params();
    for (seed = 0; seed < seeds; seed++) {
        judge_dcqcn(seed);
        judge_hpcc(seed);
    }
    printf("hosts-pcc: %u flows of each algorithm\n", (unsigned)seeds);
    dcqcn_report();
    hpcc_report();
    printf("hosts-pcc: %u checks failed\n", failed);
    return failed != 0;
}
