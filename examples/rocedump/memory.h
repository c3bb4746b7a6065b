/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_MEMORY_H
#define ROCEDUMP_MEMORY_H

/*
 * memory.h - memory allocation, and secrets for hashes. Tables have a fixed size from
 * the start, so that no traffic can make the program grow. Memory that is never written
 * costs nothing. Unless a function says otherwise, the program ends with a message if
 * it cannot allocate.
 */
#include <stddef.h>
#include <stdint.h>

#define MEMORY_SPARE_BYTES ((size_t)16 << 20)

/* Returns n zeroed objects. */
void *memory(size_t n, size_t size);

/*
 * Returns *n zeroed objects. If these and MEMORY_SPARE_BYTES for the rest of the
 * program do not fit into memory, halves *n until they do.
 */
void *memory_table(size_t *n, size_t size);

/*
 * Returns the array with room for one more than n objects. *room is its size. New
 * objects are zeroed. For arrays whose length depends on the command line only.
 */
void *memory_grow(void *array, size_t n, size_t *room, size_t size);

/* Fills the key of a hash from a random source, so that traffic cannot aim at it. */
void memory_secret(uint64_t secret[2]);

#endif /* ROCEDUMP_MEMORY_H */
