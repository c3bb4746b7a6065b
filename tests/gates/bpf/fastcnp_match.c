/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Filters packets at a border. Together with find(), this is too much for one program.
 */
#include "bpf.h"
#include "rocecc/packet/fastcnp.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int match(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_fastcnp_border(&p);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    domain.fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    domain.fastcnp.type_ioam = ROCECC_FASTCNP_LAB_IOAM;
    if (walk(x) != ROCECC_OK) return 2; /* XDP_PASS */
    return match(x) ? 1 : 2;            /* XDP_DROP */
}
#endif
