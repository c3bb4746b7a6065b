/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes any node data with a 4-byte snapshot, and reads a snapshot. */
#include "bpf.h"
#include "rocecc/wire/ioam.h"

rocecc_ioam_node node; /* in a map */
rocecc_ioam_config c;

__attribute__((noinline)) int emit(struct xdp_md *x, uint32_t type)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return (int)rocecc_ioam_node_emit(&w, &c, type, &node, rocecc_subrange(r, 0, 4));
}

__attribute__((noinline)) int snapshot(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    const uint8_t *b;
    (void)rocecc_take(&r, 64);
    r = rocecc_ioam_snapshot(&node, r);
    b = rocecc_take(&r, 1);
    return (int)(rocecc_ioam_schema_id(&node) + (b != NULL ? *b : 0u));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return emit(x, ROCECC_IOAM_TYPE_HPCC) + snapshot(x);
}
