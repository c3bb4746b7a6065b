/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_MEMORY_H
#define ROCEDUMP_MEMORY_H

/* memory.h - memory, or the end of the program with a message. */
#include <stddef.h>

/* n objects, all 0. */
void *memory(size_t n, size_t size);

/* An array of *room objects, of which n are in use, with room for one more; what is
 * new is all 0. */
void *memory_grow(void *array, size_t n, size_t *room, size_t size);

#endif /* ROCEDUMP_MEMORY_H */
