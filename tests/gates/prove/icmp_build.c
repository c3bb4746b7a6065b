/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:300,rocecc_icmp_build:600 */
/* prove-options: -eva-slevel-function rocecc_icmp_quoted:600 */
#define PROVE_BYTES 96
#define ROCECC_IP6EXT_MAX 2
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* more is refused, too */
#include "any.h"
#include "rocecc/packet/icmp.h"

/* Any error of any node about any packet; and any packet as an error that came. */
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
