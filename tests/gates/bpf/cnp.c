/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/cnp.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_cnp h; /* in a map */

/* Writes the CNP's IP header over the parsed packet. */
__attribute__((noinline)) int third(struct xdp_md *x)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (rocecc_put(&w, 14) == NULL) return 0;
    return (int)law_cnp_ip(w, &h);
}

/* Writes h only if the packet is parsed as a CNP. */
__attribute__((noinline)) int second(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_status status;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_cnp_parse(&p, &status, &h);
}

__attribute__((noinline)) int agree(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    domain = law_packet_domain(packet(x)); /* with IFA and INT */
    return 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_cnp none = {0};
    uint32_t digest, lenient;
    rocecc_status status;
    if (agree(x) == 0) return 0;
    h = none;
    status = (rocecc_status)walk(x);
    digest = law_mix(LAW_START, status);
    if (status != ROCECC_OK) return (int)digest;
    digest = law_mix(digest, (uint32_t)second(x));
    domain.roce.short_cnp = true;
    h.dscp = 0xff; /* no CNP has this value */
    lenient = (uint32_t)second(x);
    if (h.dscp != 0xff) lenient = law_mix(lenient, (uint32_t)third(x));
    return (int)law_mix(digest, lenient);
}
#else
BPF_LAW(law_cnp)
#endif
