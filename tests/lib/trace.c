/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/cctrace/play.h"
#include "noun.h"

#define LAW_BYTES 700
#define TRACE_SUMS 50 /* events between lines with sums, and with the hash */
#define TRACE_HASH 500

typedef struct trace {
    play play;
    unsigned long checked; /* states */
    const trace_tolerance *tolerances;
    size_t n_tolerances;
    double worst[16]; /* error over bound, per tolerance */
    double worst_absolute[16];
    double worst_relative[16];
    uint64_t all;   /* hash of every state so far */
    double sum[16]; /* per tolerance, since the last sums */
    unsigned addends[16];
} trace;

static size_t tolerance_of(const trace *t, const char *key)
{
    size_t i;
    for (i = 0; i < t->n_tolerances; i++)
        if (strcmp(t->tolerances[i].key, key) == 0) break;
    return i;
}

static void hash(trace *t, uint64_t word)
{
    t->all = (t->all ^ word) * 0x100000001b3;
}

/* Hashes a number as such, and any other value as text. */
static void add_member(trace *t, const field *f, const void *record)
{
    static sink text;
    size_t i;
    if (f->kind <= ROCECC_FIELD_BOOL) {
        hash(t, field_get(f, record));
        return;
    }
    sink_start(&text, NULL);
    field_write(f, record, &text);
    for (i = 0; i < text.n; i++)
        hash(t, (uint8_t)text.text[i]);
}

/* Adds an action or a state to the hash and the sums. */
static void add(trace *t, const field *f, size_t n, const void *record)
{
    size_t i, near;
    for (i = 0; i < n; i++) {
        near = tolerance_of(t, f[i].name);
        if (near == t->n_tolerances) {
            add_member(t, &f[i], record);
        } else {
            t->sum[near] += (double)field_get(&f[i], record);
            t->addends[near]++;
        }
    }
}

/* Compares the sum of a member with a tolerance. Its bounds add up, too. */
static void compare_sum(trace *t, size_t i, const char *text)
{
    char *end;
    const trace_tolerance *e = &t->tolerances[i];
    const double exact = strtod(text, &end);
    const double error = t->sum[i] > exact ? t->sum[i] - exact : exact - t->sum[i];
    if (end == text || *end != '\0') play_bad(&t->play, text);
    if (error > e->absolute * t->addends[i] + e->relative * exact)
        test_fail(__FILE__, __LINE__, "%s adds up to %.0f, the model gives %s", e->key,
                  t->sum[i], text);
    t->sum[i] = 0;
    t->addends[i] = 0;
}

/* Compares a word of "all=HEX key=SUM ...", the third part of a line. */
static void compare_all(trace *t, const char *key, const char *text)
{
    const size_t i = tolerance_of(t, key);
    char *end;
    if (i < t->n_tolerances)
        compare_sum(t, i, text);
    else if (strcmp(key, "all") != 0)
        play_bad(&t->play, key);
    else if (strtoull(text, &end, 16) != t->all || *end != '\0')
        test_fail(__FILE__, __LINE__, "a state since the last hash differs");
}

static const field *field_of(const field *f, size_t n, const char *key)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (strcmp(f[i].name, key) == 0) return &f[i];
    return NULL;
}

static void compare(trace *t, const field *f, const void *record, const char *text)
{
    char scratch[512] = {0};
    const size_t i = tolerance_of(t, f->name);
    if (i == t->n_tolerances) {
        field same = *f;
        same.offset = 0;
        if (f->size > sizeof scratch || !field_set(&same, scratch, text))
            play_bad(&t->play, text);
        memcpy(scratch + 256, (const char *)record + f->offset, f->size);
        if (!field_equal(&same, scratch, scratch + 256))
            test_fail(__FILE__, __LINE__, "%s is %llu, the model gives %s", f->name,
                      (unsigned long long)field_get(f, record), text);
    } else {
        char *end;
        const trace_tolerance *e = &t->tolerances[i];
        const double exact = strtod(text, &end);
        const double ours = (double)field_get(f, record);
        const double error = ours > exact ? ours - exact : exact - ours;
        const double bound = e->absolute + e->relative * exact;
        if (end == text || *end != '\0') play_bad(&t->play, text);
        if (error > bound)
            test_fail(__FILE__, __LINE__, "%s is %.0f, the model gives %s", f->name,
                      ours, text);
        if (error > t->worst_absolute[i]) t->worst_absolute[i] = error;
        if (exact > 0 && error / exact > t->worst_relative[i])
            t->worst_relative[i] = error / exact;
        if (bound > 0 && error / bound > t->worst[i]) t->worst[i] = error / bound;
    }
}

