/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/cnp.h"

#if defined(__bpf__)
/* Functions of their own, which the verifier reads once: locate() leaves many states.
 */
static __attribute__((always_inline)) rocecc_reader packet(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    (void)rocecc_take(&r, 14);
    return r;
}

/* The packet is parsed by now, and may be written over. */
__attribute__((noinline)) int third(struct xdp_md *x, rocecc_cnp *h)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (h == NULL || rocecc_put(&w, 14) == NULL) return 0;
    return (int)law_cnp_ip(w, h);
}

/* Writes *h where the receiver takes the packet for a CNP. */
__attribute__((noinline)) int second(struct xdp_md *x, rocecc_frame *f, rocecc_cnp *h,
                                     int short_cnp)
{
    rocecc_status status;
    if (f == NULL || h == NULL) return 0;
    return (int)law_cnp_parse(packet(x), f, short_cnp != 0, &status, h);
}

__attribute__((noinline)) int first(struct xdp_md *x, rocecc_frame *f)
{
    const rocecc_reader r = packet(x);
    const rocecc_frame_config config = law_frame_config(r);
    if (f == NULL) return 0;
    return (int)rocecc_frame_locate(&config, r, f);
}

rocecc_frame f; /* in a map: with it, the stack of BPF would be too small */

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_cnp h = {{{0}}, {{0}}, 0, 0, 0, 0, 0, 0, 0, false, false, 0, false, 0, {0}};
    const rocecc_status status = (rocecc_status)first(x, &f);
    uint32_t digest = law_mix(LAW_START, status), lenient;
    if (status != ROCECC_OK) return (int)digest;
    h.dscp = 0xff; /* of no CNP */
    digest = law_mix(digest, (uint32_t)second(x, &f, &h, 0));
    lenient = (uint32_t)second(x, &f, &h, 1);
    if (h.dscp != 0xff) lenient = law_mix(lenient, (uint32_t)third(x, &h));
    return (int)law_mix(digest, lenient);
}
#else
BPF_LAW(law_cnp)
#endif
