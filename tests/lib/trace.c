/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/cctrace/algo.h"
#include "noun.h"

#define KEYS 64   /* that accumulate, in a trace */
#define ARGS 64   /* of an event */
#define EVENTS 16 /* kinds in a phase */
#define PHASES 16
#define PARAMS 32 /* in the head of a trace */
#define TEXT 128  /* of a value */
#define LAW_BYTES 700

typedef struct named {
    char key[32];
    uint64_t value;
} named;

typedef struct kind {
    size_t event;
    unsigned weight;
    char *key[ARGS];
    char *how[ARGS];
    const field *arg[ARGS];
    uint64_t *sum[ARGS]; /* of an argument that accumulates */
    size_t n;
} kind;

typedef struct phase {
    char *text;
    unsigned long events;
    kind kinds[EVENTS];
    size_t n_kinds;
    unsigned weights;
} phase;

typedef struct trace {
    const char *path;
    char id[64];
    algo_run run;
    bool open;
    uint64_t random;
    unsigned long at;      /* events so far */
    unsigned long checked; /* states */
    phase phases[PHASES];
    size_t n_phases;
    size_t current;      /* phase */
    unsigned long until; /* its last event */
    named sums[KEYS];
    size_t n_sums;
    const trace_tolerance *tolerances;
    size_t n_tolerances;
    double worst[16]; /* error over bound, per tolerance */
    double worst_absolute[16];
    double worst_relative[16];
} trace;

/* A file that breaks the grammar ends the program: it would test nothing. */
static void bad(const trace *t, const char *what)
{
    fprintf(stderr, "%s: trace %s: %s\n", t->path, t->id, what);
    exit(1);
}

static uint64_t number(const trace *t, const char **text)
{
    char *end;
    const uint64_t v = strtoull(*text, &end, 0);
    if (end == *text) bad(t, *text);
    *text = end;
    return v;
}

/* lo..hi, one draw. */
static uint64_t draw(trace *t, const char **text)
{
    const uint64_t low = number(t, text);
    uint64_t high;
    if (strncmp(*text, "..", 2) != 0) bad(t, *text);
    *text += 2;
    high = number(t, text);
    if (high < low || high - low > UINT32_MAX) bad(t, "a range beyond 32 bits");
    return low + (test_random(&t->random) * (high - low + 1) >> 32);
}

static uint64_t *sum_of(trace *t, const char *key)
{
    size_t i;
    for (i = 0; i < t->n_sums; i++)
        if (strcmp(t->sums[i].key, key) == 0) return &t->sums[i].value;
    if (i == KEYS || strlen(key) >= sizeof t->sums[0].key) bad(t, "too many keys");
    strcpy(t->sums[i].key, key);
    t->sums[i].value = 0;
    t->n_sums++;
    return &t->sums[i].value;
}

/* One of a/b/c, one draw. */
static void choose(trace *t, const char *how, char *value)
{
    size_t n = 1, i;
    const char *s;
    for (s = how; *s != '\0'; s++)
        n += *s == '/';
    i = (size_t)((uint64_t)test_random(&t->random) * n >> 32);
    for (s = how; i > 0; s++)
        i -= *s == '/';
    n = strcspn(s, "/");
    if (n >= TEXT) bad(t, how);
    memcpy(value, s, n);
    value[n] = '\0';
}

/* The value that argument i takes now, as a number; made has those already set in this
 * event. False: its text is in value. */
static bool number_of(trace *t, const kind *k, size_t i, const uint64_t *made,
                      uint64_t *number_now, char *value)
{
    const char *how = k->how[i], *s = how;
    uint64_t v;
    size_t j;
    if (*how == '+') {
        uint64_t *sum = k->sum[i];
        s++;
        *sum += draw(t, &s);
        if (*s == '%') {
            s++;
            *sum %= number(t, &s);
        }
        v = *sum;
    } else if (*how == '@') {
        const size_t n = strcspn(++s, "+");
        for (j = 0; j < i; j++)
            if (strlen(k->key[j]) == n && strncmp(k->key[j], s, n) == 0) break;
        if (j == i || s[n] != '+') bad(t, how);
        s += n + 1;
        v = made[j] + draw(t, &s);
    } else if (strstr(how, "..") != NULL) {
        v = draw(t, &s);
    } else if (strchr(how, '/') != NULL) {
        choose(t, how, value);
        return false;
    } else {
        if (strlen(how) >= TEXT) bad(t, how);
        strcpy(value, how);
        return false;
    }
    if (*s != '\0') bad(t, how);
    *number_now = v;
    return true;
}

