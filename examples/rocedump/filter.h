/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_FILTER_H
#define ROCEDUMP_FILTER_H

/*
 * filter.h - selects frames by the names of the JSON (-Y).
 *
 *     cnp && bth.dest_qp==0x17
 *     !(ipv4.src==10.0.17.1) || icrc.ok==false
 *
 * A layer is true if the frame contains it at any depth. A member alone is true if one
 * of its values is not 0, false, null or empty. A comparison uses the values in the
 * JSON. == < <= > >= are true if they hold for one value, and != if no value is equal.
 * If the frame has no such member, every comparison is false. ! binds before &&, and &&
 * before ||.
 */
#include "decode.h"

#define FILTER_TESTS_MAX 64 /* field_set() keeps the bytes of 64 values */
#define FILTER_STEPS_MAX 256
#define FILTER_TARGETS_MAX 16
#define FILTER_WORD_MAX 128
#define FILTER_VALUE_MAX 64

typedef enum compare { IS, EQ, NE, LT, LE, GT, GE } compare;

/* A member of a layer, or the layer if `f` is NULL. */
typedef struct target {
    const layer_kind *kind;
    bool inner;             /* a member of the inner record */
    const node_kind *nodes; /* a member of each node */
    const field *f;
} target;

typedef struct test {
    target targets[FILTER_TARGETS_MAX];
    size_t n;
    bool at; /* name of the failed layer */
    compare is;
    uint64_t number;
    uint8_t value[FILTER_VALUE_MAX]; /* unless it is a number */
    char word[FILTER_WORD_MAX];      /* for `at` */
} test;

typedef struct step {
    char what; /* t for a test, or ! & | */
    uint8_t test;
} step;

typedef struct filter {
    step steps[FILTER_STEPS_MAX];
    size_t n;
    test tests[FILTER_TESTS_MAX];
    size_t n_tests;
} filter;

/* The JSON members outside layers, as a layer. */
typedef struct frame_record {
    uint64_t frame;
    uint64_t time_ns;
    uint32_t len;
    uint32_t caplen;
    uint32_t iface;
    rocecc_status status;
} frame_record;

extern const layer_kind filter_frame;

/*
 * expression.c: parses the expression. Returns NULL, with a message, if it is invalid.
 * There is only one filter.
 */
const filter *filter_of(const char *expression);

/*
 * Returns true for numbers. filter_is_counted() also returns true for enumerations and
 * sets.
 */
bool filter_is_number(const field *f);
bool filter_is_counted(const field *f);

bool filter_passes(const filter *f, const packet *p, const decoded *d);

#endif /* ROCEDUMP_FILTER_H */
