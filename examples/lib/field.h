/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_FIELD_H
#define EXAMPLES_LIB_FIELD_H

/*
 * field.h - a struct's members as a table, by which the vectors, the tools and the laws
 * call them: the rows of rocecc/fields, printed, read and compared.
 */
#include <stdio.h>

#include "rocecc/bytes.h"
#include "rocecc/fields/field.h"
#include "rocecc/net.h"

#include "sink.h"

typedef rocecc_field field;

/* A row of rocecc/fields, or a short one: F(T, kind, member, names). */
#define FIELD_ROW(T, kind, member, ...)                                                \
    FIELD_ROW_(#member, ROCECC_FIELD_##kind, offsetof(T, member),                      \
               sizeof(((T *)0)->member), __VA_ARGS__, 0, "", "", 0)
#define FIELD_ROW_(name, kind, offset, size, names, bits, unit, about, ...)            \
    {name, kind, bits, offset, size, unit, names, about},

/* The same of a member that goes by another name, or stands where no struct says. */
#define FIELD_AT(name, kind, offset, size, names)                                      \
    {                                                                                  \
        name, ROCECC_FIELD_##kind, 0, offset, size, "", names, ""                      \
    }

/* The value as a number, of INT its two's complement; for VIEW, how many bytes; for an
 * address or BYTES, 0. */
uint64_t field_get(const field *f, const void *record);

/* Sets a member that is a number; false where it holds no such value. */
bool field_put(const field *f, void *record, uint64_t v);

/* Sets a member from its text; false where that is no value of the kind. */
bool field_set(const field *f, void *record, const char *text);

/* Writes the value as rocedump --json and the vectors spell it, without quotes. */
void field_write(const field *f, const void *record, sink *to);
void field_print(const field *f, const void *record, FILE *file);

/* Whether two records agree in a member. */
bool field_equal(const field *f, const void *a, const void *b);

#endif /* EXAMPLES_LIB_FIELD_H */
