/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes the ICRC into the packet itself, which is too much for the program in icrc.c.
 */
#include "bpf.h"
#include "rocecc/packet/icrc.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int emplace(struct xdp_md *x)
{
    uint8_t *begin = (uint8_t *)(long)x->data;
    uint8_t *end = (uint8_t *)(long)x->data_end;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_icrc_emplace(ROCECC_ICRC_STRIPPED, &p,
                                    rocecc_writer_of(begin + 14, end));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (walk(x) != ROCECC_OK) return -1;
    return emplace(x);
}
#endif
