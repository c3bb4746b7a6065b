/* SPDX-License-Identifier: BSD-2-Clause */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/vec.h"
#include "memory.h"

static const char *const wholes[] = {"",      "frame", "time_ns", "len", "caplen",
                                     "iface", "stack", "status",  "at"};

/* ---- parsing */

/* The rest of a key. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static bool take(cursor *c, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0) return false;
    c->at += n;
    return true;
}

/* Reads an index in brackets. */
static bool take_index(cursor *c, size_t *index)
{
    size_t v = 0;
    const char *at = c->at;
    if (at == c->end || *at++ != '[') return false;
    for (; at != c->end && *at >= '0' && *at <= '9' && v < 1000; at++)
        v = 10 * v + (size_t)(*at - '0');
    if (at == c->end || *at != ']' || at[-1] == '[') return false;
    c->at = at + 1;
    *index = v;
    return true;
}

static const field *member_of(const field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (strcmp(fields[i].name, name) == 0) return &fields[i];
    return NULL;
}

/* Returns the member of a key in a kind of layer, or NULL. */
static const field *field_of(const layer_kind *kind, const key *k)
{
    if (k->record != NULL) {
        if (kind->inner == NULL || strcmp(kind->inner->name, k->record) != 0)
            return NULL;
        kind = kind->inner;
    }
    if (!k->in_node) return member_of(kind->fields, kind->n, k->member);
    if (kind->nodes == NULL) return NULL;
    return member_of(kind->nodes->fields, kind->nodes->n, k->member);
}

/* Reads the rest of a key after the name of a layer. */
static bool member_key(const layer_kind *kind, cursor c, key *k)
{
    size_t n;
    cursor rest;
    k->index = 0;
    if (kind->many) (void)take_index(&c, &k->index);
    if (!take(&c, ".")) return false;
    rest = c;
    k->record = NULL;
    if (kind->inner != NULL && take(&rest, kind->inner->name) && take(&rest, ".")) {
        k->record = kind->inner->name;
        c = rest;
    }
    rest = c;
    k->in_node =
        take(&rest, "nodes") && take_index(&rest, &k->node) && take(&rest, ".");
    if (k->in_node) c = rest;
    n = (size_t)(c.end - c.at);
    if (n >= sizeof k->member) return false;
    memcpy(k->member, c.at, n);
    k->member[n] = '\0';
    k->layer = kind->name;
    return field_of(kind, k) != NULL;
}

bool key_of(const char *text, size_t n, key *k)
{
    cursor c = {text, text + n};
    const layer_kind *kind;
    size_t i;
    memset(k, 0, sizeof *k);
    while (take(&c, "inner."))
        k->depth++;
    for (i = KEY_FRAME; i < COUNT(wholes); i++) {
        cursor rest = c;
        if (!take(&rest, wholes[i]) || rest.at != rest.end) continue;
        k->whole = (uint8_t)i;
        return k->depth == 0 || i >= KEY_STACK;
    }
    for (i = 0; (kind = decode_kind(i)) != NULL; i++) {
        cursor rest = c;
        if (take(&rest, kind->name) && member_key(kind, rest, k)) return true;
    }
    return false;
}

/* ---- values */

static bool whole_print(const key *k, const packet *p, const decoded *d, FILE *out)
{
    size_t i;
    switch (k->whole) {
    case KEY_FRAME:
        return fprintf(out, "%llu", (unsigned long long)p->number) > 0;
    case KEY_TIME_NS:
        return fprintf(out, "%llu", (unsigned long long)p->time_ns) > 0;
    case KEY_LEN:
        return fprintf(out, "%lu", (unsigned long)p->len) > 0;
    case KEY_CAPLEN:
        return fprintf(out, "%lu", (unsigned long)p->bytes.end) > 0;
    case KEY_IFACE:
        return fprintf(out, "%lu", (unsigned long)p->iface) > 0;
    case KEY_STATUS:
        return fputs(vec_status_name(d->status), out) >= 0;
    case KEY_AT:
        return d->status != ROCECC_OK && fputs(d->at, out) >= 0;
    default:
        for (i = 0; i < d->n; i++)
            fprintf(out, i == 0 ? "%s" : " %s", d->layers[i].kind->name);
        return true;
    }
}

static bool value_print(const field *f, const void *record, FILE *out)
{
    const uint64_t v = field_get(f, record);
    if (f->kind == ROCECC_FIELD_BOOL && v > 1) return false; /* null */
    if (f->kind == ROCECC_FIELD_BOOL)
        fputs(v == 0 ? "false" : "true", out);
    else if (f->kind != ROCECC_FIELD_VIEW || v != 0)
        field_print(f, record, out);
    return true;
}

/* Prints a member of a node. Node 0 is first on the path, and last in the record. */
static bool node_print(const node_kind *kind, const key *k, const void *record,
                       const field *f, FILE *out)
{
    const size_t count = *((const uint8_t *)record + kind->count);
    const void *node;
    if (k->node >= count) return false;
    node = decode_node(kind, record, count - 1 - k->node);
    return decode_has(kind, node, (size_t)(f - kind->fields)) &&
           value_print(f, node, out);
}

static bool layer_print(const key *k, const layer *l, FILE *out)
{
    const field *f = field_of(l->kind, k);
    const layer_kind *kind = k->record != NULL ? l->kind->inner : l->kind;
    const void *record = k->record != NULL ? l->inner : l->record;
    if (f == NULL || record == NULL) return false;
    if (k->in_node) return node_print(kind->nodes, k, record, f, out);
    return value_print(f, record, out);
}

bool key_print(const key *k, const packet *p, const decoded *d, FILE *out)
{
    size_t i, n = 0;
    unsigned depth;
    for (depth = 0; depth < k->depth; depth++) {
        d = d->inner;
        if (d == NULL) return false;
    }
    if (k->whole != KEY_MEMBER) return whole_print(k, p, d, out);
    for (i = 0; i < d->n; i++)
        if (strcmp(d->layers[i].kind->name, k->layer) == 0 && n++ == k->index)
            return layer_print(k, &d->layers[i], out);
    return false;
}

/* ---- lists */

struct keys {
    const char *list;
    key *key;
    size_t n, room;
};

keys *keys_of(const char *list, const char **bad)
{
    keys *k = memory(1, sizeof *k);
    k->list = list;
    for (;;) {
        const size_t n = strcspn(list, ",");
        *bad = list;
        k->key = memory_grow(k->key, k->n, &k->room, sizeof *k->key);
        if (!key_of(list, n, &k->key[k->n++])) break;
        if (list[n] == '\0') return k;
        list += n + 1;
    }
    free(k->key);
    free(k);
    return NULL;
}

void keys_head(const keys *k, FILE *out)
{
    fprintf(out, "%s\n", k->list);
}

void keys_row(const keys *k, const packet *p, const decoded *d, FILE *out)
{
    size_t i;
    for (i = 0; i < k->n; i++) {
        if (i != 0) putc(',', out);
        (void)key_print(&k->key[i], p, d, out);
    }
    putc('\n', out);
}
