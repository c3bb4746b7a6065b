/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 3 */
#define PROVE_BYTES                                                                    \
    340 /* every tag, two chains of extension headers, each cap passed */
#include "law/packet.h"
#include "prove.h"

/* Returns any domain. A TPID may even be a type with another meaning. */
static rocecc_domain domain(void)
{
    static rocecc_domain d;
    Frama_C_make_unknown((char *)&d, sizeof d);
    d.ah = Frama_C_interval(0, 1) != 0;
    d.overlay.own_ports = Frama_C_interval(0, 1) != 0;
    d.intmd.before_options = Frama_C_interval(0, 1) != 0;
    d.arn.tail_unknown = Frama_C_interval(0, 1) != 0;
    return d;
}

/* Parses any bytes, from any offset to any end, with any declared type and length. */
static void anywhere(const rocecc_domain *d)
{
    rocecc_reader r = prove_reader();
    rocecc_headers f;
    r.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
    if (r.at > r.end) r.at = r.end;
    (void)rocecc_headers_parse_as(d, r, (uint16_t)Frama_C_interval(0, 0xffff),
                                  prove_any(), (rocecc_partial)Frama_C_interval(0, 6),
                                  &f);
}

void main(void)
{
    static uint8_t big[ROCECC_PACKET_START_MAX + 20];
    const rocecc_domain d = domain();
    rocecc_reader r = rocecc_reader_of(big, big + sizeof big);
    rocecc_packet p;
    Frama_C_make_unknown((char *)big, sizeof big);
    (void)rocecc_take(&r, ROCECC_PACKET_START_MAX + 1);
    (void)rocecc_packet_parse(&d, r, &p);
    (void)rocecc_packet_parse_as(&d, r, ROCECC_TYPE_TEB, &p);
    anywhere(&d);
    /* Last, because Eva follows all later code once for each result. */
    (void)rocecc_domain_init(&d);
}
