/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_PAUSE_H
#define TESTS_LAW_PAUSE_H

#include "draw.h"
#include "rocecc/fields/pause.h"

#define LAW_PAUSE_SLOTS 16 /* two buckets, so each key may be in any slot */
#define LAW_PAUSE_NUMBERS 4

/* Draws parameters. Most are valid. */
LAW_FN rocecc_pause_params law_pause_params(uint64_t a, uint64_t b)
{
    rocecc_pause_params p = rocecc_pause_lab((uint8_t)(a & 3));
    if (a >> 60 == 15) p.mode = 4;
    p.hash_key[0] = a;
    p.hash_key[1] = b;
    if (a >> 2 & 1) p.max_ns = (a >> 8 & 0xffffffffu) << (a >> 40 & 31);
    if (a >> 3 & 1) p.pause_ns = (b & 0xffffffffu) >> (b >> 32 & 31);
    p.pfc_ns = a >> 6 & 1 ? p.pause_ns : p.pause_ns / 5 + (a >> 7 & 1);
    p.min_ns = b >> 61 == 7 ? b & 0xffff : p.pfc_ns < 1000 ? p.pfc_ns : 1000;
    if (a >> 4 & 1) p.xoff_bytes = b >> 40 & 0xff;
    if (a >> 4 & 1) p.xon_bytes = b >> 48 & 0x3f;
    if (a >> 5 & 1) p.priorities = (uint8_t)(b >> 56 & 0x4f);
    p.requesters = b >> 37 & 3;
    p.max_slots_per_requester = b >> 34 & 7;
    return p;
}

/* Returns one of 16 flows, with four address pairs, and ports that count or not. */
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
    x.bytes = x.held_ns = 0;
    return x;
}

LAW_FN rocecc_pause_notice law_pause_notice(const rocecc_pause_params *p, uint64_t draw)
{
    const rocecc_ip6 none = {{0}};
    rocecc_pause_notice m;
    m.flow = law_pause_flow(draw >> 2 & 15);
    m.priority = (uint32_t)((draw >> 10 & 3) << (draw >> 6 & 8 ? 30 : 0));
    m.port = draw >> 13 & 1;
    m.type = draw >> 17 & 4 ? 1 : draw >> 17 & 7;
    m.pfc = (p->mode == ROCECC_PAUSE_CLASS) != ((draw >> 10 & 7) == 7);
    m.from.node = none;
    m.from.tag = m.pfc ? 0 : draw >> 15 & 3;
    if (!m.pfc) m.from.node.b[15 - (draw >> 6 & 7)] = draw >> 14 & 7;
    m.has_flow = (draw >> 20 & 7) != 0;
    m.has_priority = (draw >> 23 & 7) != 0;
    m.has_time = (draw >> 26 & 7) != 0;
    m.time_ns = (draw >> 32) >> (draw >> 27 & 31);
    return m;
}

/* Checks rules that hold for every result. */
LAW_FN uint32_t law_pause_shape(const rocecc_pause_params *p, const rocecc_pause *t,
                                const rocecc_pause_result *act)
{
    LAW(act->what <= ROCECC_PAUSE_IGNORED_REQUESTER);
    LAW(act->what != ROCECC_PAUSE_ASK && act->what != ROCECC_PAUSE_ASK_RESUME);
    LAW(act->slot == ROCECC_PAUSE_NONE || act->slot < LAW_PAUSE_SLOTS);
    LAW((act->what == ROCECC_PAUSE_HOLD) <= (act->slot != ROCECC_PAUSE_NONE));
    LAW((act->what == ROCECC_PAUSE_HOLD) == (act->time_ns != 0) && !act->pfc);
    LAW(act->wait_ns <= p->max_ns && act->time_ns <= p->max_ns);
    LAW(act->arm == (act->wait_ns != 0));
    LAW(t->held <= LAW_PAUSE_SLOTS);
    return 1;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Requester of a slot in the law's model, a list of slots with numbers as keys. */
typedef struct law_pause_who {
    bool here;
    uint32_t node; /* number made from the draw */
    uint32_t tag;
    uint64_t until_ns;
} law_pause_who;

typedef struct law_pause_slot {
    bool taken;
    uint32_t key; /* traffic | port << 8 */
    uint64_t until_ns;
    law_pause_who who[4];
} law_pause_slot;

typedef struct law_pause_model {
    law_pause_slot s[LAW_PAUSE_SLOTS];
    uint32_t held, missing, full, refused;
} law_pause_model;

LAW_FN uint32_t law_pause_key(const rocecc_pause_params *p, uint64_t draw, bool notice,
                              uint32_t port)
{
    uint32_t id = draw >> 2 & 15;
    if (p->mode == ROCECC_PAUSE_CLASS)
        return (draw >> (notice ? 10 : 11) & 3) | port << 8;
    if (p->mode == ROCECC_PAUSE_PRIORITY) return (draw >> 10 & 3) | port << 8;
    if (!notice && p->mode == ROCECC_PAUSE_FLOW) id = draw >> 6 & 15;
    if (id & 4) id &= 7;
    return id | port << 8;
}

LAW_FN int law_pause_find(const law_pause_model *m, uint32_t key)
{
    int i;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++)
        if (m->s[i].taken && m->s[i].key == key) return i;
    return -1;
}

