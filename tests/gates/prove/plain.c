/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
#define PROVE_BYTES 120
#include "any.h"
#include "rocecc/packet/icrc.h"

/* Parses any bytes at any place in their buffer, and then verifies any packet. */
void main(void)
{
    static uint8_t large[ROCECC_PACKET_START_MAX + 200];
    rocecc_packet p;
    rocecc_reader r;
    rocecc_icrc icrc;
    prove_agree();
    (void)rocecc_packet_parse_plain(&prove_domain, prove_reader(), &p);
    Frama_C_make_unknown((char *)large, sizeof large);
    r = rocecc_reader_of(large, large + sizeof large);
    r.at = (size_t)Frama_C_interval(0, sizeof large);
    (void)rocecc_packet_parse_plain(&prove_domain, r, &p);
    p = prove_packet();
    (void)rocecc_plain_fastcnp_(&prove_domain, p.bytes, &p.headers.ip);
    (void)rocecc_icrc_verify_plain(&p, &icrc);
    (void)rocecc_icrc_add_adjacent_headers_(
        (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE), &p,
        &icrc.computed);
}
