/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cctrace - runs an algorithm by hand, or plays a trace of vectors/. By hand, each line
 * of input is an event, and each line of output has its action and the state.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/written.h"
#include "play.h"

#define LINK_BPS UINT64_C(100000000000)

static const char help[] =
    "usage: cctrace ALGO [--preset NAME] [--link-bps N] [PARAM=VALUE]... < events\n"
    "       cctrace ALGO --params [--preset NAME] [--link-bps N]\n"
    "       cctrace --trace FILE [ID]\n"
    "Runs a congestion control algorithm by hand. Each line of standard input is an\n"
    "event, `name key=value ...`. A missing key is 0. Each answer is a line\n"
    "`action | state`. Blank lines and the text after a # are ignored.\n"
    "\n"
    "  --preset NAME  start from these parameters (default: the first preset)\n"
    "  --link-bps N   link rate by which presets scale (default 100000000000)\n"
    "  --params       list presets, parameters, events, and the members of answers\n"
    "  --trace FILE   play all traces of a file of vectors/, or the trace with this "
    "ID:\n"
    "                 print each event as an input line, then its number and its\n"
    "                 answer. `-` is standard input. A trace may end after its phases\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 bad input or refused parameters, 2 usage.\n"
    "ALGO is one of";

static void list_algorithms(FILE *to)
{
    const algo *const *a;
    for (a = algo_all; *a != NULL; a++)
        fprintf(to, " %s", (*a)->name);
    fputc('\n', to);
}

static int usage(const char *what, const char *why)
{
    fputs("cctrace: ", stderr);
    play_show(what);
    fprintf(stderr, ": %s\n", why);
    return 2;
}

static int unknown_algorithm(const char *name)
{
    fputs("cctrace: ", stderr);
    if (name != NULL) play_show(name);
    fprintf(stderr, "%s: expected one of",
            name != NULL ? ": unknown algorithm" : "an algorithm is missing");
    list_algorithms(stderr);
    return 2;
}

static int unknown_preset(const algo *a, const char *name)
{
    size_t i;
    fputs("cctrace: --preset ", stderr);
    play_show(name);
    fputs(": unknown preset: expected one of", stderr);
    for (i = 0; i < a->n_presets; i++)
        fprintf(stderr, " %s", a->presets[i].name);
    fputc('\n', stderr);
    return 2;
}

/* Reports PARAM=VALUE. The value is NULL without an =. */
static int bad_param(const algo *a, const char *name, const char *value)
{
    const algo_param *p = a->params, *const end = p + a->n_params;
    while (p < end && strcmp(p->f.name, name) != 0)
        p++;
    fputs("cctrace: ", stderr);
    play_show(name);
    if (value != NULL) fputc('=', stderr);
    if (value != NULL) play_show(value);
    if (value == NULL)
        fputs(": expected PARAM=VALUE", stderr);
    else if (p == end)
        fputs(": unknown parameter", stderr);
    else
        fprintf(stderr, ": expected %s%s%s%s",
                p->f.kind == ROCECC_FIELD_ENUM ? "one of " : "", p->range,
                p->f.kind == ROCECC_FIELD_ENUM || *p->unit == '\0' ? "" : ", in ",
                p->f.kind == ROCECC_FIELD_ENUM ? "" : p->unit);
    fprintf(stderr, "; see cctrace %s --params\n", a->name);
    return 2;
}

static void list(const char *head, const field *f, size_t n)
{
    size_t i;
    printf("%s", head);
    for (i = 0; i < n; i++)
        printf(" %s", f[i].name);
    putchar('\n');
}