LAW_FN bool law_pause_waits(const rocecc_pause_params *p, uint64_t until_ns,
                            uint64_t now_ns)
{
    return until_ns != now_ns && until_ns - now_ns <= p->max_ns;
}

/* Returns true if a key may be in a slot. A class is only in its port's bucket. */
LAW_FN bool law_pause_reaches(const rocecc_pause_params *p, uint32_t key, int slot)
{
    return p->mode != ROCECC_PAUSE_CLASS || (key >> 8 & 1) == (uint32_t)slot / 8;
}

/* Returns 2 if a slot for a key is free, 1 if one has expired, and 0 otherwise. */
LAW_FN int law_pause_room(const rocecc_pause_params *p, const law_pause_model *m,
                          uint32_t key, uint64_t now_ns)
{
    int i, best = 0;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        if (!law_pause_reaches(p, key, i)) continue;
        if (!m->s[i].taken) return 2;
        if (!law_pause_waits(p, m->s[i].until_ns, now_ns)) best = 1;
    }
    return best;
}

/* Returns how many slots a number holds. */
LAW_FN uint32_t law_pause_has(const law_pause_model *m, uint32_t tag)
{
    uint32_t n = 0;
    int i, k;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++)
        for (k = 0; k < 4; k++)
            n += m->s[i].who[k].here && m->s[i].who[k].tag == tag;
    return n;
}

/* Removes expired requesters. Sets `ends` to the first and last time left. */
LAW_FN void law_pause_ends(const rocecc_pause_params *p, law_pause_slot *s,
                           uint64_t now_ns, uint64_t ends[2])
{
    int k;
    ends[0] = ends[1] = 0;
    for (k = 0; k < 4; k++) {
        const uint64_t left_ns = s->who[k].until_ns - now_ns;
        if (!s->who[k].here) continue;
        s->who[k].here = law_pause_waits(p, s->who[k].until_ns, now_ns);
        if (!s->who[k].here) continue;
        if (ends[0] == 0 || left_ns < ends[0]) ends[0] = left_ns;
        if (left_ns > ends[1]) ends[1] = left_ns;
    }
}

LAW_FN int law_pause_which(const law_pause_slot *s, uint32_t node)
{
    int k;
    for (k = 0; k < 4; k++)
        if (s->who[k].here && s->who[k].node == node) return k;
    return -1;
}

/* Checks a slot after a resume or a timer. Without requesters it is free. */
LAW_FN uint32_t law_pause_settled(const rocecc_pause_params *p, law_pause_model *m,
                                  uint32_t slot, uint64_t now_ns,
                                  const rocecc_pause_result *act)
{
    law_pause_slot *s = &m->s[slot];
    uint64_t ends[2];
    law_pause_ends(p, s, now_ns, ends);
    LAW(act->slot == slot && act->arm == (ends[0] != 0));
    LAW(act->what == (ends[0] != 0 ? ROCECC_PAUSE_NOTHING : ROCECC_PAUSE_RUN));
    LAW(act->wait_ns == ends[0]);
    s->taken = ends[0] != 0;
    s->until_ns = now_ns + ends[1];
    m->held -= ends[0] == 0;
    return 1;
}

