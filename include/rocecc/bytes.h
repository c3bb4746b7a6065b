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
 * has at most SIZE_MAX / 2 bytes, as every C object has.
 */
#include "base.h"

/* Bytes to read. Only rocecc_*() functions change the members. */
typedef struct rocecc_reader {
    const uint8_t *base;
    size_t at;
    size_t end;
#if defined(__bpf__)
    const uint8_t *limit; /* data_end: the verifier believes no other bound */
#endif
} rocecc_reader;

/* Bytes to write: base[0 .. at) is written, base[at .. end) is free. */
typedef struct rocecc_writer {
    uint8_t *base;
    size_t at;
    size_t end;
#if defined(__bpf__)
    uint8_t *limit;
#endif
} rocecc_writer;

/*
 * A cursor's base is never NULL: reader_of() and writer_of() see to that, but the
 * compiler cannot. With this it knows that take() returns NULL for one reason only,
 * and drops the other test.
 */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define ROCECC_NOT_NULL_(p) ((p) != NULL ? (void)0 : __builtin_unreachable())
#else
#define ROCECC_NOT_NULL_(p) ((void)(p))
#endif

/* A reader of begin <= p < end. (NULL, NULL) is an empty one. */
ROCECC_FN rocecc_reader rocecc_reader_of(const void *begin, const void *end)
{
    rocecc_reader r;
#if defined(__bpf__)
    r.limit = (const uint8_t *)end;
#else
    static const uint8_t nowhere = 0; /* an empty buffer, too, has an address */
    if (begin == NULL) begin = end = &nowhere;
#endif
    r.base = (const uint8_t *)begin;
    r.at = 0;
    r.end = (size_t)((const uint8_t *)end - r.base);
    return r;
}

/* Bytes that are left to take: end - at. */
ROCECC_FN size_t rocecc_left(const rocecc_reader *r)
{
    return r->end - r->at;
}

#if defined(__bpf__)
/*
 * The step as the verifier wants it: the bound is compared with data_end, the numbers
 * are known to be small (hence 32 KiB), and the pointer that was compared is the one
 * that is used. Then at is measured anew as a difference of pointers. The verifier
 * keeps no history of such a number, so that its states meet again and a loop over
 * options costs it linear time. The caller's own memory has no data_end: there the
 * bound is an end that is a constant.
 */
#define ROCECC_BPF_REACH 0x7fff
ROCECC_FN const uint8_t *rocecc_step_(const uint8_t *base, size_t *at, size_t n,
                                      size_t end, const uint8_t *limit)
{
    const uint8_t *p;
    const uint8_t *next;
    size_t from = *at;
    size_t stop = end;
    if (!__builtin_constant_p(n)) {
        ROCECC_BPF_KEEP_(n);
        if (n > ROCECC_BPF_REACH) return NULL;
        ROCECC_BPF_MASK_(n, ROCECC_BPF_REACH);
    }
    ROCECC_BPF_PART_(from);
    if (!__builtin_constant_p(end)) ROCECC_BPF_PART_(stop);
    if (n > stop || from > stop - n || from > ROCECC_BPF_REACH) return NULL;
    ROCECC_BPF_MASK_(from, ROCECC_BPF_REACH);
    p = base + from;
    ROCECC_BPF_KEEP_(p);
    next = p + n;
    if (next > limit) return NULL;
    ROCECC_NOT_NULL_(p);
    ROCECC_BPF_KEEP_(next);
    from = (size_t)(next - base);
    ROCECC_BPF_KEEP_(from); /* or the compiler makes pointers of it again */
    *at = from;
    return p;
}
#endif

/*
 * Takes n bytes: returns their start and moves past them. NULL: fewer are left, and
 * nothing moved. Total: any n, any length; n = 0 succeeds.
 */
ROCECC_FN const uint8_t *rocecc_take(rocecc_reader *r, size_t n)
{
    const uint8_t *p;
#if defined(__bpf__)
    p = rocecc_step_(r->base, &r->at, n, r->end, r->limit);
#else
    if (n > SIZE_MAX / 2 || r->at + n > r->end) return NULL;
    p = r->base + r->at;
    r->at += n;
    ROCECC_NOT_NULL_(p);
#endif
    return p;
}

/* Takes n bytes as a reader of their own; false where fewer are left. */
ROCECC_FN bool rocecc_split(rocecc_reader *r, size_t n, rocecc_reader *body)
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
ROCECC_FN rocecc_reader rocecc_between(rocecc_reader r, size_t from, size_t to)
{
    if (to < r.end) r.end = to;
    r.at = from < r.end ? from : r.end;
    return r;
}

/* A writer to begin <= p < end. (NULL, NULL) is a full one. */
ROCECC_FN rocecc_writer rocecc_writer_of(void *begin, void *end)
{
    rocecc_writer w;
#if defined(__bpf__)
    w.limit = (uint8_t *)end;
#else
    static const uint8_t nowhere = 0; /* never written: it has no room */
    if (begin == NULL) begin = end = (uint8_t *)(uintptr_t)&nowhere;
#endif
    w.base = (uint8_t *)begin;
    w.at = 0;
    w.end = (size_t)((uint8_t *)end - w.base);
    return w;
}

/* Bytes that there is room for: end - at. */
ROCECC_FN size_t rocecc_room(const rocecc_writer *w)
{
    return w->end - w->at;
}

/* What w has written so far, to read it again. */
ROCECC_FN rocecc_reader rocecc_written(const rocecc_writer *w)
{
    rocecc_reader r;
    r.base = w->base;
    r.at = 0;
    r.end = w->at;
#if defined(__bpf__)
    r.limit = w->limit;
#endif
    return r;
}

/* The mirror of rocecc_take(): n bytes to fill, or NULL. */
ROCECC_FN uint8_t *rocecc_put(rocecc_writer *w, size_t n)
{
    uint8_t *p;
#if defined(__bpf__)
    p = (uint8_t *)rocecc_step_(w->base, &w->at, n, w->end, w->limit);
#else
    if (n > SIZE_MAX / 2 || w->at + n > w->end) return NULL;
    p = w->base + w->at;
    w->at += n;
    ROCECC_NOT_NULL_(p);
#endif
    return p;
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
ROCECC_FN uint16_t rocecc_load16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

ROCECC_FN uint32_t rocecc_load32(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

ROCECC_FN uint64_t rocecc_load64(const uint8_t *b)
{
    return (uint64_t)rocecc_load32(b) << 32 | rocecc_load32(b + 4);
}

ROCECC_FN void rocecc_store16(uint8_t *b, uint16_t v)
{
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
}

ROCECC_FN void rocecc_store32(uint8_t *b, uint32_t v)
{
    b[0] = (uint8_t)(v >> 24);
    b[1] = (uint8_t)(v >> 16);
    b[2] = (uint8_t)(v >> 8);
    b[3] = (uint8_t)v;
}

ROCECC_FN void rocecc_store64(uint8_t *b, uint64_t v)
{
    rocecc_store32(b, (uint32_t)(v >> 32));
    rocecc_store32(b + 4, (uint32_t)v);
}

#endif /* ROCECC_BYTES_H */
