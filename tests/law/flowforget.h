/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_FLOWFORGET_H
#define TESTS_LAW_FLOWFORGET_H

#include "draw.h"
#include "rocecc/guard/flowforget.h"

/*
 * A run has up to LAW_FLOWFORGET_EVENTS buckets, each made from 29 bytes.
 *
 *   0      conditions, rarely with an unknown bit
 *   1-4    port
 *   5-6    vrf
 *   7-12   MAC
 *   13-28  2 bytes per slot; the first has taken, other port, MAC, VRF (1 bit each),
 *          the second selects the changed bit
 */
#define LAW_FLOWFORGET_BYTES 29
#define LAW_FLOWFORGET_EVENTS 20

typedef struct law_flowforget_run {
    rocecc_flowforget_filter f;
    rocecc_flowtable_bucket bucket;
    rocecc_flowtable_slot slot[ROCECC_FLOWTABLE_WAYS];
    uint32_t used;    /* slots used in the table */
    uint32_t emptied; /* result of step() */
    uint32_t digest;
    uint8_t b[LAW_FLOWFORGET_BYTES];
} law_flowforget_run;

LAW_FN rocecc_mac law_flowforget_mac(uint64_t number)
{
    rocecc_mac m;
    int i;
    for (i = 0; i < 6; i++)
        m.b[i] = (uint8_t)(number >> (40 - 8 * i));
    return m;
}

/* Makes the filter and the bucket from the bytes. */
LAW_FN void law_flowforget_make(law_flowforget_run *run)
{
    const uint8_t *b = run->b;
    const uint64_t mac = (uint64_t)rocecc_load32(b + 7) << 16 | rocecc_load16(b + 11);
    uint32_t i;
    run->f.conditions = b[0] >= 0xe0 ? b[0] : b[0] & 15;
    run->f.port = rocecc_load32(b + 1);
    run->f.vrf = rocecc_load16(b + 5);
    run->f.mac = law_flowforget_mac(mac);
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
        const uint32_t how = b[13 + 2 * i], bit = b[14 + 2 * i];
        rocecc_flowtable_entry *e = &run->slot[i].entry;
        run->bucket.mark[i] = (uint16_t)((how & 1) << (bit & 15));
        e->origin.ingress_port = run->f.port ^ (how >> 1 & 1) << (bit & 31);
        e->origin.mac_sa =
            law_flowforget_mac(mac ^ (uint64_t)(how >> 2 & 1) << bit % 48);
        e->vrf = (uint16_t)(run->f.vrf ^ (how >> 3 & 1) << (bit & 15));
    }
}

/* Returns 1 if slot i must be emptied, or 0. */
LAW_FN uint32_t law_flowforget_goes(const law_flowforget_run *run, uint32_t i)
{
    const uint32_t how = run->b[13 + 2 * i], by = run->f.conditions;
    const uint32_t port = how >> 1 & 1, mac = how >> 2 & 1, vrf = how >> 3 & 1;
    /* Conditions that the slot does not meet. */
    const uint32_t misses = by & (port | (port ^ 1) << 1 | mac << 2 | vrf << 3);
    return how & (by != 0) & (by < 16) & (misses == 0);
}

/* Handles one bucket (FT-13). */
LAW_PART uint32_t law_flowforget_step(law_flowforget_run *run)
{
    rocecc_flowtable_memory mem;
    rocecc_flowtable t;
    if (run == NULL) return LAW_BROKEN;
    mem.bucket = &run->bucket;
    mem.slot = run->slot;
    law_flowforget_make(run);
    LAW_FORGET(run);
    t.used = run->used;
    t.next = 7;
    run->emptied = rocecc_flowforget_step(&run->f, &t, &mem, 0);
    LAW(t.next == 7);
    run->used = t.used;
    run->digest = law_mix(run->digest, (uint64_t)run->emptied << 32 | t.used);
    return run->digest;
}

/* Checks that exactly the expected slots are empty. Their entries stay readable. */
LAW_PART uint32_t law_flowforget_judge(const law_flowforget_run *run, uint32_t before)
{
    uint32_t n = 0, i;
    if (run == NULL) return LAW_BROKEN;
    for (i = 0; i < ROCECC_FLOWTABLE_WAYS; i++) {
        const uint32_t how = run->b[13 + 2 * i], bit = run->b[14 + 2 * i];
        const uint32_t goes = law_flowforget_goes(run, i);
        LAW((run->emptied >> i & 1) == goes);
        LAW(run->bucket.mark[i] == ((how & 1) << (bit & 15)) * (goes ^ 1));
        LAW(run->slot[i].entry.origin.ingress_port ==
            (run->f.port ^ (how >> 1 & 1) << (bit & 31)));
        n += goes;
    }
    LAW(run->used == before - n);
    return LAW_START;
}

/* Checks that exactly the matching slots of any bucket are emptied. */
LAW_FN uint32_t law_flowforget(rocecc_reader r)
{
    LAW_KEPT law_flowforget_run run;
    uint32_t used;
    int k;
    run.used = LAW_FLOWFORGET_EVENTS * ROCECC_FLOWTABLE_WAYS;
    run.digest = LAW_START;
    for (k = 0; k < LAW_FLOWFORGET_EVENTS; k++) {
        const uint8_t *b = rocecc_take(&r, LAW_FLOWFORGET_BYTES);
        size_t i;
        if (b == NULL) break;
        for (i = 0; i < LAW_FLOWFORGET_BYTES; i++)
            run.b[i] = b[i];
        LAW_FORGET(&run);
        used = run.used;
        if (law_flowforget_step(&run) == LAW_BROKEN) return LAW_BROKEN;
        if (law_flowforget_judge(&run, used) == LAW_BROKEN) return LAW_BROKEN;
    }
    return run.digest;
}

#endif /* TESTS_LAW_FLOWFORGET_H */
