/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 16

static void *checked(void *p)
{
    if (p != NULL) return p;
    fputs("rocedump: out of memory\n", stderr);
    exit(1);
}

void *memory(size_t n, size_t size)
{
    return checked(calloc(n, size));
}

void *memory_grow(void *array, size_t n, size_t *room, size_t size)
{
    const size_t more = *room == 0 ? FIRST : 2 * *room;
    if (n < *room) return array;
    array = checked(more > SIZE_MAX / size ? NULL : realloc(array, more * size));
    memset((char *)array + n * size, 0, (more - n) * size);
    *room = more;
    return array;
}
