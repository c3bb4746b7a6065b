/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c - runs the tests, with every mutant in the same program. First each test runs
 * in its own process, to record the sites that it reaches and its time. Then each
 * mutant is switched on in its own process, and the tests that reach it run until one
 * is red. The test that killed the last mutant runs first, then the quickest. A crash
 * is red. If a test takes ten times its processor time, and SPARE_MS more, its mutant
 * is put aside. Later, when nothing else runs, each of its tests has ten times its
 * processor time and SPARE_ALONE_MS. A longer test hangs, and is red. Long loops run a
 * sixteenth of their rounds, unless TEST_SCALE is set. TEST_JOBS=N sets the number of
 * processes.
 *
 * run FILE [TEST...]      judges the mutants with numbers in that file, and prints for
 *                         each killed, survived or unreached, its name, place and
 *                         test; only tests with such a name run
 * run MUTANT [TEST...]    runs the tests that reach it, and shows the results
 */
#define _DEFAULT_SOURCE
#define main test_main
#include "../../lib/test.c"
#undef main

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutate.h"

#define TESTS_MAX 4096
#define JOBS_MAX 64
#define SPARE_MS 200
#define SPARE_ALONE_MS 2000

static const struct mutant {
    const char *name;
    const char *header;
    unsigned line;
    int offset; /* of the change; -1: the assignment is left out; or the way */
    unsigned first;
    unsigned from; /* offset of the twin, and its size; 0: a bit is flipped */
    unsigned size;
} mutants[] = {
#include "mutants.h"
};

#define MUTANTS (sizeof mutants / sizeof mutants[0])

unsigned mutate_on = ~0u;
unsigned mutate_way;
unsigned char *mutate_reached;

static struct timed {
    const test *t;
    pid_t pid;              /* its process */
    unsigned char *reached; /* by number of site */
    double *seconds;
} timed[TESTS_MAX];
static size_t n_timed;

/* Returns true if memory is as -ftrivial-auto-var-init=pattern has it. */
static bool unset(const unsigned char *p, size_t size)
{
    size_t i;
    for (i = 0; i < size && p[i] == 0xfe; i++) {
    }
    return i == size;
}

void mutate_do(unsigned char *p, const void *old, size_t size)
{
    const struct mutant *m = &mutants[mutate_on];
    size_t i;
    if (m->offset < 0 && unset((const unsigned char *)old, size))
        for (i = 0; i < size; i++) /* unset memory: any value, here a wrong one */
            p[i] ^= size == 1 ? 1 : 0x55;
    else if (m->offset < 0)
        memcpy(p, old, size);
    else if (m->size != 0)
        memmove(p + m->offset, p + m->from, m->size);
    else
        p[m->offset] ^= 1;
}

/* Returns user time, not elapsed time, because the machine may have other work. */
static double seconds_of(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6;
}

static void switch_on(const struct mutant *m)
{
    mutate_on = (unsigned)(m - mutants);
    mutate_way = (unsigned)m->offset;
}

static bool green(const test *t)
{
    failures = 0;
    test_context("%s", "");
    t->run();
    return failures == 0;
}

static void *shared(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    return p;
}

static int quicker(const void *a, const void *b)
{
    const double x = *((const struct timed *)a)->seconds;
    const double y = *((const struct timed *)b)->seconds;
    return x < y ? -1 : x > y;
}

static size_t cores(void)
{
    const char *asked = getenv("TEST_JOBS");
    const long n = asked != NULL ? atol(asked) : sysconf(_SC_NPROCESSORS_ONLN);
    if (n <= 0) return 1;
    return n < JOBS_MAX ? (size_t)n : JOBS_MAX;
}

/* Starts a test in its own process, to record its time and the sites it reaches. */
static void start_record(const test *t)
{
    static unsigned char *reached; /* one block, as a fork copies each mapping entry */
    static double *seconds;
    struct timed *at = &timed[n_timed++];
    if (n_timed == TESTS_MAX) abort();
    if (reached == NULL) reached = (unsigned char *)shared(TESTS_MAX * MUTANTS);
    if (seconds == NULL) seconds = (double *)shared(TESTS_MAX * sizeof *seconds);
    at->t = t;
    at->reached = mutate_reached = reached + (n_timed - 1) * MUTANTS;
    at->seconds = &seconds[n_timed - 1];
    fflush(stdout);
    at->pid = fork();
    if (at->pid == 0) {
        const double before = seconds_of(RUSAGE_SELF);
        const bool ok = green(t);
        *at->seconds = seconds_of(RUSAGE_SELF) - before;
        _exit(!ok);
    }
}

static void finish_record(void)
{
    int status = 0;
    const pid_t pid = wait(&status);
    size_t i;
    for (i = 0; i < n_timed && timed[i].pid != pid; i++) {
    }
    if (pid < 0 || i == n_timed || status != 0) {
        printf("mutate: %s is red without a mutant\n",
               i < n_timed ? timed[i].t->name : "a test");
        exit(2);
    }
}

static size_t order[TESTS_MAX]; /* tests that reach a mutant, in running order */

/* Sets the order, and returns the number of tests. */
static size_t reaching(const struct mutant *m, size_t first)
{
    size_t i, n = 0;
    if (timed[first].reached[m->first]) order[n++] = first;
    for (i = 0; i < n_timed; i++)
        if (timed[i].reached[m->first] && i != first) order[n++] = i;
    return n;
}

