/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ICRC_H
#define ROCECC_WIRE_ICRC_H

/*
 * icrc.h - the Invariant CRC at the end of every RoCE packet. IBTA volume 1, 7.8.1;
 * A17.3.3 for RoCEv2, A16 for RoCEv1.
 *
 *   8 bytes of ones | IP or GRH | UDP | BTH | extended headers, payload, padding | ICRC
 *                   |<------------------ covered ------------------------------->|
 *
 * It is the CRC-32 of Ethernet and zlib, stored with its low byte first. What may
 * change on the way counts as ones: TOS, TTL and header checksum of IPv4; Traffic
 * Class, Flow Label and Hop Limit of IPv6 and GRH; the UDP checksum; byte 4 of the BTH
 * (F, B, Resv6). Tags, tunnels and Ethernet are outside.
 *
 *     "123456789", from the state 0xffffffff     final() 0xcbf43926, stored 26 39 f4 cb
 *
 * No standard covers IPv6 extension headers: rocecc_icrc_rule names the rules to choose
 * from, and README.md describes them. packet/icrc.h applies them to a packet.
 */
#include "../bytes.h"

/* The size of the table, 0, 64, 1024 or 8192: space or speed, and the same result. */
#ifndef ROCECC_ICRC_TABLE_BYTES
#define ROCECC_ICRC_TABLE_BYTES 1024
#endif

/*
 * Under BPF, which bounds what the verifier follows: at most this many bytes after the
 * BTH, and with extension headers only the rules STRIPPED and NONE; the rest is
 * UNSUPPORTED. An XDP program verifies best if it calls this from a global function of
 * its own, with a located packet.
 */
#define ROCECC_ICRC_MAX_BYTES 2080
#define ROCECC_ICRC_PATCH_MAX_BYTES 64 /* of rocecc_icrc_patch(), under BPF alone */

#define ROCECC_ICRC_START 0xdebb20e3u /* the state after the 8 bytes of ones */

typedef enum rocecc_icrc_rule {
    ROCECC_ICRC_AUTO = 0, /* to write: MASKED. To verify: any of the next four */
    ROCECC_ICRC_STANDARD, /* no extension headers: the next three agree */
    ROCECC_ICRC_MASKED,   /* extension headers covered, but for what may change */
    ROCECC_ICRC_LITERAL,  /* covered as they are */
    ROCECC_ICRC_STRIPPED, /* as if they were absent */
    ROCECC_ICRC_NONE      /* no ICRC: 0 is written, nothing is checked */
} rocecc_icrc_rule;

/* What verify() found. value and computed are as rocecc_icrc_load() gives them. */
typedef struct rocecc_icrc {
    uint32_t value;    /* in the packet */
    uint32_t computed; /* by the rule that matched, or else by the first tried */
    bool ok;           /* they are equal */
    uint8_t rule;      /* a rocecc_icrc_rule */
} rocecc_icrc;

/*
 * The tables. The CRC is linear: the entry of a byte is the XOR of the entries of its
 * bits, and these are 0xedb88320 shifted on, 64 times in all.
 */
#define ROCECC_ICRC_XOR_(n, b0, b1, b2, b3, b4, b5, b6, b7)                            \
    (((n)&1 ? (b0) : 0) ^ ((n)&2 ? (b1) : 0) ^ ((n)&4 ? (b2) : 0) ^                    \
     ((n)&8 ? (b3) : 0) ^ ((n)&16 ? (b4) : 0) ^ ((n)&32 ? (b5) : 0) ^                  \
     ((n)&64 ? (b6) : 0) ^ ((n)&128 ? (b7) : 0))
#define ROCECC_ICRC_4_(n, ...)                                                         \
    ROCECC_ICRC_XOR_((n), __VA_ARGS__), ROCECC_ICRC_XOR_((n) + 1, __VA_ARGS__),        \
        ROCECC_ICRC_XOR_((n) + 2, __VA_ARGS__), ROCECC_ICRC_XOR_((n) + 3, __VA_ARGS__)
#define ROCECC_ICRC_16_(n, ...)                                                        \
    ROCECC_ICRC_4_((n), __VA_ARGS__), ROCECC_ICRC_4_((n) + 4, __VA_ARGS__),            \
        ROCECC_ICRC_4_((n) + 8, __VA_ARGS__), ROCECC_ICRC_4_((n) + 12, __VA_ARGS__)
#define ROCECC_ICRC_64_(n, ...)                                                        \
    ROCECC_ICRC_16_((n), __VA_ARGS__), ROCECC_ICRC_16_((n) + 16, __VA_ARGS__),         \
        ROCECC_ICRC_16_((n) + 32, __VA_ARGS__), ROCECC_ICRC_16_((n) + 48, __VA_ARGS__)
