/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ADMISSION_H
#define TESTS_LAW_ADMISSION_H

#include "draw.h"
#include "rocecc/guard/admission.h"

/*
 * A run has limits for a few misbehaving sources, and notifications from three listed
 * sources, one without buckets, and an unlisted one. A model that counts tokens itself
 * predicts each verdict.
 */
#define LAW_ADMISSION_SOURCES 3
#define LAW_ADMISSION_ENTRIES 4 /* array size, a power of 2 */

typedef struct law_admission {
    uint64_t admitted_e9[2];
    uint64_t verified_e9[2];
    uint64_t shared_e9;
} law_admission;

LAW_FN void law_admission_fill(uint64_t *level_e9, uint64_t dt_ns,
                               const rocecc_tokenbucket_params *p)
{
    const uint64_t full_e9 = p->burst * UINT64_C(1000000000);
    *level_e9 += dt_ns * p->rate_per_s; /* dt_ns < 2^31, rate_per_s < 2^24 */
    if (*level_e9 > full_e9) *level_e9 = full_e9;
}

LAW_FN bool law_admission_take(uint64_t *level_e9)
{
    if (*level_e9 < UINT64_C(1000000000)) return false;
    *level_e9 -= UINT64_C(1000000000);
    return true;
}

/* Writes a list of 2001::1 to ::3 with the tags 0, 1 and 7. `deny` denies ::2. */
LAW_FN void law_admission_fill_list(rocecc_acl_entry *e, bool deny)
{
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
}

LAW_FN rocecc_acl law_admission_acl(const rocecc_acl_entry *e)
{
    rocecc_acl acl = {NULL, LAW_ADMISSION_SOURCES, 2};
    acl.entries = e;
    return acl;
}

/* Handles one notification. `right` is set if its checksum is right. */
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

/* Returns the expected verdict, by the figure in guard/admission.h. */
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

/* State of a run. */
typedef struct law_admission_kept {
    rocecc_admission_params p;
    rocecc_admission s;
    rocecc_admission_source sources[2];
    rocecc_acl_entry entries[LAW_ADMISSION_ENTRIES];
    law_admission m;
    uint64_t now_ns;
    uint64_t dt_ns; /* time since the previous event */
    uint32_t what;  /* source (2 bits), right checksum (bit 2) */
    uint32_t deny;
} law_admission_kept;

LAW_FN void law_admission_wait(law_admission_kept *run)
{
    run->now_ns += run->dt_ns;
    law_admission_fill(&run->m.shared_e9, run->dt_ns, &run->p.shared);
    law_admission_fill(&run->m.admitted_e9[0], run->dt_ns, &run->p.source);
    law_admission_fill(&run->m.admitted_e9[1], run->dt_ns, &run->p.source);
    law_admission_fill(&run->m.verified_e9[0], run->dt_ns, &run->p.verify);
    law_admission_fill(&run->m.verified_e9[1], run->dt_ns, &run->p.verify);
}

LAW_PART uint32_t law_admission_event(law_admission_kept *run)
{
    rocecc_acl acl;
    rocecc_admission_event e = {0, NULL, NULL, NULL, 2};
    rocecc_ip6 source = {{0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    rocecc_admission_verdict verdict, should;
    uint64_t before[ROCECC_ADMISSION_VERDICTS];
    unsigned who;
    bool right;
    int k;
    if (run == NULL) return LAW_BROKEN;
    who = run->what & 3;
    right = run->what >> 2 & 1;
    source.b[15] = (uint8_t)(who + 1);
    for (k = 0; k < ROCECC_ADMISSION_VERDICTS; k++)
        before[k] = run->s.count[k];
    acl = law_admission_acl(run->entries);
    law_admission_wait(run);
    e.now_ns = run->now_ns;
    e.list = &acl;
    e.sources = run->sources;
    verdict = law_admission_step(&run->p, &run->s, &e, &source, right);
    should = law_admission_model(&run->p, &run->m, who, run->deny != 0, right);
    LAW(verdict == should);
    for (k = 0; k < ROCECC_ADMISSION_VERDICTS; k++) /* begin() never counts ADMITTED */
        LAW(run->s.count[k] ==
            before[k] + (k == (int)verdict && (verdict != 0 || right) ? 1u : 0u));
    return law_mix(LAW_START, verdict);
}

LAW_FN uint32_t law_admission_run(rocecc_reader r)
{
    LAW_KEPT law_admission_kept run;
    rocecc_admission_params p;
    rocecc_admission_refusal refusal;
    rocecc_acl acl;
    const uint8_t misbehaving = law_u8(&r);
    const uint16_t rate_per_s = law_u16(&r);
    const uint8_t how = law_u8(&r);
    uint32_t digest;
    int i;
    p = rocecc_admission_for(misbehaving, rate_per_s);
    p.unlimited = how >> 1 & 1;
    if (how >> 2 & 1) p.shared.burst = law_u16(&r);
    if (how >> 3 & 1) p.verify.rate_per_s = law_u16(&r);
    if (how >> 4 & 1) p.verify.burst = law_u16(&r);
    law_admission_fill_list(run.entries, how & 1);
    acl = law_admission_acl(run.entries);
    refusal = rocecc_admission_init(&p, &acl);
    digest = law_mix(LAW_START, refusal);
    if (refusal != ROCECC_ADMISSION_ACCEPTED) return digest;
    LAW(p.unlimited ||
        (p.shared.rate_per_s >= (p.misbehaving + 1u) * p.source.rate_per_s &&
         p.shared.burst >= (p.misbehaving + 1u) * p.source.burst &&
         p.verify.rate_per_s >= p.source.rate_per_s &&
         p.verify.burst >= p.source.burst && p.misbehaving != 0));
    run.p = p;
    run.deny = how & 1;
    run.now_ns = 0;
    run.s = rocecc_admission_start(&p, 0);
    run.m.shared_e9 = p.shared.burst * UINT64_C(1000000000);
    for (i = 0; i < 2; i++) {
        run.sources[i] = rocecc_admission_source_start(&p, 0);
        run.m.admitted_e9[i] = p.source.burst * UINT64_C(1000000000);
        run.m.verified_e9[i] = p.verify.burst * UINT64_C(1000000000);
    }
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint8_t b = law_u8(&r);
        uint32_t one;
        run.dt_ns = (uint64_t)law_u16(&r) << (b >> 4);
        run.what = b;
        LAW_FORGET(&run);
        one = law_admission_event(&run);
        LAW(one != LAW_BROKEN);
        digest = law_mix(digest, one);
    }
    return digest;
}

#endif /* TESTS_LAW_ADMISSION_H */
