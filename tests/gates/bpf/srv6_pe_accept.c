/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks the outer header and its options, the first step at any SID. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int accept(struct xdp_md *x)
{
    const rocecc_ip6 sid = {{0}};
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_srv6_pe_accept(&sid, &p, &out);
    return rocecc_srv6_pe_needs_action(out.verdict);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return accept(x);
}
#endif
