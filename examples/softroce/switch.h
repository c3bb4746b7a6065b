/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWITCH_H
#define SWITCH_H

/*
 * switch.h - the interfaces between the parts of switch.
 *
 *   sender's        port 1                           port 2        receiver's
 *   machine  <--------------->  switch_queue.c  <--------------->  machine
 *              frames ------->  queue, WRED  ------------------>
 *              <-- Fast CNPs    <------------------------- at once
 *
 * A port (switch_port.c) is a stream of QEMU (`-netdev stream,server=off,
 * addr.type=unix,addr.path=...`). Each frame has its length in the 4 bytes before it.
 */
#include <stdio.h>

#include "rocecc/role/congestion_point.h"

#define FRAME_MAX_BYTES 65536u
#define LENGTH_BYTES 4u

typedef enum port_side { SENDER = 0, RECEIVER, PORTS } port_side;

/* The port of one machine. */
typedef struct port {
    const char *path;
    int listener; /* -1: the machine has connected */
    int fd;       /* -1: it has not connected */
    uint64_t lost, runts;
    size_t in_at, in_end; /* in `in`: bytes received, but not handled */
    size_t out_n;         /* in `out`: bytes not written to the socket */
    uint8_t in[2 * (LENGTH_BYTES + FRAME_MAX_BYTES)];
    uint8_t out[1u << 20];
} port;

typedef enum port_state { PORT_OPEN = 0, PORT_CLOSED, PORT_BROKEN } port_state;

/* A received frame in the port's buffer. b is NULL if none is complete. */
typedef struct frame {
    uint8_t *b;
    size_t n;
} frame;

/* Listens for a machine, or ends the program. */
void port_listen(port *p, const char *path);
/* Accepts the machine and closes the listener, or ends the program. */
void port_accept(port *p);

/* Closes the listener, so no machine can connect. */
void port_deaf(port *p);

/* Reads the available bytes. */
port_state port_read(port *p);

/*
 * Finds the next complete frame. Skips and counts frames that are shorter than an
 * Ethernet header. Returns BROKEN for a frame of more than FRAME_MAX_BYTES, because the
 * next one cannot be found.
 */
port_state port_next(port *p, frame *f);

/* Queues a frame for the machine. It is lost if it does not fit as a whole. */
void port_send(port *p, const uint8_t *b, size_t n);

/* Writes as much as the socket takes, without waiting. */
port_state port_flush(port *p);

/* Options of the command line. */
typedef struct switch_options {
    uint64_t rate_bps;
    uint32_t queue_bytes;
    uint32_t wred_min_bytes, wred_max_bytes, wred_pmax;
    bool ecn, fastcnp;
    rocecc_ip6 address;
    rocecc_domain domain;
    rocecc_icrc_rule icrc;
    uint32_t gap_us;
    uint32_t ioam; /* node id; 0: no record is written */
    rocecc_acl_entry permit;
    uint64_t seed;
    FILE *log; /* NULL: no log */
} switch_options;

/* Starts the queue, once. Returns the reason to refuse it, or NULL. Options and ports
 * must remain valid. */
const char *queue_start(switch_options *o, port *ports, uint64_t now_ns);

/* Sends the frames that have left the queue by now_ns. */
void queue_advance(uint64_t now_ns);

/* Returns the time at which the next frame leaves, or UINT64_MAX for an empty queue. */
uint64_t queue_due_ns(void);

/* Handles a frame from a machine. Before that, sends frames that have left the
 * queue. */
void queue_from_sender(frame f, uint64_t now_ns);
void queue_from_receiver(frame f, uint64_t now_ns);

/* Prints a line for each count. */
void queue_show(void);

#endif /* SWITCH_H */