/* Runs up to an event, and adds each action and state. */
static void run_to(trace *t, unsigned long at)
{
    const algo *a = t->play.run.a;
    while (t->play.at < at) {
        if (!play_step(&t->play)) play_bad(&t->play, "a state beyond the last event");
        add(t, a->action, a->n_action, t->play.run.action);
        add(t, a->state, a->n_state, t->play.run.run);
    }
}

/* Returns how many words the third part of a line must have. */
static size_t of_all(const trace *t, unsigned long at)
{
    const bool last = t->play.current + 1 == t->play.n_phases && at == t->play.until;
    const size_t sums = last || at % TRACE_SUMS == 0 ? t->n_tolerances : 0;
    if (at == 0) return 0;
    return sums + (last || at % TRACE_HASH == 0);
}

/*
 * Runs up to event N of "N: key=value ... | key=value ...", and compares each member. A
 * third part has the hash and the sums.
 */
static void state(trace *t, const char *line)
{
    char *copy, *word, *save = NULL;
    const algo *a = t->play.run.a;
    enum { ACTION, STATE, ALL, PARTS } part = ACTION;
    size_t n[PARTS] = {0};
    const char *s = line;
    const unsigned long at = (unsigned long)play_number(&t->play, &s);
    if (*s++ != ':' || at < t->play.at || !t->play.open) play_bad(&t->play, line);
    run_to(t, at);
    test_context("%s: trace %s: event %lu", t->play.path, t->play.id, at);
    copy = strdup(s);
    if (copy == NULL) abort();
    for (word = strtok_r(copy, " \n", &save); word != NULL;
         word = strtok_r(NULL, " \n", &save)) {
        char *value = strchr(word, '=');
        const field *f;
        if (strcmp(word, "|") == 0) {
            if (++part == PARTS) play_bad(&t->play, line);
            continue;
        }
        if (value == NULL) play_bad(&t->play, word);
        *value++ = '\0';
        n[part]++;
        if (part == ALL) {
            compare_all(t, word, value);
            continue;
        }
        f = part == ACTION ? field_of(a->action, a->n_action, word)
                           : field_of(a->state, a->n_state, word);
        if (f == NULL) play_bad(&t->play, word);
        compare(t, f, part == ACTION ? t->play.run.action : t->play.run.run, value);
    }
    if ((at > 0 && n[ACTION] != a->n_action) || n[STATE] != a->n_state ||
        n[ALL] != of_all(t, at))
        play_bad(&t->play, "a line that leaves members out");
    t->checked++;
    free(copy);
}

static void finish(trace *t)
{
    if (!t->play.open) return;
    if (t->play.at != t->play.until || t->play.current + 1 != t->play.n_phases ||
        t->checked < 2)
        play_bad(&t->play, "a trace that ends early");
    play_end(&t->play);
    t->checked = 0;
}

void trace_check(const char *algorithm, const trace_tolerance *tolerances, size_t n)
{
    static trace t; /* zeros */
    char path[256], *line = NULL;
    size_t size = 0, traces = 0, i;
    FILE *f;
    snprintf(path, sizeof path, "vectors/%s.vec", algorithm);
    memset(&t, 0, sizeof t);
    t.play.path = path;
    t.tolerances = tolerances;
    t.n_tolerances = n;
    if (n > sizeof t.worst / sizeof t.worst[0])
        play_bad(&t.play, "too many tolerances");
    f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        exit(1);
    }
    while (getline(&line, &size, f) >= 0) {
        if (strncmp(line, "trace ", 6) == 0) {
            finish(&t);
            t.all = 0xcbf29ce484222325;
            memset(t.sum, 0, sizeof t.sum);
            memset(t.addends, 0, sizeof t.addends);
            traces++;
        }
        if (play_line(&t.play, line)) state(&t, line);
    }
    finish(&t);
    test_context("%s", path);
    CHECK(traces > 0);
    for (i = 0; i < n && getenv("TRACE_ERRORS") != NULL; i++)
        printf("%s %s: worst error %.3g absolute, %.3g relative, %.3g of the bound\n",
               algorithm, tolerances[i].key, t.worst_absolute[i], t.worst_relative[i],
               t.worst[i]);
    free(line);
    fclose(f);
}

void law_random(uint32_t (*law)(rocecc_reader r), uint64_t rounds)
{
    uint64_t random = 1;
    for (rounds = test_rounds(rounds); rounds > 0; rounds--) {
        uint8_t bytes[LAW_BYTES];
        size_t n = test_random(&random) % (sizeof bytes + 1), i;
        for (i = 0; i < n; i++)
            bytes[i] = (uint8_t)(test_random(&random) >> 24);
        test_context("round %llu from the end", (unsigned long long)rounds);
        noun_law(law, bytes, n, rounds % 4 == 0);
    }
}
