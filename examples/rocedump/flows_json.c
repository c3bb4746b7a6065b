/* SPDX-License-Identifier: BSD-2-Clause */

/* flows_json.c - flows as JSON, one object per line (--flows --json). */
#include <string.h>

#include "flows.h"

static void dscps_json(const char *name, uint64_t set, FILE *out)
{
    const char *comma = "";
    unsigned i;
    fprintf(out, ",\"%s\":[", name);
    for (i = 0; i < 64; i++) {
        if ((set >> i & 1) == 0) continue;
        fprintf(out, "%s%u", comma, i);
        comma = ",";
    }
    putc(']', out);
}

static void number_json(const char *name, uint64_t v, FILE *out)
{
    fprintf(out, ",\"%s\":%llu", name, (unsigned long long)v);
}

static void services_json(const flow *f, FILE *out)
{
    static const char *const names[] = {"rc", "uc", "rd", "ud", "cnp", "xrc"};
    const char *comma = "";
    size_t i;
    fputs(",\"services\":[", out);
    for (i = 0; i < COUNT(names); i++) {
        if ((f->services >> i & 1) == 0) continue;
        fprintf(out, "%s\"%s\"", comma, names[i]);
        comma = ",";
    }
    putc(']', out);
}

static void psn_json(const flow *f, FILE *out)
{
    const psn_sequence *a = &f->requests, *b = &f->responses;
    if (!a->started && !b->started) {
        fputs(",\"psn\":null", out);
        return;
    }
    fprintf(out, ",\"psn\":{\"gaps\":%llu", (unsigned long long)(a->gaps + b->gaps));
    number_json("missing", psn_missing(a) + psn_missing(b), out);
    number_json("late", a->late + b->late, out);
    number_json("doubled", a->doubled + b->doubled, out);
    number_json("old", a->old + b->old, out);
    number_json("restarts", a->restarts + b->restarts, out);
    putc('}', out);
}

/* Prints a flow's CNPs. */
static void cnp_json(const flows *t, const flow *f, FILE *out)
{
    char text[ADDRESS_BYTES];
    uint64_t x, y;
    if (f->cnps == 0) {
        fputs(",\"cnp\":null", out);
        return;
    }
    fprintf(out, ",\"cnp\":{\"fast\":%s,\"packets\":%llu",
            f->key.kind == FLOW_FASTCNP ? "true" : "false",
            (unsigned long long)f->cnps);
    if (f->times != f->cnps) number_json("timed", f->times, out);
    dscps_json("dscp", f->cnp_dscp, out);
    if (flows_apart(f, &x, &y)) {
        number_json("least_apart_ns", x, out);
        number_json("median_apart_ns", y, out);
    }
    fprintf(out, ",\"known_by\":\"%.*s\"", (int)strcspn(flows_pairing(f), " "),
            flows_pairing(f));
    if (f->data == NO_FLOW) number_json("candidates", f->candidates, out);
    if (f->data != NO_FLOW) {
        const flow *data = flows_at(t, f->data);
        fprintf(out, ",\"answers\":{\"dst\":\"%s\",\"dest_qp\":%lu}",
                flows_address(data, &data->key.dst, text), (unsigned long)data->key.qp);
    }
    if (flows_delay(t, f, &x, &y)) {
        number_json("first_cnp_ns", x, out);
        number_json("ce_to_cnp_ns", y, out);
    }
    putc('}', out);
}

static void measured_json(const char *name, measured m, FILE *out)
{
    if (m.known)
        number_json(name, m.value, out);
    else
        fprintf(out, ",\"%s\":null", name);
}

/* Prints the rate of a data flow around its first CNP. */
static void rate_json(const flows *t, const flow *f, FILE *out)
{
    if (!f->slowed) {
        fputs(",\"rate\":null", out);
        return;
    }
    fprintf(out, ",\"rate\":{\"interval_ns\":%llu",
            (unsigned long long)flows_interval_ns(t));
    number_json("first_cnp_ns", f->first_cnp_ns, out);
    measured_json("before_bps", f->rate.before_bps, out);
    measured_json("after_bps", f->rate.after_bps, out);
    measured_json("least_bps", f->rate.least_bps, out);
    measured_json("again_ns", f->rate.again_ns, out);
    putc('}', out);
}

/* Prints the packets for which the table had no room. */
static void others_json(const flow *f, FILE *out)
{
    fprintf(out, "{\"others\":{\"packets\":%llu", (unsigned long long)f->packets);
    number_json("copies", f->copies, out);
    number_json("bytes", f->bytes, out);
    number_json("first_ns", f->first_ns, out);
    number_json("last_ns", f->last_ns, out);
    number_json("ce", f->ce, out);
    number_json("cnps", f->cnps, out);
    number_json("trimmed", f->trimmed, out);
    number_json("parts", f->parts, out);
    number_json("naks", f->naks, out);
    number_json("rnr_naks", f->rnr_naks, out);
    number_json("pauses", f->pauses, out);
    number_json("resumes", f->resumes, out);
    fputs("}}\n", out);
}

static void flow_json(const flows *t, const flow *f, FILE *out)
{
    char src[ADDRESS_BYTES], dst[ADDRESS_BYTES];
    if (f->key.kind == FLOW_OTHERS) {
        others_json(f, out);
        return;
    }
    if (f->key.kind == FLOW_PAUSE) {
        fprintf(out, "{\"mac\":\"%s\"", flows_address(f, &f->key.src, src));
        number_json("pauses", f->pauses, out);
        number_json("resumes", f->resumes, out);
        fputs("}\n", out);
        return;
    }
    fprintf(out, "{\"src\":\"%s\",\"dst\":\"%s\",\"dest_qp\":%lu",
            flows_address(f, &f->key.src, src), flows_address(f, &f->key.dst, dst),
            (unsigned long)f->key.qp);
    services_json(f, out);
    number_json("packets", f->packets, out);
    number_json("copies", f->copies, out);
    number_json("bytes", f->bytes, out);
    number_json("first_ns", f->first_ns, out);
    number_json("last_ns", f->last_ns, out);
    number_json("ce", f->ce, out);
    if (f->ce != 0) number_json("first_ce_ns", f->first_ce_ns, out);
    number_json("trimmed", f->trimmed, out);
    number_json("parts", f->parts, out);
    number_json("naks", f->naks, out);
    number_json("rnr_naks", f->rnr_naks, out);
    dscps_json("dscp", f->dscp, out);
    psn_json(f, out);
    number_json("cnps", f->answers, out);
    number_json("fast_cnps", f->fast_answers, out);
    fprintf(out, ",\"cnps_disputed\":%s", f->disputed ? "true" : "false");
    fprintf(out, ",\"misses\":%s", f->misses ? "true" : "false");
    rate_json(t, f, out);
    cnp_json(t, f, out);
    fputs("}\n", out);
}

void flows_json(const flows *t, FILE *out)
{
    flow *const *all = flows_sorted(t);
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        flow_json(t, all[i], out);
    if (flows_forgotten(t) != 0)
        fprintf(out, "{\"copies_forgotten\":%llu}\n",
                (unsigned long long)flows_forgotten(t));
    unplaced_json(flows_unplaced(t), out);
}
