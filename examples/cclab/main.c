/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cclab - runs congestion control schemes in a small fabric, with every signal as real
 * bytes, and compares them in a table, time series and plots. It can also write the
 * frames of the first scheme to a capture.
 */
#define _POSIX_C_SOURCE 200809L
#include "../lib/network_file.h"
#include "capture.h"
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In two strings, because C99 compilers need not accept longer ones. */
static const char help[] =
    "usage: cclab [OPTION VALUE]...\n"
    "Runs congestion control schemes in a simulated fabric and compares them. All "
    "headers\n"
    "and notifications are bytes as on the wire. A seed gives the same run on every\n"
    "machine.\n"
    "\n"
    "  --scheme NAME,...  see below, or `all`; default dcqcn,hpcc-int (wan: fastcnp);\n"
    "                     NAME+NAME: the flows of one fabric use these in turn;\n"
    "                     NAME:PRESET: a scheme with its own preset (see --set)\n"
    "  --topology NAME    star: one switch (the default)\n"
    "                     dumbbell: pairs of hosts share a link\n"
    "                     clos: four leaves, two spines\n"
    "                     fattree: 16 hosts, three layers; all hosts send and receive\n"
    "                     testbed: 20 hosts, four ToRs, four leaves, two spines; all\n"
    "                     hosts send and receive\n"
    "                     wan: pairs, an SRv6 tunnel, a narrow link near the senders\n"
    "  --flows N          number of flows, default 16; more than 64 flows share "
    "hosts.\n"
    "                     With a load FILE, and if all hosts send: the number of "
    "hosts,\n"
    "                     at most 64; not allowed in fattree and testbed, because "
    "these\n"
    "                     have a fixed number of hosts\n"
    "  --rate R           rate of a host's link in bit/s, with k M G T; default 100G\n"
    "  --rtt T            round-trip time of an empty fabric, in ns us ms s; default "
    "8us\n"
    "  --buffer B         buffer of each switch port in bytes, with K M G; default "
    "32M\n"
    "  --load NAME|FILE   one receiver:\n"
    "                     longlived: endless flows (the default)\n"
    "                     incast: all hosts send 500 KB at once\n"
    "                     churn: short and long flows come and go, at half the rate\n"
    "                     victim: as longlived, but the last flow goes to another\n"
    "                     receiver; not in fattree and testbed\n"
    "                     all hosts send and receive:\n"
    "                     websearch, hadoop: flow sizes from a published "
    "distribution\n"
    "                     ring: an all-reduce of --size bytes per host, default 1M\n"
    "                     alltoall: each host sends an equal part to every other host\n"
    "                     barrier: ten incasts of 100 KB; each incast waits for the\n"
    "                     previous one\n"
    "                     FILE: lines `START_US SENDER RECEIVER BYTES`; hosts are\n"
    "                     counted from 0, and a flow of 0 bytes is endless. With\n"
    "                     --percent, a distribution of sizes: lines `BYTES PERCENT`\n"
    "  --percent N        load of each link with a distribution of sizes; default 50\n"
    "  --size B           bytes of each flow, in place of the load's sizes\n"
    "  --duration T       limit of the simulated time; default 4ms\n"
    "  --seed S           seed of the random numbers; default 1\n"
    "  --set NAME=VALUE,...\n"
    "                     preset=NAME: DCQCN's reaction point, notification point and\n"
    "                     marks together: paper (the default up to 40 Gb/s), nvidia, "
    "or\n"
    "                     ns3_hpcc (the default above)\n"
    "                     ALGORITHM.preset=NAME, ALGORITHM.MEMBER=VALUE: a parameter "
    "as\n"
    "                     in `cctrace ALGORITHM --params`, with ALGORITHM dcqcn "
    "cnpgate\n"
    "                     wred hpcc ldcp qcn qcn_cp or pause; `20%` is a fraction of "
    "1\n"
    "                     k_min_bytes k_max_bytes pmax_percent cnp_interval_ns: short\n"
    "                     names for wred.mark.min_bytes, .max_bytes, .pmax_q32 and\n"
    "                     cnpgate.interval_ns; two names of a parameter must agree\n"
    "                     ai_bps: additive increase of DCQCN and HPCC++\n"
    "                     line_bps: rate of each sender's link\n"
    "                     payload_bytes: payload of a packet\n"
    "                     mark_at=departure|arrival: when a switch marks a packet\n"
    "                     pfc=1: switches also pause their neighbours "
    "(pause.xoff_bytes)\n"
    "                     np_delay_ns: delay of a receiver's CNPs; default 0ns\n"
    "                     jitter_ns: limit of a host frame's random delay; default:\n"
    "                     the time of a data packet\n";

