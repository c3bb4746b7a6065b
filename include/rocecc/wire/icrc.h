/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ICRC_H
#define ROCECC_WIRE_ICRC_H

/*
 * icrc.h - the Invariant CRC (ICRC) at the end of every RoCE packet. IBTA volume 1,
 * 7.8.1; A17.3.3 for RoCEv2, A16 for RoCEv1.
 *
 *   8 bytes of ones | IP or GRH | UDP | BTH | extended headers, payload, padding | ICRC
 *                   |<------------------ covered ------------------------------->|
 *
 * The ICRC uses the CRC-32 of Ethernet and zlib, and is stored with its low byte first.
 * Fields that can change on the path are treated as all ones. These fields are TOS, TTL
 * and header checksum (IPv4), Traffic Class, Flow Label and Hop Limit (IPv6 and GRH),
 * the UDP checksum, and byte 4 of the BTH (F, B and Resv6). The ICRC does not cover
 * Ethernet headers, tags or tunnels.
 *
 *     "123456789", from the state 0xffffffff     final() 0xcbf43926, stored 26 39 f4 cb
 *
 * No standard says how to treat IPv6 extension headers. rocecc_icrc_rule lists the
 * possible rules, and README.md describes them. packet/icrc.h applies a rule to a
 * packet.
 */
#include "../bytes.h"
#include "icrctable.h"

/*
 * A host with a faster CRC-32 may define the macro ROCECC_CRC32_UPDATE, but must do so
 * before it includes any rocecc header. The definition for zlib is:
 *
 *     #define ROCECC_CRC32_UPDATE(state, b, n) ((uint32_t)~crc32(~(state), (b), (n)))
 *
 * The macro must return the state after n >= 1 more bytes, without inverting it.
 * crc32() inverts the state on entry and on return, so this macro undoes both
 * inversions. The results are the same with and without the macro. BPF programs do not
 * use it.
 */

/*
 * Maximum number of bytes between the BTH and the ICRC under BPF. Under BPF, packets
 * with more of these bytes are UNSUPPORTED. Packets with IPv6 extension headers are
 * also UNSUPPORTED under BPF, unless the rule is STRIPPED or NONE, or
 * rocecc_icrc_verify() is called with AUTO. The BPF verifier is most likely to accept
 * an XDP program if a separate global function takes the parsed packet and calls the
 * functions in packet/icrc.h.
 */
#ifndef ROCECC_ICRC_MAX_BYTES
#define ROCECC_ICRC_MAX_BYTES 2080
#endif
#define ROCECC_ICRC_PATCH_MAX_BYTES 64 /* for rocecc_icrc_patch(), only under BPF */

#define ROCECC_ICRC_START 0xdebb20e3u /* the state after the 8 bytes of ones */

typedef enum rocecc_icrc_rule_ {
    ROCECC_ICRC_AUTO = 0, /* MASKED when writing, any of the next four when verifying */
    ROCECC_ICRC_STANDARD, /* no extension headers, so the next three agree */
    ROCECC_ICRC_MASKED,   /* extension headers covered, changeable fields as ones */
    ROCECC_ICRC_LITERAL,  /* extension headers covered unchanged */
    ROCECC_ICRC_STRIPPED, /* extension headers treated as absent */
    ROCECC_ICRC_NONE      /* no ICRC: 0 is written, and `ok` is false */
} ROCECC_IN_8_BITS_(rocecc_icrc_rule);

/*
 * Result of rocecc_icrc_verify(). `value` and `computed` are host-order numbers, as
 * returned by rocecc_icrc_load().
 */
typedef struct rocecc_icrc {
    uint32_t value;    /* in the packet */
    uint32_t computed; /* by the rule that matched, or else by the first rule that
                          yields an ICRC */
    bool ok;           /* `value` equals `computed` */
    ROCECC_ENUM8_(rocecc_icrc_rule) rule;
} rocecc_icrc;

/* Reads an ICRC of 4 bytes, low byte first. */
ROCECC_FN uint32_t rocecc_icrc_load(const uint8_t *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[1] << 8 | bytes[0];
}

