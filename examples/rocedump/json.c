/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * json.c - prints one object per frame and line, with a member per layer, named as in
 * "stack". Strings need no escapes, because they are names, addresses and hex digits.
 */
#include <string.h>

#include "../lib/vec.h"
#include "decode.h"
#include "next.h"

static void json_value(const field *f, const void *record, sink *to)
{
    const uint64_t v = field_get(f, record);
    switch (f->kind) {
    case ROCECC_FIELD_UINT:
    case ROCECC_FIELD_INT:
        field_write(f, record, to);
        break;
    case ROCECC_FIELD_BOOL:
        sink_text(to, v == 0 ? "false" : v == 1 ? "true" : "null");
        break;
    default:
        sink_char(to, '"');
        if (f->kind != ROCECC_FIELD_VIEW || v != 0) field_write(f, record, to);
        sink_char(to, '"');
    }
}

/* Prints the first n bytes of a name, with a comma before it unless it is first. */
static void json_key(bool first, const char *name, size_t n, sink *to)
{
    if (!first) sink_char(to, ',');
    sink_char(to, '"');
    sink_bytes(to, name, n);
    sink_text(to, "\":");
}

static void json_member(bool first, const field *f, const void *record, sink *to)
{
    json_key(first, f->name, strlen(f->name), to);
    json_value(f, record, to);
}

/* Prints quanta[0], quanta[1] and so on as one member. Returns their number. */
static size_t json_array(bool first, const field *f, size_t n, const void *record,
                         sink *to)
{
    const size_t stem = strcspn(f->name, "[");
    size_t i;
    json_key(first, f->name, stem, to);
    sink_char(to, '[');
    for (i = 0; i < n && strncmp(f[i].name, f->name, stem + 1) == 0; i++) {
        if (i > 0) sink_char(to, ',');
        json_value(&f[i], record, to);
    }
    sink_char(to, ']');
    return i;
}

/* Prints flow.src, flow.dst and so on as one member. Returns their number. */
static size_t json_object(bool first, const field *f, size_t n, const void *record,
                          sink *to)
{
    const size_t stem = strcspn(f->name, ".") + 1;
    size_t i;
    json_key(first, f->name, stem - 1, to);
    sink_char(to, '{');
    for (i = 0; i < n && strncmp(f[i].name, f->name, stem) == 0; i++) {
        json_key(i == 0, f[i].name + stem, strlen(f[i].name + stem), to);
        json_value(&f[i], record, to);
    }
    sink_char(to, '}');
    return i;
}

/* Prints nodes in the order of the path. The record has the first node last. */
static void json_nodes(const node_kind *kind, const void *record, sink *to)
{
    const uint8_t count = *((const uint8_t *)record + kind->count);
    size_t i, k;
    sink_text(to, ",\"nodes\":[");
    for (i = count; i-- > 0;) {
        const void *node = decode_node(kind, record, i);
        bool first = true;
        sink_text(to, i + 1 == count ? "{" : ",{");
        for (k = 0; k < kind->n; k++) {
            if (!decode_has(kind, node, k)) continue;
            json_member(first, &kind->fields[k], node, to);
            first = false;
        }
        sink_char(to, '}');
    }
    sink_char(to, ']');
}

static void json_levels(const decoded *d, sink *to);

static void json_record(const layer_kind *kind, const void *record, const void *inner,
                        sink *to)
{
    const layer whole = {kind, record, inner};
    const decoded *nested = decode_nested(&whole);
    size_t i = 0;
    sink_char(to, '{');
    while (i < kind->n) {
        const field *f = &kind->fields[i];
        if (strchr(f->name, '[') != NULL) {
            i += json_array(i == 0, f, kind->n - i, record, to);
        } else if (strchr(f->name, '.') != NULL) {
            i += json_object(i == 0, f, kind->n - i, record, to);
        } else {
            json_member(i == 0, f, record, to);
            i++;
        }
    }
    if (kind->nodes != NULL) json_nodes(kind->nodes, record, to);
    if (kind->inner != NULL) {
        json_key(false, kind->inner->name, strlen(kind->inner->name), to);
        if (inner == NULL)
            sink_text(to, "null");
        else
            json_record(kind->inner, inner, NULL, to);
    }
    if (nested != NULL) {
        sink_text(to, ",\"inner\":{");
        json_levels(nested, to);
    }
    sink_char(to, '}');
}

