/* SPDX-License-Identifier: BSD-2-Clause */

/* host.c - the board on a computer, where time passes only in board_wait(). */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>

void board_put(char c)
{
    putchar(c);
}

void board_exit(int status)
{
    exit(status);
}

void board_timer(void)
{
}

void board_wait(int (*idle)(void))
{
    if (idle()) board_tick();
}
