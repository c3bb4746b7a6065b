/* SPDX-License-Identifier: BSD-2-Clause */

/* Carries out any plan on a packet in which the host has opened the gaps. */
#include "bpf.h"
#include "rocecc/packet/edit.h"

rocecc_edit edit; /* in a map */

__attribute__((noinline)) int carry(struct xdp_md *x, const rocecc_edit *e)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (e == NULL) return 0;
    return (int)rocecc_edit_write(e, w) + rocecc_edit_needs_action(e);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return carry(x, &edit);
}
