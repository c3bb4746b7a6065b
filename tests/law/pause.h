/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_PAUSE_H
#define TESTS_LAW_PAUSE_H

#include "draw.h"
#include "rocecc/fields/pause.h"

#define LAW_PAUSE_SLOTS 4

/* Parameters of any kind; most of them good. */
LAW_FN rocecc_pause_params law_pause_params(uint64_t a, uint64_t b)
{
    rocecc_pause_params p = rocecc_pause_lab((uint8_t)(a & 3));
    p.hash_key[0] = a;
    p.hash_key[1] = b;
    if (a >> 2 & 1) p.max_ns = (a >> 8 & 0xffffffffu) << (a >> 40 & 31);
    if (a >> 3 & 1) p.pause_ns = (b & 0xffffffffu) >> (b >> 32 & 31);
    p.pfc_ns = a >> 6 & 1 ? p.pause_ns : p.pause_ns / 5 + (a >> 7 & 1);
    if (a >> 4 & 1) p.xoff_bytes = b >> 40 & 0xff;
    if (a >> 4 & 1) p.xon_bytes = b >> 48 & 0x3f;
    if (a >> 5 & 1) p.priorities = (uint8_t)(b >> 56);
    return p;
}

/* One of 16 flows: four addresses, with ports that mean something and that do not. */
LAW_FN rocecc_flow law_pause_flow(unsigned id)
{
    rocecc_flow f = {{{0}}, {{0}}, 0, 0, 0};
    f.src.b[0] = 0x20;
    f.src.b[15] = (uint8_t)(id & 1);
    f.dst.b[7] = (uint8_t)(id >> 1 & 1);
    f.proto = id & 4 ? 41 : 17;
    f.src_port = (uint16_t)(id >> 3 & 1);
    f.dst_port = 4791;
    return f;
}

LAW_FN rocecc_pause_traffic law_pause_traffic(uint64_t draw)
{
    rocecc_pause_traffic x;
    x.outer = law_pause_flow(draw >> 2 & 15);
    x.inner = law_pause_flow(draw >> 6 & 15);
    x.priority = draw >> 10 & 3;
    x.pfc_class = draw >> 11 & 3;
    x.in_port = draw >> 12 & 1;
    x.out_port = draw >> 13 & 1;
    x.control = (draw >> 14 & 7) == 7;
    x.in_pfc = false;
    x.bytes = 0;
    return x;
}

LAW_FN rocecc_pause_notice law_pause_notice(uint64_t draw)
{
    rocecc_pause_notice m;
    m.flow = law_pause_flow(draw >> 2 & 15);
    m.priority = (uint32_t)((draw >> 10 & 3) << (draw >> 6 & 8 ? 30 : 0));
    m.port = draw >> 13 & 1;
    m.type = draw >> 17 & 4 ? 1 : draw >> 17 & 7;
    m.has_flow = (draw >> 20 & 7) != 0;
    m.has_priority = (draw >> 23 & 7) != 0;
    m.has_time = (draw >> 26 & 7) != 0;
    m.time_ns = (draw >> 32) >> (draw >> 27 & 31);
    return m;
}

/* What holds of an action, whatever led to it. */
LAW_FN uint32_t law_pause_shape(const rocecc_pause_params *p, const rocecc_pause *t,
                                const rocecc_pause_action *act)
{
    const bool ask = act->what == ROCECC_PAUSE_ASK;
    const bool resume = act->what == ROCECC_PAUSE_ASK_RESUME;
    LAW(act->what <= ROCECC_PAUSE_IGNORED_FULL);
    LAW(act->slot == ROCECC_PAUSE_NONE || act->slot < LAW_PAUSE_SLOTS);
    LAW((act->what == ROCECC_PAUSE_HOLD) <= (act->slot != ROCECC_PAUSE_NONE));
    LAW(act->wait_ns <= p->max_ns && act->time_ns <= p->pause_ns);
    LAW(ask == (act->time_ns != 0) && (!act->pfc || ask || resume));
    LAW(!act->arm || act->wait_ns != 0);
    LAW(t->held <= LAW_PAUSE_SLOTS);
    return 1;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* The table as a list, each key a number: what the law itself goes by. */
typedef struct law_pause_slot {
    uint32_t key;  /* what | port << 8 */
    uint32_t side; /* 0 free, 1 held, 2 asked, 3 asked by PFC */
    uint64_t until_ns;
} law_pause_slot;

typedef struct law_pause_model {
    law_pause_slot s[LAW_PAUSE_SLOTS];
    uint32_t held, missing, full;
} law_pause_model;

LAW_FN uint32_t law_pause_key(const rocecc_pause_params *p, uint64_t draw, bool notice,
                              uint32_t port)
{
    uint32_t id = draw >> 2 & 15;
    if (p->mode == ROCECC_PAUSE_PRIORITY) return (draw >> 10 & 3) | port << 8;
    if (!notice && p->mode == ROCECC_PAUSE_FLOW) id = draw >> 6 & 15;
    if (id & 4) id &= 7;
    return id | port << 8;
}

LAW_FN int law_pause_find(const law_pause_model *m, uint32_t key, uint32_t side)
{
    int i;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++)
        if (m->s[i].side == side && m->s[i].key == key) return i;
    return -1;
}

