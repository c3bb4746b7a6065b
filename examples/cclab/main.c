/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cclab - runs schemes of congestion control in a small fabric where every signal is
 * real bytes, and compares them: a table, time series, plots, and the wire itself.
 */
#define _POSIX_C_SOURCE 200809L
#include "capture.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPARK 80 /* columns of a sparkline */
#define SLICES 200
#define RUNS 32                           /* more than there are schemes */
#define MOST_BITS UINT64_C(3200000000000) /* of a run at full rate, for 64-bit sums */
#define MOST_BYTE_MS UINT64_C(10000000000000) /* of a run whose buffer is full */

typedef unsigned long long ull;

static const char help[] =
    "usage: cclab [OPTION VALUE]...\n"
    "Runs schemes of congestion control in a simulated fabric where every signal is\n"
    "bytes as on the wire, and compares them: a run is the same on every machine.\n"
    "\n"
    "  --scheme NAME,...  see below, or `all`; default dcqcn,hpcc-int (wan: fastcnp)\n"
    "  --topology NAME    star: one switch and one receiver (the default)\n"
    "                     dumbbell: pairs of hosts share a link\n"
    "                     clos: four leaves, two spines, one receiver\n"
    "                     wan: pairs, an SRv6 tunnel, a narrow link near the senders\n"
    "  --flows N          default 16; more than 64 share hosts\n"
    "  --rate R           of a host's link, in bit/s: k M G T; default 100G\n"
    "  --rtt T            of an empty fabric: ns us ms s; default 8us\n"
    "  --buffer B         of each port of a switch, in bytes: K M G; default 32M\n"
    "  --load NAME|FILE   longlived: endless flows (the default)\n"
    "                     incast: all send 500 KB at once\n"
    "                     churn: short and long flows come and go, at half the rate\n"
    "                     victim: as longlived, the last flow to another receiver\n"
    "                     FILE of lines `START_US SENDER RECEIVER BYTES`, from 0 on\n"
    "  --size B           bytes of each flow, instead\n"
    "  --duration T       of simulated time, at most; default 4ms\n"
    "  --seed S           default 1\n"
    "  --fault LIST       of lose=PERMILLE, corrupt=PERMILLE (notifications and ACKs,\n"
    "                     not data); hpcc-*: liar (the congested switch's telemetry "
    "is\n"
    "                     random); fastcnp: storm (a host forges Fast CNPs), "
    "unfiltered\n"
    "                     (as if from switches, too), open (senders take any)\n"
    "                     Trouble, in the middle third or from=T to until=T:\n"
    "                     pause[=T]       nothing leaves the bottleneck (for T alone)\n"
    "                     sleep[=T]       no sender sends (for T alone)\n"
    "                     clockstep[=T]   the congested switch's clock goes on by T, "
    "or\n"
    "                                     with -T back, for good; default -10ms\n"
    "                     speed[=R]       of the bottleneck's link; a quarter\n"
    "                     nic[=R]         of each sender's; a quarter\n"
    "                     reroute         clos: each flow takes another path, for "
    "good\n"
    "                     blind           hpcc-*: the congested switch marks, and "
    "writes\n"
    "                                     no telemetry\n"
    "                     nak[=PERMILLE]  of data is lost at the bottleneck, 8 in a "
    "row;\n"
    "                                     default 10\n"
    "  --set NAME=VALUE,...\n"
    "                     of DCQCN: dcqcn_g_q20 dcqcn_alpha_timer_ns (K)\n"
    "                     dcqcn_increase_timer_ns (T) dcqcn_hai_bps dcqcn_min_bps\n"
    "                     dcqcn_no_byte_counter; and of HPCC++: ai_bps\n"
    "                     cnp_interval_ns of receivers, and of switches with Fast "
    "CNPs\n"
    "                     k_min_bytes k_max_bytes pmax_percent of the marks for DCQCN\n"
    "                     gamma_q20 ldcp_continuous of LDCP\n"
    "                     line_bps of each sender's link; payload_bytes of a packet\n"
    "  --out DIR          write summary.csv, SCHEME.csv, plot.gp; plot with gnuplot\n"
    "  --pcap FILE        write each frame of the first scheme as it goes onto a "
    "link,\n"
    "                     without payload: as pcapng, with an interface per link.\n"
    "                     FILE.domain is what the nodes have agreed on, for\n"
    "                     `rocedump --domain FILE.domain FILE`\n"
    "  --help, --version\n"
    "\n"
    "The queue is the bottleneck's. Queue and rates are, of endless flows, those of\n"
    "the second half; the longest queue, and what is counted, of the whole. Reaction\n"
    "is the time from congestion to a flow's first cut.\n"
    "After trouble, compared with a run of the same seed without it: recovery is the\n"
    "time from its end until 90 % of that goodput arrives, drained until the queue is\n"
    "no more than a BDP longer than it is there at most; over 4 round trips, for "
    "good.\n"
    "Exit status: 0 done, 1 bad input, or no scheme ran, 2 usage.\n"
    "\n"
    "Schemes:\n";

