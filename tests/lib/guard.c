/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 65536 /* a multiple of every machine's page */

/* Returns n bytes between two pages without access. */
static uint8_t *guarded(size_t n)
{
    uint8_t *p = mmap(NULL, n + 2 * PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE) != 0 ||
        mprotect(p + PAGE + n, PAGE, PROT_NONE) != 0) {
        perror("guard pages");
        exit(1);
    }
    return p + PAGE;
}

static uint8_t *placed(uint8_t *at, const void *bytes, size_t n)
{
    if (n > GUARD_BYTES) abort();
    if (bytes != NULL && n != 0) memcpy(at, bytes, n);
    return at;
}

uint8_t *guard_end(const void *bytes, size_t n)
{
    static uint8_t *area;
    if (area == NULL) area = guarded(GUARD_FRONT + GUARD_BYTES);
    return placed(area + GUARD_FRONT + GUARD_BYTES - n, bytes, n);
}

uint8_t *guard_room(size_t n)
{
    static uint8_t *area;
    if (area == NULL) area = guarded(GUARD_FRONT + GUARD_BYTES);
    return placed(area + GUARD_FRONT + GUARD_BYTES - n, NULL, n);
}

uint8_t *guard_start(const void *bytes, size_t n)
{
    static uint8_t *area;
    if (area == NULL) area = guarded(GUARD_BYTES);
    return placed(area, bytes, n);
}
