/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_BACKLOG_H
#define TESTS_LAW_BACKLOG_H

#include "pause.h"
#include "rocecc/guard/backlog.h"

/* Table with its slots. Their number is constant, as in a datapath. */
typedef struct law_backlog_table {
    rocecc_backlog t;
    rocecc_traffic_slot e[LAW_PAUSE_SLOTS];
} law_backlog_table;

LAW_PART uint32_t law_backlog_add(const rocecc_pause_params *p, law_backlog_table *s,
                                  const rocecc_pause_traffic *x, uint32_t bytes,
                                  rocecc_backlog_result *came)
{
    rocecc_backlog t;
    if (p == NULL || s == NULL || x == NULL || came == NULL) return LAW_BROKEN;
    t = s->t;
    t.n = LAW_PAUSE_SLOTS;
    *came = rocecc_backlog_add(p, &t, s->e, x, bytes);
    s->t.used = t.used;
    s->t.full = t.full;
    return 1;
}

LAW_PART uint64_t law_backlog_sub(law_backlog_table *s, uint32_t slot, uint32_t bytes)
{
    rocecc_backlog t;
    uint64_t left;
    if (s == NULL) return 0;
    t = s->t;
    t.n = LAW_PAUSE_SLOTS;
    left = rocecc_backlog_sub(&t, s->e, slot, bytes);
    s->t.used = t.used;
    return left;
}

/* Checks packets that come and go. The model lists them and sums the bytes per key. */
LAW_FN uint32_t law_backlog(rocecc_reader r)
{
    LAW_KEPT law_backlog_table s;
    LAW_KEPT rocecc_pause_params p;
    LAW_KEPT rocecc_pause_traffic x;
    uint32_t digest = LAW_START;
    uint32_t at[LAW_EVENTS], bytes[LAW_EVENTS];
#if !defined(__bpf__) && !defined(__FRAMAC__)
    uint32_t key[LAW_EVENTS];
#endif
    const uint64_t a = law_u64(&r);
    const uint64_t b = law_u64(&r);
    unsigned i, k;
    p = law_pause_params(a, b);
    if (rocecc_pause_init(&p) != ROCECC_PAUSE_ACCEPTED) return digest;
    s.t = rocecc_backlog_start(rocecc_traffic_slot_count(10));
    LAW(s.t.n == LAW_PAUSE_SLOTS);
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        const bool taken = (a >> 44 >> i & 1) != 0;
        for (k = 0; k < 6; k++)
            s.e[i].key[k] = 0;
        if (taken) s.e[i].key[4] = i;
        if (taken) s.e[i].key[5] = (uint64_t)9 << 32 | 2;
        s.e[i].value = taken;
        s.t.used += taken;
    }
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint64_t draw = law_u64(&r);
        rocecc_backlog_result came = {0, ROCECC_PAUSE_NONE};
        uint64_t left = 0;
        const unsigned gone = (unsigned)(draw >> 60);
        x = law_pause_traffic(draw);
        x.in_pfc = draw >> 31 & 1;
        at[i] = ROCECC_PAUSE_NONE;
        bytes[i] = draw >> 32 & 0xffff;
        LAW(law_backlog_add(&p, &s, &x, bytes[i], &came) == 1);
        LAW((came.slot == ROCECC_PAUSE_NONE) == (came.bytes == 0));
        LAW(came.bytes == 0 || came.bytes >= bytes[i]);
        LAW(came.slot == ROCECC_PAUSE_NONE || came.slot < LAW_PAUSE_SLOTS);
        at[i] = came.slot;
        digest = law_mix(digest, came.bytes << 32 | came.slot);
#if !defined(__bpf__) && !defined(__FRAMAC__)
        {
            const bool pfc = x.in_pfc || p.mode == ROCECC_PAUSE_CLASS;
            uint64_t sum = 0;
            uint32_t used = 0;
            key[i] = pfc ? x.pfc_class | x.in_port << 8 | 1u << 20
                         : law_pause_key(&p, draw, false, x.in_port);
            for (k = 0; k <= i; k++)
                if (at[k] != ROCECC_PAUSE_NONE && key[k] == key[i]) sum += bytes[k];
            LAW(came.slot == ROCECC_PAUSE_NONE || came.bytes == sum);
            for (k = 0; k <= i; k++) /* one slot per key, and one key per slot */
                LAW(at[k] == ROCECC_PAUSE_NONE || at[i] == ROCECC_PAUSE_NONE ||
                    (at[k] == at[i]) == (key[k] == key[i]));
            for (k = 0; k < LAW_PAUSE_SLOTS; k++)
                used += (uint32_t)s.e[k].key[5] != 0;
            LAW(used == s.t.used);
        }
#endif
        if (gone <= i && (draw >> 59 & 1) != 0) {
            left = law_backlog_sub(&s, at[gone & (LAW_EVENTS - 1)],
                                   bytes[gone & (LAW_EVENTS - 1)]);
#if !defined(__bpf__) && !defined(__FRAMAC__)
            {
                uint64_t sum = 0;
                for (k = 0; k <= i; k++)
                    if (k != gone && at[k] != ROCECC_PAUSE_NONE && key[k] == key[gone])
                        sum += bytes[k];
                LAW(left == (at[gone] == ROCECC_PAUSE_NONE ? 0 : sum));
            }
#endif
            at[gone & (LAW_EVENTS - 1)] = ROCECC_PAUSE_NONE;
            digest = law_mix(digest, left);
        }
        digest = law_mix(digest, (uint64_t)s.t.used << 32 | s.t.full);
    }
    LAW(law_backlog_sub(&s, ROCECC_PAUSE_NONE, 1) == 0);
    LAW(law_backlog_sub(&s, LAW_PAUSE_SLOTS, 1) == 0);
    return digest;
}

#endif /* TESTS_LAW_BACKLOG_H */