/* One scheme, and what came of it; of each column the longest queue. */
typedef struct run {
    const lab_scheme *s;
    bool done;
    lab_result r;
    bool half; /* the table is about the second half */
    uint32_t n_spark;
    uint64_t spark[SPARK];
    /* of its series */
    uint64_t mean_queue_bytes, mean_goodput_bps, flow_most_bps;
} run;

typedef struct setup {
    lab_options o;
    const char *topology, *out, *pcap;
    size_t n;
    run runs[RUNS];
    uint32_t flows; /* of each run */
    uint32_t shown; /* of them have a column in a series */
    uint64_t events;
    double seconds;
} setup;

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static int usage(const char *why, const char *what)
{
    fprintf(stderr, "cclab: %s%s\n", why, what);
    return 2;
}

static int scheme(setup *s, const char *name)
{
    const bool all = is(name, "all");
    bool known = all;
    size_t i, k;
    for (i = 0; lab_schemes[i] != NULL; i++) {
        if (!all && !is(name, lab_schemes[i]->name)) continue;
        known = true;
        for (k = 0; k < s->n && s->runs[k].s != lab_schemes[i];)
            k++;
        s->runs[k].s = lab_schemes[i];
        if (k == s->n) s->n++;
    }
    if (known) return 0;
    fputs("cclab: --scheme is one of all", stderr);
    for (i = 0; lab_schemes[i] != NULL; i++)
        fprintf(stderr, " %s", lab_schemes[i]->name);
    fprintf(stderr, ": not %s\n", name);
    return 2;
}

/* Each item of a list. */
static int list(setup *s, const char *option, char *text)
{
    int code = 0;
    while (code == 0 && text != NULL) {
        char *next = strchr(text, ',');
        if (next != NULL) *next++ = '\0';
        code = is(option, "scheme") ? scheme(s, text) : lab_option(&s->o, option, text);
        text = next;
    }
    return code;
}

/* ---- files */

static const char *path_of(const char *dir, const char *name, const char *suffix)
{
    static char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix);
    return n < (int)sizeof path ? path : "";
}

static bool complain(const char *path)
{
    fputs("cclab: ", stderr);
    perror(path);
    return false;
}

static FILE *create(const char *path)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL) (void)complain(path);
    return f;
}

/* Made, if it is not there. */
static bool directory(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) == 0) return true;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return true;
    return complain(path);
}

static bool finish(FILE *f, const char *path)
{
    bool fine = fflush(f) == 0 && ferror(f) == 0;
    if (!fine) fprintf(stderr, "cclab: %s cannot be written\n", path);
    if (f != stdout && fclose(f) != 0) fine = false;
    return fine;
}

/* Writes the file of the domain beside a capture, unless that is a device. */
static bool domain_beside(const char *capture)
{
    char path[4096];
    struct stat there;
    FILE *f;
    if (stat(capture, &there) != 0 || !S_ISREG(there.st_mode)) return true;
    if (snprintf(path, sizeof path, "%s.domain", capture) >= (int)sizeof path)
        return usage("the name of the capture is too long", ""), false;
    f = create(path);
    if (f == NULL) return false;
    lab_capture_domain(f);
    return finish(f, path);
}

