/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/packet.h"

#if defined(__bpf__)
#include "packet.h"

/*
 * The parts without a pointer are in maps. Each function attaches the packet again, so
 * that the verifier checks each function only once.
 */
rocecc_domain domain;
rocecc_headers where, around, moved;
size_t begin, end; /* of the packet or an inner packet */

static __attribute__((always_inline)) rocecc_packet attached(const struct xdp_md *x)
{
    return rocecc_packet_attach(&domain, rocecc_subrange(packet(x), begin, end),
                                &where);
}

__attribute__((noinline)) int outermost(struct xdp_md *x)
{
    rocecc_reader r;
    if (is_empty(x)) return 0;
    r = packet(x);
    domain = law_packet_domain(r);
    begin = r.at;
    end = r.end;
    return (int)rocecc_headers_parse(&domain, r, &where);
}

/* Moves on to the inner packet. */
__attribute__((noinline)) int inside(struct xdp_md *x)
{
    rocecc_reader r;
    if (is_empty(x)) return 0;
    around = where;
    r = rocecc_headers_inner_bytes(rocecc_subrange(packet(x), begin, end), &around);
    begin = r.at;
    end = r.end;
    return (int)rocecc_headers_parse_inner(&domain, r, &around, &where);
}

__attribute__((noinline)) int lawful(void)
{
    return law_where(&where, begin, end) == LAW_BROKEN;
}

__attribute__((noinline)) int digest_of(uint32_t status)
{
    moved = where;
    return (int)law_where_digest(&moved, begin, law_mix(LAW_START, status));
}

__attribute__((noinline)) int view(struct xdp_md *x, int outer)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_packet_ip(&p, outer ? &p.headers.outer : &p.headers.ip);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START, status, one;
    int level;
    if (is_empty(x)) return 0;
    status = (uint32_t)outermost(x);
    for (level = 0; level < 3; level++) {
        if (lawful() != 0) return LAW_BROKEN;
        one = (uint32_t)digest_of(status);
        one = law_mix(one, (uint32_t)view(x, 1));
        digest = law_mix(digest, law_mix(one, (uint32_t)view(x, 0)));
        if (where.inner == 0) break;
        status = (uint32_t)inside(x);
    }
    return (int)digest;
}
#else
BPF_LAW(law_packet)
#endif
