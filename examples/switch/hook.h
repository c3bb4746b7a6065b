/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_SWITCH_HOOK_H
#define EXAMPLES_SWITCH_HOOK_H

/*
 * hook.h - what a switch SDK calls for each packet at an egress port: once when it
 * comes to the queue, and once when it leaves.
 *
 *     hook_enqueue()   WRED: pass, mark with CE, or drop; a Fast CNP for the sender
 *     hook_dequeue()   IOAM and INT: this node's record
 *
 *     base                 base + at                       + n
 *     |<---- headroom ----->| Ethernet | IP | ... | payload |
 *               |<- 24 B ---| Ethernet | IP |     a record of INT: headers move, not
 *                                                 the payload
 *
 * A packet that is cut off or malformed, or that has no headroom for what it would
 * need, passes as it is.
 */
#include "rocecc/rocecc.h"

#define HOOK_GATES 64
#define HOOK_HOSTS_MAX 8

/* A packet in a buffer of the SDK's. */
typedef struct hook_buffer {
    uint8_t *base;
    size_t at; /* headroom */
    size_t n;  /* bytes of the packet */
} hook_buffer;

/* What the SDK knows at that moment. */
typedef struct hook_event {
    uint64_t now_ns;
    uint32_t queue_bytes; /* enqueue: with this packet; dequeue: without it */
    uint32_t random;      /* enqueue: any 32 bits, others for each packet */
    uint64_t sent_bytes;  /* dequeue: by this port so far */
    uint16_t ingress;     /* dequeue: the port where the packet came from */
} hook_event;

typedef struct hook_config {
    rocecc_domain domain;
    rocecc_wred_params wred;
    rocecc_congestion_config congestion;
    rocecc_acl_entry hosts[HOOK_HOSTS_MAX]; /* who may be told: FC-17; hook_start() sets
                                               the tag of each to its place */
    bool capable[HOOK_HOSTS_MAX];           /* by tag: its hosts know the Fast CNP */
    uint32_t n_hosts;
    uint32_t node_id; /* of telemetry; below 2^24 - 1 */
    uint16_t egress;
    uint32_t mtu_bytes; /* from IP on */
} hook_config;

typedef struct hook_port {
    hook_config with;
    rocecc_acl access;
    rocecc_admission_source sources[HOOK_HOSTS_MAX]; /* by tag */
    rocecc_congestion_point point;
    rocecc_cnpgate gates[HOOK_GATES]; /* flows that share one are told less often */
} hook_port;

/* NULL, or what is wrong with the configuration. */
const char *hook_start(hook_port *port, const hook_config *with, uint64_t now_ns);

/*
 * The outputs of rocecc_congestion_result; of a notification w has the packet, from IP
 * on.
 */
uint8_t hook_enqueue(hook_port *port, hook_buffer *b, const hook_event *e,
                     rocecc_writer *w);

/* Whether the packet has a record of this node. */
bool hook_dequeue(const hook_port *port, hook_buffer *b, const hook_event *e);

/* For the hooks: walks the packet. False: it is cut off, or the lengths of IP and UDP
 * contradict each other. A walk ends at the BTH, and leaves what follows to others. */
bool hook_walk(const hook_port *port, const hook_buffer *b, rocecc_packet *p);

#endif /* EXAMPLES_SWITCH_HOOK_H */
