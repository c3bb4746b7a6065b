/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_NEXT_H
#define ROCEDUMP_NEXT_H

/*
 * next.h - the number, and the name if known, of the first protocol that rocedump does
 * not decode.
 */
#include "decode.h"

typedef struct next_record {
    uint8_t kind; /* 0 to 2: EtherType, IP protocol, UDP port */
    uint16_t number;
    const char *name; /* or NULL */
} next_record;

/* Returns false if the stack ends for another reason, or with the packet. */
bool next_of(const decoded *d, next_record *out);

void next_text(const decoded *d, FILE *out);
void next_json(const decoded *d, sink *to); /* "next", after a comma, or nothing */

#endif /* ROCEDUMP_NEXT_H */