LAW_FN bool law_pause_waits(const rocecc_pause_params *p, uint64_t until_ns,
                            uint64_t now_ns)
{
    return until_ns != now_ns && until_ns - now_ns <= p->max_ns;
}

/* Whether a slot that was given to a new key was one to be given. */
LAW_FN bool law_pause_given(const rocecc_pause_params *p, const law_pause_model *m,
                            uint32_t slot, uint64_t now_ns, bool evicted)
{
    const law_pause_slot *e = &m->s[slot];
    int i;
    if (e->side == 0) return !evicted;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++)
        if (m->s[i].side == 0) return false;
    if (law_pause_waits(p, e->until_ns, now_ns) || evicted != (e->side == 1))
        return false;
    return e->side == 1 || now_ns - e->until_ns >= p->pause_ns;
}

/* Whether there is none to be given. */
LAW_FN bool law_pause_is_full(const rocecc_pause_params *p, const law_pause_model *m,
                              uint64_t now_ns)
{
    int i;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        const law_pause_slot *e = &m->s[i];
        if (e->side == 0) return false;
        if (law_pause_waits(p, e->until_ns, now_ns)) continue;
        if (e->side == 1 || now_ns - e->until_ns >= p->pause_ns) return false;
    }
    return true;
}

/* What the model says of a notice; where it gives a slot, act says which. */
LAW_FN uint32_t law_pause_noticed(const rocecc_pause_params *p, law_pause_model *m,
                                  uint64_t draw, uint64_t now_ns,
                                  const rocecc_pause_action *act)
{
    const rocecc_pause_notice n = law_pause_notice(draw);
    const bool named = p->mode == ROCECC_PAUSE_PRIORITY
                           ? n.has_priority && n.priority < p->priorities
                           : n.has_flow;
    const uint32_t key = law_pause_key(p, draw, true, n.port);
    int i = law_pause_find(m, key, 1);
    if (n.type != 1 && n.type != 2) {
        LAW(act->what == (n.type == 3 || n.type == 4 ? ROCECC_PAUSE_HAND_ON
                                                     : ROCECC_PAUSE_IGNORED_TYPE));
    } else if (!named || (n.type == 1 && !n.has_time)) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_PARAMETER);
        m->missing++;
    } else if (n.type == 2 || n.time_ns == 0) {
        LAW(act->what == (i < 0 ? ROCECC_PAUSE_NOTHING : ROCECC_PAUSE_RUN));
        if (i < 0) return 1;
        LAW(act->slot == (uint32_t)i);
        m->s[i].side = 0;
        m->held--;
    } else if (i < 0 && law_pause_is_full(p, m, now_ns)) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_FULL);
        m->full++;
    } else {
        LAW(act->what == ROCECC_PAUSE_HOLD && act->slot < LAW_PAUSE_SLOTS && act->arm);
        if (i < 0) {
            LAW(law_pause_given(p, m, act->slot, now_ns, act->evicted));
            i = (int)act->slot;
            m->held += !act->evicted;
            m->s[i].side = 1;
            m->s[i].key = key;
        }
        LAW(act->slot == (uint32_t)i);
        LAW(act->wait_ns == (n.time_ns < p->max_ns ? n.time_ns : p->max_ns));
        m->s[i].until_ns = now_ns + act->wait_ns;
    }
    return 1;
}

LAW_FN uint32_t law_pause_sent(const rocecc_pause_params *p, const law_pause_model *m,
                               uint64_t draw, uint64_t now_ns,
                               const rocecc_pause_action *act)
{
    const rocecc_pause_traffic x = law_pause_traffic(draw);
    const int i = law_pause_find(m, law_pause_key(p, draw, false, x.out_port), 1);
    const bool waits =
        i >= 0 && !x.control && law_pause_waits(p, m->s[i].until_ns, now_ns);
    LAW(act->what == (waits ? ROCECC_PAUSE_HOLD : ROCECC_PAUSE_RUN));
    LAW(act->slot == (i < 0 || x.control ? ROCECC_PAUSE_NONE : (uint32_t)i));
    LAW(act->wait_ns == (waits ? m->s[i].until_ns - now_ns : 0));
    return 1;
}

