/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/acl.h"

#include "algo.h"

#include <string.h>

#define ENTRIES 16384

/*
 * `build` makes the added entries the list for lookups, if rocecc_acl_init() accepts
 * them. Addresses and prefixes are XORed with the words w0 to w3 (0 by default), so
 * that a trace can draw them. cut=1 clears the prefix's bits after the length.
 */
typedef struct args {
    rocecc_ip6 prefix;
    rocecc_ip6 address;
    uint32_t w0, w1, w2, w3;
    uint32_t tag;
    uint8_t length;
    uint8_t permit;
    uint8_t cut;
} args;

typedef struct action {
    uint8_t refusal;
    uint32_t at;
    bool permit;
    bool found;
    uint8_t length;
    uint32_t tag;
} action;

typedef struct state {
    uint32_t added;
    uint32_t listed;
    uint32_t permitted; /* permitted lookups */
    uint32_t tag_sum;   /* sum of all matches' tags, mod 2^32, so a trace checks each */
    rocecc_acl acl;
    rocecc_acl_entry given[ENTRIES];
    rocecc_acl_entry list[2][ENTRIES]; /* the list in force, and the next one */
    uint8_t in_force;
} state;

static const field action_fields[] = {
    FIELD_ROW(action, ENUM, refusal, ROCECC_ACL_REFUSAL_NAMES)
        FIELD_ROW(action, UINT, at, NULL) ROCECC_ACL_MATCH_FIELDS(FIELD_ROW, action)};
static const field state_fields[] = {
    FIELD_ROW(state, UINT, added, NULL) FIELD_ROW(state, UINT, listed, NULL)
        FIELD_ROW(state, UINT, permitted, NULL) FIELD_ROW(state, UINT, tag_sum, NULL)};

#define WORDS                                                                          \
    FIELD_ROW(args, UINT, w0, NULL)                                                    \
    FIELD_ROW(args, UINT, w1, NULL)                                                    \
    FIELD_ROW(args, UINT, w2, NULL)                                                    \
    FIELD_ROW(args, UINT, w3, NULL)
static const field add_args[] = {ROCECC_ACL_ENTRY_FIELDS(FIELD_ROW, args)
                                     FIELD_ROW(args, UINT, cut, NULL) WORDS};
static const field lookup_args[] = {FIELD_ROW(args, IP6, address, NULL) WORDS};

enum { ADD, BUILD, CLEAR, LOOKUP };
static const algo_event events[] = {{"add", add_args, ALGO_COUNT(add_args)},
                                    {"build", NULL, 0},
                                    {"clear", NULL, 0},
                                    {"lookup", lookup_args, ALGO_COUNT(lookup_args)}};

static rocecc_ip6 drawn(rocecc_ip6 a, const args *of)
{
    const uint32_t w[4] = {of->w0, of->w1, of->w2, of->w3};
    size_t i;
    for (i = 0; i < sizeof a.b; i++)
        a.b[i] ^= (uint8_t)(w[i / 4] >> (24 - 8 * (i % 4)));
    return a;
}

static void add(state *s, const args *a, action *act)
{
    rocecc_acl_entry *e = &s->given[s->added];
    unsigned i;
    act->at = s->added;
    if (s->added == ENTRIES) {
        act->refusal = ROCECC_ACL_REFUSED_MANY;
        return;
    }
    memset(e, 0, sizeof *e);
    e->prefix = drawn(a->prefix, a);
    e->length = a->length;
    e->permit = a->permit;
    e->tag = a->tag;
    for (i = a->length; a->cut != 0 && i < 128; i++)
        e->prefix.b[i / 8] &= (uint8_t) ~(0x80u >> (i % 8));
    s->added++;
}

static void build(state *s, action *act)
{
    rocecc_acl_entry *next = s->list[!s->in_force];
    memcpy(next, s->given, s->added * sizeof *next);
    act->refusal = (uint8_t)rocecc_acl_init(&s->acl, next, s->added, &act->at);
    if (act->refusal != ROCECC_ACL_ACCEPTED) return;
    s->in_force = !s->in_force;
    s->listed = s->acl.n;
}

static void step(const void *p, void *run, size_t event, const void *arguments,
                 void *result)
{
    state *s = run;
    const args *a = arguments;
    action *act = result;
    (void)p;
    if (event == ADD) {
        add(s, a, act);
    } else if (event == BUILD) {
        build(s, act);
    } else if (event == CLEAR) {
        s->added = 0;
    } else {
        const rocecc_ip6 address = drawn(a->address, a);
        const rocecc_acl_result m = rocecc_acl_lookup(&s->acl, &address);
        act->permit = m.permit;
        act->found = m.found;
        act->length = m.length;
        act->tag = m.tag;
        s->permitted += m.permit;
        s->tag_sum += m.tag;
    }
}

static void set_empty(void *p, uint64_t link_bps)
{
    (void)p;
    (void)link_bps;
}

static const algo_preset presets[] = {{"empty", set_empty}};

static unsigned init(void *p, void *run)
{
    (void)p;
    memset(run, 0, sizeof(state));
    return 0;
}

const algo algo_acl = {algo_name_acl,
                       "prefixes that permit or deny; the longest match decides",
                       NULL,
                       0,
                       presets,
                       ALGO_COUNT(presets),
                       events,
                       ALGO_COUNT(events),
                       action_fields,
                       ALGO_COUNT(action_fields),
                       state_fields,
                       ALGO_COUNT(state_fields),
                       ROCECC_ACL_REFUSAL_NAMES,
                       0,
                       sizeof(args),
                       sizeof(action),
                       sizeof(state),
                       init,
                       step};
