/* SPDX-License-Identifier: BSD-2-Clause */

/* guard.c - tests/lib/guard.h without guarded pages. */
#include "../../../lib/guard.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *placed(uint8_t *at, const void *bytes, size_t n)
{
    if (n > GUARD_BYTES) abort();
    if (bytes != NULL && n != 0) memcpy(at, bytes, n);
    return at;
}

uint8_t *guard_end(const void *bytes, size_t n)
{
    static uint8_t area[GUARD_FRONT + GUARD_BYTES];
    return placed(area + sizeof area - n, bytes, n);
}

uint8_t *guard_room(size_t n)
{
    static uint8_t area[GUARD_FRONT + GUARD_BYTES];
    return placed(area + sizeof area - n, NULL, n);
}

uint8_t *guard_start(const void *bytes, size_t n)
{
    static uint8_t area[GUARD_BYTES];
    return placed(area, bytes, n);
}
