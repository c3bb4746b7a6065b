/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rocedump - shows the RoCE packets of a capture as text, as JSON, as counts, by flow
 * or over time.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "../lib/network.h"
#include "../lib/network_file.h"
#include "../lib/vec.h"
#include "../lib/written.h"
#include "clock.h"
#include "decode.h"
#include "filter.h"
#include "help.h"
#include "schema.h"
#include "views.h"

#define PROGRESS_FRAMES (1u << 20)
#define WRITE_BYTES (1 << 16)
#define GOES_ON (-1) /* not an exit status */

typedef enum mode { TEXT, JSON, SUMMARY } mode;

typedef struct tool {
    mode mode;
    view view;
    clock_state clock;
    bool progress;
    bool fields; /* --fields, without a capture */
    bool print_domain;
    decoded d[PACKETS_MAX];
    judge *judge; /* NULL without --judge */
    const char *role;
    judged judged[LEVELS_MAX];
    access_list access; /* empty without --access */
    const char *list;   /* path of that list */
    summary sum;
    const filter *filter; /* NULL to show everything */
    uint64_t most;        /* frames to show, 0 for all */
    const char *device;   /* interface, or NULL for files */
} tool;

/* Judges a frame and the packets in its tunnels. */
static void judge_frame(tool *t, const settings *c, uint64_t now_ns)
{
    decoded *d = t->d;
    int i;
    for (i = 0; i < LEVELS_MAX && d != NULL; i++) {
        judge_packet(t->judge, &c->judge, &d->p, now_ns, &t->judged[i]);
        d->judged = &t->judged[i];
        d = d->inner;
    }
}

/* Adds a shown frame to the summary. */
static void count_frame(tool *t, const packet *p)
{
    const decoded *d;
    summary_add(&t->sum, p, t->d);
    for (d = t->d; d != NULL && d->judged != NULL; d = d->inner)
        judge_count(t->judge, d->judged);
}

static void show(tool *t, const settings *c, const packet *p)
{
    char when[CLOCK_BYTES];
    if (t->view.kind != VIEW_FRAMES) {
        view_frame(&t->view, p, t->d, stdout);
        return;
    }
    if (t->mode != JSON) count_frame(t, p);
    if (t->mode == JSON) json_frame(p, t->d, stdout);
    if (t->mode == TEXT)
        text_frame(c, p, clock_text(&t->clock, p->time_ns, when), t->d, stdout);
}

/* Counts a shown frame, and flushes it if necessary. */
static void shown(tool *t, input *in)
{
    if (++in->shown == t->most) in->enough = true;
    if (in->at_once && t->mode != SUMMARY && fflush(stdout) != 0) in->enough = true;
}

static void each(input *in, const packet *p)
{
    tool *t = (tool *)in->arg;
    clock_frame(&t->clock, p->time_ns);
    view_clock(&t->view, p->time_ns);
    decode(&in->config, p, t->d);
    in->last = t->d;
    if (t->judge != NULL) judge_frame(t, &in->config, p->time_ns);
    if (t->filter != NULL && !filter_passes(t->filter, p, t->d)) return;
    show(t, &in->config, p);
    if (t->progress && p->number % PROGRESS_FRAMES == 0)
        fprintf(stderr, "\r%llu frames", (unsigned long long)p->number);
    shown(t, in);
}

static int usage(const char *why)
{
    if (why != NULL) fprintf(stderr, "rocedump: %s\n", why);
    fputs("rocedump --help lists the options\n", stderr);
    return 2;
}

/* Reports the value of an option. */
static int bad_value(const char *option, const char *value, const char *why)
{
    fprintf(stderr, "rocedump: %s %s: %s\n", option, value, why);
    return usage(NULL);
}

/* Returns NULL, or why the setting is refused. */
static const char *set_config(input *in, const char *text)
{
    settings *c = &in->config;
    char name[64];
    const size_t n = strcspn(text, "=");
    if (text[n] == '\0') return "expected NAME=VALUE";
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), text);
    if (network_field(name) != NULL || strncmp(name, "frame.", 6) == 0)
        in->own_domain = true;
    return config_set(c, name, text + n + 1) ? NULL : config_expected(c, name);
}

