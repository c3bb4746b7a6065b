/* SPDX-License-Identifier: BSD-2-Clause */

/* A node on the path, which writes into a pre-allocated trace where it stands. */
#include "bpf.h"
#include "rocecc/wire/ioam.h"

rocecc_ioam_node node; /* in a map */
rocecc_ioam_config c;

__attribute__((noinline)) int update(struct xdp_md *x, uint32_t at, uint32_t end)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_ioam_option o = {0, ROCECC_IOAM_PREALLOCATED, r};
    o.data = rocecc_between(r, at & 0xfff, end & 0xfff);
    return (int)rocecc_ioam_update(&c, &o, w, &node, rocecc_between(r, 0, 0));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return update(x, 60, 120);
}