static const char help_more[] =
    "                     go_back_n=1: with --fault spray, receivers discard packets "
    "that\n"
    "                     are out of order; default 0: they keep them\n"
    "                     A parameter without effect on the schemes is an error.\n"
    "  --fault LIST       for the whole run:\n"
    "                     lose=PERMILLE, corrupt=PERMILLE: lost or corrupted\n"
    "                                  notifications and ACKs\n"
    "                     liar         hpcc-*: the congested switch reports random "
    "values\n"
    "                     storm        fastcnp: a host forges Fast CNPs; with "
    "unfiltered,\n"
    "                                  also from the addresses of switches; with "
    "open,\n"
    "                                  senders also accept any source\n"
    "                     tick=T       hpcc-*: the clock of each switch ticks every "
    "T,\n"
    "                                  with its own phase; 1ns to 1ms\n"
    "                     spray        clos, fattree, testbed: each data packet takes "
    "a\n"
    "                                  random port of equal cost\n"
    "                     trouble, in the middle third or from=T until=T:\n"
    "                     pause[=T]    no data leaves the bottleneck (only for T)\n"
    "                     sleep[=T]    no sender sends (only for T)\n"
    "                     clockstep[=T] the congested switch's clock steps forward by "
    "T,\n"
    "                                  or back by -T, permanently; default -10ms\n"
    "                     speed[=R]    rate of the bottleneck's link; default a "
    "quarter\n"
    "                     nic[=R]      rate of each sender's link; default a quarter\n"
    "                     reroute      clos: each flow takes another path, "
    "permanently\n"
    "                     blind        hpcc-*: the congested switch marks, but writes "
    "no\n"
    "                                  telemetry\n"
    "                     nak[=PERMILLE] data lost at the bottleneck, 8 packets in a "
    "row;\n"
    "                                  default 10\n"
    "                     standclock   hpcc-*: the congested switch's clock stops\n"
    "                     unit         hpcc-*: that clock counts us instead of ns\n"
    "  --out DIR          write summary.csv, SCHEME.csv, SCHEME.flows.csv and plot.gp "
    "to\n"
    "                     DIR, and draw the plot with gnuplot\n"
    "  --pcap FILE        write each frame of the first scheme as it enters a link,\n"
    "                     without payload, as pcapng with an interface per link.\n"
    "                     the domain of the nodes is a comment in it, which\n"
    "                     rocedump reads, and the file FILE.domain\n"
    "  --help, --version\n"
    "\n"
    "The table describes the bottleneck's queue. With endless flows, queue and rates\n"
    "describe the second half; the longest queue and all counts are from the whole "
    "run.\n"
    "`passed` counts packets that left the queue, also packets that a receiver "
    "discards.\n"
    "`reaction` is the mean time from congestion to a flow's first cut. `least` is "
    "the\n"
    "smallest flow's share divided by the largest flow's share.\n"
    "After trouble, the run is compared with a run of the same seed without trouble.\n"
    "`recovery` is the time until at least 90 % of that run's goodput arrives again, "
    "and\n"
    "`drained` the time until the queue is at most a BDP above that run's longest; "
    "both\n"
    "conditions then hold, over 4 round trips, until the end. `no-flow`: every flow "
    "had\n"
    "ended before the trouble did. `-`: no flow is endless. `never`: not within the "
    "run.\n"
    "Exit status: 0 done; 1 bad input, or a named scheme (or every scheme) did not "
    "run;\n"
    "2 usage. With `all`, the table has `was not run` for schemes that the other "
    "options\n"
    "exclude, and the status is 0 if another scheme runs.\n"
    "\n"
    "Schemes:\n";

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static int usage(const char *why, const char *what)
{
    fprintf(stderr, "cclab: %s%s\n", why, what);
    return 2;
}