#define ROCECC_ICRC_256_(...)                                                          \
    {                                                                                  \
        ROCECC_ICRC_64_(0, __VA_ARGS__), ROCECC_ICRC_64_(64, __VA_ARGS__),             \
            ROCECC_ICRC_64_(128, __VA_ARGS__), ROCECC_ICRC_64_(192, __VA_ARGS__)       \
    }

#if ROCECC_ICRC_TABLE_BYTES == 0
/* The state after one more byte. */
ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t b)
{
    int i;
    state ^= b;
    for (i = 0; i < 8; i++)
        state = state >> 1 ^ (0xedb88320u & (0u - (state & 1)));
    return state;
}
#elif ROCECC_ICRC_TABLE_BYTES == 64
ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t b)
{
    static const uint32_t t[16] = {ROCECC_ICRC_16_(
        0, 0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u, 0, 0, 0, 0)};
    size_t i = (state ^ b) & 0xf;
    ROCECC_BPF_MASK_(i, 0xf);
    state = (state ^ b) >> 4 ^ t[i];
    i = state & 0xf;
    ROCECC_BPF_MASK_(i, 0xf);
    return state >> 4 ^ t[i];
}
#elif ROCECC_ICRC_TABLE_BYTES == 1024
ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t b)
{
    static const uint32_t t[256] =
        ROCECC_ICRC_256_(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u,
                         0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u);
    size_t i = (state ^ b) & 0xff;
    ROCECC_BPF_MASK_(i, 0xff);
    return state >> 8 ^ t[i];
}
#elif ROCECC_ICRC_TABLE_BYTES == 8192
ROCECC_FN const uint32_t (*rocecc_icrc_table_(void))[256]
{
    static const uint32_t t[8][256] = {
        ROCECC_ICRC_256_(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u,
                         0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u),
        ROCECC_ICRC_256_(0x191b3141u, 0x32366282u, 0x646cc504u, 0xc8d98a08u,
                         0x4ac21251u, 0x958424a2u, 0xf0794f05u, 0x3b83984bu),
        ROCECC_ICRC_256_(0x01c26a37u, 0x0384d46eu, 0x0709a8dcu, 0x0e1351b8u,
                         0x1c26a370u, 0x384d46e0u, 0x709a8dc0u, 0xe1351b80u),
        ROCECC_ICRC_256_(0xb8bc6765u, 0xaa09c88bu, 0x8f629757u, 0xc5b428efu,
                         0x5019579fu, 0xa032af3eu, 0x9b14583du, 0xed59b63bu),
        ROCECC_ICRC_256_(0x3d6029b0u, 0x7ac05360u, 0xf580a6c0u, 0x30704bc1u,
                         0x60e09782u, 0xc1c12f04u, 0x58f35849u, 0xb1e6b092u),
        ROCECC_ICRC_256_(0xcb5cd3a5u, 0x4dc8a10bu, 0x9b914216u, 0xec53826du,
                         0x03d6029bu, 0x07ac0536u, 0x0f580a6cu, 0x1eb014d8u),
        ROCECC_ICRC_256_(0xa6770bb4u, 0x979f1129u, 0xf44f2413u, 0x33ef4e67u,
                         0x67de9cceu, 0xcfbd399cu, 0x440b7579u, 0x8816eaf2u),
        ROCECC_ICRC_256_(0xccaa009eu, 0x4225077du, 0x844a0efau, 0xd3e51bb5u,
                         0x7cbb312bu, 0xf9766256u, 0x299dc2edu, 0x533b85dau)};
    return t;
}

ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t b)
{
    return state >> 8 ^ rocecc_icrc_table_()[0][(state ^ b) & 0xff];
}

/* Eight bytes at once: table k is table 0 followed by k bytes of 0. */
ROCECC_FN uint32_t rocecc_icrc_8_(uint32_t state, const uint8_t *b)
{
    const uint32_t(*t)[256] = rocecc_icrc_table_();
    return t[7][(state ^ b[0]) & 0xff] ^ t[6][(state >> 8 ^ b[1]) & 0xff] ^
           t[5][(state >> 16 ^ b[2]) & 0xff] ^ t[4][(state >> 24 ^ b[3]) & 0xff] ^
           t[3][b[4]] ^ t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]];
}
#else
#error "ROCECC_ICRC_TABLE_BYTES is 0, 64, 1024 or 8192"
#endif

/* As rocecc_icrc_update(), but under BPF of at most max bytes, which bound its loops.
 */
