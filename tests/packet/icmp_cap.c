/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icmp_cap.c - tests ICMP errors with a small checksum cap, as in a BPF program. The
 * file has its own static functions, because the library's functions have another cap.
 */
#undef ROCECC_FN
#define ROCECC_FN static inline __attribute__((unused))
#define ROCECC_CHECKSUM_MAX_BYTES 1024
#include "lib/test.h"
#include "rocecc/packet/icmp.h"

#include <string.h>

static uint8_t packet[1300], out[1300];

/* Returns the sum of the 16-bit words in n bytes. n is even. */
static uint32_t words(const uint8_t *b, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < n; i += 2)
        sum += (uint32_t)b[i] << 8 | b[i + 1];
    return sum;
}

/* The error quotes 1024 - 4 bytes. Its checksum is correct (RFC 4443, 2.3), and it can
 * be read again. */
TEST(icmp_quotes_only_bytes_within_the_checksum)
{
    static const rocecc_domain domain = {.link = ROCECC_LINK_IP};
    const rocecc_icmp_error error = {3, 0, 0, 0};
    const rocecc_icmp_node node = {{{0x20, 1}}, 64, 0};
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_icmp_message m;
    rocecc_packet p, quote;
    rocecc_status status;
    memset(packet, 0x5a, sizeof packet);
    packet[0] = 0x60;
    rocecc_store16(packet + 4, (uint16_t)(sizeof packet - 40));
    packet[6] = 59;
    packet[8] = packet[24] = 0x20;
    status = rocecc_icmp_build(&w, rocecc_reader_of(packet, packet + sizeof packet),
                               &error, &node);
    CHECK_EQ(status, ROCECC_OK);
    CHECK_EQ(w.at, 40 + 8 + 1020);
    CHECK_EQ((words(out + 8, w.at - 8) + 58 + 8 + 1020) % 0xffff, 0);
    (void)rocecc_packet_parse(&domain, rocecc_written(&w), &p);
    status = rocecc_icmp_quoted(&p, &m, &quote);
    CHECK_EQ(status, ROCECC_OK);
    CHECK_EQ(m.packet.end - m.packet.at, 1020);
}
