/* SPDX-License-Identifier: BSD-2-Clause */

/* readme.c - the first C block of README.md, cut out by the Makefile, does its job. */
#include "readme_block.h"

#include "lib/test.h"

TEST(readme_is_cnp)
{
    /* from a ConnectX-4 Lx: cx4-cnp of vectors/bth.vec */
    static const uint8_t cnp[] = {0x81, 0x00, 0xff, 0xff, 0x40, 0x00,
                                  0x01, 0x18, 0x00, 0x00, 0x00, 0x00};
    static const uint8_t cn[sizeof cnp] = {0x80, 0x00, 0xff, 0xff};
    CHECK_EQ(is_cnp(cnp, sizeof cnp), 1);
    CHECK_EQ(is_cnp(cn, sizeof cn), 0);
    CHECK_EQ(is_cnp(cnp, sizeof cnp - 1), 0);
    CHECK_EQ(is_cnp(NULL, 0), 0);
}
