/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * load.c - load [LIST [JOBS]]
 *
 * Loads the objects of a list into the running kernel, and runs each `program` on
 * packets. A line of LIST is "NAME OBJECT ROWS". ROWS is a file with the output of the
 * host's program (bpf.h), or - for none. Prints one line per object:
 *
 *   load: NAME ok INSTRUCTIONS DIGESTS    loaded, and all digests are the host's
 *   load: NAME refused WHY                by the verifier; the end of its log follows
 *                                         in lines that begin with "load|NAME|"
 *   load: NAME differs ROW LENGTH ...     loaded, but one digest differs
 *   load: NAME error WHY                  no such file, no packet, ...
 *
 * The last line is "load: N programs". The calling script judges. As process 1 of a
 * machine, it reads /list and then switches the machine off.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOBS 2
#define LAST_WORDS 1200 /* the end of the verifier's log */

static char log_text[1 << 24];

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
    (void)level, (void)format, (void)args;
    return 0;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints in one write, so that two processes do not mix their lines. */
static void say(const char *format, ...)
{
    char line[1000];
    va_list args;
    int n;
    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n >= (int)sizeof line) n = (int)sizeof line - 1;
    if (write(1, line, (size_t)n) != n) exit(1);
}

static void say_log(const char *name)
{
    const size_t n = strlen(log_text);
    char *line = log_text + (n > LAST_WORDS ? n - LAST_WORDS : 0);
    for (line = strtok(line, "\n"); line != NULL; line = strtok(NULL, "\n"))
        say("load|%s|%s\n", name, line);
}

/*
 * Returns the log's last line that is not a statistic. Without such a line, returns the
 * text of `error`.
 */
static const char *why(int error)
{
    const char *last = "";
    char *line;
    static char text[sizeof log_text];
    strcpy(text, log_text);
    for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "processed ", 10) != 0 &&
            strncmp(line, "max_states", 10) != 0 &&
            strncmp(line, "verification time", 17) != 0 &&
            strncmp(line, "stack depth", 11) != 0)
            last = line;
    return *last != '\0' ? last : strerror(error);
}

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/*
 * Runs a row "NAME HEX DIGEST..." with the digests of its longest prefixes. Returns the
 * number of digests, 0 after a printed failure, or -1 for a malformed row.
 */
static long run_row(const char *name, int fd, char *line)
{
    static unsigned char packet[14 + 65536]; /* 14: a dummy Ethernet header */
    char *at = NULL;
    const char *row = strtok_r(line, " \n", &at);
    const char *hex = strtok_r(NULL, " \n", &at);
    size_t n = 0, digests = 0, left;
    char *digest;
    LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .repeat = 1);
    if (row == NULL || hex == NULL) return -1;
    for (; *hex != '-' && hex[2 * n] != '\0'; n++)
        packet[14 + n] =
            (unsigned char)(digit(hex[2 * n]) << 4 | digit(hex[2 * n + 1]));
    for (digest = at; *digest != '\0'; digest++)
        digests += *digest == ' ' || *digest == '\n';
    if (digests == 0 || digests > n + 1) return -1;
    for (left = digests; left > 0; left--) {
        const unsigned want = (unsigned)strtoul(strtok_r(NULL, " \n", &at), NULL, 10);
        run.data_size_in = (unsigned)(14 + n + 1 - left);
        run.data_size_out = 0; /* the previous call has set it */
        if (bpf_prog_test_run_opts(fd, &run) != 0) {
            say("load: %s error %s: %s\n", name, row, strerror(errno));
            return 0;
        }
        if (run.retval != want) {
            say("load: %s differs %s %zu: the kernel gives %u, the host %u\n", name,
                row, n + 1 - left, run.retval, want);
            return 0;
        }
    }
    return (long)digests;
}

