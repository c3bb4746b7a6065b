/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/telemetry.h"

#if defined(__bpf__)
/* The verifier checks these functions only once. */
static __attribute__((always_inline)) rocecc_reader packet(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    const uint8_t *b = rocecc_take(&r, 14);
    if (b == NULL) return r;
    return rocecc_reader_of(b + 14, (void *)(long)x->data_end);
}

#define STEP(name)                                                                     \
    __attribute__((noinline)) int name(void)                                           \
    {                                                                                  \
        return (int)law_telemetry_##name(&law_telemetry_kept);                         \
    }

STEP(ioam_is)
STEP(ioam_stored)
STEP(ioam_again)
STEP(ioam_same)
STEP(ifa_is)
STEP(ifa_again)
STEP(intmd_is)
STEP(intmd_again)
STEP(intmd_same)

__attribute__((noinline)) int ifa_same(uint32_t status)
{
    return (int)law_telemetry_ifa_same(&law_telemetry_kept, status);
}

__attribute__((noinline)) int read(struct xdp_md *x)
{
    return law_telemetry_read(packet(x), &law_telemetry_kept);
}

__attribute__((noinline)) int csig(struct xdp_md *x)
{
    return (int)law_telemetry_csig(packet(x));
}

__attribute__((noinline)) int ifa_path(struct xdp_md *x)
{
    return (int)law_telemetry_ifa_path(packet(x));
}

__attribute__((noinline)) int intmd_path(struct xdp_md *x)
{
    return (int)law_telemetry_intmd_path(packet(x), ROCECC_INTMD_HPCC);
}

/* Runs parts of law_telemetry_loads(). A part is broken if one of its steps is. */
static __attribute__((always_inline)) uint32_t ioam(struct xdp_md *x)
{
    uint32_t digest;
    if (!read(x)) return LAW_START;
    digest = (uint32_t)ioam_is();
    LAW(ioam_stored() != LAW_BROKEN && ioam_again() != LAW_BROKEN);
    LAW(ioam_same() != LAW_BROKEN);
    return digest;
}

static __attribute__((always_inline)) uint32_t ifa(struct xdp_md *x)
{
    uint32_t digest, status;
    if (!read(x)) return LAW_START;
    digest = (uint32_t)ifa_is();
    status = (uint32_t)ifa_again();
    LAW(digest != LAW_BROKEN && status != LAW_BROKEN);
    LAW(ifa_same(status) != LAW_BROKEN);
    return law_mix(digest, status);
}

static __attribute__((always_inline)) uint32_t intmd(struct xdp_md *x)
{
    uint32_t digest;
    if (!read(x)) return LAW_START;
    digest = (uint32_t)intmd_is();
    LAW(intmd_again() != LAW_BROKEN);
    LAW(intmd_same() != LAW_BROKEN);
    return digest;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    uint32_t digest;
    if (rocecc_take(&r, 14) == NULL) return 0;
    digest = ioam(x);
    digest = law_mix(digest, ifa(x));
    digest = law_mix(digest, intmd(x));
    digest = law_mix(digest, (uint32_t)csig(x));
    digest = law_mix(digest, (uint32_t)ifa_path(x));
    return (int)law_mix(digest, (uint32_t)intmd_path(x));
}
#else
BPF_LAW(law_telemetry_loads)
#endif
