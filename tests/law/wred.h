/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_WRED_H
#define TESTS_LAW_WRED_H

#include "draw.h"
#include "rocecc/fields/wred.h"

/* Fewer than LAW_EVENTS, as the verifier follows every path of every event. */
#define LAW_WRED_EVENTS 4
#define LAW_RED_EVENTS 3

/*
 * Returns a number of any magnitude. Each expression draws once, because C leaves the
 * order of two draws open.
 */
LAW_FN uint32_t law_wred_u32(rocecc_reader *r)
{
    const uint32_t x = law_u32(r);
    return x >> (law_u8(r) & 31);
}

/* Returns a share of 2^32, up to 2^32. */
LAW_FN uint64_t law_wred_q32(rocecc_reader *r)
{
    const uint64_t x = law_u32(r);
    const uint8_t how = law_u8(r);
    return how & 1 ? x + (how >> 7) : (x & 1) << 32;
}

LAW_FN rocecc_wred_curve law_wred_curve(rocecc_reader *r)
{
    rocecc_wred_curve c = {0, 0, 0};
    c.min_bytes = law_wred_u32(r);
    c.max_bytes = c.min_bytes + law_wred_u32(r);
    c.pmax_q32 = law_wred_q32(r);
    return c;
}

/* Draws parameters. Choices take the same bytes, so a verifier sees fewer paths. */
LAW_FN rocecc_wred_params law_wred_params(rocecc_reader *r)
{
    const uint8_t which = law_u8(r);
    const uint64_t link_bps = law_scaled(r);
    const uint64_t percent_q32 = rocecc_wred_percent_q32(law_u8(r));
    rocecc_wred_params p = {{0, 0, 0}, {0, 0, 0}, 0};
    p.mark = law_wred_curve(r);
    p.drop = law_wred_curve(r);
    p.buf_max_bytes = law_wred_u32(r);
    if ((which & 3) == 1) p = rocecc_wred_hpcc_runs(link_bps);
    if ((which & 3) == 2) p = rocecc_wred_ldcp(p.drop.max_bytes, p.buf_max_bytes);
    if ((which & 3) == 3)
        p = which & 8 ? rocecc_wred_nvidia() : rocecc_wred_dcqcn_paper();
    if (which & 4) p.mark.pmax_q32 = percent_q32;
    return p;
}

/* Returns how far the longest queue gets, by the thresholds alone. */
LAW_FN rocecc_wred_reach law_wred_reach(const rocecc_wred_params *p,
                                        uint32_t buffer_bytes)
{
    const uint32_t longest =
        buffer_bytes < p->buf_max_bytes ? buffer_bytes : p->buf_max_bytes;
    if (longest >= p->mark.max_bytes) return ROCECC_WRED_REACH_FULL;
    return longest > p->mark.min_bytes && p->mark.pmax_q32 != 0
               ? ROCECC_WRED_REACH_PARTIAL
               : ROCECC_WRED_REACH_NONE;
}

/*
 * Checks that a longer queue or a smaller r never weakens a verdict. A queue that fits
 * the buffer is marked only within the reach.
 */
LAW_FN uint32_t law_wred_instant(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    const rocecc_wred_params p = law_wred_params(&r);
    const rocecc_wred_refusal refusal = rocecc_wred_init(&p);
    const uint32_t buffer_bytes = law_wred_u32(&r);
    rocecc_wred_reach reach;
    int i;
    digest = law_mix(digest, refusal);
    LAW((refusal == ROCECC_WRED_ACCEPTED) ==
        (p.mark.min_bytes <= p.mark.max_bytes && p.drop.min_bytes <= p.drop.max_bytes &&
         p.mark.pmax_q32 <= ROCECC_WRED_ONE_Q32 &&
         p.drop.pmax_q32 <= ROCECC_WRED_ONE_Q32 && p.buf_max_bytes > 0));
    if (refusal != ROCECC_WRED_ACCEPTED) return digest;
    reach = rocecc_wred_find_reach(&p, buffer_bytes);
    LAW(reach == law_wred_reach(&p, buffer_bytes));
    digest = law_mix(digest, reach);
    for (i = 0; i < LAW_WRED_EVENTS; i++) {
        const uint8_t how = law_u8(&r);
        const rocecc_ecn ecn = (rocecc_ecn)(how & 3);
        const rocecc_wred_curve *c = ecn == ROCECC_ECN_NOT_ECT ? &p.drop : &p.mark;
        const uint32_t q = (how & 4 ? c->min_bytes : 0) + (law_u32(&r) >> (how >> 3));
        const uint32_t random = law_u32(&r);
        const rocecc_wred_verdict v = rocecc_wred_decide(&p, q, ecn, random);
        digest = law_mix(digest, v);
        LAW(q <= p.buf_max_bytes || v == ROCECC_WRED_DROP);
        LAW(q > buffer_bytes || v != ROCECC_WRED_MARK ||
            reach != ROCECC_WRED_REACH_NONE);
        LAW(v == ROCECC_WRED_PASS || q > p.buf_max_bytes ||
            (v == ROCECC_WRED_DROP) == (ecn == ROCECC_ECN_NOT_ECT));
        LAW(v == ROCECC_WRED_PASS || q >= c->min_bytes || q > p.buf_max_bytes);
        LAW(v != ROCECC_WRED_PASS || q < c->max_bytes);
        LAW(v == ROCECC_WRED_PASS ||
            rocecc_wred_decide(&p, q, ecn, random >> 1) != ROCECC_WRED_PASS);
        LAW(v == ROCECC_WRED_PASS || q == UINT32_MAX ||
            rocecc_wred_decide(&p, q + 1, ecn, random) != ROCECC_WRED_PASS);
    }
    return digest;
}

