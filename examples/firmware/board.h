/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_FIRMWARE_BOARD_H
#define EXAMPLES_FIRMWARE_BOARD_H

/* board.h - all that a program here asks of its machine: a way out, and a timer. */
void board_put(char c);
__attribute__((noreturn)) void board_exit(int status);

/* Calls board_tick() from the timer's interrupt, every millisecond, from now on. */
void board_timer(void);
void board_tick(void); /* the program's */

/* Sleeps until an interrupt has been, if `idle` still holds with interrupts off. */
void board_wait(int (*idle)(void));

int main(void);

#endif /* EXAMPLES_FIRMWARE_BOARD_H */
