/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_FILTER_H
#define ROCEDUMP_FILTER_H

/*
 * filter.h - which frames are shown, by the names of the JSON: -Y.
 *
 *     cnp && bth.dest_qp==0x17
 *     !(ipv4.src==10.0.17.1) || icrc.ok==false
 *
 * A layer is true where a frame has it, at any depth. A member is compared as JSON
 * shows it; of several, == < <= > >= ask whether one is so, and != whether none is
 * equal. Alone it is true where one is not 0. Of a frame that has no such member, a
 * comparison is false. ! before && before ||.
 */
#include "decode.h"

#define FILTER_TESTS_MAX 64 /* field_set() keeps the bytes of as many */
#define FILTER_STEPS_MAX 256
#define FILTER_TARGETS_MAX 16
#define FILTER_WORD_MAX 128
#define FILTER_VALUE_MAX 64

typedef enum compare { IS, EQ, NE, LT, LE, GT, GE } compare;

/* A member of one kind of layer; no field: the layer itself. */
typedef struct target {
    const layer_kind *kind;
    bool inner;             /* a member of the record that is in it, */
    const node_kind *nodes; /*   or of each of its nodes */
    const field *f;
} target;

typedef struct test {
    target targets[FILTER_TARGETS_MAX];
    size_t n;
    bool at; /* the name of the layer that failed */
    compare is;
    uint64_t number;
    uint8_t value[FILTER_VALUE_MAX]; /* of what is no number */
    char word[FILTER_WORD_MAX];      /* of at */
} test;

typedef struct step {
    char what; /* t: a test; !, &, | */
    uint8_t test;
} step;

typedef struct filter {
    step steps[FILTER_STEPS_MAX];
    size_t n;
    test tests[FILTER_TESTS_MAX];
    size_t n_tests;
} filter;

/* What JSON has beside layers, as if it were one. */
typedef struct frame_record {
    uint64_t frame;
    uint64_t time_ns;
    uint32_t len;
    uint32_t caplen;
    rocecc_status status;
} frame_record;

extern const layer_kind filter_frame;

/* expression.c. NULL: it is no expression, and why is on standard error. There is
 * one filter. */
const filter *filter_of(const char *expression);

/* Numbers; and those that have names in JSON. */
bool filter_is_number(const field *f);
bool filter_is_counted(const field *f);

bool filter_passes(const filter *f, const packet *p, const decoded *d);

#endif /* ROCEDUMP_FILTER_H */
