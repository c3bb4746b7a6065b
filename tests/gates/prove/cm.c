/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 100 -eva-auto-loop-unroll 0 */
#define PROVE_BYTES 512
#include "any.h"
#include "rocecc/packet/cm.h"

static void emit_any(void)
{
    rocecc_writer out = prove_writer();
    rocecc_cm h;
    h.attribute = (uint16_t)Frama_C_interval(0, 0xffff);
    h.service = (uint8_t)Frama_C_interval(0, 255);
    h.local_id = (uint32_t)prove_any();
    h.remote_id = (uint32_t)prove_any();
    h.qpn = (uint32_t)prove_any();
    (void)rocecc_cm_emit(&out, &h);
}

void main(void)
{
    rocecc_packet p;
    rocecc_reader r = prove_reader();
    rocecc_cm h;
    if (rocecc_cm_parse(&r, &h) == ROCECC_OK) {
        /*@ assert h.qpn <= 0xffffff; */
        /*@ assert h.service <= 1; */
    }
    /*@ slevel merge; */
    emit_any();
    /*@ slevel merge; */
    prove_agree();
    p = prove_packet();
    (void)rocecc_cm_match(&p);
    (void)rocecc_cm_find(&p, &h);
}
