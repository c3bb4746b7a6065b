/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CNPGATE_H
#define TESTS_LAW_CNPGATE_H

#include "draw.h"
#include "rocecc/fields/cnpgate.h"

/* Returns a number of any magnitude. Bits 32 to 47 of `draw` are free. */
LAW_FN uint32_t law_cnpgate_ns(uint64_t draw)
{
    return (uint32_t)draw >> (draw >> 48 & 31);
}

LAW_FN rocecc_cnpgate_params law_cnpgate_params(uint64_t draw)
{
    rocecc_cnpgate_params p = {0, 0};
    const unsigned preset = draw >> 32 & 3;
    if (preset == 1) p = rocecc_cnpgate_paper();
    if (preset == 2) p = rocecc_cnpgate_nvidia();
    if (preset == 3) p = rocecc_cnpgate_ns3();
    if (preset == 0) p.interval_ns = law_cnpgate_ns(draw);
    p.defer = (draw >> 34 & 7) == 7 ? 2 : draw >> 34 & 1;
    return p;
}

/* Returns the shorter distance of now_ns from the last CNP. */
LAW_FN uint32_t law_cnpgate_distance(const rocecc_cnpgate *s, uint32_t now_ns)
{
    return (uint32_t)rocecc_min(now_ns - s->last_ns, s->last_ns - now_ns);
}

/* Checks that an event sends beyond N of the last CNP, arms within N, or neither. */
LAW_FN uint32_t law_cnpgate_event(const rocecc_cnpgate_params *p,
                                  const rocecc_cnpgate *was, const rocecc_cnpgate *s,
                                  const rocecc_cnpgate_result *act, uint32_t now_ns)
{
    const bool near = law_cnpgate_distance(was, now_ns) < p->interval_ns;
    LAW(!(act->send && act->arm));
    if (act->send) {
        LAW(was->sent == 0 || !near);
        LAW(s->last_ns == now_ns && s->sent == 1 && s->pending == 0);
    } else {
        LAW(s->last_ns == was->last_ns);
    }
    if (act->arm) {
        LAW(was->sent != 0 && near && s->sent != 0 && s->pending != 0);
        LAW(act->wait_ns >= 1 && act->wait_ns < 2 * p->interval_ns);
        LAW(now_ns + act->wait_ns - s->last_ns == p->interval_ns);
    } else {
        LAW(act->wait_ns == 0);
    }
    return 1;
}

/* Checks CE packets and timers from any state, also back in time. */
LAW_FN uint32_t law_cnpgate(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_cnpgate_params p = law_cnpgate_params(law_u64(&r));
    const rocecc_cnpgate_refusal refusal = rocecc_cnpgate_init(&p);
    const uint64_t start = law_u64(&r);
    uint32_t now_ns = law_u32(&r);
    rocecc_cnpgate s;
    int i;
    digest = law_mix(digest, refusal);
    LAW((refusal == ROCECC_CNPGATE_REFUSED_INTERVAL) == (p.interval_ns >> 31 != 0));
    LAW((refusal == ROCECC_CNPGATE_ACCEPTED) ==
        (p.interval_ns >> 31 == 0 && p.defer < 2));
    if (refusal != ROCECC_CNPGATE_ACCEPTED) return digest;
    s = rocecc_cnpgate_start(&p);
    if (start >> 48 & 1) {
        s.last_ns = (uint32_t)start;
        s.sent = start >> 32 & 0xff;
        s.pending = start >> 40 & 0xff;
    }
    for (i = 0; i < LAW_EVENTS; i++) {
        const rocecc_cnpgate was = s;
        const uint64_t draw = law_u64(&r);
        const unsigned how = draw >> 32 & 7;
        const uint32_t step = law_cnpgate_ns(draw);
        rocecc_cnpgate_result act;
        if (how & 1) /* the end of N, or 1 ns before */
            now_ns = s.last_ns + p.interval_ns - (how >> 1 & 1);
        else
            now_ns += how >> 1 & 1 ? 0 - step : step;
        if (how & 4) {
            act = rocecc_cnpgate_timer(&p, &s, now_ns);
            LAW(!act.send || (was.sent != 0 && was.pending != 0));
            LAW(act.send || act.arm || s.sent == 0 ||
                law_cnpgate_distance(&was, now_ns) < p.interval_ns);
        } else {
            act = rocecc_cnpgate_ce(&p, &s, now_ns);
            LAW(act.send || (was.sent != 0 && s.sent != 0));
            LAW(!act.arm || (p.defer == 1 && was.pending == 0));
            LAW(act.send || s.pending == (act.arm ? 1 : was.pending));
        }
        LAW(law_cnpgate_event(&p, &was, &s, &act, now_ns) == 1);
        LAW_FIELDS(ROCECC_CNPGATE_ACTION_FIELDS, &act)
        LAW_FIELDS(ROCECC_CNPGATE_STATE_FIELDS, &s)
    }
    return digest;
}

#endif /* TESTS_LAW_CNPGATE_H */
