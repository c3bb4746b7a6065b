/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCTRACE_ALGO_H
#define EXAMPLES_CCTRACE_ALGO_H

/*
 * algo.h - an algorithm as tables with its parameters, presets, events, action and
 * state by name, so that cctrace and the traces of vectors/ can run it. Each algorithm
 * has a file here. Its members are in rocecc/fields/<algorithm>.h, and its name in
 * rocecc/fields/algorithms.h.
 */
#include "rocecc/fields/algorithms.h"

#include "../lib/field.h"

typedef struct algo_param {
    field f;
    const char *unit;
    const char *range;
    const char *source;
} algo_param;

#define ALGO_PARAM(T, kind, member, names, unit, range, source)                        \
    {FIELD_AT(#member, kind, offsetof(T, member), sizeof(((T *)0)->member), names),    \
     unit, range, source},

typedef struct algo_preset {
    const char *name;
    void (*set)(void *params, uint64_t link_bps);
} algo_preset;

/* An event and its arguments, which are members of the algorithm's argument struct. */
typedef struct algo_event {
    const char *name;
    const field *args;
    size_t n_args;
} algo_event;

typedef struct algo {
    const char *name;
    const char *about; /* one line */
    const algo_param *params;
    size_t n_params;
    const algo_preset *presets; /* a run starts from the first one */
    size_t n_presets;
    const algo_event *events;
    size_t n_events;
    const field *action;
    size_t n_action;
    const field *state;
    size_t n_state;
    const char *refusals; /* names separated by blanks; number 0 means accepted */
    size_t params_bytes;
    size_t args_bytes;
    size_t action_bytes;
    size_t run_bytes; /* bytes of the state, and of memory that its caller keeps */
    unsigned (*init)(void *params, void *run); /* returns the refusal's number */
    void (*step)(const void *params, void *run, size_t event, const void *args,
                 void *action);
} algo;

#define ALGO_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Declares the names and algorithms of the table. */
#define ALGO_DECLARE(NAME, name, trace, header, enums)                                 \
    extern const char algo_name_##name[];                                              \
    extern const algo algo_##name;
ROCECC_ALGORITHMS(ALGO_DECLARE)

/*
 * Defines the algorithm of a file with the tables params, presets, events,
 * action_fields and state_fields, the argument type args, and the functions init and
 * step.
 */
#define ALGO(NAME, name, Params, Action, Run, about)                                   \
    const algo algo_##name = {algo_name_##name,                                        \
                              about,                                                   \
                              params,                                                  \
                              ALGO_COUNT(params),                                      \
                              presets,                                                 \
                              ALGO_COUNT(presets),                                     \
                              events,                                                  \
                              ALGO_COUNT(events),                                      \
                              action_fields,                                           \
                              ALGO_COUNT(action_fields),                               \
                              state_fields,                                            \
                              ALGO_COUNT(state_fields),                                \
                              ROCECC_##NAME##_REFUSAL_NAMES,                           \
                              sizeof(Params),                                          \
                              sizeof(args),                                            \
                              sizeof(Action),                                          \
                              sizeof(Run),                                             \
                              init,                                                    \
                              step};

extern const algo *const algo_all[]; /* NULL at the end */

/* Returns an algorithm by its name, or NULL. */
const algo *algo_find(const char *name);

/* One run of an algorithm in cctrace or in a trace. */
typedef struct algo_run {
    const algo *a;
    void *params;
    void *run;
    void *args;
    void *action;
} algo_run;

/* Allocates a run with the first preset. */
algo_run algo_run_new(const algo *a, uint64_t link_bps);
void algo_run_free(algo_run *r);

/*
 * Sets a preset or a parameter. Returns false for an unknown name or an invalid value.
 */
bool algo_preset_set(algo_run *r, const char *name, uint64_t link_bps);
bool algo_param_set(algo_run *r, const char *name, const char *value);

/* Starts the run. Returns NULL, or a refusal's name, valid until the next refusal. */
const char *algo_start(algo_run *r);

/*
 * Returns the index of an event, or n_events for an unknown name. algo_arg_find()
 * returns an argument, or NULL.
 */
size_t algo_event_find(const algo *a, const char *name);
const field *algo_arg_find(const algo *a, size_t event, const char *key);

/*
 * Zeroes the arguments of the next event. The caller sets them with field_set(), and
 * algo_step() then runs the event.
 */
void algo_args_clear(algo_run *r);
void algo_step(algo_run *r, size_t event);

/*
 * Prints "ACTION-KEYS | STATE-KEYS", as in the traces of vectors/. algo_print_state()
 * omits the action.
 */
void algo_print(const algo_run *r, FILE *out);
void algo_print_state(const algo_run *r, FILE *out);

#endif /* EXAMPLES_CCTRACE_ALGO_H */
