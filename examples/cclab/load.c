/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * load.c - the flows of a load, with their hosts, start times and sizes. In `ring` and
 * `barrier`, a flow may send more after the bytes of other flows have arrived.
 */
#include "lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 10 /* of an incast with a barrier */
#define POINTS 64 /* limit of a distribution */

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool lab_is_mutual(const lab_options *o)
{
    static const char *const names[] = {"websearch", "hadoop",  "ring",
                                        "alltoall",  "barrier", NULL};
    size_t i;
    if (lab_topologies[o->topology].hosts != 0 || o->percent != 0) return true;
    for (i = 0; names[i] != NULL; i++)
        if (is(o->load, names[i])) return true;
    return false;
}

/* ---- if all hosts send and receive, a load with one receiver sends to the first
   host */

static uint32_t sender_of(const lab *l, uint32_t i)
{
    return l->mutual ? 1 + i % (l->n_receivers - 1) : i % l->first_receiver;
}

static uint32_t receiver_of(const lab *l, uint32_t i)
{
    return l->mutual ? 0 : l->first_receiver + i % l->n_receivers;
}

/* Creates a flow. Returns NULL if it is invalid or does not fit. */
static lab_flow *flow_new(lab *l, uint32_t from, uint32_t to, uint64_t bytes, lab_ps at)
{
    lab_flow *x;
    if (from == to || from >= l->n_hosts || to >= l->n_hosts || bytes == 0) return NULL;
    if (l->n_flows == LAB_FLOWS_MOST) {
        l->flows_full = true;
        return NULL;
    }
    x = &l->flow[l->n_flows];
    x->id = l->n_flows++;
    x->part = &l->part[x->id % l->n_parts];
    x->from = l->node[from];
    x->to = l->node[to];
    x->bytes = x->ready = bytes;
    x->start = at;
    lab_at(l, at, lab_start, x, 0);
    return x;
}

/* Creates messages over time. Most are small, but most bytes are in large messages. */
static void churn(lab *l)
{
    static const uint32_t sizes[8] = {1000,  4000,  4000,  16000,
                                      16000, 64000, 64000, 1000000};
    const uint64_t mean =
        l->o->size_bytes != 0 ? l->o->size_bytes : 146125; /* of `sizes` */
    /* half the bottleneck's rate; gaps are uniform up to twice their mean */
    const lab_ps gap = rocecc_min(
        mean * UINT64_C(16000000) / (l->o->rate_bps / 1000000), l->o->duration);
    lab_ps at = 0;
    uint32_t i;
    for (i = 0; i < l->o->flows; i++) {
        const uint32_t from = sender_of(l, lab_random(l));
        const uint32_t to = receiver_of(l, lab_random(l));
        const uint32_t bytes = sizes[lab_random(l) % 8];
        at += (lab_ps)lab_random(l) * (2 * gap >> 12) >> 20;
        (void)flow_new(l, from, to, l->o->size_bytes != 0 ? l->o->size_bytes : bytes,
                       at);
    }
}

/* Reads a number of at most 15 digits and a fraction of at most `digits` digits, in
   units of 10^-digits. */
static bool number(const char **text, unsigned digits, uint64_t *v)
{
    const char *at = *text;
    unsigned n = 0;
    bool point;
    for (*v = 0; *at >= '0' && *at <= '9' && n < 15; at++, n++)
        *v = *v * 10 + (uint64_t)(*at - '0');
    if (n == 0) return false;
    point = *at == '.' && digits > 0;
    at += point;
    for (; digits > 0; digits--) {
        const bool more = point && *at >= '0' && *at <= '9';
        *v = *v * 10 + (more ? (uint64_t)(*at++ - '0') : 0);
    }
    if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\n' && *at != '\0')
        return false;
    *text = at + strspn(at, " \t\r\n");
    return true;
}

/* Reads up to four numbers of a line. The first may have a fraction. Returns how many
 * there are, or 0 if the line has anything else. */
static unsigned numbers(const char *line, unsigned digits, uint64_t v[4])
{
    unsigned n = 0;
    line += strspn(line, " \t");
    while (*line != '\0' && n < 4) {
        if (!number(&line, n == 0 ? digits : 0, &v[n])) return 0;
        n++;
    }
    return *line == '\0' ? n : 0;
}

static const char *not_a_host(const char *name, uint32_t hosts)
{
    static char text[80];
    (void)snprintf(text, sizeof text, "%s is not a host: expected 0 to %u", name,
                   hosts - 1);
    return text;
}