/* Returns how many digests agreed, or 0 after a printed failure. */
static long run_rows(const char *name, int fd, const char *rows)
{
    FILE *f = fopen(rows, "r");
    char *line = NULL;
    size_t size = 0;
    long sum = 0, n = -1;
    while (f != NULL && getline(&line, &size, f) > 0) {
        n = run_row(name, fd, line);
        if (n <= 0) break;
        sum += n;
    }
    if (f != NULL) fclose(f);
    free(line);
    if (n < 0)
        say("load: %s error %s has no packet, or not only packets\n", name, rows);
    return n <= 0 ? 0 : sum;
}

/*
 * Returns the loaded object. On failure, returns NULL and sets *error to the kernel's
 * error, or to 0 if `path` has no object.
 */
static struct bpf_object *load_object(const char *path, unsigned level, int *error)
{
    LIBBPF_OPTS(bpf_object_open_opts, how, .kernel_log_buf = log_text,
                .kernel_log_size = sizeof log_text, .kernel_log_level = level);
    struct bpf_object *object = bpf_object__open_file(path, &how);
    *error = 0;
    if (object == NULL) return NULL;
    log_text[0] = '\0';
    *error = -bpf_object__load(object);
    if (*error == 0) return object;
    bpf_object__close(object);
    return NULL;
}

/*
 * The short log has the reason. The long log names each instruction. After a million of
 * them it takes a minute and adds nothing.
 */
#define SHORT_LOG 4
#define LONG_LOG 1

static void load(const char *name, const char *path, const char *rows)
{
    int error;
    struct bpf_object *object = load_object(path, SHORT_LOG, &error);
    struct bpf_program *program;
    struct bpf_prog_info info;
    unsigned size, instructions = 0;
    long digests = 0;
    if (object == NULL && error == 0) {
        say("load: %s error %s: %s\n", name, path, strerror(errno));
        return;
    }
    if (object == NULL) {
        const char *reason = why(error);
        say("load: %s refused %s\n", name, reason);
        if (strstr(reason, "too large") == NULL &&
            strstr(reason, "too complex") == NULL)
            load_object(path, LONG_LOG, &error);
        say_log(name);
        return;
    }
    bpf_object__for_each_program(program, object)
    {
        memset(&info, 0, sizeof info);
        size = sizeof info;
        if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) == 0)
            instructions += info.verified_insns;
    }
    program = bpf_object__find_program_by_name(object, "program");
    if (strcmp(rows, "-") != 0)
        digests = run_rows(name, program == NULL ? -1 : bpf_program__fd(program), rows);
    if (strcmp(rows, "-") == 0 || digests > 0)
        say("load: %s ok %u %ld\n", name, instructions, digests);
    bpf_object__close(object);
}

/*
 * Loads each object whose line number modulo `jobs` is `job`. Returns the number of
 * lines, or -1 if there is no list.
 */
static long load_list(const char *path, int job, int jobs)
{
    char name[64], object[256], rows[256];
    FILE *f = fopen(path, "r");
    long n = 0;
    if (f == NULL) return -1;
    for (; fscanf(f, "%63s %255s %255s", name, object, rows) == 3; n++)
        if (job >= 0 && n % jobs == job) load(name, object, rows);
    fclose(f);
    return n;
}

static int load_all(const char *path, int jobs)
{
    int job, status, bad = 0;
    for (job = 0; job < jobs; job++) {
        if (fork() != 0) continue;
        exit(load_list(path, job, jobs) < 0);
    }
    while (wait(&status) > 0)
        bad |= status != 0;
    if (bad) return 1;
    say("load: %ld programs\n", load_list(path, -1, 1));
    return 0;
}

int main(int argc, char **argv)
{
    int status;
    libbpf_set_print(quiet);
    if (getpid() != 1) {
        if (argc < 2) return 2;
        return load_all(argv[1], argc > 2 ? atoi(argv[2]) : JOBS);
    }
    status = load_all("/list", JOBS);
    if (status != 0) say("load: failed\n");
    sync();
    sleep(1); /* time for the console to empty */
    return reboot(RB_POWER_OFF);
}
