/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "play.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/vec.h"

#define PARAMS 32 /* per head of a trace */
#define TEXT 128  /* bytes per value, with its NUL */
#define NO_NUMBER "expected a whole number below 2^64"
#define TOO_LONG "the value is too long: the limit is 127 bytes"

void play_show(const char *text)
{
    unsigned n;
    for (n = 0; n < 80 && *text != '\0' && *text != '\n'; n++, text++)
        fputc(*text >= ' ' && *text <= '~' ? *text : '?', stderr);
    if (n == 80 && *text != '\0') fputs("...", stderr);
}

static void bad_head(const play *t)
{
    fflush(stdout);
    fprintf(stderr, "%s: trace ", t->path);
    play_show(t->id);
    fputs(": ", stderr);
}

void play_bad(const play *t, const char *what)
{
    bad_head(t);
    play_show(what);
    fputc('\n', stderr);
    exit(1);
}

/* Ends the program because of a text in the file. */
static void bad_text(const play *t, const char *text, const char *why)
{
    bad_head(t);
    play_show(text);
    fprintf(stderr, ": %s\n", why);
    exit(1);
}

/* Draws a random number as in vectors/README. */
static uint32_t draw_32(play *t)
{
    t->random =
        t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(t->random >> 32);
}

/* Draws a number below n. n is at most 2^32. */
static uint64_t draw_below(play *t, uint64_t n)
{
    return draw_32(t) * n >> 32;
}

uint64_t play_number(const play *t, const char **text)
{
    const bool hex = strncmp(*text, "0x", 2) == 0;
    const int base = hex ? 16 : 10;
    const char *s = *text + (hex ? 2 : 0), *const first = s;
    uint64_t v = 0;
    int digit;
    for (; (digit = vec_digit(*s)) >= 0 && digit < base; s++) {
        if (v > (UINT64_MAX - (unsigned)digit) / (unsigned)base)
            bad_text(t, *text, NO_NUMBER);
        v = v * (unsigned)base + (unsigned)digit;
    }
    if (s == first) bad_text(t, *text, NO_NUMBER);
    *text = s;
    return v;
}

/* Converts a whole text to a number. */
static uint64_t number(const play *t, const char *text)
{
    const char *s = text;
    const uint64_t v = play_number(t, &s);
    if (*s != '\0') bad_text(t, text, NO_NUMBER);
    return v;
}

/* Reads lo..hi, and returns a number from lo to hi by one draw. */
static uint64_t draw_range(play *t, const char **text)
{
    const uint64_t low = play_number(t, text);
    uint64_t high;
    if (strncmp(*text, "..", 2) != 0) bad_text(t, *text, "expected LOW..HIGH");
    *text += 2;
    high = play_number(t, text);
    if (high < low || high - low > UINT32_MAX)
        play_bad(t, "LOW..HIGH is not a range of 1 to 2^32 numbers");
    return low + draw_below(t, high - low + 1);
}

static uint64_t *sum_of(play *t, const char *key)
{
    size_t i;
    for (i = 0; i < t->n_sums; i++)
        if (strcmp(t->sums[i].key, key) == 0) return &t->sums[i].value;
    if (i == PLAY_KEYS || strlen(key) >= sizeof t->sums[0].key)
        bad_text(t, key, "too many keys with +, or too long a key");
    strcpy(t->sums[i].key, key);
    t->sums[i].value = 0;
    t->n_sums++;
    return &t->sums[i].value;
}

/* Chooses one of a/b/c by one draw. */
static void draw_choice(play *t, const char *how, char *value)
{
    size_t n = 1, i;
    const char *s;
    for (s = how; *s != '\0'; s++)
        n += *s == '/';
    i = (size_t)draw_below(t, n);
    for (s = how; i > 0; s++)
        i -= *s == '/';
    n = strcspn(s, "/");
    if (n >= TEXT) bad_text(t, how, TOO_LONG);
    memcpy(value, s, n);
    value[n] = '\0';
}

/*
 * Makes the value of argument i. `made` has the event's earlier values. Returns true
 * for a number in *number_now, and false for a text in `value`.
 */
