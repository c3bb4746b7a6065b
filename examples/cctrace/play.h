/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCTRACE_PLAY_H
#define EXAMPLES_CCTRACE_PLAY_H

/*
 * play.h - plays the traces of vectors/<algorithm>.vec, whose grammar is
 * vectors/README: the head, the phases, and the events that they draw. A line that
 * breaks the grammar ends the program with a message, status 1.
 */
#include "algo.h"

#define PLAY_KEYS 64   /* that accumulate, in a trace */
#define PLAY_ARGS 64   /* of an event */
#define PLAY_EVENTS 16 /* kinds in a phase */
#define PLAY_PHASES 16

typedef struct play_sum {
    char key[32];
    uint64_t value;
} play_sum;

typedef struct play_kind {
    size_t event;
    unsigned weight;
    char *key[PLAY_ARGS];
    char *how[PLAY_ARGS];
    const field *arg[PLAY_ARGS];
    uint64_t *sum[PLAY_ARGS]; /* of an argument that accumulates */
    size_t n;
} play_kind;

typedef struct play_phase {
    char *text;
    unsigned long events;
    play_kind kinds[PLAY_EVENTS];
    size_t n_kinds;
    unsigned weights;
} play_phase;

/* All 0 at first, but for path. */
typedef struct play {
    const char *path; /* of messages */
    char id[64];
    algo_run run;
    bool open; /* a head has been read */
    uint64_t random;
    unsigned long at; /* events so far */
    play_phase phases[PLAY_PHASES];
    size_t n_phases;
    size_t current;      /* phase */
    unsigned long until; /* its last event */
    const play_kind *last;
    play_sum sums[PLAY_KEYS];
    size_t n_sums;
} play;

/* Ends the program. */
void play_bad(const play *t, const char *what);

/* The number that a text begins with, and steps over it. */
uint64_t play_number(const play *t, const char **text);

/* A line of the file, which a head cuts to pieces. True: it is a state, for the caller
 * to read. */
bool play_line(play *t, char *line);

/* The next event, its action and its state are in t->run then. False: none is left. */
bool play_step(play *t);

/* Frees what the lines of a trace took. */
void play_end(play *t);

/* Prints a file's traces, or that of one ID: each event as cctrace takes it, and the
 * number and the answer as the file has them. False: no such trace. */
bool play_file(FILE *f, const char *path, const char *id);

#endif /* EXAMPLES_CCTRACE_PLAY_H */
