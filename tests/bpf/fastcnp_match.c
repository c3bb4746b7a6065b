/* SPDX-License-Identifier: BSD-2-Clause */

/* What filters a border. With find(), it would be too much for one program. */
#include "bpf.h"
#include "rocecc/wire/fastcnp.h"

__attribute__((noinline)) int match(struct xdp_md *x, const rocecc_fastcnp_config *c,
                                    const rocecc_frame *f)
{
    const uint8_t *begin = (const uint8_t *)(long)x->data;
    const uint8_t *end = (const uint8_t *)(long)x->data_end;
    if (c == NULL || f == NULL || begin + 14 > end) return 0;
    return rocecc_fastcnp_match(c, rocecc_reader_of(begin, end), f);
}

__attribute__((noinline)) int locate(struct xdp_md *x, rocecc_frame *f)
{
    const rocecc_frame_config c = {0};
    if (f == NULL) return 0;
    return (int)rocecc_frame_locate(
        &c, rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end), f);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_fastcnp_config c = {ROCECC_FASTCNP_LAB_PLAIN, ROCECC_FASTCNP_LAB_IOAM,
                                     ROCECC_FASTCNP_FORM_A, false, false};
    rocecc_frame f = {0};
    if (locate(x, &f) != ROCECC_OK) return 2; /* XDP_PASS */
    return match(x, &c, &f) ? 1 : 2;          /* XDP_DROP */
}
