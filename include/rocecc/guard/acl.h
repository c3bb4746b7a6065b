/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_ACL_H
#define ROCECC_GUARD_ACL_H

/*
 * acl.h - who may speak: prefixes with a permit or a deny, the longest of which
 * decides. Fast CNP asks for it (draft-xiao-rtgwg-rocev2-fast-cnp, security
 * considerations), lest anyone who reaches a sender slows it down.
 *
 *   sorted by prefix, length   up     Example: the last entry that is not after
 *   0  ::/0                    -      2001:db8:1:7::1 is 2, with which it shares 63
 *   1  2001:db8::/32           0      bits. 2 needs 64: so the way is up from
 *   2  2001:db8:1:6::/64       1      there: 1 holds the address, and decides.
 *   3  2001:db8:1:8::/64       1
 *
 * Memory: 28 bytes an entry, the caller's; init sorts and links them, lookups only
 * read. A lookup makes log2(n) + 1 compares of 16 bytes, and one of a byte for each
 * level of nesting, at most 129. Exact. README.md has the rules, the cost,
 * and why the links miss no entry.
 */
#include "../fixed.h"
#include "../net.h"

#ifndef ROCECC_ACL_MAX
#define ROCECC_ACL_MAX ((uint32_t)1 << 20) /* entries; below 2^31 */
#endif

#define ROCECC_ACL_NONE 0xffffffffu

typedef enum rocecc_acl_refusal {
    ROCECC_ACL_ACCEPTED = 0,
    ROCECC_ACL_REFUSED_MANY,      /* more than ROCECC_ACL_MAX entries */
    ROCECC_ACL_REFUSED_LENGTH,    /* length > 128 */
    ROCECC_ACL_REFUSED_HOST_BITS, /* a bit after the length is set */
    ROCECC_ACL_REFUSED_PERMIT,    /* permit > 1 */
    ROCECC_ACL_REFUSED_TWICE      /* the entry before it has this prefix and length */
} rocecc_acl_refusal;

typedef struct rocecc_acl_entry {
    rocecc_ip6 prefix; /* IPv4: ::ffff:a.b.c.d */
    uint8_t length;    /* bits: 0 to 128 */
    uint8_t permit;    /* 0: deny, 1: permit */
    uint32_t tag;      /* the caller's */
    /* derived by init */
    uint32_t parent; /* the longest entry that encloses this one, or NONE */
} rocecc_acl_entry;
ROCECC_SIZE_(rocecc_acl_entry, 28);

/*
 * A list ready for lookups, which only read: any number of them at a time. It points to
 * its entries, and is for the time of a call: what a map or a shared memory keeps are
 * the entries, linked, and n. rocecc_acl_attach() makes it of them again.
 */
typedef struct rocecc_acl {
    const rocecc_acl_entry *entries; /* sorted by prefix, then length */
    uint32_t n;
    /* derived by init */
    uint32_t half; /* where a search begins: n / 2 < half <= n, a power of two */
} rocecc_acl;

typedef struct rocecc_acl_result {
    bool permit;    /* the verdict */
    bool found;     /* an entry decided; what follows is its own, else 0 */
    uint8_t length; /* its bits */
    uint32_t tag;
} rocecc_acl_result;

/* An address as the two numbers that its bytes are in network order. */
typedef struct rocecc_acl_key_ {
    uint64_t high;
    uint64_t low;
} rocecc_acl_key_;

/*
 * Entry index of a list. For a verifier that compares with constants only (before 6.8),
 * whoever includes this may say how many entries the array has, a power of two.
 */
ROCECC_FN const rocecc_acl_entry *rocecc_acl_entry_at_(const rocecc_acl_entry *entries,
                                                       size_t index)
{
#if defined(__bpf__) && defined(ROCECC_ACL_BPF_ENTRIES)
    ROCECC_BPF_MASK_(index, ROCECC_ACL_BPF_ENTRIES - 1);
#endif
    return &entries[index];
}

