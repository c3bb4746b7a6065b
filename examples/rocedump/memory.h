/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_MEMORY_H
#define ROCEDUMP_MEMORY_H

/* memory.h - memory allocation. On failure, the program ends with a message. */
#include <stddef.h>

/* Returns n zeroed objects. */
void *memory(size_t n, size_t size);

/*
 * Returns the array with room for one more than n objects. *room is its size. New
 * objects are zeroed.
 */
void *memory_grow(void *array, size_t n, size_t *room, size_t size);

#endif /* ROCEDUMP_MEMORY_H */
