/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ASK_H
#define TESTS_LAW_ASK_H

#include "pause.h"

/* Checks rules that hold for every result of rocecc_ask_queue(). */
LAW_FN uint32_t law_ask_shape(const rocecc_pause_params *p,
                              const rocecc_pause_traffic *x, const rocecc_ask *t,
                              const rocecc_pause_result *act)
{
    const bool ask = act->what == ROCECC_PAUSE_ASK;
    const bool resume = act->what == ROCECC_PAUSE_ASK_RESUME;
    LAW(ask || resume || act->what == ROCECC_PAUSE_NOTHING ||
        act->what == ROCECC_PAUSE_IGNORED_FULL);
    LAW((ask || resume) == (act->slot != ROCECC_PAUSE_NONE));
    LAW(act->slot == ROCECC_PAUSE_NONE || act->slot < LAW_PAUSE_SLOTS);
    LAW(ask == act->arm && ask == (act->time_ns != 0) && ask == (act->wait_ns != 0));
    LAW(!act->pfc || ask || resume);
    LAW(act->wait_ns <= act->time_ns && act->time_ns <= p->pause_ns); /* no gap */
    LAW(!ask || act->time_ns >= p->min_ns);
    LAW(!ask || x->held_ns == 0 || act->time_ns <= x->held_ns); /* R-ARN-16 */
    LAW(t->asked <= LAW_PAUSE_SLOTS && !act->evicted);
    return 1;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Slot of the model. The key is a number, with bit 20 set for a class. */
typedef struct law_ask_slot {
    bool taken;
    uint32_t key;
    uint64_t until_ns;
} law_ask_slot;

typedef struct law_ask_model {
    law_ask_slot s[LAW_PAUSE_SLOTS];
    uint32_t full;
} law_ask_model;

/* Returns 2 if a slot is free, 1 if a timer is late by pause_ns, and 0 otherwise. */
LAW_FN int law_ask_room(const rocecc_pause_params *p, const law_ask_model *m,
                        uint32_t key, uint64_t now_ns)
{
    int i, best = 0;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        if (!law_pause_reaches(p, key, i)) continue;
        if (!m->s[i].taken) return 2;
        if (!law_pause_waits(p, m->s[i].until_ns, now_ns) &&
            now_ns - m->s[i].until_ns >= p->pause_ns)
            best = 1;
    }
    return best;
}

LAW_FN uint32_t law_ask_queued(const rocecc_pause_params *p, law_ask_model *m,
                               const rocecc_pause_traffic *x, uint64_t draw,
                               uint64_t now_ns, const rocecc_pause_result *act)
{
    const bool pfc = x->in_pfc || p->mode == ROCECC_PAUSE_CLASS;
    const uint32_t key = pfc ? x->pfc_class | x->in_port << 8 | 1u << 20
                             : law_pause_key(p, draw, false, x->in_port);
    const uint64_t most_ns = pfc ? p->pfc_ns : p->pause_ns;
    const uint64_t time_ns =
        x->held_ns != 0 && x->held_ns < most_ns ? x->held_ns : most_ns;
    int i, room;
    for (i = LAW_PAUSE_SLOTS - 1; i >= 0; i--)
        if (m->s[i].taken && m->s[i].key == key) break;
    room = law_ask_room(p, m, key, now_ns);
    if (i >= 0 && !x->control && x->bytes <= p->xon_bytes) {
        LAW(act->what == ROCECC_PAUSE_ASK_RESUME && act->pfc == pfc);
        LAW(act->slot == (uint32_t)i);
        m->s[i].taken = false;
        return 1;
    }
    if (x->control || (i < 0 && x->bytes < p->xoff_bytes) ||
        (i >= 0 && law_pause_waits(p, m->s[i].until_ns, now_ns)) ||
        time_ns < p->min_ns) {
        LAW(act->what == ROCECC_PAUSE_NOTHING);
        return 1;
    }
    if (i < 0 && room == 0) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_FULL);
        m->full++;
        return 1;
    }
    LAW(act->what == ROCECC_PAUSE_ASK && act->pfc == pfc);
    if (i < 0) {
        i = (int)act->slot;
        LAW(law_pause_reaches(p, key, i) && m->s[i].taken == (room == 1));
        LAW(room == 2 || (!law_pause_waits(p, m->s[i].until_ns, now_ns) &&
                          now_ns - m->s[i].until_ns >= p->pause_ns));
        m->s[i].taken = true;
        m->s[i].key = key;
    }
    LAW(act->slot == (uint32_t)i && act->time_ns == time_ns);
    LAW(act->wait_ns ==
        (4 * (time_ns + 1) <= most_ns ? time_ns : time_ns - time_ns / 2));
    m->s[i].until_ns = now_ns + act->wait_ns;
    return 1;
}
#endif

