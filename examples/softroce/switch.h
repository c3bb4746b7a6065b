/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWITCH_H
#define SWITCH_H

/*
 * switch.h - what the parts of switch share.
 *
 *   sender's        port 1                           port 2        receiver's
 *   machine  <--------------->  switch_queue.c  <--------------->  machine
 *              frames ------->  queue, WRED  ------------------>
 *              <-- Fast CNPs    <------------------------- at once
 *
 * A port (switch_port.c) is a stream of QEMU: `-netdev stream,server=off,
 * addr.type=unix,addr.path=...`, in which each frame has its length before it, 4 bytes.
 */
#include <stdio.h>

#include "rocecc/role/congestion_point.h"

#define FRAME_MAX_BYTES 65536u
#define LENGTH_BYTES 4u

typedef enum port_side { SENDER = 0, RECEIVER, PORTS } port_side;

/* One machine. */
typedef struct port {
    const char *path;
    int listener; /* -1: the machine has come */
    int fd;       /* -1: it has not */
    uint64_t lost, runts;
    size_t in_at, in_end; /* of `in`: what has come, and is not taken yet */
    size_t out_n;         /* of `out`: what the socket has not taken yet */
    uint8_t in[2 * (LENGTH_BYTES + FRAME_MAX_BYTES)];
    uint8_t out[1u << 20];
} port;

typedef enum port_state { PORT_OPEN = 0, PORT_CLOSED, PORT_BROKEN } port_state;

/* A frame as it has come, in a buffer of the port's; b is NULL: none is whole. */
typedef struct frame {
    uint8_t *b;
    size_t n;
} frame;

/* The program ends where these fail. */
void port_listen(port *p, const char *path);
void port_accept(port *p);

/* No machine can connect any longer. */
void port_deaf(port *p);

/* Reads what waits. */
port_state port_read(port *p);

/*
 * The next whole frame of what was read. One that is shorter than an Ethernet header is
 * left out, and counted. After one of more than FRAME_MAX_BYTES nobody knows where the
 * next begins: BROKEN.
 */
port_state port_next(port *p, frame *f);

/* Takes a frame for the machine, all of it or nothing: what has no room is lost. */
void port_send(port *p, const uint8_t *b, size_t n);

/* Writes what the socket takes, and does not wait. */
port_state port_flush(port *p);

/* What the command line says. */
typedef struct switch_options {
    uint64_t rate_bps;
    uint32_t queue_bytes;
    uint32_t wred_min_bytes, wred_max_bytes, wred_pmax;
    bool ecn, fastcnp;
    rocecc_ip6 address;
    rocecc_domain domain;
    rocecc_icrc_rule icrc;
    uint32_t gap_us;
    uint32_t ioam; /* the node id; 0: no node is written */
    rocecc_acl_entry permit;
    uint64_t seed;
    FILE *log; /* NULL: none */
} switch_options;

/* Once; what is refused, or NULL. The options and the ports stay where they are. */
const char *queue_start(switch_options *o, port *ports, uint64_t now_ns);

/* Sends what has left the queue by now. */
void queue_advance(uint64_t now_ns);

/* When the next frame leaves it; UINT64_MAX: none is in it. */
uint64_t queue_due_ns(void);

/* A frame has come from a machine. What has left by now is sent before it. */
void queue_from_sender(frame f, uint64_t now_ns);
void queue_from_receiver(frame f, uint64_t now_ns);

/* A line for each count. */
void queue_show(void);

#endif /* SWITCH_H */
