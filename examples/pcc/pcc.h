/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_PCC_H
#define EXAMPLES_PCC_H

/*
 * pcc.h - congestion control for a programmable NIC. The NIC makes one call per event
 * of a flow, with the 48 bytes that it keeps for the flow. The call returns the flow's
 * new rate.
 *
 *     pcc_step(&port, context, &event)  ->  0x80000: half of line rate
 *
 * Example: with pcc_dcqcn's standard values (100 Gb/s), a flow sends at line rate,
 * 0x100000. Its first CNP arrives. 4 us later the next event of any type finds that the
 * cut is due, and the rate becomes 0x829ab, 51 % of line rate.
 *
 * There is no timer. An event has the time, and everything that has come due since the
 * last event is handled first. Events may be lost, repeated, merged or late. A context
 * must be all zero before the first event of its flow, whatever type that event has.
 */
#include "rocecc/rocecc.h"

#define PCC_CONTEXT_BYTES 48
#define PCC_RATE_BITS 20
#define PCC_RATE_ONE ((uint32_t)1 << PCC_RATE_BITS) /* line rate */
#define PCC_PARAMS_MAX 13
#define PCC_REORDER_NS 1000000 /* greatest delay of an event */
#define PCC_ACCEPTED (-1)

enum pcc_type {
    PCC_FIRST = 1, /* the flow's first packet */
    PCC_TX,        /* a burst of the flow was sent */
    PCC_CNP,
    PCC_ACK, /* with a load signal of the path, or without */
    PCC_NACK /* also for a timeout; packets were lost */
};

typedef struct pcc_event {
    uint64_t now_ns;
    uint32_t bytes;   /* TX: of the burst, or of all merged bursts */
    uint32_t seq;     /* ACK, NACK: acknowledged sequence number */
    uint32_t snd_nxt; /* ACK, NACK: next to be sent, in the units of seq */
    uint32_t value;   /* ACK: Q20 of a utilisation, ns of a delay */
    uint8_t signal;   /* ACK: ROCECC_HPCC_UTILISATION, _DELAY, _DRAIN; 0: none */
    uint8_t ecn;      /* ACK: ROCECC_HPCC_ECN_... */
    uint8_t type;     /* a pcc_type; for any other value only time passes */
} pcc_event;

/* An element of the array of parameters, for a management tool. */
typedef struct pcc_param {
    const char *name;
    uint32_t min, standard, max;
    uint8_t refusal; /* the library's, also if it depends on other parameters */
} pcc_param;

/* Data that all flows of a port share. */
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
    uint32_t least;   /* lower bound of the returned fractions */
    union {
        rocecc_dcqcn_params dcqcn;
        rocecc_hpcc_params hpcc;
    } of;
};

extern const pcc_algorithm pcc_dcqcn, pcc_hpcc;

/* Indices in every array. */
enum { PCC_LINE_MBPS = 0, PCC_MIN_MBPS = 1 };

void pcc_standard(const pcc_algorithm *a, uint32_t *value);

/*
 * Checks values, and prepares *s. Returns PCC_ACCEPTED, or the index of a refused
 * value. On a refusal *s is unchanged.
 */
int pcc_init(pcc *s, const pcc_algorithm *a, const uint32_t *value);

/* Returns a flow's new rate, from 1 to PCC_RATE_ONE, which is line rate. */
uint32_t pcc_step(const pcc *s, uint8_t context[PCC_CONTEXT_BYTES], const pcc_event *e);

/* Functions for the algorithms. */

/*
 * Returns the index of the parameter that a refusal of the library refers to, or
 * PCC_LINE_MBPS if no parameter has this refusal.
 */
int pcc_refused(const pcc_algorithm *a, int refusal);

/*
 * Returns the time of an event. An event that is late by at most PCC_REORDER_NS gets
 * the flow's last time, because no time may count twice.
 */
uint64_t pcc_now_ns(uint64_t last_ns, uint64_t now_ns);

#endif /* EXAMPLES_PCC_H */
