/* SPDX-License-Identifier: BSD-2-Clause */

/* Writing over the packet itself, which is too much for the program of icrc.c. */
#include "bpf.h"
#include "rocecc/wire/icrc.h"

__attribute__((noinline)) int emplace(struct xdp_md *x, const rocecc_frame *f)
{
    uint8_t *begin = (uint8_t *)(long)x->data;
    uint8_t *end = (uint8_t *)(long)x->data_end;
    rocecc_writer w;
    if (f == NULL || begin + 14 > end) return 0;
    w = rocecc_writer_of(begin, end);
    w.at = w.end;
    return (int)rocecc_icrc_emplace(ROCECC_ICRC_STRIPPED, &w, f);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_frame_config c = {0};
    rocecc_frame f;
    if (rocecc_frame_locate(
            &c, rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end),
            &f) != ROCECC_OK)
        return -1;
    return emplace(x, &f);
}
