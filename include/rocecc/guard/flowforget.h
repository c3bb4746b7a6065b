/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_FLOWFORGET_H
#define ROCECC_GUARD_FLOWFORGET_H

/*
 * flowforget.h - removes flows from the flow table before they expire, for example when
 * a port goes down, a MAC moves, or a VRF is deleted.
 *
 *     conditions = PORT              port 7 went down
 *     conditions = MAC | OTHER_PORT  this MAC moved to port 9
 *     conditions = VRF               VRF 3 was deleted
 *
 *     for (i = 0; i < params.buckets; i++)              8 slots per call,
 *         rocecc_flowforget_step(&f, &t, &memory, i);   when the host has time
 *
 * Example: port 7 goes down with 1,000 flows in 4,096 buckets. After 4,096 calls,
 * lookups of these flows no longer return FOUND, and a CNM for such a flow results in
 * NO_ENTRY. Without these calls, the flows stay in the table until they expire. The
 * host must first stop learning such flows, because a new flow could be placed in a
 * bucket that has already been searched. See FT-13 in README.md.
 */
#include "flowtable.h"

/* Condition bits. A flow is removed if it meets all conditions that are set. */
typedef enum rocecc_flowforget_condition {
    ROCECC_FLOWFORGET_PORT = 1,       /* from this port */
    ROCECC_FLOWFORGET_OTHER_PORT = 2, /* from any other port */
    ROCECC_FLOWFORGET_MAC = 4,        /* from this mac_sa */
    ROCECC_FLOWFORGET_VRF = 8
} rocecc_flowforget_condition;

typedef struct rocecc_flowforget_filter {
    uint8_t conditions; /* bits of rocecc_flowforget_condition; 0 or an unknown bit
                           matches no flow */
    uint16_t vrf;
    uint32_t port;
    rocecc_mac mac;
} rocecc_flowforget_filter;

/* Returns true if a flow matches the filter. */
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
 * Removes the flows in one bucket that match the filter, whether or not they have
 * expired, and empties their slots. `bucket` must be below params.buckets. Bit i of the
 * result is set if slot 8 * bucket + i was emptied. The caller must drop its own data
 * for these slots.
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
