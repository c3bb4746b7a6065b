/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_params.c - the parameters of HPCC that init() accepts, and the values of its
 * presets, at the ends of their ranges.
 */
#include "lib/hpcc.h"
#include "lib/test.h"

#include <string.h>

/* With T 5^9 ns, a W_max of 2^31 bytes is 2^43 bit/s, the lowest rejected rate. */
TEST(hpcc_w_max_of_2_43_bps_is_rejected)
{
    rocecc_hpcc_params p = plain_params();
    p.base_rtt_ns = 1953125;
    p.w_max_bytes = (uint64_t)1 << 31;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_W_MAX);
    p.w_max_bytes--;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
}

/* W_init bounds W_min and W_blind, even if W_max is above it. */
TEST(hpcc_w_min_and_w_blind_are_bounded_by_w_init)
{
    rocecc_hpcc_params p = plain_params();
    p.w_max_bytes = 200000;
    p.w_min_bytes = 100001;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_W_MIN);
    p.w_min_bytes = p.w_blind_bytes = 100000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    p.w_blind_bytes = 100001;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_W_BLIND);
}

/*
 * The paper's values at the ends of their range. At 10 Mb/s, B * T is 16 bytes, and (1
 * - eta) of it rounds to 0, so a blind flow has W_min, 1 byte. From 2^41 bit/s on,
 * links 4 times as fast are not usable, so fastest_bps is the last usable rate.
 */
TEST(hpcc_paper_holds_for_the_slowest_and_fastest_nic)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(10000000);
    CHECK(p.w_init_bytes == 16 && p.w_blind_bytes == 1);
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    p = rocecc_hpcc_paper(((uint64_t)1 << 41) - 1);
    CHECK_EQ(p.fastest_bps, ROCECC_RATE_END_BPS - 4);
    p = rocecc_hpcc_paper((uint64_t)1 << 41);
    CHECK_EQ(p.fastest_bps, ROCECC_RATE_END_BPS - 1);
}

#define G UINT64_C(1000000000)

/* Returns true if all members are equal. Padding may differ. */
static bool same_params(const rocecc_hpcc_params *a, const rocecc_hpcc_params *b)
{
    return a->base_rtt_ns == b->base_rtt_ns && a->eta_q20 == b->eta_q20 &&
           a->max_stage == b->max_stage && a->w_ai_q8 == b->w_ai_q8 &&
           a->w_init_bytes == b->w_init_bytes && a->w_max_bytes == b->w_max_bytes &&
           a->w_min_bytes == b->w_min_bytes && a->u_init_q20 == b->u_init_q20 &&
           a->max_hops == b->max_hops && a->ts_mod_ns == b->ts_mod_ns &&
           a->tx_mod_bytes == b->tx_mod_bytes && a->dt_max_ns == b->dt_max_ns &&
           a->pd_base_ns == b->pd_base_ns && a->fastest_bps == b->fastest_bps &&
           a->reorder_ns == b->reorder_ns && a->queue_max_bytes == b->queue_max_bytes &&
           a->w_blind_bytes == b->w_blind_bytes && a->min_bps == b->min_bps &&
           a->rate_q32 == b->rate_q32 && a->t_inverse == b->t_inverse &&
           a->unit_inverse == b->unit_inverse && a->t_shift == b->t_shift &&
           a->unit_shift == b->unit_shift && a->tick_max_ns == b->tick_max_ns &&
           a->ts_turn_ns == b->ts_turn_ns && a->wait_ns == b->wait_ns;
}

