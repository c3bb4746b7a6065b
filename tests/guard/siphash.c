/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/test.h"
#include "rocecc/guard/siphash.h"

/* Writes a message of n bytes, at most 63, as words. Returns the number of words. */
static int words_of(const uint8_t *bytes, unsigned n, uint64_t *word)
{
    const int words = (int)(n / 8) + 1;
    unsigned i;
    int k;
    for (k = 0; k < words; k++)
        word[k] = 0;
    for (i = 0; i < n; i++)
        word[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    word[words - 1] |= (uint64_t)n << 56;
    return words;
}

/*
 * The secret is 00 01 .. 0f, and the messages are 00 01 .., with 0 to 63 bytes. The
 * hashes are from Rust's core::hash (library/coretests/tests/hash/sip.rs,
 * test_siphash_1_3). siphash13() of vectors/model/pause.py gives the same.
 */
TEST(siphash_1_3_vectors)
{
    static const uint64_t sip13[] = {
        0xabac0158050fc4dc, 0xc9f49bf37d57ca93, 0x82cb9b024dc7d44d, 0x8bf80ab8e7ddf7fb,
        0xcf75576088d38328, 0xdef9d52f49533b67, 0xc50d2b50c59f22a7, 0xd3927d989bb11140,
        0x369095118d299a8e, 0x25a48eb36c063de4, 0x79de85ee92ff097f, 0x70c118c1f94dc352,
        0x78a384b157b4d9a2, 0x306f760c1229ffa7, 0x605aa111c0f95d34, 0xd320d86d2a519956,
        0xcc4fdd1a7d908b66, 0x9cf2689063dbd80c, 0x8ffc389cb473e63e, 0xf21f9de58d297d1c,
        0xc0dc2f46a6cce040, 0xb992abfe2b45f844, 0x7ffe7b9ba320872e, 0x525a0e7fdae6c123,
        0xf464aeb267349c8c, 0x45cd5928705b0979, 0x3a3e35e3ca9913a5, 0xa91dc74e4ade3b35,
        0xfb0bed02ef6cd00d, 0x88d93cb44ab1e1f4, 0x540f11d643c5e663, 0x2370dd1f8c21d1bc,
        0x81157b6c16a7b60d, 0x4d54b9e57a8ff9bf, 0x759f12781f2a753e, 0xcea1a3bebf186b91,
        0x2cf508d3ada26206, 0xb6101c2da3c33057, 0xb3f47496ae3a36a1, 0x626b57547b108392,
        0xc1d2363299e41531, 0x667cc1923f1ad944, 0x65704ffec8138825, 0x24f280d1c28949a6,
        0xc2ca1cedfaf8876b, 0xc2164bfc9f042196, 0xa16e9c9368b1d623, 0x49fb169c8b5114fd,
        0x9f3143f8df074c46, 0xc6fdaf2412cc86b3, 0x7eaf49d10a52098f, 0x1cf313559d292f9a,
        0xc44a30dda2f41f12, 0x36fae98943a71ed0, 0x318fb34c73f0bce6, 0xa27abf3670a7e980,
        0xb4bcc0db243c6d75, 0x23f8d852fdb71513, 0x8f035f4da67d8a08, 0xd89cd0e5b7e8f148,
        0xf6f4e6bcf7a644ee, 0xaec59ad80f1837f2, 0xc3b2f6154b6694e0, 0x9d199062b7bbb3a8};
    const uint64_t secret[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    uint8_t message[64];
    uint64_t word[ROCECC_SIPHASH_WORDS_MAX];
    unsigned n;
    for (n = 0; n < 64; n++) {
        const int words = words_of(message, n, word);
        test_context("%u bytes", n);
        CHECK_EQ(rocecc_siphash(secret, word, words), sip13[n]);
        message[n] = (uint8_t)n;
    }
}

/* Any input bit changes about half of the 64 hash bits, on average. */
TEST(siphash_every_input_bit_counts)
{
    const uint64_t secret[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    const uint64_t word[ROCECC_SIPHASH_WORDS_MAX] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint64_t was = rocecc_siphash(secret, word, 8);
    unsigned bit, all = 0;
    for (bit = 0; bit < 640; bit++) {
        uint64_t s[2] = {secret[0], secret[1]}, w[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        const uint64_t one = (uint64_t)1 << bit % 64;
        uint64_t differ;
        unsigned n = 0;
        if (bit < 128)
            s[bit / 64] ^= one;
        else
            w[bit / 64 - 2] ^= one;
        for (differ = rocecc_siphash(s, w, 8) ^ was; differ != 0; differ &= differ - 1)
            n++;
        test_context("bit %u", bit);
        CHECK(n >= 12 && n <= 52);
        all += n;
    }
    CHECK(all > 640 * 31 && all < 640 * 33);
}

/* Words from n on do not count, and none beyond ROCECC_SIPHASH_WORDS_MAX is read. */
TEST(siphash_reads_only_n_words)
{
    const uint64_t secret[2] = {1, 2};
    uint64_t word[ROCECC_SIPHASH_WORDS_MAX] = {0};
    const uint64_t all = rocecc_siphash(secret, word, ROCECC_SIPHASH_WORDS_MAX);
    int n;
    CHECK_EQ(rocecc_siphash(secret, word, ROCECC_SIPHASH_WORDS_MAX + 1), all);
    CHECK_EQ(rocecc_siphash(secret, word, 0x7fffffff), all);
    CHECK_EQ(rocecc_siphash(secret, word, -1), rocecc_siphash(secret, NULL, 0));
    for (n = 0; n < ROCECC_SIPHASH_WORDS_MAX; n++) {
        const uint64_t was = rocecc_siphash(secret, word, n);
        word[n] = 1;
        test_context("%d words", n);
        CHECK_EQ(rocecc_siphash(secret, word, n), was);
        CHECK(rocecc_siphash(secret, word, n + 1) != was);
        word[n] = 0;
    }
}