ROCECC_FN uint64_t rocecc_acl_load64_(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 |
           (uint64_t)bytes[2] << 40 | (uint64_t)bytes[3] << 32 |
           (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
           (uint64_t)bytes[6] << 8 | bytes[7];
}

ROCECC_FN rocecc_acl_key_ rocecc_acl_key_of_(const rocecc_ip6 *address)
{
    rocecc_acl_key_ k;
    k.high = rocecc_acl_load64_(address->b);
    k.low = rocecc_acl_load64_(address->b + 8);
    return k;
}

ROCECC_FN bool rocecc_acl_is_after_(const rocecc_ip6 *prefix, rocecc_acl_key_ key)
{
    const uint64_t high = rocecc_acl_load64_(prefix->b);
    if (high != key.high) return high > key.high;
    return rocecc_acl_load64_(prefix->b + 8) > key.low;
}

/*
 * Returns how many leading bits two addresses share: 0 to 128. The verifier of BPF
 * knows no instruction that counts zeros.
 */
ROCECC_FN unsigned rocecc_acl_shared_bits_(rocecc_acl_key_ a, rocecc_acl_key_ b)
{
    uint64_t differ = a.high != b.high ? a.high ^ b.high : a.low ^ b.low;
    unsigned shared = a.high != b.high ? 0 : 64;
    if (differ == 0) return 128;
#if defined(__GNUC__) && !defined(__bpf__)
    shared += (unsigned)__builtin_clzll(differ);
#else
    {
        unsigned i;
        for (i = 32; i > 0; i >>= 1) {
            if (differ >> (64 - i) != 0) continue;
            differ <<= i;
            shared += i;
        }
    }
#endif
    return shared;
}

/*
 * The longest of n_entries linked entries whose first length bits are those of key
 * last is the last that is not after key. NONE: no entry holds key, or no
 * last (0 - 1). Lengths fall along the links: 129 steps see them all.
 */
ROCECC_FN uint32_t rocecc_acl_longest_match_(const rocecc_acl_entry *entries,
                                             uint32_t n_entries, uint32_t last,
                                             rocecc_acl_key_ key)
{
    unsigned shared, steps;
    if (last >= n_entries) return ROCECC_ACL_NONE;
    shared = rocecc_acl_shared_bits_(
        rocecc_acl_key_of_(&rocecc_acl_entry_at_(entries, last)->prefix), key);
    for (steps = 0; steps <= 128 && last < n_entries; steps++) {
        if (rocecc_acl_entry_at_(entries, last)->length <= shared) return last;
        last = rocecc_acl_entry_at_(entries, last)->parent;
    }
    return ROCECC_ACL_NONE;
}

/* No bits after the length, and the bounds of length and permit. */
ROCECC_FN rocecc_acl_refusal rocecc_acl_check_(const rocecc_acl_entry *entry)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(&entry->prefix);
    uint64_t high = 0, low = 0; /* the bits after the length */
    if (entry->length > 128) return ROCECC_ACL_REFUSED_LENGTH;
    if (entry->length < 64) {
        high = k.high << entry->length;
        low = k.low;
    } else if (entry->length < 128) {
        low = k.low << (entry->length - 64);
    }
    if ((high | low) != 0) return ROCECC_ACL_REFUSED_HOST_BITS;
    if (entry->permit > 1) return ROCECC_ACL_REFUSED_PERMIT;
    return ROCECC_ACL_ACCEPTED;
}

ROCECC_FN bool rocecc_acl_same_prefix_(const rocecc_acl_entry *a,
                                       const rocecc_acl_entry *b)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(&b->prefix);
    return a->length == b->length &&
           rocecc_acl_shared_bits_(rocecc_acl_key_of_(&a->prefix), k) == 128;
}

/* a stands before b: a shorter prefix before the longer ones that begin with it. */
ROCECC_FN bool rocecc_acl_sorts_before_(const rocecc_acl_entry *a,
                                        const rocecc_acl_entry *b)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(&a->prefix);
    if (rocecc_acl_is_after_(&b->prefix, k)) return true;
    return a->length < b->length &&
           rocecc_acl_shared_bits_(k, rocecc_acl_key_of_(&b->prefix)) == 128;
}

