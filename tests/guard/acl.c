/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/acl.h"
#include "law/aclindex.h"
#include "../../examples/lib/field.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define MANY 6000

static const field address_field[] = {FIELD_ROW(rocecc_acl_entry, IP6, prefix, NULL)};

static rocecc_acl_entry entry(const char *prefix, uint8_t length, uint8_t permit,
                              uint32_t tag)
{
    rocecc_acl_entry e;
    memset(&e, 0xa5, sizeof e);
    CHECK(field_set(address_field, &e, prefix));
    e.length = length;
    e.permit = permit;
    e.tag = tag;
    return e;
}

static rocecc_acl made(rocecc_acl_entry *e, uint32_t n)
{
    rocecc_acl acl = {NULL, 0, 0};
    uint32_t at = 99;
    CHECK_EQ(rocecc_acl_init(&acl, e, n, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(at, 0);
    return acl;
}

/* Makes the index of a list in ROCECC_ACLINDEX_CELLS per entry, or in 1 without any. */
static rocecc_aclindex indexed(const rocecc_acl *acl)
{
    static rocecc_aclindex_cell cells[MANY * ROCECC_ACLINDEX_CELLS];
    rocecc_aclindex x = {{NULL, 0, 0}, NULL, 0};
    const uint32_t room = acl->n == 0 ? 1 : acl->n * ROCECC_ACLINDEX_CELLS;
    CHECK_EQ(rocecc_aclindex_init(&x, acl, cells, room), ROCECC_OK);
    CHECK(x.acl.entries == acl->entries && x.acl.n == acl->n && x.cells == cells);
    CHECK(x.n_cells > 0 && x.n_cells <= room);
    return x;
}

/* Looks up an address by list and by index. Both must agree. */
static rocecc_acl_result either(const rocecc_aclindex *x, const rocecc_ip6 *address)
{
    const rocecc_acl_result m = rocecc_acl_lookup(&x->acl, address);
    const rocecc_acl_result same = rocecc_aclindex_lookup(x, address);
    CHECK_EQ(same.found, m.found);
    CHECK_EQ(same.permit, m.permit);
    CHECK_EQ(same.length, m.length);
    CHECK_EQ(same.tag, m.tag);
    return m;
}

static rocecc_acl_result lookup(const rocecc_acl *acl, const char *address)
{
    const rocecc_acl_entry e = entry(address, 0, 0, 0);
    const rocecc_aclindex x = indexed(acl);
    test_context("%s", address);
    return either(&x, &e.prefix);
}

/* Checks the verdict and the tag. */
static void check(const rocecc_acl *acl, const char *address, bool permit, uint32_t tag)
{
    const rocecc_acl_result m = lookup(acl, address);
    CHECK(m.found);
    CHECK_EQ(m.permit, permit);
    CHECK_EQ(m.tag, tag);
}

static void check_none(const rocecc_acl *acl, const char *address)
{
    const rocecc_acl_result m = lookup(acl, address);
    CHECK(!m.permit && !m.found && m.length == 0 && m.tag == 0);
}

static void check_refused(rocecc_acl_entry *e, uint32_t n, rocecc_acl_refusal refusal,
                          uint32_t at)
{
    rocecc_acl_entry old = entry("2001:db8:7::", 48, 1, 7);
    const rocecc_acl before = made(&old, 1);
    rocecc_acl acl = before;
    uint32_t where = 99;
    CHECK_EQ(rocecc_acl_init(&acl, e, n, &where), refusal);
    CHECK_EQ(where, at);
    CHECK(acl.entries == before.entries && acl.n == 1 && acl.half == before.half);
    check(&acl, "2001:db8:7::1", true, 7); /* */
}

/* Returns true if an entry holds an address, bit by bit, as a slow reference. */
static bool holds(const rocecc_acl_entry *e, const rocecc_ip6 *address)
{
    unsigned i;
    for (i = 0; i < e->length; i++)
        if (((e->prefix.b[i / 8] ^ address->b[i / 8]) >> (7 - i % 8) & 1) != 0)
            return false;
    return true;
}

static void check_slowly(const rocecc_aclindex *x, const rocecc_acl_entry *given,
                         const rocecc_ip6 *address)
{
    const rocecc_acl_result m = either(x, address);
    const rocecc_acl_entry *best = NULL;
    uint32_t i;
    for (i = 0; i < x->acl.n; i++)
        if ((best == NULL || given[i].length > best->length) &&
            holds(&given[i], address))
            best = &given[i];
    CHECK_EQ(m.found, best != NULL);
    if (best == NULL || !m.found) return;
    CHECK_EQ(m.length, best->length);
    CHECK_EQ(m.tag, best->tag);
    CHECK_EQ(m.permit, best->permit);
}

static rocecc_ip6 any_address(uint64_t *random)
{
    rocecc_ip6 a;
    size_t i;
    for (i = 0; i < sizeof a.b; i++)
        a.b[i] = (uint8_t)(test_random(random) >> 24);
    return a;
}

/* Returns the first `bits` bits of a, then the bits of `by`. */
static rocecc_ip6 spliced(rocecc_ip6 a, unsigned bits, rocecc_ip6 by)
{
    unsigned i;
    for (i = bits; i < 128; i++) {
        const uint8_t bit = (uint8_t)(0x80u >> (i % 8));
        a.b[i / 8] = (uint8_t)((a.b[i / 8] & ~bit) | (by.b[i / 8] & bit));
    }
    return a;
}

/* A list above the maximum is rejected before any entry is read. */
TEST(acl_rejects_too_many_entries)
{
    rocecc_acl_entry one;
    rocecc_acl list = {&one, 5, 6};
    uint32_t at = 77;
    CHECK_EQ(rocecc_acl_init(&list, &one, ROCECC_ACL_MAX + 1, &at),
             ROCECC_ACL_REFUSED_MANY);
    CHECK_EQ(at, 0);
    one = entry("::", 129, 1, 7); /* the maximum; entries are checked */
    CHECK_EQ(rocecc_acl_init(&list, &one, ROCECC_ACL_MAX, &at),
             ROCECC_ACL_REFUSED_LENGTH);
    CHECK_EQ(at, 0);
    CHECK(list.entries == &one && list.n == 5 && list.half == 6);
}

/* attach() makes the same list from entries that have moved. */
TEST(acl_attach_accepts_moved_entries)
{
    static rocecc_acl_entry e[3], moved[3];
    rocecc_acl list;
    uint32_t n;
    e[0] = entry("2001:db8::", 32, 1, 7);
    e[1] = entry("2001:db8:7::", 48, 0, 8);
    e[2] = entry("::ffff:192.0.2.0", 120, 1, 9);
    list = made(e, 3);
    memcpy(moved, e, sizeof e);
    memset(e, 0xff, sizeof e);
    list = rocecc_acl_attach(moved, 3);
    CHECK(list.entries == moved && list.n == 3 && list.half == 2);
    check(&list, "2001:db8:8::1", true, 7);
    check(&list, "2001:db8:7::1", false, 8);
    for (n = 0; n < 5000; n++) {
        list = rocecc_acl_attach(moved, n);
        CHECK(n == 0 ? list.half == 0 : list.half <= n && n / 2 < list.half);
        CHECK_EQ(list.half & (list.half - 1), 0); /* a power of two */
    }
    for (n = 2; n != 0; n <<= 1) {
        CHECK_EQ(rocecc_acl_attach(moved, n).half, n);
        CHECK_EQ(rocecc_acl_attach(moved, n - 1).half, n / 2);
        CHECK_EQ(rocecc_acl_attach(moved, n + n / 2).half, n);
    }
    CHECK_EQ(rocecc_acl_attach(moved, 0xffffffff).half, 0x80000000);
}

TEST(A_1_an_empty_list_denies_all)
{
    rocecc_acl_entry e[1];
    const rocecc_acl empty = made(e, 0);
    rocecc_acl zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    check_none(&empty, "::");
    check_none(&empty, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    check_none(&zeroed, "::1");
    check_none(&zeroed, "::ffff:192.0.2.1");
}

TEST(A_2_an_unlisted_address_is_denied)
{
    rocecc_acl_entry e[2];
    rocecc_acl acl;
    e[0] = entry("2001:db8:2::", 48, 1, 1);
    e[1] = entry("2001:db8:4::", 48, 1, 2);
    acl = made(e, 2);
    check_none(&acl, "2001:db8:1:ffff:ffff:ffff:ffff:ffff");
    check(&acl, "2001:db8:2::", true, 1);
    check(&acl, "2001:db8:2:ffff:ffff:ffff:ffff:ffff", true, 1);
    check_none(&acl, "2001:db8:3::");
    check(&acl, "2001:db8:4::", true, 2);
    check_none(&acl, "2001:db8:5::");
}

TEST(A_3_the_longest_prefix_decides)
{
    rocecc_acl_entry e[4];
    rocecc_acl acl;
    e[0] = entry("2001:db8::", 32, 1, 1);
    e[1] = entry("2001:db8:1::", 48, 0, 2);
    e[2] = entry("2001:db8:1:8::", 64, 1, 3);
    e[3] = entry("2001:db8:1:8::9", 128, 0, 4);
    acl = made(e, 4);
    check(&acl, "2001:db8:2::1", true, 1);
    check(&acl, "2001:db8:1::1", false, 2);
    check(&acl, "2001:db8:1:8::8", true, 3);
    check(&acl, "2001:db8:1:8::9", false, 4);
    check(&acl, "2001:db8:1:9::", false, 2); /* past the /64 */
    check_none(&acl, "2001:db9::");
}

/* All orders of five entries give the same sorted list. */
TEST(A_4_entries_may_have_any_order)
{
    rocecc_acl_entry e[5], p[5];
    uint32_t order, i, j;
    e[0] = entry("::", 0, 0, 1);
    e[1] = entry("2001:db8::", 32, 1, 2);
    e[2] = entry("2001:db8::", 48, 0, 3);
    e[3] = entry("2001:db8:1::", 48, 1, 4);
    e[4] = entry("ff00::", 8, 1, 5);
    for (order = 0; order < 5 * 4 * 3 * 2; order++) {
        uint32_t rest = order;
        rocecc_acl acl;
        memcpy(p, e, sizeof p);
        for (i = 5; i > 1; i--) {
            const rocecc_acl_entry x = p[i - 1];
            p[i - 1] = p[j = rest % i];
            p[j] = x;
            rest /= i;
        }
        acl = made(p, 5);
        for (i = 0; i < 5; i++)
            CHECK_EQ(p[i].tag, i + 1);
        check(&acl, "2001:db8::1", false, 3);
        check(&acl, "2001:db8:1::1", true, 4);
        check(&acl, "2001:db8:2::1", true, 2);
        check(&acl, "ff02::1", true, 5);
        check(&acl, "3000::", false, 1);
    }
}

/*
 * For any length, the first and the last address match. An address with another last
 * prefix bit does not match.
 */
TEST(A_5_only_the_prefix_bits_are_compared)
{
    uint8_t length;
    rocecc_ip6 zero, ones;
    memset(&zero, 0, sizeof zero);
    memset(&ones, 0xff, sizeof ones);
    for (length = 0; length <= 128; length++) {
        rocecc_acl_entry e =
            entry("5555:3333:f0f:ff:aaaa:cccc:f0f0:ff01", length, 1, 5);
        const rocecc_ip6 prefix = e.prefix;
        rocecc_ip6 last = spliced(prefix, length, ones), beside = prefix;
        rocecc_acl acl;
        rocecc_aclindex x;
        e.prefix = spliced(prefix, length, zero);
        acl = made(&e, 1);
        x = indexed(&acl);
        test_context("/%u", length);
        CHECK(either(&x, &e.prefix).permit);
        CHECK(either(&x, &last).permit);
        CHECK_EQ(either(&x, &last).length, length);
        if (length == 0) continue;
        beside.b[(length - 1) / 8] ^= (uint8_t)(0x80u >> ((length - 1) % 8));
        CHECK(!either(&x, &beside).found);
        if (length == 128) continue;
        last.b[length / 8] ^= (uint8_t)(0x80u >> (length % 8));
        CHECK(either(&x, &last).permit);
    }
}

TEST(A_6_ipv4_addresses_are_mapped)
{
    rocecc_acl_entry e[3];
    rocecc_acl acl;
    e[0] = entry("::ffff:10.1.0.0", 112, 1, 1);
    e[1] = entry("::ffff:10.1.2.3", 128, 0, 2);
    acl = made(e, 2);
    check(&acl, "::ffff:10.1.2.2", true, 1);
    check(&acl, "::ffff:10.1.2.3", false, 2);
    check_none(&acl, "::ffff:10.2.0.0");
    check_none(&acl, "::10.1.0.1");
    e[2] = entry("::", 0, 1, 3);
    acl = made(e, 3);
    check(&acl, "::ffff:10.2.0.0", true, 3);
    check(&acl, "2001:db8::1", true, 3);
}

TEST(A_7_a_lookup_returns_tag_and_length)
{
    rocecc_acl_entry e[2];
    rocecc_acl acl;
    e[0] = entry("2001:db8:a::7", 128, 1, 0xffffffff);
    e[1] = entry("2001:db8:a::", 64, 1, 0);
    acl = made(e, 2);
    CHECK_EQ(lookup(&acl, "2001:db8:a::7").tag, 0xffffffff);
    CHECK_EQ(lookup(&acl, "2001:db8:a::7").length, 128);
    CHECK_EQ(lookup(&acl, "2001:db8:a::8").tag, 0);
    CHECK_EQ(lookup(&acl, "2001:db8:a::8").length, 64);
    CHECK(lookup(&acl, "2001:db8:a::8").found);
}

/* For every length, a bit set after the prefix is rejected, the first or the last. */
TEST(A_8_bits_after_the_prefix_are_rejected)
{
    uint8_t length;
    rocecc_acl_entry e[3];
    e[0] = entry("2001:db8::", 32, 1, 1);
    e[2] = entry("2001:db8::", 32, 1, 2);
    for (length = 0; length < 128; length++) {
        test_context("/%u", length);
        e[1] = entry("::", length, 1, 3);
        e[1].prefix.b[length / 8] = (uint8_t)(0x80u >> (length % 8));
        check_refused(e, 3, ROCECC_ACL_REFUSED_HOST_BITS, 1);
        e[1] = entry("::1", length, 1, 3);
        check_refused(e, 3, ROCECC_ACL_REFUSED_HOST_BITS, 1);
        if (length == 0) continue;
        e[1] = entry("::", length, 1, 3);
        e[1].prefix.b[(length - 1) / 8] = (uint8_t)(0x80u >> ((length - 1) % 8));
        (void)made(e + 1, 1);
    }
}

TEST(A_9_a_repeated_prefix_is_rejected)
{
    rocecc_acl_entry e[4];
    e[0] = entry("2001:db8:9::", 48, 1, 1);
    e[1] = entry("2001:db8:1::", 48, 1, 2);
    e[2] = entry("2001:db8:1::", 64, 0, 3);
    e[3] = entry("2001:db8:1::", 48, 1, 2);
    check_refused(e, 4, ROCECC_ACL_REFUSED_TWICE, 1);
    CHECK(e[0].length == 48 && e[1].length == 48 && e[2].length == 64);
    CHECK_EQ(e[3].tag, 1);
    e[0] = entry("::", 0, 1, 1);
    e[1] = entry("::", 0, 0, 1);
    check_refused(e, 2, ROCECC_ACL_REFUSED_TWICE, 1);
}

TEST(A_10_a_rejected_list_changes_nothing)
{
    static rocecc_acl_entry many[2];
    rocecc_acl_entry e[3];
    e[0] = entry("2001:db8::", 32, 1, 1);
    e[1] = entry("::", 129, 1, 1);
    check_refused(e, 2, ROCECC_ACL_REFUSED_LENGTH, 1);
    e[1] = entry("ff00::", 255, 1, 1);
    check_refused(e, 2, ROCECC_ACL_REFUSED_LENGTH, 1);
    e[1] = entry("ff00::", 8, 2, 1);
    check_refused(e, 2, ROCECC_ACL_REFUSED_PERMIT, 1);
    e[1] = entry("ff00::", 8, 255, 1);
    check_refused(e, 2, ROCECC_ACL_REFUSED_PERMIT, 1);
    check_refused(many, ROCECC_ACL_MAX + 1, ROCECC_ACL_REFUSED_MANY, 0);
    check_refused(many, UINT32_MAX, ROCECC_ACL_REFUSED_MANY, 0);
    CHECK_EQ(ROCECC_ACL_REFUSED_TWICE, 5); /* the last one; all are tested */
}

/* Returns an address with one bit inverted, or unchanged for 128. */
static rocecc_ip6 flipped(rocecc_ip6 a, unsigned bit)
{
    if (bit < 128) a.b[bit / 8] = (uint8_t)(a.b[bit / 8] ^ 0x80u >> bit % 8);
    return a;
}

/* Checks all lengths along one address, by addresses that leave it at every bit. */
static void check_deepest(uint8_t bytes)
{
    rocecc_acl_entry e[129];
    uint32_t i;
    rocecc_ip6 along, zero;
    rocecc_acl acl;
    rocecc_aclindex x;
    memset(&along, bytes, sizeof along);
    memset(&zero, 0, sizeof zero);
    for (i = 0; i <= 128; i++) {
        const uint8_t length = (uint8_t)(i * 50 % 129);
        e[i] = entry("::", length, length & 1, 1000u + length);
        e[i].prefix = spliced(along, length, zero);
    }
    acl = made(e, 129);
    x = indexed(&acl);
    for (i = 0; i <= 128; i++) {
        const rocecc_ip6 address = flipped(along, i);
        const rocecc_acl_result m = either(&x, &address);
        CHECK_EQ(e[i].parent, i == 0 ? ROCECC_ACL_NONE : i - 1);
        CHECK_EQ(m.length, i);
        CHECK_EQ(m.tag, 1000 + i);
        CHECK_EQ(m.permit, i & 1);
    }
}

TEST(acl_finds_each_of_129_nested_entries)
{
    check_deepest(0xff);
    check_deepest(0x5a);
    check_deepest(0); /* all prefixes are ::, and lookups start at /128 */
}

/* Returns a random entry near one of the n given, but different from all. */
static rocecc_acl_entry drawn(const rocecc_acl_entry *given, uint32_t n,
                              uint64_t *random)
{
    rocecc_acl_entry e = entry("::", 0, (uint8_t)(test_random(random) >> 31), n);
    rocecc_ip6 in, zero;
    uint32_t i;
    memset(&zero, 0, sizeof zero);
    do {
        in = n == 0 ? zero : given[test_random(random) % n].prefix;
        e.length = (uint8_t)(test_random(random) % (n < 70 ? 129 : 90));
        if (n >= 70) e.length = (uint8_t)(e.length + 39);
        in = spliced(in, test_random(random) % 129, any_address(random));
        e.prefix = spliced(in, e.length, zero);
        for (i = 0; i < n; i++)
            if (given[i].length == e.length &&
                memcmp(&given[i].prefix, &e.prefix, sizeof e.prefix) == 0)
                break;
    } while (i < n);
    return e;
}

/* Random nested lists, with 1 to 70 entries, and with 210, 630, 1890 and 5670. */
TEST(acl_agrees_with_a_bitwise_search)
{
    static rocecc_acl_entry given[MANY], e[MANY];
    uint64_t random = 3;
    uint32_t n, i;
    for (n = 1; n <= MANY; n = n < 70 ? n + 1 : n * 3) {
        const uint64_t rounds = test_rounds(n < 70 ? 100 : 1000);
        rocecc_acl acl;
        rocecc_aclindex x;
        uint64_t k;
        test_context("%u entries", (unsigned)n);
        for (i = 0; i < n; i++)
            given[i] = drawn(given, i, &random);
        memcpy(e, given, n * sizeof e[0]);
        acl = made(e, n);
        x = indexed(&acl);
        for (i = 1; i < n; i++)
            CHECK(memcmp(&e[i - 1].prefix, &e[i].prefix, sizeof e[i].prefix) <= 0);
        for (k = 0; k < rounds; k++) {
            const rocecc_ip6 near = given[test_random(&random) % n].prefix;
            const rocecc_ip6 address =
                spliced(near, test_random(&random) % 129, any_address(&random));
            test_context("%u entries, lookup %u", (unsigned)n, (unsigned)k);
            check_slowly(&x, given, &address);
        }
    }
}

/* A link to the entry after the list is not followed, even if that entry matches. */
TEST(acl_ignores_a_link_past_the_list)
{
    rocecc_acl_entry e[3];
    rocecc_acl list;
    e[0] = entry("2001:db8::", 32, 1, 7);
    e[1] = entry("2001:db8:7::", 48, 0, 8);
    e[2] = entry("::", 0, 1, 9);
    list = rocecc_acl_attach(e, 2);
    e[0].parent = 2;
    e[1].parent = 0;
    e[2].parent = ROCECC_ACL_NONE;
    CHECK_EQ(rocecc_acl_lookup(&list, &e[1].prefix).tag, 8);
    CHECK_EQ(rocecc_acl_lookup(&list, &e[0].prefix).tag, 7);
    {
        const rocecc_acl_entry far = entry("2001:db9::", 0, 0, 0);
        CHECK(!rocecc_acl_lookup(&list, &far.prefix).found);
    }
}

/* Addresses that differ only in the last bit are different. */
TEST(A_11_list_and_index_compare_the_last_bit)
{
    rocecc_acl_entry e[2];
    rocecc_acl acl;
    e[0] = entry("2001:db8::2", 128, 1, 7);
    e[1] = entry("2001:db8::3", 128, 0, 8);
    acl = made(e, 2);
    check(&acl, "2001:db8::2", true, 7);
    check(&acl, "2001:db8::3", false, 8);
    CHECK(!lookup(&acl, "2001:db8::1").found && !lookup(&acl, "2001:db8::4").found);
}

/* 10^4 entries and any index for them take less than 4 MB. */
TEST(aclindex_and_list_of_10000_entries_fit_in_4_mib)
{
    CHECK(10000 * (sizeof(rocecc_acl_entry) +
                   ROCECC_ACLINDEX_CELLS * sizeof(rocecc_aclindex_cell)) <
          4u << 20);
}

/* The cells match the figure in aclindex.h. */
TEST(aclindex_matches_the_figure)
{
    static const rocecc_aclindex_cell figure[5] = {
        {1, 2 * 256 + 45}, {0, 0}, {1, 0}, {2, 0}, {0, 0}};
    rocecc_acl_entry e[3];
    rocecc_acl acl;
    rocecc_aclindex x;
    uint32_t i;
    e[0] = entry("2001:db8::", 32, 1, 7);
    e[1] = entry("2001:db8:2::", 48, 1, 8);
    e[2] = entry("2001:db8:4::", 48, 1, 9);
    acl = made(e, 3);
    x = indexed(&acl);
    CHECK_EQ(x.n_cells, 5);
    for (i = 0; i < 5; i++)
        CHECK(x.cells[i].index == figure[i].index && x.cells[i].step == figure[i].step);
    check(&acl, "2001:db8:4::9", true, 9);
    check(&acl, "2001:db8:5::9", true, 7);
}

/* The list needs 5 cells. With fewer, *out is unchanged. */
TEST(aclindex_needs_room_for_all_cells)
{
    static rocecc_aclindex_cell cells[6];
    rocecc_acl_entry e[3];
    rocecc_acl acl;
    rocecc_aclindex x = {{NULL, 7, 8}, NULL, 9};
    uint32_t room;
    e[0] = entry("2001:db8::", 32, 1, 7);
    e[1] = entry("2001:db8:2::", 48, 1, 8);
    e[2] = entry("2001:db8:4::", 48, 1, 9);
    acl = made(e, 3);
    for (room = 0; room < 5; room++) {
        CHECK_EQ(rocecc_aclindex_init(&x, &acl, cells, room), ROCECC_ERR_SPACE);
        CHECK(x.acl.entries == NULL && x.acl.n == 7 && x.acl.half == 8);
        CHECK(x.cells == NULL && x.n_cells == 9);
    }
    cells[5].index = 77;
    CHECK_EQ(rocecc_aclindex_init(&x, &acl, cells, 5), ROCECC_OK);
    CHECK_EQ(x.n_cells, 5);
    CHECK_EQ(cells[5].index, 77);
}

TEST(aclindex_attach_accepts_moved_cells)
{
    static rocecc_acl_entry e[3], moved[3];
    static rocecc_aclindex_cell cells[5];
    rocecc_acl list;
    rocecc_aclindex x, zeroed;
    rocecc_ip6 address;
    e[0] = entry("2001:db8::", 32, 1, 7);
    e[1] = entry("2001:db8:2::", 48, 1, 8);
    e[2] = entry("2001:db8:4::", 48, 1, 9);
    address = e[2].prefix;
    list = made(e, 3);
    x = indexed(&list);
    CHECK_EQ(x.n_cells, 5);
    memcpy(cells, x.cells, sizeof cells);
    memcpy(moved, e, sizeof e);
    memset(e, 0xff, sizeof e);
    list = rocecc_acl_attach(moved, 3);
    x = rocecc_aclindex_attach(&list, cells, 5);
    CHECK(x.acl.entries == moved && x.cells == cells && x.n_cells == 5);
    CHECK_EQ(either(&x, &address).tag, 9);
    memset(&zeroed, 0, sizeof zeroed);
    CHECK(!rocecc_aclindex_lookup(&zeroed, &address).found); /* */
}

/* Lookups end despite a step to itself, circular links, and indices out of range. */
TEST(aclindex_lookup_ends_in_corrupt_memory)
{
    rocecc_aclindex_cell cells[2] = {{0, 0x100}, {0, 0}};
    rocecc_acl_entry e[2];
    rocecc_acl acl;
    rocecc_aclindex x;
    rocecc_ip6 address;
    memset(&address, 0, sizeof address);
    e[0] = entry("2001:db9::", 32, 1, 7);
    e[1] = entry("2001:db8:2::", 48, 1, 8);
    acl = rocecc_acl_attach(e, 2);
    e[0].parent = 1;
    e[1].parent = 0;
    x = rocecc_aclindex_attach(&acl, cells, 2);
    CHECK(!rocecc_aclindex_lookup(&x, &address).found);
    cells[0].step = 0;
    CHECK(!rocecc_aclindex_lookup(&x, &address).found);
    CHECK_EQ(rocecc_aclindex_lookup(&x, &e[1].prefix).tag, 8);
    e[0].parent = 2;
    CHECK(!rocecc_aclindex_lookup(&x, &e[1].prefix).found);
    cells[0].index = 2;
    CHECK(!rocecc_aclindex_lookup(&x, &e[1].prefix).found);
    cells[0].index = 2;
    cells[0].step = 0x100;
    CHECK(!rocecc_aclindex_lookup(&x, &e[1].prefix).found);
}

TEST(acl_traces)
{
    trace_check("acl", NULL, 0);
}

TEST(acl_law)
{
    law_random(law_acl, 50000);
}

TEST(aclindex_law)
{
    law_random(law_aclindex, 50000);
}

/*
 * The first bad entry is reported by its index in the given order. The length is
 * checked first, then the bits after the prefix, then `permit`.
 */
TEST(acl_reports_the_first_bad_entry_and_keeps_the_order)
{
    rocecc_acl_entry e[4], given[4];
    e[0] = entry("ff00::", 8, 1, 1);
    e[1] = entry("2001:db8::", 32, 2, 2); /* sorts before e[0] */
    e[2] = entry("::1", 129, 2, 3);
    e[3] = entry("::1", 64, 2, 4);
    memcpy(given, e, sizeof e);
    check_refused(e, 4, ROCECC_ACL_REFUSED_PERMIT, 1);
    check_refused(e + 2, 2, ROCECC_ACL_REFUSED_LENGTH, 0);
    check_refused(e + 3, 1, ROCECC_ACL_REFUSED_HOST_BITS, 0);
    CHECK(memcmp(given, e, sizeof e) == 0);
}