/* Reads a flow: start in us, sender, receiver (each from 0 on), bytes (0: endless).
 * --size replaces the bytes. */
static const char *flow_line(lab *l, const char *line)
{
    const uint32_t senders = l->mutual ? l->n_receivers : l->first_receiver;
    const uint64_t size = l->o->size_bytes;
    uint64_t v[4], bytes;
    if (numbers(line, 3, v) != 4)
        return "expected four numbers, START_US SENDER RECEIVER BYTES";
    if (v[0] >= UINT64_C(100000000000))
        return "START_US is too large: expected less than 100000000";
    if (v[1] >= senders) return not_a_host("SENDER", senders);
    if (v[2] >= l->n_receivers) return not_a_host("RECEIVER", l->n_receivers);
    if (v[3] > UINT64_C(1000000000000))
        return "BYTES is too large: the limit is 1000000000000";
    bytes = size != 0 ? size : v[3] != 0 ? v[3] : UINT64_MAX;
    if (flow_new(l, (uint32_t)v[1], l->first_receiver + (uint32_t)v[2], bytes,
                 v[0] * 1000) != NULL)
        return NULL;
    return l->flows_full ? "too many flows: the limit is 65536"
                         : "SENDER and RECEIVER are the same host";
}

/* ---- sizes by a distribution, uniform between its points */

typedef struct distribution {
    uint32_t n;
    struct {
        uint64_t bytes;
        uint32_t ppm; /* share of flows of at most this size */
    } point[POINTS];
} distribution;

/* DCTCP (Alizadeh et al., SIGCOMM 2010, figure 4), with the points of HPCC's runs. */
static const distribution websearch = {12,
                                       {{0, 0},
                                        {10000, 150000},
                                        {20000, 200000},
                                        {30000, 300000},
                                        {50000, 400000},
                                        {80000, 530000},
                                        {200000, 600000},
                                        {1000000, 700000},
                                        {2000000, 800000},
                                        {5000000, 900000},
                                        {10000000, 970000},
                                        {30000000, 1000000}}};
/* Facebook's Hadoop (Roy et al., SIGCOMM 2015), with the points of HPCC's runs. */
static const distribution hadoop = {
    20, {{0, 0},           {100, 10000},      {200, 20000},      {300, 50000},
         {350, 150000},    {400, 200000},     {500, 300000},     {600, 400000},
         {700, 500000},    {1000, 600000},    {2000, 670000},    {7000, 700000},
         {30000, 720000},  {50000, 820000},   {80000, 870000},   {120000, 900000},
         {300000, 950000}, {1000000, 975000}, {2000000, 990000}, {10000000, 1000000}}};

/* Reads a point: bytes, and the percentage of flows of at most this size. */
static const char *point_line(distribution *d, const char *line)
{
    uint64_t bytes, ppm;
    line += strspn(line, " \t");
    if (!number(&line, 0, &bytes) || !number(&line, 4, &ppm) || *line != '\0')
        return "expected two numbers, BYTES PERCENT";
    if (d->n == POINTS) return "too many lines BYTES PERCENT: the limit is 64";
    if (bytes > UINT64_C(1000000000000))
        return "BYTES is too large: the limit is 1000000000000";
    if (ppm > 1000000) return "PERCENT is too large: the limit is 100";
    if (d->n == 0 && ppm != 0) return "PERCENT must be 0 in the first line";
    if (d->n > 0 && bytes <= d->point[d->n - 1].bytes)
        return "BYTES must be larger than in the previous line";
    if (d->n > 0 && ppm < d->point[d->n - 1].ppm)
        return "PERCENT must not be smaller than in the previous line";
    d->point[d->n].bytes = bytes;
    d->point[d->n++].ppm = (uint32_t)ppm;
    return NULL;
}

static uint64_t mean_of(const distribution *d)
{
    uint64_t sum = 0;
    uint32_t i;
    for (i = 1; i < d->n; i++)
        sum += (d->point[i].bytes + d->point[i - 1].bytes) / 2 *
               (d->point[i].ppm - d->point[i - 1].ppm) / 1000;
    return rocecc_max(sum / 1000, 1);
}

static uint64_t size_by(const distribution *d, uint32_t random)
{
    const uint32_t ppm = (uint32_t)((uint64_t)random * 1000000 >> 32);
    uint32_t i = 1;
    while (d->point[i].ppm <= ppm)
        i++;
    return rocecc_max(d->point[i - 1].bytes +
                          (d->point[i].bytes - d->point[i - 1].bytes) *
                              (ppm - d->point[i - 1].ppm) /
                              (d->point[i].ppm - d->point[i - 1].ppm),
                      1);
}