/* Adds a run unless it exists. Returns false if there are already RUNS. */
static bool add(setup *s, const lab_part *part, uint32_t n, const char *name,
                bool named)
{
    char file[sizeof s->runs->name]; /* the name is also a file's */
    run *x = s->runs;
    size_t i;
    (void)snprintf(file, sizeof file, "%s", name);
    for (i = 0; file[i] != '\0'; i++)
        if (file[i] == ':') file[i] = '-';
    while (x < s->runs + s->n && !is(x->name, file))
        x++;
    if (x == s->runs + RUNS) return false;
    x->named = x->named || named;
    if (x < s->runs + s->n) return true;
    s->n++;
    memcpy(x->part, part, n * sizeof *part);
    x->n_parts = n;
    memcpy(x->name, file, sizeof file);
    return true;
}

static int scheme(setup *s, const char *name, bool named)
{
    lab_part part[LAB_PARTS] = {{0}};
    bool fits = true;
    size_t i;
    for (i = 0; is(name, "all") && fits && lab_schemes[i] != NULL; i++) {
        part[0].s = lab_schemes[i];
        fits = add(s, part, 1, lab_schemes[i]->name, false);
    }
    if (!is(name, "all")) {
        const uint32_t n = lab_parts(name, part);
        if (n == 0) return 2;
        fits = add(s, part, n, name, named);
    }
    if (fits) return 0;
    fprintf(stderr, "cclab: --scheme %s: one scheme too many: the limit is %d\n", name,
            RUNS);
    return 2;
}

/* Handles each item of a list. */
static int list(setup *s, const char *option, char *text)
{
    int code = 0;
    while (code == 0 && text != NULL) {
        char *next = strchr(text, ',');
        if (next != NULL) *next++ = '\0';
        code = is(option, "scheme") ? scheme(s, text, true)
                                    : lab_option(&s->o, option, text);
        text = next;
    }
    return code;
}

/* Returns true if there is trouble in the k-th interval of length `part`. */
static bool in_trouble(const lab_options *o, lab_ps part, uint32_t k)
{
    const lab_ps from = lab_trouble_from(o), end = lab_trouble_end(o);
    return lab_troubled(o) && from < (k + 1) * part &&
           (end > k * part || from >= k * part);
}

static bool series(const setup *s, const run *x, const lab *l)
{
    const char *path = report_path(s->out, x->name, ".csv");
    FILE *f = report_create(path);
    uint32_t i, k;
    if (f == NULL) return false;
    fputs("time_ns,queue_bytes,goodput_bps", f);
    for (k = 0; k < s->shown; k++)
        fprintf(f, ",flow%u_bps", k);
    if (lab_troubled(&s->o)) fputs(",trouble", f);
    for (i = 0; i < l->n_samples; i++) {
        const lab_sample *at = &l->sample[i];
        fprintf(f, "\n%llu,%llu,%llu", (ull)(lab_sample_at(l, i) / 1000),
                (ull)at->queue_bytes, (ull)at->goodput_bps);
        for (k = 0; k < s->shown; k++)
            fprintf(f, ",%llu", (ull)at->flow_bps[k]);
        if (lab_troubled(&s->o))
            fprintf(f, ",%d", in_trouble(&s->o, lab_sample_at(l, 0), i));
    }
    fputc('\n', f);
    return report_finish(f, path);
}

/* Writes a line for each flow, with its time and its shortest possible time. */
static bool flows(const setup *s, const run *r, const lab *l)
{
    const char *path = report_path(s->out, r->name, ".flows.csv");
    FILE *f = report_create(path);
    uint32_t i;
    if (f == NULL) return false;
    fputs("flow,from,to,bytes,got_bytes,start_ps,fct_ps,shortest_ps", f);
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        const bool endless = x->bytes == UINT64_MAX;
        fprintf(f, "\n%u,%u,%u,%llu,%llu,%llu,", x->id, x->from->index, x->to->index,
                endless ? 0 : (ull)x->bytes, (ull)x->got, (ull)x->start);
        if (x->end != 0) fprintf(f, "%llu", (ull)(x->end - x->start));
        fprintf(f, ",%llu", (ull)lab_shortest(l, x));
    }
    fputc('\n', f);
    return report_finish(f, path);
}

/* ---- the table; columns without a head are only in summary.csv */

typedef struct column {
    const char *csv, *head, *unit;
    int digits;
    double per;
    size_t at, size;
} column;

