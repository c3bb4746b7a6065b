/* SPDX-License-Identifier: BSD-2-Clause */
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* A flow's latest sample plus 1, or 0, and its counts before the next packet. */
typedef struct latest {
    size_t sample;
    counts had;
} latest;

struct timeline {
    uint64_t interval_ns;
    bool started;
    uint64_t first_ns; /* time of the first frame */
    sample *sample;
    size_t n, room;
    latest *latest;       /* per flow */
    uint64_t left_out;    /* packets without room for a sample */
    uint64_t left_out_ns; /* time of the first of them */
};

timeline *timeline_new(uint64_t interval_ns)
{
    timeline *t = memory(1, sizeof *t);
    t->interval_ns = interval_ns;
    t->latest = memory(FLOWS_MAX + 1, sizeof *t->latest);
    t->room = TIMELINE_SAMPLES_MAX;
    t->sample = memory_table(&t->room, sizeof *t->sample);
    return t;
}

bool timeline_interval(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    char *end;
    const unsigned long v = strtoul(text, &end, 10);
    size_t i;
    if (text[0] < '0' || text[0] > '9' || v == 0 || v > 1000000) return false;
    for (i = 0; i < COUNT(units); i++) {
        if (strcmp(end, units[i].name) != 0) continue;
        *ns = v * units[i].ns;
        return true;
    }
    return false;
}

void timeline_frame(timeline *t, uint64_t now_ns)
{
    if (!t->started) t->first_ns = now_ns;
    t->started = true;
}

/* Returns the interval of a time, negative before the first frame. */
static int64_t interval_of(const timeline *t, uint64_t now_ns)
{
    if (now_ns >= t->first_ns)
        return (int64_t)((now_ns - t->first_ns) / t->interval_ns);
    return -1 - (int64_t)((t->first_ns - now_ns - 1) / t->interval_ns);
}

/*
 * Returns the sample of a flow in an interval, or NULL if there is no room. There may
 * be several if frames are out of order, and merge() adds them up.
 */
static sample *sample_of(timeline *t, size_t i, int64_t interval)
{
    latest *l = &t->latest[i];
    sample *s = l->sample != 0 ? &t->sample[l->sample - 1] : NULL;
    if (s != NULL && s->interval == interval) return s;
    if (t->n == t->room) return NULL;
    s = &t->sample[t->n];
    s->interval = interval;
    s->flow = i;
    l->sample = ++t->n;
    return s;
}

/* Adds b to a. With sign UINT64_MAX, subtracts b, because unsigned numbers wrap. */
static void add(counts *a, const counts *b, uint64_t sign)
{
    a->packets += sign * b->packets;
    a->bytes += sign * b->bytes;
    a->ce += sign * b->ce;
    a->cnps += sign * b->cnps;
    a->pauses += sign * b->pauses;
    a->resumes += sign * b->resumes;
}

void timeline_add(timeline *t, size_t i, const flow *f, uint64_t now_ns)
{
    const counts has = {f->packets, f->bytes, f->ce, f->cnps, f->pauses, f->resumes};
    sample *s;
    if (memcmp(&has, &t->latest[i].had, sizeof has) == 0) return; /* nothing new */
    s = sample_of(t, i, interval_of(t, now_ns));
    if (s != NULL) {
        add(&s->in, &has, 1);
        add(&s->in, &t->latest[i].had, UINT64_MAX);
    } else if (t->left_out++ == 0) {
        t->left_out_ns = now_ns;
    }
    t->latest[i].had = has;
}

static int by_interval(const void *a, const void *b)
{
    const sample *x = a, *y = b;
    if (x->interval != y->interval) return x->interval < y->interval ? -1 : 1;
    return x->flow < y->flow ? -1 : x->flow > y->flow;
}

/* Sorts the samples, and leaves one per flow and interval. */
static void merge(timeline *t)
{
    size_t i, n = 0;
    if (t->n == 0) return;
    qsort(t->sample, t->n, sizeof *t->sample, by_interval);
    for (i = 1; i < t->n; i++) {
        if (by_interval(&t->sample[n], &t->sample[i]) == 0)
            add(&t->sample[n].in, &t->sample[i].in, 1);
        else
            t->sample[++n] = t->sample[i];
    }
    t->n = n + 1;
}

static void seconds(int64_t interval, uint64_t interval_ns, FILE *out)
{
    const uint64_t n = (uint64_t)(interval < 0 ? -interval : interval);
    const uint64_t ns = n * interval_ns;
    fprintf(out, "%s%llu.%09llu", interval < 0 ? "-" : "",
            (unsigned long long)(ns / 1000000000u),
            (unsigned long long)(ns % 1000000000u));
}

/*
 * Prints the time from the data's first CE to the first CNP after it, in the interval
 * of this CNP.
 */
static void delay(const timeline *t, const flows *all, const sample *s, FILE *out)
{
    uint64_t first_ns, ns;
    if (flows_delay(all, flows_at(all, s->flow), &first_ns, &ns) &&
        interval_of(t, first_ns) == s->interval)
        fprintf(out, "%llu.%03llu", (unsigned long long)(ns / 1000),
                (unsigned long long)(ns % 1000));
}

static void sample_csv(const timeline *t, const flows *all, const sample *s, FILE *out)
{
    const flow *f = flows_at(all, s->flow);
    const bool fast = f->key.kind == FLOW_FASTCNP;
    char src[ADDRESS_BYTES], dst[ADDRESS_BYTES];
    seconds(s->interval, t->interval_ns, out);
    fprintf(out, ",%s,", flows_address(f, &f->key.src, src));
    if (f->key.kind > FLOW_FASTCNP)
        fputs(",,", out);
    else
        fprintf(out, "%s,%lu,", flows_address(f, &f->key.dst, dst),
                (unsigned long)f->key.qp);
    fprintf(out, "%llu,%llu,%llu,%llu,%llu,%llu,%llu,",
            (unsigned long long)s->in.packets, (unsigned long long)s->in.bytes,
            (unsigned long long)s->in.ce, (unsigned long long)(fast ? 0 : s->in.cnps),
            (unsigned long long)(fast ? s->in.cnps : 0),
            (unsigned long long)s->in.pauses, (unsigned long long)s->in.resumes);
    delay(t, all, s, out);
    putc('\n', out);
}

void timeline_csv(timeline *t, const flows *f, FILE *out)
{
    size_t i;
    merge(t);
    fputs("time_s,src,dst,dest_qp,packets,bytes,ce,cnps,fast_cnps,pauses,resumes,"
          "ce_to_cnp_us\n",
          out);
    for (i = 0; i < t->n; i++)
        sample_csv(t, f, &t->sample[i], out);
}

bool timeline_whole(const timeline *t)
{
    if (t->left_out == 0) return true;
    fputs("rocedump: --timeline: the table is full, and ", stderr);
    fprintf(stderr, "%llu packets from ", (unsigned long long)t->left_out);
    seconds(interval_of(t, t->left_out_ns), t->interval_ns, stderr);
    fprintf(stderr,
            " s on are left out; a longer interval than %llu ns needs fewer rows\n",
            (unsigned long long)t->interval_ns);
    return false;
}

const sample *timeline_samples(const timeline *t, size_t *n, uint64_t *interval_ns)
{
    *n = t->n;
    *interval_ns = t->interval_ns;
    return t->sample;
}
