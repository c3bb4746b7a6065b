/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes the echo of a packet over the packet, if the domain's echo length is valid. */
#include "bpf.h"
#include "rocecc/role/echo.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int answer(struct xdp_md *x)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_echo_receiver_needs_action(rocecc_echo_receiver_step(&p, &w)) +
           rocecc_echo_sender_needs_action(
               (rocecc_echo_sender_verdict)p.headers.status);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (is_empty(x) || rocecc_roce_init(&domain.roce) != ROCECC_OK) return 0;
    (void)walk(x);
    return answer(x);
}
#endif
