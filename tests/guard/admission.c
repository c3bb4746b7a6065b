/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * admission.c - the limiter with misbehaving sources and with forged packets, and the
 * parameters that init() rejects.
 */
#include "law/admission.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define S UINT64_C(1000000000)
#define SOURCES 200
#define HONEST 150 /* index in the list, and tag */

typedef struct node {
    rocecc_admission_params p;
    rocecc_acl_entry entries[SOURCES];
    rocecc_acl acl;
    rocecc_admission s;
    rocecc_admission_source sources[SOURCES];
    uint64_t admitted, verified;
} node;

static rocecc_ip6 address(unsigned i)
{
    rocecc_ip6 a = {{0x20, 1}};
    a.b[15] = (uint8_t)i;
    return a;
}

static void open_node(node *x, const rocecc_admission_params *p)
{
    uint32_t at, i;
    memset(x, 0, sizeof *x);
    x->p = *p;
    for (i = 0; i < SOURCES; i++) {
        x->entries[i].prefix = address(i);
        x->entries[i].length = 128;
        x->entries[i].permit = 1;
        x->entries[i].tag = i;
    }
    CHECK_EQ(rocecc_acl_init(&x->acl, x->entries, SOURCES, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_admission_init(&x->p, &x->acl), ROCECC_ADMISSION_ACCEPTED);
    x->s = rocecc_admission_start(&x->p, 0);
    for (i = 0; i < SOURCES; i++)
        x->sources[i] = rocecc_admission_source_start(&x->p, 0);
}

static bool hear(node *x, unsigned from, uint64_t now_ns, bool right)
{
    const rocecc_admission_event e = {now_ns, &x->acl, NULL, x->sources, SOURCES};
    const rocecc_ip6 a = address(from);
    rocecc_acl_result m;
    if (rocecc_admission_begin(&x->p, &x->s, &e, &a, &m) != ROCECC_ADMISSION_ADMITTED)
        return false;
    x->verified++;
    if (!right) return false;
    return rocecc_admission_finish(&x->p, &x->s, &e, m.tag) ==
           ROCECC_ADMISSION_ADMITTED;
}

/*
 * Runs 10 s. An honest source sends 100.5 packets per second, n others send 10,000
 * each, and an attacker `forged`, with the honest address and a wrong checksum. Returns
 * how many of the 1005 honest packets are not admitted.
 */
static unsigned flood(node *x, unsigned n, unsigned forged)
{
    unsigned lost = 0;
    uint64_t now_ns;
    for (now_ns = 0; now_ns < 10 * S; now_ns += 50000) { /* 20,000 steps per second */
        const uint64_t step = now_ns / 50000;
        unsigned i;
        if (step % 2 == 0)
            for (i = 0; i < n; i++)
                x->admitted += hear(x, i, now_ns, true);
        if (forged != 0 && step * forged / 20000 != (step + 1) * forged / 20000)
            (void)hear(x, HONEST, now_ns, false);
        if (step % 199 == 198)
            lost += !hear(x, HONEST, now_ns, true); /* at a varying phase */
    }
    return lost;
}

/* With at most `misbehaving` other sources, the honest source loses nothing (AD-4). */
TEST(AD_4_misbehaving_sources_cost_no_honest_packet)
{
    static const unsigned ns[] = {0, 1, 2, 3, 8, 64};
    static node x;
    size_t i;
    for (i = 0; i < sizeof ns / sizeof *ns; i++) {
        const rocecc_admission_params p =
            rocecc_admission_for(ns[i] != 0 ? (uint16_t)ns[i] : 1, 1000);
        test_context("%u", ns[i]);
        open_node(&x, &p);
        CHECK_EQ(flood(&x, ns[i], 0), 0);
        /* each of the others gets its own limit, a burst and 1000 per second */
        CHECK(x.admitted >= ns[i] * UINT64_C(10000));
        CHECK(x.admitted <= ns[i] * UINT64_C(10062));
    }
}

/* More misbehaving sources exhaust the shared bucket, and honest packets are lost. */
TEST(AD_4_more_sources_exhaust_the_shared_bucket)
{
    static node x;
    const rocecc_admission_params p = rocecc_admission_for(4, 1000);
    open_node(&x, &p);
    CHECK_EQ(flood(&x, 4, 0), 0);
    open_node(&x, &p);
    CHECK(flood(&x, 64, 0) > 100);
}

/*
 * Forged packets take only verifications. One address gets a burst of 248, and 4000 per
 * second (AD-2, AD-3).
 */
TEST(AD_2_forged_packets_take_only_verifications)
{
    static node x;
    const rocecc_admission_params p = rocecc_admission_for(4, 1000);
    open_node(&x, &p);
    CHECK_EQ(flood(&x, 4, 3800), 0);
    CHECK(x.verified <= 4 * UINT64_C(10062) + 38000 + 1005);
    open_node(&x, &p); /* above the verify limit, honest packets are lost at random */
    CHECK(flood(&x, 4, 20000) > 500);
    CHECK(x.verified <= 4 * UINT64_C(10062) + 10 * 4000 + 248);
}

/* Neither an unlisted source nor a tag without buckets takes a token (AD-1). */
TEST(AD_1_unlisted_sources_take_no_token)
{
    static node x;
    const rocecc_admission_params p = rocecc_admission_for(1, 1000);
    rocecc_admission_event e;
    rocecc_acl_result m;
    rocecc_ip6 a = address(220);
    open_node(&x, &p);
    memset(&e, 0, sizeof e);
    e.list = &x.acl;
    e.sources = x.sources;
    e.n_sources = 3;
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_UNLISTED);
    CHECK(!m.permit);
    a = address(3);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m),
             ROCECC_ADMISSION_SOURCE_LIMITED);
    CHECK_EQ(rocecc_admission_finish(&x.p, &x.s, &e, 3),
             ROCECC_ADMISSION_SOURCE_LIMITED);
    CHECK_EQ(x.s.shared.level_e9, x.p.shared.burst * S);
    a = address(2);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_ADMITTED);
    CHECK_EQ(m.tag, 2);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_UNLISTED], 1);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_SOURCE_LIMITED], 2);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_ADMITTED], 0);
}

