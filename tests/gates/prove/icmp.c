/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 100 */
#define PROVE_BYTES 48               /* a message that quotes 40 bytes */
#define ROCECC_CHECKSUM_MAX_BYTES 40 /* low, so that longer messages are refused */
#include "law/icmp.h"
#include "prove.h"

void main(void)
{
    static const uint8_t longer[ROCECC_ICMP6_QUOTE_MAX_BYTES + 1];
    rocecc_writer out = prove_writer();
    rocecc_icmp_message h = {0, 0, 0, 0, {0, 0, 0}};
    rocecc_reader message = prove_reader();
    uint8_t byte;
    (void)law_icmp(message);
    (void)rocecc_icmp_message_parse(&message, (uint8_t)Frama_C_interval(0, 255),
                                    &h); /* also below 4 bytes */
    (void)rocecc_icmp_verify((uint32_t)prove_any(), prove_reader());
    h.type = (uint8_t)Frama_C_interval(0, 255);
    h.code = (uint8_t)Frama_C_interval(0, 255);
    h.value = (uint32_t)prove_any();
    h.packet = prove_reader();
    (void)rocecc_icmp_message_emit(&out, &h);
    (void)rocecc_icmp6_problem_find(&h, &byte);
    h.packet = rocecc_reader_of(longer, longer + sizeof longer);
    (void)rocecc_icmp_message_emit(&out, &h);
}
