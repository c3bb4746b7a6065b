/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * json.c - one object per frame and line: a member per layer, named as in "stack". No
 * string needs an escape: they are names, addresses and hex digits.
 */
#include <string.h>

#include "../lib/vec.h"
#include "decode.h"

static void json_value(const field *f, const void *record, FILE *out)
{
    const uint64_t v = field_get(f, record);
    switch (f->kind) {
    case ROCECC_FIELD_UINT:
    case ROCECC_FIELD_INT:
        field_print(f, record, out);
        break;
    case ROCECC_FIELD_BOOL:
        fputs(v == 0 ? "false" : v == 1 ? "true" : "null", out);
        break;
    default:
        putc('"', out);
        if (f->kind != ROCECC_FIELD_VIEW || v != 0) field_print(f, record, out);
        putc('"', out);
    }
}

/* A comma before all members but the first. */
static void json_member(bool first, const field *f, const void *record, FILE *out)
{
    fprintf(out, "%s\"%s\":", first ? "" : ",", f->name);
    json_value(f, record, out);
}

/* quanta[0], quanta[1] and so on as one member; gives how many of n fields they are. */
static size_t json_array(bool first, const field *f, size_t n, const void *record,
                         FILE *out)
{
    const size_t stem = strcspn(f->name, "[");
    size_t i;
    fprintf(out, "%s\"%.*s\":[", first ? "" : ",", (int)stem, f->name);
    for (i = 0; i < n && strncmp(f[i].name, f->name, stem + 1) == 0; i++) {
        if (i > 0) putc(',', out);
        json_value(&f[i], record, out);
    }
    putc(']', out);
    return i;
}

/* flow.src, flow.dst and so on as one member; gives how many of n fields they are. */
static size_t json_object(bool first, const field *f, size_t n, const void *record,
                          FILE *out)
{
    const size_t stem = strcspn(f->name, ".") + 1;
    size_t i;
    fprintf(out, "%s\"%.*s\":{", first ? "" : ",", (int)stem - 1, f->name);
    for (i = 0; i < n && strncmp(f[i].name, f->name, stem) == 0; i++) {
        fprintf(out, "%s\"%s\":", i == 0 ? "" : ",", f[i].name + stem);
        json_value(&f[i], record, out);
    }
    putc('}', out);
    return i;
}

/* As their packet met them: the first on the path first, which a packet has last. */
static void json_nodes(const node_kind *kind, const void *record, FILE *out)
{
    const uint8_t count = *((const uint8_t *)record + kind->count);
    size_t i, k;
    fputs(",\"nodes\":[", out);
    for (i = count; i-- > 0;) {
        const void *node = decode_node(kind, record, i);
        bool first = true;
        fputs(i + 1 == count ? "{" : ",{", out);
        for (k = 0; k < kind->n; k++) {
            if (!decode_has(kind, node, k)) continue;
            json_member(first, &kind->fields[k], node, out);
            first = false;
        }
        putc('}', out);
    }
    putc(']', out);
}

static void json_record(const layer_kind *kind, const void *record, const void *inner,
                        FILE *out)
{
    size_t i = 0;
    putc('{', out);
    while (i < kind->n) {
        const field *f = &kind->fields[i];
        if (strchr(f->name, '[') != NULL) {
            i += json_array(i == 0, f, kind->n - i, record, out);
        } else if (strchr(f->name, '.') != NULL) {
            i += json_object(i == 0, f, kind->n - i, record, out);
        } else {
            json_member(i == 0, f, record, out);
            i++;
        }
    }
    if (kind->nodes != NULL) json_nodes(kind->nodes, record, out);
    if (kind->inner != NULL) {
        fprintf(out, ",\"%s\":", kind->inner->name);
        if (inner == NULL)
            fputs("null", out);
        else
            json_record(kind->inner, inner, NULL, out);
    }
    putc('}', out);
}

/* Layer i, and with the first of several all others of the name. */
static void json_layer(const decoded *d, size_t i, FILE *out)
{
    const layer_kind *kind = d->layers[i].kind;
    size_t k;
    if (kind->many && decode_find(d, kind->name) != &d->layers[i]) return;
    fprintf(out, kind->many ? ",\"%s\":[" : ",\"%s\":", kind->name);
    json_record(kind, d->layers[i].record, d->layers[i].inner, out);
    if (!kind->many) return;
    for (k = i + 1; k < d->n; k++) {
        if (d->layers[k].kind != kind) continue;
        putc(',', out);
        json_record(kind, d->layers[k].record, d->layers[k].inner, out);
    }
    putc(']', out);
}

/* What a role says of a packet. */
static void json_judged(const judged *is, FILE *out)
{
    const judge_members *m = judge_members_of(is);
    size_t i;
    fputs(",\"judge\":{\"verdict\":\"", out);
    judge_verdict(is, out);
    putc('"', out);
    for (i = 0; i < m->n; i++) {
        const field *f = &m->fields[i];
        if (judge_has(is, f))
            json_member(false, f, is, out);
        else
            fprintf(out, ",\"%s\":null", f->name);
    }
    if (m->detail != NULL) {
        fprintf(out, ",\"%s\":", m->detail->name);
        if (is->has_detail)
            json_record(m->detail, (const char *)is + m->detail_at, NULL, out);
        else
            fputs("null", out);
    }
    putc('}', out);
}

/* From "stack" on; and the packet inside. */
static void json_packet(const decoded *d, FILE *out)
{
    size_t i;
    fputs("\"stack\":[", out);
    for (i = 0; i < d->n; i++)
        fprintf(out, i == 0 ? "\"%s\"" : ",\"%s\"", d->layers[i].kind->name);
    fprintf(out, "],\"status\":\"%s\"", vec_status_name(d->status));
    if (d->status != ROCECC_OK) fprintf(out, ",\"at\":\"%s\"", d->at);
    for (i = 0; i < d->n; i++)
        json_layer(d, i, out);
    if (d->judged != NULL) json_judged(d->judged, out);
    if (d->inner != NULL) fputs(",\"inner\":{", out);
}

void json_frame(const packet *p, const decoded *d, FILE *out)
{
    const decoded *level;
    fprintf(out, "{\"frame\":%llu,\"time_ns\":%llu,\"len\":%lu,\"caplen\":%lu,",
            (unsigned long long)p->number, (unsigned long long)p->time_ns,
            (unsigned long)p->len, (unsigned long)p->bytes.end);
    for (level = d; level != NULL; level = level->inner)
        json_packet(level, out);
    for (level = d; level != NULL; level = level->inner)
        putc('}', out);
    putc('\n', out);
}