static void list_params(const algo_run *r)
{
    const algo *a = r->a;
    size_t i;
    printf("%s: %s\npresets:", a->name, a->about);
    for (i = 0; i < a->n_presets; i++)
        printf(" %s", a->presets[i].name);
    printf("\n%-28s %-16s %-10s %-24s %s\n", "parameter", "value", "unit", "range",
           "source");
    for (i = 0; i < a->n_params; i++) {
        char value[32] = "";
        FILE *f = fmemopen(value, sizeof value, "w");
        if (f == NULL) abort();
        field_print(&a->params[i].f, r->params, f);
        fclose(f);
        printf("%-28s %-16s %-10s %-24s %s\n", a->params[i].f.name, value,
               a->params[i].unit, a->params[i].range, a->params[i].source);
    }
    for (i = 0; i < a->n_events; i++) {
        char head[64];
        snprintf(head, sizeof head, "event %s", a->events[i].name);
        list(head, a->events[i].args, a->events[i].n_args);
    }
    list("action", a->action, a->n_action);
    list("state", a->state, a->n_state);
}

/* Cuts `KEY=VALUE` at the =. Returns the value, or NULL without an =. */
static char *value_of(char *text)
{
    char *value = strchr(text, '=');
    if (value != NULL) *value++ = '\0';
    return value;
}

/* Ends a message about KEY=VALUE. The value is NULL without an =, and `arg` is NULL for
 * an unknown key. */
static void bad_argument(const algo_event *e, const field *arg, const char *key,
                         const char *value)
{
    size_t i;
    play_show(key);
    if (value != NULL) fputc('=', stderr);
    if (value != NULL) play_show(value);
    if (value != NULL && arg != NULL) {
        fprintf(stderr, ": %s\n", field_expected(arg));
        return;
    }
    fprintf(stderr, ": expected KEY=VALUE, with a KEY of %s:", e->name);
    for (i = 0; i < e->n_args; i++)
        fprintf(stderr, " %s", e->args[i].name);
    fputs(e->n_args == 0 ? " none\n" : "\n", stderr);
}

/* Handles one line. On failure, prints a message to stderr and returns false. */
static bool event_line(algo_run *r, char *line, unsigned long number)
{
    char *word, *rest = NULL;
    size_t event;
    line[strcspn(line, "#\r\n")] = '\0';
    word = strtok_r(line, " \t", &rest);
    if (word == NULL) return true;
    event = algo_event_find(r->a, word);
    if (event == r->a->n_events) {
        fprintf(stderr, "cctrace: line %lu: ", number);
        play_show(word);
        fputs(": unknown event: expected one of", stderr);
        for (event = 0; event < r->a->n_events; event++)
            fprintf(stderr, " %s", r->a->events[event].name);
        fputc('\n', stderr);
        return false;
    }
    algo_args_clear(r);
    while ((word = strtok_r(NULL, " \t", &rest)) != NULL) {
        const char *value = value_of(word);
        const field *arg = algo_arg_find(r->a, event, word);
        if (value != NULL && arg != NULL && field_set(arg, r->args, value)) continue;
        fprintf(stderr, "cctrace: line %lu: ", number);
        bad_argument(&r->a->events[event], arg, word, value);
        return false;
    }
    algo_step(r, event);
    algo_print(r, stdout);
    return true;
}

/* Reports a refusal, with the value and range if it names a parameter. */
static int refuse(const algo_run *r, const char *refusal)
{
    const algo *a = r->a;
    size_t i = 0;
    fprintf(stderr, "cctrace: %s refuses these parameters: %s", a->name, refusal);
    while (i < a->n_params && strcmp(a->params[i].f.name, refusal) != 0)
        i++;
    if (i < a->n_params) {
        fputs("=", stderr);
        field_print(&a->params[i].f, r->params, stderr);
        fprintf(stderr, ", whose range is %s\n", a->params[i].range);
    } else
        fprintf(stderr, "; see the ranges in cctrace %s --params\n", a->name);
    return 1;
}

static int write_error; /* errno of a failed answer, or 0 */

