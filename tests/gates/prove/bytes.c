/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "prove.h"

/* Calls functions with an empty buffer and any n, beyond the cases in the laws. */
void main(void)
{
    rocecc_reader r = rocecc_reader_of(NULL, NULL);
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_reader bytes = prove_reader();
    rocecc_writer out = prove_writer();
    (void)rocecc_take(&r, 0);
    (void)rocecc_put(&w, 0);
    (void)rocecc_append(&out, bytes, PROVE_BYTES - 1);
    (void)rocecc_take(&bytes, prove_any());
    (void)rocecc_put(&out, prove_any());
    (void)rocecc_status_declared((rocecc_status)Frama_C_interval(0, ROCECC_ERR_SPACE));
}