static void try(const struct timed *at, unsigned spare_ms)
{
    const unsigned ms = spare_ms + (unsigned)(10000 * *at->seconds);
    struct itimerval limit = {{0, 0}, {0, 0}};
    limit.it_value.tv_sec = ms / 1000;
    limit.it_value.tv_usec = ms % 1000 * 1000;
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    if (!green(at->t)) _exit(1);
}

/* In the child: exits with 0 if every test is green, else *by is the red test. */
static void judge(const struct mutant *m, size_t n, unsigned spare_ms, size_t *by)
{
    size_t i;
    switch_on(m);
    for (i = 0; i < n; i++) {
        *by = order[i];
        try(&timed[*by], spare_ms);
    }
    _exit(0);
}

static void report(const struct mutant *m, const char *what, const char *by)
{
    printf("%s %s %s:%u %s\n", what, m->name, m->header, m->line, by);
    fflush(stdout);
}

static struct job {
    pid_t pid;
    const struct mutant *m;
    size_t *by;
} jobs[JOBS_MAX];
static size_t found_by; /* test of the last kill */

/* Mutants that the clock stopped. */
static const struct mutant *aside[MUTANTS];
static size_t n_aside;

static void start(struct job *job, const struct mutant *m, unsigned spare_ms)
{
    const size_t n = reaching(m, found_by);
    if (job->by == NULL) job->by = (size_t *)shared(sizeof *job->by);
    job->m = m;
    job->pid = fork();
    if (job->pid < 0) {
        perror("fork");
        exit(2);
    }
    if (job->pid == 0) {
        const struct rlimit core = {0, 0};
        setrlimit(RLIMIT_CORE, &core);
        if (freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL)
            _exit(0);
        judge(m, n, spare_ms, job->by);
    }
}

static void finish(bool alone)
{
    int status;
    size_t i;
    const pid_t pid = wait(&status);
    for (i = 0; i < JOBS_MAX && jobs[i].pid != pid; i++) {
    }
    if (i == JOBS_MAX) return;
    jobs[i].pid = 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM && !alone) {
        aside[n_aside++] = jobs[i].m;
    } else if (status == 0) {
        report(jobs[i].m, "survived", "-");
    } else {
        found_by = *jobs[i].by;
        report(jobs[i].m, "killed", timed[found_by].t->name);
    }
}

/* Reads the numbers in a file, before a child exists that could move its offset. */
static size_t read_numbers(const char *path, unsigned *numbers)
{
    FILE *f = fopen(path, "r");
    size_t n = 0;
    if (f == NULL) return 0;
    while (n < MUTANTS && fscanf(f, "%u", &numbers[n]) == 1)
        if (numbers[n++] >= MUTANTS) abort();
    fclose(f);
    return n;
}

static void run(const unsigned *numbers, size_t n_numbers)
{
    const size_t n = cores();
    size_t i, k;
    for (k = 0; k < n_numbers; k++) {
        const struct mutant *m = &mutants[numbers[k]];
        if (reaching(m, found_by) == 0) {
            report(m, "unreached", "-");
            continue;
        }
        for (i = 0; jobs[i].pid != 0; i = (i + 1) % n)
            if (i == n - 1) finish(false);
        start(&jobs[i], m, SPARE_MS);
    }
    for (i = 0; i < n; i++)
        while (jobs[i].pid != 0)
            finish(false);
    for (k = 0; k < n_aside; k++) {
        start(&jobs[0], aside[k], SPARE_ALONE_MS);
        finish(true);
    }
}

static void show(const char *name)
{
    size_t i, k;
    for (i = 0; i < MUTANTS && strcmp(mutants[i].name, name) != 0; i++) {
    }
    if (i == MUTANTS) {
        printf("mutate: no mutant is called %s\n", name);
        exit(2);
    }
    first_ends = false;
    switch_on(&mutants[i]);
    for (k = 0; k < n_timed; k++)
        if (timed[k].reached[mutants[i].first])
            printf("%s %s\n", green(timed[k].t) ? "green" : "red  ", timed[k].t->name);
}

/* Returns true if a test's name contains a word of argv[2] on, or without any word. */
static bool wanted(const test *t, int argc, char **argv)
{
    int i;
    for (i = 2; i < argc; i++)
        if (strstr(t->name, argv[i]) != NULL) return true;
    return argc == 2;
}

static void record(int argc, char **argv)
{
    size_t running = 0;
    const test *t;
    for (t = tests; t != NULL; t = t->next) {
        if (!wanted(t, argc, argv)) continue;
        if (running == cores()) {
            finish_record();
            running--;
        }
        start_record(t);
        running++;
    }
    for (; running > 0; running--)
        finish_record();
}

int main(int argc, char **argv)
{
    static unsigned numbers[MUTANTS];
    if (argc < 2) return 2;
    first_ends = true; /* the first failed CHECK ends a mutant's process */
    setenv("TEST_SCALE", "16", 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    record(argc, argv);
    qsort(timed, n_timed, sizeof timed[0], quicker);
    mutate_reached = (unsigned char *)calloc(MUTANTS, 1); /* not read */
    if (mutate_reached == NULL) return 2;
    if (strchr(argv[1], ':') != NULL) {
        show(argv[1]);
        return 0;
    }
    run(numbers, read_numbers(argv[1], numbers));
    return 0;
}
