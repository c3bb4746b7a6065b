/* SPDX-License-Identifier: BSD-2-Clause */

/* A VLAN tag, wherever a frame that was located before has it. */
#include "bpf.h"
#include "rocecc/wire/frame.h"

__attribute__((noinline)) int vlan(struct xdp_md *x, const rocecc_frame *f, int i)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_vlan tag;
    if (f == NULL || i < 0 || i >= ROCECC_FRAME_VLAN_MAX) return 0;
    r = rocecc_frame_vlan(r, f, i);
    return rocecc_vlan_parse(&r, &tag) == ROCECC_OK ? tag.vid : 0;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    return vlan(x, &f, 1);
}
