/* SPDX-License-Identifier: BSD-2-Clause */

/* A sink, on any packet. */
#include "bpf.h"
#include "rocecc/wire/intmd.h"

rocecc_intmd_config config; /* in a map */

__attribute__((noinline)) int strip(struct xdp_md *x, const rocecc_intmd_config *c)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_intmd_cut cut = {0, 0};
    if (c == NULL || rocecc_put(&w, 14) == NULL) return 0;
    return (int)rocecc_intmd_strip(c, w, &cut) + cut.at + cut.bytes;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return strip(x, &config);
}
