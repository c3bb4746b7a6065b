/* SPDX-License-Identifier: BSD-2-Clause */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define COLUMNS_MAX 24
#define CELL_BYTES 64

typedef struct cell {
    char text[CELL_BYTES];
} cell;

struct table {
    size_t columns;
    int width[COLUMNS_MAX];
    cell *cell;
    size_t n, room;
};

static cell *next(table *t)
{
    t->cell = memory_grow(t->cell, t->n, &t->room, sizeof *t->cell);
    return &t->cell[t->n++];
}

static void measure(table *t, const cell *c)
{
    int *width = &t->width[(t->n - 1) % t->columns];
    const int n = (int)strlen(c->text);
    if (n > *width) *width = n;
}

table *table_new(const char *heads)
{
    table *t = memory(1, sizeof *t);
    const char *at = heads;
    for (t->columns = 1; (at = strchr(at, '|')) != NULL; at++)
        t->columns++;
    while (t->n < t->columns) {
        cell *c = next(t);
        const size_t n = strcspn(heads, "|");
        snprintf(c->text, sizeof c->text, "%.*s", (int)n, heads);
        measure(t, c);
        heads += n + 1;
    }
    return t;
}

void table_cell(table *t, const char *format, ...)
{
    cell *c = next(t);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->text, sizeof c->text, format, args);
    va_end(args);
    measure(t, c);
}

void table_print(table *t, FILE *out)
{
    const size_t last = t->columns - 1;
    size_t i;
    for (i = 0; t->n > t->columns && i < t->n; i++) {
        const char *text = t->cell[i].text;
        if (i % t->columns == last)
            fprintf(out, "%s\n", text);
        else
            fprintf(out, "%*s  ", t->width[i % t->columns], text);
    }
    free(t->cell);
    free(t);
}
