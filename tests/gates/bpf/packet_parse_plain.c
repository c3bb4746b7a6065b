/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses the headers of most packets without the walk. */
#include "bpf.h"
#include "packet.h"
#include "rocecc/packet/packet.h"

rocecc_domain domain; /* in maps */
rocecc_headers where;

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_status status;
    if (is_empty(x)) return 0;
    status = rocecc_packet_parse_plain(&domain, packet(x), &p);
    where = p.headers;
    return (int)status;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return find(x);
}
