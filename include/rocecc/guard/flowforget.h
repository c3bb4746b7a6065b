/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_FLOWFORGET_H
#define ROCECC_GUARD_FLOWFORGET_H

/*
 * flowforget.h - what leaves the flow table before it expires: the flows of a port that
 * is down, of a MAC that has moved, of a VRF that is no more.
 *
 *     by = PORT                 port 7 went down
 *     by = MAC | OTHER_PORT     this MAC is at port 9 now: what it had elsewhere goes
 *     by = VRF                  VRF 3 was deleted
 *
 *     for (i = 0; i < params.buckets; i++)              bounded: 8 slots a call,
 *         rocecc_flowforget_step(&f, &t, &memory, i);   whenever the host has time
 *
 * Example: port 7 goes down with 1,000 flows in 4,096 buckets. After 4,096 calls none
 * of them is FOUND, and a CNM for one is NO_ENTRY; without, they are there until they
 * expire. A flow that is learned meanwhile may stand in a bucket that was already
 * asked: so the host first stops to learn from where they come. FT-13 of README.md.
 */
#include "flowtable.h"

/* Bits, each of which a flow has to meet that is to go. */
typedef enum rocecc_flowforget_condition {
    ROCECC_FLOWFORGET_PORT = 1,       /* it came from this port */
    ROCECC_FLOWFORGET_OTHER_PORT = 2, /* from any but this */
    ROCECC_FLOWFORGET_MAC = 4,
    ROCECC_FLOWFORGET_VRF = 8
} rocecc_flowforget_condition;

typedef struct rocecc_flowforget_filter {
    uint8_t conditions; /* of rocecc_flowforget_condition; 0 or an unknown bit: no flow
                           goes */
    uint16_t vrf;
    uint32_t port;
    rocecc_mac mac;
} rocecc_flowforget_filter;

/* Whether a flow is one of those that are to go. */
ROCECC_FN bool rocecc_flowforget_match_(const rocecc_flowforget_filter *filter,
                                        const rocecc_flowtable_entry *entry)
{
    unsigned meets = entry->origin.ingress_port == filter->port
                         ? ROCECC_FLOWFORGET_PORT
                         : ROCECC_FLOWFORGET_OTHER_PORT;
    if (rocecc_flowtable_mac_difference_(&entry->origin.mac_sa, &filter->mac) == 0)
        meets |= ROCECC_FLOWFORGET_MAC;
    if (entry->vrf == filter->vrf) meets |= ROCECC_FLOWFORGET_VRF;
    return filter->conditions != 0 && (filter->conditions & ~meets) == 0;
}

/*
 * Empties those slots of bucket `bucket`, below params.buckets, whose flows are to go,
 * expired or not. Bit i of what it returns is slot 8 at + i: what the caller keeps for
 * that goes, too.
 */
ROCECC_FN uint8_t rocecc_flowforget_step(const rocecc_flowforget_filter *filter,
                                         rocecc_flowtable *table,
                                         const rocecc_flowtable_memory *memory,
                                         size_t bucket)
{
    rocecc_flowtable_bucket *one = rocecc_flowtable_bucket_(memory, bucket);
    const rocecc_flowtable_slot *s = rocecc_flowtable_slots_(memory, bucket);
    uint32_t emptied = 0, i;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
        if (one->mark[i] == 0 || !rocecc_flowforget_match_(filter, &s[i].entry))
            continue;
        one->mark[i] = 0;
        emptied |= 1u << i;
        table->used--;
    }
    return (uint8_t)emptied;
}

#endif /* ROCECC_GUARD_FLOWFORGET_H */
