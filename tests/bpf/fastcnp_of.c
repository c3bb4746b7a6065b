/* SPDX-License-Identifier: BSD-2-Clause */

/* What a congested switch takes from a packet. */
#include "bpf.h"
#include "rocecc/wire/fastcnp.h"

__attribute__((noinline)) int of(struct xdp_md *x, const rocecc_frame *f)
{
    const uint8_t *begin = (const uint8_t *)(long)x->data;
    const uint8_t *end = (const uint8_t *)(long)x->data_end;
    rocecc_fastcnp h;
    if (f == NULL || begin + 14 > end) return 0;
    if (rocecc_fastcnp_of(rocecc_reader_of(begin, end), f, &h) != ROCECC_OK) return 0;
    return h.kind == ROCECC_FASTCNP_IOAM ? 2 : 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    return of(x, &f);
}
