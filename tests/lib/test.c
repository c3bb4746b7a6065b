/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 64

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define TEST_MSAN 1
#include <sanitizer/msan_interface.h>
#endif
#endif

static test *tests;
static char context[128];
static struct {
    const char *what; /* NULL: the context is text */
    uint64_t a, b, c;
} whereabouts;
static unsigned long failures; /* of the current test */
static bool first_ends;        /* the first failure ends the process (mutate/run.c) */

void test_register(test *t)
{
    test **at = &tests;
    while (*at != NULL && strcmp((*at)->name, t->name) < 0)
        at = &(*at)->next;
    t->next = *at;
    *at = t;
}

bool test_named(const char *number)
{
    const size_t n = strlen(number);
    const test *t;
    for (t = tests; t != NULL; t = t->next) {
        const char *at = strstr(t->name, number);
        for (; at != NULL; at = strstr(at + n, number))
            if (at[n] == '_' || at[n] == '\0') return true;
    }
    return false;
}

void test_context(const char *format, ...)
{
    va_list args;
    if (first_ends) return; /* not printed */
    whereabouts.what = NULL;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
}

void test_at(const char *what, uint64_t a, uint64_t b, uint64_t c)
{
    whereabouts.what = what;
    whereabouts.a = a;
    whereabouts.b = b;
    whereabouts.c = c;
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    if (first_ends) _exit(1);
    if (++failures > 10) return; /* enough */
    if (whereabouts.what != NULL)
        snprintf(context, sizeof context, "%s: 0x%llx, 0x%llx, 0x%llx",
                 whereabouts.what, (unsigned long long)whereabouts.a,
                 (unsigned long long)whereabouts.b, (unsigned long long)whereabouts.c);
    va_start(args, format);
    printf("%s:%d: %s%s", file, line, context, context[0] != '\0' ? ": " : "");
    vprintf(format, args);
    printf("\n");
    fflush(stdout); /* in case the process dies */
    va_end(args);
}

void test_forget(void *p, size_t n)
{
#if defined(TEST_MSAN)
    __msan_poison(p, n);
#else
    (void)p, (void)n;
#endif
}

void test_known(const void *p, size_t n)
{
#if defined(TEST_MSAN)
    __msan_check_mem_is_initialized(p, n);
#else
    (void)p, (void)n;
#endif
}

void test_remember(void *p, size_t n)
{
#if defined(TEST_MSAN)
    __msan_unpoison(p, n);
#else
    (void)p, (void)n;
#endif
}

uint64_t test_rounds(uint64_t n)
{
    const char *scale = getenv("TEST_SCALE");
    const uint64_t by = scale != NULL ? strtoull(scale, NULL, 10) : 1;
    return by > 1 && n / by > 0 ? n / by : n;
}

uint32_t test_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* Memory that the processes of a run share. */
typedef struct board {
    size_t next; /* next test to run */
    size_t passed, failed;
    struct {
        const char *now; /* current test, or NULL */
    } worker[WORKERS];
} board;

static size_t count(test **list, int argc, char **argv)
{
    size_t n = 0;
    test *t;
    for (t = tests; t != NULL; t = t->next) {
        bool wanted = argc == 1;
        int i;
        for (i = 1; i < argc; i++)
            wanted = wanted || strstr(t->name, argv[i]) != NULL;
        if (!wanted) continue;
        if (list != NULL) list[n] = t;
        n++;
    }
    return n;
}

/* Runs tests until none is left. The lines of a test are printed together. */
static void work(board *b, size_t self, test **list, size_t n)
{
    size_t i;
    while ((i = __atomic_fetch_add(&b->next, 1, __ATOMIC_RELAXED)) < n) {
        const test *t = list[i];
        b->worker[self].now = t->name;
        failures = 0;
        test_context("%s", "");
        t->run();
        printf("%s %s\n", failures == 0 ? "ok    " : "FAILED", t->name);
        fflush(stdout);
        (void)__atomic_fetch_add(failures == 0 ? &b->passed : &b->failed, 1,
                                 __ATOMIC_RELAXED);
    }
    b->worker[self].now = NULL;
}

/*
 * Runs every test with one of the arguments in its name, or all tests without
 * arguments. The number of processes is the number of processors, or TEST_JOBS=N, but
 * at most 64. A test that ends its process has failed, and the others still run.
 */
int main(int argc, char **argv)
{
    static char lines[1 << 16];
    const size_t n = count(NULL, argc, argv);
    const char *asked = getenv("TEST_JOBS");
    const long jobs = asked != NULL ? atol(asked) : sysconf(_SC_NPROCESSORS_ONLN);
    size_t workers = jobs < 1 ? 1 : jobs < WORKERS ? (size_t)jobs : WORKERS;
    test **list = calloc(n + 1, sizeof *list);
    board *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                    -1, 0);
    pid_t pid[WORKERS];
    size_t i;
    if (list == NULL || b == MAP_FAILED) return perror("test"), 1;
    (void)count(list, argc, argv);
    setvbuf(stdout, lines, _IOFBF, sizeof lines);
    for (i = 0; i < workers; i++) {
        pid[i] = fork();
        if (pid[i] < 0) return perror("fork"), 1;
        if (pid[i] > 0) continue;
        work(b, i, list, n);
        exit(0);
    }
    for (i = 0; i < workers; i++) {
        int status;
        if (waitpid(pid[i], &status, 0) != pid[i]) return perror("waitpid"), 1;
        if (status == 0) continue;
        printf("FAILED %s: its process ended with %s %d\n",
               b->worker[i].now != NULL ? b->worker[i].now : "after the last test",
               WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        b->failed++;
        if (b->next < n) { /* perhaps no process is left */
            fflush(stdout);
            pid[i] = fork();
            if (pid[i] < 0) return perror("fork"), 1;
            if (pid[i] == 0) {
                work(b, i, list, n);
                exit(0);
            }
            i--;
        }
    }
    printf("%zu passed, %zu failed\n", b->passed, b->failed);
    if (b->passed + b->failed < n) printf("%zu tests did not run\n", n - b->passed);
    free(list);
    return b->failed != 0 || b->passed != n || n == 0;
}