TEST(hpcc_init_rejects_params_out_of_range)
{
    /* A member, its value, and init()'s result. The rest is from plain_params(). */
    enum {
        T,
        ETA,
        MIN,
        INIT,
        MAX,
        AI,
        HOPS,
        TS,
        TX,
        DT,
        FAST,
        LATE,
        QUEUE,
        BLIND_,
        TICK
    };
    static const struct {
        uint8_t member;
        uint64_t value;
        rocecc_hpcc_refusal refusal;
    } rows[] = {{T, 0, ROCECC_HPCC_REFUSED_T},
                {T, 999, ROCECC_HPCC_REFUSED_T},
                {T, 1000, ROCECC_HPCC_ACCEPTED}, /* 100,000 bytes in 1 us, 0.8 Tb/s */
                {T, 1000000000, ROCECC_HPCC_ACCEPTED},
                {T, 1000000001, ROCECC_HPCC_REFUSED_T},
                {ETA, 0, ROCECC_HPCC_REFUSED_ETA},
                {ETA, 1, ROCECC_HPCC_ACCEPTED},
                {ETA, 1 << 20, ROCECC_HPCC_ACCEPTED},
                {ETA, (1 << 20) + 1, ROCECC_HPCC_REFUSED_ETA},
                {MIN, 0, ROCECC_HPCC_REFUSED_W_MIN},
                {MIN, 5000, ROCECC_HPCC_ACCEPTED},
                {MIN, 5001, ROCECC_HPCC_REFUSED_W_BLIND},
                {MIN, 100001, ROCECC_HPCC_REFUSED_W_MIN},
                {INIT, 100001, ROCECC_HPCC_REFUSED_W_INIT},
                /* 2^43 * T / (8 * 10^9) is 10,995,116.3 bytes for 10 us. */
                {MAX, 10995116, ROCECC_HPCC_ACCEPTED},
                {MAX, 10995117, ROCECC_HPCC_REFUSED_W_MAX},
                {MAX, (uint64_t)1 << 40, ROCECC_HPCC_REFUSED_W_MAX},
                /* From here the product with 5^9 wraps, first to 1,385,884. */
                {MAX, UINT64_C(9444732965740), ROCECC_HPCC_REFUSED_W_MAX},
                {MAX, UINT64_MAX, ROCECC_HPCC_REFUSED_W_MAX},
                {AI, 100000 * 256 - 1, ROCECC_HPCC_ACCEPTED},
                {AI, 100000 * 256, ROCECC_HPCC_REFUSED_W_AI},
                {HOPS, 0, ROCECC_HPCC_REFUSED_MAX_HOPS},
                {HOPS, 16, ROCECC_HPCC_ACCEPTED},
                {HOPS, 17, ROCECC_HPCC_REFUSED_MAX_HOPS},
                {DT, 9999, ROCECC_HPCC_REFUSED_DT_MAX},
                {DT, 1000000000, ROCECC_HPCC_ACCEPTED},
                {DT, 1000000001, ROCECC_HPCC_REFUSED_DT_MAX},
                {FAST, 0, ROCECC_HPCC_REFUSED_FASTEST},
                {FAST, 1, ROCECC_HPCC_ACCEPTED},
                {FAST, ((uint64_t)1 << 43) - 1, ROCECC_HPCC_ACCEPTED},
                {FAST, (uint64_t)1 << 43, ROCECC_HPCC_REFUSED_FASTEST},
                {LATE, 0, ROCECC_HPCC_REFUSED_REORDER},
                {LATE, 1, ROCECC_HPCC_ACCEPTED},
                {LATE, 1000000001, ROCECC_HPCC_REFUSED_REORDER},
                {QUEUE, 0, ROCECC_HPCC_REFUSED_QUEUE_MAX},
                {QUEUE, 1, ROCECC_HPCC_ACCEPTED},
                {BLIND_, 0, ROCECC_HPCC_REFUSED_W_BLIND},
                {BLIND_, 1, ROCECC_HPCC_ACCEPTED},
                {BLIND_, 100000, ROCECC_HPCC_ACCEPTED},
                {BLIND_, 100001, ROCECC_HPCC_REFUSED_W_BLIND},
                {TICK, 0, ROCECC_HPCC_ACCEPTED}, /* T/8 */
                {TICK, 10000, ROCECC_HPCC_ACCEPTED},
                {TICK, 10001, ROCECC_HPCC_REFUSED_TICK_MAX},
                /* dt_max of 10^9, plus reorder of 40,000 */
                {TS, 1000040000, ROCECC_HPCC_REFUSED_TS_MOD},
                {TS, 1000040001, ROCECC_HPCC_ACCEPTED},
                /* 320 Gb/s for 10^9 ns */
                {TX, UINT64_C(40000000000), ROCECC_HPCC_REFUSED_TX_MOD},
                {TX, UINT64_C(40000000001), ROCECC_HPCC_ACCEPTED}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_hpcc_params p, before;
        const uint64_t v = rows[i].value;
        p = plain_params();
        switch (rows[i].member) {
        case T:
            p.base_rtt_ns = (uint32_t)v;
            break;
        case ETA:
            p.eta_q20 = (uint32_t)v;
            break;
        case MIN:
            p.w_min_bytes = v;
            break;
        case INIT:
            p.w_init_bytes = v;
            break;
        case MAX:
            p.w_max_bytes = v;
            break;
        case AI:
            p.w_ai_q8 = v;
            break;
        case HOPS:
            p.max_hops = (uint8_t)v;
            break;
        case TS:
            p.ts_mod_ns = v;
            break;
        case TX:
            p.tx_mod_bytes = v;
            break;
        case DT:
            p.dt_max_ns = (uint32_t)v;
            break;
        case FAST:
            p.fastest_bps = v;
            break;
        case LATE:
            p.reorder_ns = (uint32_t)v;
            break;
        case QUEUE:
            p.queue_max_bytes = (uint32_t)v;
            break;
        case TICK:
            p.tick_max_ns = (uint32_t)v;
            break;
        default:
            p.w_blind_bytes = v;
            break;
        }
        before = p;
        test_context("row %zu", i);
        CHECK_EQ(rocecc_hpcc_init(&p), rows[i].refusal);
        CHECK(same_params(&p, &before) == (rows[i].refusal != ROCECC_HPCC_ACCEPTED));
    }
}

