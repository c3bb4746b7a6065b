/* SPDX-License-Identifier: BSD-2-Clause */

/* only.h - before every file of the tests: a TEST does not register itself, so that the
 * linker drops what run.c's list does not name, with its data. */
#include "../../../lib/test.h"

#undef TEST
#define TEST(id)                                                                       \
    void test_##id(void);                                                              \
    void test_##id(void)