/* Returns -ln((random + 1) / 2^32) in Q32. A bit of log2 is 1 if the square reaches
 * 2. */
static uint64_t minus_ln_q32(uint32_t random)
{
    uint64_t x = (uint64_t)random + 1, log2_q32 = 0;
    unsigned i;
    while (x >> 32 == 0) { /* to 1 .. 2, in Q32 */
        x <<= 1;
        log2_q32 += UINT64_C(1) << 32;
    }
    x >>= 1; /* Q31 */
    for (i = 1; i <= 32; i++) {
        x = x * x >> 31;
        if (x >> 32 == 0) continue;
        x >>= 1;
        log2_q32 -= UINT64_C(1) << (32 - i);
    }
    return (log2_q32 >> 4) * 744261118 >> 26; /* ln 2 in Q30 */
}

/* Creates flows between random hosts, in a Poisson process that loads links by
 * --percent in the first half of the run. Returns false if there is no flow. */
static bool mesh(lab *l, const distribution *d)
{
    const lab_options *o = l->o;
    const uint32_t n = l->n_receivers;
    const uint64_t mean = o->size_bytes != 0 ? o->size_bytes : mean_of(d);
    /* mean time between flows, for all hosts together */
    const lab_ps gap = mean * 800 * 1000 / (o->rate_bps / 1000000) * 1000 / n /
                       (o->percent != 0 ? o->percent : 50);
    lab_ps at = 0;
    for (;;) {
        uint32_t from, to;
        at += (gap >> 8) * (minus_ln_q32(lab_random(l)) >> 8) >> 16;
        if (at >= o->duration / 2 && l->n_flows == 0)
            fprintf(stderr,
                    "cclab: --load %s: no flow starts in the first half of --duration "
                    "%s, because one starts every %llu us on average\n",
                    o->load, lab_text('t', o->duration),
                    (unsigned long long)((gap + LAB_US - 1) / LAB_US));
        if (at >= o->duration / 2 || l->flows_full) return l->n_flows > 0;
        from = lab_random(l) % n;
        to = (from + 1 + lab_random(l) % (n - 1)) % n;
        (void)flow_new(l, from, to,
                       o->size_bytes != 0 ? o->size_bytes : size_by(d, lab_random(l)),
                       at);
    }
}

/* ---- files of flows, or with --percent of a distribution */

static bool not_a_load(const char *name, const char *why)
{
    fprintf(stderr,
            "cclab: --load %s: not a file that can be read (%s), and not one of "
            "longlived incast churn victim websearch hadoop ring alltoall barrier\n",
            name, why);
    return false;
}

static bool read_lines(lab *l, distribution *d)
{
    FILE *f = fopen(l->o->load, "r");
    char line[200];
    const char *wrong = NULL;
    unsigned long n = 1;
    bool comment = false, fine;
    if (f == NULL) return not_a_load(l->o->load, strerror(errno));
    while (wrong == NULL && fgets(line, sizeof line, f) != NULL) {
        const bool whole = strchr(line, '\n') != NULL || feof(f);
        comment = comment || line[0] == '#';
        if (!comment && !whole)
            wrong = strlen(line) < sizeof line - 1
                        ? "the line has a byte of value 0"
                        : "the line is too long: the limit is 198 bytes";
        if (wrong == NULL && !comment && line[0] != '\n')
            wrong = d != NULL ? point_line(d, line) : flow_line(l, line);
        if (wrong != NULL)
            fprintf(stderr, "cclab: %s: line %lu: %s\n", l->o->load, n, wrong);
        if (strchr(line, '\n') != NULL) comment = false; /* otherwise it continues */
        n += strchr(line, '\n') != NULL;
    }
    fine = wrong == NULL && !ferror(f);
    if (ferror(f))
        fprintf(stderr, "cclab: %s cannot be read: %s\n", l->o->load, strerror(errno));
    (void)fclose(f);
    return fine;
}