/* Whether there is trouble in the k-th of parts of a run that are so long. */
static bool in_trouble(const lab_options *o, lab_ps part, uint32_t k)
{
    const lab_ps from = lab_trouble_from(o), end = lab_trouble_end(o);
    return lab_troubled(o) && from < (k + 1) * part &&
           (end > k * part || from >= k * part);
}

static bool series(const setup *s, const lab *l)
{
    const char *path = path_of(s->out, l->s->name, ".csv");
    FILE *f = create(path);
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
    return finish(f, path);
}

/* ---- the table; what has no head is in summary.csv alone */

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
    {"drops", "drops", "", 0, 1, OF(drops)},
    {"marks", "marks", "", 0, 1, OF(marks)},
    {"pauses", "pauses", "", 0, 1, OF(pauses)},
    {"notifications", "notices", "", 0, 1, OF(notifications)},
    {"reaction_ps", "reaction", "us", 1, 1e6, OF(reaction)},
    {"reacted", NULL, "", 0, 1, OF(reacted)},
    {"jain_ppm", "Jain", "", 3, 1e6, OF(jain_ppm)},
    {"fct_p50_ps", "done", "50 % us", 1, 1e6, OF(fct_p50)},
    {"fct_p99_ps", "done", "99 % us", 1, 1e6, OF(fct_p99)},
    {"finished", "done", "flows", 0, 1, OF(finished)},
    {"events", NULL, "", 0, 1, OF(events)},
    {"recovery_ps", "recovery", "us", 1, 1e6, OF(recovery)},
    {"drained_ps", "drained", "us", 1, 1e6, OF(drained)},
    {"queue_during_bytes", "queue", "then KB", 1, 1e3, OF(queue_during_bytes)},
    {"queue_after_bytes", "queue", "since KB", 1, 1e3, OF(queue_after_bytes)}};
#define COLUMNS (sizeof columns / sizeof columns[0])
#define OF_TROUBLE 4 /* the last ones */

static uint64_t value_of(const lab_result *r, const column *c)
{
    const char *at = (const char *)r + c->at;
    uint32_t v32;
    uint64_t v;
    if (c->size == sizeof v) return memcpy(&v, at, sizeof v), v;
    return memcpy(&v32, at, sizeof v32), v32;
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
    printf("%-10s%s", x->s->name, x->done ? "" : " was not run");
    for (i = 0; i < n_columns(s) && x->done; i++) {
        const column *c = &columns[i];
        const uint64_t v = value_of(&x->r, c);
        if (c->head == NULL) continue;
        if (v == 0 && i < COLUMNS - OF_TROUBLE && strstr(c->unit, "us") != NULL)
            printf(" %8s", "-");
        else if (v == LAB_NEVER)
            printf(" %8s", "never");
        else
            printf(" %8.*f", c->digits, (double)v / c->per);
    }
    putchar('\n');
    (void)fflush(stdout);
}

static bool summary(const setup *s)
{
    const char *path = path_of(s->out, "summary", ".csv");
    FILE *f = create(path);
    size_t i, k;
    if (f == NULL) return false;
    fputs("scheme", f);
    for (k = 0; k < n_columns(s); k++)
        fprintf(f, ",%s", columns[k].csv);
    for (i = 0; i < s->n; i++)
        for (k = 0; k < n_columns(s) && s->runs[i].done; k++) {
            const uint64_t v = value_of(&s->runs[i].r, &columns[k]);
            fprintf(f, "%s%s,", k > 0 ? "" : "\n", k > 0 ? "" : s->runs[i].s->name);
            if (v == LAB_NEVER)
                fputs("never", f);
            else
                fprintf(f, "%llu", (ull)v);
        }
    fputc('\n', f);
    return finish(f, path);
}

