/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_ICRC_TABLE_H
#define TESTS_LIB_ICRC_TABLE_H

/* icrc_table.h - rocecc_icrc_update() for n bytes, with each size of its table. */
#include <stddef.h>
#include <stdint.h>

uint32_t icrc_table_0(uint32_t state, const uint8_t *bytes, size_t n);
uint32_t icrc_table_64(uint32_t state, const uint8_t *bytes, size_t n);
uint32_t icrc_table_1024(uint32_t state, const uint8_t *bytes, size_t n);
uint32_t icrc_table_8192(uint32_t state, const uint8_t *bytes, size_t n);
uint32_t icrc_table_16384(uint32_t state, const uint8_t *bytes, size_t n);

#endif /* TESTS_LIB_ICRC_TABLE_H */
