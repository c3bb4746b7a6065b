/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A flow, where it comes from and where in the table: the table is reached by a pointer
 * that is kept in memory, and the verifier does not follow such a one.
 */
#include "../bpf.h"
#include "rocecc/role/l3qcn_tor.h"

rocecc_frame f;
rocecc_l3qcn_tor_config config;
rocecc_l3qcn_tor tor;

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    return rocecc_l3qcn_tor_learn(&config, &tor, r, &f, 1, 0).what;
}
