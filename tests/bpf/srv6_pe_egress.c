/* SPDX-License-Identifier: BSD-2-Clause */

/* At the SID that ends a tunnel of data. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

__attribute__((noinline)) int egress(struct xdp_md *x, const rocecc_frame *f,
                                     const rocecc_ip6 *sid)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_srv6_pe out;
    if (f == NULL || sid == NULL) return 0;
    rocecc_srv6_pe_egress(sid, r, f, w, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_ip6 sid = {{0}};
    rocecc_frame f = {0};
    return egress(x, &f, &sid);
}