/* Two notifications are verified before either takes effect, but there is one token. */
TEST(admission_admits_one_of_two_packets_verified_at_once)
{
    static node x;
    rocecc_admission_params p = rocecc_admission_for(1, 1000);
    const rocecc_ip6 a = address(1);
    rocecc_admission_event e;
    rocecc_acl_result m;
    p.source.burst = 1;
    p.verify.burst = p.shared.burst = 2;
    open_node(&x, &p);
    memset(&e, 0, sizeof e);
    e.list = &x.acl;
    e.sources = x.sources;
    e.n_sources = SOURCES;
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_ADMITTED);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_ADMITTED);
    CHECK_EQ(rocecc_admission_finish(&x.p, &x.s, &e, m.tag), ROCECC_ADMISSION_ADMITTED);
    CHECK_EQ(rocecc_admission_finish(&x.p, &x.s, &e, m.tag),
             ROCECC_ADMISSION_SOURCE_LIMITED);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_SOURCE_LIMITED], 1);
    CHECK_EQ(x.s.shared.level_e9, UINT64_C(1000000000)); /* it took no shared token */
}

/* A list and its index give the same result. */
TEST(admission_lookups_by_list_and_index_agree)
{
    static node x;
    static rocecc_aclindex_cell cells[SOURCES * ROCECC_ACLINDEX_CELLS];
    const rocecc_admission_params p = rocecc_admission_for(1, 1000);
    rocecc_aclindex index;
    rocecc_admission_event e;
    unsigned i;
    open_node(&x, &p);
    CHECK_EQ(rocecc_aclindex_init(&index, &x.acl, cells, sizeof cells / sizeof *cells),
             ROCECC_OK);
    memset(&e, 0, sizeof e);
    e.list = &x.acl;
    for (i = 0; i < 256; i++) {
        const rocecc_ip6 a = address(i);
        rocecc_acl_result by_list, by_index;
        e.index = NULL;
        by_list = rocecc_admission_lookup(&e, &a);
        e.index = &index;
        by_index = rocecc_admission_lookup(&e, &a);
        CHECK_EQ(by_index.permit, i < SOURCES);
        CHECK(by_list.permit == by_index.permit && by_list.tag == by_index.tag);
    }
}

