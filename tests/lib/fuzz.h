/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FUZZ_H
#define TESTS_LIB_FUZZ_H

/*
 * fuzz.h - a fuzz driver runs a law on an input, and a broken law is a finding. The
 * input begins anywhere in a buffer and ends with it. The same input always has the
 * same place, so that a finding can be repeated. The law's digest must depend neither
 * on this place nor on the place of the law's output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/law.h"

/* A frame begins at 31,000 at most, and a law may put headers before it. */
#define FUZZ_FRAME_MAX 30000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void law_broken(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: law broken: %s\n", file, line, text);
    abort();
}

static size_t fuzz_front;

size_t law_front(void)
{
    return fuzz_front;
}

/* Returns a place, 4 of 8 in 0 to 255, 3 of 8 in 256 to 1531, and 1 of 8 near `max`. */
static size_t fuzz_place(uint32_t hash, size_t max)
{
    const size_t odd = hash >> 8 & 0xff;
    if ((hash & 7) < 4) return odd;
    if ((hash & 7) < 7) return 256 + odd * 5;
    return max - odd;
}

static uint32_t fuzz_hash(const uint8_t *data, size_t size)
{
    uint32_t hash = LAW_START;
    size_t i;
    for (i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    hash ^= hash >> 15;
    return hash * 0x2c1b3c6du;
}

static void fuzz_law(uint32_t (*law)(rocecc_reader), const uint8_t *data, size_t size,
                     size_t max)
{
    const uint32_t hash = fuzz_hash(data, size);
    const size_t at = fuzz_place(hash >> 16, max);
    uint8_t *buffer = malloc(at + size);
    rocecc_reader r;
    uint32_t digest;
    if (buffer == NULL && at + size != 0) abort();
    memset(buffer, 0xa5, at);
    memcpy(buffer + at, data, size);
    r = rocecc_reader_of(buffer, buffer + at + size);
    r.at = at;
    fuzz_front = fuzz_place(hash, max);
    digest = law(r);
    free(buffer);
    if (hash >> 30 != 0) return; /* one in four runs again at 0 */
    fuzz_front = 0;
    if (law(rocecc_reader_of(data, data + size)) != digest)
        law_broken(__FILE__, __LINE__,
                   "the digest depends on the place of the packet or of the output");
}

#define FUZZ_UP_TO(law, max)                                                           \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                       \
    {                                                                                  \
        fuzz_law(law, data, size, max);                                                \
        return 0;                                                                      \
    }

#define FUZZ(law) FUZZ_UP_TO(law, LAW_FRONT_MAX)
#define FUZZ_FRAME(law) FUZZ_UP_TO(law, FUZZ_FRAME_MAX) /* for laws on frames */

#endif /* TESTS_LIB_FUZZ_H */
