/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTROCE_H
#define SOFTROCE_H

/*
 * softroce.h - the maps that sender.c and receiver.c, in the kernel, share with
 * softroce.c, in user space.
 *
 *   both      config  1 x softroce_config
 *             qps     a QP of this host -> the QP at its other end. softroce.c reads
 *                     them from the kernel
 *             counts  SOFTROCE_COUNTS x uint64_t, on each CPU
 *   sender    flows   rocecc_reaction_key -> softroce_flow. The key is the other end's
 *                     address and QP, as in data packets and Fast CNPs (FC-16)
 *   receiver  gates   a QP of this host -> rocecc_cnpgate
 *             trace   1 x softroce_trace, the last one that was removed
 */
#include <linux/bpf.h>

#define SOFTROCE_ENTRIES 64 /* in the access list; a power of 2 */
#define SOFTROCE_FLOWS 4096
#define SOFTROCE_IOAM_BYTES 40 /* options header for three nodes of two words */
#define ROCECC_ACL_BPF_ENTRIES SOFTROCE_ENTRIES

#include "rocecc/algo/dcqcn.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/reaction_point.h"

typedef enum softroce_count {
    SOFTROCE_VERDICTS = 0, /* sender: one per rocecc_reaction_verdict */
    SOFTROCE_ANSWERS =
        ROCECC_REACTION_VERDICTS, /* receiver: one per rocecc_notification_verdict */
    SOFTROCE_NO_QP =              /* CE or a CNP for a QP ... */
    SOFTROCE_ANSWERS + ROCECC_NOTIFICATION_VERDICTS, /* ... with an unknown other end */
    SOFTROCE_NO_FLOW,    /* sender: a CNP for a flow that is not in `flows` */
    SOFTROCE_UNSEEN,     /* sender: a possible Fast CNP beyond the header walk */
    SOFTROCE_PUT_OFF,    /* sender: due events may be left to the next packet */
    SOFTROCE_BUSY,       /* sender: another CPU had the flow; the packet is unpaced */
    SOFTROCE_TRACES,     /* traces that were put into data, or removed */
    SOFTROCE_FAILED,     /* no room for a flow; a clone was not sent */
    SOFTROCE_ERRORS_DUE, /* sender: ICMP and ICMPv6 errors that are not sent */
    SOFTROCE_ARRIVALS,   /* sender: reasons for BAD_ARRIVAL; then admission verdicts */
    SOFTROCE_ADMISSIONS = SOFTROCE_ARRIVALS + ROCECC_ARRIVAL_VERDICTS,
    SOFTROCE_COUNTS = SOFTROCE_ADMISSIONS + ROCECC_ADMISSION_VERDICTS
} softroce_count;

typedef struct softroce_config {
    rocecc_domain domain;
    rocecc_dcqcn_params dcqcn;               /* sender */
    rocecc_reaction_config reaction;         /* sender: its gate */
    rocecc_notification_config notification; /* receiver */
    uint8_t ioam[SOFTROCE_IOAM_BYTES]; /* sender: a header that requests a trace, ... */
    uint32_t asks;                     /* ... if this is not 0 */
    uint32_t deaf;                     /* sender: CNPs change nothing */
    uint32_t n;                        /* in the access list */
    rocecc_acl_entry entries[SOFTROCE_ENTRIES];
} softroce_config;

/* A received options header with a trace. */
typedef struct softroce_trace {
    uint8_t header[SOFTROCE_IOAM_BYTES];
} softroce_trace;

/* The timers of dcqcn.h, in the order of ROCECC_DCQCN_TIMER_... */
enum { SOFTROCE_ALPHA, SOFTROCE_CUT, SOFTROCE_INCREASE, SOFTROCE_TIMERS };

/* State of a flow at the sender. Only its owner writes it, except for heard_ns and
 * `heard`, which `hear` writes. */
typedef struct softroce_flow {
    uint64_t due_ns[SOFTROCE_TIMERS]; /* deadline; 0: the timer is stopped */
    uint64_t last_ns;                 /* departure of the last packet */
    uint64_t heard_ns;                /* arrival of the last CNP, ... */
    uint64_t packets, bytes, cnps, cuts;
    rocecc_dcqcn rate;
    uint32_t heard; /* ... and number of CNPs; `cnps` of them are handled */
    uint32_t owner; /* 1: a CPU works on it */
    uint32_t
        last_bytes; /* length of the last packet, for the departure time of the next */
} softroce_flow;

#endif /* SOFTROCE_H */
