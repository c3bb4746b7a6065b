/* SPDX-License-Identifier: BSD-2-Clause */

/* stack.c - makes layers from words of the command line, and finds members for keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/hex.h"
#include "../lib/vec.h"
#include "gen.h"

static const kind *kind_find(const char *name, size_t n)
{
    size_t i;
    for (i = 0; i < n_kinds; i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, name, n) == 0)
            return &kinds[i];
    return NULL;
}

static bool is(const layer *l, const char *name)
{
    return strcmp(l->kind->name, name) == 0;
}

bool frame_is(const frame *f, size_t i, const char *name)
{
    return i < f->n && is(&f->layers[i], name);
}

bool layer_is_option(const kind *k)
{
    return strcmp(k->name, "ioam") == 0 || strcmp(k->name, "fastcnp") == 0;
}

/* Returns a zeroed struct for a layer. It is never freed. */
static void *record_of(const kind *k)
{
    const size_t size = k->size != 0 ? k->size : kind_noun(k->nouns[0])->size;
    void *record = calloc(1, size);
    size_t p, i;
    if (record == NULL) exit(gen_bad("out of memory", ""));
    for (p = 0; p < COUNT(k->nouns) && k->nouns[p] != NULL; p++) {
        const noun *n = kind_noun(k->nouns[p]);
        noun_clear(n->fields, n->n, (char *)record + k->at[p]);
    }
    for (i = 0; k->nodes != NULL && i < NODES_MAX; i++) {
        const noun *n = kind_noun(k->nodes);
        noun_clear(n->fields, n->n, (char *)record + k->nodes_at + i * n->size);
    }
    return record;
}

void layer_restart(layer *l)
{
    l->record = record_of(l->kind);
    layer_default(l);
}

static int push(frame *f, const kind *k)
{
    const layer *last = f->n > 0 ? &f->layers[f->n - 1] : NULL;
    layer *l = &f->layers[f->n];
    if (f->n == LAYERS_MAX) return gen_usage("more than 48 layers", k->name, NULL);
    l->kind = k;
    l->level = last == NULL ? 0 : last->level;
    if (last != NULL && last->kind->tunnel && strcmp(k->name, "erspan2") != 0)
        l->level++; /* ERSPAN belongs to its GRE */
    if (last != NULL && is(last, "udp") && strcmp(k->name, "mpls") == 0)
        l->level++; /* MPLS in UDP has no header of its own */
    layer_restart(l);
    f->n++;
    return 0;
}

/* Returns the header that an option needs before it. */
static const char *header_of(const kind *k)
{
    return strcmp(k->name, "fastcnp") == 0 ? "dstopts" : "hopopts";
}

int frame_word(frame *f, const char *word)
{
    const kind *k = kind_find(word, strlen(word));
    nearest near = {word, 0, ""};
    size_t i, before;
    if (k == NULL) {
        for (i = 0; i < n_kinds; i++)
            nearest_offer(&near, kinds[i].name);
        return gen_usage(nearest_name(&near) != NULL
                             ? "unknown layer"
                             : "unknown layer; --layers lists all",
                         word, nearest_name(&near));
    }
    if (strcmp(word, "cnm") == 0 && f->n > 0 && is(&f->layers[f->n - 1], "l3qcn"))
        return 0; /* l3qcn also writes the CNM */
    for (before = f->n; before > 0 && layer_is_option(f->layers[before - 1].kind);)
        before--;
    if (layer_is_option(k) &&
        (before == 0 || !is(&f->layers[before - 1], header_of(k)))) {
        const char *header = header_of(k);
        const int failed = push(f, kind_find(header, strlen(header)));
        if (failed != 0) return failed;
    }
    for (i = before; i < f->n && strcmp(word, "fastcnp") == 0; i++)
        if (is(&f->layers[i], word))
            return gen_usage("a header has room for only one Fast CNP", word, NULL);
    return push(f, k);
}

/* A member of a kind, with the offset of the struct that has it. */
typedef struct member {
    const field *field;
    size_t offset;
    size_t count; /* number of nodes needed */
} member;

