/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_ICRC_TABLE_BYTES 16384
#include "icrc_table.h"
#include "rocecc/wire/icrc.h"

uint32_t icrc_table_16384(uint32_t state, const uint8_t *bytes, size_t n)
{
    return rocecc_icrc_update(state, rocecc_reader_of(bytes, bytes + n));
}
