/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_BYTES_H
#define ROCECC_BYTES_H

/*
 * bytes.h - the cursor. Every byte that rocecc reads or writes goes through
 * rocecc_take() or rocecc_put(). Only these two functions check bounds.
 *
 *      base                 base + at             base + end
 *       |  taken already     |  left to take       |
 *       v                    v                     v
 *       +--------------------+---------------------+ - - - - -
 *
 *     14 bytes: take(12) returns base, and at is 12
 *               take(4) then returns NULL, because 12 + 4 > 14, and at is still 12
 *
 * A cursor is an index into a buffer, not a pair of moving pointers. The check compares
 * the index *after* the step with the end (at + n > end). So an interval analysis can
 * follow the cursor through nested readers of any depth. In addition, `at` is the
 * offset in the frame, even in a nested reader. A buffer, like every C object, has at
 * most SIZE_MAX / 2 bytes. For BPF, bytes_bpf.h has the same cursor in a form that the
 * verifier accepts.
 */
#include "base.h"

#if defined(__bpf__)
#include "bytes_bpf.h"
#else
/* Bytes to read. Only rocecc_*() functions may change the members. */
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

/*
 * Returns a reader of the bytes from `begin` up to, but not including, `end`, or an
 * empty reader if both are NULL.
 */
ROCECC_INLINE rocecc_reader rocecc_reader_of(const void *begin, const void *end)
{
    rocecc_reader r;
    static const uint8_t nowhere = 0; /* address of an empty buffer */
    if (begin == NULL) begin = end = &nowhere;
    r.base = (const uint8_t *)begin;
    r.at = 0;
    r.end = (size_t)((const uint8_t *)end - r.base);
    return r;
}

/*
 * Returns the start of the next n_bytes bytes and moves past them. If fewer bytes are
 * left, returns NULL and does not move. Accepts any n_bytes, and a reader of any
 * length. Taking 0 bytes succeeds.
 */
ROCECC_INLINE const uint8_t *rocecc_take(rocecc_reader *reader, size_t n_bytes)
{
    const uint8_t *p;
    if (n_bytes > SIZE_MAX / 2 || reader->at + n_bytes > reader->end) return NULL;
    p = reader->base + reader->at;
    reader->at += n_bytes;
    ROCECC_NOT_NULL_(p);
    return p;
}

/*
 * Returns a writer to the bytes from `begin` up to, but not including, `end`, or a
 * writer without room if both are NULL.
 */
ROCECC_INLINE rocecc_writer rocecc_writer_of(void *begin, void *end)
{
    rocecc_writer w;
    static const uint8_t nowhere = 0; /* never written, because there is no room */
    if (begin == NULL) begin = end = (uint8_t *)(uintptr_t)&nowhere;
    w.base = (uint8_t *)begin;
    w.at = 0;
    w.end = (size_t)((uint8_t *)end - w.base);
    return w;
}

/* Returns a reader of the bytes written so far. */
ROCECC_INLINE rocecc_reader rocecc_written(const rocecc_writer *writer)
{
    rocecc_reader r;
    r.base = writer->base;
    r.at = 0;
    r.end = writer->at;
    return r;
}

/* Works like rocecc_take(), but returns the start of n_bytes bytes to fill. */
ROCECC_INLINE uint8_t *rocecc_put(rocecc_writer *writer, size_t n_bytes)
{
    uint8_t *p;
    if (n_bytes > SIZE_MAX / 2 || writer->at + n_bytes > writer->end) return NULL;
    p = writer->base + writer->at;
    writer->at += n_bytes;
    ROCECC_NOT_NULL_(p);
    return p;
}
#endif /* __bpf__ */

/* Returns the number of bytes that are left to take, end - at. */
ROCECC_INLINE size_t rocecc_left(const rocecc_reader *reader)
{
    return reader->end - reader->at;
}

/*
 * Takes n_bytes bytes and sets *body to a reader of them. Returns false if fewer bytes
 * are left.
 */
ROCECC_INLINE bool rocecc_split(rocecc_reader *reader, size_t n_bytes,
                                rocecc_reader *body)
{
    rocecc_reader whole = *reader;
    if (rocecc_take(reader, n_bytes) == NULL) return false;
    whole.end = reader->at;
    *body = whole;
    return true;
}

/*
 * Returns a reader of the bytes between two offsets in the buffer, for example two
 * offsets from rocecc_headers. If `reader` ends before `end`, the new reader ends where
 * `reader` ends.
 */
ROCECC_INLINE rocecc_reader rocecc_subrange(rocecc_reader reader, size_t begin,
                                            size_t end)
{
    if (end < reader.end) reader.end = end;
    reader.at = begin < reader.end ? begin : reader.end;
    return reader;
}

/* Returns the number of bytes that still fit, end - at. */
ROCECC_INLINE size_t rocecc_room(const rocecc_writer *writer)
{
    return writer->end - writer->at;
}

/*
 * Copies the bytes left in `reader` to `writer`. Returns false, and copies nothing, if
 * these bytes do not fit, or if there are more than max_bytes of them. Copies 32 bytes
 * at a time, then 4, then 1, so that a verifier has to track only a few bounds.
 */
ROCECC_FN bool rocecc_append(rocecc_writer *writer, rocecc_reader reader,
                             size_t max_bytes)
{
    rocecc_writer out = *writer;
    const uint8_t *from;
    uint8_t *to;
    size_t i;
    int k;
    if (rocecc_left(&reader) > max_bytes || rocecc_left(&reader) > rocecc_room(writer))
        return false;
    for (i = 0; i < max_bytes / 32; i++) {
        from = rocecc_take(&reader, 32);
        if (from == NULL) break;
        to = rocecc_put(&out, 32);
        if (to == NULL) return false;
        for (k = 0; k < 32; k++)
            to[k] = from[k];
    }
    for (i = 0; i < 7; i++) {
        from = rocecc_take(&reader, 4);
        if (from == NULL) break;
        to = rocecc_put(&out, 4);
        if (to == NULL) return false;
        for (k = 0; k < 4; k++)
            to[k] = from[k];
    }
    for (i = 0; i < 3; i++) {
        from = rocecc_take(&reader, 1);
        if (from == NULL) break;
        to = rocecc_put(&out, 1);
        if (to == NULL) return false;
        *to = *from;
    }
    *writer = out;
    return true;
}

/*
 * Loads a 2-byte big-endian number, at any alignment and on hosts of any byte order.
 * Compilers turn each load or store into one instruction if possible.
 */
ROCECC_INLINE uint16_t rocecc_load16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* Loads a 4-byte big-endian number, at any alignment. */
ROCECC_INLINE uint32_t rocecc_load32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Loads an 8-byte big-endian number, at any alignment. */
ROCECC_INLINE uint64_t rocecc_load64(const uint8_t *bytes)
{
    return (uint64_t)rocecc_load32(bytes) << 32 | rocecc_load32(bytes + 4);
}

/* Stores `value` as a 2-byte big-endian number. */
ROCECC_INLINE void rocecc_store16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

/* Stores `value` as a 4-byte big-endian number. */
ROCECC_INLINE void rocecc_store32(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 24);
    bytes[1] = (uint8_t)(value >> 16);
    bytes[2] = (uint8_t)(value >> 8);
    bytes[3] = (uint8_t)value;
}

/* Stores `value` as an 8-byte big-endian number. */
ROCECC_INLINE void rocecc_store64(uint8_t *bytes, uint64_t value)
{
    rocecc_store32(bytes, (uint32_t)(value >> 32));
    rocecc_store32(bytes + 4, (uint32_t)value);
}

#endif /* ROCECC_BYTES_H */
