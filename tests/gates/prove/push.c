/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 40 */
#define PROVE_BYTES 160
#include "any.h"
#include "rocecc/packet/push.h"

/* Pushes any node into any packet, with any layout. */
void main(void)
{
    static uint8_t out[PROVE_BYTES];
    static rocecc_report_layout layout;
    static rocecc_ioam_node ioam;
    static rocecc_intmd_node intmd;
    static rocecc_ifa_node ifa;
    rocecc_writer w = rocecc_writer_of(out, out + PROVE_BYTES), v;
    rocecc_packet p;
    Frama_C_make_unknown((char *)out, sizeof out);
    Frama_C_make_unknown((char *)&layout, sizeof layout);
    Frama_C_make_unknown((char *)&ioam, sizeof ioam);
    Frama_C_make_unknown((char *)&intmd, sizeof intmd);
    Frama_C_make_unknown((char *)&ifa, sizeof ifa);
    ifa.layout = (uint8_t)Frama_C_interval(0, 255);
    prove_agree();
    p = prove_packet();
    w.at = (size_t)Frama_C_interval(0, PROVE_BYTES);
    p.bytes = rocecc_written(&w);
    v = w;
    (void)rocecc_push_ioam(&p, &layout, &ioam, (uint32_t)prove_any(), &v);
    v = w;
    (void)rocecc_push_intmd(&p, &layout, &intmd, (uint32_t)prove_any(), &v);
    v = w;
    (void)rocecc_push_ifa(&p, &ifa, (uint32_t)prove_any(), &v);
    p.bytes = prove_reader(); /* in another buffer */
    v = w;
    (void)rocecc_push_ioam(&p, &layout, &ioam, (uint32_t)prove_any(), &v);
}
