/* SPDX-License-Identifier: BSD-2-Clause */

/* A tunnel along a policy from the packet, written over it around the rest. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

rocecc_srv6_pe_config c; /* in a map */

__attribute__((noinline)) int ingress(struct xdp_md *x,
                                      const rocecc_srv6_pe_config *config)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_reader policy;
    const uint8_t *b = rocecc_take(&r, 1);
    if (config == NULL || b == NULL || !rocecc_split(&r, *b, &policy)) return 0;
    return (int)rocecc_srv6_pe_encapsulate(config, r, policy, 0, &w);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return ingress(x, &c);
}
