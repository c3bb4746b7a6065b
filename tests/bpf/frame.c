/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/frame.h"

#if defined(__bpf__)
#include "packet.h"

rocecc_frame f; /* in a map */

/* A function of its own, which the verifier reads once: it leaves many states. */
__attribute__((noinline)) int locate(struct xdp_md *x)
{
    const rocecc_frame_config c = law_frame_all();
    return is_empty(x) ? 0 : (int)law_frame_locate(&c, packet(x), &f);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)law_frame_says(packet(x), &f, (uint32_t)locate(x));
}
#else
BPF_LAW(law_frame)
#endif