static bool number_of(play *t, const play_kind *k, size_t i, const uint64_t *made,
                      uint64_t *number_now, char *value)
{
    const char *how = k->how[i], *s = how;
    uint64_t v;
    size_t j;
    if (*how == '+') {
        uint64_t *sum = k->sum[i];
        s++;
        *sum += draw_range(t, &s);
        if (*s == '%') {
            uint64_t modulus;
            s++;
            modulus = play_number(t, &s);
            if (modulus == 0) bad_text(t, how, "the modulus is 0");
            *sum %= modulus;
        }
        v = *sum;
    } else if (*how == '@') {
        const size_t n = strcspn(++s, "+");
        for (j = 0; j < i; j++)
            if (strlen(k->key[j]) == n && strncmp(k->key[j], s, n) == 0) break;
        if (j == i || s[n] != '+')
            bad_text(t, how, "expected @KEY+LOW..HIGH, with a KEY before this one");
        s += n + 1;
        v = made[j] + draw_range(t, &s);
    } else if (strstr(how, "..") != NULL) {
        v = draw_range(t, &s);
    } else if (strchr(how, '/') != NULL) {
        draw_choice(t, how, value);
        return false;
    } else {
        if (strlen(how) >= TEXT) bad_text(t, how, TOO_LONG);
        strcpy(value, how);
        return false;
    }
    if (*s != '\0') bad_text(t, how, "expected nothing after the range");
    *number_now = v;
    return true;
}

/* Reads EVENT*WEIGHT, or EVENT. */
static play_kind *add_kind(play *t, play_phase *p, char *word)
{
    char *cut = strchr(word, '*');
    const uint64_t weight = cut != NULL ? number(t, cut + 1) : 1;
    play_kind *k;
    if (p->n_kinds == PLAY_EVENTS)
        play_bad(t, "too many events in a phase: the limit is 16");
    if (weight > UINT32_MAX - p->weights)
        play_bad(t, "the weights of a phase exceed 32 bits");
    k = &p->kinds[p->n_kinds++];
    k->weight = (unsigned)weight;
    if (cut != NULL) *cut = '\0';
    k->event = algo_event_find(t->run.a, word);
    if (k->event == t->run.a->n_events) bad_text(t, word, "unknown event");
    k->n = 0;
    p->weights += k->weight;
    return k;
}

/* Reads KEY=HOW. */
static void add_argument(play *t, play_kind *k, char *word)
{
    char *cut = strchr(word, '=');
    if (cut == NULL || k->n == PLAY_ARGS)
        bad_text(t, word, "expected KEY=VALUE, at most 64 of an event");
    *cut = '\0';
    k->key[k->n] = word;
    k->how[k->n] = cut + 1;
    k->arg[k->n] = algo_arg_find(t->run.a, k->event, word);
    if (k->arg[k->n] == NULL) bad_text(t, word, "unknown key of this event");
    if (cut[1] == '+') k->sum[k->n] = sum_of(t, word);
    k->n++;
}

/* Reads "COUNT: EVENT*WEIGHT KEY=HOW ... | ...". */
static void add_phase(play *t, const char *line)
{
    char *word, *save = NULL;
    play_kind *k = NULL;
    const char *s = line + strspn(line, " ");
    play_phase *p = &t->phases[t->n_phases];
    if (!t->open || t->at > 0 || t->n_phases == PLAY_PHASES)
        bad_text(t, line, "expected a phase behind a head, at most 16 of a trace");
    p->events = (unsigned long)play_number(t, &s);
    if (*s++ != ':') bad_text(t, line, "expected a phase, COUNT: EVENT KEY=VALUE ...");
    p->text = strdup(s);
    if (p->text == NULL) abort();
    p->n_kinds = 0;
    p->weights = 0;
    for (word = strtok_r(p->text, " \n", &save); word != NULL;
         word = strtok_r(NULL, " \n", &save)) {
        if (strcmp(word, "|") == 0)
            k = NULL;
        else if (k == NULL)
            k = add_kind(t, p, word);
        else
            add_argument(t, k, word);
    }
    if (p->weights == 0 || p->events == 0) play_bad(t, "a phase has no events");
    if (t->n_phases++ == 0) t->until = p->events;
}

static void set_argument(play *t, const play_kind *k, size_t i, uint64_t *made)
{
    char value[TEXT];
    bool set;
    if (number_of(t, k, i, made, &made[i], value)) {
        set = field_put(k->arg[i], t->run.args, made[i]);
    } else {
        made[i] = strtoull(value, NULL, 0);
        set = field_set(k->arg[i], t->run.args, value);
    }
    if (!set) bad_text(t, k->key[i], field_expected(k->arg[i]));
}

bool play_step(play *t)
{
    const play_kind *k;
    uint64_t made[PLAY_ARGS], pick;
    size_t i;
    if (t->at == t->until) {
        if (t->current + 1 >= t->n_phases) return false;
        t->until += t->phases[++t->current].events;
    }
    k = t->phases[t->current].kinds;
    pick = draw_below(t, t->phases[t->current].weights);
    for (; pick >= k->weight; k++)
        pick -= k->weight;
    algo_args_clear(&t->run);
    for (i = 0; i < k->n; i++)
        set_argument(t, k, i, made);
    algo_step(&t->run, k->event);
    t->last = k;
    t->at++;
    return true;
}

