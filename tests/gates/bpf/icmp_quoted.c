/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses the packet that an error quotes, after a walk of the error. */
#include "bpf.h"
#include "rocecc/packet/icmp.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int quoted(struct xdp_md *x)
{
    rocecc_packet p, out;
    rocecc_icmp_message m;
    rocecc_status status;
    if (is_empty(x)) return 0;
    p = attached(x);
    status = rocecc_icmp_quoted(&p, &m, &out);
    if (status == ROCECC_OK) where = out.headers;
    return (int)status;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return quoted(x) + where.bth;
}
#endif
