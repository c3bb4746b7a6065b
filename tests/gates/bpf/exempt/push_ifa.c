/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Moves the tail of a packet with 64 bytes of room after it. An XDP program can use the
 * IFA plan, bpf_xdp_adjust_head() and rocecc_edit_write() instead.
 */
#include "../bpf.h"
#include "../packet.h"
#include "rocecc/packet/push.h"

rocecc_domain domain; /* in maps */
rocecc_headers where;
rocecc_ifa_node node;

__attribute__((noinline)) int push(struct xdp_md *x)
{
    rocecc_writer w;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    w = rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end);
    if (rocecc_room(&w) < 64) return 0;
    w.at = w.end - 64;
    p = rocecc_packet_attach(&domain, rocecc_written(&w), &where);
    return (int)rocecc_push_ifa(&p, &node, 1500, &w);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return push(x);
}
