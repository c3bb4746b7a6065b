/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_RATE_H
#define ROCECC_TELEMETRY_RATE_H

/*
 * rate.h - a table of link rates by hop id. It is for networks whose links have
 * different rates and whose records contain no rate.
 *
 *   sorted by id               rate        Example: all interfaces of node 7 have
 *   0x00000007_00000003   800 Gb/s         400 Gb/s, except interface 3. The entry
 *   0x00000007_ffffffff   400 Gb/s         ..._ffffffff applies to each interface
 *   0x00000009_00000001   100 Gb/s         without its own entry. Node 8 has no rate.
 *
 * The rate in an entry overrides the rate from a record or a configuration. A hop that
 * is not in the table keeps its rate from the record or the configuration. If a hop has
 * no rate at all, ROCECC_HOP_RATE is not set. In a table for CSIG, each id is a
 * locator, written as an interface of node 0.
 *
 * Memory: 16 bytes per entry, which the caller provides. The library does not change
 * the entries. A lookup needs at most two searches, each with log2(n) + 1 comparisons,
 * and no division.
 */
#include "../algo/hop.h"

#ifndef ROCECC_TELEMETRY_RATES_MAX
#define ROCECC_TELEMETRY_RATES_MAX ((uint32_t)1 << 20) /* maximum; keep below 2^31 */
#endif

/*
 * Interface number in the entry for a whole node. This entry applies to each interface
 * without an entry of its own. No record reports this number, because it is all ones.
 */
#define ROCECC_TELEMETRY_ANY_INTERFACE 0xffffffffu

typedef enum rocecc_telemetry_rates_refusal {
    ROCECC_TELEMETRY_RATES_ACCEPTED = 0,
    ROCECC_TELEMETRY_RATES_REFUSED_MANY, /* more than ROCECC_TELEMETRY_RATES_MAX */
    ROCECC_TELEMETRY_RATES_REFUSED_RATE, /* 0, or at least ROCECC_RATE_END_BPS */
    ROCECC_TELEMETRY_RATES_REFUSED_ORDER /* an id is not above the previous id */
} rocecc_telemetry_rates_refusal;

typedef struct rocecc_telemetry_rate {
    uint64_t id; /* id of a rocecc_hop, or a CSIG locator */
    uint64_t rate_bps;
} rocecc_telemetry_rate;
ROCECC_SIZE_(rocecc_telemetry_rate, 16);

/*
 * A table that is ready for lookups. Lookups do not change it. The table points to its
 * entries. A BPF map or shared memory needs to hold only the entries and n, because
 * rocecc_telemetry_rates_attach() can make a new table from them.
 */
typedef struct rocecc_telemetry_rates {
    const rocecc_telemetry_rate *entries; /* sorted by id */
    uint32_t n;
    /* set by attach() */
    uint32_t half; /* first search step: largest power of two <= n; 0 if n is 0 */
} rocecc_telemetry_rates;

/*
 * Returns the entry at `index`. Before Linux 6.8, the BPF verifier tracked only
 * comparisons with constants. A BPF program for such a kernel can bound the index by
 * defining ROCECC_TELEMETRY_RATES_BPF_ENTRIES as a power of two.
 */
ROCECC_FN const rocecc_telemetry_rate *
rocecc_telemetry_rate_at_(const rocecc_telemetry_rate *entries, size_t index)
{
#if defined(__bpf__) && defined(ROCECC_TELEMETRY_RATES_BPF_ENTRIES)
    ROCECC_BPF_MASK_(index, ROCECC_TELEMETRY_RATES_BPF_ENTRIES - 1);
#endif
    return &entries[index];
}

/*
 * Returns a table of the n_entries entries at `entries`. rocecc_telemetry_rates_init()
 * must have accepted them. If n_entries is 0, the table has no rates, and `entries` may
 * be NULL.
 */
