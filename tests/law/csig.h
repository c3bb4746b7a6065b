/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_CSIG_H
#define TESTS_LAW_CSIG_H

#include "law.h"
#include "rocecc/packet/csig.h"
#include "rocecc/fields/csig.h"

#define CSIG_VERDICTS "kept written marked unknown passed stripped"

#define LAW_CSIG_COMPACT 0x9900 /* lab values, as in PINS and FBOSS */
#define LAW_CSIG_WIDE 0x9901

/*
 * Declares a buffer, under BPF and Frama-C at an odd address. For an even stack
 * address, clang computes `base | 7`, and the verifier cannot follow it. clang does not
 * know a packet's address.
 */
#if defined(__bpf__) || defined(__FRAMAC__)
#define LAW_CSIG_ODD(name)                                                             \
    uint8_t name##_[16] = {0};                                                         \
    uint8_t *const name = name##_ + 1
#else
#define LAW_CSIG_ODD(name) LAW_SCRATCH(name, 8)
#endif

/* Size of a buffer outside packets. The verifier requires a constant there. */
#if defined(__bpf__)
#define LAW_CSIG_ROOM(bytes) ROCECC_CSIG_WIDE_BYTES
#else
#define LAW_CSIG_ROOM(bytes) (bytes)
#endif

/* Contiguous ranges, gaps, shared bounds, and a type without wide buckets. */
static const rocecc_csig_table law_csig_table = {
    {{32,
      {{0, 9},     {10, 19},         {20, 29},   {30, 39},   {40, 49},   {50, 59},
       {60, 69},   {70, 79},         {80, 89},   {90, 99},   {100, 109}, {110, 119},
       {120, 129}, {130, 139},       {140, 149}, {150, 159}, {160, 169}, {170, 179},
       {180, 189}, {190, 199},       {200, 209}, {210, 219}, {220, 229}, {230, 239},
       {240, 249}, {250, 259},       {260, 269}, {270, 279}, {280, 289}, {290, 299},
       {300, 309}, {310, UINT64_MAX}},
      true,
      23,
      0},
     {7,
      {{5, 7},
       {10, 10},
       {11, 20},
       {64, 65},
       {100, 1000},
       {4096, 65535},
       {1u << 20, 1u << 20}},
      true,
      0,
      1},
     {31,
      {{0, 1},    {1, 2},     {2, 3},    {3, 5},   {5, 6},   {6, 9},   {9, 12},
       {12, 13},  {13, 14},   {14, 15},  {15, 16}, {16, 17}, {17, 18}, {18, 19},
       {19, 20},  {20, 31},   {31, 32},  {32, 33}, {33, 34}, {34, 35}, {35, 36},
       {36, 37},  {37, 38},   {38, 39},  {39, 40}, {40, 64}, {64, 80}, {80, 99},
       {99, 128}, {128, 200}, {200, 255}},
      true,
      7,
      128},
     {1, {{3, 3}}, false, 0, 0}}};

/* Tag as two words, and a hop that updates it. A compact tag uses only w0. */
typedef struct law_csig_sample {
    uint64_t v;      /* value that the hop measured */
    uint32_t w0, w1; /* w0 is 0 without a tag */
    uint8_t how;     /* bits 0-1 the port's action, 2 ignore_d, 3-7 its locator */
    bool uec;
} law_csig_sample;

LAW_FN rocecc_csig law_csig_load(const law_csig_sample *s)
{
    uint8_t b[8];
    rocecc_store32(b, s->w0);
    rocecc_store32(b + 4, s->w1);
    return s->w0 >> 16 == LAW_CSIG_WIDE ? rocecc_csig_wide_load(b, s->uec)
                                        : rocecc_csig_compact_load(b, s->uec);
}

