/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NODE_H
#define NODE_H

/*
 * node.h - shared by the nodes of this topology: options, and ports to send, receive
 * and route. run.sh puts each node into its own network namespace.
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
    uint64_t line_bps;                      /* host: each flow's rate before a CNM */
    uint64_t drain_bps;                     /* switch: the queue's drain rate */
    uint32_t gate_ms;                       /* ToR: gate interval of each flow */
    uint32_t seconds;                       /* host: time for which it sends */
    rocecc_mac switches[NODE_SWITCHES_MAX]; /* ToR: senders of accepted private CNMs */
    uint32_t n_switches;
} node_options;

/* Configuration of all nodes: the UDP port of private CNMs, which is not assigned. */
extern rocecc_domain node_domain;

/* Each runs until SIGTERM and no frame waits. All but capture() then print counters. */
int host(const node_options *o, char **ports);
int tor(const node_options *o, char **ports);
int congested(const node_options *o, char **ports);
int receiver(const node_options *o, char **ports);
int capture(const node_options *o, char **dev_and_file);

/* A frame from its Ethernet header on, and its header offsets. */
typedef struct node_frame {
    uint8_t bytes[2048];
    size_t n;
    rocecc_headers f;
} node_frame;

/* A device, its address, and the address at the other end of its link. */
typedef struct node_port {
    int fd;
    rocecc_mac mac;
    rocecc_mac next;
} node_port;

rocecc_reader node_view(const node_frame *p);
rocecc_writer node_room(node_frame *p);
rocecc_packet node_packet(const node_frame *p);

/* Parses "xx:xx:xx:xx:xx:xx". */
bool node_mac(const char *text, rocecc_mac *mac);

/* Opens DEV=MAC, or DEV for capture. On failure, the program ends. */
node_port node_open(const char *arg);

/* Reads a frame to the port's address (capture: any). Returns false if none waits. */
bool node_receive(const node_port *from, node_frame *p);

void node_send(const node_port *to, rocecc_reader frame);

/*
 * Routes a packet. Removes its layer-2 headers, decrements its hop limit, and sends it
 * with a new Ethernet header to the other end. Returns false if it is not sent.
 */
bool node_route(const node_port *to, node_frame *p);

/* Returns the Ethernet header for frames from this port. */
rocecc_ether node_ether(const node_port *to, uint16_t type);

/* Prints that all ports are open, because run.sh waits for this. Handles SIGTERM. */
void node_ready(const char *role);

/* Waits for a frame, until_ns or 1 s. Returns false after SIGTERM if no frame waits. */
bool node_wait(const node_port *ports, int n, uint64_t until_ns);

uint64_t node_ns(void); /* CLOCK_MONOTONIC */

#endif /* NODE_H */
