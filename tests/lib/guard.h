/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_GUARD_H
#define TESTS_LIB_GUARD_H

/*
 * guard.h - n bytes, writable, with an unmapped page right behind them (guard_end and
 * guard_room) or right before them (guard_start): one byte too far and the test dies.
 * The pointer is good until the next call of the same function; n <= GUARD_BYTES. What
 * has the page behind it has GUARD_FRONT more bytes before it, for buffers in whose
 * middle something begins.
 */
#include <stddef.h>
#include <stdint.h>

#define GUARD_BYTES 65536
#define GUARD_FRONT 131072

uint8_t *guard_end(const void *bytes, size_t n);
uint8_t *guard_room(size_t n);
uint8_t *guard_start(const void *bytes, size_t n);

#endif /* TESTS_LIB_GUARD_H */
