/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_FIELD_H
#define ROCECC_FIELDS_FIELD_H

/*
 * field.h - what a row of the tables in this folder says. Each header here has the
 * members of the structs of one header of the library, in the order of the wire, as a
 * list of rows F(T, kind, member, names, bits, unit, about):
 *
 *      kind    how it is shown: UINT, BOOL and so on, see rocecc_field_kind
 *      names   of ENUM the values' from 0 on, of SET the bits' from the lowest on,
 *              blanks between them; of others NULL
 *      bits    how wide it is on the wire; 0 for what is not there or has no one width
 *      unit    "bytes", "ns", "8 bytes" (it counts them); "" for a plain number
 *      about   what it means, in a few words
 *
 * The caller says what F makes of a row, and of which struct. A dissector needs a line:
 *
 *      #include "rocecc/fields/bth.h"
 *      #include "rocecc/fields/field.h"
 *
 *      static const rocecc_field rows[] = {
 *          ROCECC_BTH_FIELDS(ROCECC_FIELD_ROW, rocecc_bth)};
 *      rocecc_bth h;
 *      size_t i;
 *      (void)rocecc_bth_parse(&r, &h);
 *      for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
 *          show(rows[i].name, (const uint8_t *)&h + rows[i].offset, rows[i].size);
 *
 * shows "opcode", 1 byte, "solicited", 1 byte, ... "dest_qp", 4 bytes, of which 24 bits
 * are on the wire, and so on. Bits of the wire without a member (a version that parse()
 * compares, a length that a view has) have no row, so the rows need not add up to the
 * header's length. Lists ..._PARAMS are of an algorithm's parameters and have other
 * rows: P(T, kind, member, names, unit, range, source).
 *
 * No header of the library includes this folder, rocecc.h neither: it costs nobody
 * anything who does not ask for it.
 */
#include "../base.h"

typedef enum rocecc_field_kind_ {
    ROCECC_FIELD_UINT, /* in decimal */
    ROCECC_FIELD_INT,  /* the same, with a sign */
    ROCECC_FIELD_BOOL,
    ROCECC_FIELD_ENUM, /* one of names */
    ROCECC_FIELD_SET,  /* bits, each with a name */
    ROCECC_FIELD_HEX,  /* 64 bits, in hex */
    ROCECC_FIELD_MAC,  /* a rocecc_mac */
    ROCECC_FIELD_IP4,  /* a rocecc_ip4 */
    ROCECC_FIELD_IP6,  /* a rocecc_ip6, which may be an IPv4 address: ::ffff:a.b.c.d */
    ROCECC_FIELD_VIEW, /* a rocecc_reader: as many bytes as there are */
    ROCECC_FIELD_BYTES /* an array of bytes */
} ROCECC_IN_8_BITS_(rocecc_field_kind);

typedef struct rocecc_field {
    const char *name;
    ROCECC_ENUM8_(rocecc_field_kind) kind;
    uint8_t bits;
    size_t offset; /* of the member in its struct */
    size_t size;
    const char *unit;
    const char *names;
    const char *about;
} rocecc_field;

#define ROCECC_FIELD_ROW(T, kind, member, names, bits, unit, about)                    \
    {#member,                                                                          \
     ROCECC_FIELD_##kind,                                                              \
     bits,                                                                             \
     offsetof(T, member),                                                              \
     sizeof(((T *)0)->member),                                                         \
     unit,                                                                             \
     names,                                                                            \
     about},

#endif /* ROCECC_FIELDS_FIELD_H */
