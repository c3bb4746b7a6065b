/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_FLOWS_H
#define ROCEDUMP_FLOWS_H

/*
 * flows.h - what a capture says of each flow: --flows, and --timeline, which is made of
 * them. A flow is whatever goes from one address to one QP of another; the packets in
 * overlays count as those outside do.
 *
 * A CNP goes the other way, to a QP of the host that sends the data, and says of the
 * data no more than that host. So it counts in the flow that it is itself part of, and
 * which data that flow answers has to be known (enum pairing): no pairing is guessed.
 */
#include "decode.h"
#include "psn.h"
#include "unplaced.h"

typedef enum flow_kind {
    FLOW_QP,      /* of packets with a BTH */
    FLOW_FASTCNP, /* of Fast CNPs, which name the destination of what they answer */
    FLOW_PAUSE    /* PFC and PAUSE, from a MAC address */
} flow_kind;

typedef struct flow_key {
    rocecc_ip6 src; /* of FLOW_PAUSE, the MAC address */
    rocecc_ip6 dst;
    rocecc_ip6 about; /* of FLOW_FASTCNP */
    uint32_t qp;      /* DestQP */
    uint32_t kind;    /* a flow_kind */
} flow_key;           /* without padding: it is hashed and compared as bytes */

/* How it is known which data the CNPs of a flow answer. */
#define PAIRINGS "unknown fastcnp cm deth only psn"
typedef enum pairing {
    PAIRED_NOT,
    PAIRED_FASTCNP, /* the Fast CNP names it */
    PAIRED_CM,      /* the hosts said so when they connected */
    PAIRED_DETH,    /* the data names the QP that sends it */
    PAIRED_ONLY,    /* no other data goes that way, and no other CNPs come back */
    PAIRED_PSN      /* ACKs to the QP of the CNPs have the PSNs of that data alone */
} pairing;

#define NO_FLOW SIZE_MAX
#define QP_NONE UINT32_MAX       /* not known */
#define QP_MANY (UINT32_MAX - 1) /* several */

#define AROUND_MAX 4 /* pairs of addresses around the packets of a flow */

typedef struct flow {
    flow_key key;
    uint64_t packets;
    uint64_t bytes; /* from IP or GRH to the ICRC, as IP's length says, or of a first
                       fragment UDP's */
    uint64_t parts; /* packets of which a first fragment or a cut copy is here */
    uint64_t ce, cnps, trimmed, naks, rnr_naks, pauses, resumes;
    uint64_t first_ns, last_ns, first_ce_ns;
    uint64_t dscp, cnp_dscp; /* bit n: DSCP n */
    uint8_t services;        /* bit n: a rocecc_opcode_service */
    bool has_data;           /* requests or READ responses */
    bool has_ack;
    uint32_t ack_psn; /* of the last ACK */
    uint32_t src_qp;  /* from which the data comes; or QP_NONE, QP_MANY */
    uint8_t src_by;   /* a pairing: CM or DETH */
    psn_sequence requests, responses;
    uint64_t *cnp_ns; /* when each CNP came: in order after flows_end() */
    size_t cnp_room;
    uint32_t around[AROUND_MAX]; /* of IP headers before the key's: unplaced_pair() */
    uint8_t n_around;
    bool around_many; /* there are more of them */
    /* by flows_end(), of a flow that has CNPs */
    uint8_t paired;    /* a pairing */
    size_t data;       /* the flow that they answer, or NO_FLOW */
    size_t candidates; /* where that is not known: flows of data that it could be */
    /* and of a flow of data */
    uint64_t answers, fast_answers; /* CNPs and Fast CNPs that answer it */
    bool disputed;                  /* CNPs came that may be its answer */
    bool misses; /* frames that are in no flow may be its own, or its CNPs */
} flow;

typedef struct flows flows;

flows *flows_new(void);
void flows_free(flows *t);

/* Adds a packet of a frame; the flow, or NO_FLOW: it is of none. */
size_t flows_add(flows *t, const decoded *d, uint64_t now_ns);

/* After the packets of a frame: `in` is the flow of the innermost one, or NO_FLOW. */
void flows_frame(flows *t, const decoded *frame, size_t in);

/* What is in no flow. */
const unplaced *flows_unplaced(const flows *t);

/* After the last one: which CNPs answer what, and which flows miss frames. */
void flows_end(flows *t);

/* A flow, or NO_FLOW. */
size_t flows_find(const flows *t, const flow_key *key);

/* pairs.c: the part of flows_end() that says so; all are the table's flows. */
void flows_pair(const flows *t, flow *all);

size_t flows_count(const flows *t);
const flow *flows_at(const flows *t, size_t i);

/* From the first CE of the data that CNPs answer to the first CNP after it; false: no
 * such thing. */
bool flows_delay(const flows *t, const flow *cnps, uint64_t *first_cnp_ns,
                 uint64_t *delay_ns);

/* How it is known what CNPs answer; a blank or the end follows. */
const char *flows_pairing(const flow *cnps);

/* Least and median distance of CNPs in ns; false: there are fewer than two. Of an even
 * number the median is the lower one of the two. */
bool flows_apart(const flow *cnps, uint64_t *least, uint64_t *median);

/* All flows, most bytes first; to be freed. */
const flow **flows_sorted(const flows *t);

/* flows_text.c, flows_json.c: a table, or JSON, an object per line; most bytes first.
 */
void flows_text(const flows *t, FILE *out);
void flows_json(const flows *t, FILE *out);

#define ADDRESS_BYTES 46 /* an address as text, and its end */
const char *flows_address(const flow *f, const rocecc_ip6 *address,
                          char text[ADDRESS_BYTES]);

#endif /* ROCEDUMP_FLOWS_H */
