/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GATE_H
#define GATE_H

/*
 * gate.h - what gate_xdp.c, in the kernel, shares with gate.c, outside of it: the maps.
 *
 *   config  2 x gate_config: one is in force, the other for gate.c to fill
 *   slot    1 x uint32_t: which one is in force. One store: no packet sees half a list
 *   bucket  1 x gate_bucket: of all Fast CNPs
 *   sources GATE_ENTRIES x gate_source: of each prefix, by its tag
 *   counts  GATE_COUNTS x uint64_t, on each CPU
 *   where   1 x rocecc_headers, on each CPU: of the packet that it looks at
 *   said    1 x rocecc_reaction_result, on each CPU: what has been found out about it
 *
 * As the kernel makes them, they are all 0: disabled (FC-22).
 */
#include <linux/bpf.h>

#define GATE_ENTRIES 4096
#define ROCECC_ACL_BPF_ENTRIES GATE_ENTRIES

#include "rocecc/role/reaction_point.h"

typedef enum gate_verdict {
    GATE_OTHER = 0,   /* pass: no CNP */
    GATE_ORDINARY,    /* pass: a CNP that has no Fast CNP option */
    GATE_FAST,        /* pass: a Fast CNP that may slow its flow down */
    GATE_BORDER,      /* drop, and so on: a Fast CNP that crosses a border */
    GATE_UNSEEN,      /* may be a Fast CNP, where walk.h cannot look */
    GATE_DISABLED,    /* a Fast CNP, and they are off */
    GATE_MALFORMED,   /* two options, one of a wrong length, ... */
    GATE_UNSUPPORTED, /* an unknown option, too many, too much padding, ... */
    GATE_ACCESS,      /* its source is not on the list, or denied */
    GATE_TUNNEL,      /* a CNP in IP in IP */
    GATE_ARRIVAL,     /* a CNP that may not end at this host */
    GATE_FLOW,        /* its source says of itself that it is the flow's receiver */
    GATE_OPCODE,      /* the option, in what is no CNP */
    GATE_SOURCE,      /* its prefix has no token left, */
    GATE_VERIFY,      /* or none for an ICRC to be checked */
    GATE_SHARED,      /* there is no token left for all */
    GATE_ICRC,        /* its ICRC is wrong */
    GATE_VERDICTS
} gate_verdict;

/* Counters: verdicts, why packets may not arrive, and errors that nobody has sent. */
enum {
    GATE_ARRIVALS = GATE_VERDICTS,
    GATE_ERRORS_DUE = GATE_ARRIVALS + ROCECC_ARRIVAL_VERDICTS,
    GATE_COUNTS
};

typedef struct gate_config {
    rocecc_reaction_config reaction; /* of the host, with its limits */
    rocecc_domain domain;            /* option types and layout */
    uint32_t n;                      /* of the access list: rocecc_acl_attach() */
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
