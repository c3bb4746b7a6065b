/* SPDX-License-Identifier: BSD-2-Clause */

/* A CNP, its option, its frame and its tunnel: more than the 512 bytes of BPF's stack.
 */
#include "../bpf.h"
#include "rocecc/role/congestion_point.h"

extern rocecc_frame f;
extern rocecc_congestion_config config;
extern rocecc_congestion_point point;
extern rocecc_cnpgate gate;
extern rocecc_congestion_event event;

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return rocecc_congestion_point_step(&config, &point, &gate, r, &f, &event, 0, &w)
        .outputs;
}
