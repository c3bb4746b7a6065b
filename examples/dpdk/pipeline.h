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
 */
#include "segments.h"
#include "table.h"

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
    PIPELINE_REFUSED,      /* dropped: a CNP that may not slow anybody down */
    PIPELINE_FULL,         /* dropped: the port did not take it */
    PIPELINE_COUNTS
} pipeline_count;

/* What all lcores share, and none writes. */
typedef struct pipeline_config {
    rocecc_domain domain;
    rocecc_notification_config notify;
    rocecc_reaction_config reaction;
    rocecc_icrc_rule icrc_rule;
    rocecc_acl access;
    table table;
} pipeline_config;

/*
 * What an lcore has of its own: nothing here is shared, since a NIC sends all packets
 * of a flow to one queue. A limit of n lcores together is a limit of 1/n each.
 */
typedef struct pipeline {
    const pipeline_config *c;
    struct rte_mempool *cnps; /* CNPs are made of these */
    rocecc_cnpgate *gate;     /* by slot of the table */
    rocecc_reaction_point reaction;
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
    struct rte_mbuf *cnp[PIPELINE_BURST];  /* ... and new ones, to the network */
    uint16_t n_pass, n_drop, n_cnp;
} pipeline_burst;

/* The names of the counters, in their order. */
extern const char *const pipeline_names[PIPELINE_COUNTS];

/* Checks a configuration whose domain, access list and table are there, for this many
 * lcores; ends the program with a message where it is refused. */
void pipeline_init(pipeline_config *c, unsigned lcores);

/* An lcore's own. */
pipeline *pipeline_start(const pipeline_config *c, struct rte_mempool *cnps,
                         uint64_t now_ns);
void pipeline_free(pipeline *p);

/* Decides what becomes of a burst; sends and frees nothing. */
void pipeline_judge(pipeline *p, pipeline_burst *b);

#endif /* DPDK_PIPELINE_H */