ROCECC_FN uint32_t rocecc_icrc_update_upto(uint32_t state, rocecc_reader r, int max)
{
    const uint8_t *b;
#if defined(__bpf__)
    int i, k;
    for (i = 0; i < max / 32; i++) { /* few steps: each is a branch to verify */
        b = rocecc_take(&r, 32);
        if (b == NULL) break;
        for (k = 0; k < 32; k++)
            state = rocecc_icrc_1_(state, b[k]);
    }
    for (i = 0; i < 7; i++) {
        b = rocecc_take(&r, 4);
        if (b == NULL) break;
        for (k = 0; k < 4; k++)
            state = rocecc_icrc_1_(state, b[k]);
    }
    for (i = 0; i < 3; i++) {
        b = rocecc_take(&r, 1);
        if (b == NULL) break;
        state = rocecc_icrc_1_(state, *b);
    }
#else
    (void)max;
#if ROCECC_ICRC_TABLE_BYTES == 8192
    while ((b = rocecc_take(&r, 8)) != NULL)
        state = rocecc_icrc_8_(state, b);
#endif
    while ((b = rocecc_take(&r, 1)) != NULL)
        state = rocecc_icrc_1_(state, *b);
#endif
    return state;
}

/*
 * The stream: a state starts by rocecc_icrc_init() of packet/icrc.h (or as
 * ROCECC_ICRC_START), takes bytes in pieces of any size (under BPF, of at most
 * ROCECC_ICRC_MAX_BYTES), and ends with final().
 */
ROCECC_FN uint32_t rocecc_icrc_update(uint32_t state, rocecc_reader r)
{
    return rocecc_icrc_update_upto(state, r, ROCECC_ICRC_MAX_BYTES);
}

ROCECC_FN uint32_t rocecc_icrc_final(uint32_t state)
{
    return ~state;
}

/* An ICRC in its 4 bytes, low byte first. Total. */
ROCECC_FN uint32_t rocecc_icrc_load(const uint8_t *b)
{
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

ROCECC_FN void rocecc_icrc_store(uint8_t *b, uint32_t icrc)
{
    b[0] = (uint8_t)icrc;
    b[1] = (uint8_t)(icrc >> 8);
    b[2] = (uint8_t)(icrc >> 16);
    b[3] = (uint8_t)(icrc >> 24);
}

/* Adds n <= 255 bytes of ones, as which a masked value counts. */
ROCECC_FN uint32_t rocecc_icrc_ones(uint32_t state, size_t n)
{
    for (n &= 0xff; n > 0; n--)
        state = rocecc_icrc_1_(state, 0xff);
    return state;
}

/* Adds n bytes of the caller's own, such as a masked copy of a header. */
ROCECC_FN uint32_t rocecc_icrc_bytes(uint32_t state, const uint8_t *m, size_t n)
{
    size_t i = 0;
#if ROCECC_ICRC_TABLE_BYTES == 8192
    for (; i + 8 <= n; i += 8)
        state = rocecc_icrc_8_(state, m + i);
#endif
    for (; i < n; i++)
        state = rocecc_icrc_1_(state, m[i]);
    return state;
}

/* a b modulo the CRC's polynomial, both with x^0 in the high bit. 32 steps. */
ROCECC_FN uint32_t rocecc_icrc_times_(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    int i;
    for (i = 0; i < 32; i++) {
        product ^= a & (0u - (b >> 31));
        a = a >> 1 ^ (0xedb88320u & (0u - (a & 1)));
        b <<= 1;
    }
    return product;
}

/*
 * The ICRC after covered bytes have changed, without the rest of the message:
 * new = old ^ crc(was ^ is) x^(8 after), since the CRC is linear. was stood where is
 * now stands, and after counts the bytes from there to the ICRC. Masked bytes need no
 * patch. RANGE: was and is differ in length. UNSUPPORTED, under BPF: more than
 * ROCECC_ICRC_PATCH_MAX_BYTES. Bounded: 2 * 32 * 32 steps beyond the bytes given.
 */
ROCECC_FN rocecc_status rocecc_icrc_patch(uint32_t *icrc, rocecc_reader was,
                                          rocecc_reader is, uint32_t after)
{
    uint32_t change = 0;
    uint32_t power = 0x00800000u; /* x^8 */
    const uint8_t *a, *b;
    int i;
    if (rocecc_left(&was) != rocecc_left(&is)) return ROCECC_ERR_RANGE;
#if defined(__bpf__)
    if (rocecc_left(&was) > ROCECC_ICRC_PATCH_MAX_BYTES) return ROCECC_ERR_UNSUPPORTED;
    for (i = 0; i < ROCECC_ICRC_PATCH_MAX_BYTES; i++) {
#else
    for (;;) {
#endif
        a = rocecc_take(&was, 1);
        if (a == NULL) break;
        b = rocecc_take(&is, 1);
        if (b == NULL) break;
        change = rocecc_icrc_1_(change, *a ^ *b);
    }
    for (i = 0; i < 32; i++) {
        if (after >> i & 1) change = rocecc_icrc_times_(change, power);
        power = rocecc_icrc_times_(power, power);
    }
    *icrc ^= change;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_ICRC_H */
