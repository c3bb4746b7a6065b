/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icmp6_cap.c - the longest message whose checksum is verified, where the cap is low,
 * as in a BPF program: with functions of its own, as the library's are compiled with
 * another cap.
 */
#undef ROCECC_FN
#define ROCECC_FN static inline __attribute__((unused))
#define ROCECC_CHECKSUM_MAX_BYTES 1024
#include "lib/test.h"
#include "rocecc/wire/icmp6.h"

/* 4 bytes and 1024 are the longest message whose checksum is looked at. The sum of
 * zeros is 0, and ~0 stands in the header. */
TEST(icmp6_verifies_messages_up_to_the_cap)
{
    static const uint8_t b[4 + 1024 + 1] = {0, 0, 0xff, 0xff};
    const rocecc_status ok = rocecc_icmp6_verify(0, rocecc_reader_of(b, b + 1028));
    const rocecc_status more = rocecc_icmp6_verify(0, rocecc_reader_of(b, b + 1029));
    CHECK_EQ(ok, ROCECC_OK);
    CHECK_EQ(more, ROCECC_ERR_UNSUPPORTED);
}
