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
    "event, `name key=value ...`, a key that is not named being 0; each answer is a\n"
    "line `action | state`. Blank lines and what follows a # are comments.\n"
    "\n"
    "  --preset NAME  start from these parameters (default: the first)\n"
    "  --link-bps N   what a preset scales with (default 100000000000)\n"
    "  --params       list presets, parameters, events, and what is answered\n"
    "  --trace FILE   play the traces of a file of vectors/, or that of one ID: of "
    "each\n"
    "                 event the line that it is here, then its number and its answer;\n"
    "                 from standard input where FILE is -, which may end after its "
    "phases\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 bad input or refused parameters, 2 usage.\n";

static int usage(const char *why, const char *what)
{
    const algo *const *a;
    if (why != NULL) fprintf(stderr, "cctrace: %s%s\n", why, what);
    fputs("usage: cctrace ALGO [--preset NAME] [--link-bps N] [PARAM=VALUE]... < "
          "events\nALGO is one of",
          stderr);
    for (a = algo_all; *a != NULL; a++)
        fprintf(stderr, " %s", (*a)->name);
    fputs("\ncctrace --help says more\n", stderr);
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
        fprintf(stderr, "cctrace: line %lu: no event %s\n", number, word);
        return false;
    }
    algo_args_clear(r);
    while ((word = strtok_r(NULL, " \t", &rest)) != NULL) {
        const char *value = value_of(word);
        const field *arg = algo_arg_find(r->a, event, word);
        if (value != NULL && arg != NULL && field_set(arg, r->args, value)) continue;
        fprintf(stderr, "cctrace: line %lu: %s%s%s is nothing that %s takes\n", number,
                word, value != NULL ? "=" : "", value != NULL ? value : "",
                r->a->events[event].name);
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
        fprintf(stderr, ", whose range is %s", a->params[i].range);
    }
    fputs("\n", stderr);
    return 1;
}

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
    free(line);
    return ok ? 0 : 1;
}

/* Returns `code`, or 1 if `code` is 0 and the output could not be written. */
static int done(int code)
{
    return written("cctrace") || code != 0 ? code : 1;
}

/* Plays the file's traces, or only the trace with a given ID. */
static int trace(const char *path, int n, char **ids)
{
    FILE *f;
    bool found;
    if (n > 1) return usage("one ID, and not ", ids[1]);
    f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (f == NULL) {
        fprintf(stderr, "cctrace: %s: %s\n", path, strerror(errno));
        return 1;
    }
    found = play_file(f, path, n > 0 ? ids[0] : NULL);
    fclose(f);
    if (!found)
        fprintf(stderr, "cctrace: %s: no trace%s%s\n", path, n > 0 ? " " : "",
                n > 0 ? ids[0] : "");
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
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'p':
            preset = optarg;
            break;
        case 'l':
            errno = 0;
            link_bps = strtoull(optarg, &end, 10);
            if (*optarg < '0' || *optarg > '9' || *end != '\0' || errno != 0)
                return usage("no number: ", optarg);
            break;
        case 'q':
            params = true;
            break;
        case 't':
            file = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            return done(0);
        case 'v':
            puts("cctrace " ROCECC_VERSION);
            return done(0);
        default:
            return usage(NULL, "");
        }
    }
    if (file != NULL) return done(trace(file, argc - optind, argv + optind));
    if (optind == argc) return usage("which algorithm?", "");
    a = algo_find(argv[optind]);
    if (a == NULL) return usage("no algorithm ", argv[optind]);
    r = algo_run_new(a, link_bps);
    code = 0;
    if (preset != NULL && !algo_preset_set(&r, preset, link_bps))
        code = usage("no such preset: ", preset);
    while (code == 0 && ++optind < argc) {
        const char *value = value_of(argv[optind]);
        if (value == NULL || !algo_param_set(&r, argv[optind], value))
            code = usage("no such parameter or value: ", argv[optind]);
    }
    if (code == 0 && params) list_params(&r);
    if (code == 0 && !params) code = events(&r);
    algo_run_free(&r);
    return done(code);
}