TEST(hpcc_presets_have_the_published_values)
{
    static const uint32_t rows[][3] = {{25, 40625, 20},
                                       {100, 162500, 81},
                                       {200, 325000, 162},
                                       {400, 650000, 325},
                                       {800, 1300000, 650}};
    size_t i;
    rocecc_hpcc_params p;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        p = rocecc_hpcc_paper(rows[i][0] * G);
        CHECK_EQ(p.base_rtt_ns, 13000);
        CHECK_EQ(p.eta_q20, 996147);
        CHECK_EQ(p.max_stage, 5);
        CHECK_EQ(p.w_init_bytes, rows[i][1]);
        CHECK_EQ(p.w_max_bytes, rows[i][1]);
        CHECK_EQ(p.w_ai_q8 >> 8, rows[i][2]);
        CHECK_EQ(p.u_init_q20, 1 << 20);
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        CHECK_EQ(p.w_blind_bytes, rows[i][1] / 20);
        CHECK_EQ(p.dt_max_ns, 1000000000);
        p = rocecc_hpcc_ns3(rows[i][0] * G);
        CHECK_EQ(p.max_stage, 0);
        CHECK_EQ(p.dt_max_ns, 5000000);
        CHECK_EQ(p.ts_mod_ns, 1 << 24);
        CHECK_EQ(p.tx_mod_bytes, (rows[i][0] / 25) * ((uint64_t)1 << 27));
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    }
    /* W_AI is below 1 byte, but not 0. */
    p = rocecc_hpcc_paper(1 * G);
    CHECK_EQ(p.w_ai_q8, 208);
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    p = rocecc_hpcc_ns3(1 * G);
    CHECK_EQ(p.tx_mod_bytes, 1 << 27);
    p = rocecc_hpcc_paper(0);
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_W_MIN);
    p = rocecc_hpcc_paper(UINT64_MAX);
    CHECK_EQ(p.w_init_bytes, 14293651); /* 8.79 Tb/s */
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
}

/* H-1, H-2: a report waits for up to tick_max, or T/8 rounded down if tick_max is 0. A
 * clock wraps within 32 bits if its modulus is below 2^32. */
TEST(hpcc_init_derives_waits_and_wraps)
{
    static const uint64_t mod[5] = {0, 1000040001, UINT32_MAX, (uint64_t)1 << 32,
                                    ((uint64_t)1 << 32) + 5};
    static const uint32_t turn[5] = {0, 1000040001, UINT32_MAX, 0, 0};
    rocecc_hpcc_params p = plain_params();
    int i;
    p.base_rtt_ns = 10003;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.wait_ns, 1250);
    p.tick_max_ns = 1;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.wait_ns, 1);
    for (i = 0; i < 5; i++) {
        p.ts_mod_ns = mod[i];
        test_context("case %d", i);
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        CHECK_EQ(p.ts_turn_ns, turn[i]);
    }
}

/* init() returns the first reason in the enumeration's order, but a modulus last. */
TEST(hpcc_init_rejects_moduli_last)
{
    rocecc_hpcc_params p = plain_params();
    p.eta_q20 = 0;
    p.w_min_bytes = 0;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_ETA);
    p = plain_params();
    p.ts_mod_ns = p.tx_mod_bytes = 1;
    p.tick_max_ns = p.base_rtt_ns + 1;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_TICK_MAX);
    p.tick_max_ns = 0;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_TS_MOD);
    p.ts_mod_ns = 0;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_REFUSED_TX_MOD);
}
