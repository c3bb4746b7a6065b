/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * only.h - included before every test file. A TEST does not register itself, so the
 * linker drops the tests that run.c's list does not name, with their data.
 */
#include "../../../lib/test.h"

#undef TEST
#define TEST(id)                                                                       \
    void test_##id(void);                                                              \
    void test_##id(void)
