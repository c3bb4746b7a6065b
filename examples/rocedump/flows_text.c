/* SPDX-License-Identifier: BSD-2-Clause */

/* flows_text.c - flows as tables (--flows). */
#include <string.h>

#include "copies.h"
#include "table.h"

#define CELL_BYTES 32

static const char flow_heads[] =
    "source|destination|DestQP|service|packets|copies|bytes|"
    "CE %|CNPs|trimmed|parts|gaps|missing|late|"
    "doubled|old|NAK|RNR|DSCP";
static const char cnp_heads[] =
    "CNPs from|to|DestQP|CNPs|DSCP|least apart [us]|median [us]|answer DestQP|"
    "CE to CNP [us]|known by";
static const char rate_heads[] =
    "data from|to|DestQP|first [s]|last [s]|first CNP [s]|before [Gb/s]|after [Gb/s]|"
    "least [Gb/s]|90 % again [us]";

/* ---- cells */

/* Writes services, such as RC+CNP. */
static const char *service(const flow *f, char text[CELL_BYTES])
{
    static const char *const names[] = {"RC", "UC", "RD", "UD", "CNP", "XRC", "?", "?"};
    unsigned i;
    text[0] = '\0';
    for (i = 0; i < 8; i++) {
        if ((f->services >> i & 1) == 0) continue;
        if (text[0] != '\0') strcat(text, "+");
        strcat(text, names[i]);
    }
    if (text[0] == '\0') strcpy(text, "-");
    return text;
}

/* Writes the first three DSCPs and the number of others, such as 0,26,48,+2. */
static const char *dscps(uint64_t set, char text[CELL_BYTES])
{
    size_t at = 0;
    unsigned i, n = 0;
    strcpy(text, "-");
    for (i = 0; i < 64; i++) {
        if ((set >> i & 1) == 0 || n++ >= 3) continue;
        at += (size_t)snprintf(text + at, CELL_BYTES - at, n == 1 ? "%u" : ",%u", i);
    }
    if (n > 3) snprintf(text + at, CELL_BYTES - at, ",+%u", n - 3);
    return text;
}

static const char *share(uint64_t part, uint64_t of, char text[CELL_BYTES])
{
    strcpy(text, "-");
    if (of != 0) snprintf(text, CELL_BYTES, "%.2f", 100.0 * (double)part / (double)of);
    return text;
}

/* Writes the CNPs and Fast CNPs for a flow. "?" means that more are possible. */
static const char *answers(const flow *f, char text[CELL_BYTES])
{
    const uint64_t n = f->answers + f->fast_answers;
    strcpy(text, "-");
    if (f->has_data && !f->disputed)
        snprintf(text, CELL_BYTES, "%llu", (unsigned long long)n);
    else if (f->has_data)
        snprintf(text, CELL_BYTES, "%llu?", (unsigned long long)n);
    return text;
}

/* ---- the tables */

static void ends_text(const flow *f, table *out)
{
    char text[ADDRESS_BYTES];
    table_cell(out, "%s", flows_address(f, &f->key.src, text));
    if (f->key.kind == FLOW_OTHERS) {
        table_cell(out, "-");
        table_cell(out, "-");
        return;
    }
    table_cell(out, "%s", flows_address(f, &f->key.dst, text));
    table_cell(out, "0x%06lx", (unsigned long)f->key.qp);
}

static void number_text(uint64_t v, table *out)
{
    table_cell(out, "%llu", (unsigned long long)v);
}

/* Prints PSN counts, or - without a PSN sequence, for example for UD. */
static void psn_text(const flow *f, table *out)
{
    const psn_sequence *a = &f->requests, *b = &f->responses;
    const uint64_t v[] = {a->gaps + b->gaps, psn_missing(a) + psn_missing(b),
                          a->late + b->late, a->doubled + b->doubled, a->old + b->old};
    size_t i;
    for (i = 0; i < COUNT(v); i++) {
        if (a->started || b->started)
            number_text(v[i], out);
        else
            table_cell(out, "-");
    }
}

static void flow_text(const flow *f, table *out)
{
    char text[CELL_BYTES];
    ends_text(f, out);
    table_cell(out, "%s", service(f, text));
    table_cell(out, "%llu%s", (unsigned long long)f->packets, f->misses ? "*" : "");
    number_text(f->copies, out);
    number_text(f->bytes, out);
    table_cell(out, "%s", share(f->ce, f->packets - f->cnps, text));
    table_cell(out, "%s", answers(f, text));
    number_text(f->trimmed, out);
    number_text(f->parts, out);
    psn_text(f, out);
    number_text(f->naks, out);
    number_text(f->rnr_naks, out);
    table_cell(out, "%s", dscps(f->dscp | f->cnp_dscp, text));
}

static void us_text(bool has, uint64_t ns, table *out)
{
    if (has)
        table_cell(out, "%.3f", (double)ns / 1e3);
    else
        table_cell(out, "-");
}

static void answered_text(const flows *t, const flow *f, table *out)
{
    if (f->data != NO_FLOW)
        table_cell(out, "0x%06lx", (unsigned long)flows_at(t, f->data)->key.qp);
    else if (f->candidates != 0)
        table_cell(out, "one of %lu", (unsigned long)f->candidates);
    else
        table_cell(out, "-");
}

