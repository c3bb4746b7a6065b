/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_VEC_H
#define EXAMPLES_LIB_VEC_H

/* vec.h - reads vectors/<noun>.vec. vectors/README defines the grammar. */
#include <stdio.h>

#include "rocecc/base.h"

#define VEC_BYTES 4096
#define VEC_PAIRS 64

typedef struct vec_pair {
    const char *key;
    const char *value;
} vec_pair;

typedef struct vec_row {
    const char *source;
    const char *id;
    const char *noun; /* or a call row's function */
    bool call;
    bool emit;            /* an encoder writes these bytes */
    rocecc_status status; /* a list that is used up has OK, not END */
    uint8_t bytes[VEC_BYTES];
    size_t n;
    vec_pair in[VEC_PAIRS]; /* keys; in a call row: those before -> */
    size_t n_in;
    vec_pair out[VEC_PAIRS];
    size_t n_out;
    vec_pair config[VEC_PAIRS];
    size_t n_config;
} vec_row;

/*
 * Calls each() with every row, and returns their number. A bad file ends the program.
 */
size_t vec_read(const char *path, void (*each)(const vec_row *row, void *arg),
                void *arg);

/* A copy of a row's bytes. */
typedef struct vec_packet {
    uint8_t bytes[256];
    size_t n;
} vec_packet;

/* Returns a row's bytes. A missing row, or one that is too long, ends the program. */
vec_packet vec_find(const char *path, const char *id);

/* Returns the value of a hex digit, or -1 for another character. */
int vec_digit(char c);

/* Parses hex digits and blanks, or - for no bytes. Returns false for other text. */
bool vec_hex(const char *text, uint8_t *bytes, size_t *n);

const char *vec_status_name(rocecc_status status);

/* Returns a key's value, or NULL. */
const char *vec_value(const vec_pair *pairs, size_t n, const char *key);

/* The name of the tool, or NULL. Each message about a file begins with this name. */
extern const char *vec_tool;

#endif /* EXAMPLES_LIB_VEC_H */
