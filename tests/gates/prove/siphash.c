/* SPDX-License-Identifier: BSD-2-Clause */
#include "prove.h"
#include "rocecc/guard/siphash.h"

/*
 * Hashes any words with any secret. The number of words may be any int, even above the
 * array's size.
 */
void main(void)
{
    static uint64_t secret[2], word[ROCECC_SIPHASH_WORDS_MAX];
    Frama_C_make_unknown((char *)secret, sizeof secret);
    Frama_C_make_unknown((char *)word, sizeof word);
    (void)rocecc_siphash(secret, word, (int)prove_any());
}