/* begin() returns the whole entry, or zeros without a list. */
TEST(admission_begin_writes_the_entry)
{
    static node x;
    const rocecc_admission_params p = rocecc_admission_for(4, 1000);
    const rocecc_ip6 a = address(7);
    rocecc_admission_event e = {0, &x.acl, NULL, x.sources, SOURCES};
    rocecc_acl_result m;
    open_node(&x, &p);
    memset(&m, 0xee, sizeof m);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_ADMITTED);
    CHECK(m.found && m.permit);
    CHECK(m.tag == 7 && m.length == 128);
    e.list = NULL;
    memset(&m, 0xee, sizeof m);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_UNLISTED);
    CHECK(!m.found && !m.permit);
    CHECK(m.tag == 0 && m.length == 0);
}

/* The preset leaves full_ns to init(). */
TEST(admission_preset_leaves_full_ns_to_init)
{
    const rocecc_admission_params p = rocecc_admission_for(4, 1000);
    CHECK(!p.unlimited && p.misbehaving == 4);
    CHECK(p.verify.full_ns == 0 && p.shared.full_ns == 0);
}

/*
 * An empty list and unsuitable limits are rejected, and *params is unchanged. With
 * `unlimited`, the same limits are accepted.
 */
TEST(admission_refusals)
{
    const rocecc_acl nobody = {NULL, 0, 0};
    static node x;
    const rocecc_admission_params good = rocecc_admission_for(4, 1000);
    rocecc_admission_params p = good;
    open_node(&x, &good);
    CHECK(good.shared.rate_per_s == 5000 && good.shared.burst == 5 * 62);
    CHECK(good.verify.rate_per_s == 4000 && good.verify.burst == 4 * 62);
    CHECK_EQ(rocecc_admission_init(&p, &nobody), ROCECC_ADMISSION_REFUSED_LIST);
#define REFUSED(member, value, why)                                                    \
    do {                                                                               \
        p = good;                                                                      \
        p.member = value;                                                              \
        CHECK_EQ(rocecc_admission_init(&p, &x.acl), why);                              \
        CHECK_EQ(p.member, value);                                                     \
        CHECK_EQ(p.source.full_ns, 0);                                                 \
        p.unlimited = true;                                                            \
        CHECK_EQ(rocecc_admission_init(&p, &x.acl), ROCECC_ADMISSION_ACCEPTED);        \
    } while (0)
    REFUSED(source.rate_per_s, 0, ROCECC_ADMISSION_REFUSED_SOURCE);
    REFUSED(source.burst, 0, ROCECC_ADMISSION_REFUSED_SOURCE);
    REFUSED(source.rate_per_s, 1001, ROCECC_ADMISSION_REFUSED_SHARED);
    REFUSED(source.burst, 63, ROCECC_ADMISSION_REFUSED_SHARED);
    REFUSED(misbehaving, 0, ROCECC_ADMISSION_REFUSED_SHARED);
    REFUSED(misbehaving, 5, ROCECC_ADMISSION_REFUSED_SHARED);
    REFUSED(shared.rate_per_s, 0, ROCECC_ADMISSION_REFUSED_SHARED);
    REFUSED(shared.burst, 0, ROCECC_ADMISSION_REFUSED_SHARED);
    REFUSED(verify.rate_per_s, 0, ROCECC_ADMISSION_REFUSED_VERIFY);
    REFUSED(verify.rate_per_s, 999, ROCECC_ADMISSION_REFUSED_VERIFY);
    REFUSED(verify.burst, 61, ROCECC_ADMISSION_REFUSED_VERIFY);
#undef REFUSED
    p = rocecc_admission_for(65535, UINT32_MAX);
    CHECK_EQ(p.shared.burst, UINT32_MAX); /* saturated, so init() rejects it */
    CHECK_EQ(rocecc_admission_init(&p, &x.acl), ROCECC_ADMISSION_REFUSED_SHARED);
}

TEST(admission_law)
{
    law_random(law_admission_run, 200000);
}

static rocecc_admission_event event_of(node *x, uint64_t now_ns)
{
    const rocecc_admission_event e = {now_ns, &x->acl, NULL, x->sources, SOURCES};
    return e;
}

