/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_TABLE_H
#define ROCEDUMP_TABLE_H

/*
 * table.h - a table as text, each column as wide as its widest cell. The caller writes
 * all cells twice, so that the table needs no memory for them:
 *
 *     table t = table_of("flow|packets");
 *     rows(&t);                   measures the cells
 *     table_print(&t, stdout);    prints the heads, unless there are no rows
 *     rows(&t);                   prints the cells
 */
#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 24
#define TABLE_CELL_BYTES 64

typedef struct table {
    const char *heads;
    size_t columns;
    size_t n; /* cells so far, including the heads */
    int width[TABLE_COLUMNS_MAX];
    FILE *out; /* NULL while cells are measured */
} table;

/* Returns a table that measures. `heads` are the column heads, separated by |. */
table table_of(const char *heads);

/*
 * Measures or prints the next cell of this row or the next row. It is formatted like
 * printf(), and right-aligned, except for the last of a row.
 */
void table_cell(table *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Prints the heads if cells were measured. Cells are printed from now on. */
void table_print(table *t, FILE *out);

#endif /* ROCEDUMP_TABLE_H */
