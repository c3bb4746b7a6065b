/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_FLOWS_H
#define ROCEDUMP_FLOWS_H

/*
 * flows.h - statistics per flow, for --flows and --timeline. A flow is everything from
 * one address to one QP of another address. Packets in overlays count like other
 * packets. A packet that was captured at several places counts once (copies.h).
 *
 * A CNP takes the opposite direction, to a QP of the data's sender, and identifies only
 * this host. So it counts in its own flow, and other evidence must identify the data
 * that it answers (enum pairing). No pairing is guessed.
 *
 * Memory: FLOWS_MAX flows of 1,040 bytes, CNP_TIMES_MAX times of CNPs of 8.5 bytes, and
 * the tables of copies.h and rates.h.
 * When the table is full, packets of new flows count in one more flow, FLOW_OTHERS. The
 * cost of a packet does not depend on the number of flows, and flows_end() sorts.
 */
#include "decode.h"
#include "psn.h"
#include "unplaced.h"

typedef enum flow_kind {
    FLOW_QP,      /* packets with a BTH */
    FLOW_FASTCNP, /* Fast CNPs, which name the destination of the data */
    FLOW_PAUSE,   /* PFC and PAUSE from a MAC address */
    FLOW_OTHERS   /* packets of flows for which the table has no room */
} flow_kind;

typedef struct flow_key {
    rocecc_ip6 src; /* MAC address for FLOW_PAUSE */
    rocecc_ip6 dst;
    rocecc_ip6 about; /* destination of the data, for FLOW_FASTCNP */
    uint32_t qp;      /* DestQP */
    uint32_t kind;    /* a flow_kind */
} flow_key;           /* no padding, because its bytes are hashed and compared */

/* The evidence for the data that a flow's CNPs answer. */
#define PAIRINGS "unknown fastcnp cm deth only psn"
typedef enum pairing {
    PAIRED_NOT,
    PAIRED_FASTCNP, /* the Fast CNP names it */
    PAIRED_CM,      /* from connection management */
    PAIRED_DETH,    /* the data's DETH names the sending QP */
    PAIRED_ONLY,    /* the only data that they may answer, and the only CNPs back */
    PAIRED_PSN      /* the last ACK in the CNPs' flow fits only this data, which no
                       other flow's last ACK fits */
} pairing;

#define FLOWS_MAX ((size_t)1 << 17)
#define CNP_TIMES_MAX ((size_t)1 << 22) /* of all flows */
#define CNP_TIMES_OF_FLOW ((size_t)1 << 16)
#define CNP_TIMES_TEXT "65,536 per flow and 4,194,304 in all"

#define FLOWS_PER_SPARE 4
#define NO_FLOW SIZE_MAX
#define QP_NONE UINT32_MAX       /* unknown */
#define QP_MANY (UINT32_MAX - 1) /* several */

#define AROUND_MAX 4 /* pairs of outer addresses per flow */

/* A number that may be unknown. */
typedef struct measured {
    bool known;
    uint64_t value;
} measured;

/* The rates of a flow around its first CNP, in whole intervals (rates.h). */
typedef struct flow_rate {
    measured before_bps; /* mean of RATES_INTERVALS before the CNP's interval */
    measured after_bps;  /* mean of RATES_INTERVALS after the CNP's interval */
    measured least_bps;  /* lowest rate of all intervals after the CNP's interval */
    measured again_ns; /* from the CNP to the end of the first interval, from the lowest
                          on, with 90 % of before_bps; 0 if the lowest has 90 % */
} flow_rate;