#define OF(member) offsetof(lab_result, member), sizeof((lab_result *)0)->member
static const column columns[] = {
    {"goodput_bps", "goodput", "Gb/s", 3, 1e9, OF(goodput_bps)},
    {"utilisation_ppm", "in use", "%", 2, 1e4, OF(utilisation_ppm)},
    {"queue_mean_bytes", "queue", "mean KB", 1, 1e3, OF(queue_mean_bytes)},
    {"queue_p99_bytes", "queue", "99 % KB", 1, 1e3, OF(queue_p99_bytes)},
    {"queue_most_bytes", "queue", "most KB", 1, 1e3, OF(queue_most_bytes)},
    {"passed_packets", "passed", "", 0, 1, OF(passed)},
    {"passed_wire_bytes", NULL, "", 0, 1, OF(passed_wire_bytes)},
    {"drops", "drops", "", 0, 1, OF(drops)},
    {"marks", "marks", "", 0, 1, OF(marks)},
    {"pauses", "pauses", "", 0, 1, OF(pauses)},
    {"notifications", "notices", "", 0, 1, OF(notifications)},
    {"reaction_ps", "reaction", "us", 1, 1e6, OF(reaction)},
    {"reacted", NULL, "", 0, 1, OF(reacted)},
    {"jain_ppm", "Jain", "", 3, 1e6, OF(jain_ppm)},
    {"least_ppm", "least", "of most", 3, 1e6, OF(least_ppm)},
    {"fct_p50_ps", "done", "50 % us", 1, 1e6, OF(fct_p50)},
    {"fct_p99_ps", "done", "99 % us", 1, 1e6, OF(fct_p99)},
    {"fct_last_ps", "done", "last us", 1, 1e6, OF(fct_last)},
    {"slowdown_p50_ppm", NULL, "", 0, 1, OF(slow_p50_ppm)},
    {"slowdown_p99_ppm", NULL, "", 0, 1, OF(slow_p99_ppm)},
    {"finished", "done", "flows", 0, 1, OF(finished)},
    {"events", NULL, "", 0, 1, OF(events)},
    {"recovery_ps", "recovery", "us", 1, 1e6, OF(recovery)},
    {"drained_ps", "drained", "us", 1, 1e6, OF(drained)},
    {"queue_during_bytes", "queue", "then KB", 1, 1e3, OF(queue_during_bytes)},
    {"queue_after_bytes", "queue", "since KB", 1, 1e3, OF(queue_after_bytes)}};
#define COLUMNS (sizeof columns / sizeof columns[0])
#define OF_TROUBLE 4 /* number of the last columns, about trouble */

static uint64_t value_of(const lab_result *r, const column *c)
{
    const char *at = (const char *)r + c->at;
    uint32_t v32;
    uint64_t v;
    if (c->size == sizeof v) return memcpy(&v, at, sizeof v), v;
    return memcpy(&v32, at, sizeof v32), v32;
}

/* Returns the word for a special time after trouble, or NULL. */
static const char *word_of(uint64_t v)
{
    return v == LAB_NEVER     ? "never"
           : v == LAB_NO_FLOW ? "no-flow"
           : v == LAB_UNKNOWN ? "-"
                              : NULL;
}

static size_t n_columns(const setup *s)
{
    return lab_troubled(&s->o) ? COLUMNS : COLUMNS - OF_TROUBLE;
}

static void head(const setup *s)
{
    size_t i, k;
    for (i = 0; i < 2; i++) {
        printf("%-10s", i == 0 ? "" : "scheme");
        for (k = 0; k < n_columns(s); k++)
            if (columns[k].head != NULL)
                printf(" %8s", i == 0 ? columns[k].head : columns[k].unit);
        putchar('\n');
    }
}

static void row(const setup *s, const run *x)
{
    size_t i;
    printf("%-10s%s", x->name, x->done ? "" : " was not run");
    for (i = 0; i < n_columns(s) && x->done; i++) {
        const column *c = &columns[i];
        const uint64_t v = value_of(&x->r, c);
        if (c->head == NULL) continue;
        if (v == 0 && i < COLUMNS - OF_TROUBLE && strstr(c->unit, "us") != NULL)
            printf(" %8s", "-");
        else if (word_of(v) != NULL)
            printf(" %8s", word_of(v));
        else
            printf(" %8.*f", c->digits, (double)v / c->per);
    }
    putchar('\n');
    (void)fflush(stdout);
}

