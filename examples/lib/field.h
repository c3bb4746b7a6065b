/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_FIELD_H
#define EXAMPLES_LIB_FIELD_H

/*
 * field.h - tables of a struct's members, for the vectors, the tools and the laws. It
 * prints, reads and compares the members in the rows of rocecc/fields.
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

/* A row for a member under another name, or at an offset without a struct. */
#define FIELD_AT(name, kind, offset, size, names)                                      \
    {                                                                                  \
        name, ROCECC_FIELD_##kind, 0, offset, size, "", names, ""                      \
    }

/*
 * Returns the value as a number: INT in two's complement, VIEW as its number of bytes,
 * and an address or BYTES as 0.
 */
uint64_t field_get(const field *f, const void *record);

/* Sets a member from a number. Returns false if the member cannot have this value. */
bool field_put(const field *f, void *record, uint64_t v);

/* Sets a member from its text. Returns false if the text is not valid for its kind. */
bool field_set(const field *f, void *record, const char *text);

/* Writes the value as in rocedump --json and the vectors, without quotes. */
void field_write(const field *f, const void *record, sink *to);
void field_print(const field *f, const void *record, FILE *file);

/* Returns true if a member is equal in two records. */
bool field_equal(const field *f, const void *a, const void *b);

/* Returns what field_set() accepts for a member, as "expected ...". Each call
 * overwrites the text. */
const char *field_expected(const field *f);

#endif /* EXAMPLES_LIB_FIELD_H */
