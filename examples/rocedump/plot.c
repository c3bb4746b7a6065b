/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * plot.c - draws a timeline with gnuplot. It shows the data rate, CE marks, returning
 * CNPs in the colour of their data, and PFC.
 */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "timeline.h"

#define LINES_MAX 6 /* flows per panel, those with most bytes or messages */
#define COLOURS 12u

typedef enum panel { RATE, MARKS, CNPS, PFC, PANELS } panel;

static const struct {
    const char *title;
    const char *unit; /* per interval, except RATE */
} panels[] = {{"Data, by flow", "Gbit/s"},
              {"Data marked CE, by flow", "packets"},
              {"Congestion notifications", "CNPs"},
              {"PFC and PAUSE frames that pause", "frames"}};

/* A unit of time. */
typedef struct scale {
    const char *name;
    double ns;
} scale;

typedef struct plot {
    const timeline *t;
    const flows *all;
    const sample *sample;
    size_t n;
    uint64_t interval_ns;
    size_t line[PANELS][LINES_MAX]; /* indexes of flows */
    size_t lines[PANELS], of[PANELS];
    size_t coloured[PANELS * LINES_MAX]; /* flows in the order of their colours */
    unsigned n_coloured;
    scale time;
    FILE *to;
} plot;

static scale scale_of(double ns)
{
    static const scale all[] = {{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    size_t i = 0;
    while (i + 1 < COUNT(all) && ns >= 10 * all[i + 1].ns)
        i++;
    return all[i];
}

/* Returns the weight of a flow in a panel. */
static uint64_t weight(const flow *f, panel which)
{
    switch (which) {
    case RATE:
        return f->key.kind == FLOW_QP && f->has_data ? f->bytes : 0;
    case MARKS:
        return f->ce;
    case CNPS:
        return f->cnps;
    default:
        return f->pauses;
    }
}

static double height(const plot *p, const sample *s, panel which)
{
    switch (which) {
    case RATE:
        return 8.0 * (double)s->in.bytes / (double)p->interval_ns;
    case MARKS:
        return (double)s->in.ce;
    case CNPS:
        return (double)s->in.cnps;
    default:
        return (double)s->in.pauses;
    }
}

/* Chooses the heaviest flows, heaviest first. */
static void choose(plot *p, panel which)
{
    size_t i, k, *line = p->line[which];
    for (i = 0; i < flows_count(p->all); i++) {
        const uint64_t w = weight(flows_at(p->all, i), which);
        if (w == 0) continue;
        p->of[which]++;
        for (k = p->lines[which];
             k > 0 && weight(flows_at(p->all, line[k - 1]), which) < w; k--)
            if (k < LINES_MAX) line[k] = line[k - 1];
        if (k < LINES_MAX) line[k] = i;
        if (p->lines[which] < LINES_MAX) p->lines[which]++;
    }
}

static double at(const plot *p, int64_t interval)
{
    return (double)interval * (double)p->interval_ns / p->time.ns;
}

static void point(const plot *p, int64_t interval, double y)
{
    fprintf(p->to, "%.9g %.9g\n", at(p, interval), y);
}

/* Writes the points of a flow, with 0 for empty intervals. */
static void data(const plot *p, panel which, size_t k)
{
    const int64_t end = p->sample[p->n - 1].interval + 1;
    int64_t next = p->sample[0].interval;
    size_t i;
    fprintf(p->to, "$d%d_%lu << E\n", (int)which, (unsigned long)k);
    for (i = 0; i < p->n; i++) {
        const sample *s = &p->sample[i];
        if (s->flow != p->line[which][k]) continue;
        if (s->interval > next) point(p, next, 0);
        point(p, s->interval, height(p, s, which));
        next = s->interval + 1;
    }
    point(p, next, 0);
    if (next < end) point(p, end, 0);
    fputs("E\n", p->to);
}

/* Writes a flow's name for the legend. */
static void name(const plot *p, const flow *f)
{
    char src[ADDRESS_BYTES], dst[ADDRESS_BYTES];
    uint64_t first_ns, ns;
    fputs(flows_address(f, &f->key.src, src), p->to);
    if (f->key.kind > FLOW_FASTCNP) return;
    fprintf(p->to, " > %s QP 0x%06lx", flows_address(f, &f->key.dst, dst),
            (unsigned long)f->key.qp);
    if (f->key.kind == FLOW_FASTCNP) fputs(", Fast", p->to);
    if (flows_delay(p->all, f, &first_ns, &ns))
        fprintf(p->to, ", first %.1f us after CE", (double)ns / 1e3);
}

/*
 * Returns the number of a flow's colour, from 0 on. A flow has the same colour in all
 * panels. CNPs have the colour of their data, or their own if their data is unknown.
 */
static unsigned colour(plot *p, panel which, size_t k)
{
    size_t i = p->line[which][k];
    unsigned c;
    if (which == CNPS && flows_at(p->all, i)->data != NO_FLOW)
        i = flows_at(p->all, i)->data;
    for (c = 0; c < p->n_coloured; c++)
        if (p->coloured[c] == i) return c;
    p->coloured[p->n_coloured] = i;
    return p->n_coloured++;
}

static void draw(plot *p, panel which)
{
    const scale step = scale_of((double)p->interval_ns * 10);
    size_t k;
    fprintf(p->to, "set title '%s", panels[which].title);
    if (p->of[which] > p->lines[which])
        fprintf(p->to, ": %lu of %lu", (unsigned long)p->lines[which],
                (unsigned long)p->of[which]);
    fprintf(p->to, "' offset 0,-0.6\nset ylabel '%s", panels[which].unit);
    if (which != RATE)
        fprintf(p->to, " per %g %s", (double)p->interval_ns / step.ns, step.name);
    fputs("'\nplot ", p->to);
    for (k = 0; k < p->lines[which]; k++) {
        const flow *f = flows_at(p->all, p->line[which][k]);
        const unsigned c = colour(p, which, k);
        fprintf(p->to, "%s$d%d_%lu with steps lw 1.5 dt %d lc %u title '",
                k == 0 ? "" : ", ", (int)which, (unsigned long)k,
                f->key.kind == FLOW_FASTCNP ? 2
                : c < COLOURS               ? 1
                                            : 3,
                c % COLOURS + 1);
        name(p, f);
        putc('\'', p->to);
    }
    putc('\n', p->to);
}

/* Writes a gnuplot string. */
static void quoted(const char *text, FILE *to)
{
    putc('\'', to);
    for (; *text != '\0'; text++)
        fprintf(to, *text == '\'' ? "''" : "%c", *text);
    putc('\'', to);
}

static bool ends_in(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

bool timeline_plots(const char *path)
{
    return ends_in(path, ".svg") || ends_in(path, ".png");
}

static void script(plot *p, const char *path)
{
    size_t which, k, n = 0, drawn = 0;
    for (which = 0; which < PANELS; which++)
        n += p->lines[which] != 0;
    fprintf(p->to, "set terminal %s size 1250,%lu font 'sans-serif,11' noenhanced\n",
            ends_in(path, ".svg") ? "svg background '#ffffff'" : "png",
            80 + 190 * (unsigned long)n);
    fputs("set output ", p->to);
    quoted(path, p->to);
    fprintf(
        p->to,
        "\nset multiplot layout %lu,1 margins 0.08,0.58,%g,%g spacing 0,%g\n"
        "set linetype 1 lc '#0072b2'; set linetype 2 lc '#d55e00'\n"
        "set linetype 3 lc '#009e73'; set linetype 4 lc '#cc79a7'\n"
        "set linetype 5 lc '#e69f00'; set linetype 6 lc '#56b4e9'\n"
        "set linetype 7 lc '#332288'; set linetype 8 lc '#882255'\n"
        "set linetype 9 lc '#999933'; set linetype 10 lc '#8c564b'\n"
        "set linetype 11 lc '#555555'; set linetype 12 lc '#aa4499'\n"
        "set border 3 lc '#888888'; set tics nomirror textcolor '#444444'\n"
        "set grid ytics lt 1 lw 0.5 lc '#e4e4e4'; set yrange [0:*]\n"
        "set key at graph 1.02,1 left top Left reverse samplen 2; set xrange [%g:%g]\n",
        (unsigned long)n, 0.25 / (double)n, 1 - 0.12 / (double)n, 0.24 / (double)n,
        at(p, p->sample[0].interval), at(p, p->sample[p->n - 1].interval + 1));
    for (which = 0; which < PANELS; which++)
        for (k = 0; k < p->lines[which]; k++)
            data(p, (panel)which, k);
    for (which = 0; which < PANELS; which++) {
        if (p->lines[which] == 0) continue;
        if (++drawn == n)
            fprintf(p->to, "set xlabel 'time since the first frame [%s]'\n",
                    p->time.name);
        draw(p, (panel)which);
    }
    fputs("unset multiplot\n", p->to);
}

bool timeline_plot(const timeline *t, const flows *f, const char *path)
{
    plot p = {0};
    size_t which;
    p.t = t;
    p.all = f;
    p.sample = timeline_samples(t, &p.n, &p.interval_ns);
    for (which = 0; which < PANELS; which++)
        choose(&p, (panel)which);
    if (p.lines[RATE] + p.lines[MARKS] + p.lines[CNPS] + p.lines[PFC] == 0) {
        fprintf(stderr,
                "rocedump: --plot %s: nothing to plot: the input has no RoCE data, "
                "CNPs or PFC\n",
                path);
        return false;
    }
    p.time = scale_of((double)(p.sample[p.n - 1].interval - p.sample[0].interval + 1) *
                      (double)p.interval_ns);
    fflush(stdout);
    if (system("command -v gnuplot > /dev/null 2>&1") != 0) {
        fprintf(stderr,
                "rocedump: --plot %s: needs gnuplot, which is not installed; install "
                "the package gnuplot\n",
                path);
        return false;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* gnuplot reports its own errors */
    p.to = popen("gnuplot", "w");
    if (p.to != NULL) script(&p, path);
    if (p.to == NULL || pclose(p.to) != 0) {
        fprintf(stderr, "rocedump: --plot %s: gnuplot could not draw it\n", path);
        return false;
    }
    return true;
}
