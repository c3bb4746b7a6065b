/* SPDX-License-Identifier: BSD-2-Clause */
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static test *tests;
static char context[128];
static unsigned long failures; /* of the test that runs */

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
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    if (++failures > 10) return; /* enough to see what it is */
    va_start(args, format);
    printf("%s:%d: %s%s", file, line, context, context[0] != '\0' ? ": " : "");
    vprintf(format, args);
    printf("\n");
    va_end(args);
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

/* Runs every test whose name has one of the arguments in it; without any, all. */
int main(int argc, char **argv)
{
    unsigned long passed = 0, failed = 0;
    const test *t;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (t = tests; t != NULL; t = t->next) {
        bool wanted = argc == 1;
        int i;
        for (i = 1; i < argc; i++)
            wanted = wanted || strstr(t->name, argv[i]) != NULL;
        if (!wanted) continue;
        failures = 0;
        context[0] = '\0';
        t->run();
        printf("%s %s\n", failures == 0 ? "ok    " : "FAILED", t->name);
        *(failures == 0 ? &passed : &failed) += 1;
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
