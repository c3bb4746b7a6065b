/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE /* getentropy() */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void *memory_table(size_t *n, size_t size)
{
    for (;; *n /= 2) {
        void *p = *n != 0 ? calloc(*n, size) : checked(NULL);
        void *spare = malloc(MEMORY_SPARE_BYTES);
        free(spare);
        if (p != NULL && spare != NULL) return p;
        free(p);
    }
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

void memory_secret(uint64_t secret[2])
{
    if (getentropy(secret, 2 * sizeof secret[0]) == 0) return;
    perror("rocedump: no random bytes for a hash");
    exit(1);
}