static void add_phase(trace *t, const char *line)
{
    char *word, *save = NULL;
    kind *k = NULL;
    const char *s = line;
    phase *p = &t->phases[t->n_phases];
    if (!t->open || t->at > 0 || t->n_phases == PHASES) bad(t, line);
    p->events = (unsigned long)number(t, &s);
    if (*s++ != ':') bad(t, line);
    p->text = strdup(s);
    if (p->text == NULL) abort();
    p->n_kinds = 0;
    p->weights = 0;
    for (word = strtok_r(p->text, " \n", &save); word != NULL;
         word = strtok_r(NULL, " \n", &save)) {
        char *cut;
        if (strcmp(word, "|") == 0) {
            k = NULL;
        } else if (k == NULL) {
            if (p->n_kinds == EVENTS) bad(t, "too many kinds of events");
            k = &p->kinds[p->n_kinds++];
            cut = strchr(word, '*');
            k->weight = cut != NULL ? (unsigned)strtoul(cut + 1, NULL, 10) : 1;
            if (cut != NULL) *cut = '\0';
            k->event = algo_event_find(t->run.a, word);
            if (k->event == t->run.a->n_events) bad(t, word);
            k->n = 0;
            p->weights += k->weight;
        } else {
            cut = strchr(word, '=');
            if (cut == NULL || k->n == ARGS) bad(t, word);
            *cut = '\0';
            k->key[k->n] = word;
            k->how[k->n] = cut + 1;
            k->arg[k->n] = algo_arg_find(t->run.a, k->event, word);
            if (k->arg[k->n] == NULL) bad(t, word);
            if (cut[1] == '+') k->sum[k->n] = sum_of(t, word);
            k->n++;
        }
    }
    if (p->weights == 0 || p->events == 0) bad(t, "a phase without events");
    if (t->n_phases++ == 0) t->until = p->events;
}

static void one_event(trace *t)
{
    const phase *p = &t->phases[t->current];
    const kind *k;
    uint64_t made[ARGS];
    unsigned pick;
    size_t i;
    if (t->at == t->until) {
        if (++t->current >= t->n_phases) bad(t, "a state beyond the last event");
        p++;
        t->until += p->events;
    }
    k = p->kinds;
    pick = (unsigned)((uint64_t)test_random(&t->random) * p->weights >> 32);
    for (; pick >= k->weight; k++)
        pick -= k->weight;
    algo_args_clear(&t->run);
    for (i = 0; i < k->n; i++) {
        char value[TEXT];
        if (number_of(t, k, i, made, &made[i], value)) {
            if (!field_put(k->arg[i], t->run.args, made[i])) bad(t, k->key[i]);
        } else {
            made[i] = strtoull(value, NULL, 0);
            if (!field_set(k->arg[i], t->run.args, value)) bad(t, k->key[i]);
        }
    }
    algo_step(&t->run, k->event);
    t->at++;
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
    size_t i;
    for (i = 0; i < t->n_tolerances; i++)
        if (strcmp(t->tolerances[i].key, f->name) == 0) break;
    if (i == t->n_tolerances) {
        field same = *f;
        same.offset = 0;
        if (f->size > sizeof scratch || !field_set(&same, scratch, text)) bad(t, text);
        memcpy(scratch + 256, (const char *)record + f->offset, f->size);
        if (!field_equal(&same, scratch, scratch + 256))
            test_fail(__FILE__, __LINE__, "%s is %llu, the model says %s", f->name,
                      (unsigned long long)field_get(f, record), text);
    } else {
        char *end;
        const trace_tolerance *e = &t->tolerances[i];
        const double exact = strtod(text, &end);
        const double ours = (double)field_get(f, record);
        const double error = ours > exact ? ours - exact : exact - ours;
        const double bound = e->absolute + e->relative * exact;
        if (end == text || *end != '\0') bad(t, text);
        if (error > bound)
            test_fail(__FILE__, __LINE__, "%s is %.0f, the model says %s", f->name,
                      ours, text);
        if (error > t->worst_absolute[i]) t->worst_absolute[i] = error;
        if (exact > 0 && error / exact > t->worst_relative[i])
            t->worst_relative[i] = error / exact;
        if (bound > 0 && error / bound > t->worst[i]) t->worst[i] = error / bound;
    }
}

