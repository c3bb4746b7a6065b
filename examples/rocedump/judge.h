/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_JUDGE_H
#define ROCEDUMP_JUDGE_H

/*
 * judge.h - judges each packet of a capture as a role would (--judge). A role is a row
 * of a table in judge.c, with verdicts, members and functions. JSON, text and summary
 * use this table.
 */
#include <stdio.h>

#include "../lib/field.h"
#include "rocecc/rocecc.h"

/* Inputs of the roles besides frames, such as --config judge.peer=yes. */
typedef struct judge_knows {
    rocecc_reaction_peer peer; /* for the source of every CNP */
    uint32_t port;             /* port where every frame came in */
} judge_knows;

/* The configurations of the roles, such as --config reaction.fastcnp_enabled=1. */
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
    uint8_t version; /* IP version, 4 or 6 */
    uint8_t type;
    uint8_t code;
    uint16_t offset; /* of the IP header in the frame */
    uint32_t value;  /* pointer, or MTU */
} judged_icmp;

/* A role's judgement of one packet. The role's row determines the members. */
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
    uint8_t arrival;   /* reason why it may not end here */
    uint8_t admission; /* limit that it exceeds */
    uint8_t alarm;
    uint8_t from;
    uint32_t tag;
    uint32_t port;
    rocecc_ip6 src; /* in the last IP header */
    judged_icmp icmp;
    rocecc_reaction_key key;
    rocecc_pause_notice notice;
} judged;

/* access.c: the prefixes of a file. They are never freed. */
typedef struct access_list {
    rocecc_acl_entry *entries;
    rocecc_acl acl;
    uint32_t tag_max;
} access_list;

/* Returns false, with a message, if the file is bad. */
bool access_read(access_list *list, const char *path);

typedef struct judge judge;

/*
 * Returns the judge for a role with this access list, or NULL for an unknown role.
 * There is only one judge.
 */
judge *judge_of(const char *role, const access_list *access);

/* Returns a message about an unknown role, with the known ones. */
const char *judge_expected(void);

/*
 * Returns why the role refuses its configuration, or NULL. Call it once, before
 * packets.
 */
const char *judge_refused(judge *j, judge_config *c, const rocecc_domain *d);

/* Judges a packet that arrived at now_ns. */
void judge_packet(judge *j, const judge_config *c, const rocecc_packet *p,
                  uint64_t now_ns, judged *out);

/* Adds a judgement to the counts of judge_summary(). Call it only for shown packets. */
void judge_count(judge *j, const judged *is);

/* Sets the defaults of a laboratory. */
void judge_default(judge_config *c);

/* The JSON members of a judgement. The records may be null. */
typedef struct judge_members {
    const field *fields;
    size_t n;
    const struct layer_kind *icmp;
    const struct layer_kind *detail;
    size_t detail_at; /* offset in struct judged */
} judge_members;

const judge_members *judge_members_of(const judged *is);

/* Returns the members of role i, or NULL if there are fewer. */
const judge_members *judge_members_at(size_t i);

/* Returns false if a judgement shows null for that member. */
bool judge_has(const judged *is, const field *f);

/* Prints a verdict such as FAST_PLAIN, a line of text, or a line per verdict so far. */
void judge_verdict(const judged *is, FILE *out);
void judge_text(const judged *is, FILE *out);
void judge_summary(const judge *j, FILE *out);

/*
 * Prints a table of the role's counters with their units. The counters include packets
 * that -Y hides.
 */
void judge_counters_print(const judge *j, FILE *out);

#endif /* ROCEDUMP_JUDGE_H */