static int events(algo_run *r)
{
    const char *refusal = algo_start(r);
    char *line = NULL;
    size_t size = 0;
    unsigned long number = 0;
    bool ok = true;
    if (refusal != NULL) return refuse(r, refusal);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (ok && !ferror(stdout) && getline(&line, &size, stdin) >= 0)
        ok = event_line(r, line, ++number);
    if (ferror(stdout)) write_error = errno;
    free(line);
    if (ferror(stdin))
        fprintf(stderr, "cctrace: standard input cannot be read: %s\n",
                strerror(errno));
    return ok && !ferror(stdin) ? 0 : 1;
}

/* Returns `code`, or 1 if `code` is 0 and the output could not be written. */
static int done(int code)
{
    if (write_error != 0) {
        fprintf(stderr, "cctrace: standard output cannot be written: %s\n",
                strerror(write_error));
        return code != 0 ? code : 1;
    }
    return written("cctrace") || code != 0 ? code : 1;
}

/* Plays the file's traces, or only the trace with a given ID. */
static int trace(const char *path, int n, char **ids)
{
    char where[4200];
    FILE *f;
    bool found;
    if (n > 1) return usage(ids[1], "expected at most one ID");
    f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (f == NULL) {
        fprintf(stderr, "cctrace: %s cannot be read: %s\n", path, strerror(errno));
        return 1;
    }
    (void)snprintf(where, sizeof where, "cctrace: %s", path);
    found = play_file(f, where, n > 0 ? ids[0] : NULL);
    if (ferror(f)) {
        fprintf(stderr, "%s cannot be read: %s\n", where, strerror(errno));
        found = false;
    } else if (!found) {
        fprintf(stderr, "%s: the file has no trace%s", where,
                n > 0 ? " with the ID " : "");
        if (n > 0) play_show(ids[0]);
        fputc('\n', stderr);
    }
    fclose(f);
    return found ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"preset", required_argument, NULL, 'p'},
                                            {"link-bps", required_argument, NULL, 'l'},
                                            {"params", no_argument, NULL, 'q'},
                                            {"trace", required_argument, NULL, 't'},
                                            {"help", no_argument, NULL, 'h'},
                                            {"version", no_argument, NULL, 'v'},
                                            {NULL, 0, NULL, 0}};
    const char *preset = NULL, *file = NULL;
    uint64_t link_bps = LINK_BPS;
    bool params = false;
    const algo *a;
    algo_run r;
    char *end;
    int option, code;
    opterr = 0; /* prints its own messages */
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case 'p':
            preset = optarg;
            break;
        case 'l':
            errno = 0;
            link_bps = strtoull(optarg, &end, 10);
            if (*optarg < '0' || *optarg > '9' || *end != '\0' || errno != 0)
                return usage(optarg,
                             "expected --link-bps N, a whole number below 2^64");
            break;
        case 'q':
            params = true;
            break;
        case 't':
            file = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            list_algorithms(stdout);
            return done(0);
        case 'v':
            puts("cctrace " ROCECC_VERSION);
            return done(0);
        case ':':
            return usage(argv[optind - 1], "requires an argument");
        default:
            return usage(argv[optind - (argv[optind - 1][0] == '-')],
                         "unknown option, or one that is not complete: see --help");
        }
    }
    if (file != NULL) return done(trace(file, argc - optind, argv + optind));
    if (optind == argc) return unknown_algorithm(NULL);
    a = algo_find(argv[optind]);
    if (a == NULL) return unknown_algorithm(argv[optind]);
    r = algo_run_new(a, link_bps);
    code = 0;
    if (preset != NULL && !algo_preset_set(&r, preset, link_bps))
        code = unknown_preset(a, preset);
    while (code == 0 && ++optind < argc) {
        const char *value = value_of(argv[optind]);
        if (value == NULL || !algo_param_set(&r, argv[optind], value))
            code = bad_param(a, argv[optind], value);
    }
    if (code == 0 && params) list_params(&r);
    if (code == 0 && !params) code = events(&r);
    algo_run_free(&r);
    return done(code);
}
