/* SPDX-License-Identifier: BSD-2-Clause */
#include "table.h"

#include <stdarg.h>
#include <string.h>

static void put(table *t, const char *text)
{
    const size_t column = t->n++ % t->columns;
    int *width = &t->width[column];
    const int n = (int)strlen(text);
    if (t->out == NULL)
        *width = n > *width ? n : *width;
    else if (column == t->columns - 1)
        fprintf(t->out, "%s\n", text);
    else
        fprintf(t->out, "%*s  ", *width, text);
}

static void put_heads(table *t)
{
    const char *at = t->heads;
    size_t i;
    t->n = 0;
    for (i = 0; i < t->columns; i++) {
        const size_t n = strcspn(at, "|");
        table_cell(t, "%.*s", (int)n, at);
        at += n + 1;
    }
}

table table_of(const char *heads)
{
    table t = {0};
    t.heads = heads;
    for (t.columns = 1; (heads = strchr(heads, '|')) != NULL; heads++)
        t.columns++;
    put_heads(&t);
    return t;
}

void table_cell(table *t, const char *format, ...)
{
    char text[TABLE_CELL_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put(t, text);
}

void table_print(table *t, FILE *out)
{
    const size_t measured = t->n;
    t->out = out;
    if (measured > t->columns) put_heads(t);
}
