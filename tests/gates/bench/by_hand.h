/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_BY_HAND_H
#define TESTS_BENCH_BY_HAND_H

/*
 * by_hand.h - hand-written code that finds the BTH of RoCEv2 in a datapath. It accepts
 * up to two tags, IPv4 with options, and IPv6 with up to eight extension headers, but
 * no fragments. UDP must end within IP. It knows no MPLS, PPPoE, tunnel, INT, IFA or
 * CSIG, and gives no reason for a rejection.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINED static inline __attribute__((always_inline))

typedef struct hand_bth {
    uint16_t ip, udp, bth;
    uint8_t version, opcode;
    uint32_t end; /* end of the ICRC */
} hand_bth;

INLINED uint32_t hand_load16(const uint8_t *b)
{
    uint16_t value;
    memcpy(&value, b, 2);
    return __builtin_bswap16(value);
}

INLINED uint32_t hand_load32(const uint8_t *b)
{
    uint32_t value;
    memcpy(&value, b, 4);
    return __builtin_bswap32(value);
}

INLINED uint64_t hand_load64(const uint8_t *b)
{
    uint64_t value;
    memcpy(&value, b, 8);
    return __builtin_bswap64(value);
}

INLINED void hand_store16(uint8_t *b, uint32_t value)
{
    const uint16_t big = __builtin_bswap16((uint16_t)value);
    memcpy(b, &big, 2);
}

/* Moves *at past at most eight extension headers. */
INLINED bool hand_extensions(const uint8_t *b, size_t n, size_t end, size_t *at,
                             uint8_t *proto)
{
    unsigned i;
    for (i = 0; *proto == 0 || *proto == 43 || *proto == 60; i++) {
        if (i == 8 || n < *at + 8) return false;
        *proto = b[*at];
        *at += 8 + 8 * (size_t)b[*at + 1];
        if (*at > end) return false;
    }
    return true;
}

INLINED bool hand_find(const uint8_t *b, size_t n, hand_bth *out)
{
    size_t at = 14, end, bytes;
    uint32_t type;
    uint8_t proto;
    if (n < 14 + 20 + 8 + 12) return false;
    type = hand_load16(b + 12);
    if (type == 0x88a8) {
        type = hand_load16(b + 16);
        at = 18;
    }
    if (type == 0x8100) {
        type = hand_load16(b + at + 2);
        at += 4;
    }
    out->ip = (uint16_t)at;
    if (type == 0x0800) {
        size_t header;
        if (n < at + 20 + 20) return false;
        header = (b[at] & 15) * 4u;
        bytes = hand_load16(b + at + 2);
        if (b[at] >> 4 != 4 || header < 20 || bytes < header + 24 ||
            (hand_load16(b + at + 6) & 0x3fff) != 0)
            return false;
        proto = b[at + 9];
        end = at + bytes;
        at += header;
        out->version = 4;
    } else if (type == 0x86dd) {
        if (n < at + 40 + 20 || b[at] >> 4 != 6) return false;
        proto = b[at + 6];
        end = at + 40 + hand_load16(b + at + 4);
        at += 40;
        out->version = 6;
        if (__builtin_expect(proto != 17, 0) &&
            !hand_extensions(b, n, end, &at, &proto))
            return false;
    } else {
        return false;
    }
    if (proto != 17 || n < at + 20) return false;
    bytes = hand_load16(b + at + 4);
    if (hand_load16(b + at + 2) != 4791 || bytes < 24 || at + bytes > end) return false;
    out->udp = (uint16_t)at;
    out->bth = (uint16_t)(at + 8);
    out->end = (uint32_t)(at + bytes);
    out->opcode = b[at + 8];
    return true;
}

#endif /* TESTS_BENCH_BY_HAND_H */
