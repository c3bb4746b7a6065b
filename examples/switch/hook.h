/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_SWITCH_HOOK_H
#define EXAMPLES_SWITCH_HOOK_H

/*
 * hook.h - a switch SDK calls these functions for each packet at an egress port, once
 * when it arrives at the queue, and once when it leaves.
 *
 *     hook_enqueue()   WRED: pass, mark with CE, or drop; a Fast CNP for the sender
 *     hook_dequeue()   IOAM and INT: this node's record
 *
 *     base                 base + at                       + n
 *     |<---- headroom ----->| Ethernet | IP | ... | payload |
 *               |<- 24 B ---| Ethernet | IP |     a record of INT: headers move, not
 *                                                 the payload
 *
 * A truncated or malformed packet passes unchanged, unless the buffer is full. A packet
 * without enough headroom gets no record.
 */
#include "rocecc/rocecc.h"

#define HOOK_GATES 64
#define HOOK_HOSTS_MAX 8

/* A packet in an SDK buffer. */
typedef struct hook_buffer {
    uint8_t *base;
    size_t at; /* headroom */
    size_t n;  /* bytes of the packet */
} hook_buffer;

/* Values that the SDK knows at the call. */
typedef struct hook_event {
    uint64_t now_ns;
    uint32_t queue_bytes; /* enqueue: with this packet; dequeue: without it */
    uint32_t random;      /* enqueue: 32 bits, different for each packet */
    uint64_t sent_bytes;  /* dequeue: bytes sent by this port so far */
    uint16_t ingress;     /* dequeue: the packet's ingress port */
} hook_event;

typedef struct hook_config {
    rocecc_domain domain;
    rocecc_wred_params wred;
    rocecc_congestion_config congestion;
    rocecc_acl_entry hosts[HOOK_HOSTS_MAX]; /* hosts to notify: FC-17; hook_start() sets
                                               each tag to its index */
    bool capable[HOOK_HOSTS_MAX];           /* by tag: its hosts support Fast CNPs */
    uint32_t n_hosts;
    uint32_t node_id; /* for telemetry; below 2^24 - 1 */
    uint16_t egress;
    uint32_t mtu_bytes; /* from the IP header on */
} hook_config;

typedef struct hook_port {
    hook_config with;
    rocecc_acl access;
    rocecc_admission_source sources[HOOK_HOSTS_MAX]; /* indexed by tag */
    rocecc_congestion_point point;
    rocecc_cnpgate gates[HOOK_GATES]; /* flows that share one are notified less often */
} hook_port;

/* Initialises a port. Returns NULL, or an error in the configuration. */
const char *hook_start(hook_port *port, const hook_config *with, uint64_t now_ns);

/*
 * Handles an arriving packet. Returns the outputs of rocecc_congestion_result. Writes a
 * notification to w, from its IP header on.
 */
uint8_t hook_enqueue(hook_port *port, hook_buffer *b, const hook_event *e,
                     rocecc_writer *w);

/* Returns true if the packet gets a record of this node. */
bool hook_dequeue(const hook_port *port, hook_buffer *b, const hook_event *e);

/*
 * For the hooks: parses the packet. Returns false if it is truncated, or if its IP and
 * UDP lengths are inconsistent. Headers after the BTH are not checked.
 */
bool hook_walk(const hook_port *port, const hook_buffer *b, rocecc_packet *p);

#endif /* EXAMPLES_SWITCH_HOOK_H */
