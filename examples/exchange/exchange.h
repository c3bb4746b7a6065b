/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_EXCHANGE_H
#define EXAMPLES_EXCHANGE_H

/*
 * exchange.h - packets, and who writes and reads them: for the story (exchange.c) and
 * for the list behind it (signals.c).
 */
#include "rocecc/rocecc.h"

#define LINE_BPS UINT64_C(100000000000) /* of all links here: 100 Gb/s */

/* A packet on a link, from its IP header on, and where its headers are. */
typedef struct packet {
    uint8_t bytes[256];
    size_t n;
    rocecc_frame f;
} packet;

rocecc_reader view(const packet *p);
rocecc_writer room(packet *p);
void arrives(packet *p, size_t n); /* it is n bytes long, and has come to somebody */
rocecc_ip6 address(const char *text);

extern int failed; /* how much */

/* One line; and whether it is as it tells, and nothing has failed before it. */
__attribute__((format(printf, 3, 4))) void say(const char *who, bool as_told,
                                               const char *format, ...);

/* RC SEND Only of 16 bytes from QP 0x11 at the sender, with its ICRC. */
void data(packet *p);

/* Roles, as this example configures them. */
rocecc_congestion_config switch_config(void);
rocecc_congestion congested(rocecc_congestion_config *c, const packet *p,
                            const rocecc_congestion_event *e, packet *answer);
rocecc_notification notified(const packet *p, packet *answer);
rocecc_reaction gated(const packet *p);
uint64_t dcqcn_bps(void); /* of a flow at line rate, behind its first CNP */

void signals(void);

#endif /* EXAMPLES_EXCHANGE_H */
