/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_JUDGE_H
#define ROCEDUMP_JUDGE_H

/*
 * judge.h - what a role would do with each packet of a capture: --judge. A role is a
 * row of a table in judge.c: which verdicts and members it has, how it starts, and what
 * it says of a packet. JSON, text and summary are made of these.
 */
#include <stdio.h>

#include "../lib/field.h"
#include "rocecc/rocecc.h"

/* What the roles have to know besides frames: --config judge.peer=yes and so on. */
typedef struct judge_knows {
    rocecc_reaction_peer peer; /* of the source of every CNP */
    uint32_t port;             /* where every frame came in */
} judge_knows;

/* The configurations of the roles: --config reaction.fastcnp_enabled=1 and so on. */
typedef struct judge_config {
    judge_knows knows;
    rocecc_reaction_config reaction;
    rocecc_srv6_pe_config srv6_pe;
    rocecc_arn_gate_config arn_gate;
    rocecc_l3qcn_tor_config l3qcn_tor;
} judge_config;

typedef struct judge_role judge_role;

/* The ICMP error that a verdict asks for. */
typedef struct judged_icmp {
    uint8_t version; /* of IP: 4 or 6 */
    uint8_t type;
    uint8_t code;
    uint16_t offset; /* of the IP header in question, in the frame */
    uint32_t value;  /* pointer, or MTU */
} judged_icmp;

/* What a role says of one packet; its row says which members it has. */
typedef struct judged {
    const judge_role *role;
    uint8_t verdict;
    bool has_src;
    bool has_why;
    bool has_arrival;
    bool has_admission;
    bool has_icmp;
    bool has_detail; /* the key or the notice */
    bool listed;
    uint8_t answer;
    uint8_t why;
    uint8_t arrival;   /* why it may not end here */
    uint8_t admission; /* by which limit it is not admitted */
    uint8_t alarm;
    uint8_t from;
    uint32_t tag;
    uint32_t port;
    rocecc_ip6 src; /* of the last IP header */
    judged_icmp icmp;
    rocecc_reaction_key key;
    rocecc_pause_notice notice;
} judged;

/* access.c: the prefixes of a file, to be freed by nobody. */
typedef struct access_list {
    rocecc_acl_entry *entries;
    rocecc_acl acl;
    uint32_t tag_max;
} access_list;

/* False where the file is bad, and said so. */
bool access_read(access_list *list, const char *path);

typedef struct judge judge;

/* The judge that is a role of that name, with that list; NULL: there is no such role.
 * There is one judge. */
judge *judge_of(const char *role, const access_list *access);

/* Why the role refuses its configuration; NULL: it does not. Once, before packets. */
const char *judge_refused(judge *j, judge_config *c, const rocecc_domain *d);

/* Judges a packet, which came at that time. */
void judge_packet(judge *j, const judge_config *c, const rocecc_packet *p,
                  uint64_t now_ns, judged *out);

/* Adds a judgement to the counts of judge_summary(). Call it only for shown packets. */
void judge_count(judge *j, const judged *is);

/* The settings of a laboratory. */
void judge_default(judge_config *c);

/* What JSON has of a judgement: members, and perhaps records, which may be null. */
typedef struct judge_members {
    const field *fields;
    size_t n;
    const struct layer_kind *icmp;
    const struct layer_kind *detail;
    size_t detail_at; /* in struct judged */
} judge_members;

const judge_members *judge_members_of(const judged *is);

/* The same of role i, or NULL: there are fewer. */
const judge_members *judge_members_at(size_t i);

/* Whether a judgement has that member, or null instead. */
bool judge_has(const judged *is, const field *f);

/* FAST_PLAIN; a line of text; a line for each verdict that there was. */
void judge_verdict(const judged *is, FILE *out);
void judge_text(const judged *is, FILE *out);
void judge_summary(const judge *j, FILE *out);

#endif /* ROCEDUMP_JUDGE_H */
