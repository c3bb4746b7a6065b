/* SPDX-License-Identifier: BSD-2-Clause */

/* Reads an echo, and finds the echo in an ACK. echo_receiver_step.c makes an echo. */
#include "bpf.h"
#include "law/echo.h"

#if defined(__bpf__)
#include "kept.h"

/* Reads the record of a parsed echo. */
#define VIEW(format)                                                                   \
    __attribute__((noinline)) int format(struct xdp_md *x)                             \
    {                                                                                  \
        rocecc_reader r;                                                               \
        rocecc_echo h;                                                                 \
        if (is_empty(x)) return 0;                                                     \
        r = packet(x);                                                                 \
        if (rocecc_echo_parse(&r, &h) != ROCECC_OK) return 0;                          \
        return (int)law_echo_##format(&domain, &h);                                    \
    }
VIEW(ioam)
VIEW(ifa)
VIEW(intmd)
VIEW(csig)

__attribute__((noinline)) int parse(struct xdp_md *x)
{
    rocecc_status status;
    rocecc_echo h;
    if (is_empty(x)) return 0;
    domain = law_echo_domain(packet(x));
    return (int)law_echo_parse(packet(x), &status, &h);
}

__attribute__((noinline)) int parsed(struct xdp_md *x)
{
    rocecc_reader r;
    rocecc_echo h;
    if (is_empty(x)) return 0;
    r = packet(x);
    return rocecc_echo_parse(&r, &h) == ROCECC_OK;
}

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_status status;
    rocecc_echo h;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_echo_find(&p, &status, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest;
    if (is_empty(x)) return 0;
    digest = (uint32_t)parse(x);
    if (parsed(x)) {
        digest = law_mix(digest, (uint32_t)ioam(x));
        digest = law_mix(digest, (uint32_t)ifa(x));
        digest = law_mix(digest, (uint32_t)intmd(x));
        digest = law_mix(digest, (uint32_t)csig(x));
    }
    digest = law_mix(digest, (uint32_t)walk(x));
    return (int)law_mix(digest, (uint32_t)find(x));
}
#else
BPF_LAW(law_echo_read)
#endif
