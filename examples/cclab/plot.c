/* SPDX-License-Identifier: BSD-2-Clause */

/* plot.c - writes a script for gnuplot, with options and results in words. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "../cctrace/algo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* clang-format off */
static const char gnuplot[] =
    "width = n < 3 ? 900.0 : 400.0 * n\n"
    "set terminal svg size width,720 font 'sans-serif,12' \\\n"
    "    background '#ffffff' noenhanced\n"
    "set output 'queue-and-rate.svg'\n"
    "set multiplot layout 3,n columnsfirst title name \\\n"
    "    margins 81 / width,1 - 18 / width,0.07,under spacing 54 / width,0.095\n"
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

/* Returns a number and its unit, with a space between them. */
static const char *apart(char kind, uint64_t v)
{
    static char text[4][32]; /* the last four texts */
    static unsigned next;
    const char *whole = lab_text(kind, v);
    const size_t digits = strspn(whole, "0123456789");
    next = (next + 1) % 4;
    (void)snprintf(text[next], sizeof text[next], "%.*s %s", (int)digits, whole,
                   whole + digits);
    return text[next];
}

/* Writes the number, size, path and load of the flows. */
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
    if (o->percent != 0) fprintf(f, ", %u %% of each link", o->percent);
    fputs(", load ", f);
    for (c = c == NULL ? o->load : c + 1; *c != '\0'; c++)
        fputc(*c == '\'' || *c == '\\' || (*c > 0 && *c < ' ') ? '_' : *c, f);
}

static void title(FILE *f, const setup *s)
{
    const lab_options *o = &s->o;
    uint32_t i;
    fputs("name = '", f);
    flows_in_words(f, s);
    fprintf(f, "; %sbit/s, round trip %s, buffers of %sB, seed %llu",
            apart('r', o->rate_bps), apart('t', o->rtt), apart('b', o->buffer_bytes),
            (ull)o->seed);
    for (i = 0; i < o->n_settings; i++) {
        fprintf(f, ", %s", lab_setting_text(&o->setting[i]));
    }
    if (o->ai_bps != 0) fprintf(f, ", additive %sbit/s", apart('r', o->ai_bps));
    if (o->payload_bytes != LAB_MTU)
        fprintf(f, ", packets of %sB", apart('b', o->payload_bytes));
    if (o->pfc) fputs(", PFC", f);
    if (o->mark_at == LAB_ARRIVAL) fputs(", marks at arrival", f);
    if (o->np_delay != 0) fprintf(f, ", CNPs after %s", apart('t', o->np_delay));
    if (o->jitter == 0) fputs(", hosts without jitter", f);
    if (o->line_bps != 0) fprintf(f, ", senders %sbit/s", apart('r', o->line_bps));
    if (o->lose_permille != 0) fprintf(f, ", %u/1000 lost", o->lose_permille);
    if (o->corrupt_permille != 0) fprintf(f, ", %u/1000 corrupt", o->corrupt_permille);
    if (o->tick != 0) fprintf(f, ", clock ticks of %s", apart('t', o->tick));
    if (o->spray) fputs(o->go_back_n ? ", sprayed, go-back-N" : ", sprayed", f);
    fprintf(f, "%s%s%s%s'", o->liar ? ", false telemetry" : "",
            o->storm ? ", forged Fast CNPs" : "", o->unfiltered ? ", unfiltered" : "",
            o->open ? ", open" : "");
}

/* With trouble, writes a second line of the title. In each plot, a stripe marks the
   trouble, and a line its start. Times are divided as in at(). */
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

/* Returns bytes, or ps, in larger units. */
static const char *human(uint64_t v, const char *units_of_3)
{
    static char text[4][32]; /* the last four texts */
    static unsigned next;
    double d = (double)v / 1e3;
    unsigned i = 0;
    for (; d >= 1000 && i < 2; i++)
        d /= 1000;
    next = (next + 1) % 4;
    (void)snprintf(text[next], sizeof text[next], "%.1f %.2s", d, units_of_3 + 2 * i);
    return text[next];
}

/* Writes the text above a run's curves, with their means, and for the shaded half the
   values of the table. */
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
            r->drops != 0 ? ", partly by retransmissions" : "");
}

/* Writes the script above, with the data of the runs. */
bool plot_script(const setup *s)
{
    const char *path = report_path(s->out, "plot", ".gp");
    FILE *f = report_create(path);
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
        fprintf(f, "scheme[%u] = '%s'\nwhat[%u] = '%s'\n", n, x->name, n,
                x->n_parts == 1 ? x->part[0].s->what : x->name);
        figures(f, n, x);
    }
    title(f, s);
    trouble(f, &s->o);
    fprintf(f,
            "n = %u\nshown = %u\nhalf = %d\nend = %llu.0\ntop = %llu.0\n"
            "link = %llu / 1e9\nmost = %llu / 1e9\n%s",
            n, s->shown, half, (ull)(s->o.duration / 1000), (ull)top,
            (ull)s->o.rate_bps, (ull)(most + most / 20), gnuplot);
    return report_finish(f, path);
}

/* Runs gnuplot, if it is installed. */
bool plot_draw(const char *dir)
{
    int status;
    if (chdir(dir) != 0)
        return fprintf(stderr, "cclab: %s: %s\n", dir, strerror(errno)), false;
    status = system("command -v gnuplot > /dev/null || exit 99; gnuplot -d plot.gp");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
        printf(
            "No plot: install the package gnuplot, and run `gnuplot plot.gp` in %s.\n",
            dir);
        return true;
    }
    if (status == 0) printf("Plot: %s/queue-and-rate.svg\n", dir);
    if (status != 0) fprintf(stderr, "cclab: %s/plot.gp: gnuplot failed\n", dir);
    return status == 0;
}