static void cnp_text(const flows *t, const flow *f, table *out)
{
    char text[CELL_BYTES];
    uint64_t least = 0, median = 0, first_ns = 0, delay_ns = 0;
    const bool several = flows_apart(f, &least, &median);
    const bool answered = flows_delay(t, f, &first_ns, &delay_ns);
    ends_text(f, out);
    number_text(f->cnps, out);
    table_cell(out, "%s", dscps(f->cnp_dscp, text));
    us_text(several, least, out);
    us_text(several, median, out);
    answered_text(t, f, out);
    us_text(answered, delay_ns, out);
    table_cell(out, "%.*s", (int)strcspn(flows_pairing(f), " "), flows_pairing(f));
}

/* Prints a time in seconds since the first frame. */
static void seconds_text(const flows *t, bool has, uint64_t ns, table *out)
{
    const int64_t since = (int64_t)(ns - flows_start_ns(t));
    if (has)
        table_cell(out, "%.6f", (double)since / 1e9);
    else
        table_cell(out, "-");
}

static void rate_cell(measured bps, table *out)
{
    if (bps.known)
        table_cell(out, "%.3f", (double)bps.value / 1e9);
    else
        table_cell(out, "-");
}

static void rate_text(const flows *t, const flow *f, table *out)
{
    ends_text(f, out);
    seconds_text(t, true, f->first_ns, out);
    seconds_text(t, true, f->last_ns, out);
    seconds_text(t, f->slowed, f->first_cnp_ns, out);
    rate_cell(f->rate.before_bps, out);
    rate_cell(f->rate.after_bps, out);
    rate_cell(f->rate.least_bps, out);
    us_text(f->rate.again_ns.known, f->rate.again_ns.value, out);
}

static void pauses_text(const flows *t, FILE *out)
{
    char text[ADDRESS_BYTES];
    size_t i;
    for (i = 0; i < flows_count(t); i++) {
        const flow *f = flows_at(t, i);
        if (f->pauses + f->resumes == 0) continue;
        fprintf(out, "PFC and PAUSE from %s: %llu pause, %llu resume\n",
                flows_address(f, &f->key.src, text), (unsigned long long)f->pauses,
                (unsigned long long)f->resumes);
    }
}

/* Prints frames in no flow, and the meaning of the mark. */
static void unplaced_lines(const flows *t, FILE *out)
{
    const unplaced *u = flows_unplaced(t);
    bool any = false;
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        any = any || flows_at(t, i)->misses;
    if (unplaced_frames(u) + u->sampled == 0) return;
    putc('\n', out);
    unplaced_text(u, out);
    if (any)
        fputs("* Such frames went between the addresses of this flow. Its numbers may "
              "miss them.\n",
              out);
}

/* Says what the tables leave out because they are full. */
static void full_lines(const flows *t, FILE *out)
{
    uint64_t untimed = 0;
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        if (flows_at(t, i)->key.kind != FLOW_OTHERS)
            untimed += flows_at(t, i)->cnps - flows_at(t, i)->times;
    if (flows_others(t) != NULL)
        fprintf(
            out,
            "\nThe table has room for %lu flows. The row \"others\" counts the packets "
            "of later flows.\n",
            (unsigned long)(flows_count(t) - 1));
    if (flows_forgotten(t) != 0)
        fprintf(
            out,
            "\nCopies of %llu packets may count, because the table of copies forgot "
            "these packets within\n" COPIES_WINDOW_TEXT ".\n",
            (unsigned long long)flows_forgotten(t));
    if (untimed != 0)
        fprintf(
            out,
            "\nThe distances of CNPs are without the last %llu CNPs, because the room "
            "for times is\n" CNP_TIMES_TEXT ".\n",
            (unsigned long long)untimed);
}

static void flow_rows(const flows *t, flow *const *all, table *out)
{
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        if (all[i]->key.kind != FLOW_PAUSE) flow_text(all[i], out);
}

static bool cnp_rows(const flows *t, flow *const *all, table *out)
{
    bool any = false;
    size_t i;
    for (i = 0; i < flows_count(t); i++) {
        if (all[i]->cnps == 0) continue;
        cnp_text(t, all[i], out);
        any = true;
    }
    return any;
}

/* Prints the flows with data. Other flows have no rates. */
static bool rate_rows(const flows *t, flow *const *all, table *out)
{
    bool any = false;
    size_t i;
    for (i = 0; i < flows_count(t); i++) {
        if (!all[i]->has_data) continue;
        rate_text(t, all[i], out);
        any = true;
    }
    return any;
}

/* Prints the length of the rates' intervals. */
static void interval_line(const flows *t, FILE *out)
{
    const uint64_t ns = flows_interval_ns(t);
    fprintf(out, "\nRates are of intervals of %llu.%03llu us.\n",
            (unsigned long long)(ns / 1000), (unsigned long long)(ns % 1000));
}

void flows_text(const flows *t, FILE *out)
{
    flow *const *all = flows_sorted(t);
    table of_flows = table_of(flow_heads), of_cnps = table_of(cnp_heads),
          of_rates = table_of(rate_heads);
    bool rates;
    flow_rows(t, all, &of_flows);
    table_print(&of_flows, out);
    flow_rows(t, all, &of_flows);
    if (flows_count(t) == 0) fputs("no RoCE flows and no PFC\n", out);
    if (cnp_rows(t, all, &of_cnps)) putc('\n', out);
    table_print(&of_cnps, out);
    (void)cnp_rows(t, all, &of_cnps);
    rates = rate_rows(t, all, &of_rates);
    if (rates) putc('\n', out);
    table_print(&of_rates, out);
    (void)rate_rows(t, all, &of_rates);
    if (rates) interval_line(t, out);
    pauses_text(t, out);
    full_lines(t, out);
    unplaced_lines(t, out);
}