static bool summary(const setup *s)
{
    const char *path = report_path(s->out, "summary", ".csv");
    FILE *f = report_create(path);
    size_t i, k;
    if (f == NULL) return false;
    fputs("scheme", f);
    for (k = 0; k < n_columns(s); k++)
        fprintf(f, ",%s", columns[k].csv);
    for (i = 0; i < s->n; i++)
        for (k = 0; k < n_columns(s) && s->runs[i].done; k++) {
            const uint64_t v = value_of(&s->runs[i].r, &columns[k]);
            fprintf(f, "%s%s,", k > 0 ? "" : "\n", k > 0 ? "" : s->runs[i].name);
            if (word_of(v) != NULL)
                fputs(word_of(v), f);
            else
                fprintf(f, "%llu", (ull)v);
        }
    fputc('\n', f);
    return report_finish(f, path);
}

/* Prints the queues. Each block is four times the block before. */
static void sparklines(const setup *s)
{
    static const char *const block[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    size_t i;
    uint32_t k;
    for (i = 0; i < s->n; i++) {
        const run *x = &s->runs[i];
        if (!x->done) continue;
        printf("%-10s |", x->name);
        for (k = 0; k < x->n_spark; k++) {
            unsigned level = x->spark[k] > 0;
            while (level % 8 > 0 && x->spark[k] >= UINT64_C(1000) << 2 * (level - 1))
                level++;
            fputs(block[level], stdout);
        }
        printf("%*s|\n", (int)(SPARK - x->n_spark), "");
    }
    if (lab_troubled(&s->o)) {
        printf("%-10s |", "trouble");
        for (k = 0; k < SPARK; k++)
            putchar(in_trouble(&s->o, s->o.duration / SPARK, k) ? '^' : ' ');
        puts("|");
    }
    printf("%-10s  0%*s\nQueue: ▁ below 1 KB, ▂ 1, ▃ 4, ▄ 16, ▅ 64, ▆ 256 KB, ▇ 1, "
           "█ 4 MB and above\n",
           "", SPARK - 1, lab_text('t', s->o.duration));
}

/* ---- a run */

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Runs a scheme, and shows its progress on a terminal. Returns the time in seconds. */
static double run_all(lab *l, const char *name)
{
    const bool tty = isatty(STDERR_FILENO);
    const double start = seconds();
    double passed = 0;
    unsigned i;
    for (i = 1; i <= SLICES && l->unfinished > 0; i++) {
        lab_run(l, i == SLICES ? l->o->duration : l->o->duration / SLICES * i);
        passed = seconds() - start;
        if (tty && passed > 0.5)
            fprintf(stderr, "\r%-10s %3u %%, %.1f million events per second ", name,
                    i * 100 / SLICES, (double)l->n_events / passed / 1e6);
    }
    if (tty && passed > 0.5) fprintf(stderr, "\r%60s\r", "");
    return passed;
}

/* Sums up the samples for plots and sparklines. */
static void take_samples(const setup *s, run *x, const lab *l)
{
    uint64_t bytes = 0, bps = 0;
    uint32_t i, k;
    x->half = l->endless;
    for (i = 0; i < l->n_samples; i++) {
        const lab_sample *at = &l->sample[i];
        uint64_t *longest = &x->spark[i * SPARK / LAB_SAMPLES];
        *longest = rocecc_max(*longest, at->queue_bytes);
        x->n_spark = i * SPARK / LAB_SAMPLES + 1;
        bytes += at->queue_bytes;
        bps += at->goodput_bps;
        for (k = 0; k < s->shown; k++)
            x->flow_most_bps = rocecc_max(x->flow_most_bps, at->flow_bps[k]);
    }
    if (i == 0) return;
    x->mean_queue_bytes = bytes / i;
    x->mean_goodput_bps = bps / i;
}

static const char *share(uint64_t bytes)
{
    return lab_text('b', bytes < 10000 ? bytes : bytes / 1000 * 1000);
}

/* Returns the end of the last flow, rounded up to whole microseconds. */
static lab_ps last_end(const lab *l)
{
    lab_ps last = 0;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++)
        last = rocecc_max(last, l->flow[i].end);
    return (last + LAB_US - 1) / LAB_US * LAB_US;
}

