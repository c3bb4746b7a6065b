/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 120 /* a BTH and all the headers, and some more */
#include "law/ext.h"
#include "prove.h"

/* Writes headers with values of any width. */
static void emit_any(void)
{
    rocecc_writer out = prove_writer();
    rocecc_ext e = {0};
    e.present = (uint16_t)Frama_C_interval(0, 65535);
    e.rdeth.ee_context = (uint32_t)prove_any();
    e.feth.reserved = (uint32_t)prove_any();
    e.feth.selectivity = (uint8_t)Frama_C_interval(0, 255);
    e.feth.placement = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_ext_emit(&out, &e);
}

static void extent_any(void)
{
    rocecc_roce_config c;
    rocecc_extent e;
    rocecc_bth h = {0};
    c.rd = Frama_C_interval(0, 1) != 0;
    c.short_cnp = Frama_C_interval(0, 1) != 0;
    c.echo_bytes = (uint16_t)Frama_C_interval(0, 65535);
    h.opcode = (uint8_t)Frama_C_interval(0, 255);
    h.pad = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_extent_locate(&c, &h, (uint32_t)prove_any(), &e);
}

void main(void)
{
    rocecc_reader r = prove_reader();
    rocecc_ext e;
    (void)law_ext(prove_reader());
    (void)rocecc_ext_parse(&r, (uint16_t)Frama_C_interval(0, 65535), &e);
    (void)rocecc_rnr_timer_us((uint8_t)Frama_C_interval(0, 255));
    emit_any();
    extent_any();
}
