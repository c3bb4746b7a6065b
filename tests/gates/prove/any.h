/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_PROVE_ANY_H
#define TESTS_PROVE_ANY_H

/*
 * any.h - makes a packet with any `where`, even with offsets beyond the buffer, in a
 * domain with any values. packet.c proves that the walk writes a `where` for any bytes.
 * The files that include any.h prove the functions that read such a packet, without the
 * walk.
 */
#include "prove.h"
#include "rocecc/packet/packet.h"

static bool prove_bit(void)
{
    return Frama_C_interval(0, 1) != 0;
}

static rocecc_domain prove_domain;
static rocecc_headers prove_where;

static void prove_agree(void)
{
    rocecc_domain *d = &prove_domain;
    Frama_C_make_unknown((char *)d, sizeof *d);
    d->ah = prove_bit();
    d->overlay.own_ports = prove_bit();
    d->roce.rd = prove_bit();
    d->roce.short_cnp = prove_bit();
    d->csig.uec = prove_bit();
    d->ifa.fragments = prove_bit();
    d->intmd.before_options = prove_bit();
    d->intmd.pad_unknown = prove_bit();
    d->intmd.complement = prove_bit();
    d->ioam.leave_undefined = prove_bit();
    d->fastcnp.address_first = prove_bit();
    d->fastcnp.align8 = prove_bit();
    d->l3qcn.reserved_bit = prove_bit();
    d->l3qcn.cnm.fixed_msdu = prove_bit();
    d->l3qcn.cnm.tolerate_long = prove_bit();
    d->l3qcn.cnm.strict_version = prove_bit();
    d->arn.tail_unknown = prove_bit();
}

static rocecc_packet prove_packet(void)
{
    Frama_C_make_unknown((char *)&prove_where, sizeof prove_where);
    prove_where.cut = prove_bit();
    return rocecc_packet_attach(&prove_domain, prove_reader(), &prove_where);
}

#endif /* TESTS_PROVE_ANY_H */
