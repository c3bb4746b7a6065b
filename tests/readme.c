/* SPDX-License-Identifier: BSD-2-Clause */

/* readme.c - the C blocks of README.md, cut out by the Makefile, do their job. */
#include "readme_block.h"

#include "lib/test.h"

TEST(readme_slow_down)
{
    /* from a ConnectX-4 Lx: cx4-cnp of vectors/frame.vec */
    uint8_t cnp[] = {0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00,
                     0x01, 0x08, 0x00, 0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00,
                     0x40, 0x11, 0x91, 0x61, 0x0a, 0x00, 0x11, 0x01, 0x0a, 0x00, 0x12,
                     0x01, 0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00, 0x81, 0x00,
                     0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00, 0x00, 0x00, 0x00,
                     0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                     0x00, 0x00, 0x00, 0x00, 0x82, 0xfd, 0x00, 0x2a};
    CHECK_EQ(slow_down(cnp, sizeof cnp), 0x118);
    CHECK_EQ(slow_down(cnp, sizeof cnp - 1), -1);
    CHECK_EQ(slow_down(NULL, 0), -1);
    cnp[49] ^= 1; /* another QP, and the ICRC says so */
    CHECK_EQ(slow_down(cnp, sizeof cnp), -1);
    cnp[49] ^= 1;
    cnp[42] = 0x80;
    CHECK_EQ(slow_down(cnp, sizeof cnp), -1);
}

static unsigned started;

static void start_timer(unsigned which, uint32_t ns)
{
    CHECK_EQ(ns, 55000);
    started |= which;
}

TEST(readme_on_cnp)
{
    rocecc_dcqcn_params p;
    rocecc_dcqcn flow;
    CHECK(flow_start(&p, &flow));
    CHECK_EQ(flow.rate_bps, 100000000000);
    CHECK_EQ(on_cnp(&p, &flow, 7, start_timer), 50000000000);
    CHECK_EQ(started, ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_INCREASE);
}