/* Returns the exit status after all output has been written. */
static int done(bool ok)
{
    return written("rocedump") && ok ? 0 : 1;
}

static int show_fields(const char *format, bool more)
{
    if (more) return usage("--fields takes only one format");
    if (!fields_print(format, stdout))
        return bad_value("--fields", format,
                         "unknown format; --fields alone lists all");
    return done(true);
}

/* Returns the number of frames, or 0 for an invalid number. */
static uint64_t count_of(const char *text)
{
    static const field count = FIELD_AT("", UINT, 0, sizeof(uint64_t), NULL);
    uint64_t n = 0;
    return field_set(&count, &n, text) ? n : 0;
}

/* Reads all files in turn, or the interface. A bad file does not stop the others. */
static bool read_all(input *in, const char *device, char *const *files)
{
    bool ok = true;
    if (device != NULL) return input_live(in, device);
    for (; *files != NULL && !in->enough && !in->refused; files++)
        ok = input_read(in, *files) && ok;
    return ok;
}

static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                        {"summary", no_argument, NULL, 's'},
                                        {"flows", optional_argument, NULL, 'V'},
                                        {"timeline", optional_argument, NULL, 'V'},
                                        {"plot", required_argument, NULL, 'V'},
                                        {"csv", required_argument, NULL, 'V'},
                                        {"time", required_argument, NULL, 't'},
                                        {"no-icrc", no_argument, NULL, 'n'},
                                        {"config", required_argument, NULL, 'C'},
                                        {"domain", required_argument, NULL, 'D'},
                                        {"print-domain", no_argument, NULL, 'P'},
                                        {"fields", no_argument, NULL, 'F'},
                                        {"schema", no_argument, NULL, 'S'},
                                        {"filter", required_argument, NULL, 'f'},
                                        {"judge", required_argument, NULL, 'g'},
                                        {"access", required_argument, NULL, 'a'},
                                        {"help", no_argument, NULL, 'h'},
                                        {"version", no_argument, NULL, 'v'},
                                        {NULL, 0, NULL, 0}};

/* Handles one option. Options that share a letter differ in options[which]. */
static int take(tool *t, input *in, int option, int which)
{
    const char *refused;
    switch (option) {
    case 'j':
    case 's':
        if (t->mode != TEXT && t->mode != (option == 'j' ? JSON : SUMMARY))
            return usage("--json and --summary exclude each other; give only one");
        t->mode = option == 'j' ? JSON : SUMMARY;
        return GOES_ON;
    case 'V':
        refused = view_option(&t->view, options[which].name, optarg);
        return refused != NULL ? usage(refused) : GOES_ON;
    case 't':
        return clock_set(&t->clock, optarg)
                   ? GOES_ON
                   : bad_value("--time", optarg,
                               "expected relative, delta, utc or epoch");
    case 'n':
        in->config.no_icrc = true;
        return GOES_ON;
    case 'C':
        refused = set_config(in, optarg);
        return refused != NULL ? bad_value("--config", optarg, refused) : GOES_ON;
    case 'D':
        in->own_domain = true;
        return network_read(&in->config.domain, optarg, "rocedump") ? GOES_ON : 1;
    case 'P':
        t->print_domain = true;
        return GOES_ON;
    case 'g':
        t->role = optarg;
        t->judge = judge_of(optarg, &t->access);
        return t->judge != NULL ? GOES_ON
                                : bad_value("--judge", optarg, judge_expected());
    case 'a':
        t->list = optarg;
        return GOES_ON;
    case 'F':
        t->fields = true;
        return GOES_ON;
    case 'i':
        t->device = optarg;
        return GOES_ON;
    case 'l':
        in->at_once = true;
        return GOES_ON;
    case 'c':
        t->most = count_of(optarg);
        return t->most != 0 ? GOES_ON
                            : bad_value("-c", optarg,
                                        "expected a whole number of frames, from 1 on");
    case 'f':
        in->bpf = optarg;
        return GOES_ON;
    case 'Y':
        t->filter = filter_of(optarg);
        return t->filter != NULL ? GOES_ON : 2;
    case 'h':
        help_print(stdout);
        return done(true);
    case 'S':
        schema_print(stdout);
        return done(true);
    case 'v':
        puts("rocedump " ROCECC_VERSION);
        return done(true);
    default:
        return usage(NULL);
    }
}

