/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_GUARD_H
#define TESTS_LIB_GUARD_H

/*
 * guard.h - n writable bytes just before a page without access (guard_end, guard_room)
 * or just after one (guard_start), so that a test dies one byte too far. n must be at
 * most GUARD_BYTES. The pointer is valid until the next call of the same function.
 * guard_end() and guard_room() have GUARD_FRONT more bytes before it, for buffers with
 * an offset.
 */
#include <stddef.h>
#include <stdint.h>

#define GUARD_BYTES 65536
#define GUARD_FRONT 131072

uint8_t *guard_end(const void *bytes, size_t n);
uint8_t *guard_room(size_t n);
uint8_t *guard_start(const void *bytes, size_t n);

#endif /* TESTS_LIB_GUARD_H */
