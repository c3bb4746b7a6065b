/* SPDX-License-Identifier: BSD-2-Clause */

/* Derives the option, as a congested switch does. */
#include "bpf.h"
#include "rocecc/packet/fastcnp.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int of(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_fastcnp h;
    if (is_empty(x)) return 0;
    p = attached(x);
    if (rocecc_fastcnp_derive(&p, &h) != ROCECC_OK) return 0;
    return h.kind == ROCECC_FASTCNP_IOAM ? 2 : 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    domain.link = ROCECC_LINK_IP;
    (void)walk(x);
    return of(x);
}
#endif
