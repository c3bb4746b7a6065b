/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icmp_cap.c - tests ICMP checksums under a low cap, as in a BPF program. The file has
 * its own copies of the library's functions, because the library has another cap.
 */
#undef ROCECC_FN
#define ROCECC_FN static inline __attribute__((unused))
#define ROCECC_CHECKSUM_MAX_BYTES 1024
#include "lib/test.h"
#include "rocecc/wire/icmp.h"

/*
 * verify() checks a message of 4 + 1024 bytes, and returns UNSUPPORTED for one more
 * byte. The sum of zeros is 0, so the header contains ~0.
 */
TEST(icmp_verify_checks_the_longest_message_of_a_low_cap)
{
    static const uint8_t b[4 + 1024 + 1] = {0, 0, 0xff, 0xff};
    const rocecc_status ok = rocecc_icmp_verify(0, rocecc_reader_of(b, b + 1028));
    const rocecc_status more = rocecc_icmp_verify(0, rocecc_reader_of(b, b + 1029));
    CHECK_EQ(ok, ROCECC_OK);
    CHECK_EQ(more, ROCECC_ERR_UNSUPPORTED);
}