/*
 * Looks up a noun's member by its whole name and, with `part`, also by the part after
 * the last point.
 */
static const field *field_of(const noun *n, const char *name, bool part)
{
    size_t i;
    for (i = 0; i < n->n; i++) {
        const char *dot = strrchr(n->fields[i].name, '.');
        if (strcmp(n->fields[i].name, name) == 0) return &n->fields[i];
        if (part && dot != NULL && strcmp(dot + 1, name) == 0) return &n->fields[i];
    }
    return NULL;
}

/* Looks up a node's member, such as "nodes[2].queue_depth". */
static bool node_member(const kind *k, const char *name, member *m)
{
    const noun *n = k->nodes != NULL ? kind_noun(k->nodes) : NULL;
    const size_t stem = n != NULL ? strlen(k->nodes_name) : 0;
    char *end;
    unsigned long i;
    if (n == NULL || strncmp(name, k->nodes_name, stem) != 0 || name[stem] != '[')
        return false;
    i = strtoul(name + stem + 1, &end, 10);
    if (end == name + stem + 1 || strncmp(end, "].", 2) != 0 || i >= NODES_MAX)
        return false;
    m->field = field_of(n, end + 2, false);
    m->offset = k->nodes_at + i * n->size;
    m->count = i + 1;
    return m->field != NULL;
}

/*
 * Returns the prefix of members in nouns[p]. It is "ioam." after the first noun if the
 * nodes have this prefix, and empty otherwise.
 */
const char *kind_prefix(const kind *k, size_t p)
{
    return p > 0 && k->nodes != NULL && strncmp(k->nodes_name, "ioam.", 5) == 0
               ? "ioam."
               : "";
}

static bool member_of(const kind *k, const char *name, bool part, member *m)
{
    size_t p;
    if (node_member(k, name, m)) return true;
    for (p = 0; p < COUNT(k->nouns) && k->nouns[p] != NULL; p++) {
        const char *prefix = kind_prefix(k, p);
        const size_t skip = strlen(prefix);
        if (strncmp(name, prefix, skip) != 0) continue;
        m->field = field_of(kind_noun(k->nouns[p]), name + skip, part);
        m->offset = k->at[p];
        m->count = 0;
        if (m->field != NULL) return true;
    }
    return false;
}

const field *kind_field(const kind *k, const char *name, size_t *offset)
{
    member m = {NULL, 0, 0};
    (void)member_of(k, name, false, &m);
    *offset = m.offset;
    return m.field;
}

void frame_put(frame *f, size_t i, const char *name, uint64_t v)
{
    size_t offset;
    const layer *l = &f->layers[i];
    const field *at = kind_field(l->kind, name, &offset);
    if (at != NULL) (void)field_put(at, (char *)l->record + offset, v);
}

/*
 * Offers every member of every layer as a key, with node 0 for all nodes. Returns the
 * nearest key, or NULL.
 */
static const char *nearest_key(const frame *f, nearest *near)
{
    char name[128];
    size_t i, p, k;
    for (i = 0; i < f->n; i++) {
        const kind *kd = f->layers[i].kind;
        for (p = 0; p < COUNT(kd->nouns) && kd->nouns[p] != NULL; p++) {
            const noun *n = kind_noun(kd->nouns[p]);
            for (k = 0; k < n->n; k++) {
                snprintf(name, sizeof name, "%s.%s%s", kd->name, kind_prefix(kd, p),
                         n->fields[k].name);
                nearest_offer(near, name);
            }
        }
        if (kd->nodes == NULL) continue;
        for (k = 0; k < kind_noun(kd->nodes)->n; k++) {
            snprintf(name, sizeof name, "%s.%s[0].%s", kd->name, kd->nodes_name,
                     kind_noun(kd->nodes)->fields[k].name);
            nearest_offer(near, name);
        }
    }
    return nearest_name(near);
}

/*
 * Returns layer i of a kind at a level, or f->n. Each level counts from 0. If level 0
 * has no such layer, the deeper levels are searched in turn.
 */
