/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * main.c - the firmware. The timer's interrupt acts as a NIC, and posts the frames of a
 * sequence when they are due. The main loop sleeps until an event is posted. At the end
 * it prints each QP's rates and window.
 */
#include "board.h"
#include "reaction.h"
#include "sequence.h"

#define TICK_NS 1000000u
#define LINE_BPS UINT64_C(100000000000)

static volatile uint32_t ticks;
static volatile size_t next; /* next frame of the sequence */
static volatile bool lost;

void board_tick(void)
{
    const uint64_t now_ns = (uint64_t)++ticks * TICK_NS;
    while (next < SEQUENCE_FRAMES && sequence[next].at_ns < now_ns) {
        const sequence_frame *f = &sequence[next];
        if (!reaction_post(f->at_ns, f->bytes, f->n)) lost = true;
        next++;
    }
    if (ticks <= SEQUENCE_TICKS && !reaction_post(now_ns, NULL, 0)) lost = true;
}

static void put(const char *text)
{
    while (*text != '\0')
        board_put(*text++);
}

static void put_number(uint64_t n)
{
    char text[21];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    put(text + at);
}

static void report(void)
{
    size_t i;
    for (i = 0; i < REACTION_QPS; i++) {
        const reaction_rates r = reaction_rates_of(i);
        put("qp ");
        put_number(SEQUENCE_FIRST_QP + i);
        put(" hpcc_bps ");
        put_number(r.hpcc_bps);
        put(" window_bytes ");
        put_number(r.window_bytes);
        put(" dcqcn_bps ");
        put_number(r.dcqcn_bps);
        put("\n");
    }
    put("cnps ");
    put_number(reaction_gate()->count[ROCECC_REACTION_ORDINARY]);
    put(" bad_arrival ");
    put_number(reaction_gate()->count[ROCECC_REACTION_BAD_ARRIVAL]);
    put(" access_denied ");
    put_number(reaction_gate()->count[ROCECC_REACTION_ACCESS_DENIED]);
    put(" bad_icrc ");
    put_number(reaction_gate()->count[ROCECC_REACTION_BAD_ICRC]);
    put("\n");
}

int main(void)
{
    static const rocecc_ip6 peer = {SEQUENCE_PEER};
    if (!reaction_open(LINE_BPS, SEQUENCE_FIRST_QP, &peer)) return 1;
    board_timer();
    while (ticks < SEQUENCE_TICKS || !reaction_idle())
        if (!reaction_step()) board_wait(reaction_idle);
    if (lost) put("lost\n");
    report();
    return lost || next != SEQUENCE_FRAMES;
}
