/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_DOMAIN_H
#define TESTS_LIB_DOMAIN_H

/*
 * domain.h - the domain of a row of frames (link=ip intmd.udp_port=5000 ...), and
 * checks of the headers that the walk finds.
 */
#include "noun.h"

#include "rocecc/packet/domain.h"

rocecc_domain domain_of(const vec_row *row);

/*
 * Compares a packet with the row, even after an error, and parses every prefix before a
 * guard page.
 */
void domain_call_packet_of(const vec_row *row);

/* Compares the inner packet with the row, even after an error. */
void domain_call_packet_inner(const vec_row *row);

#endif /* TESTS_LIB_DOMAIN_H */