/* Writes the warnings for a row. */
static void note(run *x, const lab *l)
{
    const uint64_t ai_bps = lab_dcqcn_ai(l, &x->r);
    const size_t room = sizeof x->note;
    size_t n = 0;
    if (l->part[0].s->by_marks && x->r.marks + x->r.notifications == 0)
        n += (size_t)snprintf(x->note, room,
                              "no packet was marked: the longest queue is %sB, and "
                              "wred.mark.min_bytes is %s; ",
                              share(x->r.queue_most_bytes),
                              lab_text('b', l->wred.mark.min_bytes));
    if (ai_bps != 0 && n < room)
        n += (size_t)snprintf(x->note + n, room - n,
                              "R_AI, dcqcn.ai_bps=%s, is too small for a link of %s in "
                              "this time: after half of the run, the R_T of the %u "
                              "flows was %s in total. Use --set %sai_bps=%s or a "
                              "longer --duration; ",
                              lab_text('r', l->part[0].dcqcn.ai_bps),
                              lab_text('r', l->bottleneck->rate_bps), l->n_flows,
                              lab_text('r', l->targets_bps / 1000000 * 1000000),
                              l->o->ai_bps != 0 ? "" : "dcqcn.", lab_text('r', ai_bps));
    if (x->r.silent != 0 && n < room)
        n += (size_t)snprintf(x->note + n, room - n, "%u of %u flows never sent; ",
                              x->r.silent, l->n_flows);
    if (lab_wrong_clock(l->o) && strncmp(l->part[0].s->name, "hpcc-", 5) == 0 &&
        l->n_parts == 1 && !l->part[0].s->by_clocks && n < room)
        n += (size_t)snprintf(x->note + n, room - n,
                              "clocks of switches have no effect, because no report "
                              "has a counter with its time; ");
    if (l->saturated != 0 && n < room)
        n += (size_t)snprintf(x->note + n, room - n,
                              "in %llu reports the queue was too long for its field; ",
                              (ull)l->saturated);
    if (l->flows_full && n < room)
        n += (size_t)snprintf(x->note + n, room - n,
                              "only the first %u flows of the "
                              "load were run; ",
                              l->n_flows);
    if (lab_troubled(l->o) && x->r.recovery == LAB_NO_FLOW && n < room)
        n += (size_t)snprintf(x->note + n, room - n,
                              "every flow had ended by %s, before the trouble was over "
                              "at %s, so no flow could recover; ",
                              lab_text('t', last_end(l)),
                              lab_text('t', lab_trouble_end(l->o)));
    if (lab_troubled(l->o) && x->r.recovery == LAB_UNKNOWN && n < room)
        n += (size_t)snprintf(x->note + n, room - n,
                              "recovery is measured only with endless flows; ");
    if (n >= 2 && n < room) x->note[n - 2] = '\0';
}

/* Returns the first run that is not left out. */
static const run *first_of(const setup *s)
{
    size_t i = 0;
    while (i < s->n && s->runs[i].left)
        i++;
    return &s->runs[i];
}

/* Runs one scheme. Returns false if a file could not be written. */
static bool go(setup *s, run *x)
{
    const bool pcap = s->pcap != NULL && x == first_of(s);
    lab *l = x->left ? NULL : lab_new_mixed(x->part, x->n_parts, &s->o);
    bool fine = true;
    if (l == NULL) return true;
    if (pcap) {
        FILE *f = report_create(s->pcap);
        if (f != NULL) lab_capture_start(l, f);
        fine = f != NULL;
    }
    if (fine) s->seconds += run_all(l, x->name);
    errno = lab_capture_error();
    if (fine && pcap)
        fine = report_finish(l->tap_to, s->pcap) &&
               network_beside(&lab_domain, s->pcap, "cclab");
    x->r = lab_results(l);
    x->done = fine;
    s->events += x->r.events;
    s->flows = l->n_flows;
    s->shown = l->n_flows < LAB_SHOWN ? l->n_flows : LAB_SHOWN;
    take_samples(s, x, l);
    if (fine && s->out != NULL) fine = series(s, x, l) && flows(s, x, l);
    if (fine) note(x, l);
    lab_free(l);
    return fine;
}