LAW_FN uint32_t law_pause_fired(const rocecc_pause_params *p, law_pause_model *m,
                                uint32_t slot, uint64_t now_ns,
                                const rocecc_pause_action *act)
{
    if (slot >= LAW_PAUSE_SLOTS || m->s[slot].side != 1) {
        LAW(act->what == ROCECC_PAUSE_NOTHING && !act->arm);
    } else if (law_pause_waits(p, m->s[slot].until_ns, now_ns)) {
        LAW(act->what == ROCECC_PAUSE_NOTHING && act->arm && act->slot == slot);
        LAW(act->wait_ns == m->s[slot].until_ns - now_ns);
    } else {
        LAW(act->what == ROCECC_PAUSE_RUN && act->slot == slot);
        m->s[slot].side = 0;
        m->held--;
    }
    return 1;
}

LAW_FN uint32_t law_pause_queued(const rocecc_pause_params *p, law_pause_model *m,
                                 uint64_t draw, uint64_t bytes, bool pfc,
                                 uint64_t now_ns, const rocecc_pause_action *act)
{
    const rocecc_pause_traffic x = law_pause_traffic(draw);
    const uint32_t key =
        pfc ? x.pfc_class | x.in_port << 8 : law_pause_key(p, draw, false, x.in_port);
    const uint32_t side = pfc ? 3 : 2;
    int i = law_pause_find(m, key, side), own;
    const uint64_t most_ns = pfc ? p->pfc_ns : p->pause_ns;
    uint64_t time_ns = most_ns;
    if (x.control || (i < 0 && bytes < p->xoff_bytes) ||
        (i >= 0 && bytes > p->xon_bytes &&
         law_pause_waits(p, m->s[i].until_ns, now_ns))) {
        LAW(act->what == ROCECC_PAUSE_NOTHING);
        return 1;
    }
    if (i >= 0 && bytes <= p->xon_bytes) {
        LAW(act->what == ROCECC_PAUSE_ASK_RESUME && act->pfc == pfc);
        m->s[i].side = 0;
        return 1;
    }
    if (i < 0 && law_pause_is_full(p, m, now_ns)) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_FULL);
        m->full++;
        return 1;
    }
    LAW(act->what == ROCECC_PAUSE_ASK && act->arm && act->pfc == pfc);
    if (i < 0) {
        LAW(law_pause_given(p, m, act->slot, now_ns, act->evicted));
        i = (int)act->slot;
        m->held -= act->evicted;
        m->s[i].side = side;
        m->s[i].key = key;
    }
    LAW(act->slot == (uint32_t)i);
    own = law_pause_find(m, law_pause_key(p, draw, false, x.out_port), 1);
    if (own >= 0 && law_pause_waits(p, m->s[own].until_ns, now_ns) &&
        m->s[own].until_ns - now_ns < time_ns)
        time_ns = m->s[own].until_ns - now_ns;
    LAW(act->time_ns == time_ns);
    LAW(act->wait_ns ==
        (4 * (time_ns + 1) <= most_ns ? time_ns : time_ns - time_ns / 2));
    LAW(act->wait_ns <= act->time_ns); /* no gap */
    m->s[i].until_ns = now_ns + act->wait_ns;
    return 1;
}
#endif

/* A table and its slots: that they are so many, a datapath has to know as well. */
typedef struct law_pause_table {
    rocecc_pause t;
    rocecc_pause_entry e[LAW_PAUSE_SLOTS];
} law_pause_table;

/* One event: a notice, a packet, a timer or a queue. */
LAW_PART uint32_t law_pause_event(const rocecc_pause_params *p, law_pause_table *s,
                                  uint64_t draw, uint64_t now_ns,
                                  rocecc_pause_action *act)
{
    const unsigned kind = draw & 3;
    rocecc_pause t;
    if (p == NULL || s == NULL || act == NULL) return LAW_BROKEN; /* for a verifier */
    t = s->t;
    t.n = LAW_PAUSE_SLOTS;
    if (kind == 0) {
        const rocecc_pause_notice m = law_pause_notice(draw);
        *act = rocecc_pause_notify(p, &t, s->e, &m, now_ns);
    } else if (kind == 1) {
        const rocecc_pause_traffic x = law_pause_traffic(draw);
        *act = rocecc_pause_packet(p, &t, s->e, &x, now_ns);
    } else if (kind == 2) {
        *act = rocecc_pause_timer(p, &t, s->e, draw >> 2 & 7, now_ns);
    } else {
        rocecc_pause_traffic x = law_pause_traffic(draw);
        x.in_pfc = draw >> 31 & 1;
        x.bytes = draw >> 32 & 0x3ffff;
        *act = rocecc_pause_queue(p, &t, s->e, &x, now_ns);
    }
    s->t.held = t.held;
    s->t.missing = t.missing;
    s->t.full = t.full;
    return 1;
}

