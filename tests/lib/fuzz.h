/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_FUZZ_H
#define TESTS_LIB_FUZZ_H

/* fuzz.h - a fuzz driver is a law on bytes; a law that breaks is the finding. */
#include <stdio.h>
#include <stdlib.h>

#include "law/law.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void law_broken(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: law broken: %s\n", file, line, text);
    abort();
}

#define FUZZ(law)                                                                      \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                       \
    {                                                                                  \
        (void)law(rocecc_reader_of(data, data + size));                                \
        return 0;                                                                      \
    }

#endif /* TESTS_LIB_FUZZ_H */
