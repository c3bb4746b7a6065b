/* SPDX-License-Identifier: BSD-2-Clause */

/* flows_print.c - flows as tables, and as JSON. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/vec.h"
#include "flows.h"
#include "memory.h"
#include "table.h"

#define CELL_BYTES 32

static const char flow_heads[] = "source|destination|DestQP|service|packets|bytes|CE "
                                 "%|CNPs|trimmed|gaps|missing|late|"
                                 "doubled|old|NAK|RNR|DSCP";
static const char cnp_heads[] =
    "CNPs from|to|DestQP|CNPs|DSCP|least apart [us]|median [us]|answer DestQP|"
    "CE to CNP [us]|known by";

const char *flows_address(const flow *f, const rocecc_ip6 *address,
                          char text[ADDRESS_BYTES])
{
    static const uint8_t v4[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const uint8_t *b = address->b;
    if (f->key.kind == FLOW_PAUSE)
        snprintf(text, ADDRESS_BYTES, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2],
                 b[3], b[4], b[5]);
    else if (memcmp(b, v4, sizeof v4) == 0)
        (void)inet_ntop(AF_INET, b + sizeof v4, text, ADDRESS_BYTES);
    else
        (void)inet_ntop(AF_INET6, b, text, ADDRESS_BYTES);
    return text;
}

/* ---- in the order of their bytes */

static int by_bytes(const void *a, const void *b)
{
    const flow *x = *(const flow *const *)a, *y = *(const flow *const *)b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return memcmp(&x->key, &y->key, sizeof x->key);
}

/* To be freed. */
static const flow **sorted(const flows *t)
{
    const flow **all = memory(flows_count(t) + 1, sizeof *all);
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        all[i] = flows_at(t, i);
    qsort(all, flows_count(t), sizeof *all, by_bytes);
    return all;
}

/* ---- cells */

/* RC, or RC+CNP. */
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

/* 26, or 0,26,48, up to the first three and how many more. */
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

/* How it is known what CNPs answer; a blank or the end follows. */
static const char *pairing_name(unsigned i)
{
    const char *names = PAIRINGS;
    for (; i > 0; i--)
        names += strcspn(names, " ") + 1;
    return names;
}

/* CNPs and Fast CNPs that answer a flow; "?": some came, and may be of another. */
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

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Least and median distance of CNPs; false: there are fewer than two. Of an even number
 * the median is the lower one of the two. */
static bool apart(const flow *f, uint64_t *least, uint64_t *median)
{
    const size_t n = (size_t)f->cnps;
    uint64_t *distance;
    size_t i;
    if (n < 2) return false;
    distance = memory(n - 1, sizeof *distance);
    for (i = 0; i + 1 < n; i++)
        distance[i] = f->cnp_ns[i + 1] - f->cnp_ns[i];
    qsort(distance, n - 1, sizeof *distance, by_value);
    *least = distance[0];
    *median = distance[(n - 2) / 2];
    free(distance);
    return true;
}

/* ---- the tables */

static void ends_text(const flow *f, table *out)
{
    char text[ADDRESS_BYTES];
    table_cell(out, "%s", flows_address(f, &f->key.src, text));
    table_cell(out, "%s", flows_address(f, &f->key.dst, text));
    table_cell(out, "0x%06lx", (unsigned long)f->key.qp);
}

static void number_text(uint64_t v, table *out)
{
    table_cell(out, "%llu", (unsigned long long)v);
}

/* PSNs that form one sequence: not those of UD. */
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
    number_text(f->packets, out);
    number_text(f->bytes, out);
    table_cell(out, "%s", share(f->ce, f->packets - f->cnps, text));
    table_cell(out, "%s", answers(f, text));
    number_text(f->trimmed, out);
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
    const bool several = apart(f, &least, &median);
    const bool answered = flows_delay(t, f, &first_ns, &delay_ns);
    ends_text(f, out);
    number_text(f->cnps, out);
    table_cell(out, "%s", dscps(f->cnp_dscp, text));
    us_text(several, least, out);
    us_text(several, median, out);
    answered_text(t, f, out);
    us_text(answered, delay_ns, out);
    table_cell(out, "%.*s", (int)strcspn(pairing_name(f->paired), " "),
               pairing_name(f->paired));
}

static void pauses_text(const flows *t, FILE *out)
{
    char text[ADDRESS_BYTES];
    size_t i;
    for (i = 0; i < flows_count(t); i++) {
        const flow *f = flows_at(t, i);
        if (f->key.kind != FLOW_PAUSE) continue;
        fprintf(out, "PFC and PAUSE from %s: %llu pause, %llu resume\n",
                flows_address(f, &f->key.src, text), (unsigned long long)f->pauses,
                (unsigned long long)f->resumes);
    }
}

void flows_text(const flows *t, FILE *out)
{
    const flow **all = sorted(t);
    table *of_flows = table_new(flow_heads), *of_cnps = table_new(cnp_heads);
    bool any = false;
    size_t i;
    for (i = 0; i < flows_count(t); i++) {
        if (all[i]->key.kind != FLOW_PAUSE) flow_text(all[i], of_flows);
        if (all[i]->cnps == 0) continue;
        cnp_text(t, all[i], of_cnps);
        any = true;
    }
    table_print(of_flows, out);
    if (flows_count(t) == 0) fputs("no flows of RoCE, no PFC\n", out);
    if (any) putc('\n', out);
    table_print(of_cnps, out);
    pauses_text(t, out);
    free(all);
}

/* ---- JSON */

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

/* What a flow's CNPs are. */
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
    dscps_json("dscp", f->cnp_dscp, out);
    if (apart(f, &x, &y)) {
        number_json("least_apart_ns", x, out);
        number_json("median_apart_ns", y, out);
    }
    fputs(",\"known_by\":\"", out);
    print_name(PAIRINGS, f->paired, false, out);
    putc('"', out);
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

static void flow_json(const flows *t, const flow *f, FILE *out)
{
    char src[ADDRESS_BYTES], dst[ADDRESS_BYTES];
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
    number_json("bytes", f->bytes, out);
    number_json("first_ns", f->first_ns, out);
    number_json("last_ns", f->last_ns, out);
    number_json("ce", f->ce, out);
    if (f->ce != 0) number_json("first_ce_ns", f->first_ce_ns, out);
    number_json("trimmed", f->trimmed, out);
    number_json("naks", f->naks, out);
    number_json("rnr_naks", f->rnr_naks, out);
    dscps_json("dscp", f->dscp, out);
    psn_json(f, out);
    number_json("cnps", f->answers, out);
    number_json("fast_cnps", f->fast_answers, out);
    fprintf(out, ",\"cnps_disputed\":%s", f->disputed ? "true" : "false");
    cnp_json(t, f, out);
    fputs("}\n", out);
}

void flows_json(const flows *t, FILE *out)
{
    const flow **all = sorted(t);
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        flow_json(t, all[i], out);
    free(all);
}
