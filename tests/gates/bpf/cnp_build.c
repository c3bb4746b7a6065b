/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes a whole CNP over the packet, with two checksums and the ICRC. */
#include "bpf.h"
#include "rocecc/packet/build.h"

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
