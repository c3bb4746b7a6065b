/* SPDX-License-Identifier: BSD-2-Clause */
#include "psn.h"

#include <string.h>

#define PSN_MASK 0xffffffu
#define HALF 0x800000u
#define LEAST_MTU 256u
#define MOST_MTU 4096u

static uint64_t *word(psn_sequence *s, uint32_t psn)
{
    return &s->seen[psn % PSN_WINDOW / 64];
}

static void mark(psn_sequence *s, uint32_t psn, bool seen)
{
    const uint64_t bit = UINT64_C(1) << psn % 64;
    if (seen)
        *word(s, psn) |= bit;
    else
        *word(s, psn) &= ~bit;
}

/* Marks n PSNs from psn on, or the last PSN_WINDOW of them, as seen or not seen. */
static void mark_all(psn_sequence *s, uint32_t psn, uint32_t n, bool seen)
{
    uint32_t i = n > PSN_WINDOW ? n - PSN_WINDOW : 0;
    for (; i < n; i++)
        mark(s, psn + i, seen);
}

static uint32_t packets(uint32_t bytes, uint32_t mtu)
{
    const uint32_t n = bytes / mtu + (bytes % mtu != 0);
    return n != 0 ? n : 1;
}

psn_span psn_span_of_read(uint32_t dma_length)
{
    const psn_span span = {packets(dma_length, MOST_MTU),
                           packets(dma_length, LEAST_MTU)};
    return span;
}

/* Continues the sequence after a packet. */
static void go_on(psn_sequence *s, uint32_t psn, psn_span span)
{
    mark_all(s, psn, span.least, true);
    s->next = (psn + span.least) & PSN_MASK;
    s->slack = span.most - span.least;
    if (((s->next - s->start) & PSN_MASK) > PSN_WINDOW)
        s->start = (s->next - PSN_WINDOW) & PSN_MASK;
}

static void begin(psn_sequence *s, uint32_t psn, psn_span span)
{
    memset(s->seen, 0, sizeof s->seen);
    s->started = true;
    s->start = psn;
    go_on(s, psn, span);
}

static void ahead_of(psn_sequence *s, uint32_t psn, uint32_t ahead, bool follows)
{
    const uint32_t used = ahead < s->slack ? ahead : s->slack;
    mark_all(s, s->next, used, true);
    mark_all(s, s->next + used, ahead - used, false);
    if (!follows && ahead != 0) s->start = psn;
    if (!follows || ahead == used) return;
    s->gaps++;
    s->skipped += ahead - used;
}

static void behind_of(psn_sequence *s, uint32_t psn)
{
    if ((*word(s, psn) >> psn % 64 & 1) != 0) {
        s->doubled++;
        return;
    }
    s->late++;
    if (((psn - s->start) & PSN_MASK) < HALF) s->closed++;
    mark(s, psn, true);
}

static void far_behind(psn_sequence *s, uint32_t psn, psn_span span)
{
    s->old++;
    s->old_run = psn == s->old_next ? s->old_run + 1 : 1;
    s->old_next = (psn + span.least) & PSN_MASK;
    if (s->old_run < PSN_RESTART) return;
    s->restarts++;
    s->old_run = 0;
    begin(s, psn, span);
}

void psn_add(psn_sequence *s, uint32_t psn, psn_span span, bool follows)
{
    const uint32_t ahead = (psn - s->next) & PSN_MASK;
    if (!s->started) {
        begin(s, psn, span);
        return;
    }
    if (ahead >= HALF && ((s->next - psn) & PSN_MASK) > PSN_WINDOW) {
        far_behind(s, psn, span);
        return;
    }
    s->old_run = 0;
    if (ahead >= HALF) {
        behind_of(s, psn);
    } else {
        ahead_of(s, psn, ahead, follows);
        go_on(s, psn, span);
    }
}

uint64_t psn_missing(const psn_sequence *s)
{
    return s->skipped - s->closed;
}
