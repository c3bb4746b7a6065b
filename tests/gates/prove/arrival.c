/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 -eva-slevel 60 */
#define PROVE_BYTES 96
#include "any.h"
#include "rocecc/packet/arrival.h"

/* Checks any packet at any node. */
void main(void)
{
    rocecc_arrival_config c;
    rocecc_icmp_error error;
    rocecc_packet p;
    prove_agree();
    c.node = (rocecc_arrival_node)Frama_C_interval(0, 255);
    c.groups = prove_bit();
    c.fastcnp = prove_bit();
    p = prove_packet();
    (void)rocecc_arrival_check(&c, &p, &p.headers.ip, &error);
    (void)rocecc_arrival_check(&c, &p, &p.headers.outer, &error);
}