/* Checks the result of a pause against the model. A new slot is taken from act. */
LAW_FN uint32_t law_pause_paused(const rocecc_pause_params *p, law_pause_model *m,
                                 const rocecc_pause_notice *n, uint32_t key,
                                 const rocecc_pause_result *act, uint64_t now_ns,
                                 uint32_t node)
{
    int i = law_pause_find(m, key), k = i < 0 ? -1 : law_pause_which(&m->s[i], node);
    const int room = law_pause_room(p, m, key, now_ns);
    const law_pause_slot none = {false, 0, 0, {{false, 0, 0, 0}}};
    law_pause_slot *s;
    uint64_t ends[2];
    if (k < 0 && !n->pfc &&
        law_pause_has(m, n->from.tag) >= p->max_slots_per_requester) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_REQUESTER);
        m->refused++;
        return 1;
    }
    if (i < 0 && room == 0) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_FULL);
        m->full++;
        return 1;
    }
    if (i < 0) {
        LAW(act->what == ROCECC_PAUSE_HOLD && act->slot < LAW_PAUSE_SLOTS);
        i = (int)act->slot;
        LAW(law_pause_reaches(p, key, i));
        LAW(m->s[i].taken == (room == 1) && act->evicted == (room == 1));
        LAW(room == 2 || !law_pause_waits(p, m->s[i].until_ns, now_ns));
        m->held += room == 2;
        m->s[i] = none;
        m->s[i].taken = true;
        m->s[i].key = key;
    }
    s = &m->s[i];
    k = law_pause_which(s, node);
    if (k < 0) law_pause_ends(p, s, now_ns, ends);
    if (k < 0) s->until_ns = now_ns + ends[1];
    if (k < 0)
        for (k = 0; k < 4 && s->who[k].here;)
            k++;
    if (k == 4) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_FULL);
        m->full++;
        return 1;
    }
    if (!s->who[k].here) s->who[k].tag = n->from.tag;
    s->who[k].here = true;
    s->who[k].node = node;
    s->who[k].until_ns = now_ns + (n->time_ns < p->max_ns ? n->time_ns : p->max_ns);
    law_pause_ends(p, s, now_ns, ends);
    s->until_ns = now_ns + ends[1];
    LAW(act->what == ROCECC_PAUSE_HOLD && act->slot == (uint32_t)i && act->arm);
    LAW(act->wait_ns == ends[0] && act->time_ns == ends[1]);
    return 1;
}

/* Checks the result of a notice against the model. */
LAW_FN uint32_t law_pause_noticed(const rocecc_pause_params *p, law_pause_model *m,
                                  uint64_t draw, uint64_t now_ns,
                                  const rocecc_pause_result *act)
{
    const rocecc_pause_notice n = law_pause_notice(p, draw);
    const bool named = p->mode >= ROCECC_PAUSE_PRIORITY
                           ? n.has_priority && n.priority < p->priorities
                           : n.has_flow;
    const uint32_t key = law_pause_key(p, draw, true, n.port);
    /* The number is the changed byte's value at its place. 0 is the address ::. */
    const uint32_t node = (draw >> 14 & 7) == 0 || n.pfc
                              ? 0
                              : (uint32_t)(draw >> 14 & 7) << (draw >> 6 & 7) * 4;
    const int i = law_pause_find(m, key);
    int k;
    if (n.type != 1 && n.type != 2) {
        LAW(act->what == (n.type == 3 || n.type == 4 ? ROCECC_PAUSE_HAND_ON
                                                     : ROCECC_PAUSE_IGNORED_TYPE));
    } else if (!named || (n.type == 1 && !n.has_time) ||
               n.pfc != (p->mode == ROCECC_PAUSE_CLASS)) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_PARAMETER);
        m->missing++;
    } else if (!n.pfc && n.from.tag >= p->requesters) {
        LAW(act->what == ROCECC_PAUSE_IGNORED_REQUESTER);
        m->refused++;
    } else if (n.type == 1 && n.time_ns != 0) {
        return law_pause_paused(p, m, &n, key, act, now_ns, node);
    } else {
        k = i < 0 ? -1 : law_pause_which(&m->s[i], node);
        if (k >= 0) {
            m->s[i].who[k].here = false;
            return law_pause_settled(p, m, (uint32_t)i, now_ns, act);
        }
        LAW(act->what == ROCECC_PAUSE_NOTHING && act->slot == ROCECC_PAUSE_NONE);
    }
    return 1;
}