typedef struct flow {
    flow_key key;
    uint64_t packets;
    uint64_t copies; /* further captures of these packets, at other places */
    uint64_t bytes;  /* from IP or GRH to the ICRC, by IP's length, or by UDP's for a
                        first fragment */
    uint64_t parts;  /* packets of which only a first fragment or a cut copy is here */
    uint64_t ce, cnps, trimmed, naks, rnr_naks, pauses, resumes;
    uint64_t first_ns, last_ns, first_ce_ns;
    uint64_t dscp, cnp_dscp; /* bit n: DSCP n */
    uint8_t services;        /* bit n: a rocecc_opcode_service */
    bool has_data;           /* requests or READ responses */
    bool has_ack;
    uint32_t ack_psn; /* of the last ACK */
    uint32_t src_qp;  /* sends the data; or QP_NONE, QP_MANY */
    uint8_t src_by;   /* PAIRED_CM or PAIRED_DETH */
    psn_sequence requests, responses;
    uint32_t times;      /* CNPs whose times are kept, the first ones */
    uint32_t time_block; /* number of the last block of times, from 1 on; 0: none */
    uint32_t around[AROUND_MAX]; /* outer address pairs, by unplaced_pair() */
    uint8_t n_around;
    bool around_many; /* there are more */
    /* Set by flows_end(), for a flow with CNPs. */
    uint8_t paired; /* a pairing */
    bool answered;  /* a kept CNP follows the data's first CE; answer_ns is its time */
    uint64_t answer_ns;
    uint64_t least_ns, median_ns; /* distances of kept CNPs, if there are two or more */
    size_t data;                  /* the flow that they answer, or NO_FLOW */
    size_t candidates;            /* if it is unknown, number of possible data flows */
    /* Set by flows_end(), for a data flow. */
    uint64_t answers, fast_answers; /* CNPs and Fast CNPs that answer it */
    bool disputed;                  /* unpaired CNPs may answer it */
    bool misses;                    /* frames in no flow may be its own or its CNPs */
    bool slowed;                    /* first_cnp_ns is set, and rate if measured */
    uint64_t first_cnp_ns;          /* the first kept CNP that answers it */
    flow_rate rate;
} flow;

typedef struct flows flows;

/* Makes an empty table. Rates are not measured if interval_ns is 0. */
flows *flows_new(uint64_t interval_ns);
void flows_free(flows *t);

/* Must be called for each frame of the input, before its packets are added. */
void flows_time(flows *t, uint64_t now_ns);

/* Adds packet `d` of `frame`. Returns its flow, or NO_FLOW if it has no flow. */
size_t flows_add(flows *t, const packet *p, const decoded *frame, const decoded *d);

/* Must follow a frame's packets. `in` is the innermost packet's flow, or NO_FLOW. */
void flows_frame(flows *t, const decoded *frame, size_t in);

/* Returns the counts of frames that may be RoCE but are in no flow. */
const unplaced *flows_unplaced(const flows *t);

/*
 * Pairs CNPs with data, measures the times between CNPs and the rates of data, and
 * marks flows that may miss frames. Must be called once, after the last frame.
 */
void flows_end(flows *t);

/* Returns the packets for which the table had no room, or NULL if there are none. */
const flow *flows_others(const flows *t);

/* Returns the number of packets whose copies may count as packets (copies.h). */
uint64_t flows_forgotten(const flows *t);

/* Returns the length of the rates' intervals, or 0 if rates are not measured. */
uint64_t flows_interval_ns(const flows *t);

/* Returns the time of the first frame, or 0 if rates are not measured. */
uint64_t flows_start_ns(const flows *t);

/*
 * Returns false, with a message, if flows or rates had no room only because the program
 * could not allocate a whole table.
 */
bool flows_had_memory(const flows *t);

/* Returns the index of a flow, or NO_FLOW. */
size_t flows_find(const flows *t, const flow_key *key);

/*
 * pairs.c: does the pairing of flows_end(). `all` has the table's flows, and `spare`
 * has room for FLOWS_PER_SPARE pointers per flow.
 */
void flows_pair(const flows *t, flow *all, flow **spare);

/* The number of flows, including FLOW_OTHERS, which is the last. */

size_t flows_count(const flows *t);
const flow *flows_at(const flows *t, size_t i);

/*
 * Measures the time from the data's first CE to the first CNP after it. Returns false
 * if either is missing, or the data is unknown.
 */
bool flows_delay(const flows *t, const flow *cnps, uint64_t *first_cnp_ns,
                 uint64_t *delay_ns);

/* Returns the pairing's name. A blank or the end follows it. */
const char *flows_pairing(const flow *cnps);

/*
 * Returns the least and the median distance of the kept CNPs in ns, or false for fewer
 * than two. Of two middle distances, the median is the lower.
 */
bool flows_apart(const flow *cnps, uint64_t *least, uint64_t *median);

/* Returns all flows, most bytes first, after flows_end(). */
flow *const *flows_sorted(const flows *t);

/*
 * flows_text.c, flows_json.c: print a table, or one JSON object per line, most bytes
 * first.
 */
void flows_text(const flows *t, FILE *out);
void flows_json(const flows *t, FILE *out);

#define ADDRESS_BYTES 46 /* an address as text, with its NUL */

/* Writes an address of a flow, or "others". */
const char *flows_address(const flow *f, const rocecc_ip6 *address,
                          char text[ADDRESS_BYTES]);

#endif /* ROCEDUMP_FLOWS_H */
