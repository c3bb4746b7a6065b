/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FRAME_H
#define TESTS_LIB_FRAME_H

/*
 * frame.h - a frame that a test writes as hex, and its parsed packet. After its n bytes
 * the array is 0.
 */
#include "../../examples/lib/vec.h"
#include "rocecc/packet/packet.h"
#include "test.h"

#include <string.h>

typedef struct test_frame {
    uint8_t b[2600];
    size_t n;
} test_frame;

static inline test_frame frame_of(const char *hex)
{
    test_frame x;
    memset(&x, 0, sizeof x);
    CHECK(strlen(hex) < 2 * sizeof x.b && vec_hex(hex, x.b, &x.n));
    return x;
}

static inline rocecc_packet frame_walked(const rocecc_domain *d, const test_frame *x)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(x->b, x->b + x->n), &p);
    return p;
}

/* Writes 40 bytes of IPv6 and n bytes of a Hop-by-Hop header. Returns 40 + n. */
static inline size_t frame_hop_by_hop(uint8_t *b, const uint8_t *header, size_t n)
{
    memset(b, 0, 40);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)n);
    b[7] = 64;
    b[8] = 0x20;
    memcpy(b + 40, header, n);
    return 40 + n;
}

/* Writes n bytes with IPv4, UDP and a BTH of this opcode. */
static inline void frame_roce(uint8_t *b, size_t n, uint8_t opcode)
{
    memset(b, 0, n);
    b[0] = 0x45;
    rocecc_store16(b + 2, (uint16_t)n);
    b[8] = 64;
    b[9] = 17;
    rocecc_store16(b + 22, 4791);
    rocecc_store16(b + 24, (uint16_t)(n - 20));
    b[28] = opcode;
    rocecc_store16(b + 30, 0xffff);
}

#endif /* TESTS_LIB_FRAME_H */
