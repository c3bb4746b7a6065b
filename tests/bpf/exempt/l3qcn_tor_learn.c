/* SPDX-License-Identifier: BSD-2-Clause */

/* A flow, where it comes from and where in the table: more than BPF's stack. */
#include "../bpf.h"
#include "rocecc/role/l3qcn_tor.h"

extern rocecc_frame f;
extern rocecc_l3qcn_tor_config config;
extern rocecc_l3qcn_tor tor;

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    return rocecc_l3qcn_tor_learn(&config, &tor, r, &f, 1, 0).what;
}