/* Table with its slots. Their number is constant, as in a datapath. */
typedef struct law_ask_table {
    rocecc_ask t;
    rocecc_traffic_slot e[LAW_PAUSE_SLOTS];
} law_ask_table;

LAW_FN rocecc_pause_traffic law_ask_traffic(uint64_t draw, uint64_t held)
{
    rocecc_pause_traffic x = law_pause_traffic(draw);
    x.in_pfc = draw >> 31 & 1;
    x.bytes = draw >> 32 & 0x3ffff;
    x.held_ns = draw >> 50 & 1 ? (held & 0xffffffu) >> (held >> 24 & 31) : 0;
    return x;
}

/* Handles one event. */
LAW_PART uint32_t law_ask_event(const rocecc_pause_params *p, law_ask_table *s,
                                const rocecc_pause_traffic *x, uint64_t now_ns,
                                rocecc_pause_result *act)
{
    rocecc_ask t;
    if (p == NULL || s == NULL || x == NULL || act == NULL)
        return LAW_BROKEN; /* for a verifier */
    t = s->t;
    t.n = LAW_PAUSE_SLOTS;
    *act = rocecc_ask_queue(p, &t, s->e, x, now_ns);
    s->t.asked = t.asked;
    s->t.full = t.full;
    return 1;
}

/* Checks events on a small table against the model. Some slots are already taken. */
LAW_FN uint32_t law_ask(rocecc_reader r)
{
    LAW_KEPT law_ask_table s;
    LAW_KEPT rocecc_pause_params p;
    LAW_KEPT rocecc_pause_traffic x;
    uint32_t digest = LAW_START;
    const uint64_t a = law_u64(&r);
    const uint64_t b = law_u64(&r);
    uint64_t now_ns = law_u64(&r);
    unsigned i, k;
#if !defined(__bpf__) && !defined(__FRAMAC__)
    law_ask_model m;
    m.full = 0;
#endif
    p = law_pause_params(a, b);
    if (rocecc_pause_init(&p) != ROCECC_PAUSE_ACCEPTED) return digest;
    s.t = rocecc_ask_start(2 * LAW_PAUSE_SLOTS - 1);
    LAW(s.t.n == LAW_PAUSE_SLOTS);
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        const bool taken = (a >> 44 >> i & 1) != 0 || i < (b >> 50 & 15);
        for (k = 0; k < 6; k++)
            s.e[i].key[k] = 0;
        if (taken) s.e[i].key[4] = i;
        if (taken) s.e[i].key[5] = (uint64_t)9 << 32 | 2;
        s.e[i].value = taken ? now_ns + (p.pause_ns >> i) : 0;
        s.t.asked += taken;
#if !defined(__bpf__) && !defined(__FRAMAC__)
        m.s[i].taken = taken;
        m.s[i].key = 0x10000u | i;
        m.s[i].until_ns = s.e[i].value;
#endif
    }
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint64_t draw = law_u64(&r);
        const uint64_t step = law_u64(&r);
        rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
        now_ns = law_pause_now(&p, s.e, now_ns, step);
        x = law_ask_traffic(draw, step >> 3);
        LAW(law_ask_event(&p, &s, &x, now_ns, &act) == 1);
        LAW(law_ask_shape(&p, &x, &s.t, &act) == 1);
#if !defined(__bpf__) && !defined(__FRAMAC__)
        {
            uint32_t asked = 0;
            LAW(law_ask_queued(&p, &m, &x, draw, now_ns, &act) == 1);
            for (k = 0; k < LAW_PAUSE_SLOTS; k++)
                asked += m.s[k].taken;
            LAW(s.t.asked == asked && s.t.full == m.full);
        }
#endif
        LAW_FIELDS(ROCECC_PAUSE_ACTION_FIELDS, &act)
        LAW_FIELDS(ROCECC_ASK_COUNT_FIELDS, &s.t)
    }
    return digest;
}

#endif /* TESTS_LAW_ASK_H */