#if ROCECC_ICRC_TABLE_BYTES == 0
/* Returns the state after one more byte. */
ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t byte)
{
    int i;
    state ^= byte;
    for (i = 0; i < 8; i++)
        state = state >> 1 ^ (0xedb88320u & (0u - (state & 1)));
    return state;
}
#elif ROCECC_ICRC_TABLE_BYTES == 64
ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t byte)
{
    static const uint32_t t[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                   0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                   0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                   0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    size_t i = (state ^ byte) & 0xf;
    ROCECC_BPF_MASK_(i, 0xf);
    state = (state ^ byte) >> 4 ^ t[i];
    i = state & 0xf;
    ROCECC_BPF_MASK_(i, 0xf);
    return state >> 4 ^ t[i];
}
#else
ROCECC_FN uint32_t rocecc_icrc_1_(uint32_t state, uint8_t byte)
{
    size_t i = (state ^ byte) & 0xff;
    ROCECC_BPF_MASK_(i, 0xff);
    return state >> 8 ^ rocecc_icrc_tables_()[0][i];
}
#endif

#if ROCECC_ICRC_TABLE_BYTES > 1024
/*
 * Returns the state after the 4 bytes of `word`, low byte first, and k zero bytes,
 * starting from the state 0. `table` must point to table k of rocecc_icrc_tables_().
 */
ROCECC_FN uint32_t rocecc_icrc_word_(const rocecc_icrc_table_ *table, uint32_t word)
{
    return table[3][word & 0xff] ^ table[2][word >> 8 & 0xff] ^
           table[1][word >> 16 & 0xff] ^ table[0][word >> 24];
}

ROCECC_FN uint32_t rocecc_icrc_4_(uint32_t state, const uint8_t *bytes)
{
    return rocecc_icrc_word_(rocecc_icrc_tables_(), state ^ rocecc_icrc_load(bytes));
}

/*
 * Bytes per step, equal to the number of tables. Only the lookups for the first word
 * depend on the state, so the other lookups need not wait for the state.
 */
#define ROCECC_ICRC_STEP_ (ROCECC_ICRC_TABLE_BYTES / 1024)
ROCECC_FN uint32_t rocecc_icrc_step_(uint32_t state, const uint8_t *bytes)
{
    const rocecc_icrc_table_ *t = rocecc_icrc_tables_();
#if ROCECC_ICRC_STEP_ == 8
    const uint32_t rest = rocecc_icrc_word_(t, rocecc_icrc_load(bytes + 4));
#else
    const uint32_t rest = rocecc_icrc_word_(t + 8, rocecc_icrc_load(bytes + 4)) ^
                          rocecc_icrc_word_(t + 4, rocecc_icrc_load(bytes + 8)) ^
                          rocecc_icrc_word_(t, rocecc_icrc_load(bytes + 12));
#endif
    return rest ^ rocecc_icrc_word_(t + (ROCECC_ICRC_STEP_ - 4),
                                    state ^ rocecc_icrc_load(bytes));
}
#endif

/*
 * Adds bytes to a state. Under BPF, `bytes` must have at most max_bytes bytes, because
 * max_bytes bounds the loops. Elsewhere, max_bytes is ignored.
 */
ROCECC_FN uint32_t rocecc_icrc_update_upto(uint32_t state, rocecc_reader bytes,
                                           int max_bytes)
{
    const uint8_t *b;
#if defined(__bpf__)
    int i, k;
    for (i = 0; i < max_bytes / 32; i++) { /* few steps, because each adds a branch */
        b = rocecc_take(&bytes, 32);
        if (b == NULL) break;
        for (k = 0; k < 32; k++)
            state = rocecc_icrc_1_(state, b[k]);
    }
    for (i = 0; i < 7; i++) {
        b = rocecc_take(&bytes, 4);
        if (b == NULL) break;
        for (k = 0; k < 4; k++)
            state = rocecc_icrc_1_(state, b[k]);
    }
    for (i = 0; i < 3; i++) {
        b = rocecc_take(&bytes, 1);
        if (b == NULL) break;
        state = rocecc_icrc_1_(state, *b);
    }
#elif defined(ROCECC_CRC32_UPDATE)
    const size_t n = rocecc_left(&bytes);
    (void)max_bytes;
    b = rocecc_take(&bytes, n);
    if (n != 0) state = ROCECC_CRC32_UPDATE(state, b, n);
#else
    (void)max_bytes;
#if defined(ROCECC_ICRC_STEP_)
    while ((b = rocecc_take(&bytes, ROCECC_ICRC_STEP_)) != NULL)
        state = rocecc_icrc_step_(state, b);
    while ((b = rocecc_take(&bytes, 4)) != NULL)
        state = rocecc_icrc_4_(state, b);
#endif
    while ((b = rocecc_take(&bytes, 1)) != NULL)
        state = rocecc_icrc_1_(state, *b);
#endif
    return state;
}

/*
 * Adds bytes to a state. Under BPF, `bytes` must have at most ROCECC_ICRC_MAX_BYTES
 * bytes. The initial state is ROCECC_ICRC_START or comes from rocecc_icrc_init() in
 * packet/icrc.h. rocecc_icrc_final() converts the last state to the ICRC.
 */
ROCECC_FN uint32_t rocecc_icrc_update(uint32_t state, rocecc_reader bytes)
{
    return rocecc_icrc_update_upto(state, bytes, ROCECC_ICRC_MAX_BYTES);
}

/* Returns the ICRC of all bytes that were added to a state. */
ROCECC_FN uint32_t rocecc_icrc_final(uint32_t state)
{
    return ~state;
}

/* Writes an ICRC of 4 bytes, low byte first. */
ROCECC_FN void rocecc_icrc_store(uint8_t *bytes, uint32_t icrc)
{
    bytes[0] = (uint8_t)icrc;
    bytes[1] = (uint8_t)(icrc >> 8);
    bytes[2] = (uint8_t)(icrc >> 16);
    bytes[3] = (uint8_t)(icrc >> 24);
}

/*
 * Adds n_bytes bytes of ones to a state, in place of a masked value. n_bytes must be at
 * most 255.
 */
ROCECC_FN uint32_t rocecc_icrc_ones(uint32_t state, size_t n_bytes)
{
    for (n_bytes &= 0xff; n_bytes > 0; n_bytes--)
        state = rocecc_icrc_1_(state, 0xff);
    return state;
}

/* Adds the bytes of an array, for example a masked copy of a header, to a state. */
ROCECC_FN uint32_t rocecc_icrc_bytes(uint32_t state, const uint8_t *bytes,
                                     size_t n_bytes)
{
#if defined(__bpf__)
    size_t i;
    for (i = 0; i < n_bytes; i++)
        state = rocecc_icrc_1_(state, bytes[i]);
    return state;
#else
    return rocecc_icrc_update(state, rocecc_reader_of(bytes, bytes + n_bytes));
#endif
}

/*
 * Returns a * b modulo the CRC's polynomial. In a, b and the result, the high bit is
 * the coefficient of x^0. The terms from x^32 on are reduced like a state to which 4
 * zero bytes are added.
 */
ROCECC_FN uint32_t rocecc_icrc_multiply_(uint32_t a, uint32_t b)
{
    uint64_t product = 0, shifted = (uint64_t)a << 1; /* x^0 in bit 63 */
    uint32_t high;
    int i;
    for (i = 0; i < 32; i++) {
        product ^= shifted & (0u - (uint64_t)(b & 1));
        shifted <<= 1;
        b >>= 1;
    }
    high = (uint32_t)product;
    for (i = 0; i < 4; i++)
        high = rocecc_icrc_1_(high, 0);
    return high ^ (uint32_t)(product >> 32);
}

/*
 * Returns the state after n_bytes more zero bytes, which is state * x^(8 * n_bytes). If
 * n_bytes is above 32, each non-zero nibble of n_bytes selects a factor from the table.
 */
ROCECC_FN uint32_t rocecc_icrc_append_zeros_(uint32_t state, uint32_t n_bytes)
{
    static const uint8_t zeros[32] = {0};
    static const uint32_t power[8][16] = {
        /* x^(8 * i * 16^k) */
        {0x80000000u, 0x00800000u, 0x00008000u, 0x00000080u, 0xedb88320u, 0x3b83984bu,
         0xe1351b80u, 0xed59b63bu, 0xb1e6b092u, 0x1eb014d8u, 0x8816eaf2u, 0x533b85dau,
         0x6655004fu, 0xe6050901u, 0x77e1359fu, 0x60c76fe0u},
        {0x80000000u, 0xa06a2517u, 0xed627daeu, 0x15141c31u, 0x88d14467u, 0x4721589fu,
         0xe5b592b8u, 0x6325605cu, 0xd7bbfe6au, 0xdb54814cu, 0x0eaee722u, 0x784d2a56u,
         0x62b6ca4bu, 0x291ea462u, 0x6b1d2b53u, 0x8fd2cd3cu},
        {0x80000000u, 0xec447f11u, 0x8e7ea170u, 0x05616c82u, 0x6427800eu, 0x5ef840e2u,
         0xbf110f7eu, 0x118f848eu, 0x4d47bae0u, 0xa84bdc84u, 0x0b19ae7fu, 0xaf5619bcu,
         0x6347a4bdu, 0xd91ef3cbu, 0x13d40d42u, 0x5b6cda72u},
        {0x80000000u, 0x09fe548fu, 0x83852d0fu, 0xe4b54665u, 0x30362f1au, 0x668145e1u,
         0xf27674adu, 0xb8c9f94bu, 0x7b5a9cc3u, 0x866744b2u, 0xc99622b9u, 0xafe90854u,
         0xec735ceau, 0xefe9d761u, 0x0f9f0002u, 0xf014301eu},
        {0x80000000u, 0x31fec169u, 0x9fec022au, 0x169810b5u, 0x6c8dedc4u, 0x2484f1bcu,
         0x0abf1a4fu, 0x31ca80c2u, 0x15d6874du, 0xbd2a626fu, 0xaddc2f07u, 0x6736439cu,
         0x07474644u, 0xf4165146u, 0xfb765627u, 0xe2faf430u},
        {0x80000000u, 0x5fde7a4eu, 0xbad90e37u, 0x799a8cf7u, 0x2e4e5eefu, 0x7ad256ccu,
         0x725d2aadu, 0xc340f13eu, 0x4eaba214u, 0x05efb6adu, 0x36a60923u, 0x65b78f8du,
         0xdfcd2365u, 0x55252240u, 0x2177bc48u, 0x3446c848u},
        {0x80000000u, 0xa8a472c0u, 0x429a969eu, 0x3e855758u, 0x148d302au, 0xec8302fau,
         0x6633295bu, 0x9dd77bf8u, 0xc40ba6d0u, 0xc0262b6bu, 0x9c7b4c60u, 0x48536a3eu,
         0x966bbc20u, 0x21476b31u, 0xa1c375b0u, 0x33f2d7b5u},
        {0x80000000u, 0xc4e22c3cu, 0x40000000u, 0x6271161eu, 0x20000000u, 0x31388b0fu,
         0x10000000u, 0xf524c6a7u, 0x08000000u, 0x972ae073u, 0x04000000u, 0xa62df319u,
         0x02000000u, 0xbeae7aacu, 0x01000000u, 0x5f573d56u}};
    size_t i, k;
    if (n_bytes <= sizeof zeros) return rocecc_icrc_bytes(state, zeros, n_bytes);
    for (k = 0; k < 8 && n_bytes != 0; k++, n_bytes >>= 4) {
        i = n_bytes & 0xf;
        ROCECC_BPF_MASK_(i, 0xf);
        if (i != 0) state = rocecc_icrc_multiply_(state, power[k][i]);
    }
    return state;
}

/*
 * Updates *icrc for a change from old_bytes to new_bytes in the bytes that the ICRC
 * covers. *icrc is a host-order number, as returned by rocecc_icrc_load(). Because the
 * CRC is linear, new = old ^ crc(old_bytes ^ new_bytes) * x^(8 * bytes_after).
 * bytes_after is the number of bytes between the changed bytes and the ICRC. The caller
 * must leave out masked bytes, because the ICRC ignores their values. Returns RANGE if
 * old_bytes and new_bytes differ in length. Under BPF, also returns UNSUPPORTED if
 * old_bytes and new_bytes are longer than ROCECC_ICRC_PATCH_MAX_BYTES. Takes one step
 * per byte of old_bytes, plus at most 8 * 36 steps.
 */
ROCECC_FN rocecc_status rocecc_icrc_patch(uint32_t *icrc, rocecc_reader old_bytes,
                                          rocecc_reader new_bytes, uint32_t bytes_after)
{
    uint32_t change = 0;
    const uint8_t *a, *b;
#if defined(__bpf__)
    int i;
#endif
    if (rocecc_left(&old_bytes) != rocecc_left(&new_bytes)) return ROCECC_ERR_RANGE;
#if defined(__bpf__)
    if (rocecc_left(&old_bytes) > ROCECC_ICRC_PATCH_MAX_BYTES)
        return ROCECC_ERR_UNSUPPORTED;
    for (i = 0; i < ROCECC_ICRC_PATCH_MAX_BYTES; i++) {
#else
    for (;;) {
#endif
        a = rocecc_take(&old_bytes, 1);
        if (a == NULL) break;
        b = rocecc_take(&new_bytes, 1);
        if (b == NULL) break;
        change = rocecc_icrc_1_(change, *a ^ *b);
    }
    *icrc ^= rocecc_icrc_append_zeros_(change, bytes_after);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_ICRC_H */
