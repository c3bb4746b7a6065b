/* SPDX-License-Identifier: BSD-2-Clause */

/* Answers a marked packet with a CNP, written over the packet. */
#include "bpf.h"
#include "rocecc/role/notification_point.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_cnpgate gate; /* in maps */
rocecc_notification_result out;
rocecc_notification_config config;

__attribute__((noinline)) int step(struct xdp_md *x)
{
    const rocecc_notification_event e = {7, 5, true};
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    out = rocecc_notification_point_step(&config, &gate, &p, e, &w);
    return rocecc_notification_needs_action(out.verdict) ? (int)w.at : 0;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return step(x);
}
#endif