static int compare(setup *s)
{
    bool fine = true, some = false, all = true;
    size_t i;
    if (s->out != NULL && !report_directory(s->out)) return 1;
    head(s);
    for (i = 0; i < s->n && fine; i++) {
        fine = go(s, &s->runs[i]);
        some = some || s->runs[i].done;
        all = all && (s->runs[i].done || !s->runs[i].named);
        if (fine) row(s, &s->runs[i]);
    }
    if (fine && some) {
        sparklines(s);
        for (i = 0; i < s->n; i++)
            if (s->runs[i].note[0] != '\0')
                printf("%s: warning: %s\n", s->runs[i].name, s->runs[i].note);
        if (s->out != NULL) fine = summary(s) && plot_script(s) && plot_draw(s->out);
        printf("%llu events in %.2f s: %.1f million per second\n", (ull)s->events,
               s->seconds, (double)s->events / (s->seconds + 1e-9) / 1e6);
    }
    return report_finish(stdout, "standard output") && fine && some && all ? 0 : 1;
}

/* ---- options */

/* Sets the topology by its name; an error lists all names. */
static int topology(setup *s)
{
    int i = 0;
    while (i < LAB_TOPOLOGIES && !is(s->topology, lab_topologies[i].name))
        i++;
    if (i < LAB_TOPOLOGIES) {
        s->o.topology = (lab_topology)i;
        return 0;
    }
    fprintf(stderr, "cclab: --topology %s: unknown topology: expected ", s->topology);
    for (i = 0; i < LAB_TOPOLOGIES; i++)
        fprintf(stderr, "%s%s", lab_topologies[i].name,
                i + 2 < LAB_TOPOLOGIES   ? ", "
                : i + 1 < LAB_TOPOLOGIES ? " or "
                                         : "");
    return fputc('\n', stderr), 2;
}

/* Leaves out schemes that a fault does not affect, and prints them. Returns 2 if no
   scheme is left. */
static int leave_out(setup *s)
{
    unsigned misfits = 0, k;
    size_t left = 0, i;
    for (i = 0; i < s->n; i++) {
        run *x = &s->runs[i];
        const unsigned own = lab_fault_misfits(&s->o, x->part, x->n_parts);
        x->left = own != 0;
        left += x->left;
        misfits |= own;
    }
    if (left == 0) return 0;
    fputs("cclab: ", stderr);
    for (k = 0; k < LAB_NEEDS; k++)
        if ((misfits >> k & 1) != 0)
            fprintf(stderr, "%s--fault %s",
                    (misfits & ((1u << k) - 1)) != 0 ? ", " : "", lab_fault_need(k));
    fputs(": not run:", stderr);
    for (i = 0; i < s->n; i++)
        if (s->runs[i].left) fprintf(stderr, " %s", s->runs[i].name);
    fputc('\n', stderr);
    return left == s->n ? 2 : 0;
}

/* Returns true if the load has as many flows as --flows says. */
static bool has_flows(const lab_options *o)
{
    return is(o->load, "longlived") || is(o->load, "incast") || is(o->load, "churn") ||
           is(o->load, "victim");
}

/* Returns true if every --set has an effect on a scheme of a run. */
static bool settings_used(const setup *s)
{
    const char *name[RUNS * LAB_PARTS];
    size_t n = 0, i, k;
    for (i = 0; i < s->n; i++)
        for (k = 0; k < s->runs[i].n_parts; k++)
            name[n++] = s->runs[i].part[k].s->name;
    return lab_settings_used(&s->o, name, n);
}

