/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FIELD_H
#define TESTS_LIB_FIELD_H

/*
 * field.h - a struct's members as a table, so that the vectors, the tools and the
 * laws call them by the same names. Made from the list in tests/law/<noun>.h.
 */
#include <stdio.h>

#include "rocecc/bytes.h"
#include "rocecc/net.h"

typedef enum field_kind {
    FIELD_UINT, /* printed in decimal */
    FIELD_INT,  /* the same, with a sign */
    FIELD_BOOL,
    FIELD_ENUM, /* one of names, counted from 0 */
    FIELD_SET,  /* names of the bits, from the lowest */
    FIELD_HEX,  /* a 64-bit number, printed as 16 bare hex digits */
    FIELD_MAC,  /* a rocecc_mac: aa:bb:cc:dd:ee:ff */
    FIELD_IP4,  /* a rocecc_ip4: 192.0.2.1 */
    FIELD_IP6,  /* a rocecc_ip6, as RFC 5952 spells it: 2001:db8::1, ::ffff:192.0.2.1 */
    FIELD_VIEW, /* a rocecc_reader: bytes, printed as bare hex */
    FIELD_BYTES /* an array of bytes, printed as bare hex */
} field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    size_t offset;
    size_t size;
    const char *names; /* separated by blanks */
} field;

#define FIELD_ROW(T, kind, member, names)                                              \
    {#member, FIELD_##kind, offsetof(T, member), sizeof(((T *)0)->member), names},

/* The value as a number, of INT its two's complement; for VIEW, how many bytes; for an
 * address or BYTES, 0. */
uint64_t field_get(const field *f, const void *record);

/* Sets a member that is a number; false where it holds no such value. */
bool field_put(const field *f, void *record, uint64_t v);

/* Sets a member from its text; false where that is no value of the kind. */
bool field_set(const field *f, void *record, const char *text);

/* Writes the value as rocedump --json and the vectors spell it, without quotes. */
void field_print(const field *f, const void *record, FILE *out);

/* Whether two records agree in a member. */
bool field_equal(const field *f, const void *a, const void *b);

#endif /* TESTS_LIB_FIELD_H */
