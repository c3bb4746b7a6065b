/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * only.h - included before every test file. A TEST does not register itself, so the
 * linker drops tests that run.c's list does not name.
 */
#include "../../../lib/test.h"

#undef TEST
#define TEST(id)                                                                       \
    void test_##id(void);                                                              \
    void test_##id(void)
