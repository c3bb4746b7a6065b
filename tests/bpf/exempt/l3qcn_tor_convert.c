/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A private CNM, the table's entry and the frame of an MSDU: more than BPF's stack as
 * clang 14 makes it; and the table is reached by a pointer that is kept in memory.
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
    const rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_l3qcn_tor_cnm out;
    rocecc_l3qcn_tor_convert(&config, &tor, r, &f, 0, 0, w, &out);
    return out.verdict;
}