/* Prints layer i. The first of several layers with one name prints them all. */
static void json_layer(const decoded *d, size_t i, sink *to)
{
    const layer_kind *kind = d->layers[i].kind;
    size_t k;
    if (kind->many && decode_find(d, kind->name) != &d->layers[i]) return;
    json_key(false, kind->name, strlen(kind->name), to);
    if (kind->many) sink_char(to, '[');
    json_record(kind, d->layers[i].record, d->layers[i].inner, to);
    if (!kind->many) return;
    for (k = i + 1; k < d->n; k++) {
        if (d->layers[k].kind != kind) continue;
        sink_char(to, ',');
        json_record(kind, d->layers[k].record, d->layers[k].inner, to);
    }
    sink_char(to, ']');
}

/* Prints a record of a judgement, or null. */
static void json_detail(const layer_kind *kind, const void *record, sink *to)
{
    json_key(false, kind->name, strlen(kind->name), to);
    if (record != NULL)
        json_record(kind, record, NULL, to);
    else
        sink_text(to, "null");
}

/* Prints a role's judgement of a packet. */
static void json_judged(const judged *is, sink *to)
{
    const judge_members *m = judge_members_of(is);
    size_t i;
    sink_text(to, ",\"judge\":{\"verdict\":\"");
    sink_flush(to);
    judge_verdict(is, to->file);
    sink_char(to, '"');
    for (i = 0; i < m->n; i++) {
        const field *f = &m->fields[i];
        json_key(false, f->name, strlen(f->name), to);
        if (judge_has(is, f))
            json_value(f, is, to);
        else
            sink_text(to, "null");
    }
    if (m->icmp != NULL) json_detail(m->icmp, is->has_icmp ? &is->icmp : NULL, to);
    if (m->detail != NULL)
        json_detail(m->detail, is->has_detail ? (const char *)is + m->detail_at : NULL,
                    to);
    sink_char(to, '}');
}

/* Prints the members from "stack" on, and opens the packet inside. */
static void json_packet(const decoded *d, sink *to)
{
    size_t i;
    sink_text(to, "\"stack\":[");
    for (i = 0; i < d->n; i++) {
        sink_text(to, i == 0 ? "\"" : ",\"");
        sink_text(to, d->layers[i].kind->name);
        sink_char(to, '"');
    }
    sink_text(to, "],\"status\":\"");
    sink_text(to, vec_status_name(d->status));
    sink_char(to, '"');
    if (d->status != ROCECC_OK) {
        sink_text(to, ",\"at\":\"");
        sink_text(to, d->at);
        sink_char(to, '"');
    }
    for (i = 0; i < d->n; i++)
        json_layer(d, i, to);
    if (d->frame_length) sink_text(to, ",\"frame_length\":true");
    next_json(d, to);
    if (d->judged != NULL) json_judged(d->judged, to);
    if (d->inner != NULL) sink_text(to, ",\"inner\":{");
}

/* Prints a packet and the packets in it, each inside the one before. */
static void json_levels(const decoded *d, sink *to)
{
    const decoded *level;
    for (level = d; level != NULL; level = level->inner)
        json_packet(level, to);
    for (level = d; level != NULL; level = level->inner)
        sink_char(to, '}');
}

static void json_number(const char *key, uint64_t v, sink *to)
{
    sink_text(to, key);
    sink_decimal(to, v);
}

void json_frame(const packet *p, const decoded *d, FILE *out)
{
    sink to;
    sink_start(&to, out);
    json_number("{\"frame\":", p->number, &to);
    json_number(",\"time_ns\":", p->time_ns, &to);
    json_number(",\"len\":", p->len, &to);
    json_number(",\"caplen\":", p->bytes.end, &to);
    json_number(",\"iface\":", p->iface, &to);
    sink_char(&to, ',');
    json_levels(d, &to);
    sink_char(&to, '\n');
    sink_flush(&to);
}
