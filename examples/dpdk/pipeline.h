/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_PIPELINE_H
#define DPDK_PIPELINE_H

/*
 * pipeline.h - what happens to a burst of packets that the network sends to the host:
 *
 *   locate all -> sort each -> look up all -> judge each -> tell the caller
 *
 *   data, marked CE    its QP known, its gate open, its ICRC right: a CNP to its source
 *   CNP, Fast CNP      role/reaction_point.h says whether it may pass
 *   what may hide one  dropped
 *   all else           passes, as marked data does, too
 *
 * There are two gates. Fast CNPs come from switches, and CNPs from the peers of the
 * host's QPs: each has a list and limits of its own. So a switch cannot use up the CNPs
 * of peers, and a peer may not send Fast CNPs. A dropped notification is answered with
 * the ICMP or ICMPv6 error that the gate asks for, in the host's name.
 */
#include "segments.h"
#include "table.h"

#include "rocecc/packet/icmp.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/reaction_point.h"

#define PIPELINE_BURST 32

typedef enum pipeline_count {
    PIPELINE_PASSED = 0,   /* to the host */
    PIPELINE_CNP,          /* ... and answered */
    PIPELINE_HELD,         /* marked, and its QP's gate is closed */
    PIPELINE_NO_QP,        /* marked, and the QP is not in the table */
    PIPELINE_ICRC,         /* marked, and its ICRC is wrong */
    PIPELINE_UNANSWERABLE, /* marked, and the CNP cannot be written, or has no mbuf */
    PIPELINE_UNSEEN,       /* dropped: a Fast CNP may be where the walk cannot look */
    PIPELINE_FULL,         /* dropped: the port did not take it */
    PIPELINE_ERRORS,       /* ICMP and ICMPv6 errors that were sent, */
    PIPELINE_NO_ERROR,     /* and that were asked for and not sent: limit, no mbuf */
    PIPELINE_COUNTS
} pipeline_count;

/* One of the two gates, as all lcores share it. */
typedef struct pipeline_gate_config {
    rocecc_reaction_config reaction;
    rocecc_acl list; /* entry i has the tag i */
} pipeline_gate_config;

/* What all lcores share, and none writes. */
typedef struct pipeline_config {
    rocecc_domain domain;
    rocecc_notification_config notify;
    pipeline_gate_config fast;     /* of switches */
    pipeline_gate_config ordinary; /* of peers: pipeline_init() makes the list */
    uint16_t misbehaving;          /* switches, or peers, that may misbehave */
    uint32_t fast_per_s;           /* Fast CNPs of a switch */
    uint32_t cnps_per_s;           /* CNPs of a peer, for each of its QPs */
    rocecc_tokenbucket_params error_limit; /* ICMP and ICMPv6: RFC 4443, 2.4 (f) */
    rocecc_icrc_rule icrc_rule;
    table table;
} pipeline_config;

/* One of the two gates of an lcore. */
typedef struct pipeline_gate {
    const pipeline_gate_config *c;
    rocecc_reaction_point point;
    rocecc_admission_source *sources; /* by tag of the list */
} pipeline_gate;

/*
 * What an lcore has of its own: nothing here is shared, since a NIC sends all packets
 * of a flow to one queue. The limits are each lcore's, and not divided by their number:
 * all notifications of a source may come to one queue, and the source is to have its
 * limit there. So n lcores together admit up to n times the limits.
 */
typedef struct pipeline {
    const pipeline_config *c;
    struct rte_mempool *cnps; /* CNPs and errors are made of these */
    rocecc_cnpgate *gate;     /* by slot of the table */
    pipeline_gate fast, ordinary;
    rocecc_tokenbucket errors;
    uint64_t count[PIPELINE_COUNTS];
    uint8_t head[PIPELINE_BURST][SEGMENTS_HEAD_BYTES];
} pipeline;

/* A burst, and what is to become of it. */
typedef struct pipeline_burst {
    struct rte_mbuf *in[PIPELINE_BURST]; /* the caller's, n of them */
    uint64_t now_ns[PIPELINE_BURST];     /* when each came */
    uint16_t n;
    struct rte_mbuf *pass[PIPELINE_BURST]; /* those of in[] that go to the host, ... */
    struct rte_mbuf *drop[PIPELINE_BURST]; /* ... those that go no further, ... */
    struct rte_mbuf *cnp[PIPELINE_BURST];  /* ... and new ones, to the network: CNPs and
                                              errors */
    uint16_t n_pass, n_drop, n_cnp;
} pipeline_burst;

/* The names of the counters, in their order. */
extern const char *const pipeline_names[PIPELINE_COUNTS];

/* Checks a configuration whose domain, list of switches and table are there; ends the
 * program with a message where it is refused. */
void pipeline_init(pipeline_config *c);

/* An lcore's own. */
pipeline *pipeline_start(const pipeline_config *c, struct rte_mempool *cnps,
                         uint64_t now_ns);
void pipeline_free(pipeline *p);

/* Decides what becomes of a burst; sends and frees nothing. */
void pipeline_judge(pipeline *p, pipeline_burst *b);

#endif /* DPDK_PIPELINE_H */
