/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_EVENTS_H
#define TESTS_LAW_EVENTS_H

/*
 * events.h - future events of a simulated network, in a binary heap in the caller's
 * memory, ordered by time and then by their pushes.
 */
#include "law.h"

typedef struct law_event {
    uint64_t at_ns, order;
    uint32_t what, index; /* for the caller */
} law_event;

typedef struct law_events {
    law_event *heap;
    uint32_t n, most;
    uint64_t order;
} law_events;

LAW_FN bool law_event_before(const law_event *a, const law_event *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

/* Adds an event. Returns false if the heap is full. */
LAW_FN bool law_events_push(law_events *all, uint64_t at_ns, uint32_t what,
                            uint32_t index)
{
    const law_event e = {at_ns, all->order++, what, index};
    uint32_t i = all->n;
    if (i >= all->most) return false;
    all->n++;
    for (; i > 0 && law_event_before(&e, &all->heap[(i - 1) / 2]); i = (i - 1) / 2)
        all->heap[i] = all->heap[(i - 1) / 2];
    all->heap[i] = e;
    return true;
}

/* Removes the first event. n must not be 0. */
LAW_FN law_event law_events_pop(law_events *all)
{
    const law_event first = all->heap[0], last = all->heap[--all->n];
    uint32_t i = 0, child;
    for (; (child = 2 * i + 1) < all->n; i = child) {
        if (child + 1 < all->n &&
            law_event_before(&all->heap[child + 1], &all->heap[child]))
            child++;
        if (!law_event_before(&all->heap[child], &last)) break;
        all->heap[i] = all->heap[child];
    }
    all->heap[i] = last;
    return first;
}

#endif /* TESTS_LAW_EVENTS_H */