/*
 * When the next event comes: later by any magnitude, or earlier; or at an edge, where
 * the time of a slot is over, or is as far off as it may be, or one before that.
 */
LAW_FN uint64_t law_pause_now(const rocecc_pause_params *p, const law_pause_table *s,
                              uint64_t now_ns, uint64_t draw)
{
    const uint64_t step = (draw & 0xffffffffu) >> (draw >> 32 & 31);
    const uint64_t until_ns = s->e[draw >> 41 & 3].until_ns;
    const uint64_t before = draw >> 43 & 1;
    if ((draw >> 44 & 3) == 1) return until_ns - before;
    if ((draw >> 44 & 7) == 2) return until_ns - p->max_ns - before;
    return (draw >> 37 & 15) == 0 ? now_ns - step : now_ns + step;
}

/* Runs of events on a table of few slots, each against the model. */
LAW_FN uint32_t law_pause(rocecc_reader r)
{
    LAW_KEPT law_pause_table s; /* too much for the stack of BPF */
    uint32_t digest = LAW_START;
    const uint64_t a = law_u64(&r);
    const uint64_t b = law_u64(&r);
    LAW_KEPT rocecc_pause_params p;
    rocecc_pause_refusal refusal;
    uint64_t now_ns = law_u64(&r);
    int i, k;
#if !defined(__bpf__) && !defined(__FRAMAC__)
    law_pause_model m = {{{0, 0, 0}}, 0, 0, 0};
#endif
    p = law_pause_params(a, b);
    refusal = rocecc_pause_init(&p);
    digest = law_mix(digest, refusal);
    LAW((refusal == ROCECC_PAUSE_ACCEPTED) ==
        (p.mode < 3 && p.max_ns > 0 && p.max_ns <= (uint64_t)1 << 62 &&
         p.pause_ns > 0 && p.pause_ns <= p.max_ns && p.pfc_ns > 0 &&
         p.pfc_ns <= p.pause_ns && p.xon_bytes < p.xoff_bytes && p.priorities > 0 &&
         p.priorities <= 64));
    if (refusal != ROCECC_PAUSE_ACCEPTED) return digest;
    s.t = rocecc_pause_start(LAW_PAUSE_SLOTS + 1);
    LAW(s.t.n == LAW_PAUSE_SLOTS);
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        for (k = 0; k < 6; k++)
            s.e[i].key[k] = 0;
        s.e[i].until_ns = 0;
    }
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint64_t draw = law_u64(&r);
        const uint64_t step = law_u64(&r);
        rocecc_pause_action act = rocecc_pause_act_(ROCECC_PAUSE_NOTHING);
        now_ns = law_pause_now(&p, &s, now_ns, step);
        LAW(law_pause_event(&p, &s, draw, now_ns, &act) == 1);
        LAW(law_pause_shape(&p, &s.t, &act) == 1);
#if !defined(__bpf__) && !defined(__FRAMAC__)
        if ((draw & 3) == 0) {
            LAW(law_pause_noticed(&p, &m, draw, now_ns, &act) == 1);
        } else if ((draw & 3) == 1) {
            LAW(law_pause_sent(&p, &m, draw, now_ns, &act) == 1);
        } else if ((draw & 3) == 2) {
            LAW(law_pause_fired(&p, &m, draw >> 2 & 7, now_ns, &act) == 1);
        } else {
            LAW(law_pause_queued(&p, &m, draw, draw >> 32 & 0x3ffff, draw >> 31 & 1,
                                 now_ns, &act) == 1);
        }
        LAW(s.t.held == m.held && s.t.missing == m.missing && s.t.full == m.full);
#endif
        {
            const rocecc_pause_traffic x = law_pause_traffic(draw);
            const rocecc_flow f = rocecc_pause_flow(&p, &x);
            LAW(f.proto == 17 || (f.src_port == 0 && f.dst_port == 0));
            digest = law_mix(digest, (uint32_t)f.src_port << 8 | f.src.b[15]);
        }
        LAW_FIELDS(ROCECC_PAUSE_ACTION_FIELDS, &act)
        LAW_FIELDS(ROCECC_PAUSE_COUNT_FIELDS, &s.t)
    }
    return digest;
}

#endif /* TESTS_LAW_PAUSE_H */