/* SOURCE_LIMITED outranks VERIFY_LIMITED and takes no token from `verified` (AD-3). */
TEST(AD_3_a_source_at_its_limit_takes_no_verification)
{
    static node x;
    rocecc_admission_params p = rocecc_admission_for(1, 1000);
    const rocecc_ip6 a = address(1);
    rocecc_admission_event e;
    rocecc_acl_result m;
    p.source.burst = 1;
    p.verify.burst = 2;
    open_node(&x, &p);
    CHECK(hear(&x, 1, 0, true));
    e = event_of(&x, 0);
    CHECK_EQ(x.sources[1].verified.level_e9, S);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m),
             ROCECC_ADMISSION_SOURCE_LIMITED);
    CHECK_EQ(x.sources[1].verified.level_e9, S);
    x.sources[1].verified.level_e9 = 0;
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m),
             ROCECC_ADMISSION_SOURCE_LIMITED);
    x.sources[1].admitted.level_e9 = S;
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m),
             ROCECC_ADMISSION_VERIFY_LIMITED);
}

/* If the shared bucket is empty, the source still loses its token (AD-4). */
TEST(AD_4_a_source_loses_its_token_at_the_shared_limit)
{
    static node x;
    const rocecc_admission_params p = rocecc_admission_for(1, 1000);
    rocecc_admission_event e;
    uint64_t level_e9;
    open_node(&x, &p);
    e = event_of(&x, 0);
    level_e9 = x.sources[5].admitted.level_e9;
    x.s.shared.level_e9 = S - 1;
    CHECK_EQ(rocecc_admission_finish(&x.p, &x.s, &e, 5),
             ROCECC_ADMISSION_SHARED_LIMITED);
    CHECK_EQ(x.sources[5].admitted.level_e9, level_e9 - S);
    CHECK_EQ(x.s.shared.level_e9, S - 1);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_SHARED_LIMITED], 1);
}

/* A source that its entry denies is UNLISTED, although the entry is found. */
TEST(AD_1_a_denied_source_is_unlisted)
{
    static node x;
    const rocecc_admission_params p = rocecc_admission_for(1, 1000);
    const rocecc_ip6 a = address(9);
    rocecc_admission_event e;
    rocecc_acl_result m;
    open_node(&x, &p);
    e = event_of(&x, 0);
    x.entries[9].permit = 0;
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &a, &m), ROCECC_ADMISSION_UNLISTED);
    CHECK(m.found && !m.permit && m.tag == 9);
    CHECK_EQ(x.sources[9].verified.level_e9, x.p.verify.burst * S);
}

/* With `unlimited`, no buckets are needed, and the list decides. */
TEST(admission_without_limits_needs_no_buckets)
{
    static node x;
    rocecc_admission_params p = rocecc_admission_for(1, 1000);
    const rocecc_ip6 listed = address(7), unlisted = address(220);
    rocecc_admission_event e;
    rocecc_acl_result m;
    open_node(&x, &p);
    x.p.unlimited = true;
    x.s.shared.level_e9 = 0;
    e = event_of(&x, 0);
    e.sources = NULL;
    e.n_sources = 0;
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &listed, &m),
             ROCECC_ADMISSION_ADMITTED);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_ADMITTED], 0);
    CHECK_EQ(rocecc_admission_finish(&x.p, &x.s, &e, m.tag), ROCECC_ADMISSION_ADMITTED);
    CHECK_EQ(x.s.count[ROCECC_ADMISSION_ADMITTED], 1);
    CHECK_EQ(rocecc_admission_begin(&x.p, &x.s, &e, &unlisted, &m),
             ROCECC_ADMISSION_UNLISTED);
}

/* An empty list is rejected before any limit, and also with `unlimited`. */
TEST(admission_init_checks_the_list_first)
{
    const rocecc_acl nobody = {NULL, 0, 0};
    rocecc_admission_params p = rocecc_admission_for(0, 0), zero;
    CHECK_EQ(rocecc_admission_init(&p, &nobody), ROCECC_ADMISSION_REFUSED_LIST);
    memset(&zero, 0, sizeof zero);
    zero.unlimited = true;
    CHECK_EQ(rocecc_admission_init(&zero, &nobody), ROCECC_ADMISSION_REFUSED_LIST);
}
