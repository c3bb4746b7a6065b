/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ADMISSION_H
#define TESTS_LAW_ADMISSION_H

#include "draw.h"
#include "rocecc/guard/admission.h"

/*
 * A run: limits for a few misbehaving sources, then notifications of three sources, one
 * of which has no buckets. After each the law compares the verdict with three numbers
 * of tokens that it keeps by itself.
 */
#define LAW_ADMISSION_SOURCES 3

typedef struct law_admission {
    uint64_t admitted_e9[2];
    uint64_t verified_e9[2];
    uint64_t shared_e9;
} law_admission;

LAW_FN void law_admission_fill(uint64_t *level_e9, uint64_t dt_ns,
                               const rocecc_tokenbucket_params *p)
{
    const uint64_t full_e9 = p->burst * UINT64_C(1000000000);
    *level_e9 += dt_ns * p->rate_per_s; /* at most 2^16 seconds of 2^16 a second */
    if (*level_e9 > full_e9) *level_e9 = full_e9;
}

LAW_FN bool law_admission_take(uint64_t *level_e9)
{
    if (*level_e9 < UINT64_C(1000000000)) return false;
    *level_e9 -= UINT64_C(1000000000);
    return true;
}

/* The list: 2001::1 to ::3 with tags 0, 1 and 7; ::2 may be denied. */
LAW_FN rocecc_acl law_admission_acl(rocecc_acl_entry *e, bool deny)
{
    rocecc_acl acl = {NULL, 0, 0};
    int i;
    for (i = 0; i < LAW_ADMISSION_SOURCES; i++) {
        const rocecc_ip6 a = {{0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
        e[i].prefix = a;
        e[i].prefix.b[15] = (uint8_t)(i + 1);
        e[i].length = 128;
        e[i].permit = !(deny && i == 1);
        e[i].tag = i == 2 ? 7u : (unsigned)i;
        e[i].parent = ROCECC_ACL_NONE;
    }
    acl.entries = e;
    acl.n = LAW_ADMISSION_SOURCES;
    acl.half = 2;
    return acl;
}

/* One notification; right: its checksum is. */
LAW_FN rocecc_admission_verdict law_admission_step(const rocecc_admission_params *p,
                                                   rocecc_admission *s,
                                                   const rocecc_admission_event *e,
                                                   const rocecc_ip6 *source, bool right)
{
    rocecc_acl_result listed;
    const rocecc_admission_verdict verdict =
        rocecc_admission_begin(p, s, e, source, &listed);
    if (verdict != ROCECC_ADMISSION_ADMITTED || !right) return verdict;
    return rocecc_admission_finish(p, s, e, listed.tag);
}

/* What the figure of the header says, of one notification of source who. */
LAW_FN rocecc_admission_verdict law_admission_model(const rocecc_admission_params *p,
                                                    law_admission *m, unsigned who,
                                                    bool deny, bool right)
{
    if (who > 2 || (who == 1 && deny)) return ROCECC_ADMISSION_UNLISTED;
    if (p->unlimited) return ROCECC_ADMISSION_ADMITTED;
    if (who == 2 || m->admitted_e9[who] < UINT64_C(1000000000))
        return ROCECC_ADMISSION_SOURCE_LIMITED;
    if (!law_admission_take(&m->verified_e9[who]))
        return ROCECC_ADMISSION_VERIFY_LIMITED;
    if (!right) return ROCECC_ADMISSION_ADMITTED;
    (void)law_admission_take(&m->admitted_e9[who]);
    return law_admission_take(&m->shared_e9) ? ROCECC_ADMISSION_ADMITTED
                                             : ROCECC_ADMISSION_SHARED_LIMITED;
}

LAW_FN uint32_t law_admission_run(rocecc_reader r)
{
    rocecc_acl_entry entries[LAW_ADMISSION_SOURCES];
    rocecc_admission_params p = rocecc_admission_for(law_u8(&r), law_u16(&r));
    const uint8_t how = law_u8(&r);
    const bool deny = how & 1;
    const rocecc_acl acl = law_admission_acl(entries, deny);
    rocecc_admission_source sources[2];
    rocecc_admission_event e = {0, NULL, NULL, sources, 2};
    rocecc_admission_refusal refusal;
    law_admission m;
    rocecc_admission s;
    uint32_t digest;
    int i, k;
    p.unlimited = how >> 1 & 1;
    if (how >> 2 & 1) p.shared.burst = law_u16(&r);
    if (how >> 3 & 1) p.verify.rate_per_s = law_u16(&r);
    if (how >> 4 & 1) p.verify.burst = law_u16(&r);
    refusal = rocecc_admission_init(&p, &acl);
    digest = law_mix(LAW_START, refusal);
    if (refusal != ROCECC_ADMISSION_ACCEPTED) return digest;
    LAW(p.unlimited ||
        (p.shared.rate_per_s >= (p.misbehaving + 1u) * p.source.rate_per_s &&
         p.shared.burst >= (p.misbehaving + 1u) * p.source.burst &&
         p.verify.rate_per_s >= p.source.rate_per_s &&
         p.verify.burst >= p.source.burst && p.misbehaving != 0));
    e.list = &acl;
    s = rocecc_admission_start(&p, 0);
    m.shared_e9 = p.shared.burst * UINT64_C(1000000000);
    for (i = 0; i < 2; i++) {
        sources[i] = rocecc_admission_source_start(&p, 0);
        m.admitted_e9[i] = p.source.burst * UINT64_C(1000000000);
        m.verified_e9[i] = p.verify.burst * UINT64_C(1000000000);
    }
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint8_t b = law_u8(&r);
        const uint64_t dt_ns = (uint64_t)law_u16(&r) << (b >> 4);
        const unsigned who = b & 3;
        const bool right = b >> 2 & 1;
        const rocecc_admission before = s;
        rocecc_ip6 source = entries[0].prefix;
        rocecc_admission_verdict verdict, should;
        source.b[15] = (uint8_t)(who + 1);
        e.now_ns += dt_ns;
        law_admission_fill(&m.shared_e9, dt_ns, &p.shared);
        for (k = 0; k < 2; k++) {
            law_admission_fill(&m.admitted_e9[k], dt_ns, &p.source);
            law_admission_fill(&m.verified_e9[k], dt_ns, &p.verify);
        }
        verdict = law_admission_step(&p, &s, &e, &source, right);
        should = law_admission_model(&p, &m, who, deny, right);
        LAW(verdict == should);
        for (k = 0; k < ROCECC_ADMISSION_VERDICTS; k++) /* what is verified alone */
            LAW(s.count[k] ==
                before.count[k] +
                    (k == (int)verdict && (verdict != 0 || right) ? 1u : 0u));
        digest = law_mix(digest, verdict);
    }
    return digest;
}

#endif /* TESTS_LAW_ADMISSION_H */
