/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_EXCHANGE_H
#define EXAMPLES_EXCHANGE_H

/*
 * exchange.h - packets and roles, for the step-by-step example (exchange.c) and for the
 * list of signals (signals.c).
 */
#include "rocecc/rocecc.h"

#define LINE_BPS UINT64_C(100000000000) /* rate of all links: 100 Gb/s */

/* Configuration of all nodes. */
extern const rocecc_domain network;

/* A packet on a link, and its header offsets. */
typedef struct packet {
    uint8_t bytes[256];
    size_t n;
    rocecc_headers headers;
} packet;

rocecc_reader view(const packet *p);
rocecc_writer room(packet *p);
rocecc_packet located(const packet *p);

/* Sets the packet's length to n, and parses it from a header of this EtherType. */
void arrives_as(packet *p, uint16_t type, size_t n);
void arrives(packet *p, size_t n); /* from its IPv6 header */
rocecc_ip6 address(const char *text);

extern int failed; /* number of failures */

/* Prints one line, flagged if as_told is false or a call failed since the last line. */
__attribute__((format(printf, 3, 4))) void say(const char *who, bool as_told,
                                               const char *format, ...);

/* Writes an RC SEND Only of 16 bytes from the sender's QP 0x11, with its ICRC. */
void data(packet *p);

/* Roles, in this example's configuration. */
rocecc_congestion_config switch_config(void);
rocecc_congestion_result congested(rocecc_congestion_config *c, const packet *p,
                                   const rocecc_congestion_event *e, packet *answer);
rocecc_notification_result notified(const packet *p, packet *answer);
rocecc_reaction_result gated(const packet *p);
uint64_t dcqcn_bps(void); /* rate after the first CNP, from line rate */

void signals(void);

#endif /* EXAMPLES_EXCHANGE_H */
