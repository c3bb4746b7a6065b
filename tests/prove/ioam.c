/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 500 */
#define PROVE_BYTES 32 /* nine options, eight bytes of padding: every cap is passed */
#include "law/ioam.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_ioam_trace h = {0};
    rocecc_ioam_option o;
    (void)law_ioam(prove_reader());
    /*@ slevel merge; */
    (void)rocecc_ioam_option_parse(prove_reader(), &o);
    (void)rocecc_ioam_trace_match((uint8_t)Frama_C_interval(0, 255), prove_reader());
    (void)rocecc_ioam_node_len((uint32_t)prove_any());
    h.node_len = (uint8_t)Frama_C_interval(0, 255);
    h.flags = (uint8_t)Frama_C_interval(0, 255);
    h.remaining_len = (uint8_t)Frama_C_interval(0, 255);
    h.trace_type = (uint32_t)prove_any();
    (void)rocecc_ioam_trace_emit(&out, &h);
}