LAW_FN uint32_t law_pause_sent(const rocecc_pause_params *p, const law_pause_model *m,
                               uint64_t draw, uint64_t now_ns,
                               const rocecc_pause_result *act)
{
    const rocecc_pause_traffic x = law_pause_traffic(draw);
    const int i = law_pause_find(m, law_pause_key(p, draw, false, x.out_port));
    const bool waits =
        i >= 0 && !x.control && law_pause_waits(p, m->s[i].until_ns, now_ns);
    LAW(act->what == (waits ? ROCECC_PAUSE_HOLD : ROCECC_PAUSE_RUN));
    LAW(act->slot == (i < 0 || x.control ? ROCECC_PAUSE_NONE : (uint32_t)i));
    LAW(act->time_ns == (waits ? m->s[i].until_ns - now_ns : 0));
    return 1;
}

LAW_FN uint32_t law_pause_fired(const rocecc_pause_params *p, law_pause_model *m,
                                uint32_t slot, uint64_t now_ns,
                                const rocecc_pause_result *act)
{
    if (slot < LAW_PAUSE_SLOTS && m->s[slot].taken)
        return law_pause_settled(p, m, slot, now_ns, act);
    LAW(act->what == ROCECC_PAUSE_NOTHING && act->slot == ROCECC_PAUSE_NONE);
    return 1;
}
#endif

/* Table with its arrays. Their sizes are constant, as in a datapath. */
typedef struct law_pause_table {
    rocecc_pause t;
    rocecc_traffic_slot e[LAW_PAUSE_SLOTS];
    rocecc_pause_holders who[LAW_PAUSE_SLOTS];
    uint32_t has[LAW_PAUSE_NUMBERS];
} law_pause_table;

/* Handles one event, a notice (twice as often), a packet or a timer. */
LAW_PART uint32_t law_pause_event(const rocecc_pause_params *p, law_pause_table *s,
                                  uint64_t draw, uint64_t now_ns,
                                  rocecc_pause_result *act)
{
    const unsigned kind = draw & 3;
    rocecc_pause_memory memory;
    rocecc_pause_params q;
    rocecc_pause t;
    if (p == NULL || s == NULL || act == NULL) return LAW_BROKEN; /* for a verifier */
    memory.slots = s->e;
    memory.holders = s->who;
    memory.slots_held = s->has;
    t = s->t;
    t.n = LAW_PAUSE_SLOTS;
    q = *p;
    q.requesters = p->requesters & (LAW_PAUSE_NUMBERS - 1);
    if (kind == 1) {
        const rocecc_pause_traffic x = law_pause_traffic(draw);
        *act = rocecc_pause_packet(&q, &t, s->e, &x, now_ns);
    } else if (kind == 2) {
        *act = rocecc_pause_timer(&q, &t, &memory, draw >> 2 & 31, now_ns);
    } else {
        const rocecc_pause_notice m = law_pause_notice(p, draw);
        *act = rocecc_pause_notify(&q, &t, &memory, &m, now_ns);
    }
    s->t.held = t.held;
    s->t.missing = t.missing;
    s->t.full = t.full;
    s->t.refused = t.refused;
    return 1;
}

/*
 * Returns the time of the next event, any time later or earlier, or an edge. Edges are
 * the end of a slot's time, max_ns before it, and 1 ns before each.
 */
LAW_FN uint64_t law_pause_now(const rocecc_pause_params *p,
                              const rocecc_traffic_slot *e, uint64_t now_ns,
                              uint64_t draw)
{
    const uint64_t step = (draw & 0xffffffffu) >> (draw >> 32 & 31);
    const uint64_t until_ns = e[draw >> 47 & 15].value;
    const uint64_t before = draw >> 43 & 1;
    if ((draw >> 44 & 3) == 1) return until_ns - before;
    if ((draw >> 44 & 7) == 2) return until_ns - p->max_ns - before;
    return (draw >> 37 & 15) == 0 ? now_ns - step : now_ns + step;
}

/* Returns true if init() must accept the parameters. */
LAW_FN bool law_pause_is_good(const rocecc_pause_params *p)
{
    return p->mode < 4 && p->max_ns > 0 && p->max_ns <= (uint64_t)1 << 62 &&
           p->pause_ns > 0 && p->pause_ns <= p->max_ns && p->pfc_ns > 0 &&
           p->pfc_ns <= p->pause_ns && p->xon_bytes < p->xoff_bytes &&
           p->priorities > 0 && p->priorities <= (p->mode == 3 ? 8 : 64) &&
           (p->hash_key[0] != 0 || p->hash_key[1] != 0) && p->min_ns > 0 &&
           p->min_ns <= p->pfc_ns &&
           (p->requesters == 0 || p->max_slots_per_requester > 0);
}

