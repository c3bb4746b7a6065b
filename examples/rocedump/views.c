/* SPDX-License-Identifier: BSD-2-Clause */
#include "views.h"

#include <string.h>

#include "rates.h"

static const char *be(view *v, view_kind kind)
{
    if (v->kind != VIEW_FRAMES && v->kind != kind)
        return "--flows, --timeline and --csv exclude each other; give only one";
    v->kind = (uint8_t)kind;
    return NULL;
}

static const char *be_csv(view *v, const char *list)
{
    static char why[256];
    const char *bad;
    int n;
    v->keys = keys_of(list, &bad);
    if (v->keys != NULL) return be(v, VIEW_CSV);
    n = (int)strcspn(bad, ",");
    snprintf(why, sizeof why,
             "--csv: unknown key '%.*s'; keys are the names in --json, such as "
             "frame, ipv4[0].src or bth.psn",
             n < 100 ? n : 100, bad);
    return why;
}

const char *view_option(view *v, const char *name, const char *value)
{
    if (strcmp(name, "csv") == 0) return be_csv(v, value);
    if (strcmp(name, "plot") == 0) {
        v->plot = value;
        return NULL;
    }
    if (value != NULL && !timeline_interval(value, &v->interval_ns)) {
        static char why[160];
        snprintf(
            why, sizeof why,
            "--%s=%.50s: expected a whole number from 1 to 1000000 and a unit, ns, "
            "us, ms or s",
            name, value);
        return why;
    }
    return be(v, strcmp(name, "flows") == 0 ? VIEW_FLOWS : VIEW_TIMELINE);
}

const char *view_start(view *v, settings *c)
{
    if (v->plot != NULL && v->kind != VIEW_TIMELINE) return "--plot needs --timeline";
    if (v->plot != NULL && !timeline_plots(v->plot))
        return "--plot: expected a file name that ends in .svg or .png";
    if (v->as_json && v->kind > VIEW_FLOWS)
        return "--json does not work with --timeline or --csv";
    if (v->interval_ns == 0)
        v->interval_ns =
            v->kind == VIEW_FLOWS ? RATES_INTERVAL_NS : TIMELINE_INTERVAL_NS;
    if (v->kind == VIEW_TIMELINE) v->timeline = timeline_new(v->interval_ns);
    if (v->kind == VIEW_FLOWS || v->kind == VIEW_TIMELINE) {
        v->flows = flows_new(v->kind == VIEW_FLOWS ? v->interval_ns : 0);
        c->no_icrc = true;
    }
    return NULL;
}

/* Writes the header line once, before the first row or at the end. */
static void csv_head(view *v, FILE *out)
{
    if (!v->headed) keys_head(v->keys, out);
    v->headed = true;
}

void view_clock(view *v, uint64_t time_ns)
{
    if (v->timeline != NULL) timeline_frame(v->timeline, time_ns);
    if (v->flows != NULL) flows_time(v->flows, time_ns);
}

void view_frame(view *v, const packet *p, const decoded *d, FILE *out)
{
    const decoded *level;
    size_t i = NO_FLOW;
    if (v->kind == VIEW_CSV) {
        csv_head(v, out);
        keys_row(v->keys, p, d, out);
        return;
    }
    for (level = d; level != NULL; level = level->inner) {
        i = flows_add(v->flows, p, d, level);
        if (v->timeline != NULL && i != NO_FLOW)
            timeline_add(v->timeline, i, flows_at(v->flows, i), p->time_ns);
    }
    flows_frame(v->flows, d, i);
}

bool view_end(view *v, FILE *out)
{
    bool ok;
    if (v->kind == VIEW_CSV) {
        csv_head(v, out);
        return true;
    }
    ok = flows_had_memory(v->flows);
    flows_end(v->flows);
    if (v->kind == VIEW_TIMELINE) {
        timeline_csv(v->timeline, v->flows, out);
        ok = timeline_whole(v->timeline) && ok;
        if (v->plot != NULL) ok = timeline_plot(v->timeline, v->flows, v->plot) && ok;
    } else if (v->as_json) {
        flows_json(v->flows, out);
    } else {
        flows_text(v->flows, out);
    }
    return ok;
}
