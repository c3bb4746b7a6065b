/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses two readers of one packet into a map, because XDP passes only one packet. */
#include "bpf.h"
#include "law/packet.h"

#if defined(__bpf__)
rocecc_domain domain;
rocecc_packet packets[2];

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_reader bytes[2] = {
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end),
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end)};
    return (int)rocecc_packet_parse_burst(&domain, bytes, packets, 2);
}
#endif
