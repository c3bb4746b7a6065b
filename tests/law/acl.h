/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ACL_H
#define TESTS_LAW_ACL_H

#include "draw.h"
#include "rocecc/fields/acl.h"

#define LAW_ACL_ENTRIES 4
#define LAW_ACL_LOOKUPS 4
#define LAW_ACL_CHAIN 4

/* Entry as two numbers, for the law's own model. */
typedef struct law_acl_entry {
    uint64_t high;
    uint64_t low;
    uint32_t tag;
    uint8_t length;
    uint8_t permit;
} law_acl_entry;

/* Returns the mask of an n-bit prefix in the high half of an address. */
LAW_FN uint64_t law_acl_ones(unsigned n)
{
    return n >= 64 ? ~(uint64_t)0 : n == 0 ? 0 : ~(uint64_t)0 << (64 - n);
}

LAW_FN uint64_t law_acl_low(unsigned n)
{
    return law_acl_ones(n > 64 ? n - 64 : 0);
}

/*
 * Draws a prefix of ones or zeros, sometimes with one bit flipped, so that addresses
 * share many bits or few. The flipped bit is rarely after the length.
 */
LAW_FN law_acl_entry law_acl_draw(uint64_t draw)
{
    law_acl_entry a = {0, 0, 0, 0, 0};
    const unsigned bit = draw >> 8 & 127;
    a.length = draw & 0xff;
    if (a.length > 129) a.length &= 127;
    a.high = draw >> 20 & 1 ? law_acl_ones(a.length) : 0;
    a.low = draw >> 20 & 1 ? law_acl_low(a.length) : 0;
    if ((draw >> 15 & 1) != 0 && (bit < a.length || (draw >> 16 & 7) == 0)) {
        a.high ^= bit < 64 ? (uint64_t)1 << (63 - bit) : 0;
        a.low ^= bit < 64 ? 0 : (uint64_t)1 << (127 - bit);
    }
    a.permit = (draw >> 24 & 31) == 31 ? 2 : draw >> 24 & 1;
    a.tag = (uint32_t)(draw >> 32);
    return a;
}

LAW_FN rocecc_ip6 law_acl_address(const law_acl_entry *a)
{
    rocecc_ip6 address = {{0}};
    unsigned i;
    for (i = 0; i < 8; i++) {
        address.b[i] = (uint8_t)(a->high >> (56 - 8 * i));
        address.b[i + 8] = (uint8_t)(a->low >> (56 - 8 * i));
    }
    return address;
}

/* Checks the length, the bits after it, and permit. */
LAW_FN rocecc_acl_refusal law_acl_check(const law_acl_entry *a)
{
    if (a->length > 128) return ROCECC_ACL_REFUSED_LENGTH;
    if ((a->high & ~law_acl_ones(a->length)) != 0) return ROCECC_ACL_REFUSED_HOST_BITS;
    if ((a->low & ~law_acl_low(a->length)) != 0) return ROCECC_ACL_REFUSED_HOST_BITS;
    return a->permit > 1 ? ROCECC_ACL_REFUSED_PERMIT : ROCECC_ACL_ACCEPTED;
}

