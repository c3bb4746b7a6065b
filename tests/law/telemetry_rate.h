/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_TELEMETRY_RATE_H
#define TESTS_LAW_TELEMETRY_RATE_H

#include "draw.h"
#include "rocecc/telemetry/csig.h"
#include "rocecc/telemetry/ioam.h"

/* A run has a number of entries, 8 entries of 9 bytes, and events of 2 bytes. */
#define LAW_TELEMETRY_RATES 8
#define LAW_TELEMETRY_RATE_EVENTS 6
#define LAW_TELEMETRY_RATE_BYTES 85

typedef struct law_telemetry_rate_run {
    uint8_t b[9];
    rocecc_telemetry_rate e[LAW_TELEMETRY_RATES];
    uint64_t id;
    uint32_t n;
    uint32_t digest;
    bool sound;
} law_telemetry_rate_run;

#if defined(__bpf__)
static law_telemetry_rate_run law_telemetry_rate_kept;
#endif

/* Returns an id's rate by all entries. */
LAW_PART uint64_t law_telemetry_rate_of(const law_telemetry_rate_run *run, uint64_t id)
{
    uint64_t own = 0, node = 0;
    uint32_t i;
    if (run == NULL) return 0;
    for (i = 0; i < LAW_TELEMETRY_RATES; i++) {
        if (i < run->n && run->e[i].id == id) own = run->e[i].rate_bps;
        if (i < run->n && run->e[i].id == (id | 0xffffffffu)) node = run->e[i].rate_bps;
    }
    return own != 0 ? own : node;
}

/* Makes an entry from run->b. Ids ascend or not, and some are whole nodes. */
LAW_PART uint32_t law_telemetry_rate_entry(law_telemetry_rate_run *run, uint32_t i)
{
    size_t at = i;
    uint8_t b;
    uint64_t rate_bps;
    if (run == NULL || i >= LAW_TELEMETRY_RATES) return LAW_BROKEN;
    ROCECC_BPF_MASK_(at, LAW_TELEMETRY_RATES - 1);
    b = run->b[0];
    rate_bps = (b & 28) == 28 ? rocecc_load64(run->b + 1) : (uint64_t)b + 1;
    if (i < run->n && (rate_bps == 0 || rate_bps >> 43 != 0)) run->sound = false;
    if ((b & 1) != 0) {
        if (i < run->n && i > 0 && (uint32_t)run->id == 0xffffffffu) run->sound = false;
        run->id |= 0xffffffffu;
    } else {
        const uint64_t more = (uint64_t)(b >> 5) << (b & 2 ? 32 : 0);
        if (i < run->n && i > 0 && (more == 0 || run->id + more < run->id))
            run->sound = false;
        run->id += more;
    }
    run->e[at].id = run->id;
    run->e[at].rate_bps = rate_bps;
    return LAW_START;
}

/* Checks init(). */
LAW_PART uint32_t law_telemetry_rate_init(law_telemetry_rate_run *run)
{
    rocecc_telemetry_rates t = ROCECC_ZERO;
    uint32_t n;
    if (run == NULL) return LAW_BROKEN;
    n = run->n;
    if (n > LAW_TELEMETRY_RATES) return LAW_BROKEN;
    t.entries = run->e; /* for Eva, as it joins the states of init() */
    LAW((rocecc_telemetry_rates_init(run->e, n, &t) ==
         ROCECC_TELEMETRY_RATES_ACCEPTED) == run->sound);
    LAW(!run->sound || t.n == n);
    return LAW_START;
}

/* Checks a hop with the table's rate. */
LAW_PART uint32_t law_telemetry_rate_hop(law_telemetry_rate_run *run)
{
    rocecc_telemetry_rates t;
    rocecc_hop h = {0, 7, 0, 0, 0, 0, 0};
    uint64_t rate_bps;
    uint8_t b;
    bool applied;
    if (run == NULL) return LAW_BROKEN;
    b = run->b[0];
    t = rocecc_telemetry_rates_attach(run->e, run->n);
    h.id = (uint64_t)(b >> 4) << 32 | (b & 7);
    h.valid = b & 8 ? ROCECC_HOP_ID : ROCECC_HOP_QUEUE;
    rate_bps = law_telemetry_rate_of(run, h.id);
    applied = rocecc_telemetry_rates_apply(&t, &h);
    LAW(applied == (rate_bps != 0 && (b & 8) != 0));
    LAW(h.rate_bps == (applied ? rate_bps : 7));
    LAW(((h.valid & ROCECC_HOP_RATE) != 0) == applied);
    return law_mix(run->digest, h.rate_bps);
}

/* Checks a lookup against every entry. */
LAW_PART uint32_t law_telemetry_rate_lookup(law_telemetry_rate_run *run)
{
    rocecc_telemetry_rates t;
    uint64_t id;
    if (run == NULL) return LAW_BROKEN;
    id = (uint64_t)(run->b[0] >> 4) << 32 | (run->b[0] & 7);
    t = rocecc_telemetry_rates_attach(run->e, run->n);
    LAW(rocecc_telemetry_rates_lookup(&t, id) == law_telemetry_rate_of(run, id));
    return LAW_START;
}

/* Checks up to 8 entries with hops and lookups. */
LAW_FN uint32_t law_telemetry_rate(rocecc_reader r)
{
    static const law_telemetry_rate_run none;
#if defined(__bpf__)
    law_telemetry_rate_run *const run = &law_telemetry_rate_kept;
#else
    law_telemetry_rate_run run_, *const run = &run_;
#endif
    const uint8_t *b = rocecc_take(&r, LAW_TELEMETRY_RATE_BYTES);
    uint32_t i, k;
    if (b == NULL) return LAW_START;
    *run = none;
    run->sound = true;
    run->n = b[0] % (LAW_TELEMETRY_RATES + 1);
    run->digest = LAW_START;
    for (i = 0; i < LAW_TELEMETRY_RATES; i++) {
        for (k = 0; k < 9; k++)
            run->b[k] = b[1 + 9 * i + k];
        LAW(law_telemetry_rate_entry(run, i) != LAW_BROKEN);
    }
    LAW(law_telemetry_rate_init(run) != LAW_BROKEN);
    if (!run->sound) return LAW_START;
    for (i = 0; i < LAW_TELEMETRY_RATE_EVENTS; i++) {
        run->b[0] = b[73 + 2 * i];
        run->b[1] = b[74 + 2 * i];
        run->digest = law_telemetry_rate_hop(run);
        LAW(run->digest != LAW_BROKEN);
        LAW(law_telemetry_rate_lookup(run) != LAW_BROKEN);
    }
    return run->digest;
}

#endif /* TESTS_LAW_TELEMETRY_RATE_H */