LAW_FN rocecc_red_params law_red_params(rocecc_reader *r)
{
    const uint8_t which = law_u8(r);
    const uint32_t min_bytes = law_wred_u32(r), packet_ns = law_u32(r);
    const uint32_t more_bytes = law_wred_u32(r);
    const uint8_t weight_exp = law_u8(r) & 31;
    const uint64_t maxp_q32 = law_wred_q32(r);
    rocecc_red_params p = rocecc_red_floyd(min_bytes, packet_ns);
    if (which & 1) p.weight_exp = weight_exp;
    if (which & 2) p.max_bytes = p.min_bytes + more_bytes;
    if (which & 4) p.maxp_q32 = maxp_q32;
    if (which & 8) p.packet_ns &= 255;
    p.gentle = (which & 16) != 0;
    p.dpdk = (which & 32) != 0;
    p.hard_drop = (which & 64) != 0;
    return p;
}

/*
 * Checks from any state that avg stays between its old value and the queue, and
 * determines the verdict.
 */
LAW_FN uint32_t law_wred_averaged(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    rocecc_red_params p = law_red_params(&r);
    const bool sensible = p.weight_exp >= 1 && p.weight_exp <= 16 &&
                          p.min_bytes < p.max_bytes &&
                          p.max_bytes < ROCECC_RED_MAX_END_BYTES &&
                          p.maxp_q32 <= ROCECC_WRED_ONE_Q32 && p.packet_ns > 0;
    const rocecc_red_refusal refusal = rocecc_red_init(&p);
    rocecc_red s;
    int i;
    if (refusal != ROCECC_RED_ACCEPTED) {
        LAW(!sensible);
        return law_mix(digest, refusal);
    }
    LAW(sensible);
    s = rocecc_red_start(&p);
    s.avg_q32 = law_u64(&r);
    s.avg_q32 >>= law_u8(&r) & 63;
    s.count = law_u32(&r);
    s.idle_ns = law_u32(&r);
    s.idle = law_u8(&r) & 1;
    for (i = 0; i < LAW_RED_EVENTS; i++) {
        const rocecc_red before = s;
        const uint8_t how = law_u8(&r);
        const rocecc_ecn ecn = (rocecc_ecn)(how & 3);
        const uint32_t drawn = law_u32(&r) >> (how >> 3), random = law_u32(&r);
        const bool rest = how >> 6 == 3;
        const uint32_t now_ns = law_u32(&r), q = rest || how & 4 ? 0 : drawn;
        const uint64_t q_q32 = (uint64_t)q << 32;
        rocecc_wred_verdict v = ROCECC_WRED_PASS;
        if (rest)
            rocecc_red_idle(&p, &s, now_ns);
        else
            v = rocecc_red_arrive(&p, &s, (rocecc_red_event){q, ecn, random, now_ns});
        digest = law_mix(digest, v);
        LAW(s.avg_q32 <= rocecc_max(before.avg_q32, q_q32));
        LAW(s.avg_q32 >= rocecc_min(before.avg_q32, q_q32));
        if (v == ROCECC_WRED_PASS) {
            LAW(s.avg_q32 < p.full_q32 || rest);
        } else {
            LAW(s.avg_q32 >= p.line.start_q32 && s.count == 0 &&
                (v == ROCECC_WRED_DROP) == ((ecn == ROCECC_ECN_NOT_ECT) |
                                            (p.hard_drop & (s.avg_q32 >= p.full_q32))));
        }
        LAW_FIELDS(ROCECC_RED_STATE_FIELDS, &s)
    }
    return digest;
}

LAW_FN uint32_t law_wred(rocecc_reader r)
{
    return law_u8(&r) & 1 ? law_wred_averaged(r) : law_wred_instant(r);
}

#endif /* TESTS_LAW_WRED_H */
