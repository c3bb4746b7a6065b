/* SPDX-License-Identifier: BSD-2-Clause */

/* The ICRC and two checksums over what was just written: too long a path to verify. */
#include "../bpf.h"
#include "rocecc/wire/cnp.h"

#if defined(__bpf__)
__attribute__((noinline)) int build(struct xdp_md *x, rocecc_cnp *h)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (h == NULL) return 0;
    return (int)rocecc_cnp_build(&w, h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_cnp h = rocecc_cnp_default();
    return build(x, &h);
}
#endif
