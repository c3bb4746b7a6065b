/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_SIPHASH_H
#define ROCECC_GUARD_SIPHASH_H

/*
 * siphash.h - SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012), with one round for each word and three at the end. The hash tables of Linux
 * (hsiphash on 64-bit machines) and Rust use the same variant.
 *
 * Senders choose the five-tuples in a table, but without the secret they cannot choose
 * where the table stores them.
 *
 * Example: the 15 bytes 00 01 .. 0e form the words 0x0706050403020100 and
 * 0x0f0e0d0c0b0a0908. With the secret 00 01 .. 0f, their hash is 0xd320d86d2a519956.
 *
 * The hash keeps no state.
 */
#include "../fixed.h"

ROCECC_FN uint64_t rocecc_siphash_rotl_(uint64_t x, unsigned n_bits)
{
    return x << n_bits | x >> (64 - n_bits);
}

/* Runs one SipRound (section 2.2 of the paper). */
ROCECC_FN void rocecc_siphash_round_(uint64_t *v)
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rocecc_siphash_rotl_(v[1], 13) ^ v[0];
    v[3] = rocecc_siphash_rotl_(v[3], 16) ^ v[2];
    v[0] = rocecc_siphash_rotl_(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rocecc_siphash_rotl_(v[1], 17) ^ v[2];
    v[3] = rocecc_siphash_rotl_(v[3], 21) ^ v[0];
    v[2] = rocecc_siphash_rotl_(v[2], 32);
}

#define ROCECC_SIPHASH_WORDS_MAX 8
/*
 * Returns the hash of a message. `words` must contain the message's bytes in
 * little-endian order. The high byte of the last word must be the message's length in
 * bytes, mod 256. `secret` must be two words of random bits, and n_words must be at
 * most ROCECC_SIPHASH_WORDS_MAX.
 */
ROCECC_FN uint64_t rocecc_siphash(const uint64_t *secret, const uint64_t *words,
                                  int n_words)
{
    uint64_t v[4];
    int i;
    v[0] = secret[0] ^ (uint64_t)0x736f6d6570736575;
    v[1] = secret[1] ^ (uint64_t)0x646f72616e646f6d;
    v[2] = secret[0] ^ (uint64_t)0x6c7967656e657261;
    v[3] = secret[1] ^ (uint64_t)0x7465646279746573;
    for (i = 0; i < ROCECC_SIPHASH_WORDS_MAX && i < n_words; i++) {
        v[3] ^= words[i];
        rocecc_siphash_round_(v);
        v[0] ^= words[i];
    }
    v[2] ^= 0xff;
    for (i = 0; i < 3; i++)
        rocecc_siphash_round_(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif /* ROCECC_GUARD_SIPHASH_H */