ROCECC_FN rocecc_telemetry_rates
rocecc_telemetry_rates_attach(const rocecc_telemetry_rate *entries, uint32_t n_entries)
{
    rocecc_telemetry_rates t;
    uint32_t half = n_entries;
    half |= half >> 1;
    half |= half >> 2;
    half |= half >> 4;
    half |= half >> 8;
    half |= half >> 16;
    t.entries = entries;
    t.n = n_entries;
    t.half = half - (half >> 1); /* the highest bit of n_entries */
    return t;
}

/*
 * Checks n_entries entries, and sets *out to a table of them. The caller must have
 * sorted the entries by id. Returns MANY if there are too many entries, RATE or ORDER
 * for the first invalid entry, and otherwise ACCEPTED. If both the rate and the order
 * of the first invalid entry are wrong, the result is RATE. Unless the result is
 * ACCEPTED, *out is unchanged.
 */
ROCECC_FN rocecc_telemetry_rates_refusal
rocecc_telemetry_rates_init(const rocecc_telemetry_rate *entries, uint32_t n_entries,
                            rocecc_telemetry_rates *out)
{
    uint32_t i;
    if (n_entries > ROCECC_TELEMETRY_RATES_MAX)
        return ROCECC_TELEMETRY_RATES_REFUSED_MANY;
    for (i = 0; i < n_entries; i++) {
        const rocecc_telemetry_rate *e = rocecc_telemetry_rate_at_(entries, i);
        if (e->rate_bps == 0 || e->rate_bps >= ROCECC_RATE_END_BPS)
            return ROCECC_TELEMETRY_RATES_REFUSED_RATE;
        if (i > 0 && e->id <= rocecc_telemetry_rate_at_(entries, i - 1)->id)
            return ROCECC_TELEMETRY_RATES_REFUSED_ORDER;
    }
    *out = rocecc_telemetry_rates_attach(entries, n_entries);
    return ROCECC_TELEMETRY_RATES_ACCEPTED;
}

/* Returns the rate of the entry with exactly this id, or 0 if no entry has this id. */
ROCECC_FN uint64_t rocecc_telemetry_rates_find_(const rocecc_telemetry_rates *rates,
                                                uint64_t id)
{
    uint32_t below = 0, step = rates->half, k; /* below: number of ids up to `id` */
    for (k = 0; k < 32 && step > 0; k++) {
        const uint32_t i = below + (step - 1);
        if (i < rates->n && rocecc_telemetry_rate_at_(rates->entries, i)->id <= id)
            below = i + 1;
        step >>= 1;
    }
    if (below == 0 || below > rates->n) return 0;
    if (rocecc_telemetry_rate_at_(rates->entries, below - 1)->id != id) return 0;
    return rocecc_telemetry_rate_at_(rates->entries, below - 1)->rate_bps;
}

/*
 * Returns the rate in the id's own entry. If the id has no entry, returns the rate in
 * the entry for the whole node, or 0 if that entry is missing as well. Stays within the
 * table even if entries are corrupted.
 */
ROCECC_FN uint64_t rocecc_telemetry_rates_lookup(const rocecc_telemetry_rates *rates,
                                                 uint64_t id)
{
    const uint64_t rate_bps = rocecc_telemetry_rates_find_(rates, id);
    if (rate_bps != 0) return rate_bps;
    return rocecc_telemetry_rates_find_(rates, id | ROCECC_TELEMETRY_ANY_INTERFACE);
}

/*
 * Sets the rate of a hop from the table. The caller must call this function for each
 * hop of a path. Returns false, with *hop unchanged, if the hop has no id or if the
 * table has no rate for this id.
 */
ROCECC_FN bool rocecc_telemetry_rates_apply(const rocecc_telemetry_rates *rates,
                                            rocecc_hop *hop)
{
    uint64_t rate_bps = 0;
    if ((hop->valid & ROCECC_HOP_ID) != 0)
        rate_bps = rocecc_telemetry_rates_lookup(rates, hop->id);
    if (rate_bps == 0) return false;
    hop->rate_bps = rate_bps;
    hop->valid |= ROCECC_HOP_RATE;
    return true;
}

#endif /* ROCECC_TELEMETRY_RATE_H */
