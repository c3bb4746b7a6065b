/* SPDX-License-Identifier: BSD-2-Clause */

/* filter.c - applies -Y to a frame. */
#include <string.h>

#include "filter.h"

#define FRAME_MEMBERS(F, T)                                                            \
    F(T, UINT, frame, NULL)                                                            \
    F(T, UINT, time_ns, NULL)                                                          \
    F(T, UINT, len, NULL)                                                              \
    F(T, UINT, caplen, NULL)                                                           \
    F(T, UINT, iface, NULL)                                                            \
    F(T, ENUM, status, "ok end no_match short format unsupported range space")
static const field frame_fields[] = {FRAME_MEMBERS(FIELD_ROW, frame_record)};
const layer_kind filter_frame = ONE("frame", frame_fields);

bool filter_is_number(const field *f)
{
    switch (f->kind) {
    case ROCECC_FIELD_UINT:
    case ROCECC_FIELD_INT:
    case ROCECC_FIELD_BOOL:
    case ROCECC_FIELD_HEX:
        return true;
    default:
        return false;
    }
}

bool filter_is_counted(const field *f)
{
    return filter_is_number(f) || f->kind == ROCECC_FIELD_ENUM ||
           f->kind == ROCECC_FIELD_SET;
}

/* The result over all values so far. */
typedef struct met {
    bool any;   /* a value exists */
    bool equal; /* one is equal */
    bool so;    /* the comparison is true for one */
} met;

static bool so(compare is, int order)
{
    switch (is) {
    case LT:
        return order < 0;
    case LE:
        return order <= 0;
    case GT:
        return order > 0;
    case GE:
        return order >= 0;
    default:
        return order == 0;
    }
}

static int order_of(const field *f, uint64_t a, uint64_t b)
{
    const uint64_t sign = UINT64_C(1) << 63;
    if (f->kind == ROCECC_FIELD_INT) {
        a ^= sign;
        b ^= sign;
    }
    return a < b ? -1 : a > b;
}

/* Returns false for 0, false, null and an empty view. Other kinds are always there. */
static bool is_there(const field *f, const void *record)
{
    if (f->kind == ROCECC_FIELD_BOOL) return field_get(f, record) == 1;
    return (!filter_is_number(f) && f->kind != ROCECC_FIELD_VIEW) ||
           field_get(f, record) != 0;
}

static void meet(const test *t, const field *f, const void *record, met *m)
{
    uint8_t value[FILTER_VALUE_MAX];
    field alone = *f;
    int order;
    m->any = true;
    if (t->is == IS) {
        m->so |= is_there(f, record);
        return;
    }
    alone.offset = 0;
    if (filter_is_counted(f)) {
        order = order_of(f, field_get(f, record), t->number);
    } else {
        memcpy(value, (const char *)record + f->offset, f->size);
        order = field_equal(&alone, value, t->value) ? 0 : 1;
    }
    m->equal |= order == 0;
    m->so |= so(t->is, order);
}

static void meet_nodes(const test *t, const target *of, const void *record, met *m)
{
    const node_kind *nodes = of->nodes;
    const size_t k = (size_t)(of->f - nodes->fields);
    size_t i;
    for (i = 0; i < *((const uint8_t *)record + nodes->count); i++) {
        const void *node = decode_node(nodes, record, i);
        if (decode_has(nodes, node, k)) meet(t, of->f, node, m);
    }
}

static void meet_layer(const test *t, const layer *l, met *m)
{
    size_t i;
    for (i = 0; i < t->n; i++) {
        const target *of = &t->targets[i];
        const void *record = of->inner ? l->inner : l->record;
        if (of->kind != l->kind || record == NULL) continue;
        if (of->f == NULL)
            m->any = m->so = true;
        else if (of->nodes != NULL)
            meet_nodes(t, of, record, m);
        else
            meet(t, of->f, record, m);
    }
}

/* Tests members outside layers. Each packet has its own status. */
static void meet_frame(const test *t, const packet *p, const decoded *d, met *m)
{
    frame_record r = {.frame = p->number, .time_ns = p->time_ns, .len = p->len};
    const layer l = {&filter_frame, &r, NULL};
    r.caplen = (uint32_t)p->bytes.end;
    r.iface = p->iface;
    r.status = d->status;
    if (t->at) {
        const bool equal = d->at != NULL && strcmp(d->at, t->word) == 0;
        m->any |= d->at != NULL;
        m->equal |= equal;
        m->so |= t->is == IS ? d->at != NULL : equal;
        return;
    }
    if (t->targets[0].kind == &filter_frame) meet_layer(t, &l, m);
}

static bool passes(const test *t, const packet *p, const decoded *d)
{
    met m = {false, false, false};
    size_t i;
    for (; d != NULL; d = d->next) {
        meet_frame(t, p, d, &m);
        for (i = 0; i < d->n; i++)
            meet_layer(t, &d->layers[i], &m);
    }
    return t->is == NE ? m.any && !m.equal : m.so;
}

bool filter_passes(const filter *f, const packet *p, const decoded *d)
{
    bool stack[FILTER_STEPS_MAX];
    size_t i, n = 0;
    for (i = 0; i < f->n; i++) {
        const step *s = &f->steps[i];
        if (s->what == 't') {
            stack[n++] = passes(&f->tests[s->test], p, d);
        } else if (s->what == '!') {
            stack[n - 1] = !stack[n - 1];
        } else {
            n--;
            stack[n - 1] =
                s->what == '&' ? stack[n - 1] && stack[n] : stack[n - 1] || stack[n];
        }
    }
    return stack[0];
}
