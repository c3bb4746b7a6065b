/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_TRAFFIC_H
#define TESTS_BENCH_TRAFFIC_H

/*
 * traffic.h - a mix of frames, the same in each run.
 *
 *     72 % data of RoCEv2, 16 % ACKs, 5 % CNPs, 4 % TCP, 2 % DNS, 1 % ARP
 *     60 % IPv4, 40 % IPv6; 3 % of UDP over IPv6 has 8 bytes of Destination Options
 *     50 % without a tag, 45 % with one, 5 % with two
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TRAFFIC_FRAMES 800u
#define TRAFFIC_BYTES 256u

typedef struct traffic_frame {
    uint8_t b[TRAFFIC_BYTES];
    uint16_t n;
    bool is_cnp;
} traffic_frame;

static traffic_frame traffic[TRAFFIC_FRAMES];

static inline uint32_t traffic_draw(uint32_t below)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static inline void traffic_put16(uint8_t *b, uint32_t value)
{
    b[0] = (uint8_t)(value >> 8);
    b[1] = (uint8_t)value;
}

static inline void traffic_draw_bytes(uint8_t *b, unsigned n)
{
    while (n-- > 0)
        *b++ = (uint8_t)traffic_draw(256);
}

static inline uint8_t *traffic_tags(uint8_t *b)
{
    const uint32_t draw = traffic_draw(100);
    if (draw >= 95) {
        traffic_put16(b, 0x88a8);
        traffic_put16(b + 2, traffic_draw(4096));
        b += 4;
    }
    if (draw >= 50) {
        traffic_put16(b, 0x8100);
        traffic_put16(b + 2, traffic_draw(4096));
        b += 4;
    }
    return b;
}

static inline uint8_t *traffic_ip4(uint8_t *b, uint8_t proto, uint32_t upper)
{
    uint32_t sum = 0, i;
    traffic_put16(b, 0x0800);
    b += 2;
    b[0] = 0x45;
    traffic_put16(b + 2, 20 + upper);
    traffic_draw_bytes(b + 4, 2);
    b[6] = 0x40; /* DF */
    b[8] = 64;
    b[9] = proto;
    b[12] = b[16] = 10;
    traffic_draw_bytes(b + 14, 2);
    traffic_draw_bytes(b + 18, 2);
    for (i = 0; i < 20; i += 2)
        sum += (uint32_t)b[i] << 8 | b[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    traffic_put16(b + 10, ~(sum + (sum >> 16)));
    return b + 20;
}

static inline uint8_t *traffic_ip6(uint8_t *b, uint8_t proto, uint32_t upper,
                                   bool options)
{
    traffic_put16(b, 0x86dd);
    b += 2;
    b[0] = 0x60;
    b[3] = (uint8_t)traffic_draw(256); /* flow label */
    traffic_put16(b + 4, upper + (options ? 8 : 0));
    b[6] = options ? 60 : proto;
    b[7] = 64;
    b[8] = b[24] = 0x20;
    b[9] = b[25] = 1;
    traffic_draw_bytes(b + 22, 2);
    traffic_draw_bytes(b + 38, 2);
    b += 40;
    if (!options) return b;
    b[0] = proto;
    b[2] = 1; /* PadN of 6 bytes */
    b[3] = 4;
    return b + 8;
}

/*
 * Writes UDP, a BTH, `payload` bytes and an ICRC of zeros, or TCP of the same length.
 */
static inline uint8_t *traffic_upper(uint8_t *b, uint8_t proto, uint32_t dst_port,
                                     uint8_t opcode, uint32_t payload)
{
    const uint32_t bytes = 8 + 12 + payload + 4;
    traffic_put16(b, proto == 6 ? 443 : 0xc000 + traffic_draw(16384));
    if (proto == 6) {
        traffic_draw_bytes(b + 2, 2);
        b[12] = 0x50;
        return b + bytes;
    }
    traffic_put16(b + 2, dst_port);
    traffic_put16(b + 4, bytes);
    b[8] = opcode;
    b[10] = b[11] = 0xff; /* P_Key */
    b[12] = opcode == 0x81 ? 0x40 : 0;
    traffic_draw_bytes(b + 13, 3);
    if (opcode != 0x81) traffic_draw_bytes(b + 17, 3);
    return b + bytes;
}

static inline void traffic_make_frame(traffic_frame *f)
{
    static const uint8_t data[3] = {0x06, 0x07,
                                    0x0a}; /* RC WRITE First, Middle, Only */
    const uint32_t kind = traffic_draw(100);
    const bool v6 = traffic_draw(100) < 40, cnp = kind < 5, ack = kind >= 77;
    const uint8_t proto = kind >= 93 && kind < 97 ? 6 : 17;
    const uint8_t opcode = cnp ? 0x81 : ack ? 0x11 : data[traffic_draw(3)];
    const uint32_t payload = cnp ? 16 : ack ? 4 : opcode == 0x0a ? 16 + 64 : 96;
    uint8_t *b = f->b + 12;
    memset(f->b, 0, TRAFFIC_BYTES);
    traffic_draw_bytes(f->b, 12);
    f->b[0] &= 0xfe;
    f->is_cnp = cnp;
    if (kind == 99) {
        traffic_put16(b, 0x0806); /* ARP */
        b += 2 + 28;
    } else {
        b = traffic_tags(b);
        b = v6 ? traffic_ip6(b, proto, 24 + payload,
                             proto == 17 && traffic_draw(100) < 3)
               : traffic_ip4(b, proto, 24 + payload);
        b = traffic_upper(b, proto, kind >= 97 ? 53 : 4791, opcode, payload);
    }
    f->n = (uint16_t)(b - f->b);
    if (f->n < 60) f->n = 60;
}

static inline void traffic_make(void)
{
    unsigned i;
    for (i = 0; i < TRAFFIC_FRAMES; i++)
        traffic_make_frame(&traffic[i]);
}

#endif /* TESTS_BENCH_TRAFFIC_H */