/* Shell's sort, by steps of 1, 4, 13, 40, ... */
ROCECC_FN void rocecc_acl_sort_(rocecc_acl_entry *entries, uint32_t n_entries)
{
    uint32_t gap = 1, i, j;
    while (gap < n_entries / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (i = gap; i < n_entries; i++) {
            const rocecc_acl_entry x = entries[i];
            for (j = i; j >= gap && rocecc_acl_sorts_before_(&x, &entries[j - gap]);
                 j -= gap)
                entries[j] = entries[j - gap];
            entries[j] = x;
        }
    }
}

/* A list of n_entries that init() has sorted and linked, wherever they are now. */
ROCECC_FN rocecc_acl rocecc_acl_attach(const rocecc_acl_entry *entries,
                                       uint32_t n_entries)
{
    rocecc_acl acl;
    uint32_t half = n_entries;
    half |= half >> 1;
    half |= half >> 2;
    half |= half >> 4;
    half |= half >> 8;
    half |= half >> 16;
    acl.entries = entries;
    acl.n = n_entries;
    acl.half = half - (half >> 1); /* the highest bit of n_entries */
    return acl;
}

/*
 * Makes of n_entries, in any order, a list for lookups. It sorts them in place,
 * so that they are not to be those of a list in force, and keeps pointing at them.
 * Unless ACCEPTED, *acl is as it was, and *culprit is the index of the entry to
 * blame: with TWICE among the sorted, else among the given.
 */
ROCECC_FN rocecc_acl_refusal rocecc_acl_init(rocecc_acl *acl, rocecc_acl_entry *entries,
                                             uint32_t n_entries, uint32_t *culprit)
{
    uint32_t i;
    *culprit = 0;
    if (n_entries > ROCECC_ACL_MAX) return ROCECC_ACL_REFUSED_MANY;
    for (i = 0; i < n_entries; i++) {
        const rocecc_acl_refusal refusal = rocecc_acl_check_(&entries[i]);
        *culprit = i;
        if (refusal != ROCECC_ACL_ACCEPTED) return refusal;
    }
    rocecc_acl_sort_(entries, n_entries);
    for (i = 0; i < n_entries; i++) {
        const rocecc_acl_key_ k = rocecc_acl_key_of_(&entries[i].prefix);
        *culprit = i;
        if (i > 0 && rocecc_acl_same_prefix_(&entries[i - 1], &entries[i]))
            return ROCECC_ACL_REFUSED_TWICE;
        /* What encloses it stands before it, and is linked by now. */
        entries[i].parent = rocecc_acl_longest_match_(entries, i, i - 1, k);
    }
    *culprit = 0;
    *acl = rocecc_acl_attach(entries, n_entries);
    return ROCECC_ACL_ACCEPTED;
}

/*
 * What the list says of an address: the longest entry that holds it decides, and
 * brings its tag; without one it is denied. IPv4 is ::ffff:a.b.c.d
 * . Total, also for entries of any bits.
 */
ROCECC_FN rocecc_acl_result rocecc_acl_lookup(const rocecc_acl *acl,
                                              const rocecc_ip6 *address)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(address);
    const rocecc_acl_entry *e = acl->entries;
    rocecc_acl_result m = {false, false, 0, 0};
    uint32_t before = 0, step, i; /* entries that are not after the address */
    for (step = acl->half; step > 0; step >>= 1) {
        i = before + (step - 1);
        if (i < acl->n && !rocecc_acl_is_after_(&rocecc_acl_entry_at_(e, i)->prefix, k))
            before = i + 1;
    }
    i = rocecc_acl_longest_match_(e, acl->n, before - 1, k);
    if (i == ROCECC_ACL_NONE) return m;
    e = rocecc_acl_entry_at_(e, i);
    m.permit = e->permit != 0;
    m.found = true;
    m.length = e->length;
    m.tag = e->tag;
    return m;
}

#endif /* ROCECC_GUARD_ACL_H */
