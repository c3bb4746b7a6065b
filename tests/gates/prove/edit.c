/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 */
#define PROVE_BYTES 120
#include "law/packet.h"
#include "prove.h"
#include "rocecc/packet/edit.h"

static rocecc_edit e;

/* Carries out any plan on any bytes. */
static void carry_any(void)
{
    static uint8_t out[PROVE_BYTES];
    rocecc_writer w = rocecc_writer_of(out, out + PROVE_BYTES);
    Frama_C_make_unknown((char *)&e, sizeof e);
    Frama_C_make_unknown((char *)out, sizeof out);
    (void)rocecc_edit_needs_action(&e);
    (void)rocecc_edit_write(&e, w);
    w.at = (size_t)Frama_C_interval(0, PROVE_BYTES);
    (void)rocecc_edit_apply(&e, &w);
}

/* Adds to any plan, for a packet with any `where`. */
static void make_any(void)
{
    static rocecc_headers where;
    const rocecc_domain d = {0};
    const size_t at = prove_any();
    rocecc_packet p;
    rocecc_edit_sum s;
    Frama_C_make_unknown((char *)&e, sizeof e);
    Frama_C_make_unknown((char *)&where, sizeof where);
    where.cut = false;
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    s.removed = (uint32_t)prove_any();
    s.added = (uint32_t)prove_any();
    (void)rocecc_edit_add_splice(&e, at, prove_any(), prove_any());
    rocecc_edit_grow_ip(&e, &p, (uint16_t)prove_any());
    rocecc_edit_set_proto(&e, &p, rocecc_edit_proto_offset(&p), 253);
    rocecc_edit_set_dscp(&e, &p, (uint8_t)Frama_C_interval(0, 255));
    rocecc_edit_grow_upper(&e, &p, (uint16_t)prove_any(), s);
    (void)rocecc_edit_may_grow(&p, (uint32_t)prove_any(), (uint32_t)prove_any());
    (void)rocecc_edit_status_verdict((rocecc_status)Frama_C_interval(0, 7));
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_NONE);
}

void main(void)
{
    make_any();
    /*@ slevel merge; */
    carry_any();
}