/* The queues; each block is four times the one before. */
static void sparklines(const setup *s)
{
    static const char *const block[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    size_t i;
    uint32_t k;
    for (i = 0; i < s->n; i++) {
        const run *x = &s->runs[i];
        if (!x->done) continue;
        printf("%-10s |", x->s->name);
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

/* ---- plots */

/* clang-format off */
static const char gnuplot[] =
    "set terminal svg size (n < 4 ? 900 : 300 * n),720 font 'sans-serif,12' \\\n"
    "    background '#ffffff' noenhanced\n"
    "set output 'queue-and-rate.svg'\n"
    "set multiplot layout 3,n columnsfirst title name \\\n"
    "    margins 0.09,0.98,0.07,under spacing 0.06,0.095\n"
    "set datafile separator ','; set border 3 lc '#888888'\n"
    "set tics nomirror textcolor '#444444'; set grid ytics lt 1 lw 0.5 lc '#e4e4e4'\n"
    "least = 100.0\n"
    "at(ns) = ns / (end < 2e6 ? 1e3 : 1e6); set xrange [0:at(end)]\n"
    "if (half) set object 2 rectangle from at(end) / 2, graph 0 to at(end), graph 1 \\\n"
    "    behind fillcolor '#f3f3f3' fillstyle solid noborder\n"
    "length(bytes) = bytes < least ? least : bytes\n"
    "mark = 'empty \"1 KB\" \"10 KB\" \"100 KB\" \"1 MB\" \"10 MB\" \"100 MB\" \"1 GB\"'\n"
    "do for [i=1:n] {\n"
    "    csv = scheme[i].'.csv'\n"
    "    unset key; set title what[i].\"\\n\".queue[i] offset 0,-0.5\n"
    "    set ylabel (i == 1 ? 'queue, log scale' : '') offset 1,0\n"
    "    set xlabel ''; set format x ''\n"
    "    set logscale y; set yrange [80:top]; set ytics scale 0.5,0 ('' 1)\n"
    "    set for [k=1:8] ytics add ((i > 1 ? '' : word(mark, k)) 10.0 ** (k + 1))\n"
    "    plot csv skip 1 using (at($1)):(length($2)) with filledcurves y1=least \\\n"
    "        lc '#dbe9f6', '' skip 1 using (at($1)):(length($2)) with lines lc '#2171b5', \\\n"
    "        length(longest[i]) with lines lc '#2171b5' dt 3\n"
    "    set title rate[i].\"\\n\".use[i]; unset logscale y; set yrange [0:link]\n"
    "    set ylabel (i == 1 ? 'payload received, Gbit/s' : '') offset 1,0\n"
    "    set ytics scale 0.5,0 autofreq; set format y (i == 1 ? '%g' : '')\n"
    "    plot csv skip 1 using (at($1)):($3 / 1e9) with lines lw 1.2 lc '#333333'\n"
    "    unset title; set key at graph 1,1.15 right horizontal samplen 1\n"
    "    set ylabel (i == 1 ? 'of one flow, Gbit/s' : '') offset 1,0\n"
    "    set xlabel (end < 2e6 ? 'us' : 'ms').(half ? ' (shaded: the second half)' : '') \\\n"
    "        offset 0,0.5\n"
    "    set format x '%g'\n"
    "    set yrange [0:most]\n"
    "    plot for [k=4:3+shown] csv skip 1 using (at($1)):(column(k) / 1e9) with lines \\\n"
    "        lc rgb word('#e6550d #31a354 #756bb1 #de2d86', k - 3) \\\n"
    "        title sprintf('flow %d', k - 3)\n"
    "}\n"
    "unset multiplot\n";
/* clang-format on */

/* A number and its unit, apart. */
static const char *apart(char kind, uint64_t v)
{
    static char text[4][32]; /* of the last four */
    static unsigned next;
    const char *whole = lab_text(kind, v);
    const size_t digits = strspn(whole, "0123456789");
    next = (next + 1) % 4;
    (void)snprintf(text[next], sizeof text[next], "%.*s %s", (int)digits, whole,
                   whole + digits);
    return text[next];
}

/* Where the flows go, and what they are. */
static void flows_in_words(FILE *f, const setup *s)
{
    const lab_options *o = &s->o;
    const char *c = strrchr(o->load, '/');
    fprintf(f, "%u %sflow%s", s->flows,
            is(o->load, "longlived") && o->size_bytes == 0 ? "endless " : "",
            s->flows == 1 ? "" : "s");
    if (o->size_bytes != 0) fprintf(f, " of %sB", apart('b', o->size_bytes));
    fprintf(f, " %s", lab_topologies[o->topology].way);
    if (is(o->load, "longlived")) return;
    fputs(", load ", f);
    for (c = c == NULL ? o->load : c + 1; *c != '\0'; c++)
        fputc(*c == '\'' || *c == '\\' || (*c > 0 && *c < ' ') ? '_' : *c, f);
}

static void title(FILE *f, const setup *s)
{
    const lab_options *o = &s->o;
    fputs("name = '", f);
    flows_in_words(f, s);
    fprintf(f, "; %sbit/s, round trip %s, buffers of %sB, seed %llu",
            apart('r', o->rate_bps), apart('t', o->rtt), apart('b', o->buffer_bytes),
            (ull)o->seed);
    if (o->k_max_bytes != 0) fprintf(f, ", K_max %sB", apart('b', o->k_max_bytes));
    if (o->line_bps != 0) fprintf(f, ", senders %sbit/s", apart('r', o->line_bps));
    if (o->lose_permille != 0) fprintf(f, ", %u/1000 lost", o->lose_permille);
    if (o->corrupt_permille != 0) fprintf(f, ", %u/1000 corrupt", o->corrupt_permille);
    fprintf(f, "%s%s%s%s'", o->liar ? ", a liar" : "", o->storm ? ", a storm" : "",
            o->unfiltered ? ", unfiltered" : "", o->open ? ", open" : "");
}

/* A second line of the title; and in each plot a stripe, or where it is over at once a
   line. Its times are divided as at() does. */
static void trouble(FILE *f, const lab_options *o)
{
    const char *per = o->duration < 2 * LAB_MS ? "1e3" : "1e6";
    const ull from = (ull)(lab_trouble_from(o) / 1000);
    const ull end = (ull)(lab_trouble_end(o) / 1000);
    char text[300];
    if (lab_troubled(o)) {
        lab_trouble_text(o, text, sizeof text);
        fprintf(f, " .\"\\n\". 'trouble: %s'\n", text);
        fprintf(f,
                "set object 1 rectangle from %llu / %s, graph 0 to %llu / %s, graph 1 "
                "behind \\\n    fillcolor '#fbe3c8' fillstyle solid noborder\n",
                from, per, end, per);
        fprintf(f,
                "set arrow 1 from %llu / %s, graph 0 to %llu / %s, graph 1 nohead "
                "lc '#d9822b' dt 2\n",
                from, per, from, per);
        fprintf(f,
                "set label 3 'trouble' at %llu / %s, graph 0.65 textcolor '#a85a10' "
                "offset 0.5,0 front",
                from, per);
    }
    fprintf(f, "\nunder = %s\n", lab_troubled(o) ? "0.86" : "0.89");
}

/* Bytes, or ps, in their units. */
static const char *human(uint64_t v, const char *units_of_3)
{
    static char text[4][32]; /* of the last four */
    static unsigned next;
    double d = (double)v / 1e3;
    unsigned i = 0;
    for (; d >= 1000 && i < 2; i++)
        d /= 1000;
    next = (next + 1) % 4;
    (void)snprintf(text[next], sizeof text[next], "%.1f %.2s", d, units_of_3 + 2 * i);
    return text[next];
}

/* What is written above the curves of a run: the means of what is drawn, and of the
   shaded half what the table says. */
static void figures(FILE *f, unsigned n, const run *x)
{
    const lab_result *r = &x->r;
    fprintf(f, "queue[%u] = 'mean %s", n, human(x->mean_queue_bytes, "KBMBGB"));
    if (x->half) fprintf(f, " (shaded: %s)", human(r->queue_mean_bytes, "KBMBGB"));
    fprintf(f, ", at most %s, %llu dropped'\nlongest[%u] = %llu.0\n",
            human(r->queue_most_bytes, "KBMBGB"), (ull)r->drops, n,
            (ull)r->queue_most_bytes);
    fprintf(f, "rate[%u] = 'mean %.1f Gbit/s", n, (double)x->mean_goodput_bps / 1e9);
    if (x->half) fprintf(f, " (shaded: %.1f)", (double)r->goodput_bps / 1e9);
    if (r->reacted != 0)
        fprintf(f, ", first cut after %s", human(r->reaction, "nsusms"));
    fprintf(f, "'\nuse[%u] = '%slink %.1f %% in use%s'\n", n, x->half ? "shaded: " : "",
            (double)r->utilisation_ppm / 1e4,
            r->drops != 0 ? ", in part by packets that are sent again" : "");
}

/* The script above, and what it is about. */
static bool script(const setup *s)
{
    const char *path = path_of(s->out, "plot", ".gp");
    FILE *f = create(path);
    uint64_t top = 100000, most = 1;
    unsigned i, k, n = 0;
    bool half = false;
    if (f == NULL) return false;
    fprintf(f,
            "# gnuplot plot.gp\narray scheme[%d]\narray what[%d]\narray queue[%d]\n"
            "array longest[%d]\narray rate[%d]\narray use[%d]\n",
            RUNS, RUNS, RUNS, RUNS, RUNS, RUNS);
    for (i = 0; i < s->n; i++) {
        const run *x = &s->runs[i];
        if (!x->done) continue;
        for (k = 0; k < x->n_spark; k++)
            while (top < 2 * x->spark[k])
                top *= 10;
        most = rocecc_max(most, x->flow_most_bps);
        half = half || x->half;
        n++;
        fprintf(f, "scheme[%u] = '%s'\nwhat[%u] = '%s'\n", n, x->s->name, n,
                x->s->what);
        figures(f, n, x);
    }
    title(f, s);
    trouble(f, &s->o);
    fprintf(f,
            "n = %u\nshown = %u\nhalf = %d\nend = %llu.0\ntop = %llu.0\n"
            "link = %llu / 1e9\nmost = %llu / 1e9\n%s",
            n, s->shown, half, (ull)(s->o.duration / 1000), (ull)top,
            (ull)s->o.rate_bps, (ull)(most + most / 20), gnuplot);
    return finish(f, path);
}

/* By gnuplot, where it is. */
static bool plot(const char *dir)
{
    int status;
    if (chdir(dir) != 0) return false;
    status = system("command -v gnuplot > /dev/null || exit 99; gnuplot -d plot.gp");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
        printf("No gnuplot here: `gnuplot plot.gp` in %s would plot it.\n", dir);
        return true;
    }
    printf("Plot: %s/queue-and-rate.svg%s\n", dir,
           status == 0 ? "" : ": gnuplot failed");
    return status == 0;
}

/* ---- a run */

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* How long it took; tells a terminal how far it is. */
static double run_all(lab *l)
{
    const bool tty = isatty(STDERR_FILENO);
    const double start = seconds();
    double passed = 0;
    unsigned i;
    for (i = 1; i <= SLICES && l->unfinished > 0; i++) {
        lab_run(l, i == SLICES ? l->o->duration : l->o->duration / SLICES * i);
        passed = seconds() - start;
        if (tty && passed > 0.5)
            fprintf(stderr, "\r%-10s %3u %%, %.1f million events per second ",
                    l->s->name, i * 100 / SLICES, (double)l->n_events / passed / 1e6);
    }
    if (tty && passed > 0.5) fprintf(stderr, "\r%60s\r", "");
    return passed;
}

/* What a series is drawn by. */
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

/* One scheme. False: a file could not be written. */
static bool go(setup *s, run *x)
{
    const bool pcap = s->pcap != NULL && x == s->runs;
    lab *l = lab_new(x->s, &s->o);
    bool fine = true;
    if (l == NULL) return true;
    if (pcap) {
        FILE *f = create(s->pcap);
        if (f != NULL) lab_capture_start(l, f);
        fine = f != NULL;
    }
    if (fine) s->seconds += run_all(l);
    if (fine && pcap) fine = finish(l->tap_to, s->pcap) && domain_beside(s->pcap);
    x->r = lab_results(l);
    x->done = fine;
    s->events += x->r.events;
    s->flows = l->n_flows;
    s->shown = l->n_flows < LAB_SHOWN ? l->n_flows : LAB_SHOWN;
    take_samples(s, x, l);
    if (fine && s->out != NULL) fine = series(s, l);
    lab_free(l);
    return fine;
}

static int compare(setup *s)
{
    bool fine = true, some = false;
    size_t i;
    if (s->out != NULL && !directory(s->out)) return 1;
    head(s);
    for (i = 0; i < s->n && fine; i++) {
        fine = go(s, &s->runs[i]);
        some = some || s->runs[i].done;
        if (fine) row(s, &s->runs[i]);
    }
    if (fine && some) {
        sparklines(s);
        if (s->out != NULL) fine = summary(s) && script(s) && plot(s->out);
        printf("%llu events in %.2f s: %.1f million per second\n", (ull)s->events,
               s->seconds, (double)s->events / (s->seconds + 1e-9) / 1e6);
    }
    return finish(stdout, "standard output") && fine && some ? 0 : 1;
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
    fputs("cclab: --topology is ", stderr);
    for (i = 0; i < LAB_TOPOLOGIES; i++)
        fprintf(stderr, "%s%s", lab_topologies[i].name,
                i + 2 < LAB_TOPOLOGIES   ? ", "
                : i + 1 < LAB_TOPOLOGIES ? " or "
                                         : "");
    return fprintf(stderr, ": not %s\n", s->topology), 2;
}

/* Those that hang together; and schemes, if none was named. */
static int complete(setup *s)
{
    const lab_options *o = &s->o;
    if (topology(s) != 0) return 2;
    if (o->duration / 1000 * (o->rate_bps / 1000) > MOST_BITS * 1000000)
        return usage("--rate times --duration is at most 3.2 Tbit", "");
    if (o->duration / LAB_MS * o->buffer_bytes > MOST_BYTE_MS)
        return usage("--buffer times --duration is at most 10 GB for 1 s", "");
    if (lab_trouble_refused(o) != NULL)
        return usage("--fault: ", lab_trouble_refused(o));
    if (s->n != 0) return 0;
    return scheme(s, "dcqcn") |
           scheme(s, o->topology == LAB_WAN ? "fastcnp" : "hpcc-int");
}

static int told(void)
{
    return finish(stdout, "standard output") ? 0 : 1;
}

static int tell(void)
{
    size_t i;
    fputs(help, stdout);
    for (i = 0; lab_schemes[i] != NULL; i++)
        printf("  %-10s %s\n", lab_schemes[i]->name, lab_schemes[i]->what);
    return told();
}

int main(int argc, char **argv)
{
    /* Of `numbers` and more that take a value, lists, others; without a value. */
    static const char names[][12] = {
        "flows", "rate",   "rtt",      "buffer", "size", "duration", "seed", "set",
        "fault", "scheme", "topology", "load",   "out",  "pcap",     "help", "version"};
    static struct option options[sizeof names / sizeof names[0] + 1];
    static setup s = {.topology = "star",
                      .o = {.load = "longlived",
                            .flows = 16,
                            .rate_bps = UINT64_C(100000000000),
                            .rtt = 8 * LAB_US,
                            .buffer_bytes = 32000000,
                            .duration = 4 * LAB_MS,
                            .seed = 1}};
    int i, option, code = 0;
    for (i = 0; i < 16; i++) {
        options[i].name = names[i];
        options[i].has_arg = i < 14 ? required_argument : no_argument;
        options[i].val = i < 7 ? 'n' : i < 10 ? ',' : names[i][0];
    }
    while (code == 0 && (option = getopt_long(argc, argv, "", options, &i)) != -1) {
        if (option == '?') return usage("--help says more", "");
        if (option == 'n') code = lab_option(&s.o, names[i], optarg);
        if (option == ',') code = list(&s, names[i], optarg);
        if (option == 't') s.topology = optarg;
        if (option == 'l') s.o.load = optarg;
        if (option == 'o') s.out = optarg;
        if (option == 'p') s.pcap = optarg;
        if (option == 'v') return puts("cclab " ROCECC_VERSION), told();
        if (option == 'h') return tell();
    }
    if (code == 0 && optind != argc)
        code = usage("no argument is taken: ", argv[optind]);
    if (code == 0) code = complete(&s);
    return code == 0 ? compare(&s) : code;
}
