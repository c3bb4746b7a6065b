/* SPDX-License-Identifier: BSD-2-Clause */

/* What answers a marked packet, whose CNP is written over it. */
#include "bpf.h"
#include "rocecc/role/notification_point.h"

rocecc_frame f; /* in a map: too much for the stack of BPF */
rocecc_cnpgate gate;
rocecc_notification out;
rocecc_notification_config config;

__attribute__((noinline)) int step(struct xdp_md *x,
                                   const rocecc_notification_config *c,
                                   rocecc_cnpgate *s, const rocecc_frame *at,
                                   rocecc_notification *to)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (c == NULL || s == NULL || at == NULL || to == NULL) return 0;
    rocecc_notification_point_step(c, s, r, at, 5, 7, &w, to);
    return (int)w.at;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return step(x, &config, &gate, &f, &out);
}
