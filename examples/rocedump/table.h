/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_TABLE_H
#define ROCEDUMP_TABLE_H

/* table.h - a table as text, each column as wide as its widest cell. */
#include <stdio.h>

typedef struct table table;

/* The heads of the columns, with | between them. */
table *table_new(const char *heads);

/* The next cell, of this row or the next one; as printf() has it. */
void table_cell(table *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* To the right, the last column to the left; nothing where there is no row. Frees it.
 */
void table_print(table *t, FILE *out);

#endif /* ROCEDUMP_TABLE_H */
