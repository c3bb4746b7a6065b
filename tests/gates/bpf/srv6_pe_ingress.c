/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes a tunnel over the packet, with a policy and an inner packet from the packet.
 */
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
    rocecc_srv6_pe_path way = {r, 0, 9000};
    rocecc_srv6_pe_ingress_result out;
    const uint8_t *b = rocecc_take(&r, 1);
    if (config == NULL || b == NULL || !rocecc_split(&r, *b, &way.policy)) return 0;
    rocecc_srv6_pe_encapsulate(config, r, &way, &w, &out);
    return (int)out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return ingress(x, &c);
}
