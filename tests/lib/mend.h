/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_MEND_H
#define TESTS_LIB_MEND_H

/*
 * mend.h - corrects lengths and checksums after a mutation. If a byte counts other
 * bytes, most mutations of either make a packet that is rejected at once. Half of the
 * mutations are corrected, and the others are left as they are. The layouts are from
 * the RFCs, and no code of include/ is used.
 *
 *      FUZZ_MEND(mend_packet)      in a driver: after libFuzzer's own mutation
 *
 * AFL++ has its own mutations and does not call it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

#define FUZZ_MEND(mend)                                                                \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,             \
                                   unsigned seed)                                      \
    {                                                                                  \
        size = LLVMFuzzerMutate(data, size, max);                                      \
        if (seed % 2 == 0) mend(data, size, seed / 2);                                 \
        return size;                                                                   \
    }

enum { MEND_TCP = 6, MEND_UDP = 17, MEND_IFA = 253 };

static inline unsigned mend_load16(const uint8_t *b)
{
    return (unsigned)b[0] << 8 | b[1];
}

static inline void mend_store16(uint8_t *b, size_t value)
{
    b[0] = (uint8_t)(value >> 8);
    b[1] = (uint8_t)value;
}

/* Adds n bytes to a sum of 16-bit words (RFC 1071). */
static inline uint32_t mend_sum(uint32_t sum, const uint8_t *b, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        sum += i % 2 == 0 ? (uint32_t)b[i] << 8 : b[i];
    return sum;
}

static inline unsigned mend_folded(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
}

/*
 * Sets NodeLen of a trace of n bytes, at least 8, from its type, and RemainingLen to at
 * most the words present. Bits 8 to 10 have two words each, and bit 22 has its own
 * length (RFC 9197, 4.4.1).
 */
static inline void mend_trace(uint8_t *b, size_t n)
{
    const uint32_t type = (uint32_t)b[4] << 16 | (uint32_t)b[5] << 8 | b[6];
    unsigned words = 0, bit, left = b[3] & 0x7f;
    for (bit = 0; bit < 22; bit++)
        if (type >> (23 - bit) & 1) words += bit >= 8 && bit <= 10 ? 2 : 1;
    b[2] = (uint8_t)((words << 3 & 0xf8) | (b[2] & 7));
    if (left > (n - 8) / 4) left = (unsigned)(n - 8) / 4;
    b[3] = (uint8_t)((b[3] & 0x80) | left);
}

/* Makes every option end within its list (RFC 8200, 4.2). */
static inline void mend_options(uint8_t *b, size_t n, unsigned how)
{
    size_t at = 0;
    while (at < n) {
        if (b[at] == 0 || at + 2 > n) {
            b[at++] = 0;
            continue;
        }
        if (b[at + 1] > n - at - 2) b[at + 1] = (uint8_t)(n - at - 2);
        if (b[at] == 1 && how & 1) /* odd: at most 5 bytes of padding */
            for (; b[at + 1] > 5; b[at + 1]--)
                b[at + 2 + 5] = (uint8_t)(how & 2 ? 0 : b[at + 2 + 5]);
        if ((b[at] & 0x1f) == 0x11 && b[at + 1] >= 10) /* IOAM (RFC 9486) */
            mend_trace(b + at + 4, (size_t)b[at + 1] - 2);
        at += (size_t)b[at + 1] + 2;
    }
}

/* Corrects Last Entry and Segments Left in a Routing header (RFC 8754, 2). */
static inline void mend_routing(uint8_t *b, size_t n)
{
    const size_t most = (n - 8) / 16; /* segments */
    if (b[2] != 4 || most == 0) return;
    if (b[4] >= most) b[4] = (uint8_t)(most - 1);
    if (b[3] > b[4] + 1) b[3] = (uint8_t)(b[4] + 1);
    if (n > 8 + 16 * ((size_t)b[4] + 1))
        mend_options(b + 8 + 16 * ((size_t)b[4] + 1), n - 8 - 16 * ((size_t)b[4] + 1),
                     0);
}

/*
 * Makes the extension headers from *type on end within n bytes. Sets *type to the upper
 * layer, and returns their number of bytes.
 */
static inline size_t mend_chain(uint8_t *b, size_t n, uint8_t *type, unsigned how)
{
    size_t at = 0;
    while (n - at >= 8) {
        const bool options = *type == 0 || *type == 60;
        size_t len = 8 * (size_t)b[at + 1] + 8;
        if (*type == 44)
            len = 8;
        else if (*type == 51)
            len = 4 * (size_t)b[at + 1] + 8;
        else if (!options && *type != 43 && *type != 135)
            break;
        if (len > n - at) {
            b[at + 1] = (uint8_t)((n - at) / 8 - 1);
            len = (n - at) / 8 * 8;
        }
        if (options) mend_options(b + at + 2, len - 2, how);
        if (*type == 43) mend_routing(b + at, len);
        *type = b[at];
        at += len;
    }
    return at;
}

