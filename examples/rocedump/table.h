/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_TABLE_H
#define ROCEDUMP_TABLE_H

/* table.h - a table as text, each column as wide as its widest cell. */
#include <stdio.h>

typedef struct table table;

/* Creates a table from its column heads, separated by |. */
table *table_new(const char *heads);

/* Adds a cell to this row or the next, formatted like printf(). */
void table_cell(table *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/*
 * Prints the columns right-aligned, except for the last one. Prints nothing if there
 * are no rows. Frees the table.
 */
void table_print(table *t, FILE *out);

#endif /* ROCEDUMP_TABLE_H */