/* Checks options that depend on each other, and adds schemes if none was named. */
static int complete(setup *s)
{
    const lab_options *o = &s->o;
    size_t i;
    if (topology(s) != 0) return 2;
    if (o->duration / 1000 * (o->rate_bps / 1000) > MOST_BITS * 1000000)
        return usage("--rate times --duration is too large: the limit is 3.2 Tbit", "");
    if (o->duration / LAB_MS * o->buffer_bytes > MOST_BYTE_MS)
        return usage("--buffer times --duration is too large: the limit is 10 GB for 1 "
                     "s",
                     "");
    if (o->percent != 0 && (has_flows(o) || is(o->load, "ring") ||
                            is(o->load, "alltoall") || is(o->load, "barrier")))
        return usage("--percent needs --load websearch, hadoop or a FILE with a "
                     "distribution of sizes: not --load ",
                     o->load);
    if (is(o->load, "victim") && lab_topologies[o->topology].hosts != 0)
        return usage("--load victim needs a second receiver, which is missing in "
                     "--topology ",
                     s->topology);
    if (s->flows_named && !has_flows(o) && lab_topologies[o->topology].hosts != 0)
        return fprintf(stderr,
                       "cclab: --flows %u has no effect on --load %s in --topology "
                       "%s, which has %u hosts\n",
                       o->flows, o->load, s->topology,
                       lab_topologies[o->topology].hosts),
               2;
    if (!has_flows(o) && o->flows > LAB_SENDERS)
        return fprintf(stderr,
                       "cclab: --flows %u: too many hosts for --load %s: expected at "
                       "most %d\n",
                       o->flows, o->load, LAB_SENDERS),
               2;
    if (lab_is_mutual(o) && o->topology == LAB_WAN)
        return usage(
            "--topology wan has no hosts that send and also receive, as needed "
            "by --load ",
            o->load);
    if (lab_is_mutual(o) && lab_topologies[o->topology].hosts == 0 && o->flows < 2)
        return usage("--flows 1: too few hosts: expected at least 2 with --load ",
                     o->load);
    if (o->go_back_n && !o->spray)
        return usage("--set go_back_n=1 has an effect only with --fault spray", "");
    if (lab_trouble_refused(o) != NULL)
        return usage("--fault: ", lab_trouble_refused(o));
    if (s->n == 0 &&
        (scheme(s, "dcqcn", false) != 0 ||
         scheme(s, o->topology == LAB_WAN ? "fastcnp" : "hpcc-int", false) != 0))
        return 2;
    for (i = 0; i < s->n; i++)
        if (!lab_settings_agree(o, s->runs[i].part, s->runs[i].n_parts)) return 2;
    if (!settings_used(s)) return 2;
    return leave_out(s);
}

static int told(void)
{
    return report_finish(stdout, "standard output") ? 0 : 1;
}

static int tell(void)
{
    size_t i;
    fputs(help, stdout);
    fputs(help_more, stdout);
    for (i = 0; lab_schemes[i] != NULL; i++)
        printf("  %-10s %s\n", lab_schemes[i]->name, lab_schemes[i]->what);
    return told();
}

int main(int argc, char **argv)
{
    /* Options of `numbers`, lists, others with a value, and options without a value. */
    static const char names[][12] = {"flows",   "rate",     "rtt",  "buffer", "size",
                                     "percent", "duration", "seed", "set",    "fault",
                                     "scheme",  "topology", "load", "out",    "pcap",
                                     "help",    "version"};
    static struct option options[sizeof names / sizeof names[0] + 1];
    static setup s = {.topology = "star"};
    int i, option, code = 0;
    opterr = 0; /* prints its own messages */
    s.o = lab_defaults();
    for (i = 0; i < 17; i++) {
        options[i].name = names[i];
        options[i].has_arg = i < 15 ? required_argument : no_argument;
        options[i].val = i < 8 ? 'n' : i < 11 ? ',' : names[i][0];
    }
    while (code == 0 && (option = getopt_long(argc, argv, ":", options, &i)) != -1) {
        if (option == ':') return usage(argv[optind - 1], ": requires an argument");
        if (option == '?')
            return usage(argv[optind - (argv[optind - 1][0] == '-')],
                         ": unknown option, or one that is not complete: see --help");
        if (option == 'n') code = lab_option(&s.o, names[i], optarg);
        if (option == 'n' && is(names[i], "flows")) s.flows_named = true;
        if (option == ',') code = list(&s, names[i], optarg);
        if (option == 't') s.topology = optarg;
        if (option == 'l') s.o.load = optarg;
        if (option == 'o') s.out = optarg;
        if (option == 'p') s.pcap = optarg;
        if (option == 'v') return puts("cclab " ROCECC_VERSION), told();
        if (option == 'h') return tell();
    }
    if (code == 0 && optind != argc)
        code = usage(argv[optind], ": unexpected argument: options begin with --");
    if (code == 0) code = complete(&s);
    return code == 0 ? compare(&s) : code;
}
