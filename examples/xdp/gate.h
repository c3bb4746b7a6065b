/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GATE_H
#define GATE_H

/*
 * gate.h - the maps that gate_xdp.c in the kernel and gate.c in user space share.
 *
 *   config  2 x gate_config, one in force and one for gate.c to fill
 *   slot    1 x uint32_t, the one in force. With one store, no packet sees half a list
 *   bucket  1 x gate_bucket for all Fast CNPs
 *   sources GATE_ENTRIES x gate_source, for each prefix, by its tag
 *   counts  GATE_COUNTS x uint64_t on each CPU
 *   where   1 x rocecc_headers on each CPU, of the current packet
 *   said    1 x rocecc_reaction_result on each CPU, of the current packet
 *
 * The kernel makes them all 0, so Fast CNP is disabled (FC-22).
 */
#include <linux/bpf.h>

#define GATE_ENTRIES 4096
#define ROCECC_ACL_BPF_ENTRIES GATE_ENTRIES

#include "rocecc/role/reaction_point.h"

typedef enum gate_verdict {
    GATE_OTHER = 0,   /* pass: not a CNP; at a border, not a Fast CNP */
    GATE_ORDINARY,    /* pass: a CNP without a Fast CNP option */
    GATE_FAST,        /* pass: a Fast CNP that may slow down its flow */
    GATE_BORDER,      /* drop, like all below: a Fast CNP that crosses a border */
    GATE_UNSEEN,      /* may be a Fast CNP that cannot be parsed */
    GATE_DISABLED,    /* a Fast CNP, but Fast CNP is off */
    GATE_MALFORMED,   /* two options, one of a wrong length, ... */
    GATE_UNSUPPORTED, /* an unknown option, too many, too much padding, ... */
    GATE_ACCESS,      /* its source is not on the list, or denied */
    GATE_TUNNEL,      /* a CNP in IP in IP */
    GATE_ARRIVAL,     /* a CNP that may not end at this host */
    GATE_FLOW,        /* its option names its source as the receiver */
    GATE_OPCODE,      /* the option, but not in a CNP */
    GATE_SOURCE,      /* its prefix has no token left */
    GATE_VERIFY,      /* its prefix has none for an ICRC check */
    GATE_SHARED,      /* the shared bucket has no token left */
    GATE_ICRC,        /* its ICRC is wrong */
    GATE_VERDICTS
} gate_verdict;

/* Counters: verdicts, reasons for GATE_ARRIVAL, and errors due but not sent. */
enum {
    GATE_ARRIVALS = GATE_VERDICTS,
    GATE_ERRORS_DUE = GATE_ARRIVALS + ROCECC_ARRIVAL_VERDICTS,
    GATE_COUNTS
};

typedef struct gate_config {
    rocecc_reaction_config reaction; /* the host's, with its limits */
    rocecc_domain domain;            /* option types and layout */
    uint32_t n; /* length of the access list: rocecc_acl_attach() */
    rocecc_acl_entry entries[GATE_ENTRIES];
} gate_config;

typedef struct gate_bucket {
    struct bpf_spin_lock lock;
    rocecc_tokenbucket tokens;
} gate_bucket;

typedef struct gate_source {
    struct bpf_spin_lock lock;
    rocecc_admission_source buckets;
} gate_source;

#endif /* GATE_H */
