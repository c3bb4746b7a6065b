/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_KEYS_H
#define ROCEDUMP_KEYS_H

/*
 * keys.h - members of a frame by their names in --json: frame, bth.psn, ipv4[0].src,
 * ioam[0].nodes[2].queue_depth, pfc.quanta[3], arn.flow.src, inner.bth.psn.
 */
#include "decode.h"

/* A key, taken apart. */
typedef struct key {
    unsigned depth;     /* how many times "inner." */
    uint8_t whole;      /* a key_whole: a member of the frame or packet itself */
    const char *layer;  /* its name; of several kinds of that name the first */
    size_t index;       /* which of several layers of the name */
    bool in_node;       /* the member is one of a node, */
    size_t node;        /*   this one: first on the path first */
    const char *record; /* a record within the layer has the member; NULL: it has it */
    char member[48];
} key;

typedef enum key_whole {
    KEY_MEMBER,
    KEY_FRAME,
    KEY_TIME_NS,
    KEY_LEN,
    KEY_CAPLEN,
    KEY_STACK,
    KEY_STATUS,
    KEY_AT
} key_whole;

/* False: no frame has such a member. */
bool key_of(const char *text, size_t n, key *k);

/* The value of a key in a frame, as --json prints it, without quotes; of the stack the
 * names with blanks between them. False, and nothing is printed: the frame has none. */
bool key_print(const key *k, const packet *p, const decoded *d, FILE *out);

typedef struct keys keys;

/* The keys of a list with commas between them; NULL: what begins at *bad is none. */
keys *keys_of(const char *list, const char **bad);

/* Lines of CSV. */
void keys_head(const keys *k, FILE *out);
void keys_row(const keys *k, const packet *p, const decoded *d, FILE *out);

#endif /* ROCEDUMP_KEYS_H */