/* "N: key=value ... | key=value ...": runs up to event N, and compares each member. */
static void state(trace *t, const char *line)
{
    char *copy, *word, *save = NULL;
    const algo *a = t->run.a;
    bool action = true;
    size_t n_action = 0, n_state = 0;
    const char *s = line;
    const unsigned long at = (unsigned long)number(t, &s);
    if (*s++ != ':' || at < t->at || !t->open) bad(t, line);
    while (t->at < at)
        one_event(t);
    test_context("%s: trace %s: event %lu", t->path, t->id, at);
    copy = strdup(s);
    if (copy == NULL) abort();
    for (word = strtok_r(copy, " \n", &save); word != NULL;
         word = strtok_r(NULL, " \n", &save)) {
        char *value = strchr(word, '=');
        const field *f;
        if (strcmp(word, "|") == 0) {
            action = false;
            continue;
        }
        if (value == NULL) bad(t, word);
        *value++ = '\0';
        f = action ? field_of(a->action, a->n_action, word)
                   : field_of(a->state, a->n_state, word);
        if (f == NULL) bad(t, word);
        n_action += action;
        n_state += !action;
        compare(t, f, action ? t->run.action : t->run.run, value);
    }
    if ((at > 0 && n_action != a->n_action) || n_state != a->n_state)
        bad(t, "a line that leaves members out");
    t->checked++;
    free(copy);
}

static void finish(trace *t)
{
    if (!t->open) return;
    if (t->at != t->until || t->current + 1 != t->n_phases || t->checked < 2)
        bad(t, "a trace that ends early");
    algo_run_free(&t->run);
    while (t->n_phases > 0)
        free(t->phases[--t->n_phases].text);
    t->open = false;
}

/* "ID ALGO seed=N preset=NAME link_bps=N PARAM=VALUE ...". */
static void begin(trace *t, char *line)
{
    char *save = NULL, *word, *key[PARAMS], *value[PARAMS];
    const char *id = strtok_r(line, " \n", &save);
    const char *name = strtok_r(NULL, " \n", &save);
    const char *preset = NULL, *refusal;
    uint64_t link_bps = UINT64_C(100000000000);
    const algo *a;
    size_t n = 0, i;
    finish(t);
    if (id == NULL || name == NULL || (a = algo_find(name)) == NULL) {
        bad(t, "no such algorithm");
        return;
    }
    snprintf(t->id, sizeof t->id, "%s", id);
    t->random = 0;
    while ((word = strtok_r(NULL, " \n", &save)) != NULL) {
        if (n == PARAMS || (value[n] = strchr(word, '=')) == NULL) bad(t, word);
        *value[n]++ = '\0';
        key[n] = word;
        if (strcmp(word, "seed") == 0)
            t->random = strtoull(value[n], NULL, 0);
        else if (strcmp(word, "link_bps") == 0)
            link_bps = strtoull(value[n], NULL, 0);
        else if (strcmp(word, "preset") == 0)
            preset = value[n];
        else
            n++;
    }
    t->run = algo_run_new(a, link_bps);
    if (preset == NULL || !algo_preset_set(&t->run, preset, link_bps))
        bad(t, "no such preset");
    for (i = 0; i < n; i++)
        if (!algo_param_set(&t->run, key[i], value[i])) bad(t, key[i]);
    refusal = algo_start(&t->run);
    if (refusal != NULL) bad(t, refusal);
    t->open = true;
    t->at = t->until = t->checked = 0;
    t->n_phases = t->current = 0;
    t->n_sums = 0;
}

void trace_check(const char *algorithm, const trace_tolerance *tolerances, size_t n)
{
    static trace t; /* all 0 */
    char path[256], *line = NULL;
    size_t size = 0, traces = 0, i;
    FILE *f;
    snprintf(path, sizeof path, "vectors/%s.vec", algorithm);
    memset(&t, 0, sizeof t);
    t.path = path;
    t.tolerances = tolerances;
    t.n_tolerances = n;
    if (n > sizeof t.worst / sizeof t.worst[0]) bad(&t, "too many tolerances");
    f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        exit(1);
    }
    while (getline(&line, &size, f) >= 0) {
        if (strncmp(line, "trace ", 6) == 0) {
            begin(&t, line + 6);
            traces++;
        } else if (line[0] == ' ') {
            add_phase(&t, line);
        } else if (line[0] >= '0' && line[0] <= '9') {
            state(&t, line);
        } else if (line[0] != '#' && line[0] != '\n' &&
                   strncmp(line, "source:", 7) != 0) {
            bad(&t, line);
        }
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
