/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Checks whether an error from a sender quotes a Fast CNP from this switch, with the
 * walk and the search for the option.
 */
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

rocecc_congestion_config c; /* in maps */
rocecc_domain domain;
rocecc_ip6 sender;

__attribute__((noinline)) int rejects(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_icmp_message m;
    if (rocecc_icmp_message_parse(&r, 6, &m) != ROCECC_OK) return 0;
    return rocecc_congestion_point_rejects_fastcnp(&c, &domain, &m, &sender);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return rejects(x);
}
