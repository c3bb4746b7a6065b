/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/lsn.h"
#include "prove.h"

void main(void)
{
    rocecc_writer out = prove_writer();
    rocecc_lsn any = rocecc_lsn_default();
    (void)law_lsn(prove_reader());
    any.version = (uint8_t)Frama_C_interval(0, 255);
    any.hdr_len = (uint8_t)Frama_C_interval(0, 255);
    any.resv = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_lsn_emit(&out, &any);
}
