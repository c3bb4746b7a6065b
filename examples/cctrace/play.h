/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCTRACE_PLAY_H
#define EXAMPLES_CCTRACE_PLAY_H

/*
 * play.h - plays the traces of vectors/<algorithm>.vec. vectors/README defines the
 * grammar of the head, the phases, and the events that they draw. A line with an error
 * ends the program with a message and status 1.
 */
#include "algo.h"

#define PLAY_KEYS 64   /* accumulating keys per trace */
#define PLAY_ARGS 64   /* per event */
#define PLAY_EVENTS 16 /* kinds per phase */
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
    uint64_t *sum[PLAY_ARGS]; /* for an argument that accumulates */
    size_t n;
} play_kind;

typedef struct play_phase {
    char *text;
    unsigned long events;
    play_kind kinds[PLAY_EVENTS];
    size_t n_kinds;
    unsigned weights;
} play_phase;

/* Must be zeroed at first, except for `path`. */
typedef struct play {
    const char *path; /* for messages */
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

/* Prints a message, and ends the program. */
void play_bad(const play *t, const char *what);

/* Writes at most 80 bytes of a text to stderr, with ? for unprintable bytes. */
void play_show(const char *text);

/* Returns the number at the start of a text, and skips it. */
uint64_t play_number(const play *t, const char **text);

/*
 * Handles a line, and cuts a head to pieces. Returns true for a state, which the caller
 * must read.
 */
bool play_line(play *t, char *line);

/*
 * Runs the next event, with its action and state in t->run. Returns false at the end.
 */
bool play_step(play *t);

/* Frees the memory for a trace. */
void play_end(play *t);

/*
 * Prints a file's traces, or only the traces with this ID. Events are as cctrace takes
 * them, and numbers and answers as in the file. Returns false without such a trace.
 */
bool play_file(FILE *f, const char *path, const char *id);

#endif /* EXAMPLES_CCTRACE_PLAY_H */
