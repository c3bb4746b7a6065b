/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * run.c - the tests' runner (tests/lib/test.c) without processes. It runs the gate's
 * list of tests of rows and traces, and counts rows and states, not tests. The linker's
 * --wrap puts it before vec_read() and play_line(), so that it sees each of them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../examples/cctrace/play.h"
#include "../../../../examples/lib/vec.h"
#include "../../../lib/test.h"

extern const test tests[]; /* from the gate; the last has no name */

static char context[256];
static unsigned long passed, failed, failures, messages;
static bool open; /* a row or a state is being checked */

bool test_named(const char *number)
{
    (void)number; /* for tests that do not run here */
    return true;
}

void test_context(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
}

void test_at(const char *what, uint64_t a, uint64_t b, uint64_t c)
{
    test_context("%s: 0x%llx, 0x%llx, 0x%llx", what, (unsigned long long)a,
                 (unsigned long long)b, (unsigned long long)c);
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    failures++;
    if (++messages > 20) return; /* enough to see the cause */
    printf("%s:%d: %s: ", file, line, context);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

void test_forget(void *p, size_t n)
{
    (void)p, (void)n;
}

void test_known(const void *p, size_t n)
{
    (void)p, (void)n;
}

void test_remember(void *p, size_t n)
{
    (void)p, (void)n;
}

uint64_t test_rounds(uint64_t n)
{
    return n;
}

uint32_t test_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* Counts the open row or state, as failed if a check has failed since. */
static void item(bool another)
{
    if (open && failures == 0) passed++;
    if (failures != 0) failed++;
    failures = 0;
    open = another;
}

typedef struct reading {
    void (*each)(const vec_row *row, void *arg);
    void *arg;
} reading;

size_t __real_vec_read(const char *path, void (*each)(const vec_row *row, void *arg),
                       void *arg);
size_t __wrap_vec_read(const char *path, void (*each)(const vec_row *row, void *arg),
                       void *arg);
bool __real_play_line(play *t, char *line);
bool __wrap_play_line(play *t, char *line);

static void row(const vec_row *r, void *arg)
{
    const reading *is = arg;
    item(true);
    is->each(r, is->arg);
}

size_t __wrap_vec_read(const char *path, void (*each)(const vec_row *row, void *arg),
                       void *arg)
{
    reading is;
    is.each = each;
    is.arg = arg;
    return __real_vec_read(path, row, &is);
}

bool __wrap_play_line(play *t, char *line)
{
    const bool state = __real_play_line(t, line);
    if (state) item(true);
    return state;
}

int main(void)
{
    const test *t;
    for (t = tests; t->name != NULL; t++) {
        const unsigned long before = passed;
        messages = 0;
        test_context("%s", t->name);
        t->run();
        item(false);
        printf("%s %lu\n", t->name, passed - before);
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    fflush(stdout);
    return failed != 0 || passed == 0;
}
