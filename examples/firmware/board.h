/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_FIRMWARE_BOARD_H
#define EXAMPLES_FIRMWARE_BOARD_H

/* board.h - the machine's functions for these programs: output, exit and a timer. */
void board_put(char c);
__attribute__((noreturn)) void board_exit(int status);

/* Starts the timer. Its interrupt calls board_tick() every millisecond. */
void board_timer(void);
void board_tick(void); /* defined by the program */

/* Sleeps until an interrupt, if idle() is still true with interrupts disabled. */
void board_wait(int (*idle)(void));

int main(void);

#endif /* EXAMPLES_FIRMWARE_BOARD_H */
