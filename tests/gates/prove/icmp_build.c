/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 60 -eva-auto-loop-unroll 0 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:300,rocecc_icmp_build:600 */
/* prove-options: -eva-slevel-function rocecc_icmp_quoted:600 */
#define PROVE_BYTES 96
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that longer messages are refused */
#include "any.h"

/*
 * Writes any `where` instead of a walk. packet.c proves that a walk always writes one.
 */
static rocecc_status prove_walk(rocecc_headers *out)
{
    Frama_C_make_unknown((char *)&prove_where, sizeof prove_where);
    prove_where.cut = prove_bit();
    *out = prove_where;
    return (rocecc_status)Frama_C_interval(ROCECC_OK, ROCECC_ERR_SPACE);
}

static rocecc_status prove_parse_as(const rocecc_domain *domain, rocecc_reader bytes,
                                    uint16_t type, rocecc_packet *out)
{
    (void)type;
    out->domain = domain;
    out->bytes = bytes;
    return prove_walk(&out->headers);
}

#define rocecc_packet_parse_as prove_parse_as
#define rocecc_headers_parse_as(domain, bytes, type, declared, partial, out)           \
    prove_walk(out)
#include "rocecc/packet/icmp.h"

/*
 * Builds any error from any node about any packet, and parses any packet as a received
 * error.
 */
void main(void)
{
    static rocecc_icmp_error error;
    static rocecc_icmp_node node;
    rocecc_writer w = prove_writer();
    rocecc_icmp_message m;
    rocecc_packet p, quote;
    Frama_C_make_unknown((char *)&error, sizeof error);
    Frama_C_make_unknown((char *)&node, sizeof node);
    prove_agree();
    p = prove_packet();
    (void)rocecc_icmp_quoted(&p, &m, &quote);
    (void)rocecc_icmp_build(&w, prove_reader(), &error, &node);
}
