/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CSIG_H
#define ROCECC_WIRE_CSIG_H

/*
 * csig.h - the congestion signaling (CSIG) tag. It carries the signal value and the
 * locator of the worst hop so far. draft-ravi-ippm-csig-01;
 * draft-miao-ccwg-hpcc-info-03, section 3 and Figure 4; SAI for the UEC variant.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             TPID              |  T  |R|    S    |     LM      |  compact
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             TPID              |              LM               |  wide
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |   T   |                   S                   |       R       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *   T  signal type   S  signal value, a bucket   LM  locator   R  reserved
 *   In the UEC variant, the last bit of LM (bit 31 in both figures) is d (do not
 *   update).
 *
 *     99002b85     compact, TPID 0x9900: type 1, available bandwidth / capacity;
 *                  bucket 23, locator 5
 *
 * A tag is placed like a VLAN tag. Its TPID takes the place of the preceding header's
 * type, and the type of the next header follows the tag. Inserting or removing the 4 or
 * 8 bytes of a tag does not change any other bytes.
 */
#include "../bytes.h"
#include "config.h"

#define ROCECC_CSIG_COMPACT_BUCKETS 32
#define ROCECC_CSIG_WIDE_BUCKETS 0x100000u

/*
 * Signal types (T), each with the rule by which hops combine values. Other types are
 * unassigned.
 */
typedef enum rocecc_csig_type {
    ROCECC_CSIG_ABW = 0,   /* min: available bandwidth of the egress port, bit/s */
    ROCECC_CSIG_ABW_C = 1, /* min: available bandwidth / port capacity, 2^20 is 1.0 */
    ROCECC_CSIG_PD = 2,    /* max: delay of this packet in the hop, ns */
    ROCECC_CSIG_NQD = 3    /* max: queue depth / port speed, max(qlen/B), ns */
} rocecc_csig_type;

#define ROCECC_CSIG_TYPES 4

/* CSIG tag. A receiver returns the tag's type, value and locator to the sender. */
typedef struct rocecc_csig {
    uint16_t tpid; /* TPID of compact or wide tags; as in rocecc_csig_config */
    bool wide;     /* wide form of the tag; not a field, follows from the TPID */
    uint8_t type; /* signal type; 3 bits, wide: 4; a rocecc_csig_type or a later type */
    uint8_t reserved; /* reserved bits; 1 bit, wide: 8 */
    uint32_t value; /* bucket of the signal's value; 5 bits, wide: 20; higher for larger
                       values */
    uint16_t locator; /* locator of the port that wrote the value; 7 bits, wide: 16; in
                         UEC one bit less */
    bool no_update;   /* do-not-update flag for hops; d, UEC only: hops must not update
                         the tag */
} rocecc_csig;

/* Reads a compact tag. Any 4 bytes are valid. */
ROCECC_FN rocecc_csig rocecc_csig_compact_load(const uint8_t *bytes, bool uec)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_csig h;
    h.tpid = (uint16_t)(w0 >> 16);
    h.wide = false;
    h.type = (uint8_t)(w0 >> 13 & 0x7);
    h.reserved = (uint8_t)(w0 >> 12 & 0x1);
    h.value = w0 >> 7 & 0x1f;
    h.locator = (uint16_t)(uec ? w0 >> 1 & 0x3f : w0 & 0x7f);
    h.no_update = uec && (w0 & 1) != 0;
    return h;
}

/* Reads a wide tag. Any 8 bytes are valid. */
ROCECC_FN rocecc_csig rocecc_csig_wide_load(const uint8_t *bytes, bool uec)
{
    const uint32_t w0 = rocecc_load32(bytes);
    const uint32_t w1 = rocecc_load32(bytes + 4);
    rocecc_csig h;
    h.tpid = (uint16_t)(w0 >> 16);
    h.wide = true;
    h.type = (uint8_t)(w1 >> 28);
    h.reserved = (uint8_t)w1;
    h.value = w1 >> 8 & 0xfffff;
    h.locator = (uint16_t)(uec ? w0 >> 1 & 0x7fff : w0);
    h.no_update = uec && (w0 & 1) != 0;
    return h;
}