/* Gives slot i to number 0, with a key that no event draws. */
LAW_FN void law_pause_take(law_pause_table *s, unsigned i, uint64_t until_ns)
{
    s->e[i].key[4] = i;
    s->e[i].key[5] = (uint64_t)9 << 32 | 1;
    s->e[i].value = until_ns;
    s->who[i].tag[0] = 1;
    s->who[i].until_ns[0] = until_ns;
    s->t.held++;
    s->has[0]++;
}

/* Checks events on a small table against the model. Some slots are already taken. */
LAW_FN uint32_t law_pause(rocecc_reader r)
{
    LAW_KEPT law_pause_table s; /* too large for the stack of BPF */
    uint32_t digest = LAW_START;
    const uint64_t a = law_u64(&r);
    const uint64_t b = law_u64(&r);
    LAW_KEPT rocecc_pause_params p;
    rocecc_pause_refusal refusal;
    uint64_t now_ns = law_u64(&r);
    unsigned i, k;
#if !defined(__bpf__) && !defined(__FRAMAC__)
    law_pause_model m;
#endif
    p = law_pause_params(a, b);
    refusal = rocecc_pause_init(&p);
    digest = law_mix(digest, refusal);
    LAW((refusal == ROCECC_PAUSE_ACCEPTED) == law_pause_is_good(&p));
    if (refusal != ROCECC_PAUSE_ACCEPTED) return digest;
    s.t = rocecc_pause_start(LAW_PAUSE_SLOTS + 1);
    LAW(s.t.n == LAW_PAUSE_SLOTS);
    for (i = 0; i < LAW_PAUSE_NUMBERS; i++)
        s.has[i] = 0;
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        for (k = 0; k < 6; k++)
            s.e[i].key[k] = 0;
        s.e[i].value = 0;
        for (k = 0; k < ROCECC_PAUSE_REQUESTERS_MAX; k++) {
            s.who[i].until_ns[k] = s.who[i].node[k][0] = s.who[i].node[k][1] = 0;
            s.who[i].tag[k] = 0;
        }
        s.who[i].first_ns = 0;
        if ((a >> 44 >> i & 1) != 0) law_pause_take(&s, i, now_ns + (p.max_ns >> i));
    }
#if !defined(__bpf__) && !defined(__FRAMAC__)
    for (i = 0; i < LAW_PAUSE_SLOTS; i++) {
        law_pause_slot *x = &m.s[i];
        x->taken = (a >> 44 >> i & 1) != 0;
        x->key = 0x10000u | (i / 8) << 8 | i;
        x->until_ns = now_ns + (p.max_ns >> i);
        for (k = 0; k < 4; k++) {
            x->who[k].here = x->taken && k == 0;
            x->who[k].node = x->who[k].tag = 0;
            x->who[k].until_ns = x->until_ns;
        }
    }
    m.held = s.t.held;
    m.missing = m.full = m.refused = 0;
#endif
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint64_t draw = law_u64(&r);
        const uint64_t step = law_u64(&r);
        rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
        now_ns = law_pause_now(&p, s.e, now_ns, step);
        LAW(law_pause_event(&p, &s, draw, now_ns, &act) == 1);
        LAW(law_pause_shape(&p, &s.t, &act) == 1);
#if !defined(__bpf__) && !defined(__FRAMAC__)
        if ((draw & 3) == 1) {
            LAW(law_pause_sent(&p, &m, draw, now_ns, &act) == 1);
        } else if ((draw & 3) == 2) {
            LAW(law_pause_fired(&p, &m, draw >> 2 & 31, now_ns, &act) == 1);
        } else {
            LAW(law_pause_noticed(&p, &m, draw, now_ns, &act) == 1);
        }
        LAW(s.t.held == m.held && s.t.missing == m.missing && s.t.full == m.full);
        LAW(s.t.refused == m.refused);
        for (k = 0; k < p.requesters && p.mode != ROCECC_PAUSE_CLASS; k++)
            LAW(s.has[k] == law_pause_has(&m, k));
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
