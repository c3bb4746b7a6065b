/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTROCE_H
#define SOFTROCE_H

/*
 * softroce.h - what sender.c and receiver.c, in the kernel, share with softroce.c,
 * outside of it: the maps.
 *
 *   both      config  1 x softroce_config
 *             qps     a QP of this host -> the QP at its other end: softroce.c asks the
 *                     kernel for them
 *             counts  SOFTROCE_COUNTS x uint64_t, on each CPU
 *   sender    flows   rocecc_reaction_key -> softroce_flow: the other end's address and
 *                     QP, which are what a data packet and a Fast CNP both have (FC-16)
 *   receiver  gates   a QP of this host -> rocecc_cnpgate
 *             trace   1 x softroce_trace: the last one that was taken out
 */
#include <linux/bpf.h>

#define SOFTROCE_ENTRIES 64 /* of the access list; a power of 2 */
#define SOFTROCE_FLOWS 4096
#define SOFTROCE_IOAM_BYTES 40 /* of the options header: three nodes of two words */
#define ROCECC_ACL_BPF_ENTRIES SOFTROCE_ENTRIES

#include "rocecc/algo/dcqcn.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/reaction_point.h"

typedef enum softroce_count {
    SOFTROCE_VERDICTS = 0, /* sender: of the gate, a rocecc_reaction_verdict each; */
    SOFTROCE_ANSWERS =
        ROCECC_REACTION_VERDICTS, /* receiver: of rocecc_notification_result */
    SOFTROCE_NO_QP =              /* a CNP for, or about, a QP whose */
    SOFTROCE_ANSWERS + ROCECC_NOTIFICATION_VERDICTS, /* other end is not known */
    SOFTROCE_NO_FLOW, /* sender: a CNP about a flow that has sent nothing */
    SOFTROCE_UNSEEN,  /* sender: may be a Fast CNP, where the walk cannot look */
    SOFTROCE_PUT_OFF, /* sender: timers were due, and left to the next packet */
    SOFTROCE_BUSY,    /* sender: another CPU had the flow; the packet goes as it is */
    SOFTROCE_TRACES,  /* traces that were put into data, or taken out */
    SOFTROCE_FAILED,  /* a flow that does not fit in; a clone that is not made */
    SOFTROCE_ERRORS_DUE, /* sender: ICMP and ICMPv6 errors that are not sent */
    SOFTROCE_ARRIVALS,   /* sender: why CNPs may not arrive, and what admission says */
    SOFTROCE_ADMISSIONS = SOFTROCE_ARRIVALS + ROCECC_ARRIVAL_VERDICTS,
    SOFTROCE_COUNTS = SOFTROCE_ADMISSIONS + ROCECC_ADMISSION_VERDICTS
} softroce_count;

typedef struct softroce_config {
    rocecc_domain domain;
    rocecc_dcqcn_params dcqcn;               /* sender */
    rocecc_reaction_config reaction;         /* sender: whom to believe */
    rocecc_notification_config notification; /* receiver */
    uint8_t ioam[SOFTROCE_IOAM_BYTES]; /* sender: a header that asks for a trace, ... */
    uint32_t asks;                     /* ... if it does */
    uint32_t deaf;                     /* sender: CNPs change nothing */
    uint32_t n;                        /* of the access list */
    rocecc_acl_entry entries[SOFTROCE_ENTRIES];
} softroce_config;

/* An options header with a trace, as it came. */
typedef struct softroce_trace {
    uint8_t header[SOFTROCE_IOAM_BYTES];
} softroce_trace;

/* The timers of dcqcn.h, in the order of ROCECC_DCQCN_TIMER_... */
enum { SOFTROCE_ALPHA, SOFTROCE_CUT, SOFTROCE_INCREASE, SOFTROCE_TIMERS };

/* What the sender knows of a flow. Its owner alone writes it, but for `heard`. */
typedef struct softroce_flow {
    uint64_t due_ns[SOFTROCE_TIMERS]; /* a deadline; 0: the timer stands */
    uint64_t last_ns;                 /* when the last packet leaves */
    uint64_t heard_ns;                /* when the last CNP came, ... */
    uint64_t packets, bytes, cnps, cuts;
    rocecc_dcqcn rate;
    uint32_t heard; /* ... and how many, of which `cnps` have been acted on */
    uint32_t owner; /* 1: a CPU is at work on it */
    uint32_t
        last_bytes; /* of the last packet, which the next one follows by its time */
} softroce_flow;

#endif /* SOFTROCE_H */