/* Returns the bits of LM. In the UEC variant, the last bit is d. */
ROCECC_FN uint32_t rocecc_csig_locator_bits_(const rocecc_csig *tag, bool uec)
{
    return uec ? (uint32_t)tag->locator << 1 | tag->no_update : tag->locator;
}

/*
 * Writes a compact tag. A value that is too wide loses its high bits, but does not
 * change other fields.
 */
ROCECC_FN void rocecc_csig_compact_store(uint8_t *bytes, const rocecc_csig *tag,
                                         bool uec)
{
    rocecc_store16(bytes, tag->tpid);
    rocecc_store16(bytes + 2,
                   (uint16_t)((tag->type & 0x7u) << 13 | (tag->reserved & 0x1u) << 12 |
                              (tag->value & 0x1fu) << 7 |
                              (rocecc_csig_locator_bits_(tag, uec) & 0x7fu)));
}

/*
 * Writes a wide tag. A value that is too wide loses its high bits, but does not change
 * other fields.
 */
ROCECC_FN void rocecc_csig_wide_store(uint8_t *bytes, const rocecc_csig *tag, bool uec)
{
    rocecc_store16(bytes, tag->tpid);
    rocecc_store16(bytes + 2, (uint16_t)rocecc_csig_locator_bits_(tag, uec));
    rocecc_store32(bytes + 4, (tag->type & 0xfu) << 28 | (tag->value & 0xfffffu) << 8 |
                                  tag->reserved);
}

ROCECC_FN void rocecc_csig_store_(uint8_t *bytes, const rocecc_csig *tag, bool uec)
{
    if (tag->wide)
        rocecc_csig_wide_store(bytes, tag, uec);
    else
        rocecc_csig_compact_store(bytes, tag, uec);
}

/*
 * Returns true if each value fits its field, and the TPID is non-zero and equals the
 * TPID configured for the tag's form.
 */
ROCECC_FN bool rocecc_csig_fits_(const rocecc_csig_config *config,
                                 const rocecc_csig *tag)
{
    const unsigned lm = (tag->wide ? 16u : 7u) - (config->uec ? 1u : 0u);
    if (tag->tpid == 0 ||
        tag->tpid != (tag->wide ? config->wide_tpid : config->compact_tpid))
        return false;
    if (tag->locator >> lm != 0 || (tag->no_update && !config->uec)) return false;
    return tag->wide ? tag->type >> 4 == 0 && tag->value < ROCECC_CSIG_WIDE_BUCKETS
                     : tag->type >> 3 == 0 && tag->reserved >> 1 == 0 &&
                           tag->value < ROCECC_CSIG_COMPACT_BUCKETS;
}

/*
 * Parses a tag, starting at its TPID. Returns NO_MATCH if the first 2 bytes are not a
 * TPID in config, and SHORT if the tag is incomplete.
 */
