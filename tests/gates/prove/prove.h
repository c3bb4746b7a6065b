/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_PROVE_PROVE_H
#define TESTS_PROVE_PROVE_H

/*
 * prove.h - a harness for Frama-C Eva. It has bytes of any value, from any offset to
 * the end of their array. One run thus covers every length from 0 to PROVE_BYTES.
 */
#include "law/law.h"

#ifndef PROVE_BYTES
#define PROVE_BYTES 64
#endif

/*@ requires min <= max; assigns \result \from min, max;
  @ ensures min <= \result <= max; */
int Frama_C_interval(int min, int max);
unsigned long Frama_C_unsigned_long_interval(unsigned long min, unsigned long max);
void Frama_C_make_unknown(char *p, size_t n);

static uint8_t prove_bytes[PROVE_BYTES];

/* Returns a reader of prove_bytes[] from any offset on. */
static rocecc_reader prove_reader(void)
{
    rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    (void)rocecc_take(&r, (size_t)Frama_C_interval(0, PROVE_BYTES));
    return r;
}

static size_t prove_any(void)
{
    return Frama_C_unsigned_long_interval(0, SIZE_MAX);
}

/* Returns a writer with room for any number of bytes from 0 to PROVE_BYTES. */
static rocecc_writer prove_writer(void)
{
    static uint8_t out[PROVE_BYTES];
    rocecc_writer w = rocecc_writer_of(out, out + PROVE_BYTES);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, PROVE_BYTES));
    return w;
}

#define PROVE(law)                                                                     \
    void main(void)                                                                    \
    {                                                                                  \
        (void)law(prove_reader());                                                     \
    }

#endif /* TESTS_PROVE_PROVE_H */
