/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_KEYS_H
#define ROCEDUMP_KEYS_H

/*
 * keys.h - members of a frame by their names in --json, such as frame, bth.psn,
 * ipv4[0].src, ioam[0].nodes[2].queue_depth, pfc.quanta[3], arn.flow.src,
 * inner.bth.psn.
 */
#include "decode.h"

/* A parsed key. */
typedef struct key {
    unsigned depth;     /* number of "inner." */
    uint8_t whole;      /* a key_whole, for a member of the frame or packet itself */
    const char *layer;  /* name of the layer */
    size_t index;       /* index among layers with this name */
    bool in_node;       /* the member belongs to a node */
    size_t node;        /* index of the node, in the order of the path */
    const char *record; /* inner record with the member, or NULL */
    char member[48];
} key;

typedef enum key_whole {
    KEY_MEMBER,
    KEY_FRAME,
    KEY_TIME_NS,
    KEY_LEN,
    KEY_CAPLEN,
    KEY_IFACE,
    KEY_STACK,
    KEY_STATUS,
    KEY_AT
} key_whole;

/* Parses a key, or returns false if no frame has it. */
bool key_of(const char *text, size_t n, key *k);

/*
 * Prints the value of a key in a frame as --json does, without quotes, and the stack's
 * names with blanks between them. If the frame has none, prints nothing and returns
 * false.
 */
bool key_print(const key *k, const packet *p, const decoded *d, FILE *out);

typedef struct keys keys;

/*
 * Parses a list of keys with commas between them. Returns NULL if the key at *bad is
 * invalid.
 */
keys *keys_of(const char *list, const char **bad);

/* Prints the header, or the row of a frame, as CSV. */
void keys_head(const keys *k, FILE *out);
void keys_row(const keys *k, const packet *p, const decoded *d, FILE *out);

#endif /* ROCEDUMP_KEYS_H */