ROCECC_FN rocecc_status rocecc_csig_parse(const rocecc_csig_config *config,
                                          rocecc_reader *reader, rocecc_csig *out)
{
    rocecc_reader first = *reader;
    const uint8_t *b = rocecc_take(&first, 2);
    size_t bytes;
    if (b == NULL) return ROCECC_ERR_SHORT;
    bytes = rocecc_csig_bytes(config, rocecc_load16(b));
    if (bytes == 0) return ROCECC_NO_MATCH;
    if (bytes == ROCECC_CSIG_WIDE_BYTES) {
        b = rocecc_take(reader, ROCECC_CSIG_WIDE_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        *out = rocecc_csig_wide_load(b, config->uec);
    } else {
        b = rocecc_take(reader, ROCECC_CSIG_COMPACT_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        *out = rocecc_csig_compact_load(b, config->uec);
    }
    return ROCECC_OK;
}

/*
 * Writes a tag. The caller must first make room for it after the MAC addresses or VLAN
 * tags. Returns RANGE if a value is wider than its field, if tag->tpid is 0 or is not
 * config's TPID for the tag's form, or if no_update is set although config->uec is not.
 * Returns SPACE if the 4 or 8 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_csig_emit(const rocecc_csig_config *config,
                                         rocecc_writer *writer, const rocecc_csig *tag)
{
    uint8_t *b;
    if (!rocecc_csig_fits_(config, tag)) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer,
                   tag->wide ? ROCECC_CSIG_WIDE_BYTES : ROCECC_CSIG_COMPACT_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_csig_store_(b, tag, config->uec);
    return ROCECC_OK;
}

/*
 * Returns true if hops keep the smallest value of this type, and false if they keep the
 * largest value or the type is unassigned.
 */
ROCECC_FN bool rocecc_csig_is_min(uint8_t type)
{
    return type == ROCECC_CSIG_ABW || type == ROCECC_CSIG_ABW_C;
}

/*
 * Returns the tag that a sender writes. Its value is the best bucket, so hops can only
 * make the value worse. No public text defines this initial value (README.md).
 */
ROCECC_FN rocecc_csig rocecc_csig_neutral(const rocecc_csig_config *config, bool wide,
                                          uint8_t type)
{
    rocecc_csig h;
    h.tpid = wide ? config->wide_tpid : config->compact_tpid;
    h.wide = wide;
    h.type = type;
    h.reserved = 0;
    h.value = 0;
    if (rocecc_csig_is_min(type))
        h.value = (wide ? ROCECC_CSIG_WIDE_BUCKETS : ROCECC_CSIG_COMPACT_BUCKETS) - 1;
    h.locator = 0;
    h.no_update = false;
    return h;
}

/* Bucket of compact tags, with inclusive bounds. */
typedef struct rocecc_csig_bucket {
    uint64_t min;
    uint64_t max;
} rocecc_csig_bucket;

/* Buckets of one signal type. They must be the same in all nodes. */
typedef struct rocecc_csig_buckets {
    uint8_t n; /* number of compact ranges, up to 32; 0 leaves compact tags unchanged */
    rocecc_csig_bucket range[ROCECC_CSIG_COMPACT_BUCKETS];
    bool wide;         /* false leaves wide tags unchanged */
    uint8_t step_log2; /* bucket k starts at base + k * 2^step_log2; at most 43 */
    uint64_t base;     /* a power of two, or 0 */
} rocecc_csig_buckets;

/*
 * Buckets by signal type. Bounds are in the units of rocecc_csig_type, or in other
 * units that all nodes share.
 */
typedef struct rocecc_csig_table {
    rocecc_csig_buckets type[ROCECC_CSIG_TYPES];
} rocecc_csig_table;

#define ROCECC_CSIG_STEP_LOG2_MAX 43

/*
 * Returns true if there are at most 32 ranges and the ranges ascend. Neighbouring
 * ranges may share a bound or leave a gap, but neither may contain the other.
 */
ROCECC_FN bool rocecc_csig_buckets_ascend_(const rocecc_csig_buckets *buckets)
{
    int i;
    if (buckets->n > ROCECC_CSIG_COMPACT_BUCKETS) return false;
    for (i = 0; i < ROCECC_CSIG_COMPACT_BUCKETS && i < buckets->n; i++) {
        const rocecc_csig_bucket *r = &buckets->range[i];
        if (r->min > r->max) return false;
        if (i > 0 && (r[-1].max > r->min || r[-1].min == r->min || r[-1].max == r->max))
            return false;
    }
    return true;
}

/*
 * Checks a table before its first use. Returns RANGE if a type has more than 32 ranges,
 * if bounds do not ascend, if two ranges share more than one value, or if a range
 * contains the next or the previous range. Also returns RANGE if a base is neither 0
 * nor a power of two, or if a step_log2 is above 43.
 */
ROCECC_FN rocecc_status rocecc_csig_table_init(const rocecc_csig_table *table)
{
    int i;
    for (i = 0; i < ROCECC_CSIG_TYPES; i++) {
        const rocecc_csig_buckets *b = &table->type[i];
        if (!rocecc_csig_buckets_ascend_(b) || (b->base & (b->base - 1)) != 0 ||
            b->step_log2 > ROCECC_CSIG_STEP_LOG2_MAX)
            return ROCECC_ERR_RANGE;
    }
    return ROCECC_OK;
}

/*
 * Returns the buckets for a tag's form and type, or NULL if the table has no such
 * buckets.
 */
ROCECC_FN const rocecc_csig_buckets *
rocecc_csig_find_buckets_(const rocecc_csig_table *table, const rocecc_csig *tag)
{
    const rocecc_csig_buckets *b;
    size_t type = tag->type;
    if (type >= ROCECC_CSIG_TYPES) return NULL;
    ROCECC_BPF_MASK_(type, ROCECC_CSIG_TYPES - 1);
    b = &table->type[type];
    if (tag->wide)
        return b->wide && b->step_log2 <= ROCECC_CSIG_STEP_LOG2_MAX ? b : NULL;
    return b->n != 0 && b->n <= ROCECC_CSIG_COMPACT_BUCKETS ? b : NULL;
}

/*
 * Returns the bucket of `value`. If `min` is set, it is the last bucket that starts at
 * or below `value`, or bucket 0 if all buckets start above `value`. Otherwise, it is
 * the first bucket that ends at or above `value`, or the last bucket if all buckets end
 * below `value`.
 */
ROCECC_FN uint32_t rocecc_csig_find_bucket_(const rocecc_csig_buckets *buckets,
                                            bool min, uint64_t value)
{
    uint32_t k = 0, step;
    for (step = ROCECC_CSIG_COMPACT_BUCKETS / 2; step > 0; step /= 2) {
        const uint32_t j = k + step;
        if (j >= buckets->n) continue;
        if (min ? buckets->range[j].min <= value : buckets->range[j - 1].max < value)
            k = j;
    }
    return k;
}

/*
 * Finds the bucket of a value for a tag's form and type. For a wide tag, the bucket is
 * (value - base) >> step_log2. A value below all buckets gets the first bucket, and a
 * value above all buckets gets the last bucket. A value in a gap between two buckets
 * gets the worse of the two. Returns NO_MATCH if the table has no buckets for this form
 * and type.
 */
ROCECC_FN rocecc_status rocecc_csig_quantise(const rocecc_csig_table *table,
                                             const rocecc_csig *tag, uint64_t value,
                                             uint32_t *bucket)
{
    const rocecc_csig_buckets *b = rocecc_csig_find_buckets_(table, tag);
    uint64_t k;
    if (b == NULL) return ROCECC_NO_MATCH;
    if (!tag->wide) {
        *bucket = rocecc_csig_find_bucket_(b, rocecc_csig_is_min(tag->type), value);
        return ROCECC_OK;
    }
    k = value < b->base ? 0 : (value - b->base) >> (b->step_log2 & 63);
    *bucket = k < ROCECC_CSIG_WIDE_BUCKETS ? (uint32_t)k : ROCECC_CSIG_WIDE_BUCKETS - 1;
    return ROCECC_OK;
}

/*
 * Converts a tag's bucket to a value. The value is the pessimistic bound of the bucket.
 * For a min type, this is the lower bound (in a wide tag, base + (tag->value <<
 * step_log2)). For a max type, it is the upper bound, except that bucket 0 means 0,
 * because an empty queue must look empty. Returns NO_MATCH if the table has no buckets
 * for this form and type, and RANGE if the table does not have the tag's bucket. For
 * example, rocecc_csig_neutral() sets a compact tag of a min type to bucket 31, which
 * does not exist if the type has fewer than 32 ranges.
 */
ROCECC_FN rocecc_status rocecc_csig_dequantise(const rocecc_csig_table *table,
                                               const rocecc_csig *tag, uint64_t *out)
{
    const rocecc_csig_buckets *b = rocecc_csig_find_buckets_(table, tag);
    const bool min = rocecc_csig_is_min(tag->type);
    size_t k = tag->value;
    if (b == NULL) return ROCECC_NO_MATCH;
    if (tag->wide ? tag->value >= ROCECC_CSIG_WIDE_BUCKETS
                  : tag->value >= ROCECC_CSIG_COMPACT_BUCKETS || tag->value >= b->n)
        return ROCECC_ERR_RANGE;
    if (!min && tag->value == 0) {
        *out = 0;
    } else if (tag->wide) {
        *out = b->base + (((uint64_t)tag->value + !min) << (b->step_log2 & 63)) - !min;
    } else {
        ROCECC_BPF_MASK_(k, ROCECC_CSIG_COMPACT_BUCKETS - 1);
        *out = min ? b->range[k].min : b->range[k].max;
    }
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_CSIG_H */
