/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_EXCHANGE_H
#define EXAMPLES_EXCHANGE_H

/*
 * exchange.h - packets, and who writes and reads them: for the story (exchange.c) and
 * for the list after it (signals.c).
 */
#include "rocecc/rocecc.h"

#define LINE_BPS UINT64_C(100000000000) /* of all links here: 100 Gb/s */

/* What all nodes have agreed on. */
extern const rocecc_domain network;

/* A packet on a link, and where its headers are. */
typedef struct packet {
    uint8_t bytes[256];
    size_t n;
    rocecc_headers headers;
} packet;

rocecc_reader view(const packet *p);
rocecc_writer room(packet *p);
rocecc_packet located(const packet *p);

/* It is n bytes long, begins with a header of this EtherType, and has come to somebody.
 */
void arrives_as(packet *p, uint16_t type, size_t n);
void arrives(packet *p, size_t n); /* from its IPv6 header on */
rocecc_ip6 address(const char *text);

extern int failed; /* how much */

/* One line; and whether it is as it tells, and nothing has failed before it. */
__attribute__((format(printf, 3, 4))) void say(const char *who, bool as_told,
                                               const char *format, ...);

/* RC SEND Only of 16 bytes from QP 0x11 at the sender, with its ICRC. */
void data(packet *p);

/* Roles, as this example configures them. */
rocecc_congestion_config switch_config(void);
rocecc_congestion_result congested(rocecc_congestion_config *c, const packet *p,
                                   const rocecc_congestion_event *e, packet *answer);
rocecc_notification_result notified(const packet *p, packet *answer);
rocecc_reaction_result gated(const packet *p);
uint64_t dcqcn_bps(void); /* of a flow at line rate, after its first CNP */

void signals(void);

#endif /* EXAMPLES_EXCHANGE_H */
