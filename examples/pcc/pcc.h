/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_PCC_H
#define EXAMPLES_PCC_H

/*
 * pcc.h - congestion control as a programmable NIC runs it: one call for each event of
 * a flow, which gets the 48 bytes that the NIC keeps for that flow, and returns the
 * flow's new rate.
 *
 *     pcc_step(&port, context, &event)  ->  0x80000: half of line rate
 *
 * Example: 100 Gb/s. A flow sends at 0x100000, line rate. A CNP comes, and 4 us later
 * the next event of any type finds that the cut was due: 0x800a4, half and a bit.
 *
 * There is no timer: an event brings the time, and what has come due since the last one
 * is done first. Events may be lost, come twice, be merged or come late. A context is
 * all zero before the first event of its flow, whichever that is.
 */
#include "rocecc/rocecc.h"

#define PCC_CONTEXT_BYTES 48
#define PCC_RATE_BITS 20
#define PCC_RATE_ONE ((uint32_t)1 << PCC_RATE_BITS) /* line rate */
#define PCC_PARAMS_MAX 13
#define PCC_REORDER_NS 1000000 /* events come this late at most */
#define PCC_ACCEPTED (-1)

enum pcc_type {
    PCC_FIRST = 1, /* the flow's first packet */
    PCC_TX,        /* a burst of it was sent */
    PCC_CNP,
    PCC_ACK, /* with a signal of the path's load, or none */
    PCC_NACK /* or a timeout: packets were lost */
};

typedef struct pcc_event {
    uint64_t now_ns;
    uint32_t bytes;   /* TX: of the burst; where bursts are merged, of all */
    uint32_t seq;     /* ACK, NACK: that it acknowledges */
    uint32_t snd_nxt; /* ACK, NACK: next to be sent, as seq */
    uint32_t value;   /* ACK: Q20 of a utilisation, ns of a delay */
    uint8_t signal;   /* ACK: ROCECC_HPCC_UTILISATION, _DELAY, _DRAIN; 0: none */
    uint8_t ecn;      /* ACK: ROCECC_HPCC_ECN_... */
    uint8_t type;     /* a pcc_type; another one lets time pass, no more */
} pcc_event;

/* A place in the array of parameters, which a management tool shows and sets. */
typedef struct pcc_param {
    const char *name;
    uint32_t min, standard, max;
    uint8_t refusal; /* the library's, for what depends on other parameters, too */
} pcc_param;

/* What all flows of a port share. */
typedef struct pcc pcc;

typedef struct pcc_algorithm {
    const char *name;
    const pcc_param *params;
    uint32_t n_params;
    int (*init)(pcc *s, const uint32_t *value);
    uint64_t (*step)(const pcc *s, uint8_t *context, const pcc_event *e);
} pcc_algorithm;

struct pcc {
    const pcc_algorithm *algorithm;
    uint64_t inverse; /* 2^63 / line */
    uint32_t least;   /* of the fractions returned */
    union {
        rocecc_dcqcn_params dcqcn;
        rocecc_hpcc_params hpcc;
    } of;
};

extern const pcc_algorithm pcc_dcqcn, pcc_hpcc;

/* In every array. */
enum { PCC_LINE_MBPS = 0, PCC_MIN_MBPS = 1 };

void pcc_standard(const pcc_algorithm *a, uint32_t *value);

/* Checks values, and prepares *s by them. Otherwise which one is refused, and *s is as
 * it was. */
int pcc_init(pcc *s, const pcc_algorithm *a, const uint32_t *value);

/* The new rate of a flow, of PCC_RATE_ONE; never 0. */
uint32_t pcc_step(const pcc *s, uint8_t context[PCC_CONTEXT_BYTES], const pcc_event *e);

/* For the algorithms. */

/* The parameter that a refusal of the library's is about. */
int pcc_refused(const pcc_algorithm *a, int refusal);

/* The time of an event, of which a late one is of the time that the flow has come to:
 * the past cannot be done again, and none of it may count twice. */
uint64_t pcc_now_ns(uint64_t last_ns, uint64_t now_ns);

#endif /* EXAMPLES_PCC_H */