/* Reports that --domain and --config do not fit together. */
static int bad_domain(const char *why)
{
    fprintf(stderr, "rocedump: invalid domain: %s\n", why);
    return usage(NULL);
}

/* Prints the domain that the options give. */
static int print_domain(const settings *c)
{
    const char *refused = config_refused(c);
    if (refused != NULL) return bad_domain(refused);
    network_write(&c->domain, stdout);
    return done(true);
}

/*
 * Checks that the options go together, and applies them. Returns GOES_ON or an exit
 * status.
 */
static int agree(tool *t, input *in, const char *first)
{
    const char *refused = config_refused(&in->config);
    if (refused != NULL) return bad_domain(refused);
    if (first == NULL && t->device == NULL) {
        (void)usage("no input: name a FILE, - for standard input, or -i IFACE");
        fputs(help_usage, stderr);
        return 2;
    }
    if (first != NULL && t->device != NULL)
        return bad_value("-i", t->device, "an interface and files exclude each other");
    if (t->list != NULL && t->judge == NULL) return usage("--access needs --judge");
    if (t->list != NULL && !access_read(&t->access, t->list)) return 1;
    if (t->judge != NULL) {
        refused = judge_refused(t->judge, &in->config.judge, &in->config.domain);
        if (refused != NULL) return bad_value("--judge", t->role, refused);
    }
    if (t->view.kind != VIEW_FRAMES && (t->mode == SUMMARY || t->judge != NULL))
        return usage("--summary and --judge do not work with --flows, --timeline or "
                     "--csv");
    t->view.as_json = t->mode == JSON;
    in->config.judging = t->judge != NULL;
    in->config.brief = t->mode == SUMMARY && t->filter == NULL;
    refused = view_start(&t->view, &in->config);
    return refused != NULL ? usage(refused) : GOES_ON;
}

/* Ends the output. If there is only one file and it has vectors, names it. */
static bool finish(tool *t, const input *in, const char *only)
{
    if (t->progress) fputs("\r                            \r", stderr);
    if (t->view.kind != VIEW_FRAMES) return view_end(&t->view, stdout);
    if (t->mode == JSON || in->shown == 0) return true;
    summary_print(&t->sum, stdout);
    if (t->judge != NULL) judge_summary(t->judge, stdout);
    if (t->judge != NULL && t->mode == SUMMARY) judge_counters_print(t->judge, stdout);
    if (t->mode == TEXT && in->vectors && only != NULL)
        printf("%s: %llu frames shown, %llu of them RoCE, %llu CNPs\n", only,
               (unsigned long long)in->shown,
               (unsigned long long)(t->sum.rocev1 + t->sum.rocev2),
               (unsigned long long)t->sum.cnps);
    return true;
}

int main(int argc, char **argv)
{
    static tool t;   /* all 0 */
    static input in; /* all 0 */
    static char buffer[WRITE_BYTES];
    bool ok;
    int option, which = 0, status = GOES_ON;
    vec_tool = "rocedump";
    if (!isatty(STDOUT_FILENO)) (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    config_default(&in.config);
    while (status == GOES_ON &&
           (option = getopt_long(argc, argv, "i:lc:f:Y:h", options, &which)) != -1)
        status = take(&t, &in, option, which);
    if (status != GOES_ON) return status;
    if (t.fields)
        return show_fields(optind < argc ? argv[optind] : NULL, optind + 1 < argc);
    if (t.print_domain) return print_domain(&in.config);
    status = agree(&t, &in, argv[optind]);
    if (status != GOES_ON) return status;
    t.progress = t.mode == SUMMARY && isatty(STDERR_FILENO);
    in.each = each;
    in.arg = &t;
    ok = read_all(&in, t.device, argv + optind);
    ok = finish(&t, &in, optind + 1 == argc ? argv[optind] : NULL) && ok;
    return in.refused ? 2 : done(ok);
}
