/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_BYTES_BPF_H
#define ROCECC_BYTES_BPF_H

/*
 * bytes_bpf.h - the cursor of bytes.h in a form that the kernel's verifier accepts. The
 * only packet bound that the verifier trusts is data_end, so readers and writers also
 * hold data_end. bytes.h includes this file for BPF, and documents the functions. For
 * other targets, this file is empty.
 */
#include "base.h"

#if defined(__bpf__)
typedef struct rocecc_reader {
    const uint8_t *base;
    size_t at;
    size_t end;
    const uint8_t *limit; /* data_end, the only bound that the verifier trusts */
} rocecc_reader;

typedef struct rocecc_writer {
    uint8_t *base;
    size_t at;
    size_t end;
    uint8_t *limit;
} rocecc_writer;

ROCECC_FN rocecc_reader rocecc_reader_of(const void *begin, const void *end)
{
    rocecc_reader r;
    r.limit = (const uint8_t *)end;
    r.base = (const uint8_t *)begin;
    r.at = 0;
    r.end = (size_t)((const uint8_t *)end - r.base);
    return r;
}

/*
 * Advances a reader or writer by n_bytes. The verifier must know that the numbers are
 * small, so n_bytes and the old offset must be below 32 KiB. The pointer that is
 * compared with data_end is computed from the pointer that is returned. The offset is
 * then computed again as a difference of two pointers. The verifier keeps no history
 * of such a difference, so it can merge states, and can check a loop over options in
 * linear time. A buffer in the caller's own memory has no data_end. Its bound is a
 * constant `end`.
 */
#define ROCECC_BPF_REACH 0x7fff
ROCECC_FN const uint8_t *rocecc_step_(const uint8_t *base, size_t *offset,
                                      size_t n_bytes, size_t end, const uint8_t *limit)
{
    const uint8_t *p;
    const uint8_t *next;
    size_t from = *offset;
    size_t stop = end;
    if (!__builtin_constant_p(n_bytes)) {
        ROCECC_BPF_KEEP_(n_bytes);
        if (n_bytes > ROCECC_BPF_REACH) return NULL;
        ROCECC_BPF_MASK_(n_bytes, ROCECC_BPF_REACH);
    }
    ROCECC_BPF_PART_(from);
    if (!__builtin_constant_p(end)) ROCECC_BPF_PART_(stop);
    if (n_bytes > stop || from > stop - n_bytes || from > ROCECC_BPF_REACH) return NULL;
    ROCECC_BPF_MASK_(from, ROCECC_BPF_REACH);
    p = base + from;
    ROCECC_BPF_KEEP_(p);
    next = p + n_bytes;
    if (next > limit) return NULL;
    ROCECC_NOT_NULL_(p);
    ROCECC_BPF_KEEP_(next);
    from = (size_t)(next - base);
    ROCECC_BPF_KEEP_(from); /* otherwise the compiler turns it into a pointer again */
    *offset = from;
    return p;
}

ROCECC_FN const uint8_t *rocecc_take(rocecc_reader *reader, size_t n_bytes)
{
    return rocecc_step_(reader->base, &reader->at, n_bytes, reader->end, reader->limit);
}

ROCECC_FN rocecc_writer rocecc_writer_of(void *begin, void *end)
{
    rocecc_writer w;
    w.limit = (uint8_t *)end;
    w.base = (uint8_t *)begin;
    w.at = 0;
    w.end = (size_t)((uint8_t *)end - w.base);
    return w;
}

ROCECC_FN rocecc_reader rocecc_written(const rocecc_writer *writer)
{
    rocecc_reader r;
    r.base = writer->base;
    r.at = 0;
    r.end = writer->at;
    r.limit = writer->limit;
    return r;
}

ROCECC_FN uint8_t *rocecc_put(rocecc_writer *writer, size_t n_bytes)
{
    return (uint8_t *)rocecc_step_(writer->base, &writer->at, n_bytes, writer->end,
                                   writer->limit);
}

#endif /* __bpf__ */

#endif /* ROCECC_BYTES_BPF_H */
