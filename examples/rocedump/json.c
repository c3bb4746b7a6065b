/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * json.c - one object per frame and line: a member per layer, named as in "stack". No
 * string needs an escape: they are names, addresses and hex digits.
 */
#include <string.h>

#include "../../tests/lib/vec.h"
#include "decode.h"

static void json_value(const field *f, const void *record, FILE *out)
{
    const uint64_t v = field_get(f, record);
    switch (f->kind) {
    case FIELD_UINT:
        field_print(f, record, out);
        break;
    case FIELD_BOOL:
        fputs(v == 0 ? "false" : v == 1 ? "true" : "null", out);
        break;
    default:
        putc('"', out);
        if (f->kind != FIELD_VIEW || v != 0) field_print(f, record, out);
        putc('"', out);
    }
}

static void json_record(const layer *l, FILE *out)
{
    const layer_kind *inner = l->kind->inner;
    size_t i;
    for (i = 0; i < l->kind->n; i++) {
        fprintf(out, "%c\"%s\":", i == 0 ? '{' : ',', l->kind->fields[i].name);
        json_value(&l->kind->fields[i], l->record, out);
    }
    if (inner != NULL)
        fprintf(out, ",\"%s\":%s", inner->name, l->inner == NULL ? "null" : "");
    for (i = 0; l->inner != NULL && i < inner->n; i++) {
        fprintf(out, "%c\"%s\":", i == 0 ? '{' : ',', inner->fields[i].name);
        json_value(&inner->fields[i], l->inner, out);
    }
    fputs(l->inner != NULL ? "}}" : "}", out);
}

/* Layer i, and with the first of several all others of the name. */
static void json_layer(const decoded *d, size_t i, FILE *out)
{
    const layer_kind *kind = d->layers[i].kind;
    size_t k;
    if (kind->many && decode_find(d, kind->name) != &d->layers[i]) return;
    fprintf(out, kind->many ? ",\"%s\":[" : ",\"%s\":", kind->name);
    json_record(&d->layers[i], out);
    if (!kind->many) return;
    for (k = i + 1; k < d->n; k++) {
        if (d->layers[k].kind != kind) continue;
        putc(',', out);
        json_record(&d->layers[k], out);
    }
    putc(']', out);
}

void json_frame(const packet *p, const decoded *d, FILE *out)
{
    size_t i;
    fprintf(out,
            "{\"frame\":%llu,\"time_ns\":%llu,\"len\":%lu,\"caplen\":%lu,\"stack\":[",
            (unsigned long long)p->number, (unsigned long long)p->time_ns,
            (unsigned long)p->len, (unsigned long)p->bytes.end);
    for (i = 0; i < d->n; i++)
        fprintf(out, i == 0 ? "\"%s\"" : ",\"%s\"", d->layers[i].kind->name);
    fprintf(out, "],\"status\":\"%s\"", vec_status_name(d->status));
    if (d->status != ROCECC_OK) fprintf(out, ",\"at\":\"%s\"", d->at);
    for (i = 0; i < d->n; i++)
        json_layer(d, i, out);
    fputs("}\n", out);
}
