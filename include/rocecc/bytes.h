/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_BYTES_H
#define ROCECC_BYTES_H

/*
 * bytes.h - the cursor: every byte that rocecc reads or writes passes through
 * rocecc_take() or rocecc_put(), and those two hold the only bounds checks.
 *
 *      base                 base + at             base + end
 *       |  taken already     |  left to take       |
 *       v                    v                     v
 *       +--------------------+---------------------+ - - - - -
 *
 *     of 14 bytes: take(12) returns base, and at is 12
 *                  take(4) returns NULL, since 12 + 4 > 14, and at is still 12
 *
 * A cursor is an index into a buffer and not a pair of moving pointers. The check
 * compares the index *after* the step with the end: at + n > end. So an interval
 * analysis follows it through any nesting, and at is the offset in the frame. A buffer
 * has at most SIZE_MAX / 2 bytes, as every C object has. For BPF, bytes_bpf.h has the
 * same cursor, as the verifier wants it.
 */
#include "base.h"

#if defined(__bpf__)
#include "bytes_bpf.h"
#else
/* Bytes to read. Only rocecc_*() functions change the members. */
typedef struct rocecc_reader {
    const uint8_t *base;
    size_t at;
    size_t end;
} rocecc_reader;

/* Bytes to write: base[0 .. at) is written, base[at .. end) is free. */
typedef struct rocecc_writer {
    uint8_t *base;
    size_t at;
    size_t end;
} rocecc_writer;

/* A reader of begin <= p < end. (NULL, NULL) is an empty one. */
ROCECC_INLINE rocecc_reader rocecc_reader_of(const void *begin, const void *end)
{
    rocecc_reader r;
    static const uint8_t nowhere = 0; /* an empty buffer, too, has an address */
    if (begin == NULL) begin = end = &nowhere;
    r.base = (const uint8_t *)begin;
    r.at = 0;
    r.end = (size_t)((const uint8_t *)end - r.base);
    return r;
}

/*
 * Takes n bytes: returns their start and moves past them. NULL: fewer are left, and
 * nothing moved. Total: any n, any length; n = 0 succeeds.
 */
ROCECC_INLINE const uint8_t *rocecc_take(rocecc_reader *r, size_t n)
{
    const uint8_t *p;
    if (n > SIZE_MAX / 2 || r->at + n > r->end) return NULL;
    p = r->base + r->at;
    r->at += n;
    ROCECC_NOT_NULL_(p);
    return p;
}

/* A writer to begin <= p < end. (NULL, NULL) is a full one. */
ROCECC_INLINE rocecc_writer rocecc_writer_of(void *begin, void *end)
{
    rocecc_writer w;
    static const uint8_t nowhere = 0; /* never written: it has no room */
    if (begin == NULL) begin = end = (uint8_t *)(uintptr_t)&nowhere;
    w.base = (uint8_t *)begin;
    w.at = 0;
    w.end = (size_t)((uint8_t *)end - w.base);
    return w;
}

/* What w has written so far, to read it again. */
ROCECC_INLINE rocecc_reader rocecc_written(const rocecc_writer *w)
{
    rocecc_reader r;
    r.base = w->base;
    r.at = 0;
    r.end = w->at;
    return r;
}

/* The mirror of rocecc_take(): n bytes to fill, or NULL. */
ROCECC_INLINE uint8_t *rocecc_put(rocecc_writer *w, size_t n)
{
    uint8_t *p;
    if (n > SIZE_MAX / 2 || w->at + n > w->end) return NULL;
    p = w->base + w->at;
    w->at += n;
    ROCECC_NOT_NULL_(p);
    return p;
}
#endif /* __bpf__ */

/* Bytes that are left to take: end - at. */
ROCECC_INLINE size_t rocecc_left(const rocecc_reader *r)
{
    return r->end - r->at;
}

/* Takes n bytes as a reader of their own; false where fewer are left. */
ROCECC_INLINE bool rocecc_split(rocecc_reader *r, size_t n, rocecc_reader *body)
{
    rocecc_reader whole = *r;
    if (rocecc_take(r, n) == NULL) return false;
    whole.end = r->at;
    *body = whole;
    return true;
}

/*
 * The bytes of r's buffer from one offset to another, as a rocecc_where gives them;
 * fewer where the buffer ends before.
 */
ROCECC_INLINE rocecc_reader rocecc_between(rocecc_reader r, size_t from, size_t to)
{
    if (to < r.end) r.end = to;
    r.at = from < r.end ? from : r.end;
    return r;
}

/* Bytes that there is room for: end - at. */
ROCECC_INLINE size_t rocecc_room(const rocecc_writer *w)
{
    return w->end - w->at;
}

/*
 * Copies what is left of r. False: it does not fit or is more than max bytes, and
 * nothing was copied. It goes by 32 bytes, then by 4, then by 1, so that a verifier can
 * follow each bound and has few of them.
 */
ROCECC_FN bool rocecc_append(rocecc_writer *w, rocecc_reader r, size_t max)
{
    rocecc_writer out = *w;
    const uint8_t *from;
    uint8_t *to;
    size_t i;
    int k;
    if (rocecc_left(&r) > max || rocecc_left(&r) > rocecc_room(w)) return false;
    for (i = 0; i < max / 32; i++) {
        from = rocecc_take(&r, 32);
        if (from == NULL) break;
        to = rocecc_put(&out, 32);
        if (to == NULL) return false;
        for (k = 0; k < 32; k++)
            to[k] = from[k];
    }
    for (i = 0; i < 7; i++) {
        from = rocecc_take(&r, 4);
        if (from == NULL) break;
        to = rocecc_put(&out, 4);
        if (to == NULL) return false;
        for (k = 0; k < 4; k++)
            to[k] = from[k];
    }
    for (i = 0; i < 3; i++) {
        from = rocecc_take(&r, 1);
        if (from == NULL) break;
        to = rocecc_put(&out, 1);
        if (to == NULL) return false;
        *to = *from;
    }
    *w = out;
    return true;
}

/*
 * Big-endian, any alignment, any host. Compilers fold each into one load or
 * store where the machine has it.
 */
ROCECC_INLINE uint16_t rocecc_load16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

/* 4 bytes at b, as rocecc_load16() does 2. */
ROCECC_INLINE uint32_t rocecc_load32(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* 8 bytes at b, as rocecc_load16() does 2. */
ROCECC_INLINE uint64_t rocecc_load64(const uint8_t *b)
{
    return (uint64_t)rocecc_load32(b) << 32 | rocecc_load32(b + 4);
}

/* Writes v as 2 bytes at b, big-endian. */
ROCECC_INLINE void rocecc_store16(uint8_t *b, uint16_t v)
{
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
}

/* Writes v as 4 bytes at b, big-endian. */
ROCECC_INLINE void rocecc_store32(uint8_t *b, uint32_t v)
{
    b[0] = (uint8_t)(v >> 24);
    b[1] = (uint8_t)(v >> 16);
    b[2] = (uint8_t)(v >> 8);
    b[3] = (uint8_t)v;
}

/* Writes v as 8 bytes at b, big-endian. */
ROCECC_INLINE void rocecc_store64(uint8_t *b, uint64_t v)
{
    rocecc_store32(b, (uint32_t)(v >> 32));
    rocecc_store32(b + 4, (uint32_t)v);
}

#endif /* ROCECC_BYTES_H */
