/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * riscv.c - the board for RISC-V (QEMU's riscv32 virt): start, mtime's interrupt,
 * output by the UART, and exit by SiFive's test device.
 */
#include "board.h"

#include <stdint.h>

#define TICKS (10000000u / 1000) /* mtime ticks per millisecond, at 10 MHz */
#define UART (*(volatile uint8_t *)0x10000000u)
#define TEST_DEVICE (*(volatile uint32_t *)0x100000u)
#define MTIMECMP_LOW (*(volatile uint32_t *)0x2004000u)
#define MTIMECMP_HIGH (*(volatile uint32_t *)0x2004004u)
#define MTIME_LOW (*(volatile uint32_t *)0x200bff8u)
#define MTIME_HIGH (*(volatile uint32_t *)0x200bffcu)

#define CSR ".option push\n.option arch, +zicsr\n"
#define DONE "\n.option pop"

extern uint32_t bss_start[], bss_end[];
extern void (*const init_start[])(void), (*const init_end[])(void);

__asm__(".section .vector_table, \"ax\"\n"
        ".globl table\n"
        "table:\n"
        ".option push\n.option norelax\n"
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "la sp, stack_top\n"
        "j start\n"
        ".text\n");

void board_put(char c)
{
    UART = (uint8_t)c;
}

void board_exit(int status)
{
    TEST_DEVICE = status == 0 ? 0x5555 : (uint32_t)status << 16 | 0x3333;
    for (;;)
        continue;
}

__attribute__((weak)) void board_tick(void)
{
}

static uint64_t next; /* time of the next interrupt, in mtime ticks */

/* Sets the next interrupt. The high word is all ones first, to avoid a past time. */
static void arm_timer(void)
{
    next += TICKS;
    MTIMECMP_HIGH = UINT32_MAX;
    MTIMECMP_LOW = (uint32_t)next;
    MTIMECMP_HIGH = (uint32_t)(next >> 32);
}

__attribute__((interrupt("machine"), aligned(4))) static void trap(void)
{
    uint32_t cause;
    __asm__ volatile(CSR "csrr %0, mcause" DONE : "=r"(cause));
    if (cause != 0x80000007u) { /* not the timer, so a fault */
        const char *s;
        for (s = "fault\n"; *s != '\0'; s++)
            board_put(*s);
        board_exit(3);
    }
    arm_timer();
    board_tick();
}

void board_timer(void)
{
    uint32_t high;
    do {
        high = MTIME_HIGH;
        next = (uint64_t)high << 32 | MTIME_LOW;
    } while (MTIME_HIGH != high);
    arm_timer();
    __asm__ volatile(CSR "csrs mie, %0\ncsrsi mstatus, 8" DONE ::"r"(1u << 7)
                     : "memory");
}

void board_wait(int (*idle)(void))
{
    __asm__ volatile(CSR "csrci mstatus, 8" DONE ::: "memory");
    if (idle()) __asm__ volatile("wfi"); /* a pending interrupt ends it */
    __asm__ volatile(CSR "csrsi mstatus, 8" DONE ::: "memory");
}

/* The assembly above jumps to start(). */
__attribute__((used)) void start(void);
void start(void)
{
    uint32_t *to;
    void (*const *init)(void);
    __asm__ volatile(CSR "csrw mtvec, %0" DONE ::"r"(trap));
    for (to = bss_start; to < bss_end; to++)
        *to = 0;
    for (init = init_start; init < init_end; init++)
        (*init)();
    board_exit(main());
}