static size_t find_layer(const frame *f, const kind *k, unsigned level, unsigned long i)
{
    const unsigned deepest = level == 0 ? f->layers[f->n - 1].level : level;
    for (; level <= deepest; level++) {
        unsigned long nth = 0;
        size_t n;
        for (n = 0; n < f->n; n++)
            if (f->layers[n].kind == k && f->layers[n].level == level && nth++ == i)
                return n;
    }
    return f->n;
}

/* Looks up a key of one layer, such as "ipv4[1].src". */
static bool layer_key(const frame *f, const char *name, unsigned level, size_t *at,
                      member *m)
{
    const size_t n = strcspn(name, ".[");
    const kind *k = kind_find(name, n);
    unsigned long i = 0;
    const char *rest = name + n;
    if (k == NULL || f->n == 0) return false;
    if (*rest == '[') {
        char *end;
        i = strtoul(rest + 1, &end, 10);
        if (end == rest + 1 || *end != ']') return false;
        rest = end + 1;
    }
    *at = find_layer(f, k, level, i);
    return *rest == '.' && *at != f->n && member_of(k, rest + 1, false, m);
}

/* Looks up a key without a layer, in the innermost layer with the member. */
static bool any_key(const frame *f, const char *name, bool part, size_t *at, member *m)
{
    for (*at = f->n; (*at)-- > 0;)
        if (member_of(f->layers[*at].kind, name, part, m)) return true;
    return false;
}

static bool resolve(const frame *f, const char *name, size_t *at, member *m)
{
    unsigned level = 0;
    while (strncmp(name, "inner.", 6) == 0) {
        name += 6;
        level++;
    }
    return layer_key(f, name, level, at, m) || any_key(f, name, false, at, m) ||
           any_key(f, name, true, at, m);
}

int frame_key(frame *f, const char *text)
{
    char name[128];
    const size_t n = strcspn(text, "=");
    nearest near = {name, 0, ""};
    member m = {NULL, 0, 0};
    keyed *k = &f->keys[f->n_keys];
    bool hex;
    if (f->n_keys == KEYS_MAX) return gen_usage("more than 512 keys", text, NULL);
    if (n >= sizeof name)
        return gen_usage("unknown key; a key has less than 128 characters", text, NULL);
    memcpy(name, text, n);
    name[n] = '\0';
    if (!resolve(f, name, &k->layer, &m)) {
        const char *close = nearest_key(f, &near);
        return gen_usage(close != NULL
                             ? "unknown key in these layers"
                             : "unknown key in these layers; --layers lists all keys",
                         name, close);
    }
    f->views += m.field->kind == ROCECC_FIELD_VIEW;
    if (f->views > VEC_PAIRS)
        return gen_usage("more than 64 keys with bytes", text, NULL);
    k->field = m.field;
    k->offset = m.offset;
    k->text = text;
    k->value = text + n + 1;
    hex = k->field->kind == ROCECC_FIELD_HEX;
    if ((hex && *hex_digits(k->field, k->value) == '\0') ||
        !noun_set(k->field, (char *)f->layers[k->layer].record + k->offset, k->value))
        return gen_usage(hex ? hex_expected(k->field) : field_expected(k->field), text,
                         NULL);
    if (m.count > 0) {
        const kind *kd = f->layers[k->layer].kind;
        size_t *count =
            (size_t *)(void *)((char *)f->layers[k->layer].record + kd->count_at);
        if (m.count > *count) *count = m.count;
    }
    f->n_keys++;
    return 0;
}

bool frame_given(const frame *f, size_t i, const char *name)
{
    const size_t n = strlen(name);
    size_t k;
    for (k = 0; k < f->n_keys; k++) {
        const char *is = f->keys[k].field->name;
        if (k == f->without) continue;
        if (f->keys[k].layer == i && strncmp(is, name, n) == 0 &&
            (is[n] == '\0' || name[n - 1] == '.'))
            return true;
    }
    return false;
}