/* Returns true if store() gives the words again. Divides to get the members. */
LAW_FN bool law_csig_stored(const law_csig_sample *b)
{
    const bool uec = b->uec;
    uint8_t compact[4], wide[8];
    rocecc_csig h;
    h.wide = b->w0 >> 16 == LAW_CSIG_WIDE;
    h.tpid = (uint16_t)(b->w0 >> 16);
    h.no_update = uec && b->w0 % 2 == 1;
    if (h.wide) {
        h.type = (uint8_t)(b->w1 / 0x10000000u);
        h.value = b->w1 % 0x10000000u / 0x100;
        h.reserved = (uint8_t)(b->w1 % 0x100);
        h.locator = (uint16_t)(b->w0 % 0x10000u / (uec ? 2 : 1));
    } else {
        h.type = (uint8_t)(b->w0 % 0x10000u / 0x2000);
        h.reserved = (uint8_t)(b->w0 % 0x2000 / 0x1000);
        h.value = b->w0 % 0x1000 / 0x80;
        h.locator = (uint16_t)(b->w0 % 0x80 / (uec ? 2 : 1));
    }
    rocecc_csig_compact_store(compact, &h, uec);
    rocecc_csig_wide_store(wide, &h, uec);
    if (!h.wide) return rocecc_load32(compact) == b->w0;
    return rocecc_load32(wide) == b->w0 && rocecc_load32(wide + 4) == b->w1;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Returns true if bucket k is a pessimistic bucket for v, by the table alone. */
static bool law_csig_holds(const rocecc_csig_buckets *b, const rocecc_csig *h,
                           uint32_t k, uint64_t v)
{
    const bool min = h->type < 2;
    if (h->wide) {
        const uint64_t step = (uint64_t)1 << b->step_log2;
        return min ? b->base + k * step <= v : b->base + (k + 1) * step - 1 >= v;
    }
    return min ? b->range[k].min <= v : b->range[k].max >= v;
}

/* Returns true if k is the nearest pessimistic bucket for v, or an end of the table. */
static bool law_csig_nearest(const rocecc_csig_buckets *b, const rocecc_csig *h,
                             uint32_t k, uint64_t v)
{
    const uint32_t last = h->wide ? 0xfffff : b->n - 1u;
    if (k > last) return false;
    if (h->type < 2) /* the largest that holds */
        return (k == 0 || law_csig_holds(b, h, k, v)) &&
               (k == last || !law_csig_holds(b, h, k + 1, v));
    return (k == last || law_csig_holds(b, h, k, v)) && /* the smallest */
           (k == 0 || !law_csig_holds(b, h, k - 1, v));
}
#endif

/* Checks a value to a bucket and back. *bucket is UINT32_MAX without buckets. */
LAW_FN uint32_t law_csig_buckets(const law_csig_sample *s, uint32_t *bucket)
{
    const rocecc_csig tag = law_csig_load(s), *h = &tag;
    const uint64_t v = s->v;
    const bool off = h->type > 3 || (h->type == 3 && h->wide);
    rocecc_csig g = *h;
    uint32_t k = UINT32_MAX;
    uint64_t back = 1, mean = 1;
    rocecc_status status = rocecc_csig_quantise(&law_csig_table, h, v, &k);
    *bucket = k;
    LAW(status == (off ? ROCECC_NO_MATCH : ROCECC_OK));
    LAW((k == UINT32_MAX) == off);
    g.value = k;
    status = rocecc_csig_dequantise(&law_csig_table, &g, &back);
    LAW(status == (off ? ROCECC_NO_MATCH : ROCECC_OK));
    LAW(off || h->type < 2 || k != 0 || back == 0);
    status = rocecc_csig_dequantise(&law_csig_table, h, &mean);
    LAW(off == (status == ROCECC_NO_MATCH));
    LAW(status != ROCECC_OK || h->value == k || (h->value < k) == (mean < back));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    if (!off) {
        const rocecc_csig_buckets *b = &law_csig_table.type[h->type];
        LAW(law_csig_nearest(b, h, k, v));
        LAW(h->type >= 2 || k == 0 || back <= v);
        LAW(h->type < 2 || k == 0 || k == (h->wide ? 0xfffff : b->n - 1u) || back >= v);
        LAW((status == ROCECC_ERR_RANGE) == (!h->wide && h->value >= b->n));
    }
#endif
    return law_mix(law_mix(law_mix(LAW_START, k), back), mean);
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/*
 * Checks that a tag is inserted, updated by a port, and stripped, in a frame with VLAN
 * tags and any other bytes. Nothing else changes.
 */
LAW_FN uint32_t law_csig_packet(const law_csig_sample *s, const rocecc_csig_port *port,
                                rocecc_csig_verdict is, const rocecc_csig *after)
{
    static LAW_ROOM(was, 64);
    static LAW_ROOM(b, 64);
    static const rocecc_domain none;
    rocecc_domain d = none;
    const rocecc_csig h = law_csig_load(s);
    const size_t vlans = s->how % 3, at = 12 + 4 * vlans, bytes = h.wide ? 8 : 4;
    rocecc_writer w = law_writer(b, 64);
    rocecc_csig_measured local;
    rocecc_csig found;
    rocecc_packet p;
    rocecc_edit e;
    size_t i;
    d.csig.compact_tpid = LAW_CSIG_COMPACT;
    d.csig.wide_tpid = LAW_CSIG_WIDE;
    d.csig.uec = s->uec;
    for (i = 0; i < 64; i++)
        was[i] = b[i] = (uint8_t)(s->how * 7 + i);
    for (i = 0; i < vlans; i++) {
        rocecc_store16(was + 12 + 4 * i, 0x8100);
        rocecc_store16(b + 12 + 4 * i, 0x8100);
    }
    rocecc_store16(was + at, 0x9800);
    rocecc_store16(b + at, 0x9800);
    for (i = 0; i < ROCECC_CSIG_TYPES; i++)
        local.value[i] = s->v;
    law_rewind(&w, 40);
    (void)rocecc_packet_parse(&d, law_written(&w), &p);
    LAW(rocecc_csig_push(&p, &law_csig_table, port, &local, &e) == ROCECC_EDIT_NONE);
    LAW(rocecc_csig_strip(&p, &e) == ROCECC_EDIT_NONE && !rocecc_edit_needs_action(&e));
    LAW(rocecc_csig_insert(&p, &h, &e) == ROCECC_EDIT_CHANGE);
    LAW(rocecc_edit_apply(&e, &w) == ROCECC_OK && law_wrote(&w) == 40 + bytes);
    LAW(rocecc_edit_apply(&e, &w) == ROCECC_NO_MATCH);
    (void)rocecc_packet_parse(&d, law_written(&w), &p);
    LAW(p.headers.csig == law_front() + at && p.headers.csig_bytes == bytes);
    LAW(rocecc_csig_find(&p, &found) == ROCECC_OK);
    LAW(found.value == h.value && found.locator == h.locator);
    LAW(rocecc_csig_insert(&p, &h, &e) == ROCECC_EDIT_PRESENT);
    (void)rocecc_csig_push(&p, &law_csig_table, port, &local, &e);
    LAW(rocecc_edit_needs_action(&e) ==
        (is == ROCECC_CSIG_WRITTEN || is == ROCECC_CSIG_STRIPPED));
    if (is != ROCECC_CSIG_STRIPPED) {
        LAW(rocecc_edit_apply(&e, &w) == ROCECC_OK && law_wrote(&w) == 40 + bytes);
        LAW(is != ROCECC_CSIG_WRITTEN || rocecc_edit_apply(&e, &w) == ROCECC_NO_MATCH);
        (void)rocecc_packet_parse(&d, law_written(&w), &p);
        LAW(rocecc_csig_find(&p, &found) == ROCECC_OK);
        LAW(found.value == after->value && found.locator == after->locator);
        LAW(found.type == h.type && found.reserved == h.reserved &&
            found.no_update == h.no_update);
        LAW(rocecc_csig_strip(&p, &e) == ROCECC_EDIT_CHANGE);
    }
    LAW(rocecc_edit_apply(&e, &w) == ROCECC_OK && law_wrote(&w) == 40);
    for (i = 0; i < 40; i++)
        LAW(b[i] == was[i]);
    return LAW_START;
}
#endif

/* Checks bit by bit how a hop with this bucket changes the tag. */
LAW_FN uint32_t law_csig_hop(const law_csig_sample *s, uint32_t bucket)
{
    const rocecc_csig_config c = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, s->uec};
    const rocecc_csig before = law_csig_load(s), *h = &before;
    LAW_CSIG_ODD(tag);
    rocecc_writer w = law_writer(tag, LAW_CSIG_ROOM(h->wide ? 8 : 4));
    rocecc_csig after = before;
    rocecc_csig_verdict is, should = ROCECC_CSIG_KEPT;
    rocecc_csig_port port;
    rocecc_csig_measured local;
    uint32_t w0 = s->w0, w1 = s->w1, lm;
    int i;
    port.action = s->how & 3;
    port.ignore_d = (s->how & 4) != 0;
    port.locator = s->how >> 3;
    lm = s->uec ? port.locator * 2u + h->no_update : port.locator;
    for (i = 0; i < ROCECC_CSIG_TYPES; i++)
        local.value[i] = s->v;
    is = rocecc_csig_fold(&law_csig_table, &port, &local, &after);
    if (port.action == 2)
        should = ROCECC_CSIG_STRIPPED;
    else if (port.action != 1)
        should = ROCECC_CSIG_PASSED;
    else if (s->uec && (w0 & 1) != 0 && !port.ignore_d)
        should = ROCECC_CSIG_MARKED;
    else if (bucket == UINT32_MAX)
        should = ROCECC_CSIG_UNKNOWN;
    else if (h->type < 2 ? bucket < h->value : bucket > h->value)
        should = ROCECC_CSIG_WRITTEN;
    LAW(is == should);
    if (should == ROCECC_CSIG_WRITTEN && h->wide) {
        w0 = (w0 & 0xffff0000u) | lm;
        w1 = (w1 & 0xf00000ffu) | bucket << 8;
    } else if (should == ROCECC_CSIG_WRITTEN) {
        w0 = (w0 & 0xfffff000u) | bucket << 7 | lm;
    }
    LAW(rocecc_csig_emit(&c, &w, &after) == ROCECC_OK);
    LAW(rocecc_load32(tag) == w0 && (!h->wide || rocecc_load32(tag + 4) == w1));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    LAW(law_front() > 31000 || law_csig_packet(s, &port, is, &after) != LAW_BROKEN);
#endif
    return law_mix(law_mix(law_mix(LAW_START, is), w0), w1);
}

/* Checks a tag in one variant, and reads a hop from the bytes after it. */
LAW_FN uint32_t law_csig_tag(rocecc_reader r, bool uec, law_csig_sample *s)
{
    const rocecc_csig_config c = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, uec};
    const law_csig_sample none = {0, 0, 0, 0, uec};
    uint32_t digest = LAW_START;
    LAW_CSIG_ODD(back);
    const uint8_t *b;
    rocecc_reader rest = r;
    rocecc_csig h;
    rocecc_writer w;
    size_t bytes = 0;
    const rocecc_status status = rocecc_csig_parse(&c, &rest, &h);
    *s = none;
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) {
        LAW(rest.at == r.at);
        LAW(status == ROCECC_NO_MATCH || rocecc_left(&r) < 8);
        return digest;
    }
    LAW_FIELDS(ROCECC_CSIG_FIELDS, &h)
    bytes = h.wide ? 8 : 4;
    LAW(rest.at == r.at + bytes && rocecc_csig_bytes(&c, h.tpid) == bytes);
    w = law_writer(back, LAW_CSIG_ROOM(bytes));
    LAW(rocecc_csig_emit(&c, &w, &h) == ROCECC_OK && law_wrote(&w) == bytes);
    LAW(law_same(r, &w, ROCECC_CSIG_WIDE_BYTES));
