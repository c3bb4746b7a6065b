/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NODE_H
#define NODE_H

/*
 * node.h - what the nodes of this topology share: options, and ports to send, receive
 * and route with. run.sh puts each in a network namespace of its own.
 *
 *   host ------- ToR ---------- fabric ---------- switch ------ receiver
 *   host.c       tor.c          the kernel's      switch.c      receiver.c
 *                               own routing
 *
 *        --data, CN-TAG-->  --data, routed-->  -->   queue, QCN  -->
 *        <------CNM-------  <--private CNM, routed--
 */
#include <stdbool.h>
#include <stdint.h>

#include "rocecc/packet/l3qcn.h"

#define NODE_SWITCHES_MAX 16

typedef struct node_options {
    uint64_t line_bps;  /* host: of each flow, before a CNM */
    uint64_t drain_bps; /* switch: of the queue */
    uint32_t gate_ms;   /* ToR: at most one CNM to a flow in so long */
    uint32_t seconds;   /* host: it sends for so long */
    rocecc_mac switches[NODE_SWITCHES_MAX]; /* ToR: whose private CNMs it converts */
    uint32_t n_switches;
} node_options;

/* What all nodes have agreed on: the UDP port of private CNMs, which nobody has
 * assigned. */
extern rocecc_domain node_domain;

/* Each runs until SIGTERM, then reads what still waits for it, and shows its counts. */
int host(const node_options *o, char **ports);
int tor(const node_options *o, char **ports);
int congested(const node_options *o, char **ports);
int receiver(const node_options *o, char **ports);
int capture(const node_options *o, char **dev_and_file);

/* A frame, from its Ethernet header on, and where its headers are. */
typedef struct node_frame {
    uint8_t bytes[2048];
    size_t n;
    rocecc_headers f;
} node_frame;

/* A device, and who is at the other end of its link. */
typedef struct node_port {
    int fd;
    rocecc_mac mac;
    rocecc_mac next;
} node_port;

rocecc_reader node_view(const node_frame *p);
rocecc_writer node_room(node_frame *p);
rocecc_packet node_packet(const node_frame *p);

/* Reads "xx:xx:xx:xx:xx:xx". */
bool node_mac(const char *text, rocecc_mac *mac);

/* Opens DEV=MAC; or DEV, to look on. The program ends where that fails. */
node_port node_open(const char *arg);

/* The next frame for our own address (to one who looks on, any); false: none waits. */
bool node_receive(const node_port *from, node_frame *p);

void node_send(const node_port *to, rocecc_reader frame);

/*
 * As a router does: the headers of layer 2 are taken off, there is one hop less, and a
 * new Ethernet header leads to who is at the other end. False: it is not sent.
 */
bool node_route(const node_port *to, node_frame *p);

/* The Ethernet header of what this port sends. */
rocecc_ether node_ether(const node_port *to, uint16_t type);

/* Once all ports are open: says so, as run.sh waits for it. */
void node_ready(const char *role);

/* Until a frame comes or until_ns; false: SIGTERM came, and no frame waits. */
bool node_wait(const node_port *ports, int n, uint64_t until_ns);

uint64_t node_ns(void); /* CLOCK_MONOTONIC */

#endif /* NODE_H */
