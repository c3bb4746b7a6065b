/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes a CNM frame about the packet over the packet, with tags, PDU, MSDU and
 * padding.
 */
#include "bpf.h"
#include "rocecc/wire/cnm.h"

rocecc_cnm_head head; /* in a map; only the reader must be on the stack */
rocecc_cnm_config c;

__attribute__((noinline)) int build(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_cnm_frame h = {0};
    h.head = head;
    h.cnm.msdu = rocecc_cnm_msdu(&c, rocecc_subrange(r, 12, r.end), 20);
    h.cnm.q_offset = rocecc_cnm_q_offset(ROCECC_CNM_SIGNS_A, -34000);
    h.cnm.q_delta = rocecc_cnm_q_delta(ROCECC_CNM_SIGNS_A, 10000);
    (void)rocecc_cnm_cpid(&head.src, 96, 5, &h.cnm.cpid);
    return (int)rocecc_cnm_frame_build(&w, &c, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return build(x);
}
