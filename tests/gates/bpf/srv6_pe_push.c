/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes a tunnel into the room before a packet. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

rocecc_srv6_pe_config c; /* in a map */

__attribute__((noinline)) int push(struct xdp_md *x,
                                   const rocecc_srv6_pe_config *config)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_srv6_pe_path way = {r, 0, 9000};
    rocecc_srv6_pe_ingress_result out;
    if (config == NULL || !rocecc_split(&r, 16, &way.policy) ||
        rocecc_take(&r, 104) == NULL)
        return 0;
    rocecc_srv6_pe_push(config, r, &way, &w, &out);
    return (int)out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return push(x, &c);
}
