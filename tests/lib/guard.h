/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_GUARD_H
#define TESTS_LIB_GUARD_H

/*
 * guard.h - n bytes, writable, with an unmapped page right behind them (guard_end)
 * or right before them (guard_start): one byte too far and the test dies. The
 * pointer is good until the next call of the same function; n <= GUARD_BYTES.
 */
#include <stddef.h>
#include <stdint.h>

#define GUARD_BYTES 65536

uint8_t *guard_end(const void *bytes, size_t n);
uint8_t *guard_start(const void *bytes, size_t n);

#endif /* TESTS_LIB_GUARD_H */