void play_end(play *t)
{
    if (!t->open) return;
    algo_run_free(&t->run);
    while (t->n_phases > 0)
        free(t->phases[--t->n_phases].text);
    t->open = false;
}

/*
 * Applies the seed, link_bps and preset in a head. Stores its parameters in `key` and
 * `value`, and returns their number.
 */
static size_t settings(play *t, char *save, char **key, char **value)
{
    const char *preset = NULL;
    char *word;
    uint64_t link_bps = UINT64_C(100000000000);
    const algo *a = t->run.a;
    size_t n = 0;
    t->random = 0;
    while ((word = strtok_r(NULL, " \n", &save)) != NULL) {
        if (n == PARAMS || (value[n] = strchr(word, '=')) == NULL)
            bad_text(t, word, "expected PARAM=VALUE, at most 32 in a head");
        *value[n]++ = '\0';
        key[n] = word;
        if (strcmp(word, "seed") == 0)
            t->random = number(t, value[n]);
        else if (strcmp(word, "link_bps") == 0)
            link_bps = number(t, value[n]);
        else if (strcmp(word, "preset") == 0)
            preset = value[n];
        else
            n++;
    }
    t->run = algo_run_new(a, link_bps);
    if (preset == NULL || !algo_preset_set(&t->run, preset, link_bps))
        bad_text(t, preset != NULL ? preset : "preset", "unknown or missing preset");
    return n;
}

/* Reads "ID ALGO seed=N preset=NAME link_bps=N PARAM=VALUE ...". */
static void begin(play *t, char *line)
{
    char *save = NULL, *key[PARAMS], *value[PARAMS];
    const char *id = strtok_r(line, " \n", &save);
    const char *name = strtok_r(NULL, " \n", &save), *refusal;
    size_t n, i;
    play_end(t);
    if (id != NULL) snprintf(t->id, sizeof t->id, "%s", id);
    t->run.a = name != NULL ? algo_find(name) : NULL;
    if (t->run.a == NULL) bad_text(t, name != NULL ? name : "", "unknown algorithm");
    n = settings(t, save, key, value);
    for (i = 0; i < n; i++)
        if (!algo_param_set(&t->run, key[i], value[i]))
            bad_text(t, key[i], "unknown parameter, or not a value of it");
    refusal = algo_start(&t->run);
    if (refusal != NULL) bad_text(t, refusal, "the algorithm refuses this parameter");
    t->open = true;
    t->at = t->until = 0;
    t->n_phases = t->current = 0;
    t->n_sums = 0;
}

bool play_line(play *t, char *line)
{
    if (strncmp(line, "trace ", 6) == 0)
        begin(t, line + 6);
    else if (line[0] == ' ')
        add_phase(t, line);
    else if (line[0] >= '0' && line[0] <= '9')
        return true;
    else if (line[0] != '#' && line[0] != '\n' && strncmp(line, "source:", 7) != 0)
        bad_text(t, line, "expected a head, a phase, a state, `source:` or a comment");
    return false;
}

/* Runs and prints the trace read so far, if any. */
static void print_trace(play *t)
{
    size_t i;
    if (!t->open) return;
    if (t->n_phases == 0) play_bad(t, "the trace has no phases");
    fputs("0: ", stdout);
    algo_print_state(&t->run, stdout);
    while (play_step(t)) {
        fputs(t->run.a->events[t->last->event].name, stdout);
        for (i = 0; i < t->last->n; i++) {
            printf(" %s=", t->last->key[i]);
            field_print(t->last->arg[i], t->run.args, stdout);
        }
        printf("\n%lu: ", t->at);
        algo_print(&t->run, stdout);
    }
    play_end(t);
}

/* Returns true for the head of a trace with this ID, or of any trace for a NULL ID. */
static bool is_head_of(const char *line, const char *id)
{
    const size_t n = id != NULL ? strlen(id) : 0;
    return strncmp(line, "trace ", 6) == 0 &&
           (id == NULL || (strncmp(line + 6, id, n) == 0 && line[6 + n] == ' '));
}

bool play_file(FILE *f, const char *path, const char *id)
{
    static play t; /* all 0 */
    char *line = NULL;
    size_t size = 0;
    bool chosen = false, found = false;
    t.path = path;
    while (getline(&line, &size, f) >= 0) {
        if (strncmp(line, "trace ", 6) == 0) {
            print_trace(&t);
            chosen = is_head_of(line, id);
            found = found || chosen;
        }
        if (chosen) (void)play_line(&t, line);
    }
    print_trace(&t);
    free(line);
    return found;
}
