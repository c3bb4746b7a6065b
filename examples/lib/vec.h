/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_VEC_H
#define EXAMPLES_LIB_VEC_H

/* vec.h - reads vectors/<noun>.vec, whose grammar is vectors/README. */
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
    const char *noun; /* or the function of a call row */
    bool call;
    bool emit;            /* the bytes are what an encoder writes */
    rocecc_status status; /* END stands as OK: a list that is used up */
    uint8_t bytes[VEC_BYTES];
    size_t n;
    vec_pair in[VEC_PAIRS]; /* the keys, of a call those before -> */
    size_t n_in;
    vec_pair out[VEC_PAIRS];
    size_t n_out;
    vec_pair config[VEC_PAIRS];
    size_t n_config;
} vec_row;

/* Calls each with every row; a file that breaks the grammar ends the program. */
size_t vec_read(const char *path, void (*each)(const vec_row *row, void *arg),
                void *arg);

/* The bytes of one row, to go on with. */
typedef struct vec_packet {
    uint8_t bytes[256];
    size_t n;
} vec_packet;

/* A file that has no such row, or a longer one, ends the program. */
vec_packet vec_find(const char *path, const char *id);

/* The value of a hex digit; -1: another character. */
int vec_digit(char c);

/* Hex digits, blanks between them, or - for none; false for anything else. */
bool vec_hex(const char *text, uint8_t *bytes, size_t *n);

const char *vec_status_name(rocecc_status status);

/* The value of a key, or NULL. */
const char *vec_value(const vec_pair *pairs, size_t n, const char *key);

#endif /* EXAMPLES_LIB_VEC_H */
