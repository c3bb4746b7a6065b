/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_ICRC_SIDES_H
#define TESTS_BENCH_ICRC_SIDES_H

/* icrc_sides.h - our side of the rows of icrc*.c, and a CNP written by hand. */
#include "bench.h"
#include "rocecc/packet/build.h"

static uint8_t side_bytes[4096];
static rocecc_cnp side_cnp;
static uint8_t side_out[64];

/* The only call of the ICRC, for all lengths, so that it is inlined as in a program. */
static __attribute__((noinline)) uint32_t icrc_of(uint32_t state, size_t n)
{
    return rocecc_icrc_update(state, rocecc_reader_of(side_bytes, side_bytes + n));
}

#define ICRC_OF(n)                                                                     \
    static inline void icrc_##n(unsigned i)                                            \
    {                                                                                  \
        bench_keep(icrc_of(i, n));                                                     \
    }
ICRC_OF(64)
ICRC_OF(256)
ICRC_OF(1024)
ICRC_OF(4096)

/* Patches 4 bytes somewhere in a packet of 4 KiB. */
static inline void patch_any(unsigned i)
{
    static const uint8_t was[4] = {1, 2, 3, 4}, is[4] = {1, 2, 5, 4};
    uint32_t icrc = i;
    (void)rocecc_icrc_patch(&icrc, rocecc_reader_of(was, was + 4),
                            rocecc_reader_of(is, is + 4), i * 2654435761u >> 20);
    bench_keep(icrc);
}

/* Patches DestQP of a template, 20 bytes before the ICRC. */
static inline void patch_qp(unsigned i)
{
    static const uint8_t was[3] = {0, 0, 0};
    const uint8_t is[3] = {(uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i};
    uint32_t icrc = 0x12345678;
    (void)rocecc_icrc_patch(&icrc, rocecc_reader_of(was, was + 3),
                            rocecc_reader_of(is, is + 3), 20);
    bench_keep(icrc);
}

static __attribute__((noinline)) void build_ours(unsigned i)
{
    rocecc_writer w = rocecc_writer_of(side_out, side_out + sizeof side_out);
    side_cnp.dest_qp = i & 0xffffff;
    bench_keep(rocecc_cnp_build(&w, &side_cnp));
    bench_keep(side_out);
}

/* Writes only IPv4, as an expert would, with checks of values and versions. */
static inline int build_v4_(const rocecc_cnp *h, uint8_t *b)
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    static const uint8_t mask[56] = {0,    0xff, 0,           0,           0,
                                     0,    0,    0,           0xff,        0,
                                     0xff, 0xff, [26] = 0xff, [27] = 0xff, [32] = 0xff};
    uint8_t m[56];
    uint32_t sum;
    int i;
    if (h->dscp >> 6 || h->ecn >> 2 || h->dest_qp >> 24 ||
        memcmp(h->src.b, mapped, 12) != 0 || memcmp(h->dst.b, mapped, 12) != 0)
        return 1;
    b[0] = 0x45;
    b[1] = (uint8_t)(h->dscp << 2 | h->ecn);
    rocecc_store16(b + 2, 60);
    rocecc_store16(b + 4, h->identification);
    rocecc_store16(b + 6, 0x4000);
    b[8] = h->hop_limit;
    b[9] = 17;
    memcpy(b + 12, h->src.b + 12, 4);
    memcpy(b + 16, h->dst.b + 12, 4);
    sum = 0x4500u + b[1] + 60 + h->identification + 0x4000 +
          ((uint32_t)h->hop_limit << 8 | 17) + rocecc_load16(h->src.b + 12) +
          rocecc_load16(h->src.b + 14) + rocecc_load16(h->dst.b + 12) +
          rocecc_load16(h->dst.b + 14);
    sum = (sum & 0xffff) + (sum >> 16);
    rocecc_store16(b + 10, (uint16_t) ~(sum + (sum >> 16)));
    rocecc_store16(b + 20, h->src_port);
    rocecc_store16(b + 22, 4791);
    rocecc_store32(b + 24, 40u << 16);
    rocecc_store32(b + 28, 0x81000000u | h->pkey);
    rocecc_store32(b + 32,
                   (uint32_t)h->fecn << 31 | (uint32_t)h->becn << 30 | h->dest_qp);
    memset(b + 36, 0, 20);
    for (i = 0; i < 56; i++)
        m[i] = b[i] | mask[i];
    rocecc_icrc_store(b + 56, ~rocecc_icrc_bytes(ROCECC_ICRC_START, m, sizeof m));
    return 0;
}

static __attribute__((noinline)) void build_by_hand(unsigned i)
{
    side_cnp.dest_qp = i & 0xffffff;
    bench_keep(build_v4_(&side_cnp, side_out));
    bench_keep(side_out);
}

/* A peer's CRC of n bytes, in zlib's convention. */
typedef uint32_t side_crc(uint32_t crc, const uint8_t *b, size_t n);

/* Checks the peer's CRC at all lengths of the rows and some others. */
static inline void sides_same_crc(const char *peer, side_crc *crc)
{
    unsigned n;
    for (n = 0; n <= sizeof side_bytes; n += n < 300 ? 1 : 4) {
        if (~icrc_of(~n, n) != crc(n, side_bytes, n)) bench_differs(peer, n);
    }
}

static inline void sides_start(void)
{
    const rocecc_ip4 src = {{10, 0, 0, 1}}, dst = {{10, 0, 17, 2}};
    uint8_t built[60];
    unsigned i;
    for (i = 0; i < sizeof side_bytes; i++)
        side_bytes[i] = (uint8_t)(i * i >> 3 ^ i * 167);
    side_cnp = rocecc_cnp_default();
    side_cnp.src = rocecc_ip6_of_ip4(&src);
    side_cnp.dst = rocecc_ip6_of_ip4(&dst);
    side_cnp.src_port = 0xc123;
    for (i = 0; i < BENCH_CALLS; i++) {
        build_ours(i);
        memcpy(built, side_out, sizeof built);
        memset(side_out, 0, sizeof side_out);
        build_by_hand(i);
        if (memcmp(built, side_out, sizeof built) != 0)
            bench_differs("a CNP built by hand", i);
    }
}

#endif /* TESTS_BENCH_ICRC_SIDES_H */
