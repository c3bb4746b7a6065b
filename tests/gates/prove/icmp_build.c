/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:300,rocecc_icmp_build:600 */
/* prove-options: -eva-slevel-function rocecc_icmp_quoted:600 */
#define PROVE_BYTES 96
#define ROCECC_IP6EXT_MAX 2
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* more is refused, too */
#include "any.h"
#include "rocecc/packet/icmp.h"

/*
 * Any error of any node about any packet, and any packet as an error that came. The
 * packet that is walked begins at one of few offsets: Eva does not relate the start of
 * a reader to its end.
 */
void main(void)
{
    static const uint16_t starts[] = {0, 16}, uppers[] = {20, 40};
    static rocecc_icmp_error error;
    static rocecc_icmp_node node;
    int i;
    Frama_C_make_unknown((char *)&error, sizeof error);
    Frama_C_make_unknown((char *)&node, sizeof node);
    prove_agree();
    //@ loop unroll 2;
    for (i = 0; i < 2; i++) {
        rocecc_writer w = prove_writer();
        rocecc_packet p = prove_packet(), quote;
        rocecc_reader all = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
        rocecc_icmp_message m;
        error.offset = starts[i];
        prove_where.ip.upper = uppers[i];
        p.headers = prove_where;
        (void)rocecc_icmp_quoted(&p, &m, &quote);
        all.end = p.bytes.end;
        (void)rocecc_icmp_build(&w, all, &error, &node);
    }
}