static bool load_file(lab *l)
{
    distribution d = {0};
    if (!read_lines(l, l->o->percent != 0 ? &d : NULL)) return false;
    if (l->o->percent != 0 && (d.n < 2 || d.point[d.n - 1].ppm != 1000000)) {
        fprintf(stderr,
                "cclab: %s: expected at least two lines BYTES PERCENT, the last with "
                "100\n",
                l->o->load);
        return false;
    }
    if (l->o->percent != 0) return mesh(l, &d);
    if (l->n_flows == 0)
        fprintf(stderr, "cclab: %s: the file has no flow\n", l->o->load);
    return l->n_flows > 0;
}

/* ---- longlived, incast and victim */

/* Creates flows to the first receiver, or in pairs of hosts from each sender to its
 * own. In `victim`, the last flow goes to the last receiver, and all others to the
 * first. */
static void usual(lab *l)
{
    const lab_options *o = l->o;
    const bool bursts = is(o->load, "incast");
    const uint64_t bytes = o->size_bytes != 0 ? o->size_bytes
                           : bursts           ? 500000
                                              : UINT64_MAX;
    uint32_t i;
    for (i = 0; i < o->flows; i++) {
        uint32_t to = receiver_of(l, i);
        if (is(o->load, "victim") && !l->mutual)
            to = l->first_receiver + (i == o->flows - 1 ? l->n_receivers - 1 : 0);
        (void)flow_new(l, sender_of(l, i), to, bytes, lab_random(l) % 1000 * 1000);
    }
}

/* ---- collectives of n hosts; in ring and alltoall, a part is 1/n of --size */

static uint64_t part_of(const lab *l)
{
    const uint64_t bytes = l->o->size_bytes != 0 ? l->o->size_bytes : 1000000;
    return (bytes + l->n_receivers - 1) / l->n_receivers;
}

/*
 * Creates an all-reduce in a ring. In each of 2 (n - 1) steps, a host sends the next
 * host a part. After the first step this is the part that it got from the previous host
 * in the previous step.
 */
static void ring(lab *l)
{
    const uint32_t n = l->n_receivers;
    uint32_t i;
    for (i = 0; i < n; i++) {
        lab_flow *x = flow_new(l, i, (i + 1) % n, 2 * (n - 1) * part_of(l), 0);
        if (x != NULL) x->ready = part_of(l);
    }
}

static void ring_got(lab *l, const lab_flow *x)
{
    lab_flow *next = &l->flow[(x->id + 1) % l->n_flows];
    const uint64_t part = part_of(l);
    const uint64_t ready = rocecc_min((x->got / part + 1) * part, next->bytes);
    if (ready <= next->ready) return;
    next->ready = ready;
    lab_send(l, next);
}

static void all_to_all(lab *l)
{
    const uint32_t n = l->n_receivers;
    uint32_t i, k;
    for (k = 1; k < n; k++)
        for (i = 0; i < n; i++)
            (void)flow_new(l, i, (i + k) % n, part_of(l), 0);
}

/* Creates flows to the first host. A round begins when that host has all of the
 * previous one. */
static void barrier(lab *l)
{
    const uint64_t bytes = l->o->size_bytes != 0 ? l->o->size_bytes : 100000;
    uint32_t i;
    for (i = 1; i < l->n_receivers; i++) {
        lab_flow *x = flow_new(l, i, 0, ROUNDS * bytes, 0);
        if (x != NULL) x->ready = bytes;
    }
}

static void barrier_got(lab *l, const lab_flow *x)
{
    const uint64_t bytes = x->bytes / ROUNDS;
    uint64_t rounds = ROUNDS;
    uint32_t i;
    if (x->got % bytes != 0) return;
    for (i = 0; i < l->n_flows; i++)
        rounds = rocecc_min(rounds, l->flow[i].got / bytes);
    for (i = 0; i < l->n_flows; i++) {
        lab_flow *y = &l->flow[i];
        const uint64_t ready = rocecc_min((rounds + 1) * bytes, y->bytes);
        if (ready <= y->ready) continue;
        y->ready = ready;
        lab_send(l, y);
    }
}

bool lab_load(lab *l)
{
    const char *load = l->o->load;
    if (is(load, "websearch")) return mesh(l, &websearch);
    if (is(load, "hadoop")) return mesh(l, &hadoop);
    if (is(load, "churn"))
        churn(l);
    else if (is(load, "incast") || is(load, "longlived") || is(load, "victim"))
        usual(l);
    else if (is(load, "ring")) {
        ring(l);
        l->got = ring_got;
    } else if (is(load, "alltoall"))
        all_to_all(l);
    else if (is(load, "barrier")) {
        barrier(l);
        l->got = barrier_got;
    } else
        return load_file(l);
    return l->n_flows > 0;
}
