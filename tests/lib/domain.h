/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_DOMAIN_H
#define TESTS_LIB_DOMAIN_H

/*
 * domain.h - the domain that a row of frames names (link=ip intmd.udp_port=5000 ...),
 * and what the walk finds in its packet.
 */
#include "noun.h"

#include "rocecc/packet/domain.h"

rocecc_domain domain_of(const vec_row *row);

/* What the row says, whatever the status; and every prefix before a guard page. */
void domain_call_packet_of(const vec_row *row);

/* The packet inside, and what the row says of it, whatever the status. */
void domain_call_packet_inner(const vec_row *row);

#endif /* TESTS_LIB_DOMAIN_H */
