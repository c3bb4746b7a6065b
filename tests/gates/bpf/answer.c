/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes an answer's Ethernet header over the frame, from its first byte on. */
#include "bpf.h"
#include "rocecc/packet/answer.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_answer how; /* in a map */

__attribute__((noinline)) int answer(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_writer w;
    if (is_empty(x)) return 0;
    p = attached(x);
    w = rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return (int)rocecc_answer_ether(&w, &p, &how);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return answer(x);
}
#endif
