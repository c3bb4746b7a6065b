/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_FIELD_H
#define ROCECC_FIELDS_FIELD_H

/*
 * field.h - the format of a row in this folder's tables. Each header in this folder
 * lists the members of a library header's structs, in wire order. Each row has the form
 * F(T, kind, member, names, bits, unit, about):
 *
 *      kind    how the value is shown; UINT, BOOL and so on (rocecc_field_kind)
 *      names   ENUM: names of the values, from 0 upwards. SET: names of the bits, from
 *              the lowest upwards. Separated by blanks; NULL for other kinds
 *      bits    width on the wire; 0 if it varies or the member is not on the wire
 *      unit    "bytes", "ns", "8 bytes" (multiples of 8); "" for a plain number
 *      about   the meaning: the first part of the member's comment, before any `;`
 *
 * The caller provides the struct T and a macro F that uses the rows. For example, a
 * dissector can contain:
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
 * This shows "opcode" (1 byte), "solicited" (1 byte), ..., "dest_qp" (4 bytes, of which
 * 24 bits are on the wire), and so on. Bits without a member (for example, a version
 * that parse() only checks, or the length of a view) have no row, so the widths do not
 * always add up to the header's length. The lists ..._PARAMS describe an algorithm's
 * parameters in rows P(T, kind, member, names, unit, range, source).
 *
 * Neither rocecc.h nor any other header of the library includes this folder, so these
 * tables add nothing to a program that does not use them.
 */
#include "../base.h"

typedef enum rocecc_field_kind_ {
    ROCECC_FIELD_UINT, /* in decimal */
    ROCECC_FIELD_INT,  /* in decimal, with a sign */
    ROCECC_FIELD_BOOL,
    ROCECC_FIELD_ENUM, /* one of the names */
    ROCECC_FIELD_SET,  /* named bits */
    ROCECC_FIELD_HEX,  /* 64 bits, in hex */
    ROCECC_FIELD_MAC,  /* a rocecc_mac */
    ROCECC_FIELD_IP4,  /* a rocecc_ip4 */
    ROCECC_FIELD_IP6,  /* a rocecc_ip6, which may be an IPv4 address: ::ffff:a.b.c.d */
    ROCECC_FIELD_VIEW, /* a rocecc_reader, with all bytes left in it */
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