/* Makes the shim of INT count the INT header and whole nodes (INT 2.1). */
static inline void mend_int(uint8_t *b, size_t n)
{
    unsigned words = 0, bit, nodes;
    const unsigned bits = n < 16 ? 0 : mend_load16(b + 8);
    if (bits == 0 || b[0] >> 4 != 1) return;
    for (bit = 0; bit < 16; bit++)
        if (bits >> (15 - bit) & 1) words += bit >= 4 && bit <= 6 ? 2 : 1;
    if (mend_load16(b + 12) == 0) b[6] = (uint8_t)((b[6] & 0xe0) | words);
    nodes = b[1] > 3 ? (b[1] - 3u) / words : 0;
    while (nodes > 0 && 4 * (4 + (size_t)nodes * words) > n)
        nodes--;
    b[1] = (uint8_t)(3 + nodes * words);
}

/* Corrects an upper layer of n bytes. `sum` is the sum of the IP addresses. */
static inline void mend_upper(uint8_t *b, size_t n, uint8_t proto, uint32_t sum,
                              unsigned how)
{
    const size_t check = proto == MEND_UDP ? 6 : 16;
    if (n < (proto == MEND_UDP ? 8u : 20u)) return;
    if (proto == MEND_UDP) {
        mend_store16(b + 4, n);
        if (mend_load16(b + 2) != 4791 || how & 1) mend_int(b + 8, n - 8);
    } else if (b[12] >> 4 < 5 || (size_t)(b[12] >> 4) * 4 > n) {
        b[12] = (uint8_t)(0x50 | (b[12] & 15));
    }
    if (proto == MEND_UDP && how & 2 && mend_load16(b + check) == 0) return;
    mend_store16(b + check, 0);
    sum = mend_folded(mend_sum(sum + proto + (uint32_t)n, b, n));
    mend_store16(b + check, sum == 0 && proto == MEND_UDP ? 0xffff : sum);
}

/* Corrects IFA around UDP. The metadata header counts only whole records. */
static inline void mend_ifa(uint8_t *b, size_t n, unsigned how)
{
    const size_t head = 4 + 8 + 4 + (b[3] & 8 ? 4 : 0);
    if (n < 16 || b[2] != MEND_UDP) return;
    if (how & 1) mend_store16(b + 4 + 4, n - 4 - 4 - 4 * (size_t)b[15]);
    if (head < n && 4 * (size_t)b[15] > n - head)
        b[15] = (uint8_t)((n - head) / 32 * 8);
}

/* Corrects n bytes that begin with IP. */
static inline void mend_ip(uint8_t *b, size_t n, unsigned how)
{
    size_t at = 40;
    uint8_t proto;
    uint32_t sum;
    if (n < 40 || n > 0xffff) return;
    if (b[0] >> 4 == 6) {
        mend_store16(b + 4, n - 40);
        proto = b[6];
        at += mend_chain(b + 40, n - 40, &proto, how);
        sum = mend_sum(0, b + 8, 32);
    } else {
        if ((b[0] & 15) < 5) b[0] = 0x45;
        at = (size_t)(b[0] & 15) * 4;
        mend_store16(b + 2, n);
        mend_store16(b + 10, 0);
        if (at > n) return;
        mend_store16(b + 10, mend_folded(mend_sum(0, b, at)));
        proto = b[9];
        sum = mend_sum(0, b + 12, 8);
    }
    if (proto == MEND_UDP || proto == MEND_TCP)
        mend_upper(b + at, n - at, proto, sum, how >> 2);
    if (proto == MEND_IFA && n - at >= 16) mend_ifa(b + at, n - at, how >> 2);
}

/* Corrects n bytes that begin with IP, or else with Ethernet. */
static inline void mend_packet(uint8_t *b, size_t n, unsigned how)
{
    size_t at = 12;
    if (n < 1) return;
    if (b[0] >> 4 == 4 || b[0] >> 4 == 6) {
        mend_ip(b, n, how);
        return;
    }
    while (at + 6 < n &&
           (mend_load16(b + at) == 0x8100 || mend_load16(b + at) == 0x88a8))
        at += 4;
    if (at + 2 + 40 > n) return;
    if (mend_load16(b + at) == 0x0800 || mend_load16(b + at) == 0x86dd)
        mend_ip(b + at + 2, n - at - 2, how);
}

/* Corrects n bytes that are one header of options. */
static inline void mend_header(uint8_t *b, size_t n, unsigned how)
{
    if (n < 8) return;
    if (8 * (size_t)b[1] + 8 > n || how & 1)
        b[1] = (uint8_t)(n / 8 > 256 ? 255 : n / 8 - 1);
    mend_options(b + 2, 8 * (size_t)b[1] + 6, how >> 1);
}

#endif /* TESTS_LIB_MEND_H */