/* Returns the expected result of rocecc_acl_init(). */
LAW_FN rocecc_acl_refusal law_acl_refusal(const law_acl_entry *a, uint32_t n)
{
    uint32_t i, j;
    for (i = 0; i < n; i++) {
        const rocecc_acl_refusal refusal = law_acl_check(&a[i]);
        if (refusal != ROCECC_ACL_ACCEPTED) return refusal;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            if (a[i].length == a[j].length && a[i].high == a[j].high &&
                a[i].low == a[j].low)
                return ROCECC_ACL_REFUSED_TWICE;
    return ROCECC_ACL_ACCEPTED;
}

/* Returns the expected match, found by comparing with each entry. */
LAW_FN rocecc_acl_result law_acl_match(const law_acl_entry *a, uint32_t n,
                                       const law_acl_entry *to)
{
    rocecc_acl_result m = {false, false, 0, 0};
    size_t many = n, i;
    ROCECC_BPF_KEEP_(many);
    for (i = 0; i < LAW_ACL_ENTRIES && i < many; i++) {
        const uint64_t differ = ((a[i].high ^ to->high) & law_acl_ones(a[i].length)) |
                                ((a[i].low ^ to->low) & law_acl_low(a[i].length));
        if (differ != 0 || (m.found && m.length > a[i].length)) continue;
        m.permit = a[i].permit != 0;
        m.found = true;
        m.length = a[i].length;
        m.tag = a[i].tag;
    }
    return m;
}

LAW_FN rocecc_acl_entry law_acl_made(const law_acl_entry *a, uint32_t up)
{
    rocecc_acl_entry e;
    e.prefix = law_acl_address(a);
    e.length = a->length;
    e.permit = a->permit;
    e.tag = a->tag;
    e.parent = up;
    return e;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Returns true if one of the entries has the members of this result. */
LAW_FN bool law_acl_has(const law_acl_entry *a, uint32_t n, const rocecc_acl_result *m)
{
    uint32_t i;
    for (i = 0; i < n; i++)
        if (a[i].length == m->length && a[i].tag == m->tag &&
            (a[i].permit != 0) == m->permit)
            return true;
    return false;
}
#endif

/*
 * Checks lookups alone, as in a datapath, in a sorted and linked list. Each entry
 * contains the next. Then the links are random, and a lookup must return the members of
 * an entry, or zeros.
 */
LAW_FN uint32_t law_acl_chain(rocecc_reader r)
{
    uint32_t digest = LAW_START, i;
    law_acl_entry given[LAW_ACL_CHAIN];
    rocecc_acl_entry e[LAW_ACL_CHAIN];
    const uint64_t links = law_u64(&r);
    uint32_t n = links >> 32 & 7;
    unsigned length = 0;
    rocecc_acl acl;
    if (n > LAW_ACL_CHAIN) n = LAW_ACL_CHAIN;
    acl = rocecc_acl_attach(e, n);
    LAW(acl.half == (n < 4 ? n < 2 ? n : 2 : 4));
    for (i = 0; i < LAW_ACL_CHAIN; i++) {
        given[i] = law_acl_draw((law_u64(&r) & ~(uint64_t)0xffff) | 1u << 20 | length);
        e[i] = law_acl_made(&given[i], i == 0 ? ROCECC_ACL_NONE : i - 1);
        length += 1 + (given[i].tag & 15);
    }
    for (i = 0; i < 2; i++) {
        const law_acl_entry to = law_acl_draw(law_u64(&r));
        const rocecc_ip6 address = law_acl_address(&to);
        const rocecc_acl_result m = rocecc_acl_lookup(&acl, &address);
        const rocecc_acl_result expected = law_acl_match(given, acl.n, &to);
        LAW(m.permit == expected.permit && m.found == expected.found);
        LAW(m.length == expected.length && m.tag == expected.tag);
        LAW_FIELDS(ROCECC_ACL_MATCH_FIELDS, &m)
    }
    for (i = 0; i < LAW_ACL_CHAIN; i++)
        e[i].parent = (uint32_t)(links >> 5 * i) & 0xf;
    for (i = 0; i < 2; i++) {
        const law_acl_entry to = law_acl_draw(law_u64(&r));
        const rocecc_ip6 address = law_acl_address(&to);
        const rocecc_acl_result m = rocecc_acl_lookup(&acl, &address);
        LAW(m.found || (!m.permit && m.length == 0 && m.tag == 0));
#if !defined(__bpf__) && !defined(__FRAMAC__)
        LAW(!m.found || law_acl_has(given, acl.n, &m));
#endif
        LAW_FIELDS(ROCECC_ACL_MATCH_FIELDS, &m)
    }
    return digest;
}

/*
 * Checks that init() accepts or refuses a list as expected, and compares each lookup
 * with law_acl_match().
 */
LAW_FN uint32_t law_acl_list(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    law_acl_entry given[LAW_ACL_ENTRIES];
    rocecc_acl_entry e[LAW_ACL_ENTRIES];
    rocecc_acl acl = {NULL, 0, 0};
    rocecc_acl_refusal refusal;
    uint32_t n = law_u8(&r) & 7, at, i;
    if (n > LAW_ACL_ENTRIES) n = LAW_ACL_ENTRIES;
    for (i = 0; i < LAW_ACL_ENTRIES; i++) {
        given[i] = law_acl_draw(law_u64(&r));
        e[i] = law_acl_made(&given[i], 0);
    }
    acl.entries = e;
    refusal = rocecc_acl_init(&acl, e, n, &at);
    digest = law_mix(law_mix(digest, refusal), at);
    LAW(refusal == law_acl_refusal(given, n));
    if (refusal != ROCECC_ACL_ACCEPTED) {
        LAW(at < n && acl.n == 0 && acl.half == 0);
        return digest;
    }
    LAW(acl.entries == e && acl.n == n && at == 0);
    for (i = 0; i < LAW_ACL_LOOKUPS; i++) {
        const law_acl_entry to = law_acl_draw(law_u64(&r));
        const rocecc_ip6 address = law_acl_address(&to);
        const rocecc_acl_result m = rocecc_acl_lookup(&acl, &address);
        const rocecc_acl_result expected = law_acl_match(given, n, &to);
        LAW(m.permit == expected.permit && m.found == expected.found);
        LAW(m.length == expected.length && m.tag == expected.tag);
        LAW_FIELDS(ROCECC_ACL_MATCH_FIELDS, &m)
    }
    return digest;
}

LAW_FN uint32_t law_acl(rocecc_reader r)
{
    return law_mix(law_acl_list(r), law_acl_chain(r));
}

#endif /* TESTS_LAW_ACL_H */
