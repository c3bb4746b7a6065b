/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_PIPELINE_H
#define DPDK_PIPELINE_H

/*
 * pipeline.h - handles a burst of packets from the network to the host.
 *
 *   locate all -> sort each -> look up all -> judge each -> return to the caller
 *
 *   data, marked CE    known QP, open gate, correct ICRC: a CNP to its source
 *   CNP, Fast CNP      role/reaction_point.h decides
 *   may hide one       dropped
 *   all other packets  pass, and marked data passes too
 *
 * There are two gates. Fast CNPs come from switches, and CNPs from the peers of the
 * host's QPs. Each gate has its own list and limits. So a switch cannot use up the
 * peers' limits, and a peer may not send Fast CNPs. If the gate asks for an ICMP or
 * ICMPv6 error about a dropped notification, the error is sent from the host's address.
 */
#include "segments.h"
#include "table.h"

#include "rocecc/packet/icmp.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/reaction_point.h"

#define PIPELINE_BURST 32

typedef enum pipeline_count {
    PIPELINE_PASSED = 0,   /* passed to the host */
    PIPELINE_CNP,          /* ... and answered */
    PIPELINE_HELD,         /* marked, but its QP's gate is closed */
    PIPELINE_NO_QP,        /* marked, but the QP is not in the table */
    PIPELINE_ICRC,         /* marked, but its ICRC is wrong */
    PIPELINE_UNANSWERABLE, /* marked, but writing the CNP failed, or no mbuf is free */
    PIPELINE_UNSEEN,       /* dropped: undecided whether it is a Fast CNP */
    PIPELINE_FULL,         /* dropped: the port did not accept it */
    PIPELINE_ERRORS,       /* ICMP and ICMPv6 errors sent */
    PIPELINE_NO_ERROR,     /* errors not sent: limit, no mbuf, or not writable */
    PIPELINE_COUNTS
} pipeline_count;

/* Configuration of one of the two gates, shared by all lcores. */
typedef struct pipeline_gate_config {
    rocecc_reaction_config reaction;
    rocecc_acl list; /* entry i has tag i */
} pipeline_gate_config;

/* Configuration shared by all lcores, and only read by them. */
typedef struct pipeline_config {
    rocecc_domain domain;
    rocecc_notification_config notify;
    pipeline_gate_config fast;     /* for switches */
    pipeline_gate_config ordinary; /* for peers; pipeline_init() makes its list */
    uint16_t misbehaving;          /* maximum number of misbehaving switches or peers */
    uint32_t fast_per_s;           /* Fast CNPs per second per prefix */
    uint32_t cnps_per_s;           /* CNPs per second from a peer, per QP */
    rocecc_tokenbucket_params error_limit; /* for ICMP and ICMPv6: RFC 4443, 2.4 (f) */
    rocecc_icrc_rule icrc_rule;
    table table;
} pipeline_config;

/* One of an lcore's two gates. */
typedef struct pipeline_gate {
    const pipeline_gate_config *c;
    rocecc_reaction_point point;
    rocecc_admission_source *sources; /* indexed by the list's tags */
} pipeline_gate;

/*
 * State of one lcore. The lcores share no state, because a NIC sends all packets of a
 * flow to one queue. Each lcore applies the full limits, because all notifications from
 * a source may arrive at one queue. So n lcores together admit up to n times the
 * limits.
 */
typedef struct pipeline {
    const pipeline_config *c;
    struct rte_mempool *cnps; /* pool for CNPs and errors */
    rocecc_cnpgate *gate;     /* indexed by table slot */
    pipeline_gate fast, ordinary;
    rocecc_tokenbucket errors;
    uint64_t count[PIPELINE_COUNTS];
    uint8_t head[PIPELINE_BURST][SEGMENTS_HEAD_BYTES];
} pipeline;

/* A burst and its results. */
typedef struct pipeline_burst {
    struct rte_mbuf *in[PIPELINE_BURST]; /* the caller's n packets */
    uint64_t now_ns[PIPELINE_BURST];     /* arrival times */
    uint16_t n;
    struct rte_mbuf *pass[PIPELINE_BURST]; /* packets of in[] for the host */
    struct rte_mbuf *drop[PIPELINE_BURST]; /* packets of in[] to drop */
    struct rte_mbuf *cnp[PIPELINE_BURST];  /* new packets for the network: CNPs
                                              and errors */
    uint16_t n_pass, n_drop, n_cnp;
} pipeline_burst;

/* Names of the counters, in enum order. */
extern const char *const pipeline_names[PIPELINE_COUNTS];

/*
 * Prepares a configuration. Its domain, switch list and table must be set. If it is
 * invalid, ends the program with a message.
 */
void pipeline_init(pipeline_config *c);

/* Allocates and initialises the state of one lcore. */
pipeline *pipeline_start(const pipeline_config *c, struct rte_mempool *cnps,
                         uint64_t now_ns);
void pipeline_free(pipeline *p);

/* Decides about each packet of a burst. The caller must send and free the packets. */
void pipeline_judge(pipeline *p, pipeline_burst *b);

#endif /* DPDK_PIPELINE_H */