#if !defined(__bpf__) /* BPF has room for a wide tag */
    LAW(rocecc_csig_emit(&c, &w, &h) == ROCECC_ERR_SPACE && law_wrote(&w) == bytes);
#endif

    s->w0 = rocecc_load32(back);
    s->w1 = rocecc_load32(back + 4);
    LAW(law_csig_stored(s));
    b = rocecc_take(&rest, 1);
    if (b != NULL) s->how = *b;
    b = rocecc_take(&rest, 4); /* often small, like the table's values */
    if (b != NULL) s->v = rocecc_load32(b) >> (*b & 0x1f);
    b = rocecc_take(&rest, 4);
    if (b != NULL) s->v |= (uint64_t)rocecc_load32(b) << 32;
    return digest;
}

/* Checks configurations, table and neutral values. Without a TPID, no tag is found. */
LAW_FN uint32_t law_csig_config(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, 2);
    const uint16_t tpid = b != NULL ? rocecc_load16(b) : 0;
    rocecc_csig_config c = {0, 0, false};
    rocecc_csig h;
    rocecc_status status = rocecc_csig_parse(&c, &r, &h);
    LAW(status == (rocecc_left(&r) < 2 ? ROCECC_ERR_SHORT : ROCECC_NO_MATCH));
    c.wide_tpid = tpid;
    status = rocecc_csig_init(&c);
    LAW(status == ROCECC_OK || status == ROCECC_ERR_RANGE);
    LAW(rocecc_csig_bytes(&c, tpid) == (tpid == 0 ? 0 : 8));
    c.compact_tpid = LAW_CSIG_COMPACT;
    h = rocecc_csig_neutral(&c, true, tpid & 0xf);
    LAW(h.value == (rocecc_csig_is_min(tpid & 0xf) ? 0xfffffu : 0) && h.tpid == tpid);
    LAW(rocecc_csig_table_init(&law_csig_table) == ROCECC_OK);
    return law_mix(LAW_START, status);
}

LAW_FN uint32_t law_csig(rocecc_reader r)
{
    uint32_t digest = law_csig_config(r);
    int uec;
    LAW(digest != LAW_BROKEN);
    for (uec = 0; uec < 2; uec++) {
        law_csig_sample s;
        uint32_t bucket = 0, part = law_csig_tag(r, uec == 1, &s);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
        if (s.w0 == 0) continue;
        part = law_csig_buckets(&s, &bucket);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
        part = law_csig_hop(&s, bucket);
        LAW(part != LAW_BROKEN);
        digest = law_mix(digest, part);
    }
    return digest;
}

#endif /* TESTS_LAW_CSIG_H */
