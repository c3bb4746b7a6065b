/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_RATE_H
#define ROCECC_TELEMETRY_RATE_H

/*
 * rate.h - the rates of the links of a network whose records do not have
 * them: a table by the id of a hop, for networks whose links are not all alike.
 *
 *   sorted by id               rate        Example: node 7 has 400 Gb/s at all its
 *   0x00000007_00000003   800 Gb/s         interfaces, but for 3. The id of node 7 and
 *   0x00000007_ffffffff   400 Gb/s         interface 9 is not in the table, so that of
 *   0x00000009_00000001   100 Gb/s         the whole node counts: 400 Gb/s. Node 8 has
 *                                          no rate.
 *
 * An entry is what the operator says: it stands above the rate of a record and above
 * that of a configuration, which is what hops have that are not in the table; without
 * either a hop has no ROCECC_HOP_RATE, which is better than a wrong one. For CSIG a
 * table has locators for ids, those of interfaces of node 0.
 *
 * Memory: 16 bytes an entry, the caller's, in any memory that can be read. Two searches
 * of log2(n) + 1 compares at most. No division.
 */
#include "../algo/hop.h"

#ifndef ROCECC_TELEMETRY_RATES_MAX
#define ROCECC_TELEMETRY_RATES_MAX ((uint32_t)1 << 20) /* entries; below 2^31 */
#endif

/* The interface of an entry that is of all interfaces of its node but for those that
 * have their own: all ones, which no record reports. */
#define ROCECC_TELEMETRY_ANY_INTERFACE 0xffffffffu

typedef enum rocecc_telemetry_rates_refusal {
    ROCECC_TELEMETRY_RATES_ACCEPTED = 0,
    ROCECC_TELEMETRY_RATES_REFUSED_MANY, /* more than ROCECC_TELEMETRY_RATES_MAX */
    ROCECC_TELEMETRY_RATES_REFUSED_RATE, /* 0, or ROCECC_RATE_END_BPS and above */
    ROCECC_TELEMETRY_RATES_REFUSED_ORDER /* an id is not above the one before it */
} rocecc_telemetry_rates_refusal;

typedef struct rocecc_telemetry_rate {
    uint64_t id; /* of rocecc_hop, or a locator of CSIG */
    uint64_t rate_bps;
} rocecc_telemetry_rate;
ROCECC_SIZE_(rocecc_telemetry_rate, 16);

/*
 * A table ready for lookups, which only read. It points to its entries, and is for the
 * time of a call: what a map or a shared memory keeps are the entries, and n.
 */
typedef struct rocecc_telemetry_rates {
    const rocecc_telemetry_rate *entries; /* ids ascend */
    uint32_t n;
    /* derived by attach */
    uint32_t half; /* where a search begins: n / 2 < half <= n, a power of two */
} rocecc_telemetry_rates;

/* Entry index of a table. For a verifier that compares with constants only (before
 * 6.8), whoever includes this may say how many entries the array has, a power of two.
 */
ROCECC_FN const rocecc_telemetry_rate *
rocecc_telemetry_rate_at_(const rocecc_telemetry_rate *entries, size_t index)
{
#if defined(__bpf__) && defined(ROCECC_TELEMETRY_RATES_BPF_ENTRIES)
    ROCECC_BPF_MASK_(index, ROCECC_TELEMETRY_RATES_BPF_ENTRIES - 1);
#endif
    return &entries[index];
}

/* A table of n_entries that init() has accepted, wherever they are now; of 0 entries it
 * knows no rate. */
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
 * Checks n_entries, once, before they are used. REFUSED: why, and *out is as it was.
 * The entries are not sorted here, so that they may lie in memory that is only read.
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

/* The rate of the entry with this very id; 0: there is no such entry. */
ROCECC_FN uint64_t rocecc_telemetry_rates_find_(const rocecc_telemetry_rates *rates,
                                                uint64_t id)
{
    uint32_t below = 0, step = rates->half, k; /* entries that are not above id */
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

/* What the table says of an id: its own entry, else that of its whole node; 0: neither.
 * Total, also for entries of any bits. */
ROCECC_FN uint64_t rocecc_telemetry_rates_lookup(const rocecc_telemetry_rates *rates,
                                                 uint64_t id)
{
    const uint64_t rate_bps = rocecc_telemetry_rates_find_(rates, id);
    if (rate_bps != 0) return rate_bps;
    return rocecc_telemetry_rates_find_(rates, id | ROCECC_TELEMETRY_ANY_INTERFACE);
}

/*
 * Gives a hop the rate that the table has for it, to be called for each hop of a path.
 * False: it has none, or the hop no id, and the hop stays as it is.
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
