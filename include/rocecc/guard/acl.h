/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_ACL_H
#define ROCECC_GUARD_ACL_H

/*
 * acl.h - an access list of prefixes that are permitted or denied. The longest matching
 * prefix decides. Fast CNP requires such a list (draft-xiao-rtgwg-rocev2-fast-cnp,
 * security considerations), because otherwise anyone could slow down a sender.
 *
 *   sorted by prefix, length   up     Example: the search for 2001:db8:1:7::1 finds
 *   0  ::/0                    -      entry 2, the last entry that does not sort after
 *   1  2001:db8::/32           0      this address. Only 63 bits match, but entry 2
 *   2  2001:db8:1:6::/64       1      requires 64. Its link leads up to entry 1, which
 *   3  2001:db8:1:8::/64       1      contains the address and decides.
 *
 * Memory: 28 bytes per entry, provided by the caller. init() sorts and links the
 * entries. A lookup makes at most log2(n) + 1 comparisons of 16 bytes each. It then
 * compares one byte for each level of nested prefixes, at most 129 bytes in all.
 * Results are exact. README.md has the rules, the cost, and the proof that
 * the links lead to every matching entry.
 */
#include "../fixed.h"
#include "../net.h"

#ifndef ROCECC_ACL_MAX
#define ROCECC_ACL_MAX ((uint32_t)1 << 20) /* maximum number of entries; below 2^31 */
#endif

#define ROCECC_ACL_NONE 0xffffffffu

typedef enum rocecc_acl_refusal {
    ROCECC_ACL_ACCEPTED = 0,
    ROCECC_ACL_REFUSED_MANY,      /* more than ROCECC_ACL_MAX entries */
    ROCECC_ACL_REFUSED_LENGTH,    /* length > 128 */
    ROCECC_ACL_REFUSED_HOST_BITS, /* a bit after the prefix is set */
    ROCECC_ACL_REFUSED_PERMIT,    /* permit > 1 */
    ROCECC_ACL_REFUSED_TWICE /* the previous entry has the same prefix and length */
} rocecc_acl_refusal;

typedef struct rocecc_acl_entry {
    rocecc_ip6 prefix; /* address prefix; IPv4: ::ffff:a.b.c.d */
    uint8_t length;    /* prefix length; in bits, 0 to 128 */
    uint8_t permit;    /* verdict: 0 deny, 1 permit */
    uint32_t tag;      /* number chosen by the caller */
    /* derived by init */
    uint32_t parent; /* index of the longest entry that contains this entry, or NONE */
} rocecc_acl_entry;
ROCECC_SIZE_(rocecc_acl_entry, 28);

/*
 * A list that is ready for lookups. Any number of lookups may run at the same time,
 * because they do not change the list. The list points to its entries. A BPF map or
 * shared memory needs to hold only the linked entries and n, because
 * rocecc_acl_attach() can recreate the list from them.
 */
typedef struct rocecc_acl {
    const rocecc_acl_entry *entries; /* sorted by prefix, then length */
    uint32_t n;
    /* derived by init */
    uint32_t half; /* first search step: largest power of two <= n; 0 if n is 0 */
} rocecc_acl;

typedef struct rocecc_acl_result {
    bool permit;    /* verdict, true to permit */
    bool found;     /* match with an entry; if false, all members are 0 */
    uint8_t length; /* prefix length of the matching entry; in bits */
    uint32_t tag;   /* tag of the matching entry */
} rocecc_acl_result;

/*
 * An address as two 64-bit numbers, most significant byte first. `high` contains the
 * first 8 bytes.
 */
typedef struct rocecc_acl_key_ {
    uint64_t high;
    uint64_t low;
} rocecc_acl_key_;

/*
 * Returns the entry at `index`. Before Linux 6.8, the BPF verifier tracked only
 * comparisons with constants. A BPF program for such a kernel can bound the index by
 * defining ROCECC_ACL_BPF_ENTRIES as a power of two.
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
 * Returns the number of leading bits that two addresses share, 0 to 128. BPF needs the
 * loop, because it has no instruction that counts leading zeros.
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
 * Returns the index of the entry with the longest prefix that contains `key` (A-3,
 * A-5), or NONE. The first n_entries entries must be sorted and linked. `last` is the
 * index of the last entry that does not sort after `key`, or UINT32_MAX if no such
 * entry exists. The prefix lengths decrease along the links, so 129 steps suffice.
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

/* Checks an entry's length, the bits after the prefix, and `permit`. */
ROCECC_FN rocecc_acl_refusal rocecc_acl_check_(const rocecc_acl_entry *entry)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(&entry->prefix);
    uint64_t high = 0, low = 0; /* the bits after the prefix */
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

/*
 * Returns true if `a` sorts before `b`. A prefix sorts before every longer prefix that
 * it contains.
 */
ROCECC_FN bool rocecc_acl_sorts_before_(const rocecc_acl_entry *a,
                                        const rocecc_acl_entry *b)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(&a->prefix);
    if (rocecc_acl_is_after_(&b->prefix, k)) return true;
    return a->length < b->length &&
           rocecc_acl_shared_bits_(k, rocecc_acl_key_of_(&b->prefix)) == 128;
}

/* Sorts entries by Shellsort, with the gaps ..., 40, 13, 4, 1. */
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

/*
 * Returns a list of the n_entries entries at `entries`. rocecc_acl_init() must have
 * sorted and linked them.
 */
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
 * Makes a list for lookups. The n_entries entries may be in any order. They are
 * sorted in place, so they must not belong to a list that is in use. The new list
 * points to them. On refusal, *acl is unchanged, and *culprit is the index of
 * the first bad entry in the caller's order. For TWICE, however, *culprit is the
 * index in the sorted order, because the entries are sorted before this check. For MANY
 * and on success, *culprit is 0.
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
        /* Entries that contain this entry come before it, and are already linked. */
        entries[i].parent = rocecc_acl_longest_match_(entries, i, i - 1, k);
    }
    *culprit = 0;
    *acl = rocecc_acl_attach(entries, n_entries);
    return ROCECC_ACL_ACCEPTED;
}

/*
 * Looks up an address. The entry with the longest matching prefix decides and
 * provides the tag. If no entry matches, the address is denied. An
 * IPv4 address must be given as ::ffff:a.b.c.d. Never reads outside the list,
 * even if its entries contain arbitrary bits.
 */
ROCECC_FN rocecc_acl_result rocecc_acl_lookup(const rocecc_acl *acl,
                                              const rocecc_ip6 *address)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(address);
    const rocecc_acl_entry *e = acl->entries;
    rocecc_acl_result m = {false, false, 0, 0};
    uint32_t before = 0, step, i; /* before: number of entries not after the address */
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
