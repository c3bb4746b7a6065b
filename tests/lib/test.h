/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TEST_H
#define TESTS_LIB_TEST_H

/*
 * test.h - the test runner. TEST(name) { ... } registers a test. A failed CHECK prints
 * its place and condition, and the test fails but continues.
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

/*
 * Returns true if a test has this number. FC_12 is in FC_12_plain_option_has_16_bytes,
 * not in FC_123.
 */
bool test_named(const char *number);

/* Names the current row or step, for the messages of later checks. */
void test_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Like test_context(), for loops of millions, because it formats only for a failure.
 * Unused numbers are 0.
 */
void test_at(const char *what, uint64_t a, uint64_t b, uint64_t c);

/*
 * Under MSan, test_forget() marks an output as unwritten before a call, so that missing
 * bytes are found. test_known() then reads all n bytes. test_remember() allows reads
 * again if the call wrote nothing. Without MSan they do nothing.
 */
void test_forget(void *p, size_t n);
void test_known(const void *p, size_t n);
void test_remember(void *p, size_t n);

/*
 * Returns n / N for long loops if TEST_SCALE=N is in the environment, or n if it is
 * not, or if n / N is 0.
 */
uint64_t test_rounds(uint64_t n);

/* Returns the same numbers on every machine, by the LCG of vectors/README. */
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
