/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TEST_H
#define TESTS_LIB_TEST_H

/*
 * test.h - the runner. TEST(name) { ... } registers itself; a CHECK that does not
 * hold prints where and what, fails its test, and the test goes on.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
} test;

void test_register(test *t);
void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a test is named after a number: FC_12 is in FC_12_lengths, not in FC_123. */
bool test_named(const char *number);

/* What the row or step at hand is called, for the messages of the checks below it. */
void test_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same in a loop of millions, where formatting would be most of the time: three
 * numbers, 0 where there are fewer, and what they are. */
void test_at(const char *what, uint64_t a, uint64_t b, uint64_t c);

/* An output before the call, and after it: under MSan, as if nobody had written it, so
 * that what the call leaves out is seen; test_known() reads all n bytes. Elsewhere they
 * do nothing. test_remember(): it may be looked at again, as the call wrote nothing. */
void test_forget(void *p, size_t n);
void test_known(const void *p, size_t n);
void test_remember(void *p, size_t n);

/* Long loops ask for so many rounds; TEST_SCALE=N in the environment runs n / N. */
uint64_t test_rounds(uint64_t n);

/* The same numbers on every machine: the LCG of vectors/README. */
uint32_t test_random(uint64_t *state);

#define TEST(id)                                                                       \
    static void test_##id(void);                                                       \
    __attribute__((constructor)) static void test_add_##id(void)                       \
    {                                                                                  \
        static test t = {#id, test_##id, NULL};                                        \
        test_register(&t);                                                             \
    }                                                                                  \
    static void test_##id(void)

#define CHECK(x)                                                                       \
    do {                                                                               \
        if (!(x)) test_fail(__FILE__, __LINE__, "%s", #x);                             \
    } while (0)

#define CHECK_EQ(a, b)                                                                 \
    do {                                                                               \
        const unsigned long long a_ = (unsigned long long)(a);                         \
        const unsigned long long b_ = (unsigned long long)(b);                         \
        if (a_ != b_)                                                                  \
            test_fail(__FILE__, __LINE__, "%s is %llu (0x%llx), %s is %llu (0x%llx)",  \
                      #a, a_, a_, #b, b_, b_);                                         \
    } while (0)

#endif /* TESTS_LIB_TEST_H */
