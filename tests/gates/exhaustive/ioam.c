/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ioam.c - tries every NodeLen with every trace type, 2^29 pairs, and checks whether a
 * trace of one node matches, against sums from the table in RFC 9197, 4.4.2. Prints the
 * numbers of pairs and of matches, and ends with 1 at the first difference.
 */
#include <stdio.h>

#include "law/ioam.h"

void law_broken(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: law broken: %s\n", file, line, text);
}

size_t law_front(void)
{
    return 0;
}

int main(void)
{
    static uint8_t first[4096], last[4096], bytes[8 + 4 * 32];
    uint64_t pairs = 0, matches = 0;
    uint32_t type, len;
    for (type = 0; type < 4096; type++) {
        first[type] = (uint8_t)law_ioam_words(type << 12);
        last[type] = (uint8_t)law_ioam_words(type);
    }
    for (type = 0; type < 1u << 24; type++) {
        const uint32_t should = (uint32_t)first[type >> 12] + last[type & 4095];
        rocecc_store32(bytes + 4, type << 8);
        for (len = 0; len < 32; len++, pairs++) {
            const rocecc_reader r =
                rocecc_reader_of(bytes, bytes + 8 + 4 * (size_t)len);
            bool is;
            bytes[2] = (uint8_t)(len << 3);
            is = rocecc_ioam_trace_match((uint8_t)(len & 1), r);
            matches += is ? 1 : 0;
            if (is == (len == should)) continue;
            printf("ioam: trace type %06x, NodeLen %u\n", (unsigned)type,
                   (unsigned)len);
            return 1;
        }
    }
    printf("ioam: %llu pairs of trace type and NodeLen, %llu of them a trace\n",
           (unsigned long long)pairs, (unsigned long long)matches);
    return matches == 1u << 24 ? 0 : 1;
}
