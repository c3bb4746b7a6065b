/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cortex_m.c - the board for Cortex-M (QEMU's mps2-an385 and mps2-an386), with the
 * vector table, start-up code and SysTick. Output and exit use ARM semihosting.
 */
#include "board.h"

#include <stdint.h>

#define CLOCK_HZ 25000000u /* clock of the mps2 boards */
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xe000e010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xe000e014u)
#define SYSTICK_CURRENT (*(volatile uint32_t *)0xe000e018u)

extern uint32_t data_from[], data_start[], data_end[], bss_start[], bss_end[];
extern uint32_t stack_top[];
extern void (*const init_start[])(void), (*const init_end[])(void);

static int semihosting(int what, const void *with)
{
    register int r0 __asm__("r0") = what;
    register const void *r1 __asm__("r1") = with;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void board_put(char c)
{
    (void)semihosting(0x03, &c); /* SYS_WRITEC */
}

void board_exit(int status)
{
    const uint32_t reason[2] = {0x20026, (uint32_t)status}; /* ApplicationExit */
    for (;;)
        (void)semihosting(0x20, reason); /* SYS_EXIT_EXTENDED */
}

__attribute__((weak)) void board_tick(void)
{
}

void board_timer(void)
{
    SYSTICK_RELOAD = CLOCK_HZ / 1000 - 1;
    SYSTICK_CURRENT = 0;
    SYSTICK_CONTROL = 7; /* enabled, with interrupt, processor clock */
}

void board_wait(int (*idle)(void))
{
    __asm__ volatile("cpsid i" ::: "memory");
    if (idle()) __asm__ volatile("wfi"); /* a pending interrupt ends it */
    __asm__ volatile("cpsie i" ::: "memory");
}

void start(void);
void start(void)
{
    uint32_t *to;
    const uint32_t *from = data_from;
    void (*const *init)(void);
    for (to = data_start; to < data_end; to++)
        *to = *from++;
    for (to = bss_start; to < bss_end; to++)
        *to = 0;
    for (init = init_start; init < init_end; init++)
        (*init)();
    board_exit(main());
}

static void fault(void)
{
    const char *s;
    for (s = "fault\n"; *s != '\0'; s++)
        board_put(*s);
    board_exit(3);
}

/* Vector table (ARMv7-M B1.5.3): the stack, then exceptions 1 to 15. */
__attribute__((section(".vector_table"), used)) static const struct {
    uint32_t *stack;
    void (*handler[15])(void);
} table = {stack_top,
           {start, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0,
            fault, board_tick}};
